"""The README's first command in a fresh clone: it builds, serves, shows a document and its end, and ends on Ctrl-C.

What it compiles it finds in the compiler's cache (ccache), where a build of the same commit has been; else it takes as long
as a build takes."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
import urllib.parse

CHECKOUT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
ANY_PORTS = ["--native-port", "0", "--cosmos-port", "0", "--kuzzle-port", "0", "--fauna-port", "0"]


def first_steps(clone):
    """The first commands of the README, for a shell."""
    with open(os.path.join(clone, "README.md"), encoding="utf-8") as file:
        return re.search(r"```sh\n(.*?)```", file.read(), re.S).group(1)


class FreshClone(unittest.TestCase):
    def setUp(self):
        if not os.path.exists(os.path.join(CHECKOUT, ".git")):
            self.skipTest("this is no git checkout: there is nothing to clone")
        self.folder = tempfile.mkdtemp(prefix="mayfly-clone-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.clone = os.path.join(self.folder, "mayfly")
        self.git("clone", "-q", "--no-hardlinks", CHECKOUT, self.clone, cwd=self.folder)

    def git(self, *arguments, cwd=None):
        done = subprocess.run(["git", "-c", "safe.directory=*", *arguments], cwd=cwd or self.clone, capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def run_server(self):
        """Starts it as a terminal does, as a group of processes of its own; gives its address and what was said until then."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("MAYFLY_")}
        # A child of a job in the background ignores Ctrl-C, and a terminal's does not.
        self.process = subprocess.Popen(
            ["./dev", "run", *ANY_PORTS], cwd=self.clone, env=environment, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.addCleanup(self.kill)
        said = []
        for line in self.process.stdout:
            said.append(line)
            if found := re.match(r"native (http://\S+)", line):
                return urllib.parse.urlsplit(found.group(1)).netloc, "".join(said)
        raise AssertionError("it does not serve:\n" + "".join(said))

    def kill(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process.stdout.close()

    def test_it_builds_serves_and_ends(self):
        address, said = self.run_server()
        self.assertNotIn("warning:", said)
        self.assertLess(said.count("\n"), 40, f"the build says too much:\n{said}")
        steps = first_steps(self.clone).replace("localhost:7007", address)
        done = subprocess.run(["bash", "-e", "-c", steps], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, f"{done.stdout}\n{done.stderr}")
        self.assertIn('"user":"ada"', done.stdout)
        self.assertIn('"expires_at"', done.stdout)
        # The last answer says that it is gone, and so does its status below it.
        *_, last, status = done.stdout.splitlines()
        self.assertEqual((json.loads(last)["error"]["code"], status), ("not_found", "404"), done.stdout)
        os.killpg(self.process.pid, signal.SIGINT)
        rest = self.process.stdout.read()
        self.assertEqual(self.process.wait(30), 0, rest)
        self.assertTrue(os.path.isdir(os.path.join(self.clone, "mayfly-data")), os.listdir(self.clone))
        self.assertEqual(self.git("status", "--porcelain"), "", "a run leaves files that git does not ignore")


if __name__ == "__main__":
    unittest.main()
