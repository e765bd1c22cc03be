"""Code that runs often: what a loop or a function does in its hundredth round is what it did in its first."""


class Account:
    rate = 3

    def __init__(self, name, money):
        self.name = name
        self.money = money
        self.log = []

    def add(self, amount):
        self.money += amount
        self.log.append(amount)
        return self

    @property
    def twice(self):
        return self.money * 2

    @staticmethod
    def fee(amount):
        return amount // 10

    @classmethod
    def named(cls, name):
        return cls(name, cls.rate)

    def __getitem__(self, at):
        return self.log[at]

    def __len__(self):
        return len(self.log)

    def __add__(self, other):
        return Account(self.name + other.name, self.money + other.money)


def numbers():
    total, last, product = 0, None, 1
    for i in range(50):
        total += i
        total = total * 3 - i
        total %= 10007
        product *= 3
        last = i
    assert (total, last) == (802, 49), (total, last)
    assert product == 3**50
    big = 2**62
    for _ in range(20):
        big += big
    assert big == 2**82
    x = 1.0
    for i in range(1, 30):
        x = x / 2 + i
        x -= 0.5
    assert x == 55.00000000745058, x
    y = 0
    for i in range(-20, 20):
        y += i // 7 + i % 7 + (-i) // 7 + (i << 2) + (i >> 1) + (i & 5) + (i ^ 3) + (i | 8) + ~i
    assert y == 185, y


def control():
    found = []
    for i in range(100):
        if i % 2:
            continue
        for j in range(20):
            if j == 13:
                break
            if i * j == 84:
                found.append((i, j))
        else:
            found.append("never")
        if i > 60:
            break
    else:
        found.append("not this either")
    assert found == [(12, 7), (14, 6), (28, 3), (42, 2)], found
    n, steps = 27, 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
        if steps > 1000:
            break
    else:
        steps = -steps
    assert steps == -111

    def first_above(items, limit):
        for at, item in enumerate(items):
            if item > limit:
                return at
        return None

    assert [first_above(list(range(40)), k) for k in (5, 38, 39, 100)] == [6, 39, None, None]
    seen = []
    for a, b in zip(range(30), "abcdefghijklmnopqrstuvwxyzabcd"):
        a, b = b, a
        seen.append(f"{a}{b}")
    assert seen[0] == "a0" and seen[-1] == "d29"
    for (a, b), *rest in [((i, i + 1), i, i) for i in range(20)]:
        assert b - a == 1 and rest == [a, a]
    count = 0
    for i in range(20):
        for i in range(i):
            count += 1
    assert count == 190 and i == 18


def choices():
    out = []
    for i in range(20):
        a = i and i % 3
        b = a or "none"
        c = a and b and i > 5
        d = not a
        e = i if i > 10 else -i
        out.append((a, b, c, d, e))
    assert out[0] == (0, "none", 0, True, 0)
    assert out[4] == (1, 1, False, False, -4)
    assert out[7] == (1, 1, True, False, -7)
    assert out[12] == (0, "none", 0, True, 12)
    inside = sum(1 for i in range(50) if 10 <= i < 20 or i in (30, 31) and i is not None)
    assert inside == 12
    x = 5
    for _ in range(12):
        x = x and x - 1
    assert x == 0
    kinds = {"int": 0, "str": 0, "none": 0}
    for item in [1, "a", None, 2.5] * 10:
        if item is None:
            kinds["none"] += 1
        elif isinstance(item, str):
            kinds["str"] += 1
        elif item == 1:
            kinds["int"] += 1
    assert kinds == {"int": 10, "str": 10, "none": 10}


def containers():
    items = [0] * 30
    for i in range(30):
        items[i] = i * i
        items[-1] += 1
        items[i - 1], items[i] = items[i], items[i - 1]
    assert (items[:4], sum(items)) == ([1, 4, 9, 16], 8557)
    table = {}
    for i in range(40):
        table[i % 7] = table.get(i % 7, 0) + 1
        table["last"] = i
        if i in table:
            table[i] += 10
    assert table[3] == 16 and table["last"] == 39
    words = []
    for i in range(15):
        word = "w" + str(i) + "-" + str(float(i)) + str(int(2.9)) + str(bool(i))
        words.append(word)
    assert words[3] == "w3-3.02True" and words[0] == "w0-0.02False"
    pair, parts = (1, (2, 3)), []
    for i in range(12):
        parts.append(pair[1][0] + pair[0] + [4, 5][i % 2] + (i, i)[1])
    assert parts == [7 + i + i % 2 for i in range(12)]
    nested = {"a": {"b": [1, 2, 3]}}
    for i in range(12):
        nested["a"]["b"][i % 3] += i
    assert nested == {"a": {"b": [1 + 0 + 3 + 6 + 9, 2 + 1 + 4 + 7 + 10, 3 + 2 + 5 + 8 + 11]}}


def objects():
    account = Account("a", 1)
    for i in range(20):
        account.add(i).add(-1)
        account.money += 1
        assert account.twice == account.money * 2
        assert account[-1] == -1 and account[len(account) - 2] == i
    assert account.money == 191 and Account.fee(account.money) == 19
    accounts = []
    for i in range(12):
        accounts.append(Account(str(i), i) + Account.named("b"))
    assert [(a.name, a.money) for a in accounts[:2]] == [("0b", 3), ("1b", 4)]
    for i in range(12):
        accounts[i].extra = i
        accounts[i].money *= 2
    assert accounts[11].extra == 11 and accounts[11].money == 28


def failures():
    caught = []
    for i in range(20):
        try:
            if i % 4 == 0:
                raise ValueError(i)
            if i % 4 == 1:
                [][i]
            if i % 4 == 2:
                {}[i]
            caught.append(1 / (i % 4 - 3))
        except ValueError as error:
            caught.append(error.args[0])
        except (IndexError, KeyError) as error:
            caught.append(type(error).__name__)
        except ZeroDivisionError:
            continue
        finally:
            caught.append("f")
    assert caught[:7] == [0, "f", "IndexError", "f", "KeyError", "f", "f"] and len(caught) == 35

    def late(i):
        if i < 15:
            name = i
        return name

    problem = None
    for i in range(20):
        try:
            late(i)
        except UnboundLocalError as error:
            problem = (i, str(error))
            break
    assert problem == (15, "cannot access local variable 'name' where it is not associated with a value")

    def inner(i):
        return 10 // (15 - i)

    def outer(i):
        total = 0
        for k in range(2):
            total += inner(i) + k
        return total

    reached = -1
    try:
        for i in range(30):
            reached = i
            outer(i)
    except ZeroDivisionError as error:
        assert str(error) == "integer division or modulo by zero"
    assert reached == 15

    def left(n):
        for i in range(n):
            try:
                if i == 11:
                    return i
            finally:
                n = -1
        return n

    assert left(20) == 11 and left(5) == -1


def scopes():
    def counter():
        count = 0

        def step(by=1):
            nonlocal count
            count += by
            return count

        return step

    step = counter()
    for i in range(20):
        assert step() == i + 1
    assert step(5) == 25
    adders = [lambda x, k=k: x + k for k in range(12)]
    assert [add(1) for add in adders] == list(range(1, 13))
    late = [lambda: k for k in range(12)]
    assert [call() for call in late] == [11] * 12

    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    assert fib(15) == 610

    def even(n):
        return True if n == 0 else odd(n - 1)

    def odd(n):
        return False if n == 0 else even(n - 1)

    assert even(20) and not even(21)

    def many(a, b=2, *rest, c=3, **named):
        return a + b + c + sum(rest) + sum(named.values())

    total = 0
    for i in range(12):
        total += many(i) + many(i, 1) + many(i, 1, 1, c=0) + many(i, z=1)
    assert total == 4 * 66 + 12 * (5 + 4 + 2 + 6)
    y = 0
    for i in range(12):
        if (y := y + i) > 40:
            y = y + (y := 1)
    assert y == 69, y


def generators():
    def squares(n):
        i = 0
        while True:
            if i >= n:
                return "done"
            got = yield i * i
            i += got or 1

    assert list(squares(12)) == [i * i for i in range(12)]
    squaring = squares(30)
    assert next(squaring) == 0 and squaring.send(3) == 9

    def chained(n):
        result = yield from squares(n)
        yield result

    for n in range(10, 14):
        assert list(chained(n))[-2:] == [(n - 1) ** 2, "done"]
    total = 0
    for i, square in enumerate(squares(15)):
        total += i * square
    assert total == sum(i**3 for i in range(15))


def keys():
    # What is equal is one key, and the first stays.
    table = {1: "int", "a": 0, (1, 2): "pair"}
    for i in range(20):
        table[1] = i
        table[True] = i + 0.5
        table[1.0] += 1
        table["a"] += 1
        table[(1, 2)] = i
        assert table[1] == i + 1.5 and table.get(1.0) == i + 1.5 and 1 in table and True in table
        assert table.get("b") is None and table.get("b", i) == i and "b" not in table and None not in table
        assert table.get((1, 2)) == i
    assert list(table) == [1, "a", (1, 2)] and type(list(table)[0]) is int and table["a"] == 20

    class Counter(dict):
        def get(self, key, default=0):
            return super().get(key, default) + 1

        def __setitem__(self, key, value):
            super().__setitem__(key, value * 2)

    class Log(list):
        def append(self, item):
            super().append(-item)

    counter, log = Counter(), Log()
    for i in range(12):
        counter["n"] = i
        log.append(i)
        assert counter.get("n") == 2 * i + 1 and counter.get("m", i) == i + 1
        try:
            {}.get([])
        except TypeError as error:
            assert "unhashable" in str(error)
    assert log[-1] == -11


def places():
    # A place that knows where an attribute was has to see what changed.
    class Plain:
        def __init__(self, a, b, turned):
            if turned:
                self.b, self.a = b, a
            else:
                self.a, self.b = a, b

    class Watched(Plain):
        seen = 0

        def __setattr__(self, name, value):
            type(self).seen += 1
            object.__setattr__(self, name, value)

    class Derived(Plain):
        @property
        def c(self):
            return self.a + self.b

    for i in range(30):
        thing = (Plain, Watched, Derived)[i % 3](i, 2 * i, i % 2)
        thing.a += 1
        thing.d = thing.a
        assert (thing.a, thing.b, thing.d) == (i + 1, 2 * i, i + 1)
        if i == 15:
            Plain.b = property(lambda self: 2 * i, lambda self, value: None)
            Plain.__init__ = lambda self, a, b, turned: setattr(self, "a", a)
        if i == 20:
            del Plain.b
            Plain.b = 40
            Plain.__init__ = lambda self, a, b, turned: self.__dict__.update(a=a, b=b)
    assert Watched.seen == 5 * 4 + 2 * 3 + 3 * 2, Watched.seen


def comprehended():
    for n in range(3):
        assert [i * i for i in range(12) if i % 3 if i % 2] == [1, 25, 49, 121]
        assert {i: j for i, j in zip(range(20), "abcdefghijklmnop") if i > 13} == {14: "o", 15: "p"}
        assert {i % 4 for i in range(30)} == {0, 1, 2, 3}
        assert [[j for j in range(i)] for i in range(6)][5] == [0, 1, 2, 3, 4]
        assert [i + j for i in range(7) for j in range(i) if j > 4] == [11]
        assert sum(i for i in range(50) if i % 7 == n) == sum([i for i in range(50) if i % 7 == n])
        assert [f"{a}{b}" for a, (b, *_) in [(i, (i, 2, 3)) for i in range(9)]][-1] == "88"
        assert any(i > 9 for i in range(20)) and not all(i < 9 for i in range(20))
        k = 10
        assert [(lambda: i + k)() for i in range(9)][-1] == 18
        try:
            [10 // (8 - i) for i in range(20)]
            raise AssertionError
        except ZeroDivisionError:
            pass
        assert [y for x in range(10) if (y := x * 2) > 15] == [16, 18]


def guarded():
    class Context:
        depth = 0

        def __enter__(self):
            Context.depth += 1
            return self

        def __exit__(self, *what):
            Context.depth -= 1
            return what[0] is KeyError

    order = []
    for i in range(20):
        try:
            if i % 5 == 4:
                raise ValueError(i)
            if i % 5 == 3:
                continue
            if i == 17:
                break
            order.append(i)
        except ValueError as error:
            order.append(-error.args[0])
        else:
            order.append("else")
        finally:
            order.append("last")
        with Context() as context:
            assert context.depth == 1
            if i % 4 == 2:
                raise KeyError(i)
            order.append("with")
        assert Context.depth == 0
    assert order.count("last") == 18 and order.count("else") == 11 and order.count(-14) == 1
    assert order.count("with") == 10

    def found(items, wanted):
        for item in items:
            try:
                if item == wanted:
                    return item
            finally:
                order.clear()
        return None

    assert [found(range(9), n) for n in range(12)][7:] == [7, 8, None, None, None]


def tried():
    order = []

    def looked(table, key):
        try:
            return table[key]
        except KeyError as error:
            return error.args[0] * 2
        else:
            order.append("never")

    def sorted_out(items):
        out = []
        for item in items:
            try:
                if item == 2:
                    continue
                try:
                    if item % 3 == 0:
                        raise ValueError(item)
                    if item == 7:
                        raise KeyError
                    if item == 11:
                        break
                    out.append(item)
                except ValueError as error:
                    out.append(-error.args[0])
                    if item == 6:
                        raise
                else:
                    out.append("well")
            except ValueError:
                out.append("again")
            except (TypeError, KeyError) as error:
                out.append(type(error).__name__)
            else:
                order.append(item)
        else:
            out.append("all")
        return out

    def deep(k):
        if k == 0:
            raise LookupError("deep")
        try:
            deep(k - 1)
        except ArithmeticError:
            return "wrong"
        return "never"

    def watched(limit):
        i = 0
        while True:
            try:
                if i >= limit:
                    raise StopAsyncIteration
                yield i
            except StopAsyncIteration:
                return
            except ZeroDivisionError:
                yield -1
            i += 1

    for n in range(9):
        assert looked({1: "one"}, 1) == "one" and looked({}, n) == n * 2
        assert sorted_out(range(14)) == [
            0, 1, "well", -3, 4, "well", 5, "well", -6, "again", "KeyError", 8, "well", -9, 10, "well",
        ]
        assert sorted_out(range(2)) == [0, 1, "well", "all"]
        assert order[-1] == 1
        try:
            deep(n)
        except LookupError as error:
            assert error.args == ("deep",)
        else:
            assert False
        steps = watched(4)
        assert [next(steps), next(steps), steps.throw(ZeroDivisionError()), list(steps)] == [0, 1, -1, [2, 3]]
    pairs = [(i, (i + 1, str(i))) for i in range(20)]
    total = 0
    for a, (b, text) in pairs:
        a, b = b, a
        total += a - b + len(text)
    assert total == 50
    for a, b in pairs:
        if a == 17:
            pairs.append((99, (0, "")))
            pairs.remove((18, (19, "18")))
    assert (a, b) == (99, (0, ""))


LIMIT = 3
CALLS = []


def small():
    class Cell:
        made = 0

        def __init__(self, value, unit=None):
            self.value = value
            self.seen = 0
            self.half = value / 2

        def bump(self, by):
            self.seen += 1
            self.value = self.value + by
            return self.value

        def both(self, by):
            return self.bump(by) + self.bump(by)

    class Loud(Cell):
        def __init__(self, value):
            self.value = value
            self.seen = 100

        def bump(self, by):
            CALLS.append(by)
            return super().bump(by)

    def over(value):
        return value > LIMIT

    def first(pair):
        a = pair[0]
        return a

    def add(a, b):
        c = a + b
        return c

    def made_of(k):
        def inner(x):
            return x * k + offset

        offset = 1
        return inner

    def climb(k):
        return 0 if k == 0 else 1 + climb(k - 1)

    def fails(table, key, log):
        log["tries"] = log["tries"] + 1
        value = table[key]
        log["hits"] = log["hits"] + 1
        return value

    def nothing(x):
        x + 1

    def replaced(self):
        self = 7
        return self + LATER

    LATER = 1
    cells = []
    log = {"tries": 0, "hits": 0}
    missed = 0
    for i in range(40):
        cell = Cell(i)
        cells.append(cell)
        assert cell.bump(2) == i + 2 and cell.both(1) == 2 * i + 7 and cell.seen == 3 and cell.half == i / 2
        assert over(i) == (i > 3) and first((i, 1)) == i and first([str(i)]) == str(i)
        assert add(i, 1) == i + 1 and add("a", str(i)) == "a" + str(i) and add([i], [1]) == [i, 1]
        assert made_of(i)(3) == 3 * i + 1
        assert climb(i % 12) == i % 12
        assert nothing(i) is None and replaced(i) == 8
        try:
            fails({0: "zero", 5: "five"}, i % 6, log)
        except KeyError as error:
            missed += 1
            assert error.args == (i % 6,)
        try:
            Cell("text")
        except TypeError as error:
            assert "unsupported operand" in str(error)
        else:
            assert False
    assert log == {"tries": 40, "hits": 13} and missed == 27
    for i in range(12):
        for cell in (Cell(1), Loud(1)):
            assert cell.bump(1) == 2 and cell.both(2) == 10
    assert CALLS[-3:] == [1, 2, 2]

    def endless(k):
        return endless(k + 1)

    try:
        endless(0)
    except RecursionError:
        CALLS.clear()
    assert CALLS == []


def counting():
    def ticks(limit):
        i = 0
        while i < limit:
            got = yield i, i + 1
            i += 1 if got is None else got

    assert [b - a for a, b in ticks(15)] == [1] * 15
    steps = ticks(40)
    seen = [next(steps)]
    for n in range(1, 8):
        seen.append(steps.send(n))
    assert [a for a, _ in seen] == [0, 1, 3, 6, 10, 15, 21, 28]
    for i in range(12):
        last = i
        for i in range(i, 20, 3):
            last = i
        assert last == i >= 17


for _ in range(3):
    numbers()
    control()
    choices()
    containers()
    objects()
    failures()
    scopes()
    generators()
    keys()
    places()
    comprehended()
    guarded()
    tried()
    small()
    counting()

total = 0
for i in range(100):
    if i % 3 == 0:
        continue
    total += i
    if total > 2000:
        break
assert (i, total) == (77, 2028)


# What a small function returns at once from each side of a condition.
def clamp(x, low, high):
    return low if x < low else (high if x > high else x)


def named(x):
    return "none" if x is None else str(x) if x else []


for i in range(40):
    assert clamp(i, 5, 20) == min(max(i, 5), 20)
    assert named(None) == "none" and named(i) == (str(i) if i else [])


# Objects that are made often: what initializes them may fail, rebind its receiver, or call others.
class Counted:
    made = 0

    def __init__(self, a, b):
        if a == 13:
            raise ValueError(a)
        self.a, self.b = a, b
        Counted.made = Counted.made + 1

    def total(self):
        return self.a + self.b


class Forgetful:
    def __init__(self, a):
        self.a = a
        self = None


class Outer:
    def __init__(self, a):
        self.inner = Counted(a, [a])
        self.twice = double(a)


class Derived(Counted):
    def __init__(self, a):
        super().__init__(a, 1)
        self.more = self.total()


class Wrong:
    def __init__(self, a):
        if a > 20:
            return a


def double(x):
    return x * 2


def keep_making(n):
    kept, failed, wrong = None, [], 0
    for i in range(n):
        try:
            kept = Counted(i, i + 1)
        except ValueError as error:
            failed.append(error.args[0])
            assert kept.a == 12
        assert kept.total() == 2 * kept.a + 1
        assert Forgetful(i).a == i
        if i != 13:
            outer = Outer(i)
            assert outer.inner.b == [i] and outer.twice == 2 * i
            assert Derived(i).more == i + 1
        try:
            assert type(Wrong(i)) is Wrong
        except TypeError as error:
            assert str(error) == "__init__() should return None, not 'int'"
            wrong += 1
    return failed, wrong


assert keep_making(30) == ([13], 9)
assert Counted.made == 3 * 29


class Many:
    def __init__(self, n):
        self.a = self.b = self.c = n
        self.d, self.e, self.f = n, n, n
        self.g = self.h = self.i = self.j = n
        del self.c
        self.c = n + 1


for n in range(12):
    many = Many(n)
    assert list(vars(many)) == ["a", "b", "d", "e", "f", "g", "h", "i", "j", "c"]
    assert (many.c, many.j, hasattr(many, "k")) == (n + 1, n, False)


# Functions that call themselves and each other, deeper than any copy goes.
def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def depth(tree):
    return 0 if not tree else 1 + max(depth(tree[0]), depth(tree[1]))


tree = ()
for n in range(12):
    assert is_even(n) == (n % 2 == 0) and is_even(40 + n) == (n % 2 == 0)
    tree = (tree, ())
    assert depth(tree) == n + 1


def failing(n):
    return 1 // 0 if n == 0 else failing(n - 1)


for n in range(12):
    try:
        failing(n)
    except ZeroDivisionError as error:
        assert str(error) == "integer division or modulo by zero"
    else:
        assert False


def plain_sums(n):
    items = [i * 0.5 for i in range(n)]
    assert sum(items) == n * (n - 1) / 4
    assert sum(range(n), 10) == sum(list(range(n)), 10) == sum(tuple(range(n))) + 10
    assert sum([True, 2, 0.5]) == 3.5 and sum([[1], [2]], []) == [1, 2]
    assert sum([2**62, 2**62]) == 2**63


for n in range(12):
    plain_sums(n)
