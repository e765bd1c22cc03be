"""The answer of a faultless jitlens, made from a record, and ways to spoil it."""

import copy


def perfect(record: dict) -> dict:
    return {
        "version": 1,
        "exprs": [{"file": r["file"], "range": r["range"], "avals": r["avals"]} for r in record["exprs"] if r["avals"]],
        "functions": [{"file": f["file"], "line": f["line"], "name": f["name"], "traced": f["traced"]}
                      for f in record["functions"]],
        "errors": [{"file": e["file"], "line": e["line"], "type": e["type"], "message": e["message"]}
                   for e in record["errors"] if not e["cascade"]],
    }


def spoiled(values: dict, spoil) -> dict:
    values = copy.deepcopy(values)
    spoil(values)
    return values
