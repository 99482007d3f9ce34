#include "passes/lane_search.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace spillway {
namespace {

// Lanes whose combination has set number i.
constexpr std::uint64_t kWithSet[MetSets::kMost] = {0xaaaaaaaaaaaaaaaaU, 0xccccccccccccccccU,
                                                    0xf0f0f0f0f0f0f0f0U, 0xff00ff00ff00ff00U,
                                                    0xffff0000ffff0000U, 0xffffffff00000000U};

}  // namespace

MetSets::MetSets(SetMask told_apart) {
  SPILLWAY_CHECK(std::popcount(told_apart) <= kMost);
  for (int set = 0; set < static_cast<int>(kMostSets); ++set)
    if ((told_apart >> set & 1) != 0) sets_.push_back(set);
}

unsigned MetSets::of(SetMask mark) const {
  unsigned met = 0;
  for (std::size_t i = 0; i < sets_.size(); ++i)
    met |= static_cast<unsigned>(mark >> sets_[i] & 1) << i;
  return met;
}

std::uint64_t MetSets::moved(std::uint64_t lanes, unsigned met) const {
  for (unsigned i = 0; met >> i != 0; ++i)
    if ((met >> i & 1) != 0) lanes = (lanes & kWithSet[i]) | (lanes & ~kWithSet[i]) << (1U << i);
  return lanes;
}

LaneSearch::LaneSearch(const Ground& ground, const MetSets& sets, unsigned groups, Budget& budget,
                       Crew& crew, const std::function<void()>& poll)
    : ground_(ground),
      sets_(sets),
      groups_(groups),
      crew_(crew),
      poll_(poll),
      met_(budget, ground.nodes, groups * sets.combinations()),
      last_(budget, ground.nodes, groups * sets.combinations()),
      next_(budget, ground.nodes, groups * sets.combinations()),
      touched_(chunk(ground.nodes) + 1),
      active_(touched_.size()),
      reached_(touched_.size()),
      blocks_(crew.size()) {}

void LaneSearch::clear() {
  for (std::uint64_t i = 0; i < touched_.size(); ++i) {
    if (touched_[i].exchange(false)) met_.clear_chunk(i);
    if (active_[i].exchange(false)) last_.clear_chunk(i);
    if (reached_[i].exchange(false)) next_.clear_chunk(i);  // of a step that was abandoned
  }
  active_chunks_ = 0;
}

void LaneSearch::begin_at(Node node, unsigned group) {
  last_.add(node, std::uint64_t{1} << group * sets_.combinations());
  if (!active_[chunk(node)].exchange(true)) ++active_chunks_;
}

bool LaneSearch::is_active(std::size_t block) const {
  const Node end = std::min(ground_.edges.end(block), ground_.nodes);
  for (std::uint64_t i = chunk(ground_.edges.begin(block)); i * Lanes::kChunkNodes < end; ++i)
    if (active_[i].load(std::memory_order_relaxed)) return true;
  return false;
}

// Waking threads does not pay for little work.
void LaneSearch::in_parallel(const std::function<void(unsigned)>& work) {
  if (active_chunks_ > 1)
    crew_.each(work);
  else
    work(0);
}

bool LaneSearch::step(Node floor) {
  poll_();
  taken_.store(0);
  abandoned_.store(false);
  in_parallel([&](unsigned worker) { expand_blocks(worker, floor); });
  settle_chunks();
  return active_chunks_ != 0;
}

void LaneSearch::expand_blocks(unsigned worker, Node floor) {
  try {
    for (std::size_t i = taken_++; i < ground_.edges.blocks() && !abandoned_.load(); i = taken_++) {
      if (ground_.edges.begin(i) >= ground_.nodes) return;
      if (!is_active(i)) continue;
      if (worker == 0) poll_();
      expand(i, blocks_[worker], floor);
    }
  } catch (...) {
    abandoned_.store(true);
    throw;
  }
}

void LaneSearch::expand(std::size_t block, EdgeBlock& unpacked, Node floor) {
  const Node end = std::min(ground_.edges.end(block), ground_.nodes);
  Node node = last_.next(ground_.edges.begin(block), end);
  if (node == end) return;
  const bool with_marks = sets_.combinations() > 1;
  if (with_marks)
    ground_.edges.unpack_with_marks(block, unpacked);
  else
    ground_.edges.unpack(block, unpacked);
  for (; node < end; node = last_.next(node + 1, end)) {
    const std::uint64_t lanes = last_.get(node);
    const std::span<const Node> targets = unpacked.targets(node - unpacked.first());
    for (std::size_t k = 0; k < targets.size(); ++k) {
      const Node target = targets[k];
      if (target < floor || !ground_.among.get(target)) continue;
      std::uint64_t moved = lanes;
      if (with_marks)
        moved = sets_.moved(lanes, sets_.of(unpacked.marks(node - unpacked.first())[k]));
      moved &= ~met_.get(target);
      if (moved == 0) continue;
      next_.add_shared(target, moved);
      reached_[chunk(target)].store(true, std::memory_order_relaxed);
    }
  }
}

// What was reached is what will be expanded next.
void LaneSearch::settle_chunks() {
  taken_.store(0);
  in_parallel([&](unsigned) {
    for (std::size_t i = taken_++; i < touched_.size(); i = taken_++) {
      if (active_[i].exchange(false)) last_.clear_chunk(i);
      if (!reached_[i].load()) continue;
      met_.add_chunk(next_, i);
      touched_[i].store(true);
    }
  });
  std::swap(last_, next_);
  std::swap(active_, reached_);
  active_chunks_ = static_cast<std::size_t>(
      std::ranges::count_if(active_, [](const std::atomic<bool>& flag) { return flag.load(); }));
}

void LaneSearch::each_of_last(const std::function<void(Node, std::uint64_t)>& visit) const {
  for (std::uint64_t i = 0; i < active_.size(); ++i) {
    if (!active_[i].load()) continue;
    const Node end = std::min((i + 1) * Lanes::kChunkNodes, ground_.nodes);
    for (Node node = last_.next(i * Lanes::kChunkNodes, end); node < end;
         node = last_.next(node + 1, end))
      visit(node, last_.get(node));
  }
}

}  // namespace spillway
