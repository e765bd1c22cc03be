"""What functions of a program give under JAX when they are called first: runs a script, and prints the numbers as JSON.

    python first_calls.py SCRIPT FOLDER NAME...

Nothing is compiled, so that what functions are called with is numbers: of a derivative its point, of a batch its first item.
"""

import json
import os
import runpy
import signal
import sys

import jax
import numpy

SECONDS = 240
MOST = 5000


class Done(BaseException):
    pass


def plain(value):
    """The numbers that a tracer stands for; None where they are not known."""
    if type(value).__name__ == "BatchTracer":
        inner, axis = plain(value.val), value.batch_dim
        return inner if inner is None or axis is None else numpy.take(inner, 0, axis)
    if isinstance(value, jax.core.Tracer):
        return plain(value.primal) if hasattr(value, "primal") else None
    if isinstance(value, jax.Array):
        if jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key):
            return numpy.asarray(jax.random.key_data(value))
        return numpy.asarray(value) if value.dtype != jax.dtypes.float0 else None
    return numpy.asarray(value) if isinstance(value, (numpy.ndarray, numpy.generic)) else None


def told(value):
    """The shapes and numbers of arrays in a result; None where some are not known."""
    arrays = [leaf for leaf in jax.tree.leaves(value) if isinstance(leaf, (jax.Array, jax.core.Tracer))]
    # What counts rounds is an array where a loop is compiled.
    loose = [leaf for leaf in jax.tree.leaves(value) if isinstance(leaf, (int, float, numpy.ndarray, numpy.generic))]
    numbers = [plain(array) for array in arrays]
    if any(array is None for array in numbers):
        return None
    flat = []
    for array in numbers:
        parts = numpy.concatenate([array.real.ravel(), array.imag.ravel()]) if numpy.iscomplexobj(array) else array.ravel()
        flat.append([list(array.shape), [float(n) for n in parts[:MOST].astype(numpy.float64)]])
    loose = [[list(numpy.shape(leaf)), numpy.asarray(leaf, numpy.float64).ravel().tolist()[:MOST]] for leaf in loose]
    return flat, loose


def main():
    script, folder, *names = sys.argv[1:]
    wanted, open_frames, found = set(names), {}, {}
    folder = os.path.realpath(folder) + os.sep

    def watch(frame, event, value):
        code = frame.f_code
        if event == "call" and not wanted and not open_frames:
            raise Done
        if event == "call" and code.co_qualname in wanted and os.path.realpath(code.co_filename).startswith(folder):
            wanted.discard(code.co_qualname)
            open_frames[frame] = code.co_qualname
        elif event == "return" and frame in open_frames:
            name = open_frames.pop(frame)
            sys.setprofile(None)
            try:
                found[name] = told(value)
            except Exception as error:
                found[name] = str(error)
            sys.setprofile(watch)

    def stop(*_):
        sys.setprofile(None)
        raise Done

    out = os.dup(1)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    sys.argv = [script]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    why = None
    try:
        with jax.disable_jit():
            sys.setprofile(watch)
            runpy.run_path(script, run_name="__main__")
    except BaseException as error:
        why = f"{type(error).__name__}: {error}"
    sys.setprofile(None)
    with os.fdopen(out, "w") as file:
        file.write(json.dumps({"found": found, "why": why}))
        file.flush()
    os._exit(0)


main()
