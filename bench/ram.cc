// One measurement of the RAM search, as a line of numbers for bench/ram.py.
//
//   bench_ram MODEL THREADS search|bare|lines [NAME=VALUE]...
//
// search: checks the model and prints states, transitions, seconds, and the peak of the budget.
//
// bare: expands the same states in the same order and discards the successors.  No search of the
// model can be faster.  The states are collected by a search first, which is not timed.  The last
// number is that of the successors that were not made a moment ago, so that they are looked up in
// the table.
//
// lines: asks for random places of memory, as the search does, and prints their number and the
// seconds that they took.  bytes=N: of the memory; places=N: how many; fresh=N: so many of them are
// written, the others are only read.  A place is two cache lines, as a bucket is for the search.
//
// NAME=VALUE changes a size of RamSettings, to see what it is worth, or a constant of the model if
// no size has that name.  states=N: levels are expanded as long as there are no more states.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "base/hash/hash.h"
#include "base/memory/pages.h"
#include "base/process/machine.h"
#include "base/text/quantity.h"
#include "check/check.h"
#include "io/data/missing_disk.h"
#include "open/open_model.h"
#include "search/ram/ram.h"
#include "search/ram/recent_rows.h"
#include "storage/table/bucket.h"

namespace {

using namespace spillway;

RamSettings settings;
OpeningOptions reading;
std::uint64_t most_states = kUnlimited;
// For `lines`.
std::size_t memory_bytes = std::size_t{64} << 20;
std::uint64_t places = 10'000'000;
std::uint64_t fresh = 2'500'000;

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void set(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string name = assignment.substr(0, equals);
  const std::uint64_t value = parse_count(assignment.substr(equals + 1));
  const std::map<std::string, std::size_t*> sizes = {{"in_flight", &settings.in_flight},
                                                     {"batch_bytes", &settings.batch_bytes},
                                                     {"unit_rows", &settings.unit_rows},
                                                     {"chunk_bytes", &settings.chunk_bytes},
                                                     {"first_homes", &settings.first_homes},
                                                     {"recent_bytes", &settings.recent_bytes},
                                                     {"look_rows", &settings.look_rows},
                                                     {"states", &most_states},
                                                     {"bytes", &memory_bytes},
                                                     {"places", &places},
                                                     {"fresh", &fresh}};
  if (const auto found = sizes.find(name); found != sizes.end())
    *found->second = value;
  else
    reading.constants[name] = static_cast<std::int64_t>(value);
}

const Algorithm kRam{"ram", "",
                     [](const SearchContext& context) { return make_ram(context, settings); }};

CheckOptions options_for(unsigned threads) {
  static MissingDisk none("the RAM search has no disk");
  CheckOptions options;
  options.disk = &none;
  options.session.threads = threads;
  options.session.limits.max_states = most_states;
  options.memory_bytes = memory_limit_bytes() / 10 * 9;
  return options;
}

void search(const Model& model, unsigned threads) {
  const CheckResult result = check(model, kRam, options_for(threads));
  if (most_states == kUnlimited && result.verdict.outcome != Outcome::verified) {
    fmt::print(stderr, "{}: {}\n", word(result.verdict.outcome), result.verdict.reason);
    std::exit(1);
  }
  fmt::print("{} {} {:.6f} {}\n", result.statistics.states, result.statistics.transitions,
             result.seconds, result.budget_peak_bytes);
}

// Writes down the states that are expanded, in their order.
class Recorder final : public Transitions, public Model {
 public:
  Recorder(const Model& model, std::vector<Word>& rows)
      : Model(model.composition()), recorded_(model.steps()), rows_(rows) {
    composition_.steps = this;
  }
  std::size_t words() const override { return recorded_.words(); }
  std::size_t row_bits() const override { return recorded_.row_bits(); }
  void initial(Successors& out) const override { recorded_.initial(out); }
  void successors(State state, Successors& out) const override {
    rows_.insert(rows_.end(), state.begin(), state.end());
    recorded_.successors(state, out);
  }

 private:
  const Transitions& recorded_;
  std::vector<Word>& rows_;
};

// All states, in the order in which one thread expands them.
std::vector<Word> all_states(const Model& model) {
  std::vector<Word> rows;
  check(Recorder(model, rows), kRam, options_for(1));
  return rows;
}

// How many of the successors the search looks up in its table, with one thread.
std::uint64_t looked_up(const Model& model, States states) {
  const std::size_t words = model.words();
  Budget budget(settings.recent_bytes + (std::size_t{1} << 20));
  RecentRows<0> recent(budget, words, settings.recent_bytes / (words * sizeof(Word)));
  Successors successors(words);
  std::uint64_t others = 0;
  for (const State state : states) {
    successors.clear();
    model.steps().successors(state, successors);
    for (const State t : successors.states())
      others += recent.meet(t.data(), place_hash(t.data(), words)) ? 0 : 1;
  }
  return others;
}

void bare(const Model& model, unsigned threads) {
  const std::vector<Word> rows = all_states(model);
  const States states(rows.data(), rows.size() / model.words(), model.words());
  constexpr std::size_t kUnit = 512;
  std::atomic<std::size_t> next{0};
  std::atomic<std::uint64_t> transitions{0};
  Crew crew(threads);
  const double seconds = seconds_of([&] {
    crew.each([&](unsigned) {
      Successors successors(model.words());
      std::uint64_t made = 0;
      for (std::size_t from; (from = next.fetch_add(kUnit)) < states.size();) {
        const std::size_t to = std::min(states.size(), from + kUnit);
        for (std::size_t i = from; i < to; ++i) {
          successors.clear();
          model.steps().successors(states[i], successors);
          made += successors.size();
        }
      }
      transitions += made;
    });
  });
  fmt::print("{} {} {:.6f} {}\n", states.size(), transitions.load(), seconds,
             looked_up(model, states));
}

// Random places of a buffer in the pages that a table has: each is asked for, and used when
// `in_flight` others have been asked for.
class Lines {
 public:
  Lines() {
    for (std::size_t i = 0; i < count_; ++i) buckets_[i].tags.store(i, std::memory_order_relaxed);
  }

  // Returns something that depends on all places.
  std::uint64_t visit() {
    const std::size_t stride = settings.in_flight;
    std::vector<std::size_t> asked(2 * stride);
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < places; i += stride) {
      const std::size_t half = i / stride % 2 * stride;
      for (std::size_t k = 0; k < stride; ++k) asked[half + k] = ask(i + k);
      for (std::size_t k = 0; k < stride; ++k) sum += use(asked[stride - half + k]);
    }
    return sum;
  }

 private:
  std::size_t ask(std::uint64_t number) const {
    const std::size_t place = place_of(scatter(number + 1), count_);
    __builtin_prefetch(buckets_ + place);
    __builtin_prefetch(reinterpret_cast<const std::byte*>(buckets_ + place) + 64);
    return place;
  }
  std::uint64_t use(std::size_t place) {
    const std::uint64_t there = buckets_[place].tags.load(std::memory_order_relaxed);
    share_ += fresh;
    if (share_ >= places) {
      share_ -= places;
      buckets_[place].tags.store(there + 1, std::memory_order_relaxed);
    }
    return there;
  }

  Budget budget_{2 * memory_bytes + (std::size_t{16} << 20)};
  Pages pages_ = Pages::need(budget_, memory_bytes);
  Bucket<1>* const buckets_ = reinterpret_cast<Bucket<1>*>(pages_.data());
  const std::size_t count_ = memory_bytes / sizeof(Bucket<1>) - 1;
  std::uint64_t share_ = 0;
};

void lines() {
  Lines random;
  std::uint64_t sum = 0;
  const double seconds = seconds_of([&] { sum = random.visit(); });
  fmt::print("{} {} {:.6f} {}\n", places, fresh, seconds, sum);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: bench_ram MODEL THREADS search|bare|lines [NAME=VALUE]...\n");
    return 2;
  }
  for (int i = 4; i < argc; ++i) set(argv[i]);
  const std::string_view what = argv[3];
  if (what == "lines") return lines(), 0;
  reading.symmetry = SymmetryMode::off;
  reading.executed = Executed::optimized;
  const LoadedModel loaded = open_model(argv[1], reading);
  loaded.model->runtime().prepare();
  const Model& model = *loaded.model;
  const auto threads = static_cast<unsigned>(parse_count(argv[2]));
  what == "bare" ? bare(model, threads) : search(model, threads);
}
