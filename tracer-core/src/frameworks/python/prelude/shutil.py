"""Files are not touched."""

from _jitlens.python import note_written, unknown


def _place(*args, **kwargs):
    return unknown("str", "a place in the file system")


def copy(src, dst, **kwargs):
    note_written(str(src))
    note_written(str(dst))
    return _place()


def copytree(src, dst, *args, **kwargs):
    note_written(None)
    return _place()


copy2 = copyfile = move = copy
unpack_archive = copytree
make_archive = which = _place


def rmtree(path, *args, **kwargs):
    note_written(None)
