"""Puts errors into the programs of tests/projects: each is a copy of a project with one change of one of its files.

The changes are the same in every run. `seeds()` gives them by name with the script that is run, the changed file and its text;
whether a change makes its program raise is for jitlens to say.
"""

import ast
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECTS = ROOT / "tests/projects"


def script_of(project):
    """The script that runs a project."""
    scripts = [p for p in sorted(project.rglob("*.py")) if "__main__" in p.read_text()]
    named = (p for p in scripts if p.name in ("main.py", "train.py"))
    return next(named, scripts[0] if scripts else None)


def spans(text):
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    return starts


def name_of(node):
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def changes(node, source):
    """What may be made of an expression, by the kind of the mistake."""
    part = lambda n: ast.get_source_segment(source, n)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield "transposed", f"{part(node.left)} @ ({part(node.right)}).T[:, :1]"
        yield "turned", f"({part(node.right)}) @ ({part(node.left)})[..., :1]"
    if isinstance(node, ast.Call):
        name = name_of(node.func)
        keywords = {k.arg: k for k in node.keywords}
        if name in ("sum", "mean", "softmax", "max", "argmax", "logsumexp") and "axis" in keywords:
            value = keywords["axis"].value
            text, old = part(node), part(value)
            yield "axis", text.replace(f"axis={old}", "axis=7")
        if name in ("exp", "tanh", "relu", "gelu", "sin", "log", "sqrt", "sigmoid", "square", "softplus") and node.args:
            yield "float", f"float({part(node)})"
            yield "more", f"{part(node.func)}({part(node.args[0])}, 3, 4)"
        if name in ("einsum",) and node.args and isinstance(node.args[0], ast.Constant):
            yield "einsum", part(node).replace(node.args[0].value, node.args[0].value[::-1], 1)
        if name in ("concatenate", "stack") and node.args:
            yield "joined", f"{part(node.func)}([{part(node.args[0])}[0], jnp.ones((3, 5, 7))])"
        if name == "reshape":
            yield "reshape", f"{part(node)}.reshape(17, -1, 13)"
        if name == "scan" and len(node.args) > 1:
            yield "carry", part(node).replace(part(node.args[1]), f"({part(node.args[1])}, 0)", 1)
        if name == "where" and len(node.args) == 3:
            yield "where", part(node).replace(part(node.args[1]), f"jnp.ones((3, 11, 2))", 1)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        yield "key", f"{part(node.value)}['missing']"


def seeds(most=4):
    """Name, project, script, changed file, text; at most so many of one kind and file."""
    for project in sorted(p for p in PROJECTS.iterdir() if p.is_dir()):
        script = script_of(project)
        if script is None:
            continue
        for file in sorted(project.rglob("*.py")):
            source = file.read_text()
            starts, seen = spans(source), {}
            data = source.encode()
            for node in ast.walk(ast.parse(source)):
                if not isinstance(node, ast.expr):
                    continue
                for kind, text in changes(node, source):
                    if text is None or seen.get(kind, 0) >= most:
                        continue
                    seen[kind] = seen.get(kind, 0) + 1
                    start = starts[node.lineno - 1] + node.col_offset
                    end = starts[node.end_lineno - 1] + node.end_col_offset
                    changed = (data[:start] + b"(" + text.encode() + b")" + data[end:]).decode()
                    name = f"{project.name}/{file.stem}:{node.lineno} {kind}"
                    yield name, project, script.relative_to(project), file.relative_to(project), changed
