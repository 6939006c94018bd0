"""A dialect's own data: no port lists, reads, writes or drops it, in no way that it has."""

import base64
import hashlib
import hmac
import http.client
import json
import struct
import unittest
import urllib.parse

from server import Server

KNOWN_KEY = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="
DATE = "Thu, 27 Apr 2017 00:51:12 GMT"
PASSWORD = "a password that nobody sees"
# Where the data lies, where it lay, and what such names begin with.
DATABASES = ["#kuzzle", "%kuzzle", "#", "%"]
IN_THEM = ["users", "profiles", "roles", "credentials", "secrets", "tokens", "apiKeys"]
IN_SHOP = ["#centrali.webhooks", "#centrali.deliveries", "centrali.webhooks", "centrali.deliveries", "#resources", "#"]
# What a stored secret looks like in any answer.
SECRETS = ["whsec_", "scrypt", "#kuzzle", "#centrali", "centrali.webhooks"]


def quoted(name):
    return urllib.parse.quote(name, safe="")


class Ports:
    """One server with every port open, with a user, a password, a webhook and a stored procedure in it."""

    def __init__(self):
        self.server = Server(cosmos_port="0", kuzzle_port="0")
        self.server.must("PUT", "/v1/databases/shop")
        self.server.must("PUT", "/v1/databases/shop/collections/orders")
        made = self.kuzzle("POST", "/boss/_createFirstAdmin", {
            "content": {}, "credentials": {"local": {"username": "boss", "password": PASSWORD}}})
        assert made.status == 200, made
        self.token = self.log_in()
        hook = self.server.call("POST", "/data/workspace/shop/api/v1/webhook-subscriptions",
                                {"name": "mine", "url": "https://8.8.8.8/hook"})
        assert hook.status == 201, hook

    def ask(self, host, method, path, body, headers):
        connection = http.client.HTTPConnection(host, timeout=30)
        text = body if isinstance(body, str) or body is None else json.dumps(body)
        connection.request(method, path, text, {"content-type": "application/json", **headers})
        response = connection.getresponse()
        answer = Reply(response.status, response.read().decode())
        connection.close()
        return answer

    def native(self, method, path, body=None):
        return self.ask(self.server.host, method, path, body, {})

    def kuzzle(self, method, path, body=None):
        headers = {"authorization": f"Bearer {self.token}"} if getattr(self, "token", None) else {}
        return self.ask(self.server.kuzzle, method, path, body, headers)

    def log_in(self):
        self.token = None
        answer = self.kuzzle("POST", "/_login/local", {"username": "boss", "password": PASSWORD})
        assert answer.status == 200, answer
        return json.loads(answer.text)["result"]["jwt"]

    def cosmos(self, method, path, kind, link, body=None, headers=None):
        text = f"{method.lower()}\n{kind}\n{link}\n{DATE.lower()}\n\n"
        key = base64.b64decode(KNOWN_KEY)
        signature = base64.b64encode(hmac.new(key, text.encode(), hashlib.sha256).digest()).decode()
        token = quoted(f"type=master&ver=1.0&sig={signature}")
        return self.ask(self.server.cosmos, method, path, body,
                        {"authorization": token, "x-ms-date": DATE, "x-ms-version": "2018-12-31", **(headers or {})})

    def everything_is_there(self):
        assert self.log_in()
        hooks = self.server.must("GET", "/data/workspace/shop/api/v1/webhook-subscriptions").text
        assert "8.8.8.8" in hooks, hooks


class Reply:
    def __init__(self, status, text):
        self.status = status
        self.text = text

    def __repr__(self):
        return f"{self.status} {self.text[:300]}"


def native_ways():
    for name in DATABASES:
        d = f"/v1/databases/{quoted(name)}"
        yield "PUT", d, {}
        yield "GET", d, None
        yield "GET", f"{d}/collections", None
        yield "POST", f"{d}/transactions", {"operations": []}
        for inside in IN_THEM:
            yield from native_ways_of(f"{d}/collections/{inside}")
        yield "DELETE", d, None
    for name in IN_SHOP:
        yield from native_ways_of(f"/v1/databases/shop/collections/{quoted(name)}")


def native_ways_of(c):
    for method, path in [("GET", c), ("GET", f"{c}/documents"), ("GET", f"{c}/documents/boss"), ("GET", f"{c}/count"),
                         ("GET", f"{c}/feed"), ("GET", f"{c}/trash"), ("GET", f"{c}/holds"), ("GET", f"{c}/purges"),
                         ("GET", f"{c}/forecast"), ("GET", f"{c}/documents/boss/history"),
                         ("DELETE", f"{c}/documents/boss"), ("DELETE", c)]:
        yield method, path, None
    yield "POST", f"{c}/query", {}
    yield "PUT", f"{c}/documents/boss", {"profileIds": ["default"]}
    yield "PATCH", f"{c}/documents/boss", {"profileIds": ["default"]}
    yield "PUT", f"{c}/holds/boss", {}
    yield "PATCH", c, {"default_ttl": 1}


class PrivateData(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ports = Ports()

    @classmethod
    def tearDownClass(cls):
        cls.ports.server.__exit__()

    def tearDown(self):
        self.ports.everything_is_there()

    def shows_nothing(self, answer, where):
        for secret in SECRETS:
            self.assertNotIn(secret, answer.text, where)

    def test_native(self):
        self.shows_nothing(self.ports.native("GET", "/v1/databases"), "databases")
        self.shows_nothing(self.ports.native("GET", "/v1/databases/shop/collections"), "collections")
        for method, path, body in native_ways():
            answer = self.ports.native(method, path, body)
            # A name that nothing private has may be made; it is then the user's own.
            own = any(path.startswith(f"/v1/databases/{quoted(n)}") for n in ("%kuzzle", "%"))
            if own and method in ("PUT", "DELETE", "GET") and answer.status < 300:
                self.assertNotIn("boss", answer.text)
                continue
            with self.subTest(f"{method} {path}"):
                self.assertIn(answer.status, (400, 404), answer)

    def test_centrali(self):
        for workspace in DATABASES + ["shop"]:
            base = f"/data/workspace/{quoted(workspace)}/api/v1"
            self.shows_nothing(self.ports.native("GET", f"{base}/structures"), workspace)
            for name in IN_THEM + IN_SHOP:
                for path in (f"{base}/structures/{quoted(name)}", f"{base}/records/slug/{quoted(name)}",
                             f"{base}/records/boss", f"{base}/records/matched"):
                    for method in ("GET", "DELETE"):
                        answer = self.ports.native(method, path)
                        with self.subTest(f"{method} {path}"):
                            self.assertIn(answer.status, (400, 404, 405), answer)

    def test_cosmos_by_name(self):
        self.shows_nothing(self.ports.cosmos("GET", "/dbs", "dbs", ""), "dbs")
        self.shows_nothing(self.ports.cosmos("GET", "/dbs/shop/colls", "colls", "dbs/shop"), "colls")
        self.shows_nothing(self.ports.cosmos("GET", "/offers", "offers", ""), "offers")
        for name in DATABASES:
            db = f"dbs/{name}"
            for method, link, kind, extra in [("GET", db, "dbs", ""), ("GET", db, "colls", "/colls"), ("DELETE", db, "dbs", "")]:
                answer = self.ports.cosmos(method, "/" + urllib.parse.quote(link) + extra, kind, link)
                with self.subTest(f"{method} {link}{extra}"):
                    self.assertIn(answer.status, (400, 404), answer)
        for parent, names in [("dbs/#kuzzle", IN_THEM), ("dbs/shop", IN_SHOP)]:
            for name in names:
                coll = f"{parent}/colls/{name}"
                for method, link, kind, extra in [("GET", coll, "colls", ""), ("GET", coll, "docs", "/docs"),
                                                  ("GET", f"{coll}/docs/boss", "docs", ""), ("DELETE", coll, "colls", "")]:
                    answer = self.ports.cosmos(method, "/" + urllib.parse.quote(link) + extra, kind, link)
                    with self.subTest(f"{method} {link}{extra}"):
                        self.assertIn(answer.status, (400, 404), answer)

    def test_cosmos_by_rid(self):
        known = {d["id"] for d in json.loads(self.ports.cosmos("GET", "/dbs", "dbs", "").text)["Databases"]}
        for database in range(1, 30):
            raw = struct.pack(">I", database)
            rid = base64.b64encode(raw).decode().replace("/", "-")
            answer = self.ports.cosmos("GET", f"/dbs/{rid}", "dbs", rid.lower())
            if answer.status == 200:
                self.assertIn(json.loads(answer.text)["id"], known)
            else:
                self.assertEqual(answer.status, 404, answer)
            for collection in range(1, 30):
                coll = base64.b64encode(raw + struct.pack(">I", collection | 0x80000000)).decode().replace("/", "-")
                answer = self.ports.cosmos("GET", f"/dbs/{rid}/colls/{coll}", "colls", coll.lower())
                if answer.status == 200:
                    self.assertEqual(json.loads(answer.text)["id"], "orders")
                else:
                    self.assertEqual(answer.status, 404, answer)

    def test_kuzzle(self):
        self.shows_nothing(self.ports.kuzzle("GET", "/_list"), "indexes")
        self.shows_nothing(self.ports.kuzzle("GET", "/shop/_list"), "collections")
        self.shows_nothing(self.ports.kuzzle("GET", "/_storageStats"), "statistics")
        for index, collections in [(d, IN_THEM) for d in DATABASES] + [("shop", IN_SHOP)]:
            for collection in collections:
                c = f"/{quoted(index)}/{quoted(collection)}"
                for method, path, body in [
                        ("GET", f"{c}/boss", None), ("POST", f"{c}/_search", {}), ("DELETE", f"{c}/boss", None),
                        ("PUT", f"{c}/boss", {"profileIds": ["default"]}), ("POST", f"{c}/_mGet", {"ids": ["boss"]}),
                        ("GET", f"{c}/_export", None), ("DELETE", f"{c}/_truncate", None), ("DELETE", c, None),
                        ("GET", f"{c}/_mapping", None), ("POST", f"{c}/_bulk", {"bulkData": []})]:
                    answer = self.ports.kuzzle(method, path, body)
                    with self.subTest(f"{method} {path}"):
                        self.shows_nothing_of_users(answer)
            if index != "shop":
                for method, path in [("GET", f"/{quoted(index)}/_list"), ("DELETE", f"/{quoted(index)}")]:
                    answer = self.ports.kuzzle(method, path)
                    with self.subTest(f"{method} {path}"):
                        self.assertGreaterEqual(answer.status, 400, answer)

    def shows_nothing_of_users(self, answer):
        self.assertNotIn("profileIds", answer.text)
        self.assertNotIn("scrypt", answer.text)
        self.assertNotIn("whsec_", answer.text)

    def test_actions_on_many_indexes_pass_it_by(self):
        bulk = {"bulkData": [{"index": {"_index": "#kuzzle", "_type": "users", "_id": "eve"}}, {"profileIds": ["admin"]}]}
        self.ports.kuzzle("POST", "/_bulk", bulk)
        self.ports.kuzzle("DELETE", "/_mdelete", {"indexes": ["#kuzzle", "%kuzzle"]})
        users = self.ports.kuzzle("POST", "/users/_search", {})
        self.assertEqual([hit["_id"] for hit in json.loads(users.text)["result"]["hits"]], ["boss"])


if __name__ == "__main__":
    unittest.main()
