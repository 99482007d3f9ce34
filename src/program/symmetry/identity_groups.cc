#include "program/symmetry/identity_groups.h"

namespace spillway::program {

bool IdentityGroups::counts(std::size_t group) const {
  const Interval& all = program_.symmetries[group].identities;
  return all.high > all.low;
}

Groups IdentityGroups::all() const {
  Groups all;
  for (std::size_t g = 0; g < program_.symmetries.size(); ++g)
    if (counts(g)) all.insert(g);
  return all;
}

const Groups& IdentityGroups::of(const Type& type) {
  const auto known = known_.find(&type);
  if (known != known_.end()) return known->second;
  Groups groups;
  const auto add = [&](const Type& part) { groups.insert(of(part).begin(), of(part).end()); };
  if (type.is_scalar()) {
    for (std::size_t g = 0; g < program_.symmetries.size(); ++g)
      for (const Names& names : type.names)
        if (!type.truth && counts(g) && names.interval == program_.symmetries[g].identities)
          groups.insert(g);
  }
  for (const Field& field : type.fields) add(*field.type);
  if (type.element != nullptr) add(*type.element);
  return known_[&type] = std::move(groups);
}

Groups IdentityGroups::order_of(const Type& type) {
  Groups groups = of(type);
  const auto add = [&](Groups more) { groups.merge(more); };
  for (const Field& field : type.fields) add(order_of(*field.type));
  if (type.element != nullptr) add(order_of(*type.element));
  if (type.index != nullptr) add(of(*type.index));
  return groups;
}

Groups IdentityGroups::first_of(const Type& type) {
  Groups groups;
  const auto add = [&](Groups more) { groups.merge(more); };
  switch (type.kind) {
    case Kind::scalar: {
      const Value first = type.domain.value(1);
      for (const std::size_t g : of(type))
        if (const Interval& all = program_.symmetries[g].identities;
            all.low <= first && first <= all.high)
          groups.insert(g);
      break;
    }
    case Kind::record:
      for (const Field& field : type.fields) add(first_of(*field.type));
      break;
    case Kind::array: return first_of(*type.element);
    case Kind::bag: break;
  }
  return groups;
}

}  // namespace spillway::program
