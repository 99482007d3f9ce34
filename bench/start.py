#!/usr/bin/env python3
"""How long it takes from the command to the verdict, for models that are checked for the first time.

  bench/start.py [--build build/native] [--shared ../shared] [--models PATTERN] [--threads N] [--chosen FILE] [--no-waiting]
                 [--json FILE]

Takes all models in Murphi below ../shared/models/murphi whose search ends within a second once the model is compiled and in
the cache (`seconds` of the result). Which ones takes long to find out; --chosen remembers it in a file. Each of them is then checked with an empty cache, as by default and with
--execute=optimized, which waits for the C compiler. Wall and processor time include everything: reading, tcc, the search,
and a compiler that is ended with it. Prints the share that ends within a second and a table of the others. Wall times mean
something on an idle machine only; the load is printed.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from noise import said_below

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMPILE_SECONDS = 180
NONE = -1


def check(program, model, cache, *options):
    """Wall and processor seconds, and the result; None if there is none."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / 'result.json'
        environment = os.environ | {'XDG_CACHE_HOME': str(cache)}
        begin = time.perf_counter()
        process = subprocess.Popen([program, 'check', model, '--quiet', '--json', file, *options], env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, _, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = 0
        document = json.loads(file.read_text()) if file.exists() else None
    return wall, usage.ru_utime + usage.ru_stime, document


def searched_within_a_second(program, model, options):
    """Seconds of the search with optimized code; NONE if it takes longer, or is no search at all."""
    with tempfile.TemporaryDirectory() as cache:
        _, _, first = check(program, model, cache, '--execute=optimized', '--max-depth=0', f'--timeout={COMPILE_SECONDS}s', *options)
        if first is None or first['verdict'] == 'error':
            return NONE
        _, _, document = check(program, model, cache, '--execute=optimized', '--timeout=3s', *options)
        if document is None or document['verdict'] == 'error' or 'time' in document['reason'] or document['seconds'] > 1:
            return NONE
        return document['seconds']


def chosen_models(program, models, options, file):
    """The models whose search ends within a second, and its seconds."""
    if file and file.exists():
        return {pathlib.Path(name): seconds for name, seconds in json.loads(file.read_text()).items()}
    found = {model: searched_within_a_second(program, model, options) for model in models}
    found = {model: seconds for model, seconds in found.items() if seconds != NONE}
    if file:
        file.write_text(json.dumps({str(model): seconds for model, seconds in found.items()}, indent=1))
    return found


def cold(program, model, *options):
    with tempfile.TemporaryDirectory() as cache:
        return check(program, model, cache, *options)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build/native')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    parser.add_argument('--models', default='**/*.m')
    parser.add_argument('--threads', type=int)
    parser.add_argument('--chosen', type=pathlib.Path, help='reads the choice of models from this file, or writes it')
    parser.add_argument('--no-waiting', action='store_true', help='as by default only')
    parser.add_argument('--json', type=pathlib.Path, help='all figures')
    arguments = parser.parse_args()
    program = arguments.build / 'spillway'
    models = sorted((arguments.shared / 'models/murphi').glob(arguments.models))
    if not models:
        sys.exit(f'no models in {arguments.shared}/models/murphi')
    options = [f'--threads={arguments.threads}'] if arguments.threads else []
    rows = []
    nothing = (float('nan'), float('nan'), None)
    for model, search in chosen_models(program, models, options, arguments.chosen).items():
        now = cold(program, model, *options)
        waiting = nothing if arguments.no_waiting else cold(program, model, '--execute=optimized', *options)
        rows.append({'model': str(model.relative_to(arguments.shared / 'models/murphi')),
                     'lines': len(model.read_bytes().splitlines()), 'search': search,
                     'wall': now[0], 'cpu': now[1], 'wall_waiting': waiting[0], 'cpu_waiting': waiting[1],
                     'executions': now[2]['executions'] if now[2] else []})
        print(f'{len(rows)}: {rows[-1]["model"]} {now[0]:.2f} s', file=sys.stderr)
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))
    if not rows:
        sys.exit('no search ends within a second')
    for name, key in (('default', 'wall'), ('--execute=optimized', 'wall_waiting'))[:1 if arguments.no_waiting else 2]:
        walls = sorted(row[key] for row in rows)
        within = sum(wall <= 1 for wall in walls)
        print(f'{name}: {within} of {len(rows)} within 1 s of wall time ({100 * within / len(rows):.1f}%), '
              f'median {walls[len(walls) // 2]:.3f} s, longest {walls[-1]:.2f} s')
    print(f'{len(models)} models, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors\n')
    columns = ['model', 'lines', 'search s', 'wall s', 'CPU s']
    columns += [] if arguments.no_waiting else ['wall s, waiting', 'CPU s, waiting']
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for row in sorted(rows, key=lambda row: -row['wall']):
        if row['wall'] > 1:
            seconds = ['search', 'wall', 'cpu', *([] if arguments.no_waiting else ['wall_waiting', 'cpu_waiting'])]
            print(f"| {row['model']} | {row['lines']:,} | {' | '.join(f'{row[key]:.2f}' for key in seconds)} |")


if __name__ == '__main__':
    with said_below():
        main()
