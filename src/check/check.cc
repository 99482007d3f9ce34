#include "check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "base/error.h"
#include "base/machine.h"
#include "base/quantity.h"
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
void verify_visited(const Run& run, Search& search) {
  Digest digest;
  std::uint64_t states = 0;
  const bool told = search.each_visited([&](State state) {
    stop_request::obey();
    digest.add(state);
    ++states;
  });
  if (!told) return run.announce("this search keeps no visited set to verify");
  const Statistics& expanded = run.statistics();
  if (states != expanded.states || states != search.stored() || digest != expanded.digest)
    throw Error(Fault::integrity,
                fmt::format("the visited set has {} different states with the digest {}, but {} "
                            "were stored, and {} "
                            "with the digest {} were expanded",
                            with_commas(states), digest.hex(), with_commas(search.stored()),
                            with_commas(expanded.states), expanded.digest.hex()));
  run.announce(
      fmt::format("verified: the {} states of the visited set are those that were expanded",
                  with_commas(states)));
}

bool has_trace(const Finding& finding) { return finding.kind != FindingKind::cover; }

// The findings of a search that keeps no levels, by one that does.  A limit may come before.
void trace_again(const Run& first, Budget& budget, Disk& disk, const Algorithm& algorithm,
                 const CheckOptions& options, Evidence& evidence, CheckResult& result) {
  Run::Options plain;
  plain.threads = options.run.threads;
  plain.deadlock = options.run.deadlock;
  plain.limits.timeout_seconds = options.run.limits.timeout_seconds - first.seconds();
  Run run(first.model(), plain);
  Crew crew(plain.threads);
  const std::unique_ptr<Search> search = algorithm.retrace->make({run, budget, crew, disk});
  try {
    search->search();
  } catch (const Finished&) {
  }
  run.close();
  if (run.findings().empty() && run.stop()) {
    evidence.stop = run.stop();
    throw Stopped{};
  }
  const bool exact = algorithm.in_levels && options.signatures.bits == 0;
  if (run.findings().empty() ||
      (exact && run.findings().front().depth != first.findings().front().depth))
    throw Error(Fault::internal,
                "a violation was found, but a second search did not find it again");
  evidence.findings = run.findings();
  result.goals = {};  // a search without levels has seen other states
  note_covered(run, result.goals);
  for (const Finding& finding : run.findings())
    result.traces.push_back(make_trace(run.model(), plain.deadlock, *search, crew, finding));
}

// Counts each state once, where it was first met.
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

// Goes on from the newest checkpoint, if there is one.
void go_on(Run& run, Journal& journal) {
  const std::optional<Manifest>& from = journal.resumed();
  for (const std::string& why : journal.rejected()) run.announce("checkpoint skipped: " + why);
  if (!journal.doubt().empty()) run.announce(journal.doubt());
  if (!from) return;
  run.announce(fmt::format("resuming from checkpoint {}: {} states in {} levels, {} in the next",
                           from->generation, with_commas(from->states()),
                           with_commas(from->levels.size()), with_commas(from->level_states)));
  run.restore(from->levels, from->level_states, from->covered, from->seconds);
}

// A last checkpoint, of all levels that are done.  Returns why there is none, if that is not as it
// should be.
std::string save(const Run& run, Search& search, Journal& journal, bool complete) {
  if (complete && !journal.wants_complete()) return "";
  if (run.discarding() || (run.statistics().levels.empty() && run.level_states() == 0)) return "";
  try {
    search.complete_journal();
    journal.commit(run);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

// The end of memory or disk is a limit like others, and once a search has begun the command line is
// not what is wrong.
std::optional<Stop> limit_behind(const Error& error, const Run& run) {
  if (error.fault() == Fault::disk) return Stop::disk;
  if (error.fault() == Fault::memory || (error.fault() == Fault::usage && run.expansions() != 0))
    return Stop::memory;
  return std::nullopt;
}

void enter(const CheckOptions& options, Watch::Stage stage, const Run* run) {
  if (options.watch != nullptr)
    options.watch->enter(stage, run);
  else if (stage == Watch::Stage::saving)
    stop_request::withdraw();
}

bool was_requested(std::optional<Stop> stop) {
  return stop == Stop::time || stop == Stop::interrupted || stop == Stop::terminated;
}

void make_traces(Run& run, std::unique_ptr<Search> search, Budget& budget, Disk& disk, Crew& crew,
                 const Algorithm& algorithm, const CheckOptions& options, Evidence& evidence,
                 CheckResult& result) {
  if (algorithm.retrace != nullptr && std::ranges::any_of(run.findings(), has_trace)) {
    search.reset();
    trace_again(run, budget, disk, algorithm, options, evidence, result);
  } else {
    for (const Finding& finding : run.findings())
      result.traces.push_back(
          make_trace(run.model(), options.run.deadlock, *search, crew, finding));
  }
  evidence.traces_confirmed = true;
}

// Something is wrong, but what was to show it has been stopped.
void give_up_traces(const Run& run, Evidence& evidence, CheckResult& result) {
  if (!evidence.stop) evidence.stop = requested_stop();
  evidence.untraced = true;
  evidence.findings.clear();
  result.traces.clear();
  result.untraced = fmt::format(
      "A violation was found at depth {}, but there was no time for a counterexample. Allow more "
      "time.",
      with_commas(run.findings().front().depth));
}

// Searches, makes the traces, and writes down what happened.
void carry_out(Run& run, Budget& budget, Disk& disk, const Algorithm& algorithm,
               const CheckOptions& options, Evidence& evidence, CheckResult& result) {
  if (const std::string why = why_goals_cannot_be_decided(run.model(), algorithm);
      !options.ignored.reachable && !why.empty())
    throw Error(Fault::usage, why);
  Crew crew(options.run.threads);
  std::unique_ptr<Search> search =
      algorithm.make({run, budget, crew, disk, options.signatures, options.journal});
  try {
    enter(options, Watch::Stage::searching, &run);
    if (options.journal != nullptr) go_on(run, *options.journal);
    search->search();
    if (options.verify) verify_visited(run, *search);
    evidence.search_returned = true;
    const GoalSettings how{options.signatures.bits == 0, !options.ignored.reachable};
    decide_goals(run, *search, budget, disk, how, result.goals);
    evidence.goals_decided = true;
  } catch (const Finished&) {
  } catch (const Stopped&) {
    run.note_stop(requested_stop().value_or(Stop::time));
  } catch (const Error& error) {
    evidence.stop = limit_behind(error, run);
    if (!evidence.stop) throw;
    if (error.fault() != Fault::memory) result.no_room = error.what();
  }
  run.model().complain();
  if (was_requested(run.stop())) enter(options, Watch::Stage::saving, &run);
  if (options.journal != nullptr)
    result.not_saved = save(run, *search, *options.journal, evidence.search_returned);
  run.close();
  note_covered(run, result.goals);
  evidence.cover_open = result.goals.cover_open;
  if (!options.ignored.acceptance)
    for (const Unchecked& property : run.model().unchecked())
      evidence.unchecked.push_back(property.name);
  if (!evidence.stop) evidence.stop = run.stop();
  evidence.findings = run.findings();
  evidence.stored = search->stored();
  for (const Level& level : run.statistics().levels) evidence.counted += level.states;
  count_once(*search, run.statistics());
  run.statistics().in_levels = algorithm.in_levels;
  if (options.signatures.bits != 0)
    evidence.omission_bound = omission_bound(options.signatures.bits,
                                             std::max<std::uint64_t>(1, run.statistics().states));
  enter(options, Watch::Stage::tracing, &run);
  try {
    make_traces(run, std::move(search), budget, disk, crew, algorithm, options, evidence, result);
  } catch (const Stopped&) {
    give_up_traces(run, evidence, result);
  }
}

}  // namespace

double omission_bound(unsigned bits, std::uint64_t states) {
  const auto n = static_cast<double>(states);
  return n * (n + 1) / std::exp2(bits + 1);
}

CheckResult unanswered(const Run* run, Stop why) {
  CheckResult result;
  Evidence evidence;
  evidence.stop = why;
  result.verdict = judge(evidence);
  if (run != nullptr) {
    result.statistics = run->finished_levels();
    result.seconds = run->seconds();
  }
  result.peak_memory_bytes = peak_resident_bytes();
  return result;
}

CheckResult check(const Model& model, const Algorithm& algorithm, const CheckOptions& options) {
  CheckResult result;
  Evidence evidence;
  Budget budget(options.memory_bytes -
                (options.journal != nullptr ? options.journal->budget_bytes() : 0));
  MemoryDisk memory_disk;
  Disk& disk = options.disk != nullptr ? *options.disk : memory_disk;
  Run::Options how = options.run;
  if (has_reachable(model) && !options.ignored.reachable)
    how.most_goal_states = most_goal_states(budget, model.words());
  std::optional<Run> run(std::in_place, model, how);
  result.ignored = options.ignored;
  const auto failed = [&](Fault fault, std::string sentence) {
    evidence.fault = fault;
    evidence.fault_sentence = std::move(sentence);
  };
  // After the search, while counterexamples are made.
  const auto ended = [&](const Error& error) {
    const std::optional<Stop> limit = limit_behind(error, *run);
    if (!limit) return failed(error.fault(), error.what());
    evidence.stop = limit;
    evidence.untraced = !evidence.findings.empty();
    evidence.findings.clear();
    result.traces.clear();
    result.no_room = error.what();
  };
  // What is damaged in the log shows while it is read; then all begins again with the checkpoint
  // before.
  const auto begins_again = [&](const Error& error) {
    if (error.fault() != Fault::integrity || options.journal == nullptr ||
        !options.journal->fall_back(error.what()))
      return false;
    enter(options, Watch::Stage::preparing, nullptr);  // the run goes
    Run::Options rest = how;
    rest.limits.timeout_seconds -= run->seconds();
    run.emplace(model, std::move(rest));
    evidence = {};
    result.goals = {};
    return true;
  };
  try {
    for (bool again = true; again;) try {
        again = false;
        carry_out(*run, budget, disk, algorithm, options, evidence, result);
      } catch (const Error& error) {
        again = begins_again(error);
        if (!again) throw;
      }
  } catch (const Error& error) {
    ended(error);
  } catch (const std::bad_alloc&) {
    failed(Fault::system, "the system is out of memory: use a smaller --memory");
  } catch (const std::exception& error) {
    failed(Fault::internal, std::string("internal error: ") + error.what());
  }
  enter(options, Watch::Stage::ended, nullptr);
  result.statistics = run->statistics();
  result.statistics.disk_bytes_read = disk.counters().read_bytes;
  result.statistics.disk_bytes_written = disk.counters().written_bytes;
  evidence.expanded = run->expansions();
  evidence.initial_states =
      result.statistics.levels.empty() ? 0 : result.statistics.levels[0].states;
  result.verdict = judge(evidence);
  result.seconds = run->seconds();
  result.earlier_seconds = run->earlier_seconds();
  result.earlier_states = run->earlier_states();
  result.budget_peak_bytes = budget.peak();
  result.peak_memory_bytes = peak_resident_bytes();
  return result;
}

std::vector<PropertyResult> CheckResult::properties(const Model& model, Deadlock deadlock) const {
  std::vector<PropertyResult> all;
  const auto add = [&](std::string name, FindingKind kind, PropertyIndex property) {
    PropertyResult& added = all.emplace_back();
    added.name = std::move(name);
    added.kind = kind_word(kind);
    for (const Trace& trace : traces)
      if (trace.finding.kind == kind && trace.finding.property == property) added.trace = &trace;
    added.ignored = kind == FindingKind::reachable && ignored.reachable;
    const bool decided = property < goals.decided.size() && goals.decided[property];
    added.outcome = judge({kind, added.trace != nullptr, decided}, verdict);
  };
  for (PropertyIndex i = 0; i < model.properties().size(); ++i) {
    const Property& p = model.properties()[i];
    add(p.name, finding_kind(p.kind), i);
  }
  if (deadlock != Deadlock::off) add("no deadlock", FindingKind::deadlock, 0);
  add("no run-time error", FindingKind::runtime_error, 0);
  for (const Unchecked& property : model.unchecked()) {
    PropertyResult& added = all.emplace_back();
    added.name = property.name;
    added.kind = property.kind;
    added.checked = false;
    added.ignored = ignored.acceptance;
  }
  return all;
}

}  // namespace spillway
