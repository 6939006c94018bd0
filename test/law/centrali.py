"""The Centrali API: structures, records and what they are in the law's words."""

from edits import Edit
from model import NEVER, SECOND
from places import id_of, key_of
from service import quote
from wire import render_time

BASE = "/data/workspace/law/api/v1"
OUTCOMES = {403: "refused", 404: "absent", 409: "taken", 412: "stale"}


def outcome(answer):
    return "ok" if answer.status < 300 else OUTCOMES.get(answer.status, f"{answer}")


# A lifetime as the workload says it: None, "clear", ["ttl", seconds] or ["expires_at", instant of whole milliseconds].
def lifetime(asked):
    if asked in (None, "clear"):
        return None if asked is None else NEVER
    return ("span", asked[1] * SECOND) if asked[0] == "ttl" else ("at", asked[1])


def members(asked):
    if asked in (None, "clear"):
        return {} if asked is None else {"clearTtl": True}
    return {"ttlSeconds": asked[1]} if asked[0] == "ttl" else {"expiresAt": render_time(asked[1])[:-4] + "Z"}


def edit(do, key, op):
    if do in ("remove", "restore"):
        return Edit(do, key, is_final=op.get("final", False), reaches_trash=op.get("final", False))
    expect = {"create": "absent", "upsert": "any"}.get(do, "present")
    return Edit("write", key, op["body"], merges=do in ("patch", "upsert"), expect=expect, lifetime=lifetime(op.get("life")),
                speaks="centrali")


def edits(op, living, commit):
    do = op["do"]
    if do in ("bulk", "batch"):
        return [edit(op["how"], key, {**op, "body": body}) for key, body in op["items"]], do == "bulk"
    return [edit(do, op["id"], op)], False


def send(service, place, op):
    do = op["do"]
    if do in ("bulk", "batch"):
        return send_many(service, place, op)
    key, life = quote(id_of(op["id"])), members(op.get("life"))
    record = f"{BASE}/records/{key}"
    there = f"structureId={place}"
    if do == "create":
        return [outcome(service.centrali("POST", f"{BASE}/records", {"structureId": place, "id": id_of(op["id"]),
                                                                    "data": op["body"], **life}))]
    if do == "upsert":
        return [outcome(service.centrali("POST", f"{BASE}/records/upsert", {
            "structureId": place, "match": {"id": id_of(op["id"])}, "data": op["body"], **life}))]
    if do in ("patch", "put"):
        return [outcome(service.centrali(do.upper(), f"{record}?{there}", {"data": op["body"], **life}))]
    if do == "restore":
        # What lives is no archived record: not found, where others say that the id is taken.
        done = outcome(service.centrali("POST", f"{record}/restore?{there}"))
        return ["failed" if done == "absent" else done]
    return [outcome(service.centrali("DELETE", f"{record}?{there}{'&hard=true' if op.get('final') else ''}"))]


def send_many(service, place, op):
    do, how = op["do"], op["how"]
    verb = {"create": "POST", "patch": "PATCH", "remove": "DELETE"}[how]
    items = [{"id": id_of(key), "data": body} for key, body in op["items"]]
    body = {"structureId": place, "records": items, **members(op.get("life"))}
    if how == "remove":
        body = {"structureId": place, "ids": [id_of(key) for key, _ in op["items"]]}
    answer = service.centrali(verb, f"{BASE}/records/slug/{place}/{do}", body)
    if answer.status >= 300:
        return [outcome(answer)]
    if do == "bulk":
        return ["ok"] * len(items)
    done = {each["index"] for each in answer.json["successes"]}
    return ["ok" if i in done else "failed" for i in range(len(items))]


def draw(random, place):
    do = random.choices(["create", "patch", "put", "upsert", "remove", "restore", "bulk", "batch"],
                        [4, 4, 3, 2, 4, 3, 2, 2])[0]
    life = None
    if random.random() < 0.5:
        life = random.choice(["clear", ["ttl", random.choice([1, 2, 10, 60])], ["in", 1000 * random.randrange(1, 200_000)]])
    if do in ("bulk", "batch"):
        how = random.choice(["create", "patch", "remove"])
        items = [[key, place.body(random, key)] for key in random.sample(place.single_ids, 2)]
        return {"do": do, "how": how, "items": items, **({} if how == "remove" else {"life": life})}
    op = {"do": do, "id": random.choice(place.single_ids)}
    if do in ("create", "patch", "put", "upsert"):
        op.update(body=place.body_with_ttl(random, op["id"]), life=life)
    if do == "remove" and random.random() < 0.2:
        op["final"] = True
    return op


# --- every way in which it shows documents ---


def rows_of(answer):
    assert answer.status == 200, repr(answer)
    return answer.json["data"]


def living(service, place, ids, trash=False):
    """With `trash` also what is archived."""
    base, mark = f"{BASE}/records/slug/{place}", "includeArchived=true" if trash else "includeArchived=false"

    def numbers(rows):
        return {key_of(row["id"], row["data"]): row["data"].get("n") for row in rows}

    yield "list", numbers(rows_of(service.centrali("GET", f"{base}?{mark}")))
    yield "list sorted", numbers(rows_of(service.centrali("GET", f"{base}?sort=-data.n&{mark}")))
    count = service.centrali("GET", f"{base}/count?{mark}")
    yield "count", count.json["count"]
    ids = [key for key in ids if sum(id_of(key) == id_of(other) for other in ids) == 1]  # an id alone names them
    if not trash:
        found = service.centrali("POST", f"{BASE}/records/by-ids", {"structureId": place, "ids": [id_of(key) for key in ids]})
        yield "by ids", numbers(rows_of(found)), ids
    shown = {}
    asked = [f"{BASE}/records/{quote(id_of(key))}?structureId={place}&{mark}" for key in ids]
    for key, answer in zip(ids, service.get_all("centrali", asked)):
        if answer.status == 200:
            shown[key] = answer.json["data"].get("n")
        elif answer.status != 404:
            shown[key] = repr(answer)
    yield "point reads", shown, ids
