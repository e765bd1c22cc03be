"""A preprocessor of mdBook: links from a page to what is outside of `docs` lead to the repository."""

import json
import posixpath
import re
import sys

REPOSITORY = "https://github.com/jitlens/jitlens/blob/main/"


def outside(text: str, page: str) -> str:
    def link(found: re.Match) -> str:
        target, anchor = found[1], found[2] or ""
        path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), target))
        return found[0] if path.startswith("docs/") or path == "docs" else f"]({REPOSITORY}{path}{anchor})"

    return re.sub(r"\]\((?![a-z]+:)([^)\s#]+)(#[^)\s]*)?\)", link, text)


def visit(items: list) -> None:
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter:
            if chapter["path"]:
                chapter["content"] = outside(chapter["content"], chapter["path"])
            visit(chapter["sub_items"])


if __name__ == "__main__":
    if sys.argv[1:2] == ["supports"]:
        sys.exit(0)
    _, book = json.load(sys.stdin)
    visit(book.get("items") or book.get("sections") or [])
    json.dump(book, sys.stdout)
