"""HTTP over one connection, small enough that eight writers keep a server busy; and times as the server writes them."""

import datetime
import json
import socket
import time

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
MICROSECOND = datetime.timedelta(microseconds=1)


class Gone(Exception):
    """The server died before its answer was whole: what was asked may or may not have been done."""


def micros_now():
    """The machine's clock, which is the server's too."""
    return time.time_ns() // 1000


def parse_time(text):
    """Microseconds since 1970; None for null."""
    if text is None:
        return None
    return (datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) - EPOCH) // MICROSECOND


def render_time(micros):
    return (EPOCH + datetime.timedelta(microseconds=micros)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


class Wire:
    """One connection. Every call gives (status, body as JSON or None), or raises Gone."""

    def __init__(self, port, timeout=30):
        self.buffer = b""
        try:
            self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        except OSError as error:
            raise Gone(str(error)) from error
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.socket.close()

    def call(self, method, path, body=None, headers=""):
        text = "" if body is None else json.dumps(body, separators=(",", ":"))
        headers += f"Host: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n"
        request = f"{method} {path} HTTP/1.1\r\n{headers}\r\n{text}"
        try:
            self.socket.sendall(request.encode())
            return self.read_answer()
        except (OSError, ValueError) as error:
            raise Gone(str(error)) from error

    def read_answer(self):
        head, _, rest = self.read_until(b"\r\n\r\n")
        status = int(head[9:12])
        lower = head.lower()
        at = lower.find(b"content-length:")
        size = int(lower[at + 15:].split(b"\r\n", 1)[0]) if at >= 0 else 0
        while len(rest) < size:
            rest += self.receive()
        self.buffer = rest[size:]
        return status, json.loads(rest[:size]) if size else None

    def read_until(self, end):
        while end not in self.buffer:
            self.buffer += self.receive()
        return self.buffer.partition(end)

    def receive(self):
        piece = self.socket.recv(1 << 16)
        if not piece:
            raise Gone("the connection ended")
        return piece

    def must(self, method, path, body=None, headers=""):
        status, answer = self.call(method, path, body, headers)
        assert 200 <= status < 300, f"{method} {path}: {status} {answer}"
        return answer
