#include "check/attempt.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/text/quantity.h"
#include "check/common_end.h"
#include "check/decided_search.h"
#include "check/graph/acceptance.h"
#include "check/graph/ctl.h"
#include "check/recount.h"
#include "check/session/short_rows.h"
#include "check/session/signals.h"

namespace spillway {
namespace {

bool was_requested(std::optional<Stop> stop) {
  return stop == Stop::time || stop == Stop::interrupted || stop == Stop::terminated;
}

// What carries it out on these ranks; nullptr: nothing can.
const Algorithm* shared_by(const Cluster& cluster, const Algorithm& algorithm) {
  return cluster.ranks() == 1 ? &algorithm : algorithm.on_ranks;
}

template <class T>
void append(const std::vector<T>& more, std::vector<T>& all) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

Attempt::Attempt(const Model& model, const Algorithm& algorithm, const CheckOptions& options,
                 const SessionOptions& of_session, Budget& budget, Disk& disk)
    : model_(model),
      algorithm_(algorithm),
      options_(options),
      budget_(budget),
      disk_(disk),
      durable_(options.journal),
      session_(model, of_session),
      crew_(options.session.threads) {
  products_ = without_products();
}

void Attempt::carry_out(std::optional<Attempt>& attempt, const std::function<void()>& begin) {
  do begin();
  while (!attempt->carry_out_or_fail());
}

bool Attempt::carry_out_or_fail() {
  try {
    carry_out();
    return true;
  } catch (const Error& error) {
    // On this rank or another one: all know, and begin again.  Journal::agree() will tell why.
    if (!ending_.damage.empty()) return false;
    fail(error);
    if (error.fault() == Fault::lost) return true;
  } catch (const Cluster::Left&) {
    // another rank says what has failed
  } catch (const std::bad_alloc&) {
    fail(Fault::system, "the system is out of memory: use a smaller --memory");
  } catch (const std::exception& error) {
    fail(Fault::internal, std::string("internal error: ") + error.what());
  }
  end_with_others();
  return true;
}

void Attempt::carry_out() {
  refuse_what_cannot_be_done();
  search_and_meet();
  if (ending_.fault) return;
  if (!ending_.damage.empty()) throw Error(Fault::integrity, ending_.damage);
  if (!search_) return;  // there was no room for it
  stock_ = save_and_count();
  note(stock_.stop);
  products_ = without_products();
  shown_.findings = session_.findings.all();
  shown_ = show(shown_.findings);
  search_products();
}

// Throws Error(usage) if the algorithm cannot do what it is asked for.
void Attempt::refuse_what_cannot_be_done() const {
  const unsigned ranks = session_.cluster.ranks();
  std::string why =
      why_not({options_.session.limits, options_.signatures.bits != 0, options_.journal != nullptr,
               ranks, &model_, options_.ignored, options_.ctl},
              algorithm_);
  if (why.empty() && options_.wants_runs()) why = why_not({.ranks = ranks}, for_products());
  if (!why.empty()) throw Error(Fault::usage, why);
}

// All ranks know afterwards how the search of each has ended.  If one cannot go on, the others stop
// their search.
void Attempt::search_and_meet() {
  Cluster& cluster = session_.cluster;
  try {
    durable_.agree(cluster);
    search_and_decide();
  } catch (const Cluster::Left&) {
  } catch (const Error& error) {
    if (error.fault() == Fault::lost) throw;
    if (has_fallen_back(error))
      ending_.damage = error.what();
    else
      fail(error);
  } catch (const std::bad_alloc&) {
    fail(Fault::system, "the system is out of memory: use a smaller --memory");
  }
  if (ending_.stop == Stop::lost) throw Error(Fault::lost, ending_.no_room);
  note(session_.lookout.stop());
  if (!ending_.search_returned || !ending_.goals_decided) cluster.leave();
  meet(session_, ending_);
}

// Something has failed after the search, here or on another rank: all end for the same reason, and
// none shows what another one may not have.
void Attempt::end_with_others() {
  if (session_.cluster.ranks() > 1) drop_findings();
  try {
    leave_and_meet(session_, ending_);
  } catch (const Error& error) {
    fail(error);
  }
}

// The log is damaged, and there is a checkpoint before the one that it shows in.
bool Attempt::has_fallen_back(const Error& error) const {
  return error.fault() == Fault::integrity && durable_.fall_back(error.what());
}

// An error has ended it.
void Attempt::fail(const Error& error) {
  const std::optional<Stop> limit = limit_behind(error, session_);
  if (!limit) return fail(error.fault(), error.what());
  ending_.stop = limit;
  ending_.no_room = error.what();
  drop_findings();
}

void Attempt::fail(Fault fault, std::string sentence) {
  ending_.fault = fault;
  ending_.fault_sentence = std::move(sentence);
}

// The first reason to stop counts.
void Attempt::note(std::optional<Stop> stop) {
  if (!ending_.stop) ending_.stop = stop;
}

// What was found cannot be shown.
void Attempt::drop_findings() {
  for (Shown* const shown : {&shown_, &products_.shown}) {
    shown->dropped = shown->dropped || !shown->findings.empty();
    shown->findings.clear();
    shown->traces.clear();
  }
}

void Attempt::enter(Watch::Stage stage) {
  if (options_.watch != nullptr)
    options_.watch->enter(stage, &session_);
  else if (stage == Watch::Stage::saving)
    stop_request::withdraw();
}

// Search and decide -------------------------------------------------------------------------------

void Attempt::search_and_decide() {
  if (may_shorten_rows()) shorten_rows();
  const SearchContext context{session_,
                              budget_,
                              crew_,
                              disk_,
                              options_.signatures,
                              checkpoints_of_search(),
                              looks_for_cycles(),
                              options_.hash_on_disk,
                              options_.minimal};
  if (durable_.was_decided())
    search_ = std::make_unique<DecidedSearch>(context);
  else
    search_ = shared_by(session_.cluster, algorithm_)->make(context);
  try {
    search_states();
    const InPhase deciding(session_.lookout, Phase::deciding);
    decide();
  } catch (const Finished&) {
  } catch (const Cluster::Left&) {
  } catch (const Stopped&) {
    session_.lookout.note_stop(requested_stop().value_or(Stop::time));
  } catch (const Error& error) {
    ending_.stop = limit_behind(error, session_);
    if (!ending_.stop) throw;
    if (error.fault() != Fault::memory) ending_.no_room = error.what();
  }
  model_.quotient().complain();
}

// What needs states as they are: other ranks, cycles, and formulas.
bool Attempt::may_shorten_rows() const {
  return options_.short_rows && algorithm_.wide_words != 0 &&
         (options_.short_rows->narrow_states || model_.words() >= algorithm_.wide_words) &&
         session_.cluster.ranks() == 1 && !looks_for_cycles() && options_.ctl.empty() &&
         options_.signatures.bits == 0;
}

void Attempt::shorten_rows() {
  std::shared_ptr<PartedRows> rows = make_short_rows(model_, budget_, *options_.short_rows);
  if (!rows) return;
  session_.lookout.announce(fmt::format(
      "states of {} words are cut into {} parts, which have {} values so far: a row takes {} words",
      with_commas(model_.words()), rows->parts().size(), with_commas(rows->values()),
      rows->words()));
  session_.expanders.use(std::move(rows));
}

// Of states, whatever the search stores.
Checkpoints& Attempt::checkpoints_of_search() {
  const std::shared_ptr<PartedRows>& rows = session_.expanders.short_rows();
  return rows ? whole_log_.emplace(durable_.checkpoints(), rows) : durable_.checkpoints();
}

void Attempt::search_states() {
  enter(Watch::Stage::searching);
  durable_.resume(session_);
  search_->search();
  if (options_.verify) {
    const InPhase verifying(session_.lookout, Phase::verifying);
    verify_visited(session_, *search_);
  }
  ending_.search_returned = true;
  // States are missing where a rule has failed, and then all of them together decide nothing.
  if (std::ranges::any_of(session_.findings.all(), is_failure)) session_.lookout.finish({});
}

void Attempt::decide() {
  // A graph whose nodes are in the order of short rows means nothing to a process with others.
  Checkpoints& checkpoints =
      session_.expanders.short_rows() ? Checkpoints::none() : durable_.checkpoints().of_decisions();
  const GoalSettings how{options_.signatures.bits == 0, !options_.ignored.reachable, options_.ctl,
                         checkpoints};
  decide_goals(session_, *search_, budget_, crew_, own_disk(), how, goals_);
  if (decides_acceptance() && (search_->decides_acceptance() || session_.findings.empty())) {
    if (!search_->decides_acceptance())
      decide_acceptance(session_, *search_, budget_, crew_, own_disk(), options_.minimal,
                        checkpoints);
    goals_.acceptance = true;
  }
  ending_.goals_decided = true;
}

bool Attempt::looks_for_cycles() const {
  return model_.has_acceptance() && !options_.ignored.acceptance && options_.signatures.bits == 0;
}

// An algorithm that keeps no levels, or not all states, cannot.
bool Attempt::can_decide_cycles() const {
  return options_.signatures.bits == 0 &&
         (search_->decides_acceptance() || search_->level_reader() != nullptr);
}

bool Attempt::decides_acceptance() const { return looks_for_cycles() && can_decide_cycles(); }

bool Attempt::can_decide_runs() const {
  return options_.run_algorithm != nullptr || can_decide_cycles();
}

std::optional<Stop> limit_behind(const Error& error, const Session& session) {
  if (error.fault() == Fault::disk) return Stop::disk;
  if (error.fault() == Fault::lost) return Stop::lost;
  if (error.fault() == Fault::memory) return Stop::memory;
  if (error.fault() == Fault::usage && session.expansions() != 0) return Stop::memory;
  return std::nullopt;
}

// Save and count ----------------------------------------------------------------------------------

Attempt::Stock Attempt::save_and_count() {
  Stock stock;
  if (was_requested(session_.lookout.stop())) enter(Watch::Stage::saving);
  const InPhase saving(session_.lookout, Phase::saving);
  stock.not_saved = durable_.save(session_, *search_, is_final());
  stock.stop = session_.lookout.stop();
  session_.add_up_expansions();
  stock.obligations = search_->obligations();
  stock.decides_acceptance = decides_acceptance();
  note_covered(session_, goals_);
  if (algorithm_.in_levels || ending_.search_returned)
    stock.coverage =
        model_.description().coverage(agree_on(session_.cluster, session_.expanders.observed()));
  stock.unchecked = left_unchecked();
  statistics_ = counted();
  count_once(*search_, *statistics_);
  if (options_.signatures.bits != 0)
    stock.omission_bound =
        omission_bound(options_.signatures.bits, std::max<std::uint64_t>(1, statistics_->states));
  return stock;
}

std::vector<std::string> Attempt::left_unchecked() const {
  std::vector<std::string> all;
  if (!options_.ignored.acceptance) {
    for (const Unchecked& property : model_.unchecked()) all.push_back(property.name);
    if (model_.has_acceptance() && !decides_acceptance())
      all.push_back(*model_.acceptance().property());
  }
  if (!can_decide_runs())
    for (const RunCheck& run : options_.runs)
      if (run.kind != PropertyKind::acceptance) all.push_back(run.name);
  return all;
}

bool Attempt::is_final() const {
  return ending_.search_returned && ending_.goals_decided && options_.runs.empty();
}

bool Attempt::has_found_nothing() const {
  const Evidence all = evidence();
  return is_final() && all.findings.empty() && !all.stop && !all.fault;
}

// With or without a search.
Statistics Attempt::counted() {
  session_.levels.close();
  Statistics all = search_ ? search_->statistics() : session_.levels.counts();
  all.in_levels = algorithm_.in_levels;
  return all;
}

std::uint64_t Attempt::initial_states() const {
  const bool in_levels = statistics_ && statistics_->in_levels && !statistics_->levels.empty();
  const std::uint64_t counted = in_levels ? statistics_->levels[0].states : 0;
  return counted != 0 ? counted : session_.expanders.initial_states();
}

// Together ----------------------------------------------------------------------------------------

Evidence Attempt::evidence() const {
  Evidence all;
  all.search_returned = ending_.search_returned;
  all.goals_decided = ending_.goals_decided && products_.decided;
  all.cover_open = goals_.cover_open;
  all.stop = ending_.stop ? ending_.stop : products_.stop;
  all.fault = ending_.fault ? ending_.fault : products_.fault;
  all.fault_sentence = ending_.fault ? ending_.fault_sentence : products_.fault_sentence;
  all.findings = shown_.findings;
  append(products_.shown.findings, all.findings);
  all.traces_confirmed = shown_.confirmed && products_.shown.confirmed;
  all.untraced = shown_.dropped || products_.shown.dropped;
  all.unchecked = products_.unchecked;
  all.initial_states = initial_states();
  all.expanded = session_.expansions();
  all.obligations = stock_.obligations;
  append(products_.obligations, all.obligations);
  all.omission_bound = stock_.omission_bound;
  return all;
}

CheckResult Attempt::result() {
  if (!statistics_) statistics_ = counted();
  const auto later = [](const std::string& of_products, const std::string& own) {
    return of_products.empty() ? own : of_products;
  };
  CheckResult result;
  result.verdict = judge(evidence());
  result.no_room = later(products_.no_room, ending_.no_room);
  result.not_saved = later(products_.not_saved, stock_.not_saved);
  result.untraced = later(products_.shown.untraced, shown_.untraced);
  result.statistics = *std::move(statistics_);
  result.runs = std::move(products_.runs);
  for (const ltl::NamedCtl& formula : options_.ctl) result.ctl.push_back(formula.name);
  result.decides_acceptance = stock_.decides_acceptance;
  result.traces = std::move(shown_.traces);
  std::ranges::move(products_.shown.traces, std::back_inserter(result.traces));
  result.goals = std::move(goals_);
  result.coverage = std::move(stock_.coverage);
  result.ignored = options_.ignored;
  result.seconds = seconds();
  result.earlier_seconds = session_.earlier_seconds() + products_.earlier_seconds;
  result.earlier_states = session_.levels.earlier_states();
  return result;
}

}  // namespace spillway
