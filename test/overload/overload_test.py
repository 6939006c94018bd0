"""More than the server can do, in short: refusals say when to come again, memory stays bounded, and everything is answered
right afterwards. No time is measured here; `./dev overload` does that."""

import socket
import subprocess
import tempfile
import threading
import unittest
import unittest.mock

import server
from server import Server

C = "/v1/databases/app/collections/c"
MIB = 1 << 20
popen = subprocess.Popen


def resident_bytes(running):
    with open(f"/proc/{running.process.pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) << 10
    raise AssertionError("no VmRSS")


def connect(running):
    host, port = running.host.rsplit(":", 1)
    return socket.create_connection((host, int(port)), timeout=30)


def read_answer(connection):
    """Status, headers (lower case) and body of one answer; None where the connection ends first."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(65536)
        if not part:
            return None
        data += part
    head, body = data.split(b"\r\n\r\n", 1)
    lines = head.decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines[1:])
    while len(body) < int(headers.get("content-length", 0)):
        body += connection.recv(65536)
    return int(lines[0].split()[1]), headers, body


def request(method, path, body=b"", headers=""):
    headers = f"Host: localhost\r\nContent-Type: application/json\r\n{headers}Content-Length: {len(body)}\r\n"
    return f"{method} {path} HTTP/1.1\r\n{headers}\r\n".encode() + body


class Overload(unittest.TestCase):
    def setUp(self):
        self.server = Server("--requests", "8", "--workers", "1")
        self.addCleanup(self.server.__exit__)
        self.server.must("PUT", "/v1/databases/app")
        self.server.must("PUT", C, {"keep_feed_for": 1000})
        for i in range(50):
            self.server.must("PUT", f"{C}/documents/d{i}", {"n": i, "note": "x" * 1000})

    def connect(self):
        connection = connect(self.server)
        self.addCleanup(connection.close)
        return connection

    def must(self, method, path, body=None):
        # What others have asked for may still be under way: whoever is refused asks again.
        for _ in range(10_000):
            answer = self.server.call(method, path, body)
            if answer.status != 429:
                break
        self.assertLess(answer.status, 300, f"{method} {path}: {answer}")
        return answer

    def assert_well(self):
        self.assertEqual(self.server.get("/health").status, 200)
        self.assertEqual(self.must("GET", f"{C}/documents/d1").json["data"]["n"], 1)
        self.must("PUT", f"{C}/documents/d1", {"n": 1})
        self.assertEqual(self.must("GET", f"{C}/count").json["count"], 50)

    def test_whoever_is_refused_is_told_when_to_come_again(self):
        connections = [self.connect() for _ in range(200)]
        seen = {}
        for _ in range(10):
            for c in connections:
                c.sendall(request("GET", f"{C}/documents?limit=50&filter=n%3E1"))
            for c in connections:
                status, headers, _ = read_answer(c)
                seen[status] = seen.get(status, 0) + 1
                self.assertIn(status, (200, 429, 503))
                self.assertEqual("retry-after" in headers, status != 200)
        self.assertGreater(seen[200], 0)
        self.assertGreater(seen.get(429, 0), 0)
        self.assertIn("mayfly_requests_overloaded_total", self.server.get("/metrics").text)
        self.assert_well()

    def test_a_body_without_end_is_refused_and_takes_no_memory(self):
        before = resident_bytes(self.server)
        for head in ("Transfer-Encoding: chunked", "Content-Length: 10737418240"):
            c = self.connect()
            headers = f"Host: localhost\r\nContent-Type: application/json\r\n{head}\r\n"
            c.sendall(f"POST {C}/documents HTTP/1.1\r\n{headers}\r\n".encode())
            chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
            sent = 0
            try:
                while sent < 200 * MIB:
                    c.sendall(chunk)
                    sent += len(chunk)
            except OSError:
                pass
            self.assertLess(sent, 100 * MIB, head)
            c.close()
        self.assertLess(resident_bytes(self.server), before + 32 * MIB)
        self.assert_well()

    def test_what_two_readers_could_read_in_two_ways_is_refused(self):
        for headers in ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "Content-Length: 5\r\nContent-Length: 5\r\n",
                        "Content-Length: 5\r\nContent-Length: 6\r\n", "Host: again\r\n", "Content-Length: +5\r\n",
                        "Transfer-Encoding: chunked, chunked\r\n", "Content-Length: 5, 5\r\n"):
            c = self.connect()
            c.sendall(f"POST {C}/documents HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n".encode())
            self.assertIn(read_answer(c)[0], (400, 501), headers)
            self.assertIsNone(read_answer(c), headers)  # nothing that followed is taken for a request
            c.close()
        self.assert_well()

    def test_deep_and_wide_json_is_refused(self):
        bodies = [b"[" * 1_000_000 + b"]" * 1_000_000, b'{"a":' * 300_000, b"[" * 4_000_000,
                  b"{" + b",".join(b'"%d":1' % i for i in range(200_000)) + b"}",
                  b'{"a":' + b"9" * 1_000_000 + b"}", b'{"a":"\xc0\x80"}', b'{"a":"\\ud800"}', b'{"a":1,"a":2']
        for body in bodies:
            for method, path in (("PUT", f"{C}/documents/odd"), ("POST", f"{C}/query"), ("POST", f"{C}/indexes")):
                c = self.connect()
                c.sendall(request(method, path, body))
                status, _, text = read_answer(c)
                self.assertIn(status, (400, 413), (path, body[:20], text[:200]))
                c.close()
        self.assert_well()

    def test_slow_heads_and_clients_that_do_not_read_leave_room_for_others(self):
        before = resident_bytes(self.server)
        slow = []
        for i in range(500):
            slow.append(self.connect())
            slow[-1].sendall(b"GET /v1 HTTP/1.1\r\nX: ")
        deaf = []
        for i in range(20):
            deaf.append(self.connect())
            deaf[-1].sendall(request("GET", f"{C}/documents/d1") * 200)
        self.assert_well()
        self.assertLess(resident_bytes(self.server), before + 64 * MIB)
        for c in slow + deaf:
            c.close()
        self.assert_well()

    def test_few_descriptors_are_shared_between_sockets_and_files(self):
        with tempfile.NamedTemporaryFile("w", suffix=".sh") as few:
            few.write(f'ulimit -n 512\nexec "{server.BINARY}" "$@"\n')
            few.flush()
            with unittest.mock.patch("subprocess.Popen", lambda command, **kw: popen(["sh", few.name, *command[1:]], **kw)):
                self.server.restart()
        connections = [self.connect() for _ in range(400)]
        refused = 0
        for c in connections:
            try:
                c.sendall(request("GET", "/health"))
            except OSError:
                pass  # turned away before; why can be read all the same
            status, headers, _ = read_answer(c)
            self.assertIn(status, (200, 503))
            self.assertEqual("retry-after" in headers, status == 503)
            refused += status == 503
        self.assertGreater(refused, 100)
        self.assertLess(refused, 300)
        for c in connections:
            c.close()
        self.assert_well()

    def test_many_who_follow_a_feed_hold_nobody_up(self):
        followers = []
        for _ in range(300):
            c = self.connect()
            c.sendall(request("GET", f"{C}/feed", headers="Accept: text/event-stream\r\n"))
            data = b""
            while b"\n\n" not in data:
                data += c.recv(65536)
            self.assertIn(b"text/event-stream", data)
            followers.append(c)
        writers = [threading.Thread(target=self.server.must, args=("PUT", f"{C}/documents/d{i}", {"n": i}))
                   for i in range(3)]
        for w in writers:
            w.start()
        for w in writers:
            w.join()
        for c in followers:
            data = b""
            while data.count(b"event: replaced") < 3:
                data += c.recv(65536)
        self.assertEqual(self.server.get("/health").status, 200)
        self.server.stop()
        for c in followers:
            data = b""
            for part in iter(lambda: c.recv(65536), b""):
                data += part
            self.assertTrue(data.endswith(b"0\r\n\r\n"), data[-100:])
            c.close()


if __name__ == "__main__":
    unittest.main()
