"""What is done to documents, by the law: an edit is judged at the instant of its commit."""

import copy
import dataclasses
from dataclasses import dataclass

from model import FOREVER, INHERIT, NEVER, SECOND, Life, Removed, death_of


@dataclass
class Edit:
    """What a dialect asks for in the law's words.

    `kind`: write remove restore forget hold release touch. `expect` of a write: any absent present. `lifetime`: None says
    nothing; ("span", n) is counted from now. `speaks`: cosmos takes back in silence what Cosmos DB said; centrali cuts instants to milliseconds; fauna says never where it
    says null, which is no more than silence."""
    kind: str
    id: str
    body: dict | None = None
    merges: bool = False
    expect: str = "any"
    lifetime: tuple | None = None
    speaks: str = "any"
    says_ttl: int | None = None
    is_asked: bool = False        # the request says the lifetime, and its body another or the same
    revives: bool = False         # Kuzzle: a write to an id in the trash brings it out
    is_final: bool = False
    reaches_trash: bool = False   # Centrali: a final removal also takes what is archived
    is_by_id: bool = False        # names no partition: an id alone finds what is in the trash by it
    change: tuple | None = None   # a patch of Cosmos DB: ("incr", name, by) or ("remove", name)
    condition: tuple | None = None  # (name, value): what the patch must find
    lets_be: bool = False         # what is gone counts as done
    clears: bool = False          # FQL: who replaces and says nothing of a lifetime clears it
    is_stale: bool = False        # asked under a condition that does not hold

def changed(body, kind, name, by=0):
    if kind == "incr":
        body[name] = body.get(name, 0) + by
    else:
        body.pop(name, None)


def says_its_lifetime(life):
    """Whether the member `ttl` of its body is its lifetime."""
    own = life.hold["lifetime"] if life.hold else life.lifetime
    return own[0] == "after" or (own == NEVER and life.says_ttl == -1)


def apply(collection, edit, now, at, seen=None, asked=None):
    """Does one edit as a commit at `at`; gives ok, absent, taken, refused, stale or invalid. `now` is that of the attempt that
    commits, `asked` that of the request, which is earlier where what it had read died meanwhile. `seen` is what the server
    shows of the document afterwards, (expires_at, kind), which settles what the law leaves open."""
    return Editor(collection, now, at, seen, now if asked is None else asked).run(edit)


class Editor:
    def __init__(self, collection, now, at, seen, asked):
        self.c, self.now, self.at, self.seen, self.asked = collection, now, at, seen, asked

    def run(self, edit):
        standing = self.c.living(self.at).get(edit.id)
        if edit.lets_be and standing is None:
            return "ok"
        return getattr(self, edit.kind)(edit, standing)

    def lying(self):
        return self.c.in_trash(self.at, self.now)

    def last_removed(self, key):
        return next((each for each in reversed(self.lying()) if each.life.id == key), None)

    def happens(self, kind, key, version_at):
        self.c.happenings.append((kind, key, version_at, self.at))

    def put(self, life, kind):
        for other in self.c.lives:
            if other.id == life.id and other.ended_at == FOREVER:
                other.ended_at = self.at
        life.written_at, life.ended_at, life.is_settled = self.at, FOREVER, False
        life.death = FOREVER if life.hold else self.c.death(life)
        self.c.lives.append(life)
        self.happens(kind, life.id, self.at)
        return "ok"

    def is_taken(self, key, body):
        return any(name in body and life.body.get(name) == body[name] and life.id != key
                   for name in self.c.unique for life in self.c.living(self.at).values())

    # What a write gives a document as its lifetime.
    def lifetime_of(self, edit, standing):
        if edit.lifetime is not None:
            return self.counted(edit.lifetime, edit.speaks)
        # The rest of a body that Cosmos DB patches says its `ttl` again. Where others change other fields, they are silent.
        if edit.speaks == "body" and standing and says_its_lifetime(standing):
            return standing.hold["lifetime"] if standing.hold else standing.lifetime
        stamp = self.c.stamp
        if stamp and (standing is None or (stamp[1] == "every_write" and not standing.hold)):
            return self.counted(("span", stamp[0]), "either")
        if standing is None or edit.clears:
            return INHERIT
        own = standing.hold["lifetime"] if standing.hold else standing.lifetime
        if edit.speaks == "cosmos" and says_its_lifetime(standing):
            return INHERIT
        return own

    # A span is counted from the now of the request, which the server may have read a little later than we asked.
    def counted(self, lifetime, speaks="any"):
        if lifetime[0] != "span":
            return lifetime
        shown = self.seen[0] if self.seen else None
        first, last = self.asked + lifetime[1], self.at + lifetime[1]
        if speaks in ("centrali", "either"):
            cut = (first // 1000 * 1000, last // 1000 * 1000)
            if speaks == "centrali" or shown == cut[0]:
                first, last = cut
        return ("at", shown if shown is not None and first <= shown <= last else first)

    def write(self, edit, standing):
        base, kind = standing, "replaced" if standing else "created"
        if edit.expect == "absent" and standing:
            return "taken"
        leaving = None
        if standing is None and edit.revives:
            leaving = self.last_removed(edit.id)
            # Who has expired is not found by what changes: only what creates brings it back.
            if leaving and leaving.has_expired and edit.expect == "present":
                leaving = None
            # What replaces a held version leaves it where it is, with its hold, and is a new document.
            if leaving and leaving.life.hold and (leaving.has_expired or not edit.merges):
                return self.write(dataclasses.replace(edit, revives=False, expect="any"), standing)
        if leaving:
            base, kind = copy.deepcopy(leaving.life), "restored"
            if leaving.has_expired:  # it is gone: nothing of it is merged
                base.body, base.says_ttl = {}, None
        if edit.expect == "present" and base is None:
            return "absent"
        if edit.condition and base.body.get(edit.condition[0]) != edit.condition[1]:
            return "stale"
        if edit.change and edit.change[0] == "remove" and edit.change[1] not in base.body:
            return "invalid"
        if edit.is_stale and standing:
            return "stale"
        if edit.is_stale:
            return "absent"
        # What a body has said before and says again sets nothing; to all but Cosmos DB it is silence.
        is_said_again = base is not None and not edit.is_asked and edit.says_ttl is not None and edit.says_ttl == base.says_ttl
        is_silence = is_said_again or (edit.speaks == "fauna" and edit.lifetime == NEVER)
        if edit.lifetime is not None and not self.c.writers_may and not is_silence:
            return "refused"
        begins_anew = leaving is not None and not edit.merges and self.shows(edit.lifetime)
        if is_said_again and edit.speaks not in ("cosmos", "body") and not begins_anew:
            edit = dataclasses.replace(edit, lifetime=None, says_ttl=None)
        body = {**base.body, **edit.body} if edit.merges and base else dict(edit.body)
        body = {name: value for name, value in body.items() if value is not None}
        if edit.change:
            changed(body, *edit.change)
        if self.is_taken(edit.id, body):
            return "taken"
        life = copy.deepcopy(base) if base else Life(edit.id, self.at, INHERIT, {})
        life.body = body
        lifetime = self.lifetime_of(edit, None if leaving and leaving.has_expired else base)
        if leaving and edit.lifetime is None:
            lifetime = self.revived(edit, leaving, lifetime)
        life.says_ttl = self.said_after(edit, base, lifetime)
        if life.hold:
            life.hold = {"lifetime": lifetime, "from": None}
            lifetime = NEVER
        life.lifetime = lifetime
        if leaving:
            leaving.left_at = self.at
        return self.put(life, kind)

    # The member `ttl` of a body stays while it is the lifetime.
    def said_after(self, edit, base, lifetime):
        if edit.says_ttl is not None or base is None or edit.is_asked:
            return edit.says_ttl
        if edit.lifetime is not None:
            return -1 if lifetime == NEVER and edit.merges and base.says_ttl == -1 else None
        own = base.hold["lifetime"] if base.hold else base.lifetime
        return base.says_ttl if lifetime == own else None

    # A revived document has its own lifetime or a new document's: the law leaves it to the dialect.
    def revived(self, edit, leaving, lifetime):
        fresh = self.lifetime_of(edit, None)
        return fresh if self.shows(fresh) else lifetime

    def shows(self, lifetime):
        """Whether the server shows the document with this lifetime."""
        if not self.seen or lifetime is None:
            return False
        shown = {"at": ("at", self.seen[0])}.get(self.seen[1], (self.seen[1],))
        return shown[0] == lifetime[0] and (shown[0] != "at" or shown == lifetime)

    def remove(self, edit, standing):
        if not standing:
            if edit.reaches_trash:
                return self.forget(edit, standing)
            leaving = self.last_removed(edit.id) if edit.revives else None
            if leaving is None or leaving.has_expired:
                return "absent"
            if leaving.life.hold:
                return "refused"
            again = Removed(leaving.life, self.at)
            leaving.left_at = self.at
            self.c.put_in_trash(again)
            return "ok"
        if edit.is_stale:
            return "stale"
        if standing.hold:
            return "refused"
        standing.ended_at = self.at
        if self.c.trash.span() > 0 and not edit.is_final:
            self.c.put_in_trash(Removed(copy.deepcopy(standing), self.at))
        self.happens("removed", edit.id, standing.written_at)
        if edit.reaches_trash:
            self.forget(edit, None)
        return "ok"

    def restore(self, edit, standing):
        if standing and not (edit.is_by_id and self.last_removed(edit.id) is None):
            return "taken"
        if edit.lifetime is not None and not self.c.writers_may:
            return "refused"
        leaving = self.last_removed(edit.id)
        if not leaving:
            return "absent"
        life = copy.deepcopy(leaving.life)
        if self.is_taken(edit.id, life.body):
            return "taken"
        if edit.lifetime is not None or leaving.has_expired:
            fresh = self.lifetime_of(edit, None)
            if edit.lifetime is None and life.says_ttl is not None:
                fresh = ("after", life.says_ttl * SECOND)  # its body still says so
            else:
                life.says_ttl = None
            if life.hold:
                life.hold = {"lifetime": fresh, "from": None}
            else:
                life.lifetime = fresh
        elif life.hold:
            life.hold = {**life.hold, "from": None}
        leaving.left_at = self.at
        return self.put(life, "restored")

    def forget(self, edit, standing):
        lying = [each for each in self.lying() if each.life.id == edit.id]
        if not lying:
            return "absent"
        if any(each.life.hold for each in lying):
            return "refused"
        for each in lying:
            each.left_at = self.at
            self.happens("forgotten", edit.id, each.removed_at)
        return "ok"

    def hold(self, edit, standing):
        if standing:
            if standing.hold:
                return "taken"
            life = copy.deepcopy(standing)
            life.hold = {"lifetime": life.lifetime, "from": life.written_at}
            life.lifetime = NEVER
            return self.put(life, "replaced")
        leaving = self.last_removed(edit.id)
        if not leaving:
            return "absent"
        if leaving.life.hold:
            return "taken"
        leaving.life.hold = {"lifetime": leaving.life.lifetime, "from": leaving.life.written_at}
        leaving.life.lifetime, leaving.life.death = NEVER, FOREVER
        return "ok"

    # Holds name a version; a release without one releases all of the id.
    def release(self, edit, standing):
        is_found = False
        if standing and standing.hold:
            life = copy.deepcopy(standing)
            hold, life.hold = life.hold, None
            counted_from = hold["from"] if hold["from"] is not None else standing.written_at
            has_died = death_of(self.c.timeline, counted_from, hold["lifetime"], self.c.counts_seconds) <= self.now
            life.lifetime = ("at", self.now) if has_died else hold["lifetime"]
            life.says_ttl = None if has_died else life.says_ttl
            self.put(life, "replaced")
            is_found = True
        for each in self.lying():
            if each.life.id == edit.id and each.life.hold:
                self.let_go(each)
                is_found = True
        return "ok" if is_found else "absent"

    def release_removed(self, edit, standing):
        held = [each for each in self.lying() if each.life.id == edit.id and each.life.hold]
        if not held:
            return "absent"
        self.let_go(max(held, key=lambda each: each.removed_at))
        return "ok"

    def let_go(self, removed):
        removed.life.lifetime, removed.life.hold = removed.life.hold["lifetime"], None
        removed.life.death = self.c.death(removed.life)

    # The end moves forward, never back; what is not asked for is moved by the span it was given.
    def touch(self, edit, standing):
        if not standing:
            return "absent"
        if edit.is_stale:
            return "stale"
        if edit.lifetime is not None and not self.c.writers_may:
            return "refused"
        life = copy.deepcopy(standing)
        if edit.lifetime is not None:
            asked = self.counted(edit.lifetime)
            death = death_of(self.c.timeline, self.now, asked, self.c.counts_seconds)
            lifetime = asked if death >= standing.death else life.lifetime
        elif life.lifetime[0] == "at":
            given = life.lifetime[1] - standing.written_at
            moved = self.counted(("span", given))[1]
            lifetime = ("at", max(life.lifetime[1], moved))
        else:
            lifetime = life.lifetime
        own = life.hold["lifetime"] if life.hold else life.lifetime
        after = own if life.hold and edit.lifetime is None else lifetime
        life.says_ttl = life.says_ttl if after == own else None
        if life.hold:
            life.hold = {"lifetime": after, "from": None}
        else:
            life.lifetime = after
        return self.put(life, "replaced")
