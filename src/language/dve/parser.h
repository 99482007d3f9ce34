// Builds the tree of a DVE text.  It accepts what the first DiVinE accepts, and what is harmless of the later ones.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include "language/dve/syntax.h"
#include "language/read_model.h"
#include "language/source.h"

namespace spillway::dve {

class Parser {
 public:
  Parser(const Source& source, std::vector<Token> tokens, std::vector<Warning>& warnings)
      : source_(source), tokens_(std::move(tokens)), warnings_(warnings) {}

  ModelNode model();

 private:
  // Throws where the text is nested too deeply.
  class Deeper {
   public:
    explicit Deeper(Parser& parser);
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    Parser& parser_;
  };

  const Token& now() const { return tokens_[at_]; }
  const Token& ahead(std::size_t count) const { return tokens_[std::min(at_ + count, tokens_.size() - 1)]; }
  bool at(Word word) const { return now().word == word; }
  bool at_any(std::initializer_list<Word> words) const;
  Token take();
  bool accept(Word word);
  Token expect(Word word, const char* what);
  Name name(const char* what);
  std::vector<Name> names(const char* what);
  [[noreturn]] void refuse_here(const std::string& expected) const;
  static std::string shown(const Token& token);
  void warn(Position position, std::string text) { warnings_.push_back({position, std::move(text)}); }

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

  const Source& source_;
  std::vector<Token> tokens_;
  std::vector<Warning>& warnings_;
  std::size_t at_ = 0;
  std::uint32_t depth_ = 0;
};

}  // namespace spillway::dve
