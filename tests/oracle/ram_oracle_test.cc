// The RAM search against the reference on random graphs, with buffers of absurd sizes.
//
// RapidCheck makes the graphs and shrinks those that fail.  How many:
// RC_PARAMS="max_success=100000".
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <iostream>

#include "oracle/compare.h"
#include "oracle/random_graph.h"
#include "search/ram/ram.h"
#include "support/check_in_memory.h"

namespace spillway {
namespace {

struct Case {
  GraphSpec graph;
  RamSettings settings;
  unsigned threads = 1;
};

void showValue(const Case& c, std::ostream& out) {
  out << c.graph.text()
      << fmt::format(
             "# threads {}, first_homes {}, chunk_bytes {}, unit_rows {}, in_flight {}, "
             "batch_bytes {}, "
             "recent_bytes {}, look_rows {}, alone_rows {}, window_rows {}\n",
             c.threads, c.settings.first_homes, c.settings.chunk_bytes, c.settings.unit_rows,
             c.settings.in_flight, c.settings.batch_bytes, c.settings.recent_bytes,
             c.settings.look_rows, c.settings.alone_rows, c.settings.window_rows);
}

thread_local RamSettings settings_in_use;
const Algorithm kRam{
    "ram", "", [](const SearchContext& context) { return make_ram(context, settings_in_use); }};

CheckResult run(const Model& model, const Case& c) {
  settings_in_use = c.settings;
  CheckOptions options;
  options.session.threads = c.threads;
  options.session.deadlock = c.graph.deadlock;
  options.memory_bytes = std::uint64_t{64} << 20;
  return check_in_memory(model, kRam, options);
}

std::string failure_of(const Case& c) {
  const TestGraph model(c.graph);
  return difference(model, c.graph.deadlock, run(model, c), reference(model, c.graph.deadlock));
}

RamSettings absurd_settings() {
  RamSettings settings;
  settings.first_homes = *rc::gen::inRange<std::size_t>(1, 4);
  settings.chunk_bytes = *one_of<std::size_t>({1, 8, 24, 80, 4096});
  settings.unit_rows = *rc::gen::inRange<std::size_t>(1, 5);
  settings.in_flight = *rc::gen::inRange<std::size_t>(0, 6);
  settings.batch_bytes = *one_of<std::size_t>({1, 16, 100, 4096});
  settings.recent_bytes = *one_of<std::size_t>({1, 64, 4096});
  settings.look_rows = *one_of<std::size_t>({1, 5, 100});
  settings.alone_rows = *one_of<std::size_t>({0, 0, 3, 256});
  settings.squeeze_rows = *one_of<std::size_t>({1, 1, 5, 20, 1000});
  settings.window_rows = *one_of<std::size_t>({0, 1, 7, 100, 100000});
  return settings;
}

Case arbitrary_case(bool deep) {
  Case c;
  c.graph = arbitrary_graph(deep);
  c.settings = absurd_settings();
  c.threads = *rc::gen::inRange(1U, 9U);
  return c;
}

bool holds(bool deep) {
  return rc::check(deep ? "deep graphs" : "graphs", [deep] {
    const Case c = arbitrary_case(deep);
    const std::string why = failure_of(c);
    if (why.empty()) return;
    showValue(c, std::cerr);
    RC_FAIL(why);
  });
}

TEST(RamOracle, AgreesWithTheReferenceOnRandomGraphs) { EXPECT_TRUE(holds(false)); }

TEST(RamOracle, AgreesWithTheReferenceOnDeepGraphs) { EXPECT_TRUE(holds(true)); }

}  // namespace
}  // namespace spillway
