#include "cli/options/option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "algorithms/algorithms.h"
#include "base/error.h"
#include "base/text/quantity.h"

namespace spillway {
namespace {

template <class Value>
struct Choice {
  std::string_view name;
  Value value;
};

template <class Choices>
Names names_of(const Choices& choices) {
  Names names;
  for (const auto& choice : choices) names.push_back(choice.name);
  return names;
}

// The value that `text` names.
template <class Choices>
auto chosen(std::string_view text, const Choices& choices) {
  std::string names;
  for (const auto& choice : choices) {
    if (choice.name == text) return choice.value;
    const bool last = &choice == &choices.back();
    if (!names.empty()) names += last ? " or " : ", ";
    names += choice.name;
  }
  throw Error(Fault::usage, fmt::format("'{}' is not {}", text, names));
}

constexpr std::array<Choice<std::optional<Deadlock>>, 4> kDeadlockChoices = {
    {{"auto", std::nullopt},
     {"stuck", Deadlock::stuck},
     {"stuttering", Deadlock::stuttering},
     {"off", Deadlock::off}}};
constexpr std::array<Choice<bool>, 2> kHashChoices = {{{"ram", false}, {"disk", true}}};
constexpr std::array<Choice<bool Ignored::*>, 2> kIgnoredChoices = {
    {{"acceptance", &Ignored::acceptance}, {"liveness", &Ignored::reachable}}};
constexpr std::array<Choice<RunEnds>, 2> kRunEndChoices = {
    {{"stutter", RunEnds::stutter}, {"ignore", RunEnds::ignore}}};
constexpr std::array<Choice<SymmetryMode>, 4> kSymmetryChoices = {
    {{"auto", SymmetryMode::automatic},
     {"off", SymmetryMode::off},
     {"exhaustive", SymmetryMode::exhaustive},
     {"heuristic", SymmetryMode::heuristic}}};
constexpr std::array<Choice<std::optional<ShortRowsSettings>>, 2> kPartsChoices = {
    {{"auto", ShortRowsSettings{}}, {"off", std::nullopt}}};
constexpr std::array<Choice<Executed>, 5> kExecuteChoices = {
    {{"auto", Executed::automatic},
     {"optimized", Executed::optimized},
     {"tcc", Executed::quick},
     {"interpreter", Executed::interpreted},
     {"in-turn", Executed::in_turn}}};
constexpr std::array<Choice<bool>, 2> kExitCodeChoices = {{{"full", false}, {"simple", true}}};
constexpr std::array<Choice<Color>, 3> kColorChoices = {
    {{"auto", Color::automatic}, {"always", Color::always}, {"never", Color::never}}};
constexpr std::array<Choice<TraceForm>, 2> kSequenceChoices = {
    {{"mermaid", TraceForm::mermaid}, {"svg", TraceForm::svg}}};
constexpr std::array<Choice<TraceStyle>, 3> kTraceChoices = {
    {{"changes", TraceStyle::changes}, {"last", TraceStyle::last}, {"full", TraceStyle::full}}};

unsigned parse_port(std::string_view text) {
  const std::uint64_t port = parse_count(text);
  if (port == 0 || port > 65535)
    throw Error(Fault::usage, fmt::format("{} is not a port: they go from 1 to 65535", port));
  return static_cast<unsigned>(port);
}

}  // namespace

void set_port(CommandSettings& settings, std::string_view text) {
  settings.explore.port = parse_port(text);
}

void set_dashboard(CommandSettings& settings, std::string_view text) {
  settings.dashboard = {true, text.empty() ? 0 : parse_port(text)};
}

void set_max_errors(CommandSettings& settings, std::string_view text) {
  settings.limits.max_errors = text == "all" ? kUnlimited : parse_count(text);
  if (settings.limits.max_errors == 0)
    throw Error(Fault::usage, "a check ends with the first violation, or later: give at least 1");
}

void set_threads(CommandSettings& settings, std::string_view text) {
  const std::uint64_t threads = parse_count(text);
  if (threads < 1 || threads > 256)
    throw Error(Fault::usage, "the number of threads must be between 1 and 256");
  settings.threads = static_cast<unsigned>(threads);
}

void set_constant(CommandSettings& settings, std::string_view text) {
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
  settings.reading.constants[std::string(text.substr(0, sign))] = negative ? -number : number;
}

void set_proposition(CommandSettings& settings, std::string_view text) {
  const std::size_t sign = text.find('=');
  const std::string_view name = text.substr(0, sign);
  const bool is_word = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
  if (sign == std::string_view::npos || !is_word || text.substr(sign + 1).empty())
    throw Error(Fault::usage, fmt::format("'{}' is not NAME=EXPRESSION", text));
  settings.runs.propositions.emplace_back(name, text.substr(sign + 1));
}

void set_run_directory(CommandSettings& settings, std::string_view text) {
  if (text.empty()) throw Error(Fault::usage, "DIR is missing");
  settings.run_dir = text == "none" ? "" : text;
}

void set_store(CommandSettings& settings, std::string_view text) {
  settings.signatures = {};
  if (text == "full") return;
  settings.signatures.bits = 64;
  if (text == "signature") return;
  constexpr std::string_view kSignature = "signature:";
  if (!text.starts_with(kSignature))
    throw Error(Fault::usage, fmt::format("'{}' is not full or signature:BITS", text));
  text.remove_prefix(kSignature.size());
  const std::size_t colon = text.find(':');
  const std::uint64_t bits = parse_count(text.substr(0, colon));
  if (bits < 8 || bits > 64) throw Error(Fault::usage, "a signature must have 8 to 64 bits");
  settings.signatures.bits = static_cast<unsigned>(bits);
  if (colon != std::string_view::npos)
    settings.signatures.seed = parse_count(text.substr(colon + 1));
}

Names hash_names() { return names_of(kHashChoices); }
void set_hash(CommandSettings& settings, std::string_view text) {
  settings.hash_on_disk = chosen(text, kHashChoices);
}

Names deadlock_names() { return names_of(kDeadlockChoices); }
void set_deadlock(CommandSettings& settings, std::string_view text) {
  settings.deadlock = chosen(text, kDeadlockChoices);
}

Names ignored_names() { return names_of(kIgnoredChoices); }
void set_ignored(CommandSettings& settings, std::string_view text) {
  settings.ignored.*chosen(text, kIgnoredChoices) = true;
}

Names run_end_names() { return names_of(kRunEndChoices); }
void set_run_ends(CommandSettings& settings, std::string_view text) {
  settings.runs.ends = chosen(text, kRunEndChoices);
}

void set_language_option(CommandSettings& settings, const LanguageOption& option,
                         std::string_view text) {
  std::vector<Choice<std::size_t>> choices;
  for (const std::string_view name : option.values) choices.push_back({name, choices.size()});
  settings.reading.chosen[std::string(option.name)] = chosen(text, choices);
}

Names parts_names() { return names_of(kPartsChoices); }
void set_parts(CommandSettings& settings, std::string_view text) {
  if (text == "on")  // for tests
    settings.short_rows = ShortRowsSettings::for_all();
  else
    settings.short_rows = chosen(text, kPartsChoices);
}

Names symmetry_names() { return names_of(kSymmetryChoices); }
void set_symmetry(CommandSettings& settings, std::string_view text) {
  settings.reading.symmetry = chosen(text, kSymmetryChoices);
}

Names execute_names() { return names_of(kExecuteChoices); }
void set_execute(CommandSettings& settings, std::string_view text) {
  settings.reading.executed = chosen(text, kExecuteChoices);
}

Names algorithm_names() { return names_of(algorithms()); }
void set_algorithm(CommandSettings& settings, std::string_view text) {
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.name != text) continue;
    settings.algorithm = &algorithm;
    return;
  }
  throw Error(Fault::usage, fmt::format("unknown algorithm '{}'; choose one of {}", text,
                                        fmt::join(algorithm_names(), ", ")));
}

Names exit_code_names() { return names_of(kExitCodeChoices); }
void set_exit_code(CommandSettings& settings, std::string_view text) {
  settings.simple_exit_codes = chosen(text, kExitCodeChoices);
}

Names trace_names() { return names_of(kTraceChoices); }
void set_trace(CommandSettings& settings, std::string_view text) {
  settings.trace = chosen(text, kTraceChoices);
}

Names sequence_names() { return names_of(kSequenceChoices); }
void set_sequence(CommandSettings& settings, std::string_view text) {
  settings.shown.form = chosen(text, kSequenceChoices);
}

Names color_names() { return names_of(kColorChoices); }
void set_color(CommandSettings& settings, std::string_view text) {
  settings.color = chosen(text, kColorChoices);
}

}  // namespace spillway
