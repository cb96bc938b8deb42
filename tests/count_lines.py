#!/usr/bin/env python3
"""Counts the lines of code of each crate: neither blank lines nor comments nor tests.

    tests/count_lines.py            # the crates of the work tree
    tests/count_lines.py REVISION   # as they were at a revision
    tests/count_lines.py FOLDER...  # other crates, in folders outside of it

Tests are modules behind `#[cfg(test)]`, in the file or in one of their own.
"""

import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

CRATES = {
    "sitemap-serde with sitemap-values": ["sitemap-serde/src", "sitemap-values/src"],
    "sitemap-derive": ["sitemap-derive/src"],
    "sitemap-site": ["sitemap-site/src"],
    "sitemap-pages": ["sitemap-pages/src"],
    "sitemap-tree": ["sitemap-tree/src"],
    "sitemap-submit": ["sitemap-submit/src"],
    "sitemap-cli": ["sitemap-cli/src"],
    "integrations": ["integrations"],
}

STRING = re.compile(r'b?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?\'(?:\\.[^\']*|[^\'\\])\'', re.S)


def git(*arguments):
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout


def paths(folders, revision):
    if revision:
        return git("ls-tree", "-r", "--name-only", revision, "--", *folders).splitlines()
    if any(Path(folder).is_absolute() for folder in folders):
        return [str(path) for folder in folders for path in sorted(Path(folder).rglob("*.rs"))]
    return git("ls-files", "--", *folders).splitlines()


def files(folders, revision):
    """The Rust files of some folders, without those of tests and examples, with their texts."""
    for path in paths(folders, revision):
        parts = PurePosixPath(path).parts
        if path.endswith(".rs") and "src" in parts and "examples" not in parts:
            if revision:
                yield path, git("show", f"{revision}:{path}")
            else:
                with open(path, encoding="utf-8") as file:
                    yield path, file.read()


def without_comments(text):
    """The text with the contents of literals replaced, and without comments."""
    out, at = [], 0
    token = re.compile(r"//[^\n]*|/\*|" + STRING.pattern, re.S)
    while found := token.search(text, at):
        out.append(text[at:found.start()])
        at = found.end()
        if found[0].startswith("//"):
            continue
        if found[0] == "/*":
            depth = 1
            while depth and (mark := re.compile(r"/\*|\*/").search(text, at)):
                depth += 1 if mark[0] == "/*" else -1
                at = mark.end()
            out.append("\n" * text.count("\n", found.start(), at))
            continue
        # A literal counts by its lines, whatever they contain.
        out.append("\n".join('""' for _ in found[0].split("\n")))
    out.append(text[at:])
    return "".join(out)


def parted(code):
    """The code with blank lines for its modules of tests, and the names of those in files of their own."""
    names = []
    while found := re.search(r"#\[cfg\((?:test|all\(test[^\]]*)\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?(?:mod\s+(\w+)\s*(;|\{))", code):
        end = found.end()
        if found[2] == ";":
            names.append(found[1])
        else:
            depth = 1
            while depth:
                depth += {"{": 1, "}": -1}.get(code[end], 0)
                end += 1
        code = code[: found.start()] + "\n" * code.count("\n", found.start(), end) + code[end:]
    return code, names


def module_folder(path):
    path = PurePosixPath(path)
    return path.parent if path.name in ("lib.rs", "main.rs", "mod.rs") else path.with_suffix("")


def code_lines(folders, revision=None):
    """The lines of code of each file that is not a test, by their numbers."""
    code, tests = {}, set()
    for path, text in files(folders, revision):
        code[path], names = parted(without_comments(text))
        tests.update(str(module_folder(path) / name) for name in names)
    is_test = lambda path: any(path == f"{test}.rs" or path.startswith(f"{test}/") for test in tests)
    return {path: {number for number, line in enumerate(text.split("\n"), 1) if line.strip()} for path, text in code.items() if not is_test(path)}


def main():
    others = {name: [str(Path(name).resolve())] for name in sys.argv[1:] if Path(name).is_dir()}
    revision = None if others else next(iter(sys.argv[1:]), None)
    for name, folders in (others or CRATES).items():
        counted = code_lines(folders, revision)
        print(f"{sum(map(len, counted.values())):7,} lines in {len(counted):3} files  {name}")


if __name__ == "__main__":
    main()
