"""Compares the front end with CPython: ranges with `ast`, scopes with `symtable` and code objects.

    python compare_with_cpython.py DUMP_RANGES_BINARY PATH...

Python 3.11 is the reference. It gives wrong positions inside f-strings; run this under 3.12 to compare those.
Files that CPython refuses are counted apart: there the front end should have a note.
"""

import ast
import collections
import json
import os
import re
import struct
import subprocess
import symtable
import sys
import tokenize
import types
import warnings

SHOW = int(os.environ.get("SHOW", "40"))
TRUE_FSTRINGS = sys.version_info >= (3, 12)
sys.setrecursionlimit(20000)


def mangle(name, cls):
    if cls and name.startswith("__") and not name.endswith("__") and "." not in name:
        cls = cls.lstrip("_")
        if cls:
            return f"_{cls}{name}"
    return name


def constant(value):
    if value is None or value is True or value is False:
        return str(value)
    if value is Ellipsis:
        return "Ellipsis"
    if isinstance(value, int):
        return f"int {value:#x}"
    if isinstance(value, float):
        return "float " + struct.pack(">d", value).hex()
    if isinstance(value, complex):
        return "imag " + struct.pack(">d", value.imag).hex()
    if isinstance(value, str):
        # Lone surrogates cannot be held.
        return "str " + "".join("\ufffd" if 0xD800 <= ord(c) < 0xE000 else c for c in value)
    return "bytes " + value.hex()


class Rows(ast.NodeVisitor):
    """The rows that `dump_ranges` prints, from CPython's tree."""

    def __init__(self):
        self.rows = []
        self.stmts = []
        self.cls = None
        self.joined = []

    def detail(self, node):
        store = not isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        match node:
            case ast.Constant():
                return "Constant", constant(node.value)
            case ast.Name():
                return "Name", mangle(node.id, self.cls)
            case ast.Attribute():
                return "Attribute", mangle(node.attr, self.cls)
            case ast.Slice():
                return "Slice", "".join("1" if x else "0" for x in (node.lower, node.upper, node.step))
            case ast.Call():
                return "Call", str(len(node.args) + len(node.keywords))
            case ast.UnaryOp() | ast.BinOp():
                return type(node).__name__, type(node.op).__name__
            case ast.BoolOp():
                return "BoolOp", f"{type(node.op).__name__}{len(node.values)}"
            case ast.Compare():
                return "Compare", " ".join(type(op).__name__ for op in node.ops)
            case ast.Lambda():
                a = node.args
                count = len(a.posonlyargs) + len(a.args) + len(a.kwonlyargs) + bool(a.vararg) + bool(a.kwarg)
                return "Lambda", str(count)
            case ast.Tuple() | ast.List() if store:
                return "Tuple", ""
            case ast.Tuple() | ast.List() | ast.Set():
                return type(node).__name__, str(len(node.elts))
            case ast.Dict():
                return "Dict", str(len(node.keys))
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return type(node).__name__, str(len(node.generators))
            case ast.NamedExpr():
                return "NamedExpr", mangle(node.target.id, self.cls)
        return type(node).__name__, ""

    def row(self, node):
        kind, detail = self.detail(node)
        self.rows.append((kind, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, detail))

    def visit(self, node):
        if isinstance(node, ast.expr):
            self.row(node)
        elif isinstance(node, ast.stmt):
            self.stmts.append((node.lineno, node.col_offset, node.end_lineno, node.end_col_offset))
        super().visit(node)

    def visit_NamedExpr(self, node):
        self.visit(node.value)

    def arguments(self, args):
        for arg in args:
            self.visit(arg.value if isinstance(arg, ast.Starred) else arg)

    def visit_Call(self, node):
        self.visit(node.func)
        self.arguments(node.args)
        for keyword in node.keywords:
            self.visit(keyword.value)

    def visit_ClassDef(self, node):
        for decorator in node.decorator_list:
            self.visit(decorator)
        self.arguments(node.bases)
        for keyword in node.keywords:
            self.visit(keyword.value)
        outer, self.cls = self.cls, node.name
        for stmt in node.body:
            self.visit(stmt)
        self.cls = outer

    def visit_JoinedStr(self, node):
        self.joined.append(((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)))
        if TRUE_FSTRINGS:
            self.format(node)

    def format(self, node):
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                self.visit(value.value)
                if value.format_spec:
                    self.format(value.format_spec)

    def visit_TypeAlias(self, node):
        pass

    def visit_TypeVar(self, node):
        pass


def inside(row, ranges):
    start, end = (row[1], row[2]), (row[3], row[4])
    return any(a <= start and end <= b and (a, b) != (start, end) for a, b in ranges)


def compare_rows(tree, dump):
    rows = Rows()
    rows.visit(tree)
    theirs = collections.Counter(rows.rows)
    ours = [tuple(row) for row in dump["exprs"]]
    if not TRUE_FSTRINGS and rows.joined:
        joined = set(rows.joined)
        ours = [row for row in ours if not inside(row, joined)]
    ours = collections.Counter(ours)
    stmts, our_stmts = collections.Counter(rows.stmts), collections.Counter(tuple(row) for row in dump["stmts"])
    missing = sorted((theirs - ours).elements(), key=lambda row: row[1:5])
    extra = sorted((ours - theirs).elements(), key=lambda row: row[1:5])
    return sum(theirs.values()), missing, extra, sorted((stmts - our_stmts).elements()), len(rows.stmts)


# ---- scopes ----

LOCAL, GLOBAL_EXPLICIT, GLOBAL_IMPLICIT, FREE, CELL = 1, 2, 3, 4, 5
COMPREHENSIONS = {"listcomp": "<listcomp>", "setcomp": "<setcomp>", "dictcomp": "<dictcomp>", "genexpr": "<genexpr>"}
DEF_FREE_CLASS = 2 << 5


def scope_rows(table, future):
    """Each scope as (type, name, line, locals, cells, frees, other names)."""
    names = collections.defaultdict(set)
    passed = set()
    for symbol in table.get_symbols():
        name = symbol.get_name()
        if name == "__class__" and symbol._Symbol__scope in (GLOBAL_EXPLICIT, GLOBAL_IMPLICIT):
            continue
        if not (symbol.is_referenced() or symbol.is_assigned() or symbol.is_parameter() or symbol.is_imported()
                or symbol.is_annotated() or symbol.is_free()):
            continue
        names[symbol._Symbol__scope].add(name)
        if symbol._Symbol__flags & DEF_FREE_CLASS:
            passed.add(name)
    kind, name = table.get_type(), table.get_name()
    if kind == "module":
        row = (kind, "<module>", 1, (), (), (), ())
    elif kind == "class":
        own = names[LOCAL] | names[GLOBAL_IMPLICIT] | names[FREE]
        row = (kind, name, table.get_lineno(), tuple(sorted(own)), (), tuple(sorted(names[FREE] | passed)),
               tuple(sorted(names[GLOBAL_EXPLICIT] - {"__class__"})))
    else:
        name = "<lambda>" if name == "lambda" else COMPREHENSIONS.get(name, name) if ".0" in names[LOCAL] | names[CELL] else name
        globals_ = names[GLOBAL_EXPLICIT] | names[GLOBAL_IMPLICIT]
        row = (kind, name, table.get_lineno(), tuple(sorted(names[LOCAL])), tuple(sorted(names[CELL])),
               tuple(sorted(names[FREE])), tuple(sorted(globals_)))
    yield row
    for child in table.get_children():
        yield from scope_rows(child, future)


def our_scope_rows(dump):
    for scope in dump["scopes"]:
        kind = {"Module": "module", "Class": "class"}.get(scope["kind"], "function")
        cells = [name for name in scope["cells"] if not (kind == "class" and name == "__class__")]
        names = set(scope["globals"])
        if kind == "module":
            yield (kind, "<module>", 1, (), (), (), ())
        elif kind == "class":
            own = set(scope["class_names"])
            frees = set(scope["frees"])
            # A name that is only handed on to an inner scope is no name of the class.
            yield (kind, scope["name"], scope["line"], tuple(sorted(own | frees)), (), tuple(sorted(frees)),
                   tuple(sorted(names - {"__class__"})))
        else:
            locals_ = [name for name in scope["locals"] if name not in cells]
            yield (kind, scope["name"], scope["line"], tuple(sorted(locals_)), tuple(sorted(cells)),
                   tuple(sorted(scope["frees"])), tuple(sorted(names - {"__class__"})))


def strip_globals(row):
    return row[:6]


def compare_scopes(text, dump, future):
    table = symtable.symtable(text, "<file>", "exec")
    theirs = collections.Counter(scope_rows(table, future))
    ours = collections.Counter(our_scope_rows(dump))
    total = sum(theirs.values())
    missing, extra = theirs - ours, ours - theirs
    if future or any(missing):
        # What annotations name does not count under `from __future__ import annotations`; here it does.
        left = collections.Counter()
        for row in missing.elements():
            for other in list(extra):
                if other[:3] == row[:3] and (future and all(set(a) <= set(b) for a, b in zip(row[5:], other[5:]))
                                             and set(row[3]) | set(row[4]) <= set(other[3]) | set(other[4])
                                             and set(other[4]) >= set(row[4])):
                    extra -= collections.Counter([other])
                    break
            else:
                left[row] += 1
        missing = left
    return total, sorted(missing.elements(), key=repr), sorted(extra.elements(), key=repr)


def code_rows(code):
    flags = code.co_flags
    is_generator = bool(flags & 0x20 or flags & 0x200) and code.co_name != "<genexpr>"
    yield (code.co_name, code.co_qualname, tuple(sorted(code.co_cellvars)), tuple(sorted(code.co_freevars)), is_generator,
           code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + bool(flags & 4) + bool(flags & 8)])
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from code_rows(const)


def compare_codes(tree, dump, future):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        code = compile(tree, "<file>", "exec", dont_inherit=True, flags=0x2000)
    theirs = collections.Counter(code_rows(code))
    ours = collections.Counter(
        (s["name"], s["qualname"], tuple(sorted(s["cells"])), tuple(sorted(s["frees"])),
         s["is_generator"] and s["kind"] != "GeneratorExp", tuple(s["params"]))
        for s in dump["scopes"])
    missing = theirs - ours
    if future:
        loose = collections.Counter((row[0], row[1]) for row in (ours - theirs).elements())
        missing = collections.Counter({row: n for row, n in missing.items() if (row[0], row[1]) not in loose})
    return sum(theirs.values()), sorted(missing.elements(), key=repr)


# ---- running ----

def python_files(paths):
    for path in paths:
        if os.path.isfile(path):
            yield path
        for root, _, files in os.walk(path):
            for file in sorted(files):
                if file.endswith(".py"):
                    yield os.path.join(root, file)


def read(path):
    try:
        with open(path, "rb") as file:
            data = file.read()
        data.decode("utf-8")
        with open(path, "rb") as file:
            encoding, _ = tokenize.detect_encoding(file.readline)
    except (UnicodeDecodeError, SyntaxError, OSError):
        return None
    return data if encoding in ("utf-8", "utf-8-sig", "ascii") else None


def main():
    binary, *paths = sys.argv[1:]
    files = {path: data for path in python_files(paths) if (data := read(path)) is not None}
    totals = collections.Counter()
    shown = collections.Counter()
    process = subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    import threading

    def feed():
        for path in files:
            process.stdin.write(path + "\n")
        process.stdin.close()

    threading.Thread(target=feed, daemon=True).start()

    def show(what, path, rows, sign):
        for row in rows[:4]:
            shown[what] += 1
            if shown[what] <= SHOW:
                print(f"{what} {sign} {path}: {str(row)[:300]}")

    for line in process.stdout:
        dump = json.loads(line)
        path = dump["file"]
        data = files[path]
        totals["files"] += 1
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(data, path)
            if not TRUE_FSTRINGS:
                compile(data, path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            totals["refused by CPython"] += 1
            if not dump["notes"]:
                totals["refused by CPython, no note"] += 1
                show("unnoted", path, [str(error)], "?")
            elif os.environ.get("NOTES"):
                print("refused", path, getattr(error, "lineno", None), error.args[0], "| ours:", dump["notes"][:2])
            continue
        if dump["notes"]:
            totals["files with false notes"] += 1
            totals["false notes"] += len(dump["notes"])
            show("note", path, dump["notes"], "!")
        count, missing, extra, stmts, stmt_count = compare_rows(tree, dump)
        totals["expressions"] += count
        totals["expressions missing"] += len(missing)
        totals["expressions extra"] += len(extra)
        totals["statements"] += stmt_count
        totals["statements missing"] += len(stmts)
        if missing or extra:
            totals["files with range differences"] += 1
        show("expr", path, missing, "-")
        show("expr", path, extra, "+")
        show("stmt", path, stmts, "-")
        if not TRUE_FSTRINGS:
            future = bool(re.search(rb"from\s+__future__\s+import.*annotations", data))
            text = data.decode("utf-8-sig")
            count, missing, extra = compare_scopes(text, dump, future)
            totals["scopes"] += count
            totals["scopes missing"] += len(missing)
            totals["scopes extra"] += len(extra)
            show("scope", path, missing, "-")
            show("scope", path, extra, "+")
            count, missing = compare_codes(tree, dump, future)
            totals["codes"] += count
            totals["codes missing"] += len(missing)
            show("code", path, missing, "-")
    process.wait()
    if process.returncode:
        print("dump_ranges ended with", process.returncode)
    for name, count in totals.items():
        print(f"{count:10} {name}")
    sys.exit(any(count for name, count in totals.items() if "missing" in name or "extra" in name or "false" in name))


if __name__ == "__main__":
    main()
