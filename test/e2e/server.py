"""Starts the real binary and speaks HTTP to it. Every test of this folder uses it; none sleeps."""

import base64
import hashlib
import hmac
import http.client
import json
import os
import shutil
import signal
import subprocess
import tempfile
import urllib.parse

BINARY = os.environ["MAYFLY_BINARY"]
NOON = "2026-02-27T10:00:00Z"
# The key that emulators of the service are known by.
COSMOS_KEY = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="


class Answer:
    def __init__(self, status, headers, text):
        self.status = status
        self.headers = headers
        self.text = text

    @property
    def json(self):
        return json.loads(self.text)

    def __repr__(self):
        return f"{self.status} {self.text}"


class Server:
    """A server on a free port, with a directory of its own unless one is given."""

    def __init__(self, *flags, data=None, clock=f"virtual:{NOON}", environment=None, cosmos_port="off",
                 kuzzle_port="off", fauna_port="off"):
        self.own_data = None
        if data is None:
            data = self.own_data = tempfile.mkdtemp(prefix="mayfly-test-")
        self.data = data
        self.flags = flags
        self.cosmos_port = cosmos_port
        self.kuzzle_port = kuzzle_port
        self.fauna_port = fauna_port
        self.clock = clock
        self.environment = {**os.environ, **(environment or {})}
        self.start()

    def start(self):
        command = [BINARY, "serve", "--data", self.data, "--native-port", "0",
                   "--cosmos-port", self.cosmos_port, "--kuzzle-port", self.kuzzle_port,
                   "--fauna-port", self.fauna_port, "--clock", self.clock, "--log-level", "warn", *self.flags]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                                        env=self.environment)
        line = self.process.stdout.readline()
        assert line.startswith("native http://"), line
        self.url = line.split()[1]
        self.host = urllib.parse.urlsplit(self.url).netloc
        if self.cosmos_port != "off":
            line = self.process.stdout.readline()
            assert line.startswith("cosmos http://"), line
            self.cosmos = urllib.parse.urlsplit(line.split()[1]).netloc
        if self.kuzzle_port != "off":
            line = self.process.stdout.readline()
            assert line.startswith("kuzzle http://"), line
            self.kuzzle = urllib.parse.urlsplit(line.split()[1]).netloc
        if self.fauna_port != "off":
            line = self.process.stdout.readline()
            assert line.startswith("fauna http://"), line
            self.fauna = urllib.parse.urlsplit(line.split()[1]).netloc

    def call(self, method, path, body=None, headers=None, host=None):
        connection = http.client.HTTPConnection(host or self.host, timeout=30)
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        connection.request(method, urllib.parse.quote(path, safe="/?&=:%+.,@[]()\"'<>!*-_~"), body,
                           {"content-type": "application/json", **(headers or {})})
        response = connection.getresponse()
        answer = Answer(response.status, dict(response.getheaders()), response.read().decode())
        connection.close()
        return answer

    def ask_kuzzle(self, method, path, body=None):
        return self.call(method, path, body, host=self.kuzzle)

    def ask_cosmos(self, method, path, body=None, partition=None, version="2020-07-15", headers=None, key=COSMOS_KEY):
        """A signed request; the path ends in a type of resources, or in one of them."""
        parts = path.strip("/").split("/")
        link = "/".join(parts[:len(parts) // 2 * 2])
        kind = parts[-1] if len(parts) % 2 else parts[-2]
        date = "fri, 27 feb 2026 10:00:00 gmt"
        text = f"{method.lower()}\n{kind}\n{link}\n{date}\n\n"
        signature = base64.b64encode(hmac.new(base64.b64decode(key), text.encode(), hashlib.sha256).digest()).decode()
        given = {"x-ms-date": date, "x-ms-version": version,
                 "authorization": urllib.parse.quote(f"type=master&ver=1.0&sig={signature}", safe=""), **(headers or {})}
        if partition is not None:
            given["x-ms-documentdb-partitionkey"] = json.dumps(partition)
        return self.call(method, path, body, given, host=self.cosmos)

    def ask_fauna(self, query, secret="secret", arguments=None):
        """A query in FQL, whose answer is in the simple format."""
        body = {"query": query, "arguments": arguments or {}}
        return self.call("POST", "/query/1", body, {"authorization": f"Bearer {secret}"}, host=self.fauna)

    def get(self, path, **kw):
        return self.call("GET", path, **kw)

    def must(self, method, path, body=None, headers=None):
        answer = self.call(method, path, body, headers)
        assert 200 <= answer.status < 300, f"{method} {path}: {answer}"
        return answer

    def advance(self, seconds):
        return self.must("POST", "/v1/clock", {"advance_seconds": seconds}).json["now"]

    def set_clock(self, time):
        return self.must("POST", "/v1/clock", {"set": time}).json["now"]

    def stop(self):
        self.end(signal.SIGTERM)

    def kill(self):
        self.end(signal.SIGKILL)

    def end(self, how):
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(30)
        self.process.stdout.close()

    def restart(self, how="stop"):
        getattr(self, how)()
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.kill()
        if self.own_data:
            shutil.rmtree(self.own_data, ignore_errors=True)


def curl(command, server, **replaced):
    """Runs a curl command line as it is printed, but for the host and the given texts."""
    command = command.replace("https://api.centrali.io", server.url)
    command = command.replace("http://127.0.0.1:7007", server.url).replace("localhost:7007", server.host)
    for old, new in replaced.items():
        command = command.replace(old, new)
    command = command.replace("curl ", "curl -sS -w '\\n%{http_code}' ", 1)
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    text, status = done.stdout.rsplit("\n", 1)
    return Answer(int(status), {}, text)
