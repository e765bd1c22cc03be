"""Tables as texts, as spreadsheets write them."""

from _jitlens.python import is_unknown, unknown

QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE, QUOTE_STRINGS, QUOTE_NOTNULL = 0, 1, 2, 3, 4, 5


class Error(Exception):
    pass


class Dialect:
    delimiter, quotechar, escapechar, doublequote = ",", '"', None, True
    skipinitialspace, lineterminator, quoting, strict = False, "\r\n", QUOTE_MINIMAL, False


class excel(Dialect):
    pass


class excel_tab(excel):
    delimiter = "\t"


class unix_dialect(Dialect):
    quoting, lineterminator = QUOTE_ALL, "\n"


_dialects = {"excel": excel, "excel-tab": excel_tab, "unix": unix_dialect}
_NAMES = ("delimiter", "quotechar", "escapechar", "doublequote", "skipinitialspace", "lineterminator", "quoting", "strict")


def register_dialect(name, dialect=excel, **options):
    _dialects[name] = _format(dialect, options)


def unregister_dialect(name):
    if name not in _dialects:
        raise Error("unknown dialect")
    del _dialects[name]


def get_dialect(name):
    if name not in _dialects:
        raise Error("unknown dialect")
    return _dialects[name]


def list_dialects():
    return list(_dialects)


def _format(dialect, options):
    """How a table is written: a dialect with what is said beside it."""
    made = Dialect()
    source = get_dialect(dialect) if isinstance(dialect, str) else Dialect if dialect is None else dialect
    for name in _NAMES:
        setattr(made, name, getattr(source, name, getattr(Dialect, name)))
    for name, value in options.items():
        if name not in _NAMES:
            raise TypeError(f"this function got an unexpected keyword argument '{name}'")
        setattr(made, name, value)
    for name in ("delimiter", "quotechar"):
        value = getattr(made, name)
        if value is not None and not isinstance(value, str):
            raise TypeError(f'"{name}" must be string{"" if name == "delimiter" else " or None"}, not {type(value).__name__}')
        if value is None and name == "delimiter" or value is not None and len(value) != 1:
            raise TypeError(f'"{name}" must be a 1-character string')
    return made


def reader(csvfile, dialect="excel", **options):
    return _Reader(csvfile, _format(dialect, options))


class _Reader:
    """The rows of a table as lists of texts."""

    def __init__(self, lines, dialect):
        self._lines, self.dialect, self.line_num = iter(lines), dialect, 0

    def __iter__(self):
        return self

    def _line(self):
        line = next(self._lines)
        if not isinstance(line, str):
            raise Error(f"iterator should return strings, not {type(line).__name__} (the file should be opened in text mode)")
        self.line_num += 1
        return line

    def __next__(self):
        line, d = self._line(), self.dialect
        if d.escapechar is not None or d.quoting not in (QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE):
            return unknown("", "a table in a form of its own")
        if d.quotechar is None or d.quoting == QUOTE_NONE or d.quotechar not in line:
            text = line.rstrip("\r\n")
            if not text:
                return []
            fields = text.split(d.delimiter)
            if d.skipinitialspace:
                fields = [field.lstrip(" ") for field in fields]
            return [float(field) for field in fields] if d.quoting == QUOTE_NONNUMERIC else fields
        return self._quoted(line)

    def _quoted(self, line):
        d = self.dialect
        fields, field, inside, quoted, start, at = [], [], False, False, True, 0
        while True:
            if at >= len(line):
                if not inside:
                    break
                # A field goes on in the next line.
                try:
                    line, at = self._line(), 0
                except StopIteration:
                    if d.strict:
                        raise Error("unexpected end of data") from None
                    break
                continue
            c = line[at]
            at += 1
            if inside:
                if c != d.quotechar:
                    field.append(c)
                elif d.doublequote and line[at : at + 1] == d.quotechar:
                    field.append(c)
                    at += 1
                else:
                    inside = False
            elif c == d.quotechar and start:
                inside = quoted = True
                start = False
            elif c == d.delimiter:
                fields.append(self._field(field, quoted))
                field, quoted, start = [], False, True
            elif c in "\r\n":
                break
            elif c != " " or not start or not d.skipinitialspace:
                field.append(c)
                start = False
        fields.append(self._field(field, quoted))
        return fields

    def _field(self, letters, quoted):
        text = "".join(letters)
        return float(text) if self.dialect.quoting == QUOTE_NONNUMERIC and not quoted else text


class DictReader:
    """The rows of a table as dictionaries."""

    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect="excel", *args, **options):
        if fieldnames is not None and iter(fieldnames) is fieldnames:
            fieldnames = list(fieldnames)
        self._fieldnames, self.restkey, self.restval = fieldnames, restkey, restval
        self.reader, self.dialect = reader(f, dialect, *args, **options), dialect

    def __iter__(self):
        return self

    @property
    def line_num(self):
        return self.reader.line_num

    @property
    def fieldnames(self):
        if self._fieldnames is None:
            try:
                self._fieldnames = next(self.reader)
            except StopIteration:
                pass
        return self._fieldnames

    @fieldnames.setter
    def fieldnames(self, value):
        self._fieldnames = value

    def __next__(self):
        names = self.fieldnames
        row = next(self.reader)
        while row == []:
            row = next(self.reader)
        found = dict(zip(names, row))
        if len(names) < len(row):
            found[self.restkey] = row[len(names) :]
        for name in names[len(row) :]:
            found[name] = self.restval
        return found


def writer(csvfile, dialect="excel", **options):
    if not is_unknown(csvfile) and not hasattr(csvfile, "write"):
        raise TypeError('argument 1 must have a "write" method')
    return _Writer(csvfile, _format(dialect, options))


class _Writer:
    def __init__(self, file, dialect):
        self._file, self.dialect = file, dialect

    def writerow(self, row, /):
        try:
            row = list(row)
        except TypeError:
            raise Error(f"iterable expected, not {type(row).__name__}") from None
        fields = [self._field(value, len(row) == 1) for value in row]
        return self._file.write(self.dialect.delimiter.join(fields) + self.dialect.lineterminator)

    def writerows(self, rows, /):
        for row in rows:
            self.writerow(row)

    def _field(self, value, alone):
        d = self.dialect
        text = "" if value is None else repr(value) if isinstance(value, float) and type(value) is float else str(value)
        q = d.quotechar
        if q is None or d.quoting == QUOTE_NONE:
            if alone and not text:
                raise Error("single empty field record must be quoted")
            return self._escaped(text, (d.delimiter, d.escapechar, q, "\r", "\n", *d.lineterminator))
        if d.escapechar is not None or not d.doublequote:
            if d.doublequote and d.escapechar not in text:
                pass
            elif q not in text and (d.escapechar is None or d.escapechar not in text):
                pass
            else:
                return unknown("str", "a table in a form of its own")
        special = any([c in text for c in (d.delimiter, q, "\r", "\n")])
        is_number = isinstance(value, (int, float))
        if d.quoting == QUOTE_ALL or special or d.quoting == QUOTE_NONNUMERIC and not is_number or alone and not text:
            return q + text.replace(q, q + q) + q
        if d.quoting in (QUOTE_STRINGS, QUOTE_NOTNULL):
            return unknown("str", "a table in a form of its own")
        return text

    def _escaped(self, text, marks):
        """A text with the sign of an escape before what would be taken for something else."""
        escape = self.dialect.escapechar
        if escape is None and any([c in marks for c in text]):
            raise Error("need to escape, but no escapechar set")
        return "".join([escape + c if c in marks else c for c in text])


class DictWriter:
    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect="excel", *args, **options):
        if iter(fieldnames) is fieldnames:
            fieldnames = list(fieldnames)
        extrasaction = extrasaction.lower()
        if extrasaction not in ("raise", "ignore"):
            raise ValueError(f"extrasaction ({extrasaction}) must be 'raise' or 'ignore'")
        self.fieldnames, self.restval, self.extrasaction = fieldnames, restval, extrasaction
        self.writer = writer(f, dialect, *args, **options)

    def writeheader(self):
        return self.writerow(dict(zip(self.fieldnames, self.fieldnames)))

    def _row(self, row):
        if self.extrasaction == "raise":
            wrong = row.keys() - self.fieldnames
            if wrong:
                raise ValueError("dict contains fields not in fieldnames: " + ", ".join([repr(x) for x in wrong]))
        return [row.get(key, self.restval) for key in self.fieldnames]

    def writerow(self, rowdict):
        return self.writer.writerow(self._row(rowdict))

    def writerows(self, rowdicts):
        return self.writer.writerows([self._row(row) for row in rowdicts])


def field_size_limit(new_limit=131072):
    return 131072
