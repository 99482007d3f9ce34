#include "check/expect_state.h"

namespace spillway {

void expect_states(const Model& model, const Finding& finding) {
  const auto what = [&] {
    return fmt::format("a state of a violation at depth {}", finding.depth);
  };
  if (!finding.row.empty()) expect_state(model, finding.row, what);
  for (const auto* rows : {&finding.stem, &finding.loop})
    for (const std::vector<Word>& row : *rows) expect_state(model, row, what);
}

}  // namespace spillway
