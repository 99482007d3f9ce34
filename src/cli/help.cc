#include "cli/help.h"

#include <fmt/format.h>

#include <iterator>

namespace spillway {
namespace {

// `text` in lines of at most 100 characters, each but the first indented.
std::string wrapped(std::string_view text, std::size_t indent) {
  constexpr std::size_t kWidth = 100;
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

}  // namespace

std::string general_help() {
  std::string text =
      "Spillway explores every reachable state of a model and checks its properties.\n\n";
  auto out = std::back_inserter(text);
  fmt::format_to(out, "Usage: spillway MODEL               the same as: spillway check MODEL\n");
  for (const Command& command : commands()) {
    const std::string call = fmt::format("spillway {} {}", command.name, command.subject);
    fmt::format_to(out, "       {:<28} {}\n", call, command.summary);
  }
  fmt::format_to(
      out, "       {:<28} print this help, or that of a command\n       {:<28} print the version\n",
      "spillway [COMMAND] --help", "spillway --version");
  fmt::format_to(out,
                 "\nMODEL is a text in Murphi (.m) or DVE (.dve), an explicit graph (.graph), or a "
                 "compiled model\n"
                 "(.so, see spillway/model_abi.h).\n");
  return text;
}

std::string command_help(const Command& command) {
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "Usage: spillway {} {}{}\n{}.\n", command.name, command.subject,
                 command.options().empty() ? "" : " [OPTION]...", command.summary);
  if (!command.options().empty()) fmt::format_to(out, "\nOptions:\n");
  for (const Option& option : command.options()) {
    const std::string left =
        fmt::format("{}{}{}", option.name, option.argument.empty() ? "" : " ", option.argument);
    fmt::format_to(out, "  {:<18} {}\n", left,
                   wrapped(fmt::format("{} [default: {}]", option.help, option.unset), 21));
  }
  fmt::format_to(out, "\nExamples:\n");
  for (const auto& [call, meaning] : command.examples)
    fmt::format_to(out, "  {}\n      {}\n", call, meaning);
  return text;
}

}  // namespace spillway
