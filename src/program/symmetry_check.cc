#include "program/symmetry_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "program/can_fail.h"
#include "program/turns.h"
#include "program/walk.h"

namespace spillway::program {
namespace {

using Groups = std::set<std::size_t>;  // numbers of symmetries

bool is_number(const Type* type) {
  return type == nullptr || type->truth || (type->is_scalar() && type->names.empty());
}

class Checker {
 public:
  explicit Checker(const Program& program) : program_(program) {}

  std::vector<Asymmetry> run() {
    for (const Type& type : program_.types) examine(type);
    TurnOrder order(
        program_, [this](const Loop& loop) { return !groups_of(loop).empty(); },
        [this](const Loop& loop, std::string why) { blame(groups_of(loop), loop.position, why); });
    const auto rule = [&](const Rule& one) {
      examine(one.header, one.guard.get(), one.body);
      order.examine(one);
    };
    const auto property = [&](const Property& one) {
      examine(one.header, one.condition.get(), {});
      order.examine(one);
    };
    // Starts need not be symmetric: the images of a state reach the images of what it reaches.
    std::for_each(program_.rules.begin(), program_.rules.end(), rule);
    std::for_each(program_.properties.begin(), program_.properties.end(), property);
    if (program_.accepting) property(*program_.accepting);
    if (program_.failure_state) rule(*program_.failure_state);
    std::vector<Asymmetry> all;
    for (const FunctionIndex function : called_) {
      const Function& one = program_.functions[function];
      examine(one.frame, one.body, one.result);
    }
    for (auto& [group, found] : found_) all.push_back(std::move(found));
    return all;
  }

 private:
  struct Look;

  void blame(const Groups& groups, Position position, const std::string& why) {
    for (const std::size_t group : groups)
      found_.try_emplace(group, Asymmetry{group, position, why});
  }

  // Symmetries of types ---------------------------------------------------------------------------

  bool counts(std::size_t group) const {
    const Interval& all = program_.symmetries[group].identities;
    return all.high > all.low;  // a single identity is always symmetric
  }

  // The symmetries whose identities can be values of the scalars of a type.
  const Groups& groups_of(const Type& type) {
    const auto known = groups_.find(&type);
    if (known != groups_.end()) return known->second;
    Groups groups;
    const auto add = [&](const Type& part) {
      groups.insert(groups_of(part).begin(), groups_of(part).end());
    };
    if (type.is_scalar()) {
      for (std::size_t g = 0; g < program_.symmetries.size(); ++g)
        for (const Names& names : type.names)
          if (!type.truth && counts(g) && names.interval == program_.symmetries[g].identities)
            groups.insert(g);
    }
    for (const Field& field : type.fields) add(*field.type);
    if (type.element != nullptr) add(*type.element);
    return groups_[&type] = std::move(groups);
  }

  // The symmetries that the order of values of a type reveals.  Values are compared cell by cell.
  Groups order_of(const Type& type) {
    Groups groups = groups_of(type);
    const auto add = [&](Groups more) { groups.merge(more); };
    for (const Field& field : type.fields) add(order_of(*field.type));
    if (type.element != nullptr) add(order_of(*type.element));
    if (type.index != nullptr) add(groups_of(*type.index));
    return groups;
  }

  Groups all_groups() const {
    Groups all;
    for (std::size_t g = 0; g < program_.symmetries.size(); ++g)
      if (counts(g)) all.insert(g);
    return all;
  }

  Groups groups_of(const Loop& loop) {
    if (loop.bag != nullptr) return order_of(*loop.bag->element);
    if (loop.range == nullptr) return all_groups();
    if (loop.range->type != nullptr) return groups_of(*loop.range->type);
    return loop.range->unordered ? all_groups() : Groups{};
  }

  void examine(const Type& type) {
    if (!type.is_scalar() || type.truth) return;
    for (std::size_t g = 0; g < program_.symmetries.size(); ++g) {
      const Interval& all = program_.symmetries[g].identities;
      for (const Names& names : type.names)
        if (counts(g) && names.interval.low <= all.high && all.low <= names.interval.high &&
            names.interval != all)
          blame({g}, {},
                fmt::format("the type '{}' contains only some of its identities", type.name));
    }
    if (type.total)
      blame(first_of(type), {},
            fmt::format("variables of type '{}' start with the first identity", type.name));
  }

  // The symmetries whose first identity clear() would assign.
  Groups first_of(const Type& type) {
    Groups groups;
    const auto add = [&](Groups more) { groups.merge(more); };
    switch (type.kind) {
      case Kind::scalar: {
        const Value first = type.domain.value(1);
        for (const std::size_t g : groups_of(type))
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

  // Rules, properties, functions ------------------------------------------------------------------

  void examine(const Header& header, const Expr* condition, const Body& body);
  void examine(const Frame& frame, const Body& body, const Type* result);
  void examine(const Header& header, const Parameter& parameter);

  const Program& program_;
  std::map<const Type*, Groups> groups_;
  std::map<std::size_t, Asymmetry> found_;
  std::set<FunctionIndex> called_;  // by rules and properties
};

// Visits all parts of a rule, property or function.
struct Checker::Look : Visitor {
  Look(Checker& checker, const Frame& of, const Type* returned)
      : check(checker), frame(of), result(returned) {}

  void operator()(const Expr& expr) {
    const auto operand = [&](std::size_t i) -> const Expr& { return *expr.operands[i]; };
    switch (expr.op) {
      case Op::literal:
        if (expr.type == nullptr) break;
        for (const std::size_t g : check.groups_of(*expr.type))
          if (const Interval& all = check.program_.symmetries[g].identities;
              all.low <= expr.value && expr.value <= all.high)
            check.blame({g}, expr.position, "this names one particular identity");
        break;
      case Op::slot: ++uses[expr.slot]; break;
      case Op::call: {
        const Function& function = check.program_.functions[expr.function];
        called.insert(expr.function);
        for (std::size_t i = 0; i < function.parameters; ++i)
          if (expr.arguments[i].value) flows(*expr.arguments[i].value, function.frame[i].type);
        break;
      }
      case Op::equal:
      case Op::unequal:
        flows(operand(0), type_of(operand(1)));
        flows(operand(1), type_of(operand(0)));
        if (operand(0).op == Op::slot && operand(1).op == Op::slot)
          compared.push_back({operand(0).slot, operand(1).slot, expr.position});
        break;
      case Op::logical_not:
      case Op::logical_and:
      case Op::logical_or:
      case Op::implies:
      case Op::is_member: break;
      case Op::conditional:
        flows(operand(1), type_of(operand(2)));
        flows(operand(2), type_of(operand(1)));
        break;
      case Op::for_all:
      case Op::exists:
        if (expr.range.type != nullptr && !expr.range.unordered &&
            can_fail(operand(0), frame, check.program_))
          check.blame(check.groups_of(*expr.range.type), expr.position,
                      "it stops at the first identity that decides it");
        if (expr.range.type == nullptr) ranges[expr.slot] = &expr.range;
        break;
      case Op::bag_count:
        numbers[expr.slot].push_back({&*expr.place, expr.place->steps.size(), expr.position});
        break;
      case Op::read:
      case Op::is_undefined: break;
      default:
        for (const ExprPtr& one : expr.operands)
          check.blame(values(*one), expr.position, "identities have no order and are not numbers");
    }
  }

  void operator()(const Place& place) {
    const Type* type =
        place.in_state ? check.program_.variables[place.root].type : frame[place.root].type;
    for (std::size_t i = 0; i < place.steps.size(); ++i) {
      const Step& step = place.steps[i];
      if (!step.index) {
        type = type->fields[step.field].type;
        continue;
      }
      if (type->kind == Kind::array)
        flows(*step.index, type->index);
      else
        number(*step.index, place, i, *type);
      type = type->element;
    }
  }

  void operator()(const Statement& s) {
    switch (s.what) {
      case Do::assign: flows(*s.value, s.place->type); break;
      case Do::bind_value: flows(*s.value, frame[s.slot].type); break;
      case Do::clear:
        check.blame(check.first_of(*s.place->type), s.position,
                    "'clear' sets it to the first identity");
        break;
      case Do::leave:
        if (s.value) flows(*s.value, result);
        break;
      case Do::bag_add:
        flows(*s.value, s.place->type->element);
        added.insert(s.place->type);
        break;
      case Do::bag_remove:
        number(*s.value, *s.place, s.place->steps.size(), *s.place->type);
        if (s.value->op == Op::slot) removed[s.place->type].insert(s.value->slot);
        break;
      case Do::bag_remove_if:
        numbers[s.slot].push_back({&*s.place, s.place->steps.size(), s.position});
        swept.insert(s.place->type);
        break;
      default: break;
    }
  }

  // Numbers of elements ---------------------------------------------------------------------------

  // The first `steps` steps of the place lead to the bag.
  struct Numbered {
    const Place* place;
    std::size_t steps;
    Position position;
  };

  void number(const Expr& index, const Place& place, std::size_t steps, const Type& bag) {
    if (index.op != Op::slot)
      return check.blame(check.order_of(*bag.element), place.position,
                         "elements of a multiset have no fixed numbers");
    numbers[index.slot].push_back({&place, steps, place.position});
    ++allowed[index.slot];
  }

  const Type& bag_of(const Numbered& one) const {
    const Type* type = one.place->in_state ? check.program_.variables[one.place->root].type
                                           : frame[one.place->root].type;
    for (std::size_t i = 0; i < one.steps; ++i)
      type =
          one.place->steps[i].index ? type->element : type->fields[one.place->steps[i].field].type;
    return *type;
  }

  bool same_bag(const Numbered& a, const Numbered& b) const {
    if (a.place->in_state != b.place->in_state || a.place->root != b.place->root ||
        a.steps != b.steps)
      return false;
    for (std::size_t i = 0; i < a.steps; ++i) {
      const Step &x = a.place->steps[i], &y = b.place->steps[i];
      if (!x.index != !y.index || x.field != y.field) return false;
      if (x.index && !alike(*x.index, *y.index)) return false;
    }
    return true;
  }

  // Whether the rule leaves the bag unchanged.
  static bool is_fixed(const Numbered& one) {
    return std::all_of(
        one.place->steps.begin(), one.place->steps.begin() + static_cast<std::ptrdiff_t>(one.steps),
        [](const Step& step) {
          return !step.index || step.index->op == Op::slot || step.index->op == Op::literal;
        });
  }

  void examine_numbers(const std::vector<Parameter>& parameters) {
    for (const auto& [a, b, position] : compared) {
      if (!numbers.contains(a) || !numbers.contains(b)) continue;
      ++allowed[a];
      ++allowed[b];
      // Both must be numbers of elements of the same bag, or nothing is known.
      numbers[a].push_back(numbers[b].front());
    }
    for (const auto& [slot, all] : numbers) {
      const Numbered& first = all.front();
      const auto blame = [&](Position position, const std::string& why) {
        check.blame(check.order_of(*bag_of(first).element), position, why);
      };
      for (const Numbered& other : all) {
        if (same_bag(first, other)) continue;
        blame(other.position,
              "this is an element by a number that was taken from another multiset");
        check.blame(check.order_of(*bag_of(other).element), other.position,
                    "this is an element by a number that was taken from another multiset");
      }
      if (uses[slot] > allowed[slot])
        blame(first.position, "the number of an element is used as a value");
      const auto capacity = static_cast<Value>(bag_of(first).capacity);
      if (const auto range = ranges.find(slot); range != ranges.end()) {
        const Range& values = *range->second;
        if (!values.unordered || values.by || values.from->op != Op::literal ||
            values.to->op != Op::literal || values.from->value != 0 ||
            values.to->value != capacity - 1)
          blame(first.position, "only some elements of a multiset are looked at");
      }
      for (const Parameter& parameter : parameters) {
        if (parameter.slot != slot) continue;
        std::set<Value> values(parameter.values.begin(), parameter.values.end());
        if (values.size() != parameter.values.size() ||
            static_cast<Value>(values.size()) != capacity || *values.begin() != 0 ||
            *values.rbegin() != capacity - 1)
          blame(first.position, "only some elements of a multiset are looked at");
        if (!is_fixed(first))
          blame(first.position, "the multiset that an element was chosen from may change");
      }
    }
  }

  // An element that is added takes the first free number.  If several numbers may be free, it
  // depends on their order.  That is observable only if a number was free and is then used.
  void examine_removals(const std::vector<Parameter>& parameters) {
    for (const Type* bag : added) {
      if (!swept.contains(bag) && removed[bag].size() < 2) continue;
      for (const Parameter& parameter : parameters)
        if (const auto found = numbers.find(parameter.slot);
            found != numbers.end() && &bag_of(found->second[0]) == bag)
          check.blame(check.order_of(*bag->element), found->second[0].position,
                      "elements are removed and added while others are referred to by number");
    }
  }

  // Values ----------------------------------------------------------------------------------------

  const Type* type_of(const Expr& expr) const {
    switch (expr.op) {
      case Op::literal: return expr.type;
      case Op::slot: return frame[expr.slot].type;
      case Op::read: return expr.place->type;
      case Op::call: return check.program_.functions[expr.function].result;
      case Op::conditional: {
        const Type* yes = type_of(*expr.operands[1]);
        return is_number(yes) ? type_of(*expr.operands[2]) : yes;
      }
      default: return nullptr;
    }
  }

  Groups values(const Expr& expr) const {
    if (expr.op == Op::conditional) {
      Groups both = values(*expr.operands[1]);
      both.merge(values(*expr.operands[2]));
      return both;
    }
    const Type* type = type_of(expr);
    return type != nullptr && type->is_scalar() ? check.groups_of(*type) : Groups{};
  }

  // Identities must stay identities, and numbers must not become identities.
  void flows(const Expr& from, const Type* to) {
    constexpr const char* kWhy = "an identity is mixed with a number";
    if (to != nullptr && !to->is_scalar()) return;
    if (is_number(to)) return check.blame(values(from), from.position, kWhy);
    if (is_number(type_of(from))) check.blame(check.groups_of(*to), from.position, kWhy);
  }

  Checker& check;
  const Frame& frame;
  const Type* result;
  struct Compared {
    SlotIndex a, b;
    Position position;
  };
  std::map<SlotIndex, std::vector<Numbered>> numbers;  // slots that are numbers of elements
  std::map<SlotIndex, std::size_t> uses, allowed;
  std::map<SlotIndex, const Range*> ranges;
  std::vector<Compared> compared;
  std::set<FunctionIndex> called;
  std::set<const Type*> added, swept;                  // bags
  std::map<const Type*, std::set<SlotIndex>> removed;  // by which numbers
};

void Checker::examine(const Header& header, const Expr* condition, const Body& body) {
  for (const Parameter& parameter : header.parameters) examine(header, parameter);
  Look look(*this, header.frame, nullptr);
  walk(header.bindings, look);
  if (condition != nullptr) walk(*condition, look);
  walk(body, look);
  look.examine_numbers(header.parameters);
  // Functions that the rule calls add and remove elements as well.
  std::set<FunctionIndex> met;
  std::vector<FunctionIndex> next(look.called.begin(), look.called.end());
  while (!next.empty()) {
    const FunctionIndex index = next.back();
    next.pop_back();
    if (!met.insert(index).second) continue;
    const Function& function = program_.functions[index];
    Look inside(*this, function.frame, function.result);
    walk(function.body, inside);
    look.added.merge(inside.added);
    look.swept.merge(inside.swept);
    for (const auto& [bag, slots] : inside.removed) look.swept.insert(bag);
    next.insert(next.end(), inside.called.begin(), inside.called.end());
  }
  called_.merge(met);
  look.examine_removals(header.parameters);
}

void Checker::examine(const Frame& frame, const Body& body, const Type* result) {
  Look look(*this, frame, result);
  walk(body, look);
  look.examine_numbers({});
}

void Checker::examine(const Header& header, const Parameter& parameter) {
  const Type* type = header.frame[parameter.slot].type;
  if (type == nullptr) return;
  const std::set<Value> values(parameter.values.begin(), parameter.values.end());
  for (const std::size_t g : groups_of(*type)) {
    const Interval& all = program_.symmetries[g].identities;
    const auto size = static_cast<std::size_t>(all.high - all.low) + 1;
    const auto some = static_cast<std::size_t>(
        std::distance(values.lower_bound(all.low), values.upper_bound(all.high)));
    if (some != 0 && (some != size || values.size() != parameter.values.size()))
      blame({g}, header.position, "this involves some of its identities, but not all of them");
  }
}

}  // namespace

std::vector<Asymmetry> asymmetries(const Program& program) {
  if (program.symmetries.empty()) return {};
  return Checker(program).run();
}

}  // namespace spillway::program
