"""The event streams and webhooks of the Centrali dialect, against the real server over real sockets."""

import base64
import hashlib
import hmac
import http.client
import http.server
import json
import queue
import socketserver
import ssl
import subprocess
import tempfile
import threading
import unittest

from server import Server

DATA = "/data/workspace/acme/api/v1"
RECORDS = f"{DATA}/records"
HOOKS = f"{DATA}/webhook-subscriptions"
KEY = {"authorization": "Bearer t"}
PATIENCE = 30


class Stream:
    """A client of server-sent events."""

    def __init__(self, server, parameters="", headers=None):
        self.connection = http.client.HTTPConnection(server.host, timeout=PATIENCE)
        path = f"/realtime/workspace/acme/events?{parameters}"
        self.connection.request("GET", path, headers=KEY if headers is None else headers)
        self.response = self.connection.getresponse()

    def block(self):
        """The lines up to the next empty one."""
        lines = []
        while line := self.response.readline().decode().rstrip("\n"):
            lines.append(line)
        return lines

    def event(self):
        """The payload of the next event; comments are passed over."""
        while True:
            lines = self.block()
            data = [line[6:] for line in lines if line.startswith("data: ")]
            if data and "event: message" in lines:
                return json.loads(data[0])

    def close(self):
        self.response.close()
        self.connection.close()


class Receiver:
    """Takes deliveries, and answers each with the next of its statuses, or else 200."""

    def __init__(self, context=None):
        self.calls = queue.Queue()
        self.statuses = queue.Queue()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                try:
                    status = receiver.statuses.get_nowait()
                except queue.Empty:
                    status = 200
                self.send_response(status)
                self.send_header("content-length", "0")
                self.end_headers()
                receiver.calls.put((dict(self.headers), body))

            def log_message(self, *arguments):
                pass

        class Threads(socketserver.ThreadingMixIn, http.server.HTTPServer):
            daemon_threads = True

        self.http = Threads(("127.0.0.1", 0), Handler)
        scheme = "http"
        if context:
            self.http.socket = context.wrap_socket(self.http.socket, server_side=True)
            scheme = "https"
        self.url = f"{scheme}://localhost:{self.http.server_port}/hook"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def next(self):
        headers, body = self.calls.get(timeout=PATIENCE)
        return {name.lower(): value for name, value in headers.items()}, body

    def close(self):
        self.http.shutdown()
        self.http.server_close()


def verify(secret, headers, body):
    """Standard Webhooks, as its own libraries do it."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(expected, given) for given in headers["webhook-signature"].split())


def make_structure(server, name="Orders"):
    server.must("POST", f"{DATA}/structures", {"name": name}, KEY)


def create(server, data, parameters=""):
    return server.must("POST", f"{RECORDS}/slug/orders{parameters}", {"data": data}, KEY).json


class CentraliStreams(unittest.TestCase):
    def test_case_61_the_first_bytes_the_headers_and_the_events_of_a_stream(self):
        with Server() as server:
            make_structure(server)
            stream = Stream(server, "structures=orders&filter=data.status:pending")
            self.assertEqual(stream.response.status, 200)
            self.assertEqual(stream.response.headers["content-type"], "text/event-stream")
            self.assertEqual(stream.response.headers["cache-control"], "no-cache")
            self.assertEqual(stream.response.headers["x-accel-buffering"], "no")
            self.assertRegex("\n".join(stream.block()), r"^retry: 3000\nid: [0-9]+$")
            self.assertEqual(stream.block(), [": connected to workspace acme"])
            create(server, {"status": "new"})
            record = create(server, {"status": "pending", "n": 1})
            server.must("PATCH", f"{RECORDS}/{record['id']}", {"data": {"n": 2}}, KEY)
            created, updated = stream.event(), stream.event()
            self.assertEqual((created["event"], created["recordId"]), ("record_created", record["id"]))
            self.assertEqual(created["data"], {"status": "pending", "n": 1})
            self.assertEqual(updated["event"], "record_updated")
            self.assertEqual(updated["data"], {"before": {"status": "pending", "n": 1},
                                               "after": {"status": "pending", "n": 2}})
            stream.close()

    def test_cases_35_to_37_an_expiry_is_heard_when_it_comes_and_is_no_deletion(self):
        with Server() as server:
            make_structure(server)
            stream = Stream(server)
            dying = create(server, {"n": 1}, "?ttlSeconds=60")
            deleted = create(server, {"n": 2}, "?ttlSeconds=60")
            server.must("DELETE", f"{RECORDS}/{deleted['id']}", None, KEY)
            self.assertEqual([stream.event()["event"] for _ in range(3)],
                             ["record_created", "record_created", "record_deleted"])
            server.advance(60)
            expired = stream.event()
            self.assertEqual((expired["event"], expired["recordId"], expired["recordSlug"]),
                             ("record_expired", dying["id"], "orders"))
            self.assertEqual((expired["data"], expired["expiresAt"]), ({"n": 1}, dying["expiresAt"]))
            # The other one died in the archive: nothing is said of it.
            create(server, {"n": 3})
            self.assertEqual(stream.event()["event"], "record_created")
            stream.close()

    def test_case_34_the_envelope_of_the_page_on_record_ttl(self):
        with Server() as server:
            make_structure(server)
            stream = Stream(server, "events=record.expired")
            record = create(server, {}, "?ttlSeconds=60")
            now = server.advance(60)
            event = stream.event()
            self.assertEqual(event.pop("timestamp")[:16], now[:16])
            self.assertEqual(event, {"event": "record.expired", "workspace": "acme", "data": {
                "record": {"id": record["id"], "structureId": record["structureId"]}}})
            stream.close()

    def test_case_59_a_bulk_is_one_event(self):
        with Server() as server:
            make_structure(server)
            stream = Stream(server)
            made = server.must("POST", f"{RECORDS}/slug/orders/bulk", [{"n": 1}, {"n": 2}], KEY).json
            event = stream.event()
            self.assertEqual(event["event"], "records_bulk_created")
            self.assertEqual(sorted(event["recordIds"]), sorted(r["id"] for r in made["data"]))
            ids = {"ids": event["recordIds"]}
            server.must("PATCH", f"{RECORDS}/bulk", {**ids, "data": {"n": 3}}, KEY)
            server.must("DELETE", f"{RECORDS}/bulk", ids, KEY)
            self.assertEqual([stream.event()["event"] for _ in range(2)],
                             ["records_bulk_updated", "records_bulk_deleted"])
            create(server, {})
            self.assertEqual(stream.event()["event"], "record_created")
            stream.close()

    def test_case_61_a_stream_goes_on_where_it_broke_off_also_after_a_kill(self):
        with Server() as server:
            make_structure(server)
            stream = Stream(server)
            create(server, {"n": 1})
            stream.block(), stream.block()
            lines = stream.block()
            last = next(line[4:] for line in lines if line.startswith("id: "))
            stream.close()
            create(server, {"n": 2})
            server.restart("kill")
            create(server, {"n": 3})
            again = Stream(server, headers={**KEY, "last-event-id": last})
            self.assertEqual([again.event()["data"]["n"] for _ in range(2)], [2, 3])
            again.close()

    def test_case_61_who_may_not_listen_gets_a_code(self):
        with Server("--auth-keys", "k", "--centrali-clients", "ci_1:sk_1") as server:
            def code(parameters, headers):
                stream = Stream(server, parameters, headers)
                body = json.loads(stream.response.read())
                stream.close()
                return stream.response.status, body["code"]
            self.assertEqual(code("", {}), (401, "MISSING_TOKEN"))
            self.assertEqual(code("access_token=x", {}), (401, "INVALID_TOKEN"))
            form = "grant_type=client_credentials&client_id=ci_1&client_secret=sk_1"
            token = server.call("POST", "/oauth/token", form).json["access_token"]
            stream = Stream(server, f"access_token={token}", {})
            self.assertEqual(stream.response.status, 200)
            server.must("POST", "/v1/clock", {"advance_seconds": 3600}, {"authorization": "Bearer k"})
            self.assertEqual(code(f"access_token={token}", {}), (401, "TOKEN_EXPIRED"))
            # The open stream ends with its token.
            self.assertIn(b"event: close", stream.response.read())
            stream.close()


class CentraliWebhooks(unittest.TestCase):
    def subscribe(self, server, url, **more):
        return server.must("POST", HOOKS, {"name": "test", "url": url, **more}, KEY).json

    def wait_for_attempts(self, server, hook, attempts):
        deliveries = []
        while not deliveries or deliveries[0]["attempts"] < attempts:
            deliveries = server.must("GET", f"{HOOKS}/{hook['id']}/deliveries", None, KEY).json

    def test_case_62_a_delivery_verifies_and_tells_what_happened(self):
        receiver = Receiver()
        with Server("--webhooks-allow-private") as server:
            make_structure(server)
            hook = self.subscribe(server, receiver.url)
            record = create(server, {"n": 1}, "?ttlSeconds=60")
            headers, body = receiver.next()
            self.assertTrue(verify(hook["secret"], headers, body))
            self.assertFalse(verify(hook["secret"], headers, body + b" "))
            self.assertEqual(headers["centrali-event-type"], "record_created")
            payload = json.loads(body)
            self.assertEqual((payload["event"], payload["recordId"], payload["data"]),
                             ("record_created", record["id"], {"n": 1}))
            server.advance(60)
            headers, body = receiver.next()
            self.assertTrue(verify(hook["secret"], headers, body))
            self.assertEqual(json.loads(body)["event"], "record_expired")
        receiver.close()

    def test_case_62_a_delivery_is_tried_again_also_by_the_next_process(self):
        receiver = Receiver()
        with Server("--webhooks-allow-private") as server:
            make_structure(server)
            hook = self.subscribe(server, receiver.url, events=["record_created"])
            for status in (500, 302):
                receiver.statuses.put(status)
            create(server, {"n": 1})
            first, body = receiver.next()
            self.wait_for_attempts(server, hook, 1)
            server.restart("stop")
            server.advance(5)
            second, again = receiver.next()
            self.assertEqual((second["webhook-id"], again), (first["webhook-id"], body))
            self.assertEqual(second["centrali-retry-attempt"], "1")
            self.wait_for_attempts(server, hook, 2)
            server.restart("kill")
            server.advance(300)
            third, again = receiver.next()
            self.assertEqual((third["webhook-id"], again), (first["webhook-id"], body))
            self.assertTrue(verify(hook["secret"], third, again))
        receiver.close()

    def test_case_62_what_happened_while_nobody_ran_is_delivered_after_a_kill(self):
        receiver = Receiver()
        with Server("--webhooks-allow-private") as server:
            make_structure(server)
            self.subscribe(server, receiver.url, events=["record_created"])
            ids = {create(server, {"n": n})["id"] for n in range(20)}
            server.restart("kill")
            heard = set()
            while heard != ids:
                heard.add(json.loads(receiver.next()[1])["recordId"])
        receiver.close()

    def test_a_receiver_that_hangs_keeps_nobody_waiting(self):
        receiver = Receiver()
        with socketserver.TCPServer(("127.0.0.1", 0), None) as deaf, \
                Server("--webhooks-allow-private") as server:
            make_structure(server)
            self.subscribe(server, f"http://127.0.0.1:{deaf.server_address[1]}/")
            self.subscribe(server, receiver.url)
            for n in range(5):
                create(server, {"n": n})
            self.assertEqual({json.loads(receiver.next()[1])["data"]["n"] for _ in range(5)},
                             set(range(5)))
        receiver.close()

    def test_this_machine_is_not_called_unless_it_may_be(self):
        receiver = Receiver()
        with Server() as server:
            make_structure(server)
            refused = server.call("POST", HOOKS, {"url": "http://127.0.0.1:1/"}, KEY)
            self.assertEqual((refused.status, refused.json["details"][0]["field"]), (400, "url"))
            # A name is judged when it is resolved.
            hook = self.subscribe(server, receiver.url)
            create(server, {})
            deliveries = []
            while not deliveries or not deliveries[0]["attempts"]:
                deliveries = server.must("GET", f"{HOOKS}/{hook['id']}/deliveries", None, KEY).json
            self.assertIn("not allowed", deliveries[0]["lastError"])
            self.assertTrue(receiver.calls.empty())
        receiver.close()

    def test_a_secure_receiver_is_called_where_its_certificate_is_good(self):
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = f"{folder}/key.pem", f"{folder}/certificate.pem"
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                            "-keyout", key, "-out", certificate], check=True, capture_output=True)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            for trusted in (True, False):
                receiver = Receiver(context)
                environment = {"SSL_CERT_FILE": certificate} if trusted else {}
                with Server("--webhooks-allow-private", environment=environment) as server:
                    make_structure(server)
                    hook = self.subscribe(server, receiver.url)
                    create(server, {})
                    if trusted:
                        self.assertTrue(verify(hook["secret"], *receiver.next()))
                        continue
                    deliveries = []
                    while not deliveries or not deliveries[0]["attempts"]:
                        deliveries = server.must("GET", f"{HOOKS}/{hook['id']}/deliveries", None,
                                                 KEY).json
                    self.assertIn("certificate", deliveries[0]["lastError"])
                receiver.close()


if __name__ == "__main__":
    unittest.main()
