# functools, itertools, operator, math, collections, copy, heapq, bisect, string, textwrap, re, json.
def raises(kind, message, function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except Exception as error:
        assert type(error) is kind, (type(error), error)
        if message is not None:
            assert str(error) == message, str(error)
        return True
    assert False, "nothing raised"


import bisect
import cmath
import collections
import copy
import functools
import heapq
import itertools
import json
import math
import operator
import os
import os.path
import pathlib
import re
import statistics
import string
import textwrap
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, MutableMapping, Sequence, Sized

# functools
def f(a, b=0, *c, **d):
    "doc"
    return (a, b, c, d)


p = functools.partial(f, 1, z=2)
assert p(3) == (1, 3, (), {"z": 2}) and p.func is f and p.args == (1,) and p.keywords == {"z": 2}
q = functools.partial(p, 4, z=5)
assert q.func is f and q.args == (1, 4) and q.keywords == {"z": 5} and q(6) == (1, 4, (6,), {"z": 5}) and isinstance(q, functools.partial)
raises(TypeError, "the first argument must be callable", functools.partial, 3)


@functools.wraps(f)
def g(*args):
    return f(*args)


assert g.__name__ == "f" and g.__doc__ == "doc" and g.__wrapped__ is f and g(1) == (1, 0, (), {})
assert functools.reduce(operator.add, [1, 2, 3]) == 6 and functools.reduce(lambda a, b: a * b, [], 7) == 7
raises(TypeError, "reduce() of empty iterable with no initial value", functools.reduce, operator.add, [])
calls = []


@functools.lru_cache(maxsize=2)
def slow(x):
    calls.append(x)
    return x * 2


assert [slow(1), slow(1), slow(2), slow(3), slow(1)] == [2, 2, 4, 6, 2] and calls == [1, 2, 3, 1]
assert slow.cache_info().hits == 1 and slow.cache_info().currsize == 2 and slow.__name__ == "slow"
slow.cache_clear()
assert slow.cache_info().misses == 0


@functools.cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


assert fib(50) == 12586269025
raises(TypeError, "unhashable type: 'list'", fib, [])


class Box:
    made = 0

    @functools.cached_property
    def big(self):
        Box.made += 1
        return [1]

    def add(self, a, b):
        return (a, b)

    add_one = functools.partialmethod(add, 1)


b = Box()
assert b.big is b.big and Box.made == 1 and b.add_one(2) == (1, 2)


@functools.total_ordering
class Rank:
    def __init__(self, n):
        self.n = n

    def __eq__(self, o):
        return self.n == o.n

    def __lt__(self, o):
        return self.n < o.n


assert Rank(1) <= Rank(1) and Rank(2) > Rank(1) and Rank(2) >= Rank(2) and not Rank(1) > Rank(2)
assert sorted([3, 1, 2], key=functools.cmp_to_key(lambda a, b: b - a)) == [3, 2, 1]


@functools.singledispatch
def show(x):
    return "other"


@show.register
def _(x: int):
    return "int"


@show.register(list)
def _(x):
    return "list"


assert show(1) == "int" and show([]) == "list" and show("a") == "other" and show(True) == "int"

# itertools
I = itertools
assert list(I.islice(I.count(3, 2), 3)) == [3, 5, 7] and list(I.islice(I.cycle("ab"), 5)) == list("ababa") and list(I.repeat(1, 3)) == [1, 1, 1]
assert list(I.accumulate([1, 2, 3])) == [1, 3, 6] and list(I.accumulate([1, 2, 3], operator.mul, initial=2)) == [2, 2, 4, 12] and list(I.accumulate([])) == []
assert list(I.chain([1], (2, 3), "a")) == [1, 2, 3, "a"] and list(I.chain.from_iterable([[1], [2]])) == [1, 2]
assert list(I.compress("abc", [1, 0, 1])) == ["a", "c"] and list(I.dropwhile(lambda x: x < 2, [1, 2, 1])) == [2, 1]
assert list(I.takewhile(lambda x: x < 2, [1, 2, 1])) == [1] and list(I.filterfalse(lambda x: x % 2, range(4))) == [0, 2]
assert [(k, list(v)) for k, v in I.groupby("aabca")] == [("a", ["a", "a"]), ("b", ["b"]), ("c", ["c"]), ("a", ["a"])]
assert [k for k, _ in I.groupby([1, 3, 2, 4], key=lambda x: x % 2)] == [1, 0]
assert list(I.islice(range(10), 2, 8, 3)) == [2, 5] and list(I.islice([1, 2], 5)) == [1, 2] and list(I.islice([1], 0)) == []
assert list(I.pairwise([1, 2, 3])) == [(1, 2), (2, 3)] and list(I.starmap(pow, [(2, 3), (3, 2)])) == [8, 9]
assert list(I.product([1, 2], "ab")) == [(1, "a"), (1, "b"), (2, "a"), (2, "b")] and len(list(I.product(range(2), repeat=4))) == 16
assert list(I.product()) == [()] and list(I.combinations("abc", 2)) == [("a", "b"), ("a", "c"), ("b", "c")] and list(I.combinations("a", 2)) == []
assert list(I.permutations([1, 2, 3]))[:3] == [(1, 2, 3), (1, 3, 2), (2, 1, 3)] and len(list(I.permutations(range(4), 2))) == 12
assert list(I.combinations_with_replacement("ab", 2)) == [("a", "a"), ("a", "b"), ("b", "b")]
t1, t2 = I.tee([1, 2])
assert list(t1) == [1, 2] and list(t2) == [1, 2] and list(I.zip_longest([1, 2], "a", fillvalue="-")) == [(1, "a"), (2, "-")]
it = iter(range(5))
assert list(I.islice(it, 2)) == [0, 1] and next(it) == 2
it = iter(range(9))
assert list(I.islice(it, 1, 4, 2)) == [1, 3] and next(it) == 4 and list(I.islice(it, 3, 2)) == [] and next(it) == 8
assert [list(I.permutations("abc", r)) for r in (0, 1, 4)] == [[()], [("a",), ("b",), ("c",)], []] and list(I.permutations([])) == [()]
assert list(I.permutations("abcd", 3)) == [(a, b, c) for a in "abcd" for b in "abcd" for c in "abcd" if len({a, b, c}) == 3]
assert [list(I.combinations(range(4), r)) for r in (0, 3, 4, 5)] == [[()], [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)], [(0, 1, 2, 3)], []]
assert list(I.combinations_with_replacement(range(3), 3)) == [(a, b, c) for a in range(3) for b in range(a, 3) for c in range(b, 3)]
assert list(I.combinations_with_replacement("", 2)) == [] and list(I.combinations_with_replacement("", 0)) == [()] and list(I.product("ab", [])) == []
assert list(I.combinations_with_replacement("a", 3)) == [("a", "a", "a")] and list(I.repeat(2, -1)) == [] and list(I.pairwise([1])) == list(I.pairwise([])) == []
def told(name, items, seen=[]):
    for item in items:
        seen.append((name, item))
        yield item
    told.seen = seen
chained = I.chain(told("a", [1, 2]), told("b", [3]))
assert next(chained) == 1 and told.__defaults__[0] == [("a", 1)] and list(chained) == [2, 3] and told.seen == [("a", 1), ("a", 2), ("b", 3)]
assert type(chained).__name__ == "chain" and type(I.pairwise([])).__name__ == "pairwise" and next(I.chain.from_iterable(I.repeat([5]))) == 5
grown = [1, 2]
pairs = I.pairwise(grown)
assert next(pairs) == (1, 2) and grown.append(3) is None and next(pairs) == (2, 3)
raises(TypeError, "'int' object is not iterable", lambda: list(I.chain([1], 2)))

# operator
assert operator.add(1, 2) == 3 and operator.itemgetter(1)([4, 5]) == 5 and operator.itemgetter(0, 2)("abc") == ("a", "c")
assert operator.attrgetter("real")(3) == 3 and operator.methodcaller("upper")("a") == "A" and operator.not_(0) and operator.index(True) == 1
assert operator.iadd([1], [2]) == [1, 2] and operator.contains([1], 1) and operator.truediv(1, 2) == 0.5 and operator.neg(1) == -1 and operator.abs(-2) == 2

# math
M = math
assert M.sqrt(16) == 4.0 and M.floor(-1.5) == -2 and M.ceil(1.2) == 2 and M.trunc(-1.7) == -1 and M.factorial(5) == 120 and M.pi == 3.141592653589793
assert M.gcd(12, 18) == 6 and M.lcm(4, 6) == 12 and M.comb(5, 2) == 10 and M.perm(5, 2) == 20 and M.isqrt(17) == 4 and M.prod([2, 3]) == 6
assert M.log(M.e) == 1.0 and M.log2(8) == 3.0 and M.log10(1000) == 3.0 and M.log(8, 2) == 3.0 and M.exp(0) == 1.0 and M.pow(2, 3) == 8.0 and abs(M.log(10**400) - 921.0340371976183) < 1e-9
assert M.hypot(3, 4) == 5.0 and M.dist([0, 0], [3, 4]) == 5.0 and M.fsum([0.1] * 10) == 1.0 and M.isclose(0.1 + 0.2, 0.3) and M.copysign(1, -0.0) == -1.0
assert M.isnan(M.nan) and M.isinf(-M.inf) and M.isfinite(1) and M.modf(1.5) == (0.5, 1.0) and M.frexp(8.0) == (0.5, 4) and M.ldexp(0.5, 4) == 8.0
assert M.degrees(M.pi) == 180.0 and M.radians(180) == M.pi and M.atan2(1, 1) == M.pi / 4 and M.fmod(7, 3) == 1.0 and M.remainder(5, 3) == -1.0 and M.erf(0) == 0.0 and M.gamma(5) == 24.0
raises(ValueError, "math domain error", M.sqrt, -1)
raises(ValueError, "math domain error", M.log, 0)
raises(OverflowError, "math range error", M.exp, 1000)
raises(TypeError, "must be real number, not str", M.sqrt, "a")
raises(ValueError, "factorial() not defined for negative values", M.factorial, -1)
raises(TypeError, "math.sqrt() takes exactly one argument (2 given)", M.sqrt, 1, 2)
assert cmath.phase(1j) == M.pi / 2 and cmath.sqrt(-1) == 1j and abs(cmath.exp(1j * M.pi) + 1) < 1e-15

# collections
P = namedtuple("P", "x y z", defaults=[3])
p = P(1, y=2)
assert p == (1, 2, 3) and p.x == 1 and p.z == 3 and p._replace(x=9) == P(9, 2, 3) and p._asdict() == {"x": 1, "y": 2, "z": 3} and P._fields == ("x", "y", "z")
assert repr(p) == "P(x=1, y=2, z=3)" and P._make([1, 2, 3]) == p and P._field_defaults == {"z": 3} and isinstance(p, tuple) and hash(p) == hash((1, 2, 3)) and type(p._replace(x=1)) is P
a, *rest = p
assert a == 1 and rest == [2, 3] and p[1:] == (2, 3) and {p: 1}[(1, 2, 3)] == 1 and p + (4,) == (1, 2, 3, 4) and len(p) == 3 and P(*p) == p
raises(TypeError, "P.__new__() missing 1 required positional argument: 'y'", P, 1)
raises(TypeError, "P.__new__() got an unexpected keyword argument 'w'", lambda: P(1, 2, w=3))
raises(TypeError, "P.__new__() takes from 3 to 4 positional arguments but 5 were given", P, 1, 2, 3, 4)
raises(AttributeError, "'P' object has no attribute 'w'", lambda: p.w)
raises(ValueError, "Got unexpected field names: ['w']", lambda: p._replace(w=1))


class Q(P):
    def norm(self):
        return self.x + self.y


assert Q(1, 2).norm() == 3 and Q(1, 2) == (1, 2, 3) and type(Q(1, 2)) is Q
d = defaultdict(list)
d["a"].append(1)
assert d == {"a": [1]} and "b" not in d and d["b"] == [] and d.get("c") is None and d.default_factory is list and repr(defaultdict(int, a=1)) == "defaultdict(<class 'int'>, {'a': 1})"
raises(KeyError, "'x'", lambda: defaultdict(None)["x"])
c = Counter("abca")
assert c["a"] == 2 and c["z"] == 0 and c.most_common(1) == [("a", 2)] and c + Counter("a") == Counter({"a": 3, "b": 1, "c": 1}) and c.total() == 4
assert c - Counter("ab") == Counter({"a": 1, "c": 1}) and sorted(c.elements()) == ["a", "a", "b", "c"] and repr(Counter("aab")) == "Counter({'a': 2, 'b': 1})"
o = OrderedDict([("a", 1), ("b", 2)])
o.move_to_end("a")
assert list(o) == ["b", "a"] and o.popitem(last=False) == ("b", 2) and OrderedDict(a=1) == {"a": 1} and isinstance(o, dict) and repr(OrderedDict(a=1)) == "OrderedDict([('a', 1)])"
q = deque([1, 2, 3], maxlen=3)
q.append(4)
q.appendleft(0)
assert list(q) == [0, 2, 3] and q.popleft() == 0 and q.pop() == 3 and len(q) == 1 and q[0] == 2 and repr(deque([1])) == "deque([1])"
q = deque(range(5))
q.rotate(2)
assert list(q) == [3, 4, 0, 1, 2] and 4 in q and list(reversed(q))[0] == 2
raises(IndexError, "pop from an empty deque", deque().pop)
m = ChainMap({"a": 1}, {"a": 2, "b": 3})
assert m["a"] == 1 and m["b"] == 3 and set(m) == {"a", "b"} and m.new_child({"a": 0})["a"] == 0 and "z" not in m
assert isinstance({}, Mapping) and isinstance([], Sequence) and not isinstance({}, Sequence) and isinstance("a", Sequence) and isinstance({}, MutableMapping)
assert isinstance([], Iterable) and isinstance(iter([]), Iterator) and not isinstance([], Iterator) and isinstance(len, Callable) and isinstance(1, Hashable) and not isinstance([], Hashable)
assert isinstance(p, Sequence) and isinstance((x for x in []), Iterator) and not isinstance(3, Iterable) and isinstance({}.keys(), Iterable) and isinstance("", Sized)


class Store(MutableMapping):
    def __init__(self):
        self.d = {}

    def __getitem__(self, k):
        return self.d[k]

    def __setitem__(self, k, v):
        self.d[k] = v

    def __delitem__(self, k):
        del self.d[k]

    def __iter__(self):
        return iter(self.d)

    def __len__(self):
        return len(self.d)


s = Store()
s["a"] = 1
s.update(b=2)
assert dict(s) == {"a": 1, "b": 2} and s.get("z", 5) == 5 and "a" in s and s.pop("a") == 1 and list(s.items()) == [("b", 2)] and s.setdefault("q", 7) == 7
assert isinstance(s, Mapping) and {**s} == {"b": 2, "q": 7} and s == {"b": 2, "q": 7} and list(s.values()) == [2, 7]

# copy
x = {"a": [1, {"b": 2}], "t": (1, [2])}
y = copy.deepcopy(x)
z = copy.copy(x)
assert y == x and y["a"] is not x["a"] and y["t"][1] is not x["t"][1] and z["a"] is x["a"] and z is not x


class Node:
    def __init__(self, v):
        self.v = v
        self.me = self


n = Node([1])
k = copy.deepcopy(n)
assert k.v == [1] and k.v is not n.v and k.me is k and type(k) is Node and copy.copy(n).v is n.v and copy.copy(p) == p and copy.deepcopy(p) == p

# the rest
h = []
for v in (5, 1, 4):
    heapq.heappush(h, v)
assert [heapq.heappop(h) for _ in range(3)] == [1, 4, 5] and heapq.nlargest(2, [1, 3, 2]) == [3, 2] and heapq.nsmallest(1, [3, 2]) == [2]
assert bisect.bisect([1, 2, 2, 3], 2) == 3 and bisect.bisect_left([1, 2, 2, 3], 2) == 1
assert string.ascii_lowercase[:3] == "abc" and string.Template("$a-${b}").substitute(a=1, b=2) == "1-2"
assert textwrap.dedent("  a\n    b\n") == "a\n  b\n" and textwrap.indent("a\nb", "> ") == "> a\n> b"
assert json.dumps({"a": [1, 2.5, None, True, "x\n"]}) == '{"a": [1, 2.5, null, true, "x\\n"]}' and json.loads('{"a": [1, 2.0, null, "x"]}') == {"a": [1, 2.0, None, "x"]}
assert json.dumps([1, {"b": 2}], indent=1) == '[\n 1,\n {\n  "b": 2\n }\n]' and json.loads(json.dumps({"é": "ü"})) == {"é": "ü"}
raises(TypeError, "Object of type set is not JSON serializable", json.dumps, {1})
assert re.match(r"(\w+)-(\d+)", "ab-12 x").groups() == ("ab", "12") and re.search(r"\d+", "ab12").group() == "12" and re.match("b", "ab") is None
assert re.sub(r"(\d)", r"<\1>", "a1b2") == "a<1>b<2>" and re.findall(r"\d", "1a2") == ["1", "2"] and re.split(r"[,;]", "a,b;c") == ["a", "b", "c"]
assert re.compile(r"(?P<n>\d+)").search("x42").groupdict() == {"n": "42"} and re.fullmatch("a+", "aaa") is not None and re.sub("a", lambda m: m.group().upper(), "abca") == "AbcA"
assert re.findall(r"(\w)=(\d)", "a=1 b=2") == [("a", "1"), ("b", "2")] and re.search("é(.)", "aéb").start() == 1 and re.match("AB", "ab", re.I) is not None
assert os.path.join("a", "b", "c.txt") == "a/b/c.txt" and os.path.join("a", "/b") == "/b" and os.path.basename("a/b.txt") == "b.txt" and os.path.splitext("a/b.tar.gz") == ("a/b.tar", ".gz")
assert os.path.dirname("a/b") == "a" and os.path.normpath("a//b/../c") == "a/c" and os.sep == "/"
path = pathlib.Path("a") / "b" / "c.tar.gz"
assert str(path) == "a/b/c.tar.gz" and path.name == "c.tar.gz" and path.suffix == ".gz" and path.stem == "c.tar" and path.parent == pathlib.Path("a/b") and path.parts == ("a", "b", "c.tar.gz")
assert str(path.with_suffix(".x")) == "a/b/c.tar.x" and repr(pathlib.PurePath("a")).endswith("('a')")
os.environ["MY_FLAG"] = "1"
assert os.environ["MY_FLAG"] == "1" and os.environ.get("MY_FLAG") == "1"
assert statistics.mean([1, 2, 3]) == 2 and statistics.median([1, 3, 2, 4]) == 2.5 and statistics.stdev([1, 2, 3]) == 1.0


import sys

assert sys.argv[1:] == [] and len(sys.argv) == 1 and isinstance(sys.argv, list) and list(sys.argv) == sys.argv


import hashlib

assert hashlib.blake2s(b"abc").hexdigest() == "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"
assert hashlib.blake2b(b"a", digest_size=8).hexdigest() == "40f89e395b66422f" and hashlib.shake_128(b"z").hexdigest(5) == "bb66897ef6"
assert hashlib.sha3_256(b"q").digest()[:3] == b"\x8a\x5e\x1d" and hashlib.new("sha256", b"1").hexdigest()[:8] == "6b86b273"
h = hashlib.md5(b"a")
h.update(b"bc")
assert h.digest() == hashlib.md5(b"abc").digest() and h.digest_size == 16 and h.block_size == 64 and h.name == "md5"
raises(ValueError, "digest_size must be between 1 and 32 bytes", lambda: hashlib.blake2s(digest_size=40))
raises(TypeError, "Strings must be encoded before hashing", hashlib.sha1, "a")


class Shapes:
    @functools.singledispatchmethod
    @classmethod
    def of(cls, x):
        return cls.__name__, "any"

    @of.register(str)
    @classmethod
    def _(cls, x):
        return cls.__name__, "text"

    @functools.singledispatchmethod
    @staticmethod
    def size(x):
        return 0

    @size.register(bytearray)
    @size.register(list)
    @staticmethod
    def _(x):
        return len(x)


assert Shapes.of(1) == ("Shapes", "any") and Shapes.of("a") == Shapes().of("a") == ("Shapes", "text")
assert Shapes.size(1) == 0 and Shapes.size([1, 2]) == Shapes().size([1, 2]) == 2
