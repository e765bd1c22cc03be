"""Keywords of the language."""

kwlist = """False None True and as assert async await break class continue def del elif else except finally for from global if import in is
    lambda nonlocal not or pass raise return try while with yield""".split()
softkwlist = ["_", "case", "match", "type"]


def iskeyword(s):
    return s in kwlist


def issoftkeyword(s):
    return s in softkwlist
