"""Algorithms in plain Python, as textbooks have them: each of `__all__` runs once."""

import functools
from collections import deque

__all__ = [
    "fibonacci",
    "sieve",
    "sieve_of_bytes",
    "matrix_product",
    "collatz",
    "word_count",
    "sorted_quickly",
    "bubble_sort",
    "queens",
    "mandelbrot",
    "bodies_in_motion",
    "common_subsequence",
    "search_tree",
    "permutations",
    "spectral_norm",
    "fannkuch",
    "greatest_divisors",
    "palindromes",
    "fizz_buzz",
    "batches",
    "configurations",
    "breadth_first",
    "stack_of_items",
    "vectors",
    "prime_generator",
    "partitions",
    "cached_fibonacci",
    "sums_of_products",
    "transpositions",
    "caught",
    "bit_counts",
    "life",
    "lexer",
    "depth_first",
]


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def fibonacci():
    return fib(21)


def sieve():
    n = 60000
    flags = [True] * (n + 1)
    flags[0] = flags[1] = False
    i = 2
    while i * i <= n:
        if flags[i]:
            for j in range(i * i, n + 1, i):
                flags[j] = False
        i += 1
    return sum(flags)


def sieve_of_bytes():
    n = 200000
    flags = bytearray([1]) * (n + 1)
    flags[0:2] = b"\0\0"
    for i in range(2, int(n**0.5) + 1):
        if flags[i]:
            flags[i * i :: i] = bytes(len(range(i * i, n + 1, i)))
    return sum(flags)


def matrix_product():
    n = 32
    a = [[i + j for j in range(n)] for i in range(n)]
    b = [[i - j for j in range(n)] for i in range(n)]
    c = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            s = 0
            for k in range(n):
                s += a[i][k] * b[k][j]
            c[i][j] = s
    return c[3][4]


def collatz():
    best = 0
    for i in range(1, 1500):
        n, steps = i, 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        best = max(best, steps)
    return best


def word_count():
    text = "the quick brown fox jumps over the lazy dog " * 1500
    counts = {}
    for w in text.split():
        counts[w] = counts.get(w, 0) + 1
    return sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))[0]


def quicksort(xs):
    if len(xs) <= 1:
        return xs
    p = xs[len(xs) // 2]
    return quicksort([x for x in xs if x < p]) + [x for x in xs if x == p] + quicksort([x for x in xs if x > p])


def sorted_quickly():
    xs = [(i * 7919) % 10007 for i in range(4000)]
    return quicksort(xs)[10]


def bubble_sort():
    xs = [(i * 7919) % 1009 for i in range(220)]
    n = len(xs)
    for i in range(n):
        for j in range(n - 1 - i):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return xs[0]


def queens():
    n = 7
    count = 0

    def place(row, cols, d1, d2):
        nonlocal count
        if row == n:
            count += 1
            return
        for c in range(n):
            if c not in cols and row + c not in d1 and row - c not in d2:
                place(row + 1, cols | {c}, d1 | {row + c}, d2 | {row - c})

    place(0, set(), set(), set())
    return count


def mandelbrot():
    total = 0
    for py in range(36):
        for px in range(36):
            x0, y0 = px / 18 - 1.5, py / 18 - 1.0
            x = y = 0.0
            it = 0
            while x * x + y * y < 4 and it < 50:
                x, y = x * x - y * y + x0, 2 * x * y + y0
                it += 1
            total += it
    return total


class Body:
    def __init__(self, x, y, vx, vy, m):
        self.x, self.y, self.vx, self.vy, self.m = x, y, vx, vy, m


def bodies_in_motion():
    bodies = [Body(i * 1.0, i * 2.0, 0.1 * i, -0.1 * i, 1.0 + i) for i in range(5)]
    dt = 0.01
    for _ in range(600):
        for i, a in enumerate(bodies):
            for b in bodies[i + 1 :]:
                dx, dy = a.x - b.x, a.y - b.y
                d = (dx * dx + dy * dy + 0.01) ** 0.5
                f = dt / (d * d * d)
                a.vx -= dx * b.m * f
                a.vy -= dy * b.m * f
                b.vx += dx * a.m * f
                b.vy += dy * a.m * f
        for a in bodies:
            a.x += dt * a.vx
            a.y += dt * a.vy
    return bodies[0].x


def common_subsequence():
    a = "ACGTACGTTAGC" * 12
    b = "TTAGCACGGTAC" * 12
    dp = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                dp[i][j] = dp[i - 1][j - 1] + 1
            else:
                dp[i][j] = max(dp[i - 1][j], dp[i][j - 1])
    return dp[-1][-1]


class Node:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right


def insert(node, v):
    if node is None:
        return Node(v)
    if v < node.value:
        node.left = insert(node.left, v)
    else:
        node.right = insert(node.right, v)
    return node


def walk(node):
    if node is None:
        return 0
    return walk(node.left) + node.value + walk(node.right)


def search_tree():
    root = None
    for i in range(1500):
        root = insert(root, (i * 7919) % 1009)
    return walk(root)


def perms(xs):
    if not xs:
        return [[]]
    out = []
    for i in range(len(xs)):
        for rest in perms(xs[:i] + xs[i + 1 :]):
            out.append([xs[i]] + rest)
    return out


def permutations():
    return len(perms([1, 2, 3, 4, 5, 6, 7]))


def spectral_norm():
    n = 40

    def a(i, j):
        return 1.0 / ((i + j) * (i + j + 1) // 2 + i + 1)

    u = [1.0] * n
    for _ in range(6):
        v = [sum(a(i, j) * u[j] for j in range(n)) for i in range(n)]
        u = [sum(a(j, i) * v[j] for j in range(n)) for i in range(n)]
    return u[0]


def fannkuch():
    n = 7
    p, q, s = list(range(n)), [0] * n, list(range(n))
    sign, maxflips, total = 1, 0, 0
    while True:
        q0 = p[0]
        if q0 != 0:
            q[1:] = p[1:]
            flips = 1
            while True:
                qq = q[q0]
                if qq == 0:
                    break
                q[q0] = q0
                if q0 >= 3:
                    i, j = 1, q0 - 1
                    while i < j:
                        q[i], q[j] = q[j], q[i]
                        i += 1
                        j -= 1
                q0 = qq
                flips += 1
            total += sign * flips
            maxflips = max(maxflips, flips)
        if sign == 1:
            p[0], p[1] = p[1], p[0]
            sign = -1
        else:
            p[1], p[2] = p[2], p[1]
            sign = 1
            for i in range(2, n):
                sx = s[i]
                if sx != 0:
                    s[i] = sx - 1
                    break
                if i == n - 1:
                    return maxflips
                s[i] = i
                t = p[0]
                p[0 : i + 1] = p[1 : i + 2]
                p[i + 1] = t


def greatest_divisors():
    total = 0
    for a in range(1, 160):
        for b in range(1, 160):
            x, y = a, b
            while y:
                x, y = y, x % y
            total += x
    return total


def palindromes():
    out = 0
    for i in range(20000):
        s = str(i)
        if s == s[::-1]:
            out += 1
    return out


def fizz_buzz():
    parts = []
    for i in range(1, 30000):
        if i % 15 == 0:
            parts.append("FizzBuzz")
        elif i % 3 == 0:
            parts.append("Fizz")
        elif i % 5 == 0:
            parts.append("Buzz")
        else:
            parts.append(str(i))
    return len("".join(parts))


def batches():
    data = list(range(20000))
    total = 0
    for epoch in range(3):
        for start in range(0, len(data), 32):
            batch = data[start : start + 32]
            total += sum(x * x for x in batch)
    return total


def configurations():
    layers = []
    for i in range(6000):
        cfg = {"name": f"layer_{i}", "size": i % 64, "act": "relu" if i % 2 else "tanh"}
        cfg.update(dropout=0.1 * (i % 3))
        layers.append((cfg["name"], {k: v for k, v in cfg.items() if k != "name"}))
    return len(dict(layers))


def breadth_first():
    n = 60
    seen = {(0, 0)}
    q = deque([(0, 0, 0)])
    far = 0
    while q:
        x, y, d = q.popleft()
        far = max(far, d)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            nx, ny = x + dx, y + dy
            if 0 <= nx < n and 0 <= ny < n and (nx, ny) not in seen:
                seen.add((nx, ny))
                q.append((nx, ny, d + 1))
    return far


class Stack:
    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)

    def pop(self):
        return self.items.pop()

    def __len__(self):
        return len(self.items)


def stack_of_items():
    s = Stack()
    total = 0
    for i in range(20000):
        s.push(i)
        if len(s) > 10:
            total += s.pop()
    return total


class Vec:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)


def vectors():
    v, d = Vec(0.0, 0.0), Vec(1.0, 2.0)
    for i in range(10000):
        v = v + d * 0.5
    return v.x


def prime_generator():
    def primes():
        found = []
        n = 2
        while True:
            if all(n % p for p in found if p * p <= n):
                found.append(n)
                yield n
            n += 1

    total = 0
    for p in primes():
        if p > 1500:
            break
        total += p
    return total


def partitions():
    cache = {}

    def ways(n, k):
        if n == 0:
            return 1
        if n < 0 or k == 0:
            return 0
        if (n, k) not in cache:
            cache[n, k] = ways(n - k, k) + ways(n, k - 1)
        return cache[n, k]

    return ways(180, 60)


def cached_fibonacci():
    @functools.lru_cache(maxsize=None)
    def f(n):
        return n if n < 2 else f(n - 1) + f(n - 2)

    t = 0
    for i in range(300):
        t += f(i) % 7
    return t


def sums_of_products():
    a = [i * 0.5 for i in range(20000)]
    b = [i * 0.25 for i in range(20000)]
    return sum(x * y for x, y in zip(a, b)) + max(abs(x - y) for x, y in zip(a, b))


def transpositions():
    m = [[i * j for j in range(50)] for i in range(50)]
    for _ in range(8):
        m = [list(r) for r in zip(*m)]
        m = [[x + 1 for x in r] for r in m]
    return m[3][4]


def caught():
    t = 0
    for i in range(20000):
        try:
            if i % 7 == 0:
                raise ValueError(i)
            t += i
        except ValueError:
            t -= 1
    return t


def bit_counts():
    t = 0
    for i in range(20000):
        x = i
        c = 0
        while x:
            x &= x - 1
            c += 1
        t += c ^ (i >> 3)
    return t


def life():
    n = 24
    g = [[(i * 3 + j * 5) % 7 < 3 for j in range(n)] for i in range(n)]
    for _ in range(4):
        g = [
            [
                (lambda s: s == 3 or (g[i][j] and s == 2))(  # noqa: B023
                    sum(g[(i + di) % n][(j + dj) % n] for di in (-1, 0, 1) for dj in (-1, 0, 1) if di or dj)
                )
                for j in range(n)
            ]
            for i in range(n)
        ]
    return sum(map(sum, g))


def lexer():
    s = "hello world, this is a test of the lexer 123 + 456" * 40
    tokens, cur = [], ""
    for ch in s:
        if ch.isalnum():
            cur += ch
        else:
            if cur:
                tokens.append(cur)
                cur = ""
            if not ch.isspace():
                tokens.append(ch)
    return len(tokens)


def depth_first():
    graph = {i: [(i * 2 + 1) % 997, (i * 3 + 2) % 997] for i in range(997)}
    total = 0
    for s in range(6):
        seen = set()
        stack = [s]
        while stack:
            n = stack.pop()
            if n in seen:
                continue
            seen.add(n)
            stack.extend(graph[n])
        total += len(seen)
    return total
