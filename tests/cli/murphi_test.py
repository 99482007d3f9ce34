"""Models in Murphi: hostile texts, exit codes, options, lint, the cache of compiled models, the time to start."""

import collections
import concurrent.futures
import itertools
import operator
import os
import random
import re
import resource
import stat
import subprocess

import tool

EXAMPLES = sorted((tool.SOURCE / "examples").glob("*/*.m"))

# One model whose every text and name is a gap to be filled.
GAPS = """\
-- %(comment)s
const %(const)s: 3;
type %(type)s: 0 .. %(const)s; %(enum)s: enum {%(member)s, Other}; %(set)s: scalarset(2);
  %(record)s: record %(field)s: %(type)s; Second: %(enum)s; end;
var %(variable)s: %(record)s; Flags: array [%(set)s] of boolean;
function %(function)s(%(parameter)s: %(type)s): %(type)s;
var %(local)s: %(type)s;
begin %(local)s := %(parameter)s + 1; return %(local)s; end;
startstate "%(start)s"
  %(variable)s.%(field)s := 0; %(variable)s.Second := %(member)s;
  for %(counter)s: %(set)s do Flags[%(counter)s] := false; end;
end;
ruleset %(ruleset)s: %(set)s do
  rule "%(rule)s" %(variable)s.%(field)s < 3 ==>
    %(variable)s.%(field)s := %(function)s(%(variable)s.%(field)s); Flags[%(ruleset)s] := !Flags[%(ruleset)s];
    put "%(put)s";
    assert %(variable)s.%(field)s <= %(asserted)s "%(assert)s";
    if %(variable)s.%(field)s = %(wrong)s then error "%(error)s"; end;
  end;
end;
alias %(alias)s: %(variable)s.%(field)s do
  rule "%(back)s" %(alias)s = 3 ==> %(alias)s := 0; end;
end;
/* %(block)s */
invariant "%(invariant)s" %(variable)s.%(field)s <= %(invariable)s;
cover "%(cover)s" %(variable)s.%(field)s = 2;
assume "%(assume)s" %(variable)s.Second = %(member)s;
liveness "%(liveness)s" %(variable)s.%(field)s = 0;
"""
STRINGS = ("start", "rule", "back", "put", "assert", "error", "invariant", "cover", "assume", "liveness")
COMMENTS = ("comment", "block")
NAMES = ("const", "type", "enum", "member", "set", "record", "field", "variable", "function", "parameter", "local",
         "counter", "ruleset", "alias")
# What the model does: nothing wrong, or a mistake in which the texts are told.
KINDS = {
    "right": ({"asserted": 3, "wrong": 9, "invariable": 3}, 0),
    "invariant": ({"asserted": 3, "wrong": 9, "invariable": 2}, 12),
    "assertion": ({"asserted": 2, "wrong": 9, "invariable": 3}, 14),
    "error": ({"asserted": 3, "wrong": 2, "invariable": 3}, 14),
}

PIECES = (
    '"', '\\"', "\\", "\\\\", "\\\\\"", "\\n", "\\0", "\\x41", "\\u0041", "'", "''", "`", "`touch x`",
    "$(touch x)", "${HOME}",
    ";", ";;", "; touch x;", "| touch x", "&& touch x", "> x", "< /dev/zero", "*/", "/*", "/* */", "//", "--",
    "-- end",
    "??/", "??/\\", "??)", "#include <stdio.h>", "#error", "#define V char", "%", "%s%n", "%d%d%d%n", "%1$s", "{}",
    "{0}",
    "{{", "}}", "}", "{", ")", "(", "]]", "\t", "\x00", "\x01", "\x07", "\x08", "\x0b", "\x0c", "\x1b[2J",
    "\x1b[31mred",
    "\x1b]0;title\x07", "\x7f", "\u0085", "\u009b31m", "\u2028", "\u202e", "\ufeff", "\ufffd", "\U0001f600", "é",
    "日本", "“", "”",
    b"\xff", b"\xfe\xff", b"\xc3", b"\xe2\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80",
    "VERIFIED  model.m  (exhaustive, exact)", "VIOLATED", "end;", 'end; rule "', "int main(void)", "return 0;",
    "__asm__(\"int3\")",
    "__FILE__", "NULL", "INT64_C(1)", "fail(x);", "t[0]=1;", "../../x", "/etc/passwd", "~", "*", "-", "--help",
    "a" * 1000, "'\";--",
)
BREAKS = ("\n", "\r", "\r\n", "\n\n")  # a string must not have them, a comment may
IDENTIFIERS = (
    "main int char long short void const_ static struct union_ typedef enum_ extern register volatile restrict "
    "inline goto break "
    "continue default sizeof signed unsigned float double auto _Bool _Static_assert __attribute__ __builtin_trap "
    "asm __asm__ "
    "INT64_C INT64_MIN UINT64_C uint64_t int64_t uint32_t size_t NULL memcpy memset longjmp jmp_buf setjmp printf "
    "abort exit "
    "W V B U X N IN COLD RARELY DISCARDS LOOP_LIMIT fail violate discard defined known add sub mul quotient rest "
    "number left right "
    "within ld st ldw stw ldx stx cp zero slot_less sort_bag finish t x out n row rows rule_ rules from result "
    "depth property "
    "s0 r0 r0_body r0_fire f0 q0 l0 m0 b0 a0 c0 v0 i0 p0 n0 x0 value0 code0 cleared0 initial successors check "
    "initial_rules "
    "spillway_model spillway_rows SPILLWAY_NO_PROPERTY linux unix i386 __linux__ __FILE__ __LINE__ _ __ errno "
    "stdin std "
    "ALWAYS EVENTUALLY undefined Undefined e1 E10 x1F"
).split()
KEYWORDS = (
    "rule Rule BEGIN end array of switch true False isundefined clear union enum cover liveness assume choose multiset"
).split()


def texts():
    """The hostile strings: always the same, as bytes."""
    source = random.Random(20)
    found = [piece if isinstance(piece, bytes) else piece.encode() for piece in PIECES]
    found += [b"a" * 19000, b"\\" * 501, b'"' * 300, b"\x1b" * 200, "é".encode() * 3000]
    while len(found) < 520:
        found.append(b"".join(source.choice(found[: len(PIECES)]) for _ in range(source.randint(2, 5))))
    return found


def quoted(text):
    """As it is written between quotes; there is no way to write the end of a line."""
    return text.replace(b"\\", b"\\\\").replace(b'"', b'\\"')


class Murphi(tool.Test):
    WAY = ()  # options of every check

    def setUp(self):
        """An environment of its own, in which every new file would be seen."""
        self.home = self.scratch()
        self.work = self.home / "work"
        self.work.mkdir()
        own = {"HOME": self.home, "XDG_CACHE_HOME": self.home / "cache", "TMPDIR": self.work}
        self.environment = os.environ | {name: str(path) for name, path in own.items()}

    def write(self, text, name="model.m"):
        path = self.work / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def check(self, text, *options, name="model.m", **more):
        subject = f"./{self.write(text, name).name}"
        return tool.check(subject, *self.WAY, *options, cwd=self.work, env=more.pop("env", self.environment), **more)

    def run_in(self, *arguments, **more):
        return tool.run(*arguments, cwd=self.work, env=more.pop("env", self.environment), **more)

    def objects(self):
        return sorted(path.name for path in (self.home / "cache" / "spillway").glob("*"))

    def nothing_else_was_written(self):
        self.assertEqual({path.name for path in self.home.iterdir()} - {"cache"}, {"work"})
        self.assertEqual([path.name for path in self.work.iterdir() if not path.name.endswith(".m")], [])
        for name in self.objects():
            self.assertRegex(name, r"\A[0-9a-f]{64}\.object\Z")

    def clean(self, outcome):
        """Lines of visible characters, all of them UTF-8, and one verdict at most."""
        for text in (outcome.stdout, outcome.stderr):
            self.assertEqual(re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\udc80-\udcff]", text), [], repr(text))
        verdicts = re.findall(r"^(?:VERIFIED|VIOLATED|INCONCLUSIVE|ERROR)\b.*", outcome.stdout, re.MULTILINE)
        self.assertEqual(len(verdicts), 1, outcome)

    def refused(self, outcome):
        """As a text that is no model, with its place."""
        self.assertEqual(outcome.code, 150, outcome)
        self.assertRegex(outcome.stdout.partition("\n")[0], r"\AERROR  .*\.m:\d+:\d+: ")


def result(outcome):
    """All that must not depend on names."""
    document = outcome.document
    kinds = [(p["kind"], p["verdict"], p["depth"], len(p.get("counterexample", ()))) for p in document["properties"]]
    parts = ("verdict", "exit_code", "states", "transitions", "levels", "digest")
    return [document[part] for part in parts] + [kinds]


class HostileText(Murphi):
    WAY = ("--execute=optimized",)  # what is in the cache depends on nothing else

    def filled(self, kind="right", **gaps):
        """The model with these bytes in its gaps, and harmless ones in the others."""
        values = {gap: f"some{number}".encode() for number, gap in enumerate((*STRINGS, *COMMENTS, *NAMES))}
        values |= {key: str(value).encode() for key, value in KINDS[kind][0].items()}
        values |= gaps
        return GAPS.encode() % {key.encode(): value for key, value in values.items()}

    def twin(self, kind):
        outcome = self.check(self.filled(kind), "--threads", 1)
        self.assertEqual(outcome.code, KINDS[kind][1], outcome)
        return result(outcome)

    def each(self, cases, examine):
        """Runs examine(number, case) for all cases, two at a time."""
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            started = [pool.submit(examine, number, case) for number, case in enumerate(cases)]
            for number, (case, done) in enumerate(zip(cases, started)):
                with self.subTest(number=number, case=str(case)[:200]):
                    done.result()

    def test_texts_between_quotes_are_taken_as_they_are(self):
        cases = texts()
        self.assertGreaterEqual(len(cases), 500)
        twins = {kind: self.twin(kind) for kind in KINDS}

        def examine(number, text):
            kind = tuple(KINDS)[number % len(KINDS)]
            gaps = {gap: quoted(text) for gap in STRINGS}
            outcome = self.check(self.filled(kind, **gaps), "--threads", 1, name=f"quoted{number}.m")
            self.clean(outcome)
            self.assertEqual(result(outcome), twins[kind])
            shown = text.decode(errors="replace")
            if "\ufffd" not in shown:
                names = {p["name"] for p in outcome.document["properties"] if p["kind"] in ("invariant", "cover")}
                self.assertEqual(names, {shown})

        self.each(cases, examine)
        self.assertEqual(len(self.objects()), len(KINDS))  # only the numbers make a difference
        self.nothing_else_was_written()

    def test_texts_that_are_not_escaped_are_the_same_or_refused(self):
        twin = self.twin("right")
        accepted = []

        def examine(number, text):
            gap = (STRINGS + COMMENTS)[number % len(STRINGS + COMMENTS)]
            text += BREAKS[number % len(BREAKS)].encode() if number % 3 == 0 else b""
            outcome = self.check(self.filled(**{gap: text}), "--threads", 1, name=f"raw{number}.m")
            self.clean(outcome)
            if outcome.code == 0:
                accepted.append(number)
                self.assertEqual(result(outcome), twin)
            else:
                self.refused(outcome)

        cases = texts()
        self.each(cases, examine)
        self.assertGreater(len(accepted), len(cases) // 10)
        self.assertLess(len(accepted), len(cases))
        self.assertEqual(len(self.objects()), 1)
        self.nothing_else_was_written()

    def test_texts_where_names_belong_are_the_same_or_refused(self):
        twin = self.twin("right")

        def examine(number, text):
            gap = NAMES[number % len(NAMES)]
            outcome = self.check(self.filled(**{gap: b"some" + text}), "--threads", 1, name=f"name{number}.m")
            self.clean(outcome)
            if outcome.code == 0:
                self.assertEqual(result(outcome), twin)
            else:
                self.refused(outcome)

        self.each(texts()[: 3 * len(NAMES)] + [b"", b" ", b"9", b"_", b"\xc3\xa9", b" x", b"\n"], examine)
        self.assertEqual(len(self.objects()), 1)
        self.nothing_else_was_written()

    def test_names_that_mean_something_in_c(self):
        twins = {kind: self.twin(kind) for kind in ("right", "invariant")}
        self.assertEqual(len(set(IDENTIFIERS)), len(IDENTIFIERS))
        names = [*IDENTIFIERS, "long" + "g" * 5000]

        def examine(number, _):
            kind = ("right", "invariant")[number % 2]
            chosen = [names[(number * 3 + i) % len(names)].encode() for i in range(len(NAMES))]
            model = self.filled(kind, **dict(zip(NAMES, chosen)))
            outcome = self.check(model, "--threads", 1, name=f"identifier{number}.m")
            self.clean(outcome)
            self.assertEqual(result(outcome), twins[kind], outcome)

        self.each(range(len(names)), examine)
        self.assertEqual(len(self.objects()), 2)
        self.nothing_else_was_written()

    def test_names_that_mean_something_in_murphi(self):
        twin = self.twin("right")

        def examine(number, case):
            word, gap = case
            outcome = self.check(self.filled(**{gap: word.encode()}), "--threads", 1, name=f"keyword{number}.m")
            self.clean(outcome)
            if outcome.code == 0:
                self.assertEqual(result(outcome), twin)
            else:
                self.refused(outcome)

        self.each(list(itertools.product(KEYWORDS, NAMES[::3])), examine)
        self.assertEqual(len(self.objects()), 1)
        self.nothing_else_was_written()

    def test_names_of_files(self):
        twin = self.twin("right")
        names = set()
        for text in texts()[:200]:
            name = text.replace(b"/", b"").replace(b"\0", b"")[:200]
            names.add(os.fsdecode((name or b"none") + b".m"))
        text = self.filled()

        def examine(_, name):
            outcome = self.check(text, "--threads", 1, name=name)
            self.clean(outcome)
            self.assertEqual(result(outcome), twin)
            linted = self.run_in("lint", f"./{name}")
            self.assertEqual(linted.code, 0)
            self.assertEqual(re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\udc80-\udcff]", linted.stdout + linted.stderr), [])

        self.each(sorted(names), examine)
        self.assertEqual(len(self.objects()), 1)
        self.nothing_else_was_written()

    def test_texts_that_are_read_as_they_are_shown_in_lint(self):
        for text in texts()[:100:4]:
            path = self.write(self.filled(rule=quoted(text), invariant=text, variable=b"v" + text))
            outcome = self.run_in("lint", path)
            self.assertIn(outcome.code, (0, 150), outcome)
            shown = outcome.stdout + outcome.stderr
            self.assertEqual(re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\udc80-\udcff]", shown), [], repr(shown))
        self.nothing_else_was_written()

    def test_bytes_that_are_no_model_at_all(self):
        source = random.Random(21)
        for _ in range(60):
            outcome = self.check(source.randbytes(source.randint(0, 400)), "--threads", 1)
            self.clean(outcome)
            self.assertEqual(outcome.code, 150, outcome)
        self.nothing_else_was_written()


START = "var x: 0..3; y: 0..3; a: array [0..2] of 0..3; startstate x := 0; end;\n"
COUNT = "rule \"count\" x := (x + 1) % 4; end;\n"
EXIT_CODES = {
    "nothing wrong": (COUNT, 0),
    "deadlock": ("rule x < 3 ==> x := x + 1; end;", 11),
    "deadlock of stuttering": ("rule x := x; end;", 11),
    "invariant": (COUNT + "invariant x < 3;", 12),
    "invariant of the startstate": (COUNT + "invariant x > 0;", 12),
    "invariant that cannot be evaluated": (COUNT + "invariant 1 / x < 3;", 12),
    "liveness": ("rule x < 3 ==> x := x + 1; end; rule x = 3 ==> x := 2; end; liveness x = 0;", 13),
    "assert": ("rule assert x < 2; x := (x + 1) % 4; end;", 14),
    "error": ("rule x = 2 ==> error \"two\"; end;" + COUNT, 14),
    "cover": (COUNT + "cover x = 9;", 15),
    "division by zero": ("rule x := 1 / x; end;", 75),
    "remainder of a division by zero": ("rule x := 1 % x; end;", 75),
    "out of range": ("rule x := x + 1; end;", 75),
    "out of range below": ("rule x := x - 1; end;", 75),
    "undefined": ("rule x := y + 1; end;", 75),
    "undefined guard": ("rule y = 1 ==> x := 1; end;", 75),
    "undefined element": ("rule x := a[1]; end;", 75),
    "index": ("rule a[x] := 1; x := x + 1; end;", 75),
    "index of a read": ("rule x < 3 ==> x := x + 1; end; rule isundefined(a[x]) ==> y := 0; end;", 75),
    "endless while": ("rule while true do x := 0; end; end;", 75),
    "endless recursion": ("function f(n: 0..3): 0..3; begin return f(n); end; rule x := f(1); end;", 75),
    "overflow": ("rule x := (9223372036854775807 - x + 1) % 4; end;", 75),
    "function that ends without return": (
        "function f(): 0..3; begin if x = 1 then return 1; end; end; rule x := 1 - x; f(); end;", 75),
    "elements are chosen before they are removed": (
        "var n: multiset [2] of 0..3; rule x = 0 ==> multisetadd(1, n); multisetadd(1, n); x := 1; end;"
        "choose i: n do rule x = 1 ==> multisetremovepred(j: n, n[j] = n[i]); x := 0; end; end;", 0),
    "startstate that fails": ("startstate y := 4; end;" + COUNT, 75),
    "syntax": ("rule x := ; end;", 150),
    "no such name": ("rule z := 1; end;", 150),
    "wrong type": ("rule x := true; end;", 150),
}


class ExitCodes(Murphi):
    def test_each_kind_of_mistake(self):
        for name, (text, code) in EXIT_CODES.items():
            for way in ((), ("--interpret",)):
                with self.subTest(mistake=name, way=way):
                    outcome = self.check(START + text, *way)
                    self.assertEqual(outcome.code, code, outcome)
                    self.consistent(outcome)
                    if code == 150:
                        self.refused(outcome)

    def test_run_time_errors_are_told_with_their_line(self):
        outcome = self.check(START + "rule \"r\"\n  x := x + 4; end;")
        self.assertEqual(outcome.code, 75)
        self.assertIn("line 3", outcome.stdout)
        self.assertIn("4 is outside the range of x", outcome.stdout)

    def test_a_model_without_startstate(self):
        outcome = self.check("var x: boolean; rule x := true; end;")
        self.assertEqual(outcome.code, 150)
        self.assertIn("no startstate", outcome.stdout)

    def test_the_least_number(self):
        low = "-9223372036854775807"
        text = f"var x: {low} .. 0; startstate x := {low}; end; rule x = {low} ==> x := -1; end; " + \
               f"rule x = -1 ==> x := {low}; end; invariant x < 0;"
        self.assertEqual(result(self.check(text, "--interpret")), result(self.check(text)))

    def test_large_local_variables(self):
        text = "type A: array [0..9999999] of 0..255; procedure p(var a: A); begin a[x + 9999000] := x; end;" + \
               "rule var a: A; begin p(a); x := (a[x + 9999000] + 1) % 4; end;"
        for way in (("--interpret",), ()):
            self.assertIn(self.check(START + text, *way).code, (0, 150))

    def test_loops_over_all_numbers_end(self):
        path = self.write(START + "rule for i: 0 .. 9223372036854775806 do x := 1; end; end;")
        with tool.start("check", path, "--timeout", "1s", env=self.environment) as process:
            try:
                process.communicate(timeout=tool.HANG_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                self.fail("it hangs")
        self.assertIn(process.returncode, (20, 75))


class Options(Murphi):
    COUNTER = "const N: 3; var x: 0..N; startstate x := 0; end; rule x := (x + 1) % (N + 1); end;"

    def test_const(self):
        for value in (1, 3, 99):
            self.assertEqual(self.check(self.COUNTER, "--const", f"N={value}").document["states"], value + 1)
        self.assertEqual(self.check(self.COUNTER).document["states"], 4)
        self.assertEqual(self.check(self.COUNTER, "--const", "N=5", "--interpret").document["states"], 6)

    def test_several_constants(self):
        text = "const N: 1; M: N + 1; K: 0; var x: 0..M; y: 0..K; startstate x := 0; y := 0; end;" + \
               "rule x := (x + 1) % (M + 1); end; rule y := (y + 1) % (K + 1); end;"
        self.assertEqual(self.check(text).document["states"], 3)
        self.assertEqual(self.check(text, "--const", "N=4", "--const", "K=2").document["states"], 18)
        self.assertEqual(self.check(text, "--const", "M=7").document["states"], 8)

    def test_constants_that_make_no_model(self):
        outcome = self.check(self.COUNTER, "--const", "N=-1")
        self.refused(outcome)

    def test_constants_that_are_not_there(self):
        self.write("const NODES: 3; var x: 0..NODES; startstate x := 0; end;")
        for name, suggestion in (("NODE", "did you mean 'NODES'?"), ("NODEZ", "did you mean 'NODES'?"), ("zzz", "")):
            outcome = self.run_in("check", "model.m", "--const", f"{name}=3")
            self.assertEqual(outcome.code, 2, outcome)
            self.assertRegex(outcome.stderr, r"\Aspillway: --const ")
            self.assertIn(suggestion, outcome.stderr)

    def test_constants_with_hostile_names(self):
        self.write(self.COUNTER)
        for name in ("\x1b[31m", "N;touch x", "$(touch x)", "N\n", "\u009b"):
            outcome = self.run_in("check", "model.m", "--const", f"{name}=3")
            self.assertEqual(outcome.code, 2, outcome)
            self.assertEqual(re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f]", outcome.stderr), [])
        self.nothing_else_was_written()

    def test_other_models_have_no_constants(self):
        for subject in (tool.model("peterson"), str(tool.GRAPHS / "lock_taken.graph")):
            outcome = tool.run("check", subject, "--const", "N=3")
            self.assertEqual(outcome.code, 2, outcome)
            self.assertIn("--const", outcome.stderr)

    def test_dialects_copy_undefined_values_differently(self):
        text = "var x, y: 0..3; startstate x := 1; end; rule \"copy\" x := y; end; rule \"back\" x := 1; end;"
        for way in ((), ("--interpret",)):
            self.assertEqual(self.check(text, "--dialect=cmurphi", *way).code, 0)
            outcome = self.check(text, "--dialect=rumur", *way)
            self.assertEqual(outcome.code, 75)
            self.assertIn("y is undefined", outcome.stdout)
            self.assertEqual(self.check(text, *way).code, 75)

    def test_undefined_identities_are_compared_as_in_cmurphi(self):
        text = "var s: scalarset(2); ok: boolean; startstate undefine s; ok := true; end;" + \
               "rule \"go\" s = s ==> ok := !ok; end; invariant ok | s = s;"
        hint = "s is undefined; CMurphi does not check scalarset and union values here, nor does --undefined=cmurphi"
        for way in ((), ("--interpret",)):
            outcome = self.check(text, *way)
            self.assertEqual(outcome.code, 75)
            self.assertIn(hint, outcome.stdout)
            outcome = self.check(text, "--undefined=cmurphi", *way)
            self.assertEqual(outcome.code, 0, outcome)
            self.assertRegex(outcome.stdout, "VERIFIED .*model.m --undefined=cmurphi")
        self.assertEqual(self.check(text, "--undefined=cmurphi", "--ltl=G {s = s}").code, 0)

    def test_a_run_keeps_its_meaning_of_undefined(self):
        text = "var s: scalarset(2); ok: boolean; startstate undefine s; ok := true; end; rule s = s ==> ok := !ok; end;"
        run = self.home / "run"
        self.assertEqual(self.check(text, "--undefined=cmurphi", "--max-depth=0", "--run-dir", str(run)).code, 23)
        self.assertEqual(tool.run("resume", str(run), "--undefined=error").code, 2)
        self.assertEqual(tool.run("resume", str(run), "--max-depth=9").code, 0)

    def test_dialects_pass_arrays_differently(self):
        text = "type A: array [0..1] of 0..2; var a: A; r: 0..2;" + \
               "procedure p(b: A); begin a[0] := 2; r := b[0]; a[0] := 1; end;" + \
               "startstate a[0] := 1; a[1] := 1; r := 0; end; rule p(a); end; rule r := 0; end; invariant r != 2;"
        for way in ((), ("--interpret",)):
            self.assertEqual(self.check(text, "--dialect=cmurphi", "--deadlock=off", *way).code, 12)
            self.assertEqual(self.check(text, "--dialect=rumur", "--deadlock=off", *way).code, 0)

    def test_dialects_give_up_loops_at_different_turns(self):
        text = "var x: 0..3; startstate x := 0; end; rule var i: 0..5000; begin i := 0; " + \
               "while i < 2000 do i := i + 1; end; x := (x + 1) % 4; end;"
        for way in ((), ("--interpret",)):
            self.assertEqual(self.check(text, "--dialect=rumur", *way).code, 0)
            self.assertEqual(self.check(text, "--dialect=cmurphi", *way).code, 75)

    def test_dialects_clear_scalarsets_differently(self):
        text = "type P: scalarset(2); var p: P; x: boolean; startstate clear p; clear x; end; rule x := !x; end;"
        self.assertEqual(self.check(text, "--dialect=rumur").code, 0)
        self.refused(self.check(text, "--dialect=cmurphi"))

    def test_deadlock(self):
        text = "var x: boolean; startstate x := true; end; rule x := x; end;"
        for value, code in (("auto", 11), ("stuttering", 11), ("stuck", 0), ("off", 0)):
            self.assertEqual(self.check(text, f"--deadlock={value}").code, code, value)


class Priorities(Murphi):
    """Whether a rule with a smaller number is enabled is asked with the aliases around it bound, as it is carried out."""

    MODEL = """\
        type pair: record a: 0..3; b: boolean; end;
        var y: 0..2; b: boolean; table: array [0..2] of boolean;
        function f(): boolean; begin assume b; return y >= 1; end;
        function g(n: 0..2): 0..2; begin assume b; return n; end;
        function h(): pair; var p: pair; begin assume b; p.a := y; p.b := true; return p; end;
        startstate y := 2; b := true; for i: 0..2 do table[i] := false; end; end;
        {}
        rule "flip" true ==> b := !b; end;
        """

    def counts(self, rule):
        """States and transitions, which are the same whatever executes the model."""
        found = set()
        for how in ("--interpret", "--execute=tcc", "--execute=optimized"):
            outcome = self.check(self.MODEL.format(rule), "--deadlock=off", how)
            self.assertEqual(outcome.code, 0, outcome)
            found.add((outcome.document["states"], outcome.document["transitions"]))
        self.assertEqual(len(found), 1, rule)
        return found.pop()

    def test_aliases_are_bound_before_the_guard(self):
        for alias, use in (("q: f()", "q"), ("q: table[g(y)]", "q"), ("q: h()", "q.b"), ("q: f()", "true")):
            with self.subTest(alias=alias, use=use):
                self.assertEqual(self.counts(f'alias {alias} do rule 10 "first" y != 2 & {use} ==> end; end;'), (2, 1),
                                 "nothing follows the state in which the assumption is false")
        self.assertEqual(self.counts('rule 10 "first" y != 2 & f() ==> end;'), (2, 2), "f() is not called")

    def test_aliases_among_rulesets(self):
        rule = ('ruleset i: 0..2 do alias q: g(i); r: h() do ruleset j: 0..1 do alias s: table[(q + j) % 3] do\n'
                'rule 10 "first" {} ==> end; end; end; end; end;')
        for guard, expected in (("false & s", (2, 1)), ("i = 1 & j = 1 & !s & r.a = 2 & q = 1 & y = 1", (2, 1)),
                                ("i = 1 & j = 1 & !s & r.a = 2 & q = 1", (1, 1)),  # the other one waits for the first
                                ("i = 2 & j = 0 & !s & r.a = 2 & q = 2", (1, 1))):
            with self.subTest(guard=guard):
                self.assertEqual(self.counts(rule.format(guard)), expected)


class OrderOfOperands(Murphi):
    """The left one first, also where the right one could be written first: what a call does is seen by what comes after it."""

    SIGNS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq, "!=": operator.ne,
             "+": operator.add, "-": operator.sub, "*": operator.mul}

    def value(self, before, expression, *options):
        """Of `v op f()` or `f() op v`, where f() returns 1 and makes `v` 0."""
        kind = "boolean" if set(expression) & set("<>=") else "-9..9"
        text = (f"var v: 0..3; w: {kind};\nfunction f(): 1..2; begin v := 0; return 1; end;\n"
                f"startstate v := {before}; end;\nrule \"r\" isundefined(w) ==> w := {expression}; end;\ninvariant isundefined(w)")
        outcome = self.check(text, "--deadlock=off", *options)
        self.assertEqual(outcome.code, 12, outcome)
        return outcome.document["properties"][0]["counterexample"][-1]["state"]["w"]

    def test_calls_on_either_side(self):
        for sign, meaning in self.SIGNS.items():
            for before in (1, 3):
                for expression, expected in ((f"v {sign} f()", meaning(before, 1)), (f"f() {sign} v", meaning(1, 0))):
                    for way in ("--interpret", "--execute=tcc"):
                        with self.subTest(expression=expression, before=before, way=way):
                            self.assertEqual(self.value(before, expression, way), str(expected).lower())

    def test_the_first_mistake_is_told(self):
        text = "var x, u: 0..3; startstate x := 0; end; rule \"r\" {} ==> x := 1; end;"
        for sign in ("<", "<=", ">", ">="):
            for left, right, told in (("1 / x", "u", "division by zero"), ("u", "1 / x", "undefined")):
                with self.subTest(sign=sign, left=left):
                    outcome = self.check(text.format(f"{left} {sign} {right}"), "--interpret")
                    self.assertEqual(outcome.code, 75)
                    self.assertIn(told, outcome.stdout)


class Interpreted(Murphi):
    def test_examples(self):
        self.assertGreaterEqual(len(EXAMPLES), 5)
        for path in EXAMPLES:
            for symmetry in ("off", "exhaustive"):
                with self.subTest(example=path.name, symmetry=symmetry):
                    self.both_ways(path, f"--symmetry={symmetry}")

    def both_ways(self, subject, *options):
        outcomes = [
            tool.check(subject, "--threads", 1, *options, *way, env=self.environment) for way in ((), ("--interpret",))
        ]
        documents = [self.consistent(outcome) for outcome in outcomes]
        parts = ("verdict", "reason", "exit_code", "states", "transitions", "levels", "level_digests", "properties")
        for part in parts:
            self.assertEqual(documents[0][part], documents[1][part], part)

    def test_models_with_mistakes(self):
        for name, (text, code) in EXIT_CODES.items():
            if code != 150:
                with self.subTest(mistake=name):
                    self.both_ways(self.write(START + text))

    def test_no_compiler_is_needed(self):
        outcome = self.check(START + COUNT, "--interpret", env=dict(self.environment, PATH="/nowhere"))
        self.assertEqual(outcome.code, 0, outcome)
        self.assertEqual(self.objects(), [])


# Processes that hand a token to each other; the lock forgets its owner when it is taken twice.
HANDOVER = """\
type P: scalarset(3); S: enum {out, want, in};
var s: array [P] of S; last: P; taken: 0..2;
ruleset p: P do
  startstate "start" for q: P do s[q] := out; end; last := p; taken := 0; end;
  rule "want" s[p] = out ==> s[p] := want; end;
  rule "enter" s[p] = want & (taken = 0 | taken = 1 & last != p & (exists q: P do s[q] = out end)) ==>
    s[p] := in; last := p; taken := taken + 1; end;
  rule "leave" s[p] = in ==> s[p] := out; taken := taken - 1; end;
end;
invariant "alone" forall a: P do forall b: P do a != b -> !(s[a] = in & s[b] = in) end end;
"""
PEOPLE = ("P_1", "P_2", "P_3")
HandoverState = collections.namedtuple("HandoverState", "s last taken")


def handover_steps(state):
    """The rules of the model above, once more: all (name, successor)."""
    for p, name in enumerate(PEOPLE):
        def become(what, state=state, p=p, **changes):
            return state._replace(s=state.s[:p] + (what,) + state.s[p + 1:], **changes)

        if state.s[p] == "out":
            yield f"want, p:{name}", become("want")
        if state.s[p] == "want" and (state.taken == 0 or state.taken == 1 and state.last != name and "out" in state.s):
            yield f"enter, p:{name}", become("in", last=name, taken=state.taken + 1)
        if state.s[p] == "in":
            yield f"leave, p:{name}", become("out", taken=state.taken - 1)


def handover_starts():
    return [(f"start, p:{name}", HandoverState(("out",) * 3, name, 0)) for name in PEOPLE]


def handover_bad(state):
    return state.s.count("in") > 1


def handover_shortest():
    seen, level, depth = set(), {state for _, state in handover_starts()}, 0
    while not any(map(handover_bad, level)):
        seen |= level
        level = {after for state in level for _, after in handover_steps(state)} - seen
        depth += 1
    return depth


class Symmetry(Murphi):
    MODES = ("off", "exhaustive", "heuristic", "auto")

    def read(self, state):
        return HandoverState(tuple(state[f"s[{name}]"] for name in PEOPLE), state["last"], int(state["taken"]))

    def test_counterexamples_are_paths(self):
        depth = handover_shortest()
        self.assertGreater(depth, 2)
        for mode, threads, way in itertools.product(self.MODES, (1, 2), ((), ("--interpret",))):
            with self.subTest(mode=mode, threads=threads, way=way):
                outcome = self.check(HANDOVER, f"--symmetry={mode}", "--threads", threads, *way)
                document = self.consistent(outcome)
                self.assertEqual(outcome.code, 12)
                [found] = [p for p in document["properties"] if p["verdict"] == "violated"]
                self.assertEqual((found["depth"], found["shortest"]), (depth, True))
                steps = [(step["rule"], self.read(step["state"])) for step in found["counterexample"]]
                self.assertEqual(len(steps), depth + 1)
                self.assertIn(steps[0], handover_starts())
                for (_, before), after in zip(steps, steps[1:]):
                    self.assertIn(after, list(handover_steps(before)))
                self.assertTrue(handover_bad(steps[-1][1]))
                self.assertFalse(any(handover_bad(state) for _, state in steps[:-1]))

    def test_paths_to_other_mistakes(self):
        models = {
            "run-time error": (HANDOVER.replace("0..2;", "0..1;").replace("invariant", "cover"), 75),
            "assertion": (HANDOVER.replace("invariant", "cover").replace("+ 1;", "+ 1; assert taken < 2;"), 14),
        }
        for name, (text, code) in models.items():
            lengths = set()
            for mode in self.MODES:
                with self.subTest(mistake=name, mode=mode):
                    outcome = self.check(text, f"--symmetry={mode}")
                    self.consistent(outcome)
                    self.assertEqual(outcome.code, code, outcome)
                    [found] = [p for p in outcome.document["properties"] if p["verdict"] == "violated"]
                    steps = [(step["rule"], self.read(step["state"])) for step in found["counterexample"]]
                    self.assertIn(steps[0], handover_starts())
                    for (_, before), after in zip(steps, steps[1:]):
                        self.assertIn(after, list(handover_steps(before)))
                    lengths.add(len(steps))
            self.assertEqual(len(lengths), 1, name)

    def test_verdicts_of_the_examples_do_not_depend_on_it(self):
        for path in EXAMPLES:
            with self.subTest(example=path.name):
                documents = {}
                for mode in self.MODES:
                    document = self.consistent(tool.check(path, f"--symmetry={mode}", env=self.environment))
                    documents[mode] = document
                    self.assertEqual(document["verdict"], documents["off"]["verdict"], mode)
                    self.assertEqual(document["exit_code"], documents["off"]["exit_code"], mode)
                    self.assertEqual(document["depth"], documents["off"]["depth"], mode)
                states = {mode: document["states"] for mode, document in documents.items()}
                self.assertLessEqual(states["exhaustive"], states["heuristic"])
                self.assertLessEqual(states["heuristic"], states["off"])
                self.assertEqual(states["auto"], states["exhaustive"])  # their scalarsets are small

    def test_the_number_of_orbits(self):
        # Each of four is in one of three states: 3^4 states, 15 ways to divide four among three.
        text = "type P: scalarset(4); var a: array [P] of 0..2; startstate for p: P do a[p] := 0; end; end;" + \
               "ruleset p: P do rule a[p] := (a[p] + 1) % 3; end; end;"
        states = {mode: self.check(text, f"--symmetry={mode}").document["states"] for mode in ("off", "exhaustive")}
        self.assertEqual(states, {"off": 81, "exhaustive": 15})

    def test_threads_make_no_difference(self):
        for path in EXAMPLES:
            with self.subTest(example=path.name):
                seen = set()
                for threads in (1, 2, 4):
                    options = ("--symmetry=exhaustive", "--threads", threads)
                    document = tool.check(path, *options, env=self.environment).document
                    parts = ("verdict", "states", "transitions", "levels", "digest", "properties")
                    seen.add(str([document[part] for part in parts]))
                self.assertEqual(len(seen), 1)


# Models in which the order of identities could matter: the exit code, and the line for which symmetry is given up (or
# none: it is kept).  The verdict is the same in all modes.
BUSY = "rule \"loop\" true ==> k := !k; end;"
ENDS = "type S: scalarset(3); var x, y: S; done, k: boolean;\n" \
       "ruleset a: S do startstate x := a; y := a; done := false; k := false; end; end;\n" \
       "ruleset i: S do rule \"y\" !done ==> y := i; end; end; " + BUSY + "invariant \"eq\" done -> x = y;\n"
ORDERS = {
    "a witness beside an undefined element": (
        "type S: scalarset(2); var a: array[S] of boolean; k: boolean;\n"
        "ruleset i: S do startstate undefine a; a[i] := true; k := false; end; end;\n"
        "rule \"look\" exists q: S do a[q] end ==> k := !k; end;", 75, None),
    "a counterexample beside an undefined element": (
        "type S: scalarset(2); var a: array[S] of boolean; k: boolean;\n"
        "ruleset i: S do startstate undefine a; a[i] := false; k := false; end; end;\n" + BUSY +
        "rule \"look\" forall q: S do a[q] end ==> k := !k; end;", 75, None),
    "a division in an invariant": (
        "type S: scalarset(2); var d: array[S] of 0..1; k: boolean;\n"
        "ruleset i: S do startstate for q: S do d[q] := 0; end; d[i] := 1; k := false; end; end;\n" + BUSY +
        "invariant \"some\" exists q: S do 1 / d[q] = 1 end;", 12, None),
    "a function in an invariant": (
        "type S: scalarset(2); var d: array[S] of 0..1; k: boolean;\n"
        "function f(q: S): boolean; begin return 1 / d[q] = 1; end;\n"
        "ruleset i: S do startstate for q: S do d[q] := 0; end; d[i] := 1; k := false; end; end;\n" + BUSY +
        "invariant \"some\" exists q: S do f(q) end;", 12, None),
    "an assumption that fails for one and is false for another": (
        "type S: scalarset(2); var d: array[S] of 0..1; k: boolean;\n"
        "ruleset i: S do startstate for q: S do d[q] := 1; end; k := false; end; end;\n" + BUSY +
        "ruleset i: S do rule \"split\" for q: S do undefine d[q]; end; d[i] := 0; end; end;\n"
        "ruleset i: S do assume \"one\" d[i] = 1; end;", 75, None),
    "a cover that fails for one and holds for another": (
        "type S: scalarset(2); var d: array[S] of 0..1; k: boolean;\n"
        "ruleset i: S do startstate undefine d; d[i] := 1; k := false; end; end;\n" + BUSY +
        "ruleset i: S do cover \"one\" d[i] = 1; end;", 0, None),
    "a priority over guards that fail": (
        "type S: scalarset(2); var a: multiset [2] of S; d: array [S] of 0..1; k: boolean;\n"
        "ruleset i: S do startstate undefine a; undefine d; d[i] := 1; k := false;\n"
        "  for q: S do multisetadd(q, a); end; end; end;\n"
        "choose e: a do rule 0 \"first\" d[a[e]] = 1 ==> k := !k; end; end;\n"
        "rule 1 \"second\" true ==> k := !k; end;", 75, None),
    "an assertion for one and an error for another": (
        "type S: scalarset(2); var h: array[S] of 0..2; b: boolean;\n"
        "ruleset i: S do startstate for q: S do h[q] := 1; end; h[i] := 2; b := false; end; end;\n"
        "ruleset i: S do rule \"r\" !b ==> b := true; assert h[i] = 1; h[i] := h[i] + 2; end; end;", 75, None),
    "an assertion in one turn and an error in another": (
        "type S: scalarset(2); var h: array[S] of 0..2; b: boolean;\n"
        "ruleset i: S do startstate for q: S do h[q] := 1; end; h[i] := 2; b := false; end; end;\n"
        "rule \"r\" !b ==> b := true; for i: S do assert h[i] = 1; h[i] := h[i] + 2; end; end;", 75, None),
    "clear of an identity": (ENDS + "rule \"fin\" !done ==> clear x; done := true; end;", 12, 4),
    "clear of an identity in a record": (
        ENDS + "rule \"fin\" var r: record s: array [0..1] of S; end; begin\n"
        "  clear r; x := r.s[1]; done := true; end;", 12, 5),
    "clear of an identity in a union": (
        ENDS + "type U: union {S, enum {none}};\n"
        "rule \"fin\" !done ==> var u: U; begin clear u; x := u; done := true; end;", 12, 5),
    "a loop that ends with the first": (
        ENDS + "function first(): S; begin for q: S do return q; end; end;\n"
        "rule \"fin\" !done ==> x := first(); done := true; end;", 12, 4),
    "a loop whose last turn counts": (
        ENDS + "rule \"fin\" !done ==> for q: S do x := q; end; done := true; end;", 12, 4),
    "a loop whose last turn counts through an alias": (
        ENDS + "rule \"fin\" !done ==>\n  alias z: x do for q: S do z := q; end; end; done := true; end;", 12, 5),
    "a loop whose last turn counts in a procedure": (
        ENDS + "procedure take(var z: S; q: S); begin z := q; end;\n"
        "rule \"fin\" !done ==> for q: S do take(x, q); end; done := true; end;", 12, 5),
    "a loop that reads what an earlier turn wrote": (
        ENDS + "rule \"fin\" !done ==> var n: 0..3; begin\n  n := 0; for q: S do\n"
        "    if n = 0 then x := q; end; n := n + 1; end; done := true; end;", 12, 5),
    "a loop over the members of a union": (
        ENDS + "type U: union {enum {none}, S};\n"
        "rule \"fin\" !done ==> for q: U do if ismember(q, S) then x := q; end; end; done := true; end;", 12, 5),
    "a quantifier that changes something": (
        ENDS + "function take(q: S): boolean; begin x := q; return true; end;\n"
        "rule \"fin\" !done ==> if forall q: S do take(q) end then done := true; end; end;", 12, 5),
    "a count of elements that changes something": (
        ENDS + "var m: multiset [3] of S;\n"
        "function take(q: S): boolean; begin x := q; return true; end;\n"
        "rule \"fin\" !done ==> for q: S do multisetadd(q, m); end; done := multisetcount(e: m, take(m[e])) = 3;\n"
        "  undefine m; end;", 12, 6),
    "an element of one multiset by the number of another": (
        "type S: scalarset(2); var a, b: multiset [2] of S; k: boolean; d: 0..1;\n"
        "startstate for q: S do multisetadd(q, a); multisetadd(q, b); end; k := false; d := 0; end;\n" + BUSY +
        "choose e: a do rule \"r\" true ==>\n  if a[e] = b[e] then d := 1; end; end; end;\n"
        "cover d = 1;", 0, 4),
    "liveness of each": (
        "type S: scalarset(2); var h: S; k: boolean;\n"
        "ruleset i: S do startstate h := i; k := false; end; end;\n"
        "ruleset i: S do rule \"move\" true ==> h := i; k := !k; end; end;\n"
        "ruleset i: S do liveness \"gets\" h = i; end;", 0, 4),
    "an assumption in a loop that may fail": (
        "type S: scalarset(2); var d: array[S] of 0..1; k: boolean;\n"
        "ruleset i: S do startstate undefine d; d[i] := 0; k := false; end; end;\n" + BUSY +
        "rule \"r\" true ==>\n  for q: S do assume d[q] = 1; end; end;", 75, 4),
    # Nothing to be afraid of.
    "elements that are set": (
        "type S: scalarset(2); var a: array [S] of record v: S; n: 0..3; end; c: 0..2; b, k: boolean;\n"
        "m: multiset [4] of S; u: union {enum {none}, S};\n"
        "procedure put_one(q: S); begin multisetadd(q, m); a[q].v := q; end;\n"
        "startstate undefine m; clear c; clear u; b := false; k := false;\n"
        "  for q: S do a[q].n := 0; put_one(q); c := c + (a[q].n = 0 ? 1 : 0); if a[q].n = 0 then b := true; end; end;\n"
        "end;\n" + BUSY + "ruleset i: S do rule \"n\" a[i].n < 3 ==> var t: 0..3; begin\n"
        "  for q: S do t := a[q].n; alias r: a[q] do if q = i then r.n := t + 1; end; end; end; end; end;\n"
        "choose e: m do rule \"take\" true ==> u := m[e]; multisetremove(e, m); end; end;\n"
        "invariant \"all\" b & c = 2 & forall q: S do a[q].v = q end;", 0, None),
}


class OrderOfIdentities(Murphi):
    """No verdict depends on the order of identities that have none."""

    def test_the_same_verdict_in_all_modes(self):
        for name, (text, code, _) in ORDERS.items():
            for mode, way in itertools.product(Symmetry.MODES, ((), ("--interpret",))):
                with self.subTest(model=name, mode=mode, way=way):
                    outcome = self.check(text, f"--symmetry={mode}", *way)
                    self.assertEqual(outcome.code, code, outcome)
                    self.consistent(outcome)

    def test_symmetry_that_is_given_up_is_told_with_the_reason(self):
        for name, (text, _, line) in ORDERS.items():
            with self.subTest(model=name):
                outcome = self.check(text)
                linted = self.run_in("lint", "./model.m")
                said = re.findall(r"model\.m:(\d+):\d+: warning: .*symmetry is off for the scalarset 'S'", outcome.stderr)
                self.assertEqual(said, [str(line)] if line else [], outcome)
                self.assertEqual(re.findall(r"model\.m:(\d+):\d+: warning: .*'S'", linted.stderr), said)
                self.assertEqual([warning["line"] for warning in outcome.document["warnings"]], list(map(int, said)))
                self.assertEqual(outcome.document["symmetry"], "off" if line else "exhaustive")

    def test_nothing_is_said_where_no_symmetry_was_wanted(self):
        outcome = self.check(ORDERS["clear of an identity"][0], "--symmetry=off")
        self.assertNotIn("warning", outcome.stderr)
        self.assertEqual(outcome.document["warnings"], [])

    def test_other_scalarsets_keep_theirs(self):
        text = "type S: scalarset(2); T: scalarset(3); var x: S; a: array [T] of boolean;\n" \
               "startstate clear x; for t: T do a[t] := false; end; end; rule clear x; end;\n" \
               "ruleset t: T do rule a[t] := !a[t]; end; end; ruleset s: S do rule x := s; end; end;"
        outcome = self.check(text)
        self.assertEqual(outcome.document["symmetry"], "exhaustive")
        self.assertEqual(outcome.document["states"], 2 * 4)
        self.assertIn("model.m:2:63: warning: symmetry is off for the scalarset 'S'", outcome.stderr)


class Lint(Murphi):
    def lint(self, text, *options):
        self.write(text)
        return self.run_in("lint", "model.m", *options)

    def test_nothing_to_complain_about(self):
        for path in EXAMPLES:
            with self.subTest(example=path.name):
                outcome = tool.run("lint", path)
                self.assertEqual(outcome.code, 0, outcome)
                warnings = re.findall("warning: (.*)", outcome.stderr)
                self.assertEqual(warnings, ["the condition is always false"] if path.stem == "msi" else [])

    def test_errors_are_located(self):
        for text, place, part in (
            ("var x: boolean;\nrule x := ; end;", "2:11", "expression"),
            ("var x: boolean;\n\n   rule y := true; end;", "3:9", "'y' is not declared"),
            ("var x: boolean;\r\nrule x := 1; end;", "2:11", "boolean"),
            ("var x: boolean; /*\n", "1:17", "comment"),
            ('rule "x\n', "1:6", "string"),
        ):
            with self.subTest(text=text):
                outcome = self.lint(text)
                self.assertEqual(outcome.code, 150, outcome)
                self.assertRegex(outcome.stderr, rf"\Amodel\.m:{place}: error: ")
                self.assertIn(part, outcome.stderr)
                self.assertEqual(outcome.stdout, "")

    def test_warnings_are_located_and_no_errors(self):
        text = "const UNUSED: 3;\nvar x: boolean;\n  lonely: boolean;\nstartstate x := true; end;\nrule x := !x; end;"
        outcome = self.lint(text)
        self.assertEqual(outcome.code, 0)
        warnings = [line for line in outcome.stderr.splitlines() if "warning:" in line]
        self.assertEqual(len(warnings), 2, outcome)
        self.assertRegex(warnings[0], r"\Amodel\.m:1:7: warning: .*'UNUSED'")
        self.assertRegex(warnings[1], r"\Amodel\.m:3:3: warning: .*'lonely'")
        self.assertIn("2 warnings", outcome.stdout)

    def test_rules_that_never_fire(self):
        outcome = self.lint("var x: boolean; startstate x := true; end; rule \"r\" x & false ==> x := false; end;")
        self.assertIn("'r' can never fire", outcome.stderr)

    COUNTER = "const N: 3; var b: boolean; startstate clear b; end; rule b := N = 3 & b; end;"

    def test_options_of_reading(self):
        text = "const N: 0; var x: 0 .. 3; startstate x := 1 / N; end; var y: 0 .. N - 1;"
        self.assertEqual(self.lint(text).code, 150)
        self.assertEqual(self.lint(text, "--const", "N=2").code, 0)
        self.assertEqual(self.lint(self.COUNTER, "--const", "M=2").code, 2)
        self.assertEqual(self.lint("var s: scalarset(2); startstate clear s; end;", "--dialect=cmurphi").code, 150)
        self.assertEqual(self.lint("var s: scalarset(2); startstate clear s; end;", "--dialect=rumur").code, 0)
        never = START + "var s, t: scalarset(1); rule \"r\" s != t ==> x := 0; end;"
        self.assertIn("'r' can never fire", self.lint(never).stderr)
        self.assertNotIn("can never fire", self.lint(never, "--undefined=cmurphi").stderr)

    def test_nothing_is_compiled(self):
        self.lint(START + COUNT)
        self.assertFalse((self.home / "cache").exists())


class Cache(Murphi):
    WAY = ("--execute=optimized",)  # what is in the cache depends on nothing else

    MODEL = START + COUNT

    def without_compiler(self):
        return dict(self.environment, PATH=str(self.home / "nowhere"))

    def test_a_cached_model_needs_no_compiler_run(self):
        # A compiler that writes down each time it is started.
        tools = self.home / "cache-tools"
        tools.mkdir()
        log = tools / "log"
        script = tools / "cc"
        script.write_text(f'#!/bin/sh\necho run >> "{log}"\nPATH={os.environ["PATH"]} exec cc "$@"\n')
        script.chmod(0o755)
        environment = dict(self.environment, PATH=f"{tools}:{os.environ['PATH']}")
        for expected in (1, 1, 1):
            self.assertEqual(self.check(self.MODEL, env=environment).code, 0)
            self.assertEqual(log.read_text().count("run"), expected)
        self.check(self.MODEL.replace("% 4", "% 3"), env=environment)
        self.assertEqual(log.read_text().count("run"), 2)
        self.assertEqual(len(self.objects()), 2)

    def test_a_cached_model_needs_no_compiler(self):
        self.assertEqual(self.check(self.MODEL).code, 0)
        outcome = self.check(self.MODEL, env=self.without_compiler())
        self.assertEqual(outcome.code, 0, outcome)

    def test_without_compiler(self):
        outcome = self.check(self.MODEL, env=self.without_compiler())
        self.assertEqual(outcome.code, 153, outcome)
        self.assertIn("no C compiler was found", outcome.stdout + outcome.stderr)
        self.assertIn("gcc", outcome.stdout + outcome.stderr)

    def test_a_compiler_that_fails(self):
        tools = self.home / "cache-tools"
        tools.mkdir()
        (tools / "cc").write_text("#!/bin/sh\necho the disk is on fire\nexit 1\n")
        (tools / "cc").chmod(0o755)
        outcome = self.check(self.MODEL, env=dict(self.environment, PATH=str(tools)))
        self.assertEqual(outcome.code, 153, outcome)
        self.assertIn("the disk is on fire", outcome.stdout + outcome.stderr)
        self.assertEqual(self.objects(), [])

    def test_the_folder_is_private(self):
        old = os.umask(0)
        try:
            self.assertEqual(self.check(self.MODEL).code, 0)
        finally:
            os.umask(old)
        folder = self.home / "cache" / "spillway"
        self.assertEqual(stat.S_IMODE(folder.stat().st_mode), 0o700)

    def assert_not_kept(self, words, environment=None):
        """The model is checked all the same, and nothing stays anywhere."""
        outcome = self.check(self.MODEL, "--verbose", env=environment or self.environment)
        self.assertEqual(outcome.code, 0, outcome)
        self.assertRegex(outcome.stderr, rf"spillway: compiled models are not cached: .*{words}")
        self.assertEqual([path.name for path in self.work.iterdir()], ["model.m"], "the temporary folder goes")
        return outcome

    def test_a_folder_that_others_can_write_is_not_used(self):
        folder = self.home / "cache" / "spillway"
        folder.mkdir(parents=True)
        for part in (folder, self.home / "cache"):
            for mode in (0o770, 0o777, 0o720, 0o702):
                with self.subTest(part=part, mode=oct(mode)):
                    part.chmod(mode)
                    self.assert_not_kept(str(part))
                    self.assertEqual(self.objects(), [])
            part.chmod(0o700)
        self.assertEqual(self.check(self.MODEL).code, 0)
        self.assertEqual(len(self.objects()), 1)

    def test_a_folder_that_belongs_to_somebody_else_is_not_used(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give a folder away")
        folder = self.home / "cache" / "spillway"
        folder.mkdir(parents=True, mode=0o700)
        for part in (folder, self.home / "cache"):
            os.chown(part, 12345, 12345)
            self.assert_not_kept(f"{part} belongs to another user")
            self.assertEqual(self.objects(), [])
            os.chown(part, 0, 0)

    def test_a_link_is_followed_to_a_folder_of_ours_only(self):
        elsewhere = self.home / "cache-elsewhere"
        (self.home / "cache").mkdir()
        elsewhere.mkdir(mode=0o700)
        (self.home / "cache" / "spillway").symlink_to(elsewhere)
        elsewhere.chmod(0o777)
        self.assert_not_kept(str(elsewhere))
        self.assertEqual(list(elsewhere.iterdir()), [])
        elsewhere.chmod(0o700)
        self.assertEqual(self.check(self.MODEL).code, 0)
        self.assertEqual(len(list(elsewhere.iterdir())), 1)

    def test_without_a_home_nothing_is_kept(self):
        # Nor is anything taken from a folder with a name that somebody else can guess.
        environment = {key: value for key, value in self.environment.items() if key not in ("XDG_CACHE_HOME", "HOME")}
        guessed = self.work / f"spillway-{os.getuid()}" / "spillway"
        guessed.mkdir(parents=True)
        outcome = self.check(self.MODEL, "--verbose", env=environment)
        self.assertEqual(outcome.code, 0, outcome)
        self.assertIn("compiled models are not cached", outcome.stderr)
        self.assertEqual({path.name for path in self.work.iterdir()}, {guessed.parent.name, "model.m"})
        self.assertEqual(list(guessed.iterdir()), [])

    def entry(self):
        (name,) = self.objects()
        return self.home / "cache" / "spillway" / name

    def test_damaged_entries_are_made_again(self):
        self.assertEqual(self.check(self.MODEL).code, 0)
        whole = self.entry().read_bytes()
        chosen = random.Random(1)
        damaged = [b"", whole[:1], whole[: len(whole) // 2], whole[:-1], whole + b"x", b"\0" * len(whole)]
        for place in [0, len(whole) - 1] + [chosen.randrange(len(whole)) for _ in range(10)]:
            bytes_now = bytearray(whole)
            bytes_now[place] ^= 1 << chosen.randrange(8)
            damaged.append(bytes(bytes_now))
        for case, contents in enumerate(damaged):
            with self.subTest(case=case):
                self.entry().write_bytes(contents)
                outcome = self.check(self.MODEL, "--verbose")
                self.assertEqual(outcome.code, 0, outcome)
                self.assertIn("is damaged and is made again", outcome.stderr)
                self.assertEqual(self.entry().read_bytes()[:200], whole[:200], "and it is whole again")
        self.assertIn("using the compiled model in the cache", self.check(self.MODEL, "--verbose").stderr)

    def test_an_entry_that_is_no_file_is_not_used(self):
        self.assertEqual(self.check(self.MODEL).code, 0)
        entry = self.entry()
        aside = self.home / "cache" / "aside"
        entry.rename(aside)
        entry.symlink_to(aside)
        self.assertEqual(self.check(self.MODEL, "--verbose").code, 0)
        self.assertFalse(entry.is_symlink(), "it was made again")
        entry.unlink()
        os.mkfifo(entry)
        self.assertEqual(self.check(self.MODEL).code, 0)

    def test_what_a_killed_process_leaves_goes_later(self):
        left = self.home / "cache" / "spillway" / "work-0123456789abcdef0123456789abcdef"
        left.mkdir(parents=True, mode=0o700)
        (left / "model.c").write_text("")
        self.assertEqual(self.check(self.MODEL).code, 0)
        self.assertTrue(left.exists(), "it may be that of a process that has just begun")
        os.utime(left, (0, 0))
        self.assertEqual(self.check(self.MODEL.replace("% 4", "% 3")).code, 0)
        self.assertFalse(left.exists())

    def test_without_xdg_the_folder_of_the_user(self):
        environment = {key: value for key, value in self.environment.items() if key != "XDG_CACHE_HOME"}
        self.assertEqual(self.check(self.MODEL, env=environment).code, 0)
        self.assertEqual(len(list((self.home / ".cache" / "spillway").glob("*.object"))), 1)

    def test_two_at_once(self):
        path = self.write(self.MODEL)
        for turn in range(5):
            path.write_text(self.MODEL.replace("% 4", f"% {turn + 2}").replace("0..3", "0..9"))
            started = [tool.start("check", path, *self.WAY, env=self.environment) for _ in range(4)]
            for process in started:
                with process:
                    stdout, stderr = process.communicate(timeout=tool.HANG_SECONDS)
                    self.assertEqual(process.returncode, 0, stdout + stderr)
            self.assertEqual(len(self.objects()), turn + 1)

    def test_options_that_do_not_change_the_code_share_it(self):
        for options in ((), ("--symmetry=off",), ("--threads=1",), ("--deadlock=off",)):
            self.check(self.MODEL, *options)
        self.assertEqual(len(self.objects()), 1)


class StartTime(Murphi):
    """Compared with a model of one rule, since seconds depend on the machine."""

    WAY = ("--execute=optimized",)  # what is in the cache depends on nothing else

    def large_model(self):
        lines = ["type P: scalarset(3); S: enum {a0, a1, a2, a3, a4};",
                 "var s: array [P] of S; n: 0..50; f: array [0..49] of boolean;",
                 "startstate for p: P do s[p] := a0; end; n := 0; for i: 0..49 do f[i] := false; end; end;"]
        for i in range(100):
            lines += ["ruleset p: P do", f'  rule "r{i}" s[p] = a{i % 5} & !f[{i % 50}] ==>',
                      f"    s[p] := a{(i + 1) % 5}; f[{i % 50}] := exists q: P do q != p & s[q] = a{i % 3} end;",
                      f"    for q: P do if s[q] = a{i % 4} & n < 50 then n := n + 1; end; end;", "  end; end;"]
        return "\n".join(lines)

    def seconds(self, text):
        """Of processors, not of the clock: others may be at work on the same machine."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        outcome = self.check(text, "--max-states", 1, "--threads", 1)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(outcome.document["verdict"], "inconclusive", outcome)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def test_the_first_state_comes_soon(self):
        text = self.large_model()
        self.assertGreater(text.count("\n"), 490)
        small = self.seconds(START + "rule true ==> x := (x + 1) % 4; end;")
        large = self.seconds(text)
        self.assertLess(large, 200 * small)  # 45 times are seen
        self.assertLess(self.seconds(text), large / 10, "the code is in the cache")  # 200 times are seen
        self.assertEqual(len(self.objects()), 2)


if __name__ == "__main__":
    tool.main()
