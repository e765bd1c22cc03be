"""Settings of printing and of floating-point errors."""
from _jitlens import core

_print = {"edgeitems": 3, "threshold": 1000, "floatmode": "maxprec", "precision": 8, "suppress": False, "linewidth": 75, "nanstr": "nan",
          "infstr": "inf", "sign": "-", "formatter": None, "legacy": False, "override_repr": None}
_errors = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None, infstr=None,
                     formatter=None, sign=None, floatmode=None, *, legacy=None, override_repr=None):
    options = _checked({"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth,
                        "suppress": suppress, "nanstr": nanstr, "infstr": infstr, "sign": sign, "floatmode": floatmode,
                        "override_repr": override_repr})
    _print.update(options, formatter=formatter)
    if legacy is not None:
        _print["legacy"] = legacy
    core.keep_print_options(_print)


def _checked(options):
    """The options that are given."""
    given = {name: value for name, value in options.items() if value is not None}
    if given.get("floatmode", "fixed") not in ("fixed", "unique", "maxprec", "maxprec_equal"):
        raise ValueError('floatmode option must be one of "fixed", "unique", "maxprec", "maxprec_equal"')
    if given.get("sign", "-") not in (" ", "+", "-"):
        raise ValueError("sign option must be one of ' ', '+', or '-'")
    threshold = given.get("threshold", 0)
    if isinstance(threshold, (str, list, tuple, dict)):
        raise TypeError("threshold must be numeric")
    if threshold != threshold:
        raise ValueError("threshold must be non-NAN, try sys.maxsize for untruncated representation")
    if isinstance(given.get("precision"), (str, float, list, tuple, dict)):
        raise TypeError("precision must be an integer")
    if "suppress" in given:
        given["suppress"] = bool(given["suppress"])
    return given


def get_printoptions():
    return dict(_print)


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    return dict(_errors)


def geterr():
    return dict(_errors)


def seterrcall(func):
    return None


def geterrcall():
    return None


def setbufsize(size):
    return 8192


def getbufsize():
    return 8192


class errstate:
    def __init__(self, *, call=None, all=None, divide=None, over=None, under=None, invalid=None):
        pass

    def __enter__(self):
        return None

    def __exit__(self, *exc):
        return False

    def __call__(self, function):
        return function


class printoptions:
    def __init__(self, *args, **kwargs):
        self._args, self._kwargs = args, kwargs

    def __enter__(self):
        self._before = dict(_print)
        set_printoptions(*self._args, **self._kwargs)
        return get_printoptions()

    def __exit__(self, *exc):
        _print.update(self._before)
        core.keep_print_options(_print)
        return False

    def __call__(self, function):
        def inside(*args, **kwargs):
            with printoptions(*self._args, **self._kwargs):
                return function(*args, **kwargs)
        return inside


def show_config(mode="stdout"):
    pass


def show_runtime():
    pass


def info(object=None, maxwidth=76, output=None, toplevel="numpy"):
    pass
