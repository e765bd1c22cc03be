"""Steps of paths through pytrees."""


def _check(name, kind, value):
    """Keys of trees are compiled, and take a number or a text alone."""
    if kind == "str":
        right = isinstance(value, str)
    else:
        right = not (isinstance(value, (float, str, list, tuple, dict)) or value is None or hasattr(value, "dtype") and value.ndim)
    if not right:
        raise TypeError("__init__(): incompatible function arguments. The following argument types are supported:\n"
                        f"    1. __init__(self, {name}: {kind}) -> None")


class SequenceKey:
    __match_args__ = ("idx",)

    def __init__(self, idx):
        _check("idx", "int", idx)
        self.idx = idx

    def __eq__(self, other):
        return isinstance(other, SequenceKey) and self.idx == other.idx

    def __hash__(self):
        return hash(self.idx)

    def __str__(self):
        return f"[{self.idx!r}]"

    def __repr__(self):
        return f"SequenceKey(idx={self.idx!r})"


class DictKey:
    __match_args__ = ("key",)

    def __init__(self, key):
        self.key = key

    def __eq__(self, other):
        return isinstance(other, DictKey) and self.key == other.key

    def __hash__(self):
        return hash(self.key)

    def __str__(self):
        return f"[{self.key!r}]"

    def __repr__(self):
        return f"DictKey(key={self.key!r})"


class GetAttrKey:
    __match_args__ = ("name",)

    def __init__(self, name):
        _check("name", "str", name)
        self.name = name

    def __eq__(self, other):
        return isinstance(other, GetAttrKey) and self.name == other.name

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        return f".{self.name}"

    def __repr__(self):
        return f"GetAttrKey(name={self.name!r})"


class FlattenedIndexKey:
    __match_args__ = ("key",)

    def __init__(self, key):
        _check("key", "int", key)
        self.key = key

    def __eq__(self, other):
        return isinstance(other, FlattenedIndexKey) and self.key == other.key

    def __hash__(self):
        return hash(self.key)

    def __str__(self):
        return f"[<flat index {self.key}>]"

    def __repr__(self):
        return f"FlattenedIndexKey(key={self.key!r})"
