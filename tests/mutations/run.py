#!/usr/bin/env python3
"""Applies each deliberate bug of mutations.py to a copy of the sources and watches the named test fail.

  run.py                    all of them; those that an earlier, interrupted call has done for this commit are not repeated
  run.py --list             only see that each still fits the sources
  run.py --only TEXT        those with TEXT in the name, the file, or the name of the test program; may be repeated
  run.py --jobs N           so many at a time, each in a copy of its own
  run.py --again            forget what earlier calls have done
  run.py --evidence FILE    write down what came of it: date, commit, seed, counts, survivors (JSON)

Copies and what is built stay in --folder (build/mutations), so that the next call compiles only what has changed;
results are in there too, one file for each commit (with changes that are not committed: for each state of them).
All of them take hours on two processors.  The exit code is 0 when all that were asked for are caught.
"""
import argparse
import collections
import concurrent.futures
import datetime
import hashlib
import json
import os
import pathlib
import queue
import random
import re
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from mutations import MUTATIONS

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIGURE = ('cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS=-O1 -DCMAKE_C_FLAGS=-O1 '
             '-DBUILD_TESTING=ON')
BUILD_SECONDS = 3600
LEAST_SECONDS = 300  # for a test, or 20 times what it takes on the unchanged sources: only against hangs

Mutation = collections.namedtuple('Mutation', 'name file text replacement target test')


class Problem(Exception):
    """Something that says nothing about the mutation."""


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


def mutated(source, mutation):
    (place,) = places(mutation.text, source)
    return source[:place.start()] + mutation.replacement.strip() + source[place.end():]


def misfits(mutations):
    for mutation in mutations:
        count = len(places(mutation.text, (ROOT / mutation.file).read_text()))
        if count != 1:
            yield f'{mutation.name}: occurs {count} times in {mutation.file}: {mutation.text}'
    for name, count in collections.Counter(mutation.name for mutation in mutations).items():
        if count > 1:
            yield f'{count} mutations have the name: {name}'


def run(command, directory, limit, processes):
    """The end of a command; one that takes too long is ended with all that it has started."""
    with subprocess.Popen(command, shell=True, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors='replace', start_new_session=True) as process:
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

    def __init__(self, folder, contents, seed, threads):
        self.folder, self.contents, self.seed, self.threads = folder, contents, seed, threads
        self.processes = set()
        self.stopped = False
        self.restore_all()
        code, out = self.run(CONFIGURE, folder, BUILD_SECONDS)
        if code:
            raise Problem(out[-3000:])

    def run(self, command, directory, limit):
        if self.stopped:
            raise Stopped
        done = run(command, directory, limit, self.processes)
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

    def build(self, targets):
        code, out = self.run(f'nice cmake --build build -j{self.threads} --target {targets}', self.folder, BUILD_SECONDS)
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


class Results:
    """What has been done for these sources, in a file to which a line is appended for each."""

    def __init__(self, path, again):
        self.path = path
        self.known = {}
        self.lock = threading.Lock()
        if again:
            path.unlink(missing_ok=True)
        if path.exists():
            for line in path.read_text().splitlines():
                try:
                    entry = json.loads(line)
                    self.known[entry['key']] = entry
                except (ValueError, KeyError):
                    pass  # cut off in the midst

    @staticmethod
    def key(*parts):
        return hashlib.sha256('\0'.join(parts).encode()).hexdigest()[:24]

    def get(self, key):
        return self.known.get(key)

    def put(self, key, entry):
        with self.lock:
            self.known[key] = {'key': key, **entry}
            with self.path.open('a') as file:
                file.write(json.dumps(self.known[key]) + '\n')


class Campaign:
    def __init__(self, mutations, results, trees):
        self.mutations, self.results = mutations, results
        self.trees = queue.Queue()
        for tree in trees:
            self.trees.put(tree)
        self.print_lock = threading.Lock()
        self.done = 0

    def say(self, text):
        with self.print_lock:
            print(text, flush=True)

    def baseline(self, tree, mutation):
        """How long the test takes on the unchanged sources.  One that fails there shows nothing."""
        key = Results.key('unchanged', mutation.test)
        known = self.results.get(key)
        if known is None:
            tree.build(mutation.target)
            outcome, seconds = tree.test(mutation.test, BUILD_SECONDS)
            known = {'test': mutation.test, 'result': outcome, 'seconds': round(seconds, 1)}
            self.results.put(key, known)
        if known['result'] != 'passes':
            raise Problem(f'{known["result"]} on the unchanged sources: {mutation.test}')
        return known['seconds']

    def carry_out(self, mutation):
        key = Results.key(*mutation)
        if self.results.get(key) is None:
            tree = self.trees.get()
            begin = time.monotonic()
            try:
                result, why = self.try_in(tree, mutation)
            finally:
                tree.write(mutation.file, tree.contents[mutation.file])
                self.trees.put(tree)
            self.results.put(key, {'name': mutation.name, 'file': mutation.file, 'result': result, 'why': why,
                                   'seconds': round(time.monotonic() - begin, 1)})
        entry = self.results.get(key)
        self.done += 1
        word = 'caught  ' if entry['result'] in ('fails', 'hangs') else 'SURVIVES' if entry['result'] == 'passes' else 'PROBLEM '
        self.say(f'{word}  {mutation.name}  ({entry["seconds"]:.0f} s, {self.done} of {len(self.mutations)})'
                 + (f'\n{entry["why"]}' if entry['why'] else ''))
        return entry['result']

    def try_in(self, tree, mutation):
        try:
            seconds = self.baseline(tree, mutation)
            original = tree.contents[mutation.file].decode()
            tree.write(mutation.file, mutated(original, mutation).encode())
            tree.build(mutation.target)
            return tree.test(mutation.test, max(LEAST_SECONDS, 20 * seconds))[0], ''
        except Problem as problem:
            return 'problem', str(problem)


def chosen_of(mutations, words):
    def fits(mutation, word):
        return word in mutation.name or word in mutation.file or word in mutation.target
    return [m for m in mutations if not words or any(fits(m, word) for word in words)]


def evidence(state, seed, mutations, outcomes, seconds):
    counts = collections.Counter(outcomes)
    named = lambda wanted: [m.name for m, outcome in zip(mutations, outcomes) if outcome == wanted]
    return {'what': 'tests/mutations/run.py', 'date': datetime.datetime.now(datetime.timezone.utc).strftime('%Y-%m-%d'),
            'commit': state, 'seed': seed, 'mutations': len(mutations), 'caught': counts['fails'] + counts['hangs'],
            'of_them_by_a_hang': named('hangs'), 'survivors': named('passes'), 'problems': named('problem'),
            'hours': round(seconds / 3600, 2)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--only', action='append', default=[])
    parser.add_argument('--jobs', type=int, default=1)
    parser.add_argument('--again', action='store_true')
    parser.add_argument('--seed', type=int, default=random.randrange(1, 1 << 32), help='of random graphs')
    parser.add_argument('--folder', type=pathlib.Path, default=ROOT / 'build' / 'mutations')
    parser.add_argument('--evidence', type=pathlib.Path)
    arguments = parser.parse_args()
    mutations = [Mutation(*m) for m in MUTATIONS]
    bad = list(misfits(mutations))
    if bad:
        sys.exit('these no longer fit the sources:\n' + '\n'.join(bad))
    if arguments.list:
        for name, count in sorted(collections.Counter(m.file.split('/')[1] for m in mutations).items()):
            print(f'{count:5} in src/{name}')
        print(f'{len(mutations)} mutations fit the sources')
        return
    chosen = chosen_of(mutations, arguments.only)
    if not chosen:
        sys.exit('no mutation is called that')
    arguments.folder.mkdir(parents=True, exist_ok=True)
    state = state_of_sources()
    results = Results(arguments.folder / f'results-{state}.jsonl', arguments.again)
    left = [m for m in chosen if results.get(Results.key(*m)) is None]
    print(f'{len(chosen)} mutations of {state[:10]}, {len(chosen) - len(left)} of them done before, seed {arguments.seed}',
          flush=True)
    jobs = max(1, min(arguments.jobs, len(left)))
    threads = max(1, (os.cpu_count() or 1) // jobs)
    contents = sources()
    trees = [Tree((arguments.folder / f'tree-{i}').resolve(), contents, arguments.seed, threads) for i in range(jobs)] if left else []
    campaign = Campaign(chosen, results, trees)
    begin = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            outcomes = list(pool.map(campaign.carry_out, chosen))
        except BaseException as reason:
            pool.shutdown(wait=False, cancel_futures=True)
            for tree in trees:
                tree.stop()
            if isinstance(reason, KeyboardInterrupt):
                sys.exit('interrupted; the same command goes on with what is left')
            raise
    told = evidence(state, arguments.seed, chosen, outcomes, time.monotonic() - begin)
    if arguments.evidence:
        arguments.evidence.parent.mkdir(parents=True, exist_ok=True)
        arguments.evidence.write_text(json.dumps(told, indent=1) + '\n')
    print(f'{told["caught"]} passed, {len(chosen) - told["caught"]} failed')
    sys.exit(told['caught'] != len(chosen))


main()
