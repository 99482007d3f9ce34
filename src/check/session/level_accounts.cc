#include "check/session/level_accounts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/process/stop_request.h"
#include "check/facts/expect_state.h"

namespace spillway {

LevelAccounts::LevelAccounts(const Model& model, const Bounds& bounds, Expanders& expanders,
                             Findings& findings, Lookout& lookout, Cluster& cluster)
    : model_(model),
      bounds_(bounds),
      expanders_(expanders),
      findings_(findings),
      lookout_(lookout),
      cluster_(cluster) {}

// The account of all ranks.  What they have found and covered is known here then.
LevelAccount LevelAccounts::agree(const LevelAccount& own) {
  LevelAccount account = own;
  account.own_states = own_expanded_ + own.level.states + own.next_states;
  account.refused = refused_.load();
  account.findings = findings_.all();
  for (PropertyIndex i = 0; i < model_.properties().size(); ++i)
    if (model_.properties()[i].kind == PropertyKind::cover && expanders_.covered(i))
      account.covered.push_back(i);
  LevelAccount all = agree_on(cluster_, account);
  for (Finding& finding : all.findings) {
    expect_states(model_, finding);
    findings_.add(std::move(finding));
  }
  for (const std::uint64_t property : all.covered) {
    expect_property(model_, property);
    expanders_.set_covered(static_cast<PropertyIndex>(property));
  }
  if (all.refused != kNone) cannot_store(static_cast<Stop>(all.refused));
  return all;
}

void LevelAccounts::begin(std::uint64_t states) {
  set_own_states(states);
  states = agree({{}, states}).next_states;
  if (states > bounds_.states) lookout_.finish(Stop::states);
  set_level_states(states);
}

void LevelAccounts::restore(const std::vector<Level>& levels, std::uint64_t level_states) {
  set_own_states(level_states);
  for (const Level& level : levels) own_expanded_ += level.states;
  std::vector<Level> all = levels;
  own_levels_.restore(levels);
  cluster_.set_states(own_expanded_ + level_states);
  level_states = agree_on(cluster_, all, level_states);
  {
    const std::lock_guard lock(mutex_);
    for (const Level& level : all) counts_.add(level);
    earlier_states_ = counts_.states;
  }
  findings_.settle();
  expanders_.set_depth(counts_.levels.size());
  set_level_states(level_states);
  look_at_bounds();
}

void LevelAccounts::set_own_states(std::uint64_t states) {
  const std::lock_guard lock(mutex_);
  own_states_ = states;
}

void LevelAccounts::set_level_states(std::uint64_t states) {
  const std::lock_guard lock(mutex_);
  level_states_ = states;
  choose_examined();
}

// How many states a model examines: at the beginning some of each level, later as few as cost
// nothing.  That depends on the level only, so that it is the same for any number of threads.
void LevelAccounts::choose_examined() const {
  constexpr std::uint64_t kBeginning = 2000, kOfALevel = 16, kOneIn = 512;
  const bool beginning = counts_.states < kBeginning;
  model_.quotient().examine_one_in(
      beginning ? std::clamp<std::uint64_t>(level_states_ / kOfALevel, 1, kOneIn) : kOneIn);
}

void LevelAccounts::end_level(std::uint64_t next_states) {
  const Level own = expanders_.tally();
  if (own.states != own_states_)
    throw Error(Fault::internal,
                fmt::format("a level lost or repeated states: {} were stored and {} expanded",
                            own_states_, own.states));
  const LevelAccount account = agree({own, next_states});
  // Only now: if another rank has left, this level is not complete anywhere.
  expanders_.take();
  own_levels_.add(own);
  own_expanded_ += own.states;
  set_own_states(next_states);
  const Level& level = account.level;
  next_states = account.next_states;
  SPILLWAY_CHECK(level.states == level_states_);
  // The search knows only its own.
  if (account.elsewhere != 0) have_stored(counts_.states + level.states + next_states);
  {
    const std::lock_guard lock(mutex_);
    counts_.add(level);
  }
  lookout_.observe({true, counts_.depth(), level.states, level.states, next_states, counts_.states,
                    counts_.transitions, lookout_.seconds(), earlier_states_});
  model_.quotient().complain();
  findings_.settle();
  if (has_found_enough()) lookout_.finish({});
  if (discarding()) lookout_.finish(static_cast<Stop>(refused_.load()));
  expanders_.set_depth(counts_.levels.size());
  set_level_states(next_states);
  look_at_bounds();
}

void LevelAccounts::start_level() {
  if (level_states_ == 0) return;
  try {
    model_.runtime().before_level(counts_.levels.size(), level_states_);
  } catch (const Stopped&) {
    lookout_.finish_as_requested();
  }
}

// Ends the search if the current level must not be expanded.
void LevelAccounts::look_at_bounds() {
  if (level_states_ == 0 || counts_.levels.empty()) return;
  if (counts_.depth() >= bounds_.depth) lookout_.finish(Stop::depth);
  const auto exceed = [&](std::uint64_t most) {
    return counts_.states > most || level_states_ > most - counts_.states;
  };
  if (exceed(bounds_.states)) lookout_.finish(Stop::states);
  if (exceed(bounds_.goal_states)) lookout_.finish(Stop::goals);
}

void LevelAccounts::cannot_store(Stop why) {
  int none = kNone;
  refused_.compare_exchange_strong(none, static_cast<int>(why));
}

// How far other ranks are is not known before the end of the level: as far as this one.
std::uint64_t LevelAccounts::expanded() const {
  const std::uint64_t here = expanders_.expanded();
  if (own_states_ == 0) return here;
  const double share = static_cast<double>(here) / static_cast<double>(own_states_);
  return std::min(level_states_,
                  static_cast<std::uint64_t>(share * static_cast<double>(level_states_)));
}

Progress LevelAccounts::progress() const {
  const std::lock_guard lock(mutex_);
  return {false,
          counts_.levels.size(),
          level_states_,
          expanded(),
          0,
          counts_.states + level_states_,
          counts_.transitions,
          lookout_.seconds(),
          earlier_states_,
          lookout_.phase()};
}

Statistics LevelAccounts::so_far() const {
  const std::lock_guard lock(mutex_);
  Statistics all = counts_;
  if (level_states_ != 0)
    all.unfinished = {counts_.levels.size(), level_states_, expanders_.expanded()};
  return all;
}

void LevelAccounts::close() {
  const std::uint64_t expanded = expanders_.tally().states;
  if (expanded != 0) counts_.unfinished = {counts_.levels.size(), level_states_, expanded};
}

}  // namespace spillway
