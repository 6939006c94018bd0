"""Centrali's event stream beside the model: every act and every death is heard, and whoever comes back with the id of an event
hears what came behind it, nothing twice and nothing missed."""

import json
import socket

import workload
from check import expect, now_of
from places import id_of

WORDS = {"created": "record_created", "replaced": "record_updated", "removed": "record_deleted", "restored": "record_restored"}
BULK = {"records_bulk_created": "record_created", "records_bulk_updated": "record_updated",
        "records_bulk_deleted": "record_deleted"}
QUIET = 0.15  # seconds without an event after which nothing more is expected
PATIENCE = 10


class Stream:
    def __init__(self, service, after, events=""):
        self.socket = socket.create_connection(("127.0.0.1", service.ports["native"]), PATIENCE)
        mark = f"?events={events}" if events else ""
        self.socket.sendall(f"GET /realtime/workspace/law/events{mark} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                            f"Authorization: Bearer anybody\r\nLast-Event-ID: {after}\r\n\r\n".encode())

    def heard(self, wanted):
        """What comes until `wanted` events were heard and it is quiet: (id or None, event, record) each."""
        heard, text = [], b""
        while True:
            self.socket.settimeout(QUIET if len(heard) >= wanted else PATIENCE)
            try:
                piece = self.socket.recv(1 << 16)
            except TimeoutError:
                return heard
            if not piece:
                return heard
            text += piece
            *blocks, rest = text.replace(b"\r\n", b"\n").split(b"\n\n")
            for block in blocks:
                heard += rows_of(block.decode())
            text = rest

    def close(self):
        self.socket.close()


def rows_of(block):
    lines = block.split("\n")
    data = [line[6:] for line in lines if line.startswith("data: ")]
    mark = next((line[4:] for line in lines if line.startswith("id: ")), None)
    if not data or not data[0].startswith("{"):
        return []
    event = json.loads(data[0])
    if event.get("event") not in {*WORDS.values(), *BULK, "record_expired"}:
        return []
    word = BULK.get(event["event"], event["event"])
    keys = event.get("recordIds") or [event["recordId"]]
    return [(mark, word, key) for key in keys]


def check_stream(service, models, since):
    check_one(service, models, since, "", lambda word: True)
    check_one(service, models, since, "record_expired", lambda word: word == "record_expired")


def check_one(service, models, since, events, is_wanted):
    now = now_of(service)
    wanted = sorted((word, key) for c in models.values() for word, key in
                    [(WORDS[kind], id_of(key)) for kind, key, *_ in c.happenings if kind in WORDS] +
                    [("record_expired", id_of(key)) for key, _, _ in c.deaths(now)] if is_wanted(word))
    stream = Stream(service, since, events)
    heard = stream.heard(len(wanted))
    stream.close()
    what = f"the stream{' of ' + events if events else ''}"
    expect(what, sorted((word, key) for _, word, key in heard), wanted)
    ids = [mark for mark, _, _ in heard if mark]
    if not workload.is_mended("8.2"):
        return
    if heard and not heard[-1][0]:
        expect(f"{what}: the last event has an id", False, True)
    for mark in {ids[len(ids) // 2], ids[-1]} if ids else ():
        last = max(i for i, row in enumerate(heard) if row[0] == mark)
        stream = Stream(service, mark, events)
        again = stream.heard(len(heard) - last - 1)
        stream.close()
        expect(f"{what} behind {mark}", sorted(row[1:] for row in again), sorted(row[1:] for row in heard[last + 1:]))
