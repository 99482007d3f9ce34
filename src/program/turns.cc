#include "program/turns.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "program/bounds.h"
#include "program/can_fail.h"
#include "program/walk.h"

namespace spillway::program {
namespace {

constexpr std::uint64_t kMostWork = std::uint64_t{1} << 23;

struct TooLarge {};

// Something that has one value while it is bound: a counter, a parameter, a named value.
using Symbol = std::uint32_t;

// What is known about a value statically.
struct Meaning {
  bool literal;
  std::uint64_t number;  // the value, or the symbol that it is
  bool operator==(const Meaning&) const = default;
};

// One step on the path to a place.
struct Part {
  enum class By { field, symbol, literal, unknown } by;
  std::uint64_t number = 0;
  auto operator<=>(const Part&) const = default;
};

struct Path {
  bool in_state;
  std::uint32_t call;  // the frame that a slot belongs to
  std::uint32_t root;
  std::vector<Part> parts;
  auto operator<=>(const Path&) const = default;
};

enum class Does { reads, writes, sets, undefines, clears, adds, subtracts, joins, meets, puts };

struct Access {
  Path path;
  Does does;
  bool literal = false;      // sets: to this value, otherwise to this symbol
  std::uint64_t number = 0;  // sets
  Position position{};

  auto key() const { return std::tie(path, does, literal, number); }
  bool operator<(const Access& other) const { return key() < other.key(); }
};

// What a piece of program may do, in any state.
struct Doings {
  std::set<Access> all;
  std::optional<Position> leaves, discards, recurs;

  void add(Doings other) {
    all.merge(other.all);
    for (auto member : {&Doings::leaves, &Doings::discards, &Doings::recurs})
      if (!(this->*member)) this->*member = other.*member;
  }
};

bool is_slot(const Place& place, SlotIndex slot) { return !place.in_state && place.root == slot; }

struct Mention : Visitor {
  using Visitor::operator();
  explicit Mention(SlotIndex of) : slot(of) {}
  void operator()(const Place& place) { found = found || is_slot(place, slot); }
  void operator()(const Statement& statement) {
    found = found || (statement.what == Do::bind_value && statement.slot == slot);
  }
  SlotIndex slot;
  bool found = false;
};

template <class Node>
bool mentions(const Node& node, SlotIndex slot) {
  Mention mention(slot);
  walk(node, mention);
  return mention.found;
}

// Gives the whole of a local variable a value that does not depend on the one it had.
bool replaces(const Statement& statement, SlotIndex slot) {
  if (statement.what != Do::assign && statement.what != Do::undefine && statement.what != Do::clear)
    return false;
  if (!is_slot(*statement.place, slot) || !statement.place->steps.empty()) return false;
  return statement.what != Do::assign || !mentions(*statement.value, slot);
}

// Whether a function changes its own parameter, or passes it to one that does.
struct Changes : Visitor {
  using Visitor::operator();
  explicit Changes(SlotIndex of) : slot(of) {}
  void operator()(const Expr& expr) {
    for (const Argument& argument : expr.arguments)
      found = found || (argument.place && is_slot(*argument.place, slot));
  }
  void operator()(const Statement& statement) {
    const bool reads = statement.what == Do::bind_value || statement.what == Do::loop_over;
    found = found || (statement.place && !reads && is_slot(*statement.place, slot));
  }
  SlotIndex slot;
  bool found = false;
};

bool overlap(const Path& a, const Path& b, Symbol counter) {
  if (a.in_state != b.in_state || a.call != b.call || a.root != b.root) return false;
  for (std::size_t i = 0; i < std::min(a.parts.size(), b.parts.size()); ++i) {
    const Part &x = a.parts[i], &y = b.parts[i];
    if (x.by != y.by) continue;
    if ((x.by == Part::By::field || x.by == Part::By::literal) && x.number != y.number)
      return false;
    if (x.by == Part::By::symbol && x.number == counter && y.number == counter) return false;
  }
  return true;
}

}  // namespace

// One rule or property.
class TurnOrder::Walk {
 public:
  Walk(TurnOrder& order, const Frame& frame) : order_(order) {
    calls_.push_back(new_call(frame, nullptr));
  }

  void header(const Header& header, Doings& out) {
    for (const Parameter& parameter : header.parameters) bind(parameter.slot, fresh());
    body(header.bindings, nullptr, out);
  }

  void body(const Body& body, const Statement* repeated_by, Doings& out) {
    call().enclosing.push_back({&body, 0, repeated_by});
    for (std::size_t i = 0; i < body.size(); ++i) {
      call().enclosing.back().at = i;
      statement(*body[i], out);
    }
    call().enclosing.pop_back();
  }

  void expr(const Expr& e, Doings& out) {
    work();
    switch (e.op) {
      case Op::read:
        if (!known(e)) access(resolve(*e.place, out), Does::reads, e.position, out);
        return;
      case Op::is_undefined: return access(resolve(*e.place, out), Does::reads, e.position, out);
      case Op::call: return call_of(e, out);
      case Op::for_all:
      case Op::exists: {
        ends(e.range, out);
        return turns({&e.range, nullptr, e.position}, e.slot, nullptr, out,
                     [&](Doings& turn) { expr(*e.operands[0], turn); });
      }
      case Op::bag_count: {
        const Path bag = resolve(*e.place, out);
        return turns({nullptr, e.place->type, e.position}, e.slot, nullptr, out, [&](Doings& turn) {
          access(bag, Does::reads, e.position, turn);
          expr(*e.operands[0], turn);
        });
      }
      default:
        for (const ExprPtr& operand : e.operands) expr(*operand, out);
    }
  }

 private:
  struct Enclosing {
    const Body* body;
    std::size_t at;                // of the statement that is being looked at
    const Statement* repeated_by;  // a loop, if the body is that of one
  };
  struct Call {
    std::uint32_t number;
    const Frame* frame;
    const Function* function;  // nullptr: the rule or property itself
    std::vector<std::optional<Path>> references;
    std::vector<std::optional<Meaning>> values;
    std::set<SlotIndex> bound;    // aggregates that have a name, and never change
    std::set<SlotIndex> aliased;  // local variables that have another name
    std::vector<Enclosing> enclosing;
  };

  Call& call() { return calls_.back(); }
  void work() {
    if (++order_.work_ > kMostWork) throw TooLarge{};
  }
  Call new_call(const Frame& frame, const Function* function) {
    return {next_call_++,
            &frame,
            function,
            std::vector<std::optional<Path>>(frame.size()),
            std::vector<std::optional<Meaning>>(frame.size()),
            {},
            {},
            {}};
  }
  Meaning fresh() {
    depths_.push_back(depth_);
    return {false, depths_.size() - 1};
  }
  void bind(SlotIndex slot, Meaning value) { call().values[slot] = value; }

  std::optional<Meaning> known(const Expr& e) {
    if (e.op == Op::literal) return Meaning{true, static_cast<std::uint64_t>(e.value)};
    if (e.op == Op::slot) return call().values[e.slot];
    if (e.op == Op::read && !e.place->in_state && e.place->steps.empty())
      return call().values[e.place->root];
    return std::nullopt;
  }

  // The path to a place.  Notes what is read on the way.
  Path resolve(const Place& place, Doings& out) {
    work();
    Path path{place.in_state, place.in_state ? 0 : call().number, place.root, {}};
    if (!place.in_state && (*call().frame)[place.root].holds == Holds::reference)
      if (const auto& to = call().references[place.root]) path = *to;
    for (const Step& step : place.steps) {
      if (!step.index) {
        path.parts.push_back({Part::By::field, step.field});
        continue;
      }
      expr(*step.index, out);
      path.parts.push_back(part(*step.index));
    }
    return path;
  }
  Part part(const Expr& index) {
    const std::optional<Meaning> value = known(index);
    if (!value) return {Part::By::unknown};
    return {value->literal ? Part::By::literal : Part::By::symbol, value->number};
  }

  void access(const Path& path, Does does, Position position, Doings& out) {
    if (!path.in_state && path.call == call().number && call().bound.contains(path.root)) return;
    out.all.insert({path, does, false, 0, position});
  }

  void ends(const Range& range, Doings& out) {
    for (const ExprPtr* end : {&range.from, &range.to, &range.by})
      if (*end) expr(**end, out);
  }

  // Functions -------------------------------------------------------------------------------------

  bool changes(const Function& function, SlotIndex slot) {
    const auto [place, fresh] = changes_.try_emplace({&function, slot}, false);
    if (!fresh) return place->second;
    Changes changes(slot);
    walk(function.body, changes);
    return place->second = changes.found;
  }

  void call_of(const Expr& e, Doings& out) {
    const Function& function = order_.program_.functions[e.function];
    Call callee = new_call(function.frame, &function);
    for (std::size_t i = 0; i < function.parameters; ++i) {
      const Argument& argument = e.arguments[i];
      const auto slot = static_cast<SlotIndex>(i);
      if (function.frame[i].holds == Holds::reference) {
        callee.references[i] = resolve(*argument.place, out);
        continue;
      }
      expr(*argument.value, out);
      const Type* type = function.frame[i].type;
      if ((type == nullptr || type->is_scalar()) && !changes(function, slot))
        callee.values[i] = known(*argument.value).value_or(fresh());
    }
    if (std::any_of(calls_.begin(), calls_.end(),
                    [&](const Call& one) { return one.function == &function; })) {
      out.recurs = e.position;
      std::set<FunctionIndex> met;
      return give_up(e.function, e.position, met);
    }
    const std::uint32_t number = callee.number;
    calls_.push_back(std::move(callee));
    Doings inside;
    body(function.body, nullptr, inside);
    calls_.pop_back();
    std::erase_if(inside.all,
                  [&](const Access& one) { return !one.path.in_state && one.path.call == number; });
    inside.leaves.reset();
    out.add(std::move(inside));
  }

  // What a recursive function refers to is unknown in its inner calls.  No loop in it, or in a
  // function that it calls, can be judged.
  void give_up(FunctionIndex index, Position position, std::set<FunctionIndex>& met) {
    if (!met.insert(index).second) return;
    struct Look : Visitor {
      using Visitor::operator();
      void operator()(const Expr& expr) {
        if (expr.op == Op::call) called.push_back(expr.function);
        if (expr.op == Op::for_all || expr.op == Op::exists)
          loops.push_back({&expr.range, nullptr, expr.position});
        if (expr.op == Op::bag_count) loops.push_back({nullptr, expr.place->type, expr.position});
      }
      void operator()(const Statement& s) {
        if (s.what == Do::loop_over) loops.push_back({&s.range, nullptr, s.position});
        if (s.what == Do::bag_remove_if) loops.push_back({nullptr, s.place->type, s.position});
      }
      std::vector<FunctionIndex> called;
      std::vector<Loop> loops;
    } look;
    walk(order_.program_.functions[index].body, look);
    for (const Loop& loop : look.loops)
      if (order_.matters_(loop))
        order_.tell_(loop,
                     fmt::format("it is part of a recursive function, at line {}", position.line));
    for (const FunctionIndex function : look.called) give_up(function, position, met);
  }

  // Statements ------------------------------------------------------------------------------------

  void statement(const Statement& s, Doings& out) {
    work();
    switch (s.what) {
      case Do::assign: return assign(s, out);
      case Do::bind_value:
        expr(*s.value, out);
        if ((*call().frame)[s.slot].holds == Holds::constant)
          bind(s.slot, known(*s.value).value_or(fresh()));
        else
          call().bound.insert(s.slot);
        return;
      case Do::bind_place: {
        const Path path = resolve(*s.place, out);
        if (!path.in_state && path.call == call().number) call().aliased.insert(path.root);
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
                     [&](Doings& turn) { body(s.branches[0].body, &s, turn); });
      case Do::loop_while:
        expr(*s.branches[0].condition, out);
        return body(s.branches[0].body, &s, out);
      case Do::call: return call_of(*s.value, out);
      case Do::leave:
        if (s.value) expr(*s.value, out);
        out.leaves = s.position;
        return;
      case Do::fail: return;
      case Do::require: return expr(*s.value, out);
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
        path.parts.push_back(part(*s.value));
        return access(path, Does::writes, s.position, out);
      }
      case Do::bag_remove_if: {
        const Path bag = resolve(*s.place, out);
        return turns({nullptr, s.place->type, s.position}, s.slot, nullptr, out, [&](Doings& turn) {
          expr(*s.value, turn);
          Path element = bag;
          element.parts.push_back({Part::By::symbol, call().values[s.slot]->number});
          access(element, Does::writes, s.position, turn);
        });
      }
    }
  }

  void assign(const Statement& s, Doings& out) {
    if (const std::optional<Does> gathers = gathering(s, out))
      return access(resolve(*s.place, out), *gathers, s.position, out);
    expr(*s.value, out);
    Access written{resolve(*s.place, out), Does::writes, false, 0, s.position};
    if (const std::optional<Meaning> value =
            s.place->type->is_scalar() ? known(*s.value) : std::nullopt) {
      written.does = Does::sets;
      written.literal = value->literal;
      written.number = value->number;
    }
    out.all.insert(std::move(written));
  }

  // x := x + e and similar, if e has one sign: then the sum leaves its range in every order or in
  // none.  x := x | e only if e cannot fail, because e is not always evaluated.  Notes what e
  // reads.
  std::optional<Does> gathering(const Statement& s, Doings& out) {
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
  void turns(const Loop& loop, SlotIndex slot, const Body* body, Doings& out, Turn turn) {
    ++depth_;
    const Meaning counter = fresh();
    bind(slot, counter);
    Doings one;
    turn(one);
    --depth_;
    if (order_.matters_(loop)) examine(loop, one, static_cast<Symbol>(counter.number), body);
    out.add(std::move(one));
  }

  void examine(const Loop& loop, const Doings& turn, Symbol counter, const Body* body) {
    const auto tell = [&](std::string why) { order_.tell_(loop, std::move(why)); };
    if (turn.leaves)
      return tell(fmt::format("line {} ends this loop, whichever iteration reaches it first",
                              turn.leaves->line));
    if (turn.discards)
      return tell(fmt::format("line {} discards the state in one iteration, and another might fail",
                              turn.discards->line));
    if (turn.recurs)
      return tell(
          fmt::format("the recursive function at line {} is not analysed", turn.recurs->line));
    for (const Access& a : turn.all) {
      if (a.does == Does::reads) continue;
      for (const Access& b : turn.all) {
        work();
        if (!overlap(a.path, b.path, counter) || harmless(a, b) || is_temporary(a.path, body))
          continue;
        if (b.does == Does::reads)
          return tell(fmt::format(
              "an iteration of this loop reads {} at line {}, which others write at line {}",
              name(a.path), b.position.line, a.position.line));
        return tell(fmt::format("iterations of this loop write different values to {} at line {}",
                                name(a.path), std::max(a.position.line, b.position.line)));
      }
    }
  }

  // Whether the order of two such writes in different turns cannot be observed.
  bool harmless(const Access& a, const Access& b) const {
    if (a.does != b.does || a.does == Does::writes) return false;
    if (a.does != Does::sets) return true;
    if (a.literal != b.literal || a.number != b.number) return false;
    return a.literal || depths_[a.number] <= depth_;  // bound outside of the loop
  }

  // A local variable that each turn sets before any other use, and that is not read after the loop.
  bool is_temporary(const Path& path, const Body* body) {
    if (path.in_state || path.call != call().number || body == nullptr ||
        call().aliased.contains(path.root))
      return false;
    for (const auto& one : *body) {
      if (replaces(*one, path.root)) return !is_read_afterwards(path.root);
      if (mentions(*one, path.root)) return false;
    }
    return false;
  }

  // Whether the slot is read after the current statement, before it is replaced.
  bool is_read_afterwards(SlotIndex slot) {
    const std::vector<Enclosing>& around = call().enclosing;
    for (std::size_t level = around.size(); level-- > 0;) {
      const Body& body = *around[level].body;
      for (std::size_t i = around[level].at + 1; i < body.size(); ++i) {
        if (replaces(*body[i], slot)) return false;
        if (mentions(*body[i], slot)) return true;
      }
      if (around[level].repeated_by == nullptr) continue;
      const Statement& loop = *around[level].repeated_by;
      if (loop.what == Do::loop_while && mentions(*loop.branches[0].condition, slot)) return true;
      const bool innermost = level + 1 == around.size();  // there, the loop itself replaces it
      for (std::size_t i = 0; i < around[level].at + (innermost ? 0 : 1); ++i) {
        if (replaces(*body[i], slot)) return false;
        if (mentions(*body[i], slot)) return true;
      }
    }
    return false;
  }

  std::string name(const Path& path) const {
    if (path.in_state) return fmt::format("'{}'", order_.program_.variables[path.root].name);
    for (const Call& one : calls_)
      if (one.number == path.call) return fmt::format("'{}'", (*one.frame)[path.root].name);
    return "a variable";
  }

  TurnOrder& order_;
  std::vector<Call> calls_;
  std::uint32_t next_call_ = 1;
  std::vector<unsigned> depths_;  // of loops around the place where a symbol is bound
  unsigned depth_ = 0;
  std::map<std::pair<const Function*, SlotIndex>, bool> changes_;
};

void TurnOrder::examine(const Rule& rule) try {
  Walk walk(*this, rule.header.frame);
  Doings all;
  walk.header(rule.header, all);
  if (rule.guard) walk.expr(*rule.guard, all);
  walk.body(rule.body, nullptr, all);
} catch (const TooLarge&) {
  tell_({nullptr, nullptr, rule.header.position},
        "with the functions it calls, the rule is too large to be analysed");
}

void TurnOrder::examine(const Property& property) try {
  Walk walk(*this, property.header.frame);
  Doings all;
  walk.header(property.header, all);
  if (property.condition) walk.expr(*property.condition, all);
} catch (const TooLarge&) {
  tell_({nullptr, nullptr, property.header.position},
        "with the functions it calls, the property is too large to be analysed");
}

}  // namespace spillway::program
