// Builds the syntax tree of a Murphi model.  It accepts what CMurphi or Rumur accept.  Semicolons
// may be missing or repeated where the meaning is clear.
#pragma once

#include <string>
#include <vector>

#include "language/murphi/syntax.h"
#include "language/token_reader.h"

namespace spillway::murphi {

class Parser : TokenReader<Word> {
 public:
  Parser(const Source& source, std::vector<Token> tokens)
      : TokenReader(source, std::move(tokens)) {}

  ModelNode model();

 private:
  void skip_semicolons();
  // Keywords of only one dialect are names where a name is expected.
  static bool may_be_name(Word word);
  bool at_name() const { return may_be_name(now().word); }
  Name name(const char* what);
  std::vector<Name> names(const char* what);
  void end_of(Word special, const char* what, Position begin);

  // parse_expressions.cc
  ExpressionPtr expression();
  ExpressionPtr implication();
  ExpressionPtr chain(int level);
  ExpressionPtr comparison();
  ExpressionPtr arithmetic(int level);
  ExpressionPtr unary();
  ExpressionPtr primary();
  ExpressionPtr designator();
  ExpressionPtr steps(ExpressionPtr base);
  ExpressionPtr quantified(Form form);
  ExpressionPtr multiset_count();
  std::vector<ExpressionPtr> arguments();
  Quantifier quantifier();
  std::vector<Quantifier> quantifiers();
  ExpressionPtr node(Form form, Position position) const;
  void adopt(Expression& parent, ExpressionPtr child) const;
  void deepen(Expression& parent, std::uint32_t depth) const;
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
  std::vector<AliasNode> aliases();

  // parse_declarations.cc
  bool at_declaration() const { return at_any({Word::const_, Word::type_, Word::var_}); }
  std::vector<Declaration> declarations();
  TypeNodePtr type();
  TypeNodePtr any_type();
  TypeNodePtr record_type();
  TypeNodePtr array_type();
  TypeNodePtr union_type();
  TypeNodePtr multiset_type();
  std::unique_ptr<FunctionNode> function();
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

  bool has_priorities_ = false;
  bool only_cmurphi_ = false;
};

}  // namespace spillway::murphi
