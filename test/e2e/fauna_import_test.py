"""A database that comes from Fauna, with the real binary."""

import json
import os
import re
import subprocess
import tempfile
import unittest

from server import BINARY, Server

EXAMPLE = os.path.join(os.path.dirname(__file__), "..", "..", "examples", "fauna")
ADA = "406412114117308480"


def imported(server, *arguments, database="shop", secret=None):
    place = ["--url", f"http://{server.fauna}"] + (["--database", database] if database else [])
    environment = {name: value for name, value in os.environ.items() if name != "MAYFLY_FAUNA_SECRET"}
    return subprocess.run([BINARY, "import", *place, *arguments, *(["--secret", secret] if secret else [])],
                          capture_output=True, text=True, timeout=120, env=environment)


def query(server, text, secret="secret:shop:admin"):
    answer = server.call("POST", "/query/1", {"query": text}, {"authorization": f"Bearer {secret}"}, host=server.fauna)
    assert answer.status == 200, answer
    return answer.json["data"]


class Folder:
    """A folder of an export, from texts by name."""

    def __init__(self, **files):
        self.path = tempfile.TemporaryDirectory()
        for name, text in files.items():
            self.write(name.replace("__", "/").replace("_", "."), text)

    def write(self, name, text):
        path = os.path.join(self.path.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.path.cleanup()

    @property
    def flags(self):
        return ["--fauna", self.path.name]


def line(id, coll="User", **members):
    return json.dumps({"id": str(id), "coll": coll, **members}) + "\n"


class Example(unittest.TestCase):
    def test_the_commands_of_its_page(self):
        with open(os.path.join(EXAMPLE, "README.md")) as file:
            page = file.read()
        fenced = re.findall(r"```(\w*)\n(.*?)```", page, re.S)
        blocks = [text for words, text in fenced if words == "sh"]
        printed = [text for words, text in fenced if words == ""]
        self.assertEqual((len(blocks), len(printed)), (4, 1))
        script = "".join(blocks)
        started = "./dev run --clock virtual:2026-02-27T10:00:00Z --data :memory: &\n"
        self.assertTrue(script.startswith(started))
        with Server(clock="virtual:2026-02-27T10:00:00Z", fauna_port="0") as server:
            script = script.replace(started, "").replace("localhost:7007", server.host)
            script = script.replace("localhost:8443", server.fauna)
            script = script.replace("mayfly import", f"{BINARY} import --url http://{server.fauna}")
            done = subprocess.run(["bash", "-e", "-c", script], capture_output=True, text=True, timeout=120,
                                  cwd=os.path.join(EXAMPLE, "..", ".."))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertTrue(done.stdout.startswith(printed[0]), done.stdout)
        lines = done.stdout[len(printed[0]):].splitlines()
        data = [json.loads(one)["data"] if one.startswith('{"data"') else one for one in lines]
        self.assertEqual(data[0]["data"], [{"id": "406412200000000001", "device": "phone", "ttl": "2026-02-27T10:30:00Z",
                                            "user": {"name": "Ada"}}])
        self.assertEqual(data[1], 24.5)
        self.assertEqual(data[2]["data"][0]["ttl"], "2026-03-22T12:00:00.000123Z")
        self.assertEqual(json.loads(data[3])["expires_at"], "2026-02-27T10:30:00Z")
        self.assertIs(data[5], False)
        # Ada's session has ended meanwhile. What a schema describes is the same in both formats; the
        # visits are not.
        self.assertEqual(data[6], "0 documents created, 2 replaced, 5 unchanged, 2 already expired, 0 skipped")
        self.assertEqual(data[8]["data"][1], {"page": "/coffee", "seen": "2026-02-27T09:46:00Z", "weight": "NaN"})

    def test_both_formats_give_the_same_database(self):
        with Server(fauna_port="0") as server:
            for folder in ("tagged", "simple"):
                done = imported(server, "--fauna", f"{EXAMPLE}/schema", "--fauna", f"{EXAMPLE}/{folder}", database=folder)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
            for collection in ("User", "Session", "Cart"):
                answers = []
                for folder in ("tagged", "simple"):
                    headers = {"authorization": f"Bearer secret:{folder}:admin", "x-format": "tagged"}
                    body = {"query": f"{collection}.all().toArray()"}
                    answer = server.call("POST", "/query/1", body, headers, host=server.fauna)
                    self.assertEqual(answer.status, 200, answer)
                    # A cursor is good in its own database only.
                    text = re.sub(r'"@set":"[^"]*"', '"@set":""', json.dumps(answer.json["data"], separators=(",", ":")))
                    answers.append(re.sub(r'"ts":\{"@time":"[^"]*"\}', "", text))
                self.assertEqual(*answers)

    def test_the_documents_outlive_a_restart_and_die_on_time(self):
        with Server(fauna_port="0") as server:
            self.assertEqual(imported(server, "--fauna", f"{EXAMPLE}/schema", "--fauna", f"{EXAMPLE}/tagged").returncode, 0)
            server.kill()
            server.start()
            self.assertEqual(query(server, "Session.all().count()"), 2)
            self.assertEqual(query(server, f"Cart.byUser(User.byId('{ADA}')!).first()!.user.email"), "ada@example.com")
            server.advance(1800)
            self.assertEqual(query(server, "Session.all().map(.device).toArray()"), ["laptop"])
            server.advance(60 * 86_400)
            # Ada's cart had a ttl in the export, Bob's had none.
            self.assertEqual(query(server, "Cart.all().map(.user.name).toArray()"), ["Bob"])


class Import(unittest.TestCase):
    def test_a_large_file_comes_over_and_again_changes_nothing(self):
        count = 5000
        text = "[" + ",\n".join(line(n, n=n, text="é" * (n % 300)) for n in range(count)) + "]"
        with Server(fauna_port="0") as server, Folder(User_json=text) as folder:
            done = imported(server, *folder.flags)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("collection User made: no schema names it\n", done.stdout)
            self.assertIn("5000 documents created, 0 replaced, 0 unchanged, 0 already expired, 0 skipped\n", done.stdout)
            self.assertEqual(query(server, "User.all().count()"), count)
            self.assertEqual(query(server, "User.byId(4321)!.n"), 4321)
            again = imported(server, *folder.flags)
            self.assertIn("0 documents created, 0 replaced, 5000 unchanged", again.stdout)
            self.assertNotIn("made", again.stdout)

    def test_what_cannot_be_written_ends_the_import_or_is_skipped(self):
        schema = "collection User { name: String  age: Int?  unique [.name]  check grown (.age == null || .age! > 17) }"
        users = (line(1, name="ada") + line(2, name="ada") + line(3, name="kid", age=3) + '{"id":"4",\n' + line(5) +
                 line(6, name="bob"))
        with Server(fauna_port="0") as server, Folder(schema__a_fsl=schema, b_jsonl=users) as folder:
            path = os.path.join(folder.path.name, "b.jsonl")
            done = imported(server, *folder.flags)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr, f"mayfly: {path}:2: User 2: name: Failed unique constraint\nmayfly: the import stopped "
                             f"at {path}:2: everything before it was imported; --continue skips what cannot be\n")
            self.assertEqual(query(server, "User.all().count()"), 1)
            done = imported(server, "--continue", *folder.flags)
            self.assertEqual(done.returncode, 3)
            self.assertEqual([text.removeprefix(f"mayfly: {path}:") for text in done.stderr.splitlines()], [
                "2: User 2: name: Failed unique constraint",
                "3: User 3: Document failed check constraint `grown`",
                "4: the document does not end on its line",
                "5: User 5: name: Missing required field of type String"])
            self.assertIn("1 documents created, 0 replaced, 1 unchanged, 0 already expired, 4 skipped\n", done.stdout)
            self.assertEqual(query(server, "User.all().map(.name).toArray()"), ["ada", "bob"])

    def test_a_reason_that_many_documents_share_is_counted(self):
        users = "".join(line(n) for n in range(1, 8))
        with Server(fauna_port="0") as server, Folder(a_fsl="collection User { name: String }", b_jsonl=users) as folder:
            path = os.path.join(folder.path.name, "b.jsonl")
            done = imported(server, "--continue", *folder.flags)
            self.assertEqual(done.returncode, 3)
            missing = "name: Missing required field of type String"
            self.assertEqual(done.stderr.splitlines(), [
                *(f"mayfly: {path}:{n}: User {n}: {missing}" for n in range(1, 6)), f"mayfly: 2 more like this: User: {missing}"])
            self.assertIn(" 7 skipped\n", done.stdout)

    def test_a_field_for_the_time_must_fit_the_schema_before_anything_is_imported(self):
        schema = "collection Cart { n: Int? }\ncollection Empty { n: Int? }\ncollection Open { n: Int?  *: Any }\ncollection User { n: Int? }"
        then = {"ts": "2020-01-01T00:00:00Z"}
        documents = (line(1, "Open", **then) + line(1, "Free", **then) + "broken\n" + line(1, "Cart", **then) +
                     '{"@doc": {"id": "1", "coll": {"@mod": "User"}, "ts": {"@time": "2020-01-01T00:00:00Z"}}}\n')
        with Server(fauna_port="0") as server, Folder(a_fsl=schema, b_jsonl=documents) as folder:
            for flags in ([], ["--continue"]):
                done = imported(server, *folder.flags, *flags, "--ts-field", "exported")
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stderr, "mayfly: no document was imported, because --ts-field exported needs a field that these collections "
                                 "do not declare: Cart, User. Add this line to each of them in the schema, then import again: exported: Time?\n")
                self.assertFalse(query(server, "Database.byName('shop').exists()", "secret"))
            folder.write("a.fsl", schema.replace("n: Int?", "n: Int?  exported: Time?"))
            done = imported(server, *folder.flags, "--continue", "--ts-field", "exported")
            self.assertEqual(done.returncode, 3)
            self.assertIn("4 documents created", done.stdout)
            self.assertEqual(query(server, "Cart.byId(1)!.exported"), then["ts"])
            self.assertEqual(query(server, "Free.byId(1)!.exported"), then["ts"])

    def test_a_database_within_one_and_a_secret(self):
        with Server("--fauna-secret", "hush", fauna_port="0") as server, Folder(a_json=line(1, ts="2020-01-01T00:00:00Z")) as folder:
            refused = imported(server, *folder.flags)
            self.assertEqual(refused.returncode, 1)
            self.assertIn("give the secret by --secret or in the variable MAYFLY_FAUNA_SECRET", refused.stderr)
            done = imported(server, *folder.flags, "--ts-field", "written", database="shop/staging", secret="hush")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(query(server, "User.byId(1)!.written", "hush:shop/staging:admin"), "2020-01-01T00:00:00Z")
            # The secret says where.
            done = imported(server, *folder.flags, database="", secret="hush:shop/staging:admin")
            self.assertIn("1 replaced", done.stdout)
            twice = imported(server, *folder.flags, secret="hush:shop:admin")
            self.assertIn("the secret names a database already", twice.stderr)

    def test_what_is_no_export_is_said(self):
        with Server(fauna_port="0") as server, Folder(notes_txt="x") as folder:
            done = imported(server, *folder.flags)
            self.assertEqual(done.returncode, 1)
            self.assertIn("has no files that end in .fsl, .json, .jsonl or .ndjson", done.stderr)
            folder.write("a.json", line(1))
            done = imported(server, *folder.flags)
            self.assertEqual(done.returncode, 0)
            self.assertIn("notes.txt is no part of an export: left out", done.stderr)
            folder.write("b.json.gz", "x")
            self.assertIn("is compressed: unpack it first", imported(server, *folder.flags).stderr)
            self.assertEqual(imported(server, "--fauna", "/nowhere").returncode, 1)
            os.remove(os.path.join(folder.path.name, "b.json.gz"))
            wrong = subprocess.run([BINARY, "import", *folder.flags, "--url", server.url], capture_output=True, text=True)
            self.assertEqual((wrong.returncode, wrong.stdout), (1, ""))
            self.assertIn("--url names the Fauna port of a server", wrong.stderr)
            named = imported(server, *folder.flags, database="a b")
            self.assertIn("the database 'a b' cannot be made: ", named.stderr)
            for more in (["--collection", "c"], ["--create"], ["c.ndjson"]):
                self.assertEqual(imported(server, *folder.flags, *more).returncode, 2, more)

    def test_a_schema_that_is_wrong_imports_nothing(self):
        with Server(fauna_port="0") as server, Folder(a_fsl="collection User { ttl_days soon }", b_json=line(1)) as folder:
            done = imported(server, *folder.flags)
            self.assertEqual(done.returncode, 1)
            self.assertIn("the schema was not taken, and nothing was imported:\n", done.stderr)
            self.assertIn("a.fsl:1:", done.stderr)
            self.assertFalse(query(server, "Database.byName('shop').exists()", "secret"))
            folder.write("a.fsl", "collection User { name: String? }")
            self.assertEqual(imported(server, *folder.flags, database="app/kid").returncode, 0)
            folder.write("a.fsl", "collection User { name }")
            self.assertEqual(imported(server, *folder.flags, database="app/kid").returncode, 1)
            self.assertEqual(imported(server, *folder.flags, database="app/other").returncode, 1)
            self.assertEqual(query(server, "Database.all().map(.name).toArray()", "secret:app:admin"), ["kid"])
            self.assertEqual(query(server, "User.all().count()", "secret:app/kid:admin"), 1)

    def test_what_a_secret_lacks_is_said(self):
        with Server(fauna_port="0") as server, Folder(a_json=line(1)) as folder:
            self.assertEqual(imported(server, *folder.flags).returncode, 0)
            gone = imported(server, *folder.flags, database="", secret="secret:gone:admin")
            self.assertIn("is refused while that is missing", gone.stderr)
            weak = imported(server, *folder.flags, database="", secret="secret:shop:server")
            self.assertIn("the secret needs the role admin", weak.stderr)
            tls = subprocess.run([BINARY, "import", *folder.flags, "--url", f"https://{server.fauna}"],
                                 capture_output=True, text=True)
            self.assertIn("the port does not speak TLS; try http://", tls.stderr)


if __name__ == "__main__":
    unittest.main()
