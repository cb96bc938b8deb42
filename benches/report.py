#!/usr/bin/env python3
"""Runs the comparisons, and writes what they print into BENCHMARKS.md, with the machine, the versions and the date.

    benches/report.py             # all, some twenty minutes on a quiet machine
    benches/report.py read write  # some
"""

import datetime
import os
import pathlib
import platform
import re
import subprocess
import sys

SECTIONS = ["read", "write", "edit", "shapes", "write-shapes", "refused", "set"]
# Whose versions the figures depend on.
PACKAGES = ["quick-xml", "xml", "sitemap-rs", "sitemapo", "sitewriter", "serde", "memchr", "flate2", "zlib-rs"]

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "BENCHMARKS.md"


def output(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def processor() -> str:
    try:
        found = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.processor() or platform.machine()


def machine() -> str:
    lock = (ROOT / "Cargo.lock").read_text()
    versions = []
    for package in PACKAGES:
        found = re.findall(rf'name = "{package}"\nversion = "([^"]+)"', lock)
        versions.append(f"{package} {', '.join(found)}")
    changed = " with changes" if output("git", "status", "--porcelain", "--untracked-files=no", "--", ".", ":!BENCHMARKS.md") else ""
    rows = [
        ("date", datetime.date.today().isoformat()),
        ("revision", output("git", "rev-parse", "--short", "HEAD") + changed),
        ("processor", f"{processor()}, {os.cpu_count()} cores"),
        ("system", f"{platform.system()} {platform.release()}"),
        ("load before", f"{os.getloadavg()[0]:.1f}"),
        ("compiler", output("rustc", "--version")),
        ("libraries", "; ".join(versions)),
    ]
    return "\n".join(["", "| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)])


def replaced(page: str, section: str, text: str) -> str:
    """The page with other text between the marks of a section."""
    before, mark, rest = page.partition(f"<!-- {section} -->\n")
    _, end, after = rest.partition("<!-- end -->")
    if not mark or not end:
        sys.exit(f"{PAGE.name} has no marks for {section}")
    return before + mark + text.strip("\n") + "\n" + end + after


def main() -> None:
    sections = sys.argv[1:] or SECTIONS
    unknown = [section for section in sections if section not in SECTIONS]
    if unknown:
        sys.exit(f"no section {', '.join(unknown)}; there are: {' '.join(SECTIONS)}")
    subprocess.run(["cargo", "build", "--release", "--locked", "-p", "sitemap-benches"], cwd=ROOT, check=True)
    facts = machine()
    for section in sections:
        printed = output("cargo", "run", "--quiet", "--release", "--locked", "-p", "sitemap-benches", "--", section)
        # Written after each section, so that one that fails does not cost the others.
        PAGE.write_text(replaced(PAGE.read_text(), section, f"```text\n{printed}\n```"))
    PAGE.write_text(replaced(PAGE.read_text(), "machine", facts))


if __name__ == "__main__":
    main()
