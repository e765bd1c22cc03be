"""Logs are not written."""

import logging as _logging

DEBUG, INFO, WARNING, WARN, ERROR, FATAL = 1, 0, -1, -1, -2, -3
_logger = _logging.Logger("absl", _logging.INFO)
debug, info, warning, warn, error, exception = (
    _logger.debug, _logger.info, _logger.warning, _logger.warning, _logger.error, _logger.error,
)


def fatal(msg, *args, **kwargs):
    raise SystemExit(1)


def log(level, msg, *args, **kwargs):
    _logger.info(msg, *args)


def vlog(level, msg, *args, **kwargs):
    return None


def log_first_n(level, msg, n, *args):
    _logger.info(msg, *args)


log_every_n = log_every_n_seconds = log_first_n


def set_verbosity(v):
    return None


set_stderrthreshold = use_absl_handler = use_python_logging = set_verbosity


def get_verbosity():
    return -1


def get_absl_logger():
    return _logger
