#!/usr/bin/env python3
"""Refuses what git tracks although .gitignore names it: data, builds and caches that were added by mistake.

usage: check_tracked.py [ROOT]
"""

import subprocess
import sys
from pathlib import Path

import cplusplus


def check(root):
    if not (Path(root) / ".git").exists():
        return []  # an archive without its history tracks nothing
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={Path(root).resolve()}", "-C", str(root),
         "ls-files", "-z", "--cached", "--ignored", "--exclude-standard"],
        capture_output=True, text=True, check=True)
    return [f"{path}: git tracks it, and .gitignore names it: git rm --cached" for path in listed.stdout.split("\0") if path]


if __name__ == "__main__":
    here = Path(__file__).resolve().parent.parent
    sys.exit(cplusplus.report(check(Path(sys.argv[1]) if len(sys.argv) > 1 else here)))
