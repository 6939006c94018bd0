"""The commands of the Centrali guide to record TTL as they are printed there, against the real server."""

import unittest

from server import Server, curl

STRUCTURES = "/data/workspace/acme/api/v1/structures"
RECORDS = "/data/workspace/acme/api/v1/records"
KEY = {"authorization": "Bearer YOUR_API_KEY"}

SET_DEFAULT = '''curl -X PUT "https://api.centrali.io/workspace/acme/api/v1/structures/str_sessions" \\
-H "Authorization: Bearer YOUR_API_KEY" \\
-H "Content-Type: application/json" \\
-d '{
"defaultTtlSeconds": 86400
}' '''
CREATE_WITH_TTL = '''curl -X POST "https://api.centrali.io/data/workspace/acme/api/v1/records?ttlSeconds=3600" \\
-H "Authorization: Bearer YOUR_API_KEY" \\
-H "Content-Type: application/json" \\
-d '{
"structureId": "str_sessions",
"data": {
"userId": "user-123",
"token": "abc-xyz"
}
}' '''
CREATE_WITH_EXPIRY = '''curl -X POST "https://api.centrali.io/data/workspace/acme/api/v1/records?expiresAt=2026-09-01T00:00:00Z" \\
-H "Authorization: Bearer YOUR_API_KEY" \\
-H "Content-Type: application/json" \\
-d '{
"structureId": "str_promotions",
"data": {
"code": "SUMMER2026",
"discount": 20
}
}' '''
RESET_TTL = '''curl -X PATCH "https://api.centrali.io/data/workspace/acme/api/v1/records/rec_xyz789?ttlSeconds=7200" \\
-H "Authorization: Bearer YOUR_API_KEY" \\
-H "Content-Type: application/json" \\
-d '{ "data": {} }' '''
CLEAR_TTL = '''curl -X PATCH "https://api.centrali.io/data/workspace/acme/api/v1/records/rec_xyz789?clearTtl=true" \\
-H "Authorization: Bearer YOUR_API_KEY" \\
-H "Content-Type: application/json" \\
-d '{ "data": {} }' '''


def make_structures(server):
    for id, name in (("str_sessions", "Sessions"), ("str_promotions", "Promotions")):
        server.must("POST", STRUCTURES, {"id": id, "name": name}, KEY)


def is_there(server, record, structure):
    """Whether get, list, query and count show it; they must agree."""
    one = server.get(f"{RECORDS}/{record}", headers=KEY).status == 200
    listed = server.must("GET", f"{RECORDS}?structureId={structure}", None, KEY).json["data"]
    query = {"resource": structure, "where": {"id": {"eq": record}}}
    queried = server.must("POST", f"{RECORDS}/query", query, KEY).json["data"]
    total = server.must("GET", f"{RECORDS}?structureId={structure}&includeTotal=true", None,
                        KEY).json["meta"]["total"]
    counted = server.must("GET", f"{RECORDS}/count?structureId={structure}", None, KEY).json
    count = counted.get("count", counted.get("total"))
    seen = {one, record in [r["id"] for r in listed], len(queried) == 1, total == 1, count == 1}
    assert len(seen) == 1, f"the ways of reading disagree: {one} {listed} {queried} {total} {counted}"
    return one


class CentraliSeed(unittest.TestCase):
    def test_every_command_runs_as_printed(self):
        with Server() as server:
            make_structures(server)
            changed = curl(SET_DEFAULT, server)
            self.assertEqual((changed.status, changed.json["defaultTtlSeconds"]), (200, 86400))

            session = curl(CREATE_WITH_TTL, server)
            self.assertEqual(session.status, 201)
            self.assertEqual(session.json["data"], {"userId": "user-123", "token": "abc-xyz"})
            self.assertEqual(session.json["expiresAt"][:16], "2026-02-27T11:00")

            promotion = curl(CREATE_WITH_EXPIRY, server)
            self.assertEqual(promotion.status, 201)
            self.assertEqual(promotion.json["expiresAt"], "2026-09-01T00:00:00Z")

            server.must("POST", f"{RECORDS}?ttlSeconds=60",
                        {"id": "rec_xyz789", "structureId": "str_sessions", "data": {"n": 1}}, KEY)
            reset = curl(RESET_TTL, server)
            self.assertEqual((reset.status, reset.json["expiresAt"][:16]), (200, "2026-02-27T12:00"))
            self.assertEqual(reset.json["data"], {"n": 1})
            cleared = curl(CLEAR_TTL, server)
            self.assertEqual((cleared.status, cleared.json["expiresAt"]), (200, None))

            removed = curl(SET_DEFAULT.replace("86400", "null"), server)
            self.assertEqual((removed.status, removed.json["defaultTtlSeconds"]), (200, None))

    def test_the_commands_run_on_the_clock_of_the_machine(self):
        with Server(clock="system") as server:
            make_structures(server)
            for command, status in ((SET_DEFAULT, 200), (CREATE_WITH_TTL, 201), (CREATE_WITH_EXPIRY, 201)):
                self.assertEqual(curl(command, server).status, status, command)

    def test_at_its_expiry_a_record_is_gone_from_get_list_query_and_count_without_a_sweep(self):
        with Server("--sweeper-paused") as server:
            make_structures(server)
            record = curl(CREATE_WITH_TTL, server).json
            self.assertTrue(is_there(server, record["id"], "str_sessions"))
            server.set_clock(record["expiresAt"])
            self.assertFalse(is_there(server, record["id"], "str_sessions"))
            server.restart("kill")
            self.assertFalse(is_there(server, record["id"], "str_sessions"))
            server.restart("stop")
            self.assertFalse(is_there(server, record["id"], "str_sessions"))
            self.assertEqual(server.get("/v1/clock").json["now"][:16], record["expiresAt"][:16])

    def test_a_record_that_the_restart_finds_alive_dies_at_its_instant(self):
        with Server("--sweeper-paused") as server:
            make_structures(server)
            record = curl(CREATE_WITH_TTL, server).json
            server.restart("kill")
            self.assertTrue(is_there(server, record["id"], "str_sessions"))
            server.set_clock(record["expiresAt"])
            self.assertFalse(is_there(server, record["id"], "str_sessions"))

    def test_sixty_days_pass_in_one_call(self):
        with Server() as server:
            make_structures(server)
            sixty_days = 60 * 86400
            record = curl(CREATE_WITH_TTL.replace("3600", str(sixty_days)), server).json
            server.advance(sixty_days - 1)
            self.assertTrue(is_there(server, record["id"], "str_sessions"))
            server.advance(1)
            self.assertFalse(is_there(server, record["id"], "str_sessions"))


if __name__ == "__main__":
    unittest.main()
