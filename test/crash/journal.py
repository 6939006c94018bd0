"""The journal: what clients meant to do, what they were told, what they saw; a line each, by O_APPEND, so that it survives
whoever writes it and lines of several writers never mix.

    {"is": "epoch", "now"}                     a server has started, and says it is `now`
    {"is": "intent", "n", "epoch", "of": [collection, id], "act", "lifetime", "token", "from"}   before a request leaves
    {"is": "answer", "n", "status", "at", "version", "death"}                                   after its answer came
    {"is": "sight", "of", "from", "at", "version", "death", "token"}     what a read saw; version null: nothing
    {"is": "feed", "collection", "seen": [position, ...]}                what a reader of the feed was given next
    {"is": "place", "epoch", "path", "act", "done"}                      a collection is, or was, created or dropped
    {"is": "ghosts", "path", "seen": [id, ...]}                          what a collection just created held
    {"is": "count", "epoch", "done", "status"}                           one is, or was, added under If-Match

`from` is an instant the server had told somebody before the request left, `at` the client's clock after the answer.
All instants are microseconds of the machine's clock."""

import json
import os
import threading


class Journal:
    def __init__(self, path):
        self.path = path
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        self.lock = threading.Lock()
        self.last = 0

    def write(self, **line):
        os.write(self.file, (json.dumps(line, separators=(",", ":")) + "\n").encode())

    def number(self):
        with self.lock:
            self.last += 1
            return self.last


class Reader:
    """Reads what has been added since it read last."""

    def __init__(self, path):
        self.file = open(path, encoding="utf-8")

    def lines(self):
        for line in self.file:
            yield json.loads(line)
