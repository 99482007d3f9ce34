#include "language/murphi/type_lowering.h"

#include <fmt/format.h>

#include <unordered_set>

namespace spillway::murphi {

Value TypeLowering::constant_number(const Expression& expression, const char* what) {
  const auto [value, type] = constant(expression, what);
  if (sort(type) != Sort::number)
    refuse(expression.position,
           fmt::format("{} must be a number, but this is {}", what, types_.shown(type)));
  return value;
}

const Type* TypeLowering::resolve(const TypeNode& node, const std::string& name) {
  const Type* type = resolve_unlimited(node, name);
  const Extent extent = types_.extent(type);
  if (extent.cells > kMostCells)
    refuse(node.position, fmt::format("a value of this type has more than {} scalars", kMostCells));
  if (extent.depth > kDeepestType)
    refuse(node.position, fmt::format("more than {} levels of nesting in this type", kDeepestType));
  if (!name.empty() && node.form != TypeForm::name && node.form != TypeForm::boolean)
    types_.name(type, name);
  return type;
}

const Type* TypeLowering::resolve_unlimited(const TypeNode& node, const std::string& name) {
  switch (node.form) {
    case TypeForm::name: return resolve_name(node);
    case TypeForm::boolean: return types_.truth();
    case TypeForm::range: return resolve_range(node);
    case TypeForm::enumeration: return resolve_enumeration(node);
    case TypeForm::record: return resolve_record(node);
    case TypeForm::array: return resolve_array(node);
    case TypeForm::union_: return resolve_union(node);
    case TypeForm::multiset: return resolve_multiset(node);
    case TypeForm::scalarset: return resolve_scalarset(node, name);
    case TypeForm::wrong: break;
  }
  throw Spoiled();
}

const Type* TypeLowering::resolve_scalarset(const TypeNode& node, const std::string& name) {
  const Value size = constant_number(*node.to, "the size of a scalarset");
  if (size < 1)
    refuse(node.to->position,
           fmt::format("the size of a scalarset must be at least 1, not {}", size));
  if (size > kMostIdentities)
    refuse(node.to->position, fmt::format("the size of a scalarset must be at most {}, not {}",
                                          kMostIdentities, size));
  expand(static_cast<std::uint64_t>(size), node.position);
  return types_.scalarset(name, size);
}

const Type* TypeLowering::resolve_name(const TypeNode& node) {
  Symbol& symbol = look_up(node.name);
  if (symbol.means != Means::type)
    refuse(node.position, fmt::format("expected a type, but {}", described(symbol)));
  mark_read(symbol);
  return symbol.type;
}

const Type* TypeLowering::resolve_range(const TypeNode& node) {
  const Value low = constant_number(*node.from, "the lower bound of a range");
  const Value high = constant_number(*node.to, "the upper bound of a range");
  if (low > high)
    refuse(node.position,
           fmt::format("the upper bound {} of this range is below its lower bound {}", high, low));
  if (static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) >
      static_cast<std::uint64_t>(INT64_MAX))
    refuse(node.position, "this range has more than 2^63 values");
  return types_.range(low, high);
}

const Type* TypeLowering::resolve_enumeration(const TypeNode& node) {
  if (node.names.empty()) refuse(node.position, "an enumeration needs at least one value");
  std::vector<std::string> names;
  std::vector<std::uint32_t> lines;
  for (const Name& name : node.names) {
    names.push_back(name.text);
    lines.push_back(name.position.line);
  }
  Value first = 0;
  const Type* type = types_.enumeration(std::move(names), first, std::move(lines));
  declare_values(node, type);
  return type;
}

void TypeLowering::declare_values(const TypeNode& node, const Type* type) {
  Value value = type->names[0].interval.low;
  for (const Name& name : node.names) {
    attempt([&] { declare(Means::constant, name, type).value = value; });
    ++value;
  }
}

const Type* TypeLowering::resolve_record(const TypeNode& node) {
  std::vector<program::Field> fields;
  std::unordered_set<std::string_view> known;
  bool fine = true;
  for (const FieldNode& part : node.fields) {
    const Type* type = nullptr;
    fine &= attempt([&] { type = resolve(*part.type, {}); });
    for (const Name& name : part.names) {
      if (!known.insert(name.text).second)
        refuse(name.position, fmt::format("the record already has a field {}", quoted(name.text)));
      fields.push_back({name.text, type});
    }
  }
  if (!fine) throw Spoiled();
  return types_.record(std::move(fields));
}

const Type* TypeLowering::resolve_array(const TypeNode& node) {
  const Type* index = resolve(*node.index, {});
  if (!index->is_scalar())
    refuse(node.index->position,
           fmt::format("the index of an array must have a simple type, but this is {}",
                       types_.shown(index)));
  return types_.array(index, resolve(*node.element, {}));
}

const Type* TypeLowering::resolve_union(const TypeNode& node) {
  std::vector<const Type*> members;
  for (const TypeNodePtr& member : node.members) {
    members.push_back(resolve(*member, {}));
    if (sort(members.back()) != Sort::symbol)
      refuse(
          member->position,
          fmt::format("the members of a union must be enumerations or scalarsets, but this is {}",
                      types_.shown(members.back())));
    for (const program::Names& part : members.back()->names)
      expand(part.names.size(), member->position);
  }
  return types_.union_of(members);
}

const Type* TypeLowering::resolve_multiset(const TypeNode& node) {
  const Value size = constant_number(*node.to, "the size of a multiset");
  if (size < 1)
    refuse(node.to->position,
           fmt::format("the size of a multiset must be at least 1, not {}", size));
  const Type* element = resolve(*node.element, {});
  if (element->kind == program::Kind::bag)
    refuse(node.element->position, "a multiset of multisets is not supported");
  return types_.bag(static_cast<std::uint64_t>(size), element);
}

// Quantifiers around rules are lowered once per rule, but their types are the same each time.  One
// that has been refused stays nullptr.
const Type* TypeLowering::resolve_counted(const TypeNode& node) {
  const auto [known, fresh] = counted_types_.try_emplace(&node, nullptr);
  if (fresh)
    known->second = resolve(node, {});
  else if (known->second == nullptr)
    throw Spoiled();
  else if (node.form == TypeForm::enumeration)
    declare_values(node, known->second);
  return counted_types_[&node];
}

std::size_t TypeLowering::field(const Type* record, const Name& name) {
  auto& fields = fields_[record];
  if (fields.empty())
    for (std::size_t i = 0; i < record->fields.size(); ++i) fields[record->fields[i].name] = i;
  if (const auto found = fields.find(name.text); found != fields.end()) return found->second;
  std::vector<std::string_view> known;
  for (const program::Field& one : record->fields) known.push_back(one.name);
  refuse(name.position, fmt::format("the record has no field {}{}", quoted(name.text),
                                    did_you_mean(name.text, std::move(known))));
}

}  // namespace spillway::murphi
