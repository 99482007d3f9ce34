// Formulas with comments and ends of lines wherever there may be any: everybody who reads one
// reads the same, also after a run has kept it.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "cases.h"
#include "cli/options/options.h"
#include "cli/session/kept_run.h"
#include "ltl/reading/parse.h"
#include "unit/temporary_folder.h"

namespace spillway {
namespace {

// A formula, and the same without comments and with single blanks.
struct TwoSpellings {
  std::string given, plain;
};

class Spellings {
 public:
  explicit Spellings(std::uint64_t seed) : random_(seed) {}

  TwoSpellings formula(unsigned operators) {
    if (operators == 0) return atom();
    constexpr std::array<const char*, 4> kUnary = {"G", "F", "X", "!"};
    constexpr std::array<const char*, 6> kBinary = {"&", "|", "->", "U", "W", "/\\"};
    if (number(3) == 0) return joined(word(kUnary[number(kUnary.size())]), formula(operators - 1));
    const unsigned left = number(operators);
    TwoSpellings both = joined(word("("), formula(left));
    both = joined(both, word(kBinary[number(kBinary.size())]));
    both = joined(both, formula(operators - 1 - left));
    return joined(both, word(")"));
  }

  // What may stand between two words.  A new line begins with a blank, so that it continues.
  std::string gap() {
    constexpr std::array<const char*, 12> kGaps = {" ",
                                                   "\t",
                                                   "  ",
                                                   "\n ",
                                                   "\r ",
                                                   "\r\n\t",
                                                   " # a {remark\n ",
                                                   " #\" -- \\\r ",
                                                   "\n # & p\n ",
                                                   "\n#}\n ",
                                                   " # /*\r\n # # \n ",
                                                   " \n\n\t"};
    return kGaps[number(kGaps.size())];
  }

 private:
  unsigned number(std::size_t below) { return static_cast<unsigned>(random_() % below); }

  static TwoSpellings word(const std::string& text) { return {text, text}; }
  TwoSpellings joined(const TwoSpellings& a, const TwoSpellings& b) {
    return {a.given + gap() + b.given, a.plain + " " + b.plain};
  }

  TwoSpellings atom() {
    switch (number(4)) {
      case 0: return word(number(2) == 0 ? "p" : "at[0]");
      case 1: return joined(joined(word("x"), word("=")), word(std::to_string(number(2))));
      case 2: return as_it_stands('{', '}');
      default: return as_it_stands('"', '"');
    }
  }

  // Comments of the language are its own affair.
  TwoSpellings as_it_stands(char begin, char end) {
    constexpr std::array<const char*, 14> kPieces = {
        "x = 1",        " -- no\n ", "// no\r ", "/* {} */", "#",    "\\x0a", "\\",
        "\xe2\x80\x8b", "\x01",      "\t",       "\r\n ",    "\n\t", "=",     "\xff"};
    std::string inside = "y";
    for (unsigned left = number(5); left != 0; --left) inside += kPieces[number(kPieces.size())];
    return word(begin + inside + end);
  }

  std::mt19937_64 random_;
};

// Of the option that a run has kept, after it was written and read.
std::string kept_formula(const std::vector<std::string>& arguments) {
  RunConfig config;
  config.identity = *Identity::from_hex("00112233445566778899aabbccddeeff");
  config.begun = "2026-01-02 03:04:05 UTC";
  config.copy = "model.m";
  config.sha256 = std::string(64, 'a');
  config.arguments = arguments;
  CommandSettings settings;
  set_kept(settings, parse_config(to_text(config), "config").arguments, "config");
  EXPECT_EQ(settings.runs.formulas.size(), 1U);
  return settings.runs.formulas.at(0);
}

std::string in_words(const std::string& text) {
  std::string words;
  for (const char c : text)
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t') words += c;
  return words;
}

void expect_same(const std::string& text, const std::string& plain) {
  const ltl::ParsedFormula read = ltl::parse("given", text, {});
  const ltl::ParsedFormula meant = ltl::parse("plain", plain, {});
  EXPECT_EQ(read.formula, meant.formula) << text;
  ASSERT_EQ(read.atoms.size(), meant.atoms.size()) << text;
  for (std::size_t i = 0; i < read.atoms.size(); ++i)
    EXPECT_EQ(in_words(read.atoms[i].text), in_words(meant.atoms[i].text)) << text;
}

TEST(KeptFormulas, ComeBackAsTheyWere) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 0; seed < cases(300); ++seed) {
    Spellings spellings(seed);
    const TwoSpellings formula = spellings.formula(seed % 4);
    const std::string text = "f:" + spellings.gap() + formula.given + spellings.gap();
    RunOptions argument, file;
    argument.formulas = {text};
    file.formula_files = {folder.write("formulas", text + "\n")};
    const RunProperties of_argument(argument), of_file(file);
    ASSERT_EQ(of_argument.size(), 1U) << text;
    ASSERT_EQ(of_file.size(), 1U) << text;
    EXPECT_EQ(of_argument.name(0), "f");
    EXPECT_EQ(of_file.name(0), "f");
    expect_same(formula.given, formula.plain);
    EXPECT_EQ(kept_formula({"--ltl=" + text}), text);
    const std::string kept = kept_formula({"--ltl=" + of_file.formulas_of_files().at(0)});
    ASSERT_TRUE(kept.starts_with("\"f\": ")) << kept;
    expect_same(kept.substr(5), formula.plain);
    RunOptions again;
    again.formulas = {kept};
    for (const RunProperties& other : {of_argument, RunProperties(again)}) {
      ASSERT_EQ(other.propositions().size(), of_file.propositions().size()) << text;
      for (std::size_t i = 0; i < other.propositions().size(); ++i)
        EXPECT_EQ(other.propositions()[i].text, of_file.propositions()[i].text) << text;
    }
    if (HasFailure()) return;
  }
}

// A formula without a name has its text for one.
TEST(KeptFormulas, LinesOfAnArgumentAreOneFormula) {
  RunOptions argument;
  argument.formulas = {"f: G ({x = 1} ->\nF {x = 2})"};
  const RunProperties one(argument);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one.name(0), "f");
  EXPECT_EQ(one.propositions().size(), 2U);
}

TEST(KeptFormulas, WithoutANameAreStillCalledTheSame) {
  const TemporaryFolder folder;
  for (const char* text :
       {"G F {x = 1 -- it\n comes}\n", "G # always\n  F \"a b\"\n", "# first\nG F p # last\n"}) {
    RunOptions argument, file, again;
    argument.formulas = {text};
    file.formula_files = {folder.write("formulas", text)};
    const RunProperties of_file(file);
    again.formulas = {kept_formula({"--ltl=" + of_file.formulas_of_files().at(0)})};
    EXPECT_EQ(RunProperties(argument).name(0), of_file.name(0));
    EXPECT_EQ(RunProperties(again).name(0), of_file.name(0));
    EXPECT_EQ(of_file.name(0).find_first_of("\r\n#"), std::string::npos);
  }
}

}  // namespace
}  // namespace spillway
