// What a search must find, computed in the most obvious way: one queue, one std::map, no threads.
//
// It shares no code with the searches, not even the digest.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/model.h"

namespace spillway {

struct Expected {
  std::vector<std::set<std::vector<Word>>> states;  // of each level
  std::vector<std::uint64_t> levels;
  std::vector<std::uint64_t> transitions;  // out of each level
  std::vector<std::string> digests;        // of each level
  std::string digest;
  // By name of the property ("first", "second", "no deadlock", "no run-time error"): the smallest state of
  // the first level at which anything is wrong.
  std::map<std::string, std::vector<Word>> violated;
};

// Explores the model, level by level, up to the first level at which something is wrong.
Expected reference(const Model& model, Deadlock deadlock);

}  // namespace spillway
