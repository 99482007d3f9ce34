#!/usr/bin/env python3
"""How good the forecast of the number of states is, on state spaces whose levels are known.

    bench/forecast.py                                   the table of docs/design/forecast.md
    bench/forecast.py --plot docs/design/forecast.svg   its picture
    bench/forecast.py FILE.json...                      the same for searches of one's own, from 'spillway check --json'
    bench/forecast.py --fit                             the constants of src/report/progress/forecast.cc anew, and what they are
                                                        worth for families of models that they were not fitted to

A run is 25% done when a quarter of its states have been expanded. Needs build/dev/bench_forecast, which asks the code of
the product.
"""

import argparse
import collections
import csv
import html
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[1]
SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)
LEAST_STATES = 2000  # what is smaller is over before anybody reads a forecast
LOW_QUANTILE, HIGH_QUANTILE = 0.05, 0.93

Moment = collections.namedtuple("Moment", "levels known growth low high")


class Run:
    def __init__(self, name, levels):
        self.name, self.levels, self.states = name, levels, sum(levels)
        self.family = name.split(".")[0]
        self.moments = []

    def expanded(self, moment):
        """The share of the states that are expanded when these levels are known."""
        return (moment.known - self.levels[moment.levels - 1]) / self.states

    def at(self, share):
        """The first moment at which so much is expanded; None if the last level is known by then."""
        return next((moment for moment in self.moments if self.expanded(moment) >= share), None)


def runs_in_table(table):
    with open(table, encoding="utf-8") as file:
        return [Run(row["instance"], [int(size) for size in row["states_per_bfs_level"].split()]) for row in csv.DictReader(file)]


def runs_in_results(paths):
    """Complete searches; the others have no end to compare with."""
    documents = [(path, json.loads(path.read_text(encoding="utf-8"))) for path in paths]
    return [Run(path.stem, document["levels"]) for path, document in documents if document["complete"]]


def ask(runs, program):
    """Those that are large enough, with what the program says at each moment."""
    runs = {run.name: run for run in runs if run.states >= LEAST_STATES}
    text = "".join(f"{run.name} {' '.join(map(str, run.levels))}\n" for run in runs.values())
    said = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
    for line in said.splitlines():
        name, levels, known, growth, low, high = line.split()
        number = lambda word: None if word == "-" else float(word)
        runs[name].moments.append(Moment(int(levels), int(known), number(growth), number(low), number(high)))
    return list(runs.values())


def judge(runs, share, interval):
    """How many spoke, how often they were right or wrong, and how wide they were; `interval` is of a run and a moment."""
    asked = [(run, run.at(share)) for run in runs]
    asked = [(run, moment, interval(run, moment)) for run, moment in asked if moment is not None]
    said = [(run, moment, *ends) for run, moment, ends in asked if ends is not None]
    return {
        "asked": len(asked),
        "said": len(said),
        "in": sum(low <= run.states <= high for run, _, low, high in said),
        "more": sum(run.states > high for run, _, _, high in said),
        "less": sum(run.states < low for run, _, low, _ in said),
        "width": statistics.median(high / low for *_, low, high in said) if said else math.nan,
        "error": statistics.median(abs(math.log(math.sqrt(low * high) / run.states)) for run, _, low, high in said) if said else math.nan,
    }


def print_table(runs, interval):
    print("| expanded | runs | silent | in the interval | more states | fewer | width | error of its middle |")
    print("|---|---|---|---|---|---|---|---|")
    table = {}
    for share in SHARES:
        found = table[share] = judge(runs, share, interval)
        print(f"| {share:.0%} | {found['asked']} | {found['asked'] - found['said']} | {found['in']} ({found['in'] / max(1, found['said']):.0%}) | "
              f"{found['more']} | {found['less']} | x{found['width']:.1f} | x{math.exp(found['error']):.2f} |")
    return table


def said_by_the_product(_, moment):
    return None if moment.high is None else (moment.low, moment.high)


# Fitting ----------------------------------------------------------------------------------------------------------------


def fit(runs):
    """ln ln (end / known) as a line over the growth, each moment with the weight of its level; and the quantiles beside it."""
    points = []
    for run in runs:
        for moment in run.moments:
            if moment.growth is not None and moment.known >= 500:
                weight = run.levels[moment.levels - 1] / run.states
                points.append((min(10, max(-4, moment.growth)), math.log(math.log(run.states / moment.known)), weight))
    all_weight = sum(weight for *_, weight in points)
    x_mean = sum(x * weight for x, _, weight in points) / all_weight
    y_mean = sum(y * weight for _, y, weight in points) / all_weight
    slope = sum((x - x_mean) * (y - y_mean) * w for x, y, w in points) / sum((x - x_mean) ** 2 * w for x, _, w in points)
    rest = sorted((y - slope * x, weight) for x, y, weight in points)

    def quantile(share):
        sofar = 0
        for value, weight in rest:
            sofar += weight
            if sofar >= share * all_weight:
                return value
        return rest[-1][0]

    return slope, quantile(LOW_QUANTILE), quantile(HIGH_QUANTILE)


def fit_without_each_family(runs):
    without = {family: fit([run for run in runs if run.family != family]) for family in {run.family for run in runs}}

    def interval(run, moment):
        slope, low, high = without[run.family]
        if moment.high is None:
            return None
        return (moment.known * math.exp(math.exp(low + slope * moment.growth)),
                moment.known * math.exp(math.exp(high + slope * max(-4, moment.growth))))

    print("fitted to all: slope {:.2f}, low {:.2f}, high {:.2f}".format(*fit(runs)))
    print_table(runs, interval)


# The picture ------------------------------------------------------------------------------------------------------------

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 720, 360, 56, 46, 44


def draw(runs, path):
    """The interval of every run at 25, 50 and 75%, in multiples of what the end was."""
    shares = (0.25, 0.5, 0.75)
    least, most = 1 / 20, 20
    y_of = lambda times: TOP + (math.log(most) - math.log(min(most, max(least, times)))) / math.log(most / least) * (HEIGHT - TOP - BOTTOM)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             f'<text x="{WIDTH / 2}" y="20" text-anchor="middle" font-size="14">Forecast of the number of states / the number in the end</text>']
    for times in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20):
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - 12}" y1="{y_of(times):.1f}" y2="{y_of(times):.1f}" stroke="{"#444" if times == 1 else "#ddd"}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y_of(times) + 4:.1f}" text-anchor="end">{times:g}</text>')
    column = (WIDTH - LEFT - 12) / len(shares)
    for i, share in enumerate(shares):
        begin = LEFT + i * column
        ends = sorted(((moment.low / run.states, moment.high / run.states, run.name) for run in runs
                       if (moment := run.at(share)) is not None and moment.high is not None), key=lambda end: end[0] * end[1])
        for j, (low, high, name) in enumerate(ends):
            x = begin + 8 + j * (column - 16) / max(1, len(ends) - 1)
            colour = "#1b6ca8" if low <= 1 <= high else "#c8553d"
            parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{y_of(low):.1f}" y2="{y_of(high):.1f}" stroke="{colour}" stroke-width="1.5">'
                         f'<title>{html.escape(name)}</title></line>')
        parts.append(f'<text x="{begin + column / 2:.0f}" y="{HEIGHT - 24}" text-anchor="middle">{share:.0%} of the states expanded</text>')
        right = sum(low <= 1 <= high for low, high, _ in ends)
        parts.append(f'<text x="{begin + column / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle" fill="#555">{right} of {len(ends)} contain the end</text>')
    path.write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", default=REPOSITORY / "build" / "dev" / "bench_forecast")
    options.add_argument("--shared", type=pathlib.Path, default=pathlib.Path(os.environ.get("SPILLWAY_SHARED", REPOSITORY.parent / "shared")))
    options.add_argument("--plot", type=pathlib.Path, help="draw a picture into this file")
    options.add_argument("--fit", action="store_true", help="fit the constants, and judge them by families that they do not know")
    options.add_argument("--least", type=float, help="fail if fewer than this share of the intervals contain the end, at 25, 50 or 75%%")
    options.add_argument("results", nargs="*", type=pathlib.Path, help="documents of 'spillway check --json', instead of the collection")
    arguments = options.parse_args()
    table = arguments.shared / "models" / "beem" / "bfs-levels.csv"
    if not arguments.results and not table.exists():
        print(f"skipped: {table} does not exist")
        return 1 if os.environ.get("CI") == "true" else 77
    runs = ask(runs_in_results(arguments.results) if arguments.results else runs_in_table(table), arguments.program)
    found = print_table(runs, said_by_the_product)
    if arguments.fit:
        fit_without_each_family(runs)
    if arguments.plot:
        draw(runs, arguments.plot)
    if arguments.least is not None:
        for share in (0.25, 0.5, 0.75):
            if found[share]["said"] < 60 or found[share]["in"] < arguments.least * found[share]["said"]:
                print(f"at {share:.0%}, too few forecasts are right")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
