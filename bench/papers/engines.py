#!/usr/bin/env python3
"""Our search for accepting cycles beyond memory against the published ones, on properties that hold.

  bench/papers/engines.py [--build build/native] [--shared ../shared] [--disk DIR] [--engines sorted-runs,owcty,...]
                          [--models lamport.5.prop4,...] [--share 0.05] [--limit 360] [--kept engines.jsonl]

For each product, `--algorithm=ram` with acceptance ignored says how many states there are and what memory they take. All
others get --share of that, but at least 16 MiB. Seconds are those of the processor, on one thread, of one run. A search
that takes more than --limit seconds of the processor, or three times as long by the clock, is ended: a lower bound.

The last column is the best published one over the first engine; below it is the geometric mean.
"""

import argparse
import json
import math
import pathlib
import resource
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENGINES = 'sorted-runs,owcty,semi-external,map,ioemc,ioemc-tiered,iterative-deepening'
MODELS = 'leader_filters.5.prop2,lamport.5.prop4,peterson.4.prop4'
LEAST_MIB = 16


class Searches:
    """Results of searches; those in the file are not repeated."""

    def __init__(self, options):
        self.options = options
        self.kept = {}
        if options.kept and options.kept.exists():
            for line in options.kept.read_text(encoding='utf-8').splitlines():
                key, found = json.loads(line)
                self.kept[key] = found

    def search(self, model, *how):
        key = ' '.join([model, *how])
        if key not in self.kept:
            self.kept[key] = self.measure(model, how)
            if self.options.kept:
                with self.options.kept.open('a', encoding='utf-8') as file:
                    file.write(json.dumps([key, self.kept[key]]) + '\n')
        return self.kept[key]

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
        return f"{found['cpu']:.1f}"
    if found['verdict'] in ('violated', 'error'):
        return f"{found['verdict']}!"
    return 'no memory' if found['code'] == 22 else f"> {found['cpu']:.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build' / 'native')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    parser.add_argument('--disk', default='/var/tmp')
    parser.add_argument('--engines', default=ENGINES)
    parser.add_argument('--models', default=MODELS)
    parser.add_argument('--share', type=float, default=0.05)
    parser.add_argument('--limit', type=int, default=360)
    parser.add_argument('--kept', type=pathlib.Path)
    options = parser.parse_args()
    searches, engines, gains = Searches(options), options.engines.split(','), []
    print('| valid property | states | plain, in memory, s | memory, MiB | ' + ' | '.join(engines) + ' | best published over ours |')
    print('|---|' + '--:|' * (len(engines) + 4))
    for model in options.models.split(','):
        searches.search(model, '--max-depth=1', '--ignore=acceptance')  # compiles
        plain = searches.search(model, '--algorithm=ram', '--ignore=acceptance')
        mib = max(LEAST_MIB, math.ceil(plain['peak_memory_bytes'] * options.share / 2**20))
        found = [searches.search(model, f'--algorithm={name}', f'--memory={mib}M') for name in engines]
        best = min((one['cpu'] for one in found[1:] if one['code'] != 22), default=None)
        gain = best / found[0]['cpu'] if best and found[0]['verdict'] == 'verified' else None
        gains += [gain] if gain else []
        print(f"| {model} | {plain['states']:,} | {plain['cpu']:.1f} | {mib} | " + ' | '.join(map(shown, found)) +
              f" | {f'{gain:.2f}' if gain else ''} |", flush=True)
    if gains:
        print(f'\nGeometric mean: {math.exp(sum(map(math.log, gains)) / len(gains)):.2f}')


if __name__ == '__main__':
    main()
