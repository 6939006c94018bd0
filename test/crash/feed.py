"""What must be true of a whole feed, and of what its readers were given."""

from lives import Event
from wire import parse_time


def position_of(text):
    instant, number = text.split(".")
    return int(instant), int(number)


def event_of(row):
    return Event(row["kind"], parse_time(row["version_at"]), parse_time(row["committed_at"]),
                 parse_time(row.get("death")))


class Feed:
    """One collection's feed as far as it has been read: rows as the server gives them."""

    def __init__(self, name):
        self.name = name
        self.rows = []
        self.by_document = {}
        self.identities = set()
        self.last_turn = 0
        self.problems = []

    def last(self):
        return self.rows[-1]["position"] if self.rows else None

    def say(self, kind, text):
        self.problems.append((kind, f"{self.name}: {text}"))

    def add(self, row):
        """Gives the document it is about."""
        event = event_of(row)
        position = position_of(row["position"])
        if self.rows and position <= position_of(self.rows[-1]["position"]):
            self.say("stamps_back", f"{row['position']} comes behind {self.rows[-1]['position']}")
        if position[0] != event.committed_at:
            self.say("unexpected", f"{row} has two instants")
        self.check_identity(row, event)
        self.rows.append(row)
        self.by_document.setdefault(row["id"], []).append(event)
        return row["id"]

    def check_identity(self, row, event):
        kind = event.kind if event.kind in ("expired", "removed", "forgotten") else "written"
        identity = (row["id"], kind, event.version_at)
        if identity in self.identities:
            self.say("events_doubled", f"{row} stands there twice")
        self.identities.add(identity)
        if event.kind == "expired":
            turn = max(event.death, event.version_at)
            if turn < self.last_turn:
                self.say("stamps_back", f"{row} comes behind a later death")
            self.last_turn = turn

    def check_again(self, rows):
        """The whole feed has been read once more: nothing of what was told may have changed."""
        if rows[:len(self.rows)] != self.rows:
            self.say("events_lost", "what was told before is told differently, or not at all")

    def check_reader(self, seen):
        """A reader who began at the beginning has been given these positions, in this order."""
        mine = [row["position"] for row in self.rows[:len(seen)]]
        if seen != mine:
            at = next(i for i, pair in enumerate(zip(seen + [None], mine + [None])) if pair[0] != pair[1])
            self.say("events_lost", f"a reader was given {seen[at:at + 2]} where the feed has {mine[at:at + 2]}")
