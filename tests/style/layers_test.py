#!/usr/bin/env python3
"""The layer check refuses what it should: run on small trees made for the purpose."""
import pathlib
import subprocess
import sys
import tempfile

CHECKER = sys.argv[1]

CASES = [  # (name, {file: text}, accepted)
    ('an include along an arrow', {'base/CMakeLists.txt': 'spillway_module(base SOURCES a.cc)', 'base/a.h': '',
                                   'run/CMakeLists.txt': 'spillway_module(run DEPENDS base)', 'run/b.cc': '#include "base/a.h"'}, True),
    ('an include against an arrow', {'base/CMakeLists.txt': 'spillway_module(base SOURCES a.cc)', 'base/a.cc': '#include "run/b.h"',
                                     'run/CMakeLists.txt': 'spillway_module(run DEPENDS base)', 'run/b.h': ''}, False),
    ('a circle', {'base/CMakeLists.txt': 'spillway_module(base DEPENDS run)', 'run/CMakeLists.txt': 'spillway_module(run DEPENDS base)'}, False),
    ('an arrow through another folder', {'base/CMakeLists.txt': 'spillway_module(base)', 'base/a.h': '',
                                         'model/CMakeLists.txt': 'spillway_module(model DEPENDS base)',
                                         'run/CMakeLists.txt': 'spillway_module(run DEPENDS model)', 'run/b.cc': '#include "base/a.h"'}, True),
    ('a heavy header where it must not be', {'base/CMakeLists.txt': 'spillway_module(base)', 'base/a.cc': '#include <CLI/App.hpp>'}, False),
    ('a source that includes its own header first', {'base/CMakeLists.txt': 'spillway_module(base)', 'base/a.h': '', 'base/b.h': '',
                                                     'base/a.cc': '#include "base/a.h"\n#include "base/b.h"'}, True),
    ('a source that includes its own header later', {'base/CMakeLists.txt': 'spillway_module(base)', 'base/a.h': '', 'base/b.h': '',
                                                     'base/a.cc': '#include "base/b.h"\n#include "base/a.h"'}, False),
    ('rooms of a folder', {'keep/CMakeLists.txt': 'add_subdirectory(a)\nadd_subdirectory(b)', 'keep/a/CMakeLists.txt': 'spillway_module(keep_a)', 'keep/a/a.h': '',
                           'keep/b/CMakeLists.txt': 'spillway_module(keep_b DEPENDS keep_a)', 'keep/b/b.cc': '#include "keep/a/a.h"'}, True),
    ('an include of a room against an arrow', {'keep/CMakeLists.txt': 'add_subdirectory(a)\nadd_subdirectory(b)',
                                               'keep/a/CMakeLists.txt': 'spillway_module(keep_a)', 'keep/a/a.cc': '#include "keep/b/b.h"',
                                               'keep/b/CMakeLists.txt': 'spillway_module(keep_b DEPENDS keep_a)', 'keep/b/b.h': ''}, False),
    ('a file beside the rooms', {'keep/CMakeLists.txt': 'add_subdirectory(a)', 'keep/a/CMakeLists.txt': 'spillway_module(keep_a)', 'keep/b.h': ''}, False),
    ('a module that is not called after its folder', {'base/CMakeLists.txt': 'spillway_module(other)'}, False),
    ('a folder that is no module', {'base/CMakeLists.txt': 'spillway_module(base)', 'stray/a.cc': ''}, False),
]


def accepted(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return subprocess.run([sys.executable, CHECKER, folder], capture_output=True, check=False).returncode == 0


failed = [name for name, files, wanted in CASES if accepted(files) != wanted]
for name in failed:
    print(f'the layer check is wrong about {name}')
print(f'{len(CASES) - len(failed)} passed, {len(failed)} failed')
sys.exit(bool(failed))
