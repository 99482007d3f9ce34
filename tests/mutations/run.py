#!/usr/bin/env python3
"""Applies each deliberate bug of mutations.py to a copy of the sources and watches the named test fail.

  run.py                    all of them; those with a result that still counts are not repeated
  run.py --minutes N        none is begun after so many minutes: the next call goes on, also on another machine
  run.py --list             only see that each still fits the sources, and how many have a result that counts
  run.py --without          list the files of src above 150 lines that have none
  run.py --draw N --seed S  instead of these, N that are drawn from the files of src above 150 lines (draw.py)
  run.py --only TEXT        those with TEXT in the name, the file, or the name of the test program; may be repeated
  run.py --jobs N           so many at a time
  run.py --alone            each in a copy of the sources with nothing else in it: slower, to see a survivor again
  run.py --again            forget what earlier calls have done
  run.py --evidence FILE    write down what came of it: date, commit, seed, counts, survivors (JSON)

Results are in results.jsonl beside this file, and are committed: one line for each mutation, which counts as long as the
mutation, the function that it is in, and the tests that it names are what they were (digests.py).  What became of drawn
ones is only in --folder (build/mutations), where copies and what is built stay, so that the next call compiles only what
has changed.  Nearly all stand together in one program, and a variable of the environment chooses one (schemata.py).
Those that are outside of functions come after them, each compiled alone.
The exit code is 0 when all that were tried are caught.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import copy
import datetime
import hashlib
import json
import os
import pathlib
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import draw
import schemata
from digests import Digests, digest
from mutations import MUTATIONS

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = pathlib.Path(__file__).with_name('results.jsonl')
# Without optimisation a source takes as long to compile, and the tests longer.
CONFIGURE = ('cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=None "-DCMAKE_CXX_FLAGS=-O1 {flags}" -DCMAKE_C_FLAGS=-O1 '
             '-DBUILD_TESTING=ON')
BUILD_SECONDS = 3600
LEAST_SECONDS = 60  # for a test, and 6 times what it takes on the unchanged sources: only against hangs

Mutation = collections.namedtuple('Mutation', 'name file text replacement target test')


class Problem(Exception):
    """Something that says nothing about the mutation."""


class Late(Exception):
    """There is no time for another one."""


class Stopped(Exception):
    """By a signal: what a command that was ended said is not to be written down."""


def git(*arguments):
    return subprocess.run(['git', *arguments], cwd=ROOT, check=True, capture_output=True).stdout


def sources():
    """Files of the project as they are now, committed or not: name -> contents."""
    names = git('ls-files', '-z', '--cached', '--others', '--exclude-standard').decode().split('\0')
    return {name: (ROOT / name).read_bytes() for name in names if name and (ROOT / name).is_file()}


def state_of_sources():
    """The commit, and a sum of what is not committed but for prose and this list; (name of it, is all committed)."""
    commit = git('rev-parse', 'HEAD').decode().strip()
    changes = git('diff', 'HEAD', '--', 'src', 'include', 'tests', 'cmake', 'CMakeLists.txt', ':!tests/mutations')
    new = git('ls-files', '-z', '--others', '--exclude-standard', '--', 'src', 'include', 'tests', ':!tests/mutations')
    if not changes and not new:
        return commit
    for name in sorted(filter(None, new.decode().split('\0'))):
        changes += (ROOT / name).read_bytes()
    return f'{commit}+{hashlib.sha256(changes).hexdigest()[:12]}'


def places(text, source):
    """Where the words of the text occur in the source, however its lines are broken."""
    tokens = re.findall(r'\w+|\s+|[^\w\s]', text.strip())
    pattern = ''
    for before, token in zip([' ', *tokens], tokens):
        if token.isspace():
            continue
        apart = before.isspace() and pattern and re.search(r'\w$', pattern) and re.match(r'\w', token)
        pattern += (r'\s+' if apart else r'\s*' if pattern else '') + re.escape(token)
    return list(re.finditer(pattern, source))


def variant(source, mutation):
    if isinstance(mutation, draw.Drawn):
        return schemata.Variant(mutation, mutation.begin, mutation.end, mutation.replacement)
    (place,) = places(mutation.text, source)
    return schemata.Variant(mutation, place.start(), place.end(), mutation.replacement.strip())


def mutated(source, mutation):
    there = variant(source, mutation)
    return source[:there.begin] + there.text + source[there.end:]


def files_with(mutations):
    """Name of a source -> the source with all of its mutations that fit into functions."""
    by_file = collections.defaultdict(list)
    for mutation in mutations:
        if mutation.file.endswith(('.cc', '.h')):
            by_file[mutation.file].append(mutation)
    for name, some in by_file.items():
        source = (ROOT / name).read_text()
        yield name, schemata.File(source, [variant(source, mutation) for mutation in some])


def changing_sources():
    """Those that mutations change: compiled alone, so that a mutation costs one of them and the link."""
    files = {mutation[1] for mutation in MUTATIONS} | set(draw.long_files())
    return sorted(file for file in files if file.endswith('.cc'))


def misfits(mutations):
    for mutation in mutations:
        count = len(places(mutation.text, (ROOT / mutation.file).read_text()))
        if count != 1:
            yield f'{mutation.name}: occurs {count} times in {mutation.file}: {mutation.text}'
    for name, count in collections.Counter(mutation.name for mutation in mutations).items():
        if count > 1:
            yield f'{count} mutations have the name: {name}'


def run(command, directory, limit, processes, environment):
    """The end of a command; one that takes too long is ended with all that it has started."""
    with subprocess.Popen(command, shell=True, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors='replace', start_new_session=True, env=environment) as process:
        processes.add(process)
        try:
            out, _ = process.communicate(timeout=limit)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        finally:
            processes.discard(process)
    return process.returncode, out


class Tree:
    """A copy of the sources with what is built of it."""

    def __init__(self, folder, contents, seed, threads, flags=''):
        self.folder, self.contents, self.seed, self.threads = folder, contents, seed, threads
        self.processes = set()
        self.stopped = False
        self.restore_all()
        # A source that is as it was again is found there, also by another copy.
        self.environment = os.environ | {'CCACHE_BASEDIR': str(folder), 'CCACHE_NOHASHDIR': 'true'}
        linker = ' -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld' if shutil.which('ld.lld') else ''
        code, out = self.run(f'{CONFIGURE.format(flags=flags)}{linker} {self.ALONE}', folder, BUILD_SECONDS)
        if code:
            raise Problem(out[-3000:])

    def run(self, command, directory, limit):
        if self.stopped:
            raise Stopped
        done = run(command, directory, limit, self.processes, self.environment)
        if self.stopped:
            raise Stopped
        return done

    def restore_all(self):
        """Files that are right already keep their dates: nothing is compiled again for them."""
        for name, content in self.contents.items():
            self.write(name, content)
        kept = {self.folder / name for name in self.contents}
        for part in ('src', 'include', 'tests', 'cmake', 'examples'):
            for path in (self.folder / part).rglob('*'):
                if path.is_file() and path not in kept:
                    path.unlink()

    def write(self, name, content):
        path = self.folder / name
        if path.exists() and path.read_bytes() == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod((ROOT / name).stat().st_mode & 0o777)

    def try_to_build(self, targets, more=''):
        return self.run(f'nice cmake --build build -j{self.threads} --target {targets} -- {more}', self.folder, BUILD_SECONDS)

    def build(self, targets):
        code, out = self.try_to_build(targets)
        if code:
            raise Problem(f'{targets} does not build:\n{out[-3000:]}')

    def test(self, command, limit):
        """'passes', 'fails' or 'hangs', and the seconds."""
        # A graph that fails need not be made smaller: nobody looks at it.
        command = re.sub(r'\bRC_PARAMS=(\S+)', rf'RC_PARAMS="\1 seed={self.seed} noshrink=1"', command)
        begin = time.monotonic()
        try:
            code, out = self.run(command, self.folder / 'build', limit)
        except subprocess.TimeoutExpired:
            return 'hangs', limit
        if re.search(r'Running 0 tests|^Ran 0 tests', out, re.MULTILINE) or code in (126, 127):
            raise Problem(f'{command}: tests nothing:\n{out[-1000:]}')
        return 'fails' if code else 'passes', time.monotonic() - begin

    def stop(self):
        self.stopped = True
        for process in list(self.processes):
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


class TreeOfOne(Tree):
    """Has one mutation at a time: its source is compiled alone, the others twelve at a time."""
    ALONE = '"-DSPILLWAY_ALONE=' + ';'.join(changing_sources()) + '"'

    @contextlib.contextmanager
    def having(self, mutation):
        original = self.contents[mutation.file]
        self.write(mutation.file, mutated(original.decode(), mutation).encode())
        try:
            yield
        finally:
            self.write(mutation.file, original)


class TreeOfAll(Tree):
    """Has all mutations that fit into functions.  `refused` are those that the compiler has refused."""
    ALONE = ''

    def __init__(self, folder, seed, mutations):
        self.files, self.refused = dict(files_with(mutations)), set()
        folder.mkdir(exist_ok=True)
        header = folder / 'choice.h'
        if not header.exists() or header.read_text() != schemata.HEADER:
            header.write_text(schemata.HEADER)
        super().__init__(folder, sources() | self.with_mutations(), seed, os.cpu_count() or 1, f'-w -include {header}')

    def with_mutations(self):
        texts = {name: file.text(self.refused) for name, file in self.files.items()}
        self.lines = {name: lines for name, (_, lines) in texts.items()}
        return {name: text.encode() for name, (text, _) in texts.items()}

    def build_all(self, targets):
        while True:
            code, out = self.try_to_build(targets, '-k 0')
            if not code:
                return
            found = schemata.culprits(out, self.lines) - self.refused
            if not found:
                raise Problem(f'{targets} does not build:\n{out[-3000:]}')
            self.refused |= found
            for name, text in self.with_mutations().items():
                self.write(name, text)

    def build(self, targets):
        pass

    def has(self, mutation):
        file = self.files.get(mutation.file)
        return file is not None and mutation not in self.refused and all(mutation != other.mutation for other in file.others)

    def for_job(self, number):
        """The same copy, to be used beside others."""
        one = copy.copy(self)
        one.processes = set()
        temporary = self.folder / f'temporary-{number}'
        temporary.mkdir(exist_ok=True)
        one.environment = self.environment | {'TMPDIR': str(temporary), 'TEST_TMPDIR': f'{temporary}/'}
        return one

    @contextlib.contextmanager
    def having(self, mutation):
        self.environment[schemata.VARIABLE] = str(schemata.number_of(mutation))
        try:
            yield
        finally:
            del self.environment[schemata.VARIABLE]


class Results:
    """Lines of JSON, sorted by key, so that two people who add some can merge them.  A file that is new each time is
    never half written."""

    def __init__(self, path):
        self.path = path
        self.lock = threading.Lock()
        lines = path.read_text().splitlines() if path.exists() else []
        self.known = {entry['key']: entry for entry in map(json.loads, lines)}

    def get(self, key):
        return self.known.get(key)

    def put(self, key, entry):
        with self.lock:
            self.known[key] = {'key': key, **entry}
            self.write()

    def forget(self, keys):
        self.known = {key: entry for key, entry in self.known.items() if key not in keys}

    def write(self):
        lines = [json.dumps(self.known[key], ensure_ascii=False) + '\n' for key in sorted(self.known)]
        new = self.path.with_suffix('.new')
        new.write_text(''.join(lines))
        new.replace(self.path)


def digests_of(mutations):
    """Mutation -> digest of all that its result depends on."""
    digests, texts = Digests(), {}
    for mutation in mutations:
        source = texts.setdefault(mutation.file, (ROOT / mutation.file).read_text())
        (place,) = places(mutation.text, source)
        yield mutation, digests.of(mutation, place, source)


class Campaign:
    """Tries mutations in copies of the sources.  `baselines` are Results that count for these sources only."""

    def __init__(self, count, baselines, until):
        self.count, self.baselines, self.until = count, baselines, until
        self.trees = queue.Queue()
        self.print_lock = threading.Lock()
        self.locks = collections.defaultdict(threading.Lock)
        self.done = 0

    def carry_out(self, work, trees):
        """One at a time in each tree; mutation -> entry."""
        self.trees = queue.Queue()
        for tree in trees:
            self.trees.put(tree)
        with concurrent.futures.ThreadPoolExecutor(len(trees)) as pool:
            try:
                return dict(filter(None, pool.map(self.carry_out_one, work)))
            except BaseException as reason:
                pool.shutdown(wait=False, cancel_futures=True)
                for tree in trees:
                    tree.stop()
                if isinstance(reason, KeyboardInterrupt):
                    sys.exit('interrupted; the same command goes on with what is left')
                raise

    def carry_out_one(self, one):
        mutation, tests, keep = one
        try:
            entry = self.try_one(mutation, tests)
        except Late:
            return None
        if entry['result'] != 'problem':
            keep(mutation, entry)
        return mutation, entry

    def baseline(self, tree, target, test):
        """How long the test takes on the unchanged sources.  One that fails there shows nothing."""
        with self.locks[test]:
            return self.baseline_once(tree, target, test)

    def baseline_once(self, tree, target, test):
        known = self.baselines.get(test)
        if known is None:
            tree.build(target)
            outcome, seconds = tree.test(test, BUILD_SECONDS)
            known = {'result': outcome, 'seconds': round(seconds, 1)}
            self.baselines.put(test, known)
        if known['result'] != 'passes':
            raise Problem(f'{known["result"]} on the unchanged sources: {test}')
        return known['seconds']

    def tell(self, mutation, entry, why=''):
        word = {'fails': 'caught  ', 'hangs': 'caught  ', 'passes': 'SURVIVES', 'does not build': 'NO BUILD'}
        with self.print_lock:
            self.done += 1
            print(f'{word.get(entry["result"], "PROBLEM ")}  {mutation.name}  ({entry["seconds"]:.0f} s, '
                  f'{self.done} of {self.count})' + (f'\n{why}' if why else ''), flush=True)

    def try_one(self, mutation, tests):
        """Its entry, and why there is none to be kept; the first of the tests that fails is enough."""
        if time.monotonic() > self.until:
            raise Late
        tree = self.trees.get()
        begin = time.monotonic()
        try:
            result, why = self.try_in(tree, mutation, tests)
        except Problem as problem:
            result, why = 'problem', str(problem)
        finally:
            self.trees.put(tree)
        entry = {'result': result, 'seconds': round(time.monotonic() - begin, 1)}
        self.tell(mutation, entry, why)
        return entry

    def try_in(self, tree, mutation, tests):
        known = [self.baseline(tree, target, test) for target, test in tests]
        with tree.having(mutation):
            for (target, test), seconds in zip(tests, known):
                try:
                    tree.build(target)
                except Problem as problem:
                    if isinstance(mutation, draw.Drawn):
                        return 'does not build', ''
                    raise problem
                outcome, _ = tree.test(test, LEAST_SECONDS + 6 * seconds)
                if outcome != 'passes':
                    break
        return outcome, ''


def chosen_of(mutations, words):
    def fits(mutation, word):
        return word in mutation.name or word in mutation.file or word in mutation.target
    return [m for m in mutations if not words or any(fits(m, word) for word in words)]


def evidence(state, seed, entries, left, seconds):
    """`entries`: mutation -> what became of it."""
    counts = collections.Counter(entry['result'] for entry in entries.values())
    named = lambda wanted: sorted(m.name for m, entry in entries.items() if entry['result'] == wanted)
    caught = counts['fails'] + counts['hangs']
    return {'what': 'tests/mutations/run.py', 'date': datetime.datetime.now(datetime.timezone.utc).strftime('%Y-%m-%d'),
            'commit': state, 'seed': seed, 'mutations': len(entries), 'left': left, 'caught': caught,
            'of_them_by_a_hang': named('hangs'), 'survivors': named('passes'), 'problems': named('problem'),
            'do_not_build': named('does not build'), 'hours': round(seconds / 3600, 2)}


def list_all(mutations, results):
    for name, count in sorted(collections.Counter(m.file.split('/')[1] for m in mutations).items()):
        print(f'{count:5} in src/{name}')
    known = [results.get(m.name) for m, now in digests_of(mutations) if (results.get(m.name) or {}).get('digest') == now]
    survivors = sum(entry['result'] == 'passes' for entry in known)
    print(f'{len(known)} have a result that counts, {survivors} of them survive')
    print(f'{len(mutations)} mutations fit the sources')


def list_without(mutations):
    found = sorted(set(draw.long_files()) - {mutation.file for mutation in mutations})
    print(''.join(name + '\n' for name in found) + f'{len(found)} files of src above {draw.LONG} lines have no mutation')


def tried(work, arguments, mutations, baselines, until):
    """`work` is a list of (mutation, tests, what to do with its entry); mutation -> entry, of those there was time for."""
    folder = arguments.folder.resolve()
    campaign = Campaign(len(work), baselines, until)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    entries = {}
    if work and not arguments.alone:
        drawn = draw.drawn(arguments.beside, arguments.seed, lambda file: True) + [m for m, _, _ in work if isinstance(m, draw.Drawn)]
        tree = TreeOfAll(folder / 'all', arguments.seed, mutations + drawn)
        targets = {target for _, tests, _ in work for target, _ in tests}
        print(f'building {len(targets)} programs with all mutations', flush=True)
        tree.build_all(' '.join(sorted(targets | {'spillway'})))
        for mutation, _, keep in work:
            if isinstance(mutation, draw.Drawn) and mutation in tree.refused:
                entries[mutation] = {'result': 'does not build', 'seconds': 0}
                campaign.tell(mutation, entries[mutation])
        entries |= campaign.carry_out([one for one in work if tree.has(one[0])], [tree.for_job(i) for i in range(arguments.jobs)])
        work = [one for one in work if one[0] not in entries and not tree.has(one[0])]
    if work and time.monotonic() < until:
        jobs = min(arguments.jobs, len(work))
        threads = max(1, (os.cpu_count() or 1) // jobs)
        trees = [TreeOfOne(folder / f'tree-{i}', sources(), arguments.seed, threads) for i in range(jobs)]
        entries |= campaign.carry_out(work, trees)
    return entries


def listed_work(arguments, mutations):
    """Those of the list that have no result that counts, and mutation -> entry of the others."""
    chosen = chosen_of(mutations, arguments.only)
    if not chosen:
        sys.exit('no mutation is called that')
    results = Results(RESULTS)
    if arguments.again:
        results.forget({mutation.name for mutation in chosen})
    results.forget(set(results.known) - {mutation.name for mutation in mutations})  # they are gone
    done, work = {}, []
    for mutation, now in digests_of(chosen):
        known = results.get(mutation.name)
        if known and known['digest'] == now:
            done[mutation] = known
            continue
        keep = lambda m, entry, now=now: results.put(m.name, {'digest': now, **entry})
        work.append((mutation, [(mutation.target, mutation.test)], keep))
    # What needs the same program, and changes the same file, comes together: then less is built.
    return done, sorted(work, key=lambda one: (one[0].target, one[0].file))


def drawn_work(arguments):
    fits = lambda file: not arguments.only or any(word in file for word in arguments.only)
    results = Results(arguments.folder / 'drawn.jsonl')
    done, work = {}, []
    for mutation in draw.drawn(arguments.draw, arguments.seed, fits):
        tests = draw.tests_of(mutation.file)
        now = digest(*map(str, mutation), (ROOT / mutation.file).read_text(), str(tests))
        known = results.get(mutation.name)
        if known and known['digest'] == now and not arguments.again:
            done[mutation] = known
        else:
            keep = lambda m, entry, now=now: results.put(m.name, {'digest': now, **entry})
            work.append((mutation, tests, keep))
    return done, sorted(work, key=lambda one: (one[1][0][0], one[0].file))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--without', action='store_true')
    parser.add_argument('--draw', type=int)
    parser.add_argument('--beside', type=int, default=0,
                        help='compile so many drawn ones as well: a later --draw of this number and seed compiles nothing')
    parser.add_argument('--minutes', type=float, default=float('inf'))
    parser.add_argument('--only', action='append', default=[])
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--again', action='store_true')
    parser.add_argument('--alone', action='store_true')
    parser.add_argument('--seed', type=int, default=random.randrange(1, 1 << 32), help='of random graphs, and of what is drawn')
    parser.add_argument('--folder', type=pathlib.Path, default=ROOT / 'build' / 'mutations')
    parser.add_argument('--evidence', type=pathlib.Path)
    arguments = parser.parse_args()
    begin = time.monotonic()
    mutations = [Mutation(*m) for m in MUTATIONS]
    bad = list(misfits(mutations))
    if bad:
        sys.exit('these no longer fit the sources:\n' + '\n'.join(bad))
    if arguments.list:
        return list_all(mutations, Results(RESULTS))
    if arguments.without:
        return list_without(mutations)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    done, work = drawn_work(arguments) if arguments.draw else listed_work(arguments, mutations)
    state = state_of_sources()
    print(f'{len(done) + len(work)} mutations of {state[:10]}, {len(done)} of them done before, seed {arguments.seed}', flush=True)
    entries = tried(work, arguments, mutations, Results(arguments.folder / f'unchanged-{state}.jsonl'), begin + 60 * arguments.minutes)
    told = evidence(state, arguments.seed, done | entries, len(work) - len(entries), time.monotonic() - begin)
    if arguments.evidence:
        arguments.evidence.parent.mkdir(parents=True, exist_ok=True)
        arguments.evidence.write_text(json.dumps(told, indent=1) + '\n')
    counted = told['mutations'] - len(told['do_not_build'])
    print(f'{told["caught"]} passed, {counted - told["caught"]} failed'
          + (f', {len(told["do_not_build"])} do not build' if told['do_not_build'] else '')
          + (f', {told["left"]} are left for the next time' if told['left'] else ''))
    sys.exit(told['caught'] != counted)


main()
