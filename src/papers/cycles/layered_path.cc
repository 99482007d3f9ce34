#include "papers/cycles/layered_path.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "papers/storage/state_file.h"

namespace spillway {
namespace {

class Layers {
 public:
  Layers(SetStates& set_states, Store& store, FirstStep first)
      : set_states_(set_states), first_(first), log_(store, "layers"), next_(store, "layer") {}

  // Finds the layer that leads to `to`.
  void search(SetStateNumbers& numbers, BitVector& visited, State from, State to) {
    visited.clear();
    log_.append(from);
    ends_ = {0, 1};
    while (!leads_to(to, [&](State set_state) {
      if (equal(set_state, from) || visited.get(numbers(set_state))) return;
      visited.set(numbers(set_state));
      next_.append(set_state);
    })) {
      if (next_.empty())
        throw Error(Fault::internal, "internal error: an accepting cycle does not close");
      next_.drain([this](State set_state) { log_.append(set_state); });
      ends_.push_back(log_.size());
    }
  }

  std::vector<std::vector<Word>> path(State to) {
    std::vector<std::vector<Word>> backwards = {{to.begin(), to.end()}};
    for (; ends_.size() > 2; ends_.pop_back()) {
      std::vector<Word> before;
      leads_to(
          State(backwards.back()), [](State) {}, &before);
      backwards.push_back(std::move(before));
    }
    std::ranges::reverse(backwards);
    return backwards;
  }

 private:
  // Whether a set state of the last layer has a step to `to`; which one is put into `from`.
  bool leads_to(State to, const std::function<void(State)>& visit,
                std::vector<Word>* from = nullptr) {
    const bool is_first = ends_.size() == 2;
    for (const State set_state : log_.scan(ends_[ends_.size() - 2], ends_.back()))
      for (const SetStateStep& step : set_states_.expand_again(set_state)) {
        if (!step.inside || (is_first && first_ == FirstStep::accepting && !step.accepting))
          continue;
        if (equal(step.to, to)) {
          if (from != nullptr) from->assign(set_state.begin(), set_state.end());
          return true;
        }
        visit(step.to);
      }
    return false;
  }

  SetStates& set_states_;
  const FirstStep first_;
  StateFile log_, next_;
  std::vector<std::uint64_t> ends_;  // of layers in the log, after 0
};

}  // namespace

std::vector<std::vector<Word>> layered_path(SetStates& set_states, SetStateNumbers& numbers,
                                            BitVector& visited, Store& store, State from, State to,
                                            FirstStep first) {
  Layers layers(set_states, store, first);
  layers.search(numbers, visited, from, to);
  return layers.path(to);
}

}  // namespace spillway
