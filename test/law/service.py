"""The real binary with all its ports, and one kept connection to each. The tests of law/, golden/ and hostile/ use it."""

import base64
import hashlib
import hmac
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "crash"))
from wire import Gone, Wire  # noqa: E402

BINARY = os.environ.get("MAYFLY_BINARY", "")
PORTS = ("native", "cosmos", "kuzzle", "fauna")
NOON = "2026-02-27T10:00:00Z"
# The key by which emulators of Cosmos DB are known.
COSMOS_KEY = base64.b64decode("C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==")
COSMOS_DATE = "fri, 15 jan 2027 08:00:00 gmt"
CENTRALI = {"authorization": "Bearer anybody"}
JSON = {"content-type": "application/json"}


class Answer:
    """A response: its status, its headers (names in lower case) and its text."""

    def __init__(self, status, headers, text):
        self.status, self.headers, self.text = status, headers, text

    @property
    def json(self):
        return json.loads(self.text) if self.text else None

    def __repr__(self):
        return f"{self.status} {self.text[:300]}"


class Line(Wire):
    """One kept connection that gives whole answers. A connection that the server closed is opened again once."""

    def __init__(self, port, timeout=300, opens_again=True):
        super().__init__(port, timeout)
        self.port, self.timeout, self.opens_again = port, timeout, opens_again

    def ask(self, method, path, body=None, headers=None):
        return self.ask_all([(method, path, body, headers)])[0]

    def ask_all(self, requests):
        """The answers to several requests, which are sent at once: on a busy machine each waits for no other's answer."""
        text = b"".join(self.request_of(*request) for request in requests)
        try:
            return self.send(text, len(requests))
        except (OSError, Gone):
            self.socket.close()
            if not self.opens_again:
                raise
            super().__init__(self.port, self.timeout)
            return self.send(text, len(requests))

    def request_of(self, method, path, body=None, headers=None):
        text = body if isinstance(body, (bytes, type(None))) else (
            body if isinstance(body, str) else json.dumps(body, separators=(",", ":"))).encode()
        if text is None:
            text = b""
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Content-Length: {len(text)}"]
        lines += [f"{name}: {value}" for name, value in {**JSON, **(headers or {})}.items()]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + text

    def send(self, text, count):
        self.socket.sendall(text)
        return [self.receive_answer() for _ in range(count)]

    def receive_answer(self):
        head, _, rest = self.read_until(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        size = int(headers.get("content-length", 0))
        self.buffer = rest
        chunked = headers.get("transfer-encoding", "").lower() == "chunked"
        text = self.read_chunks() if chunked else self.read_size(size)
        return Answer(int(first.split(" ", 2)[1]), headers, text.decode())

    def read_size(self, size):
        parts, have = [self.buffer], len(self.buffer)
        while have < size:
            parts.append(self.receive())
            have += len(parts[-1])
        whole = b"".join(parts)
        self.buffer = whole[size:]
        return whole[:size]

    def read_chunks(self):
        text = b""
        while True:
            size, _, self.buffer = self.read_until(b"\r\n")
            piece = self.read_size(int(size, 16) + 2)
            if len(piece) == 2:
                return text
            text += piece[:-2]


def quote(text):
    return urllib.parse.quote(text, safe="")


def sign(method, path, key=COSMOS_KEY):
    """The headers of a request to the Cosmos DB port, as clients sign it."""
    parts = [urllib.parse.unquote(part) for part in path.split("?")[0].strip("/").split("/") if part]
    is_feed = len(parts) % 2 == 1
    kind = parts[-1] if is_feed else (parts[-2] if parts else "")
    link = "/".join(parts[:-1] if is_feed else parts)
    text = f"{method.lower()}\n{kind}\n{link}\n{COSMOS_DATE}\n\n".encode()
    signature = base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
    return {"authorization": quote(f"type=master&ver=1.0&sig={signature}"), "x-ms-date": COSMOS_DATE,
            "x-ms-version": "2020-07-15"}


class Service:
    """A server on free ports; with a directory of its own unless one is given. `:memory:` keeps nothing."""

    def __init__(self, *flags, data=":memory:", clock=f"virtual:{NOON}", binary=None, request_seconds=300):
        self.own_data = tempfile.mkdtemp(prefix="mayfly-law-") if data is None else None
        self.data = data or os.path.join(self.own_data, "data")
        self.flags, self.clock, self.binary = list(flags), clock, binary or BINARY
        # So long that a busy machine fails no request; hostile clients meet the bound that is usual.
        self.request_seconds = str(request_seconds)
        self.lines, self.process = {}, None
        self.start()

    def start(self):
        self.errors = tempfile.TemporaryFile()
        ports = [word for name in PORTS for word in (f"--{name}-port", "0")]
        self.process = subprocess.Popen(
            [self.binary, "serve", "--data", self.data, "--clock", self.clock, "--log-level", "error", *ports,
             "--request-seconds", self.request_seconds,
             *self.flags], stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.ports = {}
        while len(self.ports) < len(PORTS):
            line = self.process.stdout.readline()
            if not line:
                self.process.wait(60)
                raise RuntimeError(f"the server did not start: {self.said()}")
            words = line.split()
            if len(words) > 1 and words[0] in PORTS and words[1].startswith("http"):
                self.ports[words[0]] = urllib.parse.urlsplit(words[1]).port

    def said(self):
        """What it wrote on standard error."""
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")

    def line(self, port):
        if port not in self.lines:
            self.lines[port] = Line(self.ports[port])
        return self.lines[port]

    def native(self, method, path, body=None, headers=None):
        return self.line("native").ask(method, path, body, headers)

    def get_all(self, dialect, paths):
        """The answers of one dialect to several GETs: paths, or paths with headers."""
        port, more = {"native": ("native", {}), "centrali": ("native", CENTRALI), "kuzzle": ("kuzzle", {}),
                      "cosmos": ("cosmos", None)}[dialect]
        asked = [each if isinstance(each, tuple) else (each, {}) for each in paths]
        return self.line(port).ask_all([("GET", path, None, {**(sign("GET", path) if more is None else more), **headers})
                                        for path, headers in asked])

    def must(self, method, path, body=None, headers=None):
        answer = self.native(method, path, body, headers)
        assert 200 <= answer.status < 300, f"{method} {path}: {answer}"
        return answer.json

    def centrali(self, method, path, body=None, headers=None):
        return self.line("native").ask(method, path, body, {**CENTRALI, **(headers or {})})

    def cosmos(self, method, path, body=None, headers=None):
        return self.line("cosmos").ask(method, path, body, {**sign(method, path), **(headers or {})})

    def kuzzle(self, method, path, body=None, headers=None):
        return self.line("kuzzle").ask(method, path, body, headers)

    def fauna(self, method, path, body=None, headers=None):
        return self.line("fauna").ask(method, path, body, headers)

    def is_running(self):
        return self.process.poll() is None

    def resident_bytes(self):
        """The most memory it has had, in bytes."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM:"))

    def end(self, how):
        for line in self.lines.values():
            line.socket.close()
        self.lines = {}
        if self.is_running():
            self.process.send_signal(how)
        status = self.process.wait(60)
        self.process.stdout.close()
        return status

    def stop(self):
        return self.end(signal.SIGTERM)

    def kill(self):
        return self.end(signal.SIGKILL)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.kill()
        self.errors.close()
        if self.own_data:
            shutil.rmtree(self.own_data, ignore_errors=True)


def is_port_open(port):
    with socket.socket() as probe:
        probe.settimeout(5)
        return probe.connect_ex(("127.0.0.1", port)) == 0
