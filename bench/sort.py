#!/usr/bin/env python3
"""External sort of scattered 64-bit keys, beside STXXL's sort and RocksDB's insert-if-absent, with the same memory.

  bench/sort.py [--build build/native] [--directory /tmp] [--keys 1000000000] [--mib 256] [--runs 3] [--rocksdb-seconds 120]

Each in a control group with 1.1 times the memory, page cache included; medians.  Ours with one thread and with two; STXXL
uses as many as it likes.  RocksDB is stopped after some time: its rate falls as the set grows, so that favours it.
Needs libstxxl-dev and librocksdb-dev when the build is configured.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / 'tests' / 'memory'))
from control_group import ControlGroup  # noqa: E402
from noise import said_below  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=pathlib.Path('build/native'))
    parser.add_argument('--directory', default='/tmp')
    parser.add_argument('--keys', type=int, default=10**9)
    parser.add_argument('--mib', type=int, default=256)
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--rocksdb-seconds', type=int, default=120)
    arguments = parser.parse_args()
    subprocess.run(['cmake', '--build', arguments.build, '--target', 'bench_sort', 'bench_sort_stxxl', 'bench_sort_rocksdb'],
                   check=True, stdout=subprocess.DEVNULL)
    kinds = {'Spillway, 1 thread': ('bench_sort', '1'), 'Spillway, 2 threads': ('bench_sort', '2'), 'STXXL': ('bench_sort_stxxl',),
             'RocksDB': ('bench_sort_rocksdb', str(arguments.rocksdb_seconds))}
    rates = {kind: [] for kind in kinds}
    peaks = {kind: 0 for kind in kinds}
    sums = set()
    for _ in range(arguments.runs):
        for kind, (program, *more) in kinds.items():
            with tempfile.TemporaryDirectory(dir=arguments.directory) as folder, ControlGroup(arguments.mib * 2**20 * 1.1) as group:
                command = [(arguments.build / program).resolve(), folder, str(arguments.keys), str(arguments.mib), *more]
                out = group.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.split('\n')
                words = next(line for line in reversed(out) if line).split()
                peaks[kind] = max(peaks[kind], group.peak())
            keys = int(words[1]) if kind == 'RocksDB' else int(words[2])
            rates[kind].append(keys / float(words[0]))
            if kind != 'RocksDB':
                sums.add((words[2], words[3]))
            print(f'{kind}: {" ".join(words)}', file=sys.stderr)
    if len(sums) != 1:
        sys.exit(f'the results differ: {sums}')
    print('| | million keys/s | ns/key | of ours with 2 threads | peak MiB |\n|---|---|---|---|---|')
    ours = statistics.median(rates['Spillway, 2 threads'])
    for kind in kinds:
        rate = statistics.median(rates[kind])
        print(f'| {kind} | {rate / 1e6:.2f} | {1e9 / rate:.1f} | 1/{ours / rate:.1f} | {peaks[kind] / 2**20:.0f} |')


with said_below():
    main()
