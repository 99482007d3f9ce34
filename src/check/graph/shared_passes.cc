#include "check/graph/shared_passes.h"

#include <atomic>
#include <utility>

#include "base/error.h"
#include "storage/runs/team.h"

namespace spillway {

void SharedPasses::trim(BitVector& set, std::uint64_t most_passes,
                        const std::function<void()>& poll) {
  TrimCounts counts;
  trim_together(
      states_.edges(), set, {states_.ends(), *this, most_passes, states_.least_apart()}, budget_,
      crew_, [&](std::uint64_t) { poll(); }, counts);
}

// What is gone belongs to the nodes that are being looked at: others might be settled already.
void SharedPasses::begin(Node first, Node end, Gone gone) {
  EdgePost::Arrivals arrivals;
  arrivals.removed = [first, gone = std::move(gone)](Node node) {
    if (node < first)
      throw Error(Fault::integrity, "another rank has removed a state before its turn");
    gone(node);
  };
  states_.post().begin(end, std::move(arrivals));
}

// Blocks of other ranks that have nodes of the set.
std::size_t SharedPasses::wanted_from_others(const BitVector& set) const {
  const Edges& edges = states_.edges();
  std::size_t count = 0;
  for (std::size_t i = 0; i < edges.blocks(); ++i)
    count += !is_here(i) && set.next(edges.begin(i), edges.end(i)) != edges.end(i) ? 1 : 0;
  return count;
}

// A block that did not come would have no edges.
Edges SharedPasses::edges_within(const BitVector& set, const std::function<void()>& poll) {
  const Edges& edges = states_.edges();
  Edges within = Edges::like(edges);
  std::atomic<std::size_t> arrived{0};
  EdgePost::Arrivals arrivals;
  arrivals.block = [&](std::size_t block, const PackedEdges& packed) {
    within.put_checked(block, packed, states_.targets());
    ++arrived;
  };
  struct Worker {
    EdgeBlock all, kept;
  };
  std::vector<Worker> workers(crew_.size());
  EdgePost& post = states_.post();
  post.begin(states_.targets(), std::move(arrivals));
  share_out(crew_, edges.blocks(), crew_.size(), [&](unsigned thread, std::size_t i) {
    if (!is_here(i) || set.next(edges.begin(i), edges.end(i)) == edges.end(i)) return;
    if (thread == 0) poll();
    auto& [all, kept] = workers[thread];
    edges.unpack_with_marks(i, all);
    kept.copy_within(set, all);
    const PackedEdges packed = within.packed(i, kept);
    post.send_block(thread, i, packed);
    within.put(i, packed);
  });
  post.finish();
  within.settle();
  SPILLWAY_CHECK(arrived == wanted_from_others(set));
  return within;
}

}  // namespace spillway
