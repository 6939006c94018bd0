"""What goes on while the server is killed: writers, readers of the feed, a changer of the catalog. Each runs until the
server is gone, and goes on after the next start."""

import random

from lives import SECOND, Promises
from wire import Gone, Wire, micros_now, parse_time, render_time

BASE = "/v1/databases/crash"
COLLECTIONS = {
    # Everything is kept, so that the store can be held against the feed.
    "items": ({"keep_feed_for": "forever", "keep_history_for": "forever", "keep_trash_for": "forever",
               "indexes": [{"name": "by_writer", "fields": [{"path": "writer"}, {"path": "n"}]},
                           {"name": "by_place", "fields": [{"path": "place"}], "unique": True}]},
              Promises(keeps_history=True, trash_for=None)),
    # Nothing is kept for long: the sweeper and compaction have work.
    "brief": ({"keep_feed_for": "forever", "keep_history_for": 1, "keep_trash_for": 1, "default_ttl": 1,
               "indexes": [{"name": "by_writer", "fields": [{"path": "writer"}, {"path": "n"}]}]},
              Promises(default=SECOND, trash_for=SECOND)),
}
COUNTER = "counter"
WRITERS = 8
DOCUMENTS_PER_WRITER = 3  # of each collection, at a time
OPERATIONS_PER_DOCUMENT = 40
PLACES = 24


def make_collections(wire):
    wire.must("PUT", BASE)
    for name, (promises, _) in COLLECTIONS.items():
        wire.must("PUT", f"{BASE}/collections/{name}", promises)
    wire.must("PUT", f"{BASE}/collections/counters", {"keep_history_for": "forever"})
    wire.must("PUT", f"{BASE}/collections/counters/documents/{COUNTER}?never=true", {"n": 0})


class Told:
    """The latest instant the server has told anybody: what it answers later is at a later one."""
    instant = 0

    def hear(self, instant):
        self.instant = max(self.instant, instant)


class Writer:
    def __init__(self, index, seed, journal, told):
        self.index, self.journal, self.told = index, journal, told
        self.random = random.Random(f"{seed} writer {index}")
        self.born = 0
        self.documents = [self.new_document(name) for name in COLLECTIONS for _ in range(DOCUMENTS_PER_WRITER)]

    def new_document(self, collection):
        self.born += 1
        return {"of": [collection, f"{self.index}-{self.born}"], "operations": 0}

    def run(self, port, epoch):
        try:
            with Wire(port) as wire:
                while True:
                    self.step(wire, epoch)
        except Gone:
            return

    def step(self, wire, epoch):
        place = self.random.randrange(len(self.documents))
        document = self.documents[place]
        document["operations"] += 1
        if document["operations"] > OPERATIONS_PER_DOCUMENT:
            document = self.documents[place] = self.new_document(document["of"][0])
        act = self.random.choices(("put", "patch", "create", "delete", "restore", "look", "count"),
                                  (40, 14, 14, 12, 8, 9, 3))[0]
        if act == "look":
            look(wire, self.journal, self.told, document["of"])
        elif act == "count":
            self.count(wire, epoch)
        else:
            self.change(wire, epoch, act, document["of"])

    def pick_lifetime(self):
        """(what the journal says, what the request says)"""
        kind = self.random.random()
        if kind < 0.2:
            return "never", "never=true"
        if kind < 0.4:
            return "inherit", "inherit=true"
        if kind < 0.5:
            return None, f"ttl={self.random.randint(1, 3)}"
        until = micros_now() + int(100_000 * 30 ** self.random.random())
        return until, "expires_at=" + render_time(until)

    def change(self, wire, epoch, act, of):
        n = self.journal.number()
        collection, name = of
        path = f"{BASE}/collections/{collection}/documents"
        line = {"n": n, "epoch": epoch, "of": of, "act": act, "from": self.told.instant}
        body = None
        if act == "delete":
            method, path = "DELETE", f"{path}/{name}"
        elif act == "restore":
            method, path = "POST", f"{BASE}/collections/{collection}/trash/{name}/restore"
        else:
            line["token"] = f"{self.index}.{n}"
            line["lifetime"], asked = self.pick_lifetime()
            body = {"token": line["token"], "writer": self.index, "n": n}
            if act == "put" and collection == "items" and self.random.random() < 0.3:
                body["place"] = self.random.randrange(PLACES)
            method, path = {"put": ("PUT", f"{path}/{name}?{asked}"), "patch": ("PATCH", f"{path}/{name}?{asked}"),
                            "create": ("POST", f"{path}?id={name}&{asked}")}[act]
        self.journal.write(**{"is": "intent"}, **line)
        status, answer = wire.call(method, path, body)
        told = {"n": n, "status": status, "at": micros_now()}
        if status < 300 and answer:
            told["version"], told["death"] = parse_time(answer["written_at"]), parse_time(answer["expires_at"])
            self.told.hear(told["version"])
        self.journal.write(**{"is": "answer"}, **told)

    def count(self, wire, epoch):
        path = f"{BASE}/collections/counters/documents/{COUNTER}"
        status, answer = wire.call("GET", path)
        assert status == 200, answer
        self.journal.write(**{"is": "count"}, epoch=epoch, done=False)
        status, _ = wire.call("PUT", path, {"n": answer["data"]["n"] + 1}, f"If-Match: \"{answer['etag']}\"\r\n")
        self.journal.write(**{"is": "count"}, epoch=epoch, done=True, status=status)


def look(wire, journal, told, of):
    before = told.instant
    status, answer = wire.call("GET", f"{BASE}/collections/{of[0]}/documents/{of[1]}")
    line = {"of": of, "from": before, "at": micros_now(), "version": None}
    assert status in (200, 404), answer
    if status == 200:
        line.update(version=parse_time(answer["written_at"]), death=parse_time(answer["expires_at"]),
                    token=answer["data"]["token"])
        told.hear(line["version"])
    journal.write(**{"is": "sight"}, **line)
    return answer if status == 200 else None


class FeedReader:
    """Reads a collection's feed from its beginning, a few events at a time, across all crashes."""

    def __init__(self, collection, journal):
        self.collection, self.journal = collection, journal
        self.last = None

    def run(self, port, _):
        try:
            with Wire(port) as wire:
                while True:
                    after = f"&after={self.last}" if self.last else ""
                    answer = wire.must("GET", f"{BASE}/collections/{self.collection}/feed?limit=50{after}")
                    seen = [event["position"] for event in answer["events"]]
                    if seen:
                        self.journal.write(**{"is": "feed"}, collection=self.collection, seen=seen)
                        self.last = answer["last"]
        except Gone:
            return


class Changer:
    """Makes collections, fills and indexes them, changes what they promise, drops them: one after the other."""

    def __init__(self, seed, journal):
        self.random, self.journal = random.Random(f"{seed} changer"), journal
        self.round = 0

    def run(self, port, epoch):
        try:
            with Wire(port) as wire:
                while True:
                    self.round += 1
                    self.change(wire, epoch, f"{BASE}/collections/other-{self.round % 3}")
        except Gone:
            return

    def change(self, wire, epoch, path):
        status, _ = self.told(wire, epoch, "create", "PUT", path, {"keep_history_for": 1, "keep_trash_for": 1})
        left = wire.must("GET", path + "/documents")["documents"] if status == 201 else []
        self.journal.write(**{"is": "ghosts"}, path=path, seen=[document["id"] for document in left])
        for i in range(self.random.randint(1, 6)):
            wire.must("PUT", f"{path}/documents/d{i}", {"writer": i})
        wire.call("POST", path + "/indexes", {"name": "by_writer", "fields": [{"path": "writer"}]})
        wire.must("PATCH", path, {"default_ttl": self.random.randint(1, 5)})
        if self.random.random() < 0.5:
            wire.call("DELETE", path + "/indexes/by_writer")
        if self.random.random() < 0.7:
            self.told(wire, epoch, "drop", "DELETE", path)

    def told(self, wire, epoch, act, method, path, body=None):
        self.journal.write(**{"is": "place"}, epoch=epoch, path=path, act=act, done=False)
        status, answer = wire.call(method, path, body)
        assert status < 300, answer
        self.journal.write(**{"is": "place"}, epoch=epoch, path=path, act=act, done=True)
        return status, answer
