"""A client that may not ask holds no memory: it is refused by the head of its request, before it sends the body."""

import http.client
import unittest

from server import Server

DOCUMENT = "/v1/databases/app/collections/c/documents/a"
RECORDS = "/data/workspace/acme/api/v1/records"


class Heads(unittest.TestCase):
    def status(self, host, method, path, length, key="wrong"):
        """What is answered to a head whose body never comes, on a connection that then ends."""
        connection = http.client.HTTPConnection(host, timeout=30)
        self.addCleanup(connection.close)
        connection.putrequest(method, path)
        for header in (("Content-Type", "application/json"), ("Authorization", f"Bearer {key}"), length):
            connection.putheader(*header)
        connection.endheaders()
        answer = connection.getresponse()
        answer.read()
        self.assertEqual(answer.getheader("connection"), "close")
        return answer.status

    def test_who_has_no_key_sends_no_body(self):
        with Server("--auth-keys", "right", cosmos_port="0") as server:
            for length in (("Content-Length", "4000000"), ("Transfer-Encoding", "chunked")):
                self.assertEqual(self.status(server.host, "PUT", DOCUMENT, length), 401)
                self.assertEqual(self.status(server.host, "POST", RECORDS, length), 401)
                self.assertEqual(self.status(server.cosmos, "POST", "/dbs", length), 401)

    def test_a_body_longer_than_may_be_is_not_sent_either(self):
        with Server("--auth-keys", "right", cosmos_port="0") as server:
            length = ("Content-Length", "8000000")
            self.assertEqual(self.status(server.host, "POST", RECORDS, length), 401)
            self.assertEqual(self.status(server.host, "POST", RECORDS, length, "right"), 413)
            self.assertEqual(self.status(server.host, "PUT", DOCUMENT, length), 413)
            self.assertEqual(self.status(server.cosmos, "POST", "/dbs", length), 413)


if __name__ == "__main__":
    unittest.main()
