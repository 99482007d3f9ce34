#include "cli/main.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>

#include "base/error.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/suggest.h"
#include "report/version.h"
#include "run/verdict.h"

namespace spillway {
namespace {

const Command* find_command(std::string_view name) {
  for (const Command& command : commands())
    if (command.name == name) return &command;
  return nullptr;
}

// The command that `arguments` begin with, which is cut off; a model alone means check.
const Command& take_command(std::vector<std::string>& arguments) {
  const std::string first = arguments.front();
  if (const Command* command = find_command(first)) {
    arguments.erase(arguments.begin());
    return *command;
  }
  std::vector<std::string_view> names;
  for (const Command& command : commands()) names.push_back(command.name);
  const std::optional<std::string_view> near = nearest(first, names);
  std::error_code none;
  if (!first.starts_with('-') && near && !std::filesystem::exists(first, none))
    throw Error(Fault::usage, fmt::format("there is no command and no file '{}'; did you mean '{}'?", first, *near));
  return commands().front();
}

int run(std::vector<std::string> arguments) {
  if (arguments.empty()) {
    fmt::print(stderr, "{}", general_help());
    return static_cast<int>(Exit::usage);
  }
  if (arguments.front() == "--help" || arguments.front() == "-h" || arguments.front() == "help") {
    const Command* command = arguments.size() > 1 ? find_command(arguments[1]) : nullptr;
    fmt::print("{}", command != nullptr ? command_help(*command) : general_help());
    return 0;
  }
  if (arguments.front() == "--version") {
    fmt::print("spillway {}\n", kVersion);
    return 0;
  }
  const Command& command = take_command(arguments);
  const std::optional<Settings> settings = parse(command, arguments);
  if (settings) return command.run(*settings);
  fmt::print("{}", command_help(command));
  return 0;
}

}  // namespace

int spillway_main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const Error& error) {
    fmt::print(stderr, "spillway: {}\n", error.what());
    return static_cast<int>(exit_of(error.fault()));
  } catch (const std::exception& error) {
    fmt::print(stderr, "spillway: internal error: {}\n", error.what());
    return static_cast<int>(Exit::internal);
  }
}

}  // namespace spillway
