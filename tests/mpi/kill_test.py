#!/usr/bin/env python3
"""A rank is killed at a random time, again and again, and the run is resumed, also on other numbers of ranks: the result
is that of one process.

    tests/mpi/kill_test.py --mpirun /usr/bin/mpirun --spillway build/dev/spillway [--kills 1000] [--seed 1]
"""
import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from run import command, expect

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = [os.path.join(HERE, '..', '..', 'bench', 'far_reset.m'), '--const', 'N=45']
SAME = ('verdict', 'states', 'transitions', 'depth', 'digest', 'levels', 'level_digests', 'coverage')


def rank_of(pid):
    """The rank of a process that Open MPI or MPICH has started; None for any other."""
    try:
        with open(f'/proc/{pid}/environ', 'rb') as file:
            variables = dict(entry.split(b'=', 1) for entry in file.read().split(b'\0') if b'=' in entry)
    except (OSError, ValueError):
        return None
    value = variables.get(b'OMPI_COMM_WORLD_RANK', variables.get(b'PMI_RANK'))
    return None if value is None else int(value)


def descendants(pid):
    found = []
    for task in os.listdir(f'/proc/{pid}/task'):
        with open(f'/proc/{pid}/task/{task}/children') as file:
            for child in file.read().split():
                found += [int(child), *descendants(child)]
    return found


def ranks_below(pid):
    try:
        return {rank_of(child): child for child in descendants(pid) if rank_of(child) is not None}
    except OSError:
        return {}


def output_of(process, killed):
    """What it has said when it has ended.  An mpirun that lost a rank while it was starting may wait for ever, without any
    ranks."""
    alone_since = None
    for _ in range(1200):
        try:
            return process.communicate(timeout=1)[0]
        except subprocess.TimeoutExpired:
            alone_since = None if not killed or ranks_below(process.pid) else alone_since or time.time()
            if alone_since and time.time() - alone_since > 20:
                process.kill()
    process.kill()
    sys.exit(f'FAILED: ranks have not ended for twenty minutes: {process.communicate()[0]}')


def run_and_kill(arguments, rank, after):
    """The exit code, and whether the rank was killed."""
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    end = time.time() + after
    while process.poll() is None and time.time() < end:
        time.sleep(0.005)
    victim = process.pid if rank is None else ranks_below(process.pid).get(rank)
    killed = False
    if process.poll() is None and victim is not None:
        try:
            os.kill(victim, signal.SIGKILL)
            killed = True
        except ProcessLookupError:
            pass
    output = output_of(process, killed)
    return process.returncode, killed, output


def status_of(spillway, directory):
    """When nobody runs any more: mpirun does not wait for ranks that it has killed."""
    for _ in range(3000):
        status = json.loads(subprocess.run([spillway, 'status', directory, '--json', '-'], check=True, capture_output=True,
                                           text=True).stdout)
        if status['condition'] != 'running':
            break
        time.sleep(0.1)
    return status


def read(path):
    with open(path) as file:
        result = json.load(file)
    return {key: result[key] for key in SAME}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--mpirun', required=True)
    parser.add_argument('--spillway', required=True)
    parser.add_argument('--kills', type=int, default=6)
    parser.add_argument('--seed', type=int, default=1)
    args = parser.parse_args()
    chance = random.Random(args.seed)
    folder = tempfile.mkdtemp(prefix='spillway-kill-')
    result = os.path.join(folder, 'result.json')
    common = ['--quiet', '--json', result, '--memory', '60M', '--threads', '1']
    check = [args.spillway, 'check', *MODEL, *common]
    subprocess.run([*check, '--algorithm', 'sorted-runs', '--run-dir', 'none'], check=True, stdout=subprocess.DEVNULL)
    expected = read(result)
    kills = resumed = runs = 0
    seconds = 2.0
    while kills < args.kills:
        runs += 1
        ranks = chance.choice((2, 3))
        directory = os.path.join(folder, 'run')
        shutil.rmtree(directory, ignore_errors=True)
        arguments = [*check, '--run-dir', directory, '--checkpoint', '0s']
        begun_on = ranks
        has_begun = False
        while True:
            os.path.exists(result) and os.remove(result)
            begun = time.time()
            started = command(args.mpirun, ranks, *arguments) if ranks > 1 else arguments
            code, killed, output = run_and_kill(started, chance.randrange(ranks) if ranks > 1 else None,
                                                chance.uniform(0.1, seconds))
            kills += killed
            seconds *= 1.05  # on a slow machine nothing would be done in the same time again and again
            if code == 0:
                seconds = max(0.5, time.time() - begun)
                break
            expect(killed, f'exit code {code} although nobody was killed:\n{output}')
            has_begun = has_begun or all(os.path.exists(os.path.join(directory, f'rank-{rank}', 'config'))
                                         for rank in range(begun_on))
            if has_begun:
                status = status_of(args.spillway, directory)
                # It may have been killed when all was done.
                expect(status['condition'] in ('stopped', 'finished'), f'the status is {status["condition"]}')
                expect(len(status['ranks']['each']) == status['ranks']['count'], f'the ranks are {status["ranks"]}')
                arguments = [args.spillway, 'resume', directory, *common]
                ranks = chance.choice((1, 2, 3))
                resumed += 1
            else:
                shutil.rmtree(directory, ignore_errors=True)  # killed before there was anything to resume
        with open(result) as file:
            expect(json.load(file)['run_directory'] == directory, 'the result names another run directory')
        got = read(result)
        for key in SAME:
            expect(got[key] == expected[key], f'run {runs} on {ranks} ranks, {key}: {got[key]}, not {expected[key]}')
    shutil.rmtree(folder)
    print(f'{kills} kills in {runs} runs, {resumed} times resumed: the same results')


if __name__ == '__main__':
    sys.exit(main())
