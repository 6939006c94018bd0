"""Holds a server to the model: every way of reading, at one instant."""

import centrali
import cosmos
import fauna
import kuzzle
import native
import workload
from model import FOREVER
from places import id_of, shown_policy
from service import quote
from wire import parse_time, render_time


class Difference(Exception):
    """The server and the law say different things."""


class Counted:
    """How many answers this process has compared."""
    comparisons = 0


def expect(what, shown, wanted):
    Counted.comparisons += 1
    if shown != wanted:
        raise Difference(f"{what}: the server says {shown}, the law {wanted}")


def now_of(service):
    return parse_time(service.must("GET", "/v1/clock")["now"])


def time_of(instant):
    return "never" if instant >= FOREVER else render_time(instant)


OTHERS = (("cosmos", cosmos), ("kuzzle", kuzzle), ("centrali", centrali), ("fauna", fauna))


def check(service, c, ids, number, by=None):
    """One collection: all that the native API shows, and what the dialect shows that has asked and, in turn, another; with
    `by` all, what every dialect shows. Where something ends while we look, we look again."""
    shown = [other for i, other in enumerate(OTHERS) if by in ("all", other[0]) or i == number % len(OTHERS)]
    for _ in range(4):
        before = now_of(service)
        try:
            look(service, c, ids, before, number, shown)
            return
        except Difference:
            after = now_of(service)
            if not any(before < end <= after for end in c.ends()):
                raise
    raise Difference(f"{c.name}: the clock does not stand still")


def look(service, c, ids, now, number, others):
    place, living = c.name, c.living(now)
    at = f"{place} at {render_time(now)}"
    check_state(at, native.state(service, place), living)
    numbers = {key: life.body.get("n") for key, life in living.items()}
    for name, dialect in (("native", native), *others):
        compare(f"{at}, {name}", dialect.living(service, place, ids), numbers)
    lying = c.in_trash(now)
    both = {**{each.life.id: each.life.body.get("n") for each in lying}, **numbers}
    for name, dialect in others:  # before the native API, which has deaths recorded for all
        if name not in ("cosmos", "fauna"):  # which know no trash
            compare(f"{at}, {name} with trash", dialect.living(service, place, ids, trash=True), both)
    check_trash(service, c, living, lying, at)
    if c.history.span() == FOREVER:
        check_past(service, c, ids, now, number, at)
    if ("fauna", fauna) in others:
        check_times(at, fauna.shown_times(service, place), living)
    if workload.is_mended("8.3") and ("cosmos", cosmos) in others:
        check_ttl(at, cosmos.shown_ttl(service, place), living)
    shown, wanted = native.policy(service, place), shown_policy(c)
    expect(f"the policy of {at}", {name: shown[name] for name in wanted}, wanted)


def compare(at, views, numbers):
    for view, shown, *only in views:
        wanted = len(numbers) if isinstance(shown, int) else set(numbers) if isinstance(shown, set) else numbers
        if only:  # it can only be asked about some keys
            wanted = type(wanted)(filter(lambda key: key in only[0], wanted)) if isinstance(wanted, set) else {
                key: n for key, n in numbers.items() if key in only[0]}
        expect(f"{at}, {view}", shown, wanted)


def check_state(at, shown, living):
    expect(f"{at}, ids", set(shown), set(living))
    for key, life in living.items():
        row = shown[key]
        said = (row["written_at"] and parse_time(row["written_at"]), row["expires_at"], row["data"].get("u"), "hold" in row)
        death = None if life.death >= FOREVER else life.death
        expect(f"{at}, {key} (written, expires, u, held)",
               (said[0], said[1] and time_of(parse_time(said[1])), *said[2:]),
               (life.written_at, death and time_of(death), life.body.get("u"), life.hold is not None))
        if not life.hold:
            expect(f"{at}, the lifetime of {key}", row["lifetime"], life.lifetime[0])


# Where a document has a lifetime by Cosmos DB, the ttl is shown as it counts; who inherits shows none.
def check_ttl(at, shown, living):
    for key, life in living.items():
        if life.hold or life.lifetime[0] not in ("after", "inherit"):
            continue
        wanted = life.lifetime[1] // 1_000_000 if life.lifetime[0] == "after" else None
        expect(f"{at}, the ttl that cosmos shows of {key}", shown.get(key), wanted)


# What FQL shows of a document's times: when it was written, and when it dies by whatever rule.
def check_times(at, shown, living):
    expect(f"{at}, the times that fauna shows", shown,
           {key: (life.written_at, None if life.death >= FOREVER else life.death) for key, life in living.items()})


def check_trash(service, c, living, lying, at):
    expect(f"{at}, trash", sorted(native.trash(service, c.name)),
           sorted((each.removed_at, each.life.id, each.life.body.get("n")) for each in lying))
    held = {each.life.id for each in lying if each.life.hold}
    alive_held = native.holds(service, c.name)
    wanted = held | {key for key, life in living.items() if life.hold}
    expect(f"{at}, holds", alive_held, wanted)


def check_past(service, c, ids, now, number, at):
    """As-of reads at what is worth asking about, some of them each time; and how many there were then."""
    base = native.path(c.name)
    instants = sorted({instant for life in c.lives for instant in
                       (life.written_at, life.written_at - 1, life.death - 1, life.death, life.ended_at)
                       if 0 < instant <= now and instant > c.history.all[-1][0]})
    if not instants:
        return
    asked = [(instants[(number * 7 + turn * 5) % len(instants)], ids[(number + turn) % len(ids)]) for turn in range(3)]
    answers = service.get_all("native", [path for then, key in asked for path in (
        f"{base}/documents/{quote(id_of(key))}{native.query({'id': key}, as_of=render_time(then))}", f"{base}/count?as_of={render_time(then)}")])
    for (then, key), answer, count in zip(asked, answers[::2], answers[1::2]):
        life = c.as_of(key, then)
        shown = answer.json["data"].get("n") if answer.status == 200 else answer.status
        expect(f"{at}, {key} as of {render_time(then)}", shown, life.body.get("n") if life else 404)
        expect(f"{at}, count as of {render_time(then)}", count.json.get("count"),
               sum(c.as_of(each, then) is not None for each in ids))
    then = asked[0][0]
    expect(f"{at}, fauna as of {render_time(then)}", fauna.as_of(service, c.name, then),
           {each: c.as_of(each, then).body.get("n") for each in ids if c.as_of(each, then)})


def check_feed(service, c):
    """Once all that is due is recorded: each act and each end is told once, ends in their order."""
    service.must("POST", "/v1/sweeper/run")
    now = now_of(service)
    events = native.feed(service, c.name)
    acts = [(parse_time(each["committed_at"]), each["id"], each["kind"], parse_time(each["version_at"])) for each in events
            if each["kind"] not in ("expired", "forgotten")]
    expect(f"{c.name}, the order of the feed", [each[0] for each in acts], sorted(each[0] for each in acts))
    expect(f"{c.name}, feed", sorted(acts), sorted((at, key, kind, version_at) for kind, key, version_at, at in c.happenings
                                                  if kind != "forgotten"))
    shown = [(each["id"], parse_time(each["version_at"]), parse_time(each["death"])) for each in events
             if each["kind"] == "expired"]
    expect(f"{c.name}, expired in the feed", sorted(shown), sorted(c.deaths(now)))
    turns = [max(version_at, death) for _, version_at, death in shown]
    expect(f"{c.name}, the order of what expired", turns, sorted(turns))
    forgotten = sorted((each["id"], parse_time(each["version_at"])) for each in events if each["kind"] == "forgotten")
    if not workload.is_mended("8.9"):
        return
    expect(f"{c.name}, forgotten in the feed", forgotten, sorted(c.forgotten(now)))


def check_purges(service, c):
    page = service.must("GET", f"{native.path(c.name)}/purges?limit=1000")
    expect(f"{c.name}, the record of purges is intact", page["intact"], True)
