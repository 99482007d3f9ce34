#include "report/json.h"

#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "report/version.h"

namespace spillway {
namespace {

using Json = nlohmann::ordered_json;

Json state_json(const Model& model, State row) {
  Json variables = Json::object();
  for (const Variable& variable : model.variables(row)) variables[variable.name] = variable.value;
  return variables;
}

Json steps_json(const Model& model, const Trace& trace) {
  Json steps = Json::array();
  for (const Step& step : trace.steps)
    steps.push_back({{"rule", model.rule_name(step.rule)}, {"state", state_json(model, step.row)}});
  return steps;
}

Json property_json(const Model& model, const PropertyResult& property) {
  Json json = {{"name", property.name},
               {"kind", property.kind},
               {"verdict", property.ignored ? "ignored" : json_word(property.outcome)},
               {"depth", nullptr}};
  if (property.trace == nullptr) return json;
  const Trace& trace = *property.trace;
  if (trace.finding.kind == FindingKind::cover) {  // there is no state to lead to
    json["counterexample"] = Json::array();
    return json;
  }
  json["depth"] = trace.finding.depth;
  json["shortest"] = trace.shortest;
  if (trace.finding.failure) {
    json["message"] = trace.finding.failure->message;
    json["rule"] = model.rule_name(trace.finding.failure->rule);
  }
  json["counterexample"] = steps_json(model, trace);
  return json;
}

Json model_json(const Subject& subject) {
  Json json = {{"path", subject.path},
               {"sha256", nullptr},
               {"name", nullptr},
               {"row_bits", nullptr},
               {"row_bytes", nullptr}};
  if (!subject.sha256.empty()) json["sha256"] = subject.sha256;
  if (subject.model == nullptr) return json;
  json["name"] = subject.model->name();
  json["row_bits"] = subject.model->row_bits();
  json["row_bytes"] = subject.model->words() * sizeof(Word);
  return json;
}

}  // namespace

std::string to_json(const Subject& subject, const CheckResult& result, int exit_code) {
  const Statistics& statistics = result.statistics;
  Json json;
  json["format"] = "spillway-result";
  json["format_version"] = kJsonVersion;
  json["spillway"] = {{"version", kVersion}};
  json["verdict"] = json_word(result.verdict.outcome);
  json["reason"] = result.verdict.reason;
  json["exit_code"] = exit_code;
  json["complete"] = result.verdict.complete;
  json["final"] = result.verdict.final;
  json["properties"] = Json::array();
  if (subject.model != nullptr)
    for (const PropertyResult& property : result.properties(*subject.model, subject.deadlock))
      json["properties"].push_back(property_json(*subject.model, property));
  json["assumptions"] = Json::array();
  if (subject.model != nullptr)
    for (const std::string& name : subject.model->assumptions())
      json["assumptions"].push_back(name);
  json["states"] = statistics.states;
  json["transitions"] = statistics.transitions;
  json["revisits"] = statistics.revisits;
  json["depth"] = statistics.in_levels ? Json(statistics.depth()) : Json(nullptr);
  json["digest"] = statistics.digest.hex();
  json["levels"] = Json::array();
  json["level_digests"] = Json::array();
  for (const Level& level : statistics.levels) {
    json["levels"].push_back(level.states);
    json["level_digests"].push_back(level.digest.hex());
  }
  json["unfinished"] = nullptr;
  if (statistics.unfinished)
    json["unfinished"] = {{"level", statistics.unfinished->level},
                          {"states", statistics.unfinished->states},
                          {"expanded", statistics.unfinished->expanded}};
  json["algorithm"] = subject.algorithm;
  json["symmetry"] = subject.symmetry;
  json["warnings"] = Json::array();
  for (const LoadedModel::Warning& warning : subject.warnings)
    json["warnings"].push_back(
        {{"line", warning.line}, {"column", warning.column}, {"text", warning.text}});
  json["threads"] = subject.threads;
  json["seconds"] = result.seconds;
  json["earlier_seconds"] = result.earlier_seconds;
  json["run_directory"] =
      subject.run_directory.empty() ? Json(nullptr) : Json(subject.run_directory);
  json["memory_limit_bytes"] = subject.memory_bytes;
  json["peak_memory_bytes"] = result.peak_memory_bytes;
  json["time_split"] = nullptr;
  if (statistics.activities) {
    json["time_split"] = Json::object();
    for (std::size_t i = 0; i < kActivities.size(); ++i)
      json["time_split"][std::string(kActivities[i])] = (*statistics.activities)[i];
  }
  json["counters"] = nullptr;
  if (!statistics.counters.empty()) {
    json["counters"] = Json::object();
    for (const Counter& counter : statistics.counters)
      json["counters"][std::string(counter.name)] = counter.value;
  }
  json["disk_bytes_written"] = statistics.disk_bytes_written;
  json["disk_bytes_read"] = statistics.disk_bytes_read;
  json["model"] = model_json(subject);
  // Names in models may be any bytes.  The document is valid UTF-8 nevertheless, without control
  // characters.
  return printable_json(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace spillway
