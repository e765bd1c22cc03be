import json
import tempfile
import textwrap
import unittest
from pathlib import Path
from unittest import mock

from .. import record as recording
from ..program import Program
from ..record import record


class Recording(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve() / "project"
        self.cache = Path(folder.name) / "cache"

    def program(self, main: str, others=None, **settings) -> Program:
        for name, text in {"main.py": main, **(others or {})}.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text))
        return Program(name="p", root=self.root, script="main.py", alone=False, **settings)

    def record(self, main: str, others=None, **settings) -> dict:
        program = self.program(main, others, **settings)
        return record([program], cache=self.cache)[program]

    def avals(self, recorded: dict, file="main.py") -> dict:
        return {r["text"]: r["avals"] for r in recorded["exprs"] if r["file"] == file}

    def test_avals(self):
        recorded = self.record("""\
            import jax, jax.numpy as jnp, numpy as np
            weak = jnp.sin(1.0)
            strong = jnp.zeros((2, 3), jnp.bfloat16).T
            host = np.ones(3)
            np.float32(1)
            typed = jax.random.key(0)
            legacy = jax.random.PRNGKey(0)
            jax.jit(lambda v: v * 2)(host)
            (weak, strong, host, typed, legacy)
            """)
        avals = self.avals(recorded)
        self.assertEqual(recorded["errors"], [])
        self.assertEqual({k: avals[k] for k in ("weak", "strong", "host", "typed", "legacy", "v * 2")},
                         {"weak": ["f32~[]"], "strong": ["bf16[3,2]"], "host": ["np:f64[3]"], "typed": ["key<fry>[]"],
                          "legacy": ["u32[2]"], "v * 2": ["f32[3]!"]})
        self.assertNotIn("np.float32(1)", avals)
        self.assertNotIn("jnp", avals)

    def test_every_distinct_trace_adds_its_aval(self):
        recorded = self.record("""\
            import jax, jax.numpy as jnp
            @jax.jit
            def f(x):
                return x + 1
            f(jnp.ones(3)); f(jnp.ones(3)); f(jnp.ones((2, 2))); f(1)
            """)
        self.assertEqual(self.avals(recorded)["x + 1"], ["f32[2,2]!", "f32[3]!", "i32~[]!"])
        [f] = recorded["functions"]
        self.assertEqual((f["line"], f["name"], f["eager"], f["traced"], f["staged"]), (3, "f", 0, 3, 3))

    def test_counts_tell_eager_traced_and_staged_runs_apart(self):
        recorded = self.record("""\
            import jax, jax.numpy as jnp
            def plain(x): return x
            def mapped(x): return x
            def inside(x): return x
            plain(1.0)
            jax.vmap(mapped)(jnp.ones(3))
            jax.jit(jax.grad(inside))(1.0)
            """)
        self.assertEqual([(f["name"], f["eager"], f["traced"], f["staged"]) for f in recorded["functions"]],
                         [("plain", 1, 0, 0), ("mapped", 0, 1, 0), ("inside", 0, 1, 1)])

    def test_imported_modules_of_the_project_are_instrumented(self):
        recorded = self.record("""\
            import sys
            from model.net import apply
            from flat import double
            double(apply(3))
            assert sys.argv == ["main.py", "--deep"] and __name__ == "__main__" and __file__.endswith("main.py")
            """, {"flat.py": "def double(x): return x * 2\n", "model/__init__.py": "", "model/net.py": "import jax.numpy as jnp\ndef apply(n): return jnp.ones(n)\n"},
            args=("--deep",))
        self.assertEqual(recorded["errors"], [])
        self.assertEqual(self.avals(recorded, "model/net.py"), {"jnp.ones(n)": ["f32[3]"]})
        self.assertEqual(self.avals(recorded, "flat.py"), {"x": ["f32[3]"], "x * 2": ["f32[3]"]})

    def test_an_error_has_class_message_and_the_innermost_line_of_the_user(self):
        recorded = self.record("""\
            import jax
            from helper import pick
            jax.jit(lambda x: pick(x))(1.0)
            """, {"helper.py": "def pick(x):\n    if x > 0:\n        return x\n"})
        [error] = recorded["errors"]
        self.assertEqual((error["type"], error["module"], error["file"], error["line"]),
                         ("TracerBoolConversionError", "jax.errors", "helper.py", 2))
        self.assertIn("Attempted boolean conversion of traced array with shape bool[].", error["message"])
        self.assertNotIn(str(self.root), error["message"])
        self.assertEqual([frame[:2] for frame in error["frames"]], [["main.py", 3], ["main.py", 3], ["helper.py", 2]])

    def test_places_of_installed_packages_are_taken_out_of_messages(self):
        [error] = self.record("from jax.numpy import nothing\n")["errors"]
        self.assertEqual(error["message"], "cannot import name 'nothing' from 'jax.numpy' (…/jax/numpy/__init__.py)")

    def test_addresses_are_taken_out_of_messages(self):
        recorded = self.record("raise ValueError(f'at {object()} and 0x12')\n")
        self.assertEqual(recorded["errors"][0]["message"], "at <object object at 0x…> and 0x…")

    def test_what_follows_an_error_is_kept_apart(self):
        recorded = self.record("""\
            import jax.numpy as jnp
            def f(n): return jnp.ones(n)
            f(2)
            lost = f(-1)
            f(5)
            lost + 1
            1 / 0
            """)
        self.assertEqual([(e["type"], e["line"], e["cascade"]) for e in recorded["errors"]],
                         [("TypeError", 2, False), ("NameError", 6, True), ("ZeroDivisionError", 7, False)])
        row = next(r for r in recorded["exprs"] if r["text"] == "jnp.ones(n)")
        self.assertEqual((row["avals"], row["later"]), (["f32[2]"], ["f32[5]"]))
        [f] = recorded["functions"]
        self.assertEqual((f["eager"], f["later"]["eager"]), (2, 1))

    def test_caught_errors_and_exits_are_none(self):
        recorded = self.record("try:\n    1 / 0\nexcept ZeroDivisionError:\n    pass\nraise SystemExit(3)\n1 / 0\n")
        self.assertEqual(recorded["errors"], [])

    def test_syntax_errors_have_their_line(self):
        [error] = self.record("x = 1\ny = = 2\n")["errors"]
        self.assertEqual((error["type"], error["file"], error["line"]), ("SyntaxError", "main.py", 2))

    def test_a_module_may_be_called_oracle(self):
        recorded = self.record("from oracle import ask\nask()\n", {"oracle.py": "def ask(): return 42\n"})
        self.assertEqual(recorded["errors"], [])

    def test_variables_that_jax_reads_when_imported_have_their_effect(self):
        recorded = self.record("""\
            import os
            os.environ["JAX_ENABLE_X64"] = "1"
            import jax.numpy as jnp
            jnp.ones(2)
            """)
        self.assertEqual(self.avals(recorded)["jnp.ones(2)"], ["f64[2]"])

    def test_watched_expressions_keep_values_and_cache_hits(self):
        recorded = self.record("""\
            import jax
            @jax.jit
            def f(x): return x + 1
            for x in 1.0, 2.0, 3:
                f(x)
            """, watched={"main.py": [[5, 4, 5, 8]]})
        [row] = recorded["watched"]
        self.assertEqual((row["values"], row["keys"]), (["2.0", "3.0", "4"], ["miss", "hit", "miss"]))

    def test_a_program_that_never_ends_or_dies_is_a_failure(self):
        self.assertIn("still running", self.record("while True: pass\n", timeout=1)["failure"])
        died = self.record("import os, sys\nprint('last words', file=sys.stderr)\nos._exit(7)\n")
        self.assertIn("status 7", died["failure"])
        self.assertIn("last words", died["log"])

    def test_records_are_reused_until_a_source_changes(self):
        program = self.program("import helper\n", {"helper.py": "x = 1\n"})
        first = record([program], cache=self.cache)[program]
        with mock.patch.object(recording, "run_batch", side_effect=AssertionError("ran again")):
            self.assertEqual(record([program], cache=self.cache)[program], first)
            (self.root / "helper.py").write_text("1 / 0\n")
            with self.assertRaisesRegex(AssertionError, "ran again"):
                record([program], cache=self.cache)
        self.assertEqual(record([program], cache=self.cache)[program]["errors"][0]["file"], "helper.py")

    def test_many_programs_share_one_start_of_the_framework(self):
        programs = []
        for n in range(12):
            path = self.root / f"p{n}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"import jax.numpy as jnp\nx = jnp.ones({n})\nx + 1\n")
            programs.append(Program(name=path.stem, root=self.root, script=path.name))
        with mock.patch.object(recording.subprocess, "run", wraps=recording.subprocess.run) as run:
            records = record(programs, cache=self.cache)
        servers = [call for call in run.call_args_list if "oracle.inside.server" in call.args[0]]
        self.assertEqual(len(servers), 1)
        self.assertEqual([self.avals(records[p], p.script)["x + 1"] for p in programs], [[f"f32[{n}]"] for n in range(12)])
        json.dumps(list(records.values()))


if __name__ == "__main__":
    unittest.main()
