#include "check/around_search.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/quantity.h"
#include "check/signals.h"

namespace spillway {

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

void resume(Session& session, Journal& journal) {
  const std::optional<Manifest>& from = journal.resumed();
  const Lookout& lookout = session.lookout;
  for (const std::string& why : journal.rejected()) lookout.announce("checkpoint skipped: " + why);
  if (!journal.doubt().empty()) lookout.announce(journal.doubt());
  if (!from && !journal.rejected().empty())
    lookout.announce(journal.has_other_rows()
                         ? "no checkpoint is of this version: the search begins again"
                         : "no checkpoint is intact: the search begins again");
  if (!from) return;
  lookout.announce(
      fmt::format("resuming from checkpoint {}: {} states in {} levels, {} in the next",
                  from->generation, with_commas(from->states()), with_commas(from->levels.size()),
                  with_commas(from->level_states)));
  session.restore(*from);
}

std::string save(const Session& session, Search& search, Journal& journal, bool final) {
  if (final && !journal.wants_complete()) return "";
  Cluster* const cluster = session.cluster;
  const auto on_any = [&](bool own) { return cluster == nullptr ? own : cluster->any(own); };
  if (!on_any(!journal.has_all_of(session))) return "";
  const LevelAccounts& levels = session.levels;
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

}  // namespace spillway
