"""Export, import, backup and restore with the real binary."""

import http.server
import json
import os
import pty
import select
import subprocess
import tempfile
import threading
import unittest

from server import BINARY, Server

APP = "/v1/databases/app"
KINDS = 5


def run(*arguments, input=None, binary=False):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=not binary, input=input, timeout=120)


def place(server, name="c"):
    return ["--url", server.url, "--database", "app", "--collection", name]


def exported(server, *more):
    done = run("export", *place(server), *more)
    assert done.returncode == 0, done
    return done.stdout


def collection(server, **policy):
    server.must("PUT", APP)
    server.must("PUT", f"{APP}/collections/c", policy)
    return f"{APP}/collections/c"


def lifetime_of(n):
    return [{}, {"never": True}, {"ttl": 100 + n}, {"expires_at": f"2027-01-01T00:00:{n % 60:02}.{n % 1000:03}Z"},
            {"inherit": True}][n % KINDS]


def write_mixed(server, count):
    for start in range(0, count, 1000):
        operations = [{"op": "put", "collection": "c", "id": f"d{n}",
                       "data": {"n": n, "real": n / 2, "text": 'ä"\\\u2028' * (n % 3), "deep": [{"a": None}, 1.0]},
                       **lifetime_of(n)} for n in range(start, min(start + 1000, count))]
        server.must("POST", f"{APP}/transactions", {"operations": operations})


def documents(server):
    """Id, body as it is written, and death of every document."""
    found, page = [], None
    while True:
        query = {"limit": 1000, **({"page": page} if page else {})}
        answer = server.must("POST", f"{APP}/collections/c/query", query)
        # As text, so that 1.0 and 1 differ.
        for part in answer.text.split('{"id":"')[1:]:
            found.append((part.split('"')[0], part.split('"data":')[1].rstrip(",]"),
                          part.split('"expires_at":')[1].split(",")[0]))
        page = answer.json["next"]
        if not page:
            found[-1] = (found[-1][0], found[-1][1].rsplit("]", 1)[0], found[-1][2])
            return sorted((id, body.split('],"next"')[0], death) for id, body, death in found)


def drain(descriptor, process):
    """What a process draws on its terminal."""
    drawn = b""
    while True:
        ready, _, _ = select.select([descriptor], [], [], 60)
        if not ready:
            raise AssertionError("nothing drawn for a minute")
        try:
            piece = os.read(descriptor, 65536)
        except OSError:
            piece = b""
        if not piece:
            break
        drawn += piece
    process.wait(60)
    return drawn.decode()


class ExportImport(unittest.TestCase):
    def test_ten_thousand_documents_of_all_lifetimes_come_over_as_they_are(self):
        with Server() as source, Server() as target, tempfile.TemporaryDirectory() as folder:
            collection(source, default_ttl=3600)
            write_mixed(source, 10_000)
            path = os.path.join(folder, "c.ndjson")
            done = run("export", *place(source), "--output", path)
            self.assertEqual((done.returncode, done.stderr), (0, "10000 documents exported\n"))
            self.assertEqual(os.listdir(folder), ["c.ndjson"])
            done = run("import", *place(target), path, "--create")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout,
                             "10000 documents created, 0 replaced, 0 already expired, 0 lines skipped\n")
            before = documents(source)
            self.assertEqual(len(before), 10_000)
            self.assertEqual(before, documents(target))
            # Who dies, dies at the same instant on both.
            for server in (source, target):
                server.advance(3600)
            self.assertEqual(documents(source), documents(target))
            self.assertLess(len(documents(target)), 6_000)

    def test_an_export_of_a_collection_with_history_is_of_one_instant(self):
        with Server() as server:
            c = collection(server, keep_history_for="forever")
            for n in range(3):
                server.must("PUT", f"{c}/documents/d{n}", {"n": n})
            then = server.get("/v1/clock").json["now"]
            done = run("export", *place(server))
            self.assertRegex(done.stderr, r"^3 documents exported as of 2026-02-27T10:00:00")
            server.must("DELETE", f"{c}/documents/d1")
            self.assertEqual(len(exported(server).splitlines()), 2)
            self.assertEqual(len(exported(server, "--as-of", then).splitlines()), 3)

    def test_an_export_is_not_pinned_to_a_history_that_may_end_before_it(self):
        with Server() as server:
            c = collection(server, keep_history_for=3599)
            server.must("PUT", f"{c}/documents/a", {})
            self.assertEqual(run("export", *place(server)).stderr, "1 documents exported\n")
            server.must("PATCH", c, {"keep_history_for": 3600})
            self.assertIn(" as of ", run("export", *place(server)).stderr)

    def test_partitions_holds_and_what_bodies_say_come_over(self):
        documents = "/dbs/app/colls/c/docs"
        definition = {"id": "c", "defaultTtl": -1, "partitionKey": {"paths": ["/pk"], "kind": "Hash", "version": 2}}
        with Server(cosmos_port="0") as source, Server(cosmos_port="0") as target:
            for server in (source, target):
                server.must("PUT", APP)
                self.assertEqual(server.ask_cosmos("POST", "/dbs/app/colls", definition).status, 201)
            c = f"{APP}/collections/c"
            for pk in ("a", "b", "c"):
                body = {"id": "x", "pk": pk, **({"ttl": 60} if pk == "a" else {})}
                self.assertEqual(source.ask_cosmos("POST", documents, body, partition=[pk]).status, 201)
            source.must("PUT", f"{c}/documents/h?ttl=100", {"id": "h", "pk": "a"})
            source.must("PUT", f'{c}/holds/h?partition=["a"]', {"reason": "case 7"}, {"mayfly-author": "ann"})
            text = exported(source, "--inherit")
            lines = {(line["id"], line["partition"][0]): line for line in map(json.loads, text.splitlines())}
            self.assertEqual(lines["x", "a"]["after"], 60)
            self.assertIn("expires_at", lines["h", "a"])
            self.assertEqual(lines["h", "a"]["hold"], {"reason": "case 7", "by": "ann"})
            done = run("import", *place(target), input=text)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            for pk in ("a", "b", "c"):
                found = target.ask_cosmos("GET", f"{documents}/x", partition=[pk])
                self.assertEqual((found.status, found.json.get("ttl")), (200, 60 if pk == "a" else None))
            held = target.must("GET", f"{c}/holds").json["documents"]
            self.assertEqual([(d["id"], d["hold"]["reason"], d["hold"]["by"], d["hold"]["lifetime"]) for d in held],
                             [("h", "case 7", "ann", "at")])
            # With their ends, as without the flag, they die at the same instant.
            again = exported(source)
            self.assertNotIn('"after"', again)
            # Where there are no partitions, the line is refused.
            target.must("PUT", f"{APP}/collections/plain")
            refused = run("import", "--url", target.url, "--database", "app", "--collection", "plain", input=text)
            self.assertEqual(refused.returncode, 1)
            self.assertIn("no partitions", refused.stderr)

    def test_documents_of_the_largest_size_come_over(self):
        with Server() as source, Server() as target:
            c = collection(source)
            # 30 MiB in all, more than one page has; quotes take twice their room in the line.
            for n in range(20):
                source.must("PUT", f"{c}/documents/d{n}", {"n": n, "text": ('"' if n % 2 else "x") * ((1 << 20) - 100)})
            text = exported(source)
            self.assertEqual(len(text.splitlines()), 20)
            collection(target)
            done = run("import", *place(target), input=text)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(documents(source), documents(target))

    def test_what_an_overloaded_server_puts_off_is_asked_again(self):
        asked = []

        class Overloaded(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                busy = len(asked) in (1, 2) or self.path == "/v1/sweeper"
                code, body = (429, '{"error":{"code":"throttled","message":"too much at once"}}') if busy else (200, "{}")
                self.send_response(code)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_):
                pass

        with http.server.HTTPServer(("127.0.0.1", 0), Overloaded) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            done = run("status", "--url", f"http://127.0.0.1:{server.server_port}/")
            server.shutdown()
            thread.join()
        self.assertEqual(asked, ["/v1"] * 3 + ["/v1/sweeper"] * 5)
        self.assertEqual((done.returncode, done.stderr), (1, "mayfly: too much at once\n"))

    def test_an_export_takes_a_filter_and_says_what_a_document_follows(self):
        with Server() as server:
            c = collection(server, default_ttl=60)
            server.must("PUT", f"{c}/documents/a", {"n": 1})
            server.must("PUT", f"{c}/documents/b?never=true", {"n": 2}, {"mayfly-author": "ann"})
            lines = [json.loads(line) for line in exported(server).splitlines()]
            for line in lines:
                self.assertRegex(line.pop("created_at"), "^2026-02-27T10:00:00")
            self.assertRegex(lines[0].pop("expires_at"), "^2026-02-27T10:01:00")
            self.assertEqual(lines, [{"id": "a", "data": {"n": 1}},
                                     {"id": "b", "never": True, "author": "ann", "data": {"n": 2}}])
            self.assertIn('"inherit":true', exported(server, "--filter", "n < 2", "--inherit"))
            self.assertEqual(exported(server, "--filter", "n > 2"), "")
            refused = run("export", *place(server), "--filter", "n >")
            self.assertEqual((refused.returncode, refused.stdout), (1, ""))
            self.assertIn("filter", refused.stderr)
            done = run("export", *place(server, "none"))
            self.assertEqual(done.returncode, 1)
            self.assertIn("there is no collection named 'none'", done.stderr)

    def test_the_dead_are_counted_and_not_brought_back(self):
        with Server() as source, Server() as target:
            c = collection(source)
            for n in range(20):
                source.must("PUT", f"{c}/documents/d{n}" + ("?ttl=10" if n % 2 else ""), {})
            text = exported(source)
            collection(target)
            target.advance(11)
            done = run("import", *place(target), input=text)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout, "10 documents created, 0 replaced, 10 already expired, 0 lines skipped\n")

    def test_who_dies_in_the_midst_of_an_import_is_dead_and_no_broken_line(self):
        with Server() as server:
            c = collection(server)
            process = subprocess.Popen([BINARY, "import", *place(server)], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            process.stdin.write("".join('{"id":"a%d","data":{}}\n' % n for n in range(500)))
            process.stdin.flush()
            while server.get(f"{c}/count").json["count"] < 500:
                self.assertIsNone(process.poll())
            # The import does not know yet that it is so late.
            server.advance(100)
            ends = ["2026-02-27T10:00:50Z", "2026-02-27T10:05:00Z", "2026-02-27T10:01:00Z"]
            lines = "".join('{"id":"b%d","data":{},"expires_at":"%s"}\n' % pair for pair in enumerate(ends))
            out, err = process.communicate(lines, timeout=60)
            self.assertEqual((process.returncode, err), (0, ""))
            self.assertEqual(out, "501 documents created, 0 replaced, 2 already expired, 0 lines skipped\n")
            self.assertEqual(server.get(f"{c}/documents/b1").status, 200)

    def test_a_broken_line_ends_the_import_with_all_before_it_written(self):
        with Server() as server:
            c = collection(server)
            good = [json.dumps({"id": f"d{n}", "data": {"n": n}}) for n in range(10)]
            long_text = "x" * (2 << 20)
            broken = ['{"id":"x"', "[]", '"x"', '{"data":{}}', '{"id":"x"}', '{"id":5,"data":{}}',
                      '{"id":"x","data":[]}', '{"id":"x","data":{},"ttl":0}', '{"id":"x","data":{},"ttl":"5"}',
                      '{"id":"x","data":{},"expires_at":"soon"}', '{"id":"x","data":{},"never":false}',
                      '{"id":"x","data":{},"never":true,"ttl":5}', '{"id":"x","data":{},"colour":"red"}',
                      '{"id":"","data":{}}', '{"id":"%s","data":{}}' % ("i" * 2000),
                      '{"id":"x","data":{"a":"%s"}}' % long_text, '{"id":"x","data":{},"created_at":"soon"}',
                      '{"id":"x","data":{},"author":"%s"}' % ("a" * 300), "x" * (5 << 20),
                      '{"id":"x","data":{"a":' + "[" * 200 + "]" * 200 + "}}"]
            for line in broken:
                done = run("import", *place(server), input="\n".join([*good[:4], line, *good[4:]]))
                self.assertEqual(done.returncode, 1, line[:80])
                self.assertIn("mayfly: line 5: ", done.stderr)
                self.assertIn("stopped at line 5", done.stderr)
                self.assertEqual(done.stdout, "4 created, 0 replaced, 0 already expired; line 5 and what follows it was not imported\n")
                self.assertEqual(sorted(d[0] for d in documents(server)), [f"d{n}" for n in range(4)], line[:80])
                for n in range(4):
                    server.must("DELETE", f"{c}/documents/d{n}")
            lines = [line for pair in zip(broken, good + good) for line in pair]
            done = run("import", "--continue", *place(server), input="\n".join(lines))
            self.assertEqual(done.returncode, 3)
            self.assertEqual(done.stdout, "10 documents created, 10 replaced, 0 already expired, 20 lines skipped\n")
            self.assertEqual(done.stderr.count("mayfly: line "), 20)
            self.assertEqual(sorted(d[0] for d in documents(server)), [f"d{n}" for n in range(10)])

    def test_nothing_is_read_where_there_is_nowhere_to_write(self):
        with Server() as server:
            for more in ([], ["--continue"]):
                done = run("import", *more, *place(server), input='{"id":"a","data":{}}\n')
                self.assertEqual(done.returncode, 1)
                self.assertIn("there is no database named 'app'", done.stderr)
        gone = run("import", "--url", server.url, "--database", "app", "--collection", "c", input="")
        self.assertEqual(gone.returncode, 1)
        self.assertIn("refused", gone.stderr)
        for arguments in (["export"], ["import"], ["export", "--database", "app"], ["import", "--nonsense"],
                          ["backup"], ["restore", "x"]):
            self.assertEqual(run(*arguments).returncode, 2, arguments)

    def test_an_output_that_cannot_be_written_is_an_error_and_leaves_no_file(self):
        with Server() as server:
            collection(server)
            write_mixed(server, 1000)
            self.assertEqual(run("export", *place(server), "--output", "/nowhere/c").returncode, 1)
            with open("/dev/full", "w") as full:
                done = subprocess.run([BINARY, "export", *place(server)], stdout=full, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 1)

    def test_progress_is_drawn_on_a_terminal_and_only_there(self):
        with Server() as source, tempfile.TemporaryDirectory() as folder:
            collection(source)
            write_mixed(source, 3000)
            path = os.path.join(folder, "c.ndjson")
            for arguments in (["export", *place(source), "--output", path], ["import", *place(source), path]):
                try:
                    master, terminal = pty.openpty()
                except OSError as error:
                    self.skipTest(f"no terminal can be had here: {error}")
                process = subprocess.Popen([BINARY, *arguments], stdout=subprocess.DEVNULL, stderr=terminal)
                os.close(terminal)
                drawn = drain(master, process)
                os.close(master)
                self.assertEqual(process.returncode, 0)
                self.assertIn("100%", drawn)
                self.assertIn("\r", drawn)
                self.assertGreaterEqual(drawn.count("%"), 3)
                self.assertNotIn("%", run(*arguments).stderr)

    def test_an_import_that_was_killed_is_made_whole_by_another(self):
        with Server() as source, Server() as target:
            collection(source)
            write_mixed(source, 5000)
            text = exported(source).encode()
            collection(target)
            process = subprocess.Popen([BINARY, "import", *place(target)], stdin=subprocess.PIPE,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            # The second half is held back until some of the first has been written.
            process.stdin.write(text[:len(text) // 2])
            process.stdin.flush()
            count = lambda: target.must("GET", f"{APP}/collections/c/count").json["count"]
            while count() < 500:
                self.assertIsNone(process.poll())
            process.kill()
            process.wait(30)
            process.stdin.close()
            self.assertLess(count(), 5000)
            self.assertEqual(count() % 500, 0, "a batch was torn")
            done = run("import", *place(target), input=text, binary=True)
            self.assertEqual(done.returncode, 0, done)
            self.assertEqual(documents(source), documents(target))

    def test_a_server_killed_in_an_import_keeps_whole_batches_and_the_import_says_where(self):
        with Server() as source, Server() as target:
            collection(source)
            write_mixed(source, 5000)
            text = exported(source)
            collection(target)
            process = subprocess.Popen([BINARY, "import", *place(target)], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            told = []
            # The pipe may break under the writer when the import ends.
            talk = threading.Thread(target=lambda: told.append(process.communicate(text)))
            talk.start()
            while target.must("GET", f"{APP}/collections/c/count").json["count"] < 1000:
                pass
            target.kill()
            talk.join()
            self.assertEqual(process.returncode, 1)
            self.assertRegex(told[0][1], r"everything before line \d+ was imported")
            target.start()
            self.assertEqual(target.must("GET", f"{APP}/collections/c/count").json["count"] % 500, 0)
            self.assertEqual(run("import", *place(target), input=text).returncode, 0)
            self.assertEqual(documents(source), documents(target))

    def test_status_says_how_a_server_stands(self):
        with Server() as server:
            collection(server)
            told = run("status", "--url", server.url)
            self.assertEqual(told.returncode, 0, told)
            self.assertRegex(told.stdout, r"server: name=mayfly version=\S+ clock=virtual now=2026-02-27T10:00:00")
            self.assertIn("sweeper: paused=false", told.stdout)
            self.assertIn("database app: collections=1\n", told.stdout)


if __name__ == "__main__":
    unittest.main()
