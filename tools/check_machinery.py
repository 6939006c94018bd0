#!/usr/bin/env python3
"""Refuses threads, locks, timers and caches below src/dialect/ but those that ALLOWED names with a reason: a dialect translates,
and keeps no engine of its own (docs/decisions/0025).

usage: check_machinery.py [ROOT]
"""

import re
import sys
from pathlib import Path

import cplusplus

KINDS = {
    "thread": re.compile(r"\bstd::(?:jthread|async)\b|\bstd::thread\b(?!::)"),
    "lock": re.compile(r"\bstd::(?:shared_|recursive_|timed_)?mutex\s*(?:&\s*)?\w+|\bstd::once_flag\b"),
    "wait": re.compile(r"\bstd::condition_variable(?:_any)?\b|\bsteady_timer\b"),
    "cache": re.compile(r"\bthread_local\b|\b\w*cache_?\b(?=\s*[;{=])"),
}
DIALECTS = "src/dialect"

# file -> (what it may have, why)
ALLOWED = {
    "centrali/functions/functions.h": ("lock", "which runs are under way, in the threads of requests and of script::Runner"),
    "centrali/structures/directory.h": ("lock", "the structures of the catalog, decoded once for each catalog"),
    "centrali/triggers/schedules/schedules.h": ("lock", "changes of triggers and ends of runs, until the job has seen them"),
    "common/events/follow.h": ("lock", "subscribers arrive on the threads of connections"),
    "cosmos/attachments/collector.h": ("lock", "one pass at a time, by the job or by a test"),
    "cosmos/containers/container.h": ("lock", "the definitions of the catalog, decoded once for each catalog"),
    "cosmos/headers/http_date.cc": ("cache", "the text of the current second"),
    "fauna/auth/access.cc": ("lock", "one password is hashed at a time, whichever query asks"),
    "fauna/schema/cache.h": ("lock", "what is read of schemas, by their version, which many queries share"),
    "fauna/schema/cache.cc": ("lock", "the same"),
    "fauna/schema/apply.cc": ("lock", "one schema is applied at a time: an earlier one would undo a later one"),
    "kuzzle/trash/collector.h": ("lock", "one pass at a time, by the job or by a request that shows a trashcan"),
    "kuzzle/documents/exports/exports.cc": ("lock", "places of exports are taken and left on the threads of connections and workers"),
    "kuzzle/security/rights/grants.h": ("lock", "the rights of open subscriptions, which are nowhere else"),
    "kuzzle/mappings/learnt_fields.h": ("lock", "fields that writes have learnt, until a job has committed them"),
    "kuzzle/realtime/delivery/held_answers.h": ("lock", "answers of open connections that wait for their own notifications"),
    "kuzzle/realtime/realtime.cc": ("lock", "one run at a time, by the job or by a test"),
    "kuzzle/realtime/state.h": ("lock", "the rooms of open connections, which are nowhere else"),
    "kuzzle/collections/refreshes.h": ("lock", "which writes searches find: a state of this process"),
    "kuzzle/search/scrolls.h": ("lock", "open scrolls, which the protocol keeps on the server"),
    "kuzzle/security/rights/admins.h": ("lock", "whether there is an administrator, asked by every request"),
    "kuzzle/server/statistics.h": ("lock", "counts of requests"),
    "native/call.h": ("lock", "one move of the clock and one backup at a time"),
}


def is_test(path):
    return path.stem.endswith("_test") or path.stem.endswith("testing") or path.name == "fake_stream.h"


def check(root):
    problems, used = [], set()
    folder = Path(root) / DIALECTS
    for path in cplusplus.files(root, DIALECTS):
        if is_test(path):
            continue
        name = path.relative_to(folder).as_posix()
        allowed, _ = ALLOWED.get(name, ("", ""))
        code = cplusplus.code_only(path.read_text())
        for number, line in enumerate(code.split("\n"), 1):
            for kind, pattern in KINDS.items():
                if not pattern.search(line):
                    continue
                used.add((name, kind))
                if kind not in allowed.split():
                    problems.append(f"{DIALECTS}/{name}:{number}: a {kind} of a dialect: use a job, a follower or a table of db/, "
                                    "or give the reason in tools/check_machinery.py")
    for name, (allowed, _) in ALLOWED.items():
        if not (folder / name).exists():
            if folder.exists() and (folder / "native").exists():
                problems.append(f"tools/check_machinery.py: there is no {DIALECTS}/{name}")
            continue
        problems += [f"tools/check_machinery.py: {DIALECTS}/{name} has no {kind} any more"
                     for kind in allowed.split() if (name, kind) not in used]
    return problems


if __name__ == "__main__":
    here = Path(__file__).resolve().parent.parent
    sys.exit(cplusplus.report(check(Path(sys.argv[1]) if len(sys.argv) > 1 else here)))
