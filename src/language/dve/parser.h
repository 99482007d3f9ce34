// Builds the syntax tree of a DVE model.  It accepts what the first DiVinE accepts, and harmless
// extensions of later versions.
#pragma once

#include <string>
#include <vector>

#include "language/dve/syntax.h"
#include "language/read_model.h"
#include "language/token_reader.h"

namespace spillway::dve {

class Parser : TokenReader<Word> {
 public:
  Parser(const Source& source, std::vector<Token> tokens, std::vector<Warning>& warnings)
      : TokenReader(source, std::move(tokens)), warnings_(warnings) {}

  ModelNode model();

 private:
  Name name(const char* what);
  std::vector<Name> names(const char* what);
  void warn(Position position, std::string text) {
    warnings_.push_back({position, std::move(text)});
  }

  // parser.cc
  void refuse_later_dialects() const;
  void system(ModelNode& model);

  // parse_declarations.cc
  bool at_variables() const { return at_any({Word::const_, Word::byte_, Word::int_}); }
  void variables(std::vector<VariableNode>& out);
  void initial_values(VariableNode& variable);
  void channels(std::vector<ChannelNode>& out);
  Basic basic();

  // parse_processes.cc
  ProcessNode process();
  void section(ProcessNode& process);
  void accepting(ProcessNode& process);
  void asserts(ProcessNode& process);
  void transitions(ProcessNode& process);
  TransitionNode transition(const ProcessNode& process);
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
  std::vector<ExpressionPtr> expressions();
  ExpressionPtr node(Form form, Position position) const;
  void adopt(Expression& parent, ExpressionPtr child) const;
  void warn_about_level(const Expression& left, Form form, const Token& sign);

  std::vector<Warning>& warnings_;
};

}  // namespace spillway::dve
