#!/usr/bin/env python3
"""A real Slurm of four nodes, which are network namespaces: a check that loses a node comes back with three ranks, and ends
with the digest of one process.

  tests/cluster/slurm.py --spillway build/dev/spillway [--seconds 600]

Starts munged, slurmctld and four slurmd of its own, and submits examples/slurm/check.sbatch.  When there is a checkpoint, one
node is killed and cut off.  Slurm notices, and puts the job into the queue again.

Needs root, Open MPI with PMIx, and Debian's slurmctld, slurmd, slurm-client and munge.  Exit code 77 if something is
missing.
"""
import argparse
import ctypes
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import namespaces
from namespaces import NET, Machines

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / 'tests' / 'mpi'))
from kill_test import descendants  # noqa: E402

MODEL = [str(ROOT / 'examples/german/german.m'), '--const', 'NODES=4', '--symmetry', 'off']
OPTIONS = ['--memory', '100M', '--threads', '1']
SAME = ('verdict', 'states', 'transitions', 'depth', 'digest', 'levels', 'level_digests')
NODES = 4
VICTIM = 2

CONFIGURATION = '''
ClusterName=spillway
SlurmctldHost={host}({net}.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=pmix
SwitchType=switch/none
SelectType=select/linear
SlurmdParameters=config_overrides
SlurmctldTimeout=30
SlurmdTimeout=15
MessageTimeout=20
KillWait=5
InactiveLimit=0
JobRequeue=1
ReturnToService=0
NodeName=n[0-{last}] NodeAddr={net}.1[0-{last}] CPUs=1 RealMemory=500 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
'''


def expect(condition, what):
    if not condition:
        sys.exit(f'FAILED: {what}')


class Slurm:
    """The daemons, each as a child of this process.  Whatever they leave behind becomes one too."""

    def __init__(self, folder, spillway):
        PR_SET_CHILD_SUBREAPER = 36
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.folder = folder
        self.machines = Machines(NODES, folder)
        (folder / 'slurm.conf').write_text(CONFIGURATION.format(folder=folder, net=NET, last=NODES - 1, host=os.uname().nodename))
        (folder / 'state').mkdir()
        key = folder / 'munge.key'
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        self.environment = {
            **os.environ, 'SLURM_CONF': str(folder / 'slurm.conf'), 'PATH': f'{spillway.parent}:{os.environ["PATH"]}',
            'OMPI_MCA_pml': 'ob1', 'OMPI_MCA_btl': 'tcp,self', 'OMPI_MCA_btl_tcp_if_include': f'{NET}.0/24'}
        self.daemon('munged', 'munged', '--foreground', '--force', f'--key-file={key}', f'--socket={folder}/munge.socket',
                    f'--pid-file={folder}/munge.pid', f'--log-file={folder}/munge.log', f'--seed-file={folder}/munge.seed')
        self.until(lambda: (folder / 'munge.socket').exists(), 20, 'munged does not start')
        self.daemon('slurmctld', 'slurmctld', '-D', '-f', folder / 'slurm.conf')
        self.nodes = [self.node(name) for name in self.machines.names]
        self.until(lambda: self.ask('sinfo', '-h', '-o', '%t %D').split() == ['idle', str(NODES)], 60, 'not all nodes are idle')

    def daemon(self, name, *command):
        log = open(self.folder / f'{name}.out', 'w')
        return subprocess.Popen(list(map(str, command)), env=self.environment, stdout=log, stderr=subprocess.STDOUT)

    def node(self, name):
        (self.folder / f'spool-{name}').mkdir()
        # PMIx keeps what it knows about a machine in its temporary directory.
        inside = f'hostname {name}; mount -t tmpfs none /tmp; exec slurmd -D -N {name} -f {self.folder}/slurm.conf'
        return self.daemon(f'slurmd-{name}', 'nsenter', f'--net=/run/netns/{name}', 'unshare', '-u', '-m', 'sh', '-c', inside)

    def ask(self, *command):
        return subprocess.run(list(map(str, command)), env=self.environment, capture_output=True, text=True).stdout

    def until(self, condition, seconds, otherwise):
        begun = time.monotonic()
        while not condition():
            if time.monotonic() - begun > seconds:
                for log in sorted(self.folder.glob('*.log')) + sorted(self.folder.glob('*.out')):
                    print(f'--- {log.name}\n{log.read_text(errors="replace")[-1500:]}')
                sys.exit(f'FAILED: {otherwise}')
            time.sleep(0.1)

    def job(self, number):
        words = re.findall(r'(\w+)=(\S*)', self.ask('scontrol', 'show', 'job', number))
        return dict(words)

    def lose(self, number):
        """The node is gone, with all that ran on it and its link."""
        victim = self.nodes[number].pid
        self.machines.cut_off(number)
        here = os.readlink(f'/proc/{victim}/ns/net')
        for entry in os.listdir('/proc'):
            try:
                if entry.isdigit() and os.readlink(f'/proc/{entry}/ns/net') == here:
                    os.kill(int(entry), signal.SIGKILL)
            except OSError:
                pass

    def end(self):
        for _ in range(5):
            left = descendants(os.getpid())
            for pid in left:
                try:
                    os.kill(pid, signal.SIGKILL)
                except OSError:
                    pass
            time.sleep(0.2)
            try:
                while os.waitpid(-1, os.WNOHANG)[0] != 0:
                    pass
            except ChildProcessError:
                return


def alone(spillway, folder):
    result = folder / 'alone.json'
    subprocess.run([str(spillway), 'check', *MODEL, *OPTIONS, '--algorithm', 'sorted-runs', '--run-dir', 'none', '--quiet', '--json',
                    str(result)], check=True, stdout=subprocess.DEVNULL)
    return json.loads(result.read_text())


def lose_a_node(slurm, arguments, expected):
    folder = slurm.folder
    slurm.environment['SPILLWAY_RUN'] = str(folder / 'run')
    said = slurm.ask('sbatch', '--parsable', '-N', f'{NODES - 1}-{NODES}', '-D', folder, '-o', folder / 'job.log',
                     ROOT / 'examples/slurm/check.sbatch', *MODEL, *OPTIONS, '--checkpoint', '0s', '--quiet')
    expect(said.strip().isdigit(), f'sbatch says {said}')
    number = said.strip()
    slurm.until(lambda: len(list(folder.glob('run/rank-*/manifest-*'))) >= 2 * NODES, arguments.seconds, 'no checkpoints')
    expect(not (folder / 'result.json').exists(), 'it was too fast to lose a node')
    begun = time.monotonic()
    slurm.lose(VICTIM)
    slurm.until(lambda: slurm.job(number).get('Restarts') == '1', 240, 'the job does not come back')
    noticed = time.monotonic() - begun
    # A job that comes back waits for two minutes, lest its old processes are still there.
    slurm.until(lambda: slurm.job(number).get('JobState') == 'PENDING', 60, 'the job is not waiting')
    slurm.ask('scontrol', 'update', f'jobid={number}', 'starttime=now')
    slurm.until(lambda: slurm.job(number).get('JobState') in ('COMPLETED', 'FAILED', 'CANCELLED', 'NODE_FAIL'), arguments.seconds,
                'the job does not end')
    log = (folder / 'job.log').read_text()
    expect(slurm.job(number)['JobState'] == 'COMPLETED', f'the job is {slurm.job(number)}:\n{log}')
    got = json.loads((folder / 'result.json').read_text())
    for key in SAME:
        expect(got[key] == expected[key], f'{key}: {got[key]}, not {expected[key]}')
    expect(len(got['ranks']['each']) == NODES - 1, f'{len(got["ranks"]["each"])} ranks came back')
    expect(got['earlier_seconds'] > 0, 'it has begun anew')
    print(f'{NODES} nodes; n{VICTIM} was lost, and Slurm knew after {noticed:.0f} s; {NODES - 1} ranks ended it: '
          f'{got["states"]:,} states, digest {got["digest"]}, the same')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--spillway', type=pathlib.Path, default=pathlib.Path('build/dev/spillway'))
    parser.add_argument('--seconds', type=float, default=600, help='that one part of the job may take')
    arguments = parser.parse_args()
    for tool in ('munged', 'slurmctld', 'slurmd', 'sbatch'):
        if not shutil.which(tool):
            namespaces.skip(f'there is no {tool}')
    if namespaces.INSIDE not in os.environ:
        namespaces.enter()
    spillway = arguments.spillway.resolve()
    # Not in /tmp, which each node has for itself.
    with tempfile.TemporaryDirectory(dir='/var/tmp') as name:
        folder = pathlib.Path(name)
        expected = alone(spillway, folder)
        slurm = Slurm(folder, spillway)
        try:
            lose_a_node(slurm, arguments, expected)
        finally:
            slurm.end()
            subprocess.run(['umount', '/etc/hosts'], check=True)


if __name__ == '__main__':
    main()
