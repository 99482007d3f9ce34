#include "report/trace/trace_data.h"

#include <nlohmann/json.hpp>

namespace spillway {

nlohmann::ordered_json trace_data(const SavedTrace& trace) {
  using Data = nlohmann::ordered_json;
  Data data = {{"model", trace.model},   {"kind", trace.kind},    {"property", trace.property},
               {"line", trace.line},     {"loop", nullptr},       {"remark", trace.remark},
               {"names", Data::array()}, {"steps", Data::array()}};
  if (trace.omitted != 0)
    data["omitted"] = {{"first", trace.first_omitted}, {"count", trace.omitted}};
  if (trace.loop_start) data["loop"] = *trace.loop_start;
  if (!trace.steps.empty())
    for (const SavedVariable& variable : trace.steps.front().state)
      data["names"].push_back(variable.name);
  for (const SavedStep& step : trace.steps) {
    Data values = Data::array();
    for (std::size_t i = 0; i < data["names"].size(); ++i) {
      const std::string* value = value_in(step, trace.steps.front().state[i].name, i);
      values.push_back(value != nullptr ? *value : "");
    }
    data["steps"].push_back(
        {{"rule", step.rule}, {"line", step.line}, {"values", std::move(values)}});
  }
  return data;
}

}  // namespace spillway
