"""Holds the journal, the store and the feed against each other, and counts what does not agree."""

from feed import Feed
from journal import Reader
from lives import KINDS, Document
from load import BASE, COLLECTIONS, COUNTER, WRITERS, look
from wire import micros_now, parse_time


def all_pages(wire, path):
    page = ""
    while page is not None:
        answer = wire.must("GET", path + page)
        yield from answer["documents"]
        page = answer["next"] and f"&page={answer['next']}"


class Places:
    """Which collections there must be."""

    def __init__(self):
        self.known = {}  # path -> True, False, or None where an answer was lost

    def add(self, line):
        wanted = line["act"] == "create"
        self.known[line["path"]] = wanted if line["done"] else None

    def check(self, wire, say):
        for path, expected in self.known.items():
            status, _ = wire.call("GET", path)
            if expected is not None and (status == 200) != expected:
                say("lost_writes" if expected else "dead_back", f"{path} answers {status}")
            self.known[path] = status == 200


class Validator:
    """Keeps what it has read; each round looks at what was touched since the one before, the last one at everything."""

    def __init__(self, journal, told):
        self.journal, self.told = journal, told
        self.reader = Reader(journal.path)
        self.epochs = []
        self.lines = {}    # (collection, id) -> journal lines, answers joined to their intents
        self.intents = {}
        self.touched = set()
        self.seen = {name: [] for name in COLLECTIONS}  # by readers of the feed
        self.feeds = {name: Feed(name) for name in COLLECTIONS}
        self.places = Places()
        self.counted = {"done": 0, "asked": 0}
        self.problems = []
        self.acknowledged = 0

    def say(self, kind, text):
        self.problems.append((kind, text))

    # --- reading ---

    def read_journal(self):
        for line in self.reader.lines():
            getattr(self, "read_" + line["is"])(line)

    def read_epoch(self, line):
        self.epochs.append(line["now"])

    def read_intent(self, line):
        self.intents[line["n"]] = line
        self.add(line)

    def read_answer(self, line):
        self.intents.pop(line["n"]).update(line)
        self.acknowledged += line["status"] < 300

    def read_sight(self, line):
        self.add(line)

    def add(self, line):
        of = tuple(line["of"])
        self.lines.setdefault(of, []).append(line)
        self.touched.add(of)

    def read_feed(self, line):
        self.seen[line["collection"]] += line["seen"]

    def read_place(self, line):
        self.places.add(line)

    def read_ghosts(self, line):
        if line["seen"]:
            self.say("dead_back", f"{line['path']} was created holding {line['seen']}")

    def read_count(self, line):
        if not line["done"]:
            self.counted["asked"] += 1
        elif line["status"] == 200:
            self.counted["done"] += 1
        else:
            self.counted["asked"] -= 1
            if line["status"] not in (409, 412):
                self.say("unexpected", f"{line}")

    # --- checking ---

    def check(self, wire, is_last=False):
        """After a start, with nobody else at work. Gives the server's clock."""
        now = parse_time(wire.must("GET", "/v1/clock")["now"])
        if now < self.told.instant:
            self.say("stamps_back", f"the server says {now} and has said {self.told.instant}")
        if not is_last:
            wire.must("POST", "/v1/sweeper/run")
        self.journal.write(**{"is": "epoch"}, now=now)
        self.read_journal()
        for name, feed in self.feeds.items():
            self.check_feed(wire, name, feed, is_last)
        for of in sorted(self.lines if is_last else self.touched):
            self.check_document(wire, of, now)
        self.touched.clear()
        for name in COLLECTIONS:
            self.check_rows(wire, name)
        self.check_counter(wire)
        self.places.check(wire, self.say)
        return now

    def check_feed(self, wire, name, feed, is_last):
        rows, after = [], None if is_last else feed.last()
        while True:
            page = wire.must("GET", f"{BASE}/collections/{name}/feed?limit=1000" + (f"&after={after}" if after else ""))
            rows += page["events"]
            if not page["has_more"]:
                break
            after = page["last"]
        if is_last:
            feed.check_again(rows)
            rows = rows[len(feed.rows):]
        for row in rows:
            self.touched.add((name, feed.add(row)))
        feed.check_reader(self.seen[name])
        self.problems += feed.problems
        feed.problems = []

    def check_document(self, wire, of, now):
        collection, name = of
        look(wire, self.journal, self.told, list(of))
        self.read_journal()
        promises = COLLECTIONS[collection][1]
        stored = {}
        if promises.keeps_history:
            status, answer = wire.call("GET", f"{BASE}/collections/{collection}/documents/{name}/history")
            for version in answer["versions"] if status == 200 else ():
                stored[parse_time(version["written_at"])] = version["data"]["token"]
        document = Document(f"{collection}/{name}", promises, self.epochs, stored, now)
        self.problems += document.check(self.lines.get(of, []), self.feeds[collection].by_document.get(name, []))
        for version in stored:
            if version not in document.lives:
                self.say("torn_writes", f"{of} keeps a version {version} that the feed does not know")

    def check_rows(self, wire, name):
        """Rows and index entries of one write come and go together; a unique value has one living holder."""
        path = f"{BASE}/collections/{name}/documents?limit=1000"
        by_id = {row["id"]: row for row in all_pages(wire, path)}
        by_writer = {}
        for writer in range(WRITERS):
            by_writer |= {row["id"]: row for row in all_pages(wire, f"{path}&filter=writer%3D{writer}&sort=n")}
        now = micros_now()
        for name_ in by_id.keys() | by_writer.keys():
            one, other = by_id.get(name_), by_writer.get(name_)
            death = parse_time((one or other)["expires_at"])
            if one != other and (death is None or death > now or one is None):
                self.say("torn_writes", f"{name}/{name_} is {one} in its table, {other} in its index")
        holders = {}
        for row in by_id.values():
            place = row["data"].get("place")
            if place is not None and holders.setdefault(place, row["id"]) != row["id"]:
                self.say("torn_writes", f"{row['id']} and {holders[place]} both hold {place}")

    def check_counter(self, wire):
        row = wire.must("GET", f"{BASE}/collections/counters/documents/{COUNTER}")
        n = row["data"]["n"]
        if not self.counted["done"] <= n <= self.counted["asked"]:
            self.say("lost_writes", f"{self.counted} were counted, the counter says {n}")
        if n + 1 != row["revision"]:
            self.say("torn_writes", f"the counter says {n} at its revision {row['revision']}")

    def counts(self):
        return {kind: sum(problem == kind for problem, _ in self.problems) for kind in KINDS}
