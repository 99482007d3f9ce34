#include "executions.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <set>

#include "cases.h"
#include "model/compiled_model.h"
#include "model/native.h"
#include "program/c/generate_c.h"
#include "program/interpreter.h"
#include "program/observation.h"

namespace spillway {
namespace {

struct Made {
  std::vector<std::vector<Word>> rows;
  std::vector<std::uint32_t> rules;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> failure;  // rule, assertion
  bool left_out = false;  // means nothing after a failure: deadlocks are not looked for then
  bool operator==(const Made&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Made& made) {
  for (std::size_t i = 0; i < made.rows.size(); ++i) {
    out << made.rules[i] << ":";
    for (const Word word : made.rows[i]) out << " " << std::hex << word << std::dec;
    out << "\n";
  }
  if (made.failure)
    out << "failure of " << made.failure->first << ", assertion " << made.failure->second << "\n";
  if (made.left_out) out << "some left out\n";
  return out;
}

Made interpreted(const program::Program& p, program::Interpreter& interpreter, const State* state) {
  Made made;
  const auto sink = [&](const Word* row, program::InstanceIndex rule) {
    made.rows.emplace_back(row, row + interpreter.layout().words());
    made.rules.push_back(rule);
  };
  const auto failure =
      state != nullptr ? interpreter.successors(*state, sink) : interpreter.initial(sink);
  made.left_out = !failure && interpreter.left_out();
  if (failure)
    made.failure = {failure->instance,
                    failure->failed.assertion == program::kNoAssertion
                        ? UINT32_MAX
                        : program::reported_number(p, failure->failed.assertion)};
  return made;
}

// What is observed goes to `observed`, as it would if no other state was looked at before.
Made compiled(const CompiledModel& model, const State* state, Observed& observed) {
  Successors out(model.words());
  out.want_rules(true);
  out.observed().make_room(observed.counters.size(), observed.marks.size());
  if (state != nullptr)
    model.steps().successors(*state, out);
  else
    model.steps().initial(out);
  Made made;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const State row = out.states()[i];
    made.rows.emplace_back(row.begin(), row.end());
    made.rules.push_back(out.rule(i));
  }
  made.left_out = !out.failure() && out.moved();
  if (out.failure())
    made.failure = {out.failure()->rule, out.failure()->assertion.value_or(UINT32_MAX)};
  observed.take(out.observed());
  return made;
}

std::vector<PropertyIndex> noted(const program::Program& p, program::Interpreter& interpreter,
                                 State state) {
  std::vector<PropertyIndex> all;
  for (std::size_t i = 0; i < p.properties.size(); ++i) {
    const program::PropertyKind kind = p.properties[i].kind;
    if (kind == program::PropertyKind::assumption || !p.properties[i].condition) continue;
    if (interpreter.holds(p.properties[i], state) != (kind == program::PropertyKind::invariant))
      all.push_back(program::reported_number(p, i));
  }
  return all;
}

Observed room_for(const program::Program& p) {
  Observed observed;
  observed.make_room(p.counters, p.marks);
  return observed;
}

}  // namespace

bool has_tcc() {
  if (!find_quick_compiler().empty()) return true;
  const char* ci = std::getenv("CI");
  if (ci != nullptr && std::string(ci) == "true") ADD_FAILURE() << "tcc is not installed";
  return false;
}

void compare_executions(program::Program p, Totals& totals) {
  const program::Observation meaning = program::observe(p);
  Observed seen_interpreted = room_for(p), seen_compiled = room_for(p), seen_quick = room_for(p);
  program::Interpreter interpreter(p);
  const program::ObservedRoom room{seen_interpreted.counters.data(), seen_interpreted.marks.data()};
  interpreter.observe_in(room);
  const std::string text =
      program::generate_c(p, totals.programs % 2 == 0 ? 2 : program::kManyRules);
  const Compiling how{Effort::little, false, {}, {}, {}, 0};
  const NativeObject object = compile_c(text, how).value();
  const CompiledModel model(object.path());
  std::optional<NativeObject> quick_object;
  std::optional<CompiledModel> quick;
  if (has_tcc()) {
    quick_object = compile_quickly(text, how);
    ASSERT_TRUE(quick_object) << "tcc does not compile it";
    quick.emplace(quick_object->path());
    ++totals.quick;
  }
  ASSERT_EQ(model.words(), interpreter.layout().words());
  std::set<std::vector<Word>> known;
  std::deque<std::vector<Word>> queue;
  std::size_t transitions = 0;
  const auto meet = [&](const Made& made) {
    transitions += made.rows.size();
    totals.transitions += made.rows.size();
    totals.failures += made.failure ? 1 : 0;
    for (const auto& row : made.rows)
      if (known.size() < 25 && known.insert(row).second) queue.push_back(row);
  };
  const Made first = interpreted(p, interpreter, nullptr);
  ASSERT_EQ(first, compiled(model, nullptr, seen_compiled)) << "initial states";
  if (quick) {
    ASSERT_EQ(first, compiled(*quick, nullptr, seen_quick)) << "initial states, by tcc";
  }
  meet(first);
  ++totals.programs;
  totals.idle += queue.empty() ? 1 : 0;
  for (; !queue.empty(); queue.pop_front()) {
    ++totals.states;
    const State state = queue.front();
    const Made made = interpreted(p, interpreter, &state);
    ASSERT_EQ(made, compiled(model, &state, seen_compiled))
        << "successors of state " << known.size();
    if (quick) {
      ASSERT_EQ(made, compiled(*quick, &state, seen_quick))
          << "successors of state " << known.size() << ", by tcc";
    }
    const std::vector<PropertyIndex> wanted = noted(p, interpreter, state);
    interpreter.observe_in({});
    const bool accepts = interpreter.accepting(state);
    interpreter.observe_in(room);
    for (const auto& [code, seen] :
         {std::pair{&model, &seen_compiled}, {quick ? &*quick : nullptr, &seen_quick}}) {
      if (code == nullptr) continue;
      std::vector<PropertyIndex> told(p.properties.size());
      told.resize(code->check(state, told.data(), seen));
      ASSERT_EQ(wanted, told);
      ASSERT_EQ(accepts, code->accepting(state));
      ASSERT_EQ(seen_interpreted.counters, seen->counters);
      ASSERT_EQ(seen_interpreted.marks, seen->marks);
    }
    meet(made);
  }
  std::uint64_t fired = 0;
  for (std::size_t i = 0; i < meaning.rules; ++i) {
    fired += seen_compiled.counters[meaning.fired(i)];
    totals.cut += seen_compiled.counters[meaning.cut(i)];
  }
  ASSERT_EQ(fired, transitions) << "every successor is counted once";
  for (const std::uint8_t mark : seen_compiled.marks) totals.marked += mark;
}

Totals compare_seeds(const char* variable, std::uint64_t usual,
                     program::Program (*program)(std::uint64_t)) {
  const char* count = std::getenv(variable);
  const char* seed = std::getenv("SPILLWAY_SEED");
  std::uint64_t from = 1;
  std::uint64_t to = scaled(usual);
  if (seed != nullptr) {
    from = to = std::strtoull(seed, nullptr, 10);
  } else if (count != nullptr) {
    char* rest = nullptr;
    to = std::strtoull(count, &rest, 10);
    if (*rest == '-') {
      from = to;
      to = std::strtoull(rest + 1, nullptr, 10);
    }
  }
  Totals totals;
  for (std::uint64_t s = from; s <= to && !testing::Test::HasFatalFailure(); ++s) {
    SCOPED_TRACE("SPILLWAY_SEED=" + std::to_string(s));
    try {
      compare_executions(program(s), totals);
    } catch (...) {  // failures of a program are no std::exception
      ADD_FAILURE() << "an exception left the interpreter";
      break;
    }
  }
  std::cout << totals.programs << " programs, " << totals.states << " states, "
            << totals.transitions << " transitions, " << totals.failures << " failures, "
            << totals.idle << " programs without a state, " << totals.quick << " also by tcc, "
            << totals.marked << " marks, " << totals.cut << " successors excluded\n";
  if (seed != nullptr) return totals;
  EXPECT_LT(totals.idle, (to - from + 1) / 2) << "programs that do nothing test nothing";
  EXPECT_GT(totals.transitions, to - from);
  return totals;
}

}  // namespace spillway
