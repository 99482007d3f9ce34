// What is read and expanded again must be what the search has seen.
#include "check/check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "language/graph/graph_model.h"
#include "support/changed_steps.h"
#include "support/check_in_memory.h"
#include "unit/check/plain_search.h"

namespace spillway {
namespace {

const GraphModel kChain("chain", "initial a\na -> b c\nb -> d\nc -> d\nd -> d\naccepting d\n");

// Of the second level, one state is not there any more, or is another one.
enum class Damage { none, gone, other };
thread_local Damage damage;

class ForgetfulSearch final : public PlainSearch {
 public:
  using PlainSearch::PlainSearch;
  void each_at_depth(std::uint64_t depth,
                     const std::function<void(unsigned, State)>& visit) override {
    bool first = depth == 1;
    PlainSearch::each_at_depth(depth, [&](unsigned thread, State row) {
      if (std::exchange(first, false) && damage != Damage::none) {
        const std::vector<Word> other(row.size(), 0);  // the initial state, or any
        if (damage == Damage::other) visit(thread, other);
        return;
      }
      visit(thread, row);
    });
  }
};

const Algorithm kForgetful{"forgetful", "",
                           [](const SearchContext& context) -> std::unique_ptr<Search> {
                             return std::make_unique<ForgetfulSearch>(context);
                           }};

Verdict verdict_after(Damage which) {
  damage = which;
  CheckOptions options;
  options.memory_bytes = 8 << 20;
  return check_in_memory(kChain, kForgetful, options).verdict;
}

TEST(StateGraph, AreThoseOfTheSearch) {
  EXPECT_EQ(verdict_after(Damage::none).outcome, Outcome::violated);
}

TEST(StateGraph, NoticeStatesThatVanish) {
  EXPECT_EQ(verdict_after(Damage::gone).exit, Exit::integrity);
}

TEST(StateGraph, NoticeStatesThatAreReplaced) {
  EXPECT_EQ(verdict_after(Damage::other).exit, Exit::integrity);
}

// Expands to one state fewer when it is asked again.
class Forgetting final : public ChangedSteps {
 public:
  Forgetting() : ChangedSteps(kChain) {}
  void successors(State state, Successors& out) const override {
    Successors all(words());
    ChangedSteps::successors(state, all);
    const std::size_t count = all.size() - (calls_++ >= 4 && all.size() > 1 ? 1 : 0);
    out.make_room(count);
    std::copy_n(all.states().data(), count * words(), out.rows());
    out.add(count);
  }

 private:
  mutable int calls_ = 0;  // four states are expanded by the search
};

TEST(StateGraph, NoticeStepsThatVanish) {
  CheckOptions options;
  options.memory_bytes = 8 << 20;
  const Verdict verdict = check_in_memory(Forgetting(), kPlain, options).verdict;
  EXPECT_EQ(verdict.exit, Exit::model) << verdict.reason;
}

}  // namespace
}  // namespace spillway
