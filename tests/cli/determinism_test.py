"""The same result whatever the number of threads and the memory, byte by byte but for times and sizes."""

import itertools
import json
import os
import pathlib
import tempfile

import tool

VARYING = ("seconds", "peak_memory_bytes", "memory_limit_bytes", "threads", "disk_bytes_read", "disk_bytes_written",
           "command", "options")
THREADS = (1, 2, 3, 8)
MEMORY = ("16M", "64M", None)  # all of it in memory, but for the tests that say that they leave it
# Each of both by day, all pairs at night.
BY_DAY = ((1, "16M"), (2, "16M"), (2, "64M"), (2, None), (3, "64M"), (8, None))
IS_NIGHT = int(os.environ.get("SPILLWAY_TIMES", "1")) > 1
SLOW = tool.SOURCE / "tests" / "cli" / "models" / "slow.c"
TILES = tool.SOURCE / "examples" / "tiles" / "tiles.c"
HYPERCUBE = tool.SOURCE / "tests" / "models" / "abi" / "hypercube.c"


def result(subject, *options, spilled=None):
    """The JSON as text without what may differ, the keys in the order in which they are written."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "result.json"
        outcome = tool.run("check", subject, "--json", file, *options)
        document = json.loads(file.read_text(encoding="utf-8"))
    if spilled is not None and (document["disk_bytes_written"] > 0) != spilled:
        raise AssertionError(f'{subject} {options}: {document["disk_bytes_written"]} bytes went to the disk')
    for key in VARYING:
        del document[key]
    figures = tool.FIGURES.search(outcome.stdout)
    counterexamples = outcome.stdout[outcome.stdout.find("\n") : figures.start() if figures else None]
    return outcome.code, json.dumps(document, indent=1), counterexamples


def walk(rows, columns, moves):
    """The board that the moves of the blank make of the solved one."""
    board = list(range(rows * columns))
    for move in moves:
        blank = board.index(0)
        other = blank + {"u": -columns, "d": columns, "l": -1, "r": 1}[move]
        board[blank], board[other] = board[other], board[blank]
    return f"-DROWS={rows}", f"-DCOLUMNS={columns}", "-DSOLVE", "-DBOARD=" + ",".join(map(str, board))


def ladder(levels, width, bad):
    """A graph of many levels, each of `width` states that lead to all states of the next in various orders."""
    lines = ["initial start", "start -> " + " ".join(f"s1_{i}" for i in range(width))]
    for level in range(1, levels):
        for i in range(width):
            targets = [f"s{level + 1}_{(level * 7 + i * (j + 1)) % width}" for j in range(4)]
            lines.append(f's{level}_{i} -> {" ".join(targets)} s{max(1, level - 40)}_{i} : "rule {i}"')
    if bad:
        lines.append(f"bad s{levels}_{width - 1} s{levels}_{width // 2}")
    return "\n".join(lines) + "\n"


class Determinism(tool.Test):
    def always_the_same(self, subject, verdict, words=1, threads=THREADS, memory=MEMORY, options=()):
        first = result(subject, "--threads", 1, *options)
        document = json.loads(first[1])
        self.assertEqual((document["verdict"], document["model"]["row_bytes"]), (verdict, 8 * words))
        for number, size in itertools.product(threads, memory):
            if not IS_NIGHT and (threads, memory) == (THREADS, MEMORY) and (number, size) not in BY_DAY:
                continue
            more = ("--memory", size) if size else ()
            with self.subTest(subject=subject, threads=number, memory=size):
                again = result(subject, "--threads", number, *more, *options)
                self.assertEqual(again, first)

    def the_same_on_disk(self, subject, verdict, words, memory="16M"):
        """With little memory the search goes on on the disk, and that makes no difference either."""
        first = result(subject, "--threads", 1, spilled=False)
        document = json.loads(first[1])
        self.assertEqual((document["verdict"], document["model"]["row_bytes"]), (verdict, 8 * words))
        for number in (1, 2, 8):
            with self.subTest(subject=subject, threads=number):
                self.assertEqual(result(subject, "--threads", number, "--memory", memory, spilled=True), first)

    def test_one_word_on_disk(self):
        self.the_same_on_disk(tool.model("pancake_10"), "verified", 1)
        board = "-DBOARD=0,9,3,7,1,5,4,8,2,6"  # 46 moves from the solved one
        self.the_same_on_disk(self.compile(TILES, "-DROWS=2", "-DCOLUMNS=5", "-DSOLVE", board), "violated", 1)

    def test_two_words_on_disk(self):
        self.the_same_on_disk(self.compile(HYPERCUBE, "-DDIMENSIONS=21", "-DWORDS=2"), "verified", 2, "12M")
        self.the_same_on_disk(self.compile(TILES, *walk(4, 5, "rdrdrdrululurdld")), "violated", 2)

    def test_many_words_on_disk(self):
        self.the_same_on_disk(self.compile(HYPERCUBE, "-DDIMENSIONS=21", "-DWORDS=5"), "verified", 5, "12M")
        self.the_same_on_disk(self.compile(HYPERCUBE, "-DDIMENSIONS=19", "-DWORDS=18"), "verified", 18, "12M")

    def test_one_word_verified(self):
        self.always_the_same(tool.model("peterson_4"), "verified")
        self.always_the_same(tool.model("pancake_9"), "verified")

    def test_one_word_violated(self):
        self.always_the_same(tool.model("peterson_bug"), "violated")
        self.always_the_same(tool.model("tiles_solve"), "violated")

    def test_two_words_verified(self):
        self.always_the_same(tool.model("hypercube_16_words_2"), "verified", words=2)

    def test_two_words_violated(self):
        self.always_the_same(self.compile(TILES, *walk(4, 5, "rdrdrdrululurd")), "violated", words=2)

    def test_three_words_verified(self):
        self.always_the_same(tool.model("hypercube_12_words_3"), "verified", words=3)

    def test_three_and_four_words_violated(self):
        self.always_the_same(self.compile(TILES, *walk(5, 5, "rdrdrdlulurd")), "violated", words=3)
        self.always_the_same(self.compile(TILES, *walk(6, 6, "rdrdrdlulurd")), "violated", words=4)

    def test_widest_rows(self):
        self.always_the_same(tool.model("hypercube_10_words_8192"), "verified", words=8192, threads=(2, 8), memory=("256M",))

    def test_many_levels_verified(self):
        self.always_the_same(self.graph(ladder(700, 9, False)), "verified")

    def test_many_levels_violated(self):
        self.always_the_same(self.graph(ladder(700, 9, True)), "violated")
        self.always_the_same(str(tool.GRAPHS / "long_chain.graph"), "violated")
        self.always_the_same(str(tool.GRAPHS / "long_ladder.graph"), "violated")

    def test_several_findings(self):
        self.always_the_same(str(tool.GRAPHS / "everything_at_once.graph"), "violated")
        self.always_the_same(str(tool.GRAPHS / "wide.graph"), "violated")

    def test_many_states_violate_the_same(self):
        # Threads race for the first bad state of a wide level; the smallest one is to be shown, though the thread
        # that comes to it has many good ones before it.
        subject = self.compile(SLOW, "-DNANOSECONDS=1000", "-DWIDE=8000", "-DBAD_FROM=4096")
        self.always_the_same(subject, "violated", memory=(None,))
        document = json.loads(result(subject)[1])
        self.assertEqual(document["properties"][0]["counterexample"][1]["state"], {"word[0]": f"{4096:#018x}"})

    def test_stopped_by_a_bound(self):
        self.always_the_same(tool.model("peterson_4"), "inconclusive", options=("--max-depth", 40))
        self.always_the_same(tool.model("peterson_4"), "inconclusive", options=("--max-states", 40_000))
        self.always_the_same(tool.model("hypercube_16_words_2"), "inconclusive", 2, options=("--max-states", 30_000))

    def test_again_and_again(self):
        first = result(tool.model("tiles_solve"))
        for _ in range(10):
            self.assertEqual(result(tool.model("tiles_solve")), first)


if __name__ == "__main__":
    tool.main()
