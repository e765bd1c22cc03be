"""The public names of the standard library's modules that jitlens models, and of their classes, as Python has them.

    python3 tests/tables/standard_names.py            prints the table: what is kept, and what this Python has beside it
    python3 tests/tables/standard_names.py --check    fails where a module has no names in the table, or many are missing

What is in the table and not in a model is unknown; what is in neither is no attribute. Releases and systems differ by a few
names: the table has those of all that it was made with.
"""

import importlib
import sys
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRELUDE = ROOT / "tracer-core/src/frameworks/python/prelude"
TABLE = ROOT / "tracer-core/src/frameworks/python/names.txt"
# Another release of Python may have so many names that the table does not have.
MOST_MISSING = 200
# Modelled without a text of their own, or of more names than ours.
NATIVE = ["builtins"]


# Their classes are not modelled one by one.
WITHOUT_CLASSES = ["ast", "asyncio", "signal", "socket", "sqlite3", "ssl", "typing"]
# Of these instances have more members.
MADE = ["argparse.ArgumentParser", "collections.ChainMap", "random.Random", "threading.Event", "threading.Thread"]
# Types of builtin values that no module names.
NAMELESS = [types.GeneratorType, type({}.keys()), type({}.values()), type({}.items()), types.FunctionType, types.MethodType]


def modules():
    found = set(NATIVE)
    for file in PRELUDE.rglob("*.py"):
        parts = list(file.relative_to(PRELUDE).with_suffix("").parts)
        if parts[-1] == "__init__":
            parts.pop()
        if parts[0] in sys.stdlib_module_names and not any(part.startswith("_") for part in parts):
            found.add(".".join(parts))
    return sorted(found)


def names(module):
    declared = set(getattr(module, "__all__", ()))
    for name in dir(module):
        # What a module has imported for itself is not its own, unless it is no module.
        if name in declared or not name.startswith("_") and not isinstance(getattr(module, name, None), types.ModuleType):
            yield name


def kept():
    if not TABLE.exists():
        return {}
    lines = (line.split(":") for line in TABLE.read_text().splitlines())
    return {module: set(names.split()) for module, names in lines}


def found():
    for name in modules():
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        yield name, set(names(module))
        for member in names(module):
            value = getattr(module, member, None)
            own = isinstance(value, type) and value.__module__.lstrip("_") == name.lstrip("_")
            if own and name not in WITHOUT_CLASSES and members(value):
                yield f"{name}.{member}", members(value)
    for kind in NAMELESS:
        yield f"builtins.{kind.__name__}", members(kind)


def members(kind):
    made = kind() if f"{kind.__module__}.{kind.__name__}" in MADE else kind
    return {member for member in dir(made) if not member.startswith("_")}


def check():
    table, missing, failed = kept(), 0, False
    for module, names in found():
        if module not in table:
            print(f"{module} is not in {TABLE.relative_to(ROOT)}")
            failed = True
        missing += len(names - table.get(module, names))
    if missing > MOST_MISSING:
        print(f"{missing} names of this Python are not in {TABLE.relative_to(ROOT)}")
        failed = True
    print(f"{sum(map(len, table.values()))} names of the standard library in the table, {missing} missing")
    return int(failed)


def main():
    if "--check" in sys.argv:
        return check()
    table = kept()
    for module, names in found():
        table[module] = table.get(module, set()) | names
    known = modules()
    for module in sorted(table):
        if not any(module == name or module.rpartition(".")[0] == name for name in known):
            continue
        print(f"{module}: {' '.join(sorted(table[module]))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
