// What can be asked of an option: its values, and its explanation with the names of languages.
#include <string>

#include "cli/options/option_values.h"
#include "cli/options/options.h"
#include "language/table/table.h"

namespace spillway {

void Option::give(CommandSettings& settings, std::string_view value) const {
  if (of_language != nullptr) return set_language_option(settings, *of_language, value);
  set(settings, value);
}

std::vector<std::string_view> Option::values() const {
  if (of_language != nullptr) return {of_language->values.begin(), of_language->values.end()};
  return choices == nullptr ? std::vector<std::string_view>() : choices();
}

std::string Option::explanation() const {
  std::string text(help);
  const auto insert = [&](std::string_view word, const std::string& names) {
    if (const std::size_t at = text.find(word); at != std::string::npos)
      text.replace(at, word.size(), names);
  };
  insert("{programs}", languages_with(&Language::Has::programs, "or"));
  insert("{processes}", languages_with(&Language::Has::processes, "or"));
  insert("{property_process}", languages_with(&Language::Has::property_process, "or"));
  insert("{native_code}", endings_with(&Language::Has::native_code));
  return text;
}

std::string_view heading(Group group) {
  switch (group) {
    case Group::limits: return "Limits";
    case Group::model: return "Model and properties";
    case Group::long_runs: return "Long runs";
    case Group::output: return "Output";
    case Group::experts: return "For experts";
  }
  return "";
}

}  // namespace spillway
