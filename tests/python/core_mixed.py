# Integers and floats in one operation, over and over: sums, quotients, comparisons, and where they raise.
import math

BIG = 2**53
nan, inf = float("nan"), float("inf")


def mixed(xs, ys):
    total, found = 0.0, []
    for x, y in zip(xs, ys):
        total += x * y
        total -= x
        total += 1
        total *= 2
        found.append((x + y, x - y, x * y, x / y, y / 2, 3 - x, x * 1, x // 1, y % 3))
    return total, found


for _ in range(12):
    total, found = mixed([1, 2, 3], [0.5, 0.25, -4.0])
    assert total == -26.0, total
    assert found[0] == (1.5, 0.5, 0.5, 2.0, 0.25, 2, 1, 1, 0.5)
    assert found[2] == (-1.0, 7.0, -12.0, -0.75, -2.0, 0, 3, 3, 2.0)
    assert [type(part).__name__ for part in found[1]] == ["float"] * 5 + ["int"] * 3 + ["float"]
    assert mixed([True, 0], [2.0, 8.0])[1][0][:4] == (3.0, -1.0, 2.0, 0.5)


def quotients(pairs):
    return [x / y for x, y in pairs]


for _ in range(12):
    assert quotients([(1, 2), (7, -2), (0, 5), (BIG, 1), (BIG + 1, 1), (BIG - 1, 3)]) == [
        0.5, -3.5, 0.0, 9007199254740992.0, 9007199254740992.0, 3002399751580330.5,
    ]
    assert quotients([(2**62 + 1, 2**62 - 1), (10**30, 10**29)]) == [1.0, 10.0]
    assert str(quotients([(0, -5), (-0.0, 5), (0.0, -1)])) == "[-0.0, -0.0, -0.0]"


def halved(x):
    n = 0
    while x > 1:
        x = x / 2
        n += 1
    return n, x


def stepped(limit):
    x, n = 0, 0
    while x < limit:
        x += 0.5
        n += 1
    return n, x


for _ in range(12):
    assert halved(1024) == (10, 1.0) and halved(10**15) == (50, 10**15 / 2**50) and halved(0.5) == (0, 0.5)
    assert stepped(3) == (6, 3.0) and stepped(2.75) == (6, 3.0) and stepped(-1) == (0, 0)


def compared(pairs):
    found = []
    for x, y in pairs:
        if x < y:
            found.append("<")
        elif x == y:
            found.append("=")
        elif x > y:
            found.append(">")
        else:
            found.append("?")
        found.append((x <= y, x >= y, x != y, 0 < x, x < 1 <= y, x == 1 or y == 0))
    return found[::2], found[1::2]


for _ in range(12):
    signs, truths = compared([(1, 1.0), (1.5, 1), (-2, -1.5), (nan, 0), (0, nan), (inf, 2**62), (BIG + 1, float(BIG))])
    assert signs == ["=", ">", "<", "?", "?", ">", ">"], signs
    assert truths[0] == (True, True, False, True, False, True)
    assert truths[3] == (False, False, True, False, False, True)
    assert truths[6] == (False, True, True, True, False, False)
    assert compared([(2**62, 4.611686018427388e18), (2**62 + 1, 4.611686018427388e18)])[0] == ["=", ">"]


def raised(function, *args):
    try:
        function(*args)
    except Exception as error:
        return type(error).__name__, str(error)


def divided(x, y):
    return x / y


def floored(x, y):
    return x // y


def reduced(x):
    x /= 0
    return x


for _ in range(12):
    assert raised(divided, 1.0, 0) == ("ZeroDivisionError", "float division by zero")
    assert raised(divided, 1, 0.0) == ("ZeroDivisionError", "float division by zero")
    assert raised(divided, 1, 0) == ("ZeroDivisionError", "division by zero")
    assert raised(reduced, 2.5) == ("ZeroDivisionError", "float division by zero")
    assert raised(reduced, 2) == ("ZeroDivisionError", "division by zero")
    assert raised(floored, 2.5, 0) == ("ZeroDivisionError", "float floor division by zero")
    assert divided(6, 4.0) == 1.5 and divided(6.0, 4) == 1.5 and divided(2**63, 2) == 2.0**62
    assert math.isnan(divided(nan, 2)) and divided(1, inf) == 0 and divided(True, 2) == 0.5


class Meters:
    def __init__(self, value):
        self.value = value

    def __rmul__(self, factor):
        return Meters(factor * self.value)

    def __lt__(self, other):
        return self.value < other


def scaled(factor, length):
    return (factor * length).value


for _ in range(12):
    assert scaled(2, Meters(1.5)) == 3.0 and scaled(0.5, Meters(3)) == 1.5
    assert Meters(2) < 2.5 and not Meters(3.0) < 3


# Neither side is rounded to compare an integer and a float.
def ordered(x, y):
    return x < y, x <= y, x == y, x > y, y < x, y == x, {x: 1}.get(y)


for _ in range(12):
    assert ordered(2**64 + 1, 2.0**64) == (False, False, False, True, True, False, None)
    assert ordered(2**64, 2.0**64) == (False, True, True, False, False, True, 1)
    assert ordered(-(10**400), -1e308) == (True, True, False, False, False, False, None)
    assert ordered(10**400, inf)[:4] == (True, True, False, False) and ordered(10**400, nan)[:4] == (False,) * 4
    assert ordered(2**53 + 1, float(2**53)) == (False, False, False, True, True, False, None)
    assert ordered(2**62, 4611686018427387904.5) == (False, True, True, False, False, True, 1)
    assert ordered(3, 3.5)[:2] == (True, True) and ordered(-3, -3.5)[:4] == (False, False, False, True)
    assert max(2**53 + 1, float(2**53), 2**53) == 2**53 + 1 and sorted([2.0**64, 2**64 - 1])[0] == 2**64 - 1
