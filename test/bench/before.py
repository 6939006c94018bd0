#!/usr/bin/env python3
"""Compares two builds of the benchmark, `./dev bench --before COMMIT`: each row by both, in turns, so that what slows the
machine for a while slows both.

    before.py BEFORE AFTER STATE [--only IDS] [--rounds N] [--seconds S]

BEFORE and AFTER are two programs mayfly-bench, each beside its mayfly. What was measured is kept in STATE: called again
with the same programs and arguments, it goes on where it was interrupted."""

import argparse
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile

SHORT = "P1,P2,P3,P4,P5,P11,P12"  # some 20 minutes with three rounds
BUILDS = ("before", "after")


def identity(program, given):
    """Of the programs and of how they are run: what was measured otherwise is not comparable."""
    sums = hashlib.sha256(repr((given.seconds,)).encode())
    for path in (program, os.path.join(os.path.dirname(program), "mayfly")):
        with open(path, "rb") as file:
            sums.update(hashlib.file_digest(file, "sha256").digest())
    return sums.hexdigest()


def measure(program, row, seconds):
    """What one run says of the rows with this id: name -> value."""
    with tempfile.TemporaryDirectory(prefix="mayfly-before-") as folder:
        report = folder + "/report.json"
        subprocess.run([program, "--only", row, "--repetitions", "1", "--seconds", str(seconds), "--json", report],
                       check=True, stdout=subprocess.DEVNULL)
        with open(report, encoding="utf-8") as file:
            rows = json.load(file)["rows"]
    found = {}
    for one in rows:
        name = f"{one['id']} | {one['what']} | {one['unit']}"
        while name in found:  # the same row beside another opponent
            name += " "
        found[name] = one["ours_median"]
    return found


def load(path, identities):
    try:
        with open(path, encoding="utf-8") as file:
            state = json.load(file)
        if state["identities"] == identities:
            return state
    except (OSError, ValueError, KeyError):
        pass
    return {"identities": identities, "runs": {}}


def save(path, state):
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(state, file)
    os.replace(path + ".new", path)


def measure_missing(programs, given, state):
    for number in range(given.rounds):
        for row in given.only.split(","):
            # Each begins every other time: the second finds a warmer machine.
            for build in BUILDS if number % 2 == 0 else BUILDS[::-1]:
                key = f"{row} {number} {build}"
                if key not in state["runs"]:
                    print(f"round {number + 1} of {given.rounds}: {row}, {build}", file=sys.stderr, flush=True)
                    state["runs"][key] = measure(programs[build], row, given.seconds)
                    save(given.state, state)


def render(given, state):
    lines = ["| id | what | before | after | ratio |", "| --- | --- | --- | --- | --- |"]
    for row in given.only.split(","):
        values = {}
        for number in range(given.rounds):
            for build in BUILDS:
                for name, value in state["runs"][f"{row} {number} {build}"].items():
                    values.setdefault(name, {}).setdefault(build, []).append(value)
        for name, both in values.items():
            number, what, unit = name.rstrip().split(" | ")
            before, after = (statistics.median(both[b]) if b in both else None for b in BUILDS)
            shown = ["-" if v is None else f"{v:.4g} {unit}" for v in (before, after)]
            ratio = f"{after / before:.2f}" if before and after is not None else "-"
            lines.append(f"| {number} | {what} | {shown[0]} | {shown[1]} | {ratio} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    for name in ("before", "after", "state"):
        parser.add_argument(name)
    parser.add_argument("--only", default=SHORT, help="ids of rows, with commas; without, a short set: " + SHORT)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=2, help="of one repetition of one side")
    given = parser.parse_args()
    programs = {"before": given.before, "after": given.after}
    state = load(given.state, {build: identity(program, given) for build, program in programs.items()})
    measure_missing(programs, given, state)
    print(render(given, state))


if __name__ == "__main__":
    main()
