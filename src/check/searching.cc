#include "check/searching.h"

#include <algorithm>

#include "base/error.h"
#include "check/acceptance.h"
#include "check/around_search.h"
#include "check/decided_search.h"

namespace spillway {
namespace {

bool looks_for_cycles(const Inquiry& inquiry) {
  return inquiry.session.model.acceptance() && !inquiry.options.ignored.acceptance &&
         inquiry.options.signatures.bits == 0;
}

// Several ranks decide again what was being decided.
Journal* journal_of_decisions(const Inquiry& inquiry) {
  return inquiry.session.cluster == nullptr ? inquiry.options.journal : nullptr;
}

// Where decisions may go when memory is full.
Disk* own_disk(const Inquiry& inquiry) {
  return inquiry.algorithm.uses_disk ? &inquiry.disk : nullptr;
}

}  // namespace

void search_and_decide(Inquiry& inquiry) {
  const CheckOptions& options = inquiry.options;
  Session& session = inquiry.session;
  const SearchContext context{session,
                              inquiry.budget,
                              inquiry.crew,
                              inquiry.disk,
                              options.signatures,
                              options.journal,
                              looks_for_cycles(inquiry),
                              options.hash_on_disk,
                              options.minimal};
  if (options.journal != nullptr && options.journal->was_decided())
    inquiry.search = std::make_unique<DecidedSearch>(context);
  else
    inquiry.search = inquiry.algorithm.make(context);
  try {
    inquiry.enter(Watch::Stage::searching);
    if (options.journal != nullptr) resume(session, *options.journal);
    inquiry.search->search();
    if (options.verify) {
      const InPhase verifying(session.lookout, Phase::verifying);
      verify_visited(session, *inquiry.search);
    }
    inquiry.evidence.search_returned = true;
    // States are missing where a rule has failed, and then all of them together decide nothing.
    if (std::ranges::any_of(session.findings.all(), is_failure)) session.lookout.finish({});
    const InPhase deciding(session.lookout, Phase::deciding);
    const GoalSettings how{options.signatures.bits == 0, !options.ignored.reachable, options.ctl,
                           journal_of_decisions(inquiry)};
    decide_goals(session, *inquiry.search, inquiry.budget, inquiry.crew, own_disk(inquiry), how,
                 inquiry.result.goals);
    if (decides_acceptance(inquiry) &&
        (inquiry.search->decides_acceptance() || session.findings.empty())) {
      if (!inquiry.search->decides_acceptance())
        decide_acceptance(session, *inquiry.search, inquiry.budget, inquiry.crew, own_disk(inquiry),
                          options.minimal, journal_of_decisions(inquiry));
      inquiry.result.goals.acceptance = true;
    }
    inquiry.evidence.goals_decided = true;
  } catch (const Finished&) {
  } catch (const Cluster::Left&) {
  } catch (const Stopped&) {
    session.lookout.note_stop(requested_stop().value_or(Stop::time));
  } catch (const Error& error) {
    inquiry.evidence.stop = limit_behind(error, session);
    if (!inquiry.evidence.stop) throw;
    if (error.fault() != Fault::memory) inquiry.result.no_room = error.what();
  }
  session.model.complain();
}

namespace {

// An algorithm that keeps no levels, or not all states, cannot.
bool can_decide_cycles(const Inquiry& inquiry) {
  return inquiry.options.signatures.bits == 0 &&
         (inquiry.search->decides_acceptance() || inquiry.search->level_reader() != nullptr);
}

}  // namespace

bool decides_acceptance(const Inquiry& inquiry) {
  return inquiry.session.model.acceptance() && !inquiry.options.ignored.acceptance &&
         can_decide_cycles(inquiry);
}

bool can_decide_runs(const Inquiry& inquiry) {
  return inquiry.options.run_algorithm != nullptr || can_decide_cycles(inquiry);
}

std::optional<Stop> limit_behind(const Error& error, const Session& session) {
  if (error.fault() == Fault::disk) return Stop::disk;
  if (error.fault() == Fault::lost) return Stop::lost;
  if (error.fault() == Fault::memory) return Stop::memory;
  if (error.fault() == Fault::usage && session.expansions() != 0) return Stop::memory;
  return std::nullopt;
}

}  // namespace spillway
