"""What /metrics says of a server that runs."""

import re
import time
import unittest

from server import Server

SERIES = re.compile(r'^([a-z_]+)(?:\{(.*)\})? (\S+)$')


def read(server):
    """(name, labels as they are written) to the number."""
    found = (SERIES.match(line) for line in server.get("/metrics").text.splitlines())
    return {(one.group(1), one.group(2) or ""): float(one.group(3)) for one in found if one}


class Metrics(unittest.TestCase):
    def test_answers_are_counted_by_api_and_status_and_timed(self):
        with Server(cosmos_port="0", kuzzle_port="0") as server:
            server.must("PUT", "/v1/databases/app")
            for _ in range(3):
                self.assertEqual(server.get("/v1/databases/none").status, 404)
            self.assertEqual(server.get("/data/workspace/w/api/v1/structures", headers={"authorization": "Bearer x"}).status, 200)
            self.assertEqual(server.ask_kuzzle("GET", "/_now").status, 200)
            self.assertEqual(server.call("GET", "/dbs", host=server.cosmos).status, 401)
            self.assertEqual(server.get("/v1", headers={"host": "evil.example"}).status, 421)
            # An answer is counted once it has left, by the thread that sent it.
            ends = time.monotonic() + 30
            while True:
                metrics = read(server)
                counted_by_labels = {labels: n for (name, labels), n in metrics.items() if name == "mayfly_answers_total"}
                counted_by_labels.pop('api="native",status="200"', None)  # of the metrics themselves
                if sum(counted_by_labels.values()) >= 8 or time.monotonic() > ends:
                    break

            def counted(api, status):
                return metrics.get(("mayfly_answers_total", f'api="{api}",status="{status}"'), 0)

            self.assertEqual([counted("native", status) for status in (201, 404, 421)], [1, 3, 1], metrics)
            self.assertEqual([counted("centrali", 200), counted("kuzzle", 200), counted("cosmos", 401)], [1, 1, 1])
            of_refused = 'api="native",class="4xx"'
            self.assertEqual(metrics["mayfly_answer_seconds_count", of_refused], 4)
            self.assertEqual(metrics["mayfly_answer_seconds_bucket", of_refused + ',le="+Inf"'], 4)
            self.assertLess(metrics["mayfly_answer_seconds_sum", of_refused], 60)

    def test_documents_are_counted_by_database(self):
        with Server() as server:
            server.must("PUT", "/v1/databases/app")
            server.must("PUT", "/v1/databases/app/collections/c")
            for name in "abc":
                server.must("PUT", f"/v1/databases/app/collections/c/documents/{name}", {})
            ends = time.monotonic() + 30
            while read(server).get(("mayfly_documents", 'database="app"')) != 3:
                self.assertLess(time.monotonic(), ends)
            server.must("DELETE", "/v1/databases/app")
            while ("mayfly_documents", 'database="app"') in read(server):
                self.assertLess(time.monotonic(), ends)

    def test_the_process_its_memory_its_clock_and_its_build_are_there(self):
        with Server() as server:
            metrics = read(server)
            resident = metrics["process_resident_memory_bytes", ""]
            parts = {labels: bytes for (name, labels), bytes in metrics.items() if name == "mayfly_memory_bytes"}
            self.assertEqual(sorted(parts), [f'part="{part}"' for part in ("code", "heap", "other", "requests", "store")])
            self.assertLess(abs(sum(parts.values()) - resident), resident / 10)
            with open(f"/proc/{server.process.pid}/status") as status:
                rss = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS:"))
            self.assertLess(abs(rss - resident), rss / 4)
            self.assertGreater(metrics["process_cpu_seconds_total", ""], 0)
            self.assertGreater(metrics["process_open_fds", ""], 5)
            self.assertGreater(metrics["process_max_fds", ""], metrics["process_open_fds", ""])
            self.assertLess(abs(metrics["process_start_time_seconds", ""] - time.time()), 600)
            self.assertEqual(metrics["mayfly_clock_virtual", ""], 1)
            self.assertEqual(metrics["mayfly_clock_seconds", ""] // 1, 1772186400)
            version = server.must("GET", "/v1").json["version"]
            self.assertEqual([value for (name, labels), value in metrics.items()
                              if name == "mayfly_build_info" and f'version="{version}"' in labels], [1])


if __name__ == "__main__":
    unittest.main()
