// The ranks of a check, as its parts see them: which of them a state belongs to, and what all of
// them know after they have told each other.
//
// Each rank carries out the same check() on the states that belong to it.  Whatever decides about
// what comes next is agreed on, so that all ranks take the same way and nobody waits for a rank
// that has gone another one.  A rank that has to stop leaves (net/peers.h), and the others follow.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "check/finding.h"
#include "check/limits.h"
#include "check/owners.h"
#include "check/rank_figures.h"
#include "check/statistics.h"
#include "model/coverage.h"
#include "net/exchange.h"
#include "net/packet.h"
#include "net/peers.h"

namespace spillway {

struct ClusterSettings {
  // The same for all ranks of a check, and for no other check.
  std::uint64_t check = 0;
  double silent_seconds = 60;  // a rank that is silent for longer is lost
  ExchangeSettings exchange = {};
};

class Cluster {
 public:
  // REQUIRES: the transport outlives it, and nobody else uses it.
  Cluster(Transport& transport, const ClusterSettings& settings);
  ~Cluster();

  unsigned rank() const { return peers_.rank(); }
  unsigned ranks() const { return peers_.ranks(); }

  // The rank that a state belongs to (check/owners.h).
  unsigned owner(std::uint64_t hash) const { return owners_.of(hash); }
  unsigned owner(State state) const { return owners_.of(state); }
  // Which states the ranks have told each other about.
  Exchange& exchange() { return exchange_; }
  Peers& peers() { return peers_; }

  // Gatherings ------------------------------------------------------------------------------------
  // All ranks call these in the same order, from one thread.  They throw what Peers throw, and
  // Left.

  // Throws Error(usage) unless all ranks say the same about what they check.
  void expect_same(const std::string& what);
  std::uint64_t sum(std::uint64_t own);
  std::uint64_t most(std::uint64_t own);
  bool any(bool own) { return sum(own ? 1 : 0) != 0; }
  // Throws an error that all ranks throw, once each of them has come so far: a rank that ended
  // sooner would be lost to the others.  Nothing else is called any more.
  [[noreturn]] void refuse(const Error& error);
  // What each rank says.
  std::vector<std::string> told(const std::string& own);
  // Rank 0 works for all.  The others wait for it, and fail as it does, by refuse().
  void let_first(const std::function<void()>& work);
  std::vector<std::vector<std::byte>> gather(const Packet& own) {
    return peers_.gather(own.bytes());
  }

  // Figures ---------------------------------------------------------------------------------------

  // Adds what this rank knows about itself beside memory and messages.  Called by any thread;
  // nullptr: nothing more is known.
  using Gauge = std::function<void(RankFigures&)>;
  void set_gauge(Gauge gauge);
  // What each rank has told last; of this one, what is so now.  Any thread.
  std::vector<RankFigures> figures();
  // For agree_on().
  RankFigures own_figures();
  void set_states(std::uint64_t own);
  void know(std::vector<RankFigures> told);

  // Leaving ---------------------------------------------------------------------------------------

  using Left = Peers::Left;
  // Whether another rank has left what all do.  Takes what has arrived.  Any thread.
  bool is_left();
  // Leaves it on behalf of all ranks.  All of them meet again in the gathering that follows.
  // REQUIRES: no thread uses the exchange.
  void leave();
  // When all is done: waits for the others, unless one is lost (Peers::end()).  Nothing else is
  // called any more.
  void end();

 private:
  void show_life();

  Peers peers_;
  Exchange exchange_;
  const Owners owners_;
  std::mutex mutex_;  // guards what follows
  Gauge gauge_;
  std::uint64_t states_ = 0;
  std::vector<RankFigures> told_{peers_.ranks()};
  std::jthread life_;
};

// A reason to stop as ranks send it: 0 for none.
std::uint64_t number_of(std::optional<Stop> stop);
// Throws Error(integrity) if there is no such one.
std::optional<Stop> stop_of(std::uint64_t number);

// What the ranks have counted and found in a level, together.
struct LevelAccount {
  Level level;
  std::uint64_t next_states = 0;
  std::uint64_t own_states = 0;  // that belong to this rank, in all levels and the next one
  int refused = -1;              // see LevelAccounts; the least that is not -1
  std::vector<Finding> findings = {};
  std::vector<std::uint64_t> covered = {};  // properties
};
LevelAccount agree_on(Cluster& cluster, const LevelAccount& own);

// Adds the levels of all ranks to `levels`, and returns how many states the next level has in all.
// Throws Error(integrity) unless all ranks have as many levels.
std::uint64_t agree_on(Cluster& cluster, std::vector<Level>& levels, std::uint64_t level_states);

// How the search of a rank has ended, and how those of all of them have: the least stop and fault
// of any, what all have done, and what any has found.
struct Ending {
  bool search_returned = false;
  bool goals_decided = false;
  std::optional<Stop> stop;
  std::optional<Fault> fault;
  std::string fault_sentence;
  std::string no_room;
  std::vector<Finding> findings;
  std::string damage;  // in the log: there is an older checkpoint to resume from
};
Ending agree_on(Cluster& cluster, const Ending& own);
// What all ranks have observed.
Observed agree_on(Cluster& cluster, const Observed& own);

// Appends a finding, with stem and loop if it has any.
void put(Packet& packet, const Finding& finding);
// Throws Error(integrity) for what put() does not write.
Finding read_finding(PacketReader& reader);

}  // namespace spillway
