"""Clients of an attack: connections from an address of their own, so that others are other clients to the server."""

import json
import socket
import sys
import pathlib
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "law"))
from service import Line, sign  # noqa: E402
from wire import Gone  # noqa: E402
from websocket import WebSocket  # noqa: E402

MIB = 1 << 20
ATTACKER = "127.0.0.2"
# How long an attacker waits for an answer, in seconds.
PATIENCE = 60
QUERY = {"content-type": "application/query+json", "x-ms-documentdb-isquery": "True",
         "x-ms-documentdb-partitionkeyrangeid": "0"}
THINGS = "/v1/databases/mine/collections/things"
COSMOS_THINGS = "/dbs/mine/colls/things"
DOCUMENTS = f"{COSMOS_THINGS}/docs"
CENTRALI = "/data/workspace/mine/api/v1"
NO_KEY = {"x-ms-documentdb-partitionkey": "[{}]"}
KEY = {"authorization": "Bearer any"}


def fewer(service, many):
    """A tenth of them in the short form, where no figures are wanted."""
    return max(2, many // 10) if service.is_short else many


class AttackerLine(Line):
    """One connection from the attacker's address that is never opened again."""

    def __init__(self, port, timeout=PATIENCE):  # pylint: disable=super-init-not-called
        self.buffer, self.opens_again = b"", False
        self.socket = connect(port, timeout)


def connect(port, timeout=PATIENCE):
    made = socket.create_connection(("127.0.0.1", port), timeout, (ATTACKER, 0))
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def open_websocket(service, timeout=PATIENCE):
    return WebSocket(service.ports["kuzzle"], timeout, ATTACKER)


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


def ask(service, port, method, path, body=None, headers=None, words=""):
    """The status of one request on a connection of its own; 0 where the server ends the connection, or answers
    without these words."""
    try:
        line = AttackerLine(service.ports[port])
    except OSError:
        return 0
    try:
        signed = sign(method, path) if port == "cosmos" else {}
        line.port = service.ports[port]
        answer = line.ask(method, path, body, {**signed, **(headers or {})})
        return answer.status if words in answer.text else 0
    except (OSError, Gone):
        return 0
    finally:
        line.socket.close()


def query(service, text, words="", **parameters):
    body = {"query": text, "parameters": [{"name": f"@{name}", "value": value} for name, value in parameters.items()]}
    return ask(service, "cosmos", "POST", DOCUMENTS, json.dumps(body), QUERY, words)


def native(service, method, path, body=None):
    return ask(service, "native", method, path, body)


def centrali(service, method, path, body=None):
    return ask(service, "native", method, CENTRALI + path, body, KEY)


def kuzzle(service, method, path, body=None):
    return ask(service, "kuzzle", method, path, body)
