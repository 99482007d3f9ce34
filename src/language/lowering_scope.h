// What the lowering of every language has: errors that do not end it, warnings, and limits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "language/read_program.h"
#include "language/scanner.h"
#include "language/source.h"
#include "program/program.h"

namespace spillway {

class LoweringScope {
 protected:
  using Body = program::Body;
  using Expr = program::Expr;
  using ExprPtr = program::ExprPtr;
  using Frame = program::Frame;
  using Op = program::Op;
  using Place = program::Place;
  using Position = program::Position;
  using Statement = program::Statement;
  using SlotIndex = program::SlotIndex;
  using Type = program::Type;
  using Value = program::Value;

  // `too_many` is what is said if a short text would become a program that is too large.
  LoweringScope(Source& source, ReadProgram& out, std::string_view too_many)
      : source_(source), out_(out), program_(out.program), too_many_(too_many) {}

  [[noreturn]] static void refuse(Position position, std::string why) {
    Source::refuse(position, std::move(why));
  }
  // For a name that is declared a second time.
  [[noreturn]] static void refuse_again(const Name& name, std::uint32_t line_of_first);

  // Runs `lower`.  If it refuses the text or finds it spoiled, notes the error and returns false.
  template <class Lower>
  bool attempt(Lower lower) {
    try {
      lower();
      return true;
    } catch (const Refused& refused) {
      source_.note(refused);
    } catch (const Spoiled&) {
      source_.require_errors();
    }
    return false;
  }

  void warn(Position position, std::string text) {
    out_.warnings.push_back({position, std::move(text)});
  }
  void sort_warnings();

  // Counts nodes of the program that the text does not spell out, and gives up if there are too
  // many.
  void expand(std::uint64_t pieces, Position position);
  // Adds a variable of the state, and gives up if the state becomes too large.
  std::uint32_t add_variable(std::string name, const Type* type, std::uint64_t bits,
                             std::uint64_t cells, Position position);
  program::FunctionIndex add_function(program::Function function);

  // Whether the condition is false in every state.  Includes conditions in which another operand
  // could fail first.
  static bool never_holds(const Expr& condition);

  Source& source_;
  ReadProgram& out_;
  program::Program& program_;

 private:
  const std::string_view too_many_;
  std::uint64_t state_bits_ = 0, state_cells_ = 0;
  std::uint64_t expansions_ = 0;
};

}  // namespace spillway
