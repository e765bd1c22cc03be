"""Numbers and texts as the bytes of records."""

import math

from _jitlens.python import is_unknown, unknown


class error(Exception):
    pass


# The size of each code in bytes: by itself, and where the machine's own sizes are asked for.
_SIZES = {"x": 1, "c": 1, "b": 1, "B": 1, "?": 1, "h": 2, "H": 2, "i": 4, "I": 4, "l": 4, "L": 4, "q": 8, "Q": 8, "e": 2, "f": 4, "d": 8, "s": 1, "p": 1}
_OWN_SIZES = {**_SIZES, "l": 8, "L": 8, "n": 8, "N": 8, "P": 8}
# How many bits of a number of so many bytes are its exponent.
_EXPONENTS = {2: 5, 4: 8, 8: 11}
_SIGNED = "bhilqn"


class _Layout:
    """What a format says: the order of bytes, the items (code, count, size, place) and the length."""

    def __init__(self, format):
        if isinstance(format, bytes):
            format = format.decode("ascii")
        first = format[:1]
        self.order = "big" if first in (">", "!") and first else "little"
        is_own = first not in ("<", ">", "!", "=") or not first
        sizes = _OWN_SIZES if is_own else _SIZES
        self.is_own, self.items, at, count = is_own, [], 0, ""
        for c in format[1:] if first and first in "@=<>!" else format:
            if c.isdigit():
                count += c
            elif c.isspace() and not count:
                pass
            elif c not in sizes:
                raise error("bad char in struct format")
            else:
                size = sizes[c]
                if is_own:
                    at += -at % size
                number = int(count) if count else 1
                if c == "x":
                    at += number
                elif c in "sp":
                    self.items.append((c, number, number, at))
                    at += number
                else:
                    for _ in range(number):
                        self.items.append((c, 1, size, at))
                        at += size
                count = ""
        if count:
            raise error("repeat count given without format specifier")
        self.size = at


_layouts = {}


def _layout(format):
    if format not in _layouts:
        _layouts[format] = _Layout(format)
    return _layouts[format]


def _float_bits(x, size):
    """The bits of a number, rounded to the nearest that there is."""
    width = _EXPONENTS[size]
    digits = size * 8 - 1 - width
    bias, top = (1 << width - 1) - 1, (1 << width) - 1
    sign = int(math.copysign(1.0, x) < 0) << width + digits
    if x != x:
        return sign | top << digits | 1 << digits - 1
    if x in (math.inf, -math.inf):
        return sign | top << digits
    if x == 0:
        return sign
    part, power = math.frexp(abs(x))
    power -= 1
    # Small ones have fewer digits.
    kept = digits if power >= 1 - bias else digits + power - (1 - bias)
    scaled = round(math.ldexp(part, kept + 1))
    bits = scaled + (power + bias - 1 << digits) if power >= 1 - bias else scaled
    if bits >= top << digits:
        raise OverflowError(f"float too large to pack with {'e' if size == 2 else 'f'} format")
    return sign | bits


def _float_of(bits, size):
    width = _EXPONENTS[size]
    digits = size * 8 - 1 - width
    bias, top = (1 << width - 1) - 1, (1 << width) - 1
    sign = -1.0 if bits >> width + digits else 1.0
    power, part = bits >> digits & top, bits & (1 << digits) - 1
    if power == top:
        return math.nan if part else sign * math.inf
    if power == 0:
        return sign * math.ldexp(part, 1 - bias - digits)
    return sign * math.ldexp(part + (1 << digits), power - bias - digits)


def _packed(code, count, size, value, order):
    if code in "efd":
        if not isinstance(value, (int, float)) and not hasattr(type(value), "__float__"):
            raise error("required argument is not a float")
        return _float_bits(float(value), size).to_bytes(size, order)
    if code == "?":
        return b"\x01" if value else b"\x00"
    if code in "sp":
        if not isinstance(value, (bytes, bytearray)):
            raise error(f"argument for {code!r} must be a bytes object")
        value = bytes(value)
        if code == "p":
            value = value[: max(min(count - 1, 255), 0)]
            value = bytes([len(value)]) + value if count else value
        return value[:count] + b"\x00" * (count - len(value))
    if code == "c":
        if not isinstance(value, (bytes, bytearray)) or len(value) != 1:
            raise error("char format requires a bytes object of length 1")
        return bytes(value)
    if not isinstance(value, int):
        if not hasattr(type(value), "__index__"):
            raise error("required argument is not an integer")
        value = value.__index__()
    is_signed = code in _SIGNED
    bits = size * 8 - is_signed
    low, high = -(1 << bits) if is_signed else 0, (1 << bits) - 1
    if not low <= value <= high:
        raise error(_out_of_range(code, size, value, low, high, order))
    return value.to_bytes(size, order, signed=is_signed)


def _out_of_range(code, size, value, low, high, order):
    if size == 8:
        return "int too large to convert" if order == "big" else "argument out of range"
    fits = 0 <= value < 1 << 64 if code in "IL" else -(1 << 63) <= value < 1 << 63
    name = {"b": "byte", "B": "ubyte"}.get(code, f"{code!r}")
    return f"{name} format requires {low} <= number <= {high}" if fits else "argument out of range"


def _unpacked(code, size, part, order):
    if code in "efd":
        return _float_of(int.from_bytes(part, order), size)
    if code == "?":
        return part != b"\x00"
    if code == "c" or code == "s":
        return part
    if code == "p":
        return part[1 : 1 + part[0]] if part else b""
    return int.from_bytes(part, order, signed=code in _SIGNED)


def _kind(code):
    return "float" if code in "efd" else "bool" if code == "?" else "bytes" if code in "csp" else "int"


def calcsize(format, /):
    return unknown("int", "the size of an unknown format") if is_unknown(format) else _layout(format).size


def pack(format, /, *values):
    if is_unknown(format):
        return unknown("bytes", "bytes in an unknown format")
    layout = _layout(format)
    if len(values) != len(layout.items):
        raise error(f"pack expected {len(layout.items)} items for packing (got {len(values)})")
    if any([is_unknown(value) for value in values]):
        return unknown("bytes", "the bytes of an unknown value")
    out, at = [], 0
    for (code, count, size, place), value in zip(layout.items, values):
        out.append(b"\x00" * (place - at))
        out.append(_packed(code, count, size, value, layout.order))
        at = place + size
    out.append(b"\x00" * (layout.size - at))
    return b"".join(out)


def pack_into(format, buffer, offset, /, *values):
    packed = pack(format, *values)
    if offset < 0:
        offset += len(buffer)
    if len(buffer) - offset < len(packed):
        raise error(
            f"pack_into requires a buffer of at least {offset + len(packed)} bytes for packing {len(packed)} bytes at offset {offset} "
            f"(actual buffer size is {len(buffer)})"
        )
    buffer[offset : offset + len(packed)] = packed


def _taken(layout, data, offset):
    if is_unknown(data) or is_unknown(offset):
        return tuple([unknown(_kind(code), "a part of unknown bytes") for code, *_ in layout.items])
    return tuple([_unpacked(code, size, data[offset + place : offset + place + size], layout.order) for code, _, size, place in layout.items])


def _bytes(buffer):
    return buffer if is_unknown(buffer) or type(buffer) is bytes else bytes(buffer)


def unpack(format, buffer, /):
    if is_unknown(format):
        return unknown("tuple", "bytes in an unknown format")
    layout, data = _layout(format), _bytes(buffer)
    if not is_unknown(data) and len(data) != layout.size:
        raise error(f"unpack requires a buffer of {layout.size} bytes")
    return _taken(layout, data, 0)


def unpack_from(format, /, buffer, offset=0):
    if is_unknown(format):
        return unknown("tuple", "bytes in an unknown format")
    layout, data = _layout(format), _bytes(buffer)
    if not is_unknown(data) and not is_unknown(offset):
        if offset < 0:
            if offset + len(data) < 0:
                raise error(f"offset {offset} out of range for {len(data)}-byte buffer")
            offset += len(data)
        if len(data) - offset < layout.size:
            raise error(
                f"unpack_from requires a buffer of at least {offset + layout.size} bytes for unpacking {layout.size} bytes at offset {offset} "
                f"(actual buffer size is {len(data)})"
            )
    return _taken(layout, data, offset)


def iter_unpack(format, buffer, /):
    if is_unknown(format) or is_unknown(buffer):
        return unknown("", "the records of unknown bytes")
    layout, data = _layout(format), _bytes(buffer)
    if layout.size == 0:
        raise error("cannot iteratively unpack with a struct of length 0")
    if len(data) % layout.size:
        raise error(f"iterative unpacking requires a buffer of a multiple of {layout.size} bytes")
    return iter([_taken(layout, data, at) for at in range(0, len(data), layout.size)])


class Struct:
    def __init__(self, format):
        self.format = format
        self.size = calcsize(format)

    def pack(self, *values):
        return pack(self.format, *values)

    def pack_into(self, buffer, offset, *values):
        pack_into(self.format, buffer, offset, *values)

    def unpack(self, buffer, /):
        return unpack(self.format, buffer)

    def unpack_from(self, buffer, offset=0):
        return unpack_from(self.format, buffer, offset)

    def iter_unpack(self, buffer, /):
        return iter_unpack(self.format, buffer)
