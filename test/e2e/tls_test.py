"""TLS beside plain HTTP on one port, and where the certificate comes from."""

import http.client
import json
import os
import shutil
import signal
import ssl
import stat
import subprocess
import tempfile
import time
import unittest

from server import BINARY, Server

PEM = "/_explorer/emulator.pem"


def get(address, path, trusted=None, headers=None):
    """Status and text, over TLS where a certificate is trusted."""
    if trusted is None:
        connection = http.client.HTTPConnection(address, timeout=30)
    else:
        context = ssl.create_default_context(cadata=trusted)
        connection = http.client.HTTPSConnection(address, timeout=30, context=context)
    connection.request("GET", path, headers=headers or {})
    response = connection.getresponse()
    answer = response.status, response.read().decode()
    connection.close()
    return answer


def serve(*flags):
    return subprocess.run([BINARY, "serve", "--data", ":memory:", "--native-port", "0", "--cosmos-port", "0", "--kuzzle-port", "off", "--fauna-port", "off", *flags],
                          capture_output=True, text=True, timeout=30)


class TlsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="mayfly-tls-")
        self.addCleanup(shutil.rmtree, self.folder)

    def place(self, name):
        return os.path.join(self.folder, name)

    def make_certificate(self, name, kind="rsa:2048"):
        """An RSA one, as old clients want it, made by other hands than the server's."""
        certificate, key = self.place(f"{name}.pem"), self.place(f"{name}-key.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", kind, "-nodes", "-days", "2", "-subj", "/CN=localhost",
                        "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", certificate, "-keyout", key],
                       check=True, capture_output=True)
        return certificate, key

    def test_the_cosmos_port_speaks_both_and_shows_its_certificate_to_all(self):
        with Server(cosmos_port="0") as server:
            status, pem = get(server.cosmos, PEM)
            self.assertEqual(status, 200)
            self.assertTrue(pem.startswith("-----BEGIN CERTIFICATE-----\n"))
            self.assertNotIn("PRIVATE", pem)
            self.assertEqual(get(server.cosmos, PEM, trusted=pem), (200, pem))
            port = server.cosmos.rsplit(":", 1)[1]
            self.assertEqual(get(f"localhost:{port}", "/ready", trusted=pem)[0], 200)
            self.assertEqual(get(server.cosmos, "/alive")[0], 200)
            self.assertEqual(get(server.cosmos, "/dbs", trusted=pem)[0], 401)

    def test_the_command_line_speaks_tls_and_trusts_whom_it_is_told_to(self):
        def status(url, *flags):
            return subprocess.run([BINARY, "status", "--url", url, *flags], capture_output=True, text=True, timeout=30)

        with Server("--tls-ports", "all") as server:
            url = server.url.replace("http://", "https://")
            own = os.path.join(server.data, "tls", "certificate.pem")
            trusted = status(url, "--ca", own)
            self.assertEqual((trusted.returncode, trusted.stdout), (0, status(server.url).stdout))
            self.assertEqual(status(url, "--insecure-tls").returncode, 0)
            refused = status(url)
            self.assertEqual(refused.returncode, 1)
            self.assertIn("its certificate is not trusted: self", refused.stderr)
            self.assertIn("--ca FILE", refused.stderr)
            other, _ = self.make_certificate("other")
            self.assertIn("its certificate is not trusted", status(url, "--ca", other).stderr)
            nothing = status(url, "--ca", os.path.join(server.data, "nothing.pem"))
            self.assertIn("holds no certificates in PEM", nothing.stderr)
        with Server("--tls-ports", "off") as server:
            plain = status(server.url.replace("http://", "https://"))
            self.assertEqual(plain.returncode, 1)
            self.assertIn("the port does not speak TLS; try http://", plain.stderr)
            self.assertNotIn("SSL routines", plain.stderr)
        certificate, key = self.make_certificate("named")
        with Server("--tls-certificate", certificate, "--tls-key", key, "--host", "127.0.0.2") as server:
            wrong = status(server.url.replace("http://", "https://"), "--ca", certificate)
            self.assertEqual(wrong.returncode, 1)
            self.assertIn("it is not for '127.0.0.2'", wrong.stderr)

    def test_who_trusts_another_certificate_does_not_believe_the_server(self):
        certificate, _ = self.make_certificate("other")
        with open(certificate) as file, Server(cosmos_port="0") as server:
            with self.assertRaises(ssl.SSLCertVerificationError):
                get(server.cosmos, PEM, trusted=file.read())
            self.assertIn("mayfly_tls_handshakes_total", server.get("/metrics").text)

    def test_the_certificate_outlives_a_restart_and_only_the_owner_reads_its_key(self):
        with Server(cosmos_port="0") as server:
            first = get(server.cosmos, PEM)
            key = os.path.join(server.data, "tls", "key.pem")
            self.assertEqual(stat.S_IMODE(os.stat(key).st_mode), 0o600)
            server.restart("kill")
            self.assertEqual(get(server.cosmos, PEM, trusted=first[1]), first)
            os.remove(key)
            server.restart()
            self.assertNotEqual(get(server.cosmos, PEM), first)

    def test_ports_speak_tls_as_they_are_told_to(self):
        with Server(cosmos_port="0") as server:
            self.assertRaises(ssl.SSLError, get, server.host, "/health", trusted=get(server.cosmos, PEM)[1])
        with Server("--tls-ports", "all", cosmos_port="0") as server:
            pem = get(server.cosmos, PEM)[1]
            self.assertEqual(get(server.host, "/health", trusted=pem)[0], 200)
            self.assertEqual(server.get("/health").status, 200)
        with Server("--tls-ports", "off", cosmos_port="0") as server:
            self.assertEqual(get(server.cosmos, PEM)[0], 404)
            self.assertEqual(get(server.cosmos, "/ready")[0], 200)
            self.assertFalse(os.path.exists(os.path.join(server.data, "tls")))
        with Server() as server:
            self.assertFalse(os.path.exists(os.path.join(server.data, "tls")))

    def test_a_certificate_that_is_named_is_used_on_all_ports(self):
        certificate, key = self.make_certificate("named")
        with open(certificate) as file:
            pem = file.read()
        with Server("--tls-certificate", certificate, "--tls-key", key, cosmos_port="0") as server:
            self.assertEqual(get(server.cosmos, PEM, trusted=pem), (200, pem))
            self.assertEqual(get(server.host, "/health", trusted=pem)[0], 200)
            self.assertFalse(os.path.exists(os.path.join(server.data, "tls")))

    def test_a_key_in_the_file_of_the_certificate_is_not_shown(self):
        certificate, key = self.make_certificate("named")
        both = self.place("both.pem")
        with open(both, "w") as file, open(certificate) as one, open(key) as other:
            file.write(other.read() + one.read())
        with Server("--tls-certificate", both, "--tls-key", both, cosmos_port="0") as server:
            self.assertNotIn("PRIVATE", get(server.cosmos, PEM)[1])

    def test_files_that_cannot_be_used_are_named_and_the_server_does_not_start(self):
        certificate, key = self.make_certificate("named")
        weak, weak_key = self.make_certificate("weak", "rsa:1024")
        _, other_key = self.make_certificate("other")
        missing = self.place("missing.pem")
        for flags, said in (
                (("--tls-certificate", missing, "--tls-key", key), f"{missing} cannot be read: No such file"),
                (("--tls-certificate", certificate, "--tls-key", missing), f"{missing} cannot be read: No such file"),
                (("--tls-certificate", certificate), "set tls.key"),
                (("--tls-certificate", certificate, "--tls-key", other_key), "does not belong to the certificate"),
                (("--tls-certificate", weak, "--tls-key", weak_key), f"{weak}: the certificate cannot be used")):
            with self.subTest(flags):
                done = serve(*flags)
                self.assertEqual(done.returncode, 2, done)
                self.assertIn(said, done.stderr)

    def test_a_stop_lets_the_answer_under_way_leave_over_tls(self):
        with Server("--tls-ports", "all") as server:
            with open(os.path.join(server.data, "tls", "certificate.pem")) as file:
                context = ssl.create_default_context(cadata=file.read())
            server.must("PUT", "/v1/databases/app")
            server.must("PUT", "/v1/databases/app/collections/c")
            connection = http.client.HTTPSConnection(server.host, timeout=30, context=context)
            path = "/v1/databases/app/collections/c/documents/d"
            connection.request("PUT", path, json.dumps({"text": "x" * 1_000_000}), {"content-type": "application/json"})
            self.assertEqual(connection.getresponse().read() != b"", True)
            connection.request("GET", path)
            answer = connection.getresponse()
            server.stop()
            self.assertIn("x" * 1_000_000, answer.read().decode())
            connection.close()

    def test_sighup_reloads_the_certificate(self):
        certificate, key = self.make_certificate("first")
        with Server("--tls-certificate", certificate, "--tls-key", key) as server:
            with open(certificate) as file:
                first = file.read()
            self.assertEqual(get(server.host, "/health", trusted=first)[0], 200)
            other, other_key = self.make_certificate("second")
            shutil.copy(other, certificate)
            shutil.copy(other_key, key)
            server.process.send_signal(signal.SIGHUP)
            with open(other) as file:
                second = file.read()

            def shows_the_second():
                try:
                    return get(server.host, "/health", trusted=second)[0] == 200
                except ssl.SSLError:
                    return False

            deadline = time.monotonic() + 30
            while not shows_the_second():
                self.assertLess(time.monotonic(), deadline, "the certificate is not reloaded")
            with open(key, "w") as file:
                file.write("nothing")
            server.process.send_signal(signal.SIGHUP)
            self.assertEqual(get(server.host, "/health", trusted=second)[0], 200)

    def test_plain_http_can_be_switched_off(self):
        process = subprocess.Popen([BINARY, "serve", "--data", ":memory:", "--native-port", "0", "--cosmos-port", "0",
                                    "--kuzzle-port", "off", "--fauna-port", "off", "--tls-plain", "off"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait, 30)
        self.addCleanup(process.kill)
        lines = [process.stdout.readline().split() for _ in range(2)]
        self.assertEqual([(line[0], line[1][:8], len(line)) for line in lines], [("native", "https://", 2), ("cosmos", "https://", 2)])
        for line in lines:
            address = line[1].removeprefix("https://")
            status, text = get(address, "/ready")
            self.assertEqual(status, 403)
            self.assertIn("tls.plain", text)
            connection = http.client.HTTPSConnection(address, timeout=30, context=ssl._create_unverified_context())
            connection.request("GET", "/ready")
            self.assertEqual(connection.getresponse().status, 200)
            connection.close()
        refused = serve("--tls-plain", "off", "--tls-ports", "off")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("tls.plain", refused.stderr)


if __name__ == "__main__":
    unittest.main()
