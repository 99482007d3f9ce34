"""Commands side by side, in slices of time: all of them meet the same machine.

Where the speed of memory changes by a third within a minute, runs one after the other cannot be compared to a few
hundredths.  So the commands are all started, one of them runs at a time, and every half second it is the turn of the next.
What a slice costs to begin is the caches, a few thousandths of it.
"""
import contextlib
import os
import select
import signal
import subprocess
import threading

from noise import Usage


def in_slices(commands, seconds=0.5, read=None):
    """`commands`: name -> words.  Returns name -> Usage.

    `read` is called in a thread for each command, with its name, its process number and its output.  Without it, what
    they print is thrown away.
    """
    usages = {}
    with contextlib.ExitStack() as at_the_end:
        waiting, readers = {}, {}
        for name, words in commands.items():
            process = at_the_end.enter_context(subprocess.Popen([str(word) for word in words], stdout=subprocess.PIPE if read else subprocess.DEVNULL,
                                                                stderr=subprocess.DEVNULL, text=True))
            os.kill(process.pid, signal.SIGSTOP)  # send_signal() would wait for it, and so lose its usage
            waiting[name] = process
            if read:
                readers[name] = threading.Thread(target=read, args=(name, process.pid, process.stdout))
                readers[name].start()
                at_the_end.callback(readers[name].join)
            at_the_end.callback(process.kill)  # if something goes wrong; nothing if it has been waited for
        while waiting:
            for name, process in list(waiting.items()):
                if _ends_within(process, seconds):
                    if read:
                        readers[name].join()  # as long as /proc has the process
                    usages[name] = _wait_for(waiting.pop(name))
    return {name: usages[name] for name in commands}


def _ends_within(process, seconds):
    """Lets it go on for that long."""
    end = os.pidfd_open(process.pid)
    try:
        os.kill(process.pid, signal.SIGCONT)
        if select.select([end], [], [], seconds)[0]:
            return True
        os.kill(process.pid, signal.SIGSTOP)
        return False
    finally:
        os.close(end)


def _wait_for(process):
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Usage(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
