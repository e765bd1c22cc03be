"""The interpreter."""

from _jitlens.python import handled, impure
from _jitlens.python import modules as _modules
from _jitlens.python import printed
from _jitlens.python import script as _script
from _jitlens.python import unknown


class _VersionInfo(tuple):
    major = property(lambda self: self[0])
    minor = property(lambda self: self[1])
    micro = property(lambda self: self[2])
    releaselevel = property(lambda self: self[3])


class _Record:
    def __init__(self, **values):
        self.__dict__.update(values)
        for name, value in values.items():
            setattr(self, name, value)


class _Stream:
    encoding = "utf-8"
    closed = False
    newlines = None
    write_through = False

    def __init__(self, name):
        self.name = f"<{name}>"
        self.mode = "r" if name == "stdin" else "w"
        self.errors = "backslashreplace" if name == "stderr" else "strict"
        self.line_buffering = name == "stderr"

    def write(self, text, /):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        impure("output")
        if self.name == "<stdout>":
            printed(text)
        return len(text)

    def writelines(self, lines, /):
        for line in lines:
            self.write(line)

    def flush(self):
        return None

    def isatty(self):
        return False

    def close(self):
        return None

    def seekable(self):
        return False

    def readable(self):
        return self.mode == "r"

    def writable(self):
        return self.mode == "w"

    @property
    def buffer(self):
        return unknown("", "the bytes of a stream of the operating system")

    def detach(self):
        return self.buffer

    def fileno(self):
        return unknown("int", "a number of the operating system")

    def reconfigure(self, **kwargs):
        return None

    def read(self, *args):
        return unknown("str", "what the user types")

    readline = read

    def readlines(self, *args):
        return unknown("", "what the user types")

    def __iter__(self):
        return iter(self.readlines())

    def __next__(self):
        return self.read()


class _Modules(dict):
    """What was imported, by name; what a program puts into it stays."""

    def _now(self):
        for name, module in _modules().items():
            self.setdefault(name, module)
        return super()

    def __getitem__(self, name):
        _load(name)
        return self._now().__getitem__(name)

    def __contains__(self, name):
        _load(name)
        return self._now().__contains__(name)

    def __iter__(self):
        return self._now().__iter__()

    def __len__(self):
        return self._now().__len__()

    def get(self, name, default=None, /):
        _load(name)
        return self._now().get(name, default)

    def keys(self):
        return self._now().keys()

    def values(self):
        return self._now().values()

    def items(self):
        return self._now().items()

    def copy(self):
        return dict(self._now().items())

    def pop(self, name, /, *default):
        return self._now().pop(name, *default)


# What the interpreter itself has imported, and packages that import their parts.
_EARLY = "abc builtins codecs io os os.path stat sys time types warnings".split()
_WHOLE = ["jax", "jaxlib", "numpy"]


def _load(name):
    """Imports a module that is there without an import of the program's."""
    if not isinstance(name, str):
        return
    package = name.partition(".")[0]
    is_part = package in _WHOLE and package != name and ".experimental" not in name
    if name in _EARLY or is_part and package in _modules():
        try:
            __import__(name)
        except ImportError:
            pass


modules = _Modules()
version_info = _VersionInfo((3, 11, 7, "final", 0))
version = "3.11.7"
hexversion = 0x030B07F0
platform = "linux"
byteorder = "little"
maxsize = 9223372036854775807
maxunicode = 1114111
executable = unknown("str", "the interpreter")
prefix = exec_prefix = base_prefix = executable
path = [unknown("str", "the folder of the script")]


class BuiltinImporter:
    def find_spec(fullname, path=None, target=None):
        return None


class FrozenImporter(BuiltinImporter):
    pass


class PathFinder(BuiltinImporter):
    pass


meta_path = [BuiltinImporter, FrozenImporter, PathFinder]
path_importer_cache = {}
path_hooks = []
warnoptions = []
dont_write_bytecode = False
stdout = __stdout__ = _Stream("stdout")
stderr = __stderr__ = _Stream("stderr")
stdin = __stdin__ = _Stream("stdin")
implementation = _Record(name="cpython", cache_tag="cpython-311")
flags = _Record(optimize=0, debug=0, dev_mode=False)
float_info = _Record(
    max=1.7976931348623157e308, min=2.2250738585072014e-308, epsilon=2.220446049250313e-16, dig=15, mant_dig=53,
    max_exp=1024, min_exp=-1021, max_10_exp=308, min_10_exp=-307, radix=2, rounds=1,
)


class _Arguments(list):
    """What the program is called with: nothing, as far as is known."""

    def __getitem__(self, index):
        if isinstance(index, int) and index >= len(self):
            return unknown("str", "what the program is called with")
        found = list.__getitem__(self, index)
        return _Arguments(found) if isinstance(index, slice) else found


argv = _Arguments([_script()])


# Of what begins with an underscore, releases of Python have these.
_PRIVATE = """_UnraisableHookArgs _base_executable _clear_internal_caches _clear_type_cache _current_exceptions _current_frames
    _debugmallocstats _framework _get_cpu_count_config _getframe _getframemodulename _git _home _is_gil_enabled _is_immortal _is_interned _jit
    _stdlib_dir _xoptions""".split()


def __getattr__(name):
    if name in _PRIVATE:
        return unknown("", f"`sys.{name}` is not modelled")
    raise AttributeError(f"module 'sys' has no attribute {name!r}")


def exit(status=None, /):
    raise SystemExit(status)


def exception():
    return handled()


def exc_info():
    now = handled()
    return (None, None, None) if now is None else (type(now), now, unknown("", "a traceback"))


def getrecursionlimit():
    return 1000


def setrecursionlimit(limit, /):
    return None


def getsizeof(object, default=None):
    return unknown("int", "the size of an object")


getrefcount = getsizeof


def intern(string, /):
    return string


def gettrace():
    return None


def settrace(function, /):
    return None


setprofile = settrace


def getdefaultencoding():
    return "utf-8"


getfilesystemencoding = getdefaultencoding
