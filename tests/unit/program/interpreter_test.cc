// What programs do, step by step, on small models.
#include "program/interpreter.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "base/process/stop_request.h"
#include "language/murphi/murphi.h"
#include "unit/caught.h"

namespace spillway::program {
namespace {

// A model in Murphi, and all that its interpreter says.
class Machine {
 public:
  explicit Machine(const std::string& text, MurphiDialect dialect = MurphiDialect::automatic)
      : program(
            std::move(read_murphi("some.m", text, {.dialect = dialect, .constants = {}}).program)),
        interpreter(program) {}

  struct Step {
    std::string rule;
    std::vector<Word> row;
  };

  std::vector<Step> initial() {
    return gather([&](const Interpreter::Sink& sink) { return interpreter.initial(sink); });
  }
  std::vector<Step> successors(const std::vector<Word>& row) {
    return gather([&](const Interpreter::Sink& sink) { return interpreter.successors(row, sink); });
  }
  // Of the first initial state.
  std::vector<Step> first_successors() { return successors(initial().at(0).row); }

  // The scalars of a state.
  std::vector<Value> values(const std::vector<Word>& row) const {
    std::vector<Value> all(interpreter.layout().cells().size());
    interpreter.layout().unpack(row, all.data());
    return all;
  }
  // What the only rule makes of the only initial state.
  std::vector<Value> result() {
    const std::vector<Step> steps = first_successors();
    EXPECT_EQ(steps.size(), 1u);
    EXPECT_FALSE(failure) << failure->failed.what;
    return steps.empty() ? std::vector<Value>{} : values(steps[0].row);
  }
  // Why the only rule fails in the first initial state.
  std::string failing() {
    EXPECT_TRUE(first_successors().empty());
    return failure ? std::to_string(failure->failed.position.line) + ": " + failure->failed.what
                   : "it does not fail";
  }

  Program program;
  Interpreter interpreter;
  std::optional<Failure> failure;

 private:
  template <class Produce>
  std::vector<Step> gather(Produce produce) {
    std::vector<Step> steps;
    failure = produce([&](const Word* row, InstanceIndex instance) {
      steps.push_back(
          {interpreter.instances().name(instance), {row, row + interpreter.layout().words()}});
    });
    return steps;
  }
};

TEST(Interpreter, EverythingStartsUndefined) {
  Machine machine("var x, y: 0..3; startstate x := 2; end;");
  const auto states = machine.initial();
  ASSERT_EQ(states.size(), 1u);
  EXPECT_EQ(machine.values(states[0].row), (std::vector<Value>{2, kUndefined}));
}

TEST(Interpreter, InstancesComeInTheirOrderWithTheirNames) {
  Machine machine(
      "type P: scalarset(2); var x: 0..9; ruleset k: 0..1 do startstate \"s\" x := k; end; end;\n"
      "ruleset p: P; i := 2 to 6 by 2 do rule \"set\" x != i ==> x := i; end; end; rule \"last\" x "
      ":= 9; end;");
  const auto states = machine.initial();
  ASSERT_EQ(states.size(), 2u);
  EXPECT_EQ(states[0].rule, "s, k:0");
  EXPECT_EQ(states[1].rule, "s, k:1");
  std::vector<std::string> names;
  for (const auto& step : machine.successors(states[0].row)) names.push_back(step.rule);
  EXPECT_EQ(names, (std::vector<std::string>{"set, p:P_1, i:2", "set, p:P_1, i:4",
                                             "set, p:P_1, i:6", "set, p:P_2, i:2",
                                             "set, p:P_2, i:4", "set, p:P_2, i:6", "last"}));
}

TEST(Interpreter, ARuleWorksOnACopyOfTheState) {
  Machine machine(
      "var x: 0..9; startstate x := 0; end; rule \"a\" x := x + 1; x := x + 1; end; rule \"b\" x "
      ":= x + 5; end;");
  const auto steps = machine.first_successors();
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(machine.values(steps[0].row), (std::vector<Value>{2}));
  EXPECT_EQ(machine.values(steps[1].row), (std::vector<Value>{5}));
}

TEST(Interpreter, LocalVariablesStartUndefinedEachTime) {
  Machine machine(
      "var x: boolean; startstate x := false; end;\n"
      "ruleset k: 0..2 do rule var y: 0..1; begin x := isundefined(y); y := 1; end; end;");
  for (const auto& step : machine.first_successors())
    EXPECT_EQ(machine.values(step.row), (std::vector<Value>{1}));
}

struct Computed {
  const char* expression;
  Value value;
};

class Expressions : public testing::TestWithParam<Computed> {};

INSTANTIATE_TEST_SUITE_P(
    Numbers, Expressions,
    testing::Values(Computed{"2 + 3 * 4 - 1", 13}, Computed{"-7 / 2", -3}, Computed{"-7 % 2", -1},
                    Computed{"7 % -2", 1}, Computed{"12 & 10", 8}, Computed{"12 | 3", 15},
                    Computed{"12 ^ 10", 6}, Computed{"~5", -6}, Computed{"3 << 2", 12},
                    Computed{"-8 >> 1", -4}, Computed{"1 << -1", 0}, Computed{"1 << 64", 0},
                    Computed{"x > 2 ? 10 : 20", 10}, Computed{"x + y * (x - y)", 5},
                    Computed{"(x << 2) >> 3", 1}));

INSTANTIATE_TEST_SUITE_P(
    Truth, Expressions,
    testing::Values(Computed{"x = 3 ? 1 : 0", 1}, Computed{"!x = 1 ? 1 : 0", 1},
                    Computed{"x < y -> y < x ? 1 : 0", 1},
                    Computed{"(forall i: 0..3 do i <= x end) ? 1 : 0", 1},
                    Computed{"(forall i: 0..4 do i <= x end) ? 1 : 0", 0},
                    Computed{"(exists i := 0 to 9 by 5 do i = x + 2 end) ? 1 : 0", 1},
                    Computed{"(exists i := 9 to 0 by -4 do i = 1 end) ? 1 : 0", 1},
                    Computed{"x = 3 | u = 1 ? 1 : 0", 1}, Computed{"x = 4 & u = 1 ? 1 : 0", 0},
                    Computed{"x = 4 -> u = 1 ? 1 : 0", 1}, Computed{"isundefined(u) ? 1 : 0", 1},
                    Computed{"f(x) + f(f(1))", 7}));

TEST_P(Expressions, HaveTheirValue) {
  Machine machine(std::string("var x, y: 0..9; u: 0..1; r: -100..100;\nfunction f(n: 0..99): "
                              "0..99; begin return n + 1; end;\n") +
                  "startstate x := 3; y := 1; end;\nrule r := " + GetParam().expression + "; end;");
  const std::vector<Value> values = machine.result();
  ASSERT_EQ(values.size(), 4u);
  EXPECT_EQ(values[3], GetParam().value) << GetParam().expression;
}

struct Wrong {
  const char* statement;
  const char* why;
};

class Failures : public testing::TestWithParam<Wrong> {};

INSTANTIATE_TEST_SUITE_P(
    All, Failures,
    testing::Values(
        Wrong{"x := x / (y - 1)", "4: division by zero"},
        Wrong{"x := x % (y - 1)", "4: division by zero"},
        Wrong{"x := x + 7", "4: 10 is outside the range of x"},
        Wrong{"x := -1", "4: -1 is outside the range of x"},
        Wrong{"a[y] := 5", "4: 5 is outside the range of a[1]"},
        Wrong{"x := a[x]", "4: index 3 is out of range"},
        Wrong{"a[x] := 0", "4: index 3 is out of range"}, Wrong{"x := u", "4: u is undefined"},
        Wrong{"x := a[0]", "4: a[0] is undefined"},
        Wrong{"if u = 1 then x := 0; end", "4: u is undefined"},
        Wrong{"while true do y := 1; end", "4: the loop has not ended after 1048576 iterations"},
        Wrong{"big := big * 2", "4: the result does not fit in 64 bits"},
        Wrong{"big := big + x", "4: the result does not fit in 64 bits"},
        Wrong{"big := 0 - big - 2", "4: the result does not fit in 64 bits"},
        Wrong{"big := x << 62", "4: the result does not fit in 64 bits"},
        Wrong{"error \"so\"", "4: so"},
        Wrong{"multisetadd(4, m); multisetadd(4, m); multisetadd(4, m)",
              "4: the multiset m is full"},
        Wrong{"multisetadd(5, m)", "4: 5 is outside the range of the multiset's elements"},
        Wrong{"x := g(x)", "3: calls of g are nested too deeply"},
        Wrong{"x := h(1)", "3: the function 'h' ends without a return"}));

TEST_P(Failures, EndARuleAndSayWhy) {
  Machine machine(
      std::string("var x, y: 0..9; u: 0..1; a: array [0..2] of 0..4; big: 0..9223372036854775807;\n"
                  "    m: multiset [2] of 0..4; startstate x := 3; y := 1; big := "
                  "9223372036854775807; end;\n"
                  "function g(n: 0..9): 0..9; begin return g(n); end; function h(n: 0..9): 0..9; "
                  "begin end;\n") +
          "rule " + GetParam().statement + "; end;",
      MurphiDialect::rumur);
  EXPECT_EQ(machine.failing(), GetParam().why);
}

TEST(Interpreter, AFailureComesAfterTheSuccessorsBeforeIt) {
  Machine machine(
      "var x: 0..3; startstate x := 0; end; rule \"good\" x := 1; end; rule \"bad\" x := 4; end; "
      "rule x := 2; end;");
  const auto steps = machine.first_successors();
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].rule, "good");
  ASSERT_TRUE(machine.failure);
  EXPECT_EQ(machine.interpreter.instances().name(machine.failure->instance), "bad");
}

TEST(Interpreter, WorksAfterAFailureInsideACall) {
  Machine machine(
      "var x: 0..3; function f(n: 0..9): 0..3; var k: 0..9; begin k := n; return k; end;\n"
      "startstate x := 1; end; rule \"r\" x := f(f(x + 3)); end;");
  const std::vector<Word> one = machine.initial().at(0).row;
  EXPECT_TRUE(machine.successors(one).empty());
  EXPECT_TRUE(machine.failure);
  std::vector<Word> zero = one;
  write_bits(zero.data(), 0, 3, 1);
  const auto steps = machine.successors(zero);
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(machine.values(steps[0].row), (std::vector<Value>{3}));
}

TEST(Interpreter, AssertionsNameTheirProperty) {
  Machine machine(
      "var x: 0..3; invariant true; startstate x := 0; end; rule assert x = 1 \"one\"; end;");
  machine.first_successors();
  ASSERT_TRUE(machine.failure);
  const std::uint32_t assertion = machine.failure->failed.assertion;
  ASSERT_LT(assertion, machine.program.properties.size());
  EXPECT_EQ(machine.program.properties[assertion].kind, PropertyKind::assertion);
  EXPECT_EQ(machine.program.properties[assertion].header.name, "one");
}

TEST(Interpreter, AssumptionsLeaveStatesOut) {
  Machine machine(
      "var x: 0..9; assume x != 2; startstate x := 0; end; startstate x := 2; end;\n"
      "ruleset k: 1..3 do rule x := x + k; end; end;");
  EXPECT_EQ(machine.initial().size(), 1u);
  EXPECT_TRUE(machine.interpreter.left_out());
  EXPECT_FALSE(machine.interpreter.left_out());
  const auto steps = machine.first_successors();
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(machine.values(steps[0].row)[0], 1);
  EXPECT_EQ(machine.values(steps[1].row)[0], 3);
}

// Otherwise the order of the instances would decide between an error and no state.
TEST(Interpreter, AnAssumptionThatIsFalseDoesNotHideAnInstanceThatFails) {
  for (const char* start : {"x[0] := 100; x[1] := 0;", "x[0] := 0; x[1] := 100;"}) {
    Machine machine("var x: array [0..1] of 0..100; startstate " + std::string(start) +
                    " end; rule x[0] := 1; end;\n"
                    "ruleset i: 0..1 do assume \"a\" 10 / x[i] > 0; end;");
    EXPECT_TRUE(machine.initial().empty());
    ASSERT_TRUE(machine.failure) << start;
    EXPECT_EQ(machine.failure->failed.what, "division by zero");
  }
}

TEST(Interpreter, AssumptionsInARuleDiscardTheSuccessor) {
  Machine machine(
      "var x: 0..9; startstate x := 0; end; ruleset k: 1..3 do rule assume k != 2; x := k; end; "
      "end;");
  EXPECT_EQ(machine.first_successors().size(), 2u);
  EXPECT_FALSE(machine.failure);
  EXPECT_TRUE(machine.interpreter.left_out());
}

TEST(Interpreter, AFailureIsToldThoughALaterTurnDiscardsTheSuccessor) {
  Machine machine(
      "type id: scalarset(2); var x: array[id] of boolean;\n"
      "ruleset k: id do startstate for i: id do x[i] := i = k; end; end; end;\n"
      "rule for i: id do assert !x[i] \"unset\"; assume x[i]; end; end;");
  const std::vector<Word> row = machine.initial().at(0).row;
  machine.successors(row);
  ASSERT_TRUE(machine.failure);
  const State state = row;
  const std::optional<Failure> gravest = machine.interpreter.gravest_failure(&state);
  ASSERT_TRUE(gravest);
  EXPECT_EQ(gravest->failed.what, "unset");
}

TEST(Interpreter, RecordsAndArraysAreCopiedWithWhatIsUndefined) {
  Machine machine(
      "type R: record a, b: 0..3; end; var r, s: R; startstate r.a := 1; s.b := 2; end; rule s := "
      "r; end;");
  EXPECT_EQ(machine.result(), (std::vector<Value>{1, kUndefined, 1, kUndefined}));
}

// Inside of what is compared as a whole, undefined equals undefined.
TEST(Interpreter, ResultsAreComparedAsWholes) {
  const auto compared = [](const std::string& comparison) {
    Machine machine(
        "type R: record a, b: 0..3; end; A: array [0..1] of R; var r, s: R; a: A; equal: boolean;\n"
        "function f(r: R): R; begin return r; end;\n"
        "function made(n: 0..3): R; var r: R; begin r.a := n; return r; end;\n"
        "function both(r: R): A; var a: A; begin a[0] := r; a[1] := r; return a; end;\n"
        "startstate r.a := 1; s.a := 1; s.b := 2; a[0] := r; a[1] := r; end;\n"
        "rule equal := " +
        comparison + "; end;");
    return machine.result().back();
  };
  EXPECT_EQ(compared("f(r) = r"), 1);
  EXPECT_EQ(compared("f(r) != r"), 0);
  EXPECT_EQ(compared("f(r) = s"), 0);
  EXPECT_EQ(compared("s != f(r)"), 1);
  EXPECT_EQ(compared("made(1) = r"), 1);
  EXPECT_EQ(compared("f(made(2)) = made(1)"), 0);
  EXPECT_EQ(compared("both(made(1)) = a"), 1);
  EXPECT_EQ(compared("both(f(s)) != a"), 1);
}

TEST(Interpreter, DialectsDifferInTheCopyOfAnUndefinedValue) {
  const char* text = "var x, y: 0..3; startstate x := 1; end; rule x := y; end;";
  EXPECT_EQ(Machine(text, MurphiDialect::cmurphi).result(),
            (std::vector<Value>{kUndefined, kUndefined}));
  EXPECT_EQ(Machine(text, MurphiDialect::rumur).failing(), "1: y is undefined");
}

TEST(Interpreter, OnlyTheNameOfAVariableCopiesAnUndefinedValue) {
  for (const char* value :
       {"true ? y : y", "true & y", "y & true", "false | y", "y | false", "true -> y"}) {
    Machine machine(
        fmt::format("var x, y: boolean; startstate x := true; end; rule x := {}; end;", value),
        MurphiDialect::cmurphi);
    EXPECT_EQ(machine.failing(), "1: y is undefined") << value;
  }
}

TEST(Interpreter, DialectsDifferInArgumentsThatTheFunctionChanges) {
  const char* text =
      "type A: array [0..1] of 0..3; var a: A; r: 0..3;\n"
      "procedure p(b: A); begin a[0] := 3; r := b[0]; end;\n"
      "startstate a[0] := 1; a[1] := 1; r := 0; end; rule p(a); end;";
  EXPECT_EQ(Machine(text, MurphiDialect::cmurphi).result()[2], 3);
  EXPECT_EQ(Machine(text, MurphiDialect::rumur).result()[2], 1);
}

TEST(Interpreter, BagsAreTheSameWhateverTheOrder) {
  Machine machine(
      "var m: multiset [3] of 0..4; startstate undefine m; end;\n"
      "rule multisetadd(1, m); multisetadd(4, m); end; rule multisetadd(4, m); multisetadd(1, m); "
      "end;");
  const auto steps = machine.first_successors();
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].row, steps[1].row);
}

TEST(Interpreter, ElementsOfBagsAreChosenCountedAndRemoved) {
  Machine machine(
      "var m: multiset [4] of 0..4; n: 0..9;\n"
      "startstate n := 0; multisetadd(1, m); multisetadd(3, m); multisetadd(3, m); end;\n"
      "choose i: m do rule \"take\" n := m[i]; multisetremove(i, m); end; end;\n"
      "rule \"count\" n := multisetcount(k: m, m[k] = 3); end;\n"
      "rule \"drop\" multisetremovepred(k: m, m[k] = 3); n := multisetcount(k: m, true); end;");
  std::multimap<std::string, Value> found;
  for (const auto& step : machine.first_successors())
    found.emplace(step.rule.substr(0, step.rule.find(',')), machine.values(step.row).back());
  EXPECT_EQ(found, (std::multimap<std::string, Value>{
                       {"take", 3}, {"take", 3}, {"take", 1}, {"count", 2}, {"drop", 1}}));
}

TEST(Interpreter, PropertiesHoldInAllInstancesAndCoversInSome) {
  Machine machine(
      "var x: 0..3; startstate x := 1; end;\n"
      "ruleset k: 0..2 do invariant \"i\" x != k; invariant \"j\" x != k + 2 | k > 1; cover \"c\" "
      "x = k; end;\n"
      "cover \"never\" x = 3; liveness \"l\" x = 1; invariant \"f\" 1 / (x - 1) = 1;");
  const std::vector<Word> row = machine.initial().at(0).row;
  std::map<std::string, bool> held;
  for (const Property& property : machine.program.properties)
    held[property.header.name] = machine.interpreter.holds(property, row);
  EXPECT_EQ(
      held,
      (std::map<std::string, bool>{
          {"i", false}, {"j", true}, {"c", true}, {"never", false}, {"l", true}, {"f", false}}));
}

TEST(Interpreter, SaysWhyAPropertyDoesNotHold) {
  Machine machine(
      "type P: scalarset(2); var x: 0..3; startstate x := 1; end;\n"
      "ruleset k: 0..2 do invariant \"i\" x < 3 & forall p: P do x != k end; end;\ninvariant \"f\" "
      "1 / (x - 1) = 1;");
  const std::vector<Word> row = machine.initial().at(0).row;
  Position where;
  EXPECT_EQ(machine.interpreter.why_not(machine.program.properties[0], row, where),
            "k:1, p:P_1, the condition at line 2, column 59 is false");
  EXPECT_EQ(machine.interpreter.why_not(machine.program.properties[1], row, where),
            "it cannot be evaluated: line 3: division by zero");
}

TEST(Instances, AreNumberedThroughAllRulesStartsFirst) {
  const Machine machine(
      "var x: 0..9; ruleset a: 0..2 do startstate x := a; end; end;\n"
      "ruleset a: 0..1; b: 0..1 do rule \"r\" x := a; end; end; rule \"s\" x := 1; end;");
  const Instances& instances = machine.interpreter.instances();
  EXPECT_EQ(instances.count(), 8u);
  EXPECT_EQ(instances.first_of_rule(0), 3u);
  EXPECT_EQ(instances.first_of_rule(1), 7u);
  EXPECT_TRUE(instances.at(2).start);
  EXPECT_FALSE(instances.at(3).start);
  EXPECT_EQ(instances.name(5), "r, a:1, b:0");
  EXPECT_EQ(instances.name(7), "s");
}

// A request to stop that is withdrawn with this.
struct Request {
  Request() { stop_request::make(StopReason::terminated); }
  ~Request() { stop_request::withdraw(); }
};

TEST(Interpreter, StopsBetweenTwoInstancesOfARule) {
  Machine m(
      "var x: 0..9; startstate x := 0; end; ruleset p: 0..9 do rule true ==> x := p; end; end;");
  const std::vector<Word> row = m.initial().at(0).row;
  std::optional<Request> request;
  int made = 0;
  const auto take = [&](const Word*, InstanceIndex) {
    ++made;
    request.emplace();
  };
  EXPECT_THROW(m.interpreter.successors(row, take), Stopped);
  EXPECT_EQ(made, 1);
  request.reset();
  EXPECT_EQ(m.successors(row).size(), 10u) << "it can be used again";
}

TEST(Interpreter, StopsInsideLoopsAndCalls) {
  for (const char* body : {"for i: 0..9 do x := i; end;", "x := 0; while x < 9 do x := x + 1; end;",
                           "x := f();", "if forall i: 0..9 do x != i + 10 end then x := 1; end;"}) {
    Program program =
        std::move(read_murphi("some.m",
                              std::string("var x: 0..9;\nfunction f(): 0..9; begin return 1; end;\n"
                                          "startstate x := 0; end; rule true ==> ") +
                                  body + " end;",
                              {})
                      .program);
    Execution execution(program);
    const auto begin = [&] {
      execution.enter(program.starts[0].header, {});
      execution.run(program.starts[0].body);
      execution.enter(program.rules[0].header, {});
    };
    begin();
    execution.run(program.rules[0].body);
    begin();
    const Request request;
    EXPECT_THROW(execution.run(program.rules[0].body), Stopped) << body;
  }
}

}  // namespace
}  // namespace spillway::program
