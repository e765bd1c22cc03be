"""Numbers as text."""
from _jitlens import core

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
    if num == 0:
        return "0" * (width or 1)
    if num > 0:
        digits = format(num, "b")
        return digits if width is None else digits.rjust(width, "0")
    if width is None:
        return "-" + format(-num, "b")
    needed = len(format(-num - 1, "b")) + 1 if num != -1 else 1
    return format(2 ** max(width, needed) + num, "b")


def _text(name):
    def function(*args, **kwargs):
        return str(core.unmodelled("numpy." + name))
    function.__name__ = name
    return function


array2string, array_repr, array_str, format_float_positional, format_float_scientific, typename, datetime_as_string = map(
    _text, "array2string array_repr array_str format_float_positional format_float_scientific typename datetime_as_string".split())
