#include "language/murphi/murphi.h"

#include "language/murphi/lexer.h"
#include "language/murphi/lowering.h"
#include "language/murphi/parser.h"

namespace spillway {
namespace {

// CMurphi's verifier gives up after this many iterations of a loop.
constexpr std::uint64_t kCmurphiLoopLimit = 1000;

}  // namespace

MurphiModel read_murphi(const std::string& file_name, std::string_view text,
                        const MurphiOptions& options) {
  const Source source(file_name, text);
  const bool cmurphi = options.dialect == MurphiDialect::cmurphi;
  const murphi::ModelNode tree = murphi::Parser(source, murphi::split(source, !cmurphi)).model();

  MurphiModel model;
  model.program.name = file_name;
  model.program.words = {"Startstate {} fired.", "Rule {} fired."};
  model.program.deadlock = program::DeadlockRule::stuttering;
  if (cmurphi) model.program.loop_limit = kCmurphiLoopLimit;
  murphi::Habits habits;
  habits.copies_undefined =
      cmurphi || (options.dialect == MurphiDialect::automatic && tree.only_cmurphi);
  habits.passes_by_reference = habits.copies_undefined;
  habits.clears_scalarsets = !cmurphi;
  murphi::Lowering(source, options, habits, model).run(tree);
  return model;
}

}  // namespace spillway
