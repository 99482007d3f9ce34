#!/usr/bin/env python3
"""How fast models in Murphi are checked, beside Rumur on the same machine in the same run.

  bench/murphi.py [--build build/native] [--shared ../shared] [--runs 3] [--threads 1,2] [--models german_N3,...]

Rumur's C text is compiled with -O3 -march=native; compiling is not counted for either. Both tools must count the same
states and rules. The columns are medians in states/s; `bare` is the time of Spillway's search with one thread over the
time to expand the same states and throw the successors away. Needs rumur (Debian: rumur).
"""
import argparse
import json
import math
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

from noise import Turns, median_of_ratios

ROOT = pathlib.Path(__file__).resolve().parent.parent

# name -> file (below the shared models, or an example of ours), constants, symmetry
MODELS = {
    'mcslock2': ('murphi/cmurphi/mux_mcslock2.m', {}, 'off'),
    'mcslock2 symmetric': ('murphi/cmurphi/mux_mcslock2.m', {}, 'exhaustive'),
    'n_peterson_N6': ('murphi/scaled/n_peterson_N6.m', {}, 'off'),
    'g2k_N3': ('murphi/scaled/g2k_N3.m', {}, 'off'),
    'german_N3': ('murphi/scaled/german_N3.m', {}, 'off'),
    'german2004': ('murphi/paraverifier/n_german2004.m', {}, 'off'),
    'our german 4': ('examples/german/german.m', {'NODES': 4}, 'off'),
    'our peterson 6': ('examples/peterson_n/peterson_n.m', {'PROCESSES': 6}, 'off'),
    'our mesi 8': ('examples/mesi/mesi.m', {'CACHES': 8, 'VALUES': 3}, 'off'),
    'our ring election 7': ('examples/ring_election/ring_election.m', {'NODES': 7}, 'off'),
    'our philosophers 16': ('examples/philosophers/philosophers.m', {'PHILOSOPHERS': 16, 'LEFT_HANDED': 1}, 'off'),
}


def model_file(shared, name):
    path = MODELS[name][0]
    return ROOT / path if path.startswith('examples/') else shared / 'models' / path


def with_constants(text, constants):
    for constant, value in constants.items():
        text, changed = re.subn(rf'(?m)^(\s*{constant}\s*:\s*)-?\d+', rf'\g<1>{value}', text)
        assert changed == 1, f'{constant} is not defined once'
    return text


class Rumur:
    def __init__(self, shared, name, threads, folder):
        _, constants, symmetry = MODELS[name]
        source = folder / 'model.m'
        source.write_text(with_constants(model_file(shared, name).read_text(errors='replace'), constants))
        subprocess.run(['rumur', f'--symmetry-reduction={symmetry}', f'--threads={threads}', '--output', folder / 'm.c', source],
                       check=True, capture_output=True)
        self.program = folder / f'rumur-{threads}'
        subprocess.run(['cc', '-std=c11', '-O3', '-march=native', '-mcx16', '-w', '-o', self.program, folder / 'm.c', '-lpthread',
                        '-latomic'], check=True, capture_output=True)

    def run(self):
        begin = time.monotonic()
        out = subprocess.run([self.program], capture_output=True, text=True).stdout
        seconds = time.monotonic() - begin
        found = re.search(r'(\d+) states, (\d+) rules fired', out)
        assert found, out[-500:]
        return int(found[1]), int(found[2]), seconds


class Spillway:
    def __init__(self, build, shared, name, threads):
        _, constants, symmetry = MODELS[name]
        self.command = [build / 'spillway', 'check', model_file(shared, name), '--execute=optimized', f'--symmetry={symmetry}', f'--threads={threads}', '--json',
                        '-', '--quiet', *(f'--const={c}={v}' for c, v in constants.items())]

    def run(self):
        out = json.loads(subprocess.run(self.command, capture_output=True, text=True).stdout)
        return out['states'], out['transitions'], out['seconds']


def bare_ratio(build, shared, name, turns, folder):
    """Search over bare generation, with one thread; only without symmetry."""
    _, constants, symmetry = MODELS[name]
    if symmetry != 'off':
        return None
    source = folder / 'model.m'
    source.write_text(with_constants(model_file(shared, name).read_text(errors='replace'), constants))

    def seconds(what):
        return float(subprocess.run([build / 'bench_ram', source, '1', what], check=True, capture_output=True, text=True).stdout.split()[2])

    results = turns.take({what: lambda what=what: seconds(what) for what in ('search', 'bare')})
    return median_of_ratios(results['search'], results['bare'])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build/native')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--threads', default='1,2')
    parser.add_argument('--models', default=','.join(MODELS))
    arguments = parser.parse_args()
    threads = [int(t) for t in arguments.threads.split(',')]
    head = ['model', 'states', 'rules fired']
    for t in threads:
        head += [f'Rumur, {t} thread{"s" * (t > 1)}', 'Spillway', 'times as fast']
    head.append('over bare')
    print('| ' + ' | '.join(head) + ' |')
    print('|' + '---|' * len(head), flush=True)
    ratios = {t: [] for t in threads}
    turns = Turns(arguments.runs)
    for name in arguments.models.split(','):
        cells = [name]
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for t in threads:
                tools = [Rumur(arguments.shared, name, t, folder), Spillway(arguments.build, arguments.shared, name, t)]
                results = list(turns.take({tool: tool.run for tool in tools}).values())
                assert {r[:2] for r in results[0]} == {r[:2] for r in results[1]}, (name, results)
                states, rules, _ = results[1][0]
                times = [statistics.median(r[2] for r in result) for result in results]
                if len(cells) == 1:
                    cells += [f'{states:,}', f'{rules:,}']
                ratios[t].append(times[0] / times[1])
                cells += [f'{states / times[0]:,.0f}', f'{states / times[1]:,.0f}', f'{ratios[t][-1]:.1f}']
            ratio = bare_ratio(arguments.build, arguments.shared, name, turns, folder)
            cells.append('' if ratio is None else f'{ratio:.1f}')
        print('| ' + ' | '.join(cells) + ' |', flush=True)
    for t in threads:
        print(f'geometric mean, {t} thread{"s" * (t > 1)}: {math.exp(statistics.mean(map(math.log, ratios[t]))):.1f} times as fast')
    print(turns.said())


main()
