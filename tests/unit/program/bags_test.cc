// A bag has one form, whatever the order of its elements.
#include "program/bags.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "language/murphi/murphi.h"
#include "unit/program/random_values.h"

namespace spillway::program {
namespace {

Program read(const std::string& text) { return std::move(read_murphi("some.m", text, {}).program); }

// The values of all slots of a bag of scalars that is the only variable.
std::vector<Value> elements(const Program& program, const std::vector<Word>& row) {
  std::vector<Value> found;
  const std::vector<Value> values = values_of(program, row);
  for (std::size_t i = 0; i < values.size(); i += 2)
    found.push_back(values[i] == 1 ? values[i + 1] : kUndefined);
  return found;
}

TEST(PackedBags, TellsWhereTheSlotsAre) {
  const Program program =
      read("var x: 0..5; m: multiset [4] of 0..6; a: array [0..1] of multiset [2] of boolean;");
  const std::vector<PackedBag> bags = packed_bags(program);
  ASSERT_EQ(bags.size(), 3u);
  EXPECT_EQ(bags[0].bit, 12u) << "before it are the two bags of the array";
  EXPECT_EQ(bags[0].slot_bits, 4u);
  EXPECT_EQ(bags[0].capacity, 4u);
  EXPECT_EQ(bags[1].bit, 0u);
  EXPECT_EQ(bags[2].bit, 6u);
  EXPECT_EQ(bags[2].slot_bits, 3u);
}

TEST(PackedBags, InnerBagsComeBeforeTheOnesThatHoldThem) {
  const Program program =
      read("var m: multiset [2] of record n: multiset [3] of boolean; b: boolean; end;");
  const std::vector<PackedBag> bags = packed_bags(program);
  ASSERT_EQ(bags.size(), 3u);
  EXPECT_EQ(bags[0].capacity, 3u);
  EXPECT_EQ(bags[0].bit, 1u);
  EXPECT_EQ(bags[1].bit, 1u + 12u);
  EXPECT_EQ(bags[2].capacity, 2u);
  EXPECT_EQ(bags[2].slot_bits, 12u);
}

TEST(SortBags, LargerElementsFirstAndEmptySlotsLast) {
  const Program program = read("var m: multiset [4] of 0..6;");
  const std::vector<Value> values = {kUndefined, kUndefined, 1, 2, kUndefined, kUndefined, 1, 5};
  EXPECT_EQ(elements(program, row_of(program, values)),
            (std::vector<Value>{5, 2, kUndefined, kUndefined}));
}

TEST(SortBags, ElementsOfUndefinedValueAreKept) {
  const Program program = read("var m: multiset [3] of record a, b: boolean; end;");
  const std::vector<Value> values = {kUndefined, kUndefined, kUndefined, 1,         kUndefined,
                                     kUndefined, 1,          0,          kUndefined};
  const std::vector<Value> sorted = values_of(program, row_of(program, values));
  EXPECT_EQ(std::count(sorted.begin(), sorted.end(), 1), 2);
  EXPECT_EQ(std::count(sorted.begin(), sorted.end(), 0), 1);
  EXPECT_EQ(sorted[6], kUndefined);
}

class SortBags : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(
    Kinds, SortBags,
    testing::Values("var m: multiset [6] of 0..6;",
                    "var x: 0..4; m: multiset [5] of record a: 0..99; b: boolean; end;",
                    "var x: 0..4; m: multiset [4] of array [0..30] of 0..6;",
                    "var x: 0..4; m: multiset [4] of array [0..2] of 0..9223372036854775807;",
                    "var m: multiset [3] of record n: multiset [3] of 0..2; b: boolean; end;"));

// Exchanges slots at random, at every level.
void shuffle(const Type& type, Value*& at, std::mt19937_64& random) {
  switch (type.kind) {
    case Kind::scalar: ++at; break;
    case Kind::record:
      for (const Field& field : type.fields) shuffle(*field.type, at, random);
      break;
    case Kind::array:
      for (std::uint64_t i = 0; i < type.index->domain.size(); ++i)
        shuffle(*type.element, at, random);
      break;
    case Kind::bag: {
      const std::size_t size = 1 + cells(*type.element);
      Value* const begin = at;
      for (std::uint64_t i = 0; i < type.capacity; ++i) {
        ++at;
        shuffle(*type.element, at, random);
      }
      for (std::uint64_t i = type.capacity; i > 1; --i) {
        Value* const a = begin + (i - 1) * size;
        Value* const b = begin + random() % i * size;
        if (a != b) std::swap_ranges(a, a + size, b);
      }
      break;
    }
  }
}

TEST_P(SortBags, TheOrderOfTheElementsDoesNotMatter) {
  const Program program = read(GetParam());
  std::mt19937_64 random(4);
  for (int i = 0; i < 2000; ++i) {
    std::vector<Value> values = RandomValues(program, random, i % 2 == 0 ? 90 : 30).values;
    const std::vector<Word> row = row_of(program, values);
    Value* at = values.data();
    for (const Variable& variable : program.variables) shuffle(*variable.type, at, random);
    ASSERT_EQ(row_of(program, values), row);
    std::vector<Word> again = row;
    sort_bags(packed_bags(program), again.data());
    ASSERT_EQ(again, row);
  }
}

TEST_P(SortBags, NothingIsLost) {
  const Program program = read(GetParam());
  std::mt19937_64 random(5);
  for (int i = 0; i < 500; ++i) {
    std::vector<Value> values = RandomValues(program, random, 90).values;
    std::vector<Value> sorted = values_of(program, row_of(program, values));
    std::sort(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(sorted, values);
  }
}

}  // namespace
}  // namespace spillway::program
