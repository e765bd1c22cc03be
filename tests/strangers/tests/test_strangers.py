import json
import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from oracle.compare import Comparison

from .. import report, table, trees
from ..ask import Row
from ..table import Stranger


class Table(unittest.TestCase):
    def test_every_row_can_be_run(self):
        rows = table.load()
        self.assertEqual(len({row.id for row in rows}), len(rows))
        for row in rows:
            self.assertRegex(row.commit, r"^[0-9a-f]{40}$", row.id)
            if not row.script:
                self.assertTrue(trees.driver(row).exists(), row.id)
            for name, _ in row.stubs:
                self.assertTrue((table.STUBS / name).exists(), row.id)

    def test_every_driver_and_stub_has_a_row(self):
        rows = table.load()
        self.assertEqual({path.stem for path in table.DRIVERS.glob("*.py")}, {row.id for row in rows if not row.script})
        self.assertEqual({path.name for path in table.STUBS.iterdir() if path.is_file()}, {name for row in rows for name, _ in row.stubs})


class Texts(unittest.TestCase):
    def test_lines_that_are_left_out_stay_empty(self):
        self.assertEqual(trees.emptied("a\nb\nc\nd\n", ("2-3",)), "a\n\n\nd\n")

    def test_what_is_replaced_has_to_be_there(self):
        self.assertEqual(trees.replaced("steps = 100", [("100", "3")]), "steps = 3")
        with self.assertRaises(trees.NotThere):
            trees.replaced("steps = 100", [("1000", "3")])

    def test_a_notebook_becomes_a_script(self):
        cells = [("code", "x = 1\n%timeit x"), ("markdown", "# text"), ("code", "!pip\ny = 2"), ("code", "z = 3"), ("code", "%%time\nw = 4")]
        text = json.dumps({"cells": [{"cell_type": kind, "source": source.splitlines(keepends=True)} for kind, source in cells]})
        self.assertEqual(trees.notebook(text, ("3",)).split(), ["x", "=", "1", "y", "=", "2"])


class Layout(unittest.TestCase):
    def test_a_repository_is_fetched_at_its_commit(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(trees, "STATE", Path(folder) / "state"):
            origin = Path(folder) / "owner/name"
            (origin / "src").mkdir(parents=True)
            (origin / "src/a.py").write_text("n = 100\n")
            git = lambda *words: subprocess.run(["git", "-C", origin, "-c", "user.name=x", "-c", "user.email=x", *words],
                                                check=True, capture_output=True, text=True).stdout.strip()
            git("init", "--quiet")
            git("add", ".")
            git("commit", "--quiet", "-m", "x")
            row = Stranger("a", "owner/name", git("rev-parse", "HEAD"), script="src/a.py", at=".", replace=(("100", "3"),))
            program = trees.lay_out(row, origin=f"file://{folder}")
            self.assertEqual((program.root / program.script).read_text(), "n = 3\n")
            self.assertEqual(program.script, "a.py")
            (program.root / "left.txt").write_text("x")
            trees.tidied(program)
            self.assertEqual([path.name for path in program.files()], ["a.py"])


class Report(unittest.TestCase):
    def test_medians_and_the_worst(self):
        row = lambda id, known, rows, **more: Row(Stranger(id, "o/n", "0" * 40), Comparison(rows=rows, known=known, **more), work=1.0)
        text = report.summary([row("a", 10, 10), row("b", 5, 10), row("c", 9, 10, wrong=1)])
        self.assertIn("median program 90.0 %, worst 50.0 % (b); wrong 1", text)
        self.assertTrue(row("c", 9, 10, wrong=1).is_wrong())
        self.assertFalse(row("a", 10, 10, count_wrong_eager=1).is_wrong())


if __name__ == "__main__":
    unittest.main()
