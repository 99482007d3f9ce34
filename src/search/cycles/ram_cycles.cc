#include "search/cycles/ram_cycles.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "search/cycles/check_schedule.h"
#include "search/cycles/keep_edges.h"
#include "search/cycles/level_graph.h"
#include "search/ram/packed_set.h"
#include "search/ram/ram_search.h"

namespace spillway {
namespace {

// The aim of the search: to keep edges, and to look for accepting cycles among them.
class LookForCycles {
 public:
  using Follow = KeepEdges;
  static constexpr bool kDecidesAcceptance = true;

  LookForCycles(const SearchContext& context, PackedSet& visited, const RamCyclesSettings& settings)
      : session_(context.session),
        crew_(context.crew),
        visited_(visited),
        schedule_({.first = settings.first_check, .growth = settings.growth}),
        minimal_(context.minimal),
        graph_(session_.model.acceptance(), visited, context.budget, context.crew,
               settings.block_nodes) {
    for (unsigned i = 0; i < context.crew.size(); ++i) {
      follows_.emplace_back(session_.model.acceptance(), graph_, context.budget);
      if (session_.model.acceptance().marks_steps()) session_.expanders[i].want_marks();
    }
  }

  KeepEdges& follow(unsigned thread) { return follows_[thread]; }
  void add_level(const std::vector<RowPool::Segment>& rows) { graph_.add_level(rows); }

  void add_steps() {
    std::vector<const KeptEdges*> kept;
    for (KeepEdges& follow : follows_) kept.push_back(&follow.edges());
    graph_.add_edges(kept);
    for (KeepEdges& follow : follows_) follow.edges().clear();
  }

  void decide(bool is_all) {
    if (!is_all && !is_check_due()) return;
    const InPhase deciding(session_.lookout, Phase::deciding);
    const auto poll = [this] { session_.lookout.look_up(); };
    std::optional<Finding> found =
        minimal_ ? graph_.check_for_shortest(is_all, session_.lookout) : graph_.check(poll);
    if (found) {
      session_.findings.add(std::move(*found));
      if (!is_all) session_.lookout.finish({});  // otherwise all states have been expanded
    } else if (graph_.wanted_levels() == 0) {
      decided_states_ = states();
    }
    schedule_.have_checked(states());
  }
  std::uint64_t decided_states() const { return decided_states_; }

  // Edges are made again.  Whether the check at the checkpoint was made is not known, so that is
  // made again as well.
  void go_on() {
    const std::vector<Level>& complete = session_.levels.counts().levels;
    if (complete.empty()) return;
    for (std::uint64_t depth = 0; depth < complete.size(); ++depth) {
      make_edges(depth);
      add_steps();
    }
    schedule_.repeat(complete, UINT64_MAX);
    decided_states_ = session_.levels.counts().states;
    decide(session_.levels.level_states() == 0);
  }

 private:
  static constexpr std::uint64_t kBetweenLooks = 64;  // rows

  // Of a level whose states have been expanded.
  void make_edges(std::uint64_t depth) {
    const Expanders::InModel in_model(session_.expanders);
    const std::span<const RowPool::Segment> rows = visited_.level(depth);
    std::atomic<std::size_t> next{0};
    crew_.each([&](unsigned thread) {
      session_.expanders[thread].repeated().want_marks(session_.model.acceptance().marks_steps());
      for (std::size_t i; (i = next.fetch_add(1)) < rows.size();)
        for (std::uint64_t row = 0; row < rows[i].count; ++row) {
          if (row % kBetweenLooks == 0) session_.lookout.look_up(thread);
          make_edges(rows[i].first + row, thread);
        }
    });
  }

  void make_edges(std::uint64_t row, unsigned thread) {
    const State state = visited_.row(row, thread);
    Successors& out = session_.expanders[thread].repeated();
    out.clear();
    session_.expanders[thread].again(state);
    const States made = out.states();
    KeepEdges& follow = follows_[thread];
    follow.expanded(row, state, 0, made.size());
    follow.settled(
        made, [&](std::size_t i) { return out.mark(i); },
        [&](std::size_t i) { return visited_.number_of(made[i].data(), thread); });
    follow.forget();
  }

  bool is_check_due() const {
    if (const std::uint64_t wanted = graph_.wanted_levels(); wanted != 0)
      return graph_.levels() >= wanted;
    return std::ranges::any_of(follows_, &KeepEdges::has_loop) || schedule_.is_due(states());
  }
  std::uint64_t states() const { return session_.levels.states_so_far(); }

  Session& session_;
  Crew& crew_;
  PackedSet& visited_;
  CheckSchedule schedule_;
  const bool minimal_;
  LevelGraph graph_;
  std::vector<KeepEdges> follows_;  // of each thread
  std::uint64_t decided_states_ = 0;
};

using RamCycles = RamSearch<PackedSet, LookForCycles>;

}  // namespace

std::unique_ptr<InterruptibleSearch> make_interruptible_ram_cycles(
    const SearchContext& context, const RamCyclesSettings& settings) {
  RamSettings ram = settings.ram;
  ram.runs.most_words = 0;  // sorted runs expand all states twice
  return std::make_unique<RamCycles>(context, ram, true, settings);
}

std::unique_ptr<Search> make_ram_cycles(const SearchContext& context,
                                        const RamCyclesSettings& settings) {
  return std::make_unique<RamCycles>(context, settings.ram, false, settings);
}

std::unique_ptr<Search> make_ram_cycles(const SearchContext& context) {
  return make_ram_cycles(context, RamCyclesSettings{});
}

}  // namespace spillway
