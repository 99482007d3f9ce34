#!/usr/bin/env python3
"""Short rows beside whole states, in slices of time: processor seconds and memory at the peak.

  bench/parts.py [--spillway build/dev/spillway] [--shared ../shared] [--runs 3] [--searches TEXT]

Both search the same states, with one thread and optimized code, and must find the same digest.  A row has microseconds and
bytes for each state that was expanded.  `--searches` measures those whose name contains the text.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

from noise import median_of_ratios, said_below
from slices import in_slices

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROTOCOL = ('models/murphi/vcxlgen/{}.m', '--symmetry=off', '--ignore=liveness')
LIVE = ('models/murphi/vcxlgen/{}.m', '--symmetry=off')
BEEM = ('models/beem/dve/{}.dve', '--dve-errors=wrap', '--deadlock=off')
FULL, WIDE = 'MESIxMESIxMESI__2Cl_3CC__FullMurphi__MU_FullSystem_3CC', 'MESIxCXLxRCC__2Cl_3CC__FullMurphi__MU_FullSystem_3CC'
COMPOUND = 'MESIxMESIxMESI__2Cl_3CC__MESI_CompModel__COMP_Model_3CC'
# File below the shared models, options of both, memory of whole states and of short rows.
SEARCHES = {
    '84 words, in memory': (PROTOCOL, FULL, '--max-depth=17', None, None),
    '142 words, in memory': (PROTOCOL, WIDE, '--max-depth=10', None, None),
    '47 words, in memory': (PROTOCOL, COMPOUND, '--algorithm=ram', None, None),
    '47 words, liveness': (LIVE, COMPOUND, '--algorithm=ram', None, None),
    '84 words, sorted runs': (PROTOCOL, FULL, '--max-depth=17 --algorithm=sorted-runs', '256M', '64M'),
    '142 words, sorted runs': (PROTOCOL, WIDE, '--max-depth=9 --algorithm=sorted-runs', '256M', '64M'),
    '21 words, sorted runs': (BEEM, 'leader_election.5', '--algorithm=sorted-runs', '256M', '64M'),
}


def measure(arguments, name, scratch):
    (path, *of_language), model, options, *memories = SEARCHES[name]
    common = [arguments.spillway, 'check', arguments.shared / path.format(model), *of_language, *options.split(), '--threads=1', '--quiet',
              '--run-dir=none', '--execute=optimized']
    subprocess.run([*common, '--max-states=1'], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # compiles the model
    commands = {}
    for parts, memory in zip(('off', 'auto'), memories):
        commands[parts] = [*common, f'--parts={parts}', '--json', scratch / parts, *([f'--memory={memory}'] if memory else [])]
    turns = [in_slices(commands) for _ in range(arguments.runs)]
    results = {parts: json.loads((scratch / parts).read_text()) for parts in commands}
    assert results['off']['digest'] == results['auto']['digest'], name
    states = results['off']['states']
    cells = []
    for parts in commands:
        seconds, size = (statistics.median(getattr(turn[parts], what) for turn in turns) for what in ('seconds', 'bytes'))
        cells += [f'{seconds / states * 1e6:.2f}', f'{size / 2**20:.0f}']
    ratio = median_of_ratios([turn['auto'].seconds for turn in turns], [turn['off'].seconds for turn in turns])
    print(f"| {name} | {states:,} | {' | '.join(cells)} | {ratio:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--spillway', type=pathlib.Path, default=ROOT / 'build/dev/spillway')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--searches', default='')
    arguments = parser.parse_args()
    with said_below(), tempfile.TemporaryDirectory(prefix='spillway-bench-') as scratch:
        print('| states | expanded | whole, us | MiB | short, us | MiB | time |\n|---|--:|--:|--:|--:|--:|--:|')
        for name in SEARCHES:
            if arguments.searches in name:
                measure(arguments, name, pathlib.Path(scratch))


if __name__ == '__main__':
    main()
