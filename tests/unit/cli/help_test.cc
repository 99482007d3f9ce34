#include "cli/options/help.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "algorithms/algorithms.h"
#include "check/facts/verdict.h"

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
      const std::string value = option.number.empty() ? " " + std::string(option.argument)
                                                      : "[=" + std::string(option.number) + "]";
      EXPECT_TRUE(says(help, std::string(option.name) + value)) << option.name;
      EXPECT_TRUE(says(help, option.explanation())) << option.name;
      EXPECT_EQ(option.explanation().find('{'), std::string::npos) << option.name;
      if (!option.unset.empty()) {
        EXPECT_TRUE(says(help, "(default: " + std::string(option.unset) + ")")) << option.name;
      }
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

TEST(CommandHelp, OfCheckExplainsEveryAlgorithm) {
  for (const Algorithm& algorithm : algorithms())
    EXPECT_TRUE(says(command_help(commands()[0]),
                     std::string(algorithm.name) + " " + std::string(algorithm.summary)))
        << algorithm.name;
}

TEST(OptionTable, HasALineForEachCommandAndOption) {
  std::istringstream lines(option_table());
  for (const Command& command : commands()) {
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(line, "command\t" + std::string(command.name) + "\t" + std::string(command.subject) +
                        "\t" + std::string(command.summary));
    for (const Option& option : command.options()) {
      ASSERT_TRUE(std::getline(lines, line));
      EXPECT_EQ(std::count(line.begin(), line.end(), '\t'), 9) << line;
      EXPECT_NE(line.find("\t" + std::string(option.name) + "\t"), std::string::npos) << line;
    }
  }
  std::string more;
  EXPECT_FALSE(std::getline(lines, more));
}

TEST(OptionTable, ChoicesAreThoseThatAreTaken) {
  for (const Option& option : check_options()) {
    if (option.choices == nullptr) continue;
    for (const std::string_view choice : option.choices()) {
      CommandSettings settings;
      EXPECT_NO_THROW(option.set(settings, choice)) << option.name << " " << choice;
    }
  }
}

TEST(OptionTable, NoTwoOptionsHaveTheSameLetter) {
  for (const Command& command : commands()) {
    std::string letters = "hV";
    for (const Option& option : command.options()) {
      if (option.letter == 0) continue;
      EXPECT_EQ(letters.find(option.letter), std::string::npos) << option.name;
      letters += option.letter;
    }
  }
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
      EXPECT_LE(line.size(), 80U) << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
  }
}

}  // namespace
}  // namespace spillway
