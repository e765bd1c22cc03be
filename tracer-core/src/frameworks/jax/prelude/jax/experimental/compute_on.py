"""`jax.experimental.compute_on`: where things run does not matter here."""

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()


class compute_on:
    def __init__(self, compute_type):
        if not isinstance(compute_type, str):
            raise TypeError("`compute_on`'s compute_type argument must be a string.")
        self.compute_type = compute_type

    def __enter__(self):
        pass

    def __exit__(self, *error):
        return False

    def __call__(self, f):
        return f


def compute_on2(f=None, *, compute_type, out_memory_spaces, compiler_options=None):
    return (lambda g: g) if f is None else f
