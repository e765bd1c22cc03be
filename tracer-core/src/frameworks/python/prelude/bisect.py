"""Searching in sorted lists."""
from _jitlens.python import is_unknown, shorten, unknown, wrote


@shorten
def bisect_right(a, x, lo=0, hi=None, *, key=None):
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi is None:
        hi = len(a)
    while lo < hi:
        mid = (lo + hi) // 2
        is_less = x < (a[mid] if key is None else key(a[mid]))
        if is_unknown(is_less):
            return unknown("int", "a place among what is not known")
        if is_less:
            hi = mid
        else:
            lo = mid + 1
    return lo


@shorten
def bisect_left(a, x, lo=0, hi=None, *, key=None):
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi is None:
        hi = len(a)
    while lo < hi:
        mid = (lo + hi) // 2
        is_less = (a[mid] if key is None else key(a[mid])) < x
        if is_unknown(is_less):
            return unknown("int", "a place among what is not known")
        if is_less:
            lo = mid + 1
        else:
            hi = mid
    return lo


def insort_right(a, x, lo=0, hi=None, *, key=None):
    wrote(a, False)
    a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)


def insort_left(a, x, lo=0, hi=None, *, key=None):
    wrote(a, False)
    a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


bisect = bisect_right
insort = insort_right
