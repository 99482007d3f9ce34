#!/usr/bin/env python3
"""Commands side by side in slices of time (bench/slices.py), with real processes."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / 'bench'))
from slices import in_slices  # noqa: E402

# Works for a while, and notes the time of each thousandth of a second of processor time.
WORK = '''
import sys, time
noted, last = [], 0
while time.process_time() < float(sys.argv[2]):
    if time.process_time() - last >= 0.001:
        last = time.process_time()
        noted.append(time.monotonic())
open(sys.argv[1], 'w').write(' '.join(map(str, noted)))
'''


def times(folder, name):
    return [float(word) for word in (pathlib.Path(folder) / name).read_text(encoding='ascii').split()]


class SlicesTest(unittest.TestCase):
    def test_commands_take_turns_and_their_usage_is_known(self):
        with tempfile.TemporaryDirectory() as folder:
            commands = {name: [sys.executable, '-c', WORK, f'{folder}/{name}', seconds] for name, seconds in (('long', 0.8), ('short', 0.4))}
            with mock.patch('slices.os.kill', side_effect=os.kill) as kill:
                usages = in_slices(commands, seconds=0.1)
            slices = sum(call.args[1] == signal.SIGCONT for call in kill.call_args_list)
            self.assertEqual(list(usages), ['long', 'short'])
            self.assertGreaterEqual(usages['long'].seconds, 0.8)
            self.assertGreaterEqual(usages['short'].seconds, 0.4)
            self.assertLess(usages['short'].seconds, usages['long'].seconds)
            self.assertGreater(usages['long'].bytes, 2**20)
            both = sorted([(when, name) for name in commands for when in times(folder, name)])
        changes = sum(a[1] != b[1] for a, b in zip(both, both[1:]))
        # One after the other they would change once, and at the same time far more often than there are slices.
        self.assertGreaterEqual(changes, 3)
        self.assertLessEqual(changes, slices)

    def test_none_is_left_behind(self):
        with tempfile.TemporaryDirectory() as folder:
            left = pathlib.Path(folder) / 'left'
            with self.assertRaises(FileNotFoundError):
                in_slices({'sleeps': ['sh', '-c', f'echo $$ > {left}; exec sleep 60'], 'missing': [f'{folder}/missing']})
            # It is stopped at once, so it may not have come to say its number.
            number = left.read_text(encoding='ascii').strip() if left.exists() else ''
            if number:
                self.assertFalse(pathlib.Path(f'/proc/{number}').exists())
            ours = subprocess.run(['pgrep', '-f', str(left)], stdout=subprocess.PIPE, text=True).stdout
            self.assertEqual(ours, '')


if __name__ == '__main__':
    unittest.main()
