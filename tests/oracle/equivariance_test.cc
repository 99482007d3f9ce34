// What is taken for symmetric is symmetric: a permuted state has the permuted successors, and the
// same failures and properties.  On random models in Murphi, in random states, with random
// permutations of the identities that are left to the model after what breaks a symmetry has been
// looked for; by the interpreter, and for some by compiled code.
//
// SPILLWAY_PROGRAMS=20000 sets how many models, SPILLWAY_COMPILED=20000 how many of them are
// compiled, SPILLWAY_SEED=17 looks at one only, and prints it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>

#include "base/error.h"
#include "cases.h"
#include "equivariance.h"
#include "language/murphi/murphi.h"
#include "model/compiled_model.h"
#include "model/native.h"
#include "program/c/generate_c.h"
#include "program/interpreter.h"
#include "program/symmetry/symmetry.h"
#include "random_murphi.h"
#include "unit/program/permutations.h"

namespace spillway {
namespace {

Seen compiled(const CompiledModel& model, const Row& row) {
  Seen seen;
  Successors out(model.words());
  model.steps().successors(row, out);
  for (std::size_t i = 0; i < out.size(); ++i)
    seen.successors.emplace_back(out.states()[i].begin(), out.states()[i].end());
  seen.fails = out.failure().has_value();
  seen.left_out = !seen.fails && out.moved();
  std::vector<PropertyIndex> noted(model.properties().size());
  noted.resize(model.conditions().check(row, noted.data()));
  seen.properties.resize(model.properties().size());
  for (const PropertyIndex property : noted) seen.properties[property] = true;
  forget_what_does_not_matter(seen);
  return seen;
}

Permutation some_permutation(const program::Program& p, std::mt19937_64& random) {
  Permutation to;
  for (const program::Symmetry& symmetry : p.symmetries) {
    std::vector<program::Value> order;
    for (program::Value v = symmetry.identities.low; v <= symmetry.identities.high; ++v)
      order.push_back(v);
    std::shuffle(order.begin(), order.end(), random);
    for (std::size_t i = 0; i < order.size(); ++i)
      to[symmetry.identities.low + static_cast<program::Value>(i)] = order[i];
  }
  return to;
}

struct Totals {
  std::uint64_t models = 0, refused = 0, symmetric = 0, partly = 0, asymmetric = 0, compiled = 0;
  std::uint64_t pairs = 0, successors = 0, failures = 0;
  std::uint64_t differences = 0;
};

enum class Trust { analysis, declarations };

class Comparison {
 public:
  Comparison(const program::Program& p, std::uint64_t seed, Totals& totals)
      : p_(p), random_(seed), totals_(totals), interpreter_(p), packing_(p) {}

  // Returns whether nothing differs.
  bool pairs(int count, const CompiledModel* model) {
    std::vector<Row> reached;
    interpreter_.initial([&](const Word* row, program::InstanceIndex) {
      reached.emplace_back(row, row + interpreter_.layout().words());
    });
    static_cast<void>(interpreter_.left_out());
    for (int i = 0; i < count; ++i) {
      const bool walks = !reached.empty() && i % 3 == 0;
      const Row row = walks ? reached[random_() % reached.size()]
                            : row_of(p_, program::RandomValues(p_, random_, i % 3 == 1 ? 90 : 50,
                                                               i % 5 == 1 ? 20 : 3)
                                             .values);
      const Permutation to = some_permutation(p_, random_);
      const Seen here = interpreted(p_, interpreter_, row);
      if (!same(here, interpreted(p_, interpreter_, image(p_, packing_, row, to)), to,
                "interpreted"))
        return false;
      if (model != nullptr && !same(compiled(*model, row),
                                    compiled(*model, image(p_, packing_, row, to)), to, "compiled"))
        return false;
      reached.insert(reached.end(), here.successors.begin(), here.successors.end());
      ++totals_.pairs;
      totals_.successors += here.successors.size();
      totals_.failures += here.fails ? 1 : 0;
    }
    return true;
  }
  std::string difference;

 private:
  bool same(const Seen& here, const Seen& there, const Permutation& to, const char* how) {
    const Seen moved = image(p_, packing_, here, to);
    if (moved == there) return true;
    std::ostringstream text;
    text << how << ": " << moved << "\n  permuted: " << there;
    difference = text.str();
    return false;
  }

  const program::Program& p_;
  std::mt19937_64 random_;
  Totals& totals_;
  program::Interpreter interpreter_;
  program::Packing packing_;
};

void compare(std::uint64_t seed, Trust trust, bool compile, Totals& totals) {
  const std::string text = random_murphi(seed);
  ++totals.models;
  ReadProgram read;
  try {
    MurphiOptions options;
    options.trusts_scalarsets = trust == Trust::declarations;
    options.undefined = seed % 3 == 0 ? MurphiUndefined::cmurphi : MurphiUndefined::error;
    read = read_murphi("random.m", text, options);
  } catch (const Error& error) {
    ++totals.refused;
    if (std::getenv("SPILLWAY_SEED") != nullptr) std::cout << error.what() << "\n";
    return;
  }
  const program::Program& p = read.program;
  ++(p.symmetries.size() == 2 ? totals.symmetric
     : p.symmetries.empty()   ? totals.asymmetric
                              : totals.partly);
  if (std::getenv("SPILLWAY_SEED") != nullptr) {
    std::cout << text;
    for (const Warning& warning : read.warnings)
      if (warning.changes_search)
        std::cout << warning.position.line << ": " << warning.text << "\n";
  }
  if (p.symmetries.empty()) return;
  std::unique_ptr<CompiledModel> model;
  if (compile) {
    Compiling how;
    how.effort = Effort::little;
    how.cached = false;
    const auto object = compile_c(program::generate_c(p), how);
    ASSERT_TRUE(object);
    model = std::make_unique<CompiledModel>(object->path());
    ++totals.compiled;
  }
  Comparison comparison(p, seed, totals);
  if (comparison.pairs(16, model.get())) return;
  ++totals.differences;
  if (trust == Trust::analysis)
    ADD_FAILURE() << "SPILLWAY_SEED=" << seed << "\n" << comparison.difference << "\n" << text;
}

Totals compare_all(Trust trust, std::uint64_t count, std::uint64_t compiled) {
  Totals totals;
  const std::uint64_t seed = number_from("SPILLWAY_SEED", 0);
  if (seed != 0) {
    compare(seed, trust, true, totals);
    return totals;
  }
  for (std::uint64_t s = 1; s <= count && !testing::Test::HasFailure(); ++s)
    compare(s, trust, s * compiled / count != (s - 1) * compiled / count, totals);
  std::cout << totals.models << " models: " << totals.symmetric << " symmetric, " << totals.partly
            << " partly, " << totals.asymmetric << " not, " << totals.refused << " refused; "
            << totals.compiled << " compiled; " << totals.pairs << " pairs of states, "
            << totals.successors << " successors, " << totals.failures << " failures, "
            << totals.differences << " models that differ\n";
  return totals;
}

TEST(Equivariance, PermutedStatesHavePermutedSuccessors) {
  const std::uint64_t count = cases(3000, "SPILLWAY_PROGRAMS");
  const Totals totals = compare_all(Trust::analysis, count, cases(60, "SPILLWAY_COMPILED"));
  if (number_from("SPILLWAY_SEED", 0) != 0) return;
  EXPECT_LT(totals.refused, count / 4);
  EXPECT_GT(totals.symmetric, count / 8) << "models that are not symmetric test nothing";
  EXPECT_GT(totals.successors, totals.pairs / 4);
  EXPECT_GT(totals.failures, totals.pairs / 50);
}

// The models have what the analysis is there for: without it, many of them differ.
TEST(Equivariance, WithoutTheAnalysisTheyDoNot) {
  if (number_from("SPILLWAY_SEED", 0) != 0) return;
  const std::uint64_t count = cases(3000, "SPILLWAY_PROGRAMS") / 4;
  const Totals totals = compare_all(Trust::declarations, count, 0);
  EXPECT_GT(totals.differences, count / 20);
}

}  // namespace
}  // namespace spillway
