#!/usr/bin/env python3
"""Our search for accepting cycles beyond memory against the published ones, on properties that hold.

  bench/papers/engines.py [--build build/native] [--shared ../shared] [--disk DIR] [--engines sorted-runs,owcty,...]
                          [--models lamport.5.prop4,...] [--share 0.05] [--least 16] [--limit 360] [--runs 1] [--again 120]
                          [--kept engines.jsonl]

For each product, `--algorithm=ram` with acceptance ignored says how many states there are and what memory they take. All
others get --share of that, but at least --least MiB. *plain* is sorted-run reachability of the product with that memory.

Seconds are those of the processor, on one thread; in brackets, what the clock adds to them. Searches take turns. Those
that take less than --again seconds are made --runs times, and the median counts. A search that takes more than --limit
seconds of the processor, or three times as long by the clock, is ended: a lower bound.

The last columns are the best published one over the first engine, and the first engine over plain; below them are the
geometric means.
"""

import argparse
import json
import math
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / 'bench'))
from noise import said_below  # noqa: E402

ENGINES = 'sorted-runs,owcty,semi-external,map,ioemc,iterative-deepening'
MODELS = 'leader_filters.5.prop2,lamport.5.prop4,peterson.4.prop4'
PLAIN = '--ignore=acceptance'
NO_MEMORY = 22


class Searches:
    """Results of searches, a list for each; those in the file are not repeated."""

    def __init__(self, options):
        self.options = options
        self.kept = {}
        if options.kept and options.kept.exists():
            for line in options.kept.read_text(encoding='utf-8').splitlines():
                key, found = json.loads(line)
                self.kept.setdefault(key, []).append(found)

    def again(self, found, turn):
        """Whether a search that gave this is to be made in this turn."""
        if not found:
            return True
        return len(found) <= turn and found[0]['verdict'] == 'verified' and found[0]['cpu'] < self.options.again

    def take(self, model, *searches):
        """The run in the middle of each search, which take turns."""
        for turn in range(self.options.runs):
            for how in searches:
                found = self.kept.setdefault(' '.join([model, *how]), [])
                if self.again(found, turn):
                    found.append(self.measure(model, how))
                    self.keep(' '.join([model, *how]), found[-1])
        return [self.median(self.kept[' '.join([model, *how])]) for how in searches]

    def keep(self, key, found):
        if self.options.kept:
            with self.options.kept.open('a', encoding='utf-8') as file:
                file.write(json.dumps([key, found]) + '\n')

    @staticmethod
    def median(runs):
        return sorted(runs, key=lambda run: run['cpu'])[len(runs) // 2]

    def measure(self, model, how):
        limit = self.options.limit
        path = self.options.shared / f'models/beem/prop/{model}.dve'
        with tempfile.NamedTemporaryFile(suffix='.json') as out:
            command = [self.options.build / 'spillway', 'check', path, '--product', '--dve-errors=wrap', '--execute=optimized',
                       '--deadlock=off', '--threads=1', f'--disk={self.options.disk}', '--run-dir=none', f'--timeout={3 * limit}s', '--quiet',
                       f'--json={out.name}', *how]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            ended = subprocess.run(command, capture_output=True, text=True,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5)))
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            text = pathlib.Path(out.name).read_text(encoding='utf-8')
        document = json.loads(text) if text else {}
        return {'cpu': after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 'code': ended.returncode,
                **{name: document.get(name) for name in ('verdict', 'reason', 'states', 'seconds', 'peak_memory_bytes')}}


def shown(found):
    if found['verdict'] == 'verified':
        return f"{found['cpu']:.1f} ({max(0, found['seconds'] - found['cpu']):.0f})"
    if found['verdict'] in ('violated', 'error'):
        return f"{found['verdict']}!"
    return 'no memory' if found['code'] == NO_MEMORY else f"> {found['cpu']:.0f}"


def ratio(above, below):
    """Of processor times; None if there is none. An unfinished search above makes it a lower bound."""
    if below['verdict'] != 'verified' or above is None or above['code'] == NO_MEMORY:
        return None
    return above['cpu'] / below['cpu']


def compare(searches, model, engines, options):
    """The cells of a row, and the two ratios."""
    searches.take(model, ('--max-depth=1', PLAIN))  # compiles
    [ram] = searches.take(model, ('--algorithm=ram', PLAIN))
    mib = max(options.least, math.ceil(ram['peak_memory_bytes'] * options.share / 2**20))
    memory = f'--memory={mib}M'
    plain, *found = searches.take(model, ('--algorithm=sorted-runs', PLAIN, memory), *((f'--algorithm={name}', memory) for name in engines))
    best = min((one for one in found[1:] if one['code'] != NO_MEMORY), key=lambda one: one['cpu'], default=None)
    ratios = ratio(best, found[0]), ratio(found[0], plain) if found[0]['verdict'] == 'verified' else None
    bound = '> ' if best and best['verdict'] != 'verified' else ''
    share = 100 * mib * 2**20 / ram['peak_memory_bytes']
    cells = [model, f"{ram['states']:,}", f"{ram['cpu']:.1f}", f'{mib} ({share:.0f}%)', shown(plain), *map(shown, found),
             f'{bound}{ratios[0]:.2f}' if ratios[0] else '', f'{ratios[1]:.2f}' if ratios[1] else '']
    return cells, ratios


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build' / 'native')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    parser.add_argument('--disk', default='/var/tmp')
    parser.add_argument('--engines', default=ENGINES)
    parser.add_argument('--models', default=MODELS)
    parser.add_argument('--share', type=float, default=0.05)
    parser.add_argument('--least', type=int, default=16, help='MiB')
    parser.add_argument('--limit', type=int, default=360, help='seconds')
    parser.add_argument('--runs', type=int, default=1)
    parser.add_argument('--again', type=float, default=120, help='seconds')
    parser.add_argument('--kept', type=pathlib.Path)
    options = parser.parse_args()
    searches, engines, gains = Searches(options), options.engines.split(','), []
    print('| valid property | states | plain in RAM, s | memory, MiB | plain | ' + ' | '.join(engines) +
          ' | best published over ours | ours over plain |')
    print('|---|' + '--:|' * (len(engines) + 6))
    for model in options.models.split(','):
        cells, ratios = compare(searches, model, engines, options)
        gains.append(ratios)
        print(f"| {' | '.join(cells)} |", flush=True)
    means = [[one for one in column if one] for column in zip(*gains)]
    print('\nGeometric means: ' + ', '.join(f'{math.exp(sum(map(math.log, one)) / len(one)):.2f} of {len(one)}' for one in means if one))


if __name__ == '__main__':
    with said_below():
        main()
