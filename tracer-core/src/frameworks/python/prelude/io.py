"""Text files of the workspace that are read. What else this module does depends on the world outside."""

from _jitlens.python import unknown


class UnsupportedOperation(OSError, ValueError):
    pass


class TextIOWrapper:
    """A text that is read from a file."""

    mode, encoding, errors, newlines, line_buffering = "r", "UTF-8", "strict", None, False

    def __init__(self, text, name):
        self._text, self._at, self.name, self.closed = text, 0, name, False

    def _left(self):
        if self.closed:
            raise ValueError("I/O operation on closed file.")
        return len(self._text) - self._at

    def read(self, size=-1, /):
        left = self._left()
        start = self._at
        self._at += left if size is None or size < 0 else min(size, left)
        return self._text[start:self._at]

    def readline(self, size=-1, /):
        self._left()
        end = self._text.find("\n", self._at) + 1
        line = self._text[self._at:end or None]
        if size >= 0:
            line = line[:size]
        self._at += len(line)
        return line

    def readlines(self, hint=-1, /):
        return list(self)

    def __iter__(self):
        self._left()
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def __enter__(self):
        self._left()
        return self

    def __exit__(self, kind, value, traceback):
        self.close()

    def close(self):
        self.closed = True

    def flush(self):
        self._left()

    def readable(self):
        self._left()
        return True

    seekable = readable

    def writable(self):
        self._left()
        return False

    def write(self, text, /):
        self._left()
        raise UnsupportedOperation("not writable")

    def seek(self, offset, whence=0, /):
        self._left()
        if whence or offset:
            return unknown("int", "a place in a file")
        self._at = 0
        return 0

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(f"'_io.TextIOWrapper' object has no attribute {name!r}")
        return unknown("", f"`{name}` of a file")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`io.{name}` is not modelled")
