#!/usr/bin/env python3
"""The program on old x86-64 processors, which QEMU plays: it must start, and find what it finds here.

  tests/processors/qemu_test.py build/release/spillway [--models build/dev/models] [--unit-tests build/dev/unit_storage]

By day (without SPILLWAY_TIMES above 1) one model is checked: what else differs between processors are the vector
instructions, which the unit tests have. Without --models only models in Murphi and DVE are checked, interpreted: the C
compiler would compile them for the real processor.  Without QEMU the exit code is 77, but in CI (CI=true) that is a failure.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from skips import skip

ROOT = pathlib.Path(__file__).resolve().parents[2]
# One for each level in base/process/vector_level.h that QEMU knows.  Nehalem is the oldest that x86-64-v2 is made for.
PROCESSORS = ('Nehalem', 'Haswell')
COMPARED = ('verdict', 'states', 'transitions', 'levels', 'digest')
INTERPRETED = ('examples/msi/msi.m', 'examples/german/german.m', 'examples/bridge/bridge.dve')
COMPILED = ('tiles', 'peterson', 'hypercube_12_words_3')
SEARCHES = (('--algorithm=ram',), ('--algorithm=sorted-runs', '--memory=32M'))
VECTOR_TESTS = '*RowLanes*:*RowSqueeze*:*SlotsWith*:ExternalSort*:*SortedRun*'
MOST_SECONDS = 1200
# QEMU takes thirty times as long.
TIMES = int(os.environ.get('SPILLWAY_TIMES', '1'))
FEWER_CASES = dict(os.environ, SPILLWAY_CASES=str(40 * TIMES))


def end(command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=MOST_SECONDS, env=FEWER_CASES)


def result(command, model, options):
    done = end([*command, 'check', model, *options, '--threads=2', '--quiet', '--json=-'])
    try:
        document = json.loads(done.stdout)
    except json.JSONDecodeError:
        return {'exit code': done.returncode, 'said': done.stderr[-500:]}
    return {'exit code': done.returncode, **{key: document[key] for key in COMPARED}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('spillway', type=pathlib.Path)
    parser.add_argument('--models', type=pathlib.Path)
    parser.add_argument('--unit-tests', type=pathlib.Path)
    arguments = parser.parse_args()
    qemu = shutil.which('qemu-x86_64') or shutil.which('qemu-x86_64-static')
    if qemu is None:
        skip('there is no qemu-x86_64; in Debian the package qemu-user has it')
    checks = [(ROOT / file, ('--interpret', *search)) for file in INTERPRETED for search in SEARCHES]
    if arguments.models:
        checks += [(arguments.models / f'{name}.so', search) for name in COMPILED for search in SEARCHES]
    if TIMES == 1 and arguments.unit_tests:
        checks = checks[:1]
    failed = 0
    for model, options in checks:
        here = result([arguments.spillway], model, options)
        if here.get('states', 0) < 10:
            sys.exit(f'{model} {options} is no test: {here}')
        for processor in PROCESSORS:
            there = result([qemu, '-cpu', processor, arguments.spillway], model, options)
            if there != here:
                failed += 1
                print(f'{processor}: {model.name} {" ".join(options)}\n  {there}\n  instead of {here}')
    if arguments.unit_tests:
        for processor in PROCESSORS:
            done = end([qemu, '-cpu', processor, arguments.unit_tests, f'--gtest_filter={VECTOR_TESTS}'])
            if done.returncode or ' PASSED ' not in done.stdout:
                failed += 1
                print(f'{processor}: the unit tests end with {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-500:]}')
    print(f'{len(checks)} checks on {" and ".join(PROCESSORS)}: {failed or "none"} failed')
    sys.exit(failed != 0)


main()
