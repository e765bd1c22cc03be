"""Numbers that are unlike all others: those that differ each time are not known."""

from _jitlens.python import impure, is_unknown, unknown

RESERVED_NCS, RFC_4122, RESERVED_MICROSOFT, RESERVED_FUTURE = (
    "reserved for NCS compatibility", "specified in RFC 4122", "reserved for Microsoft compatibility", "reserved for future definition",
)


class UUID:
    def __init__(self, hex=None, bytes=None, bytes_le=None, fields=None, int=None, version=None, **kwargs):
        if [hex, bytes, bytes_le, fields, int].count(None) != 4:
            raise TypeError("one of the hex, bytes, bytes_le, fields, or int arguments must be given")
        if hex is not None:
            digits = hex.replace("urn:", "").replace("uuid:", "").strip("{}").replace("-", "")
            if len(digits) != 32:
                raise ValueError("badly formed hexadecimal UUID string")
            int = _int(digits, 16)
        elif bytes is not None:
            if len(bytes) != 16:
                raise ValueError("bytes is not a 16-char string")
            int = _int.from_bytes(bytes, "big")
        elif int is None:
            int = unknown("int", "a number from its parts")
        if version is not None:
            if not 1 <= version <= 5:
                raise ValueError("illegal version number")
            int = int & ~(0xC000 << 48) | 0x8000 << 48
            int = int & ~(0xF000 << 64) | version << 76
        self.int = int

    @property
    def hex(self):
        return f"{self.int:032x}"

    @property
    def bytes(self):
        return self.int.to_bytes(16, "big")

    @property
    def version(self):
        return self.int >> 76 & 15 if is_unknown(self.int) or self.variant == RFC_4122 else None

    @property
    def variant(self):
        if not self.int & 0x8000 << 48:
            return RESERVED_NCS
        if not self.int & 0x4000 << 48:
            return RFC_4122
        return RESERVED_FUTURE if self.int & 0x2000 << 48 else RESERVED_MICROSOFT

    @property
    def urn(self):
        return "urn:uuid:" + str(self)

    def __int__(self):
        return self.int

    def __str__(self):
        digits = self.hex
        return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"

    def __repr__(self):
        return f"{type(self).__name__}({str(self)!r})"

    def __eq__(self, other):
        return self.int == other.int if isinstance(other, UUID) else NotImplemented

    def __lt__(self, other):
        return self.int < other.int if isinstance(other, UUID) else NotImplemented

    def __hash__(self):
        return hash(self.int)

    def __getattr__(self, name):
        if name in ("bytes_le", "fields", "time_low", "time_mid", "time_hi_version", "clock_seq_hi_variant", "clock_seq_low", "time", "clock_seq", "node"):
            return unknown("", f"`{name}` of a UUID")
        raise AttributeError(f"'UUID' object has no attribute {name!r}")


_int = int


def uuid1(node=None, clock_seq=None):
    impure("random")
    return UUID(int=unknown("int", "`uuid.uuid1` differs each time"))


def uuid4():
    impure("random")
    return UUID(int=unknown("int", "`uuid.uuid4` differs each time"))


def _named(space, name, digest, version):
    import hashlib

    if is_unknown(name) or is_unknown(space.int):
        return UUID(int=unknown("int", "the number of an unknown name"))
    name = name.encode("utf-8") if isinstance(name, str) else name
    return UUID(bytes=hashlib.new(digest, space.bytes + name).digest()[:16], version=version)


def uuid3(namespace, name):
    return _named(namespace, name, "md5", 3)


def uuid5(namespace, name):
    return _named(namespace, name, "sha1", 5)


def __getattr__(name):
    spaces = ("NAMESPACE_DNS", "NAMESPACE_URL", "NAMESPACE_OID", "NAMESPACE_X500")
    if name in spaces:
        return UUID(f"6ba7b81{(0, 1, 2, 4)[spaces.index(name)]}-9dad-11d1-80b4-00c04fd430c8")
    raise AttributeError(f"module 'uuid' has no attribute {name!r}")
