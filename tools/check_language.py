#!/usr/bin/env python3
"""Refuses words that a newcomer must decipher, in comments, names and texts of tests, and says what to write in their place.

Files that had such words when the check came are listed in tools/old_language.txt; a file that has none any more leaves the list,
and no file joins it.

usage: check_language.py [ROOT]
"""

import re
import sys
from pathlib import Path

import cplusplus

# In comments. Documents, clients, requests and commits are "it"; people are "a user", "an operator".
PHRASES = {
    r"he|him|his|himself|whom|whoever|somebody|nobody|anybody|everybody": "it, a client, nothing, every ...",
    r"told|teller|tells of|tell of": "published, reported, said",
    r"nudged?|nudges": "wake",
    r"anew": "again",
    r"in silence": "silently",
    r"without further ado": "by default",
    r"lets? go of|let go": "release",
    r"the dead|who has died": "expired documents",
    r"courtesy|patience": "fairness, back-off",
    r"postman|announcer|ear|speaker": "dispatcher, publisher, client",
    r"unmet": "not yet visited",
    r"wish|wishes": "request, options",
    r"worded": "phrased",
    r"complaints?|findings": "validation errors",
    r"mends?|mended|mending": "repair",
    r"desks?|seats?|writings": "the plain noun of the thing",
}
# In names, of those above: what is not the name of an interface that a new file must use.
NAMES = {"whom", "somebody", "nobody", "teller", "nudge", "anew", "courtesy", "patience", "postman", "announcer", "unmet",
         "worded", "desk", "seat", "writings"}
PATTERNS = [(re.compile(rf"\b(?:{words})\b", re.IGNORECASE), instead) for words, instead in PHRASES.items()]
LIST = "tools/old_language.txt"


def words_in(text):
    """(line, word, what to write) for each word that is refused."""
    comments = cplusplus.comments_only(text)
    for number, line in enumerate(comments.split("\n"), 1):
        for pattern, instead in PATTERNS:
            for found in pattern.finditer(line):
                yield number, found.group(), instead
    for number, name in cplusplus.identifiers(cplusplus.code_only(text)):
        for word in cplusplus.words_of(name):
            if word in NAMES:
                yield number, name, next(instead for pattern, instead in PATTERNS if pattern.fullmatch(word))


def check(root):
    root = Path(root)
    listed = root / LIST
    old = set(listed.read_text().split()) if listed.exists() else set()
    problems, still = [], set()
    for path in cplusplus.files(root, "src", "test"):
        name = path.relative_to(root).as_posix()
        found = list(words_in(path.read_text()))
        if name in old:
            still.update([name] if found else [])
            continue
        problems += [f"{name}:{number}: '{word}': write {instead}" for number, word, instead in found]
    return problems + [f"{LIST}: {name} is gone or has no such word any more: take it off" for name in sorted(old - still)]


if __name__ == "__main__":
    here = Path(__file__).resolve().parent.parent
    sys.exit(cplusplus.report(check(Path(sys.argv[1]) if len(sys.argv) > 1 else here)))
