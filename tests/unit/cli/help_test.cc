#include "cli/help.h"

#include <gtest/gtest.h>

#include <sstream>

#include "check/verdict.h"
#include "safety/algorithms.h"

namespace spillway {
namespace {

// Lines and indentation do not matter for what is said.
std::string unwrapped(const std::string& text) {
  std::istringstream words(text);
  std::string all;
  for (std::string word; words >> word;) all += word + " ";
  return all;
}

bool says(const std::string& text, std::string_view what) {
  return unwrapped(text).find(unwrapped(std::string(what))) != std::string::npos;
}

TEST(CommandHelp, HasEveryOptionOfTheTable) {
  for (const Command& command : commands()) {
    const std::string help = command_help(command);
    for (const Option& option : command.options()) {
      EXPECT_TRUE(says(help, std::string(option.name) + " " + std::string(option.argument)))
          << option.name;
      EXPECT_TRUE(says(help, option.help)) << option.name;
      EXPECT_TRUE(says(help, "[default: " + std::string(option.unset) + "]")) << option.name;
    }
  }
}

TEST(CommandHelp, HasThreeExamplesThatAreCallsOfTheCommand) {
  for (const Command& command : commands()) {
    const std::string help = command_help(command);
    for (const auto& [call, meaning] : command.examples) {
      EXPECT_NE(call.find("spillway " + std::string(command.name)), std::string_view::npos) << call;
      EXPECT_FALSE(meaning.empty());
      EXPECT_NE(help.find("  " + std::string(call) + "\n"), std::string::npos) << call;
      EXPECT_TRUE(says(help, meaning));
    }
  }
}

TEST(CommandHelp, BeginsWithTheUsage) {
  EXPECT_TRUE(command_help(commands()[0])
                  .starts_with("Usage: spillway check MODEL [OPTION]...\nExplore all "));
  EXPECT_TRUE(
      command_help(commands().back()).starts_with("Usage: spillway explain [CODE]\nExplain "));
}

TEST(CommandHelp, OptionsInTheExamplesExist) {
  for (const Command& command : commands()) {
    for (const auto& [call, meaning] : command.examples) {
      std::istringstream words{std::string(call)};
      for (std::string word; words >> word;) {
        if (!word.starts_with("--")) continue;
        const std::string name = word.substr(0, word.find('='));
        bool known = false;
        for (const Option& option : command.options()) known |= option.name == name;
        EXPECT_TRUE(known) << call;
      }
    }
  }
}

TEST(CommandHelp, OfCheckNamesEveryAlgorithm) {
  for (const Algorithm& algorithm : algorithms())
    EXPECT_NE(command_help(commands()[0]).find(algorithm.name), std::string::npos)
        << algorithm.name;
}

TEST(GeneralHelp, HasEveryCommand) {
  for (const Command& command : commands()) {
    EXPECT_TRUE(says(general_help(),
                     "spillway " + std::string(command.name) + " " + std::string(command.subject)));
    EXPECT_TRUE(says(general_help(), command.summary));
  }
  EXPECT_TRUE(says(general_help(), "--help"));
  EXPECT_TRUE(says(general_help(), "--version"));
}

TEST(Help, FitsATerminal) {
  std::vector<std::string> texts = {general_help()};
  for (const Command& command : commands()) texts.push_back(command_help(command));
  for (const std::string& text : texts) {
    EXPECT_TRUE(text.ends_with("\n"));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 100U) << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
  }
}

}  // namespace
}  // namespace spillway
