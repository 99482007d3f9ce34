#include "report/simulation_text.h"

#include <fmt/format.h>

#include "base/text/quantity.h"
#include "report/coverage.h"
#include "report/properties_text.h"
#include "report/verdict_text.h"
#include "report/words/words.h"

namespace spillway {
namespace {

std::string walked_text(const CheckResult& result) {
  const Walks& walks = *result.walks;
  std::string text =
      fmt::format("  {} of at most {}   {}   the longest {}   {}", plural(walks.walks, "walk"),
                  plural(walks.depth, "step"), plural(walks.steps, "step"),
                  with_commas(walks.longest), seconds_text(result.seconds));
  if (result.seconds >= 0.1)
    text += fmt::format(
        "   {} steps/s",
        with_commas(static_cast<std::uint64_t>(static_cast<double>(walks.steps) / result.seconds)));
  return text + "\n";
}

// The options that give the same walks again.
std::string again_text(const Walks& walks) {
  if (walks.found_in)
    return fmt::format("  Walk {} found it. These find it again: --seed {} --walks {} --depth {}\n",
                       with_commas(*walks.found_in + 1), walks.seed, *walks.found_in + 1,
                       walks.depth);
  return fmt::format("  The same walks again: --seed {} --walks {} --depth {}\n", walks.seed,
                     walks.walks, walks.depth);
}

}  // namespace

void write_simulation_text(const Subject& subject, const CheckResult& result,
                           const TextStyle& style, const TextSink& sink) {
  const std::string last = verdict_line(subject, result, style.brief, style.color);
  if (style.brief || result.verdict.outcome == Outcome::error) return sink(last);
  for (const Trace& trace : result.traces) {
    sink(fmt::format("Counterexample for {}, {}:\n", violated_text(*subject.model, trace),
                     plural(trace.finding.depth, "step")));
    write_trace_text(subject.model->description(), trace, style.trace, sink);
    sink("\n");
  }
  std::string text = walked_text(result);
  std::vector<ShownProperty> properties;
  for (const PropertyResult& property : result.properties(*subject.model, subject.deadlock))
    properties.push_back(shown(property));
  text += properties_text(properties, {style.verbose, style.color});
  text += simulated_coverage_text(result, style.verbose);
  sink(text + again_text(*result.walks) + last);
}

}  // namespace spillway
