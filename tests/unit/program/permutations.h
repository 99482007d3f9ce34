// Permutations of identities, applied to states the slow and obvious way.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "unit/program/random_values.h"

namespace spillway::program {

// What each identity becomes.  All other values stay.
using Permutation = std::map<Value, Value>;

// All combinations of permutations of all scalarsets.
inline std::vector<Permutation> permutations(const Program& program) {
  std::vector<Permutation> all = {{}};
  for (const Symmetry& symmetry : program.symmetries) {
    std::vector<Value> order(
        static_cast<std::size_t>(symmetry.identities.high - symmetry.identities.low + 1));
    std::iota(order.begin(), order.end(), symmetry.identities.low);
    std::vector<Permutation> more;
    do {
      for (Permutation one : all) {
        for (std::size_t i = 0; i < order.size(); ++i)
          one[symmetry.identities.low + static_cast<Value>(i)] = order[i];
        more.push_back(std::move(one));
      }
    } while (std::next_permutation(order.begin(), order.end()));
    all = std::move(more);
  }
  return all;
}

// A number may be the same integer as an identity; only what has a name is one.
inline Value image(const Type& type, Value value, const Permutation& to) {
  if (type.truth || type.names.empty()) return value;
  const auto found = to.find(value);
  return found == to.end() ? value : found->second;
}

inline std::vector<Value> image(const Type& type, const Value*& at, const Permutation& to) {
  std::vector<Value> out;
  const auto append = [&](std::vector<Value>& whole, const std::vector<Value>& part) {
    whole.insert(whole.end(), part.begin(), part.end());
  };
  switch (type.kind) {
    case Kind::scalar: out.push_back(image(type, *at++, to)); break;
    case Kind::record:
      for (const Field& field : type.fields) append(out, image(*field.type, at, to));
      break;
    case Kind::array: {
      std::map<std::uint64_t, std::vector<Value>> elements;
      for (std::uint64_t code = 1; code <= type.index->domain.size(); ++code) {
        const Value moved = image(*type.index, type.index->domain.value(code), to);
        elements[type.index->domain.code(moved)] = image(*type.element, at, to);
      }
      for (const auto& [code, element] : elements) append(out, element);
      break;
    }
    case Kind::bag:
      for (std::uint64_t i = 0; i < type.capacity; ++i) {
        out.push_back(*at++);
        append(out, image(*type.element, at, to));
      }
      break;
  }
  return out;
}

inline std::vector<Word> image(const Program& program, const Packing& packing,
                               const std::vector<Word>& row, const Permutation& to) {
  const std::vector<Value> values = values_of(packing, row);
  std::vector<Value> moved;
  const Value* at = values.data();
  for (const Variable& variable : program.variables) {
    const std::vector<Value> part = image(*variable.type, at, to);
    moved.insert(moved.end(), part.begin(), part.end());
  }
  return row_of(packing, moved);
}

inline std::vector<Word> image(const Program& program, const std::vector<Word>& row,
                               const Permutation& to) {
  return image(program, Packing(program), row, to);
}

}  // namespace spillway::program
