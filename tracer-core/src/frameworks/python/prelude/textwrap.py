"""Paragraphs."""


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
        room = self.width - max(len(self.initial_indent), len(self.subsequent_indent))
        return [(self.subsequent_indent if i else self.initial_indent) + line for i, line in enumerate(wrap(text, room))]

    def fill(self, text):
        return "\n".join(self.wrap(text))


def wrap(text, width=70, **kwargs):
    lines, current = [], ""
    for word in text.split():
        if current and len(current) + 1 + len(word) > width:
            lines.append(current)
            current = word
        else:
            current = f"{current} {word}" if current else word
    if current:
        lines.append(current)
    return lines


def fill(text, width=70, **kwargs):
    return "\n".join(wrap(text, width))


def shorten(text, width, *, placeholder=" [...]", **kwargs):
    text = " ".join(text.split())
    if len(text) <= width:
        return text
    words = text.split()
    while words and len(" ".join(words)) + len(placeholder) > width:
        words.pop()
    return " ".join(words) + placeholder
