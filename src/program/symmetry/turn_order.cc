#include "program/symmetry/turn_order.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "program/bounds.h"
#include "program/can_fail.h"
#include "program/symmetry/accesses.h"
#include "program/symmetry/call_stack.h"
#include "program/symmetry/dependence.h"
#include "program/walk.h"

namespace spillway::program {
namespace {

// The loops, quantifiers and counts of functions.
struct Loops : Visitor {
  using Visitor::operator();
  void operator()(const Expr& expr) {
    if (expr.op == Op::call) called.push_back(expr.function);
    if (expr.op == Op::for_all || expr.op == Op::exists)
      all.push_back({&expr.range, nullptr, expr.position});
    if (expr.op == Op::bag_count) all.push_back({nullptr, expr.place->type, expr.position});
  }
  void operator()(const Statement& s) {
    if (s.what == Do::loop_over) all.push_back({&s.range, nullptr, s.position});
    if (s.what == Do::bag_remove_if) all.push_back({nullptr, s.place->type, s.position});
  }
  std::vector<FunctionIndex> called;
  std::vector<Loop> all;
};

// Those of a function and of all that it calls.
Loops loops_in(const Program& program, FunctionIndex function) {
  Loops loops;
  loops.called.push_back(function);
  std::set<FunctionIndex> met;
  while (!loops.called.empty()) {
    const FunctionIndex next = loops.called.back();
    loops.called.pop_back();
    if (met.insert(next).second) walk(program.functions[next].body, loops);
  }
  return loops;
}

}  // namespace

// One rule or property.
class TurnOrder::Walk {
 public:
  Walk(TurnOrder& order, const Frame& frame) : order_(order), calls_(order.program_, frame) {
    enter(0);
  }

  void header(const Header& header, Accesses& out) {
    for (const Parameter& parameter : header.parameters) bind(parameter.slot, fresh());
    body(header.bindings, out);
  }

  void body(const Body& body, Accesses& out) {
    for (const StatementPtr& one : body)
      if (locals_.now.reached) statement(*one, out);
  }

  // Returns what is known about the value.
  Content expr(const Expr& e, Accesses& out) {
    work_.add();
    const auto operand = [&](std::size_t i) { return expr(*e.operands[i], out); };
    switch (e.op) {
      case Op::literal: return literal(static_cast<std::uint64_t>(e.value));
      case Op::slot: return known(e.slot);
      case Op::read: {
        const Path path = resolve(*e.place, out);
        access(path, Does::reads, e.position, out);
        return content(*e.place, path);
      }
      case Op::is_undefined: {
        const Path path = resolve(*e.place, out);
        access(path, Does::reads, e.position, out);
        return is_undefined(content(*e.place, path).scalar());
      }
      case Op::call: return call_of(e, out);
      case Op::logical_not: {
        const auto is = operand(0).truth();
        return is ? literal(*is ? 0 : 1) : Content();
      }
      case Op::logical_and: return connected(e, true, false, out);
      case Op::logical_or: return connected(e, false, true, out);
      case Op::implies: return connected(e, true, true, out);
      case Op::equal:
      case Op::unequal: {
        const auto a = operand(0).scalar();
        const auto b = operand(1).scalar();
        const auto same = are_equal(a, b);
        return same ? literal(*same == (e.op == Op::equal) ? 1 : 0) : Content();
      }
      case Op::is_member: {
        const auto value = operand(0).scalar();
        if (!value || value->is != Meaning::Is::literal) return {};
        return literal(e.type->domain.contains(static_cast<Value>(value->number)) ? 1 : 0);
      }
      case Op::conditional: {
        if (const auto is = operand(0).truth()) return operand(*is ? 1 : 2);
        Flow no = locals_.now;
        const Content one = operand(1);
        std::swap(locals_.now, no);
        const Content other = operand(2);
        locals_.now.join(no);
        return one == other ? one : Content();
      }
      case Op::for_all:
      case Op::exists:
        ends(e.range, out);
        turns({&e.range, nullptr, e.position}, e.slot, out,
              [&](Accesses& turn) { expr(*e.operands[0], turn); });
        return {};
      case Op::bag_count: {
        const Path bag = resolve(*e.place, out);
        turns({nullptr, e.place->type, e.position}, e.slot, out, [&](Accesses& turn) {
          access(bag, Does::reads, e.position, turn);
          expr(*e.operands[0], turn);
        });
        return {};
      }
      default:
        for (const ExprPtr& one : e.operands) expr(*one, out);
        return {};
    }
  }

 private:
  Call& call() { return calls_.top(); }
  void bind(SlotIndex slot, Meaning value) { call().values[slot] = value; }
  // A counter, or a parameter of a rule.
  Meaning fresh() { return calls_.fresh(CallStack::Defined::surely); }

  // Values ----------------------------------------------------------------------------------------

  static Content literal(std::uint64_t number) { return Meaning{Meaning::Is::literal, number}; }

  Content known(SlotIndex slot) {
    const std::optional<Meaning>& value = call().values[slot];
    return value ? Content(*value) : Content();
  }

  Content content(const Place& place, const Path& path) {
    if (!place.in_state && place.steps.empty() && call().values[place.root])
      return known(place.root);
    return surveys_ ? Content() : locals_.at(path);
  }

  Content is_undefined(const std::optional<Meaning>& value) {
    if (!value) return {};
    if (value->is != Meaning::Is::symbol) return literal(value->is == Meaning::Is::undefined);
    return calls_.is_defined(static_cast<Symbol>(value->number)) ? literal(0) : Content();
  }

  static std::optional<bool> are_equal(const std::optional<Meaning>& a,
                                       const std::optional<Meaning>& b) {
    if (!a || !b || a->is != b->is || a->is == Meaning::Is::undefined) return std::nullopt;
    if (a->is == Meaning::Is::symbol && a->number != b->number) return std::nullopt;
    return a->number == b->number;
  }

  // Of two truth values.  The second is evaluated if the first is `on`; otherwise, the result is
  // `off`.
  Content connected(const Expr& e, bool on, bool off, Accesses& out) {
    const auto first = expr(*e.operands[0], out).truth();
    if (first) return *first == on ? expr(*e.operands[1], out) : literal(off ? 1 : 0);
    const Flow without = locals_.now;
    const auto second = expr(*e.operands[1], out).truth();
    locals_.now.join(without);
    return second == off ? literal(off ? 1 : 0) : Content();
  }

  // Places ----------------------------------------------------------------------------------------

  static PathPart part(const Content& index) {
    const auto value = index.scalar();
    if (!value || value->is == Meaning::Is::undefined) return {PathPart::By::unknown};
    const bool literal = value->is == Meaning::Is::literal;
    return {literal ? PathPart::By::literal : PathPart::By::symbol, value->number};
  }

  // The path to a place.  Notes what is read on the way.
  Path resolve(const Place& place, Accesses& out) {
    work_.add();
    Path path = calls_.root(place);
    for (const Selector& step : place.steps)
      path.parts.push_back(step.index ? part(expr(*step.index, out))
                                      : PathPart{PathPart::By::field, step.field});
    return path;
  }

  // Reads what is there, or changes it: what it was before matters.
  void access(const Path& path, Does does, Position position, Accesses& out) {
    out.all.insert({path, does, {}, position});
    for (const auto& [loop, cell] : locals_.left_over(path))
      if (auto why = records_.read(loop, {cell, calls_.name(cell), position}))
        order_.tell_(records_.loop(loop), std::move(*why));
    if (does != Does::reads) locals_.spoil(path);
  }

  // What it was before does not matter.
  void replaces(Access access, const Content& content, Accesses& out) {
    if (!surveys_) locals_.replace(access.path, content);
    out.all.insert(std::move(access));
  }

  void ends(const Range& range, Accesses& out) {
    for (const ExprPtr* end : {&range.from, &range.to, &range.by})
      if (*end) expr(**end, out);
  }

  // Functions -------------------------------------------------------------------------------------

  // The variables of the frame, from the first, are undefined.
  void enter(std::size_t first) {
    exits_.push_back({false, {}});
    if (surveys_) return;
    for (std::size_t i = first; i < call().frame->size(); ++i) {
      if ((*call().frame)[i].holds != Holds::value) continue;
      const Path path{false, call().number, static_cast<std::uint32_t>(i), {}};
      locals_.replace(path, calls_.undefined(path));
    }
  }

  // A rule may call the same function many times.
  bool is_changed(const Function& function, SlotIndex slot) {
    const auto [place, fresh] = changed_.try_emplace({&function, slot}, false);
    if (fresh) place->second = changes(function, slot);
    return place->second;
  }

  Content call_of(const Expr& e, Accesses& out) {
    const Function& function = order_.program_.functions[e.function];
    Call callee = calls_.prepare(function.frame, &function);
    std::vector<Content> given(function.parameters);
    for (std::size_t i = 0; i < function.parameters; ++i) {
      const Argument& argument = e.arguments[i];
      if (function.frame[i].holds == Holds::reference) {
        callee.references[i] = resolve(*argument.place, out);
        continue;
      }
      given[i] = expr(*argument.value, out);
      const Type* type = function.frame[i].type;
      if (type != nullptr && !type->is_scalar()) continue;
      if (!given[i].scalar()) given[i] = calls_.fresh(CallStack::Defined::perhaps);
      if (!is_changed(function, static_cast<SlotIndex>(i))) callee.values[i] = given[i].scalar();
    }
    if (calls_.is_in(function)) {
      recurs(e, callee, out);
      return {};
    }
    const std::uint32_t number = callee.number;
    calls_.enter(std::move(callee));
    enter(function.parameters);
    for (std::uint32_t i = 0; i < function.parameters && !surveys_; ++i)
      if (function.frame[i].holds == Holds::value)
        locals_.replace({false, number, i, {}}, given[i]);
    Accesses inside;
    body(function.body, inside);
    locals_.now.join(exits_.back());
    exits_.pop_back();
    const Content result = locals_.at(calls_.result());
    calls_.leave();
    locals_.forget(number);
    std::erase_if(inside.all,
                  [&](const Access& one) { return !one.path.in_state && one.path.call == number; });
    inside.leaves.reset();
    out.add(std::move(inside));
    return result;
  }

  // The inner call may read and change what it is given, and nothing else that is not in the state.
  void recurs(const Expr& e, const Call& callee, Accesses& out) {
    out.recurs = e.position;
    for (const std::optional<Path>& path : callee.references)
      if (path) access(*path, Does::writes, e.position, out);
    if (!surveys_) give_up(e.function, e.position);
  }

  // What a recursive function refers to is unknown in its inner calls.  No loop in it, or in a
  // function that it calls, can be judged.
  void give_up(FunctionIndex function, Position position) {
    for (const Loop& loop : loops_in(order_.program_, function).all)
      if (order_.matters_(loop))
        order_.tell_(loop,
                     fmt::format("it is part of a recursive function, at line {}", position.line));
  }

  // Statements ------------------------------------------------------------------------------------

  void statement(const Statement& s, Accesses& out) {
    work_.add(1 + locals_.now.size() / 64);
    switch (s.what) {
      case Do::assign: return assign(s, out);
      case Do::bind_value: return bind_value(s, out);
      case Do::bind_place: call().references[s.slot] = resolve(*s.place, out); return;
      case Do::undefine: {
        const Path path = resolve(*s.place, out);
        return replaces({path, Does::undefines, {}, s.position},
                        path.in_state ? Content() : calls_.undefined(path), out);
      }
      case Do::clear:
        return replaces({resolve(*s.place, out), Does::clears, {}, s.position}, {}, out);
      case Do::choose: return choose(s, out);
      case Do::loop_over:
        ends(s.range, out);
        return turns({&s.range, nullptr, s.position}, s.slot, out,
                     [&](Accesses& turn) { body(s.branches[0].body, turn); });
      case Do::loop_while:
        return repeat(nullptr, out, [&](Accesses& turn) {
          expr(*s.branches[0].condition, turn);
          body(s.branches[0].body, turn);
          return kNoSymbol;
        });
      case Do::call: call_of(*s.value, out); return;
      case Do::leave:
        if (s.value) {
          const Content value = expr(*s.value, out);
          if (!surveys_) locals_.replace(calls_.result(), value);
        }
        out.leaves = s.position;
        exits_.back().join(locals_.now);
        locals_.now = {false, {}};
        return;
      case Do::fail: locals_.now = {false, {}}; return;
      case Do::require:
      case Do::cover: expr(*s.value, out); return;
      case Do::discard_unless:
        expr(*s.value, out);
        out.discards = s.position;
        return;
      case Do::bag_add:
        expr(*s.value, out);
        return access(resolve(*s.place, out), Does::puts, s.position, out);
      case Do::bag_remove: {
        const PathPart element = part(expr(*s.value, out));
        Path path = resolve(*s.place, out);
        path.parts.push_back(element);
        return access(path, Does::writes, s.position, out);
      }
      case Do::bag_remove_if: {
        const Path bag = resolve(*s.place, out);
        return turns({nullptr, s.place->type, s.position}, s.slot, out, [&](Accesses& turn) {
          expr(*s.value, turn);
          Path element = bag;
          element.parts.push_back(part(known(s.slot)));
          access(element, Does::writes, s.position, turn);
        });
      }
    }
  }

  void assign(const Statement& s, Accesses& out) {
    if (const std::optional<Does> gathers = gathering(s, out))
      return access(resolve(*s.place, out), *gathers, s.position, out);
    const Content content = expr(*s.value, out);
    Access written{resolve(*s.place, out), Does::writes, {}, s.position};
    const auto value = s.place->type->is_scalar() ? content.scalar() : std::nullopt;
    if (value && value->is != Meaning::Is::undefined) {
      written.does = Does::sets;
      written.to = *value;
    }
    replaces(std::move(written), content, out);
  }

  void bind_value(const Statement& s, Accesses& out) {
    const Content content = expr(*s.value, out);
    if ((*call().frame)[s.slot].holds == Holds::constant)
      return bind(s.slot, content.scalar().value_or(calls_.fresh(CallStack::Defined::perhaps)));
    if (!surveys_) locals_.replace({false, call().number, s.slot, {}}, content);
  }

  void choose(const Statement& s, Accesses& out) {
    Flow chosen{false, {}};
    for (const Branch& branch : s.branches) {
      const auto is = branch.condition ? expr(*branch.condition, out).truth() : true;
      if (is == false) continue;
      Flow others = locals_.now;
      if (is == true) others = {false, {}};
      body(branch.body, out);
      chosen.join(locals_.now);
      locals_.now = std::move(others);
      if (is == true) break;
    }
    locals_.now.join(chosen);
  }

  // x := x + e and similar, if e has one sign: then the sum leaves its range in every order or in
  // none.  x := x | e only if e cannot fail, because e is not always evaluated.  Notes what e
  // reads.
  std::optional<Does> gathering(const Statement& s, Accesses& out) {
    const Expr& value = *s.value;
    const bool sum = value.op == Op::add || value.op == Op::subtract;
    if (!sum && value.op != Op::logical_or && value.op != Op::logical_and) return std::nullopt;
    const auto is_it = [&](const Expr& e) { return e.op == Op::read && alike(*e.place, *s.place); };
    const bool left = is_it(*value.operands[0]);
    if (!left && !(value.op == Op::add && is_it(*value.operands[1]))) return std::nullopt;
    const Expr& rest = *value.operands[left ? 1 : 0];
    if (!sum) {
      if (can_fail(rest, *call().frame, order_.program_)) return std::nullopt;
      expr(rest, out);
      return value.op == Op::logical_or ? Does::joins : Does::meets;
    }
    const Interval signs = bounds(rest, *call().frame, order_.program_.functions);
    if (signs.low < 0 && signs.high > 0) return std::nullopt;
    expr(rest, out);
    return (signs.low >= 0) == (value.op == Op::add) ? Does::adds : Does::subtracts;
  }

  // Loops -----------------------------------------------------------------------------------------

  template <class Rest>
  void turns(const Loop& loop, SlotIndex slot, Accesses& out, Rest rest) {
    repeat(order_.matters_(loop) ? &loop : nullptr, out, [&](Accesses& turn) {
      const Meaning counter = fresh();
      bind(slot, counter);
      rest(turn);
      return static_cast<Symbol>(counter.number);
    });
  }

  // Any number of turns.  `loop` is not nullptr if their order must not be observable.  `turn`
  // returns the counter.
  template <class Turn>
  void repeat(const Loop* loop, Accesses& out, Turn turn) {
    calls_.enter_loop();
    if (surveys_) {
      turn(out);
      return calls_.leave_loop();
    }
    const std::optional<LoopNumber> number =
        loop != nullptr ? std::optional(records_.begin(*loop)) : std::nullopt;
    begin_turns(survey(turn), number);
    const Flow before = locals_.now;
    Accesses all;
    const Symbol counter = turn(all);
    // What loops in this turn have left is there in the next one.
    Flow after = std::exchange(locals_.now, before);
    locals_.now.join({after.reached, before.values, after.left_overs});
    if (locals_.now.left_overs != before.left_overs) {
      Accesses again;
      turn(again);
    }
    locals_.now.join(after);
    locals_.now.join(before);
    calls_.leave_loop();
    if (number) judge(*number, {all, counter});
    out.add(std::move(all));
  }

  // What a turn may read and write, whatever the values of local variables are.
  template <class Turn>
  Accesses survey(Turn turn) {
    const Flow now = std::exchange(locals_.now, {});
    const Flow exit = exits_.back();
    surveys_ = true;
    Accesses all;
    turn(all);
    surveys_ = false;
    exits_.back() = exit;
    locals_.now = now;
    return all;
  }

  void begin_turns(const Accesses& any, std::optional<LoopNumber> number) {
    for (const Access& one : any.all) {
      if (one.does == Does::reads || one.path.in_state) continue;
      locals_.spoil(one.path);
      if (number) leave_over(*number, one.path);
    }
  }

  void leave_over(LoopNumber loop, const Path& path) {
    for (const Path& cell : calls_.cells_in_any_turn(path)) locals_.leave_over(loop, cell);
  }

  void judge(LoopNumber number, const Turn& turn) {
    locals_.forget_loop(number);
    std::vector<Conflict> conflicts;
    auto why = dependence(turn, calls_, work_, conflicts);
    if (why)
      records_.refuse(number);
    else
      why = records_.end(number, std::move(conflicts));
    if (why) return order_.tell_(records_.loop(number), std::move(*why));
    calls_.enter_loop();  // what was bound in its turns differs
    for (const Conflict& one : records_.conflicts(number)) leave_over(number, one.write.path);
    calls_.leave_loop();
  }

  TurnOrder& order_;
  Effort& work_ = order_.work_;
  CallStack calls_;
  Locals locals_;
  LoopRecords records_;
  std::vector<Flow> exits_;  // of the calls on the stack: where they return
  bool surveys_ = false;     // it is only asked what a loop may do
  std::map<std::pair<const Function*, SlotIndex>, bool> changed_;
};

void TurnOrder::examine(const Rule& rule) try {
  Walk walk(*this, rule.header.frame);
  Accesses all;
  walk.header(rule.header, all);
  if (rule.guard) walk.expr(*rule.guard, all);
  walk.body(rule.body, all);
} catch (const Effort::TooMuch&) {
  tell_({nullptr, nullptr, rule.header.position},
        "with the functions it calls, the rule is too large to be analysed");
}

void TurnOrder::examine(const Property& property) try {
  Walk walk(*this, property.header.frame);
  Accesses all;
  walk.header(property.header, all);
  if (property.condition) walk.expr(*property.condition, all);
} catch (const Effort::TooMuch&) {
  tell_({nullptr, nullptr, property.header.position},
        "with the functions it calls, the property is too large to be analysed");
}

}  // namespace spillway::program
