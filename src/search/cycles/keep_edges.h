// Keeps the steps that an accepting cycle can have, as one thread of a RAM search follows them
// (search/ram/follow.h): those within one part of the automaton, between nodes of the graph.
#pragma once

#include <cstdint>
#include <vector>

#include "model/acceptance.h"
#include "search/cycles/kept_edges.h"
#include "search/cycles/level_graph.h"

namespace spillway {

class alignas(128) KeepEdges {
 public:
  static constexpr bool kNumbers = true;

  // REQUIRES: all outlive it.
  KeepEdges(const Acceptance& acceptance, const LevelGraph& graph, Budget& budget)
      : acceptance_(&acceptance),
        graph_(&graph),
        marks_steps_(acceptance.marks_steps()),
        wanted_(all_sets(acceptance.sets())),
        edges_(budget, marks_steps_ ? std::max(1U, acceptance.sets()) : 0) {}

  void expanded(std::uint64_t number, State state, std::size_t first, std::size_t end) {
    const std::uint32_t node = graph_->node(number);
    if (node == NodeNumbers::kNone || first == end) return;
    const SetMask mark = !marks_steps_ && acceptance_->accepting(state) ? 1 : 0;
    sources_.push_back({number, node, acceptance_->part(state), mark, first, end});
  }
  // Throws Error(memory).
  template <class Mark, class Number>
  void settled(States batch, const Mark& mark, const Number& number) {
    for (const Source& source : sources_) keep(source, batch, mark, number);
  }
  void forget() { sources_.clear(); }

  // Of the level that is being expanded.
  KeptEdges& edges() { return edges_; }
  // Some state is an accepting cycle by itself.
  bool has_loop() const { return has_loop_; }

 private:
  // A state that was expanded, and its successors in the batch.
  struct Source {
    std::uint64_t number;
    std::uint32_t node;
    std::uint32_t part;
    SetMask mark;  // of all its steps, if steps have no marks of their own
    std::size_t first, end;
  };

  template <class Mark, class Number>
  void keep(const Source& source, States batch, const Mark& mark, const Number& number) {
    rows_.clear();
    marks_.clear();
    if (!marks_steps_) marks_.push_back(source.mark);
    for (std::size_t i = source.first; i < source.end; ++i) {
      if (acceptance_->part(batch[i]) != source.part) continue;
      const std::uint64_t target = number(i);
      rows_.push_back(static_cast<std::uint32_t>(target));
      if (marks_steps_) marks_.push_back(mark(i));
      has_loop_ = has_loop_ || (target == source.number && marks_.back() == wanted_);
    }
    if (!rows_.empty()) edges_.add(source.node, rows_, marks_);
  }

  const Acceptance* acceptance_;
  const LevelGraph* graph_;
  bool marks_steps_;
  SetMask wanted_;
  std::vector<Source> sources_;      // of the batch
  std::vector<std::uint32_t> rows_;  // for keep()
  std::vector<SetMask> marks_;       // the same
  KeptEdges edges_;
  bool has_loop_ = false;
};

}  // namespace spillway
