"""A receiver of webhooks that fails a share of them, and what it has heard."""

import collections
import http.server
import json
import random
import socket
import socketserver
import threading

PATIENCE = 60


class Receiver:
    """`fails`: the share of the attempts that it refuses. Each subscription has a path of its own."""

    def __init__(self, seed, fails):
        self.random, self.fails = random.Random(f"{seed} receiver"), fails
        self.changed = threading.Condition()
        self.count = 0
        self.connections = 0
        self.taken = collections.defaultdict(list)  # by paths: (event, record, id of the message)
        self.lasts = collections.defaultdict(dict)  # by paths: of each message, whether the last attempt of this server was taken
        self.settled = collections.defaultdict(set)  # by paths: the messages that were taken before a quiet moment, …
        self.again = collections.defaultdict(list)  # … and those of them that came once more
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

            def process_request(self, request, client_address):
                receiver.open(1)
                super().process_request(request, client_address)

            def process_request_thread(self, request, client_address):
                super().process_request_thread(request, client_address)
                receiver.open(-1)

        self.listener = Listener(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.listener.server_port}"
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def take(self, path, body, message):
        with self.changed:
            self.count += 1
            self.changed.notify_all()
            if message in self.settled[path]:
                self.again[path].append(message)
            is_taken = self.random.random() >= self.fails
            self.lasts[path][message] = is_taken
            if not is_taken:
                return 500
            for event, record in heard_of(body):
                self.taken[path].append((event, record, message))
            return 200

    def open(self, more):
        with self.changed:
            self.connections += more
            self.changed.notify_all()

    def drain(self):
        """What a killed server has sent is taken by now. Connections are accepted in their order. What it had not written
        down may come again."""
        with socket.create_connection(("127.0.0.1", self.listener.server_port)) as last:
            last.sendall(b"GET / HTTP/1.1\r\nconnection: close\r\n\r\n")
            last.recv(1)
        assert self.wait_for(lambda: self.connections == 0, PATIENCE), "a connection stays open"
        self.lasts.clear()

    def settle(self):
        """What has been taken has been written down by now."""
        with self.changed:
            for path, messages in self.lasts.items():
                self.settled[path] |= {message for message, is_taken in messages.items() if is_taken}

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
