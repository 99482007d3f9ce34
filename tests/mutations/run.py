#!/usr/bin/env python3
"""Applies each deliberate bug of mutations.py to a copy of the sources and watches the named test fail.

  run.py                all of them
  run.py --list         only see that each still fits the sources
  run.py --only TEXT    those with TEXT in the name or in the name of the test program
"""
import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from mutations import MUTATIONS

ROOT = pathlib.Path(__file__).resolve().parents[2]


def misfits():
    for name, file, text, _, _, _ in MUTATIONS:
        count = (ROOT / file).read_text().count(text)
        if count != 1:
            yield f'{name}: occurs {count} times in {file}: {text}'


def copy_sources(to):
    ignored = shutil.ignore_patterns('build', '.git')
    shutil.copytree(ROOT, to, ignore=ignored)


def run(command, directory, limit=300):
    """The end of a command; one that takes too long is ended with all that it has started."""
    with subprocess.Popen(command, shell=True, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors='replace', start_new_session=True) as process:
        try:
            out, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(command, process.returncode, out)


def build(directory, target):
    done = run(f'cmake --build . --target {target}', directory, 900)
    if done.returncode:
        sys.exit(f'{target} does not build:\n{done.stdout[-3000:]}')


def caught(test, directory):
    try:
        return run(test, directory, 150).returncode != 0
    except subprocess.TimeoutExpired:
        return True  # a hang is noticed too


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--only', default='')
    arguments = parser.parse_args()
    bad = list(misfits())
    if bad:
        sys.exit('these no longer fit the sources:\n' + '\n'.join(bad))
    if arguments.list:
        print(f'{len(MUTATIONS)} mutations fit the sources')
        return
    chosen = [m for m in MUTATIONS if arguments.only in m[0] or arguments.only in m[4]]
    survivors = []
    with tempfile.TemporaryDirectory(prefix='spillway-mutations-') as folder:
        tree = pathlib.Path(folder) / 'tree'
        directory = tree / 'build'
        copy_sources(tree)
        configured = run('cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O1 -DSPILLWAY_WERROR=OFF', tree)
        if configured.returncode:
            sys.exit(configured.stdout)
        for target in sorted({m[4] for m in chosen} | {'tiles', 'tiles_2x5'}):
            build(directory, target)
        for test in sorted({m[5] for m in chosen}):  # a test that fails without the bug shows nothing
            if caught(test, directory):
                sys.exit(f'fails on the unchanged sources: {test}')
        for name, file, text, replacement, target, test in chosen:
            start = time.monotonic()
            source = tree / file
            original = source.read_text()
            source.write_text(original.replace(text, replacement))
            build(directory, target)
            ok = caught(test, directory)
            source.write_text(original)
            print(f'{"caught  " if ok else "SURVIVES"}  {name}  ({time.monotonic() - start:.0f} s)', flush=True)
            if not ok:
                survivors.append(name)
    print(f'{len(chosen) - len(survivors)} passed, {len(survivors)} failed')
    sys.exit(bool(survivors))


main()
