"""Operators as functions."""
from _jitlens.python import wrote

_abs = abs


def add(a, b, /):
    return a + b


def sub(a, b, /):
    return a - b


def mul(a, b, /):
    return a * b


def truediv(a, b, /):
    return a / b


def floordiv(a, b, /):
    return a // b


def mod(a, b, /):
    return a % b


def pow(a, b, /):
    return a ** b


def matmul(a, b, /):
    return a @ b


def and_(a, b, /):
    return a & b


def or_(a, b, /):
    return a | b


def xor(a, b, /):
    return a ^ b


def lshift(a, b, /):
    return a << b


def rshift(a, b, /):
    return a >> b


def lt(a, b, /):
    return a < b


def le(a, b, /):
    return a <= b


def eq(a, b, /):
    return a == b


def ne(a, b, /):
    return a != b


def gt(a, b, /):
    return a > b


def ge(a, b, /):
    return a >= b


def is_(a, b, /):
    return a is b


def is_not(a, b, /):
    return a is not b


def iadd(a, b, /):
    a += b
    return a


def isub(a, b, /):
    a -= b
    return a


def imul(a, b, /):
    a *= b
    return a


def itruediv(a, b, /):
    a /= b
    return a


def ifloordiv(a, b, /):
    a //= b
    return a


def imod(a, b, /):
    a %= b
    return a


def ipow(a, b, /):
    a **= b
    return a


def imatmul(a, b, /):
    a @= b
    return a


def iand(a, b, /):
    a &= b
    return a


def ior(a, b, /):
    a |= b
    return a


def ixor(a, b, /):
    a ^= b
    return a


def ilshift(a, b, /):
    a <<= b
    return a


def irshift(a, b, /):
    a >>= b
    return a


def neg(a, /):
    return -a


def pos(a, /):
    return +a


def invert(a, /):
    return ~a


inv = invert


def not_(a, /):
    return not a


def truth(a, /):
    return bool(a)


def abs(a, /):
    return _abs(a)


def concat(a, b, /):
    if not hasattr(a, "__getitem__"):
        raise TypeError(f"'{type(a).__name__}' object can't be concatenated")
    return a + b


iconcat = iadd


def contains(a, b, /):
    return b in a


def countOf(a, b, /):
    return sum(1 for x in a if x is b or x == b)


def indexOf(a, b, /):
    for i, x in enumerate(a):
        if x is b or x == b:
            return i
    raise ValueError("sequence.index(x): x not in sequence")


def getitem(a, b, /):
    return a[b]


def setitem(a, b, c, /):
    wrote(a, False)
    a[b] = c


def delitem(a, b, /):
    wrote(a, False)
    del a[b]


def index(a, /):
    return range(a).stop


def length_hint(a, default=0, /):
    try:
        return len(a)
    except TypeError:
        return default


def call(f, /, *args, **kwargs):
    return f(*args, **kwargs)


def itemgetter(item, /, *items):
    if not items:
        return lambda obj: obj[item]
    items = (item,) + items
    return lambda obj: tuple([obj[i] for i in items])


def _resolve(obj, path):
    for name in path:
        obj = getattr(obj, name)
    return obj


def attrgetter(attr, /, *attrs):
    if not isinstance(attr, str):
        raise TypeError("attribute name must be a string")
    if not attrs:
        path = attr.split(".")
        return lambda obj: _resolve(obj, path)
    paths = [a.split(".") for a in (attr,) + attrs]
    return lambda obj: tuple([_resolve(obj, path) for path in paths])


def methodcaller(name, /, *args, **kwargs):
    if not isinstance(name, str):
        raise TypeError("method name must be a string")
    return lambda obj: getattr(obj, name)(*args, **kwargs)


__add__, __sub__, __mul__, __lt__, __le__, __eq__, __ne__, __gt__, __ge__ = add, sub, mul, lt, le, eq, ne, gt, ge
__and__, __or__, __xor__, __neg__, __getitem__, __contains__ = and_, or_, xor, neg, getitem, contains
