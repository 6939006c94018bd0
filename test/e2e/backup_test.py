"""Backup and restore with the real binary: while writers go on, and what a restored server says of the dead."""

import os
import shutil
import subprocess
import tempfile
import threading
import unittest

from server import BINARY, Server

APP = "/v1/databases/app"


def run(*arguments):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=120)


def collection(server, **policy):
    server.must("PUT", APP)
    server.must("PUT", f"{APP}/collections/c", policy)
    return f"{APP}/collections/c"


def ids(server, c):
    return [d["id"] for d in server.must("GET", f"{c}/documents?limit=1000").json["documents"]]


def expired(server, c):
    """The identities of the deaths that the feed tells."""
    events = server.must("GET", f"{c}/feed?limit=1000").json["events"]
    return [(e["id"], e["version_at"], e["death"]) for e in events if e["kind"] == "expired"]


class Backup(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="mayfly-backup-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.backups = os.path.join(self.folder, "backups")

    def server(self, *flags, **more):
        return Server("--backup-directory", self.backups, *flags, **more)

    def back_up(self, server, name):
        done = run("backup", name, "--url", server.url)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn(f"{name}: as of ", done.stdout)
        return next(b for b in server.get("/v1/backups").json["backups"] if b["name"] == name)

    def restore(self, name, to="restored"):
        data = os.path.join(self.folder, to)
        done = run("restore", os.path.join(self.backups, name), "--data", data)
        self.assertEqual(done.returncode, 0, done)
        return data

    def test_12_who_died_since_the_backup_is_dead_at_the_first_read(self):
        with self.server() as server:
            c = collection(server, keep_feed_for="forever", keep_history_for="forever", keep_trash_for="forever")
            for id, lifetime in (("early", "ttl=10"), ("late", "ttl=100"), ("later", "ttl=1000"), ("kept", "never=true")):
                server.must("PUT", f"{c}/documents/{id}?{lifetime}", {"of": id})
            server.must("PUT", f"{c}/documents/trashed?ttl=100", {})
            server.must("DELETE", f"{c}/documents/trashed")
            server.must("PUT", f"{c}/documents/rule", {})
            server.advance(20)
            server.must("POST", "/v1/sweeper/run")
            told_before = expired(server, c)
            self.assertEqual([e[0] for e in told_before], ["early"])
            backup = self.back_up(server, "monday")
            server.must("PUT", f"{c}/documents/after", {})
            server.advance(200)
            server.must("POST", "/v1/sweeper/run")
            told_of_late = expired(server, c)[1:]
            then = server.get("/v1/clock").json["now"]
        data = self.restore("monday")
        # Without housekeeping: the first read decides.
        with self.server("--sweeper-paused", data=data, clock=f"virtual:{then}") as restored:
            self.assertEqual(restored.get(f"{c}/documents/late").status, 404)
            self.assertEqual(ids(restored, c), ["kept", "later", "rule"])
            self.assertEqual(restored.get(f"{c}/count").json["count"], 3)
            self.assertEqual(restored.get(f"{c}/trash").json["documents"], [])
            self.assertEqual(restored.call("POST", f"{c}/trash/trashed/restore").status, 404)
            self.assertEqual(restored.get(f"{c}/documents/late?as_of={backup['instant']}").json["data"], {"of": "late"})
            # A default that comes later revives nobody and kills by its own rule.
            restored.must("PATCH", c, {"default_ttl": 10})
            self.assertEqual(ids(restored, c), ["kept", "later"])
            restored.must("PATCH", c, {"default_ttl": None})
            self.assertEqual(ids(restored, c), ["kept", "later"])
            # What was told before the backup is not told again; what was told after it is told once
            # more, under the identity it had.
            restored.must("POST", "/v1/sweeper/run")
            told = expired(restored, c)
            self.assertEqual(told[:1], told_before)
            self.assertEqual(len(told), len(set(told)), told)
            self.assertEqual([e for e in told if e[0] == "late"], [e for e in told_of_late if e[0] == "late"])
            self.assertEqual(len([e for e in told if e[0] == "late"]), 1)
            for _ in range(2):
                restored.restart("kill")
                restored.must("POST", "/v1/sweeper/run")
                self.assertEqual(expired(restored, c), told)

    def test_a_page_goes_on_after_a_kill_and_from_a_backup_and_on_no_other_server(self):
        def begin(server):
            c = collection(server)
            for id in "abc":
                server.must("PUT", f"{c}/documents/{id}", {})
            return c, server.must("GET", f"{c}/documents?limit=1").json["next"]

        with self.server() as server:
            c, page = begin(server)
            server.restart("kill")
            rest = f"{c}/documents?page={page}"
            self.assertEqual([d["id"] for d in server.must("GET", rest).json["documents"]], ["b", "c"])
            self.back_up(server, "monday")
        with Server(data=self.restore("monday")) as restored:
            self.assertEqual([d["id"] for d in restored.must("GET", rest).json["documents"]], ["b", "c"])
        with Server() as other:
            self.assertEqual(begin(other)[0], c)
            self.assertEqual(other.get(rest).status, 400)

    def test_a_backup_is_one_instant_while_writers_go_on(self):
        with self.server() as server:
            c = collection(server, keep_history_for="forever")
            enough = threading.Event()

            # Two documents that every transaction writes alike, and one of its own.
            def write(worker):
                n = 0
                while not enough.is_set():
                    n += 1
                    both = [{"op": "put", "collection": "c", "id": f"{side}{worker}", "data": {"n": n}}
                            for side in ("left", "right")]
                    own = {"op": "create", "collection": "c", "id": f"own{worker}-{n}", "data": {"x": "x" * 2000}}
                    server.must("POST", f"{APP}/transactions", {"operations": [*both, own]})

            workers = [threading.Thread(target=write, args=(w,)) for w in range(3)]
            for worker in workers:
                worker.start()
            try:
                while server.get(f"{c}/count").json["count"] < 100:
                    pass
                made = [self.back_up(server, f"b{i}") for i in range(3)]
            finally:
                enough.set()
                for worker in workers:
                    worker.join()
            at = {b["name"]: server.must("GET", f"{c}/count?as_of={b['instant']}").json["count"] for b in made}
        for backup in made:
            with Server(data=self.restore(backup["name"], backup["name"])) as restored:
                for worker in range(3):
                    left = restored.get(f"{c}/documents/left{worker}").json["data"]
                    self.assertEqual(left, restored.get(f"{c}/documents/right{worker}").json["data"])
                    self.assertEqual(restored.get(f"{c}/documents/own{worker}-{left['n']}").status, 200)
                    self.assertEqual(restored.get(f"{c}/documents/own{worker}-{left['n'] + 1}").status, 404)
                # Just what a reader of the server sees as of the backup's instant.
                self.assertEqual(restored.get(f"{c}/count").json["count"], at[backup["name"]])

    def test_what_is_refused(self):
        with self.server() as server:
            collection(server)
            self.back_up(server, "a")
            again = run("backup", "a", "--url", server.url)
            self.assertEqual(again.returncode, 1)
            self.assertIn("already a backup named 'a'", again.stderr)
            for name in ("../a", "a/b", ".a"):
                self.assertEqual(run("backup", name, "--url", server.url).returncode, 1, name)
            # No name at all is a wrong command line.
            self.assertEqual(run("backup", "", "--url", server.url).returncode, 2)
            busy = run("restore", os.path.join(self.backups, "a"), "--data", server.data)
            self.assertEqual(busy.returncode, 1)
            self.assertIn("not empty", busy.stderr)
            self.assertEqual(run("restore", server.data, "--data", os.path.join(self.folder, "x")).returncode, 1)
        served = run("serve", "--data", os.path.join(self.backups, "a"), "--native-port", "0", "--cosmos-port", "off", "--kuzzle-port", "off", "--fauna-port", "off")
        self.assertEqual(served.returncode, 2)
        self.assertIn("mayfly restore", served.stderr)
        table = next(f for f in os.listdir(os.path.join(self.backups, "a")) if f.endswith(".sst"))
        os.remove(os.path.join(self.backups, "a", table))
        damaged = run("restore", os.path.join(self.backups, "a"), "--data", os.path.join(self.folder, "y"))
        self.assertEqual(damaged.returncode, 1)
        self.assertIn(table, damaged.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "y")))
        with Server() as server:
            none = run("backup", "a", "--url", server.url)
            self.assertEqual(none.returncode, 1)
            self.assertIn("backup.directory", none.stderr)


if __name__ == "__main__":
    unittest.main()
