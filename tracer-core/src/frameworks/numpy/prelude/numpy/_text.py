"""Numbers as text."""
from _jitlens import core

from ._settings import _checked, _print, printoptions

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def base_repr(number, base=2, padding=0):
    if base > 36:
        raise ValueError("Bases greater than 36 not handled in base_repr.")
    if base < 2:
        raise ValueError("Bases less than 2 not handled in base_repr.")
    number = int(number)
    rest, digits = abs(number), []
    while rest:
        digits.append(_DIGITS[rest % base])
        rest //= base
    if padding:
        digits.append("0" * padding)
    if number < 0:
        digits.append("-")
    return "".join(reversed(digits or ["0"]))


def binary_repr(num, width=None):
    num = core.index(num)
    if core.ndim(width) if width is not None else False:
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")
    if num == 0:
        return "0" * (width or 1)
    if num > 0:
        digits = format(num, "b")
        if width is not None and width < len(digits):
            raise ValueError(f"Insufficient bit width={width} provided for binwidth={len(digits)}")
        return digits if width is None else digits.rjust(width, "0")
    if width is None:
        return "-" + format(-num, "b")
    needed = len(format(-num - 1, "b")) + 1 if num != -1 else 1
    return format(2 ** max(width, needed) + num, "b")


def _of_array(a):
    a.ndim      # numbers of Python's are no arrays
    return core.numpy_array(a)


def array2string(a, max_line_width=None, precision=None, suppress_small=None, separator=" ", prefix="", *, formatter=None, threshold=None,
                 edgeitems=None, sign=None, floatmode=None, suffix="", legacy=None):
    given = {"linewidth": max_line_width, "precision": precision, "suppress": suppress_small, "formatter": formatter,
             "threshold": threshold, "edgeitems": edgeitems, "sign": sign, "floatmode": floatmode}
    options = {**_print, **_checked(given)}
    if legacy is not None:
        options["legacy"] = legacy
    return core.array_lists(_of_array(a), options, separator, prefix, suffix)


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    if core.is_array(a) and core.ndim(a) == 0:
        raise TypeError("'tuple' object cannot be interpreted as an integer")
    a = _of_array(a)
    with printoptions(linewidth=max_line_width, precision=precision, suppress=suppress_small):
        return str(a)


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    if core.is_array(arr):
        import jax.numpy as jnp
        return jnp.array_repr(arr, max_line_width, precision, suppress_small)
    a = _of_array(arr)
    with printoptions(linewidth=max_line_width, precision=precision, suppress=suppress_small):
        return repr(a)


_TYPES = {
    "S1": "character", "?": "bool", "b": "signed char", "B": "unsigned char", "h": "short", "H": "unsigned short", "i": "integer",
    "I": "unsigned integer", "l": "long integer", "L": "unsigned long integer", "q": "long long integer", "Q": "unsigned long long integer",
    "f": "single precision", "d": "double precision", "g": "long precision", "F": "complex single precision", "D": "complex double precision",
    "G": "complex long double precision", "S": "string", "U": "unicode", "V": "void", "O": "object",
}


def typename(char):
    if hasattr(char, "shape") or isinstance(char, (list, dict)):
        raise TypeError(f"unhashable type: {type(char).__name__!r}")
    return _TYPES[char]


def _digits(name):
    def function(x, *args, **kwargs):
        if core.ndim(x):
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return str(core.unmodelled("numpy." + name))
    function.__name__ = name
    return function


format_float_positional, format_float_scientific = _digits("format_float_positional"), _digits("format_float_scientific")


def datetime_as_string(*args, **kwargs):
    return str(core.unmodelled("numpy.datetime_as_string"))
