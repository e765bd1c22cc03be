"""Files: written ones are none of ours; read ones are known where they lie in the workspace and the program does not write them."""
from _jitlens import core
from _jitlens.python import impure

from ._creation import asanyarray

_written = []


class NpzFile:
    """The arrays of an archive."""

    def __init__(self, pairs):
        self._arrays = dict(pairs)
        self.files = list(self._arrays)
        self.f = self

    def __getitem__(self, key):
        if key not in self._arrays and key.removesuffix(".npy") in self._arrays:
            key = key.removesuffix(".npy")
        if key not in self._arrays:
            raise KeyError(f"{key} is not a file in the archive")
        return self._arrays[key]

    def __getattr__(self, name):
        try:
            return self._arrays[name]
        except KeyError:
            raise AttributeError(name) from None

    def __contains__(self, key):
        return key in self._arrays or key.removesuffix(".npy") in self._arrays

    def __iter__(self):
        return iter(self.files)

    def __len__(self):
        return len(self.files)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None

    def keys(self):
        return self._arrays.keys()

    def values(self):
        return self._arrays.values()

    def items(self):
        return self._arrays.items()

    def get(self, key, default=None):
        return self[key] if key in self else default

    def close(self):
        return None


def _path(file):
    """The path of a file that may be read; unknown for what is none, and for files that the program writes."""
    text = file if isinstance(file, str) else str(file) if hasattr(file, "__fspath__") else None
    if text is None or any(other is None or other == text for other in _written):
        return core.unknown("the contents of a file")
    return text


def load(file, mmap_mode=None, allow_pickle=False, fix_imports=True, encoding="ASCII", *, max_header_size=10000):
    found = core.read_arrays(_path(file))
    return NpzFile(found) if isinstance(found, list) else found


def loadtxt(fname, dtype=float, comments="#", delimiter=None, converters=None, skiprows=0, usecols=None, unpack=False, ndmin=0,
            encoding=None, max_rows=None, *, quotechar=None, like=None):
    if converters is not None or quotechar is not None or like is not None:
        return core.unknown("a table that is read in a way of its own")
    return _table(fname, dtype, comments, delimiter, skiprows, 0, usecols, unpack, ndmin, False, max_rows)


def genfromtxt(fname, dtype=float, comments="#", delimiter=None, skip_header=0, skip_footer=0, converters=None, missing_values=None,
               filling_values=None, usecols=None, names=None, unpack=False, ndmin=0, **others):
    if others or converters is not None or missing_values is not None or filling_values is not None or names is not None:
        return core.unknown("a table that is read in a way of its own")
    return _table(fname, dtype, comments, delimiter, skip_header, skip_footer, usecols, unpack, ndmin, True)


def _table(fname, dtype, comments, delimiter, first, last, usecols, unpack, ndmin, missing, rows=None):
    from numpy import dtype as dtype_of
    columns = usecols if usecols is None else [usecols] if isinstance(usecols, int) else list(usecols)
    if columns is not None and any(column < 0 for column in columns) or comments is not None and not isinstance(comments, str):
        return core.unknown("a table that is read in a way of its own")
    kind = dtype_of(dtype).kind
    if kind not in "fiu":
        return core.unknown("a table of other numbers than floats and integers")
    table = core.read_table(_path(fname), delimiter, comments, first, last, columns, missing)[:rows]
    if kind != "f" and not (abs(table) < 2**53).all() or kind != "f" and (table % 1 != 0).any():
        return core.unknown("a table of integers that are none, or large")
    table = table.astype(dtype)
    if ndmin < 2:
        table = table.squeeze()
    if ndmin == 1:
        table = table.reshape(-1) if table.ndim == 0 else table
    return table.T if unpack else table


def save(file, arr, allow_pickle=True, fix_imports=True):
    _write(file, arr)


def savetxt(fname, X, *args, **kwargs):
    _write(fname, X)


def savez(file, *args, allow_pickle=True, **kwds):
    _write(file, *args, *kwds.values())


def savez_compressed(file, *args, allow_pickle=True, **kwds):
    _write(file, *args, *kwds.values())


def _write(file, *arrays):
    text = file if isinstance(file, str) else str(file) if hasattr(file, "__fspath__") else None
    _written.extend([text, None if text is None else text + ".npy", None if text is None else text + ".npz"])
    for array in arrays:
        asanyarray(array)           # raises for tracers: they have no numbers
    impure("saved")
