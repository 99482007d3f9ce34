"""Compares what undefined values do with what CMurphi 5.4.9.1 does, operation by operation.

TABLE has a row for each operation. CMurphi's column is what it was seen to do, in its default layout; the last two are
our answers without and with --undefined=cmurphi. Each row becomes a model of some twenty lines, which is executed by the
interpreter with symmetry and as tcc compiles it without. Optimized code executes all rows that end without an error as
rules of one model. With --each, each model is executed in all ways, with symmetry and without.

Where the option changes the answer, the message of the error without it has to name the option, and nowhere else.

With the models of other people, a protocol that reads undefined owners is searched as far as CMurphi was.
"""

import itertools
import pathlib
import sys
import tempfile

import spillway_runner

OPTION = "--undefined=cmurphi"

# u* are undefined, and so are all whose names do not end with d or with a value.
HEAD = """type
  E: enum {A, B};
  S: scalarset(2);
  U: union {S, E};
  R: 0..3;
  W: 0..1000;
  T: record s: S; i: R; b: boolean; end;
var
  i, j, one: R; w, wd: W; e, f: E; s, t, sd, sk: S; u, v, ud, ue, uk: U; p, q, bt, bf: boolean;
  r, r2: T; as: array [E] of S; ar: array [R] of R; ae: array [E] of R; au: array [U] of R;
  ms: multiset [2] of S; mu: multiset [2] of U; me: multiset [2] of E; mi: multiset [2] of R; mb: multiset [2] of boolean;
  mr: multiset [2] of T;
  k: R; pk: boolean; ek: E; wk: W;
  x: 0..1000;
"""
START = "ruleset z: S do startstate x := 0; one := 1; wd := 500; sd := z; sk := z; ud := z; uk := z; ue := A; bt := true; bf := false; %s end; end;\n"

# Of a row: the operation; what CMurphi does; what is declared and executed, where @ is another number in each row; what
# we do without and with the option. `yes` and `no` stand for assignments that are seen.
IF = "if {} then yes else no end;"
KEPT = " if isundefined({}) then yes else no end;"  # "yes": it is undefined now


def condition(text, cmurphi, default, option=None):
    return (text, cmurphi, "", IF.format(text), default, option or default)


def assigned(target, value, cmurphi, default, option=None, declared=""):
    text = f"{target} := {value}"
    return (f"{declared} {text}".strip(), cmurphi, declared, f"{text};" + KEPT.format(target), default, option or default)


def statement(text, cmurphi, default, option=None, declared=""):
    return (f"{declared} {text}".strip(), cmurphi, declared, text, default, option or default)


def parameter(formal, argument, cmurphi, default, option=None):
    declared = f"procedure g@({formal}); begin{KEPT.format('a')} end;"
    return statement(f"g@({argument});", cmurphi, default, option, declared)


def returned(type, value, used, cmurphi, default, option=None):
    return statement(used, cmurphi, default, option, f"function f@(): {type}; begin return {value}; end;")


def place(what, cmurphi, head, body, default, option=None):
    """Something else than a rule, with {head} before the rules and {body} in the start states."""
    return (what, cmurphi, (head, body), None, default, option or default)


NOT_CHECKED, UNDEF = "not checked", "undef"
TABLE = [
    # Numbers, enumerations and booleans
    *(condition(text, "error", f"error {name}") for text, name in (
        ("i = j", "i"), ("i = one", "i"), ("i != one", "i"), ("i < one", "i"), ("w = wd", "w"), ("w != wd", "w"), ("w < wd", "w"),
        ("e = f", "e"), ("e = A", "e"), ("e != A", "e"), ("p = q", "p"), ("p = bt", "p"), ("p", "p"), ("!p", "p"), ("p & bf", "p"),
        ("p -> bt", "p"), ("i + 1 = 2", "i"), ("-i = 0", "i"))),
    statement("while p do no end; yes", "error", "error p"),
    statement('assert p "p"; yes', "error", "error p"),
    condition("bf & p", NOT_CHECKED, "no"),
    condition("bt | p", NOT_CHECKED, "yes"),
    condition("bf -> p", NOT_CHECKED, "yes"),
    statement("for z := i to 3 do no end; yes", "error", "error i"),
    statement("for z := 0 to i do no end; yes", "error", "error i"),
    # Scalarsets and unions
    condition("s = t", "true", "error s", "yes"),
    condition("s = sd", "false", "error s", "no"),
    condition("sd = s", "false", "error s", "no"),
    condition("s != sd", "true", "error s", "yes"),
    condition("u = v", "true", "error u", "yes"),
    condition("u = ud", "false", "error u", "no"),
    condition("u = ue", "false", "error u", "no"),
    condition("u = A", "false", "error u", "no"),
    condition("u != ud", "true", "error u", "yes"),
    condition("u = s", "true", "error u", "yes"),
    condition("s = u", "true", "error s", "yes"),
    condition("u = e", "error: e is checked", "error u", "error e"),
    condition("e = u", "error: e is checked", "error e"),
    condition("ue = s", "false", "error s", "no"),
    condition("r.s = sd", "false", "error r.s", "no"),
    condition("as[A] = sd", "false", "error as[A]", "no"),
    condition("r = r2", "refused", "yes"),
    statement("r.s := sd; " + IF.format("r = r2"), "refused", "no"),
    statement("clear ae; " + IF.format("as != as"), "refused", "no"),
    condition("e < f", "refused", "refused"),
    # Assignments
    *(assigned(target, value, UNDEF, "yes") for target, value in
      (("k", "i"), ("wk", "w"), ("ek", "e"), ("sk", "s"), ("uk", "u"), ("pk", "p"), ("k", "undefined"), ("sk", "undefined"),
       ("uk", "undefined"), ("sk", "u"), ("uk", "s"))),
    assigned("sk", "ue", "takes the number", "error outside"),
    statement("r := r2;" + KEPT.format("r.s"), "undef parts stay", "yes"),
    statement("if (bt ? s : t) = sd then yes else no end;", "false", "error s", "no"),
    assigned("sk", "bt ? s : t", UNDEF, "error s", "yes"),
    assigned("uk", "bt ? s : t", UNDEF, "error s", "yes"),
    assigned("uk", "bt ? u : v", UNDEF, "error u", "yes"),
    assigned("ek", "bt ? e : f", "undef (C++ copies)", "error e"),
    assigned("ek", "bt ? e : A", "g++ refuses", "error e"),
    assigned("k", "bt ? i : j", "error", "error i"),
    assigned("pk", "bt ? p : q", "error", "error p"),
    # Parameters
    *(parameter(f"a: {type}", name, UNDEF, "yes") for type, name in (("R", "i"), ("W", "w"), ("E", "e"), ("S", "s"), ("U", "u"), ("boolean", "p"))),
    parameter("a: W", "i", "error", "yes"),
    parameter("a: U", "e", "error", "yes"),
    parameter("a: U", "s", UNDEF, "yes"),
    parameter("a: S", "u", UNDEF, "yes"),
    parameter("var a: S", "s", UNDEF, "yes"),
    parameter("a: S", "undefined", UNDEF, "yes"),
    parameter("a: S", "bt ? s : t", UNDEF, "error s", "yes"),
    statement("alias a: s do" + KEPT.format("a") + " end;", UNDEF, "yes"),
    # Results
    returned("S", "s", "sk := f@();" + KEPT.format("sk"), UNDEF, "error s", "yes"),
    returned("U", "u", "uk := f@();" + KEPT.format("uk"), UNDEF, "error u", "yes"),
    returned("S", "s", IF.format("f@() = sd"), "false", "error s", "no"),
    returned("U", "u", IF.format("f@() = s"), "true", "error u", "yes"),
    returned("S", "s", "au[f@()] := 1; yes", "error", "error s", "error the result of f@"),
    *(returned(type, name, used, "error", f"error {name}") for type, name, used in
      (("R", "i", "k := f@(); yes"), ("R", "i", IF.format("f@() = 1")), ("W", "w", "wk := f@(); yes"), ("E", "e", IF.format("f@() = A")),
       ("boolean", "p", "pk := f@(); yes"), ("boolean", "p", IF.format("f@()")), ("U", "e", "uk := f@(); yes"))),
    returned("E", "e", "ek := f@(); yes", "undef (C++ copies)", "error e"),
    returned("T", "r", "r2 := f@();" + KEPT.format("r2.s"), "undef parts stay", "yes"),
    # Indices
    *(statement(text, "error", f"error {name}") for text, name in
      (("ar[i] := 1; yes", "i"), ("k := ar[i]; yes", "i"), ("ae[e] := 1; yes", "e"), ("au[s] := 1; yes", "s"), ("k := au[s]; yes", "s"),
       ("au[u] := 1; yes", "u"), (KEPT.format("au[s]"), "s"), (KEPT.format("au[u]"), "u"), ("au[bt ? s : t] := 1; yes", "s"))),
    # Switches
    statement("switch i case 1: yes else no end;", "error", "error i"),
    statement("switch e case A: yes else no end;", "error", "error e"),
    statement("switch p case true: yes else no end;", "error", "error p"),
    statement("switch u case A: yes else no end;", "takes else", "error u", "no"),
    statement("switch u case A: yes case B: yes end; no", "goes on", "error u", "no"),
    statement("switch s case sd: yes else no end;", "refused", "error s", "no"),
    statement("switch sd case s: yes else no end;", "refused", "error s"),
    # Places
    place("guard s = sd", "false", "rule s = sd ==> yes end;", "", "error s", "neither"),
    place("guard s != sd", "true", "rule s != sd & x = 0 ==> yes end;", "", "error s", "yes"),
    place("invariant s != sd", "holds", 'invariant "i" s != sd;', "", "violated", "neither"),
    place("start state s = sd", "false", "", IF.format("s = sd"), "error s", "no"),
    place("procedure", "false", "procedure g(); begin " + IF.format("s = sd") + " end; rule x = 0 ==> g(); end;", "", "error s", "no"),
    *(place(f"guard {text}", "error", f"rule {text} ==> yes end;", "", f"error {text[0]}") for text in ("i = 1", "e = A", "p")),
    *(place(f"invariant {text}", "error", f'invariant "i" {text};', "", "violated") for text in ("i = 1", "e = A", "p")),
    # Quantifiers
    condition("forall z: S do z != s end", "true", "error s", "yes"),
    condition("exists z: S do z = s end", "false", "error s", "no"),
    condition("forall z: U do z != u end", "true", "error u", "yes"),
    condition("forall z := 1 to 3 do z != i end", "error", "error i"),
    # isundefined, undefine, clear
    *(condition(f"isundefined({name})", "right", "yes") for name in ("i", "w", "e", "s", "u", "p", "as[A]", "r.s")),
    *(condition(f"isundefined({name})", "right", "no") for name in ("one", "sd", "ud", "ue", "bt")),
    *(statement(f"undefine {name};" + KEPT.format(name), UNDEF, "yes") for name in ("one", "sk", "uk", "bt")),
    statement("multisetadd(sd, ms); undefine ms; " + IF.format("multisetcount(z: ms, true) = 0"), "becomes empty", "yes"),
    statement("clear e; " + IF.format("e = A"), "first value", "yes"),
    # Multisets
    statement("multisetadd(r, mr); " + IF.format("multisetcount(z: mr, isundefined(mr[z].s)) = 1"), "added as it is", "yes"),
    statement("multisetadd(s, ms); " + IF.format("multisetcount(z: ms, isundefined(ms[z])) = 1"), "added as it is", "error s", "yes"),
    statement("multisetadd(u, mu); " + IF.format("multisetcount(z: mu, mu[z] = s) = 1"), "added as it is", "error u", "yes"),
    statement("multisetadd(s, mu); multisetadd(u, mu); " + IF.format("multisetcount(z: mu, mu[z] = v) = 2"), "added as it is", "error s", "yes"),
    statement("multisetadd(e, me); yes", "added as it is (C++ copies)", "error e"),
    statement("multisetadd(i, mi); yes", "error", "error i"),
    statement("multisetadd(p, mb); yes", "error", "error p"),
    statement("multisetadd(r, mr); " + IF.format("multisetcount(z: mr, mr[z].s = sd) = 0"), "false", "error mr[0].s", "yes"),
    statement("multisetadd(r, mr); multisetremovepred(z: mr, mr[z].s = sd); " + IF.format("multisetcount(z: mr, true) = 1"), "false", "error mr[0].s", "yes"),
    place("choose with m[x].s = sd", "false", "choose z: mr do rule mr[z].s = sd ==> yes end; end;", "multisetadd(r, mr);", "error mr[0].s", "neither"),
    statement("multisetadd(r, mr); " + IF.format("multisetcount(z: mr, mr[z].b) = 0"), "error", "error mr[0].b"),
    place("choose with m[x].b", "error", "choose z: mr do rule mr[z].b ==> yes end; end;", "multisetadd(r, mr);", "error mr[0].b"),
    # Others
    condition("ismember(u, S)", "false", "error u", "no"),
    condition("ismember(u, E)", "false", "error u", "no"),
    condition("ismember(e, E)", "error", "error e"),
    *(statement(f"put {name}; yes", 'prints "Undefined"', "yes") for name in ("i", "s", "u")),
]
# Copies are a matter of the dialect, which the option does not change.
RUMUR = [
    assigned("sk", "s", UNDEF, "error s"),
    assigned("uk", "u", UNDEF, "error u"),
    assigned("sk", "bt ? s : t", UNDEF, "error s", "yes"),
    returned("S", "s", "sk := f@();" + KEPT.format("sk"), UNDEF, "error s", "yes"),
    statement("clear s; yes", "refused", "yes"),
]
CMURPHI = [statement("clear s; yes", "refused", "refused")]


def seen(text, number):
    """The text with assignments for yes and no, which tell the rows apart."""
    words = {"yes": f"x := {2 * number + 1};", "no": f"x := {2 * number + 2};"}
    for word, meaning in words.items():
        for end in (" end", "; ", " else", " case"):
            text = text.replace(f" {word}{end}", f" {meaning}{end.lstrip(';')}")
        if text.endswith(f" {word}"):
            text = text[: -len(word)] + meaning
    return text.replace("@", str(number))


def cover(number):
    return f'cover "yes" x = {2 * number + 1};\ncover "no" x = {2 * number + 2};\n'


def rule_of(row, number):
    """What is declared, and the rule."""
    _, _, declared, body, _, _ = row
    return seen(declared, number), seen(f"rule x = 0 ==> {body} end;", number)


def model_of(row, number=0):
    _, _, declared, body, _, _ = row
    if body is None:
        declared, at_start = declared
        return HEAD + seen(declared, number) + "\n" + START % seen(at_start, number) + cover(number)
    return HEAD + "\n".join(rule_of(row, number)) + "\n" + START % "" + cover(number)


def answer_of(outcome):
    """As in the table, and whether the option is named."""
    if outcome.code == spillway_runner.EXIT_REFUSED:
        return "refused", False
    properties = (outcome.document or {}).get("properties")
    if not properties:
        return str(outcome), False
    failed = [each for each in properties if each["verdict"] == "violated" and each["kind"] != "cover"]
    if failed:
        message = failed[0].get("message") or ""
        if failed[0]["kind"] == "invariant":
            return "violated", OPTION in failed[0]["explanation"]
        what = message.split(": ", 1)[-1].split(" is ")
        return "error " + ("outside" if what[1:] and what[1].startswith("outside") else what[0]), OPTION in message
    met = [each["name"] for each in properties if each["kind"] == "cover" and each["verdict"] == "verified"]
    return (met or ["neither"])[0], False


class Comparison:
    def __init__(self, spillway, folder):
        self.spillway = spillway
        self.model = pathlib.Path(folder) / "model.m"
        self.tally = spillway_runner.Tally()

    def search(self, text, *options):
        self.model.write_text(text, encoding="utf-8")
        return self.spillway.check(self.model, "--run-dir=none", "--deadlock=off", "--threads=1", *options)

    def compare(self, row, ways, *dialect):
        what, cmurphi, _, _, *wanted = row
        wrong = []
        for meaning, expected in zip(("error", "cmurphi"), wanted):
            for way, symmetry in ways:
                got, names_option = answer_of(self.search(model_of(row), f"--undefined={meaning}", f"--execute={way}", f"--symmetry={symmetry}", *dialect))
                if got != expected.replace("@", "0"):
                    wrong.append(f"{way}, symmetry {symmetry}, --undefined={meaning}: {got}, not {expected}")
                if names_option != (meaning == "error" and wanted[0] != wanted[1]):
                    wrong.append(f"{way}, --undefined={meaning}: the message names the option{'' if names_option else ' not'}")
        self.tally.count(f"{what} (CMurphi: {cmurphi})", wrong)

    def compare_together(self, rows):
        """Those that end without an error, as rules of one model, by optimized code."""
        numbered = [(number, row) for number, row in enumerate(rows) if row[3] is not None and row[5] in ("yes", "no")]
        declarations, rules = zip(*(rule_of(row, number) for number, row in numbered))
        covers = "".join(f'cover "{k}" x = {k};\n' for k in range(2 * len(rows) + 1))
        text = HEAD + "\n".join((*declarations, START % "", *rules, covers))
        for symmetry in ("off", "exhaustive"):
            outcome = self.search(text, OPTION, "--execute=optimized", f"--symmetry={symmetry}")
            met = {p["name"] for p in (outcome.document or {}).get("properties", ()) if p["kind"] == "cover" and p["verdict"] == "verified"}
            wanted = {"0", *(str(2 * number + (1 if row[5] == "yes" else 2)) for number, row in numbered)}
            differences = [f"x = {value} is different" for value in sorted(met ^ wanted)]
            self.tally.count(f"optimized code, symmetry {symmetry}", differences)


# A protocol, and what CMurphi counts: `mu -b`, symmetry off.
PROTOCOL = "MESIxCXLxRCC__2Cl_2CC__FullMurphi__MU_FullSystem_2CC.m"
QUICK = 12
COUNTS = {  # to a depth: states, and transitions; 12 is ours
    QUICK: (96_729, 705_575),
    17: (747_407, None),
    20: (1_898_523, 13_092_600),
    21: (2_514_717, None),
}


def compare_protocol(comparison, model, depth):
    """An undefined owner is read at depth 20 for the first time."""
    way = "tcc" if depth == QUICK else "optimized"
    outcome = comparison.spillway.check(
        model, OPTION, f"--max-depth={depth}", "--symmetry=off", "--run-dir=none", f"--execute={way}", timeout_seconds=3600
    )
    found = outcome.document or {}
    wrong = [] if outcome.code == spillway_runner.EXIT_BOUND else [str(outcome)]
    for what, expected in zip(("states", "transitions"), COUNTS[depth]):
        if expected is not None and found.get(what) != expected:
            wrong.append(f"{found.get(what)} {what}, not {expected}")
    comparison.tally.count(f"{PROTOCOL} to depth {depth}", wrong)


def main():
    options = spillway_runner.parser(__doc__)
    spillway_runner.add_least(options)
    spillway_runner.add_shared(options)
    options.add_argument("--each", action="store_true", help="each model in each way, also compiled with optimization")
    options.add_argument("--depths", type=int, nargs="*", default=[QUICK], choices=COUNTS, help="of the protocol")
    arguments = options.parse_args()
    ways = [("interpreter", "exhaustive"), ("tcc", "off")]
    if arguments.each:
        ways = list(itertools.product(("interpreter", "tcc", "optimized"), ("off", "exhaustive")))
    with tempfile.TemporaryDirectory(prefix="spillway-undefined-") as folder:
        comparison = Comparison(spillway_runner.Spillway(arguments.spillway), folder)
        for row in TABLE:
            comparison.compare(row, ways)
        for row in RUMUR:
            comparison.compare(row, ways, "--dialect=rumur")
        for row in CMURPHI:
            comparison.compare(row, ways, "--dialect=cmurphi")
        comparison.compare_together(TABLE)
        model = arguments.shared / "models" / "murphi" / "vcxlgen" / PROTOCOL
        if not spillway_runner.absent(model):
            for depth in arguments.depths:
                compare_protocol(comparison, model, depth)
        return comparison.tally.finish(arguments.at_least)


if __name__ == "__main__":
    sys.exit(main())
