"""What the result of a mutation depends on: the text around it, and the tests that are to notice it."""
import hashlib
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def digest(*parts):
    return hashlib.sha256('\0'.join(parts).encode()).hexdigest()[:16]


def function_at(source, begin, end):
    """The text from the end of what stands before, at the left margin, to the brace that closes this there.  In sources
    that clang-format has written that is a function, or a class, with what was declared since the last one."""
    lines = source.splitlines(keepends=True)
    first, last = source[:begin].count('\n'), source[:end].count('\n')
    while first > 0 and not re.match(r'[}#]|namespace\b', lines[first - 1]):
        first -= 1
    while last < len(lines) - 1 and not lines[last].startswith('}'):
        last += 1
    return ''.join(lines[first:last + 1])


def with_what_they_need(paths):
    """Files, and those of the tests that they include or import, and so on."""
    known, left = set(), list(paths)
    while left:
        path = left.pop()
        if path in known or not path.is_file():
            continue
        known.add(path)
        text = path.read_text(errors='replace')
        for name in re.findall(r'^#include "([^"]+)"', text, re.MULTILINE):
            left += [path.parent / name, ROOT / 'tests' / name]
            left += [(path.parent / name).with_suffix('.cc'), (ROOT / 'tests' / name).with_suffix('.cc')]
        for name in re.findall(r'^(?:import|from) (\w+)', text, re.MULTILINE):
            left.append(path.parent / f'{name}.py')
    return known


def sources_of_targets():
    """Test program -> its sources."""
    targets = {}
    for file in sorted((ROOT / 'tests').rglob('CMakeLists.txt')):
        for kind, name, rest in re.findall(r'\b(spillway_test|spillway_random_graphs)\((\w+)(.*?)\)', file.read_text(), re.DOTALL):
            target = name if kind == 'spillway_test' else f'oracle_{name}'
            targets.setdefault(target, []).extend(file.parent / word for word in re.findall(r'\S+\.cc\b', rest))
    return targets


class Digests:
    def __init__(self):
        self.targets = sources_of_targets()
        self.of_tests = {}

    def of_test(self, target, test):
        if (target, test) not in self.of_tests:
            paths = [ROOT / 'tests' / name for name in re.findall(r'\.\./tests/(\S+\.py)', test)]
            for program in re.findall(r'\./(\w+)', test):
                paths += self.targets.get(program, [])
            files = sorted(with_what_they_need(paths))
            self.of_tests[target, test] = digest(target, test, *(file.read_text(errors='replace') for file in files))
        return self.of_tests[target, test]

    def of(self, mutation, place, source):
        """Another one as soon as the result of the mutation may be another."""
        is_cpp = mutation.file.endswith(('.cc', '.h'))
        text = function_at(source, place.start(), place.end()) if is_cpp else source
        return digest(*mutation, text, self.of_test(mutation.target, mutation.test))
