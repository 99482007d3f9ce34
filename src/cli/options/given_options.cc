#include "cli/options/given_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/process/machine.h"
#include "cli/options/memory.h"

namespace spillway {
namespace {

std::string constants_text(const CommandSettings& settings) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : settings.reading.constants)
    parts.push_back(fmt::format("{}={}", name, value));
  return fmt::format("{}", fmt::join(parts, " "));
}

}  // namespace

std::vector<std::string> values_given(const CommandSettings& settings, const Option& option) {
  std::vector<std::string> values;
  for (const std::string& given : settings.given) {
    const std::size_t sign = given.find('=');
    if (std::string_view(given).substr(0, sign) == option.name)
      values.push_back(sign == std::string::npos ? "" : given.substr(sign + 1));
  }
  if (!option.adds && values.size() > 1) values.erase(values.begin(), values.end() - 1);
  return values;
}

std::vector<std::string> values_that_count(const CommandSettings& settings, const Option& option) {
  std::vector<std::string> values = values_given(settings, option);
  if (!option.argument.empty() && !option.adds) std::erase(values, option.unset);
  return values;
}

std::vector<GivenOption> given_options(const CommandSettings& settings) {
  std::vector<GivenOption> all;
  for (const Option& option : check_options()) {
    std::vector<std::string> values = values_given(settings, option);
    if (values.empty()) continue;
    if (option.argument.empty()) values.clear();
    all.push_back({std::string(option.name.substr(2)), std::move(values), option.adds});
  }
  return all;
}

void need_model(const CommandSettings& settings, std::string_view command) {
  if (settings.subject.empty())
    throw Error(Fault::usage,
                fmt::format("no model given; try: spillway {} MODEL, or spillway {} --help",
                            command, command));
}

Subject given_subject(const CommandSettings& settings) {
  Subject subject;
  subject.path = settings.subject;
  subject.threads = settings.threads != 0 ? settings.threads : allowed_processors();
  subject.memory_bytes = memory_bytes(settings);
  subject.command = settings.command;
  subject.commit = settings.commit;
  subject.options = given_options(settings);
  subject.constants = settings.reading.constants;
  subject.configuration = configuration_text(settings);
  return subject;
}

std::string configuration_text(const CommandSettings& settings) {
  std::vector<std::string> parts;
  for (const Option& option : check_options()) {
    if (!option.changes_meaning) continue;
    if (values_given(settings, option).empty()) continue;
    if (option.name == "--const") {
      parts.push_back(constants_text(settings));
      continue;
    }
    if (option.argument.empty()) {
      parts.emplace_back(option.name);
      continue;
    }
    for (const std::string& value : values_that_count(settings, option))
      parts.push_back(fmt::format("{}={}", option.name, value));
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

}  // namespace spillway
