#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace spillway {

int run_lint(const Settings& settings) {
  if (settings.subject.empty())
    throw Error(Fault::usage, "no model given; try: spillway lint MODEL, or spillway lint --help");
  if (!is_text_model(settings.subject)) {
    open_model(settings.subject, settings.reading);
    say(stdout, fmt::format("{}: no warnings\n", printable(settings.subject)));
    return 0;
  }
  const ReadModel read = read_text_model(settings.subject, settings.reading);
  for (const Warning& warning : read.warnings)
    say(stdout,
        fmt::format("{}:{}:{}: warning: {}\n", printable(settings.subject), warning.position.line,
                    warning.position.column, printable(warning.text)));
  const auto count = [](std::size_t n, std::string_view noun) {
    return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
  };
  const program::Program& program = read.program;
  say(stdout,
      fmt::format("{}: {}, {}, {}; {}\n", printable(settings.subject),
                  count(program.variables.size(), "variable"), count(program.rules.size(), "rule"),
                  program.properties.size() == 1
                      ? "1 property"
                      : fmt::format("{} properties", program.properties.size()),
                  read.warnings.empty() ? "no warnings" : count(read.warnings.size(), "warning")));
  return 0;
}

}  // namespace spillway
