"""A validator that finds nothing proves nothing: here it is shown what it must find. A real server has been killed a few
times; what it answers afterwards is falsified on its way to the validator, one planted violation at a time."""

import json
import os
import shutil
import tempfile
import unittest

from crash import Crasher
from journal import Journal
from load import Told
from server import Server
from validate import Validator
from wire import parse_time


class Falsified:
    """A wire whose answers pass through `plant(path, answer)`, which gives (status, answer) or None to leave it so."""

    def __init__(self, wire, plant):
        self.wire, self.plant = wire, plant

    def call(self, method, path, body=None, headers=""):
        status, answer = self.wire.call(method, path, body, headers)
        return self.plant(path, answer) or (status, answer)

    def must(self, method, path, body=None, headers=""):
        status, answer = self.call(method, path, body, headers)
        assert 200 <= status < 300, f"{method} {path}: {status} {answer}"
        return answer


def change_events(change):
    """Falsifies the feed of the collection `items`, which is read in one page."""
    def plant(path, answer):
        if "/items/feed" in path:
            assert not answer["has_more"]
            return 200, {**answer, "events": change(list(answer["events"]))}
        return None
    return plant


class ValidatorTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="mayfly-crash-")
        cls.crasher = Crasher(cls.folder, 7)
        cls.crasher.begin()
        for _ in range(6):
            server = cls.crasher.start_and_check()
            cls.crasher.load_and_kill(server, 50)
        cls.server = Server(cls.crasher.data)
        cls.wire = cls.server.wire()
        cls.crasher.settle(cls.wire)
        cls.crasher.validator.check(cls.wire)
        # Later than every death that has been told of: whoever is seen after that has come back.
        cls.crasher.told.hear(parse_time(cls.wire.must("GET", "/v1/clock")["now"]))
        cls.lines = [json.loads(line) for line in open(cls.folder + "/journal", encoding="utf-8")]
        cls.events = cls.wire.must("GET", "/v1/databases/crash/collections/items/feed?limit=1000")["events"]

    @classmethod
    def tearDownClass(cls):
        cls.server.kill()
        shutil.rmtree(cls.folder)

    def found(self, plant=lambda path, answer: None, extra_lines=()):
        """What a validator finds that sees everything for the first time."""
        path = os.path.join(self.folder, "copy")
        shutil.copy(self.folder + "/journal", path)
        journal = Journal(path)
        for line in extra_lines:
            journal.write(**line)
        told = Told()
        told.hear(self.crasher.told.instant)
        validator = Validator(journal, told)
        validator.check(Falsified(self.wire, plant), is_last=True)
        return {kind: count for kind, count in validator.counts().items() if count}

    def index_of(self, **wanted):
        """Of an event with these members."""
        return next(i for i, event in enumerate(self.events) if wanted.items() <= event.items())

    def living(self):
        """One whose newest version was acknowledged: others may be lost."""
        known = {line["version"] for line in self.lines if line["is"] == "answer" and line.get("version")}
        documents = self.wire.must("GET", "/v1/databases/crash/collections/items/documents?limit=1000")["documents"]
        return next(d for d in documents if parse_time(d["written_at"]) in known)

    def test_without_a_plant_nothing_is_found(self):
        self.assertEqual(self.found(), {})

    def test_a_lost_acknowledged_write_is_found(self):
        lost = self.living()

        def plant(path, answer):
            if "/items/documents/" + lost["id"] in path:
                if not path.endswith("/history"):
                    return 404, None
                return 200, {"versions": [v for v in answer["versions"] if v["written_at"] != lost["written_at"]]}
            if "/items/documents?" in path:
                return 200, {**answer, "documents": [d for d in answer["documents"] if d["id"] != lost["id"]]}
            return change_events(lambda events: [e for e in events if e["version_at"] != lost["written_at"]])(path, answer)
        self.assertGreaterEqual(self.found(plant).get("lost_writes", 0), 1)

    def test_a_document_that_is_there_no_more_is_found_although_the_feed_tells_of_it(self):
        lost = self.living()
        plant = lambda path, answer: (404, None) if path.endswith("/items/documents/" + lost["id"]) else None
        self.assertEqual(self.found(plant), {"lost_writes": 1})

    def test_a_resurrected_document_is_found(self):
        # One that nobody has made anew since: its end is the last that the feed tells of it.
        last = {event["id"]: event for event in self.events}
        removed = next(event for event in last.values() if event["kind"] == "expired")
        back = {"id": removed["id"], "written_at": removed["version_at"], "expires_at": removed["death"],
                "data": {"token": "?"}}
        plant = lambda path, answer: (200, back) if path.endswith("/items/documents/" + removed["id"]) else None
        self.assertGreaterEqual(self.found(plant).get("dead_back", 0), 1)

    def test_a_lost_event_is_found(self):
        for kind in ("expired", "created", "replaced", "removed"):
            at = self.index_of(kind=kind)
            found = self.found(change_events(lambda events: events[:at] + events[at + 1:]))
            self.assertGreaterEqual(found.get("events_lost", 0) + found.get("lost_writes", 0), 1, (kind, found))
            self.assertGreaterEqual(found.get("events_lost", 0), 1, (kind, found))

    def test_a_doubled_event_is_found(self):
        for kind in ("expired", "created", "removed"):
            event = self.events[self.index_of(kind=kind)]
            again = {**event, "committed_at": self.events[-1]["committed_at"],
                     "position": self.events[-1]["position"].split(".")[0] + ".4294967295"}
            found = self.found(change_events(lambda events: events + [again]))
            self.assertGreaterEqual(found.get("events_doubled", 0), 1, (kind, found))

    def test_a_second_identity_of_a_death_is_found(self):
        at = self.index_of(kind="expired")
        other = {**self.events[at], "death": self.events[at]["version_at"]}
        found = self.found(change_events(lambda events: events[:at] + [other] + events[at + 1:]))
        self.assertGreaterEqual(found.get("events_doubled", 0), 1)

    def test_stamps_that_decrease_are_found(self):
        def swap(events):
            events[3], events[4] = events[4], events[3]
            return events
        self.assertGreaterEqual(self.found(change_events(swap)).get("stamps_back", 0), 1)

    def test_an_index_that_lacks_a_document_is_found(self):
        plant = lambda path, answer: ((200, {**answer, "documents": []})
                                      if "/items/documents?" in path and "filter" in path else None)
        self.assertGreaterEqual(self.found(plant).get("torn_writes", 0), 1)

    def test_a_body_of_another_write_is_found(self):
        other = self.living()
        other["data"]["token"] = "another"
        plant = lambda path, answer: (200, other) if path.endswith("/items/documents/" + other["id"]) else None
        self.assertGreaterEqual(self.found(plant).get("torn_writes", 0), 1)

    def test_a_gap_in_what_a_reader_was_given_is_found(self):
        seen = [self.events[-1]["position"]]
        self.assertGreaterEqual(
            self.found(extra_lines=[{"is": "feed", "collection": "items", "seen": seen}]).get("events_lost", 0), 1)

    def test_a_clock_behind_what_was_told_is_found(self):
        plant = lambda path, answer: (200, {**answer, "now": "2020-01-01T00:00:00Z"}) if path == "/v1/clock" else None
        self.assertGreaterEqual(self.found(plant).get("stamps_back", 0), 1)

    def test_a_lost_collection_and_one_that_is_back_are_found(self):
        lines = [{"is": "place", "epoch": 1, "path": "/v1/databases/crash/collections/none", "act": "create", "done": True},
                 {"is": "place", "epoch": 1, "path": "/v1/databases/crash/collections/items", "act": "drop", "done": True}]
        found = self.found(extra_lines=lines)
        self.assertEqual((found["lost_writes"], found["dead_back"]), (1, 1))

    def test_a_lost_count_is_found(self):
        # More than there can be whose answers were lost in the crashes.
        self.assertEqual(self.found(extra_lines=100 * [{"is": "count", "epoch": 1, "done": False},
                                                     {"is": "count", "epoch": 1, "done": True, "status": 200}]),
                         {"lost_writes": 1})


if __name__ == "__main__":
    unittest.main()
