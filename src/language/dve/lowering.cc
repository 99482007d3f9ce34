#include "language/dve/lowering.h"

namespace spillway::dve {

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
  declare_all(model);
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
