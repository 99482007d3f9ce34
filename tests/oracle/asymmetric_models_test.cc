// Models that claim to be symmetric and are not, with the analysis that would say so switched off:
// the search notices.
#include <gtest/gtest.h>

#include <set>

#include "algorithms/algorithms.h"
#include "check/check.h"
#include "language/murphi/murphi.h"
#include "model/program_model.h"
#include "model/symmetric_model.h"
#include "support/check_in_memory.h"

namespace spillway {
namespace {

constexpr const char* kCounter =
    "type S: scalarset(3); var x: S; n: array [S] of 0..20; k: boolean;\n"
    "startstate for q: S do n[q] := 0; x := q; end; k := false; end;\n"
    "ruleset i: S do rule \"step\" n[i] < 20 ==> n[i] := n[i] + 1; x := i; end; end;\n"
    "rule \"turn\" true ==> k := !k; end;\n";
const std::vector<std::pair<const char*, const char*>> kAsymmetric = {
    {"a successor", "rule \"first\" true ==> clear x; end;"},
    {"a successor, where things have gone far",
     "ruleset i: S do rule \"first\" n[i] = 20 ==> clear x; end; end;"},
    {"a failure", "rule \"error\" true ==> var y: S; begin clear y; assert n[y] < 3; end;"},
    {"an invariant",
     "function first(): S; var y: S; begin clear y; return y; end;\n"
     "cover \"first\" n[first()] = 1;"},
    {"an assumption",
     "function first(): S; var y: S; begin clear y; return y; end;\n"
     "assume \"first\" n[first()] < 19;"},
};

CheckResult search(const std::string& text, MurphiOptions options, unsigned threads,
                   program::Canonical canonical, SymmetricModel::Examined examined) {
  options.trusts_scalarsets = true;
  auto model = std::make_unique<ProgramModel>(
      std::move(read_murphi("some.m", text, options).program), Executed::interpreted);
  program::Symmetries symmetries(model->program(), canonical);
  const SymmetricModel symmetric(std::move(model), std::move(symmetries), examined);
  CheckOptions how;
  how.session.threads = threads;
  how.memory_bytes = std::uint64_t{64} << 20;
  return check_in_memory(symmetric, algorithms().front(), how);
}

TEST(AsymmetricModels, AreNoticedInTheSearch) {
  for (const auto& [name, text] : kAsymmetric)
    for (const auto canonical : {program::Canonical::exhaustive, program::Canonical::heuristic})
      for (const auto examined : {SymmetricModel::Examined::some, SymmetricModel::Examined::all}) {
        SCOPED_TRACE(name);
        std::set<std::string> reasons;
        for (const unsigned threads : {1U, 2U, 4U}) {
          const CheckResult result =
              search(std::string(kCounter) + text, {}, threads, canonical, examined);
          EXPECT_EQ(result.verdict.outcome, Outcome::error);
          EXPECT_EQ(result.verdict.exit, Exit::model);
          EXPECT_NE(result.verdict.reason.find("the model is not symmetric"), std::string::npos)
              << result.verdict.reason;
          EXPECT_NE(result.verdict.reason.find("x: S_"), std::string::npos) << "no states are told";
          reasons.insert(result.verdict.reason);
        }
        EXPECT_EQ(reasons.size(), 1U) << "what is told depends on the number of threads";
      }
}

TEST(AsymmetricModels, SymmetricOnesAreNot) {
  for (const auto examined : {SymmetricModel::Examined::some, SymmetricModel::Examined::all})
    EXPECT_EQ(search(kCounter, {}, 2, program::Canonical::exhaustive, examined).verdict.outcome,
              Outcome::verified);
}

}  // namespace
}  // namespace spillway
