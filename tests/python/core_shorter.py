"""Shorter ways through code that runs often: deques, generators that stand for others, arguments that are gathered, and
values that stand already where they are read to."""

from collections import deque


def raised(call, *args):
    try:
        call(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None


class Window(deque):
    """Does more than the class it is of."""

    appended = 0

    def append(self, x):
        self.appended += 1
        super().append(x)

    def __len__(self):
        return super().__len__() + 100


class Never(deque):
    def __bool__(self):
        return False


def deques():
    for kind in (deque, Window):
        queue = kind()
        for i in range(40):
            queue.append(i)
            queue.appendleft(-i)
            if i % 3 == 0:
                assert queue.popleft() == -i and queue.pop() == i
        assert list(queue)[:3] == [-38, -37, -35] and list(queue)[-3:] == [35, 37, 38]
        assert queue[0] == -38 and queue[5] == -31
    assert queue.appended == 40 and len(queue) == 152 and queue

    for most in (1, 3, None):
        last, first = deque([], most), deque(maxlen=most)
        for i in range(30):
            last.append(i)
            first.appendleft(i)
        kept = 30 if most is None else most
        assert list(last) == list(range(30))[-kept:], last
        assert list(first) == list(range(30))[::-1][:kept], first
    nothing = deque(maxlen=0)
    for i in range(20):
        nothing.append(i)
        nothing.appendleft(i)
        assert not nothing and len(nothing) == 0

    waiting, rounds = deque(range(5)), 0
    while waiting:
        rounds += waiting.popleft()
        if rounds == 3:
            waiting.append(7)
    assert rounds == 17 and not waiting
    never = Never([1])
    for _ in range(20):
        assert not never and len(never) == 1

    for _ in range(20):
        empty = deque()
        assert raised(empty.popleft) == raised(empty.pop) == "IndexError: pop from an empty deque"
        assert raised(empty.append) and raised(empty.append, 1, 2) and raised(empty.pop, 0)
        assert raised(lambda: deque([1])[1]) == "IndexError: deque index out of range"
        assert deque([4, 5])[True] == 5
    own = deque([1, 2])
    own.append(own)
    assert own[2] is own and len(own) == 3


def walk(low, high):
    if low < high:
        middle = (low + high) // 2
        left = yield from walk(low, middle)
        yield middle
        right = yield from walk(middle + 1, high)
        return left + right + 1
    return 0


def counting(log):
    got = []
    try:
        while True:
            got.append((yield len(got)))
            if len(got) == 30:
                return got
    except KeyError as error:
        log.append(str(error))
        yield "handled"
        return "over"
    finally:
        log.append("closed")


def standing(log, *inner):
    try:
        result = yield from counting(*inner)
        log.append(result)
    except ZeroDivisionError:
        log.append("divided")
        yield -1
    yield from ()
    yield from [1, 2]


def failing(n):
    yield n
    if n == 0:
        raise LookupError("deep")
    yield from failing(n - 1)


def within(n, own):
    yield n
    if n:
        yield from within(n - 1, own)
    else:
        yield raised(next, own[0])


def delegation():
    assert list(walk(0, 60)) == list(range(60))
    generator = walk(0, 25)
    while True:
        try:
            next(generator)
        except StopIteration as stop:
            assert stop.value == 25
            break

    log = []
    generator = standing(log, log)
    assert [next(generator) for _ in range(12)] == list(range(12))
    assert generator.send("x") == 12 and next(generator) == 13
    assert generator.throw(KeyError("k")) == "handled" and list(generator) == [1, 2]
    assert log == ["'k'", "closed", "over"]

    log = []
    generator = standing(log, log)
    assert [next(generator) for _ in range(15)][-1] == 14
    assert generator.throw(ZeroDivisionError) == -1 and log == ["closed", "divided"] and list(generator) == [1, 2]

    log = []
    assert list(standing(log, log)) == [*range(30), 1, 2] and log == ["closed", [None] * 30]

    items = []
    try:
        for item in failing(12):
            items.append(item)
    except LookupError as error:
        assert str(error) == "deep"
    assert items == list(range(12, -1, -1))

    own = []
    own.append(within(10, own))
    assert list(own[0])[-1] == "ValueError: generator already executing"

    # One that another asks for items in between.
    inner = walk(0, 20)

    def outer():
        yield from inner

    mixed, generator = [], outer()
    for i in range(10):
        mixed.append(next(generator))
        mixed.append(next(inner))
    assert mixed == list(range(20)) and raised(next, generator) == "StopIteration: " and list(inner) == []

    # It ends where who stands for it is in the middle.
    inner = walk(0, 3)
    generator = outer()
    assert next(generator) == 0 and list(inner) == [1, 2] and list(generator) == []


def scaled(x, *rest, factor=2, **options):
    return x * factor, rest, options


def first(a, b=5, /, c=6, *, d=7, **others):
    return a, b, c, d, others


def rest_only(*rest):
    return rest


def arguments():
    kept = []
    for i in range(30):
        assert scaled(i) == (2 * i, (), {})
        assert scaled(i, 1, 2, factor=3) == (3 * i, (1, 2), {})
        assert scaled(i, factor=i, b=1, a=i) == (i * i, (), {"b": 1, "a": i})
        assert list(scaled(x=i, z=1, y=2)[2]) == ["z", "y"]
        assert first(i) == (i, 5, 6, 7, {}) and first(i, 1, d=2) == (i, 1, 6, 2, {})
        assert first(i, b=1, a=2, e=3) == (i, 5, 6, 7, {"b": 1, "a": 2, "e": 3})
        assert rest_only() == () and rest_only(i, [i]) == (i, [i])
        kept.append(scaled(1, i, k=i))
        assert raised(lambda: scaled(factor=i)) == "TypeError: scaled() missing 1 required positional argument: 'x'"
        assert raised(lambda: scaled(i, x=1)) == "TypeError: scaled() got multiple values for argument 'x'"
        assert raised(lambda: rest_only(k=1)) == "TypeError: rest_only() got an unexpected keyword argument 'k'"
        assert raised(lambda: first(b=1)) == "TypeError: first() missing 1 required positional argument: 'a'"
        assert raised(lambda: first(1, 2, 3, 4)) == (
            "TypeError: first() takes from 1 to 3 positional arguments but 4 were given"
        )
    assert [(more, options) for _, more, options in kept] == [((i,), {"k": i}) for i in range(30)]
    kept[3][2]["k"] = "changed"
    assert kept[4][2] == {"k": 4}

    def captures(*rest, **options):
        return lambda: (rest, options)

    assert [captures(i, k=i)() for i in range(20)] == [((i,), {"k": i}) for i in range(20)]


class Holder:
    kind = "kind"

    def __init__(self):
        self.items = [0]
        self.name = "name"


def standing_values():
    # The same object is read again and again, and another one at last.
    rows, holder, word = [[1], [2]], Holder(), "word"
    total = 0

    def captured():
        return rows, word

    for i in range(30):
        assert captured() == (rows, word) and captured()[0] is rows
        row = rows[i % 2]
        row[0] += 1
        total += rows[0][0] + rows[1][0] + holder.items[0]
        holder.items[0] += 1
        if i == 20:
            rows = [[5], [6]]
            holder.items = [100]
            word = "other"
            holder.name = word
    assert total == 1584, total
    assert rows == [[9], [11]] and holder.items == [109], (rows, holder.items) and (holder.name, word) == ("other", "other")
    texts = []
    for i in range(12):
        text = "a" if i % 2 else "b"
        text += "c"
        texts.append(text)
    assert texts == ["bc", "ac"] * 6
    for container in ([1], {1: 2}, {1}, [], {}, set()):
        found = []
        for _ in range(12):
            if container:
                found.append(container.pop() if not isinstance(container, dict) else container.popitem())
        assert len(found) <= 1 and not container


deques()
delegation()
arguments()
standing_values()
