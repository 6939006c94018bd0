"""Compute functions of the Centrali API, against the real server: what expires is cleaned up behind, whatever becomes of the server."""

import pathlib
import time
import unittest

from server import Server

BASE = "/data/workspace/acme/api/v1"
AUTH = {"authorization": "Bearer t"}
PATIENCE = 60

REVOKE = (pathlib.Path(__file__).resolve().parents[2] / "examples" / "centrali" / "clean_up.js").read_text()


def ask(server, method, path, body=None):
    return server.call(method, BASE + path, body, AUTH)


def must(server, method, path, body=None):
    answer = ask(server, method, path, body)
    assert 200 <= answer.status < 300, f"{method} {path}: {answer}"
    return answer.json if answer.text else None


def wait_for(met):
    """What `met` gives once it is true. It asks the server, so each turn takes as long as an answer."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = met()
        if found:
            return found
    raise AssertionError("it never came")


def structure(server, slug, **more):
    must(server, "POST", "/structures", {"name": slug, "recordSlug": slug, "schemaDiscoveryMode": "schemaless", **more})


def create(server, slug, data, parameters=""):
    return must(server, "POST", f"/records/slug/{slug}{parameters}", {"data": data})


def records(server, slug):
    return must(server, "GET", f"/records/slug/{slug}")["data"]


def function(server, code, **more):
    return must(server, "POST", "/compute-functions", {"name": "f", "code": code, **more})["id"]


def trigger(server, function, kind, **metadata):
    return must(server, "POST", "/function-triggers",
                {"name": "t", "functionId": function, "executionType": kind, "triggerMetadata": metadata})


def runs(server, trigger, status=None):
    listed = must(server, "GET", f"/function-triggers/{trigger}/runs")["data"]
    return [run for run in listed if run["status"] == (status or run["status"])]


class Functions(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.__exit__)

    def begin_clean_up(self):
        structure(self.server, "sessions")
        structure(self.server, "tokens")
        made = function(self.server, REVOKE)
        return trigger(self.server, made, "event-driven", event="record.expired", recordSlug="sessions", params={"by": "ttl"})["id"]

    def write_session(self, name):
        session = create(self.server, "sessions", {"user": "u"}, "?ttlSeconds=3600")["id"]
        return create(self.server, "tokens", {"session": session, "name": name})["id"]

    def token(self, id):
        return must(self.server, "GET", f"/records/{id}")["data"]

    def test_1_what_expires_is_cleaned_up_behind(self):
        cleaner = self.begin_clean_up()
        token = self.write_session("a")
        other = create(self.server, "tokens", {"session": "of no one", "name": "b"})["id"]
        self.server.advance(3_700)
        run = wait_for(lambda: runs(self.server, cleaner, "completed"))[0]
        self.assertEqual({"session": self.token(token)["session"], "name": "a", "revoked": True, "by": "ttl"}, self.token(token))
        self.assertNotIn("revoked", self.token(other))
        self.assertEqual(({"revoked": 1}, "revoked a", "event-driven"), (run["result"], run["log"], run["executionSource"]))
        self.assertEqual(run, must(self.server, "GET", f"/function-runs/{run['id']}"))

    def test_2_a_death_is_not_lost_where_the_server_is_killed(self):
        cleaner = self.begin_clean_up()
        tokens = [self.write_session(f"t{n}") for n in range(30)]
        self.server.advance(3_700)
        self.server.restart("kill")
        wait_for(lambda: all(self.token(token).get("revoked") for token in tokens))
        self.assertTrue(runs(self.server, cleaner, "completed"))

    def test_3_what_happens_while_a_trigger_is_paused_is_run_afterwards(self):
        cleaner = self.begin_clean_up()
        self.assertEqual("paused", must(self.server, "POST", f"/function-triggers/{cleaner}/pause")["status"])
        first = self.write_session("a")
        self.server.advance(3_700)
        self.assertEqual([], runs(self.server, cleaner))
        self.assertEqual("active", must(self.server, "POST", f"/function-triggers/{cleaner}/resume")["status"])
        wait_for(lambda: self.token(first).get("revoked"))

    def test_4_a_circle_is_cut(self):
        structure(self.server, "echoes")
        made = function(self.server, "async function run() { await api.createRecord('echoes', { n: executionParams.data.n + 1 }); }")
        echo = trigger(self.server, made, "event-driven", event="record_created", recordSlug="echoes")["id"]
        create(self.server, "echoes", {"n": 0})
        failed = wait_for(lambda: runs(self.server, echo, "failed"))
        self.assertIn("circle", failed[0]["error"])
        self.assertEqual(list(range(9)), sorted(record["data"]["n"] for record in records(self.server, "echoes")))
        # The last function may still run when what it wrote has been cut.
        wait_for(lambda: len(runs(self.server, echo, "completed")) == 8)
        self.assertEqual(1, len(runs(self.server, echo, "failed")))

    def test_4_a_wide_circle_is_cut(self):
        structure(self.server, "sparks")
        made = function(self.server, "async function run() { for (let i = 0; i < 3; ++i) await api.createRecord('sparks', {}); }")
        fire = trigger(self.server, made, "event-driven", event="record_created", recordSlug="sparks")["id"]
        create(self.server, "sparks", {})
        # The first run and the 1,000 that descend from it write three records each; every record has its event.
        last = wait_for(lambda: runs(self.server, fire, "failed"))[0]
        self.assertIn("a circle was cut", last["error"])
        wait_for(lambda: must(self.server, "GET", "/records/slug/sparks/count")["count"] == 1 + 3 * 1_001)
        wait_for(lambda: any("1000 runs descend from one run" in run["error"] for run in runs(self.server, fire, "failed")))

    def test_4_what_fails_is_tried_again_and_then_given_up(self):
        structure(self.server, "orders")
        made = function(self.server, "async function run() { if (executionParams.data.bad) throw new Error('no'); }")
        failing = trigger(self.server, made, "event-driven", event="record_created", recordSlug="orders")["id"]
        create(self.server, "orders", {"bad": True})
        # A run is shown before the engine has seen its end, from which the next attempt counts.
        wait_for(lambda: self.server.advance(60) and len(runs(self.server, failing, "failed")) == 3)
        create(self.server, "orders", {"bad": False})
        wait_for(lambda: runs(self.server, failing, "completed"))
        failed = runs(self.server, failing, "failed")
        self.assertEqual([3, 2, 1], [run["attempt"] for run in failed])
        self.assertIn("Error: no", failed[0]["error"])

    def test_4_a_record_that_lives_longer_begins_no_circle(self):
        structure(self.server, "timers")
        made = function(self.server, "async function run() { await api.createRecord('timers', {}, { ttlSeconds: 61 }); }")
        timer = trigger(self.server, made, "event-driven", event="record_expired", recordSlug="timers")["id"]
        create(self.server, "timers", {}, "?ttlSeconds=61")
        for round in range(1, 11):
            self.server.advance(62)
            wait_for(lambda round=round: len(runs(self.server, timer, "completed")) == round)
        self.assertEqual([], runs(self.server, timer, "failed"))

    def test_5_what_is_scheduled_runs_at_its_time(self):
        structure(self.server, "reports")
        made = function(self.server, "async function run() { await api.createRecord('reports', { at: new Date().toISOString() }); }")
        daily = trigger(self.server, made, "scheduled", scheduleType="cron", cronExpression="0 9 * * *", timezone="Europe/Berlin")
        self.assertEqual("2026-02-28T08:00:00Z", daily["nextRunAt"])
        shown = f"/function-triggers/{daily['id']}"
        for days in range(1, 4):
            self.server.set_clock(f"2026-03-0{days}T08:00:00Z")
            wait_for(lambda days=days: must(self.server, "GET", shown)["nextRunAt"] == f"2026-03-0{days + 1}T08:00:00Z")
            self.assertEqual(days, len(records(self.server, "reports")))
        # The clock leaps a month, and the server was down meanwhile: one run for all that were missed, and summer time.
        self.server.restart("kill")
        self.server.set_clock("2026-04-05T12:00:00Z")
        wait_for(lambda: must(self.server, "GET", shown)["nextRunAt"] == "2026-04-06T07:00:00Z")
        self.assertEqual(4, len(records(self.server, "reports")))

    def test_5_what_was_missed_while_paused_runs_once(self):
        made = function(self.server, "async function run() { return executionParams.scheduledAt; }")
        once = trigger(self.server, made, "scheduled", scheduleType="once", scheduledAt="2026-03-01T00:00:00Z")["id"]
        often = trigger(self.server, made, "scheduled", scheduleType="interval", interval=60)["id"]
        for paused in (once, often):
            must(self.server, "POST", f"/function-triggers/{paused}/pause")
        self.server.set_clock("2026-03-05T00:00:00Z")
        for paused in (once, often):
            must(self.server, "PATCH", f"/function-triggers/{paused}", {"name": "renamed"})
            self.assertEqual([], runs(self.server, paused))
            must(self.server, "POST", f"/function-triggers/{paused}/resume")
        for resumed, due, following in ((once, "2026-03-01T00:00:00Z", None), (often, "2026-02-27T10:01:00Z", "2026-03-05T00:01:00Z")):
            wait_for(lambda one=resumed, at=following: must(self.server, "GET", f"/function-triggers/{one}")["nextRunAt"] == at)
            self.assertEqual([due], [run["result"] for run in runs(self.server, resumed)])

    def test_6_functions_are_invoked(self):
        made = function(self.server, "async function run() { return { got: executionParams, with: triggerParams }; }")
        asked = trigger(self.server, made, "on-demand", params={"a": 1})["id"]
        run = must(self.server, "POST", f"/function-triggers/{asked}/invoke", {"params": {"b": 2}})
        self.assertEqual(("completed", {"got": {"b": 2}, "with": {"a": 1}}), (run["status"], run["result"]))
        trigger(self.server, made, "http-trigger", path="hooks/pay")
        got = must(self.server, "POST", "/http-trigger/hooks/pay?x=1", {"c": 3})["got"]
        self.assertEqual(("POST", {"x": "1"}, {"c": 3}), (got["method"], got["query"], got["body"]))
        self.assertNotIn("authorization", got["headers"])
        self.assertEqual(404, ask(self.server, "GET", "/http-trigger/hooks").status)

    def test_7_nothing_leaves_the_server_unless_a_setting_says_so(self):
        made = function(self.server, "async function run() { return (await api.httpGet(executionParams.url)).status; }")
        asked = trigger(self.server, made, "on-demand")["id"]

        def invoked():
            return must(self.server, "POST", f"/function-triggers/{asked}/invoke", {"url": f"{self.server.url}/v1/databases"})

        self.assertIn("functions.allow_outbound", invoked()["error"])
        self.server.flags = ("--functions-allow-outbound",)
        self.server.restart()
        self.assertIn("private network", invoked()["error"])
        self.server.flags = ("--functions-allow-outbound", "--webhooks-allow-private")
        self.server.restart()
        self.assertEqual(200, invoked()["result"])

    def test_8_subscriptions_of_triggers_are_not_the_native_api_s(self):
        cleaner = self.begin_clean_up()
        native = "/v1/databases/acme/subscriptions"
        self.assertEqual([], self.server.must("GET", native).json["subscriptions"])
        self.assertEqual(404, self.server.call("DELETE", f"{native}/{cleaner}").status)


if __name__ == "__main__":
    unittest.main()
