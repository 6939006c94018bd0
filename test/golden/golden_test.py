"""A data directory that an earlier version has written is opened by this one, and everything in it is found: through each
dialect, at one instant after the other, so that deaths come as they were promised."""

import json
import os
import pathlib
import tarfile
import tempfile
import unittest

from questions import ask_all
from service import Service

HERE = pathlib.Path(__file__).resolve().parent


def differences(path, wanted, found):
    """Where two answers part, as lines."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for name in sorted({*wanted, *found}):
            yield from differences(f"{path}.{name}", wanted.get(name, "(nothing)"), found.get(name, "(nothing)"))
    elif wanted != found:
        yield f"{path}: wanted {json.dumps(wanted)}\n{' ' * len(path)}   found {json.dumps(found)}"


def is_expiry(row):
    return isinstance(row, list) and len(row) == 4 and row[1] == "expired"


def without_sweeps(answers):
    """The answers without the positions of expiries. A death that was not recorded yet when the archive's program was
    killed is recorded by the program that opens it, at an instant of its own; `expired` compares the deaths themselves."""
    if isinstance(answers, dict):
        return {name: without_sweeps(value) for name, value in answers.items()}
    if not isinstance(answers, list):
        return answers
    return [without_sweeps(value) for value in answers if not is_expiry(value)]


class Golden(unittest.TestCase):
    maxDiff = None

    def open(self, name):
        with open(HERE / f"{name}.json", encoding="utf-8") as file:
            wanted = json.load(file)
        with tempfile.TemporaryDirectory(prefix="mayfly-golden-") as folder:
            with tarfile.open(HERE / f"{name}.tar.gz") as archive:
                archive.extractall(folder)
            os.chmod(os.path.join(folder, "data"), 0o700)
            with Service("--sweeper-paused", data=os.path.join(folder, "data"), clock="virtual") as service:
                for seconds, answers in zip(wanted["times"], wanted["answers"]):
                    self.find(service, seconds, answers, wanted["told"])

    def find(self, service, seconds, wanted, told):
        if seconds:
            service.must("POST", "/v1/clock", {"advance_seconds": seconds})
        service.must("POST", "/v1/sweeper/run")
        found = json.loads(json.dumps(ask_all(service, told)))
        lines = list(differences("", without_sweeps(wanted), without_sweeps(found)))
        self.assertEqual([], lines, f"{seconds} seconds later\n" + "\n".join(lines))

    def check_again_after_a_restart(self, name):
        """A directory that this version has taken over is found whole by it once more."""
        with open(HERE / f"{name}.json", encoding="utf-8") as file:
            wanted = json.load(file)
        with tempfile.TemporaryDirectory(prefix="mayfly-golden-") as folder:
            with tarfile.open(HERE / f"{name}.tar.gz") as archive:
                archive.extractall(folder)
            data = os.path.join(folder, "data")
            for how in ("kill", "stop", "kill"):
                with Service("--sweeper-paused", data=data, clock="virtual") as service:
                    self.find(service, 0, wanted["answers"][0], wanted["told"])
                    getattr(service, how)()


def add_tests():
    for archive in sorted(HERE.glob("*.tar.gz")):
        name = archive.name.removesuffix(".tar.gz")
        word = name.replace("-", "_")
        setattr(Golden, f"test_{word}_is_found_whole", lambda self, name=name: self.open(name))
        setattr(Golden, f"test_{word}_is_found_whole_after_further_starts",
                lambda self, name=name: self.check_again_after_a_restart(name))


add_tests()

if __name__ == "__main__":
    unittest.main()
