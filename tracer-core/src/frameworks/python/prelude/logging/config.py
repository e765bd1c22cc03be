"""How logs are set up by dictionaries: levels, handlers and the lines that they write."""

import logging
import sys

from _jitlens.python import is_unknown, unknown

DEFAULT_LOGGING_CONFIG_PORT = 9030


def dictConfig(config):
    if is_unknown(config):
        return unknown("", "a configuration of logs that is not known")
    if "version" not in config:
        raise ValueError("dictionary doesn't specify a version")
    if config["version"] != 1:
        raise ValueError(f"Unsupported version: {config['version']}")
    if config.get("incremental", False):
        for name, settings in config.get("loggers", {}).items():
            _set_level(logging.getLogger(name), settings, f"logger {name!r}")
        _set_level(logging.root, config.get("root", {}), "root logger")
        return None
    made = {"formatters": {}, "filters": {}, "handlers": {}}
    for part, make in (("formatters", _formatter), ("filters", _filter), ("handlers", _handler)):
        for name, settings in config.get(part, {}).items():
            try:
                made[part][name] = make(settings, made)
            except (TypeError, ValueError, KeyError) as error:
                raise ValueError(f"Unable to configure {part[:-1]} {name!r}") from error
            if part == "handlers" and not is_unknown(made[part][name]):
                made[part][name].name = name
    loggers = config.get("loggers", {})
    if config.get("disable_existing_loggers", True):
        for name, logger in logging._loggers.items():
            if not any([name == named or name.startswith(named + ".") for named in loggers]):
                logger.disabled = True
    for name, settings in loggers.items():
        logger = logging.getLogger(name)
        _set_up(logger, settings, made, f"logger {name!r}")
        logger.disabled = False
        if settings.get("propagate") is not None:
            logger.propagate = settings["propagate"]
    if config.get("root"):
        _set_up(logging.root, config["root"], made, "root logger")


def _set_level(logger, settings, what):
    level = settings.get("level")
    if level is not None:
        try:
            logger.setLevel(level)
        except ValueError as error:
            raise ValueError(f"Unable to configure {what}") from error


def _set_up(logger, settings, made, what):
    _set_level(logger, settings, what)
    logger.handlers.clear()
    for part, add in (("handlers", logger.addHandler), ("filters", logger.addFilter)):
        for name in settings.get(part, None) or ():
            if name not in made[part]:
                raise ValueError(f"Unable to configure {what}")
            add(made[part][name])


def _formatter(settings, made):
    if "()" in settings:
        return _called(settings)
    if "class" in settings:
        kind = _found(settings["class"])
        return kind(settings.get("format"), settings.get("datefmt"), settings.get("style", "%"))
    return logging.Formatter(settings.get("format"), settings.get("datefmt"), settings.get("style", "%"), settings.get("validate", True))


def _filter(settings, made):
    return _called(settings) if "()" in settings else logging.Filter(settings.get("name", ""))


def _handler(settings, made):
    own = {name: _given(value) for name, value in settings.items() if name not in ("class", "()", "level", "formatter", "filters", ".")}
    kind = _found(settings["()"] if "()" in settings else settings["class"])
    handler = unknown("", "a handler of logs that is not modelled") if is_unknown(kind) else kind(**own)
    if settings.get("formatter") is not None:
        handler.setFormatter(made["formatters"][settings["formatter"]])
    if settings.get("level") is not None:
        handler.setLevel(settings["level"])
    for name in settings.get("filters", None) or ():
        handler.addFilter(made["filters"][name])
    return handler


def _called(settings):
    return _found(settings["()"])(**{name: _given(value) for name, value in settings.items() if name not in ("()", ".")})


def _given(value):
    return _found(value[6:]) if isinstance(value, str) and value.startswith("ext://") else value


def _found(path):
    """What a path of names stands for."""
    if not isinstance(path, str):
        return path
    first, _, rest = path.partition(".")
    if first not in ("logging", "sys") or "handlers" in rest:
        return unknown("", f"`{path}` is not imported")
    found = {"logging": logging, "sys": sys}[first]
    for name in rest.split("."):
        found = getattr(found, name)
    return found


def fileConfig(fname, defaults=None, disable_existing_loggers=True, encoding=None):
    return unknown("", "a configuration of logs in a file")


def __getattr__(name):
    known = "BaseConfigurator ConvertingDict ConvertingList ConvertingMixin ConvertingTuple DictConfigurator IDENTIFIER RESET_ERROR"
    if name in known.split() or name in ("StreamRequestHandler", "ThreadingTCPServer", "dictConfigClass", "listen", "stopListening", "valid_ident"):
        return unknown("", f"`logging.config.{name}` is not modelled")
    raise AttributeError(f"module 'logging.config' has no attribute {name!r}")
