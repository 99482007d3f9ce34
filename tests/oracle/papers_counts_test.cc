// That each algorithm is the one of its paper: what it counts of its own work against the paper's
// pseudo-code, written down once more with vectors and sets, or against what follows from it.
//
// A search that looks for duplicates too often, too seldom or in the wrong places has the right
// states all the same; only these numbers show it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <deque>
#include <functional>
#include <iostream>
#include <numeric>
#include <set>

#include "oracle/compare.h"
#include "oracle/random_graph.h"
#include "papers/states/cached.h"
#include "papers/states/dddd.h"
#include "papers/states/hddd.h"
#include "papers/states/local.h"
#include "papers/states/mono.h"
#include "papers/states/part.h"
#include "papers/states/serial.h"
#include "papers/storage/partition.h"
#include "support/check_in_memory.h"

namespace spillway {
namespace {

using Row = std::vector<Word>;
using Make = std::function<std::unique_ptr<Search>(const SearchContext&)>;
using Numbers = std::map<std::string, std::uint64_t>;

thread_local Make make_in_use;
const Algorithm kPaper{.name = "paper",
                       .summary = "",
                       .states = [](const SearchContext& context) { return make_in_use(context); },
                       .uses_disk = true,
                       .signatures = true};

CheckResult run_paper(const Model& model, Make make, Signatures signatures = {}) {
  make_in_use = std::move(make);
  CheckOptions options;
  options.memory_bytes = std::uint64_t{64} << 20;
  options.signatures = signatures;
  return check_in_memory(model, kPaper, options);
}

Numbers counters_of(const CheckResult& result) {
  Numbers numbers;
  for (const Counter& counter : result.statistics.counters)
    numbers[std::string(counter.name)] = counter.value;
  numbers["states"] = result.statistics.states;
  numbers["revisits"] = result.statistics.revisits;
  return numbers;
}

// The counters that are named in `wanted` have those values; the rest may have any.
std::string difference(const Numbers& got, const Numbers& wanted) {
  for (const auto& [name, value] : wanted) {
    const auto found = got.find(name);
    if (found == got.end()) return name + " is not counted";
    if (found->second != value)
      return fmt::format("{}: got {}, wanted {}", name, found->second, value);
  }
  return "";
}

std::vector<Row> rows_of(const Successors& out) {
  std::vector<Row> rows;
  for (const State s : out.states()) rows.emplace_back(s.begin(), s.end());
  return rows;
}
std::vector<Row> initial_of(const Model& model) {
  Successors out(model.words());
  model.steps().initial(out);
  return rows_of(out);
}
std::vector<Row> successors_of(const Model& model, const Row& row) {
  Successors out(model.words());
  model.steps().successors(row, out);
  return rows_of(out);
}

// A random graph in which nothing is wrong, so that all of it is searched.
GraphSpec arbitrary_sound_graph(bool deep = false) {
  GraphSpec graph = arbitrary_graph(deep);
  graph.bad.clear();
  graph.failing.clear();
  graph.deadlock = Deadlock::off;
  return graph;
}

template <class Settings>
Settings sizes_for(const GraphSpec& graph, std::vector<std::uint64_t> tables) {
  Settings settings;
  const std::uint64_t entry_bytes = graph.words * sizeof(Word) + 9;
  settings.table_bytes = entry_bytes * *one_of<std::uint64_t>(std::move(tables));
  settings.cache_bytes = entry_bytes * *one_of<std::uint64_t>({1, 5, 100, 2000});
  settings.block_bytes = 4096;
  settings.block_rows = *one_of<std::size_t>({1, 2, 5});
  settings.partitions = *one_of<std::size_t>({1, 2, 3, 7});
  return settings;
}

// Runs `compare` on random graphs; it returns what is wrong.
bool holds(const std::function<std::string(const GraphSpec&, const TestGraph&)>& compare) {
  return rc::check("counters", [&] {
    const GraphSpec graph = arbitrary_sound_graph();
    const std::string why = compare(graph, TestGraph(graph));
    if (why.empty()) return;
    std::cerr << graph.text();
    RC_FAIL(why);
  });
}

// MONO and LOCAL ----------------------------------------------------------------------------------

// mono.h, local.h: Insert() and Check(). Which parts of D a check reads is up to `locality`; none:
// all of it.
struct CheckedSearch {
  const Model& model;
  const std::uint64_t full;
  std::optional<Locality> locality = {};
  std::set<Row> M = {};
  std::vector<Row> D = {}, Q_unck = {}, Q_ck = {};
  std::uint64_t candidates = 0, checks = 0, read = 0, blocks = 0, calibrations = 0,
                careful_checks = 0;
  std::uint64_t expansions = 0, survivors = 0, proven = 0;
  bool careful = false;

  void insert(const Row& t) {
    if (!M.insert(t).second) return;
    ++candidates;
    Q_unck.push_back(t);
    if (M.size() >= full) check();
  }

  void check() {
    ++checks;
    careful_checks += careful ? 1 : 0;
    std::vector<Locality::Slice> slices = {{0, D.size(), 0, true}};
    if (locality) slices = locality->choose(D.size(), careful);
    for (const Locality::Slice& slice : slices) {
      ++blocks;
      const std::size_t before = M.size();
      for (std::uint64_t i = slice.first; i < slice.last; ++i, ++read) M.erase(D[i]);
      if (locality) locality->deleted(slice, before - M.size());
    }
    if (locality) locality->end_check();
    const bool calibrating = !locality || locality->calibrating();
    calibrations += calibrating ? 1 : 0;
    for (const Row& t : Q_unck) {
      if (M.erase(t) == 0) continue;
      D.push_back(t);
      Q_ck.push_back(t);
      ++survivors;
      proven += calibrating ? 1 : 0;
    }
    Q_unck.clear();
  }

  void search() {
    for (const Row& s : initial_of(model)) insert(s);
    check();
    while (!Q_ck.empty()) {
      survivors = proven = 0;
      for (const Row& s : std::exchange(Q_ck, {})) {
        ++expansions;
        for (const Row& t : successors_of(model, s)) insert(t);
      }
      check();
      careful = survivors > 0 && proven == 0;
    }
  }

  Numbers counted() const {
    const std::uint64_t states = std::set<Row>(D.begin(), D.end()).size();
    return {{"candidates", candidates}, {"checks", checks}, {"read", read},
            {"visited", D.size()},      {"states", states}, {"revisits", expansions - states}};
  }
};

TEST(MonoCounts, AreThoseOfThePaperOnRandomGraphs) {
  EXPECT_TRUE(holds([](const GraphSpec& graph, const TestGraph& model) {
    auto settings = sizes_for<MonoSettings>(graph, {1, 2, 3, 7, 40, 2000});
    settings.table = *one_of<TableKind>({{false, 1}, {true, 0.9}, {true, 1}});
    const Numbers got = counters_of(run_paper(
        model, [=](const SearchContext& context) { return make_mono(context, settings); }));
    if (!settings.table.open &&
        got.at("full") != settings.table_bytes / (graph.words * sizeof(Word) + 9))
      return std::string("a chained table has to be filled to its last place");
    CheckedSearch paper{model, got.at("full")};
    paper.search();
    return difference(got, paper.counted());
  }));
}

std::string compare_local(const GraphSpec& graph, const TestGraph& model) {
  auto settings = sizes_for<LocalSettings>(graph, {1, 2, 3, 7, 40});
  settings.locality.block_rows = *one_of<std::uint64_t>({1, 3, 20});
  settings.locality.calibrate_every = *one_of<unsigned>({1, 2, 3, 10});
  settings.locality.newest = *one_of<unsigned>({0, 1, 2});
  const Numbers got = counters_of(run_paper(
      model, [=](const SearchContext& context) { return make_local(context, settings); }));
  CheckedSearch paper{model, got.at("full"), Locality(settings.locality)};
  paper.search();
  Numbers wanted = paper.counted();
  wanted["blocks"] = paper.blocks;
  wanted["calibrations"] = paper.calibrations;
  wanted["careful_checks"] = paper.careful_checks;
  // Whatever Locality says: the first check and every n-th after it read everything, and those of a
  // careful level.
  const std::uint64_t every = settings.locality.calibrate_every;
  const std::uint64_t due = (got.at("checks") + every - 1) / every;
  if (got.at("calibrations") < due || got.at("calibrations") > due + got.at("careful_checks"))
    return fmt::format("{} calibrations where {} were due", got.at("calibrations"), due);
  if (every == 1 && got.at("revisits") != 0)
    return "a search that always reads everything has expanded a state twice";
  return difference(got, wanted);
}
TEST(LocalCounts, AreThoseOfThePaperOnRandomGraphs) { EXPECT_TRUE(holds(compare_local)); }

// PART --------------------------------------------------------------------------------------------

// part.h, figure 2 of the paper, without the cache.
struct PartitionedSearch {
  const Model& model;
  const std::uint64_t table;
  Partition partition;
  std::vector<std::vector<Row>> D;
  std::vector<std::deque<Row>> Q;
  std::uint64_t sweeps = 0, read = 0, visited = 0, queued = 0, longest_queue = 0, splits = 0,
                states = 0;

  PartitionedSearch(const Model& of, std::uint64_t room, std::size_t partitions)
      : model(of), table(room), partition(of.words(), partitions), D(partitions), Q(partitions) {}

  void push(const Row& t) {
    Q[partition.of(t)].push_back(t);
    ++queued;
  }

  void sweep(std::size_t i) {
    ++sweeps;
    longest_queue = std::max<std::uint64_t>(longest_queue, Q[i].size());
    read += D[i].size();
    std::set<Row> M(D[i].begin(), D[i].end());
    for (; !Q[i].empty(); Q[i].pop_front()) {
      const Row s = Q[i].front();
      if (M.contains(s)) continue;
      if (M.size() == table) break;
      M.insert(s);
      D[i].push_back(s);  // what is new, and nothing else
      ++visited;
      ++states;
      for (const Row& t : successors_of(model, s))
        if (partition.of(t) != i || !M.contains(t)) push(t);
    }
    if (!Q[i].empty()) split(i);
  }

  void split(std::size_t i) {
    // The state for which there was no room goes to the end of its queue.
    std::rotate(Q[i].begin(), Q[i].begin() + 1, Q[i].end());
    ++splits;
    partition.split(i);
    D.emplace_back();
    Q.emplace_back();
    for (const Row& s : std::exchange(D[i], {})) D[partition.of(s)].push_back(s);
    for (const Row& s : std::exchange(Q[i], {})) Q[partition.of(s)].push_back(s);
  }

  void search() {
    for (const Row& s : initial_of(model)) push(s);
    for (;;) {
      std::size_t longest = 0;
      for (std::size_t i = 1; i < Q.size(); ++i)
        if (Q[i].size() > Q[longest].size()) longest = i;
      if (Q[longest].empty()) return;
      sweep(longest);
    }
  }
};

TEST(PartCounts, AreThoseOfThePaperOnRandomGraphs) {
  EXPECT_TRUE(holds([](const GraphSpec& graph, const TestGraph& model) {
    const auto settings = sizes_for<PartSettings>(graph, {3, 7, 40, 2000});
    const Numbers got = counters_of(run_paper(
        model, [=](const SearchContext& context) { return make_part(context, settings); }));
    PartitionedSearch paper(model, got.at("table"), settings.partitions);
    paper.search();
    return difference(got, {{"sweeps", paper.sweeps},
                            {"read", paper.read},
                            {"visited", paper.visited},
                            {"queued", paper.queued},
                            {"longest_queue", paper.longest_queue},
                            {"splits", paper.splits},
                            {"states", paper.states}});
  }));
}

// A cache keeps repetitions out of the queues, and changes nothing else.
TEST(PartCounts, ACacheMakesQueuesShorterOnRandomGraphs) {
  EXPECT_TRUE(holds([](const GraphSpec& graph, const TestGraph& model) {
    auto settings = sizes_for<PartSettings>(graph, {40, 2000});
    settings.cache_bytes = 100'000;  // forgets nothing
    settings.cache = true;
    const Numbers with = counters_of(run_paper(
        model, [=](const SearchContext& context) { return make_part(context, settings); }));
    if (with.at("visited") != with.at("states"))
      return std::string("states were written back twice");
    if (with.at("splits") > 0) return std::string();
    // A state is sent to another partition once at most, and not at all when it was met there.
    if (settings.partitions > 1) {
      const Partition partition(model.words(), settings.partitions);
      std::uint64_t own = 0;
      for (const auto& level : reference(model, Deadlock::off).states)
        for (const Row& s : level)
          for (const Row& t : successors_of(model, s))
            own += partition.of(s) == partition.of(t) ? 1 : 0;
      if (with.at("queued") > initial_of(model).size() + own + with.at("states"))
        return fmt::format("{} states were queued", with.at("queued"));
    }
    return std::string();
  }));
}

// HDDD and DDDD -----------------------------------------------------------------------------------

std::uint64_t sum(const std::vector<std::uint64_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

// What a search reads that looks through all that is visited at the end of each level.
std::uint64_t read_at_all_levels(const std::vector<std::uint64_t>& levels) {
  std::uint64_t visited = 0, read = 0;
  for (const std::uint64_t states : levels) read += visited += states;
  return read;
}

// Successors that are different, in each level, with the initial states.
std::uint64_t different_successors(const Model& model, const Expected& expected) {
  const std::vector<Row> initial = initial_of(model);
  std::uint64_t count = std::set<Row>(initial.begin(), initial.end()).size();
  for (const auto& level : expected.states) {
    std::set<Row> successors;
    for (const Row& s : level)
      for (const Row& t : successors_of(model, s)) successors.insert(t);
    count += successors.size();
  }
  return count;
}

TEST(HdddCounts, AreThoseOfThePaperOnRandomGraphs) {
  EXPECT_TRUE(holds([](const GraphSpec& graph, const TestGraph& model) {
    const auto settings = sizes_for<Sizes>(graph, {1, 2, 7, 2000});
    const Numbers got = counters_of(run_paper(
        model, [=](const SearchContext& context) { return make_hddd(context, settings); }));
    const Expected expected = reference(model, Deadlock::off);
    Numbers wanted = {{"detections", expected.levels.size() + 1},
                      {"visited", sum(expected.levels)},
                      {"states", sum(expected.levels)},
                      {"revisits", 0}};
    const std::uint64_t once = read_at_all_levels(expected.levels);
    const std::uint64_t different = different_successors(model, expected);
    if (got.at("halvings") == 0) {
      wanted["read"] = once;
      wanted["gathered"] = got.at("candidates");
    }
    if (got.at("read") < once)
      return fmt::format("{} states were read, {} are necessary", got.at("read"), once);
    const std::uint64_t room = settings.cache_bytes / (graph.words * sizeof(Word) + 9);
    if (got.at("flushes") == 0) wanted["candidates"] = different;
    if (got.at("candidates") < got.at("flushes") * room)
      return std::string("a cache was flushed that was not full");
    if (got.at("candidates") < different) return std::string("candidates are missing");
    return difference(got, wanted);
  }));
}

// Detections that are forced: in exactly those levels, and each reads everything that was visited
// or delayed before.
TEST(DdddCounts, FollowTheDetectionsOnRandomGraphs) {
  EXPECT_TRUE(holds([](const GraphSpec& graph, const TestGraph& model) {
    auto settings = sizes_for<DdddSettings>(graph, {2000});
    settings.lengths = *one_of<std::size_t>({0, 1, 4});
    const std::uint64_t every = *one_of<std::uint64_t>({1, 1, 2, 3, 5});
    settings.forced = [=](std::uint64_t level) { return level % every == 0; };
    const Numbers got = counters_of(run_paper(
        model, [=](const SearchContext& context) { return make_dddd(context, settings); }));
    const Expected expected = reference(model, Deadlock::off);
    Numbers wanted = {{"detections", got.at("merges") / every},
                      {"states", sum(expected.levels)},
                      {"halvings", 0}};
    if (every == 1) {
      wanted["merges"] = expected.levels.size() + 1;
      wanted["read"] = read_at_all_levels(expected.levels);
      wanted["revisits"] = wanted["delayed"] = wanted["partial_levels"] = 0;
      wanted["visited"] = sum(expected.levels);
    }
    if (settings.lengths == 0) wanted["partial_read"] = 0;
    if (got.at("merges") < expected.levels.size() + 1) return std::string("levels were not merged");
    return difference(got, wanted);
  }));
}

// Rows of states, one below the other. Each state leads to the one below it, to that one's
// neighbour, and to the state `back` rows above: backward transitions of one length.
struct Rows {
  Vertex wide;
  Vertex rows;
  Vertex back;
  // one state in ten of a row has a backward transition of another length, if this is not 0
  Vertex rarely_back = 0;

  GraphSpec graph() const {
    GraphSpec graph;
    const auto at = [&](Vertex row, Vertex place) { return row * wide + place % wide; };
    for (Vertex place = 0; place < wide; ++place) graph.initial.push_back(at(0, place));
    for (Vertex row = 0; row < rows; ++row)
      for (Vertex place = 0; place < wide; ++place) {
        if (row + 1 < rows) graph.edges.emplace_back(at(row, place), at(row + 1, place));
        if (row + 1 < rows) graph.edges.emplace_back(at(row, place), at(row + 1, place + 1));
        if (rarely_back != 0 && row >= rarely_back && place % 10 == 0)
          graph.edges.emplace_back(at(row, place), at(row - rarely_back, place));
        if (row >= back) graph.edges.emplace_back(at(row, place), at(row - back, place));
      }
    return graph;
  }
};

DdddSettings few_places(std::size_t lengths, std::size_t partitions = 3) {
  DdddSettings settings;
  settings.table_bytes = 17 * 100'000;
  settings.cache_bytes = 1;  // as few states as it can
  settings.block_bytes = 4096;
  settings.partitions = partitions;
  settings.lengths = lengths;
  return settings;
}

Numbers dddd(const Rows& rows, const DdddSettings& settings) {
  const TestGraph model(rows.graph());
  return counters_of(
      run_paper(model, [&](const SearchContext& context) { return make_dddd(context, settings); }));
}

// All backward transitions are of one length: once a detection has seen it, one level read in each
// partition finds every duplicate, and no state is expanded again. Without that, each state that is
// met again in a level that goes without detection is expanded again.
TEST(DdddCounts, PartialDetectionFindsBackwardTransitionsOfTheLengthsSeen) {
  const Rows rows{200, 40, 3, 0};
  const auto rarely = [](std::uint64_t level) { return level <= 6 || level % 7 == 0; };
  for (const std::size_t partitions : {1, 3}) {
    DdddSettings settings = few_places(1, partitions);
    settings.forced = rarely;
    const Numbers with = dddd(rows, settings);
    settings.lengths = 0;
    const Numbers without = dddd(rows, settings);

    // Level l has row l-1. Row r leads back from row 3 on, so the merge of level l meets row l-5
    // again if l >= 5.
    std::uint64_t delayed_levels = 0;
    for (std::uint64_t level = 1; level <= rows.rows + 1; ++level)
      delayed_levels += rarely(level) ? 0 : 1;
    EXPECT_EQ(difference(with, {{"merges", rows.rows + 1},
                                {"detections", rows.rows + 1 - delayed_levels},
                                {"partial_levels", delayed_levels * partitions},
                                {"partial_read", delayed_levels * rows.wide},
                                {"partial_found", delayed_levels * rows.wide},
                                {"revisits", 0},
                                {"states", rows.rows * rows.wide}}),
              "");
    EXPECT_EQ(
        difference(without, {{"partial_levels", 0}, {"partial_read", 0}, {"partial_found", 0}}),
        "");
    EXPECT_GE(without.at("revisits"), delayed_levels * rows.wide);
  }
}

// Of two lengths, k = 1 takes the one that is seen most often, and only states met by the other one
// come again.
TEST(DdddCounts, PartialDetectionTakesTheLengthsSeenMostOften) {
  const Rows rows{200, 40, 3, 5};
  DdddSettings settings = few_places(1);
  settings.forced = [](std::uint64_t level) { return level <= 8 || level % 2 == 0; };
  const Numbers one = dddd(rows, settings);
  settings.lengths = 2;
  const Numbers two = dddd(rows, settings);
  // In 17 levels without detection, all 200 states of a row are met again, and 20 of another one.
  EXPECT_EQ(difference(one, {{"partial_found", 17 * 200}, {"revisits", 17 * 20}}), "");
  EXPECT_EQ(difference(two, {{"partial_found", 17 * (200 + 20)}, {"revisits", 0}}), "");
}

// Levels are alike, and few transitions lead back: the forecast puts most detections off, but not
// all.
TEST(DdddCounts, TheForecastPutsDetectionsOffInLongGraphs) {
  const Rows rows{100, 120, 50, 0};
  const Numbers got = dddd(rows, few_places(4));
  EXPECT_GE(got.at("detections"), 3);
  EXPECT_LE(got.at("detections"), got.at("merges") / 2);
  EXPECT_GT(got.at("delayed"), 0);
}

// Where every state leads back far, revisits cost more than detections.
TEST(DdddCounts, TheForecastDetectsWhereDuplicatesAreMany) {
  GraphSpec graph = Rows{50, 40, 1, 0}.graph();
  for (Vertex row = 2; row < 40; ++row)
    for (Vertex place = 0; place < 50; ++place)
      for (Vertex to = 0; to < row; ++to)
        graph.edges.emplace_back(row * 50 + place, to * 50 + (place * 7 + row) % 50);
  const TestGraph model(graph);
  const Numbers got = counters_of(run_paper(
      model, [](const SearchContext& context) { return make_dddd(context, few_places(0)); }));
  EXPECT_GE(got.at("detections"), got.at("merges") * 3 / 4);
}

TEST(DdddCounts, ThereIsADetectionAtTheLatestAfter250Levels) {
  DdddSettings settings = few_places(0, 1);
  settings.forced = [](std::uint64_t) { return false; };
  const Rows line{1, 900, 1000, 0};
  EXPECT_EQ(difference(dddd(line, settings),
                       {{"merges", 901}, {"detections", 901 / 250}, {"revisits", 0}}),
            "");
}

// CBF and Serial ----------------------------------------------------------------------------------

TEST(CachedCounts, AreThoseOfThePaperOnRandomGraphs) {
  EXPECT_TRUE(holds([](const GraphSpec& graph, const TestGraph& model) {
    auto settings = sizes_for<CachedSettings>(graph, {1, 5, 20, 2000});
    settings.gamma = *one_of<double>({0.1, 0.5, 0.9, 2});
    settings.ways = *one_of<unsigned>({1, 2, 8});
    if (settings.gamma > 1) settings.leave_states = 300;  // a cycle may go on for ever
    const CheckResult result = run_paper(
        model, [=](const SearchContext& context) { return make_cached(context, settings); });
    const Numbers got = counters_of(result);
    const auto forgotten = static_cast<double>(got.at("forgotten"));
    const double too_many = settings.gamma * static_cast<double>(got.at("insertions"));
    const std::uint64_t remembered = got.at("insertions") - got.at("forgotten");
    if (remembered > got.at("cache"))
      return std::string("the cache remembers more than it has room for");
    if (result.verdict.outcome == Outcome::verified) {
      // All that was pushed to the queue was expanded.
      const Expected expected = reference(model, Deadlock::off);
      if (got.at("insertions") != got.at("states") + got.at("revisits"))
        return std::string("insertions != expansions");
      if (got.at("forgotten") == 0 && got.at("revisits") != 0)
        return std::string("nothing was forgotten, but revisited");
      return difference(got, {{"states", sum(expected.levels)}});
    }
    if (settings.gamma <= 1 && (forgotten == 0 || forgotten < too_many))
      return fmt::format("gives up with {} forgotten of {}", forgotten, too_many);
    return std::string();
  }));
}

// What is handed over: D has all that the cache remembers, and the whole queue.
TEST(SerialCounts, AreThoseOfThePaperOnRandomGraphs) {
  EXPECT_TRUE(holds([](const GraphSpec& graph, const TestGraph& model) {
    SerialSettings settings;
    settings.cached = sizes_for<CachedSettings>(graph, {1, 5, 20, 2000});
    settings.cached.gamma = *one_of<double>({0.1, 0.5, 0.9});
    settings.cached.ways = *one_of<unsigned>({1, 2, 8});
    if (*rc::gen::arbitrary<bool>())
      settings.cached.leave_states = *rc::gen::inRange<std::uint64_t>(0, 40);
    settings.disk.locality.calibrate_every = 1;
    const Numbers got = counters_of(run_paper(
        model, [=](const SearchContext& context) { return make_serial(context, settings); }));
    if (got.at("switches") == 0)
      return difference(
          got, {{"insertions", got.at("states") + got.at("revisits")}, {"handed_visited", 0}});
    const std::uint64_t remembered = got.at("insertions") - got.at("forgotten");
    const std::uint64_t queued = got.at("insertions") - got.at("cache_expanded");
    if (got.at("read") < got.at("handed_visited") * got.at("checks"))
      return std::string("checks do not read what was handed over");
    return difference(got, {{"handed_queue", queued},
                            {"handed_visited", remembered + queued},
                            {"calibrations", got.at("checks")}});
  }));
}

// A cache that forgets at once, and then the disk: states that wait in the queue are not met a
// second time.
TEST(SerialCounts, StatesOfTheQueueAreNotExpandedTwice) {
  GraphSpec graph;
  graph.initial = {0};
  for (Vertex i = 1; i <= 100; ++i) {
    graph.edges.emplace_back(0, i);
    for (Vertex j = 1; j <= 100; ++j) graph.edges.emplace_back(i, j);
  }
  SerialSettings settings;
  settings.cached.table_bytes = 1;
  settings.cached.ways = 1;
  settings.cached.block_bytes = 4096;
  settings.cached.leave_states = 1;  // all 100 are in the queue then, and one of them in the cache
  settings.cached.gamma = 2;
  settings.disk.locality.calibrate_every = 1;
  const TestGraph model(graph);
  const Numbers got = counters_of(run_paper(
      model, [&](const SearchContext& context) { return make_serial(context, settings); }));
  EXPECT_EQ(difference(got, {{"switches", 1},
                             {"handed_queue", 100},
                             {"handed_visited", 101},
                             {"visited", 0},
                             {"states", 101},
                             {"revisits", 0}}),
            "");
}

// Signatures --------------------------------------------------------------------------------------

GraphSpec star(Vertex nodes) {
  GraphSpec graph;
  graph.initial = {0};
  for (Vertex i = 1; i < nodes; ++i) graph.edges.emplace_back(0, i);
  return graph;
}

// With 8 bits, 256 states hit about 162 different signatures; which of them are missing depends on
// the seed.
TEST(Signatures, OfAnotherSeedOmitOtherStates) {
  const TestGraph model(star(256));
  std::set<std::uint64_t> counts;
  std::uint64_t states = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const CheckResult result = run_paper(
        model, [](const SearchContext& context) { return make_mono(context); }, {8, seed});
    states += result.statistics.states;
    counts.insert(result.statistics.states);
  }
  EXPECT_GE(counts.size(), 5);
  EXPECT_NEAR(static_cast<double>(states) / 20, 256 * (1 - std::pow(255.0 / 256, 256)), 10);
}

// The bound that a verdict names is n (n+1) / 2^(bits+1) for n states, rounded up.
TEST(Signatures, TheProbabilityOfAnOmissionIsTheRightOne) {
  for (const unsigned bits : {32U, 40U, 64U}) {
    const Vertex nodes = 2000;
    const TestGraph model(star(nodes));
    const CheckResult result = run_paper(
        model, [](const SearchContext& context) { return make_mono(context); }, {bits, 1});
    ASSERT_EQ(result.verdict.outcome, Outcome::verified_probabilistic) << result.verdict.reason;
    const std::string words = "probability of at most ";
    const std::size_t at = result.verdict.reason.find(words);
    ASSERT_NE(at, std::string::npos) << result.verdict.reason;
    const double told = std::stod(result.verdict.reason.substr(at + words.size()));
    const double bound = nodes * (nodes + 1.0) / std::exp2(bits + 1);
    EXPECT_GE(told, bound) << bits;
    EXPECT_LT(told, 1.1 * bound) << bits;
  }
}

}  // namespace
}  // namespace spillway
