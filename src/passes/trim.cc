#include "passes/trim.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "base/error.h"
#include "storage/runs/team.h"

namespace spillway {
namespace {

// The nodes that are looked at before the ranks tell each other which are gone: those of a level.
// Levels that are in one block are looked at together, since one rank has that block.
std::vector<Node> ends_of_ranges(const Edges& edges, std::span<const Node> ends) {
  std::vector<Node> found;
  Node begin = 0;  // of the last range
  for (const Node end : ends) {
    const Node last = found.empty() ? 0 : found.back();
    if (end == last) continue;
    if (!found.empty() && edges.block_of(begin) == edges.block_of(end - 1)) {
      found.back() = end;
      continue;
    }
    begin = last;
    found.push_back(end);
  }
  return found;
}

class Trim {
 public:
  // `share`: nullptr if there are no other ranks.
  Trim(const Edges& edges, BitVector& set, std::span<const Node> ends, TrimShare* share,
       Budget& budget, Crew& crew)
      : edges_(&edges),
        set_(set),
        ends_(ends_of_ranges(edges, ends)),
        share_(share),
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
    for (std::size_t i = ends_.size(); i-- > 0;)
      look_at_range(i == 0 ? 0 : ends_[i - 1], ends_[i], poll);
    return share_ != nullptr ? share_->any(dirty_.load()) : dirty_.load();
  }

  std::uint64_t edges_seen() const { return seen_.load(); }
  std::uint64_t nodes_left() const { return set_.count(); }

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
      if (!is_here(i) || set_.next(edges_->begin(i), edges_->end(i)) == edges_->end(i)) return;
      if (worker == 0) poll();
      edges_->unpack(i, blocks_[worker]);
      copies[worker].copy_within(set_, blocks_[worker]);
      rest.put(i, copies[worker]);
    });
    rest.settle();
  }

  bool is_here(std::size_t block) const { return share_ == nullptr || share_->is_here(block); }

  // A range without nodes of the set is passed over, on all ranks.
  template <class Poll>
  void look_at_range(Node first, Node end, const Poll& poll) {
    if (set_.next(first, end) == end) return;
    settled_from_ = end;
    if (share_ != nullptr) share_->begin(first, end, [this](Node node) { note_gone(node); });
    const std::size_t last = edges_->block_of(end - 1);
    const std::size_t count = last - edges_->block_of(first) + 1;
    share_out(crew_, count, std::min<std::size_t>(count, crew_.size()),
              [&](unsigned worker, std::size_t i) {
                if (worker == 0) poll();
                if (is_here(last - i)) look_at(worker, last - i, first, end);
              });
    if (share_ != nullptr) share_->finish();
  }

  // The nodes of a block that are in a range.
  void look_at(unsigned worker, std::size_t i, Node first, Node end) {
    first = std::max(first, edges_->begin(i));
    end = std::min(end, edges_->end(i));
    if (set_.next(first, end) < end) {
      EdgeBlock& block = blocks_[worker];
      edges_->unpack(i, block);
      std::uint64_t seen = 0;
      for (Node node = end; node-- > first;)
        seen += examine(worker, node, block.targets(node - block.first()));
      seen_.fetch_add(seen);
    }
    if (first == edges_->begin(i)) settled_[i].store(true);
  }

  // Returns the number of targets looked at.
  std::uint64_t examine(unsigned worker, Node node, std::span<const Node> targets) {
    if (!set_.get_shared(node)) return 0;
    for (std::size_t i = targets.size(); i-- > 0;)
      if (is_witness(targets[i], node)) return targets.size() - i;
    note_gone(node);
    if (share_ != nullptr) share_->tell(worker, node);
    return targets.size();
  }

  void note_gone(Node node) {
    set_.reset_shared(node);
    if (witnesses_.get_shared(node)) dirty_.store(true);
  }

  // A node that is removed looks for its mark afterwards, and a node that is marked is looked at
  // afterwards: of two threads, one sees what the other one has done.
  bool is_witness(Node target, Node node) {
    if (!set_.get_shared(target)) return false;
    const bool settled = target > node && (target >= settled_from_ ||
                                           edges_->block_of(target) == edges_->block_of(node) ||
                                           settled_[edges_->block_of(target)].load());
    if (settled) return set_.get_shared(target);
    witnesses_.set_shared(target);
    return set_.get_shared(target);
  }

  const Edges* edges_;           // the given ones, or rest_
  std::unique_ptr<Edges> rest_;  // those between nodes that were left
  BitVector& set_;
  const std::vector<Node> ends_;  // of the ranges that a pass looks at one after the other
  TrimShare* const share_;
  Node settled_from_ = 0;  // nodes from here on stay or are gone in this pass, on any rank
  BitVector witnesses_;
  Crew& crew_;
  std::vector<EdgeBlock> blocks_;           // of each thread
  std::vector<std::atomic<bool>> settled_;  // blocks whose nodes stay or are gone in this pass
  std::atomic<std::uint64_t> seen_{0};
  std::atomic<bool> dirty_{false};
  std::uint64_t nodes_;  // in the set when edges were copied
};

bool repeat_passes(Trim& trim, std::uint64_t most_passes, std::uint64_t least_nodes,
                   const std::function<void(std::uint64_t passes)>& between, TrimCounts& counts) {
  const std::uint64_t edges_before = counts.edges;
  bool again = true;
  for (std::uint64_t passes = 0; again && passes < most_passes; ++passes) {
    const auto poll = [&] {
      if (between) between(passes);
    };
    poll();
    if (least_nodes != 0 && trim.nodes_left() < least_nodes) break;
    if (passes != 0) trim.forget_removed(poll);
    again = trim.pass(poll);
    ++counts.passes;
    counts.edges = edges_before + trim.edges_seen();
  }
  return !again;
}

}  // namespace

bool trim(const Edges& edges, BitVector& set, Budget& budget, Crew& crew, std::uint64_t most_passes,
          const std::function<void(std::uint64_t passes)>& between, TrimCounts& counts) {
  const Node end = edges.nodes();
  Trim alone(edges, set, {&end, 1}, nullptr, budget, crew);
  return repeat_passes(alone, most_passes, 0, between, counts);
}

bool trim_together(const Edges& edges, BitVector& set, const TrimTogether& how, Budget& budget,
                   Crew& crew, const std::function<void(std::uint64_t passes)>& between,
                   TrimCounts& counts) {
  Trim together(edges, set, how.ends, &how.share, budget, crew);
  return repeat_passes(together, how.most_passes, how.least_nodes, between, counts);
}

}  // namespace spillway
