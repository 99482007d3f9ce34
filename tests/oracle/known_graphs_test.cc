// Models whose reachable states are known from elsewhere, in RAM, with usual and with tiny buffers.
#include <gtest/gtest.h>

#include <array>
#include <compare>
#include <set>
#include <vector>

#include "cases.h"
#include "check/check.h"
#include "folders.h"
#include "model/compiled_model.h"
#include "search/ram/ram.h"
#include "support/check_in_memory.h"

namespace spillway {
namespace {

RamSettings tiny() {
  RamSettings settings;
  settings.first_homes = 1;
  settings.chunk_bytes = 64;
  settings.unit_rows = 3;
  settings.squeeze_rows = 4;
  settings.in_flight = 2;
  settings.batch_bytes = 100;
  settings.alone_rows = 0;
  return settings;
}

const Algorithm kUsual{"ram", "", [](const SearchContext& context) { return make_ram(context); }};
const Algorithm kTiny{"ram", "",
                      [](const SearchContext& context) { return make_ram(context, tiny()); }};

CheckResult run(const std::string& name, const Algorithm& algorithm, unsigned threads) {
  const CompiledModel model(model_file(name + ".so"));
  CheckOptions options;
  options.session.threads = threads;
  options.session.deadlock = model.deadlock();
  options.memory_bytes = std::uint64_t{2} << 30;
  return check_in_memory(model, algorithm, options);
}

struct Known {
  const char* model;
  std::uint64_t states;
  std::uint64_t transitions;
  std::uint64_t depth;
};

void PrintTo(const Known& known, std::ostream* out) { *out << known.model; }

// Peterson's algorithm for four processes once more, from the lines of text in
// examples/peterson/peterson.cc: no row, no bits, no search but a set of what has been seen. Nobody
// has published its counts.
class PetersonByHand {
 public:
  static Known counts() {
    PetersonByHand search;
    std::uint64_t depth = 0;
    for (std::vector<State> level{State{}}; !level.empty(); ++depth) level = search.next(level);
    return {"peterson_4", search.seen_.size(), search.transitions_, depth - 1};
  }

 private:
  static constexpr unsigned kProcesses = 4;
  enum Line : unsigned { idle, claim, wait, critical };

  struct State {
    std::array<unsigned, kProcesses> line{}, level{}, k{}, last{};
    auto operator<=>(const State&) const = default;
  };

  std::vector<State> next(const std::vector<State>& level) {
    std::vector<State> found;
    for (const State& state : level) {
      seen_.insert(state);
      for (unsigned i = 0; i < kProcesses; ++i) {
        State after = state;
        if (!step(after, i)) continue;
        ++transitions_;
        if (seen_.insert(after).second) found.push_back(after);
      }
    }
    return found;
  }

  static bool step(State& s, unsigned i) {
    if (s.line[i] == idle) return s.level[i] = 1, s.line[i] = claim, true;
    if (s.line[i] == claim) return s.last[s.level[i]] = i, s.line[i] = wait, true;
    if (s.line[i] == critical) return s.level[i] = 0, s.line[i] = idle, true;
    const unsigned k = s.k[i];
    if (k < kProcesses) {
      const bool goes_on = k == i || s.level[k] < s.level[i] || s.last[s.level[i]] != i;
      if (goes_on) ++s.k[i];
      return goes_on;
    }
    s.k[i] = 0;
    const bool advances = s.level[i] < kProcesses - 1;
    s.line[i] = advances ? claim : critical;
    s.level[i] += advances ? 1 : 0;
    return true;
  }

  std::set<State> seen_;
  std::uint64_t transitions_ = 0;
};

class KnownGraph : public testing::TestWithParam<Known> {};

TEST_P(KnownGraph, HasThePublishedCounts) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    const CheckResult result = run(GetParam().model, kUsual, threads);
    EXPECT_EQ(result.verdict.outcome, Outcome::verified) << result.verdict.reason;
    EXPECT_EQ(result.statistics.states, GetParam().states);
    EXPECT_EQ(result.statistics.transitions, GetParam().transitions);
    EXPECT_EQ(result.statistics.depth(), GetParam().depth);
  }
}

TEST_P(KnownGraph, HasTheSameDigestWithTinyBuffers) {
  const CheckResult usual = run(GetParam().model, kUsual, 1);
  const CheckResult small = run(GetParam().model, kTiny, 3);
  EXPECT_EQ(small.verdict.outcome, Outcome::verified) << small.verdict.reason;
  EXPECT_EQ(small.statistics.digest.hex(), usual.statistics.digest.hex());
  EXPECT_EQ(small.statistics.transitions, usual.statistics.transitions);
}

std::vector<Known> known_graphs() {
  std::vector<Known> known = {{"tiles", 181440, 483840, 31},
                              {"tiles_alike", 5040, 13440, 24},
                              {"hypercube_16_words_2", 65536, 1048576, 16},
                              {"hypercube_12_words_3", 4096, 49152, 12}};
  if (take_all()) {
    known.push_back({"tiles_2x5", 1814400, 4717440, 55});
    known.push_back({"pancake_9", 362880, 2903040, 10});
    known.push_back(PetersonByHand::counts());
  }
  return known;
}

INSTANTIATE_TEST_SUITE_P(Ram, KnownGraph, testing::ValuesIn(known_graphs()),
                         [](const auto& test) { return std::string(test.param.model); });

TEST(KnownGraphs, LargerPancakesHaveThePublishedCounts) {
  if (!take_all()) GTEST_SKIP() << "not here: there is no time for 3,628,800 states";
  const CheckResult result = run("pancake_10", kUsual, 2);
  EXPECT_EQ(result.statistics.states, 3628800U);
  EXPECT_EQ(result.statistics.depth(), 11U);
}

TEST(KnownGraphs, RowsOf64KiBAreExact) {
  const CheckResult result = run("hypercube_10_words_8192", kUsual, 2);
  EXPECT_EQ(result.verdict.outcome, Outcome::verified) << result.verdict.reason;
  EXPECT_EQ(result.statistics.states, 1024U);
}

TEST(KnownGraphs, TheLevelsOfAHypercubeAreBinomial) {
  const CheckResult result = run("hypercube_20", kUsual, 2);
  ASSERT_EQ(result.statistics.levels.size(), 21U);
  std::uint64_t binomial = 1;
  for (std::uint64_t k = 0; k <= 20; ++k) {
    EXPECT_EQ(result.statistics.levels[k].states, binomial) << "level " << k;
    binomial = binomial * (20 - k) / (k + 1);
  }
}

TEST(KnownGraphs, TheHardestBoardOfTheEightPuzzleTakes31Moves) {
  const CheckResult result = run("tiles_solve", kUsual, 2);
  ASSERT_EQ(result.verdict.outcome, Outcome::violated);
  EXPECT_EQ(result.traces.front().steps.size(), 32U);
}

}  // namespace
}  // namespace spillway
