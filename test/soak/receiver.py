"""A receiver of webhooks that fails a share of them, and what it has heard."""

import collections
import http.server
import json
import random
import socketserver
import threading


class Receiver:
    """`fails`: the share of the attempts that it refuses. Each subscription has a path of its own."""

    def __init__(self, seed, fails):
        self.random, self.fails = random.Random(f"{seed} receiver"), fails
        self.changed = threading.Condition()
        self.count = 0
        self.taken = collections.defaultdict(list)  # by paths: (event, record, id of the message)
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                status = receiver.take(self.path, body, self.headers["webhook-id"])
                self.send_response(status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        class Listener(socketserver.ThreadingMixIn, http.server.HTTPServer):
            daemon_threads = True
            request_queue_size = 128

        self.listener = Listener(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.listener.server_port}"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def take(self, path, body, message):
        with self.changed:
            self.count += 1
            self.changed.notify_all()
            if self.random.random() < self.fails:
                return 500
            for event, record in heard_of(body):
                self.taken[path].append((event, record, message))
            return 200

    def wait_for(self, met, seconds):
        """Whether it came to be, in so many seconds of the machine."""
        with self.changed:
            return self.changed.wait_for(met, seconds)

    def close(self):
        self.listener.shutdown()
        self.listener.server_close()


def heard_of(body):
    """(what happened, to which record) of a message of either API. One may be of several records."""
    if "recordIds" in body:
        return [("record_" + body["event"].removeprefix("records_bulk_"), record) for record in body["recordIds"]]
    if "recordId" in body:
        return [(body["event"], body["recordId"])]
    return [("record_" + body["event"]["kind"], body["event"]["id"])]
