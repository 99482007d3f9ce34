#include "program/c_function.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "program/bounds.h"

namespace spillway::program {
namespace {

std::uint64_t memory_words(const Type& type) { return (bits_of(type) + 63) / 64 + 1; }

unsigned width_of(const Type& scalar) { return static_cast<unsigned>(bits_of(scalar)); }

bool is_scalar(const Type* type) { return type == nullptr || type->is_scalar(); }

}  // namespace

std::string c_number(Value value) {
  return value < 0 ? fmt::format("(-INT64_C({}))", -value) : fmt::format("INT64_C({})", value);
}

// Tables ----------------------------------------------------------------------------------------------------

std::size_t CTables::domain(const Domain& domain) {
  const auto place = std::find(domains_.begin(), domains_.end(), domain.intervals());
  if (place != domains_.end()) return static_cast<std::size_t>(place - domains_.begin());
  domains_.push_back(domain.intervals());
  return domains_.size() - 1;
}

std::size_t CTables::cleared(const Type& type) {
  Program single;
  single.variables.push_back({"", &type, {}});
  const Layout layout(single);
  std::vector<Word> image(layout.words() + 1);
  const auto fill = [&](const auto& self, const Type& part, std::uint64_t bit) -> void {
    switch (part.kind) {
      case Kind::scalar: write_bits(image.data(), bit, width_of(part), stored_code(part, 1)); break;
      case Kind::record:
        for (std::size_t i = 0; i < part.fields.size(); ++i) self(self, *part.fields[i].type, bit + field_bit(part, i));
        break;
      case Kind::array:
        for (std::uint64_t i = 0; i < part.index->domain.size(); ++i)
          self(self, *part.element, bit + element_bit(part, i));
        break;
      case Kind::bag: break;
    }
  };
  fill(fill, type, 0);
  const auto place = std::find(images_.begin(), images_.end(), image);
  if (place != images_.end()) return static_cast<std::size_t>(place - images_.begin());
  images_.push_back(std::move(image));
  return images_.size() - 1;
}

std::string CTables::text() const {
  std::string out;
  for (std::size_t k = 0; k < domains_.size(); ++k) {
    std::string value = fmt::format("IN V value{}(W c) {{\n", k);
    std::string code = fmt::format("IN W code{}(V v) {{\n", k);
    std::uint64_t before = 0;
    for (const Interval& i : domains_[k]) {
      const std::uint64_t size = static_cast<std::uint64_t>(i.high - i.low) + 1;
      value += fmt::format("  if (c <= {}u) return (V)c + {};\n", before + size,
                           c_number(i.low - 1 - static_cast<Value>(before)));
      code += fmt::format("  if (v >= {} && v <= {}) return (W)(v - {}) + {}u;\n", c_number(i.low), c_number(i.high),
                          c_number(i.low), before + 1);
      before += size;
    }
    out += value + "  return U;\n}\n" + code + "  return 0;\n}\n";
  }
  for (std::size_t k = 0; k < images_.size(); ++k) {
    out += fmt::format("static const W cleared{}[] = {{", k);
    for (const Word word : images_[k]) out += fmt::format("{:#x}u,", word);
    out += "};\n";
  }
  return out;
}

// What lives in memory --------------------------------------------------------------------------------------

bool has_call(const Expr& expr) {
  if (expr.op == Op::call) return true;
  const auto in = [](const ExprPtr& part) { return part && has_call(*part); };
  if (expr.place &&
      std::any_of(expr.place->steps.begin(), expr.place->steps.end(), [&](const Step& step) { return in(step.index); }))
    return true;
  return in(expr.range.from) || in(expr.range.to) || in(expr.range.by) ||
         std::any_of(expr.operands.begin(), expr.operands.end(), in);
}

void CFunction::take_address(const Place& place) {
  if (!place.in_state && frame_[place.root].holds == Holds::value) in_memory_[place.root] = true;
}

void CFunction::look_at(const Place& place) {
  for (const Step& step : place.steps)
    if (step.index) look_at(*step.index);
}

void CFunction::look_at(const Range& range) {
  for (const ExprPtr* part : {&range.from, &range.to, &range.by})
    if (*part) look_at(**part);
}

void CFunction::look_at(const Expr& expr) {
  if (expr.place) look_at(*expr.place);
  look_at(expr.range);
  for (const Argument& argument : expr.arguments) {
    if (argument.value) look_at(*argument.value);
    if (argument.place) {
      look_at(*argument.place);
      take_address(*argument.place);
    }
  }
  for (const ExprPtr& operand : expr.operands) look_at(*operand);
}

void CFunction::look_at(const Body& body) {
  for (const auto& statement : body) {
    if (statement->place) look_at(*statement->place);
    if (statement->place && statement->what == Do::bind_place) take_address(*statement->place);
    if (statement->value) look_at(*statement->value);
    look_at(statement->range);
    for (const Branch& branch : statement->branches) {
      if (branch.condition) look_at(*branch.condition);
      look_at(branch.body);
    }
  }
}

std::string CFunction::slot_declarations(std::size_t first) const {
  std::string out;
  for (std::size_t i = first; i < frame_.size(); ++i) {
    const Slot& slot = frame_[i];
    switch (slot.holds) {
      case Holds::constant: out += fmt::format("  V l{} = 0; (void)l{};\n", i, i); break;
      case Holds::reference: out += fmt::format("  W *m{} = 0; B b{} = 0; (void)m{}; (void)b{};\n", i, i, i, i); break;
      case Holds::value:
        if (slot.type->is_scalar() && !in_memory_[i])
          out += fmt::format("  V l{} = {}; (void)l{};\n", i,
                             slot.type->total ? c_number(slot.type->domain.value(1)) : "U", i);
        else
          out += fmt::format("  W m{}[{}] = {{0}}; (void)m{};\n", i, memory_words(*slot.type), i);
    }
  }
  return out;
}

std::string CFunction::parameters(const Function& function) {
  std::string out;
  for (std::size_t i = 0; i < function.parameters; ++i) {
    const Slot& slot = function.frame[i];
    if (slot.holds == Holds::reference)
      out += fmt::format(", W *m{}, B b{}", i, i);
    else if (is_scalar(slot.type))
      out += fmt::format(", V {}{}", slot.holds == Holds::constant ? "l" : "a", i);
    else
      out += fmt::format(", const W *a{}, B b{}", i, i);
  }
  return out;
}

std::string CFunction::entry(const Function& function) const {
  std::string out;
  for (std::size_t i = 0; i < function.parameters; ++i) {
    const Slot& slot = function.frame[i];
    if (slot.holds != Holds::value) {
      out += slot.holds == Holds::reference ? fmt::format("  (void)m{}; (void)b{};\n", i, i)
                                            : fmt::format("  (void)l{};\n", i);
      continue;
    }
    if (!slot.type->is_scalar())
      out += fmt::format("  W m{}[{}] = {{0}}; cp(m{}, 0, a{}, b{}, {});\n", i, memory_words(*slot.type), i, i, i,
                         bits_of(*slot.type));
    else if (in_memory_[i])
      out += fmt::format("  W m{0}[2] = {{a{0} == U ? 0 : code{1}(a{0}){2}}};\n", i, tables_.domain(slot.type->domain),
                         slot.type->total ? " - 1" : "");
    else
      out += fmt::format("  V l{} = a{}; (void)l{};\n", i, i, i);
  }
  return out;
}

std::string CFunction::temporary(const Type& type) {
  const std::string name = fresh("c");
  temporaries_ += fmt::format("  W {}[{}] = {{0}};\n", name, memory_words(type));
  return name;
}

// Places ----------------------------------------------------------------------------------------------------

Interval CFunction::bounds_of(const Expr& expr) const { return bounds(expr, frame_, program_.functions); }

bool CFunction::plain(const Place& place) const {
  return !place.in_state && place.steps.empty() && frame_[place.root].holds == Holds::value &&
         !in_memory_[place.root] && frame_[place.root].type->is_scalar();
}

// Whether a scalar in an array of the state can lie across two words, for some value of the indices.
bool CFunction::crosses(const Place& place) const {
  if (!place.in_state || width_of(*place.type) > 57) return true;
  constexpr std::size_t kMost = 4096;
  std::vector<std::uint64_t> bits = {layout_.variable_bit(place.root)};
  const Type* type = program_.variables[place.root].type;
  for (const Step& step : place.steps) {
    if (!step.index) {
      for (std::uint64_t& bit : bits) bit += field_bit(*type, step.field);
      type = type->fields[step.field].type;
      continue;
    }
    const std::uint64_t count = type->kind == Kind::array ? type->index->domain.size() : type->capacity;
    if (bits.size() * count > kMost) return true;
    std::vector<std::uint64_t> next;
    for (const std::uint64_t bit : bits)
      for (std::uint64_t i = 0; i < count; ++i) next.push_back(bit + element_bit(*type, i));
    bits = std::move(next);
    type = type->element;
  }
  const unsigned width = width_of(*type);
  return std::any_of(bits.begin(), bits.end(), [&](std::uint64_t bit) { return bit % 64 + width > 64; });
}

std::string CFunction::element(const Type& type, const Step& step, const std::string& base, const std::string& bit,
                               std::optional<std::uint64_t>& constant) {
  constant.reset();
  const Interval within = bounds_of(*step.index);
  if (type.kind == Kind::array) {
    const Domain& domain = type.index->domain;
    const std::uint64_t stride = bits_of(*type.element);
    if (step.index->op == Op::literal && domain.contains(step.index->value)) {
      constant = (domain.code(step.index->value) - 1) * stride;
      return "";
    }
    return fmt::format("(B)({} - 1) * {}u", code_of(domain, scalar(*step.index), within), stride);
  }
  const std::uint64_t slot_bits = 1 + bits_of(*type.element);
  const std::string i = fresh("i");
  return fmt::format(
      "({{ V {0} = within(x, {1}, 0, {2}); known(x, ld({3}, {4} + (B){0} * {5}u, 1)); (B){0} * {5}u + 1u; }})", i,
      scalar(*step.index), type.capacity - 1, base, bit, slot_bits);
}

CFunction::At CFunction::at(const Place& place) {
  At at;
  const Type* type = nullptr;
  std::uint64_t constant = 0;
  std::string moving;
  if (place.in_state) {
    at.base = "t";
    constant = layout_.variable_bit(place.root);
    type = program_.variables[place.root].type;
  } else {
    at.base = fmt::format("m{}", place.root);
    if (frame_[place.root].holds == Holds::reference) moving = fmt::format("b{}", place.root);
    type = frame_[place.root].type;
  }
  for (const Step& step : place.steps) {
    if (!step.index) {
      constant += field_bit(*type, step.field);
      type = type->fields[step.field].type;
      continue;
    }
    std::optional<std::uint64_t> known;
    const std::string before =
        moving.empty() ? fmt::format("{}u", constant) : fmt::format("{} + {}u", moving, constant);
    const std::string more = element(*type, step, at.base, before, known);
    if (known)
      constant += *known;
    else
      moving += (moving.empty() ? "" : " + ") + more;
    type = type->element;
  }
  if (moving.empty()) {
    at.constant = constant;
    at.bit = fmt::format("{}u", constant);
  } else {
    at.bit = constant == 0 ? moving : fmt::format("{}u + {}", constant, moving);
  }
  at.in_word = type->is_scalar() && (at.constant ? constant % 64 + width_of(*type) <= 64 : !crosses(place));
  return at;
}

std::string CFunction::load(const Place& place) {
  const At where = at(place);
  const unsigned width = width_of(*place.type);
  const char* function = where.in_word ? "ldw" : width <= 57 ? "ld" : "ldx";
  return fmt::format("{}({}, {}, {})", function, where.base, where.bit, width);
}

// The code is stored where the place is, once the statements before have computed it.
void CFunction::store(const Place& place, const std::string& code, std::string& out) {
  const At where = at(place);
  const unsigned width = width_of(*place.type);
  const char* function = where.in_word ? "stw" : width <= 57 ? "st" : "stx";
  out += fmt::format("{}({}, {}, {}, {}{});\n", function, where.base, where.bit, width, code,
                     place.type->total ? " - 1" : "");
}

std::string CFunction::value_of(const Type& type, const std::string& stored, bool may_be_undefined) {
  const Domain& domain = type.domain;
  const bool simple = domain.intervals().size() == 1;
  const Value low = domain.intervals().front().low;
  if (type.total)
    return simple ? fmt::format("((V){} + {})", stored, c_number(low))
                  : fmt::format("value{}({} + 1)", tables_.domain(domain), stored);
  const std::string shift = c_number(low - 1);
  if (!may_be_undefined)
    return simple ? fmt::format("((V)known(x, {}) + {})", stored, shift)
                  : fmt::format("value{}(known(x, {}))", tables_.domain(domain), stored);
  const std::string c = fresh("c");
  return fmt::format(
      "({{ W {0} = {1}; {0} == 0 ? U : {2}; }})", c, stored,
      simple ? fmt::format("(V){} + {}", c, shift) : fmt::format("value{}({})", tables_.domain(domain), c));
}

std::string CFunction::code_of(const Domain& domain, const std::string& value, Interval bounds) {
  if (domain.intervals().size() > 1) return fmt::format("known(x, code{}({}))", tables_.domain(domain), value);
  const Interval& only = domain.intervals().front();
  const std::string low = c_number(only.low);
  if (inside(bounds, only)) return fmt::format("((W)({} - {}) + 1)", value, low);
  return fmt::format("((W)(within(x, {}, {}, {}) - {}) + 1)", value, low, c_number(only.high), low);
}

// Expressions -----------------------------------------------------------------------------------------------

std::string CFunction::raw(const Expr& expr) {
  if (expr.op == Op::call) return call(expr, "");
  if (expr.op != Op::read) return scalar(expr);
  if (plain(*expr.place)) return fmt::format("l{}", expr.place->root);
  return value_of(*expr.place->type, load(*expr.place), true);
}

std::string CFunction::scalar(const Expr& expr) {
  const auto operand = [&](std::size_t i) { return scalar(*expr.operands[i]); };
  const auto compare = [&](const char* sign) {
    if (has_call(*expr.operands[0]) || has_call(*expr.operands[1])) {
      const std::string a = fresh("a");
      return fmt::format("({{ V {0} = {1}; (V)({0} {2} {3}); }})", a, operand(0), sign, operand(1));
    }
    return fmt::format("(V)({} {} {})", operand(0), sign, operand(1));
  };
  switch (expr.op) {
    case Op::literal: return c_number(expr.value);
    case Op::slot: return fmt::format("l{}", expr.slot);
    case Op::read:
      if (plain(*expr.place)) return fmt::format("defined(x, l{})", expr.place->root);
      return value_of(*expr.place->type, load(*expr.place), false);
    case Op::call: return fmt::format("defined(x, {})", call(expr, ""));
    case Op::equal: return compare("==");
    case Op::unequal: return compare("!=");
    case Op::less: return compare("<");
    case Op::less_equal: return compare("<=");
    case Op::logical_not: return fmt::format("(V)!{}", operand(0));
    case Op::logical_and: return fmt::format("(V)({} && {})", operand(0), operand(1));
    case Op::logical_or: return fmt::format("(V)({} || {})", operand(0), operand(1));
    case Op::implies: return fmt::format("(V)(!{} || {})", operand(0), operand(1));
    case Op::conditional: return fmt::format("({} ? {} : {})", operand(0), operand(1), operand(2));
    case Op::for_all:
    case Op::exists: return quantified(expr);
    case Op::is_undefined:
      if (expr.place->type->total)
        return fmt::format("((void)({}), INT64_C(0))", plain(*expr.place) ? "0" : load(*expr.place));
      if (plain(*expr.place)) return fmt::format("(V)(l{} == U)", expr.place->root);
      return fmt::format("(V)({} == 0)", load(*expr.place));
    case Op::is_member: return fmt::format("(V)(code{}({}) != 0)", tables_.domain(expr.type->domain), operand(0));
    case Op::bag_count: return bag_count(expr);
    default: return arithmetic(expr);
  }
}

std::string CFunction::arithmetic(const Expr& expr) {
  const Interval a = bounds_of(*expr.operands[0]);
  const bool two = expr.operands.size() > 1;
  const Interval b = two ? bounds_of(*expr.operands[1]) : Interval{0, 0};
  const bool fits = arithmetic_bounds(expr.op, a, b).fits;
  std::string left = scalar(*expr.operands[0]);
  std::string right = two ? scalar(*expr.operands[1]) : "";
  std::string first;
  if (two && (has_call(*expr.operands[0]) || has_call(*expr.operands[1]))) {
    const std::string p = fresh("a");
    const std::string q = fresh("a");
    first = fmt::format("V {} = {}; V {} = {}; ", p, left, q, right);
    left = p;
    right = q;
  }
  const auto text = [&]() -> std::string {
    const auto checked = [&](const char* function) { return fmt::format("{}(x, {}, {})", function, left, right); };
    const auto plainly = [&](const char* sign) { return fmt::format("({} {} {})", left, sign, right); };
    switch (expr.op) {
      case Op::negate: return fmt::format("(-{})", left);
      case Op::bit_not: return fits ? fmt::format("(~{})", left) : fmt::format("number(x, ~{})", left);
      case Op::add: return fits ? plainly("+") : checked("add");
      case Op::subtract: return fits ? plainly("-") : checked("sub");
      case Op::multiply: return fits ? plainly("*") : checked("mul");
      case Op::divide: return b.low > 0 ? plainly("/") : checked("quotient");
      case Op::remainder: return b.low > 0 ? plainly("%") : checked("rest");
      case Op::bit_and: return fits ? plainly("&") : fmt::format("number(x, {} & {})", left, right);
      case Op::bit_or: return fits ? plainly("|") : fmt::format("number(x, {} | {})", left, right);
      case Op::bit_xor: return fits ? plainly("^") : fmt::format("number(x, {} ^ {})", left, right);
      case Op::shift_left: return checked("left");
      case Op::shift_right: return checked("right");
      default: throw Error(Fault::internal, "an expression that the C generator does not know");
    }
  }();
  return first.empty() ? text : fmt::format("({{ {}{}; }})", first, text);
}

std::string CFunction::loop(const Range& range, SlotIndex slot) {
  if (range.type != nullptr) {
    const Domain& domain = range.type->domain;
    if (domain.intervals().size() == 1)
      return fmt::format("for (l{0} = {1}; l{0} <= {2}; ++l{0})", slot, c_number(domain.lowest()),
                         c_number(domain.highest()));
    const std::string c = fresh("c");
    return fmt::format("for (W {0} = 1; {0} <= {1}u && (l{2} = value{3}({0}), 1); ++{0})", c, domain.size(), slot,
                       tables_.domain(domain));
  }
  // The number of turns is computed first: the counter may be unable to go beyond the end.
  const std::string a = fresh("a");
  const std::string b = fresh("a");
  const std::string by = fresh("a");
  const std::string n = fresh("n");
  return fmt::format(
      "V {0} = {3}; V {1} = {4}; V {2} = {5}; if (RARELY({2} == 0)) fail(x);\n"
      "W {6} = {2} > 0 ? ({0} <= {1} ? ((W){1} - (W){0}) / (W){2} + 1 : 0) : ({0} >= {1} ? ((W){0} - (W){1}) / (W)-{2} "
      "+ 1 : 0);\n"
      "if (RARELY({6} > (1u << 26))) fail(x);\n"
      "l{7} = {0}; for (; {6} != 0; --{6}, l{7} = {0} = (V)((W){0} + (W){2}))",
      a, b, by, scalar(*range.from), scalar(*range.to), range.by ? scalar(*range.by) : "1", n, slot);
}

std::string CFunction::quantified(const Expr& expr) {
  const bool until = expr.op == Op::exists;
  const std::string r = fresh("r");
  const std::string head = loop(expr.range, expr.slot);
  return fmt::format("({{ V {0} = {1}; {2} {{ if ({3}{4}) {{ {0} = {5}; break; }} }} {0}; }})", r, until ? 0 : 1, head,
                     until ? "" : "!", scalar(*expr.operands[0]), until ? 1 : 0);
}

std::string CFunction::bag_count(const Expr& expr) {
  const Type& bag = *expr.place->type;
  const At where = at(*expr.place);
  const std::string b = fresh("b");
  const std::string n = fresh("n");
  return fmt::format(
      "({{ B {0} = {1}; V {2} = 0; for (l{3} = 0; l{3} < {4}; ++l{3}) if (ld({5}, {0} + (B)l{3} * {6}u, 1) && {7}) "
      "++{2}; "
      "{2}; }})",
      "x" + b, where.bit, n, expr.slot, bag.capacity, where.base, 1 + bits_of(*bag.element), scalar(*expr.operands[0]));
}

std::string CFunction::call(const Expr& expr, const std::string& result) {
  const Function& function = program_.functions[expr.function];
  std::string before;
  std::string arguments;
  for (std::size_t i = 0; i < function.parameters; ++i) {
    const Slot& slot = function.frame[i];
    const Argument& argument = expr.arguments[i];
    const std::string a = fresh("a");
    if (slot.holds == Holds::reference) {
      const At where = at(*argument.place);
      before += fmt::format("W *{0} = {1}; B x{0} = {2}; ", a, where.base, where.bit);
      arguments += fmt::format(", {0}, x{0}", a);
    } else if (is_scalar(slot.type)) {
      const Interval bounds = bounds_of(*argument.value);
      const bool variable = slot.holds == Holds::value && !slot.type->total;
      std::string value = variable ? raw(*argument.value) : scalar(*argument.value);
      if (slot.type != nullptr && !inside(bounds, slot.type->domain)) {
        const std::string v = fresh("v");
        value = fmt::format("({{ V {0} = {1}; {3}known(x, {2}); {0}; }})", v, value,
                            code_of(slot.type->domain, v, bounds), variable ? fmt::format("if ({} != U) ", v) : "");
      }
      before += fmt::format("V {} = {}; ", a, value);
      arguments += fmt::format(", {}", a);
    } else if (argument.value->op == Op::call) {
      const std::string c = temporary(*slot.type);
      before += call(*argument.value, c) + "; ";
      arguments += fmt::format(", {}, 0", c);
    } else {
      const At where = at(*argument.value->place);
      before += fmt::format("const W *{0} = {1}; B x{0} = {2}; ", a, where.base, where.bit);
      arguments += fmt::format(", {0}, x{0}", a);
    }
  }
  if (!is_scalar(function.result)) {
    const std::string to = result.empty() ? temporary(*function.result) : result;
    before += fmt::format("memset({0}, 0, sizeof {0}); ", to);
    arguments = ", " + to + arguments;
  }
  return fmt::format("({{ {}f{}(x, t{}); }})", before, expr.function, arguments);
}

// Statements ------------------------------------------------------------------------------------------------

std::string CFunction::statements(const Body& body) {
  std::string out;
  for (const auto& part : body) statement(*part, out);
  return out;
}

void CFunction::copy_aggregate(const std::string& to, const std::string& to_bit, const Expr& from, std::string& out) {
  std::string base;
  std::string bit = "0";
  if (from.op == Op::call) {
    base = temporary(*from.type);
    out += call(from, base) + ";\n";
  } else {
    const At source = at(*from.place);
    base = source.base;
    bit = source.bit;
  }
  const std::string b = fresh("b");
  const std::string a = fresh("b");
  out += fmt::format("B x{0} = {1}; B x{2} = {3}; cp({4}, x{2}, {5}, x{0}, {6});\n", b, bit, a, to_bit, to, base,
                     bits_of(*from.type));
}

void CFunction::assign(const Statement& statement, std::string& out) {
  const Place& place = *statement.place;
  const Expr& value = *statement.value;
  out += "{ ";
  if (!place.type->is_scalar()) {
    const At to = at(place);
    copy_aggregate(to.base, to.bit, value, out);
  } else if (statement.undefined_allowed && !place.type->total && (value.op == Op::read || value.op == Op::call)) {
    const std::string v = fresh("v");
    out += fmt::format("V {} = {}; ", v, raw(value));
    const Interval bounds = bounds_of(value);
    if (plain(place))
      out += fmt::format("if ({0} != U) known(x, {1}); l{2} = {0};\n", v, code_of(place.type->domain, v, bounds),
                         place.root);
    else
      store(place, fmt::format("{} == U ? 0 : {}", v, code_of(place.type->domain, v, bounds)), out);
  } else {
    const std::string v = fresh("v");
    out += fmt::format("V {} = {}; ", v, scalar(value));
    const Interval bounds = bounds_of(value);
    if (!plain(place))
      store(place, code_of(place.type->domain, v, bounds), out);
    else if (inside(bounds, place.type->domain))
      out += fmt::format("l{} = {};\n", place.root, v);
    else
      out += fmt::format("known(x, {}); l{} = {};\n", code_of(place.type->domain, v, bounds), place.root, v);
  }
  out += "}\n";
}

void CFunction::bind_value(const Statement& statement, std::string& out) {
  const Slot& slot = frame_[statement.slot];
  const Expr& value = *statement.value;
  out += "{ ";
  if (!is_scalar(slot.type)) {
    copy_aggregate(fmt::format("m{}", statement.slot), "0", value, out);
  } else {
    const Interval bounds = bounds_of(value);
    const std::string v = fresh("v");
    out += fmt::format("V {} = {}; ", v, scalar(value));
    const bool certain = slot.type == nullptr || inside(bounds, slot.type->domain);
    if (slot.holds == Holds::value && in_memory_[statement.slot])
      out += fmt::format("m{}[0] = {}{};\n", statement.slot, code_of(slot.type->domain, v, bounds),
                         slot.type->total ? " - 1" : "");
    else
      out += fmt::format("{}l{} = {};\n",
                         certain ? "" : fmt::format("known(x, {}); ", code_of(slot.type->domain, v, bounds)),
                         statement.slot, v);
  }
  out += "}\n";
}

void CFunction::leave(const Statement& statement, std::string& out) {
  if (!in_function_ || result_ == nullptr || !statement.value) {
    if (in_function_) out += depth_text();
    out += in_function_ && result_ != nullptr && result_->is_scalar() ? "return U;\n" : "return;\n";
    return;
  }
  out += "{ ";
  if (!result_->is_scalar()) {
    copy_aggregate("result", "0", *statement.value, out);
    out += depth_text() + "return; }\n";
    return;
  }
  const Interval bounds = bounds_of(*statement.value);
  const std::string v = fresh("v");
  out += fmt::format("V {} = {}; ", v, scalar(*statement.value));
  if (!inside(bounds, result_->domain)) out += fmt::format("known(x, {}); ", code_of(result_->domain, v, bounds));
  out += fmt::format("{}return {}; }}\n", depth_text(), v);
}

void CFunction::bag_statement(const Statement& statement, std::string& out) {
  const Type& bag = *statement.place->type;
  const std::uint64_t slot_bits = 1 + bits_of(*bag.element);
  const std::uint64_t element_bits = bits_of(*bag.element);
  const std::string v = fresh("v");
  const std::string b = fresh("y");
  const std::string i = fresh("i");
  const auto open = [&] {
    const At where = at(*statement.place);
    out += fmt::format("B {} = {};\n", b, where.bit);
    return where.base;
  };
  out += "{ ";
  if (statement.what == Do::bag_add) {
    const std::string element = temporary(*bag.element);
    if (bag.element->is_scalar()) {
      const Interval bounds = bounds_of(*statement.value);
      out += fmt::format("V {} = {}; stx({}, 0, {}, {}{});\n", v, scalar(*statement.value), element, element_bits,
                         code_of(bag.element->domain, v, bounds), bag.element->total ? " - 1" : "");
    } else {
      copy_aggregate(element, "0", *statement.value, out);
    }
    const std::string base = open();
    out += fmt::format(
        "B {0}; for ({0} = 0; {0} < {1}u && ld({2}, {3} + {0} * {4}u, 1); ++{0}) continue;\n"
        "if (RARELY({0} == {1}u)) fail(x);\n"
        "st({2}, {3} + {0} * {4}u, 1, 1); cp({2}, {3} + {0} * {4}u + 1, {5}, 0, {6}); }}\n",
        i, bag.capacity, base, b, slot_bits, element, element_bits);
    return;
  }
  if (statement.what == Do::bag_remove) {
    out += fmt::format("V {} = within(x, {}, 0, {}); ", v, scalar(*statement.value), bag.capacity - 1);
    const std::string base = open();
    out += fmt::format("{1} += (B){0} * {2}u; known(x, ld({3}, {1}, 1)); zero({3}, {1}, {2}); }}\n", v, b, slot_bits,
                       base);
    return;
  }
  const std::string base = open();
  out += fmt::format(
      "for (l{0} = 0; l{0} < {1}; ++l{0}) if (ld({2}, {3} + (B)l{0} * {4}u, 1) && {5}) zero({2}, {3} + (B)l{0} * {4}u, "
      "{4}); }}\n",
      statement.slot, bag.capacity, base, b, slot_bits, scalar(*statement.value));
}

void CFunction::statement(const Statement& statement, std::string& out) {
  switch (statement.what) {
    case Do::assign: return assign(statement, out);
    case Do::bind_value: return bind_value(statement, out);
    case Do::bind_place: {
      const At where = at(*statement.place);
      out += fmt::format("b{0} = {1}; m{0} = {2};\n", statement.slot, where.bit, where.base);
      return;
    }
    case Do::undefine:
      if (plain(*statement.place)) {
        out += fmt::format("l{} = {};\n", statement.place->root,
                           statement.place->type->total ? c_number(statement.place->type->domain.value(1)) : "U");
      } else {
        const At where = at(*statement.place);
        out += fmt::format("zero({}, {}, {});\n", where.base, where.bit, bits_of(*statement.place->type));
      }
      return;
    case Do::clear:
      if (plain(*statement.place)) {
        out += fmt::format("l{} = {};\n", statement.place->root, c_number(statement.place->type->domain.value(1)));
      } else {
        const At where = at(*statement.place);
        out += fmt::format("cp({}, {}, cleared{}, 0, {});\n", where.base, where.bit,
                           tables_.cleared(*statement.place->type), bits_of(*statement.place->type));
      }
      return;
    case Do::choose: {
      const char* word = "if";
      for (const Branch& branch : statement.branches) {
        if (branch.condition)
          out += fmt::format("{} ({}) {{\n", word, scalar(*branch.condition));
        else
          out += word == std::string_view("if") ? "{\n" : "else {\n";
        for (const auto& part : branch.body) this->statement(*part, out);
        out += "}\n";
        word = "else if";
        if (!branch.condition) break;
      }
      return;
    }
    case Do::loop_over:
      out += fmt::format("{{ {} {{\n", loop(statement.range, statement.slot));
      for (const auto& part : statement.branches[0].body) this->statement(*part, out);
      out += "} }\n";
      return;
    case Do::loop_while: {
      const std::string n = fresh("n");
      const std::string condition = scalar(*statement.branches[0].condition);
      out += fmt::format("{{ W {0} = 0; while ({1}) {{ if (RARELY({0}++ == LOOP_LIMIT)) fail(x);\n", n, condition);
      for (const auto& part : statement.branches[0].body) this->statement(*part, out);
      out += "} }\n";
      return;
    }
    case Do::call: out += fmt::format("(void){};\n", call(*statement.value, "")); return;
    case Do::leave: return leave(statement, out);
    case Do::fail: out += "fail(x);\n"; return;
    case Do::require:
      out += fmt::format("if (RARELY(!{})) {};\n", scalar(*statement.value),
                         statement.property == kNoAssertion
                             ? "fail(x)"
                             : fmt::format("violate(x, {})", reported_number(program_, statement.property)));
      return;
    case Do::discard_unless: out += fmt::format("if (!{}) discard(x);\n", scalar(*statement.value)); return;
    case Do::bag_add:
    case Do::bag_remove:
    case Do::bag_remove_if: return bag_statement(statement, out);
  }
}

}  // namespace spillway::program
