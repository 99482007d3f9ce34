"""Who else used the processors while something was measured, and measuring again if somebody did.

Times on a shared machine lie: the hypervisor takes processors away (steal), and other processes run beside the one that
is measured.  Both are in /proc/stat.  So every table of times is made by Turns: its kinds of runs take turns, a turn that
was disturbed is made again, and what was still disturbed is said below the table.
"""
import collections
import contextlib
import os
import resource
import statistics
import subprocess
import time

MOST_FOREIGN = 0.05  # processors that others may use: 5% of one
PROC_STAT = '/proc/stat'


def _ticks():
    """Seconds that all processors were busy so far, and that the hypervisor took, of all processors together."""
    with open(PROC_STAT, encoding='ascii') as file:
        user, nice, system, _, _, irq, softirq, steal = (int(word) for word in file.readline().split()[1:9])
    hertz = os.sysconf('SC_CLK_TCK')
    return (user + nice + system + irq + softirq) / hertz, steal / hertz


def _own():
    """Processor seconds of this process and of its children that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


class Noise:
    """A context manager.  Afterwards: `seconds`, and the processors used meanwhile by others and by the hypervisor."""

    def __enter__(self):
        self._begin = time.monotonic(), *_ticks(), _own()
        return self

    def __exit__(self, *_):
        now = time.monotonic(), *_ticks(), _own()
        self.seconds, busy, stolen, own = (b - a for a, b in zip(self._begin, now))
        seconds = max(self.seconds, 1e-9)
        self.steal = stolen / seconds
        self.others = max(0.0, busy - own) / seconds
        self.load = os.getloadavg()[0]

    def is_disturbed(self):
        # Ticks of a hundredth of a second say nothing about less than that.
        return self.others + self.steal > MOST_FOREIGN + 0.04 / max(self.seconds, 0.01)


class Turns:
    """Measures several kinds of runs by turns.  `again`: how many disturbed turns of a table are made again."""

    def __init__(self, runs, again=3):
        self.runs, self.left = runs, again
        self.all, self.repeated = [], 0

    def take(self, kinds):
        """`kinds`: name -> function.  Returns name -> list of what the function returned, in the order of the turns."""
        results = {name: [] for name in kinds}
        for _ in range(self.runs):
            turn = self._turn(kinds)
            while any(noise.is_disturbed() for _, noise in turn.values()) and self.left > 0:
                self.left -= 1
                self.repeated += 1
                turn = self._turn(kinds)
            for name, (result, noise) in turn.items():
                results[name].append(result)
                self.all.append(noise)
        return results

    @staticmethod
    def _turn(kinds):
        turn = {}
        for name, run in kinds.items():
            with Noise() as noise:
                result = run()
            turn[name] = result, noise
        return turn

    def said(self):
        """A sentence for below the table."""
        if not self.all:
            return 'Nothing was measured.'
        disturbed = sum(noise.is_disturbed() for noise in self.all)
        seconds = sum(noise.seconds for noise in self.all) or 1
        mean = {what: sum(getattr(noise, what) * noise.seconds for noise in self.all) / seconds for what in ('steal', 'others')}
        return (f'Disturbed: {disturbed} of {len(self.all)} runs ({self.repeated} turns were made again); on the mean others '
                f'used {mean["others"]:.2f} processors, steal {mean["steal"]:.2f}, load {max(n.load for n in self.all):.1f} '
                f'at most, {os.cpu_count()} processors.')


def median_of_ratios(over, under):
    """Of runs that were made by turns."""
    return statistics.median(a / b for a, b in zip(over, under))


@contextlib.contextmanager
def said_below():
    """For tables of processor seconds, and for those whose runs take too long to be made again."""
    with Noise() as noise:
        yield
    print(f'\nOthers used {noise.others:.2f} processors meanwhile, steal {noise.steal:.2f}, load {noise.load:.1f} at the end, '
          f'{os.cpu_count()} processors.')


Usage = collections.namedtuple('Usage', 'seconds bytes')  # processor time, and memory at the peak


def output_and_usage(command, errors=subprocess.DEVNULL, **options):
    """What a command prints, and its Usage.  errors=subprocess.STDOUT: what it prints as an error as well."""
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=errors, text=True, **options) as process:
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return text, Usage(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def output_and_seconds(command):
    """What a command prints, and its processor time."""
    text, usage = output_and_usage(command)
    return text, usage.seconds
