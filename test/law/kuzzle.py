"""The Kuzzle API over HTTP, in the words of its first version."""

from edits import Edit
from service import quote

MANY = {"mCreate": "create", "mCreateOrReplace": "createOrReplace", "mReplace": "replace", "mUpdate": "update",
        "mUpsert": "upsert", "mWrite": "write"}
VERBS = {"mCreate": "POST", "mCreateOrReplace": "PUT", "mReplace": "PUT", "mUpdate": "PUT", "mUpsert": "POST",
         "mWrite": "POST"}
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


def edits(op):
    do = op["do"]
    if do in MANY:
        return [edit(MANY[do], key, body) for key, body in op["items"]], False
    if do == "mDelete":
        return [Edit("remove", key, revives=True) for key in op["ids"]], False
    if do in ("delete", "restore"):
        return [Edit({"delete": "remove"}.get(do, do), op["id"])], False
    if do == "import":
        return [edit({"index": "createOrReplace"}.get(how, how), key, body) if how != "delete"
                else Edit("remove", key, is_final=True) for how, key, body in op["items"]], False
    return [edit(do, op["id"], op["body"])], False


def send(service, place, op):
    do, base = op["do"], path(place)
    if do in MANY:
        documents = [{"_id": key, "body": body} if do != "mUpsert" else {"_id": key, "changes": body}
                     for key, body in op["items"]]
        answer = service.kuzzle(VERBS[do], f"{base}/_{do}", {"documents": documents})
        return each_outcome(answer, [key for key, _ in op["items"]])
    if do == "mDelete":
        return each_outcome(service.kuzzle("DELETE", f"{base}/_mDelete", {"ids": op["ids"]}), op["ids"])
    if do == "import":
        lines = []
        for how, key, body in op["items"]:
            lines += [{how: {"_id": key}}] + ([] if how == "delete" else [{"doc": body} if how == "update" else body])
        answer = service.kuzzle("POST", f"{base}/_bulk", {"bulkData": lines})
        if answer.status not in (200, 206):
            return [outcome(answer)] * len(op["items"])
        done = {next(iter(row.values()))["_id"] for row in answer.json["result"]["items"]}
        return ["ok" if key in done else "failed" for _, key, _ in op["items"]]
    key = quote(op["id"])
    routes = {"create": ("POST", f"{base}/{key}/_create"), "createOrReplace": ("PUT", f"{base}/{key}"),
              "replace": ("PUT", f"{base}/{key}/_replace"), "update": ("PUT", f"{base}/{key}/_update"),
              "upsert": ("POST", f"{base}/{key}/_upsert"), "delete": ("DELETE", f"{base}/{key}"),
              "restore": ("PUT", f"{base}/{key}/_restore"), "write": ("POST", f"{base}/{key}/_write")}
    body = {"changes": op["body"]} if do == "upsert" else op.get("body")
    return [outcome(service.kuzzle(*routes[do], body))]


def each_outcome(answer, keys):
    """Of several at once: those that are told as done are, the others are not."""
    if answer.status not in (200, 206):
        return [outcome(answer)] * len(keys)
    result = answer.json["result"]
    done = result if isinstance(result, list) else [hit["_id"] for hit in result["hits"]]
    return ["ok" if key in done else "failed" for key in keys]


def draw(random, place):
    do = random.choices(["create", "createOrReplace", "replace", "update", "upsert", "write", "delete", "restore", "many",
                         "mDelete", "import"], [3, 3, 3, 3, 2, 1, 4, 2, 6, 2, 2])[0]
    keys = random.sample(place.ids, 2)
    if do == "many":
        return {"do": random.choice(list(MANY)), "items": [[key, place.body(random)] for key in keys]}
    if do == "mDelete":
        return {"do": do, "ids": keys}
    if do == "import":
        kinds = ["index", "create", "update", "delete"]
        return {"do": do, "items": [[random.choice(kinds), key, place.body(random)] for key in keys]}
    op = {"do": do, "id": keys[0]}
    if do not in ("delete", "restore"):
        op["body"] = place.body(random)
    return op


# --- every way in which it shows documents ---


def result(answer):
    assert answer.status == 200, repr(answer)
    return answer.json["result"]


def living(service, place, ids, trash=False):
    """With `trash` also what lies in the trashcan."""
    base, mark = path(place), "includeTrash=true" if trash else "x=1"

    def numbers(rows):
        return {row["_id"]: row["_source"].get("n") for row in rows if "_source" in row}

    yield "search", numbers(result(service.kuzzle("POST", f"{base}/_search?size=100&{mark}", {}))["hits"])
    if not trash:
        asked = {"query": {"bool": {"must_not": {"term": {"n": -1}}}}, "sort": [{"n": "asc"}]}
        yield "search in an order", numbers(result(service.kuzzle("POST", f"{base}/_search?size=100", asked))["hits"])
    yield "count", result(service.kuzzle("POST", f"{base}/_count?{mark}", {}))["count"]
    many = service.kuzzle("POST", f"{base}/_mGet?{mark}", {"ids": ids})
    assert many.status in (200, 206), repr(many)
    yield "mGet", numbers(many.json["result"]["hits"])
    shown = {}
    for key, answer in zip(ids, service.get_all("kuzzle", [f"{base}/{quote(key)}?{mark}" for key in ids])):
        if answer.status == 200:
            shown[key] = answer.json["result"]["_source"].get("n")
        elif answer.status != 404:
            shown[key] = repr(answer)
    yield "point reads", shown
    asked = [f"{base}/{quote(key)}/_exists?{mark}" for key in ids]
    exist = {key for key, answer in zip(ids, service.get_all("kuzzle", asked)) if result(answer)}
    yield "exists", exist
