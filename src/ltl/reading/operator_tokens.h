// The spellings of operators, for all logics.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "ltl/formula/formula.h"
#include "ltl/reading/lexer.h"

namespace spillway::ltl {

struct Binary {
  std::string_view spelling;
  Operator op;
  int strength;
  bool to_the_right = false;  // a U b U c is a U (b U c)
};

// The operator that a token can stand for; nullptr if there is none.
const Binary* binary_operator(const Token& token);

// "; did you mean 'U'?" about a word where an operator was expected; empty if nothing is like it.
std::string meant(std::string_view written);

// A token, for messages.
std::string shown(const Token& token);

// Not in quotes or braces.
bool is_one_of(const Token& token, std::initializer_list<std::string_view> texts);
// In upper or lower case.
bool is_keyword(const Token& token, std::initializer_list<std::string_view> words);

}  // namespace spillway::ltl
