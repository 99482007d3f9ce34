#!/usr/bin/env python3
"""Ranks take nothing for theirs that is not: another question on another rank, parts of another run, links, folders of others.
And what a run of several ranks leaves behind when something fails is said and can be removed.

    tests/mpi/parts_test.py --mpirun /usr/bin/mpirun --spillway build/dev/spillway
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

from run import command, expect

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / 'rundirs'))
import crafting

# Violated at depth 36, unless K is smaller.
CHAIN = """const K: 100;
var x, n: 0..40; noise: 0..7; chain, safe: boolean;
startstate x := 0; n := 0; noise := 0; chain := true; safe := false; end;
rule "on" chain & x < 40 ==> x := x + 1; if x > K then safe := true; end; end;
rule "end" chain & x = 40 ==> x := 0; safe := false; end;
ruleset i: 1..7 do rule "other" chain & x = 0 ==> chain := false; noise := i; end; end;
rule "noise" !chain ==> n := (n + 1) % 41; end;
invariant "safe at 35" x != 35 | safe;
"""
# Wide levels, so that each rank has some states of each.
SQUARE = """var a, b: 0..60;
startstate a := 0; b := 0; end;
rule "a" a < 60 ==> a := a + 1; end;
rule "b" b < 60 ==> b := b + 1; end;
"""
# A disk that cannot read one file.
FAILING_OPEN = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
static int fails(const char *path) { return strstr(path, getenv("UNREADABLE")) != NULL; }
#define WRAPPED(name) int name(int folder, const char *path, int flags, unsigned mode) { \\
  if (fails(path)) { errno = EIO; return -1; } \\
  return ((int (*)(int, const char *, int, unsigned))dlsym(RTLD_NEXT, #name))(folder, path, flags, mode); }
#define PLAIN(name) int name(const char *path, int flags, unsigned mode) { \\
  if (fails(path)) { errno = EIO; return -1; } \\
  return ((int (*)(const char *, int, unsigned))dlsym(RTLD_NEXT, #name))(path, flags, mode); }
WRAPPED(openat) WRAPPED(openat64) PLAIN(open) PLAIN(open64)
"""
DAMAGED = 154


class Place:
    """A folder with models, and the program in it, alone or on ranks."""

    def __init__(self, args, folder):
        self.args = args
        self.folder = pathlib.Path(folder)
        (self.folder / 'chain.m').write_text(CHAIN)
        (self.folder / 'square.m').write_text(SQUARE)

    def spoken(self, arguments, **options):
        done = subprocess.run(list(map(str, arguments)), capture_output=True, text=True, timeout=1200, cwd=self.folder, **options)
        return done.returncode, done.stdout + done.stderr

    def alone(self, *arguments, **options):
        return self.spoken([self.args.spillway, *arguments], **options)

    def ranks(self, number, *arguments):
        return self.spoken(command(self.args.mpirun, number, self.args.spillway, *arguments))

    def two_unlike(self, one, other, *both):
        """Two ranks, each with options of its own."""
        start = [*command(self.args.mpirun, 1, self.args.spillway, *both, *one), ':', '-n', '1', self.args.spillway, *both, *other]
        return self.spoken(start)

    def kept(self, name, *options, model='square.m', depth=30):
        """A run of two ranks, with some checkpoints."""
        code, said = self.ranks(2, 'check', model, '--deadlock=off', '--run-dir', name, '--checkpoint=0', '--max-depth', depth, '--quiet',
                                *options)
        expect(code == 23, f'a run of two ranks: exit code {code}: {said}')
        return self.folder / name


def names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob('*'))


def everything(folder):
    """What is in a folder, to be compared."""
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob('*'))}


def ranks_that_ask_something_else(place):
    (place.folder / 'new.ltl').write_text('f: G {!(x = 30)}\n')
    (place.folder / 'old.ltl').write_text('f: G {x <= 40}\n')
    unlike = [
        (['--ltl-file=new.ltl'], ['--ltl-file=old.ltl']),
        (['--ltl=G {x <= 40}'], []),
        (['--ctl=AG {x <= 40}'], ['--ctl=AG {x <= 39}']),
        (['--ltl=G on', '--prop=on=x <= 40'], ['--ltl=G on', '--prop=on=x <= 39']),
        (['--max-depth=20'], ['--max-depth=30']),
        (['--max-errors=2'], []),
        (['--run-dir=a'], []),
    ]
    for one, other in unlike:
        code, said = place.two_unlike(one, other, 'check', 'chain.m', '--deadlock=off', '--quiet')
        expect(code == 2 and 'has another program, model or options' in said, f'{one} and {other}: exit code {code}: {said}')
    expect(not (place.folder / 'a').exists(), 'a run directory was made before the ranks had compared')
    code, said = place.two_unlike(['--threads=1'], ['--threads=2', '--memory=300M'], 'check', 'square.m', '--deadlock=off', '--quiet')
    expect(code == 0, f'ranks with other means: exit code {code}: {said}')


def parts_of_two_runs(place):
    def mixed(one, other):
        shutil.rmtree(place.folder / 'mixed', ignore_errors=True)
        (place.folder / 'mixed').mkdir(mode=0o700)
        shutil.copytree(one / 'rank-0', place.folder / 'mixed' / 'rank-0')
        shutil.copytree(other, place.folder / 'mixed' / 'rank-1')
        return place.folder / 'mixed'

    a = place.kept('run-a', model='chain.m', depth=9)
    b = place.kept('run-b', '--const=K=5', model='chain.m', depth=9)
    again = place.kept('run-again', model='chain.m', depth=9)
    for part in (b / 'rank-1', again / 'rank-1', a / 'rank-0', again / 'rank-0'):
        for number in (1, 2, 3):
            folder = mixed(a, part)
            resume = ['resume', folder, '--max-depth=1000', '--quiet']
            code, said = place.alone(*resume) if number == 1 else place.ranks(number, *resume)
            expect(code == DAMAGED and 'VERIFIED' not in said, f'{part} beside {a}, {number} ranks: exit code {code}: {said}')
    code, said = place.alone('fsck', mixed(a, b / 'rank-1'))
    expect(code == DAMAGED, f'fsck of parts of two runs: exit code {code}: {said}')
    code, said = place.ranks(2, 'resume', a, '--max-depth=1000', '--quiet')
    expect(code == 12, f'its own parts: exit code {code}: {said}')


def parts_that_have_counted_other_rules(place):
    for line in ('counters', 'marks'):
        run = place.kept(line)
        for manifest in (run / 'rank-1').glob('manifest-*'):
            crafting.edit(manifest, crafting.set_line(line, b'16777216'), 'sha256')
        code, said = place.alone('resume', run, '--max-depth=1000', '--quiet')
        expect(code == DAMAGED and 'counted other rules' in said, f'{line} of one part: exit code {code}: {said}')


def links_and_folders_of_others(place):
    place.alone('check', 'square.m', '--deadlock=off', '--run-dir', 'mine', '--max-depth=5', '--quiet')
    (place.folder / 'foreign').mkdir(mode=0o700)
    (place.folder / 'foreign' / 'rank-0').symlink_to('../mine')
    before = everything(place.folder / 'mine')
    for what in ('resume', 'fsck', 'clean', 'status'):
        code, said = place.alone(what, 'foreign')
        expect(code == DAMAGED and 'symbolic link' in said, f'{what} of a linked part: exit code {code}: {said}')
    expect(everything(place.folder / 'mine') == before, 'a run that a link leads to was changed')
    run = place.kept('open-run')
    run.chmod(0o777)
    before = everything(run)
    code, said = place.ranks(2, 'resume', run, '--quiet')
    expect(code == 2 and 'writable by others' in said and everything(run) == before, f'a folder open to all: exit code {code}: {said}')


def only_what_the_run_has_made(place):
    full = place.folder / 'full'
    (full / 'of-2026-11-19').mkdir(parents=True, mode=0o700)
    (full / 'of-2026-11-19' / 'notes.txt').write_text('mine')
    code, said = place.ranks(2, 'check', 'square.m', '--run-dir', full, '--quiet')
    expect(code == 2 and 'not an empty directory' in said, f'a folder with other things in it: exit code {code}: {said}')
    expect(names(full) == ['of-2026-11-19', 'of-2026-11-19/notes.txt'], f'it has {names(full)} now')

    run = place.kept('busy')
    notes = [run / 'of-2026-11-19' / 'notes.txt', run / 'rank-7' / 'notes.txt', run / 'of-1-1' / 'rank-0' / 'levels-1']
    notes += [run / 'of-5-5' / 'rank-0' / 'result.json']
    (run / 'rank-0' / 'notes.txt').write_text('about this run')
    notes.pop(1)  # a part that is missing is another matter
    for note in notes:
        note.parent.mkdir(parents=True, mode=0o700)
        note.write_text('mine')
    code, said = place.alone('resume', run, '--max-depth=40', '--quiet')
    expect(code == 23 and 'are kept' in said, f'a note in a part: exit code {code}: {said}')
    code, said = place.ranks(3, 'resume', run, '--max-depth=50', '--quiet')
    expect(code == 23, f'once more: exit code {code}: {said}')
    for note in [run / 'rank-0' / 'notes.txt', *notes]:
        expect(note.exists(), f'{note} is gone')
    left = [name for name in names(run) if name.startswith('of-1') and name.count('/') == 0]
    expect(left == ['of-1-1'], f'what was before the last is still there: {left}')
    code, said = place.alone('clean', run)
    expect(code == 0 and not list(run.glob('*/rank-*/config')), f'clean: exit code {code}: {said}')
    expect(all(note.exists() for note in notes), 'clean has removed what is not of the run')


def a_share_out_that_fails_leaves_nothing(place):
    run = place.kept('failing', depth=60)
    before = names(run)

    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

    for _ in range(2):
        code, said = place.alone('resume', run, '--max-depth=70', '--quiet', preexec_fn=small_files)
        expect(code == 153 and 'too large' in said.lower(), f'files that may not grow: exit code {code}: {said}')
        expect(names(run) == before, f'it has left {set(names(run)) - set(before)}')
    # As a process that was killed leaves it.
    code, said = place.alone('resume', run, '--max-depth=70', '--quiet')
    expect(code == 23, f'resumed: exit code {code}: {said}')
    now = next(run.glob('of-*'))
    shutil.copytree(now, run / 'of-9-1')
    (run / 'of-9-1' / 'rank-0' / 'config').unlink()
    code, said = place.ranks(2, 'resume', run, '--max-depth=80', '--quiet')
    expect(code == 23 and len(list(run.glob('of-*'))) == 1, f'exit code {code}: {said}: {list(run.iterdir())}')
    code, said = place.alone('fsck', run)
    expect(code == 0 and said.count('is intact') == 2, f'fsck: exit code {code}: {said}')
    code, said = place.alone('clean', run)
    expect(code == 0 and not run.exists(), f'clean: exit code {code}: {said}')


def resumed(said):
    return [line for line in said.splitlines() if line.startswith(('resuming from', 'checkpoint skipped'))]


def going_back_is_said(place):
    def damaged(name):
        """The newest manifest of the second rank."""
        run = place.kept(name)
        place.ranks(2, 'resume', run, '--max-depth=60', '--quiet')
        return run, max((run / 'rank-1').glob('manifest-*'))

    for number in (1, 2):
        run, manifest = damaged(f'bits-{number}')
        text = bytearray(manifest.read_bytes())
        text[100] ^= 1
        manifest.write_bytes(text)
        resume = ['resume', run, '--max-depth=61']
        code, said = place.alone(*resume) if number == 1 else place.ranks(number, *resume)
        expect(code == 23 and 'checkpoint skipped: on rank 1: manifest-' in said, f'{number} ranks: exit code {code}: {said}')
    # It cannot be read now, but it could be later.
    run, manifest = damaged('unreadable')
    shutil.copytree(run, place.folder / 'healthy')
    healthy = place.alone('resume', place.folder / 'healthy', '--max-depth=61')[1]
    (place.folder / 'failing.c').write_text(FAILING_OPEN)
    subprocess.run(['cc', '-shared', '-fPIC', '-o', 'failing.so', 'failing.c'], cwd=place.folder, check=True)
    before = names(run)
    environment = {**os.environ, 'LD_PRELOAD': str(place.folder / 'failing.so'), 'UNREADABLE': manifest.name}
    code, said = place.alone('resume', run, '--max-depth=61', env=environment)
    expect(code == 153 and names(run) == before, f'a manifest that cannot be read: exit code {code}: {said}')
    code, said = place.alone('resume', run, '--max-depth=61')
    expect(code == 23 and resumed(said) == resumed(healthy), f'once it can be read: exit code {code}: {said}')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--mpirun', required=True)
    parser.add_argument('--spillway', required=True)
    parser.add_argument('--only', help='the name of one function')
    args = parser.parse_args()
    args.spillway = os.path.abspath(args.spillway)
    os.umask(0o022)
    for test in (ranks_that_ask_something_else, parts_of_two_runs, parts_that_have_counted_other_rules, links_and_folders_of_others,
                 only_what_the_run_has_made, a_share_out_that_fails_leaves_nothing, going_back_is_said):
        if args.only in (None, test.__name__):
            with tempfile.TemporaryDirectory() as folder:
                test(Place(args, folder))


if __name__ == '__main__':
    sys.exit(main())
