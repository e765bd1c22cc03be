"""How alike texts are."""

from _jitlens.python import is_unknown, unknown


def _equal_parts(a, b, popular):
    """Blocks (place, other place, length) that two sequences have in common: the longest one first, then what is on its sides."""
    places = {}
    for j, x in enumerate(b):
        places.setdefault(x, []).append(j)
    for x in popular:
        del places[x]
    found, asked = [], [(0, len(a), 0, len(b))]
    while asked:
        low, high, first, last = asked.pop()
        i, j, size = _longest(a, b, places, low, high, first, last)
        if size:
            found.append((i, j, size))
            asked.append((low, i, first, j))
            asked.append((i + size, high, j + size, last))
    return sorted(found)


def _longest(a, b, places, low, high, first, last):
    best, ends = (low, first, 0), {}
    for i in range(low, high):
        now = {}
        for j in places.get(a[i], ()):
            if first <= j < last:
                size = now[j] = ends.get(j - 1, 0) + 1
                if size > best[2]:
                    best = (i - size + 1, j - size + 1, size)
        ends = now
    i, j, size = best
    # What is popular does not begin a block, and may stand at its ends.
    while i > low and j > first and a[i - 1] == b[j - 1]:
        i, j, size = i - 1, j - 1, size + 1
    while i + size < high and j + size < last and a[i + size] == b[j + size]:
        size += 1
    return i, j, size


class SequenceMatcher:
    def __init__(self, isjunk=None, a="", b="", autojunk=True):
        self.isjunk, self.autojunk = isjunk, autojunk
        self.a, self.b = a, b

    def set_seqs(self, a, b):
        self.a, self.b = a, b

    def set_seq1(self, a):
        self.a = a

    def set_seq2(self, b):
        self.b = b

    def _known(self):
        return self.isjunk is None and not is_unknown(self.a) and not is_unknown(self.b)

    def _parts(self):
        popular = []
        if self.autojunk and len(self.b) >= 200:
            counts = {}
            for x in self.b:
                counts[x] = counts.get(x, 0) + 1
            popular = [x for x, count in counts.items() if count > len(self.b) // 100 + 1]
        return _equal_parts(self.a, self.b, popular)

    def ratio(self):
        if not self._known():
            return unknown("float", "how alike two sequences are")
        length = len(self.a) + len(self.b)
        return 2.0 * sum([size for _, _, size in self._parts()]) / length if length else 1.0

    def quick_ratio(self):
        return unknown("float", "how alike two sequences are")

    real_quick_ratio = quick_ratio

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return unknown("", f"`SequenceMatcher.{name}` is not modelled")


def get_close_matches(word, possibilities, n=3, cutoff=0.6):
    if not n > 0:
        raise ValueError(f"n must be > 0: {n!r}")
    if not 0.0 <= cutoff <= 1.0:
        raise ValueError(f"cutoff must be in [0.0, 1.0]: {cutoff!r}")
    found = [(SequenceMatcher(a=x, b=word).ratio(), x) for x in possibilities]
    return [x for _, x in sorted([one for one in found if one[0] >= cutoff], reverse=True)[:n]]
