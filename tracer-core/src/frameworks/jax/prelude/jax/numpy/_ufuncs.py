"""Element-wise functions as a table, with one driver.

A row is `name: (arguments, promotion, primitive, quirk)`. The driver promotes the arguments, binds the primitive, and
honours the quirk; functions with more to them are in `_elementwise.py`. Operators of arrays go through the same rows.

Promotions: `any` (the lattice), `inexact` (integers and bools to float), `numeric` (bools to int32), `check` (only an array).
Quirks:
  `or` `and`   for bool arrays the primitive is `or` / `and` instead
  `bools`      the arguments are made bool first, by comparing them with zero
  `order`      complex numbers compare by real part, then by imaginary part
  `whole`      integers and bools are returned unchanged
  `plain`      unsigned integers and bools are returned unchanged
"""
from _jitlens import core, prims as p

from . import _low

TABLE = {
    # one argument
    "negative": ("x", "any", "neg", None),
    "sign": ("x", "any", "sign", None),
    "invert": ("x", "any", "not_", None),
    "bitwise_not": ("x", "any", "not_", None),
    "bitwise_invert": ("x", "any", "not_", None),
    "logical_not": ("x", "any", "not_", "bools"),
    "floor": ("x", "inexact", "floor", "whole"),
    "ceil": ("x", "inexact", "ceil", "whole"),
    "absolute": ("x", "check", "abs", "plain"),
    "exp": ("x", "inexact", "exp", None),
    "exp2": ("x", "inexact", "exp2", None),
    "expm1": ("x", "inexact", "expm1", None),
    "log": ("x", "inexact", "log", None),
    "log1p": ("x", "inexact", "log1p", None),
    "sin": ("x", "inexact", "sin", None),
    "cos": ("x", "inexact", "cos", None),
    "tan": ("x", "inexact", "tan", None),
    "arcsin": ("x", "inexact", "asin", None),
    "arccos": ("x", "inexact", "acos", None),
    "arctan": ("x", "inexact", "atan", None),
    "sinh": ("x", "inexact", "sinh", None),
    "cosh": ("x", "inexact", "cosh", None),
    "tanh": ("x", "inexact", "tanh", None),
    "arcsinh": ("x", "inexact", "asinh", None),
    "arctanh": ("x", "inexact", "atanh", None),
    "sqrt": ("x", "inexact", "sqrt", None),
    "cbrt": ("x", "inexact", "cbrt", None),
    "square": ("x", "numeric", "square", None),
    # two arguments
    "add": ("x y", "any", "add", "or"),
    "subtract": ("x y", "any", "sub", None),
    "multiply": ("x y", "any", "mul", "and"),
    "true_divide": ("x1 x2", "inexact", "div", None),
    "maximum": ("x y", "any", "max", None),
    "minimum": ("x y", "any", "min", None),
    "bitwise_and": ("x y", "any", "and_", None),
    "bitwise_or": ("x y", "any", "or_", None),
    "bitwise_xor": ("x y", "any", "xor", None),
    "left_shift": ("x y", "numeric", "shift_left", None),
    "bitwise_left_shift": ("x y", "numeric", "shift_left", None),
    "equal": ("x y", "any", "eq", None),
    "not_equal": ("x y", "any", "ne", None),
    "greater": ("x y", "any", "gt", "order"),
    "greater_equal": ("x y", "any", "ge", "order"),
    "less": ("x y", "any", "lt", "order"),
    "less_equal": ("x y", "any", "le", "order"),
    "logical_and": ("x y", "any", "and_", "bools"),
    "logical_or": ("x y", "any", "or_", "bools"),
    "logical_xor": ("x y", "any", "xor", "bools"),
    "arctan2": ("x1 x2", "inexact", "atan2", None),
    "float_power": ("x y", "inexact", "pow", None),
    "nextafter": ("x y", "inexact", "nextafter", None),
}

# Second names; the array API's names check their arguments under their own name first.
SAME = {"abs": "absolute", "divide": "true_divide"}
RENAMED = {"acos": "arccos", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan", "atanh": "arctanh", "atan2": "arctan2"}

# Rows that are `jnp.ufunc` objects, with `.at`, `.reduce`, `.outer`, `.accumulate`.
OBJECTS = {"negative": None, "add": 0, "multiply": 1, "bitwise_and": -1, "bitwise_or": 0, "bitwise_xor": 0, "subtract": None,
           "minimum": None, "maximum": None, "logical_and": True, "logical_or": False, "logical_xor": False,
           "logaddexp": float("-inf"), "logaddexp2": float("-inf")}

_PROMOTE = {"any": core.promote, "inexact": core.promote_inexact, "numeric": core.promote_numeric}


def to_bool(x):
    return x if x.dtype == bool else p.ne(x, core.scalar_like(x, 0))


def apply(name, *args):
    """The driver."""
    _, promotion, primitive, quirk = TABLE[name]
    if quirk == "whole" or quirk == "plain":
        x = core.arraylike(name, args[0])
        if x.dtype == bool or _low.is_kind(x.dtype, "integer" if quirk == "whole" else "unsigned"):
            return x
        if quirk == "plain":
            return p.abs(x)
    args = _PROMOTE[promotion](name, *args)
    if quirk is None:
        return getattr(p, primitive)(*args)
    dtype = args[0].dtype
    if quirk == "bools":
        args = [to_bool(x) for x in args]
    elif quirk == "or" or quirk == "and":
        if dtype == bool:
            primitive = quirk + "_"
    elif quirk == "order" and dtype.kind == "c":
        x, y = args
        op = getattr(p, primitive)
        same = p.eq(p.real(x), p.real(y))
        by_imag = op(p.imag(x), p.imag(y))
        return p.select_n(same, op(p.real(x), p.real(y)), by_imag)
    return getattr(p, primitive)(*args)


def make(name):
    """The function of a name of this file, or None."""
    target = SAME.get(name, name)
    if name in RENAMED:
        arguments = TABLE[RENAMED[name]][0]

        def call(*args):
            return apply(RENAMED[name], *core.promote(name, *args))
    elif target in TABLE:
        arguments = TABLE[target][0]

        def call(*args):
            return apply(target, *args)
    else:
        return None
    if arguments == "x":
        def function(x, /):
            return call(x)
    elif arguments == "x y":
        def function(x, y, /):
            return call(x, y)
    else:
        def function(x1, x2, /):
            return call(x1, x2)
    function.__name__ = function.__qualname__ = name
    if name in OBJECTS:
        from ._ufunc_class import ufunc
        return ufunc(function, 1 if arguments == "x" else 2, 1, name=name, identity=OBJECTS[name])
    return function


def __getattr__(name):
    function = make(name)
    if function is None:
        raise AttributeError(name)
    globals()[name] = function
    return function
