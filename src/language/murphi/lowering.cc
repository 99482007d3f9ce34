#include "language/murphi/lowering.h"

#include <fmt/format.h>

#include "program/symmetry/asymmetries.h"

namespace spillway::murphi {

void Lowering::run(const ModelNode& model) {
  if (model.has_priorities) keep_rules();
  unknown_ = model.doubtful;
  for (const Item& item : model.items) {
    if (item.declaration != nullptr) lower_global(*item.declaration);
    if (item.function != nullptr) attempt([&] { lower_function(*item.function); });
    if (item.rule != nullptr) lower_rules(*item.rule);
  }
  if (source_.has_errors()) return;
  add_cover_statements();
  attempt([&] { lower_priorities(); });
  check_overrides();
  if (!options_.trusts_scalarsets) give_up_symmetries();
  warn_about_names();
}

void Lowering::add_proposition(const Expression& expression, std::string text) {
  const std::size_t warnings = out_.warnings.size();
  const std::size_t symmetries = program_.symmetries.size();
  program::Property proposition;
  proposition.header.name = std::move(text);
  forget_nodes();
  context_ = Context{
      .frame = &proposition.header.frame, .pure = true, .property = true, .proposition = true};
  scopes_.push();
  proposition.condition = condition(expression, "a proposition");
  scopes_.pop();
  context_ = {};
  if (program_.symmetries.size() > symmetries)
    refuse(expression.position, "a proposition cannot declare a scalarset");
  out_.warnings.resize(warnings);  // they would be shown in the text of the model
  program_.propositions.push_back(std::move(proposition));
}

// Giving up one symmetry does not affect the others.
void Lowering::give_up_symmetries() {
  const std::vector<program::Asymmetry> broken = program::asymmetries(program_);
  for (auto one = broken.rbegin(); one != broken.rend(); ++one) {
    const auto symmetry = program_.symmetries.begin() + static_cast<std::ptrdiff_t>(one->symmetry);
    warn(one->position,
         fmt::format("symmetry is off for the scalarset {}: {}", quoted(symmetry->name), one->why));
    out_.warnings.back().changes_search = true;
    program_.symmetries.erase(symmetry);
  }
}

}  // namespace spillway::murphi
