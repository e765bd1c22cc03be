"""The start of a program."""

from absl import flags


class UsageError(Exception):
    pass


def run(main, argv=None, flags_parser=None):
    import sys

    main(sys.argv[:1] if argv is None else argv)
    sys.exit()


def parse_flags_with_usage(args):
    return args


def call_after_init(callback):
    callback()
