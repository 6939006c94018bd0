"""HTTP/2 as curl speaks it, on the ports of all APIs, beside HTTP/1.1."""

import json
import os
import subprocess
import tempfile
import unittest

from server import Server


def ask(url, *flags):
    """The version that was spoken, the status, and the body."""
    done = subprocess.run(["curl", "--silent", "--show-error", "--max-time", "30", "--write-out", "\n%{http_version} %{http_code}",
                           *flags, url], capture_output=True, text=True, check=True)
    body, last = done.stdout.rsplit("\n", 1)
    version, status = last.split()
    return version, int(status), body


PRIOR = "--http2-prior-knowledge"


class Http2Test(unittest.TestCase):
    def test_documents_are_written_and_read(self):
        with Server() as server:
            at = f"{server.url}/v1/databases/app"
            self.assertEqual(ask(at, PRIOR, "-X", "PUT")[:2], ("2", 201))
            self.assertEqual(ask(f"{at}/collections/c", PRIOR, "-X", "PUT")[:2], ("2", 201))
            text = json.dumps({"text": "x" * 500_000})
            with tempfile.NamedTemporaryFile("w") as file:
                file.write(text)
                file.flush()
                written = ask(f"{at}/collections/c/documents/d", PRIOR, "-X", "PUT", "-H", "Content-Type: application/json",
                              "--data-binary", f"@{file.name}")
            self.assertEqual(written[:2], ("2", 201))
            read = ask(f"{at}/collections/c/documents/d", PRIOR)
            self.assertEqual(read[:2], ("2", 200))
            self.assertEqual(ask(f"{at}/collections/c/documents/d", "--http1.1")[2], read[2])
            self.assertIn("x" * 500_000, read[2])

    def test_many_requests_share_connections(self):
        # By TLS: over a plain connection this curl fails where several requests wait for it, whatever the server.
        with Server("--tls-ports", "all") as server:
            urls = [server.url.replace("http://", "https://") + "/health"] * 200
            done = subprocess.run(["curl", "--silent", "--insecure", "--parallel", "--parallel-max", "100", "--write-out",
                                   "%{http_version} %{http_code}\n", *sum((["-o", os.devnull, url] for url in urls), [])],
                                  capture_output=True, text=True)
            self.assertEqual(done.stdout, "2 200\n" * 200)

    def test_tls_chooses_it_and_an_upgrade_is_ignored(self):
        with Server("--tls-ports", "all") as server:
            secured = server.url.replace("http://", "https://")
            self.assertEqual(ask(f"{secured}/health", "--insecure")[:2], ("2", 200))
            self.assertEqual(ask(f"{secured}/health", "--insecure", "--http1.1")[:2], ("1.1", 200))
            self.assertEqual(ask(f"{server.url}/health", "--http2")[:2], ("1.1", 200))

    def test_every_api_speaks_it(self):
        with Server(cosmos_port="0", kuzzle_port="0") as server:
            self.assertEqual(ask(f"http://{server.cosmos}/alive", PRIOR)[:2], ("2", 200))
            self.assertEqual(ask(f"http://{server.kuzzle}/_now", PRIOR)[:2], ("2", 200))

    def test_what_curl_follows_goes_on_until_the_server_stops(self):
        with Server() as server:
            at = f"{server.url}/v1/databases/app"
            ask(at, PRIOR, "-X", "PUT")
            ask(f"{at}/collections/c", PRIOR, "-X", "PUT")
            follower = subprocess.Popen(["curl", "--silent", "--no-buffer", "--max-time", "30", PRIOR, "-H", "Accept: text/event-stream",
                                         f"{at}/collections/c/feed"], stdout=subprocess.PIPE, text=True)
            lines = [follower.stdout.readline()]  # it follows from now on
            ask(f"{at}/collections/c/documents/d", PRIOR, "-X", "PUT", "-H", "Content-Type: application/json", "-d", '{"a":1}')
            while "\"d\"" not in "".join(lines):
                line = follower.stdout.readline()
                self.assertTrue(line, "".join(lines))
                lines.append(line)
            server.stop()
            follower.communicate(timeout=30)
            self.assertEqual(follower.returncode, 0)


if __name__ == "__main__":
    unittest.main()
