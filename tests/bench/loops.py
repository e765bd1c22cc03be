"""Plain Python loops: each is a function of its number of rounds."""


def integers(n):
    total = 0
    for i in range(n):
        total = (total * 31 + i) % 1000003
        if total & 1:
            total += 3
    return total


def floats(n):
    x, step = 0.0, 1.0 / 3.0
    for i in range(n):
        x = x * 0.5 + step
    return x


def while_loop(n):
    i, total = 0, 0
    while i < n:
        total += i // 3
        i += 1
    return total


def list_append_index(n):
    items = []
    for i in range(n):
        items.append(i * 2)
    total = 0
    for i in range(n):
        total += items[i]
        items[i] = total
    return total


def dictionary(n):
    counts = {}
    for i in range(n):
        key = i % 97
        counts[key] = counts.get(key, 0) + 1
        if i in counts:
            counts[i] += 1
    return len(counts)


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def moved(self, dx):
        self.x += dx
        return self.x + self.y


def method_calls(n):
    point, total = Point(1, 2), 0
    for i in range(n):
        total += point.moved(i)
    return total


def make_objects(n):
    total = 0
    for i in range(n):
        total += Point(i, 1).x
    return total


def closures(n):
    def adder(k):
        def add(x):
            return x + k

        return add

    add, total = adder(3), 0
    for i in range(n):
        total = add(total)
    return total


def function_calls(n):
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    total = 0
    for _ in range(n // 1000):
        total += fib(14)
    return total


def string_building(n):
    parts = []
    for i in range(n):
        parts.append("item " + str(i) + f" of {n}")
    return len(",".join(parts))


def comprehensions(n):
    total = 0
    for _ in range(n // 100):
        squares = [i * i for i in range(100) if i % 3]
        table = {i: i + 1 for i in range(10)}
        total += sum(squares) + len(table)
    return total


def generators(n):
    def count(limit):
        i = 0
        while i < limit:
            yield i
            i += 1

    return sum(i for i in count(n) if i % 2)


def tuples(n):
    pairs = [(i, i + 1) for i in range(100)]
    total = 0
    for _ in range(n // 100):
        for a, b in pairs:
            a, b = b, a
            total += a - b
    return total


def sorting(n):
    items = [(i * 7919) % 10007 for i in range(n)]
    items.sort(key=lambda x: -x)
    return sorted(items)[n // 2] if n else 0


def exceptions(n):
    total = 0
    for i in range(n):
        try:
            if i % 4 == 0:
                raise ValueError(i)
            total += 1
        except ValueError:
            total -= 1
    return total

