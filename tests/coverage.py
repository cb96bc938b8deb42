#!/usr/bin/env python3
"""Which part of each crate's code its tests run, and whether it is enough.

    tests/coverage.py REPORT    # of `cargo llvm-cov --lcov`; `.ci/release coverage` makes it

A crate with a limit fails below it. Lines that are never run are listed in REPORT.missed; tests do not count as code.
"""

import sys
from pathlib import Path

from count_lines import CRATES, code_lines

LIMITS = {"sitemap-serde with sitemap-values": 95, "sitemap-derive": 95, "sitemap-site": 95}


def counts(report):
    """How often each line of each file was run."""
    files = {}
    for line in Path(report).read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(":")
        if key == "SF":
            file = files.setdefault(str(Path(value).relative_to(Path.cwd())), {})
        elif key == "DA":
            number, count = value.split(",")
            file[int(number)] = int(count)
    return files


def main():
    measured, missed, low = counts(sys.argv[1]), [], []
    for name, folders in CRATES.items():
        lines = {(path, number): count for path, code in code_lines(folders).items() for number, count in measured.get(path, {}).items() if number in code}
        never = sorted(line for line, count in lines.items() if not count)
        if lines:
            percent = 100 - 100 * len(never) / len(lines)
            print(f"{percent:6.2f} % of {len(lines):6,} lines  {name}")
            missed += (f"{path}:{number}\n" for path, number in never)
            low += [name] if percent < LIMITS.get(name, 0) else []
    Path(f"{sys.argv[1]}.missed").write_text("".join(missed), encoding="utf-8")
    if low:
        sys.exit(f"too little of {', '.join(low)} is run by tests: {sys.argv[1]}.missed")


main()
