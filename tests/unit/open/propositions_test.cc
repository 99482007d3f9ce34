// Models of every kind that are opened with propositions of formulas.
#include <gtest/gtest.h>

#include "base/error.h"
#include "folders.h"
#include "language/murphi/murphi.h"
#include "model/program_model.h"
#include "model/symmetric_model.h"
#include "open/open_model.h"
#include "program/symmetry/symmetry.h"
#include "unit/caught.h"
#include "unit/temporary_folder.h"

namespace spillway {
namespace {

std::vector<PropositionText> texts(std::initializer_list<const char*> all) {
  std::vector<PropositionText> made;
  for (const char* one : all) made.push_back({one, "--ltl"});
  return made;
}

OpeningOptions with(std::initializer_list<const char*> propositions) {
  OpeningOptions options;
  options.propositions = texts(propositions);
  options.executed = Executed::interpreted;
  return options;
}

std::vector<Word> first_state(const Model& model) {
  Successors out(model.words());
  model.steps().initial(out);
  return {out.states()[0].begin(), out.states()[0].end()};
}

Letter in_first_state(const Model& model) {
  std::optional<Failure> failure;
  const Letter letter = model.conditions().evaluate(first_state(model), failure);
  EXPECT_FALSE(failure);
  EXPECT_EQ(letter, model.conditions().evaluate_again(first_state(model), failure));
  return letter;
}

constexpr const char* kGraph =
    "initial a\na -> b : \"go\"\nb -> a : \"back\"\nproposition red : a\n"
    "proposition \"is green\" : b a\nproposition never :\nproposition red : c\n";

TEST(GraphPropositions, HoldInTheStatesThatAreListed) {
  const TemporaryFolder folder;
  const std::string path = folder.write("g.graph", kGraph);
  const LoadedModel loaded = open_model(path, with({"never", " red ", "\"is green\"", "red"}));
  const Model& model = *loaded.model;
  EXPECT_EQ(model.conditions().propositions(), 4U);
  EXPECT_EQ(in_first_state(model), 0b1110U);
  std::optional<Failure> failure;
  EXPECT_EQ(model.conditions().evaluate(std::vector<Word>{1}, failure), 0b0100U);  // b
  EXPECT_EQ(model.conditions().evaluate(std::vector<Word>{2}, failure), 0b1010U);  // c
  EXPECT_EQ(model.description().rules(), 2U);
}

TEST(GraphPropositions, HaveNames) {
  const TemporaryFolder folder;
  const std::string path = folder.write("g.graph", kGraph);
  OpeningOptions options;
  options.propositions = {{"rde", "f.ltl", 2, 4, "# one\nG (rde)\n"}};
  try {
    open_model(path, options);
    FAIL() << "it was accepted";
  } catch (const DiagnosedError& error) {
    EXPECT_EQ(error.diagnostics()[0].text(),
              "f.ltl:2:4: error: the model has no proposition 'rde'; did you mean 'red'?\n"
              "  G (rde)\n     ^~~\n");
  }
  const auto none =
      caught([&] { open_model(folder.write("none.graph", "initial a\n"), with({"p"})); });
  ASSERT_TRUE(none);
  EXPECT_EQ(std::string(none->what()),
            "--ltl:1:1: the model has no proposition 'p'; it has none at all");
}

TEST(GraphPropositions, AreWrittenWithAColon) {
  const TemporaryFolder folder;
  const auto wrong =
      caught([&] { open_model(folder.write("g.graph", "initial a\nproposition p a\n"), {}); });
  ASSERT_TRUE(wrong);
  EXPECT_TRUE(std::string(wrong->what()).ends_with(":2:1: write: proposition NAME : STATE ..."));
}

TEST(CompiledPropositions, AreChosenByName) {
  const std::string path = model_file("peterson.so");
  const LoadedModel loaded = open_model(path, with({"critical_1", "waiting_0"}));
  const Model& model = *loaded.model;
  EXPECT_EQ(model.conditions().propositions(), 2U);
  EXPECT_EQ(in_first_state(model), 0U);
  EXPECT_NE(model.description().rules(), 0U);
  Successors out(model.words());
  const std::vector<Word> first = first_state(model);
  model.steps().successors(first, out);
  std::optional<Failure> failure;
  EXPECT_EQ(model.conditions().evaluate(out.states()[0], failure), 0b10U);
  EXPECT_FALSE(failure);
  const auto error = caught([&] { open_model(path, with({"critcal_1"})); });
  ASSERT_TRUE(error);
  EXPECT_EQ(std::string(error->what()),
            "--ltl:1:1: the model has no proposition 'critcal_1'; did you mean 'critical_1'?");
}

constexpr const char* kMurphi =
    "type S: scalarset(3); var s: array [S] of boolean; x: 0..3;\n"
    "function first(): boolean; begin for i: S do return s[i]; end; end;\n"
    "startstate clear s; x := 0; end\n"
    "ruleset i: S do rule \"on\" !s[i] ==> s[i] := true; x := x + 1; end end\n";

TEST(MurphiPropositions, ThatAreSymmetricKeepSymmetry) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.m", kMurphi);
  const LoadedModel loaded = open_model(path, with({"exists i: S do s[i] end", "x = 0"}));
  EXPECT_EQ(loaded.symmetry, "exhaustive");
  EXPECT_TRUE(loaded.asymmetries.empty());
  EXPECT_EQ(loaded.symmetry_given_up, "");
  EXPECT_EQ(in_first_state(*loaded.model), 0b10U);
  EXPECT_EQ(loaded.model->description().rules(), 4U);
}

TEST(MurphiPropositions, ThatAreNotSymmetricGiveItUp) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.m", kMurphi);
  const LoadedModel loaded = open_model(path, with({"x = 0", "first()"}));
  EXPECT_EQ(loaded.symmetry, "off");
  EXPECT_EQ(loaded.asymmetries, (std::vector<std::size_t>{1}));
  EXPECT_TRUE(loaded.symmetry_given_up.starts_with(
      "symmetry is off: the proposition 'first()' of --ltl is not the same for all permutations of "
      "the scalarset 'S': "))
      << loaded.symmetry_given_up;
  OpeningOptions off = with({"x = 0", "first()"});
  off.symmetry = SymmetryMode::off;
  EXPECT_EQ(open_model(path, off).symmetry_given_up, "");
}

// Should the analysis ever miss one.
TEST(MurphiPropositions, AreComparedInPermutedStates) {
  MurphiOptions options;
  options.propositions = texts({"first()"});
  program::Program program = read_murphi("m.m", kMurphi, options).program;
  program::Symmetries symmetries(program, program::Canonical::exhaustive);
  const SymmetricModel model(
      std::make_unique<ProgramModel>(std::move(program), Executed::interpreted),
      std::move(symmetries), SymmetricModel::Examined::all);
  Successors out(model.words());
  std::vector<std::vector<Word>> states = {first_state(model)};
  for (std::size_t i = 0; i < states.size() && i < 50; ++i) {
    out.clear();
    model.steps().successors(states[i], out);
    for (const State state : out.states()) states.emplace_back(state.begin(), state.end());
  }
  const auto error = caught([&] { model.quotient().complain(); });
  ASSERT_TRUE(error);
  EXPECT_NE(std::string(error->what()).find("a proposition holds in only one of them"),
            std::string::npos);
}

TEST(MurphiPropositions, ThatCannotBeEvaluatedAreFailures) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("m.m", "var u: 0..3; x: 0..3; startstate x := 1; end rule x := 1; end");
  for (const Executed executed : {Executed::interpreted, Executed::optimized}) {
    OpeningOptions options = with({"x = 1", "u = 2"});
    options.executed = executed;
    options.compiling.cached = false;
    const LoadedModel loaded = open_model(path, options);
    loaded.model->runtime().prepare();
    std::optional<Failure> failure;
    EXPECT_EQ(loaded.model->conditions().evaluate(first_state(*loaded.model), failure), 1U);
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->message, "the proposition 'u = 2' cannot be evaluated: u is undefined");
    EXPECT_EQ(failure->rule, kNoRule);
  }
}

TEST(DveRules, AreOfProcesses) {
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "m.dve",
      "channel c; process A { state a, b; init a; trans a -> b { sync c!; }, b -> a {}; }\n"
      "process B { state a, b; init a; trans a -> a { sync c?; }; }\n"
      "process Q { state q; init q; trans q -> q {}; accept q; } system async property Q;");
  for (const bool product : {false, true}) {
    OpeningOptions options = with({});
    options.product = product;
    const LoadedModel loaded = open_model(path, options);
    const Model& model = *loaded.model;
    ASSERT_GE(model.description().rules(), 3U);
    EXPECT_EQ(model.description().rule_instance(1).processes, (std::vector<std::string>{"A", "B"}));
    EXPECT_EQ(model.description().rule_instance(2).processes, (std::vector<std::string>{"A"}));
    EXPECT_TRUE(model.description().rule_instance(0).processes.empty());  // the initial state
    EXPECT_TRUE(model.description().rule_instance(kNoRule).processes.empty());
  }
}

TEST(Propositions, AreNotTooMany) {
  const TemporaryFolder folder;
  OpeningOptions options;
  for (int i = 0; i < 65; ++i) options.propositions.push_back({"red", "--ltl"});
  const std::string path = folder.write("m.m", kMurphi);
  const auto error = caught([&] { open_model(path, options); });
  ASSERT_TRUE(error);
  EXPECT_EQ(std::string(error->what()), "the formulas have 65 propositions; the limit is 64");
  const std::string graph = folder.write("g.graph", kGraph);
  EXPECT_TRUE(caught([&] { open_model(graph, options); }));
  options.propositions.pop_back();
  EXPECT_EQ(open_model(graph, options).model->conditions().propositions(), 64U);
}

}  // namespace
}  // namespace spillway
