"""What must be true of one document: its feed explains every answer and every sight, and tells each end once.

Nothing here speaks to a server: the journal's lines and the feed's events go in, problems come out. A document has one
writer, which does one thing after another; so the feed's events of it, expiries aside, come in the order of what was asked,
one for each request that was answered with yes, and one or none for each whose answer was lost in a crash."""

from dataclasses import dataclass, field

SECOND = 1_000_000
# What is counted, each of which must be 0.
KINDS = ("lost_writes", "torn_writes", "dead_back", "events_lost", "events_doubled", "stamps_back", "unexpected")
# Which events a request may leave.
EVENTS = {"create": ("created",), "put": ("created", "replaced"), "patch": ("replaced",), "delete": ("removed",),
          "restore": ("restored",)}


@dataclass
class Promises:
    """What a collection promises, in microseconds; None: forever."""
    default: int | None = None
    trash_for: int | None = 0
    keeps_history: bool = False


@dataclass
class Event:
    kind: str
    version_at: int
    committed_at: int
    death: int | None = None


@dataclass
class Life:
    """One version: from its commit to what ended it."""
    version: int
    lifetime: object  # an instant, "never", "inherit", or None where only the server knows
    death: int | None
    is_death_known: bool
    token: str | None
    ended_at: int | None = None
    expired: list = field(default_factory=list)

    def learn(self, death):
        """What only the server knew."""
        if not self.is_death_known:
            self.death, self.is_death_known = death, True
            self.lifetime = "never" if death is None else death

    def may_be_alive(self, at):
        return not self.is_death_known or self.death is None or at < self.death

    def must_be_alive(self, at):
        return self.is_death_known and (self.death is None or at < self.death)


def death_of(lifetime, version, promises):
    if lifetime == "inherit":
        return None if promises.default is None else version + promises.default
    return None if lifetime in ("never", None) else lifetime


class Document:
    """Replays one document. `epochs` are the instants at which servers began, in order; `stored` the versions that the
    store itself shows (history and the living one), as {version: token}."""

    def __init__(self, name, promises, epochs, stored, swept_until):
        self.name, self.promises, self.epochs = name, promises, epochs
        self.stored, self.swept_until = stored, swept_until
        self.problems = []
        self.lives = {}
        self.living = None   # the newest version, until it is removed or replaced
        self.trash = []      # [removed_at, Life], oldest first
        self.removals = {}   # removed_at -> (whether it was restored, Life)
        self.number = 0

    def say(self, kind, text):
        self.problems.append((kind, f"{self.name}: {text}"))

    def epoch_of(self, instant):
        low, high = 0, len(self.epochs)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self.epochs[middle] <= instant else (low, middle)
        return low

    def check(self, lines, events):
        told = [event for event in events if event.kind not in ("expired", "forgotten")]
        for line in lines:
            if line["is"] == "sight":
                self.check_sight(line)
            elif line.get("status") is None:
                self.match_unanswered(line, told)
            elif line["status"] < 300:
                self.match_answered(line, told)
            else:
                self.check_refusal(line)
        for event in told[self.number:]:
            self.say("events_doubled", f"nobody asked for {event}")
        self.check_ends(events)
        return self.problems

    # --- requests and their events ---

    def match_unanswered(self, line, told):
        event = told[self.number] if self.number < len(told) else None
        if event and event.kind in EVENTS[line["act"]] and self.epoch_of(event.committed_at) == line["epoch"]:
            self.number += 1
            self.apply(event, line)

    def match_answered(self, line, told):
        event = told[self.number] if self.number < len(told) else None
        version = line.get("version")
        fits = event and event.kind in EVENTS[line["act"]] and (version is None or event.version_at == version)
        if fits and version is None and self.living and event.version_at != self.living.version:
            fits = False
        if fits:
            self.number += 1
            self.apply(event, line)
            return
        is_stored = version in self.stored
        self.say("events_lost" if is_stored else "lost_writes", f"{line} was answered; the feed goes on with {event}")
        if version is not None:  # go on as if it had been told
            kind = {"create": "created", "restore": "restored"}.get(line["act"], "replaced")
            self.apply(Event(kind if self.living else "created", version, version), line, is_told=False)
        elif self.living:
            self.living.ended_at = line["at"]
            self.living = None

    def apply(self, event, line, is_told=True):
        at = event.committed_at
        if event.kind == "removed":
            return self.apply_removal(event)
        lifetime, token = line.get("lifetime"), line.get("token")
        if event.kind == "restored":
            restored = self.take_out_of_trash(at)
            if restored is None:
                return self.say("dead_back", f"{event} brought back what was not in the trash")
            lifetime, token = restored.lifetime, restored.token
        elif event.kind == "replaced" and not (self.living and self.living.may_be_alive(at)):
            self.say("dead_back", f"{event} replaced a document that was no more")
        elif event.kind == "created" and is_told and self.living and self.living.must_be_alive(at):
            self.say("unexpected", f"{event} created over the living {self.living}")
        if self.living:
            self.living.ended_at = at
        death = death_of(lifetime, event.version_at, self.promises)
        life = Life(event.version_at, lifetime, death, lifetime is not None, token)
        if "death" in line:
            life.learn(line["death"])
            if life.death != line["death"]:
                self.say("unexpected", f"{line} should die at {life.death}")
        if life.version in self.lives:
            self.say("events_doubled", f"{event} tells of a version twice")
        self.lives[life.version] = self.living = life
        self.check_stored(life)

    def check_stored(self, life):
        if self.promises.keeps_history and life.version not in self.stored:
            self.say("lost_writes", f"the version {life.version} is in the feed and not in the history")
        elif self.stored.get(life.version, life.token) != life.token:
            self.say("torn_writes", f"version {life.version} is {self.stored[life.version]}, written as {life.token}")

    def apply_removal(self, event):
        life = self.living
        if life is None or life.version != event.version_at or not life.may_be_alive(event.committed_at):
            return self.say("dead_back", f"{event} removed what was not there: {life}")
        life.ended_at = event.committed_at
        self.living = None
        if self.promises.trash_for != 0:
            self.trash.append((event.committed_at, life))
            self.removals[event.committed_at] = (False, life)

    def is_in_trash(self, removed_at, life, at):
        ends = None if self.promises.trash_for is None else removed_at + self.promises.trash_for
        return (ends is None or at < ends) and life.may_be_alive(at)

    def take_out_of_trash(self, at):
        for removed_at, life in reversed(self.trash):
            if self.is_in_trash(removed_at, life, at):
                self.trash.remove((removed_at, life))
                self.removals[removed_at] = (True, life)
                return life
        return None

    # --- what was refused or seen ---

    def check_refusal(self, line):
        status, act, at = line["status"], line["act"], line["at"]
        if status == 404 and act in ("patch", "delete"):
            if self.living and self.living.must_be_alive(at):
                self.say("lost_writes", f"{line} did not find {self.living}")
        elif status == 404 and act == "restore":
            found = [life for removed_at, life in self.trash
                     if self.is_in_trash(removed_at, life, at) and life.must_be_alive(at)]
            if found and not self.living:
                self.say("lost_writes", f"{line} did not find {found[-1]} in the trash")
        elif status == 409 and act == "create":
            if not (self.living and self.living.may_be_alive(line["from"])):
                self.say("dead_back", f"{line} met a document that is no more")
        elif status == 409 and act in ("put", "restore"):
            pass  # the unique value may be another's, the place taken again
        elif not (status == 400 and isinstance(line.get("lifetime"), int) and line["lifetime"] <= at):
            self.say("unexpected", f"{line}")

    def check_sight(self, line):
        version, living = line["version"], self.living
        if version is None:
            if living and living.must_be_alive(line["at"]):
                self.say("lost_writes", f"{line} did not see {living}")
        elif living is None or version != living.version:
            known = "dead_back" if version in self.lives else "unexpected"
            self.say(known, f"{line} saw another version than {living}")
        else:
            living.learn(line["death"])
            if not living.may_be_alive(line["from"]):
                self.say("dead_back", f"{line} saw {living}")
            if line["death"] != living.death or line["token"] != living.token:
                self.say("torn_writes", f"{line} saw another document than {living}")

    # --- ends ---

    def check_ends(self, events):
        forgotten = {}
        for event in events:
            if event.kind == "expired":
                life = self.lives.get(event.version_at)
                if life is None:
                    self.say("events_doubled", f"{event} is the end of no version")
                else:
                    life.expired.append(event)
            elif event.kind == "forgotten":
                forgotten[event.version_at] = forgotten.get(event.version_at, 0) + 1
        for life in self.lives.values():
            self.check_end(life)
        for removed_at, (is_restored, life) in self.removals.items():
            self.check_forgotten(removed_at, is_restored, life, forgotten.pop(removed_at, 0))
        for removed_at in forgotten:
            self.say("events_doubled", f"forgotten, but never removed: {removed_at}")

    def check_end(self, life):
        known, ended_at = life.is_death_known, life.ended_at
        died = known and life.death is not None and (ended_at is None or life.death <= ended_at)
        count = len(life.expired)
        if count > 1:
            self.say("events_doubled", f"{life.expired} tell one death")
        if died and count == 0 and life.death <= self.swept_until:
            self.say("events_lost", f"the death of {life} is not told")
        if known and not died and count > 0:
            self.say("events_doubled", f"{life.expired} tell a death that was not died: {life}")
        for event in life.expired:
            if known and event.death != life.death:
                self.say("events_doubled", f"{event} gives another identity to {life}")
            if event.committed_at < event.death:
                self.say("unexpected", f"{event} was told too early")

    def check_forgotten(self, removed_at, is_restored, life, count):
        """It leaves the trash when its time there is over, or before at its own end."""
        trash_for, own_end = self.promises.trash_for, life.death if life.is_death_known else None
        ends = ([] if trash_for is None else [removed_at + trash_for]) + ([] if own_end is None else [own_end])
        may_end = bool(ends) or not life.is_death_known
        if count > 1 or (count and (is_restored or not may_end)):
            self.say("events_doubled", f"what was removed at {removed_at} is forgotten {count} times")
        if not is_restored and count == 0 and ends and min(ends) <= self.swept_until:
            self.say("events_lost", f"what was removed at {removed_at} is not forgotten")
