"""What is asked of a golden directory, through the APIs alone: every answer as small JSON that a later version must give, too."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "law"))
from service import quote  # noqa: E402

APP = "/v1/databases/app/collections"
SHOP = "/dbs/shop/colls/orders"
SHELF = "/data/workspace/shelf/api/v1"
ADMIN = {"username": "boss", "password": "a secret of the boss"}
ANN = {"username": "ann", "password": "a secret of ann"}
COLLECTIONS = {"app": ["plain", "kept"], "shop": ["orders", "flat"], "zoo": ["animals"], "shelf": ["books"]}


def second(text):
    """A time cut to the second: whether a default counts from the second or the microsecond may change."""
    return text and text[:19]


def ok(answer):
    assert 200 <= answer.status < 300, repr(answer)
    return answer.json


# --- the native API: documents of every dialect ---


def documents(service, database, collection):
    rows = service.must("GET", f"/v1/databases/{database}/collections/{collection}/documents?limit=1000&lifetime=true")
    return sorted([row["id"], row["lifetime"], row["written_at"], second(row["expires_at"]), row["revision"], row["author"],
                   {name: value for name, value in row["data"].items() if name != "_kuzzle_info"}, row.get("hold", {}).get("reason")]
                  for row in rows["documents"])


def trash(service, database, collection):
    rows = service.must("GET", f"/v1/databases/{database}/collections/{collection}/trash?limit=1000")["documents"]
    return [[row["id"], row["removed_at"], row.get("expired", False)] for row in rows]


def feed(service, database, collection):
    """Nothing where the collection keeps none."""
    answer = service.native("GET", f"/v1/databases/{database}/collections/{collection}/feed?limit=1000")
    return answer.json["events"] if answer.status == 200 else []


def events(service, database, collection, upto):
    """Those that were committed by an instant: what comes behind it depends on when it is swept."""
    return [[row["position"], row["kind"], row["id"], row["version_at"]] for row in feed(service, database, collection)
            if row["committed_at"] <= upto]


def expired(service, database, collection):
    """The deaths in the order in which they are told."""
    return [[row["id"], row["version_at"], second(row["death"])] for row in feed(service, database, collection)
            if row["kind"] == "expired"]


def native_extras(service):
    kept = f"{APP}/kept"
    history = [[row["written_at"], row["data"]] for row in service.must("GET", f"{kept}/documents/often/history")["versions"]]
    purges = service.must("GET", f"{kept}/purges?limit=1000")
    answers = {"history": history,
               "as of": [service.must("GET", f"{kept}/documents/often?as_of={at}")["data"] for at, _ in history],
               "by index": service.must("GET", f"{kept}/documents?filter=" + quote("u = 2"))["documents"][0]["id"],
               "indexes": service.must("GET", f"{kept}/indexes")["indexes"],
               "unique": service.native("PUT", f"{kept}/documents/other", {"u": 2}).status,
               "holds": [row["id"] for row in service.must("GET", f"{kept}/holds")["documents"]],
               "held": service.native("DELETE", f"{kept}/documents/held").status,
               "purges": purges["records"][:2],
               "purges intact": purges["intact"]}
    policy = service.must("GET", kept)
    answers["policy"] = {name: policy[name] for name in ("default_ttl", "stamp_ttl", "keep_history_for", "keep_trash_for",
                                                         "keep_feed_for", "keep_purges_for", "expire_to_trash")}
    return answers


# --- Cosmos DB ---


def cosmos(service):
    def rows(path, name):
        return sorted(row["id"] for row in ok(service.cosmos("GET", path))[name])

    def query(text):
        return ok(service.cosmos("POST", f"{SHOP}/docs", {"query": text}, {
            "content-type": "application/query+json", "x-ms-documentdb-isquery": "True",
            "x-ms-documentdb-partitionkeyrangeid": "0"}))["Documents"]

    points = {}
    for key in ("a", "b", "c"):
        answer = service.cosmos("GET", f"{SHOP}/docs/same", headers=part(key))
        points[key] = [answer.json["n"], answer.json.get("ttl"), answer.json["_ts"], answer.json["_etag"]] if answer.status == 200 else answer.status
    container = ok(service.cosmos("GET", SHOP))
    changes = service.cosmos("GET", f"{SHOP}/docs", headers={"a-im": "Incremental feed"})
    media = ok(service.cosmos("GET", f"{SHOP}/docs/photo/attachments/note", headers=part("a")))["media"]
    return {"points": points, "query": sorted([row["id"], row["pk"], row["n"]] for row in query("SELECT c.id, c.pk, c.n FROM c")),
            "sum": query("SELECT VALUE SUM(c.n) FROM c"), "udf": query("SELECT VALUE udf.twice(c.n) FROM c WHERE c.id = 'photo'"),
            "container": [container[name] for name in ("partitionKey", "defaultTtl", "_rid")],
            "changes": sorted([row["id"], row["pk"], row["n"]] for row in (changes.json or {"Documents": []})["Documents"]),
            "attachment": service.cosmos("GET", media).text if media.startswith("/") else media,
            "attachments": rows_of_attachments(service),
            "procedures": rows(f"{SHOP}/sprocs", "StoredProcedures"), "triggers": rows(f"{SHOP}/triggers", "Triggers"),
            "functions": rows(f"{SHOP}/udfs", "UserDefinedFunctions"),
            "run": ok(service.cosmos("POST", f"{SHOP}/sprocs/answer", "[20]", part("a"))),
            "users": rows("/dbs/shop/users", "Users"), "permissions": rows("/dbs/shop/users/ann/permissions", "Permissions")}


def part(key):
    return {"x-ms-documentdb-partitionkey": f'["{key}"]'}


def rows_of_attachments(service):
    answer = ok(service.cosmos("GET", f"{SHOP}/docs/photo/attachments", headers=part("a")))
    return sorted([row["id"], row["contentType"]] for row in answer["Attachments"])


def by_resource_token(service, token):
    """What one may who has only the token of a permission, given before."""
    answer = service.line("cosmos").ask("GET", f"{SHOP}/docs/photo", None, {
        "authorization": quote(token), "x-ms-version": "2020-07-15", "x-ms-date": "fri, 15 jan 2027 08:00:00 gmt", **part("a")})
    return answer.status


# --- Kuzzle ---


def log_in(service, who):
    answer = service.kuzzle("POST", "/_login/local", who)
    return {"authorization": f"Bearer {answer.json['result']['jwt']}"} if answer.status == 200 else None


def ended_token(service, told):
    """What a token that was logged out gets; format 1 has none."""
    if "ended_token" not in told:
        return {}
    who = {"authorization": f"Bearer {told['ended_token']}"}
    return {"ended token": service.kuzzle("GET", "/users/_me", None, who).status}


def kuzzle(service, told):
    api_key = told["api_key"]
    boss, ann = log_in(service, ADMIN), log_in(service, ANN)

    def asked(method, path, body=None, who=boss):
        answer = service.kuzzle(method, path, body, who)
        return answer.json["result"] if answer.status == 200 else answer.status

    def ids(path, mark=""):
        return sorted(hit["_id"] for hit in asked("POST", f"{path}/_search?size=100{mark}", {})["hits"])

    searched = asked("POST", "/zoo/animals/_search", {"query": {"match": {"sound": "roar"}}})
    trashed = asked("GET", "/zoo/animals/dodo?includeTrash=true")
    return {"indexes": sorted(name for name in asked("GET", "/_list")["indexes"] if not name.startswith("%")),
            "collections": sorted(each["name"] for each in asked("GET", "/zoo/_list")["collections"]),
            "mapping": asked("GET", "/zoo/animals/_mapping"),
            "ids": ids("/zoo/animals"), "with trash": ids("/zoo/animals", "&includeTrash=true"),
            "count": asked("POST", "/zoo/animals/_count", {})["count"],
            "found": sorted(hit["_id"] for hit in searched["hits"]),
            "author": asked("GET", "/zoo/animals/lion")["_meta"]["author"],
            "trashed": trashed["_meta"]["active"] if isinstance(trashed, dict) else trashed,
            "specification": asked("GET", "/zoo/animals/_specifications"),
            "boss": asked("GET", "/users/_me")["_id"], "ann": asked("GET", "/users/_me", who=ann)["_id"],
            "ann reads": asked("GET", "/zoo/animals/lion", who=ann)["_source"]["sound"],
            "ann writes": asked("PUT", "/zoo/animals/lion", {"sound": "none"}, ann),
            "nobody reads": asked("GET", "/zoo/animals/lion", who={}),
            "wrong password": service.kuzzle("POST", "/_login/local", {**ANN, "password": "wrong"}).status,
            "api key": asked("GET", "/users/_me", who={"authorization": f"Bearer {api_key}"})["_id"],
            "users": sorted(hit["_id"] for hit in asked("POST", "/users/_search", {})["hits"]),
            "roles": sorted(hit["_id"] for hit in asked("POST", "/roles/_search", {})["hits"]),
            "profiles": sorted(hit["_id"] for hit in asked("POST", "/profiles/_search", {})["hits"]),
            "a second admin": service.kuzzle("POST", "/x/_createFirstAdmin", {"content": {}, "credentials": {"local": ADMIN}}).status,
            **ended_token(service, told)}


# --- Centrali ---


def centrali(service):
    def asked(path, method="GET", body=None):
        return ok(service.centrali(method, f"{SHELF}{path}", body))

    books = asked("/records/slug/books?sort=data.title")["data"]
    structure = asked("/structures/slug/books")
    archived = service.centrali("GET", f"{SHELF}/records/gone?structureId=books&includeArchived=true")
    return {"books": [[row["id"], row["data"], row["version"], second(row["expiresAt"])] for row in books],
            "count": asked("/records/slug/books/count")["count"],
            "structure": [structure["recordSlug"], structure["properties"], structure["schemaDiscoveryMode"], structure["defaultTtlSeconds"]],
            "versions": len(asked("/records/dune/versions?structureId=books")["data"]),
            "expanded": asked("/records/dune?structureId=books&expand=author")["data"]["_expanded"]["author"]["data"],
            "archived": archived.json["status"] if archived.status == 200 else archived.status,
            "unique": service.centrali("POST", f"{SHELF}/records", {"structureId": "books", "data": {"title": "Dune"}}).status,
            "webhooks": [[hook["url"], hook["active"]] for hook in asked("/webhook-subscriptions")]}


def ask_all(service, told):
    """Every answer at the clock's instant. `told` is what the writer was told and cannot be asked for again."""
    answers = {"cosmos": cosmos(service), "kuzzle": kuzzle(service, told), "centrali": centrali(service),
               "native": native_extras(service), "resource token": by_resource_token(service, told["resource_token"])}
    for database, collections in COLLECTIONS.items():
        for name in collections:
            answers[f"{database}/{name}"] = {"documents": documents(service, database, name),
                                             "trash": trash(service, database, name),
                                             "events": events(service, database, name, told["written_at"]),
                                             "expired": expired(service, database, name)}
    return answers
