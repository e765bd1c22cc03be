import collections.abc
# Classes, descriptors, functions, closures.
def raises(kind, message, function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except Exception as error:
        assert type(error) is kind, (type(error), error)
        if message is not None:
            assert str(error) == message, str(error)
        return True
    assert False, "nothing raised"


def exec_unpack(value):
    p, q = value
    return p


def set_item(o, i, v):
    o[i] = v


class A:
    kind = "a"

    def __init__(self, x=1):
        self.x = x

    def f(self):
        return "A.f"

    @classmethod
    def make(cls, x):
        return cls(x)

    @staticmethod
    def plain(x):
        return x + 1

    @property
    def double(self):
        return self.x * 2

    @double.setter
    def double(self, value):
        self.x = value // 2


class B(A):
    def __init__(self, x=1, y=2):
        super().__init__(x)
        self.y = y

    def f(self):
        return "B.f>" + super().f()

    @classmethod
    def make(cls, x):
        one = super().make(x)
        one.made = True
        return one


class C(A):
    def f(self):
        return "C.f>" + super().f()


class D(B, C):
    def f(self):
        return "D.f>" + super().f()


assert D().f() == "D.f>B.f>C.f>A.f" and [c.__name__ for c in D.__mro__] == ["D", "B", "C", "A", "object"]
assert B.make(5).x == 5 and B.make(5).made and type(B.make(3)) is B and A.plain(1) == 2 and A().plain(2) == 3
a = A(4)
assert a.double == 8
a.double = 10
assert a.x == 5 and a.kind == "a" and A.kind == "a"
a.kind = "own"
assert a.kind == "own" and A.kind == "a" and vars(a) == {"x": 5, "kind": "own"}
assert isinstance(D(), A) and issubclass(D, (int, C)) and not isinstance(A(), B) and isinstance(True, int)
assert hasattr(a, "x") and not hasattr(a, "nope") and getattr(a, "nope", 3) == 3 and A.__name__ == "A" and a.__class__ is A
raises(AttributeError, "'A' object has no attribute 'nope'", lambda: a.nope)
raises(AttributeError, "type object 'A' has no attribute 'nope'", lambda: A.nope)
raises(AttributeError, "property 'p' of 'P' object has no setter", lambda: setattr(type("P", (), {"p": property(lambda s: 1)})(), "p", 2))
raises(TypeError, "A.__init__() takes from 1 to 2 positional arguments but 3 were given", A, 1, 2)
raises(TypeError, "A.__init__() got an unexpected keyword argument 'z'", lambda: A(z=1))
raises(TypeError, "A.f() takes 1 positional argument but 2 were given", lambda: a.f(1))
raises(TypeError, "A.f() missing 1 required positional argument: 'self'", lambda: A.f())
raises(TypeError, "E() takes no arguments", lambda: type("E", (), {})(1))
raises(TypeError, "'int' object is not callable", lambda: 3())
raises(TypeError, "'A' object is not subscriptable", lambda: a[0])
raises(TypeError, "'A' object is not iterable", lambda: list(a))
raises(TypeError, "object of type 'A' has no len()", lambda: len(a))
raises(TypeError, "unsupported operand type(s) for +: 'A' and 'int'", lambda: a + 1)
raises(TypeError, "'<' not supported between instances of 'A' and 'A'", lambda: a < a)
raises(TypeError, "bad operand type for unary -: 'str'", lambda: -"a")
raises(TypeError, "unhashable type: 'list'", lambda: {[]: 1})
raises(TypeError, "list indices must be integers or slices, not str", lambda: [1]["a"])
raises(IndexError, "list index out of range", lambda: [1][3])
raises(IndexError, "tuple index out of range", lambda: (1,)[3])
raises(IndexError, "string index out of range", lambda: "a"[3])
raises(KeyError, "'k'", lambda: {}["k"])
raises(ZeroDivisionError, "division by zero", lambda: 1 / 0)
raises(ZeroDivisionError, "integer division or modulo by zero", lambda: 1 // 0)
raises(TypeError, "cannot unpack non-iterable int object", lambda: exec_unpack(3))
raises(ValueError, "not enough values to unpack (expected 2, got 1)", lambda: exec_unpack([1]))
raises(ValueError, "too many values to unpack (expected 2)", lambda: exec_unpack([1, 2, 3]))
raises(TypeError, "can only concatenate list (not \"int\") to list", lambda: [1] + 1)
raises(TypeError, "'NoneType' object is not subscriptable", lambda: None[0])
raises(AttributeError, "'NoneType' object has no attribute 'x'", lambda: None.x)
raises(TypeError, "'tuple' object does not support item assignment", lambda: set_item((1,), 0, 1))


class Vector:
    def __init__(self, *v):
        self.v = v

    def __add__(self, o):
        return Vector(*[p + q for p, q in zip(self.v, o.v)]) if isinstance(o, Vector) else NotImplemented

    def __radd__(self, o):
        return ("radd", o)

    def __mul__(self, k):
        return Vector(*[p * k for p in self.v])

    __rmul__ = __mul__

    def __eq__(self, o):
        return self.v == o.v if isinstance(o, Vector) else NotImplemented

    def __hash__(self):
        return hash(self.v)

    def __lt__(self, o):
        return self.v < o.v

    def __getitem__(self, i):
        return self.v[i]

    def __len__(self):
        return len(self.v)

    def __contains__(self, x):
        return x in self.v

    def __call__(self, *args, **kw):
        return (args, kw)

    def __repr__(self):
        return f"Vector{self.v}"

    def __bool__(self):
        return any(self.v)

    def __neg__(self):
        return self * -1

    def __iadd__(self, o):
        self.v = tuple(p + o for p in self.v)
        return self

    def __matmul__(self, o):
        return sum(p * q for p, q in zip(self.v, o.v))

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.left = exc[0]
        return exc[0] is KeyError

    def __abs__(self):
        return max(self.v)

    def __index__(self):
        return self.v[0]


v = Vector(1, 2)
assert (v + v).v == (2, 4) and 1 + v == ("radd", 1) and (2 * v).v == (2, 4) and v == Vector(1, 2) and v != Vector(1, 3)
assert hash(v) == hash(Vector(1, 2)) and {v: 1}[Vector(1, 2)] == 1 and len({v, Vector(1, 2)}) == 1 and v < Vector(2, 0)
assert sorted([Vector(3), Vector(1)])[0] == Vector(1) and v[0] == 1 and list(v) == [1, 2] and 2 in v and 5 not in v
assert v(1, a=2) == ((1,), {"a": 2}) and repr(v) == "Vector(1, 2)" and str([v]) == "[Vector(1, 2)]" and not Vector(0)
assert (-v).v == (-1, -2) and v @ v == 5 and abs(v) == 2 and [10, 20, 30][v] == 20
w = v
w += 1
assert w is v and v.v == (2, 3)
with v as inside:
    assert inside is v
    raise KeyError("swallowed")
assert v.left is KeyError
raises(TypeError, "unsupported operand type(s) for -: 'Vector' and 'Vector'", lambda: v - v)


class Desc:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.name, "unset")

    def __set__(self, obj, value):
        setattr(obj, self.name, value * 10)


class WithDesc:
    d = Desc()

    def __getattr__(self, name):
        if name == "magic":
            return 42
        raise AttributeError(name)

    def __init_subclass__(cls, tag=None, **kwargs):
        cls.tag = tag


class Sub(WithDesc, tag="t"):
    pass


o = WithDesc()
assert o.d == "unset"
o.d = 2
assert o.d == 20 and o._d == 20 and o.magic == 42 and isinstance(WithDesc.d, Desc) and Sub.tag == "t"


class Meta(type):
    def __new__(meta, name, bases, ns, **kw):
        ns["added"] = name.lower()
        return super().__new__(meta, name, bases, ns)

    def __call__(cls, *args):
        one = super().__call__(*args)
        one.called = True
        return one

    def __len__(cls):
        return 7

    def __getitem__(cls, k):
        return (cls.__name__, k)

    @property
    def prop(cls):
        return "meta-" + cls.__name__


class Made(metaclass=Meta):
    def __new__(cls, *args):
        self = super().__new__(cls)
        self.args = args
        return self


assert Made.added == "made" and Made(1, 2).args == (1, 2) and Made().called and len(Made) == 7 and Made["k"] == ("Made", "k")
assert Made.prop == "meta-Made" and type(Made) is Meta
T = type("T", (A,), {"z": 3, "g": lambda self: self.z})
assert T().g() == 3 and T.__name__ == "T" and T().f() == "A.f"


class MyList(list):
    def total(self):
        return sum(self)

    def append(self, x):
        super().append(x * 2)


m = MyList([1, 2])
m.append(3)
assert m == [1, 2, 6] and m.total() == 9 and len(m) == 3 and isinstance(m, list) and m[0] == 1 and m[1:] == [2, 6]


class MyDict(dict):
    def __missing__(self, key):
        return key + "!"

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)


d = MyDict(a=1)
assert d["a"] == 1 and d["b"] == "b!" and d.a == 1 and dict(d) == {"a": 1} and {**d} == {"a": 1} and "a" in d and d.get("z") is None


class Money(float):
    def __new__(cls, x, unit):
        self = super().__new__(cls, x)
        self.unit = unit
        return self


assert Money(2.5, "eur") + 1 == 3.5 and Money(2.5, "eur").unit == "eur" and isinstance(Money(1, "e"), float)


class MyError(ValueError):
    def __init__(self, code, *args):
        super().__init__(f"code {code}", *args)
        self.code = code


try:
    raise MyError(3)
except ValueError as e:
    assert e.code == 3 and str(e) == "code 3" and e.args == ("code 3",) and repr(e) == "MyError('code 3')"


# Functions.
def f(a, b=2, *args, c, d=4, **kw):
    return (a, b, args, c, d, kw)


assert f(1, c=3) == (1, 2, (), 3, 4, {}) and f(1, 5, 6, 7, c=3, z=9) == (1, 5, (6, 7), 3, 4, {"z": 9})
assert f(*[1, 2], **{"c": 3}) == (1, 2, (), 3, 4, {}) and f(*(1,), *[2, 3], c=0, **{"d": 1}, **{"q": 2}) == (1, 2, (3,), 0, 1, {"q": 2})
raises(TypeError, "f() missing 1 required keyword-only argument: 'c'", f, 1)
raises(TypeError, "f() missing 1 required positional argument: 'a'", lambda: f(c=1))
raises(TypeError, "f() got multiple values for argument 'a'", lambda: f(1, a=2, c=3))


def g(a, /, b, *, c=1):
    return (a, b, c)


def h(x, y, z):
    pass


raises(TypeError, "h() missing 3 required positional arguments: 'x', 'y', and 'z'", h)
raises(TypeError, "h() missing 2 required positional arguments: 'y' and 'z'", h, 1)
raises(TypeError, "h() takes 3 positional arguments but 4 were given", h, 1, 2, 3, 4)
raises(TypeError, "h() got an unexpected keyword argument 'w'", lambda: h(1, 2, 3, w=1))
raises(TypeError, "g() got some positional-only arguments passed as keyword arguments: 'a'", lambda: g(a=1, b=2))
assert f.__name__ == "f" and f.__defaults__ == (2,) and h.__qualname__ == "h" and (lambda: 0).__name__ == "<lambda>"


def counter():
    n = 0

    def step(by=1):
        nonlocal n
        n += by
        return n

    return step


one, two = counter(), counter()
assert [one(), one(), two(5), one()] == [1, 2, 5, 3]
fs = [lambda: i for i in range(3)]
assert [q() for q in fs] == [2, 2, 2] and [q() for q in [lambda i=i: i for i in range(3)]] == [0, 1, 2]


def mutable(x, acc=[]):
    acc.append(x)
    return acc


mutable(1)
assert mutable(2) == [1, 2]
total = 0


def add_global(n):
    global total
    total += n


add_global(3)
assert total == 3


def unbound():
    return later
    later = 1


raises(UnboundLocalError, "cannot access local variable 'later' where it is not associated with a value", unbound)
raises(NameError, "name 'undefined_name' is not defined", lambda: undefined_name)


def deco(k):
    def wrap(fn):
        def inner(*a):
            return fn(*a) * k

        return inner

    return wrap


@deco(3)
@deco(2)
def base(x):
    return x


assert base(1) == 6
assert (lambda *a, **k: (a, k))(1, b=2) == ((1,), {"b": 2})


def fact(n):
    return 1 if n < 2 else n * fact(n - 1)


assert fact(20) == 2432902008176640000 and fact(25) == 15511210043330985984000000


# Deleting attributes
class Forgetful:
    def __init__(self):
        self.gone = []
        self.x = 1
        self._y = 2

    def __delattr__(self, name):
        self.gone.append(name)
        super().__delattr__(name)

    @property
    def y(self):
        return self._y

    @y.deleter
    def y(self):
        del self._y

    @property
    def fixed(self):
        return 3


forgetful = Forgetful()
del forgetful.x
delattr(forgetful, "y")
assert forgetful.gone == ["x", "y", "_y"] and list(vars(forgetful)) == ["gone"]
raises(AttributeError, "'Forgetful' object has no attribute 'x'", delattr, forgetful, "x")
raises(AttributeError, "property 'fixed' of 'Forgetful' object has no deleter", delattr, forgetful, "fixed")


class Cell:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner):
        return obj.__dict__.get(self.name)

    def __set__(self, obj, value):
        obj.__dict__[self.name] = value

    def __delete__(self, obj):
        object.__delattr__(obj, self.name)


class Held:
    cell = Cell()


held = Held()
held.cell = 4
del held.cell
assert held.cell is None and vars(held) == {}


class Table(type):
    def __new__(mcs, name, bases, namespace):
        rows = {}
        for base in bases:
            rows.update(base._rows)
        cls = super().__new__(mcs, name, bases, {"_rows": rows})
        rows.update({key: value for key, value in namespace.items() if not key.startswith("__")})
        return cls

    def __getattr__(cls, name):
        try:
            return cls._rows[name]
        except KeyError as e:
            raise AttributeError(name) from e


class Colors(metaclass=Table):
    red = 1


class MoreColors(Colors):
    green = 2


assert Colors.red == MoreColors.red == 1 and MoreColors.green == 2 and "red" not in vars(Colors)
assert not hasattr(Colors, "green") and getattr(Colors, "blue", None) is None
raises(AttributeError, "blue", getattr, Colors, "blue")
# What a metaclass says of attributes of its classes
class Items(type):
    def __getattr__(cls, name):
        try:
            return cls._items[name]
        except KeyError as error:
            raise AttributeError(f"no item {name}") from error

    def __setattr__(cls, name, value):
        super().__setattr__(name, (value, "set"))


class Menu(metaclass=Items):
    _items = {"soup": 3}


class Evening(Menu):
    pass


Menu.day = 5
assert Menu.soup == Evening.soup == 3 and Menu.day == (5, "set") and not hasattr(Menu, "cake") and Evening.__name__ == "Evening"
raises(AttributeError, "no item cake", lambda: Evening.cake)


# Closures
def outer(b, a):
    def inner(x, *, k=1):
        return (x, a, b, k)

    return inner


inner = outer("b", ["a"])
assert [cell.cell_contents for cell in inner.__closure__] == [["a"], "b"] and raises.__closure__ is None
import types

again = types.FunctionType(inner.__code__, inner.__globals__, "again", inner.__defaults__, tuple((lambda v: lambda: v)(v).__closure__[0] for v in (5, 6)))
again.__kwdefaults__ = {"k": 2}
assert again(0, k=1) == (0, 5, 6, 1) and inner(0) == (0, ["a"], "b", 1) and again.__name__ == "again"
inner.__closure__[1].cell_contents = "c"
assert inner(1) == (1, ["a"], "c", 1)


from typing import NamedTuple


class Row(NamedTuple):
    name: str
    make: object


class Hashed:
    def __hash__(self):
        return 7


row = Row("a", Hashed())
assert {row: 1}[row] == 1 and hash(row) == hash(tuple(row)) and {row, tuple(row)} == {row}


class Base:
    @property
    def kind(self):
        raise NotImplementedError

    width = property(lambda self: 3)


class Slotted(Base):
    __slots__ = ["kind"]

    def __init__(self, kind):
        if kind is not None:
            self.kind = kind


class OneSlot(Base):
    __slots__ = "width"


class Below(Slotted):
    pass


slotted, one = Slotted("a"), OneSlot()
one.width = 4
assert slotted.kind == "a" and slotted.width == 3 and one.width == 4 and Below("b").kind == "b"
assert not hasattr(Slotted(None), "kind") and getattr(Slotted(None), "kind", 5) == 5
slotted.kind = "c"
assert slotted.kind == "c"


class Word(str):
    def __eq__(self, other):
        return self.lower() == other.lower()

    def __hash__(self):
        return hash(self.lower())


word, same = Word("a"), Word("A")
assert word == same and word != same and {word: 1}[same] == 1 and not word != Word("a")


# Objects of one hash that are not equal are two keys, and equal ones are one.
class Sized:
    def __init__(self, name, size):
        self.name, self.size = name, size

    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        return self.name == other.name and self.size == other.size


small, large, again = Sized("a", 1), Sized("a", 2), Sized("a", 1)
table = {small: "x", large: "y", again: "z"}
assert len(table) == 2 and table[Sized("a", 2)] == "y" and table[small] == "z" and list(table)[0] is small
assert len({small, large, again, Sized("a", 3)}) == 3 and Sized("a", 3) not in table
assert {(small, 1): 1, (large, 1): 2}[(again, 1)] == 1
large.size = 1
assert {small: 1, large: 2} == {again: 2}


# Builtin classes whose instances are iterators.
for made, name in [(map(str, []), "map"), (filter(None, []), "filter"), (zip(), "zip"), (enumerate([]), "enumerate"), (reversed([]), "reversed")]:
    kind = {"map": map, "filter": filter, "zip": zip, "enumerate": enumerate, "reversed": reversed}[name]
    if name != "reversed":
        assert type(made) is kind and isinstance(made, kind)
    assert isinstance(made, (list, collections.abc.Iterable)) and isinstance(made, collections.abc.Iterator) and not isinstance(made, collections.abc.Sized)
    assert type(made) is made.__class__ and hasattr(type(made), "__iter__") and kind.__mro__[-1] is object
    assert isinstance(kind, type) and kind.__name__ == name and repr(kind) == f"<class '{name}'>"
    assert issubclass(kind, object) and issubclass(kind, (int, kind)) and not issubclass(int, kind)
assert not isinstance(len, type) and not isinstance(map(str, []), (zip, list)) and isinstance(bytearray, type)


class Moved(Exception):
    pass


Moved.__module__ = "elsewhere"
assert repr(Moved) == "<class 'elsewhere.Moved'>" and Moved.__module__ == "elsewhere"


# Annotations that name variables of the function around them.
def annotated(kind):
    def inner(x: kind, y: int = 0) -> kind:
        return x

    return inner


assert annotated(str).__annotations__ == {"x": str, "y": int, "return": str} and annotated(float)(1) == 1


def class_inside():
    kind = int

    class Inside:
        def method(self, x: kind) -> kind:
            return x

    return Inside.method.__annotations__


kind = str


class Shadowed:
    kind = float

    def method(self, x: kind) -> kind:
        return x


assert class_inside() == {"x": int, "return": int} and Shadowed.method.__annotations__ == {"x": float, "return": float}
