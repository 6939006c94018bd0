"""Damaged directories of a real server, made openable again: what is told before, what is lost, what is never wrong."""

import glob
import hashlib
import os
import shutil
import signal
import subprocess
import tempfile
import unittest

from server import BINARY, Server

BASE = "/v1/databases/d/collections/c"
DAMAGED = 4
PIECES = 3
DOCUMENTS = 120  # of a piece, each in a table of its own
IN_A_COMMIT = 5


def repair(data, *flags):
    return subprocess.run([BINARY, "repair", "--data", data, *flags], capture_output=True, text=True, timeout=60)


def flip(path, at):
    with open(path, "r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 0x10]))


def rot(path):
    flip(path, os.path.getsize(path) // 2)


def cut(path):
    os.truncate(path, os.path.getsize(path) - 100)


def contents(data):
    found = {}
    for path in glob.glob(data + "/**", recursive=True):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                found[path] = hashlib.sha256(file.read()).hexdigest()
    return found


class Repair(unittest.TestCase):
    def setUp(self):
        self.data = tempfile.mkdtemp(prefix="mayfly-repair-")
        self.bodies = {}
        self.server = None

    def tearDown(self):
        if self.server:
            self.server.kill()
        shutil.rmtree(self.data)

    def fill(self, pieces=PIECES, stops=True):
        """Documents in several tables, the last of them in the log where the server does not stop."""
        for piece in range(pieces):
            self.server = Server(self.data)
            with self.server.wire() as wire:
                wire.must("PUT", "/v1/databases/d")
                wire.must("PUT", BASE, {"indexes": [{"name": "n", "fields": [{"path": "n"}], "unique": True}]})
                for start in range(piece * DOCUMENTS, (piece + 1) * DOCUMENTS, IN_A_COMMIT):
                    operations = []
                    for i in range(start, start + IN_A_COMMIT):
                        self.bodies[str(i)] = {"n": i, "pad": os.urandom(300).hex()}
                        operations.append({"op": "put", "collection": "c", "id": str(i), "data": self.bodies[str(i)]})
                    wire.must("POST", "/v1/databases/d/transactions", {"operations": operations})
            if stops or piece < pieces - 1:
                self.assertEqual(self.server.stop(), 0)
            else:
                self.server.kill()

    def refused(self):
        server = Server(self.data)
        self.assertIsNone(server.port)
        self.assertEqual(server.end(signal.SIGKILL), 1)
        return server.said()

    def told(self, *words):
        """What is told without anything being done."""
        before = contents(self.data)
        done = repair(self.data)
        self.assertEqual(done.returncode, DAMAGED, done)
        self.assertIn("nothing was done", done.stdout)
        for word in words:
            self.assertIn(word, done.stdout)
        self.assertEqual(contents(self.data), before)
        return done.stdout

    def repaired(self):
        """Repairs; gives what is there then, once it has been seen to be right on every path."""
        done = repair(self.data, "--accept-loss")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("it can be opened now", done.stdout)
        again = repair(self.data)
        self.assertEqual((again.returncode, again.stdout), (0, f"{self.data}: nothing is damaged\n"))
        kept = self.data + "/lost-1"
        with open(kept + "/REPAIR") as file:
            self.assertIn(file.read().splitlines()[0], done.stdout)
        self.said = done.stdout
        there = self.served()
        self.server.kill()
        self.assertEqual(self.served(), there)  # also after a crash
        self.assertEqual(self.server.stop(), 0)
        self.assertEqual(repair(self.data).returncode, 0)
        return there

    def served(self):
        self.server = Server(self.data)
        self.assertIsNotNone(self.server.port, self.server.said())
        there = set()
        with self.server.wire() as wire:
            for id, body in self.bodies.items():
                status, answer = wire.call("GET", f"{BASE}/documents/{id}")
                self.assertIn(status, (200, 404), answer)
                if status == 200:
                    self.assertEqual(answer["data"], body)
                    there.add(id)
            by_scan = wire.must("GET", f"{BASE}/count")["count"]
            by_index = wire.must("GET", f"{BASE}/documents?limit=1000&sort=n")["documents"]
            self.assertEqual(by_scan, len(there))
            self.assertEqual({d["id"] for d in by_index}, there)
            for lost in list(set(self.bodies) - there)[:3]:  # its unique value is free
                wire.must("PUT", f"{BASE}/documents/new-{lost}", {"n": int(lost)})
                wire.must("DELETE", f"{BASE}/documents/new-{lost}")
        return there

    def prefix(self, there):
        """Whether they are all up to one of them; gives how many."""
        self.assertEqual(there, {str(i) for i in range(len(there))})
        return len(there)

    def tables(self, piece):
        """Those that hold its documents. What does not compress stands in them as it was written."""
        pad = self.bodies[str(piece * DOCUMENTS + DOCUMENTS // 2 + 3)]["pad"].encode()
        words = [pad[at:at + 12] for at in range(0, len(pad), 12)]
        found = []
        for path in glob.glob(self.data + "/*.sst"):
            with open(path, "rb") as file:
                text = file.read()
            if any(word in text for word in words):
                found.append(path)
        self.assertTrue(found)
        return found

    def damage(self, piece, how):
        for path in self.tables(piece):
            how(path)

    def log(self):
        return max(glob.glob(self.data + "/*.log"), key=os.path.getsize)

    # --- the log

    def test_behind_a_broken_place_in_the_log_all_is_lost_and_nothing_before(self):
        self.fill(stops=False)
        newest = self.newest_instant()
        rot(self.log())
        self.refused()
        self.told(os.path.basename(self.log()), "all commits after", "had been acknowledged")
        count = self.prefix(self.repaired())
        self.assertTrue((PIECES - 1) * DOCUMENTS < count < PIECES * DOCUMENTS, count)
        self.server = Server(self.data)
        with self.server.wire() as wire:  # no instant is given twice
            self.assertGreater(wire.must("PUT", f"{BASE}/documents/later", {"n": -1})["written_at"], newest)

    def newest_instant(self):
        copy = self.data + ".copy"
        shutil.copytree(self.data, copy)
        server = Server(copy)
        with server.wire() as wire:
            newest = wire.must("GET", f"{BASE}/documents/{len(self.bodies) - 1}")["written_at"]
        server.kill()
        shutil.rmtree(copy)
        return newest

    def test_a_log_that_is_cut_short_ends_where_it_is_cut(self):
        self.fill(stops=False)
        os.truncate(self.log(), os.path.getsize(self.log()) * 9 // 10)
        self.refused()
        self.told(os.path.basename(self.log()))
        count = self.prefix(self.repaired())
        self.assertGreater(count, (PIECES - 1) * DOCUMENTS)

    def test_without_the_log_there_is_what_the_tables_hold(self):
        self.fill(stops=False)
        for log in glob.glob(self.data + "/*.log"):
            os.remove(log)
        self.refused()
        told = self.told("the log (*.log) is missing: all commits after ", " are lost; commits up to ", " had been acknowledged\n")
        self.assertNotIn("nothing is lost", told)
        self.assertEqual(self.prefix(self.repaired()), (PIECES - 1) * DOCUMENTS)

    # --- the tables

    def test_a_rotten_block_costs_its_own_rows(self):
        self.fill()
        self.damage(0, rot)
        self.told(".sst is damaged", "scheduled expirations of c")
        lost = len(self.bodies) - len(self.repaired())
        self.assertTrue(0 < lost < DOCUMENTS / 4, lost)
        self.assertIn("rows of damaged tables were saved", self.said)

    def test_a_table_that_is_cut_short_or_gone_costs_its_rows(self):
        for how in (cut, os.remove):
            with self.subTest(how):
                self.fill()
                self.damage(1, how)
                self.assertIn(f"; see what 'mayfly repair --data {self.data}' says, or restore a backup; it was not opened", self.refused())
                self.told(".sst is damaged")
                there = self.repaired()
                self.assertEqual(there, {id for id in self.bodies if int(id) // DOCUMENTS != 1})
                self.tearDown()
                self.setUp()

    def test_without_its_catalog_a_database_is_empty_and_nobody_inherits_its_rows(self):
        self.fill()
        self.damage(0, os.remove)
        self.refused()
        # Nothing lies between a place and itself.
        self.assertNotIn("between the list of collections and the list of collections", self.told("they lie between the first row of the data and "))
        self.assertEqual(repair(self.data, "--accept-loss").returncode, 0)
        self.server = Server(self.data)
        with self.server.wire() as wire:
            self.assertEqual(wire.must("GET", "/v1/databases")["databases"], [])
            wire.must("PUT", "/v1/databases/d")
            for name in "abc":
                wire.must("PUT", f"/v1/databases/d/collections/{name}")
                self.assertEqual(wire.must("GET", f"/v1/databases/d/collections/{name}/count")["count"], 0)

    def test_two_tables_and_the_log_at_once(self):
        self.fill(stops=False)
        self.damage(1, os.remove)
        self.damage(0, rot)
        rot(self.log())
        self.refused()
        self.told(".sst is damaged", os.path.basename(self.log()))
        there = {int(id) for id in self.repaired()}
        self.assertTrue(DOCUMENTS / 2 < len([i for i in there if i < DOCUMENTS]) < DOCUMENTS)
        self.assertEqual([i for i in there if DOCUMENTS <= i < 2 * DOCUMENTS], [])
        self.assertIn(2 * DOCUMENTS, there)

    def test_what_was_removed_or_replaced_later_does_not_come_back(self):
        self.fill()
        self.server = Server(self.data)
        with self.server.wire() as wire:
            for i in range(0, PIECES * DOCUMENTS, 2):
                wire.must("DELETE", f"{BASE}/documents/{i}")
                del self.bodies[str(i)]
            for i in range(1, PIECES * DOCUMENTS, 10):
                self.bodies[str(i)] = {"n": i, "again": True}
                wire.must("PUT", f"{BASE}/documents/{i}", self.bodies[str(i)])
        self.server.stop()
        self.damage(1, rot)
        self.told()
        lost = len(self.bodies) - len(self.repaired())
        self.assertLess(lost, DOCUMENTS / 4)

    # --- interrupted

    def interrupted(self, place):
        environment = {**os.environ, "MAYFLY_KILL_AT": place + ":1"}
        done = subprocess.run([BINARY, "repair", "--data", self.data, "--accept-loss"], capture_output=True, text=True, timeout=60,
                              env=environment)
        self.assertEqual(done.returncode, -signal.SIGKILL, done)
        self.assertIn("killed at " + place, done.stderr)

    def test_an_interrupted_repair_is_not_served_and_starts_again(self):
        # Before the files are changed, when they are and the rows are not, and amid the indexes.
        for place in ("store.marked", "store.opening", "database.read", "index.made", "close.synced"):
            with self.subTest(place):
                self.fill()
                self.damage(0, rot)
                self.interrupted(place)
                advice = f"the repair of {self.data} was interrupted; run 'mayfly repair --data {self.data} --accept-loss' again"
                self.assertIn(advice, self.refused())
                release = subprocess.run([BINARY, "clock", "release", "--data", self.data], capture_output=True, text=True, timeout=60)
                self.assertEqual(release.returncode, 1, release)
                self.assertIn(advice, release.stderr)
                self.told("a repair was interrupted: it starts again with the directory as it was, from lost-1")
                lost = len(self.bodies) - len(self.repaired())
                self.assertTrue(0 < lost < DOCUMENTS / 4, lost)
                self.assertIn("rows of damaged tables were saved", self.said)
                self.assertEqual([name for name in os.listdir(self.data) if name.startswith(("lost", "MAYFLY.rep"))], ["lost-1"])
                self.tearDown()
                self.setUp()

    def test_putting_back_what_a_repair_has_changed_may_be_interrupted_too(self):
        self.fill()
        self.damage(0, rot)
        self.interrupted("store.opening")
        for name in glob.glob(self.data + "/*.sst") + [self.data + "/CURRENT", self.data + "/MAYFLY"]:
            os.remove(name)
        self.refused()
        lost = len(self.bodies) - len(self.repaired())
        self.assertTrue(0 < lost < DOCUMENTS / 4, lost)

    def test_an_interrupted_repair_without_its_copy_leaves_the_directory_alone(self):
        self.fill(pieces=1)
        self.damage(0, rot)
        self.interrupted("store.opening")
        shutil.rmtree(self.data + "/lost-1")
        before = contents(self.data)
        for flags in ([], ["--accept-loss"]):
            done = repair(self.data, *flags)
            self.assertEqual(done.returncode, 1, done)
            self.assertIn("the copy 'lost-1' that it had made there is gone; restore the directory from a backup", done.stderr)
        self.assertEqual(contents(self.data), before)

    # --- the rest

    def test_files_that_can_be_made_again_cost_nothing(self):
        for name in ("MAYFLY", "CURRENT"):
            with self.subTest(name):
                self.fill(stops=name == "MAYFLY")
                with open(f"{self.data}/{name}", "w") as file:
                    file.write("rotten")
                self.refused()
                self.told(name, "nothing is lost")
                self.assertEqual(len(self.repaired()), len(self.bodies))
                self.tearDown()
                self.setUp()

    def test_a_lost_name_of_the_list_hides_more_damage_that_is_repaired_too(self):
        self.fill()
        os.remove(self.data + "/CURRENT")
        self.damage(2, os.remove)
        self.refused()
        self.told("CURRENT", "repair can find other damage only after it has written CURRENT")
        self.assertEqual(self.prefix(self.repaired()), 2 * DOCUMENTS)

    def test_where_nothing_is_damaged_nothing_is_done(self):
        self.fill(pieces=1, stops=False)
        before = contents(self.data)
        for flags in ([], ["--accept-loss"]):
            done = repair(self.data, *flags)
            self.assertEqual((done.returncode, done.stdout), (0, f"{self.data}: nothing is damaged\n"))
            self.assertEqual(contents(self.data), before)

    def test_what_is_beyond_repair_is_left_alone(self):
        self.fill(pieces=1)
        manifest = glob.glob(self.data + "/MANIFEST-*")[0]
        rot(manifest)
        before = contents(self.data)
        for flags in ([], ["--accept-loss"]):
            done = repair(self.data, *flags)
            self.assertEqual(done.returncode, 1, done)
            self.assertIn("backup", done.stderr)
            self.assertIn(os.path.basename(manifest), done.stderr)
        self.assertEqual(contents(self.data), before)

    def test_a_directory_in_use_or_without_data_is_refused(self):
        self.server = Server(self.data)
        self.assertIn("in use", repair(self.data, "--accept-loss").stderr)
        self.server.kill()
        with tempfile.TemporaryDirectory() as empty:
            done = repair(empty, "--accept-loss")
            self.assertEqual((done.returncode, os.listdir(empty)), (1, []))
        self.assertEqual(repair(self.data + "/none").returncode, 1)


if __name__ == "__main__":
    unittest.main()
