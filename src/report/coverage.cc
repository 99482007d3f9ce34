#include "report/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text/printable.h"
#include "report/words/words.h"

namespace spillway {
namespace {

constexpr std::size_t kMostNamed = 3;  // of one kind

bool is_dead(const Coverage::Rule& rule) { return !rule.start && rule.fired == 0; }

std::string rule_text(const Coverage::Rule& rule) {
  const std::string cut = rule.cut == 0 ? "" : "; assumptions exclude all its successors";
  return fmt::format("\"{}\" (line {}{})", printable(rule.name), rule.line, cut);
}

// "  2 of 31 rules never fired: ..."
class Line {
 public:
  explicit Line(bool all) : most_(all ? std::numeric_limits<std::size_t>::max() : kMostNamed) {}

  void add(const std::string& name) {
    if (count_++ < most_) names_ += fmt::format("{}{}", names_.empty() ? "" : ", ", name);
  }
  std::string text(std::size_t of, std::string_view noun, std::string_view one,
                   std::string_view several) const {
    if (count_ == 0) return "";
    const std::string more =
        count_ > most_ ? fmt::format(" and {} more", with_commas(count_ - most_)) : "";
    return fmt::format("  {} of {} {}: {}{}\n", with_commas(count_), plural(of, noun),
                       count_ == 1 ? one : several, names_, more);
  }

 private:
  const std::size_t most_;
  std::size_t count_ = 0;
  std::string names_;
};

// `seen`: states may have been omitted, so "never" would be too much.
std::string rules_text(const Coverage& coverage, bool seen, bool all) {
  Line line(all);
  for (const Coverage::Rule& rule : coverage.rules)
    if (is_dead(rule)) line.add(rule_text(rule));
  const auto rules =
      static_cast<std::size_t>(std::ranges::count(coverage.rules, false, &Coverage::Rule::start));
  const std::string_view verb =
      seen ? "did not fire in the states that were visited" : "never fired";
  return line.text(rules, "rule", verb, verb);
}

std::string antecedents_text(const Coverage& coverage, bool all) {
  Line line(all);
  for (const Coverage::Antecedent& antecedent : coverage.antecedents)
    if (!antecedent.held)
      line.add(fmt::format("\"{}\" (line {})", printable(antecedent.property), antecedent.line));
  const std::string_view verb = "in invariants never held";
  return line.text(coverage.antecedents.size(), "antecedent", verb, verb);
}

std::string values_text(const Coverage& coverage, bool all) {
  Line line(all);
  for (const Coverage::EnumValue& value : coverage.values)
    if (!value.assigned) line.add(fmt::format("{} (line {})", printable(value.name), value.line));
  return line.text(coverage.values.size(), "enumeration value", "was never assigned",
                   "were never assigned");
}

// What the verdict depends on, and statements that have excluded something.
std::string assumptions_text(const Coverage& coverage, bool complete, bool all) {
  std::string out;
  std::size_t left_out = 0, listed = 0;
  for (const Coverage::Assumption& assumption : coverage.assumptions) {
    if (assumption.in_rules && assumption.cut == 0) continue;
    if (!all && listed++ >= kMostNamed) {
      ++left_out;
      continue;
    }
    out += fmt::format("  assumption \"{}\" (line {}): taken for granted, excluded {}{}\n",
                       printable(assumption.name), assumption.line,
                       assumption.cut == 0 ? "nothing" : plural(assumption.cut, "successor"),
                       complete ? "" : " so far");
  }
  if (left_out != 0)
    out += fmt::format("  and {} (--verbose lists all)\n", plural(left_out, "more assumption"));
  return out;
}

}  // namespace

std::string coverage_text(const CheckResult& result, bool all) {
  if (!result.coverage) return "";
  const Coverage& coverage = *result.coverage;
  const Verdict& verdict = result.verdict;
  const std::string assumptions = assumptions_text(coverage, verdict.complete, all);
  if (!verdict.complete) return assumptions;
  std::string out = rules_text(coverage, verdict.probabilistic, all);
  if (!verdict.probabilistic) out += antecedents_text(coverage, all) + values_text(coverage, all);
  return out + assumptions;
}

std::string simulated_coverage_text(const CheckResult& result, bool all) {
  if (!result.coverage) return "";
  const std::string rules = rules_text(*result.coverage, true, all);
  return (rules.empty() ? "  every rule fired\n" : rules) +
         assumptions_text(*result.coverage, false, all);
}

std::string dead_rules_text(const CheckResult& result) {
  if (!result.coverage || !result.verdict.complete) return "";
  return rules_text(*result.coverage, result.verdict.probabilistic, false);
}

bool all_rules_fired(const CheckResult& result) {
  return result.coverage && std::ranges::none_of(result.coverage->rules, is_dead);
}

}  // namespace spillway
