// The parts that front ends share, by a language of its own: names, numbers of base 16, and
// operators.
#include "language/expression_reader.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace spillway {
namespace {

enum class Mark { end_of_text, name, number, comma, plus, minus, star, bar, caret, let };
enum class Kind { leaf, sum, difference, product, either, one_of_both };

struct Tree {
  Kind form = Kind::leaf;
  program::Position position;
  std::string text;
  std::vector<std::unique_ptr<Tree>> operands;
  std::uint32_t depth = 1;
};

struct Grammar {
  using Word = Mark;
  using Expression = Tree;
  static bool may_be_name(Mark word) { return word == Mark::name; }
  static constexpr Mark kFirstKeyword = Mark::let;
};

class SmallLexer : Scanner<Mark> {
 public:
  explicit SmallLexer(Source& source) : Scanner(source) {}
  std::vector<TokenOf<Mark>> run() { return scan(*this); }

 private:
  friend class Scanner;
  void skip_blanks() {
    while (!at_end() && (line_end() || blank())) continue;
  }
  void word() {
    static constexpr std::array<std::pair<std::string_view, Mark>, 6> kSigns = {
        {{",", Mark::comma},
         {"+", Mark::plus},
         {"-", Mark::minus},
         {"*", Mark::star},
         {"|", Mark::bar},
         {"^", Mark::caret}}};
    static const std::map<std::string_view, Mark> keywords = {{"let", Mark::let}};
    if (is_digit(next())) {
      program::Value value = 0;
      if (digits(16, value) == Digits::too_many) wrong("too many digits");
      return add(Mark::number, {}, value);
    }
    if (is_letter(next())) {
      const std::string_view written = take_while(is_letter);
      return add_name(written, keywords, written);
    }
    if (!sign(kSigns)) unexpected_character();
  }
};

class SmallParser : ExpressionReader<Grammar> {
 public:
  SmallParser(Source& source, std::vector<TokenOf<Mark>> tokens)
      : ExpressionReader(source, std::move(tokens)) {}

  // The tree with parentheses.
  std::string shown_expression() {
    const std::string text = shown_tree(*expression());
    if (!at(Mark::end_of_text)) refuse_here("the end");
    return text;
  }
  std::size_t count_names() { return names("a name").size(); }

 private:
  ExpressionPtr expression() {
    using Operator = OperatorOf<Mark, Kind>;
    static constexpr std::array<std::array<Operator, 2>, 1> kChains = {
        {{{{Mark::bar, Kind::either}, {Mark::caret, Kind::one_of_both}}}}};
    static constexpr std::array<std::array<Operator, 2>, 2> kBinary = {
        {{{{Mark::plus, Kind::sum}, {Mark::minus, Kind::difference}}},
         {{{Mark::star, Kind::product}, {Mark::star, Kind::product}}}}};
    const auto arithmetic = [&] { return binary(kBinary, [&] { return leaf(); }); };
    return chain(kChains, arithmetic, [](const Tree&, Kind) {});
  }
  ExpressionPtr leaf() {
    ExpressionPtr result = node(Kind::leaf, now().position);
    result->text = at(Mark::number) ? std::to_string(take().value) : name("a value").text;
    end_range(*result);
    return result;
  }
  static std::string shown_tree(const Tree& tree) {
    if (tree.form == Kind::leaf) return tree.text;
    static const std::map<Kind, char> signs = {{Kind::sum, '+'},
                                               {Kind::difference, '-'},
                                               {Kind::product, '*'},
                                               {Kind::either, '|'},
                                               {Kind::one_of_both, '^'}};
    std::string text;
    for (const auto& operand : tree.operands)
      text += (text.empty() ? '(' : signs.at(tree.form)) + shown_tree(*operand);
    return text + ")";
  }
};

// What the reader makes of a text, or the first error in it.
template <class Read>
auto read(std::string_view text, Read read_with) -> std::string {
  try {
    Source source("some", text);
    std::string result;
    source.read_all([&] {
      SmallParser parser(source, SmallLexer(source).run());
      result = read_with(parser);
    });
    return result;
  } catch (const DiagnosedError& error) {
    return error.diagnostics().front().message;
  }
}
std::string tree(std::string_view text) {
  return read(text, [](SmallParser& parser) { return parser.shown_expression(); });
}

TEST(ExpressionReader, OperatorsOfALevelGroupToTheLeft) {
  EXPECT_EQ(tree("a - b - c + d"), "(((a-b)-c)+d)");
  EXPECT_EQ(tree("a - b * c - d"), "((a-(b*c))-d)");
}

TEST(ExpressionReader, AChainIsOneExpression) {
  EXPECT_EQ(tree("a | b | c"), "(a|b|c)");
  EXPECT_EQ(tree("a | b + c | d"), "(a|(b+c)|d)");
  EXPECT_EQ(tree("a | b ^ c ^ d | e"), "(((a|b)^c^d)|e)");
}

TEST(ExpressionReader, AKeywordIsNoName) {
  EXPECT_EQ(tree("a + let"), "expected a value (not a keyword), found 'let'");
  EXPECT_EQ(tree("a +"), "expected a value, found the end of the file");
}

TEST(ExpressionReader, NestingIsLimited) {
  std::string text = "a";
  for (int i = 0; i < 700; ++i) text += "-a";
  EXPECT_EQ(tree(text), "more than 600 levels of nesting in this expression");
}

TEST(ExpressionReader, ListsHaveCommas) {
  const auto count = [](SmallParser& parser) { return std::to_string(parser.count_names()); };
  EXPECT_EQ(read("a, b,c", count), "3");
  EXPECT_EQ(read("a, 1", count), "expected a name, found the number 1");
}

TEST(Scanner, DigitsOfAnyBaseAreNumbers) {
  EXPECT_EQ(tree("12"), "18");
  EXPECT_EQ(tree("0fF"), "255");
  EXPECT_EQ(tree("7fffffffffffffff"), "9223372036854775807");
  EXPECT_EQ(tree("8000000000000000"), "too many digits");
}

}  // namespace
}  // namespace spillway
