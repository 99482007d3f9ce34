// From the words of a command line to settings.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <ostream>
#include <set>

#include "algorithms/algorithms.h"
#include "cli/options/options.h"
#include "language/murphi/murphi.h"
#include "unit/caught.h"

namespace spillway {
namespace {

using Words = std::vector<std::string>;

CommandSettings parsed(const Words& words) {
  const std::optional<CommandSettings> settings = parse(commands().front(), words);
  EXPECT_TRUE(settings) << "help was asked for";
  return settings.value_or(CommandSettings{});
}

std::string refusal(const Words& words, const Command& command = commands().front()) {
  const auto error = caught([&] { parse(command, words); });
  if (!error) return "accepted";
  EXPECT_EQ(error->fault(), Fault::usage);
  return error->what();
}

TEST(Parse, WithoutOptionsEverythingIsUnset) {
  const CommandSettings s = parsed({"m.graph"});
  EXPECT_EQ(s.subject, "m.graph");
  EXPECT_EQ(s.threads, 0U);
  EXPECT_FALSE(s.memory_bytes);
  EXPECT_EQ(s.limits.max_depth, kUnlimited);
  EXPECT_EQ(s.limits.max_states, kUnlimited);
  EXPECT_EQ(s.limits.timeout_seconds, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(s.deadlock);
  EXPECT_EQ(s.algorithm, nullptr);
  EXPECT_EQ(s.json_file, "");
  EXPECT_FALSE(s.quiet);
  EXPECT_FALSE(s.simple_exit_codes);
  EXPECT_EQ(parsed({}).subject, "") << "the command says what is missing";
}

struct Right {
  std::string name;
  std::string value;
  std::function<bool(const CommandSettings&)> is_set;
};
std::ostream& operator<<(std::ostream& out, const Right& right) {
  return out << right.name << " " << right.value;
}

class ParseOption : public testing::TestWithParam<Right> {};

INSTANTIATE_TEST_SUITE_P(
    Check, ParseOption,
    testing::Values(
        Right{"--threads", "1", [](const CommandSettings& s) { return s.threads == 1; }},
        Right{"--threads", "256", [](const CommandSettings& s) { return s.threads == 256; }},
        Right{"--memory", "1.5G",
              [](const CommandSettings& s) { return s.memory_bytes == std::uint64_t{3} << 29; }},
        Right{"--timeout", "1h30m",
              [](const CommandSettings& s) { return s.limits.timeout_seconds == 5400; }},
        Right{"--run-dir", "run", [](const CommandSettings& s) { return s.run_dir == "run"; }},
        Right{"--run-dir", "none", [](const CommandSettings& s) { return s.run_dir == ""; }},
        Right{"--checkpoint", "2m",
              [](const CommandSettings& s) { return s.checkpoint_seconds == 120; }},
        Right{"--max-depth", "0", [](const CommandSettings& s) { return s.limits.max_depth == 0; }},
        Right{"--max-states", "1000000000000",
              [](const CommandSettings& s) { return s.limits.max_states == 1000000000000; }},
        Right{"--deadlock", "auto", [](const CommandSettings& s) { return !s.deadlock; }},
        Right{"--deadlock", "stuck",
              [](const CommandSettings& s) { return s.deadlock == Deadlock::stuck; }},
        Right{"--deadlock", "stuttering",
              [](const CommandSettings& s) { return s.deadlock == Deadlock::stuttering; }},
        Right{"--deadlock", "off",
              [](const CommandSettings& s) { return s.deadlock == Deadlock::off; }},
        Right{
            "--ignore", "acceptance",
            [](const CommandSettings& s) { return s.ignored.acceptance && !s.ignored.reachable; }},
        Right{
            "--ignore", "liveness",
            [](const CommandSettings& s) { return s.ignored.reachable && !s.ignored.acceptance; }},
        Right{"--algorithm", "auto",
              [](const CommandSettings& s) { return s.algorithm == &algorithms().front(); }},
        Right{"--algorithm", "ram",
              [](const CommandSettings& s) { return s.algorithm == &algorithms()[1]; }},
        Right{"--hash", "ram", [](const CommandSettings& s) { return !s.hash_on_disk; }},
        Right{"--hash", "disk", [](const CommandSettings& s) { return s.hash_on_disk; }},
        Right{
            "--parts", "auto",
            [](const CommandSettings& s) { return s.short_rows && !s.short_rows->narrow_states; }},
        Right{"--parts", "on",
              [](const CommandSettings& s) { return s.short_rows && s.short_rows->narrow_states; }},
        Right{"--parts", "off", [](const CommandSettings& s) { return !s.short_rows; }},
        Right{"--store", "full", [](const CommandSettings& s) { return s.signatures.bits == 0; }},
        Right{"--store", "signature:40",
              [](const CommandSettings& s) {
                return s.signatures.bits == 40 && s.signatures.seed == 1;
              }},
        Right{"--store", "signature:64:7",
              [](const CommandSettings& s) {
                return s.signatures.bits == 64 && s.signatures.seed == 7;
              }},
        Right{"--disk", "/tmp",
              [](const CommandSettings& s) { return s.disks == std::vector<std::string>{"/tmp"}; }},
        Right{
            "--disk-limit", "2M",
            [](const CommandSettings& s) { return s.disk_limit_bytes == std::uint64_t{2} << 20; }},
        Right{"--max-errors", "7",
              [](const CommandSettings& s) { return s.limits.max_errors == 7; }},
        Right{"--max-errors", "all",
              [](const CommandSettings& s) { return s.limits.max_errors == kUnlimited; }},
        Right{"--json", "out.json",
              [](const CommandSettings& s) { return s.json_file == "out.json"; }},
        Right{"--events", "out", [](const CommandSettings& s) { return s.events_file == "out"; }},
        Right{"--report", "out", [](const CommandSettings& s) { return s.report_file == "out"; }},
        Right{"--json", "-", [](const CommandSettings& s) { return s.json_file == "-"; }},
        Right{"--trace", "last",
              [](const CommandSettings& s) { return s.trace == TraceStyle::last; }},
        Right{"--trace", "full",
              [](const CommandSettings& s) { return s.trace == TraceStyle::full; }},
        Right{"--color", "always",
              [](const CommandSettings& s) { return s.color == Color::always; }},
        Right{"--color", "never", [](const CommandSettings& s) { return s.color == Color::never; }},
        Right{"--color", "auto",
              [](const CommandSettings& s) { return s.color == Color::automatic; }},
        Right{"--execute", "tcc",
              [](const CommandSettings& s) { return s.reading.executed == Executed::quick; }},
        Right{"--execute", "optimized",
              [](const CommandSettings& s) { return s.reading.executed == Executed::optimized; }},
        Right{"--exit-code", "full", [](const CommandSettings& s) { return !s.simple_exit_codes; }},
        Right{"--exit-code", "simple",
              [](const CommandSettings& s) { return s.simple_exit_codes; }}));

TEST_P(ParseOption, WithTheValueBehindItOrBehindAnEqualsSign) {
  const auto& [name, value, is_set] = GetParam();
  for (const Words& words : {Words{name, value, "m"}, Words{"m", name, value},
                             Words{name + "=" + value, "m"}, Words{"m", name + "=" + value}}) {
    const CommandSettings s = parsed(words);
    EXPECT_TRUE(is_set(s));
    EXPECT_EQ(s.subject, "m");
  }
}

TEST(Parse, ThePortOfTheDashboardIsBehindAnEqualsSign) {
  EXPECT_FALSE(parsed({"m"}).dashboard.wanted);
  const CommandSettings any = parsed({"--dashboard", "m"});
  EXPECT_TRUE(any.dashboard.wanted);
  EXPECT_EQ(any.dashboard.port, 0);
  EXPECT_EQ(any.subject, "m") << "the word behind it is no port";
  EXPECT_EQ(parsed({"m", "--dashboard=8080"}).dashboard.port, 8080);
}

TEST(Parse, EveryOptionOfTheTableIsTestedHere) {
  std::set<std::string_view> tested = {"--quiet",  "--verbose", "--interpret",
                                       "--verify", "--product", "--fail-on-dead-rules",
                                       "--minimal"};
  for (const char* name :
       {"--threads",    "--memory",    "--timeout", "--run-dir",   "--checkpoint", "--max-depth",
        "--max-states", "--deadlock",  "--ignore",  "--const",     "--dialect",    "--dve-errors",
        "--symmetry",   "--algorithm", "--store",   "--disk",      "--disk-limit", "--json",
        "--events",     "--exit-code", "--color",   "--trace",     "--execute",    "--ltl",
        "--ctl",        "--hash",      "--parts",   "--ltl-file",  "--prop",       "--automaton",
        "--fair",       "--ltl-ends",  "--report",  "--dashboard", "--max-errors", "--undefined"})
    tested.insert(name);
  for (const Option& option : check_options())
    EXPECT_TRUE(tested.contains(option.name)) << option.name;
}

TEST(Parse, ConstantsOfTheModel) {
  const CommandSettings settings = parsed({"m", "--const", "N=5", "--const=LOW=-3"});
  const std::map<std::string, std::int64_t> expected = {{"N", 5}, {"LOW", -3}};
  EXPECT_EQ(settings.reading.constants, expected);
  EXPECT_EQ(settings.subject, "m") << "an option that adds takes one value only";
  EXPECT_EQ(parsed({"--const", "N=4", "m"}).subject, "m");
  EXPECT_EQ(refusal({"m", "--const", "N=4", "--const=LOW=-3", "--const", "N=5"}),
            "--const: 'N' is given twice");
}

TEST(Parse, HowAModelIsRead) {
  const auto dialect = [](const CommandSettings& settings) {
    return settings.reading.value<MurphiDialect>(kMurphiOptions[0]);
  };
  EXPECT_EQ(dialect(parsed({"m", "--dialect=cmurphi"})), MurphiDialect::cmurphi);
  EXPECT_EQ(dialect(parsed({"m"})), MurphiDialect::automatic);
  const auto undefined = [](const CommandSettings& settings) {
    return settings.reading.value<MurphiUndefined>(kMurphiOptions[1]);
  };
  EXPECT_EQ(undefined(parsed({"m", "--undefined=cmurphi"})), MurphiUndefined::cmurphi);
  EXPECT_EQ(undefined(parsed({"m"})), MurphiUndefined::error);
  EXPECT_EQ(parsed({"m", "--symmetry=off"}).reading.symmetry, SymmetryMode::off);
  EXPECT_EQ(parsed({"m", "--symmetry=exhaustive"}).reading.symmetry, SymmetryMode::exhaustive);
  EXPECT_EQ(parsed({"m", "--interpret"}).reading.executed, Executed::interpreted);
  EXPECT_EQ(parsed({"m"}).reading.executed, Executed::automatic);
  EXPECT_TRUE(parsed({"m", "--verify"}).verify);
  EXPECT_TRUE(parsed({"m", "--minimal"}).minimal);
  EXPECT_FALSE(parsed({"m"}).minimal);
}

TEST(Parse, PropertiesOfRuns) {
  using Texts = std::vector<std::string>;
  const CommandSettings settings = parsed(
      {"m", "--ltl", "G p", "--ltl=a: F\n q", "--ltl-file", "f", "--automaton=g.hoa", "--fair",
       "a*", "--fair=b", "--prop", "p=x = 3", "--prop=q=y\t> 1", "--ltl-ends=ignore"});
  EXPECT_EQ(settings.runs.formulas, (Texts{"G p", "a: F\n q"})) << "as they were given";
  EXPECT_EQ(settings.runs.formula_files, Texts{"f"});
  EXPECT_EQ(settings.runs.automata, Texts{"g.hoa"});
  EXPECT_EQ(settings.runs.fair, (Texts{"a*", "b"}));
  ASSERT_EQ(settings.runs.propositions.size(), 2U);
  EXPECT_EQ(settings.runs.propositions[0], std::pair(std::string("p"), std::string("x = 3")));
  EXPECT_EQ(settings.runs.propositions[1].second, "y\t> 1");
  EXPECT_EQ(settings.runs.ends, RunEnds::ignore);
  EXPECT_EQ(parsed({"m"}).runs.ends, RunEnds::stutter);
  EXPECT_EQ(settings.given[1], "--ltl=a: F\n q") << "as a run directory keeps it";
  for (const char* wrong : {"--prop=p", "--prop==x", "--prop=p=", "--prop=p q=x", "--ltl-ends=end"})
    EXPECT_NE(refusal({"m", wrong}), "") << wrong;
}

TEST(Parse, Flags) {
  EXPECT_TRUE(parsed({"m", "--quiet"}).quiet);
  EXPECT_TRUE(parsed({"--quiet", "m"}).quiet);
  EXPECT_EQ(parsed({"--quiet", "m"}).subject, "m") << "a flag takes no value";
  EXPECT_TRUE(parsed({"--quiet", "--quiet"}).quiet);
  EXPECT_TRUE(parsed({"m", "--verbose"}).verbose);
  EXPECT_TRUE(parsed({"m", "-qv"}).quiet && parsed({"m", "-qv"}).verbose);
  EXPECT_FALSE(parsed({"m"}).verbose);
  EXPECT_TRUE(parsed({"m", "--fail-on-dead-rules"}).fail_on_dead_rules);
  EXPECT_FALSE(parsed({"m"}).fail_on_dead_rules);
}

TEST(Parse, Letters) {
  EXPECT_EQ(parsed({"m", "-j", "7"}).threads, 7U);
  EXPECT_EQ(parsed({"-j7", "m"}).threads, 7U);
  EXPECT_EQ(parsed({"-o", "out.json", "m"}).json_file, "out.json");
  EXPECT_EQ(parsed({"-o", "-", "m"}).json_file, "-");
  EXPECT_EQ(parsed({"-j", "7", "m"}).given, std::vector<std::string>{"--threads=7"});
  EXPECT_EQ(refusal({"m", "-j"}).substr(0, 11), "--threads: ");
}

TEST(Parse, OfARepeatedOptionTheLastCounts) {
  EXPECT_EQ(parsed({"m", "--threads", "2", "--threads=3", "--threads", "4"}).threads, 4U);
  EXPECT_EQ(parsed({"--deadlock=off", "--deadlock=auto"}).deadlock, std::nullopt);
  EXPECT_EQ(parsed({"--algorithm=ram", "--algorithm=auto"}).algorithm, &algorithms().front());
  EXPECT_FALSE(parsed({"--exit-code=simple", "--exit-code=full"}).simple_exit_codes);
}

struct Wrong {
  std::string name;
  std::string value;
  std::string why;
};
std::ostream& operator<<(std::ostream& out, const Wrong& wrong) {
  return out << wrong.name << " " << wrong.value;
}

class ParseBadValue : public testing::TestWithParam<Wrong> {};

INSTANTIATE_TEST_SUITE_P(
    Check, ParseBadValue,
    testing::Values(
        Wrong{"--threads", "0", "between 1 and 256"},
        Wrong{"--threads", "257", "between 1 and 256"},
        Wrong{"--threads", "4294967297", "between 1 and 256"},
        Wrong{"--threads", "-1", "'-1' is not"}, Wrong{"--threads", "two", "'two' is not"},
        Wrong{"--memory", "lots", "'lots' is not"}, Wrong{"--memory", "-1G", "'-1G' is not"},
        Wrong{"--timeout", "soon", "'soon' is not"}, Wrong{"--max-depth", "1.5", "'1.5' is not"},
        Wrong{"--max-states", "-5", "'-5' is not"},
        Wrong{"--deadlock", "never", "'never' is not auto, stuck, stuttering or off"},
        Wrong{"--algorithm", "magic", "unknown algorithm 'magic'; choose one of auto, ram"},
        Wrong{"--store", "half", "'half' is not full or signature:BITS"},
        Wrong{"--store", "signature:7", "a signature must have 8 to 64 bits"},
        Wrong{"--exit-code", "loud", "'loud' is not full or simple"}));

TEST_P(ParseBadValue, NamesTheOption) {
  const auto& [name, value, why] = GetParam();
  for (const Words& words : {Words{"m", name, value}, Words{name + "=" + value, "m"}}) {
    EXPECT_TRUE(refusal(words).starts_with(name + ": ")) << refusal(words);
    EXPECT_NE(refusal(words).find(why), std::string::npos) << refusal(words);
  }
}

TEST(Parse, AMissingValueNamesTheOption) {
  for (const Option& option : check_options()) {
    if (option.argument.empty()) continue;
    const std::string name(option.name);
    EXPECT_TRUE(refusal({"m", name}).starts_with(name + ": ")) << refusal({"m", name});
    EXPECT_NE(refusal({"m", name + "="}), "accepted") << name;
  }
}

TEST(Parse, AnUnknownOptionHasASuggestionIfOneIsNear) {
  EXPECT_EQ(refusal({"m", "--thread", "4"}), "unknown option --thread; did you mean --threads?");
  EXPECT_EQ(refusal({"m", "--tiemout=5"}), "unknown option --tiemout; did you mean --timeout?");
  EXPECT_EQ(refusal({"m", "--hlep"}), "unknown option --hlep; did you mean --help?");
  EXPECT_EQ(refusal({"m", "--frobnicate"}), "unknown option --frobnicate");
  EXPECT_EQ(refusal({"m", "-x"}), "unknown option -x");
  EXPECT_EQ(refusal({"--thread", "4", "m"}), "unknown option --thread; did you mean --threads?");
}

TEST(Parse, OptionsOfOtherCommandsAreUnknown) {
  EXPECT_EQ(refusal({"--threads", "4"}, commands().back()), "unknown option --threads");
  const Command& resume = *std::ranges::find(commands(), "resume", &Command::name);
  EXPECT_NE(refusal({"--const", "N=4"}, resume).find("start a new run"), std::string::npos);
}

TEST(Parse, OneArgumentTooMany) {
  EXPECT_EQ(refusal({"a.graph", "b.graph"}), "unexpected argument 'b.graph'");
}

TEST(Parse, HelpIsAskedFor) {
  for (const Words& words :
       {Words{"--help"}, Words{"-h"}, Words{"m", "--help"}, Words{"--help", "--quiet", "m"},
        Words{"--help", "a", "b", "--no-such-option"}})
    EXPECT_FALSE(parse(commands().front(), words));
}

// As everywhere: what follows is no option, whatever it begins with.
TEST(Parse, TwoDashesEndTheOptions) {
  EXPECT_EQ(parsed({"--", "m.graph"}).subject, "m.graph");
  EXPECT_EQ(parsed({"--quiet", "--", "-m.graph"}).subject, "-m.graph");
  EXPECT_EQ(refusal({"m.graph", "--", "n.graph"}), "unexpected argument 'n.graph'");
}

}  // namespace
}  // namespace spillway
