#!/usr/bin/env python3
"""Kills the real server over and over, and holds what it says afterwards against what it had said before.

    crash.py [--kills N] [--seed S]    at random instants and at random kill points
    crash.py --points [--seed S]       once at each kill point; --part 1/3: at every third of them, from the first on

Prints what was counted; every figure of the last line must be 0, or it exits with 1."""

import argparse
import collections
import random
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from journal import Journal
from load import COLLECTIONS, WRITERS, Changer, FeedReader, Told, Writer, make_collections
from server import Server, kill_points
from validate import Validator
from wire import Gone, parse_time

PROBLEMS_SHOWN = 10
PASSINGS_MAX = 8  # an armed server dies at one of this many passings of its point
LOAD_MILLIS_MAX = 60
SETTLE_SECONDS_MAX = 20  # until the sweeper has told of every death at the end


class Crasher:
    def __init__(self, folder, seed):
        self.data, self.random = folder + "/data", random.Random(f"{seed}")
        self.journal, self.told = Journal(folder + "/journal"), Told()
        self.validator = Validator(self.journal, self.told)
        self.workers = [Writer(i, seed, self.journal, self.told) for i in range(WRITERS)]
        self.workers += [FeedReader(name, self.journal) for name in COLLECTIONS]
        self.workers.append(Changer(seed, self.journal))
        self.pool = ThreadPoolExecutor(len(self.workers))
        self.epoch = 0
        self.killed_at = collections.Counter()

    def begin(self):
        server = Server(self.data)
        with server.wire() as wire:
            make_collections(wire)
        server.kill()

    def start(self, kill_at=""):
        return Server(self.data, kill_at)

    def start_and_check(self, is_last=False):
        """A server that no kill point threatens, found to be right."""
        server = self.start()
        if server.port is None:
            raise SystemExit(f"the server does not start any more: {server.said()}")
        with server.wire() as wire:
            if is_last:
                self.settle(wire)
            self.validator.check(wire, is_last)
        self.epoch += 1
        return server

    def start_armed(self, kill_at):
        """It may die before it has said its clock, and so before there is any load."""
        server = self.start(kill_at)
        try:
            if server.port is not None:
                with server.wire() as wire:
                    self.journal.write(**{"is": "epoch"}, now=parse_time(wire.must("GET", "/v1/clock")["now"]))
                self.epoch += 1
                return server
        except Gone:
            pass
        self.note_end(server, server.process.wait(30))
        return None

    def load_and_kill(self, server, millis, how=signal.SIGKILL):
        running = [self.pool.submit(worker.run, server.port, self.epoch) for worker in self.workers]
        try:
            server.process.wait(millis / 1000)
        except subprocess.TimeoutExpired:
            pass
        status = server.end(how)
        for one in running:
            one.result()
        return self.note_end(server, status)

    def note_end(self, server, status):
        """Where it was killed: a kill point's name, or nothing."""
        said = server.said()
        if status not in (-signal.SIGKILL, 0):
            self.validator.say("unexpected", f"the server ended with {status}: {said}")
        name = said.rpartition("killed at ")[2].strip() if "killed at " in said else ""
        self.killed_at[name or ("at random" if status else "stopped")] += 1
        return name

    def settle(self, wire):
        """Until every death that can come has come and is told of: 3 s at most, by the sweeper alone."""
        until = time.monotonic() + SETTLE_SECONDS_MAX
        while time.monotonic() < until:
            sweeper = wire.must("GET", "/v1/sweeper")
            if sweeper["overdue_collections"] == 0 and sweeper["next_due"] is None:
                return
            time.sleep(0.05)
        self.validator.say("events_lost", f"the sweeper does not come to an end: {sweeper}")

    def kill_many(self, kills):
        points = kill_points()
        while self.killed_at.total() < kills:
            server = self.start_and_check()
            self.load_and_kill(server, self.random.uniform(1, LOAD_MILLIS_MAX))
            if self.killed_at.total() == kills:
                break
            kill_at = f"{self.random.choice(points)}:{self.random.randint(1, PASSINGS_MAX)}"
            if server := self.start_armed(kill_at):
                self.load_and_kill(server, self.random.uniform(LOAD_MILLIS_MAX / 2, LOAD_MILLIS_MAX))

    def kill_at_each(self, points):
        """Gives the points at which it did not come to die."""
        missed = []
        for point in points:
            if not (self.dies_opening(point) or any(self.dies_loaded(point, attempt) for attempt in range(16))):
                missed.append(point)
        return missed

    def dies_opening(self, point):
        """A new directory: dying while it is made must leave one that can be used."""
        with tempfile.TemporaryDirectory(prefix="mayfly-crash-") as data:
            server = Server(data, point + ":1")
            if server.port is not None:
                server.kill()
                return False
            server.end(signal.SIGKILL)
            name = self.note_end(server, -signal.SIGKILL)
            server = Server(data)
            if server.port is None or name != point:
                self.validator.say("unexpected", f"after {point}, which was {name}: {server.said()}")
            return server.kill() == -signal.SIGKILL

    def dies_loaded(self, point, attempt):
        """Where it does not die it is stopped, which has points of its own; some come only once a second. Each armed life
        leaves a file, and compaction comes with the fourth: so only every fifth time a server looks that nothing threatens. On
        a slow machine it comes later, so every third life is longer than the one before it; it ends as soon as the server dies."""
        if server := self.start_armed(f"{point}:{1 + attempt % 5 // 4}"):
            self.load_and_kill(server, 2500 * (1 + attempt // 3) if attempt % 3 == 2 else 200, signal.SIGTERM)
        is_dead = self.killed_at[point] > 0
        if is_dead or attempt % 5 == 4:
            self.start_and_check().kill()
        return is_dead

    def finish(self):
        server = self.start_and_check(is_last=True)
        status = server.stop()
        if status != 0:
            self.validator.say("unexpected", f"the server stopped with {status}: {server.said()}")
        self.pool.shutdown()


def report(crasher, seconds, missed):
    validator = crasher.validator
    for kind, text in validator.problems[:PROBLEMS_SHOWN]:
        print(f"  {kind}: {text}")
    at_random = crasher.killed_at["at random"]
    print(f"{crasher.killed_at.total()} ends in {seconds:.1f} s, {at_random} at random, the others at "
          f"{len(crasher.killed_at) - 1} kill points; {validator.acknowledged} writes acknowledged, "
          f"{sum(len(feed.rows) for feed in validator.feeds.values())} events")
    if missed:
        print("never reached: " + " ".join(missed))
    print("  ".join(f"{kind} {count}" for kind, count in validator.counts().items()))
    return 1 if validator.problems or missed else 0


def part_of(points, part):
    """Every nth of the points, from the ith on, where the part is i/n."""
    i, n = (int(word) for word in part.split("/"))
    return points[i - 1::n]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 31))
    parser.add_argument("--points", action="store_true")
    parser.add_argument("--part", default="1/1")
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="mayfly-crash-") as folder:
        began = time.monotonic()
        crasher = Crasher(folder, given.seed)
        crasher.begin()
        missed = crasher.kill_at_each(part_of(kill_points(), given.part)) if given.points else crasher.kill_many(given.kills)
        crasher.finish()
        return report(crasher, time.monotonic() - began, missed)


if __name__ == "__main__":
    sys.exit(main())
