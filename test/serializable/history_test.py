"""The checker finds every violation that is planted in a history, and none in one that has an order."""

import unittest

from history import COMMITTED, REFUSED, UNKNOWN, Transaction, Violation, check


def transaction(client, **what):
    return Transaction(client, **what)


class Histories(unittest.TestCase):
    def violation(self, *transactions):
        with self.assertRaises(Violation) as raised:
            check(list(transactions))
        return str(raised.exception)

    def test_one_after_the_other_has_an_order(self):
        counts = check([
            transaction(1, at=1, lists=[("x", ())], appends=[("x", 1)]),
            transaction(2, at=2, lists=[("x", (1,))], appends=[("x", 2)]),
            transaction(1, at=3, lists=[("x", (1, 2))], groups=[("g", frozenset())], additions=[("g", 7)]),
            transaction(2, at=4, groups=[("g", frozenset({7}))])])
        self.assertEqual(counts, {"ww": 1, "wr": 2, "session": 2})

    def test_a_lost_update_is_found(self):
        said = self.violation(transaction(1, lists=[("x", ())], appends=[("x", 1)]),
                              transaction(2, lists=[("x", ())], appends=[("x", 2)]),
                              transaction(3, lists=[("x", (2,))]))
        self.assertIn("a cycle", said)

    def test_a_lost_update_is_found_where_both_are_in_the_list(self):
        said = self.violation(transaction(1, lists=[("x", ())], appends=[("x", 1)]),
                              transaction(2, lists=[("x", ())], appends=[("x", 2)]),
                              transaction(3, lists=[("x", (1, 2))]))
        self.assertIn("a cycle", said)
        self.assertIn("rw of x", said)

    def test_write_skew_over_two_documents_is_found(self):
        said = self.violation(transaction(1, lists=[("x", ()), ("y", ())], appends=[("x", 1)]),
                              transaction(2, lists=[("x", ()), ("y", ())], appends=[("y", 2)]),
                              transaction(3, lists=[("x", (1,)), ("y", (2,))]))
        self.assertIn("rw of", said)

    def test_write_skew_over_a_set_is_found(self):
        said = self.violation(transaction(1, groups=[("g", frozenset())], additions=[("g", 1)]),
                              transaction(2, groups=[("g", frozenset())], additions=[("g", 2)]))
        self.assertIn("rw of group g", said)

    def test_a_phantom_is_found(self):
        said = self.violation(transaction(1, groups=[("g", frozenset())], lists=[("x", (5,))]),
                              transaction(2, additions=[("g", 1)], appends=[("x", 5)]))
        self.assertIn("wr of x", said)

    def test_two_that_have_seen_each_other_are_found(self):
        self.assertIn("wr of", self.violation(transaction(1, lists=[("y", (2,))], appends=[("x", 1)]),
                                              transaction(2, lists=[("x", (1,))], appends=[("y", 2)])))

    def test_a_long_fork_is_found(self):
        self.assertIn("a cycle", self.violation(transaction(1, appends=[("x", 1)]), transaction(2, appends=[("y", 2)]),
                                                transaction(3, lists=[("x", (1,)), ("y", ())]),
                                                transaction(4, lists=[("x", ()), ("y", (2,))])))

    def test_what_was_refused_must_not_be_read(self):
        self.assertIn("was refused", self.violation(transaction(1, status=REFUSED, appends=[("x", 1)]),
                                                    transaction(2, lists=[("x", (1,))])))

    def test_what_is_unknown_may_be_read_or_not(self):
        for values in ((), (1,)):
            check([transaction(1, status=UNKNOWN, appends=[("x", 1)]), transaction(2, lists=[("x", values)])])

    def test_what_nobody_wrote_is_found(self):
        self.assertIn("no transaction has written", self.violation(transaction(1, lists=[("x", (9,))])))
        self.assertIn("no transaction has written", self.violation(transaction(1, groups=[("g", frozenset({9}))])))

    def test_a_list_has_one_past(self):
        self.assertIn("never", self.violation(transaction(1, appends=[("x", 1)]), transaction(2, appends=[("x", 2)]),
                                              transaction(3, lists=[("x", (1, 2))]), transaction(3, lists=[("x", (2,))])))

    def test_a_client_goes_on_from_what_it_has_seen(self):
        self.assertIn("session", self.violation(transaction(1, appends=[("x", 1)]), transaction(2, lists=[("x", (1,))]),
                                                transaction(2, lists=[("x", ())])))

    def test_instants_are_an_order(self):
        said = self.violation(transaction(1, at=2, appends=[("x", 1)]), transaction(2, at=1, lists=[("x", (1,))]))
        self.assertIn("goes back in time", said)
        check([transaction(1, at=1, appends=[("x", 1)]), transaction(2, at=1, lists=[("x", (1,))])])
        self.assertIn("back in time", self.violation(transaction(1, at=1, appends=[("x", 1)]), transaction(2, at=1, lists=[("x", ())])))
        self.assertEqual(COMMITTED, Transaction(1).status)


if __name__ == "__main__":
    unittest.main()
