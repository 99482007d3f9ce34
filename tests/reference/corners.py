"""Models about one question each: what is evaluated first, what fails, what is left as it was.

Random models meet most of these now and then; here each is met every time. The manual has the answers. The values that
are reached are seen by `cover` properties, of which each that is never met is told as violated.
"""

import itertools

TYPES = """type E: enum {e1, e2, e3}; R: 0..3; W: 0..5; Q: record a: R; b: boolean; end; A: array [0..2] of R;
"""
MORE_TYPES = TYPES + "S: scalarset(2); U: union {S, E}; M: multiset [3] of Q; MR: multiset [3] of R;\n"
VARIABLES = "var x: R; y: R; w: W; q: Q; q2: Q; a: A; a2: A; b: boolean; e: E;\n"
MORE_VARIABLES = VARIABLES + "u: U; m: M; n: MR; n2: MR; au: array [U] of R;\n"
START = "startstate x := 0; w := 0; b := false; end;\n"
PARTS = {"x": 4, "y": 4, "w": 6, "a[0]": 4, "a[2]": 4, "q.a": 4}
SEEN = "".join(
    f'cover "{part} = {value}" !isundefined({part}) & {part} = {value};\n'
    for part, count in PARTS.items()
    for value in range(count)
) + "".join(f'cover "{part} undefined" isundefined({part});\n' for part in [*PARTS, "b"])
SEEN_BAG = "".join(
    f'cover "{k} in n" multisetcount(i: n, true) = {k};\n'
    f'cover "{k} is in n" multisetcount(i: n, !isundefined(n[i]) & n[i] = {k}) > 0;\n'
    for k in range(4)
)
CHANGES_X = "function f(): R; begin x := 2; return 1; end;\n"
CUTS = "function f(i: R): boolean; begin assume x < i; return w < 2; end;\n"
ASSERTS = 'function f(): R; begin assert false "f"; return 1; end;\n'

# What is executed from x = 0, as a rule "x = 0 ==>".
STATEMENTS = {
    "an undefined variable is copied": "x := 1; y := y;",
    "an undefined variable is copied in parentheses": "x := 1; y := (y);",
    "an undefined variable is copied by a conditional": "y := b ? x : y; x := 1;",
    "an undefined variable is read by a conditional that is decided": "y := true ? y : y; x := 1;",
    "an undefined variable is read by a conjunction that is decided": "b := true & b; x := 1;",
    "undefined is assigned": "y := 1; y := undefined; x := 1;",
    "undefined is compared": "if y = 1 then x := 1; end; x := 2;",
    "undefined records are equal": "if q = q2 then x := 1; else x := 2; end;",
    "partly defined records are not": "q.a := 1; if q = q2 then x := 1; else x := 2; end;",
    "put evaluates nothing": "put y; put 1 / x; x := 1;",
    "an alias is bound even if nobody uses it": "alias z: a[w + 3] do x := 1; end;",
    "an alias of a value keeps it": "alias z: x + 1 do x := 2; w := z; end;",
    "an alias of a value that is undefined": "alias z: y + 1 do x := 2; end;",
    "an alias keeps its index": "alias z: a[x] do x := 2; z := 1; end;",
    "shifts": "w := (1 << 2) + (3 >> 1); x := 1;",
    "a shift by 64": "w := 1 << 64; x := 1;",
    "a shift by 64 that is computed": "w := (x + 1) << (x + 64); x := 1;",
    "a shift by 63": "w := (1 << 63) % 4; x := 1;",
    "shifts by negative numbers": "w := (4 << (x - 1)) + (1 >> (x - 1)); x := 1;",
    "a shift to the right by 70": "w := ((0 - 1) >> (x + 70)) + 2; x := 1;",
    "the least number": "w := (x - 9223372036854775807) % 2 + 1; x := 1;",
    "below the least number": "w := (x - 9223372036854775807 - 1) % 2; x := 1;",
    "the largest number": "w := (9223372036854775807 + x) % 2; x := 1;",
    "above the largest number": "w := (9223372036854775807 + 1 + x) % 2; x := 1;",
    "remainders have the sign of the left": "w := (-5 % 3) + 3; x := 1;",
    "quotients are cut": "w := (-5 / 3) + 3; x := 1;",
    "xor binds more than or": "w := 1 | 3 ^ 1; x := 1;",
    "and binds more than xor": "w := 2 & 3 ^ 2; x := 1;",
    "sums bind more than and": "w := 3 & 1 + 1; x := 1;",
    "shifts bind less than sums": "w := 1 << 1 + 1; x := 1;",
    "shifts bind more than comparisons": "b := 1 << 1 = 2; x := 1;",
    "not binds less than comparisons": "b := !x = 1; x := 1;",
    "not binds more than and": "b := !b & b; x := 1;",
    "implication binds less than or": "b := b -> b | true; x := 1;",
    "conditionals from the right": "w := b ? 1 : b ? 2 : 3; x := 1;",
    "complement": "w := ~x + 1; x := 1;",
    "bounds of a loop are evaluated once": "for i := 0 to 2 + x do x := 1; w := i; end;",
    "a step that is 0": "for i := 0 to 5 by x do w := i; end; x := 1;",
    "steps down": "for i := 3 to 0 by -2 do w := i; end; x := 1;",
    "steps down to the end": "for i := 3 to 0 by -1 do w := i; end; x := 1;",
    "a loop without turns": "for i := 3 to x do w := i; end; x := 1;",
    "a quantifier with steps": "b := forall i := 0 to 4 by 2 do i % 2 = 0 end; x := 1;",
    "a quantifier stops early": "b := exists i := 0 to 3 do 1 / (1 - i) = 1 end; x := 1;",
    "a quantifier without turns": "b := forall i := 3 to x do y = 1 end; x := 1;",
    "the condition of a loop is evaluated anew": "while x < 3 do x := x + 1; w := w + 1; end;",
    "a loop that does not end": "while x < 3 do w := 1; end;",
    "an undefined condition": "while y < 3 do x := 1; end;",
    "the first case counts": "switch x case 0: w := 1; case 0, 1 / x: w := 2; else w := 3; end; x := 1;",
    "cases from the left": "switch x + 1 case 1 / x: w := 1; end; x := 1;",
    "no case": "switch x + 1 case 0: w := 1; case 2: w := 2; end; x := 1;",
    "an undefined switch": "switch y case 0: w := 1; end; x := 1;",
    "an index that does not exist": "w := a[w + 3]; x := 1;",
    "a rule may return": "x := 1; return; x := 2;",
    "short circuits": "b := x = 1 & 1 / x = 1 | x = 0 | 1 / x = 1; x := 1;",
    "implication is decided by its left side": "b := x = 1 -> 1 / x = 1; x := 1;",
    "a copy of an array": "a[0] := 1; a2 := a; a[0] := 2; w := a2[0]; x := 1;",
    "all of a record is cleared": "clear q; clear a; x := q.a + 1;",
    "all of an array is undefined": "clear a; undefine a; x := 1;",
    "out of range": "x := 1; x := x + 3;",
    "division by zero": "x := 1 / x;",
    "an assumption": "x := 1; assume w = 1;",
}
# Declarations, and what is executed from x = 0.
ROUTINES = {
    "the value is computed before the index": (CHANGES_X, "a[x] := f();"),
    "operands from the left": (CHANGES_X, "w := x + f();"),
    "operands from the left, 2": (CHANGES_X, "w := f() + x;"),
    "arguments from the left": (CHANGES_X + "function g(i: R; j: R): W; begin return i; end;\n", "w := g(x, f());"),
    "places of arguments from the left": (CHANGES_X + "procedure g(var i: R; j: R); begin i := j; end;\n", "g(a[x], f());"),
    "the left operand fails first": (ASSERTS, "w := f() + 1 / x;"),
    "the left operand fails first, 2": (ASSERTS, "w := 1 / x + f();"),
    "the value fails before the index": (ASSERTS, "a[w + 3] := f();"),
    "an undefined argument": ("procedure p(i: R); begin x := isundefined(i) ? 2 : 1; end;\n", "p(y);"),
    "an undefined result": ("function f(): R; begin return y; end;\n", "q.a := f(); x := 1;"),
    "an argument that does not fit": ("procedure p(i: R); begin x := 1; end;\n", "p(w + 4);"),
    "a result that does not fit": ("function f(): R; begin return w + 4; end;\n", "w := f(); x := 1;"),
    "a function without return": ("function f(): R; begin if x = 1 then return 1; end; end;\n", "w := f(); x := 1;"),
    "its result is not used": ("function f(): R; begin if x = 1 then return 1; end; end;\n", "f(); x := 1;"),
    "an array that is no var parameter": ("procedure p(i: A); begin a[0] := 2; x := i[0]; end;\n", "a[0] := 1; p(a);"),
    "a var parameter is the variable": ("procedure p(var i: R); begin i := 2; w := x; end;\n", "p(x);"),
    "the subject of a switch is evaluated once": (CHANGES_X, "switch f() case 0: w := 1; case 1: w := x; case 2: w := 3; end;"),
    "400 calls": ("function f(i: 0..999): R; begin if i = 0 then return 1; end; return f(i - 1); end;\n", "x := f(399);"),
    "401 calls": ("function f(i: 0..999): R; begin if i = 0 then return 1; end; return f(i - 1); end;\n", "x := f(400);"),
    "a procedure may return": ("procedure p(); begin x := 1; return; x := 2; end;\n", "p();"),
    "local variables begin undefined": ("procedure p(); var l: R; begin if isundefined(l) then l := 1; end; x := l; end;\n", "p();"),
    "a local variable hides a global one": ("procedure p(); var x: R; begin x := 3; w := x; end;\n", "p(); x := 1;"),
}
# Behind the declarations.
RULES = {
    "the first failure of a state counts": 'rule x = 0 ==> x := 1 / w; end; rule error "e"; end; rule x := 1; end;',
    "the first failure of a state counts, 2": 'rule x := 1; end; rule error "e"; end; rule x := 1 / w; end;',
    "an alias around a rule is bound first": "alias z: a[w + 3] do rule x = 1 ==> x := 1; end; end; rule x := 1; end;",
    "a start that fails": "startstate x := 1 / 0; end; rule x := 2; end;",
    "an assumption about states": "rule x := 1; end; rule x := 2; end; rule x := 0; end; assume x < 2;",
    "an assumption that cannot be evaluated": "rule x < 3 ==> x := x + 1; end; assume 1 / (x - 2) < 9;",
    "all successors assumed away": "rule x := 2; end; assume x < 2;",
    "all steps assumed away": "rule x := 2; assume x < 2; end;",
    "an assumption in a ruleset": "rule x := (x + 1) % 4; end; ruleset i: 2..3 do assume x != i; end;",
    "covers and liveness that cannot be evaluated": 'rule x := (x + 1) % 4; end; cover "c" 1 / (x - 2) < 9 & x = 3; cover "d" 1 / x = 8; '
    'liveness "l" 1 / x = 8; liveness "k" 1 / (x - 2) = 1;',
    "an invariant that cannot be evaluated": 'rule x := (x + 1) % 4; end; invariant "i" 1 / (2 - x) < 9;',
    "an assertion in an invariant": 'function f(i: R): boolean; begin assert i < 2 "as"; return true; end; rule x := (x + 1) % 4; end; '
    'invariant "i" f(x);',
    "liveness in a ruleset": 'rule x := (x + 1) % 3; end; ruleset i: 0..2 do liveness "l" x = i; end; ruleset i: 2..3 do liveness "k" x = i; end;',
    "cover in a ruleset": 'rule x := (x + 1) % 3; end; ruleset i: R do cover "c" x = i; end;',
    "a ruleset with steps": "ruleset i := 0 to 3 by 2 do rule x := i; end; end;",
    "priorities": 'rule 5 "high" x = 1 ==> x := 2; end; rule "usual" x < 2 ==> x := x + 1; w := 1; end; rule 99 "low" x := 3; end;',
    "priorities in rulesets": 'ruleset i: R do rule 5 "high" x = i & i = 1 ==> x := 2; end; end; rule "usual" x := (x + 1) % 4; end;',
    "an assumption in a guard": CUTS + "ruleset i: R; j: R do rule f(i) & j != 2 ==> x := j; end; end; rule x := (x + 1) % 4; end;",
    "an assumption behind what decides": CUTS + "ruleset i: R do rule i = 1 & f(i) | i = 2 ==> x := i; end; end; rule x := (x + 1) % 4; end;",
    "an assumption around a rule": CUTS + "alias z: f(2) do rule x := z ? 1 : 0; end; end; rule x := (x + 1) % 4; end;",
    "an assumption in a guard, and nothing else": CUTS + "rule f(0) ==> x := 1; end;",
    "an assumption in a guard with priority": CUTS + 'rule 5 "high" w = 1 & f(2) ==> w := 0; end; rule "usual" x := (x + 1) % 4; w := 1; end;',
    "an assumption in a guard without priority": CUTS + 'rule 99 "low" f(2) ==> x := 0; end; rule "usual" x < 3 ==> x := x + 1; end;',
    "stuttering": "rule x < 2 ==> x := x + 1; end; rule x = 2 ==> x := x; end;",
}
# From an n with 2, 1 and 1 in it, as a rule for each element: "choose i: n do rule x = 1 ==>".
BAGS = {
    "equal elements are chosen each": "w := n[i]; x := 2;",
    "an element is removed": "multisetremove(i, n); x := 2;",
    "an element is removed twice": "multisetremove(i, n); multisetremove(i, n);",
    "what was removed is read": "multisetremove(i, n); w := n[i] + 2;",
    "what was removed is asked about": "multisetremove(i, n); if isundefined(n[i]) then w := 2; end;",
    "what was removed is written": "multisetremove(i, n); n[i] := 2;",
    "what was removed is read through an alias": "alias z: n[i] do multisetremove(i, n); y := z; end;",
    "what was removed is written through an alias": "alias z: n[i] do multisetremove(i, n); z := 2; end;",
    "a place is used again": "multisetremove(i, n); multisetadd(3, n); w := n[i]; x := 2;",
    "it is full": "multisetadd(3, n); x := 2;",
    "an undefined element": "multisetremove(i, n); multisetadd(y, n); x := 2;",
    "an element that does not fit": "multisetremove(i, n); multisetadd(w + 4, n); x := 2;",
    "elements with a property are removed": "multisetremovepred(j: n, n[j] = n[i]); x := 2;",
    "what is removed is decided before it is": "multisetremovepred(j: n, multisetcount(k: n, true) > 1); x := 2;",
    "a multiset is copied": "n2 := n; multisetremove(i, n); n := n2; x := 2;",
    "a multiset is cleared": "clear n; x := 2;",
    "an element is undefined": "undefine n[i]; x := 2;",
    "elements are counted": "w := multisetcount(j: n, n[j] = n[i]); x := 2;",
    "counting fails": "w := multisetcount(j: n, 1 / (n[j] - 2) < 9); x := 2;",
    "a union has its own type": "u := e2; b := u = e2; e := u; x := 2;",
    "a member of a union of the wrong type": "for p: S do u := p; end; e := u; x := 2;",
    "an array with a union as index": "u := e2; au[u] := 2; for p: S do au[p] := 3; end; w := au[e2]; x := 2;",
    "an undefined union": "if ismember(u, S) then x := 2; end;",
    "a switch over a union": "for v: U do u := v; switch u case e1: w := 1; case e2: w := w + 2; else w := w; end; end; x := 2;",
    "the order of a union": "for v: U do u := v; end; if ismember(u, E) then w := 3; else w := 4; end; x := 2;",
}


# With symmetry: all that can be said of some identities, up to their names.
IDENTITIES = {
    "functions of three identities": "type S: scalarset(3); var a: array [S] of S;\nstartstate undefine a; end;\n"
    "ruleset i: S; j: S do rule a[i] := j; end; end;\n",
    "assumptions in guards about three identities": "type S: scalarset(3); var a: array [S] of 0..2;\n"
    "function f(i: S): boolean; begin assume a[i] > 0; return a[i] < 2; end;\nstartstate clear a; end;\n"
    "ruleset i: S do rule f(i) ==> a[i] := 2; end; rule a[i] < 2 ==> a[i] := a[i] + 1; end;\n"
    "rule exists j: S do j != i & a[j] = 1 end & f(i) ==> a[i] := 0; end; end;\n"
    "rule forall i: S do f(i) end ==> clear a; end;\n",
    "functions of four identities": "type S: scalarset(4); var a: array [S] of S;\nstartstate undefine a; end;\n"
    "ruleset i: S; j: S do rule isundefined(a[i]) ==> a[i] := j; end; end;\n",
    "rings of four identities": "type S: scalarset(4); var a: array [S] of S;\nstartstate undefine a; end;\n"
    "ruleset i: S; j: S; k: S; l: S do rule i != j & i != k & i != l & j != k & j != l & k != l ==>\n"
    "a[i] := j; a[j] := k; a[k] := l; a[l] := i; end; end;\n",
    "relations of three identities": "type S: scalarset(3); var a: array [S] of array [S] of boolean;\n"
    "startstate for i: S do for j: S do a[i][j] := false; end; end; end;\n"
    "ruleset i: S; j: S do rule a[i][j] := !a[i][j]; end; end;\n",
    "two kinds of identities": "type S: scalarset(3); T: scalarset(2); var a: array [S] of T; b: array [T] of S;\n"
    "startstate undefine a; undefine b; end;\nruleset i: S; j: T do rule a[i] := j; end; rule b[j] := i; end; end;\n",
    "pairs of identities in a multiset": "type S: scalarset(3); P: record a: S; b: S; end; var m: multiset [2] of P;\n"
    "startstate undefine m; end;\nruleset i: S; j: S do rule multisetcount(k: m, true) < 2 ==> var p: P; begin\n"
    "p.a := i; p.b := j; multisetadd(p, m); end; end;\nchoose k: m do rule multisetremove(k, m); end; end;\n"
    "rule undefine m; end;\n",
    "identities in a union": "type S: scalarset(3); E: enum {home}; U: union {E, S}; var a: array [U] of U; n: 0..3;\n"
    "startstate undefine a; n := 0; end;\nruleset i: U; j: U do rule n < 3 ==> a[i] := j; n := n + 1; end; end;\n",
}


# Undefined scalarset and union values, by both meanings. The declarations, and what is executed from x = 0; s, s2, u, v,
# e and y are undefined, sd is not.
UNDEFINED = {
    name: (declarations, statements)
    for name, declarations, statements in (
        ("compared", "", "if s = s2 & u = v & u = s & !(s = sd) & s2 != sd & u != sd then x := 1; end;"),
        ("an enumeration is compared with a union", "", "if e = u then x := 1; end;"),
        ("a union is compared with an enumeration", "", "e := e1; if u = e | e = u | u = e1 then x := 1; else x := 2; end;"),
        ("a number is compared", "", "if y = y then x := 1; end;"),
        ("quantifiers", "", "if forall z: S do z != s end & !exists z: U do z = u end then x := 1; end;"),
        ("loop that searches", "", "for z: S do if z = s then x := 1; end; end; x := 2;"),
        ("ismember", "", "if ismember(u, S) | ismember(u, E) then x := 1; else x := 2; end;"),
        ("ismember of an enumeration", "", "if ismember(e, E) then x := 1; end;"),
        ("switch with else", "", "switch u case e1: x := 1; else x := 2; end;"),
        ("switch without", "", "switch u case e1: x := 1; case e2: x := 2; end; w := 1; x := 3;"),
        ("a case", "", "switch sd case s: x := 1; else x := 2; end;"),
        ("switch on an enumeration", "", "switch e case e1: x := 1; else x := 2; end;"),
        ("conditional", "", "if (b ? sd : s) = s2 then x := 1; end;"),
        ("conditional of a union and an enumeration", "", "if (b ? u : e) = v then x := 1; end;"),
        ("conditional that is assigned", "", "s2 := sd; s2 := b ? sd : s; if isundefined(s2) then x := 1; end;"),
        ("conditional that is assigned to a union", "", "u := b ? sd : s; if u = s then x := 1; end;"),
        ("conditional of enumerations", "", "e := b ? e1 : e; x := 1;"),
        ("conditional as an index", "", "au[b ? sd : s] := 1; x := 1;"),
        ("index", "", "au[s] := 1; x := 1;"),
        ("result that is compared", "function f(): S; begin return s; end;", "if f() = s2 & f() != sd then x := 1; end;"),
        ("result that is assigned", "function f(): S; begin return s; end;", "s2 := sd; s2 := f(); if isundefined(s2) then x := 1; end;"),
        ("result that is assigned to an enumeration", "function f(): U; begin return u; end;", "e := f(); x := 1;"),
        ("result that is an enumeration", "function f(): E; begin return u; end;", "u := f(); x := 1;"),
        ("result of an enumeration", "function f(): U; begin return e; end;", "u := f(); x := 1;"),
        ("result that is returned", "function f(): S; begin return s; end; function g(): U; begin return f(); end;", "if g() = v then x := 1; end;"),
        ("result that is passed", "function f(): S; begin return s; end; function g(a: U): R; begin return a = s ? 2 : 3; end;", "x := g(f());"),
        ("result as an index", "function f(): S; begin return s; end;", "au[f()] := 1; x := 1;"),
        ("result with an alias", "function f(): S; begin return s; end;", "alias z: f() do x := 1; end;"),
        ("parameter", "function g(a: S; var c: U): boolean; begin return a = s2 & a = c; end;", "if g(s, u) then x := 1; end;"),
        ("conditional that is passed", "function g(a: S): boolean; begin return a = s2; end;", "if g(b ? sd : s) then x := 1; end;"),
        ("a variable that is copied", "", "s2 := sd; s2 := s; if s2 = s then x := 1; end;"),
        ("multisetadd", "", "multisetadd(s, ms); multisetadd(sd, ms); multisetadd(s2, ms); if multisetcount(i: ms, ms[i] = u) = 2 then x := 1; end;"),
        ("multisetadd of an enumeration", "", "multisetadd(e, ms); x := 1;"),
        ("multisetadd of a conditional", "", "multisetadd(b ? sd : s, ms); multisetadd(sd, ms); multisetremovepred(i: ms, ms[i] = sd);"
         " if multisetcount(i: ms, isundefined(ms[i])) = 1 then x := 1; end;"),
        ("records", "", "if q = q2 then x := 1; end;"),
        ("assert", "", 'assert s != sd "never"; x := 1;'),
    )
}


def undefined():
    """(name, text) of those that --undefined changes, or might."""
    types = MORE_TYPES.replace("MR:", "MS: multiset [3] of U; MR:")
    variables = MORE_VARIABLES + "s: S; s2: S; sd: S; v: U; ms: MS;\n"
    start = "ruleset z: S do startstate x := 0; w := 0; b := false; sd := z; end; end;\n"
    seen = SEEN + 'cover "s" isundefined(s); cover "s2" isundefined(s2); cover "u" isundefined(u); cover "one" multisetcount(i: ms, true) = 1;\n'
    for name, (declarations, statements) in UNDEFINED.items():
        yield f"no value: {name}", f"{types}{variables}{declarations}{start}rule x = 0 ==> {statements} end;\n{seen}"
    guard = 'rule s = sd ==> x := 1; end; rule u != sd & x = 0 ==> x := 2; end;\ninvariant "i" x = 1 | s != sd;\n'
    yield "no value: guard and invariant", f"{types}{variables}{start}{guard}{seen}"


def murphi():
    """(name, text) of all."""
    for name, statements in STATEMENTS.items():
        yield name, f"{TYPES}{VARIABLES}{START}rule x = 0 ==> {statements} end;\n{SEEN}"
    for name, (declarations, statements) in ROUTINES.items():
        yield name, f"{TYPES}{VARIABLES}{declarations}{START}rule x = 0 ==> {statements} end;\n{SEEN}"
    for name, rules in RULES.items():
        yield name, f"{TYPES}{VARIABLES}{START}{rules}\n"
    fills = "rule x = 0 ==> multisetadd(2, n); multisetadd(1, n); multisetadd(1, n); x := 1; end;\n"
    for name, statements in BAGS.items():
        chosen = f"choose i: n do rule x = 1 ==> {statements} end; end;\n"
        yield name, f"{MORE_TYPES}{MORE_VARIABLES}{START}{fills}{chosen}{SEEN}{SEEN_BAG}"


THREE = """process A { state a0, a1; init a0; trans a0 -> a1 { %s }; }
process B { state b0, b1; init b0; trans b0 -> b1 { %s }; }
process C { state c0, c1, c2; init c0; commit c1; trans c0 -> c1 {}, c1 -> c2 {}; }
"""
PAIR = """process A { byte i; state a0, a1; init a0; trans a0 -> a1 { %s }; }
process B { byte i = 1; state b0, b1; init b0; assert b1: 1; trans b0 -> b1 { %s }; }
"""
DVE = {
    "two meet while a third is committed": "channel c;\n" + THREE % ("sync c!;", "sync c?;"),
    "one sends while another is committed": "channel {byte} c[1];\nbyte x;\n" + THREE % ("sync c!1;", "sync c?x;"),
    "the local state changes before the effects": "byte x, y;\n" + PAIR % ("effect x = A.a1, y = A.a0;", "effect y = 2;"),
    "the receiver comes first": "byte x = 1;\nchannel c;\n" + PAIR % ("sync c!; effect x = x * 3;", "sync c?; effect x = x + 1;"),
    "the effects of the receiver come first, which another sees": "byte x = 1;\nchannel c;\n"
    + PAIR % ("sync c!; effect x = x * 3;", "sync c?; effect x = x + 1;")
    + "process D { state d0, d1; init d0; trans d0 -> d1 { guard x == 6; }; }\n",
    "the receiver does not see where the sender goes": "byte x;\nchannel c;\n"
    + PAIR % ("sync c!;", "sync c?; effect x = A.a0 * 2 + B.b1;"),
    "the sender sees where the receiver has gone": "byte x;\nchannel c;\n"
    + PAIR % ("sync c!; effect x = A.a1 * 2 + B.b1;", "sync c?;"),
    "a message is computed before it is stored": "byte x = 1, y = 2;\nchannel c;\n" + PAIR % ("sync c!{y, x};", "sync c?{x, y};"),
    "the index of a target": "byte a[2], x;\nchannel c;\n" + PAIR % ("sync c!{1, 7};", "sync c?{x, a[x]};"),
    "a message does not fit its channel": "int x;\nchannel {byte} c[0];\n" + PAIR % ("sync c!300;", "sync c?x;"),
    "a message does not fit its target": "byte x;\nchannel {int} c[0];\n" + PAIR % ("sync c!300;", "sync c?x;"),
    "a value that does not fit": "byte x = 250;\nint y;\n" + PAIR % ("effect x = x + 10, y = 40000;", ""),
    "a negative value": "byte x;\n" + PAIR % ("effect x = 0 - 1;", ""),
    "a product beyond 64 bits": "byte x = 2;\n" + PAIR % ("effect x = (x << 62) * x > 0;", ""),
    "a shift by 64": "byte x = 2;\n" + PAIR % ("effect x = x << 64;", ""),
    "the guard fails": "byte x;\n" + PAIR % ("guard 1 / x;", ""),
    "the guard of a receiver fails": "byte x;\nchannel c;\n" + PAIR % ("sync c!;", "guard 1 / x; sync c?;"),
    "the guard fails while nobody receives": "byte x;\nchannel c;\n" + PAIR % ("guard 1 / x; sync c!;", ""),
    "the guard fails while the channel is empty": "byte x;\nchannel {byte} c[1];\n" + PAIR % ("guard 1 / x; sync c?x;", ""),
    "an assertion cannot be evaluated": "byte x;\nprocess A { state a; init a; assert a: 1 / x; trans a -> a {}; }\n",
    "and and or from the left": "byte x;\n" + PAIR % ("effect x = 1 or 0 and 0;", ""),
    "bits from the left": "byte x;\n" + PAIR % ("effect x = 1 | 2 & 2;", ""),
    "equality binds more than bits": "byte x;\n" + PAIR % ("effect x = 2 & 2 == 2;", ""),
    "not binds most": "byte x = 2;\n" + PAIR % ("effect x = not x == 0;", ""),
    "implication from the left": "byte x;\n" + PAIR % ("effect x = 0 imply 0 imply 0;", ""),
    "a negative number on the right": "byte x;\n" + PAIR % ("effect x = 1 and -1;", ""),
    "an array without index": "byte a[2] = {3, 4};\n" + PAIR % ("effect a = a + 1;", ""),
    "quotients and remainders": "int x, y;\n" + PAIR % ("effect x = -7 / 2, y = -7 % 2;", ""),
    "a channel keeps the order": "byte x, y;\nchannel {byte} c[2];\n"
    "process A { state a, b, d; init a; trans a -> b { sync c!1; }, b -> d { sync c!2; }; }\n"
    "process B { state a, b, d; init a; trans a -> b { sync c?x; }, b -> d { sync c?y; }; }\n",
    "the channel comes before the effects": "byte x = 1;\nchannel {byte} c[1];\n" + PAIR % ("sync c!x; effect x = 2;", "sync c?x; effect x = x + 5;"),
    "elements of one array at once": "byte a[2];\n" + PAIR % ("effect a[0] = 1;", "effect a[1] = 1;"),
    "three are committed": "channel c;\n"
    + "".join(f"process P{i} {{ state a, b; init a; commit a; trans a -> b {{ sync c{'!?'[i % 2]}; }}, a -> b {{}}; }}\n" for i in range(4)),
    "committed and stuck": "channel c;\nprocess P { state a; init a; commit a; trans a -> a { sync c!; }; }\n"
    "process Q { state a; init a; trans a -> a { sync c?; }; }\n",
}


OBSERVED = """byte x;
process A { state a; init a; trans a -> a { guard x < 2; effect x = x + 1; }; }
process Observer { state o, p; init o; accept p; trans o -> o {}, o -> p { guard x; }, p -> p { guard x == 2; }; }
system async property Observer;
"""


def dve():
    """(name, text) of all, as asynchronous and as synchronous systems."""
    for (name, text), system in itertools.product(DVE.items(), ("async", "sync")):
        yield f"{name}, {system}", f"{text}system {system};\n"
    yield "a property process", OBSERVED
