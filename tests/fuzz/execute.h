// What the fuzzers do with a program that was read from any bytes.
#pragma once

#include <cstdlib>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text/proposition_text.h"
#include "program/program.h"

namespace spillway {

// Cuts lines that begin with @ off the end of a text: propositions of formulas.
std::vector<PropositionText> cut_propositions(std::string_view& text);

// Generates C for a program and executes a few of its states, if that is not too much.  Ends the
// process where something is wrong, so that the fuzzer keeps the input.
void execute(program::Program program);

// Calls read(), which may throw an Error, unless it is one that should not exist.
template <class Read>
void refuse_or_execute(Read read) {
  try {
    execute(read());
  } catch (const Error& error) {
    if (error.fault() == Fault::internal) std::abort();
  }
}

}  // namespace spillway
