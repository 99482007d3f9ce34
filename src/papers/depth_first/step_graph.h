// The states that a search in any order has met, and the steps between them.
//
// Each state is expanded once, when its steps are first asked for, by whichever thread asks.  Steps
// are kept, 16 bytes for each, so that searches may come back to a state.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/memory/claim.h"
#include "base/process/crew.h"
#include "check/session/session.h"
#include "papers/depth_first/node_array.h"
#include "storage/table/long_row_table.h"

namespace spillway {

using StepNode = std::uint32_t;  // the number of a state

struct MarkedStep {
  StepNode to;
  bool inside;  // an accepting cycle may have it: it stays within a part
  SetMask mark;
};

// Sizes that only tests change.
struct StepGraphSettings {
  std::size_t first_homes = std::size_t{1} << 14;    // buckets the table begins with
  std::size_t chunk_bytes = std::size_t{128} << 10;  // of rows
};

class StepGraph {
 public:
  // REQUIRES: all outlive it.
  StepGraph(Session& session, Budget& budget, Crew& crew, const StepGraphSettings& settings);

  // May throw Finished and Error(memory).  REQUIRES: no other thread is at work.
  std::vector<StepNode> initial();

  // Gets the steps of a state ready.  False: all threads have to stop, make_room() has to be
  // called, and then it may be tried again.  Any thread, each with its own number.  May throw
  // Finished and Error(memory).
  bool expand(unsigned worker, StepNode node);
  bool is_crowded() const { return crowded_.load(std::memory_order_relaxed); }
  void interrupt() { crowded_.store(true); }  // lets the other threads stop
  void make_room();
  // REQUIRES: expand() was true.
  std::span<const MarkedStep> steps(StepNode node) {
    const std::vector<MarkedStep>& all = *steps_[node].load(std::memory_order_acquire);
    return all;
  }
  bool is_expanded(StepNode node) {
    const Steps* const steps = steps_[node].load(std::memory_order_acquire);
    return steps != nullptr && steps != &busy_;
  }

  State row(StepNode node) const { return pool_.row(node); }
  std::uint64_t most_nodes() const { return most_nodes_; }
  std::uint64_t stored() const;  // REQUIRES: no thread is at work
  void each(const std::function<void(State)>& visit) const;

 private:
  using Steps = std::vector<MarkedStep>;
  struct alignas(128) Worker {
    explicit Worker(RowPool& pool) : writer(pool) {}
    RowPool::Writer writer;
    std::vector<std::unique_ptr<Steps>> made;
    std::vector<Claim> claims;
    std::uint64_t unclaimed = 0;  // bytes
    Steps steps;                  // of the state that is being expanded
    std::optional<StepNode> pending;
    std::uint64_t fresh = 0;
  };

  bool insert(unsigned worker);
  bool look_up(Worker& worker, State state, StepNode& node);
  void finish_steps(Worker& worker, StepNode node);
  std::vector<RowPool::Segment> segments() const;

  Session& session_;
  const Acceptance& acceptance_;
  Budget& budget_;
  Crew& crew_;
  RowPool pool_;
  LongRowTable table_;
  const std::uint64_t most_nodes_;
  NodeArray<std::atomic<const Steps*>> steps_;
  Steps busy_;  // stands for those of a state that is being expanded
  std::vector<Worker> workers_;
  std::atomic<bool> crowded_{false};  // the table wants to grow, or all threads are to stop
  std::atomic<bool> full_{false};     // a row could not be inserted
  std::atomic<std::uint64_t> met_{0};
};

}  // namespace spillway
