#include "suite/judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/quantity.h"
#include "check/facts/verdict.h"

namespace spillway {
namespace {

std::string violated_names(const ReadResult& result) {
  std::string names;
  for (const ReadResult::Property& property : result.properties)
    if (property.verdict == "violated")
      names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", property.name);
  return names;
}

// Why it is not as expected; empty if it is.
std::string wrong_verdict(const TestCase& test, const ReadResult& result) {
  if (result.verdict != test.verdict)
    return result.verdict == "violated"
               ? fmt::format("violated: {}, expected {}", violated_names(result), test.verdict)
               : fmt::format("{}, expected {}{}{}", result.verdict, test.verdict,
                             test.property.empty() ? "" : ": ", test.property);
  const auto is_it = [&](const ReadResult::Property& property) {
    return property.verdict == "violated" && property.name == test.property;
  };
  if (!test.property.empty() && std::ranges::none_of(result.properties, is_it))
    return fmt::format("violated: {}, expected \"{}\"", violated_names(result), test.property);
  return "";
}

// An error that is expected is one of a model that was read.
bool is_of_model(const ReadResult& result) {
  return result.exit_code == static_cast<std::uint64_t>(Exit::model) &&
         !result.model_sha256.empty();
}

// A verdict alone does not say that a job with this check passes.
std::string wrong_exit_code(const TestCase& test, int exit_code) {
  const bool holds = test.verdict == "verified" || test.verdict == "verified-probabilistic";
  if (!holds || exit_code == static_cast<int>(Exit::verified)) return "";
  const auto codes = exit_codes();
  const auto row = std::ranges::find(codes, Exit{exit_code}, &ExitCode::code);
  return fmt::format("exit code {}{}, expected 0", exit_code,
                     row != codes.end() ? fmt::format(" ({})", row->meaning) : "");
}

std::string wrong_count(std::string_view what, const std::optional<std::uint64_t>& expected,
                        const std::optional<std::uint64_t>& found) {
  if (!expected || expected == found) return "";
  return fmt::format("{} {}, expected {}", what, found ? with_commas(*found) : "unknown",
                     with_commas(*expected));
}

}  // namespace

std::string_view word_of(CaseStatus status) {
  switch (status) {
    case CaseStatus::passed: return "passed";
    case CaseStatus::failed: return "failed";
    case CaseStatus::inconclusive: return "inconclusive";
    case CaseStatus::error: return "error";
  }
  return "error";
}

CaseResult judge(const TestCase& test, const std::optional<std::string>& document, int exit_code) {
  CaseResult judged;
  judged.name = test.name;
  judged.model = test.model;
  judged.lanes = test.lanes;
  judged.damaged = exit_code == static_cast<int>(Exit::integrity);
  judged.may_go_on = !judged.damaged && exit_code != static_cast<int>(Exit::model);
  const std::optional<ReadResult> result = read_result(document);
  if (!result || result->verdict.empty()) {
    judged.message = fmt::format("the check left no result (exit code {})", exit_code);
    return judged;
  }
  if (result->exit_code != static_cast<std::uint64_t>(exit_code)) {
    judged.message =
        fmt::format("the check ended with exit code {}, which its result does not say", exit_code);
    return judged;
  }
  judged.verdict = result->verdict;
  judged.states = result->states.value_or(0);
  if (result->verdict == "inconclusive" ||
      (result->verdict == "error" && (test.verdict != "error" || !is_of_model(*result)))) {
    judged.status = result->verdict == "error" ? CaseStatus::error : CaseStatus::inconclusive;
    judged.message = result->reason;
    return judged;
  }
  std::string wrong = wrong_verdict(test, *result);
  for (const std::string& one : {wrong.empty() ? wrong_exit_code(test, exit_code) : "",
                                 wrong_count("states", test.states, result->states),
                                 wrong_count("transitions", test.transitions, result->transitions),
                                 wrong_count("depth", test.depth, result->depth)})
    if (!one.empty()) wrong += (wrong.empty() ? "" : "; ") + one;
  judged.may_go_on = false;
  judged.status = wrong.empty() ? CaseStatus::passed : CaseStatus::failed;
  judged.message = wrong;
  return judged;
}

}  // namespace spillway
