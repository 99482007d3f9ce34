#include "run/manifest.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace spillway {
namespace {

Manifest example() {
  Manifest manifest;
  manifest.generation = 18446744073709551615U;
  manifest.seconds = 1234.5;
  for (Word row = 0; row < 3; ++row) {
    Level level{row + 1, 1000000000000 + row, {}};
    level.digest.add(State(&row, 1));
    manifest.levels.push_back(level);
  }
  manifest.level_states = 4;
  manifest.covered = {0, 7};
  manifest.form = {99, {3, 128, 4, true}, 8192};
  manifest.parts = {{1, 2, 3}, {5, 18446744073709551615U, 4}};
  return manifest;
}

bool is_refused(const std::string& text) {
  try {
    parse_manifest(text, "manifest");
    return false;
  } catch (const Error& error) {
    return error.fault() == Fault::integrity && std::string(error.what()).starts_with("manifest: ");
  }
}

TEST(Manifest, ComesBackAsItWas) {
  const Manifest was = example();
  const std::string text = to_text(was);
  EXPECT_EQ(text.size() % 4096, 0);
  const Manifest is = parse_manifest(text, "manifest");
  EXPECT_EQ(is.generation, was.generation);
  EXPECT_EQ(is.seconds, was.seconds);
  EXPECT_EQ(is.level_states, was.level_states);
  EXPECT_EQ(is.covered, was.covered);
  EXPECT_EQ(is.form, was.form);
  EXPECT_EQ(is.parts, was.parts);
  ASSERT_EQ(is.levels.size(), was.levels.size());
  for (std::size_t i = 0; i < is.levels.size(); ++i) {
    EXPECT_EQ(is.levels[i].states, was.levels[i].states);
    EXPECT_EQ(is.levels[i].transitions, was.levels[i].transitions);
    EXPECT_EQ(is.levels[i].digest, was.levels[i].digest);
  }
  EXPECT_EQ(is.states(), 6);
}

TEST(Manifest, AnyBitThatIsWrongIsNoticed) {
  const std::string text = to_text(example());
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string wrong = text;
    wrong[bit / 8] = static_cast<char>(wrong[bit / 8] ^ (1 << bit % 8));
    ASSERT_TRUE(is_refused(wrong)) << bit;
  }
}

TEST(Manifest, AnyEndThatIsMissingIsNoticed) {
  const std::string text = to_text(example());
  const std::size_t end = text.find_last_not_of('\n') + 1;
  for (std::size_t bytes = 0; bytes < end; ++bytes) ASSERT_TRUE(is_refused(text.substr(0, bytes))) << bytes;
}

TEST(Manifest, OfAnotherVersionIsRefused) {
  std::string text = to_text(example());
  text = text.substr(0, text.find("sha256"));
  text.replace(text.find("manifest 1"), 10, "manifest 2");
  EXPECT_TRUE(is_refused(text + "sha256 0"));
}

}  // namespace
}  // namespace spillway
