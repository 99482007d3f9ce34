#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/printable.h"
#include "check/facts/verdict.h"
#include "cli/commands.h"
#include "cli/options/given_options.h"
#include "cli/session/output.h"
#include "language/table/table.h"
#include "report/json.h"

namespace spillway {
namespace {

std::string counted(std::size_t count, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

bool is_error(const Diagnostic& one) { return one.severity == Severity::error; }

// Returns the warnings, and an error if there is nothing to search.  Throws a DiagnosedError if the
// model cannot be read.
std::vector<Diagnostic> examine(const CommandSettings& settings) {
  const ReadModel read = read_model(settings.subject, settings.reading);
  if (!language_of(settings.subject)->has.text) {
    say(stdout, fmt::format("{}: no warnings\n", printable(settings.subject)));
    return {};
  }
  std::vector<Diagnostic> found;
  for (const Remark& remark : read.remarks) found.push_back(remark.diagnostic);
  for (const Diagnostic& one : found) say(stderr, one.text());
  const auto errors = static_cast<std::size_t>(std::count_if(found.begin(), found.end(), is_error));
  if (errors != 0) {
    say(stderr, counted(errors, "error", "errors") + "\n");
    return found;
  }
  say(stdout,
      fmt::format("{}: {}, {}, {}; {}\n", printable(settings.subject),
                  counted(read.variables, "variable", "variables"),
                  counted(read.rules, "rule", "rules"),
                  counted(read.properties, "property", "properties"),
                  found.empty() ? "no warnings" : counted(found.size(), "warning", "warnings")));
  return found;
}

}  // namespace

int run_lint(const CommandSettings& settings) {
  need_model(settings, "lint");
  std::vector<Diagnostic> found;
  try {
    found = examine(settings);
  } catch (const DiagnosedError& error) {
    say_errors(error);
    found = error.diagnostics();
  }
  if (!settings.json_file.empty())
    write_file(settings.json_file, lint_document(settings.subject, found));
  const bool refused = std::any_of(found.begin(), found.end(), is_error);
  return refused ? static_cast<int>(exit_of(Fault::model)) : 0;
}

}  // namespace spillway
