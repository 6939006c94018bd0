"""The collections of a run: one that each dialect has made, with the ids and bodies that are written there.

A document has one key in the model: its id, in a container with partitions `id|partition`."""

from model import FOREVER, SECOND, Collection, Kept


def id_of(key):
    return key.split("|")[0]


def partition_of(key):
    """None where there are no partitions."""
    return key.split("|")[1] if "|" in key else None


def key_of(document_id, body):
    return f"{document_id}|{body['p']}" if "p" in body else document_id


class Place:
    """A collection as the workload knows it. Ids are its own: Centrali wants them free in the whole workspace."""

    def __init__(self, name, maker, unique=(), partitions=()):
        self.name, self.maker, self.unique, self.partitions = name, maker, unique, partitions
        # In FQL ids are numbers, and in their order.
        self.ids = [f"{name}{n}" for n in range(4)] if maker != "fauna" else ["7", "80", "81", "900"]
        if partitions:  # the last id is one of each partition
            first, last = self.ids[:-1], self.ids[-1]
            self.ids = [f"{key}|{partitions[i % len(partitions)]}" for i, key in enumerate(first)]
            self.ids += [f"{last}|{each}" for each in partitions]
        # Those that an id alone names.
        self.single_ids = [key for key in self.ids if not partitions or id_of(key) != id_of(self.ids[-1])]

    def body(self, random, key):
        body = {"n": random.randrange(10)}
        if self.partitions:
            body["p"] = partition_of(key)
        if random.random() < 0.5:
            body["u"] = random.randrange(3)
        return body

    def body_with_ttl(self, random, key):
        """In a container any dialect's body may say the lifetime."""
        body = self.body(random, key)
        if self.maker == "cosmos" and random.random() < 0.15:
            body["ttl"] = random.choice([-1, 1, 5, 60])
        return body

    def life(self, random):
        """A lifetime as the native API says it; half of the time nothing is said. `in` becomes an instant when it is sent."""
        if random.random() < 0.5:
            return None
        return random.choice(["never", "inherit", ["ttl", random.choice([1, 2, 10, 60])],
                              ["in", random.randrange(1, 200 * SECOND)]])


def partition_key(place):
    """The member of its definition as a container."""
    return {"partitionKey": {"paths": ["/p"], "kind": "Hash", "version": 2}} if place.partitions else {}


def all_places():
    return {place.name: place for place in (
        Place("nat", "native", unique=("u",)), Place("cos", "cosmos"), Place("kuz", "kuzzle"), Place("cen", "centrali"),
        Place("fau", "fauna"),
        Place("par", "cosmos", partitions=("a", "b")))}


def kept_span(shown):
    return FOREVER if shown == "forever" else shown * SECOND


def default_of(shown):
    return shown * SECOND if isinstance(shown, int) else shown


def stamp_of(shown):
    return shown and (shown["seconds"] * SECOND, shown["when"])


def model_of(place, shown, at, counts_seconds):
    """A collection whose policy is as the native API shows it when it is new."""
    made = Collection(place.name, place.maker, unique=place.unique)
    made.counts_seconds = counts_seconds
    made.timeline = [(0, None), (at, default_of(shown["default_ttl"]))]
    made.stamp = stamp_of(shown["stamp_ttl"])
    made.writers_may = shown["writers_may_set_ttl"]
    made.history = Kept([(0, 0), (at, kept_span(shown["keep_history_for"]))])
    made.trash = Kept([(0, 0), (at, kept_span(shown["keep_trash_for"]))])
    made.to_trash = [(0, False)] + ([(at, True)] if shown["expire_to_trash"] else [])
    return made


def shown_policy(c):
    """The policy of the model as the native API shows it."""
    def span(value):
        return "forever" if value == FOREVER else value // SECOND

    default = c.timeline[-1][1]
    return {"default_ttl": default // SECOND if isinstance(default, int) else default,
            "stamp_ttl": c.stamp and {"seconds": c.stamp[0] // SECOND, "when": c.stamp[1]},
            "writers_may_set_ttl": c.writers_may, "keep_history_for": span(c.history.span()),
            "keep_trash_for": span(c.trash.span()), "expire_to_trash": c.to_trash[-1][1]}
