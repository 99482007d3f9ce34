#include "cli/main.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>

#include "base/error.h"
#include "base/process/machine.h"
#include "base/process/vector_level.h"
#include "base/text/diagnostic.h"
#include "base/text/printable.h"
#include "base/text/suggest.h"
#include "check/facts/verdict.h"
#include "cli/options/help.h"
#include "cli/options/options.h"
#include "cli/session/output.h"
#include "report/version.h"

namespace spillway {
namespace {

const Command* find_command(std::string_view name) {
  for (const Command& command : commands())
    if (command.name == name) return &command;
  return nullptr;
}

std::optional<std::string_view> nearest_command(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Command& command : commands()) names.push_back(command.name);
  return nearest(name, names);
}

[[noreturn]] void refuse_command(std::string_view name) {
  const std::optional<std::string_view> near = nearest_command(name);
  throw Error(Fault::usage, fmt::format("unknown command '{}'{}", name,
                                        near ? fmt::format("; did you mean '{}'?", *near) : ""));
}

// Takes the command from the front of `arguments`.  Without one, it is `check`.
const Command& take_command(std::vector<std::string>& arguments) {
  const std::string first = arguments.front();
  if (const Command* command = find_command(first)) {
    arguments.erase(arguments.begin());
    return *command;
  }
  std::error_code none;
  if (const auto near = nearest_command(first);
      !first.starts_with('-') && near && !std::filesystem::exists(first, none))
    throw Error(Fault::usage,
                fmt::format("no command or file is called '{}'; did you mean '{}'?", first, *near));
  const bool word = first.find_first_of("-./") == std::string::npos;
  if (word && arguments.size() > 1 && !std::filesystem::exists(first, none)) refuse_command(first);
  return commands().front();
}

bool asks_for_help(std::string_view word) { return word == "--help" || word == "-h"; }

// `spillway help`, with or without the name of a command.
int help(std::vector<std::string> arguments) {
  arguments.erase(arguments.begin());
  if (arguments == std::vector<std::string>{"--options-table"}) {
    say(stdout, option_table());
    return 0;
  }
  std::erase_if(arguments, asks_for_help);
  if (arguments.empty() || arguments.front() == "help") {
    say(stdout, general_help());
    return 0;
  }
  const Command* command = find_command(arguments.front());
  if (command == nullptr) refuse_command(arguments.front());
  if (arguments.size() > 1)
    throw Error(Fault::usage, fmt::format("unexpected argument '{}'", arguments[1]));
  say(stdout, command_help(*command));
  return 0;
}

std::string version_text(std::string_view commit) {
  const std::string from = commit.empty() ? "" : fmt::format(" (commit {})", commit);
  return fmt::format("spillway {}{}\n", kVersion, from);
}

int run(std::vector<std::string> arguments, std::string_view commit) {
  if (arguments.empty()) {
    say(stderr, general_help());
    return static_cast<int>(Exit::usage);
  }
  if (asks_for_help(arguments.front()) || arguments.front() == "help") return help(arguments);
  if (arguments.front() == "--version" || arguments.front() == "-V" ||
      arguments.front() == "version") {
    if (arguments.size() > 1 && asks_for_help(arguments[1])) return help({"help"});
    say(stdout, version_text(commit));
    return 0;
  }
  std::vector<std::string> whole = {"spillway"};
  whole.insert(whole.end(), arguments.begin(), arguments.end());
  const Command& command = take_command(arguments);
  if (std::optional<CommandSettings> settings = parse(command, arguments)) {
    settings->command = std::move(whole);
    settings->commit = commit;
    return command.run(*settings);
  }
  say(stdout, command_help(command));
  return 0;
}

// Whoever reads the output has seen enough, as `head` does: a sentence about it would only disturb.
bool reader_has_gone() {
  pollfd output = {STDOUT_FILENO, 0, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

// Output that cannot be written is an error, whatever the result.
int with_output_written(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  const int reason = errno;
  if (!reader_has_gone())
    say_sentence(fmt::format("cannot write to standard output: {}", std::strerror(reason)));
  return static_cast<int>(Exit::system);
}

}  // namespace

int spillway_main(int argc, char** argv, const char* commit) {
  keep_heap_small();
  // A file that may not grow and a closed pipe are errors to report.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  try {
    vector_level();  // a wrong value of its variable is refused before anything is done
    return with_output_written(run({argv + 1, argv + argc}, commit));
  } catch (const DiagnosedError& error) {
    say_errors(error);
    return static_cast<int>(exit_of(error.fault()));
  } catch (const Error& error) {
    say_sentence(printable_lines(error.what()));
    return static_cast<int>(exit_of(error.fault()));
  } catch (const std::exception& error) {
    say_sentence(fmt::format("internal error: {}", printable_lines(error.what())));
    return static_cast<int>(Exit::internal);
  }
}

}  // namespace spillway
