#include "language/dve/dve.h"

#include "base/text/read_file.h"
#include "language/dve/lexer.h"
#include "language/dve/lowering.h"
#include "language/dve/parser.h"
#include "language/propositions.h"
#include "program/narrow.h"

namespace spillway {
namespace {

void add_propositions(Source& source, const DveOptions& options, dve::Lowering& scope) {
  read_propositions(source, options.propositions, [&](const PropositionText& proposition) {
    std::vector<Warning> ignored;  // they would be shown in the text of the model
    std::vector<dve::Token> words = dve::split(source);
    if (source.has_errors()) return;
    const dve::ExpressionPtr tree = dve::Parser(source, std::move(words), ignored).proposition();
    scope.add_proposition(*tree, proposition.text);
  });
}

// Notes errors in the source.
void read(Source& source, const DveOptions& options, ReadProgram& model) {
  std::vector<dve::Token> words = dve::split(source);
  source.begin_stage();
  const dve::ModelNode tree = dve::Parser(source, std::move(words), model.warnings).model();
  source.begin_stage();
  dve::Lowering whole(source, options, model);
  whole.run(tree);
  if (source.has_errors()) return;
  const std::string name = source.name();
  const std::string text(source.text());
  // The whole model is valid.  Now read the system alone.
  if (tree.property && options.property == DveProperty::unchecked) {
    ReadProgram system;
    dve::Lowering alone(source, options, system);
    alone.run_without_property(tree);
    add_propositions(source, options, alone);
    model.program = std::move(system.program);
  } else {
    add_propositions(source, options, whole);
  }
  model.program.name = name;
  model.program.text = text;
}

}  // namespace

ReadProgram read_dve(const std::string& file_name, std::string_view text,
                     const DveOptions& options) {
  Source source(file_name, text);
  ReadProgram model;
  source.read_all([&] { read(source, options, model); });
  if (options.narrow) program::narrow(model.program);
  return model;
}

ReadModel read_dve_file(const std::string& path, const ReadingOptions& options) {
  DveOptions dve;
  dve.errors = options.value<DveErrors>(kDveOptions[0]);
  dve.property = options.product ? DveProperty::product : DveProperty::unchecked;
  dve.constants = options.constants;
  dve.propositions = options.propositions;
  return as_model(read_dve(options.shown(path), read_file(path), dve));
}

}  // namespace spillway
