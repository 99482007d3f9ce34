#include "check/recount.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "base/error.h"
#include "base/text/quantity.h"
#include "check/session/signals.h"

namespace spillway {

void verify_visited(const Session& session, Search& search) {
  Digest digest;
  std::uint64_t states = 0;
  const std::shared_ptr<PartedRows>& rows = session.expanders.short_rows();
  std::optional<PartedRows::Hand> hand;
  if (rows) hand.emplace(*rows);
  const bool enumerated = search.each_visited([&](State row) {
    stop_request::obey();
    digest.add(rows ? rows->whole(row, *hand) : row);
    ++states;
  });
  if (!enumerated) return session.lookout.announce("this search keeps no visited set to verify");
  const Statistics expanded = search.own_statistics();
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

}  // namespace spillway
