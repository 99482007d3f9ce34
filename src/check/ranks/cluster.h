// The ranks of a check, as its parts see them: which of them a state belongs to, and what all of
// them know after they have told each other.  A process that is alone is the only rank: all states
// belong to it, it never waits, and nothing is sent.  Nobody has to ask which of the two it is.
//
// Each rank carries out the same check() on the states that belong to it.  Whatever decides about
// what comes next is agreed on, so that all ranks take the same way and nobody waits for a rank
// that has gone another one.  A rank that has to stop leaves (net/peers.h), and the others follow.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "check/facts/finding.h"
#include "check/facts/limits.h"
#include "check/facts/statistics.h"
#include "check/ranks/owners.h"
#include "check/ranks/rank_figures.h"
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
  // Of a process that is alone.  Any number of checks may share it.
  static Cluster& alone();

  unsigned rank() const { return network_ ? network_->peers.rank() : 0; }
  unsigned ranks() const { return network_ ? network_->peers.ranks() : 1; }

  // The rank that a state belongs to (check/ranks/owners.h).
  unsigned owner(std::uint64_t hash) const { return owners_.of(hash); }
  unsigned owner(State state) const { return owners_.of(state); }
  // Which states the ranks have told each other about.
  // REQUIRES of both: there are other ranks.
  Exchange& exchange() { return network_->exchange; }
  Peers& peers() { return network_->peers; }

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
  // Waits until all ranks have come so far, and does this.  An error is ignored on one of several
  // ranks: the others go on, and would miss it.
  void go_on_with(const std::function<void()>& work);
  // What each rank says.
  std::vector<std::string> told(const std::string& own);
  // Rank 0 works for all.  The others wait for it, and fail as it does, by refuse().
  void let_first(const std::function<void()>& work);
  std::vector<std::vector<std::byte>> gather(const Packet& own);

  // Figures ---------------------------------------------------------------------------------------

  // Adds what this rank knows about itself beside memory and messages.  Called by any thread;
  // nullptr: nothing more is known.
  using Gauge = std::function<void(RankFigures&)>;
  void set_gauge(Gauge gauge);
  // What each rank has told last; of this one, what is so now.  Nothing of a process that is alone.
  // Any thread.
  std::vector<RankFigures> figures();
  // For agree_on().  REQUIRES: there are other ranks.
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
  struct Network {
    Network(Transport& transport, const ClusterSettings& settings);
    void show_life();

    Peers peers;
    Exchange exchange;
    std::jthread life;
  };

  Cluster();

  std::unique_ptr<Network> network_;  // nullptr: there are no other ranks
  const Owners owners_{ranks()};
  std::mutex mutex_;  // guards what follows
  Gauge gauge_;
  std::uint64_t states_ = 0;
  std::vector<RankFigures> told_{ranks()};
};

// The levels of this rank, beside those of all ranks, which are the same if there is no other one.
class OwnLevels {
 public:
  explicit OwnLevels(const Cluster& cluster) : is_alone_(cluster.ranks() == 1) {}
  void restore(const std::vector<Level>& levels) {
    if (!is_alone_) own_ = levels;
  }
  void add(const Level& level) {
    if (!is_alone_) own_.push_back(level);
  }
  const std::vector<Level>& among(const std::vector<Level>& of_all) const {
    return is_alone_ ? of_all : own_;
  }

 private:
  const bool is_alone_;
  std::vector<Level> own_;
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
  std::uint64_t elsewhere = 0;   // that belong to other ranks, in this level and the next one
  int refused = -1;              // see LevelAccounts; the least that is not -1
  std::vector<Finding> findings = {};
  std::vector<std::uint64_t> covered = {};  // properties
};
// Findings and properties are those that this rank may not know.
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
// Findings are those that this rank may not know.
Ending agree_on(Cluster& cluster, const Ending& own);
// What all ranks have observed.
Observed agree_on(Cluster& cluster, const Observed& own);

// Appends a finding, with stem and loop if it has any.
void put(Packet& packet, const Finding& finding);
// Throws Error(integrity) for what put() does not write.
Finding read_finding(PacketReader& reader);

}  // namespace spillway
