// Compiled code finds the same representatives as Symmetries does, on random states of random
// declarations in Murphi, for both ways to choose representatives.
//
// SPILLWAY_CASES=20000 sets how many declarations, SPILLWAY_OPTIMIZED=200 how many of them the
// optimizing compiler gets as well; tcc gets all, if it is there.  SPILLWAY_SEED=17 takes one only.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <set>
#include <sstream>

#include "cases.h"
#include "folders.h"
#include "language/murphi/murphi.h"
#include "model/compiled_model.h"
#include "model/native.h"
#include "program/c/c_symmetry.h"
#include "program/c/c_symmetry_text.h"
#include "program/c/generate_c.h"
#include "program/symmetry/symmetry.h"
#include "unit/program/permutations.h"

namespace spillway {
namespace {

using Row = std::vector<Word>;

// Types of all kinds, nested at random.
class Declarations {
 public:
  explicit Declarations(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    std::string out = fmt::format(
        "type P: scalarset({}); D: scalarset({}); E: enum {{idle, busy, gone}}; U: union {{E, P}};"
        "\n  V: union {{P, enum {{home}}, D}}; One: scalarset(1);\nvar ",
        2 + random_() % 5, 2 + random_() % 3);
    const std::uint64_t variables = 1 + random_() % 5;
    for (std::uint64_t i = 0; i < variables; ++i) out += fmt::format("v{}: {};\n", i, type(3));
    return out + "startstate begin end;";
  }

 private:
  std::string one_of(std::initializer_list<const char*> texts) {
    return *(texts.begin() + static_cast<std::ptrdiff_t>(random_() % texts.size()));
  }
  std::string scalar() {
    return one_of({"P", "P", "D", "U", "V", "E", "boolean", "0..5", "0..100", "One",
                   "0..1000000000000", "-4000000000000000000..4000000000000000000"});
  }
  // Multisets of multisets need a record in between.
  std::string bag(const std::string& element) {
    const bool wrapped = element.starts_with("multiset");
    return fmt::format("multiset [{}] of {}{}{}", 1 + random_() % 4, wrapped ? "record c: " : "",
                       element, wrapped ? "; end" : "");
  }
  std::string type(unsigned depth) {
    if (depth == 0) return scalar();
    switch (random_() % 8) {
      case 0: return bag(type(depth - 1));
      case 1:
      case 2: return fmt::format("record a: {}; b: {}; end", type(depth - 1), type(depth - 1));
      case 3:
      case 4:
      case 5: return fmt::format("array [P] of {}", type(depth - 1));
      case 6:
        return fmt::format("array [{}] of {}", one_of({"D", "U", "V", "0..2"}), type(depth - 1));
      default: return scalar();
    }
  }

  std::mt19937_64 random_;
};

struct Totals {
  std::uint64_t programs = 0, compiled = 0, optimized = 0, states = 0, moved = 0;
};

class Comparison {
 public:
  Comparison(program::Program program, std::uint64_t seed, Totals& totals)
      : program_(std::move(program)), random_(seed), totals_(totals) {}

  // All values are as likely, or some states have little in them, or all have next to nothing.
  enum class Values { all_alike, few, hardly_any };
  void with(const NativeObject& object, unsigned states, Values values = Values::few) {
    const CompiledModel model(object.path());
    ASSERT_NE(model.canonical(), nullptr);
    for (const auto mode : {program::Canonical::exhaustive, program::Canonical::heuristic}) {
      const program::Symmetries symmetries(program_, mode);
      for (unsigned i = 0; i < states; ++i) {
        const bool few = values == Values::few;
        const unsigned variety = few ? i * 13 % 100 : 100;
        const unsigned undefined = values == Values::hardly_any ? 90 + i % 10
                                   : !few                       ? 0
                                   : i % 3 == 0                 ? 80
                                                                : 5;
        const program::RandomValues chosen(program_, random_, variety, undefined);
        const Row row = row_of(program_, chosen.values);
        Row expected = row;
        Row made = row;
        symmetries.canonical(expected.data());
        model.canonical()(made.data(), mode == program::Canonical::exhaustive ? 1 : 0);
        ASSERT_EQ(made, expected) << "state " << i;
        ++totals_.states;
        totals_.moved += made != row ? 1 : 0;
      }
    }
  }

 private:
  const program::Program program_;
  std::mt19937_64 random_;
  Totals& totals_;
};

// More cells than these make the interpreted form too slow for many cases.
constexpr std::size_t kMostCells = 400;
// Of orders, likewise.
constexpr double kMostOrders = 800;

void compare(std::uint64_t seed, bool optimized, Totals& totals) {
  const std::string text = Declarations(seed).text();
  SCOPED_TRACE(fmt::format("SPILLWAY_SEED={}\n{}", seed, text));
  program::Program program = std::move(read_murphi("random.m", text, {}).program);
  const program::SymmetricCells cells(program);
  const program::Symmetries symmetries(program, program::Canonical::exhaustive);
  if (cells.cells().size() > kMostCells || symmetries.worst_orders() > kMostOrders) return;
  ++totals.programs;
  const std::string c = program::generate_c(program, program::kManyRules, &cells);
  Comparison comparison(std::move(program), seed, totals);
  if (const auto quick = compile_quickly(c)) {
    comparison.with(*quick, 12);
    ++totals.compiled;
  }
  if (!optimized) return;
  Compiling how;
  how.cached = false;
  const auto object = compile_c(c, how);
  ASSERT_TRUE(object);
  comparison.with(*object, 40);
  ++totals.optimized;
}

TEST(Representatives, OfCompiledCodeAreThoseOfSymmetries) {
  const std::uint64_t seed = number_from("SPILLWAY_SEED", 0);
  Totals totals;
  if (seed != 0) return compare(seed, true, totals);
  const std::uint64_t count = cases(300);
  const std::uint64_t optimized = cases(6, "SPILLWAY_OPTIMIZED");
  for (std::uint64_t s = 1; s <= count && !HasFailure(); ++s)
    compare(s, s * optimized / count != (s - 1) * optimized / count, totals);
  std::cout << totals.programs << " programs, " << totals.compiled << " by tcc, "
            << totals.optimized << " optimized, " << totals.states << " states, " << totals.moved
            << " of them not their own representatives\n";
  EXPECT_GT(totals.programs, count / 3);
  EXPECT_GT(totals.moved, totals.states / 4);
}

// Small states in which identities often have the same colour without being alike: circles, pairs.
TEST(Representatives, OfStatesWithTies) {
  Totals totals;
  for (const std::string text : {
           "type P: scalarset(4); var edge: array [P] of array [P] of boolean;",
           "type P: scalarset(4); D: scalarset(4); var edge: array [P] of array [D] of boolean;",
           "type P: scalarset(5); var next: array [P] of P;",
           "type P: scalarset(3); D: scalarset(3); var p: array [P] of P; d: array [D] of D;",
           "type P: scalarset(4); var net: multiset [2] of record x, y: P; end;",
           "type P: scalarset(4); var net: multiset [4] of record x, y: P; end; b: array [P] of "
           "boolean;",
           "type P: scalarset(3); D: scalarset(3); var net: multiset [3] of record x: P; y: D; "
           "end;",
           "type P: scalarset(4); U: union {P, enum {home}}; var via: array [U] of U; some: U;",
           "type P: scalarset(3); var r: array [0..2] of record x, y: P; end; a: array [P] of "
           "multiset [2] of P;",
       }) {
    SCOPED_TRACE(text);
    program::Program program =
        std::move(read_murphi("ties.m", text + " startstate begin end;", {}).program);
    const program::SymmetricCells cells(program);
    Compiling how;
    how.effort = Effort::little;
    how.cached = false;
    const std::string c = program::generate_c(program, program::kManyRules, &cells);
    const auto object = compile_c(c, how);
    ASSERT_TRUE(object);
    Comparison(std::move(program), 1, totals)
        .with(*object, static_cast<unsigned>(scaled(8000)), Comparison::Values::all_alike);
  }
}

// Queues of messages: compiled code skips what is empty.
TEST(Representatives, OfLargeStatesWithLittleInThem) {
  Totals totals;
  program::Program program = std::move(
      read_murphi("queues.m",
                  "type P: scalarset(3); D: scalarset(2); K: enum {get, give, ack};\n"
                  "  M: record from, dst: union {P, D, enum {home}}; kind: K; n: 0..100; p: P; b: "
                  "boolean; end;\n"
                  "var q: array [P] of array [0..9] of M; o: array [D] of array [0..3] of M;\n"
                  "  all: array [0..9] of M; many: array [0..99] of P; n: array [P] of 0..9;\n"
                  "startstate begin end;",
                  {})
          .program);
  const program::SymmetricCells cells(program);
  ASSERT_TRUE(program::is_large(cells));
  const std::string c = program::generate_c(program, program::kManyRules, &cells);
  Compiling how;
  how.effort = Effort::little;
  how.cached = false;
  const auto object = compile_c(c, how);
  ASSERT_TRUE(object);
  Comparison(std::move(program), 1, totals)
      .with(*object, static_cast<unsigned>(scaled(800)), Comparison::Values::hardly_any);
  EXPECT_GT(totals.moved, totals.states / 2);
}

// States on walks through a program, at random.
template <class Visit>
void walk(const CompiledModel& model, std::uint64_t states, Visit visit) {
  std::mt19937_64 random(1);
  Row row;
  for (std::uint64_t i = 0; i < states; ++i) {
    Successors out(model.words());
    if (row.empty() || random() % 200 == 0)
      model.initial(out);
    else
      model.successors(State(row), out);
    if (out.failure() || out.size() == 0) {
      row.clear();
      continue;
    }
    const State next = out.states()[random() % out.size()];
    row.assign(next.begin(), next.end());
    visit(row);
  }
}

// What is found is an image of the state by some permutation, and the same for all of them.
void examine_protocol(const std::string& path, std::uint64_t states) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  program::Program program = std::move(read_murphi(path, text.str(), {}).program);
  const program::SymmetricCells cells(program);
  ASSERT_GT(cells.identities(), 0U);
  const std::string c = program::generate_c(program, program::kManyRules, &cells);
  auto object = compile_quickly(c);
  if (!object) object = compile_c(c, {});
  ASSERT_TRUE(object);
  const CompiledModel model(object->path());
  const program::Packing packing(program);
  const std::vector<program::Permutation> all = program::permutations(program);
  walk(model, states, [&](const Row& row) {
    Row exhaustive = row, heuristic = row;
    model.canonical()(exhaustive.data(), 1);
    model.canonical()(heuristic.data(), 0);
    std::set<Row> images;
    for (const program::Permutation& to : all) images.insert(image(program, packing, row, to));
    ASSERT_TRUE(images.contains(exhaustive));
    ASSERT_TRUE(images.contains(heuristic));
    for (Row one : images) {
      model.canonical()(one.data(), 1);
      ASSERT_EQ(one, exhaustive);
    }
  });
}

// SPILLWAY_PROTOCOL_STATES=100000 sets how many of each.
TEST(Representatives, OfProtocols) {
  const char* given = std::getenv("SPILLWAY_SHARED");
  const std::string folder =
      (given != nullptr ? given : source_file("../shared")) + "/models/murphi/vcxlgen";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << "the models are not there; SPILLWAY_SHARED says where they are";
  const std::uint64_t states = cases(40, "SPILLWAY_PROTOCOL_STATES");
  int examined = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string path = entry.path().string();
    // Those that compare two systems are not symmetric.
    if (!path.ends_with(".m") || path.find("_EQ_") != std::string::npos) continue;
    SCOPED_TRACE(path);
    examine_protocol(path, states);
    ++examined;
  }
  EXPECT_EQ(examined, 11);
}

// The text of a state of many cells would be too long.
TEST(Representatives, OfLargeStatesAreLeftToSymmetries) {
  const auto text = [](int elements) {
    const auto read = read_murphi(
        "large.m",
        fmt::format("type P: scalarset(2); var a: array [1..{}] of array [P] of P;\nstartstate "
                    "begin end;",
                    elements),
        {});
    return program::symmetry_c(program::SymmetricCells(read.program));
  };
  EXPECT_NE(text(program::kMostSymmetricCells / 2), "");
  EXPECT_EQ(text(program::kMostSymmetricCells / 2 + 1), "");
}

}  // namespace
}  // namespace spillway
