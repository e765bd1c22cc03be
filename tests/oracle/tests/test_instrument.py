import ast
import builtins
import textwrap
import unittest

from ..inside.instrument import ENTER, MARK, SAW, WATCH, Sites, instrument


def run(source: str, watched=()):
    """Executes instrumented code; returns its namespace and what the probes saw, as (source text, value)."""
    source = textwrap.dedent(source)
    sites = Sites(watched={"p.py": set(watched)})
    tree = instrument(source, "p.py", sites)
    lines, seen, entered, watches = source.split("\n"), [], [], []

    def text(site):
        first, start, last, end = sites.places[site][1]
        assert first == last
        return lines[first - 1].encode()[start:end].decode()

    def saw(site, value):
        seen.append((text(site), value))
        return value

    def watch(site, before, value):
        watches.append((text(site), before, value))
        return saw(site, value)

    def enter(function):
        entered.append(sites.functions[function])

    probes = {SAW: saw, ENTER: enter, MARK: lambda: len(entered), WATCH: watch}
    namespace = {"__builtins__": {**vars(builtins), **probes}, "__name__": "p"}
    exec(compile(tree, "p.py", "exec"), namespace)
    return namespace, seen, entered, watches


def texts(source: str) -> list[str]:
    return [text for text, _ in run(source)[1]]


class WhichExpressions(unittest.TestCase):
    def test_every_loaded_expression_has_a_row_and_inner_ones_come_first(self):
        self.assertEqual(texts("a = 2\nb = -a * (a + 1)\n"), ["a", "-a", "a", "a + 1", "-a * (a + 1)"])

    def test_comparisons_boolean_operators_and_conditionals(self):
        self.assertEqual(texts("a = 2\nb = a if a > 1 and a else 0\n"), ["a", "a > 1", "a", "a > 1 and a", "a",
                                                                      "a if a > 1 and a else 0"])

    def test_attributes_subscripts_and_calls(self):
        self.assertEqual(texts("a = [1]\nb = a.index(a[0])\n"), ["a", "a.index", "a", "a[0]", "a.index(a[0])"])

    def test_targets_have_none_but_what_they_are_reached_through_has(self):
        self.assertEqual(texts("a = [1]\na[0] += 1\ndel a[0]\n"), ["a", "a"])

    def test_constants_displays_and_lambdas_themselves_have_none(self):
        self.assertEqual(texts("a = 1\nb = [a, (2, a), {3: 4}]\nf = lambda x, y=a: x\n"), ["a", "a", "a"])

    def test_the_body_of_a_lambda_has_rows_and_its_parameters_have_not(self):
        self.assertEqual(texts("f = lambda x: x + 1\nf(1)\n"), ["f", "x", "x + 1", "f(1)"])

    def test_parameters_have_rows_under_their_names_alone(self):
        source = "def f(a: int, /, b=2, *rest, c: int = 3, **more):\n    pass\nf(1)\n"
        self.assertEqual(run(source)[1][1:], [("a", 1), ("b", 2), ("c", 3), ("f(1)", None)])

    def test_f_strings_patterns_and_annotations_have_none(self):
        self.assertEqual(texts("""\
            a = 1
            b: int = a
            c = f"{a} {a + 1}"
            def f(x: int) -> int: return x
            match a:
                case int(): pass
                case a.real: pass
            """), ["a", "a"])

    def test_comprehensions(self):
        self.assertEqual(texts("a = [1]\nb = [x + 1 for x in a if x]\n"), ["a", "x", "x", "x + 1"])

    def test_columns_are_bytes(self):
        self.assertEqual(texts("é = 1\nb = 'ü', é + 1\n"), ["é", "é + 1"])


class SameProgram(unittest.TestCase):
    def test_docstrings_and_futures_stay(self):
        names, *_ = run('''"""module"""
from __future__ import annotations
def f(x: Unknown):
    """function"""
    return x
class C:
    """class"""
''')
        self.assertEqual((names["__doc__"], names["f"].__doc__, names["C"].__doc__), ("module", "function", "class"))
        self.assertEqual(names["f"].__annotations__, {"x": "Unknown"})

    def test_super_private_names_and_scopes_work(self):
        names, *_ = run("""\
            class A:
                def __init__(self, v): self.__v = v
                def get(self): return self.__v
            class B(A):
                def __init__(self): super().__init__(5)
            def counter():
                n = 0
                def up():
                    nonlocal n
                    n += 1
                    return n
                return up
            up = counter(); up()
            got = B().get(), up()
            def g(__x): return __x
            def gen():
                x = yield 1
                yield x
            it = gen(); out = [next(it), it.send(7)]
            """)
        self.assertEqual((names["got"], names["out"]), ((5, 2), [1, 7]))

    def test_lines_of_errors_stay(self):
        source = "def f(x):\n    y = (x\n         .real\n         .nothing)\n    return y\nf(1)\n"
        lines = []
        for code in (compile(source, "p.py", "exec"), compile(instrument(source, "p.py", Sites()), "p.py", "exec")):
            try:
                exec(code, {"__builtins__": {**vars(builtins), SAW: lambda s, v: v, ENTER: lambda f: None}})
            except AttributeError as error:
                tb, at = error.__traceback__, []
                while tb:
                    at.append(tb.tb_lineno)
                    tb = tb.tb_next
                lines.append(at[1:])
        self.assertEqual(lines, [[6, 4], [6, 4]])

    def test_each_expression_is_evaluated_once_and_in_order(self):
        source = "\n".join(["log = []", "def t(x): log.append(x); return x", "t([0])[t(0)] = t(t(1) + t(2))",
                            "t(0) and t(5); t(6) if t(7) else t(8)", "[t(x) for x in t([4, 5]) if t(x) > 4]"])
        plain = {}
        exec(source, plain)
        self.assertEqual(run(source)[0]["log"], plain["log"])
        self.assertEqual(len(plain["log"]), 12)


class CallsAndWatches(unittest.TestCase):
    def test_calls_are_counted_under_the_line_of_def(self):
        source = "def deco(f): return f\n@deco\ndef f(): pass\nclass C:\n    async def g(self): pass\nf(); f()\n"
        self.assertEqual(run(source)[2], [("p.py", 1, "deco"), ("p.py", 3, "f"), ("p.py", 3, "f")])

    def test_a_watched_expression_is_marked_before_it_is_evaluated(self):
        source = "def f(): return 4\nf()\nx = f() + 1\n"
        self.assertEqual(run(source, watched=[(3, 4, 3, 11)])[3], [("f() + 1", 1, 5)])


class EveryRange(unittest.TestCase):
    def test_sites_are_exactly_the_loaded_expressions_of_ast(self):
        source = "def f(a, *b, c=1):\n    d = a[1:b[0]] @ c\n    return [d.T, *b, (yield), g(x=d)]\n"
        sites = Sites()
        instrument(source, "p.py", sites)
        kinds = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.BinOp)
        wanted = {(n.lineno, n.col_offset, n.end_lineno, n.end_col_offset) for n in ast.walk(ast.parse(source))
                  if isinstance(n, kinds) and isinstance(getattr(n, "ctx", ast.Load()), ast.Load)}
        wanted |= {(1, 6, 1, 7), (1, 13, 1, 14)}        # the parameters a and c
        self.assertEqual({where for _, where in sites.places}, wanted)


if __name__ == "__main__":
    unittest.main()
