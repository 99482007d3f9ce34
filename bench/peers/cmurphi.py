"""CMurphi beside Spillway: an installed `mu`, which translates models to C++, and the headers that those include.

A model is compiled as its users do, with g++ -O3 -march=native.
"""
import pathlib
import re

from spillway import output_and_usage, run


def add_options(parser):
    parser.add_argument('--mu', type=pathlib.Path, help='the translator of CMurphi')
    parser.add_argument('--mu-headers', type=pathlib.Path, help='the folder with mu_verifier.h; otherwise include/ beside the folder of mu')


class CMurphi:
    """`states`: that the model has; its table gets room for 1.6 times as many."""

    def __init__(self, arguments, model, folder, states, options):
        source = pathlib.Path(folder) / (pathlib.Path(model).stem + '.m')
        self.program = source.with_suffix('')
        if not self.program.exists():
            source.write_bytes(pathlib.Path(model).read_bytes())
            headers = arguments.mu_headers or arguments.mu.resolve().parents[1] / 'include'
            run([arguments.mu.resolve(), '-b', source], cwd=source.parent)
            run(['g++', '-O3', '-march=native', '-w', '-fpermissive', f'-I{headers.resolve()}', source.with_suffix('.cpp'), '-o', self.program])
        megabytes = 64 + states * 64 * 16 // 10 // 2**20
        self.command = [self.program, f'-m{megabytes}', '-pn', '-tn', *options]

    def run(self):
        """States, rules fired, Usage."""
        out, usage = output_and_usage(self.command)
        found = re.search(r'(\d+) states, (\d+) rules fired', out)
        assert found, out[-800:]
        return int(found[1]), int(found[2]), usage
