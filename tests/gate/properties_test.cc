// What is said of each property of random graphs, against what is true of it: in the result, in
// text and in JSON.
//
// SPILLWAY_GRAPHS=20000 sets how many graphs, SPILLWAY_SEED=17 looks at one only.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "algorithms/algorithms.h"
#include "check/check.h"
#include "check/durable/journal.h"
#include "oracle/reference.h"
#include "report/json.h"
#include "report/properties_text.h"
#include "report/text.h"
#include "report/words/kind_word.h"
#include "support/check_in_memory.h"
#include "support/memory_disk.h"

namespace spillway {
namespace {

using Random = std::mt19937_64;

// A graph with some properties of each kind.
class PropertyGraph final : public WholeModel {
 public:
  explicit PropertyGraph(Random& random) : WholeModel("graph"), nodes_(1 + random() % 12) {
    const auto some = [&](std::uint64_t of) { return random() % of == 0; };
    edges_.resize(nodes_);
    noted_.resize(nodes_);
    failures_.resize(nodes_);
    const bool harmless = some(2);  // nothing ends the search
    for (std::size_t i = random() % (3 * nodes_); i > 0; --i)
      edges_[random() % nodes_].push_back(random() % nodes_);
    if (harmless)
      for (std::size_t i = 0; i < nodes_; ++i) edges_[i].push_back(random() % nodes_);
    for (const PropertyKind kind : {PropertyKind::invariant, PropertyKind::assertion,
                                    PropertyKind::cover, PropertyKind::reachable})
      for (std::size_t count = random() % 3; count > 0; --count) {
        const auto number = static_cast<PropertyIndex>(properties().size());
        composition_.properties.push_back({fmt::format("property {}", number), kind});
        const bool ends = kind == PropertyKind::invariant || kind == PropertyKind::assertion;
        for (std::size_t i = 0; i < nodes_; ++i) {
          if (!some(ends ? 12 : 4) || (ends && harmless)) continue;
          if (kind == PropertyKind::assertion)
            failures_[i] = Failure{0, number, "asserts"};
          else
            noted_[i].push_back(number);
        }
      }
    if (!harmless && some(3)) failures_[random() % nodes_] = Failure{0, {}, "fails"};
    composition_.deadlock = some(2) ? Deadlock::off : Deadlock::stuck;
  }

  std::string text() const {
    std::string text;
    for (std::size_t i = 0; i < nodes_; ++i)
      text += fmt::format("{} -> {} notes {}{}\n", i, fmt::join(edges_[i], " "),
                          fmt::join(noted_[i], " "), failures_[i] ? ", fails" : "");
    return text;
  }

  std::size_t words() const override { return 1; }
  std::size_t row_bits() const override { return 64; }
  void initial(Successors& out) const override { write({0}, out, std::nullopt); }
  void successors(State state, Successors& out) const override {
    write(edges_[state[0]], out, failures_[state[0]]);
  }
  std::size_t check(State state, PropertyIndex* noted, Observed*) const override {
    std::copy(noted_[state[0]].begin(), noted_[state[0]].end(), noted);
    return noted_[state[0]].size();
  }
  std::string rule_name(RuleIndex) const override { return "step"; }
  std::vector<Variable> variables(State state) const override {
    return {{"node", std::to_string(state[0])}};
  }

 private:
  static void write(const std::vector<Word>& targets, Successors& out,
                    const std::optional<Failure>& failure) {
    if (targets.size() > out.room()) out.make_room(targets.size());
    std::copy(targets.begin(), targets.end(), out.rows());
    if (out.rules() != nullptr) std::fill_n(out.rules(), targets.size(), 0);
    failure ? out.add(targets.size(), *failure) : out.add(targets.size());
  }

  std::size_t nodes_;
  std::vector<std::vector<Word>> edges_;
  std::vector<std::vector<PropertyIndex>> noted_;
  std::vector<std::optional<Failure>> failures_;
};

// What may be said of a property after a search that was allowed so many levels.
Outcome expected(const Truths& truths, const std::string& name, PropertyKind kind,
                 std::uint64_t levels, bool signatures) {
  const Truth& truth = truths.of.at(name);
  const std::uint64_t seen =
      std::min({levels, truths.levels, truths.broken.value_or(kUnlimited - 1) + 1});
  const bool complete = levels >= truths.levels && !truths.broken;
  const bool shown = truth.depth && *truth.depth < seen;
  if (kind == PropertyKind::cover) {
    if (shown) return Outcome::verified;
    return complete && !signatures ? Outcome::violated : Outcome::inconclusive;
  }
  if (kind != PropertyKind::reachable && shown) return Outcome::violated;
  if (!complete) return Outcome::inconclusive;
  if (!truth.holds) return Outcome::violated;
  return signatures ? Outcome::verified_probabilistic : Outcome::verified;
}

std::string_view verb(Outcome outcome) {
  switch (outcome) {
    case Outcome::verified: return "holds\n";
    case Outcome::verified_probabilistic: return "holds (probabilistic)\n";
    case Outcome::violated: return "VIOLATED";
    default: return "not decided\n";
  }
}

struct Way {
  const Algorithm* algorithm;
  unsigned threads = 1;
  std::uint64_t levels = kUnlimited;
  Signatures signatures = {};
};

void compare(const PropertyGraph& graph, const Truths& truths, const CheckResult& result,
             const Way& way) {
  const Subject subject{"g", "", &graph, graph.deadlock(), std::string(way.algorithm->name), 1, 0};
  const std::string text = result_text(subject, result, {.verbose = true});
  const std::optional<ReadResult> read =
      read_result(to_json(subject, result, static_cast<int>(result.verdict.exit)));
  ASSERT_TRUE(read);
  const std::vector<PropertyResult> all = result.properties(graph, graph.deadlock());
  ASSERT_EQ(read->properties.size(), all.size());
  bool violated = false;
  bool open = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const PropertyResult& property = all[i];
    const Outcome wanted =
        expected(truths, property.name, property.kind, way.levels, way.signatures.bits != 0);
    ASSERT_EQ(property.outcome, wanted) << kind_word(property.kind) << " " << property.name << "\n"
                                        << text << graph.text();
    ASSERT_EQ(read->properties[i].verdict, json_word(wanted)) << property.name;
    ASSERT_EQ(read->properties[i].kind, kind_word(property.kind));
    const std::string line = fmt::format(
        "    {}: {}", property_name(kind_word(property.kind), property.name, property.line),
        verb(wanted));
    ASSERT_NE(text.find(line), std::string::npos) << line << text;
    violated = violated || wanted == Outcome::violated;
    open = open || wanted == Outcome::inconclusive;
  }
  const Outcome exact =
      way.signatures.bits == 0 ? Outcome::verified : Outcome::verified_probabilistic;
  ASSERT_EQ(result.verdict.outcome, violated ? Outcome::violated
                                    : open   ? Outcome::inconclusive
                                             : exact)
      << text;
}

CheckOptions options_for(const PropertyGraph& graph, const Way& way) {
  CheckOptions options;
  options.session.deadlock = graph.deadlock();
  options.session.threads = way.threads;
  options.memory_bytes = std::uint64_t{16} << 20;
  options.signatures = way.signatures;
  // Without properties that need levels, where there are none.
  options.ignored.reachable = way.algorithm->retrace != nullptr;
  if (way.levels != kUnlimited) options.session.limits.max_depth = way.levels - 1;
  return options;
}

const Algorithm& named(std::string_view name) {
  for (const Algorithm& algorithm : algorithms())
    if (algorithm.name == name) return algorithm;
  throw std::logic_error("no such algorithm");
}

void each_graph(std::uint64_t otherwise, const std::function<void(Random&)>& look) {
  const char* seed = std::getenv("SPILLWAY_SEED");
  const char* count = std::getenv("SPILLWAY_GRAPHS");
  const std::uint64_t first = seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1;
  const std::uint64_t last = seed != nullptr    ? first
                             : count != nullptr ? std::strtoull(count, nullptr, 10)
                                                : otherwise;
  for (std::uint64_t i = first; i <= last && !testing::Test::HasFatalFailure(); ++i) {
    SCOPED_TRACE("SPILLWAY_SEED=" + std::to_string(i));
    Random random(i);
    look(random);
  }
}

TEST(Properties, AreWhatIsTrueOfThem) {
  std::uint64_t endings[5] = {};
  each_graph(1000, [&](Random& random) {
    const PropertyGraph graph(random);
    const Truths truths = spillway::truths(graph, graph.deadlock());
    for (const char* name : {"auto", "ram", "sorted-runs"}) {
      Way way{&named(name), 1 + static_cast<unsigned>(random() % 2)};
      if (random() % 3 == 0) way.levels = 1 + random() % 6;
      const CheckResult result = check_in_memory(graph, *way.algorithm, options_for(graph, way));
      compare(graph, truths, result, way);
      ++endings[static_cast<std::size_t>(result.verdict.outcome)];
    }
  });
  if (std::getenv("SPILLWAY_SEED") != nullptr) return;
  for (const Outcome outcome : {Outcome::verified, Outcome::violated, Outcome::inconclusive})
    EXPECT_GT(endings[static_cast<std::size_t>(outcome)], 100U)
        << "too few of them to mean anything";
  EXPECT_EQ(endings[static_cast<std::size_t>(Outcome::error)], 0U);
}

// A search that stops at a bound and is continued, twice: what was seen before is not forgotten.
TEST(Properties, SurviveBeingContinued) {
  each_graph(300, [&](Random& random) {
    const PropertyGraph graph(random);
    const Truths truths = spillway::truths(graph, graph.deadlock());
    MemoryDisk kept;
    std::uint64_t levels = 0;
    for (int part = 0; part < 4; ++part) {
      constexpr const char* kNames[] = {"auto", "ram", "sorted-runs"};
      levels = part < 2 ? levels + 1 + random() % 3 : kUnlimited;  // the last time nothing is left
      const Way way{&named(kNames[random() % 3]), 1, levels};
      JournalSettings settings;
      settings.least_seconds = random() % 2 == 0 ? 0 : 1e9;
      settings.share = 1e9;
      CheckOptions options = options_for(graph, way);
      Journal journal(kept, 1, std::uint64_t{1} << 20, settings);
      options.journal = &journal;
      compare(graph, truths, check_in_memory(graph, *way.algorithm, options), way);
      if (testing::Test::HasFatalFailure()) return;
    }
  });
}

// Algorithms of papers keep no levels, so reachable properties are left out; with signatures less
// is known.
TEST(Properties, OfPapersAndSignatures) {
  each_graph(60, [&](Random& random) {
    const PropertyGraph graph(random);
    Truths truths = spillway::truths(graph, graph.deadlock());
    for (const Property& property : graph.properties())
      if (property.kind == PropertyKind::reachable) truths.of[property.name].holds = true;
    for (const Algorithm& algorithm : algorithms()) {
      if (algorithm.retrace == nullptr) continue;
      Way way{&algorithm};
      if (algorithm.in_levels && random() % 3 == 0) way.levels = 1 + random() % 6;
      if (algorithm.signatures && random() % 2 == 0) way.signatures = {64, random()};
      CheckResult result = check_in_memory(graph, algorithm, options_for(graph, way));
      for (const PropertyResult& property : result.properties(graph, graph.deadlock()))
        EXPECT_EQ(property.ignored, property.kind == PropertyKind::reachable);
      result.ignored = {};  // for the rest: they are left alone, and count as decided
      for (PropertyIndex i = 0; i < graph.properties().size(); ++i)
        if (graph.properties()[i].kind == PropertyKind::reachable) result.goals.decided[i] = true;
      SCOPED_TRACE(algorithm.name);
      compare(graph, truths, result, way);
      if (testing::Test::HasFatalFailure()) return;
    }
  });
}

// The bound on omitted states, against the sum that it stands for.
TEST(OmissionBound, IsTheSumOverAllStates) {
  for (const unsigned bits : {8U, 20U, 40U, 64U})
    for (const std::uint64_t states : {1U, 2U, 3U, 1000U, 4321U}) {
      double sum = 0;
      for (std::uint64_t k = 1; k <= states; ++k)
        sum += static_cast<double>(k) * std::exp2(-static_cast<double>(bits));
      EXPECT_DOUBLE_EQ(omission_bound(bits, states), sum);
      EXPECT_GE(omission_bound(bits, states), std::exp2(-static_cast<double>(bits)));
    }
}

TEST(OmissionBound, IsToldAndNeverRoundedDown) {
  Random random(1);
  const PropertyGraph graph(random);
  for (const unsigned bits : {40U, 64U})
    for (std::uint64_t states = 1; states < 3000; states = states * 7 / 3 + 1) {
      Evidence e;
      e.search_returned = e.goals_decided = true;
      e.initial_states = 1;
      e.expanded = states;
      e.obligations = every_state_expanded(states, states);
      e.omission_bound = omission_bound(bits, states);
      const Verdict verdict = judge(e);
      ASSERT_EQ(verdict.outcome, Outcome::verified_probabilistic);
      const std::string told = verdict.reason.substr(verdict.reason.rfind(' ') + 1);
      EXPECT_GE(std::stod(told), *e.omission_bound);
      EXPECT_LE(std::stod(told), *e.omission_bound * 1.1);
    }
}

}  // namespace
}  // namespace spillway
