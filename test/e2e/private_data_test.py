"""A dialect's own data (users, passwords, keys, webhooks and their secrets, scripts): no port lists, reads, writes or drops it.
The ways come from the ports' own descriptions of themselves; each is tried with each private name."""

import base64
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tarfile
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
for folder in ("law", "hostile", "golden"):
    sys.path.insert(0, str(HERE.parent / folder))
import questions  # noqa: E402
from service import BINARY, Service, quote  # noqa: E402
from websocket import WebSocket  # noqa: E402

BOSS = {"username": "boss", "password": "a password that no answer shows"}
HOOK = "https://8.8.8.8/hook"
# Databases in which such data lies or lay, and what their names begin with.
DATABASES = ["#kuzzle", "#kuzzle.memory", "#fauna", "#server", "%kuzzle", "#", "#kuzzle.2"]
IN_THEM = ["users", "#secrets", "profiles", "roles", "passwords", "endedTokens", "secrets", "apiKeys", "autoRefresh",
           "memoryStorage", "origin of events", "standing subscriptions"]
# Collections of a user's database in which such data lies or lay.
IN_SHOP = ["#fauna", "#centrali.webhooks", "#centrali.deliveries", "centrali.webhooks", "centrali.deliveries", "#resources",
           "#attachments.20", "#subscriptions", "#subscriptions.progress", "#subscriptions.dead", "#subscriptions.log", "#centrali.functions",
           "#centrali.triggers", "#centrali.runs", "#centrali.chains", "#"]
PLACES = [(d, c) for d in DATABASES for c in IN_THEM] + [("shop", c) for c in IN_SHOP]
# What a stored secret or a private place looks like in an answer.
SECRETS = ["whsec_", "scrypt", "passwordHash", "profileIds", "\"kid\"", "%kuzzle", "centrali.webhooks", "centrali.deliveries",
           "#resources", "#attachments"]


def ok(answer):
    assert 200 <= answer.status < 300, repr(answer)
    return answer.json


class Ways:
    """Every request that an open server might take for one about its own data."""

    def __init__(self, service, headers):
        self.service, self.headers = service, headers

    def native(self):
        bodies = {"transactions": {"operations": [{"op": "put", "collection": "users", "id": "eve", "data": {}}]},
                  "query": {}, "preview": {"default_ttl": 1}, "indexes": {"name": "i", "fields": [{"path": "a"}]}}
        paths = self.service.must("GET", "/v1/openapi.json")["paths"]
        for path, methods in paths.items():
            if "{database}" not in path:
                continue
            for database, collection in PLACES:
                if "{collection}" not in path and (database == "shop" or collection != IN_THEM[0]):
                    continue
                real = path.replace("{database}", quote(database)).replace("{collection}", quote(collection))
                real = real.replace("{id}", "boss").replace("{index}", "due")
                for method in methods:
                    yield method.upper(), real, bodies.get(path.split("/")[-1], {})

    def kuzzle_http(self):
        for routes in self.kuzzle_api().values():
            for route in (route for action in routes.values() for route in action.get("http", [])):
                if ":index" not in route["url"]:
                    continue
                for database, collection in PLACES:
                    if database == "shop" and ":collection" not in route["url"]:
                        continue  # an index of its user
                    url = route["url"].replace(":index", quote(database)).replace(":collection", quote(collection))
                    yield route["verb"], url.replace(":_id", "boss"), {"ids": ["boss"], "body": {}}

    def kuzzle_messages(self):
        body = {"ids": ["boss"], "documents": [{"_id": "boss", "body": {"profileIds": ["admin"]}}], "query": {},
                "bulkData": [{"index": {"_id": "eve"}}, {"profileIds": ["admin"]}], "profileIds": ["admin"]}
        for controller in ("document", "trash", "collection", "realtime", "index", "bulk"):
            for action in self.kuzzle_api().get(controller, {}):
                for database, collection in PLACES:
                    yield {"controller": controller, "action": action, "index": database, "collection": collection,
                           "_id": "boss", "body": body, "jwt": self.headers["authorization"].removeprefix("Bearer ")}

    def kuzzle_api(self):
        return ok(self.service.kuzzle("GET", "/_publicApi", None, self.headers))["result"]

    def cosmos(self):
        for database, collection in PLACES:
            db = f"/dbs/{quote(database)}"
            if database != "shop" and collection == IN_THEM[0]:
                yield from self.cosmos_database(db)
            yield from self.cosmos_collection(f"{db}/colls/{quote(collection)}")

    def cosmos_database(self, db):
        for method, path, body in [("GET", db, None), ("GET", f"{db}/colls", None), ("POST", f"{db}/colls", {"id": "mine"}),
                                   ("GET", f"{db}/users", None), ("POST", f"{db}/users", {"id": "eve"}), ("DELETE", db, None)]:
            yield method, path, body, {}

    def cosmos_collection(self, coll):
        query = {"content-type": "application/query+json", "x-ms-documentdb-isquery": "true",
                 "x-ms-documentdb-query-enablecrosspartition": "true"}
        key = {"x-ms-documentdb-partitionkey": '["boss"]'}
        for method, path, body, headers in [
                ("GET", coll, None, {}), ("PUT", coll, {"id": "users", "defaultTtl": 1}, {}), ("GET", f"{coll}/pkranges", None, {}),
                ("GET", f"{coll}/docs", None, {}), ("GET", f"{coll}/docs", None, {"a-im": "Incremental feed"}),
                ("POST", f"{coll}/docs", {"query": "SELECT * FROM c", "parameters": []}, query),
                ("POST", f"{coll}/docs", {"id": "eve", "profileIds": ["admin"]}, key),
                ("GET", f"{coll}/docs/boss", None, key), ("PUT", f"{coll}/docs/boss", {"id": "boss"}, key),
                ("PATCH", f"{coll}/docs/boss", {"operations": [{"op": "set", "path": "/a", "value": 1}]}, key),
                ("GET", f"{coll}/docs/boss/attachments", None, key), ("GET", f"{coll}/sprocs", None, {}),
                ("POST", f"{coll}/sprocs", {"id": "mine", "body": "function () {}"}, {}), ("GET", f"{coll}/conflicts", None, {}),
                ("DELETE", f"{coll}/docs/boss", None, key), ("DELETE", coll, None, {})]:
            yield method, path, body, headers

    def centrali(self):
        slugs = IN_THEM + IN_SHOP
        for workspace in DATABASES + ["shop"]:
            base = f"/data/workspace/{quote(workspace)}/api/v1"
            for slug in map(quote, slugs):
                for method, path, body in [
                        ("GET", f"structures/{slug}", None), ("PUT", f"structures/{slug}", {"name": "x"}),
                        ("DELETE", f"structures/{slug}", None), ("GET", f"records/slug/{slug}", None),
                        ("POST", f"records/slug/{slug}", {"data": {}}), ("POST", "records", {"structureId": slug, "data": {}}),
                        ("GET", f"records/boss?structureId={slug}", None), ("GET", f"records/matched?structureId={slug}", None),
                        ("DELETE", f"records/boss?structureId={slug}", None),
                        ("POST", f"records/slug/{slug}/query", {"filter": {}})]:
                    yield method, f"{base}/{path}", body


class Tables(unittest.TestCase):
    def test_every_private_table_is_among_those_asked_for(self):
        folder = HERE.parent.parent / "src" / "dialect"
        sources = [p.read_text() for p in folder.rglob("*") if p.suffix in (".h", ".cc") and not p.name.endswith("_test.cc")]
        text = "\n".join(sources)
        constants = dict(re.findall(r'std::string_view (\w+) =\s+"([^"]+)"', text))
        tables = re.findall(r"PrivateSpec (?:\w+::)?table\(\) \{.*?return \{\.name = (\w+)", text, re.DOTALL)
        self.assertGreater(len(tables), 12)
        for name in tables:
            table = constants[name]
            with self.subTest(table):
                self.assertTrue(any(known.startswith(table) for known in IN_THEM + IN_SHOP))


class Base(unittest.TestCase):
    """What every directory must pass, whoever made it."""

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__()

    @classmethod
    def take(cls, service, admin, workspace):
        cls.service, cls.admin, cls.workspace = service, admin, workspace
        cls.ways = Ways(service, cls.log_in())

    @classmethod
    def log_in(cls):
        return {"authorization": "Bearer " + ok(cls.service.kuzzle("POST", "/_login/local", cls.admin))["result"]["jwt"]}

    def tearDown(self):
        """The owners still find everything."""
        headers = self.log_in()
        users = ok(self.service.kuzzle("POST", "/users/_search", {}, headers))["result"]["hits"]
        self.assertIn("boss", [user["_id"] for user in users])
        self.assertNotIn("eve", [user["_id"] for user in users])
        hooks = ok(self.service.centrali("GET", f"/data/workspace/{self.workspace}/api/v1/webhook-subscriptions"))
        self.assertEqual(len(hooks["data"] if isinstance(hooks, dict) else hooks), 1, hooks)

    def shows_nothing(self, answer, where):
        for secret in SECRETS:
            self.assertNotIn(secret, answer.text, where)

    def refused(self, answer, where, statuses=(400, 404)):
        with self.subTest(where):
            self.assertIn(answer.status, statuses, answer)
            for secret in ("whsec_", "scrypt", "passwordHash", '"kid"'):
                self.assertNotIn(secret, answer.text)

    def test_no_list_has_it(self):
        s = self.service
        for path in ("/v1/databases", f"/v1/databases/{self.workspace}/collections", "/v1/sweeper", "/metrics", "/ready", "/v1"):
            self.shows_nothing(s.native("GET", path), path)
        for path in ("/dbs", f"/dbs/{self.workspace}/colls", "/offers"):
            self.shows_nothing(s.cosmos("GET", path), path)
        for path in ("/_list", f"/{self.workspace}/_list", "/_storageStats", "/_serverInfo"):
            self.shows_nothing(s.kuzzle("GET", path, None, self.log_in()), path)
        self.shows_nothing(s.centrali("GET", f"/data/workspace/{self.workspace}/api/v1/structures"), "structures")

    def test_native(self):
        for method, path, body in self.ways.native():
            if method == "PUT" and path == "/v1/databases/%25kuzzle":
                continue  # a name like any other: Restarts shows what it leads to
            if method == "PUT" and path.endswith(("/centrali.webhooks", "/centrali.deliveries")):
                continue
            self.refused(self.service.native(method, path, body), f"{method} {path}")

    def test_native_transactions(self):
        for name in IN_SHOP:
            for operation in ({"op": "put", "data": {}}, {"op": "patch", "data": {}}, {"op": "remove"}):
                body = {"operations": [{**operation, "collection": name, "id": "boss"}]}
                path = f"/v1/databases/{self.workspace}/transactions"
                self.refused(self.service.native("POST", path, body), f"{operation['op']} {name}")

    def test_kuzzle(self):
        for method, path, body in self.ways.kuzzle_http():
            if path == "/%25kuzzle/_create" or "centrali" in path:
                continue
            answer = self.service.kuzzle(method, path, body, self.log_in() if not self.ways.headers else self.ways.headers)
            with self.subTest(f"{method} {path}"):
                self.shows_no_user(answer.text)

    def test_kuzzle_over_a_socket(self):
        socket = WebSocket(self.service.ports["kuzzle"])
        heard = []
        for message in self.ways.kuzzle_messages():
            if message["collection"].startswith("centrali"):
                continue
            if message["controller"] == "index" and message["index"] != "#kuzzle":
                continue
            answer = socket.ask({**message, "requestId": "mine"})
            while answer.get("requestId") != "mine":
                heard.append(answer)
                answer = json.loads(socket.read())
            with self.subTest(f"{message['controller']}:{message['action']} {message['index']}/{message['collection']}"):
                self.shows_no_user(json.dumps(answer))
        # A subscription may name what is not there; it hears nothing of users that are made and go.
        ok(self.service.kuzzle("POST", "/roles/nothing/_create", {"controllers": {"ms": {"actions": {"get": True}}}}, self.ways.headers))
        ok(self.service.kuzzle("DELETE", "/roles/nothing", None, self.ways.headers))
        answer = socket.ask({"controller": "server", "action": "now", "requestId": "last"})
        while answer.get("requestId") != "last":
            heard.append(answer)
            answer = json.loads(socket.read())
        self.assertEqual([], heard)
        socket.close()

    def shows_no_user(self, text):
        for secret in ("whsec_", "scrypt", '"boss", "_version"', '"_source"'):
            self.assertNotIn(secret, text)

    def test_cosmos(self):
        for method, path, body, headers in self.ways.cosmos():
            # Whoever may make containers may make one of that name, which is then its own.
            self.refused(self.service.cosmos(method, path, body, headers), f"{method} {path}")

    def test_cosmos_by_id(self):
        """Each id that a database or a collection of it could have."""
        shown = {d["id"] for d in ok(self.service.cosmos("GET", "/dbs"))["Databases"]}
        for database in range(1, 30):
            raw = struct.pack(">I", database)
            rid = base64.b64encode(raw).decode().replace("/", "-")
            answer = self.ask_by_id("GET", f"/dbs/{rid}", "dbs", rid)
            if answer.status == 200:
                self.assertIn(answer.json["id"], shown)
            else:
                self.assertEqual(answer.status, 404, answer)
            for collection in range(1, 30):
                coll = base64.b64encode(raw + struct.pack(">I", collection | 0x80000000)).decode().replace("/", "-")
                for kind, path in (("colls", ""), ("docs", "/docs")):
                    answer = self.ask_by_id("GET", f"/dbs/{rid}/colls/{coll}{path}", kind, coll)
                    self.shows_nothing(answer, (database, collection))
                if answer.status == 404:
                    self.assertEqual(404, self.ask_by_id("DELETE", f"/dbs/{rid}/colls/{coll}", "colls", coll).status)

    def ask_by_id(self, method, path, kind, rid):
        import hashlib
        import hmac
        from service import COSMOS_DATE, COSMOS_KEY
        text = f"{method.lower()}\n{kind}\n{rid.lower()}\n{COSMOS_DATE}\n\n".encode()
        signature = base64.b64encode(hmac.new(COSMOS_KEY, text, hashlib.sha256).digest()).decode()
        headers = {"authorization": quote(f"type=master&ver=1.0&sig={signature}")}
        return self.service.cosmos(method, path, None, headers)

    def test_centrali(self):
        for method, path, body in self.ways.centrali():
            self.refused(self.service.centrali(method, path, body), f"{method} {path}", (400, 404, 405))

    def test_command_line(self):
        url = f"http://127.0.0.1:{self.service.ports['native']}"
        for database, collection in [("#kuzzle", "users"), ("%kuzzle", "users"), (self.workspace, "#centrali.webhooks")]:
            for command in (["export"], ["import"], ["forecast"], ["hold", "list"], ["purges"], ["trash", "list"], ["touch"]):
                place = [database, collection] if command != ["touch"] else [database, collection, "boss"]
                done = subprocess.run([BINARY, *command, *place, "--url", url], input='{"id":"eve","data":{}}\n', text=True,
                                      capture_output=True, timeout=60)
                with self.subTest(f"{command} {place}"):
                    self.assertNotEqual(done.returncode, 0, done.stdout)
                    for secret in ("whsec_", "scrypt", "profileIds"):
                        self.assertNotIn(secret, done.stdout + done.stderr)


class FreshDirectory(Base):
    @classmethod
    def setUpClass(cls):
        service = Service(data=None)
        service.must("PUT", "/v1/databases/shop")
        service.must("PUT", "/v1/databases/shop/collections/orders")
        ok(service.kuzzle("POST", "/boss/_createFirstAdmin", {"content": {}, "credentials": {"local": BOSS}}))
        ok(service.centrali("POST", "/data/workspace/shop/api/v1/webhook-subscriptions", {"name": "mine", "url": HOOK}))
        cls.take(service, BOSS, "shop")
        cls.fill_every_table()
        functions = "/data/workspace/shop/api/v1"
        made = ok(service.centrali("POST", f"{functions}/compute-functions", {"name": "f", "code": "function run() {}"}))
        hidden = {"key": {"value": "whsec_of_a_trigger", "encrypt": True}}
        ok(service.centrali("POST", f"{functions}/function-triggers",
                            {"name": "t", "functionId": made["id"], "executionType": "event-driven",
                             "triggerMetadata": {"event": "record_expired", "params": hidden}}))
        service.must("POST", "/v1/databases/shop/subscriptions", {"target": {"webhook": {"url": HOOK}}})

    @classmethod
    def fill_every_table(cls):
        s, headers = cls.service, cls.log_in()
        ok(s.kuzzle("POST", "/users/boss/api-keys/_create", {"description": "mine"}, headers))
        ok(s.kuzzle("POST", "/shop/_autoRefresh", {"autoRefresh": True}, headers))
        ok(s.kuzzle("POST", "/_logout", None, headers))
        files = ok(s.cosmos("POST", "/dbs/shop/colls", {"id": "files", "partitionKey": {"paths": ["/pk"]}}))
        number = struct.unpack(">I", base64.b64decode(files["_rid"].replace("-", "/"))[4:8])[0] & 0x7FFFFFFF
        assert f"#attachments.{number}" in IN_SHOP, number
        key = {"x-ms-documentdb-partitionkey": '["a"]'}
        ok(s.cosmos("POST", "/dbs/shop/colls/files/docs", {"id": "1", "pk": "a"}, key))
        photo = {"id": "photo", "contentType": "text/plain", "media": "http://store/1"}
        ok(s.cosmos("POST", "/dbs/shop/colls/files/docs/1/attachments", photo, key))
        ok(s.cosmos("POST", "/dbs/shop/colls/files/udfs", {"id": "f", "body": "function () {}"}))
        ok(s.cosmos("POST", "/dbs/shop/users", {"id": "ann"}))

    def tearDown(self):
        super().tearDown()
        key = {"x-ms-documentdb-partitionkey": '["a"]'}
        for path, headers in [("users/ann", {}), ("colls/files/udfs/f", {}), ("colls/files/docs/1/attachments/photo", key)]:
            ok(self.service.cosmos("GET", f"/dbs/shop/{path}", None, headers))
        keys = ok(self.service.kuzzle("POST", "/users/boss/api-keys/_search", {}, self.log_in()))
        self.assertEqual(keys["result"]["total"], 1)

    def test_what_lists_many_leaves_it_out(self):
        """Actions that go over indexes by themselves."""
        bulk = {"bulkData": [{"index": {"_index": "#kuzzle", "_type": "users", "_id": "eve"}}, {"profileIds": ["admin"]}]}
        self.service.kuzzle("POST", "/_bulk", bulk, self.ways.headers)
        self.service.kuzzle("DELETE", "/_mdelete", {"indexes": ["#kuzzle", "%kuzzle"]}, self.ways.headers)

    def test_no_wildcard_or_beginning_of_a_name_leads_to_it(self):
        socket = WebSocket(self.service.ports["kuzzle"])
        body = {"query": {}, "ids": ["boss"], "indexes": ["*", "#*"], "collections": ["*"], "bulkData": []}
        for controller in ("document", "trash", "collection", "index", "bulk"):
            for action in self.ways.kuzzle_api().get(controller, {}):
                for index, collection in [("*", "*"), ("#*", "users"), ("#kuzzl", "users"), ("_all", "_all"),
                                          ("#kuzzle,shop", "users"), ("shop", "#*"), ("shop", "#resources,orders")]:
                    if controller == "index" and index == "shop":
                        continue  # an index of its user
                    answer = socket.ask({"controller": controller, "action": action, "index": index, "collection": collection,
                                         "_id": "boss", "body": body,
                                         "jwt": self.ways.headers["authorization"].removeprefix("Bearer ")})
                    with self.subTest(f"{controller}:{action} {index}/{collection}"):
                        self.shows_no_user(json.dumps(answer))
        socket.close()

    def test_actions_of_administrators(self):
        for index, collection in PLACES:
            if not index.startswith("#") and not collection.startswith("#"):
                continue  # a name like any other
            for action, what in [("_loadMappings", {}), ("_loadFixtures", [{"create": {"_id": "eve"}}, {"profileIds": ["admin"]}])]:
                answer = self.service.kuzzle("POST", f"/admin{action}", {index: {collection: what}}, self.ways.headers)
                self.refused(answer, f"{action} {index}/{collection}", (400, 404, 412))
        ok(self.service.kuzzle("POST", "/admin/_resetDatabase", {}, self.ways.headers))


class DirectoryOfBefore(Base):
    """One whose private data lay under names that all could read (golden/write.py)."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="mayfly-private-")
        with tarfile.open(HERE.parent / "golden" / "format-1.tar.gz") as archive:
            archive.extractall(cls.folder.name)
        os.chmod(data := os.path.join(cls.folder.name, "data"), 0o700)
        cls.take(Service("--sweeper-paused", data=data, clock="virtual"), questions.ADMIN, "shelf")

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.folder.cleanup()


class Restarts(unittest.TestCase):
    """Whoever takes one of the former names has made something of its own, at every later start, too."""

    def test_a_former_name_gives_no_rights(self):
        with Service(data=None) as s:
            for how in ("stop", "kill"):
                s.native("PUT", "/v1/databases/%25kuzzle")
                s.native("PUT", "/v1/databases/%25kuzzle/collections/users")
                s.must("PUT", "/v1/databases/%25kuzzle/collections/users/documents/eve", {"profileIds": ["admin"]})
                getattr(s, how)()
                s.start()
                self.assertIn("%kuzzle", [d["name"] for d in s.must("GET", "/v1/databases")["databases"]])
                s.must("GET", "/v1/databases/%25kuzzle/collections/users/documents/eve")
                exists = ok(s.kuzzle("GET", "/_adminExists"))["result"]["exists"]
                self.assertFalse(exists)
            ok(s.kuzzle("POST", "/boss/_createFirstAdmin", {"content": {}, "credentials": {"local": BOSS}}))
            s.stop()
            s.start()
            headers = {"authorization": "Bearer " + ok(s.kuzzle("POST", "/_login/local", BOSS))["result"]["jwt"]}
            users = ok(s.kuzzle("POST", "/users/_search", {}, headers))["result"]["hits"]
            self.assertEqual(["boss"], [user["_id"] for user in users])
            s.must("DELETE", "/v1/databases/%25kuzzle")
            ok(s.kuzzle("POST", "/_login/local", BOSS))

    def test_internal_names_are_made_by_no_port(self):
        with Service() as s:
            s.must("PUT", "/v1/databases/shop")
            answers = [s.native("PUT", "/v1/databases/%23mine"), s.native("POST", "/v1/databases", {"name": "#mine"}),
                       s.native("PUT", "/v1/databases/shop/collections/%23mine"), s.cosmos("POST", "/dbs", {"id": "#mine"}),
                       s.cosmos("POST", "/dbs/shop/colls", {"id": "#mine", "partitionKey": {"paths": ["/p"]}}),
                       s.kuzzle("POST", "/%23mine/_create"), s.kuzzle("PUT", "/shop/%23mine", {}),
                       s.centrali("POST", "/data/workspace/%23mine/api/v1/structures", {"name": "A", "slug": "a"}),
                       s.centrali("POST", "/data/workspace/shop/api/v1/structures", {"name": "A", "slug": "#a"})]
            self.assertEqual([400] * len(answers), [answer.status for answer in answers], answers)

    def test_private_data_goes_with_its_database(self):
        with Service() as s:
            hooks = "/data/workspace/shop/api/v1/webhook-subscriptions"
            s.must("PUT", "/v1/databases/shop")
            ok(s.centrali("POST", hooks, {"name": "mine", "url": HOOK}))
            s.must("DELETE", "/v1/databases/shop")
            s.must("PUT", "/v1/databases/shop")
            self.assertNotIn("8.8.8.8", s.centrali("GET", hooks).text)


del Base

if __name__ == "__main__":
    unittest.main()
