#include "program/execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/process/stop_request.h"
#include "program/layout.h"

namespace spillway::program {
namespace {

constexpr std::size_t kMostMemory = std::size_t{1} << 26;  // scalars

std::size_t slot_cells(const Slot& slot) {
  return slot.holds == Holds::value ? cells(*slot.type) : 1;
}

}  // namespace

bool shift(Value a, Value by, Value& result) {
  if (by >= 64 || a == 0) return result = 0, true;
  if (by <= 0) return result = a >> std::min<Value>(-by, 63), true;
  return by < 63 && !__builtin_mul_overflow(a, Value{1} << by, &result);
}

bool graver(const Failed& a, const Failed& b) {
  const auto order = [](const Failed& f) {
    return std::tuple(f.assertion != kNoAssertion, f.assertion, f.position.line, f.position.column);
  };
  return order(a) < order(b);
}

// The turns of a loop.  If all failures are wanted, a turn that fails does not prevent the others,
// and the gravest failure is thrown at the end.  It is the same for every order of the turns.
class Execution::Turns {
 public:
  Turns(Execution& of, bool unordered) : of_(of), all_(unordered && of.all_failures_) {}

  template <class Turn>
  void take(Turn turn) {
    if (!all_) return turn();
    const Situation before = of_.now_;
    try {
      turn();
    } catch (Failed& failed) {
      of_.now_ = before;
      if (!gravest_ || graver(failed, *gravest_)) gravest_ = std::move(failed);
    } catch (const Discarded&) {
      end();  // in the order of the turns, the failure would have come first
      throw;
    }
  }
  void end() {
    if (gravest_) throw std::move(*gravest_);
  }

 private:
  Execution& of_;
  const bool all_;
  std::optional<Failed> gravest_;
};

Execution::Execution(const Program& program) : program_(program) {
  for (const Variable& variable : program.variables) {
    variable_cells_.push_back(state_cells_);
    state_cells_ += cells(*variable.type);
  }
  memory_.resize(state_cells_, kUndefined);
}

void Execution::fail(Position position, std::string what) const {
  throw Failed{position, std::move(what), kNoAssertion};
}

const std::vector<std::size_t>& Execution::offsets_of(const Frame& frame) {
  std::vector<std::size_t>& offsets = known_offsets_[&frame];
  if (!offsets.empty()) return offsets;
  std::size_t sum = 0;
  for (const Slot& slot : frame) {
    offsets.push_back(sum);
    sum += slot_cells(slot);
  }
  offsets.push_back(sum);
  return offsets;
}

void Execution::enter(const Header& header, const std::vector<Value>& arguments) {
  now_.frame = &header.frame;
  now_.offsets = &offsets_of(header.frame);
  now_.base = state_cells_;
  now_.top = now_.base + now_.offsets->back();
  memory_.resize(std::max(memory_.size(), now_.top));
  std::fill(memory_.begin() + static_cast<std::ptrdiff_t>(now_.base),
            memory_.begin() + static_cast<std::ptrdiff_t>(now_.top), kUndefined);
  now_.depth = 0;
  enter_slots(header.frame, 0);
  for (std::size_t i = 0; i < arguments.size(); ++i) bind(header.parameters[i].slot, arguments[i]);
  execute(header.bindings);
}

// Places ------------------------------------------------------------------------------------------

Execution::Cell Execution::place_cell(const Place& place) {
  Cell cell = 0;
  const Type* type = nullptr;
  if (place.in_state) {
    cell = variable_cells_[place.root];
    type = program_.variables[place.root].type;
  } else {
    const Slot& slot = (*now_.frame)[place.root];
    cell = slot_cell(place.root);
    if (slot.holds == Holds::reference) cell = static_cast<Cell>(memory_[cell]);
    type = slot.type;
  }
  for (const Selector& step : place.steps) cell = step_into(*type, step, cell, place, &type);
  return cell;
}

Execution::Cell Execution::step_into(const Type& type, const Selector& step, Cell cell,
                                     const Place& place, const Type** next) {
  if (!step.index) {
    *next = type.fields[step.field].type;
    return cell + field_cell(type, step.field);
  }
  *next = type.element;
  const Value index = scalar(*step.index);
  if (type.kind == Kind::array) {
    const std::uint64_t code = type.index->domain.code(index);
    if (code == 0)
      fail(step.index->position, fmt::format("index {} is out of range", type.index->text(index)));
    return cell + element_cell(type, code - 1);
  }
  if (index < 0 || static_cast<std::uint64_t>(index) >= type.capacity)
    fail(step.index->position, fmt::format("there is no element {} in the multiset", index));
  const Cell element = cell + element_cell(type, static_cast<std::uint64_t>(index));
  if (memory_[element - 1] == kUndefined)
    fail(place.position, fmt::format("there is no element {} in the multiset", index));
  return element;
}

std::string Execution::text(const Place& place) {
  std::string name =
      place.in_state ? program_.variables[place.root].name : (*now_.frame)[place.root].name;
  const Type* type =
      place.in_state ? program_.variables[place.root].type : (*now_.frame)[place.root].type;
  for (const Selector& step : place.steps) {
    if (!step.index) {
      name += "." + type->fields[step.field].name;
      type = type->fields[step.field].type;
    } else {
      const Value index = scalar(*step.index);
      name += fmt::format(
          "[{}]", type->kind == Kind::array ? type->index->text(index) : std::to_string(index));
      type = type->element;
    }
  }
  return name;
}

void Execution::undefine(Cell cell, const Type& type) {
  switch (type.kind) {
    case Kind::scalar: memory_[cell] = type.total ? type.domain.value(1) : kUndefined; break;
    case Kind::record:
      for (std::size_t i = 0; i < type.fields.size(); ++i)
        undefine(cell + field_cell(type, i), *type.fields[i].type);
      break;
    case Kind::array:
      for (std::uint64_t i = 0; i < type.index->domain.size(); ++i)
        undefine(cell + element_cell(type, i), *type.element);
      break;
    case Kind::bag:
      for (std::uint64_t i = 0; i < type.capacity; ++i) {
        memory_[cell + element_cell(type, i) - 1] = kUndefined;
        undefine(cell + element_cell(type, i), *type.element);
      }
      break;
  }
}

// Sets the current frame's slots from `first` on to what they are when the frame is entered.
void Execution::enter_slots(const Frame& frame, std::size_t first) {
  for (std::size_t i = first; i < frame.size(); ++i)
    if (frame[i].holds == Holds::value)
      undefine(slot_cell(static_cast<SlotIndex>(i)), *frame[i].type);
}

void Execution::clear(Cell cell, const Type& type) {
  switch (type.kind) {
    case Kind::scalar: memory_[cell] = type.domain.value(1); break;
    case Kind::record:
      for (std::size_t i = 0; i < type.fields.size(); ++i)
        clear(cell + field_cell(type, i), *type.fields[i].type);
      break;
    case Kind::array:
      for (std::uint64_t i = 0; i < type.index->domain.size(); ++i)
        clear(cell + element_cell(type, i), *type.element);
      break;
    case Kind::bag: undefine(cell, type); break;
  }
}

// Expressions -------------------------------------------------------------------------------------

Value Execution::scalar_or_undefined(const Expr& expr) {
  switch (expr.op) {
    case Op::read: return memory_[place_cell(*expr.place)];
    case Op::call: return memory_[call(expr)];
    default: return scalar(expr);
  }
}

Value Execution::unmarked_scalar(const Expr& expr) {
  switch (expr.op) {
    case Op::literal: return expr.value;
    case Op::slot: return memory_[slot_cell(expr.slot)];
    case Op::read:
    case Op::call: {
      const Value value = scalar_or_undefined(expr);
      if (value != kUndefined || expr.undefined == Undefined::counts) return value;
      fail(expr.position,
           fmt::format("{} is undefined{}",
                       expr.op == Op::read
                           ? text(*expr.place)
                           : "the result of " + program_.functions[expr.function].name,
                       expr.undefined == Undefined::differs ? program_.about_undefined : ""));
    }
    case Op::equal: {
      const Value left = scalar(*expr.operands[0]);
      return left == scalar(*expr.operands[1]) ? 1 : 0;
    }
    case Op::unequal: {
      const Value left = scalar(*expr.operands[0]);
      return left != scalar(*expr.operands[1]) ? 1 : 0;
    }
    case Op::less: {
      const Value left = scalar(*expr.operands[0]);
      return left < scalar(*expr.operands[1]) ? 1 : 0;
    }
    case Op::less_equal: {
      const Value left = scalar(*expr.operands[0]);
      return left <= scalar(*expr.operands[1]) ? 1 : 0;
    }
    case Op::logical_not: return holds(*expr.operands[0]) ? 0 : 1;
    case Op::logical_and: return holds(*expr.operands[0]) && holds(*expr.operands[1]) ? 1 : 0;
    case Op::logical_or: return holds(*expr.operands[0]) || holds(*expr.operands[1]) ? 1 : 0;
    case Op::implies: return !holds(*expr.operands[0]) || holds(*expr.operands[1]) ? 1 : 0;
    case Op::conditional:
      return scalar(holds(*expr.operands[0]) ? *expr.operands[1] : *expr.operands[2]);
    case Op::for_all:
    case Op::exists: return quantified(expr);
    case Op::is_undefined: return memory_[place_cell(*expr.place)] == kUndefined ? 1 : 0;
    case Op::is_member: return expr.type->domain.contains(scalar(*expr.operands[0])) ? 1 : 0;
    case Op::bag_count: return bag_count(expr);
    default: return arithmetic(expr);
  }
}

Value Execution::arithmetic(const Expr& expr) {
  const Value a = scalar(*expr.operands[0]);
  const Value b = expr.operands.size() > 1 ? scalar(*expr.operands[1]) : 0;
  Value result = 0;
  bool overflow = false;
  switch (expr.op) {
    case Op::negate: overflow = __builtin_sub_overflow(Value{0}, a, &result); break;
    case Op::add: overflow = __builtin_add_overflow(a, b, &result); break;
    case Op::subtract: overflow = __builtin_sub_overflow(a, b, &result); break;
    case Op::multiply: overflow = __builtin_mul_overflow(a, b, &result); break;
    case Op::divide:
    case Op::remainder:
      if (b == 0) fail(expr.position, "division by zero");
      // No overflow: a is not INT64_MIN, which stands for undefined.
      result = expr.op == Op::divide ? a / b : a % b;
      break;
    case Op::bit_and: result = a & b; break;
    case Op::bit_or: result = a | b; break;
    case Op::bit_xor: result = a ^ b; break;
    case Op::bit_not: result = ~a; break;
    case Op::shift_left:
    case Op::shift_right: overflow = !shift(a, expr.op == Op::shift_left ? b : -b, result); break;
    default: throw Error(Fault::internal, "the interpreter does not know this kind of expression");
  }
  if (overflow || result == kUndefined) fail(expr.position, "the result does not fit in 64 bits");
  return result;
}

std::vector<Value> Execution::values(const Range& range) {
  std::vector<Value> all;
  const auto add = [&](Value value) {
    if (all.size() >= kMostValues)
      fail(range.from ? range.from->position : Position{}, "the range has too many values");
    all.push_back(value);
  };
  if (range.type != nullptr) {
    for (std::uint64_t code = 1; code <= range.type->domain.size(); ++code)
      add(range.type->domain.value(code));
    return all;
  }
  const Value from = scalar(*range.from);
  const Value to = scalar(*range.to);
  const Value by = range.by ? scalar(*range.by) : 1;
  if (by == 0) fail(range.by->position, "a loop with a step of 0 never ends");
  Value value = from;
  while (by > 0 ? value <= to : value >= to) {
    add(value);
    if (__builtin_add_overflow(value, by, &value)) break;
  }
  return all;
}

Value Execution::quantified(const Expr& expr) {
  const bool until = expr.op == Op::exists;
  bool met = false;
  Turns turns(*this, expr.range.unordered);
  for (const Value value : values(expr.range)) {
    stop_request::obey();
    turns.take([&] {
      bind(expr.slot, value);
      met = holds(*expr.operands[0]) == until || met;
    });
    if (met && !expr.range.unordered) break;
  }
  turns.end();
  return met == until ? 1 : 0;
}

void Execution::aggregate(const Expr& expr, std::vector<Value>& out) {
  const Cell from = expr.op == Op::call ? call(expr) : place_cell(*expr.place);
  const auto begin = memory_.begin() + static_cast<std::ptrdiff_t>(from);
  out.assign(begin, begin + static_cast<std::ptrdiff_t>(cells(*expr.type)));
}

// Functions ---------------------------------------------------------------------------------------

void Execution::pass(const Argument& argument, const Slot& parameter, Cell cell,
                     std::vector<Value>& copy) {
  if (parameter.holds == Holds::reference) {
    memory_[cell] = static_cast<Value>(place_cell(*argument.place));
  } else if (parameter.type != nullptr && !parameter.type->is_scalar()) {
    aggregate(*argument.value, copy);
    std::copy(copy.begin(), copy.end(), memory_.begin() + static_cast<std::ptrdiff_t>(cell));
  } else {
    const bool variable = parameter.holds == Holds::value && !parameter.type->total;
    const Value value = variable ? scalar_or_undefined(*argument.value) : scalar(*argument.value);
    store(cell, parameter.type, value, *argument.value, parameter.name);
  }
}

// The new frame lies after the current one.  Calls in the arguments use the same memory, so the
// values are gathered after the new frame and moved into it at the end.
Execution::Cell Execution::call(const Expr& expr) {
  const Function& function = program_.functions[expr.function];
  if (now_.depth >= kDeepestCall)
    fail(expr.position, fmt::format("calls of {} are nested too deeply", function.name));
  const std::vector<std::size_t>& offsets = offsets_of(function.frame);
  const std::size_t result_cells = function.result != nullptr ? cells(*function.result) : 0;
  const Cell result = now_.top;
  const Cell base = result + result_cells;
  const Cell top = base + offsets.back();
  if (top > kMostMemory)
    fail(expr.position, fmt::format("calls of {} need too much memory", function.name));
  if (memory_.size() < top) memory_.resize(std::max(top, memory_.size() * 2));
  std::fill(memory_.begin() + static_cast<std::ptrdiff_t>(result),
            memory_.begin() + static_cast<std::ptrdiff_t>(top), kUndefined);
  // A body that ends without a value leaves a record or array as before any assignment.
  if (result_cells != 0 && !function.result->is_scalar()) undefine(result, *function.result);
  const Cell old_top = now_.top;
  // Arguments are evaluated in the old frame.  Frames of their calls lie after the new one.
  now_.top = top;
  std::vector<Value> copy;
  for (std::size_t i = 0; i < function.parameters; ++i)
    pass(expr.arguments[i], function.frame[i], base + offsets[i], copy);

  const Situation before = now_;
  now_ = {base, top, &function.frame, &offsets, before.depth + 1, result, function.result};
  enter_slots(function.frame, function.parameters);
  stop_request::obey();
  execute(function.body);
  now_ = before;
  now_.top = old_top;
  return result;
}

// Statements --------------------------------------------------------------------------------------

void Execution::store(Cell cell, const Type* type, Value value, const Expr& from,
                      const std::string& to) {
  if (value != kUndefined && type != nullptr && !type->domain.contains(value))
    fail(from.position, fmt::format("{} is outside the range of {}", type->text(value), to));
  memory_[cell] = value;
}

void Execution::assign(const Statement& statement) {
  const Place& place = *statement.place;
  if (!place.type->is_scalar()) {
    std::vector<Value> copy;
    aggregate(*statement.value, copy);
    std::copy(copy.begin(), copy.end(),
              memory_.begin() + static_cast<std::ptrdiff_t>(place_cell(place)));
    return;
  }
  const bool any = statement.undefined_allowed && !place.type->total;
  const Value value = any ? scalar_or_undefined(*statement.value) : scalar(*statement.value);
  const Cell cell = place_cell(place);
  if (value != kUndefined && !place.type->domain.contains(value))
    fail(statement.position,
         fmt::format("{} is outside the range of {}", place.type->text(value), text(place)));
  memory_[cell] = value;
  mark(statement);
  mark_value(statement, value);
}

void Execution::mark_value(const Statement& statement, Value value) {
  if (!statement.marks_value) return;
  for (const MarkedValues& some : program_.marked_values)
    if (some.interval.low <= value && value <= some.interval.high)
      mark(some.first_mark + static_cast<std::uint32_t>(value - some.interval.low));
}

Execution::Flow Execution::execute(const Body& body) {
  for (const auto& statement : body)
    if (execute(*statement) == Flow::leave) return Flow::leave;
  return Flow::next;
}

Execution::Flow Execution::execute(const Statement& statement) {
  switch (statement.what) {
    case Do::assign: assign(statement); return Flow::next;
    case Do::bind_value: {
      const Slot& slot = (*now_.frame)[statement.slot];
      if (slot.holds == Holds::value && !slot.type->is_scalar()) {
        std::vector<Value> copy;
        aggregate(*statement.value, copy);
        std::copy(copy.begin(), copy.end(),
                  memory_.begin() + static_cast<std::ptrdiff_t>(slot_cell(statement.slot)));
      } else {
        store(slot_cell(statement.slot), slot.type, scalar(*statement.value), *statement.value,
              slot.name);
      }
      return Flow::next;
    }
    case Do::bind_place:
      bind(statement.slot, static_cast<Value>(place_cell(*statement.place)));
      return Flow::next;
    case Do::undefine:
      undefine(place_cell(*statement.place), *statement.place->type);
      return Flow::next;
    case Do::clear:
      clear(place_cell(*statement.place), *statement.place->type);
      mark(statement);
      return Flow::next;
    case Do::choose:
      for (const Branch& branch : statement.branches)
        if (!branch.condition || holds(*branch.condition)) return execute(branch.body);
      return Flow::next;
    case Do::loop_over: return loop_over(statement);
    case Do::loop_while: return loop_while(statement);
    case Do::call: call(*statement.value); return Flow::next;
    case Do::leave:
      if (statement.value) {
        const Expr& value = *statement.value;
        if (value.type == nullptr || value.type->is_scalar()) {
          store(now_.result, now_.result_type, scalar(value), value, "the result");
        } else {
          std::vector<Value> copy;
          aggregate(value, copy);
          std::copy(copy.begin(), copy.end(),
                    memory_.begin() + static_cast<std::ptrdiff_t>(now_.result));
        }
      }
      return Flow::leave;
    case Do::fail: fail(statement.position, statement.text);
    case Do::require:
      if (!holds(*statement.value))
        throw Failed{statement.position, statement.text, statement.property};
      return Flow::next;
    case Do::discard_unless:
      if (!holds(*statement.value)) throw Discarded{statement.counter};
      return Flow::next;
    case Do::cover:
      if (holds(*statement.value)) mark(statement);
      return Flow::next;
    case Do::bag_add: bag_add(statement); return Flow::next;
    case Do::bag_remove: bag_remove(statement); return Flow::next;
    case Do::bag_remove_if: bag_remove_if(statement); return Flow::next;
  }
  return Flow::next;
}

Execution::Flow Execution::loop_over(const Statement& loop) {
  Flow flow = Flow::next;
  Turns turns(*this, loop.range.unordered);
  for (const Value value : values(loop.range)) {
    stop_request::obey();
    turns.take([&] {
      bind(loop.slot, value);
      flow = execute(loop.branches[0].body);
    });
    if (flow == Flow::leave) break;
  }
  turns.end();
  return flow;
}

Execution::Flow Execution::loop_while(const Statement& loop) {
  const std::uint64_t most = program_.loop_limit != 0 ? program_.loop_limit : kMostTurns;
  for (std::uint64_t turn = 0; holds(*loop.branches[0].condition); ++turn) {
    stop_request::obey();
    if (turn == most)
      fail(loop.position, fmt::format("the loop has not ended after {} iterations", most));
    if (execute(loop.branches[0].body) == Flow::leave) return Flow::leave;
  }
  return Flow::next;
}

// Bags --------------------------------------------------------------------------------------------

Value Execution::bag_count(const Expr& expr) {
  const Type& bag = *expr.place->type;
  const Cell cell = place_cell(*expr.place);
  Value count = 0;
  Turns turns(*this, true);
  for (std::uint64_t i = 0; i < bag.capacity; ++i) {
    if (memory_[cell + element_cell(bag, i) - 1] == kUndefined) continue;
    turns.take([&] {
      bind(expr.slot, static_cast<Value>(i));
      count += holds(*expr.operands[0]) ? 1 : 0;
    });
  }
  turns.end();
  return count;
}

void Execution::bag_add(const Statement& statement) {
  const Type& bag = *statement.place->type;
  std::vector<Value> copy;
  if (bag.element->is_scalar())
    copy.push_back(scalar(*statement.value));
  else
    aggregate(*statement.value, copy);
  if (bag.element->is_scalar() && copy[0] != kUndefined && !bag.element->domain.contains(copy[0]))
    fail(statement.position, fmt::format("{} is outside the range of the multiset's elements",
                                         bag.element->text(copy[0])));
  const Cell cell = place_cell(*statement.place);
  for (std::uint64_t i = 0; i < bag.capacity; ++i) {
    const Cell element = cell + element_cell(bag, i);
    if (memory_[element - 1] != kUndefined) continue;
    memory_[element - 1] = 1;
    std::copy(copy.begin(), copy.end(), memory_.begin() + static_cast<std::ptrdiff_t>(element));
    mark(statement);
    if (bag.element->is_scalar()) mark_value(statement, copy[0]);
    return;
  }
  fail(statement.position, fmt::format("the multiset {} is full", text(*statement.place)));
}

void Execution::bag_remove(const Statement& statement) {
  const Type& bag = *statement.place->type;
  const Value number = scalar(*statement.value);
  const Cell cell = place_cell(*statement.place);
  if (number < 0 || static_cast<std::uint64_t>(number) >= bag.capacity ||
      memory_[cell + element_cell(bag, static_cast<std::uint64_t>(number)) - 1] == kUndefined)
    fail(statement.position, fmt::format("there is no element {} in the multiset", number));
  const Cell element = cell + element_cell(bag, static_cast<std::uint64_t>(number));
  memory_[element - 1] = kUndefined;
  undefine(element, *bag.element);
}

void Execution::bag_remove_if(const Statement& statement) {
  const Type& bag = *statement.place->type;
  const Cell cell = place_cell(*statement.place);
  std::vector<Cell> chosen;
  Turns turns(*this, true);
  for (std::uint64_t i = 0; i < bag.capacity; ++i) {
    const Cell element = cell + element_cell(bag, i);
    if (memory_[element - 1] == kUndefined) continue;
    turns.take([&] {
      bind(statement.slot, static_cast<Value>(i));
      if (holds(*statement.value)) chosen.push_back(element);
    });
  }
  turns.end();
  for (const Cell element : chosen) {
    memory_[element - 1] = kUndefined;
    undefine(element, *bag.element);
  }
}

}  // namespace spillway::program
