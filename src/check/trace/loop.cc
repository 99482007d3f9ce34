#include "check/trace/loop.h"

#include <algorithm>
#include <bit>

#include "base/process/stop_request.h"

namespace spillway {
namespace {

using Row = std::vector<Word>;

// A rule that leads from a state to the next, and the sets of its steps there.
struct Way {
  RuleIndex rule;
  SetMask sets;
};

// The ways from one state to another, in the order of the model.
std::vector<Way> ways(const Model& concrete, State from, State to) {
  Successors out(concrete.words());
  out.want_rules(true);
  out.want_marks(concrete.acceptance().marks_steps());
  concrete.steps().successors(from, out);
  const SetMask of_state = concrete.acceptance().accepting(from) ? 1 : 0;
  std::vector<Way> all;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!equal(out.states()[i], to)) continue;
    const SetMask sets = concrete.acceptance().marks_steps() ? out.mark(i) : of_state;
    const auto known = std::ranges::find(all, out.rule(i), &Way::rule);
    if (known != all.end())
      known->sets |= sets;  // a run can take such steps in turn, and nobody sees the difference
    else
      all.push_back({out.rule(i), sets});
  }
  return all;
}

// The state after `from` that `wanted` stands for.
std::optional<Row> next_state(const Model& model, State from, State wanted) {
  Successors out(model.words());
  model.concrete().steps().successors(from, out);
  Row row;
  for (const State next : out.states()) {
    row.assign(next.begin(), next.end());
    model.quotient().represent(row.data());
    if (equal(row, wanted)) return Row(next.begin(), next.end());
  }
  return std::nullopt;
}

// The states after `start`, round after round, until the end of a round has been one before; and
// the number of states before the first of those two ends.
struct Rounds {
  std::vector<Row> states;
  std::size_t before = 0;
};
std::optional<Rounds> rounds_until_closed(const Model& model, State start,
                                          const std::vector<Row>& rows) {
  Rounds rounds;
  std::vector<Row> ends{Row(start.begin(), start.end())};
  for (;;) {
    Row at = ends.back();
    for (const Row& row : rows) {
      stop_request::obey();
      std::optional<Row> next = next_state(model, at, row);
      if (!next) return std::nullopt;
      at = *std::move(next);
      rounds.states.push_back(at);
    }
    const auto known = std::ranges::find(ends, at);
    if (known != ends.end()) {
      rounds.before = static_cast<std::size_t>(known - ends.begin()) * rows.size();
      return rounds;
    }
    ends.push_back(std::move(at));
  }
}

}  // namespace

std::optional<Loop> follow_loop(const Model& model, State start, const std::vector<Row>& rows,
                                unsigned sets) {
  const Model& concrete = model.concrete();
  const std::optional<Rounds> rounds = rounds_until_closed(model, start, rows);
  if (!rounds) return std::nullopt;
  Loop loop;
  std::vector<std::vector<Way>> ways_to;  // each state
  for (std::size_t i = 0; i < rounds->states.size(); ++i) {
    ways_to.push_back(
        ways(concrete, i == 0 ? start : State(rounds->states[i - 1]), rounds->states[i]));
    if (i < rounds->before) loop.before.push_back({ways_to[i].front().rule, rounds->states[i]});
  }
  const SetMask all = all_sets(sets);
  SetMask met = 0;
  do {
    const SetMask before = met;
    for (std::size_t i = rounds->before; i < rounds->states.size(); ++i) {
      const auto gain = [&](const Way& way) { return std::popcount(way.sets & ~met); };
      const Way& best = *std::ranges::max_element(ways_to[i], {}, gain);
      met |= best.sets & all;
      loop.steps.push_back({best.rule, rounds->states[i]});
    }
    if (met == before && met != all) return std::nullopt;
  } while (met != all);
  return loop;
}

bool meets_all_sets(const Model& concrete, const Trace& trace) {
  SetMask met = 0;
  for (std::size_t i = trace.finding.depth + 1; i < trace.steps.size(); ++i)
    for (const Way& way : ways(concrete, trace.steps[i - 1].row, trace.steps[i].row))
      if (way.rule == trace.steps[i].rule) met |= way.sets;
  return met == all_sets(concrete.acceptance().sets());
}

Lasso lasso_of(const Trace& trace) {
  Lasso lasso;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    lasso.states.push_back(trace.steps.row(i));
    lasso.rules.push_back(trace.steps.rule(i));
  }
  lasso.loop_start = trace.finding.depth;
  return lasso;
}

}  // namespace spillway
