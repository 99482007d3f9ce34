#include "open/open_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/hash/sha256.h"
#include "base/text/printable.h"
#include "base/text/suggest.h"
#include "language/table/table.h"
#include "model/program_model.h"
#include "model/symmetric_model.h"
#include "program/symmetry/asymmetries.h"

namespace spillway {
namespace {

// of identities that are tried for one state: scalarsets of 8 and below
constexpr double kMostOrders = 50000;

// The file that was probably meant.
std::string suggestion(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path folder = path.parent_path();
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator file(folder.empty() ? "." : folder, error), end;
       !error && file != end; file.increment(error))
    names.push_back(file->path().filename().string());
  std::sort(names.begin(), names.end());
  const std::optional<std::string_view> near =
      nearest(path.filename().string(), std::vector<std::string_view>(names.begin(), names.end()));
  return near ? fmt::format("; did you mean {}?", printable((folder / *near).string())) : "";
}

// Throws Error(model) if there is no such file, with the name of the file that was probably meant.
void require_file(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::exists(path, none))
    throw Error(Fault::model, fmt::format("{}: no such file{}", printable(path), suggestion(path)));
  if (std::filesystem::is_directory(path, none))
    throw Error(Fault::model, fmt::format("{}: this is a directory, not a model", printable(path)));
}

[[noreturn]] void refuse_ending(const std::string& path) {
  std::vector<std::string> known;
  for (const Language& language : languages())
    known.push_back(fmt::format("{} ({})", fmt::join(language.endings, " or "), language.name));
  throw Error(
      Fault::model,
      fmt::format("{}: '{}' is not a known kind of model; the name of a model ends in {}",
                  printable(path), printable(std::filesystem::path(path).extension().string()),
                  listed(known, "or")));
}

void require_fitting(const ReadingOptions& options, const Language& language) {
  if (!options.constants.empty() && !language.has.constants)
    throw Error(Fault::usage,
                fmt::format("--const: only models in {} have constants that can be set",
                            languages_with(&Language::Has::constants)));
  if (options.product && !language.has.property_process)
    throw Error(Fault::usage, fmt::format("--product: only systems in {} have property processes",
                                          languages_with(&Language::Has::property_process)));
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
                      const OpeningOptions& options) {
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
                  const OpeningOptions& options) {
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

ReadModel read_model(const std::string& path, const ReadingOptions& options) {
  require_file(path);
  const Language* language = language_of(path);
  if (language == nullptr) refuse_ending(path);
  ReadModel read = language->read(path, options);
  require_fitting(options, *language);
  return read;
}

LoadedModel open_model(const std::string& path, const OpeningOptions& options) {
  if (options.propositions.size() > kMostPropositions)
    throw Error(Fault::usage, fmt::format("the formulas have {} propositions; the limit is {}",
                                          options.propositions.size(), kMostPropositions));
  LoadedModel loaded{nullptr, path, sha256_of(path)};
  ReadModel read = read_model(path, options);
  for (Remark& remark : read.remarks) {
    if (remark.diagnostic.severity == Severity::error)
      throw DiagnosedError({remark.diagnostic}, false);
    if (remark.changes_search && options.symmetry != SymmetryMode::off)
      loaded.warnings.push_back(std::move(remark.diagnostic));
  }
  if (auto* model = std::get_if<std::unique_ptr<Model>>(&read.meaning)) {
    loaded.model = std::move(*model);
    return loaded;
  }
  auto model = std::make_unique<ProgramModel>(std::get<program::Program>(std::move(read.meaning)),
                                              options.executed, options.compiling);
  use_symmetry(loaded, std::move(model), options);
  return loaded;
}

bool has_property_process(const Model& model) { return !model.unchecked().empty(); }

}  // namespace spillway
