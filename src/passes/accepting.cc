#include "passes/accepting.h"

#include <algorithm>
#include <unordered_map>

#include "base/claim.h"
#include "base/error.h"

namespace spillway {
namespace {

using Local = std::uint32_t;  // a node of a small graph

// The part of a graph within a set of nodes, in memory.  Nodes have the numbers of their order.
class SmallGraph {
 public:
  SmallGraph(const Edges& edges, const BitVector& among, Budget& budget,
             const std::function<void()>& poll)
      : edges_(edges), among_(among) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < edges.blocks(); ++i) {
      before_.push_back(static_cast<Local>(count));
      count += among.count(edges.begin(i), edges.end(i));
    }
    if (count >= UINT32_MAX)
      throw Error(Fault::memory, "there are too many states for a graph in memory");
    std::uint64_t within = 0;
    each(
        poll, [&](Rank, Rank) { ++within; }, [](Rank) {});
    claim_ = Claim(budget, count * (sizeof(Rank) + sizeof(std::size_t)) + within * sizeof(Local));
    nodes_.reserve(count);
    begins_.reserve(count + 1);
    targets_.reserve(within);
    begins_.push_back(0);
    each(
        poll, [&](Rank, Rank target) { targets_.push_back(local(target)); },
        [&](Rank node) {
          nodes_.push_back(node);
          begins_.push_back(targets_.size());
        });
  }

  std::size_t size() const { return nodes_.size(); }
  Rank node(Local i) const { return nodes_[i]; }
  std::span<const Local> targets(Local i) const {
    return {targets_.data() + begins_[i], begins_[i + 1] - begins_[i]};
  }

 private:
  // Calls edge(node, target) for each edge within the set, and done(node) after those of a node.
  template <class Edge, class Done>
  void each(const std::function<void()>& poll, Edge edge, Done done) const {
    EdgeBlock block;
    for (std::size_t i = 0; i < edges_.blocks(); ++i) {
      const Rank end = edges_.end(i);
      Rank node = among_.next(edges_.begin(i));
      if (node >= end) continue;
      poll();
      edges_.unpack(i, block);
      for (; node < end; node = among_.next(node + 1)) {
        for (const Rank target : block.targets(node - block.first()))
          if (among_.get(target)) edge(node, target);
        done(node);
      }
    }
  }

  Local local(Rank node) const {
    const std::size_t block = edges_.block_of(node);
    return before_[block] + static_cast<Local>(among_.count(edges_.begin(block), node));
  }

  const Edges& edges_;
  const BitVector& among_;
  Claim claim_;
  std::vector<Local> before_;  // nodes in the blocks before each
  std::vector<Rank> nodes_;
  std::vector<std::size_t> begins_;
  std::vector<Local> targets_;
};

// Strongly connected components, without recursion.
class Components {
 public:
  Components(const SmallGraph& graph, const AcceptanceSets& sets, Budget& budget,
             const std::function<void()>& poll)
      : graph_(graph),
        sets_(sets),
        poll_(poll),
        claim_(budget, graph.size() * (2 * sizeof(Local) + sizeof(Local) + sizeof(Visit))),
        number_(graph.size()),
        low_(graph.size()) {}

  std::optional<Rank> least_on_accepting_cycle() {
    for (Local i = 0; i < graph_.size(); ++i)
      if (number_[i] == 0) visit(i);
    return least_;
  }

 private:
  struct Visit {
    Local node;
    Local next;  // target to look at
  };
  static constexpr Local kDone = UINT32_MAX;  // the number of a node of a finished component

  void begin(Local node) {
    number_[node] = low_[node] = ++count_;
    open_.push_back(node);
    path_.push_back({node, 0});
  }

  void visit(Local root) {
    begin(root);
    while (!path_.empty()) {
      if (++steps_ % (1 << 16) == 0) poll_();
      Visit& top = path_.back();
      const Local node = top.node;
      const std::span<const Local> targets = graph_.targets(node);
      if (top.next < targets.size()) {
        const Local target = targets[top.next++];
        if (number_[target] == 0)
          begin(target);
        else if (number_[target] != kDone)
          low_[node] = std::min(low_[node], number_[target]);
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) low_[path_.back().node] = std::min(low_[path_.back().node], low_[node]);
      if (low_[node] == number_[node]) end(node);
    }
  }

  // The open nodes from `root` on are a component.
  void end(Local root) {
    std::size_t begin = open_.size();
    while (open_[--begin] != root) {
    }
    const bool trivial =
        begin + 1 == open_.size() && !std::ranges::count(graph_.targets(root), root);
    SetMask met = 0;
    Local least = root;
    for (std::size_t i = begin; i < open_.size(); ++i) {
      number_[open_[i]] = kDone;
      if (trivial) continue;
      met |= sets_of(sets_, graph_.node(open_[i]));
      least = std::min(least, open_[i]);
    }
    open_.resize(begin);
    if (trivial || met != all_sets(sets_.size())) return;
    if (!least_ || graph_.node(least) < *least_) least_ = graph_.node(least);
  }

  const SmallGraph& graph_;
  const AcceptanceSets& sets_;
  const std::function<void()>& poll_;
  Claim claim_;
  std::vector<Local> number_, low_;  // in the order of visits; 0: not visited
  std::vector<Local> open_;
  std::vector<Visit> path_;
  Local count_ = 0;
  std::uint64_t steps_ = 0;
  std::optional<Rank> least_;
};

}  // namespace

SetMask sets_of(const AcceptanceSets& sets, Rank node) {
  SetMask mask = 0;
  for (std::size_t i = 0; i < sets.size(); ++i)
    if (sets[i].get(node)) mask |= SetMask{1} << i;
  return mask;
}

std::optional<Rank> least_on_accepting_cycle(const Edges& edges, const BitVector& among,
                                             const AcceptanceSets& sets, Budget& budget,
                                             const std::function<void()>& poll) {
  const SmallGraph graph(edges, among, budget, poll);
  return Components(graph, sets, budget, poll).least_on_accepting_cycle();
}

std::vector<Rank> shortest_accepting_cycle(const Edges& edges, const BitVector& among,
                                           const AcceptanceSets& sets, Rank node, Budget& budget,
                                           const std::function<void()>& poll) {
  // Breadth-first over nodes and the sets met so far.  Paths come in the order of sequences, so the
  // first one to a pair is the least of the shortest ones.
  struct Visit {
    Rank node;
    SetMask met;
    std::size_t before;
  };
  constexpr std::size_t kBytes = sizeof(Visit) + 48;  // with its entry in `known`
  constexpr std::size_t kStart = SIZE_MAX;
  const SetMask all = all_sets(sets.size());
  std::vector<Claim> claims;
  std::vector<Visit> visits;
  std::unordered_map<std::uint64_t, bool> known;
  EdgeBlock block;
  std::optional<std::size_t> unpacked;
  const auto look_at = [&](Rank from, SetMask met, std::size_t before) {
    if (!unpacked || *unpacked != edges.block_of(from)) {
      unpacked = edges.block_of(from);
      edges.unpack(*unpacked, block);
    }
    for (const Rank target : block.targets(from - block.first())) {
      if (!among.get(target)) continue;
      const SetMask now = met | sets_of(sets, target);
      if (target == node && now == all) {
        visits.push_back({target, now, before});
        return true;
      }
      if (!known.emplace(target << sets.size() | now, true).second) continue;
      if (visits.size() % 1024 == 0) {
        claims.emplace_back(budget, 1024 * kBytes);
        poll();
      }
      visits.push_back({target, now, before});
    }
    return false;
  };
  bool found = look_at(node, 0, kStart);
  for (std::size_t i = 0; !found; ++i) {
    if (i == visits.size())
      throw Error(Fault::internal, "internal error: a state is on no accepting cycle");
    found = look_at(visits[i].node, visits[i].met, i);
  }
  std::vector<Rank> cycle;
  for (std::size_t i = visits.size() - 1; i != kStart; i = visits[i].before)
    cycle.push_back(visits[i].node);
  std::ranges::reverse(cycle);
  return cycle;
}

}  // namespace spillway
