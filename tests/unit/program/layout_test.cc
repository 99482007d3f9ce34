// Rows of bits: where each scalar is, and that nothing else is touched.
#include "program/layout.h"

#include <gtest/gtest.h>
#include <algorithm>

#include <random>

#include "language/murphi/murphi.h"
#include "unit/program/random_values.h"

namespace spillway::program {
namespace {

// Bit after bit, as read_bits() and write_bits() say it.
bool bit_at(const std::vector<Word>& row, std::uint64_t bit) {
  return (row[bit / 64] >> (bit % 64) & 1) != 0;
}

TEST(Bits, AreReadAndWrittenAnywhere) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::vector<Word> row(3);
    for (Word& word : row) word = random();
    const unsigned width = 1 + static_cast<unsigned>(random() % 64);
    const std::uint64_t bit = random() % (192 - width + 1);
    const std::uint64_t code =
        width == 64 ? random() : random() & ((std::uint64_t{1} << width) - 1);
    const std::vector<Word> before = row;
    write_bits(row.data(), bit, width, code);
    ASSERT_EQ(read_bits(row.data(), bit, width), code) << bit << " " << width;
    for (std::uint64_t k = 0; k < 192; ++k) {
      const bool inside = bit <= k && k < bit + width;
      ASSERT_EQ(bit_at(row, k), inside ? (code >> (k - bit) & 1) != 0 : bit_at(before, k))
          << bit << " " << width;
    }
  }
}

std::uint64_t scalar_bits(std::vector<Interval> intervals, bool total = false) {
  Type type;
  type.domain = Domain(std::move(intervals));
  type.total = total;
  return bits_of(type);
}

TEST(BitsOf, OneCodeMoreThanValuesAreNeeded) {
  EXPECT_EQ(scalar_bits({{0, 0}}), 1u);
  EXPECT_EQ(scalar_bits({{0, 1}}), 2u);
  EXPECT_EQ(scalar_bits({{5, 7}}), 2u);
  EXPECT_EQ(scalar_bits({{0, 3}}), 3u);
  EXPECT_EQ(scalar_bits({{0, 254}}), 8u);
  EXPECT_EQ(scalar_bits({{0, 255}}), 9u);
  EXPECT_EQ(scalar_bits({{0, 1}, {4, 4}}), 2u);
  EXPECT_EQ(scalar_bits({{0, INT64_MAX}}), 64u);
}

TEST(BitsOf, NoCodeMoreForWhatIsNeverUndefined) {
  EXPECT_EQ(scalar_bits({{0, 255}}, true), 8u);
  EXPECT_EQ(scalar_bits({{-32768, 32767}}, true), 16u);
  EXPECT_EQ(scalar_bits({{0, 256}}, true), 9u);
  EXPECT_EQ(scalar_bits({{7, 7}}, true), 1u);
}

const char* const kModel =
    "type P: scalarset(3); E: enum {a, b, c, d, e}; R: record e: E; p: P; n: -7 .. 7; end;\n"
    "var first: R; grid: array [P] of array [boolean] of R; messages: multiset [5] of R;\n"
    "    wide: 0 .. 9223372036854775807; either: union {P, E}; low: array [0..2] of "
    "-9223372036854775807 .. 0;\n";

TEST(Layout, CellsDoNotOverlapAndWasteNoWord) {
  const MurphiModel model = read_murphi("some.m", kModel, {});
  const Layout layout(model.program);
  std::vector<Layout::Cell> cells = layout.cells();
  std::ranges::sort(cells, {}, &Layout::Cell::bit);
  std::uint64_t end = 0;
  std::uint64_t bits = 0;
  for (const Layout::Cell& cell : cells) {
    EXPECT_GE(cell.bit, end);
    EXPECT_EQ(cell.width, scalar_bits(cell.domain->intervals()));
    end = cell.bit + cell.width;
    bits += cell.width;
  }
  EXPECT_EQ(layout.bits(), bits);
  EXPECT_EQ(layout.words(), (bits + 63) / 64);
  EXPECT_LE(end, layout.words() * 64);
}

// A checkpoint is known by that.
TEST(Layout, SaysWhereEverythingIs) {
  const auto text = [](const std::string& variables) {
    const MurphiModel model = read_murphi("some.m", "var " + variables, {});
    return Layout(model.program).text();
  };
  const std::string before = text("a: 0..9; b: boolean;");
  EXPECT_EQ(before, text("a: 0..9; b: boolean;"));
  EXPECT_NE(before, text("a: 0..8; b: boolean;"));
  EXPECT_NE(before, text("a: 1..10; b: boolean;"));
  EXPECT_NE(before, text("b: boolean; a: 0..9;"));
}

TEST(Layout, TheFirstVariableIsMostSignificant) {
  const MurphiModel model = read_murphi("some.m", kModel, {});
  const Layout layout(model.program);
  std::uint64_t above = layout.words() * 64;
  for (std::size_t v = 0; v < model.program.variables.size(); ++v) {
    EXPECT_LE(layout.variable_bit(v) + bits_of(*model.program.variables[v].type), above);
    above = layout.variable_bit(v);
  }
  EXPECT_EQ(above, 0U);
}

// 40 + 40 bits: 48 of two words are spare, and 24 keep the first variable out of the lower word.
TEST(Layout, SpareBitsKeepVariablesInOneWord) {
  const MurphiModel model =
      read_murphi("some.m", "var a: array [1..4] of 1..1023; b: array [1..4] of 1..1023;\n", {});
  const Layout layout(model.program);
  EXPECT_EQ(layout.variable_bit(1), 0U);
  EXPECT_EQ(layout.variable_bit(0), 64U);
  EXPECT_EQ(layout.bits(), 80U);
  EXPECT_EQ(layout.words(), 2U);
}

// 5 * 40 bits: 56 of four words are spare, enough for two gaps of 24.
TEST(Layout, NoWordIsAddedForIt) {
  const MurphiModel model = read_murphi("some.m",
                                        "type T: array [1..4] of 1..1023;\n"
                                        "var a: T; b: T; c: T; d: T; e: T;\n",
                                        {});
  const Layout layout(model.program);
  EXPECT_EQ(layout.words(), 4U);
  EXPECT_EQ(layout.variable_bit(4), 0U);
  EXPECT_EQ(layout.variable_bit(3), 64U);
  EXPECT_EQ(layout.variable_bit(2), 128U);
  EXPECT_EQ(layout.variable_bit(1), 168U);
  EXPECT_EQ(layout.variable_bit(0), 208U);
}

TEST(Layout, VariablesFieldsAndElementsAreWhereTheyAreSaidToBe) {
  const MurphiModel model = read_murphi("some.m", kModel, {});
  const Layout layout(model.program);
  std::size_t cell = 0;
  for (std::size_t v = 0; v < model.program.variables.size(); ++v) {
    EXPECT_EQ(layout.cells()[cell].bit, layout.variable_bit(v));
    cell += cells(*model.program.variables[v].type);
  }
  const Type& grid = *model.program.variables[1].type;
  const Type& row = *grid.element;
  const std::uint64_t grid_cell = cells(*model.program.variables[0].type);
  for (std::uint64_t p = 0; p < 3; ++p)
    for (std::uint64_t b = 0; b < 2; ++b)
      for (std::size_t f = 0; f < 3; ++f) {
        const std::uint64_t at =
            grid_cell + element_cell(grid, p) + element_cell(row, b) + field_cell(*row.element, f);
        EXPECT_EQ(layout.cells()[at].bit, layout.variable_bit(1) + element_bit(grid, p) +
                                              element_bit(row, b) + field_bit(*row.element, f));
      }
  const Type& messages = *model.program.variables[2].type;
  const std::uint64_t bag_cell = grid_cell + cells(grid);
  for (std::uint64_t i = 0; i < 5; ++i)
    EXPECT_EQ(layout.cells()[bag_cell + element_cell(messages, i)].bit,
              layout.variable_bit(2) + element_bit(messages, i));
}

TEST(Layout, ARowOfZerosIsTheUndefinedState) {
  const MurphiModel model = read_murphi("some.m", kModel, {});
  const Layout layout(model.program);
  const std::vector<Word> zeros(layout.words());
  for (const Value value : values_of(model.program, zeros)) EXPECT_EQ(value, kUndefined);
  std::vector<Value> values(layout.cells().size(), kUndefined);
  std::vector<Word> row(layout.words(), ~Word{0});
  layout.pack(values.data(), row.data());
  EXPECT_EQ(row, zeros);
}

TEST(Layout, UnpackingGivesWhatWasPacked) {
  const MurphiModel model = read_murphi("some.m", kModel, {});
  const Layout layout(model.program);
  std::mt19937_64 random(2);
  for (int i = 0; i < 2000; ++i) {
    const std::vector<Value> values = RandomValues(model.program, random, 90).values;
    std::vector<Word> row(layout.words(), random());
    layout.pack(values.data(), row.data());
    ASSERT_EQ(values_of(model.program, row), values);
    for (const Layout::Cell& cell : layout.cells()) write_bits(row.data(), cell.bit, cell.width, 0);
    ASSERT_EQ(row, std::vector<Word>(layout.words())) << "bits that belong to no variable";
  }
}

TEST(Layout, AProgramWithoutVariablesHasOneWord) {
  const Layout layout{Program{}};
  EXPECT_EQ(layout.bits(), 0u);
  EXPECT_EQ(layout.words(), 1u);
}

}  // namespace
}  // namespace spillway::program
