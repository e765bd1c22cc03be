"""The operating system: nothing of it is known, and nothing is done to it."""

from _jitlens.python import unknown, vague_dict, vague_list

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

PathLike = type("PathLike", (), {"__module__": "os"})
error = OSError
_WHY = "the environment"


class _Environ(dict):
    """What the program sets is known, the rest is not."""

    def __missing__(self, key):
        return unknown("str", _WHY)

    def get(self, key, default=None):
        return dict.__getitem__(self, key) if dict.__contains__(self, key) else unknown("", _WHY)

    def setdefault(self, key, default=None):
        return dict.__getitem__(self, key) if dict.__contains__(self, key) else unknown("str", _WHY)

    def pop(self, key, default=None):
        return dict.pop(self, key) if dict.__contains__(self, key) else unknown("", _WHY)

    def __contains__(self, key):
        return True if dict.__contains__(self, key) else unknown("bool", _WHY)

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


def putenv(key, value):
    return None


unsetenv = putenv


def fspath(path):
    return path if isinstance(path, (str, bytes)) else path.__fspath__()


def getcwd():
    return unknown("str", "the working folder")


def listdir(path="."):
    return vague_list("the files of a folder")


scandir = walk = listdir


def makedirs(name, mode=511, exist_ok=False):
    return None


def _nothing(*args, **kwargs):
    return None


mkdir = remove = unlink = rmdir = removedirs = rename = replace = chdir = chmod = chown = symlink = link = utime = _nothing
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
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`os.{name}` is not modelled")
