"""Logs are not written but to streams in memory; what is logged may fail all the same."""

from io import TextIOBase

from _jitlens.python import impure, is_unknown, unknown

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


class LogRecord:
    def __init__(self, name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None, **kwargs):
        if args and len(args) == 1 and isinstance(args[0], dict) and args[0]:
            args = args[0]
        self.name, self.levelno, self.levelname = name, level, getLevelName(level)
        self.msg, self.args, self.exc_info, self.stack_info = msg, args, exc_info, sinfo
        self._extra = ()

    def getMessage(self):
        msg = str(self.msg)
        return msg % self.args if self.args else msg

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return unknown("", f"`{name}` of a record")


class Filterer:
    def __init__(self):
        self.filters = []

    def addFilter(self, filter):
        if filter not in self.filters:
            self.filters.append(filter)

    def removeFilter(self, filter):
        if filter in self.filters:
            self.filters.remove(filter)

    def filter(self, record):
        for one in self.filters:
            if not (one.filter(record) if hasattr(one, "filter") else one(record)):
                return False
        return True


class Filter:
    def __init__(self, name=""):
        self.name = name

    def filter(self, record):
        name = self.name
        return not name or record.name == name or record.name.startswith(name + ".")


BASIC_FORMAT = "%(levelname)s:%(name)s:%(message)s"
# What a record has that is told; the rest is about the place, the time and the process.
_TOLD = ("name", "levelname", "levelno", "message", "msg")


class Formatter:
    def __init__(self, fmt=None, datefmt=None, style="%", validate=True, *, defaults=None):
        self._fmt = fmt or {"%": "%(message)s", "{": "{message}", "$": "${message}"}.get(style)
        self._style, self.datefmt, self._defaults = style, datefmt, defaults or {}

    def formatMessage(self, record):
        import re

        if self._style not in ("%", "{") or is_unknown(self._fmt):
            return unknown("str", "a line of a log")
        named = re.findall(r"%\((\w+)\)" if self._style == "%" else r"\{(\w+)", self._fmt)
        known = {name: record.__dict__[name] for name in named if name in _TOLD or name in record._extra}
        known = {**self._defaults, **known}
        if any([name not in known for name in named]):
            return unknown("str", "a line of a log")
        return self._fmt % known if self._style == "%" else self._fmt.format(**known)

    def format(self, record):
        record.message = record.getMessage()
        line = self.formatMessage(record)
        # A traceback follows.
        return unknown("str", "a line of a log") if record.exc_info or record.stack_info else line

    def formatTime(self, record, datefmt=None):
        return unknown("str", "the time")

    def formatException(self, ei):
        return unknown("str", "a traceback")


_plain = Formatter()


class Handler(Filterer):
    def __init__(self, level=NOTSET):
        super().__init__()
        self.level = _number(level)
        self.formatter = None
        self.name = None

    def setLevel(self, level):
        self.level = _number(level)

    def setFormatter(self, fmt):
        self.formatter = fmt

    def format(self, record):
        return (self.formatter or _plain).format(record)

    def emit(self, record):
        return None

    def handle(self, record):
        passed = self.filter(record)
        if passed:
            self.emit(record)
        return passed

    def handleError(self, record):
        return None

    def flush(self):
        return None

    close = acquire = release = createLock = flush


class StreamHandler(Handler):
    terminator = "\n"

    def __init__(self, stream=None):
        super().__init__()
        self.stream = stream

    def setStream(self, stream):
        before, self.stream = self.stream, stream
        return before

    def emit(self, record):
        if isinstance(self.stream, TextIOBase):
            try:
                line = self.format(record)
            except (TypeError, ValueError, KeyError):
                # The real one prints a traceback and goes on.
                return
            self.stream.write(line + self.terminator)


class FileHandler(StreamHandler):
    def __init__(self, filename, mode="a", encoding=None, delay=False, errors=None):
        super().__init__()
        self.baseFilename = filename


class NullHandler(Handler):
    pass


def _number(level):
    return getLevelName(level) if isinstance(level, str) else level


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


class Logger(Filterer):
    def __init__(self, name, level=NOTSET):
        super().__init__()
        self.name = name
        self.level = _number(level)
        self.handlers = []
        self.propagate = True
        self.disabled = False

    @property
    def parent(self):
        if self is root:
            return None
        name = self.name
        while "." in name:
            name = name.rpartition(".")[0]
            if name in _loggers:
                return _loggers[name]
        return root

    def setLevel(self, level):
        self.level = _number(level)

    def getEffectiveLevel(self):
        logger = self
        while logger is not None:
            if logger.level:
                return logger.level
            logger = logger.parent
        return NOTSET

    def isEnabledFor(self, level):
        return not self.disabled and level > _disabled[0] and level >= self.getEffectiveLevel()

    def log(self, level, msg, *args, **kwargs):
        if self.isEnabledFor(level):
            _show(msg, args)
            exc_info, extra, sinfo = kwargs.get("exc_info"), kwargs.get("extra"), kwargs.get("stack_info")
            self.handle(self.makeRecord(self.name, level, "", 0, msg, args, exc_info, extra=extra, sinfo=sinfo))

    def makeRecord(self, name, level, fn, lno, msg, args, exc_info, func=None, extra=None, sinfo=None):
        record = LogRecord(name, level, fn, lno, msg, args, exc_info, func, sinfo)
        if extra:
            record._extra = tuple(extra)
            for key, value in extra.items():
                setattr(record, key, value)
        return record

    def handle(self, record):
        if self.filter(record):
            self.callHandlers(record)

    def callHandlers(self, record):
        logger = self
        while logger is not None:
            for handler in logger.handlers:
                if record.levelno >= handler.level:
                    handler.handle(record)
            logger = logger.parent if logger.propagate else None

    def debug(self, msg, *args, **kwargs):
        self.log(DEBUG, msg, *args, **kwargs)

    def info(self, msg, *args, **kwargs):
        self.log(INFO, msg, *args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        self.log(WARNING, msg, *args, **kwargs)

    warn = warning

    def error(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.log(ERROR, msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        self.log(CRITICAL, msg, *args, **kwargs)

    fatal = critical

    def addHandler(self, hdlr):
        if hdlr not in self.handlers:
            self.handlers.append(hdlr)

    def removeHandler(self, hdlr):
        if hdlr in self.handlers:
            self.handlers.remove(hdlr)

    def hasHandlers(self):
        return bool(self.handlers) or self.propagate and self.parent is not None and self.parent.hasHandlers()

    def getChild(self, suffix):
        return getLogger(f"{self.name}.{suffix}")


class LoggerAdapter:
    def __init__(self, logger, extra=None):
        self.logger = logger
        self.extra = extra

    def process(self, msg, kwargs):
        kwargs["extra"] = self.extra
        return msg, kwargs

    def log(self, level, msg, *args, **kwargs):
        if self.logger.isEnabledFor(level):
            msg, kwargs = self.process(msg, kwargs)
            self.logger.log(level, msg, *args, **kwargs)

    def debug(self, msg, *args, **kwargs):
        self.log(DEBUG, msg, *args, **kwargs)

    def info(self, msg, *args, **kwargs):
        self.log(INFO, msg, *args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        self.log(WARNING, msg, *args, **kwargs)

    warn = warning

    def error(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.log(ERROR, msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        self.log(CRITICAL, msg, *args, **kwargs)

    def __getattr__(self, name):
        return getattr(self.logger, name)


_disabled = [NOTSET]
_loggers = {}
root = Logger("root", WARNING)


def getLogger(name=None):
    if not name or name == "root":
        return root
    if name not in _loggers:
        _loggers[name] = Logger(name)
    return _loggers[name]


def basicConfig(*, level=None, handlers=None, stream=None, filename=None, force=False, format=None, datefmt=None, style="%", **kwargs):
    if force:
        root.handlers.clear()
    if root.handlers:
        return
    if handlers is None:
        handlers = [StreamHandler(stream) if filename is None else FileHandler(filename)]
    basic = {"%": BASIC_FORMAT, "{": "{levelname}:{name}:{message}"}.get(style)
    formatter = Formatter(basic if format is None else format, datefmt, style)
    for handler in handlers:
        if handler.formatter is None:
            handler.setFormatter(formatter)
        root.addHandler(handler)
    if level is not None:
        root.setLevel(level)


def disable(level=CRITICAL):
    _disabled[0] = level


def captureWarnings(capture):
    return None


def shutdown(handlerList=()):
    return None


log, debug, info, warning, warn = root.log, root.debug, root.info, root.warning, root.warning
error, exception, critical, fatal = root.error, root.exception, root.critical, root.critical
