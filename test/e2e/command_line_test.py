"""The binary's command line: what it prints, what it refuses."""

import http.client
import json
import os
import signal
import socket
import subprocess
import tempfile
import unittest

from server import BINARY, Server


def run(*arguments, env=None):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=30,
                          env={**os.environ, **(env or {})})


class CommandLine(unittest.TestCase):
    def test_version_and_help(self):
        self.assertRegex(run("--version").stdout, r"^mayfly \d+\.\d+\.\d+\n$")
        told = run("--help")
        self.assertEqual(told.returncode, 0)
        self.assertIn("serve", told.stdout)
        self.assertIn("--native-port", run("serve", "--help").stdout)

    def test_a_wrong_command_line_is_refused_with_status_2(self):
        for arguments in (["nonsense"], ["serve", "--nonsense"], ["serve", "--threads", "many"],
                          ["serve", "--clock", "yesterday"], ["serve", "--clock", "virtual:yesterday"],
                          ["serve", "--native-port", "99999"], []):
            with self.subTest(arguments):
                done = run(*arguments)
                self.assertEqual(done.returncode, 2, done)
                self.assertNotEqual(done.stderr + done.stdout, "")

    def test_other_machines_are_let_in_only_with_keys_or_by_saying_so(self):
        done = run("serve", "--host", "0.0.0.0", "--data", ":memory:", "--native-port", "0", "--cosmos-port", "off", "--kuzzle-port", "off")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--insecure", done.stderr)
        with Server("--host", "0.0.0.0", "--insecure") as server:
            self.assertTrue(server.url.startswith("http://0.0.0.0:"))
        with Server("--host", "0.0.0.0", "--auth-keys", "open sesame") as server:
            self.assertEqual(server.get("/v1/databases").status, 401)
            key = {"authorization": "Bearer open sesame"}
            self.assertEqual(server.get("/v1/databases", headers=key).status, 200)

    def test_settings_come_from_file_environment_and_flags_in_that_order(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mayfly.toml")
            with open(path, "w") as file:
                file.write('clock = "nonsense"\n')
            done = run("serve", "--config", path, "--data", ":memory:")
            self.assertEqual(done.returncode, 2)
            self.assertIn("nonsense", done.stderr)
            done = run("serve", "--config", path, "--data", ":memory:", env={"MAYFLY_CLOCK": "rubbish"})
            self.assertIn("rubbish", done.stderr)
            with open(path, "w") as file:
                file.write("typo = 1\n")
            self.assertIn("typo", run("serve", "--config", path).stderr)

    def test_two_servers_do_not_share_a_directory(self):
        with Server() as server:
            done = run("serve", "--data", server.data, "--native-port", "0", "--cosmos-port", "off", "--kuzzle-port", "off")
            self.assertEqual(done.returncode, 1)
            self.assertNotEqual(done.stderr, "")

    def test_the_clock_is_shown_and_moved(self):
        with Server() as server:
            self.assertIn("(virtual)", run("clock", "--url", server.url).stdout)
            moved = run("clock", "--url", server.url, "advance", "60d")
            self.assertEqual((moved.returncode, moved.stdout[:10]), (0, "2026-04-28"))
            moved = run("clock", "--url", server.url, "set", "2027-01-01T00:00:00Z")
            self.assertEqual(moved.stdout, "2027-01-01T00:00:00Z (virtual)\n")
            back = run("clock", "--url", server.url, "set", "2020-01-01T00:00:00Z")
            self.assertEqual(back.returncode, 1)
            self.assertNotEqual(back.stderr, "")
        with Server(clock="system") as server:
            self.assertIn("(system)", run("clock", "--url", server.url).stdout)
            refused = run("clock", "--url", server.url, "advance", "1")
            self.assertEqual(refused.returncode, 1)
            self.assertIn("virtual", refused.stderr)

    def test_a_server_that_stops_is_not_ready(self):
        with Server() as server:
            host, port = server.host.rsplit(":", 1)
            probe = socket.create_connection((host, int(port)), timeout=30)
            self.addCleanup(probe.close)
            self.assertEqual(server.get("/ready").status, 200)
            probe.sendall(b"GET /ready HTTP/1.1\r\nHost: localhost\r\n")
            server.get("/health")  # what was sent before has been read by now
            server.process.send_signal(signal.SIGTERM)
            with self.assertRaises(OSError):
                while True:
                    socket.create_connection((host, int(port)), timeout=30).close()
            probe.sendall(b"\r\n")
            answer = http.client.HTTPResponse(probe)
            answer.begin()
            self.assertEqual(answer.status, 503)
            self.assertEqual(json.loads(answer.read()), {"status": "not_ready", "reason": "the server is stopping"})
            self.assertEqual(server.process.wait(30), 0)


if __name__ == "__main__":
    unittest.main()
