#include "cli/options/check_identity.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash/sha256.h"
#include "base/text/read_file.h"
#include "cli/options/given_options.h"

namespace spillway {
namespace {

// No two lists of values give the same text.
void add(std::string& text, std::string_view name, std::string_view value) {
  text += fmt::format("{} {} {}\n", name, value.size(), value);
}

// Of some options it is not the value that counts: of a file it is the text, which is read, and of
// constants only the last value of each.  identity_of() adds them.
bool is_told_apart(const Option& option) {
  const bool is_file = option.same_for == SameFor::check && option.later == Later::anew;
  return is_file || option.name == "--const" || option.name == "--ltl";
}

std::string values_text(const CommandSettings& settings, SameFor whom) {
  std::string text;
  for (const Option& option : check_options()) {
    if (option.same_for != whom || is_told_apart(option)) continue;
    for (const std::string& value : values_that_count(settings, option))
      add(text, option.name, value);
  }
  return text;
}

std::string identity_of(const CommandSettings& settings, const std::string& model_sha256,
                        const std::vector<std::string>& formulas_of_files) {
  std::string text = "spillway check 1\n";
  add(text, "model", model_sha256);
  for (const auto& [name, value] : settings.reading.constants)
    add(text, "constant", fmt::format("{}={}", name, value));
  text += values_text(settings, SameFor::check);
  // A run keeps these as values of --ltl, behind the others.
  for (const std::string& formula : settings.runs.formulas) add(text, "formula", formula);
  for (const std::string& formula : formulas_of_files) add(text, "formula", formula);
  for (const std::string& path : settings.runs.automata) add(text, "automaton", sha256_of(path));
  return sha256(text);
}

}  // namespace

std::string check_identity(const CommandSettings& settings) {
  return check_identity(settings, sha256_of(settings.subject), RunProperties(settings.runs));
}

std::string check_identity(const std::vector<std::string>& arguments) {
  return check_identity(parse(commands().front(), arguments).value_or(CommandSettings{}));
}

std::string check_identity(const CommandSettings& settings, const std::string& model_sha256,
                           const RunProperties& runs) {
  return identity_of(settings, model_sha256, runs.formulas_of_files());
}

std::string check_identity(const RunConfig& config, const std::string& name) {
  CommandSettings settings;
  set_kept(settings, config.arguments, name);
  return identity_of(settings, config.sha256, {});
}

std::string ranks_text(const CommandSettings& settings) {
  return values_text(settings, SameFor::ranks);
}

}  // namespace spillway
