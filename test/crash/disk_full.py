#!/usr/bin/env python3
"""The disk fills up, again and again, under load: the real server on a small disk of its own.

    disk_full.py [--rounds N]

Each round takes most of the disk away, writes until the server refuses, and looks: is it refused with 507 before the disk
is full, are reads answered, are removals and the sweeper let through; then space is given back, and writes must go on by
themselves within seconds. Nothing that was acknowledged may be lost, also where the server is killed on the full disk.

The disk is a tmpfs in a mount namespace of this process, for which it starts itself anew. Where nothing allows it to mount
one, as in most containers, it says so and exits with 77."""

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time

from server import Server
from wire import Gone, micros_now, render_time

DISK_MIB = 640
LEFT_MIB = 260  # the server keeps two of its write buffers free, 128 MiB
WRITERS = 4
BACK_SECONDS_MAX = 10
SWEPT_SECONDS_MAX = 8
BASE = "/v1/databases/full/collections/all"


# Root may mount, in a changed root without changing how mounts spread; others may where users have namespaces.
NAMESPACES = (["-m"], ["-m", "--propagation", "unchanged"], ["-rm"])
TRY_TO_MOUNT = 'd=$(mktemp -d) && mount -t tmpfs -o size=1m none "$d"; s=$?; umount "$d"; rmdir "$d"; exit $s'
SKIPPED = 77


def in_own_namespace():
    if os.environ.get("MAYFLY_OWN_NAMESPACE"):
        return
    refusals = []
    for flags in NAMESPACES:
        command = ["unshare", *flags]
        tried = subprocess.run([*command, "sh", "-c", TRY_TO_MOUNT], capture_output=True, text=True, check=False)
        if tried.returncode == 0:
            os.execvpe("unshare", [*command, sys.executable, *sys.argv], {**os.environ, "MAYFLY_OWN_NAMESPACE": "1"})
        refusals.append(tried.stderr.strip().split("\n")[0])
    print("skipped: a small disk cannot be mounted here: " + "; ".join(refusals))
    sys.exit(SKIPPED)


class Round:
    """One filling of the disk."""

    def __init__(self, server, disk, number, kept):
        self.server, self.disk, self.number, self.kept = server, disk, number, kept
        self.ballast = disk + "/ballast"
        self.dying = {}
        self.problems = []

    def say(self, text):
        self.problems.append(f"round {self.number}: {text}")

    def take_space(self):
        free = os.statvfs(self.disk).f_bavail * os.statvfs(self.disk).f_frsize
        taken = free - (LEFT_MIB << 20)
        if taken > 0:
            with open(self.ballast, "wb") as file:
                os.posix_fallocate(file.fileno(), 0, taken)

    def fill(self):
        threads = [threading.Thread(target=self.write, args=(i,)) for i in range(WRITERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def write(self, writer):
        try:
            with self.server.wire() as wire:
                for i in range(100_000):
                    name = f"{self.number}-{writer}-{i}"
                    lifetime = "never=true"
                    if i % 4 == 0:
                        death = micros_now() + 2_000_000
                        lifetime = "expires_at=" + render_time(death)
                    status, answer = wire.call("PUT", f"{BASE}/documents/{name}?{lifetime}",
                                               {"n": i, "pad": os.urandom(128 << 10).hex()})
                    if status == 507:
                        if answer["error"]["code"] != "no_space":
                            self.say(f"507 with {answer}")
                        return
                    if status >= 300:
                        self.say(f"a write was answered {status} {answer}")
                        return
                    (self.dying if i % 4 == 0 else self.kept)[name] = i
            self.say("the disk did not fill")
        except Gone as error:
            self.say(f"the server is gone: {error}: {self.server.said()}")

    def look(self):
        """While the disk is full."""
        with self.server.wire() as wire:
            status, _ = wire.call("PUT", f"{BASE}/documents/late", {"n": 0})
            if status != 507:
                self.say(f"a write on the full disk was answered {status}")
            status, answer = wire.call("GET", "/ready")
            if status != 503 or "nearly full" not in answer["reason"]:
                self.say(f"on the full disk it is ready: {status} {answer}")
            self.read_all(wire)
            # Removals are let through, with the events that tell of them.
            for name in list(self.kept)[::8]:
                status, answer = wire.call("DELETE", f"{BASE}/documents/{name}")
                if status != 204:
                    self.say(f"a removal was answered {status} {answer}")
                del self.kept[name]
            self.wait_for_sweeper(wire)

    def read_all(self, wire):
        for name, i in self.kept.items():
            status, answer = wire.call("GET", f"{BASE}/documents/{name}")
            if status != 200 or answer["data"]["n"] != i:
                self.say(f"{name} was acknowledged and is {status}")

    def wait_for_sweeper(self, wire):
        """Every death is told of, disk full or not."""
        until = time.monotonic() + SWEPT_SECONDS_MAX
        while time.monotonic() < until:
            told, after = set(), ""
            while True:
                page = wire.must("GET", f"{BASE}/feed?limit=1000{after}")
                told |= {event["id"] for event in page["events"] if event["kind"] == "expired"}
                if not page["has_more"]:
                    break
                after = "&after=" + page["last"]
            if told >= self.dying.keys():
                return
            time.sleep(0.1)
        self.say(f"{len(self.dying.keys() - told)} deaths are not told of")

    def give_space_back(self):
        """Gives how long it took until a write was let through."""
        os.path.exists(self.ballast) and os.unlink(self.ballast)
        began = time.monotonic()
        with self.server.wire() as wire:
            while time.monotonic() < began + BACK_SECONDS_MAX:
                if wire.call("PUT", f"{BASE}/documents/back-{self.number}", {"n": 1})[0] == 201:
                    self.kept[f"back-{self.number}"] = 1
                    wire.must("GET", "/ready")
                    return time.monotonic() - began
                time.sleep(0.02)
        self.say(f"no write was let through within {BACK_SECONDS_MAX} s")
        return BACK_SECONDS_MAX


def run(disk, rounds):
    data, kept, problems, slowest = disk + "/data", {}, [], 0
    server = Server(data)
    with server.wire() as wire:
        wire.must("PUT", "/v1/databases/full")
        wire.must("PUT", BASE, {"keep_trash_for": 0})
    for number in range(rounds):
        one = Round(server, disk, number, kept)
        one.take_space()
        one.fill()
        if not one.problems:
            one.look()
        if number % 2 == 1:  # and now it is killed there, and started there again
            server.kill()
            server = one.server = Server(data)
            if server.port is None:
                return one.problems + [f"it does not start on the full disk: {server.said()}"]
            with server.wire() as wire:
                one.read_all(wire)
        if not one.problems:
            slowest = max(slowest, one.give_space_back())
            with server.wire() as wire:
                for name in list(kept)[::2]:
                    wire.must("DELETE", f"{BASE}/documents/{name}")
                    del kept[name]
        problems += one.problems
        if problems:
            break
    with open(data + "/LOG", encoding="utf-8", errors="replace") as log:
        full = [line for line in log if "No space" in line]
    if full:
        problems.append(f"RocksDB has met the full disk: {full[0]}")
    if server.stop() != 0:
        problems.append(f"the server did not stop well: {server.said()}")
    print(f"{rounds} rounds, {len(kept)} documents kept of the last; writes came back within {slowest:.2f} s")
    return problems


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=4)
    given = parser.parse_args()
    in_own_namespace()
    with tempfile.TemporaryDirectory(prefix="mayfly-full-") as disk:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MIB}m", "none", disk], check=True)
        try:
            problems = run(disk, given.rounds)
        finally:
            subprocess.run(["umount", "-l", disk], check=True)
    for problem in problems[:10]:
        print("  " + problem)
    print(f"problems {len(problems)}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
