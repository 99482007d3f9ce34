"""The most that the files of some processes take on disk at a time."""
import contextlib
import os
import threading


def _taken(process):
    """Bytes of blocks of files that have no name: those in which a search keeps states have none."""
    taken, folder = 0, f'/proc/{process}/fd'
    with contextlib.suppress(OSError):
        for number in os.listdir(folder):
            with contextlib.suppress(OSError):
                if os.readlink(f'{folder}/{number}').endswith(' (deleted)'):
                    taken += 512 * os.stat(f'{folder}/{number}').st_blocks
    return taken


class DiskPeak:
    """with DiskPeak(processes) as peak: ...; peak.bytes.  processes() returns their numbers; they are looked at five times a second."""

    def __init__(self, processes, seconds=0.2):
        self.bytes = 0
        self._processes, self._seconds = processes, seconds
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def _watch(self):
        while not self._end.wait(self._seconds):
            self.bytes = max(self.bytes, sum(map(_taken, self._processes())))

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._end.set()
        self._thread.join()
