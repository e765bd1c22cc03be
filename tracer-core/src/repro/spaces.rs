//! Text of the program's own with the spaces and the quotes that formatters give it.

use std::ops::Range;

/// A word, a number, a text, or an operator.
#[derive(Copy, Clone, PartialEq)]
enum Kind {
    Word,
    Number,
    Text,
    Sign,
}

struct Token<'a> {
    kind: Kind,
    text: &'a str,
    /// Whether a space is in front of it.
    spaced: bool,
}

/// Words that are no values: what is called or subscripted is none of them.
const KEYWORDS: [&str; 29] = [
    "and", "as", "assert", "async", "await", "class", "def", "del", "elif", "else", "except", "finally", "for", "from",
    "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "raise", "return", "try", "while", "with",
    "yield",
];

/// What begins a block.
const HEADS: [&str; 12] =
    ["async", "class", "def", "elif", "else", "except", "finally", "for", "if", "try", "while", "with"];

/// Operators of several characters, longer ones first.
const SIGNS: [&str; 25] = [
    "**=", "//=", ">>=", "<<=", "...", "->", ":=", "==", "!=", "<=", ">=", "**", "//", "<<", ">>", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "@=", "<>",
];

/// The statements of one line as lines, each with how much deeper it stands; `None` where a comment, or a part of what goes over several lines, is
/// in it.
pub fn spaced(line: &str) -> Option<Vec<(usize, String)>> {
    let tokens = tokens(line).filter(|tokens| is_closed(tokens))?;
    let mut lines = Vec::new();
    let mut deeper = 0;
    for part in parts(&tokens) {
        let is_head = HEADS.contains(&tokens[part.start].text);
        let next = deeper + usize::from(tokens[part.clone()].last().is_some_and(|last| last.text == ":") && is_head);
        lines.push((deeper, joined(&tokens[part])));
        deeper = next;
    }
    Some(lines)
}

fn tokens(line: &str) -> Option<Vec<Token<'_>>> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut all, mut at, mut spaced) = (Vec::new(), 0, false);
    while let Some(c) = line[at..].chars().next() {
        let rest = &line[at..];
        if c.is_whitespace() {
            (spaced, at) = (true, at + c.len_utf8());
            continue;
        }
        let prefix = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let is_text = prefix <= 2 && rest[prefix..].starts_with(['"', '\'']);
        let (kind, len) = match c {
            '#' | '\\' => return None,
            _ if is_text => (Kind::Text, prefix + length_of_text(&rest[prefix..])?),
            _ if c.is_ascii_digit() || c == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                (Kind::Number, length_of_number(rest))
            }
            _ if is_word(c) => (Kind::Word, rest.find(|c| !is_word(c)).unwrap_or(rest.len())),
            _ => {
                (Kind::Sign, SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(c.len_utf8(), |sign| sign.len()))
            }
        };
        all.push(Token { kind, text: &rest[..len], spaced });
        (spaced, at) = (false, at + len);
    }
    Some(all)
}

/// How long a text is with its quotes; `None` for one of several lines, or without an end.
fn length_of_text(rest: &str) -> Option<usize> {
    let quote = rest.chars().next()?;
    if rest[1..].starts_with([quote]) && rest[2..].starts_with([quote]) {
        return None;
    }
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return None,
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn length_of_number(rest: &str) -> usize {
    let is_hex = rest.starts_with("0x") || rest.starts_with("0X");
    let mut before = ' ';
    for (at, c) in rest.char_indices() {
        let is_sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E') && !is_hex;
        if !(c.is_ascii_alphanumeric() || c == '.' || c == '_' || is_sign) {
            return at;
        }
        before = c;
    }
    rest.len()
}

/// Whether every bracket has its other one.
fn is_closed(tokens: &[Token<'_>]) -> bool {
    let mut depth = 0usize;
    let closes = tokens.iter().all(|token| match token.text {
        "(" | "[" | "{" => {
            depth += 1;
            true
        }
        ")" | "]" | "}" => depth.checked_sub(1).map(|less| depth = less).is_some(),
        _ => true,
    });
    closes && depth == 0
}

/// The statements among tokens: behind semicolons, and behind the colon of a block.
fn parts(tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let (mut parts, mut from, mut depth, mut lambdas) = (Vec::new(), 0, 0usize, 0usize);
    for (at, token) in tokens.iter().enumerate() {
        let is_head = HEADS.contains(&tokens[from].text);
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "lambda" if depth == 0 => lambdas += 1,
            ":" if depth == 0 && lambdas > 0 => lambdas -= 1,
            ":" if depth == 0 && is_head => {
                parts.push(from..at + 1);
                from = at + 1;
                if from == tokens.len() {
                    return parts;
                }
            }
            ";" if depth == 0 => {
                parts.push(from..at);
                from = at + 1;
                if from == tokens.len() {
                    return parts;
                }
            }
            _ => {}
        }
    }
    parts.push(from..tokens.len());
    parts.retain(|part| !part.is_empty());
    parts
}

/// What a bracket is around.
#[derive(Copy, Clone, PartialEq)]
enum Bracket {
    Parameters,
    Items,
    Subscript,
}

fn joined(tokens: &[Token<'_>]) -> String {
    let mut out = String::new();
    // Brackets, each with the `lambda`s that have no colon yet, and whether an annotation was begun in it.
    let mut open: Vec<(Bracket, usize, bool)> = vec![(Bracket::Items, 0, false)];
    let is_def = tokens.iter().any(|token| token.text == "def") && tokens.first().is_some_and(|t| t.text != "lambda");
    let mut is_sign_of_one = false;
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &tokens[before]);
        let is_value = before.is_some_and(is_value);
        let (bracket, lambdas, annotated) = open.last().copied().unwrap_or((Bracket::Items, 0, false));
        let is_power = |at: usize| tokens[at].text == "**" && is_simple_power(tokens, at);
        let is_default = |text: &str| text == "=" && (lambdas > 0 || open.len() > 1 && !annotated);
        let wants = match (before.map(|before| before.text), token.text) {
            (None, _) | (Some("(" | "[" | "{" | "." | "~"), _) => false,
            (_, ")" | "]" | "}" | "," | ";" | ".") => false,
            (_, ":") => bracket == Bracket::Subscript && lambdas == 0 && token.spaced,
            (Some(":"), _) if bracket == Bracket::Subscript && lambdas == 0 => token.spaced,
            (Some("@"), _) if at == 1 => false,
            (_, "(" | "[") if is_value => false,
            _ if is_sign_of_one => false,
            (Some(before), _) if is_default(before) => false,
            (_, text) if is_default(text) => false,
            _ if token.text == "**" && is_value && is_power(at) => false,
            _ if at > 0 && is_power(at - 1) && tokens[..at - 1].last().is_some_and(self::is_value) => false,
            _ => true,
        };
        if wants {
            out.push(' ');
        }
        is_sign_of_one = matches!(token.text, "-" | "+" | "~" | "*" | "**") && !is_value;
        match token.text {
            "(" | "[" | "{" => {
                let kind = match token.text {
                    "[" if is_value => Bracket::Subscript,
                    "(" if is_value && is_def && open.len() == 1 => Bracket::Parameters,
                    _ => Bracket::Items,
                };
                open.push((kind, 0, false));
            }
            ")" | "]" | "}" if open.len() > 1 => _ = open.pop(),
            text => {
                if let Some((bracket, lambdas, annotated)) = open.last_mut() {
                    match text {
                        "lambda" => *lambdas += 1,
                        ":" if *lambdas > 0 => *lambdas -= 1,
                        ":" if *bracket == Bracket::Parameters => *annotated = true,
                        "," => *annotated = false,
                        _ => {}
                    }
                }
            }
        }
        match token.kind {
            Kind::Text => out.push_str(&quoted(token.text)),
            _ => out.push_str(token.text),
        }
    }
    out
}

/// Whether a token ends a value.
fn is_value(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Word => !KEYWORDS.contains(&token.text),
        Kind::Number | Kind::Text => true,
        Kind::Sign => matches!(token.text, ")" | "]" | "}" | "..."),
    }
}

/// Whether a power is of names, their members, and numbers.
fn is_simple_power(tokens: &[Token<'_>], at: usize) -> bool {
    let is_simple = |token: &Token<'_>| is_value(token) && matches!(token.kind, Kind::Word | Kind::Number);
    let mut from = at;
    loop {
        match from.checked_sub(1).map(|before| &tokens[before]) {
            Some(before) if is_simple(before) => from -= 1,
            _ => return false,
        }
        match from.checked_sub(1).map(|before| tokens[before].text) {
            Some(".") => from -= 1,
            _ => break,
        }
    }
    let mut to = at + 1;
    to += usize::from(tokens.get(to).is_some_and(|token| matches!(token.text, "-" | "+" | "~")));
    loop {
        match tokens.get(to) {
            Some(token) if is_simple(token) => to += 1,
            _ => return false,
        }
        match tokens.get(to).map(|token| token.text) {
            Some(".") => to += 1,
            Some("(" | "[") => return false,
            _ => return true,
        }
    }
}

/// A text in double quotes where none are in it.
fn quoted(text: &str) -> String {
    let at = text.find(['"', '\'']).unwrap_or(0);
    let (prefix, rest) = text.split_at(at);
    let inner = rest.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    match inner.filter(|inner| !inner.contains(['"', '\\'])) {
        Some(inner) => format!("{prefix}\"{inner}\""),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::spaced;

    fn one(line: &str) -> String {
        let lines = spaced(line).expect("a line");
        lines.iter().map(|(deeper, line)| format!("{}{line}", "    ".repeat(*deeper))).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn operators_stand_between_spaces() {
        assert_eq!(one("x=a+b *-c"), "x = a + b * -c");
        assert_eq!(one("y = x ** 2+ f(x) ** 2 + a.b**-n"), "y = x**2 + f(x) ** 2 + a.b**-n");
        assert_eq!(one("z = not(a) or -b[1 :2]"), "z = not (a) or -b[1 :2]");
    }

    #[test]
    fn arguments_have_no_spaces_around_their_signs() {
        assert_eq!(one("f(a , b = 1, *c, ** d)"), "f(a, b=1, *c, **d)");
        assert_eq!(one("g = lambda x,y = 2: x@y"), "g = lambda x, y=2: x @ y");
        assert_eq!(one("def f(a: int=1, *, b=2)->int:"), "def f(a: int = 1, *, b=2) -> int:");
        assert_eq!(one("@ jax.jit"), "@jax.jit");
    }

    #[test]
    fn statements_have_lines_of_their_own() {
        assert_eq!(one("def f(x): return {'a':x}"), "def f(x):\n    return {\"a\": x}");
        assert_eq!(one("a=1; b=(2,)"), "a = 1\nb = (2,)");
        assert_eq!(one("if x: y = lambda: 1"), "if x:\n    y = lambda: 1");
    }

    #[test]
    fn texts_keep_what_is_in_them() {
        assert_eq!(one("s = 'it' + 'a \"b\"' + f'{x}'"), "s = \"it\" + 'a \"b\"' + f\"{x}\"");
        assert!(spaced("x = f(").is_none() && spaced("x = 1  # one").is_none() && spaced("'''a").is_none());
    }
}
