// Random formulas and words, and which words an automaton accepts.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "ltl/automaton/automaton.h"
#include "ltl/formula/formula.h"

namespace spillway::ltl {

inline constexpr unsigned kRandomPropositions = 3;
// a, b, c
std::vector<std::string> random_names();

// With `operators` operators, of propositions below kRandomPropositions.
Formula random_formula(std::mt19937_64& random, unsigned operators);

// Letters, of which those from loop_start on are repeated.
struct Word {
  std::vector<Letter> letters;
  std::size_t loop_start = 0;
};
Word random_word(std::mt19937_64& random);
std::string text(const Word& word);

// By definition, from the fixed points of Emerson and Lei on the product with the word.  Slow, and
// shares nothing with the code under test.
bool accepts(const Automaton& automaton, const Word& word);
// REQUIRES: they have at most 63 acceptance sets together.
bool have_a_word_in_common(const Automaton& a, const Automaton& b);

}  // namespace spillway::ltl
