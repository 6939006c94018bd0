"""One document through Fauna's API and the others: each shows the same lifetime, and the same death to the microsecond."""

import datetime
import unittest

from server import Server

APP = "/v1/databases/app"
C = f"{APP}/collections/c"
DOCUMENTS = "/dbs/app/colls/c/docs"
RECORDS = "/data/workspace/app/api/v1/records"
KEY = {"authorization": "Bearer t"}
OLD = "2016-07-11"  # a version of the API that needs no partition key
MICROSECOND = datetime.timedelta(microseconds=1)


def open_server():
    return Server(cosmos_port="0", kuzzle_port="0", fauna_port="0")


def ok(answer):
    assert 200 <= answer.status < 300, answer
    return answer


def fauna(server, query, **arguments):
    return ok(server.ask_fauna(query, "secret:app:admin", arguments)).json["data"]


def parse(time):
    return datetime.datetime.fromisoformat(time.replace("Z", "+00:00"))


def render(time):
    return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def now(server):
    return parse(server.must("GET", "/v1/clock").json["now"])


def later(server, seconds):
    return render(now(server).replace(microsecond=0) + datetime.timedelta(seconds=seconds))


# --- the collection `c`, as each API makes it ---

def made_by_fauna(server, definition=""):
    server.must("PUT", APP)
    fauna(server, f'Collection.create({{ name: "c"{definition} }})')


def made_by_native(server):
    server.must("PUT", APP)
    server.must("PUT", C, {"default_ttl": 3600})


def made_by_cosmos(server):
    server.must("PUT", APP)
    ok(server.ask_cosmos("POST", "/dbs/app/colls", {"id": "c", "defaultTtl": 3600}, version=OLD))


MAKERS = [made_by_fauna, made_by_native, made_by_cosmos]


# --- where each API shows it ---

def shown_by(server, id):
    """Which APIs show the document."""
    seen = {"fauna": fauna(server, "c.byId(id).exists()", id=id),
            "fauna's sets": fauna(server, "c.where(.id == id).count()", id=id) == 1,
            "native": server.get(f"{C}/documents/{id}").status == 200,
            "cosmos": server.ask_cosmos("GET", f"{DOCUMENTS}/{id}").status == 200,
            "kuzzle": server.ask_kuzzle("GET", f"/app/c/{id}").status == 200,
            "centrali": server.get(f"{RECORDS}/{id}", headers=KEY).status == 200}
    return {name for name, is_shown in seen.items() if is_shown}


ALL = {"fauna", "fauna's sets", "native", "cosmos", "kuzzle", "centrali"}


def fauna_ttl(server, id):
    ttl = fauna(server, "c.byId(id)!.ttl", id=id)
    return ttl and parse(ttl)


def native_end(server, id):
    end = server.must("GET", f"{C}/documents/{id}").json["expires_at"]
    return end and parse(end)


def centrali_end(server, id):
    end = server.must("GET", f"{RECORDS}/{id}", headers=KEY).json["expiresAt"]
    return end and parse(end)


class Lifetimes(unittest.TestCase):
    def assert_dies(self, server, id, end):
        """Every API shows the document up to that instant, and none from it on."""
        server.set_clock(render(end - MICROSECOND))
        self.assertEqual(shown_by(server, id), ALL)
        server.set_clock(render(end))
        self.assertEqual(shown_by(server, id), set())

    def assert_shows(self, server, id, end):
        """Each API says the same end; milliseconds are the finest that Centrali has."""
        ends = [fauna_ttl(server, id), native_end(server, id)]
        self.assertEqual(ends, [end, end])
        if end is None:
            self.assertIsNone(centrali_end(server, id))
        else:
            self.assertLess(abs(centrali_end(server, id) - end), datetime.timedelta(milliseconds=1))

    def test_a_ttl_of_fauna_is_the_end_in_each_api(self):
        for maker in MAKERS:
            with self.subTest(made=maker.__name__), open_server() as server:
                maker(server)
                end = parse(later(server, 50)) + datetime.timedelta(microseconds=123_457)
                fauna(server, "c.create({ id: 7, n: 1, ttl: Time(end) })", end=render(end))
                self.assertEqual(server.must("GET", f"{C}/documents/7").json["data"], {"n": 1})
                body = ok(server.ask_cosmos("GET", f"{DOCUMENTS}/7")).json
                self.assertEqual((body["n"], body.get("ttl")), (1, None))
                self.assertEqual(ok(server.ask_kuzzle("GET", "/app/c/7")).json["result"]["_source"]["n"], 1)
                self.assert_shows(server, "7", end)
                self.assert_dies(server, "7", end)

    def test_a_ttl_of_null_is_no_end_in_any_api(self):
        for maker in MAKERS:
            with self.subTest(made=maker.__name__), open_server() as server:
                maker(server)
                fauna(server, "c.create({ id: 7, ttl: null })")
                self.assert_shows(server, "7", None)
                server.advance(100 * 86400)
                self.assertEqual(shown_by(server, "7"), ALL)

    def test_days_of_a_collection_of_fauna_stamp_what_each_api_writes(self):
        rows = [("fauna", lambda s: fauna(s, "c.create({ id: 7 })")),
                ("native", lambda s: s.must("PUT", f"{C}/documents/7", {})),
                ("cosmos", lambda s: ok(s.ask_cosmos("POST", DOCUMENTS, {"id": "7"}))),
                ("kuzzle", lambda s: ok(s.ask_kuzzle("PUT", "/app/c/7", {"a": 1}))),
                ("centrali", lambda s: s.must("POST", f"{RECORDS}/slug/c", {"id": "7", "data": {}}, headers=KEY))]
        for name, write in rows:
            with self.subTest(by=name), open_server() as server:
                made_by_fauna(server, ", ttl_days: 1")
                before = now(server)
                write(server)
                end = native_end(server, "7")
                self.assertLessEqual(before + datetime.timedelta(days=1), end)
                self.assertLess(end, before + datetime.timedelta(days=1, milliseconds=1))
                self.assert_shows(server, "7", end)
                self.assert_dies(server, "7", end)

    def test_an_end_that_another_api_sets_is_the_ttl_of_fauna(self):
        def by_cosmos(server):
            ok(server.ask_cosmos("POST", DOCUMENTS, {"id": "7", "ttl": 50}))

        def by_centrali(**lifetime):
            return lambda server: server.must("POST", f"{RECORDS}/slug/c", {"id": "7", "data": {}, **{
                name: value(server) if callable(value) else value for name, value in lifetime.items()}}, headers=KEY)

        rows = [("native", lambda s: s.must("PUT", f"{C}/documents/7?ttl=50", {})),
                ("native, an instant", lambda s: s.must("PUT", f"{C}/documents/7?expires_at={later(s, 50)}", {})),
                ("centrali", by_centrali(ttlSeconds=50)),
                ("centrali, an instant", by_centrali(expiresAt=lambda s: later(s, 50))),
                ("cosmos", by_cosmos)]
        for maker in MAKERS:
            for name, write in rows:
                if name == "cosmos" and maker is made_by_fauna:
                    continue  # a body's ttl means nothing where the container has no default
                with self.subTest(made=maker.__name__, by=name), open_server() as server:
                    maker(server)
                    write(server)
                    end = fauna_ttl(server, "7")
                    self.assertIsNotNone(end)
                    self.assertEqual(native_end(server, "7"), end)
                    self.assert_dies(server, "7", end)

    def test_no_end_that_another_api_sets_is_no_ttl(self):
        rows = [("native", lambda s: s.must("PUT", f"{C}/documents/7?never=true", {})),
                ("centrali", lambda s: s.must("POST", f"{RECORDS}/slug/c", {"id": "7", "data": {}, "clearTtl": True}, headers=KEY)),
                ("cosmos", lambda s: ok(s.ask_cosmos("POST", DOCUMENTS, {"id": "7", "ttl": -1})))]
        for maker in (made_by_native, made_by_cosmos):
            for name, write in rows:
                with self.subTest(made=maker.__name__, by=name), open_server() as server:
                    maker(server)
                    write(server)
                    self.assert_shows(server, "7", None)
                    server.advance(3600)
                    self.assertEqual(shown_by(server, "7"), ALL)

    def test_the_default_of_a_collection_ends_what_fauna_writes_silently(self):
        for maker in (made_by_native, made_by_cosmos):
            with self.subTest(made=maker.__name__), open_server() as server:
                maker(server)
                fauna(server, "c.create({ id: 7 })")
                end = native_end(server, "7")
                self.assertEqual(fauna_ttl(server, "7"), end)
                self.assert_dies(server, "7", end)

    def test_a_silent_write_of_fauna_keeps_the_end_and_a_write_that_says_one_sets_it(self):
        for maker in (made_by_fauna, made_by_native):
            with self.subTest(made=maker.__name__), open_server() as server:
                maker(server)
                server.must("PUT", f"{C}/documents/7?ttl=50", {"n": 1})
                end = native_end(server, "7")
                fauna(server, "c.byId(7)!.update({ n: 2 })")
                self.assertEqual(native_end(server, "7"), end)
                fauna(server, "c.byId(7)!.update({ ttl: null })")
                self.assertIsNone(native_end(server, "7"))
                fauna(server, "c.byId(7)!.update({ ttl: Time.now().add(20, 'seconds') })")
                self.assert_dies(server, "7", fauna_ttl(server, "7"))

    def test_a_silent_write_of_another_api_keeps_the_ttl_of_fauna(self):
        rows = [("native", lambda s: s.must("PATCH", f"{C}/documents/7", {"n": 2})),
                ("native, whole", lambda s: s.must("PUT", f"{C}/documents/7", {"n": 2})),
                ("cosmos", lambda s: ok(s.ask_cosmos("PUT", f"{DOCUMENTS}/7", {"id": "7", "n": 2}))),
                ("kuzzle", lambda s: ok(s.ask_kuzzle("PUT", "/app/c/7/_update", {"n": 2}))),
                ("centrali", lambda s: s.must("PATCH", f"{RECORDS}/7", {"data": {"n": 2}}, headers=KEY))]
        for name, write in rows:
            for ttl in ("Time.now().add(50, 'seconds')", "null"):
                with self.subTest(by=name, ttl=ttl), open_server() as server:
                    made_by_fauna(server)
                    fauna(server, f"c.create({{ id: 7, n: 1, ttl: {ttl} }})")
                    end = fauna_ttl(server, "7")
                    write(server)
                    self.assertEqual(fauna(server, "c.byId(7)!.n"), 2)
                    self.assert_shows(server, "7", end)

    def test_what_one_api_deletes_is_gone_in_all(self):
        rows = [("fauna", lambda s: fauna(s, "c.byId(7)!.delete()")),
                ("native", lambda s: s.must("DELETE", f"{C}/documents/7")),
                ("cosmos", lambda s: ok(s.ask_cosmos("DELETE", f"{DOCUMENTS}/7"))),
                ("kuzzle", lambda s: ok(s.ask_kuzzle("DELETE", "/app/c/7"))),
                ("centrali", lambda s: s.must("DELETE", f"{RECORDS}/7", headers=KEY))]
        for name, remove in rows:
            with self.subTest(by=name), open_server() as server:
                made_by_fauna(server)
                fauna(server, "c.create({ id: 7, ttl: Time.now().add(50, 'seconds') })")
                self.assertEqual(shown_by(server, "7"), ALL)
                remove(server)
                self.assertEqual(shown_by(server, "7"), set())
                fauna(server, "c.create({ id: 7, n: 2 })")
                self.assertEqual(shown_by(server, "7"), ALL)

    def test_what_has_died_in_one_api_is_made_again_by_another(self):
        with open_server() as server:
            made_by_fauna(server)
            fauna(server, "c.create({ id: 7, n: 1, ttl: Time.now().add(5, 'seconds') })")
            server.advance(5)
            server.must("POST", f"{C}/documents?id=7", {"n": 2})
            self.assertEqual(fauna(server, "c.byId(7)!.n"), 2)
            server.must("PUT", f"{C}/documents/8?ttl=5", {"n": 1})
            server.advance(5)
            fauna(server, "c.create({ id: 8, n: 3 })")
            self.assertEqual(ok(server.ask_cosmos("GET", f"{DOCUMENTS}/8")).json["n"], 3)

    def test_events_of_fauna_tell_of_what_the_other_apis_write_and_of_no_death(self):
        with open_server() as server:
            made_by_fauna(server)
            source = fauna(server, "c.all().map(.n).eventSource()")
            server.must("PUT", f"{C}/documents/1?ttl=5", {"n": 1})
            ok(server.ask_cosmos("POST", DOCUMENTS, {"id": "2", "n": 2}))
            ok(server.ask_kuzzle("PUT", "/app/c/3", {"n": 3}))
            server.must("POST", f"{RECORDS}/slug/c", {"id": "4", "data": {"n": 4}}, headers=KEY)
            server.advance(5)
            server.must("DELETE", f"{C}/documents/2")
            page = ok(server.call("POST", "/feed/1", {"token": source}, {"authorization": "Bearer secret:app:admin"},
                                  host=server.fauna)).json
            events = [(event["type"], int(event["data"]["@int"])) for event in page["events"]]
            self.assertEqual(events, [("add", 1), ("add", 2), ("add", 3), ("add", 4), ("remove", 2)])


if __name__ == "__main__":
    unittest.main()
