#include "report/trace/saved_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text/printable.h"
#include "report/words/result_depths.h"

namespace spillway {
namespace {

using Saved = nlohmann::ordered_json;

constexpr int kDeepest = 64;

const Saved& member(const Saved& object, const char* name) {
  static const Saved nothing;
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found == object.end() ? nothing : *found;
}

std::string text_of(const Saved& value) {
  return value.is_string() ? value.get<std::string>() : "";
}

std::uint32_t number_of(const Saved& value) {
  return value.is_number_unsigned() ? static_cast<std::uint32_t>(value.get<std::uint64_t>()) : 0;
}

std::vector<SavedVariable> variables_of(const Saved& object) {
  std::vector<SavedVariable> all;
  if (object.is_object())
    for (const auto& [name, value] : object.items()) all.push_back({name, text_of(value)});
  return all;
}

// The step with this number, if it was not left out.
void find_loop_start(SavedTrace& trace, std::uint64_t number) {
  if (number < trace.first_omitted || trace.omitted == 0)
    trace.loop_start = number;
  else if (number >= trace.first_omitted + trace.omitted)
    trace.loop_start = number - trace.omitted;
  else
    trace.remark += fmt::format("{}the last step leads back to step {}, which is left out",
                                trace.remark.empty() ? "" : "; ", number);
  if (trace.loop_start && *trace.loop_start >= trace.steps.size()) trace.loop_start.reset();
}

SavedTrace trace_of(const Saved& property, const std::string& model) {
  SavedTrace trace;
  trace.model = model;
  trace.kind = text_of(member(property, "kind"));
  trace.property = text_of(member(property, "name"));
  trace.line = number_of(member(property, "line"));
  for (const char* name : {"explanation", "message", "remark"})
    if (const std::string text = text_of(member(property, name)); !text.empty())
      trace.remark += (trace.remark.empty() ? "" : "; ") + text;
  for (const Saved& step : member(property, "counterexample")) {
    SavedStep& added = trace.steps.emplace_back();
    added.rule = text_of(member(step, "rule"));
    added.rule_name = text_of(member(step, "rule_name"));
    added.line = number_of(member(step, "rule_line"));
    added.parameters = variables_of(member(step, "parameters"));
    added.state = variables_of(member(step, "state"));
  }
  const Saved& omitted = member(property, "omitted_steps");
  trace.first_omitted =
      std::min<std::size_t>(number_of(member(omitted, "first")), trace.steps.size());
  trace.omitted = number_of(member(omitted, "count"));
  if (const Saved& loop = member(property, "loop_start"); loop.is_number_unsigned())
    find_loop_start(trace, loop.get<std::uint64_t>());
  return trace;
}

}  // namespace

std::string omission_text(const SavedTrace& trace) {
  if (trace.omitted == 0) return "";
  return fmt::format("Steps {} to {} are left out", trace.first_omitted,
                     trace.first_omitted + trace.omitted - 1);
}

std::vector<SavedTrace> read_traces(const std::string& document, const std::string& name) {
  bool too_deep = false;
  const auto look = [&](int depth, Saved::parse_event_t event, Saved& value) {
    if (depth == kOfResult && event == Saved::parse_event_t::key && value == "level_digests")
      return false;
    return !(too_deep = too_deep || depth > kDeepest);
  };
  const Saved json = Saved::parse(document, look, false);
  if (too_deep || !json.is_object() || text_of(member(json, "format")) != "spillway-result")
    throw Error(Fault::usage, fmt::format("{}: this is not a result of 'spillway check --json'",
                                          printable(name)));
  std::vector<SavedTrace> all;
  const std::string model = text_of(member(member(json, "model"), "path"));
  const Saved& properties = member(json, "properties");
  if (properties.is_array())
    for (const Saved& property : properties)
      if (const Saved& steps = member(property, "counterexample");
          steps.is_array() && !steps.empty())
        all.push_back(trace_of(property, model));
  return all;
}

bool matches(std::string_view name, std::string_view pattern) {
  std::size_t i = 0, j = 0;
  std::size_t star = std::string_view::npos, after = 0;  // the last *, and where it was tried
  while (i < name.size()) {
    if (j < pattern.size() && pattern[j] == '*') {
      star = j++;
      after = i;
    } else if (j < pattern.size() && (pattern[j] == '?' || pattern[j] == name[i])) {
      ++i;
      ++j;
    } else if (star != std::string_view::npos) {
      j = star + 1;
      i = ++after;
    } else {
      return false;
    }
  }
  return std::ranges::all_of(pattern.substr(j), [](char c) { return c == '*'; });
}

SavedTrace filtered(SavedTrace trace, const VariableFilter& filter) {
  const auto any = [](const std::vector<std::string>& patterns, const std::string& name) {
    return std::ranges::any_of(patterns, [&](const auto& one) { return matches(name, one); });
  };
  for (SavedStep& step : trace.steps)
    std::erase_if(step.state, [&](const SavedVariable& variable) {
      return (!filter.only.empty() && !any(filter.only, variable.name)) ||
             any(filter.hide, variable.name);
    });
  return trace;
}

const std::string* value_in(const SavedStep& step, const std::string& name, std::size_t hint) {
  if (hint < step.state.size() && step.state[hint].name == name) return &step.state[hint].value;
  const auto found = std::ranges::find(step.state, name, &SavedVariable::name);
  return found == step.state.end() ? nullptr : &found->value;
}

}  // namespace spillway
