// Takes away from variables the values that they never have, so that rows become shorter.
//
// For languages whose variables are bytes and integers although few values are meant.  In the
// models of BEEM rows shrink to a half and less.
//
// How.  For each scalar of the state (the elements of an array count as one) an interval is kept
// that holds all values assigned so far.  Rules are executed on intervals, the guard's comparisons
// with numbers narrowing what is read, until nothing grows any more.  An interval that grows again
// and again jumps to the next number that occurs in the program, so that this ends soon. Promise.
// No execution changes but in where values are stored.  Were an interval too narrow, the assignment
// would be a failure of its rule, never a wrong state.
#pragma once

#include "program/program.h"

namespace spillway::program {

// REQUIRES: the starts assign every scalar whose type does not begin with zero.
void narrow(Program& program);

}  // namespace spillway::program
