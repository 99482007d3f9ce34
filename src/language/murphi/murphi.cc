#include "language/murphi/murphi.h"

#include "base/text/read_file.h"
#include "language/murphi/lexer.h"
#include "language/murphi/lowering.h"
#include "language/murphi/parser.h"
#include "language/propositions.h"

namespace spillway {
namespace {

// CMurphi's verifier gives up after this many iterations of a loop.
constexpr std::uint64_t kCmurphiLoopLimit = 1000;

// Notes errors in the source.
void read(Source& source, const MurphiOptions& options, MurphiModel& model) {
  const bool cmurphi = options.dialect == MurphiDialect::cmurphi;
  std::vector<murphi::Token> words = murphi::split(source, !cmurphi);
  source.begin_stage();
  const murphi::ModelNode tree = murphi::Parser(source, std::move(words)).model();
  source.begin_stage();

  model.program.name = source.name();
  model.program.text = source.text();
  model.program.words = {"Startstate {} fired.", "Rule {} fired."};
  model.program.deadlock = program::DeadlockRule::stuttering;
  if (cmurphi) model.program.loop_limit = kCmurphiLoopLimit;
  model.program.about_undefined =
      "; CMurphi does not check scalarset and union values here, nor does --undefined=cmurphi";
  murphi::Habits habits;
  habits.undefined_counts = options.undefined == MurphiUndefined::cmurphi;
  habits.copies_undefined =
      cmurphi || (options.dialect == MurphiDialect::automatic && tree.only_cmurphi);
  habits.passes_by_reference = habits.copies_undefined;
  habits.clears_scalarsets = !cmurphi;
  murphi::Lowering lowering(source, options, habits, model);
  lowering.run(tree);
  if (source.has_errors()) return;
  read_propositions(source, options.propositions, [&](const PropositionText& proposition) {
    std::vector<murphi::Token> some = murphi::split(source, !cmurphi);
    if (source.has_errors()) return;
    lowering.add_proposition(*murphi::Parser(source, std::move(some)).proposition(),
                             proposition.text);
  });
}

}  // namespace

MurphiModel read_murphi(const std::string& file_name, std::string_view text,
                        const MurphiOptions& options) {
  Source source(file_name, text);
  MurphiModel model;
  source.read_all([&] { read(source, options, model); });
  return model;
}

ReadModel read_murphi_file(const std::string& path, const ReadingOptions& options) {
  MurphiOptions murphi;
  murphi.dialect = options.value<MurphiDialect>(kMurphiOptions[0]);
  murphi.undefined = options.value<MurphiUndefined>(kMurphiOptions[1]);
  murphi.constants = options.constants;
  murphi.propositions = options.propositions;
  return as_model(read_murphi(options.shown(path), read_file(path), murphi));
}

}  // namespace spillway
