"""Kinds of numbers."""

from abc import ABCMeta


class Number(metaclass=ABCMeta):
    __slots__ = ()


class Complex(Number):
    pass


class Real(Complex):
    pass


class Rational(Real):
    pass


class Integral(Rational):
    pass


Integral.register(int)
Real.register(float)
Complex.register(complex)
