"""Bytes as texts of few characters."""

import binascii

from _jitlens.python import is_unknown, unknown


def _bytes(s):
    if is_unknown(s) or isinstance(s, bytes):
        return s
    if isinstance(s, str):
        try:
            return s.encode("ascii")
        except UnicodeEncodeError:
            raise ValueError("string argument should contain only ASCII characters") from None
    if isinstance(s, (bytearray, memoryview)):
        return bytes(s)
    raise TypeError(f"argument should be a bytes-like object or ASCII string, not {type(s).__name__!r}")


def _swapped(data, one, other):
    return unknown("bytes", "unknown bytes") if is_unknown(data) else data.replace(one[:1], other[:1]).replace(one[1:], other[1:])


def b64encode(s, altchars=None):
    found = binascii.b2a_base64(s, newline=False)
    return found if altchars is None else _swapped(found, b"+/", altchars)


def b64decode(s, altchars=None, validate=False):
    s = _bytes(s)
    if altchars is not None:
        s = _swapped(s, _bytes(altchars), b"+/")
    return binascii.a2b_base64(s, strict_mode=validate)


def standard_b64encode(s):
    return b64encode(s)


def standard_b64decode(s):
    return b64decode(s)


def urlsafe_b64encode(s):
    return b64encode(s, b"-_")


def urlsafe_b64decode(s):
    return b64decode(s, b"-_")


def b16encode(s):
    return binascii.hexlify(s).upper()


def b16decode(s, casefold=False):
    s = _bytes(s)
    if is_unknown(s):
        return unknown("bytes", "unknown bytes")
    if any([c not in b"0123456789ABCDEF" for c in (s.upper() if casefold else s)]):
        raise binascii.Error("Non-base16 digit found")
    return binascii.unhexlify(s)
