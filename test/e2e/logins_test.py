"""Logins cost much by design. Many wrong ones at once are refused, and no other request waits for them."""

import http.client
import json
import socket
import unittest

from server import Server

WRONG = json.dumps({"username": "boss", "password": "wrong"}).encode()
CLIENTS = 64
OF_ONE_CLIENT = 16  # limits::costly_requests_of_client_max


def with_admin(server):
    made = server.ask_kuzzle("POST", "/boss/_createFirstAdmin?reset=1", {
        "content": {}, "credentials": {"local": {"username": "boss", "password": "pw"}}})
    assert made.status == 200, made
    return server


def log_in(server, password="pw"):
    return server.ask_kuzzle("POST", "/_login/local", {"username": "boss", "password": password})


class Attacker:
    """One connection with one wrong login, whose answer is read later."""

    def __init__(self, address):
        host, port = address.split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=60)
        self.socket.sendall(b"POST /_login/local HTTP/1.1\r\nHost: " + address.encode()
                            + b"\r\nContent-Type: application/json\r\nContent-Length: "
                            + str(len(WRONG)).encode() + b"\r\n\r\n" + WRONG)

    def answer(self):
        response = http.client.HTTPResponse(self.socket)
        response.begin()
        body = json.loads(response.read())
        self.socket.close()
        return response.status, body


class Logins(unittest.TestCase):
    def test_of_many_wrong_logins_at_once_most_are_refused_and_the_rest_of_the_server_goes_on(self):
        with with_admin(Server(cosmos_port="0", kuzzle_port="0")) as server:
            server.must("PUT", "/v1/databases/app")
            server.must("PUT", "/v1/databases/app/collections/c")
            server.must("PUT", "/v1/databases/app/collections/c/documents/d", {"n": 1})
            attackers = [Attacker(server.kuzzle) for _ in range(CLIENTS)]
            for _ in range(20):
                self.assertEqual(server.get("/v1/databases/app/collections/c/documents/d").status, 200)
                self.assertEqual(server.ask_cosmos("GET", "/dbs/app").status, 200)
                self.assertEqual(server.ask_kuzzle("GET", "/_serverInfo").status, 200)
                # What is no point read is a worker's.
                self.assertEqual(server.get("/v1/databases/app/collections/c/documents").status, 200)
            answers = [one.answer() for one in attackers]
            statuses = [status for status, _ in answers]
            self.assertEqual(set(statuses), {401, 429}, statuses)
            self.assertGreaterEqual(statuses.count(401), OF_ONE_CLIENT)
            for status, body in answers:
                if status == 429:
                    self.assertEqual(body["error"]["message"], "Rejected: Too many login attempts per second")
            self.assertEqual(log_in(server).status, 200)
            self.assertEqual(log_in(server, "wrong").status, 401)

    def test_who_may_not_write_is_told_before_the_body_has_come(self):
        with with_admin(Server(kuzzle_port="0")) as server:
            host, port = server.kuzzle.split(":")
            for path, size, status in (("/idx/col/_create", 10_000_000, 403), ("/_login/local", 65_537, 413)):
                with socket.create_connection((host, int(port)), timeout=60) as one:
                    one.sendall(f"POST {path} HTTP/1.1\r\nHost: {server.kuzzle}\r\nContent-Type: application/json\r\n"
                                f"Content-Length: {size}\r\n\r\n".encode())
                    # Nothing of the body is ever sent.
                    one.settimeout(8)
                    response = http.client.HTTPResponse(one)
                    response.begin()
                    self.assertEqual(response.status, status, path)


if __name__ == "__main__":
    unittest.main()
