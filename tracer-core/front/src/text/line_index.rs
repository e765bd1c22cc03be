//! Offsets to lines and columns, and back.

use super::Span;

/// A position as line and column, both counted from zero.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineCol {
    /// The line.
    pub line: u32,
    /// The column, in the unit that was asked for.
    pub column: u32,
}

/// Where the lines of a text begin.
///
/// Lines end as Python's tokenizer ends them: at `\n`, `\r\n` and a lone `\r`, and nowhere else (not at form feeds,
/// nor at Unicode's line separators). A byte order mark does not count as a column, since Python strips it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    /// Offset of the first column of each line.
    starts: Vec<u32>,
    /// Whether the whole text is ASCII, so that every unit is a byte.
    ascii: bool,
    /// The length of the text.
    len: u32,
}

const BYTE_ORDER_MARK: &str = "\u{feff}";

impl LineIndex {
    /// The index of a text.
    pub fn new(text: &str) -> LineIndex {
        let bytes = text.as_bytes();
        let mut starts = Vec::with_capacity(bytes.len() / 32 + 1);
        starts.push(if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() as u32 } else { 0 });
        for (i, byte) in bytes.iter().enumerate() {
            let ends = match byte {
                b'\n' => true,
                b'\r' => bytes.get(i + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends {
                starts.push(i as u32 + 1);
            }
        }
        LineIndex { starts, ascii: text.is_ascii(), len: bytes.len() as u32 }
    }

    /// How many lines there are; a text that ends in a line break has an empty last line.
    pub fn line_count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The line that `offset` lies in.
    pub fn line(&self, offset: u32) -> u32 {
        (self.starts.partition_point(|start| *start <= offset) as u32).saturating_sub(1)
    }

    /// The range of a line, its line break included.
    pub fn line_span(&self, line: u32) -> Option<Span> {
        let start = *self.starts.get(line as usize)?;
        let end = self.starts.get(line as usize + 1).copied().unwrap_or(self.len);
        Some(Span { start, end })
    }

    /// Line and column in UTF-8 bytes, as `ast` counts them (but for its lines counting from one).
    pub fn utf8(&self, offset: u32) -> LineCol {
        let line = self.line(offset);
        LineCol { line, column: offset.saturating_sub(self.starts[line as usize]) }
    }

    /// Line and column in UTF-16 code units, as editors count them.
    pub fn utf16(&self, text: &str, offset: u32) -> LineCol {
        let at = self.utf8(offset.min(self.len));
        if self.ascii {
            return at;
        }
        let start = self.starts[at.line as usize] as usize;
        let before = text.get(start..).unwrap_or("");
        let units = before
            .char_indices()
            .take_while(|(i, c)| i + c.len_utf8() <= at.column as usize)
            .map(|(_, c)| c.len_utf16() as u32)
            .sum();
        LineCol { line: at.line, column: units }
    }

    /// The offset of a position counted in UTF-8 bytes; columns past the end of the line mean its end.
    pub fn offset_utf8(&self, text: &str, at: LineCol) -> u32 {
        let Some(line) = self.content(text, at.line) else {
            return self.len;
        };
        let mut offset = (line.start + at.column).min(line.end);
        while !text.is_char_boundary(offset as usize) {
            offset -= 1;
        }
        offset
    }

    /// The offset of a position counted in UTF-16 code units; columns past the end of the line mean its end.
    pub fn offset_utf16(&self, text: &str, at: LineCol) -> u32 {
        let Some(line) = self.content(text, at.line) else {
            return self.len;
        };
        if self.ascii {
            return line.start.saturating_add(at.column).min(line.end);
        }
        let mut left = at.column;
        let mut offset = line.start;
        for c in text.get(line.start as usize..line.end as usize).unwrap_or("").chars() {
            let units = c.len_utf16() as u32;
            if left < units {
                break;
            }
            left -= units;
            offset += c.len_utf8() as u32;
        }
        offset
    }

    /// The range of a line without its line break.
    fn content(&self, text: &str, line: u32) -> Option<Span> {
        let span = self.line_span(line)?;
        let bytes = &text.as_bytes()[span.start as usize..span.end as usize];
        let breaks = bytes.iter().rev().take_while(|b| matches!(b, b'\n' | b'\r')).count();
        Some(Span { start: span.start, end: span.end - breaks as u32 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32, column: u32) -> LineCol {
        LineCol { line, column }
    }

    #[test]
    fn lines_end_as_in_python() {
        let text = "a\r\nb\rc\nd\x0ce\u{2028}f\n";
        let index = LineIndex::new(text);
        assert_eq!(index.line_count(), 5);
        let lines: Vec<&str> = (0..5)
            .map(|line| index.line_span(line).unwrap())
            .map(|span| &text[span.start as usize..span.end as usize])
            .collect();
        assert_eq!(lines, ["a\r\n", "b\r", "c\n", "d\x0ce\u{2028}f\n", ""]);
    }

    #[test]
    fn columns_count_in_both_units() {
        let text = "x = 'é😀'; y\nz";
        let index = LineIndex::new(text);
        let y = text.find('y').unwrap() as u32;
        assert_eq!(index.utf8(y), at(0, 14));
        assert_eq!(index.utf16(text, y), at(0, 11));
        assert_eq!(index.offset_utf16(text, at(0, 11)), y);
        assert_eq!(index.offset_utf8(text, at(0, 14)), y);
        // Inside the surrogate pair, and past the end of the line.
        assert_eq!(index.offset_utf16(text, at(0, 7)), index.offset_utf16(text, at(0, 6)));
        assert_eq!(index.offset_utf16(text, at(0, 99)), text.find('\n').unwrap() as u32);
        assert_eq!(index.offset_utf16(text, at(9, 0)), text.len() as u32);
        for (offset, _) in text.char_indices() {
            let offset = offset as u32;
            assert_eq!(index.offset_utf16(text, index.utf16(text, offset)), offset);
            assert_eq!(index.offset_utf8(text, index.utf8(offset)), offset);
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_column() {
        let text = "\u{feff}x\ny";
        let index = LineIndex::new(text);
        assert_eq!(index.utf8(3), at(0, 0));
        assert_eq!(index.offset_utf8(text, at(0, 0)), 3);
        assert_eq!(index.utf8(0), at(0, 0));
        assert_eq!(index.utf8(5), at(1, 0));
    }
}
