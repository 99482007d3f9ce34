#include "language/dve/dve.h"

#include "language/dve/lexer.h"
#include "language/dve/lowering.h"
#include "language/dve/parser.h"
#include "program/narrow.h"

namespace spillway {
namespace {

// Notes errors in the source.
void read(Source& source, const DveOptions& options, ReadModel& model) {
  std::vector<dve::Token> words = dve::split(source);
  source.begin_stage();
  const dve::ModelNode tree = dve::Parser(source, std::move(words), model.warnings).model();
  source.begin_stage();
  dve::Lowering(source, options, model).run(tree);
  if (source.has_errors()) return;
  // The whole model is valid.  Now read the system alone.
  if (tree.property && options.property == DveProperty::unchecked) {
    ReadModel system;
    dve::Lowering(source, options, system).run_without_property(tree);
    model.program = std::move(system.program);
  }
  model.program.name = source.name();
  model.program.text = source.text();
}

}  // namespace

ReadModel read_dve(const std::string& file_name, std::string_view text, const DveOptions& options) {
  Source source(file_name, text);
  ReadModel model;
  source.read_all([&] { read(source, options, model); });
  if (options.narrow) program::narrow(model.program);
  return model;
}

}  // namespace spillway
