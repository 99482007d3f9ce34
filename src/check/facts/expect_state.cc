#include "check/facts/expect_state.h"

namespace spillway {
namespace {

bool is_of_a_property(PropertyKind kind) {
  return kind == PropertyKind::invariant || kind == PropertyKind::assertion ||
         kind == PropertyKind::cover || kind == PropertyKind::reachable;
}

}  // namespace

void expect_property(const Model& model, std::uint64_t property) {
  if (property >= model.properties().size())
    throw Error(Fault::integrity,
                fmt::format("there is a reference to property {}, but the model has {}", property,
                            model.properties().size()));
}

void expect_states(const Model& model, const Finding& finding) {
  const auto what = [&] {
    return fmt::format("a state of a violation at depth {}", finding.depth);
  };
  if (is_of_a_property(finding.kind)) expect_property(model, finding.property);
  if (!finding.row.empty()) expect_state(model.steps(), finding.row, what);
  for (const auto* rows : {&finding.stem, &finding.loop})
    for (const std::vector<Word>& row : *rows) expect_state(model.steps(), row, what);
}

}  // namespace spillway
