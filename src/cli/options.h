// The command line: one table of options, one of commands, from which parser, help and manual are made.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/open_model.h"
#include "model/model.h"
#include "run/check.h"
#include "run/limits.h"
#include "run/search.h"

namespace spillway {

// What the options of a command have been set to.
struct Settings {
  std::string subject;                        // the MODEL, or what else the command is about
  unsigned threads = 0;                       // 0: all processors
  std::optional<std::uint64_t> memory_bytes;  // none: 70% of what there is
  Limits limits;
  std::optional<Deadlock> deadlock;  // none: the convention of the model's language
  const Algorithm* algorithm = nullptr;
  Signatures signatures;
  Ignored ignored;
  std::vector<std::string> disks;                 // directories
  std::optional<std::uint64_t> disk_limit_bytes;  // that all files may take
  bool verify = false;
  std::string json_file;
  std::string model_file;  // of a run that is continued, if its model is native code
  bool quiet = false;
  bool verbose = false;
  bool simple_exit_codes = false;
  std::optional<std::string> run_dir;  // empty: none; nothing: chosen by the program
  std::optional<double> checkpoint_seconds;
  ReadingOptions reading;
  std::vector<std::string> given;  // options, as they can be given again: "--name" or "--name=value"
};

// What becomes of an option when a run is continued.
enum class Later {
  fixed,  // as the run began: something else would change the result
  kept,   // as the run began, unless it is given again
  anew,   // only for one process
};

struct Option {
  std::string_view name;      // "--threads"
  std::string_view argument;  // "N"; empty for a flag.  If an option is given twice, the last one counts
  std::string_view help;
  std::string_view unset;                             // what happens without it
  void (*set)(Settings&, std::string_view argument);  // throws Error(usage)
  bool adds = false;                                  // given twice, both count
  Later later = Later::fixed;
};

struct Command {
  std::string_view name;
  std::string_view subject;  // "MODEL"
  std::string_view summary;
  std::string_view examples[3][2];  // command, what it does
  std::span<const Option> (*options)();
  int (*run)(const Settings&);
};

std::span<const Command> commands();
std::span<const Option> check_options();
std::span<const Option> lint_options();
std::span<const Option> resume_options();
std::span<const Option> status_options();
std::span<const Option> fsck_options();

// Whether an option as in Settings::given is one that a later process needs to know.
bool kept_for_later(std::string_view given);
// Sets what the configuration of a run says.  Only options that check writes down are taken, with values that it takes
// on the command line, and no oftener than it writes them; others are an Error(integrity), which begins with `file`.
void set_kept(Settings& settings, const std::vector<std::string>& arguments, const std::string& file);
// Sets what Settings::given of a command line says, over what is there.
void set_given(Settings& settings, const std::vector<std::string>& given);

// Parses what follows the name of the command.  Nothing: --help was asked for.  Throws Error(usage).
std::optional<Settings> parse(const Command& command, const std::vector<std::string>& arguments);

}  // namespace spillway
