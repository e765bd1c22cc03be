"""The whole way from suites to the exit code, with a stand-in for the `jitlens` binary."""

import contextlib
import io
import json
import stat
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from .. import cli
from ..record import record
from ..suites import cache, errors, projects
from .perfect import perfect, spoiled

CLEAN = "import jax\n@jax.jit\ndef f(x): return x * 2\nf(1.0)\nf(2)\n"
RAISING = "import jax.numpy as jnp\nx = jnp.ones(3)\nx + jnp.ones(4)\n"


class WholeWay(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        for name in ("projects/small", "errors", "cache"):
            (self.root / name).mkdir(parents=True)
        (self.root / "projects/small/program.toml").write_text('entry = "train.py"\n')
        (self.root / "projects/small/train.py").write_text(CLEAN)
        (self.root / "errors/add_shapes.py").write_text(RAISING)
        (self.root / "cache/int_then_float.py").write_text(CLEAN)
        (self.root / "floors.toml").write_text("[projects]\nfull = 90\n[errors]\nerrors = 100\n[cache]\nexact = 100\n")
        for target, name, value in ((projects, "ROOT", self.root / "projects"), (errors, "ROOT", self.root / "errors"),
                                    (errors, "INDEX", self.root / "errors/index.json"), (cache, "ROOT", self.root / "cache"),
                                    (cli, "FLOORS", self.root / "floors.toml"), (cli.env, "REPOSITORY", self.root)):
            patch = mock.patch.object(target, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.answers = {p.script: perfect(r) for p, r in record(
            [case.program for case in projects.cases()] + errors.programs() + cache.programs()).items()}
        self.assertEqual(self.run_cli("index")[0], 0)

    def run_cli(self, *args):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = cli.main(args)
        return code, out.getvalue()

    def check(self, *suites, spoil=lambda answers: None, text=None, exit_code=0):
        answers = spoiled(self.answers, spoil)
        binary = self.root / "jitlens"
        binary.write_text(f"#!{sys.executable}\nimport json, sys\n"
                          f"assert sys.argv[1] == 'values' and sys.argv[3:] == ['--format', 'json']\n"
                          f"print({text!r} or json.dumps({answers!r}[sys.argv[2]]))\nsys.exit({exit_code})\n")
        binary.chmod(binary.stat().st_mode | stat.S_IXUSR)
        return self.run_cli("check", "--jitlens", str(binary), *suites)

    def test_a_perfect_answer_passes(self):
        code, out = self.check("projects", "errors")
        self.assertEqual(code, 0, out)
        self.assertIn("all held", out)
        self.assertIn("full 100.0%", out)

    def test_a_wrong_aval_fails(self):
        code, out = self.check("projects", spoil=lambda a: a["train.py"]["exprs"][0]["avals"].append("f32[7]"))
        self.assertEqual(code, 1)
        self.assertIn("FAILED  projects: 1 avals that execution did not show", out)

    def test_a_wrong_count_fails(self):
        code, out = self.check("projects", spoil=lambda a: a["train.py"]["functions"][0].update(traced=1))
        self.assertEqual(code, 1)
        self.assertIn("trace count that is not the real one", out)

    def test_silence_fails_only_below_the_floor(self):
        code, out = self.check("projects", spoil=lambda a: a["train.py"]["exprs"].clear())
        self.assertEqual(code, 1)
        self.assertIn("full 0.0% is below the floor of 90%", out)
        (self.root / "floors.toml").write_text("")
        self.assertEqual(self.check("projects", spoil=lambda a: a["train.py"]["exprs"].clear())[0], 0)

    def test_a_missed_and_a_false_error_fail(self):
        code, out = self.check("errors", spoil=lambda a: a["add_shapes.py"]["errors"].clear())
        self.assertEqual(code, 1)
        self.assertIn("errors 0.0% is below the floor", out)
        invented = {"file": "train.py", "line": 4, "type": "TypeError", "message": "no"}
        code, out = self.check("projects", spoil=lambda a: a["train.py"]["errors"].append(invented))
        self.assertEqual(code, 1)
        self.assertIn("1 errors that do not happen", out)

    def test_no_answer_fails(self):
        for broken in ({"text": "nonsense"}, {"text": "{}"}, {"exit_code": 101}):
            with self.subTest(broken):
                code, out = self.check("projects", **broken)
                self.assertEqual(code, 1)
                self.assertIn("1 programs that could not be run or analysed", out)
        self.assertEqual(self.check("projects", exit_code=1)[0], 0)      # diagnostics were found, as they should

    def test_a_stale_index_fails(self):
        index = json.loads((self.root / "errors/index.json").read_text())
        self.assertEqual(index["programs"]["add_shapes.py"], {
            "class": "TypeError", "line": 3, "message": "add got incompatible shapes for broadcasting: (3,), (4,)."})
        (self.root / "errors/add_shapes.py").write_text("\n" + RAISING)
        code, out = self.run_cli("check", "errors", "--no-jitlens")
        self.assertEqual(code, 1)
        self.assertIn("index stale", out)

    def test_the_counts_of_scenarios_are_written_and_held(self):
        scenario = self.root / "cache/int_then_float.py"
        written = scenario.read_text()
        self.assertIn("def f(x): return x * 2  # traced: 2\n", written)
        code, out = self.check("cache")
        self.assertEqual(code, 0, out)
        self.assertIn("all right in 1 of 1 programs", out)
        code, out = self.check("cache", spoil=lambda a: a["int_then_float.py"]["functions"].clear())
        self.assertEqual(code, 1)
        self.assertIn("exact 0.0% is below the floor of 100%", out)
        for untrue in ("  # traced: 3", ""):
            scenario.write_text(written.replace("  # traced: 2", untrue))
            code, out = self.run_cli("check", "cache", "--no-jitlens")
            self.assertEqual(code, 1)
            self.assertIn("count untrue", out)
        scenario.write_text(written + "jax.nope\n")
        self.assertIn("AttributeError", self.run_cli("check", "cache", "--no-jitlens")[1])

    def test_usage(self):
        self.assertEqual(self.run_cli("check", "--jitlens", "/nowhere")[0], 2)
        self.assertEqual(self.run_cli("check", "poems", "--no-jitlens")[0], 2)

    def test_one_program(self):
        code, out = self.run_cli("record", str(self.root / "errors/add_shapes.py"))
        self.assertEqual((code, json.loads(out)["errors"][0]["line"]), (0, 3))


if __name__ == "__main__":
    unittest.main()
