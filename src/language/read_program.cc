#include "language/read_program.h"

namespace spillway {

ReadModel as_model(ReadProgram read) {
  ReadModel model;
  model.variables = read.program.variables.size();
  model.rules = read.program.rules.size();
  model.properties = read.program.properties.size();
  const SourceText source(read.program.name, read.program.text);
  for (Warning& warning : read.warnings)
    model.remarks.push_back({{warning.refused ? Severity::error : Severity::warning,
                              source.range(warning.position), std::move(warning.text)},
                             warning.changes_search});
  model.meaning = std::move(read.program);
  return model;
}

}  // namespace spillway
