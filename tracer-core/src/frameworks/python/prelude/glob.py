"""Which files there are is not known."""

from _jitlens.python import vague_list


def glob(pathname, **kwargs):
    return vague_list("the files of a folder")


iglob = glob


def escape(pathname):
    return pathname
