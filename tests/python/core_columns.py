# `zip` and `enumerate` of containers, and of what else walks them; elements that are summed and looked through.


def pairs_of(xs, ys):
    seen = []
    for x, y in zip(xs, ys):
        seen.append((x, y))
    return seen


for _ in range(12):
    assert pairs_of([1, 2, 3], (4, 5)) == [(1, 4), (2, 5)]
    assert pairs_of(range(3, 9, 2), "ab") == [(3, "a"), (5, "b")]
    assert pairs_of({"k": 1}, [[]]) == [("k", [])]
    assert list(zip()) == [] and list(zip([1, 2])) == [(1,), (2,)]
    assert list(zip([1, 2], [3, 4], [5])) == [(1, 3, 5)]
    assert [a + b + c for a, b, c in zip([1, 2], (10, 20), range(100, 300, 100))] == [111, 222]


# A list is walked as it stands: what is added meanwhile is seen, and its end is its end for good.
def grown(n):
    items, seen = [0], []
    for i, item in enumerate(items):
        seen.append((i, item))
        if len(items) < n:
            items.append(item + 1)
    return seen


def shrunk(n):
    items, others, seen = list(range(n)), list(range(n)), []
    for a, b in zip(items, others):
        seen.append(a + b)
        others.pop()
    return seen


def ended():
    items = [1, 2]
    rows = zip(items, items)
    both = enumerate(items, 5)
    assert list(rows) == [(1, 1), (2, 2)] and list(both) == [(5, 1), (6, 2)]
    items.append(3)
    return list(rows), list(both), next(rows, "over"), next(both, "over")


for _ in range(12):
    assert grown(9) == [(i, i) for i in range(9)]
    assert shrunk(6) == [0, 2, 4]
    assert ended() == ([], [], "over", "over")


# One iterator on several sides: each takes what the one before it has left, and what is taken at the end is gone.
def chunks(items, size):
    return list(zip(*[iter(items)] * size))


def taken():
    left = iter([1, 2, 3])
    rows = zip(left, [10])
    first = list(rows)
    return first, next(left)


def numbered():
    left = iter("abcd")
    rows = enumerate(left, 1)
    found = [next(rows), next(left), next(rows)]
    return found, list(left), list(rows)


def seen_twice(items):
    each = iter(items)
    total = 0
    for a, b in zip(each, each):
        total = total * 10 + a * b
    return total, a, b


for _ in range(12):
    assert chunks([1, 2, 3, 4, 5], 2) == [(1, 2), (3, 4)]
    assert taken() == ([(1, 10)], 3)
    assert numbered() == ([(1, "a"), "b", (2, "c")], ["d"], [])
    assert seen_twice([1, 2, 3, 4, 5]) == (32, 3, 4)


class Shared:
    def __init__(self, items):
        self.items = iter(items)

    def __iter__(self):
        return self.items


def shared():
    one = Shared([1, 2, 3, 4])
    return list(zip(one, one)), list(enumerate(Shared("xy"), -1))


for _ in range(12):
    assert shared() == ([(1, 2), (3, 4)], [(-1, "x"), (0, "y")])


# Parts, nested parts, rows that are kept, and what is bound behind a loop.
def parts(rows, weights):
    total = 0
    for i, ((a, b), w) in enumerate(zip(rows, weights)):
        total += i * a * b * w
    kept = [row for row in zip(rows, weights)]
    for row in zip(rows, weights):
        a, (b, c) = row[1], row[0]
        total += a + b + c
    return total, kept, i, row


for _ in range(12):
    rows = [(1, 2), (3, 4), (5, 6)]
    assert parts(rows, [1.0, 0.5, 2.0]) == (150.5, list(zip(rows, [1.0, 0.5, 2.0])), 2, ((5, 6), 2.0))
    a, *rest = zip([1, 2, 3], "abc")
    assert a == (1, "a") and rest == [(2, "b"), (3, "c")]
    assert list(map(list, zip(*[[1, 2, 3], [4, 5, 6]]))) == [[1, 4], [2, 5], [3, 6]]
    assert dict(zip("ab", range(2))) == {"a": 0, "b": 1} and sorted(enumerate("ba"))[-1] == (1, "a")
    assert list(zip(range(10**12), "ab")) == [(0, "a"), (1, "b")]
    assert next(enumerate([7], 2**40)) == (2**40, 7)


def too_many(rows):
    for a, b in zip(rows, rows, rows):
        return a, b


def refused():
    try:
        too_many([1, 2])
    except ValueError as error:
        return str(error)


for _ in range(12):
    assert refused() == "too many values to unpack (expected 2)"


# Elements that are used up where they stand.
def used(xs, ys):
    return (
        sum(x * y for x, y in zip(xs, ys)),
        sum(x for x in xs),
        sum(i for i, _ in enumerate(xs)),
        any(x > 2 for x in xs),
        all(x > 2 for x in xs),
        any(x and y for x, y in zip(xs, ys)),
        sorted(-x for x in xs),
        tuple(x + 1 for x in xs),
        [x * 0.5 for x in xs],
    )


for _ in range(12):
    assert used([1, 2, 3], [0.5, 0.25, 4.0]) == (
        13.0, 6, 3, True, False, True, [-3, -2, -1], (2, 3, 4), [0.5, 1.0, 1.5],
    )
    assert used([True, 2**62, 2**62], [1, 2, 3])[:3] == (1 + 5 * 2**62, 2**63 + 1, 3)
    assert sum(x for x in [0.1] * 10) == 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1
    assert str(sum(-x for x in [0.0, 0.0])) == "0.0" and sum(x for x in []) == 0
    assert sum(x for x in [1, 0.5, 2]) == 3.5 and sum(x for x in [1.5, True]) == 2.5


# Characters.
def letters(text):
    vowels, others = 0, {}
    for c in text:
        if c in "aeiou":
            vowels += 1
        elif c not in " .é":
            others[c] = others.get(c, 0) + 1
    return vowels, others


for _ in range(12):
    assert letters("a.b c é") == (1, {"b": 1, "c": 1})
    assert letters("ée") == (1, {}) and list("aé€") == ["a", "é", "€"] and list("") == []
    assert "" in "abc" and "é" not in "e" and "\xe9" in "caf\xe9" and "bc" in "abc"
