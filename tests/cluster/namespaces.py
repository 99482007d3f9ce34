#!/usr/bin/env python3
"""Runs a command as ranks on "machines" that share nothing but a network: network namespaces, joined by a bridge, over TCP.

  tests/cluster/namespaces.py --ranks 4 [--rate 1gbit] [--at-least-mib 100] -- build/dev/bench_exchange 64 256 3
  tests/cluster/namespaces.py --ranks 4 --down 2 --after 5 -- build/dev/spillway check ...

--rate limits what each machine sends.  The counters of the interfaces are printed: Open MPI takes another network without a
word if it does not find this one.  --at-least-mib makes that a failure.  --down cuts one machine off after some seconds.

Needs root and Open MPI.  Everything is in a network namespace and a mount namespace of this process's own, and is gone with
them.  Exit code: that of mpirun; 77 if there is no root or no namespaces.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from skips import skip

NET = '10.77.0'
INSIDE = 'SPILLWAY_INSIDE_NAMESPACES'


def enter():
    """Starts this script again, in namespaces of its own."""
    if os.geteuid() != 0:
        skip('this needs root')
    for tool in ('unshare', 'nsenter', 'ip', 'tc', 'mpirun'):
        if not shutil.which(tool):
            skip(f'there is no {tool}')
    if subprocess.run(['unshare', '-m', '-n', 'true'], capture_output=True).returncode != 0:
        skip('this system has no namespaces for us')
    os.environ[INSIDE] = '1'
    os.execvp('unshare', ['unshare', '-m', '-n', sys.executable, '-B', *sys.argv])


def ip(*words, of=None):
    done = subprocess.run(['ip', *(['-n', of] if of else []), *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f'ip {" ".join(map(str, words))}: {done.stderr}')
    return done.stdout


class Machines:
    """Namespaces n0, n1, ... with an interface eth0 each, on one bridge."""

    def __init__(self, count, folder):
        self.names = [f'n{i}' for i in range(count)]
        os.makedirs('/run/netns', exist_ok=True)
        subprocess.run(['mount', '-t', 'tmpfs', 'none', '/run/netns'], check=True)
        ip('link', 'set', 'lo', 'up')
        ip('link', 'add', 'br0', 'type', 'bridge')
        ip('addr', 'add', f'{NET}.1/24', 'dev', 'br0')
        ip('link', 'set', 'br0', 'up')
        hosts = ['127.0.0.1 localhost', f'{NET}.1 {os.uname().nodename}']
        for i, name in enumerate(self.names):
            ip('netns', 'add', name)
            ip('link', 'add', f'v{i}', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
            ip('link', 'set', f'v{i}', 'master', 'br0', 'up')
            ip('addr', 'add', f'{NET}.{10 + i}/24', 'dev', 'eth0', of=name)
            ip('link', 'set', 'eth0', 'up', of=name)
            ip('link', 'set', 'lo', 'up', of=name)
            hosts.append(f'{NET}.{10 + i} {name}')
        file = folder / 'hosts'
        file.write_text('\n'.join(hosts) + '\n')
        subprocess.run(['mount', '--bind', file, '/etc/hosts'], check=True)

    def limit(self, rate):
        """What each machine sends; None: as much as it can."""
        for name in self.names:
            if rate is None:
                subprocess.run(['tc', '-n', name, 'qdisc', 'del', 'dev', 'eth0', 'root'], capture_output=True)
                continue
            subprocess.run(['tc', '-n', name, 'qdisc', 'replace', 'dev', 'eth0', 'root', 'tbf', 'rate', rate, 'burst', '512kb',
                            'latency', '200ms'], check=True)

    def sent_bytes(self):
        """What has left each machine."""
        return [json.loads(ip('-j', '-s', 'link', 'show', 'dev', 'eth0', of=name))[0]['stats64']['tx']['bytes'] for name in self.names]

    def cut_off(self, number):
        ip('link', 'set', f'v{number}', 'down')

    def join_again(self, number):
        ip('link', 'set', f'v{number}', 'up')


def mpirun(machines, folder, command, ranks=None):
    """How Open MPI starts one rank on each machine, or on the first ones, and uses TCP between them."""
    names = machines.names[:ranks]
    agent = folder / 'agent'
    agent.write_text('#!/bin/sh\nh=$1; shift\nexec nsenter --net=/run/netns/"$h" unshare -u sh -c "hostname $h; exec $*"\n')
    agent.chmod(0o755)
    options = {'plm_rsh_agent': agent, 'oob_tcp_if_include': f'{NET}.0/24', 'pml': 'ob1', 'btl': 'tcp,self',
               'btl_tcp_if_include': f'{NET}.0/24'}
    return ['mpirun', '--allow-run-as-root', '--host', ','.join(names), '-n', len(names),
            *(word for name, value in options.items() for word in ('--mca', name, value)), *command]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--ranks', type=int, default=4)
    parser.add_argument('--rate', help='as tc has it: 1gbit, 100mbit')
    parser.add_argument('--at-least-mib', type=float, default=0, help='that each machine must have sent')
    parser.add_argument('--down', type=int, help='the machine to cut off')
    parser.add_argument('--after', type=float, default=5, help='seconds until then')
    parser.add_argument('--most-seconds', type=float, default=3600, help='mpirun is killed then')
    parser.add_argument('command', nargs='+')
    arguments = parser.parse_args()
    if INSIDE not in os.environ:
        enter()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        machines = Machines(arguments.ranks, folder)
        if arguments.rate:
            machines.limit(arguments.rate)
        before = machines.sent_bytes()
        process = subprocess.Popen(list(map(str, mpirun(machines, folder, arguments.command))))
        if arguments.down is not None:
            threading.Timer(arguments.after, machines.cut_off, [arguments.down]).start()
        try:
            code = process.wait(arguments.most_seconds)
        except subprocess.TimeoutExpired:
            process.kill()  # it does not listen to anything else while it waits for a machine
            code = 124
        sent = [after - begin for begin, after in zip(before, machines.sent_bytes())]
        print('MiB sent by each machine:', ' '.join(f'{bytes / 2**20:.1f}' for bytes in sent), flush=True)
        subprocess.run(['umount', '/etc/hosts'], check=True)
    if min(sent) < arguments.at_least_mib * 2**20:
        sys.exit(f'FAILED: a machine has sent less than {arguments.at_least_mib} MiB over its interface')
    sys.exit(code if code >= 0 else 128 - code)


if __name__ == '__main__':
    main()
