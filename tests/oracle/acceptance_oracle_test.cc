// Accepting cycles of random graphs, by every search that decides them, against a plain reference.
//
// RapidCheck makes the graphs and shrinks those that fail.  How many:
// RC_PARAMS="max_success=100000".
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <iostream>

#include "cases.h"
#include "check/check.h"
#include "oracle/expected_lasso.h"
#include "oracle/random_graph.h"
#include "oracle/small_searches.h"
#include "support/check_in_memory.h"

namespace spillway {
namespace {

const Algorithm* const kAlgorithms[] = {&kSmallRam, &kSmallRuns, &kSmallAuto};

struct Case {
  GraphSpec graph;
  std::size_t algorithm = 0;
  unsigned threads = 1;
};

void showValue(const Case& c, std::ostream& out) {
  out << c.graph.text()
      << fmt::format("# threads {}, {}, leaves memory at {} states\n", c.threads,
                     kAlgorithms[c.algorithm]->name, small_searches.leave_states);
}

Case arbitrary_case() {
  Case c;
  c.graph = arbitrary_graph_with_acceptance();
  c.algorithm = *rc::gen::inRange<std::size_t>(0, std::size(kAlgorithms));
  c.threads = *rc::gen::inRange(1U, 9U);
  small_searches.leave_states = *rc::gen::inRange<std::uint64_t>(1, 40);
  SortedRunsSettings& runs = small_searches.runs = {};
  runs.block_rows = *rc::gen::inRange<std::size_t>(1, 6);
  runs.group_rows = *rc::gen::inRange<std::size_t>(1, 4);
  runs.chunk_bytes = *one_of<std::size_t>({1, 30, 100, 4096});
  runs.candidate_rows = *one_of<std::size_t>({1, 2, 3, 10, 1000});
  runs.merge_rows = *one_of<std::size_t>({1, 7, 100});
  runs.squeeze_states = *one_of<std::size_t>({1, 2, 5, 20, 1000});
  return c;
}

TEST(Acceptance, IsThatOfTheReferenceOnRandomGraphs) {
  std::uint64_t cycles = 0;
  std::uint64_t graphs = 0;
  EXPECT_TRUE(rc::check("acceptance", [&] {
    const Case c = arbitrary_case();
    const TestGraph model(c.graph);
    if (c.graph.initial.empty()) return;
    CheckOptions options;
    options.session.threads = c.threads;
    options.memory_bytes = std::uint64_t{64} << 20;
    const std::optional<ExpectedLasso> expected = expected_lasso(model);
    ++graphs;
    cycles += expected ? 1 : 0;
    const std::string why =
        difference(check_in_memory(model, *kAlgorithms[c.algorithm], options), expected);
    if (why.empty()) return;
    showValue(c, std::cerr);
    RC_FAIL(why);
  }));
  std::cout << graphs << " graphs, " << cycles << " with an accepting cycle\n";
  if (graphs < kEnoughToTell) return;
  EXPECT_GT(cycles, graphs / 10);
  EXPECT_LT(cycles, graphs * 9 / 10);
}

}  // namespace
}  // namespace spillway
