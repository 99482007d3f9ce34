// What all states together decide, on several ranks: accepting cycles, reachable goals and formulas
// of branching time.  Every rank says what one process says: verdict, counts, digest and runs.
//
// How many graphs: RC_PARAMS="max_success=10000".
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <random>

#include "cases.h"
#include "check/durable/file_names.h"
#include "check/durable/product_journal.h"
#include "ltl/reading/parse_ctl.h"
#include "oracle/ctl_reference.h"
#include "oracle/expected_lasso.h"
#include "oracle/random_graph.h"
#include "oracle/random_system.h"
#include "oracle/ranks.h"
#include "oracle/small_searches.h"
#include "support/changed_steps.h"
#include "support/check_in_memory.h"
#include "support/memory_disk.h"

namespace spillway {
namespace {

constexpr std::uint64_t kMemory = std::uint64_t{64} << 20;

struct Case {
  SmallSearches sizes;
  RankSettings ranks;
  unsigned threads = 1;
  bool spilled = false;  // cycles are looked for on the way
  bool minimal = false;

  std::string text() const {
    return fmt::format("# ranks {}, threads {}, disorder {}, on the way {}, rows {}, {}{}\n",
                       ranks.ranks, threads, ranks.disorder, ranks.cluster.exchange.on_the_way,
                       sizes.spilled.shared.rows, spilled ? "spilled" : "in the end",
                       minimal ? ", minimal" : "");
  }
};

Case arbitrary_case() {
  Case c;
  SortedRunsSettings& runs = c.sizes.runs;
  runs.block_rows = *rc::gen::inRange<std::size_t>(1, 6);
  runs.group_rows = *rc::gen::inRange<std::size_t>(1, 4);
  runs.chunk_bytes = *one_of<std::size_t>({30, 100, 4096});
  runs.candidate_rows = *one_of<std::size_t>({1, 3, 1000});
  runs.merge_rows = *one_of<std::size_t>({1, 7, 100});
  runs.squeeze_states = *one_of<std::size_t>({1, 5, 20, 1000});
  runs.mail_rows = *one_of<std::size_t>({1, 2, 5, 100});
  c.sizes.spilled.first_check = *rc::gen::inRange<std::uint64_t>(1, 50);
  c.sizes.spilled.growth = c.sizes.spilled.later_growth = *one_of<double>({1.2, 1.7, 3});
  c.ranks.ranks = *one_of<unsigned>({1, 2, 3, 4, 8});
  c.ranks.disorder = *one_of<std::uint64_t>({0, 1, 2, 3, 4, 5, 6, 7});
  c.ranks.cluster.exchange.on_the_way = *one_of<unsigned>({1, 2, 4});
  c.sizes.spilled.shared.rows = *one_of<std::size_t>({0, 1, 2, 5});
  c.sizes.spilled.ranked.block_nodes = *one_of<std::uint64_t>({1, 2, 5, 4096});
  c.sizes.spilled.ranked.least_apart = *one_of<std::uint64_t>({0, 0, 20, 4096});
  c.threads = *one_of<unsigned>({1, 1, 2});
  c.spilled = *rc::gen::arbitrary<bool>();
  c.minimal = *one_of<unsigned>({0, 1, 2}) == 0;
  return c;
}

struct SharedAlgorithms {
  SharedAlgorithms() {
    plain.uses_disk = plain.durable = true;
    spilled = plain;
    spilled.states = [](const SearchContext& context) {
      return context.with_acceptance ? kSmallSpilled.make(context) : kSmallRuns.make(context);
    };
    plain.on_ranks = &plain;
    spilled.on_ranks = &spilled;
  }
  Algorithm plain = kSmallRuns;
  Algorithm spilled;
};

const Algorithm& algorithm_of(const Case& c) {
  static const SharedAlgorithms all;
  return c.spilled ? all.spilled : all.plain;
}

CheckOptions options_of(const Case& c, Cluster* cluster) {
  CheckOptions options;
  options.session.threads = c.threads;
  options.session.deadlock = Deadlock::off;
  if (cluster != nullptr) options.session.cluster = cluster;
  options.memory_bytes = kMemory;
  options.minimal = c.minimal;
  return options;
}

std::string row_text(const std::vector<Word>& row) {
  return fmt::format("{}", fmt::join(row, "."));
}

std::string text_of(const Statistics& statistics) {
  std::string text = fmt::format("{} states, {} transitions, digest {}, levels", statistics.states,
                                 statistics.transitions, statistics.digest.hex());
  for (const Level& level : statistics.levels) text += fmt::format(" {}", level.states);
  return text + "\n";
}

// All that must not depend on the number of ranks.
std::string text_of(const CheckResult& result) {
  std::string text = fmt::format("{} {}: {}\n", word(result.verdict.outcome),
                                 static_cast<int>(result.verdict.exit), result.verdict.reason);
  text += text_of(result.statistics);
  for (const RunResult& run : result.runs) {
    text += fmt::format("{}: decided {}\n", run.name, run.decided);
    if (run.product) text += text_of(*run.product);
  }
  for (const bool decided : result.goals.ctl) text += decided ? "decided\n" : "open\n";
  for (const Trace& trace : result.traces) {
    text += fmt::format("{} {} {}{}{}back to {}:", static_cast<int>(trace.finding.kind), trace.run,
                        trace.finding.property, trace.finding.partial ? " partly " : " ",
                        trace.shortest ? "shortest " : "", trace.loop_start().value_or(0));
    for (const Step& step : trace.steps) text += " " + row_text(step.row);
    text += trace.remark + "\n";
  }
  return text;
}

// Carries out a check alone and on ranks, and compares.  check_it(cluster) makes models of its own.
using CheckIt = std::function<CheckResult(Cluster*)>;
std::string difference_on_ranks(const Case& c, const CheckIt& check_it, CheckResult& alone) {
  small_searches = c.sizes;
  alone = check_it(nullptr);
  const std::string wanted = text_of(alone);
  LocalNetwork network(c.ranks.ranks, {c.ranks.disorder});
  const std::vector<CheckResult> results =
      on_ranks(network, c.ranks, [&](unsigned, Cluster& cluster) {
        small_searches = c.sizes;
        return check_it(&cluster);
      });
  for (unsigned rank = 0; rank < results.size(); ++rank)
    if (const std::string got = text_of(results[rank]); got != wanted)
      return fmt::format("rank {} says\n{}but one process says\n{}", rank, got, wanted);
  return "";
}

TEST(RanksDecide, TheSameLassoOnRandomGraphs) {
  std::uint64_t cycles = 0, graphs = 0;
  EXPECT_TRUE(rc::check("lassos", [&] {
    const GraphSpec graph = arbitrary_graph_with_acceptance();
    const Case c = arbitrary_case();
    if (graph.initial.empty()) return;
    CheckResult alone;
    std::string why = difference_on_ranks(
        c,
        [&](Cluster* cluster) {
          const TestGraph model(graph);
          return check_in_memory(model, algorithm_of(c), options_of(c, cluster));
        },
        alone);
    const std::optional<ExpectedLasso> expected = expected_lasso(TestGraph(graph));
    if (why.empty())
      why = c.minimal ? difference_in_verdict(alone, expected) : difference(alone, expected);
    ++graphs;
    cycles += expected ? 1 : 0;
    if (why.empty()) return;
    std::cerr << graph.text() << c.text();
    RC_FAIL(why);
  }));
  if (graphs < kEnoughToTell) return;
  EXPECT_GT(cycles, graphs / 10);
  EXPECT_LT(cycles, graphs * 9 / 10);
}

// One goal: the first proposition.
class WithGoal final : public Conditions, public Model {
 public:
  explicit WithGoal(const Model& model) : Model(model.composition()), system_(model.conditions()) {
    composition_.conditions = this;
    composition_.properties = {{"goal", PropertyKind::reachable}};
  }
  std::size_t check(State state, PropertyIndex* noted, Observed*) const override {
    std::optional<Failure> failure;
    noted[0] = 0;
    return evaluate(state, failure) & 1;
  }
  std::size_t propositions() const override { return system_.propositions(); }
  Letter evaluate(State state, std::optional<Failure>& failure) const override {
    return system_.evaluate(state, failure);
  }

 private:
  const Conditions& system_;
};

const std::vector<std::string> kNames = {"a", "b", "c"};

ltl::NamedCtl some_formula(std::mt19937_64& random) {
  const std::string text = random_ctl(random, kNames, 1 + static_cast<unsigned>(random() % 5));
  const ltl::ParsedCtl parsed = ltl::parse_ctl("", text, {});
  std::vector<std::uint32_t> numbers;
  for (const ltl::Atom& atom : parsed.atoms)
    numbers.push_back(
        static_cast<std::uint32_t>(std::ranges::find(kNames, atom.text) - kNames.begin()));
  return {text, ltl::renumbered(parsed.formula, numbers)};
}

TEST(RanksDecide, TheSameGoalsAndFormulas) {
  std::uint64_t systems = 0, violated = 0;
  EXPECT_TRUE(rc::check("formulas", [&] {
    const Case c = arbitrary_case();
    std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
    RandomSystem system(random, 30, 3);
    if (random() % 2 == 0) system.assume(random);
    const WithGoal with_goal(system);
    const bool has_goal = random() % 2 == 0;
    const std::vector<ltl::NamedCtl> formulas = {some_formula(random), some_formula(random)};
    CheckResult alone;
    const std::string why = difference_on_ranks(
        c,
        [&](Cluster* cluster) {
          CheckOptions options = options_of(c, cluster);
          options.ctl = formulas;
          const Model& model = has_goal ? static_cast<const Model&>(with_goal) : system;
          return check_in_memory(model, algorithm_of(c), options);
        },
        alone);
    ++systems;
    violated += alone.verdict.outcome == Outcome::violated ? 1 : 0;
    if (why.empty()) return;
    std::cerr << system.text() << formulas[0].name << "\n" << formulas[1].name << "\n" << c.text();
    RC_FAIL(why);
  }));
  if (systems < kEnoughToTell) return;
  EXPECT_GT(violated, systems / 10);
  EXPECT_LT(violated, systems);
}

// A system, and two products that are searched if nothing is wrong with it.
struct Products {
  GraphSpec system, first, second;
};

Products arbitrary_products() {
  Products all{arbitrary_graph(false), arbitrary_graph_with_acceptance(),
               arbitrary_graph_with_acceptance()};
  GraphSpec& system = all.system;
  system.bad.clear();
  system.failing.clear();
  system.accepting.clear();
  system.sets = 0;
  system.marks.clear();
  system.parts.clear();
  system.deadlock = Deadlock::off;
  return all;
}

CheckResult check_products(const Products& of, const Case& c, CheckOptions options,
                           const std::function<void()>& event = {}, std::uint64_t at = 0);

// Something happens when the model is executed for the n-th time.
class Eventful final : public ChangedSteps {
 public:
  Eventful(const Model& model, std::atomic<std::uint64_t>& left, std::function<void()> happen)
      : ChangedSteps(model), left_(left), happen_(std::move(happen)) {
    composition_.concrete = &model.concrete();  // nothing happens in counterexamples
  }
  void successors(State state, Successors& out) const override {
    if (left_.fetch_sub(1) == 1) happen_();
    ChangedSteps::successors(state, out);
  }

 private:
  std::atomic<std::uint64_t>& left_;
  const std::function<void()> happen_;
};

CheckResult check_products(const Products& of, const Case& c, CheckOptions options,
                           const std::function<void()>& event, std::uint64_t at) {
  const TestGraph system(of.system), first(of.first), second(of.second);
  std::atomic<std::uint64_t> left{at};
  const Eventful of_system(system, left, event), of_first(first, left, event),
      of_second(second, left, event);
  options.runs = {{"first", PropertyKind::ltl, [&]() -> const Model& { return of_first; }},
                  {"second", PropertyKind::ltl, [&]() -> const Model& { return of_second; }}};
  CheckResult result = check_in_memory(of_system, algorithm_of(c), options);
  for (Trace& trace : result.traces) trace.product = nullptr;  // it ends here
  return result;
}

std::string text_of(const Products& of) {
  return of.system.text() + of.first.text() + of.second.text();
}

TEST(RanksDecide, TheSameAboutProducts) {
  EXPECT_TRUE(rc::check("products", [&] {
    const Products of = arbitrary_products();
    const Case c = arbitrary_case();
    CheckResult alone;
    const std::string why = difference_on_ranks(
        c, [&](Cluster* cluster) { return check_products(of, c, options_of(c, cluster)); }, alone);
    if (why.empty()) return;
    std::cerr << text_of(of) << c.text();
    RC_FAIL(why);
  }));
}

enum class Event { signal, disk, integrity, loss, silence };

// One rank is stopped, fails or is lost, in the search or while it decides: all of them end, and
// for the same reason, unless they had found something before.
std::string failure_of(const Products& of, Case c, Event event, unsigned on, std::uint64_t at) {
  small_searches = c.sizes;
  const CheckResult alone = check_products(of, c, options_of(c, nullptr));
  LocalNetwork network(c.ranks.ranks, {c.ranks.disorder});
  std::atomic<bool> happened{false};
  if (event == Event::silence) c.ranks.cluster.silent_seconds = 0.3;
  const std::vector<CheckResult> results =
      on_ranks(network, c.ranks, [&](unsigned rank, Cluster& cluster) {
        small_searches = c.sizes;
        StopToken stop;
        CheckOptions options = options_of(c, &cluster);
        options.session.stop = &stop;
        const auto happen = [&] {
          happened = true;
          switch (event) {
            case Event::signal: return stop.note(StopReason::interrupted);
            case Event::disk: throw Error(Fault::disk, "full");
            case Event::integrity: throw Error(Fault::integrity, "damaged");
            case Event::loss: return network.lose(on);
            case Event::silence: return network.silence(on);
          }
        };
        return check_products(of, c, options, happen, rank == on ? at : 0);
      });
  const Exit wanted = event == Event::signal      ? Exit::interrupted
                      : event == Event::disk      ? Exit::disk
                      : event == Event::integrity ? Exit::integrity
                                                  : Exit::lost;
  for (unsigned rank = 0; rank < results.size(); ++rank) {
    const Verdict& verdict = results[rank].verdict;
    if (text_of(results[rank]) == text_of(alone)) continue;
    // On a busy machine any rank may seem to be silent for so short a time.
    if (!happened && event != Event::silence)
      return fmt::format("rank {} without event: {}", rank, verdict.reason);
    if (verdict.outcome == Outcome::violated && alone.verdict.outcome == Outcome::violated)
      continue;
    if (verdict.exit != wanted)
      return fmt::format("rank {} ends with {}: {}", rank, static_cast<int>(verdict.exit),
                         verdict.reason);
  }
  return "";
}

TEST(RanksDecide, AndEndTogether) {
  EXPECT_TRUE(rc::check("events", [] {
    const Products of = arbitrary_products();
    const Case c = arbitrary_case();
    const Event event = *one_of<Event>(
        {Event::signal, Event::signal, Event::disk, Event::integrity, Event::loss, Event::silence});
    const unsigned on = *rc::gen::inRange(0U, c.ranks.ranks);
    const std::uint64_t at = *rc::gen::inRange<std::uint64_t>(1, 80);
    const std::string why = failure_of(of, c, event, on, at);
    if (why.empty()) return;
    std::cerr << text_of(of) << c.text()
              << fmt::format("# event {} on {} at {}\n", static_cast<int>(event), on, at);
    RC_FAIL(why);
  }));
}

// The files of a rank.
struct Kept {
  MemoryDisk disk;
  const RunMark run{Identity::drawn()};
};

std::vector<CheckResult> check_durably(const Products& of, const Case& c, std::vector<Kept>& kept,
                                       std::uint64_t lose_at) {
  LocalNetwork network(c.ranks.ranks, {c.ranks.disorder, lose_at});
  return on_ranks(network, c.ranks, [&](unsigned rank, Cluster& cluster) {
    small_searches = c.sizes;
    JournalSettings settings;
    settings.run = kept[rank].run;
    settings.least_seconds = 0;
    settings.share = 1;
    settings.rank = rank;
    settings.ranks = c.ranks.ranks;
    Journal journal(kept[rank].disk, of.system.words, kMemory, settings);
    CheckOptions options = options_of(c, &cluster);
    options.journal = &journal;
    return check_products(of, c, options);
  });
}

// Flips a bit in some file of a product.
void damage_product(MemoryDisk& disk, std::mt19937& random) {
  std::vector<std::string> files = disk.list();
  std::erase_if(files, [](const std::string& name) {
    const std::optional<RunFile> file = run_file(name);
    return !file || !file->product;
  });
  if (files.empty()) return;
  std::vector<std::byte>& bytes = disk.bytes(files[random() % files.size()]);
  if (!bytes.empty()) bytes[random() % bytes.size()] ^= static_cast<std::byte>(1U << random() % 8);
}

// A check whose ranks are lost, each time after more messages, and resume where all of them were,
// in the system or in a product.  What is damaged in a product is searched again.
TEST(RanksDecide, WhatTheyHadNotDecidedBefore) {
  std::uint64_t resumed = 0, resumed_products = 0, checks = 0;
  EXPECT_TRUE(rc::check("losses", [&] {
    const Products of = arbitrary_products();
    Case c = arbitrary_case();
    if (c.ranks.ranks == 1) c.ranks.ranks = 2;
    std::mt19937 random(*rc::gen::arbitrary<unsigned>());
    const bool with_damage = random() % 2 == 0;
    small_searches = c.sizes;
    const std::string wanted = text_of(check_products(of, c, options_of(c, nullptr)));
    std::vector<Kept> kept(c.ranks.ranks);
    // Once it is complete, it is resumed once more, and nobody is lost.
    bool is_complete = false;
    for (std::uint64_t lose_at = 1 + random() % 400; lose_at != 0;) {
      if (with_damage) damage_product(kept[random() % kept.size()].disk, random);
      const bool lose = !is_complete;
      is_complete = true;
      const std::vector<CheckResult> results = check_durably(of, c, kept, lose ? lose_at : 0);
      lose_at = lose ? lose_at * 2 : 0;
      for (const CheckResult& result : results) {
        ++checks;
        if (result.earlier_states != 0) ++resumed;
        for (const RunResult& run : result.runs) resumed_products += run.earlier_states != 0;
        // One product may have been decided before.
        const bool is_part = result.verdict.outcome == Outcome::violated &&
                             !std::ranges::all_of(result.runs, &RunResult::decided);
        if (lose && (is_part || result.verdict.exit == Exit::lost)) is_complete = false;
      }
      if (!is_complete) continue;
      for (const CheckResult& result : results)
        if (const std::string got = text_of(result); got != wanted) {
          std::cerr << text_of(of) << c.text();
          RC_FAIL("a rank says\n" + got + "but one process says\n" + wanted);
        }
    }
  }));
  if (checks < kEnoughToTell) return;
  EXPECT_GT(resumed, 0U);
  EXPECT_GT(resumed_products, 0U);
}

// Ranks with different memory have to read levels again at different times.  One of these states
// leads to many, and most of them back to the beginning, on an accepting cycle or not.
TEST(RanksDecide, TheSameWithDifferentMemory) {
  constexpr Vertex kWide = 60;
  for (const bool cycle : {false, true}) {
    GraphSpec graph;
    graph.initial = {0};
    for (Vertex i = 1; i <= kWide; ++i) {
      graph.edges.emplace_back(0, i);
      for (Vertex k = 0; k < kWide; ++k) {
        const Vertex last = 1000 * i + k;
        graph.edges.emplace_back(i, last);
        graph.edges.emplace_back(last, k % 7 == 0 ? last + 500 : 1 + (i * k) % kWide);
        graph.edges.emplace_back(last, 1 + k);
      }
    }
    graph.accepting = {1000 * kWide + 500};
    if (cycle) graph.accepting.push_back(1000 * kWide + 3);
    Case c;
    c.ranks.ranks = 3;
    c.ranks.disorder = 1;
    for (const bool spilled : {false, true}) {
      c.spilled = spilled;
      c.sizes.spilled.first_check = 1000;
      c.sizes.spilled.growth = c.sizes.spilled.later_growth = 1.2;
      CheckResult alone;
      EXPECT_EQ(difference_on_ranks(
                    c,
                    [&](Cluster* cluster) {
                      const TestGraph model(graph);
                      CheckOptions options = options_of(c, cluster);
                      if (cluster == nullptr || cluster->rank() == 1)
                        options.memory_bytes = std::uint64_t{1} << 20;
                      return check_in_memory(model, algorithm_of(c), options);
                    },
                    alone),
                "");
      EXPECT_EQ(alone.verdict.outcome == Outcome::violated, cycle) << alone.verdict.reason;
    }
  }
}

// More states than a rank remembers, and one of them leads far back, on the only cycle.  Its rank
// is the only one that does not know where, and all have to read the levels again.
TEST(RanksDecide, WhereOneStateLeadsFarBack) {
  constexpr Vertex kLevels = 100, kWide = 250;
  GraphSpec graph;
  for (Vertex column = 0; column < kWide; ++column) {
    graph.initial.push_back(column);
    for (Vertex level = 1; level < kLevels; ++level)
      graph.edges.emplace_back((level - 1) * 1000 + column, level * 1000 + column);
  }
  graph.edges.emplace_back((kLevels - 1) * 1000, 1000);
  graph.accepting = {50 * 1000};
  Case c;
  c.ranks.ranks = 3;
  CheckResult alone;
  EXPECT_EQ(difference_on_ranks(
                c,
                [&](Cluster* cluster) {
                  const TestGraph model(graph);
                  CheckOptions options = options_of(c, cluster);
                  options.memory_bytes = std::uint64_t{1} << 20;
                  return check_in_memory(model, algorithm_of(c), options);
                },
                alone),
            "");
  EXPECT_EQ(alone.verdict.outcome, Outcome::violated) << alone.verdict.reason;
}

}  // namespace
}  // namespace spillway
