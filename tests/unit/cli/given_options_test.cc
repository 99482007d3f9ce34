#include "cli/options/given_options.h"

#include <gtest/gtest.h>

namespace spillway {
namespace {

CommandSettings parsed(const std::vector<std::string>& words) {
  return parse(commands().front(), words).value_or(CommandSettings{});
}

std::string configuration(const std::vector<std::string>& words) {
  return configuration_text(parsed(words));
}

TEST(Configuration, HasWhatChangesTheMeaningOfAVerdict) {
  EXPECT_EQ(configuration({"m"}), "");
  EXPECT_EQ(configuration({"m", "--const", "NODES=5"}), "NODES=5");
  EXPECT_EQ(configuration({"m", "--const=B=7", "--const=A=-1"}), "A=-1 B=7");
  EXPECT_EQ(configuration({"m", "--deadlock=off", "--product", "--ignore=liveness"}),
            "--deadlock=off --ignore=liveness --product");
  EXPECT_EQ(configuration({"m", "--product", "--product"}), "--product");
  EXPECT_EQ(configuration({"m", "--undefined=cmurphi"}), "--undefined=cmurphi");
}

TEST(Configuration, HasAPatternThatReadsLikeTheHelp) {
  EXPECT_EQ(configuration({"m", "--ltl=F {x}", "--fair=all runs count"}), "--fair=all runs count");
}

TEST(Configuration, HasNothingThatChangesNothing) {
  EXPECT_EQ(configuration({"m", "--threads=4", "--memory=1G", "-q", "--symmetry=off"}), "");
  EXPECT_EQ(configuration({"m", "--deadlock=off", "--deadlock=auto"}), "");
  EXPECT_EQ(configuration({"m", "--dialect", "auto", "--undefined=error"}), "");
}

TEST(GivenOptions, AreThoseThatCount) {
  const std::vector<GivenOption> all =
      given_options(parsed({"m", "-j", "2", "--threads=4", "--const=B=1", "--const=A=2", "-q"}));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].name, "threads");
  EXPECT_EQ(all[0].values, std::vector<std::string>{"4"});
  EXPECT_FALSE(all[0].repeatable);
  EXPECT_EQ(all[1].name, "const");
  EXPECT_EQ(all[1].values, (std::vector<std::string>{"B=1", "A=2"}));
  EXPECT_TRUE(all[1].repeatable);
  EXPECT_EQ(all[2].name, "quiet");
  EXPECT_TRUE(all[2].values.empty());
}

TEST(GivenOptions, OfAResumedRunAreThoseOfTheStartUnlessGivenAgain) {
  CommandSettings settings;
  set_kept(settings, {"--threads=3", "--disk=/a", "--const=N=4"}, "config");
  set_given(settings, {"--threads=5", "--disk=/c"});
  const std::vector<GivenOption> all = given_options(settings);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].values, std::vector<std::string>{"5"});
  EXPECT_EQ(all[1].values, std::vector<std::string>{"N=4"});
  EXPECT_EQ(all[2].values, std::vector<std::string>{"/c"});
  EXPECT_EQ(configuration_text(settings), "N=4");
}

}  // namespace
}  // namespace spillway
