#include "random_program.h"

#include <random>

namespace spillway::program {
namespace {

enum class Sort { number, truth, tag };

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  Program make() {
    p_.name = "random";
    p_.loop_limit = 12;
    make_types();
    const int variables = in(2, 4);
    for (int i = 0; i < variables; ++i)
      p_.variables.push_back({std::to_string(i), any_type(), {1, 1}});
    for (int i = in(0, 3); i > 0; --i) make_function();
    for (int i = in(1, 2); i > 0; --i) p_.starts.push_back(make_rule(true));
    for (int i = in(2, 5); i > 0; --i) p_.rules.push_back(make_rule(false));
    if (chance(30)) make_machine();
    make_properties();
    if (chance(30)) p_.accepting = make_property(PropertyKind::invariant, false);
    if (chance(30)) ask_in_guards();
    return std::move(p_);
  }

 private:
  struct Scope {
    Frame* frame;
    std::vector<SlotIndex> constants;  // bound here
    std::vector<SlotIndex> places;     // values and bound references
    const Type* result = nullptr;
    bool in_function = false;
    bool pure = false;  // a guard or property: nothing may change
  };

  int in(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(int percent) { return in(1, 100) <= percent; }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(in(0, static_cast<int>(all.size()) - 1))];
  }

  // Types -----------------------------------------------------------------------------------------

  const Type* add(Type type) {
    p_.types.push_back(std::move(type));
    return &p_.types.back();
  }
  const Type* range(Value low, Value high) {
    Type type;
    type.domain = Domain({{low, high}});
    type.total = chance(25);
    return add(std::move(type));
  }
  const Type* tags(std::vector<Interval> intervals) {
    Type type;
    for (const Interval& i : intervals) {
      Names names{i, {}, {}};
      for (Value v = i.low; v <= i.high; ++v) names.names.push_back(std::to_string(v));
      if (i.low % 2 == 0) names.lines.resize(names.names.size(), 1);  // an enumeration
      type.names.push_back(std::move(names));
    }
    type.total = chance(25);
    type.domain = Domain(std::move(intervals));
    return add(std::move(type));
  }

  void make_types() {
    numbers_ = {range(0, 3),
                range(-2, 2),
                range(1, 1),
                range(-7, -3),
                range(0, 300),
                range(-5, Value{1} << 40),
                range(-(Value{1} << 61), Value{1} << 61)};
    Type truth;
    truth.domain = Domain({{0, 1}});
    truth.truth = true;
    truth_ = add(std::move(truth));
    tags_ = {tags({{10, 12}}), tags({{20, 21}}), tags({{10, 12}, {20, 21}}),
             tags({{20, 21}, {30, 34}})};
    small_ = {numbers_[0], numbers_[1], numbers_[2], truth_, tags_[0], tags_[2]};
    for (int i = 0; i < 4; ++i) {
      Type type;
      const int kind = in(0, 9);
      if (kind < 4) {
        type.kind = Kind::record;
        for (int f = in(1, 3); f > 0; --f) type.fields.push_back({std::to_string(f), any_type()});
      } else if (kind < 8) {
        type.kind = Kind::array;
        type.index = one_of(small_);
        type.element = any_type();
      } else {
        type.kind = Kind::bag;
        type.capacity = static_cast<std::uint64_t>(in(1, 3));
        type.element = any_type();
      }
      if (cells(type) <= 60) aggregates_.push_back(add(std::move(type)));
    }
  }
  const Type* scalar_type() {
    const int k = in(0, 9);
    return k < 5 ? one_of(numbers_) : k < 7 ? truth_ : one_of(tags_);
  }
  const Type* any_type() {
    return !aggregates_.empty() && chance(45) ? one_of(aggregates_) : scalar_type();
  }
  static Sort sort_of(const Type& type) {
    return type.truth ? Sort::truth : type.names.empty() ? Sort::number : Sort::tag;
  }

  // Places ----------------------------------------------------------------------------------------

  Position somewhere() { return {static_cast<std::uint32_t>(in(1, 99)), 1}; }

  ExprPtr node(Op op, const Type* type) {
    auto e = std::make_unique<Expr>();
    e->op = op;
    e->type = type;
    e->position = somewhere();
    return e;
  }

  Place root(Scope& scope) {
    Place place;
    place.position = somewhere();
    if (!scope.places.empty() && chance(40)) {
      place.root = one_of(scope.places);
      place.type = (*scope.frame)[place.root].type;
    } else {
      place.in_state = true;
      place.root = static_cast<std::uint32_t>(in(0, static_cast<int>(p_.variables.size()) - 1));
      place.type = p_.variables[place.root].type;
    }
    return place;
  }

  ExprPtr index_of(const Type& type, Scope& scope, int depth) {
    if (type.kind == Kind::bag) return literal(nullptr, in(0, static_cast<int>(type.capacity)));
    return chance(85) ? inside(*type.index, scope) : expr(sort_of(*type.index), scope, depth + 1);
  }

  void step(Place& place, Scope& scope, int depth) {
    const Type& type = *place.type;
    Selector s;
    if (type.kind == Kind::record) {
      s.field = static_cast<std::size_t>(in(0, static_cast<int>(type.fields.size()) - 1));
      place.type = type.fields[s.field].type;
    } else {
      s.index = index_of(type, scope, depth);
      place.type = type.element;
    }
    place.steps.push_back(std::move(s));
  }

  Place scalar_place(Scope& scope, int depth) {
    Place place = root(scope);
    while (!place.type->is_scalar()) step(place, scope, depth);
    return place;
  }
  Place any_place(Scope& scope, int depth) {
    Place place = root(scope);
    while (!place.type->is_scalar() && chance(60)) step(place, scope, depth);
    return place;
  }
  // A place of exactly this type, if one turns up.
  std::optional<Place> place_of(const Type* type, Scope& scope, int depth) {
    for (int i = 0; i < 12; ++i) {
      Place place = root(scope);
      while (place.type != type && !place.type->is_scalar()) step(place, scope, depth);
      if (place.type == type) return place;
    }
    return std::nullopt;
  }
  std::optional<Place> bag_place(Scope& scope, int depth) {
    for (int i = 0; i < 6; ++i) {
      Place place = root(scope);
      while (place.type->kind != Kind::bag && !place.type->is_scalar()) step(place, scope, depth);
      if (place.type->kind == Kind::bag) return place;
    }
    return std::nullopt;
  }

  // Expressions -----------------------------------------------------------------------------------

  ExprPtr literal(const Type* type, Value value) {
    ExprPtr e = node(Op::literal, type);
    e->value = value;
    return e;
  }
  // A value of the type, mostly.
  ExprPtr inside(const Type& type, Scope& scope) {
    for (const SlotIndex slot : scope.constants) {
      if ((*scope.frame)[slot].type != &type || !chance(60)) continue;
      ExprPtr e = node(Op::slot, &type);
      e->slot = slot;
      return e;
    }
    return literal(&type,
                   type.domain.value(static_cast<std::uint64_t>(
                       in(1, static_cast<int>(std::min<std::uint64_t>(type.domain.size(), 8))))));
  }

  ExprPtr read(Place place) {
    ExprPtr e = node(Op::read, place.type);
    e->place = std::move(place);
    return e;
  }

  ExprPtr call_of(std::size_t number, Scope& scope, int depth) {
    const Function& function = p_.functions[number];
    ExprPtr e = node(Op::call, function.result);
    e->function = static_cast<FunctionIndex>(number);
    for (std::size_t i = 0; i < function.parameters; ++i) {
      const Slot& slot = function.frame[i];
      Argument argument;
      if (slot.holds == Holds::reference) {
        argument.place = place_of(slot.type, scope, depth + 1);
        if (!argument.place) return nullptr;
      } else if (slot.type->is_scalar()) {
        argument.value =
            chance(70) ? inside(*slot.type, scope) : expr(sort_of(*slot.type), scope, depth + 1);
      } else {
        std::optional<Place> place = place_of(slot.type, scope, depth + 1);
        if (!place) return nullptr;
        argument.value = read(std::move(*place));
      }
      e->arguments.push_back(std::move(argument));
    }
    return e;
  }
  ExprPtr call_with_result(Sort sort, Scope& scope, int depth) {
    if (scope.pure || p_.functions.empty()) return nullptr;
    const auto number = static_cast<std::size_t>(in(0, static_cast<int>(p_.functions.size()) - 1));
    const Type* result = p_.functions[number].result;
    if (result == nullptr || !result->is_scalar() || sort_of(*result) != sort) return nullptr;
    return call_of(number, scope, depth);
  }

  // Undefined values count in some of what the value may come from.  REQUIRES: it is compared, or
  // goes where undefined values may be.
  void count_undefined(Expr& value) {
    if (value.op == Op::conditional)
      for (const std::size_t i : {1U, 2U}) count_undefined(*value.operands[i]);
    if ((value.op == Op::read || value.op == Op::call) && chance(40))
      value.undefined = Undefined::counts;
  }

  ExprPtr expr(Sort sort, Scope& scope, int depth) {
    if (depth < 4 && chance(10))
      if (ExprPtr call = call_with_result(sort, scope, depth + 1)) return call;
    if (depth < 4 && chance(8)) {
      ExprPtr e = node(Op::conditional, nullptr);
      e->operands.push_back(expr(Sort::truth, scope, depth + 1));
      e->operands.push_back(expr(sort, scope, depth + 1));
      e->operands.push_back(expr(sort, scope, depth + 1));
      return e;
    }
    switch (sort) {
      case Sort::number: return number(scope, depth);
      case Sort::truth: return truth(scope, depth);
      case Sort::tag: return tag(scope, depth);
    }
    return nullptr;
  }

  ExprPtr leaf(Sort sort, Scope& scope, int depth) {
    if (depth < 8 && chance(50)) {  // an index has leaves of its own
      for (int i = 0; i < 8; ++i) {
        Place place = scalar_place(scope, depth + 1);
        if (sort_of(*place.type) == sort) return read(std::move(place));
      }
    }
    if (sort == Sort::truth) return literal(truth_, in(0, 1));
    return inside(sort == Sort::number ? *one_of(numbers_) : *one_of(tags_), scope);
  }

  ExprPtr number(Scope& scope, int depth) {
    if (depth > 3 || chance(45)) return leaf(Sort::number, scope, depth);
    if (chance(6))
      if (std::optional<Place> bag = bag_place(scope, depth)) {
        ExprPtr e = node(Op::bag_count, nullptr);
        e->place = std::move(bag);
        e->slot = slot(scope, nullptr, Holds::constant);
        scope.constants.push_back(e->slot);
        e->operands.push_back(expr(Sort::truth, scope, depth + 1));
        scope.constants.pop_back();
        return e;
      }
    static const std::vector<Op> ops = {Op::add,     Op::add,       Op::subtract,   Op::multiply,
                                        Op::divide,  Op::remainder, Op::bit_and,    Op::bit_or,
                                        Op::bit_xor, Op::bit_not,   Op::shift_left, Op::shift_right,
                                        Op::negate};
    const Op op = one_of(ops);
    ExprPtr e = node(op, nullptr);
    e->operands.push_back(expr(Sort::number, scope, depth + 1));
    if (op != Op::negate && op != Op::bit_not)
      e->operands.push_back(expr(Sort::number, scope, depth + 1));
    return e;
  }

  ExprPtr tag(Scope& scope, int depth) { return leaf(Sort::tag, scope, depth); }

  ExprPtr truth(Scope& scope, int depth) {
    if (depth > 3 || chance(15)) return leaf(Sort::truth, scope, depth);
    static const std::vector<Op> ops = {
        Op::equal,        Op::unequal,      Op::less,      Op::less_equal, Op::logical_not,
        Op::logical_and,  Op::logical_or,   Op::implies,   Op::for_all,    Op::exists,
        Op::is_undefined, Op::is_undefined, Op::is_member, Op::equal};
    const Op op = one_of(ops);
    ExprPtr e = node(op, truth_);
    const auto operand = [&](Sort sort) { e->operands.push_back(expr(sort, scope, depth + 1)); };
    switch (op) {
      case Op::equal:
      case Op::unequal: {
        const Sort sort = static_cast<Sort>(in(0, 2));
        operand(sort);
        operand(sort);
        for (const ExprPtr& each : e->operands) count_undefined(*each);
        break;
      }
      case Op::less:
      case Op::less_equal:
        operand(Sort::number);
        operand(Sort::number);
        break;
      case Op::logical_not: operand(Sort::truth); break;
      case Op::for_all:
      case Op::exists: quantify(*e, scope, depth); break;
      case Op::is_undefined: e->place = scalar_place(scope, depth + 1); break;
      case Op::is_member:
        e->type = one_of(tags_);
        operand(Sort::tag);
        count_undefined(*e->operands[0]);
        break;
      default: operand(Sort::truth); operand(Sort::truth);
    }
    return e;
  }

  void quantify(Expr& e, Scope& scope, int depth) {
    make_range(e.range, scope, depth);
    e.slot = slot(scope, e.range.type, Holds::constant);
    scope.constants.push_back(e.slot);
    e.operands.push_back(expr(Sort::truth, scope, depth + 1));
    scope.constants.pop_back();
  }

  void make_range(Range& range, Scope& scope, int depth) {
    if (chance(60)) {
      range.type = one_of(small_);
      return;
    }
    range.from = chance(80) ? literal(nullptr, in(-4, 4)) : expr(Sort::number, scope, depth + 2);
    range.to = chance(90) ? literal(nullptr, in(-4, 4)) : expr(Sort::number, scope, depth + 2);
    if (range.to->op != Op::literal || range.from->op != Op::literal)  // not too many turns
      range.by = literal(nullptr, chance(50) ? Value{1} << 58 : -(Value{1} << 58));
    else if (chance(30))
      range.by = literal(nullptr, in(-2, 2));
  }

  // Statements ------------------------------------------------------------------------------------

  SlotIndex slot(Scope& scope, const Type* type, Holds holds) {
    scope.frame->push_back({std::to_string(scope.frame->size()), type, holds});
    return static_cast<SlotIndex>(scope.frame->size() - 1);
  }

  Body body(Scope& scope, int depth, int most) {
    Body all;
    const Scope before = scope;
    for (int i = in(depth == 0 ? 1 : 0, most); i > 0; --i)
      if (auto s = statement(scope, depth)) all.push_back(std::move(s));
    scope.constants = before.constants;
    scope.places = before.places;
    return all;
  }

  StatementPtr statement(Scope& scope, int depth) {
    auto s = std::make_unique<Statement>();
    s->position = somewhere();
    const int k = in(0, 99);
    if (k < 50) return assign(std::move(s), scope);
    if (k < 53) {
      s->what = Do::bind_value;
      const Type* type = chance(50) ? scalar_type() : nullptr;
      s->value = type != nullptr && chance(80)
                     ? inside(*type, scope)
                     : expr(type != nullptr ? sort_of(*type) : Sort::number, scope, 1);
      s->slot = slot(scope, type, Holds::constant);
      scope.constants.push_back(s->slot);
    } else if (k < 56) {
      s->what = Do::bind_place;
      s->place = any_place(scope, 1);
      s->slot = slot(scope, s->place->type, Holds::reference);
      scope.places.push_back(s->slot);
    } else if (k < 58) {
      s->what = Do::undefine;
      s->place = any_place(scope, 1);
    } else if (k < 64) {
      s->what = Do::clear;
      s->place = any_place(scope, 1);
    } else if (k < 74 && depth < 3) {
      s->what = Do::choose;
      const int branches = in(1, 3);
      for (int i = 0; i < branches; ++i) {
        Branch branch;
        if (i == 0 || i + 1 < branches || chance(50))
          branch.condition = expr(Sort::truth, scope, 1);
        branch.body = body(scope, depth + 1, 2);
        s->branches.push_back(std::move(branch));
      }
    } else if (k < 80 && depth < 3) {
      s->what = Do::loop_over;
      make_range(s->range, scope, 1);
      s->slot = slot(scope, s->range.type, Holds::constant);
      scope.constants.push_back(s->slot);
      s->branches.push_back({nullptr, body(scope, depth + 1, 2)});
      scope.constants.pop_back();
    } else if (k < 83 && depth < 3) {
      s->what = Do::loop_while;
      s->branches.push_back({expr(Sort::truth, scope, 1), body(scope, depth + 1, 2)});
    } else if (k < 89) {
      return call(std::move(s), scope);
    } else if (k < 91) {
      return leave(std::move(s), scope);
    } else if (k < 92) {
      s->what = chance(30) ? Do::fail : Do::discard_unless;
      if (s->what == Do::discard_unless) s->value = expr(Sort::truth, scope, 1);
    } else if (k < 94) {
      s->what = chance(70) ? Do::require : Do::cover;
      s->value = expr(Sort::truth, scope, 1);
      if (s->what == Do::cover) {
        Property cover;
        cover.kind = PropertyKind::cover;
        p_.properties.push_back(std::move(cover));
        s->property = static_cast<std::uint32_t>(p_.properties.size() - 1);
      } else if (chance(60)) {
        Property assertion;
        assertion.kind = PropertyKind::assertion;
        p_.properties.push_back(std::move(assertion));
        s->property = static_cast<std::uint32_t>(p_.properties.size() - 1);
      }
    } else {
      return bag(std::move(s), scope);
    }
    return s;
  }

  StatementPtr assign(StatementPtr s, Scope& scope) {
    s->what = Do::assign;
    s->place = any_place(scope, 1);
    if (s->place->type->is_scalar()) {
      s->value =
          chance(75) ? inside(*s->place->type, scope) : expr(sort_of(*s->place->type), scope, 1);
      s->undefined_allowed = chance(30);
      if (!s->place->type->total) count_undefined(*s->value);
      return s;
    }
    for (std::size_t f = 0; f < p_.functions.size() && chance(50); ++f)
      if (p_.functions[f].result == s->place->type && (s->value = call_of(f, scope, 1))) return s;
    std::optional<Place> from = place_of(s->place->type, scope, 1);
    if (!from) return nullptr;
    s->value = read(std::move(*from));
    return s;
  }

  StatementPtr call(StatementPtr s, Scope& scope) {
    if (p_.functions.empty()) return nullptr;
    s->what = Do::call;
    s->value = call_of(static_cast<std::size_t>(in(0, static_cast<int>(p_.functions.size()) - 1)),
                       scope, 1);
    return s->value ? std::move(s) : nullptr;
  }

  StatementPtr leave(StatementPtr s, Scope& scope) {
    s->what = Do::leave;
    if (scope.result == nullptr) return s;
    if (scope.result->is_scalar()) {
      s->value = chance(60) ? inside(*scope.result, scope) : expr(sort_of(*scope.result), scope, 1);
      if (!scope.result->total) count_undefined(*s->value);
    } else {
      std::optional<Place> from = place_of(scope.result, scope, 1);
      if (!from) return nullptr;
      s->value = read(std::move(*from));
    }
    return s;
  }

  StatementPtr bag(StatementPtr s, Scope& scope) {
    s->place = bag_place(scope, 1);
    if (!s->place) return nullptr;
    const Type& type = *s->place->type;
    const int k = in(0, 9);
    if (k < 6) {
      s->what = Do::bag_add;
      if (type.element->is_scalar()) {
        s->value =
            chance(80) ? inside(*type.element, scope) : expr(sort_of(*type.element), scope, 1);
        if (!type.element->total) count_undefined(*s->value);
      } else {
        std::optional<Place> from = place_of(type.element, scope, 1);
        if (!from) return nullptr;
        s->value = read(std::move(*from));
      }
    } else if (k < 8) {
      s->what = Do::bag_remove;
      s->value = literal(nullptr, in(-1, static_cast<int>(type.capacity)));
    } else {
      s->what = Do::bag_remove_if;
      s->slot = slot(scope, nullptr, Holds::constant);
      scope.constants.push_back(s->slot);
      s->value = expr(Sort::truth, scope, 1);
      scope.constants.pop_back();
    }
    return s;
  }

  // Rules, functions, properties ------------------------------------------------------------------

  void header(Header& h, Scope& scope) {
    h.name = "h";
    h.position = somewhere();
    for (int i = in(0, 2); i > 0; --i) {
      const Type* type = one_of(small_);
      Parameter parameter;
      parameter.slot = slot(scope, type, Holds::constant);
      for (std::uint64_t c = 1; c <= type->domain.size(); ++c)
        if (chance(90)) parameter.values.push_back(type->domain.value(c));
      scope.constants.push_back(parameter.slot);
      h.parameters.push_back(std::move(parameter));
    }
    if (chance(25)) {
      auto s = std::make_unique<Statement>();
      s->what = Do::bind_place;
      s->place = any_place(scope, 1);
      s->slot = slot(scope, s->place->type, Holds::reference);
      scope.places.push_back(s->slot);
      h.bindings.push_back(std::move(s));
    }
  }

  Rule make_rule(bool start) {
    Rule rule;
    Frame frame;
    Scope scope{&frame, {}, {}};
    header(rule.header, scope);
    scope.pure = true;
    if (chance(start ? 10 : 50)) rule.guard = expr(Sort::truth, scope, 0);
    scope.pure = false;
    locals(scope);
    if (start) rule.body = mostly_clear();
    if (!start || chance(40))
      for (auto& s : body(scope, 0, start ? 3 : 4)) rule.body.push_back(std::move(s));
    rule.header.frame = std::move(frame);
    return rule;
  }

  // A state in which most is defined: others lead to failures only.
  Body mostly_clear() {
    Body all;
    for (std::uint32_t i = 0; i < p_.variables.size(); ++i) {
      if (chance(5)) continue;
      auto s = std::make_unique<Statement>();
      s->what = Do::clear;
      s->place.emplace();
      s->place->in_state = true;
      s->place->root = i;
      s->place->type = p_.variables[i].type;
      all.push_back(std::move(s));
    }
    return all;
  }

  void locals(Scope& scope) {
    for (int i = in(0, 2); i > 0; --i)
      scope.places.push_back(slot(scope, any_type(), Holds::value));
  }

  void make_function() {
    Function function;
    Frame frame;
    Scope scope{&frame, {}, {}};
    for (int i = in(0, 3); i > 0; --i) {
      const Holds holds = static_cast<Holds>(in(0, 2));
      const SlotIndex index =
          slot(scope, holds == Holds::constant ? scalar_type() : any_type(), holds);
      (holds == Holds::constant ? scope.constants : scope.places).push_back(index);
    }
    function.parameters = frame.size();
    if (chance(60)) function.result = any_type();
    scope.result = function.result;
    scope.in_function = true;
    function.frame = frame;
    const bool recursive = chance(15);
    if (recursive)
      p_.functions.push_back({"f", {}, frame, function.parameters, function.result, {}});
    locals(scope);
    function.body = body(scope, 0, 4);
    function.frame = std::move(frame);
    if (recursive)
      p_.functions.back() = std::move(function);
    else
      p_.functions.push_back(std::move(function));
  }

  // A function that changes nothing and may discard, and calls of it in guards.
  void ask_in_guards() {
    const Type* type = one_of(small_);
    const auto number = static_cast<FunctionIndex>(p_.functions.size());
    Function function;
    Scope own{&function.frame, {}, {}, truth_, true, true};
    own.constants.push_back(slot(own, type, Holds::constant));
    function.parameters = 1;
    function.result = truth_;
    for (const Do what : {Do::discard_unless, Do::leave}) {
      auto s = std::make_unique<Statement>();
      s->what = what;
      s->position = somewhere();
      s->value = expr(Sort::truth, own, 1);
      function.body.push_back(std::move(s));
    }
    p_.functions.push_back(std::move(function));
    for (auto* rules : {&p_.starts, &p_.rules})
      for (Rule& rule : *rules)
        if (chance(rules == &p_.starts ? 10 : 60)) ask(rule, number);
  }

  void ask(Rule& rule, FunctionIndex function) {
    Scope scope{&rule.header.frame, {}, {}};
    for (const Parameter& parameter : rule.header.parameters)
      scope.constants.push_back(parameter.slot);
    ExprPtr asks = node(Op::call, truth_);
    asks->function = function;
    asks->arguments.emplace_back().value = inside(*p_.functions[function].frame[0].type, scope);
    if (rule.guard) {
      ExprPtr both =
          node(one_of(std::vector<Op>{Op::logical_and, Op::logical_and, Op::implies}), truth_);
      both->operands.push_back(std::move(asks));
      both->operands.push_back(std::move(rule.guard));
      if (chance(50)) std::swap(both->operands[0], both->operands[1]);
      asks = std::move(both);
    }
    rule.guard = std::move(asks);
  }

  // Rules without parameters that ask for the value of one variable first, as those of a process
  // do.
  void make_machine() {
    const Type* states = chance(50) ? tags_[0] : numbers_[0];
    p_.variables.push_back({"m", states, {1, 1}});
    const auto at = static_cast<std::uint32_t>(p_.variables.size() - 1);
    for (int i = in(4, 9); i > 0; --i) {
      Rule rule;
      Frame frame;
      Scope scope{&frame, {}, {}};
      ExprPtr here = node(Op::equal, truth_);
      Place place;
      place.in_state = true;
      place.root = at;
      place.type = states;
      here->operands.push_back(read(std::move(place)));
      here->operands.push_back(inside(*states, scope));
      rule.guard = std::move(here);
      if (chance(50)) {
        scope.pure = true;
        ExprPtr both = node(Op::logical_and, truth_);
        both->operands.push_back(std::move(rule.guard));
        both->operands.push_back(expr(Sort::truth, scope, 1));
        rule.guard = std::move(both);
        scope.pure = false;
      }
      rule.body = body(scope, 0, 3);
      rule.header.frame = std::move(frame);
      rule.header.name = "m";
      p_.rules.push_back(std::move(rule));
    }
    if (!chance(40)) return;
    p_.failure_state.emplace();
    p_.failure_state->body = mostly_clear();
    std::erase_if(p_.rules, [](const Rule& rule) { return !rule.header.parameters.empty(); });
  }

  Property make_property(PropertyKind kind, bool with_parameters) {
    Property property;
    Frame frame;
    Scope scope{&frame, {}, {}};
    scope.pure = true;
    property.kind = kind;
    if (with_parameters) header(property.header, scope);
    property.condition = expr(Sort::truth, scope, 0);
    property.header.frame = std::move(frame);
    return property;
  }

  void make_properties() {
    for (int i = in(0, 3); i > 0; --i) {
      constexpr PropertyKind kKinds[] = {PropertyKind::invariant, PropertyKind::assertion,
                                         PropertyKind::assumption, PropertyKind::cover,
                                         PropertyKind::reachable};
      PropertyKind kind = kKinds[in(0, 4)];
      if (kind == PropertyKind::assumption && (chance(70) || p_.failure_state))
        kind = PropertyKind::invariant;
      if (kind == PropertyKind::assertion)
        p_.properties.emplace_back().kind = kind;
      else
        p_.properties.push_back(make_property(kind, true));
    }
  }

  std::mt19937_64 random_;
  Program p_;
  std::vector<const Type*> numbers_, tags_, small_, aggregates_;
  const Type* truth_ = nullptr;
};

}  // namespace

Program random_program(std::uint64_t seed) { return Maker(seed).make(); }

}  // namespace spillway::program
