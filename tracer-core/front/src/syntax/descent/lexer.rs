//! Tokens, one at a time.

use super::super::prepare::bytes::{is_prefix, line_end, newline_len, number_end};
use super::Descent;
use crate::syntax::Kind;

/// What another part of the text was read with.
pub(super) struct Place {
    token: Kind,
    start: usize,
    end: usize,
    limit: usize,
    last: usize,
    in_string: bool,
}

impl Descent<'_> {
    /// Begins to read a part of the text.
    pub(super) fn enter(&mut self, from: usize, limit: usize, in_string: bool) -> Place {
        let Descent { token, start, end, limit: outer, last, in_string: outer_string, .. } = *self;
        (self.end, self.limit, self.in_string) = (from, limit, in_string);
        self.advance();
        Place { token, start, end, limit: outer, last, in_string: outer_string }
    }

    /// Goes back to another part of the text.
    pub(super) fn leave(&mut self, place: Place) {
        let Place { token, start, end, limit, last, in_string } = place;
        (self.token, self.start, self.end) = (token, start, end);
        (self.limit, self.last, self.in_string) = (limit, last, in_string);
    }

    /// Reads the next token from an offset on.
    pub(super) fn resume(&mut self, at: usize) {
        self.end = at;
        self.advance();
    }

    /// Goes on to the next token.
    pub(super) fn advance(&mut self) {
        self.last = self.end;
        let at = self.skip_blanks(self.end);
        self.start = at;
        if at >= self.limit {
            (self.token, self.end) = (Kind::Other, at);
            return;
        }
        (self.token, self.end) = self.read(at);
        if self.end > self.limit {
            self.token = Kind::Error;
        }
    }

    fn skip_blanks(&self, mut at: usize) -> usize {
        while at < self.limit {
            match self.src[at] {
                b' ' | b'\t' | b'\x0c' | b'\n' | b'\r' => at += 1,
                b'\\' if newline_len(self.src, at + 1) > 0 => at += 1 + newline_len(self.src, at + 1),
                b'#' if !self.in_string => at = line_end(self.src, at),
                _ => break,
            }
        }
        at
    }

    /// The first byte behind the next token that is not blank.
    pub(super) fn behind(&self) -> [u8; 2] {
        let at = self.skip_blanks(self.end);
        let byte = |at: usize| if at < self.limit { self.src[at] } else { 0 };
        [byte(at), byte(at + 1)]
    }

    fn read(&self, at: usize) -> (Kind, usize) {
        let src = self.src;
        let byte = |behind: usize| src.get(at + behind).copied().unwrap_or(0);
        let one = |kind| (kind, at + 1);
        let or_equal = |kind, with| if byte(1) == b'=' { (with, at + 2) } else { (kind, at + 1) };
        match src[at] {
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => self.read_name(at),
            b'0'..=b'9' => self.read_number(at),
            b'"' | b'\'' => (Kind::StringStart, at),
            b'.' if byte(1).is_ascii_digit() => self.read_number(at),
            b'.' if byte(1) == b'.' && byte(2) == b'.' => (Kind::Ellipsis, at + 3),
            b'.' => one(Kind::Dot),
            b',' => one(Kind::Comma),
            b'(' => one(Kind::OpenParen),
            b')' => one(Kind::CloseParen),
            b'[' => one(Kind::OpenBracket),
            b']' => one(Kind::CloseBracket),
            b'{' => one(Kind::OpenBrace),
            b'}' => one(Kind::CloseBrace),
            b';' => one(Kind::Semicolon),
            b'~' => one(Kind::Tilde),
            b':' => or_equal(Kind::Colon, Kind::Walrus),
            b'=' => or_equal(Kind::Equal, Kind::EqEq),
            b'+' => or_equal(Kind::Plus, Kind::PlusEq),
            b'-' if byte(1) == b'>' => (Kind::Arrow, at + 2),
            b'-' => or_equal(Kind::Minus, Kind::MinusEq),
            b'%' => or_equal(Kind::Percent, Kind::PercentEq),
            b'@' => or_equal(Kind::At, Kind::AtEq),
            b'&' => or_equal(Kind::Amp, Kind::AmpEq),
            b'|' => or_equal(Kind::Bar, Kind::BarEq),
            b'^' => or_equal(Kind::Caret, Kind::CaretEq),
            // Alone it stands before a conversion in a format string.
            b'!' => or_equal(Kind::TypeConversion, Kind::NotEq),
            b'*' => match (byte(1), byte(2)) {
                (b'*', b'=') => (Kind::StarStarEq, at + 3),
                (b'*', _) => (Kind::StarStar, at + 2),
                _ => or_equal(Kind::Star, Kind::StarEq),
            },
            b'/' => match (byte(1), byte(2)) {
                (b'/', b'=') => (Kind::SlashSlashEq, at + 3),
                (b'/', _) => (Kind::SlashSlash, at + 2),
                _ => or_equal(Kind::Slash, Kind::SlashEq),
            },
            b'<' => match (byte(1), byte(2)) {
                (b'<', b'=') => (Kind::LtLtEq, at + 3),
                (b'<', _) => (Kind::LtLt, at + 2),
                (b'>', _) => (Kind::Error, at + 2),
                _ => or_equal(Kind::Lt, Kind::LtEq),
            },
            b'>' => match (byte(1), byte(2)) {
                (b'>', b'=') => (Kind::GtGtEq, at + 3),
                (b'>', _) => (Kind::GtGt, at + 2),
                _ => or_equal(Kind::Gt, Kind::GtEq),
            },
            _ => one(Kind::Error),
        }
    }

    fn read_name(&self, at: usize) -> (Kind, usize) {
        let rest = &self.src[at..];
        let len = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        let (name, next) = (&rest[..len], rest.get(len).copied().unwrap_or(0));
        if next >= 0x80 {
            return (Kind::Error, at + len);
        }
        if len <= 2 && matches!(next, b'"' | b'\'') && is_prefix(name) {
            // It ends where its quotes begin.
            return (Kind::StringStart, at + len);
        }
        let kind = if len > 8 { Kind::Identifier } else { keyword(name) };
        (kind, at + len)
    }

    fn read_number(&self, at: usize) -> (Kind, usize) {
        let end = number_end(self.src, at);
        let text = &self.src[at..end];
        let follows = self.src.get(end).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80);
        let odd = |pair: &[u8]| {
            (pair[0] == b'_' && !pair[1].is_ascii_hexdigit()) || (pair[1] == b'_' && !pair[0].is_ascii_hexdigit())
        };
        let radix = match text {
            [b'0', mark, ..] => match mark | 0x20 {
                b'x' => 16,
                b'o' => 8,
                b'b' => 2,
                _ => 10,
            },
            _ => 10,
        };
        let digits =
            radix == 10 || text.len() > 2 && text[2..].iter().all(|b| *b == b'_' || (*b as char).is_digit(radix));
        if follows || text.ends_with(b"_") || !digits || text.windows(2).any(odd) {
            return (Kind::Error, end);
        }
        let fraction = radix == 10 && text.iter().any(|b| matches!(b, b'.' | b'e' | b'E'));
        (if fraction { Kind::Float } else { Kind::Integer }, end)
    }
}

fn keyword(name: &[u8]) -> Kind {
    match name {
        b"if" => Kind::KwIf,
        b"in" => Kind::In,
        b"is" => Kind::Is,
        b"or" => Kind::Or,
        b"as" => Kind::KwAs,
        b"and" => Kind::And,
        b"not" => Kind::Not,
        b"for" => Kind::KwFor,
        b"def" => Kind::KwDef,
        b"del" => Kind::KwDel,
        b"try" => Kind::KwTry,
        b"else" => Kind::KwElse,
        b"elif" => Kind::KwElif,
        b"from" => Kind::KwFrom,
        b"pass" => Kind::KwPass,
        b"with" => Kind::KwWith,
        b"None" => Kind::None,
        b"True" => Kind::True,
        b"False" => Kind::False,
        b"async" => Kind::KwAsync,
        b"await" => Kind::KwAwait,
        b"break" => Kind::KwBreak,
        b"class" => Kind::KwClass,
        b"raise" => Kind::KwRaise,
        b"while" => Kind::KwWhile,
        b"yield" => Kind::KwYield,
        b"assert" => Kind::KwAssert,
        b"except" => Kind::KwExcept,
        b"global" => Kind::KwGlobal,
        b"import" => Kind::KwImport,
        b"lambda" => Kind::KwLambda,
        b"return" => Kind::KwReturn,
        b"finally" => Kind::KwFinally,
        b"continue" => Kind::KwContinue,
        b"nonlocal" => Kind::KwNonlocal,
        _ => Kind::Identifier,
    }
}
