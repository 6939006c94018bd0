"""The README's first steps, run as they are printed."""

import os
import re
import subprocess
import unittest

from server import Server

README = os.path.join(os.path.dirname(__file__), "..", "..", "README.md")


def shell_blocks():
    with open(README) as file:
        return re.findall(r"```sh\n(.*?)```", file.read(), re.S)


def advance(sleep):
    move = '{"advance_seconds": %s}' % sleep.group(1)
    return f"curl -sS -o /dev/null --json '{move}' localhost:7007/v1/clock"


class Readme(unittest.TestCase):
    def test_the_first_document_expires_before_the_readers_eyes(self):
        blocks = [b for b in shell_blocks() if "curl" in b]
        self.assertGreaterEqual(len(blocks), 3, "the README has lost its first steps")
        with Server(clock="virtual:2026-02-27T10:00:00Z") as server:
            outputs = []
            for block in blocks:
                # A reader waits; the test moves the clock instead.
                block = re.sub(r"^sleep (\d+)$", advance, block, flags=re.M)
                block = block.replace("localhost:7007", server.host)
                done = subprocess.run(["bash", "-e", "-c", block], capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, 0, f"{block}\n{done.stdout}\n{done.stderr}")
                outputs.append(done.stdout)
        self.assertIn('"user":"ada"', outputs[0])
        self.assertIn('"not_found"', outputs[0])
        self.assertIn('"not_found"', outputs[1])
        for output in outputs[:2]:
            self.assertEqual(output.splitlines()[-1], "404", output)
        self.assertIn("200", outputs[0].splitlines())
        self.assertIn('"user":"ada"', outputs[2], "the quick start of Centrali")


if __name__ == "__main__":
    unittest.main()
