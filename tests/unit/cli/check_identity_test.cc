#include "cli/options/check_identity.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/hash/sha256.h"
#include "unit/caught.h"
#include "unit/temporary_folder.h"

namespace spillway {
namespace {

class CheckIdentity : public testing::Test {
 protected:
  using Words = std::vector<std::string>;

  std::string identity(const Words& options) const {
    Words all = {folder_.write("model.m", model_)};
    all.insert(all.end(), options.begin(), options.end());
    return check_identity(all);
  }
  void expect_same(const Words& one, const Words& other) const {
    EXPECT_EQ(identity(one), identity(other)) << testing::PrintToString(one);
  }
  void expect_other(const Words& one, const Words& other) const {
    EXPECT_NE(identity(one), identity(other)) << testing::PrintToString(one);
  }
  // Of the run that such a check would keep.
  std::string kept(const Words& arguments) const {
    RunConfig config;
    config.sha256 = sha256(model_);
    config.arguments = arguments;
    return check_identity(config, "config");
  }

  TemporaryFolder folder_;
  std::string model_ = "var x: boolean; startstate x := true; end;";
};

// Whoever adds an option of `check` decides whether it belongs to the identity.
TEST_F(CheckIdentity, IsDecidedForEveryOption) {
  for (const Option& option : check_options())
    EXPECT_NE(option.same_for, SameFor::unsaid) << option.name;
}

TEST_F(CheckIdentity, HasWhateverChangesTheMeaningOfAVerdict) {
  for (const Option& option : check_options())
    EXPECT_TRUE(!option.changes_meaning || option.same_for == SameFor::check) << option.name;
}

// What is in it stays as it was, or is a file whose text stays.
TEST_F(CheckIdentity, HasNothingThatAResumedRunMayChange) {
  std::vector<std::string_view> files;
  for (const Option& option : check_options()) {
    if (option.same_for != SameFor::check) continue;
    EXPECT_NE(option.later, Later::kept) << option.name;
    if (option.later == Later::anew) files.push_back(option.name);
    const auto is_it = [&](const Option& other) { return other.name == option.name; };
    EXPECT_FALSE(std::ranges::any_of(resume_options(), is_it)) << option.name;
  }
  EXPECT_EQ(files, (std::vector<std::string_view>{"--ltl-file", "--automaton"}));
}

TEST_F(CheckIdentity, DependsOnModelAndOptions) {
  const std::string before = identity({});
  expect_other({"--const=N=1"}, {});
  expect_other({"--const=N=1"}, {"--const=N=2"});
  expect_other({"--deadlock=off"}, {});
  expect_other({"--ltl=G {x}"}, {});
  expect_other({"--ltl=G {x}"}, {"--ltl=F {x}"});
  expect_other({"--ltl=G {x}"}, {"--ctl=AG {x}"});
  expect_other({"--ltl=p: G on", "--prop=on=x"}, {"--ltl=p: G on", "--prop=on=!x"});
  expect_other({"--algorithm=ram"}, {});
  expect_other({"--max-errors=2"}, {});
  expect_other({"--minimal"}, {});
  model_ += "\n";
  EXPECT_NE(identity({}), before);
}

// What the help says about an option that is not given may also be the name of a rule.
TEST_F(CheckIdentity, DependsOnAPatternThatReadsLikeTheHelp) {
  expect_other({"--ltl=F {x}", "--fair=all runs count"}, {"--ltl=F {x}"});
}

TEST_F(CheckIdentity, DependsOnNothingElse) {
  expect_same({"--threads=3", "--memory=1G", "-q", "--json=a", "--interpret", "--verify"}, {});
  expect_same({"--max-depth=3", "--max-states=7", "--timeout=1s", "--checkpoint=0"}, {});
  expect_same({"--deadlock=auto", "--max-errors=1", "--algorithm=auto"}, {});
  expect_same({"--const=B=2", "--const=A=1"}, {"--const=A=1", "--const=B=2"});
  expect_same({"--minimal", "--deadlock=off"}, {"--deadlock=off", "--minimal"});
}

TEST_F(CheckIdentity, OfFilesIsThatOfTheirTexts) {
  const std::string file = folder_.write("formulas", "p: G {x}\n");
  const std::string first = identity({"--ltl-file=" + file});
  folder_.write("formulas", "p: G {x}  # always\n");
  EXPECT_EQ(identity({"--ltl-file=" + file}), first);
  folder_.write("formulas", "p: F {x}\n");
  EXPECT_NE(identity({"--ltl-file=" + file}), first);
}

TEST_F(CheckIdentity, OfARunIsThatOfTheCheckThatBeganIt) {
  EXPECT_EQ(kept({"--threads=2", "--memory=1G"}), identity({}));
  EXPECT_EQ(kept({"--const=N=3", "--deadlock=off", "--ltl=G {x}"}),
            identity({"--ltl=G {x}", "--const=N=3", "--deadlock=off", "-j", "7"}));
  EXPECT_NE(kept({"--const=N=3"}), identity({"--const=N=4"}));
  const std::string file = folder_.write("formulas", "p: G {x}\n");
  RunOptions options;
  options.formula_files = {file};
  const RunProperties read(options);
  EXPECT_EQ(kept({"--ltl=F {x}", "--ltl=" + read.formulas_of_files().at(0)}),
            identity({"--ltl-file=" + file, "--ltl=F {x}"}));
}

// Older versions took the last value of a constant that was given twice.
TEST_F(CheckIdentity, OfAnOlderRunHasTheValuesThatItHad) {
  EXPECT_EQ(kept({"--const=N=3", "--const=N=4"}), identity({"--const=N=4"}));
}

TEST_F(CheckIdentity, OfARunWithOptionsThatNoRunRecordsIsRefused) {
  EXPECT_EQ(caught([&] { kept({"--json=a"}); })->fault(), Fault::integrity);
}

TEST(RanksText, HasLimitsThatAllRanksObey) {
  const auto text = [](const std::vector<std::string>& words) {
    return ranks_text(parse(commands().front(), words).value_or(CommandSettings{}));
  };
  EXPECT_NE(text({"m", "--max-depth=3"}), text({"m"}));
  EXPECT_NE(text({"m", "--max-states=3"}), text({"m", "--max-states=4"}));
  EXPECT_EQ(text({"m", "--threads=3", "--const=N=4"}), text({"m"}));
}

}  // namespace
}  // namespace spillway
