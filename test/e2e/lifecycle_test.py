"""The verbs for the end of documents, with the real binary under the virtual clock."""

import hashlib
import json
import os
import subprocess
import tempfile
import unittest

from server import BINARY, Server

APP = "/v1/databases/app"
C = f"{APP}/collections/c"


def run(*arguments, input=None):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, input=input, timeout=60)


def place(server):
    return ["--url", server.url, "--database", "app", "--collection", "c"]


def done(*arguments, input=None):
    """What it prints, where it succeeds."""
    ended = run(*arguments, input=input)
    assert ended.returncode == 0, ended
    return ended.stdout


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def table(text):
    """The cells below the titles; columns are two spaces apart."""
    return [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in text.splitlines()[1:]]


def collection(server, **policy):
    server.must("PUT", APP)
    server.must("PUT", C, policy)


def put(server, id, query="", body=None):
    return server.must("PUT", f"{C}/documents/{id}{query}", body or {}).json


class Touch(unittest.TestCase):
    def test_the_end_moves_forward_and_never_back(self):
        with Server() as server:
            collection(server)
            put(server, "s1", "?ttl=600")
            server.advance(500)
            told = table(done("touch", *place(server), "s1"))
            self.assertEqual(told[0][0], "s1")
            self.assertRegex(told[0][1], r"^2026-02-27T10:18:20")
            far = lines(done("touch", *place(server), "s1", "--ttl", "24h", "--json"))[0]
            self.assertRegex(far["expires_at"], r"^2026-02-28T10:08:20")
            near = lines(done("touch", *place(server), "--json", "--ttl", "10", "s1"))[0]
            self.assertEqual(near["expires_at"], far["expires_at"])
            never = lines(done("touch", *place(server), "s1", "--never", "--json", "--author", "ann"))[0]
            self.assertEqual((never["expires_at"], never["updater"]), (None, "ann"))
            self.assertEqual(table(done("touch", *place(server), "s1")), [["s1", "-"]])

    def test_the_others_are_touched_where_one_is_dead(self):
        with Server() as server:
            collection(server)
            put(server, "dead", "?ttl=5")
            put(server, "b", "?ttl=50")
            server.advance(10)
            ended = run("touch", *place(server), "dead", "b", "--json")
            self.assertEqual((ended.returncode, [d["id"] for d in lines(ended.stdout)]), (1, ["b"]))
            self.assertIn("'dead'", ended.stderr)

    def test_two_lifetimes_and_none_that_is_one_are_refused(self):
        with Server() as server:
            collection(server)
            put(server, "a")
            self.assertEqual(run("touch", *place(server), "a", "--ttl", "5", "--never").returncode, 2)
            self.assertEqual(run("touch", *place(server)).returncode, 2)
            for ttl in ("0", "9999999d"):  # the server says which it takes
                self.assertEqual(run("touch", *place(server), "a", "--ttl", ttl).returncode, 1, ttl)
            for flag, value in (("--ttl", "nonsense"), ("--ttl", "1.5"), ("--ttl", "30x"), ("--expires-at", "tomorrow")):
                refused = run("touch", *place(server), "a", flag, value)
                self.assertEqual(refused.returncode, 2, value)
                self.assertIn(f"{flag}: '{value}' is no ", refused.stderr)


class Hold(unittest.TestCase):
    def test_what_is_held_lives_until_it_is_released(self):
        with Server() as server:
            collection(server)
            for id in ("a", "b", "odd/ id"):
                put(server, id.replace("/", "%2F"), "?ttl=60")
            told = done("hold", "set", *place(server), "a", "odd/ id", "--reason", "case 7", "--author", "ann")
            self.assertEqual(told, "a: held\nodd/ id: held\n")
            server.advance(100)
            rows = table(done("hold", "list", *place(server)))
            self.assertEqual([[row[0], *row[2:]] for row in rows],
                             [["a", "ann", "-", "case 7"], ["odd/ id", "ann", "-", "case 7"]])
            held = lines(done("hold", "list", *place(server), "--json"))
            self.assertEqual(held[0]["hold"]["reason"], "case 7")
            self.assertEqual(server.get(f"{C}/documents/a").status, 200)
            self.assertEqual(done("hold", "release", *place(server), "a"), "a: released\n")
            self.assertEqual(server.get(f"{C}/documents/a").status, 404)
            again = run("hold", "release", *place(server), "a", "odd/ id")
            self.assertEqual((again.returncode, again.stdout), (1, "odd/ id: released\n"))
            self.assertEqual(table(done("hold", "list", *place(server))), [])

    def test_a_list_of_more_than_a_page_is_whole(self):
        with Server() as server:
            collection(server)
            for start in (0, 1000):
                server.must("POST", f"{APP}/transactions", {"operations": [
                    {"op": "put", "collection": "c", "id": f"d{n:04}", "data": {}} for n in range(start, start + 600)]})
            ids = [f"d{n:04}" for start in (0, 1000) for n in range(start, start + 600)]
            for at in range(0, len(ids), 300):
                done("hold", "set", *place(server), *ids[at:at + 300])
            self.assertEqual([d["id"] for d in lines(done("hold", "list", *place(server), "--json"))], ids)


class Forecast(unittest.TestCase):
    def test_the_deaths_of_the_next_hours_and_days_are_counted(self):
        with Server() as server:
            collection(server)
            for n in range(5):
                put(server, f"soon{n}", "?ttl=1800")
            put(server, "later", "?ttl=90000")
            rows = table(done("forecast", *place(server)))
            self.assertEqual((len(rows), sum(int(row[1]) for row in rows)), (24, 5))
            days = lines(done("forecast", *place(server), "--slot", "day", "--slots", "3", "--json"))
            self.assertEqual([day["deaths"]["documents"] for day in days], [5, 1, 0])
            server.advance(1800)
            self.assertEqual(sum(int(row[1]) for row in table(done("forecast", *place(server)))), 0)
            self.assertEqual(run("forecast", *place(server), "--slot", "year").returncode, 2)
            self.assertEqual(run("forecast", *place(server), "--slots", "0").returncode, 1)

    def test_a_preview_says_who_would_be_dead_and_changes_nothing(self):
        with Server() as server:
            collection(server)
            put(server, "old")
            server.advance(7200)
            put(server, "young")
            told = table(done("preview", *place(server), "1h"))
            self.assertEqual(told, [["at once", "1"], ["within a day", "2"], ["within a week", "2"]])
            as_json = lines(done("preview", *place(server), "1h", "--json"))
            self.assertEqual(as_json[0]["at_once"], {"documents": 1, "exact": True})
            for default in ("never", "none"):
                self.assertEqual({row[1] for row in table(done("preview", *place(server), default))}, {"0"})
            refused = run("preview", *place(server), "soon")
            self.assertEqual(refused.returncode, 2)
            self.assertIn("DEFAULT: 'soon' is no span of time", refused.stderr)
            self.assertEqual(server.must("GET", f"{C}/count").json["count"], 2)
            self.assertIsNone(server.must("GET", C).json["default_ttl"])


class Trash(unittest.TestCase):
    def test_what_was_removed_is_shown_restored_and_erased(self):
        with Server() as server:
            collection(server, keep_trash_for=86400, expire_to_trash=True)
            for id in "abcd":
                put(server, id, "?ttl=600" if id == "d" else "", {"n": id})
            server.must("DELETE", f"{C}/documents/a")
            server.must("DELETE", f"{C}/documents/b")
            server.advance(600)
            rows = table(done("trash", "list", *place(server)))
            self.assertEqual([(row[0], row[3]) for row in rows],
                             [("a", "removed"), ("b", "removed"), ("d", "expired")])
            self.assertEqual([d["id"] for d in lines(done("trash", "list", *place(server), "--json"))], ["a", "b", "d"])
            back = lines(done("trash", "restore", *place(server), "a", "d", "--ttl", "1h", "--json"))
            self.assertEqual([d["id"] for d in back], ["a", "d"])
            self.assertRegex(back[1]["expires_at"], r"^2026-02-27T11:10:00")
            self.assertEqual(server.get(f"{C}/documents/a").json["data"], {"n": "a"})
            self.assertEqual(run("trash", "restore", *place(server), "a").returncode, 1)
            self.assertEqual(done("trash", "empty", *place(server)), "1 erased, 0 held\n")
            self.assertEqual(table(done("trash", "list", *place(server))), [])
            self.assertEqual(server.must("GET", f"{C}/count").json["count"], 3)

    def test_a_collection_without_a_trash_says_so(self):
        with Server() as server:
            collection(server, keep_trash_for=0)
            put(server, "a")
            server.must("DELETE", f"{C}/documents/a")
            for command in (["list"], ["restore", "a"], ["restore", "a", "--json"]):
                refused = run("trash", *command, *place(server))
                self.assertEqual((refused.returncode, refused.stdout), (1, ""), command)
                self.assertEqual(refused.stderr, "mayfly: the collection keeps no trash; keep_trash_for turns it on\n")
            server.must("PATCH", C, {"keep_trash_for": 5})
            refused = run("trash", "restore", *place(server), "a")
            self.assertEqual((refused.returncode, refused.stdout), (1, ""))
            self.assertIn("the trash holds no document with the id 'a'", refused.stderr)

    def test_what_never_expires_has_a_dash_as_in_other_tables(self):
        with Server() as server:
            collection(server, keep_trash_for=3600)
            put(server, "a")
            server.must("DELETE", f"{C}/documents/a")
            self.assertEqual([row[2] for row in table(done("trash", "list", *place(server)))], ["-"])

    def test_what_is_held_stays_in_the_trash(self):
        with Server() as server:
            collection(server, keep_trash_for="forever")
            for id in "abc":
                put(server, id)
                server.must("DELETE", f"{C}/documents/{id}")
            done("hold", "set", *place(server), "b")
            self.assertEqual(done("trash", "empty", *place(server)), "2 erased, 1 held\n")
            self.assertEqual([row[0] for row in table(done("trash", "list", *place(server)))], ["b"])
            server.must("PATCH", C, {"keep_trash_for": 0})
            self.assertEqual([row[0] for row in table(done("trash", "list", *place(server)))], ["b"])


class Feed(unittest.TestCase):
    def test_a_collection_without_a_feed_says_what_turns_it_on(self):
        with Server() as server:
            collection(server, keep_feed_for=0)
            refused = server.get(f"{C}/feed")
            self.assertEqual((refused.status, refused.json["error"]["code"]), (400, "unsupported"))
            self.assertRegex(refused.json["error"]["message"], "^the collection '.*' keeps no feed; keep_feed_for turns it on$")


class Purges(unittest.TestCase):
    def records(self, server, folder, documents=250):
        """Purges written by many commits, exported."""
        collection(server, keep_purges_for="forever")
        for n in range(documents):
            put(server, f"d{n}", f"?ttl={n + 1}", {"n": n})
        for n in range(documents):
            server.must("DELETE", f"{C}/documents/d{n}")
        path = os.path.join(folder, "purges.ndjson")
        ended = run("purges", "export", *place(server), "--output", path)
        self.assertEqual(ended.returncode, 0, ended)
        self.assertEqual(ended.stderr, f"{documents} records of {documents} versions, unbroken from 1 to {documents}\n")
        return path

    def test_records_are_listed_exported_and_verified(self):
        with Server() as server, tempfile.TemporaryDirectory() as folder:
            path = self.records(server, folder)
            with open(path) as file:
                records = lines(file.read())
            self.assertEqual([r["number"] for r in records], list(range(1, 251)))
            verified = run("purges", "verify", path)
            self.assertEqual((verified.returncode, verified.stderr),
                             (0, "250 records of 250 versions, unbroken from 1 to 250\n"))
            shown = table(done("purges", "list", *place(server), "--after", "248"))
            self.assertEqual([(row[0], row[2]) for row in shown], [("249", "1 removed"), ("250", "1 removed")])
            self.assertEqual(lines(done("purges", "list", *place(server), "--after", "249", "--json")), records[249:])
            self.assertEqual(done("purges", "export", *place(server), "--after", "250"), "")
            later = done("purges", "export", *place(server), "--after", "100")
            self.assertEqual(run("purges", "verify", input=later).returncode, 0)

    def test_every_change_to_an_exported_record_is_noticed(self):
        with Server() as server, tempfile.TemporaryDirectory() as folder:
            with open(self.records(server, folder, 20)) as file:
                whole = file.read().splitlines(keepends=True)
            verify = lambda text: run("purges", "verify", input="".join(text))
            self.assertEqual(verify(whole).returncode, 0)
            changed = whole[:]
            changed[7] = changed[7].replace('"id":"d7"', '"id":"d8"')
            self.assertNotEqual(changed[7], whole[7])
            refused = verify(changed)
            self.assertEqual(refused.returncode, 1)
            self.assertIn("record 8 has been changed", refused.stderr)
            self.assertIn("unbroken from 1 to 7", refused.stderr)
            missing = verify(whole[:5] + whole[6:])
            self.assertEqual(missing.returncode, 1)
            self.assertIn("record 7 does not follow record 5", missing.stderr)
            swapped = verify(whole[:3] + [whole[4], whole[3]] + whole[5:])
            self.assertEqual(swapped.returncode, 1)
            for rubbish in ("{}\n", "nonsense\n", "\n", whole[0].replace(',"hash":', ',"hush":')):
                self.assertEqual(verify(whole[:2] + [rubbish] + whole[2:]).returncode, 1, rubbish)
            # Whoever changes a record and its hash has to change all that follow.
            line = changed[7].rstrip("\n").split(',"hash":')[0]
            forged = whole[:]
            forged[7] = f'{line},"hash":"{hashlib.sha256(line.encode()).hexdigest()}"}}\n'
            refused = verify(forged)
            self.assertIn("record 9 does not follow record 8", refused.stderr)

    def test_deaths_are_recorded_and_a_collection_without_a_record_says_so(self):
        with Server() as server:
            collection(server, keep_purges_for=86400)
            for n in range(3):
                put(server, f"d{n}", "?ttl=5")
            server.advance(5)
            server.must("POST", "/v1/sweeper/run")
            shown = table(done("purges", "list", *place(server)))
            self.assertEqual([row[2] for row in shown], ["3 expired"])
            server.must("PATCH", C, {"keep_purges_for": 0})
            refused = run("purges", "list", *place(server))
            self.assertEqual(refused.returncode, 1)
            self.assertEqual((refused.stdout, refused.stderr), ("", "mayfly: the collection keeps no record of purges; keep_purges_for turns it on\n"))
            refused = run("purges", "export", *place(server))
            self.assertEqual((refused.returncode, refused.stdout), (1, ""))
            self.assertEqual(refused.stderr, "mayfly: the collection keeps no record of purges; keep_purges_for turns it on\n")

    def test_records_behind_many_that_are_no_longer_kept_are_found(self):
        with Server() as server:
            collection(server, keep_purges_for="forever")
            for n in range(300):
                put(server, f"d{n}")
                server.must("DELETE", f"{C}/documents/d{n}")
            server.advance(1000)
            put(server, "late")
            server.must("DELETE", f"{C}/documents/late")
            server.must("PATCH", C, {"keep_purges_for": 500})
            self.assertEqual([row[0] for row in table(done("purges", "list", *place(server)))], ["301"])


if __name__ == "__main__":
    unittest.main()
