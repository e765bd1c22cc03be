"""jax/_removed.py: what JAX says about each removed name, and that each replacement exists in JAX or in the file itself."""
import importlib

from check import prelude


def raised(module, name):
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        return str(error)
    try:
        getattr(found, name)
    except AttributeError as error:
        return str(error)
    return f"{module}.{name} is there"


def resolve(path):
    """The object that a dotted name stands for, with as many modules as it takes."""
    parts = path.split(".")
    for n in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:n]))
        except ModuleNotFoundError:
            continue
        for name in parts[n:]:
            found = getattr(found, name)
        return found
    raise AttributeError(path)


def cases(C):
    removed = prelude("_removed")
    for name in sorted({**removed.REPLACEMENTS, **removed.MESSAGES}):
        module, _, attribute = name.rpartition(".")
        whole = module in removed.MODULES
        expected = removed.missing_module(module) if whole else removed.missing(module, attribute)
        C.expect(name, expected == raised(module, attribute), f"ours {expected!r}, theirs {raised(module, attribute)!r}")
        target = removed.REPLACEMENTS.get(name)
        if target is not None and not target.startswith("jax._"):
            try:
                resolve(target)
                why = ""
            except AttributeError as error:
                why = str(error)
            C.expect(f"{name} -> {target}", not why, why)
        elif target is not None:
            C.expect(f"{name} -> {target}", hasattr(prelude(target.split(".")[1]), target.split(".")[2]), "not there")
    for module, target in removed.MODULES.items():
        try:
            importlib.import_module(module)
            said = "is there"
        except ModuleNotFoundError as error:
            said = str(error)
        C.expect(module, said == removed.missing_module(module), said)
        if target not in (None, "optax"):
            C.expect(f"{module} -> {target}", importlib.import_module(target) is not None, "")
