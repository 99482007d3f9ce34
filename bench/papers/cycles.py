#!/usr/bin/env python3
"""Wu et al. 2015 again: what IOEMC counts with other parameters, and the searches that it is compared with.

  bench/papers/cycles.py [--build build/native] [--shared ../shared] [--models szymanski.2.prop4,...]

Prints tables in Markdown. Files are in memory, so that a busy disk changes nothing: counts and bytes are those of a
disk, and seconds are processor time.
"""

import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / 'bench'))
from noise import said_below  # noqa: E402

MODELS = 'szymanski.2.prop4,peterson.2.prop4'
MIB = 1 << 20


def search(options, model, algorithm, **given):
    """The line that bench_cycles prints."""
    path = options.shared / 'models' / 'beem' / 'prop' / f'{model}.dve'
    command = [options.build / 'bench_cycles', path, algorithm, *(f'{name}={value}' for name, value in given.items())]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def row(*cells):
    print('| ' + ' | '.join(str(cell) for cell in cells) + ' |', flush=True)


def head(*cells):
    row(*cells)
    row(*['---'] * len(cells))


def shares(options, whole):
    """Table III: detections without the disk, with a twentieth of the states in memory."""
    print('\nDetections in memory, percent:\n')
    head('model', 'states', *(f'rho1 = 0.0{k}' for k in range(1, 6)))
    for model, of in whole.items():
        found = [search(options, model, 'ioemc', rho1=k, recent=of['states'] // 20) for k in range(1, 6)]
        row(model, f"{of['states']:,}", *(f"{100 * one['in_memory'] / one['detections']:.1f}" for one in found))


def moved(options, whole):
    """Table VI: entries of the paths that go to disk and come back, with a tenth of the path in memory."""
    print('\nEntries of the paths that were moved, for each state visited:\n')
    head('model', 'deepest path', *(f'rho2 = 0.{k}' for k in (75, 80, 85, 90, 95)))
    for model, of in whole.items():
        found = [search(options, model, 'ioemc', rho2=k, path=of['deepest'] // 10) for k in (75, 80, 85, 90, 95)]
        visited = of['states'] + of['visited_again']
        row(model, f"{of['deepest']:,}", *(f"{one['path_moved'] / visited:.2f}" for one in found))


def searches(options, whole):
    """Table IV: all of them with the same memory."""
    print('\nProcessor seconds, MiB read and written, in 3 MiB of memory:\n')
    names = ['ioemc', 'owcty', 'map']
    head('model', 'states', *names)
    for model, of in whole.items():
        found = [search(options, model, name, memory_bytes=3 * MIB) for name in names]
        row(model, f"{of['states']:,}",
            *(f"{one['verdict'] if one['verdict'] != of['verdict'] else ''} {one['cpu']:.1f} s, "
              f"{one['read'] // MIB:,} + {one['written'] // MIB:,}".strip() for one in found))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build' / 'native')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    parser.add_argument('--models', default=MODELS)
    options = parser.parse_args()
    whole = {model: search(options, model, 'ioemc', memory_bytes=1 << 30) for model in options.models.split(',')}
    shares(options, whole)
    moved(options, whole)
    searches(options, whole)


if __name__ == '__main__':
    with said_below():
        main()
