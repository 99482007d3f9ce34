#include "passes/accepting.h"

#include <algorithm>
#include <bit>
#include <unordered_set>

#include "base/error.h"
#include "base/memory/claim.h"

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
    SetMask common = ~SetMask{0};
    for (std::size_t i = 0; i < edges.blocks(); ++i) {
      before_.push_back(static_cast<Local>(count));
      const std::uint64_t here = among.count(edges.begin(i), edges.end(i));
      if (here == 0) continue;
      count += here;
      common &= edges.common_marks(i);
      all_marks_ |= edges.all_marks(i);
    }
    if (count >= UINT32_MAX)
      throw Error(Fault::memory, "there are too many states for a graph in memory");
    marks_differ_ = common != all_marks_;
    fill(count, budget, poll);
  }

  std::size_t size() const { return nodes_.size(); }
  Node node(Local i) const { return nodes_[i]; }
  std::span<const Local> targets(Local i) const {
    return {targets_.data() + begins_[i], begins_[i + 1] - begins_[i]};
  }
  SetMask mark(Local i, std::size_t edge) const {
    return marks_differ_ ? marks_[begins_[i] + edge] : all_marks_;
  }

 private:
  void fill(std::uint64_t count, Budget& budget, const std::function<void()>& poll) {
    std::uint64_t within = 0;
    each(
        poll, [&](Node, SetMask) { ++within; }, [](Node) {});
    const std::size_t edge_bytes = sizeof(Local) + (marks_differ_ ? sizeof(SetMask) : 0);
    claim_ = Claim(budget, count * (sizeof(Node) + sizeof(std::size_t)) + within * edge_bytes);
    nodes_.reserve(count);
    begins_.reserve(count + 1);
    targets_.reserve(within);
    if (marks_differ_) marks_.reserve(within);
    begins_.push_back(0);
    each(
        poll,
        [&](Node target, SetMask mark) {
          targets_.push_back(local(target));
          if (marks_differ_) marks_.push_back(mark);
        },
        [&](Node node) {
          nodes_.push_back(node);
          begins_.push_back(targets_.size());
        });
  }

  // Calls edge(target, mark) for each edge within the set, and done(node) after those of a node.
  template <class Edge, class Done>
  void each(const std::function<void()>& poll, Edge edge, Done done) const {
    EdgeBlock block;
    for (std::size_t i = 0; i < edges_.blocks(); ++i) {
      const Node end = edges_.end(i);
      Node node = among_.next(edges_.begin(i), end);
      if (node >= end) continue;
      poll();
      edges_.unpack_with_marks(i, block);
      for (; node < end; node = among_.next(node + 1, end)) {
        const std::span<const Node> targets = block.targets(node - block.first());
        const std::span<const SetMask> marks = block.marks(node - block.first());
        for (std::size_t k = 0; k < targets.size(); ++k)
          if (among_.get(targets[k])) edge(targets[k], marks[k]);
        done(node);
      }
    }
  }

  Local local(Node node) const {
    const std::size_t block = edges_.block_of(node);
    return before_[block] + static_cast<Local>(among_.count(edges_.begin(block), node));
  }

  const Edges& edges_;
  const BitVector& among_;
  SetMask all_marks_ = 0;
  bool marks_differ_ = false;
  Claim claim_;
  std::vector<Local> before_;  // nodes in the blocks before each
  std::vector<Node> nodes_;
  std::vector<std::size_t> begins_;
  std::vector<Local> targets_;
  std::vector<SetMask> marks_;  // of each target, if they differ
};

// Strongly connected components, without recursion.
class Components {
 public:
  Components(const SmallGraph& graph, SetMask wanted, const NodeOrder& order, Budget& budget,
             const std::function<void()>& poll)
      : graph_(graph),
        wanted_(wanted),
        order_(order),
        poll_(poll),
        claim_(budget, graph.size() * (4 * sizeof(Local) + sizeof(Visit))),
        number_(graph.size()),
        low_(graph.size()) {}

  // Calls visit(nodes) for all accepting components.
  void each(const std::function<void(std::span<const Local>)>& visit) {
    visit_ = visit;
    find();
  }
  // The accepting component with the least node, or none.
  const std::vector<Local>& find() {
    for (Local i = 0; i < graph_.size(); ++i)
      if (number_[i] == 0) visit(i);
    return best_;
  }
  Local least() const { return best_least_; }  // of that component

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
    const std::span<const Local> nodes{open_.data() + begin, open_.size() - begin};
    if (is_accepting(nodes, number_[root])) note(nodes);
    for (const Local node : nodes) number_[node] = kDone;
    open_.resize(begin);
  }

  // An accepting component.
  void note(std::span<const Local> nodes) {
    if (visit_) return visit_(nodes);
    const auto before = [this](Local a, Local b) {
      return order_ ? order_(graph_.node(a), graph_.node(b)) : a < b;
    };
    const Local least = *std::ranges::min_element(nodes, before);
    if (!best_.empty() && !before(least, best_least_)) return;
    best_.assign(nodes.begin(), nodes.end());
    best_least_ = least;
  }

  // `first`: the least number in the component.  Open nodes with larger ones are in it, too.
  bool is_accepting(std::span<const Local> nodes, Local first) const {
    SetMask met = 0;
    bool cycle = false;
    for (const Local node : nodes) {
      const std::span<const Local> targets = graph_.targets(node);
      for (std::size_t k = 0; k < targets.size(); ++k) {
        if (number_[targets[k]] == kDone || number_[targets[k]] < first) continue;
        cycle = true;
        met |= graph_.mark(node, k);
        if ((met & wanted_) == wanted_) return true;
      }
    }
    return cycle && (met & wanted_) == wanted_;
  }

  const SmallGraph& graph_;
  const SetMask wanted_;
  const NodeOrder& order_;
  const std::function<void()>& poll_;
  Claim claim_;
  std::vector<Local> number_, low_;  // in the order of visits; 0: not visited
  std::vector<Local> open_;
  std::vector<Visit> path_;
  Local count_ = 0;
  std::uint64_t steps_ = 0;
  std::vector<Local> best_;
  Local best_least_ = 0;
  std::function<void(std::span<const Local>)> visit_;
};

// Ways from node to node within a component, breadth-first over nodes and the sets met.  Ways come
// in the order of sequences, so the first one to a pair is the least of the shortest ones.
class Ways {
 public:
  Ways(const Edges& edges, const BitVector& component, const NodeOrder& order, Budget& budget,
       const std::function<void()>& poll)
      : edges_(edges), component_(component), order_(order), budget_(budget), poll_(poll) {}

  // Where a way has come to, and what it has met.
  struct NodeAndMet {
    Node node;
    SetMask met;
    bool operator==(const NodeAndMet&) const = default;
  };

  // The shortest way from `from` to the first place where `is_end` holds, added to `way`.  Sets
  // outside of `counted` are not told apart.  Returns that place.
  template <class IsEnd>
  NodeAndMet go(NodeAndMet from, SetMask counted, IsEnd is_end, std::vector<Node>& way) {
    visits_.clear();
    known_.clear();
    claims_.clear();
    std::optional<NodeAndMet> found = look_at(from, kStart, counted, is_end);
    for (std::size_t i = 0; !found; ++i) {
      if (i == visits_.size())
        throw Error(Fault::internal, "internal error: a state is on no accepting cycle");
      found = look_at(visits_[i].place, i, counted, is_end);
    }
    const std::size_t length = way.size();
    for (std::size_t i = visits_.size() - 1; i != kStart; i = visits_[i].before)
      way.push_back(visits_[i].place.node);
    std::reverse(way.begin() + static_cast<std::ptrdiff_t>(length), way.end());
    return *found;
  }

 private:
  struct Visit {
    NodeAndMet place;
    std::size_t before;
  };
  struct Hash {
    std::size_t operator()(const NodeAndMet& place) const {
      return (place.node ^ place.met * 0x9e3779b97f4a7c15U) * 0xff51afd7ed558ccdU;
    }
  };
  static constexpr std::size_t kStart = SIZE_MAX;
  static constexpr std::size_t kClaimed = 1024;
  static constexpr std::size_t kBytes = sizeof(Visit) + 48;  // with its entry in `known_`

  template <class IsEnd>
  std::optional<NodeAndMet> look_at(NodeAndMet from, std::size_t before, SetMask counted,
                                    IsEnd is_end) {
    if (unpacked_ != edges_.block_of(from.node)) {
      unpacked_ = edges_.block_of(from.node);
      edges_.unpack_with_marks(*unpacked_, block_);
    }
    list_targets(from);
    for (const NodeAndMet& next : targets_) {
      const bool ends = is_end(next);
      if (!ends && !known_.insert({next.node, next.met & counted}).second) continue;
      if (visits_.size() % kClaimed == 0) {
        claims_.emplace_back(budget_, kClaimed * kBytes);
        poll_();
      }
      visits_.push_back({next, before});
      if (ends) return next;
    }
    return std::nullopt;
  }

  // Where a step leads from a place, in order.
  void list_targets(NodeAndMet from) {
    const std::size_t index = from.node - block_.first();
    targets_.clear();
    for (std::size_t k = 0; k < block_.targets(index).size(); ++k)
      if (const Node target = block_.targets(index)[k]; component_.get(target))
        targets_.push_back({target, from.met | block_.marks(index)[k]});
    if (order_)
      std::ranges::sort(targets_,
                        [this](NodeAndMet a, NodeAndMet b) { return order_(a.node, b.node); });
  }

  const Edges& edges_;
  const BitVector& component_;
  const NodeOrder& order_;
  Budget& budget_;
  const std::function<void()>& poll_;
  std::vector<Claim> claims_;
  std::vector<Visit> visits_;
  std::vector<NodeAndMet> targets_;
  std::unordered_set<NodeAndMet, Hash> known_;
  EdgeBlock block_;
  std::optional<std::size_t> unpacked_;
};

}  // namespace

std::optional<Node> least_on_accepting_cycle(const Edges& edges, BitVector& among, SetMask wanted,
                                             const NodeOrder& order, Budget& budget,
                                             const std::function<void()>& poll) {
  const SmallGraph graph(edges, among, budget, poll);
  Components components(graph, wanted, order, budget, poll);
  const std::vector<Local>& best = components.find();
  if (best.empty()) return std::nullopt;
  among.clear();
  for (const Local node : best) among.set(graph.node(node));
  return graph.node(components.least());
}

void keep_accepting_components(const Edges& edges, BitVector& among, SetMask wanted, Budget& budget,
                               const std::function<void()>& poll) {
  const SmallGraph graph(edges, among, budget, poll);
  const NodeOrder by_number;
  Components components(graph, wanted, by_number, budget, poll);
  among.clear();
  components.each([&](std::span<const Local> nodes) {
    for (const Local node : nodes) among.set(graph.node(node));
  });
}

std::vector<Node> shortest_accepting_cycle(const Edges& edges, const BitVector& component,
                                           SetMask wanted, const NodeOrder& order, Node node,
                                           Budget& budget, const std::function<void()>& poll) {
  Ways ways(edges, component, order, budget, poll);
  std::vector<Node> cycle;
  const auto is_closed = [&](Ways::NodeAndMet place) {
    return place.node == node && (place.met & wanted) == wanted;
  };
  if (std::popcount(wanted) <= kMostSetsForShortest) {
    ways.go({node, 0}, wanted, is_closed, cycle);
    return cycle;
  }
  // From one set that has not been met to the nearest other one, and back at last.
  Ways::NodeAndMet at{node, 0};
  while ((at.met & wanted) != wanted)
    at = ways.go(
        at, 0, [&](Ways::NodeAndMet place) { return ((place.met & ~at.met) & wanted) != 0; },
        cycle);
  if (at.node != node) ways.go(at, 0, is_closed, cycle);
  return cycle;
}

}  // namespace spillway
