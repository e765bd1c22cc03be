"""What the functions and classes of the standard library take that jitlens models, as Python has them.

    python3 tests/tables/standard_signatures.py            prints the table
    python3 tests/tables/standard_signatures.py --check    fails where a model in Python takes less than Python does, of what is public

A parameter with a default is marked `?`; `-` stands for a signature that Python does not tell. What a model refuses and the table
takes is unknown; what both refuse is an error.
"""

import ast
import importlib
import inspect
import re
import sys
import types

from standard_names import PRELUDE, ROOT, WITHOUT_CLASSES, modules, names

TABLE = ROOT / "tracer-core/src/frameworks/python/signatures.txt"
# Models that take less, and need not be told: what they would do is not known.
MOST_NARROW = 2


def written(function, first=()):
    """The parameters of a function, or `-`."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (ValueError, TypeError, AttributeError, NameError):
        return "-"
    words, kind = list(first), None
    if first and (not parameters or parameters[0].kind is not inspect.Parameter.POSITIONAL_ONLY):
        words.append("/")
    for p in parameters:
        if kind is p.POSITIONAL_ONLY and p.kind is not kind:
            words.append("/")
        if p.kind is p.KEYWORD_ONLY and kind not in (p.KEYWORD_ONLY, p.VAR_POSITIONAL):
            words.append("*")
        mark = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        words.append(f"{mark}{p.name}{'?' if p.default is not p.empty else ''}")
        kind = p.kind
    if kind is inspect.Parameter.POSITIONAL_ONLY:
        words.append("/")
    return " ".join(words)


def of_class(kind):
    """What making an instance takes, with the instance in front."""
    for name in ("__init__", "__new__"):
        own = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
        own = getattr(own, "__func__", own)
        if isinstance(own, types.FunctionType):
            return written(own)
    return written(kind, ["self"])


def signatures():
    texts = {}
    for file, module in preludes():
        texts[module] = texts.get(module, "") + file.read_text()
    for module_name in modules():
        if module_name not in texts:
            continue
        try:
            module = importlib.import_module(module_name)
        except ImportError:
            continue
        mentioned = set(re.findall(r"\w+", texts[module_name]))
        for name in sorted(set(names(module)) & mentioned):
            value = getattr(module, name, None)
            if not isinstance(value, type):
                if callable(value):
                    yield f"{module_name}.{name}", written(value)
                continue
            if value.__module__.lstrip("_").partition("._")[0] != module_name.lstrip("_") or module_name in WITHOUT_CLASSES:
                continue
            yield f"{module_name}.{name}.__init__", of_class(value)
            for member in dir(value):
                if member.startswith("_"):
                    continue
                found = inspect.getattr_static(value, member)
                found = getattr(found, "__func__", found)
                if callable(found) and not isinstance(found, type):
                    yield f"{module_name}.{name}.{member}", written(found)


def preludes():
    """The files of the models, each with the public name of its module."""
    for file in sorted(PRELUDE.rglob("*.py")):
        parts = list(file.relative_to(PRELUDE).with_suffix("").parts)
        if parts[-1] == "__init__":
            parts.pop()
        yield file, ".".join(parts).partition("._")[0]


def modelled():
    """The functions that the preludes write down, and what they take."""
    for file, module in preludes():
        yield from defined(module, ast.parse(file.read_text()).body)


def defined(owner, statements):
    functions = {}
    for statement in statements:
        if isinstance(statement, ast.FunctionDef):
            functions[statement.name] = statement.args
        elif isinstance(statement, ast.ClassDef):
            yield from defined(f"{owner}.{statement.name}", statement.body)
        elif isinstance(statement, ast.Assign):
            function = getattr(statement.value, "id", None)
            if isinstance(statement.value, ast.Lambda):
                functions[statement.targets[0].id] = statement.value.args
                function = statement.targets[0].id
            for target in statement.targets if function in functions else []:
                functions[getattr(target, "id", None)] = functions[function]
    yield from ((f"{owner}.{name}", args) for name, args in functions.items())


def takes_less(args, signature):
    """What of a signature a model does not take."""
    words = signature.split()
    if "-" in words:
        return []
    everywhere = {a.arg for a in args.args + args.kwonlyargs}
    positional = len(args.posonlyargs) + len(args.args)
    by_place = words[: next((i for i, w in enumerate(words) if w.startswith("*")), len(words))]
    before = by_place.index("/") if "/" in by_place else 0
    count = len([w for w in by_place if w != "/"])
    missing = []
    if args.vararg is None and positional < count:
        missing.append(f"{count} by place")
    for i, word in enumerate(words):
        name = word.rstrip("?")
        if len(word) > 1 and word[0] == "*" and (args.kwarg if word.startswith("**") else args.vararg) is None:
            missing.append(word)
        if word[0] == "*" or word == "/" or i < before:
            continue
        if i > 0 or name not in ("self", "cls"):
            if name not in everywhere and args.kwarg is None:
                missing.append(name)
    defaults = positional - len(args.defaults)
    wanted = [w for w in by_place if w != "/" and not w.endswith("?")]
    if defaults > len(wanted):
        missing.append(f"only {len(wanted)} wanted")
    return missing


def check():
    table = dict(line.split(":", 1) for line in TABLE.read_text().splitlines())
    narrow = [(path, missing) for path, args in modelled() if path in table and (missing := takes_less(args, table[path]))]
    for path, missing in narrow:
        print(f"{path} lacks {', '.join(missing)}")
    print(f"{len(table)} signatures of the standard library in the table, {len(narrow)} models take less")
    return int(len(narrow) > MOST_NARROW)


def main():
    if "--check" in sys.argv:
        return check()
    for path, signature in dict(signatures()).items():
        print(f"{path}: {signature}".rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
