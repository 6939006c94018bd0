"""Clients that read, modify and write the same documents by FQL at once, over HTTP; what they are answered must have one order
(history.py). `./dev serializable` runs it for as long as it is asked to."""

import argparse
import collections
import random
import sys
import threading
import time
import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "law"))
from history import COMMITTED, REFUSED, UNKNOWN, Transaction, Violation, check  # noqa: E402
from service import Line, Service  # noqa: E402
from wire import Gone  # noqa: E402

ROOM = 3           # so many may be in one group; each looks before it adds
KEYS = 4           # documents, and groups, that clients meet at
EPOCH = 60         # transactions of a client before it goes on to others
HEADERS = {"authorization": "Bearer secret", "x-format": "simple", "x-typecheck": "false"}
SCHEMA = """
Collection.create({name: "Item"})
Collection.create({name: "Member", indexes: {byGroup: {terms: [".group"]}}})
Collection.create({name: "Room", constraints: [{unique: [".place"]}]})
"""
# Ways to read who is in a group: by an index, by a filter, page by page, and by all documents.
WAYS = ("Member.byGroup({group}).toArray().map(.id)",
        "Member.where(.group == {group}).toArray().map(.id)",
        "Member.all().where(m => m.group == {group}).toArray().map(.id)",
        "Member.all().toArray().filter(.group == {group}).map(.id)")


class Client(threading.Thread):
    """One connection and the history of what it has asked."""

    def __init__(self, number, options, port, values):
        super().__init__()
        self.number, self.options, self.values = number, options, values
        self.random = random.Random(f"{options.seed} {number}")
        self.line = Line(port, opens_again=False)
        self.history, self.retries, self.failure = [], 0, None

    def run(self):
        try:
            until = time.monotonic() + self.options.seconds if self.options.seconds else None
            asked = 0
            while asked < self.options.operations if until is None else time.monotonic() < until:
                self.ask(*self.draw(asked // EPOCH))
                asked += 1
        except Exception as error:  # pylint: disable=broad-except  (reported by the main thread)
            self.failure = error

    def draw(self, epoch):
        """A transaction as its operations: (what, key, value)."""
        first, keys = KEYS * epoch, self.random.sample(range(KEYS), self.random.choice([1, 2, 2, 3]))
        return [(self.random.choices(["append", "read", "group", "claim"], [4, 2, 1, 3])[0], first + key + 1, self.value())
                for key in keys]

    def value(self):
        return next(self.values)

    def ask(self, *operations):
        text = "\n".join(text_of(number, *operation, self.random.choice(WAYS)) for number, operation in enumerate(operations))
        shown = ", ".join(f"[b{number}, w{number}]" for number in range(len(operations)))
        try:
            answer = self.line.ask("POST", "/query/1", {"query": f"{text}\n[{shown}]"}, HEADERS)
        except (Gone, OSError):
            self.history.append(written_of(self.number, UNKNOWN, operations))
            raise
        if answer.status == 409:
            self.history.append(written_of(self.number, REFUSED, operations))
            return
        if answer.status != 200:
            raise AssertionError(f"{answer}\n{text}")
        answered = answer.json
        self.retries += answered.get("stats", {}).get("contention_retries", 0)
        self.history.append(history_of(self.number, operations, answered))


def text_of(number, what, key, value, way):
    """Two names: what was there before, and whether it was written."""
    if what in ("group", "claim"):
        lines = f"let b{number} = {way.format(group=key)}\n"
        if what == "group":
            return lines + f"let w{number} = Member.byGroup({key}).count() == b{number}.length"
        return lines + (f"let w{number} = if (b{number}.length < {ROOM}) "
                        f"{{ Member.create({{id: {value}, group: {key}}}) != null }} else {{ false }}")
    lines = f"let b{number} = Item.byId({key})?.values ?? []\n"
    if what == "read":
        return lines + f"let w{number} = Item.byId({key}).exists() == b{number}.nonEmpty()"
    return lines + (f"let w{number} = if (Item.byId({key}).exists()) "
                    f"{{ Item.byId({key})!.update({{values: b{number}.append({value})}}) != null }} "
                    f"else {{ Item.create({{id: {key}, values: [{value}]}}) != null }}")


def written_of(client, status, operations):
    """What it may have written."""
    made = Transaction(client, status)
    made.appends = [(key, value) for what, key, value in operations if what == "append"]
    made.additions = [(key, value) for what, key, value in operations if what == "claim"]
    return made


def history_of(client, operations, answered):
    made = Transaction(client, COMMITTED, at=answered["txn_ts"])
    for (what, key, value), (before, wrote) in zip(operations, answered["data"]):
        if what in ("append", "read"):
            made.lists.append((key, tuple(before)))
        else:
            made.groups.append((key, frozenset(int(each) for each in before)))
        if what in ("append", "claim"):
            if wrote:
                (made.appends if what == "append" else made.additions).append((key, value))
        elif not wrote:
            raise Violation(f"two ways of reading {key} differ within one transaction: {answered}")
    return made


def final_reads(client, epochs):
    """All of it, by one transaction after another, when no client writes any more."""
    for epoch in range(epochs):
        for key in range(KEYS * epoch + 1, KEYS * (epoch + 1) + 1):
            client.ask(("read", key, None), ("group", key, None))


def check_rooms(history):
    """Who looks before it adds never finds more than there is room for."""
    for transaction in history:
        for key, values in transaction.groups:
            if len(values) > ROOM:
                raise Violation(f"group {key} has room for {ROOM}: {sorted(values)}")


def run(options):
    values = iter(range(1, 1 << 60))
    lock, shared = threading.Lock(), values

    class Values:
        def __next__(self):
            with lock:
                return next(shared)

    with Service(data=":memory:") as service:
        port = service.ports["fauna"]
        line = Line(port)
        for text in SCHEMA.strip().splitlines():
            made = line.ask("POST", "/query/1", {"query": text}, HEADERS)
            if made.status != 200:
                raise RuntimeError(repr(made))
        clients = [Client(number, options, port, Values()) for number in range(options.clients)]
        began = time.monotonic()
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        seconds = time.monotonic() - began
        failed = [client.failure for client in clients if client.failure]
        if failed:
            raise failed[0]
        last = Client(len(clients), options, port, Values())
        final_reads(last, 1 + max(len(client.history) for client in clients) // EPOCH)
    return [*clients, last], seconds


def main():
    parser = argparse.ArgumentParser(prog="./dev serializable", description=__doc__)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--operations", type=int, default=500, help="transactions of each client")
    parser.add_argument("--seconds", type=float, help="for so long, however many these are")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    clients, seconds = run(options)
    history = [each for client in clients for each in client.history]
    try:
        check_rooms(history)
        edges = check(history)
    except Violation as violation:
        print(f"seed {options.seed}: {violation}")
        return 1
    answered = collections.Counter(each.status for each in history)
    print(f"{options.clients} clients, {len(history)} transactions in {seconds:.1f} s: {answered[COMMITTED]} committed, "
          f"{answered[REFUSED]} refused, {sum(client.retries for client in clients)} run again; "
          + ", ".join(f"{count} {kind}" for kind, count in sorted(edges.items())) + ": one order explains them")
    return 0


if __name__ == "__main__":
    sys.exit(main())
