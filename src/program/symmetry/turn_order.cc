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
  Walk(TurnOrder& order, const Frame& frame) : order_(order), calls_(order.program_, frame) {}

  void header(const Header& header, Accesses& out) {
    for (const Parameter& parameter : header.parameters) bind(parameter.slot, calls_.fresh());
    body(header.bindings, nullptr, out);
  }

  void body(const Body& body, const Statement* repeated_by, Accesses& out) {
    call().enclosing.push_back({&body, 0, repeated_by});
    for (std::size_t i = 0; i < body.size(); ++i) {
      call().enclosing.back().at = i;
      statement(*body[i], out);
    }
    call().enclosing.pop_back();
  }

  void expr(const Expr& e, Accesses& out) {
    work_.add();
    switch (e.op) {
      case Op::read:
        if (!calls_.known(e)) access(resolve(*e.place, out), Does::reads, e.position, out);
        return;
      case Op::is_undefined: return access(resolve(*e.place, out), Does::reads, e.position, out);
      case Op::call: return call_of(e, out);
      case Op::for_all:
      case Op::exists: {
        ends(e.range, out);
        return turns({&e.range, nullptr, e.position}, e.slot, nullptr, out,
                     [&](Accesses& turn) { expr(*e.operands[0], turn); });
      }
      case Op::bag_count: {
        const Path bag = resolve(*e.place, out);
        return turns({nullptr, e.place->type, e.position}, e.slot, nullptr, out,
                     [&](Accesses& turn) {
                       access(bag, Does::reads, e.position, turn);
                       expr(*e.operands[0], turn);
                     });
      }
      default:
        for (const ExprPtr& operand : e.operands) expr(*operand, out);
    }
  }

 private:
  Call& call() { return calls_.top(); }
  void bind(SlotIndex slot, Meaning value) { call().values[slot] = value; }

  // The path to a place.  Notes what is read on the way.
  Path resolve(const Place& place, Accesses& out) {
    work_.add();
    Path path = calls_.root(place);
    for (const Selector& step : place.steps) {
      if (!step.index) {
        path.parts.push_back({PathPart::By::field, step.field});
        continue;
      }
      expr(*step.index, out);
      path.parts.push_back(calls_.part(*step.index));
    }
    return path;
  }

  void access(const Path& path, Does does, Position position, Accesses& out) {
    if (call().owns(path) && call().bound.contains(path.root)) return;
    out.all.insert({path, does, false, 0, position});
  }

  void ends(const Range& range, Accesses& out) {
    for (const ExprPtr* end : {&range.from, &range.to, &range.by})
      if (*end) expr(**end, out);
  }

  // Functions -------------------------------------------------------------------------------------

  // A rule may call the same function many times.
  bool is_changed(const Function& function, SlotIndex slot) {
    const auto [place, fresh] = changed_.try_emplace({&function, slot}, false);
    if (fresh) place->second = changes(function, slot);
    return place->second;
  }

  void call_of(const Expr& e, Accesses& out) {
    const Function& function = order_.program_.functions[e.function];
    Call callee = calls_.prepare(function.frame, &function);
    for (std::size_t i = 0; i < function.parameters; ++i) {
      const Argument& argument = e.arguments[i];
      const auto slot = static_cast<SlotIndex>(i);
      if (function.frame[i].holds == Holds::reference) {
        callee.references[i] = resolve(*argument.place, out);
        continue;
      }
      expr(*argument.value, out);
      const Type* type = function.frame[i].type;
      if ((type == nullptr || type->is_scalar()) && !is_changed(function, slot))
        callee.values[i] = calls_.known(*argument.value).value_or(calls_.fresh());
    }
    if (calls_.is_in(function)) {
      out.recurs = e.position;
      return give_up(e.function, e.position);
    }
    const std::uint32_t number = callee.number;
    calls_.enter(std::move(callee));
    Accesses inside;
    body(function.body, nullptr, inside);
    calls_.leave();
    std::erase_if(inside.all,
                  [&](const Access& one) { return !one.path.in_state && one.path.call == number; });
    inside.leaves.reset();
    out.add(std::move(inside));
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
    work_.add();
    switch (s.what) {
      case Do::assign: return assign(s, out);
      case Do::bind_value:
        expr(*s.value, out);
        if ((*call().frame)[s.slot].holds == Holds::constant)
          bind(s.slot, calls_.known(*s.value).value_or(calls_.fresh()));
        else
          call().bound.insert(s.slot);
        return;
      case Do::bind_place: {
        const Path path = resolve(*s.place, out);
        if (call().owns(path)) call().aliased.insert(path.root);
        call().references[s.slot] = path;
        return;
      }
      case Do::undefine: return access(resolve(*s.place, out), Does::undefines, s.position, out);
      case Do::clear: return access(resolve(*s.place, out), Does::clears, s.position, out);
      case Do::choose:
        for (const Branch& branch : s.branches) {
          if (branch.condition) expr(*branch.condition, out);
          body(branch.body, nullptr, out);
        }
        return;
      case Do::loop_over:
        ends(s.range, out);
        return turns({&s.range, nullptr, s.position}, s.slot, &s.branches[0].body, out,
                     [&](Accesses& turn) { body(s.branches[0].body, &s, turn); });
      case Do::loop_while:
        expr(*s.branches[0].condition, out);
        return body(s.branches[0].body, &s, out);
      case Do::call: return call_of(*s.value, out);
      case Do::leave:
        if (s.value) expr(*s.value, out);
        out.leaves = s.position;
        return;
      case Do::fail: return;
      case Do::require:
      case Do::cover: return expr(*s.value, out);
      case Do::discard_unless:
        expr(*s.value, out);
        out.discards = s.position;
        return;
      case Do::bag_add:
        expr(*s.value, out);
        return access(resolve(*s.place, out), Does::puts, s.position, out);
      case Do::bag_remove: {
        expr(*s.value, out);
        Path path = resolve(*s.place, out);
        path.parts.push_back(calls_.part(*s.value));
        return access(path, Does::writes, s.position, out);
      }
      case Do::bag_remove_if: {
        const Path bag = resolve(*s.place, out);
        return turns(
            {nullptr, s.place->type, s.position}, s.slot, nullptr, out, [&](Accesses& turn) {
              expr(*s.value, turn);
              Path element = bag;
              element.parts.push_back({PathPart::By::symbol, call().values[s.slot]->number});
              access(element, Does::writes, s.position, turn);
            });
      }
    }
  }

  void assign(const Statement& s, Accesses& out) {
    if (const std::optional<Does> gathers = gathering(s, out))
      return access(resolve(*s.place, out), *gathers, s.position, out);
    expr(*s.value, out);
    Access written{resolve(*s.place, out), Does::writes, false, 0, s.position};
    if (const std::optional<Meaning> value =
            s.place->type->is_scalar() ? calls_.known(*s.value) : std::nullopt) {
      written.does = Does::sets;
      written.literal = value->literal;
      written.number = value->number;
    }
    out.all.insert(std::move(written));
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

  template <class Turn>
  void turns(const Loop& loop, SlotIndex slot, const Body* body, Accesses& out, Turn turn) {
    calls_.enter_loop();
    const Meaning counter = calls_.fresh();
    bind(slot, counter);
    Accesses one;
    turn(one);
    calls_.leave_loop();
    if (order_.matters_(loop))
      if (auto why = dependence({one, static_cast<Symbol>(counter.number), body}, calls_, work_))
        order_.tell_(loop, std::move(*why));
    out.add(std::move(one));
  }

  TurnOrder& order_;
  Effort& work_ = order_.work_;
  CallStack calls_;
  std::map<std::pair<const Function*, SlotIndex>, bool> changed_;
};

void TurnOrder::examine(const Rule& rule) try {
  Walk walk(*this, rule.header.frame);
  Accesses all;
  walk.header(rule.header, all);
  if (rule.guard) walk.expr(*rule.guard, all);
  walk.body(rule.body, nullptr, all);
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
