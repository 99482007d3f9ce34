#!/usr/bin/env python3
"""Searches that go to disk stay within --memory: their peaks, for rows of any width and any number of threads.

  spilled_peaks.py SPILLWAY [--words 1,18,400] [--threads 1,4] [--memory 16M,32M] [--times 6] [--most-states 2000000]
                   [--directory /var/tmp] [--model FILE]

For each width and memory it compiles tests/models/abi/wide.c with as many states as have so many times the memory, whole, and
at most so many states. Each search runs in a control group of its own, page cache included, and must
 - be verified with the right number of states and a peak of at most 1.1 times --memory, or
 - be refused at once: before it says that memory is full, with any number of threads, and naming the least memory that is
   enough, with which it must then be as above.
For each width, one search at least must leave memory. Where no control group can be made, the peak is the resident memory of
the process, without page cache and kernel memory; in CI that is a failure.
--model measures another model instead, whose states nobody counts here.  Prints a table in Markdown; exits with 1 when
something does not hold.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from skips import in_ci, skip
from control_group import ControlGroup, Unavailable

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / 'tests' / 'models' / 'abi' / 'wide.c'
MOST = 1.1
UNITS = {'K': 1 << 10, 'M': 1 << 20, 'G': 1 << 30}


def parse():
    numbers = lambda text: [int(number) for number in text.split(',')]
    parser = argparse.ArgumentParser()
    parser.add_argument('spillway')
    parser.add_argument('--words', type=numbers, default=[1, 2, 5, 18, 47, 400, 8192])
    parser.add_argument('--threads', type=numbers, default=[1, 2, 4])
    parser.add_argument('--memory', type=lambda text: text.split(','), default=['16M', '32M', '64M', '256M', '1G'])
    parser.add_argument('--times', type=float, default=6)
    parser.add_argument('--most-states', type=int, default=2_000_000)
    parser.add_argument('--directory', default='/var/tmp')
    parser.add_argument('--model')
    return parser.parse_args()


def bytes_of(text):
    return int(text[:-1]) * UNITS[text[-1]] if text[-1] in UNITS else int(text)


def compile_wide(folder, words, states):
    model = pathlib.Path(folder) / f'wide-{words}-{states}.so'
    if not model.exists():
        subprocess.run(['cc', '-O2', '-shared', '-fPIC', f'-DWORDS={words}', f'-DSTATES={states}', '-I', ROOT / 'include', '-o', model,
                        SOURCE], check=True)
    return model


class Result:
    def __init__(self, command):
        with tempfile.TemporaryFile('w+') as out, tempfile.TemporaryFile('w+') as err:
            self.peak = self._run(command, out, err)
            out.seek(0)
            err.seek(0)
            self.text, self.said = out.read(), err.read()
        document = json.loads(self.text) if self.text else {}
        self.states, self.seconds = document.get('states'), document.get('seconds', 0.0)
        self.spilled = 'memory is full' in self.said
        least = re.search(r'at least (\d+) MiB is needed', self.said)
        self.least = int(least[1]) << 20 if least and not self.spilled and self.code == 2 else None

    def _run(self, command, out, err):
        try:
            with ControlGroup() as group:
                self.code = group.run(command, stdout=out, stderr=err).returncode
                return group.peak()
        except Unavailable as error:
            if in_ci():
                skip(error)  # without page cache and kernel memory, a peak shows too little
            process = subprocess.Popen(command, stdout=out, stderr=err)
            _, status, usage = os.wait4(process.pid, 0)
            self.code = os.waitstatus_to_exitcode(status)
            return usage.ru_maxrss << 10


class Table:
    def __init__(self, arguments):
        self.arguments = arguments
        self.wrong = []
        self.spilled = {}  # of each model: whether any search of it has left memory, or would have to

    def check(self, model, memory, threads):
        return Result([self.arguments.spillway, 'check', model, '--memory', str(memory), '--threads', str(threads), '--json', '-',
                       '--disk', self.arguments.directory, '--run-dir=none'])

    def fault(self, result, memory, states):
        if result.code or (states is not None and result.states != states):
            return f'exit {result.code}, {result.states} states of {states}: {result.said[-300:]}'
        if result.peak > MOST * memory:
            return f'{result.peak / memory:.2f} times its memory'
        return None

    # One cell of the table: what is wrong, or nothing; and what to show.
    def cell(self, model, states, memory, threads):
        result = self.check(model, memory, threads)
        if result.least is None:
            kept = '' if result.spilled else ' in RAM'
            return result, self.fault(result, memory, states), f'{result.peak / memory:.2f}{kept}'
        again = self.check(model, result.least, threads)
        wrong = 'too large a least' if result.least <= memory else self.fault(again, result.least, states)
        return result, wrong, f'from {result.least >> 20} MiB: {again.peak / result.least:.2f}'

    def row(self, model, name, states, memory_text):
        memory = bytes_of(memory_text)
        cells, leasts, seconds = [], set(), []
        for threads in self.arguments.threads:
            result, wrong, shown = self.cell(model, states, memory, threads)
            self.spilled[name] = self.spilled.get(name, False) or result.spilled or bool(result.least)
            leasts.add(result.least)
            seconds.append(result.seconds)
            cells.append(shown + (' **wrong**' if wrong else ''))
            if wrong:
                self.wrong.append(f'{name}, {memory_text}, {threads} threads: {wrong}')
        if len(leasts) > 1:
            self.wrong.append(f'{name}, {memory_text}: refused or not, depending on threads: {leasts}')
        of = f'{states:,}' if states else ''
        print(f'| {name} | {of} | {memory_text} | {" | ".join(cells)} | {max(seconds):.1f} |', flush=True)

    def show(self):
        threads = [f'{count} thread{"s" if count > 1 else ""}' for count in self.arguments.threads]
        print(f'| words | states | --memory | {" | ".join(threads)} | most s |')
        print('|---|' * 1 + '---|' * (len(threads) + 3), flush=True)
        if self.arguments.model:
            for memory in self.arguments.memory:
                self.row(self.arguments.model, pathlib.Path(self.arguments.model).stem, None, memory)
            return
        with tempfile.TemporaryDirectory() as folder:
            for words in self.arguments.words:
                for memory in self.arguments.memory:
                    states = min(self.arguments.most_states, int(self.arguments.times * bytes_of(memory) / (8 * words)))
                    self.row(compile_wide(folder, words, states), str(words), states, memory)


def main():
    table = Table(parse())
    table.show()
    table.wrong += [f'{name}: no search has left memory, so this shows nothing' for name, has in table.spilled.items() if not has]
    for sentence in table.wrong:
        print(sentence)
    sys.exit(1 if table.wrong else 0)


main()
