// Loops that use a local variable for each identity in turn: none that is not symmetric is taken for
// symmetric, and nearly all that are, and that the analysis is made for, are.
//
// What is symmetric is judged without the analysis, by the interpreter: in all reachable states, as
// many as there is time for, every permuted state has the permuted successors, and the same failures
// and properties.  Undefined values are errors in half of the models, and mean what they mean to
// CMurphi in the other half.
//
// SPILLWAY_PROGRAMS=20000 sets how many models, half of them with one line changed; SPILLWAY_SEED=17
// looks at one only, and prints it; SPILLWAY_REFUSED=1 prints those that are refused though they are
// symmetric.
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <iostream>
#include <set>

#include "base/error.h"
#include "cases.h"
#include "equivariance.h"
#include "language/murphi/murphi.h"
#include "program/symmetry/asymmetries.h"
#include "random_multicast.h"
#include "unit/program/multicast_models.h"

namespace spillway {
namespace {

program::Program read_as_declared(const std::string& text,
                                  MurphiUndefined undefined = MurphiUndefined::error) {
  MurphiOptions options;
  options.undefined = undefined;
  options.trusts_scalarsets = true;
  return std::move(read_murphi("random.m", text, options).program);
}

// Calls visit(row) for reachable states, nearest first, until it returns false.
void visit_reachable(program::Interpreter& interpreter, std::size_t most, auto visit) {
  std::set<Row> met;
  std::deque<Row> queue;
  const auto add = [&](const Word* made, program::InstanceIndex) {
    const Row row(made, made + interpreter.layout().words());
    if (met.size() < most && met.insert(row).second) queue.push_back(row);
  };
  interpreter.initial(add);
  for (; !queue.empty(); queue.pop_front()) {
    if (!visit(queue.front())) return;
    static_cast<void>(interpreter.successors(State(queue.front()), add));
  }
}

bool is_symmetric(const program::Program& p, std::size_t states) {
  program::Interpreter interpreter(p);
  const program::Packing packing(p);
  const std::vector<Permutation> all = program::permutations(p);
  bool same = true;
  visit_reachable(interpreter, states, [&](const Row& row) {
    const Seen here = interpreted(p, interpreter, row);
    same = std::all_of(all.begin(), all.end(), [&](const Permutation& to) {
      return image(p, packing, here, to) == interpreted(p, interpreter, image(p, packing, row, to));
    });
    return same;
  });
  return same;
}

constexpr std::size_t kStates = 20;
constexpr std::uint64_t kAttempts = 8;  // at a model that is not symmetric

struct Counts {
  std::uint64_t models = 0, accepted = 0, symmetric = 0, wrong = 0;
};

// Returns whether it is symmetric.
bool judge(const std::string& text, MurphiUndefined undefined, Counts& counts) {
  const program::Program p = read_as_declared(text, undefined);
  const auto found = program::asymmetries(p);
  const bool symmetric = is_symmetric(p, kStates);
  ++counts.models;
  counts.accepted += found.empty() ? 1 : 0;
  counts.symmetric += symmetric ? 1 : 0;
  if (found.empty() && !symmetric) {
    ++counts.wrong;
    ADD_FAILURE() << "taken for symmetric:\n" << text;
  }
  if (!found.empty() && symmetric && std::getenv("SPILLWAY_REFUSED") != nullptr)
    std::cout << "line " << found[0].position.line << ": " << found[0].why << "\n" << text;
  return symmetric;
}

TEST(Multicast, LoopsThatLookAlike) {
  for (const MulticastModel& one : multicast_models())
    EXPECT_EQ(is_symmetric(read_as_declared(one.text), 300), one.symmetric) << one.name;
}

TEST(Multicast, OnlyWhatIsSymmetricIsTakenForIt) {
  const std::uint64_t seed = number_from("SPILLWAY_SEED", 0);
  const std::uint64_t count = cases(240, "SPILLWAY_PROGRAMS") / 2;
  Counts whole, broken;
  for (std::uint64_t s = seed != 0 ? seed : 1; s <= (seed != 0 ? seed : count) && broken.wrong == 0;
       ++s) {
    const auto undefined = s % 2 == 0 ? MurphiUndefined::error : MurphiUndefined::cmurphi;
    judge(random_multicast(s), undefined, whole);
    std::uint64_t attempt = 0;
    while (judge(broken_multicast(s, attempt), undefined, broken) && ++attempt < kAttempts) {
    }
    if (seed != 0) std::cout << random_multicast(s) << broken_multicast(s, attempt);
  }
  for (const auto& [name, some] : {std::pair("whole", whole), std::pair("broken", broken)})
    std::cout << some.models << " " << name << ": " << some.symmetric << " symmetric, "
              << some.accepted << " taken for it, " << some.wrong << " of them wrongly\n";
  if (seed != 0 || count < kEnoughToTell) return;
  EXPECT_EQ(whole.symmetric, whole.models);
  EXPECT_GE(whole.accepted * 100, whole.models * 95);
  EXPECT_GT((broken.models - broken.symmetric) * 10, whole.models * 8);
}

}  // namespace
}  // namespace spillway
