"""The service's own client for Python, as Debian 12 has it (python3-azure-cosmos 3.1.1), under a virtual clock."""

import unittest

import azure.cosmos.cosmos_client as cosmos_client
import azure.cosmos.errors as errors

from server import COSMOS_KEY, Server


class Client(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(cosmos_port="0")
        cls.client = cls.connect()
        cls.made = 0

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    @classmethod
    def connect(cls):
        return cosmos_client.CosmosClient(f"http://{cls.server.cosmos}/", {"masterKey": COSMOS_KEY})

    def container(self, options=None, **definition):
        """The link of a container of its own, in a database of its own."""
        type(self).made += 1
        database = self.client.CreateDatabase({"id": f"d{self.made}"})
        body = {"id": "c", "partitionKey": {"paths": ["/pk"], "kind": "Hash"}, **definition}
        return self.client.CreateContainer(database["_self"], body, options)["_self"]

    def put(self, link, name, key="a", **members):
        return self.client.UpsertItem(link, {"id": name, "pk": key, **members})

    def ids(self, items):
        return [item["id"] for item in items]

    def listed(self, link):
        return sorted(self.ids(self.client.ReadItems(link)))

    def changes(self, link, position=None, **options):
        """What has changed behind a position, and where it goes on."""
        if position is None:
            options["isStartFromBeginning"] = True
        else:
            options["continuation"] = position
        found = list(self.client.QueryItemsChangeFeed(link, options))
        return self.ids(found), self.client.last_response_headers["etag"]

    def assert_fails(self, status, work, *arguments):
        with self.assertRaises(errors.HTTPFailure) as failed:
            work(*arguments)
        self.assertEqual(failed.exception.status_code, status)
        return failed.exception


class Items(Client):
    def test_are_created_read_replaced_and_deleted(self):
        link = self.container()
        made = self.client.CreateItem(link, {"id": "1", "pk": "a", "n": 1})
        self.assertEqual(made["n"], 1)
        self.assert_fails(409, self.client.CreateItem, link, {"id": "1", "pk": "a"})
        key = {"partitionKey": "a"}
        read = self.client.ReadItem(made["_self"], key)
        self.assertEqual(read, made)
        replaced = self.client.ReplaceItem(made["_self"], {**read, "n": 2})
        self.assertEqual((replaced["n"], replaced["_rid"]), (2, made["_rid"]))
        self.assertNotEqual(replaced["_etag"], made["_etag"])
        stale = {**key, "accessCondition": {"type": "IfMatch", "condition": made["_etag"]}}
        self.assert_fails(412, self.client.DeleteItem, made["_self"], stale)
        self.client.DeleteItem(made["_self"], key)
        self.assert_fails(404, self.client.ReadItem, made["_self"], key)
        self.assertEqual(self.listed(link), [])

    def test_are_read_in_the_session_of_a_client(self):
        link = self.container()
        made = self.put(link, "1")
        written = self.client.last_response_headers["x-ms-session-token"]
        self.client.ReadItem(made["_self"], {"partitionKey": "a"})
        self.assertEqual(self.client.last_response_headers["x-ms-session-token"], written)
        ahead = "0:-1#" + str(int(written.split("#")[1]) + 2000)
        late = self.assert_fails(404, self.client.ReadItem, made["_self"], {"partitionKey": "a", "sessionToken": ahead})
        self.assertEqual(late.sub_status, 1002)

    def test_outlive_the_server_and_its_sessions(self):
        link = self.container()
        made = self.put(link, "1")
        before = self.client.last_response_headers["x-ms-session-token"]
        self.server.restart()
        type(self).client = self.connect()
        read = self.client.ReadItem(made["_self"], {"partitionKey": "a", "sessionToken": before})
        self.assertEqual(read["id"], "1")
        after = self.client.last_response_headers["x-ms-session-token"]
        self.assertGreaterEqual(int(after.split("#")[1]), int(before.split("#")[1]))


class Lifetimes(Client):
    def test_an_item_is_gone_on_every_path_from_its_second_on(self):
        link = self.container(defaultTtl=-1)
        self.put(link, "stays")
        dying = self.put(link, "dies", ttl=10)
        self.server.advance(9)
        self.assertEqual(self.listed(link), ["dies", "stays"])
        self.server.advance(1)
        self.assertEqual(self.listed(link), ["stays"])
        self.assert_fails(404, self.client.ReadItem, dying["_self"], {"partitionKey": "a"})
        found = self.client.QueryItems(link, "SELECT * FROM c WHERE c.id = 'dies'", {"partitionKey": "a"})
        self.assertEqual(list(found), [])
        self.assertEqual(self.client.CreateItem(link, {"id": "dies", "pk": "a"})["id"], "dies")

    def test_the_default_of_the_container_counts_for_what_is_there(self):
        link = self.container()
        self.put(link, "1")
        self.server.advance(60)
        definition = self.client.ReadContainer(link)
        self.assertNotIn("defaultTtl", definition)
        self.client.ReplaceContainer(link, {**definition, "defaultTtl": 60})
        self.assertEqual(self.listed(link), [])
        self.put(link, "2", ttl=-1)
        self.put(link, "3")
        self.server.advance(60)
        self.assertEqual(self.listed(link), ["2"])

    def test_a_wrong_ttl_is_refused(self):
        link = self.container(defaultTtl=-1)
        for ttl in (0, -2, 1.5, "10", 2147483648):
            self.assert_fails(400, self.client.CreateItem, link, {"id": "1", "pk": "a", "ttl": ttl})


class Queries(Client):
    ROWS = (("1", "a", 3), ("2", "b", 1), ("3", "a", 2), ("4", "c", 2))

    def filled(self, **options):
        link = self.container(options or None)
        for name, key, n in self.ROWS:
            self.put(link, name, key, n=n)
        return link

    def rows(self, link, text, **options):
        return list(self.client.QueryItems(link, text, options))

    def test_of_one_key_and_of_all(self):
        link = self.filled()
        text = {"query": "SELECT VALUE c.id FROM c WHERE c.n >= @n", "parameters": [{"name": "@n", "value": 2}]}
        self.assertEqual(self.rows(link, text, partitionKey="a"), ["1", "3"])
        self.assertEqual(sorted(self.rows(link, text, enableCrossPartitionQuery=True)), ["1", "3", "4"])
        self.assert_fails(400, self.rows, link, text)

    def test_are_merged_by_the_client_over_several_ranges(self):
        for throughput in (400, 30000):
            link = self.filled(offerThroughput=throughput)
            across = {"enableCrossPartitionQuery": True, "maxItemCount": 1}
            ordered = self.rows(link, "SELECT c.id, c.n FROM c ORDER BY c.n", **across)
            self.assertEqual([row["n"] for row in ordered], [1, 2, 2, 3])
            self.assertEqual(len(self.rows(link, "SELECT TOP 3 * FROM c ORDER BY c.n DESC", **across)), 3)
            self.assertEqual(self.rows(link, "SELECT VALUE COUNT(1) FROM c", **across), [4])
            self.assertEqual(self.rows(link, "SELECT VALUE SUM(c.n) FROM c", **across), [8])
            self.assertEqual(self.rows(link, "SELECT VALUE AVG(c.n) FROM c", **across), [2])

    def test_an_average_of_nothing_is_none_and_a_count_zero(self):
        for throughput in (400, 30000):
            link = self.filled(offerThroughput=throughput)
            for text, expected in (("AVG(c.none)", None), ("COUNT(c.none)", 0)):
                rows = self.rows(link, f"SELECT VALUE {text} FROM c", enableCrossPartitionQuery=True)
                self.assertEqual(rows, [expected])

    def test_the_least_and_the_greatest_of_nothing_are_beyond_this_client(self):
        """The part of a range without rows has no "item", as in the service; from 4.3.1 on the client knows that."""
        link = self.filled()
        for name in ("MIN", "MAX"):
            with self.assertRaises(KeyError):
                self.rows(link, f"SELECT VALUE {name}(c.none) FROM c", enableCrossPartitionQuery=True)


class ChangeFeed(Client):
    def test_goes_on_from_where_it_was_read(self):
        link = self.container(defaultTtl=-1)
        self.put(link, "1")
        self.put(link, "2", "b")
        self.put(link, "3", ttl=5)
        self.put(link, "1", n=2)
        self.server.advance(5)
        found, position = self.changes(link, partitionKeyRangeId="0")
        self.assertEqual(found, ["2", "1"])
        self.assertEqual(self.changes(link, position, partitionKeyRangeId="0")[0], [])
        self.put(link, "4")
        self.assertEqual(self.changes(link, position, partitionKeyRangeId="0")[0], ["4"])

    def test_is_divided_by_key_ranges(self):
        link = self.container({"offerThroughput": 30000})
        for n in range(40):
            self.put(link, str(n), f"k{n}")
        ranges = list(self.client._ReadPartitionKeyRanges(link))
        self.assertEqual(len(ranges), 5)
        found = [name for each in ranges for name in self.changes(link, partitionKeyRangeId=each["id"])[0]]
        self.assertEqual(sorted(found, key=int), [str(n) for n in range(40)])


if __name__ == "__main__":
    unittest.main()
