#include "cli/commands.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "base/printable.h"
#include "run/verdict.h"

namespace spillway {

int run_lint(const Settings& settings) {
  if (settings.subject.empty())
    throw Error(Fault::usage, "which model? Try: spillway lint MODEL, or spillway lint --help");
  if (!is_text_model(settings.subject)) {
    open_model(settings.subject, settings.reading);
    say(stdout, fmt::format("{}: nothing to complain about\n", printable(settings.subject)));
    return 0;
  }
  const ReadModel read = read_text_model(settings.subject, settings.reading);
  for (const Warning& warning : read.warnings)
    say(stdout, fmt::format("{}:{}:{}: warning: {}\n", printable(settings.subject), warning.position.line,
                            warning.position.column, printable(warning.text)));
  const auto count = [](std::size_t n, std::string_view noun) {
    return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
  };
  const program::Program& program = read.program;
  say(stdout,
      fmt::format(
          "{}: {}, {}, {}; {}\n", printable(settings.subject), count(program.variables.size(), "variable"),
          count(program.rules.size(), "rule"),
          program.properties.size() == 1 ? "1 property" : fmt::format("{} properties", program.properties.size()),
          read.warnings.empty() ? "nothing to complain about" : count(read.warnings.size(), "warning")));
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
    throw Error(Fault::usage, fmt::format("'{}' is no exit code; 'spillway explain' lists them", settings.subject));
  return 0;
}

namespace {

std::span<const Option> no_options() { return {}; }

constexpr std::array kCommands = {
    Command{"check",
            "MODEL",
            "Explore all reachable states of a model and check its properties",
            {{"spillway check ./peterson.so", "check all properties with all processors and 70% of the memory"},
             {"spillway check ./tiles.so --memory 2G --timeout 10m --json result.json",
              "stay inside limits and leave the result for other programs"},
             {"spillway check lock.graph --deadlock=stuck --quiet && echo fine",
              "use it in a script: the exit code is 0 only for VERIFIED"}},
            check_options,
            run_check},
    Command{
        "resume",
        "DIR",
        "Go on with a run from its newest checkpoint",
        {{"spillway resume ./run", "go on with the options that the run began with"},
         {"spillway resume ./run --memory 400G --threads 96", "on a larger machine, to which the folder was copied"},
         {"spillway resume ./run --disk /data", "when the disk is full: new files go there"}},
        resume_options,
        run_resume},
    Command{"status",
            "DIR",
            "Say how far a run is, whether or not a process works on it",
            {{"spillway status ./run", "in words"},
             {"spillway status ./run --json -", "for other programs"},
             {"watch spillway status ./run", "again and again"}},
            status_options,
            run_status},
    Command{"fsck",
            "DIR",
            "Read all files of a run and say whether it can be continued",
            {{"spillway fsck ./run", "every checksum, every level, and that no state is there twice"},
             {"spillway fsck ./run --memory 2G", "with no more memory than this"},
             {"spillway fsck ./run && spillway resume ./run", "go on if everything is whole"}},
            fsck_options,
            run_fsck},
    Command{"clean",
            "DIR",
            "Remove a run and all its files",
            {{"spillway clean ./run", "the folder and what other folders have of the run"},
             {"spillway status ./run && spillway clean ./run", "look before"},
             {"spillway fsck ./run || spillway clean ./run", "only if it cannot be continued"}},
            no_options,
            run_clean},
    Command{"lint",
            "MODEL",
            "Say what is or looks wrong in a text, without a search",
            {{"spillway lint german.m", "errors and warnings with file, line and column"},
             {"spillway lint german.m --const NODES=8", "the same for another value of a constant"},
             {"spillway lint old.m --dialect=cmurphi", "read it as CMurphi does"}},
            lint_options,
            run_lint},
    Command{"explain",
            "[CODE]",
            "Say what an exit code means",
            {{"spillway explain 12", "what exit code 12 means"},
             {"spillway explain", "all exit codes"},
             {"spillway check lock.graph || spillway explain $?", "check, and say in words what came out"}},
            no_options,
            run_explain},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace spillway
