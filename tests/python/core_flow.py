# Statements, generators, exceptions, containers, numbers.
def raises(kind, message, function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except Exception as error:
        assert type(error) is kind, (type(error), error)
        if message is not None:
            assert str(error) == message, str(error)
        return True
    assert False, "nothing raised"


# Generators.
def gen(n):
    got = []
    for i in range(n):
        got.append((yield i))
    return got


it = gen(3)
assert next(it) == 0 and it.send("a") == 1 and it.send("b") == 2
try:
    it.send("c")
except StopIteration as stop:
    assert stop.value == ["a", "b", "c"]


def outer():
    result = yield from gen(2)
    yield ("got", result)


assert list(outer()) == [0, 1, ("got", [None, None])]


def cleanup(log):
    try:
        yield 1
        yield 2
    except ValueError as e:
        log.append(str(e))
        yield "caught"
    finally:
        log.append("closed")


log = []
it = cleanup(log)
assert next(it) == 1 and it.throw(ValueError("boom")) == "caught"
it.close()
assert log == ["boom", "closed"]


def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


import itertools

assert list(itertools.islice(fib(), 10)) == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]
assert sum(x * x for x in range(4)) == 14 and max((len(w), w) for w in ["a", "bbb", "cc"]) == (3, "bbb")
raises(StopIteration, "", next, iter([]))
assert next(iter([]), "d") == "d"


class Count:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        return self.n


assert list(Count(3)) == [2, 1, 0] and [*Count(2)] == [1, 0] and 1 in Count(3)

# Exceptions.
def order():
    seen = []
    try:
        seen.append("try")
        raise KeyError("k")
    except (ValueError, TypeError):
        seen.append("wrong")
    except KeyError as e:
        seen.append(str(e))
    else:
        seen.append("else")
    finally:
        seen.append("finally")
    return seen


assert order() == ["try", "'k'", "finally"]


def finally_wins():
    try:
        return 1
    finally:
        return 2


assert finally_wins() == 2


def loop_finally():
    out = []
    for i in range(4):
        try:
            if i == 1:
                continue
            if i == 3:
                break
            out.append(i)
        finally:
            out.append(-i)
    else:
        out.append("else")
    return out


assert loop_finally() == [0, 0, -1, 2, -2, -3]
try:
    try:
        raise ValueError("inner")
    except ValueError as e:
        raise RuntimeError("outer") from e
except RuntimeError as e:
    assert isinstance(e.__cause__, ValueError) and str(e.__cause__) == "inner"
try:
    try:
        raise ValueError("again")
    except ValueError:
        raise
except ValueError as e:
    assert e.args == ("again",)
assert str(KeyError("a")) == "'a'" and str(ValueError("a", 1)) == "('a', 1)" and repr(KeyError("a")) == "KeyError('a')"
assert issubclass(KeyError, LookupError) and issubclass(ZeroDivisionError, ArithmeticError) and issubclass(FileNotFoundError, OSError)


def asserting():
    assert 1 == 2, "numbers differ"


raises(AssertionError, "numbers differ", asserting)

# Control flow.
out = []
for i in range(10):
    if i % 2:
        continue
    if i > 6:
        break
    out.append(i)
else:
    out.append("no")
assert out == [0, 2, 4, 6]
n = 0
while n < 3:
    n += 1
else:
    n = 10
assert n == 10
assert 1 < 2 < 3 and not 1 < 3 < 2 and (1 if [] else 2) == 2 and (0 or "x") == "x" and (1 and 2) == 2 and not None
if (k := len("abc")) > 2:
    assert k == 3
assert [y := 5, y**2] == [5, 25]
a, *b, c = range(5)
assert (a, b, c) == (0, [1, 2, 3], 4)
(a, (b, c)), d = (1, (2, 3)), 4
assert (a, b, c, d) == (1, 2, 3, 4)
a = b = []
a.append(1)
assert b == [1]
x = [1, 2, 3]
x[1:2] = [7, 8, 9]
assert x == [1, 7, 8, 9, 3]
del x[0], x[-1]
assert x == [7, 8, 9]
x += (1,)
x *= 2
assert x == [7, 8, 9, 1, 7, 8, 9, 1] and x[::3] == [7, 1, 9] and x[-2:] == [9, 1] and x[5:1:-2] == [8, 1]
x[::2] = [0, 0, 0, 0]
assert x == [0, 8, 0, 1, 0, 8, 0, 1]


def match_it(v):
    match v:
        case 0:
            return "zero"
        case int(n) if n < 0:
            return "negative"
        case [x]:
            return ("one", x)
        case [x, *rest]:
            return ("many", x, rest)
        case {"k": k, **rest}:
            return ("map", k, rest)
        case str() | bytes():
            return "text"
        case None:
            return "none"
        case _:
            return "other"


assert [match_it(v) for v in (0, -3, [1], (1, 2, 3), {"k": 1, "z": 2}, "s", None, 2.5)] == [
    "zero", "negative", ("one", 1), ("many", 1, [2, 3]), ("map", 1, {"z": 2}), "text", "none", "other",
]


class P:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y


match P(1, 2):
    case P(1, y=q):
        assert q == 2
    case _:
        assert False

# Comprehensions.
i = "kept"
assert [i * 2 for i in range(3)] == [0, 2, 4] and i == "kept"
assert {k: v for k, v in zip("ab", (1, 2))} == {"a": 1, "b": 2} and {c for c in "aab"} == {"a", "b"}
assert [(p, q) for p in range(2) for q in range(p + 1) if q != 5] == [(0, 0), (1, 0), (1, 1)]
assert [[j for j in range(i)] for i in range(3)] == [[], [0], [0, 1]]

# Containers.
l = [3, 1, 2]
l.sort(reverse=True)
assert l == [3, 2, 1] and sorted(["b", "A"], key=str.lower) == ["A", "b"] and l.index(2) == 1 and l.count(3) == 1
l.insert(1, 9)
l.remove(3)
l.extend([4, 4])
l.reverse()
assert l == [4, 4, 1, 2, 9] and l.pop() == 9 and l.pop(0) == 4 and l.copy() == l and l.copy() is not l
raises(ValueError, "list.remove(x): x not in list", l.remove, 77)
raises(IndexError, "pop from empty list", [].pop)
raises(ValueError, "77 is not in list", l.index, 77)
d = {"a": 1, "b": 2}
assert d.get("z", 0) == 0 and d.pop("a") == 1 and d.setdefault("c", []) == [] and list(d) == ["b", "c"] and len(d) == 2
d.update({"b": 5}, e=6)
assert d == {"b": 5, "c": [], "e": 6} and d | {"b": 0} == {"b": 0, "c": [], "e": 6} and list(d.items())[0] == ("b", 5)
assert dict([("x", 1)]) == {"x": 1} and dict.fromkeys("ab", 0) == {"a": 0, "b": 0} and "b" in d and 5 in d.values()
assert list(reversed({"a": 1, "b": 2})) == ["b", "a"] and d.popitem() == ("e", 6) and {1: "a", 1.0: "b", True: "c"} == {1: "c"}
del d["b"]
assert d == {"c": []} and d.keys() == {"c"} and d.keys() | {"z"} == {"c", "z"}
s = {1, 2, 3}
assert s & {2, 9} == {2} and s | {4} == {1, 2, 3, 4} and s - {1} == {2, 3} and s ^ {3, 4} == {1, 2, 4} and {1} < s and s >= {1, 2}
s.add(5)
s.discard(9)
assert s == {1, 2, 3, 5} and frozenset([1]) in {frozenset([1])} and s.isdisjoint({7}) and len(s) == 4
raises(KeyError, "9", s.remove, 9)
assert (1, 2) + (3,) == (1, 2, 3) and (1, 2) < (1, 3) and (1, 2).index(2) == 1 and [1, [2]] == [1, [2]] and (1,) * 3 == (1, 1, 1)
assert list(range(5, 0, -2)) == [5, 3, 1] and len(range(0, 10, 3)) == 4 and 6 in range(0, 10, 3) and range(3)[-1] == 2 and range(10)[2:5] == range(2, 5)
assert list(zip([1, 2], "ab")) == [(1, "a"), (2, "b")] and list(enumerate("ab", 1)) == [(1, "a"), (2, "b")]
assert list(map(lambda p, q: p + q, [1, 2], [3, 4])) == [4, 6] and list(filter(None, [0, 1, "", "a"])) == [1, "a"]
assert list(reversed([1, 2])) == [2, 1] and min(3, 1, 2) == 1 and max([1, 3], key=lambda v: -v) == 1 and min([], default=7) == 7
assert any([0, 1]) and not all([0, 1]) and sum([[1], [2]], []) == [1, 2] and abs(-3) == 3 and divmod(-7, 2) == (-4, 1)
raises(ValueError, "zip() argument 2 is shorter than argument 1", lambda: list(zip([1, 2], [1], strict=True)))
raises(ValueError, "max() arg is an empty sequence", max, [])
raises(TypeError, "'<' not supported between instances of 'str' and 'int'", sorted, [1, "a"])

# Numbers.
assert 7 // 2 == 3 and -7 // 2 == -4 and -7 % 3 == 2 and 7 % -3 == -2 and 2**10 == 1024 and 2**-1 == 0.5 and 7 / 2 == 3.5
assert 2**100 == 1267650600228229401496703205376 and (2**100) // 3**20 == 363558641556578823726 and -(2**70) >> 3 == -(2**67)
assert 5 & 3 == 1 and 5 | 3 == 7 and 5 ^ 3 == 6 and ~5 == -6 and 1 << 70 == 2**70 and hex(255) == "0xff" and bin(5) == "0b101" and oct(8) == "0o10"
assert 0.1 + 0.2 != 0.3 and round(2.5) == 2 and round(3.5) == 4 and round(2.675, 2) == 2.67 and round(1234, -2) == 1200 and round(-0.5) == 0
assert 1e400 == float("inf") and float("nan") != float("nan") and -7.5 // 2 == -4.0 and -7.5 % 2 == 0.5 and 5.0 == 5 and hash(5.0) == hash(5)
assert int(3.9) == 3 and int(-3.9) == -3 and bool("") is False and pow(3, 4, 5) == 1 and (1 + 2j) * (3 - 1j) == 5 + 5j and 1j**2 == -1
assert str(1e100) == "1e+100" and repr(0.1) == "0.1" and str(3.0) == "3.0" and repr(1 + 2j) == "(1+2j)" and 10**18 * 10 == 10**19
assert True + True == 2 and 3 == 3.0 and 2**63 == 9223372036854775808 and -(2**63) == -9223372036854775808
assert 9223372036854775807 + 1 == 9223372036854775808 and (2**64) % 10 == 6 and int("9" * 30) == 999999999999999999999999999999
raises(OverflowError, "cannot convert float infinity to integer", int, float("inf"))
raises(TypeError, "int() argument must be a string, a bytes-like object or a real number, not 'list'", int, [])
assert repr("a'b") == '"a\'b"' and repr("a\n\t\\") == "'a\\n\\t\\\\'" and repr([1, "a", None, (1,), {}, {1}]) == "[1, 'a', None, (1,), {}, {1}]"
assert str({"a": [1]}) == "{'a': [1]}" and repr(range(3)) == "range(0, 3)" and repr(slice(1, 2)) == "slice(1, 2, None)" and str(int) == "<class 'int'>"
assert isinstance(3, int | str) and not isinstance(3.0, int | str) and isinstance(None, int | None)
assert chr(97) == "a" and ord("a") == 97 and callable(len) and not callable(3) and type(3) is int and type(type(3)) is type
assert (lambda: (yield))().__class__.__name__ == "generator" and type(iter([])).__name__ == "list_iterator"

# Sorting keeps what is equal in order, also downwards.
pairs = [(i * 7 % 5, i) for i in range(40)]
for up in (sorted(pairs, key=lambda p: p[0]), sorted(pairs, key=lambda p: float(p[0])), sorted(pairs, key=lambda p: str(p[0]))):
    assert all(a[0] < b[0] or a[0] == b[0] and a[1] < b[1] for a, b in zip(up, up[1:]))
down = sorted(pairs, key=lambda p: p[0], reverse=True)
assert all(a[0] > b[0] or a[0] == b[0] and a[1] < b[1] for a, b in zip(down, down[1:]))
assert repr(sorted([0.0, -0.0, -1.0, 0.0], reverse=True)) == "[0.0, -0.0, 0.0, -1.0]"
assert sorted([2, 1.5, True, 3]) == [True, 1.5, 2, 3] and sorted([]) == [] and sorted([[2], [1]]) == [[1], [2]]
