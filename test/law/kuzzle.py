"""The Kuzzle API over HTTP, in the words of its first version."""

from edits import Edit
from places import id_of, key_of
from service import quote

MANY = {"mCreate": "create", "mCreateOrReplace": "createOrReplace", "mReplace": "replace", "mUpdate": "update",
        "mUpsert": "upsert", "mWrite": "write"}
VERBS = {"mCreate": "POST", "mCreateOrReplace": "PUT", "mReplace": "PUT", "mUpdate": "PUT", "mUpsert": "POST",
         "mWrite": "POST"}
# Changes of all that a query finds: the route, and whether the answer names what was done.
QUERIES = {"deleteByQuery": ("DELETE", "_query"), "updateByQuery": ("PUT", "_query"),
           "bulkDeleteByQuery": ("DELETE", "_bulk/_query"), "bulkUpdateByQuery": ("PATCH", "_bulk/_query")}
EXPECT = {"create": "absent", "createOrReplace": "any", "replace": "present", "update": "present", "upsert": "any",
          "write": "any"}


def path(place):
    return f"/law/{place}"


def outcome(answer):
    if answer.status < 300 and answer.status != 206:
        return "ok"
    if answer.status == 404:
        return "absent"
    if answer.status == 403:
        return "refused"
    if "exist" in answer.text or "already" in answer.text or "unique" in answer.text.lower() or answer.status == 409:
        return "taken"
    return f"{answer}"


def edit(do, key, body):
    return Edit("write", key, body, merges=do in ("update", "upsert"), expect=EXPECT[do], revives=True)


def edits(op, living, commit):
    do = op["do"]
    if do in QUERIES:
        # The bulk ones search first, and let what dies before their commit be; the others search in it.
        is_bulk = do.startswith("bulk")
        found = [key for key, life in living.items()
                 if (is_bulk or life.death > commit) and op["n"] in (None, life.body.get("n"))]
        kind = {"kind": "write", "body": op["body"], "merges": True, "expect": "present"} if "body" in op else {
            "kind": "remove"}
        return [Edit(id=key, lets_be=is_bulk, **kind) for key in sorted(found)], do != "updateByQuery"
    if do in MANY:
        return [edit(MANY[do], key, body) for key, body in op["items"]], False
    if do == "mDelete":
        return [Edit("remove", key, revives=True) for key in op["ids"]], False
    if do in ("delete", "restore"):
        return [Edit({"delete": "remove"}.get(do, do), op["id"], is_by_id="|" in op["id"])], False
    if do == "import":
        return [edit({"index": "createOrReplace"}.get(how, how), key, body) if how != "delete"
                else Edit("remove", key, is_final=True) for how, key, body in op["items"]], False
    return [edit(do, op["id"], op["body"])], False


def send(service, place, op):
    do, base = op["do"], path(place)
    if do in MANY:
        documents = [{"_id": id_of(key), "changes" if do == "mUpsert" else "body": body} for key, body in op["items"]]
        answer = service.kuzzle(VERBS[do], f"{base}/_{do}", {"documents": documents})
        return each_outcome(answer, [key for key, _ in op["items"]])
    if do in QUERIES:
        return send_query(service, base, op)
    if do == "mDelete":
        return each_outcome(service.kuzzle("DELETE", f"{base}/_mDelete", {"ids": [id_of(key) for key in op["ids"]]}), op["ids"])
    if do == "import":
        lines = []
        for how, key, body in op["items"]:
            lines += [{how: {"_id": id_of(key)}}] + ([] if how == "delete" else [{"doc": body} if how == "update" else body])
        answer = service.kuzzle("POST", f"{base}/_bulk", {"bulkData": lines})
        if answer.status not in (200, 206):
            return [outcome(answer)] * len(op["items"])
        done = {next(iter(row.values()))["_id"] for row in answer.json["result"]["items"]}
        return ["ok" if id_of(key) in done else "failed" for _, key, _ in op["items"]]
    key = quote(id_of(op["id"]))
    routes = {"create": ("POST", f"{base}/{key}/_create"), "createOrReplace": ("PUT", f"{base}/{key}"),
              "replace": ("PUT", f"{base}/{key}/_replace"), "update": ("PUT", f"{base}/{key}/_update"),
              "upsert": ("POST", f"{base}/{key}/_upsert"), "delete": ("DELETE", f"{base}/{key}"),
              "restore": ("PUT", f"{base}/{key}/_restore"), "write": ("POST", f"{base}/{key}/_write")}
    body = {"changes": op["body"]} if do == "upsert" else op.get("body")
    return [outcome(service.kuzzle(*routes[do], body))]


def send_query(service, base, op):
    method, route = QUERIES[op["do"]]
    asked = {"query": {"match_all": {}} if op["n"] is None else {"term": {"n": op["n"]}}}
    if "body" in op:
        asked["changes"] = op["body"]
    answer = service.kuzzle(method, f"{base}/{route}", asked)
    if answer.status not in (200, 206):
        return [outcome(answer)]
    done = answer.json["result"]
    if op["do"] == "updateByQuery":
        rows = [(row["_id"], "ok") for row in done["successes"]] + [(each_id(row), "failed") for row in done["errors"]]
        return [told for _, told in sorted(rows)]
    return ["ok"] * (len(done["ids"]) if op["do"] == "deleteByQuery" else sum(done.values()))


def each_id(row):
    return row.get("_id") or row["document"]["_id"]


def each_outcome(answer, keys):
    """Of several at once: those that are told as done are, the others are not."""
    if answer.status not in (200, 206):
        return [outcome(answer)] * len(keys)
    result = answer.json["result"]
    done = result if isinstance(result, list) else [hit["_id"] for hit in result["hits"]]
    return ["ok" if id_of(key) in done else "failed" for key in keys]


def draw(random, place):
    do = random.choices(["create", "createOrReplace", "replace", "update", "upsert", "write", "delete", "restore", "many",
                         "mDelete", "import", "query"], [3, 3, 3, 3, 2, 1, 4, 2, 6, 2, 2, 3])[0]
    if do == "query":
        op = {"do": random.choice(list(QUERIES)), "n": random.choice([None, *range(10), *range(10)])}
        if "pdate" in op["do"]:
            op["body"] = {name: value for name, value in place.body(random, place.ids[0]).items() if name != "p"}
        return op
    keys = random.sample(place.single_ids, 2)
    if do == "many":
        return {"do": random.choice(list(MANY)), "items": [[key, place.body_with_ttl(random, key)] for key in keys]}
    if do == "mDelete":
        return {"do": do, "ids": keys}
    if do == "import":
        kinds = ["index", "create", "update", "delete"]
        return {"do": do, "items": [[random.choice(kinds), key, place.body_with_ttl(random, key)] for key in keys]}
    op = {"do": do, "id": keys[0]}
    if do not in ("delete", "restore"):
        op["body"] = place.body_with_ttl(random, keys[0])
    return op


# --- every way in which it shows documents ---


def result(answer):
    assert answer.status == 200, repr(answer)
    return answer.json["result"]


def living(service, place, ids, trash=False):
    """With `trash` also what lies in the trashcan."""
    base, mark = path(place), "includeTrash=true" if trash else "x=1"

    def numbers(rows):
        return {key_of(row["_id"], row["_source"]): row["_source"].get("n") for row in rows if "_source" in row}

    yield "search", numbers(result(service.kuzzle("POST", f"{base}/_search?size=100&{mark}", {}))["hits"])
    if not trash:
        asked = {"query": {"bool": {"must_not": {"term": {"n": -1}}}}, "sort": [{"n": "asc"}]}
        yield "search in an order", numbers(result(service.kuzzle("POST", f"{base}/_search?size=100", asked))["hits"])
    yield "count", result(service.kuzzle("POST", f"{base}/_count?{mark}", {}))["count"]
    ids = [key for key in ids if sum(id_of(key) == id_of(other) for other in ids) == 1]  # an id alone names them
    many = service.kuzzle("POST", f"{base}/_mGet?{mark}", {"ids": [id_of(key) for key in ids]})
    assert many.status in (200, 206), repr(many)
    yield "mGet", numbers(many.json["result"]["hits"]), ids
    shown = {}
    for key, answer in zip(ids, service.get_all("kuzzle", [f"{base}/{quote(id_of(key))}?{mark}" for key in ids])):
        if answer.status == 200:
            shown[key] = answer.json["result"]["_source"].get("n")
        elif answer.status != 404:
            shown[key] = repr(answer)
    yield "point reads", shown, ids
    asked = [f"{base}/{quote(id_of(key))}/_exists?{mark}" for key in ids]
    exist = {key for key, answer in zip(ids, service.get_all("kuzzle", asked)) if result(answer)}
    yield "exists", exist, ids
