#include "oracle/reference.h"

#include <algorithm>
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
  return deadlock == Deadlock::stuttering &&
         std::set<Row>(next.begin(), next.end()) == std::set<Row>{row};
}

struct Whole {
  std::map<Row, std::uint64_t> depth;            // of all reachable states
  std::map<Row, std::vector<Row>> next;          // their successors
  std::map<Row, std::set<PropertyIndex>> noted;  // what check() says of them
  std::map<Row, std::string> wrong;  // what else is wrong with them, by name of the property
};

Whole explore(const Model& model, Deadlock deadlock) {
  Whole whole;
  Successors out(model.words());
  model.steps().initial(out);
  std::vector<Row> waiting = rows_of(out);
  for (const Row& row : waiting) whole.depth.emplace(row, 0);
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const Row row = waiting[i];
    if (whole.next.contains(row)) continue;
    std::vector<PropertyIndex> noted(model.properties().size());
    noted.resize(model.conditions().check(row, noted.data()));
    whole.noted[row] = {noted.begin(), noted.end()};
    out.clear();
    model.steps().successors(row, out);
    whole.next[row] = rows_of(out);
    if (out.failure())
      whole.wrong[row] = out.failure()->assertion
                             ? model.properties()[*out.failure()->assertion].name
                             : "no run-time error";
    else if (stuck(deadlock, row, whole.next[row]))
      whole.wrong[row] = "no deadlock";
    for (const Row& successor : whole.next[row])
      if (whole.depth.emplace(successor, whole.depth[row] + 1).second) waiting.push_back(successor);
  }
  return whole;
}

// The states from which one can be reached where `goal` holds.
std::set<Row> good_states(const Whole& whole, PropertyIndex goal) {
  std::set<Row> good;
  for (bool grows = true; grows;) {
    grows = false;
    for (const auto& [row, next] : whole.next) {
      bool leads = whole.noted.at(row).contains(goal);
      for (const Row& successor : next) leads = leads || good.contains(successor);
      if (leads && good.insert(row).second) grows = true;
    }
  }
  return good;
}

void at(std::optional<std::uint64_t>& least, std::uint64_t depth) {
  if (!least || depth < *least) least = depth;
}

}  // namespace

Truths truths(const Model& model, Deadlock deadlock) {
  const Whole whole = explore(model, deadlock);
  Truths truths;
  for (const char* always : {"no deadlock", "no run-time error"}) truths.of[always];
  for (PropertyIndex i = 0; i < model.properties().size(); ++i) {
    const Property& property = model.properties()[i];
    Truth& truth = truths.of[property.name];
    if (property.kind == PropertyKind::cover || property.kind == PropertyKind::invariant)
      for (const auto& [row, noted] : whole.noted)
        if (noted.contains(i)) at(truth.depth, whole.depth.at(row));
    if (property.kind == PropertyKind::reachable) {
      const std::set<Row> good = good_states(whole, i);
      for (const auto& [row, depth] : whole.depth)
        if (!good.contains(row)) at(truth.depth, depth);
    }
    if (property.kind == PropertyKind::invariant && truth.depth) at(truths.broken, *truth.depth);
  }
  for (const auto& [row, name] : whole.wrong) {
    at(truths.of[name].depth, whole.depth.at(row));
    at(truths.broken, whole.depth.at(row));
  }
  for (const auto& [row, depth] : whole.depth) truths.levels = std::max(truths.levels, depth + 1);
  for (const Property& property : model.properties())
    truths.of[property.name].holds =
        truths.of[property.name].depth.has_value() == (property.kind == PropertyKind::cover);
  for (const char* always : {"no deadlock", "no run-time error"})
    truths.of[always].holds = !truths.of[always].depth.has_value();
  return truths;
}

Expected reference(const Model& model, Deadlock deadlock, std::uint64_t errors) {
  Expected expected;
  Successors out(model.words());
  model.steps().initial(out);
  std::set<Row> seen;
  RowSet level;  // sorted, so the first violation of a level is that of its smallest state
  for (const Row& row : rows_of(out)) {
    seen.insert(row);
    level.insert(row);
  }
  Sum total = 0;
  while (!level.empty() && expected.violated.size() < errors) {
    Sum sum = 0;
    std::uint64_t transitions = 0;
    RowSet next;
    for (const Row& row : level) {
      sum += hash_of(row);
      std::vector<PropertyIndex> violated(model.properties().size());
      violated.resize(model.conditions().check(row, violated.data()));
      for (const PropertyIndex property : violated)
        expected.violated.try_emplace(model.properties()[property].name, row);
      out.clear();
      model.steps().successors(row, out);
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
