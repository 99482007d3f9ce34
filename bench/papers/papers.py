#!/usr/bin/env python3
"""The tables of the papers again, with our implementation of their algorithms, beside the published ratios.

  bench/papers/papers.py bao-jones|della-penna|evangelista|big|sorted-runs [--build build/native] [--shared ../shared] [--disk DIR]
                         [--results results.json] [--timeout 120] [--models 'german 5,...']

Runs what is not in the file of results yet, and prints the tables in Markdown; plots go to docs/design/papers/.
Memory is that of tables: a part of what all states take in a table; buffers of files and queues come on top of it.
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys

from plot import lines, scatter

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / 'bench'), str(ROOT / 'tests' / 'memory')]
from models import find  # noqa: E402
from sorted_runs import measure  # noqa: E402
from noise import said_below  # noqa: E402

PLOTS = ROOT / 'docs' / 'design' / 'papers'

# name -> file (below the shared models, or an example of ours), constants
MURPHI = {
    'mcslock1': ('murphi/cmurphi/mux_mcslock1.m', {}),
    'newlist6': ('murphi/cmurphi/multiset+sym_newlist6.m', {}),
    'n_peterson': ('murphi/scaled/n_peterson_N5.m', {}),
    'our german, 4': ('examples/german/german.m', {'NODES': 4}),
    'our philosophers, 16': ('examples/philosophers/philosophers.m', {'PHILOSOPHERS': 16, 'LEFT_HANDED': 1}),
}
SERIAL = {
    'mcslock1': MURPHI['mcslock1'],
    'mcslock2': ('murphi/cmurphi/mux_mcslock2.m', {}),
    'n_peterson': MURPHI['n_peterson'],
    'list6': ('murphi/cmurphi/sym_list6.m', {}),
    'sym.cache3': ('murphi/scaled/cache3_P4.m', {}),
    'our german, 4': MURPHI['our german, 4'],
}
BEEM = ('adding.3 at.3 bopdp.3 fischer.4 iprotocol.3 krebs.4 lamport.5 lann.3 leader_filters.5 lup.3 peterson.4 rether.3 '
        'sorter.3 szymanski.3').split()
PARTS = (1.0, 0.5, 0.2, 0.1, 0.05)

# Published.
BAO_JONES = {  # table 2: seconds with 5% of the memory: mcslock1, newlist6
    'RAM': (2570.0, 1031.6), 'PART': (2713.1, 1043.0), 'MONO': (3798.8, 1270.8), 'LOCAL': (6616.0, 2070.4),
    'LOCAL, open': (10645.0, 3337.0), 'MONO, open': (19755.2, 6346.2)}
DELLA_PENNA = {  # table 1: times of Serial over those of Disk at 0.5, 0.4, 0.3
    'mcslock1': (0.837, 1.109, 0.836), 'mcslock2': (0.984, 1.169, 1.040), 'n_peterson': (0.959, 0.952, 1.009),
    'list6': (1.033, 1.000, 1.110), 'sym.cache3': (1.029, 0.988, 1.057)}
EVANGELISTA = {  # table 1: DDDD over PART with k = 0, 2, 4, 8, other instances of the same models
    'iprotocol': (0.35, 0.30, 0.29, 0.32), 'lann': (0.47, 0.47, 0.49, 0.52), 'leader_filters': (0.38, 0.38, 0.38, 0.38),
    'lup': (1.03, 0.29, 0.31, 0.32), 'peterson': (0.76, 0.71, 0.73, 0.77), 'rether': (0.07, 0.07, 0.07, 0.08)}


class Bench:
    def __init__(self, arguments):
        self.arguments = arguments
        self.file = arguments.results
        self.results = json.loads(self.file.read_text()) if self.file.exists() else {}

    def path(self, name):
        return ROOT / name if name.startswith('examples/') else self.arguments.shared / 'models' / name

    def run(self, model, constants, algorithm, **options):
        words = [f'{k}={v}' for k, v in sorted(options.items())] + [f'const:{k}={v}' for k, v in constants.items()]
        key = ' '.join([model, algorithm, *words])
        if key not in self.results:
            command = [self.arguments.build / 'bench_papers', self.path(model), algorithm, *words,
                       f'timeout={self.arguments.timeout}', f'disk={self.arguments.disk}']
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                print(f'{key}: {done.stderr.strip()}', file=sys.stderr)
                return None
            self.results[key] = json.loads(done.stdout)
            self.file.write_text(json.dumps(self.results, indent=1))
        result = self.results[key]
        return result if result['verdict'] == 'VERIFIED' else None

    def present(self, models):
        """Those of the models that are there, with their number of states and the seconds of the RAM search."""
        for name, (model, constants) in models.items():
            if not self.path(model).exists():
                print(f'{name}: skipped, the shared models are not here', file=sys.stderr)
                continue
            ram = self.run(model, constants, 'ram')
            if ram:
                yield name, model, constants, ram


def cost(result):
    """Seconds of the processor and of waiting for the disk: other work on the machine disturbs them less than those of the clock."""
    return result['cpu'] + result['activities'].get('waiting for the disk', 0)


def ratio(result, base):
    return cost(result) / cost(base) if result and base else None


def shown(value, form='{:.2f}'):
    return '' if value is None else form.format(value)


def mean(values):
    values = [v for v in values if v is not None]
    return sum(values) / len(values) if values else None


def print_table(head, rows):
    print('| ' + ' | '.join(head) + ' |\n|' + '---|' * len(head))
    for row in rows:
        print('| ' + ' | '.join(row) + ' |')
    print()


def bao_jones(bench):
    models = list(bench.present(MURPHI))
    kinds = {'PART': ('part', {}), 'MONO': ('mono', {}), 'LOCAL': ('local', {}),
             'PART with a cache': ('part-cache', {}), 'LOCAL, open': ('local', {'open': 1}), 'MONO, open': ('mono', {'open': 1}),
             'LOCAL, open and full': ('local', {'open': 1, 'fill_percent': 100}),
             'MONO, open and full': ('mono', {'open': 1, 'fill_percent': 100})}

    def at(part, kind, model, constants, ram):
        algorithm, options = kinds[kind]
        partitions = max(1, math.ceil(1.3 / part))
        cache = {'cache_states': ram['states'] // 50} if 'cache' in kind else {}
        return bench.run(model, constants, algorithm, table_states=int(ram['states'] * part) + 1000, partitions=partitions, **options, **cache)

    rows = [['states', *(f"{ram['states']:,}" for *_, ram in models), '', ''],
            ['RAM, seconds', *(shown(cost(ram)) for *_, ram in models), '', '1']]
    for kind in kinds:
        slow = [ratio(at(0.05, kind, *model), model[-1]) for _, *model in models]
        theirs = [a / b for a, b in zip(BAO_JONES[kind], BAO_JONES['RAM'])] if kind in BAO_JONES else []
        rows.append([kind, *map(shown, slow), shown(mean(slow)), ', '.join(map(shown, theirs))])
    print('Table 2, with 5% of the memory: times the RAM search\n')
    print_table(['', *(name for name, *_ in models), 'mean', 'published: mcslock1, newlist6'], rows)

    series = {}
    for kind in ('MONO', 'LOCAL', 'PART'):
        series[kind] = [(part * 100, mean(ratio(at(part, kind, *model), model[-1]) for _, *model in models)) for part in PARTS]
    print('Figure 4: mean slowdown against the RAM search\n')
    print_table(['memory', *(f'{part:.0%}' for part in PARTS)],
                [[kind, *(shown(y) for _, y in points)] for kind, points in series.items()])
    lines(PLOTS / 'slowdown.svg', 'Slowdown against the RAM search', 'memory for tables, %', series)

    print('Figures 1 and 3, with 5% of the memory: where the time goes, %\n')
    parts = ('generation', 'duplicate detection', 'insertion', 'queues', 'waiting for the disk')
    rows = []
    for kind in ('MONO', 'LOCAL', 'PART'):
        for name, *model in models:
            result = at(0.05, kind, *model)
            if result:
                rows.append([kind, name, *(f"{100 * result['activities'][p] / sum(result['activities'].values()):.0f}" for p in parts),
                             f"{result['read'] / 2**20:,.0f}", f"{result['written'] / 2**20:,.0f}",
                             f"{result['states'] - model[-1]['states']:,}"])
    print_table(['', 'model', *parts, 'MiB read', 'MiB written', 'revisits'], rows)


def della_penna(bench):
    rows, ratios = [], []
    for name, model, constants, ram in bench.present(SERIAL):
        row = []
        for part in (0.5, 0.4, 0.3):
            size = {'table_states': int(ram['states'] * part)}
            serial = bench.run(model, constants, 'serial', **size)
            disk = bench.run(model, constants, 'disk', **size)
            row.append(ratio(serial, disk))
        ratios += row
        rows.append([name, f"{ram['states']:,}", *map(shown, row), ', '.join(map(shown, DELLA_PENNA.get(name, [])))])
    print('Table 1: the time of Serial over that of Disk\n')
    print_table(['model', 'states', '0.5', '0.4', '0.3', 'published'], rows)
    print(f'Mean: {shown(mean(ratios))}; published: 0.99\n')


def evangelista(bench):
    rows, points, errors, all_ratios = [], [], [], []
    models = {name: (f'beem/dve/{name}.dve', {}) for name in BEEM}
    for name, model, constants, ram in bench.present(models):
        n = ram['states']
        small = {'table_states': n // 40, 'cache_states': n // 40, 'partitions': 16}
        part = bench.run(model, constants, 'part', table_states=n // 20, partitions=26)
        hddd = bench.run(model, constants, 'hddd', **small)
        dddd = [bench.run(model, constants, 'dddd', k=k, **small) for k in (0, 2, 4, 8)]
        always = bench.run(model, constants, 'dddd', k=0, detect_always=1, **small)
        ratios = [ratio(d, part) for d in dddd]
        all_ratios.append([*ratios, ratio(hddd, part), ratio(dddd[2], hddd)])
        theirs = EVANGELISTA.get(name.split('.')[0], [])
        error = [float(r['said'].split('forecast ')[1].rstrip('; ')) if r else None for r in (always, dddd[2])]
        errors.append(error)
        if hddd and dddd[2]:
            points.append((cost(hddd), cost(dddd[2]), name))
        rows.append([name, f'{n:,}', str(ram['levels']), shown(part and cost(part)), *map(shown, ratios), shown(ratio(hddd, part)),
                     shown(ratio(dddd[2], hddd)), *map(shown, error), ', '.join(map(shown, theirs))])
    rows.append(['mean', '', '', '', *(shown(mean(column)) for column in zip(*all_ratios)),
                 *(shown(mean(column)) for column in zip(*errors)), '0.60, 0.45, 0.45, 0.46'])
    print('Table 1: times over that of PART; figure 7: over HDDD; experiment 1: error of the forecast\n')
    print_table(['instance', 'states', 'levels', 'PART, s', 'k=0', 'k=2', 'k=4', 'k=8', 'HDDD / PART', 'DDDD / HDDD', 'error, always',
                 'error, DDDD', 'published: k = 0, 2, 4, 8'], rows)
    scatter(PLOTS / 'dddd_hddd.svg', 'DDDD (k = 4) against HDDD', 'HDDD, seconds', 'DDDD, seconds', points)


def big(bench):
    """Table 3: a large model with 3% of the memory; takes the better part of an hour."""
    name, states = 'peterson.5', 131_064_750
    model, _ = find(name, bench.arguments.build, bench.arguments.shared)
    rows = []
    for algorithm in ('part', 'mono', 'local'):
        result = bench.run(str(model), {}, algorithm, table_states=states * 3 // 100, partitions=44)
        rows.append([algorithm, shown(result and result['seconds'], '{:.0f}'), shown(result and result['states'], '{:,}')])
    print(f'Table 3: {name}, {states:,} states, with 3% of the memory\n')
    print_table(['algorithm', 'seconds', 'expansions'], rows)


def sorted_runs(bench):
    """Our own search with 5% of the memory of the RAM search, and how long the others take with tables of 5% of the states; each
    is given some times the seconds of ours."""
    arguments = bench.arguments
    names = {'MONO': 'mono', 'LOCAL': 'local', 'PART': 'part', 'HDDD': 'hddd', 'DDDD': 'dddd'}
    rows, gains = [], []
    for name in arguments.models.split(','):
        model, options = find(name, arguments.build, arguments.shared)
        key = f'{name} sorted runs'
        if key not in bench.results:
            ram, runs, memory = measure(arguments, name)
            bench.results[key] = {'states': ram[0]['states'], 'ram': ram[0]['seconds'], 'runs': runs[0]['seconds'], 'memory': memory}
        ours = bench.results[key]
        states, arguments.timeout = ours['states'], math.ceil(arguments.slower * ours['runs'])
        constants = dict(option.split('=') for option in options if not option.startswith('--'))
        row, best = [], None
        for algorithm in names.values():
            half = {'table_states': states // 40, 'cache_states': states // 40, 'partitions': 16}
            sizes = half if algorithm in ('hddd', 'dddd') else {'table_states': states // 20, 'partitions': 26}
            result = bench.run(str(model), constants, algorithm, **sizes)
            row.append(f"{result['seconds']:.0f}" if result else f'> {arguments.timeout}')
            best = min(best or math.inf, result['seconds'] if result else arguments.timeout)
        gains.append(best / ours['runs'])
        rows.append([name, f'{states:,}', f"{ours['ram']:.1f}", f"{ours['runs']:.1f}", *row, f'{gains[-1]:.1f}'])
    print('Seconds with 5% of the memory\n')
    print_table(['model', 'states', 'RAM', 'sorted runs', *names, 'best of the five over sorted runs'], rows)
    print(f'Geometric mean: {math.exp(mean(map(math.log, gains))):.1f}, a lower bound where nothing ended in time\n')


def main():
    sections = {'bao-jones': bao_jones, 'della-penna': della_penna, 'evangelista': evangelista, 'big': big, 'sorted-runs': sorted_runs}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('section', choices=sections)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build' / 'native')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    parser.add_argument('--disk', default='/var/tmp')
    parser.add_argument('--results', type=pathlib.Path, default=pathlib.Path('papers.json'))
    parser.add_argument('--timeout', type=int, default=120, help='seconds for a run; one that takes longer leaves a gap')
    parser.add_argument('--models', default='german 5,lamport.7,peterson_n 7,philosophers 20,collision.4', help='for sorted-runs')
    parser.add_argument('--slower', type=float, default=6, help='for sorted-runs: how many times the seconds of ours a run is given')
    parser.set_defaults(runs=1, share=0.05, threads=2)
    PLOTS.mkdir(exist_ok=True)
    arguments = parser.parse_args()
    arguments.directory = arguments.disk
    sections[arguments.section](Bench(arguments))


if __name__ == '__main__':
    with said_below():
        main()
