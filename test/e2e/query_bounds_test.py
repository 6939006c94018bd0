"""What a hostile query, condition or script can take: an answer in time, memory within bounds, no other's turn."""

import base64
import hashlib
import hmac
import http.client
import json
import os
import threading
import unittest
import urllib.parse

from server import Answer, Server

KEY = base64.b64decode("C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==")
DATE = "Fri, 27 Feb 2026 10:00:00 GMT"
DOCUMENTS = "dbs/app/colls/c/docs"
# A thousand million rows, of which none is made.
ENDLESS = "SELECT VALUE COUNT(1) FROM c JOIN a IN c.items JOIN b IN c.items JOIN d IN c.items WHERE a + b + d = -1"


def stat_of(process):
    """What the system says of a process behind its name: its state, its parent, and so on. Nothing where there is none."""
    try:
        with open(f"/proc/{process}/stat") as stat:
            return stat.read().rpartition(")")[2].split()
    except OSError:
        return []


def parent_of(process):
    return int((stat_of(process) or [0, 0])[1])


def is_running(process):
    return (stat_of(process) or ["Z"])[0] not in "ZX"


class Cosmos:
    """A container with one document, and requests to it."""

    def __init__(self, *flags, **body):
        self.server = Server(*flags, cosmos_port="0")
        self.must("POST", "dbs", "", {"id": "app"})
        self.must("POST", "colls", "dbs/app", {"id": "c", "partitionKey": {"paths": ["/id"], "kind": "Hash"}})
        self.must("POST", "docs", "dbs/app/colls/c", {"id": "a", **body})

    def connect(self, timeout=20):
        return http.client.HTTPConnection(self.server.cosmos, timeout=timeout)

    def send(self, connection, method, kind, link, body, headers=None, is_item=False):
        text = f"{method.lower()}\n{kind}\n{link}\n{DATE.lower()}\n\n"
        signature = base64.b64encode(hmac.new(KEY, text.encode(), hashlib.sha256).digest()).decode()
        path = f"/{link}" if is_item else "/" + "/".join(part for part in (link, kind) if part)
        connection.request(method, path, json.dumps(body), {
            "authorization": urllib.parse.quote(f"type=master&ver=1.0&sig={signature}", safe=""),
            "x-ms-date": DATE, "x-ms-version": "2018-12-31", "content-type": "application/json",
            "x-ms-documentdb-partitionkey": '["a"]', **(headers or {})})

    def call(self, *request, **kw):
        connection = self.connect()
        self.send(connection, *request, **kw)
        response = connection.getresponse()
        answer = Answer(response.status, dict(response.getheaders()), response.read().decode())
        connection.close()
        return answer

    def must(self, *request, **kw):
        answer = self.call(*request, **kw)
        assert 200 <= answer.status < 300, answer
        return answer

    def send_query(self, connection, text, **parameters):
        body = {"query": text, "parameters": [{"name": f"@{k}", "value": v} for k, v in parameters.items()]}
        self.send(connection, "POST", "docs", "dbs/app/colls/c", body,
                  {"x-ms-documentdb-isquery": "true", "x-ms-documentdb-partitionkeyrangeid": "0", "content-type": "application/query+json"})

    def query(self, text, **parameters):
        connection = self.connect()
        self.send_query(connection, text, **parameters)
        response = connection.getresponse()
        answer = Answer(response.status, {}, response.read().decode())
        connection.close()
        return answer

    def read(self):
        return self.call("GET", "docs", f"{DOCUMENTS}/a", None, is_item=True)

    def peak_megabytes(self):
        with open(f"/proc/{self.server.process.pid}/status") as status:
            return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))

    def processes_of_scripts(self):
        return [process for process in map(int, filter(str.isdigit, os.listdir("/proc")))
                if parent_of(process) == self.server.process.pid]

    def waiting(self):
        lines = self.server.get("/metrics").text.splitlines()
        return next(float(line.split()[-1]) for line in lines if line.startswith("mayfly_requests_waiting"))

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.server.__exit__(*failure)


class QueryBounds(unittest.TestCase):
    def test_a_search_of_a_text_is_linear(self):
        with Cosmos(t="a" * 1_900_000) as cosmos:
            for call, value in (("CONTAINS(c.t, @s)", False), ("INDEX_OF(c.t, @s)", -1),
                                ("LENGTH(REPLACE(c.t, @s, ''))", 1_900_000)):
                answer = cosmos.query(f"SELECT VALUE {call} FROM c", s="a" * 900_000 + "b")
                self.assertEqual(answer.json["Documents"], [value], call)

    def test_like_takes_a_hundred_thousand_wildcards(self):
        with Cosmos(t="a" * 100_000) as cosmos:
            answer = cosmos.query("SELECT VALUE c.t LIKE @p FROM c", p="_" * 100_000)
            self.assertEqual(answer.json["Documents"], [True])

    def test_nested_subqueries_share_one_bound_of_memory(self):
        with Cosmos(n=list(range(100))) as cosmos:
            nested = "x3"
            for depth in range(3, -1, -1):
                nested = f"ARRAY(SELECT VALUE {nested} FROM x{depth} IN c.n)"
            answer = cosmos.query(f"SELECT {nested} AS all FROM c".replace("all", "a"))
            self.assertEqual(answer.status, 400, answer)
            self.assertIn("Query exceeded the maximum allowed memory usage", answer.text)
            self.assertLess(cosmos.peak_megabytes(), 1_000)

    def test_heavy_queries_leave_room_for_short_ones_and_end_with_their_clients(self):
        with Cosmos("--request-seconds", "600", items=list(range(1000))) as cosmos:
            heavy = [cosmos.connect() for _ in range(4)]
            for connection in heavy:
                cosmos.send_query(connection, ENDLESS)
            self.assertEqual(cosmos.query("SELECT VALUE c.id FROM c").json["Documents"], ["a"])
            for connection in heavy:
                connection.close()
            while cosmos.waiting() > 0:
                pass
            self.assertEqual(cosmos.query("SELECT VALUE c.id FROM c").json["Documents"], ["a"])

    def test_the_condition_of_a_patch_holds_up_nobody_who_reads(self):
        with Cosmos("--request-seconds", "600", "--threads", "1", items=list(range(1000))) as cosmos:
            heavy = cosmos.connect()
            condition = f"FROM c WHERE EXISTS({ENDLESS.replace('VALUE COUNT(1)', 'VALUE 1').replace('FROM c JOIN a', 'FROM a')})"
            cosmos.send(heavy, "PATCH", "docs", f"{DOCUMENTS}/a",
                        {"condition": condition, "operations": [{"op": "set", "path": "/x", "value": 1}]}, is_item=True)
            self.assertEqual(cosmos.read().status, 200)
            heavy.close()

    def test_a_server_ends_though_a_script_spins_in_one_operation(self):
        with Cosmos() as cosmos:
            # Each text takes seconds to write, and nothing interrupts that.
            spin = "function () { const large = (1n << 1000000n) + 1n; for (;;) large.toString(); }"
            cosmos.must("POST", "sprocs", "dbs/app/colls/c", {"id": "spin", "body": spin})
            connection = cosmos.connect()
            cosmos.send(connection, "POST", "sprocs", "dbs/app/colls/c/sprocs/spin", [], is_item=True)
            while cosmos.waiting() < 1:
                pass
            cosmos.server.stop()
            connection.close()
            cosmos.server.start()
            self.assertEqual(cosmos.read().status, 200)

    def test_no_process_of_a_script_outlives_the_server(self):
        with Cosmos() as cosmos:
            cosmos.must("POST", "sprocs", "dbs/app/colls/c", {"id": "spin", "body": "function () { for (;;) {} }"})
            connection = cosmos.connect()
            cosmos.send(connection, "POST", "sprocs", "dbs/app/colls/c/sprocs/spin", [], is_item=True)
            while len(processes := cosmos.processes_of_scripts()) < 2:  # the one that runs it, and a new one
                pass
            cosmos.server.kill()
            connection.close()
            while any(is_running(process) for process in processes):
                pass


if __name__ == "__main__":
    unittest.main()
