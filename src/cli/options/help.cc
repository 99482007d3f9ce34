#include "cli/options/help.h"

#include <fmt/format.h>

#include <iterator>

#include "algorithms/algorithms.h"
#include "language/table/table.h"

namespace spillway {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kHelpColumn = 26;       // of the explanation of an option
constexpr std::size_t kAlgorithmColumn = 22;  // of the explanation of an algorithm

// `text` in lines of at most kWidth characters, each but the first indented.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (column != indent && column + 1 + word.size() > kWidth) {
      out += '\n';
      out.append(indent, ' ');
      column = indent;
    } else if (column != indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

std::string letter_of(const Option& option) {
  return option.letter == 0 ? "" : fmt::format("-{}", option.letter);
}

std::string option_help(const Option& option) {
  const std::string letter = letter_of(option);
  std::string left = fmt::format("  {:<4}{}{}{}", letter.empty() ? "" : letter + ",", option.name,
                                 option.argument.empty() ? "" : " ", option.argument);
  if (!option.number.empty()) left += fmt::format("[={}]", option.number);
  if (left.size() >= kHelpColumn) left += '\n' + std::string(kHelpColumn, ' ');
  const std::string unset = option.unset.empty() ? "" : fmt::format(" (default: {})", option.unset);
  return fmt::format("{:<{}}{}\n", left, kHelpColumn,
                     wrapped(option.explanation() + unset, kHelpColumn));
}

std::string algorithm_list() {
  std::string text = "\nAlgorithms:\n";
  for (const Algorithm& algorithm : algorithms())
    text += fmt::format("  {:<{}}{}\n", algorithm.name, kAlgorithmColumn - 2,
                        wrapped(algorithm.summary, kAlgorithmColumn));
  return text;
}

std::string grouped_options(std::span<const Option> options) {
  std::string text;
  const Option* before = nullptr;
  bool algorithms_named = false;
  for (const Option& option : options) {
    if (before == nullptr || option.group != before->group)
      text += fmt::format("\n{}:\n", heading(option.group));
    text += option_help(option);
    algorithms_named = algorithms_named || option.name == "--algorithm";
    before = &option;
  }
  return algorithms_named ? text + algorithm_list() : text;
}

std::string_view group_word(Group group) {
  switch (group) {
    case Group::limits: return "limits";
    case Group::model: return "model";
    case Group::long_runs: return "long-runs";
    case Group::output: return "output";
    case Group::experts: return "experts";
  }
  return "";
}

// What a user can give as MODEL.
std::string models_sentence() {
  std::vector<std::string> texts, kinds;
  for (const Language& language : languages())
    if (language.has.text)
      texts.push_back(fmt::format("{} ({})", language.name, language.endings[0]));
    else
      kinds.emplace_back(language.model);
  kinds.insert(kinds.begin(), "a text in " + listed(texts, "or"));
  return fmt::format("MODEL is {}.", listed(kinds, "or"));
}

}  // namespace

std::string general_help() {
  std::string text =
      "Spillway explores every reachable state of a model and checks its properties.\n\n";
  auto out = std::back_inserter(text);
  fmt::format_to(out, "Usage: spillway MODEL [OPTION]...   the same as: spillway check MODEL\n");
  constexpr std::size_t kSummaryColumn = 31;
  const auto add = [&](const std::string& call, std::string_view meaning) {
    fmt::format_to(out, "       {:<{}}{}\n", call, kSummaryColumn - 7,
                   wrapped(meaning, kSummaryColumn));
  };
  for (const Command& command : commands())
    add(fmt::format("spillway {} {}", command.name, command.subject), command.summary);
  add("spillway help [COMMAND]", "Print this help, or that of a command");
  add("spillway --version", "Print the version");
  fmt::format_to(out, "\n{}\n", wrapped(models_sentence(), 0));
  fmt::format_to(out,
                 "\nExamples:\n"
                 "  spillway german.m --const NODES=5\n"
                 "      check a model in {}, with another value of a constant\n"
                 "  spillway check mesi.m --run-dir run --memory 8G\n"
                 "      a long check that can be stopped, and continued with: spillway resume run\n"
                 "  spillway check --help\n"
                 "      all options\n",
                 language_of("german.m")->name);
  return text;
}

std::string command_help(const Command& command) {
  std::string text = fmt::format("Usage: spillway {} {}{}\n{}.\n", command.name, command.subject,
                                 command.options().empty() ? "" : " [OPTION]...", command.summary);
  text += grouped_options(command.options());
  text += "\nExamples:\n";
  for (const auto& [call, meaning] : command.examples)
    text += fmt::format("  {}\n      {}\n", call, wrapped(meaning, 6));
  return text;
}

std::string option_table() {
  std::string text;
  auto out = std::back_inserter(text);
  for (const Command& command : commands()) {
    fmt::format_to(out, "command\t{}\t{}\t{}\n", command.name, command.subject, command.summary);
    for (const Option& option : command.options())
      fmt::format_to(out, "option\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", command.name,
                     group_word(option.group), option.name, letter_of(option), option.argument,
                     fmt::join(option.values(), " "), option.adds ? "many" : "once",
                     option.explanation(), option.unset);
  }
  return text;
}

}  // namespace spillway
