"""Logs are not written; what is logged may fail all the same."""

from _jitlens.python import impure

CRITICAL = FATAL = 50
ERROR = 40
WARNING = WARN = 30
INFO = 20
DEBUG = 10
NOTSET = 0
_NAMES = {50: "CRITICAL", 40: "ERROR", 30: "WARNING", 20: "INFO", 10: "DEBUG", 0: "NOTSET"}


def getLevelName(level):
    for number, name in _NAMES.items():
        if level == number:
            return name
        if level == name:
            return number
    return f"Level {level}"


def addLevelName(level, levelName):
    _NAMES[level] = levelName


class Filterer:
    def __init__(self):
        self.filters = []

    def addFilter(self, filter):
        self.filters.append(filter)

    def removeFilter(self, filter):
        if filter in self.filters:
            self.filters.remove(filter)

    def filter(self, record):
        return True


class Filter:
    def __init__(self, name=""):
        self.name = name

    def filter(self, record):
        return True


class Formatter:
    def __init__(self, *args, **kwargs):
        pass


class Handler:
    def __init__(self, *args, **kwargs):
        self.level = NOTSET
        self.formatter = None

    def setLevel(self, level):
        self.level = level

    def setFormatter(self, fmt):
        self.formatter = fmt

    def addFilter(self, filter):
        return None

    removeFilter = addFilter

    def flush(self):
        return None

    close = acquire = release = flush


class StreamHandler(Handler):
    pass


class FileHandler(Handler):
    pass


class NullHandler(Handler):
    pass


def _show(msg, args):
    impure("log")
    if args:
        if len(args) == 1 and isinstance(args[0], dict):
            args = args[0]
        try:
            str(msg) % args
        except (TypeError, ValueError):
            # The real one prints a traceback and goes on.
            return None
    else:
        str(msg)


class Logger:
    def __init__(self, name, level=NOTSET):
        self.name = name
        self.level = level
        self.handlers = []
        self.filters = []
        self.propagate = True
        self.disabled = False
        self.parent = None

    def setLevel(self, level):
        self.level = getLevelName(level) if isinstance(level, str) else level

    def getEffectiveLevel(self):
        return self.level or root.level

    def isEnabledFor(self, level):
        return level >= self.getEffectiveLevel()

    def log(self, level, msg, *args, **kwargs):
        if self.isEnabledFor(level):
            _show(msg, args)

    def debug(self, msg, *args, **kwargs):
        self.log(DEBUG, msg, *args)

    def info(self, msg, *args, **kwargs):
        self.log(INFO, msg, *args)

    def warning(self, msg, *args, **kwargs):
        self.log(WARNING, msg, *args)

    warn = warning

    def error(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args)

    exception = error

    def critical(self, msg, *args, **kwargs):
        self.log(CRITICAL, msg, *args)

    fatal = critical

    def addHandler(self, hdlr):
        self.handlers.append(hdlr)

    def removeHandler(self, hdlr):
        if hdlr in self.handlers:
            self.handlers.remove(hdlr)

    def hasHandlers(self):
        return bool(self.handlers)

    def addFilter(self, filter):
        self.filters.append(filter)

    def removeFilter(self, filter):
        if filter in self.filters:
            self.filters.remove(filter)

    def getChild(self, suffix):
        return getLogger(f"{self.name}.{suffix}")


class LoggerAdapter:
    def __init__(self, logger, extra=None):
        self.logger = logger

    def __getattr__(self, name):
        return getattr(self.logger, name)


root = Logger("root", WARNING)
_loggers = {}


def getLogger(name=None):
    if not name or name == "root":
        return root
    if name not in _loggers:
        _loggers[name] = Logger(name)
        _loggers[name].parent = root
    return _loggers[name]


def basicConfig(**kwargs):
    if "level" in kwargs:
        root.setLevel(kwargs["level"])


def disable(level=CRITICAL):
    return None


def captureWarnings(capture):
    return None


def shutdown(handlerList=()):
    return None


log, debug, info, warning, warn = root.log, root.debug, root.info, root.warning, root.warning
error, exception, critical, fatal = root.error, root.exception, root.critical, root.critical


def __getattr__(name):
    from _jitlens.python import unknown

    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`logging.{name}` is not modelled")
