"""Attacks below every API: bodies without an end, heads by the byte, connections by the thousand, answers that are not read."""

import time

from clients import CENTRALI, DOCUMENTS, MIB, THINGS, ask, at_once, connect, fewer
from service import Line, sign

# On each port what tells how the server is, a document, what goes on, and nothing.
PATHS = {"native": ("/health", "/ready", "/metrics", f"{THINGS}/documents/wide", f"{THINGS}/feed?wait_seconds=1",
                    "/realtime/workspace/mine/events?access_token=any", "/nothing"),
         "cosmos": ("/ready", "/alive", f"{DOCUMENTS}/wide", "/nothing"),
         "kuzzle": ("/_healthCheck", "/mine/things/wide", "/mine/things/_export?format=jsonl", "/nothing/at/all/here")}
PART = "Upgrade: websocket\r\n"
WHOLE = f"{PART}Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"


def write_as_another(service, count=20):
    """What somebody else's writes of 100 KB are answered."""
    line, statuses = Line(service.ports["native"], 60), []
    for n in range(count):
        try:
            statuses.append(line.ask("PUT", f"{THINGS}/documents/w{n}", {"text": "x" * 100_000}).status)
        except OSError:
            statuses.append(0)
    line.socket.close()
    return statuses


def bodies_without_an_end(service):
    """2.8: announced and sent but for the end, so that the room for bodies is taken; then others write."""
    sockets = []
    size = 16 * MIB
    head = (f"POST {CENTRALI}/records/slug/things/bulk HTTP/1.1\r\nHost: 127.0.0.1\r\nauthorization: Bearer x\r\n"
            f"content-type: application/json\r\nContent-Length: {size}\r\n\r\n").encode()
    for _ in range(24):
        one = connect(service.ports["native"])
        sockets.append(one)
        try:
            one.settimeout(1)
            one.sendall(head + b" " * (size - 1000))
        except OSError:
            pass
    statuses = write_as_another(service)
    for one in sockets:
        one.close()
    return statuses


def slow_heads(service):
    """2.8: two thousand heads that come by the byte on each port."""
    sockets = [connect(service.ports[port]) for port in ("native", "cosmos", "kuzzle") for _ in range(fewer(service, 2_000))]
    for piece in (b"G", b"E", b"T", b" / HTTP/1.1\r\nX: "):
        for one in sockets:
            try:
                one.sendall(piece)
            except OSError:
                pass
    statuses = write_as_another(service)
    for one in sockets:
        one.close()
    return statuses


def all_connections(service):
    """2.8: more connections than the server has room for, each with a request answered and another begun."""
    sockets = []
    try:
        for _ in range(fewer(service, 11_000)):
            sockets.append(connect(service.ports["native"], 5))
    except OSError:
        pass
    statuses = write_as_another(service, 3)
    time.sleep(1)
    statuses += write_as_another(service, 3)
    for one in sockets:
        one.close()
    return statuses


def large_heads(service):
    """2.8: heads with thousands of names, and such as do not end."""
    many = {f"x{n}": "y" for n in range(3_000)}
    few = {"x": "y" * 1_000_000}
    parameters = "?" + "&".join(f"a{n}=1" for n in range(3_000))
    return at_once([lambda port=port, headers=headers: ask(service, port, "GET", "/", None, headers)
                    for port in ("native", "cosmos", "kuzzle") for headers in (many, few)] * 8 +
                   [lambda: ask(service, "native", "GET", f"{THINGS}/documents{parameters}"),
                    lambda: ask(service, "native", "GET", "/" + "a" * 200_000),
                    lambda: ask(service, "native", "GET", "/" + "%2e/" * 4_000)] * 8)


def upgrades(service):
    """2.8: requests of every kind that also ask for a WebSocket, with a part of the handshake and with all of it."""
    def begin(port, method, path, handshake):
        signed = sign(method, path) if port == "cosmos" else {}
        headers = "".join(f"{name}: {value}\r\n" for name, value in signed.items())
        with connect(service.ports[port]) as one:
            one.sendall(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}{handshake}\r\n".encode())
            return int(one.makefile("rb").readline()[9:12] or 0)
    return [begin(port, method, path, handshake) for port, paths in PATHS.items() for path in paths
            for method in ("GET", "HEAD") for handshake in (PART, WHOLE)]


def answers_not_read(service):
    """2.8: a hundred connections ask for pages of megabytes, over and over, and read nothing."""
    sockets = []
    request = f"GET {THINGS}/documents?limit=1000 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    for _ in range(100):
        one = connect(service.ports["native"])
        sockets.append(one)
        one.sendall(request * 10)
    time.sleep(2)
    statuses = write_as_another(service, 5)
    for one in sockets:
        one.close()
    return statuses


def many_requests(service):
    """2.8: thousands of requests in one go, on many connections."""
    sockets = []
    request = f"GET {THINGS}/documents/wide HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode() * 500
    for _ in range(50):
        one = connect(service.ports["native"])
        sockets.append(one)
        one.settimeout(1)
        try:
            one.sendall(request)
        except OSError:
            pass
    statuses = write_as_another(service, 5)
    for one in sockets:
        one.close()
    return statuses
