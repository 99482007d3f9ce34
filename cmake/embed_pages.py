#!/usr/bin/env python3
"""embed_pages.py OUTPUT NAME=TEMPLATE...: HTML pages as constants of C++ (src/report/page/page_texts.h).

In a template, @@FILE@@ stands for the text of a file beside it, or below third_party, and @@DATA@@ for what the program
puts there.  A part that is HTML itself may have parts.  Each text is a literal of its own: compilers need not accept longer ones than 65,536 characters.
"""
import pathlib
import re
import sys

MOST = 60000


def literals(text):
    for begin in range(0, len(text), MOST):
        part = text[begin:begin + MOST]
        if ')page"' in part:
            sys.exit('a page must not contain )page"')
        yield f'    R"page({part})page",\n'


def text_of(name, folder):
    text = (folder / name).read_text(encoding='utf-8')
    if '</script' in text.lower() or '</style' in text.lower():
        sys.exit(f'{name}: it would end the element that it stands in')
    return text


def source_of(template):
    """With the parts that are HTML in their places."""
    text = template.read_text(encoding='utf-8')
    return re.sub(r'@@([\w-]+\.html)@@', lambda part: source_of(template.parent / part[1]), text)


def page(name, template):
    source = source_of(template)
    sides = source.split('@@DATA@@')
    if len(sides) != 2:
        sys.exit(f'{template}: there must be one @@DATA@@')
    code = ''
    for side, text in zip(('Before', 'After'), sides):
        code += f'constexpr std::string_view k{name}{side}[] = {{\n'
        for i, part in enumerate(re.split(r'@@([\w./-]+)@@', text)):
            code += ''.join(literals(text_of(part, template.parent) if i % 2 else part))
        code += '};\n'
    return code, f'const PageText k{name} = {{k{name}Before, k{name}After}};\n'


def main():
    pages = [page(name, pathlib.Path(file)) for name, file in (argument.split('=', 1) for argument in sys.argv[2:])]
    code = '// Made by cmake/embed_pages.py.\n#include "report/page/page_texts.h"\n\nnamespace spillway {\nnamespace {\n\n'
    code += ''.join(texts for texts, _ in pages) + '\n}  // namespace\n\n' + ''.join(constant for _, constant in pages)
    pathlib.Path(sys.argv[1]).write_text(code + '\n}  // namespace spillway\n', encoding='utf-8')


main()
