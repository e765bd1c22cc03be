"""Paragraphs."""

from _jitlens.python import is_unknown, unknown, vague_list


def dedent(text):
    lines = text.split("\n")
    margin = None
    for line in lines:
        body = line.lstrip(" \t")
        if body:
            indent = line[: len(line) - len(body)]
            if margin is None:
                margin = indent
            else:
                n = 0
                while n < len(margin) and n < len(indent) and margin[n] == indent[n]:
                    n += 1
                margin = margin[:n]
    n = len(margin or "")
    return "\n".join([line[n:] if line.strip() else "" for line in lines])


def indent(text, prefix, predicate=None):
    keep = predicate or (lambda line: line.strip())
    return "".join([prefix + line if keep(line) else line for line in text.splitlines(True)])


class TextWrapper:
    def __init__(
        self, width=70, initial_indent="", subsequent_indent="", expand_tabs=True, replace_whitespace=True,
        fix_sentence_endings=False, break_long_words=True, drop_whitespace=True, break_on_hyphens=True, tabsize=8, *,
        max_lines=None, placeholder=" [...]",
    ):
        self.width, self.initial_indent, self.subsequent_indent = width, initial_indent, subsequent_indent
        self.expand_tabs, self.replace_whitespace, self.tabsize = expand_tabs, replace_whitespace, tabsize
        self.fix_sentence_endings, self.break_long_words = fix_sentence_endings, break_long_words
        self.drop_whitespace, self.break_on_hyphens = drop_whitespace, break_on_hyphens
        self.max_lines, self.placeholder = max_lines, placeholder

    def wrap(self, text):
        if is_unknown(text) or is_unknown(self.width) or self.fix_sentence_endings:
            return vague_list("the lines of a text")
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        if self.replace_whitespace:
            for blank in "\t\n\v\f\r":
                text = text.replace(blank, " ")
        if self.width <= 0:
            raise ValueError(f"invalid width {self.width!r} (must be > 0)")
        pieces = self._pieces(text)
        lines = None if pieces is None else self._lines(pieces)
        if lines is None or self.max_lines is not None and len(lines) > self.max_lines:
            return vague_list("the lines of a text")
        return lines

    def _pieces(self, text):
        """Words and the blanks between them, last one first; None where it is not clear at which hyphens a line may end."""
        import re

        pieces = [piece for piece in re.split(r"(\s+)", text) if piece]
        if self.break_on_hyphens and "-" in text and len(text) + len(self.initial_indent) > self.width:
            found = []
            for piece in pieces:
                parts = re.split(r"(?<=[A-Za-z]{2}-)(?=[A-Za-z]{2})", piece) if "-" in piece else [piece]
                if piece != "-" and any(["-" in part[:-1] or part[-1] == "-" and part is parts[-1] for part in parts]):
                    return None
                found.extend(parts)
            pieces = found
        return pieces[::-1]

    def _lines(self, pieces):
        lines = []
        while pieces:
            indent = self.subsequent_indent if lines else self.initial_indent
            room, line, length = self.width - len(indent), [], 0
            if self.drop_whitespace and lines and not pieces[-1].strip():
                pieces.pop()
            while pieces and length + len(pieces[-1]) <= room:
                length += len(pieces[-1])
                line.append(pieces.pop())
            if pieces and len(pieces[-1]) > room:
                if self.break_long_words:
                    left = 1 if room < 1 else room - length
                    word = pieces.pop()
                    line.append(word[:left])
                    pieces.append(word[left:])
                elif not line:
                    line.append(pieces.pop())
            if self.drop_whitespace and line and not line[-1].strip():
                line.pop()
            if line:
                lines.append(indent + "".join(line))
        return lines

    def fill(self, text):
        lines = self.wrap(text)
        return unknown("str", "the lines of a text") if is_unknown(lines) else "\n".join(lines)


def wrap(text, width=70, **kwargs):
    return TextWrapper(width, **kwargs).wrap(text)


def fill(text, width=70, **kwargs):
    return TextWrapper(width, **kwargs).fill(text)


def shorten(text, width, *, placeholder=" [...]", **kwargs):
    text = " ".join(text.split())
    if len(text) <= width:
        return text
    if len(placeholder.lstrip()) > width:
        raise ValueError("placeholder too large for max width")
    if "-" in text:
        return unknown("str", "a text that may end at a hyphen")
    words = text.split()
    while words and len(" ".join(words)) + len(placeholder) > width:
        words.pop()
    return " ".join(words) + placeholder if words else placeholder.lstrip()
