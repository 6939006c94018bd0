"""A seeded run of the law over HTTP: requests through every dialect at once, and after each step every way of reading them
beside the model. `./dev law` runs it; a difference is cut to the steps that show it."""

import argparse
import concurrent.futures
import copy
import dataclasses
import json
import os
import pathlib
import sys
import tempfile

import centrali
import check
import cosmos
import fauna
import native
from check import Difference, expect, now_of
from edits import apply
from model import NEVER, SECOND
from places import all_places, default_of, kept_span, model_of, partition_key, stamp_of
from service import Service
from shrink import shrink
from stream import check_stream
from transfer import check_transfer
from wire import Gone, parse_time, render_time
import workload
from workload import DIALECTS, plan, resolve

# No pass of Kuzzle's garbage collector within a run.
FLAGS = ["--kuzzle-services-garbageCollector-cleanInterval", "31536000000", "--cache-mib", "8"]


class Run:
    def __init__(self, planned, show=False):
        self.plan, self.show = planned, show
        self.places = {name: place for name, place in all_places().items() if name in planned["names"]}
        self.models, self.number, self.latest = {}, 0, 0

    def go(self):
        with tempfile.TemporaryDirectory(prefix="mayfly-law-") as folder:
            data = os.path.join(folder, "data") if self.plan["restarts"] else ":memory:"
            with Service(*FLAGS, *paused(self.plan["paused"]), data=data) as self.service:
                self.make_places()
                for step in self.plan["steps"]:
                    self.number += 1
                    self.do(step)
                for c in self.models.values():
                    check.check(self.service, c, self.places[c.name].ids, self.number, "all")
                    check.check_feed(self.service, c)
                    check.check_purges(self.service, c)
                check_stream(self.service, self.models, self.since)
                for c in self.models.values() if self.plan.get("transfers") else ():
                    check_transfer(self.service, c, self.places[c.name])

    def make_places(self):
        service = self.service
        service.must("PUT", native.DATABASE)
        for name, place in self.places.items():
            if place.maker == "native":
                indexes = [{"name": "u", "fields": [{"path": "u"}], "unique": True}]
                service.must("PUT", native.path(name), {"indexes": indexes})
            elif place.maker == "cosmos":
                made(service.cosmos("POST", "/dbs/law/colls", {"id": name, **partition_key(place)},
                                    {} if place.partitions else {"x-ms-version": "2015-12-16"}))
            elif place.maker == "kuzzle":
                made(service.kuzzle("PUT", f"/law/{name}", {}))
            elif place.maker == "fauna":
                made(fauna.make(service, name, self.plan["definition"]))
            else:
                made(service.centrali("POST", f"{centrali.BASE}/structures", {"name": name, "slug": name}))
            first = {**self.plan["first"][name], "keep_purges_for": "forever"}
            shown = service.must("PATCH", native.path(name), first)
            self.models[name] = model_of(place, shown, now_of(service), counts_seconds(place))
        self.since = now_of(service)

    def do(self, step):
        if self.show:
            print(f"{self.number:4} {render_time(now_of(self.service))} {json.dumps(step)}", flush=True)
        touched = getattr(self, f"do_{step['do']}")(step)
        now = now_of(self.service)
        if now < self.latest:
            raise Difference(f"time went back from {render_time(self.latest)} to {render_time(now)}")
        self.latest = now
        for name in touched if touched is not None else self.models:
            check.check(self.service, self.models[name], self.places[name].ids, self.number, step.get("by"))

    # --- steps ---

    def do_ask(self, step):
        name, dialect = step["in"], DIALECTS[step["by"]]
        if name not in self.models:
            return []
        before = now_of(self.service)
        op = resolve(step["op"], before)
        living = self.models[name].living(before)
        outcomes = dialect.send(self.service, name, op)
        after = now_of(self.service)
        # What searches in its commit searches again, a microsecond later, where something dies at that.
        edits, is_atomic = dialect.edits(op, living, before + 1)
        for commit in range(before + 2, min(after, before + 4) + 1):
            found, _ = dialect.edits(op, living, commit)
            if len(edits) > len(found) == len(outcomes):
                edits = found
        if self.places[name].maker == "cosmos":
            edits = [said_by_body(edit) for edit in edits]
        self.judge(name, edits, is_atomic, outcomes, before, after)
        return [name]

    def judge(self, name, edits, is_atomic, outcomes, before, after):
        c = self.models[name]
        seen = native.state(self.service, name)
        removed = {key: at for at, key, _ in native.trash(self.service, name) if before < at <= after}
        if any(edit.kind == "release" for edit in edits):  # what has died under its hold ends at once, and not in every trash
            told = [(each["id"], parse_time(each["committed_at"])) for each in native.feed(self.service, name)
                    if each["kind"] == "replaced"]
            removed |= {key: at for key, at in told if before < at <= after}
        # Besides: what was read had died by the commit, so that all was asked for again; and, of several that are done in
        # one commit, a refusal of one had to hold at that.
        last = max(after, before + 1)
        ways = [(last, 1, True), (before + 1, 1, True), (last, 0, True)]
        ways += [(last, 1, False), (last, 0, False)] if len(edits) > 1 and not is_atomic else []
        attempts = [self.attempt(c, edits, is_atomic, seen, removed, (before, *way)) for way in dict.fromkeys(ways)]
        # Of several, who is gone again may have been written first; and all may be refused at the one now of their request.
        if len(edits) > 1 and not is_atomic:
            attempts[1:1] = [self.attempt(c, edits, is_atomic, seen, removed, (before, before + 1, 1, True), last=last),
                             self.attempt(c, edits, is_atomic, seen, removed, (before, last, 1, True), has_one_now=True)]
        for trial, wanted in attempts:
            if agree(outcomes, wanted, is_atomic):
                self.models[name] = trial
                return
        raise Difference(f"{name}: the answers are {outcomes}, by the law {attempts[0][1]}")

    # A refusal holds at the now of its request, a write at its commit: what ends between the two is asked for again.
    def attempt(self, c, edits, is_atomic, seen, removed, times, last=None, has_one_now=False):
        before, at, late, is_judged_at_now = times
        trial, wanted, now = copy.deepcopy(c), [], before
        if is_atomic:
            refused = apply_all(copy.deepcopy(c), edits, before)
            if refused and refused[-1] != "ok":
                return trial, refused
        for edit in edits:
            row = seen.get(edit.id)
            written_at = parse_time(row["written_at"]) if row else 0
            gone_at = removed.get(edit.id, at) if edit.kind in ("remove", "release") else at
            commit = written_at if before < written_at <= (last or at) else gone_at
            shown = (row["expires_at"] and parse_time(row["expires_at"]), row["lifetime"]) if row else None
            outcome = "ok" if is_atomic or not is_judged_at_now else apply(copy.deepcopy(trial), edit, now, now)
            wanted.append(apply(trial, edit, commit - late, commit, shown, before) if outcome == "ok" else outcome)
            if is_atomic and wanted[-1] != "ok":
                return copy.deepcopy(c), wanted
            now = commit if wanted[-1] == "ok" and not has_one_now else now
        return trial, wanted

    def do_clock(self, step):
        now = now_of(self.service)
        if "on" in step:
            to = now + step["on"]
        else:
            ends = sorted({end for c in self.models.values() for end in c.ends() if end > now})
            if not ends:
                return []
            to = ends[min(step["end"], len(ends) - 1)] + step["offset"]
        if to <= now or to - now > 200 * 86400 * SECOND:
            return []
        told = parse_time(self.service.must("POST", "/v1/clock", {"set": render_time(to)})["now"])
        expect("the clock", told, max(to, told if told - to < 1000 else to))
        if not self.is_paused():
            self.service.must("POST", "/v1/sweeper/run")
        return None

    def is_paused(self):
        return self.service.must("GET", "/v1/sweeper").get("paused", False)

    def do_sweep(self, step):
        self.service.must("POST", "/v1/sweeper/run")

    def do_pause(self, step):
        self.service.must("POST", "/v1/sweeper/pause")
        return []

    def do_resume(self, step):
        self.service.must("POST", "/v1/sweeper/resume")
        self.service.must("POST", "/v1/sweeper/run")

    def do_restart(self, step):
        getattr(self.service, step["how"])()
        self.service.flags = FLAGS + paused(step["paused"])
        self.service.start()

    def do_policy(self, step):
        if step["in"] not in self.models:
            return []
        c, name = self.models[step["in"]], step["in"]
        before = now_of(self.service)
        answer, change = getattr(self, f"policy_by_{step['by']}")(name, c, step)
        after = max(now_of(self.service), before + 1)
        if change is None:
            expect(f"{name}: the answer to a policy that cannot be", answer.status, 400)
            return [name]
        if answer.status >= 300:
            raise Difference(f"{name}: {step} was answered {answer}")
        # What fills indexes and is recorded meanwhile are commits, too.
        changed_at = parse_time(native.policy(self.service, name)["changed_at"])
        if before < changed_at <= after:
            c.change(changed_at, **change)
        check.check(self.service, c, self.places[name].ids, self.number, step["by"])
        return []

    def policy_by_native(self, name, c, step):
        (what, value), = step["change"].items()
        answer = self.service.native("PATCH", native.path(name), step["change"])
        becomes = {"expire_to_trash": c.to_trash[-1][1], "keep_trash_for": c.trash.span(), **step["change"]}
        if becomes["expire_to_trash"] and becomes["keep_trash_for"] == 0:
            return answer, None
        law = {"default_ttl": ("default_ttl", default_of), "stamp_ttl": ("stamp", stamp_of),
               "writers_may_set_ttl": ("writers_may", bool), "keep_trash_for": ("trash", kept_span),
               "expire_to_trash": ("expire_to_trash", bool)}[what]
        value = law[1](value)
        if what == "default_ttl" and value == c.timeline[-1][1]:
            return answer, {}
        return answer, {law[0]: value}

    def policy_by_cosmos(self, name, c, step):
        default = {None: None, -1: "never"}.get(step["default"], (step["default"] or 0) * SECOND)
        answer = cosmos.replace_definition(self.service, name, step["default"])
        return answer, {} if default == c.timeline[-1][1] else {"default_ttl": default}

    def policy_by_kuzzle(self, name, c, step):
        return self.service.kuzzle("PUT", f"/law/{name}", {"properties": {"n": {"type": "integer"}}}), {}

    def policy_by_centrali(self, name, c, step):
        answer = self.service.centrali("PATCH", f"{centrali.BASE}/structures/{name}", {"defaultTtlSeconds": step["default"]})
        return answer, {"stamp": (step["default"] * SECOND, "creation")}


def said_by_body(edit):
    """In a container the member `ttl` of a body says the lifetime, whoever writes it, unless the request says one."""
    if not edit.body or "ttl" not in edit.body:
        return edit
    body = {name: value for name, value in edit.body.items() if name != "ttl"}
    ttl = edit.body["ttl"]
    if edit.lifetime is not None:  # which the body may say, too
        return dataclasses.replace(edit, body=body, is_asked=True, says_ttl=-1 if (edit.lifetime, ttl) == (NEVER, -1) else None)
    return dataclasses.replace(edit, body=body, says_ttl=ttl, lifetime=NEVER if ttl == -1 else ("after", ttl * SECOND))


def apply_all(trial, edits, now):
    """The outcome of each until one fails."""
    wanted = []
    for edit in edits:  # each finds what those before it have done
        wanted.append(apply(trial, edit, now, now))
        if wanted[-1] != "ok":
            break
    return wanted


def counts_seconds(place):
    """Cosmos DB counts from the second of the write, all others from its microsecond."""
    return place.maker == "cosmos" or not workload.is_mended("4.2")


def agree(outcomes, wanted, is_atomic):
    if is_atomic and outcomes and wanted and outcomes[-1] != "ok":
        # Only the first that fails is told, and by a list of reasons not always which.
        return wanted[-1] != "ok" and outcomes[-1] == wanted[-1]
    return len(outcomes) == len(wanted) and all(
        (told == law) or (told == "failed" and law != "ok") for told, law in zip(outcomes, wanted))


def made(answer):
    if answer.status >= 300:
        raise RuntimeError(repr(answer))


def paused(is_paused):
    return ["--sweeper-paused"] if is_paused else []


def failure_of(planned, show=False):
    """What goes wrong in a run; None where nothing does."""
    run = Run(planned, show)
    try:
        run.go()
    except Difference as difference:
        return f"step {run.number}: {difference}"
    except (AssertionError, Gone, OSError, RuntimeError, KeyError, TypeError) as error:
        said = run.service.said()[-2000:] if hasattr(run, "service") and not run.service.errors.closed else ""
        return f"step {run.number}: {type(error).__name__} {error} {said}"
    return None


def run_seed(seed, steps, known, tried, cut=True):
    workload.KNOWN, workload.TRIED = known, tried
    planned, before = plan(seed, steps), check.Counted.comparisons
    failure = failure_of(planned)
    comparisons = check.Counted.comparisons - before
    if failure is None:
        return seed, comparisons, None, None
    small, last = shrink(planned, failure, failure_of) if cut else (planned, failure)
    return seed, comparisons, last, small


# How the server and the collections begin, then a step each line.
def script_of(planned):
    lines = [{**planned, "steps": []}, *planned["steps"]]
    return "\n".join(json.dumps(each) for each in lines)


def read_script(path):
    with open(path, encoding="utf-8") as file:
        first, *steps = [json.loads(line) for line in file if line.strip()]
    return {**first, "steps": steps}


def main():
    parser = argparse.ArgumentParser(prog="./dev law", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, default=1, help="how many")
    parser.add_argument("--steps", type=int, default=80)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--show", action="store_true", help="print the steps of one seed as they happen")
    parser.add_argument("--uncut", action="store_true", help="do not cut what fails to a short script")
    parser.add_argument("--with", dest="fault", help="try one row of the list of faults (workload.py), and none of the others")
    parser.add_argument("--faults", action="store_true", help="run the short script of each fault that was found before")
    parser.add_argument("--script", help="run the steps of a file that a difference printed")
    options = parser.parse_args()
    if options.fault:
        workload.KNOWN = set(workload.STEPS) - {options.fault}
        workload.TRIED = {options.fault}
    if options.faults:
        return run_faults()
    if options.script or options.show:
        planned = read_script(options.script) if options.script else plan(options.seed, options.steps)
        failure = failure_of(planned, show=True)
        print(failure or "no difference")
        return 1 if failure else 0
    return run_seeds(options)


def run_faults():
    """A script each, which differed once. What is known may differ still; where it does not, its row can leave KNOWN."""
    found = 0
    for path in sorted((pathlib.Path(__file__).parent / "faults").glob("*.script")):
        row, known = path.stem, workload.KNOWN
        workload.KNOWN = known - {row}
        failure = failure_of(read_script(path))
        workload.KNOWN = known
        found += failure is not None and row not in known
        print(f"{row:8} {'known: ' if row in known else ''}{failure or 'no difference'}", flush=True)
    return 1 if found else 0


def run_seeds(options):
    found = comparisons = 0
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        asked = [pool.submit(run_seed, seed, options.steps, workload.KNOWN, workload.TRIED, not options.uncut)
                 for seed in range(options.seed, options.seed + options.seeds)]
        for future in concurrent.futures.as_completed(asked):
            seed, compared, failure, planned = future.result()
            comparisons += compared
            if failure is None:
                continue
            found += 1
            print(f"seed {seed}: {failure}")
            if not options.uncut:
                print(script_of(planned), flush=True)
    print(f"{options.seeds} seeds of {options.steps} steps, {comparisons} comparisons: {found} differ from the law")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
