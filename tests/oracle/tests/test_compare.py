import unittest

from ..compare import compare
from .perfect import perfect, spoiled


def row(line, avals, later=()):
    return {"file": "p.py", "range": [line, 0, line, 5], "text": f"line{line}", "avals": list(avals), "later": list(later)}


def function(line, traced, staged=0, eager=0, later=0):
    return {"file": "p.py", "line": line, "name": f"f{line}", "eager": eager, "traced": traced, "staged": staged,
            "later": {"eager": 0, "traced": later, "staged": later}}


def error(line, type="TypeError", message="no\nmore", cascade=False):
    return {"file": "p.py", "line": line, "type": type, "message": message, "cascade": cascade}


RECORD = {
    "exprs": [row(1, ["f32[2]"]), row(2, ["f32[2]!", "f32[3]!"]), row(3, ["i32[]"], ["f32[9]"]), row(4, [], ["f32[]"])],
    "functions": [function(10, 2, 2), function(11, 3), function(12, 0, eager=4), function(13, 1, 1, later=1)],
    "errors": [error(20), error(21, "NameError", cascade=True), error(22, "ValueError")],
}


def spoil(change):
    return compare(RECORD, spoiled(perfect(RECORD), change))


def set_avals(index, avals):
    return spoil(lambda v: v["exprs"][index].update(avals=avals))


class Expressions(unittest.TestCase):
    def test_a_perfect_answer(self):
        c = compare(RECORD, perfect(RECORD))
        self.assertEqual((c.rows, c.known, c.full, c.partial, c.missing, c.wrong), (3, 3, 3, 0, 0, 0))
        self.assertEqual((c.counted, c.count_right, c.count_hidden, c.count_wrong, c.count_wrong_eager), (3, 3, 0, 0, 0))
        self.assertEqual((c.errors, c.error_found, c.message_right, c.error_false, c.error_doubtful), (1, 1, 1, 0, 0))
        self.assertEqual(c.findings, [])

    def test_another_aval_is_wrong_even_beside_the_right_one(self):
        for avals in (["f32[3]"], ["f32[2]", "f32[3]"], ["f32~[2]"], ["f32[2]!"], ["np:f32[2]"], ["?", "f32[3]"]):
            with self.subTest(avals):
                c = set_avals(0, avals)
                self.assertEqual((c.wrong, c.full), (1, 2))
                self.assertEqual([(f.kind, f.line, f.real) for f in c.findings], [("wrong", 1, "f32[2]")])

    def test_fewer_avals_or_unknown_ones_are_partial(self):
        fewer, unknown = set_avals(1, ["f32[2]!"]), set_avals(1, ["?", "f32[2]!", "f32[3]!"])
        self.assertEqual((fewer.partial, fewer.known, fewer.wrong), (1, 3, 0))
        self.assertEqual((unknown.partial, unknown.known, unknown.wrong), (1, 2, 0))

    def test_no_row_is_missing(self):
        c = spoil(lambda v: v["exprs"].pop(0))
        self.assertEqual((c.missing, c.known, c.wrong), (1, 2, 0))

    def test_avals_of_after_the_error_are_true_but_not_asked_for(self):
        c = set_avals(2, ["f32[9]", "i32[]"])
        self.assertEqual((c.rows, c.full, c.wrong), (3, 3, 0))
        self.assertEqual(set_avals(2, ["f32[9]"]).partial, 1)
        invented = spoil(lambda v: v["exprs"].append({"file": "p.py", "range": [4, 0, 4, 5], "avals": ["f32[1]"]}))
        self.assertEqual((invented.rows, invented.wrong), (4, 1))

    def test_rows_that_execution_does_not_have_are_not_judged(self):
        c = spoil(lambda v: v["exprs"].append({"file": "p.py", "range": [9, 0, 9, 5], "avals": ["f32[1]"]}))
        self.assertEqual((c.rows, c.wrong), (3, 0))

    def test_paths_are_normalized(self):
        c = spoil(lambda v: [r.update(file="./p.py") for r in v["exprs"] + v["functions"] + v["errors"]])
        self.assertEqual((c.full, c.count_right, c.error_found), (3, 3, 1))


class Counts(unittest.TestCase):
    def count(self, index, traced):
        return spoil(lambda v: v["functions"][index].update(traced=traced))

    def test_a_false_number_is_wrong_and_more_so_below_a_jit(self):
        self.assertEqual((self.count(0, 1).count_wrong, self.count(0, 3).count_wrong), (1, 1))
        self.assertEqual((self.count(1, 1).count_wrong, self.count(1, 1).count_wrong_eager), (0, 1))

    def test_a_trace_that_never_was_is_wrong(self):
        self.assertEqual(self.count(2, 1).count_wrong, 1)

    def test_null_or_nothing_hides_the_number(self):
        self.assertEqual((self.count(0, None).count_hidden, self.count(0, None).count_wrong), (1, 0))
        gone = spoil(lambda v: v["functions"].pop(0))
        self.assertEqual((gone.count_hidden, gone.count_right, gone.count_wrong), (1, 2, 0))

    def test_runs_after_the_error_may_be_counted(self):
        self.assertEqual((self.count(3, 2).count_right, self.count(3, 3).count_wrong), (3, 1))


class Errors(unittest.TestCase):
    def errors(self, *rows, record=RECORD):
        return compare(record, {**perfect(record), "errors": list(rows)})

    def test_class_and_line_must_agree(self):
        for wrong in (error(19), error(20, "ValueError"), {**error(20), "file": "q.py"}):
            with self.subTest(wrong):
                c = self.errors(wrong)
                self.assertEqual((c.error_found, c.error_false), (0, 1))
        self.assertEqual(self.errors().error_found, 0)

    def test_the_class_may_be_qualified(self):
        record = {**RECORD, "errors": [error(20, "TracerBoolConversionError")]}
        c = self.errors(error(20, "TracerBoolConversionError"), record=record)
        self.assertEqual((c.error_found, c.error_false), (1, 0))

    def test_only_the_first_line_of_the_message_counts(self):
        self.assertEqual(self.errors(error(20, message="no\nother")).message_right, 1)
        c = self.errors(error(20, message="yes"))
        self.assertEqual((c.error_found, c.message_right), (1, 0))

    def test_an_error_of_a_clean_program_is_false(self):
        c = self.errors(error(20), record={**RECORD, "errors": []})
        self.assertEqual((c.errors, c.error_false), (0, 1))

    def test_beyond_the_first_error_real_ones_are_right_and_others_doubtful(self):
        c = self.errors(error(20), error(22, "ValueError"), error(23))
        self.assertEqual((c.error_found, c.error_false, c.error_doubtful), (1, 0, 1))

    def test_sums(self):
        total = compare(RECORD, perfect(RECORD))
        total += set_avals(0, ["f32[7]"])
        self.assertEqual((total.programs, total.rows, total.full, total.wrong, len(total.findings)), (2, 6, 5, 1, 1))


if __name__ == "__main__":
    unittest.main()
