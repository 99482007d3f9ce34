"""The site is built without a warning, and its pages hang together.

    site_test.py

Every link inside of the site leads to a page or file and to a place on it, nothing is loaded from elsewhere, every page
of the manual and the design is in the navigation, and no page shows what Markdown should have turned into something else.
"""

import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

SOURCE = pathlib.Path(__file__).resolve().parents[2]


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.places, self.text = [], [], set(), []
        self.code = 0
        self.article = 0
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.places.update(value for name, value in attributes if name in ("id", "name"))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        for name in ("src", "href"):
            if given.get(name) and tag in ("script", "img", "link", "iframe") and given.get("rel") != "canonical":
                self.loaded.append(given[name])
        self.code += tag in ("pre", "code")
        self.article += tag == "article"

    def handle_endtag(self, tag):
        self.code -= tag in ("pre", "code")
        self.article -= tag == "article"

    def handle_data(self, data):
        if self.article and not self.code:
            self.text.append(data)


def faults_of(site):
    pages = {path: Page(path) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}
    if len(pages) < 50:
        yield f"only {len(pages)} pages"
    for path, page in pages.items():
        name = path.relative_to(site)
        for target in page.links + page.loaded:
            address = urllib.parse.urlsplit(target)
            if address.scheme or address.netloc:
                if target in page.loaded and address.scheme != "data":
                    yield f"{name}: loads {target}"
                continue
            there = (path.parent / urllib.parse.unquote(address.path)).resolve() if address.path else path
            if not there.is_file():
                yield f"{name}: the link to {target} leads nowhere"
            elif address.fragment and there in pages and urllib.parse.unquote(address.fragment) not in pages[there].places:
                yield f"{name}: {target}: there is no such place on the page"
        for found in re.findall(r"```.*|^\|.*\|$|^ *- .*|\]\([^)]*\)|\*\*.*", "".join(page.text), re.MULTILINE):
            yield f"{name}: not turned into HTML: {found}"
    for source in [*SOURCE.glob("docs/manual/*.md"), *SOURCE.glob("docs/design/*.md")]:
        place = source.relative_to(SOURCE / "docs").with_suffix(".html")
        if str(place) not in (site / "index.html").read_text(encoding="utf-8"):
            yield f"{place} is not in the navigation: add it to mkdocs.yml"


def main():
    if not shutil.which("mkdocs"):
        sys.exit("mkdocs is not installed" if os.environ.get("CI") == "true" else 0)
    with tempfile.TemporaryDirectory(prefix="spillway-site-") as folder:
        site = pathlib.Path(folder).resolve()
        subprocess.run([SOURCE / "scripts/site/build", site], check=True)
        faults = list(faults_of(site))
    print("\n".join(faults))
    sys.exit(f"{len(faults)} faults" if faults else 0)


main()
