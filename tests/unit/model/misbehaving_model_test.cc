// Models that break a promise of spillway/model_abi.h are refused with a sentence that names the
// file.
#include <gtest/gtest.h>

#include <functional>
#include <ostream>

#include "folders.h"
#include "model/compiled_model.h"
#include "unit/caught.h"

namespace spillway {
namespace {

using Row = std::vector<Word>;

std::string path_of(const std::string& kind) { return model_file("misbehaving_" + kind + ".so"); }

struct Kind {
  const char* name;
  const char* why;  // part of the sentence
};
std::ostream& operator<<(std::ostream& out, const Kind& kind) { return out << kind.name; }

class RefusedWhenLoaded : public testing::TestWithParam<Kind> {};

INSTANTIATE_TEST_SUITE_P(
    Misbehaving, RefusedWhenLoaded,
    testing::Values(Kind{"wrong_abi",
                         "compiled for version 2 of the interface, but this is version 1"},
                    Kind{"short_table", "is too short: "},
                    Kind{"no_table", "does not support version 1"},
                    Kind{"no_words", "a row has 0 words; it must have 1 to 8192"},
                    Kind{"too_many_words", "a row has 8193 words; it must have 1 to 8192"},
                    Kind{"too_many_bits", "65 bits do not fit in a row of 1 words"},
                    Kind{"no_successors", "no initial() or no successors()"},
                    Kind{"no_initial", "no initial() or no successors()"},
                    Kind{"no_check", "invariants, but no check()"},
                    Kind{"no_property_table", "has properties, but does not name them"},
                    Kind{"unknown_deadlock", "deadlock convention is 3"}),
    testing::PrintToStringParamName());

TEST_P(RefusedWhenLoaded, WithASentenceThatNamesTheFile) {
  const std::string path = path_of(GetParam().name);
  const auto error = caught([&] { const CompiledModel model(path); });
  ASSERT_TRUE(error) << "accepted";
  EXPECT_EQ(error->fault(), Fault::model);
  EXPECT_TRUE(std::string(error->what()).starts_with(path + ": ")) << error->what();
  EXPECT_NE(std::string(error->what()).find(GetParam().why), std::string::npos) << error->what();
}

// `call` is what finds the model out.
void expect_refused(const char* kind, const char* why,
                    const std::function<void(const CompiledModel&)>& call) {
  const CompiledModel model(path_of(kind));
  const auto error = caught([&] { call(model); });
  ASSERT_TRUE(error) << "accepted";
  EXPECT_EQ(error->fault(), Fault::model);
  EXPECT_TRUE(std::string(error->what()).starts_with(path_of(kind) + ": ")) << error->what();
  EXPECT_NE(std::string(error->what()).find(why), std::string::npos) << error->what();
}

TEST(RefusedWhenRun, ARuleThatDoesNotExist) {
  expect_refused("unknown_rule", "the model used rule 7, but it has only 2 rules",
                 [](const Model& model) {
                   Successors made(1);
                   made.want_rules(true);
                   model.steps().successors(Row{0}, made);
                 });
}

TEST(RefusedWhenRun, AnInvariantThatDoesNotExist) {
  expect_refused("unknown_invariant", "a violation of invariant 7", [](const Model& model) {
    PropertyIndex violated[2];
    model.conditions().check(Row{20}, violated);
  });
}

TEST(RefusedWhenRun, AnAssertionThatDoesNotExist) {
  expect_refused("unknown_assertion", "a violation of assertion 7", [](const Model& model) {
    Successors made(1);
    model.steps().successors(Row{7}, made);
  });
}

// What the model layer cannot find out is given on as it is; src/run says so.
TEST(Misbehaving, NoStartHasNoInitialStates) {
  Successors made(1);
  CompiledModel(path_of("no_start")).initial(made);
  EXPECT_EQ(made.size(), 0U);
  EXPECT_FALSE(made.failure());
}

TEST(Misbehaving, ChangingOrderAndContentGoOn) {
  for (const char* kind : {"changing_order", "changing_content"}) {
    const CompiledModel model(path_of(kind));
    Successors made(1);
    for (int i = 0; i < 4; ++i) model.steps().successors(Row{3}, made);
    EXPECT_EQ(made.size(), 8U) << kind;
  }
}

}  // namespace
}  // namespace spillway
