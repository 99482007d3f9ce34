"""LTSmin beside Spillway, on models in DVE: an installed dve2lts-mc, and the `divine` (of DiVinE 2, as changed for LTSmin)
that compiles models for it as it usually does (g++ -O2).
"""
import math
import pathlib
import re
import shutil
import subprocess

from spillway import output_and_usage, run

FULL = 'table full!'


def add_options(parser):
    parser.add_argument('--dve2lts', type=pathlib.Path, help='the program dve2lts-mc of LTSmin')
    parser.add_argument('--divine', type=pathlib.Path, help='the program that compiles models for it')


class Ltsmin:
    """`store`: table or tree.  `states`: that the model has; room for 1.4 times as many, or more if it asks for that."""

    def __init__(self, arguments, model, folder, states, store):
        source = pathlib.Path(folder) / pathlib.Path(model).name
        compiled = source.with_name(source.name + '2C')
        if not compiled.exists():
            shutil.copy(model, source)
            run([arguments.divine.resolve(), 'compile', '--ltsmin', source.name], cwd=folder)
        self.program, self.store, self.compiled = arguments.dve2lts.resolve(), store, compiled
        self.size = math.ceil(math.log2(states / 0.7))

    def run(self):
        """States, transitions, Usage."""
        while True:
            out, usage = output_and_usage([self.program, '--strategy=sbfs', f'--state={self.store}', '--threads=1', f'-s{self.size}', self.compiled],
                                          errors=subprocess.STDOUT)
            found = re.search(r'Explored (\d+) states (\d+) transitions', out)
            if FULL in out and self.size < 30:
                self.size += 1
                continue
            if not found or FULL in out:
                raise SystemExit(out[-2000:])
            return int(found[1]), int(found[2]), usage
