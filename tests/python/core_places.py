"""Places of a program that remember what they found: methods, methods of `super()`, results that a cache keeps, and comprehensions
and generator expressions that are operations."""

import functools


def raised(call, *args):
    try:
        call(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


class Shape:
    def __init__(self, size):
        self.size = size

    def area(self):
        return self.size

    def name(self):
        return "shape"


class Box(Shape):
    def area(self):
        return 2 * super().area()


class Cube(Box):
    def area(self):
        return 6 * super().area()

    def name(self):
        return "cube of " + super().name()


def methods():
    for i in range(60):
        for shape, factor in ((Shape(i), 1), (Box(i), 2), (Cube(i), 12)):
            assert shape.area() == factor * i
    # An instance hides the method of its class.
    shape = Cube(1)
    for i in range(60):
        if i == 30:
            shape.name = lambda: "its own"
        assert shape.name() == ("cube of shape" if i < 30 else "its own")
    # A class changes, and what stands behind another one.
    seen = []
    for i in range(60):
        if i == 20:
            Box.area = lambda self: 100
        if i == 40:
            Shape.name = lambda self: "changed"
        seen.append((Cube(1).area(), Cube(1).name()))
    assert seen[19] == (12, "cube of shape") and seen[20] == (600, "cube of shape") and seen[40] == (600, "cube of changed")

    def made(base):
        class Of(base):
            def area(self):
                return super().area() + 1

        return Of(5)

    for i in range(40):
        assert made(Shape).area() == 6 and made(Cube).area() == 601


def kept():
    calls = []

    @functools.lru_cache(maxsize=3)
    def some(x, y=0):
        calls.append((x, y))
        return x + y

    for i in range(40):
        assert some(i % 3) == i % 3
    assert len(calls) == 3 and some.cache_info().hits == 37
    for i in range(40):
        assert some(i % 4) == i % 4 and some(i % 4, 1) == i % 4 + 1 and some(x=i) == i
    assert some.cache_info().currsize == 3 and some.cache_info().misses == len(calls)

    @functools.lru_cache
    def paths(x, y):
        return 1 if x == 0 or y == 0 else paths(x - 1, y) + paths(x, y - 1)

    assert paths(12, 12) == 2704156 and paths.cache_info().misses == 168

    @functools.cache
    def failing(x):
        calls.append(x)
        if x > 10:
            raise ValueError(f"no {x}")
        return [x]

    for i in range(20):
        assert failing(3) is failing(3)
        assert raised(failing, 11) == "ValueError: no 11"
        assert raised(failing, [i]) == "TypeError: unhashable type: 'list'"
        assert raised(failing, i, i, i).startswith("TypeError: ")
    assert failing.cache_info()[:2] == (39, 1) or failing.cache_info().hits == 39
    failing.cache_clear()
    assert failing(3) == [3] and failing.cache_info().misses == 1

    @functools.lru_cache(typed=True)
    def of_type(x):
        return type(x).__name__

    class Counting:
        def __init__(self):
            self.calls = 0

        @functools.lru_cache(maxsize=None)
        def double(self, x):
            self.calls += 1
            return 2 * x

    counting = Counting()
    for i in range(30):
        assert of_type(1) == "int" and of_type(1.0) == "float"
        assert counting.double(i % 5) == 2 * (i % 5)
    assert counting.calls == 5


def comprehensions():
    rows = [[i * j for j in range(6)] for i in range(6)]

    def parts(items, least):
        total = sum(x for x in items if x > least) + max(x * 2 for x in items) - min(-x for x in items)
        some = any(x > least for x in items), all(x >= 0 for x in items)
        text = "-".join(str(x) for x in items if x < 9)
        ordered = sorted(-x for x in items)
        return total, some, text, ordered, tuple(x for x in items), {x % 3 for x in items}, {x: x + 1 for x in items}

    for _ in range(20):
        total, some, text, ordered, all_of_them, rests, table = parts(rows[2], 4)
        assert total == 24 + 20 + 10 and some == (True, True) and text == "0-2-4-6-8"
        assert ordered == [-10, -8, -6, -4, -2, 0] and all_of_them == (0, 2, 4, 6, 8, 10)
        assert rests == {0, 1, 2} and table[10] == 11
        assert [x + y for x in range(3) for y in range(x)] == [1, 2, 3]
        assert list(x for x in iter(rows[1])) == rows[1]

    def smallest(items):
        return min(x for x in items)

    def first_of(items):
        return max((x for x in items), default="none")

    def over(items):
        return [x for x in items]

    def divided(items):
        return sum(1 // x for x in items)

    for _ in range(20):
        assert smallest([3, 1, 2]) == 1 and first_of([]) == "none" and over("ab") == ["a", "b"]
        assert raised(smallest, []) in ("ValueError: min() arg is an empty sequence", "ValueError: min() iterable argument is empty")
        assert raised(over, 3) == "TypeError: 'int' object is not iterable"
        assert raised(divided, [1, 0]) == "ZeroDivisionError: integer division or modulo by zero"
        assert divided([1, 1]) == 2

    # What is called is found before what it is called with.
    order = []

    def noted(what):
        order.append(what)
        return [1]

    class Taker:
        def __getattr__(self, name):
            order.append(name)
            return list

    for _ in range(10):
        assert Taker().take(x for x in noted("items")) == [1]
        assert order == ["take", "items"]
        order.clear()

    # The names of builtins may mean something else.
    def own_sum(items):
        return list(items)

    def either(which, items):
        add = own_sum if which else sum
        return add(x for x in items)

    for i in range(20):
        assert either(i % 2, [1, 2]) == ([1, 2] if i % 2 else 3)


def builtin_methods():
    class Counts(dict):
        def get(self, key, default=None):
            return 100

    words, text = ["a", "b", "a"], "a;b;a"
    for table in ({}, Counts()):
        for _ in range(20):
            for word in words:
                table[word] = table.get(word, 0) + 1
    assert table == {"a": 101, "b": 101}
    plain, seen, items = {}, set(), []
    for i in range(30):
        for word in text.split(";"):
            plain[word] = plain.get(word, 0) + 1
            seen.add(word)
            items.append(word)
            assert plain.get(word) == plain[word] and plain.get("c") is None
        assert text.startswith("a;") and not text.endswith("b")
        same = plain.setdefault("a", None)
        assert same == plain["a"] and raised(plain.get, []) == "TypeError: unhashable type: 'list'"
    assert plain == {"a": 60, "b": 30} and seen == {"a", "b"} and len(items) == 90
    pairs = {}
    for i in range(90):
        key = (i % 3, "x" if i % 2 else "y")
        pairs[key] = pairs.get(key, 0) + 1
        assert (i % 3, 1) not in pairs and (i % 3,) not in pairs
    assert len(pairs) == 6 and pairs[1, "x"] == 15 and pairs.get((1.0, "x")) == 15 and (True, "x") in pairs
    assert list(map(abs, [-1, 2.5])) == [1, 2.5] and list(map(str, range(3))) == ["0", "1", "2"]
    assert list(map(lambda x, y: x + y, [1, 2], [3, 4])) == [4, 6] and sum(map(int, ["1", "2"])) == 3


methods()
kept()
comprehensions()
builtin_methods()
