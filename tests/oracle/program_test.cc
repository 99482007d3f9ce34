// Generated code against the interpreter, on random programs.
//
// SPILLWAY_PROGRAMS=5000 sets how many, SPILLWAY_SEED=17 looks at one only.
#include <gtest/gtest.h>

#include "executions.h"
#include "language/murphi/murphi.h"
#include "random_program.h"

namespace spillway {
namespace {

TEST(Programs, CompiledAndInterpretedAgree) {
  const Totals totals = compare_seeds("SPILLWAY_PROGRAMS", 150, program::random_program);
  if (totals.programs < 100) return;
  EXPECT_GT(totals.marked, 10U) << "that nothing is observed tests nothing";
  EXPECT_GT(totals.cut, 5U);
}

// What is around a rule or in its guard, and executes an assumption: with one counter for each
// instance, whatever the others decide, and not where another part of the guard has decided.
TEST(Programs, AssumptionsBeforeTheBodyCutTheTransition) {
  constexpr const char* kBegin =
      "type N: 0..3; var x, y: N; net: multiset [2] of N; t: array [N] of boolean;\n"
      "function low(n: N): boolean; begin assume x < n; return y < n; end;\n"
      "function deep(n: N): boolean; begin if n = 0 then assume x < 2; return true; end;\n"
      "  return deep(n - 1); end;\n"
      "function even(n: N): boolean; begin assume x != 3; assert y < 3 \"y\"; return n % 2 = 0; "
      "end;\n"
      "function some(n: N): boolean; begin assume n != 1; return n > 1; end;\n"
      "startstate x := 0; y := 0; multisetadd(1, net); for n: N do t[n] := n < 2; end; end;\n"
      "rule \"on\" x := (x + 1) % 4; end; rule \"up\" x = 3 ==> y := (y + 1) % 4; end;\n";
  Totals totals;
  for (const char* rules :
       {"rule low(2) ==> x := 0; end;",
        "rule y = 1 & low(2) ==> x := 0; end;",
        "ruleset n: N; m: N do rule low(n) & t[m] ==> x := m; end; end;",
        "ruleset n: N; m: N do rule t[m] & low(n) & m < n ==> x := m; end; end;",
        "ruleset n: N do rule 3 / (n + 1 - x) > 0 & low(n) ==> x := 0; end; end;",
        "ruleset n: N do rule low(n) & 3 / (n - x) > 0 ==> x := 0; end; end;",
        "rule exists n: N do low(n) end ==> x := 0; end;",
        "rule deep(3) ==> x := 0; end;",
        "rule deep(3) ==> x := deep(2) ? 0 : 1; end;",
        "ruleset n: N do rule even(n) ==> x := n; end; end;",
        "alias q: low(2) do rule x := 0; end; end;",
        "alias q: low(2) do rule q ==> x := 0; end; end;",
        "ruleset n: N do alias q: low(n); r: t[x] do rule r & q ==> r := q; end; end; end;",
        "ruleset n: N do alias r: t[deep(n) ? 1 : 2] do rule r ==> r := false; end; end; end;",
        "choose c: net do rule low(net[c]) ==> multisetremove(c, net); end; end;",
        "rule 10 \"first\" y = 1 & low(2) ==> x := 0; end;",
        "rule 90 \"last\" low(2) ==> x := 0; end;",
        "ruleset n: N do startstate x := some(n) ? 1 : 2; y := n; end; end;",
        "ruleset n: N do alias q: some(n) do startstate x := n; y := 0; end; end; end;",
        "rule x = 0 & deep(1) ==> y := 0; end; rule x = 1 & deep(1) ==> y := 0; end;\n"
        "rule x = 2 & deep(1) ==> y := 1; end; rule x = 3 & low(1) ==> y := 2; end;"}) {
    SCOPED_TRACE(rules);
    const std::size_t cut = totals.cut;
    compare_executions(read_murphi("some.m", std::string(kBegin) + rules, {}).program, totals);
    if (testing::Test::HasFatalFailure()) return;
    EXPECT_GT(totals.cut, cut);
  }
}

// C says nothing of the order of operands and arguments.  What a call in an index assumes, asserts
// or changes comes before what is to the right of it, and happens once.
TEST(Programs, CallsInIndicesAreExecutedInTheirOrder) {
  constexpr const char* kBegin =
      "type B: 0..1; N: 0..3; var x: N; w: B; a: array [B] of N; b: array [B] of array [B] of N;\n"
      "  nets: array [B] of multiset [2] of N;\n"
      "function late(): B; begin assume w = 1; return 0; end;\n"
      "function over(): B; begin assert x < 3 \"over\"; return x % 2; end;\n"
      "function odd(): B; begin assert x % 2 = 0 \"odd\"; return 1; end;\n"
      "function turn(): B; begin w := 1 - w; return w; end;\n"
      "startstate x := 0; w := 0; for i: B do a[i] := i; undefine nets[i];\n"
      "  for j: B do b[i][j] := i + j; end; end;\n"
      "  multisetadd(1, nets[0]); multisetadd(2, nets[1]); end;\n"
      "rule \"up\" x < 3 ==> x := x + 1; end; rule \"w\" w := 1 - w; end;\n";
  Totals totals;
  for (const char* rule :
       {"rule a[late()] := x + 1; end;",
        "rule a[late()] := x; a[x] := 0; end;",
        "rule a[over()] := x + 1; end;",
        "rule a[turn()] := x + w; end;",
        "rule b[late()][over()] := x; end;",
        "rule b[over()][late()] := x; end;",
        "rule b[over()][odd()] := x; end;",
        "rule b[odd()][over()] := x; end;",
        "rule b[turn()][turn()] := x; end;",
        "rule b[turn()][x] := w; end;",
        "rule b[x][late()] := w; end;",
        "rule b[late()][x] := w; end;",
        "rule if b[late()][over()] = 0 then w := 0; end; end;",
        "rule if b[over()][late()] = 0 then w := 0; end; end;",
        "rule if b[turn()][x] = 0 then a[0] := w; end; end;",
        "rule a[0] := b[turn()][turn()] + a[turn()] * w; end;",
        "rule undefine b[turn()][x]; b[1 - w][0] := w; end;",
        "rule clear b[late()][over()]; end;",
        "rule b[turn()] := b[turn()]; end;",
        "rule b[late()] := b[over()]; end;",
        "rule multisetadd(x + 1, nets[late()]); end;",
        "rule multisetadd(x, nets[turn()]); end;",
        "rule multisetremovepred(i: nets[turn()], nets[late()][i] = over()); end;",
        "rule w := multisetcount(i: nets[late()], nets[over()][i] = x) > 0 ? 1 : 0; end;",
        "alias l: b[late()] do rule l[over()] := x; end; end;",
        "ruleset i: B do alias l: b[late()][over()] do rule l := x; end; end; end;"}) {
    SCOPED_TRACE(rule);
    compare_executions(read_murphi("some.m", std::string(kBegin) + rule, {}).program, totals);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(totals.cut, 0U);
  EXPECT_GT(totals.failures, 0U);
}

// A rule changes one bag of many, which may lie in a word with others, and in several words; the
// elements of the multiset of multisets have bags of their own.
TEST(Programs, BagsAreSortedWhereTheyChange) {
  constexpr const char* kModel =
      "type N: 0..2; T: 0..200; M: record a: T; b: array [0..8] of T; c: N; end;\n"
      "  R: record net: multiset [2] of T; n: N; end;\n"
      "var small: array [N] of multiset [3] of N; wide: array [N] of multiset [2] of M;\n"
      "  deep: multiset [2] of R; pad: array [0..20] of T;\n"
      "procedure send(v: N; n: N); var m: M; begin clear m; m.a := 100 - v; m.b[0] := v;\n"
      "  m.b[8] := 200 - v; m.c := v; multisetadd(m, wide[n]); end;\n"
      "procedure nest(v: N; w: N); var r: R; begin r.n := v; undefine r.net;\n"
      "  multisetadd(w, r.net); multisetadd(v, r.net); multisetadd(r, deep); end;\n"
      "startstate undefine pad; undefine deep; nest(1, 2); for n: N do undefine small[n];\n"
      "  undefine wide[n]; multisetadd(1, small[n]); send(1, n); end; end;\n"
      "ruleset n: N; v: N do rule multisetadd(v, small[n]); end; rule send(v, n); end;\n"
      "  rule nest(v, n); end; end;\n"
      "ruleset v: N do rule \"pad\" pad[20 - v] := v; end;\n"
      "choose i: deep do rule multisetremovepred(j: deep[i].net, deep[i].net[j] = 1); "
      "multisetadd(2 * v, deep[i].net); "
      "end;\n"
      "  rule deep[i].n := v; end; end; end;\n";
  Totals totals;
  compare_executions(read_murphi("some.m", kModel, {}).program, totals);
  EXPECT_GT(totals.transitions, 200U);
}

}  // namespace
}  // namespace spillway
