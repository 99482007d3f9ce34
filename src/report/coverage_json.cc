#include "report/coverage_json.h"

#include <nlohmann/json.hpp>

namespace spillway {

using Json = nlohmann::ordered_json;

Json coverage_json(const CheckResult& result) {
  if (!result.coverage) return nullptr;
  const Coverage& coverage = *result.coverage;
  Json json = {{"rules", Json::array()},
               {"assumptions", Json::array()},
               {"antecedents", Json::array()},
               {"enumeration_values", Json::array()}};
  for (const Coverage::Rule& rule : coverage.rules)
    json["rules"].push_back({{"name", rule.name},
                             {"line", rule.line == 0 ? Json() : Json(rule.line)},
                             {"start", rule.start},
                             {"fired", rule.fired},
                             {"excluded", rule.cut}});
  for (const Coverage::Assumption& assumption : coverage.assumptions)
    json["assumptions"].push_back({{"name", assumption.name},
                                   {"line", assumption.line},
                                   {"statement", assumption.in_rules},
                                   {"excluded", assumption.cut}});
  for (const Coverage::Antecedent& antecedent : coverage.antecedents)
    json["antecedents"].push_back(
        {{"property", antecedent.property}, {"line", antecedent.line}, {"held", antecedent.held}});
  for (const Coverage::EnumValue& value : coverage.values)
    json["enumeration_values"].push_back({{"type", value.type.empty() ? Json() : Json(value.type)},
                                          {"name", value.name},
                                          {"line", value.line},
                                          {"assigned", value.assigned}});
  return json;
}

}  // namespace spillway
