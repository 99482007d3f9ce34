#!/usr/bin/env python3
"""Records per second of an Exchange over MPI beside MPI_Alltoallv, in the same processes; medians of alternating runs.

  bench/net/exchange.py [--build build/native] [--ranks 2 4] [--kib 64 256 1024] [--mib 512] [--runs 5]

Once with records that are made and added up, as in a search, and once with bytes that are only moved.  `share` is what the
Exchange reaches of MPI_Alltoallv; the aim is 0.80.  More ranks than processors measure the scheduler.
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / 'bench'), str(ROOT / 'tests' / 'mpi')]
from launch import command  # noqa: E402
from noise import said_below  # noqa: E402


def measure(arguments, ranks, kib, work):
    """Million records a second and processor nanoseconds of each, both as medians, of both ways."""
    program = (arguments.build / 'bench_exchange').resolve()
    out = subprocess.run(command(arguments.mpirun, ranks, program, arguments.mib, kib, arguments.runs, work),
                         check=True, capture_output=True, text=True).stdout
    found = re.findall(r'(\w+) [\d.]+ s ([\d.]+) M records/s and ([\d.]+) ns', out)
    return {way: [statistics.median(float(row[column]) for row in found if row[0] == way) for column in (1, 2)]
            for way in ('exchange', 'alltoallv')}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=pathlib.Path('build/native'))
    parser.add_argument('--mpirun', default='mpirun')
    parser.add_argument('--ranks', type=int, nargs='+', default=[2])
    parser.add_argument('--kib', type=int, nargs='+', default=[64, 256, 1024])
    parser.add_argument('--mib', type=int, default=512)
    parser.add_argument('--runs', type=int, default=5)
    arguments = parser.parse_args()
    subprocess.run(['cmake', '--build', arguments.build, '--target', 'bench_exchange'], check=True, stdout=subprocess.DEVNULL)
    print('| ranks | KiB | records | Exchange, M/s | MPI_Alltoallv, M/s | share | Exchange, ns | MPI_Alltoallv, ns |\n'
          '|---|---|---|---|---|---|---|---|')
    for ranks in arguments.ranks:
        for kib in arguments.kib:
            for work in (1, 0):
                of = measure(arguments, ranks, kib, work)
                (ours, our_ns), (theirs, their_ns) = of['exchange'], of['alltoallv']
                print(f'| {ranks} | {kib} | {"made and read" if work else "only moved"} | {ours:.1f} | {theirs:.1f} | '
                      f'{ours / theirs:.2f} | {our_ns:.2f} | {their_ns:.2f} |', flush=True)


with said_below():
    main()
