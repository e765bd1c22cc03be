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
        self._offset, self._name = offset, name

    def utcoffset(self, dt):
        return self._offset

    def dst(self, dt):
        return None

    def tzname(self, dt):
        return unknown("str", "the name of a time zone") if self._name is None else self._name

    def __eq__(self, other):
        return isinstance(other, timezone) and self._offset == other._offset

    def __hash__(self):
        return hash(self._offset)


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
        parts = date_string.split("-")
        if [len(part) for part in parts] != [4, 2, 2] or not all([part.isdigit() for part in parts]):
            return unknown("", "a date in another form") if date_string[:4].isdigit() else _refuse_iso(date_string)
        return cls(*[int(part) for part in parts])

    def replace(self, year=None, month=None, day=None):
        return type(self)(self.year if year is None else year, self.month if month is None else month, self.day if day is None else day)

    def toordinal(self):
        return _before(self.year) + sum([_days_in(self.year, m) for m in range(1, self.month)]) + self.day

    def weekday(self):
        return (self.toordinal() + 6) % 7

    def isoweekday(self):
        return self.weekday() + 1

    def isocalendar(self):
        return unknown("", "the week of a date")

    timetuple = ctime = isocalendar

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
        return self

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

    def isoformat(self, timespec="auto"):
        if self.tzinfo is not None or timespec != "auto":
            return unknown("str", "a time as a text")
        return f"{self.hour:02d}:{self.minute:02d}:{self.second:02d}" + (f".{self.microsecond:06d}" if self.microsecond else "")

    def strftime(self, format):
        return _written(self, format)

    def __str__(self):
        return self.isoformat()

    def __repr__(self):
        if self.tzinfo is not None:
            return unknown("str", "a time as a text")
        parts = [self.hour, self.minute, self.second, self.microsecond]
        while len(parts) > 2 and not parts[-1]:
            parts.pop()
        return f"datetime.time({', '.join([str(part) for part in parts])})"

    def __format__(self, spec):
        return self.strftime(spec) if spec else str(self)

    def __hash__(self):
        return hash(self._key())


class datetime(date):
    def __new__(cls, year, month=None, day=None, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        if any([is_unknown(part) for part in (year, month, day, hour, minute, second, microsecond, tzinfo)]):
            return unknown("", "a time that is not known")
        self = date.__new__(cls, year, month, day)
        self._set_time(hour, minute, second, microsecond, tzinfo)
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
        return unknown("", "a time in another zone")

    @classmethod
    def strptime(cls, date_string, format):
        return unknown("", "a time that a text says")

    @classmethod
    def combine(cls, date, time, tzinfo=None):
        return cls(date.year, date.month, date.day, time.hour, time.minute, time.second, time.microsecond, time.tzinfo)

    @classmethod
    def fromisoformat(cls, date_string):
        if is_unknown(date_string) or len(date_string) != 10:
            return unknown("", "a time that a text says")
        return super().fromisoformat(date_string)

    @classmethod
    def _of(cls, microseconds, tzinfo):
        days, rest = divmod(microseconds, _DAY)
        seconds, part = divmod(rest, 10**6)
        return cls(*_of_ordinal(days), seconds // 3600, seconds // 60 % 60, seconds % 60, part, tzinfo)

    def _key(self):
        return self.toordinal() * _DAY + self._microseconds()

    def date(self):
        return date(self.year, self.month, self.day)

    def time(self):
        return time(self.hour, self.minute, self.second, self.microsecond)

    def timetz(self):
        return time(self.hour, self.minute, self.second, self.microsecond, self.tzinfo)

    def timestamp(self):
        return unknown("float", "a time in the zone of the machine")

    def astimezone(self, tz=None):
        return unknown("", "a time in another zone")

    def utcoffset(self):
        return None if self.tzinfo is None else self.tzinfo.utcoffset(self)

    def replace(self, year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None, tzinfo=True, *, fold=None):
        given = (year, month, day, hour, minute, second, microsecond)
        own = (self.year, self.month, self.day, self.hour, self.minute, self.second, self.microsecond)
        return type(self)(*[o if g is None else g for g, o in zip(given, own)], self.tzinfo if tzinfo is True else tzinfo)

    def isoformat(self, sep="T", timespec="auto"):
        if self.tzinfo is not None or timespec != "auto":
            return unknown("str", "a time as a text")
        return date.isoformat(self) + sep + self.time().isoformat()

    def __str__(self):
        return self.isoformat(" ")

    def __repr__(self):
        if self.tzinfo is not None:
            return unknown("str", "a time as a text")
        parts = [self.year, self.month, self.day, self.hour, self.minute, self.second, self.microsecond]
        while len(parts) > 5 and not parts[-1]:
            parts.pop()
        return f"datetime.datetime({', '.join([str(part) for part in parts])})"

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
        if self.tzinfo != other.tzinfo:
            return unknown("", "a difference of times in two zones")
        return timedelta._of(self._key() - other._key())


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
        else:
            return unknown("str", "a time as a text")
    return "".join(out)


def _comparisons(cls):
    """Comparisons of one kind of values."""

    def comparable(a, b):
        if not isinstance(b, cls) or isinstance(a, datetime) != isinstance(b, datetime):
            return False
        return cls is timedelta or getattr(a, "tzinfo", None) == getattr(b, "tzinfo", None)

    def compare(by):
        return lambda a, b: by(a._key(), b._key()) if comparable(a, b) else NotImplemented

    cls.__eq__ = compare(lambda a, b: a == b)
    cls.__lt__, cls.__le__ = compare(lambda a, b: a < b), compare(lambda a, b: a <= b)
    cls.__gt__, cls.__ge__ = compare(lambda a, b: a > b), compare(lambda a, b: a >= b)


for _cls in (timedelta, date, time):
    _comparisons(_cls)
timedelta.min, timedelta.max = timedelta(-999999999), timedelta._of(1000000000 * _DAY - 1)
timedelta.resolution = timedelta(0, 0, 1)
date.min, date.max, date.resolution = date(1, 1, 1), date(9999, 12, 31), timedelta(1)
datetime.min, datetime.max = datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999)
datetime.resolution = timedelta.resolution
timezone.utc = UTC = timezone(timedelta(0), "UTC")
