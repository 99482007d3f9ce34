#include "check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "base/error.h"
#include "base/machine.h"
#include "base/printable.h"
#include "base/quantity.h"
#include "check/acceptance.h"
#include "check/ctl.h"
#include "check/decided_search.h"
#include "check/meeting.h"
#include "check/product_journal.h"
#include "check/signals.h"
#include "io/memory_disk.h"

namespace spillway {
namespace {

std::string_view kind_word(FindingKind kind) {
  switch (kind) {
    case FindingKind::invariant: return "invariant";
    case FindingKind::assertion: return "assertion";
    case FindingKind::deadlock: return "deadlock";
    case FindingKind::runtime_error: return "runtime-error";
    case FindingKind::cover: return "cover";
    case FindingKind::reachable: return "reachable";
    case FindingKind::acceptance: return "acceptance";
    case FindingKind::ctl: return "ctl";
  }
  return "";
}

FindingKind finding_kind(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::invariant: return FindingKind::invariant;
    case PropertyKind::assertion: return FindingKind::assertion;
    case PropertyKind::cover: return FindingKind::cover;
    case PropertyKind::reachable: return FindingKind::reachable;
  }
  return FindingKind::invariant;
}

// What the search has kept must be what was expanded.
void verify_visited(const Session& session, Search& search) {
  Digest digest;
  std::uint64_t states = 0;
  const bool enumerated = search.each_visited([&](State state) {
    stop_request::obey();
    digest.add(state);
    ++states;
  });
  if (!enumerated) return session.lookout.announce("this search keeps no visited set to verify");
  Statistics expanded = search.statistics();
  if (session.cluster != nullptr) {
    expanded = {};
    for (const Level& level : session.levels.own_levels()) expanded.add(level);
  }
  if (states != expanded.states || states != search.stored() || digest != expanded.digest)
    throw Error(Fault::integrity,
                fmt::format("the visited set has {} different states with the digest {}, but {} "
                            "were stored, and {} with the digest {} were expanded",
                            with_commas(states), digest.hex(), with_commas(search.stored()),
                            with_commas(expanded.states), expanded.digest.hex()));
  session.lookout.announce(
      fmt::format("verified: the {} states of the visited set are those that were expanded",
                  with_commas(states)));
}

// Counts each state once, where it was first found.
void count_once(Search& search, Statistics& statistics) {
  const std::optional<std::vector<Level>> once = search.levels_once();
  if (!once) return;
  SPILLWAY_CHECK(once->size() == statistics.levels.size());
  Statistics counted;
  for (std::size_t i = 0; i < once->size(); ++i) {
    Level level = (*once)[i];
    level.transitions = statistics.levels[i].transitions;
    statistics.revisits += statistics.levels[i].states - level.states;
    counted.add(level);
  }
  while (!counted.levels.empty() && counted.levels.back().states == 0) counted.levels.pop_back();
  statistics.levels = counted.levels;
  statistics.states = counted.states;
  statistics.digest = counted.digest;
}

// Resumes from the newest checkpoint, if there is one.
void resume(Session& session, Journal& journal) {
  const std::optional<Manifest>& from = journal.resumed();
  const Lookout& lookout = session.lookout;
  for (const std::string& why : journal.rejected()) lookout.announce("checkpoint skipped: " + why);
  if (!journal.doubt().empty()) lookout.announce(journal.doubt());
  if (!from && !journal.rejected().empty())
    lookout.announce("no checkpoint is intact: the search begins again");
  if (!from) return;
  lookout.announce(
      fmt::format("resuming from checkpoint {}: {} states in {} levels, {} in the next",
                  from->generation, with_commas(from->states()), with_commas(from->levels.size()),
                  with_commas(from->level_states)));
  session.restore(*from);
}

// Makes a last checkpoint, of all completed levels.  Returns why there is none, if there should be
// one.
std::string save(const Session& session, Search& search, Journal& journal, bool final) {
  if (final && !journal.wants_complete()) return "";
  Cluster* const cluster = session.cluster;
  const auto on_any = [&](bool own) { return cluster == nullptr ? own : cluster->any(own); };
  if (!on_any(!journal.has_all_of(session))) return "";
  const Levels& levels = session.levels;
  if (on_any(levels.discarding()) || (levels.counts().levels.empty() && levels.level_states() == 0))
    return "";
  try {
    search.complete_journal();
    journal.commit(session);
    return "";
  } catch (const Cluster::Left&) {
    cluster->leave();
    return "another rank could not save its part";
  } catch (const Error& error) {
    if (error.fault() == Fault::lost) throw;
    if (cluster != nullptr) cluster->leave();
    return error.what();
  }
}

// The end of memory or disk is a limit like others, and once a search has begun the command line is
// not what is wrong.
std::optional<Stop> limit_behind(const Error& error, const Session& session) {
  if (error.fault() == Fault::disk) return Stop::disk;
  if (error.fault() == Fault::lost) return Stop::lost;
  if (error.fault() == Fault::memory) return Stop::memory;
  if (error.fault() == Fault::usage && session.expansions() != 0) return Stop::memory;
  return std::nullopt;
}

bool was_requested(std::optional<Stop> stop) {
  return stop == Stop::time || stop == Stop::interrupted || stop == Stop::terminated;
}

// What the search of a product adds to that of the model.
void add_run(std::size_t run, const Model& product, CheckResult found, CheckResult& result) {
  result.runs[run].product = std::move(found.statistics);
  result.runs[run].searchable = found.decides_acceptance || !product.acceptance();
  if (!found.no_room.empty()) result.no_room = found.no_room;
  if (!found.not_saved.empty()) result.not_saved = found.not_saved;
  result.earlier_seconds += found.earlier_seconds;
  result.runs[run].earlier_states = found.earlier_states;
  if (!found.untraced.empty()) result.untraced = found.untraced;
  for (Trace& trace : found.traces) {
    trace.product = &product;
    trace.run = run;
    trace.run_kind = result.runs[run].kind;
    result.traces.push_back(std::move(trace));
  }
}
void add_run(const Evidence& found, Evidence& evidence) {
  if (found.stop) evidence.stop = found.stop;
  if (found.fault) {
    evidence.fault = found.fault;
    evidence.fault_sentence = found.fault_sentence;
  }
  evidence.findings.insert(evidence.findings.end(), found.findings.begin(), found.findings.end());
  // Without findings there was nothing to confirm.
  if (!found.findings.empty())
    evidence.traces_confirmed = evidence.traces_confirmed && found.traces_confirmed;
  evidence.untraced = evidence.untraced || found.untraced;
  if (found.findings.empty() && !found.stop)  // otherwise it need not be complete
    evidence.obligations.insert(evidence.obligations.end(), found.obligations.begin(),
                                found.obligations.end());
}

std::string not_on_ranks(const Algorithm& algorithm) {
  return fmt::format("--algorithm={} cannot be shared by several ranks: use auto or sorted-runs",
                     algorithm.name);
}

// For findings that say how to get there.
class NoLevels final : public LevelReader {
  void each_at_depth(std::uint64_t, const std::function<void(unsigned, State)>&) override {
    throw Error(Fault::internal, "internal error: a search that keeps no levels was asked for one");
  }
};

// One attempt at a check: search, save, count, trace.
class Attempt {
 public:
  Attempt(const Model& model, const Algorithm& algorithm, const CheckOptions& options,
          const SessionOptions& of_session, Budget& budget, Disk& disk)
      : algorithm_(algorithm),
        options_(options),
        budget_(budget),
        disk_(disk),
        session_(model, of_session) {
    for (const RunCheck& run : options.runs) result_.runs.push_back({run.name, run.kind});
    for (const ltl::NamedCtl& formula : options.ctl) result_.ctl.push_back(formula.name);
  }

  CheckResult result() {
    if (!counted_) count();
    const std::vector<Level>& levels = result_.statistics.levels;
    evidence_.expanded = session_.expansions();
    evidence_.initial_states =
        levels.empty() || !result_.statistics.in_levels ? 0 : levels[0].states;
    if (evidence_.initial_states == 0)
      evidence_.initial_states = session_.expanders.initial_states();
    result_.verdict = judge(evidence_);
    result_.ignored = options_.ignored;
    result_.seconds = session_.lookout.seconds();
    result_.earlier_seconds = session_.earlier_seconds();
    result_.earlier_states = session_.levels.earlier_states();
    return std::move(result_);
  }

  double seconds() const { return session_.lookout.seconds(); }

  // Carries out attempts until one does not have to begin again.  There are two reasons to: damage
  // in the log shows only while it is read, and then the checkpoint before counts; and accepting
  // cycles can be looked for by another algorithm where memory has not sufficed.  begin() makes the
  // next attempt, instead of the one before.
  using Begin = std::function<void(const Algorithm&)>;
  static void carry_out(std::optional<Attempt>& attempt, const Algorithm& algorithm,
                        const Begin& begin);

 private:
  // What fails is part of the result.  False: it is to be begun again, from an older checkpoint.
  bool carry_out_or_fail();

  void carry_out() {
    if (const std::string why = why_not_on_ranks(); !why.empty()) throw Error(Fault::usage, why);
    if (const std::string why = why_not_several_errors(options_.session.limits, session_.model,
                                                       algorithm_, options_.ignored.acceptance);
        !why.empty())
      throw Error(Fault::usage, why);
    if (const std::string why = why_goals_cannot_be_decided(session_.model, algorithm_);
        !options_.ignored.reachable && !why.empty())
      throw Error(Fault::usage, why);
    if (const std::string why = why_ctl_cannot_be_decided(options_.ctl, algorithm_); !why.empty())
      throw Error(Fault::usage, why);
    const bool with_acceptance = session_.model.acceptance() && !options_.ignored.acceptance &&
                                 options_.signatures.bits == 0;
    const SearchContext context{session_,
                                budget_,
                                crew_,
                                disk_,
                                options_.signatures,
                                options_.journal,
                                with_acceptance,
                                options_.hash_on_disk,
                                options_.minimal};
    if (session_.cluster != nullptr) {
      search_on_ranks(context);
      if (evidence_.fault) return;
      if (!damage_.empty()) throw Error(Fault::integrity, damage_);
    } else {
      search(context);
    }
    save_and_count();
    trace();
    check_runs();
  }

  std::string why_not_on_ranks() const {
    if (session_.cluster == nullptr) return "";
    if (!algorithm_.on_ranks) return not_on_ranks(algorithm_);
    if (!options_.ignored.acceptance && !options_.runs.empty() && !for_products().on_ranks)
      return not_on_ranks(for_products());
    return "";
  }

  // However a rank ends its search, all of them know how afterwards.  If one cannot go on, the
  // others leave what they are doing.
  void search_on_ranks(const SearchContext& context) {
    Cluster& cluster = *session_.cluster;
    try {
      if (options_.journal != nullptr) options_.journal->agree(cluster);
      search(context);
    } catch (const Cluster::Left&) {
    } catch (const Error& error) {
      if (error.fault() == Fault::lost) throw;
      if (has_fallen_back(error))
        damage_ = error.what();
      else
        fail(error);
    } catch (const std::bad_alloc&) {
      fail(Fault::system, "the system is out of memory: use a smaller --memory");
    }
    if (evidence_.stop == Stop::lost) throw Error(Fault::lost, result_.no_room);
    if (!evidence_.stop) evidence_.stop = session_.lookout.stop();
    if (!evidence_.search_returned || !evidence_.goals_decided) cluster.leave();
    meet(session_, ending());
  }
  KnownEnding ending() { return {evidence_, result_.no_room, damage_}; }

  // Something has failed after the search, here or on another rank: all end for the same reason.
  void end_with_others() {
    evidence_.untraced = evidence_.untraced || !evidence_.findings.empty();
    evidence_.findings.clear();
    result_.traces.clear();
    try {
      leave_and_meet(session_, ending());
    } catch (const Error& error) {
      fail(error);
    }
  }

  // The log is damaged, and there is a checkpoint before the one that it shows in.
  bool has_fallen_back(const Error& error) {
    return error.fault() == Fault::integrity && options_.journal != nullptr &&
           options_.journal->fall_back(error.what());
  }

  // An error has ended it.
  void fail(const Error& error) {
    const std::optional<Stop> limit = limit_behind(error, session_);
    if (!limit) return fail(error.fault(), error.what());
    evidence_.stop = limit;
    evidence_.untraced = !evidence_.findings.empty();
    evidence_.findings.clear();
    result_.traces.clear();
    result_.no_room = error.what();
  }
  void fail(Fault fault, std::string sentence) {
    evidence_.fault = fault;
    evidence_.fault_sentence = std::move(sentence);
  }

  // What is to begin again, because memory has not sufficed; nullptr: nothing is.
  const Algorithm* beyond_memory() const {
    const bool decides = session_.model.acceptance() && !options_.ignored.acceptance &&
                         options_.signatures.bits == 0 && options_.journal == nullptr;
    return decides && evidence_.stop == Stop::memory && evidence_.findings.empty() &&
                   session_.cluster == nullptr
               ? algorithm_.beyond_memory
               : nullptr;
  }
  void say_again(const Algorithm& next) const {
    session_.lookout.announce(
        fmt::format("memory is full at {} states: beginning again with {}, on disk where needed",
                    with_commas(session_.expansions()), next.name));
  }

  void enter(Watch::Stage stage) {
    if (options_.watch != nullptr)
      options_.watch->enter(stage, &session_);
    else if (stage == Watch::Stage::saving)
      stop_request::withdraw();
  }

  void search(const SearchContext& context) {
    if (options_.journal != nullptr && options_.journal->was_decided())
      search_ = std::make_unique<DecidedSearch>(context);
    else
      search_ = algorithm_.make(context);
    try {
      enter(Watch::Stage::searching);
      if (options_.journal != nullptr) resume(session_, *options_.journal);
      search_->search();
      if (options_.verify) {
        const InPhase verifying(session_.lookout, Phase::verifying);
        verify_visited(session_, *search_);
      }
      evidence_.search_returned = true;
      // States are missing where a rule has failed, and then all of them together decide nothing.
      if (std::ranges::any_of(session_.findings.all(), is_failure)) session_.lookout.finish({});
      const InPhase deciding(session_.lookout, Phase::deciding);
      const GoalSettings how{options_.signatures.bits == 0, !options_.ignored.reachable,
                             options_.ctl, journal_of_decisions()};
      decide_goals(session_, *search_, budget_, crew_, own_disk(), how, result_.goals);
      if (decides_acceptance() && (search_->decides_acceptance() || session_.findings.empty())) {
        if (!search_->decides_acceptance())
          decide_acceptance(session_, *search_, budget_, crew_, own_disk(), options_.minimal,
                            journal_of_decisions());
        result_.goals.acceptance = true;
      }
      evidence_.goals_decided = true;
    } catch (const Finished&) {
    } catch (const Cluster::Left&) {
    } catch (const Stopped&) {
      session_.lookout.note_stop(requested_stop().value_or(Stop::time));
    } catch (const Error& error) {
      evidence_.stop = limit_behind(error, session_);
      if (!evidence_.stop) throw;
      if (error.fault() != Fault::memory) result_.no_room = error.what();
    }
    session_.model.complain();
  }

  // Several ranks decide again what was being decided.
  Journal* journal_of_decisions() const {
    return session_.cluster == nullptr ? options_.journal : nullptr;
  }

  void save_and_count() {
    if (was_requested(session_.lookout.stop())) enter(Watch::Stage::saving);
    const InPhase saving(session_.lookout, Phase::saving);
    if (options_.journal != nullptr)
      result_.not_saved = save(session_, *search_, *options_.journal, is_final());
    if (!evidence_.stop) evidence_.stop = session_.lookout.stop();
    evidence_.findings = session_.findings.all();
    evidence_.max_errors = options_.session.limits.max_errors;
    session_.add_up_expansions();
    evidence_.obligations = search_->obligations();
    result_.decides_acceptance = session_.model.acceptance() && can_decide_acceptance();
    note_covered(session_, result_.goals);
    evidence_.cover_open = result_.goals.cover_open;
    if (algorithm_.in_levels || evidence_.search_returned)
      result_.coverage = session_.model.coverage(observed());
    if (!options_.ignored.acceptance) {
      for (const Unchecked& property : session_.model.unchecked())
        evidence_.unchecked.push_back(property.name);
      if (session_.model.acceptance() && !decides_acceptance())
        evidence_.unchecked.push_back(*session_.model.acceptance());
    }
    if (!options_.ignored.acceptance && !can_decide_runs()) leave_runs_unchecked();
    count();
    count_once(*search_, result_.statistics);
    result_.statistics.in_levels = algorithm_.in_levels;
    if (options_.signatures.bits != 0)
      evidence_.omission_bound = omission_bound(
          options_.signatures.bits, std::max<std::uint64_t>(1, result_.statistics.states));
  }

  // By all ranks.
  Observed observed() const {
    const Observed& own = session_.expanders.observed();
    return session_.cluster == nullptr ? own : agree_on(*session_.cluster, own);
  }

  // Nothing is left to do that a later process could resume.
  bool is_final() const {
    return evidence_.search_returned && evidence_.goals_decided && options_.runs.empty();
  }

  void leave_runs_unchecked() {
    for (RunResult& run : result_.runs) {
      run.searchable = false;
      if (run.kind != kind_word(FindingKind::acceptance)) evidence_.unchecked.push_back(run.name);
    }
  }

  void check_runs() {
    // Only if the model itself is done, and nothing is wrong with it but a formula.
    if (result_.runs.empty() || !result_.runs.front().searchable || options_.ignored.acceptance ||
        !evidence_.search_returned || !evidence_.goals_decided ||
        !std::ranges::all_of(evidence_.findings, is_of_formula))
      return;
    search_.reset();
    for (std::size_t i = 0; i < options_.runs.size() && !evidence_.stop && !evidence_.fault; ++i)
      search_product(i);
    for (const RunResult& run : result_.runs)
      evidence_.goals_decided = evidence_.goals_decided && (run.decided || !run.searchable);
  }

  // Its states are not those of the model, so it takes a search and a journal of its own.
  void search_product(std::size_t run) {
    session_.lookout.announce(
        options_.runs[run].kind == kind_word(FindingKind::acceptance)
            ? "nothing is wrong with the system: searching it together with its property process"
            : fmt::format("searching for a run that violates {}",
                          printable(options_.runs[run].name)));
    const Model* product = nullptr;
    try {
      product = &options_.runs[run].product();
    } catch (const Stopped&) {  // while it was being compiled
      evidence_.stop = requested_stop().value_or(Stop::time);
    }
    if (session_.cluster != nullptr)
      evidence_.stop = agree_on_stop(*session_.cluster, evidence_.stop);
    if (!evidence_.stop) search(run, *product);
  }

  const Algorithm& for_products() const {
    return options_.run_algorithm != nullptr ? *options_.run_algorithm : algorithm_;
  }

  CheckOptions options_of_product() const {
    CheckOptions options = options_;
    options.runs.clear();
    options.ctl.clear();
    options.journal = nullptr;
    options.session.deadlock = Deadlock::off;
    options.session.limits.max_errors = 1;
    options.session.limits.timeout_seconds -= seconds();
    return options;
  }

  void search(std::size_t run, const Model& product) {
    const Algorithm& first = for_products();
    CheckOptions options = options_of_product();
    std::optional<ProductJournal> kept;
    // Several ranks search a product again that was not decided.
    if (options_.journal != nullptr && first.durable && session_.cluster == nullptr)
      options.journal = &kept.emplace(*options_.journal, run, product.words()).journal();
    std::optional<Budget> rest;
    std::optional<Attempt> attempt;
    const auto begin = [&](const Algorithm& algorithm) {
      if (attempt) {
        enter(Watch::Stage::tracing);  // the session of the product ends
        options.session.limits.timeout_seconds -= attempt->seconds();
        attempt.reset();
      }
      rest.emplace(budget_, budget_.limit() - (kept ? options.journal->budget_bytes() : 0));
      attempt.emplace(product, algorithm, options, options.session, *rest, disk_);
    };
    try {
      carry_out(attempt, first, begin);
    } catch (...) {
      enter(Watch::Stage::tracing);
      throw;
    }
    enter(Watch::Stage::tracing);
    if (kept && attempt->has_found_nothing()) kept->decide(attempt->session_);
    add(run, product, *attempt);
  }

  // It is complete, and nothing is wrong.
  bool has_found_nothing() const {
    return is_final() && evidence_.findings.empty() && !evidence_.stop && !evidence_.fault;
  }

  void add(std::size_t run, const Model& product, Attempt& attempt) {
    CheckResult found = attempt.result();
    // What was found and cannot be shown is open.
    const bool is_open = !attempt.session_.findings.empty() && found.traces.empty();
    result_.runs[run].decided =
        !is_open &&
        ((product.acceptance() ? found.goals.acceptance : attempt.evidence_.goals_decided) ||
         std::ranges::any_of(found.traces, [](const Trace& trace) {
           return trace.finding.kind == FindingKind::acceptance;
         }));
    if (result_.runs[run].kind == kind_word(FindingKind::acceptance)) {
      if (attempt.evidence_.goals_decided) evidence_.unchecked = attempt.evidence_.unchecked;
    } else {
      for (const std::string& name : attempt.evidence_.unchecked)
        evidence_.unchecked.push_back(name);
    }
    add_run(run, product, std::move(found), result_);
    add_run(attempt.evidence_, evidence_);
  }

  // Where decisions may go when memory is full.
  Disk* own_disk() const { return algorithm_.uses_disk ? &disk_ : nullptr; }
  // An algorithm that keeps no levels, or not all states, cannot.
  bool can_decide_acceptance() const {
    return !options_.ignored.acceptance && options_.signatures.bits == 0 &&
           (search_->decides_acceptance() || search_->level_reader() != nullptr);
  }
  bool decides_acceptance() const { return session_.model.acceptance() && can_decide_acceptance(); }
  // Products have an algorithm of their own, or the same.
  bool can_decide_runs() const {
    return options_.run_algorithm != nullptr || can_decide_acceptance();
  }

  void count() {
    counted_ = true;
    session_.levels.close();
    result_.statistics = search_ ? search_->statistics() : session_.levels.counts();
  }

  // No rank goes on before all have their traces, or know that there will be none.
  void trace() {
    enter(Watch::Stage::tracing);
    const InPhase tracing(session_.lookout, Phase::tracing);
    std::string_view why = "but there was no time for a counterexample. Allow more time.";
    try {
      if (!evidence_.findings.empty() && is_not_loaded(*search_)) {
        why =
            "by an earlier process, but this one ended before it had read the states again. "
            "Raise the limit that ended it.";
        throw Stopped{};
      }
      make_traces();
      if (session_.cluster != nullptr) session_.cluster->sum(0);
      return;
    } catch (const Stopped&) {
      give_up_traces(why);
    } catch (const Cluster::Left&) {
      give_up_traces(why);
    }
    if (session_.cluster != nullptr) leave_and_meet(session_, ending());
  }

  void make_traces() {
    if (search_->level_reader() == nullptr && std::ranges::any_of(evidence_.findings, needs_levels))
      search_and_trace_again();
    else
      for (const Finding& finding : evidence_.findings) add_trace(*search_, finding);
    evidence_.traces_confirmed = true;
  }

  // Up to the level after it, no state is missing.
  std::uint64_t least_failure_depth() const {
    std::uint64_t least = kUnlimited;
    for (const Finding& finding : evidence_.findings)
      if (is_failure(finding)) least = std::min(least, finding.depth);
    return least;
  }

  static bool has_trace(const Finding& finding) { return finding.kind != FindingKind::cover; }
  static bool is_of_formula(const Finding& finding) { return finding.kind == FindingKind::ctl; }

  // The way to it is not known.
  static bool needs_levels(const Finding& finding) {
    return has_trace(finding) &&
           (finding.kind != FindingKind::acceptance || finding.stem.size() != finding.depth);
  }

  // It was stopped before it had all states of the checkpoint, and knows what was found in them.
  bool is_not_loaded(const Search& search) const {
    if (options_.journal == nullptr || !options_.journal->resumed()) return false;
    const Manifest& from = *options_.journal->resumed();
    return search.stored() < from.states() + from.level_states;
  }

  void add_trace(Search& of, const Finding& finding) {
    if (!has_trace(finding)) return result_.traces.push_back({finding, {}, true});
    NoLevels none;
    LevelReader* const levels = of.level_reader();
    Trace trace = make_trace(session_.model, options_.session.deadlock,
                             levels != nullptr ? *levels : none, crew_, finding, session_.cluster);
    if (is_of_formula(finding) &&
        !complete_ctl_trace(options_.ctl[finding.property], session_.model, trace))
      throw Error(Fault::internal, "the counterexample of a CTL formula does not violate it");
    if (finding.depth > least_failure_depth()) trace.shortest = false;
    result_.traces.push_back(std::move(trace));
  }

  // Finds the violations of a search that keeps no levels again, by one that does.  A limit may
  // come before.
  void search_and_trace_again() {
    search_.reset();
    SessionOptions plain;
    plain.threads = options_.session.threads;
    plain.deadlock = options_.session.deadlock;
    plain.limits.timeout_seconds = options_.session.limits.timeout_seconds - seconds();
    Session again(session_.model, plain);
    const std::unique_ptr<Search> search = algorithm_.retrace->make({again, budget_, crew_, disk_});
    try {
      search->search();
    } catch (const Finished&) {
    }
    const std::vector<Finding>& found = again.findings.all();
    if (found.empty() && again.lookout.stop()) {
      evidence_.stop = again.lookout.stop();
      throw Stopped{};
    }
    const bool exact = algorithm_.in_levels && options_.signatures.bits == 0;
    if (found.empty() || (exact && found.front().depth != evidence_.findings.front().depth))
      throw Error(Fault::internal,
                  "a violation was found, but a second search did not find it again");
    evidence_.findings = found;
    result_.goals = {};  // a search without levels has seen other states
    note_covered(again, result_.goals);
    for (const Finding& finding : found) add_trace(*search, finding);
  }

  // Something is wrong, but what was to show it has been stopped.
  void give_up_traces(std::string_view why) {
    if (evidence_.findings.empty()) return;
    if (!evidence_.stop) evidence_.stop = requested_stop();
    evidence_.untraced = true;
    evidence_.findings.clear();
    result_.traces.clear();
    result_.untraced = fmt::format("A violation was found at depth {}, {}",
                                   with_commas(session_.findings.all().front().depth), why);
  }

  const Algorithm& algorithm_;
  const CheckOptions& options_;
  Budget& budget_;
  Disk& disk_;
  Session session_;
  Crew crew_{options_.session.threads};
  std::unique_ptr<Search> search_;
  bool counted_ = false;
  std::string damage_;  // in the log of a rank
  Evidence evidence_;
  CheckResult result_;
};

bool Attempt::carry_out_or_fail() {
  try {
    carry_out();
    return true;
  } catch (const Error& error) {
    if (!damage_.empty()) {  // on this rank or another one: all know, and begin again
      if (options_.journal->rejected().empty())  // those will be told
        session_.lookout.announce("checkpoint skipped: " + damage_);
      return false;
    }
    if (session_.cluster == nullptr && has_fallen_back(error)) return false;
    fail(error);
    if (error.fault() == Fault::lost) return true;
  } catch (const Cluster::Left&) {
    // another rank says what has failed
  } catch (const std::bad_alloc&) {
    fail(Fault::system, "the system is out of memory: use a smaller --memory");
  } catch (const std::exception& error) {
    fail(Fault::internal, std::string("internal error: ") + error.what());
  }
  if (session_.cluster != nullptr) end_with_others();
  return true;
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

void add_run_result(const CheckResult& result, std::size_t run, std::vector<PropertyResult>& all) {
  const RunResult& of = result.runs[run];
  PropertyResult& added = all.emplace_back();
  added.name = of.name;
  added.kind = of.kind;
  added.checked = of.searchable;
  added.ignored = result.ignored.acceptance;
  for (const Trace& trace : result.traces)
    if (trace.product != nullptr && trace.run == run &&
        trace.finding.kind == FindingKind::acceptance)
      added.trace = &trace;
  added.outcome =
      judge({FindingKind::acceptance, added.trace != nullptr, of.decided}, result.verdict);
}

// The run check of the model's property process; nullptr if there is none.
const RunResult* property_process(const CheckResult& result) {
  for (const RunResult& run : result.runs)
    if (run.kind == kind_word(FindingKind::acceptance)) return &run;
  return nullptr;
}

}  // namespace

double omission_bound(unsigned bits, std::uint64_t states) {
  const auto n = static_cast<double>(states);
  return n * (n + 1) / std::exp2(bits + 1);
}

std::string why_not_several_errors(const Limits& limits, const Model& model,
                                   const Algorithm& algorithm, bool without_acceptance) {
  if (limits.max_errors == 1) return "";
  if (algorithm.retrace != nullptr || !algorithm.in_levels)
    return fmt::format(
        "--max-errors: --algorithm={} keeps no levels, which several counterexamples need; use "
        "auto, ram or sorted-runs",
        algorithm.name);
  if (model.acceptance() && !without_acceptance)
    return "--max-errors: a search for accepting cycles ends with the first violation; leave them "
           "out with --ignore=acceptance";
  return "";
}

CheckResult unanswered(const Session* session, Stop why) {
  CheckResult result;
  Evidence evidence;
  evidence.stop = why;
  result.verdict = judge(evidence);
  if (session != nullptr) {
    result.statistics = session->levels.so_far();
    result.seconds = session->lookout.seconds();
  }
  result.peak_memory_bytes = peak_resident_bytes();
  return result;
}

CheckResult check(const Model& model, const Algorithm& algorithm, const CheckOptions& options) {
  const std::uint64_t journal_bytes =
      options.journal != nullptr ? options.journal->budget_bytes() : 0;
  Budget budget(options.memory_bytes - journal_bytes);
  MemoryDisk memory_disk;
  Disk& disk = options.disk != nullptr ? *options.disk : memory_disk;
  SessionOptions of_session = options.session;
  if (has_reachable(model) && !options.ignored.reachable)
    of_session.most_goal_states = most_goal_states(budget);

  std::optional<Attempt> attempt;
  const auto enter = [&](Watch::Stage stage) {
    if (options.watch != nullptr) options.watch->enter(stage, nullptr);
  };
  const auto begin = [&](const Algorithm& with) {
    if (attempt) {
      enter(Watch::Stage::preparing);  // before the session of the earlier attempt ends
      of_session.limits.timeout_seconds -= attempt->seconds();
    }
    attempt.emplace(model, with, options, of_session, budget, disk);
  };
  Attempt::carry_out(attempt, algorithm, begin);
  enter(Watch::Stage::ended);
  CheckResult result = attempt->result();
  result.statistics.disk_bytes_read = disk.counters().read_bytes;
  result.statistics.disk_bytes_written = disk.counters().written_bytes;
  result.budget_peak_bytes = budget.peak();
  result.peak_memory_bytes = peak_resident_bytes();
  if (options.session.cluster != nullptr) result.ranks = options.session.cluster->figures();
  return result;
}

std::vector<PropertyResult> CheckResult::properties(const Model& model, Deadlock deadlock) const {
  std::vector<PropertyResult> all;
  const auto add = [&](std::string name, FindingKind kind, PropertyIndex property) {
    PropertyResult& added = all.emplace_back();
    added.name = std::move(name);
    added.kind = kind_word(kind);
    for (const Trace& trace : traces)
      if (trace.finding.kind == kind && trace.finding.property == property &&
          (trace.product == nullptr || kind == FindingKind::runtime_error))
        added.trace = &trace;
    added.ignored = kind == FindingKind::reachable && ignored.reachable;
    const std::vector<bool>& ones = kind == FindingKind::ctl ? goals.ctl : goals.decided;
    const bool decided = kind == FindingKind::acceptance ? goals.acceptance
                                                         : property < ones.size() && ones[property];
    added.outcome = judge({kind, added.trace != nullptr, decided}, verdict);
  };
  for (PropertyIndex i = 0; i < model.properties().size(); ++i) {
    const Property& p = model.properties()[i];
    add(p.name, finding_kind(p.kind), i);
    all.back().line = p.line;
    all.back().column = p.column;
  }
  if (deadlock != Deadlock::off) add("no deadlock", FindingKind::deadlock, 0);
  add("no run-time error", FindingKind::runtime_error, 0);
  if (const std::optional<std::string> acceptance = model.acceptance()) {
    add(*acceptance, FindingKind::acceptance, 0);
    all.back().ignored = ignored.acceptance;
    all.back().checked = decides_acceptance;
  }
  for (PropertyIndex i = 0; i < ctl.size(); ++i) add(ctl[i], FindingKind::ctl, i);
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (!runs[i].name.empty()) add_run_result(*this, i, all);
  for (const Unchecked& property : model.unchecked()) {
    const RunResult* judge_of_runs = property_process(*this);
    if (property.kind == kind_word(FindingKind::acceptance) && judge_of_runs != nullptr) continue;
    PropertyResult& added = all.emplace_back();
    added.name = property.name;
    added.kind = property.kind;
    added.ignored = ignored.acceptance;
    added.checked = judge_of_runs != nullptr && judge_of_runs->searchable;
    if (property.kind != kind_word(FindingKind::invariant) || judge_of_runs == nullptr ||
        !judge_of_runs->product)
      continue;
    for (const Trace& trace : traces)
      if (trace.product != nullptr && trace.finding.kind == FindingKind::invariant &&
          trace.product->properties()[trace.finding.property].name == property.name)
        added.trace = &trace;
    added.outcome = judge({FindingKind::invariant, added.trace != nullptr}, verdict);
  }
  return all;
}

}  // namespace spillway
