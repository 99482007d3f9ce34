#include <fmt/format.h>

#include "base/error.h"
#include "base/text/printable.h"
#include "language/build.h"
#include "language/constants.h"
#include "language/dve/process_lowering.h"
#include "language/limits.h"

namespace spillway::dve {

void ProcessLowering::declare_all(const ModelNode& model) {
  for (const VariableNode& node : model.variables) declare_or_note(node, globals_, nullptr);
  if (!source_.has_errors()) check_overrides();
  for (const ChannelNode& node : model.channels)
    if (!attempt([&] { declare(node); })) unknown_.emplace(kChannel, node.name.text);
  for (const ProcessNode& node : model.processes)
    if (&node != left_out_) attempt([&] { declare(node); });
  attempt([&] { find_property(model); });
}

void ProcessLowering::declare_or_note(const VariableNode& node, Symbols& scope,
                                      const Process* process) {
  if (attempt([&] { declare(node, scope, process); })) return;
  unknown_.emplace("", node.name.text);
  if (process != nullptr) unknown_.emplace(process->node->name.text, node.name.text);
}

// A name is visible from its declaration on, so initial values can use earlier names only.
void ProcessLowering::declare(const VariableNode& node, Symbols& scope, const Process* process) {
  const auto other = scope.find(node.name.text);
  if (other != scope.end()) refuse_again(node.name, other->second->name.position.line);
  Symbol symbol;
  symbol.name = node.name;
  symbol.constant = node.constant;
  symbol.global = process == nullptr;
  symbol.element = basic(node.basic);
  symbol.size = node.size;
  if (node.size && *node.size == 0)
    refuse(node.size_position, "an array must have at least one element");
  if (node.size && static_cast<std::uint64_t>(*node.size) > kMostCells)
    refuse(node.size_position, fmt::format("an array can have at most {} elements", kMostCells));
  std::vector<ExprPtr> values = initial_values(node, symbol.element);
  if (node.constant) {
    symbol.values = constant_values(node, values, symbol.global);
  } else {
    const std::string name =
        process == nullptr ? node.name.text : process->node->name.text + "." + node.name.text;
    const Type* type = node.size ? array(*node.size, symbol.element) : symbol.element;
    symbol.index = add_variable(name, type, node.name.position);
    initialise(node, symbol, std::move(values));
  }
  symbols_.push_back(std::move(symbol));
  scope.emplace(node.name.text, &symbols_.back());
}

std::vector<Value> ProcessLowering::constant_values(const VariableNode& node,
                                                    const std::vector<ExprPtr>& values,
                                                    bool global) const {
  std::vector<Value> all;
  for (const ExprPtr& value : values) {
    if (value->op != Op::literal)
      refuse(value->position, "the value of a constant must not depend on variables");
    all.push_back(value->value);
  }
  const auto instead = options_.constants.find(node.name.text);
  if (!global || node.size || instead == options_.constants.end()) return all;
  const Type& type = *basic(node.basic);
  if (!type.domain.contains(instead->second))
    throw Error(Fault::usage, fmt::format("--const {}={}: {}", node.name.text, instead->second,
                                          does_not_fit(instead->second, node.name, type)));
  return {instead->second};
}

void ProcessLowering::check_overrides() const {
  for (const auto& [name, value] : options_.constants) {
    const auto found = globals_.find(name);
    if (found != globals_.end() && found->second->constant && !found->second->size) continue;
    std::vector<std::string_view> known;
    for (const auto& [other, symbol] : globals_)
      if (symbol->constant && !symbol->size) known.push_back(other);
    throw Error(Fault::usage,
                fmt::format("--const {}={}: the model has no constant number {}{}", printable(name),
                            value, quoted(name), did_you_mean(name, known)));
  }
}

std::vector<program::ExprPtr> ProcessLowering::initial_values(const VariableNode& node,
                                                              const Type* type) {
  std::vector<ExprPtr> values;
  if (node.list && !node.size)
    refuse(node.values[0]->position, "only arrays can be initialised with a list");
  if (!node.list && node.size && !node.values.empty())
    refuse(node.values[0]->position, "an array must be initialised with a list in braces");
  const auto room = static_cast<std::size_t>(node.size.value_or(1));
  for (std::size_t i = 0; i < node.values.size(); ++i) {
    ExprPtr value = initial_value(*node.values[i], node, type);
    if (i < room) values.push_back(std::move(value));
  }
  if (node.values.size() > room)
    warn(node.values[room]->position,
         fmt::format("{} has {} elements: the values from here on are ignored",
                     quoted(node.name.text), *node.size));
  return values;
}

program::ExprPtr ProcessLowering::initial_value(const Expression& expression,
                                                const VariableNode& node, const Type* type) {
  ExprPtr value = lower(expression);
  if (const auto folded = fold(*value)) value = literal(*folded, nullptr, expression.position);
  value = fitted(std::move(value), *type);
  if (value->op == Op::literal && !type->domain.contains(value->value))
    refuse(expression.position, does_not_fit(value->value, node.name, *type));
  return value;
}

void ProcessLowering::initialise(const VariableNode& node, const Symbol& symbol,
                                 std::vector<ExprPtr> values) {
  const Position position = node.name.position;
  if (!node.size) {
    ExprPtr value = values.empty() ? number(0, position) : std::move(values[0]);
    return assign(place(symbol.index, position), std::move(value), position, start_.body);
  }
  set_to_zero(place(symbol.index, position), start_.header.frame, start_.body);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i]->op != Op::literal || values[i]->value != 0)
      assign(element(place(symbol.index, position), number(static_cast<Value>(i), position)),
             std::move(values[i]), position, start_.body);
}

void ProcessLowering::declare(const ChannelNode& node) {
  if (const auto other = globals_.find(node.name.text); other != globals_.end())
    refuse_again(node.name, other->second->name.position.line);
  if (const auto other = channel_names_.find(node.name.text); other != channel_names_.end())
    refuse_again(node.name, other->second->node->name.position.line);
  Channel channel;
  channel.node = &node;
  for (const Basic type : node.types) channel.types.push_back(basic(type));
  if (!node.types.empty()) channel.values = node.types.size();
  if (static_cast<std::uint64_t>(node.size) > kMostCells)
    refuse(node.size_position, fmt::format("a channel can hold at most {} messages", kMostCells));
  if (channel.buffered()) {
    std::vector<program::Field> values;
    for (const Type* type : channel.types)
      values.push_back({std::to_string(values.size() + 1), type});
    const Type* message = values.size() == 1 ? values[0].type : record(std::move(values));
    const Type* type =
        queue({{"count", numbers(0, node.size)}, {"messages", array(node.size, message)}});
    channel.index = add_variable(node.name.text, type, node.name.position);
    set_to_zero(place(channel.index, node.name.position), start_.header.frame, start_.body);
  }
  channels_.push_back(std::move(channel));
  channel_names_.emplace(node.name.text, &channels_.back());
}

void ProcessLowering::declare(const ProcessNode& node) {
  if (const auto other = process_names_.find(node.name.text); other != process_names_.end())
    refuse(node.name.position,
           fmt::format("the process {} is already declared, at line {}", quoted(node.name.text),
                       other->second->node->name.position.line));
  Process& process = processes_.emplace_back();
  process_names_.emplace(node.name.text, &process);
  process.number = static_cast<std::uint32_t>(program_.processes.size());
  program_.processes.push_back(node.name.text);
  process.node = &node;
  for (const Name& name : node.states)
    if (!process.states.emplace(name.text, static_cast<Value>(process.states.size())).second)
      source_.note(
          {name.position, fmt::format("the process already has a state {}", quoted(name.text))});
  if (node.states.empty()) throw Spoiled();
  process.type = states_of(node, options_.errors == DveErrors::legacy && processes_.size() == 1);
  process.index = add_variable(node.name.text, process.type, node.name.position);
  for (const Name& name : node.committed)
    attempt([&] { process.committed.push_back(state(process, name)); });
  for (const Name& name : node.accepting) attempt([&] { state(process, name); });
  if (node.init) attempt([&] { begin_at(process, *node.init); });
  context_ = &process;
  for (const VariableNode& variable : node.variables)
    declare_or_note(variable, process.symbols, &process);
  context_ = nullptr;
}

void ProcessLowering::begin_at(const Process& process, const Name& init) {
  ExprPtr first = literal(state(process, init), process.type, init.position);
  assign(place(process.index, init.position), std::move(first), init.position, start_.body);
}

void ProcessLowering::find_property(const ModelNode& model) {
  if (!model.property || left_out_ != nullptr) return;
  property_ = &process(*model.property);
  property_->property = true;
}

}  // namespace spillway::dve
