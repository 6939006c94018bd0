"""The journal: what clients meant to do, what they were told, what they saw; a line each, by O_APPEND, so that it survives
whoever writes it and lines of several writers never mix.

    {"is": "epoch",  "epoch", "now"}                 a server has started; its clock says `now`
    {"is": "intent", "n", "epoch", "of": [collection, id], "act", "at", ...}   before the request leaves
    {"is": "answer", "n", "status", "at", "version", "death"}                  after its answer has come
    {"is": "sight",  "of", "from", "at", "version"}  a read saw this version; null: no such document
    {"is": "feed",   "collection", "after", "seen": [position, ...]}           a reader of the feed went on from there
    {"is": "place",  "epoch", "path", "act", "done"} a collection was created or dropped; done: it was answered
    {"is": "count",  "epoch", "of", "done"}          one was added to a number under If-Match

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
