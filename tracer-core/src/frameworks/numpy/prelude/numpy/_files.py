"""Files: written ones are none of ours; read ones are known where they lie in the workspace and the program does not write them."""
from io import BufferedIOBase, BytesIO, StringIO

from _jitlens import core
from _jitlens.python import bytes_of, impure, is_unknown, note_written, unpickled

from ._creation import asanyarray


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
    """The path of a file, or None where that is not known."""
    return file if isinstance(file, str) else str(file) if hasattr(file, "__fspath__") else None


def load(file, mmap_mode=None, allow_pickle=False, fix_imports=True, encoding="ASCII", *, max_header_size=10000):
    if is_unknown(file):
        return core.unknown("the contents of a file")
    if isinstance(file, BufferedIOBase):
        held = file._object()
        if held is not None:
            return held[0].held() if held and isinstance(held[0], _Saved) else core.unknown("the contents of a file")
        found = core.read_arrays(file.read())
    else:
        path = _path(file)
        if path is None:
            return core.unknown("the contents of a file")
        found = core.read_arrays(path)
    if type(found) is bytes:
        # An array of objects, as they are pickled.
        if not allow_pickle:
            raise ValueError("Object arrays cannot be loaded when allow_pickle=False")
        return unpickled(found)[0]
    return NpzFile(found) if isinstance(found, list) else found


class _Saved:
    """An array, or an archive of such, that stands in the bytes that a program keeps."""

    def __init__(self, array=None, archive=None):
        self._array, self._archive = array, archive

    def held(self):
        return self._array.copy() if self._archive is None else NpzFile(self._archive)


def loadtxt(fname, dtype=float, comments="#", delimiter=None, converters=None, skiprows=0, usecols=None, unpack=False, ndmin=0,
            encoding=None, max_rows=None, *, quotechar=None, like=None):
    if converters is not None or quotechar is not None or like is not None:
        return core.unknown("a table that is read in a way of its own")
    return _table(fname, dtype, comments, delimiter, skiprows, 0, max_rows, usecols, unpack, ndmin, False)


def genfromtxt(fname, dtype=float, comments="#", delimiter=None, skip_header=0, skip_footer=0, converters=None, missing_values=None,
               filling_values=None, usecols=None, names=None, unpack=False, ndmin=0, max_rows=None, encoding=None, autostrip=False,
               **others):
    if others or converters is not None or missing_values is not None or filling_values is not None or names is not None:
        return core.unknown("a table that is read in a way of its own")
    return _table(fname, dtype, comments, delimiter, skip_header, skip_footer, max_rows, usecols, unpack, ndmin, True)


def _table(fname, dtype, comments, delimiter, first, last, most, usecols, unpack, ndmin, missing):
    columns = usecols if usecols is None else [usecols] if isinstance(usecols, int) else list(usecols)
    if columns is not None and any(column < 0 for column in columns) or comments is not None and not isinstance(comments, str):
        return core.unknown("a table that is read in a way of its own")
    text = _text(fname)
    read = lambda whole: core.read_table(text, delimiter, comments, first, last, most, columns, missing and not whole, whole)
    if dtype is None:
        # Of one type, if all columns are.
        whole = core.has_whole_numbers(text, delimiter, comments, first, last, most, columns)
        table = core.unknown("a table of several types") if whole is None else read(whole).astype(int if whole else float)
    else:
        from numpy import dtype as dtype_of

        kind = dtype_of(dtype).kind
        if kind not in "fiu":
            return core.unknown("a table of other numbers than floats and integers")
        numbers = read(kind != "f")
        table = numbers.astype(dtype)
        if kind != "f" and (table != numbers).any():
            return core.unknown("a table of numbers that its type does not hold")
    if ndmin < 2:
        table = table.squeeze()
    if ndmin == 1:
        table = table.reshape(-1) if table.ndim == 0 else table
    return table.T if unpack else table


def _text(source):
    """The text of a table: of a file, of one that is open, or of lines."""
    path = _path(source)
    if path is not None:
        return core.read_table_text(path)
    if hasattr(source, "read"):
        text = source.read()
    else:
        lines = [line.decode("latin1") if isinstance(line, bytes) else line for line in source]
        text = "\n".join([line.rstrip("\n") if isinstance(line, str) else core.unknown("a line of a table") for line in lines])
    return text.decode("latin1") if isinstance(text, bytes) else text


def save(file, arr, allow_pickle=True, fix_imports=True):
    array = asanyarray(arr)         # raises for tracers: they have no numbers
    _write(file, _Saved(array))


def savetxt(fname, X, *args, **kwargs):
    asanyarray(X)
    _write(fname, "the text of a table")


def savez(file, *args, allow_pickle=True, **kwds):
    arrays = {}
    for at, array in enumerate(args):
        if f"arr_{at}" in kwds:
            raise ValueError(f"Cannot use un-named variables and keyword arr_{at}")
        arrays[f"arr_{at}"] = asanyarray(array)
    _write(file, _Saved(archive={**{name: asanyarray(array) for name, array in kwds.items()}, **arrays}))


savez_compressed = savez


def _write(file, saved):
    path = _path(file)
    if path is None and is_unknown(file):
        note_written(None)
        return
    if path is None and isinstance(file, BytesIO):
        file.write(bytes_of(saved))
        return
    if path is None and isinstance(file, StringIO):
        file.write(core.unknown("the text of a table"))
        return
    if path is None and hasattr(file, "write"):
        # What was opened is known to be written.
        return
    note_written(path)
    if path is not None:
        note_written(path + ".npy")
        note_written(path + ".npz")
    impure("saved")
