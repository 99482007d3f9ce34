#include "open/open_model.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/hash/sha256.h"
#include "base/text/printable.h"
#include "base/text/read_file.h"
#include "model/program_model.h"
#include "model/symmetric_model.h"
#include "program/symmetry/asymmetries.h"

namespace spillway {
namespace {

// of identities that are tried for one state: scalarsets of 8 and below
constexpr double kMostOrders = 50000;

std::string ending_of(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}
bool is_murphi(const std::string& path) {
  return ending_of(path) == ".m" || ending_of(path) == ".murphi";
}
bool is_dve(const std::string& path) { return ending_of(path) == ".dve"; }

// For models that are no texts.
void examine_options(const ReadingOptions& options) {
  if (!options.murphi.constants.empty())
    throw Error(Fault::usage,
                "--const: only models in Murphi and DVE have constants that can be set");
  if (options.dve.property == DveProperty::product)
    throw Error(Fault::usage, "--product: only systems in DVE have property processes");
}

// Of a proposition that distinguishes identities, for the user.
std::string distinguishes(const program::Property& proposition, const PropositionText& text,
                          const program::Asymmetry& found, const program::Program& program) {
  return fmt::format(
      "symmetry is off: the proposition '{}' of {} is not the same for all permutations of the "
      "scalarset '{}': {}",
      printable(proposition.header.name), printable(text.origin),
      printable(program.symmetries[found.symmetry].name), found.why);
}

void find_asymmetries(LoadedModel& loaded, const program::Program& program,
                      const ReadingOptions& options) {
  for (std::size_t i = 0; i < program.propositions.size(); ++i) {
    const auto found = program::asymmetry(program, program.propositions[i]);
    if (!found) continue;
    if (loaded.asymmetries.empty() && options.symmetry != SymmetryMode::off)
      loaded.symmetry_given_up =
          distinguishes(program.propositions[i], options.propositions[i], *found, program);
    loaded.asymmetries.push_back(i);
  }
}

void use_symmetry(LoadedModel& loaded, std::unique_ptr<ProgramModel> model,
                  const ReadingOptions& options) {
  const SymmetryMode mode = options.symmetry;
  find_asymmetries(loaded, model->program(), options);
  if (mode == SymmetryMode::off || model->program().symmetries.empty() ||
      !loaded.asymmetries.empty()) {
    loaded.model = std::move(model);
    return;
  }
  program::Symmetries all(model->program(), program::Canonical::exhaustive);
  if (!all.empty() && options.distinguishes_rules)
    loaded.symmetry_given_up =
        "symmetry is off, because fairness is asked of single instances of rules";
  if (all.empty() || options.distinguishes_rules) {  // empty: scalarsets of one identity only
    loaded.model = std::move(model);
    return;
  }
  const bool heuristic = mode == SymmetryMode::heuristic ||
                         (mode == SymmetryMode::automatic && all.worst_orders() > kMostOrders);
  loaded.symmetry = heuristic ? "heuristic" : "exhaustive";
  if (heuristic) all = program::Symmetries(model->program(), program::Canonical::heuristic);
  loaded.model = std::make_unique<SymmetricModel>(
      std::move(model), std::move(all),
      options.verified ? SymmetricModel::Examined::all : SymmetricModel::Examined::some);
}

}  // namespace

bool is_text_model(const std::string& path) { return is_murphi(path) || is_dve(path); }

ReadModel read_text_model(const std::string& path, const ReadingOptions& options) {
  require_model_file(path);
  const std::string& shown = options.shown_path.empty() ? path : options.shown_path;
  if (!is_dve(path)) {
    MurphiOptions murphi = options.murphi;
    murphi.propositions = options.propositions;
    return read_murphi(shown, read_file(path), murphi);
  }
  DveOptions dve = options.dve;
  dve.propositions = options.propositions;
  dve.constants = options.murphi.constants;
  return read_dve(shown, read_file(path), dve);
}

LoadedModel open_model(const std::string& path, const ReadingOptions& options) {
  if (options.propositions.size() > kMostPropositions)
    throw Error(Fault::usage, fmt::format("the formulas have {} propositions; the limit is {}",
                                          options.propositions.size(), kMostPropositions));
  std::error_code none;
  if (!is_text_model(path) || !std::filesystem::is_regular_file(path, none)) {
    LoadedModel loaded = load_model(path, options.propositions);
    examine_options(options);
    return loaded;
  }
  LoadedModel loaded{nullptr, path, sha256_of(path)};
  ReadModel read = read_text_model(path, options);
  std::vector<Diagnostic> found = diagnostics(read);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (read.warnings[i].refused) throw DiagnosedError({found[i]}, false);
    if (read.warnings[i].changes_search && options.symmetry != SymmetryMode::off)
      loaded.warnings.push_back(std::move(found[i]));
  }
  auto model =
      std::make_unique<ProgramModel>(std::move(read.program), options.executed, options.compiling);
  use_symmetry(loaded, std::move(model), options);
  return loaded;
}

bool has_property_process(const Model& model) { return !model.unchecked().empty(); }

}  // namespace spillway
