#include "oracle/reference.h"

#include <cstdio>
#include <set>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace spillway {
namespace {

using Row = std::vector<Word>;
__extension__ using Sum = unsigned __int128;

Sum hash_of(const Row& row) {
  const XXH128_hash_t hash = XXH3_128bits(row.data(), row.size() * sizeof(Word));
  return static_cast<Sum>(hash.high64) << 64 | hash.low64;
}

std::string hex(Sum sum) {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(sum >> 64),
                static_cast<unsigned long long>(sum));
  return text;
}

std::vector<Row> rows_of(const Successors& successors) {
  std::vector<Row> rows;
  for (const State state : successors.states()) rows.emplace_back(state.begin(), state.end());
  return rows;
}

bool stuck(Deadlock deadlock, const Row& row, const std::vector<Row>& next) {
  if (deadlock == Deadlock::off) return false;
  if (next.empty()) return true;
  return deadlock == Deadlock::stuttering && std::set<Row>(next.begin(), next.end()) == std::set<Row>{row};
}

}  // namespace

Expected reference(const Model& model, Deadlock deadlock) {
  Expected expected;
  Successors out(model.words());
  model.initial(out);
  std::set<Row> seen;
  std::set<Row> level;  // sorted, so the first violation of a level is that of its smallest state
  for (const Row& row : rows_of(out)) {
    seen.insert(row);
    level.insert(row);
  }
  Sum total = 0;
  while (!level.empty() && expected.violated.empty()) {
    Sum sum = 0;
    std::uint64_t transitions = 0;
    std::set<Row> next;
    for (const Row& row : level) {
      sum += hash_of(row);
      std::vector<PropertyIndex> violated(model.properties().size());
      violated.resize(model.check(row, violated.data()));
      for (const PropertyIndex property : violated)
        expected.violated.try_emplace(model.properties()[property].name, row);
      out.clear();
      model.successors(row, out);
      const std::vector<Row> successors = rows_of(out);
      transitions += successors.size();
      if (out.failure())
        expected.violated.try_emplace("no run-time error", row);
      else if (stuck(deadlock, row, successors))
        expected.violated.try_emplace("no deadlock", row);
      for (const Row& successor : successors)
        if (seen.insert(successor).second) next.insert(successor);
    }
    expected.levels.push_back(level.size());
    expected.transitions.push_back(transitions);
    expected.digests.push_back(hex(sum));
    total += sum;
    expected.states.push_back(std::exchange(level, std::move(next)));
  }
  expected.digest = hex(total);
  return expected;
}

}  // namespace spillway
