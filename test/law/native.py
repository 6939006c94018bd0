"""The native API: what it is asked to do, what that is in the law's words, and every way in which it shows documents."""

import json

from edits import Edit
from model import INHERIT, NEVER, SECOND
from places import id_of, key_of, partition_of
from service import quote
from wire import parse_time, render_time

DATABASE = "/v1/databases/law"
OUTCOMES = {403: "refused", 404: "absent", 409: "taken", 412: "stale"}
WRITES = ("create", "put", "patch", "touch")


def path(place):
    return f"{DATABASE}/collections/{place}"


def outcome(answer):
    return "ok" if answer.status < 300 else OUTCOMES.get(answer.status, f"{answer}")


# A lifetime as the workload says it: None, "never", "inherit", ["ttl", seconds] or ["expires_at", instant].
def lifetime(asked):
    if asked in (None, "never", "inherit"):
        return {None: None, "never": NEVER, "inherit": INHERIT}[asked]
    return ("span", asked[1] * SECOND) if asked[0] == "ttl" else ("at", asked[1])


def members(asked):
    """The same as members of an operation."""
    if asked in (None, "never", "inherit"):
        return {} if asked is None else {asked: True}
    return {asked[0]: asked[1] if asked[0] == "ttl" else render_time(asked[1])}


def query(op, **more):
    """The parameters of a request: its lifetime, its document's partition where it names one, and others."""
    named = {**members(op.get("life")), **more}
    if op.get("named", True) and partition_of(op["id"]):
        named["partition"] = quote(json.dumps([partition_of(op["id"])]))
    text = "&".join(f"{name}={str(value).lower() if value is True else value}" for name, value in named.items())
    return f"?{text}" if text else ""


def edit(op, key=None, body=None):
    key, body, do = key or op.get("id"), body or op.get("body"), op["do"]
    given = {"lifetime": lifetime(op.get("life")), "is_stale": op.get("stale", False)}
    if do in ("create", "put", "patch"):
        expect = {"create": "absent", "put": "any", "patch": "present"}[do]
        # A condition on a document that is not there finds nothing.
        return Edit("write", key, body, merges=do == "patch", expect="present" if op.get("stale") else expect, **given)
    if do in ("remove", "touch", "restore"):
        return Edit(do, key, is_final=op.get("final", False), is_by_id=not op.get("named", True), **given)
    return Edit(do, key)


def edits(op, living, commit):
    if op["do"] == "transaction":
        return [edit(each) for each in op["ops"]], True
    return [edit(op)], False


def send(service, place, op):
    """The outcome of each edit; of a transaction only that of the one that failed."""
    if op["do"] == "transaction":
        operations = []
        for each in op["ops"]:
            one = {"op": each["do"], "collection": place, "id": id_of(each["id"]), **members(each.get("life"))}
            if partition_of(each["id"]):
                one["partition"] = [partition_of(each["id"])]
            if each["do"] not in ("remove", "restore"):
                one["data"] = each["body"]
            if each.get("final"):
                one["final"] = True
            operations.append(one)
        answer = service.native("POST", f"{DATABASE}/transactions", {"operations": operations})
        if answer.status < 300:
            return ["ok"] * len(operations)
        failed = answer.json["error"].get("field", "operations[0]")
        place_of = int(failed.split("[")[1].split("]")[0]) if failed.startswith("operations[") else 0
        return [None] * place_of + [outcome(answer)]
    base, key = path(place), quote(id_of(op["id"]))
    headers = {"if-match": "nonsense"} if op.get("stale") else None
    routes = {
        "create": lambda: ("POST", f"{base}/documents{query(op, id=key)}", op["body"]),
        "put": lambda: ("PUT", f"{base}/documents/{key}{query(op)}", op["body"]),
        "patch": lambda: ("PATCH", f"{base}/documents/{key}{query(op)}", op["body"]),
        "remove": lambda: ("DELETE", f"{base}/documents/{key}{query(op, **({'final': True} if op.get('final') else {}))}", None),
        "touch": lambda: ("POST", f"{base}/documents/{key}/touch{query(op)}", None),
        "hold": lambda: ("PUT", f"{base}/holds/{key}{query(op)}", {"reason": "a case"}),
        "release": lambda: ("DELETE", f"{base}/holds/{key}{query(op)}", None),
        "release_removed": lambda: ("DELETE", f"{base}/holds/{key}{query(op, removed_at=last_held(service, place, op['id']))}", None),
        "restore": lambda: ("POST", f"{base}/trash/{key}/restore{query(op)}", None),
        "forget": lambda: ("DELETE", f"{base}/trash/{key}{query(op)}", None),
    }
    return [outcome(service.native(*routes[op["do"]](), headers=headers))]


def last_held(service, place, key):
    """When the last one of that key was removed that is held in the trash."""
    rows = service.must("GET", f"{path(place)}/trash?limit=1000")["documents"]
    return max((row["removed_at"] for row in rows if "hold" in row and key_of(row["id"], row["data"]) == key),
               default="2001-01-01T00:00:00Z")


def draw(random, place):
    """Any request to one collection."""
    key = random.choice(place.ids)
    do = random.choices(["create", "put", "patch", "remove", "touch", "hold", "release", "release_removed", "restore", "forget",
                         "transaction"], [3, 4, 3, 4, 3, 2, 2, 1, 2, 1, 2])[0]
    if do == "transaction":
        keys = random.sample(place.ids, 2)
        ops = [{"do": random.choice(["create", "put", "patch", "remove", "restore"]), "id": key,
                "body": place.body_with_ttl(random, key), "life": place.life(random)} for key in keys]
        for each in ops:
            if each["do"] in ("remove", "restore"):
                each["life"] = None
        return {"do": do, "ops": ops}
    op = {"do": do, "id": key}
    if do in ("create", "put", "patch"):
        op["body"] = place.body_with_ttl(random, key)
    if do in ("create", "put", "patch", "touch", "restore"):
        op["life"] = place.life(random)
    if do == "remove" and random.random() < 0.2:
        op["final"] = True
    if do in ("patch", "remove", "touch") and random.random() < 0.08:
        op["stale"] = True
    if key in place.single_ids and place.partitions and random.random() < 0.3:
        op["named"] = False
    return op


# --- every way in which it shows documents ---


def pages(service, target):
    """All rows of a list, in pages of two."""
    rows, page = [], None
    while True:
        mark = "&" if "?" in target else "?"
        answer = service.must("GET", f"{target}{mark}limit=2" + (f"&page={quote(page)}" if page else ""))
        rows += answer["documents"]
        page = answer.get("next")
        if not page:
            return rows


def state(service, place):
    """What the list of documents shows, with each document's lifetime: what the model takes over and what it is held to."""
    rows = service.must("GET", f"{path(place)}/documents?lifetime=true&limit=1000")["documents"]
    return {key_of(row["id"], row["data"]): row for row in rows}


def living(service, place, ids):
    """Every read path that shows what lives, each as {id: n}."""
    base = path(place)

    def numbers(rows):
        return {key_of(row["id"], row["data"]): row["data"].get("n") for row in rows}

    yield "list in pages", numbers(pages(service, f"{base}/documents"))
    yield "list sorted by n", numbers(pages(service, f"{base}/documents?sort=n"))
    asked = service.must("POST", f"{base}/query", {"filter": "exists(n) or not exists(n)", "limit": 1000})
    yield "query", numbers(asked["documents"])
    yield "count", service.must("GET", f"{base}/count")["count"]
    shown = {}
    asked = [f"{base}/documents/{quote(id_of(key))}{query({'id': key})}" for key in ids]
    for key, answer in zip(ids, service.get_all("native", asked)):
        if answer.status == 200:
            shown[key] = answer.json["data"].get("n")
        elif answer.status != 404:
            shown[key] = repr(answer)
    yield "point reads", shown


def trash(service, place):
    rows = service.must("GET", f"{path(place)}/trash?limit=1000")["documents"]
    return [(parse_time(row["removed_at"]), key_of(row["id"], row["data"]), row["data"].get("n")) for row in rows]


def holds(service, place):
    rows = service.must("GET", f"{path(place)}/holds?limit=1000")["documents"]
    return {named(row) for row in rows}


def named(row):
    """The key of what is shown without its body."""
    return f"{row['id']}|{row['partition'][0]}" if row.get("partition") else row["id"]


def feed(service, place):
    """All events that are kept."""
    events, after = [], ""
    while True:
        page = service.must("GET", f"{path(place)}/feed?limit=1000{after}")
        events += [{**each, "id": named(each)} for each in page["events"]]
        if not page["has_more"]:
            return events
        after = f"&after={page['last']}"


def policy(service, place):
    return service.must("GET", path(place))
