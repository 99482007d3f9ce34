// What the parts of one check share: the model, the clock, who expands states, and what was found.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "check/facts/earlier_work.h"
#include "check/facts/limits.h"
#include "check/ranks/cluster.h"
#include "check/session/expander.h"
#include "check/session/findings.h"
#include "check/session/level_accounts.h"
#include "check/session/lookout.h"
#include "model/model.h"

namespace spillway {

struct SessionOptions {
  Limits limits;
  Deadlock deadlock = Deadlock::off;
  unsigned threads = 1;
  // With more states, properties that depend on all states cannot be decided.
  std::uint64_t most_goal_states = kUnlimited;
  const StopToken* stop = &stop_request::token;
  Observer observer;           // called by worker 0 only; may be empty
  double observe_seconds = 1;  // between two calls within a level
  // Receives one-off events, one sentence each; may be empty.
  std::function<void(const std::string&)> announcer;
  Cluster* cluster = &Cluster::alone();  // the ranks that share the check
};

class Session {
 public:
  Session(const Model& checked, const SessionOptions& options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Resumes the check that made this checkpoint.  Replaces LevelAccounts::begin().  May throw
  // Finished, and Error(integrity) for an unknown property.
  void restore(const EarlierWork& from);

  // States expanded, including those of the checks that this one resumes.  REQUIRES: no thread
  // expands states.
  std::uint64_t expansions() const {
    return levels.earlier_states() + expanders.total() + elsewhere_;
  }
  // Tells the other ranks how many states were expanded here, and notes how many were there.  All
  // ranks at the same time, once.
  void add_up_expansions();
  // Of the checks that this one resumes.
  double earlier_seconds() const { return earlier_seconds_; }

  // Of the rows that the search stores, which may be shorter than states.
  std::size_t row_words() const { return expanders.words(); }

  const Model& model;
  Cluster& cluster;
  Lookout lookout;
  Findings findings;
  Expanders expanders;
  LevelAccounts levels;  // for searches by levels

 private:
  void restore(const std::vector<Finding>& earlier);

  const std::uint64_t max_errors_;
  double earlier_seconds_ = 0;
  std::uint64_t elsewhere_ = 0;  // expanded by other ranks
};

}  // namespace spillway
