#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>

#include "base/error.h"
#include "base/quantity.h"
#include "base/suggest.h"
#include "safety/algorithms.h"

namespace spillway {
namespace {

void set_threads(Settings& s, std::string_view text) {
  const std::uint64_t threads = parse_count(text);
  if (threads < 1 || threads > 256)
    throw Error(Fault::usage, "the number of threads must be between 1 and 256");
  s.threads = static_cast<unsigned>(threads);
}

template <class Value>
struct Choice {
  std::string_view name;
  Value value;
};

// The value that `text` names.
template <class Value>
Value chosen(std::string_view text, std::initializer_list<Choice<Value>> choices) {
  std::string names;
  for (const Choice<Value>& choice : choices) {
    if (choice.name == text) return choice.value;
    const bool last = &choice == std::prev(choices.end());
    if (!names.empty()) names += last ? " or " : ", ";
    names += choice.name;
  }
  throw Error(Fault::usage, fmt::format("'{}' is not {}", text, names));
}

void set_deadlock(Settings& s, std::string_view text) {
  s.deadlock = chosen<std::optional<Deadlock>>(text, {{"auto", std::nullopt},
                                                      {"stuck", Deadlock::stuck},
                                                      {"stuttering", Deadlock::stuttering},
                                                      {"off", Deadlock::off}});
}

void set_algorithm(Settings& s, std::string_view text) {
  std::string names;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.name == text) {
      s.algorithm = &algorithm;
      return;
    }
    names += fmt::format("{}{}", names.empty() ? "" : ", ", algorithm.name);
  }
  throw Error(Fault::usage, fmt::format("unknown algorithm '{}'; choose one of {}", text, names));
}

// "full", or "signature", or "signature:BITS", or "signature:BITS:SEED".
void set_store(Settings& s, std::string_view text) {
  s.signatures = {};
  if (text == "full") return;
  s.signatures.bits = 64;
  if (text == "signature") return;
  constexpr std::string_view kSignature = "signature:";
  if (!text.starts_with(kSignature))
    throw Error(Fault::usage, fmt::format("'{}' is not full or signature:BITS", text));
  text.remove_prefix(kSignature.size());
  const std::size_t colon = text.find(':');
  const std::uint64_t bits = parse_count(text.substr(0, colon));
  if (bits < 8 || bits > 64) throw Error(Fault::usage, "a signature must have 8 to 64 bits");
  s.signatures.bits = static_cast<unsigned>(bits);
  if (colon != std::string_view::npos) s.signatures.seed = parse_count(text.substr(colon + 1));
}

void set_ignored(Settings& s, std::string_view text) {
  bool* const ignored = chosen<bool*>(
      text, {{"acceptance", &s.ignored.acceptance}, {"liveness", &s.ignored.reachable}});
  *ignored = true;
}

void set_constant(Settings& s, std::string_view text) {
  const std::size_t sign = text.find('=');
  if (sign == 0 || sign == std::string_view::npos)
    throw Error(Fault::usage, fmt::format("'{}' is not NAME=VALUE", text));
  std::string_view digits = text.substr(sign + 1);
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  const std::uint64_t value = parse_count(digits);
  if (value > std::uint64_t{INT64_MAX})
    throw Error(Fault::usage, fmt::format("'{}' is too large", digits));
  const auto number = static_cast<std::int64_t>(value);
  s.reading.murphi.constants[std::string(text.substr(0, sign))] = negative ? -number : number;
}

void set_dialect(Settings& s, std::string_view text) {
  s.reading.murphi.dialect = chosen<MurphiDialect>(text, {{"auto", MurphiDialect::automatic},
                                                          {"cmurphi", MurphiDialect::cmurphi},
                                                          {"rumur", MurphiDialect::rumur}});
}

void set_dve_errors(Settings& s, std::string_view text) {
  s.reading.dve.errors = chosen<DveErrors>(
      text,
      {{"report", DveErrors::report}, {"wrap", DveErrors::wrap}, {"legacy", DveErrors::legacy}});
}

void set_symmetry(Settings& s, std::string_view text) {
  s.reading.symmetry = chosen<SymmetryMode>(text, {{"auto", SymmetryMode::automatic},
                                                   {"off", SymmetryMode::off},
                                                   {"exhaustive", SymmetryMode::exhaustive},
                                                   {"heuristic", SymmetryMode::heuristic}});
}

void set_exit_code(Settings& s, std::string_view text) {
  s.simple_exit_codes = chosen<bool>(text, {{"full", false}, {"simple", true}});
}

constexpr Option kConst{
    .name = "--const",
    .argument = "NAME=VALUE",
    .help = "set a constant of the model; may be repeated",
    .unset = "the values in the model",
    .set = set_constant,
    .adds = true,
};
constexpr Option kDialect{
    .name = "--dialect",
    .argument = "NAME",
    .help = "where Murphi tools differ, follow this one: auto, cmurphi or rumur",
    .unset = "auto",
    .set = set_dialect,
};

constexpr Option kDveErrors{
    .name = "--dve-errors",
    .argument = "MODE",
    .help =
        "what to do with values in DVE that do not fit their variable: report (a run-time error), "
        "wrap (truncate, as compiled models of other tools do), or legacy (go to an error state, "
        "as the first interpreters did)",
    .unset = "report",
    .set = set_dve_errors,
};

constexpr Option kProduct{
    .name = "--product",
    .argument = "",
    .help =
        "explore the product of a system in DVE and its property process, to get its counts and "
        "check the assertions of that process; deadlocks are not checked",
    .unset = "the system without its property process",
    .set = [](Settings& s, std::string_view) { s.reading.dve.property = DveProperty::product; },
};

constexpr std::array kLintOptions = {kConst, kDialect, kDveErrors};

constexpr Option kThreads{
    .name = "--threads",
    .argument = "N",
    .help = "number of threads; results do not depend on it",
    .unset = "all processors",
    .set = set_threads,
    .later = Later::kept,
};
constexpr Option kMemory{
    .name = "--memory",
    .argument = "SIZE",
    .help = "memory that the process may use, such as 512M or 24G",
    .unset = "70% of the machine's or container's memory",
    .set = [](Settings& s, std::string_view text) { s.memory_bytes = parse_bytes(text); },
    .later = Later::kept,
};
constexpr Option kTimeout{
    .name = "--timeout",
    .argument = "TIME",
    .help = "stop after this time, such as 90s, 15m or 2h",
    .unset = "no limit",
    .set = [](Settings& s,
              std::string_view text) { s.limits.timeout_seconds = parse_seconds(text); },
    .later = Later::anew,
};
constexpr Option kMaxDepth{
    .name = "--max-depth",
    .argument = "N",
    .help = "do not visit states that need more than N steps from an initial state",
    .unset = "no limit",
    .set = [](Settings& s, std::string_view text) { s.limits.max_depth = parse_count(text); },
    .later = Later::kept,
};
constexpr Option kMaxStates{
    .name = "--max-states",
    .argument = "N",
    .help = "stop before the level that would bring the number of states above N",
    .unset = "no limit",
    .set = [](Settings& s, std::string_view text) { s.limits.max_states = parse_count(text); },
    .later = Later::kept,
};
constexpr Option kDisk{
    .name = "--disk",
    .argument = "DIR",
    .help = "where to put states that do not fit in memory; may be repeated, for several devices",
    .unset = "the run directory, TMPDIR, or /var/tmp",
    .set = [](Settings& s, std::string_view text) { s.disks.emplace_back(text); },
    .adds = true,
    .later = Later::kept,
};
constexpr Option kDiskLimit{
    .name = "--disk-limit",
    .argument = "SIZE",
    .help = "disk space that all files of the search together may take, such as 200G",
    .unset = "no limit",
    .set = [](Settings& s, std::string_view text) { s.disk_limit_bytes = parse_bytes(text); },
    .later = Later::kept,
};
constexpr Option kVerify{
    .name = "--verify",
    .argument = "",
    .help =
        "when the search is complete, read the visited set back and compare it with the states "
        "that were expanded; also check the symmetry of the model in every state",
    .unset = "no",
    .set = [](Settings& s, std::string_view) { s.verify = true; },
    .later = Later::anew,
};
constexpr Option kJson{
    .name = "--json",
    .argument = "FILE",
    .help = "write the result as JSON to FILE; - is standard output",
    .unset = "no JSON",
    .set = [](Settings& s, std::string_view text) { s.json_file = text; },
    .later = Later::anew,
};
constexpr Option kQuiet{
    .name = "--quiet",
    .argument = "",
    .help = "print only the verdict line",
    .unset = "also print counts, properties, counterexamples and progress",
    .set = [](Settings& s, std::string_view) { s.quiet = true; },
    .later = Later::anew,
};
constexpr Option kVerbose{
    .name = "--verbose",
    .argument = "",
    .help = "report whether the compiled model comes from the cache, and why one is not cached",
    .unset = "no",
    .set = [](Settings& s, std::string_view) { s.verbose = true; },
    .later = Later::anew,
};
constexpr Option kExitCode{
    .name = "--exit-code",
    .argument = "MODE",
    .help = "full: see 'spillway explain'; simple: 0 verified, 1 violated, 2 anything else",
    .unset = "full",
    .set = set_exit_code,
    .later = Later::anew,
};

constexpr Option kCheckpointEvery{
    .name = "--checkpoint",
    .argument = "TIME",
    .help =
        "the least time between two checkpoints of a run that is kept, such as 30s; 0: one after "
        "every level",
    .unset = "5s, or longer if checkpoints would take more than 1% of the time",
    .set = [](Settings& s, std::string_view text) { s.checkpoint_seconds = parse_seconds(text); },
    .later = Later::kept,
};

constexpr std::array kCheckOptions = {
    kThreads,
    kMemory,
    kTimeout,
    Option{
        .name = "--run-dir",
        .argument = "DIR",
        .help = "keep checkpoints in this new directory, so that 'spillway resume DIR' can "
                "continue from the last one; none: keep nothing",
        .unset = "with --disk, a new directory there, which is removed when the search is done; "
                 "otherwise nothing is kept",
        .set =
            [](Settings& s, std::string_view text) {
              if (text.empty()) throw Error(Fault::usage, "DIR is missing");
              s.run_dir = text == "none" ? "" : text;
            },
        .later = Later::anew,
    },
    kCheckpointEvery,
    kMaxDepth,
    kMaxStates,
    Option{
        .name = "--deadlock",
        .argument = "MODE",
        .help = "what counts as a deadlock: stuck (no successor), stuttering (no successor other "
                "than the state itself), off, or auto (the convention of the model's language)",
        .unset = "auto",
        .set = set_deadlock,
    },
    Option{
        .name = "--ignore",
        .argument = "KIND",
        .help = "do not check properties of this kind: acceptance (property processes and "
                "accepting states), or liveness (properties that must be reachable from "
                "everywhere); may be repeated",
        .unset = "a property that is not decided prevents VERIFIED",
        .set = set_ignored,
        .adds = true,
    },
    kConst,
    kDialect,
    kDveErrors,
    kProduct,
    Option{
        .name = "--symmetry",
        .argument = "MODE",
        .help = "how to use scalarsets: exhaustive (one state represents each class of symmetric "
                "states), heuristic (sometimes several do), off, or auto (exhaustive, if the "
                "scalarsets are small enough)",
        .unset = "auto",
        .set = set_symmetry,
    },
    Option{
        .name = "--interpret",
        .argument = "",
        .help = "interpret a model in Murphi or DVE instead of compiling it: slow, but needs no C "
                "compiler",
        .unset = "compile it",
        .set = [](Settings& s, std::string_view) { s.reading.interpreted = true; },
    },
    Option{
        .name = "--algorithm",
        .argument = "NAME",
        .help = "the search algorithm: auto, ram, sorted-runs, or a published one: mono, local, "
                "part, part-cache, hddd, dddd, cached, disk, serial",
        .unset = "auto",
        .set = set_algorithm,
    },
    Option{
        .name = "--store",
        .argument = "WHAT",
        .help = "what the visited set holds: full (the states), or signature:BITS (a hash of each "
                "state, 64 bits by default; states may be omitted, and the result bounds the "
                "probability of that; not for auto, ram and sorted-runs)",
        .unset = "full",
        .set = set_store,
    },
    kDisk,
    kDiskLimit,
    kVerify,
    kJson,
    kQuiet,
    kVerbose,
    kExitCode,
};

constexpr Option kModel{
    .name = "--model",
    .argument = "FILE",
    .help =
        "the model of the run, if it is native code (.so), which is never loaded from a path in a "
        "run directory",
    .unset = "the copy in the run directory",
    .set = [](Settings& s, std::string_view text) { s.model_file = text; },
    .later = Later::anew,
};

constexpr std::array kResumeOptions = {kThreads,   kMemory, kTimeout, kCheckpointEvery, kMaxDepth,
                                       kMaxStates, kDisk,   kModel,   kDiskLimit,       kVerify,
                                       kJson,      kQuiet,  kVerbose, kExitCode};

constexpr std::array kStatusOptions = {Option{
    .name = "--json",
    .argument = "FILE",
    .help = "write the same as JSON to FILE; - is standard output",
    .unset = "text",
    .set = [](Settings& s, std::string_view text) { s.json_file = text; },
}};

constexpr std::array kFsckOptions = {kMemory, kDisk};

void define(CLI::App& app, const Option& option, Settings& settings) {
  const auto set = [&option, &settings](const std::string& text) {
    if (!option.argument.empty() && text.starts_with("--"))
      throw Error(Fault::usage,
                  fmt::format("{}: {} is missing: {}", option.name, option.argument, option.help));
    try {
      option.set(settings, text);
      settings.given.push_back(std::string(option.name) +
                               (option.argument.empty() ? "" : "=" + text));
    } catch (const Error& error) {
      throw Error(Fault::usage, fmt::format("{}: {}", option.name, error.what()));
    }
  };
  if (option.argument.empty())
    app.add_flag_callback(std::string(option.name), [set] { set(""); })->disable_flag_override();
  else if (option.adds)
    app.add_option_function<std::vector<std::string>>(std::string(option.name),
                                                      [set](const std::vector<std::string>& all) {
                                                        for (const std::string& text : all)
                                                          set(text);
                                                      })
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
  else
    app.add_option_function<std::string>(std::string(option.name), set)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

[[noreturn]] void refuse_unknown(const Command& command, std::string_view unknown) {
  std::vector<std::string_view> names = {"--help"};
  for (const Option& option : command.options()) names.push_back(option.name);
  const std::string_view name = unknown.substr(0, unknown.find('='));
  const std::optional<std::string_view> near = nearest(name, names);
  const auto is_it = [&](const Option& option) { return option.name == name; };
  if (command.name == "resume" && std::ranges::any_of(check_options(), is_it))
    throw Error(Fault::usage, fmt::format("{} cannot change when a run is resumed: the result "
                                          "would mix two different searches; start a new run",
                                          name));
  if (unknown.starts_with('-'))
    throw Error(Fault::usage, fmt::format("unknown option {}{}", name,
                                          near ? fmt::format("; did you mean {}?", *near) : ""));
  throw Error(Fault::usage, fmt::format("unexpected argument '{}'", unknown));
}

// The message of CLI11 begins with the option that lacks a value or has one too many.
[[noreturn]] void refuse_without_value(const Command& command, std::string_view words) {
  const std::string_view name = words.substr(0, words.find_first_of(": "));
  for (const Option& option : command.options()) {
    if (option.name != name && option.name.substr(2) != name) continue;
    if (option.argument.empty())
      throw Error(Fault::usage, fmt::format("{} takes no value", option.name));
    throw Error(Fault::usage,
                fmt::format("{}: {} is missing: {}", option.name, option.argument, option.help));
  }
  throw Error(Fault::usage, std::string(words));
}

}  // namespace

std::span<const Option> check_options() { return kCheckOptions; }
std::span<const Option> lint_options() { return kLintOptions; }
std::span<const Option> resume_options() { return kResumeOptions; }
std::span<const Option> status_options() { return kStatusOptions; }
std::span<const Option> fsck_options() { return kFsckOptions; }

bool kept_for_later(std::string_view given) {
  const std::string_view name = given.substr(0, given.find('='));
  for (const Option& option : kCheckOptions)
    if (option.name == name) return option.later != Later::anew;
  return false;
}

namespace {

// An element of Settings::given.
struct Assignment {
  const Option* option = nullptr;  // nullptr if there is no such option
  std::string_view value;
};

Assignment assignment_in(std::span<const Option> options, std::string_view given) {
  const std::size_t sign = given.find('=');
  const bool has_value = sign != std::string_view::npos;
  for (const Option& option : options) {
    if (option.name != given.substr(0, sign) || option.argument.empty() == has_value) continue;
    return {&option, has_value ? given.substr(sign + 1) : std::string_view()};
  }
  return {};
}

void set_kept(Settings& settings, std::string_view argument) {
  const Assignment given = assignment_in(check_options(), argument);
  const auto [option, value] = given;
  if (option == nullptr || option->later == Later::anew)
    throw Error(Fault::usage, "a run does not record this option");
  if (!option->argument.empty() && (value.empty() || value.starts_with("--")))
    throw Error(Fault::usage, "the value is missing");
  if (option->name == kDisk.name && !value.starts_with('/'))
    throw Error(Fault::usage, "the path is not absolute");
  const auto is_same = [&](const std::string& other) {
    return assignment_in(check_options(), other).option == given.option;
  };
  if (!option->adds && std::ranges::any_of(settings.given, is_same))
    throw Error(Fault::usage, "it appears twice");
  option->set(settings, value);
  settings.given.emplace_back(argument);
}

}  // namespace

void set_kept(Settings& settings, const std::vector<std::string>& arguments,
              const std::string& file) {
  for (const std::string& argument : arguments) {
    try {
      set_kept(settings, argument);
    } catch (const Error& error) {
      throw Error(Fault::integrity,
                  fmt::format("{}: invalid option '{}': {}", file, argument, error.what()));
    }
  }
}

void set_given(Settings& settings, const std::vector<std::string>& given) {
  const auto names_disk = [](const std::string& one) {
    return assignment_in({&kDisk, 1}, one).option != nullptr;
  };
  if (std::ranges::any_of(given, names_disk)) settings.disks.clear();
  for (const std::string& one : given) {
    const auto [option, value] = assignment_in(resume_options(), one);
    SPILLWAY_CHECK(option != nullptr);
    option->set(settings, value);
  }
}

std::optional<Settings> parse(const Command& command, const std::vector<std::string>& arguments) {
  Settings settings;
  bool help = false;
  CLI::App app;
  app.set_help_flag();
  app.add_flag("-h,--help", help);
  app.add_option("subject", settings.subject);
  app.allow_extras();
  for (const Option& option : command.options()) define(app, option, settings);
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    app.parse(reversed);
  } catch (const CLI::ArgumentMismatch& error) {
    refuse_without_value(command, error.what());
  } catch (const CLI::ParseError& error) {
    throw Error(Fault::usage, error.what());
  }
  if (help) return std::nullopt;
  std::vector<std::string> extras = app.remaining();
  std::erase(extras, "--");  // CLI11 leaves it there
  if (!extras.empty()) refuse_unknown(command, extras.front());
  return settings;
}

}  // namespace spillway
