"""The law of lifetime in plain Python: every version of every document, every policy a collection has had.

It shares nothing with the product but the words. Every question is asked at the `now` of a request; edits.py says what is
done. Instants and spans are microseconds."""

import copy
from dataclasses import dataclass, field

SECOND = 1_000_000
FOREVER = 1 << 62
INHERIT, NEVER = ("inherit",), ("never",)


@dataclass
class Life:
    """One version: from its commit until it dies or another act ends it."""
    id: str
    written_at: int
    lifetime: tuple
    body: dict
    says_ttl: int | None = None   # the `ttl` that a Cosmos DB client has given
    hold: dict | None = None      # {"lifetime", "from"}: what waits below the hold
    ended_at: int = FOREVER
    death: int = FOREVER
    is_settled: bool = False      # its death has been looked at by whoever asks for the trash

    def is_alive(self, at, judged):
        return self.written_at <= at < self.ended_at and judged < self.death

    def effective_at(self):
        """When its death counts: one that was dead when it was written, at its writing."""
        return max(self.death, self.written_at)


@dataclass
class Removed:
    life: Life
    removed_at: int
    left_at: int = FOREVER
    has_expired: bool = False


@dataclass
class Kept:
    """For how long something is kept: every (from, span) of a collection's history."""
    all: list = field(default_factory=lambda: [(0, 0)])

    def span(self):
        return self.all[-1][1]

    def floor(self, now):
        """What ended at or before this instant is gone, or was gone once."""
        floor = -1
        for i, (since, span) in enumerate(self.all):
            until = min(self.all[i + 1][0], now) if i + 1 < len(self.all) else now
            if span != FOREVER and until >= since:
                floor = max(floor, until - span)
        return floor

    def keeps(self, ended_at, now):
        return ended_at > self.floor(now)


def death_of(timeline, written_at, lifetime, counts_seconds=True):
    """The first instant at which the rule of the lifetime holds, anywhere along the timeline of the default."""
    kind, value = lifetime[0], lifetime[-1]
    if kind == "never":
        return FOREVER
    if kind == "at":
        return value
    second = written_at - written_at % SECOND
    counted_from = second if counts_seconds or kind == "after" else written_at
    spans = [default for _, default in timeline if isinstance(default, int)]
    instants = {since for since, _ in timeline} | {counted_from + span for span in spans}
    if kind == "after":
        instants.add(second + value)
    for instant in sorted(instants):
        default = next((each for since, each in reversed(timeline) if since <= instant), None)
        if kind == "inherit" and isinstance(default, int) and instant >= counted_from + default:
            return instant
        if kind == "after" and default is not None and instant >= second + value:
            return instant
    return FOREVER


@dataclass
class Collection:
    name: str
    maker: str
    counts_seconds: bool = True
    timeline: list = field(default_factory=lambda: [(0, None)])
    stamp: tuple | None = None    # (span, creation or every_write)
    writers_may: bool = True
    history: Kept = field(default_factory=Kept)
    trash: Kept = field(default_factory=Kept)
    to_trash: list = field(default_factory=lambda: [(0, False)])
    unique: tuple = ()
    lives: list = field(default_factory=list)
    removed: list = field(default_factory=list)
    happenings: list = field(default_factory=list)   # (kind, id, version_at, committed_at)

    # --- questions ---

    def living(self, now):
        return {life.id: life for life in self.lives if life.is_alive(now, now)}

    def as_of(self, key, then):
        return next((life for life in self.lives if life.id == key and life.is_alive(then, then)), None)

    def in_trash(self, now, settled=None):
        """Removed documents, the longest removed first. An edit finds what had died by its now, not by its commit."""
        self.settle(now if settled is None else settled)
        lying = [each for each in self.removed if each.left_at == FOREVER and (
            each.life.hold or (self.trash.keeps(each.removed_at, now) and now < each.life.death))]
        return sorted(lying, key=lambda each: (each.removed_at, each.life.id))

    def ends(self):
        """Every instant at which something ends by itself."""
        found = {life.death for life in self.lives if life.ended_at == FOREVER}
        for each in self.removed:
            if each.left_at == FOREVER and not each.life.hold:
                found.add(each.life.death)
                if self.trash.span() != FOREVER:
                    found.add(each.removed_at + self.trash.span())
        return {end for end in found if end < FOREVER // 2}

    def deaths(self, now):
        """(id, version_at, death) of all that have died by now, in the order of their deaths."""
        died = [(life.effective_at(), life.id, life.written_at, life.death) for life in self.lives
                if life.death <= now and life.death <= life.ended_at and life.effective_at() <= now]
        return [each[1:] for each in sorted(died)]

    def forgotten(self, now):
        """(id, removed_at) of all that have left the trash for good by now, by themselves or because somebody asked."""
        asked = [(key, removed_at) for kind, key, removed_at, _ in self.happenings if kind == "forgotten"]
        self.settle(now)
        return asked + [(each.life.id, each.removed_at) for each in self.removed if each.left_at == FOREVER
                        and not each.life.hold
                        and (not self.trash.keeps(each.removed_at, now) or each.life.death <= now)]

    def settle(self, now):
        if len(self.to_trash) < 2:
            return
        for life in self.lives:
            if life.is_settled or not (life.death <= now and life.death <= life.ended_at):
                continue
            life.is_settled = True
            if self.sends_to_trash(life.effective_at()):
                moved = copy.copy(life)
                moved.lifetime, moved.death, moved.hold = NEVER, FOREVER, None
                self.put_in_trash(Removed(moved, life.effective_at(), has_expired=True))

    def sends_to_trash(self, instant):
        turned = [is_on for since, is_on in self.to_trash if since <= instant]
        return turned[-1] and self.trash.keeps(instant, instant)

    def put_in_trash(self, entry):
        """Of two that end in one instant the trash has the later."""
        self.removed = [each for each in self.removed
                        if (each.life.id, each.removed_at) != (entry.life.id, entry.removed_at)]
        self.removed.append(entry)

    # --- policies ---

    def change(self, at, **what):
        for name, value in what.items():
            if name == "default_ttl":
                self.timeline.append((at, value))
            elif name in ("history", "trash"):
                getattr(self, name).all.append((at, value))
            elif name == "expire_to_trash":
                if value != self.to_trash[-1][1]:
                    self.to_trash.append((at, value))
            else:
                setattr(self, name, value)
        if "default_ttl" in what:
            for life in self.lives + [each.life for each in self.removed]:
                if life.death != FOREVER or life.lifetime[0] in ("inherit", "after"):
                    life.death = self.death(life)

    def death(self, life):
        return death_of(self.timeline, life.written_at, life.lifetime, self.counts_seconds)
