"""Characters by kind, and templates."""

whitespace = " \t\n\r\v\f"
ascii_lowercase = "abcdefghijklmnopqrstuvwxyz"
ascii_uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ascii_letters = ascii_lowercase + ascii_uppercase
digits = "0123456789"
hexdigits = digits + "abcdef" + "ABCDEF"
octdigits = "01234567"
punctuation = r"""!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"""
printable = digits + ascii_letters + punctuation + whitespace


def capwords(s, sep=None):
    return (sep or " ").join([word.capitalize() for word in s.split(sep)])


class Formatter:
    def format(self, format_string, /, *args, **kwargs):
        return format_string.format(*args, **kwargs)


class Template:
    def __init__(self, template):
        self.template = template

    def _fill(self, mapping, safe):
        text, out, at = self.template, [], 0
        while at < len(text):
            if text[at] != "$":
                out.append(text[at])
                at += 1
                continue
            at += 1
            if text[at : at + 1] == "$":
                out.append("$")
                at += 1
                continue
            braced = text[at : at + 1] == "{"
            start = at + 1 if braced else at
            end = start
            while end < len(text) and (text[end].isalnum() or text[end] == "_"):
                end += 1
            name = text[start:end]
            if safe and name not in mapping:
                out.append("$" + text[at : end + braced])
            else:
                out.append(str(mapping[name]))
            at = end + braced
        return "".join(out)

    def substitute(self, mapping={}, /, **kws):
        return self._fill({**mapping, **kws}, False)

    def safe_substitute(self, mapping={}, /, **kws):
        return self._fill({**mapping, **kws}, True)
