#!/usr/bin/env python3
"""Spillway beside its peers in the same run: processor time and memory, one thread each.

  bench/peers/table.py murphi --mu FILE                       CMurphi without symmetry
  bench/peers/table.py dve --dve2lts FILE --divine FILE       LTSmin with its table and its tree of shared parts, and SPIN
  bench/peers/table.py wide --dve2lts FILE --divine FILE      LTSmin's tree, on models whose rows have five words and more

The peers are programs that are installed; cmurphi.py and ltsmin.py say which.  They compile models in --peers, which is kept
and used again; --prepare does only that, for who has the machine to himself for a short time.  dve: without --dve2lts only
SPIN, and without a program called `spin` only LTSmin.  Further options: --build, --shared, --runs, --models as for the other
scripts; --again: how many disturbed turns are made again.

Seconds are processor time without compiling; memory is that of the whole process at its peak, by state.  Medians of runs
by turns.  States and transitions must be the same for all but SPIN, whose models are other translations; where it has
more or fewer states by a tenth it is not compared, and otherwise by time for each state.  LTSmin is told how many states
there are (-s: the power of two above 1.4 times as many, or more if that is full).  CMurphi takes all the memory that it
is given (64 MiB and 102 bytes a state), so that is not compared.  Spillway is told nothing.
"""
import pathlib
import shutil
import statistics

import cmurphi
import ltsmin
from spin import Spin
from spillway import ROOT, Turns, arguments_for, mean, median_of_ratios, print_head, print_row, spillway

MURPHI = {  # below the shared models in Murphi
    'n_peterson_N5': 'scaled/n_peterson_N5.m', 'mcslock2': 'cmurphi/mux_mcslock2.m', 'g2k_N3': 'scaled/g2k_N3.m',
    'german_N3': 'scaled/german_N3.m', 'german2004': 'paraverifier/n_german2004.m', 'list6too': 'cmurphi/sym_list6too.m',
}
DVE = ['lamport.5', 'peterson.4', 'at.3', 'szymanski.4', 'leader_filters.5', 'fischer.3', 'iprotocol.4', 'rether.5', 'extinction.4']
WIDE = ['extinction.4', 'hanoi.2', 'pgm_protocol.6', 'pgm_protocol.7', 'pgm_protocol.8', 'leader_election.5']
PEERS = {'murphi': ['CMurphi'], 'dve': ['LTSmin table', 'LTSmin tree', 'SPIN'], 'wide': ['LTSmin tree']}


def own(program, model, *options):
    """States, transitions, Usage."""
    found = spillway(program, model, *options)
    assert found['verdict'] == 'verified', found['reason']
    return found['states'], found['transitions'], found['usage']


class Table:
    def __init__(self, arguments):
        self.arguments = arguments
        self.peers = [peer for peer in PEERS[arguments.table] if self._can_be_had(peer)]
        self.turns = Turns(arguments.runs, arguments.again)
        self.times = {peer: [] for peer in self.peers}  # of it over those of Spillway, for each model
        self.memory = {peer: [] for peer in self.peers}

    def _can_be_had(self, peer):
        return shutil.which('spin') is not None if peer == 'SPIN' else peer == 'CMurphi' or self.arguments.dve2lts is not None

    def model(self, name):
        models = self.arguments.shared / 'models'
        return models / 'murphi' / MURPHI[name] if self.arguments.table == 'murphi' else models / 'beem/dve' / f'{name}.dve'

    def peer(self, peer, name, folder, states):
        if peer == 'CMurphi':
            return cmurphi.CMurphi(self.arguments, self.model(name), folder, states, ['-nosym'])
        if peer == 'SPIN':
            return Spin(self.arguments.shared / 'models/beem/pm' / f'{name}.pm', folder, states)
        return ltsmin.Ltsmin(self.arguments, self.model(name), folder, states, peer.split()[1])

    def kinds(self, name):
        """Kind -> how it is run."""
        model, program = self.model(name), self.arguments.build / 'spillway'
        options = ['--symmetry=off'] if self.arguments.table == 'murphi' else []
        states = own(program, model, *options)[0]  # compiles it
        folder = self.arguments.peers / 'models' / name
        folder.mkdir(parents=True, exist_ok=True)
        kinds = {'Spillway': lambda: own(program, model, *options)}
        return kinds | {peer: self.peer(peer, name, folder, states).run for peer in self.peers}

    def measure(self, name):
        """Kind -> what its runs returned."""
        kinds = self.kinds(name)
        if 'SPIN' in kinds and kinds['SPIN']() is None:  # it is not waited for three times
            del kinds['SPIN']
        found = self.turns.take(kinds)
        assert len({one[:2] for kind, runs in found.items() if kind != 'SPIN' for one in runs}) == 1, (name, found)
        return found

    def row(self, name):
        found = self.measure(name)
        states = {kind: runs[0][0] for kind, runs in found.items()}
        cells = [name, f'{states["Spillway"]:,}']
        for kind in ['Spillway', *self.peers]:
            if kind not in found:
                cells.append('')
                continue
            seconds = statistics.median(usage.seconds for _, _, usage in found[kind])
            each = statistics.median(usage.bytes / states[kind] for _, _, usage in found[kind])
            cells.append(f'{seconds:.2f}' if kind == 'CMurphi' else f'{seconds:.2f} / {each:.1f}')
        for peer in self.peers:
            cells.append(self._compared(peer, found, states))
        print_row(cells)

    def _compared(self, peer, found, states):
        if peer not in found or abs(states[peer] - states['Spillway']) > states['Spillway'] / 10:
            return f'({states[peer]:,} states)' if peer in found else ''
        each = {kind: [[usage.seconds / states[kind], usage.bytes / states[kind]] for _, _, usage in found[kind]] for kind in (peer, 'Spillway')}
        times, memory = (median_of_ratios([one[i] for one in each[peer]], [one[i] for one in each['Spillway']]) for i in (0, 1))
        self.times[peer].append(times)
        self.memory[peer].append(memory)
        return f'{times:.2f}' if peer == 'CMurphi' else f'{times:.2f} / {memory:.2f}'

    def print(self, names):
        kinds = ['Spillway', *self.peers]
        print_head(['model', 'states', *(f'{kind}, s' + ('' if kind == 'CMurphi' else ' / B a state') for kind in kinds), *(f'{peer} over Spillway' for peer in self.peers)])
        for name in names:
            self.row(name)
        means = [f'{peer} {mean(self.times[peer]):.2f}' + ('' if peer == 'CMurphi' else f' / {mean(self.memory[peer]):.2f}') +
                 f' (models: {len(self.times[peer])})' for peer in self.peers]
        print('\nGeometric means over Spillway, time / memory: ' + ', '.join(means) + '\n' + self.turns.said())


def main():
    parser = arguments_for(__doc__, [])
    parser.add_argument('table', choices=PEERS)
    cmurphi.add_options(parser)
    ltsmin.add_options(parser)
    parser.add_argument('--peers', type=pathlib.Path, default=ROOT / 'build/peers', help='where they compile models')
    parser.add_argument('--prepare', action='store_true')
    parser.add_argument('--again', type=int, default=3)
    arguments = parser.parse_args()
    needed = {'murphi': 'mu', 'wide': 'dve2lts'}.get(arguments.table)
    if needed and getattr(arguments, needed) is None:
        parser.error(f'{arguments.table} needs --{needed}')
    if arguments.dve2lts and not arguments.divine:
        parser.error('--dve2lts needs --divine')
    arguments.peers.mkdir(parents=True, exist_ok=True)
    names = {'murphi': list(MURPHI), 'dve': DVE, 'wide': WIDE}[arguments.table]
    names = [name for name in arguments.models.split(',') if name] or names
    table = Table(arguments)
    if not arguments.prepare:
        return table.print(names)
    for name in names:
        table.kinds(name)


if __name__ == '__main__':
    main()
