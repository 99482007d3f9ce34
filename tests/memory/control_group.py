"""A control group (version 1 or 2) for one command: bounds its memory, page cache included, and tells the peak."""
import os
import pathlib
import subprocess
import time

NAMES = {1: ('memory.limit_in_bytes', 'memory.max_usage_in_bytes'), 2: ('memory.max', 'memory.peak')}


class Unavailable(Exception):
    pass


def _own_group():
    groups = [line.split(':', 2) for line in pathlib.Path('/proc/self/cgroup').read_text().splitlines()]
    for _, controllers, group in groups:
        if 'memory' in controllers.split(','):
            return pathlib.Path('/sys/fs/cgroup/memory' + group), 1
    for number, controllers, group in groups:
        if number == '0' and not controllers:
            return pathlib.Path('/sys/fs/cgroup' + group), 2
    raise Unavailable('this process is in no control group for memory')


class ControlGroup:
    """with ControlGroup(limit_bytes or None) as group: group.run(command, ...); group.peak()"""

    def __init__(self, limit=None):
        parent, version = _own_group()
        self.limit_file, self.peak_file = NAMES[version]
        self.folder = parent / f'spillway-{os.getpid()}-{time.monotonic_ns()}'
        try:
            self.folder.mkdir()
        except OSError as error:
            raise Unavailable(f'cannot make a control group: {error}') from error
        try:
            if not (self.folder / self.peak_file).exists():
                raise Unavailable(f'{self.folder} has no {self.peak_file}')
            if limit is not None:
                (self.folder / self.limit_file).write_text(str(int(limit)))
        except (OSError, Unavailable) as error:
            self._remove()
            raise Unavailable(str(error)) from error

    def run(self, command, **options):
        enter = lambda: (self.folder / 'cgroup.procs').write_text(str(os.getpid()))
        try:
            return subprocess.run(command, preexec_fn=enter, **options)
        except subprocess.SubprocessError as error:
            if isinstance(error, (subprocess.CalledProcessError, subprocess.TimeoutExpired)):
                raise
            raise Unavailable(f'cannot enter the control group: {error}') from error

    def peak(self):
        return int((self.folder / self.peak_file).read_text())

    def processes(self):
        return [int(number) for number in (self.folder / 'cgroup.procs').read_text().split()]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._remove()

    def _remove(self):
        for _ in range(50):
            try:
                return self.folder.rmdir()
            except OSError:
                time.sleep(0.1)
