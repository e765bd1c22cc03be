"""Constants with a type of JAX's, that tracing makes of Python's and NumPy's: programs only ask whether they have one."""


class TypedNdArray:
    pass


class TypedInt(int):
    pass


class TypedFloat(float):
    pass


class TypedComplex(complex):
    pass

# Names that are there and not modelled. A name that is missing otherwise is the program's mistake.
__unmodelled__ = ()
