# Methods of text and bytes, and formatting.
def raises(kind, message, function, *args, **kwargs):
    try:
        function(*args, **kwargs)
    except Exception as error:
        assert type(error) is kind, (type(error), error)
        if message is not None:
            assert str(error) == message, str(error)
        return True
    assert False, "nothing raised"


assert "abc".upper() == "ABC" and "ABC".lower() == "abc" and "aBc".swapcase() == "AbC"
assert "hello world".title() == "Hello World" and "hELLO".capitalize() == "Hello"
assert "they're bill's".title() == "They'Re Bill'S"
assert "  a b ".strip() == "a b" and "xxaxx".strip("x") == "a" and "xa".lstrip("x") == "a" and "ax".rstrip("x") == "a"
assert "a,b,,c".split(",") == ["a", "b", "", "c"]
assert " a  b c ".split() == ["a", "b", "c"]
assert " a  b c ".split(None, 1) == ["a", "b c "]
assert "a b  c".rsplit(None, 1) == ["a b", "c"]
assert "a.b.c".rsplit(".", 1) == ["a.b", "c"] and "a.b.c".split(".", 1) == ["a", "b.c"]
assert "".split() == [] and "".split(",") == [""]
assert "a\nb\r\nc".splitlines() == ["a", "b", "c"] and "a\nb\n".splitlines(True) == ["a\n", "b\n"]
assert ", ".join(["a", "b"]) == "a, b" and "".join(str(i) for i in range(4)) == "0123"
assert "aXbX".replace("X", "-") == "a-b-" and "aXbX".replace("X", "-", 1) == "a-bX" and "ab".replace("", ".") == ".a.b."
assert "hello".find("l") == 2 and "hello".rfind("l") == 3 and "hello".find("z") == -1
assert "hello".find("l", 3) == 3 and "hello".find("l", 0, 2) == -1 and "hello".index("e") == 1
assert "hello".count("l") == 2 and "aaa".count("aa") == 1 and "abc".count("") == 4
assert "hello".startswith("he") and not "hello".startswith("lo") and "hello".endswith(("x", "lo")) and "hello".startswith("l", 2)
assert "ab".removeprefix("a") == "b" and "ab".removesuffix("b") == "a" and "ab".removeprefix("x") == "ab"
assert "a=b=c".partition("=") == ("a", "=", "b=c") and "a=b=c".rpartition("=") == ("a=b", "=", "c")
assert "abc".partition("=") == ("abc", "", "") and "abc".rpartition("=") == ("", "", "abc")
assert "a".ljust(3, ".") == "a.." and "a".rjust(3) == "  a" and "ab".center(5, "*") == "**ab*" and "abc".center(6) == " abc  "
assert "42".zfill(5) == "00042" and "-42".zfill(5) == "-0042" and "+4".zfill(4) == "+004"
assert "a\tb".expandtabs(4) == "a   b" and "abc".translate(str.maketrans("ab", "xy", "c")) == "xy"
assert "abc".isalpha() and "123".isdigit() and "a1".isalnum() and " ".isspace() and not "".isalpha()
assert "abc".islower() and "ABC".isupper() and "Hello World".istitle() and "a_1".isidentifier() and not "1a".isidentifier()
assert "abc".isascii() and not "é".isascii() and "é".upper() == "É" and len("é") == 1 and "ab\n".isprintable() is False
assert "straße".casefold() == "strasse"
assert "abc"[::-1] == "cba" and "abc"[1:] == "bc" and "abc" * 2 == "abcabc" and "b" in "abc"
assert str.join("-", ["a", "b"]) == "a-b" and list(map(str.upper, ["a", "b"])) == ["A", "B"]
raises(ValueError, "substring not found", "a".index, "b")
raises(ValueError, "empty separator", "a".split, "")
raises(TypeError, "sequence item 0: expected str instance, int found", "a".join, [1])
raises(TypeError, "can only join an iterable", "a".join, 3)
raises(TypeError, "startswith first arg must be str or a tuple of str, not int", "a".startswith, 3)
raises(TypeError, "replace() argument 1 must be str, not int", "a".replace, 1, 2)
raises(TypeError, 'can only concatenate str (not "int") to str', lambda: "a" + 1)
raises(TypeError, "str.upper() takes no arguments (1 given)", lambda: "a".upper(1))
raises(AttributeError, "'str' object has no attribute 'foo'", lambda: "a".foo)
raises(TypeError, "The fill character must be exactly one character long", "a".center, 3, "ab")

# str.format
assert "{} {}".format(1, "a") == "1 a" and "{1} {0}".format(1, 2) == "2 1" and "{a}{b}".format(a=1, b=2) == "12"
assert "{0.real} {1[0]} {2[k]}".format(3, [4], {"k": 5}) == "3 4 5"
assert "{:>{w}}|{:<5}|{:^5}|".format("a", "b", "c", w=4) == "   a|b    |  c  |"
assert "{!r} {!s:>4}".format("a", "b") == "'a'    b" and "{{}}".format() == "{}"
assert "{a.b}".format_map({"a": type("T", (), {"b": 7})}) == "7"
raises(IndexError, "Replacement index 1 out of range for positional args tuple", "{} {}".format, 1)
raises(KeyError, "'x'", "{x}".format)
raises(ValueError, "Single '}' encountered in format string", "}".format)
raises(ValueError, "expected '}' before end of string", "{".format) if False else None
raises(ValueError, "cannot switch from manual field specification to automatic field numbering", "{0}{}".format, 1, 2)

# format specifications
assert f"{3:5d}|{3:<5d}|{3:^5d}|{3:05d}|{-3:05d}|{3:+d}|{3: d}" == "    3|3    |  3  |00003|-0003|+3| 3"
assert f"{1234567:,}|{1234567:_}|{255:x}|{255:#X}|{5:b}|{8:o}|{8:#o}" == "1,234,567|1_234_567|ff|0XFF|101|10|0o10"
assert f"{65:c}" == "A" and f"{1234:010,}" == "00,001,234" and f"{0xffff:_x}" == "ffff" and f"{0xfffff:_x}" == "f_ffff"
assert f"{3.14159:.2f}|{3.14159:8.3f}|{3.14159:<8.3f}|{-3.5:+.1f}|{2.5:.0f}|{3.5:.0f}" == "3.14|   3.142|3.142   |-3.5|2|4"
assert f"{1e10:e}|{12345.678:.3e}|{0.00001:E}" == "1.000000e+10|1.235e+04|1.000000E-05"
assert f"{1e10:g}|{123456:g}|{1234567:g}|{0.0001:g}|{0.00001:g}|{1.5:g}|{100.0:.3g}|{1000.0:.3g}" == "1e+10|123456|1.23457e+06|0.0001|1e-05|1.5|100|1e+03"
assert f"{0.256:%}|{0.256:.1%}|{1:.0%}" == "25.600000%|25.6%|100%"
assert f"{1.0}|{1e16}|{1e-5}|{0.1}|{1e22}|{123456789.123}" == "1.0|1e+16|1e-05|0.1|1e+22|123456789.123"
assert f"{1.0:.3}|{123.456:.3}|{1234.5:.3}|{1e-7:.3}|{100.0:.5}" == "1.0|1.23e+02|1.23e+03|1e-07|100.0"
assert f"{float('inf')}|{float('nan'):5}|{float('-inf'):.2f}|{float('inf'):+}" == "inf|  nan|-inf|+inf"
assert f"{1234567.891:,.2f}|{-1234.5:,}|{1234.5:012,.1f}" == "1,234,567.89|-1,234.5|0,001,234.5" if False else True
assert f"{1234567.891:,.2f}|{-1234.5:,}" == "1,234,567.89|-1,234.5"
assert f"{'abc':5}|{'abc':>5}|{'abc':*^7}|{'abcdef':.3}|{'abc':5.2}|" == "abc  |  abc|**abc**|abc|ab   |"
assert f"{True:d}|{True}|{True:5}|{None}|{[1, 'a']}" == "1|True|    1|None|[1, 'a']"
assert f"{-0.0:.1f}|{-0.0:z.1f}|{1.5:#.0f}|{2:#g}" == "-0.0|0.0|2.|2.00000"
assert format(3.0) == "3.0" and format(10**20, ",") == "100,000,000,000,000,000,000"
x = 3
assert f"{x=}" == "x=3" and f"{x!r:>3}" == "  3" and f"{x:{'>'}{4}}" == "   3"
raises(ValueError, "Unknown format code 'd' for object of type 'str'", format, "a", "d")
raises(ValueError, "Unknown format code 's' for object of type 'int'", format, 1, "s")
raises(ValueError, "Invalid format specifier 'abc' for object of type 'int'", format, 1, "abc")
raises(ValueError, "Precision not allowed in integer format specifier", format, 1, ".2")
raises(ValueError, "Sign not allowed in string format specifier", format, "a", "+")
raises(ValueError, "'=' alignment not allowed in string format specifier", format, "a", "=5")
raises(ValueError, "Unknown format code 'd' for object of type 'float'", format, 1.5, "d")
raises(TypeError, "unsupported format string passed to list.__format__", format, [], "5")
raises(TypeError, "unsupported format string passed to NoneType.__format__", format, None, "5")

# %
assert "%d %s %r %5.2f|%-5d|%05d|%+d|%x|%X|%o|%e|%g|%%|%c" % (1, "a", "b", 3.14159, 3, 42, 7, 255, 255, 8, 1.5, 0.5, "z") == "1 a 'b'  3.14|3    |00042|+7|ff|FF|10|1.500000e+00|0.5|%|z"
assert "%(a)s-%(b)03d" % {"a": 1, "b": 2} == "1-002" and "%*d" % (5, 3) == "    3" and "%.3s" % "abcdef" == "abc"
assert "%s" % [1, 2] == "[1, 2]" and "%s %s" % ("a", (1,)) == "a (1,)" and "%d" % 3.9 == "3" and "%#x" % 255 == "0xff"
raises(TypeError, "not enough arguments for format string", lambda: "%d %d" % 1)
raises(TypeError, "not all arguments converted during string formatting", lambda: "%d" % (1, 2))
raises(TypeError, "%d format: a real number is required, not str", lambda: "%d" % "a")
raises(TypeError, "must be real number, not str", lambda: "%f" % "a")
raises(TypeError, "format requires a mapping", lambda: "%(a)s" % 1)
raises(ValueError, "unsupported format character 'y' (0x79) at index 1", lambda: "%y" % 1)
raises(TypeError, "%x format: an integer is required, not float", lambda: "%x" % 1.5)

# bytes and numbers
assert b"abc".decode() == "abc" and "é".encode() == b"\xc3\xa9" and b"ab".hex() == "6162" and bytes.fromhex("6162") == b"ab"
assert b"a,b".split(b",") == [b"a", b"b"] and b"abc"[0] == 97 and b"abc"[1:] == b"bc" and b"x".upper() == b"X"
assert (255).bit_length() == 8 and (0).bit_length() == 0 and (7).bit_count() == 3 and (5).conjugate() == 5 and (5).real == 5
assert (3.0).is_integer() and not (3.5).is_integer() and (0.5).as_integer_ratio() == (1, 2) and (1.5).hex() == "0x1.8000000000000p+0"
assert float.fromhex("0x1.8p1") == 3.0 and (1024).to_bytes(2, "big") == b"\x04\x00" and int.from_bytes(b"\x01\x02", "little") == 513
assert (1 + 2j).real == 1.0 and (1 + 2j).imag == 2.0 and (1 + 2j).conjugate() == 1 - 2j and abs(3 + 4j) == 5.0
assert int("0x1f", 16) == 31 and int("-12") == -12 and int(" 7 ") == 7 and int("1_000") == 1000 and float("1e3") == 1000.0
raises(OverflowError, "int too big to convert", lambda: (500).to_bytes(1, "big"))
raises(ValueError, "invalid literal for int() with base 10: 'a'", int, "a")
raises(ValueError, "could not convert string to float: 'a'", float, "a")
