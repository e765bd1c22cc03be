"""What CPython has in C and loops use all the time: `itertools`, `Counter`, `defaultdict`, slices with steps, properties with setters,
variables of outer functions and modules, and builtin types that are called."""

import collections
import itertools
from collections import Counter, defaultdict, deque

calls = 0


def raised(call, *args):
    try:
        call(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


def products():
    for _ in range(12):
        assert list(itertools.product("ab", range(2))) == [("a", 0), ("a", 1), ("b", 0), ("b", 1)]
        assert list(itertools.product()) == [()] and list(itertools.product([1], [])) == []
        assert list(itertools.product([0, 1], repeat=2)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
        assert list(itertools.product(x for x in [1, 2])) == [(1,), (2,)]
        assert raised(itertools.product, 3) == "TypeError: 'int' object is not iterable"
        items, pairs = [1, 2], []
        for a, b in itertools.product(items, items):
            # The containers were copied.
            items.append(a)
            pairs.append((a, b))
        assert pairs == [(1, 1), (1, 2), (2, 1), (2, 2)] and len(items) == 6
        rows = itertools.product([1, 2], [3])
        assert next(rows) == (1, 3) and iter(rows) is rows and type(rows).__name__ == "product"
        assert list(rows) == [(2, 3)] and next(rows, None) is None and list(rows) == []
        total = 0
        for row in itertools.product(range(3), repeat=3):
            total += row[0] * 9 + row[1] * 3 + row[2]
        assert total == 351
        for a, in itertools.product([5]):
            total += a
        assert total == 356
        assert raised(lambda: [a for a, b in itertools.product([1], [2], [3])]) == (
            "ValueError: too many values to unpack (expected 2)"
        )


def choices():
    for _ in range(12):
        assert list(itertools.combinations(range(4), 2)) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
        assert list(itertools.combinations([1], 2)) == [] and list(itertools.combinations([1], 0)) == [()]
        assert len(list(itertools.permutations("abcd"))) == 24 and list(itertools.permutations([1, 2], 3)) == []
        assert list(itertools.permutations([1, 2, 3], 2))[2:4] == [(2, 1), (2, 3)]
        assert list(itertools.combinations_with_replacement("ab", 2)) == [("a", "a"), ("a", "b"), ("b", "b")]
        assert raised(itertools.combinations, [1, 2], -1) == "ValueError: r must be non-negative"
        assert sum(a * b for a, b in itertools.combinations([1, 2, 3], 2)) == 11


def pairs():
    for _ in range(12):
        assert list(itertools.pairwise([])) == [] and list(itertools.pairwise([1])) == []
        assert list(itertools.pairwise("abc")) == [("a", "b"), ("b", "c")]
        assert list(itertools.pairwise(x * x for x in range(4))) == [(0, 1), (1, 4), (4, 9)]
        items, seen = [1, 2, 3], []
        for a, b in itertools.pairwise(items):
            # The list is walked as it is.
            if len(items) < 6:
                items.append(a + b)
            seen.append((a, b))
        assert seen == [(1, 2), (2, 3), (3, 3), (3, 5), (5, 6)], seen
        walk = itertools.pairwise([1, 2, 3])
        assert next(walk) == (1, 2)
        assert [a + b for a, b in walk] == [5] and next(walk, 0) == 0

    def broken():
        yield 1
        yield 2
        raise KeyError("three")

    for _ in range(12):
        got = []
        try:
            for pair in itertools.pairwise(broken()):
                got.append(pair)
        except KeyError as error:
            got.append(error.args)
        assert got == [(1, 2), ("three",)]
        total = 0
        for i in itertools.islice(itertools.chain([1, 2], (3, 4)), 1, None):
            total += i
        assert total == 9
        for i, x in enumerate(itertools.repeat("x", 3)):
            total += i
        assert total == 12


class Loud(Counter):
    """Does more than the class it is of."""

    def __setitem__(self, key, value):
        super().__setitem__(key, min(value, 2))


class Late(Counter):
    def __missing__(self, key):
        return -1


class Point:
    def __init__(self, x):
        self.x = x

    def __hash__(self):
        return hash(self.x)

    def __eq__(self, other):
        return self.x == other.x


def counters():
    for _ in range(12):
        counts = Counter(["a", "b", "a", 1, 1.0, True, (1, 2), None])
        assert counts["a"] == 2 and counts[1] == 3 and counts["z"] == 0 and "z" not in counts
        assert list(counts) == ["a", "b", 1, (1, 2), None] and type(counts) is Counter
        assert Counter("hello world").most_common(2) == [("l", 3), ("o", 2)]
        assert Counter("abcab").most_common() == [("a", 2), ("b", 2), ("c", 1)]
        assert Counter("abcab").most_common(1) == [("a", 2)] and Counter("ab").most_common(0) == []
        assert Counter("ab").most_common(-1) == [] and Counter("ab").most_common(9) == [("a", 1), ("b", 1)]
        assert Counter().most_common(1) == [] and Counter() == {}
        assert Counter(a=2, b=1)["a"] == 2 and Counter({"a": 3}, b=1).total() == 4
        assert Counter(x % 3 for x in range(10)) == {0: 4, 1: 3, 2: 3}
        assert raised(Counter, [[1]]) == "TypeError: unhashable type: 'list'"
        assert raised(Counter, 3) == "TypeError: 'int' object is not iterable"
        points = Counter([Point(1), Point(2), Point(1)])
        assert points[Point(1)] == 2 and len(points) == 2
        counts.update("ab")
        counts.update(["a"])
        counts.update({"a": 10})
        assert counts["a"] == 14 and counts["b"] == 2
        counts["b"] = 0.5
        counts.update("b")
        assert counts["b"] == 1.5
        counts.subtract("a")
        assert counts["a"] == 13
        del counts["nothing"]
        counts["a"] += 1
        counts["new"] += 1
        assert counts["a"] == 14 and counts["new"] == 1
        tie = Counter({"x": 1.5, "y": 2})
        assert tie.most_common(1) == [("y", 2)]
        loud = Loud("aaaab")
        loud.update("bbb")
        loud["c"] += 7
        assert loud["b"] == 2 and loud["c"] == 2 and type(loud) is Loud
        late = Late("aab")
        assert late["a"] == 2 and late["z"] == -1
        late["z"] += 5
        assert late["z"] == 4
        partly = Counter("ab")
        try:
            partly.update(["a", []])
        except TypeError:
            pass
        # What came before it has been counted.
        assert partly["a"] == 2
        words, order = ["b", "a", "b"], Counter()
        for word in words:
            order[word] += 1
        assert list(order.items()) == [("b", 2), ("a", 1)]
        assert order.copy() == order and order.copy() is not order and repr(order) == "Counter({'b': 2, 'a': 1})"


class Own(dict):
    def __missing__(self, key):
        return key * 2


def defaults():
    for _ in range(12):
        kinds = {int: 0, float: 0.0, str: "", list: [], dict: {}, set: set(), bool: False, tuple: ()}
        for kind, empty in kinds.items():
            made = defaultdict(kind)
            assert made["k"] == empty and type(made["k"]) is kind and list(made) == ["k"]
        rows = defaultdict(list)
        for i in range(6):
            rows[i % 2].append(i)
        assert rows == {0: [0, 2, 4], 1: [1, 3, 5]} and rows.get(7) is None and len(rows) == 2
        nested = defaultdict(lambda: defaultdict(int))
        nested["a"]["b"] += 1
        nested["a"]["b"] += 1
        assert nested == {"a": {"b": 2}}
        nothing = defaultdict(None)
        assert raised(lambda: nothing["k"]) == "KeyError: 'k'" and not nothing
        assert raised(lambda: defaultdict(int)[[]]) == "TypeError: unhashable type: 'list'"
        rows.default_factory = None
        assert raised(lambda: rows[9]) == "KeyError: 9"
        own = Own()
        assert own["ab"] == "abab" and not own


def deques():
    for _ in range(12):
        assert list(deque("abc")) == ["a", "b", "c"] and list(deque(range(3))) == [0, 1, 2] and not deque()
        source = [1, 2]
        waiting = deque(source)
        source.append(3)
        assert len(waiting) == 2 and waiting.maxlen is None
        waiting.append(9)
        assert source == [1, 2, 3] and type(waiting) is deque
        assert list(collections.deque([1, 2, 3], 2)) == [2, 3] and deque([1], maxlen=4).maxlen == 4
        assert raised(deque, 3) == "TypeError: 'int' object is not iterable"


def parts():
    for _ in range(12):
        items = list(range(10))
        items[1::3] = ["a", "b", "c"]
        assert items == [0, "a", 2, 3, "b", 5, 6, "c", 8, 9]
        items[::-4] = (1, 2, 3)
        assert items[9] == 1 and items[5] == 2 and items[1] == 3
        items[8:2:-2] = [7, 8, 9]
        assert items[8] == 7 and items[6] == 8 and items[4] == 9
        assert raised(lambda: items.__setitem__(slice(0, 4, 2), [1])) == (
            "ValueError: attempt to assign sequence of size 1 to extended slice of size 2"
        )
        items[2:4] = [1, 1, 1, 1]
        assert len(items) == 12
        items[2:4] = [5, 6]
        items[:] = items
        assert items[2:4] == [5, 6] and len(items) == 12
        items[::2] = items[1::2]
        assert items[0] == items[1]
        items[::2] = (x for x in range(6))
        assert items[::2] == [0, 1, 2, 3, 4, 5] and items[-1:0:-5] == [items[-1], items[-6], items[-11]]
        own = [1, 2]
        own[::-1] = own
        assert own == [2, 1]
        flags = [True] * 30
        for i in range(2, 6):
            if flags[i]:
                flags[i * i :: i] = [False] * len(range(i * i, 30, i))
        assert [i for i in range(2, 30) if flags[i]] == [2, 3, 5, 7, 11, 13, 17, 19, 23, 29] and sum(flags) == 12
        text, row = "abcdef", (1, 2, 3, 4)
        assert text[::2] == "ace" and text[::-1] == "fedcba" and row[::3] == (1, 4)
        assert raised(lambda: row[::0]) == "ValueError: slice step cannot be zero"


class Account:
    changes = 0

    def __init__(self):
        self._balance = 0

    @property
    def balance(self):
        return self._balance

    @balance.setter
    def balance(self, value):
        if value < 0:
            raise ValueError(f"negative: {value}")
        Account.changes += 1
        self._balance = value

    @property
    def fixed(self):
        return 1


class Savings(Account):
    @Account.balance.setter
    def balance(self, value):
        self._balance = value * 2


class Watched(Account):
    def __setattr__(self, name, value):
        object.__setattr__(self, "last", name)
        object.__setattr__(self, name, value)


def setters():
    account, savings, watched = Account(), Savings(), Watched()
    before = Account.changes
    for i in range(20):
        account.balance = i
        account.balance += 1
        savings.balance = i
        watched.balance = i
        assert account.balance == i + 1 and savings.balance == 2 * i
        assert watched.last == "_balance" and watched.balance == i
        assert raised(lambda: setattr(account, "balance", -1)) == "ValueError: negative: -1"
        assert raised(lambda: setattr(account, "fixed", 1)) is not None
        try:
            account.balance = -2
        except ValueError as error:
            assert str(error) == "negative: -2"
    assert Account.changes == before + 60, Account.changes
    Account.balance = 5
    account.balance = 7
    assert account.balance == 7 and account.__dict__["balance"] == 7


def outer():
    count, log = 0, []

    def step(by):
        nonlocal count
        count += by
        return count

    def reset():
        nonlocal count, log
        count, log = 0, log + [count]

    def drop():
        nonlocal count
        del count

    for i in range(30):
        assert step(i) == count
        if i % 10 == 9:
            reset()
    assert log == [45, 145, 245] and count == 0
    drop()
    assert raised(step, 1) == (
        "NameError: cannot access free variable 'count' where it is not associated with a value in enclosing scope"
    )
    count = 1.5
    assert step(1) == 2.5 and step(True) == 3.5
    count = "a"
    assert step("b") == "ab" and raised(step, 1) == 'TypeError: can only concatenate str (not "int") to str'

    def counter():
        total = 0

        def add(n):
            nonlocal total
            total += n
            return total

        return add

    first, second = counter(), counter()
    for i in range(20):
        first(1)
        second(2)
    assert first(0) == 20 and second(0) == 40


def called():
    global calls
    calls += 1
    return calls


def types_called():
    for i in range(12):
        assert list(range(3)) == [0, 1, 2] and list(range(5, 1, -2)) == [5, 3] and len(range(0)) == 0
        assert raised(range) and raised(range, 1, 2, 0) == "ValueError: range() arg 3 must not be zero"
        assert raised(range, 1.5) == "TypeError: 'float' object cannot be interpreted as an integer"
        row = [1, [2]]
        copied, fixed = list(row), tuple(row)
        assert copied == row and copied is not row and copied[1] is row[1] and fixed == (1, [2])
        assert list(fixed) == row and tuple(fixed) is fixed and list() == [] and dict() == {} and set() == set()
        for text, number in [("12", 12), (" 7 ", 7), ("-8", -8), ("+5", 5), ("007", 7), ("1_000", 1000), ("\t3\n", 3)]:
            assert int(text) == number
        for text in ["", " ", "x7", "1.5", "--1", "+", "1 2", "_1", "0x10"]:
            assert raised(int, text) == f"ValueError: invalid literal for int() with base 10: {text!r}"
            try:
                int(text)
            except ValueError as error:
                assert str(error).endswith(repr(text))
        assert int("123456789012345678901234567890") == 123456789012345678901234567890
        assert int("999999999999999999") == 10**18 - 1 and int("9223372036854775808") == 2**63
        assert str(12) == "12" and float(3) == 3.0 and bool("") is False and str() == "" and int() == 0


products()
choices()
pairs()
counters()
defaults()
deques()
parts()
setters()
outer()
for i in range(30):
    assert called() == i + 1
    calls += 0
assert calls == 30
types_called()
