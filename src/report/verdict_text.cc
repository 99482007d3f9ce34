#include "report/verdict_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/text/printable.h"
#include "base/text/quantity.h"
#include "report/words/color.h"
#include "report/words/kind_word.h"
#include "report/words/words.h"

namespace spillway {
namespace {

constexpr std::size_t kMostNamed = 3;  // violations in the line

std::string at_depth(const Trace& trace) {
  return fmt::format(" at depth {}{}", with_commas(trace.finding.depth),
                     trace.shortest ? " (shortest)" : "");
}

// "a, b and 7 more"
std::string some_of(std::vector<std::string> names, std::string_view between) {
  const std::size_t more = names.size() - std::min(names.size(), kMostNamed);
  names.resize(names.size() - more);
  return fmt::format("{}{}", fmt::join(names, between),
                     more == 0 ? "" : fmt::format(" and {} more", with_commas(more)));
}

// Everything that is violated.  A cover property that holds nowhere has no depth.  Violations of
// one level share its depth.  A liveness property has its own.
std::string violations_text(const Model& model, const std::vector<Trace>& traces) {
  std::vector<std::string> nowhere, from_somewhere;
  struct InLevel {
    std::vector<std::string> names;
    const Trace* trace = nullptr;  // one of them
  };
  std::map<std::uint64_t, InLevel> in_levels;
  for (const Trace& trace : traces) {
    const std::string what = violated_text(model_of(trace, model), trace);
    if (trace.finding.kind == PropertyKind::cover) {
      nowhere.push_back(what + " holds in no reachable state");
    } else if (trace.finding.kind == PropertyKind::reachable ||
               (trace.finding.kind == PropertyKind::ctl && trace.finding.loop.empty())) {
      from_somewhere.push_back(what + at_depth(trace));
    } else if (!trace.finding.loop.empty()) {
      from_somewhere.push_back(fmt::format(
          "{}: a loop of {}{}", what, plural(trace.finding.loop.size(), "step"), at_depth(trace)));
    } else {
      InLevel& level = in_levels[trace.finding.depth];
      level.names.push_back(what);
      level.trace = &trace;
    }
  }
  std::vector<std::string> parts;
  if (!nowhere.empty()) parts.push_back(some_of(nowhere, "; "));
  std::vector<std::string> by_level;
  for (const auto& [depth, level] : in_levels)
    by_level.push_back(some_of(level.names, ", ") + at_depth(*level.trace));
  if (!by_level.empty()) parts.push_back(some_of(by_level, "; "));
  if (!from_somewhere.empty()) parts.push_back(some_of(from_somewhere, "; "));
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

std::string violated_text(const Model& model, const Trace& trace) {
  const Finding& finding = trace.finding;
  const auto named = [&](std::string_view kind) {
    return fmt::format("{} \"{}\"", kind, printable(model.properties()[finding.property].name));
  };
  switch (finding.kind) {
    case PropertyKind::invariant: return named("invariant");
    case PropertyKind::assertion: return named("assertion");
    case PropertyKind::cover: return named("cover property");
    case PropertyKind::reachable: return named("liveness property");
    case PropertyKind::deadlock: return "deadlock";
    case PropertyKind::runtime_error: return "run-time error";
    case PropertyKind::ctl: return fmt::format("ctl \"{}\"", printable(finding.formula));
    case PropertyKind::acceptance:
      return fmt::format("{} \"{}\"", kind_word(trace.run_kind),
                         printable(model.acceptance().property().value_or("")));
    default: return "";
  }
}

std::string subject_name(const Subject& subject) {
  const std::string name =
      printable(subject.model != nullptr ? subject.model->name() : subject.path);
  return subject.configuration.empty()
             ? name
             : fmt::format("{} {}", name, printable(subject.configuration));
}

std::string verdict_line(const Subject& subject, const CheckResult& result, bool brief,
                         bool color) {
  const Verdict& verdict = result.verdict;
  const std::string shown_word = in_color_of(verdict.outcome, word(verdict.outcome), color);
  if (verdict.outcome == Outcome::error) {
    const std::string reason = printable_lines(verdict.reason);
    return fmt::format("{}  {}\n", shown_word,
                       brief ? reason.substr(0, reason.find('\n')) : reason);
  }
  const std::string what = verdict.outcome == Outcome::violated
                               ? violations_text(*subject.model, result.traces)
                               : fmt::format("({})", printable(verdict.reason));
  return fmt::format("{}  {}  {}\n", shown_word, subject_name(subject), what);
}

}  // namespace spillway
