#include "report/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "base/text/printable.h"
#include "report/coverage_json.h"
#include "report/progress/forecast_json.h"
#include "report/ranks_json.h"
#include "report/version.h"
#include "report/words/kind_word.h"
#include "report/words/result_depths.h"

namespace spillway {
namespace {

using Json = nlohmann::ordered_json;

Json state_json(const Description& description, State row) {
  Json variables = Json::object();
  for (const Variable& variable : description.variables(row))
    variables[variable.name] = variable.value;
  return variables;
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
Json position_json(std::uint32_t number) { return number == 0 ? Json(nullptr) : Json(number); }

// Adds the parts of a rule to what names it.
void add_rule(Json& json, const Description& description, RuleIndex rule) {
  const RuleInstance instance = description.rule_instance(rule);
  json["rule"] = description.rule_name(rule);
  json["rule_name"] = instance.name;
  json["parameters"] = Json::object();
  for (const Variable& parameter : instance.parameters)
    json["parameters"][parameter.name] = parameter.value;
  json["rule_line"] = position_json(instance.line);
}

// Names in models may be any bytes; the document is valid UTF-8 all the same, and nothing in it
// moves a terminal.
std::string text_of(const Json& json) {
  return printable_json(json.dump(2, ' ', false, Json::error_handler_t::replace));
}

std::string document_of(const Json& json) { return text_of(json) + "\n"; }

std::string step_text(const Description& description, const Step& step) {
  Json json = Json::object();
  add_rule(json, description, step.rule);
  json["state"] = state_json(description, step.row);
  return text_of(json);
}

// The steps of a trace that are left out, in the middle.
struct Omission {
  std::size_t first = 0, count = 0;
};

// Such that the rest takes no more than these bytes, or is the first and the last step.
Omission omission(const Description& description, const Trace& trace, std::uint64_t most_bytes) {
  std::size_t begin = 0, end = trace.steps.size();
  if (most_bytes == kUnlimited) return {};
  for (std::uint64_t bytes = 0; begin < end;) {
    const bool from_front = begin <= trace.steps.size() - end;
    bytes += step_text(description, trace.steps[from_front ? begin : end - 1]).size();
    if (bytes > most_bytes && begin > 0 && end < trace.steps.size()) break;
    from_front ? ++begin : --end;
  }
  return {begin, end - begin};
}

// A long list, which is written piece by piece where the rest of the document has null.
struct Gap {
  std::string name;    // '\n      "counterexample"': no other member is so far from the margin
  std::size_t margin;  // of its elements
  std::size_t count;
  std::function<std::string(std::size_t)> element;
};

std::string with_margin(const std::string& text, const std::string& margin) {
  std::string moved;
  for (const char c : text) {
    moved += c;
    if (c == '\n') moved += margin;
  }
  return moved;
}

void write_list(const Gap& gap, const TextSink& sink) {
  const std::string margin(gap.margin, ' ');
  for (std::size_t i = 0; i < gap.count; ++i)
    sink((i == 0 ? "[\n" : ",\n") + margin + with_margin(gap.element(i), margin));
  sink(gap.count == 0 ? "[]" : "\n" + margin.substr(2) + "]");
}

// REQUIRES: the gaps are in the order of the document.
void fill_in(std::string_view document, const std::vector<Gap>& gaps, const TextSink& sink) {
  for (const Gap& gap : gaps) {
    const std::string member = gap.name + ": ";
    const std::size_t at = document.find(member + "null");
    SPILLWAY_CHECK(at != std::string_view::npos);
    sink(document.substr(0, at + member.size()));
    write_list(gap, sink);
    document.remove_prefix(at + member.size() + 4);
  }
  sink(document);
}

Json place_json(SourceRange::LineColumn place) {
  return {{"line", place.line}, {"column", place.column}};
}

Json range_json(const SourceRange& range) {
  return {{"file", range.file},           {"line", range.at.line},
          {"column", range.at.column},    {"begin", place_json(range.begin)},
          {"end", place_json(range.end)}, {"text", range.content}};
}

Json diagnostic_json(const Diagnostic& diagnostic) {
  Json json = range_json(diagnostic.where);
  json["severity"] = word(diagnostic.severity);
  json["message"] = diagnostic.message;
  return json;
}

Json diagnostics_json(const std::vector<Diagnostic>& diagnostics) {
  Json json = Json::array();
  for (const Diagnostic& diagnostic : diagnostics) json.push_back(diagnostic_json(diagnostic));
  return json;
}

// Without its counterexample: a gap.
Json property_json(const Model& checked, const PropertyResult& property, const Omission& omitted) {
  Json json = {{"name", property.name},
               {"kind", kind_word(property.kind)},
               {"line", position_json(property.line)},
               {"column", position_json(property.column)},
               {"verdict", property.ignored ? "ignored" : json_word(property.outcome)},
               {"depth", nullptr}};
  if (property.trace == nullptr) return json;
  const Trace& trace = *property.trace;
  const Description& description = model_of(trace, checked).description();
  if (trace.finding.kind == PropertyKind::cover) {  // there is no state to lead to
    json["counterexample"] = Json::array();
    return json;
  }
  json["depth"] = trace.finding.depth;
  json["shortest"] = trace.shortest;
  std::optional<SourceRange> where;
  if (trace.finding.kind == PropertyKind::invariant) {
    const Explanation why = description.explanation(trace.finding.property, trace.finding.row);
    json["explanation"] = text_or_null(why.text);
    where = why.part;
  } else if (trace.finding.failure) {
    where = description.text_at(trace.finding.failure->position);
  }
  if (where) json["where"] = range_json(*where);
  if (trace.finding.failure) {
    json["message"] = trace.finding.failure->message;
    add_rule(json, description, trace.finding.failure->rule);
  }
  json["counterexample"] = nullptr;
  if (omitted.count != 0)
    json["omitted_steps"] = {{"first", omitted.first}, {"count", omitted.count}};
  if (const std::optional<std::size_t> start = trace.loop_start()) json["loop_start"] = *start;
  if (!trace.remark.empty()) json["remark"] = trace.remark;
  return json;
}

Json counters_json(const Statistics& statistics) {
  if (statistics.counters.empty()) return nullptr;
  Json json = Json::object();
  for (const Counter& counter : statistics.counters)
    json[std::string(counter.name)] = counter.value;
  return json;
}

Json product_json(const RunResult& run) {
  const Statistics& statistics = *run.product;
  Json json = {{"property", run.name},
               {"states", statistics.states},
               {"transitions", statistics.transitions},
               {"depth", statistics.in_levels ? Json(statistics.depth()) : Json(nullptr)},
               {"digest", statistics.digest.hex()},
               {"counters", counters_json(statistics)}};
  return json;
}

Json simulation_json(const std::optional<Walks>& walks) {
  if (!walks) return nullptr;
  return {{"seed", walks->seed},
          {"walks", walks->walks},
          {"depth", walks->depth},
          {"steps", walks->steps},
          {"longest", walks->longest},
          {"found_in", walks->found_in ? Json(*walks->found_in) : Json(nullptr)}};
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
  json["row_bits"] = subject.model->steps().row_bits();
  json["row_bytes"] = subject.model->words() * sizeof(Word);
  return json;
}

Json options_json(const Subject& subject) {
  Json json = Json::object();
  for (const GivenOption& option : subject.options) {
    if (option.repeatable)
      json[option.name] = option.values;
    else
      json[option.name] = option.values.empty() ? Json(true) : Json(option.values.back());
  }
  return json;
}

std::string_view deadlock_word(Deadlock deadlock) {
  switch (deadlock) {
    case Deadlock::off: return "off";
    case Deadlock::stuck: return "stuck";
    case Deadlock::stuttering: return "stuttering";
  }
  return "off";
}

constexpr int kMostDepth = 64;

// What is no JSON, or deeper than any result, is nothing.
Json parsed(const std::optional<std::string>& document, bool with_counterexamples) {
  if (!document) return {};
  bool too_deep = false;
  const auto look = [&](int depth, Json::parse_event_t event, Json& json) {
    if (!with_counterexamples && event == Json::parse_event_t::key && depth == kOfProperty &&
        json == "counterexample")
      return false;
    return !(too_deep = too_deep || depth > kMostDepth);
  };
  Json json = Json::parse(*document, look, false);
  return too_deep || !json.is_object() ? Json() : json;
}

std::string text_in(const Json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::uint32_t line_in(const Json& object) {
  const auto found = object.is_object() ? object.find("line") : object.end();
  const bool there = found != object.end() && found->is_number_unsigned();
  return there ? static_cast<std::uint32_t>(found->get<std::uint64_t>()) : 0;
}

std::optional<std::uint64_t> count_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  const bool there = found != object.end() && found->is_number_unsigned();
  return there ? std::optional(found->get<std::uint64_t>()) : std::nullopt;
}

Json checkpoint_json(const std::optional<Manifest>& checkpoint) {
  if (!checkpoint) return nullptr;
  return {{"generation", checkpoint->generation},
          {"states", checkpoint->states()},
          {"levels", checkpoint->levels.size()},
          {"next_level_states", checkpoint->level_states},
          {"seconds", checkpoint->seconds}};
}

Json parts_json(const RunStatus& status) {
  if (status.parts.empty()) return nullptr;
  std::vector<RankFigures> figures;
  for (const RankPartStatus& part : status.parts) figures.push_back(part.figures());
  Json json = ranks_json(figures);
  json["count"] = status.ranks;
  for (std::size_t i = 0; i < status.parts.size(); ++i) {
    const RankPartStatus& part = status.parts[i];
    Json& each = json["each"][i];
    each.erase("peak_memory_bytes");
    each["rank"] = part.rank;
    each["directory"] = part.status.directory;
    each["user"] = part.status.user ? Json(*part.status.user) : Json(nullptr);
    each["age_seconds"] = part.status.live ? Json(part.age_seconds()) : Json(nullptr);
    each["checkpoint"] = checkpoint_json(part.status.checkpoint);
  }
  return json;
}

// Appends those of the properties, and returns their steps.
std::vector<Gap> add_properties(Json& json, const Subject& subject, const CheckResult& result,
                                std::uint64_t most_bytes) {
  std::vector<Gap> gaps;
  if (subject.model == nullptr) return gaps;
  if (most_bytes != kUnlimited) most_bytes /= std::max<std::size_t>(1, result.traces.size());
  for (const PropertyResult& property : result.properties(*subject.model, subject.deadlock)) {
    const Trace* const trace = property.trace;
    const bool has_steps = trace != nullptr && trace->finding.kind != PropertyKind::cover;
    const Model& model = has_steps ? model_of(*trace, *subject.model) : *subject.model;
    const Description& description = model.description();
    const Omission omitted = has_steps ? omission(description, *trace, most_bytes) : Omission{};
    json.push_back(property_json(*subject.model, property, omitted));
    if (has_steps)
      gaps.push_back({"\n      \"counterexample\"", 8, trace->steps.size() - omitted.count,
                      [&description, trace, omitted](std::size_t i) {
                        const std::size_t step = i < omitted.first ? i : i + omitted.count;
                        return step_text(description, trace->steps[step]);
                      }});
  }
  return gaps;
}

void write_document(const Subject& subject, const CheckResult& result, int exit_code,
                    std::uint64_t most_bytes, const TextSink& sink) {
  const Statistics& statistics = result.statistics;
  Json json;
  json["format"] = "spillway-result";
  json["format_version"] = kJsonVersion;
  json["spillway"] = {{"version", kVersion}, {"commit", text_or_null(subject.commit)}};
  json["command"] = subject.command;
  json["verdict"] = json_word(result.verdict.outcome);
  json["reason"] = result.verdict.reason;
  json["exit_code"] = exit_code;
  json["complete"] = result.verdict.complete;
  json["final"] = result.verdict.final;
  json["properties"] = Json::array();
  std::vector<Gap> gaps = add_properties(json["properties"], subject, result, most_bytes);
  json["assumptions"] = Json::array();
  if (subject.model != nullptr)
    for (const std::string& name : subject.model->assumptions())
      json["assumptions"].push_back(name);
  json["coverage"] = coverage_json(result);
  json["states"] = statistics.states;
  json["transitions"] = statistics.transitions;
  json["revisits"] = statistics.revisits;
  json["depth"] = statistics.in_levels ? Json(statistics.depth()) : Json(nullptr);
  json["digest"] = statistics.digest.hex();
  json["levels"] = nullptr;
  json["level_digests"] = nullptr;
  const std::vector<Level>& levels = statistics.levels;
  gaps.push_back({"\n  \"levels\"", 4, levels.size(),
                  [&](std::size_t i) { return fmt::format("{}", levels[i].states); }});
  gaps.push_back({"\n  \"level_digests\"", 4, levels.size(),
                  [&](std::size_t i) { return fmt::format("\"{}\"", levels[i].digest.hex()); }});
  json["products"] = Json::array();
  for (const RunResult& run : result.runs)
    if (run.product) json["products"].push_back(product_json(run));
  json["simulation"] = simulation_json(result.walks);
  json["run_semantics"] = text_or_null(subject.run_semantics);
  json["unfinished"] = nullptr;
  if (statistics.unfinished)
    json["unfinished"] = {{"level", statistics.unfinished->level},
                          {"states", statistics.unfinished->states},
                          {"expanded", statistics.unfinished->expanded}};
  json["algorithm"] = subject.algorithm;
  json["symmetry"] = subject.symmetry;
  json["executions"] = Json::array();
  if (subject.model != nullptr)
    for (const ExecutedLevels& execution : subject.model->runtime().executions())
      json["executions"].push_back({{"by", execution.by}, {"first_level", execution.first_level}});
  json["warnings"] = Json::array();
  for (const Diagnostic& one : subject.diagnostics)
    if (one.severity == Severity::warning)
      json["warnings"].push_back(
          {{"line", one.where.at.line}, {"column", one.where.at.column}, {"text", one.message}});
  json["diagnostics"] = diagnostics_json(subject.diagnostics);
  json["threads"] = subject.threads;
  json["seconds"] = result.seconds;
  json["earlier_seconds"] = result.earlier_seconds;
  json["run_directory"] = text_or_null(subject.run_directory);
  json["memory_limit_bytes"] = subject.memory_bytes;
  json["peak_memory_bytes"] = result.peak_memory_bytes;
  json["time_split"] = nullptr;
  if (statistics.activities) {
    json["time_split"] = Json::object();
    for (std::size_t i = 0; i < kActivities.size(); ++i)
      json["time_split"][std::string(kActivities[i])] = (*statistics.activities)[i];
  }
  json["counters"] = counters_json(statistics);
  json["disk_bytes_written"] = statistics.disk_bytes_written;
  json["disk_bytes_read"] = statistics.disk_bytes_read;
  json["ranks"] = ranks_json(result.ranks);
  json["model"] = model_json(subject);
  json["constants"] = subject.constants;
  json["options"] = options_json(subject);
  json["deadlock"] =
      subject.model != nullptr ? Json(deadlock_word(subject.deadlock)) : Json(nullptr);
  fill_in(document_of(json), gaps, sink);
}

}  // namespace

void write_json(const Subject& subject, const CheckResult& result, int exit_code,
                const TextSink& sink) {
  write_document(subject, result, exit_code, kUnlimited, sink);
}

std::string to_json(const Subject& subject, const CheckResult& result, int exit_code,
                    std::uint64_t most_bytes) {
  return whole_text(
      [&](const TextSink& sink) { write_document(subject, result, exit_code, most_bytes, sink); });
}

std::string lint_document(const std::string& path, const std::vector<Diagnostic>& diagnostics) {
  Json json;
  json["format"] = "spillway-lint";
  json["format_version"] = 1;
  json["spillway"] = {{"version", kVersion}};
  json["path"] = path;
  json["diagnostics"] = diagnostics_json(diagnostics);
  return document_of(json);
}

std::optional<ReadResult> read_result(const std::optional<std::string>& document) {
  const Json json = parsed(document, false);
  if (!json.is_object()) return std::nullopt;
  ReadResult result;
  result.verdict = text_in(json, "verdict");
  result.reason = text_in(json, "reason");
  result.states = count_in(json, "states");
  result.transitions = count_in(json, "transitions");
  result.exit_code = count_in(json, "exit_code");
  result.depth = count_in(json, "depth");
  if (const auto model = json.find("model"); model != json.end()) {
    result.model = text_in(*model, "path");
    result.model_sha256 = text_in(*model, "sha256");
  }
  const auto marked = json.find("final");
  result.marked_final = marked != json.end() && marked->is_boolean() && marked->get<bool>();
  const auto properties = json.find("properties");
  if (properties != json.end() && properties->is_array())
    for (const Json& property : *properties)
      result.properties.push_back({text_in(property, "kind"), text_in(property, "name"),
                                   text_in(property, "verdict"), line_in(property)});
  return result;
}

std::string status_document(const RunStatus& status, std::string_view condition,
                            const std::string& resume_command) {
  Json json;
  json["format"] = "spillway-status";
  json["format_version"] = 1;
  json["spillway"] = {{"version", kVersion}};
  json["directory"] = status.directory;
  json["model"] = status.model;
  json["begun"] = status.begun;
  json["condition"] = condition;
  json["user"] = status.user ? Json(*status.user) : Json(nullptr);
  json["checkpoint"] = checkpoint_json(status.checkpoint);
  json["now"] = nullptr;
  if (const auto& now = status.live)
    json["now"] = {{"age_seconds", std::max<std::int64_t>(0, status.read - now->written)},
                   {"phase", phase_text(now->phase)},
                   {"level", now->level},
                   {"level_states", now->level_states},
                   {"expanded", now->expanded},
                   {"states", now->states},
                   {"seconds", now->seconds},
                   {"states_per_second", now->states_per_second},
                   {"memory_bytes", now->memory_bytes},
                   {"memory_limit_bytes", now->memory_limit_bytes},
                   {"disk_bytes", now->disk_bytes}};
  json["forecast"] = forecast_json(condition == "finished" ? std::nullopt : forecast(status));
  json["ranks"] = parts_json(status);
  json["faults"] = status.faults;
  json["disk_bytes"] = status.bytes;
  json["result"] = parsed(status.result, true);
  json["earlier_result"] = parsed(status.earlier_result, true);
  json["resume_command"] = resume_command;
  return document_of(json);
}

}  // namespace spillway
