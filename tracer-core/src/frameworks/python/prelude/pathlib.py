"""Paths as objects; what stands in the file system is not known."""

import os.path as _path
from _jitlens.python import impure, is_unknown, note_written, read_bytes, read_text, resolved_path, unknown, vague_list


class PurePath:
    def __new__(cls, *parts, **kwargs):
        return object.__new__(PurePosixPath if cls is PurePath else PosixPath if cls is Path else cls)

    def __init__(self, *parts):
        texts = [p._text if isinstance(p, PurePath) else p for p in parts]
        if any([is_unknown(t) for t in texts]):
            self._text = unknown("str", "a path")
        else:
            for t in texts:
                if not isinstance(t, (str, bytes)) and not hasattr(type(t), "__fspath__"):
                    raise TypeError(f"expected str, bytes or os.PathLike object, not {type(t).__name__}")
            texts = [t if isinstance(t, (str, bytes)) else t.__fspath__() for t in texts]
            for t in texts:
                if not isinstance(t, str):
                    raise TypeError(f"argument should be a str object or an os.PathLike object returning str, not {type(t)}")
            self._text = _clean(_path.join(*texts)) if texts else "."

    def __fspath__(self):
        return self._text

    def __str__(self):
        return self._text

    def __repr__(self):
        return f"{type(self).__name__}({self._text!r})"

    def __bytes__(self):
        return self._text.encode()

    def __truediv__(self, other):
        return type(self)(self, other) if _is_path(other) else NotImplemented

    def __rtruediv__(self, other):
        return type(self)(other, self) if _is_path(other) else NotImplemented

    def __eq__(self, other):
        return self._text == other._text if isinstance(other, PurePath) else NotImplemented

    def __lt__(self, other):
        return self.parts < other.parts if isinstance(other, PurePath) else NotImplemented

    def __le__(self, other):
        return self.parts <= other.parts if isinstance(other, PurePath) else NotImplemented

    def __gt__(self, other):
        return self.parts > other.parts if isinstance(other, PurePath) else NotImplemented

    def __ge__(self, other):
        return self.parts >= other.parts if isinstance(other, PurePath) else NotImplemented

    def __hash__(self):
        return hash(self._text)

    def as_posix(self):
        return self._text

    @property
    def parts(self):
        names = [n for n in self._text.split("/") if n and n != "."]
        return tuple(([self.root] if self._text.startswith("/") else []) + names)

    @property
    def name(self):
        return "" if self._text in (".", "/", "//") else _path.basename(self._text)

    drive = ""

    @property
    def root(self):
        return _root(self._text)

    anchor = root

    def _dot(self):
        """Where the last ending of the name begins."""
        name = self.name
        at = name.rfind(".")
        return at if 0 < at < len(name) - 1 else len(name)

    @property
    def suffix(self):
        return self.name[self._dot() :]

    @property
    def suffixes(self):
        name = self.name
        return [] if name.endswith(".") else ["." + s for s in name.lstrip(".").split(".")[1:]]

    @property
    def stem(self):
        return self.name[: self._dot()]

    @property
    def parent(self):
        return type(self)(_path.dirname(self._text) or (self.root if str(self._text).startswith("/") else "."))

    @property
    def parents(self):
        found, one = [], self
        while one.parent != one:
            one = one.parent
            found.append(one)
        return _Parents(found, f"<{type(self).__name__}.parents>")

    def is_absolute(self):
        return _path.isabs(self._text)

    def joinpath(self, *others):
        return type(self)(self, *others)

    def with_name(self, name):
        if not self.name:
            raise ValueError(f"{self!r} has an empty name")
        if not name or "/" in name or name == ".":
            raise ValueError(f"Invalid name {name!r}")
        return self.parent / name

    def with_suffix(self, suffix):
        if "/" in suffix or suffix and not suffix.startswith(".") or suffix == ".":
            raise ValueError(f"Invalid suffix {suffix!r}")
        if not self.name:
            raise ValueError(f"{self!r} has an empty name")
        return self.parent / (self.stem + suffix)

    def with_stem(self, stem):
        return self.with_name(stem + self.suffix)

    def _below(self, other):
        """What follows the parts of another path; None where this one does not begin with them."""
        start, parts = type(self)(*other).parts, self.parts
        return parts[len(start) :] if parts[: len(start)] == start else None

    def relative_to(self, *other):
        rest = self._below(other)
        if rest is None:
            other = str(type(self)(*other))
            raise ValueError(f"{self._text!r} is not in the subpath of {other!r} OR one path is relative and the other is absolute.")
        return type(self)(*rest)

    def is_relative_to(self, *other):
        return self._below(other) is not None

    def match(self, path_pattern):
        from fnmatch import fnmatchcase

        wanted, parts = type(self)(path_pattern).parts, self.parts
        if not wanted:
            raise ValueError("empty pattern")
        if len(wanted) > len(parts) or wanted[0] == "/" and len(wanted) != len(parts):
            return False
        return all([fnmatchcase(part, pattern) for part, pattern in zip(parts[-len(wanted) :], wanted)])

    def as_uri(self):
        if is_unknown(self._text):
            return unknown("str", "the address of a path")
        if not self.is_absolute():
            raise ValueError("relative path can't be expressed as a file URI")
        kept = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-~/"
        return "file://" + "".join([chr(c) if chr(c) in kept else f"%{c:02X}" for c in self._text.encode()])

    def is_reserved(self):
        return False


def _is_path(other):
    return is_unknown(other) or isinstance(other, (str, PurePath)) or hasattr(type(other), "__fspath__")


class _Parents(tuple):
    """The folders above a path."""

    def __new__(cls, paths, shown):
        self = tuple.__new__(cls, paths)
        self._shown = shown
        return self

    def __getitem__(self, index):
        if isinstance(index, int) and not -len(self) <= index < len(self):
            raise IndexError(index)
        return tuple.__getitem__(self, index)

    def __repr__(self):
        return self._shown


def _root(text):
    """What an absolute path begins with: two slashes are kept, more are one."""
    return ("//" if text.startswith("//") and not text.startswith("///") else "/") if text.startswith("/") else ""


def _clean(text):
    if is_unknown(text):
        return text
    lead = _root(text)
    return lead + "/".join([p for p in text.split("/") if p not in ("", ".")]) or "."


class Path(PurePath):
    @classmethod
    def cwd(cls):
        return cls(unknown("str", "the working folder"))

    home = cwd

    def resolve(self, strict=False):
        return type(self)(resolved_path(self._text))

    def absolute(self):
        return self if self.is_absolute() else type(self)(unknown("str", "a place in the file system"))

    def expanduser(self):
        return type(self)(unknown("str", "a place in the file system")) if self._text.startswith("~") else self

    def exists(self, **kwargs):
        return unknown("bool", "what stands in the file system")

    is_file = is_dir = is_symlink = exists

    def mkdir(self, mode=511, parents=False, exist_ok=False):
        return None

    def _nothing(self, *args, **kwargs):
        return None

    chmod = rmdir = _nothing

    def touch(self, mode=438, exist_ok=True):
        note_written(self._text)

    def unlink(self, missing_ok=False):
        note_written(self._text)

    def rename(self, target):
        note_written(self._text)
        note_written(str(target))
        return type(self)(target)

    replace = rename

    def symlink_to(self, target, target_is_directory=False):
        note_written(self._text)

    def read_text(self, encoding=None, errors=None, newline=None):
        if errors not in (None, "strict") or newline is not None:
            return unknown("str", "the contents of a file")
        return read_text(self._text, encoding)

    def read_bytes(self):
        return read_bytes(self._text)

    def write_text(self, data, encoding=None, errors=None, newline=None):
        if not is_unknown(data) and not isinstance(data, str):
            raise TypeError(f"data must be str, not {type(data).__name__}")
        impure("saved")
        note_written(self._text)
        return len(data)

    def write_bytes(self, data):
        if not is_unknown(data) and (data is None or isinstance(data, (str, int, float, list, tuple, dict))):
            raise TypeError(f"memoryview: a bytes-like object is required, not {type(data).__name__!r}")
        impure("saved")
        note_written(self._text)
        return unknown("int", "the contents of a file")

    def open(self, *args, **kwargs):
        return open(self._text, *args, **kwargs)

    def glob(self, pattern):
        return iter(vague_list("the files of a folder"))

    rglob = glob

    def iterdir(self):
        return iter(vague_list("the files of a folder"))

    def stat(self, *, follow_symlinks=True):
        return unknown("", "what stands in the file system")


class PurePosixPath(PurePath):
    pass


class PosixPath(Path, PurePosixPath):
    pass
