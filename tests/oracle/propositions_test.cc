// Propositions of formulas mean what the same texts mean as invariants of the model, in all states,
// however the model is executed, and with and without symmetry: on the examples, on models of other
// people, and on random ones.
//
// SPILLWAY_CASES=2000 sets how many random models there are, SPILLWAY_SEED=17 looks at one only.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <set>

#include "base/error.h"
#include "base/text/read_file.h"
#include "cases.h"
#include "executions.h"
#include "folders.h"
#include "language/dve/dve.h"
#include "language/murphi/murphi.h"
#include "open/open_model.h"
#include "random_dve.h"
#include "random_murphi.h"
#include "some_propositions.h"
#include "unit/temporary_folder.h"

namespace spillway {
namespace {

namespace fs = std::filesystem;
using Row = std::vector<Word>;

constexpr std::size_t kPropositions = 12;  // of one model

struct Totals {
  std::size_t models = 0, states = 0, hold = 0, do_not = 0, failures = 0, symmetric = 0, native = 0;
  std::size_t asymmetric = 0;  // models in which a proposition is
};

// Some states in the order in which they are found.
std::vector<Row> states_of(const Model& model, std::size_t most) {
  std::set<Row> known;
  std::vector<Row> states;
  Successors out(model.words());
  const auto meet = [&] {
    for (const State state : out.states()) {
      Row row(state.begin(), state.end());
      if (states.size() < most && known.insert(row).second) states.push_back(std::move(row));
    }
    out.clear();
  };
  model.steps().initial(out);
  meet();
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Row row = states[i];
    model.steps().successors(row, out);
    meet();
  }
  return states;
}

// A model that was written to a file, and the same model with its propositions as invariants.
struct Pair {
  std::string path, other, first;  // how the name of the first of them begins
  std::vector<PropositionText> propositions;
  OpeningOptions options;
};

LoadedModel open(const std::string& path, const Pair& pair, Executed executed, bool with) {
  OpeningOptions options = pair.options;
  options.executed = executed;
  options.compiling.effort = Effort::little;
  options.compiling.cached = false;
  if (with) options.propositions = pair.propositions;
  LoadedModel loaded = open_model(path, options);
  loaded.model->runtime().prepare();
  return loaded;
}

// What holds in each state, by the interpreter.  Of those that cannot be evaluated, nothing holds.
std::vector<Letter> letters(const Model& model, const std::vector<Row>& states, Totals& totals) {
  std::vector<Letter> all;
  for (const Row& row : states) {
    std::optional<Failure> failure;
    all.push_back(model.conditions().evaluate_again(row, failure));
    totals.failures += failure ? 1 : 0;
  }
  return all;
}

// The number of the property that is the first proposition.  The others follow it.
std::size_t first_of(const Model& other, const Pair& pair) {
  const auto& all = other.properties();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].name.starts_with(pair.first)) return i;
  ADD_FAILURE() << "there is no property " << pair.first;
  return 0;
}

void compare_with_invariants(const Pair& pair, const std::vector<Row>& states,
                             const std::vector<Letter>& held, Totals& totals) {
  const LoadedModel loaded = open(pair.other, pair, Executed::interpreted, false);
  const Model& other = *loaded.model;
  const std::vector<Row> others = states_of(other, states.size());
  ASSERT_EQ(others.size(), states.size());
  const std::size_t count = pair.propositions.size();
  const std::size_t first = first_of(other, pair);
  std::vector<PropertyIndex> noted(other.properties().size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    Letter violated = 0;
    const std::size_t found = other.conditions().check(others[i], noted.data());
    for (std::size_t k = 0; k < found; ++k)
      if (noted[k] >= first && noted[k] < first + count)
        violated |= Letter{1} << (noted[k] - first);
    ASSERT_EQ(held[i], all_sets(count) & ~violated) << "in state " << i;
    totals.hold += static_cast<std::size_t>(__builtin_popcountll(held[i]));
    totals.do_not += static_cast<std::size_t>(__builtin_popcountll(violated));
  }
}

void compare_with_native(const Pair& pair, Executed executed, const std::vector<Row>& states,
                         const std::vector<Letter>& held, Totals& totals) {
  const LoadedModel loaded = open(pair.path, pair, executed, true);
  ASSERT_EQ(loaded.model->conditions().propositions(), pair.propositions.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    std::optional<Failure> failure, again;
    ASSERT_EQ(loaded.model->conditions().evaluate(states[i], failure), held[i]) << "in state " << i;
    loaded.model->conditions().evaluate_again(states[i], again);
    ASSERT_EQ(failure.has_value(), again.has_value()) << "in state " << i;
  }
  ++totals.native;
}

enum class Native { none, quick, all };

void compare(const Pair& pair, Native native, std::size_t most, Totals& totals) {
  const LoadedModel loaded = open(pair.path, pair, Executed::interpreted, true);
  const std::vector<Row> states = states_of(*loaded.model, most);
  const std::vector<Letter> held = letters(*loaded.model, states, totals);
  loaded.model->quotient().complain();
  ++totals.models;
  totals.states += states.size();
  if (!pair.other.empty()) compare_with_invariants(pair, states, held, totals);
  if (native != Native::none && has_tcc())
    compare_with_native(pair, Executed::quick, states, held, totals);
  if (native == Native::all) compare_with_native(pair, Executed::optimized, states, held, totals);
}

// Functions that change the state, or can leave out the transition, are not.
bool is_allowed(const std::string& model, const std::string& proposition) {
  MurphiOptions options;
  options.propositions = {{proposition, "--ltl"}};
  try {
    read_murphi("m", model, options);
    return true;
  } catch (const DiagnosedError& error) {
    const std::string& why = error.diagnostics()[0].message;
    EXPECT_TRUE(why.find("changes the state") != std::string::npos ||
                why.find("'var'") != std::string::npos ||
                why.find("('assume')") != std::string::npos)
        << proposition << ": " << why;
    return false;
  }
}

class Propositions : public testing::Test {
 protected:
  // Without symmetry, and with what is left of it.
  void murphi(const std::string& text, std::uint64_t seed, Native native, std::size_t most) {
    std::mt19937_64 random(seed);
    const program::Program program = read_murphi("m", text, {}).program;
    Pair pair;
    std::string more = text + "\n;\n";
    for (const std::string& one : murphi_propositions(program, kPropositions, random)) {
      if (!is_allowed(text, one)) continue;
      more += fmt::format("invariant \"proposition {}\" {};\n", pair.propositions.size(), one);
      pair.propositions.push_back({one, "--ltl"});
    }
    pair.path = folder_.write("model.m", text);
    pair.other = folder_.write("other.m", more);
    pair.first = "proposition 0";
    pair.options.symmetry = SymmetryMode::off;
    compare(pair, native, most, totals_);
    if (program.symmetries.empty() || HasFatalFailure()) return;
    pair.options.symmetry = SymmetryMode::automatic;
    const LoadedModel here = open(pair.path, pair, Executed::interpreted, true);
    const LoadedModel there = open(pair.other, pair, Executed::interpreted, false);
    totals_.asymmetric += here.asymmetries.empty() ? 0 : 1;
    if (here.asymmetries.empty()) {
      EXPECT_EQ(here.symmetry, there.symmetry);
    }
    if (here.symmetry == "off" || there.symmetry == "off") return;
    ++totals_.symmetric;
    pair.options.verified = true;
    compare(pair, Native::none, most, totals_);
  }

  // An assertion of a process that does nothing is an invariant.
  void dve(const std::string& text, std::uint64_t seed, Native native, std::size_t most,
           DveErrors errors = DveErrors::report) {
    std::mt19937_64 random(seed);
    DveOptions plain;
    plain.errors = errors;
    plain.narrow = false;
    const program::Program program = read_dve("m", text, plain).program;
    Pair pair;
    pair.options.chosen["--dve-errors"] = static_cast<std::size_t>(errors);
    std::string observer = "process Observer_ { state s; init s;";
    for (const DveProposition& one : dve_propositions(program, kPropositions, random)) {
      observer += fmt::format("{} s: {}", pair.propositions.empty() ? " assert" : ",", one.model);
      pair.propositions.push_back({one.formula, "--ltl"});
    }
    observer += "; }\n";
    pair.path = folder_.write("model.dve", text);
    const std::size_t system = text.rfind("system");
    const bool asynchronous = text.find("async", system) != std::string::npos;
    const bool property = text.find("property", system) != std::string::npos;
    if (asynchronous && !property && !pair.propositions.empty())
      pair.other =
          folder_.write("other.dve", text.substr(0, system) + observer + text.substr(system));
    pair.first = "assert in Observer_";
    compare(pair, native, most, totals_);
  }

  void expect_enough() const {
    std::cout << totals_.models << " models, " << totals_.symmetric << " of them with symmetry, "
              << totals_.native << " compiled, " << totals_.states << " states; propositions hold "
              << totals_.hold << " times, and do not " << totals_.do_not << " times; "
              << totals_.failures << " states with one that cannot be evaluated\n";
    EXPECT_GT(totals_.hold, totals_.models);
    EXPECT_GT(totals_.do_not, totals_.models);
  }

  Totals totals_;

 private:
  TemporaryFolder folder_;
};

void each_seed(std::uint64_t usual, const std::function<void(std::uint64_t)>& action) {
  if (const char* seed = std::getenv("SPILLWAY_SEED"))
    return action(std::strtoull(seed, nullptr, 10));
  const std::uint64_t last = cases(usual);
  for (std::uint64_t seed = 1; seed <= last && !testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("SPILLWAY_SEED={}", seed));
    action(seed);
  }
}

TEST_F(Propositions, OfRandomMurphi) {
  each_seed(150, [&](std::uint64_t seed) {
    const std::string text = random_murphi(seed);
    try {
      read_murphi("random.m", text, {});
    } catch (const Error&) {
      return;  // the language refuses some of them
    }
    murphi(text, seed, seed % 5 == 0 ? Native::quick : Native::none, 60);
  });
  expect_enough();
  EXPECT_GT(totals_.symmetric, 0U);
  EXPECT_GT(totals_.asymmetric, 0U);
  EXPECT_GT(totals_.failures, 0U);
}

TEST_F(Propositions, OfRandomDve) {
  each_seed(150, [&](std::uint64_t seed) {
    const std::string text = random_dve(seed);
    try {
      read_dve("random.dve", text, {});
    } catch (const Error&) {
      return;  // a system that needs its property process
    }
    const DveErrors errors = seed % 2 == 0 ? DveErrors::wrap : DveErrors::report;
    dve(text, seed, seed % 5 == 0 ? Native::quick : Native::none, 60, errors);
  });
  expect_enough();
  EXPECT_GT(totals_.failures, 0U);
}

TEST_F(Propositions, OfExamples) {
  std::uint64_t seed = 1;
  for (const char* name :
       {"german", "mesi", "msi", "peterson_n", "philosophers", "ring_election", "alternating_bit"})
    murphi(read_file(source_file(fmt::format("examples/{0}/{0}.m", name))), ++seed, Native::all,
           300);
  for (const char* name : {"bridge", "sliding_window", "traffic_lights"})
    dve(read_file(source_file(fmt::format("examples/{0}/{0}.dve", name))), ++seed, Native::all,
        300);
  expect_enough();
  EXPECT_GT(totals_.symmetric, 2U);
}

// Those of other people, where they are.
TEST_F(Propositions, OfModelsOfOthers) {
  const char* said = std::getenv("SPILLWAY_SHARED");
  const fs::path shared =
      said != nullptr ? fs::path(said) : fs::path(source_file("")) / "../shared";
  if (!fs::exists(shared / "models")) {
    GTEST_SKIP() << shared << " is not there";
  }
  std::uint64_t seed = 1;
  for (const char* name : {"adding.1", "anderson.1", "bakery.1", "fischer.1", "lamport.1", "mcs.1",
                           "peterson.1", "phils.1", "protocols.1", "elevator2.1"})
    dve(read_file((shared / "models/beem/dve" / fmt::format("{}.dve", name)).string()), ++seed,
        Native::quick, 200);
  for (const char* name : {"anderson.1.prop4", "bakery.1.prop2", "lamport.1.prop3"})
    dve(read_file((shared / "models/beem/prop" / fmt::format("{}.dve", name)).string()), ++seed,
        Native::quick, 200);
  std::set<fs::path> some;
  for (const fs::directory_entry& file :
       fs::recursive_directory_iterator(shared / "models/murphi/cmurphi"))
    if (file.path().extension() == ".m" && file.file_size() < 20000) some.insert(file.path());
  std::size_t taken = 0;
  for (const fs::path& path : some) {
    if (++taken % 4 != 0) continue;
    SCOPED_TRACE(path);
    const std::string text = read_file(path.string());
    try {
      read_murphi("m", text, {});
    } catch (const Error&) {
      continue;
    }
    murphi(text, ++seed, Native::quick, 150);
  }
  expect_enough();
}

}  // namespace
}  // namespace spillway
