#!/usr/bin/env python3
"""Counts what a user of each library has to learn, by the texts of its public API in `api/`.

    tests/count_api.py            # as the texts are in the work tree
    tests/count_api.py REVISION   # as they were at a revision
    tests/count_api.py --list NAME [REVISION]   # the names that are counted, of one library

- types: structs, enums and unions
- traits
- functions: free ones and methods, without those of traits
- settings: functions that take `self` or `&mut self` and return it, to be chained
"""

import re
import subprocess
import sys
from pathlib import Path

API = Path(__file__).resolve().parent.parent / "api"
KINDS = ["types", "traits", "functions", "settings"]

ATTRIBUTES = r"(?:#\[[^\]]*\] )*pub (?:const |async |unsafe )*"
ITEM = re.compile(ATTRIBUTES + r"(struct|enum|union|trait|fn|mod) ([^(]*)")
SETTING = re.compile(r"\((?:&mut self|self)(?:, .*)?\) -> (?:&mut Self|Self|[\w:]*Result<Self>)(?: where .*)?$")


def texts(revision):
    """The names of the libraries, with the texts of their API."""
    if not revision:
        return {path.stem: path.read_text() for path in sorted(API.glob("sitemap-*.txt"))}
    git = ["git", "-C", str(API.parent)]
    listed = subprocess.run([*git, "ls-tree", "--name-only", revision, "api/"], check=True, capture_output=True, text=True)
    paths = [path for path in listed.stdout.split() if path.startswith("api/sitemap-")]
    show = lambda path: subprocess.run([*git, "show", f"{revision}:{path}"], check=True, capture_output=True, text=True).stdout
    return {Path(path).stem: show(path) for path in paths}


def without_generics(path):
    while (shorter := re.sub(r"<[^<>]*>", "", path.replace("->", ""))) != path:
        path = shorter
    return path.split("<")[0].split(":  ")[0]


def counted(text):
    """The names of each kind. An item that is exported twice has the same last name in the same type, and counts once."""
    found = {kind: set() for kind in KINDS}
    is_of_trait = False
    crate = None
    for line in text.splitlines():
        if line.startswith("impl"):
            is_of_trait = " for " in re.sub(r"\bfor<", "<", line)
            continue
        item = ITEM.match(line)
        if not item:
            continue
        what, path = item.groups()
        names = without_generics(path).split(": ")[0].strip().split("::")
        if what == "fn":
            # A free function stands after the items with methods, and is in a module, whose name is in lower case.
            is_free = names[0] == crate and names[-2].islower()
            if is_of_trait and not is_free:
                continue
            name = "::".join(names[1:] if is_free else names[-2:])
            found["functions"].add(name)
            if SETTING.search(line):
                found["settings"].add(name)
            continue
        is_of_trait = what == "trait"
        if is_of_trait:
            found["traits"].add(names[-1])
        elif what == "mod":
            crate = crate or names[0]
        else:
            found["types"].add(names[-1])
    return found


def main(arguments):
    if arguments[:1] == ["--list"]:
        found = counted(texts(arguments[2] if arguments[2:] else None)[arguments[1]])
        for kind in KINDS:
            print(f"{kind}: {len(found[kind])}", *sorted(found[kind]), sep="\n    ")
        return
    print(f"{'':<16}", *(f"{kind:>9}" for kind in KINDS))
    for library, text in texts(arguments[0] if arguments else None).items():
        found = counted(text)
        print(f"{library:<16}", *(f"{len(found[kind]):>9}" for kind in KINDS))


main(sys.argv[1:])
