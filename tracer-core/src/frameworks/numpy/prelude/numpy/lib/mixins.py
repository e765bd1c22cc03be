"""Operators that a class of the program's gets from `__array_ufunc__`."""


def _disables(other):
    return getattr(type(other), "__array_ufunc__", other) is None


def _binary(ufunc, name):
    def method(self, other):
        return NotImplemented if _disables(other) else _of(ufunc)(self, other)
    method.__name__ = f"__{name}__"
    return method


def _reflected(ufunc, name):
    def method(self, other):
        return NotImplemented if _disables(other) else _of(ufunc)(other, self)
    method.__name__ = f"__r{name}__"
    return method


def _in_place(ufunc, name):
    def method(self, other):
        return _of(ufunc)(self, other, out=(self,))
    method.__name__ = f"__i{name}__"
    return method


def _unary(ufunc, name):
    def method(self):
        return _of(ufunc)(self)
    method.__name__ = f"__{name}__"
    return method


def _of(name):
    from .. import _ufunc
    return _ufunc.make(name)


class NDArrayOperatorsMixin:
    __slots__ = ()


_COMPARISONS = {"lt": "less", "le": "less_equal", "eq": "equal", "ne": "not_equal", "gt": "greater", "ge": "greater_equal"}
_ARITHMETIC = {"add": "add", "sub": "subtract", "mul": "multiply", "matmul": "matmul", "truediv": "divide", "floordiv": "floor_divide",
               "mod": "remainder", "pow": "power", "lshift": "left_shift", "rshift": "right_shift", "and": "bitwise_and",
               "xor": "bitwise_xor", "or": "bitwise_or"}
_SIGNS = {"neg": "negative", "pos": "positive", "abs": "absolute", "invert": "invert"}

for _name, _ufunc_name in _COMPARISONS.items():
    setattr(NDArrayOperatorsMixin, f"__{_name}__", _binary(_ufunc_name, _name))
for _name, _ufunc_name in _ARITHMETIC.items():
    setattr(NDArrayOperatorsMixin, f"__{_name}__", _binary(_ufunc_name, _name))
    setattr(NDArrayOperatorsMixin, f"__r{_name}__", _reflected(_ufunc_name, _name))
    setattr(NDArrayOperatorsMixin, f"__i{_name}__", _in_place(_ufunc_name, _name))
for _name, _ufunc_name in _SIGNS.items():
    setattr(NDArrayOperatorsMixin, f"__{_name}__", _unary(_ufunc_name, _name))
NDArrayOperatorsMixin.__divmod__ = _binary("divmod", "divmod")
NDArrayOperatorsMixin.__rdivmod__ = _reflected("divmod", "divmod")
