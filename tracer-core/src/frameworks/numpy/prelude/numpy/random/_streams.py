"""Seeds and bit generators."""
from _jitlens import core


def words_of(seed, what="SeedSequence expects int or sequence of ints for entropy not {}"):
    """The 32-bit words of a seed, lowest first; None for none; unknown where the seed is."""
    if seed is None:
        return None
    if core.is_static_integer(seed) or isinstance(seed, bool):
        seed = int(seed)
        if seed < 0:
            raise ValueError("expected non-negative integer")
        words = [seed & 0xFFFFFFFF]
        seed >>= 32
        while seed:
            words.append(seed & 0xFFFFFFFF)
            seed >>= 32
        return words
    if isinstance(seed, str):
        raise TypeError(what.format(seed))
    if hasattr(seed, "tolist"):
        seed = seed.tolist()
        if not isinstance(seed, list):
            return words_of(seed, what)
    words = []
    for item in seed:
        words += words_of(item, what)
    return words


class SeedSequence:
    def __init__(self, entropy=None, *, spawn_key=(), pool_size=4, n_children_spawned=0):
        if pool_size is None:
            raise TypeError("'<' not supported between instances of 'NoneType' and 'int'")
        if core.ndim(spawn_key) and core.numpy_array(spawn_key).dtype.kind == "f" and core.size(core.numpy_array(spawn_key)):
            raise TypeError("SeedSequence expects int or sequence of ints for entropy not " + str(spawn_key[0]))
        self.entropy = entropy
        self.spawn_key = tuple(spawn_key)
        self.pool_size = pool_size
        self.n_children_spawned = n_children_spawned

    def _parts(self):
        return words_of(self.entropy), [word for key in self.spawn_key for word in words_of(key)]

    def generate_state(self, n_words, dtype="uint32"):
        words, key = self._parts()
        dtype = core.numpy_dtype_from(dtype)
        if words is None:
            return core.numpy_opaque((n_words,), dtype)
        return core.random_words(words, key, n_words, dtype.itemsize == 8)

    def spawn(self, n_children):
        first = self.n_children_spawned
        self.n_children_spawned += n_children
        return [SeedSequence(self.entropy, spawn_key=self.spawn_key + (first + i,)) for i in range(n_children)]


class BitGenerator:
    _kind = "unmodelled"

    def __init__(self, seed=None):
        self.seed_seq = self._seed_seq = seed if isinstance(seed, SeedSequence) else SeedSequence(seed)
        words, key = self.seed_seq._parts()
        self._stream = core.random_stream(self._kind, words, key)

    def spawn(self, n_children):
        return [type(self)(child) for child in self.seed_seq.spawn(n_children)]

    @property
    def state(self):
        return {"bit_generator": type(self).__name__, "state": core.random_position(self._stream)}

    @state.setter
    def state(self, value):
        core.random_set_position(self._stream, value["state"])

    def random_raw(self, size=None, output=True):
        return core.random_draw(self._stream, "raw", (), size_of(size), core.named_dtype("uint64"))

    def advance(self, delta):
        core.random_set_position(self._stream, None)
        return self

    def jumped(self, jumps=1):
        made = type(self)()
        return made

    def __repr__(self):
        return f"<{type(self).__name__}>"


class PCG64(BitGenerator):
    _kind = "pcg64"


class MT19937(BitGenerator):
    _kind = "mt19937"

    def _legacy_seeding(self, seed):
        core.random_set_position(self._stream, None)


class PCG64DXSM(BitGenerator):
    pass


class Philox(BitGenerator):
    def __init__(self, seed=None, counter=None, key=None):
        super().__init__(seed)


class SFC64(BitGenerator):
    pass


def size_of(size):
    if size is None:
        return ()
    return tuple(size) if isinstance(size, (tuple, list)) or core.ndim(size) else (core.index(size),)
