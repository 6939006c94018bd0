"""The Cosmos DB API: signed requests on port 8081, what they are in the law's words, and every way of reading."""

import json

from edits import Edit
from model import NEVER, SECOND
from places import id_of, key_of, partition_of
from service import quote

OUTCOMES = {400: "invalid", 403: "refused", 404: "absent", 409: "taken", 412: "stale"}
KINDS = {"create": "Create", "upsert": "Upsert", "replace": "Replace", "patch": "Patch", "remove": "Delete"}
QUERY = {"content-type": "application/query+json", "x-ms-documentdb-isquery": "True",
         "x-ms-documentdb-partitionkeyrangeid": "0"}


def path(place):
    return f"/dbs/law/colls/{place}"


def outcome(answer):
    return "ok" if answer.status < 300 else OUTCOMES.get(answer.status, f"{answer}")


def partition_header(key):
    partition = partition_of(key)
    return {"x-ms-documentdb-partitionkey": json.dumps([partition])} if partition else {}


def said(op):
    """What the `ttl` of a body says."""
    ttl = op.get("ttl")
    return None if ttl is None else (NEVER if ttl == -1 else ("after", ttl * SECOND))


def edits(op, living, commit):
    """`batch` is done whole or not at all, `bulk` each by itself."""
    if op["do"] in ("batch", "bulk"):
        return [edit(each) for each in op["ops"]], op["do"] == "batch"
    return [edit(op)], False


def edit(op):
    do, key, body = op["do"], op["id"], op.get("body")
    given = {"lifetime": said(op), "says_ttl": op.get("ttl"), "speaks": "cosmos", "is_stale": op.get("stale", False)}
    if do == "remove":
        return Edit("remove", key, is_stale=op.get("stale", False))
    expect = {"create": "absent", "upsert": "any", "replace": "present", "patch": "present"}[do]
    if do == "patch":  # the rest of the body stays, and with it the ttl that it has
        given["speaks"] = "body"
        body = {} if op.get("change") else body
        given.update(change=op.get("change") and tuple(op["change"]), condition=op.get("if") and ("n", op["if"][0]))
    return Edit("write", key, body or {}, merges=do == "patch", expect=expect, **given)


def patch_of(op):
    if op.get("change"):
        kind, name, *by = op["change"]
        return {"operations": [{"op": kind, "path": f"/{name}", **({"value": by[0]} if by else {})}], **condition_of(op)}
    body = {**op["body"], **({"ttl": op["ttl"]} if op.get("ttl") is not None else {})}
    return {"operations": [{"op": "set", "path": f"/{name}", "value": value} for name, value in body.items()
                           if name != "p"], **condition_of(op)}


def condition_of(op):
    return {"condition": f"from c where c.n = {op['if'][0]}"} if op.get("if") else {}


def send_many(service, place, op):
    rows = []
    for each in op["ops"]:
        do, key = each["do"], each["id"]
        row = {"operationType": KINDS[do], "id": id_of(key), "partitionKey": json.dumps([partition_of(key)])}
        if each.get("stale"):
            row["ifMatch"] = '"nonsense"'
        if do == "patch":
            row["resourceBody"] = patch_of(each)
        elif do != "remove":
            row["resourceBody"] = {"id": id_of(key), **each["body"],
                                   **({"ttl": each["ttl"]} if each.get("ttl") is not None else {})}
        rows.append(row)
    is_batch = op["do"] == "batch"
    headers = {"x-ms-cosmos-is-batch-request": "True", "x-ms-cosmos-batch-atomic": str(is_batch),
               "x-ms-cosmos-batch-continue-on-error": str(not is_batch),
               **(partition_header(op["ops"][0]["id"]) if is_batch else {})}
    answer = service.cosmos("POST", f"{path(place)}/docs", rows, headers)
    if answer.status not in (200, 207):
        return [f"{answer}"]
    done = ["ok" if row["statusCode"] < 300 else OUTCOMES.get(row["statusCode"], f"{row}") for row in answer.json]
    failed = [row["statusCode"] != 424 and row["statusCode"] >= 300 for row in answer.json]
    return done[:failed.index(True) + 1] if is_batch and True in failed else done


def send(service, place, op):
    if op["do"] in ("batch", "bulk"):
        return send_many(service, place, op)
    do, key = op["do"], op["id"]
    headers = {**partition_header(key), **({"if-match": '"nonsense"'} if op.get("stale") else {})}
    item = f"{path(place)}/docs/{quote(id_of(key))}"
    body = {"id": id_of(key), **op.get("body", {})}
    if op.get("ttl") is not None:
        body["ttl"] = op["ttl"]
    if do == "remove":
        return [outcome(service.cosmos("DELETE", item, headers=headers))]
    if do == "patch":
        return [outcome(service.cosmos("PATCH", item, patch_of(op),
                                       {**headers, "content-type": "application/json_patch+json"}))]
    if do == "replace":
        return [outcome(service.cosmos("PUT", item, body, headers))]
    more = {"x-ms-documentdb-is-upsert": "True"} if do == "upsert" else {}
    return [outcome(service.cosmos("POST", f"{path(place)}/docs", body, {**headers, **more}))]


def draw(random, place):
    if place.partitions and random.random() < 0.3:
        kind = random.choice(["batch", "bulk"])
        partition = random.choice(place.partitions)
        keys = [key for key in place.ids if kind == "bulk" or partition_of(key) == partition]
        return {"do": kind, "ops": [draw_one(random, place, key) for key in random.sample(keys, min(len(keys), random.choice([2, 2, 3])))]}
    return draw_one(random, place, random.choice(place.ids))


def draw_one(random, place, key):
    do = random.choices(["create", "upsert", "replace", "patch", "remove"], [3, 4, 3, 4, 3])[0]
    op = {"do": do, "id": key}
    if do != "remove":
        op["body"] = place.body(random, op["id"])
        if random.random() < 0.4:
            op["ttl"] = random.choice([-1, 1, 5, 60])
    if do == "patch" and random.random() < 0.4:
        op["change"] = random.choice([["incr", "n", 1], ["remove", "u"]])
        op.pop("ttl", None)
    if do == "patch" and random.random() < 0.25:
        op["if"] = [random.randrange(10)]
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
        return {key_of(row["id"], row): row.get("n") for row in rows}

    yield "feed in pages", numbers(pages(service, "GET", f"{path(place)}/docs", "Documents"))
    yield "query", numbers(query(service, place, "SELECT c.id, c.n, c.p FROM c"))
    yield "query in an order", numbers(query(service, place, "SELECT c.id, c.n, c.p FROM c ORDER BY c.n"))
    yield "count", query(service, place, "SELECT VALUE COUNT(1) FROM c")[0]
    shown = {}
    asked = [(f"{path(place)}/docs/{quote(id_of(key))}", partition_header(key)) for key in ids]
    for key, answer in zip(ids, service.get_all("cosmos", asked)):
        if answer.status == 200:
            shown[key] = answer.json.get("n")
        elif answer.status != 404:
            shown[key] = repr(answer)
    yield "point reads", shown


def shown_ttl(service, place):
    """The `ttl` that each document shows."""
    rows = pages(service, "GET", f"{path(place)}/docs", "Documents")
    return {key_of(row["id"], row): row["ttl"] for row in rows if "ttl" in row}


def replace_definition(service, place, default):
    """Replaces the container with its own definition but for the default."""
    shown = service.cosmos("GET", path(place)).json
    definition = {name: shown[name] for name in ("id", "partitionKey", "indexingPolicy", "uniqueKeyPolicy") if name in shown}
    if default is not None:
        definition["defaultTtl"] = default
    return service.cosmos("PUT", path(place), definition)
