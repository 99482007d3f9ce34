"""The models that searches are measured on, and where they lie."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEEM = 'models/beem/dve/{}.dve'
# name -> file (below the shared models, the build or the project), options
MODELS = {
    'peterson 6': ('build:models/peterson_6.so', ()),
    'tiles 3x4': ('build:models/tiles_3x4.so', ()),
    'tiles 3x5': ('build:models/tiles_3x5_alike.so', ()),
    'tiles 3x5 five': ('build:models/tiles_3x5_five.so', ()),
    'philosophers 20': ('root:examples/philosophers/philosophers.m', ('--const', 'PHILOSOPHERS=20', '--const', 'LEFT_HANDED=1', '--symmetry=off')),
    'peterson_n 7': ('root:examples/peterson_n/peterson_n.m', ('--const', 'PROCESSES=7', '--symmetry=off')),
    'peterson_n 8': ('root:examples/peterson_n/peterson_n.m', ('--const', 'PROCESSES=8', '--symmetry=off')),
    'german 5': ('root:examples/german/german.m', ('--const', 'NODES=5', '--symmetry=off')),
    'lamport.7': ('shared:' + BEEM.format('lamport.7'), ('--deadlock=off',)),
    'peterson.5': ('shared:' + BEEM.format('peterson.5'), ('--deadlock=off',)),
    'szymanski.5': ('shared:' + BEEM.format('szymanski.5'), ('--deadlock=off',)),
    'collision.4': ('shared:' + BEEM.format('collision.4'), ('--deadlock=off',)),
    'philosophers 19': ('root:examples/philosophers/philosophers.m', ('--const', 'PHILOSOPHERS=19', '--const', 'LEFT_HANDED=1')),
    'ring election 7': ('root:examples/ring_election/ring_election.m', ('--const', 'NODES=7')),
    'peterson 5': ('build:models/peterson_5.so', ()),
    'newlist6 C6': ('shared:models/murphi/scaled/newlist6_C6.m', ('--symmetry=off',)),
    'ldash': ('shared:models/murphi/cmurphi/dash_ldash.m', ('--symmetry=off',)),
    'cache3': ('shared:models/murphi/cmurphi/sym_cache3.m', ('--symmetry=off',)),
    'german N3': ('shared:models/murphi/scaled/german_N3.m', ('--symmetry=off',)),
    'extinction.4': ('shared:' + BEEM.format('extinction.4'), ('--deadlock=off',)),
    'leader_election.5': ('shared:' + BEEM.format('leader_election.5'), ('--deadlock=off',)),
    'peterson.2': ('shared:' + BEEM.format('peterson.2'), ('--deadlock=off',)),
    'peterson_n 5': ('root:examples/peterson_n/peterson_n.m', ('--const', 'PROCESSES=5', '--symmetry=off')),
    'lamport.5': ('shared:' + BEEM.format('lamport.5'), ('--deadlock=off',)),
}


def find(name, build, shared):
    """The file of a model and the options that belong to it."""
    where, _, path = MODELS[name][0].partition(':')
    return {'build': build, 'shared': shared, 'root': ROOT}[where] / path, MODELS[name][1]
