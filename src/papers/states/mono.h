// MONO: the visited set in one file, read whole to check a table full of candidates.
//
// Idea.  Collect states that may be new in a table. When it is full, or a level ends, read the
// file of all visited states once from beginning to end and delete from the table what it
// contains; what is left is new.
//
// Source.  Stern, Dill: Using magnetic disk instead of main memory in the Murphi verifier, CAV
// 1998, as described by Bao and Jones, TACAS 2005, section 2.
//
//   Insert(t):  if t not in M: add t to M; append t to Q_unck; if M is full: Check()
//   Check():    for g in D: delete g from M
//               for t in Q_unck: if t in M: append t to D; push t to Q_ck; delete t from M
//   while Q_ck is not empty:  for s in Q_ck, t in succ(s): Insert(t);  Check()
//
// Cost.  Each check reads all of D: with room for m states in M and h levels, N/2 * max(h, N/m)
// states in all.
//
// Departures.  Q_ck is two queues, this level and the next, so that levels are strict although M
// may be full in the midst of one. "Full" is a setting: the papers fill an open-addressed table
// to the last place, which is what makes it slow; our default leaves a tenth free. Signatures
// take a word; the paper's take 5 bytes.
#pragma once

#include "papers/states/published.h"

namespace spillway {

// Which table M is.
struct TableKind {
  bool open = false;  // places one after the other, instead of chains
  double fill = 0.9;  // of an open one
};

struct MonoSettings : Sizes {
  TableKind table;
};

std::unique_ptr<Search> make_mono(const SearchContext& context);
std::unique_ptr<Search> make_mono(const SearchContext& context, const MonoSettings& settings);

}  // namespace spillway
