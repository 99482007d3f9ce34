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
    names += fmt::format("{}{}", names.empty() ? "" : last ? " or " : ", ", choice.name);
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
    if (algorithm.name == text) return void(s.algorithm = &algorithm);
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
  s.ignored.*chosen<bool Ignored::*>(text, {{"acceptance", &Ignored::acceptance},
                                            {"liveness", &Ignored::reachable}}) = true;
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

constexpr Option kConst{"--const",
                        "NAME=VALUE",
                        "set a constant of the model; may be repeated",
                        "the values in the model",
                        set_constant,
                        true};
constexpr Option kDialect{"--dialect", "NAME",
                          "where Murphi tools differ, follow this one: auto, cmurphi or rumur",
                          "auto", set_dialect};

constexpr Option kDveErrors{"--dve-errors", "MODE",
                            "what to do with values in DVE that do not fit their variable: report "
                            "(a run-time error), wrap (truncate, as "
                            "compiled models of other tools do), or legacy (go to an error state, "
                            "as the first interpreters did)",
                            "report", set_dve_errors};

constexpr Option kProduct{
    "--product", "",
    "explore the product of a system in DVE and its property process, to get its counts and "
    "check the assertions of that process; deadlocks are not checked",
    "the system without its property process",
    [](Settings& s, std::string_view) { s.reading.dve.property = DveProperty::product; }};

constexpr std::array kLintOptions = {kConst, kDialect, kDveErrors};

constexpr Option kThreads{
    "--threads",      "N",         "number of threads; results do not depend on it",
    "all processors", set_threads, false,
    Later::kept};
constexpr Option kMemory{
    "--memory",
    "SIZE",
    "memory that the process may use, such as 512M or 24G",
    "70% of the machine's or container's memory",
    [](Settings& s, std::string_view text) { s.memory_bytes = parse_bytes(text); },
    false,
    Later::kept};
constexpr Option kTimeout{
    "--timeout",
    "TIME",
    "stop after this time, such as 90s, 15m or 2h",
    "no limit",
    [](Settings& s, std::string_view text) { s.limits.timeout_seconds = parse_seconds(text); },
    false,
    Later::anew};
constexpr Option kMaxDepth{
    "--max-depth",
    "N",
    "do not visit states that need more than N steps from an initial state",
    "no limit",
    [](Settings& s, std::string_view text) { s.limits.max_depth = parse_count(text); },
    false,
    Later::kept};
constexpr Option kMaxStates{
    "--max-states",
    "N",
    "stop before the level that would bring the number of states above N",
    "no limit",
    [](Settings& s, std::string_view text) { s.limits.max_states = parse_count(text); },
    false,
    Later::kept};
constexpr Option kDisk{
    "--disk",
    "DIR",
    "where to put states that do not fit in memory; may be repeated, for several devices",
    "the run directory, TMPDIR, or /var/tmp",
    [](Settings& s, std::string_view text) { s.disks.emplace_back(text); },
    true,
    Later::kept};
constexpr Option kDiskLimit{
    "--disk-limit",
    "SIZE",
    "disk space that all files of the search together may take, such as 200G",
    "no limit",
    [](Settings& s, std::string_view text) { s.disk_limit_bytes = parse_bytes(text); },
    false,
    Later::kept};
constexpr Option kVerify{
    "--verify",
    "",
    "when the search is complete, read the visited set back and compare it with the states that "
    "were expanded; also check the symmetry of the model in every state",
    "no",
    [](Settings& s, std::string_view) { s.verify = true; },
    false,
    Later::anew};
constexpr Option kJson{"--json",
                       "FILE",
                       "write the result as JSON to FILE; - is standard output",
                       "no JSON",
                       [](Settings& s, std::string_view text) { s.json_file = text; },
                       false,
                       Later::anew};
constexpr Option kQuiet{"--quiet",
                        "",
                        "print only the verdict line",
                        "also print counts, properties, counterexamples and progress",
                        [](Settings& s, std::string_view) { s.quiet = true; },
                        false,
                        Later::anew};
constexpr Option kVerbose{
    "--verbose",
    "",
    "report whether the compiled model comes from the cache, and why one is not cached",
    "no",
    [](Settings& s, std::string_view) { s.verbose = true; },
    false,
    Later::anew};
constexpr Option kExitCode{
    "--exit-code",
    "MODE",
    "full: see 'spillway explain'; simple: 0 verified, 1 violated, 2 anything else",
    "full",
    set_exit_code,
    false,
    Later::anew};

constexpr Option kCheckpointEvery{
    "--checkpoint",
    "TIME",
    "the least time between two checkpoints of a run that is kept, such as 30s; 0: one after every "
    "level",
    "5s, or longer if checkpoints would take more than 1% of the time",
    [](Settings& s, std::string_view text) { s.checkpoint_seconds = parse_seconds(text); },
    false,
    Later::kept};

constexpr std::array kCheckOptions = {
    kThreads,
    kMemory,
    kTimeout,
    Option{"--run-dir", "DIR",
           "keep checkpoints in this new directory, so that 'spillway resume DIR' can continue "
           "from the last one; "
           "none: keep nothing",
           "with --disk, a new directory there, which is removed when the search is done; "
           "otherwise nothing is kept",
           [](Settings& s, std::string_view text) {
             if (text.empty()) throw Error(Fault::usage, "DIR is missing");
             s.run_dir = text == "none" ? "" : text;
           },
           false, Later::anew},
    kCheckpointEvery,
    kMaxDepth,
    kMaxStates,
    Option{"--deadlock", "MODE",
           "what counts as a deadlock: stuck (no successor), stuttering (no successor other than "
           "the state itself), "
           "off, or auto (the convention of the model's language)",
           "auto", set_deadlock},
    Option{"--ignore", "KIND",
           "do not check properties of this kind: acceptance (property processes and accepting "
           "states), or liveness "
           "(properties that must be reachable from everywhere); may be repeated",
           "a property that is not decided prevents VERIFIED", set_ignored, true},
    kConst,
    kDialect,
    kDveErrors,
    kProduct,
    Option{"--symmetry", "MODE",
           "how to use scalarsets: exhaustive (one state represents each class of symmetric "
           "states), heuristic "
           "(sometimes several do), off, or auto (exhaustive, if the scalarsets are small enough)",
           "auto", set_symmetry},
    Option{
        "--interpret", "",
        "interpret a model in Murphi or DVE instead of compiling it: slow, but needs no C compiler",
        "compile it", [](Settings& s, std::string_view) { s.reading.interpreted = true; }},
    Option{"--algorithm", "NAME",
           "the search algorithm: auto, ram, sorted-runs, or a published one: mono, local, part, "
           "part-cache, hddd, "
           "dddd, cached, disk, serial",
           "auto", set_algorithm},
    Option{"--store", "WHAT",
           "what the visited set holds: full (the states), or signature:BITS (a hash of each "
           "state, 64 bits by default; "
           "states may be omitted, and the result bounds the probability of that; not for auto, "
           "ram and sorted-runs)",
           "full", set_store},
    kDisk,
    kDiskLimit,
    kVerify,
    kJson,
    kQuiet,
    kVerbose,
    kExitCode,
};

constexpr Option kModel{"--model",
                        "FILE",
                        "the model of the run, if it is native code (.so), which is never loaded "
                        "from a path in a run directory",
                        "the copy in the run directory",
                        [](Settings& s, std::string_view text) { s.model_file = text; },
                        false,
                        Later::anew};

constexpr std::array kResumeOptions = {kThreads,   kMemory, kTimeout, kCheckpointEvery, kMaxDepth,
                                       kMaxStates, kDisk,   kModel,   kDiskLimit,       kVerify,
                                       kJson,      kQuiet,  kVerbose, kExitCode};

constexpr std::array kStatusOptions = {
    Option{"--json", "FILE", "write the same as JSON to FILE; - is standard output", "text",
           [](Settings& s, std::string_view text) { s.json_file = text; }}};

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
  if (command.name == "resume" && std::ranges::any_of(check_options(), [&](const Option& option) {
        return option.name == name;
      }))
    throw Error(Fault::usage, fmt::format("{} cannot change when a run is resumed: the result "
                                          "would mix two different searches; start a new run",
                                          name));
  if (unknown.starts_with('-'))
    throw Error(Fault::usage, fmt::format("unknown option {}{}", name,
                                          near ? fmt::format("; did you mean {}?", *near) : ""));
  throw Error(Fault::usage, fmt::format("unexpected argument '{}'", unknown));
}

// CLI11 names the option that has no value, or one too many, in front of its own words.
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

// An option as in Settings::given; nothing: there is none like it.
struct Assignment {
  const Option* option = nullptr;
  std::string_view value;
};

Assignment assignment_in(std::span<const Option> options, std::string_view given) {
  const std::size_t sign = given.find('=');
  for (const Option& option : options)
    if (option.name == given.substr(0, sign) &&
        option.argument.empty() == (sign == std::string_view::npos))
      return {&option, option.argument.empty() ? std::string_view() : given.substr(sign + 1)};
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
  for (const std::string& argument : arguments) try {
      set_kept(settings, argument);
    } catch (const Error& error) {
      throw Error(Fault::integrity,
                  fmt::format("{}: invalid option '{}': {}", file, argument, error.what()));
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
