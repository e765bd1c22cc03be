# Texts that run, attributes as dicts, and what can be asked of classes.
import abc
import collections
import dataclasses
import importlib.util
import re
import textwrap
import typing

names = {"scale": 3}
exec("def triple(x):\n    return scale * x\nlimit = triple(2)", names)
assert names["triple"](5) == 15
assert names["limit"] == 6

own = {}
exec(compile("total = base + 1", "<generated>", "exec"), {"base": 1}, own)
assert own == {"total": 2}
assert eval("a * (b + 1)", {"a": 2, "b": 3}) == 8
assert eval(" 1 + 2 ") == 3


class Point:
    def __init__(self):
        self.x = 1


point = Point()
point.__dict__["y"] = 2
assert point.y == 2
vars(point).update(z=3, x=7)
assert (point.x, point.z) == (7, 3)
del point.__dict__["y"]
assert not hasattr(point, "y")
assert [n for n in dir(point) if not n.startswith("_")] == ["x", "z"]


def function():
    pass


function.__dict__["mark"] = 1
assert function.mark == 1

assert re.findall(r"(?<=\$)\d+(?!\d|%)", "$12 $7% $300") == ["12", "300"]
assert re.sub(r"(\w)\1", r"<\1>", "aabbc") == "<a><b>c"
assert re.match(r"(?P<q>['\"]).*?(?P=q)", "'it' is").group() == "'it'"
assert re.sub(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))", r"_\1", "LayerNormMLP").lower() == "layer_norm_mlp"


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...

    @property
    @abc.abstractmethod
    def name(self): ...


class Square(Shape):
    def area(self):
        return 1


assert Shape.__abstractmethods__ == {"area", "name"}
assert Square.__abstractmethods__ == {"name"}


@dataclasses.dataclass
class Row:
    a: int
    b: float = 1.0
    c: list = dataclasses.field(default_factory=list, init=False)


assert list(Row.__init__.__annotations__)[:2] == ["a", "b"]
assert collections.defaultdict[str, int] is not None
assert hash(typing.Callable[[int], str]) == hash(typing.Callable[[int], str])
assert textwrap.TextWrapper(width=9).fill("one two three") == "one two\nthree"
assert importlib.util.find_spec("re") is not None


class Backend:
    pass


class First(Backend):
    pass


class Second(Backend):
    pass


assert Backend.__subclasses__() == [First, Second]
assert First.__subclasses__() == []

T = typing.TypeVar("T")


class Box(typing.Generic[T]):
    def __init__(self, item):
        self.item = item


assert hasattr(Box, "__parameters__")
assert Box[int](3).item == 3
assert typing.List[Box].__parameters__ == ()
