# dataclasses, enum, typing, abc, contextlib, types, inspect, argparse, logging, warnings.
def raises(kind, message, function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except Exception as error:
        assert type(error) is kind, (type(error), error)
        if message is not None:
            assert str(error) == message, str(error)
        return True
    assert False, "nothing raised"


import abc
import argparse
import contextlib
import dataclasses
import enum
import functools
import importlib
import inspect
import logging
import sys
import types
import typing
import warnings
from dataclasses import FrozenInstanceError, InitVar, asdict, astuple, dataclass, field, fields, is_dataclass, replace
from enum import Enum, Flag, IntEnum, IntFlag, StrEnum, auto, unique
from typing import (
    TYPE_CHECKING, Annotated, Any, Callable, ClassVar, Dict, Generic, List, Literal, NamedTuple, Optional, Protocol, Tuple,
    TypedDict, TypeVar, Union, cast, get_args, get_origin, get_type_hints, overload, runtime_checkable,
)

T = TypeVar("T")


@dataclass
class P:
    x: int
    y: float = 2.0
    tags: list = field(default_factory=list)
    shared: ClassVar[int] = 7

    def norm(self):
        return self.x + self.y


p = P(1)
assert p == P(1, 2.0, []) and repr(p) == "P(x=1, y=2.0, tags=[])" and p.norm() == 3.0 and p.tags is not P(1).tags and p != P(2) and P.shared == 7
assert [f.name for f in fields(p)] == ["x", "y", "tags"] and asdict(p) == {"x": 1, "y": 2.0, "tags": []} and astuple(p) == (1, 2.0, [])
assert replace(p, x=5) == P(5) and is_dataclass(P) and is_dataclass(p) and not is_dataclass(3) and fields(P)[1].default == 2.0 and P.__match_args__ == ("x", "y", "tags")
p.x = 9
assert p.x == 9
raises(TypeError, "unhashable type: 'P'", hash, p)
raises(TypeError, "P.__init__() missing 1 required positional argument: 'x'", P)
raises(TypeError, "P.__init__() got an unexpected keyword argument 'z'", lambda: P(1, z=2))
raises(TypeError, "P.__init__() takes from 2 to 4 positional arguments but 5 were given", P, 1, 2, 3, 4)


@dataclass(frozen=True, order=True)
class F:
    a: int
    b: str = "b"
    c: int = field(default=0, compare=False, repr=False)


assert F(1) == F(1, c=5) and hash(F(1)) == hash(F(1)) and F(1) < F(2) and F(1, "a") < F(1, "b") and {F(1): "k"}[F(1)] == "k" and repr(F(1)) == "F(a=1, b='b')"
raises(FrozenInstanceError, "cannot assign to field 'a'", lambda: setattr(F(1), "a", 2))
raises(AttributeError, None, lambda: F(1).nope)
try:
    f = F(1)
    f.a = 3
except AttributeError as e:
    assert type(e) is FrozenInstanceError
else:
    assert False


@dataclass
class Base:
    a: int = 1

    def __post_init__(self):
        self.total = self.a


@dataclass
class Child(Base):
    b: int = 2
    scale: InitVar[int] = 3
    hidden: int = field(init=False, default=5)

    def __post_init__(self, scale):
        super().__post_init__()
        self.total += self.b * scale


c = Child(10, b=4)
assert c == Child(10, b=4) and c != Child(10, b=5) and c != Base(10) and Base(10) != c and c != 10 and not c == None
assert Child.__eq__(c, Base(10)) is NotImplemented and Child.__eq__.__name__ == "__eq__"
assert Base((nan := float("nan"))) == Base(nan)


@dataclass
class Slow:
    a: object


class Odd:
    def __eq__(self, other):
        raise RuntimeError("compared")


odd = Odd()
assert Slow(odd) == Slow(odd)
raises(RuntimeError, "compared", lambda: Slow(odd) == Slow(Odd()))
lacking = Slow(1)
del lacking.a
raises(AttributeError, "'Slow' object has no attribute 'a'", lambda: lacking == Slow(1))
assert c.total == 22 and c.hidden == 5 and [f.name for f in fields(c)] == ["a", "b", "hidden"] and repr(c) == "Child(a=10, b=4, hidden=5)"


@dataclass(kw_only=True)
class K:
    a: int
    b: int = 0


assert K(a=1).b == 0
raises(TypeError, "K.__init__() takes 1 positional argument but 2 were given", K, 1)
raises(TypeError, "K.__init__() missing 1 required keyword-only argument: 'a'", K)


@dataclass(eq=False)
class I:
    a: int


assert I(1) != I(1) and len({I(1), I(1)}) == 2
raises(ValueError, "mutable default <class 'list'> for field a is not allowed: use default_factory", lambda: dataclass(type("Z", (), {"__annotations__": {"a": list}, "a": []})))
raises(TypeError, "non-default argument 'b' follows default argument", lambda: dataclass(type("Z", (), {"__annotations__": {"a": int, "b": int}, "a": 1})))
Made = dataclasses.make_dataclass("Made", [("x", int), ("y", int, 3)])
assert Made(1) == Made(1, 3) and repr(Made(1)) == "Made(x=1, y=3)"
nested = P(1, tags=[F(2), {"k": F(3)}])
assert asdict(nested)["tags"] == [{"a": 2, "b": "b", "c": 0}, {"k": {"a": 3, "b": "b", "c": 0}}]
match F(1):
    case F(a=1, b=q):
        assert q == "b"
    case _:
        assert False


# enum
class Color(Enum):
    RED = 1
    GREEN = auto()
    CRIMSON = 1

    def lower(self):
        return self.name.lower()

    @classmethod
    def first(cls):
        return cls.RED

    @property
    def twice(self):
        return self.value * 2


assert Color.RED.value == 1 and Color.GREEN.value == 2 and Color.CRIMSON is Color.RED and Color(2) is Color.GREEN and Color["RED"] is Color.RED
assert [c.name for c in Color] == ["RED", "GREEN"] and len(Color) == 2 and Color.RED.lower() == "red" and Color.first() is Color.RED and Color.GREEN.twice == 4
assert repr(Color.RED) == "<Color.RED: 1>" and str(Color.RED) == "Color.RED" and f"{Color.RED}" == "Color.RED" and Color.RED == Color.RED and Color.RED != 1 and Color.RED in Color
assert {Color.RED: "r"}[Color(1)] == "r" and isinstance(Color.RED, Color) and list(Color.__members__) == ["RED", "GREEN", "CRIMSON"] and type(Color.RED) is Color
raises(ValueError, "5 is not a valid Color", Color, 5)
raises(KeyError, "'BLUE'", lambda: Color["BLUE"])


class Num(IntEnum):
    A = 1
    B = 2


assert Num.A + 1 == 2 and Num.A == 1 and Num.A < Num.B and [10, 20, 30][Num.B] == 30 and f"{Num.A}" == "1" and str(Num.A) == "1" and {1: "a"}[Num.A] == "a" and isinstance(Num.A, int)


class Mode(StrEnum):
    FAST = auto()
    SLOW = "s"


assert Mode.FAST == "fast" and f"{Mode.SLOW}" == "s" and Mode("s") is Mode.SLOW and Mode.FAST.upper() == "FAST" and {"fast": 1}[Mode.FAST] == 1


class Kind(str, Enum):
    A = "a"


assert Kind.A == "a" and Kind("a") is Kind.A and Kind.A.value == "a"


class Perm(Flag):
    R = auto()
    W = auto()
    RW = R | W


assert Perm.R | Perm.W == Perm.RW and Perm.R in Perm.RW and Perm.RW.value == 3 and not (Perm.R & Perm.W) and (Perm.RW & Perm.R) is Perm.R and bool(Perm.R)
class Planet(Enum):
    EARTH = (1.0, 2)
    MARS = (0.5, 1)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius


assert Planet.EARTH.mass == 1.0 and Planet.MARS.value == (0.5, 1) and Planet((1.0, 2)) is Planet.EARTH
Animal = Enum("Animal", "CAT DOG")
assert Animal.DOG.value == 2 and [a.name for a in Animal] == ["CAT", "DOG"]

# typing
assert TYPE_CHECKING is False and cast(int, "a") == "a" and Optional[int] == Union[int, None] and get_origin(List[int]) is list and get_args(Dict[str, int]) == (str, int)
assert get_args(Optional[int]) == (int, type(None)) and get_args(Literal["a", "b"]) == ("a", "b")
assert isinstance(3, Union[int, str]) and Callable[[int], str] is not None and Annotated[int, "x"] is not None and Tuple[int, ...] is not None
alias = dict[str, list[int]] | None


class Pt(NamedTuple):
    x: int
    y: int = 5

    def s(self):
        return self.x + self.y


assert Pt(1).s() == 6 and Pt(1) == (1, 5) and Pt._fields == ("x", "y") and repr(Pt(1, 2)) == "Pt(x=1, y=2)" and Pt(1)._replace(y=0) == (1, 0) and isinstance(Pt(1), Pt)
raises(TypeError, "Pt.__new__() missing 1 required positional argument: 'x'", Pt)


class Cfg(TypedDict, total=False):
    a: int


assert Cfg(a=1) == {"a": 1} and type(Cfg(a=1)) is dict


class Stack(Generic[T]):
    def __init__(self):
        self.items: List[T] = []

    def push(self, x: T) -> None:
        self.items.append(x)


st = Stack[int]()
st.push(3)
assert st.items == [3] and isinstance(st, Stack) and type(st) is Stack


@runtime_checkable
class HasF(Protocol):
    def f(self) -> int: ...


class Impl:
    def f(self):
        return 1


assert isinstance(Impl(), HasF) and not isinstance(3, HasF) and get_type_hints(P)["x"] is int


# abc
class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...

    @property
    @abc.abstractmethod
    def name(self): ...

    def describe(self):
        return f"{self.name}:{self.area()}"


class Sq(Shape):
    name = "sq"

    def area(self):
        return 4


assert Sq().describe() == "sq:4" and isinstance(Sq(), Shape)
raises(TypeError, "Can't instantiate abstract class Shape with abstract methods area, name", Shape)


# contextlib
log = []


@contextlib.contextmanager
def ctx(x):
    log.append("in")
    try:
        yield x
    except KeyError:
        log.append("caught")
    finally:
        log.append("out")


with ctx(3) as v:
    assert v == 3
with ctx(4):
    raise KeyError("k")
assert log == ["in", "out", "in", "caught", "out"]


def leave():
    with ctx(1):
        raise ValueError("through")


raises(ValueError, "through", leave)
with contextlib.suppress(ZeroDivisionError):
    1 / 0
with contextlib.ExitStack() as stack:
    assert stack.enter_context(ctx(5)) == 5
    stack.callback(log.append, "cb")
assert log[-2:] == ["cb", "out"]
with contextlib.nullcontext(7) as seven:
    assert seven == 7


@ctx(1)
def decorated(x):
    return x


assert decorated(2) == 2

# types, inspect
ns = types.SimpleNamespace(a=1, b=2)
ns.c = 3
assert ns.a == 1 and repr(ns) == "namespace(a=1, b=2, c=3)" and ns == types.SimpleNamespace(a=1, b=2, c=3) and isinstance(len, types.BuiltinFunctionType)
assert isinstance(lambda: 0, types.FunctionType) and types.MappingProxyType({"a": 1})["a"] == 1 and isinstance(Impl().f, types.MethodType) and not isinstance(3, types.FunctionType)


def sig(a, b: int = 1, *args, c, d=2, **kw) -> str: ...


s = inspect.signature(sig)
assert list(s.parameters) == ["a", "b", "args", "c", "d", "kw"] and s.parameters["b"].default == 1 and s.parameters["a"].default is inspect.Parameter.empty
assert str(s) == "(a, b: int = 1, *args, c, d=2, **kw) -> str" and s.parameters["c"].kind == inspect.Parameter.KEYWORD_ONLY and s.return_annotation is str
assert s.bind(1, c=3).arguments == {"a": 1, "c": 3} and inspect.isfunction(sig) and inspect.isclass(P) and inspect.ismethod(Impl().f) and not inspect.isfunction(3)

spec = inspect.getfullargspec(sig)
assert type(spec).__name__ == "FullArgSpec" and spec.args == ["a", "b"] and spec.varargs == "args" and spec.varkw == "kw" and spec.defaults == (1,)
assert spec.kwonlyargs == ["c", "d"] and spec.kwonlydefaults == {"d": 2} and spec.annotations == {"b": int, "return": str} and isinstance(spec, inspect.FullArgSpec)


class Layer:
    def __init__(self, size, *, bias=True):
        self.size = size

    def apply(self, x, scale=1.0):
        return x


@functools.wraps(Layer.apply)
def wrapped_apply(*args, **kwargs):
    return Layer.apply(*args, **kwargs)


# The first parameter of a method is one, and what a function wraps has no part in it.
assert inspect.getfullargspec(Layer).args == ["self", "size"] and inspect.getfullargspec(Layer(3).apply).args == ["self", "x", "scale"]
spec = inspect.getfullargspec(wrapped_apply)
assert spec.args == [] and spec.varargs == "args" and spec.varkw == "kwargs" and spec.defaults is None and spec.kwonlydefaults is None
assert inspect.getfullargspec(functools.partial(Layer.apply, scale=2.0)).args == ["self", "x"]
members = dict(inspect.getmembers(Layer(3)))
assert members["size"] == 3 and [n for n, _ in inspect.getmembers(Layer, inspect.isfunction)] == ["__init__", "apply"]
try:
    inspect.getfullargspec(3)
    assert False
except TypeError as error:
    assert str(error) == "unsupported callable"
raises(TypeError, "missing a required argument: 'c'", s.bind, 1)

# argparse, logging, warnings, sys
ap = argparse.ArgumentParser(description="d")
ap.add_argument("--lr", type=float, default=0.1)
ap.add_argument("--n-steps", "-n", type=int, default="5")
ap.add_argument("--flag", action="store_true")
ap.add_argument("--names", nargs="+", default=["a"])
group = ap.add_argument_group("g")
group.add_argument("--mode", choices=["x", "y"], default="x")
ns = ap.parse_args([])
assert ns.lr == 0.1 and ns.n_steps == 5 and ns.flag is False and ns.names == ["a"] and ns.mode == "x" and vars(ns)["lr"] == 0.1
ns = ap.parse_args(["--lr", "1e-3", "-n", "7", "--flag", "--names", "p", "q", "--mode=y"])
assert ns.lr == 0.001 and ns.n_steps == 7 and ns.flag and ns.names == ["p", "q"] and ns.mode == "y"
logger = logging.getLogger(__name__)
logging.basicConfig(level=logging.INFO)
logger.info("x %d", 3)
assert logging.getLogger("a") is logging.getLogger("a") and logging.INFO == 20
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    warnings.warn("w")
assert sys.version_info >= (3, 8) and sys.version_info.major == 3 and sys.maxsize == 2**63 - 1 and sys.float_info.epsilon == 2.0**-52 and len(sys.argv) >= 1
assert importlib.import_module("math").pi > 3 and importlib.import_module("os.path").join("a", "b") == "a/b"
raises(SystemExit, None, sys.exit, 1) if False else None
try:
    sys.exit(3)
except SystemExit as e:
    assert e.code == 3


# What a class compares and hashes by may be said after it was made.
def checked(function):
    def wrapped(self):
        return function(self) + 1

    return wrapped


class Hashed:
    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        dataclasses.dataclass(cls, unsafe_hash=True, repr=False)
        cls.__hash__ = checked(cls.__hash__)


class Part(Hashed):
    a: int = 1
    held: object = None

    def __setattr__(self, name, value):
        if name != "held":
            object.__setattr__(self, name, value)


assert hash(Part()) == hash((1, None)) + 1 and hash(Part(2)) != hash(Part()) and Part(2) == Part(2) and Part(2) != Part()
assert {Part(3): "x"}[Part(3)] == "x" and len({Part(), Part(), Part(2)}) == 2
raises(TypeError, "unhashable type: 'list'", lambda: hash(Part([])))


@dataclasses.dataclass(frozen=True)
class Frozen:
    a: object


raises(TypeError, "unhashable type: 'list'", lambda: hash(Frozen([1])))


class Late:
    pass


class Later(Late):
    pass


assert len({Late(), Late()}) == 2 and len({Later(), Later()}) == 2
Late.__eq__ = lambda self, other: type(self) is type(other)
Late.__hash__ = lambda self: 7
assert len({Late(), Late()}) == 1 and len({Later(), Later()}) == 1 and hash(Later()) == 7
del Late.__eq__, Late.__hash__
assert len({Late(), Late()}) == 2 and len({Later(), Later()}) == 2


# Flags that are integers stay flags; notes of exceptions.
class Rights(enum.IntFlag):
    READ = enum.auto()
    WRITE = enum.auto()
    RUN = 8


both = Rights.READ | Rights.WRITE
assert Rights.READ in both and both.name == "READ|WRITE" and both == 3 and isinstance(Rights.READ | 2, Rights) and len(both) == 2
assert 1 | Rights.WRITE == 3 and (1 | Rights.WRITE) is both and list(Rights.READ | Rights.RUN) == [Rights.READ, Rights.RUN]
assert Rights.READ + 1 == 2 and type(Rights.READ + 1) is int and not Rights.READ & Rights.WRITE and str(both) == "3"
try:
    raise ValueError("x")
except ValueError as noted:
    assert not hasattr(noted, "__notes__")
    noted.add_note("n")
    noted.add_note("m")
    assert noted.__notes__ == ["n", "m"]
    raises(TypeError, "note must be a str, not 'int'", noted.add_note, 3)

# Messages name types that are written in C with their module.
import collections
import operator

for value, name in [
    (types.SimpleNamespace(a=1), "types.SimpleNamespace"),
    (collections.OrderedDict(), "collections.OrderedDict"),
    (collections.defaultdict(int), "collections.defaultdict"),
    (collections.Counter(), "Counter"),
]:
    raises(AttributeError, f"'{name}' object has no attribute 'nope'", getattr, value, "nope")
    raises(TypeError, f"unsupported operand type(s) for +: '{name}' and 'int'", operator.add, value, 1)


def apart():
    a, b = types.SimpleNamespace()


raises(TypeError, "cannot unpack non-iterable types.SimpleNamespace object", apart)
queue = collections.deque([1, 2])
raises(AttributeError, "'collections.deque' object has no attribute 'nope'", getattr, queue, "nope")
raises(TypeError, 'can only concatenate deque (not "int") to deque', operator.add, queue, 1)
raises(TypeError, "'<' not supported between instances of 'collections.deque' and 'int'", operator.lt, queue, 1)
assert queue <= collections.deque([1, 2]) and collections.deque([2]) > queue and not queue >= collections.deque([3])
