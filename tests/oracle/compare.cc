#include "oracle/compare.h"

#include <fmt/format.h>

#include <numeric>

namespace spillway {
namespace {

std::string differs(std::string_view what, const std::string& got, const std::string& wanted) {
  return fmt::format("{}: got {}, wanted {}", what, got, wanted);
}

template <class T>
std::string compare(std::string_view what, const T& got, const T& wanted) {
  return got == wanted ? "" : differs(what, fmt::format("{}", got), fmt::format("{}", wanted));
}

std::string compare_levels(const Statistics& statistics, const Expected& expected) {
  std::string why = compare("number of levels", statistics.levels.size(), expected.levels.size());
  for (std::size_t i = 0; why.empty() && i < expected.levels.size(); ++i) {
    const std::string level = fmt::format("level {}: ", i);
    why = compare(level + "states", statistics.levels[i].states, expected.levels[i]);
    // otherwise transitions are counted as often as they are taken
    if (why.empty() && statistics.revisits == 0)
      why =
          compare(level + "transitions", statistics.levels[i].transitions, expected.transitions[i]);
    if (why.empty())
      why = compare(level + "digest", statistics.levels[i].digest.hex(), expected.digests[i]);
  }
  return why;
}

bool leads_to(const Model& model, const std::vector<Word>& from, const std::vector<Word>& to) {
  Successors out(model.words());
  model.steps().successors(from, out);
  const States made = out.states();
  for (std::size_t i = 0; i < made.size(); ++i)
    if (equal(made[i], to)) return true;
  return false;
}

// The trace must end in the smallest violating state, and each state before must be the smallest of
// its level that leads to the next.
std::string compare_trace(const Model& model, const Trace& trace, const std::vector<Word>& end,
                          const Expected& expected) {
  std::size_t depth = 0;
  while (!expected.states[depth].contains(end)) ++depth;
  if (trace.steps.size() != depth + 1)
    return differs("length of a trace", std::to_string(trace.steps.size()),
                   std::to_string(depth + 1));
  if (trace.steps.back().row != end)
    return "a trace ends in another state than the smallest violating one";
  for (std::size_t i = trace.steps.size() - 1; i-- > 0;) {
    for (const std::vector<Word>& state : expected.states[i]) {
      if (!leads_to(model, state, trace.steps[i + 1].row)) continue;
      if (state != trace.steps[i].row)
        return fmt::format("step {} of a trace is not the smallest that leads on", i);
      break;
    }
    if (!expected.states[i].contains(trace.steps[i].row))
      return fmt::format("step {} of a trace is not of that level", i);
  }
  return "";
}

}  // namespace

std::string difference(const Model& model, Deadlock deadlock, const CheckResult& result,
                       const Expected& expected) {
  const Outcome outcome = expected.violated.empty() ? Outcome::verified : Outcome::violated;
  if (result.verdict.outcome != outcome)
    return differs("verdict",
                   fmt::format("{} ({})", word(result.verdict.outcome), result.verdict.reason),
                   std::string(word(outcome)));
  // A search without levels has not seen the same states as the reference when something is found.
  const bool same_states = result.statistics.in_levels || outcome == Outcome::verified;
  std::string why = result.statistics.in_levels ? compare_levels(result.statistics, expected) : "";
  const std::uint64_t states =
      std::accumulate(expected.levels.begin(), expected.levels.end(), std::uint64_t{0});
  if (why.empty() && same_states) why = compare("states", result.statistics.states, states);
  if (why.empty() && same_states)
    why = compare("digest", result.statistics.digest.hex(), expected.digest);
  for (const PropertyResult& property : result.properties(model, deadlock)) {
    const auto wanted = expected.violated.find(property.name);
    if (why.empty() && (property.trace != nullptr) != (wanted != expected.violated.end()))
      why = fmt::format("property \"{}\": violated or not, the other way round", property.name);
    if (why.empty() && property.trace != nullptr)
      why = compare_trace(model, *property.trace, wanted->second, expected);
  }
  return why;
}

}  // namespace spillway
