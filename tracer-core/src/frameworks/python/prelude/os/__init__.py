"""The operating system: nothing of it is known, and nothing is done to it."""

from _jitlens.python import impure, is_unknown, note_written, script, unknown, vague_dict, vague_list

name = "posix"
sep = "/"
altsep = None
pathsep = ":"
linesep = "\n"
curdir = "."
pardir = ".."
extsep = "."
devnull = "/dev/null"
O_RDONLY, O_WRONLY, O_RDWR, O_CREAT = 0, 1, 2, 64
F_OK, R_OK, W_OK, X_OK = 0, 4, 2, 1

error = OSError
_WHY = "the environment"


def _is_set(key):
    """Whether a variable is one that a machine sets by itself: the rest is taken not to be set."""
    return key in _SYSTEM or isinstance(key, str) and key.startswith(("SLURM_", "LC_", "XDG_", "CONDA_", "AWS_", "GOOGLE_"))


_SYSTEM = set("""HOME USER LOGNAME PATH SHELL LANG PWD OLDPWD HOSTNAME TERM TMPDIR TEMP TMP HOST DISPLAY EDITOR VIRTUAL_ENV
    PYTHONPATH USERNAME USERPROFILE APPDATA COLUMNS LINES CUDA_VISIBLE_DEVICES RANK WORLD_SIZE LOCAL_RANK""".split())


_NONE_GIVEN = object()


class _Environ(dict):
    """What the program sets is known; what a machine sets is not; the rest is taken not to be set."""

    def __getitem__(self, key):
        impure("environment")
        return dict.__getitem__(self, key) if dict.__contains__(self, key) else self.__missing__(key)

    def __missing__(self, key):
        return unknown("str", _WHY)

    def get(self, key, default=None):
        impure("environment")
        if dict.__contains__(self, key):
            return dict.__getitem__(self, key)
        return unknown("", _WHY) if _is_set(key) else default

    def setdefault(self, key, default=None):
        if dict.__contains__(self, key):
            return dict.__getitem__(self, key)
        if _is_set(key):
            return unknown("str", _WHY)
        self[key] = default
        return default

    def pop(self, key, default=_NONE_GIVEN):
        if dict.__contains__(self, key):
            return dict.pop(self, key)
        return unknown("", _WHY) if default is _NONE_GIVEN or _is_set(key) else default

    def __setitem__(self, key, value):
        for text in (key, value):
            if not is_unknown(text) and not isinstance(text, str):
                raise TypeError(f"str expected, not {type(text).__name__}")
        dict.__setitem__(self, key, value)

    def __contains__(self, key):
        if dict.__contains__(self, key):
            return True
        return unknown("bool", _WHY) if _is_set(key) else False

    def __delitem__(self, key):
        dict.pop(self, key, None)

    def copy(self):
        return vague_dict(_WHY)

    def keys(self):
        return unknown("", _WHY)

    items = values = __iter__ = __len__ = keys


environ = _Environ()


def getenv(key, default=None):
    return environ.get(key, default)


def putenv(name, value, /):
    return None


def unsetenv(name, /):
    return None


def fspath(path):
    if isinstance(path, (str, bytes)):
        return path
    if not is_unknown(path) and not hasattr(type(path), "__fspath__"):
        raise TypeError(f"expected str, bytes or os.PathLike object, not {type(path).__name__}")
    return path.__fspath__()


def fsencode(filename):
    path = fspath(filename)
    return path if isinstance(path, bytes) else path.encode()


def fsdecode(filename):
    path = fspath(filename)
    return path.decode() if isinstance(path, bytes) else path


def getcwd():
    return unknown("str", "the working folder")


def listdir(path=None):
    return vague_list("the files of a folder")


def walk(top, topdown=True, onerror=None, followlinks=False):
    return iter(vague_list("the files of a folder"))


class _Entries(list):
    """What `scandir` gives: it is closed where it is left."""

    def __enter__(self):
        return self

    def __exit__(self, *excinfo):
        return None

    def close(self):
        return None


def scandir(path=None):
    return _Entries(vague_list("the files of a folder"))


def makedirs(name, mode=511, exist_ok=False):
    fspath(name)


def _nothing(*args, **kwargs):
    return None


def remove(path, **kwargs):
    note_written(str(path))


def rename(src, dst, **kwargs):
    note_written(str(src))
    note_written(str(dst))


unlink = remove
replace = link = renames = rename


def symlink(src, dst, target_is_directory=False, *, dir_fd=None):
    rename(src, dst)


def chdir(path):
    if str(path) != script().rpartition("/")[0]:
        # Paths mean other files from now on.
        note_written(None)


mkdir = rmdir = removedirs = chmod = chown = utime = _nothing
close = kill = killpg = abort = sync = setpgrp = nice = _nothing


def _number(*args, **kwargs):
    return unknown("int", "a number of the operating system")


cpu_count = getpid = getppid = getuid = getgid = system = umask = _number


def urandom(size):
    return unknown("", "random bytes")


def _exit(status):
    raise SystemExit(status)


def getlogin():
    return unknown("str", "the user")


def __getattr__(name):
    if name == "path":
        import os.path as path

        return path
    if name == "PathLike":
        found = globals()["PathLike"] = _path_like()
        return found
    if name in ("sys", "stat", "abc"):
        from importlib import import_module

        return import_module(name)
    raise AttributeError(f"module 'os' has no attribute {name!r}")


def _path_like():
    from abc import ABC, abstractmethod

    class PathLike(ABC):
        _needs_ = ("__fspath__",)

        @abstractmethod
        def __fspath__(self):
            raise NotImplementedError

        def __class_getitem__(cls, params):
            import typing

            return typing._ClassAlias(cls, params)

    PathLike.__qualname__ = "PathLike"
    return PathLike
