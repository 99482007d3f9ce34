#include "papers/cycles/set_states.h"

#include <algorithm>

namespace spillway {

SetStates::SetStates(Session& session)
    : session_(session),
      acceptance_(session.model.acceptance()),
      sets_(std::max(1U, acceptance_.sets())),
      counter_words_(sets_ > 1 ? 1 : 0) {
  session.expanders[0].repeated().want_marks(acceptance_.marks_steps());
  if (acceptance_.marks_steps()) session.expanders[0].want_marks();
}

void SetStates::add(State to, unsigned set) {
  if (counter_words_ != 0) rows_.push_back(set);
  rows_.insert(rows_.end(), to.begin(), to.end());
}

std::vector<State> SetStates::initial() {
  rows_.clear();
  const States made = session_.expanders.initial();
  for (const State state : made) add(state, 0);
  session_.expanders[0].clear();
  std::vector<State> all;
  for (const State set_state : States(rows_.data(), made.size(), words())) all.push_back(set_state);
  return all;
}

const std::vector<SetStateStep>& SetStates::expand(State set_state) {
  Expander& expander = session_.expanders[0];
  expander.clear();
  const States made = expander.expand(row(set_state));
  if (!session_.findings.empty()) session_.lookout.finish({});
  marks_.clear();
  for (std::size_t i = 0; acceptance_.marks_steps() && i < made.size(); ++i)
    marks_.push_back(expander.mark(i));
  return steps(set_state, made, marks_.data());
}

const std::vector<SetStateStep>& SetStates::expand_again(State set_state) {
  constexpr std::uint64_t kBetweenLooks = 64;
  if (--until_look_ == 0) {
    session_.lookout.look_up();
    until_look_ = kBetweenLooks;
  }
  Successors& out = session_.expanders[0].repeated();
  out.clear();
  {
    const Expanders::InModel in_model(session_.expanders);
    session_.expanders[0].again(row(set_state));
  }
  marks_.clear();
  for (std::size_t i = 0; acceptance_.marks_steps() && i < out.size(); ++i)
    marks_.push_back(out.mark(i));
  return steps(set_state, out.states(), marks_.data());
}

const std::vector<SetStateStep>& SetStates::steps(State from, States to, const SetMask* marks) {
  const std::uint32_t part = acceptance_.part(row(from));
  const SetMask of_state = !acceptance_.marks_steps() && acceptance_.accepting(row(from)) ? 1 : 0;
  const bool any = acceptance_.sets() == 0;  // no set to meet: every cycle will do
  rows_.clear();
  steps_.clear();
  for (std::size_t i = 0; i < to.size(); ++i) {
    const bool inside = part != Acceptance::kNoPart && acceptance_.part(to[i]) == part;
    const SetMask mark = acceptance_.marks_steps() ? marks[i] : of_state;
    unsigned set = inside && counter_words_ != 0 ? static_cast<unsigned>(from[0]) : 0;
    while (inside && set < sets_ && (any || (mark >> set & 1) != 0)) ++set;
    steps_.push_back({{}, set == sets_, inside});
    add(to[i], set == sets_ ? 0 : set);
  }
  const States set_states(rows_.data(), to.size(), words());
  for (std::size_t i = 0; i < to.size(); ++i) steps_[i].to = set_states[i];
  return steps_;
}

}  // namespace spillway
