"""The Cosmos DB API: signed requests on port 8081, what they are in the law's words, and every way of reading."""

import json

from edits import Edit
from model import NEVER, SECOND
from service import quote

OUTCOMES = {403: "refused", 404: "absent", 409: "taken", 412: "stale"}
QUERY = {"content-type": "application/query+json", "x-ms-documentdb-isquery": "True",
         "x-ms-documentdb-query-enablecrosspartition": "True"}


def path(place):
    return f"/dbs/law/colls/{place}"


def outcome(answer):
    return "ok" if answer.status < 300 else OUTCOMES.get(answer.status, f"{answer}")


def said(op):
    """What the `ttl` of a body says."""
    ttl = op.get("ttl")
    return None if ttl is None else (NEVER if ttl == -1 else ("after", ttl * SECOND))


def edits(op):
    do, key, body = op["do"], op["id"], op.get("body")
    given = {"lifetime": said(op), "says_ttl": op.get("ttl"), "speaks": "cosmos", "is_stale": op.get("stale", False)}
    if do == "remove":
        return [Edit("remove", key, is_stale=op.get("stale", False))], False
    expect = {"create": "absent", "upsert": "any", "replace": "present", "patch": "present"}[do]
    if do == "patch":  # the rest of the body stays, and with it the ttl that it has
        given["speaks"] = "any"
    return [Edit("write", key, body, merges=do == "patch", expect=expect, **given)], False


def send(service, place, op):
    do, key = op["do"], op["id"]
    headers = {"if-match": '"nonsense"'} if op.get("stale") else {}
    item = f"{path(place)}/docs/{quote(key)}"
    body = {"id": key, **op.get("body", {})}
    if op.get("ttl") is not None:
        body["ttl"] = op["ttl"]
    if do == "remove":
        return [outcome(service.cosmos("DELETE", item, headers=headers))]
    if do == "patch":
        changes = [{"op": "set", "path": f"/{name}", "value": value} for name, value in body.items() if name != "id"]
        return [outcome(service.cosmos("PATCH", item, {"operations": changes},
                                       {**headers, "content-type": "application/json_patch+json"}))]
    if do == "replace":
        return [outcome(service.cosmos("PUT", item, body, headers))]
    more = {"x-ms-documentdb-is-upsert": "True"} if do == "upsert" else {}
    return [outcome(service.cosmos("POST", f"{path(place)}/docs", body, more))]


def draw(random, place):
    do = random.choices(["create", "upsert", "replace", "patch", "remove"], [3, 4, 3, 4, 3])[0]
    op = {"do": do, "id": random.choice(place.ids)}
    if do != "remove":
        op["body"] = place.body(random)
        if random.random() < 0.4:
            op["ttl"] = random.choice([-1, 1, 5, 60])
    if do in ("replace", "patch", "remove") and random.random() < 0.08:
        op["stale"] = True
    return op


# --- every way in which it shows documents ---


def pages(service, method, target, name, body=None, headers=None):
    """All rows of a feed or a query, in pages of two."""
    rows, mark = [], None
    while True:
        more = {"x-ms-max-item-count": "2", **({"x-ms-continuation": mark} if mark else {})}
        answer = service.cosmos(method, target, body, {**(headers or {}), **more})
        assert answer.status == 200, f"{method} {target}: {answer}"
        rows += answer.json[name]
        mark = answer.headers.get("x-ms-continuation")
        if not mark:
            return rows


def query(service, place, text):
    return pages(service, "POST", f"{path(place)}/docs", "Documents", json.dumps({"query": text}), QUERY)


def living(service, place, ids):
    def numbers(rows):
        return {row["id"]: row.get("n") for row in rows}

    yield "feed in pages", numbers(pages(service, "GET", f"{path(place)}/docs", "Documents"))
    yield "query", numbers(query(service, place, "SELECT c.id, c.n FROM c"))
    yield "query in an order", numbers(query(service, place, "SELECT c.id, c.n FROM c ORDER BY c.n"))
    yield "count", query(service, place, "SELECT VALUE COUNT(1) FROM c")[0]
    shown = {}
    for key, answer in zip(ids, service.get_all("cosmos", [f"{path(place)}/docs/{quote(key)}" for key in ids])):
        if answer.status == 200:
            shown[key] = answer.json.get("n")
        elif answer.status != 404:
            shown[key] = repr(answer)
    yield "point reads", shown


def shown_ttl(service, place):
    """The `ttl` that each document shows."""
    rows = pages(service, "GET", f"{path(place)}/docs", "Documents")
    return {row["id"]: row["ttl"] for row in rows if "ttl" in row}


def replace_definition(service, place, default):
    """Replaces the container with its own definition but for the default."""
    shown = service.cosmos("GET", path(place)).json
    definition = {name: shown[name] for name in ("id", "partitionKey", "indexingPolicy", "uniqueKeyPolicy") if name in shown}
    if default is not None:
        definition["defaultTtl"] = default
    return service.cosmos("PUT", path(place), definition)
