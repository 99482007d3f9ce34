#include "program/observation.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "program/discarding.h"
#include "program/walk.h"

namespace spillway::program {
namespace {

// Whether what follows a statement may not be executed although the rule makes a successor or has
// it left out.
struct Turnoffs : Visitor {
  using Visitor::operator();
  void operator()(const Expr& expr) { found = found || expr.op == Op::call; }
  void operator()(const Statement& statement) {
    found = found || statement.what == Do::leave || statement.what == Do::discard_unless;
  }
  bool found = false;
};

bool has_turnoff(const Statement& statement) {
  Turnoffs turnoffs;
  walk(statement, turnoffs);
  return turnoffs.found;
}

class Observer {
 public:
  explicit Observer(Program& program) : program_(program), discarding_(program) {}

  Observation observe() {
    out_.rules = program_.starts.size() + program_.rules.size();
    for (const Property& property : program_.properties)
      if (property.kind == PropertyKind::assumption)
        out_.assumptions.push_back({property.header.name, property.header.position, false});
    number_values();
    for (std::size_t i = 0; i < program_.properties.size(); ++i)
      if (program_.properties[i].kind == PropertyKind::invariant)
        antecedents(*program_.properties[i].condition, i);
    for (Function& function : program_.functions) inner(function.body);
    std::uint32_t number = 0;
    for (auto* rules : {&program_.starts, &program_.rules})
      for (Rule& rule : *rules) outermost(rule, number++);
    program_.counters = static_cast<std::uint32_t>(2 * out_.rules + out_.assumptions.size());
    program_.marks = next_mark_;
    return std::move(out_);
  }

 private:
  // The first value of each enumeration that a variable can have.  Others are only used as indices
  // and parameters.
  void find_enumerations(const Type& type, std::set<Value>& found) const {
    for (const Names& names : type.names)
      if (!names.lines.empty()) found.insert(names.interval.low);
    for (const Field& field : type.fields) find_enumerations(*field.type, found);
    if (type.element != nullptr) find_enumerations(*type.element, found);
  }

  void number_values() {
    std::set<Value> wanted;
    for (const Variable& variable : program_.variables) find_enumerations(*variable.type, wanted);
    for (const Type& type : program_.types)
      for (const Names& names : type.names) {
        if (names.lines.empty() || wanted.erase(names.interval.low) == 0) continue;
        program_.marked_values.push_back({names.interval, next_mark_});
        for (std::size_t i = 0; i < names.names.size(); ++i)
          out_.values.push_back({type.name, names.names[i], names.lines[i], next_mark_++, {}});
      }
  }

  // A comparison with > may have become the negation of another one, at the same position.
  static bool is_written_not(const Expr& expr) {
    if (expr.op != Op::logical_not) return false;
    const Position &here = expr.position, &inside = expr.operands[0]->position;
    return here.line != inside.line || here.column != inside.column;
  }

  // What makes an invariant true without its consequent: of each implication that must hold.
  void antecedents(Expr& expr, std::size_t property) {
    switch (expr.op) {
      case Op::for_all: return antecedents(*expr.operands[0], property);
      case Op::logical_and:
        antecedents(*expr.operands[0], property);
        return antecedents(*expr.operands[1], property);
      case Op::implies: return antecedent(*expr.operands[0], *expr.operands[1], property);
      case Op::logical_or:
        if (is_written_not(*expr.operands[0]))
          antecedent(*expr.operands[0]->operands[0], *expr.operands[1], property);
        return;
      default: return;
    }
  }

  void antecedent(Expr& expr, Expr& consequent, std::size_t property) {
    expr.mark = next_mark_++;
    out_.antecedents.push_back({property, expr.position, expr.mark});
    antecedents(consequent, property);
  }

  std::optional<std::size_t> numbered(Value value) const {
    std::size_t first = 0;
    for (const MarkedValues& some : program_.marked_values) {
      if (some.interval.low <= value && value <= some.interval.high)
        return first + static_cast<std::size_t>(value - some.interval.low);
      first += static_cast<std::size_t>(some.interval.high - some.interval.low) + 1;
    }
    return std::nullopt;
  }

  // Whether a value of this type may be one of those that are numbered.
  bool is_numbered(const Type& type) const {
    return std::ranges::any_of(type.names, [&](const Names& names) {
      return !names.lines.empty() && numbered(names.interval.low);
    });
  }

  // The body of a rule: what stands before the first turn-off is executed whenever the rule is.
  void outermost(Rule& rule, std::uint32_t number) {
    bool always = !discarding_.may_before_body(rule);
    for (const StatementPtr& statement : rule.body) {
      if (has_turnoff(*statement)) always = false;
      this->statement(*statement, always ? std::optional(number) : std::nullopt);
    }
  }

  void inner(Body& body) {
    for (const StatementPtr& statement : body) this->statement(*statement, std::nullopt);
  }

  void statement(Statement& statement, std::optional<std::uint32_t> rule) {
    switch (statement.what) {
      case Do::assign: assigned(statement, *statement.place->type, rule); break;
      case Do::bag_add: assigned(statement, *statement.place->type->element, rule); break;
      case Do::clear: cleared(statement, *statement.place->type, rule); break;
      case Do::cover:
        statement.marks = {next_mark_++};
        out_.covers.push_back({statement.property, statement.marks[0]});
        break;
      case Do::discard_unless:
        statement.counter = static_cast<std::uint32_t>(out_.cut_by(out_.assumptions.size()));
        out_.assumptions.push_back(
            {statement.text.empty() ? fmt::format("assumption at line {}", statement.position.line)
                                    : statement.text,
             statement.position, true});
        break;
      default: break;
    }
    for (Branch& branch : statement.branches) inner(branch.body);
  }

  void assigned(Statement& statement, const Type& to, std::optional<std::uint32_t> rule) {
    if (!is_numbered(to)) return;
    const Expr& value = *statement.value;
    if (value.op == Op::literal) return assigned(statement, value.value, rule);
    // What a variable of the state has was assigned to it before.
    statement.marks_value = value.op != Op::read || !value.place->in_state;
  }

  void assigned(Statement& statement, Value value, std::optional<std::uint32_t> rule) {
    const std::optional<std::size_t> number = numbered(value);
    if (!number) return;
    Observation::NamedValue& named = out_.values[*number];
    if (!rule)
      statement.marks.push_back(named.mark);
    else if (named.rules.empty() || named.rules.back() != *rule)
      named.rules.push_back(*rule);
  }

  void cleared(Statement& statement, const Type& type, std::optional<std::uint32_t> rule) {
    switch (type.kind) {
      case Kind::scalar:
        if (is_numbered(type)) assigned(statement, type.domain.value(1), rule);
        return;
      case Kind::record:
        for (const Field& field : type.fields) cleared(statement, *field.type, rule);
        return;
      case Kind::array: return cleared(statement, *type.element, rule);
      case Kind::bag: return;  // it becomes empty
    }
  }

  Program& program_;
  const Discarding discarding_;
  Observation out_;
  std::uint32_t next_mark_ = 0;
};

}  // namespace

Observation observe(Program& program) { return Observer(program).observe(); }

}  // namespace spillway::program
