"""What JAX says of a program while it runs, with a debugging flag or without: where in the program, and what."""

import json
import logging
import os
import re
import signal
import sys
import traceback
import warnings
from contextlib import redirect_stderr, redirect_stdout

# The flags that tell of something, and how each is set.
FLAGS = {
    "jax_check_tracer_leaks": True,
    "jax_debug_nans": True,
    "jax_debug_infs": True,
    "jax_debug_key_reuse": True,
    "jax_explain_cache_misses": True,
    "jax_numpy_rank_promotion": "raise",
    "jax_check_static_indices": True,
    "jax_captured_constants_warn_bytes": 100_000,
}
# The first trace of a function is no finding; a second one, and another function of the same line, are.
MISS = re.compile(r"but seen another function|different [\w ]+:")
SECONDS = 60


def told(path, flag=None):
    """(file, line, code) of all that JAX says of a program, which runs in a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(SECONDS)
        with os.fdopen(writer, "w") as out, open(os.devnull, "w") as nowhere:
            rows = []
            with redirect_stdout(nowhere), redirect_stderr(nowhere):
                observe(path, flag, rows)
            json.dump(rows, out)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return [tuple(row) for row in json.loads(text)] if text else [(path, 0, "ended")]


def observe(path, flag, rows):
    import jax

    def line():
        """The innermost line of the program that is under way."""
        frames = [frame.lineno for frame in traceback.extract_stack() if frame.filename == path]
        return frames[-1] if frames else 0

    def note(code):
        # What is said while no line of the program is under way is not of the program.
        if number := line():
            rows.append((path, number, code))

    class Misses(logging.Handler):
        def emit(self, record):
            if found := MISS.search(record.getMessage()):
                note(found[0])

    logging.getLogger("jax").addHandler(Misses())
    warnings.simplefilter("always")
    warnings.showwarning = lambda message, category, *_: note(category.__name__)
    if flag:
        jax.config.update(flag, FLAGS[flag])
    text = open(path).read()
    try:
        exec(compile(text, path, "exec"), {"__name__": "__main__", "__file__": path})
        jax.effects_barrier()
    except BaseException as error:  # noqa: BLE001
        own = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
        # Any line of the program that the traceback shows is one where a reader would look.
        rows.extend((path, number, type(error).__name__) for number in own or [0])


def main(paths):
    import jax  # noqa: F401  (each program is run in a copy of this process)

    plain, flagged = {}, {}
    for path in paths:
        plain[path] = told(path)
    for path in paths:
        flagged[path] = list(plain[path])
        twins = [other for other in paths if other.rsplit("_", 1)[0] == path.rsplit("_", 1)[0]]
        if not any(code for twin in twins for _, _, code in plain[twin]):
            for flag in FLAGS:
                flagged[path] += [(file, at, f"{flag}: {code}") for file, at, code in told(path, flag)]
    return {"JAX": plain, "JAX, each of its flags": flagged}


if __name__ == "__main__":
    print("TOLD", json.dumps({name: [row for of in rows.values() for row in of] for name, rows in main(sys.argv[1:]).items()}))
