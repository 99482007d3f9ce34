// Removes values that a variable never has from its type, so that rows become shorter.
//
// For languages whose variables are bytes and integers although few values are used.  In the BEEM
// models, rows shrink to half their size or less.
//
// Method.  Each scalar of the state (the elements of an array count as one) has an interval that
// contains all values assigned so far.  Rules are executed on intervals until none grows any more;
// comparisons with numbers in a guard narrow what the body reads.  An interval that keeps growing
// jumps to the next number that occurs in the program, so this ends soon.
//
// Promise.  Executions stay the same; only the way values are stored changes.  If an interval were
// too narrow, the assignment would fail at run time.  It would never produce a wrong state.
#pragma once

#include "program/program.h"

namespace spillway::program {

// REQUIRES: the starts assign every scalar whose type does not begin with zero.
void narrow(Program& program);

}  // namespace spillway::program
