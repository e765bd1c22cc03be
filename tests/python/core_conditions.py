"""Conditions, chained comparisons, items of items and targets of tuples, with what is plain and what is not."""

log = []


class Loud:
    """Says what it is asked; compares by its number."""

    def __init__(self, name, number, truth=True):
        self.name = name
        self.number = number
        self.truth = truth

    def __lt__(self, other):
        log.append(f"{self.name}<")
        return self.number < getattr(other, "number", other)

    def __gt__(self, other):
        log.append(f"{self.name}>")
        return self.number > getattr(other, "number", other)

    def __eq__(self, other):
        log.append(f"{self.name}==")
        return self.number == getattr(other, "number", other)

    __hash__ = None

    def __bool__(self):
        log.append(f"bool({self.name})")
        return self.truth


class Odd:
    """Compares to what is no truth."""

    def __lt__(self, other):
        return ["less", other]

    def __gt__(self, other):
        return []

    def __ge__(self, other):
        raise ValueError("no order")


def said():
    text = " ".join(log)
    log.clear()
    return text


def value(x):
    log.append(str(x))
    return x


# Chains.

def inside(low, x, high):
    return low <= x < high


def four(a, b, c, d):
    return a < b <= c != d


for _ in range(12):
    assert inside(0, 3, 5) is True
    assert inside(0, 5, 5) is False
    assert inside(4, 3, 5) is False
    assert inside(0.5, 1, 1.5) is True
    assert inside("a", "b", "c") is True
    assert inside(10**30, 10**31, 10**32) is True
    assert inside(float("nan"), 1, 2) is False
    assert inside((1, 2), (1, 3), (2,)) is True
    assert four(1, 2, 2, 3) is True
    assert four(1, 2, 2, 2) is False
    assert four(2, 2, 2, 3) is False
    assert four("a", "b", "b", 4) is True


def loud_chain():
    a, b, c = Loud("a", 1), Loud("b", 2), Loud("c", 3)
    return a < b < c


def odd_chain(x):
    return 1 < 2 > x


def stops():
    return value(3) < value(2) < value(1)


def goes_on():
    return value(1) < value(2) < value(0)


def chosen(x):
    return "in" if 0 < x < 10 else "out"


def counted(items):
    found = 0
    for x, y in items:
        if 0 <= x < 5 and 0 <= y < 5:
            found += 1
        elif not 0 <= x < 50:
            found += 100
    return found


for _ in range(12):
    assert loud_chain() is True
    assert said() == "a< b<"
    assert stops() is False
    assert said() == "3 2"
    assert goes_on() is False
    assert said() == "1 2 0"
    assert odd_chain(Odd()) == ["less", 2]
    assert [chosen(x) for x in (-1, 0, 1, 9.5, 10)] == ["out", "out", "in", "in", "out"]
    assert counted([(1, 2), (7, 1), (70, 1), (4, 4), (-1, 0)]) == 202


def refused(f, *args):
    try:
        f(*args)
    except Exception as e:
        return f"{type(e).__name__}: {e}"
    return "nothing"


for _ in range(12):
    assert refused(inside, 0, "3", 5) == "TypeError: '<=' not supported between instances of 'int' and 'str'"
    assert refused(inside, 0, 3, None) == "TypeError: '<' not supported between instances of 'int' and 'NoneType'"
    assert refused(inside, 4, 3, None) == "nothing"


def unbound(x):
    if x > 100:
        low = 1
    return 0 < x < low


for _ in range(12):
    assert refused(unbound, 5) == "UnboundLocalError: cannot access local variable 'low' where it is not associated with a value"
    assert refused(unbound, -5) == "nothing"
    assert unbound(101) is False


# Conditions of several operands.

def both(a, b):
    if a and b:
        return "both"
    return "not"


def any_of(a, b, c):
    if a or b or c:
        return "some"
    else:
        return "none"


def mixed(a, b):
    if not a and b > 3 or a is None:
        return 1
    if a is not None and not b == 2:
        return 2
    return 3


def nested(a, b, c):
    if (a or b) and c:
        return "x"
    if a and (b or not c):
        return "y"
    return "z"


def looped(n, stop):
    i = total = 0
    while i < n and total != stop:
        total += i
        i += 1
    while i > 0 or total > 100:
        i -= 1
        total -= 50
    return i, total


truths = [0, 1, -1, 0.0, 2.5, "", "a", None, [], [0], (), (1,), {}, {1: 2}, set(), {3}, 10**30, range(0), range(2)]
for _ in range(6):
    for x in truths:
        for y in truths:
            assert both(x, y) == ("both" if bool(x) & bool(y) else "not")
            for z in (0, "z"):
                assert any_of(x, y, z) == ("some" if bool(x) | bool(y) | bool(z) else "none")
                assert nested(x, y, z) == ("x" if (bool(x) | bool(y)) & bool(z) else "y" if bool(x) & (bool(y) | (not z)) else "z")
    assert [mixed(a, b) for a in (0, 1, None) for b in (1, 2, 5)] == [2, 3, 1, 2, 3, 2, 1, 1, 1]
    assert looped(10, -1) == (0, 45 - 500)
    assert looped(10, 6) == (0, 6 - 4 * 50)
    assert looped(0, 3) == (0, 0)


def loud_both(a, b):
    if Loud("a", 1, a) and Loud("b", 2, b):
        return 1
    return 0


def loud_less(a, b):
    if a < b and a > 0:
        return 1
    return 0


def loud_not(a):
    if not a:
        return 1
    return 0


for _ in range(12):
    assert loud_both(True, True) == 1 and said() == "bool(a) bool(b)"
    assert loud_less(Loud("a", 1), Loud("b", 2)) == 1 and said() == "a< a>"
    assert loud_less(Loud("a", 3), Loud("b", 2)) == 0 and said() == "a<"
    assert loud_not(Loud("a", 3)) == 0 and said() == "bool(a)"
    assert loud_less(Odd(), 4) == 0
    assert refused(mixed, "", "x") == "TypeError: '>' not supported between instances of 'str' and 'int'"
    assert refused(both, 1, Odd()) == "nothing"


def unbound_and(x):
    if x > 100:
        other = 1
    if x > 0 and other:
        return 1
    return 0


def falls(node):
    depth = 0
    while node is not None and depth < 40:
        node = node[0]
        depth += 1
    return depth


for _ in range(12):
    assert unbound_and(-1) == 0 and unbound_and(101) == 1
    assert refused(unbound_and, 1) == "UnboundLocalError: cannot access local variable 'other' where it is not associated with a value"
    assert falls(((((None,),),),)) == 4
    chain = [None]
    chain[0] = chain
    assert falls(chain) == 40


def many(a, b, c, d, e, f, g, h):
    if a == 1 and b == 2 and c is not None and d != "d" and e > 1.5 and f in (1, 2) and not g and h:
        return "all"
    if a == 1 or b == 2 or c is None or d == "d" or e > 1.5 or f not in {1, 2} or not g or h:
        return "one"
    return "none"


for _ in range(12):
    assert many(1, 2, 0, "x", 2.0, 1, [], "h") == "all"
    assert many(1, 2, 0, "d", 2.0, 1, [], "h") == "one"
    assert many(0, 0, 0, "x", 1.0, 1, [1], "") == "none"
    assert many(0, 0, 0, "x", 1.0, 3, [1], "") == "one"


def of_comprehension(items):
    return [x for x in items if x and x is not None and (x > 2 or x == 1) if not x == 4]


def generated(items):
    for x in items:
        if x is None or x < 0:
            continue
        got = yield x
        if got is not None and got > 1:
            yield -got


for _ in range(12):
    assert of_comprehension([0, 1, 2, 3, 4, None, 5]) == [1, 3, 5]
    g = generated([1, None, -1, 2, 3])
    assert next(g) == 1 and g.send(5) == -5 and list(g) == [2, 3]


# Items of items.

def second(rows, i, j):
    return rows[i][j]


def total(rows, n):
    s = 0
    for i in range(n):
        for j in range(n):
            s += rows[i][j] * rows[j][i]
    return s


class Rows:
    def __init__(self, rows):
        self.rows = rows

    def __getitem__(self, at):
        log.append(f"[{at}]")
        return self.rows[at]


for _ in range(12):
    rows = [[1, 2, 3], (4, 5, 6), "789"]
    assert [second(rows, i, j) for i in (0, 1, -1) for j in (0, -1)] == [1, 3, 4, 6, "7", "9"]
    assert second({"a": {"b": 5}}, "a", "b") == 5
    assert second({1: [4, 5]}, 1, 1) == 5
    assert second(Rows([[1], [2, 3]]), 1, 1) == 3 and said() == "[1]"
    assert second([[1, 2], [3, [4, 5]]], 1, slice(1, 2)) == [[4, 5]]
    assert second([[True, False]], True - 1, True) is False
    assert refused(second, [[1]], 0, 1) == "IndexError: list index out of range"
    assert refused(second, [(1,)], 0, 1) == "IndexError: tuple index out of range"
    assert refused(second, [[1]], 2, 1) == "IndexError: list index out of range"
    assert refused(second, [1], 0, 0) == "TypeError: 'int' object is not subscriptable"
    assert refused(second, [[1]], 0, "a") == "TypeError: list indices must be integers or slices, not str"
    assert refused(second, {}, "a", 0) == "KeyError: 'a'"
    assert total([[1, 2], [3, 4]], 2) == 1 + 6 + 6 + 16


def letters(text):
    return [text[i] for i in range(len(text))] + [text[-1], text[0]]


for _ in range(12):
    assert letters("abc") == ["a", "b", "c", "c", "a"]
    assert letters("aé") == ["a", "é", "é", "a"]
    assert refused(letters, "") == "IndexError: string index out of range"


# Targets of tuples.

class Cell:
    def __init__(self, a, b):
        self.a, self.b = a, b

    @property
    def doubled(self):
        return 2 * self.a

    @doubled.setter
    def doubled(self, new):
        log.append(f"doubled={new}")
        self.a = new // 2


def swapped(items, i, j):
    items[i], items[j] = items[j], items[i]
    return items


def stepwise(items):
    i = 0
    i, items[i] = 2, "here"
    items[value(0)], items[value(1)] = value("x"), value("y")
    return i, items


def set_both(cell):
    cell.a, cell.b = cell.b, cell.a
    cell.doubled, rest = 10, 5
    (x, y), cell.b = (1, 2), 7
    return cell.a, cell.b, rest, x + y


def set_in_dict(d):
    d["a"], d["b"], d[(1, 2)] = 1, d.get("a"), "t"
    return d


def sorts(items):
    n = len(items)
    for i in range(n):
        for j in range(n - 1 - i):
            if items[j] > items[j + 1]:
                items[j], items[j + 1] = items[j + 1], items[j]
    return items


def half(items):
    items[0], items[9] = "first", "second"


for _ in range(12):
    assert swapped([1, 2, 3], 0, -1) == [3, 2, 1]
    assert stepwise([0, 1, 2]) == (2, ["x", "y", "here"]) and said() == "x y 0 1"
    assert set_both(Cell(1, 2)) == (5, 7, 5, 3) and said() == "doubled=10"
    assert set_in_dict({"a": 0}) == {"a": 1, "b": 0, (1, 2): "t"}
    assert sorts([3, 1, 2, 5, 4]) == [1, 2, 3, 4, 5]
    assert sorts(["b", "a"]) == ["a", "b"]
    assert swapped({0: "a", 1: "b"}, 0, 1) == {0: "b", 1: "a"}
    some = [0, 1]
    assert refused(half, some) == "IndexError: list assignment index out of range" and some == ["first", 1]
    assert refused(swapped, (1, 2), 0, 1) == "TypeError: 'tuple' object does not support item assignment"


# Lists that are joined.

def joined(a, b):
    return a + b


for _ in range(12):
    one, other = [1, 2], [3]
    both_of = joined(one, other)
    both_of.append(4)
    assert both_of == [1, 2, 3, 4] and one == [1, 2] and other == [3]
    assert joined(one, one) == [1, 2, 1, 2]
    assert refused(joined, one, (3,)) == 'TypeError: can only concatenate list (not "tuple") to list'


# Sets and dicts of what is computed; parts of elements; defaults of classes.

class Hashed:
    def __init__(self, name, number=7, *, last="z"):
        self.name = name
        self.number = number
        self.last = last

    def __hash__(self):
        log.append(f"hash({self.name})")
        return hash(self.number)

    def __eq__(self, other):
        return self.number == other.number


def displays(a, b):
    return {a, b}, {a: 1, b: 2}, {value(a): value(1), value(b): value(2)}


for _ in range(12):
    one, two, three = displays(1, 2)
    assert one == {1, 2} and two == {1: 1, 2: 2} and three == two and said() == "1 1 2 2"
    one, two, three = displays("a", "a")
    assert one == {"a"} and two == {"a": 2} and list(three.items()) == [("a", 2)] and said() == "a 1 a 2"
    one, two, three = displays((1, (2,)), 1.0)
    assert (1, (2,)) in one and two[1] == 2
    said()
    assert displays(True, 1)[1] == {True: 2}
    said()
    assert refused(displays, [], 1) == "TypeError: unhashable type: 'list'"
    assert refused(displays, 1, {}) == "TypeError: unhashable type: 'dict'"
    said()


def made():
    x, y = Hashed("x"), Hashed("y", 8)
    both_of = {x, y, Hashed("z", last=1)}
    d = {x: "x", y: "y"}
    return len(both_of), d[Hashed("w")], x.last, y.number, y.last


def refused_made(*args):
    return Hashed(*args).number


for _ in range(12):
    assert made() == (2, "x", "z", 8, "z")
    assert said() == "hash(x) hash(y) hash(z) hash(x) hash(y) hash(w)"
    assert refused_made("a") == 7 and refused_made("a", 3) == 3
    assert refused(refused_made) == "TypeError: Hashed.__init__() missing 1 required positional argument: 'name'"
    assert refused(refused_made, 1, 2, 3) == "TypeError: Hashed.__init__() takes from 2 to 3 positional arguments but 4 were given"


def parts(n):
    a, b = list(range(n)), [str(i) for i in range(n)]
    pairs = [(x, y) for x, y in zip(a, b) if x != 3]
    table = {y: x for x, y in zip(a, b)}
    names = {x for x, y in enumerate(b) if y > "1"}
    total = sum(x * i for i, x in enumerate(a))
    nested = [x + y for x, (y, z) in zip(a, zip(a, b)) if z]
    items = sorted(k + str(v) for k, v in table.items())
    uneven = [x + y for x, y in zip([1, 2, 3], (4, 5))]
    return pairs, table, names, total, nested, items, uneven


def too_many():
    return [x for x, y in [(1, 2), (3, 4), (5, 6, 7)]]


for _ in range(12):
    assert parts(5) == (
        [(0, "0"), (1, "1"), (2, "2"), (4, "4")],
        {"0": 0, "1": 1, "2": 2, "3": 3, "4": 4},
        {2, 3, 4},
        30,
        [0, 2, 4, 6, 8],
        ["00", "11", "22", "33", "44"],
        [5, 7],
    )
    assert refused(too_many) == "ValueError: too many values to unpack (expected 2)"
