#include "language/dve/dve.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "language/dve/lexer.h"
#include "language/dve/lowering.h"
#include "language/dve/parser.h"
#include "language/limits.h"

namespace spillway {

ReadModel read_dve(const std::string& file_name, std::string_view text, const DveOptions& options) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte order mark
  if (text.size() > kLargestText)
    throw Error(Fault::model, fmt::format("{}: the text has {} bytes, but {} are the most that is supported",
                                          printable(file_name), text.size(), kLargestText));
  const Source source(file_name, text);
  ReadModel model;
  const dve::ModelNode tree = dve::Parser(source, dve::split(source), model.warnings).model();
  model.program.name = file_name;
  model.program.deadlock = program::DeadlockRule::stuck;
  dve::Lowering(source, options, model).run(tree);
  return model;
}

}  // namespace spillway
