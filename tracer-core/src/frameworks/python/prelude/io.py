"""Texts and bytes that are read or kept in memory: of files of the workspace, and those that a program writes for itself."""

from _jitlens.python import held_by, is_unknown, text_lines, unknown

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
DEFAULT_BUFFER_SIZE = 131072


class UnsupportedOperation(OSError, ValueError):
    pass


class IOBase:
    """What all streams do; `_all`, `_at` and `_put` are of a stream's own kind."""

    closed = False
    # Something that is not known may have written to it.
    _lost = False

    def _open(self):
        if self.closed:
            raise ValueError("I/O operation on closed file.")

    def __iter__(self):
        self._open()
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def __enter__(self):
        self._open()
        return self

    def __exit__(self, kind, value, traceback):
        self.close()

    def close(self):
        self.closed = True

    def flush(self):
        self._open()

    def isatty(self):
        self._open()
        return False

    def fileno(self):
        raise UnsupportedOperation("fileno")

    def readable(self):
        self._open()
        return True

    writable = seekable = readable

    def readlines(self, hint=-1, /):
        if hint is not None and hint > 0:
            return unknown("", "some lines of a text")
        return list(self)

    def writelines(self, lines, /):
        for line in lines:
            self.write(line)


class TextIOBase(IOBase):
    encoding = errors = None
    newlines = None
    _every_end = False

    def _hold(self, text):
        """What is read from now on; lines are told apart when one is asked for."""
        self._text, self._at, self._lines = text, 0, None

    def _now(self):
        self._open()
        return unknown("str", "a text that others may have written to") if self._lost else self._text

    def read(self, size=-1, /):
        text, start = self._now(), self._at
        left = len(text) - start
        if size is None or size < 0 or size >= left:
            self._at, self._lines = max(len(text), start), None
            return text[start:] if start else text
        self._at, self._lines = start + size, None
        return text[start : self._at]

    def readline(self, size=-1, /):
        text = self._now()
        if self._lost:
            return text
        if self._lines is None:
            self._lines, self._line = text_lines(text[self._at :] if self._at else text, self._every_end), 0
        if self._line >= len(self._lines):
            return ""
        line = self._lines[self._line]
        if size is not None and 0 <= size < len(line):
            self._lines = None
            self._at += size
            return line[:size]
        self._line += 1
        self._at += len(line)
        return line

    def tell(self):
        self._open()
        return self._at

    def seek(self, offset, whence=0, /):
        text = self._now()
        if whence and offset:
            raise UnsupportedOperation(f"can't do nonzero {'cur' if whence == 1 else 'end'}-relative seeks")
        self._at, self._lines = offset if whence == 0 else self._at if whence == 1 else len(text), None
        return self._at

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(f"'_io.{type(self).__name__}' object has no attribute {name!r}")
        return unknown("", f"`{name}` of a file")


class TextIOWrapper(TextIOBase):
    """A text that is read from a file."""

    mode, encoding, errors, newlines, line_buffering = "r", "UTF-8", "strict", None, False

    def __init__(self, text, name, every_end=False):
        if not is_unknown(text) and not isinstance(text, str):
            name, every_end = getattr(text, "name", None), False
            text = text.read() if isinstance(text, BufferedIOBase) else unknown("", "a stream over another one")
            text = unknown("str", "bytes as a text") if is_unknown(text) else text.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        self._hold(text)
        self.name, self._every_end = name, every_end

    def writable(self):
        self._open()
        return False

    def write(self, text, /):
        self._open()
        raise UnsupportedOperation("not writable")

    def tell(self):
        self._open()
        return unknown("int", "a place in a file") if self._at else 0

    def seek(self, offset, whence=0, /):
        if whence or offset:
            self._hold(unknown("str", "a place in a file"))
            return unknown("int", "a place in a file")
        return TextIOBase.seek(self, 0)

    def fileno(self):
        return unknown("int", "a number of the operating system")


class StringIO(TextIOBase):
    """A text that is written and read in memory."""

    def __init__(self, initial_value="", newline="\n"):
        if not is_unknown(initial_value) and initial_value is not None and not isinstance(initial_value, str):
            raise TypeError(f"initial_value must be str or None, not {type(initial_value).__name__}")
        if newline != "\n":
            initial_value = unknown("str", "a text whose lines end in another way")
        self._hold("" if not is_unknown(initial_value) and initial_value is None else initial_value)
        self._added = []

    def _now(self):
        self._open()
        if self._added:
            added = "".join(self._added)
            self._text = self._text + added
            self._added = []
        return TextIOBase._now(self)

    def write(self, text, /):
        self._open()
        if not is_unknown(text) and not isinstance(text, str):
            raise TypeError(f"string argument expected, got {type(text).__name__!r}")
        if self._lost:
            return len(text)
        if self._at is not None:
            held = self._now()
            if self._at == len(held):
                self._at = None
            else:
                end = self._at + len(text)
                self._text = held[: self._at] + "\0" * (self._at - len(held)) + text + held[end:]
                self._at = end
        if self._at is None:
            self._added.append(text)
        self._lines = None
        return len(text)

    def _placed(self):
        if self._at is None:
            self._at = len(self._now())

    def read(self, size=-1, /):
        self._placed()
        return TextIOBase.read(self, size)

    def readline(self, size=-1, /):
        self._placed()
        return TextIOBase.readline(self, size)

    def tell(self):
        self._placed()
        return TextIOBase.tell(self)

    def seek(self, offset, whence=0, /):
        self._placed()
        return TextIOBase.seek(self, offset, whence)

    def truncate(self, size=None, /):
        self._placed()
        size = self._at if size is None else size
        self._text, self._lines = self._now()[:size], None
        return size

    def getvalue(self):
        return self._now()


class BufferedIOBase(IOBase):
    """Bytes, in parts: what arrays and objects are written as is not known, but what they were made of is."""

    def _hold(self, parts):
        self._parts, self._part, self._at = parts, 0, 0

    def _whole(self):
        """The bytes, where they are known."""
        self._open()
        if self._lost:
            return unknown("", "bytes that others may have written to")
        if not self._parts:
            return b""
        if len(self._parts) == 1:
            return self._parts[0]
        if any([is_unknown(part) for part in self._parts]):
            return unknown("", "the bytes of an object")
        self._part, self._at = 0, self._at + sum([len(part) for part in self._parts[: self._part]])
        self._parts = [b"".join(self._parts)]
        return self._parts[0]

    def _object(self):
        """A tuple of the object that is written here, an empty one where nobody knows, or None where there are bytes."""
        self._open()
        if self._lost:
            return ()
        if self._part < len(self._parts) and self._at == 0 and is_unknown(self._parts[self._part]):
            self._part += 1
            return held_by(self._parts[self._part - 1]) or ()
        return None

    def _is_whole(self):
        return self._part == 0 and self._at == 0

    def _is_end(self):
        if self._part >= len(self._parts):
            return True
        part = self._parts[self._part]
        return self._part == len(self._parts) - 1 and not is_unknown(part) and self._at == len(part)

    def read(self, size=-1, /):
        all = size is None or size < 0
        if not self._lost and all and self._is_whole() and len(self._parts) == 1:
            whole = self._whole()
            self._part = 1
            return whole
        whole = self._whole()
        if is_unknown(whole):
            return unknown("", "the bytes of an object")
        start = self._at + (len(whole) if self._part else 0)
        end = len(whole) if all else min(start + size, len(whole))
        self._part, self._at = 0, max(start, end)
        return whole[start:end]

    read1 = read

    def readline(self, size=-1, /):
        whole = self._whole()
        if is_unknown(whole) or size is not None and size >= 0:
            return unknown("", "the bytes of an object")
        start = self._at + (len(whole) if self._part else 0)
        end = whole.find(b"\n", start) + 1 or len(whole)
        self._part, self._at = 0, max(start, end)
        return whole[start:end]

    def tell(self):
        self._open()
        if self._lost or any([is_unknown(part) for part in self._parts[: self._part]]):
            return unknown("int", "the length of an object's bytes")
        return self._at + sum([len(part) for part in self._parts[: self._part]])

    def seek(self, offset, whence=0, /):
        self._open()
        if offset == 0 and whence == 0:
            self._part, self._at = 0, 0
            return 0
        if whence == 2 and offset == 0:
            self._part, self._at = len(self._parts), 0
            return self.tell()
        whole = self._whole()
        if is_unknown(whole):
            self._hold([unknown("", "a place among the bytes of an object")])
            return unknown("int", "the length of an object's bytes")
        place = offset + (0 if whence == 0 else self.tell() if whence == 1 else len(whole))
        self._part, self._at = 0, place
        return place

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(f"'_io.{type(self).__name__}' object has no attribute {name!r}")
        return unknown("", f"`{name}` of a file")


class BufferedReader(BufferedIOBase):
    """The bytes of a file."""

    mode = "rb"

    def __init__(self, raw, name=None):
        if is_unknown(raw) or not isinstance(raw, bytes):
            raw = unknown("", "a stream over another one")
        self._hold([raw])
        self.name = name

    def writable(self):
        self._open()
        return False

    def write(self, data, /):
        self._open()
        raise UnsupportedOperation("write")

    def fileno(self):
        return unknown("int", "a number of the operating system")


class BytesIO(BufferedIOBase):
    """Bytes that are written and read in memory."""

    def __init__(self, initial_bytes=b""):
        if is_unknown(initial_bytes):
            self._hold([initial_bytes])
            return
        if isinstance(initial_bytes, str):
            raise TypeError("a bytes-like object is required, not 'str'")
        self._hold([bytes(initial_bytes)] if initial_bytes else [])

    def _put(self, part):
        """Writes an object of a form of its own."""
        self._open()
        if self._is_end():
            self._parts = self._parts + [part]
        else:
            # How much of what is there is left is not known.
            self._parts = [unknown("", "bytes that are written over others")]
        self._part, self._at = len(self._parts), 0

    def write(self, data, /):
        self._open()
        if not is_unknown(data) and isinstance(data, str):
            raise TypeError("a bytes-like object is required, not 'str'")
        if self._part < len(self._parts):
            whole = self._whole()
            if is_unknown(whole) or is_unknown(data):
                self._put(data)
                return unknown("int", "the length of an object's bytes")
            end = self._at + len(data)
            self._parts = [whole[: self._at] + b"\0" * (self._at - len(whole)) + data + whole[end:]]
            self._at = end
            return len(data)
        if is_unknown(data):
            self._put(data)
            return unknown("int", "the length of an object's bytes")
        self._parts = self._parts + [data]
        self._part = len(self._parts)
        return len(data)

    def getvalue(self):
        return self._whole()

    def getbuffer(self):
        return self._whole()

    def truncate(self, size=None, /):
        self._open()
        if size == 0 or size is None and self._is_whole():
            self._parts = []
            self._part = self._at = 0
            return 0
        whole = self._whole()
        size = self.tell() if size is None else size
        self._parts = [unknown("", "the bytes of an object") if is_unknown(whole) else whole[:size]]
        return size


class RawIOBase(IOBase):
    pass


def open(*args, **kwargs):
    from _jitlens.builtins import open

    return open(*args, **kwargs)
