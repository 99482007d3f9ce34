#include "program/narrow.h"

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "program/value_ranges.h"
#include "program/walk.h"

namespace spillway::program {
namespace {

bool has_bag(const Type& type) {
  if (type.kind == Kind::bag) return true;
  if (type.kind == Kind::array) return has_bag(*type.element);
  for (const Field& field : type.fields)
    if (has_bag(*field.type)) return true;
  return false;
}

// Variables whose parts are used in ways that the ranges do not follow: as a whole, by reference,
// or undefined.
struct Untouchable : Visitor {
  using Visitor::operator();
  void operator()(const Statement& statement) {
    if (!statement.place) return;
    const bool whole = statement.what == Do::assign && !statement.place->type->is_scalar();
    if (whole || statement.what == Do::bind_place || statement.what == Do::undefine)
      add(*statement.place);
  }
  void operator()(const Expr& expr) {
    if (expr.op == Op::read && !expr.place->type->is_scalar()) add(*expr.place);
    for (const Argument& argument : expr.arguments)
      if (argument.place) add(*argument.place);
  }
  void add(const Place& place) {
    if (place.in_state) variables.insert(place.root);
  }
  std::set<std::uint32_t> variables;
};

// Calls in expressions of functions that change the state.  The ranges do not know when they run.
bool has_side_effects(const Program& program) {
  struct Writes : Visitor {
    using Visitor::operator();
    void operator()(const Statement& statement) {
      found = found || statement.what == Do::call || (statement.place && statement.place->in_state);
    }
    void operator()(const Expr& expr) {
      for (const Argument& argument : expr.arguments) found = found || argument.place;
    }
    bool found = false;
  };
  struct Calls : Visitor {
    using Visitor::operator();
    void operator()(const Statement& statement) {
      if (statement.what == Do::call) statements.insert(statement.value.get());
    }
    void operator()(const Expr& expr) {
      found = found || (expr.op == Op::call && writers.contains(expr.function) &&
                        !statements.contains(&expr));
    }
    std::set<FunctionIndex> writers;
    std::set<const Expr*> statements;
    bool found = false;
  } calls;
  for (FunctionIndex i = 0; i < program.functions.size(); ++i) {
    Writes writes;
    walk(program.functions[i].body, writes);
    if (writes.found) calls.writers.insert(i);
  }
  walk(program, calls);
  return calls.found;
}

class Narrowing {
 public:
  Narrowing(Program& program, const std::set<std::uint32_t>& untouchable)
      : program_(program), ranges_(program, untouchable) {
    for (std::uint32_t i = 0; i < program_.variables.size(); ++i) {
      std::size_t scalar = 0;
      if (untouchable.contains(i)) continue;
      types_.emplace_back(i, narrowed(program_.variables[i].type, i, scalar));
    }
    for (const auto& [variable, type] : types_) program_.variables[variable].type = type;
  }

 private:
  // Returns the same type or a narrower one.
  const Type* narrowed(const Type* type, std::uint32_t variable, std::size_t& scalar) {
    Type copy = *type;
    bool changed = false;
    switch (type->kind) {
      case Kind::scalar: {
        const std::optional<Interval> values = ranges_.of(variable, scalar++);
        if (!values || !type->total || type->domain.intervals().size() != 1) return type;
        if (*values == type->domain.intervals().front()) return type;
        const Type*& known = scalars_[{type, values->low, values->high}];
        if (known != nullptr) return known;
        copy.domain = Domain({*values});
        return known = &program_.types.emplace_back(std::move(copy));
      }
      case Kind::record:
        for (Field& field : copy.fields) {
          const Type* const narrow = narrowed(field.type, variable, scalar);
          changed = changed || narrow != field.type;
          field.type = narrow;
        }
        break;
      default:
        copy.element = narrowed(type->element, variable, scalar);
        changed = copy.element != type->element;
    }
    return changed ? &program_.types.emplace_back(std::move(copy)) : type;
  }

  Program& program_;
  const ValueRanges ranges_;
  std::vector<std::pair<std::uint32_t, const Type*>> types_;
  std::map<std::tuple<const Type*, Value, Value>, const Type*> scalars_;
};

// Derives the types of places from those of their variables.
struct Retyping : Changer {
  using Changer::operator();
  void operator()(Place& place) {
    if (place.in_state) place.type = type_of(place);
  }
  void operator()(Expr& expr) {
    if (expr.op == Op::read && expr.place->in_state && expr.type == expr.place->type)
      expr.type = type_of(*expr.place);
  }
  const Type* type_of(const Place& place) const {
    const Type* type = program->variables[place.root].type;
    for (const Selector& step : place.steps)
      type = type->kind == Kind::record ? type->fields[step.field].type : type->element;
    return type;
  }
  const Program* program;
};

}  // namespace

void narrow(Program& program) {
  if (has_side_effects(program)) return;
  Untouchable untouchable;
  walk(program, untouchable);
  for (std::uint32_t i = 0; i < program.variables.size(); ++i)
    if (has_bag(*program.variables[i].type)) untouchable.variables.insert(i);
  Narrowing(program, untouchable.variables);
  Retyping retyping;
  retyping.program = &program;
  walk(program, retyping);
}

}  // namespace spillway::program
