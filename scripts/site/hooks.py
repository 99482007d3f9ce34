"""What mkdocs does not know about our pages.

The pages are written for the repository: links go to files of any folder, and a fenced block may have the name of a file
(tests/documents/pages.py).  Here README.md, DESIGN.md, the examples and others become pages of the site, links are turned
to where their target is now, and search is made to work without a server.
"""

import json
import pathlib
import posixpath
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Files outside of docs/ that are pages, and what they are called in the site.
PAGES = {"README.md": "index.md", "DESIGN.md": "design/index.md", "CHANGES.md": "changes.md", "CONTRIBUTING.md": "contributing.md"}
HEADER = ("include/spillway/model_abi.h", "manual/model_abi.md")
LANGUAGES = {".c": "c", ".cc": "cpp"}
FENCE = re.compile(r"^```(\S*) (\S+)(?=\n)")
LINK = re.compile(r"\[([^\]]*)\]\(([^)#\s]*)(#[^)\s]*)?\)")  # also one whose text goes on in the next line


def example_folders():
    return sorted(path.parent for path in (ROOT / "examples").glob("*/README.md"))


def title(page):
    return page.read_text(encoding="utf-8").split("\n")[0].removeprefix("# ")


def place_in_site(path):
    """Where a file of the repository is in the site; None if it is not."""
    if path in PAGES:
        return PAGES[path]
    if path == HEADER[0]:
        return HEADER[1]
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path == "examples":
        return "examples/index.md"
    if path.startswith("examples/"):
        return f"examples/{path.split('/')[1]}.md"
    return None


def place_in_repository(place):
    """The inverse, for pages."""
    for path, page in PAGES.items():
        if page == place:
            return path
    if place == HEADER[1]:
        return HEADER[0]
    found = re.fullmatch(r"examples/(\w+)\.md", place)
    if found:
        return "examples/README.md" if found[1] == "index" else f"examples/{found[1]}/README.md"
    return f"docs/{place}"


def on_config(config):
    """Adds what need not be listed by hand."""
    evidence = sorted((ROOT / "docs/design/evidence").glob("*.md"))
    sections = {
        "Examples": [{"Examples": "examples/index.md"}]
                    + [{title(folder / "README.md"): f"examples/{folder.name}.md"} for folder in example_folders()],
        "Dated results": [{title(page): f"design/evidence/{page.name}"} for page in evidence],
    }
    fill(config["nav"], sections)
    return config


def fill(nav, sections):
    for entry in nav:
        for name, below in entry.items():
            if name in sections:
                entry[name] = sections[name]
            elif isinstance(below, list):
                fill(below, sections)


def on_files(files, config):
    for file in list(files):
        if file.src_uri.endswith(".scd"):
            files.remove(file)
    added = [*PAGES.values(), HEADER[1], "examples/index.md", *(f"examples/{folder.name}.md" for folder in example_folders())]
    for place in added:
        file = File(place, config["docs_dir"], config["site_dir"], config["use_directory_urls"])
        file.abs_src_path = str(ROOT / place_in_repository(place))
        files.append(file)
    return files


def on_page_read_source(page, config):
    if page.file.src_uri == HEADER[1]:
        return f"# The C interface\n\n```c model_abi.h\n{(ROOT / HEADER[0]).read_text(encoding='utf-8')}```\n"
    if page.file.src_uri != "examples/index.md":
        return None
    lines = [f"- [{title(folder / 'README.md')}]({folder.name}/README.md)" for folder in example_folders()]
    return "# Examples\n\nModels to read, to check and to change. Each says what to expect of it.\n\n" + "\n".join(lines) + "\n"


def on_page_markdown(markdown, page, config, files):
    path = place_in_repository(page.file.src_uri)
    if path.startswith("examples/") and path != "examples/README.md":
        markdown += models_of(ROOT / posixpath.dirname(path))
    pieces = re.split(r"(?m)^(```.*\n(?:.*\n)*?```)$", markdown)  # every other one is a fenced block
    for at, piece in enumerate(pieces):
        if at % 2:
            pieces[at] = FENCE.sub(r'```\1 title="\2"', piece)
        else:
            pieces[at] = LINK.sub(lambda link: turned(link, path), indented(piece))
    return "".join(pieces)


def indented(text):
    """What belongs to an item of a list, indented by four for each list around it, as this Markdown wants it."""
    lines, in_list = [], False
    for line in text.split("\n"):
        spaces = len(line) - len(line.lstrip(" "))
        if line.strip() and not spaces:
            in_list = re.match(r"(-|\d+\.) ", line) is not None
        if in_list and spaces > 1:
            line = "    " * (spaces // 2) + line.lstrip(" ")
        lines.append(line)
    return "\n".join(lines)


def models_of(folder):
    """The text of the models in an example, as blocks."""
    blocks = ["\n\n## The model\n"]
    for model in sorted(folder.iterdir()):
        if model.suffix in (".m", ".dve", ".c", ".cc"):
            blocks.append(f"```{LANGUAGES.get(model.suffix, 'text')} {model.name}\n{model.read_text(encoding='utf-8')}```\n")
    return "\n".join(blocks)


def turned(link, path):
    """A link of the page with this path in the repository, to where its target is in the site."""
    text, target, place = link[1], link[2], link[3] or ""
    if not target or "://" in target:
        return link[0]
    there = place_in_site(posixpath.normpath(posixpath.join(posixpath.dirname(path), target)))
    if not there:
        return text
    here = posixpath.dirname(place_in_site(path) if path != "examples/README.md" else "examples/index.md")
    return f"[{text}]({posixpath.relpath(there, here or '.')}{place})"


def on_post_page(output, page, config):
    """What the theme forgets: names of dialogs, blocks that scroll by keys, and the way home without a server."""
    for text, instead in (('data-md-component="search" role="dialog"', 'data-md-component="search" role="dialog" aria-label="Search"'),
                          ('class="md-search__scrollwrap"', 'class="md-search__scrollwrap" tabindex="0"')):
        assert text in output, f"the theme has changed: no {text}"
        output = output.replace(text, instead)
    output = re.sub(r'href="(\.|\.\.(?:/\.\.)*)"', r'href="\1/index.html"', output)  # a folder has no page without a server
    return re.sub(r"(<pre[^>]*>(?:<span></span>)?<code)", r'\1 tabindex="0"', output)


def on_post_build(config):
    """A page that no server delivers may load scripts only: so the index and the worker of the search become one."""
    site = pathlib.Path(config["site_dir"])
    [worker] = (site / "assets" / "javascripts" / "workers").glob("search.*.min.js")
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    code = re.sub(r"//# sourceMappingURL=.*", "", worker.read_text(encoding="utf-8"))
    (site / "assets" / "search.js").write_text(
        f"__search = {{index: Promise.resolve({json.dumps(index)}),\n"
        f"  worker: URL.createObjectURL(new Blob([{json.dumps(code)}], {{type: 'text/javascript'}}))}};\n", encoding="utf-8")
