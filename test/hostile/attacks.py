"""What hostile clients do, a row each: what it is, whether the server has an administrator, and which answers it may get.

An attack gives the statuses it was answered with; 0 stands for a connection that the server ended. Everything goes to
127.0.0.1 and is bounded in count and time."""

import json
import socket
import threading
from dataclasses import dataclass

from service import Line, sign
from wire import Gone
from websocket import WebSocket

MIB = 1 << 20
# How long an attacker waits for an answer, in seconds.
PATIENCE = 60
QUERY = {"content-type": "application/query+json", "x-ms-documentdb-isquery": "True",
         "x-ms-documentdb-query-enablecrosspartition": "True"}
DOCUMENTS = "/dbs/mine/colls/things/docs"
NO_KEY = {"x-ms-documentdb-partitionkey": "[{}]"}


def at_once(works):
    """Runs all of them at the same time; gives their results, or 0 for a connection that ended."""
    results = [0] * len(works)

    def run(i, work):
        try:
            results[i] = work()
        except (OSError, ValueError, Gone):
            results[i] = 0

    threads = [threading.Thread(target=run, args=(i, work), daemon=True) for i, work in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(2 * PATIENCE)
    return results


def ask(service, port, method, path, body=None, headers=None):
    """The status of one request on a connection of its own."""
    line = Line(service.ports[port], PATIENCE, opens_again=False)
    try:
        signed = sign(method, path) if port == "cosmos" else {}
        return line.ask(method, path, body, {**signed, **(headers or {})}).status
    finally:
        line.socket.close()


def query(service, text, parameters=()):
    return ask(service, "cosmos", "POST", DOCUMENTS, json.dumps({"query": text, "parameters": list(parameters)}), QUERY)


# --- the attacks ---


def malformed_rows(service):
    """2.1: rows of a dialect's own collections that are none; then a start with them."""
    statuses = []
    for name in ("centrali.webhooks", "centrali.deliveries"):
        path = f"/v1/databases/mine/collections/{name}"
        statuses.append(ask(service, "native", "PUT", path, {}))
        for key, body in (("a", {"events": [1]}), ("b", {"events": "x", "recordSlugs": 7}), ("c", {"url": []})):
            statuses.append(ask(service, "native", "PUT", f"{path}/documents/{key}", body))
    statuses.append(ask(service, "native", "PUT", "/v1/databases/mine/collections/things/documents/tells", {"n": 1}))
    return statuses


def costly_subscription(service):
    """2.2: a pattern that costs, and a document that makes it cost."""
    listener = WebSocket(service.ports["kuzzle"], PATIENCE)
    pattern = "(a|aa|aaa)*(.{900})[b-c](.{900})$"
    told = listener.ask({"controller": "realtime", "action": "subscribe", "index": "mine", "collection": "things",
                         "body": {"not": {"regexp": {"text": pattern}}}, "requestId": "1"})
    statuses = [told["status"]]
    statuses += at_once([lambda: ask(service, "kuzzle", "PUT", "/mine/things/large", {"text": "a" * 1_900_000})] * 2)
    listener.close()
    return statuses


def idle_large_messages(service):
    """2.3: WebSockets that send 14 MiB before a login and then say nothing more."""
    message = json.dumps({"controller": "document", "action": "create", "index": "mine", "collection": "things",
                          "body": {"a": []}}).encode().replace(b"[]", b"[" + b"1," * (7 * MIB - 1) + b"1]")
    sockets, statuses = [], []
    for _ in range(4):
        try:
            one = WebSocket(service.ports["kuzzle"], PATIENCE)
            sockets.append(one)
            one.send(message)
            statuses.append(json.loads(one.read())["status"])
        except OSError:
            statuses.append(0)
    for one in sockets:
        one.close()
    return statuses


def large_bodies_without_rights(service):
    """2.4: 16 MiB of JSON from somebody who may do nothing."""
    body = b'{"a":[' + b'{"b":1},' * (2 * MIB - 2) + b"1]}"
    return at_once([lambda: ask(service, "kuzzle", "PUT", "/mine/things/d", body)] * 6)


def nested_arrays(service):
    """2.5: subqueries within subqueries, each of which multiplies."""
    inner = "SELECT VALUE x FROM x IN c.many"
    for _ in range(4):
        inner = f"SELECT VALUE ARRAY({inner}) FROM y IN c.many"
    return at_once([lambda: query(service, f"SELECT ARRAY({inner}) FROM c WHERE c.id = 'wide'")] * 2)


def quadratic_text(service):
    """2.6: a pattern that nearly fits everywhere in a long text; short queries go on beside it."""
    many = " OR ".join(f"CONTAINS(c.text, CONCAT(c.half, 'b{n}'))" for n in range(20))
    return at_once([lambda: query(service, f"SELECT VALUE COUNT(1) FROM c WHERE {many}")] * 2 +
                   [lambda: query(service, "SELECT VALUE REPLACE(c.text, CONCAT(c.half, 'b'), 'x') FROM c WHERE c.id = 'long'")])


def costly_condition(service):
    """2.7: the condition of a PATCH is a query."""
    nested = "(SELECT VALUE COUNT(1) FROM a IN c.many JOIN b IN c.many JOIN d IN c.many JOIN e IN c.many)"
    body = {"condition": f"FROM c WHERE {nested} > 1", "operations": [{"op": "set", "path": "/n", "value": 1}]}
    return at_once([lambda: ask(service, "cosmos", "PATCH", f"{DOCUMENTS}/wide", body,
                                {"content-type": "application/json_patch+json"})] * 3)


def bodies_without_an_end(service):
    """2.8: announced and sent but for the end, so that the room for bodies is taken; then others write."""
    sockets = []
    for _ in range(15):
        one = socket.create_connection(("127.0.0.1", service.ports["native"]), PATIENCE)
        sockets.append(one)
        size = 16 * MIB
        head = (f"POST /data/workspace/mine/api/v1/records/bulk HTTP/1.1\r\nHost: 127.0.0.1\r\nauthorization: Bearer x\r\n"
                f"content-type: application/json\r\nContent-Length: {size}\r\n\r\n")
        try:
            one.settimeout(5)
            one.sendall(head.encode() + b" " * (size - 1000))
        except OSError:
            pass
    body = {"text": "x" * 100_000}
    statuses = [ask(service, "native", "PUT", f"/v1/databases/mine/collections/things/documents/w{n}", body) for n in range(20)]
    for one in sockets:
        one.close()
    return statuses


def one_long_operation(service):
    """2.9: a stored procedure that is one operation of the engine."""
    body = "function () { var s = 'a'; while (s.length < 1e7) s += s; return s.indexOf(s.slice(0, s.length / 2) + 'b'); }"
    made = ask(service, "cosmos", "POST", "/dbs/mine/colls/things/sprocs", {"id": "long", "body": body})
    answers = at_once([lambda: ask(service, "cosmos", "POST", "/dbs/mine/colls/things/sprocs/long", "[]", NO_KEY)] * 2)
    return [made, *answers]


def wrong_logins(service):
    """2.10: passwords that are none, each of which costs a hash."""
    def guess():
        return max(ask(service, "kuzzle", "POST", "/_login/local", {"username": "boss", "password": "wrong"}) for _ in range(3))
    return at_once([guess] * 12)


def large_patterns(service):
    """2.11: alternatives by the thousand, and a LIKE of 100,000 places."""
    alternatives = "|".join(f"a{n}.*b{n}" for n in range(4000))
    return at_once([
        lambda: query(service, "SELECT VALUE COUNT(1) FROM c WHERE RegexMatch(c.text, @p)", [{"name": "@p", "value": alternatives}]),
        lambda: query(service, "SELECT VALUE COUNT(1) FROM c WHERE c.text LIKE @p", [{"name": "@p", "value": "_" * 100_000 + "b"}]),
        lambda: ask(service, "kuzzle", "POST", "/mine/things/_search", {"query": {"regexp": {"text": alternatives}}})])


@dataclass
class Attack:
    row: str
    name: str
    run: object
    allowed: set            # statuses that it may be answered with
    wanted: set = frozenset()   # one of these must be among them
    has_admin: bool = False
    restarts: bool = False  # what it left must not stand in the way of a start


DONE = {200, 201}
REFUSED = {0, 400, 401, 403, 404, 405, 408, 413, 429, 503}

ATTACKS = [
    Attack("2.1", "malformed rows of a dialect", malformed_rows, DONE | {400, 403, 404}, restarts=True),
    Attack("2.2", "a costly subscription", costly_subscription, DONE | {400, 413}),
    Attack("2.3", "idle WebSockets that sent much", idle_large_messages, {0, 400, 401, 403, 413}, has_admin=True),
    Attack("2.4", "large bodies without rights", large_bodies_without_rights, {0, 401, 403, 413, 429, 503}, has_admin=True),
    Attack("2.5", "nested subqueries", nested_arrays, {413}, wanted={413}),
    Attack("2.6", "quadratic searches", quadratic_text, DONE | {400, 408, 413, 429}),
    Attack("2.7", "a costly condition of a PATCH", costly_condition, DONE | {400, 408, 412, 413, 429}),
    Attack("2.8", "bodies that do not end", bodies_without_an_end, DONE),
    Attack("2.9", "one long operation of a script", one_long_operation, DONE | {400, 408, 413, 429}),
    Attack("2.10", "wrong logins", wrong_logins, {401, 429, 503}, wanted={401}, has_admin=True),
    Attack("2.11", "large patterns", large_patterns, DONE | {400, 408, 413}),
]
