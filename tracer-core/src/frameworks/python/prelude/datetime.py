"""Dates, times and differences of them that the program writes; what a clock says is not known."""

from _jitlens.python import impure, is_unknown, unknown

MINYEAR, MAXYEAR = 1, 9999
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTHS = "January February March April May June July August September October November December".split()
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_DAY = 86400 * 10**6


def _is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_in(year, month):
    return 29 if month == 2 and _is_leap(year) else _DAYS[month - 1]


def _before(year):
    """Days of the years before."""
    past = year - 1
    return past * 365 + past // 4 - past // 100 + past // 400


def _of_ordinal(days):
    year = days * 400 // 146097 + 2
    while _before(year) >= days:
        year -= 1
    rest, month = days - _before(year), 1
    while rest > _days_in(year, month):
        rest -= _days_in(year, month)
        month += 1
    return year, month, rest


def _whole(value):
    if isinstance(value, float) or not hasattr(value, "__index__"):
        raise TypeError(f"{type(value).__name__!r} object cannot be interpreted as an integer")
    return value.__index__()


def _within(value, least, most, what):
    value = _whole(value)
    if not least <= value <= most:
        raise ValueError(f"{what} must be in {least}..{most}" if what != "year" else f"year {value} is out of range")
    return value


class timedelta:
    def __new__(cls, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        parts = (days, seconds, microseconds, milliseconds, minutes, hours, weeks)
        if any([is_unknown(part) for part in parts]):
            return unknown("", "a difference of times that is not known")
        for name, part in zip(("days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks"), parts):
            if not isinstance(part, (int, float)):
                raise TypeError(f"unsupported type for timedelta {name} component: {type(part).__name__}")
        scales = (_DAY, 10**6, 1, 1000, 60 * 10**6, 3600 * 10**6, 7 * _DAY)
        exact = sum([part * scale for part, scale in zip(parts, scales) if isinstance(part, int)])
        rest = sum([part * scale for part, scale in zip(parts, scales) if not isinstance(part, int)])
        return cls._of(exact + round(rest))

    @classmethod
    def _of(cls, microseconds):
        self = object.__new__(cls)
        self._all = microseconds
        days = microseconds // _DAY
        if abs(days) > 999999999:
            raise OverflowError(f"days={days}; must have magnitude <= 999999999")
        return self

    days = property(lambda self: self._all // _DAY)
    seconds = property(lambda self: self._all % _DAY // 10**6)
    microseconds = property(lambda self: self._all % 10**6)

    def total_seconds(self):
        return self._all / 10**6

    def _key(self):
        return self._all

    def __repr__(self):
        parts = [(name, getattr(self, name)) for name in ("days", "seconds", "microseconds")]
        shown = ", ".join([f"{name}={value}" for name, value in parts if value])
        return f"datetime.timedelta({shown or '0'})"

    def __str__(self):
        minutes, seconds = divmod(self.seconds, 60)
        text = f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
        if self.days:
            text = f"{self.days} day{'s' if abs(self.days) != 1 else ''}, {text}"
        return f"{text}.{self.microseconds:06d}" if self.microseconds else text

    def __hash__(self):
        return hash(self._all)

    def __bool__(self):
        return self._all != 0

    def __add__(self, other):
        return timedelta._of(self._all + other._all) if isinstance(other, timedelta) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        return timedelta._of(self._all - other._all) if isinstance(other, timedelta) else NotImplemented

    def __neg__(self):
        return timedelta._of(-self._all)

    def __pos__(self):
        return self

    def __abs__(self):
        return timedelta._of(abs(self._all))

    def __mul__(self, other):
        if isinstance(other, (int, float)):
            return timedelta._of(self._all * other if isinstance(other, int) else round(self._all * other))
        return NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other):
        if isinstance(other, timedelta):
            return self._all / other._all
        return timedelta._of(round(self._all / other)) if isinstance(other, (int, float)) else NotImplemented

    def __floordiv__(self, other):
        if isinstance(other, timedelta):
            return self._all // other._all
        return timedelta._of(self._all // other) if isinstance(other, int) else NotImplemented

    def __mod__(self, other):
        return timedelta._of(self._all % other._all) if isinstance(other, timedelta) else NotImplemented

    def __divmod__(self, other):
        return (self // other, self % other) if isinstance(other, timedelta) else NotImplemented


class tzinfo:
    pass


class timezone(tzinfo):
    def __init__(self, offset, name=None):
        if not is_unknown(offset):
            if not isinstance(offset, timedelta):
                raise TypeError(f"timezone() argument 1 must be datetime.timedelta, not {type(offset).__name__}")
            if not -_DAY < offset._all < _DAY:
                raise ValueError("offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24), "
                                 f"not {offset!r}.")
        self._offset, self._name = offset, name

    def utcoffset(self, dt):
        return self._offset

    def dst(self, dt):
        return None

    def tzname(self, dt):
        if self._name is not None:
            return self._name
        return "UTC" + (_offset_text(self._offset) if self._offset else "")

    def __str__(self):
        return self.tzname(None)

    def __repr__(self):
        if self._name is None and not self._offset:
            return "datetime.timezone.utc"
        return f"datetime.timezone({self._offset!r}{'' if self._name is None else f', {self._name!r}'})"

    def __eq__(self, other):
        return isinstance(other, timezone) and self._offset == other._offset

    def __hash__(self):
        return hash(self._offset)


def _offset_text(offset, colon=":"):
    """An offset as `+01:30`; what is finer is left out where it is nothing."""
    if offset is None:
        return ""
    size = abs(offset._all)
    seconds, part = divmod(size, 10**6)
    text = f"{'-' if offset._all < 0 else '+'}{seconds // 3600:02d}{colon}{seconds // 60 % 60:02d}"
    if seconds % 60 or part:
        text += f"{colon}{seconds % 60:02d}" + (f".{part:06d}" if part else "")
    return text


def _clock(value, timespec):
    """The time of a day as a text, as fine as is asked for."""
    if timespec == "auto":
        timespec = "microseconds" if value.microsecond else "seconds"
    forms = {"hours": "", "minutes": f":{value.minute:02d}", "seconds": f":{value.minute:02d}:{value.second:02d}"}
    forms["milliseconds"] = f"{forms['seconds']}.{value.microsecond // 1000:03d}"
    forms["microseconds"] = f"{forms['seconds']}.{value.microsecond:06d}"
    if timespec not in forms:
        raise ValueError("Unknown timespec value")
    return f"{value.hour:02d}{forms[timespec]}{_offset_text(value.utcoffset())}"


_ISO_TIME = r"(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?(Z|[+-]\d\d(?::?\d\d)?)?"


def _iso_clock(parts):
    """What a time is made of, of what `_ISO_TIME` finds."""
    hour, minute, second, part, zone = parts
    found = [int(hour), int(minute or 0), int(second or 0), int((part or "0")[:6].ljust(6, "0"))]
    return (*found, None if not zone else timezone.utc if zone == "Z" else _zone(zone))


def _zone(text):
    digits = text[1:].replace(":", "").ljust(4, "0")
    minutes = int(digits[:2]) * 60 + int(digits[2:4])
    return timezone(timedelta(minutes=-minutes if text[0] == "-" else minutes))


class IsoCalendarDate(tuple):
    year, week, weekday = [property(lambda self, i=i: self[i]) for i in range(3)]

    def __repr__(self):
        return f"datetime.IsoCalendarDate(year={self[0]}, week={self[1]}, weekday={self[2]})"


class date:
    def __new__(cls, year, month=None, day=None):
        if is_unknown(year) or is_unknown(month) or is_unknown(day):
            return unknown("", "a date that is not known")
        if month is None or day is None:
            raise TypeError(f"function missing required argument '{'month' if month is None else 'day'}' (pos {2 if month is None else 3})")
        self = object.__new__(cls)
        self._set_date(year, month, day)
        return self

    def _set_date(self, year, month, day):
        self._year, self._month = _within(year, MINYEAR, MAXYEAR, "year"), _within(month, 1, 12, "month")
        self._day = _whole(day)
        if not 1 <= self._day <= _days_in(self._year, self._month):
            raise ValueError("day is out of range for month")

    year = property(lambda self: self._year)
    month = property(lambda self: self._month)
    day = property(lambda self: self._day)

    @classmethod
    def today(cls):
        impure("date")
        return unknown("", "the date")

    @classmethod
    def fromtimestamp(cls, timestamp, tz=None):
        return unknown("", "a time in the zone of the machine")

    @classmethod
    def fromordinal(cls, n):
        return cls(*_of_ordinal(n))

    @classmethod
    def fromisoformat(cls, date_string):
        if is_unknown(date_string):
            return unknown("", "a date that is not known")
        if not isinstance(date_string, str):
            raise TypeError("fromisoformat: argument must be str")
        parts = date_string.split("-") if "-" in date_string else [date_string[:4], date_string[4:6], date_string[6:]]
        if [len(part) for part in parts] != [4, 2, 2] or not all([part.isdigit() for part in parts]):
            return unknown("", "a date in another form") if "W" in date_string else _refuse_iso(date_string)
        return cls(*[int(part) for part in parts])

    @classmethod
    def fromisocalendar(cls, year, week, day):
        if is_unknown(year) or is_unknown(week) or is_unknown(day):
            return unknown("", "a date that is not known")
        if not 1 <= week <= 53:
            raise ValueError(f"Invalid week: {week}")
        if not 1 <= day <= 7:
            raise ValueError(f"Invalid weekday: {day} (range is [1, 7])")
        fourth = _before(year) + 4
        return cls.fromordinal(fourth - (fourth + 6) % 7 + (week - 1) * 7 + day - 1)

    def replace(self, year=None, month=None, day=None):
        return type(self)(self.year if year is None else year, self.month if month is None else month, self.day if day is None else day)

    def toordinal(self):
        return _before(self.year) + sum([_days_in(self.year, m) for m in range(1, self.month)]) + self.day

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        return self.weekday() + 1

    def isocalendar(self):
        # A week is of the year that its Thursday is in.
        thursday = self.toordinal() + 3 - self.weekday()
        year = _of_ordinal(thursday)[0]
        return IsoCalendarDate((year, (thursday - _before(year) - 1) // 7 + 1, self.isoweekday()))

    def ctime(self):
        clock = f"{getattr(self, 'hour', 0):02d}:{getattr(self, 'minute', 0):02d}:{getattr(self, 'second', 0):02d}"
        return f"{_WEEKDAYS[self.weekday()][:3]} {_MONTHS[self.month - 1][:3]} {self.day:2d} {clock} {self.year:04d}"

    def timetuple(self):
        return unknown("", "a time as the clock gives it")

    def isoformat(self):
        return f"{self.year:04d}-{self.month:02d}-{self.day:02d}"

    def strftime(self, format):
        return _written(self, format)

    def __str__(self):
        return self.isoformat()

    def __format__(self, spec):
        return self.strftime(spec) if spec else str(self)

    def __repr__(self):
        return f"datetime.date({self.year}, {self.month}, {self.day})"

    def __reduce__(self):
        return type(self), (self.year, self.month, self.day)

    def _key(self):
        return self.toordinal()

    def __hash__(self):
        return hash(self._key())

    def __add__(self, other):
        return type(self).fromordinal(self.toordinal() + other.days) if isinstance(other, timedelta) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return type(self).fromordinal(self.toordinal() - other.days)
        if isinstance(other, date) and not isinstance(other, datetime):
            return timedelta(self.toordinal() - other.toordinal())
        return NotImplemented


def _refuse_iso(text):
    raise ValueError(f"Invalid isoformat string: {text!r}")


class time:
    def __new__(cls, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        if any([is_unknown(part) for part in (hour, minute, second, microsecond, tzinfo)]):
            return unknown("", "a time that is not known")
        self = object.__new__(cls)
        self._set_time(hour, minute, second, microsecond, tzinfo)
        self.fold = fold
        return self

    @classmethod
    def fromisoformat(cls, time_string):
        import re

        if is_unknown(time_string):
            return unknown("", "a time that is not known")
        found = re.fullmatch("T?" + _ISO_TIME, time_string)
        return _refuse_iso(time_string) if found is None else cls(*_iso_clock(found.groups()))

    def utcoffset(self):
        return None if self.tzinfo is None else self.tzinfo.utcoffset(None)

    def replace(self, hour=None, minute=None, second=None, microsecond=None, tzinfo=True, *, fold=None):
        given, own = (hour, minute, second, microsecond), (self.hour, self.minute, self.second, self.microsecond)
        return type(self)(*[o if g is None else g for g, o in zip(given, own)], self.tzinfo if tzinfo is True else tzinfo)

    def _set_time(self, hour, minute, second, microsecond, tzinfo):
        self._hour, self._minute = _within(hour, 0, 23, "hour"), _within(minute, 0, 59, "minute")
        self._second, self._microsecond = _within(second, 0, 59, "second"), _within(microsecond, 0, 999999, "microsecond")
        self._tzinfo, self.fold = tzinfo, 0

    hour = property(lambda self: self._hour)
    minute = property(lambda self: self._minute)
    second = property(lambda self: self._second)
    microsecond = property(lambda self: self._microsecond)
    tzinfo = property(lambda self: self._tzinfo)

    def _microseconds(self):
        return ((self.hour * 60 + self.minute) * 60 + self.second) * 10**6 + self.microsecond

    def _key(self):
        return self._microseconds()

    def _absolute(self):
        offset = self.utcoffset()
        return self._key() - (0 if offset is None else offset._all)

    def isoformat(self, timespec="auto"):
        return _clock(self, timespec)

    def strftime(self, format):
        return _written(self, format)

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        parts = [self.hour, self.minute, self.second, self.microsecond]
        while len(parts) > 2 and not parts[-1]:
            parts.pop()
        return f"datetime.time({', '.join([str(part) for part in parts])}{_zone_shown(self)})"

    def __format__(self, spec):
        return self.strftime(spec) if spec else str(self)

    def __hash__(self):
        return hash(self._key())

    def __reduce__(self):
        return type(self), (self.hour, self.minute, self.second, self.microsecond, self.tzinfo)


class datetime(date):
    def __new__(cls, year, month=None, day=None, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        if any([is_unknown(part) for part in (year, month, day, hour, minute, second, microsecond, tzinfo)]):
            return unknown("", "a time that is not known")
        self = date.__new__(cls, year, month, day)
        self._set_time(hour, minute, second, microsecond, tzinfo)
        self.fold = fold
        return self

    _set_time, _microseconds = time._set_time, time._microseconds
    hour, minute, second, microsecond, tzinfo = time.hour, time.minute, time.second, time.microsecond, time.tzinfo

    @classmethod
    def now(cls, tz=None):
        impure("date")
        return unknown("", "the time")

    @classmethod
    def utcnow(cls):
        impure("date")
        return unknown("", "the time")

    @classmethod
    def utcfromtimestamp(cls, timestamp):
        if is_unknown(timestamp):
            return unknown("", "a time that is not known")
        # Halves go to the even one, of the part that is no whole second.
        whole = timestamp // 1
        return cls._of((_before(1970) + 1) * _DAY + int(whole) * 10**6 + round((timestamp - whole) * 10**6), None)

    @classmethod
    def fromtimestamp(cls, timestamp, tz=None):
        if is_unknown(tz) or tz is None:
            return unknown("", "a time in the zone of the machine")
        found = cls.utcfromtimestamp(timestamp)
        return found if is_unknown(found) else found.replace(tzinfo=timezone.utc).astimezone(tz)

    @classmethod
    def strptime(cls, date_string, format):
        for i, text in enumerate((date_string, format)):
            if is_unknown(text):
                return unknown("", "a time that a text says")
            if not isinstance(text, str):
                raise TypeError(f"strptime() argument {i + 1} must be str, not {type(text).__name__}")
        return _read_as(cls, date_string, format)

    @classmethod
    def combine(cls, date, time, tzinfo=None):
        return cls(date.year, date.month, date.day, time.hour, time.minute, time.second, time.microsecond, time.tzinfo)

    @classmethod
    def fromisoformat(cls, date_string):
        import re

        if is_unknown(date_string) or not isinstance(date_string, str) or len(date_string) <= 10:
            return super().fromisoformat(date_string)
        if "W" in date_string:
            return unknown("", "a date in another form")
        hyphens = date_string[4] == "-"
        found = re.fullmatch((r"(\d{4})-(\d\d)-(\d\d)" if hyphens else r"(\d{4})(\d\d)(\d\d)") + "." + _ISO_TIME, date_string)
        if found is None:
            return _refuse_iso(date_string)
        parts = found.groups()
        return cls(*[int(part) for part in parts[:3]], *_iso_clock(parts[3:]))

    @classmethod
    def _of(cls, microseconds, tzinfo):
        days, rest = divmod(microseconds, _DAY)
        seconds, part = divmod(rest, 10**6)
        return cls(*_of_ordinal(days), seconds // 3600, seconds // 60 % 60, seconds % 60, part, tzinfo)

    def _key(self):
        return self.toordinal() * _DAY + self._microseconds()

    def _absolute(self):
        """Where it is in the time of the world, where its zone is known."""
        offset = self.utcoffset()
        return self._key() - (0 if offset is None else offset._all)

    def __reduce__(self):
        return type(self), (self.year, self.month, self.day, self.hour, self.minute, self.second, self.microsecond, self.tzinfo)

    def date(self):
        return date(self.year, self.month, self.day)

    def time(self):
        return time(self.hour, self.minute, self.second, self.microsecond)

    def timetz(self):
        return time(self.hour, self.minute, self.second, self.microsecond, self.tzinfo)

    def timestamp(self):
        if self.tzinfo is None:
            return unknown("float", "a time in the zone of the machine")
        return (self._absolute() - (_before(1970) + 1) * _DAY) / 10**6

    def astimezone(self, tz=None):
        if self.tzinfo is None or not isinstance(tz, timezone):
            return unknown("", "a time in another zone")
        return type(self)._of(self._absolute() + tz._offset._all, tz)

    def utcoffset(self):
        return None if self.tzinfo is None else self.tzinfo.utcoffset(self)

    def tzname(self):
        return None if self.tzinfo is None else self.tzinfo.tzname(self)

    def dst(self):
        return None if self.tzinfo is None else self.tzinfo.dst(self)

    def __hash__(self):
        return hash(self._absolute())

    def replace(self, year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None, tzinfo=True, *, fold=None):
        given = (year, month, day, hour, minute, second, microsecond)
        own = (self.year, self.month, self.day, self.hour, self.minute, self.second, self.microsecond)
        return type(self)(*[o if g is None else g for g, o in zip(given, own)], self.tzinfo if tzinfo is True else tzinfo)

    def isoformat(self, sep="T", timespec="auto"):
        return date.isoformat(self) + sep + _clock(self, timespec)

    def __str__(self):
        return self.isoformat(" ")

    def __repr__(self):
        parts = [self.year, self.month, self.day, self.hour, self.minute, self.second, self.microsecond]
        while len(parts) > 5 and not parts[-1]:
            parts.pop()
        return f"datetime.datetime({', '.join([str(part) for part in parts])}{_zone_shown(self)})"

    def __add__(self, other):
        return type(self)._of(self._key() + other._all, self.tzinfo) if isinstance(other, timedelta) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other):
        if isinstance(other, timedelta):
            return type(self)._of(self._key() - other._all, self.tzinfo)
        if not isinstance(other, datetime):
            return NotImplemented
        if (self.tzinfo is None) != (other.tzinfo is None):
            raise TypeError("can't subtract offset-naive and offset-aware datetimes")
        if self.tzinfo is other.tzinfo:
            return timedelta._of(self._key() - other._key())
        return timedelta._of(self._absolute() - other._absolute())


def _zone_shown(value):
    return ("" if not value.fold else f", fold={value.fold}") + ("" if value.tzinfo is None else f", tzinfo={value.tzinfo!r}")


def _named(names):
    return "|".join(names)


# What the fields of a format may be.
_FIELDS = {
    "Y": r"\d{4}", "m": r"1[0-2]|0?[1-9]", "d": r"3[01]|[12]\d|0?[1-9]| [1-9]", "H": r"2[0-3]|[01]?\d", "I": r"1[0-2]|0?[1-9]",
    "M": r"[0-5]?\d", "S": r"6[01]|[0-5]?\d", "f": r"\d{1,6}", "y": r"\d\d", "j": r"36[0-6]|3[0-5]\d|[12]\d\d|0?[1-9]\d|0{0,2}[1-9]",
    "z": r"[+-]\d\d:?[0-5]\d|Z", "p": "AM|PM", "B": _named(_MONTHS), "b": _named([name[:3] for name in _MONTHS]),
    "A": _named(_WEEKDAYS), "a": _named([name[:3] for name in _WEEKDAYS]),
}


def _read_as(cls, text, format):
    import re

    pattern, at = "", 0
    while at < len(format):
        c = format[at]
        at += 1
        if c == "%":
            code = format[at : at + 1]
            at += 1
            if code == "%":
                pattern += "%"
            elif code not in _FIELDS or not code or f"(?P<{code}>" in pattern:
                return unknown("", "a time that a text says")
            else:
                pattern += f"(?P<{code}>{_FIELDS[code]})"
        elif c.isspace():
            pattern += r"\s*" if pattern.endswith(r"\s*") else r"\s+"
        else:
            pattern += re.escape(c)
    found = re.match(pattern, text, re.IGNORECASE)
    if found is None:
        raise ValueError(f"time data {text!r} does not match format {format!r}")
    if found.end() != len(text):
        raise ValueError(f"unconverted data remains: {text[found.end():]}")
    said = found.groupdict()
    year = int(said.get("Y") or 1900)
    if "y" in said:
        year = int(said["y"]) + (1900 if int(said["y"]) >= 69 else 2000)
    month, day = int(said.get("m") or 1), int(said.get("d") or 1)
    for code, cut in (("B", None), ("b", 3)):
        if code in said:
            month = [name[:cut].lower() for name in _MONTHS].index(said[code].lower()) + 1
    if "j" in said and "m" not in said:
        year, month, day = _of_ordinal(_before(year) + int(said["j"]))
    hour = int(said.get("H") or 0)
    if "I" in said:
        hour = int(said["I"]) % 12 + (12 if said.get("p", "AM").upper() == "PM" else 0)
    zone = said.get("z")
    if zone:
        zone = timezone.utc if zone in "Zz" else _zone(zone)
    part = int((said.get("f") or "0").ljust(6, "0"))
    return cls(year, month, day, hour, int(said.get("M") or 0), int(said.get("S") or 0), part, zone or None)


def _written(value, format):
    """`strftime`, for the fields that depend on no language and no zone."""
    if is_unknown(format):
        return unknown("str", "a time as a text")
    out, at = [], 0
    while at < len(format):
        if format[at] != "%":
            out.append(format[at])
            at += 1
            continue
        code = format[at + 1 : at + 2]
        at += 2
        if code == "%":
            out.append("%")
        elif code in "YmdjyBbAa" and code and isinstance(value, date):
            day = value.toordinal() - _before(value.year)
            name, weekday = _MONTHS[value.month - 1], _WEEKDAYS[value.weekday()]
            out.append({
                "Y": str(value.year), "m": f"{value.month:02d}", "d": f"{value.day:02d}", "j": f"{day:03d}",
                "y": f"{value.year % 100:02d}", "B": name, "b": name[:3], "A": weekday, "a": weekday[:3],
            }[code])
        elif code in "HMSf" and code:
            hour, minute = getattr(value, "hour", 0), getattr(value, "minute", 0)
            second, part = getattr(value, "second", 0), getattr(value, "microsecond", 0)
            out.append({"H": f"{hour:02d}", "M": f"{minute:02d}", "S": f"{second:02d}", "f": f"{part:06d}"}[code])
        elif code in "Ip" and code:
            hour = getattr(value, "hour", 0)
            out.append(f"{(hour + 11) % 12 + 1:02d}" if code == "I" else "PM" if hour >= 12 else "AM")
        elif code in "zZ" and code and isinstance(value, datetime):
            out.append(_offset_text(value.utcoffset(), "") if code == "z" else value.tzname() or "")
        elif code in "wu" and code and isinstance(value, date):
            out.append(str(value.isoweekday() % 7 if code == "w" else value.isoweekday()))
        elif code in "FT" and code:
            out.append(_written(value, "%Y-%m-%d" if code == "F" else "%H:%M:%S"))
        else:
            return unknown("str", "a time as a text")
    return "".join(out)


def _comparisons(cls):
    """Comparisons of one kind of values."""

    def compare(by, refuse=True):
        def compared(a, b):
            if not isinstance(b, cls):
                return NotImplemented
            if isinstance(a, datetime) != isinstance(b, datetime):
                if refuse:
                    raise TypeError("can't compare datetime.datetime to datetime.date")
                return False
            if cls is timedelta or getattr(a, "tzinfo", None) is getattr(b, "tzinfo", None):
                return by(a._key(), b._key())
            if (a.tzinfo is None) != (b.tzinfo is None):
                if refuse:
                    raise TypeError(f"can't compare offset-naive and offset-aware {cls is date and 'datetime' or 'time'}s")
                return False
            return by(a._absolute(), b._absolute())

        return compared

    cls.__eq__ = compare(lambda a, b: a == b, False)
    cls.__lt__, cls.__le__ = compare(lambda a, b: a < b), compare(lambda a, b: a <= b)
    cls.__gt__, cls.__ge__ = compare(lambda a, b: a > b), compare(lambda a, b: a >= b)


for _cls in (timedelta, date, time):
    _comparisons(_cls)
timedelta.min, timedelta.max = timedelta(-999999999), timedelta._of(1000000000 * _DAY - 1)
timedelta.resolution = timedelta(0, 0, 1)
date.min, date.max, date.resolution = date(1, 1, 1), date(9999, 12, 31), timedelta(1)
datetime.min, datetime.max = datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999)
datetime.resolution = timedelta.resolution
timezone.utc = UTC = timezone(timedelta(0))
