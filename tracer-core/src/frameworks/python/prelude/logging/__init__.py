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


def getLevelNamesMapping():
    return {"CRITICAL": 50, "FATAL": 50, "ERROR": 40, "WARN": 30, **{name: number for number, name in _NAMES.items()}}


class LogRecord:
    def __init__(self, name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None, **kwargs):
        if args and len(args) == 1 and isinstance(args[0], dict) and args[0]:
            args = args[0]
        self.name, self.levelno, self.levelname = name, level, getLevelName(level)
        self.msg, self.args, self.exc_info, self.stack_info = msg, args, exc_info, sinfo
        self.pathname, self.lineno, self.funcName, self.exc_text = pathname, lineno, func, None

    def getMessage(self):
        msg = str(self.msg)
        return msg % self.args if self.args else msg

    def __getattr__(self, name):
        import os.path

        if name == "filename":
            return os.path.basename(self.pathname)
        if name == "module":
            return os.path.splitext(self.filename)[0]
        if name in _OF_THE_MOMENT:
            return unknown("", f"`{name}` of a record")
        raise AttributeError(f"'LogRecord' object has no attribute {name!r}")

    def __repr__(self):
        return f'<LogRecord: {self.name}, {self.levelno}, {self.pathname}, {self.lineno}, "{self.msg}">'


# What a record tells about the time and the process.
_OF_THE_MOMENT = ("created", "msecs", "relativeCreated", "thread", "threadName", "process", "processName", "taskName", "asctime")


def makeLogRecord(dict):
    record = LogRecord(None, None, "", 0, "", (), None)
    record.__dict__.update(dict)
    return record


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
# What names a part of a record, in each style.
_PARTS = {"%": r"%\((\w+)\)", "{": r"\{(\w+)", "$": r"\$\{?(\w+)"}
_DEFAULTS = {"%": "%(message)s", "{": "{message}", "$": "${message}"}


class Formatter:
    def __init__(self, fmt=None, datefmt=None, style="%", validate=True, *, defaults=None):
        if not is_unknown(style) and style not in _DEFAULTS:
            raise ValueError("Style must be one of: %,{,$")
        self._fmt = fmt or _DEFAULTS.get(style)
        self._style, self.datefmt, self._defaults = style, datefmt, defaults or {}
        if validate and fmt and not is_unknown(fmt) and fmt not in (BASIC_FORMAT, _DEFAULTS[style]):
            self._check()

    def _check(self):
        import re

        fmt, style = self._fmt, self._style
        if style == "%":
            if not re.search(r"%\(\w+\)[#0+ -]*(\*|\d+)?(\.(\*|\d+))?[diouxefgcrsa%]", fmt):
                raise ValueError(f"Invalid format {fmt!r} for '%' style")
        elif not re.search(_PARTS[style], fmt):
            raise ValueError("invalid format: no fields")

    def usesTime(self):
        return "asctime" in self._fmt

    def formatMessage(self, record):
        import re

        if is_unknown(self._fmt) or is_unknown(self._style):
            return unknown("str", "a line of a log")
        fmt, known = self._fmt, dict(self._defaults)
        for name in re.findall(_PARTS[self._style], fmt):
            if name in record.__dict__ or name in _OF_THE_MOMENT or name in ("filename", "module"):
                known[name] = getattr(record, name)
            elif name not in known:
                raise ValueError(f"Formatting field not found in record: {name!r}")
        if any([is_unknown(value) for value in known.values()]):
            return unknown("str", "a line of a log")
        if self._style == "$":
            from string import Template

            return Template(fmt).substitute(**known)
        return fmt % known if self._style == "%" else fmt.format(**known)

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

    def __repr__(self):
        return f"<{type(self).__name__} ({getLevelName(self.level)})>"

    def get_name(self):
        return self.name

    def set_name(self, name):
        self.name = name

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
        if stream is None:
            import sys

            stream = sys.stderr
        self.stream = stream

    def __repr__(self):
        name = str(getattr(self.stream, "name", ""))
        return f"<{type(self).__name__} {name + ' ' if name else ''}({getLevelName(self.level)})>"

    def setStream(self, stream):
        if stream is self.stream:
            return None
        before, self.stream = self.stream, stream
        return before

    def emit(self, record):
        stream = self.stream
        # What goes to the streams of the process is not shown.
        if isinstance(stream, TextIOBase) or not is_unknown(stream) and type(stream).__module__ != "sys" and hasattr(type(stream), "write"):
            try:
                line = self.format(record)
            except (TypeError, ValueError, KeyError):
                # The real one prints a traceback and goes on.
                return
            self.stream.write(line + self.terminator)


class FileHandler(StreamHandler):
    def __init__(self, filename, mode="a", encoding=None, delay=False, errors=None):
        import os

        Handler.__init__(self)
        self.stream = unknown("", "the file of a log")
        self.baseFilename = os.path.abspath(os.fspath(filename))
        self.mode, self.encoding, self.delay = mode, encoding, delay

    def __repr__(self):
        return f"<{type(self).__name__} {self.baseFilename} ({getLevelName(self.level)})>"


class NullHandler(Handler):
    def handle(self, record):
        return None


def _number(level):
    if is_unknown(level) or isinstance(level, int):
        return level
    if not isinstance(level, str):
        raise TypeError(f"Level not an integer or a valid string: {level!r}")
    known = getLevelNamesMapping()
    if level not in known:
        raise ValueError(f"Unknown level: {level!r}")
    return known[level]


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


def _lose(logger):
    """Texts that a log may have been written to are not known any more."""
    while logger is not None:
        for handler in logger.handlers:
            if isinstance(getattr(handler, "stream", None), TextIOBase):
                handler.stream._lost = True
        logger = logger.parent if logger.propagate else None


class Logger(Filterer):
    def __init__(self, name, level=NOTSET):
        super().__init__()
        self.name = name
        self.level = _number(level)
        self.handlers = []
        self.propagate = True
        self.disabled = False

    def __repr__(self):
        return f"<{type(self).__name__} {self.name} ({getLevelName(self.getEffectiveLevel())})>"

    def __reduce__(self):
        return getLogger, (self.name,)

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
            if is_unknown(logger.level) or logger.level:
                return logger.level
            logger = logger.parent
        return NOTSET

    def isEnabledFor(self, level):
        least = self.getEffectiveLevel()
        if is_unknown(level) or is_unknown(least) or is_unknown(_disabled[0]):
            return unknown("bool", "the level of a log")
        return not self.disabled and level > _disabled[0] and level >= least

    def log(self, level, msg, *args, **kwargs):
        if not isinstance(level, int) and not is_unknown(level):
            raise TypeError("level must be an integer")
        enabled = self.isEnabledFor(level)
        if is_unknown(enabled):
            _lose(self)
        elif enabled:
            self._log(level, msg, args, **kwargs)

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        _show(msg, args)
        place, line = unknown("str", "the place of a call"), unknown("int", "the place of a call")
        record = self.makeRecord(self.name, level, place, line, msg, args, exc_info, func=place, extra=extra, sinfo=stack_info or None)
        self.handle(record)

    def makeRecord(self, name, level, fn, lno, msg, args, exc_info, func=None, extra=None, sinfo=None):
        record = LogRecord(name, level, fn, lno, msg, args, exc_info, func, sinfo)
        if extra:
            for key, value in extra.items():
                if key in ("message", "asctime") or key in record.__dict__:
                    raise KeyError(f"Attempt to overwrite {key!r} in LogRecord")
                setattr(record, key, value)
        return record

    def handle(self, record):
        if not self.disabled and self.filter(record):
            self.callHandlers(record)

    def callHandlers(self, record):
        logger = self
        while logger is not None:
            for handler in logger.handlers:
                passes = record.levelno >= handler.level
                if is_unknown(passes):
                    _lose(logger)
                elif passes:
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
        return getLogger(suffix if self is root else f"{self.name}.{suffix}")


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
_class = [Logger]
raiseExceptions = True
root = Logger("root", WARNING)


def getLogger(name=None):
    if not name or name == "root":
        return root
    if not isinstance(name, str) and not is_unknown(name):
        raise TypeError("A logger name must be a string")
    if name not in _loggers:
        _loggers[name] = _class[0](name)
    return _loggers[name]


def getLoggerClass():
    return _class[0]


def setLoggerClass(klass):
    if not issubclass(klass, Logger):
        raise TypeError(f"logger not derived from logging.Logger: {klass.__name__}")
    _class[0] = klass


def basicConfig(*, level=None, handlers=None, stream=None, filename=None, force=False, format=None, datefmt=None, style="%", filemode="a",
                encoding=None, errors="backslashreplace", **kwargs):
    if force:
        root.handlers.clear()
    if root.handlers:
        return
    if handlers is None and stream is not None and filename is not None:
        raise ValueError("'stream' and 'filename' should not be specified together")
    if handlers is not None and (stream is not None or filename is not None):
        raise ValueError("'stream' or 'filename' should not be specified together with 'handlers'")
    if style not in _DEFAULTS:
        raise ValueError("Style must be one of: %,{,$")
    if handlers is None:
        handlers = [StreamHandler(stream) if filename is None else FileHandler(filename)]
    basic = {"%": BASIC_FORMAT, "{": "{levelname}:{name}:{message}", "$": "${levelname}:${name}:${message}"}.get(style)
    formatter = Formatter(basic if format is None else format, datefmt, style)
    for handler in handlers:
        if handler.formatter is None:
            handler.setFormatter(formatter)
        root.addHandler(handler)
    if level is not None:
        root.setLevel(level)
    if kwargs:
        raise ValueError(f"Unrecognised argument(s): {', '.join(kwargs)}")


def disable(level=CRITICAL):
    _disabled[0] = _number(level)


def captureWarnings(capture):
    return None


def shutdown(handlerList=()):
    return None


log, debug, info, warning, warn = root.log, root.debug, root.info, root.warning, root.warning
error, exception, critical, fatal = root.error, root.exception, root.critical, root.critical
