#include "language/murphi/lowering.h"

namespace spillway::murphi {

Lowering::Lowering(const Source& source, const MurphiOptions& options, Habits habits, MurphiModel& out)
    : source_(source), options_(options), habits_(habits), out_(out), program_(out.program), types_(out.program) {}

void Lowering::run(const ModelNode& model) {
  has_priorities_ = model.has_priorities;
  for (const Item& item : model.items) {
    if (item.declaration != nullptr) lower_global(*item.declaration);
    if (item.function != nullptr) lower_function(*item.function);
    if (item.rule != nullptr) lower_rules(*item.rule);
  }
  lower_priorities();
  check_overrides();
  warn_about_names();
}

}  // namespace spillway::murphi
