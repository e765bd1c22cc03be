"""Which files there are is not known."""

from _jitlens.python import vague_list


def glob(pathname, *, root_dir=None, dir_fd=None, recursive=False, include_hidden=False):
    return vague_list("the files of a folder")


iglob = glob


def escape(pathname):
    return "".join([f"[{c}]" if c in "*?[" else c for c in pathname])
