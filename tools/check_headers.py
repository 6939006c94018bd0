#!/usr/bin/env python3
"""Compiles headers alone, so that none leans on what its users include before it.

A header that is the first include of some .cc is passed over, unless --all is given: compiling that file alone, without
precompiled headers, proves as much.

usage: check_headers.py BUILD [ROOT [HEADER...]]      BUILD is a build folder; its flags are used
       check_headers.py BUILD --all                   what `./dev lint` does
       check_headers.py BUILD --part I/N              every Nth of them, from the Ith on
"""

import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import cplusplus

INCLUDE = re.compile(r'^#include "([^"]+)"|^#include <', re.MULTILINE)


def compile_command(build):
    """The compiler and its flags, without a file: those of the first source of a layer, which all layers share."""
    entries = json.loads((Path(build) / "compile_commands.json").read_text())
    entry = next(e for e in entries if re.search(r" -I\S*/src\b.*\.c(?:c|xx)$", e["command"]))
    words, kept = shlex.split(entry["command"]), []
    while words:
        word = words.pop(0)
        if word in ("-o", "-c", "-MF", "-MT", "-MQ", "-include", "-include-pch"):  # a precompiled header, too
            words.pop(0)
        elif word not in ("-MD", "-MMD", "-Winvalid-pch", "-Xclang") and not os.path.basename(word) == "ccache":
            kept.append(word)
    # Only syntax is asked for: optimising and instrumenting would cost time.
    kept = [w for w in kept if not w.startswith(("-O", "-g", "-fsanitize", "-D_FORTIFY"))]
    return [*kept, '-DMAYFLY_SOURCE_DIR="."']  # as the tests have it


def unproven(root):
    """The headers that no .cc includes before all else."""
    files = cplusplus.files(root, "src")
    firsts = [INCLUDE.search(f.read_text()) for f in files if f.suffix == ".cc"]
    proven = {Path(root) / "src" / first.group(1) for first in firsts if first and first.group(1)}
    return [f for f in files if f.suffix == ".h" and f not in proven]


def problem_of(header, command):
    """What the compiler says of the header, or nothing."""
    alone = subprocess.run(
        [*command, "-fsyntax-only", "-w", "-x", "c++", "-include", str(header), "/dev/null"],
        capture_output=True,
        text=True,
        check=False,
    )
    if alone.returncode == 0:
        return []
    first = next((l for l in alone.stderr.split("\n") if "error" in l), alone.stderr.strip())
    return [f"{header} does not compile alone: {first}"]


def check(build, root, headers):
    command = compile_command(build)
    headers = headers or unproven(root)
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        found = pool.map(lambda header: problem_of(header, command), headers)
        return [problem for problems in found for problem in problems]


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    place = Path(__file__).resolve().parent.parent
    headers = [Path(header) for header in sys.argv[3:]]
    if sys.argv[2:] == ["--all"]:
        headers = [file for file in cplusplus.files(place, "src") if file.suffix == ".h"]
    elif sys.argv[2:3] == ["--part"]:
        part, parts = map(int, sys.argv[3].split("/"))
        headers = unproven(place)[part - 1::parts]
    elif len(sys.argv) > 2:
        place = Path(sys.argv[2])
    sys.exit(cplusplus.report(check(sys.argv[1], place, headers)))
