#include "passes/least_prefix.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "passes/branching.h"
#include "passes/component_passes.h"
#include "passes/long_cycle.h"
#include "storage/runs/team.h"

namespace spillway {

LeastPrefix::LeastPrefix(const Edges& edges, SetMask wanted, const std::vector<Node>& ends,
                         Budget& budget, Crew& crew, LeastPrefixSettings settings)
    : edges_(edges),
      wanted_(wanted),
      ends_(ends),
      budget_(budget),
      crew_(crew),
      settings_(std::move(settings)),
      set_(edges.make_bits(budget, std::max(edges.nodes(), settings_.targets))) {}

std::optional<std::uint64_t> LeastPrefix::find_levels(std::uint64_t without) {
  if (!has_cycle(ends_.size())) return std::nullopt;
  std::uint64_t with = ends_.size();
  while (with - without > 1) {
    const std::uint64_t middle = without + (with - without) / 2;
    (has_cycle(middle) ? with : without) = middle;
  }
  return with;
}

std::optional<AcceptingCycle> LeastPrefix::find(std::uint64_t without) {
  const std::optional<std::uint64_t> with = find_levels(without);
  if (!with) return std::nullopt;
  has_cycle(*with);
  if (!least_) find_least();
  return AcceptingCycle{*with, *least_, cycle_through(*least_)};
}

std::vector<Node> LeastPrefix::cycle_through(Node node) const {
  try {
    if (settings_.components)
      return shortest_accepting_cycle(edges_, set_, wanted_, settings_.order, node, budget_,
                                      settings_.poll);
  } catch (const Error& error) {
    if (error.fault() != Fault::memory) throw;
  }
  return long_accepting_cycle(edges_, set_, wanted_, settings_.order, node, budget_, crew_,
                              settings_.poll);
}

bool LeastPrefix::has_cycle(std::uint64_t levels) {
  ++checks_;
  least_.reset();
  set_.fill(ends_[levels - 1]);
  if (checks_ == 1) settings_.begin(set_);
  const bool settled = trim(
      edges_, set_, budget_, crew_, settings_.most_passes, [&](std::uint64_t) { after_pass(); },
      counts_);
  if (set_.next(0) == set_.size()) return false;
  if (settled && is_marked_throughout()) return true;
  const Marks marks = marks_in_set();
  if ((marks.all & wanted_) != wanted_) return false;
  if (settled && (marks.common & wanted_) == wanted_) return true;
  try {
    return has_cycle_by_components();
  } catch (const Error& error) {
    if (error.fault() != Fault::memory) throw;
  }
  return has_cycle_by_passes();
}

void LeastPrefix::after_pass() const {
  settings_.poll();
  if (checks_ == 1) settings_.between(set_);
}

LeastPrefix::Marks LeastPrefix::keep_cycles(std::uint64_t levels) {
  set_.fill(ends_[levels - 1]);
  trim(
      edges_, set_, budget_, crew_, settings_.most_passes, [&](std::uint64_t) { settings_.poll(); },
      counts_);
  try {
    if (!settings_.components) throw Error(Fault::memory, "there is no memory for components");
    keep_accepting_components(edges_, set_, wanted_, budget_, settings_.poll);
  } catch (const Error& error) {
    if (error.fault() != Fault::memory) throw;
    if ((marks_in_set().common & wanted_) != wanted_) has_cycle_by_passes();
  }
  return marks_in_set();
}

bool LeastPrefix::has_cycle_by_components() {
  if (!settings_.components) throw Error(Fault::memory, "there is no memory for components");
  least_ =
      least_on_accepting_cycle(edges_, set_, wanted_, settings_.order, budget_, settings_.poll);
  return least_.has_value();
}

void LeastPrefix::find_least() {
  try {
    if (has_cycle_by_components()) return;
  } catch (const Error& error) {
    if (error.fault() != Fault::memory || settings_.order) throw;
  }
  least_ =
      least_on_accepting_cycle_by_passes(edges_, set_, wanted_, budget_, crew_, settings_.poll);
  SPILLWAY_CHECK(least_.has_value());
}

// No set that an accepting cycle is in ever loses it.  If nothing changes any more, a path from any
// node of the set leads to an edge of each set in turn, for ever, so some cycle has them all.
bool LeastPrefix::has_cycle_by_passes() {
  Branching branching(edges_, budget_, crew_, {UINT64_MAX, settings_.poll});
  for (std::uint64_t before = 0; before != set_.count();) {
    before = set_.count();
    trim(
        edges_, set_, budget_, crew_, UINT64_MAX, [&](std::uint64_t) { after_pass(); }, counts_);
    for (int set = 0; wanted_ >> set != 0; ++set) {
      if ((wanted_ >> set & 1) == 0) continue;
      BitVector reaching = edges_.make_bits(budget_, set_.size());
      add_marked(set, reaching);
      branching.until(&set_, reaching);
      set_.keep(reaching);
    }
  }
  return set_.next(0) != set_.size();
}

// The nodes with an edge of the set within set_.
void LeastPrefix::add_marked(int set, BitVector& out) const {
  std::vector<EdgeBlock> blocks(crew_.size());
  share_out(crew_, edges_.blocks(), crew_.size(), [&](unsigned thread, std::size_t i) {
    const Node end = edges_.end(i);
    Node node = set_.next(edges_.begin(i), end);
    if (node >= end || (edges_.all_marks(i) >> set & 1) == 0) return;
    if (thread == 0) settings_.poll();
    EdgeBlock& block = blocks[thread];
    edges_.unpack_with_marks(i, block);
    for (; node < end; node = set_.next(node + 1, end)) {
      const std::span<const Node> targets = block.targets(node - block.first());
      const std::span<const SetMask> marks = block.marks(node - block.first());
      for (std::size_t k = 0; k < targets.size(); ++k)
        if ((marks[k] >> set & 1) != 0 && set_.get(targets[k])) out.set_shared(node);
    }
  });
}

// Whether all edges from nodes of the set are in all sets.  Then every cycle is accepting, and
// there is one.  May say no although it is so: it looks at blocks, not at nodes.
bool LeastPrefix::is_marked_throughout() const {
  for (std::size_t i = 0; i < edges_.blocks(); ++i)
    if ((edges_.common_marks(i) & wanted_) != wanted_ &&
        set_.next(edges_.begin(i), edges_.end(i)) < edges_.end(i))
      return false;
  return true;
}

LeastPrefix::Marks LeastPrefix::marks_in_set() const {
  struct alignas(128) Worker {
    EdgeBlock block;
    Marks found;
  };
  std::vector<Worker> workers(crew_.size());
  share_out(crew_, edges_.blocks(), crew_.size(), [&](unsigned thread, std::size_t i) {
    const Node end = edges_.end(i);
    Node node = set_.next(edges_.begin(i), end);
    if (node >= end) return;
    if (thread == 0) settings_.poll();
    auto& [block, found] = workers[thread];
    edges_.unpack_with_marks(i, block);
    for (; node < end; node = set_.next(node + 1, end)) {
      const std::span<const Node> targets = block.targets(node - block.first());
      for (std::size_t k = 0; k < targets.size(); ++k) {
        if (!set_.get(targets[k])) continue;
        found.common &= block.marks(node - block.first())[k];
        found.all |= block.marks(node - block.first())[k];
      }
    }
  });
  Marks marks;
  for (const Worker& worker : workers) {
    marks.common &= worker.found.common;
    marks.all |= worker.found.all;
  }
  return marks;
}

}  // namespace spillway
