"""`hashlib`: the digests that every Python has."""

from _jitlens.python import digest, unknown

# The size of a digest, and of the blocks that it is made of, in bytes.
_SIZES = {
    "md5": (16, 64), "sha1": (20, 64), "sha224": (28, 64), "sha256": (32, 64), "sha384": (48, 128), "sha512": (64, 128),
    "sha3_224": (28, 144), "sha3_256": (32, 136), "sha3_384": (48, 104), "sha3_512": (64, 72),
    "shake_128": (0, 168), "shake_256": (0, 136), "blake2b": (64, 128), "blake2s": (32, 64),
}

algorithms_guaranteed = set(_SIZES)
algorithms_available = algorithms_guaranteed


class _Hash:
    def __init__(self, name, data=b"", size=None):
        self.name = name
        self.digest_size, self.block_size = _SIZES[name]
        if size is not None:
            self.digest_size = size
        self.update(data)

    def update(self, data):
        if isinstance(data, str):
            raise TypeError("Strings must be encoded before hashing")
        self._data = getattr(self, "_data", b"") + bytes(data)

    def digest(self):
        return digest(self.name, self._data, self.digest_size)

    def hexdigest(self):
        return self.digest().hex()

    def copy(self):
        return type(self)(self.name, self._data, self.digest_size)


class _Shake(_Hash):
    def digest(self, length):
        return digest(self.name, self._data, length)

    def hexdigest(self, length):
        return self.digest(length).hex()


def _hash(name, data=b""):
    return (_Shake if name.startswith("shake") else _Hash)(name, data)


def new(name, data=b"", *, usedforsecurity=True, **options):
    name = name.lower().replace("-", "_")
    if name in ("sha_1", "sha_224", "sha_256", "sha_384", "sha_512"):
        name = name.replace("_", "")
    if name not in _SIZES or options:
        return unknown("", f"`hashlib.new` of `{name}` is not modelled")
    return _hash(name, data)


def _constructor(name):
    def make(data=b"", *, usedforsecurity=True, string=None):
        return _hash(name, data if string is None else string)

    make.__name__ = name
    return make


def _blake(name):
    longest = _SIZES[name][0]

    def make(data=b"", *, digest_size=longest, usedforsecurity=True, string=None, **options):
        if not 1 <= digest_size <= longest:
            raise ValueError(f"digest_size must be between 1 and {longest} bytes")
        # Keys, salts and trees.
        if any(options.values()):
            return unknown("", f"options of `hashlib.{name}` are not modelled")
        return _Hash(name, data if string is None else string, digest_size)

    make.__name__ = name
    return make


def __getattr__(name):
    if name in _SIZES:
        return _blake(name) if name.startswith("blake") else _constructor(name)
    raise AttributeError(f"module 'hashlib' has no attribute {name!r}")
