"""Generators, handlers, final parts and `with` in code that runs often: what is left of them is what Python leaves."""

import sys


def counted(limit):
    i = 0
    while i < limit:
        got = yield i
        if got is not None:
            i = got
        else:
            i += 1
    return "done"


def guarded(log):
    for i in range(6):
        try:
            got = yield i
            log.append(got)
        except ValueError as error:
            log.append(str(error))
            continue
        except KeyError:
            log.append("key")
            yield "caught"
        else:
            log.append("else")
        finally:
            log.append("final")
    return len(log)


class Manager:
    def __init__(self, log, swallows=()):
        self.log = log
        self.swallows = swallows

    def __enter__(self):
        self.log.append("in")
        return self

    def __exit__(self, kind, value, where):
        self.log.append(kind.__name__ if kind else "out")
        return kind is not None and issubclass(kind, self.swallows)


def managed(log):
    with Manager(log) as outer, Manager(log, ValueError):
        yield outer
        yield 2
    yield 3
    with Manager(log):
        return "returned"


def delegating(items):
    first = yield from items
    second = yield from counted(2)
    yield (first, second)
    return 7


def generators():
    for _ in range(12):
        g = counted(5)
        assert next(g) == 0 and g.send(None) == 1 and g.send(3) == 3
        assert list(g) == [4] and list(g) == []
        log = []
        g = guarded(log)
        assert next(g) == 0 and g.send("a") == 1
        assert g.throw(ValueError("no")) == 2
        assert g.throw(KeyError(1)) == "caught"
        assert next(g) == 3
        assert log == ["a", "else", "final", "no", "final", "key", "final"], log
        log.clear()
        assert list(g) == [4, 5]
        log = []
        try:
            h = guarded(log)
            next(h)
            h.throw(TypeError("other"))
            assert False
        except TypeError as error:
            assert error.args == ("other",)
        assert log == ["final"] and list(h) == []
        log = []
        assert [x if isinstance(x, int) else "m" for x in managed(log)] == ["m", 2, 3]
        assert log == ["in", "in", "out", "out", "in", "out"], log
        log = []
        g = managed(log)
        next(g)
        assert g.throw(ValueError()) == 3
        assert log == ["in", "in", "ValueError", "out"], log
        log = []
        g = managed(log)
        next(g)
        try:
            g.throw(KeyError())
            assert False
        except KeyError:
            pass
        assert log == ["in", "in", "KeyError", "KeyError"], log
        assert list(delegating([1, 2])) == [1, 2, 0, 1, (None, "done")]
        g = delegating(counted(3))
        assert next(g) == 0 and g.send(2) == 2 and next(g) == 0
        g = delegating(counted(9))
        g.close()
        assert list(g) == []
        g = counted(3)
        next(g)
        try:
            g.throw(ValueError("thrown"))
        except ValueError as error:
            assert str(error) == "thrown"
        squares = (x * x for x in counted(6) if x % 2)
        assert next(squares) == 1 and list(squares) == [9, 25]
        pairs = ((x, y) for x in range(3) for y in counted(x))
        assert list(pairs) == [(1, 0), (2, 0), (2, 1)]

    def stop():
        yield 1
        raise StopIteration

    for _ in range(5):
        try:
            list(stop())
            assert False
        except RuntimeError:
            pass

    def itself():
        yield next(g)

    g = itself()
    try:
        next(g)
        assert False
    except ValueError as error:
        assert str(error) == "generator already executing"

    def sieve(items):
        first = next(items)
        yield first
        yield from sieve(x for x in items if x % first)

    def forever(n):
        while True:
            yield n
            n += 1

    primes = sieve(forever(2))
    assert [next(primes) for _ in range(25)][-1] == 97

    def walk(tree):
        if tree:
            left, value, right = tree
            yield from walk(left)
            yield value
            yield from walk(right)

    tree = None
    for value in range(30):
        tree = [tree, value, None] if value % 2 else (None, value, tree)
    assert sorted(walk(tree)) == list(range(30))

    def nothing():
        got = []
        for _ in range(3):
            got.append((yield))
        yield got

    for _ in range(4):
        g = nothing()
        assert next(g) is None and g.send(1) is None and g.send(2) is None and g.send(3) == [1, 2, 3]

    def handling():
        try:
            raise KeyError("k")
        except KeyError:
            yield sys.exc_info()[0] is KeyError
            yield sys.exc_info()[0] is KeyError
        yield sys.exc_info()[0] is None

    for _ in range(4):
        assert list(handling()) == [True, True, True]


def handlers():
    def kind(x):
        try:
            if x == 0:
                raise ValueError("zero")
            if x == 1:
                return {}["missing"]
            if x == 2:
                return [][3]
            if x == 3:
                raise RuntimeError
            return 10 // (x - 4)
        except (ValueError, RuntimeError) as error:
            return type(error).__name__ + str(error)
        except LookupError:
            return "lookup"

    seen = []
    for _ in range(8):
        for x in range(6):
            try:
                seen.append(kind(x))
            except ZeroDivisionError as error:
                seen.append(error.args[0])
            else:
                seen.append("-")
    expected = ["ValueErrorzero", "-", "lookup", "-", "lookup", "-", "RuntimeError", "-"]
    assert seen[:11] == [*expected, "integer division or modulo by zero", 10, "-"], seen
    assert seen == seen[:11] * 8

    def again(depth):
        try:
            try:
                raise KeyError(depth)
            except KeyError as error:
                kept = error
                raise
        except KeyError as error:
            assert error is kept
            raise ValueError("from") from error

    for i in range(8):
        try:
            again(i)
            assert False
        except ValueError as error:
            assert error.__cause__.args == (i,)
        try:
            error
            assert False
        except UnboundLocalError:
            pass

    log = []
    for i in range(10):
        try:
            if i % 3 == 0:
                continue
            if i == 8:
                break
            log.append(i)
        finally:
            log.append(-i)
    assert log == [0, 1, -1, 2, -2, -3, 4, -4, 5, -5, -6, 7, -7, -8], log

    def final(x):
        for _ in range(3):
            try:
                if x == 0:
                    return "body"
                if x == 1:
                    raise ValueError
            except ValueError:
                return "handler"
            else:
                if x == 2:
                    return "else"
            finally:
                if x == 3:
                    return "final"
                if x == 4:
                    break
        return "end"

    for _ in range(6):
        assert [final(x) for x in range(6)] == ["body", "handler", "else", "final", "end", "end"]

    def replaced():
        try:
            raise ValueError
        finally:
            return 3

    def bare():
        try:
            raise ValueError("bare")
        except:
            return 4

    def inside(x):
        total = 0
        for i in range(5):
            try:
                try:
                    if i == x:
                        raise KeyError
                finally:
                    total += 1
            except KeyError:
                total += 10
        return total

    for _ in range(6):
        assert replaced() == 3 and bare() == 4 and inside(2) == 15 and inside(9) == 5


def blocks():
    def one(log, x):
        with Manager(log, (KeyError,)) as m:
            if x == 0:
                return m
            if x == 1:
                raise KeyError
            if x == 2:
                raise ValueError
        return "behind"

    for _ in range(8):
        log = []
        assert isinstance(one(log, 0), Manager) and one(log, 1) == "behind" and one(log, 3) == "behind"
        try:
            one(log, 2)
            assert False
        except ValueError:
            log.append("caught")
        assert log == ["in", "out", "in", "KeyError", "in", "out", "in", "ValueError", "caught"], log
    log = []
    for i in range(10):
        with Manager(log):
            if i % 2:
                continue
            if i == 6:
                break
        log.append(i)
    assert log == ["in", "out", 0, "in", "out", "in", "out", 2, "in", "out", "in", "out", 4, "in", "out", "in", "out"]

    class Broken:
        def __enter__(self):
            raise OSError("closed")

        def __exit__(self, *parts):
            assert False

    for _ in range(6):
        try:
            with Broken():
                assert False
        except OSError as error:
            assert str(error) == "closed"
        box = {}
        with Manager([]) as box["m"]:
            pass
        assert isinstance(box["m"], Manager)
        try:
            with 3:
                pass
            assert False
        except TypeError:
            pass


def calls():
    def f(a, b=2, *, c=3):
        return (a, b, c)

    def g(a, /, b, *rest, d=4, **more):
        return (a, b, rest, d, more)

    for _ in range(8):
        assert f(1) == (1, 2, 3) and f(1, 5) == (1, 5, 3) and f(b=1, a=0) == (0, 1, 3) and f(1, c=9) == (1, 2, 9)
        assert g(1, 2) == (1, 2, (), 4, {}) and g(1, b=2, e=5) == (1, 2, (), 4, {"e": 5})
        assert g(1, 2, 3, d=0) == (1, 2, (3,), 0, {})
        for wrong in (
            lambda: f(),
            lambda: f(1, a=2),
            lambda: f(1, 2, 3),
            lambda: f(1, x=2),
            lambda: g(a=1, b=2),
            lambda: f(1, c=1, **{"c": 2}),
        ):
            try:
                wrong()
                assert False
            except TypeError:
                pass

    class A:
        count = 0

        @staticmethod
        def double(x, by=2):
            return x * by

        @classmethod
        def made(cls, **more):
            cls.count += 1
            return cls, more

        @property
        def size(self):
            if A.count < 0:
                raise AttributeError("negative")
            return A.count

    class B(A):
        pass

    for _ in range(6):
        assert A.double(3) == 6 and B().double(3, by=3) == 9 and B.made(x=1) == (B, {"x": 1})
        assert A.made()[0] is A and B().size == A.count
    A.count = -1
    for _ in range(6):
        try:
            A().size
            assert False
        except AttributeError as error:
            assert str(error) == "negative"


def iterators():
    xs, ys = [1, 2, 3], (4.0, 5.0)
    for _ in range(8):
        assert [(x, y) for x, y in zip(xs, ys)] == [(1, 4.0), (2, 5.0)] and list(zip()) == []
        it = iter(xs)
        assert list(zip(it, ys)) == [(1, 4.0), (2, 5.0)] and list(it) == []
        it = iter(xs)
        assert list(zip(ys, it)) == [(4.0, 1), (5.0, 2)] and list(it) == [3]
        assert list(enumerate(zip("ab", range(9)), 5)) == [(5, ("a", 0)), (6, ("b", 1))]
        assert list(zip(counted(2), enumerate(counted(9)))) == [(0, (0, 0)), (1, (1, 1))]
        total = 0
        for i, (x, y) in enumerate(zip(xs, ys)):
            total += i * x * y
        assert total == 10.0
        for (a, b), c in {(1, 2): 3}.items():
            assert (a, b, c) == (1, 2, 3)
        for i, x in enumerate(xs):
            if i == 1:
                xs.append(9)
        assert xs.pop() == 9 and i == 3
        a, [b, c] = 1, [2, 3]
        d, (e, f) = 4, "56"
        assert (a, b, c, d, e, f) == (1, 2, 3, 4, "5", "6")
        z = zip(xs, ys)
        assert next(z) == (1, 4.0) and [next(z), next(z, None), next(z, None)] == [(2, 5.0), None, None]
        try:
            for a, b in zip(xs, xs, xs):
                assert False
        except ValueError as error:
            assert str(error) == "too many values to unpack (expected 2)"
        e = enumerate(xs, start=2)
        assert next(e) == (2, 1) and list(e) == [(3, 2), (4, 3)]
    squares = dict.fromkeys([(0, 0), 1.5, None, True, "k"], 0)
    for _ in range(6):
        for key in ((0, 0), 1.5, None, 1, "k"):
            squares[key] += 1
            assert key in squares and squares.get(key) == squares[key]
        squares[(len(squares), "new")] = 1
    assert squares[True] == 6 and len(squares) == 11
    groups = {}
    for i in range(20):
        groups.setdefault(i % 3, []).append(i)
    assert [len(group) for group in groups.values()] == [7, 7, 6]
    seen = set()
    for i in range(30):
        seen.add((i % 5, "x"))
        seen.discard((i % 7, "x"))
    assert seen == {(2, "x"), (3, "x"), (4, "x")}, seen


class Base:
    def __init__(self, x):
        self.x = x

    def value(self, by=1):
        return self.x * by

    @classmethod
    def named(cls):
        return cls.__name__

    @property
    def half(self):
        return self.x / 2


class Left(Base):
    def value(self, by=1):
        return super().value(by=by) + 1


class Right(Base):
    def __init__(self, x):
        super().__init__(x)
        self.y = x

    def value(self, by=1):
        return super().value(by) * 10

    def twice(self):
        return [super().value() for _ in range(1)] if False else super(Right, self).value() * 2


class Both(Left, Right):
    @classmethod
    def named(cls):
        return super().named() + "!"

    def half_again(self):
        return super().half

    def missing(self):
        return super().nothing()


def inheritance():
    for i in range(8):
        both = Both(i)
        assert both.value() == i * 10 + 1 and both.y == i and both.named() == "Both!" and both.twice() == i * 2
        assert both.half_again() == i / 2
        try:
            both.missing()
            assert False
        except AttributeError as error:
            assert str(error) == "'super' object has no attribute 'nothing'"


def parts():
    items, text = list(range(10)), "abcdefghij"
    for i in range(8):
        assert items[i : i + 2] == [x for x in range(i, min(i + 2, 10))] and text[-3:] == "hij" and text[i:i] == ""
        assert items[:-8] == [0, 1] and items[-100:2] == [0, 1] and items[8:100] == [8, 9] and tuple(items)[3:1] == ()
        assert text[True:3] == "bc" and items[::-3] == [9, 6, 3, 0]
        copy = items[:]
        copy[i : i + 1] = [-1, -2]
        assert len(copy) == 11 and copy[i + 1] == -2
        a = b = copy[0] = i
        assert a == b == copy[0] == i
        record = {"a": i, "b": [i], 3: "c", "a": -i}
        assert record == {"a": -i, "b": [i], 3: "c"} and list(record) == ["a", "b", 3]
        try:
            items["a":]
            assert False
        except TypeError:
            pass
    rows = [(2, "b", 1.5), (1, "z", 0.0), (2, "a", -1.0), (1, "z", -0.5), (2, "a", -1.0)]
    assert sorted(rows) == [rows[3], rows[1], rows[2], rows[4], rows[0]]
    assert sorted(rows, key=lambda row: (row[1], -row[0]), reverse=True) == [rows[1], rows[3], rows[0], rows[2], rows[4]]
    assert sorted([(1, 2), (1,), (0, 5, 6)]) == [(0, 5, 6), (1,), (1, 2)] and sorted([(1, 2.0), (1.0, 1)]) == [(1.0, 1), (1, 2.0)]


count = 0


def changed():
    def step():
        global count
        nonlocal total
        count += 1
        total += count
        return total

    total, before = 0, count
    for _ in range(12):
        step()
    assert count == before + 12 and total == sum(range(before + 1, before + 13))


def numbers():
    big = 2**70
    for i in range(8):
        assert big + i - big == i and (big * i) // big == i and big % 7 == 2 and (big >> 68) + i == 4 + i
        assert (big + 5) & 7 == 5 and -big + 1 == -(big - 1) and big - 2**70 == 0 and type(big - big) is int
        assert 7.5 // 2 == 3.0 and -7.5 % 2 == 0.5 and 2.0**i == float(1 << i) and 1.5 * i == i * 1.5
        assert abs(-i) == i and round(i + 0.5) == (i + 1 if i % 2 else i) and divmod(-i, 3) == (-i // 3, -i % 3)
        assert min(i, 3) == min([3, i]) and max(i, 2.5) == (i if i > 2.5 else 2.5) and min("b", "a") == "a"
        assert max([1, 2.0, 3]) == 3 and ord(chr(65 + i)) == 65 + i
        assert f"{i:>3d}|{i / 2:.1f}|{'x':^3}|{i:<2}|{-i:05d}|{'ab':>4s}|{1.0:8.3f}" == (
            f"  {i}|{str(i / 2)}| x |{i} |" + ("-" if i else "0") + f"000{i}|  ab|   1.000"
        )
        for wrong in (lambda: abs("a"), lambda: min(1, "a"), lambda: f"{'a':d}", lambda: f"{i:.2d}"):
            try:
                wrong()
                assert False
            except (TypeError, ValueError):
                pass


def texts():
    for _ in range(8):
        line = " a=1; b = two ;c=three "
        parts = [part.strip() for part in line.split(";")]
        assert parts == ["a=1", "b = two", "c=three"] and ";".join(parts).upper() == "A=1;B = TWO;C=THREE"
        assert "two" in line and "x" not in line and line.startswith(" a") and not line.endswith("e")
        assert [c for c in "aé1 ß" if c.isalpha()] == ["a", "é", "ß"] and "ß".upper() == "SS"
        assert "-".join(("x", "y")) == "x-y" and "".join([]) == "" and "a,b".split(",") == ["a", "b"]
        try:
            ",".join(["a", 1])
            assert False
        except TypeError as error:
            assert str(error) == "sequence item 1: expected str instance, int found"
        try:
            "a".split("")
            assert False
        except ValueError:
            pass
        assert "a" in ("a", "b") and 3 not in (1, 2) and "a" not in (1, None, "b")


generators()
handlers()
blocks()
calls()
iterators()
texts()
inheritance()
parts()
changed()
numbers()
for _ in range(10):
    count += 2
assert count == 32
