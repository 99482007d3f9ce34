#include "passes/trim.h"

#include <atomic>
#include <memory>
#include <vector>

#include "base/error.h"

namespace spillway {
namespace {

class Trim {
 public:
  Trim(const Edges& edges, BitVector& set, Budget& budget, Crew& crew)
      : edges_(&edges),
        set_(set),
        witnesses_(budget, edges.nodes()),
        crew_(crew),
        blocks_(crew.size()),
        settled_(edges.blocks()),
        nodes_(set.count()) {}

  // False if it was the last one.
  bool pass() {
    witnesses_.clear();
    for (std::atomic<bool>& block : settled_) block.store(false);
    next_.store(edges_->blocks());
    dirty_.store(false);
    crew_.each([&](unsigned worker) { work(blocks_[worker]); });
    return dirty_.load();
  }

  std::uint64_t edges_seen() const { return seen_.load(); }

  // To be called between two passes.
  void forget_removed() {
    if (edges_->disk_bytes() == 0) return;  // unpacking is cheaper than a copy
    const std::uint64_t left = set_.count();
    if (left > nodes_ / 2) return;
    nodes_ = left;
    try {
      auto rest = std::make_unique<Edges>(Edges::like(*edges_));
      copy_to(*rest);
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
  void copy_to(Edges& rest) {
    std::atomic<std::size_t> next{0};
    crew_.each([&](unsigned worker) {
      EdgeBlock copy;
      std::vector<Rank> targets;
      for (std::size_t i = next++; i < edges_->blocks(); i = next++) {
        if (set_.next(edges_->begin(i), edges_->end(i)) == edges_->end(i)) continue;
        EdgeBlock& block = blocks_[worker];
        edges_->unpack(i, block);
        copy.begin(block.first());
        for (std::size_t k = 0; k < block.size(); ++k) {
          targets.clear();
          if (set_.get(block.first() + k))
            for (const Rank target : block.targets(k))
              if (set_.get(target)) targets.push_back(target);
          copy.add(targets);
        }
        rest.put(i, copy);
      }
    });
    rest.settle();
  }

  void work(EdgeBlock& block) {
    std::uint64_t seen = 0;
    for (std::size_t i = take(); i != kNone; i = take()) {
      if (set_.next(edges_->begin(i), edges_->end(i)) < edges_->end(i)) {
        edges_->unpack(i, block);
        for (std::size_t k = block.size(); k-- > 0;)
          seen += examine(block.first() + k, block.targets(k));
      }
      settled_[i].store(true);
    }
    seen_.fetch_add(seen);
  }

  std::size_t take() {
    std::size_t left = next_.load();
    while (left != 0 && !next_.compare_exchange_weak(left, left - 1)) {
    }
    return left - 1;  // kNone after the last one
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

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  const Edges* edges_;           // the given ones, or rest_
  std::unique_ptr<Edges> rest_;  // those between nodes that were left
  BitVector& set_;
  BitVector witnesses_;
  Crew& crew_;
  std::vector<EdgeBlock> blocks_;           // of each thread
  std::vector<std::atomic<bool>> settled_;  // blocks whose nodes stay or are gone in this pass
  std::atomic<std::size_t> next_{0};        // blocks that are left
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
    if (between) between(passes);
    if (passes != 0) trim.forget_removed();
    again = trim.pass();
    ++counts.passes;
    counts.edges = edges_before + trim.edges_seen();
  }
  return !again;
}

}  // namespace spillway
