// What breaks a symmetry, and what does not.
#include "program/symmetry/asymmetries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "language/murphi/murphi.h"
#include "unit/program/multicast_models.h"

namespace spillway::program {
namespace {

constexpr const char* kBefore =
    "type S: scalarset(3); T: scalarset(2); E: enum {none}; SE: union {S, E}; ES: union {E, S}; N: "
    "0..9;\n"
    "  R: record s: S; n: N; m: multiset [2] of S; end;\n"
    "var x, y: S; u: SE; v: ES; b, c: boolean; n: N; z: -9..9; a: array [S] of N; p: array [S] of "
    "boolean; r: R;\n"
    "  g: array [S] of array [S] of N; t: array [T] of N; o: array [S] of S; m, m2: multiset [3] "
    "of S;\n"
    "  net: array [T] of multiset [2] of R; k: multiset [2] of N; w: T;\n"
    "function same(i: S): boolean; begin return x = i; end;\n"
    "function writes(i: S): boolean; begin x := i; return true; end;\n"
    "procedure set(var to_what: N; val: N); begin to_what := val; end;\n"
    "procedure copies(var from: array [S] of N; var into: N); begin for i: S do into := from[i]; "
    "end; end;\n"
    "procedure sets_all(var all: array [S] of N; var val: N); begin for i: S do all[i] := val; "
    "end; end;\n"
    "procedure deep(var all: array [S] of N; d: N); begin\n"
    "  if d > 0 then deep(all, d - 1); for i: S do all[i] := 0; end; end; end;\n";

// The lines, from the first behind kBefore on, for which symmetries are given up: "S2" for S in the
// second line.
std::string lost(const std::string& text) {
  MurphiOptions options;
  options.trusts_scalarsets = true;
  const Program program = std::move(read_murphi("some.m", kBefore + text, options).program);
  const auto before =
      static_cast<std::uint32_t>(std::count(kBefore, kBefore + std::strlen(kBefore), '\n'));
  std::string all;
  for (const Asymmetry& one : asymmetries(program))
    all += program.symmetries[one.symmetry].name +
           std::to_string(one.position.line > before ? one.position.line - before : 0);
  return all;
}

std::string in_rule(const std::string& body) {
  return lost("rule var l: N; e: S; f: array [S] of N; begin\n" + body + " end;");
}

TEST(SymmetryCheck, Clear) {
  EXPECT_EQ(in_rule("clear x;"), "S2");
  EXPECT_EQ(in_rule("clear w;"), "T2");
  EXPECT_EQ(in_rule("clear u;"), "S2");
  EXPECT_EQ(in_rule("clear v;"), "");
  EXPECT_EQ(in_rule("clear r;"), "S2");
  EXPECT_EQ(in_rule("clear o;"), "S2");
  EXPECT_EQ(in_rule("clear o[x];"), "S2");
  EXPECT_EQ(in_rule("clear e;"), "S2");
  EXPECT_EQ(
      in_rule("clear a; clear g; clear p; clear m; clear net; clear n; undefine x; undefine r;"),
      "");
  EXPECT_EQ(lost("startstate clear x; end;"), "") << "initial states may be any";
  EXPECT_EQ(lost("procedure q(); begin\nclear x; end; rule q(); end;"), "S2");
  EXPECT_EQ(lost("procedure q(); begin\nclear x; end; startstate q(); end;"), "");
}

TEST(SymmetryCheck, TurnsThatDependOnEachOther) {
  EXPECT_EQ(in_rule("for i: S do x := i; end;"), "S2");
  EXPECT_EQ(in_rule("for i: ES do v := i; end;"), "S2");
  EXPECT_EQ(in_rule("for i: S do n := a[i]; end;"), "S2");
  EXPECT_EQ(in_rule("for i: S do if p[i] then n := a[i]; end; end;"), "S2");
  EXPECT_EQ(in_rule("for i: S do a[x] := a[i]; end;"), "S2");
  EXPECT_EQ(in_rule("for i: S do a[i] := a[x]; end;"), "S2");
  EXPECT_EQ(in_rule("for i: S do a[o[i]] := 1; a[i] := 2; end;"), "S2");
  EXPECT_EQ(in_rule("for i: S do\n for j: S do a[j] := a[i]; end; end;"), "S3");
  EXPECT_EQ(in_rule("for i: S do\n for j: S do o[j] := i; end; end;"), "S2");
  EXPECT_EQ(in_rule("for i: S do\n for j: S do g[j][x] := n; n := 1; end; end;"), "S3");
  EXPECT_EQ(in_rule("for i: S do if p[i] then return; end; p[i] := true; end;"), "S2");
  EXPECT_EQ(in_rule("for i: S do if n = 0 then n := 1; end; end;"), "S2");
  EXPECT_EQ(in_rule("for i: S do n := 1; p[i] := n = 1; end;"), "S2")
      << "what is read may be another turn's";
  EXPECT_EQ(in_rule("for i: S do if p[i] then n := 1; else n := 2; end; end;"), "S2");
  EXPECT_EQ(in_rule("for i: S do z := z + (p[i] ? 1 : -1); end;"), "S2")
      << "it may leave its range in one order only";
  EXPECT_EQ(in_rule("for i: S do if p[i] then z := z + 1; else z := z - 1; end; end;"), "S2");
  EXPECT_EQ(in_rule("for i: S do b := b | p[i]; end;"), "S2")
      << "an undefined element is not always met";
  EXPECT_EQ(in_rule("for i: S do n := n + 1; a[i] := n; end;"), "S2");
  EXPECT_EQ(in_rule("for i: S do assume p[i]; end;"), "S2");
  EXPECT_EQ(in_rule("for i: S do alias h: n do h := a[i]; end; end;"), "S2");
  EXPECT_EQ(in_rule("alias h: a do for i: S do h[i] := a[x]; end; end;"), "S2");
  EXPECT_EQ(in_rule("for i: S do set(n, a[i]); end;"), "S2");
  EXPECT_EQ(in_rule("for i: S do multisetadd(i, m); a[i] := multisetcount(q: m, true); end;"),
            "S2");
  EXPECT_EQ(in_rule("multisetremovepred(q: m, multisetcount(j: m, m[j] = m[q]) > 1);"), "S2");
  EXPECT_EQ(in_rule("b := exists i: S do writes(i) end;"), "S2");
  EXPECT_EQ(in_rule("n := multisetcount(q: m, writes(m[q]));"), "S2");
  EXPECT_EQ(in_rule("for i: T do n := t[i]; end;"), "T2");
  EXPECT_EQ(in_rule("for i: N do n := i; end;"), "");
}

TEST(SymmetryCheck, FunctionsAreExaminedWhereTheyAreCalled) {
  EXPECT_EQ(lost("rule copies(a, n); end;"), "S0");
  EXPECT_EQ(lost("rule sets_all(a, n); end;"), "");
  EXPECT_EQ(lost("rule sets_all(a, a[x]); end;"), "S0") << "both parameters lead to the same array";
  EXPECT_EQ(lost("rule deep(a, 2); end;"), "S0")
      << "a second turn of the function may refer to anything";
  EXPECT_EQ(lost("startstate copies(a, n); deep(a, 2); end;"), "");
}

TEST(SymmetryCheck, TurnsThatDoNot) {
  EXPECT_EQ(in_rule("for i: S do a[i] := 0; p[i] := a[i] = n; g[i][x] := a[i]; end;"), "");
  EXPECT_EQ(in_rule("for i: S do for j: S do g[i][j] := a[i] + a[j]; end; end;"), "");
  EXPECT_EQ(in_rule("for i: S do if i != x then o[i] := i; else undefine o[i]; end; end;"), "");
  EXPECT_EQ(in_rule("for i: S do alias h: a[i] do h := h + 1; end; set(a[i], n); end;"), "");
  EXPECT_EQ(
      in_rule(
          "for i: S do n := n + 1; z := z - a[i]; if p[i] then b := true; undefine y; end; end;"),
      "");
  EXPECT_EQ(
      lost(
          "ruleset j: S do rule begin for i: S do b := b | i = j; c := c & i != j; end; end; end;"),
      "");
  EXPECT_EQ(in_rule("for i: S do multisetadd(i, m); end;"), "");
  EXPECT_EQ(in_rule("for i: S do l := a[i]; a[i] := l + 1; end;"), "");
  EXPECT_EQ(in_rule("for i: S do l := a[i]; a[i] := l + 1; end; l := 0; n := l;"), "");
  EXPECT_EQ(in_rule("for i: S do f[i] := a[i]; end; for i: S do a[i] := f[x]; end;"), "");
  EXPECT_EQ(lost("ruleset j: S do rule begin for i: S do if p[i] then x := j; end; end; end; end;"),
            "");
  EXPECT_EQ(in_rule("multisetremovepred(q: m, p[m[q]]); n := multisetcount(q: m, same(m[q]));"),
            "");
  EXPECT_EQ(in_rule("b := (exists i: S do p[i] & same(i) end) & forall i: S do a[i] = 0 end;"), "");
  EXPECT_EQ(
      lost("function f(): boolean; begin for i: S do if p[i] then return false; end;\n"
           "  if a[i] > 3 then return false; end; end; return true; end; rule b := f(); end;"),
      "");
}

TEST(SymmetryCheck, LocalVariablesThatKeepTheirLastTurn) {
  EXPECT_EQ(in_rule("for i: S do l := a[i]; end; n := l;"), "S2");
  EXPECT_EQ(in_rule("for i: S do if p[i] then l := a[i]; end; end; n := l;"), "S2");
  EXPECT_EQ(in_rule("l := 0; while n < 3 do n := l;\nfor i: S do l := a[i]; end; end;"), "S3");
  EXPECT_EQ(in_rule("for i: S do n := n + l; l := a[i]; end;"), "S2");
  EXPECT_EQ(in_rule("for i: S do f[x] := a[i]; end;"), "");
  EXPECT_EQ(in_rule("for i: S do f[x] := a[i]; end; n := f[y];"), "S2");
  EXPECT_EQ(in_rule("alias h: l do for i: S do l := a[i]; a[i] := h; end; n := h; end;"), "S2");
}

std::vector<Asymmetry> found_in(const std::string& text) {
  MurphiOptions options;
  options.trusts_scalarsets = true;
  return asymmetries(read_murphi("some.m", text, options).program);
}

TEST(SymmetryCheck, Multicasts) {
  for (const MulticastModel& one : multicast_models())
    EXPECT_EQ(found_in(one.text).empty(), one.symmetric) << one.name;
}

// Why the first symmetry is lost.
std::string why(const std::string& body) {
  const auto found = found_in(multicast_model(body));
  return found.empty() ? "" : found[0].why;
}

TEST(SymmetryCheck, SaysWhichHalfOfAMulticastFails) {
  EXPECT_EQ(
      why(multicast_rule("", "msg.dst := n; got[n] := msg.val; msg.val := 1;", "")),
      "an iteration of this loop reads 'msg.val' at line 10 before it sets it, and others write "
      "it at line 10");
  EXPECT_EQ(
      why(multicast_rule("", "msg.dst := n; Send(msg); \nmsg.val := 1;", "")),
      "an iteration of this loop reads 'msg.val' at line 6 before it sets it, and others write "
      "it at line 11");
  EXPECT_EQ(why(multicast_rule("", "msg.dst := n;", "last := msg.dst;")),
            "'msg.dst', which iterations of this loop write at line 10, is read after the loop, at "
            "line 12");
}

// What one turn sets, and what is read when, in all the ways that a program has.  `good` and `bad`
// are bodies of a rule with the local variables msg, other: Msg, i: 0..1 and f: array [0..1] of Msg.
struct Pair {
  const char *good, *bad;
};

TEST(SymmetryCheck, LocalVariablesThatEachTurnSets) {
  const std::string before =
      "function made(n: Node): Msg; var m: Msg; begin undefine m; m.dst := n; return m; end;\n"
      "function either(n: Node): Msg; var m: Msg; begin m.val := 0; if want[n] then m.dst := n; "
      "return m; end; m.dst := n; return m; end;\n"
      "procedure set(var m: Msg; n: Node); begin m.dst := n; end;\n"
      "procedure at(var f: array [0..1] of Msg; k: 0..1; n: Node); begin f[k].dst := n; end;\n"
      "procedure perhaps(var m: Msg; n: Node); begin if want[n] then return; end; m.dst := n; "
      "end;\n"
      "procedure two(var a: Msg; var b: Msg; n: Node); begin a.dst := n; last := b.dst; end;\n"
      "procedure swap(var a: Msg; var b: Msg; n: Node); begin a.dst := n; undefine b.dst; "
      "got[n] := isundefined(a.dst) ? 0 : 1; end;\n"
      "function use(var m: Msg; n: Node): boolean; begin Send(m); m.dst := n; return true; end;\n"
      "procedure recurs(var m: Msg; d: 0..1); begin if d > 0 then recurs(m, d - 1); end; end;\n";
  const std::vector<Pair> pairs = {
      {"for n: Node do msg := made(n); Send(msg); end;",
       "for n: Node do Send(msg); msg := made(n); end;"},
      {"for n: Node do msg := either(n); Send(msg); end;",
       "for n: Node do if want[n] then msg := either(n); end; Send(msg); end;"},
      {"for n: Node do set(msg, n); Send(msg); end;",
       "for n: Node do perhaps(msg, n); Send(msg); end;"},
      {"for n: Node do alias m: msg do m.dst := n; end; Send(msg); end;",
       "for n: Node do alias m: other do m.dst := n; Send(msg); msg := m; end; end;"},
      {"for n: Node do swap(msg, other, n); end;",
       "for n: Node do two(other, msg, n); two(msg, other, n); end;"},
      {"for n: Node do if want[n] then msg.dst := n; else set(msg, n); end; Send(msg); end;",
       "for n: Node do if want[n] then msg.dst := n; elsif got[n] = 0 then msg := made(n); end; "
       "Send(msg); "
       "end;"},
      {"for n: Node do msg.dst := n; while cnt[n] < 1 do Send(msg); end; end;",
       "for n: Node do while cnt[n] < 1 do msg.dst := n; cnt[n] := cnt[n] + 1; end; Send(msg); "
       "end;"},
      {"for n: Node do msg.dst := n; for k := 0 to 1 do Send(msg); end; end;",
       "for n: Node do for k := 0 to 1 do if k = 1 then Send(msg); end; msg.dst := n; end; end;"},
      {"for n: Node do msg.dst := n; b := want[n] & use(msg, n); end;",
       "for n: Node do b := want[n] & use(msg, n); end;"},
      {"for n: Node do msg.dst := n; Send(msg); end; msg := made(last); Send(msg);",
       "for n: Node do msg.dst := n; Send(msg); end; if want[last] then msg := made(last); end; "
       "Send(msg);"},
      {"for n: Node do msg.dst := n; Send(msg); end; for n: Node do msg.dst := n; Send(msg); end;",
       "for n: Node do msg.dst := n; end; for n: Node do got[n] := isundefined(msg.dst) ? 0 : 1; "
       "msg.dst := n; end;"},
      {"for n: Node do msg.dst := n; Send(msg); end; if want[last] then return; end; msg := "
       "made(last); "
       "last := msg.dst;",
       "for n: Node do msg.dst := n; Send(msg); end; if want[last] then last := msg.dst; end;"},
      {"while sent < 2 do msg := made(last); last := msg.dst; for n: Node do msg.dst := n; end; "
       "end;",
       "while sent < 2 do last := msg.dst; for n: Node do msg.dst := n; end; end;"},
      {"for n: Node do f[0].dst := n; Send(f[0]); end; last := f[1].dst;",
       "for n: Node do f[0].dst := n; Send(f[0]); end; last := f[i].dst;"},
      {"for n: Node do at(f, 0, n); Send(f[0]); end;",
       "for n: Node do at(f, want[n] ? 1 : 0, n); multisetadd(f[0], box); end;"},
      {"for n: Node do msg.dst := n; i := 0; for k := 0 to 1 do if i = 1 then multisetadd(msg, "
       "box); "
       "end; i := 1; end; end;",
       "for n: Node do i := 0; for k := 0 to 1 do if i = 1 then multisetadd(msg, box); end; i := "
       "1; "
       "end; msg.dst := n; end;"},
      {"for n: Node do f[0].dst := n; f[1] := f[0]; got[n] := isundefined(f[i].dst) ? 0 : 1; end;",
       "for n: Node do f[0].dst := n; got[n] := isundefined(f[i].dst) ? 0 : 1; f[1] := f[0]; end;"},
      {"for n: Node do alias k: sent do f[k].dst := n; end; msg := made(n); Send(msg); end;",
       "for n: Node do f[i].dst := n; Send(f[i]); end;"},
      {"for n: Node do other := made(n); if isundefined(other.val) then msg.dst := n; end; "
       "Send(msg); end;",
       "for n: Node do other := either(n); if isundefined(other.val) then msg.dst := n; end; "
       "Send(msg); "
       "end;"},
      {"for n: Node do msg.dst := n; end; recurs(other, 1); undefine msg;",
       "for n: Node do msg.dst := n; end; recurs(msg, 1);"},
      {"for n: Node do undefine msg; if want[n] then msg.dst := n; end; multisetadd(msg, box); "
       "end;",
       "for n: Node do undefine msg.val; if want[n] then msg.dst := n; end; multisetadd(msg, box); "
       "end;"},
      {"for n: Node do i := 0; if want[n] then i := i + 1; end; got[n] := i; end;",
       "for n: Node do if want[n] then i := i + 1; end; got[n] := i; end;"},
      {"for n: Node do for m: Node do msg.dst := m; if m = n then multisetadd(msg, box); end; end; "
       "end;",
       "for n: Node do for m: Node do if m = n then multisetadd(msg, box); end; msg.dst := m; end; "
       "end;"},
  };
  for (const Pair& one : pairs)
    for (const bool good : {true, false}) {
      const std::string body = good ? one.good : one.bad;
      const std::string all =
          "rule \"r\" true ==> var msg, other: Msg; i: 0..1; b: boolean; f: array "
          "[0..1] of Msg; begin\n" +
          body + " end;";
      EXPECT_EQ(found_in(multicast_model(before + all)).empty(), good) << body;
    }
}

TEST(SymmetryCheck, NumbersOfElements) {
  EXPECT_EQ(lost("choose q: m do rule p[m[q]] ==> x := m[q]; multisetremove(q, m); multisetadd(y, "
                 "m); end; end;"),
            "");
  EXPECT_EQ(lost("choose q: m do rule\nif m2[q] = m[q] then n := 0; end; end; end;"), "S2");
  EXPECT_EQ(lost("ruleset i: T do choose q: net[i] do rule x := net[i][q].s; end; end; end;"), "");
  EXPECT_EQ(lost("choose q: net[w] do rule true ==>\nx := net[w][q].s; end; end;"), "S2")
      << "w may change";
  EXPECT_EQ(lost("choose q: m do choose s: m do rule\nmultisetremove(q, m); multisetremove(s, m); "
                 "multisetadd(x, m);\n"
                 "y := m[q]; end; end; end;"),
            "S2");
  EXPECT_EQ(lost("choose q: k do rule n := k[q]; multisetremovepred(s: k, k[s] = 0); "
                 "multisetadd(1, k); end; end;"),
            "")
      << "numbers are in their own order";
}

TEST(SymmetryCheck, PropertiesOfEach) {
  EXPECT_EQ(lost("ruleset i: S do\nliveness \"l\" p[i]; end;"), "S2");
  EXPECT_EQ(lost("ruleset i: S do invariant \"i\" p[i]; cover \"c\" p[i]; assume \"a\" p[i]; end;"),
            "");
  EXPECT_EQ(lost("liveness \"l\" exists i: S do p[i] end;"), "");
}

// What no language here can say, but a program can.
struct Raw {
  Raw() {
    MurphiOptions options;
    program = std::move(read_murphi("some.m",
                                    "type S: scalarset(3); var x: S; b: boolean; n: 0..9; rule "
                                    "\"r\" x = x ==> b := true; end;",
                                    options)
                            .program);
  }
  Expr& guard() { return *program.rules[0].guard; }
  Program program;
};

TEST(SymmetryCheck, ProgramsThatAreNotFromALanguage) {
  EXPECT_TRUE(asymmetries(Raw().program).empty());
  Raw order;
  order.guard().op = Op::less;
  EXPECT_EQ(asymmetries(order.program).size(), 1U);
  Raw literal;
  literal.guard().operands[1]->op = Op::literal;
  literal.guard().operands[1]->value = literal.program.symmetries[0].identities.low;
  EXPECT_EQ(asymmetries(literal.program).size(), 1U);
  Raw number;
  number.guard().operands[1]->op = Op::literal;
  number.guard().operands[1]->type = nullptr;
  EXPECT_EQ(asymmetries(number.program).size(), 1U);
  Raw some;
  Header& header = some.program.rules[0].header;
  header.frame.push_back({"i", some.program.variables[0].type, Holds::constant});
  header.parameters.push_back({static_cast<SlotIndex>(header.frame.size() - 1), {0, 1, 2}});
  EXPECT_TRUE(asymmetries(some.program).empty());
  header.parameters.back().values = {0, 1};
  EXPECT_EQ(asymmetries(some.program).size(), 1U);
}

}  // namespace
}  // namespace spillway::program
