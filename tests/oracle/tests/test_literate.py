import tempfile
import unittest
from pathlib import Path
from unittest import mock

from ..record import record
from ..suites import literate
from ..suites.markdown import expectations, snippets

PAGE = '''# Products

Prose with `inline code`.

```py
import jax, jax.numpy as jnp
from layers import scale

@jax.jit
def f(x):
    y = x @ x.T                 # hover: f32[2,2] | f32[4,4]
    #   ^ hover: f32[2,3] | f32[4,3]
    return scale(y)             # hover: f32[2,2] | f32[4,4]
```

`layers.py`:

```py
def scale(x): return x * 2      # hover: f32[2,2] | f32[4,4]
```

More prose.

```py
f(jnp.ones((2, 3)))             # key: miss x: nothing -> f32[2,3]
f(jnp.ones((2, 3)))             # key: hit
out = f(jnp.ones((4, 3)))[0]    # eval: [6. 6. 6. 6.]  # hover: f32[4]
jnp.ones(3) @ jnp.ones(4)       # raises: TypeError "requires contracting dimensions"
1 / 0                           # raises: ZeroDivisionError
out                             # eval: [6.00000001 6. 6. 6.]
```

## Below

```toml
oracle = "not yet"
```

### Deeper

```py
1 / 0
```

## Beside

````py
x = 1
````

```edit
x = "```"
```
'''


class Reading(unittest.TestCase):
    def test_a_section_is_a_program_and_an_edit_another(self):
        found = snippets(PAGE)
        self.assertEqual([(s.title, sorted(s.files)) for s in found], [
            ("Products", ["layers.py", "main.py"]), ("Products / Below / Deeper", ["main.py"]),
            ("Products / Beside", ["main.py"]), ("Products / Beside (edited)", ["main.py"])])
        self.assertEqual([s.settings for s in found], [{}, {"oracle": "not yet"}, {}, {}])
        self.assertEqual([found[2].files["main.py"], found[3].files["main.py"]], ["x = 1\n", 'x = "```"\n'])

    def test_lines_lead_back_to_the_page(self):
        snippet, lines = snippets(PAGE)[0], PAGE.split("\n")
        for file, text in snippet.files.items():
            for number, line in enumerate(text.split("\n")[:-1], 1):
                self.assertEqual(lines[snippet.markdown_line(file, number) - 1], line)

    def test_expectations_speak_of_the_outermost_expression_or_the_one_above_the_carets(self):
        found = [(e.kind, e.text, e.line, e.range) for e in snippets(PAGE)[0].expectations()]
        self.assertEqual(found, [
            ("hover", "f32[2,2] | f32[4,4]", 6, (6, 8, 6, 15)),
            ("hover", "f32[2,3] | f32[4,3]", 6, (6, 8, 6, 9)),
            ("hover", "f32[2,2] | f32[4,4]", 8, (8, 11, 8, 19)),
            ("key", "miss x: nothing -> f32[2,3]", 9, (9, 0, 9, 19)),
            ("key", "hit", 10, (10, 0, 10, 19)),
            ("eval", "[6. 6. 6. 6.]", 11, (11, 6, 11, 28)),
            ("hover", "f32[4]", 11, (11, 6, 11, 28)),
            ("raises", 'TypeError "requires contracting dimensions"', 12, (12, 0, 12, 25)),
            ("raises", "ZeroDivisionError", 13, (13, 0, 13, 5)),
            ("eval", "[6.00000001 6. 6. 6.]", 14, (14, 0, 14, 3)),
            ("hover", "f32[2,2] | f32[4,4]", 1, (1, 21, 1, 26)),
        ])

    def test_statements_of_several_lines(self):
        source = "y = f(\n    g(a),  # hover: A\n    b,\n)  # hover: B\nfor x in h(\n    y):  # hover: C\n    pass\n"
        self.assertEqual([e.range for e in expectations("m.py", source)], [(2, 4, 2, 8), (1, 4, 4, 1), (5, 9, 6, 6)])

    def test_comments_that_only_look_like_expectations(self):
        source = 's = "# hover: no"\n# hover over this\nx = 1  # diagonal\nx = 2  # diag[rule-name] 4: "part"\n'
        self.assertEqual([(e.kind, e.text) for e in expectations("m.py", source)], [("diag", '"part"')])

    def test_a_bug_excuses_the_expectations_beside_it(self):
        found = expectations("m.py", "x = 1  # hover: i32[]  # bug: it is no array\ny = 2  # eval: 2\n")
        self.assertEqual([(e.kind, e.text, e.bug) for e in found], [("hover", "i32[]", True), ("eval", "2", False)])

    def test_carets_count_characters_and_ranges_count_bytes(self):
        source = "é = 'ü' + x\n#         ^ hover: T\n"
        self.assertEqual([e.range for e in expectations("m.py", source)], [(1, 12, 1, 13)])


class HoldingAgainstJax(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.work = Path(folder.name).resolve()

    def verify(self, page):
        with mock.patch.object(literate, "WORK", self.work / "suite"):
            cases = literate.cases_of("page.md", page)
            records = record([c.program for c in cases], cache=self.work / "cache")
        return [case.verify(records[case.program]) for case in cases]

    def test_true_expectations(self):
        first, *rest = self.verify(PAGE)
        self.assertEqual((first.findings, first.checked, first.unchecked), ((), 11, 0))
        self.assertEqual(len(rest), 2)          # the section that is left out is left out

    def test_each_untrue_expectation_is_found_at_its_line(self):
        for old, new, real in (
            ("# hover: f32[2,2] | f32[4,4]", "# hover: f32[2,2]", "f32[2,2] | f32[4,4]"),
            ("#   ^ hover: f32[2,3] |", "#   ^ hover: f32[2,9] |", "f32[2,3] | f32[4,3]"),
            ("# key: hit", "# key: miss x: a -> b", "hit"),
            ("# key: miss x", "# key: hit x", "miss"),
            ("# eval: [6. 6.", "# eval: [6. 6.1", "[6. 6. 6. 6.]"),
            ("# raises: ZeroDivisionError", "# raises: ValueError", 'ZeroDivisionError "division by zero"'),
            ('"requires contracting dimensions"', '"no"', 'TypeError "dot_general requires contracting dimensions to '
             'have the same shape, got (3,) and (4,)."'),
            ("@jax.jit", "@jax.vmap", None),
        ):
            with self.subTest(new):
                page = PAGE.replace(old, new, 1)
                findings = self.verify(page)[0].findings
                self.assertTrue(findings)
                if real is not None:
                    self.assertEqual([(f.line, f.real) for f in findings],
                                     [(1 + page.split("\n").index(next(l for l in page.split("\n") if new in l)), real)])

    def test_an_error_that_no_line_announces(self):
        page = PAGE.replace("# raises: ZeroDivisionError", "")
        [finding] = self.verify(page)[0].findings
        self.assertEqual((finding.kind, finding.real), ("raises silently", "ZeroDivisionError: division by zero"))
        self.assertEqual(self.verify(PAGE.replace("# raises: Zero", "# diag[some-rule]: Zero"))[0].findings, ())


if __name__ == "__main__":
    unittest.main()
