#include "report/events.h"

#include <nlohmann/json.hpp>

#include "base/text/printable.h"
#include "report/progress/forecast_json.h"
#include "report/ranks_json.h"
#include "report/version.h"
#include "report/words/kind_word.h"

namespace spillway {
namespace {

using Event = nlohmann::ordered_json;

std::string line_of(const Event& event) {
  return printable_json(event.dump(-1, ' ', false, Event::error_handler_t::replace)) + "\n";
}

// Milliseconds are enough.
double rounded_seconds(double seconds) {
  return static_cast<double>(static_cast<std::uint64_t>(seconds * 1000)) / 1000;
}

Event begun(const char* name, double seconds) {
  return {{"event", name}, {"seconds", rounded_seconds(seconds)}};
}

}  // namespace

std::string start_event(const Subject& subject, std::uint64_t earlier_levels) {
  Event event = begun("start", 0);
  event["format"] = "spillway-events";
  event["format_version"] = kEventsVersion;
  event["spillway"] = kVersion;
  event["model"] = subject.path;
  event["algorithm"] = subject.algorithm;
  event["threads"] = subject.threads;
  event["memory_limit_bytes"] = subject.memory_bytes;
  event["earlier_levels"] = earlier_levels;
  return line_of(event);
}

std::string level_event(double seconds, const ProgressFigures& figures) {
  const Progress& p = figures.progress;
  Event event = begun("level", seconds);
  event["level"] = p.level;
  event["level_states"] = p.level_states;
  event["next_level_states"] = p.next_states;
  event["states"] = p.states;
  event["transitions"] = p.transitions;
  event["memory_bytes"] = figures.memory_bytes;
  event["disk_bytes"] = figures.disk ? figures.disk->used_bytes : 0;
  event["forecast"] = forecast_json(p.next_states != 0 ? figures.forecast : std::nullopt);
  event["ranks"] = ranks_json(figures.ranks);
  return line_of(event);
}

std::string checkpoint_event(double seconds, std::uint64_t generation, std::uint64_t levels) {
  Event event = begun("checkpoint", seconds);
  event["generation"] = generation;
  event["levels"] = levels;
  return line_of(event);
}

std::string message_event(double seconds, const std::string& text) {
  Event event = begun("message", seconds);
  event["text"] = text;
  return line_of(event);
}

std::string finding_event(double seconds, const PropertyResult& property) {
  Event event = begun("finding", seconds);
  event["kind"] = kind_word(property.kind);
  event["name"] = property.name;
  event["line"] = property.line == 0 ? Event(nullptr) : Event(property.line);
  event["depth"] = nullptr;
  if (property.trace != nullptr && property.trace->finding.kind != PropertyKind::cover)
    event["depth"] = property.trace->finding.depth;
  return line_of(event);
}

std::string end_event(double seconds, const CheckResult& result, int exit_code) {
  Event event = begun("end", seconds);
  event["verdict"] = json_word(result.verdict.outcome);
  event["reason"] = result.verdict.reason;
  event["exit_code"] = exit_code;
  event["complete"] = result.verdict.complete;
  event["states"] = result.statistics.states;
  event["transitions"] = result.statistics.transitions;
  return line_of(event);
}

}  // namespace spillway
