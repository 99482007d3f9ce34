// Random systems in DVE, with all ways to treat errors: generated code against the interpreter, and
// short rows against rows with room for every value of a type.
//
// SPILLWAY_DVE_SYSTEMS=3000 sets how many, SPILLWAY_SEED=17 looks at one only, and prints it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>

#include "cases.h"
#include "executions.h"
#include "language/dve/dve.h"
#include "program/interpreter.h"
#include "random_dve.h"

namespace spillway {
namespace {

program::Program random_system(std::uint64_t seed, bool narrow) {
  const std::string text = random_dve(seed);
  if (std::getenv("SPILLWAY_SEED") != nullptr && narrow) std::cout << text;
  constexpr DveErrors kErrors[] = {DveErrors::report, DveErrors::wrap, DveErrors::legacy};
  DveOptions options;
  options.errors = kErrors[seed % 3];
  options.narrow = narrow;
  options.property = DveProperty::product;
  return std::move(read_dve("random.dve", text, options).program);
}

TEST(DveSystems, CompiledAndInterpretedAgree) {
  compare_seeds("SPILLWAY_DVE_SYSTEMS", 60,
                [](std::uint64_t seed) { return random_system(seed, true); });
}

// What an execution makes: rules and the values of all variables, and the message of a failure.
struct Steps {
  std::vector<std::pair<program::InstanceIndex, std::vector<program::Value>>> made;
  std::string failure;
  bool operator==(const Steps&) const = default;
};

class Explorer {
 public:
  Explorer(std::uint64_t seed, bool narrow)
      : program_(random_system(seed, narrow)), interpreter_(program_) {}

  Steps initial() {
    return steps([&](const auto& sink) { return interpreter_.initial(sink); });
  }
  Steps successors(const std::vector<program::Value>& values) {
    std::vector<Word> row(interpreter_.layout().words());
    interpreter_.layout().pack(values.data(), row.data());
    return steps([&](const auto& sink) { return interpreter_.successors(State(row), sink); });
  }
  std::uint64_t bits() const { return interpreter_.layout().bits(); }

 private:
  template <class Execute>
  Steps steps(Execute execute) {
    Steps result;
    const program::Layout& layout = interpreter_.layout();
    const std::optional<program::Failure> failure =
        execute([&](const Word* row, program::InstanceIndex rule) {
          std::vector<program::Value> values(layout.cells().size());
          layout.unpack({row, layout.words()}, values.data());
          result.made.emplace_back(rule, std::move(values));
        });
    if (failure) result.failure = failure->failed.what;
    return result;
  }

  program::Program program_;
  program::Interpreter interpreter_;
};

TEST(DveSystems, ShortRowsChangeNothing) {
  const std::uint64_t last = cases(1000, "SPILLWAY_DVE_SYSTEMS");
  std::uint64_t states = 0, short_bits = 0, wide_bits = 0;
  for (std::uint64_t seed = 1; seed <= last; ++seed) {
    SCOPED_TRACE("SPILLWAY_SEED=" + std::to_string(seed));
    Explorer narrow(seed, true);
    Explorer wide(seed, false);
    short_bits += narrow.bits();
    wide_bits += wide.bits();
    std::map<std::vector<program::Value>, bool> met;  // whether it was expanded
    const auto meet = [&](const Steps& steps) {
      for (const auto& [rule, values] : steps.made)
        if (met.size() < 200) met.emplace(values, false);
    };
    const Steps first = wide.initial();
    ASSERT_EQ(narrow.initial(), first);
    meet(first);
    for (bool more = true; more;) {
      more = false;
      for (auto& [values, expanded] : met) {
        if (std::exchange(expanded, true)) continue;
        more = true;
        ++states;
        const Steps steps = wide.successors(values);
        ASSERT_EQ(narrow.successors(values), steps);
        meet(steps);
      }
    }
  }
  std::cout << last << " systems, " << states << " states, " << short_bits << " bits instead of "
            << wide_bits << "\n";
  EXPECT_LT(short_bits, wide_bits);
}

}  // namespace
}  // namespace spillway
