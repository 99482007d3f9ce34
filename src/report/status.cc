#include "report/status.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/printable.h"
#include "base/quantity.h"
#include "check/verdict.h"
#include "report/version.h"

namespace spillway {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostDepth = 64;

// The result; null if it is not JSON, or deeper than any result.
Json parsed(const std::optional<std::string>& result) {
  if (!result) return {};
  bool too_deep = false;
  const auto look = [&](int depth, Json::parse_event_t, Json&) {
    if (depth > kMostDepth) too_deep = true;
    return !too_deep;
  };
  Json json = Json::parse(*result, look, false);
  return too_deep || !json.is_object() ? Json() : json;
}

// For the command that resumes the run.  The path in the configuration is not used, because it may
// come from somebody else.
std::string model_to_name(const RunStatus& status) { return status.native ? "FILE" : ""; }

std::string text_in(const Json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// True if no later process can change it.
bool is_final(const Json& result) {
  const std::string verdict = text_in(result, "verdict");
  for (const Outcome outcome :
       {Outcome::verified, Outcome::verified_probabilistic, Outcome::violated})
    if (verdict == json_word(outcome)) return true;
  if (verdict != json_word(Outcome::inconclusive)) return false;
  const auto found = result.find("final");
  return found != result.end() && found->is_boolean() && found->get<bool>();
}

// The last result, or an earlier one if the last process left none.  A final result stays true,
// because the model and the options of a run never change.
const Json& told(const Json& result, const Json& earlier) {
  return result.is_object() ? result : earlier;
}

std::string_view condition(const RunStatus& status, bool finished) {
  if (status.user) return "running";
  return finished ? "finished" : "stopped";
}

std::string_view verb_of(const std::string& verdict) {
  constexpr std::pair<std::string_view, std::string_view> kVerbs[] = {
      {"verified", "holds"},
      {"verified-probabilistic", "holds (probabilistic)"},
      {"violated", "VIOLATED"},
      {"ignored", "ignored"}};
  for (const auto& [word, verb] : kVerbs)
    if (word == verdict) return verb;
  return "not decided";
}

// A line for each property.
std::string property_lines(const Json& result) {
  std::string lines;
  const auto properties = result.is_object() ? result.find("properties") : result.end();
  if (properties == result.end() || !properties->is_array()) return lines;
  for (const Json& property : *properties)
    lines +=
        fmt::format("  {}\n", property_line(text_in(property, "kind"), text_in(property, "name"),
                                            verb_of(text_in(property, "verdict"))));
  return lines;
}

// How the last process ended, and what it found; empty if that is not known.
std::string ending(const RunStatus& status, const Json& result, const Json& earlier) {
  const auto in_words = [](const Json& of) {
    const std::string verdict = is_final(of) ? text_in(of, "verdict") : "it stopped";
    return fmt::format("{}: {}\n{}", printable(verdict), printable(text_in(of, "reason")),
                       property_lines(of));
  };
  if (result.is_object()) return fmt::format("  {}", in_words(result));
  if (status.user || !earlier.is_object()) return "";
  return fmt::format("  the last process did not end normally; an earlier one: {}",
                     in_words(earlier));
}

}  // namespace

std::string property_line(std::string_view kind, std::string_view name, std::string_view verb) {
  if (kind == "deadlock" || kind == "runtime-error")
    return fmt::format("{}: {}", printable(name), verb);
  return fmt::format("{} \"{}\": {}", printable(kind), printable(name), verb);
}

std::string resume_command(const std::string& directory, const std::string& model) {
  return "spillway resume " + shell_word(directory) +
         (model.empty() ? "" : " --model " + shell_word(model));
}

std::string status_text(const RunStatus& status) {
  const Json result = parsed(status.result);
  const Json earlier = parsed(status.earlier_result);
  const bool finished = is_final(told(result, earlier));
  std::string text = fmt::format(
      "{}: {}{}, started {}\n", printable(status.model), condition(status, finished),
      status.user ? fmt::format(" ({})", printable(*status.user)) : "", printable(status.begun));
  auto out = std::back_inserter(text);
  for (const std::string& fault : status.faults)
    fmt::format_to(out, "  damaged: {}\n", printable(fault));
  if (const auto& checkpoint = status.checkpoint)
    fmt::format_to(out, "  checkpoint {}: {} states in {} levels, {} in the next, after {}\n",
                   checkpoint->generation, with_commas(checkpoint->states()),
                   with_commas(checkpoint->levels.size()), with_commas(checkpoint->level_states),
                   seconds_text(checkpoint->seconds));
  else
    fmt::format_to(out, "  {}\n",
                   status.faults.empty() ? "no checkpoint yet" : "no intact checkpoint");
  fmt::format_to(out, "  {} on disk\n", bytes_text(status.bytes));
  text += ending(status, result, earlier);
  if (!status.user && !finished)
    fmt::format_to(out, "  Resume with: {}\n",
                   printable(resume_command(status.directory, model_to_name(status))));
  return text;
}

std::string status_json(const RunStatus& status) {
  const Json result = parsed(status.result);
  const Json earlier = parsed(status.earlier_result);
  const bool finished = is_final(told(result, earlier));
  Json json;
  json["format"] = "spillway-status";
  json["format_version"] = 1;
  json["spillway"] = {{"version", kVersion}};
  json["directory"] = status.directory;
  json["model"] = status.model;
  json["begun"] = status.begun;
  json["condition"] = condition(status, finished);
  json["user"] = status.user ? Json(*status.user) : Json(nullptr);
  json["checkpoint"] = nullptr;
  if (const auto& checkpoint = status.checkpoint)
    json["checkpoint"] = {{"generation", checkpoint->generation},
                          {"states", checkpoint->states()},
                          {"levels", checkpoint->levels.size()},
                          {"next_level_states", checkpoint->level_states},
                          {"seconds", checkpoint->seconds}};
  json["faults"] = status.faults;
  json["disk_bytes"] = status.bytes;
  json["result"] = result;
  json["earlier_result"] = earlier;
  json["resume_command"] = resume_command(status.directory, model_to_name(status));
  return printable_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace spillway
