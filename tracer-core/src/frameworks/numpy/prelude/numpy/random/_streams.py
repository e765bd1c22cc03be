"""Seeds and bit generators."""
from _jitlens import core
from _jitlens.python import is_unknown


def words_of(seed, what="SeedSequence expects int or sequence of ints for entropy not {}"):
    """The 32-bit words of a seed, lowest first; None for none; unknown where the seed is."""
    if is_unknown(seed) or seed is None:
        return None
    if core.is_array(seed):
        raise TypeError(what.format(seed))
    if core.is_static_integer(seed) and core.ndim(seed) == 0 and not core.is_numpy_array(seed) or isinstance(seed, bool):
        seed = int(seed)
        if is_unknown(seed):
            return None
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
        if core.is_numpy_array(seed) and core.ndim(seed) == 0:
            raise TypeError("len() of unsized object")
        seed = seed.tolist()
        if not isinstance(seed, list):
            return words_of(seed, what)
    words = []
    for item in seed:
        if isinstance(item, str):
            if not (item.isdigit() or item.startswith("0x")):
                raise ValueError("unrecognized seed string")
            item = int(item, 16 if item.startswith("0x") else 10)
        of_item = words_of(item, what)
        if of_item is None and is_unknown(item):
            return None
        words += of_item
    return words


class SeedSequence:
    def __init__(self, entropy=None, *, spawn_key=(), pool_size=4, n_children_spawned=0):
        if pool_size is None:
            raise TypeError("'<' not supported between instances of 'NoneType' and 'int'")
        if core.ndim(spawn_key) and core.numpy_array(spawn_key).dtype.kind == "f" and core.size(core.numpy_array(spawn_key)):
            raise TypeError("SeedSequence expects int or sequence of ints for entropy not " + str(spawn_key[0]))
        if core.is_array(entropy):
            raise TypeError(f"SeedSequence expects int or sequence of ints for entropy not {entropy}")
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
        if type(self) is BitGenerator:
            raise NotImplementedError("BitGenerator is a base class and cannot be instantized")
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
        if seed is not None and key is not None:
            raise ValueError("seed and key cannot be both used")
        super().__init__(seed)
        _check_words(key, "key", 2)
        _check_words(counter, "counter", 4)


class SFC64(BitGenerator):
    pass


def _check_words(value, name, count):
    """Refuses what is no number of so many 64-bit words, nor the words."""
    if value is None:
        return
    if isinstance(value, str):
        value = int(value)
    if isinstance(value, int):
        number, ndim = value, 0
    else:
        value = core.numpy_array(value)
        number, ndim = int(value.item()) if value.ndim == 0 else 0, value.ndim
    if ndim == 0 and (number < 0 or number >= 2 ** (64 * count)):
        raise ValueError(f"{name} must be positive and less than 2**{64 * count}.")
    if ndim and value.shape != (count,):
        raise ValueError(f"{name} must have {count} elements when using array form")


def size_of(size):
    if size is None:
        return ()
    if type(size) is int:
        made = (size,)
    else:
        if isinstance(size, bool):
            raise TypeError("expected a sequence of integers or a single integer, got 'True'")
        made = tuple(size) if isinstance(size, (tuple, list, range)) or core.ndim(size) else (core.index(size),)
    for n in made:
        if type(n) is int and n < 0:
            raise ValueError("negative dimensions are not allowed")
    return made


def count_of(size):
    """How many numbers a size asks for; None where no size is given."""
    if size is None:
        return None
    if isinstance(size, str):
        from numpy._core._exceptions import _UFuncNoLoopError
        raise _UFuncNoLoopError("ufunc 'multiply' did not contain a loop with signature matching types (dtype('<U1'), dtype('<U1')) -> None")
    total = 1
    for n in size_of(size):
        total *= n
    return total
