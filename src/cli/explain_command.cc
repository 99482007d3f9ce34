#include <fmt/format.h>

#include "base/error.h"
#include "check/facts/verdict.h"
#include "cli/commands.h"
#include "cli/session/output.h"

namespace spillway {

int run_explain(const CommandSettings& settings) {
  bool known = false;
  for (const ExitCode& row : exit_codes()) {
    const std::string number = std::to_string(static_cast<int>(row.code));
    if (!settings.subject.empty() && settings.subject != number) continue;
    known = true;
    say(stdout, fmt::format("{:>4}  {}\n", number, row.meaning));
  }
  if (!known)
    throw Error(Fault::usage, fmt::format("'{}' is not an exit code; 'spillway explain' lists them",
                                          settings.subject));
  return 0;
}

}  // namespace spillway
