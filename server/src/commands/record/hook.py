"""Notes the types of what the program's functions are traced with, and changes nothing of what it does.

`jitlens record` puts this file in front of Python's path under the name of the module that Python imports as it starts. A function counts that
stands in a file of the project and is called with a value that JAX traces.
"""

import atexit
import json
import os
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.environ.get("JITLENS_RECORD_ROOT", os.getcwd())
FOLDER = os.environ.get("JITLENS_RECORD_FOLDER", "")
# Signatures of one function, calls of one that are looked at in vain, and values in one argument, at most.
MOST_SIGNATURES = 8
MOST_IN_VAIN = 10_000
MOST_VALUES = 400
# Code that is of no interest, and what is known of code that is.
DONE = object()
notes = {}


class Note:
    def __init__(self):
        self.signatures, self.in_vain = {}, 0


def is_own(code):
    name = code.co_filename
    return (name.startswith(ROOT + os.sep) and not code.co_name.startswith("<") and f"{os.sep}site-packages{os.sep}" not in name
            and not name.startswith(HERE))


class Unknown(Exception):
    pass


class Reader:
    """What one call is given, as text."""

    def __init__(self, jax):
        self.tracer = jax.core.Tracer
        self.array, self.left, self.traced = jax.Array, MOST_VALUES, False
        self.numpy = sys.modules["numpy"].ndarray

    def text(self, value, depth=0):
        self.left -= 1
        if self.left < 0 or depth > 8:
            raise Unknown
        kind = type(value)
        if isinstance(value, self.tracer):
            self.traced = True
            return self.type(value.aval)
        if isinstance(value, self.array):
            return self.type(value.aval)
        if kind is self.numpy:
            return f"{value.dtype}[{','.join(map(str, value.shape))}]"
        if value is None or kind is bool or kind is int and abs(value) < 2**63:
            return repr(value)
        if kind is float and value - value == 0:
            return repr(value)
        if kind is str and value.isprintable() and not any(c in value for c in "\"'\\"):
            return f'"{value}"'
        if kind is tuple or kind is list:
            items = [self.text(item, depth + 1) for item in value]
            return f"[{', '.join(items)}]" if kind is list else f"({', '.join(items)}{',' if len(items) == 1 else ''})"
        if kind is dict and all(type(key) is str for key in value):
            rows = [f"{self.text(key)}: {self.text(item, depth + 1)}" for key, item in value.items()]
            return f"{{{', '.join(rows)}}}"
        self.look(value)
        raise Unknown

    def look(self, value):
        """Whether there is something traced in what has no text of its own."""
        if self.traced:
            return
        tree = sys.modules.get("jax.tree_util")
        leaves = tree.tree_leaves(value) if tree else ()
        self.traced = any(isinstance(leaf, self.tracer) for leaf in leaves[:MOST_VALUES])

    @staticmethod
    def type(aval):
        weak = "~" if getattr(aval, "weak_type", False) else ""
        return f"{aval.dtype}{weak}[{','.join(str(int(size)) for size in aval.shape)}]"


def note(code, frame):
    """Whether the code is of interest any longer."""
    known = notes.get(code)
    if known is DONE:
        return False
    if known is None:
        known = notes[code] = Note() if is_own(code) else DONE
        if known is DONE:
            return False
    jax = sys.modules.get("jax")
    if jax is None or not hasattr(jax, "tree_util") or not hasattr(jax, "core"):
        return True
    given, reader = [], Reader(jax)
    names, there = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount], frame.f_locals
    for name in names:
        reader.left = MOST_VALUES
        try:
            given.append(f"{name}: {reader.text(there[name])}")
        except Exception:
            # It has no text, or is none of our business: it is left out.
            pass
    if reader.traced and given:
        known.signatures[", ".join(given)] = None
    else:
        known.in_vain += 1
    if len(known.signatures) >= MOST_SIGNATURES or known.in_vain >= MOST_IN_VAIN:
        notes[code] = known.signatures or DONE
        if known.signatures:
            finished.append((code, list(known.signatures)))
            notes[code] = DONE
        return False
    return True


finished = []


def started(code, _offset):
    try:
        if not note(code, sys._getframe(1)):
            return sys.monitoring.DISABLE
    except Exception:
        return sys.monitoring.DISABLE


def profiled(frame, event, _argument):
    if event == "call" and notes.get(frame.f_code) is not DONE:
        try:
            note(frame.f_code, frame)
        except Exception:
            notes[frame.f_code] = DONE


def write():
    functions = finished + [(code, list(known.signatures)) for code, known in list(notes.items()) if isinstance(known, Note) and known.signatures]
    rows = [{"file": os.path.relpath(code.co_filename, ROOT).replace(os.sep, "/"), "line": code.co_firstlineno,
             "function": code.co_qualname if hasattr(code, "co_qualname") else code.co_name, "arguments": arguments}
            for code, arguments in functions]
    if rows:
        with open(os.path.join(FOLDER, f"{os.getpid()}.json"), "w", encoding="utf-8") as file:
            json.dump(rows, file)


def start():
    if hasattr(sys, "monitoring"):
        tools = sys.monitoring
        number = next((n for n in (4, 3, 2) if tools.get_tool(n) is None), None)
        if number is not None:
            tools.use_tool_id(number, "jitlens")
            tools.register_callback(number, tools.events.PY_START, started)
            tools.set_events(number, tools.events.PY_START)
    elif sys.getprofile() is None:
        threading.setprofile(profiled)
        sys.setprofile(profiled)
    atexit.register(write)


def hand_on():
    """What the environment has under this name runs as well."""
    sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder or ".") != HERE]
    own = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError:
        if own is not None:
            sys.modules["sitecustomize"] = own


if FOLDER:
    hand_on()
    start()
