"""The real binary on a data directory: started, killed, armed with a kill point, stopped."""

import os
import signal
import subprocess
import tempfile

from wire import Wire

BINARY = os.environ.get("MAYFLY_BINARY", "")


def kill_points():
    """Every kill point the binary knows: it names them when it is asked for one that is not there."""
    done = subprocess.run([BINARY, "serve", "--data", "/dev/null/none", "--native-port", "0", "--cosmos-port", "off", "--kuzzle-port", "off", "--fauna-port", "off"], capture_output=True,
                          text=True, timeout=30, env={**os.environ, "MAYFLY_KILL_AT": "?"})
    names = done.stderr.split("the names are", 1)[1].split()
    assert done.returncode == 2 and len(names) > 20, done.stderr
    return names


class Server:
    """`kill_at` is NAME:N, or nothing. A server that died before it listened has no port."""

    def __init__(self, data, kill_at="", flags=()):
        self.errors = tempfile.TemporaryFile()
        environment = {**os.environ, "MAYFLY_KILL_AT": kill_at}
        self.process = subprocess.Popen(
            [BINARY, "serve", "--data", data, "--native-port", "0", "--cosmos-port", "off", "--kuzzle-port", "off", "--fauna-port", "off", "--log-level", "warn",
             *flags],
            stdout=subprocess.PIPE, stderr=self.errors, text=True, env=environment)
        line = self.process.stdout.readline()
        self.port = int(line.rsplit(":", 1)[1]) if line.startswith("native http://") else None

    def wire(self):
        return Wire(self.port)

    def is_running(self):
        return self.process.poll() is None

    def said(self):
        """What it wrote on standard error."""
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")

    def end(self, how):
        """Sends the signal, unless it is over already; gives the exit status."""
        if self.is_running():
            self.process.send_signal(how)
        status = self.process.wait(30)
        self.process.stdout.close()
        return status

    def kill(self):
        return self.end(signal.SIGKILL)

    def stop(self):
        return self.end(signal.SIGTERM)
