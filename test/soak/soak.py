"""Webhooks that fail while the server is killed again and again, and while days pass on the virtual clock: every creation and
every death arrives at each of them, a death never before its creation; what was taken before a quiet moment does not arrive again.

`./dev soak [--kills N] [--records N] [--seed S]`; with `--outage MINUTES` a message broker that is away, instead (outage.py)."""

import argparse
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
from outage import Outage  # noqa: E402
from receiver import Receiver  # noqa: E402
from server import Server  # noqa: E402

KEY = {"authorization": "Bearer key"}
HOME = "/data/workspace/acme/api/v1"
TTL = 3_600
HOOKS = ("/one", "/two", "/three", "/native")
FAILS = 0.3
KILL_AFTER = 60     # at most so many messages, and …
SOON = 1            # … so many seconds after a start; or once none has come for as long
PATIENCE = 60       # seconds, for all to arrive once nothing fails


class Soak:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.receiver = Receiver(options.seed, FAILS)
        self.records = []  # that die
        self.living = []
        self.kills = 0

    def run(self):
        with Server("--webhooks-allow-private") as server:
            self.server = server
            self.subscribe()
            first = self.options.kills // 2
            for n in range(first):
                self.write(self.options.records // first + 1)
                self.kill(leap=400)
            server.advance(TTL)
            for _ in range(self.options.kills - first):
                self.kill(leap=40_000)
            self.receiver.fails = 0
            self.settle()
        self.receiver.close()
        return self.check()

    def subscribe(self):
        self.server.must("POST", f"{HOME}/structures", {"name": "S"}, KEY)
        for hook in HOOKS[:-1]:
            self.server.must("POST", f"{HOME}/webhook-subscriptions", {"url": self.receiver.url + hook}, KEY)
        native = {"target": {"webhook": {"url": self.receiver.url + HOOKS[-1]}}, "kinds": ["created", "expired"], "attempts_max": 100}
        self.server.must("POST", "/v1/databases/acme/subscriptions", native, KEY)

    def write(self, count):
        """One by one, some of which are changed; and several in one commit."""
        for n in range(count):
            body = {"structureId": "s", "data": {"n": n}}
            made = self.server.must("POST", f"{HOME}/records?ttlSeconds={TTL}", body, KEY).json["id"]
            self.records.append(made)
            if self.random.random() < 0.2:
                self.server.must("PATCH", f"{HOME}/records/{made}", {"data": {"n": -1}}, KEY)
        if self.random.random() < 0.5:
            bulk = {"records": [{"n": n} for n in range(20)]}
            made = self.server.must("POST", f"{HOME}/records/slug/s/bulk", bulk, KEY).json
            self.living += [record["id"] for record in made["data"]]

    def kill(self, leap):
        self.kills += 1
        before = self.receiver.count
        if self.kills % 2:
            after = self.random.randrange(KILL_AFTER)
            self.receiver.wait_for(lambda: self.receiver.count >= before + after, SOON)
        else:
            while self.receiver.wait_for(lambda count=before: self.receiver.count > count, SOON):
                before = self.receiver.count
            self.receiver.settle()
        self.server.kill()
        self.receiver.drain()
        self.server.start()
        self.server.advance(leap)

    def settle(self):
        """Messages that were refused wait for hours: they pass."""
        for _ in range(PATIENCE):
            if self.receiver.wait_for(self.is_all_there, SOON):
                return
            self.server.advance(40_000)

    def is_all_there(self):
        return all(not self.missing(hook) for hook in HOOKS)

    def missing(self, hook):
        taken = {(event, record) for event, record, _ in self.receiver.taken[hook]}
        wanted = {(event, record) for event in ("record_created", "record_expired") for record in self.records}
        wanted |= {("record_created", record) for record in self.living}
        return wanted - taken

    def check(self):
        """What is wrong, a line each."""
        wrong = []
        for hook in HOOKS:
            taken, missing = self.receiver.taken[hook], self.missing(hook)
            if missing:
                wrong.append(f"{hook}: {len(missing)} never arrived, as {sorted(missing)[:3]}")
            first = {}
            for place, (event, record, _) in enumerate(taken):
                first.setdefault((event, record), place)
            early = [record for record in self.records
                     if first.get(("record_expired", record), 1 << 60) < first.get(("record_created", record), 0)]
            if early:
                wrong.append(f"{hook}: {len(early)} died before they were created, as {early[:3]}")
            print(f"{hook}: {len(taken)} taken, {len(taken) - len(set(taken))} of them again")
            again = self.receiver.again[hook]
            if again:
                wrong.append(f"{hook}: {len(again)} came again though what became of them was written down, as {again[:3]}")
        return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--kills", type=int, default=18)
    parser.add_argument("--records", type=int, default=240)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--outage", type=float, default=0, metavar="MINUTES", help="a message broker that is away, instead")
    options = parser.parse_args()
    if options.outage:
        outage = Outage(options.outage)
        wrong = outage.run()
        print(f"{outage.written} documents: {'; '.join(wrong) or 'each message is stored once'}")
        return 1 if wrong else 0
    soak = Soak(options)
    wrong = soak.run()
    for line in wrong:
        print(line)
    print(f"{len(soak.records)} records, {options.kills} kills, {soak.receiver.count} attempts: {'WRONG' if wrong else 'all arrived'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
