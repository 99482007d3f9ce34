#include "passes/shortest_lasso.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>

#include "base/error.h"
#include "passes/lane_layers.h"
#include "passes/lane_search.h"

namespace spillway {
namespace {

using Nodes = std::vector<Node>;

// What the parts of one search share.
struct LassoGround {
  LaneSearch::Ground nodes;
  const std::vector<Node>& ends;
  std::uint64_t least_levels;
  const MetSets& sets;
  Budget& budget;
  Crew& crew;
  const LeastPrefixSettings& settings;

  Node begin(std::uint64_t level) const { return level == 0 ? 0 : ends[level - 1]; }
  std::uint64_t level(Node node) const {
    return static_cast<std::uint64_t>(std::ranges::upper_bound(ends, node) - ends.begin());
  }
  // The first node that a way from level `entry` on can have come to after `steps` steps, if it is
  // to be a cycle of a lasso with at most `bound` steps.
  Node floor(std::uint64_t entry, std::uint64_t steps, std::uint64_t bound) const {
    const std::uint64_t time = entry + steps;
    const std::uint64_t slack = bound - least_levels;
    if (time + 1 >= least_levels || time <= slack) return begin(entry);
    return begin(std::max(entry, time - slack));
  }
};

// Nodes where a lasso of at most `bound` steps can enter its cycle.
class Entries {
 public:
  Entries(const LassoGround& ground, std::uint64_t bound)
      : ground_(ground), found_(ground.nodes.edges.make_bits(ground.budget, ground.nodes.nodes)) {
    const MetSets none(0);
    LaneSearch from_top(ground.nodes, none, 1, ground.budget, ground.crew, ground.settings.poll);
    reach(from_top, bound);
    keep_targets(from_top);
  }

  Nodes of_level(std::uint64_t level) const {
    Nodes nodes;
    const Node end = std::min(ground_.ends[level], found_.size());
    for (Node node = found_.next(ground_.begin(level), end); node < end;
         node = found_.next(node + 1, end))
      nodes.push_back(node);
    if (ground_.settings.order) std::ranges::sort(nodes, ground_.settings.order);
    return nodes;
  }
  std::uint64_t count(std::uint64_t level) const {
    return found_.count(ground_.begin(level), ground_.ends[level]);
  }

 private:
  // Ways from each level, in a lasso that has gone as many steps as it is deep.
  void reach(LaneSearch& from_top, std::uint64_t bound) {
    const BitVector& among = ground_.nodes.among;
    for (std::uint64_t time = ground_.least_levels - 1; time < bound; ++time) {
      const Node end = time < ground_.ends.size() ? ground_.ends[time] : 0;
      const Node begin = time < ground_.ends.size() ? ground_.begin(time) : 0;
      for (Node node = among.next(begin, std::min(end, ground_.nodes.nodes)); node < end;
           node = among.next(node + 1, end))
        if (!from_top.has_come(node, 0)) from_top.begin_at(node, 0);
      if (!from_top.step(0) && time >= ground_.ends.size()) return;
    }
  }

  // Of edges that lead to no later level.
  void keep_targets(const LaneSearch& reached) {
    const Edges& edges = ground_.nodes.edges;
    const BitVector& among = ground_.nodes.among;
    ground_.settings.poll();
    std::atomic<std::size_t> next{0};
    ground_.crew.each([&](unsigned) {
      EdgeBlock block;
      for (std::size_t i = next++; i < edges.blocks(); i = next++) {
        const Node end = std::min(edges.end(i), ground_.nodes.nodes);
        Node node = std::min(edges.begin(i), end);
        node = among.next(node, end);
        if (node == end) continue;
        edges.unpack(i, block);
        for (; node < end; node = among.next(node + 1, end)) {
          const Node last = ground_.ends[ground_.level(node)];
          for (const Node target : block.targets(node - block.first())) {
            if (target >= last) break;
            if (among.get(target) && reached.has_come(target, 0)) found_.set_shared(target);
          }
        }
      }
    });
  }

  const LassoGround& ground_;
  BitVector found_;
};

// The best lasso of those that enter their cycles at some nodes of one level after another.
class BestEntry {
 public:
  BestEntry(const LassoGround& ground, unsigned groups, std::uint64_t bound)
      : ground_(ground),
        bound_(bound),
        search_(ground.nodes, ground.sets, groups, ground.budget, ground.crew,
                ground.settings.poll) {}

  // REQUIRES: in order, all of this level.
  void look_at(std::uint64_t level, Nodes nodes) {
    level_ = level;
    left_.push_back(std::move(nodes));
    while (!left_.empty() && level_ < bound_) {
      const Nodes some = std::move(left_.back());
      left_.pop_back();
      if (some.size() <= search_.groups())
        try_each(some);
      else
        divide(some);
    }
    left_.clear();
  }

  std::uint64_t bound() const { return bound_; }  // one less than the best has, if there is one
  std::optional<Node> entry() const { return entry_; }

 private:
  // Stops at the first one that is met again: no other has a shorter cycle.
  void try_each(const Nodes& nodes) {
    search_.clear();
    for (unsigned i = 0; i < nodes.size(); ++i) search_.begin_at(nodes[i], i);
    bool more = true;
    for (std::uint64_t steps = 1; more && level_ + steps <= bound_; ++steps) {
      more = search_.step(ground_.floor(level_, steps, bound_));
      for (unsigned i = 0; more && i < nodes.size(); ++i) {
        if (!search_.came(nodes[i], i)) continue;
        entry_ = nodes[i];
        bound_ = level_ + steps - 1;
        return;
      }
    }
  }

  // A node that no way from its group comes back to is on no cycle that is short enough.
  void divide(const Nodes& nodes) {
    const std::size_t groups = search_.groups();
    const std::size_t parts = std::max<std::size_t>(2, groups);
    const std::size_t size = (nodes.size() + parts - 1) / parts;
    std::vector<Nodes> left;
    for (std::size_t begin = 0; begin < nodes.size(); begin += groups * size) {
      search_.clear();
      const auto group_of = [&](std::size_t i) {
        return static_cast<unsigned>((i - begin) / size);
      };
      const std::size_t end = std::min(nodes.size(), begin + groups * size);
      for (std::size_t i = begin; i < end; ++i) search_.begin_at(nodes[i], group_of(i));
      bool more = true;
      for (std::uint64_t steps = 1; more && level_ + steps <= bound_; ++steps)
        more = search_.step(ground_.floor(level_, steps, bound_));
      for (std::size_t i = begin; i < end; ++i) {
        if ((i - begin) % size == 0) left.emplace_back();
        if (search_.has_come(nodes[i], group_of(i))) left.back().push_back(nodes[i]);
      }
    }
    for (std::size_t i = left.size(); i-- > 0;)
      if (!left[i].empty()) left_.push_back(std::move(left[i]));
  }

  const LassoGround& ground_;
  std::uint64_t bound_;
  LaneSearch search_;
  std::uint64_t level_ = 0;
  std::vector<Nodes> left_;  // the last ones come first
  std::optional<Node> entry_;
};

// A shortest accepting cycle through a node whose length is known.
class ClosedWay {
 public:
  ClosedWay(const LassoGround& ground, const EdgeRoom& room, Node entry, std::uint64_t length)
      : ground_(ground), entry_(entry), length_(length), layers_(ground.budget, room) {}

  // From the one after the entry to the entry.
  Nodes nodes() {
    search();
    Nodes way{entry_};
    LaneNode at{entry_, ground_.sets.combinations() - 1};
    for (std::uint64_t steps = length_ - 1; steps > 0; --steps) {
      at = before(at, steps);
      way.push_back(at.node);
    }
    std::ranges::reverse(way);
    return way;
  }

 private:
  void search() {
    LaneSearch search(ground_.nodes, ground_.sets, 1, ground_.budget, ground_.crew,
                      ground_.settings.poll);
    const std::uint64_t level = ground_.level(entry_);
    search.begin_at(entry_, 0);
    for (std::uint64_t steps = 1; steps < length_; ++steps) {
      search.step(ground_.floor(level, steps, level + length_));
      layers_.begin_layer();
      search.each_of_last([&](Node node, std::uint64_t lanes) { layers_.add(node, lanes); });
    }
    layers_.settle();
  }

  // The least place from which a step leads to `to`, of those that are met after so many steps.
  LaneNode before(const LaneNode& to, std::uint64_t steps) {
    const std::uint64_t level = ground_.level(to.node);
    const Node first = ground_.begin(level == 0 ? 0 : level - 1);
    std::optional<LaneNode> least;
    layers_.each(steps - 1, [&](Node node, std::uint64_t lanes) {
      if (node < first || (least && !ground_.settings.order(node, least->node))) return true;
      if (const std::optional<unsigned> met = met_before(node, lanes, to)) least = {node, *met};
      return !least || ground_.settings.order;
    });
    SPILLWAY_CHECK(least.has_value());
    return *least;
  }

  std::optional<unsigned> met_before(Node node, std::uint64_t lanes, const LaneNode& to) {
    const Edges& edges = ground_.nodes.edges;
    if (unpacked_ != edges.block_of(node)) {
      ground_.settings.poll();
      unpacked_ = edges.block_of(node);
      edges.unpack_with_marks(*unpacked_, block_);
    }
    const std::span<const Node> targets = block_.targets(node - block_.first());
    const auto at = std::ranges::lower_bound(targets, to.node);
    if (at == targets.end() || *at != to.node) return std::nullopt;
    const auto edge = static_cast<std::size_t>(at - targets.begin());
    const unsigned mark = ground_.sets.of(block_.marks(node - block_.first())[edge]);
    for (unsigned met = 0; met < ground_.sets.combinations(); ++met)
      if ((lanes >> met & 1) != 0 && (met | mark) == to.met) return met;
    return std::nullopt;
  }

  const LassoGround& ground_;
  const Node entry_;
  const std::uint64_t length_;
  LaneLayers layers_;
  EdgeBlock block_;
  std::optional<std::size_t> unpacked_;
};

unsigned groups_for(const LassoGround& ground, std::uint64_t most_entries, unsigned most_lanes) {
  unsigned groups = std::max(1U, most_lanes / ground.sets.combinations());
  while (groups > 1 &&
         (groups / 2 >= most_entries ||
          LaneSearch::bytes(ground.nodes.nodes, ground.sets, groups) > ground.budget.left() / 2))
    groups /= 2;
  return groups;
}

}  // namespace

ShortestLasso::ShortestLasso(const Graph& graph, std::uint64_t least_levels, Budget& budget,
                             Crew& crew, const ShortestLassoSettings& settings)
    : graph_(graph),
      least_levels_(least_levels),
      budget_(budget),
      crew_(crew),
      settings_(settings) {}

std::optional<AcceptingCycle> ShortestLasso::find(std::uint64_t bound) {
  const std::uint64_t levels = std::min<std::uint64_t>(bound, graph_.ends.size());
  LeastPrefix prefix(graph_.edges, graph_.wanted, graph_.ends, budget_, crew_, settings_.passes);
  const SetMask told_apart = graph_.wanted & ~prefix.keep_cycles(levels).common;
  if (std::popcount(told_apart) > MetSets::kMost)
    throw Error(Fault::memory,
                fmt::format("a shortest run is found for up to {} acceptance sets, not for {}",
                            MetSets::kMost, std::popcount(told_apart)));
  const MetSets sets(told_apart);
  const std::vector<Node> ends(graph_.ends.begin(),
                               graph_.ends.begin() + static_cast<std::ptrdiff_t>(levels));
  const LassoGround ground{{graph_.edges, prefix.set(), ends.back()},
                           ends,
                           least_levels_,
                           sets,
                           budget_,
                           crew_,
                           settings_.passes};
  std::optional<Node> entry;
  std::uint64_t length = 0;
  {
    const Entries entries(ground, bound);
    std::uint64_t most = 1;
    for (std::uint64_t level = 0; level < levels; ++level)
      most = std::max(most, entries.count(level));
    BestEntry best(ground, groups_for(ground, most, settings_.most_lanes), bound);
    for (std::uint64_t level = levels; level-- > 0 && best.bound() >= least_levels_;)
      if (entries.count(level) != 0) best.look_at(level, entries.of_level(level));
    entry = best.entry();
    if (!entry) return std::nullopt;
    length = best.bound() + 1 - ground.level(*entry);
  }
  return AcceptingCycle{least_levels_, *entry,
                        ClosedWay(ground, settings_.room, *entry, length).nodes()};
}

std::optional<LassoInLevels::Found> LassoInLevels::find(const ShortestLasso::Graph& graph,
                                                        std::uint64_t without, bool is_all,
                                                        Budget& budget, Crew& crew,
                                                        const ShortestLassoSettings& settings) {
  const auto prefix = [&] {
    return LeastPrefix(graph.edges, graph.wanted, graph.ends, budget, crew, settings.passes);
  };
  if (least_ == 0) {
    least_ = prefix().find_levels(without).value_or(0);
    if (least_ == 0) return std::nullopt;
    settings.tell(
        fmt::format("looking for a shortest run that violates it: {} steps or more", least_));
  }
  try {
    for (; is_all || graph.ends.size() >= wanted_levels(); slack_ = 2 * slack_ + 1)
      if (std::optional<AcceptingCycle> cycle =
              ShortestLasso(graph, least_, budget, crew, settings).find(wanted_levels()))
        return Found{std::move(*cycle), ""};
    return std::nullopt;
  } catch (const Error& error) {
    if (error.fault() != Fault::memory && error.fault() != Fault::usage) throw;
    return Found{prefix().find(least_ - 1).value(), error.what()};
  }
}

}  // namespace spillway
