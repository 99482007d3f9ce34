#include "cli/options/options.h"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/text/printable.h"
#include "base/text/suggest.h"

namespace spillway {
namespace {

constexpr std::string_view kDiskOption = "--disk", kConstOption = "--const=";

// As CLI11 takes them: "-j,--threads".
std::string flag_names(const Option& option) {
  const std::string name(option.name);
  return option.letter == 0 ? name : fmt::format("-{},{}", option.letter, name);
}

// The number of a flag that has one, which is taken away from it: CLI11 would not tell what is
// wrong with it.  Empty if there is none.
std::string take_number(const Option& option, std::vector<std::string>& arguments) {
  std::string number;
  const std::string name(option.name);
  for (std::string& argument : arguments) {
    if (argument == "--") break;
    if (option.number.empty() || !argument.starts_with(name + "=")) continue;
    number = argument.substr(name.size() + 1);
    if (number.empty())
      throw Error(Fault::usage, fmt::format("{}: {} is missing: {}", option.name, option.number,
                                            option.explanation()));
    argument = name;
  }
  return number;
}

void define(CLI::App& app, const Option& option, CommandSettings& settings,
            const std::string& number) {
  const auto set = [&option, &settings](const std::string& text) {
    if (!option.argument.empty() && (text.empty() || text.starts_with("--")))
      throw Error(Fault::usage, fmt::format("{}: {} is missing: {}", option.name, option.argument,
                                            option.explanation()));
    try {
      option.give(settings, text);
      const bool has_value = !option.argument.empty() || !text.empty();
      settings.given.push_back(std::string(option.name) + (has_value ? "=" + text : ""));
    } catch (const Error& error) {
      throw Error(Fault::usage, fmt::format("{}: {}", option.name, error.what()));
    }
  };
  if (option.argument.empty())
    app.add_flag_callback(flag_names(option), [set, number] { set(number); })
        ->disable_flag_override();
  else if (option.adds)
    app.add_option_function<std::vector<std::string>>(flag_names(option),
                                                      [set](const std::vector<std::string>& all) {
                                                        for (const std::string& text : all)
                                                          set(text);
                                                      })
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
  else
    app.add_option_function<std::string>(flag_names(option), set)
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
    throw Error(Fault::usage, fmt::format("{}: {} is missing: {}", option.name, option.argument,
                                          option.explanation()));
  }
  throw Error(Fault::usage, std::string(words));
}

}  // namespace

bool kept_for_later(std::string_view given) {
  const std::string_view name = given.substr(0, given.find('='));
  for (const Option& option : check_options())
    if (option.name == name) return option.later != Later::anew;
  return false;
}

namespace {

// An element of CommandSettings::given.
struct Assignment {
  const Option* option = nullptr;  // nullptr if there is no such option
  std::string_view value;
};

Assignment assignment_in(std::span<const Option> options, std::string_view given) {
  const std::size_t sign = given.find('=');
  const bool has_value = sign != std::string_view::npos;
  for (const Option& option : options) {
    if (option.name != given.substr(0, sign)) continue;
    if (option.number.empty() && option.argument.empty() == has_value) continue;
    return {&option, has_value ? given.substr(sign + 1) : std::string_view()};
  }
  return {};
}

void set_kept(CommandSettings& settings, std::string_view argument) {
  const Assignment given = assignment_in(check_options(), argument);
  const auto [option, value] = given;
  if (option == nullptr || option->later == Later::anew)
    throw Error(Fault::usage, "a run does not record this option");
  if (!option->argument.empty() && (value.empty() || value.starts_with("--")))
    throw Error(Fault::usage, "the value is missing");
  if (option->name == kDiskOption && !value.starts_with('/'))
    throw Error(Fault::usage, "the path is not absolute");
  const auto is_same = [&](const std::string& other) {
    return assignment_in(check_options(), other).option == given.option;
  };
  if (!option->adds && std::ranges::any_of(settings.given, is_same))
    throw Error(Fault::usage, "it appears twice");
  option->give(settings, value);
  settings.given.emplace_back(argument);
}

}  // namespace

void set_kept(CommandSettings& settings, const std::vector<std::string>& arguments,
              const std::string& file) {
  for (const std::string& argument : arguments) {
    try {
      set_kept(settings, argument);
    } catch (const Error& error) {
      throw Error(Fault::integrity, fmt::format("{}: invalid option '{}': {}", file,
                                                printable(argument), printable(error.what())));
    }
  }
}

void set_given(CommandSettings& settings, const std::vector<std::string>& given) {
  const auto names_disk = [](const std::string& one) {
    return one.starts_with(std::string(kDiskOption) + "=");
  };
  if (std::ranges::any_of(given, names_disk)) {
    settings.disks.clear();
    std::erase_if(settings.given, names_disk);
  }
  for (const std::string& one : given) {
    const auto [option, value] = assignment_in(resume_options(), one);
    SPILLWAY_CHECK(option != nullptr);
    option->give(settings, value);
    settings.given.push_back(one);
  }
}

namespace {

// The last one would count, without a word.  In runs of older versions it does.
void refuse_constants_given_twice(const CommandSettings& settings) {
  std::set<std::string> names;
  for (const std::string& given : settings.given) {
    if (!given.starts_with(kConstOption)) continue;
    const std::string name = given.substr(
        kConstOption.size(), given.find('=', kConstOption.size()) - kConstOption.size());
    if (!names.insert(name).second)
      throw Error(Fault::usage, fmt::format("--const: '{}' is given twice", printable(name)));
  }
}

}  // namespace

std::optional<CommandSettings> parse(const Command& command,
                                     const std::vector<std::string>& given) {
  std::vector<std::string> arguments = given;
  CommandSettings settings;
  bool help = false;
  CLI::App app;
  app.set_help_flag();
  app.add_flag("-h,--help", help);
  app.add_option("subject", settings.subject);
  app.allow_extras();
  for (const Option& option : command.options())
    define(app, option, settings, take_number(option, arguments));
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
  refuse_constants_given_twice(settings);
  return settings;
}

}  // namespace spillway
