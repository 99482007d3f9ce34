#include "report/status.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "base/quantity.h"
#include "report/version.h"
#include "run/verdict.h"

namespace spillway {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostDepth = 64;

// What is no JSON, or deeper than any result, is nothing.
Json parsed(const std::optional<std::string>& result) {
  if (!result) return {};
  bool too_deep = false;
  const auto look = [&](int depth, Json::parse_event_t, Json&) { return !(too_deep = too_deep || depth > kMostDepth); };
  Json json = Json::parse(*result, look, false);
  return too_deep || !json.is_object() ? Json() : json;
}

// A member that is a text; empty: there is none.
std::string text_in(const Json& json, const char* name) {
  if (!json.is_object()) return "";
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

// Where it is said how to go on: not the path in the configuration, which may come from somebody else.
std::string model_to_name(const RunStatus& status) { return status.native ? "FILE" : ""; }

// The verdict that no later process can change; empty: there is none yet.
std::string final_verdict(const Json& result) {
  const std::string verdict = text_in(result, "verdict");
  for (const Outcome outcome : {Outcome::verified, Outcome::verified_probabilistic, Outcome::violated})
    if (verdict == json_word(outcome)) return verdict;
  return "";
}

std::string_view condition(const RunStatus& status, const std::string& verdict) {
  if (status.user) return "running";
  return verdict.empty() ? "stopped" : "finished";
}

// What a process that went on could not change: a run has one model and one set of options.
std::string final_verdict(const Json& result, const Json& earlier) {
  const std::string verdict = final_verdict(result);
  return verdict.empty() && !result.is_object() ? final_verdict(earlier) : verdict;
}

// How the last process ended; nothing: nobody can tell.
std::string ending(const RunStatus& status, const Json& result, const Json& earlier) {
  const auto told = [](const Json& of) {
    const std::string verdict = final_verdict(of);
    return fmt::format("{}: {}", verdict.empty() ? "it stopped" : verdict, printable(text_in(of, "reason")));
  };
  if (result.is_object()) return told(result);
  if (status.user || !earlier.is_object()) return "";
  return fmt::format("the last process did not end by itself; of one before it: {}", told(earlier));
}

}  // namespace

std::string resume_command(const std::string& directory, const std::string& model) {
  return "spillway resume " + shell_word(directory) + (model.empty() ? "" : " --model " + shell_word(model));
}

std::string status_text(const RunStatus& status) {
  const Json result = parsed(status.result);
  const Json earlier = parsed(status.earlier_result);
  const std::string verdict = final_verdict(result, earlier);
  std::string text = fmt::format("{}: {}{}, begun {}\n", printable(status.model), condition(status, verdict),
                                 status.user ? fmt::format(" ({})", printable(*status.user)) : "", status.begun);
  auto out = std::back_inserter(text);
  for (const std::string& fault : status.faults) fmt::format_to(out, "  not whole: {}\n", printable(fault));
  if (const auto& checkpoint = status.checkpoint)
    fmt::format_to(out, "  checkpoint {}: {} states in {} levels, {} in the next, after {}\n", checkpoint->generation,
                   with_commas(checkpoint->states()), with_commas(checkpoint->levels.size()),
                   with_commas(checkpoint->level_states), seconds_text(checkpoint->seconds));
  else
    fmt::format_to(out, "  {}\n", status.faults.empty() ? "no checkpoint yet" : "no checkpoint that is whole");
  fmt::format_to(out, "  {} on disk\n", bytes_text(status.bytes));
  if (const std::string how = ending(status, result, earlier); !how.empty()) fmt::format_to(out, "  {}\n", how);
  if (!status.user && verdict.empty())
    fmt::format_to(out, "  Go on with: {}\n", printable(resume_command(status.directory, model_to_name(status))));
  return text;
}

std::string status_json(const RunStatus& status) {
  const Json result = parsed(status.result);
  const Json earlier = parsed(status.earlier_result);
  const std::string verdict = final_verdict(result, earlier);
  Json json;
  json["format"] = "spillway-status";
  json["format_version"] = 1;
  json["spillway"] = {{"version", kVersion}};
  json["directory"] = status.directory;
  json["model"] = status.model;
  json["begun"] = status.begun;
  json["condition"] = condition(status, verdict);
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
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace spillway
