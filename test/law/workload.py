"""What a run does, drawn from its seed alone: a list of plain steps, so that any of them can be left out and the rest done
again. Instants in it are named by what they are (the next end, so much from now) and become numbers when they are sent."""

import random

import centrali
import cosmos
import fauna
import kuzzle
import native
from model import SECOND
from places import all_places

DIALECTS = {"native": native, "cosmos": cosmos, "kuzzle": kuzzle, "centrali": centrali, "fauna": fauna}


def is_silent_cosmos(step):
    return step.get("by") == "cosmos" and step["do"] == "ask" and step["op"].get("ttl") is None


def asks(step, by, *kinds):
    return step["do"] == "ask" and step["by"] == by and step["op"]["do"] in kinds


# What a fault of the list is met by: the steps that a run leaves out while the fault is known and not mended. Where the
# fault shows in what is compared, there is no step; check.py asks for the row.
STEPS = {
    "4.2": lambda step: False,
    "8.1": lambda step: step["do"] == "ask" and step["by"] == "kuzzle" and step["in"] == "nat" and "items" in step["op"],
    "8.2": lambda step: False,
    "8.3": is_silent_cosmos,
    "8.4": lambda step: step["do"] == "policy" and step["by"] == "cosmos",
    "8.5": lambda step: step["do"] == "ask" and step["by"] == "kuzzle" and step["in"] == "nat",
    "8.6": lambda step: asks(step, "native", "hold"),
    "8.7": lambda step: asks(step, "native", "touch") and step["op"].get("life") is None,
    "8.8": lambda step: step["do"] == "restart" and step["how"] == "kill",
    "8.9": lambda step: False,
    # Without a number: Kuzzle's updateByQuery writes by ids alone, which two partitions may have.
    "by_query": lambda step: asks(step, "kuzzle", "updateByQuery") and step["in"] == "par",
    # Without a number: an update by Kuzzle of what has expired into the trash brings it back.
    "expired": lambda step: asks(step, "kuzzle", "update", "replace", "mUpdate", "mReplace", "import"),
}
# The rows that are not mended yet. `--with ROW` tries that one, too, and leaves out all others of the list.
KNOWN = set()
TRIED = set()

SPANS = [0, 1, 5, 30, "forever"]


def setup(rng):
    """The policies the collections begin with."""
    first = {}
    for name in all_places():
        first[name] = {"keep_feed_for": "forever", "keep_history_for": rng.choice([0, "forever", "forever"])}
        if name != "cen" or rng.random() < 0.5:
            first[name]["keep_trash_for"] = rng.choice([5, 30, "forever", "forever"])
            first[name]["expire_to_trash"] = rng.random() < 0.4
        if rng.random() < 0.4:
            first[name]["default_ttl"] = rng.choice(["never", 2, 10, 60])
        if rng.random() < 0.2 and name != "fau":  # whose definition says it
            first[name]["stamp_ttl"] = {"seconds": rng.choice([3, 20]), "when": rng.choice(["creation", "every_write"])}
    return first


def policy_step(rng, place):
    by = rng.choices(["native", "cosmos", "kuzzle", "centrali"], [5, 2, 1, 1])[0]
    by = "native" if by == "centrali" and place.maker == "fauna" else by
    step = {"do": "policy", "by": by, "in": place.name}
    if by == "cosmos":
        return {**step, "default": rng.choice([None, -1, 2, 10, 60])}
    if by == "kuzzle":
        return step
    if by == "centrali":
        return {**step, "default": rng.choice([3, 20])}
    what = rng.choice(["default_ttl", "default_ttl", "default_ttl", "stamp_ttl", "writers_may_set_ttl", "keep_trash_for",
                       "expire_to_trash"])
    value = {"default_ttl": [None, "never", 1, 2, 10, 60], "writers_may_set_ttl": [False, True, True],
             "stamp_ttl": [None, None, {"seconds": 3, "when": "creation"}, {"seconds": 20, "when": "every_write"}],
             "keep_trash_for": [1, 5, 30, "forever"], "expire_to_trash": [False, True]}[what]
    if place.maker == "fauna" and what in ("stamp_ttl", "writers_may_set_ttl"):
        what = "keep_trash_for"
        value = [1, 5, 30, "forever"]
    return {**step, "change": {what: rng.choice(value)}}


def clock_step(rng):
    """To an end, one microsecond before or behind it; or just on."""
    if rng.random() < 0.75:
        return {"do": "clock", "end": rng.choice([0, 0, 0, 1, 2]), "offset": rng.choice([-1, -1, 0, 0, 1])}
    return {"do": "clock", "on": rng.choice([1, 400_000, SECOND, 3 * SECOND, 20 * SECOND])}


def plan(seed, steps):
    """The whole run: how the server is started, the first policies, and the steps."""
    rng = random.Random(seed)
    places = all_places()
    restarts, transfers = rng.random() < 0.3, rng.random() < 0.2
    names = rng.sample(list(places), rng.choice([1, 2, 2, 3]))
    drawn = []
    while len(drawn) < steps:
        place = places[rng.choice(names)]
        dice = rng.random()
        if dice < 0.62:
            by = rng.choice(list(DIALECTS))
            step = {"do": "ask", "by": by, "in": place.name, "op": DIALECTS[by].draw(rng, place)}
        elif dice < 0.86:
            step = clock_step(rng)
        elif dice < 0.95:
            step = policy_step(rng, place)
        elif dice < 0.98 or not restarts:
            step = {"do": rng.choice(["sweep", "pause", "resume"])}
        else:
            step = {"do": "restart", "how": rng.choice(["stop", "kill", "kill"]), "paused": rng.random() < 0.5}
        if not is_known(step):
            drawn.append(step)
    return {"seed": seed, "restarts": restarts, "transfers": transfers, "paused": rng.random() < 0.6, "first": setup(rng), "definition": fauna.definition(rng), "steps": drawn,
            "names": names}


def is_known(step):
    return any(STEPS[row](step) for row in KNOWN) and not any(STEPS[row](step) for row in TRIED)


def is_mended(row):
    return row not in KNOWN


def resolve(asked, now):
    """The request with instants in the place of spans from now; Centrali counts in milliseconds."""
    if isinstance(asked, dict):
        return {name: resolve(value, now) for name, value in asked.items()}
    if isinstance(asked, list) and len(asked) == 2 and asked[0] == "in":
        instant = now + asked[1]
        return ["expires_at", instant - instant % 1000 if asked[1] % 1000 == 0 else instant]
    if isinstance(asked, list):
        return [resolve(each, now) for each in asked]
    return asked
