# heapq and bisect: plain values of every kind, NaN, and what cannot be compared.
import bisect
import heapq

def lcg(n, seed):
    out = []
    for i in range(n):
        seed = (seed * 1103515245 + 12345) % 2147483648
        out.append(seed)
    return out
def run(make, n=200):
    heap = []
    got = []
    for i, x in enumerate(lcg(n, 7)):
        heapq.heappush(heap, make(x, i))
        if x % 3 == 0:
            got.append(heapq.heappop(heap))
    state = list(heap)
    while heap:
        got.append(heapq.heappop(heap))
    return got, state
def places(make, n=100):
    rows = sorted(make(x, i) for i, x in enumerate(lcg(n, 3)))
    out = []
    for i, x in enumerate(lcg(n, 5)):
        out.append(bisect.bisect_left(rows, make(x, i)) * 1000 + bisect.bisect_right(rows, make(x, i)))
        out.append(bisect.bisect(rows, rows[i]))
        out.append(bisect.bisect_left(rows, rows[i]))
    return out
kinds = [lambda x, i: x % 50, lambda x, i: x / 7, lambda x, i: str(x % 90), lambda x, i: (x % 5, i), lambda x, i: (x % 5, -i, 'a'), lambda x, i: x % 9 if x % 2 else float(x % 9), lambda x, i: x % 2 == 0]
def digest(text):
    total = 0
    for c in text:
        total = (total * 31 + ord(c)) % 1000000007
    return total

digests = [digest(repr((run(make), places(make)))) for make in kinds]
assert digests == [800309248, 276147332, 689836804, 248884092, 526284712, 323654396, 654547303], digests
nan = float('nan')
heap = []
for x in [3.0, nan, 1.0, 2.0, nan, 0.5]:
    heapq.heappush(heap, x)
assert repr(heap) == '[0.5, nan, 1.0, 2.0, nan, 3.0]', heap
popped = [heapq.heappop(heap) for _ in range(6)]
assert repr(popped) == '[0.5, 1.0, 3.0, nan, nan, 2.0]', popped
heap = [1]
try:
    heapq.heappush(heap, 'a')
except TypeError as error:
    assert str(error) == "'<' not supported between instances of 'str' and 'int'", error
assert heap == [1, 'a'], heap
try:
    heapq.heappop([])
except IndexError as error:
    assert str(error) == 'index out of range', error
else:
    raise AssertionError('nothing was raised')
