// Texts in the folder of a run: what was written comes back, anything else is refused.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "base/text/printable.h"
#include "base/text/signed_text.h"
#include "cases.h"
#include "cli/options/options.h"
#include "directory/run_config.h"
#include "directory/run_places.h"
#include "unit/caught.h"

namespace spillway {
namespace {

const Identity kRun = *Identity::from_hex("00112233445566778899aabbccddeeff");

RunConfig example() {
  RunConfig config;
  config.identity = kRun;
  config.version = "0.1.0";
  config.begun = "2026-01-02 03:04:05 UTC";
  config.machine = "2 processors, 4.0 GiB";
  config.model = "a b.m";
  config.copy = "model.m";
  config.bytes = 18446744073709551615U;
  config.sha256 = std::string(64, 'a');
  config.arguments = {"--const=N=4", "--interpret"};
  return config;
}

bool is_refused(const std::string& text) {
  const auto error = caught([&] { parse_config(text, "config"); });
  return error && error->fault() == Fault::integrity &&
         std::string(error->what()).starts_with("config: ");
}

TEST(RunConfig, ComesBackAsItWas) {
  const RunConfig config = parse_config(to_text(example()), "config");
  EXPECT_EQ(config.identity, kRun);
  EXPECT_EQ(config.bytes, 18446744073709551615U);
  EXPECT_EQ(config.arguments, example().arguments);
  EXPECT_EQ(mark_of(config), mark_of(example()));
  EXPECT_FALSE(config.native());
}

// Whatever a command line holds: ends of lines, what no terminal shows, backslashes.
TEST(RunConfig, ArgumentsComeBackAsTheyWere) {
  constexpr std::array<const char*, 12> kPieces = {
      "a",     " ",    "\n",   "\r\n",         "\t",   "\\",
      "\\x0a", "\\\\", "\x7f", "\xe2\x80\xae", "\xff", "argument "};
  std::mt19937_64 random(1);
  for (std::uint64_t i = 0; i < cases(3000); ++i) {
    RunConfig config = example();
    if (i % 2 == 0) config.part = RunPart{kRun, 1, 2};
    config.arguments.clear();
    for (std::uint64_t count = random() % 4; count != 0; --count) {
      std::string argument = "--ltl=";
      for (std::uint64_t left = random() % 6; left != 0; --left)
        argument += kPieces[random() % kPieces.size()];
      config.arguments.push_back(argument);
    }
    const std::string text = to_text(config);
    const RunConfig read = parse_config(text, "config");
    ASSERT_EQ(read.arguments, config.arguments) << text;
    ASSERT_EQ(read.part.has_value(), config.part.has_value()) << text;
    ASSERT_EQ(text, printable_lines(text));
  }
}

// One text has one form: what could be plain is, and another escape is none.
TEST(RunConfig, HasOneForm) {
  const auto text_with = [](const std::string& title, const std::string& line) {
    std::string text = to_text(example());
    text.replace(0, text.find('\n'), title);
    text.replace(text.find("argument --interpret"), 20, line);
    return with_checksum(text.substr(0, text.rfind("end ")), "end");
  };
  EXPECT_FALSE(is_refused(text_with("spillway run 4", "argument --interpret")));
  EXPECT_FALSE(is_refused(text_with("spillway run 6", "escaped --ltl=\\x0ap")));
  for (const char* line : {"escaped --interpret", "escaped --ltl=\\x0Ap", "escaped --ltl=\\np",
                           "escaped --ltl=\\x0", "escaped --ltl=\\", "argument --interpret"})
    EXPECT_TRUE(is_refused(text_with("spillway run 6", line))) << line;
  EXPECT_TRUE(is_refused(text_with("spillway run 4", "escaped --ltl=\\x0ap")));
}

TEST(RunConfig, AnyBitThatIsWrongIsNoticed) {
  const std::string text = to_text(example());
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string wrong = text;
    wrong[bit / 8] = static_cast<char>(wrong[bit / 8] ^ (1 << bit % 8));
    ASSERT_TRUE(is_refused(wrong)) << bit;
  }
  EXPECT_TRUE(is_refused(text + "\n"));
  EXPECT_TRUE(is_refused(""));
}

TEST(RunConfig, EveryPartOfItIsPartOfTheMark) {
  const RunMark mark = mark_of(example());
  RunConfig other = example();
  other.arguments.pop_back();
  EXPECT_NE(mark_of(other).config, mark.config);
  other = example();
  other.sha256 = std::string(64, 'b');
  EXPECT_NE(mark_of(other).model, mark.model);
  EXPECT_NE(mark_of(other).config, mark.config);
}

TEST(RunConfig, OfAPartSaysWhichItIs) {
  RunConfig part = example();
  part.part = RunPart{kRun, 2, 13};
  const RunConfig is = parse_config(to_text(part), "config");
  ASSERT_TRUE(is.part);
  EXPECT_EQ(is.part->run, kRun);
  EXPECT_EQ(is.part->rank, 2U);
  EXPECT_EQ(is.part->ranks, 13U);
  EXPECT_NE(mark_of(part).config, mark_of(example()).config);
  EXPECT_FALSE(parse_config(to_text(example()), "config").part);
  part.part->rank = 13;
  EXPECT_TRUE(is_refused(to_text(part)));
}

TEST(RunConfig, ACopyHasOneOfAFewNames) {
  EXPECT_EQ(copy_name("x/y.murphi"), "model.murphi");
  EXPECT_EQ(copy_name("y.so"), "");
  for (const char* model : {"a", "a.txt", "a.m/b", "model.so.x"})
    EXPECT_EQ(caught([&] { copy_name(model); })->fault(), Fault::model) << model;
  for (const char* copy :
       {"model.so", "../model.m", "config", "model.m ", "MODEL.m", "model", "/model.m", ""}) {
    RunConfig config = example();
    config.copy = copy;
    EXPECT_TRUE(is_refused(to_text(config))) << copy;
  }
}

TEST(KeptOptions, OnlyThoseThatARunWritesAreTaken) {
  const auto refused = [](std::vector<std::string> arguments) {
    CommandSettings settings;
    const auto error = caught([&] { set_kept(settings, arguments, "config"); });
    return error && error->fault() == Fault::integrity;
  };
  for (const Option& option : check_options()) {
    const std::string value = option.argument.empty()         ? ""
                              : option.name == "--disk"       ? "=/data"
                              : option.name == "--const"      ? "=N=4"
                              : option.name == "--symmetry"   ? "=off"
                              : option.name == "--dialect"    ? "=rumur"
                              : option.name == "--undefined"  ? "=cmurphi"
                              : option.name == "--dve-errors" ? "=wrap"
                              : option.name == "--deadlock"   ? "=off"
                              : option.name == "--algorithm"  ? "=ram"
                              : option.name == "--store"      ? "=full"
                              : option.name == "--hash"       ? "=disk"
                              : option.name == "--parts"      ? "=off"
                              : option.name == "--exit-code"  ? "=full"
                              : option.name == "--ignore"     ? "=liveness"
                              : option.name == "--trace"      ? "=last"
                              : option.name == "--color"      ? "=auto"
                              : option.name == "--prop"       ? "=p=x"
                              : option.name == "--ltl-ends"   ? "=ignore"
                                                              : "=7";
    const std::string argument = std::string(option.name) + value;
    EXPECT_EQ(refused({argument}), option.later == Later::anew) << argument;
    EXPECT_EQ(refused({argument, argument}), option.later == Later::anew || !option.adds)
        << argument;
    if (!option.argument.empty()) {
      EXPECT_TRUE(refused({std::string(option.name)})) << option.name;
      EXPECT_TRUE(refused({std::string(option.name) + "="})) << option.name;
    } else {
      EXPECT_TRUE(refused({argument + "=1"})) << option.name;
    }
  }
  for (const char* argument :
       {"--help", "-h", "", "--", "model.m", "--disk=data", "--json=x", "--threads=0", "--model=x"})
    EXPECT_TRUE(refused({argument})) << argument;
}

TEST(KeptOptions, WhatIsGivenAgainCounts) {
  CommandSettings settings;
  set_kept(settings, {"--threads=3", "--disk=/a", "--disk=/b", "--max-depth=7"}, "config");
  set_given(settings, {"--threads=5", "--disk=/c", "--quiet"});
  EXPECT_EQ(settings.threads, 5U);
  EXPECT_EQ(settings.disks, std::vector<std::string>{"/c"});
  EXPECT_EQ(settings.limits.max_depth, 7U);
  EXPECT_TRUE(settings.quiet);
}

TEST(Places, OneOfTheTwoSectorsIsEnough) {
  const PlaceList older{6, {"/data/spillway-0123456789abcdef"}};
  const PlaceList newer{7, {"/data/spillway-0123456789abcdef", "/x/spillway-00000000000000ff"}};
  for (const bool swapped : {false, true}) {
    const std::string both = swapped ? to_text(newer, kRun) + to_text(older, kRun)
                                     : to_text(older, kRun) + to_text(newer, kRun);
    EXPECT_EQ(parse_places(both, kRun, "places").paths, newer.paths);
    std::string torn = both;
    torn[(swapped ? 0 : kPlaceListSector) + 70] ^= 1;
    EXPECT_EQ(parse_places(torn, kRun, "places").paths, older.paths);
    torn[(swapped ? kPlaceListSector : 0) + 70] ^= 1;
    EXPECT_EQ(caught([&] { parse_places(torn, kRun, "places"); })->fault(), Fault::integrity);
    EXPECT_EQ(caught([&] { parse_places(both, Identity::drawn(), "places"); })->fault(),
              Fault::integrity);
  }
}

TEST(Places, OnlyPathsThatARunMakesAreTaken) {
  for (const char* path :
       {"relative/spillway-0123456789abcdef", "/data", "/data/spillway-0123456789abcde",
        "/data/../spillway-0123456789abcdef", "/data/spillway-0123456789abcdeX",
        "/data/spillway-0123456789abcdef/", "/d\x1b/spillway-0123456789abcdef"})
    EXPECT_TRUE(caught([&] {
      parse_sector(to_text(PlaceList{1, {path}}, kRun), kRun, "places");
    })) << path;
}

}  // namespace
}  // namespace spillway
