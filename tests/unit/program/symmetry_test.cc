// Representatives of states, against permutations that are applied the slow and obvious way.
#include "program/symmetry/symmetry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "cases.h"
#include "language/murphi/murphi.h"
#include "unit/program/permutations.h"
#include "unit/program/random_values.h"

namespace spillway::program {
namespace {

Program read(const std::string& text) { return std::move(read_murphi("some.m", text, {}).program); }

std::set<std::vector<Word>> orbit(const Program& program, const std::vector<Permutation>& all,
                                  const std::vector<Word>& row) {
  std::set<std::vector<Word>> images;
  for (const Permutation& to : all) images.insert(image(program, row, to));
  return images;
}

std::vector<Word> canonical(const Symmetries& symmetries, std::vector<Word> row) {
  symmetries.canonical(row.data());
  return row;
}

class Canonicals : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(
    Programs, Canonicals,
    testing::Values(
        // The first scalarset has the integers of false and true and of small numbers.
        "type P: scalarset(2); var b: array [P] of boolean; n: array [P] of 0..1; p: P; t: "
        "boolean; i: 0..1;",
        "type P: scalarset(4); E: enum {idle, busy}; var a: array [P] of record e: E; peer: P; "
        "end; token: P;",
        // A graph: cells that two identities of one kind index.
        "type P: scalarset(4); var edge: array [P] of array [P] of boolean;",
        "type P: scalarset(3); D: scalarset(3); var a: array [P] of array [D] of 0..2; b: array "
        "[D] of P; d: D;",
        "type P: scalarset(3); D: scalarset(2); U: union {P, enum {home}, D};\n"
        "var owner: array [D] of U; via: array [U] of U; some: U;",
        "type P: scalarset(4); M: record sender, receiver: union {P, enum {home}}; n: 0..1; end;\n"
        "var net: multiset [4] of M; state: array [P] of boolean;",
        "type P: scalarset(3); var net: array [P] of multiset [3] of P; seen: array [P] of array "
        "[boolean] of P;",
        "type P: scalarset(3);\n"
        "var m: multiset [3] of record sharers: array [P] of boolean; inner: multiset [2] of P; "
        "owner: P; end;",
        "type P: scalarset(3); R: record a: array [P] of record x, y: P; end; next: record p: P; "
        "end; end;\n"
        "var r: R; s: array [0..1] of R;",
        // Sets without a name, one that is used nowhere, one of a single identity.
        "type Q: scalarset(3); One: scalarset(1); var x, y: scalarset(3); a: array [scalarset(2)] "
        "of boolean; o: One;",
        "type P: scalarset(5); var left, right: P; next: array [P] of P;",
        "type A: scalarset(2); B: scalarset(2); C: scalarset(2); var t: array [A] of array [B] of "
        "array [C] of "
        "boolean;"));

TEST_P(Canonicals, AllImagesOfAStateHaveOneRepresentativeAndItIsOneOfThem) {
  const Program program = read(GetParam());
  const std::vector<Permutation> all = permutations(program);
  const Symmetries symmetries(program, Canonical::exhaustive);
  ASSERT_FALSE(symmetries.empty());
  EXPECT_EQ(static_cast<double>(all.size()), symmetries.worst_orders());
  std::mt19937_64 random(6);
  for (std::uint64_t i = cases(400); i > 0; --i) {
    const auto variety = static_cast<unsigned>(i % 4 * 25 + 10);
    const std::vector<Word> row = row_of(program, RandomValues(program, random, variety).values);
    const std::vector<Word> chosen = canonical(symmetries, row);
    const std::set<std::vector<Word>> images = orbit(program, all, row);
    ASSERT_TRUE(images.contains(chosen)) << "state " << i;
    for (const std::vector<Word>& one : images)
      ASSERT_EQ(canonical(symmetries, one), chosen) << "state " << i;
  }
}

TEST_P(Canonicals, TheHeuristicStaysAmongTheImages) {
  const Program program = read(GetParam());
  const std::vector<Permutation> all = permutations(program);
  const Symmetries symmetries(program, Canonical::heuristic);
  std::mt19937_64 random(7);
  for (std::uint64_t i = cases(400); i > 0; --i) {
    const auto variety = static_cast<unsigned>(i % 4 * 25 + 10);
    const std::vector<Word> row = row_of(program, RandomValues(program, random, variety).values);
    const std::vector<Word> chosen = canonical(symmetries, row);
    ASSERT_TRUE(orbit(program, all, row).contains(chosen)) << "state " << i;
    ASSERT_TRUE(orbit(program, all, chosen).contains(canonical(symmetries, chosen)))
        << "state " << i;
  }
}

// States with as many ties as there can be: everything alike, but for the one value that an array
// holds everywhere.
TEST_P(Canonicals, StatesWithoutAnyDifferenceAreTheirOwnRepresentatives) {
  const Program program = read(GetParam());
  const Layout layout(program);
  const Symmetries symmetries(program, Canonical::exhaustive);
  const std::vector<Word> nothing(layout.words());
  EXPECT_EQ(canonical(symmetries, nothing), nothing);
}

TEST(Symmetries, ThereAreAsManyRepresentativesAsOrbits) {
  const Program program = read(
      "type P: scalarset(3); var a: array [P] of boolean; next: array [P] of P; t: union {P, enum "
      "{none}};");
  const std::vector<Permutation> all = permutations(program);
  const Symmetries symmetries(program, Canonical::exhaustive);
  const Layout layout(program);
  ASSERT_EQ(layout.words(), 1u);
  // All states: each cell undefined or one of its values.
  std::vector<std::vector<Word>> states = {std::vector<Word>(1)};
  for (const Layout::Cell& cell : layout.cells()) {
    std::vector<std::vector<Word>> more;
    for (const std::vector<Word>& state : states)
      for (std::uint64_t code = 0; code <= cell.domain->size(); ++code) {
        more.push_back(state);
        write_bits(more.back().data(), cell.bit, cell.width, code);
      }
    states = std::move(more);
  }
  ASSERT_EQ(states.size(), 27u * 64u * 5u);
  std::set<std::vector<Word>> representatives;
  std::set<std::vector<Word>> least;
  for (const std::vector<Word>& state : states) {
    representatives.insert(canonical(symmetries, state));
    least.insert(*orbit(program, all, state).begin());
  }
  EXPECT_EQ(representatives.size(), least.size());
}

TEST(Symmetries, ProgramsWithoutScalarsetsHaveNone) {
  EXPECT_TRUE(Symmetries(read("var x: 0..3;"), Canonical::exhaustive).empty());
  EXPECT_TRUE(Symmetries(read("type P: scalarset(1); var x: P;"), Canonical::exhaustive).empty());
}

TEST(Symmetries, TwoProgramsCanTakeTurnsInOneThread) {
  const Program small = read("type P: scalarset(2); var x: P;");
  const Program large = read(
      "type P: scalarset(4); var edge: array [P] of array [P] of boolean; m: multiset [9] of P;");
  const Symmetries of_small(small, Canonical::exhaustive);
  const Symmetries of_large(large, Canonical::exhaustive);
  std::mt19937_64 random(8);
  for (int i = 0; i < 50; ++i) {
    const std::vector<Word> a = row_of(small, RandomValues(small, random, 50).values);
    const std::vector<Word> b = row_of(large, RandomValues(large, random, 50).values);
    const std::vector<Word> chosen = canonical(of_small, a);
    ASSERT_TRUE(orbit(large, permutations(large), b).contains(canonical(of_large, b)));
    ASSERT_EQ(canonical(of_small, a), chosen);
  }
}

}  // namespace
}  // namespace spillway::program
