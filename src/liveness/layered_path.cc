#include "liveness/layered_path.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "storage/states/state_file.h"

namespace spillway {
namespace {

class Layers {
 public:
  Layers(Places& places, Store& store, FirstStep first)
      : places_(places), first_(first), log_(store, "layers"), next_(store, "layer") {}

  // Finds the layer that leads to `to`.
  void search(PlaceNumbers& numbers, BitVector& visited, State from, State to) {
    visited.clear();
    log_.append(from);
    ends_ = {0, 1};
    while (!leads_to(to, [&](State place) {
      if (equal(place, from) || visited.get(numbers(place))) return;
      visited.set(numbers(place));
      next_.append(place);
    })) {
      if (next_.empty())
        throw Error(Fault::internal, "internal error: an accepting cycle does not close");
      next_.drain([this](State place) { log_.append(place); });
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
  // Whether a place of the last layer has a step to `to`; which one is put into `from`.
  bool leads_to(State to, const std::function<void(State)>& visit,
                std::vector<Word>* from = nullptr) {
    const bool is_first = ends_.size() == 2;
    for (const State place : log_.scan(ends_[ends_.size() - 2], ends_.back()))
      for (const PlaceStep& step : places_.expand_again(place)) {
        if (!step.inside || (is_first && first_ == FirstStep::accepting && !step.accepting))
          continue;
        if (equal(step.to, to)) {
          if (from != nullptr) from->assign(place.begin(), place.end());
          return true;
        }
        visit(step.to);
      }
    return false;
  }

  Places& places_;
  const FirstStep first_;
  StateFile log_, next_;
  std::vector<std::uint64_t> ends_;  // of layers in the log, after 0
};

}  // namespace

std::vector<std::vector<Word>> layered_path(Places& places, PlaceNumbers& numbers,
                                            BitVector& visited, Store& store, State from, State to,
                                            FirstStep first) {
  Layers layers(places, store, first);
  layers.search(numbers, visited, from, to);
  return layers.path(to);
}

}  // namespace spillway
