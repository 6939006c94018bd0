"""Makes a golden directory with a server and packs it: documents of every dialect with their history, trash, feed, holds,
purge records, indexes, users, scripts. What must be found in it is asked of the same server, at each instant of TIMES.

    MAYFLY_BINARY=... python3 test/golden/write.py format-1

writes format-1.tar.gz and format-1.json beside this file. Formats that are there are never made again."""

import json
import os
import pathlib
import shutil
import sys
import tarfile
import tempfile

from questions import ADMIN, ANN, APP, SHELF, SHOP, ask_all, ok, part
from service import NOON, Service

HERE = pathlib.Path(__file__).resolve().parent
# Seconds to go on by before each time everything is asked: past one end after the other.
TIMES = [0, 2, 8, 100, 4000, 40 * 86400]


def write_native(service):
    must = service.must
    must("PUT", "/v1/databases/app")
    must("PUT", f"{APP}/plain", {"default_ttl": 3600, "keep_feed_for": "forever"})
    for key, life in (("inherits", ""), ("never", "?never=true"), ("ttl", "?ttl=5"), ("at", "?expires_at=2026-02-27T10:01:00.000007Z")):
        must("PUT", f"{APP}/plain/documents/{key}{life}", {"n": 1, "text": "ä\u2028", "deep": [{"a": None}, 1.5, 2**53]})
    must("PUT", f"{APP}/kept", {"keep_history_for": "forever", "keep_trash_for": "forever", "keep_feed_for": "forever",
                                "keep_purges_for": "forever", "expire_to_trash": True,
                                "indexes": [{"name": "u", "fields": [{"path": "u"}], "unique": True},
                                            {"name": "n", "fields": [{"path": "n", "order": "desc"}]}]})
    author = {"mayfly-author": "ada"}
    for n in range(4):
        must("PUT", f"{APP}/kept/documents/often", {"n": n, "u": 2}, author)
        service.must("POST", "/v1/clock", {"advance_seconds": 1})
    for key in ("held", "removed", "erased", "gone"):
        must("PUT", f"{APP}/kept/documents/{key}", {"n": 7, "u": f"the {key} one"}, author)
    must("PUT", f"{APP}/kept/documents/dies?ttl=4", {"n": 8})
    must("PUT", f"{APP}/kept/holds/held", {"reason": "a case"}, author)
    must("DELETE", f"{APP}/kept/documents/removed", None, author)
    must("DELETE", f"{APP}/kept/documents/erased")
    must("DELETE", f"{APP}/kept/trash/erased", None, author)
    must("DELETE", f"{APP}/kept/documents/gone?final=true", None, author)


def write_cosmos(service):
    def make(path, body, headers=None):
        return ok(service.cosmos("POST", path, body, headers))

    make("/dbs", {"id": "shop"})
    make("/dbs/shop/colls", {"id": "orders", "defaultTtl": 3600, "partitionKey": {"paths": ["/pk"], "kind": "Hash", "version": 2},
                             "uniqueKeyPolicy": {"uniqueKeys": [{"paths": ["/u"]}]}})
    make("/dbs/shop/colls", {"id": "flat"}, {"x-ms-version": "2015-12-16"})
    service.must("PATCH", "/v1/databases/shop/collections/orders", {"keep_feed_for": "forever", "keep_history_for": 86400})
    for n, key in enumerate("abc"):
        ttl = {} if n == 0 else {"ttl": -1 if n == 1 else 6}
        make(f"{SHOP}/docs", {"id": "same", "pk": key, "n": n, "u": n, **ttl}, part(key))
    make(f"{SHOP}/docs", {"id": "photo", "pk": "a", "n": 21, "u": 9, "ttl": -1}, part("a"))
    make("/dbs/shop/colls/flat/docs", {"id": "flat", "n": 1})
    ok(service.cosmos("POST", f"{SHOP}/docs/photo/attachments", "some text of the attachment",
                      {**part("a"), "content-type": "text/plain", "slug": "note"}))
    make(f"{SHOP}/docs/photo/attachments", {"id": "far", "contentType": "image/png", "media": "https://example.org/far.png"}, part("a"))
    body = "function (n) { getContext().getResponse().setBody(n + 1); }"
    make(f"{SHOP}/sprocs", {"id": "answer", "body": body})
    make(f"{SHOP}/triggers", {"id": "before", "body": "function () {}", "triggerType": "Pre", "triggerOperation": "All"})
    make(f"{SHOP}/udfs", {"id": "twice", "body": "function (n) { return 2 * n; }"})
    make("/dbs/shop/users", {"id": "ann"})
    permission = make("/dbs/shop/users/ann/permissions", {"id": "reads", "permissionMode": "Read", "resource": "dbs/shop/colls/orders"},
                      {"x-ms-documentdb-expiry-seconds": "18000"})
    return permission["_token"]


def write_kuzzle(service):
    def asked(method, path, body=None, who=None):
        return ok(service.kuzzle(method, path, body, who))["result"]

    asked("POST", "/zoo/_create")
    asked("PUT", "/zoo/animals", {"properties": {"sound": {"type": "text"}, "legs": {"type": "integer"}}})
    service.must("PATCH", "/v1/databases/zoo/collections/animals", {"keep_feed_for": "forever"})
    asked("PUT", "/zoo/animals/_specifications", {"strict": False, "fields": {"legs": {"type": "integer"}}})
    asked("POST", "/roles/reads/_create", {"controllers": {"document": {"actions": {"get": True}}, "auth": {"actions": {"*": True}}}})
    asked("POST", "/profiles/readers/_create", {"policies": [{"roleId": "reads"}]})
    asked("POST", "/users/ann/_create", {"content": {"profileIds": ["readers"]}, "credentials": {"local": ANN}})
    api_key = asked("POST", "/users/ann/api-keys/_create", {"description": "of a robot"})["_source"]["token"]
    asked("POST", "/boss/_createFirstAdmin?reset=1", {"content": {"name": "the boss"}, "credentials": {"local": ADMIN}})
    boss = {"authorization": f"Bearer {asked('POST', '/_login/local', ADMIN)['jwt']}"}
    for key, sound in (("lion", "a roar"), ("dodo", "unknown"), ("mouse", "a squeak")):
        asked("POST", f"/zoo/animals/{key}/_create", {"sound": sound, "legs": 4}, boss)
    asked("PUT", "/zoo/animals/mouse/_update", {"legs": 3}, boss)
    asked("DELETE", "/zoo/animals/dodo", None, boss)
    # Who has a lifetime, dies for Kuzzle's clients, too.
    service.must("PUT", "/v1/databases/zoo/collections/animals/documents/mayfly?ttl=50", {"sound": "a hum"})
    ended = asked("POST", "/_login/local", ADMIN)["jwt"]
    asked("POST", "/_logout", None, {"authorization": f"Bearer {ended}"})
    return {"api_key": api_key, "ended_token": ended}


def write_centrali(service):
    def asked(method, path, body):
        return ok(service.centrali(method, f"{SHELF}{path}", body))

    asked("POST", "/structures", {"name": "Authors", "slug": "authors"})
    asked("POST", "/structures", {"name": "Books", "slug": "books", "defaultTtlSeconds": 20 * 86400, "enableVersioning": True,
                                  "properties": [{"name": "title", "type": "string", "isUnique": True},
                                                 {"name": "pages", "type": "number"},
                                                 {"name": "author", "type": "reference", "target": "authors"}]})
    asked("POST", "/records", {"structureId": "authors", "id": "herbert", "data": {"name": "Frank Herbert"}, "clearTtl": True})
    book = {"structureId": "books"}
    asked("POST", "/records", {**book, "id": "dune", "data": {"title": "Dune", "pages": 400, "author": "herbert"}})
    asked("PATCH", "/records/dune?structureId=books", {"data": {"pages": 412}, "clearTtl": True})
    asked("POST", "/records", {**book, "id": "brief", "data": {"title": "A brief one"}, "ttlSeconds": 70})
    asked("POST", "/records", {**book, "id": "dated", "data": {"title": "A dated one"}, "expiresAt": "2026-02-27T11:00:00.123Z"})
    asked("POST", "/records", {**book, "id": "usual", "data": {"title": "A usual one"}})
    asked("POST", "/records", {**book, "id": "gone", "data": {"title": "An archived one"}})
    service.centrali("DELETE", f"{SHELF}/records/gone?structureId=books")
    asked("POST", "/webhook-subscriptions", {"name": "hook", "url": "https://hooks.example.org/books", "events": ["record_created"],
                                             "active": False})


def write(service):
    """What cannot be asked for again."""
    write_native(service)
    told = {"resource_token": write_cosmos(service), **write_kuzzle(service)}
    write_centrali(service)
    service.must("POST", "/v1/clock", {"advance_seconds": 1})
    service.must("POST", "/v1/sweeper/run")
    return {**told, "written_at": service.must("GET", "/v1/clock")["now"]}


def answers_over_time(service, told):
    answers = []
    for seconds in TIMES:
        if seconds:
            service.must("POST", "/v1/clock", {"advance_seconds": seconds})
        service.must("POST", "/v1/sweeper/run")
        answers.append(ask_all(service, told))
    return answers


def main():
    name = sys.argv[1]
    assert not (HERE / f"{name}.tar.gz").exists(), f"{name} is there already"
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "data")
        with Service(data=data, clock=f"virtual:{NOON}") as service:
            told = write(service)
            # Half of what the next start must find is in the log only.
            service.kill()
        shutil.copytree(data, copy := os.path.join(folder, "copy"))
        with Service(data=copy, clock="virtual") as service:
            answers = answers_over_time(service, told)
        with tarfile.open(HERE / f"{name}.tar.gz", "w:gz") as archive:
            archive.add(data, "data", filter=without_lock)
    wanted = {"told": told, "times": TIMES, "answers": answers}
    (HERE / f"{name}.json").write_text(json.dumps(wanted, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")


def without_lock(member):
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return None if member.name.endswith("/LOCK") else member


if __name__ == "__main__":
    main()
