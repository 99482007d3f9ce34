#!/usr/bin/env python3
"""How long it takes to build Spillway from a clean clone, without ccache.

  bench/build.py [--jobs 2] [--directory /tmp] HEAD:release HEAD:dev HEAD~10:release

Each argument is a commit and a preset.  Processor time is that of all processes of the build: it depends less on what else
the machine does than the time on the clock.
"""
import argparse
import os
import pathlib
import resource
import subprocess
import tempfile
import time

from noise import said_below

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(command, **options):
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, **options)


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic(), usage.ru_utime + usage.ru_stime


def measure(commit, preset, arguments):
    with tempfile.TemporaryDirectory(prefix='spillway-build-', dir=arguments.directory) as folder:
        run(['git', 'clone', '--quiet', '--no-checkout', ROOT, folder])
        run(['git', '-C', folder, 'checkout', '--quiet', '--detach', commit])
        environment = {**os.environ, 'CCACHE_DISABLE': '1'}
        before = used()
        run(['cmake', '--preset', preset], cwd=folder, env=environment, stderr=subprocess.DEVNULL)
        run(['cmake', '--build', '--preset', preset, '-j', arguments.jobs], cwd=folder, env=environment)
        return [b - a for a, b in zip(before, used())]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('what', nargs='+', metavar='COMMIT:PRESET')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--directory', default='/tmp')
    arguments = parser.parse_args()
    print('| commit | preset | seconds | processor seconds |\n|---|---|---|---|', flush=True)
    for what in arguments.what:
        name, _, preset = what.rpartition(':')
        commit = subprocess.run(['git', 'rev-parse', name], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
        seconds, processor = measure(commit, preset, arguments)
        print(f'| {commit[:12]} | {preset} | {seconds:.0f} | {processor:.0f} |', flush=True)


with said_below():
    main()
