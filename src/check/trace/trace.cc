#include "check/trace/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>

#include "base/error.h"
#include "base/process/stop_request.h"
#include "check/facts/expect_state.h"
#include "check/trace/loop.h"

namespace spillway {
namespace {

using Row = std::vector<Word>;

std::optional<std::size_t> position(const Successors& among, State wanted) {
  const States states = among.states();
  for (std::size_t i = 0; i < states.size(); ++i)
    if (equal(states[i], wanted)) return i;
  return std::nullopt;
}

// Whether a state has the same successors when it is executed again.
bool repeats(const Transitions& steps, State state) {
  Successors once(steps.words());
  Successors again(steps.words());
  steps.successors(state, once);
  steps.successors(state, again);
  const States a = once.states();
  const States b = again.states();
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!equal(a[i], b[i])) return false;
  return true;
}

// A counterexample that cannot be had is somebody's fault.
[[noreturn]] void give_up(const std::string& what, bool model_repeats) {
  if (!model_repeats)
    throw Error(Fault::model, what +
                                  ": a state of the model has other successors when it is expanded "
                                  "again, so no result can be trusted");
  throw Error(Fault::internal, what +
                                   ", although the states of the model have the same successors "
                                   "when they are expanded again");
}

// The smallest state of those that the ranks have found.  Throws Stopped if a rank was stopped.
std::optional<Row> least_of_all(const Transitions& steps, Cluster& cluster,
                                const std::optional<Row>& own, bool stopped) {
  Packet packet;
  packet.put(stopped ? 1 : 0);
  packet.put(own.value_or(Row()));
  std::optional<Row> best;
  for (const std::vector<std::byte>& part : cluster.gather(packet)) {
    PacketReader reader(part);
    stopped = reader.number() != 0 || stopped;
    Row row = reader.numbers();
    if (!row.empty()) expect_state(steps, row, [] { return "a state that a rank has sent"; });
    if (!row.empty() && (!best || less(row, *best))) best = std::move(row);
  }
  if (stopped) throw Stopped{};
  return best;
}

// The smallest state of `depth` that has `target` among its successors, of those of this rank.
std::optional<Row> own_predecessor(const Transitions& steps, LevelReader& levels, Crew& crew,
                                   std::uint64_t depth, State target) {
  struct Worker {
    Successors successors;
    std::optional<Row> best;
  };
  std::vector<Worker> workers(crew.size(), Worker{Successors(steps.words()), {}});
  levels.each_at_depth(depth, [&](unsigned w, State state) {
    stop_request::obey();
    Worker& worker = workers[w];
    if (worker.best && !less(state, *worker.best)) return;
    worker.successors.clear();
    steps.successors(state, worker.successors);
    if (position(worker.successors, target)) worker.best = Row(state.begin(), state.end());
  });
  std::optional<Row> best;
  for (const Worker& worker : workers)
    if (worker.best && (!best || less(*worker.best, *best))) best = worker.best;
  return best;
}

// The same, of those of all ranks.
std::optional<Row> least_predecessor(const Transitions& steps, LevelReader& levels, Crew& crew,
                                     std::uint64_t depth, State target, Cluster& cluster) {
  std::optional<Row> own;
  bool stopped = false;
  try {
    own = own_predecessor(steps, levels, crew, depth, target);
  } catch (const Stopped&) {
    stopped = true;
  }
  return least_of_all(steps, cluster, own, stopped);
}

Row predecessor(const Transitions& steps, LevelReader& levels, Crew& crew, std::uint64_t depth,
                State target, Cluster& cluster) {
  const std::optional<Row> best = least_predecessor(steps, levels, crew, depth, target, cluster);
  if (!best) {
    std::atomic<bool> repeat{true};
    levels.each_at_depth(depth, [&](unsigned, State state) {
      if (!repeats(steps, state)) repeat.store(false);
    });
    give_up(fmt::format("no predecessor was found at depth {} on the way back to an initial state",
                        depth),
            repeat.load());
  }
  return *best;
}

// The states on a shortest way to a state of this depth, from the least of those before it; those
// of `stem` are known.
PackedSteps way_back(const Model& model, LevelReader& levels, Crew& crew, std::uint64_t depth,
                     State row, const std::vector<Row>& stem, Cluster& cluster) {
  PackedSteps steps(depth + 1, model.words());
  steps.set_row(depth, row);
  while (depth-- > 0)
    steps.set_row(depth, depth < stem.size() ? State(stem[depth])
                                             : State(predecessor(model.steps(), levels, crew, depth,
                                                                 steps.row(depth + 1), cluster)));
  return steps;
}

// The first state among the successors that `wanted` stands for.
std::optional<std::size_t> member(const Quotient& quotient, const Successors& among, State wanted) {
  const States states = among.states();
  Row row;
  for (std::size_t i = 0; i < states.size(); ++i) {
    row.assign(states[i].begin(), states[i].end());
    quotient.represent(row.data());
    if (equal(row, wanted)) return i;
  }
  return std::nullopt;
}

// Replays the steps with the states themselves instead of those that stand for them, and finds the
// rule that makes each; false if some step is none.
bool replay(const Model& model, PackedSteps& steps) {
  const Transitions& concrete = model.concrete().steps();
  Successors out(concrete.words());
  out.want_rules(true);
  concrete.initial(out);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    stop_request::obey();
    const std::optional<std::size_t> made = member(model.quotient(), out, steps.row(i));
    if (!made) return false;
    steps.set_rule(i, out.rule(*made));
    steps.set_row(i, out.states()[*made]);
    out.clear();
    concrete.successors(steps.row(i), out);
  }
  return true;
}

[[noreturn]] void give_up(const Model& model, const PackedSteps& steps) {
  give_up("the counterexample could not be replayed",
          std::all_of(steps.begin(), steps.end(),
                      [&](const Step& step) { return repeats(model.steps(), step.row); }));
}

// Whether the steps are what they are said to be, from state to state.
bool is_path(const Transitions& steps, const PackedSteps& path) {
  Successors out(steps.words());
  steps.initial(out);
  for (std::size_t i = 0; i < path.size(); ++i) {
    stop_request::obey();
    if (!position(out, path.row(i))) return false;
    out.clear();
    steps.successors(path.row(i), out);
  }
  return true;
}

// Whether a failure is the one that was found.
bool is_that(const Finding& finding, const std::optional<Failure>& failure) {
  if (!failure) return false;
  if (finding.kind == PropertyKind::assertion) return failure->assertion == finding.property;
  return finding.kind == PropertyKind::runtime_error && !failure->assertion;
}

bool start_fails(const Transitions& steps, const Finding& finding) {
  Successors out(steps.words());
  steps.initial(out);
  return is_that(finding, out.failure());
}

bool is_true_in(const Model& model, Deadlock deadlock, const Finding& finding, State state) {
  Successors out(model.words());
  model.steps().successors(state, out);
  switch (finding.kind) {
    case PropertyKind::invariant: {
      std::vector<PropertyIndex> violated(model.properties().size());
      violated.resize(model.conditions().check(state, violated.data()));
      return std::find(violated.begin(), violated.end(), finding.property) != violated.end();
    }
    case PropertyKind::reachable: {  // at least it does not hold here
      std::vector<PropertyIndex> noted(model.properties().size());
      noted.resize(model.conditions().check(state, noted.data()));
      return std::find(noted.begin(), noted.end(), finding.property) == noted.end();
    }
    case PropertyKind::acceptance: return true;  // see is_accepting_loop()
    case PropertyKind::ctl: return true;         // see complete_ctl_trace()
    case PropertyKind::deadlock: return !out.moved() && is_deadlock(deadlock, state, out.states());
    case PropertyKind::assertion:
    case PropertyKind::runtime_error: return is_that(finding, out.failure());
    default: return false;  // has no state
  }
}

// Whether the steps behind the stem come back to its last state, meet every acceptance set, and
// violate the property by its own definition.
bool is_accepting_loop(const Model& concrete, const Trace& trace) {
  if (trace.finding.kind != PropertyKind::acceptance) return true;
  return !trace.finding.loop.empty() && equal(trace.steps.back().row, trace.finding.row) &&
         meets_all_sets(concrete, trace) && concrete.acceptance().is_violated_by(lasso_of(trace));
}

// Adds the loop to the steps of the stem; false if there is none.
bool add_loop(const Model& model, Trace& trace) {
  if (trace.finding.loop.empty()) return true;
  const std::optional<Loop> loop = follow_loop(
      model, trace.steps.back().row, trace.finding.loop,
      trace.finding.kind == PropertyKind::acceptance ? model.concrete().acceptance().sets() : 0);
  if (!loop) return false;
  // A run that has to go round more than once, or around other states of a class, is longer.
  trace.shortest = trace.finding.minimal && loop->before.empty() &&
                   loop->steps.size() == trace.finding.loop.size();
  trace.finding.depth += loop->before.size();
  trace.finding.loop.clear();
  trace.steps.reserve(trace.steps.size() + loop->before.size() + loop->steps.size());
  for (const Step& step : loop->before) trace.steps.push_back(step);
  for (const Step& step : loop->steps) {
    trace.steps.push_back(step);
    trace.finding.loop.push_back(step.row);
  }
  return true;
}

}  // namespace

bool confirmed(const Model& model, Deadlock deadlock, const Trace& trace) {
  if (trace.finding.kind == PropertyKind::cover) return trace.steps.empty();
  const Model& concrete = model.concrete();
  if (trace.finding.row.empty())
    return trace.steps.empty() && start_fails(concrete.steps(), trace.finding);
  return trace.steps.size() == trace.finding.depth + 1 + trace.finding.loop.size() &&
         is_path(concrete.steps(), trace.steps) &&
         equal(trace.steps[trace.finding.depth].row, trace.finding.row) &&
         is_accepting_loop(concrete, trace) &&
         is_true_in(concrete, deadlock, trace.finding, trace.finding.row);
}

PackedSteps way_to(const Model& model, LevelReader& levels, Crew& crew, std::uint64_t depth,
                   State row) {
  PackedSteps steps = way_back(model, levels, crew, depth, row, {}, Cluster::alone());
  if (!replay(model, steps) || !is_path(model.concrete().steps(), steps)) give_up(model, steps);
  return steps;
}

Trace make_trace(const Model& model, Deadlock deadlock, LevelReader& levels, Crew& crew,
                 const Finding& finding, Cluster& cluster) {
  Trace trace{finding, {}, finding.kind != PropertyKind::acceptance};
  if (!finding.row.empty())
    trace.steps = way_back(model, levels, crew, finding.depth, finding.row, finding.stem, cluster);
  const bool replayed = replay(model, trace.steps) && add_loop(model, trace);
  if (replayed && !trace.steps.empty()) trace.finding.row = trace.steps[trace.finding.depth].row;
  if (!replayed || !confirmed(model, deadlock, trace)) give_up(model, trace.steps);
  if (!trace.finding.loop.empty())
    trace.remark = model.concrete().acceptance().about(lasso_of(trace));
  return trace;
}

}  // namespace spillway
