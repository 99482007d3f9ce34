"""CMurphi beside Spillway: built from a checkout of its sources, which are not part of this project.

Where they are to be had: the repository melver/cmurphi.  Needs g++, make; models are translated by its `mu` and compiled
with -O3 -march=native.
"""
import os
import pathlib
import re
import shutil

from spillway import output_and_usage, run


def build(sources, folder):
    """The translator and the headers, from a copy of the sources.  Left as it is if it is there."""
    copy = pathlib.Path(folder) / 'cmurphi'
    if (copy / 'src/mu').exists():
        return copy
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(sources, copy, ignore=shutil.ignore_patterns('.git'))
    run(['make', '-C', copy / 'src', 'CFLAGS=-O0 -w -fpermissive', f'-j{os.cpu_count()}'])
    return copy


class CMurphi:
    """`states`: that the model has; its table gets room for 1.6 times as many."""

    def __init__(self, built, model, folder, states, options):
        source = pathlib.Path(folder) / (pathlib.Path(model).stem + '.m')
        self.program = source.with_suffix('')
        if not self.program.exists():
            self._compile(built, model, source)
        megabytes = 64 + states * 64 * 16 // 10 // 2**20
        self.command = [self.program, f'-m{megabytes}', '-pn', '-tn', *options]

    def _compile(self, built, model, source):
        source.write_bytes(pathlib.Path(model).read_bytes())
        run([built / 'src' / 'mu', '-b', source], cwd=source.parent)
        run(['g++', '-O3', '-march=native', '-w', '-fpermissive', f'-I{built / "include"}', source.with_suffix('.cpp'), '-o', self.program])

    def run(self):
        """States, rules fired, Usage."""
        out, usage = output_and_usage(self.command)
        found = re.search(r'(\d+) states, (\d+) rules fired', out)
        assert found, out[-800:]
        return int(found[1]), int(found[2]), usage
