#include "language/dve/lowering.h"

#include <algorithm>

#include "language/build.h"
#include "language/limits.h"

namespace spillway::dve {

bool Lowering::Process::is_committed(Value state) const {
  return std::find(committed.begin(), committed.end(), state) != committed.end();
}

void Lowering::expand(std::uint64_t pieces, Position position) {
  expansions_ += pieces;
  if (expansions_ > kMostExpansions)
    source_.give_up(
        position,
        "the model is too large here: transitions that happen together have too many combinations");
}

program::ExprPtr Lowering::again(const Expr& expr) {
  expand(weight(expr), expr.position);
  return copy(expr);
}

program::Place Lowering::again(const Place& place) {
  expand(weight(place), place.position);
  return copy(place);
}

std::vector<program::Place> Lowering::again_all(const std::vector<Place>& places) {
  std::vector<Place> all;
  for (const Place& place : places) all.push_back(again(place));
  return all;
}

void Lowering::refuse_name(const Name& name, std::string_view owner, std::string why) {
  if (doubtful_->contains(name.text)) throw Spoiled();
  if (!unknown_.emplace(owner, name.text).second) throw Spoiled();
  refuse(name.position, std::move(why));
}

void Lowering::examine_names(const Expression& expression) {
  attempt([&] {
    if (expression.form == Form::variable) symbol(expression);
    if (expression.form != Form::state) return;
    const Process& other = process(*expression.process);
    if (!in_proposition_ || !other.symbols.contains(expression.name.text))
      state(other, expression.name);
  });
  for (const ExpressionPtr& operand : expression.operands) examine_names(*operand);
}

void Lowering::run_without_property(const ModelNode& model) {
  for (const ProcessNode& node : model.processes)
    if (node.name.text == model.property->text) left_out_ = &node;
  if (model.processes.size() == 1)
    source_.give_up(model.property->position,
                    "the property process is the only process, so there is nothing to check");
  run(model);
  leave_unchecked(*left_out_);
}

void Lowering::add_proposition(const Expression& expression, std::string text) {
  in_proposition_ = true;
  const std::size_t warnings = out_.warnings.size();
  program::Property proposition;
  proposition.header.name = std::move(text);
  if (attempt([&] { proposition.condition = lower_truth(expression); }))
    program_.propositions.push_back(std::move(proposition));
  else
    examine_names(expression);
  out_.warnings.resize(warnings);  // they would be shown in the text of the model
  in_proposition_ = false;
}

void Lowering::run(const ModelNode& model) {
  synchronous_ = model.synchronous;
  start_.header.name = "initial state";
  doubtful_ = &model.doubtful;
  for (const VariableNode& node : model.variables) declare_or_note(node, globals_, nullptr);
  if (!source_.has_errors()) check_overrides();
  for (const ChannelNode& node : model.channels)
    if (!attempt([&] { declare(node); })) unknown_.emplace(kChannel, node.name.text);
  for (const ProcessNode& node : model.processes)
    if (&node != left_out_) attempt([&] { declare(node); });
  attempt([&] { find_property(model); });
  for (Process& process : processes_) lower_moves(process);
  if (source_.has_errors()) {
    for (const Process& process : processes_) lower_asserts(process);
    return;
  }
  lower_property();
  lower_rules();
  lower_property_alone();
  list_transitions();
  lower_accepting();
  program_.deadlock =
      property_ == nullptr ? program::DeadlockRule::stuck : program::DeadlockRule::off;
  for (const Process& process : processes_) lower_asserts(process);
  lower_failure_state();
  program_.starts.push_back(std::move(start_));
  for (const Process& process : processes_) warn_about_states(process);
  warn_about_names();
  sort_warnings();
}

}  // namespace spillway::dve
