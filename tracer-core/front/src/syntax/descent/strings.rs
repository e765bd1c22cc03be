//! Strings, and the expressions in them.

use super::super::prepare::whole_string;
use super::{Descent, Id};
use crate::syntax::{Field, Kind};

impl Descent<'_> {
    /// A string, or several behind one another.
    pub(super) fn strings(&mut self) -> Option<Id> {
        let first = self.string()?;
        if self.token != Kind::StringStart {
            return Some(first);
        }
        let node = self.wrap(Kind::ConcatenatedString, first, Field::None);
        while self.token == Kind::StringStart {
            let part = self.string()?;
            self.put(node, part, Field::None);
        }
        Some(self.close(node))
    }

    fn string(&mut self) -> Option<Id> {
        let (start, quote) = (self.start, self.end);
        let mark = self.src[quote];
        let triple = self.src.get(quote + 1) == Some(&mark) && self.src.get(quote + 2) == Some(&mark);
        let quotes = if triple { 3 } else { 1 };
        let (end, format) = whole_string(self.src, start, quote)?;
        if end > self.limit {
            return None;
        }
        let (from, to) = (quote + quotes, end - quotes);
        let node = self.make(Kind::String, start, end);
        let opening = self.make(Kind::StringStart, start, from);
        self.put(node, opening, Field::None);
        if format {
            let raw = self.src[start..quote].iter().any(|b| b | 0x20 == b'r');
            self.format_text(node, from, to, raw)?;
        }
        let closing = self.make(Kind::StringEnd, to, end);
        self.put(node, closing, Field::None);
        self.resume(end);
        Some(node)
    }

    /// The replacement fields in the text of a format string.
    fn format_text(&mut self, node: Id, from: usize, to: usize, raw: bool) -> Option<()> {
        let mut at = from;
        while at < to {
            match (self.src[at], self.src.get(at + 1).copied().unwrap_or(0)) {
                // A name between braces, or a brace that may or may not open a field.
                (b'\\', b'N' | b'{' | b'}') => return None,
                (b'\\', _) if !raw => at += 2,
                (b'{', b'{') | (b'}', b'}') => at += 2,
                (b'{', _) => at = self.deeper(|this| this.field(node, Kind::Interpolation, at, to))?,
                (b'}', _) => return None,
                _ => at += 1,
            }
        }
        (at == to).then_some(())
    }

    /// A replacement field that begins at `from`: the offset behind it.
    fn field(&mut self, parent: Id, kind: Kind, from: usize, limit: usize) -> Option<usize> {
        let place = self.enter(from + 1, limit, true);
        let node = self.make(kind, from, from);
        let value = self.expressions()?;
        self.put(node, value, Field::Expression);
        if self.token == Kind::Equal {
            let equal = self.leaf();
            self.put(node, equal, Field::None);
        }
        if self.token == Kind::TypeConversion {
            let at = self.start;
            if !self.src.get(at + 1)?.is_ascii_lowercase() {
                return None;
            }
            let conversion = self.make(Kind::TypeConversion, at, at + 2);
            self.put(node, conversion, Field::TypeConversion);
            self.resume(at + 2);
        }
        let mut end = self.start;
        match self.token {
            Kind::CloseBrace => {}
            // `{x:=10}` is aligned by `=`.
            Kind::Colon | Kind::Walrus => {
                let format = self.make(Kind::FormatSpecifier, end, end);
                end += 1;
                loop {
                    let byte = (end < limit).then(|| self.src[end])?;
                    match byte {
                        b'}' => break,
                        b'{' => end = self.deeper(|this| this.field(format, Kind::FormatExpression, end, limit))?,
                        b'\n' | b'\r' | b'\\' => return None,
                        _ => end += 1,
                    }
                }
                self.made[format as usize].end = end as u32;
                self.put(node, format, Field::FormatSpecifier);
            }
            _ => return None,
        }
        self.made[node as usize].end = end as u32 + 1;
        self.put(parent, node, Field::None);
        self.leave(place);
        Some(end + 1)
    }
}
