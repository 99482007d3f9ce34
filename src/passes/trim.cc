#include "passes/trim.h"

#include <atomic>
#include <memory>
#include <vector>

#include "base/error.h"
#include "storage/runs/team.h"

namespace spillway {
namespace {

class Trim {
 public:
  Trim(const Edges& edges, BitVector& set, Budget& budget, Crew& crew)
      : edges_(&edges),
        set_(set),
        witnesses_(edges.make_bits(budget, edges.nodes())),
        crew_(crew),
        blocks_(crew.size()),
        settled_(edges.blocks()),
        nodes_(set.count()) {}

  // False if it was the last one.  The first thread calls poll() now and then.
  template <class Poll>
  bool pass(const Poll& poll) {
    witnesses_.clear();
    for (std::atomic<bool>& block : settled_) block.store(false);
    dirty_.store(false);
    share_out(crew_, edges_->blocks(), crew_.size(), [&](unsigned worker, std::size_t i) {
      if (worker == 0) poll();
      look_at(edges_->blocks() - 1 - i, blocks_[worker]);
    });
    return dirty_.load();
  }

  std::uint64_t edges_seen() const { return seen_.load(); }

  // To be called between two passes.
  template <class Poll>
  void forget_removed(const Poll& poll) {
    if (edges_->disk_bytes() == 0) return;  // unpacking is cheaper than a copy
    const std::uint64_t left = set_.count();
    if (left > nodes_ / 2) return;
    nodes_ = left;
    try {
      auto rest = std::make_unique<Edges>(Edges::like(*edges_));
      copy_to(*rest, poll);
      for (EdgeBlock& block : blocks_) block = {};  // they may read a file of the former one
      rest_ = std::move(rest);
      edges_ = rest_.get();
    } catch (const Error& error) {
      if (error.fault() != Fault::memory && error.fault() != Fault::usage) throw;
      nodes_ = 0;  // never again
    }
  }

 private:
  // The edges between nodes of the set.
  template <class Poll>
  void copy_to(Edges& rest, const Poll& poll) {
    std::vector<EdgeBlock> copies(crew_.size());
    share_out(crew_, edges_->blocks(), crew_.size(), [&](unsigned worker, std::size_t i) {
      if (set_.next(edges_->begin(i), edges_->end(i)) == edges_->end(i)) return;
      if (worker == 0) poll();
      edges_->unpack(i, blocks_[worker]);
      copy(blocks_[worker], copies[worker]);
      rest.put(i, copies[worker]);
    });
    rest.settle();
  }

  void copy(const EdgeBlock& block, EdgeBlock& to) const {
    std::vector<Rank> targets;
    to.begin(block.first());
    for (std::size_t k = 0; k < block.size(); ++k) {
      targets.clear();
      if (set_.get(block.first() + k))
        for (const Rank target : block.targets(k))
          if (set_.get(target)) targets.push_back(target);
      to.add(targets);
    }
  }

  void look_at(std::size_t i, EdgeBlock& block) {
    if (set_.next(edges_->begin(i), edges_->end(i)) < edges_->end(i)) {
      edges_->unpack(i, block);
      std::uint64_t seen = 0;
      for (std::size_t k = block.size(); k-- > 0;)
        seen += examine(block.first() + k, block.targets(k));
      seen_.fetch_add(seen);
    }
    settled_[i].store(true);
  }

  // Returns the number of targets looked at.
  std::uint64_t examine(Rank node, std::span<const Rank> targets) {
    if (!set_.get_shared(node)) return 0;
    for (std::size_t i = targets.size(); i-- > 0;)
      if (is_witness(targets[i], node)) return targets.size() - i;
    set_.reset_shared(node);
    if (witnesses_.get_shared(node)) dirty_.store(true);
    return targets.size();
  }

  // A node that is removed looks for its mark afterwards, and a node that is marked is looked at
  // afterwards: of two threads, one sees what the other one has done.
  bool is_witness(Rank target, Rank node) {
    if (!set_.get_shared(target)) return false;
    const bool settled = target > node && (edges_->block_of(target) == edges_->block_of(node) ||
                                           settled_[edges_->block_of(target)].load());
    if (settled) return set_.get_shared(target);
    witnesses_.set_shared(target);
    return set_.get_shared(target);
  }

  const Edges* edges_;           // the given ones, or rest_
  std::unique_ptr<Edges> rest_;  // those between nodes that were left
  BitVector& set_;
  BitVector witnesses_;
  Crew& crew_;
  std::vector<EdgeBlock> blocks_;           // of each thread
  std::vector<std::atomic<bool>> settled_;  // blocks whose nodes stay or are gone in this pass
  std::atomic<std::uint64_t> seen_{0};
  std::atomic<bool> dirty_{false};
  std::uint64_t nodes_;  // in the set when edges were copied
};

}  // namespace

bool trim(const Edges& edges, BitVector& set, Budget& budget, Crew& crew, std::uint64_t most_passes,
          const std::function<void(std::uint64_t passes)>& between, TrimCounts& counts) {
  Trim trim(edges, set, budget, crew);
  const std::uint64_t edges_before = counts.edges;
  bool again = true;
  for (std::uint64_t passes = 0; again && passes < most_passes; ++passes) {
    const auto poll = [&] {
      if (between) between(passes);
    };
    poll();
    if (passes != 0) trim.forget_removed(poll);
    again = trim.pass(poll);
    ++counts.passes;
    counts.edges = edges_before + trim.edges_seen();
  }
  return !again;
}

}  // namespace spillway
