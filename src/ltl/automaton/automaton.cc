#include "ltl/automaton/automaton.h"

#include <algorithm>

namespace spillway::ltl {
namespace {

// Tarjan's algorithm, without recursion.
class ComponentSearch {
 public:
  explicit ComponentSearch(const Automaton& automaton)
      : automaton_(automaton), order_(automaton.states(), 0), low_(automaton.states(), 0) {
    found_.of.assign(automaton.states(), Components::kNone);
    for (std::uint32_t state = 0; state < automaton.states(); ++state)
      if (order_[state] == 0) visit(state);
  }

  Components take() {
    judge();
    return std::move(found_);
  }

 private:
  struct Frame {
    std::uint32_t state;
    std::size_t next = 0;
  };

  void visit(std::uint32_t root) {
    std::vector<Frame> path{enter(root)};
    while (!path.empty()) {
      Frame& frame = path.back();
      const auto& out = automaton_.transitions[frame.state];
      if (frame.next < out.size()) {
        const std::uint32_t target = out[frame.next++].target;
        if (order_[target] == 0)
          path.push_back(enter(target));
        else if (found_.of[target] == Components::kNone)
          low_[frame.state] = std::min(low_[frame.state], order_[target]);
        continue;
      }
      const std::uint32_t state = frame.state;
      path.pop_back();
      if (!path.empty()) low_[path.back().state] = std::min(low_[path.back().state], low_[state]);
      if (low_[state] == order_[state]) close(state);
    }
  }

  Frame enter(std::uint32_t state) {
    order_[state] = low_[state] = ++count_;
    open_.push_back(state);
    return {state};
  }

  void close(std::uint32_t root) {
    std::uint32_t state;
    do {
      state = open_.back();
      open_.pop_back();
      found_.of[state] = components_;
    } while (state != root);
    ++components_;
  }

  void judge() {
    std::vector<SetMask> met(components_, 0);
    std::vector<bool> cyclic(components_, false);
    for (std::uint32_t state = 0; state < automaton_.states(); ++state)
      for (const Transition& transition : automaton_.transitions[state])
        if (found_.of[transition.target] == found_.of[state]) {
          met[found_.of[state]] |= transition.marks;
          cyclic[found_.of[state]] = true;
        }
    found_.accepting.resize(components_);
    for (std::uint32_t i = 0; i < components_; ++i)
      found_.accepting[i] = cyclic[i] && met[i] == all_sets(automaton_.sets);
    found_.useful = found_.accepting;
    std::vector<std::uint32_t> states(automaton_.states());
    for (std::uint32_t state = 0; state < automaton_.states(); ++state) states[state] = state;
    std::ranges::sort(states, {}, [&](std::uint32_t state) { return found_.of[state]; });
    for (const std::uint32_t state : states)
      for (const Transition& transition : automaton_.transitions[state])
        if (found_.useful[found_.of[transition.target]]) found_.useful[found_.of[state]] = true;
  }

  const Automaton& automaton_;
  Components found_;
  std::vector<std::uint32_t> order_, low_, open_;
  std::uint32_t count_ = 0, components_ = 0;
};

}  // namespace

Components components(const Automaton& automaton) { return ComponentSearch(automaton).take(); }

}  // namespace spillway::ltl
