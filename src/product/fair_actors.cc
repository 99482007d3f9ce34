#include "product/fair_actors.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <map>

#include "base/error.h"
#include "base/text/printable.h"
#include "base/text/suggest.h"

namespace spillway {
namespace {

constexpr std::string_view kProcesses = "processes";
constexpr RuleIndex kMostRules = 10'000'000;

bool matches(const std::string& pattern, const std::string& name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

// An actor, and what distinguishes it: several rules may have one name.
struct Actor {
  std::string key, name;
};

// The actors that a rule belongs to by this pattern.
std::vector<Actor> actors_by(const std::string& pattern, const Description& system,
                             RuleIndex rule) {
  std::vector<Actor> all;
  if (pattern == kProcesses) {
    for (const std::string& process : system.rule_instance(rule).processes)
      all.push_back({"process " + process, process});
    return all;
  }
  const std::string whole = system.rule_name(rule);
  if (matches(pattern, whole) || matches(pattern, system.rule_instance(rule).name))
    all.push_back({fmt::format("rule {}", rule), whole});
  return all;
}

[[noreturn]] void matches_nothing(const std::string& pattern, const Description& system,
                                  std::string_view who) {
  if (pattern == kProcesses)
    throw Error(Fault::usage,
                fmt::format("--fair=processes: no step of this model is one of a process; only {} "
                            "have processes",
                            who));
  std::vector<std::string> names;
  for (RuleIndex rule = 0; rule < system.rules(); ++rule) {
    std::string name = system.rule_instance(rule).name;
    if (names.empty() || names.back() != name) names.push_back(std::move(name));
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::optional<std::string_view> meant = nearest(pattern, known);
  throw Error(Fault::usage,
              fmt::format("--fair: no rule matches '{}'{}", printable(pattern),
                          meant ? fmt::format("; did you mean '{}'?", printable(*meant)) : ""));
}

}  // namespace

FairActors::FairActors(const Description& system, const std::vector<std::string>& patterns,
                       std::size_t most, std::string_view who) {
  if (patterns.empty()) return;
  const RuleIndex rules = system.rules();
  if (rules == 0)
    throw Error(Fault::usage, "--fair: the names of the rules of this model are not known");
  if (rules > kMostRules)
    throw Error(Fault::usage, "--fair: the model has too many rules to ask fairness of them");
  std::map<std::string, std::size_t> numbers;  // of keys
  of_rule_.assign(rules, 0);
  for (const std::string& pattern : patterns) {
    bool found = false;
    for (RuleIndex rule = 0; rule < rules; ++rule)
      for (const Actor& actor : actors_by(pattern, system, rule)) {
        found = true;
        const auto [entry, added] = numbers.emplace(actor.key, numbers.size());
        if (added) names_.push_back(actor.name);
        if (entry->second < most) of_rule_[rule] |= SetMask{1} << entry->second;
      }
    if (!found) matches_nothing(pattern, system, who);
  }
  if (names_.size() > most)
    throw Error(Fault::usage,
                fmt::format("--fair: fairness is asked of {}, but at most {} are possible here; "
                            "choose fewer",
                            names_.size(), most));
}

SetMask FairActors::enabled(State state, const Successors& out) const {
  SetMask all = 0;
  const States next = out.states();
  for (std::size_t i = 0; i < next.size(); ++i)
    if (!equal(next[i], state)) all |= of(out.rule(i));
  return all;
}

}  // namespace spillway
