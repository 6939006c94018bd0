"""The hard cases of the law of lifetime that the native API can say, against the real server."""

import threading
import unittest

from server import NOON, Server

APP = "/v1/databases/app"


def collection(server, name="c", **policy):
    server.must("PUT", APP)
    server.must("PUT", f"{APP}/collections/{name}", policy)
    return f"{APP}/collections/{name}"


def put(server, c, id, body=None, **parameters):
    query = "&".join(f"{k}={v}" for k, v in parameters.items())
    return server.must("PUT", f"{c}/documents/{id}?{query}", body or {}).json


def listed(server, c):
    by_list = [d["id"] for d in server.must("GET", f"{c}/documents").json["documents"]]
    by_query = [d["id"] for d in server.must("POST", f"{c}/query", {}).json["documents"]]
    count = server.must("GET", f"{c}/count").json["count"]
    one_by_one = [id for id in by_list if server.get(f"{c}/documents/{id}").status == 200]
    assert by_list == by_query == one_by_one and count == len(by_list), (by_list, by_query, count)
    return by_list


class Lifetime(unittest.TestCase):
    def test_1_changes_of_the_default_and_who_dies_of_them(self):
        with Server("--sweeper-paused") as server:
            c = collection(server)
            put(server, c, "old")
            server.advance(100)
            put(server, c, "young")
            put(server, c, "kept", never="true")
            self.assertEqual(listed(server, c), ["kept", "old", "young"])
            server.must("PATCH", c, {"default_ttl": 60})
            self.assertEqual(listed(server, c), ["kept", "young"])
            for default in ("never", None, 1_000_000):
                server.must("PATCH", c, {"default_ttl": default})
                self.assertEqual(listed(server, c), ["kept", "young"], default)
            server.restart("kill")
            self.assertEqual(listed(server, c), ["kept", "young"])
            server.must("POST", "/v1/sweeper/run")
            self.assertEqual(listed(server, c), ["kept", "young"])

    def test_2_lifetimes_that_are_none_are_refused_by_name(self):
        with Server() as server:
            c = collection(server)
            for value in ("0", "-1", "-5", "1.5", "2147483648", "abc", "", "1e3", "null", "9" * 30):
                refused = server.call("PUT", f"{c}/documents/a?ttl={value}", {})
                self.assertEqual(refused.status, 400, value)
                self.assertEqual(refused.json["error"]["field"], "ttl", value)
            for value in ("notadate", "2026-02-30T00:00:00Z", "10000-01-01T00:00:00Z", "2020-01-01T00:00:00Z"):
                refused = server.call("PUT", f"{c}/documents/a?expires_at={value}", {})
                self.assertEqual((refused.status, refused.json["error"]["field"]), (400, "expires_at"), value)
            put(server, c, "a", ttl=2147483647)
            self.assertEqual(listed(server, c), ["a"])

    def test_3_an_update_at_or_after_the_death_finds_nothing(self):
        with Server("--sweeper-paused") as server:
            c = collection(server)
            a = put(server, c, "a", ttl=10)
            put(server, c, "b", ttl=10)
            server.set_clock("2026-02-27T10:00:09Z")
            self.assertEqual(server.call("PATCH", f"{c}/documents/a?ttl=100", {"n": 1}).status, 200)
            self.assertEqual(listed(server, c), ["a", "b"])
            server.set_clock("2026-02-27T10:00:11Z")
            self.assertEqual(server.call("PATCH", f"{c}/documents/b?ttl=100", {"n": 1}).status, 404)
            self.assertEqual(listed(server, c), ["a"])
            self.assertNotEqual(a["expires_at"], server.get(f"{c}/documents/a").json["expires_at"])

    def test_4_an_id_of_the_dead_is_free_and_both_lives_are_told_of(self):
        with Server("--sweeper-paused") as server:
            c = collection(server)
            first = put(server, c, "a", {"n": 1}, ttl=10)
            server.advance(20)
            second = server.must("PUT", f"{c}/documents/a", {"n": 2}, {"if-none-match": "*"}).json
            self.assertGreater(second["created_at"], first["expires_at"])
            self.assertEqual(second["revision"], 1)
            server.must("POST", "/v1/sweeper/run")
            events = server.must("GET", f"{c}/feed").json["events"]
            self.assertEqual([e["kind"] for e in events], ["created", "created", "expired"])
            self.assertEqual(events[2]["version_at"], first["written_at"])
            self.assertEqual(events[2]["death"], first["expires_at"])
            self.assertEqual(server.get(f"{c}/documents/a").json["data"], {"n": 2})

    def test_5_a_condition_on_the_dead_is_not_found_never_a_failed_precondition(self):
        with Server("--sweeper-paused") as server:
            c = collection(server)
            server.must("PUT", f"{c}/documents/a?ttl=10", {})
            etag = server.get(f"{c}/documents/a").headers["ETag"]
            server.advance(10)
            for method in ("PUT", "PATCH", "DELETE"):
                answer = server.call(method, f"{c}/documents/a", {}, {"if-match": etag})
                self.assertEqual(answer.status, 404, method)

    def test_6_the_clock_does_not_go_back(self):
        with Server() as server:
            c = collection(server)
            put(server, c, "a", ttl=10)
            self.assertEqual(listed(server, c), ["a"])
            server.advance(365 * 86400)
            self.assertEqual(server.call("POST", "/v1/clock", {"set": NOON}).status, 400)
            server.kill()
            server.clock = f"virtual:{NOON}"
            server.start()
            self.assertEqual(server.get("/v1/clock").json["now"][:4], "2027")
            self.assertEqual(listed(server, c), [])

    def test_8_a_page_lacks_what_died_since_the_page_before(self):
        with Server("--sweeper-paused") as server:
            c = collection(server)
            for n in range(6):
                put(server, c, f"d{n}", {"n": n}, **({"ttl": 10} if n % 2 else {}))
            page = server.must("GET", f"{c}/documents?limit=2&sort=n").json
            self.assertEqual([d["id"] for d in page["documents"]], ["d0", "d1"])
            server.advance(10)
            rest = []
            while page["next"]:
                page = server.must("GET", f"{c}/documents?limit=2&sort=n&page={page['next']}").json
                rest += [d["id"] for d in page["documents"]]
            self.assertEqual(rest, ["d2", "d4"])

    def test_9_history_shows_the_living_and_after_its_retention_nothing(self):
        with Server() as server:
            c = collection(server, keep_history_for=3600)
            put(server, c, "a", {"n": 1}, ttl=600)
            server.set_clock("2026-02-27T10:20:00Z")
            then = f"{c}/documents/a?as_of="
            self.assertEqual(server.get(then + "2026-02-27T10:05:00Z").json["data"], {"n": 1})
            self.assertEqual(server.get(then + "2026-02-27T10:15:00Z").status, 404)
            server.must("POST", "/v1/sweeper/run")
            server.restart()
            self.assertEqual(server.get(then + "2026-02-27T10:05:00Z").json["data"], {"n": 1})
            server.set_clock("2026-02-27T12:00:00Z")
            self.assertEqual(server.get(then + "2026-02-27T10:05:00Z").status, 400)

    def test_10_the_trash_holds_nobody_past_his_death(self):
        with Server() as server:
            c = collection(server, keep_trash_for=86400)
            put(server, c, "a", {"n": 1}, ttl=600)
            put(server, c, "b", {"n": 2})
            for id in "ab":
                self.assertIn(server.call("DELETE", f"{c}/documents/{id}").status, (200, 204))
            trash = lambda: [d["id"] for d in server.must("GET", f"{c}/trash").json["documents"]]
            self.assertEqual(trash(), ["a", "b"])
            server.advance(600)
            self.assertEqual(trash(), ["b"])
            self.assertEqual(server.call("POST", f"{c}/trash/a/restore").status, 404)
            server.must("POST", f"{c}/trash/b/restore")
            self.assertEqual(server.get(f"{c}/documents/b").json["data"], {"n": 2})

    def test_11_a_default_and_indexing_off_exclude_each_other(self):
        with Server() as server:
            c = collection(server, indexed=False)
            self.assertEqual(server.call("PATCH", c, {"default_ttl": 10}).status, 400)
            server.must("PATCH", c, {"indexed": True, "default_ttl": 10})
            self.assertEqual(server.call("PATCH", c, {"indexed": False}).status, 400)

    def test_deaths_leave_by_themselves_when_the_clock_moves(self):
        with Server() as server:
            c = collection(server)
            for n in range(50):
                put(server, c, f"d{n}", ttl=10)
            server.advance(10)
            self.assertEqual(listed(server, c), [])
            while server.must("GET", "/v1/sweeper").json["expired"] < 50:
                pass
            events = server.must("GET", f"{c}/feed?limit=1000").json["events"]
            self.assertEqual(sum(e["kind"] == "expired" for e in events), 50)

    def test_what_was_acknowledged_survives_a_kill(self):
        with Server() as server:
            c = collection(server)
            acknowledged = []

            def write(worker):
                for n in range(1000):
                    try:
                        put(server, c, f"w{worker}-{n}", {"n": n})
                    except (OSError, AssertionError):
                        return
                    acknowledged.append(f"w{worker}-{n}")

            workers = [threading.Thread(target=write, args=(w,)) for w in range(4)]
            for worker in workers:
                worker.start()
            while len(acknowledged) < 200:
                pass
            server.kill()
            for worker in workers:
                worker.join()
            server.start()
            for id in acknowledged:
                self.assertEqual(server.get(f"{c}/documents/{id}").status, 200, id)


if __name__ == "__main__":
    unittest.main()
