// Random states of a program, as scalars in the order of Layout::cells().
#pragma once

#include <random>
#include <vector>

#include "program/bags.h"
#include "program/layout.h"
#include "program/program.h"

namespace spillway::program {

class RandomValues {
 public:
  // In a hundred cases, how often a value is any of its domain rather than the first, and how often
  // there is none.
  RandomValues(const Program& program, std::mt19937_64& random, unsigned variety,
               unsigned undefined = 20)
      : random_(random), variety_(variety), undefined_(undefined) {
    for (const Variable& variable : program.variables) add(*variable.type);
  }
  std::vector<Value> values;

 private:
  bool in_hundred(unsigned cases) { return random_() % 100 < cases; }

  void add(const Type& type) {
    switch (type.kind) {
      case Kind::scalar:
        if (in_hundred(undefined_))
          values.push_back(kUndefined);
        else
          values.push_back(
              type.domain.value(in_hundred(variety_) ? 1 + random_() % type.domain.size() : 1));
        break;
      case Kind::record:
        for (const Field& field : type.fields) add(*field.type);
        break;
      case Kind::array:
        for (std::uint64_t i = 0; i < type.index->domain.size(); ++i) add(*type.element);
        break;
      case Kind::bag:
        for (std::uint64_t i = 0; i < type.capacity; ++i) {
          const bool there = in_hundred(60);
          values.push_back(there ? 1 : kUndefined);
          const std::size_t before = values.size();
          add(*type.element);
          if (!there)
            std::fill(values.begin() + static_cast<std::ptrdiff_t>(before), values.end(),
                      kUndefined);
        }
        break;
    }
  }

  std::mt19937_64& random_;
  const unsigned variety_, undefined_;
};

// How the states of a program are packed.
struct Packing {
  explicit Packing(const Program& program) : layout(program), bags(packed_bags(program)) {}
  Layout layout;
  std::vector<PackedBag> bags;
};

// The row of these scalars, with its bags in order.
inline std::vector<Word> row_of(const Packing& packing, const std::vector<Value>& values) {
  std::vector<Word> row(packing.layout.words());
  packing.layout.pack(values.data(), row.data());
  sort_bags(packing.bags, row.data());
  return row;
}

inline std::vector<Word> row_of(const Program& program, const std::vector<Value>& values) {
  return row_of(Packing(program), values);
}

inline std::vector<Value> values_of(const Packing& packing, const std::vector<Word>& row) {
  std::vector<Value> values(packing.layout.cells().size());
  packing.layout.unpack(row, values.data());
  return values;
}

inline std::vector<Value> values_of(const Program& program, const std::vector<Word>& row) {
  return values_of(Packing(program), row);
}

}  // namespace spillway::program
