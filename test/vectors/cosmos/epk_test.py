"""The ranges of the plans in this folder are those of their keys."""

import json
import pathlib
import unittest

import epk

PLANS = pathlib.Path(__file__).parent / "plans.jsonl"


class Ranges(unittest.TestCase):
    def test_hashes_are_those_that_are_published(self):
        # Of the reference implementation of MurmurHash3 (x64, 128 bits), seed 0, as two words.
        published = {
            b"hello": "cbd8a7b341bd9b02" "5b1e906a48ae1d19",
            b"The quick brown fox jumps over the lazy dog": "e34bbc7bbc071b6c" "7a433ca9c49a9347",
        }
        for data, words in published.items():
            hashed = epk.murmur3(data)
            self.assertEqual(hashed[:8][::-1].hex() + hashed[8:][::-1].hex(), words)

    def test_each_plan_names_the_ranges_of_its_keys(self):
        plans = [json.loads(line) for line in PLANS.read_text().splitlines()]
        self.assertGreater(len(plans), 30)
        for plan in plans:
            ranges = [epk.range_of(key, len(plan["paths"])) for key in plan["keys"]]
            self.assertEqual(plan["ranges"], ranges, plan["query"])


if __name__ == "__main__":
    unittest.main()
