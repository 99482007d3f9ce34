#!/usr/bin/env python3
"""Fail if a folder of src/ includes a folder that it does not DEPEND on, directly or not, if the folders
depend on each other in a circle, if a heavy header is included outside the files that may, or if a source does
not include its own header first (which shows that the header can be included alone)."""
import pathlib
import re
import sys

HEAVY = {  # header -> the only files that may include it: it costs seconds to compile
    'CLI/': {'cli/options.cc'},
    'nlohmann/': {'report/json.cc', 'report/status.cc'},
}


def dependencies(src):
    needs = {}
    for file in src.glob('*/CMakeLists.txt'):
        call = re.search(r'spillway_module\((\w+)(.*?)\)', file.read_text(), re.S)
        if not call:
            sys.exit(f'{file}: no spillway_module()')
        depends = re.search(r'DEPENDS((?:\s+[a-z]+)*)', call[2])
        needs[call[1]] = set(depends[1].split()) if depends else set()
    return needs


def reachable(needs, module, path=()):
    if module in path:
        sys.exit(f'the folders depend on each other in a circle: {" -> ".join((*path, module))}')
    return {module}.union(*(reachable(needs, d, (*path, module)) for d in needs[module]))


def main():
    src = pathlib.Path(sys.argv[1])
    needs = dependencies(src)
    bad = [f'src/{m}: a folder without CMakeLists.txt' for m in {f.name for f in src.iterdir() if f.is_dir()} - set(needs)]
    for module in needs:
        allowed = reachable(needs, module)
        for file in sorted((src / module).rglob('*.[ch]*')):
            text = file.read_text()
            name = file.relative_to(src).as_posix()
            for folder in re.findall(r'#include "(\w+)/', text):
                if folder in needs and folder not in allowed:
                    bad.append(f'{name}: {module} must not include {folder}')
            own = file.with_suffix('.h')
            first = re.search(r'#include\s+(\S+)', text)
            if file.suffix == '.cc' and own.exists() and (not first or first[1] != f'"{own.relative_to(src).as_posix()}"'):
                bad.append(f'{name}: the first include must be its own header')
            for header, users in HEAVY.items():
                if f'#include <{header}' in text and name not in users:
                    bad.append(f'{name}: only {", ".join(sorted(users))} may include <{header}...>')
    print('\n'.join(bad), end='\n' if bad else '')
    return bool(bad)


sys.exit(main())
