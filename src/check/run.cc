#include "check/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "check/signals.h"

namespace spillway {
namespace {

// A thread looks at clock and signals every so many states: often enough for a model that takes
// long for each.
constexpr std::uint64_t kMostBetweenLooks = 256;
constexpr double kOftenSeconds = 0.001;
constexpr double kRarelySeconds = 0.01;

bool has_conditions(const Model& model) {
  return std::any_of(model.properties().begin(), model.properties().end(), [](const Property& p) {
    return p.kind == PropertyKind::invariant || p.kind == PropertyKind::cover;
  });
}

}  // namespace

Run::Run(const Model& model, Options options)
    : model_(model),
      options_(std::move(options)),
      has_conditions_(has_conditions(model)),
      covered_(std::make_unique<std::atomic<bool>[]>(model.properties().size())) {
  for (unsigned i = 0; i < options_.threads; ++i)
    expanders_.push_back(std::make_unique<Expander>(*this, i));
}

Run::~Run() = default;

Run::Expander::Expander(Run& run, unsigned worker)
    : run_(run),
      worker_(worker),
      successors_(run.model().words()),
      noted_(run.model().properties().size()) {}

States Run::Expander::expand(State state) {
  if (--until_look_ == 0) look_up();
  const std::size_t before = successors_.size();
  execute(state);
  ++level_.states;
  ++total_;
  level_.digest.add(state);
  const States made = successors_.states(before);
  level_.transitions += made.size();
  if (const std::optional<Failure>& failure = successors_.failure())
    keep(failure->assertion ? FindingKind::assertion : FindingKind::runtime_error,
         failure->assertion.value_or(0), state, failure);
  else if (!successors_.moved() && is_deadlock(run_.options_.deadlock, state, made))
    keep(FindingKind::deadlock, 0, state, {});
  return made;
}

void Run::Expander::execute(State state) {
  in_model_.store(true, std::memory_order_relaxed);
  try {
    if (run_.has_conditions_) {
      const std::size_t count = run_.model_.check(state, noted_.data());
      for (std::size_t i = 0; i < count; ++i) note(noted_[i], state);
    }
    run_.model_.successors(state, successors_);
  } catch (const Stopped&) {  // in the midst of it: the state is not expanded
    in_model_.store(false, std::memory_order_relaxed);
    run_.finish(requested_stop());
  }
  in_model_.store(false, std::memory_order_relaxed);
}

void Run::Expander::note(PropertyIndex property, State state) {
  switch (run_.model_.properties()[property].kind) {
    case PropertyKind::invariant: return keep(FindingKind::invariant, property, state, {});
    case PropertyKind::cover: return run_.covered_[property].store(true, std::memory_order_relaxed);
    default: return;
  }
}

void Run::Expander::look_up() {
  expanded_.store(level_.states, std::memory_order_relaxed);
  run_.look_up(worker_);
  const double now = run_.seconds();
  if (now - last_look_ < kOftenSeconds)
    look_interval_ = std::min(look_interval_ * 2, kMostBetweenLooks);
  else if (now - last_look_ > kRarelySeconds)
    look_interval_ = (look_interval_ + 1) / 2;
  last_look_ = now;
  until_look_ = look_interval_;
}

void Run::Expander::keep(FindingKind kind, PropertyIndex property, State state,
                         const std::optional<Failure>& failure) {
  run_.keep(
      {kind, property, run_.statistics_.levels.size(), {state.begin(), state.end()}, failure});
}

// Of all states of a level that violate the same property, the smallest is kept: the order in which
// threads find them must not matter.
void Run::keep(Finding finding) {
  const auto order = [](const Finding& a, const Finding& b) {
    return std::pair(a.kind, a.property) < std::pair(b.kind, b.property);
  };
  const std::lock_guard lock(findings_mutex_);
  const auto place = std::lower_bound(findings_.begin(), findings_.end(), finding, order);
  if (place == findings_.end() || order(finding, *place))
    findings_.insert(place, std::move(finding));
  else if (less(finding.row, place->row))
    *place = std::move(finding);
  discarding_.store(true, std::memory_order_relaxed);
}

void Run::restore(const std::vector<Level>& levels, std::uint64_t level_states,
                  const std::vector<std::uint64_t>& covered, double seconds) {
  {
    const std::lock_guard lock(progress_mutex_);
    for (const Level& level : levels) statistics_.add(level);
    earlier_states_ = statistics_.states;
    earlier_seconds_ = seconds;
    level_states_ = level_states;
    choose_examined();
  }
  for (const std::uint64_t property : covered) {
    if (property >= model_.properties().size())
      throw Error(
          Fault::integrity,
          fmt::format("the checkpoint refers to property {}, but the model has {} properties",
                      property, model_.properties().size()));
    covered_[property].store(true);
  }
  look_at_bounds();
}

States Run::initial() {
  Successors& out = expander(0).successors_;
  out.clear();
  try {
    const InModel in_model(*this);
    model_.initial(out);
  } catch (const Stopped&) {
    finish(requested_stop());
  }
  if (const std::optional<Failure>& failure = out.failure()) {
    const FindingKind kind =
        failure->assertion ? FindingKind::assertion : FindingKind::runtime_error;
    keep({kind, failure->assertion.value_or(0), 0, {}, failure});
    finish({});
  }
  return out.states();
}

void Run::begin(std::uint64_t states) {
  if (states > options_.limits.max_states) finish(Stop::states);
  set_level_states(states);
}

void Run::set_level_states(std::uint64_t states) {
  const std::lock_guard lock(progress_mutex_);
  level_states_ = states;
  choose_examined();
}

// How many states a model examines: at the beginning some of each level, later as few as cost
// nothing.  That depends on the level only, so that it is the same for any number of threads.
void Run::choose_examined() const {
  constexpr std::uint64_t kBeginning = 2000, kOfALevel = 16, kOneIn = 512;
  const bool beginning = statistics_.states < kBeginning;
  model_.examine_one_in(beginning ? std::clamp<std::uint64_t>(level_states_ / kOfALevel, 1, kOneIn)
                                  : kOneIn);
}

void Run::end_level(std::uint64_t next_states) {
  Level level;
  for (const auto& expander : expanders_) {
    level.states += expander->level_.states;
    level.transitions += expander->level_.transitions;
    level.digest.add(expander->level_.digest);
    expander->level_ = {};
    expander->expanded_.store(0, std::memory_order_relaxed);
  }
  if (level.states != level_states_)
    throw Error(Fault::internal,
                "a level lost or repeated states: " + std::to_string(level_states_) +
                    " were stored and " + std::to_string(level.states) + " expanded");
  {
    const std::lock_guard lock(progress_mutex_);
    statistics_.add(level);
  }
  if (options_.observer) {
    const std::uint64_t depth = statistics_.depth();
    options_.observer({true, depth, level.states, level.states, next_states, statistics_.states,
                       statistics_.transitions, seconds(), earlier_states_});
  }
  model_.complain();
  if (!findings_.empty()) finish({});
  if (discarding()) finish(static_cast<Stop>(refused_.load()));
  set_level_states(next_states);
  look_at_bounds();
}

// Whether the current level may be looked at.
void Run::look_at_bounds() {
  if (level_states_ == 0 || statistics_.levels.empty()) return;
  if (statistics_.depth() >= options_.limits.max_depth) finish(Stop::depth);
  const auto exceed = [&](std::uint64_t most) {
    return statistics_.states > most || level_states_ > most - statistics_.states;
  };
  if (exceed(options_.limits.max_states)) finish(Stop::states);
  if (exceed(options_.most_goal_states)) finish(Stop::goals);
}

void Run::cannot_store(Stop why) {
  int none = -1;
  refused_.compare_exchange_strong(none, static_cast<int>(why));
  discarding_.store(true, std::memory_order_relaxed);
}

void Run::look_up(unsigned worker) {
  if (stop_request::made()) finish(requested_stop());
  const double now = seconds();
  if (now > options_.limits.timeout_seconds) finish(Stop::time);
  if (worker == 0 && options_.observer && now - observed_ >= options_.observe_seconds) {
    observed_ = now;
    options_.observer(progress());
  }
}

Progress Run::progress() const {
  const std::lock_guard lock(progress_mutex_);
  return {false,
          statistics_.levels.size(),
          level_states_,
          expanded_so_far(),
          0,
          statistics_.states + level_states_,
          statistics_.transitions,
          seconds(),
          earlier_states_};
}

bool Run::is_inside_model() const {
  return std::ranges::any_of(expanders_,
                             [](const auto& expander) { return expander->in_model_.load(); });
}

Statistics Run::finished_levels() const {
  const std::lock_guard lock(progress_mutex_);
  Statistics all = statistics_;
  if (level_states_ != 0)
    all.unfinished = {statistics_.levels.size(), level_states_, expanded_so_far()};
  return all;
}

std::uint64_t Run::expanded_so_far() const {
  std::uint64_t expanded = 0;
  for (const auto& expander : expanders_)
    expanded += expander->expanded_.load(std::memory_order_relaxed);
  return expanded;
}

std::uint64_t Run::expansions() const {
  std::uint64_t total = earlier_states_;
  for (const auto& expander : expanders_) total += expander->total_;
  return total;
}

void Run::finish(std::optional<Stop> why) {
  {
    const std::lock_guard lock(findings_mutex_);
    if (!stop_) stop_ = why;
  }
  throw Finished{};
}

void Run::note_stop(Stop why) {
  const std::lock_guard lock(findings_mutex_);
  if (!stop_) stop_ = why;
}

void Run::close() {
  Unfinished rest{statistics_.levels.size(), level_states_, 0};
  for (const auto& expander : expanders_) rest.expanded += expander->level_.states;
  if (rest.expanded != 0) statistics_.unfinished = rest;
}

double Run::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

}  // namespace spillway
