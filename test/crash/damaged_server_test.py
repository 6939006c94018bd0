"""A file of a real server's rots: the start is refused or the request is, and whoever runs it is told which file and what
to do."""

import glob
import os
import shutil
import signal
import tempfile
import unittest

from server import Server

BASE = "/v1/databases/d/collections/c"
DOCUMENTS = 400


def flip(path, at):
    with open(path, "r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 0x10]))


class DamagedServerTest(unittest.TestCase):
    def setUp(self):
        self.data = tempfile.mkdtemp(prefix="mayfly-damaged-")
        server = Server(self.data)
        with server.wire() as wire:
            wire.must("PUT", "/v1/databases/d")
            wire.must("PUT", BASE, {"keep_feed_for": 0})
            for i in range(DOCUMENTS):
                wire.must("PUT", f"{BASE}/documents/{i}", {"n": i, "pad": os.urandom(300).hex()})
        self.server = server

    def tearDown(self):
        self.server.kill()
        shutil.rmtree(self.data)

    def test_a_damaged_table_is_named_in_the_log_and_the_rest_is_served(self):
        self.assertEqual(self.server.stop(), 0)
        table = max(glob.glob(self.data + "/*.sst"), key=os.path.getsize)
        flip(table, os.path.getsize(table) // 2)
        self.server = Server(self.data)
        damaged = 0
        with self.server.wire() as wire:
            for i in range(DOCUMENTS):
                status, answer = wire.call("GET", f"{BASE}/documents/{i}")
                if status == 200:
                    self.assertEqual(answer["data"]["n"], i)
                else:
                    self.assertEqual((status, answer["error"]["code"]), (500, "corrupt"))
                    damaged += 1
            self.assertEqual(wire.call("GET", f"{BASE}/documents?limit=1000")[0], 500)
        self.assertTrue(0 < damaged < DOCUMENTS / 2, damaged)
        self.assertIn(os.path.basename(table), self.server.said())
        self.assertIn("backup", self.server.said())

    def test_a_damaged_log_is_named_and_refused_again_and_again(self):
        self.server.kill()
        log = max(glob.glob(self.data + "/*.log"), key=os.path.getsize)
        flip(log, os.path.getsize(log) // 2)
        for _ in range(3):
            self.server = Server(self.data)
            self.assertIsNone(self.server.port)
            self.assertEqual(self.server.end(signal.SIGKILL), 1)
            self.assertIn(os.path.basename(log), self.server.said())
            self.assertIn("restore the directory from a backup", self.server.said())


if __name__ == "__main__":
    unittest.main()
