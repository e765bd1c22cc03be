"""Kinds of numbers."""

from abc import ABCMeta

from _jitlens import core as _core


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
Integral.register(_core.numpy_class("integer"))
Real.register(_core.numpy_class("floating"))
Complex.register(_core.numpy_class("complexfloating"))
