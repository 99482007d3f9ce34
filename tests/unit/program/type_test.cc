// Domains, names of values, and where the parts of a value are.
#include "program/type.h"

#include <gtest/gtest.h>

namespace spillway::program {
namespace {

Type scalar(std::vector<Interval> intervals) {
  Type type;
  type.domain = Domain(std::move(intervals));
  return type;
}

Type record(std::vector<const Type*> fields) {
  Type type;
  type.kind = Kind::record;
  for (const Type* field : fields) type.fields.push_back({"f", field});
  return type;
}

Type array(const Type& index, const Type& element) {
  Type type;
  type.kind = Kind::array;
  type.index = &index;
  type.element = &element;
  return type;
}

Type bag(std::uint64_t capacity, const Type& element) {
  Type type;
  type.kind = Kind::bag;
  type.capacity = capacity;
  type.element = &element;
  return type;
}

TEST(Domain, NumbersItsValuesFromOneInTheOrderOfItsIntervals) {
  const Domain domain({{10, 12}, {-5, -4}, {0, 0}});
  EXPECT_EQ(domain.size(), 6u);
  const std::vector<Value> values = {10, 11, 12, -5, -4, 0};
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(domain.code(values[i]), i + 1);
    EXPECT_EQ(domain.value(i + 1), values[i]);
  }
  EXPECT_EQ(domain.lowest(), -5);
  EXPECT_EQ(domain.highest(), 12);
}

TEST(Domain, DoesNotContainWhatIsBetweenItsIntervals) {
  const Domain domain({{10, 12}, {-5, -4}});
  for (const Value value :
       {Value{9}, Value{13}, Value{-6}, Value{-3}, Value{0}, kUndefined, Value{INT64_MAX}}) {
    EXPECT_EQ(domain.code(value), 0u) << value;
    EXPECT_FALSE(domain.contains(value)) << value;
  }
  EXPECT_TRUE(domain.contains(-4));
}

TEST(Domain, MayReachBothEndsOfTheNumbers) {
  const Domain low({{INT64_MIN + 1, 0}});
  EXPECT_EQ(low.size(), std::uint64_t{1} << 63);
  EXPECT_EQ(low.code(INT64_MIN + 1), 1u);
  EXPECT_EQ(low.value(1), INT64_MIN + 1);
  EXPECT_EQ(low.value(low.size()), 0);
  const Domain high({{0, INT64_MAX}});
  EXPECT_EQ(high.code(INT64_MAX), std::uint64_t{1} << 63);
  EXPECT_EQ(high.value(std::uint64_t{1} << 63), INT64_MAX);
}

TEST(TypeText, UsesNamesWhereThereAreSome) {
  Type type = scalar({{3, 4}, {7, 8}});
  type.names = {{{3, 4}, {"red", "green"}, {}}, {{7, 8}, {"Node_1", "Node_2"}, {}}};
  EXPECT_EQ(type.text(4), "green");
  EXPECT_EQ(type.text(7), "Node_1");
  EXPECT_EQ(type.text(-2), "-2");
}

TEST(Cells, AreCountedThroughRecordsArraysAndBags) {
  const Type bit = scalar({{0, 1}});
  const Type index = scalar({{2, 3}, {9, 9}});
  const Type pair = record({&bit, &bit});
  const Type row = array(index, pair);
  const Type messages = bag(4, pair);
  const Type all = record({&bit, &row, &messages, &bit});
  EXPECT_EQ(cells(bit), 1u);
  EXPECT_EQ(cells(pair), 2u);
  EXPECT_EQ(cells(row), 6u);
  EXPECT_EQ(cells(messages), 12u);
  EXPECT_EQ(cells(all), 20u);
  EXPECT_EQ(field_cell(all, 0), 0u);
  EXPECT_EQ(field_cell(all, 1), 1u);
  EXPECT_EQ(field_cell(all, 2), 7u);
  EXPECT_EQ(field_cell(all, 3), 19u);
}

TEST(Cells, ElementsOfABagLieBehindTheirMarks) {
  const Type bit = scalar({{0, 1}});
  const Type pair = record({&bit, &bit});
  const Type row = array(bit, pair);
  const Type messages = bag(3, pair);
  EXPECT_EQ(element_cell(row, 0), 0u);
  EXPECT_EQ(element_cell(row, 1), 2u);
  EXPECT_EQ(element_cell(messages, 0), 1u);
  EXPECT_EQ(element_cell(messages, 2), 7u);
}

TEST(Cells, ARecordWithoutFieldsHasNone) {
  const Type nothing = record({});
  EXPECT_EQ(cells(nothing), 0u);
  EXPECT_EQ(cells(bag(2, nothing)), 2u);
}

}  // namespace
}  // namespace spillway::program
