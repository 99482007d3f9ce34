#include "passes/component_passes.h"

#include "passes/branching.h"
#include "passes/trim.h"

namespace spillway {
namespace {

class ComponentPasses {
 public:
  ComponentPasses(const Edges& edges, BitVector& among, SetMask wanted, Budget& budget, Crew& crew,
                  const std::function<void()>& poll)
      : edges_(edges),
        among_(among),
        wanted_(wanted),
        budget_(budget),
        crew_(crew),
        poll_(poll),
        reached_(edges.make_bits(budget, among.size())),
        other_(edges.make_bits(budget, among.size())) {}

  std::optional<Node> least() {
    for (;;) {
      trim_both_ways();
      const Node node = among_.next(0);
      if (node == among_.size()) return std::nullopt;
      find_component(node);
      if (meets_all_sets()) {
        among_.assign(reached_);
        return node;
      }
      reached_.flip();
      among_.keep(reached_);
      among_.reset(node);  // which reaches itself only by staying there
    }
  }

 private:
  // Calls visit(node, targets, marks) for the nodes of a set in increasing order.
  template <class Visit>
  void each(const BitVector& set, bool with_marks, const Visit& visit) {
    for (std::size_t i = 0; i < edges_.blocks(); ++i) {
      const Node end = edges_.end(i);
      Node node = set.next(edges_.begin(i), end);
      if (node >= end) continue;
      poll_();
      if (with_marks)
        edges_.unpack_with_marks(i, block_);
      else
        edges_.unpack(i, block_);
      for (; node < end; node = set.next(node + 1, end)) visit(node - block_.first());
    }
  }

  void trim_both_ways() {
    for (std::uint64_t before = 0; before != among_.count();) {
      before = among_.count();
      TrimCounts counts;
      trim(
          edges_, among_, budget_, crew_, UINT64_MAX, [&](std::uint64_t) { poll_(); }, counts);
      other_.clear();  // the targets of nodes that remain
      each(among_, false, [&](std::size_t i) {
        for (const Node target : block_.targets(i)) other_.set(target);
      });
      among_.keep(other_);
    }
  }

  // Leaves it in reached_.
  void find_component(Node node) {
    other_.clear();
    other_.set(node);
    Branching(edges_, budget_, crew_, {UINT64_MAX, poll_}).until(&among_, other_);
    // forwards, among those that reach the node
    reached_.clear();
    reached_.set(node);
    for (std::uint64_t before = 0; before != reached_.count();) {
      before = reached_.count();
      each(reached_, false, [&](std::size_t i) {
        for (const Node target : block_.targets(i))
          if (other_.get(target) && among_.get(target)) reached_.set(target);
      });
    }
  }

  bool meets_all_sets() {
    SetMask met = 0;
    bool has_edge = false;
    each(reached_, true, [&](std::size_t i) {
      for (std::size_t k = 0; k < block_.targets(i).size(); ++k) {
        if (!reached_.get(block_.targets(i)[k])) continue;
        has_edge = true;
        met |= block_.marks(i)[k];
      }
    });
    return has_edge && (met & wanted_) == wanted_;
  }

  const Edges& edges_;
  BitVector& among_;
  const SetMask wanted_;
  Budget& budget_;
  Crew& crew_;
  const std::function<void()>& poll_;
  BitVector reached_, other_;
  EdgeBlock block_;
};

}  // namespace

std::optional<Node> least_on_accepting_cycle_by_passes(const Edges& edges, BitVector& among,
                                                       SetMask wanted, Budget& budget, Crew& crew,
                                                       const std::function<void()>& poll) {
  return ComponentPasses(edges, among, wanted, budget, crew, poll).least();
}

}  // namespace spillway
