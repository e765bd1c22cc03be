"""Plain Python loops: each is a function of its number of rounds."""

import bisect
import heapq
import itertools
import math
from collections import Counter, defaultdict, deque
from dataclasses import dataclass


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


def grids(n):
    size = 50
    grid = [[(x * y) % 7 for x in range(size)] for y in range(size)]
    total = 0
    for _ in range(n // (size * size)):
        for y in range(1, size - 1):
            for x in range(1, size - 1):
                total += grid[y - 1][x] + grid[y + 1][x] + grid[y][x - 1] - grid[y][x + 1]
            grid[y][0] = total % 7
    return total


def text_fields(n):
    total = 0
    for i in range(n // 4):
        line = "name=%d; size = %s ;kind=row" % (i, i % 10)
        fields = {}
        for part in line.split(";"):
            key, value = part.split("=")
            fields[key.strip()] = value.strip().upper()
        total += len("-".join([fields["kind"], fields["name"]]))
        if line.startswith("name") and "size" in line and not line.endswith("column"):
            total += len(line.replace("row", "line"))
    return total


def characters(n):
    text = "The quick brown fox jumps over the lazy dog. " * 10
    counts, vowels = {}, 0
    for _ in range(n // len(text)):
        for c in text:
            if c in "aeiou":
                vowels += 1
            elif c.isalpha():
                counts[c] = counts.get(c, 0) + 1
    return vowels + len(counts)


def formatting(n):
    size = 0
    for i in range(n):
        size += len(f"{i:>6d} {i / 7:.3f}")
    return size


def groups(n):
    groups = {}
    for i in range(n):
        groups.setdefault(i % 100, []).append(i)
    total = 0
    for key, values in groups.items():
        total += key * len(values)
        for value in values:
            total += value
    return total


def sets(n):
    seen, total = set(), 0
    for i in range(n):
        key = (i * i) % 1009
        if key not in seen:
            seen.add(key)
        elif key % 5 == 0:
            seen.discard(key)
            total += 1
    return total + len(seen | {1, 2, 3}) + len(seen & {4, 5})


def zips(n):
    xs, ys = list(range(100)), [x * 0.5 for x in range(100)]
    total = 0.0
    for _ in range(n // 200):
        for x, y in zip(xs, ys):
            total += x * y
        for i, x in enumerate(xs):
            total += i - x
    return total


def slices(n):
    items, total = list(range(1000)), 0
    for i in range(n // 4):
        k = i % 900
        part = items[k : k + 8]
        total += part[0] + part[-1] + len(items[-3:])
        items[k : k + 2] = [i, i + 1]
    return total


def searching(n):
    primes = [2]
    k = 3
    while k * 8 < n:
        for p in primes:
            if p * p > k:
                primes.append(k)
                break
            if k % p == 0:
                break
        else:
            primes.append(k)
        k += 2
    return len(primes)


def halving(n):
    items, found = list(range(0, 3000, 3)), 0
    for i in range(n // 10):
        low, high = 0, len(items)
        while True:
            if low >= high:
                break
            middle = (low + high) // 2
            if items[middle] == i % 3000:
                found += 1
                break
            if items[middle] < i % 3000:
                low = middle + 1
            else:
                high = middle
    return found


def recursion(n):
    def quicksort(items):
        if len(items) <= 1:
            return items
        pivot = items[len(items) // 2]
        left = [x for x in items if x < pivot]
        middle = [x for x in items if x == pivot]
        right = [x for x in items if x > pivot]
        return quicksort(left) + middle + quicksort(right)

    items = [(i * 7919) % 1009 for i in range(1000)]
    total = 0
    for _ in range(n // 20000):
        total += quicksort(items)[10]
    return total


def memo(n):
    table = {}

    def paths(x, y):
        if x == 0 or y == 0:
            return 1
        key = (x, y)
        if key in table:
            return table[key]
        table[key] = result = (paths(x - 1, y) + paths(x, y - 1)) % 1000007
        return result

    total = 0
    for _ in range(n // 2500):
        table.clear()
        total += paths(30, 25)
    return total


def trees(n):
    def build(depth):
        if depth == 0:
            return None
        return [build(depth - 1), depth, build(depth - 1)]

    def walk(node):
        if node is None:
            return 0
        left, value, right = node
        return walk(left) + value + walk(right)

    total = 0
    for _ in range(n // 4000):
        total += walk(build(10))
    return total


class Shape:
    def __init__(self, name):
        self.name = name
        self.scale = 1

    def area(self):
        return 0

    @property
    def size(self):
        return self.area() * self.scale

    def __lt__(self, other):
        return self.size < other.size


class Box(Shape):
    def __init__(self, width, height):
        super().__init__("box")
        self.width = width
        self.height = height

    def area(self):
        return self.width * self.height


class Cube(Box):
    def area(self):
        return 6 * super().area()

    @staticmethod
    def unit(k):
        return k + 1


def inheritance(n):
    total = 0
    for i in range(n // 8):
        shapes = [Box(i, 2), Cube(i, i)]
        for shape in shapes:
            if isinstance(shape, Box):
                total += shape.size
        total += Cube.unit(i) if shapes[0] < shapes[1] else 0
    return total


@dataclass
class Particle:
    x: float
    y: float
    mass: float = 1.0

    def energy(self):
        return 0.5 * self.mass * (self.x * self.x + self.y * self.y)


def dataclasses_(n):
    total = 0.0
    for i in range(n // 2):
        particle = Particle(0.5, y=i * 0.25)
        particle.x += 1.0
        total += particle.energy()
    return total


class Vector:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    def __getitem__(self, i):
        return self.x if i == 0 else self.y

    def __len__(self):
        return 2


def operators(n):
    position, step = Vector(0.0, 0.0), Vector(0.5, 1.0)
    hits = 0
    for i in range(n // 4):
        position = position + step * 2.0
        if position == step or position[1] < 0 or len(position) != 2:
            hits += 1
    return hits


def finallys(n):
    depth, total = 0, 0
    for i in range(n):
        depth += 1
        try:
            total += i % 3
        finally:
            depth -= 1
    return total + depth


class Counted:
    def __init__(self):
        self.depth = 0

    def __enter__(self):
        self.depth += 1
        return self

    def __exit__(self, kind, value, where):
        self.depth -= 1
        return False


def with_blocks(n):
    counted, total = Counted(), 0
    for i in range(n // 2):
        with counted as c:
            total += c.depth
    return total


def lookup_errors(n):
    table, total = {i: i for i in range(0, 100, 2)}, 0

    def checked(i):
        if i % 7 == 0:
            raise ValueError("seven")
        return i

    for i in range(n // 2):
        try:
            total += table[i % 100]
        except KeyError as error:
            total -= len(error.args)
        try:
            total += checked(i)
        except (TypeError, ValueError):
            total -= 1
    return total


def tree_generator(n):
    def inorder(low, high):
        if low < high:
            middle = (low + high) // 2
            yield from inorder(low, middle)
            yield middle
            yield from inorder(middle + 1, high)

    total = 0
    for i in inorder(0, n // 8):
        total += i
    return total


def generator_pipeline(n):
    def numbers(limit):
        for i in range(limit):
            yield i

    def odd(items):
        for item in items:
            if item % 2:
                yield item

    def pairs(items):
        last = None
        for item in items:
            if last is not None:
                yield last, item
            last = item

    total = 0
    for a, b in pairs(odd(numbers(n))):
        total += b - a
    return total


def sending(n):
    def averages():
        total, count, average = 0.0, 0, 0.0
        while True:
            value = yield average
            total += value
            count += 1
            average = total / count

    running = averages()
    next(running)
    last = 0.0
    for i in range(n // 2):
        last = running.send(i)
    return last


def reductions(n):
    items = [(i * 37) % 101 for i in range(100)]
    total = 0
    for _ in range(n // 1000):
        total += sum(x * x for x in items) + max(items) - min(items)
        total += any(x > 100 for x in items) + all(x >= 0 for x in items)
        total += max(items, key=lambda x: -x) + sum(map(abs, items)) + len(list(filter(None, items)))
        total += sum([x for x in items if x & 1]) + min(x for x in items if x > 10)
    return total


def records(n):
    rows = [{"name": f"row {i % 50}", "age": i % 83, "score": i * 0.5} for i in range(n // 20)]
    rows.sort(key=lambda row: (row["age"], row["name"], -row["score"]))
    best = sorted(rows, key=lambda row: row["score"], reverse=True)[:10]
    total = 0
    for row in rows:
        if row["age"] > 40 and row["name"] != "row 7":
            row["score"] += 1.0
            total += row["score"]
    return total + len(best)


def tuple_rows(n):
    rows = [(i, f"k{i % 10}", i * 0.5) for i in range(200)]
    totals = {}
    for _ in range(n // 400):
        for number, name, weight in rows:
            totals[name] = totals.get(name, 0) + number * weight
        for i, (number, name, _) in enumerate(rows):
            if i != number:
                totals[name] = 0
    return len(totals)


def big_integers(n):
    a, b, total = 0, 1, 0
    for i in range(n // 4):
        a, b = b, a + b
        if b.bit_length() > 300:
            a, b = b % 1000003, a % 1000033
        total ^= (a >> 7) & 0xFFFF
    return total


def maths(n):
    total = 0.0
    for i in range(n // 2):
        x = i * 0.001
        total += math.sin(x) * math.cos(x) + math.sqrt(x)
        total += abs(-x) + int(x) + round(x, 2) + min(x, 1.0) + max(i, 3)
        total += math.floor(x) + x**2 + divmod(i, 7)[1]
    return total


def matrices(n):
    size = 16
    a = [[float(i + j) for j in range(size)] for i in range(size)]
    b = [[float(i - j) for j in range(size)] for i in range(size)]
    for _ in range(n // (size * size * size * 4)):
        c = [[sum(a[i][k] * b[k][j] for k in range(size)) for j in range(size)] for i in range(size)]
        d = [[x + y for x, y in zip(row, other)] for row, other in zip(a, c)]
        columns = list(zip(*d))
        a[0][0] = columns[1][1] % 10.0
    return a[0][0]


def queue(n):
    graph = {i: [(i * 2) % 500, (i * 3 + 1) % 500, (i + 7) % 500] for i in range(500)}
    total = 0
    for start in range(n // 4000):
        distances, waiting = {start: 0}, deque([start])
        while waiting:
            node = waiting.popleft()
            for neighbour in graph[node]:
                if neighbour not in distances:
                    distances[neighbour] = distances[node] + 1
                    waiting.append(neighbour)
        total += max(distances.values())
    return total


def counters(n):
    counts, words = defaultdict(int), ["a", "bb", "a", "ccc", "bb", "a"]
    for i in range(n // 12):
        for word in words:
            counts[word] += 1
        stack = [1, 2, 3]
        while stack:
            stack.pop()
        stack.extend(words)
        stack.insert(0, i)
        del stack[1]
    return sum(counts.values())


def arguments(n):
    def scaled(x, *rest, factor=2, **options):
        return x * factor + len(rest) + len(options)

    def plain(x, y=3, z=4):
        return x + y - z

    total = 0
    for i in range(n // 4):
        total += scaled(i, 1, 2, factor=3) + plain(i) + plain(i, z=5) + plain(*(i, 1))
    return total


def joined(n):
    total = 0
    for i in range(n // 20):
        parts = []
        for j in range(10):
            parts.append(str(i + j))
        total += len(",".join(parts))
    return total


def grouped(n):
    groups = {}
    for i in range(n // 2):
        groups.setdefault(i % 61, []).append(i)
    return sum(len(group) for group in groups.values())


class Account:
    def __init__(self):
        self._balance = 0

    @property
    def balance(self):
        return self._balance

    @balance.setter
    def balance(self, value):
        self._balance = value if value < 1000 else 0


def properties(n):
    account = Account()
    for i in range(n // 4):
        account.balance = account.balance + i % 7
    return account.balance


def counted_in_closure(n):
    count = 0

    def step(by):
        nonlocal count
        count += by
        return count

    for i in range(n // 2):
        step(i & 3)
    return count


def parsed(n):
    words, total = ["12", "345", " 6 ", "x7", "-8"], 0
    for i in range(n // 4):
        try:
            total += int(words[i % 5])
        except ValueError:
            total -= 1
    return total


def sorted_records(n):
    total = 0
    for i in range(n // 200):
        rows = [(j * 37 % 41, "abc"[j % 3]) for j in range(20)]
        rows.sort(key=lambda row: (row[1], -row[0]))
        total += rows[0][0]
    return total


def sparse_matrix(n):
    cells = {}
    for i in range(n // 4):
        at = (i % 50, i % 30)
        cells[at] = cells.get(at, 0) + 1
    return sum(value for (row, column), value in cells.items() if row == column)


def sieve(n):
    total = 0
    for _ in range(n // 2000):
        prime = [True] * 500
        for i in range(2, 23):
            if prime[i]:
                prime[i * i :: i] = [False] * len(range(i * i, 500, i))
        total += sum(prime[2:])
    return total


def heaps(n):
    heap, total = [], 0
    for i in range(n // 8):
        heapq.heappush(heap, (i * 7919) % 1009)
        if len(heap) > 50:
            total += heapq.heappop(heap)
    return total


def bisections(n):
    edges, total = list(range(0, 1000, 7)), 0
    for i in range(n // 4):
        total += bisect.bisect_left(edges, i % 1000)
    return total


def counted_words(n):
    words, total = "the cat and the dog and the bird".split(), 0
    for i in range(n // 40):
        counts = Counter(words)
        total += counts["the"] + counts.most_common(1)[0][1]
    return total


def products(n):
    total = 0
    for _ in range(n // 400):
        for a, b in itertools.product(range(10), range(10)):
            total += a * b
        for left, right in itertools.pairwise(range(20)):
            total += right - left
    return total
