#!/usr/bin/env python3
"""Fail if a folder of src/ includes a folder that it does not DEPEND on, directly or not, if the folders
depend on each other in a circle, if a room of a folder includes another one that ROOMS does not allow, if a heavy header is included outside the files that may, or if a source does
not include its own header first (which shows that the header can be included alone).

  check_layers.py src          checks
  check_layers.py src --plan   prints rooms, arrows between them, floors and circles, of src and of each wing in it
"""
import collections
import pathlib
import re
import sys

HEAVY = {  # header -> the only files that may include it: it costs seconds to compile
    'CLI/': {'cli/options/options.cc'},
    'boost/': {'serve/http_server.cc'},
    'toml++/': {'suite/manifest.cc'},
    'nlohmann/': {'report/coverage_json.cc', 'report/coverage_json.h', 'report/events.cc', 'report/progress/forecast_json.cc',
                  'report/progress/forecast_json.h', 'report/page/history.cc', 'report/json.cc', 'report/ranks_json.cc', 'report/ranks_json.h', 'report/page/report_html.cc', 'report/trace/saved_trace.cc',
                  'report/trace/trace_data.cc', 'report/trace/trace_data.h', 'report/page/trace_html.cc', 'report/trace/trace_itf.cc',
                  'suite/suite_reports.cc'},
}


def dependencies(src):
    """Of each module, which it may include.  A module is a folder, or a folder in a folder that is none:
    storage/runs is the module storage_runs."""
    needs, folders = {}, {}
    for file in sorted([*src.glob('*/CMakeLists.txt'), *src.glob('*/*/CMakeLists.txt')]):
        text = file.read_text()
        folder = file.parent.relative_to(src).as_posix()
        call = re.search(r'spillway_module\((\w+)(.*?)\)', text, re.S)
        if not call and not re.search(r'^add_subdirectory\(', text, re.M):
            sys.exit(f'{file}: no spillway_module()')
        if not call:
            continue
        if call[1] != folder.replace('/', '_'):
            sys.exit(f'{file}: the module of this folder is {folder.replace("/", "_")}, not {call[1]}')
        depends = re.search(r'DEPENDS((?:\s+[a-z_]+)*)', call[2])
        needs[call[1]] = set(depends[1].split()) if depends else set()
        folders[folder] = call[1]
    return needs, folders


def module_of(folders, name):
    """The module that a file belongs to, or None."""
    parts = name.split('/')
    return folders.get('/'.join(parts[:2])) or folders.get(parts[0])


def rooms_of(src, folders):
    """Of each module in whose folder there are more: room -> the rooms that it may include.  '.' is the folder itself."""
    found = {}
    for folder, module in folders.items():
        listed = re.search(r'ROOMS((?:\s+"[^"]*")*)', (src / folder / 'CMakeLists.txt').read_text())
        if listed:
            found[folder] = {'.': set()} | {name: set(needs.split()) for name, needs in re.findall(r'"([a-z_.]+):([^"]*)"', listed[1])}
    return found


def why_not_in_room(rooms, folder, name, include):
    """A file of this folder includes another one of it."""
    room, other = (pathlib.PurePath(file).relative_to(folder).parent.as_posix() for file in (name, include))
    if room == other:
        return None
    if room not in rooms[folder] or other not in rooms[folder]:
        return f'{name}: {folder}/CMakeLists.txt has no room {room if room not in rooms[folder] else other}'
    if other not in reachable(rooms[folder], room):
        return f'{name}: the room {room} of {folder} must not include {other}'
    return None


def reachable(needs, module, path=()):
    if module in path:
        sys.exit(f'the folders depend on each other in a circle: {" -> ".join((*path, module))}')
    return {module}.union(*(reachable(needs, d, (*path, module)) for d in needs[module]))


def arrows(folder, src, room_of):
    """Which rooms include which others: room -> rooms."""
    found = collections.defaultdict(set)
    for file in sorted(folder.rglob('*.[ch]*')):
        room = room_of(file.relative_to(src))
        found[room]
        for include in re.findall(r'#include "(\w+/[^"]*)"', file.read_text()):
            other = pathlib.PurePath(include)
            if (src / other).is_relative_to(folder) and (src / other).exists() and room_of(other) != room:
                found[room].add(room_of(other))
    return found


def plan(name, found):
    """One line.  A room is one floor above the highest that it includes; those in a circle have no floor."""
    floors = {}
    while ready := [room for room in found if room not in floors and all(other in floors for other in found[room])]:
        for room in ready:
            floors[room] = 1 + max((floors[other] for other in found[room]), default=0)
    circle = sorted(set(found) - set(floors))
    print(f'{name}: {len(found)} rooms, {sum(map(len, found.values()))} arrows, {max(floors.values(), default=0)} floors, '
          f'{len(circle)} rooms in circles or above them {" ".join(circle)}'.rstrip())


def print_plan(src):
    plan('src', arrows(src, src, lambda file: file.parts[0]))
    for wing in sorted(folder for folder in src.iterdir() if folder.is_dir() and any(folder.glob('*/*.h'))):
        plan(f'src/{wing.name}', arrows(wing, src, lambda file: file.parts[1] if len(file.parts) > 2 else '.'))
    for folder in sorted(folder for folder in src.rglob('*') if folder.is_dir()):
        if (count := sum(file.suffix in ('.h', '.cc') for file in folder.iterdir())) > 40:
            print(f'{folder}: {count} files')


def main():
    src = pathlib.Path(sys.argv[1])
    if '--plan' in sys.argv:
        return print_plan(src)
    needs, folders = dependencies(src)
    rooms = rooms_of(src, folders)
    folder_of = {module: folder for folder, module in folders.items()}
    bad = []
    for graph in (needs, *rooms.values()):
        for node in graph:
            reachable(graph, node)
    for file in sorted(src.glob('*/**/*.[ch]*')):
        text = file.read_text()
        name = file.relative_to(src).as_posix()
        module = module_of(folders, name)
        if module is None:
            bad.append(f'src/{name}: a file of no module')
            continue
        allowed = reachable(needs, module)
        for include in re.findall(r'#include "(\w+/[^"]*)"', text):
            other = module_of(folders, include)
            if other and other not in allowed:
                bad.append(f'{name}: {module} must not include {other}')
            elif other == module and (folder := folder_of[module]) in rooms and (why := why_not_in_room(rooms, folder, name, include)):
                bad.append(why)
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
