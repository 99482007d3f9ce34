#include "check/stock.h"

#include <algorithm>

#include "check/around_search.h"
#include "check/property_results.h"
#include "check/searching.h"

namespace spillway {
namespace {

bool was_requested(std::optional<Stop> stop) {
  return stop == Stop::time || stop == Stop::interrupted || stop == Stop::terminated;
}

// By all ranks.
Observed observed(const Session& session) {
  const Observed& own = session.expanders.observed();
  return session.cluster == nullptr ? own : agree_on(*session.cluster, own);
}

void leave_runs_unchecked(Inquiry& inquiry) {
  for (RunResult& run : inquiry.result.runs) {
    run.searchable = false;
    if (run.kind != kind_word(FindingKind::acceptance))
      inquiry.evidence.unchecked.push_back(run.name);
  }
}

}  // namespace

void save_and_count(Inquiry& inquiry) {
  const CheckOptions& options = inquiry.options;
  Session& session = inquiry.session;
  Evidence& evidence = inquiry.evidence;
  CheckResult& result = inquiry.result;
  if (was_requested(session.lookout.stop())) inquiry.enter(Watch::Stage::saving);
  const InPhase saving(session.lookout, Phase::saving);
  if (options.journal != nullptr)
    result.not_saved = save(session, *inquiry.search, *options.journal, inquiry.is_final());
  if (!evidence.stop) evidence.stop = session.lookout.stop();
  evidence.findings = session.findings.all();
  session.add_up_expansions();
  evidence.obligations = inquiry.search->obligations();
  result.decides_acceptance = decides_acceptance(inquiry);
  note_covered(session, result.goals);
  evidence.cover_open = result.goals.cover_open;
  if (inquiry.algorithm.in_levels || evidence.search_returned)
    result.coverage = session.model.coverage(observed(session));
  if (!options.ignored.acceptance) {
    for (const Unchecked& property : session.model.unchecked())
      evidence.unchecked.push_back(property.name);
    if (session.model.acceptance() && !decides_acceptance(inquiry))
      evidence.unchecked.push_back(*session.model.acceptance());
  }
  if (!can_decide_runs(inquiry)) leave_runs_unchecked(inquiry);
  count(inquiry);
  count_once(*inquiry.search, result.statistics);
  result.statistics.in_levels = inquiry.algorithm.in_levels;
  if (options.signatures.bits != 0)
    evidence.omission_bound = omission_bound(options.signatures.bits,
                                             std::max<std::uint64_t>(1, result.statistics.states));
}

void count(Inquiry& inquiry) {
  inquiry.counted = true;
  inquiry.session.levels.close();
  inquiry.result.statistics =
      inquiry.search ? inquiry.search->statistics() : inquiry.session.levels.counts();
}

}  // namespace spillway
