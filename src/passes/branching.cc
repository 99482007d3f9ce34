#include "passes/branching.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/error.h"
#include "passes/trim.h"
#include "storage/runs/team.h"

namespace spillway {
namespace {

constexpr std::uint64_t kPollNodes = 1U << 16;

// Calls visit(node, targets) for all nodes that are wanted, from the last block down, on all
// threads.  Blocks without such nodes are not unpacked.  The first thread calls poll() now and
// then.
template <class Wanted, class Visit>
void each_from_above(const Edges& edges, Crew& crew, const std::function<void()>& poll,
                     const Wanted& wanted, const Visit& visit) {
  std::vector<EdgeBlock> blocks(crew.size());
  share_out(crew, edges.blocks(), crew.size(), [&](unsigned thread, std::size_t k) {
    if (thread == 0) poll();
    const std::size_t i = edges.blocks() - 1 - k;
    EdgeBlock& block = blocks[thread];
    bool unpacked = false;
    for (Node node = edges.end(i); node-- > edges.begin(i);) {
      if (!wanted(node)) continue;
      if (!unpacked) edges.unpack(i, block);
      unpacked = true;
      visit(node, block.targets(node - block.first()));
    }
  });
}

// The sources of the edges between some nodes, by target.
class Reversed {
 public:
  // The edges from nodes of `from`, if wanted(target).
  template <class From, class Wanted>
  Reversed(const Edges& edges, Budget& budget, const From& from, const Wanted& wanted)
      : for_nodes_(budget, (edges.nodes() + 1) * (sizeof(std::uint64_t) + sizeof(std::uint32_t))),
        ends_(edges.nodes() + 1) {
    if (edges.nodes() >= UINT32_MAX) throw Error(Fault::memory, "too many nodes for a worklist");
    each(edges, from, wanted, [&](Node, Node target) { ++ends_[target + 1]; });
    for (Node node = 0; node < edges.nodes(); ++node) ends_[node + 1] += ends_[node];
    for_edges_ = Claim(budget, ends_.back() * sizeof(std::uint32_t));
    sources_.resize(ends_.back());
    each(edges, from, wanted, [&](Node source, Node target) {
      sources_[ends_[target]++] = static_cast<std::uint32_t>(source);
    });
  }

  std::span<const std::uint32_t> sources(Node target) const {
    const std::uint64_t begin = target == 0 ? 0 : ends_[target - 1];
    return {sources_.data() + begin, ends_[target] - begin};
  }

 private:
  template <class From, class Wanted, class Visit>
  void each(const Edges& edges, const From& from, const Wanted& wanted, const Visit& visit) const {
    EdgeBlock block;
    for (std::size_t i = 0; i < edges.blocks(); ++i) {
      edges.unpack(i, block);
      for (std::size_t k = 0; k < block.size(); ++k) {
        if (!from(block.first() + k)) continue;
        for (const Node target : block.targets(k))
          if (wanted(target)) visit(block.first() + k, target);
      }
    }
  }

  Claim for_nodes_, for_edges_;      // the former for a worklist, too
  std::vector<std::uint64_t> ends_;  // of the sources of each target
  std::vector<std::uint32_t> sources_;
};

// Throws Error(memory) if there is too little, also for a block that has to be read: --memory need
// not be raised, because passes do without.
template <class From, class Wanted>
Reversed reversed_edges(const Edges& edges, Budget& budget, const From& from,
                        const Wanted& wanted) {
  try {
    return {edges, budget, from, wanted};
  } catch (const Error& error) {
    if (error.fault() != Fault::usage) throw;
    throw Error(Fault::memory, error.what());
  }
}

// Takes nodes off the list and calls visit(node), which may add some, until none is left.
template <class Visit>
void work_off(std::vector<std::uint32_t>& list, const std::function<void()>& poll,
              const Visit& visit) {
  for (std::uint64_t done = 0; !list.empty(); ++done) {
    if (done % kPollNodes == 0) poll();
    const Node node = list.back();
    list.pop_back();
    visit(node);
  }
}

}  // namespace

void Branching::next(const BitVector& set, BitVector& out) {
  settings_.poll();
  ++counts_.passes;
  each_from_above(
      edges_, crew_, settings_.poll, [](Node) { return true; },
      [&](Node node, std::span<const Node> targets) {
        if (std::ranges::any_of(targets, [&](Node t) { return set.get(t); })) out.set_shared(node);
      });
}

void Branching::until(const BitVector* among, BitVector& set) {
  for (std::uint64_t passes = 0; passes < settings_.most_passes; ++passes)
    if (!join(among, set)) return;
  try {
    join_by_worklist(among, set);
  } catch (const Error& error) {
    if (error.fault() != Fault::memory) throw;
    while (join(among, set)) {
    }
  }
}

// One pass.  False if none has joined.
bool Branching::join(const BitVector* among, BitVector& set) {
  settings_.poll();
  ++counts_.passes;
  std::atomic<bool> joined{false};
  each_from_above(
      edges_, crew_, settings_.poll,
      [&](Node node) { return (among == nullptr || among->get(node)) && !set.get_shared(node); },
      [&](Node node, std::span<const Node> targets) {
        for (std::size_t i = targets.size(); i-- > 0;)
          if (set.get_shared(targets[i])) {
            set.set_shared(node);
            joined.store(true, std::memory_order_relaxed);
            return;
          }
      });
  return joined.load();
}

void Branching::join_by_worklist(const BitVector* among, BitVector& set) {
  const Reversed reversed = reversed_edges(
      edges_, budget_,
      [&](Node node) { return (among == nullptr || among->get(node)) && !set.get(node); },
      [](Node) { return true; });
  ++counts_.worklists;
  std::vector<std::uint32_t> list;
  const auto visit = [&](Node target) {
    for (const std::uint32_t source : reversed.sources(target)) {
      if (set.get(source)) continue;
      set.set(source);
      list.push_back(source);
    }
  };
  for (Node node = set.next(0); node < edges_.nodes(); node = set.next(node + 1)) {
    visit(node);
    work_off(list, settings_.poll, visit);
  }
}

void Branching::always(BitVector& set) {
  TrimCounts counts;
  const auto poll = [this](std::uint64_t) { settings_.poll(); };
  const bool done = trim(edges_, set, budget_, crew_, settings_.most_passes, poll, counts);
  counts_.passes += counts.passes;
  if (done) return;
  try {
    remove_by_worklist(set);
  } catch (const Error& error) {
    if (error.fault() != Fault::memory) throw;
    trim(edges_, set, budget_, crew_, UINT64_MAX, poll, counts);
  }
}

void Branching::remove_by_worklist(BitVector& set) {
  const auto in_set = [&](Node node) { return set.get(node); };
  const Reversed reversed = reversed_edges(edges_, budget_, in_set, in_set);
  const Claim claim(budget_, edges_.nodes() * sizeof(std::uint32_t));
  ++counts_.worklists;
  std::vector<std::uint32_t> targets_left(edges_.nodes());
  for (Node node = 0; node < edges_.nodes(); ++node)
    for (const std::uint32_t source : reversed.sources(node)) ++targets_left[source];
  std::vector<std::uint32_t> list;
  for (Node node = set.next(0); node < edges_.nodes(); node = set.next(node + 1))
    if (targets_left[node] == 0) list.push_back(static_cast<std::uint32_t>(node));
  work_off(list, settings_.poll, [&](Node node) {
    set.reset(node);
    for (const std::uint32_t source : reversed.sources(node))
      if (--targets_left[source] == 0) list.push_back(source);
  });
}

}  // namespace spillway
