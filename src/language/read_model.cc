#include "language/read_model.h"

namespace spillway {

std::vector<Diagnostic> diagnostics(const ReadModel& model) {
  const SourceText source(model.program.name, model.program.text);
  std::vector<Diagnostic> all;
  for (const Warning& warning : model.warnings)
    all.push_back({warning.refused ? Severity::error : Severity::warning,
                   source.range(warning.position), warning.text});
  return all;
}

}  // namespace spillway
