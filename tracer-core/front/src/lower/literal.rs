//! Numbers and strings.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use unicode_normalization::UnicodeNormalization;

use super::Lowerer;
use crate::module::{Const, Expr, ExprId, FStringPart};
use crate::syntax::{Field, Kind, NodeId};
use crate::text::Span;

/// An identifier as Python compares it.
pub(super) fn nfkc(text: &str) -> String {
    text.nfkc().collect()
}

/// The value of a numeric literal, or Python's complaint.
pub(super) fn number(text: &str) -> Result<Const, &'static str> {
    let plain: std::borrow::Cow<str> = if text.contains('_') { text.replace('_', "").into() } else { text.into() };
    let lower = plain.as_bytes();
    if lower.len() > 1 && lower[0] == b'0' {
        let (radix, complaint) = match lower[1] | 0x20 {
            b'x' => (16, "invalid hexadecimal literal"),
            b'o' => (8, "invalid octal literal"),
            b'b' => (2, "invalid binary literal"),
            _ => (10, ""),
        };
        if radix != 10 {
            return integer(&plain[2..], radix).ok_or(complaint);
        }
    }
    if let Some(imaginary) = plain.strip_suffix(['j', 'J']) {
        return imaginary.parse().map(Const::Imaginary).map_err(|_| "invalid imaginary literal");
    }
    if plain.bytes().all(|b| b.is_ascii_digit()) {
        if plain.starts_with('0') && plain.bytes().any(|b| b != b'0') {
            return Err(
                "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers",
            );
        }
        return integer(&plain, 10).ok_or("invalid decimal literal");
    }
    plain.parse().map(Const::Float).map_err(|_| "invalid decimal literal")
}

fn integer(digits: &str, radix: u32) -> Option<Const> {
    if let Ok(small) = i64::from_str_radix(digits, radix) {
        return Some(Const::Int(small));
    }
    let big = BigInt::parse_bytes(digits.as_bytes(), radix)?;
    Some(big.to_i64().map_or(Const::BigInt(big), Const::Int))
}

#[derive(Copy, Clone, Default)]
struct Prefix {
    raw: bool,
    bytes: bool,
    format: bool,
}

impl Prefix {
    fn of(start: &str) -> Prefix {
        let mut prefix = Prefix::default();
        for byte in start.bytes() {
            match byte | 0x20 {
                b'r' => prefix.raw = true,
                b'b' => prefix.bytes = true,
                b'f' | b't' => prefix.format = true,
                _ => {}
            }
        }
        prefix
    }
}

/// What a run of adjacent literals has given so far.
#[derive(Default)]
struct Joined {
    text: String,
    bytes: Vec<u8>,
    parts: Vec<FStringPart>,
    any_format: bool,
    any_bytes: bool,
    any_str: bool,
}

impl Joined {
    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.parts.push(FStringPart::Text(std::mem::take(&mut self.text)));
        }
    }
}

impl<'a> Lowerer<'a> {
    /// Lowers a string or adjacent strings.
    pub(super) fn string(&mut self, node: NodeId) -> ExprId {
        let span = self.span(node);
        let tree = self.tree;
        let mut joined = Joined::default();
        if self.kind(node) == Kind::ConcatenatedString {
            for part in tree.named(node) {
                self.string_part(part, &mut joined);
            }
        } else {
            self.string_part(node, &mut joined);
        }
        if joined.any_bytes && (joined.any_str || joined.any_format) {
            self.note(span, "cannot mix bytes and nonbytes literals");
            return self.error(span);
        }
        let value = if joined.any_bytes {
            Expr::Constant(Const::Bytes(joined.bytes))
        } else if joined.any_format {
            joined.flush();
            Expr::FString(joined.parts.into())
        } else {
            Expr::Constant(Const::Str(joined.text))
        };
        self.push(value, span)
    }

    fn string_part(&mut self, node: NodeId, joined: &mut Joined) {
        let tree = self.tree;
        let mut prefix = Prefix::default();
        let mut at = self.span(node).start;
        let mut end = self.span(node).end;
        let mut quotes = 0;
        for child in tree.named(node) {
            let span = self.span(child);
            match self.kind(child) {
                Kind::StringStart => {
                    prefix = Prefix::of(self.slice(span));
                    joined.any_bytes |= prefix.bytes;
                    joined.any_format |= prefix.format;
                    joined.any_str |= !prefix.bytes;
                    at = span.end;
                    quotes = self.slice(span).bytes().rev().take_while(|b| matches!(b, b'"' | b'\'')).count() as u32;
                }
                Kind::Interpolation => {
                    self.segment(Span { start: at, end: span.start }, prefix, joined);
                    self.interpolation(child, joined);
                    at = span.end;
                }
                // The token sometimes begins too early, with a raw string's backslashes.
                Kind::StringEnd => {
                    let quotes = if self.is_missing(child) { 0 } else { quotes };
                    end = span.end.saturating_sub(quotes);
                }
                _ => {}
            }
        }
        self.segment(Span { start: at, end: end.max(at) }, prefix, joined);
    }

    fn segment(&mut self, span: Span, prefix: Prefix, joined: &mut Joined) {
        let text = self.slice(span);
        let complaint = if prefix.bytes {
            decode_bytes(text, prefix.raw, &mut joined.bytes)
        } else {
            decode(text, prefix.raw, prefix.format, &mut joined.text)
        };
        if let Some(complaint) = complaint {
            self.note(span, complaint);
        }
    }

    fn interpolation(&mut self, node: NodeId, joined: &mut Joined) {
        let tree = self.tree;
        let span = self.span(node);
        let Some(expression) = self.child(node, Field::Expression) else {
            return;
        };
        let mut conversion = None;
        let mut spec = None;
        let mut debug_end = None;
        for child in tree.children(node) {
            match self.kind(child) {
                Kind::TypeConversion => conversion = self.node_text(child).chars().nth(1),
                Kind::FormatSpecifier => spec = Some(child),
                Kind::Equal => debug_end = Some(span.end.saturating_sub(1)),
                _ => {}
            }
            if debug_end.is_some() && matches!(self.kind(child), Kind::TypeConversion | Kind::FormatSpecifier) {
                debug_end = debug_end.map(|end| end.min(self.span(child).start));
            }
        }
        if let Some(end) = debug_end {
            let source = self.slice(Span { start: span.start + 1, end });
            joined.text.push_str(&source.replace("\r\n", "\n").replace('\r', "\n"));
            if conversion.is_none() && spec.is_none() {
                conversion = Some('r');
            }
        }
        joined.flush();
        let value = self.f_expression(expression);
        let spec = match spec {
            Some(spec) => self.deeper(span, |this| this.format_spec(spec)).unwrap_or_default(),
            None => Vec::new(),
        };
        joined.parts.push(FStringPart::Value { value, conversion, spec });
    }

    fn f_expression(&mut self, node: NodeId) -> ExprId {
        self.expr(node)
    }

    fn format_spec(&mut self, node: NodeId) -> Vec<FStringPart> {
        let tree = self.tree;
        let span = self.span(node);
        let mut joined = Joined::default();
        let prefix = Prefix { format: true, ..Prefix::default() };
        let mut at = span.start + 1;
        for child in tree.named(node) {
            if matches!(self.kind(child), Kind::FormatExpression | Kind::Interpolation) {
                let inner = self.span(child);
                self.segment(Span { start: at, end: inner.start }, prefix, &mut joined);
                self.interpolation(child, &mut joined);
                at = inner.end;
            }
        }
        self.segment(Span { start: at, end: span.end.max(at) }, prefix, &mut joined);
        joined.flush();
        joined.parts
    }
}

/// Appends the decoded text of a string literal; returns Python's complaint about a bad escape.
fn decode(text: &str, raw: bool, format: bool, out: &mut String) -> Option<String> {
    if !text.contains(['\\', '\r', '{', '}']) {
        out.push_str(text);
        return None;
    }
    let mut complaint = None;
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '\r', '{', '}']) {
        out.push_str(&rest[..at]);
        let c = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        match c {
            b'\r' => {
                out.push('\n');
                rest = rest.strip_prefix('\n').unwrap_or(rest);
            }
            b'\\' if raw => out.push('\\'),
            b'\\' => rest = escape(rest, out, &mut complaint),
            brace => {
                out.push(brace as char);
                if format && rest.as_bytes().first() == Some(&brace) {
                    rest = &rest[1..];
                }
            }
        }
    }
    out.push_str(rest);
    complaint
}

/// Decodes the escape that `rest` continues after its backslash, and returns what follows.
fn escape<'t>(rest: &'t str, out: &mut String, complaint: &mut Option<String>) -> &'t str {
    let Some(c) = rest.chars().next() else {
        out.push('\\');
        return rest;
    };
    let after = &rest[c.len_utf8()..];
    let simple = match c {
        '\n' => return after,
        '\r' => return after.strip_prefix('\n').unwrap_or(after),
        '\\' | '\'' | '"' => c,
        'a' => '\x07',
        'b' => '\x08',
        'f' => '\x0c',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\x0b',
        '0'..='7' => {
            let len = octal_len(rest);
            let value = u32::from_str_radix(&rest[..len], 8).unwrap_or(0);
            out.push(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER));
            return &rest[len..];
        }
        'x' | 'u' | 'U' => {
            let (len, name) = match c {
                'x' => (2, "\\xXX"),
                'u' => (4, "\\uXXXX"),
                _ => (8, "\\UXXXXXXXX"),
            };
            match after.get(..len).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit())) {
                Some(digits) => {
                    let value = u32::from_str_radix(digits, 16).unwrap_or(0);
                    // Lone surrogates cannot be held.
                    out.push(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER));
                    return &after[len..];
                }
                None => {
                    complaint.get_or_insert_with(|| {
                        format!("(unicode error) 'unicodeescape' codec can't decode bytes: truncated {name} escape")
                    });
                    out.push('\\');
                    return rest;
                }
            }
        }
        'N' => {
            if let Some((name, tail)) = after.strip_prefix('{').and_then(|named| named.split_once('}')) {
                match unicode_names2::character(name) {
                    Some(c) => out.push(c),
                    None => out.push(char::REPLACEMENT_CHARACTER),
                }
                return tail;
            }
            complaint.get_or_insert_with(|| {
                "(unicode error) 'unicodeescape' codec can't decode bytes: malformed \\N character escape".into()
            });
            out.push('\\');
            return rest;
        }
        _ => {
            out.push('\\');
            return rest;
        }
    };
    out.push(simple);
    after
}

fn octal_len(digits: &str) -> usize {
    digits.bytes().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count()
}

fn decode_bytes(text: &str, raw: bool, out: &mut Vec<u8>) -> Option<String> {
    let bytes = text.as_bytes();
    let mut complaint = (!text.is_ascii()).then(|| "bytes can only contain ASCII literal characters".to_string());
    let mut i = 0;
    while i < bytes.len() {
        let c = bytes[i];
        i += 1;
        if c == b'\r' {
            out.push(b'\n');
            i += usize::from(bytes.get(i) == Some(&b'\n'));
            continue;
        }
        if c != b'\\' || raw {
            out.push(c);
            continue;
        }
        let Some(next) = bytes.get(i).copied() else {
            out.push(c);
            break;
        };
        i += 1;
        let decoded = match next {
            b'\n' => continue,
            b'\r' => {
                i += usize::from(bytes.get(i) == Some(&b'\n'));
                continue;
            }
            b'\\' | b'\'' | b'"' => next,
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'0'..=b'7' => {
                let len = octal_len(&text[i - 1..]);
                let value = u32::from_str_radix(&text[i - 1..i - 1 + len], 8).unwrap_or(0);
                i += len - 1;
                value as u8
            }
            b'x' => match text.get(i..i + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                Some(value) => {
                    i += 2;
                    value
                }
                None => {
                    complaint.get_or_insert_with(|| format!("(value error) invalid \\x escape at position {}", i - 2));
                    out.push(c);
                    next
                }
            },
            _ => {
                out.push(c);
                next
            }
        };
        out.push(decoded);
    }
    complaint
}
