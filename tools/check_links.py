#!/usr/bin/env python3
"""Finds links between Markdown pages that lead nowhere, and files that a page or a comment names and that do not exist.

usage: check_links.py [ROOT]

Checked are relative links with their anchors, and names in backticks that begin with a folder of the repository, such as
`src/db/rows/keys.h`. Pages under docs/decisions are history: they may name files that are gone. Checked are also names in comments of C++
that have a folder, such as `rows/keys.h`: a file of src/ or test/ must end so.
"""

import re
import sys
import unicodedata
from pathlib import Path

import cplusplus

SKIPPED = {".git", "build", "node_modules"}
FENCE = re.compile(r"^```.*?^```", re.S | re.M)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^()\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.*?) *$", re.M)
NAMED = re.compile(r"`((?:\.ci|cmake|docs|examples|src|test|tools)/[\w./-]+)`")
COMMENTED = re.compile(r"(?<![\w./<-])(?:[a-z0-9_]+/)+[a-z0-9_]+\.(?:h|cc)\b")


def pages(root):
    for path in sorted(Path(root).rglob("*.md")):
        if not SKIPPED & set(path.relative_to(root).parts):
            yield path


def anchor_of(heading):
    """As GitHub makes it: small letters, hyphens for spaces, no other punctuation."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    kept = [c for c in text if c in " -_" or unicodedata.category(c)[0] in "LN"]
    return "".join(kept).replace(" ", "-")


def anchors(path):
    found = set()
    for heading in HEADING.findall(FENCE.sub("", path.read_text(encoding="utf-8"))):
        anchor, number = anchor_of(heading), 0
        while (f"{anchor}-{number}" if number else anchor) in found:
            number += 1
        found.add(f"{anchor}-{number}" if number else anchor)
    return found


def line_of(text, place):
    return text.count("\n", 0, place) + 1


def blank(match):
    """Code is no text, but its lines count."""
    return re.sub(r"[^\n]", " ", match.group())


def check_page(root, path):
    name = path.relative_to(root)
    prose = FENCE.sub(blank, path.read_text(encoding="utf-8"))
    problems = []
    for match in LINK.finditer(CODE.sub(blank, prose)):
        target, _, anchor = match.group(1).partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        where = f"{name}:{line_of(prose, match.start())}"
        file = (path.parent / target) if target else path
        if not file.exists():
            problems.append(f"{where}: there is no {target}")
        elif anchor and anchor not in anchors(file):
            problems.append(f"{where}: {file.name} has no heading #{anchor}")
    if "decisions" in name.parts:
        return problems
    for match in NAMED.finditer(prose):
        if not (Path(root) / match.group(1)).exists():
            problems.append(f"{name}:{line_of(prose, match.start())}: there is no {match.group(1)}")
    return problems


def check_comments(root):
    paths = cplusplus.files(root, "src", "test")
    names = ["/" + path.relative_to(root).as_posix() for path in paths]
    problems = []
    for path in paths:
        comments = cplusplus.comments_only(path.read_text(encoding="utf-8"))
        for match in COMMENTED.finditer(comments):
            if not any(name.endswith("/" + match.group()) for name in names):
                line = cplusplus.line_of(comments, match.start())
                problems.append(f"{path.relative_to(root)}:{line}: there is no {match.group()}")
    return problems


def check(root):
    of_pages = [problem for path in pages(root) for problem in check_page(Path(root), path)]
    return of_pages + check_comments(root)


if __name__ == "__main__":
    here = Path(__file__).resolve().parent.parent
    sys.exit(cplusplus.report(check(Path(sys.argv[1]) if len(sys.argv) > 1 else here)))
