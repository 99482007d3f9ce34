#include "product/invariants_model.h"

namespace spillway {

InvariantsModel::InvariantsModel(const Model& model, std::vector<LetterInvariant> invariants)
    : ForwardingModel(model),
      model_(model),
      invariants_(std::move(invariants)),
      properties_(model.properties()) {
  for (const LetterInvariant& invariant : invariants_)
    properties_.push_back({invariant.name, PropertyKind::invariant});
  if (&model.concrete() != &model)
    concrete_ = std::make_unique<InvariantsModel>(model.concrete(), invariants_);
}

void InvariantsModel::successors(State state, Successors& out) const {
  model_.successors(state, out);
  if (out.failure()) return;
  std::optional<Failure> failure;
  model_.evaluate(state, failure);
  if (failure) out.add(0, *failure);
}

std::size_t InvariantsModel::add_violated(State state, PropertyIndex* noted,
                                          std::size_t count) const {
  if (invariants_.empty()) return count;
  std::optional<Failure> failure;
  const Letter letter = model_.evaluate(state, failure);
  if (failure) return count;  // successors() tells
  for (std::size_t i = 0; i < invariants_.size(); ++i)
    if (!invariants_[i].holds(letter))
      noted[count++] = static_cast<PropertyIndex>(model_.properties().size() + i);
  return count;
}

std::size_t InvariantsModel::check(State state, PropertyIndex* noted) const {
  return add_violated(state, noted, model_.check(state, noted));
}

std::size_t InvariantsModel::check_and_observe(State state, PropertyIndex* noted,
                                               Observed& observed) const {
  return add_violated(state, noted, model_.check_and_observe(state, noted, observed));
}

bool InvariantsModel::is_covered(PropertyIndex property, const Observed& observed) const {
  return property < model_.properties().size() && model_.is_covered(property, observed);
}

std::string InvariantsModel::explanation(PropertyIndex property, State state) const {
  return property < model_.properties().size() ? model_.explanation(property, state) : "";
}

std::optional<SourceRange> InvariantsModel::false_condition(PropertyIndex property,
                                                            State state) const {
  if (property >= model_.properties().size()) return std::nullopt;
  return model_.false_condition(property, state);
}

}  // namespace spillway
