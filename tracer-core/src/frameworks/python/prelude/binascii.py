"""Bytes as digits and letters."""

from _jitlens.python import is_unknown, unknown


class Error(ValueError):
    pass


class Incomplete(Exception):
    pass


_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_values = {}


def _taken(data):
    if isinstance(data, str):
        raise TypeError("a bytes-like object is required, not 'str'")
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise TypeError(f"a bytes-like object is required, not {type(data).__name__!r}")
    return bytes(data)


def b2a_base64(data, *, newline=True):
    if is_unknown(data):
        return unknown("bytes", "the letters of unknown bytes")
    data, out = _taken(data), []
    for at in range(0, len(data), 3):
        part = data[at : at + 3]
        missing = 3 - len(part)
        n = int.from_bytes(part, "big") << 8 * missing
        letters = [_LETTERS[n >> 18], _LETTERS[n >> 12 & 63], _LETTERS[n >> 6 & 63], _LETTERS[n & 63]]
        out.extend(letters[: 4 - missing] + [61] * missing)
    return bytes(out + [10] if newline else out)


def a2b_base64(data, /, *, strict_mode=False):
    if is_unknown(data):
        return unknown("bytes", "unknown bytes")
    data = data.encode() if isinstance(data, str) else _taken(data)
    if not _values:
        _values.update({letter: i for i, letter in enumerate(_LETTERS)})
    digits, pads, is_over = [], 0, False
    for at, c in enumerate(data):
        if c == 61:
            pads += 1
            if len(digits) % 4 >= 2 and len(digits) % 4 + pads >= 4:
                if strict_mode and at + 1 < len(data):
                    raise Error("Excess data after padding")
                is_over = True
                break
            if strict_mode and len(digits) % 4 < 2:
                raise Error("Leading padding not allowed" if at == 0 else "Discontinuous padding not allowed")
        elif c in _values:
            if strict_mode and pads:
                raise Error("Discontinuous padding not allowed")
            digits.append(_values[c])
            pads = 0
        elif strict_mode:
            raise Error("Only base64 data is allowed")
    rest = len(digits) % 4
    if rest == 1:
        raise Error(f"Invalid base64-encoded string: number of data characters ({len(digits)}) cannot be 1 more than a multiple of 4")
    if rest and not is_over:
        raise Error("Incorrect padding")
    out = []
    for at in range(0, len(digits), 4):
        part = digits[at : at + 4]
        missing = 4 - len(part)
        n = 0
        for digit in part:
            n = n << 6 | digit
        n <<= 6 * missing
        out.extend([n >> 16, n >> 8 & 255, n & 255][: 3 - missing])
    return bytes(out)


def hexlify(data, sep=None, bytes_per_sep=1):
    if is_unknown(data) or sep is not None:
        return unknown("bytes", "the digits of bytes")
    return _taken(data).hex().encode()


b2a_hex = hexlify


def unhexlify(hexstr, /):
    if is_unknown(hexstr):
        return unknown("bytes", "unknown bytes")
    text = hexstr if isinstance(hexstr, str) else _taken(hexstr).decode("latin-1")
    if len(text) % 2:
        raise Error("Odd-length string")
    if any([c not in "0123456789abcdefABCDEF" for c in text]):
        raise Error("Non-hexadecimal digit found")
    return bytes.fromhex(text)


a2b_hex = unhexlify
