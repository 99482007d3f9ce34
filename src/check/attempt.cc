#include "check/attempt.h"

#include <fmt/format.h>

#include <new>

#include "base/error.h"
#include "base/quantity.h"
#include "check/counterexamples.h"
#include "check/ctl.h"
#include "check/run_checks.h"
#include "check/searching.h"
#include "check/stock.h"

namespace spillway {
namespace {

std::string not_on_ranks(const Algorithm& algorithm) {
  return fmt::format("--algorithm={} cannot be shared by several ranks: use auto or sorted-runs",
                     algorithm.name);
}

std::string why_not_on_ranks(const Inquiry& inquiry) {
  if (inquiry.session.cluster == nullptr) return "";
  if (!inquiry.algorithm.on_ranks) return not_on_ranks(inquiry.algorithm);
  if (inquiry.options.wants_runs() && !inquiry.for_products().on_ranks)
    return not_on_ranks(inquiry.for_products());
  return "";
}

// Throws Error(usage) if the algorithm cannot do what it is asked for.
void refuse_what_cannot_be_done(const Inquiry& inquiry) {
  const CheckOptions& options = inquiry.options;
  const Model& model = inquiry.session.model;
  for (const std::string& why :
       {why_not_on_ranks(inquiry),
        why_not_several_errors(options.session.limits, model, inquiry.algorithm,
                               options.ignored.acceptance),
        options.ignored.reachable ? std::string()
                                  : why_goals_cannot_be_decided(model, inquiry.algorithm),
        why_ctl_cannot_be_decided(options.ctl, inquiry.algorithm)})
    if (!why.empty()) throw Error(Fault::usage, why);
}

}  // namespace

Attempt::Attempt(const Model& model, const Algorithm& algorithm, const CheckOptions& options,
                 const SessionOptions& of_session, Budget& budget, Disk& disk)
    : it_(model, algorithm, options, of_session, budget, disk) {
  for (const RunCheck& run : options.runs) it_.result.runs.push_back({run.name, run.kind});
  for (const ltl::NamedCtl& formula : options.ctl) it_.result.ctl.push_back(formula.name);
}

void Attempt::carry_out(std::optional<Attempt>& attempt, const Algorithm& algorithm,
                        const Begin& begin) {
  for (const Algorithm* with = &algorithm; with != nullptr;) {
    begin(*with);
    if (!attempt->carry_out_or_fail()) continue;
    with = attempt->beyond_memory();
    if (with != nullptr) attempt->say_again(*with);
  }
}

bool Attempt::carry_out_or_fail() {
  try {
    carry_out();
    return true;
  } catch (const Error& error) {
    // On this rank or another one: all know, and begin again.  Journal::agree() will tell why.
    if (!it_.damage.empty()) return false;
    if (it_.session.cluster == nullptr && has_fallen_back(error)) return false;
    fail(error);
    if (error.fault() == Fault::lost) return true;
  } catch (const Cluster::Left&) {
    // another rank says what has failed
  } catch (const std::bad_alloc&) {
    fail(Fault::system, "the system is out of memory: use a smaller --memory");
  } catch (const std::exception& error) {
    fail(Fault::internal, std::string("internal error: ") + error.what());
  }
  if (it_.session.cluster != nullptr) end_with_others();
  return true;
}

void Attempt::carry_out() {
  refuse_what_cannot_be_done(it_);
  if (it_.session.cluster != nullptr) {
    search_on_ranks();
    if (it_.evidence.fault) return;
    if (!it_.damage.empty()) throw Error(Fault::integrity, it_.damage);
  } else {
    search_and_decide(it_);
  }
  save_and_count(it_);
  make_counterexamples(it_);
  check_runs(it_);
}

// All ranks know afterwards how the search of each has ended.  If one cannot go on, the others stop
// their search.
void Attempt::search_on_ranks() {
  Cluster& cluster = *it_.session.cluster;
  try {
    if (it_.options.journal != nullptr) it_.options.journal->agree(cluster);
    search_and_decide(it_);
  } catch (const Cluster::Left&) {
  } catch (const Error& error) {
    if (error.fault() == Fault::lost) throw;
    if (has_fallen_back(error))
      it_.damage = error.what();
    else
      fail(error);
  } catch (const std::bad_alloc&) {
    fail(Fault::system, "the system is out of memory: use a smaller --memory");
  }
  if (it_.evidence.stop == Stop::lost) throw Error(Fault::lost, it_.result.no_room);
  if (!it_.evidence.stop) it_.evidence.stop = it_.session.lookout.stop();
  if (!it_.evidence.search_returned || !it_.evidence.goals_decided) cluster.leave();
  meet(it_.session, it_.ending());
}

// Something has failed after the search, here or on another rank: all end for the same reason.
void Attempt::end_with_others() {
  it_.drop_findings();
  try {
    leave_and_meet(it_.session, it_.ending());
  } catch (const Error& error) {
    fail(error);
  }
}

// The log is damaged, and there is a checkpoint before the one that it shows in.
bool Attempt::has_fallen_back(const Error& error) {
  return error.fault() == Fault::integrity && it_.options.journal != nullptr &&
         it_.options.journal->fall_back(error.what());
}

// An error has ended it.
void Attempt::fail(const Error& error) {
  const std::optional<Stop> limit = limit_behind(error, it_.session);
  if (!limit) return fail(error.fault(), error.what());
  it_.evidence.stop = limit;
  it_.drop_findings();
  it_.result.no_room = error.what();
}

void Attempt::fail(Fault fault, std::string sentence) {
  it_.evidence.fault = fault;
  it_.evidence.fault_sentence = std::move(sentence);
}

// What is to begin again, because memory has not sufficed; nullptr: nothing is.
const Algorithm* Attempt::beyond_memory() const {
  const bool decides = it_.session.model.acceptance() && !it_.options.ignored.acceptance &&
                       it_.options.signatures.bits == 0 && it_.options.journal == nullptr;
  return decides && it_.evidence.stop == Stop::memory && it_.evidence.findings.empty() &&
                 it_.session.cluster == nullptr
             ? it_.algorithm.beyond_memory
             : nullptr;
}

void Attempt::say_again(const Algorithm& next) const {
  it_.session.lookout.announce(
      fmt::format("memory is full at {} states: beginning again with {}, on disk where needed",
                  with_commas(it_.session.expansions()), next.name));
}

CheckResult Attempt::result() {
  if (!it_.counted) count(it_);
  const std::vector<Level>& levels = it_.result.statistics.levels;
  it_.evidence.expanded = it_.session.expansions();
  it_.evidence.initial_states =
      levels.empty() || !it_.result.statistics.in_levels ? 0 : levels[0].states;
  if (it_.evidence.initial_states == 0)
    it_.evidence.initial_states = it_.session.expanders.initial_states();
  it_.result.verdict = judge(it_.evidence);
  it_.result.ignored = it_.options.ignored;
  it_.result.seconds = it_.session.lookout.seconds();
  it_.result.earlier_seconds = it_.session.earlier_seconds();
  it_.result.earlier_states = it_.session.levels.earlier_states();
  return std::move(it_.result);
}

}  // namespace spillway
