"""A database of the Fauna API goes to files and comes back, with the real binary."""

import http.client
import http.server
import json
import os
import re
import subprocess
import tempfile
import threading
import unittest

from server import BINARY, Server

NONE_IN_IT = "keys, tokens and credentials are in no export: make new ones\n"


def run(verb, *arguments, secret=None):
    environment = {name: value for name, value in os.environ.items() if name != "MAYFLY_FAUNA_SECRET"}
    return subprocess.run([BINARY, verb, *arguments, *(["--secret", secret] if secret else [])],
                          capture_output=True, text=True, timeout=120, env=environment)


def exported(host, folder, *arguments, database="shop", secret=None):
    place = ["--url", f"http://{host}"] + (["--database", database] if database else [])
    return run("export", "--fauna", folder, *place, *arguments, secret=secret)


def imported(host, folder, *arguments, database="shop"):
    return run("import", "--fauna", folder, "--url", f"http://{host}", "--database", database, *arguments)


def query(server, text, secret="secret:shop:admin", headers=None):
    answer = server.call("POST", "/query/1", {"query": text}, {"authorization": f"Bearer {secret}", **(headers or {})},
                         host=server.fauna)
    assert answer.status == 200, answer
    return answer.json["data"]


def push(server, text, secret="secret:shop:admin"):
    body = f'--m\r\nContent-Disposition: form-data; name="main.fsl"\r\n\r\n{text}\r\n--m--\r\n'
    answer = server.call("POST", "/schema/1/update?staged=false&force=true", body,
                         {"authorization": f"Bearer {secret}", "content-type": "multipart/form-data; boundary=m"},
                         host=server.fauna)
    assert answer.status == 200, answer


def files_below(folder):
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path) as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


def without_ts(text):
    return re.sub(r'"ts":\{"@time":"[^"]*"\},?', "", text)


class Between:
    """A port that hands every request on to a server, after `before(path)` has been called."""

    def __init__(self, server, before):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                if before(self.path) == "hang up":
                    self.close_connection = True
                    return
                connection = http.client.HTTPConnection(server.fauna, timeout=60)
                headers = {name: self.headers[name] for name in ("authorization", "content-type") if name in self.headers}
                connection.request(self.command, self.path, body, headers)
                response = connection.getresponse()
                answer = response.read()
                connection.close()
                self.send_response(response.status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.host = f"127.0.0.1:{self.http.server_port}"
        self.thread = threading.Thread(target=self.http.serve_forever)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.thread.join()
        self.http.server_close()


class RoundTrip(unittest.TestCase):
    def setUp(self):
        self.folders = tempfile.TemporaryDirectory()
        self.addCleanup(self.folders.cleanup)

    def folder(self, name):
        return os.path.join(self.folders.name, name)

    def trip(self, server):
        """Out, into a fresh server, and out of that; gives the files of the first export."""
        done = exported(server.fauna, self.folder("first"))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        with Server(fauna_port="0") as other:
            done = imported(other.fauna, self.folder("first"))
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
            done = exported(other.fauna, self.folder("second"))
            self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        first, second = files_below(self.folder("first")), files_below(self.folder("second"))
        self.assertEqual({name: without_ts(text) for name, text in first.items()},
                         {name: without_ts(text) for name, text in second.items()})
        return first

    def test_values_of_every_type(self):
        with Server(fauna_port="0") as server:
            query(server, "Database.create({ name: 'shop' }).name", "secret")
            query(server, "Collection.create({ name: 'Thing' }).name")
            query(server, "[Thing.create({ id: 1 }), Thing.create({ id: 2 })].length")
            query(server, """Thing.create({ id: 10,
                int: 1, big: 2147483648, long: 9007199254740993, least: -9223372036854775807,
                double: 0.1, whole: 1.0, huge: 1e300, nan: 0.0 / 0.0, inf: 1.0 / 0.0,
                text: "é \\" \\\\ \\n \\u0001", empty: "", yes: true,
                time: Time("2020-01-02T03:04:05.123456789Z"), plain: Time("1900-01-01T00:00:00Z"), date: Date("2020-02-29"),
                bytes: Bytes("AQID"), own: ID("77"), nested: { id: ID("78"), ids: [ID("79")] },
                living: Thing.byId("1"), dead: Thing.byId("2"), never: Thing.byId("3"),
                module: Thing, library: Math, definition: Collection.byName("Thing"),
                list: [1, null, [], {}, [null]], object: { a: { "@int": "x", "@": { "@doc": 1 } }, "": 2, "a b": 3 },
                "@ref": "top" }).id""")
            query(server, """Thing.createData({ id: "mine", ts: 5, ttl: "later", coll: [1], data: { data: 1, id: 2 },
                update: 1, exists: true, name: "n", secret: "s" }).id""")
            query(server, "Thing.byId('2')!.delete() == null")
            files = self.trip(server)
        self.assertEqual(sorted(files), ["documents/Thing.jsonl", "schema/main.fsl"])
        lines = [json.loads(line)["@doc"] for line in files["documents/Thing.jsonl"].splitlines()]
        self.assertEqual(len(lines), 3)
        shown = next(one for one in lines if one["id"] == "10")
        self.assertEqual(list(shown)[:3], ["id", "coll", "ts"])
        self.assertNotIn("ttl", shown)
        for name, value in {
                "int": {"@int": "1"}, "big": {"@long": "2147483648"}, "long": {"@long": "9007199254740993"},
                "least": {"@long": "-9223372036854775807"}, "double": {"@double": "0.1"}, "whole": {"@double": "1.0"},
                "nan": {"@double": "NaN"}, "inf": {"@double": "Infinity"}, "text": 'é " \\ \n \x01', "yes": True,
                "time": {"@time": "2020-01-02T03:04:05.123456789Z"}, "date": {"@date": "2020-02-29"},
                "bytes": {"@bytes": "AQID"}, "own": {"@id": "77"},
                "nested": {"id": {"@id": "78"}, "ids": [{"@id": "79"}]},
                "living": {"@ref": {"id": "1", "coll": {"@mod": "Thing"}}},
                "dead": {"@ref": {"id": "2", "coll": {"@mod": "Thing"}}},
                "never": {"@ref": {"id": "3", "coll": {"@mod": "Thing"}}},
                "module": {"@mod": "Thing"}, "library": {"@mod": "Math"},
                "definition": {"@ref": {"name": "Thing", "coll": {"@mod": "Collection"}}},
                "list": [{"@int": "1"}, None, [], {}, [None]],
                "object": {"a": {"@object": {"@int": "x", "@": {"@object": {"@doc": {"@int": "1"}}}}}, "": {"@int": "2"},
                           "a b": {"@int": "3"}},
                "@ref": "top"}.items():
            self.assertEqual(shown[name], value, name)
        clashing = next(one for one in lines if "data" in one)
        self.assertEqual(clashing["data"], {
            "id": "mine", "ts": {"@int": "5"}, "ttl": "later", "coll": [{"@int": "1"}],
            "data": {"data": {"@int": "1"}, "id": {"@int": "2"}}, "update": {"@int": "1"}, "exists": True})
        self.assertEqual((clashing["name"], clashing["secret"]), ("n", "s"))

    def test_the_schema_and_what_it_computes(self):
        schema = """
            // Of the shop.
            collection User {
              name: String
              born: Date?
              MAIL
              ref: ID?
              compute upper: String = (u => u.name.toUpperCase())
              compute broken = (_ => abort("never"))
              compute others = (_ => User.all())
              unique [.name]
              index byName { terms [.name] values [desc(.ts)] }
              check named (u => u.name.length > 0)
              history_days 3
              ttl_days 10
              document_ttls true
              MIGRATIONS
            }
            role reader { privileges User { read } }
            function twice(n: Int): Int { n * 2 }
            access provider Sso { issuer "https://sso.example" jwks_uri "https://sso.example/keys" role reader }
        """
        with Server(fauna_port="0") as server:
            query(server, "Database.create({ name: 'shop' }).name", "secret")
            push(server, schema.replace("MAIL", "").replace("MIGRATIONS", ""))
            query(server, "User.create({ name: 'old' }).name")
            push(server, schema.replace("MAIL", "mail: { home: String, *: Any }?")
                 .replace("MIGRATIONS", "migrations { add .mail }"))
            query(server, "User.create({ name: 'ada', mail: { home: 'a@b', work: [1] }, ref: ID('5') }).name")
            query(server, "Collection.create({ name: 'Later', indexes: { byN: { terms: [{ field: '.n' }] } } }).name")
            query(server, "Key.create({ role: 'admin' }).secret != ''")
            files = self.trip(server)
        self.assertIn("// Of the shop.", files["schema/main.fsl"])
        for part in ("collection Later {", "index byN {", "function twice(n: Int): Int", "role reader", "history_days 3",
                     "access provider Sso"):
            self.assertIn(part, files["schema/main.fsl"])
        self.assertNotIn("Key", "".join(files.values()))
        for computed in ("upper", "broken", "others"):
            self.assertNotIn(computed, files["documents/User.jsonl"])
        self.assertEqual(files["documents/User.jsonl"].count("\n"), 2)
        self.assertEqual(files["documents/Later.jsonl"], "")

    def test_a_ttl_stays_to_the_nanosecond_and_ends_the_same(self):
        with Server(fauna_port="0") as server, Server(fauna_port="0") as other:
            query(server, "Database.create({ name: 'shop' }).name", "secret")
            query(server, "Collection.create({ name: 'Cart', document_ttls: true }).name")
            query(server, "[1, 2, 3].map(n => Cart.create({ id: n, n: n })).length")
            query(server, "Cart.byId(1)!.update({ ttl: Time('2026-02-27T10:00:10.123456789Z') }).id")
            query(server, "Cart.byId(2)!.update({ ttl: Time('2026-02-27T10:01:00Z') }).id")
            done = exported(server.fauna, self.folder("cart"))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            text = files_below(self.folder("cart"))["documents/Cart.jsonl"]
            self.assertEqual([json.loads(line)["@doc"].get("ttl") for line in text.splitlines()],
                             [{"@time": "2026-02-27T10:00:10.123456789Z"}, {"@time": "2026-02-27T10:01:00Z"}, None])
            other.advance(30)
            done = imported(other.fauna, self.folder("cart"))
            self.assertIn("2 documents created, 0 replaced, 0 unchanged, 1 already expired", done.stdout)
            self.assertEqual(query(other, "Cart.all().map(.n).toArray()"), [2, 3])
            other.advance(31)
            self.assertEqual(query(other, "Cart.all().map(.n).toArray()"), [3])
            done = imported(server.fauna, self.folder("cart"), database="copy")
            self.assertIn("3 documents created", done.stdout)
            self.assertEqual(query(server, "Cart.byId(1)!.ttl", "secret:copy:admin"), "2026-02-27T10:00:10.123456789Z")


class Snapshot(unittest.TestCase):
    COUNT = 4000

    def setUp(self):
        self.folders = tempfile.TemporaryDirectory()
        self.addCleanup(self.folders.cleanup)
        self.server = Server(fauna_port="0")
        self.addCleanup(self.server.__exit__)
        query(self.server, "Database.create({ name: 'shop' }).name", "secret")
        query(self.server, "Collection.create({ name: 'Item', document_ttls: true }).name")
        lines = "".join(json.dumps({"id": str(n), "coll": "Item", "n": n, "text": "x" * 3000}) + "\n" for n in range(self.COUNT))
        source = os.path.join(self.folders.name, "items.jsonl")
        with open(source, "w") as file:
            file.write(lines)
        self.assertEqual(imported(self.server.fauna, source).returncode, 0)
        query(self.server, f"Item.byId({self.COUNT - 1})!.update({{ ttl: Time.now().add(60, 'seconds') }}).id")
        self.folder = os.path.join(self.folders.name, "export")

    def export_with(self, act):
        """Calls `act` before the second page of documents, and gives the number of pages."""
        pages = []

        def before(path):
            if path.startswith("/export/1/documents"):
                pages.append(path)
                if len(pages) == 2:
                    return act()
            return None

        with Between(self.server, before) as port:
            return exported(port.host, self.folder), pages

    def test_all_pages_are_of_one_instant(self):
        def act():
            query(self.server, f"Item.byId({self.COUNT - 2})!.update({{ n: -1 }}).n")
            query(self.server, f"Item.byId({self.COUNT - 3})!.delete() == null")
            query(self.server, "Item.create({ id: 99999, n: -2 }).n")
            self.server.advance(120)

        done, pages = self.export_with(act)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertGreater(len(pages), 2)
        self.assertIn(f"{self.COUNT} documents of 1 collections exported as of 2026-02-27T10:00:0", done.stdout)
        self.assertIn(NONE_IN_IT, done.stdout)
        files = files_below(self.folder)
        self.assertEqual(sorted(files), ["documents/Item.jsonl", "schema/main.fsl"])
        numbers = sorted(int(json.loads(line)["@doc"]["n"]["@int"]) for line in files["documents/Item.jsonl"].splitlines())
        self.assertEqual(numbers, list(range(self.COUNT)))
        # The one that has died since is in the files with its ttl, and is not brought back.
        done = imported(self.server.fauna, self.folder, database="copy")
        self.assertIn(f"{self.COUNT - 1} documents created, 0 replaced, 0 unchanged, 1 already expired", done.stdout)

    def test_an_instant_that_is_no_longer_kept_ends_the_export(self):
        done, _ = self.export_with(lambda: self.server.advance(16 * 60))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^mayfly: the export is of 2026-02-27T10:00:\S+, and Item keeps 15 minutes of history: no "
                         r"further documents of that instant can be read. Give the collection more, as by Item.definition.update"
                         r"\(\{ history_days: 1 \}\), or export while the server has less to do\n$")
        self.assertFalse(os.path.exists(self.folder))
        query(self.server, "Item.definition.update({ history_days: 1 }).name")
        done, _ = self.export_with(lambda: self.server.advance(16 * 60))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_schema_that_changes_ends_the_export(self):
        done, _ = self.export_with(lambda: query(self.server, "Collection.create({ name: 'New' }).name") and None)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("the schema was changed while the export was going on: nothing was exported", done.stderr)
        self.assertFalse(os.path.exists(self.folder))

    def test_a_server_that_goes_away_leaves_nothing(self):
        os.mkdir(self.folder)
        done, _ = self.export_with(lambda: "hang up")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(os.listdir(self.folder), [])


class Refusals(unittest.TestCase):
    def setUp(self):
        self.folders = tempfile.TemporaryDirectory()
        self.addCleanup(self.folders.cleanup)
        self.folder = os.path.join(self.folders.name, "export")
        self.server = Server(fauna_port="0")
        self.addCleanup(self.server.__exit__)
        query(self.server, "Database.create({ name: 'shop' }).name", "secret")

    def refused(self, text, *arguments, **more):
        done = exported(self.server.fauna, self.folder, *arguments, **more)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertIn(text, done.stderr)
        self.assertFalse(os.path.exists(self.folder))

    def test_what_cannot_be_exported_is_said(self):
        self.refused("there is no database 'shop/gone'", database="shop/gone")
        self.refused("there is no database 'gone'", database="gone/shop")
        self.refused("give the secret by --secret or in the variable MAYFLY_FAUNA_SECRET", secret="wrong")
        self.refused("is refused while that is missing", database="", secret="secret:gone:admin")
        self.refused("the secret names a database already", secret="secret:shop:admin")
        query(self.server, "Collection.create({ name: 'User' }).name")
        self.refused("the secret needs the role admin", database="", secret="secret:shop:server")
        tls = run("export", "--fauna", self.folder, "--url", f"https://{self.server.fauna}")
        self.assertIn("the port does not speak TLS; try http://", tls.stderr)
        wrong = run("export", "--fauna", self.folder, "--url", self.server.url)
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("--url names the Fauna port of a server", wrong.stderr)
        with Server(fauna_port="0") as gone:
            host = gone.fauna
        away = exported(host, self.folder)
        self.assertEqual((away.returncode, away.stdout), (1, ""))
        self.assertIn("is the server running? --url names another", away.stderr)
        self.assertFalse(os.path.exists(self.folder))

    def test_the_folder_must_be_empty(self):
        os.mkdir(self.folder)
        note = os.path.join(self.folder, "note")
        with open(note, "w") as file:
            file.write("x")
        done = exported(self.server.fauna, self.folder)
        self.assertEqual((done.returncode, done.stderr),
                         (1, f"mayfly: {self.folder} is not empty: an export is written to an empty or a new folder\n"))
        self.assertEqual(os.listdir(self.folder), ["note"])
        self.assertIn("is no folder", exported(self.server.fauna, note).stderr)
        os.remove(note)
        self.assertEqual(exported(self.server.fauna, self.folder).returncode, 0)

    def test_flags_of_the_other_export(self):
        for more in (["--collection", "c"], ["--filter", "a = 1"], ["--output", "x"], ["--inherit"],
                     ["--as-of", "2026-01-01T00:00:00Z"]):
            self.assertEqual(exported(self.server.fauna, self.folder, *more).returncode, 2, more)
        self.assertEqual(run("export", "--url", self.server.url, "--database", "shop").returncode, 2)

    def test_databases_within_it_are_named(self):
        query(self.server, "Database.create({ name: 'staging' }).name", "secret:shop:admin")
        query(self.server, "Collection.create({ name: 'User' }).name", "secret:shop/staging:admin")
        done = exported(self.server.fauna, self.folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("the database shop/staging is not in it; export it by itself: mayfly export --fauna DIR --database "
                      "shop/staging\n", done.stdout)
        done = exported(self.server.fauna, self.folder + "2", database="shop/staging")
        self.assertEqual((done.returncode, sorted(files_below(self.folder + "2"))),
                         (0, ["documents/User.jsonl", "schema/main.fsl"]))
        done = exported(self.server.fauna, self.folder + "3", database="", secret="secret:shop/staging:admin")
        self.assertEqual(files_below(self.folder + "2"), files_below(self.folder + "3"))

    def test_documents_that_no_import_takes_are_named(self):
        native = "/v1/databases/shop/collections/User"
        self.assertLess(self.server.call("PUT", native, {}).status, 300)
        for id in ("7", "007", "ada", "bob"):
            self.assertLess(self.server.call("PUT", f"{native}/documents/{id}", {"n": 1}).status, 300)
        query(self.server, "Collection.create({ name: 'User' }).name")
        done = exported(self.server.fauna, self.folder)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr, "mayfly: User 007 left out: its id is no number\nmayfly: User: 3 documents left out in all\n")
        self.assertIn("1 documents of 1 collections exported as of ", done.stdout)
        self.assertEqual(files_below(self.folder)["documents/User.jsonl"].count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
