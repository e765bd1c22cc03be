"""`hashlib`: the common digests."""

from _jitlens.python import digest, unknown

algorithms_guaranteed = {"md5", "sha1", "sha224", "sha256", "sha384", "sha512"}
algorithms_available = algorithms_guaranteed


class _Hash:
    block_size = 64

    def __init__(self, name, data=b""):
        self.name = name
        self._data = bytes(data)

    @property
    def digest_size(self):
        return len(self.digest())

    def update(self, data):
        self._data = self._data + bytes(data)

    def digest(self):
        return digest(self.name, self._data)

    def hexdigest(self):
        return self.digest().hex()

    def copy(self):
        return _Hash(self.name, self._data)


def new(name, data=b"", *, usedforsecurity=True):
    return _Hash(name.lower(), data)


def _constructor(name):
    def make(data=b"", *, usedforsecurity=True):
        return _Hash(name, data)

    make.__name__ = name
    return make


def __getattr__(name):
    if name in algorithms_guaranteed:
        return _constructor(name)
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`hashlib.{name}` is not modelled")
