// What a search must find, computed in the most obvious way: one queue, one std::map, no threads.
//
// It shares no code with the searches, not even the digest.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/model.h"

namespace spillway {

// Rows as numbers of which the last word is the most significant.
struct LastWordFirst {
  bool operator()(const std::vector<Word>& a, const std::vector<Word>& b) const {
    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
  }
};
using RowSet = std::set<std::vector<Word>, LastWordFirst>;

struct Expected {
  std::vector<RowSet> states;  // of each level
  std::vector<std::uint64_t> levels;
  std::vector<std::uint64_t> transitions;  // out of each level
  std::vector<std::string> digests;        // of each level
  std::string digest;
  // By name of the property ("first", "second", "no deadlock", "no run-time error"): the smallest
  // state of the first level at which it is violated.
  std::map<std::string, std::vector<Word>> violated;
};

// Explores the model, level by level, up to the level at which so many properties are violated.
Expected reference(const Model& model, Deadlock deadlock, std::uint64_t errors = 1);

// What is true of one property when all states are looked at.
struct Truth {
  bool holds = true;
  // Of a cover property: the first level that has a state where it holds.  Of the others: the first
  // level that has a state where it is violated.  None: there is none.
  std::optional<std::uint64_t> depth;
};

struct Truths {
  std::uint64_t levels = 0;         // of all reachable states
  std::map<std::string, Truth> of;  // by name, as above
  // the first level that ends a search: something is wrong with one of its states
  std::optional<std::uint64_t> broken;
};

// Decides each property by itself, on the whole graph.
Truths truths(const Model& model, Deadlock deadlock);

}  // namespace spillway
