"""LTSmin beside Spillway, on models in DVE: built from checkouts of sources that are not part of this project.

Where they are to be had: the repositories ltsmin, ltl2ba, spins and divine2 of utwente-fmt, in one folder under these
names.  spins and ltl2ba are built into LTSmin; divine2 translates DVE for it.  Needs g++, make, cmake, autoconf,
automake, libtool, pkg-config, flex, bison, a Java compiler and ant, and the headers of popt, zlib and ltdl.
LTSmin is compiled with -O3 -march=native, models as `divine compile` does it (g++ -O2).
"""
import math
import os
import pathlib
import re
import shutil
import subprocess

from spillway import output_and_usage, run

FULL = 'table full!'


def build(sources, folder):
    """In `folder`, which is left as it is if that has been done there."""
    folder = pathlib.Path(folder)
    done = folder / 'ltsmin.done'
    if done.exists():
        return folder
    ltsmin, divine = folder / 'ltsmin', folder / 'divine2'
    for name in ('ltsmin', 'divine2'):
        shutil.rmtree(folder / name, ignore_errors=True)
        shutil.copytree(sources / name, folder / name, ignore=shutil.ignore_patterns('.git'))
    for name in ('ltl2ba', 'spins'):
        shutil.copytree(sources / name, ltsmin / name, ignore=shutil.ignore_patterns('.git'), dirs_exist_ok=True)
    run(['./ltsminreconf'], cwd=ltsmin)
    run(['./configure', '--disable-dependency-tracking', '--without-sylvan', '--without-spot', '--disable-scoop'], cwd=ltsmin)
    version = ltsmin / 'src/hre/git_version.h'  # made only inside a repository
    version.write_text('#define GIT_VERSION ""\n', encoding='ascii')
    run(['make', 'CFLAGS=-O3 -march=native -Wno-error -fcommon', f'-j{os.cpu_count()}'], cwd=ltsmin)
    # Only its translator is used, so it need not be fast.
    made = divine / 'made'
    run(['cmake', '-S', divine, '-B', made, '-DCMAKE_BUILD_TYPE=None', '-DCMAKE_CXX_FLAGS=-std=gnu++98 -fpermissive -w -O1', '-DGUI=OFF',
         '-DHOARD=OFF', '-DMPI=OFF', '-DMURPHI=OFF', '-DPERFORMANCE=OFF'])
    run(['make', '-C', made, 'divine', f'-j{os.cpu_count()}'])
    done.touch()
    return folder


class Ltsmin:
    """`store`: table or tree.  `states`: that the model has; room for 1.4 times as many, or more if it asks for that."""

    def __init__(self, built, model, folder, states, store):
        source = pathlib.Path(folder) / pathlib.Path(model).name
        compiled = source.with_name(source.name + '2C')
        if not compiled.exists():
            shutil.copy(model, source)
            run([built / 'divine2/made/tools/divine', 'compile', '--ltsmin', source.name], cwd=folder)
        self.built, self.store, self.compiled = built, store, compiled
        self.size = math.ceil(math.log2(states / 0.7))

    def run(self):
        """States, transitions, Usage."""
        while True:
            out, usage = output_and_usage([self.built / 'ltsmin/src/pins2lts-mc/dve2lts-mc', '--strategy=sbfs', f'--state={self.store}', '--threads=1',
                                           f'-s{self.size}', self.compiled], errors=subprocess.STDOUT)
            found = re.search(r'Explored (\d+) states (\d+) transitions', out)
            if FULL in out and self.size < 30:
                self.size += 1
                continue
            if not found or FULL in out:
                raise SystemExit(out[-2000:])
            return int(found[1]), int(found[2]), usage
