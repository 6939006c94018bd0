"""Attacks through the Kuzzle API: subscriptions, searches, scrolls, logins, messages."""

import json

from clients import MIB, ask, at_once, connect, fewer, kuzzle, open_websocket
from service import Line

LARGE = {"text": "a" * 1_900_000}


def subscribe(listener, text, collection="things"):
    return listener.ask({"controller": "realtime", "action": "subscribe", "index": "mine", "collection": collection,
                         "body": text, "requestId": "1"})["status"]


def costly_subscription(service):
    """2.2: a pattern that costs, and a document that makes it cost."""
    listener = open_websocket(service)
    statuses = [subscribe(listener, {"not": {"regexp": {"text": "(a|aa|aaa)*(.{900})[b-c](.{900})$"}}})]
    statuses += at_once([lambda: kuzzle(service, "PUT", "/mine/things/large", LARGE)] * 2)
    listener.close()
    return statuses


def many_subscriptions(service):
    """2.2: a thousand of the costliest filters that are taken, all held against each document."""
    listener = open_websocket(service)
    statuses = []
    for n in range(1000):
        pattern = f"(a|aa)*(.{{{20 + n % 20}}})[b-c]x{n}$"
        try:
            statuses.append(subscribe(listener, {"not": {"regexp": {"text": pattern}}}))
        except (OSError, ValueError, KeyError):
            statuses.append(0)
            break
    statuses += at_once([lambda n=n: kuzzle(service, "PUT", f"/mine/things/large{n}", LARGE) for n in range(8)])
    listener.close()
    return statuses


def send_large(service, message, count):
    sockets, statuses = [], []
    for _ in range(count):
        try:
            one = open_websocket(service)
            sockets.append(one)
            one.send(message)
            statuses.append(json.loads(one.read())["status"])
        except (OSError, ValueError):
            statuses.append(0)
    return sockets, statuses


def idle_large_messages(service):
    """2.3: WebSockets that send 14 MiB and then say nothing more."""
    message = json.dumps({"controller": "document", "action": "create", "index": "mine", "collection": "things",
                          "body": {"a": []}}).encode().replace(b"[]", b"[" + b"1," * (7 * MIB - 1) + b"1]")
    sockets, statuses = send_large(service, message, 4)
    for one in sockets:
        one.close()
    return statuses


def messages_without_an_end(service):
    """2.3: messages that are announced and sent but for the end, and messages in pieces that never end."""
    sockets = []
    for n in range(40):
        try:
            one = open_websocket(service)
            sockets.append(one)
            one.socket.settimeout(3)
            if n % 2:
                one.send_piece(b"[" * (4 * MIB), announced=15 * MIB)
            else:
                for _ in range(200):
                    one.send_piece(b" " * 65_536, ends=False)
        except OSError:
            pass
    statuses = [kuzzle(service, "PUT", f"/mine/things/m{n}", {"text": "x" * 100_000}) for n in range(5)]
    for one in sockets:
        one.close()
    return statuses


def deaf_websockets(service):
    """2.3: they ask for much and read nothing of it."""
    sockets = []
    for _ in range(20):
        one = open_websocket(service)
        one.socket.settimeout(1)
        sockets.append(one)
        try:
            for _ in range(200):
                one.send(json.dumps({"controller": "document", "action": "get", "index": "mine", "collection": "things", "_id": "long"}))
        except OSError:
            pass
    statuses = [kuzzle(service, "GET", "/mine/things/wide")]
    for one in sockets:
        one.close()
    return statuses


def large_bodies(service):
    """2.4: 16 MiB of JSON at once, many times."""
    body = b'{"a":[' + b'{"b":1},' * (2 * MIB - 2) + b"1]}"
    return at_once([lambda: ask(service, "kuzzle", "PUT", "/mine/things/d", body)] * 6)


def wrong_logins(service):
    """2.10: passwords that are none, each of which costs a hash, over HTTP and WebSocket."""
    wrong = {"username": "boss", "password": "wrong"}

    def guess():
        return max(kuzzle(service, "POST", "/_login/local", wrong) for _ in range(3))

    def guess_by_socket():
        one = open_websocket(service)
        message = json.dumps({"controller": "auth", "action": "login", "strategy": "local", "body": wrong})
        tries = fewer(service, 30)
        for _ in range(tries):
            one.send(message)
        statuses = [json.loads(one.read())["status"] for _ in range(tries)]
        one.close()
        return max(statuses)
    return at_once([guess] * fewer(service, 24) + [guess_by_socket] * fewer(service, 4))


def large_patterns(service):
    """2.11: patterns of searches."""
    alternatives = "|".join(f"a{n}.*b{n}" for n in range(4000))
    queries = [{"regexp": {"text": alternatives}}, {"regexp": {"text": "(a|aa|aaa)*(.{400})[b-c](.{400})"}},
               {"wildcard": {"text": "*a" * 400 + "b"}}, {"fuzzy": {"text": "a" * 500}},
               {"query_string": {"query": "text:/(a|aa)*b/ OR " * 200 + "x"}}, {"match": {"text": "a b c d " * 60}},
               {"match_phrase": {"text": "a a a a a a a a a b"}},
               {"bool": {"should": [{"regexp": {"text": f"(a|aa|aaa)*(.{{90}})[b-c]{n}"}} for n in range(200)]}}]
    return at_once([lambda one=one: kuzzle(service, "POST", "/mine/things/_search", {"query": one}) for one in queries])


def costly_searches(service):
    """2.6: aggregations within aggregations, sorts, pages far on, clauses by the thousand."""
    buckets = {}
    for n in range(4):
        buckets = {f"a{n}": {"terms": {"field": "numbers", "size": 10_000}, **({"aggs": buckets} if buckets else {})}}
    bodies = [{"aggs": buckets}, {"aggs": {f"t{n}": {"terms": {"field": "many", "size": 10_000}} for n in range(32)}},
              {"aggs": {"h": {"histogram": {"field": "numbers", "interval": 0.000001}}}},
              {"aggs": {"d": {"date_histogram": {"field": "n", "fixed_interval": "1ms"}}}},
              {"query": {"terms": {"n": list(range(200_000))}}}, {"query": {"ids": {"values": ["x"] * 100_000}}},
              {"sort": [{f"f{n}": "asc"} for n in range(1_000)]}, {"from": 9_000, "size": 1_000},
              {"query": {"bool": {"should": [{"term": {"n": n}} for n in range(20_000)]}}}]
    answers = at_once([lambda body=body: kuzzle(service, "POST", "/mine/things/_search", body) for body in bodies])
    nested = json.dumps({"query": 0}).replace("0", '{"bool":{"must":[' * 5_000 + '{"match_all":{}}' + "]}}" * 5_000)
    return answers + [kuzzle(service, "POST", "/mine/things/_search", nested)]


def many_scrolls(service):
    """3.8: two thousand scrolls for a day; meanwhile somebody else begins one and goes on with it."""
    search = {"query": {"match_all": {}}, "size": 1}

    def open_some():
        return max(kuzzle(service, "POST", "/mine/things/_search?scroll=1d&size=1", search) for _ in range(fewer(service, 250)))
    statuses = at_once([open_some] * 8)
    other = Line(service.ports["kuzzle"], 60)
    begun = other.ask("POST", "/mine/things/_search?scroll=1m&size=1", search)
    scroll = begun.json["result"].get("scrollId") if begun.status == 200 else None
    statuses += at_once([open_some] * 2)
    if scroll:
        statuses.append(other.ask("GET", f"/_scroll/{scroll}").status)
    other.socket.close()
    return statuses + [begun.status]


def deaf_exports(service):
    """3.8: exports that nobody reads."""
    sockets = []
    for _ in range(60):
        one = connect(service.ports["kuzzle"])
        one.sendall(b"GET /mine/things/_export?format=jsonl HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        sockets.append(one)
    statuses = [kuzzle(service, "GET", "/mine/things/wide")]
    for one in sockets:
        one.close()
    return statuses


def costly_koncorde(service):
    """2.2: filters with many conditions, deep ones and large ones."""
    listener = open_websocket(service)
    deep = {"equals": {"n": 1}}
    for _ in range(100):
        deep = {"not": deep}
    filters = [deep, {"or": [{"equals": {"n": n}} for n in range(50_000)]}, {"in": {"n": list(range(200_000))}},
               {"geoPolygon": {"place": {"points": [[n % 180, n % 90] for n in range(50_000)]}}},
               {"and": [{"regexp": {"text": "(a|aa)*(.{50})b$"}} for _ in range(200)]}, {"equals": {"n": "x" * (2 * MIB)}}]
    statuses = []
    for one in filters:
        try:
            statuses.append(subscribe(listener, one))
        except (OSError, ValueError):
            statuses.append(0)
            listener = open_websocket(service)
    listener.close()
    return statuses
