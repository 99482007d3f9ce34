#include <fmt/format.h>

#include <algorithm>

#include "language/build.h"
#include "language/dve/expression_lowering.h"

namespace spillway::dve {

using program::Do;

program::Place ExpressionLowering::place(std::uint32_t variable, Position position) const {
  Place result;
  result.in_state = true;
  result.root = variable;
  result.type = program_.variables[variable].type;
  result.position = position;
  return result;
}

program::Place ExpressionLowering::element(Place base, ExprPtr index) const {
  base.type = base.type->element;
  base.steps.push_back({0, std::move(index)});
  return base;
}

program::Place ExpressionLowering::field(Place base, std::size_t number) const {
  base.type = base.type->fields[number].type;
  base.steps.push_back({number, nullptr});
  return base;
}

ExpressionLowering::Process& ExpressionLowering::process(const Name& name) {
  const auto found = process_names_.find(name.text);
  if (found != process_names_.end()) return *found->second;
  const bool left_out = left_out_ != nullptr && name.text == left_out_->name.text;
  if (left_out && in_proposition_)
    refuse(name.position,
           fmt::format("{} is the property process; a proposition is about the system without it",
                       quoted(name.text)));
  if (left_out)
    refuse(
        name.position,
        fmt::format("the system reads its property process {}, so it cannot be checked without it; "
                    "explore the product with --product",
                    quoted(name.text)));
  std::vector<std::string_view> known;
  for (const auto& [other, process] : process_names_) known.push_back(other);
  refuse_name(
      name, kProcess,
      fmt::format("there is no process {}{}", quoted(name.text), did_you_mean(name.text, known)));
}

Value ExpressionLowering::state(const Process& process, const Name& name) {
  const auto found = process.states.find(name.text);
  if (found != process.states.end()) return found->second;
  std::vector<std::string_view> known;
  for (const auto& [other, number] : process.states) known.push_back(other);
  if (in_proposition_)
    for (const auto& [other, symbol] : process.symbols) known.push_back(other);
  refuse_name(name, fmt::format("{} {}", kState, process.node->name.text),
              fmt::format("the process {} has no state {}{}{}", quoted(process.node->name.text),
                          in_proposition_ ? "or variable " : "", quoted(name.text),
                          did_you_mean(name.text, known)));
}

Symbol& ExpressionLowering::symbol(const Expression& expression) {
  const std::string_view name = expression.name.text;
  const Process* owner = expression.process ? &process(*expression.process) : context_;
  std::vector<std::string_view> known;
  if (owner != nullptr) {
    if (const auto found = owner->symbols.find(name); found != owner->symbols.end())
      return *found->second;
    for (const auto& [other, symbol] : owner->symbols) known.push_back(other);
  }
  if (expression.process)
    refuse_name(expression.name, expression.process->text,
                fmt::format("the process {} has no variable {}{}", quoted(expression.process->text),
                            quoted(name), did_you_mean(name, known)));
  if (const auto found = globals_.find(name); found != globals_.end()) return *found->second;
  if (channel_names_.contains(name))
    refuse(expression.name.position,
           fmt::format("expected a variable, but {} is a channel", quoted(name)));
  for (const auto& [other, symbol] : globals_) known.push_back(other);
  for (const std::string_view word : {"true", "false"}) known.push_back(word);
  refuse_name(expression.name, "",
              fmt::format("{} is not declared{}", quoted(name), did_you_mean(name, known)));
}

// An array without an index means its first element.
program::ExprPtr ExpressionLowering::index_of(const Expression& expression, const Symbol& symbol) {
  if (!symbol.size) {
    if (!expression.operands.empty())
      refuse(expression.operands[0]->position,
             fmt::format("{} is not an array", quoted(symbol.name.text)));
    return nullptr;
  }
  if (expression.operands.empty()) return number(0, expression.position);
  ExprPtr index = lower(*expression.operands[0]);
  if (index->op == Op::literal && (index->value < 0 || index->value >= *symbol.size))
    warn(expression.operands[0]->position,
         fmt::format("index {} is out of range: {} has {} elements, counted from 0", index->value,
                     quoted(symbol.name.text), *symbol.size));
  return index;
}

program::Place ExpressionLowering::target(const Expression& expression, const Symbol** written) {
  Symbol& found = symbol(expression);
  if (found.constant)
    refuse(expression.position,
           fmt::format("{} is a constant and cannot be changed", quoted(found.name.text)));
  found.written = true;
  *written = &found;
  ExprPtr index = index_of(expression, found);
  Place result = place(found.index, expression.position);
  return index == nullptr ? std::move(result) : element(std::move(result), std::move(index));
}

program::ExprPtr ExpressionLowering::is_at(const Process& process, Value state,
                                           Position position) const {
  return apply(Op::equal, read_place(place(process.index, position)),
               literal(state, process.type, position), truth_, position);
}

program::ExprPtr ExpressionLowering::is_at_one(const Process& process,
                                               const std::vector<Value>& states,
                                               Position position) const {
  std::vector<ExprPtr> all;
  for (const Value state : states) all.push_back(is_at(process, state, position));
  if (all.empty()) return literal(0, truth_, position);
  return apply_all(Op::logical_or, std::move(all), truth_, position);
}

void ExpressionLowering::assign(Place to, ExprPtr value, Position position, Body& out) {
  auto result = statement(Do::assign, position);
  result->place = std::move(to);
  result->value = std::move(value);
  out.push_back(std::move(result));
}

bool ExpressionLowering::begins_with_zero(const Type& type) {
  switch (type.kind) {
    case program::Kind::array: return begins_with_zero(*type.element);
    case program::Kind::record:
      return std::all_of(type.fields.begin(), type.fields.end(),
                         [](const program::Field& field) { return begins_with_zero(*field.type); });
    default: return type.domain.intervals().front().low == 0;
  }
}

void ExpressionLowering::set_to_zero(Place what, Frame& frame, Body& out) {
  const Type& type = *what.type;
  const Position position = what.position;
  if (type.is_scalar()) return assign(std::move(what), literal(0, &type, position), position, out);
  if (begins_with_zero(type)) {
    out.push_back(statement(Do::clear, position));
    out.back()->place = std::move(what);
  } else if (type.kind == program::Kind::record) {
    for (std::size_t i = 0; i < type.fields.size(); ++i)
      set_to_zero(field(copy(what), i), frame, out);
  } else {
    auto loop = statement(Do::loop_over, position);
    loop->slot = static_cast<program::SlotIndex>(frame.size());
    frame.push_back({"i", type.index, program::Holds::constant});
    loop->range.type = type.index;
    loop->branches.resize(1);
    ExprPtr index = read_slot(loop->slot, type.index, position);
    set_to_zero(element(std::move(what), std::move(index)), frame, loop->branches[0].body);
    out.push_back(std::move(loop));
  }
}

}  // namespace spillway::dve
