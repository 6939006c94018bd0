"""Attacks through the Cosmos DB API: queries, conditions and scripts that cost more than they look."""

from clients import COSMOS_THINGS, DOCUMENTS, NO_KEY, ask, at_once, query

ENDLESS = "JOIN x1 IN c.many JOIN x2 IN c.many JOIN x3 IN c.many JOIN x4 IN c.many JOIN x5 IN c.many"


def nested_arrays(service):
    """2.5: subqueries within subqueries, each of which multiplies."""
    inner = "SELECT VALUE x FROM x IN c.many"
    for _ in range(4):
        inner = f"SELECT VALUE ARRAY({inner}) FROM y IN c.many"
    text = f"SELECT ARRAY({inner}) FROM c WHERE c.id = 'wide'"
    return at_once([lambda: query(service, text, words="maximum allowed memory")] * 2)


def growing_values(service):
    """2.5: functions whose result is larger than what they are given, within each other and side by side."""
    text, array = "c.text", "c.numbers"
    for _ in range(8):
        text, array = f"CONCAT({text}, {text})", f"ARRAY_CONCAT({array}, {array})"
    many = ", ".join(f"REPLICATE(c.text, {9_000 + n}) AS r{n}" for n in range(50))
    return at_once([lambda: query(service, f"SELECT VALUE {text} FROM c WHERE c.id = 'long'"),
                    lambda: query(service, f"SELECT VALUE {array} FROM c WHERE c.id = 'numbers'"),
                    lambda: query(service, f"SELECT {many} FROM c WHERE c.id = 'wide'"),
                    lambda: query(service, "SELECT VALUE REPLACE(c.text, 'a', c.text) FROM c WHERE c.id = 'long'"),
                    lambda: query(service, "SELECT VALUE STRINGJOIN(c.numbers, c.text) FROM c WHERE c.id = 'numbers'"),
                    lambda: query(service, "SELECT VALUE STRINGSPLIT(c.text, '') FROM c WHERE c.id = 'long'"),
                    lambda: query(service, f"SELECT * FROM c {ENDLESS} ORDER BY x1 DESC"),
                    lambda: query(service, f"SELECT DISTINCT VALUE [x1, x2, x3, x4, x5] FROM c {ENDLESS}"),
                    lambda: query(service, f"SELECT x1, x2, x3, x4, COUNT(1) FROM c {ENDLESS} GROUP BY x1, x2, x3, x4"),
                    lambda: query(service, f"SELECT VALUE MAKELIST(c) FROM c {ENDLESS}")])


def quadratic_text(service):
    """2.6: a pattern that nearly fits everywhere in a long text."""
    many = " OR ".join(f"CONTAINS(c.text, CONCAT(c.half, 'b{n}'))" for n in range(20))
    return at_once([lambda: query(service, f"SELECT VALUE COUNT(1) FROM c WHERE {many}")] * 2 +
                   [lambda: query(service, "SELECT VALUE REPLACE(c.text, CONCAT(c.half, 'b'), 'x') FROM c WHERE c.id = 'long'")])


def quadratic_arrays(service):
    """2.6: functions that hold each item of an array against each of another."""
    calls = ("SETINTERSECT(c.numbers, c.more)", "SETUNION(c.numbers, c.more)", "ARRAY_CONTAINS_ALL(c.numbers, c.more)",
             "ARRAY_CONTAINS_ANY(c.more, c.numbers)", "(SELECT VALUE COUNT(1) FROM n IN c.numbers WHERE ARRAY_CONTAINS(c.more, n))",
             "(SELECT VALUE COUNT(1) FROM n IN c.numbers WHERE n IN (c.more[0], c.more[1]) OR EXISTS(SELECT 1 FROM m IN c.more WHERE m = n))")
    return at_once([lambda call=call: query(service, f"SELECT VALUE {call} FROM c WHERE c.id = 'numbers'") for call in calls])


def endless_joins(service):
    """2.6: a thousand million rows, of which none is shown; a dozen at once, so that all workers have one."""
    return at_once([lambda: query(service, f"SELECT VALUE COUNT(1) FROM c {ENDLESS} WHERE x1 + x2 + x3 = -1")] * 12)


def costly_shapes(service):
    """2.6: polygons that cross each other everywhere."""
    ring = [[(n % 2) * 10, n / 100] for n in range(1_000)]
    other = [[n / 100, (n % 2) * 10] for n in range(1_000)]
    shapes = {name: {"type": "Polygon", "coordinates": [points + points[:1]]} for name, points in (("a", ring), ("b", other))}
    return at_once([lambda call=call: query(service, f"SELECT VALUE {call}(@a, @b) FROM c", **shapes)
                    for call in ("ST_INTERSECTS", "ST_WITHIN", "ST_DISTANCE")] * 2)


def deep_queries(service):
    """2.6: texts of queries that are deep, long, or neither but end in no token."""
    deep = "(" * 100_000 + "1" + ")" * 100_000
    flat = "1" + "+1" * 100_000
    nested = "SELECT VALUE 1"
    for _ in range(2_000):
        nested = f"SELECT VALUE ({nested})"
    columns = ", ".join(f"c.a AS a{n}" for n in range(20_000))
    return at_once([lambda text=text: query(service, text) for text in (
        f"SELECT VALUE {deep}", f"SELECT VALUE {flat}", nested, f"SELECT {columns} FROM c", "SELECT VALUE " + "NOT " * 100_000 + "true",
        "SELECT VALUE '" + "\\u0041" * 60_000, "SELECT * FROM c WHERE c.n IN (" + "1," * 200_000 + "1)",
        "SELECT VALUE " + "[" * 50_000 + "]" * 50_000, "SELECT VALUE c" + ".a" * 100_000 + " FROM c")])


def costly_condition(service):
    """2.7: the condition of a PATCH is a query."""
    nested = "(SELECT VALUE COUNT(1) FROM a IN c.many JOIN b IN c.many JOIN d IN c.many JOIN e IN c.many)"
    body = {"condition": f"FROM c WHERE {nested} > 1", "operations": [{"op": "set", "path": "/n", "value": 1}]}
    return at_once([lambda: ask(service, "cosmos", "PATCH", f"{DOCUMENTS}/wide", body,
                                {"content-type": "application/json_patch+json"})] * 3)


def costly_batch(service):
    """2.7: a batch of patches, each with a condition that costs."""
    nested = "(SELECT VALUE COUNT(1) FROM a IN c.many JOIN b IN c.many JOIN d IN c.many JOIN e IN c.many)"
    patch = {"operationType": "Patch", "id": "wide", "resourceBody": {
        "condition": f"FROM c WHERE {nested} > 1", "operations": [{"op": "set", "path": "/n", "value": 1}]}}
    headers = {**NO_KEY, "x-ms-cosmos-is-batch-request": "true", "x-ms-cosmos-batch-atomic": "true"}
    large = [{"operationType": "Upsert", "resourceBody": {"id": f"b{n}", "many": [1] * 19_000}} for n in range(100)]
    return at_once([lambda: ask(service, "cosmos", "POST", DOCUMENTS, [patch] * 100, headers)] * 3 +
                   [lambda: ask(service, "cosmos", "POST", DOCUMENTS, large, headers)] * 2)


SCRIPTS = {
    "search": "var s = 'a'; while (s.length < 1e7) s += s; return s.indexOf(s.slice(0, s.length / 2) + 'b');",
    "join": "return new Array(1e9).join('abcdefgh').length;",
    "repeat": "return 'abc'.repeat(5e8).length;",
    "sort": "var a = []; for (var i = 0; i < 1e6; i++) a.push('a'.repeat(40) + (i * 7919) % 1e6); a.sort(); a.sort().reverse();",
    "pattern": "return /^(a+)+$/.test('a'.repeat(40) + 'b');",
    "pattern of a text": "return 'a'.repeat(2e5).replace(/(.*)*x|a*b|(a|aa)+$/g, 'b').length;",
    "spin": "for (;;) {}",
    "catch": "for (;;) { try { for (;;) {} } catch (e) {} }",
    "depth": "var a = []; for (var i = 0; i < 1e6; i++) a = [a]; return JSON.stringify(a).length;",
    "recursion": "function f(n) { return [n].map(f) } return f(1);",
    "memory": "var a = []; for (;;) a.push(new Array(1000).fill(a.length));",
    "buffers": "var a = []; for (;;) a.push(new Uint8Array(1 << 20).fill(1));",
    "concat": "var s = 'a'; for (;;) s += s;",
    "getter": "var o = {}; Object.defineProperty(o, 'a', {get: function () { for (;;) {} }, enumerable: true}); "
              "getContext().getResponse().setBody(o);",
    "documents": "var c = getContext().getCollection(); for (var i = 0; i < 1e5; i++) "
                 "c.createDocument(c.getSelfLink(), {id: 's' + i, a: new Array(1e5).join('x')});",
    "queries": f"var c = getContext().getCollection(); for (var i = 0; i < 1e3; i++) "
               f"c.queryDocuments(c.getSelfLink(), 'SELECT VALUE COUNT(1) FROM c {ENDLESS} WHERE x1 + x2 = -1', function () {{}});",
    "sort of texts": "var s = 'a'.repeat(1e6), t = 'a'.repeat(1e6), a = []; for (var i = 0; i < 1e5; i++) a.push(i % 2 ? s : t); a.sort();",
    "shapes of lists": "var a = []; for (var i = 0; i < 2e6; i++) a.push(i); for (;;) a.unshift(a.splice(1, 1e6).length);",
    "texts of numbers": "var a = (1n << 1000000n) + 1n; return a.toString().length;",
    "equal texts": "var s = 'a'.repeat(4e6), m = new Map(); for (var i = 0; ; i++) m.set(s + i, i);",
    "indexes": "var a = new Array(1e6).fill('a'.repeat(1e6) + 'b'); return a.indexOf('a'.repeat(1e6) + 'c');",
}


def long_scripts(service):
    """2.9: stored procedures that are one operation of the engine, that spin, or that take all they can."""
    names = ("search", "spin", "memory") if service.is_short else tuple(SCRIPTS)
    made = [ask(service, "cosmos", "POST", f"{COSMOS_THINGS}/sprocs",
                {"id": f"long{n}", "body": f"function () {{ {SCRIPTS[name]} }}"}) for n, name in enumerate(names)]
    answers = at_once([lambda n=n: ask(service, "cosmos", "POST", f"{COSMOS_THINGS}/sprocs/long{n}", "[]", NO_KEY)
                       for n in range(len(names))])
    return [status for status in made if status != 409] + answers


def many_scripts(service):
    """2.9c: many procedures at once, each of which takes nearly what one may."""
    body = "function () { var z = new Uint8Array(1.2e7), a = []; for (var i = 0; i < 4; i++) a.push(z.slice()); for (;;) {} }"
    made = ask(service, "cosmos", "POST", f"{COSMOS_THINGS}/sprocs", {"id": "large", "body": body})
    return [made] * (made != 409) + at_once([lambda: ask(service, "cosmos", "POST", f"{COSMOS_THINGS}/sprocs/large", "[]", NO_KEY)] *
                                            (6 if service.is_short else 40))


def long_functions(service):
    """2.9: user defined functions of a query, asked for each of its rows; and a trigger."""
    made = [ask(service, "cosmos", "POST", f"{COSMOS_THINGS}/udfs", {"id": name, "body": f"function (x) {{ {body} }}"})
            for name, body in (("spin", "for (;;) {}"), ("large", "return new Array(1e6).join('x');"), ("one", "return 1;"))]
    made.append(ask(service, "cosmos", "POST", f"{COSMOS_THINGS}/triggers", {
        "id": "spin", "body": "function () { for (;;) {} }", "triggerType": "Pre", "triggerOperation": "All"}))
    triggered = {**NO_KEY, "x-ms-documentdb-pre-trigger-include": "spin"}
    answers = at_once([lambda call=call: query(service, f"SELECT VALUE COUNT({call}) FROM c {ENDLESS}")
                       for call in ("udf.spin(c)", "udf.large(x1)", "udf.one(x1)")] +
                      [lambda: ask(service, "cosmos", "POST", DOCUMENTS, {"id": "t"}, triggered)] * 3)
    return [status for status in made if status != 409] + answers


def large_patterns(service):
    """2.11: alternatives by the thousand, a LIKE of 100,000 places, and what costs most within the bounds."""
    alternatives = "|".join(f"a{n}.*b{n}" for n in range(4000))
    fewer = "|".join(f"a{n}.*b{n}" for n in range(300))
    return at_once([
        lambda: query(service, "SELECT VALUE COUNT(1) FROM c WHERE RegexMatch(c.text, @p)", p=alternatives),
        lambda: query(service, "SELECT VALUE COUNT(1) FROM c WHERE RegexMatch(c.text, @p)", p=fewer),
        lambda: query(service, f"SELECT VALUE COUNT(1) FROM c {ENDLESS} WHERE RegexMatch(c.text, @p)", p="(x+x+)+y"),
        lambda: query(service, "SELECT VALUE COUNT(1) FROM c WHERE RegexMatch(c.text, @p)", p="(a|aa|aaa)*(.{900})[b-c](.{900})$"),
        lambda: query(service, f"SELECT VALUE COUNT(1) FROM c {ENDLESS} WHERE RegexMatch(c.text, CONCAT(@p, ToString(x1)))", p="(a{1,90}){1,9}"),
        lambda: query(service, "SELECT VALUE COUNT(1) FROM c WHERE c.text LIKE @p", p="_" * 100_000 + "b"),
        lambda: query(service, "SELECT VALUE COUNT(1) FROM c WHERE c.text LIKE @p", p="%a" * 50_000 + "b"),
        lambda: query(service, "SELECT VALUE COUNT(1) FROM c WHERE c.text LIKE @p", p="%" + "a_" * 50_000 + "%b")])
