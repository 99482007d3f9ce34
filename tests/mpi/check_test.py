#!/usr/bin/env python3
"""A check on several ranks, started by mpirun, says what one process says: verdict, counts, digest, levels and traces.

    tests/mpi/check_test.py --mpirun /usr/bin/mpirun --spillway build/dev/spillway
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

from run import command, expect

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'examples')

# A model, its options, and the exit code.
CASES = [
    (['german/german.m'], 0),
    (['german/german.m', '--max-states', '3000'], 23),
    (['german/german.m', '--max-depth', '7'], 23),
    (['peterson_n/peterson_n.m', '--const', 'FILTERS=2'], 12),
    (['peterson_n/peterson_n.m', '--const', 'FILTERS=2', '--max-errors', 'all'], 12),
    (['philosophers/philosophers.m'], 11),
    (['german/german.m', '--ltl', 'G (writer_exists -> X (writer_exists | memory = written_last))'], 0),
    (['german/german.m', '--ltl', 'G (writer_exists -> F !writer_exists)'], 13),
    (['german/german.m', '--ctl', 'AG EF writer_exists', '--ctl', 'AG AF !writer_exists'], 13),
]


def described():
    """The figures of a rank in the manual."""
    with open(os.path.join(EXAMPLES, '..', 'docs', 'manual', 'cluster.md')) as file:
        table = file.read().partition('| member of `each` |')[2].partition('\n\n')[0]
    return set(re.findall(r'^\| `(\w+)` \|', table, re.MULTILINE))


def run(arguments):
    with tempfile.NamedTemporaryFile(suffix='.json') as file:
        done = subprocess.run([*arguments, '--quiet', '--json', file.name], capture_output=True, text=True, timeout=1200)
        text = file.read()
    expect(text, f'{arguments} has written nothing: {done.stdout}{done.stderr}')
    return done.returncode, json.loads(text)


def same_for_all(result):
    """Without what may differ: time, memory, and how the search was carried out."""
    return {key: result[key] for key in ('verdict', 'reason', 'complete', 'properties', 'coverage', 'states', 'transitions',
                                         'depth', 'digest', 'levels', 'level_digests', 'unfinished')}


def resumes_with_nothing_done(args):
    """A rank may have had no states yet when the checkpoint was made."""
    with tempfile.TemporaryDirectory() as folder:
        check = [args.spillway, 'check', os.path.join(EXAMPLES, 'german', 'german.m'), '--algorithm', 'sorted-runs', '--memory', '100M',
                 '--threads', '1', '--max-depth']
        _, alone = run([*check, '6', '--run-dir', 'none'])
        directory = os.path.join(folder, 'run')
        code, _ = run(command(args.mpirun, 3, *check, '1', '--run-dir', directory, '--checkpoint', '0s'))
        expect(code == 23, f'up to depth 1: exit code {code}')
        code, result = run(command(args.mpirun, 3, args.spillway, 'resume', directory, '--max-depth', '6'))
        expect(code == 23 and same_for_all(result) == same_for_all(alone), f'resumed: exit code {code}, {result["reason"]}')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--mpirun', required=True)
    parser.add_argument('--spillway', required=True)
    args = parser.parse_args()
    for options, code in CASES:
        model = [os.path.join(EXAMPLES, options[0]), *options[1:]]
        check = [args.spillway, 'check', *model, '--algorithm', 'sorted-runs', '--memory', '100M']
        alone_code, alone = run([*check, '--run-dir', 'none'])
        expect(alone_code == code, f'{options} alone: exit code {alone_code}')
        expect(same_for_all(alone)['digest'], 'there is a digest to compare')
        for ranks, threads in ((2, 1), (3, 2)):
            got, result = run(command(args.mpirun, ranks, *check, '--threads', str(threads)))
            expect(got == code, f'{options} on {ranks} ranks: exit code {got}')
            each = result['ranks']['each']
            expect(len(each) == ranks and all(set(rank) == described() for rank in each), f'the manual does not describe {each}')
            expect(all(rank['bytes_sent'] > 0 and rank['states'] > 0 for rank in each), f'a rank has done nothing: {each}')
            expect(sum(rank['bytes_sent'] for rank in each) == sum(rank['bytes_received'] for rank in each) or code == 23,
                   f'not all that was sent has arrived: {each}')
            for key, value in same_for_all(alone).items():
                expect(same_for_all(result)[key] == value, f'{options} on {ranks} ranks differs in {key}:\n'
                       f'{same_for_all(result)[key]}\n{value}')
    resumes_with_nothing_done(args)
    print(f'{len(CASES)} checks on 2 and 3 ranks: the same')


if __name__ == '__main__':
    sys.exit(main())
