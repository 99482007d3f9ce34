#include "model/program_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/process/stop_request.h"
#include "base/text/printable.h"
#include "program/c/generate_c.h"

namespace spillway {
namespace {

Deadlock deadlock_of(program::DeadlockRule deadlock) {
  switch (deadlock) {
    case program::DeadlockRule::off: return Deadlock::off;
    case program::DeadlockRule::stuck: return Deadlock::stuck;
    case program::DeadlockRule::stuttering: return Deadlock::stuttering;
  }
  return Deadlock::off;
}

// The scalars of a value, by name, from the cells of a state.
void flatten(const program::Type& type, const std::string& name, const program::Value*& cell,
             std::vector<Variable>& out) {
  switch (type.kind) {
    case program::Kind::scalar:
      out.push_back({name, *cell == program::kUndefined ? "Undefined" : type.text(*cell)});
      ++cell;
      break;
    case program::Kind::record:
      for (const program::Field& field : type.fields)
        flatten(*field.type, name + "." + field.name, cell, out);
      break;
    case program::Kind::array:
      for (std::uint64_t code = 1; code <= type.index->domain.size(); ++code)
        flatten(*type.element,
                fmt::format("{}[{}]", name, type.index->text(type.index->domain.value(code))), cell,
                out);
      break;
    case program::Kind::bag:
      for (std::uint64_t i = 0; i < type.capacity; ++i) {
        const bool there = *cell++ != program::kUndefined;
        const std::size_t before = out.size();
        flatten(*type.element, fmt::format("{}{{{}}}", name, i), cell, out);
        for (std::size_t k = before; !there && k < out.size(); ++k) out[k].value = "(none)";
      }
      break;
  }
}

// Reads the cells of a value of this type.
StatePart part_of(const program::Type& type, std::string name, const program::Value*& cell) {
  StatePart part{std::move(name)};
  switch (type.kind) {
    case program::Kind::scalar:
      part.defined = *cell != program::kUndefined;
      part.value = part.defined ? type.text(*cell) : "undefined";
      ++cell;
      break;
    case program::Kind::record:
      part.kind = StatePart::Kind::record;
      for (const program::Field& field : type.fields)
        part.parts.push_back(part_of(*field.type, field.name, cell));
      break;
    case program::Kind::array:
      part.kind = StatePart::Kind::array;
      for (std::uint64_t code = 1; code <= type.index->domain.size(); ++code)
        part.parts.push_back(
            part_of(*type.element, type.index->text(type.index->domain.value(code)), cell));
      break;
    case program::Kind::bag:
      part.kind = StatePart::Kind::bag;
      for (std::uint64_t i = 0; i < type.capacity; ++i) {
        const bool there = *cell++ != program::kUndefined;
        StatePart element = part_of(*type.element, "", cell);
        if (there) part.parts.push_back(std::move(element));
      }
      break;
  }
  return part;
}

}  // namespace

ProgramModel::ProgramModel(program::Program program, Executed executed, const Compiling& compiling)
    : WholeModel(program.name),
      program_(std::move(program)),
      source_(program_.name, program_.text),
      interpreter_(program_),
      interpreted_(executed == Executed::interpreted),
      code_(executed, compiling) {
  composition_.runtime = this;
  describe();
  if (program_.acceptance_parts) find_parts(*program_.acceptance_parts);
}

void ProgramModel::describe() {
  composition_.layout = interpreter_.layout().text();
  composition_.records = interpreter_.layout().records(program_);
  composition_.free_bits = interpreter_.layout().free_bits();
  composition_.may_leave_out = !observation_.assumptions.empty();
  composition_.deadlock = deadlock_of(program_.deadlock);
  for (const program::Unchecked& property : program_.unchecked)
    composition_.unchecked.push_back(
        {property.name, property.acceptance ? PropertyKind::acceptance : PropertyKind::invariant});
  for (std::size_t i = 0; i < program_.properties.size(); ++i) {
    const program::Property& property = program_.properties[i];
    const program::Header& header = property.header;
    if (property.kind == program::PropertyKind::assumption) {
      composition_.assumptions.push_back(header.name);
      continue;
    }
    const bool in_rules =
        property.kind == program::PropertyKind::cover && property.condition == nullptr;
    composition_.properties.push_back(
        {header.name, property.kind, header.position.line, header.position.column, in_rules});
    numbers_.push_back(i);
  }
}

void ProgramModel::prepare() const {
  code_.prepare(interpreted_ ? ""
                             : program::generate_c(program_, program::kManyRules,
                                                   symmetries_ ? &symmetries_->cells() : nullptr));
}

void ProgramModel::represent_by_code(Word* row) const {
  const CompiledModel* const compiled = code_.current();
  const CompiledModel::Canonical canonical = compiled ? compiled->canonical() : nullptr;
  if (canonical == nullptr) return symmetries_->canonical(row);
  canonical(row, symmetries_->mode() == program::Canonical::exhaustive ? 1 : 0);
}

void ProgramModel::interpret(const State* state, Successors& out) const {
  std::vector<Word> rows;
  std::vector<RuleIndex> rules;
  const auto sink = [&](const Word* row, program::InstanceIndex instance) {
    rows.insert(rows.end(), row, row + words());
    rules.push_back(instance);
  };
  std::optional<program::Failure> failure;
  bool left_out = false;
  {
    const std::lock_guard lock(mutex_);
    interpreter_.observe_in(room_in(out.observed()));
    failure = state != nullptr ? interpreter_.successors(*state, sink) : interpreter_.initial(sink);
    left_out = interpreter_.left_out();
  }
  if (rules.size() > out.room()) out.make_room(rules.size());
  std::copy(rows.begin(), rows.end(), out.rows());
  if (RuleIndex* const room = out.rules()) std::copy(rules.begin(), rules.end(), room);
  if (!failure) {
    out.add(rules.size());
    if (left_out) out.set_moved();
    return;
  }
  out.add(rules.size(), shown(*failure));
}

program::ObservedRoom ProgramModel::room_in(Observed& observed) const {
  observed.make_room(program_.counters, program_.marks);
  return {observed.counters.data(), observed.marks.data()};
}

// It is known that a rule fails.  All instances are executed again, step by step, to say why.
void ProgramModel::explain(const State* state, Successors& out) const {
  std::optional<program::Failure> gravest;
  {
    const std::lock_guard lock(mutex_);
    gravest = interpreter_.gravest_failure(state);
  }
  if (!gravest)
    throw Error(Fault::internal,
                "compiled code says that a rule fails, and the interpreter does not");
  out.add(0, shown(*gravest));
}

Failure ProgramModel::shown(const program::Failure& failure) const {
  Failure shown{failure.instance,
                {},
                fmt::format("line {}: {}", failure.failed.position.line, failure.failed.what)};
  shown.position = failure.failed.position;
  if (failure.failed.assertion != program::kNoAssertion)
    shown.assertion = program::reported_number(program_, failure.failed.assertion);
  return shown;
}

void ProgramModel::initial(Successors& out) const {
  if (const CompiledModel* const compiled = code_.current()) {
    out.observed().make_room(program_.counters, program_.marks);
    compiled->initial(out);
    stop_request::obey();  // after a stop, what compiled code returns means nothing
  } else {
    interpret(nullptr, out);
  }
  if (out.failure()) explain(nullptr, out);
}

void ProgramModel::successors(State state, Successors& out) const {
  if (const CompiledModel* const compiled = code_.current()) {
    out.observed().make_room(program_.counters, program_.marks);
    compiled->successors(state, out);
    stop_request::obey();
  } else {
    interpret(&state, out);
  }
  if (out.failure()) explain(&state, out);
}

std::size_t ProgramModel::check(State state, PropertyIndex* noted, Observed* observed) const {
  const CompiledModel* const compiled = code_.current();
  if (compiled == nullptr) return interpret_conditions(state, noted, observed);
  if (observed != nullptr) observed->make_room(program_.counters, program_.marks);
  const std::size_t count = compiled->check(state, noted, observed);
  stop_request::obey();
  return count;
}

std::size_t ProgramModel::interpret_conditions(State state, PropertyIndex* noted,
                                               Observed* observed) const {
  const std::lock_guard lock(mutex_);
  interpreter_.observe_in(observed != nullptr ? room_in(*observed) : program::ObservedRoom{});
  std::size_t count = 0;
  for (std::size_t i = 0; i < properties().size(); ++i) {
    if (properties()[i].kind == PropertyKind::assertion || properties()[i].in_rules) continue;
    const bool holds = interpreter_.holds(program_.properties[numbers_[i]], state);
    if (holds != (properties()[i].kind == PropertyKind::invariant))
      noted[count++] = static_cast<PropertyIndex>(i);
  }
  return count;
}

std::optional<std::string> ProgramModel::property() const {
  return program_.accepting ? std::optional(program_.accepting->header.name) : std::nullopt;
}

bool ProgramModel::accepting(State state) const {
  if (!program_.accepting) return false;
  if (const CompiledModel* const compiled = code_.current()) {
    const bool accepts = compiled->accepting(state);
    stop_request::obey();
    return accepts;
  }
  const std::lock_guard lock(mutex_);
  interpreter_.observe_in({});
  return interpreter_.accepting(state);
}

void ProgramModel::find_parts(const program::AcceptanceParts& parts) {
  constexpr unsigned kMostBits = 16;
  const program::Type& type = *program_.variables[parts.variable].type;
  if (type.kind != program::Kind::scalar || program::width_of(type) > kMostBits) return;
  part_width_ = program::width_of(type);
  part_bit_ = interpreter_.layout().variable_bit(parts.variable);
  parts_.assign(std::size_t{1} << part_width_, kNoPart);
  for (std::uint64_t code = 1; code <= type.domain.size(); ++code) {
    const auto value = static_cast<std::size_t>(type.domain.value(code));
    const std::uint32_t part = parts.of_value.at(value);
    parts_[program::stored_code(type, code)] =
        part == program::AcceptanceParts::kNone ? kNoPart : part;
  }
}

std::uint32_t ProgramModel::part(State state) const {
  if (parts_.empty()) return 0;
  if (part_width_ == 0) return parts_[0];  // a variable without bits is nowhere
  return parts_[program::read_bits(state.data(), part_bit_, part_width_)];
}

Letter ProgramModel::evaluate(State state, std::optional<Failure>& failure) const {
  const CompiledModel* const compiled = code_.current();
  if (compiled == nullptr) return evaluate_again(state, failure);
  std::optional<Failure> failed;
  const Letter letter = compiled->evaluate(state, failed);
  stop_request::obey();
  // Only the interpreter can say why.
  return failed ? evaluate_again(state, failure) : letter;
}

Letter ProgramModel::evaluate_again(State state, std::optional<Failure>& failure) const {
  if (program_.propositions.empty()) return 0;
  std::optional<program::Interpreter::FailedProposition> failed;
  Letter letter = 0;
  {
    const std::lock_guard lock(mutex_);
    interpreter_.observe_in({});
    letter = interpreter_.letter(state, failed);
  }
  if (failed)
    failure = Failure{kNoRule,
                      {},
                      fmt::format("the proposition '{}' cannot be evaluated: {}",
                                  printable(program_.propositions[failed->proposition].header.name),
                                  failed->failed.what)};
  return letter;
}

std::optional<Coverage> ProgramModel::coverage(const Observed& observed) const {
  if (program_.counters == 0) return std::nullopt;
  Observed room = observed;
  if (room.counters.empty() && room.marks.empty())  // nothing was expanded
    room.make_room(program_.counters, program_.marks);
  if (room.counters.size() != program_.counters || room.marks.size() != program_.marks)
    return std::nullopt;
  const auto& counters = room.counters;
  Coverage coverage;
  const auto add = [&](const std::string& name, program::Position position, bool start,
                       const std::vector<std::uint32_t>& numbers) {
    Coverage::Rule& rule = coverage.rules.emplace_back();
    rule = {name, position.line, start, 0, 0};
    for (const std::uint32_t number : numbers) {
      rule.fired += counters[observation_.fired(number)];
      rule.cut += counters[observation_.cut(number)];
    }
  };
  const auto starts = static_cast<std::uint32_t>(program_.starts.size());
  for (std::uint32_t i = 0; i < starts; ++i)
    add(program_.starts[i].header.name, program_.starts[i].header.position, true, {i});
  for (std::uint32_t i = 0; i < program_.rules.size() && program_.written.empty(); ++i)
    add(program_.rules[i].header.name, program_.rules[i].header.position, false, {starts + i});
  for (const program::WrittenRule& rule : program_.written) {
    std::vector<std::uint32_t> numbers = rule.rules;
    for (std::uint32_t& number : numbers) number += starts;
    add(rule.name, rule.position, false, numbers);
  }
  for (const program::Observation::Assumption& assumption : observation_.assumptions)
    coverage.assumptions.push_back({assumption.name, assumption.position.line, assumption.in_rules,
                                    counters[observation_.cut_by(coverage.assumptions.size())]});
  for (const program::Observation::Antecedent& antecedent : observation_.antecedents)
    coverage.antecedents.push_back({program_.properties[antecedent.property].header.name,
                                    antecedent.position.line, room.marks[antecedent.mark] != 0});
  for (const program::Observation::NamedValue& value : observation_.values) {
    bool assigned = room.marks[value.mark] != 0;
    for (const std::uint32_t rule : value.rules)
      assigned = assigned || counters[observation_.fired(rule)] != 0 ||
                 counters[observation_.cut(rule)] != 0;
    coverage.values.push_back({value.type, value.name, value.line, assigned});
  }
  return coverage;
}

bool ProgramModel::is_covered(PropertyIndex property, const Observed& observed) const {
  if (observed.marks.empty() || property >= numbers_.size()) return false;
  return std::any_of(observation_.covers.begin(), observation_.covers.end(),
                     [&](const program::Observation::CoverStatement& cover) {
                       return cover.property == numbers_[property] &&
                              observed.marks[cover.mark] != 0;
                     });
}

std::string ProgramModel::rule_name(RuleIndex rule) const {
  return rule == kNoRule ? "start" : interpreter_.instances().name(rule);
}

RuleInstance ProgramModel::rule_instance(RuleIndex rule) const {
  if (rule == kNoRule) return {rule_name(rule)};
  const program::Instances::Instance at = interpreter_.instances().at(rule);
  const program::Header& header = at.rule->header;
  RuleInstance instance{header.name, {}, header.position.line};
  const std::vector<program::Value> values = header.arguments(at.number);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const program::Slot& slot = header.frame[header.parameters[i].slot];
    instance.parameters.push_back(
        {slot.name, slot.type != nullptr ? slot.type->text(values[i]) : std::to_string(values[i])});
  }
  for (const std::uint32_t process : at.rule->processes)
    instance.processes.push_back(program_.processes[process]);
  return instance;
}

std::string ProgramModel::step_text(RuleIndex rule) const {
  const RuleInstance instance = rule_instance(rule);
  const bool start = interpreter_.instances().at(rule).start;
  std::string text = start ? program_.words.started : program_.words.fired;
  // A rule that its author gave no name is called by its line.
  const std::string place = fmt::format("at line {}", instance.line);
  const bool nameless = instance.name.ends_with(" " + place);
  std::string shown = nameless ? place : fmt::format("\"{}\"", instance.name);
  if (text == "{}") shown = instance.name;
  for (const Variable& parameter : instance.parameters)
    shown += fmt::format(", {}:{}", parameter.name, parameter.value);
  if (const std::size_t gap = text.find("{}"); gap != std::string::npos)
    text.replace(gap, 2, shown);
  return instance.line == 0 || nameless ? text : fmt::format("{}  (line {})", text, instance.line);
}

std::vector<Variable> ProgramModel::variables(State state) const {
  std::vector<program::Value> cells(interpreter_.layout().cells().size());
  interpreter_.layout().unpack(state, cells.data());
  std::vector<Variable> all;
  const program::Value* cell = cells.data();
  for (const program::Variable& variable : program_.variables)
    flatten(*variable.type, variable.name, cell, all);
  return all;
}

std::vector<StatePart> ProgramModel::parts(State state) const {
  std::vector<program::Value> cells(interpreter_.layout().cells().size());
  interpreter_.layout().unpack(state, cells.data());
  std::vector<StatePart> all;
  const program::Value* cell = cells.data();
  for (const program::Variable& variable : program_.variables)
    all.push_back(part_of(*variable.type, variable.name, cell));
  return all;
}

Explanation ProgramModel::explanation(PropertyIndex property, State state) const {
  if (property >= numbers_.size()) return {};
  const std::lock_guard lock(mutex_);
  interpreter_.observe_in({});
  program::Position position;
  try {
    std::string text =
        interpreter_.why_not(program_.properties[numbers_[property]], state, position);
    return {std::move(text), text_at(position)};
  } catch (const Stopped&) {  // the explanation is not worth waiting for
    return {};
  }
}

std::optional<SourceRange> ProgramModel::text_at(SourcePosition position) const {
  if (program_.text.empty() || position.line == 0) return std::nullopt;
  return source_.range(position);
}

}  // namespace spillway
