#include "program/value_ranges.h"

#include <algorithm>

#include "program/walk.h"

namespace spillway::program {
namespace {

constexpr unsigned kPatience = 6;  // growths before an interval jumps

Interval either(Interval a, Interval b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

// Keeps what is known on both paths.
template <class Key>
void join(std::map<Key, Interval>& into, const std::map<Key, Interval>& other) {
  for (auto one = into.begin(); one != into.end();) {
    const auto same = other.find(one->first);
    if (same == other.end()) {
      one = into.erase(one);
    } else {
      one->second = either(one->second, same->second);
      ++one;
    }
  }
}

}  // namespace

class ValueRanges::KnownHere final : public Known {
 public:
  KnownHere(const ValueRanges& ranges, const Frame& frame, const Here& here)
      : ranges_(ranges), frame_(frame), here_(here) {}

  Interval slot(SlotIndex slot) const override {
    const auto known = here_.slots.find(slot);
    return known == here_.slots.end() ? bounds(frame_[slot].type) : known->second;
  }
  Interval read(const Place& place) const override {
    if (!place.in_state) return bounds(place.type);
    const Cell cell = ranges_.cell_of(place);
    const auto known = here_.cells.find(cell);
    if (known != here_.cells.end() && !is_element(place)) return known->second;
    return ranges_.cells_[cell].value_or(bounds(place.type));
  }
  Interval call(FunctionIndex function) const override {
    return bounds(ranges_.program_.functions[function].result);
  }

 private:
  const ValueRanges& ranges_;
  const Frame& frame_;
  const Here& here_;
};

ValueRanges::ValueRanges(Program& program, const std::set<std::uint32_t>& unknown)
    : program_(program) {
  for (const Variable& variable : program.variables) {
    first_.push_back(cells_.size());
    cells_.resize(cells_.size() + scalars(*variable.type));
  }
  growths_.resize(cells_.size());
  find_thresholds();
  Cell cell = 0;
  for (std::uint32_t i = 0; i < program.variables.size(); ++i)
    each_scalar(*program.variables[i].type, cell, [&](const Type& type, Cell each) {
      if (unknown.contains(i)) cells_[each] = bounds(&type);
      // The starts assign scalars that do not begin with zero.
      else if (type.domain.value(1) == 0)
        cells_[each] = Interval{0, 0};
    });
  do {
    grown_ = false;
    for (const Rule& rule : program.starts) execute(rule.header, rule.guard.get(), rule.body);
    if (program.failure_state)
      execute(program.failure_state->header, nullptr, program.failure_state->body);
    for (const Rule& rule : program.rules) execute(rule.header, rule.guard.get(), rule.body);
    for (const Function& function : program.functions) {
      Here here;
      execute(function.body, function.frame, here);
    }
  } while (grown_);
}

std::size_t ValueRanges::scalars(const Type& type) {
  switch (type.kind) {
    case Kind::scalar: return 1;
    case Kind::record: {
      std::size_t sum = 0;
      for (const Field& field : type.fields) sum += scalars(*field.type);
      return sum;
    }
    default: return scalars(*type.element);
  }
}

ValueRanges::Cell ValueRanges::cell_of(const Place& place) const {
  Cell cell = first_[place.root];
  const Type* type = program_.variables[place.root].type;
  for (const Selector& step : place.steps) {
    if (type->kind != Kind::record) {
      type = type->element;
      continue;
    }
    for (std::size_t i = 0; i < step.field; ++i) cell += scalars(*type->fields[i].type);
    type = type->fields[step.field].type;
  }
  return cell;
}

bool ValueRanges::is_element(const Place& place) {
  return std::any_of(place.steps.begin(), place.steps.end(),
                     [](const Selector& step) { return step.index != nullptr; });
}

void ValueRanges::find_thresholds() {
  struct Literals : Visitor {
    using Visitor::operator();
    void operator()(const Expr& expr) {
      if (expr.op != Op::literal || expr.value == kUndefined) return;
      found->insert(expr.value);
      if (expr.value > kAnyNumber.low) found->insert(expr.value - 1);
      if (expr.value < kAnyNumber.high) found->insert(expr.value + 1);
    }
    std::set<Value>* found;
  } literals;
  literals.found = &thresholds_;
  walk_without_propositions(program_, literals);  // the same rows for every formula
}

template <class Visit>
void ValueRanges::each_scalar(const Type& type, Cell& cell, Visit visit) {
  switch (type.kind) {
    case Kind::scalar: visit(type, cell++); break;
    case Kind::record:
      for (const Field& field : type.fields) each_scalar(*field.type, cell, visit);
      break;
    default: each_scalar(*type.element, cell, visit);
  }
}

void ValueRanges::grow(Cell cell, const Type& type, Interval values) {
  std::optional<Interval>& known = cells_[cell];
  if (known && inside(values, *known)) return;
  Interval wanted = known ? either(*known, values) : values;
  if (known && ++growths_[cell] > kPatience) {
    const Interval all = bounds(&type);
    if (wanted.low < known->low) {
      const auto above = thresholds_.upper_bound(wanted.low);
      wanted.low = above == thresholds_.begin() ? all.low : std::max(all.low, *std::prev(above));
    }
    if (wanted.high > known->high) {
      const auto next = thresholds_.lower_bound(wanted.high);
      wanted.high = next == thresholds_.end() ? all.high : std::min(all.high, *next);
    }
  }
  known = wanted;
  grown_ = true;
}

Interval ValueRanges::value(const Expr& expr, const Frame& frame, const Here& here) const {
  return bounds(expr, KnownHere(*this, frame, here));
}

void ValueRanges::execute(const Header& header, const Expr* guard, const Body& body) {
  Here here;
  for (const Parameter& parameter : header.parameters) {
    if (parameter.values.empty()) return;
    const auto [low, high] = std::minmax_element(parameter.values.begin(), parameter.values.end());
    here.slots[parameter.slot] = {*low, *high};
  }
  if (execute(header.bindings, header.frame, here) == End::never) return;
  if (guard != nullptr && refine(*guard, true, header.frame, here) == End::never) return;
  execute(body, header.frame, here);
}

ValueRanges::End ValueRanges::execute(const Body& body, const Frame& frame, Here& here) {
  for (const auto& statement : body)
    if (execute(*statement, frame, here) == End::never) return End::never;
  return End::reached;
}

ValueRanges::End ValueRanges::execute(const Statement& statement, const Frame& frame, Here& here) {
  switch (statement.what) {
    case Do::assign: {
      if (!statement.place->type->is_scalar() || !statement.place->in_state) return End::reached;
      const auto fitting =
          both(value(*statement.value, frame, here), bounds(statement.place->type));
      if (!fitting) return may_be_undefined(*statement.value) ? End::reached : End::never;
      assign(*statement.place, *fitting, here);
      return End::reached;
    }
    case Do::bind_value: {
      const Slot& slot = frame[statement.slot];
      if (slot.type != nullptr && !slot.type->is_scalar()) return End::reached;
      const auto fitting = both(value(*statement.value, frame, here), bounds(slot.type));
      if (!fitting) return may_be_undefined(*statement.value) ? End::reached : End::never;
      if (slot.holds == Holds::constant) here.slots[statement.slot] = *fitting;
      return End::reached;
    }
    case Do::clear: {
      if (!statement.place->in_state) return End::reached;
      Cell cell = cell_of(*statement.place);
      each_scalar(*statement.place->type, cell, [&](const Type& type, Cell each) {
        grow(each, type, {type.domain.value(1), type.domain.value(1)});
      });
      here.cells.clear();
      return End::reached;
    }
    case Do::choose: return choose(statement, frame, here);
    case Do::loop_over: here.slots.erase(statement.slot); [[fallthrough]];
    case Do::loop_while: {  // what earlier iterations leave is not known
      here = {};
      execute(statement.branches[0].body, frame, here);
      here = {};
      return End::reached;
    }
    case Do::call: here.cells.clear(); return End::reached;
    case Do::leave:
    case Do::fail: return End::never;
    case Do::require:
    case Do::discard_unless: return refine(*statement.value, true, frame, here);
    default: return End::reached;
  }
}

ValueRanges::End ValueRanges::choose(const Statement& statement, const Frame& frame, Here& here) {
  std::optional<Here> after;
  const auto reach = [&](const Here& end) {
    if (!after) {
      after = end;
      return;
    }
    join(after->cells, end.cells);
    join(after->slots, end.slots);
  };
  End others = End::reached;  // whether the next branch can be reached
  for (const Branch& branch : statement.branches) {
    Here inside = here;
    const bool taken =
        !branch.condition || refine(*branch.condition, true, frame, inside) == End::reached;
    if (taken && execute(branch.body, frame, inside) == End::reached) reach(inside);
    others = branch.condition ? refine(*branch.condition, false, frame, here) : End::never;
    if (others == End::never) break;
  }
  if (others == End::reached) reach(here);
  if (!after) return End::never;
  here = std::move(*after);
  return End::reached;
}

void ValueRanges::assign(const Place& place, Interval values, Here& here) {
  const Cell cell = cell_of(place);
  grow(cell, *place.type, values);
  if (!is_element(place)) here.cells[cell] = values;
}

ValueRanges::End ValueRanges::refine(const Expr& condition, bool truth, const Frame& frame,
                                     Here& here) const {
  const auto operand = [&](std::size_t i) -> const Expr& { return *condition.operands[i]; };
  switch (condition.op) {
    case Op::literal: return (condition.value != 0) == truth ? End::reached : End::never;
    case Op::logical_not: return refine(operand(0), !truth, frame, here);
    case Op::logical_and:
    case Op::logical_or:
      if (truth != (condition.op == Op::logical_and)) return End::reached;
      if (refine(operand(0), truth, frame, here) == End::never) return End::never;
      return refine(operand(1), truth, frame, here);
    case Op::equal:
    case Op::unequal:
      return refine_comparison((condition.op == Op::equal) == truth ? Op::equal : Op::unequal,
                               operand(0), operand(1), frame, here);
    case Op::less:
      return truth ? refine_comparison(Op::less, operand(0), operand(1), frame, here)
                   : refine_comparison(Op::less_equal, operand(1), operand(0), frame, here);
    case Op::less_equal:
      return truth ? refine_comparison(Op::less_equal, operand(0), operand(1), frame, here)
                   : refine_comparison(Op::less, operand(1), operand(0), frame, here);
    default: return End::reached;
  }
}

ValueRanges::End ValueRanges::refine_comparison(Op op, const Expr& a, const Expr& b,
                                                const Frame& frame, Here& here) const {
  const auto rest = refined(op, {value(a, frame, here), may_be_undefined(a)},
                            {value(b, frame, here), may_be_undefined(b)});
  if (!rest || bound(a, rest->first, frame, here) == End::never) return End::never;
  return op == Op::unequal ? End::reached : bound(b, rest->second, frame, here);
}

ValueRanges::End ValueRanges::bound(const Expr& expr, Interval values, const Frame& frame,
                                    Here& here) const {
  const auto rest = both(value(expr, frame, here), values);
  if (!rest) return End::never;
  if (expr.op == Op::slot) here.slots[expr.slot] = *rest;
  if (expr.op == Op::read && expr.place->in_state && !is_element(*expr.place))
    here.cells[cell_of(*expr.place)] = *rest;
  return End::reached;
}

}  // namespace spillway::program
