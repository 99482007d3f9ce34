#include "language/table/table.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace spillway {
namespace {

TEST(Languages, AreFoundByTheEndingsOfFiles) {
  for (const Language& language : languages())
    for (const std::string_view ending : language.endings)
      EXPECT_EQ(language_of("folder.x/some" + std::string(ending)), &language) << ending;
  for (const char* none : {"x", "x.SO", "x.m.bak", "x.mu", "x.graphs", ".dve", "dve"})
    EXPECT_EQ(language_of(none), nullptr) << none;
}

TEST(Languages, DoNotShareNamesEndingsOrOptions) {
  std::set<std::string_view> names, endings, options;
  for (const Language& language : languages()) {
    EXPECT_TRUE(names.insert(language.name).second) << language.name;
    EXPECT_NE(language.read, nullptr) << language.name;
    EXPECT_EQ(language.has.text, language.model.empty()) << language.name;
    ASSERT_FALSE(language.endings.empty()) << language.name;
    for (const std::string_view one : language.endings) EXPECT_TRUE(endings.insert(one).second);
    for (const LanguageOption& one : language.options) {
      EXPECT_TRUE(options.insert(one.name).second) << one.name;
      EXPECT_TRUE(one.name.starts_with("--")) << one.name;
      EXPECT_GE(one.values.size(), 2U) << one.name;
    }
  }
}

TEST(Languages, AreNamedByWhatTheyHave) {
  EXPECT_EQ(languages_with(&Language::Has::constants), "Murphi and DVE");
  EXPECT_EQ(languages_with(&Language::Has::property_process), "DVE");
  EXPECT_EQ(endings_with(&Language::Has::native_code), ".so");
}

TEST(Languages, PartsAreListedInASentence) {
  EXPECT_EQ(listed({}, "or"), "");
  EXPECT_EQ(listed({"a"}, "or"), "a");
  EXPECT_EQ(listed({"a", "b"}, "and"), "a and b");
  EXPECT_EQ(listed({"a", "b", "c"}, "or"), "a, b or c");
}

// What a user says about an option of a language is the number of one of its values.
TEST(Languages, AnOptionHasItsFirstValueUnlessOneIsChosen) {
  enum class Letter { a, b };
  constexpr std::array<std::string_view, 2> kLetters = {"a", "b"};
  const LanguageOption option{
      .name = "--letter", .argument = "NAME", .help = "which", .values = kLetters};
  ReadingOptions options;
  EXPECT_EQ(options.value<Letter>(option), Letter::a);
  options.chosen["--letter"] = 1;
  EXPECT_EQ(options.value<Letter>(option), Letter::b);
}

}  // namespace
}  // namespace spillway
