"""What the model of the law must say by itself: the hard cases whose answer the page gives."""

import unittest

from edits import Edit, apply
from model import FOREVER, INHERIT, NEVER, SECOND, Collection, Kept, death_of

W = 1000 * SECOND + 7


def after(n):
    return ("after", n * SECOND)


def write(key="d", **more):
    return Edit("write", key, {"n": 1}, **more)


class Deaths(unittest.TestCase):
    def test_a_default_counts_from_the_second_or_the_microsecond_of_the_write(self):
        timeline = [(0, 10 * SECOND)]
        self.assertEqual(death_of(timeline, W, INHERIT), 1010 * SECOND)
        self.assertEqual(death_of(timeline, W, INHERIT, counts_seconds=False), W + 10 * SECOND)

    def test_the_first_instant_along_the_timeline_counts(self):
        timeline = [(0, 10 * SECOND), (1005 * SECOND, None), (1020 * SECOND, 15 * SECOND)]
        self.assertEqual(death_of(timeline, W, INHERIT), 1020 * SECOND)
        self.assertEqual(death_of([(0, 10 * SECOND), (1005 * SECOND, 30 * SECOND)], W, INHERIT), 1030 * SECOND)

    def test_who_has_died_stays_dead_whatever_the_default_becomes(self):
        timeline = [(0, 10 * SECOND), (1011 * SECOND, "never")]
        self.assertEqual(death_of(timeline, W, INHERIT), 1010 * SECOND)

    def test_a_ttl_of_its_own_is_not_interpreted_while_the_default_is_unset(self):
        self.assertEqual(death_of([(0, None)], W, after(3)), FOREVER)
        self.assertEqual(death_of([(0, None), (1100 * SECOND, "never")], W, after(3)), 1100 * SECOND)
        self.assertEqual(death_of([(0, "never")], W, after(3)), 1003 * SECOND)

    def test_never_and_at_look_at_no_default(self):
        self.assertEqual(death_of([(0, SECOND)], W, NEVER), FOREVER)
        self.assertEqual(death_of([(0, SECOND)], W, ("at", 5)), 5)


class Edits(unittest.TestCase):
    def setUp(self):
        self.c = Collection("c", "native", trash=Kept([(0, FOREVER)]), unique=("u",))
        self.now = W

    def do(self, edit, at=None):
        self.now = at if at is not None else self.now + 1
        return apply(self.c, edit, self.now - 1, self.now)

    def test_a_write_at_the_death_finds_nothing(self):
        self.do(write(lifetime=("at", W + 100)))
        self.assertEqual(self.do(write(expect="present"), at=W + 99), "ok")
        self.assertEqual(self.do(write(expect="present"), at=W + 100), "absent")
        self.assertEqual(self.do(write(expect="absent")), "ok")

    def test_a_condition_on_the_dead_is_not_found(self):
        self.do(write(lifetime=("at", W + 100)))
        self.assertEqual(self.do(write(expect="present", is_stale=True)), "stale")
        self.assertEqual(self.do(write(expect="present", is_stale=True), at=W + 100), "absent")

    def test_the_dead_hold_no_unique_value(self):
        self.do(Edit("write", "a", {"u": 1}, lifetime=("at", W + 100)))
        self.assertEqual(self.do(Edit("write", "b", {"u": 1})), "taken")
        self.assertEqual(self.do(Edit("write", "b", {"u": 1}), at=W + 100), "ok")

    def test_what_is_refused_brings_nothing_back(self):
        self.do(Edit("write", "a", {"u": 1}))
        self.do(Edit("remove", "a"))
        self.do(Edit("write", "b", {"u": 2}))
        self.assertEqual(self.do(Edit("write", "a", {"u": 2}, revives=True)), "taken")
        self.assertEqual(set(self.c.living(self.now)), {"b"})

    def test_what_replaces_a_held_version_in_the_trash_leaves_it_there(self):
        self.do(write())
        self.do(Edit("remove", "d"))
        self.do(Edit("hold", "d"))
        self.assertEqual(self.do(Edit("write", "d", {"n": 2}, revives=True)), "ok")
        self.assertIsNone(self.c.living(self.now)["d"].hold)
        self.assertEqual([(each.life.body, bool(each.life.hold)) for each in self.c.in_trash(self.now)], [({"n": 1}, True)])

    def test_what_changes_a_held_version_in_the_trash_brings_it_back_held(self):
        self.do(write())
        self.do(Edit("remove", "d"))
        self.do(Edit("hold", "d"))
        self.assertEqual(self.do(Edit("write", "d", {"u": 2}, merges=True, expect="present", revives=True)), "ok")
        self.assertTrue(self.c.living(self.now)["d"].hold)
        self.assertEqual(self.c.in_trash(self.now), [])

    def test_cosmos_takes_back_only_what_it_said(self):
        self.do(write("mine", lifetime=after(9), says_ttl=9, speaks="cosmos"))
        self.do(write("other", lifetime=("at", W + 50)))
        for key in ("mine", "other"):
            self.do(write(key, speaks="cosmos"))
        self.assertEqual({key: life.lifetime for key, life in self.c.living(self.now).items()},
                         {"mine": INHERIT, "other": ("at", W + 50)})

    def test_a_touch_moves_the_end_by_the_span_it_was_given(self):
        self.do(write(lifetime=("span", 100)), at=W)
        self.assertEqual(self.do(Edit("touch", "d"), at=W + 40), "ok")
        self.assertEqual(self.c.living(self.now)["d"].death, W + 39 + 99)

    def test_a_death_within_the_trash_is_its_end(self):
        self.do(write(lifetime=("at", W + 100)))
        self.do(Edit("remove", "d"))
        self.assertEqual(len(self.c.in_trash(W + 99)), 1)
        self.assertEqual(self.do(Edit("restore", "d"), at=W + 100), "absent")
        self.assertEqual(len(self.c.forgotten(W + 100)), 1)

    def test_a_held_document_neither_dies_nor_goes(self):
        self.do(write(lifetime=("at", W + 100)))
        self.do(Edit("hold", "d"))
        self.assertEqual(self.do(Edit("remove", "d"), at=W + 200), "refused")
        self.assertEqual(self.do(Edit("release", "d")), "ok")
        self.assertEqual(self.c.living(self.now), {})


if __name__ == "__main__":
    unittest.main()
