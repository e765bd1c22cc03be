# Special methods of builtin types by their names, and operators in place.
import functools


def raises(kind, message, function, *args):
    try:
        function(*args)
    except Exception as error:
        assert type(error) is kind and str(error) == message, (type(error), str(error))
        return True
    assert False, "nothing raised"


assert functools.reduce(list.__add__, [[1], [2], [3]]) == [1, 2, 3]
assert dict.__or__({"a": 1}, {"b": 2}) == {"a": 1, "b": 2}
assert (1, 2).__add__((3,)) == (1, 2, 3) and (1,).__mul__(2) == (1, 1) == (1,).__rmul__(2)
assert {"a": 1}.keys().__contains__("a") and len({"a": 1}.keys()) == {"a": 1}.values().__len__()
assert set.__or__({1}, {2}) == {1, 2} and {1}.__rsub__({1, 2}) == {2} and frozenset([1]).__and__({1}) == {1}
assert {1}.__or__([2]) is NotImplemented and (1).__add__(1.5) is NotImplemented and (1.5).__add__(1) == 2.5
assert [1].__eq__((1,)) is NotImplemented and [1].__lt__([2]) is True and {}.__lt__({}) is NotImplemented
assert object().__lt__(1) is NotImplemented and (3).__lt__(4.0) is NotImplemented
assert (7).__divmod__(2) == (3, 1) and (2).__rdivmod__(7) == (3, 1) and (7.5).__divmod__(2) == (3.0, 1.5)
assert (2.567).__round__(1) == 2.6 and (5).__invert__() == -6 and (1).__rlshift__(4) == 8 and (1).__rrshift__(4) == 2
assert list([1, 2].__reversed__()) == [2, 1] and list({"a": 1, "b": 2}.__reversed__()) == ["b", "a"]
assert list(range(3).__reversed__()) == [2, 1, 0]
assert list.__class_getitem__(int) == list[int]
assert "%d".__mod__(3) == "3" and "a".__rmul__(3) == "aaa"
raises(TypeError, 'can only concatenate list (not "int") to list', [].__add__, 5)
raises(TypeError, "'str' object cannot be interpreted as an integer", [].__mul__, "a")
raises(TypeError, "descriptor '__add__' requires a 'list' object but received a 'tuple'", list.__add__, (1,), [2])
assert not hasattr((1,), "__setitem__") and not hasattr((1,), "__iadd__") and hasattr([], "__iadd__")


class L(list):
    def __add__(self, other):
        return L(super().__add__(other))
    def __iadd__(self, other):
        self.n = len(other)
        return super().__iadd__(other)
    def __mul__(self, n):
        return L(super().__mul__(n))
a = L([1])
b = a
b += [2, 3]
assert a is b and a == [1, 2, 3] and a.n == 2 and type(a) is L
assert type(a + [4]) is L and a + [4] == [1, 2, 3, 4] and a * 2 == [1, 2, 3] * 2
c = a
c *= 2
assert c is not a and c == [1, 2, 3] * 2 and type(c) is L


class D(dict):
    def __or__(self, other):
        return D(super().__or__(other))
    def __missing__(self, key):
        return key * 2
    def __getitem__(self, key):
        return super().__getitem__(key)
d = D(a=1)

assert type(d | {"b": 2}) is D and (d | {"b": 2}) == {"a": 1, "b": 2} and d["zz"] == "zzzz" and d["a"] == 1
e = d
e |= {"c": 3}
assert e is d and d["c"] == 3
d.__ior__([("k", 5)])
assert d["k"] == 5
assert dict.__getitem__(d, "x") == "xx"


class S(set):
    def __or__(self, other):
        return S(super().__or__(other))
    def __and__(self, other):
        return S(super().__and__(other))
    def __sub__(self, other):
        return S(super().__sub__(other))
s = S([1, 2])
assert type(s | {3}) is S and s | {3} == {1, 2, 3} and s & {1} == {1} and s - {1} == {2}
t = s
t -= {1}
assert t is s and s == {2}, (t, s)
u = v = {1, 2, 3}
u &= {1, 2}
v ^= {2, 9}
assert u is v and u == {1, 9}
l = m = [0]
l *= 3
assert l is m and m == [0, 0, 0]


class T(tuple):
    def __add__(self, other):
        return T(super().__add__(tuple(other)))
    def __lt__(self, other):
        return super().__lt__(other)
assert T((1,)) + [2] == (1, 2) and T((1,)) < (2,)


class V(float):
    def __add__(self, o):
        return V(super().__add__(o))
    __radd__ = __add__
assert type(1 + V(2)) is V and 1 + V(2) == 3


class I(int):
    def __divmod__(self, o):
        return tuple(map(I, super().__divmod__(o)))
assert divmod(I(7), 2) == (3, 1)


class C:
    def __getstate__(self):
        return 1
    def __eq__(self, o):
        return super().__eq__(o)
assert C() != C()
sorted([T((2,)), T((1,))])
assert (1).__add__("a") is NotImplemented


class Radd:
    def __radd__(self, other):
        return "radd"

    def __ror__(self, other):
        return "ror"


x = [1]
x += Radd()
assert x == "radd"
x = {1}
x |= Radd()
assert x == "ror"
x = L([1])
x += [2]
assert x == [1, 2]
raises(TypeError, "'dict_values' object is not subscriptable", lambda: {"a": 1}.values()[0])
raises(TypeError, "'dict_keys' object is not subscriptable", lambda: {"a": 1}.keys()[0])
raises(TypeError, "'dict_items' object is not subscriptable", lambda: {"a": 1}.items()[0])

# Views of dicts.
d, more = {"a": 1, "b": 2}, {"b": 2, "a": 1, "c": [3]}
assert d.keys() - ["a"] == {"b"} and ["b", "z"] - d.keys() == {"z"} and d.keys() | [1] == {"a", "b", 1}
assert d.items() - {("a", 1)} == {("b", 2)} and d.items() & {"a": 1, "b": 3}.items() == {("a", 1)}
assert d.items() == {"b": 2, "a": 1}.items() and d.items() != {"a": 1}.items()
assert d.items() <= more.items() and d.items() < more.items() and not more.items() <= d.items()
assert not {1: "x"}.items() <= d.items() and {("a", 1)} <= d.items()
assert repr(d.keys()) == "dict_keys(['a', 'b'])" and repr(d.values()) == "dict_values([1, 2])"
assert f"{d.items()}" == "dict_items([('a', 1), ('b', 2)])"
raises(TypeError, "'int' object is not iterable", lambda: d.keys() | 5)
raises(TypeError, "cannot convert dictionary update sequence element #0 to a sequence", lambda: dict([1, 2]))
raises(TypeError, "can't concat str to bytes", lambda: b"a" + "b")
raises(ValueError, "2 is not in range", lambda: range(5, 0, -2).index(2))
raises(ZeroDivisionError, "float divmod()", lambda: divmod(1, 0.0))
assert ascii("aé€😀") == "'a\\xe9\\u20ac\\U0001f600'" and ascii([1]) == "[1]"
assert repr(complex(-0.0)) == "(-0+0j)" and complex(1, 2j) == -1 and complex(1.5, 2) == 1.5 + 2j
