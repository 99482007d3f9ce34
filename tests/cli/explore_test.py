"""spillway explore: pages on this machine, and states found on disk."""

import html
import http.client
import json
import re

import tool

MSI = tool.SOURCE / "examples" / "msi" / "msi.m"
GERMAN = tool.SOURCE / "examples" / "german" / "german.m"

COUNTER = """
var x: 0..9;
startstate "zero" x := 0; end;
rule "up" x < 9 ==> x := x + 1; end;
rule "down" x > 0 ==> x := x - 1; end;
invariant "small" x < 8;
cover "five" x = 5;
"""


class Page:
    def __init__(self, status, headers, text):
        self.status, self.headers, self.text = status, headers, text


class Explored:
    """The program while it serves pages."""

    def __init__(self, test, *arguments):
        self.process = tool.start("explore", *arguments)
        test.addCleanup(self.end)
        self.said = []
        while True:
            line = self.process.stdout.readline().decode()
            test.assertTrue(line, self.said)
            self.said.append(line)
            found = re.search(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/$", line.strip())
            if found:
                break
        self.port, self.token = int(found[1]), found[2]

    def ask(self, method, path, host=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=tool.IN_TIME)
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", f"127.0.0.1:{self.port}" if host is None else host)
        connection.endheaders()
        answer = connection.getresponse()
        page = Page(answer.status, answer.headers, answer.read().decode())
        connection.close()
        return page

    def get(self, path):
        return self.ask("GET", f"/{self.token}/{path}")

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(tool.signal.SIGINT)
        out, err = self.process.communicate(timeout=tool.IN_TIME)
        return self.process.returncode, out.decode(), err.decode()


def links(page):
    return re.findall(r'<a href="([^"]*)"', page.text)


def steps(page):
    """What can happen, as (address, rule)."""
    choices = page.text.partition('class="choices"')[2]
    return re.findall(r'<li><a href="([^"]*)"><b>\d+</b><span>([^<]*)', choices.partition("</ol>")[0])


class Pages(tool.Test):
    def test_a_walk(self):
        site = Explored(self, self.graph(COUNTER, "counter.m"))
        front = site.get("")
        self.assertEqual((front.status, front.headers["Location"]), (302, f"/{site.token}/state/"))
        start = site.get("state/")
        self.assertEqual((start.status, steps(start)), (200, [("i1", "zero")]))
        self.assertEqual(steps(site.get("state/i1")), [("i1.1", "up")])
        page = site.get("state/i1.1.1")
        self.assertEqual(steps(page), [("i1.1.1.1", "up"), ("i1.1.1.2", "down")])
        self.assertIn("<s>1</s> 2", page.text)
        self.assertIn("Step 2: up", page.text)
        self.assertIn("<code>x: 2 -&gt; 3</code>", page.text)
        self.assertEqual(page.text, site.get("state/i1.1.1").text, "an address is stable")
        self.assertEqual(site.end()[0], 0)

    def test_properties(self):
        site = Explored(self, self.graph(COUNTER, "counter.m"))
        good, bad = site.get("state/i1"), site.get("state/i1" + ".1" * 8)
        self.assertRegex(good.text, r'class="good">holds</span> invariant &quot;small&quot;')
        self.assertRegex(good.text, r'class="plain">not here</span> cover &quot;five&quot;')
        self.assertRegex(bad.text, r'class="bad">violated</span> invariant &quot;small&quot;')
        self.assertRegex(site.get("state/i1" + ".1" * 7).text, "violates</span> small")
        self.assertRegex(site.get("state/i1" + ".1" * 5).text, r'class="good">holds</span> cover')

    def test_addresses_that_lead_nowhere(self):
        site = Explored(self, self.graph(COUNTER, "counter.m"))
        for address in ("i2", "i0", "i1.2", "i1.1.1.9", "i", "x1", "i1.", "i1..1", "t1.0", "i99999999999999999999", "i-1",
                        "i1%00"):
            self.assertEqual(site.get(f"state/{address}").status, 404, address)
        self.assertEqual(site.get("state/i1" + ".1" * 300).status, 200, "a long way")
        self.assertIn("After i1 there is no step 2.", site.get("state/i1.2").text)
        self.assertEqual(site.get("other").status, 404)

    def test_who_is_refused(self):
        site = Explored(self, self.graph(COUNTER, "counter.m"))
        path = f"/{site.token}/state/i1"
        self.assertEqual(site.ask("GET", path, f"localhost:{site.port}").status, 200)
        for host in ("evil.example", f"evil.example:{site.port}", "127.0.0.1", "127.0.0.1:1", ""):
            self.assertEqual(site.ask("GET", path, host).status, 421, host)
        for method in ("POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"):
            page = site.ask(method, path)
            self.assertEqual((page.status, page.headers["Allow"]), (405, "GET"), method)
        for wrong in ("/", "/state/i1", f"/{'0' * 32}/state/i1", f"/{site.token[:-1]}/", f"/{site.token}0/"):
            page = site.ask("GET", wrong)
            self.assertEqual(page.status, 403, wrong)
            self.assertNotIn("counter", page.text)

    def test_nothing_from_elsewhere(self):
        site = Explored(self, MSI)
        page = site.get("state/i1")
        policy = page.headers["Content-Security-Policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertEqual(page.headers["X-Content-Type-Options"], "nosniff")
        self.assertNotRegex(page.text, r"https?://|<style|<script>|\son\w+=|\sstyle=")
        for name, kind in (("explore.css", "text/css"), ("explore.js", "text/javascript")):
            self.assertIn(f"../{name}", page.text)
            part = site.get(name)
            self.assertEqual((part.status, part.headers["Content-Type"].split(";")[0]), (200, kind))
            self.assertNotIn("http", part.text)

    def test_text_of_the_model_is_escaped(self):
        evil = "</title><script>alert(1)</script>'&"
        model = self.graph(f'var x: 0..1; startstate "{evil}" x := 0; end; rule "{evil}" x := 1 - x; end; '
                           f'invariant "{evil}" x = 0;', "model.m")
        site = Explored(self, model)
        for address in ("", "i1", "i1.1"):
            text = site.get(f"state/{address}").text
            self.assertNotIn("<script>", text)
            self.assertIn(html.escape(evil).replace("x27", "39"), text)

    def test_from_a_trace(self):
        folder = self.scratch()
        self.assertEqual(tool.run("check", MSI, "--run-dir", folder / "run", "--json", folder / "r.json").code, 12)
        document = json.loads((folder / "r.json").read_text(encoding="utf-8"))
        [trace] = [one["counterexample"] for one in document["properties"] if one["verdict"] == "violated"]
        for arguments in ((folder / "run",), (MSI, "--result", folder / "r.json")):
            site = Explored(self, *arguments)
            self.assertIn('href="t1.4"', site.get("state/").text)
            self.assertEqual(site.get("state/t1.5").status, 404)
            for i, step in enumerate(trace):
                page = site.get(f"state/t1.{i}")
                rows = re.findall(r'<th scope="row">(.*?)</th><td>(?:<s>.*?</s> )?(.*?)</td>', page.text)
                self.assertEqual({html.unescape(name): html.unescape(value) for name, value in rows}, step["state"])
            self.assertIn("violated", page.text)
            further = steps(page)[0][0]
            self.assertEqual(further, "t1.4.1")
            self.assertEqual(site.get(f"state/{further}").status, 200)

    def test_what_cannot_be_explored(self):
        self.assertEqual(tool.run("explore").code, 2)
        self.assertEqual(tool.run("explore", "/nowhere/model.m").code, 150)
        self.assertEqual(tool.run("explore", self.scratch()).code, 2)
        self.assertEqual(tool.run("explore", MSI, "--port=0").code, 2)
        self.assertEqual(tool.run("explore", MSI, "--where=true").code, 2)
        site = Explored(self, MSI)
        taken = tool.run("explore", MSI, f"--port={site.port}")
        self.assertEqual(taken.code, 153, taken)
        self.assertIn("leave --port out", taken.stderr)


class Where(tool.Test):
    def kept(self, model, *options):
        folder = self.scratch() / "run"
        outcome = tool.run("check", model, "--run-dir", folder, *options)
        return folder, outcome

    def find(self, folder, where, *options):
        return tool.run("explore", folder, "--where", where, "--text", *options)

    def test_the_first_by_its_level(self):
        """Against the model: x has the value n at depth n."""
        folder, _ = self.kept(self.graph(COUNTER.replace("x < 8", "true"), "counter.m"))
        for value in (0, 3, 9):
            outcome = self.find(folder, f"x >= {value}")
            self.assertEqual(outcome.code, 0, outcome)
            self.assertIn(f"1 such state in level {value}, the first that has any", outcome.stdout)
            self.assertEqual(re.findall(r"Step (\d+)", outcome.stdout), [str(i) for i in range(value + 1)])

    def test_the_same_with_any_threads_and_memory(self):
        results = set()
        for options in (("--algorithm=ram",), ("--algorithm=sorted-runs", "--memory=64M")):
            folder, outcome = self.kept(GERMAN, "--const=NODES=3", "--symmetry=off", *options)
            self.assertEqual(outcome.code, 0, outcome)
            for threads in (1, 3):
                outcome = self.find(folder, "exists n: node do has[n] = exclusive end", f"--threads={threads}")
                self.assertEqual(outcome.code, 0, outcome)
                results.add(outcome.stdout)
        self.assertEqual(len(results), 1)

    def test_none(self):
        model = self.graph(COUNTER.replace("x < 8", "true"), "counter.m")
        folder, _ = self.kept(model)
        outcome = self.find(folder, "x = 9 & x = 8")
        self.assertEqual(outcome.code, 15, outcome)
        self.assertIn("None of the 10 states is such a state.", outcome.stdout)
        folder, _ = self.kept(model, "--max-depth=4")
        outcome = self.find(folder, "x = 9")
        self.assertEqual(outcome.code, 23, outcome)

    def test_states_are_represented_without_regard_to_formulas(self):
        """Numbers in formulas or in the expression must not narrow variables in another way than the run did."""
        model = self.graph("int z = 0; int w = 5; int y = 0; int x = 0;\n"
                           "process P { state s; init s; trans s -> s { guard x < y; effect x = x + 1; },\n"
                           "  s -> s { effect y = w * w; }, s -> s { effect z = 1 - z; }; }\nsystem async;\n", "narrow.dve")
        for options in ((), ("--ltl", "G {x <= 25}"), ("--ctl", "AG {x <= 25}"), ("--ltl", "G F {y <= 30}")):
            folder, _ = self.kept(model, *options)
            for where, code in (("z == 1", 0), ("x == 7", 0), ("x > 25", 15), ("y < 26 && x > 24", 0)):
                with self.subTest(where, options=options):
                    outcome = self.find(folder, where)
                    self.assertEqual(outcome.code, code, outcome)

    def test_what_is_no_expression(self):
        folder, _ = self.kept(self.graph(COUNTER, "counter.m"))
        outcome = self.find(folder, "y = 1")
        self.assertEqual(outcome.code, 150, outcome)
        self.assertIn("--where", outcome.stderr)

    def test_a_page_that_begins_there(self):
        folder, _ = self.kept(self.graph(COUNTER.replace("x < 8", "true"), "counter.m"))
        site = Explored(self, folder, "--where=x = 4")
        self.assertIn("A shortest way to a state with x = 4", site.get("state/").text)
        self.assertIn("Step 4: up", site.get("state/t1.4").text)


if __name__ == "__main__":
    tool.main()
