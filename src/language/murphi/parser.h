// Builds the syntax tree of a Murphi model.  It accepts what CMurphi or Rumur accept.  Semicolons
// may be missing or repeated where the meaning is clear.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "language/expression_reader.h"
#include "language/murphi/syntax.h"

namespace spillway::murphi {

struct Grammar {
  using Word = murphi::Word;
  using Expression = murphi::Expression;
  // Keywords of only one dialect are names where a name is expected.
  static bool may_be_name(Word word);
  static constexpr Word kFirstKeyword = Word::alias_;
};

class Parser : ExpressionReader<Grammar> {
 public:
  Parser(Source& source, std::vector<Token> tokens) : ExpressionReader(source, std::move(tokens)) {}

  // Notes errors in the source.  The tree has the rest of the text.
  ModelNode model();
  // One expression, which is the whole text.  Throws Refused.
  ExpressionPtr proposition();

 private:
  void skip_semicolons();
  void item(ModelNode& model);
  // REQUIRES: `begin` is the first token of the construct.
  void end_of(Word special, const char* what, Index begin);
  void note_missing_end(const char* what, Index begin);

  // recovery.cc: where the parser continues after an error.  Each skips no further than to a word
  // that begins or ends something larger.
  bool at_item() const;
  bool at_end_word() const;
  bool at_outer_word() const;
  bool at_statement_keyword() const;
  void skip_item(Index begin);
  void skip_rule(Index begin);
  void skip_statement(Index begin);
  void skip_declaration(Index begin);
  void skip_to(std::initializer_list<Word> words);
  // Up to a token where stop() is true, which is told whether that is outside of the quantifiers
  // that began on the way.
  template <class Stop>
  void skip_quantifiers(std::optional<Index> begin, Stop stop);
  ExpressionPtr wrong_expression() const;
  TypeNodePtr wrong_type() const;
  // The quantifiers before `do`.  If they have an error, at least one of those returned is wrong.
  std::vector<Quantifier> quantifiers_and_do(const char* what);
  // The condition before `word`.
  ExpressionPtr condition_before(Word word, const char* what);
  // If a name here is close to one of these keywords, and cannot begin anything as a name, notes
  // that and takes it for the keyword.
  void repair_keyword(std::initializer_list<std::string_view> keywords);

  // parse_expressions.cc
  ExpressionPtr expression();
  ExpressionPtr implication();
  ExpressionPtr operators();
  ExpressionPtr comparison();
  ExpressionPtr arithmetic();
  ExpressionPtr unary();
  ExpressionPtr primary();
  ExpressionPtr designator();
  ExpressionPtr steps(ExpressionPtr base);
  ExpressionPtr quantified(Form form);
  ExpressionPtr multiset_count();
  std::vector<ExpressionPtr> arguments();
  Quantifier quantifier();
  std::vector<Quantifier> quantifiers();
  static std::uint32_t depth(const Quantifier& quantifier);

  // parse_statements.cc
  Statements statements();
  bool at_statement() const;
  StatementPtr statement();
  StatementPtr assign_or_call();
  StatementPtr if_statement();
  StatementPtr switch_statement();
  StatementPtr for_statement();
  StatementPtr while_statement();
  StatementPtr alias_statement();
  StatementPtr property_statement(StatementForm form);
  StatementPtr put_statement();
  StatementPtr return_statement();
  StatementPtr multiset_statement();
  // Up to and including `do`.
  std::vector<AliasNode> aliases_and_do();

  // parse_declarations.cc
  bool at_declaration() const { return at_any({Word::const_, Word::type_, Word::var_}); }
  std::vector<Declaration> declarations();
  void declaration(Word section, Declaration& declaration);
  TypeNodePtr type();
  TypeNodePtr any_type();
  TypeNodePtr record_type();
  TypeNodePtr array_type();
  TypeNodePtr union_type();
  TypeNodePtr multiset_type();
  std::unique_ptr<FunctionNode> function();
  void head(FunctionNode& function, bool has_result);
  void parameters(FunctionNode& function);

  // parse_rules.cc
  bool at_rule() const;
  std::unique_ptr<RuleNode> rule();
  std::unique_ptr<RuleNode> simple_rule();
  std::unique_ptr<RuleNode> property();
  std::unique_ptr<RuleNode> ruleset();
  std::unique_ptr<RuleNode> alias_rule();
  std::unique_ptr<RuleNode> choose_rule();
  std::vector<std::unique_ptr<RuleNode>> rules();
  bool guard_follows() const;
  ExpressionPtr guard();

  // A construct that has ended.
  struct Closed {
    const char* what;
    Index begin, end;
  };

  bool has_priorities_ = false;
  bool only_cmurphi_ = false;
  std::vector<Closed> closed_;
  std::optional<Index> missing_end_;  // where an `end` was missing last
};

}  // namespace spillway::murphi
