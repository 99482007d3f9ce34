// The command line: one table of options (option_table.cc) and one of commands (commands.cc), from
// which the parser, the help and the completion of shells are made.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check/check.h"
#include "check/facts/limits.h"
#include "check/session/search.h"
#include "model/model.h"
#include "open/open_model.h"
#include "open/run_properties.h"
#include "report/trace/saved_trace.h"
#include "report/trace/trace_text.h"

namespace spillway {

enum class Color { automatic, always, never };

// What `spillway ltl` prints.
enum class AutomatonForm { summary, hoa, dot, spin };
struct LtlOutput {
  AutomatonForm form = AutomatonForm::summary;
  bool negated = false;
};

// What `spillway trace` prints.
enum class TraceForm { text, itf, vcd, html, mermaid, svg };
struct TraceOutput {
  TraceForm form = TraceForm::text;
  bool full = false;
  VariableFilter filter;
  std::string property;    // empty: all of them
  std::string file = "-";  // where it goes
};

// What `spillway test` runs, and where it tells about it.  Empty: not at all.
struct SuiteOptions {
  std::string lane;  // empty: all
  std::string junit, markdown;
  std::string reports;                  // folder of pages
  std::string runs = ".spillway-runs";  // folder of what continues the next time
};

// How `spillway simulate` walks.
struct WalkSettings {
  std::optional<std::uint64_t> seed;   // default: drawn at random
  std::optional<std::uint64_t> walks;  // default: 1000, or as many as there is time for
  std::uint64_t depth = 1000;
  bool by_hand = false;
};

// What `spillway explore` shows.
struct ExploreSettings {
  unsigned port = 0;        // 0: any that is free
  std::string result_file;  // with traces; empty: none
  std::string where;        // the expression to find a state by; empty: none
  bool text_only = false;   // what was found, without a page
};

// Where a check can be watched.
struct DashboardSettings {
  bool wanted = false;
  unsigned port = 0;  // 0: any that is free
};

// The values of the options of a command.
struct CommandSettings {
  std::string subject;                        // the MODEL, or what else the command is about
  unsigned threads = 0;                       // 0: all processors
  std::optional<std::uint64_t> memory_bytes;  // default: 70% of what there is
  Limits limits;
  std::optional<Deadlock> deadlock;  // default: the convention of the model's language
  const Algorithm* algorithm = nullptr;
  Signatures signatures;
  bool hash_on_disk = false;
  std::optional<ShortRowsSettings> short_rows = ShortRowsSettings{};
  bool minimal = false;
  Ignored ignored;
  std::vector<std::string> disks;                 // directories
  std::optional<std::uint64_t> disk_limit_bytes;  // for all files together
  bool verify = false;
  std::string json_file;
  std::string events_file;
  std::string report_file;
  DashboardSettings dashboard;
  std::string model_file;  // of a resumed run, if its model is native code
  bool quiet = false;
  bool verbose = false;
  Color color = Color::automatic;
  TraceStyle trace = TraceStyle::changes;
  bool simple_exit_codes = false;
  bool fail_on_dead_rules = false;
  std::optional<std::string> run_dir;  // empty: none; std::nullopt: chosen by the program
  std::optional<double> checkpoint_seconds;
  OpeningOptions reading;
  LtlOutput ltl;
  TraceOutput shown;
  SuiteOptions suite;
  WalkSettings walk;
  ExploreSettings explore;
  RunOptions runs;
  // Options in a form that can be given again: "--name" or "--name=value".
  std::vector<std::string> given;
  std::vector<std::string> command;  // the whole command line, for the report
  std::string commit;                // that this program was built from; empty: unknown
};

// What becomes of an option when a run is resumed.
enum class Later {
  fixed,  // as at the start: another value would change the result
  kept,   // as at the start, unless given again
  anew,   // for one process only
};

// Who needs the same value of an option of `check`.
enum class SameFor {
  unsaid,  // of no option of `check`: somebody has to decide
  check,   // it can change a count or a verdict: part of the identity of a check (check_identity.h)
  ranks,   // a resumed run may have another one, but all ranks that share a check the same
  nobody,
};

// How the help is divided.
enum class Group { limits, model, long_runs, output, experts };
std::string_view heading(Group group);

struct Option {
  std::string_view name;         // "--threads"
  char letter = 0;               // 'j' for -j; 0: none
  std::string_view argument;     // "N"; empty for a flag. If given twice, the last one counts
  std::string_view number = "";  // that a flag may have: "PORT", as in --flag=8080
  std::string_view help;
  std::string_view unset = "";  // what happens without it; empty: nothing
  void (*set)(CommandSettings&, std::string_view argument) = nullptr;  // throws Error(usage)
  // The values, if there are only a few; nullptr: any that `set` takes.
  std::vector<std::string_view> (*choices)() = nullptr;
  bool adds = false;  // if given twice, both count
  Later later = Later::fixed;
  Group group = Group::limits;
  bool changes_meaning = false;  // of a verdict, which therefore names it
  SameFor same_for = SameFor::unsaid;
  const LanguageOption* of_language = nullptr;  // takes the place of `set` and `choices`

  void give(CommandSettings& settings, std::string_view value) const;  // throws Error(usage)
  // The values, if there are only a few; otherwise none.
  std::vector<std::string_view> values() const;
  // With the names of the languages that it is about.
  std::string explanation() const;
};

struct Example {
  std::string_view call;
  std::string_view meaning;
};

struct Command {
  std::string_view name;
  std::string_view subject;  // "MODEL"
  std::string_view summary;
  std::array<Example, 3> examples;
  std::span<const Option> (*options)();
  int (*run)(const CommandSettings&);
};

std::span<const Command> commands();
std::span<const Option> check_options();
std::span<const Option> estimate_options();
std::span<const Option> lint_options();
std::span<const Option> ltl_options();
std::span<const Option> resume_options();
std::span<const Option> status_options();
std::span<const Option> fsck_options();
std::span<const Option> trace_options();
std::span<const Option> report_options();
std::span<const Option> test_options();
std::span<const Option> simulate_options();
std::span<const Option> explore_options();

// True if a later process needs to know this element of CommandSettings::given.
bool kept_for_later(std::string_view given);
// Applies the configuration of a run.  Accepts only options that check records, with values that it
// accepts on the command line, and each no more often than it records it.  Throws Error(integrity),
// beginning with `file`, for others.
void set_kept(CommandSettings& settings, const std::vector<std::string>& arguments,
              const std::string& file);
// Applies CommandSettings::given of a command line on top of the present settings.
void set_given(CommandSettings& settings, const std::vector<std::string>& given);

// Parses what follows the name of the command.  std::nullopt if --help was given.  Throws
// Error(usage).
std::optional<CommandSettings> parse(const Command& command,
                                     const std::vector<std::string>& arguments);

}  // namespace spillway
