"""What hostile clients do, a row each: what it is, whether the server has an administrator, and which answers it may get.

An attack gives the statuses it was answered with; 0 stands for a connection that the server ended. Everything goes to
127.0.0.1 and is bounded in count and time."""

import time
from dataclasses import dataclass

import at_connections
import at_cosmos
import at_kuzzle
import at_native


def nothing(_service):
    """What others wait on this machine without any attack."""
    time.sleep(3)
    return []


@dataclass
class Attack:
    row: str
    name: str
    run: object
    allowed: set            # statuses that it may be answered with
    wanted: set = frozenset()   # one of these must be among them
    has_admin: bool = False
    restarts: bool = False  # what it left must not stand in the way of a start
    ends_amid: bool = False  # also in short, SIGTERM comes while it goes on
    is_long: bool = False   # not in short: it takes its time wherever it fails


DONE = {200, 201}
NEVER = {0, 400, 401, 403, 404, 405, 408, 409, 411, 412, 413, 414, 415, 422, 429, 431, 503, 504}
ANY = DONE | NEVER | {206, 207, 501}

ATTACKS = [
    Attack("0", "nothing", nothing, set(), is_long=True),
    Attack("2.1", "malformed rows of a dialect", at_native.malformed_rows, DONE | {400, 403, 404}, restarts=True),
    Attack("2.2", "a costly subscription", at_kuzzle.costly_subscription, DONE | {400, 413}),
    Attack("2.2b", "many costly subscriptions", at_kuzzle.many_subscriptions, ANY, is_long=True),
    Attack("2.2c", "filters of subscriptions", at_kuzzle.costly_koncorde, ANY, is_long=True),
    Attack("2.3", "idle WebSockets that sent much", at_kuzzle.idle_large_messages, {0, 400, 401, 403, 413}, has_admin=True),
    Attack("2.3b", "the same, where all may", at_kuzzle.idle_large_messages, ANY, is_long=True),
    Attack("2.3c", "messages that do not end", at_kuzzle.messages_without_an_end, ANY, is_long=True),
    Attack("2.3d", "answers that nobody reads", at_kuzzle.deaf_websockets, ANY),
    Attack("2.4", "large bodies without rights", at_kuzzle.large_bodies, {0, 401, 403, 413, 429, 503}, has_admin=True),
    Attack("2.4b", "the same, where all may", at_kuzzle.large_bodies, ANY, is_long=True),
    Attack("2.4c", "bodies that grow when parsed", at_native.parsed_bodies, ANY, is_long=True),
    Attack("2.4d", "deep JSON", at_native.deep_json, ANY),
    Attack("2.4e", "large transactions", at_native.large_transactions, ANY, is_long=True),
    Attack("2.5", "nested subqueries", at_cosmos.nested_arrays, {400}, wanted={400}),
    Attack("2.5b", "values that grow", at_cosmos.growing_values, ANY, is_long=True),
    Attack("2.6", "quadratic searches", at_cosmos.quadratic_text, DONE | {400, 408, 413, 429}),
    Attack("2.6b", "quadratic arrays", at_cosmos.quadratic_arrays, ANY, is_long=True),
    Attack("2.6c", "endless joins", at_cosmos.endless_joins, ANY, ends_amid=True),
    Attack("2.6d", "shapes", at_cosmos.costly_shapes, ANY),
    Attack("2.6e", "deep queries", at_cosmos.deep_queries, ANY),
    Attack("2.6f", "filters", at_native.costly_filters, ANY),
    Attack("2.6g", "searches and aggregations", at_kuzzle.costly_searches, ANY, is_long=True),
    Attack("2.7", "a costly condition of a PATCH", at_cosmos.costly_condition, DONE | {400, 408, 412, 413, 429}, is_long=True),
    Attack("2.7b", "costly batches", at_cosmos.costly_batch, ANY, is_long=True),
    Attack("2.8", "bodies that do not end", at_connections.bodies_without_an_end, DONE),
    Attack("2.8b", "slow heads", at_connections.slow_heads, DONE),
    Attack("2.8c", "all connections", at_connections.all_connections, DONE, is_long=True),
    Attack("2.8d", "large heads", at_connections.large_heads, ANY),
    Attack("2.8e", "answers that nobody reads", at_connections.answers_not_read, DONE),
    Attack("2.8f", "requests by the thousand", at_connections.many_requests, DONE),
    Attack("2.8g", "upgrades", at_connections.upgrades, {101, 200, 400, 404, 426}, wanted={101}),
    Attack("2.9", "long scripts", at_cosmos.long_scripts, DONE | {400, 403, 408, 413, 429, 503}, ends_amid=True),
    Attack("2.9b", "functions and triggers", at_cosmos.long_functions, ANY, is_long=True),
    Attack("2.9c", "many scripts", at_cosmos.many_scripts, DONE | {400, 403, 408, 413, 429, 503}, ends_amid=True),
    Attack("2.10", "wrong logins", at_kuzzle.wrong_logins, {401, 429, 503}, wanted={401}, has_admin=True),
    Attack("2.11", "large patterns", at_cosmos.large_patterns, DONE | {400, 408, 413}),
    Attack("2.11b", "patterns of searches", at_kuzzle.large_patterns, ANY, is_long=True),
    Attack("2.11c", "patterns of records", at_native.costly_records, ANY, is_long=True),
    Attack("3.8", "scrolls", at_kuzzle.many_scrolls, DONE | {400, 413, 429}),
    Attack("3.8b", "exports that nobody reads", at_kuzzle.deaf_exports, ANY),
    Attack("3.8c", "streams that nobody reads", at_native.deaf_streams, DONE, is_long=True),
    Attack("3.8d", "requests that wait", at_native.waiting_readers, ANY),
    Attack("3.8e", "webhooks", at_native.many_webhooks, ANY),
]
