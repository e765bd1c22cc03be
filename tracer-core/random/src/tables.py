"""Writes `tables.rs`: where the 255 horizontal cuts of the two ziggurats lie.

A ziggurat covers a falling density `f` by 256 layers of one area `v`: `x[255] = r` is where the tail begins,
`x[i] = f⁻¹(v / x[i+1] + f(x[i+1]))`, and `r` is the place for which the uppermost layer closes at `f(0) = 1`. `x[0]` is the
width of a box of the base layer's area.

The exponential's cuts are the exact ones, rounded once. The normal's have gone round in double precision: each cut is made of
the rounded one before it, and `exp` of the 38th is one unit in the last place above today's. What NumPy draws shows both.

    python3 tables.py > tables.rs
"""
import decimal
import math
from decimal import Decimal as D

decimal.getcontext().prec = 50


def exponential():
    def f(x):
        return (-x).exp()

    def cuts(r):
        v = (r + 1) * f(r)
        x = [D(0)] * 256
        x[255] = r
        for i in range(254, 0, -1):
            x[i] = -(v / x[i + 1] + f(x[i + 1])).ln()
        x[0] = v / f(r)
        return x, v

    low, high = D("7.69711747013104"), D("7.69711747013106")
    for _ in range(100):
        middle = (low + high) / 2
        x, v = cuts(middle)
        if v / x[1] + f(x[1]) > 1:
            low = middle
        else:
            high = middle
    return [float(c) for c in x], [1.0] + [float(f(c)) for c in x[1:]]


def normal():
    r, v = 3.654152885361009, 0.004928673233974652
    x, f = [0.0] * 256, [1.0] * 256
    x[255], f[255] = r, math.exp(-0.5 * r * r)
    x[0] = v / f[255]
    for i in range(254, 0, -1):
        x[i] = math.sqrt(-2.0 * math.log(v / x[i + 1] + f[i + 1]))
        f[i] = math.exp(-0.5 * x[i] * x[i])
        if i == 38:
            f[i] = math.nextafter(f[i], 1.0)
    return x, f


def table(name, what, numbers):
    print(f"\n/// {what}\npub const {name}: [f64; 256] = [")
    for number in numbers:
        text = repr(number)
        print(f"    {text},")
    print("];")


print("//! The cuts of the ziggurats; written by `tables.py`.\n\n#![allow(clippy::excessive_precision, clippy::unreadable_literal)]")
x, f = normal()
table("NORMAL_X", "Where the layers under the normal density end.", x)
table("NORMAL_F", "The normal density there.", f)
x, f = exponential()
table("EXPONENTIAL_X", "Where the layers under the exponential density end.", x)
table("EXPONENTIAL_F", "The exponential density there.", f)
