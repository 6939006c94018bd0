"""An administrator alone does not close the Kuzzle API: what clients without a login may do decides."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import unittest

from server import BINARY, Server

BOSS = {"username": "boss", "password": "pw"}
FIRST_ADMIN = {"content": {}, "credentials": {"local": BOSS}}
LOGIN_ALONE = {"controllers": {"auth": {"actions": {"login": True}}}}
EVERYTHING = {"controllers": {"*": {"actions": {"*": True}}}}
FOREIGN = {"host": "evil.example"}


class Access(unittest.TestCase):
    def setUp(self):
        self.data = tempfile.mkdtemp(prefix="mayfly-test-")
        self.addCleanup(shutil.rmtree, self.data, True)

    def serve(self, *flags):
        server = Server(*flags, data=self.data, kuzzle_port="0")
        self.addCleanup(server.kill)
        return server

    def first_words(self, *flags):
        """The lines at the start, and the line that the log has of the Kuzzle API."""
        with tempfile.TemporaryFile("w+") as log:
            process = subprocess.Popen([BINARY, "serve", "--data", self.data, "--native-port", "0", "--cosmos-port", "off", "--kuzzle-port",
                                        "0", "--clock", "virtual", "--log-format", "json", *flags],
                                       stdout=subprocess.PIPE, stderr=log, text=True)
            said = process.stdout.readline()
            process.send_signal(signal.SIGTERM)
            said += process.stdout.read()
            process.stdout.close()
            self.assertEqual(process.wait(30), 0)
            log.seek(0)
            lines = [json.loads(line) for line in log]
        return said, next(line for line in lines if line.get("api") == "kuzzle")

    def ask(self, server, method, path, body=None, headers=None):
        return server.call(method, path, body, headers, host=server.kuzzle)

    def log_in(self, server):
        answer = self.ask(server, "POST", "/_login/local", BOSS)
        return {"authorization": "Bearer " + answer.json["result"]["jwt"]}

    def make_admin(self, path):
        server = self.serve()
        self.assertEqual(self.ask(server, "POST", "/shop/_create").status, 200)
        self.assertEqual(self.ask(server, "POST", path, FIRST_ADMIN).status, 200)
        return server

    def test_without_reset_the_port_stays_open_and_says_so(self):
        server = self.make_admin("/boss/_createFirstAdmin")
        self.assertEqual(self.ask(server, "GET", "/_list").status, 200)
        refused = self.ask(server, "GET", "/_list", headers=FOREIGN)
        self.assertEqual((refused.status, refused.json["status"]), (421, 421), refused)
        self.assertEqual(refused.json["error"]["status"], 421, refused)
        server.stop()
        said, logged = self.first_words()
        self.assertNotIn("asks for a login", said)
        self.assertIn("open to every program that reaches it", said)
        self.assertEqual((logged["open"], logged["guard"], logged["closed_by"]), (True, "open", "a restricted role anonymous"))

    def test_with_reset_it_is_closed_until_the_role_is_opened(self):
        server = self.make_admin("/boss/_createFirstAdmin?reset=1")
        headers = self.log_in(server)
        self.assertEqual(self.ask(server, "GET", "/_list").status, 403)
        self.assertEqual(self.ask(server, "GET", "/_list", headers={**headers, **FOREIGN}).status, 200)
        self.assertEqual(self.ask(server, "PUT", "/roles/anonymous", EVERYTHING, headers).status, 200)
        self.assertEqual(self.ask(server, "GET", "/_list", headers=FOREIGN).status, 421)
        self.assertEqual(self.ask(server, "PUT", "/roles/anonymous", LOGIN_ALONE, headers).status, 200)
        self.assertEqual(self.ask(server, "GET", "/_list", headers=FOREIGN).status, 403)
        server.stop()
        said, logged = self.first_words()
        self.assertIn("asks for a login", said)
        self.assertEqual((logged["open"], logged["guard"], logged["asks_for"]), (False, "login", "a login"))

    def start_for_others(self, data):
        return subprocess.run([BINARY, "serve", "--data", data, "--host", "0.0.0.0", "--native-port", "off", "--cosmos-port", "off", "--kuzzle-port", "0", "--fauna-port", "off",
                               "--clock", "virtual"], capture_output=True, text=True, timeout=30, check=False)

    def test_other_machines_reach_it_once_the_role_is_restricted(self):
        self.make_admin("/boss/_createFirstAdmin").stop()
        never_made = self.data + "-never-made"
        for data in (self.data, never_made, ":memory:"):
            refused = self.start_for_others(data)
            self.assertEqual(refused.returncode, 2, refused)
            self.assertIn("with the Kuzzle API, which accepts every request until its role anonymous is restricted: set auth.keys", refused.stderr)
        self.assertFalse(os.path.exists(never_made))
        server = self.serve()
        headers = self.log_in(server)
        self.assertEqual(self.ask(server, "PUT", "/roles/anonymous", LOGIN_ALONE, headers).status, 200)
        server.stop()
        server = self.serve("--host", "0.0.0.0", "--centrali-clients", "service:a-secret")
        self.assertEqual(self.ask(server, "GET", "/_list").status, 403)
        self.assertEqual(server.get("/v1").status, 401)

    def test_a_reset_at_run_time_opens_nothing_to_other_machines(self):
        self.make_admin("/boss/_createFirstAdmin?reset=1").stop()
        server = self.serve("--host", "0.0.0.0", "--centrali-clients", "service:a-secret")
        headers = self.log_in(server)
        self.assertEqual(self.ask(server, "POST", "/admin/_resetSecurity", None, headers).status, 200)
        for method, path in (("GET", "/_list"), ("DELETE", "/shop"), ("POST", "/admin/_resetDatabase")):
            self.assertEqual(self.ask(server, method, path).status, 403, path)
        self.assertEqual(self.ask(server, "POST", "/boss/_createFirstAdmin?reset=1", FIRST_ADMIN).status, 403)
        self.assertEqual(self.ask(server, "GET", "/_now").status, 200)
        server.stop()
        self.assertEqual(self.start_for_others(self.data).returncode, 2)
        server = self.serve()
        self.assertEqual(self.ask(server, "GET", "/_list").json["result"], {"indexes": ["shop"]})

    def test_with_keys_a_role_that_allows_everything_allows_nothing(self):
        self.make_admin("/boss/_createFirstAdmin").stop()
        server = self.serve("--auth-keys", "a-key-for-a-test")
        for method, path in (("GET", "/_list"), ("DELETE", "/shop"), ("POST", "/admin/_resetDatabase")):
            self.assertEqual(self.ask(server, method, path).status, 403, path)
        self.assertEqual(self.ask(server, "GET", "/_now").status, 200)
        headers = self.log_in(server)
        self.assertEqual(self.ask(server, "GET", "/_list", headers={**headers, **FOREIGN}).json["result"], {"indexes": ["shop"]})


if __name__ == "__main__":
    unittest.main()
