// Builds the syntax tree of a DVE model.  It accepts what the first DiVinE accepts, and harmless
// extensions of later versions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "language/dve/syntax.h"
#include "language/expression_reader.h"
#include "language/read_program.h"

namespace spillway::dve {

struct Grammar {
  using Word = dve::Word;
  using Expression = dve::Expression;
  static bool may_be_name(Word word) { return word == Word::name; }
  static constexpr Word kFirstKeyword = Word::accept_;
};

class Parser : ExpressionReader<Grammar> {
 public:
  Parser(Source& source, std::vector<Token> tokens, std::vector<Warning>& warnings)
      : ExpressionReader(source, std::move(tokens)), warnings_(warnings) {}

  // Notes errors in the source.  The tree has the rest of the text.
  ModelNode model();
  // One expression, which is the whole text.  In it, P.x is also a variable of a process.  Throws
  // Refused.
  ExpressionPtr proposition();

 private:
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
  ExpressionPtr operators();
  ExpressionPtr unary();
  ExpressionPtr primary();
  ExpressionPtr designator();
  void take_index(Expression& designator);  // if there is one
  std::vector<ExpressionPtr> expressions() {
    return list([&] { return expression(); });
  }
  void warn_about_level(const Expression& left, Form form);

  std::vector<Warning>& warnings_;
  bool in_proposition_ = false;
  std::optional<Name> last_source_;  // of a transition of the process
};

}  // namespace spillway::dve
