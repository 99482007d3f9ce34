#include <charconv>
#include <nlohmann/json.hpp>

#include "base/text/printable.h"
#include "report/trace/trace_forms.h"

namespace spillway {
namespace {

using Itf = nlohmann::ordered_json;

// Larger integers are not exact in every reader of JSON.
constexpr std::int64_t kMostExact = std::int64_t{1} << 53;

Itf itf_value(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || rest != end || text.empty()) return text;
  if (number > kMostExact || number < -kMostExact) return {{"#bigint", text}};
  return number;
}

}  // namespace

std::string trace_itf(const SavedTrace& trace) {
  Itf json;
  json["#meta"] = {{"format", "ITF"},
                   {"format-description", "https://apalache-mc.org/docs/adr/015adr-trace.html"},
                   {"source", trace.model},
                   {"description", trace.kind + " " + trace.property},
                   {"status", "violation"}};
  json["vars"] = Itf::array();
  if (!trace.steps.empty())
    for (const SavedVariable& variable : trace.steps.front().state)
      if (!variable.name.starts_with('#')) json["vars"].push_back(variable.name);
  json["states"] = Itf::array();
  // The state that a loop comes back to is listed once.
  const std::size_t count =
      trace.steps.size() - (trace.loop_start && trace.steps.size() > 1 ? 1 : 0);
  for (std::size_t i = 0; i < count; ++i) {
    Itf& state = json["states"].emplace_back(Itf::object());
    state["#meta"] = {{"index", trace.number_of(i)}, {"action", trace.steps[i].rule}};
    for (const auto& [name, value] : trace.steps[i].state)
      if (!name.starts_with('#')) state[name] = itf_value(value);
  }
  if (trace.loop_start) json["loop"] = *trace.loop_start;
  return printable_json(json.dump(2, ' ', false, Itf::error_handler_t::replace)) + "\n";
}

}  // namespace spillway
