"""A message broker that is away: at the start, then again for as long as it is asked, killed with -9 each time, while documents
die. In the end JetStream holds each message once, and the server's memory had a bound.

`./dev soak --outage MINUTES`"""

import json
import pathlib
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

from server import Server

BROKER = "/usr/sbin/nats-server"
BATCH = 500          # documents of a transaction
PER_SECOND = 1_000   # documents
TTL = 2              # seconds
PATIENCE = 600       # seconds, until all is there
GROWTH_MAX_MIB = 400


class Broker:
    """One directory and one port, however often it is started."""

    def __init__(self):
        self.directory = tempfile.TemporaryDirectory(prefix="mayfly-nats-")
        self.port, self.monitor = free_port(), free_port()
        self.process = None

    def start(self):
        self.process = subprocess.Popen([BROKER, "-a", "127.0.0.1", "-p", str(self.port), "-m", str(self.monitor), "-js", "-sd",
                                         self.directory.name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self):
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def messages(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.monitor}/jsz", timeout=10) as answer:
                return json.load(answer)["messages"]
        except OSError:
            return 0  # it is starting


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def resident_mib(server):
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


class Outage:
    def __init__(self, minutes):
        self.seconds = minutes * 60
        self.written = 0
        self.most_mib = 0

    def run(self):
        broker = Broker()
        try:
            with Server("--nats-url", f"nats://127.0.0.1:{broker.port}", clock="system") as server:
                server.must("PUT", "/v1/databases/b")
                server.must("PUT", "/v1/databases/b/collections/c", {"keep_feed_for": 60})
                server.must("POST", "/v1/databases/b/subscriptions", {"kinds": ["expired"], "target": {"nats": {}}})
                return self.run_with(server, broker)
        finally:
            broker.kill()

    def run_with(self, server, broker):
        begin_mib = resident_mib(server)
        for part, is_there in enumerate([False, True, False, True]):
            if is_there:
                broker.start()
            else:
                broker.kill()
            self.write(server, self.seconds / 4)
            lag = max((float(line.split()[-1]) for line in server.get("/metrics").text.splitlines()
                       if line.startswith("mayfly_subscription_lag_seconds")), default=0)
            print(f"part {part + 1}: broker {'there' if is_there else 'away'}, {self.written} documents, {broker.messages() if is_there else '-'} "
                  f"messages stored, lag {lag:.0f} s, at most {self.most_mib:.0f} MiB", flush=True)
            if not is_there and "warnings" not in server.get("/ready").json:
                return ["/ready says nothing of a broker that is away"]
        # To the subscription each death; by the server's own, each creation and each death.
        expected = 3 * self.written
        end = time.monotonic() + PATIENCE
        while broker.messages() < expected and time.monotonic() < end:
            time.sleep(0.2)
        time.sleep(1)  # what would be too many
        stored, grown = broker.messages(), self.most_mib - begin_mib
        wrong = [] if stored == expected else [f"{stored} messages are stored, {expected} were to be"]
        if grown > GROWTH_MAX_MIB:
            wrong.append(f"memory grew by {grown:.0f} MiB")
        return wrong

    def write(self, server, seconds):
        begin = time.monotonic()
        for n in range(int(seconds * PER_SECOND / BATCH)):
            operations = [{"op": "put", "collection": "c", "id": f"d{self.written + i}", "data": {"n": i}, "ttl": TTL} for i in range(BATCH)]
            server.must("POST", "/v1/databases/b/transactions", {"operations": operations})
            self.written += BATCH
            self.most_mib = max(self.most_mib, resident_mib(server))
            time.sleep(max(0, begin + (n + 1) * BATCH / PER_SECOND - time.monotonic()))
