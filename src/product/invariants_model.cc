#include "product/invariants_model.h"

namespace spillway {

InvariantsModel::InvariantsModel(const Model& model, std::vector<LetterInvariant> invariants)
    : Model(model.composition()),
      steps_(model.steps()),
      conditions_(model.conditions()),
      invariants_(std::move(invariants)) {
  composition_.steps = this;
  composition_.conditions = this;
  for (const LetterInvariant& invariant : invariants_)
    composition_.properties.push_back({invariant.name, PropertyKind::invariant});
  if (&model.concrete() == &model) return;
  concrete_ = std::make_unique<InvariantsModel>(model.concrete(), invariants_);
  composition_.concrete = concrete_.get();
}

void InvariantsModel::successors(State state, Successors& out) const {
  steps_.successors(state, out);
  if (out.failure()) return;
  std::optional<Failure> failure;
  evaluate(state, failure);
  if (failure) out.add(0, *failure);
}

std::size_t InvariantsModel::check(State state, PropertyIndex* noted, Observed* observed) const {
  std::size_t count = conditions_.check(state, noted, observed);
  if (invariants_.empty()) return count;
  std::optional<Failure> failure;
  const Letter letter = evaluate(state, failure);
  if (failure) return count;  // successors() tells
  const std::size_t first = properties().size() - invariants_.size();
  for (std::size_t i = 0; i < invariants_.size(); ++i)
    if (!invariants_[i].holds(letter)) noted[count++] = static_cast<PropertyIndex>(first + i);
  return count;
}

}  // namespace spillway
