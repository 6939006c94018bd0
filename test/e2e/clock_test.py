"""The clock of a data directory: what a crash must not take back, and which kind may open it."""

import os
import subprocess
import tempfile
import unittest

from server import BINARY, NOON, Server

APP = "/v1/databases/app"
T = "2026-02-27T11:00:00.000000Z"
JUST_BEHIND = "2026-02-27T11:00:00.000001Z"


def run(*arguments):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=30)


def refused(data, clock):
    """What a server on that directory says before it ends by itself."""
    done = run("serve", "--data", data, "--native-port", "0", "--cosmos-port", "off", "--kuzzle-port", "off", "--fauna-port", "off",
               "--clock", clock)
    return done.returncode, done.stderr


def metric(server, name):
    for line in server.get("/metrics").text.splitlines():
        if line.startswith(name + " "):
            return float(line.split()[1])
    raise AssertionError(f"there is no metric {name}")


class Crash(unittest.TestCase):
    def test_a_death_that_was_seen_is_not_undone_by_a_crash(self):
        with Server("--sweeper-paused") as server:
            server.must("PUT", APP)
            server.must("PUT", f"{APP}/collections/c", {"keep_feed_for": "forever"})
            server.must("PUT", f"{APP}/collections/c/documents/a?expires_at={T}", {})
            server.must("PUT", f"{APP}/collections/c/documents/b?expires_at={JUST_BEHIND}", {})
            server.set_clock(T)
            self.assertEqual(server.get(f"{APP}/collections/c/documents/b").status, 200)
            # To record a death takes an instant of its own, in which b dies.
            server.must("POST", "/v1/sweeper/run")
            self.assertEqual(server.get(f"{APP}/collections/c/documents/b").status, 404)
            seen = server.get("/v1/clock").json["now"]
            server.restart("kill")
            self.assertEqual(server.get(f"{APP}/collections/c/documents/b").status, 404)
            self.assertGreaterEqual(server.get("/v1/clock").json["now"], seen)

    def test_no_tick_of_a_virtual_clock_is_lost(self):
        with Server() as server:
            for span in (1, 0.000001, 5184000):
                told = server.advance(span)
                server.restart("kill")
                self.assertEqual(server.get("/v1/clock").json["now"], told)

    def test_a_virtual_clock_starts_at_a_whole_second(self):
        with Server(clock="virtual") as server:
            started = server.get("/v1/clock").json["now"]
            self.assertRegex(started, r":\d\d\.000\d{3}Z$")

    def test_the_machines_clock_goes_on_behind_what_was_answered(self):
        with Server(clock="system") as server:
            for _ in range(3):
                told = server.get("/v1/clock").json["now"]
                server.restart("kill")
                self.assertGreaterEqual(server.get("/v1/clock").json["now"], told)
                self.assertLess(metric(server, "mayfly_clock_ahead_seconds"), 0.01)
                self.assertEqual(server.get("/ready").status, 200)


class Kind(unittest.TestCase):
    def test_a_directory_keeps_to_the_kind_of_clock_it_was_made_with(self):
        with Server() as server:
            server.must("PUT", APP)
            server.advance(5_184_000)
            server.stop()
            for kind in ("stop", "kill"):
                status, told = refused(server.data, "system")
                self.assertEqual(status, 2)
                self.assertIn("has lived under a virtual clock", told)
                self.assertIn("mayfly clock release", told)
                server.start()
                self.assertEqual(server.get(APP).status, 200)
                getattr(server, kind)()
            server.start()
        with Server(clock="system") as server:
            server.stop()
            status, told = refused(server.data, f"virtual:{NOON}")
            self.assertEqual(status, 2)
            self.assertIn("has lived under the machine's clock", told)
            server.start()

    def test_an_operator_releases_it_and_is_told_what_that_costs(self):
        with Server() as server:
            server.set_clock("2099-01-01T00:00:00Z")
            in_use = run("clock", "release", "--data", server.data)
            self.assertNotEqual(in_use.returncode, 0)
            server.stop()
            released = run("clock", "release", "--data", server.data)
            self.assertEqual(released.returncode, 0, released.stderr)
            self.assertRegex(released.stdout, r"stands still for \d+ seconds \(\d+ days\)")
            server.clock = "system"
            server.start()
            # It serves, and says loudly that its time stands still.
            self.assertGreater(metric(server, "mayfly_clock_ahead_seconds"), 5)
            ready = server.get("/ready")
            self.assertEqual(ready.status, 503)
            self.assertIn("ahead of the machine's clock", ready.json["reason"])
            server.stop()
            self.assertIn("has lived under the machine's clock", refused(server.data, "virtual")[1])
            server.start()

    def test_what_is_no_data_directory_is_not_released_and_not_made(self):
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "nope")
            done = run("clock", "release", "--data", data)
            self.assertNotEqual(done.returncode, 0, done)
            self.assertFalse(os.path.exists(data))


if __name__ == "__main__":
    unittest.main()
