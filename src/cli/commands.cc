#include "cli/commands.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "base/printable.h"
#include "check/verdict.h"

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

int run_explain(const Settings& settings) {
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

namespace {

std::span<const Option> no_options() { return {}; }

constexpr std::array kCommands = {
    Command{"check",
            "MODEL",
            "Explore all reachable states of a model and check its properties",
            {{"spillway check ./peterson.so",
              "check all properties with all processors and 70% of the memory"},
             {"spillway check ./tiles.so --memory 2G --timeout 10m --json result.json",
              "stay within limits, and write the result for other programs"},
             {"spillway check lock.graph --deadlock=stuck --quiet && echo fine",
              "use it in a script: the exit code is 0 only for VERIFIED"}},
            check_options,
            run_check},
    Command{"resume",
            "DIR",
            "Resume a run from its newest checkpoint",
            {{"spillway resume ./run", "with the options that the run started with"},
             {"spillway resume ./run --memory 400G --threads 96",
              "on a larger machine, after copying the directory there"},
             {"spillway resume ./run --disk /data",
              "when the disk is full: put new files on another disk"}},
            resume_options,
            run_resume},
    Command{"status",
            "DIR",
            "Show the progress of a run, active or not",
            {{"spillway status ./run", "as text"},
             {"spillway status ./run --json -", "for other programs"},
             {"watch spillway status ./run", "repeatedly"}},
            status_options,
            run_status},
    Command{"fsck",
            "DIR",
            "Read all files of a run and report whether it can be resumed",
            {{"spillway fsck ./run",
              "verify every checksum and every level, and that no state appears twice"},
             {"spillway fsck ./run --memory 2G", "with at most this much memory"},
             {"spillway fsck ./run && spillway resume ./run", "resume if everything is intact"}},
            fsck_options,
            run_fsck},
    Command{"clean",
            "DIR",
            "Remove a run and all its files",
            {{"spillway clean ./run", "its directory, and its files in other directories"},
             {"spillway status ./run && spillway clean ./run", "look first"},
             {"spillway fsck ./run || spillway clean ./run", "only if it cannot be resumed"}},
            no_options,
            run_clean},
    Command{
        "lint",
        "MODEL",
        "Report errors and warnings in a model without searching it",
        {{"spillway lint german.m", "errors and warnings with file, line and column"},
         {"spillway lint german.m --const NODES=8", "the same, with another value of a constant"},
         {"spillway lint old.m --dialect=cmurphi", "read it as CMurphi does"}},
        lint_options,
        run_lint},
    Command{"explain",
            "[CODE]",
            "Explain an exit code",
            {{"spillway explain 12", "what exit code 12 means"},
             {"spillway explain", "all exit codes"},
             {"spillway check lock.graph || spillway explain $?", "check, and explain the result"}},
            no_options,
            run_explain},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace spillway
