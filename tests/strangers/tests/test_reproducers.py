"""What becomes of a reproducer, beside what the program did, without JAX."""

import unittest
from unittest import mock

from .. import reproducers

exact = reproducers.exact

ROW = {"stand_ins": None, "unverified": None, "approximate": False, "outcome": {"values": ["f32[2]"]}, "text": "", "path": ""}


def tally(was, wanted, again=None):
    found = exact.Tally()
    with mock.patch.object(exact, "shaken", lambda options, row: []):
        exact.judge(None, found, "program.py::f", ROW, was, wanted, lambda: again)
    return {name: len(getattr(found, name)) for name in ("bad", "unknown", "loose", "drawn")} | {"good": found.good}


def arrays(*numbers):
    return [[[[len(n)], list(n)] for n in numbers], []]


class Judged(unittest.TestCase):
    def only(self, name, found):
        self.assertEqual(found, {"bad": 0, "unknown": 0, "loose": 0, "drawn": 0, "good": 0, name: 1})

    def test_same_numbers(self):
        self.only("good", tally([None, ["f32[2]"], [[1.0, 2.0]]], arrays([1.0, 2.0])))

    def test_other_numbers(self):
        self.only("bad", tally([None, ["f32[2]"], [[1.0, 2.5]]], arrays([1.0, 2.0]), arrays([1.0, 2.0])))

    def test_numbers_that_each_run_draws(self):
        self.only("drawn", tally([None, ["f32[2]"], [[1.0, 2.5]]], arrays([1.0, 2.0]), arrays([7.0, 2.0])))
        self.only("bad", tally([None, ["f32[3]"], [[1.0, 2.5, 3.0]]], arrays([1.0, 2.0]), arrays([7.0, 2.0])))

    def test_an_array_that_is_given_twice(self):
        self.only("good", tally([None, ["f32[2]"], [[1.0, 2.0]]], arrays([1.0, 2.0], [1.0, 2.0])))
        self.only("bad", tally([None, ["f32[2]"], [[1.0, 2.0]]], arrays([1.0, 2.0], [1.0, 3.0]), arrays([1.0, 2.0], [1.0, 3.0])))

    def test_the_error_that_ends_the_program(self):
        wanted = {"error": ["TypeError", "add got incompatible shapes\nsecond line"]}
        self.only("good", tally(["TypeError", "add got incompatible shapes\nother line"], wanted))
        self.only("bad", tally(["ValueError", "add got incompatible shapes"], wanted))
        self.only("bad", tally([None, ["f32[2]"], [[1.0, 2.0]]], wanted))


if __name__ == "__main__":
    unittest.main()
