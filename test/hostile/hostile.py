"""Hostile clients against a live server, while a prober looks at what others get on every port.

`./dev hostile` measures and prints a table; with --short (as ctest runs it) statuses, survival and counted bounds
decide, and no time."""

import argparse
import pathlib
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "law"))
from attacks import ATTACKS  # noqa: E402
from clients import MIB, THINGS  # noqa: E402
from prober import PROBE, Prober  # noqa: E402
from service import Service  # noqa: E402

# Goals.
WAIT_MAX = 1.0             # seconds that anybody else waits
RESIDENT_MAX = 512 * MIB
END_MAX = 17.0             # seconds from SIGTERM to the end: the drain of ten, five for what does not stop, and some
REQUEST_SECONDS = 30       # the default
REQUEST_SECONDS_SHORT = 5
SECONDS_PER_ANSWER = 10    # in short: each lane is answered once in as long, however busy the machine is


def prepare(service, has_admin):
    """What everybody uses; gives the token with which Kuzzle answers the prober."""
    must = service.must
    must("PUT", "/v1/databases/mine")
    for name in ("things", "probe", "heard"):
        must("PUT", f"/v1/databases/mine/collections/{name}", {})
    must("PUT", f"{PROBE}/documents/p", {"n": 1})
    numbers = [n * 7 % 250_000 for n in range(250_000)]
    for name, body in (("wide", {"many": list(range(100)), "text": "a" * 10_000}),
                       ("long", {"text": "a" * 1_000_000, "half": "a" * 500_000}),
                       ("numbers", {"numbers": numbers[:120_000], "more": [n + 300_000 for n in range(120_000)]})):
        must("PUT", f"{THINGS}/documents/{name}", body)
    if not has_admin:
        return ""
    admin = {"username": "boss", "password": "a secret of the boss"}
    made = service.kuzzle("POST", "/boss/_createFirstAdmin?reset=1", {"content": {"name": "boss"}, "credentials": {"local": admin}})
    assert made.status == 200, repr(made)
    return service.kuzzle("POST", "/_login/local", admin).json["result"]["jwt"]


class Outcome:
    def __init__(self, attack):
        self.attack, self.problems = attack, []
        self.statuses, self.seen, self.resident, self.seconds, self.ended = [], {}, 0, 0.0, None

    def longest(self):
        return max((longest, name) for name, (longest, _, _) in self.seen.items())

    def is_slow(self):
        return self.longest()[0] > WAIT_MAX

    def row(self):
        statuses = " ".join(f"{self.statuses.count(status)}x{status}" for status in sorted(set(self.statuses)))
        longest, lane = self.longest()
        ended = "-" if self.ended is None else f"{self.ended:.1f} s"
        probes = sum(count for _, count, _ in self.seen.values())
        return (f"{self.attack.row:5} {self.attack.name:32} {statuses:36} {self.seconds:6.1f} s {probes:6} {longest:7.2f} s {lane:13}"
                f" {self.resident / MIB:6.0f} MiB {ended:>8}")


HEAD = (f"{'row':5} {'attack':32} {'answers':36} {'lasted':>8} {'probes':>6} {'longest':>9} {'on':13} {'resident':>10} {'SIGTERM':>8}")


def run(attack, is_short):
    outcome = Outcome(attack)
    seconds = REQUEST_SECONDS_SHORT if is_short else REQUEST_SECONDS
    with Service("--cache-mib", "16", data=None, clock="system", request_seconds=seconds) as service:
        service.is_short = is_short
        token = prepare(service, attack.has_admin)
        prober = Prober(service, token)
        began = time.monotonic()
        try:
            outcome.statuses = attack.run(service)
        except Exception as error:  # noqa: BLE001: the server has ended it, or an attack is wrong
            outcome.problems.append(f"the attack itself ended: {error!r}"[:300])
        finally:
            outcome.seconds = time.monotonic() - began
            outcome.seen = prober.end()
        judge(outcome, service, is_short)
        if service.is_running():
            end(outcome, service, is_short)
        if attack.restarts:
            start_again(outcome, service)
    return outcome


def judge(outcome, service, is_short):
    attack, problems = outcome.attack, outcome.problems
    odd = sorted(set(outcome.statuses) - attack.allowed)
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
    for name, (longest, count, wrong) in outcome.seen.items():
        if wrong:
            problems.append(f"{name}: others were answered {sorted(set(wrong))[:3]} ({len(wrong)} of {count})")
        if count < max(1, outcome.seconds / SECONDS_PER_ANSWER):
            problems.append(f"{name}: others were answered {count} times in {outcome.seconds:.0f} s")
        if longest > WAIT_MAX and not is_short:
            problems.append(f"{name}: others waited {longest:.1f} s")


def end(outcome, service, is_short):
    """SIGTERM amid the attack; in short only where that is asked."""
    if outcome.attack.ends_amid or not is_short:
        threading.Thread(target=run_until_it_ends, args=(outcome.attack, service), daemon=True).start()
        time.sleep(0.5)
    began = time.monotonic()
    try:
        service.end(signal.SIGTERM)
        outcome.ended = time.monotonic() - began
        if outcome.ended > END_MAX and not is_short:
            outcome.problems.append(f"it took {outcome.ended:.1f} s to end")
    except subprocess.TimeoutExpired:
        outcome.problems.append(f"it had not ended {time.monotonic() - began:.0f} s after SIGTERM")
        service.process.kill()
        service.process.wait()


def run_until_it_ends(attack, service):
    try:
        attack.run(service)
    except Exception:  # noqa: BLE001: its server is gone
        pass


def start_again(outcome, service):
    try:
        service.start()
        if service.must("GET", f"{PROBE}/documents/p")["data"] != {"n": 1}:
            outcome.problems.append("after a start others' data is not there")
        service.stop()
    except Exception as error:  # noqa: BLE001
        outcome.problems.append(f"it does not start again: {error}")


def main():
    parser = argparse.ArgumentParser(prog="./dev hostile", description=__doc__)
    parser.add_argument("--short", action="store_true", help="statuses, survival, memory and counts; no time")
    parser.add_argument("--only", default="", help="rows, with commas between them")
    parser.add_argument("--once", action="store_true", help="do not try again what made others wait")
    options = parser.parse_args()
    rows = [row for row in options.only.split(",") if row]
    failed = False
    print(HEAD)
    for attack in ATTACKS:
        if (rows and attack.row not in rows) or (options.short and attack.is_long):
            continue
        outcome = run(attack, options.short)
        if not options.short and not options.once and outcome.is_slow():
            print(f"{outcome.row()}  once more", flush=True)
            outcome = run(attack, options.short)
        print(outcome.row(), flush=True)
        for problem in outcome.problems:
            failed = True
            print(f"      {problem}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
