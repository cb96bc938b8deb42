#!/usr/bin/env python3
"""Runs the comparisons, and writes what they print into docs/BENCHMARKS.md, with the machine, the versions and the date.

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

SECTIONS = ["read", "write", "edit", "shapes", "write-shapes", "refused", "set", "tree", "pages"]
# Those of a crate of its own; the others are of `sitemap-benches`.
COMMANDS = {"pages": ["cargo", "bench", "--quiet", "--locked", "-p", "sitemap-pages", "--", "100000"]}
# Whose versions the figures depend on.
PACKAGES = ["quick-xml", "xml", "sitemap-rs", "sitemapo", "sitewriter", "serde", "memchr", "flate2", "zlib-rs", "html5gum"]

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "BENCHMARKS.md"


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
    rows = [
        ("processor", f"{processor()}, {os.cpu_count()} cores"),
        ("system", f"{platform.system()} {platform.release().partition('-')[0]}"),
        ("compiler", output("rustc", "--version")),
        ("libraries", "; ".join(versions)),
    ]
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows)])


def occasion() -> str:
    """When a section was run, of which revision, and what else the machine did."""
    files = ["--", ".", ":!docs/BENCHMARKS.md"]
    changed = " with changes" if output("git", "status", "--porcelain", "--untracked-files=no", *files) else ""
    revision = output("git", "rev-parse", "--short", "HEAD")
    return f"{datetime.date.today().isoformat()}, revision {revision}{changed}, load {os.getloadavg()[0]:.1f} before:"


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
    subprocess.run(["cargo", "build", "--release", "--locked", "-p", "sitemap-benches", "-p", "sitemap-cli"], cwd=ROOT, check=True)
    for section in sections:
        began = occasion()
        own = ["cargo", "run", "--quiet", "--release", "--locked", "-p", "sitemap-benches", "--", section]
        printed = output(*COMMANDS.get(section, own))
        # Written after each section, so that one that fails does not cost the others.
        PAGE.write_text(replaced(PAGE.read_text(), section, f"{began}\n\n```text\n{printed}\n```"))
    PAGE.write_text(replaced(PAGE.read_text(), "machine", machine()))


if __name__ == "__main__":
    main()
