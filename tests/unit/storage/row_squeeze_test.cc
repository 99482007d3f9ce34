#include "storage/runs/packing/row_squeeze.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <vector>

#include "storage/runs/packing/row_order.h"

namespace spillway {
namespace {

using Row = std::vector<Word>;

// Rows that differ only in the bits of a mask.
std::vector<Row> rows_within(const Row& mask, std::mt19937_64& random) {
  Row alike(mask.size());
  for (Word& word : alike) word = random();
  std::vector<Row> rows(50, alike);
  for (Row& row : rows)
    for (std::size_t i = 0; i < mask.size(); ++i)
      row[i] = (row[i] & ~mask[i]) | (random() & mask[i]);
  return rows;
}

RowSpread spread_of(const std::vector<Row>& rows) {
  RowSpread spread(rows[0].size());
  for (const Row& row : rows) spread.add(row.data());
  return spread;
}

class RowSqueezeOn : public testing::TestWithParam<VectorLevel> {
 protected:
  void SetUp() override {
    if (GetParam() > processor_level()) GTEST_SKIP() << "not here: the processor does not have it";
  }
};
INSTANTIATE_TEST_SUITE_P(Levels, RowSqueezeOn, testing::ValuesIn(kVectorLevels),
                         [](const auto& on) { return std::string(name_of(on.param)); });

TEST_P(RowSqueezeOn, KeepsRowsAndTheirOrder) {
  std::mt19937_64 random(1);
  for (std::size_t words = 1; words <= 9; ++words) {
    for (const unsigned dense : {0U, 1U, 2U, 4U, 32U}) {  // of sixteen bits, all, and every second
      Row mask(words);
      for (Word& word : mask) {
        word = dense == 32 ? 0x5555555555555555u : dense == 0 ? ~Word{0} : random() & random();
        for (unsigned i = 4; i > dense && dense != 0; --i) word &= random();
      }
      const std::vector<Row> rows = rows_within(mask, random);
      const RowSpread spread = spread_of(rows);
      const RowSqueeze squeeze(spread, GetParam());
      ASSERT_EQ(squeeze.words(), std::max<std::size_t>(1, (spread.bits() + 63) / 64));
      std::vector<Row> squeezed(rows.size(), Row(squeeze.words()));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_TRUE(squeeze.squeeze(rows[i].data(), squeezed[i].data()));
        Row back(words);
        squeeze.widen(squeezed[i].data(), back.data());
        ASSERT_EQ(back, rows[i]) << words << " words";
        for (std::size_t j = 0; j < i; ++j)
          ASSERT_EQ(below(squeezed[j].data(), squeezed[i].data(), Width<0>(squeeze.words())),
                    below(rows[j].data(), rows[i].data(), Width<0>(words)));
      }
    }
  }
}

TEST_P(RowSqueezeOn, RefusesEveryBitThatWasAlike) {
  std::mt19937_64 random(2);
  const std::vector<Row> rows =
      rows_within({random() & random(), 0, random() & random() & random()}, random);
  const RowSqueeze squeeze(spread_of(rows), GetParam());
  Row differ(3);
  for (const Row& row : rows)
    for (std::size_t i = 0; i < 3; ++i) differ[i] |= row[i] ^ rows[0][i];
  Row squeezed(squeeze.words());
  for (unsigned bit = 0; bit < 3 * 64; ++bit) {
    Row row = rows[7];
    row[bit / 64] ^= Word{1} << bit % 64;
    EXPECT_EQ(squeeze.squeeze(row.data(), squeezed.data()), (differ[bit / 64] >> bit % 64 & 1) != 0)
        << bit;
  }
}

// All forms make the same rows: a run directory may move to another machine.
TEST_P(RowSqueezeOn, MakesTheRowsThatTheBaselineMakes) {
  std::mt19937_64 random(4);
  const std::vector<Row> rows =
      rows_within({random(), random() & random(), random() & random() & random()}, random);
  const RowSqueeze squeeze(spread_of(rows), GetParam());
  const RowSqueeze baseline(spread_of(rows), VectorLevel::baseline);
  for (const Row& row : rows) {
    Row squeezed(squeeze.words()), expected(baseline.words());
    ASSERT_TRUE(squeeze.squeeze(row.data(), squeezed.data()));
    ASSERT_TRUE(baseline.squeeze(row.data(), expected.data()));
    EXPECT_EQ(squeezed, expected);
  }
}

TEST(RowSpread, OfTwoIsThatOfAllTheirRows) {
  std::mt19937_64 random(3);
  const std::vector<Row> some = rows_within({0xff, 0}, random);
  const std::vector<Row> others = rows_within({0, 0xf0}, random);
  std::vector<Row> all = some;
  all.insert(all.end(), others.begin(), others.end());
  RowSpread spread = spread_of(some);
  EXPECT_EQ(spread.bits(), 8);
  EXPECT_EQ(spread.squeezed_words(), 1);
  spread.add(RowSpread(2));  // of no rows
  EXPECT_EQ(spread.bits(), 8);
  spread.add(spread_of(others));
  EXPECT_EQ(spread.bits(), spread_of(all).bits());
  EXPECT_GT(spread.bits(), 12);
  RowSpread first(2);
  first.add(spread);
  EXPECT_EQ(first.bits(), spread.bits());
}

}  // namespace
}  // namespace spillway
