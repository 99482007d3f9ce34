#include "passes/long_cycle.h"

#include <bit>
#include <optional>

#include "base/error.h"
#include "passes/lane_layers.h"
#include "passes/lane_search.h"

namespace spillway {
namespace {

class LongCycle {
 public:
  LongCycle(const Edges& edges, const BitVector& component, SetMask wanted, const NodeOrder& order,
            Node node, Budget& budget, const std::function<void()>& poll)
      : edges_(edges),
        component_(component),
        sets_(wanted),
        order_(order),
        node_(node),
        budget_(budget),
        poll_(poll),
        met_(budget, edges.room()),
        kept_(budget, edges.room()) {}

  std::vector<Node> find(Crew& crew) {
    search(crew);
    go_back();
    return go_forwards();
  }

 private:
  void search(Crew& crew) {
    LaneSearch search({edges_, component_, component_.size()}, sets_, 1, budget_, crew, poll_);
    search.begin_at(node_, 0);
    for (length_ = 1;; ++length_) {
      if (!search.step(0))
        throw Error(Fault::internal, "internal error: a state is on no accepting cycle");
      if (search.came(node_, 0)) break;
      met_.begin_layer();
      search.each_of_last([&](Node node, std::uint64_t lanes) { met_.add(node, lanes); });
    }
    met_.settle();
  }

  // Layers are kept from the last one to the first.  A step leads to the next layer at most, so it
  // is enough to tell layers with even and odd numbers apart.
  void go_back() {
    Lanes of_this(budget_, component_.size(), sets_.combinations());
    Lanes of_next(budget_, component_.size(), sets_.combinations());
    of_next.add(node_, std::uint64_t{1} << (sets_.combinations() - 1));
    for (std::uint64_t steps = length_ - 1; steps > 0; --steps) {
      kept_.begin_layer();
      met_.each(steps - 1, [&](Node node, std::uint64_t lanes) {
        const std::uint64_t leading = leading_to(of_next, node, lanes);
        if (leading == 0) return true;
        kept_.add(node, leading);
        of_this.add(node, leading);
        return true;
      });
      std::swap(of_next, of_this);
    }
    kept_.settle();
  }

  // Those of the lanes of a node from which a step leads to one of `to`.
  std::uint64_t leading_to(const Lanes& to, Node node, std::uint64_t lanes) {
    unpack(node);
    const std::size_t index = node - block_.first();
    std::uint64_t leading = 0;
    for (std::size_t k = 0; k < block_.targets(index).size() && leading != lanes; ++k) {
      const Node target = block_.targets(index)[k];
      if (!component_.get(target)) continue;
      const unsigned mark = sets_.of(block_.marks(index)[k]);
      const std::uint64_t wanted = to.get(target);
      for (std::uint64_t left = lanes; wanted != 0 && left != 0; left &= left - 1) {
        const auto met = static_cast<unsigned>(std::countr_zero(left));
        if ((wanted >> (met | mark) & 1) != 0) leading |= std::uint64_t{1} << met;
      }
    }
    return leading;
  }

  std::vector<Node> go_forwards() {
    std::vector<Node> way;
    unsigned met = 0;
    for (std::uint64_t steps = 1; steps < length_; ++steps) {
      const LaneNode next =
          least_after({way.empty() ? node_ : way.back(), met}, length_ - 1 - steps);
      way.push_back(next.node);
      met = next.met;
    }
    way.push_back(node_);
    return way;
  }

  // Of the places that a step leads to, the first one that was kept in this layer.
  LaneNode least_after(LaneNode from, std::uint64_t layer) {
    unpack(from.node);
    const std::size_t index = from.node - block_.first();
    const std::span<const Node> targets = block_.targets(index);
    std::vector<LaneNode> places;
    for (std::size_t k = 0; k < targets.size(); ++k)
      places.push_back({targets[k], from.met | sets_.of(block_.marks(index)[k])});
    std::optional<LaneNode> least;
    kept_.each(layer, [&](Node node, std::uint64_t lanes) {
      if (least && !(order_ && order_(node, least->node))) return static_cast<bool>(order_);
      for (const LaneNode& place : places)
        if (place.node == node && (lanes >> place.met & 1) != 0) {
          least = place;
          break;
        }
      return true;
    });
    SPILLWAY_CHECK(least.has_value());
    return *least;
  }

  void unpack(Node node) {
    if (unpacked_ == edges_.block_of(node)) return;
    poll_();
    unpacked_ = edges_.block_of(node);
    edges_.unpack_with_marks(*unpacked_, block_);
  }

  const Edges& edges_;
  const BitVector& component_;
  const MetSets sets_;
  const NodeOrder& order_;
  const Node node_;
  Budget& budget_;
  const std::function<void()>& poll_;
  std::uint64_t length_ = 0;
  LaneLayers met_, kept_;
  EdgeBlock block_;
  std::optional<std::size_t> unpacked_;
};

}  // namespace

std::vector<Node> long_accepting_cycle(const Edges& edges, const BitVector& component,
                                       SetMask wanted, const NodeOrder& order, Node node,
                                       Budget& budget, Crew& crew,
                                       const std::function<void()>& poll) {
  if (std::popcount(wanted) > MetSets::kMost)
    throw Error(Fault::memory, "there is no memory for a cycle that meets so many acceptance sets");
  return LongCycle(edges, component, wanted, order, node, budget, poll).find(crew);
}

}  // namespace spillway
