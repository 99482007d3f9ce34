#!/usr/bin/env python3
"""What it costs to look for accepting cycles, beside a plain search of the same product.

  bench/ltl.py [--build build/native] [--shared ../shared] [--threads 1] [--models lamport.5.prop4,...] [--slow]

The models are those of the BEEM collection with property processes whose products have more than a million states and
no accepting cycle. Columns: states of the product; seconds of `--algorithm=ram` without acceptance, once; how many times
as long `levels` takes, and how much memory; with --slow, the same for `nested-dfs` and `ufscc`. Seconds are
processor time of the process that searches, so that a busy machine matters less; models are compiled before.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ['bopdp.3.prop1', 'elevator.4.prop2', 'lamport.5.prop4', 'leader_filters.5.prop2', 'lup.3.prop2', 'mcs.3.prop4',
          'peterson.4.prop4', 'pgm_protocol.6.prop3', 'public_subscribe.2.prop1', 'rether.4.prop2']


class Product:
    def __init__(self, build, path, threads):
        self.command = [build / 'spillway', 'check', path, '--product', '--execute=optimized', f'--threads={threads}', '--json',
                        '-', '--quiet']

    def run(self, *options):
        """The result, with the processor time of this run."""
        before = os.times()
        out = json.loads(subprocess.run([*self.command, *options], capture_output=True, text=True).stdout)
        after = os.times()
        assert out['verdict'] in ('verified', 'inconclusive'), out['reason']
        out['cpu'] = after.children_user + after.children_system - before.children_user - before.children_system
        return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build/native')
    parser.add_argument('--shared', type=pathlib.Path, default=ROOT.parent / 'shared')
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--models', default=','.join(MODELS))
    parser.add_argument('--slow', action='store_true')
    options = parser.parse_args()
    algorithms = ['levels'] + (['nested-dfs', 'ufscc'] if options.slow else [])
    print(f'{"model":26} {"states":>12} {"ram s":>8}' + ''.join(f' {name:>12} {"memory":>7}' for name in algorithms))
    ratios = {name: [] for name in algorithms}
    for name in options.models.split(','):
        product = Product(options.build, options.shared / f'models/beem/prop/{name}.dve', options.threads)
        product.run('--max-depth=1', '--ignore=acceptance')  # compiles
        ram = product.run('--algorithm=ram', '--ignore=acceptance')
        line = f'{name:26} {ram["states"]:12,} {ram["cpu"]:8.2f}'
        for algorithm in algorithms:
            found = product.run(f'--algorithm={algorithm}')
            assert found['states'] == ram['states'], (found['states'], ram['states'])
            ratios[algorithm].append(found['cpu'] / ram['cpu'])
            line += f' {ratios[algorithm][-1]:11.2f}x {found["peak_memory_bytes"] / ram["peak_memory_bytes"]:6.2f}x'
        print(line, flush=True)
    for algorithm, all_of in ratios.items():
        print(f'{algorithm}: median {statistics.median(all_of):.2f} x, at most {max(all_of):.2f} x')


if __name__ == '__main__':
    main()
