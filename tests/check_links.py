#!/usr/bin/env python3
"""Checks the links of the documentation that `cargo doc` has written: each relative link has a file, and each fragment an
element with that id.

    tests/check_links.py [FOLDER]

FOLDER is `target/doc` unless given. Links to other hosts are not followed. A crate's documentation links to that of another crate only if the other one
was there before, so the crates have to be documented in the order of their dependencies.
"""

import html.parser
import pathlib
import sys
import urllib.parse


# What the documentation of other crates, repeated at our types, links to.
OTHERS = ("dispatcher#setting-the-default-subscriber", "Self::", "crate#", "crate::Span", "super::Span", "super::Subscriber", "#tymethod.serialize_")


class Page(html.parser.HTMLParser):
    """The ids and the links of a page, and where it has moved to."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.moved_to = set(), [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.update(filter(None, (attributes.get("id"), attributes.get("name"))))
        if attributes.get("href"):
            self.links.append(attributes["href"])
        if attributes.get("http-equiv") == "refresh":
            self.moved_to = attributes["content"].partition("URL=")[2]


def main():
    target = pathlib.Path(__file__).resolve().parent.parent / "target"
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else target / "doc"
    files = sorted(file for file in root.rglob("*.html") if file.relative_to(root).parts[0] not in ("src", "static.files", "help.html", "settings.html"))
    if not files:
        sys.exit(f"no documentation in {root}: run cargo doc")
    pages, problems, links = {}, [], 0

    def page(file):
        if file not in pages:
            pages[file] = Page(file.read_text(encoding="utf-8"))
        return pages[file]

    for file in files:
        name = file.relative_to(root)
        for link in page(file).links:
            url = urllib.parse.urlsplit(link)
            if url.scheme in ("http", "https") or link.startswith(OTHERS):
                continue
            links += 1
            goal = (file.parent / urllib.parse.unquote(url.path)).resolve() if url.path else file
            if goal.is_dir():
                goal /= "index.html"
            while goal.suffix == ".html" and goal.is_file() and page(goal).moved_to:
                goal = (goal.parent / page(goal).moved_to).resolve()
            fragments = {url.fragment, urllib.parse.unquote(url.fragment)}
            if not goal.is_file():
                problems.append(f"{name}: {link} is no file")
            elif url.fragment and goal.suffix == ".html" and "/src/" not in goal.as_posix() and not fragments & page(goal).ids:
                problems.append(f"{name}: {link} has no such element")
    print("\n".join(problems))
    print(f"{links} links in {len(files)} pages, {len(problems)} problems")
    sys.exit(bool(problems))


main()
