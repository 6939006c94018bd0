"""What others get meanwhile: a process of its own asks on every port, each lane of it with a connection and a thread of its
own. Quick requests are answered by the threads of connections, the others by workers; one lane listens to documents."""

import json
import multiprocessing
import threading
import time

from clients import QUERY
from service import Line, sign
from websocket import WebSocket

REST = 0.05  # seconds between two requests of a lane
PATIENCE = 300
PROBE = "/v1/databases/mine/collections/probe"
COSMOS_PROBE = "/dbs/mine/colls/probe/docs"


class Lane:
    """The same request over and over."""

    def __init__(self, port, request):
        self.line, self.request = Line(port, PATIENCE), request

    def ask(self):
        return self.line.ask(*self.request).status


class Listener:
    """A subscription, and a write that it must be told of; both over one WebSocket."""

    def __init__(self, port, token):
        self.socket, self.token = WebSocket(port, PATIENCE), token
        self.count = 0
        status = self.ask_for("realtime", "subscribe", {"equals": {"kind": "probe"}})["status"]
        assert status == 200, status

    def ask_for(self, controller, action, body, **more):
        message = {"controller": controller, "action": action, "index": "mine", "collection": "heard", "body": body, **more}
        return self.socket.ask({**message, **({"jwt": self.token} if self.token else {})})

    def ask(self):
        """The answer to the write and the notification come in any order."""
        self.count += 1
        first = self.ask_for("document", "createOrReplace", {"kind": "probe", "n": self.count}, _id="heard")
        second = json.loads(self.socket.read())
        told = {first.get("type", "answer"), second.get("type", "answer")}
        return 200 if told == {"answer", "document"} else repr((first, second))[:300]


def lanes(ports, token):
    """How to make each of them: in a thread of its own, as some of it asks already."""
    bearer = {"authorization": f"Bearer {token}"} if token else {}
    reads = {
        "health": ("native", ("GET", "/health")),
        "native": ("native", ("GET", f"{PROBE}/documents/p")),
        "native write": ("native", ("PUT", f"{PROBE}/documents/w", {"n": 1, "text": "x" * 20_000})),
        "native query": ("native", ("GET", f"{PROBE}/documents?filter=n=1&limit=10")),
        "cosmos": ("cosmos", ("GET", f"{COSMOS_PROBE}/p", None, sign("GET", f"{COSMOS_PROBE}/p"))),
        "cosmos query": ("cosmos", ("POST", COSMOS_PROBE, json.dumps({"query": "SELECT * FROM c WHERE c.n = 1"}),
                                    {**sign("POST", COSMOS_PROBE), **QUERY})),
        "kuzzle": ("kuzzle", ("GET", "/mine/probe/p", None, bearer)),
        "kuzzle search": ("kuzzle", ("POST", "/mine/probe/_search", {"query": {"term": {"n": 1}}}, bearer))}
    made = {name: (lambda port=port, request=request: Lane(ports[port], request)) for name, (port, request) in reads.items()}
    return {**made, "realtime": lambda: Listener(ports["kuzzle"], token)}


class Seen:
    def __init__(self):
        self.longest, self.count, self.wrong = 0.0, 0, []


def follow(make, stop, seen):
    try:
        lane = make()
        while not stop.is_set():
            began = time.monotonic()
            try:
                status = lane.ask()
            finally:
                seen.longest = max(seen.longest, time.monotonic() - began)
            seen.count += 1
            # Making a document answers 201 at first.
            if status not in (200, 201):
                seen.wrong.append(str(status))
            stop.wait(REST)
    except Exception as error:  # noqa: BLE001: whatever it was, others must not see it
        seen.wrong.append(repr(error))


def probe(ports, token, stop, ready, results):
    made = lanes(ports, token)
    seen = {name: Seen() for name in made}
    threads = [threading.Thread(target=follow, args=(made[name], stop, seen[name]), daemon=True) for name in made]
    for thread in threads:
        thread.start()
    while not stop.is_set() and any(not one.count and not one.wrong for one in seen.values()):
        stop.wait(0.01)
    ready.set()
    for thread in threads:
        thread.join(PATIENCE)
    results.put({name: (one.longest, one.count, one.wrong) for name, one in seen.items()})


class Prober:
    """A process of its own, so that the attackers' work is not taken for the server's."""

    def __init__(self, service, token):
        self.stop, self.ready, self.results = multiprocessing.Event(), multiprocessing.Event(), multiprocessing.Queue()
        self.process = multiprocessing.Process(target=probe, daemon=True,
                                               args=(service.ports, token, self.stop, self.ready, self.results))
        self.process.start()
        self.ready.wait(60)

    def end(self):
        """Of each lane: the longest it has waited, how often it was answered, what was wrong."""
        self.stop.set()
        seen = self.results.get(timeout=PATIENCE)
        self.process.join()
        return seen
