"""Subscriptions of the native API, against the real server: every death reaches a webhook, whatever becomes of the server."""

import base64
import hashlib
import hmac
import http.server
import json
import socketserver
import subprocess
import threading
import unittest

from server import BINARY, Server

APP = "/v1/databases/app"
SESSIONS = f"{APP}/collections/sessions"
PATIENCE = 60


class Receiver:
    """Takes messages, and answers each with what `answer` says of it."""

    def __init__(self, answer=lambda message: 200):
        self.changed = threading.Condition()
        self.messages = []
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                status = answer(json.loads(body))
                with receiver.changed:
                    receiver.messages.append((dict(self.headers), body, status))
                    receiver.changed.notify_all()
                self.send_response(status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        class Listener(socketserver.ThreadingMixIn, http.server.HTTPServer):
            daemon_threads = True
            request_queue_size = 128

        self.listener = Listener(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.listener.server_port}/"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def taken(self):
        """The documents whose events were taken, by the ids of the messages."""
        with self.changed:
            return {headers["webhook-id"]: json.loads(body)["event"]["id"]
                    for headers, body, status in self.messages if status == 200}

    def wait_for(self, met):
        with self.changed:
            assert self.changed.wait_for(met, PATIENCE), f"{len(self.messages)} messages"

    def close(self):
        self.listener.shutdown()
        self.listener.server_close()


def begin(server):
    server.must("PUT", APP)
    server.must("PUT", SESSIONS)


def subscribe(server, receiver, **more):
    body = {"target": {"webhook": {"url": receiver.url}}, **more}
    return server.must("POST", f"{APP}/subscriptions", body).json


def write(server, ids, ttl):
    for start in range(0, len(ids), 500):
        operations = [{"op": "put", "collection": "sessions", "id": id, "data": {"user": id}, "ttl": ttl}
                      for id in ids[start:start + 500]]
        server.must("POST", f"{APP}/transactions", {"operations": operations})


class Subscriptions(unittest.TestCase):
    def test_1_every_death_arrives_though_the_server_is_killed(self):
        receiver = Receiver()
        with Server("--webhooks-allow-private") as server:
            begin(server)
            subscribe(server, receiver, kinds=["expired"])
            ids = [f"s{n}" for n in range(2_000)]
            write(server, ids, 60 * 86_400)
            server.advance(60 * 86_400)
            for seen in (1, 200, 700):
                receiver.wait_for(lambda seen=seen: len(receiver.messages) >= seen)
                server.restart("kill")
            receiver.wait_for(lambda: len({headers["webhook-id"] for headers, _, _ in receiver.messages}) >= 2_000)
            taken = receiver.taken()
            self.assertEqual(sorted(ids), sorted(taken.values()))
            # What is repeated is what was under way or not written down when the server was killed.
            self.assertLess(len(receiver.messages), 2_000 + 3 * 1_000)
        receiver.close()

    def test_2_a_message_is_signed_and_says_what_has_happened(self):
        receiver = Receiver()
        with Server("--webhooks-allow-private") as server:
            begin(server)
            made = subscribe(server, receiver)
            server.must("PUT", f"{SESSIONS}/documents/a", {"user": 1})
            receiver.wait_for(lambda: receiver.messages)
            headers, body, _ = receiver.messages[0]
            secret = made["target"]["webhook"]["secret"].removeprefix("whsec_")
            text = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
            signed = base64.b64encode(hmac.new(base64.b64decode(secret), text, hashlib.sha256).digest()).decode()
            self.assertEqual(f"v1,{signed}", headers["webhook-signature"])
            message = json.loads(body)
            self.assertEqual(("app", "sessions", "created"),
                             (message["database"], message["collection"], message["event"]["kind"]))
            self.assertEqual({"user": 1}, message["document"]["data"])
        receiver.close()

    def test_3_what_is_refused_is_tried_again_and_then_kept(self):
        refused = threading.Event()
        refused.set()
        receiver = Receiver(lambda message: 400 if refused.is_set() else 200)
        with Server("--webhooks-allow-private") as server:
            begin(server)
            place = f"{APP}/subscriptions/" + subscribe(server, receiver, attempts_max=2)["id"]
            server.must("PUT", f"{SESSIONS}/documents/a", {})
            receiver.wait_for(lambda: len(receiver.messages) == 1)
            # The wait begins once the answer is known to the server; so it is moved until the next attempt comes.
            while len(receiver.messages) < 2:
                server.advance(2)
            letters = []
            while not letters:
                letters = server.get(f"{place}/dead_letters").json["dead_letters"]
            self.assertEqual("it answered with 400", letters[0]["error"])
            refused.clear()
            server.restart("kill")
            self.assertEqual({"sent": 1, "has_more": False, "next": None}, server.must("POST", f"{place}/dead_letters/send").json)
            receiver.wait_for(lambda: len(receiver.messages) == 3)
            self.assertEqual(["a"], list(receiver.taken().values()))
        receiver.close()

    def test_4_the_command_line(self):
        receiver = Receiver()
        with Server("--webhooks-allow-private") as server:
            begin(server)

            def mayfly(verb, *words):
                done = subprocess.run([BINARY, "subscription", verb, "--url", server.url, "--database", "app", *words],
                                      capture_output=True, text=True)
                self.assertEqual((0, ""), (done.returncode, done.stderr), words)
                return done.stdout

            made = json.loads(mayfly("create", "--collection", "sessions", "--kind", "created", "--kind", "expired",
                                     "--filter", "user = 1", "--webhook", receiver.url, "--attempts", "3"))
            self.assertEqual((["sessions"], ["created", "expired"], "user = 1", 3),
                             (made["collections"], sorted(made["kinds"]), made["filter"], made["attempts_max"]))
            id = made["id"]
            server.must("PUT", f"{SESSIONS}/documents/a", {"user": 1})
            server.must("PUT", f"{SESSIONS}/documents/b", {"user": 2})
            receiver.wait_for(lambda: len(receiver.messages) == 1)
            self.assertTrue(json.loads(mayfly("pause", id))["paused"])
            self.assertIn("yes", mayfly("list"))
            self.assertFalse(json.loads(mayfly("resume", id))["paused"])
            self.assertIn(receiver.url, mayfly("list"))
            mayfly("replay", id)
            receiver.wait_for(lambda: len(receiver.messages) == 2)
            self.assertEqual(id, json.loads(mayfly("show", id))["id"])
            self.assertEqual({"sent": 0}, json.loads(mayfly("send-again", id)))
            self.assertIn("GIVEN UP", mayfly("dead-letters", id))
            for verb, *words in (("create", "--webhook", receiver.url, "--filter", ""), ("replay", id, "--from", ""),
                                 ("show", ""), ("create", "--webhook", receiver.url, "--batch", ""), ("create", "--webhook", "")):
                done = subprocess.run([BINARY, "subscription", verb, "--url", server.url, "--database", "app", *words],
                                      capture_output=True, text=True)
                self.assertNotEqual(0, done.returncode, (verb, words))
            self.assertEqual("removed\n", mayfly("remove", id))
            self.assertEqual("", mayfly("list", "--json"))
        receiver.close()


if __name__ == "__main__":
    unittest.main()
