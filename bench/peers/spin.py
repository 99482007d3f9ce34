"""SPIN beside Spillway (Debian: spin): models in Promela, translated and compiled for a depth-first search."""
import math
import pathlib
import re

from spillway import output_and_usage, run


class Spin:
    """`states`: that the model has in DVE; the table has a place for each."""

    def __init__(self, model, folder, states):
        self.folder = pathlib.Path(folder) / 'spin'
        self.folder.mkdir(exist_ok=True)
        if not (self.folder / 'pan').exists():
            run(['spin', '-a', model], cwd=self.folder)
            run(['cc', '-O3', '-march=native', '-w', '-DSAFETY', '-DNOREDUCE', '-DMEMLIM=14000', '-o', 'pan', 'pan.c'], cwd=self.folder)
        self.command = ['./pan', '-E', '-n', f'-w{math.ceil(math.log2(states))}', '-m10000000']

    def run(self):
        """States, transitions, Usage; None if it does not come to its end within a minute of processor time."""
        out, usage = output_and_usage(['prlimit', '--cpu=60', *self.command], cwd=self.folder)
        stored = re.search(r'([\d.e+]+) states, stored', out)
        steps = re.search(r'([\d.e+]+) transitions', out)
        if not stored or not steps or 'Search not completed' in out:
            return None
        return int(float(stored[1])), int(float(steps[1])), usage
