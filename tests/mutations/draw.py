"""Mutations that nobody has thought of: drawn from the sources.

They show how much is noticed, not whether one bug is.  Each is tried with the tests of its folder.
"""
import collections
import pathlib
import random
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONG = 150  # lines
GRAPHS = 'RC_PARAMS=max_success=300 '
PYTHON = 'python3 -B ../tests/'
PROGRAM = ' ./spillway ./models'


def cli(*names):
    return [('spillway', f'{PYTHON}cli/{name}_test.py{PROGRAM}') for name in names]


def program(name, graphs=False):
    return (name, f'{GRAPHS if graphs else ""}./{name}')


def reference(language):
    return ('spillway', f'{PYTHON}reference/compare.py {language} --spillway ./spillway --compile-every 0 --count 300')


SHARED = ('oracle_ranks', 'RC_PARAMS=max_success=60 ./oracle_ranks --gtest_filter=-*Deep*')
SHARED_LIVENESS = ('oracle_ranks_liveness', 'RC_PARAMS=max_success=40 ./oracle_ranks_liveness')

# Folder -> (target, test), tried in this order until one notices.  The longest folder counts.
TESTS = {
    'src/algorithms': [program('oracle_ram', True), *cli('verdicts')],
    'src/base': [program('unit_base'), *cli('hostile_names', 'verdicts')],
    'src/check': [program('unit_check'), program('gate'), program('oracle_ram', True), *cli('verdicts', 'formulas', 'runs')],
    'src/check/durable': [program('unit_check'), ('oracle_durable', 'RC_PARAMS=max_success=60 ./oracle_durable'),
                          program('oracle_run_directory'), *cli('runs')],
    'src/check/facts': [program('unit_check'), program('gate'), *cli('verdicts')],
    'src/check/graph': [program('unit_check'), program('oracle_products', True), program('oracle_ctl', True), SHARED_LIVENESS],
    'src/check/ranks': [program('unit_check'), SHARED, SHARED_LIVENESS],
    'src/check/session': [program('unit_check'), program('oracle_ram', True), *cli('limits')],
    'src/check/trace': [program('unit_check'), program('oracle_ram', True), program('oracle_shortest_lasso', True), *cli('trace')],
    'src/cli': [program('unit_cli'), *cli('verdicts', 'runs', 'explore', 'suite', 'errors', 'simulate')],
    'src/directory': [program('unit_directory'), ('spillway', f'{PYTHON}rundirs/crafted_test.py{PROGRAM}'), *cli('runs')],
    'src/io': [program('unit_io'), program('oracle_run_directory')],
    'src/language': [program('unit_language'), *cli('diagnostics')],
    'src/language/dve': [program('unit_language'), reference('dve')],
    'src/language/murphi': [program('unit_language'), reference('murphi')],
    'src/ltl': [program('unit_ltl'), program('oracle_ltl', True)],
    'src/model': [program('unit_model'), *cli('verdicts')],
    'src/mpi': [('spillway mpi_ranks spillway_mpi_plugin', 'ctest -R "^mpi.ranks_[23]$" --no-tests=error --timeout 120')],
    'src/net': [program('unit_net'), SHARED],
    'src/open': [program('unit_open'), *cli('formulas')],
    'src/papers': [program('unit_search'), program('unit_storage'), program('oracle_papers', True)],
    'src/papers/cycles': [program('unit_hash_sorting'), program('oracle_disk_cycles', True), program('oracle_perfect_hash', True)],
    'src/papers/depth_first': [program('unit_depth_first_runs'), program('oracle_acceptance', True)],
    'src/passes': [program('unit_passes'), program('oracle_products', True)],
    'src/product': [program('oracle_product', True), program('oracle_products', True)],
    'src/program': [program('unit_program'), program('oracle_program', True), reference('murphi')],
    'src/report': [program('unit_report'), *cli('trace', 'verdicts', 'events')],
    'src/search': [program('unit_search'), program('oracle_ram', True), program('oracle_sorted_runs', True)],
    'src/search/cycles': [program('oracle_products', True), program('oracle_shortest_lasso', True)],
    'src/serve': [program('unit_serve')],
    'src/storage': [program('unit_storage'), program('oracle_sorted_runs', True)],
    'src/suite': cli('suite'),
}

# What begins a line that is no statement to be left out: without it nothing compiles, or nothing changes.
NO_STATEMENT = re.compile(r'\s*(return|break|continue|throw|using|.*prefetch|case|default|goto|static|const|auto|else|for|if|while|SPILLWAY_CHECK|delete)\b')
STATEMENT = re.compile(r'^ +(?:\+\+|--)?[A-Za-z_][\w.:>\-\[\]*]*(?:\(.*\)| [-+*/|&^]?= .*|\+\+|--)?;$')
BOUNDS = {' < ': ' <= ', ' <= ': ' < ', ' > ': ' >= ', ' >= ': ' > ', ' == ': ' != ', ' != ': ' == '}

Drawn = collections.namedtuple('Drawn', 'name file begin end replacement')


def long_files():
    return [str(path.relative_to(ROOT)) for path in sorted((ROOT / 'src').rglob('*.[ch]*'))
            if path.suffix in ('.cc', '.h') and path.read_text().count('\n') > LONG]


def tests_of(file):
    return TESTS[max((name for name in TESTS if file.startswith(name + '/')), key=len)]


def closing(text, at):
    """Where the parenthesis at `at` closes."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == '(') - (text[i] == ')')
        if depth == 0:
            return i
    return None


def candidates(file):
    text = (ROOT / file).read_text()
    offset = 0
    for line in text.splitlines(keepends=True):
        bare = line.rstrip('\n')
        number = text.count('\n', 0, offset) + 1
        if bare.lstrip().startswith(('//', '#')) or '"' in bare and '//' in bare:
            offset += len(line)
            continue
        for found in re.finditer(r'\b(?:if|while) \(', bare):
            at = offset + found.end() - 1
            end = closing(text, at)
            if end is not None and ';' not in text[at:end] and '//' not in text[at:end]:
                yield Drawn(f'{file}:{number}: the opposite of {" ".join(text[at:end + 1].split())}', file, at, end + 1,
                            f'(!{text[at:end + 1]})')
        for found in re.finditer(r' (?:<=|>=|==|!=|<|>) ', bare):
            if 'template' not in bare and 'operator' not in bare and '"' not in bare:
                yield Drawn(f'{file}:{number}: {bare.strip()}: not{found[0]}but{BOUNDS[found[0]]}', file,
                            offset + found.start(), offset + found.end(), BOUNDS[found[0]])
        if STATEMENT.match(bare) and not NO_STATEMENT.match(bare):
            begin = offset + len(bare) - len(bare.lstrip())
            yield Drawn(f'{file}:{number}: without {bare.strip()}', file, begin, offset + len(bare), ';')
        offset += len(line)


def drawn(count, seed, fits):
    """So many of all files that are long: first a file, then a place in it, so that no file counts for more."""
    by_file = {file: found for file in long_files() if fits(file) and (found := list(candidates(file)))}
    chance = random.Random(seed)
    chosen = []
    while by_file and len(chosen) < count:
        file = chance.choice(sorted(by_file))
        chosen.append(by_file[file].pop(chance.randrange(len(by_file[file]))))
        if not by_file[file]:
            del by_file[file]
    return chosen
