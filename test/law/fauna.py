"""FQL over HTTP: one query is one transaction, whatever it edits."""

import json

from edits import Edit
from model import NEVER, SECOND
from places import id_of, key_of
from wire import parse_time

HEADERS = {"authorization": "Bearer secret:law:admin", "x-format": "simple", "x-typecheck": "false"}
FAILURES = {"document_not_found": "absent", "document_id_exists": "taken", "forbidden": "refused"}


def ask(service, text):
    return service.fauna("POST", "/query/1", {"query": text}, HEADERS)


def data(service, text):
    answer = ask(service, text)
    assert answer.status == 200, f"{answer} {text}"
    return answer.json["data"]


def outcome(answer):
    if answer.status == 200:
        return "ok"
    error = answer.json["error"]
    if error["code"] == "constraint_failure":
        return "taken" if error["message"] == "Failed unique constraint." else "refused"
    if error["code"] == "invalid_argument" and "type ID" in error["message"]:
        return "absent"  # an id that is no number, and no document has
    return FAILURES.get(error["code"], f"{answer}")


def lifetime(asked):
    """A lifetime as the workload says it: None, "null" or ["expires_at", instant]."""
    return {None: None, "null": NEVER}[asked] if not isinstance(asked, list) else ("at", asked[1])


def edit(row):
    do, key = row["do"], row["id"]
    if do == "delete":
        return Edit("remove", key, speaks="fauna")
    expect = "absent" if do == "create" else "present"
    return Edit("write", key, row["body"], merges=do == "update", expect=expect, lifetime=lifetime(row.get("life")),
                speaks="fauna", clears=do == "replace")


def edits(op, living, commit):
    return [edit(row) for row in op["edits"]], True


def literal(row):
    members = [f"{name}: {json.dumps(value)}" for name, value in row["body"].items()]
    if row["do"] == "create":
        members.insert(0, f"id: {json.dumps(id_of(row['id']))}")
    life = row.get("life")
    if life is not None:
        members.append("ttl: null" if life == "null" else f'ttl: Time.epoch({life[1]}, "microseconds")')
    return f"{{{', '.join(members)}}}"


def expression(place, row):
    there = f"{place}.byId({json.dumps(id_of(row['id']))})!"
    if row["do"] == "delete":
        return f"{there}.delete()"
    return f"{place}.create({literal(row)})" if row["do"] == "create" else f"{there}.{row['do']}({literal(row)})"


def send(service, place, op):
    answer = ask(service, "\n".join(f"let d{i} = {expression(place, row)}" for i, row in enumerate(op["edits"])) + "\nnull")
    return ["ok"] * len(op["edits"]) if answer.status == 200 else [outcome(answer)]


def draw(random, place):
    # It gives ids that are numbers to what it creates.
    kinds = ["create", "create", "create", "update", "update", "replace", "delete"]
    kinds = kinds if place.maker == "fauna" else kinds[3:]
    rows = []
    for key in random.sample(place.single_ids, random.choice([1, 1, 1, 2])):
        row = {"do": random.choice(kinds), "id": key}
        if row["do"] != "delete":
            row["body"] = place.body(random, key)
            row["life"] = random.choice([None, None, "null", ["in", random.randrange(1000, 200 * SECOND)]])
        rows.append(row)
    return {"do": "query", "edits": rows}


def definition(random):
    """What a new collection says of lifetimes."""
    return {"ttl_days": random.choice([None, None, 1, 30]), "document_ttls": random.choice([None, None, True, False])}


def make(service, name, said):
    members = {name: value for name, value in said.items() if value is not None}
    text = "".join(f", {member}: {json.dumps(value)}" for member, value in members.items())
    return ask(service, f'Collection.create({{name: "{name}", history_days: 1{text}}}) {{ name }}')


# --- every way in which it shows documents ---


def numbers(rows):
    return {key_of(row["id"], row): row.get("n") for row in rows}


def pages(service, text):
    """All of a set, two documents a page."""
    page = data(service, f"{text}.pageSize(2).paginate()")
    rows = page["data"]
    while page.get("after"):
        page = data(service, f"Set.paginate({json.dumps(page['after'])})")
        rows += page["data"]
    return rows


def living(service, place, ids):
    yield "all", numbers(data(service, f"{place}.all().toArray()"))
    yield "all reversed in an order", numbers(data(service, f"{place}.all().order(desc(.n)).reverse().toArray()"))
    yield "where", numbers(data(service, f"{place}.where(.n >= 0).toArray()"))
    yield "where by a lambda", numbers(data(service, f"{place}.where(d => [d.n].length == 1).toArray()"))
    yield "count", data(service, f"{place}.all().count()")
    ids = [key for key in ids if sum(id_of(key) == id_of(other) for other in ids) == 1]
    texts = ", ".join(f"{place}.all().firstWhere(.id == {json.dumps(id_of(key))})" for key in ids)
    found = data(service, f"[{texts}]")
    yield "firstWhere", {key: row.get("n") for key, row in zip(ids, found) if row is not None}, ids
    ids = [key for key in ids if key.isdigit()]
    texts = ", ".join(f"{place}.byId({json.dumps(key)}).exists()" for key in ids)
    if ids:
        yield "exists", {key for key, exists in zip(ids, data(service, f"[{texts}]")) if exists}, ids


def shown_times(service, place):
    """(ts, ttl) of each."""
    return {key_of(row["id"], row): (parse_time(row["ts"]), parse_time(row.get("ttl")))
            for row in data(service, f"{place}.all().toArray()")}


def as_of(service, place, then):
    """All that was there at an instant."""
    return numbers(data(service, f'at (Time.epoch({then}, "microseconds")) {{ {place}.all().toArray() }}'))
