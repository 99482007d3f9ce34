// What one attempt at a check works with, and what it has found so far.  Its parts are those of
// attempt.h, counterexamples.h and run_checks.h.
#pragma once

#include <memory>
#include <string>

#include "base/budget.h"
#include "base/crew.h"
#include "check/check.h"
#include "check/common_end.h"
#include "check/signals.h"

namespace spillway {

struct Inquiry {
  // Everything outlives it.
  Inquiry(const Model& model, const Algorithm& with, const CheckOptions& how,
          const SessionOptions& of_session, Budget& memory, Disk& files)
      : algorithm(with), options(how), budget(memory), disk(files), session(model, of_session) {}
  Inquiry(const Inquiry&) = delete;
  Inquiry& operator=(const Inquiry&) = delete;

  const Algorithm& algorithm;
  const CheckOptions& options;
  Budget& budget;
  Disk& disk;
  Session session;
  Crew crew{options.session.threads};
  std::unique_ptr<Search> search;
  std::string damage;  // in the log of a rank
  Evidence evidence;
  CheckResult result;
  bool counted = false;  // the result has its statistics

  double seconds() const { return session.lookout.seconds(); }
  KnownEnding ending() { return {evidence, result.no_room, damage}; }

  void enter(Watch::Stage stage) {
    if (options.watch != nullptr)
      options.watch->enter(stage, &session);
    else if (stage == Watch::Stage::saving)
      stop_request::withdraw();
  }

  // What was found cannot be shown.
  void drop_findings() {
    evidence.untraced = evidence.untraced || !evidence.findings.empty();
    evidence.findings.clear();
    result.traces.clear();
  }

  // Nothing is left to do that a later process could resume.
  bool is_final() const {
    return evidence.search_returned && evidence.goals_decided && options.runs.empty();
  }

  // Products have an algorithm of their own, or the same.
  const Algorithm& for_products() const {
    return options.run_algorithm != nullptr ? *options.run_algorithm : algorithm;
  }
};

}  // namespace spillway
