"""Exact ratios."""

import math
import numbers
from _jitlens.python import is_unknown, unknown


_PRIME = 2 ** 61 - 1


class Fraction(numbers.Rational):
    def __new__(cls, numerator=0, denominator=None):
        if is_unknown(numerator) or is_unknown(denominator):
            return unknown("", "a ratio of numbers that are not known")
        self = object.__new__(cls)
        if denominator is None:
            if isinstance(numerator, (int, Fraction)):
                self._numerator, self._denominator = numerator.numerator, numerator.denominator
                return self
            if isinstance(numerator, float):
                self._numerator, self._denominator = numerator.as_integer_ratio()
                return self
            if isinstance(numerator, str):
                numerator, denominator = _read(numerator)
            elif hasattr(numerator, "as_integer_ratio"):
                numerator, denominator = numerator.as_integer_ratio()
            else:
                raise TypeError("argument should be a string or a Rational instance")
        if not isinstance(numerator, (int, Fraction)) or not isinstance(denominator, (int, Fraction)):
            raise TypeError("both arguments should be Rational instances")
        top = numerator.numerator * denominator.denominator
        bottom = denominator.numerator * numerator.denominator
        if bottom == 0:
            raise ZeroDivisionError(f"Fraction({top}, 0)")
        common = math.gcd(top, bottom)
        if bottom < 0:
            common = -common
        self._numerator, self._denominator = top // common, bottom // common
        return self

    @classmethod
    def from_float(cls, f):
        return cls(f)

    @classmethod
    def from_decimal(cls, dec):
        return cls(*dec.as_integer_ratio())

    @property
    def numerator(self):
        return self._numerator

    @property
    def denominator(self):
        return self._denominator

    def as_integer_ratio(self):
        return self._numerator, self._denominator

    def is_integer(self):
        return self._denominator == 1

    def limit_denominator(self, max_denominator=1000000):
        """The last convergent of the continued fraction whose denominator fits, or what lies between it and the next one, if that is nearer."""
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self._denominator <= max_denominator:
            return Fraction(self)
        before, last, rest = (0, 1), (1, 0), self
        while True:
            whole = rest._numerator // rest._denominator
            after = tuple([old + whole * new for old, new in zip(before, last)])
            if after[1] > max_denominator:
                break
            before, last, rest = last, after, 1 / (rest - whole)
        steps = (max_denominator - before[1]) // last[1]
        between = Fraction(before[0] + steps * last[0], before[1] + steps * last[1])
        return min(Fraction(*last), between, key=lambda found: abs(found - self))

    def __repr__(self):
        return f"{type(self).__name__}({self._numerator}, {self._denominator})"

    def __str__(self):
        return str(self._numerator) if self._denominator == 1 else f"{self._numerator}/{self._denominator}"

    def __hash__(self):
        # As that of an equal number of another type: by the remainder of a prime.
        inverse = pow(self._denominator, _PRIME - 2, _PRIME)
        found = hash(hash(abs(self._numerator)) * inverse) if inverse else 314159
        found = found if self._numerator >= 0 else -found
        return -2 if found == -1 else found

    def __bool__(self):
        return self._numerator != 0

    def __int__(self):
        return self.__trunc__()

    def __float__(self):
        return self._numerator / self._denominator

    def __complex__(self):
        return complex(float(self))

    def __trunc__(self):
        return -(-self._numerator // self._denominator) if self._numerator < 0 else self._numerator // self._denominator

    def __floor__(self):
        return self._numerator // self._denominator

    def __ceil__(self):
        return -(-self._numerator // self._denominator)

    def __round__(self, ndigits=None):
        if ndigits is None:
            floor, rest = divmod(self._numerator, self._denominator)
            if rest * 2 == self._denominator:
                return floor + floor % 2
            return floor + (rest * 2 > self._denominator)
        shift = 10 ** abs(ndigits)
        return Fraction(round(self * shift), shift) if ndigits > 0 else Fraction(round(self / shift) * shift)

    def __pos__(self):
        return Fraction(self._numerator, self._denominator)

    def __neg__(self):
        return Fraction(-self._numerator, self._denominator)

    def __abs__(self):
        return Fraction(abs(self._numerator), self._denominator)

    def __pow__(self, other):
        if isinstance(other, (int, Fraction)):
            if other.denominator == 1:
                power = other.numerator
                if power >= 0:
                    return Fraction(self._numerator**power, self._denominator**power)
                if self._numerator == 0:
                    raise ZeroDivisionError(f"Fraction({self._denominator ** -power}, 0)")
                return Fraction(self._denominator**-power, self._numerator**-power)
            return float(self) ** float(other)
        if isinstance(other, (float, complex)):
            return float(self) ** other
        return NotImplemented

    def __rpow__(self, other):
        if self._denominator == 1 and self._numerator >= 0:
            return other**self._numerator
        if isinstance(other, int):
            return Fraction(other) ** self
        return other ** float(self)

    def __eq__(self, other):
        if isinstance(other, (int, Fraction)):
            return self._numerator == other.numerator and self._denominator == other.denominator
        if isinstance(other, (float, complex)):
            return float(self) == other if isinstance(other, complex) or math.isinf(other) or math.isnan(other) else self == Fraction(other)
        return NotImplemented


def _read(text):
    """Numerator and denominator of a text: `3/4`, `-1.25`, `2e-3`."""
    refused = ValueError(f"Invalid literal for Fraction: {text!r}")
    word = text.strip()
    top, slash, bottom = word.partition("/")
    try:
        if slash:
            if not bottom[:1].isdigit():
                raise refused
            return int(top), int(bottom)
        mantissa, _, exponent = word.lower().partition("e")
        power = int(exponent) if exponent else 0
        whole, _, part = mantissa.partition(".")
        number = int((whole or "0") + part) if whole not in ("-", "+") else int(whole + "0" + part)
    except ValueError:
        raise refused
    power -= len(part)
    return number * 10 ** max(power, 0), 10 ** max(-power, 0)


def _arithmetic(exact, plain):
    """An operator and its reflection: exact with ratios and integers, a float's or a complex number's with those."""

    def forward(self, other):
        if isinstance(other, (int, Fraction)):
            return exact(self, Fraction(other))
        if isinstance(other, (float, complex)):
            return plain(float(self), other)
        return NotImplemented

    def reflected(self, other):
        if isinstance(other, (int, Fraction)):
            return exact(Fraction(other), self)
        if isinstance(other, (float, complex)):
            return plain(other, float(self))
        return NotImplemented

    return forward, reflected


def _comparison(exact, plain):
    def compare(self, other):
        if isinstance(other, (int, Fraction)):
            return exact(self._numerator * other.denominator, other.numerator * self._denominator)
        if isinstance(other, float):
            return plain(float(self), other)
        return NotImplemented

    return compare


def _floor_quotient(a, b):
    return a._numerator * b._denominator // (a._denominator * b._numerator)


def _ratio(a, b):
    return Fraction(a._numerator * b._denominator, a._denominator * b._numerator)


Fraction.__add__, Fraction.__radd__ = _arithmetic(
    lambda a, b: Fraction(a._numerator * b._denominator + b._numerator * a._denominator, a._denominator * b._denominator), lambda a, b: a + b
)
Fraction.__sub__, Fraction.__rsub__ = _arithmetic(
    lambda a, b: Fraction(a._numerator * b._denominator - b._numerator * a._denominator, a._denominator * b._denominator), lambda a, b: a - b
)
Fraction.__mul__, Fraction.__rmul__ = _arithmetic(
    lambda a, b: Fraction(a._numerator * b._numerator, a._denominator * b._denominator), lambda a, b: a * b
)
Fraction.__truediv__, Fraction.__rtruediv__ = _arithmetic(_ratio, lambda a, b: a / b)
Fraction.__floordiv__, Fraction.__rfloordiv__ = _arithmetic(_floor_quotient, lambda a, b: a // b)
Fraction.__mod__, Fraction.__rmod__ = _arithmetic(lambda a, b: a - b * _floor_quotient(a, b), lambda a, b: a % b)
Fraction.__divmod__, Fraction.__rdivmod__ = _arithmetic(
    lambda a, b: (_floor_quotient(a, b), a - b * _floor_quotient(a, b)), lambda a, b: divmod(a, b)
)
Fraction.__lt__ = _comparison(lambda a, b: a < b, lambda a, b: a < b)
Fraction.__le__ = _comparison(lambda a, b: a <= b, lambda a, b: a <= b)
Fraction.__gt__ = _comparison(lambda a, b: a > b, lambda a, b: a > b)
Fraction.__ge__ = _comparison(lambda a, b: a >= b, lambda a, b: a >= b)
