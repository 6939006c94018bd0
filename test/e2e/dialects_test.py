"""One document, written through several dialects in turn: what each of them leaves of what the others have said."""

import datetime
import json
import unittest

from server import Server

APP = "/v1/databases/app"
C = f"{APP}/collections/c"
DOCUMENTS = "/dbs/app/colls/c/docs"
RECORDS = "/data/workspace/app/api/v1/records"
KEY = {"authorization": "Bearer t"}
OLD = "2016-07-11"  # a version of the API that needs no partition key


def open_server():
    return Server(cosmos_port="0", kuzzle_port="0")


def ok(answer):
    assert 200 <= answer.status < 300, answer
    return answer


def made_by_native(server, **policy):
    server.must("PUT", APP)
    server.must("PUT", C, {"default_ttl": 3600, **policy})


def made_by_cosmos(server, **policy):
    server.must("PUT", APP)
    ok(server.ask_cosmos("POST", "/dbs/app/colls", {"id": "c", "defaultTtl": 3600}, version=OLD))
    if policy:
        server.must("PATCH", C, policy)


def cosmos_create(server, id, **members):
    return ok(server.ask_cosmos("POST", DOCUMENTS, {"id": id, **members})).json


def cosmos_put(server, id, **members):
    return ok(server.ask_cosmos("PUT", f"{DOCUMENTS}/{id}", {"id": id, **members})).json


def cosmos_patch(server, id):
    operations = [{"op": "set", "path": "/patched", "value": True}]
    return ok(server.ask_cosmos("PATCH", f"{DOCUMENTS}/{id}", {"operations": operations})).json


def cosmos_ttl(server, id):
    return ok(server.ask_cosmos("GET", f"{DOCUMENTS}/{id}")).json.get("ttl")


def parse(time):
    return datetime.datetime.fromisoformat(time.replace("Z", "+00:00"))


def death(server, id):
    """In seconds after the second of its writing; None: never."""
    document = server.must("GET", f"{C}/documents/{id}").json
    if document["expires_at"] is None:
        return None
    written, expires = (parse(document[name]) for name in ("written_at", "expires_at"))
    return round((expires - written.replace(microsecond=0)).total_seconds())


def native_put(server, id, parameters=""):
    server.must("PUT", f"{C}/documents/{id}{parameters}", {"n": 1})


def native_patch(server, id, parameters=""):
    server.must("PATCH", f"{C}/documents/{id}{parameters}", {"n": 1})


def kuzzle_replace(server, id):
    ok(server.ask_kuzzle("PUT", f"/app/c/{id}/_replace", {"n": 1}))


def kuzzle_update(server, id):
    ok(server.ask_kuzzle("PUT", f"/app/c/{id}/_update", {"n": 1}))


def centrali_patch(server, id, parameters=""):
    server.must("PATCH", f"{RECORDS}/{id}{parameters}", {"data": {"n": 1}}, headers=KEY)


def centrali_put(server, id):
    server.must("PUT", f"{RECORDS}/{id}", {"data": {"n": 1}}, headers=KEY)


MAKERS = [made_by_native, made_by_cosmos]
SILENT = [native_put, native_patch, kuzzle_replace, kuzzle_update, centrali_patch, centrali_put]
SAYS_AT = [("native", lambda s, id: native_put(s, id, "?ttl=50")),
           ("native patch", lambda s, id: native_patch(s, id, "?ttl=50")),
           ("centrali", lambda s, id: centrali_patch(s, id, "?ttlSeconds=50"))]
SAYS_NEVER = [("native", lambda s, id: native_put(s, id, "?never=true")),
              ("centrali", lambda s, id: centrali_patch(s, id, "?clearTtl=true"))]


class Lifetimes(unittest.TestCase):
    def each(self, dialects, check):
        for maker in MAKERS:
            for row in dialects:
                name, write = row if isinstance(row, tuple) else (row.__name__, row)
                with self.subTest(made=maker.__name__, by=name), open_server() as server:
                    maker(server)
                    check(server, write)

    def test_a_silent_write_of_another_dialect_keeps_what_a_body_has_said_and_the_body_says_it(self):
        def check(server, write):
            cosmos_create(server, "a", ttl=60)
            write(server, "a")
            self.assertEqual((cosmos_ttl(server, "a"), death(server, "a")), (60, 60))
            cosmos_create(server, "b", ttl=-1)
            write(server, "b")
            self.assertIsNone(death(server, "b"))
            server.advance(60)
            self.assertEqual(server.ask_cosmos("GET", f"{DOCUMENTS}/a").status, 404)

        self.each(SILENT, check)

    def test_another_lifetime_asked_for_takes_the_member_out_of_the_body(self):
        def check(server, write):
            for seconds in (60, -1):
                cosmos_create(server, f"a{seconds}", ttl=seconds)
                write(server, f"a{seconds}")
                said, dies = cosmos_ttl(server, f"a{seconds}"), death(server, f"a{seconds}")
                self.assertTrue(said is None or (said == -1 and dies is None), (said, dies))

        self.each(SAYS_AT + SAYS_NEVER, check)

    def test_a_cosmos_write_that_repeats_the_property_of_the_clock_leaves_at_and_never_of_others(self):
        writes = [lambda s, id: native_patch(s, id, "?ttl=5000"), *(write for _, write in SAYS_NEVER[1:]),
                  lambda s, id: native_patch(s, id, "?never=true")]
        for write in writes:
            with open_server() as server:
                server.must("PUT", APP)
                definition = {"id": "c", "defaultTtl": 1000, "ttlPropertyPath": "/born"}
                ok(server.ask_cosmos("POST", "/dbs/app/colls", definition, version=OLD))
                born = round(parse(server.must("GET", "/v1/clock").json["now"]).timestamp())
                cosmos_create(server, "a", born=born)
                write(server, "a")
                before = server.must("GET", f"{C}/documents/a").json["expires_at"]
                cosmos_patch(server, "a")
                cosmos_put(server, "a", born=born, n=2)
                self.assertEqual(server.must("GET", f"{C}/documents/a").json["expires_at"], before)
                cosmos_put(server, "a", born=born + 10, n=2)
                self.assertIn(death(server, "a"), range(1000, 1011))

    def test_a_cosmos_write_that_repeats_data_sets_no_lifetime_where_writers_may_set_none(self):
        with open_server() as server:
            server.must("PUT", APP)
            server.must("PUT", C, {"default_ttl": 10, "writers_may_set_ttl": False})
            for ttl in (-1, 5):
                server.must("PUT", f"{C}/documents/a", {"id": "a", "ttl": ttl})
                self.assertEqual(cosmos_put(server, "a", ttl=ttl, n=1)["ttl"], ttl)
                cosmos_patch(server, "a")
                self.assertEqual(death(server, "a"), 10)
                self.assertEqual(server.ask_cosmos("PUT", f"{DOCUMENTS}/a", {"id": "a", "ttl": 7}).status, 403)

    def test_data_of_the_name_of_a_lifetime_is_none_where_a_document_is_restored(self):
        with open_server() as server:
            server.must("PUT", APP)
            server.must("PUT", C, {"default_ttl": 10, "keep_trash_for": 10000, "expire_to_trash": True})
            for parameters, dies in (("", 10), ("?ttl=30", 30)):
                server.must("PUT", f"{C}/documents/a", {"ttl": -1})
                server.advance(11)
                server.must("POST", f"{C}/trash/a/restore{parameters}")
                self.assertEqual(server.must("GET", f"{C}/documents/a").json["data"], {"ttl": -1})
                self.assertEqual(death(server, "a"), dies)

    def test_a_silent_cosmos_write_leaves_at_and_never_of_others(self):
        def check(server, write):
            cosmos_create(server, "a")
            write(server, "a")
            before = server.must("GET", f"{C}/documents/a").json["expires_at"]
            cosmos_patch(server, "a")
            self.assertEqual(server.must("GET", f"{C}/documents/a").json["expires_at"], before)
            cosmos_put(server, "a", n=2)
            self.assertEqual(server.must("GET", f"{C}/documents/a").json["expires_at"], before)

        self.each(SAYS_AT + SAYS_NEVER, check)

    def test_a_silent_cosmos_write_takes_back_what_cosmos_has_said(self):
        for maker in MAKERS:
            with self.subTest(made=maker.__name__), open_server() as server:
                maker(server)
                for seconds in (60, -1):
                    cosmos_create(server, f"a{seconds}", ttl=seconds)
                    cosmos_put(server, f"a{seconds}", n=1)
                    self.assertEqual((cosmos_ttl(server, f"a{seconds}"), death(server, f"a{seconds}")), (None, 3600))

    def test_silence_of_cosmos_is_stamped_where_the_policy_stamps(self):
        for maker in MAKERS:
            with self.subTest(made=maker.__name__), open_server() as server:
                maker(server, stamp_ttl={"seconds": 10, "when": "creation"})
                cosmos_create(server, "a")
                self.assertEqual(death(server, "a"), 10)
                server.advance(9)
                cosmos_patch(server, "a")
                self.assertEqual(death(server, "a"), 1)

    def test_a_silent_cosmos_write_is_never_refused_for_a_lifetime(self):
        for maker in MAKERS:
            with self.subTest(made=maker.__name__), open_server() as server:
                maker(server)
                cosmos_create(server, "old", ttl=60)
                server.must("PATCH", C, {"writers_may_set_ttl": False})
                cosmos_create(server, "a")
                cosmos_put(server, "a", n=1)
                cosmos_patch(server, "a")
                cosmos_patch(server, "old")  # says what it has said before
                self.assertEqual(cosmos_ttl(server, "old"), 60)
                cosmos_put(server, "old", n=1)
                self.assertEqual(server.ask_cosmos("POST", DOCUMENTS, {"id": "b", "ttl": 5}).status, 403)

    def test_in_a_container_the_member_of_the_body_says_the_lifetime_whoever_writes_it(self):
        with open_server() as server:
            made_by_cosmos(server)
            server.must("PUT", f"{C}/documents/a", {"ttl": 60})
            ok(server.ask_kuzzle("PUT", "/app/c/b", {"ttl": 60}))
            for id in ("a", "b"):
                self.assertEqual((cosmos_ttl(server, id), death(server, id)), (60, 60))
            # What a body says is not stamped.
            server.must("PATCH", C, {"stamp_ttl": {"seconds": 5, "when": "creation"}})
            server.must("POST", f"{RECORDS}/slug/c", {"id": "d", "data": {"ttl": 60}}, headers=KEY)
            server.must("POST", f"{RECORDS}/slug/c", {"id": "e", "data": {}}, headers=KEY)
            self.assertEqual([(cosmos_ttl(server, id), death(server, id)) for id in "de"], [(60, 60), (None, 5)])
            refused = server.call("PUT", f"{C}/documents/c", {"ttl": "soon"})
            self.assertEqual((refused.status, refused.json["error"]["field"]), (400, "ttl"))
        with open_server() as server:
            made_by_native(server)
            server.must("PUT", f"{C}/documents/a", {"ttl": 60})
            self.assertEqual(death(server, "a"), 3600)


def partitioned(server, **more):
    server.must("PUT", APP)
    definition = {"id": "c", "partitionKey": {"paths": ["/pk"], "kind": "Hash", "version": 2}, **more}
    ok(server.ask_cosmos("POST", "/dbs/app/colls", definition))


def in_partition(server, method, id, pk, body=None):
    return server.ask_cosmos(method, f"{DOCUMENTS}/{id}", body, partition=[pk])


class Partitions(unittest.TestCase):
    def test_what_other_dialects_write_lies_in_the_partition_that_its_body_names(self):
        with open_server() as server:
            partitioned(server)
            server.must("PUT", f"{C}/documents/n", {"pk": "a", "n": 1})
            server.must("POST", f"{C}/documents?id=m", {"pk": "a"})
            ok(server.ask_kuzzle("PUT", "/app/c/k", {"pk": "a"}))
            ok(server.ask_kuzzle("POST", "/app/c/l/_create", {"pk": "b"}))
            server.must("POST", f"{RECORDS}/slug/c", {"id": "r", "data": {"pk": "a"}}, headers=KEY)
            server.must("POST", f"{APP}/transactions", {"operations": [
                {"op": "put", "collection": "c", "id": "t", "data": {"pk": "b"}}]})
            for id, pk in (("n", "a"), ("m", "a"), ("k", "a"), ("l", "b"), ("r", "a"), ("t", "b")):
                self.assertEqual(in_partition(server, "GET", id, pk).status, 200, id)
                self.assertEqual(in_partition(server, "DELETE", id, pk).status, 204, id)

    def test_the_native_api_names_partitions_and_takes_them(self):
        with open_server() as server:
            partitioned(server)
            server.must("PATCH", C, {"keep_trash_for": "forever", "keep_feed_for": 3600, "keep_history_for": 3600})
            for pk in ("a", "b"):
                server.must("PUT", f"{C}/documents/x", {"pk": pk})
            one = f'{C}/documents/x?partition=["a"]'
            told = server.must("GET", one).json
            self.assertEqual((told["partition"], told["data"]), (["a"], {"pk": "a"}))
            ambiguous = server.get(f"{C}/documents/x")
            self.assertEqual((ambiguous.status, ambiguous.json["error"]["field"]), (400, "partition"))
            moved = server.call("PUT", one, {"pk": "b"})
            self.assertEqual((moved.status, moved.json["error"]["field"]), (400, "partition"))
            server.must("PATCH", one, {"n": 1})
            self.assertEqual(len(server.must("GET", f'{C}/documents/x/history?partition=["a"]').json["versions"]), 2)
            server.must("PUT", f'{C}/holds/x?partition=["a"]', {"reason": "r"})
            held = server.must("GET", f"{C}/holds").json["documents"]
            self.assertEqual([(d["id"], d["partition"]) for d in held], [("x", ["a"])])
            self.assertEqual(in_partition(server, "DELETE", "x", "a").status, 403)
            server.must("DELETE", f'{C}/holds/x?partition=["a"]')
            server.must("DELETE", one)
            trash = server.must("GET", f"{C}/trash").json["documents"]
            self.assertEqual([(d["id"], d["partition"]) for d in trash], [("x", ["a"])])
            events = server.must("GET", f"{C}/feed").json["events"]
            self.assertEqual({tuple(e["partition"]) for e in events}, {("a",), ("b",)})
            server.must("POST", f'{C}/trash/x/restore?partition=["a"]')
            server.must("DELETE", f'{C}/documents/x?partition=["b"]')
            self.assertEqual(server.must("GET", f"{C}/documents/x").json["partition"], ["a"])

    def test_a_collection_without_partitions_takes_none(self):
        with open_server() as server:
            made_by_native(server)
            for method in ("PUT", "GET", "DELETE"):
                refused = server.call(method, f'{C}/documents/x?partition=["a"]', {} if method == "PUT" else None)
                self.assertEqual((refused.status, refused.json["error"]["field"]), (400, "partition"))

    def test_kuzzle_reaches_documents_by_their_ids_and_by_queries(self):
        with open_server() as server:
            partitioned(server)
            for pk in ("a", "b"):
                ok(server.ask_cosmos("POST", DOCUMENTS, {"id": "x", "pk": pk}, partition=[pk]))
            ok(server.ask_cosmos("POST", DOCUMENTS, {"id": "y", "pk": "c"}, partition=["c"]))
            self.assertEqual(ok(server.ask_kuzzle("GET", "/app/c/y")).json["result"]["_source"]["pk"], "c")
            ok(server.ask_kuzzle("PUT", "/app/c/y/_update", {"n": 1}))
            self.assertEqual(in_partition(server, "GET", "y", "c").json["n"], 1)
            gone = ok(server.ask_kuzzle("DELETE", "/app/c/_query", {"query": {}}))
            self.assertEqual(len(gone.json["result"]["ids"]), 3, gone)
            self.assertEqual(server.must("GET", f"{C}/count").json["count"], 0)

    def test_an_upsert_of_centrali_finds_documents_of_every_partition(self):
        with open_server() as server:
            partitioned(server)
            ok(server.ask_cosmos("POST", DOCUMENTS, {"id": "x", "pk": "a", "n": 1}, partition=["a"]))
            for match in ({"id": "x"}, {"n": 1}):
                body = {"structureId": "c", "match": match, "data": {"m": 2}}
                done = server.must("POST", f"{RECORDS}/upsert", body, headers=KEY).json
                self.assertEqual((done["operation"], done["data"]["id"]), ("updated", "x"), match)
            self.assertEqual(in_partition(server, "GET", "x", "a").json["m"], 2)

    def test_a_key_of_several_values_of_every_kind(self):
        with open_server() as server:
            server.must("PUT", APP)
            key = {"paths": ["/t", "/u"], "kind": "MultiHash", "version": 2}
            ok(server.ask_cosmos("POST", "/dbs/app/colls", {"id": "c", "partitionKey": key}))
            for body in ({"t": "a", "u": 1.5}, {"t": None, "u": True}, {"t": "a" * 400, "u": 2}, {"t": "z"}):
                told = server.must("PUT", f"{C}/documents/x", body).json
                found = server.must("GET", f"{C}/documents/x?partition={json.dumps(told['partition'])}").json
                self.assertEqual((found["data"], found["partition"]), (body, told["partition"]))
            self.assertEqual(server.must("GET", f"{C}/count").json["count"], 4)


class Definitions(unittest.TestCase):
    def test_replacing_a_container_changes_only_what_it_says(self):
        with open_server() as server:
            made_by_cosmos(server, keep_history_for=100, keep_feed_for=200, keep_trash_for=300)
            body = {"id": "c", "defaultTtl": 5}
            ok(server.ask_cosmos("PUT", "/dbs/app/colls/c", body, version=OLD))
            kept = ("keep_history_for", "keep_feed_for", "keep_trash_for", "default_ttl")
            told = server.must("GET", C).json
            self.assertEqual([told[name] for name in kept], [100, 200, 300, 5])
            said = {**body, "changeFeedPolicy": {"retentionDuration": 10}}
            ok(server.ask_cosmos("PUT", "/dbs/app/colls/c", said, version=OLD))
            server.must("PATCH", C, {"keep_feed_for": 900})
            # Said again, it changes nothing; taken back, it goes where it still stands.
            for definition, expected in ((said, [600, 900, 300, 5]), (body, [0, 900, 300, 5])):
                ok(server.ask_cosmos("PUT", "/dbs/app/colls/c", definition, version=OLD))
                told = server.must("GET", C).json
                self.assertEqual([told[name] for name in kept], expected)

    def test_definitions_of_centrali_and_kuzzle_change_only_what_they_say(self):
        with open_server() as server:
            made_by_native(server, keep_history_for=100, keep_feed_for=200, keep_trash_for=300)
            structure = "/workspace/app/api/v1/structures/c"
            kept = ("keep_history_for", "keep_feed_for", "keep_trash_for")
            for body, expected in (({"retentionPolicy": {"historySeconds": 50}}, [50, 200, 300]),
                                   ({"description": "d"}, [50, 200, 300]),
                                   ({"retentionPolicy": {"historySeconds": 50, "archiveSeconds": 60}}, [50, 200, 60])):
                server.must("PUT", structure, body, headers=KEY)
                told = server.must("GET", C).json
                self.assertEqual([told[name] for name in kept], expected)
            ok(server.ask_kuzzle("PUT", "/app/c", {"mappings": {"properties": {"n": {"type": "long"}}}}))
            told = server.must("GET", C).json
            self.assertEqual([told[name] for name in kept], [50, 200, 60])

    def test_a_unique_key_of_a_container_goes_only_with_it(self):
        with open_server() as server:
            server.must("PUT", APP)
            definition = {"id": "c", "partitionKey": {"paths": ["/pk"], "kind": "Hash"},
                          "uniqueKeyPolicy": {"uniqueKeys": [{"paths": ["/e"]}]}}
            ok(server.ask_cosmos("POST", "/dbs/app/colls", definition))
            dropped = server.call("DELETE", f"{C}/indexes/unique%20key%201")
            self.assertEqual(dropped.status, 403)
            self.assertEqual(dropped.json["error"]["message"],
                             "the index belongs to the definition of the collection: change that")
            answers = [server.ask_cosmos("POST", DOCUMENTS, {"id": id, "pk": "a", "e": 1}, partition=["a"]).status
                       for id in ("1", "2")]
            self.assertEqual(answers, [201, 409])

    def test_a_unique_property_of_a_structure_goes_only_with_it(self):
        with open_server() as server:
            structures = "/data/workspace/app/api/v1/structures"
            properties = [{"name": "t", "type": "string", "isUnique": True}]
            server.must("POST", structures, {"name": "c", "properties": properties}, headers=KEY)
            self.assertEqual(server.call("DELETE", f"{C}/indexes/unique_t").status, 403)
            answers = [server.call("POST", f"{RECORDS}/slug/c", {"data": {"t": "a"}}, headers=KEY).status
                       for _ in range(2)]
            self.assertEqual(answers, [201, 409])


if __name__ == "__main__":
    unittest.main()
