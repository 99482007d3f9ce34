"""check --dashboard: what a page and a collector of figures get to see, and who does not.  The page itself: tests/browser."""

import http.client
import json
import re
import resource
import socket
import threading
import time
import unittest

import tool

GERMAN = tool.SOURCE / "examples" / "german" / "german.m"
# Interpreted, it takes so long that there is time to look on.
COUNTERS = """
var x, y, z: 0..60;
startstate x := 0; y := 0; z := 0; end;
rule "x" x < 60 ==> x := x + 1; end;
rule "y" y < 60 ==> y := y + 1; end;
rule "z" z < 60 ==> z := z + 1; end;
invariant "not all" !(x = 60 & y = 60 & z = 60);
"""
NUMBER = r"[+-]?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
SAMPLE = re.compile(rf'([a-z_][a-z0-9_]*)(?:\{{(.*)\}})? ({NUMBER})')
LABEL = re.compile(r'([a-z_][a-z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"')
SUFFIXES = {"counter": "_total", "info": "_info", "gauge": "", "stateset": ""}


def parsed(text):
    """A text of OpenMetrics as {(name, labels): value}, and {family: type}.  Whatever the format forbids fails."""
    lines = text.split("\n")
    assert lines[-2:] == ["# EOF", ""] and "# EOF" not in lines[:-2], "the end"
    families, helped, samples, name, kind = {}, set(), {}, None, None
    for line in lines[:-2]:
        meta = re.fullmatch(r"# (TYPE|UNIT|HELP) ([a-z_][a-z0-9_]*) (.+)", line)
        if meta:
            what, about, rest = meta.groups()
            if what == "TYPE":
                assert about not in families and rest in SUFFIXES, line
                name, kind = about, rest
                families[name] = kind
            assert about == name, f"{line}: families are not mixed"
            assert not any(one.startswith(name) and one[len(name):] in ("", SUFFIXES[kind]) for one, _ in samples), line
            if what == "UNIT":
                assert name.endswith("_" + rest), f"{line}: the name ends with the unit"
            if what == "HELP":
                assert about not in helped, line
                helped.add(about)
            continue
        match = SAMPLE.fullmatch(line)
        assert match, f"not a line: {line!r}"
        sample, labels, value = match.groups()
        assert sample == name + SUFFIXES[kind], f"{line}: not of {name}"
        pairs = LABEL.findall(labels or "")
        assert ",".join(f'{one}="{text}"' for one, text in pairs) == (labels or ""), line
        assert len(dict(pairs)) == len(pairs), line
        key = (sample, tuple(sorted(pairs)))
        assert key not in samples, f"{line}: twice"
        samples[key] = float(value)
        if kind == "counter":
            assert float(value) >= 0, line
        if kind == "stateset":
            assert pairs[0][0] == name and float(value) in (0, 1), line
    assert helped == set(families)
    return samples, families


class Watched:
    """A check with a dashboard, and its address."""

    def __init__(self, *arguments, **options):
        self.process = tool.start("check", *arguments, "--dashboard", **options)
        line = ""
        while "can be watched at" not in line:
            line = self.process.stderr.readline().decode()
            if not line:
                raise AssertionError(f"there is no address: exit {self.process.wait()}")
        self.port, self.token = re.search(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/\n", line).groups()
        self.port = int(self.port)
        self.errors = []
        self.reader = threading.Thread(target=lambda: self.errors.append(self.process.stderr.read()))
        self.reader.start()

    def ask(self, path="", token=None, method="GET", host=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=tool.HANG_SECONDS)
        connection.request(method, f"/{self.token if token is None else token}/{path}",
                           headers={"Host": host or f"127.0.0.1:{self.port}"})
        answer = connection.getresponse()
        body = answer.read().decode()
        connection.close()
        return answer, body

    def metrics(self):
        answer, body = self.ask("metrics")
        assert (answer.status, answer.getheader("Content-Type")) == \
            (200, "application/openmetrics-text; version=1.0.0; charset=utf-8"), body
        return parsed(body)[0]

    def verdict(self, samples):
        said = [dict(labels)["spillway_verdict"] for (name, labels), value in samples.items()
                if name == "spillway_verdict" and value == 1]
        assert len(said) == 1, said
        return said[0]

    def end(self):
        while not tool.VERDICT_LINE.match((self.process.stdout.readline() or b"ERROR  none").decode()):
            pass
        begin = time.monotonic()
        code = self.process.wait(tool.HANG_SECONDS)
        self.seconds_after_verdict = time.monotonic() - begin
        self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()
        return code


class Dashboard(tool.Test):
    LARGE = (GERMAN, "--const=NODES=5", "--symmetry=off", "--memory=1G", "--threads=1")

    def counters(self):
        file = self.scratch() / "counters.m"
        file.write_text(COUNTERS, encoding="utf-8")
        return file

    def watched(self, *arguments, **options):
        watched = Watched(*arguments, **options)
        self.addCleanup(lambda: watched.process.poll() is None and watched.process.kill())
        return watched

    def test_strangers_are_refused(self):
        check = self.watched(*self.LARGE)
        for path in ("", "data", "metrics"):
            self.assertEqual(check.ask(path)[0].status, 200, path)
            for token in ("", "0" * 32, check.token[:-1], check.token.upper() + "0"):
                self.assertEqual(check.ask(path, token=token)[0].status, 403, token)
            for host in ("example.org", f"example.org:{check.port}", "127.0.0.1", f"127.0.0.1:{check.port + 1}"):
                self.assertEqual(check.ask(path, host=host)[0].status, 421, host)
            for method in ("POST", "PUT", "DELETE", "OPTIONS"):
                answer, _ = check.ask(path, method=method)
                self.assertEqual((answer.status, answer.getheader("Allow")), (405, "GET"), method)
        self.assertEqual(check.ask("other")[0].status, 404)
        self.assertEqual(check.ask(host=f"localhost:{check.port}")[0].status, 200)
        answer, _ = check.ask()
        self.assertIn("default-src 'none'", answer.getheader("Content-Security-Policy"))
        check.process.terminate()
        self.assertEqual(check.end(), 143)

    def test_figures_grow_while_it_runs(self):
        check = self.watched(*self.LARGE)
        first = check.metrics()
        self.assertEqual(check.verdict(first), "running")
        deadline = time.monotonic() + tool.HANG_SECONDS
        states = ("spillway_states_total", ())
        while check.metrics()[states] <= first[states] + 1000:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        data = json.loads(check.ask("data")[1])
        self.assertTrue(data["live"]["running"])
        self.assertGreater(data["live"]["states"], first[states])
        self.assertIsNone(data["source"], "only the page has it")
        page = check.ask()[1]
        self.assertIn("connect-src 'self'", page)
        check.process.terminate()
        self.assertEqual(check.end(), 143)
        self.assertLess(check.seconds_after_verdict, 15, "after a signal nobody is waited for")

    def test_the_end_is_that_of_the_result(self):
        for options, code, verdict, violated in (((), 12, "violated", 1), (("--max-states=200000",), 23, "inconclusive", 0)):
            file = self.scratch() / "result.json"
            check = self.watched(self.counters(), "--interpret", "--deadlock=off", *options, "--json", file, "--memory=300M")
            samples = check.metrics()
            deadline = time.monotonic() + tool.HANG_SECONDS
            while check.verdict(samples) == "running":
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.05)
                samples = check.metrics()
            self.assertEqual(check.end(), code)
            document = json.loads(file.read_text(encoding="utf-8"))
            self.assertEqual(check.verdict(samples), verdict)
            self.assertEqual(document["verdict"], verdict)
            wanted = {"states_total": document["states"], "transitions_total": document["transitions"],
                      "levels_total": len(document["levels"]), "peak_memory_bytes": document["peak_memory_bytes"],
                      "memory_limit_bytes": document["memory_limit_bytes"], "violated_properties": violated}
            for name, value in wanted.items():
                self.assertEqual(samples[("spillway_" + name, ())], value, name)
            self.assertAlmostEqual(samples[("spillway_elapsed_seconds", ())], document["seconds"], 5)

    def test_a_page_sees_the_end(self):
        check = self.watched(self.counters(), "--interpret", "--deadlock=off")
        check.ask()
        deadline = time.monotonic() + tool.HANG_SECONDS
        data = {"live": {"running": True}}
        while data["live"]["running"]:
            self.assertLess(time.monotonic(), deadline)
            data = json.loads(check.ask("data")[1])
        self.assertEqual((data["result"]["verdict"], len(data["traces"])), ("violated", 1))
        self.assertEqual(check.end(), 12)

    def test_nobody_is_waited_for(self):
        check = self.watched(tool.SOURCE / "examples" / "msi" / "msi.m")
        self.assertEqual(check.end(), 12)
        self.assertLess(check.seconds_after_verdict, 15)

    def connection(self, check):
        connection = socket.create_connection(("127.0.0.1", check.port), timeout=tool.HANG_SECONDS)
        self.addCleanup(connection.close)
        return connection

    def test_a_connection_that_never_ends_does_not_keep_the_process(self):
        check = self.watched(*self.LARGE, "--timeout=3s")
        slow = self.connection(check)
        slow.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nA: ")
        ended = threading.Event()

        def trickle():
            try:
                while not ended.wait(0.2):
                    slow.sendall(b"a")
            except OSError:
                pass

        thread = threading.Thread(target=trickle)
        thread.start()
        try:
            self.assertEqual(check.process.wait(tool.IN_TIME * 2), 20)
        finally:
            ended.set()
            thread.join()
            check.process.kill()
            check.reader.join()
            check.process.stdout.close()
            check.process.stderr.close()

    def test_no_request_takes_memory(self):
        check = self.watched(*self.LARGE, "--timeout=1h")
        piece = b"a" * (1 << 20)
        for begin in (b"GET /", b"GET / HTTP/1.1\r\nHost: x\r\nA: ", b""):
            many = self.connection(check)
            with self.assertRaises(OSError):
                many.sendall(begin)
                for _ in range(256):
                    many.sendall(piece)
        lines = b"A: b\r\n" * 200000
        many = self.connection(check)
        with self.assertRaises(OSError):
            many.sendall(b"GET / HTTP/1.1\r\n")
            for _ in range(256):
                many.sendall(lines)
        check.process.terminate()
        self.assertEqual(check.end(), 143)

    def test_silent_connections_do_not_take_the_files_of_the_search(self):
        file = self.scratch() / "counters.m"
        file.write_text(COUNTERS.replace("0..60", "0..99"), encoding="utf-8")
        check = self.watched(file, "--interpret", "--deadlock=off", "--memory=32M", "--threads=1", "--checkpoint=0",
                             "--run-dir", self.scratch() / "run", "--max-states=150000",
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (100, 100)))
        silent = [self.connection(check) for _ in range(150)]
        self.assertEqual(check.ask("data")[0].status, 200, "whoever asks gets an answer all the same")
        for connection in silent[:100]:
            self.assertEqual(connection.recv(1), b"", "the oldest are closed")
        self.assertEqual(check.process.wait(tool.HANG_SECONDS), 23)
        check.end()

    def test_the_port(self):
        check = self.watched(*self.LARGE)
        outcome = tool.run("check", GERMAN, f"--dashboard={check.port}")
        self.assertEqual(outcome.code, 153, outcome)
        self.assertIn(f"port {check.port} of 127.0.0.1 cannot be listened on", outcome.stderr)
        check.process.kill()
        check.end()


class Parser(unittest.TestCase):
    GOOD = '# TYPE a counter\n# HELP a b\na_total 1\n# TYPE b_bytes gauge\n# UNIT b_bytes bytes\n# HELP b_bytes c\nb_bytes{x="y"} 2.5\n# EOF\n'

    def test_it_is_strict(self):
        self.assertEqual(len(parsed(self.GOOD)[0]), 2)
        for old, new in (("a_total 1", "a 1"), ("# EOF\n", ""), ("# EOF\n", "# EOF"), ("b_bytes{", "b{"), ('"y"', "y"),
                         ("2.5", "2,5"), ("2.5", "2.5 "), ("# HELP a b\n", ""), ("UNIT b_bytes bytes", "UNIT b_bytes seconds"),
                         ("a_total 1\n", "a_total 1\na_total 2\n"), ("a_total 1\n", "a_total 1\n\n"), ("counter", "number"),
                         ("a_total 1", "a_total -1")):
            with self.assertRaises(AssertionError, msg=(old, new)):
                parsed(self.GOOD.replace(old, new))


if __name__ == "__main__":
    tool.main()
