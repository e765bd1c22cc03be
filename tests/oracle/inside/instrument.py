"""Rewrites a module so that the value of every expression passes through a probe.

Which expressions get a row is a contract with `jitlens values`:

- names, attributes, subscripts, calls, operators (unary, binary, boolean), comparisons and conditionals that are *loaded*,
  under the range that `ast` gives them;
- named parameters of a `def` (not `*args`, `**kwargs` or those of a lambda), under the range of the name alone;
- nothing inside f-strings (their ranges changed between Python versions), patterns and annotations.

The rewritten code evaluates the same expressions in the same order on the same lines.
"""

import ast
from dataclasses import dataclass, field

SAW, ENTER, MARK, WATCH = "__oracle_saw__", "__oracle_enter__", "__oracle_mark__", "__oracle_watch__"

PROBED = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp)
OPAQUE = (ast.JoinedStr, ast.MatchValue, ast.MatchClass, ast.MatchMapping)

Range = tuple[int, int, int, int]


def range_of(node: ast.AST) -> Range:
    return (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


@dataclass
class Sites:
    """Every probed place: its number is its index. Grows as modules are imported."""

    places: list[tuple[str, Range]] = field(default_factory=list)
    functions: list[tuple[str, int, str]] = field(default_factory=list)
    watched: dict[str, set[Range]] = field(default_factory=dict)

    def place(self, file: str, where: Range) -> int:
        self.places.append((file, where))
        return len(self.places) - 1

    def function(self, file: str, line: int, name: str) -> int:
        self.functions.append((file, line, name))
        return len(self.functions) - 1


class Instrumenter(ast.NodeTransformer):
    def __init__(self, file: str, sites: Sites):
        self.file = file
        self.sites = sites
        self.watched = sites.watched.get(file, set())

    def visit(self, node):
        if isinstance(node, OPAQUE):
            return node
        if isinstance(node, PROBED):
            where = range_of(node)
            node = self.generic_visit(node)
            loaded = isinstance(getattr(node, "ctx", None), (ast.Load, type(None)))
            return self.probe(node, where) if loaded else node
        return super().visit(node)

    def visit_AnnAssign(self, node):
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    def visit_Lambda(self, node):
        self.visit_defaults(node.args)
        node.body = self.visit(node.body)
        return node

    def visit_FunctionDef(self, node):
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        self.visit_defaults(node.args)
        body = [self.visit(statement) for statement in node.body]
        head = 1 if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) else 0
        node.body = body[:head] + self.prologue(node) + body[head:]
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_defaults(self, args):
        args.defaults = [self.visit(d) for d in args.defaults]
        args.kw_defaults = [d and self.visit(d) for d in args.kw_defaults]

    def prologue(self, node):
        """Statements that count the call and show each parameter, in place of the first line of the body."""
        number = self.sites.function(self.file, node.lineno, node.name)
        calls = [call(ENTER, ast.Constant(number))]
        for arg in node.args.posonlyargs + node.args.args + node.args.kwonlyargs:
            where = (arg.lineno, arg.col_offset, arg.lineno, arg.col_offset + len(arg.arg.encode()))
            calls.append(self.probe(ast.Name(arg.arg, ast.Load()), where))
        first = node.body[0]
        return [locate(ast.Expr(c), (first.lineno, first.col_offset, first.lineno, first.col_offset)) for c in calls]

    def probe(self, node, where: Range):
        number = ast.Constant(self.sites.place(self.file, where))
        if where in self.watched:
            return locate(call(WATCH, number, call(MARK), node), where)
        return locate(call(SAW, number, node), where)


def call(name, *args):
    return ast.Call(ast.Name(name, ast.Load()), list(args), [])


def locate(node, where: Range):
    """Gives every new node below `node` that range, and leaves those that have one alone."""
    for child in ast.walk(node):
        if isinstance(child, (ast.expr, ast.stmt)) and not hasattr(child, "lineno"):
            child.lineno, child.col_offset, child.end_lineno, child.end_col_offset = where
    return node


def instrument(source: str, file: str, sites: Sites) -> ast.Module:
    return Instrumenter(file, sites).visit(ast.parse(source, file))
