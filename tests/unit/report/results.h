// Results made by hand, for reports to print.
#pragma once

#include <string>
#include <utility>

#include "check/check.h"
#include "language/graph/graph_model.h"
#include "report/words/subject.h"

namespace spillway {

// The verdicts of the gate; reports only print them.
inline CheckResult result_with(Outcome outcome, Exit exit, std::string reason) {
  CheckResult result;
  const bool verified = outcome == Outcome::verified || outcome == Outcome::verified_probabilistic;
  const bool is_final = verified || outcome == Outcome::violated;
  result.verdict = {
      outcome, exit, std::move(reason), verified, outcome == Outcome::verified_probabilistic,
      is_final};
  result.seconds = 0.04;
  result.peak_memory_bytes = 5 << 20;
  return result;
}

inline Subject subject_of(const Model& model) {
  Subject subject;
  subject.path = "models/some.graph";
  subject.sha256 = "00ff";
  subject.model = &model;
  subject.algorithm = "ram";
  subject.threads = 2;
  subject.memory_bytes = std::uint64_t{3} << 30;
  return subject;
}

inline Subject subject_without_model() {
  Subject subject;
  subject.path = "no/such.graph";
  subject.algorithm = "ram";
  return subject;
}

// A counterexample through these states of a graph, which are numbered in the order of their names'
// first use; each step is made by `rule`.
inline Trace trace_through(const std::vector<Word>& states, PropertyKind kind,
                           PropertyIndex property, RuleIndex rule = 0) {
  Trace trace{{kind, property, states.size() - 1, {states.back()}, {}}, {}, true};
  for (const Word s : states) trace.steps.push_back({trace.steps.empty() ? kNoRule : rule, {s}});
  return trace;
}

}  // namespace spillway
