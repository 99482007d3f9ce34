// One measurement of the RAM search, as a line of numbers for bench/ram.py.
//
//   bench_ram MODEL THREADS search|bare [NAME=VALUE]...
//
// search: checks the model and prints states, transitions, seconds, and the peak of the budget.
//
// bare: expands the same states in the same order and discards the successors.  No search of the
// model can be faster.  The states are collected by a search first, which is not timed.
//
// NAME=VALUE changes a size of RamSettings, to see what it is worth.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/machine.h"
#include "base/quantity.h"
#include "check/check.h"
#include "io/memory_disk.h"
#include "open/open_model.h"
#include "safety/ram.h"

namespace {

using namespace spillway;

RamSettings settings;

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void set(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string name = assignment.substr(0, equals);
  const std::uint64_t value = parse_count(assignment.substr(equals + 1));
  if (name == "in_flight") settings.in_flight = value;
  if (name == "batch_bytes") settings.batch_bytes = value;
  if (name == "unit_rows") settings.unit_rows = value;
  if (name == "chunk_bytes") settings.chunk_bytes = value;
  if (name == "first_homes") settings.first_homes = value;
}

const Algorithm kRam{"ram", "",
                     [](const SearchContext& context) { return make_ram(context, settings); }};

CheckOptions options_for(unsigned threads) {
  CheckOptions options;
  options.session.threads = threads;
  options.memory_bytes = memory_limit_bytes() / 10 * 9;
  return options;
}

void search(const Model& model, unsigned threads) {
  const CheckResult result = check(model, kRam, options_for(threads));
  if (result.verdict.outcome != Outcome::verified) {
    fmt::print(stderr, "{}: {}\n", word(result.verdict.outcome), result.verdict.reason);
    std::exit(1);
  }
  fmt::print("{} {} {:.6f} {}\n", result.statistics.states, result.statistics.transitions,
             result.seconds, result.budget_peak_bytes);
}

// Writes down the states that are expanded, in their order.
class Recorder final : public Model {
 public:
  Recorder(const Model& model, std::vector<Word>& rows) : model_(model), rows_(rows) {}
  const std::string& name() const override { return model_.name(); }
  std::size_t words() const override { return model_.words(); }
  std::size_t row_bits() const override { return model_.row_bits(); }
  const std::vector<Property>& properties() const override { return model_.properties(); }
  Deadlock deadlock() const override { return model_.deadlock(); }
  void initial(Successors& out) const override { model_.initial(out); }
  void successors(State state, Successors& out) const override {
    rows_.insert(rows_.end(), state.begin(), state.end());
    model_.successors(state, out);
  }
  std::size_t check(State state, PropertyIndex* noted) const override {
    return model_.check(state, noted);
  }
  bool accepting(State state) const override { return model_.accepting(state); }
  std::string rule_name(RuleIndex rule) const override { return model_.rule_name(rule); }
  std::vector<Variable> variables(State state) const override { return model_.variables(state); }

 private:
  const Model& model_;
  std::vector<Word>& rows_;
};

// All states, in the order in which one thread expands them.
std::vector<Word> all_states(const Model& model) {
  std::vector<Word> rows;
  check(Recorder(model, rows), kRam, options_for(1));
  return rows;
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
          model.successors(states[i], successors);
          made += successors.size();
        }
      }
      transitions += made;
    });
  });
  fmt::print("{} {} {:.6f} 0\n", states.size(), transitions.load(), seconds);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: bench_ram MODEL THREADS search|bare [NAME=VALUE]...\n");
    return 2;
  }
  for (int i = 4; i < argc; ++i) set(argv[i]);
  ReadingOptions reading;
  reading.symmetry = SymmetryMode::off;
  reading.executed = Executed::optimized;
  const LoadedModel loaded = open_model(argv[1], reading);
  loaded.model->prepare();
  const Model& model = *loaded.model;
  const auto threads = static_cast<unsigned>(parse_count(argv[2]));
  std::strcmp(argv[3], "bare") == 0 ? bare(model, threads) : search(model, threads);
}
