"""Settings of printing and of floating-point errors."""
_print = {"edgeitems": 3, "threshold": 1000, "floatmode": "maxprec", "precision": 8, "suppress": False, "linewidth": 75, "nanstr": "nan",
          "infstr": "inf", "sign": "-", "formatter": None, "legacy": False, "override_repr": None}
_errors = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None, infstr=None,
                     formatter=None, sign=None, floatmode=None, *, legacy=None, override_repr=None):
    pass


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
        pass

    def __enter__(self):
        return get_printoptions()

    def __exit__(self, *exc):
        return False


def show_config(mode="stdout"):
    pass


def show_runtime():
    pass


def info(object=None, maxwidth=76, output=None, toplevel="numpy"):
    pass
