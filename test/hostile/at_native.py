"""Attacks through the native and the Centrali API: rows, filters, transactions, feeds, records."""

import json
import urllib.parse

from clients import CENTRALI, KEY, MIB, THINGS, ask, at_once, centrali, connect, native


def malformed_rows(service):
    """2.1: rows of a dialect's own collections that are none; then a start with them."""
    statuses = []
    for name in ("centrali.webhooks", "centrali.deliveries"):
        path = f"/v1/databases/mine/collections/{name}"
        statuses.append(native(service, "PUT", path, {}))
        for key, body in (("a", {"events": [1]}), ("b", {"events": "x", "recordSlugs": 7}), ("c", {"url": []})):
            statuses.append(native(service, "PUT", f"{path}/documents/{key}", body))
    statuses.append(native(service, "PUT", f"{THINGS}/documents/tells", {"n": 1}))
    return statuses


def costly_filters(service):
    """2.6: filters that are deep, wide, or hold much against much; all at once."""
    deep = "(" * 10_000 + "n = 1" + ")" * 10_000
    wide = " or ".join(f"n = {n}" for n in range(50_000))
    half = json.dumps("a" * 900_000 + "b")
    filters = [deep, "not " * 50_000 + "n = 1", wide, f"text contains {half}", f"find(text, {half}) > 1",
               "n in [" + "1," * 300_000 + "1]", "matches(text, '(a|aa|aaa)*(.{900})[b-c](.{900})$')",
               "[" * 50_000, "@" * 50_000, "lower(" * 5_000 + "text" + ")" * 5_000,
               " and ".join(f"matches(text, '(a|aa)*(.{{{n}}})[b-c]$')" for n in range(50, 150))]
    sort = ",".join(f"f{n}" for n in range(5_000))
    return at_once([lambda one=one: native(service, "POST", f"{THINGS}/query", {"filter": one}) for one in filters] +
                   [lambda: native(service, "POST", f"{THINGS}/query", {"sort": sort}),
                    lambda: native(service, "POST", f"{THINGS}/query", {"select": sort})])


def large_transactions(service):
    """2.4: the largest transactions, all on the same documents, beside each other."""
    def write(n):
        wide = [{"op": "put", "collection": "things", "id": f"t{k}", "data": {"n": n, "text": "x" * 3_000}} for k in range(1_000)]
        same = [{"op": "put", "collection": "things", "id": "same", "data": {"n": k}} for k in range(1_000)]
        path = "/v1/databases/mine/transactions"
        return max(native(service, "POST", path, {"operations": one}) for one in (wide, same))
    return at_once([lambda n=n: write(n) for n in range(12)])


def parsed_bodies(service):
    """2.4: bodies that are small as text and large when they are parsed, to every way that takes large ones."""
    ones = b"[" + b"1," * (2 * MIB - 40) + b"1]"
    objects = b"[" + b'{"":1},' * (2 * MIB) + b"1]"
    nulls = b"[" + b"[]," * (5 * MIB) + b"1]"
    works = [lambda: ask(service, "native", "PUT", f"{THINGS}/documents/parsed", b'{"a":' + ones + b"}"),
             lambda: ask(service, "native", "POST", "/v1/databases/mine/transactions", b'{"operations":' + ones + b"}"),
             lambda: ask(service, "native", "POST", f"{CENTRALI}/records/slug/things/bulk", objects, KEY),
             lambda: ask(service, "native", "POST", f"{CENTRALI}/records/slug/things/batch", nulls, KEY),
             lambda: ask(service, "kuzzle", "POST", "/mine/things/_mCreate", b'{"documents":' + nulls + b"}"),
             lambda: ask(service, "kuzzle", "POST", "/mine/things/_bulk", b'{"bulkData":' + objects + b"}")]
    return at_once(works * (1 if service.is_short else 3))


def deep_json(service):
    """2.4: JSON that is deep, has many names, or numbers and texts without an end, on every port."""
    bodies = [b"[" * 4_000_000, b'{"a":' * 600_000, b'{"a":' + b"9" * 3_000_000 + b"}", b'{"a":"' + b"\\u0041" * 600_000 + b'"}',
              b"{" + b",".join(b'"k%d":1' % n for n in range(250_000)) + b"}", b'{"a":' + b"1e" * 1_000_000 + b"}",
              b'{"a":"\xff\xfe' + b"\xc0" * 1_000_000 + b'"}']
    works = []
    for body in bodies:
        works += [lambda body=body: ask(service, "native", "PUT", f"{THINGS}/documents/deep", body),
                  lambda body=body: ask(service, "native", "POST", f"{CENTRALI}/records/slug/things", body, KEY),
                  lambda body=body: ask(service, "kuzzle", "PUT", "/mine/things/deep", body),
                  lambda body=body: ask(service, "cosmos", "POST", "/dbs/mine/colls/things/docs", body)]
    return at_once(works)


def waiting_readers(service):
    """3.8: a thousand requests that wait for events which do not come."""
    sockets = []
    for _ in range(1_000):
        one = connect(service.ports["native"])
        one.sendall(f"GET {THINGS}/feed?after=0&wait_seconds=60&limit=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
                    .replace("after=0", "after=99999999999999999").encode())
        sockets.append(one)
    statuses = [native(service, "GET", f"{THINGS}/documents/wide")]
    for one in sockets:
        one.close()
    return statuses


def deaf_streams(service):
    """3.8: streams of events that are not read while much happens."""
    sockets = []
    for n in range(400):
        one = connect(service.ports["native"])
        path = f"{THINGS}/feed?after=0" if n % 2 else "/realtime/workspace/mine/events?access_token=any"
        one.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n".encode())
        sockets.append(one)
    body = {"text": "x" * 500_000}
    statuses = [native(service, "PUT", f"{THINGS}/documents/heard{n}", body) for n in range(40)]
    for one in sockets:
        one.close()
    return statuses


def costly_records(service):
    """2.11: patterns of a structure against long texts, searches, filters and aggregations of Centrali."""
    pattern = "(a|aa|aaa)*(.{400})[b-c](.{400})$"
    made = centrali(service, "POST", "/structures", {
        "name": "Held", "slug": "held", "properties": [{"name": f"p{n}", "type": "string", "pattern": pattern} for n in range(100)]})
    small = {"data": {f"p{n}": "a" * 150 for n in range(100)}}
    large = {"data": {f"p{n}": "a" * 15_000 for n in range(100)}}
    ask_for = urllib.parse.quote("(a|aa)*b" * 200, safe="")
    aggregates = {"groupBy": [f"data.f{n}" for n in range(2_000)], "aggregations": {"n": {"count": "*"}}}
    ors = {"or": [{"data.n": {"eq": n}} for n in range(20_000)]}
    deep = {"data.n": {"eq": 1}}
    for _ in range(300):
        deep = {"not": deep}
    return [made] + at_once([lambda body=body: centrali(service, "POST", "/records/slug/held", body) for body in (small, large)] * 8 + [
        lambda: centrali(service, "GET", f"/records/slug/things?data.text[regex]={ask_for}"),
        lambda: centrali(service, "GET", "/records/slug/things?search=" + "a" * 10_000),
        lambda: centrali(service, "POST", "/records/query", {"resource": "things", "where": ors}),
        lambda: centrali(service, "POST", "/records/query", {"resource": "things", "where": deep}),
        lambda: centrali(service, "POST", "/records/query", {"resource": "things", **aggregates}),
        lambda: centrali(service, "POST", "/records/query", {"resource": "things", "include": [{"field": f"a{n}"} for n in range(5_000)]})])


def many_webhooks(service):
    """3.8: a hundred webhooks to where nobody answers, and a record for all of them."""
    made = [centrali(service, "POST", "/webhook-subscriptions", {
        "name": f"w{n}", "url": f"http://127.0.0.{n % 250 + 3}:9/", "events": ["record_created"]}) for n in range(120)]
    body = {"data": {"text": "x" * 100_000}}
    return made + at_once([lambda: centrali(service, "POST", "/records/slug/things", body)] * 20)
