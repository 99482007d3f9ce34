#!/usr/bin/env python3
"""What benchmarks say about other work on the machine (bench/noise.py), with real work."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / 'bench'))
import noise as noise_module  # noqa: E402
from noise import MOST_FOREIGN, Noise, Turns, median_of_ratios  # noqa: E402

SPIN = [sys.executable, '-c', 'import time\nend = time.monotonic() + {}\nwhile time.monotonic() < end: pass']


def spin(seconds):
    return [*SPIN[:2], SPIN[2].format(seconds)]


class NoiseTest(unittest.TestCase):
    def test_others_are_seen(self):
        other = subprocess.Popen(spin(20))  # not waited for while it counts, so it is somebody else's
        try:
            with Noise() as noise:
                time.sleep(0.5)
        finally:
            other.kill()
            other.wait()
        # A share of a busy machine at least.
        self.assertGreater(noise.others, 0.1)
        self.assertTrue(noise.is_disturbed())

    def test_own_children_are_not_others(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(noise_module, 'PROC_STAT', f'{folder}/stat'):
            stat = pathlib.Path(noise_module.PROC_STAT)
            stat.write_text('cpu 1000 0 0 0 0 0 0 100 0 0\n')
            with Noise() as noise:
                subprocess.run([sys.executable, '-c', 'import time\nwhile time.process_time() < 0.5: pass'], check=True)
                stat.write_text('cpu 1060 0 0 0 0 0 0 130 0 0\n')  # 0.6 s busy, 0.3 s stolen
        self.assertLess(noise.others * noise.seconds, 0.15)
        self.assertAlmostEqual(noise.steal * noise.seconds, 30 / os.sysconf('SC_CLK_TCK'), places=3)

    def test_short_runs_are_not_called_disturbed_for_one_tick(self):
        noise = Noise()
        noise.seconds, noise.steal, noise.others = 0.05, 0.0, 0.2
        self.assertFalse(noise.is_disturbed())
        noise.seconds = 5
        self.assertTrue(noise.is_disturbed())
        noise.others = MOST_FOREIGN / 2
        self.assertFalse(noise.is_disturbed())
        noise.steal = MOST_FOREIGN
        self.assertTrue(noise.is_disturbed())


class DisturbedTurns(Turns):
    """The first runs are disturbed."""

    def __init__(self, disturbed, **options):
        super().__init__(**options)
        self.disturbed = disturbed

    def _turn(self, kinds):
        turn = super()._turn(kinds)
        for _, noise in turn.values():
            noise.seconds, noise.steal, noise.others = 1, 0.5 if self.disturbed > 0 else 0, 0
        self.disturbed -= 1
        return turn


class TurnsTest(unittest.TestCase):
    def take(self, disturbed, again):
        calls = []
        turns = DisturbedTurns(disturbed, runs=3, again=again)
        results = turns.take({name: lambda name=name: calls.append(name) or len(calls) for name in 'ab'})
        return ''.join(calls), results, turns.said()

    def test_kinds_alternate(self):
        calls, results, said = self.take(disturbed=0, again=3)
        self.assertEqual(calls, 'ababab')
        self.assertEqual(results, {'a': [1, 3, 5], 'b': [2, 4, 6]})
        self.assertIn('0 of 6 runs (0 turns', said)

    def test_disturbed_turns_are_made_again(self):
        calls, results, said = self.take(disturbed=2, again=3)
        self.assertEqual(calls, 'ab' * 5)
        self.assertEqual(results, {'a': [5, 7, 9], 'b': [6, 8, 10]})
        self.assertIn('0 of 6 runs (2 turns', said)

    def test_what_stays_disturbed_is_said(self):
        calls, _, said = self.take(disturbed=10, again=1)
        self.assertEqual(calls, 'ab' * 4)
        self.assertIn('6 of 6 runs (1 turns', said)

    def test_ratios_are_of_neighbours(self):
        self.assertEqual(median_of_ratios([2, 30, 8], [1, 10, 4]), 2)


if __name__ == '__main__':
    unittest.main()
