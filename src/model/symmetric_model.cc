#include "model/symmetric_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/hash/hash.h"
#include "base/process/stop_request.h"

namespace spillway {
namespace {

// What holds, and whether all could be evaluated.
std::pair<Letter, bool> letter_of(const Conditions& conditions, State state) {
  std::optional<Failure> failure;
  const Letter letter = conditions.evaluate(state, failure);
  return {failure ? 0 : letter, failure.has_value()};
}

std::vector<PropertyIndex> noted_in(const Model& model, State state) {
  std::vector<PropertyIndex> noted(model.properties().size());
  noted.resize(model.conditions().check(state, noted.data()));
  return noted;
}

}  // namespace

SymmetricModel::SymmetricModel(std::unique_ptr<ProgramModel> model, program::Symmetries symmetries,
                               Examined examined)
    : Model(model->composition()),
      model_(std::move(model)),
      symmetries_(std::move(symmetries)),
      examined_(examined) {
  composition_.steps = this;
  composition_.quotient = this;
  composition_.concrete = model_.get();
  composition_.layout += "representatives\n";
  model_->make_code_for(symmetries_);
}

void SymmetricModel::initial(Successors& out) const {
  const std::size_t before = out.size();
  model_->initial(out);
  for (std::size_t i = before; i < out.size(); ++i) {
    stop_request::obey();
    model_->represent_by_code(out.row(i));
  }
}

void SymmetricModel::successors(State state, Successors& out) const {
  const std::size_t before = out.size();
  model_->successors(state, out);
  if (is_chosen(state)) examine(state, out, before);
  bool moved = out.moved();
  for (std::size_t i = before; i < out.size(); ++i) {
    stop_request::obey();
    moved = moved || !equal(State(out.row(i), words()), state);
    model_->represent_by_code(out.row(i));
  }
  if (moved) out.set_moved();
}

void SymmetricModel::examine_one_in(std::uint64_t states) const {
  one_in_.store(examined_ == Examined::all ? 1 : std::max<std::uint64_t>(states, 1),
                std::memory_order_relaxed);
}

bool SymmetricModel::is_chosen(State state) const {
  const std::uint64_t one_in = one_in_.load(std::memory_order_relaxed);
  return one_in == 1 || place_hash(state.data(), state.size()) % one_in == 0;
}

void SymmetricModel::examine(State state, const Successors& out, std::size_t first) const {
  const program::Symmetries::Permutation to =
      symmetries_.permutation(place_hash(state.data(), state.size()));
  Row image(state.begin(), state.end());
  symmetries_.permute(image.data(), to);
  std::string what = difference(state, image, to, out, first);
  if (what.empty()) return;
  const std::lock_guard lock(mutex_);
  if (!difference_ || less(state, difference_->state))
    difference_ = {Row(state.begin(), state.end()), std::move(image), std::move(what)};
}

std::string SymmetricModel::difference(State state, State image,
                                       const program::Symmetries::Permutation& to,
                                       const Successors& out, std::size_t first) const {
  Successors there(words());
  model_->successors(image, there);
  const auto outcome = [](const Successors& one) -> std::string {
    if (!one.failure()) return "nothing fails";
    if (!one.failure()->assertion) return "a rule fails";
    return fmt::format("assertion {} fails", *one.failure()->assertion);
  };
  if (outcome(out) != outcome(there))
    return fmt::format("in one {}, in the other {}", outcome(out), outcome(there));
  if (noted_in(*model_, state) != noted_in(*model_, image))
    return "a property holds in only one of them";
  if (model_->accepting(state) != model_->accepting(image)) return "only one of them is accepting";
  if (model_->propositions() != 0 && letter_of(*model_, state) != letter_of(*model_, image))
    return "a proposition holds in only one of them";
  if (out.failure()) return "";  // it ends the search, so the rest does not matter
  if (out.moved() != there.moved()) return "an assumption removes a successor of only one of them";
  std::vector<Row> mine, others;
  for (std::size_t i = 0; i < out.states(first).size(); ++i) {
    const State made = out.states(first)[i];
    symmetries_.permute(mine.emplace_back(made.begin(), made.end()).data(), to);
  }
  for (std::size_t i = 0; i < there.size(); ++i)
    others.emplace_back(there.states()[i].begin(), there.states()[i].end());
  std::sort(mine.begin(), mine.end());
  std::sort(others.begin(), others.end());
  return mine == others ? "" : "their successors differ";
}

std::string SymmetricModel::state_text(State state) const {
  std::string text;
  for (const Variable& variable : model_->variables(state))
    text += fmt::format("\n    {}: {}", variable.name, variable.value);
  return text;
}

void SymmetricModel::complain() const {
  const std::lock_guard lock(mutex_);
  if (!difference_) return;
  throw Error(
      Fault::model,
      fmt::format(
          "the model is not symmetric: of two states that differ only in the names of identities, "
          "{}; use --symmetry=off, and report this: it should have been detected before the "
          "search\n"
          "  one state:{}\n  the other:{}",
          difference_->what, state_text(difference_->state), state_text(difference_->image)));
}

}  // namespace spillway
