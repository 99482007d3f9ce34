// Propositions about a model, made from what it declares.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "program/program.h"

namespace spillway {

// In Murphi: comparisons of variables, their fields and elements, and of results of functions, and
// quantifiers over the index types of arrays.  The language refuses calls of functions that change
// the state.
std::vector<std::string> murphi_propositions(const program::Program& program, std::size_t count,
                                             std::mt19937_64& random);

// In DVE, in two spellings: with P.x for variables of processes, as formulas may have it, and with
// P->x, as the language has it.
struct DveProposition {
  std::string formula, model;
};
std::vector<DveProposition> dve_propositions(const program::Program& program, std::size_t count,
                                             std::mt19937_64& random);

}  // namespace spillway
