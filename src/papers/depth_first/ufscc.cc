#include "papers/depth_first/ufscc.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/error.h"
#include "base/process/work_in_rounds.h"
#include "papers/depth_first/component_sets.h"
#include "papers/depth_first/depth_first.h"
#include "papers/depth_first/step_ways.h"

namespace spillway {
namespace {

constexpr std::size_t kClaimedEntries = 1
                                        << 12;  // entries of the stacks of a thread drawn at a time

class Ufscc final : public DepthFirstSearch {
  // A component that a thread has entered at `node`, and the state of it that is being looked at.
  struct Visit {
    StepNode node;
    std::optional<StepNode> current = std::nullopt;
    std::size_t next = 0;  // step of it
  };
  // Where a thread has entered a component, by this step.
  struct Root {
    StepNode node;
    bool inside = false;
    SetMask mark = 0;
  };
  struct alignas(128) Worker {
    std::vector<Visit> path;
    std::vector<Root> roots;
    std::size_t begun = 0;  // initial states
    std::vector<Claim> claims;
  };

  ComponentSets sets{budget, graph.most_nodes(), wanted};
  std::vector<StepNode> initial;
  std::vector<Worker> workers{std::min(crew.size(), ComponentSets::kMostThreads)};
  std::atomic<std::int64_t> found{-1};  // a node of an accepting component

 public:
  using DepthFirstSearch::DepthFirstSearch;

  void search() override {
    initial = graph.initial();
    work_in_rounds(
        crew, false, [this](unsigned worker) { return worker >= workers.size() || work(worker); },
        [this] { graph.interrupt(); },
        [this] {
          if (found.load() >= 0) report_component(static_cast<StepNode>(found.load()));
          if (graph.is_crowded()) graph.make_room();
          return true;
        });
  }

 private:
  // False: it was interrupted.
  bool work(unsigned worker) {
    Worker& own = workers[worker];
    while (!graph.is_crowded()) {
      if (own.path.empty()) {
        if (own.begun == initial.size()) return true;
        const StepNode node = initial[(own.begun++ + worker) % initial.size()];
        if (sets.enter(node, worker) == ComponentSets::Entered::first) visit(own, {node});
      } else if (!advance(worker)) {
        return false;
      }
    }
    return false;
  }

  void visit(Worker& own, const Root& root) {
    if (own.path.size() >= own.claims.size() * kClaimedEntries)
      own.claims.emplace_back(budget, 2 * kClaimedEntries * (sizeof(Visit) + sizeof(Root)));
    own.path.push_back({root.node});
    own.roots.push_back(root);
  }

  bool advance(unsigned worker) {
    Worker& own = workers[worker];
    Visit& top = own.path.back();
    if (!top.current) {
      top.current = sets.pick(top.node);
      top.next = 0;
      if (!top.current) leave(own);
      return true;
    }
    if (!graph.expand(worker, *top.current)) return false;
    const std::span<const MarkedStep> steps = graph.steps(*top.current);
    if (top.next == steps.size()) {
      sets.remove(*top.current);
      top.current.reset();
      return true;
    }
    // Threads take the steps of a state in different orders.
    const std::size_t first = worker * steps.size() / workers.size();
    look_at(worker, steps[(first + top.next++) % steps.size()]);
    return true;
  }

  void look_at(unsigned worker, const MarkedStep& step) {
    Worker& own = workers[worker];
    switch (sets.enter(step.to, worker)) {
      case ComponentSets::Entered::complete: return;
      case ComponentSets::Entered::first: return visit(own, {step.to, step.inside, step.mark});
      case ComponentSets::Entered::again: break;
    }
    const StepNode node = own.path.back().node;
    while (!sets.are_together(step.to, node)) {
      SPILLWAY_CHECK(own.roots.size() >= 2);
      const Root root = own.roots.back();
      own.roots.pop_back();
      sets.unite(own.roots.back().node, root.node);
      add_step(root.node, root.inside, root.mark);
    }
    add_step(node, step.inside, step.mark);
  }

  // The component of the last visit is complete.  Another thread may have found that the step to it
  // is inside of the one before.
  void leave(Worker& own) {
    const StepNode node = own.path.back().node;
    if (own.roots.back().node == node) {
      const Root root = own.roots.back();
      own.roots.pop_back();
      if (!own.roots.empty() && sets.are_together(own.roots.back().node, node))
        add_step(node, root.inside, root.mark);
    }
    own.path.pop_back();
  }

  void add_step(StepNode node, bool inside, SetMask mark) {
    if (!inside || !sets.add_step(node, mark)) return;
    found.store(node);
    graph.interrupt();
  }

  [[noreturn]] void report_component(StepNode node) {
    const auto is_member = [&](StepNode other) { return sets.are_together(other, node); };
    StepWays ways(graph);
    const std::vector<StepNode> stem = ways.stem(initial, is_member);
    report(stem, ways.loop(stem.back(), wanted, is_member));
  }
};

}  // namespace

std::unique_ptr<Search> make_ufscc(const SearchContext& context,
                                   const StepGraphSettings& settings) {
  return std::make_unique<Ufscc>(context, settings);
}

}  // namespace spillway
