"""Many mutations in one copy of the sources: each is another body of its function, which a variable of the environment
chooses.  So nothing is compiled for one of them, and what was not chosen changes nothing."""
import bisect
import collections
import re
import zlib

VARIABLE = 'SPILLWAY_MUTANT'
HEADER = f'''#ifdef __cplusplus
#include <cstdlib>
inline const long spillway_mutant = std::getenv("{VARIABLE}") ? std::atol(std::getenv("{VARIABLE}")) : 0;
#endif
'''

Variant = collections.namedtuple('Variant', 'mutation begin end text')  # of the source, and what stands there instead

WORDS = re.compile(r"""
    //[^\n]* | /\*.*?\*/ | R"(?P<mark>[^(]*)\(.*?\)(?P=mark)" | "(?:\\.|[^"\\])*" | \b\d[\w.']* | '(?:\\.|[^'\\])+'
    | ^[ ]*\#(?:[^\n]*\\\n)*[^\n]*""", re.VERBOSE | re.DOTALL | re.MULTILINE)


def number_of(mutation):
    """The same as long as the mutation is."""
    return zlib.crc32(repr(tuple(mutation)).encode()) or 1


def bare(source):
    """As long as the source, but with blanks instead of comments, texts, and lines of the preprocessor."""
    return WORDS.sub(lambda found: re.sub(r'[^\n]', ' ', found[0]), source)


def outside_parentheses(text):
    while (inner := re.sub(r'\([^()]*\)', '', text)) != text:
        text = inner
    return text


def kind_of(head, outer):
    """What begins with a brace after this."""
    head = re.sub(r'\boperator\S+?(?=\()', 'operator', head.strip())
    if outer not in ('file', 'namespace', 'class'):
        return 'inner'
    if re.search(r'\bnamespace\b|\bextern\s*$', head):
        return 'namespace'
    if re.match(r'(?:\w+:\s*)*(?:template\s*<.*>\s*)?(?:class|struct|union|enum)\b', head, re.DOTALL):
        return 'class'
    is_function = re.search(r'(?:\)|\b(?:const|noexcept|override|final)|->\s*[\w:<>,&*\s]+)$', head) and \
        not re.search(r'(?<![=!<>])=(?!=)', outside_parentheses(head))
    # Nothing of the environment is known to the compiler.
    return 'function' if is_function and not re.search(r'\bconst(?:expr|eval)\b', head) else 'inner'


def bodies(source):
    """Where the bodies of functions are: from behind the brace to the other one."""
    text = bare(source)
    found, open_blocks, head, depth = [], [('file', 0, 0, 0)], 0, 0
    for place in re.finditer(r'[{}();]', text):
        at, sign = place.start(), place[0]
        if sign in '()':
            depth += 1 if sign == '(' else -1
        elif sign == ';' and depth == 0:
            head = at + 1
        elif sign == '{':
            kind = 'inner' if depth else kind_of(text[head:at], open_blocks[-1][0])
            open_blocks.append((kind, at + 1, head, depth))
            head, depth = at + 1, 0
        elif sign == '}':
            kind, begin, before, depth = open_blocks.pop()
            if kind == 'function':
                found.append((begin, at))
            head = before if kind == 'inner' else at + 1
    return sorted(found)


def is_whole(text):
    return bare(text).count('{') == bare(text).count('}')


class File:
    """A source with its variants.  `others` do not fit into the body of a function."""

    def __init__(self, source, variants):
        self.source, self.others = source, []
        self.bodies = bodies(source)
        self.of_body = collections.defaultdict(list)
        for variant in variants:
            i = bisect.bisect_right(self.bodies, (variant.begin, len(source))) - 1
            fits = i >= 0 and variant.end <= self.bodies[i][1] and is_whole(self.body_with(i, variant))
            (self.of_body[i] if fits else self.others).append(variant)

    def body_with(self, i, variant):
        begin, end = self.bodies[i]
        return self.source[begin:variant.begin] + variant.text + self.source[variant.end:end]

    def text(self, without=()):
        """The source with all of them, and the lines of each: [(first, last, mutation)]."""
        written, lines, done = [], [], 0
        for i in sorted(self.of_body):
            begin, end = self.bodies[i]
            written.append(self.source[done:begin])
            for variant in self.of_body[i]:
                if variant.mutation in without:
                    continue
                first = 1 + sum(part.count('\n') for part in written)
                written.append(f'if (spillway_mutant == {number_of(variant.mutation)}) {{{self.body_with(i, variant)}\n}} else ')
                lines.append((first, first + written[-1].count('\n'), variant.mutation))
            written.append(f'{{{self.source[begin:end]}\n}}\n')
            done = end
        return ''.join(written) + self.source[done:], lines


def culprits(output, lines_of):
    """The mutations that a compiler complains about.  `lines_of`: name of a file -> lines of its mutations."""
    found = set()
    for name, line in re.findall(r'^(?:In file included from )?[^\s:]*?((?:src|include)/[\w./]+):(\d+):', output, re.MULTILINE):
        found |= {mutation for first, last, mutation in lines_of.get(name, ()) if first <= int(line) <= last}
    return found
