#!/usr/bin/env python3
"""The tables of Bao and Jones, Della Penna et al. and Evangelista on models of millions of states, where 5% means 5%.

  bench/papers/large.py bao-jones|memory|della-penna|evangelista [--build build/native] [--shared ../shared] [--disk DIR]
                        [--results large.json] [--again 4] [--timeout 900] [--models 'mcslock2;german, N3']

Memory is that of tables and of all buffers of files and queues together, as a share of what all states take in a table.
What was drawn from the budget at most is printed beside it. Seconds are those of the processor: on a busy machine, waiting
for the disk is mostly waiting for a processor. Bytes say what a disk would add.

Runs take turns. Those shorter than --again seconds are made three times, and the median counts. What is in the file of
results is not measured again.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / 'bench'))
from noise import said_below  # noqa: E402

RUNS = 3
MIB = 1 << 20

MODELS = {  # file, below the shared models or this project, and constants
    'mcslock2': 'murphi/cmurphi/mux_mcslock2.m',
    'n_peterson, 6': 'murphi/scaled/n_peterson_N6.m',
    'german, N3': 'murphi/scaled/german_N3.m',
    'newlist6, C6': 'murphi/scaled/newlist6_C6.m',
    'dense': 'bench/papers/dense.m',
    'ldash': 'murphi/cmurphi/dash_ldash.m',
    'mcslock1': 'murphi/cmurphi/mux_mcslock1.m',
    'n_peterson': 'murphi/scaled/n_peterson_N5.m',
    'list6': 'murphi/cmurphi/sym_list6.m',
    'sym.cache3': 'murphi/scaled/cache3_P4.m',
    'sci': 'murphi/cmurphi/sci_sci.m',
    'eadash, R3': 'murphi/scaled/eadash_R3.m',
    'ldash, R3': 'murphi/scaled/ldash_R3.m',
    'our german, 5': 'examples/german/german.m const:NODES=5',
    'our philosophers, 19': 'examples/philosophers/philosophers.m const:PHILOSOPHERS=19 const:LEFT_HANDED=1',
    'our peterson, 7': 'examples/peterson_n/peterson_n.m const:PROCESSES=7',
    'dense, 5120': 'bench/papers/dense.m const:LAYERS=5120',
}
CHOSEN = {'bao-jones': 'dense;mcslock2;german, N3;ldash;n_peterson, 6', 'memory': 'mcslock2;german, N3',
          'della-penna': 'sci;ldash, R3;eadash, R3;mcslock1;n_peterson;list6;sym.cache3;mcslock2',
          'evangelista': 'rether.5;iprotocol.4;cambridge.6;brp2.6;train-gate.6;lup.4;bakery.5'}
# Published: times of PART, MONO, LOCAL over those of the RAM search; Rules, States, Time of Serial over Disk; DDDD over PART.
BAO_JONES = {'mcslock1': (1.06, 1.48, 2.57), 'newlist6': (1.01, 1.23, 2.01), 'dense': (8.09, 16.86, 10.33)}
DELLA_PENNA = {
    'eadash': ((.725, .753, .879), (.989, .955, 1.011), (1.009, 1.041, 1.024)),
    'ldash': ((.754, .749, .816), (.985, .923, .945), (.870, 1.046, 1.038)),
    'list6': ((.538, .673, .752), (.756, .857, .888), (1.033, 1.000, 1.110)),
    'mcslock1': ((.594, .587, .510), (.820, .770, .632), (.837, 1.109, .836)),
    'mcslock2': ((.673, .760, .843), (1.006, 1.030, 1.050), (.984, 1.169, 1.040)),
    'n_peterson': ((.635, .689, .739), (1.002, .984, .951), (.959, .952, 1.009)),
    'sci': ((.607, .709, .554), (.867, .975, .694), (1.013, .976, .971)),
    'sym.cache3': ((.709, .568, .654), (.966, .733, .767), (1.029, .988, 1.057))}


class Bench:
    """Measurements, each made once or three times and kept in a file."""

    def __init__(self, options):
        self.options = options
        self.kept = json.loads(options.results.read_text()) if options.results.exists() else {}

    def path(self, name):
        """The file of a model, and its constants."""
        file, *constants = MODELS.get(name, f'beem/dve/{name}.dve').split()
        own = ROOT / file
        return [own if own.is_file() else self.options.shared / 'models' / file, constants]

    def measure(self, name, algorithm, given):
        file, constants = self.path(name)
        command = [self.options.build / 'bench_papers', file, algorithm, *given.split(), *constants,
                   f'timeout={self.options.timeout}', f'disk={self.options.disk}']
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f'{name} {algorithm} {given}: {done.stderr.strip()}')
        return json.loads(done.stdout)

    def take(self, name, jobs):
        """Makes what is missing of [(algorithm, 'NAME=VALUE ...')], in turns."""
        for turn in range(RUNS):
            for algorithm, given in jobs:
                runs = self.kept.setdefault(f'{name} {algorithm} {given}', [])
                if len(runs) > turn or (turn and runs[0]['cpu'] >= self.options.again):
                    continue
                runs.append(self.measure(name, algorithm, given))
                self.options.results.write_text(json.dumps(self.kept, indent=1))
        return [self.median(self.kept[f'{name} {algorithm} {given}']) for algorithm, given in jobs]

    @staticmethod
    def median(runs):
        """The run in the middle by processor time."""
        return sorted(runs, key=lambda run: run['cpu'])[len(runs) // 2]


def ended(run):
    """With signatures a search that found nothing is inconclusive, for it may have missed states."""
    return run['reason'] != 'the time limit was reached'


def times(run, base):
    """How many times the seconds of the base, and with waiting; a lower bound if it did not end."""
    waited = run['cpu'] + run['activities'].get('waiting for the disk', 0)
    return ('' if ended(run) else '> ') + f"{run['cpu'] / base['cpu']:.2f} ({waited / base['cpu']:.1f})"


def share(run, ram, bits=0):
    return f"{100 * run['budget_peak'] / all_bytes(ram, bits):.1f}"


def all_bytes(ram, bits=0):
    """Of a table with all states: a word with its signature, or the words of the state; a hash and a tag."""
    return ram['states'] * (9 + 8 * (1 if bits else ram['words']))


def row(*cells):
    print('| ' + ' | '.join(str(cell) for cell in cells) + ' |', flush=True)


def head(*cells):
    row(*cells)
    print('|---|' + '--:|' * (len(cells) - 1))


def jobs_of(ram, part, bits=0):
    size = f'all_bytes={int(all_bytes(ram, bits) * part)}' + (f' signature={bits}' if bits else '')
    return [('part', f'{size} partitions={round(1.3 / part)}'), ('mono', size), ('local', size)]


def bao_jones(bench, names):
    head('model', 'states', 'bytes a state', 'RAM, s', 'stored', 'PART', 'MONO', 'LOCAL', 'memory, %: PART, MONO, LOCAL',
         'GiB read + written: PART', 'MONO', 'LOCAL', 'revisits of LOCAL, %')
    for name in names:
        [ram] = bench.take(name, [('ram', '')])
        for bits in (0, 40) if ram['words'] > 1 else (0,):
            found = bench.take(name, jobs_of(ram, 0.05, bits))
            row(name, f"{ram['states']:,}", 8 * ram['words'], f"{ram['cpu']:.1f}", f'{bits} bits' if bits else 'states',
                *(times(run, ram) for run in found), ', '.join(share(run, ram, bits) for run in found),
                *(f"{run['read'] / 2**30:.1f} + {run['written'] / 2**30:.1f}" for run in found),
                f"{100 * (found[2]['states'] / ram['states'] - 1):.0f}")


def memory(bench, names):
    """Figure 4."""
    parts = (0.5, 0.2, 0.1, 0.05)
    head('model', 'search', *(f'{part:.0%}' for part in parts))
    for name in names:
        [ram] = bench.take(name, [('ram', '')])
        found = [bench.take(name, jobs_of(ram, part)) for part in parts]
        for i, search in enumerate(('PART', 'MONO', 'LOCAL')):
            row(name, search, *(times(runs[i], ram) for runs in found))


def della_penna(bench, names):
    parts = [float(part) for part in bench.options.parts.split(',')]
    head('model', 'states', 'of Serial over Disk', *map(str, parts), 'published')
    every = {'Rules': [], 'States': [], 'Time': []}
    for name in names:
        [ram] = bench.take(name, [('ram', '')])
        jobs = [(search, f"table_states={int(ram['states'] * part)}") for part in parts for search in ('serial', 'disk')]
        found = bench.take(name, jobs)
        published = DELLA_PENNA.get(name.split(',')[0])
        for i, (what, key) in enumerate((('Rules', 'transitions'), ('States', 'states'), ('Time', 'cpu'))):
            ratios = [serial[key] / disk[key] for serial, disk in zip(found[::2], found[1::2])]
            every[what] += ratios
            row(name, f"{ram['states']:,}", what, *(f'{ratio:.2f}' for ratio in ratios),
                ', '.join(f'{ratio:.2f}' for ratio in published[i]) if published else '')
    for what, ratios in every.items():
        print(f'Mean of {what}: {statistics.mean(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})')


def evangelista(bench, names):
    lengths = bench.options.lengths.split(',')
    head('instance', 'states', 'levels', 'PART, s', 'HDDD', *(f'k = {k}' for k in lengths), f'expansions a state: HDDD, k = {", ".join(lengths)}',
         'memory, %: PART, DDDD', f'GiB read: PART, HDDD, k = {", ".join(lengths)}')
    for name in names:
        [ram] = bench.take(name, [('ram', '')])
        size = f'all_bytes={all_bytes(ram) // 20}'
        part, *found = bench.take(name, [('part', f'{size} partitions=26'), ('hddd', f'{size} partitions=16'),
                                         *(('dddd', f'{size} partitions=16 k={k}') for k in lengths)])
        row(name, f"{ram['states']:,}", ram['levels'], f"{part['cpu']:.1f}", *(times(run, part) for run in found),
            ', '.join(f"{run['states'] / ram['states']:.2f}" for run in found), f'{share(part, ram)}, {share(found[1], ram)}',
            ', '.join(f"{run['read'] / 2**30:.1f}" for run in (part, *found)))


def main():
    sections = {'bao-jones': bao_jones, 'memory': memory, 'della-penna': della_penna, 'evangelista': evangelista}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('section', choices=sections)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build' / 'native')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    parser.add_argument('--disk', default='/var/tmp')
    parser.add_argument('--results', type=pathlib.Path, default=pathlib.Path('large.json'))
    parser.add_argument('--again', type=float, default=4, help='seconds')
    parser.add_argument('--timeout', type=int, default=900, help='seconds for a run')
    parser.add_argument('--parts', default='0.5,0.4,0.3', help='of the memory, for della-penna')
    parser.add_argument('--lengths', default='0,2,4,8', help='values of k, for evangelista')
    parser.add_argument('--models', help='with semicolons [without it: some that end within an hour]')
    options = parser.parse_args()
    sections[options.section](Bench(options), (options.models or CHOSEN[options.section]).split(';'))


if __name__ == '__main__':
    with said_below():
        main()
