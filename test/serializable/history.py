"""What transactions were answered, and whether one order of them all explains it.

A document is a list to which each transaction appends values of its own, so every read says which writes it has seen and in
which order they came. A group is a set to which documents are only added: a read of it says which additions it has seen. From
that follow the edges of a graph: `ww` from a write to the one that followed it, `wr` from a write to who read it, `rw` from
who read to the first write it has not seen, `session` from a client's transaction to its next. A cycle is what no order can
explain (Adya's dependency graph; appended lists as Elle has them)."""

from collections import defaultdict
from dataclasses import dataclass, field

COMMITTED, REFUSED, UNKNOWN = "committed", "refused", "unknown"


@dataclass
class Transaction:
    """`lists` and `groups` hold what it read, (key, values), before writes of its own; `appends` and `additions` what it wrote,
    (key, value). `at` is the instant that it was answered with; None where nothing says it."""
    client: int
    status: str = COMMITTED
    at: int | None = None
    lists: list = field(default_factory=list)
    groups: list = field(default_factory=list)
    appends: list = field(default_factory=list)
    additions: list = field(default_factory=list)

    def writes(self):
        return bool(self.appends or self.additions)

    def __str__(self):
        parts = [f"read {key} = {list(values)}" for key, values in self.lists]
        parts += [f"read group {key} = {sorted(values)}" for key, values in self.groups]
        parts += [f"appended {value} to {key}" for key, value in self.appends]
        parts += [f"added {value} to group {key}" for key, value in self.additions]
        return f"client {self.client} at {self.at} {self.status}: " + ", ".join(parts)


class Violation(Exception):
    """No order of the transactions explains what they were answered."""


def check(transactions):
    """Raises Violation; gives the number of edges of each kind."""
    graph = Graph(transactions)
    graph.add_lists()
    graph.add_groups()
    graph.add_sessions()
    graph.check_instants()
    graph.check_cycles()
    return graph.counts()


class Graph:
    def __init__(self, transactions):
        self.transactions = transactions
        self.edges = defaultdict(dict)  # number -> number -> (kind, about)
        self.list_writers = self.writers("appends")
        self.group_writers = self.writers("additions")

    def writers(self, written):
        writers = {}
        for number, transaction in enumerate(self.transactions):
            for key, value in getattr(transaction, written):
                if (key, value) in writers:
                    raise Violation(f"{value} was written to {key} twice: the history says nothing")
                writers[key, value] = number
        return writers

    def read_by(self, what):
        """(number, key, values) of all reads that count."""
        return [(number, key, values) for number, transaction in enumerate(self.transactions)
                if transaction.status == COMMITTED for key, values in getattr(transaction, what)]

    def writer(self, writers, key, value, reader):
        number = writers.get((key, value))
        if number is None:
            raise Violation(f"no transaction has written {value} to {key}: {self.transactions[reader]}")
        if self.transactions[number].status == REFUSED:
            raise Violation(f"{value} of {key} was refused and is read: {self.transactions[reader]}")
        return number

    def add(self, kind, before, after, about):
        if before != after:
            self.edges[before].setdefault(after, (kind, about))

    # --- lists ---

    def add_lists(self):
        reads, longest, reader_of = self.read_by("lists"), {}, {}
        for number, key, values in reads:
            if len(values) > len(longest.get(key, ())):
                longest[key], reader_of[key] = values, number
        unread = defaultdict(list)  # committed, and in no read: behind all that was read
        for (key, value), number in self.list_writers.items():
            if value not in longest.get(key, ()) and self.transactions[number].status == COMMITTED:
                unread[key].append(number)
        for key, values in longest.items():
            order = [self.writer(self.list_writers, key, value, reader_of[key]) for value in values]
            for before, after in zip(order, order[1:]):
                self.add("ww", before, after, key)
            for number in unread[key]:
                self.add("ww", order[-1], number, key)
        for number, key, values in reads:
            self.add_list_read(number, key, values, longest.get(key, ()), unread[key])

    def add_list_read(self, number, key, values, longest, unread):
        if tuple(longest[:len(values)]) != tuple(values):
            raise Violation(f"{key} was {list(longest)}, and never {list(values)}: {self.transactions[number]}")
        for value in values[:-1]:
            self.writer(self.list_writers, key, value, number)
        if values:
            self.add("wr", self.writer(self.list_writers, key, values[-1], number), number, key)
        if len(values) < len(longest):
            self.add("rw", number, self.writer(self.list_writers, key, longest[len(values)], number), key)
        for after in unread:
            self.add("rw", number, after, key)

    # --- groups ---

    def add_groups(self):
        added = defaultdict(dict)
        for (key, value), number in self.group_writers.items():
            added[key][value] = number
        for number, key, values in self.read_by("groups"):
            for value in values:
                self.add("wr", self.writer(self.group_writers, key, value, number), number, f"group {key}")
            for value, writer in added[key].items():
                if value not in values and self.transactions[writer].status == COMMITTED:
                    self.add("rw", number, writer, f"group {key}")

    def add_sessions(self):
        last = {}
        for number, transaction in enumerate(self.transactions):
            if transaction.status != COMMITTED:
                continue
            if transaction.client in last:
                self.add("session", last[transaction.client], number, f"client {transaction.client}")
            last[transaction.client] = number

    # --- what must hold ---

    def check_instants(self):
        """The instants that were answered are one such order. A commit has one of its own; who only reads sees all up to its own."""
        for before, followers in self.edges.items():
            for after, (kind, about) in followers.items():
                first, second = self.transactions[before], self.transactions[after]
                if first.at is None or second.at is None:
                    continue
                if first.at > second.at or (first.at == second.at and (kind == "rw" or second.writes())):
                    raise Violation(f"{kind} of {about} goes back in time:\n  {first}\n  {second}")

    def check_cycles(self):
        for part in self.components():
            if len(part) > 1:
                cycle = self.cycle_in(part)
                lines = [f"  {self.transactions[before]}\n    {self.edges[before][after][0]} of {self.edges[before][after][1]}"
                         for before, after in zip(cycle, cycle[1:] + cycle[:1])]
                raise Violation("a cycle:\n" + "\n".join(lines))

    def components(self):
        """The strongly connected ones, by Tarjan, without recursion."""
        index, low, on_stack, stack, found = {}, {}, set(), [], []
        for root in list(self.edges):
            if root in index:
                continue
            path = [(root, iter(self.edges[root]))]
            index[root] = low[root] = len(index)
            stack.append(root)
            on_stack.add(root)
            while path:
                node, followers = path[-1]
                after = next(followers, None)
                if after is None:
                    path.pop()
                    if path:
                        low[path[-1][0]] = min(low[path[-1][0]], low[node])
                    if low[node] == index[node]:
                        part = []
                        while not part or part[-1] != node:
                            part.append(stack.pop())
                            on_stack.discard(part[-1])
                        found.append(part)
                elif after not in index:
                    index[after] = low[after] = len(index)
                    stack.append(after)
                    on_stack.add(after)
                    path.append((after, iter(self.edges.get(after, ()))))
                elif after in on_stack:
                    low[node] = min(low[node], index[after])
        return found

    def cycle_in(self, part):
        """A shortest one through its first transaction."""
        start, inside = part[0], set(part)
        came_from, row = {}, [start]
        while row:
            following = []
            for node in row:
                for after in self.edges.get(node, ()):
                    if after == start:
                        cycle = [node]
                        while cycle[-1] != start:
                            cycle.append(came_from[cycle[-1]])
                        return cycle[::-1]
                    if after in inside and after not in came_from:
                        came_from[after] = node
                        following.append(after)
            row = following
        raise AssertionError("a strongly connected part has a cycle")

    def counts(self):
        counts = defaultdict(int)
        for followers in self.edges.values():
            for kind, _ in followers.values():
                counts[kind] += 1
        return dict(counts)
