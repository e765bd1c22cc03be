"""Texts and bytes that are read or kept in memory: of files of the workspace, and those that a program writes for itself."""

from _jitlens.python import held_by, is_unknown, text_lines, unknown

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
DEFAULT_BUFFER_SIZE = 8192


class UnsupportedOperation(OSError, ValueError):
    pass


class IOBase:
    """What all streams do; `_all`, `_at` and `_put` are of a stream's own kind."""

    closed = False
    # Something that is not known may have written to it.
    _lost = False

    def _open(self):
        if self.closed:
            raise ValueError("I/O operation on closed file" + self._stop)

    # What ends that sentence: texts in memory leave the stop out.
    _stop = "."

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

    def __reduce__(self):
        raise TypeError(f"cannot pickle '_io.{type(self).__name__}' object")

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
        return False

    writable = seekable = readable

    def _can(self):
        self._open()
        return True

    def readlines(self, hint=-1, /):
        if hint is None or hint <= 0:
            return list(self)
        lines, length = [], 0
        for line in self:
            lines.append(line)
            length += len(line)
            if length >= hint:
                break
        return lines

    def truncate(self, size=None, /):
        raise UnsupportedOperation("truncate")

    def writelines(self, lines, /):
        for line in lines:
            self.write(line)


def _size(size):
    """How much to read: all where it is negative."""
    if size is None or is_unknown(size) or isinstance(size, int):
        return -1 if not is_unknown(size) and size is None else size
    if not hasattr(type(size), "__index__"):
        raise TypeError(f"argument should be integer or None, not {type(size).__name__!r}")
    return size.__index__()


class TextIOBase(IOBase):
    encoding = errors = None
    newlines = None
    _every_end = False
    _text = None
    readable = writable = seekable = IOBase._can

    def _hold(self, text):
        """What is read from now on; lines are told apart when one is asked for."""
        self._text, self._at, self._lines = text, 0, None

    def _now(self):
        self._open()
        if self._text is None:
            raise UnsupportedOperation("read")
        return unknown("str", "a text that others may have written to") if self._lost else self._text

    def read(self, size=-1, /):
        size = _size(size)
        text, start = self._now(), self._at
        left = len(text) - start
        if size < 0 or size >= left:
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
        self._check_place(offset, whence)
        self._at, self._lines = offset if whence == 0 else self._at if whence == 1 else len(text), None
        return self._at

    def _check_place(self, offset, whence):
        if whence and offset:
            raise UnsupportedOperation(f"can't do nonzero {'cur' if whence == 1 else 'end'}-relative seeks")
        if offset < 0:
            raise ValueError(f"negative seek position {offset}")

    def __getattr__(self, name):
        return _lacking(self, name)


def _lacking(stream, name):
    """An attribute of a stream that is not modelled, or none."""
    for kind in type(stream).__mro__:
        if name in kind.__dict__.get("_more", ()):
            return unknown("", f"`{name}` of a file")
    owner = "_io." if type(stream).__module__ == "io" else ""
    raise AttributeError(f"'{owner}{type(stream).__name__}' object has no attribute {name!r}")


class TextIOWrapper(TextIOBase):
    """A text that is read from a file, or over bytes that are written and read."""

    mode, errors, newlines, line_buffering, write_through = "r", "strict", None, False, False
    _more = ("buffer", "detach", "truncate")
    # The bytes in memory that a text is written to.
    _below = None

    def __init__(self, buffer, encoding=None, errors=None, newline=None, line_buffering=False, write_through=False):
        if isinstance(errors, bool):
            # `open` gives a text, a name, and whether all ends of lines are kept.
            self._hold(buffer)
            self.name, self._every_end = encoding, errors
            return
        if newline not in (None, "", "\n", "\r", "\r\n"):
            raise ValueError(f"illegal newline value: {newline}")
        self.encoding, self.errors = encoding or "UTF-8", errors or "strict"
        self.line_buffering, self.write_through, self._newline = line_buffering, write_through, newline
        if is_unknown(buffer):
            self._hold(unknown("str", "a stream over another one"))
            return
        if not hasattr(buffer, "readable"):
            raise AttributeError(f"'{type(buffer).__name__}' object has no attribute 'readable'")
        self.buffer = buffer
        if hasattr(buffer, "name"):
            self.name = buffer.name
        self._every_end = newline is not None
        if isinstance(buffer, BytesIO):
            self._below = buffer
        if not isinstance(buffer, BufferedIOBase):
            self._hold(unknown("str", "a stream over another one"))
        else:
            # It is read when it is first asked for.
            self._text, self._at, self._lines = None, 0, None

    @property
    def encoding(self):
        return self.__dict__.get("_encoding", "UTF-8")

    @encoding.setter
    def encoding(self, name):
        self._encoding = name

    def _now(self):
        self._open()
        if self._text is None:
            data = self.buffer.read()
            if is_unknown(data) or self._newline not in (None, ""):
                self._hold(unknown("str", "bytes as a text"))
            else:
                text = data.decode(self.encoding, self.errors)
                self._hold(text.replace("\r\n", "\n").replace("\r", "\n") if self._newline is None and "\r" in text else text)
        return TextIOBase._now(self)

    def writable(self):
        self._open()
        return self._below is not None

    def write(self, text, /):
        self._open()
        if self._below is None:
            raise UnsupportedOperation("not writable")
        if not is_unknown(text) and not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        ended = text if self._newline in (None, "", "\n") else text.replace("\n", self._newline)
        # When it gets to the bytes depends on how much of it there is: at once, here.
        self._below.write(ended.encode(self.encoding, self.errors))
        return len(text)

    def close(self):
        self.closed = True
        if self._below is not None:
            self._below.close()

    def reconfigure(self, *, encoding=None, errors=None, newline=None, line_buffering=None, write_through=None):
        if encoding is not None and self._text is not None:
            self._hold(unknown("str", "a text in another encoding"))
        self.encoding = encoding or self.encoding

    def tell(self):
        self._open()
        return unknown("int", "a place in a file") if self._at else 0

    def seek(self, offset, whence=0, /):
        if whence or offset:
            self._hold(unknown("str", "a place in a file"))
            return unknown("int", "a place in a file")
        if self._below is not None:
            self._below.seek(0)
            self._text, self._at, self._lines = None, 0, None
            return 0
        return TextIOBase.seek(self, 0)

    def fileno(self):
        return unknown("int", "a number of the operating system")


class StringIO(TextIOBase):
    """A text that is written and read in memory."""

    line_buffering = False
    _more = ("detach",)
    _stop = ""

    def __init__(self, initial_value="", newline="\n"):
        if not is_unknown(initial_value) and initial_value is not None and not isinstance(initial_value, str):
            raise TypeError(f"initial_value must be str or None, not {type(initial_value).__name__}")
        if newline not in (None, "", "\n", "\r", "\r\n"):
            raise ValueError(f"illegal newline value: {newline!r}")
        if not is_unknown(initial_value) and initial_value is None:
            initial_value = ""
        self._every_end, self._ends = newline == "", newline
        self._hold(self._ended(initial_value))
        self._added = []

    def _ended(self, text):
        """A text that is written, with the ends of its lines as they are kept."""
        if self._ends == "\n" or self._ends == "":
            return text
        if self._ends is None:
            return text.replace("\r\n", "\n").replace("\r", "\n")
        self._every_end = True
        return text.replace("\n", self._ends)

    def _check_place(self, offset, whence):
        if whence not in (0, 1, 2):
            raise ValueError(f"Invalid whence ({whence}, should be 0, 1 or 2)")
        if whence and offset:
            raise OSError("Can't do nonzero cur-relative seeks")
        if offset < 0:
            raise ValueError(f"Negative seek position {offset}")

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
        given, text = text, self._ended(text)
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
        return len(given)

    def __reduce__(self):
        return type(self), (), self._kept()

    def _kept(self):
        """What a copy has."""
        self._placed()
        return {**self.__dict__, "_text": self._now(), "_added": [], "_lines": None}

    def __setstate__(self, state):
        self.__dict__.update(state)

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
        if is_unknown(size):
            self._text, self._lines = unknown("str", "a text of an unknown length"), None
            return size
        if size < 0:
            raise ValueError(f"Negative size value {size}")
        self._text, self._lines = self._now()[:size], None
        return size

    def getvalue(self):
        return self._now()


class BufferedIOBase(IOBase):
    """Bytes, in parts: what arrays and objects are written as is not known, but what they were made of is."""

    _parts = None
    readable = writable = seekable = IOBase._can

    def _hold(self, parts):
        self._parts, self._part, self._at = parts, 0, 0

    def _whole(self):
        """The bytes, where they are known."""
        self._open()
        if self._lost:
            return unknown("", "bytes that others may have written to")
        if self._parts is None:
            raise UnsupportedOperation("read")
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
        size = _size(size)
        all = size < 0
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
        if is_unknown(whole):
            return unknown("", "the bytes of an object")
        size = _size(size)
        start = self._at + (len(whole) if self._part else 0)
        end = whole.find(b"\n", start) + 1 or len(whole)
        end = min(end, start + size) if size >= 0 else end
        self._part, self._at = 0, max(start, end)
        return whole[start:end]

    def readinto(self, buffer, /):
        data = self.read(len(buffer))
        if is_unknown(data):
            return unknown("int", "the length of an object's bytes")
        buffer[: len(data)] = data
        return len(data)

    readinto1 = readinto

    def detach(self):
        raise UnsupportedOperation("detach")

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
        if whence not in (0, 1, 2):
            raise ValueError(f"invalid whence ({whence}, should be 0, 1 or 2)")
        if whence == 0 and offset < 0:
            raise ValueError(f"negative seek value {offset}")
        place = offset + (0 if whence == 0 else self.tell() if whence == 1 else len(whole))
        self._part, self._at = 0, max(place, 0)
        return self._at

    def __getattr__(self, name):
        return _lacking(self, name)


class BufferedReader(BufferedIOBase):
    """The bytes of a file."""

    mode = "rb"
    _more = ("raw", "detach")
    # How much of it is read ahead.
    _kept = DEFAULT_BUFFER_SIZE

    def __init__(self, raw, buffer_size=DEFAULT_BUFFER_SIZE):
        if not isinstance(buffer_size, int) or not is_unknown(raw) and isinstance(raw, bytes):
            # `open` gives the bytes and a name.
            self.name = buffer_size
        elif not is_unknown(raw):
            self.raw, self._kept = raw, buffer_size
            raw = raw.read() if isinstance(raw, BufferedIOBase) else unknown("", "a stream over another one")
        self._hold([raw])

    def peek(self, size=0, /):
        whole = self._whole()
        start = 0 if is_unknown(whole) else self._at + (len(whole) if self._part else 0)
        return unknown("", "the bytes of an object") if is_unknown(whole) else whole[start : start + self._kept]

    def writable(self):
        self._open()
        return False

    def write(self, data, /):
        self._open()
        raise UnsupportedOperation("write")

    def fileno(self):
        return unknown("int", "a number of the operating system")


def _bytes(data):
    """What is written, as bytes."""
    if isinstance(data, (str, int, float, list, tuple, dict, set)) or data is None:
        raise TypeError(f"a bytes-like object is required, not {type(data).__name__!r}")
    return data if isinstance(data, bytes) else bytes(data)


class _View(bytes):
    """What `getbuffer` gives, as far as it is read."""

    format, itemsize, ndim, readonly = "B", 1, 1, False

    @property
    def nbytes(self):
        return len(self)

    def tobytes(self):
        return bytes(self)

    def __getattr__(self, name):
        return unknown("", f"`{name}` of a view of bytes")

    def __setitem__(self, key, value):
        self._stream._hold([unknown("", "bytes that are written by a view")])


class BytesIO(BufferedIOBase):
    """Bytes that are written and read in memory."""

    def __init__(self, initial_bytes=b""):
        if is_unknown(initial_bytes):
            self._hold([initial_bytes])
            return
        self._hold([_bytes(initial_bytes)] if initial_bytes is not None and len(_bytes(initial_bytes)) else [])

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
        data = data if is_unknown(data) else _bytes(data)
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

    def __reduce__(self):
        return type(self), (), {**self.__dict__, "_parts": list(self._parts)}

    def __setstate__(self, state):
        self.__dict__.update(state)

    def getvalue(self):
        return self._whole()

    def getbuffer(self):
        whole = self._whole()
        if is_unknown(whole):
            return whole
        view = _View(whole)
        view._stream = self
        return view

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
    """What a program gives the bytes of by `readinto` or `read`, one part after the other."""

    def read(self, size=-1, /):
        return unknown("", "what a stream of the program's own gives")

    readall = read


def open(*args, **kwargs):
    from _jitlens.builtins import open

    return open(*args, **kwargs)
