"""Dtypes of what is no number: `object`, and those of texts, with the length of the longest one."""
from _jitlens import core
from _jitlens.python import is_unknown, unknown


class OtherType:
    """`numpy.dtype` of objects or texts."""

    def __init__(self, kind, length):
        self.kind, self.length = kind, length

    @property
    def itemsize(self):
        return 8 if self.kind == "O" else self.length * (4 if self.kind == "U" else 1)

    @property
    def char(self):
        return self.kind

    @property
    def names(self):
        return None

    @property
    def fields(self):
        return None

    @property
    def shape(self):
        return ()

    @property
    def ndim(self):
        return 0

    @property
    def hasobject(self):
        return self.kind == "O"

    @property
    def type(self):
        return core.numpy_class({"O": "object_", "U": "str_", "S": "bytes_"}[self.kind])

    @property
    def str(self):
        return "|O" if self.kind == "O" else f"{'<' if self.kind == 'U' else '|'}{self.kind}{self.length}"

    @property
    def name(self):
        return "object" if self.kind == "O" else f"{'str' if self.kind == 'U' else 'bytes'}{8 * self.itemsize or ''}"

    def __eq__(self, other):
        if not is_other(other):
            return False
        other = of(other)
        return self.kind == other.kind and self.length == other.length

    def __hash__(self):
        return hash((self.kind, self.length))

    def __str__(self):
        return "object" if self.kind == "O" else self.str

    def __repr__(self):
        return f"dtype('{'O' if self.kind == 'O' else self.str}')"


core.stands_for(OtherType, core.numpy_class("dtype"))
OBJECT = OtherType("O", 0)


def names(dtype):
    """Whether it is the name of such a dtype, or a class of NumPy's or a dtype that is one."""
    if isinstance(dtype, OtherType):
        return True
    if isinstance(dtype, type):
        return dtype in (core.numpy_class("object_"), core.numpy_class("str_"), core.numpy_class("bytes_"))
    if not isinstance(dtype, str):
        return False
    plain = dtype.lstrip("<|=")
    return plain in ("object", "str", "bytes") or plain[:1] in ("O", "U", "S") and (plain[1:].isdigit() or len(plain) == 1)


def is_other(dtype):
    """Whether it stands for such a dtype."""
    return isinstance(dtype, OtherType) or dtype is object or dtype is str or dtype is bytes or names(dtype)


def of(dtype):
    """The dtype that is asked for."""
    if isinstance(dtype, OtherType):
        return dtype
    if not isinstance(dtype, str):
        dtype = {"object": "O", "str": "U", "bytes": "S"}[dtype.__name__.rstrip("_")]
    plain = dtype.lstrip("<|=")
    plain = {"object": "O", "str": "U", "bytes": "S"}.get(plain, plain)
    return OBJECT if plain[0] == "O" else OtherType(plain[0], int(plain[1:] or 0))


def _length(item):
    return unknown("int", "how long a text is") if is_unknown(item) else len(item)


def longest(texts, kind):
    """The dtype that holds texts."""
    length = 1
    for text in texts:
        own = _length(text)
        if is_unknown(own):
            return OtherType(kind, own)
        length = max(length, own)
    return OtherType(kind, length)


def joined(dtypes):
    """The dtype of arrays together."""
    kinds = {dtype.kind for dtype in dtypes}
    if "O" in kinds:
        return OBJECT
    if len(kinds) > 1:
        return core.unknown("texts beside bytes")
    lengths = [dtype.length for dtype in dtypes]
    open_ones = [length for length in lengths if is_unknown(length)]
    return OtherType(dtypes[0].kind, open_ones[0] if open_ones else max(lengths))


def common(items):
    """The dtype that NumPy finds for items."""
    if any([is_unknown(isinstance(item, str)) for item in items]):
        core.unknown("the dtype of an array of items that are not known")
    has_text = any([isinstance(item, str) for item in items])
    if has_text and all([isinstance(item, (str, int, float, bool)) or core.is_numpy_scalar(item) for item in items]):
        widths = [_length(item) if isinstance(item, str) else width(item) for item in items]
        open_ones = [n for n in widths if is_unknown(n)]
        return OtherType("U", open_ones[0] if open_ones else max(max(widths), 1))
    if items and all([isinstance(item, bytes) for item in items]):
        return longest(items, "S")
    if has_text and any([isinstance(item, bytes) for item in items]):
        core.unknown("texts beside bytes")
    return OBJECT


def width(number):
    """So many characters a number takes in an array of texts."""
    if isinstance(number, bool) or core.is_numpy_scalar(number) and number.dtype.kind == "b":
        return 5
    if core.is_numpy_scalar(number):
        kind, size = number.dtype.kind, number.dtype.itemsize
        return {"i": {1: 4, 2: 6, 4: 11, 8: 21}, "u": {1: 3, 2: 5, 4: 10, 8: 20}}[kind][size] if kind in "iu" else 32
    return 21 if isinstance(number, int) else 32


def as_text(item, kind):
    """An item as a text of this kind."""
    item = plain(item)
    if is_unknown(item) or isinstance(item, str if kind == "U" else bytes):
        return item
    if kind == "U" and isinstance(item, bytes):
        return item.decode("ascii")
    return str(item) if kind == "U" else str(item).encode("ascii")


def as_number(item, dtype):
    """An item as something that an array of numbers takes."""
    item = plain(item)
    if isinstance(item, bytes):
        item = item.decode("ascii")
    if item is None:
        return float("nan")
    if isinstance(item, (str, int, float, complex, bool)) or core.is_numpy_scalar(item) or is_unknown(item):
        return item
    return core.unknown("an object as a number")


def scalar(item, kind):
    """A text as NumPy's scalar."""
    if kind == "O" or is_unknown(item):
        return item
    return core.numpy_class("str_" if kind == "U" else "bytes_")(item)


def plain(item):
    """A scalar of NumPy's as Python's own text."""
    if isinstance(item, str) and type(item) is not str:
        return str(item)
    if isinstance(item, bytes) and type(item) is not bytes:
        return bytes(item)
    return item


def either(condition, x, y):
    """One of two items."""
    if is_unknown(condition):
        return unknown("any", "which of two items an array has")
    return x if condition else y


def shown(array, is_repr):
    """What NumPy prints of an array that fits on a line."""
    if array.size > 1000:
        return unknown("str", "a long array as a text")
    text_of = repr if is_repr or array.dtype.kind != "O" else str
    if array.ndim > 1 or any([is_unknown(item) for item in array.flat]):
        return unknown("str", "an array of objects as a text")
    between = ", " if is_repr else " "
    items = [text_of(plain(item)) for item in array.flat]
    text = "[" + between.join(items) + "]" if array.shape else items[0]
    if is_repr:
        kind = "object" if array.dtype.kind == "O" else f"'{array.dtype.str}'"
        text = f"array({text}, dtype={kind})"
    if "\n" not in text and len(text) <= 75:
        return text
    return unknown("str", "a long array as a text")
