// Builds the syntax tree of a DVE model.  It accepts what the first DiVinE accepts, and harmless
// extensions of later versions.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "language/dve/syntax.h"
#include "language/read_model.h"
#include "language/token_reader.h"

namespace spillway::dve {

class Parser : TokenReader<Word> {
 public:
  Parser(Source& source, std::vector<Token> tokens, std::vector<Warning>& warnings)
      : TokenReader(source, std::move(tokens)), warnings_(warnings) {}

  // Notes errors in the source.  The tree has the rest of the text.
  ModelNode model();
  // One expression, which is the whole text.  In it, P.x is also a variable of a process.  Throws
  // Refused.
  ExpressionPtr proposition();

 private:
  Name name(const char* what);
  std::vector<Name> names(const char* what);
  void warn(Position position, std::string text) {
    warnings_.push_back({position, std::move(text)});
  }

  // parser.cc
  void refuse_later_dialects() const;
  void item(ModelNode& model);
  void system(ModelNode& model);

  // recovery.cc: where the parser continues after an error.
  bool at_section() const;
  bool at_item() const;
  void skip_item(Index begin);
  void skip_section(Index begin);
  void skip_transition(Index begin);
  void skip_part(Index begin);
  // The names from this token on up to the current one may have been declarations.
  void doubt(Index begin);

  // parse_declarations.cc
  bool at_variables() const { return at_any({Word::const_, Word::byte_, Word::int_}); }
  void variables(std::vector<VariableNode>& out);
  void initial_values(VariableNode& variable);
  void channels(std::vector<ChannelNode>& out);
  void buffer(ChannelNode& channel);
  Basic basic();

  // parse_processes.cc
  ProcessNode process();
  void examine(const ProcessNode& process);
  void section(ProcessNode& process);
  void accepting(ProcessNode& process);
  void asserts(ProcessNode& process);
  void transitions(ProcessNode& process);
  TransitionNode transition();
  void part(TransitionNode& transition);
  SyncNode sync();
  AssignNode assignment();

  // parse_expressions.cc
  ExpressionPtr expression();
  ExpressionPtr chain(std::size_t level);
  ExpressionPtr binary(std::size_t level);
  ExpressionPtr unary();
  ExpressionPtr primary();
  ExpressionPtr designator();
  void take_index(Expression& designator);  // if there is one
  std::vector<ExpressionPtr> expressions();
  ExpressionPtr node(Form form, Position position) const;
  // The range of the parent grows to contain the child.
  void adopt(Expression& parent, ExpressionPtr child) const;
  // The range of the expression ends with the last token that was taken.
  void end_range(Expression& expression) const { expression.position.to = end_of_last(); }
  void warn_about_level(const Expression& left, Form form, const Token& sign);

  std::vector<Warning>& warnings_;
  std::unordered_set<std::string> doubtful_;
  bool in_proposition_ = false;
  std::optional<Name> last_source_;  // of a transition of the process
};

}  // namespace spillway::dve
