"""What the scripts beside other checkers share: Spillway, its options, and tables."""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / 'bench'))
from noise import Turns, median_of_ratios, output_and_usage  # noqa: E402,F401 pylint: disable=unused-import


def arguments_for(document, models):
    """A parser with what all of them take."""
    parser = argparse.ArgumentParser(description=document, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build/native')
    parser.add_argument('--before', type=pathlib.Path, help='another build of Spillway, to see what a change brings')
    parser.add_argument('--shared', type=pathlib.Path, default=pathlib.Path(os.environ.get('SPILLWAY_SHARED', ROOT.parent / 'shared')))
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--models', default=','.join(models))
    return parser


def spillway(program, model, *options):
    """What it reports; `cpu`: processor seconds, `usage`: those and bytes at the peak.  The RAM search on one thread."""
    usual = ['--deadlock=off', '--dve-errors=wrap'] if pathlib.Path(model).suffix == '.dve' else []
    text, usage = output_and_usage([program, 'check', model, '--execute=optimized', '--algorithm=ram', '--threads=1', '--run-dir=none', '--quiet',
                                    '--json', '-', *usual, *options])
    return {**json.loads(text), 'cpu': usage.seconds, 'usage': usage}


def run(command, **options):
    """Its output.  What a failed command has printed is shown."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise SystemExit(f'{done.stdout[-2000:]}\n{" ".join(map(str, command))}: exit code {done.returncode}')
    return done.stdout


def print_head(columns):
    print('| ' + ' | '.join(columns) + ' |\n|---|' + '--:|' * (len(columns) - 1), flush=True)


def print_row(cells):
    print('| ' + ' | '.join(map(str, cells)) + ' |', flush=True)


def mean(values):
    """The geometric one."""
    return math.exp(statistics.mean(map(math.log, values))) if values else float('nan')
