#!/usr/bin/env python3
"""What --report, --events and --dashboard together cost: processor time of checks with and without them, in turns.

    bench/report_cost.py SPILLWAY [--times N]

Somebody looks on: the page asks for news every two seconds, as a browser does, and the figures are collected every five.
Prints for each model the median of both, and the median of the ratios of neighbouring checks.
"""
import argparse
import os
import pathlib
import statistics
import re
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

from noise import Turns, median_of_ratios

BENCH = pathlib.Path(__file__).resolve().parent
EXAMPLES = BENCH.parent / "examples"
MODELS = {  # each takes some seconds; the last has 691 levels
    "german": [EXAMPLES / "german" / "german.m", "--const", "NODES=5", "--symmetry=off"],
    "philosophers": [EXAMPLES / "philosophers" / "philosophers.m", "--const", "PHILOSOPHERS=18", "--const", "LEFT_HANDED=1"],
    "far_reset": [BENCH / "far_reset.m", "--const", "N=230"],
}


def look_on(stderr):
    """Until the check is gone."""
    asked = 0
    address = None
    for line in stderr:
        if found := re.search(r"watched at (http\S+)", line):
            address = found[1]
            break
    while address:
        try:
            for path in ("", "data", "metrics") if asked == 0 else ("data", "metrics")[: 2 if asked % 5 < 2 else 1]:
                urllib.request.urlopen(address + path, timeout=10).read()
        except (urllib.error.URLError, OSError):
            break
        time.sleep(2)
        asked += 2
    stderr.read()


def processor_seconds(command):
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    viewer = threading.Thread(target=look_on, args=(process.stderr,))
    viewer.start()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    viewer.join()
    if process.returncode not in (0, 12):
        raise SystemExit(f"{command} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("spillway")
    parser.add_argument("--times", type=int, default=9)
    options = parser.parse_args()
    turns = Turns(options.times)
    with tempfile.TemporaryDirectory() as folder:
        extra = ["--report", f"{folder}/page.html", "--events", f"{folder}/events.ndjson", "--dashboard"]
        for name, model in MODELS.items():
            command = [options.spillway, "check", *model, "--threads=1", "--execute=optimized"]
            processor_seconds(command)  # the model is compiled
            found = turns.take({"plain": lambda: processor_seconds(command), "told": lambda: processor_seconds(command + extra)})
            plain, told = found.values()
            ratio = median_of_ratios(told, plain)
            print(f"{name:<16}  {statistics.median(plain):8.2f} s  {statistics.median(told):8.2f} s  {100 * (ratio - 1):+.2f}%", flush=True)
    print(turns.said())


main()
