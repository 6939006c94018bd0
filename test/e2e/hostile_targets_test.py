"""Webhooks that lead to hostile receivers: what becomes of each attempt, and that none delays another."""

import os
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest

from server import Server
from subscriptions_test import APP, SESSIONS, Receiver, begin, subscribe

OK = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"


def read_request(connection):
    """Its head and body, as far as they come."""
    text = b""
    while b"\r\n\r\n" not in text:
        text += connection.recv(65_536)
    head, body = text.split(b"\r\n\r\n", 1)
    length = int([line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")][0].split(b":")[1])
    while len(body) < length:
        body += connection.recv(65_536)


def send_for_ever(connection, part):
    while True:
        connection.sendall(part)


class Hostile:
    """A listener; what it does with each connection is `act`."""

    def __init__(self, act, context=None):
        self.connections = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.context = context
        self.act = act
        scheme = "http" if context is None else "https"
        self.url = f"{scheme}://127.0.0.1:{self.listener.getsockname()[1]}/"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            connection, _ = self.listener.accept()
            self.connections += 1
            threading.Thread(target=self.deal, args=(connection,), daemon=True).start()

    def deal(self, connection):
        try:
            if self.context is not None:
                connection = self.context.wrap_socket(connection, server_side=True)
            self.act(connection)
        except OSError:
            pass
        finally:
            connection.close()


def answer(text):
    def act(connection):
        read_request(connection)
        connection.sendall(text)
    return act


def endless(head, part):
    def act(connection):
        read_request(connection)
        connection.sendall(head)
        send_for_ever(connection, part)
    return act


def silent(connection):
    connection.recv(1)
    threading.Event().wait(60)


def slow(connection):
    """A byte a second: none of them is late."""
    read_request(connection)
    for byte in OK:
        connection.sendall(bytes([byte]))
        threading.Event().wait(1)


def certificate(folder, name, days):
    """Signed by itself, so that nothing believes it."""
    files = [os.path.join(folder, f"{name}.{kind}") for kind in ("pem", "key")]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", str(days), "-subj", f"/CN={name}",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-out", files[0], "-keyout", files[1]],
                   check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files)
    return context


# What a receiver does, and what the subscription says then; None: the message is taken.
REDIRECTED = Hostile(answer(OK))
ROWS = [
    ("a redirect is not followed", answer(b"HTTP/1.1 302 Found\r\nlocation: " + REDIRECTED.url.encode() + b"\r\ncontent-length: 0\r\n\r\n"), "302"),
    ("nor one that keeps the method", answer(b"HTTP/1.1 307 X\r\nlocation: " + REDIRECTED.url.encode() + b"\r\ncontent-length: 0\r\n\r\n"), "307"),
    ("an endless body is cut", endless(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65_536), None),
    ("endless chunks are cut", endless(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", b"4000\r\n" + b"x" * 0x4000 + b"\r\n"), None),
    ("a long body that is announced is cut", endless(b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n", b"x" * 65_536), None),
    ("an endless head is refused", endless(b"HTTP/1.1 200 OK\r\n", b"x-a: " + b"b" * 1000 + b"\r\n"), ""),
    ("an endless line is refused", endless(b"HTTP/1.1 200 ", b"x" * 65_536), ""),
    ("endless interim answers are refused", endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100), ""),
    ("what is no HTTP is refused", answer(b"220 mail.example.com ESMTP\r\n"), ""),
    ("a status that is none is refused", answer(b"HTTP/1.1 99999 X\r\n\r\n"), ""),
    ("a connection that is closed is no answer", lambda connection: None, ""),
    ("nor is one that closes behind the request", answer(b""), ""),
    ("silence is not waited for", silent, "no answer in time"),
    ("nor are bytes that come slowly", slow, "no answer in time"),
    ("a refusal is one", answer(b"HTTP/1.1 418 Teapot\r\ncontent-length: 0\r\n\r\n"), "418"),
    ("too much to do is no refusal", answer(b"HTTP/1.1 503 X\r\ncontent-length: 0\r\n\r\n"), "503"),
]
CLOSED = ("http://127.0.0.1:1/", "http://localhost:1/", "http://LOCALHOST./", "http://[::1]/", "http://[::]/", "http://[::ffff:127.0.0.1]/",
          "http://[::ffff:7f00:1]/", "http://[0:0:0:0:0:ffff:a9fe:a9fe]/", "http://[64:ff9b::7f00:1]/", "http://[fd00::1]/", "http://[fe80::1]/",
          "http://169.254.169.254/", "http://0x7f000001/", "http://0x7f.1/", "http://0177.0.0.1/", "http://2130706433/", "http://127.1/",
          "http://0/", "http://10.0.0.1/", "http://192.168.1.1/", "http://172.16.0.1/", "http://100.64.0.1/", "http://user@8.8.8.8/",
          "http://user:password@8.8.8.8/", "ftp://8.8.8.8/", "file:///etc/passwd", "gopher://8.8.8.8/", "http://", "http:///x", "//8.8.8.8/",
          "http://8.8.8.8:99999/", "http://8.8.8.8/\r\nx: y", "http://%31%32%37.0.0.1/", "http://①②⑦.⓪.⓪.①/")


class HostileTargets(unittest.TestCase):
    def test_1_each_costs_its_own_subscription_only(self):
        receiver = Receiver()
        with tempfile.TemporaryDirectory() as folder, Server("--webhooks-allow-private") as server:
            begin(server)
            rows = [(what, Hostile(act), said) for what, act, said in ROWS]
            rows.append(("a certificate that nothing believes is refused",
                         Hostile(answer(OK), certificate(folder, "own", 2)), "certificate"))
            rows.append(("plain HTTP is not TLS", Hostile(answer(OK)), ""))
            rows[-1][1].url = rows[-1][1].url.replace("http:", "https:")
            subscriptions = [(what, subscribe(server, hostile)["id"], said) for what, hostile, said in rows]
            subscribe(server, receiver)
            server.must("PUT", f"{SESSIONS}/documents/a", {"user": 1})
            # While the slow ones are still slow.
            receiver.wait_for(lambda: receiver.messages)
            server.must("PUT", f"{SESSIONS}/documents/b", {"user": 2})
            receiver.wait_for(lambda: len(receiver.messages) == 2)
            for what, id, said in subscriptions:
                with self.subTest(what):
                    state = self.settled(server, id)
                    if said is None:
                        self.assertEqual(0, state["waiting"] - state["under_way"], state)
                        self.assertGreaterEqual(state["delivered"], 1, state)
                    else:
                        self.assertEqual(0, state["delivered"], state)
                        self.assertIn(said, state["last_error"])
                        self.assertNotIn("x" * 300, state["last_error"])
            self.assertEqual(0, REDIRECTED.connections)
        receiver.close()

    def settled(self, server, id):
        while True:
            state = server.get(f"{APP}/subscriptions/{id}").json["state"]
            if state and (state["last_error"] or state["delivered"]):
                return state

    def test_2_private_addresses_are_out_of_reach_however_they_are_written(self):
        with Server() as server:
            begin(server)
            names = []
            for url in CLOSED:
                answer = server.call("POST", f"{APP}/subscriptions", {"target": {"webhook": {"url": url}}})
                if answer.status == 201:  # a name, which is judged once it is resolved
                    names.append((url, answer.json["id"]))
                    continue
                self.assertIn(answer.status, (400, 403), url)
                self.assertEqual("target.webhook.url", answer.json["error"]["field"], url)
            server.must("PUT", f"{SESSIONS}/documents/a", {})
            for url, id in names:
                self.assertEqual(0, self.settled(server, id)["delivered"], url)


if __name__ == "__main__":
    unittest.main()
