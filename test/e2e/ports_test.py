"""What a port takes and says, from the start of the server to its end: under load, no request is lost then."""

import http.client
import json
import os
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse

from server import BINARY, COSMOS_KEY, Server

CLIENTS = 16


class Client(threading.Thread):
    """Sends one request after the other on one connection, until an answer says that it is the last."""

    def __init__(self, host):
        super().__init__(daemon=True)
        name, port = host.rsplit(":", 1)
        self.socket = socket.create_connection((name, int(port)), timeout=30)
        self.answered = 0
        self.end = "nothing has come"

    def run(self):
        try:
            while True:
                self.socket.sendall(b"GET /v1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
                answer = http.client.HTTPResponse(self.socket)
                answer.begin()
                answer.read()
                self.answered += 1
                if answer.getheader("connection") == "close":
                    self.end = "closed" if self.socket.recv(1) == b"" else "more has come"
                    return
        except (OSError, http.client.HTTPException) as failure:
            self.end = repr(failure)
        finally:
            self.socket.close()


class Shutdown(unittest.TestCase):
    def test_keep_alive_clients_under_load_are_all_answered(self):
        with Server() as server:
            idle = socket.create_connection((server.host.rsplit(":", 1)[0], int(server.host.rsplit(":", 1)[1])), timeout=30)
            self.addCleanup(idle.close)
            idle.sendall(b"GET /v1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
            self.assertIn(b"200 OK", idle.recv(65536))
            clients = [Client(server.host) for _ in range(CLIENTS)]
            for client in clients:
                client.start()
            while any(client.answered < 20 for client in clients):
                self.assertTrue(all(client.is_alive() for client in clients), [client.end for client in clients])
                time.sleep(0)
            server.process.send_signal(signal.SIGTERM)
            for client in clients:
                client.join(30)
            self.assertEqual([client.end for client in clients], ["closed"] * CLIENTS)
            self.assertEqual(idle.recv(1), b"")  # an end, not a reset
            self.assertEqual(server.process.wait(30), 0)


class Signals(unittest.TestCase):
    def test_sighup_does_not_end_the_server(self):
        with Server() as server:
            server.process.send_signal(signal.SIGHUP)
            self.assertEqual(server.get("/health").status, 200)
            server.process.send_signal(signal.SIGTERM)
            self.assertEqual(server.process.wait(30), 0)


class Start(unittest.TestCase):
    def serve(self, *flags):
        return subprocess.run([BINARY, "serve", *flags], capture_output=True, text=True, timeout=30)

    def test_a_server_without_a_port_is_refused_before_anything_is_made(self):
        place = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"mayfly-never-made-{os.getpid()}")
        refused = self.serve("--data", place, "--native-port", "off", "--cosmos-port", "off", "--kuzzle-port", "off", "--fauna-port", "off")
        self.assertEqual(refused.returncode, 2, refused.stderr)
        self.assertIn("every port is off", refused.stderr)
        self.assertFalse(os.path.exists(place))

    def test_what_is_open_is_said_of_each_port_and_ports_are_in_json_logs(self):
        command = [BINARY, "serve", "--data", ":memory:", "--native-port", "0", "--cosmos-port", "0", "--kuzzle-port", "0", "--fauna-port", "off",
                   "--log-format", "json", "--auth-keys", "key-for-a-test"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        announced = [process.stdout.readline().split() for _ in range(3)]
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=30)
        for name, url, *_ in announced:
            said = [line for line in log.splitlines() if f'"api":"{name}"' in line]
            self.assertEqual(len(said), 1, log)
            self.assertIn(f'"address":"{urllib.parse.urlsplit(url).netloc}"', said[0])
            self.assertIn('"open":false', said[0])

    def first_words(self, *flags):
        """All that a server says on standard output and in its log, until it is ended at once."""
        with tempfile.TemporaryFile("w+") as log:
            process = subprocess.Popen([BINARY, "serve", "--native-port", "0", "--cosmos-port", "0", "--kuzzle-port", "0", "--fauna-port", "off", *flags],
                                       stdout=subprocess.PIPE, stderr=log, text=True)
            said = process.stdout.readline()
            process.send_signal(signal.SIGTERM)
            said += process.stdout.read()
            process.stdout.close()
            self.assertEqual(process.wait(30), 0)
            log.seek(0)
            return said.splitlines(), log.read()

    def test_the_first_lines_say_what_guards_each_port_and_what_to_paste(self):
        with tempfile.TemporaryDirectory() as folder:
            lines, log = self.first_words("--data", os.path.join(folder, "data"), "--log-format", "json")
            self.assertEqual([line.split()[0] for line in lines[:3]], ["native", "cosmos", "kuzzle"])
            url = lines[1].split()[1]
            rest = "\n".join(lines[3:])
            self.assertIn(f"AccountEndpoint={url}/;AccountKey={COSMOS_KEY};", rest)
            self.assertIn("open to every program that reaches it; set auth.keys", rest)
            self.assertIn("security:createFirstAdmin with reset restricts that role", rest)
            self.assertIn(os.path.join(os.path.realpath(folder), "data"), rest)
            self.assertIn("this machine's", rest)
            self.assertNotIn(COSMOS_KEY, log)
            for guard in ('"guard":"open"', '"guard":"well_known_key"', '"clock":"system"'):
                self.assertIn(guard, log)

    def test_the_first_lines_show_no_secret(self):
        secrets = ["a-key-for-a-test", "c2VjcmV0LWtleQ==", "cmVhZC1rZXk="]
        lines, log = self.first_words("--data", ":memory:", "--clock", "virtual", "--auth-keys", secrets[0],
                                      "--cosmos-key", secrets[1], "--cosmos-read-key", secrets[2])
        said = "\n".join(lines) + log
        for secret in secrets:
            self.assertNotIn(secret, said)
        for words in ("AccountKey=<cosmos.key>;", "one of auth.keys, as in", "in memory; nothing is kept", "virtual: it moves only"):
            self.assertIn(words, said)
        refusing, _ = self.first_words("--data", ":memory:", "--auth-keys", secrets[0])
        self.assertIn("refuses every request", "\n".join(refusing))
        self.assertNotIn("AccountKey", "\n".join(refusing))

    def test_clients_of_centrali_alone_close_the_ports_and_the_first_lines_say_so(self):
        lines, log = self.first_words("--data", ":memory:", "--centrali-clients", "service:a-secret-for-a-test", "--log-format", "json")
        said = "\n".join(lines)
        self.assertIn("the Centrali API asks for a token of one of centrali.clients; the native API refuses every request until auth.keys "
                      "is set", said)
        self.assertIn("refuses every request: centrali.clients is set and cosmos.key is not", said)
        self.assertNotIn("one of auth.keys", said)
        self.assertIn('"guard":"keys","asks_for":"centrali.clients"', log)
        self.assertNotIn("a-secret-for-a-test", said + log)
        with Server("--centrali-clients", "service:a-secret-for-a-test", "--host", "0.0.0.0", cosmos_port="0") as server:
            self.assertEqual(server.get("/v1/databases", headers={"authorization": "Bearer x"}).status, 401)
            self.assertEqual(server.ask_cosmos("GET", "/dbs").status, 401)

    def test_each_port_has_its_own_requests_for_health(self):
        with Server(cosmos_port="0", kuzzle_port="0") as server:
            paths = ("/health", "/ready", "/metrics", "/alive", "/_healthCheck")
            for host, there in ((server.host, paths[:3]), (server.cosmos, ("/ready", "/alive")), (server.kuzzle, paths[4:])):
                found = tuple(path for path in paths if server.get(path, host=host).status == 200)
                self.assertEqual(found, there)

    def test_localhost_is_both_of_its_addresses(self):
        with Server("--host", "localhost") as server:
            port = int(server.host.rsplit(":", 1)[1])
            addresses = {row[4][0] for row in socket.getaddrinfo("localhost", port, type=socket.SOCK_STREAM)}
            for address in addresses:
                socket.create_connection((address, port), timeout=30).close()
            self.assertIn("127.0.0.1", addresses)

    def test_names_of_a_port_without_keys_are_its_own_and_those_of_the_setting(self):
        with Server("--hosts", "db.internal,mayfly") as server:
            def status(host):
                return server.get("/v1", headers={"host": host}).status

            self.assertEqual([status("localhost"), status("db.internal:7007"), status("MAYFLY")], [200, 200, 200])
            self.assertEqual([status("evil.example"), status("10.0.0.1")], [421, 421])
        with Server("--insecure") as server:
            self.assertEqual(server.get("/v1", headers={"host": "evil.example"}).status, 200)
        with Server("--auth-keys", "a-key-for-a-test") as server:
            self.assertEqual(server.get("/v1", headers={"host": "evil.example"}).status, 401)


class Bodies(unittest.TestCase):
    def test_a_body_without_its_type_is_refused_before_it_is_read(self):
        with Server() as server:
            def status(path, kind, body="{}"):
                return server.call("POST", path, body, {"content-type": kind, "authorization": "Bearer x"}).status

            centrali = "/data/workspace/w/api/v1/structures"
            for path in ("/v1/clock", centrali):
                for kind in ("text/plain", "", "application/x-www-form-urlencoded"):
                    self.assertEqual(status(path, kind), 415, (path, kind))
                for kind in ("application/json", "application/json; charset=utf-8", "application/vnd.x+json"):
                    self.assertEqual(status(path, kind), 400, (path, kind))
            self.assertEqual(server.must("POST", "/v1/clock", {"advance_seconds": 1}).status, 200)
            refused = server.call("POST", "/v1/clock", "{}", {"content-type": "text/plain"})
            self.assertIn("Content-Type: application/json", refused.text)


class AccessLog(unittest.TestCase):
    def test_requests_are_logged_without_their_secrets(self):
        process = subprocess.Popen([BINARY, "serve", "--data", ":memory:", "--native-port", "0", "--cosmos-port", "off",
                                    "--kuzzle-port", "off", "--fauna-port", "off", "--log-access"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        host = urllib.parse.urlsplit(process.stdout.readline().split()[1]).netloc
        connection = http.client.HTTPConnection(host, timeout=30)
        connection.request("GET", "/v1/nothing?jwt=very-secret", headers={"x-request-id": "mine"})
        answer = connection.getresponse()
        answer.read()
        self.assertEqual(answer.getheader("x-request-id"), "mine")
        self.assertIsNotNone(answer.getheader("date"))
        connection.close()
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=30)
        self.assertIn("answered api=native method=GET", log)
        self.assertIn("status=404", log)
        self.assertIn("request=mine", log)
        self.assertNotIn("very-secret", log)

    def test_a_secret_of_fauna_that_is_refused_has_its_reason_in_the_log_alone(self):
        process = subprocess.Popen([BINARY, "serve", "--data", ":memory:", "--native-port", "off", "--cosmos-port", "off", "--kuzzle-port", "off",
                                    "--fauna-port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        host = urllib.parse.urlsplit(process.stdout.readline().split()[1]).netloc
        for secret in ["secret:nowhere:admin", *["very-secret:nowhere:admin"] * 100]:
            connection = http.client.HTTPConnection(host, timeout=30)
            connection.request("POST", "/query/1", '{"query": "1"}', {"authorization": f"Bearer {secret}"})
            answer = connection.getresponse()
            self.assertEqual((answer.status, json.loads(answer.read())["error"]["message"]), (401, "Access token required"))
            connection.close()
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=30)
        self.assertIn('a secret was refused api=fauna reason="there is no database `nowhere`" peer=127.0.0.1', log)
        self.assertIn('a secret was refused api=fauna reason="no key or token has this secret: ', log)
        self.assertNotIn("very-secret", log)
        self.assertLess(log.count("a secret was refused"), 101)


class Debug(unittest.TestCase):
    def log_of(self, level):
        """What a server logs of a login that fails, a drop, a sweep and a connection."""
        process = subprocess.Popen([BINARY, "serve", "--data", ":memory:", "--clock", "virtual", "--native-port", "0", "--cosmos-port", "off",
                                    "--kuzzle-port", "0", "--fauna-port", "off", "--log-level", level], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        hosts = [urllib.parse.urlsplit(process.stdout.readline().split()[1]).netloc for _ in range(2)]

        def ask(method, path, body=None, host=hosts[0]):
            connection = http.client.HTTPConnection(host, timeout=30)
            connection.request(method, path, body, {"content-type": "application/json"})
            status = connection.getresponse().status
            connection.close()
            return status

        self.assertEqual(ask("PUT", "/v1/databases/shop"), 201)
        self.assertEqual(ask("PUT", "/v1/databases/shop/collections/carts"), 201)
        self.assertEqual(ask("PUT", "/v1/databases/shop/collections/carts/documents/a?ttl=5", "{}"), 201)
        self.assertEqual(ask("POST", "/v1/clock", '{"advance_seconds": 60}'), 200)
        self.assertEqual(ask("POST", "/v1/sweeper/run"), 200)
        self.assertEqual(ask("DELETE", "/v1/databases/shop/collections/carts"), 204)
        self.assertEqual(ask("DELETE", "/v1/databases/shop"), 204)
        self.assertEqual(ask("POST", "/_login/local", '{"username": "ada", "password": "wrong-one"}', hosts[1]), 401)
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=30)
        self.assertNotIn("wrong-one", log)
        return log

    def test_debug_logs_requests_connections_and_sweeps_and_info_does_not(self):
        of_debug = ("debug answered api=native method=DELETE", "debug a connection is accepted api=native", "debug a connection is closed api=native",
                    "debug ends were recorded collection=carts ends=1")
        of_info = ("info  a collection is dropped database=shop collection=carts", "info  a database is dropped database=shop",
                   "warn  a login failed api=kuzzle user=ada peer=127.0.0.1")
        debug, info = self.log_of("debug"), self.log_of("info")
        for words in of_debug:
            self.assertIn(words, debug)
            self.assertNotIn(words.split(" api=")[0], info)
        for words in of_info:
            self.assertIn(words, debug)
            self.assertIn(words, info)


if __name__ == "__main__":
    unittest.main()
