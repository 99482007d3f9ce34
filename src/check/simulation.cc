#include "check/simulation.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "base/error.h"
#include "base/hash/hash.h"
#include "base/process/crew.h"
#include "base/process/machine.h"
#include "base/process/stop_request.h"
#include "check/session/signals.h"

namespace spillway {
namespace {

// Walks between two of which all threads meet.  Their results are kept until then.
constexpr std::uint64_t kWalksInRound = 256;

// Numbers for one walk: SplitMix64.
class Dice {
 public:
  Dice(std::uint64_t seed, std::uint64_t walk) : state_(mixed(seed) ^ mixed(~walk)) {}

  // Below `count`.  REQUIRES: count > 0.
  std::size_t below(std::size_t count) {
    state_ += kGamma;
    return place_of(mixed(state_), count);
  }

 private:
  static constexpr std::uint64_t kGamma = 0x9e3779b97f4a7c15;
  static std::uint64_t mixed(std::uint64_t z) {
    z += kGamma;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

// What one walk has seen.
struct Walk {
  bool complete = false;  // it was not stopped
  std::uint64_t steps = 0;
  std::uint64_t states = 0, transitions = 0;
  Observed observed = {};
  std::vector<PropertyIndex> covered = {};
  std::vector<Finding> found = {};  // all in its last state
};

// All walks begin in one of these.
struct Beginnings {
  std::vector<Word> rows;
  std::vector<RuleIndex> rules;
  std::size_t count = 0;
};

// Of one thread.
class Walker {
 public:
  Walker(const Model& model, const SimulationOptions& options, const Beginnings& beginnings)
      : model_(model),
        steps_(model.steps()),
        conditions_(model.conditions()),
        options_(options),
        beginnings_(beginnings),
        examiner_(model, options.deadlock),
        successors_(model.words()) {}

  // Throws Stopped.
  Walk walk(std::uint64_t number) { return walk(number, nullptr); }
  // The steps of a walk.
  std::vector<Step> path(std::uint64_t number) {
    std::vector<Step> steps;
    successors_.want_rules(true);
    walk(number, &steps);
    return steps;
  }

 private:
  Walk walk(std::uint64_t number, std::vector<Step>* path) {
    Walk walk;
    Dice dice(options_.seed, number);
    const std::size_t first = dice.below(beginnings_.count);
    const Word* const row = beginnings_.rows.data() + first * model_.words();
    state_.assign(row, row + model_.words());
    if (path != nullptr) path->push_back({beginnings_.rules[first], state_});
    for (;;) {
      stop_request::obey();
      look_at_state(walk);
      if (!walk.found.empty() || walk.steps == options_.depth || !leads_on()) break;
      const std::size_t next = dice.below(successors_.size());
      const State chosen = successors_.states()[next];
      state_.assign(chosen.begin(), chosen.end());
      if (path != nullptr) path->push_back({successors_.rule(next), state_});
      ++walk.steps;
    }
    walk.observed.take(successors_.observed());
    walk.complete = true;
    return walk;
  }

  // Checks the state, and leaves its successors.
  void look_at_state(Walk& walk) {
    ++walk.states;
    successors_.clear();
    examiner_(state_, successors_, [&](const Seen& seen) {
      if (seen.violates())
        walk.found.push_back({seen.kind, seen.property, walk.steps, state_, seen.failure});
      if (seen.kind == PropertyKind::cover &&
          std::ranges::find(walk.covered, seen.property) == walk.covered.end())
        walk.covered.push_back(seen.property);
    });
    walk.transitions += successors_.size();
  }

  // A walk that can only stay where it is has ended.
  bool leads_on() const {
    for (const State next : successors_.states())
      if (!equal(next, state_)) return true;
    return false;
  }

  const Model& model_;
  const Transitions& steps_;
  const Conditions& conditions_;
  const SimulationOptions& options_;
  const Beginnings& beginnings_;
  Examiner examiner_;
  Successors successors_;
  std::vector<Word> state_;
};

class Simulation {
 public:
  Simulation(const Model& model, const SimulationOptions& options)
      : model_(model), options_(options), crew_(std::max(1U, options.threads)) {
    done_.seed = options.seed;
    done_.depth = options.depth;
    covered_.resize(model.properties().size());
  }

  CheckResult carry_out() {
    try {
      if (options_.watch != nullptr) options_.watch->enter(Watch::Stage::searching, nullptr);
      begin();
      while (going_on_ && done_.walks < options_.walks) walk_a_round();
    } catch (const Stopped&) {
      note_stop();
    } catch (const Error& error) {
      evidence_.fault = error.fault();
      evidence_.fault_sentence = error.what();
    }
    trace();
    return judged();
  }

 private:
  void begin() {
    Successors out(model_.words());
    out.want_rules(true);
    model_.steps().initial(out);
    observed_.take(out.observed());
    if (const std::optional<Failure>& failure = out.failure()) {
      findings_ = {{kind_of(*failure), failure->assertion.value_or(0), 0, {}, failure}};
      going_on_ = false;
      return;
    }
    beginnings_.count = evidence_.initial_states = out.size();
    for (std::size_t i = 0; i < out.size(); ++i) {
      const State state = out.states()[i];
      beginnings_.rows.insert(beginnings_.rows.end(), state.begin(), state.end());
      beginnings_.rules.push_back(out.rule(i));
    }
    if (beginnings_.count == 0) {
      going_on_ = false;
      return;
    }
    evidence_.stop = Stop::walks;  // whatever else comes, it has not seen all states
    for (unsigned w = 0; w < crew_.size(); ++w)
      walkers_.push_back(std::make_unique<Walker>(model_, options_, beginnings_));
  }

  void walk_a_round() {
    const std::uint64_t first = done_.walks;
    const std::uint64_t count = std::min(kWalksInRound, options_.walks - first);
    // Only a guess, of how long it is worth waiting for better code.
    model_.runtime().before_level(
        rounds_++, count * (done_.walks == 0 ? options_.depth : done_.steps / done_.walks + 1));
    std::vector<Walk> walks(count);
    std::atomic<std::uint64_t> next{0}, least{count};  // of the walks that found something
    crew_.each([&](unsigned worker) {
      try {
        for (std::uint64_t i; (i = next.fetch_add(1)) < count && i < least.load();) {
          walks[i] = walkers_[worker]->walk(first + i);
          if (walks[i].found.empty()) continue;
          std::uint64_t known = least.load();
          while (i < known && !least.compare_exchange_weak(known, i)) continue;
        }
      } catch (const Stopped&) {  // what is complete counts
      }
    });
    add(walks, first);
    if (options_.observer && going_on_) options_.observer(done_);
  }

  void add(std::vector<Walk>& walks, std::uint64_t first) {
    for (std::uint64_t i = 0; i < walks.size() && going_on_; ++i) {
      Walk& walk = walks[i];
      if (!walk.complete) {
        // A later walk may have found something.  It counts, although the ones before it do not.
        const auto found =
            std::ranges::find_if(walks, [](const Walk& w) { return !w.found.empty(); });
        if (found != walks.end())
          keep(*found, first + static_cast<std::uint64_t>(found - walks.begin()));
        note_stop();
        return;
      }
      ++done_.walks;
      done_.steps += walk.steps;
      done_.longest = std::max(done_.longest, walk.steps);
      evidence_.expanded += walk.states;
      transitions_ += walk.transitions;
      observed_.take(walk.observed);
      for (const PropertyIndex property : walk.covered) covered_[property] = true;
      if (!walk.found.empty()) keep(walk, first + i);
    }
  }

  void keep(Walk& walk, std::uint64_t number) {
    findings_ = std::move(walk.found);
    done_.found_in = number;
    going_on_ = false;
  }

  void note_stop() {
    going_on_ = false;
    const Stop why = requested_stop().value_or(Stop::time);
    evidence_.stop = why == Stop::time ? Stop::walks : why;
  }

  void trace() {
    if (options_.watch != nullptr) options_.watch->enter(Watch::Stage::tracing, nullptr);
    if (evidence_.fault) return;
    try {
      PackedSteps steps;
      if (done_.found_in) steps = PackedSteps(walkers_.front()->path(*done_.found_in));
      for (const Finding& finding : findings_) {
        Trace one{finding, steps, false};
        if (!confirmed(model_, options_.deadlock, one))
          throw Error(
              Fault::model,
              "the walk that found a violation could not be repeated: a state of the model "
              "has other successors when it is expanded again, so no result can be trusted");
        result_.traces.push_back(std::move(one));
      }
      evidence_.findings = findings_;
      evidence_.traces_confirmed = true;
    } catch (const Stopped&) {
      result_.traces.clear();
      evidence_.untraced = true;
      note_stop();
    } catch (const Error& error) {
      result_.traces.clear();
      evidence_.fault = error.fault();
      evidence_.fault_sentence = error.what();
    }
  }

  CheckResult judged() {
    result_.walks = done_;
    result_.verdict = judge(evidence_);
    result_.statistics.in_levels = false;
    result_.statistics.states = evidence_.expanded;
    result_.statistics.transitions = transitions_;
    result_.coverage = model_.description().coverage(observed_);
    result_.goals.decided.resize(covered_.size());
    for (PropertyIndex i = 0; i < covered_.size(); ++i)
      result_.goals.decided[i] = model_.properties()[i].kind == PropertyKind::cover &&
                                 (covered_[i] || model_.conditions().is_covered(i, observed_));
    result_.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    result_.peak_memory_bytes = peak_resident_bytes();
    return std::move(result_);
  }

  using Clock = std::chrono::steady_clock;

  const Model& model_;
  const SimulationOptions& options_;
  const Clock::time_point begin_ = Clock::now();
  Crew crew_;
  Beginnings beginnings_;
  std::vector<std::unique_ptr<Walker>> walkers_;
  bool going_on_ = true;
  std::uint64_t rounds_ = 0;
  Walks done_;
  std::uint64_t transitions_ = 0;
  Observed observed_;
  std::vector<bool> covered_;
  std::vector<Finding> findings_;
  Evidence evidence_;
  CheckResult result_;
};

}  // namespace

CheckResult simulate(const Model& model, const SimulationOptions& options) {
  return Simulation(model, options).carry_out();
}

}  // namespace spillway
