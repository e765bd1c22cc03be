"""What functions of a program give under JAX when they are called first: runs a script, and prints the numbers as JSON.

    python first_calls.py SCRIPT FOLDER NAME...

A call of the program that compiles something in which one of the functions is called first is made once more, and nothing is compiled then: what
functions are called with is numbers, of a derivative its point, of a batch its first item. All other calls are as fast as ever.
"""

import functools
import json
import os
import runpy
import signal
import sys
import traceback

import jax
import numpy

SECONDS = 240
# So long a call may take that is made again.
REPLAY = 90
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
    for leaf, array in zip(arrays, numbers):
        is_key = jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key)
        shape = array.shape[:-1] if is_key else array.shape
        parts = numpy.concatenate([array.real.ravel(), array.imag.ravel()]) if numpy.iscomplexobj(array) else array.ravel()
        flat.append([list(shape), [float(n) for n in parts[:MOST].astype(numpy.float64)]])
    loose = [[list(numpy.shape(leaf)), numpy.asarray(leaf, numpy.float64).ravel().tolist()[:MOST]] for leaf in loose]
    return flat, loose


class Watch:
    """Looks out for first calls of functions in a folder."""

    def __init__(self, folder, names):
        self.folder, self.wanted, self.frames, self.found = folder, set(names), {}, {}
        # Frames that have ended with nothing, as those do that an exception leaves.
        self.empty = {}
        # What is under way of what compiles: names of functions that were called in it.
        self.inside, self.replays, self.busy, self.under_way = None, False, False, set()

    def __call__(self, frame, event, value):
        code = frame.f_code
        if event == "call" and code.co_qualname in self.wanted and os.path.realpath(code.co_filename).startswith(self.folder):
            self.wanted.discard(code.co_qualname)
            self.frames[frame] = code.co_qualname
        elif event == "return" and frame in self.frames:
            name = self.frames.pop(frame)
            if value is None:
                self.empty[frame] = name
            self.under_way = {*self.frames.values(), name}
            sys.setprofile(None)
            try:
                self.found[name] = told(value)
            except Exception as error:
                self.found[name] = str(error)
            if self.inside is not None and self.found[name] is None:
                self.inside.append(name)
            sys.setprofile(self)
        elif event == "call" and not self.wanted and not self.frames and not self.busy:
            raise Done

    def compiles(self, function):
        """A function that compiles what it is given, as one that is called again without where it matters."""

        @functools.wraps(function, updated=())
        def call(*args, **keywords):
            if self.inside is not None or self.replays or not self.wanted:
                return function(*args, **keywords)
            self.inside, self.busy = [], True
            try:
                result = function(*args, **keywords)
                names = self.inside
            finally:
                self.inside = None
            # What a transformation returns has the function's name, and other code.
            own = getattr(getattr(getattr(function, "__wrapped__", None), "__code__", None), "co_qualname", None)
            if own in names:
                # It is what is compiled: its numbers are those that the program has had.
                self.found[own] = told(result)
                names.remove(own)
            if names and not any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves((args, keywords, result))):
                self.again(names, function, args, keywords)
            self.busy = False
            return result

        return call

    def again(self, names, function, args, keywords):
        others, self.wanted, self.replays = self.wanted, set(names), True
        before = signal.alarm(REPLAY)
        try:
            with jax.disable_jit():
                function(*args, **keywords)
        except (Late, Exception) as error:
            # What was under way has given nothing, all that the exception went through.
            self.found.update({name: None for name in self.under_way})
            frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
            self.found.update({self.empty[frame]: None for frame in frames if frame in self.empty})
            print(f"{names}: {error!r}", file=sys.stderr)
        finally:
            signal.alarm(before)
            self.wanted, self.replays = others, False


    def raised(self, error):
        """An exception has ended the program: what it went through on its way gives it, and nothing else."""
        for frame, _ in traceback.walk_tb(error.__traceback__):
            if frame in self.empty:
                self.found[self.empty[frame]] = {"error": [type(error).__name__, str(error)]}


class Late(BaseException):
    pass


class Compiled:
    """A compiled function, or method."""

    def __init__(self, watch, compiled):
        self.compiled, self.call = compiled, watch.compiles(compiled)
        functools.update_wrapper(self, compiled, updated=())

    def __call__(self, *args, **keywords):
        return self.call(*args, **keywords)

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)

    def __getattr__(self, name):
        return getattr(self.compiled, name)


def watched(watch):
    """Has all that compiles watched."""
    original = jax.jit

    def jit(function=None, **options):
        if function is None:
            return lambda function: jit(function, **options)
        # What is given away could not be given again.
        options = {key: value for key, value in options.items() if not key.startswith("donate")}
        return Compiled(watch, original(function, **options))

    jax.jit = jit
    for name in ("scan", "while_loop", "fori_loop", "cond", "switch", "map", "associative_scan"):
        setattr(jax.lax, name, watch.compiles(getattr(jax.lax, name)))


def main():
    script, folder, *names = sys.argv[1:]
    watch = Watch(os.path.realpath(folder) + os.sep, names)

    def stop(*_):
        if watch.replays:
            raise Late
        sys.setprofile(None)
        raise Done

    out = os.dup(1)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    sys.argv = [script]
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    watched(watch)
    why = None
    try:
        sys.setprofile(watch)
        runpy.run_path(script, run_name="__main__")
    except BaseException as error:
        sys.setprofile(None)
        why = f"{type(error).__name__}: {error}"
        watch.raised(error)
    sys.setprofile(None)
    # An exception can come before a function's call, which is never made then; the clock shows nothing.
    never = sorted(watch.wanted) if why and not why.startswith("Done") else []
    with os.fdopen(out, "w") as file:
        file.write(json.dumps({"found": watch.found, "why": why, "never": never}))
        file.flush()
    os._exit(0)


main()
