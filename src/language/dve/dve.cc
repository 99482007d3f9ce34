#include "language/dve/dve.h"

#include "language/dve/lexer.h"
#include "language/dve/lowering.h"
#include "language/dve/parser.h"
#include "program/narrow.h"

namespace spillway {

ReadModel read_dve(const std::string& file_name, std::string_view text, const DveOptions& options) {
  const Source source(file_name, text);
  ReadModel model;
  const dve::ModelNode tree = dve::Parser(source, dve::split(source), model.warnings).model();
  model.program.name = file_name;
  dve::Lowering(source, options, model).run(tree);
  // The whole model is valid.  Now read the system alone.
  if (tree.property && options.property == DveProperty::unchecked) {
    ReadModel system;
    system.program.name = file_name;
    dve::Lowering(source, options, system).run_without_property(tree);
    model.program = std::move(system.program);
  }
  if (options.narrow) program::narrow(model.program);
  return model;
}

}  // namespace spillway
