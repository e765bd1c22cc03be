"""Files are not touched."""

from _jitlens.python import is_unknown, note_written, unknown


class Error(OSError):
    pass


class SameFileError(Error):
    pass


def copy(src, dst, *, follow_symlinks=True):
    note_written(str(src))
    note_written(str(dst))
    return unknown("str", "a place in the file system")


def move(src, dst, copy_function=None):
    return copy(src, dst)


def copyfileobj(fsrc, fdst, length=0):
    fdst.write(unknown("", "the contents of a file") if is_unknown(fsrc) else fsrc.read())


def copymode(src, dst, *, follow_symlinks=True):
    return None


def copytree(src, dst, symlinks=False, ignore=None, copy_function=None, ignore_dangling_symlinks=False, dirs_exist_ok=False):
    note_written(None)
    return unknown("str", "a place in the file system")


def unpack_archive(filename, extract_dir=None, format=None, *, filter=None):
    note_written(None)


copy2 = copyfile = copy
copystat = copymode


def make_archive(base_name, format, *args, **kwargs):
    return unknown("str", "a place in the file system")


def which(cmd, mode=1, path=None):
    return unknown("", "what stands in the file system")


def ignore_patterns(*patterns):
    from fnmatch import filter

    def ignored(path, names):
        return {name for pattern in patterns for name in filter(names, pattern)}

    return ignored


def rmtree(path, ignore_errors=False, onerror=None, *, onexc=None, dir_fd=None):
    note_written(None)
