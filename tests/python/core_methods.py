"""Methods that are called without being named: operators, items, properties, `with`, and `__call__`, in loops that run often."""


class Meters:
    def __init__(self, size):
        self.size = size

    def __add__(self, other):
        if not isinstance(other, Meters):
            return NotImplemented
        return Meters(self.size + other.size)

    def __radd__(self, other):
        return Meters(self.size + other)

    def __mul__(self, times):
        return Meters(self.size * times)

    def __eq__(self, other):
        return NotImplemented if not isinstance(other, Meters) else self.size == other.size

    def __lt__(self, other):
        return self.size < other.size

    def __ge__(self, other):
        return [] if self.size < other.size else [self]

    def __truediv__(self, other):
        return self.size / other.size

    def __iadd__(self, other):
        self.size += other
        return self


class Yards:
    def __init__(self, size):
        self.size = size

    def __radd__(self, other):
        return ("yards", other.size + self.size)

    def __eq__(self, other):
        return "equal"


class More(Meters):
    def __radd__(self, other):
        return "more"

    def __gt__(self, other):
        return "greater"


def operators():
    total = Meters(0)
    for i in range(40):
        total = total + Meters(i) * 2
        if total == Meters(7) or total < Meters(-1):
            assert False
        assert (total == Meters(i * (i + 1))) is True and (total == 3) is False and (total != 3) is True
        assert total + Yards(i) == ("yards", total.size + i), i
        assert (total == Yards(1)) == "equal"
        assert total + More(1) == "more" and (total < More(1)) == "greater"
        if total >= Meters(20):
            assert i >= 4
        else:
            assert i < 4
        same = total
        total += 2
        total += -2
        assert same is total and (5 + total).size == 5 + total.size


def failures():
    seen = []
    for i in range(30):
        try:
            Meters(i) + i if i % 2 else Meters(i) / Meters(0)
        except TypeError as error:
            seen.append(str(error))
        except ZeroDivisionError as error:
            seen.append(str(error))
    assert seen == ["division by zero", "unsupported operand type(s) for +: 'Meters' and 'int'"] * 15, seen


class Row:
    def __init__(self):
        self.items = {}
        self.reads = 0

    def __getitem__(self, at):
        self.reads += 1
        return self.items[at]

    def __setitem__(self, at, value):
        if value < 0:
            raise ValueError("below nothing")
        self.items[at] = value

    def __len__(self):
        return len(self.items)

    def __call__(self, x):
        return x + self.reads


def items():
    row = Row()
    for i in range(30):
        row[i] = i * i
        row[0] = 3
        assert row[i] == (i * i if i else 3) and row[0] == 3 and len(row) == i + 1
        row[i] += 1
        assert row.items[i] == (i * i + 1 if i else 4)
        try:
            row[i] = -1
        except ValueError as error:
            assert str(error) == "below nothing"
        else:
            assert False
        try:
            row[100 + i]
        except KeyError as error:
            assert error.args == (100 + i,)
        assert row(1) == 1 + row.reads
    assert row.reads == 120, row.reads


class Tank:
    def __init__(self):
        self._level = 0
        self.writes = 0

    @property
    def level(self):
        return self._level

    @level.setter
    def level(self, value):
        self.writes += 1
        if value > 50:
            raise OverflowError(value)
        self._level = value if value < 40 else 0


def pour(tank, amount):
    tank.level = tank.level + amount
    return tank.level


def properties():
    tank, over = Tank(), 0
    for i in range(60):
        tank.level = tank.level + i % 7
        tank.level += 1
        assert pour(tank, 1) == tank.level
        try:
            tank.level = 49 + i % 3
        except OverflowError as error:
            assert error.args == (51,)
            over += 1
    assert (over, tank.writes) == (20, 240), (over, tank.writes)


class Depth:
    def __init__(self, swallows=False):
        self.depth, self.seen, self.swallows = 0, [], swallows

    def __enter__(self):
        self.depth += 1
        return self

    def __exit__(self, kind, value, where):
        self.depth -= 1
        if kind is not None:
            self.seen.append(kind)
        return self.swallows


class Broken:
    def __init__(self, at):
        self.at = at

    def __enter__(self):
        if self.at == 0:
            raise RuntimeError("in")

    def __exit__(self, *parts):
        if self.at == 1:
            raise RuntimeError("out")


def leaves(depth, i):
    with depth as d:
        if i % 3 == 0:
            return d.depth
        with depth:
            i += d.depth
    return i


def managers():
    depth, loud = Depth(), Depth(True)
    for i in range(30):
        with depth as d, loud as e:
            assert d.depth == e.depth == 1
        assert leaves(depth, i) == (1 if i % 3 == 0 else i + 2) and depth.depth == 0
        with loud:
            raise KeyError(i)
        assert loud.depth == 0 and loud.seen == [KeyError] * (i + 1)
        said = None
        try:
            with Broken(i % 3):
                pass
        except RuntimeError as error:
            said = str(error)
        assert said == ("in", "out", None)[i % 3]


class Layer:
    def __init__(self, size, scale=2, *, bias=1):
        self.size, self.scale, self.bias = size, scale, bias

    def __call__(self, x, times=1):
        return x * self.scale * times + self.bias


def calls():
    for i in range(30):
        layer = Layer(3, bias=i)
        same = Layer(size=3, scale=5)
        assert (layer(1), layer(1, 2), layer(1, times=3)) == (2 + i, 4 + i, 6 + i)
        assert (same.size, same.scale, same.bias, same(2)) == (3, 5, 1, 11)
        try:
            Layer(1, width=2)
        except TypeError as error:
            assert str(error) == "Layer.__init__() got an unexpected keyword argument 'width'", error
        else:
            assert False


def either(a, b):
    return "zero" if a == 0 or b == 0 else a * b


def halves(pair):
    left, right = pair
    return left - right


def by_name(x, y=3, *, z=4):
    return x + y - z


def copies():
    table = {}

    def paths(x, y):
        if x == 0 or y == 0:
            return 1
        key = (x, y)
        if key in table:
            return table[key]
        table[key] = result = paths(x - 1, y) + paths(x, y - 1)
        return result

    for i in range(30):
        assert either(i, 2) == ("zero" if i == 0 else 2 * i) and either(i, []) == ("zero" if i == 0 else [])
        assert halves((i, 1)) == halves([i, 1]) == i - 1
        try:
            halves((i, 1, 2))
        except ValueError as error:
            assert str(error) == "too many values to unpack (expected 2)"
        assert by_name(i, z=1) == i + 2 and by_name(i) == i - 1 and by_name(y=1, x=i) == i - 3
        table.clear()
        assert paths(4, 4) == 70
        a = table[i] = b = i
        assert a == b == table[i] == i


def truths():
    for i in range(30):
        yes, count = i % 2 == 0, 0
        count += yes
        assert sum([yes, True, 2]) == 3 + yes and sum([yes] * 4) == 4 * yes and sum([], yes) is yes
        assert yes + yes == 2 * yes and (yes & True) is yes and (yes | False) is yes and (yes ^ True) is (not yes)
        assert yes & 1 == count and yes < 2 and (yes == 1) is yes and yes * 0.5 == count / 2 and -yes == -count
        assert sum([2**62, 2**62, True]) == 2**63 + 1 and sum((yes, 0.5)) == yes + 0.5


for check in (operators, failures, items, properties, managers, calls, copies, truths):
    for _ in range(3):
        check()
