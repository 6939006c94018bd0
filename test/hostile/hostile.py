"""Hostile clients against a live server, while a prober looks at what others get on every port.

`./dev hostile` measures and prints a table; with --short (as ctest runs it) only statuses, survival and memory count."""

import argparse
import multiprocessing
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "law"))
from attacks import ATTACKS, MIB  # noqa: E402
from service import Line, Service, sign  # noqa: E402

# Goals.
WAIT_MAX = 1.0             # seconds that anybody else waits
RESIDENT_MAX = 512 * MIB
END_MAX = 15.0             # seconds from SIGTERM to the end: the drain of ten, and some
# Attacks whose fault is not mended yet, by row. They are left out, and named; --known runs them, too.
KNOWN = {"2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.8", "2.9", "2.10", "2.11"}


def probe(ports, authorization, stop, results):
    """Every 20 ms a request on each port over its own kept connection: (longest wait, answers, what was wrong)."""
    asked = {"native": ("GET", "/v1/databases/mine/collections/probe/documents/p", {}),
             "health": ("GET", "/health", {}),
             "cosmos": ("GET", "/dbs/mine/colls/probe/docs/p", sign("GET", "/dbs/mine/colls/probe/docs/p")),
             "kuzzle": ("GET", "/mine/probe/p", authorization)}
    lines = {name: Line(ports.get(name, ports["native"])) for name in asked}
    longest, count, wrong = dict.fromkeys(asked, 0.0), 0, []
    while not stop.is_set():
        for name, (method, path, headers) in asked.items():
            began = time.monotonic()
            try:
                status = lines[name].ask(method, path, None, headers).status
            except Exception as error:  # noqa: BLE001: whatever it was, others must not see it
                status = repr(error)
            longest[name] = max(longest[name], time.monotonic() - began)
            count += 1
            if status != 200:
                wrong.append(f"{name}: {status}")
        stop.wait(0.02)
    results.put((longest, count, wrong))


class Prober:
    """A process of its own, so that the attackers' work is not taken for the server's."""

    def __init__(self, service, authorization):
        self.stop, self.results = multiprocessing.Event(), multiprocessing.Queue()
        self.process = multiprocessing.Process(target=probe, args=(service.ports, authorization, self.stop, self.results))
        self.process.start()

    def end(self):
        self.stop.set()
        longest, count, wrong = self.results.get(timeout=300)
        self.process.join()
        return longest, count, wrong


def prepare(service, has_admin):
    """What everybody uses; gives the headers with which Kuzzle answers the prober."""
    must = service.must
    must("PUT", "/v1/databases/mine")
    for name in ("things", "probe"):
        must("PUT", f"/v1/databases/mine/collections/{name}", {})
    must("PUT", "/v1/databases/mine/collections/probe/documents/p", {"n": 1})
    things = "/v1/databases/mine/collections/things/documents"
    must("PUT", f"{things}/wide", {"many": list(range(100)), "text": "a" * 10_000})
    must("PUT", f"{things}/long", {"text": "a" * 1_000_000, "half": "a" * 500_000})
    if not has_admin:
        return {}
    admin = {"username": "boss", "password": "a secret of the boss"}
    made = service.kuzzle("POST", "/boss/_createFirstAdmin?reset=1", {"content": {"name": "boss"}, "credentials": {"local": admin}})
    assert made.status == 200, repr(made)
    token = service.kuzzle("POST", "/_login/local", admin).json["result"]["jwt"]
    return {"authorization": f"Bearer {token}"}


class Outcome:
    def __init__(self, attack):
        self.attack, self.problems = attack, []
        self.statuses, self.longest, self.probes, self.resident, self.ended = [], {}, 0, 0, None

    def row(self):
        statuses = " ".join(f"{count}x{status}" for status, count in
                            sorted({status: self.statuses.count(status) for status in self.statuses}.items()))
        longest = max(self.longest.values(), default=0)
        ended = "-" if self.ended is None else f"{self.ended:.1f} s"
        return f"{self.attack.row:5} {self.attack.name:32} {statuses:28} {longest:8.2f} s {self.resident / MIB:6.0f} MiB {ended:>8}"


def run(attack, is_short):
    outcome = Outcome(attack)
    with Service("--cache-mib", "16", data=None, clock="system", request_seconds=30) as service:
        authorization = prepare(service, attack.has_admin)
        prober = Prober(service, authorization)
        try:
            outcome.statuses = attack.run(service)
        finally:
            outcome.longest, outcome.probes, wrong = prober.end()
        judge(outcome, service, wrong, is_short)
        if service.is_running():
            began = time.monotonic()
            service.end(signal.SIGTERM)
            outcome.ended = time.monotonic() - began
            if not is_short and outcome.ended > END_MAX:
                outcome.problems.append(f"it took {outcome.ended:.1f} s to end")
        if attack.restarts:
            start_again(outcome, service)
    return outcome


def judge(outcome, service, wrong, is_short):
    attack, problems = outcome.attack, outcome.problems
    odd = [status for status in outcome.statuses if status not in attack.allowed]
    if odd:
        problems.append(f"was answered {odd}, not only {sorted(attack.allowed)}")
    if attack.wanted and not attack.wanted & set(outcome.statuses):
        problems.append(f"none of {sorted(attack.wanted)} among {outcome.statuses}")
    if not service.is_running():
        problems.append(f"the process ended: {service.said()[-500:]}")
        return
    outcome.resident = service.resident_bytes()
    if outcome.resident > RESIDENT_MAX:
        problems.append(f"{outcome.resident // MIB} MiB were resident")
    if wrong:
        problems.append(f"others were answered {sorted(set(wrong))[:5]} ({len(wrong)} of {outcome.probes})")
    slow = {name: f"{wait:.1f} s" for name, wait in outcome.longest.items() if wait > WAIT_MAX}
    if slow and not is_short:
        problems.append(f"others waited {slow}")


def start_again(outcome, service):
    try:
        service.start()
        if service.must("GET", "/v1/databases/mine/collections/probe/documents/p")["data"] != {"n": 1}:
            outcome.problems.append("after a start others' data is not there")
        service.stop()
    except Exception as error:  # noqa: BLE001
        outcome.problems.append(f"it does not start again: {error}")


def main():
    parser = argparse.ArgumentParser(prog="./dev hostile", description=__doc__)
    parser.add_argument("--short", action="store_true", help="assert statuses, survival and memory; measure no time")
    parser.add_argument("--only", default="", help="rows, with commas between them")
    parser.add_argument("--known", action="store_true", help="also run what is known to fail")
    options = parser.parse_args()
    rows = [row for row in options.only.split(",") if row]
    failed = False
    print(f"{'row':5} {'attack':32} {'answers':28} {'longest':>10} {'resident':>10} {'SIGTERM':>8}")
    for attack in ATTACKS:
        if rows and attack.row not in rows:
            continue
        if attack.row in KNOWN and not options.known:
            print(f"{attack.row:5} {attack.name:32} left out: it is known to fail")
            continue
        outcome = run(attack, options.short)
        print(outcome.row(), flush=True)
        for problem in outcome.problems:
            failed = True
            print(f"      {problem}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
