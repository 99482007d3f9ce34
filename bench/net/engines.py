#!/usr/bin/env python3
"""Removing duplicates among rows of 16 bytes that several ranks make: what an engine between machines costs.

  bench/net/engines.py [--build build/native] [--rows 100000000] [--ranks 2 4] [--memory 256] [--runs 3] [--again 3]

By turns: the exchange and the sorted runs of Spillway, with so many MiB of memory a rank; MPI_Alltoallv with std::sort, which
needs all rows in memory; and MapReduce-MPI (Debian: libmrmpi-dev), whose pages take as much memory as Spillway has.  All must
find the same number of rows.  63% of the rows are different.  Bytes are sums over the ranks; memory is at its peak, the libraries of MPI included.
More ranks than processors measure the scheduler, too.
"""
import argparse
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / 'bench'), str(ROOT / 'tests' / 'mpi')]
from launch import command  # noqa: E402
from noise import Turns  # noqa: E402

WAYS = {  # name -> program and its last argument
    'exchange and sorted runs': ('bench_unique', 'runs'),
    'MPI_Alltoallv, std::sort': ('bench_unique', 'alltoallv'),
    'MapReduce-MPI': ('bench_unique_mapreduce',),
}
SAID = re.compile(r'(\d+) unique, ([\d.]+) s, ([\d.]+) processor s, (\d+) sent, (\d+) to disk, (\d+) memory')


def run(arguments, ranks, program, *last):
    """Unique rows, seconds, processor seconds, bytes sent, to disk and of memory."""
    with tempfile.TemporaryDirectory(dir=arguments.directory) as folder:
        done = subprocess.run(command(arguments.mpirun, ranks, (arguments.build / program).resolve(), arguments.rows, arguments.memory,
                                      folder, *last), capture_output=True, text=True)
    found = SAID.search(done.stdout)
    if done.returncode != 0 or not found:
        sys.exit(f'{program} {" ".join(last)}: {done.stdout}{done.stderr}')
    return [float(value) for value in found.groups()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=pathlib.Path('build/native'))
    parser.add_argument('--mpirun', default='mpirun')
    parser.add_argument('--rows', type=int, default=100_000_000)
    parser.add_argument('--ranks', type=int, nargs='+', default=[2, 4])
    parser.add_argument('--memory', type=int, default=256, help='MiB of a rank')
    parser.add_argument('--directory', default=None, help='where files go; otherwise the folder for temporary files')
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--again', type=int, default=3)
    arguments = parser.parse_args()
    subprocess.run(['cmake', '--build', arguments.build, '--target', 'bench_unique', 'bench_unique_mapreduce'], check=True,
                   stdout=subprocess.DEVNULL)
    turns = Turns(arguments.runs, arguments.again)
    print('| ranks | way | seconds | processor seconds | MB sent | MB to disk | MB of memory |\n|---|---|---|---|---|---|---|')
    for ranks in arguments.ranks:
        taken = turns.take({way: lambda of=of, ranks=ranks: run(arguments, ranks, *of) for way, of in WAYS.items()})
        unique = {run[0] for runs in taken.values() for run in runs}
        if len(unique) != 1:
            sys.exit(f'the numbers of rows differ: {unique}')
        for way, runs in taken.items():
            seconds, processor, *sizes = (statistics.median(column) for column in list(zip(*runs))[1:])
            print(f'| {ranks} | {way} | {seconds:.1f} | {processor:.1f} | ' + ' | '.join(f'{size / 1e6:.0f}' for size in sizes) + ' |',
                  flush=True)
    print(f'\n{arguments.rows} rows, {unique.pop():.0f} different, {arguments.memory} MiB a rank where that can be said.  {turns.said()}')


main()
