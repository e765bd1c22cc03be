"""Heaps in lists."""
from _jitlens.python import is_unknown, shorten, vague_list, wrote


@shorten
def heappush(heap, item):
    wrote(heap, False)
    heap.append(item)
    _down(heap, 0, len(heap) - 1)


@shorten
def heappop(heap):
    wrote(heap, False)
    if not heap:
        raise IndexError("index out of range")
    last = heap.pop()
    if heap:
        first = heap[0]
        heap[0] = last
        _up(heap, 0)
        return first
    return last


def heapreplace(heap, item):
    wrote(heap, False)
    first = heap[0]
    heap[0] = item
    _up(heap, 0)
    return first


def heappushpop(heap, item):
    wrote(heap, False)
    if heap and is_unknown(heap[0] < item):
        _lose(heap)
        return heap[0]
    if heap and heap[0] < item:
        item, heap[0] = heap[0], item
        _up(heap, 0)
    return item


def heapify(x):
    wrote(x, False)
    for i in reversed(range(len(x) // 2)):
        if is_unknown(len(x)):
            return
        _up(x, i)


def _down(heap, start, at):
    item = heap[at]
    while at > start:
        above = (at - 1) >> 1
        is_less = item < heap[above]
        if is_unknown(is_less):
            return _lose(heap)
        if not is_less:
            break
        heap[at] = heap[above]
        at = above
    heap[at] = item


def _lose(heap):
    """In which order the items stand is not known."""
    heap[:] = vague_list("a heap of what is not known")


def _up(heap, at):
    end = len(heap)
    start = at
    item = heap[at]
    child = 2 * at + 1
    while child < end:
        right = child + 1
        if right < end:
            is_less = heap[child] < heap[right]
            if is_unknown(is_less):
                return _lose(heap)
            if not is_less:
                child = right
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    heap[at] = item
    _down(heap, start, at)


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:n]


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:n]


def merge(*iterables, key=None, reverse=False):
    return iter(sorted([item for iterable in iterables for item in iterable], key=key, reverse=reverse))
