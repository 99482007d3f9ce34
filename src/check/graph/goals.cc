#include "check/graph/goals.h"

#include <algorithm>

#include "base/error.h"
#include "check/graph/ctl.h"
#include "check/graph/levels_of_all_ranks.h"
#include "check/graph/state_graph.h"
#include "passes/branching.h"

namespace spillway {
namespace {

constexpr std::uint64_t kBitsOfState = 4;  // while a property is decided, at most

// The states where it holds.
BitVector states_with(PropertyIndex property, const Model& model, StateGraph& states,
                      LevelReader& levels, Budget& budget, const Crew& crew) {
  const Conditions& conditions = model.conditions();
  BitVector found(budget, states.size());
  std::vector<std::vector<PropertyIndex>> noted(
      crew.size(), std::vector<PropertyIndex>(model.properties().size()));
  states.each(levels, [&](unsigned worker, Node node, State state) {
    std::vector<PropertyIndex>& here = noted[worker];
    const auto end =
        here.begin() + static_cast<std::ptrdiff_t>(conditions.check(state, here.data()));
    if (std::find(here.begin(), end, property) != end) found.set_shared(node);
  });
  return found;
}

// Reports the first state from which the goal cannot be reached, if there is one.
void decide(PropertyIndex goal, Session& session, StateGraph& states, LevelReader& levels,
            Budget& budget, Crew& crew) {
  BitVector good = states_with(goal, session.model, states, levels, budget, crew);
  Branching branching(states.edges(), budget, crew, {.poll = [&] { session.lookout.look_up(); }});
  branching.until(nullptr, good);
  good.flip();
  const Node bad = good.next(0);
  if (bad == good.size()) return;
  session.findings.add({PropertyKind::reachable,
                        goal,
                        states.level(bad),
                        states.least(levels, states.level(bad), good),
                        {}});
}

void decide_by_edges(Session& session, Search& search, Budget& budget, Crew& crew, Disk* disk,
                     const GoalSettings& settings, Goals& goals) {
  search.free_visited();
  const std::unique_ptr<LevelReader> reader = levels_of_all_ranks(session, search, budget, crew);
  LevelReader& levels = *reader;
  StateGraph states(session, budget, crew, disk, StateGraph::Kept::all);
  states.keep_in(settings.checkpoints);
  states.extend(levels, session.levels.counts().levels.size(), true);
  const std::vector<Property>& properties = session.model.properties();
  for (PropertyIndex i = 0; i < properties.size() && settings.reachable; ++i) {
    if (properties[i].kind != PropertyKind::reachable) continue;
    decide(i, session, states, levels, budget, crew);
    goals.decided[i] = true;
  }
  for (std::size_t i = 0; i < settings.ctl.size(); ++i) {
    decide_ctl(settings.ctl[i], i, session, states, levels, budget, crew);
    goals.ctl[i] = true;
  }
}

}  // namespace

void decide_goals(Session& session, Search& search, Budget& budget, Crew& crew, Disk* disk,
                  const GoalSettings& settings, Goals& goals) {
  const std::vector<Property>& properties = session.model.properties();
  note_covered(session, goals);
  for (PropertyIndex i = 0; i < properties.size(); ++i) {
    if (properties[i].kind != PropertyKind::cover || goals.decided[i]) continue;
    if (settings.exact)
      session.findings.add({PropertyKind::cover, i, 0, {}, {}});
    else
      goals.cover_open = true;
  }
  goals.ctl.resize(settings.ctl.size());
  const bool reachable = settings.reachable && has_reachable(session.model);
  if (!reachable && settings.ctl.empty()) return;
  if (session.levels.counts().states == 0) return;  // there is nothing to verify
  try {
    decide_by_edges(session, search, budget, crew, disk, settings, goals);
  } catch (const Error& error) {
    if (!reachable || (error.fault() != Fault::memory && error.fault() != Fault::usage)) throw;
    session.lookout.finish(Stop::goals);
  }
}

void note_covered(const Session& session, Goals& goals) {
  const std::vector<Property>& properties = session.model.properties();
  goals.decided.resize(properties.size());
  for (PropertyIndex i = 0; i < properties.size(); ++i)
    if (properties[i].kind == PropertyKind::cover && session.expanders.covered(i))
      goals.decided[i] = true;
}

std::uint64_t most_goal_states(const Budget& budget) { return budget.limit() * 8 / kBitsOfState; }

bool has_reachable(const Model& model) {
  return std::ranges::any_of(model.properties(),
                             [](const Property& p) { return p.kind == PropertyKind::reachable; });
}

}  // namespace spillway
