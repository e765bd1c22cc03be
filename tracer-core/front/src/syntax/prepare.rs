//! Makes a text that the grammar reads as Python would.
//!
//! The grammar is lenient where Python is not (a line that ends in `=` simply goes on below) and lost where a line is
//! unfinished. So the text is read once before it is parsed, token by token and logical line by logical line, and
//! what is missing is put in: closing brackets and quotes, colons, operands (`_`), bodies (`pass`). Whatever is
//! put in has no width in the finished tree. Comments and line breaks between brackets become blanks: the grammar's
//! own idea of indentation is wrong there. A program that is right gets nothing put in.

pub(super) mod bytes;
mod degrade;
mod lexer;
mod strings;
mod word;

use crate::module::Note;
use crate::text::{Span, undecoded_byte};
pub(super) use strings::whole_string;
pub(super) use word::Word;

/// CPython's limit on nested indentation; also keeps the grammar's scanner within its buffer.
const MAX_INDENTS: usize = 100;

/// Shorter insides of strings and comments stay in the text.
const FEWEST_IDLE: usize = 8;

/// How a logical line that the grammar could not read is simplified the next time.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Degree {
    /// What it binds is kept.
    Bindings,
    /// Nothing is kept but that a line is there.
    Nothing,
}

/// A logical line.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Offset of its first token.
    pub(super) start: usize,
    /// Offset behind its last token.
    pub(super) end: usize,
    /// How far it is indented.
    pub(super) column: usize,
    /// The keyword it begins with.
    pub(super) word: Word,
    /// Whether it ends in the colon that opens a block.
    pub(super) opens: bool,
}

/// A text ready to be parsed.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    /// The text.
    pub(super) text: String,
    /// What was put in: its offset in the original, and its length.
    pub(super) inserts: Vec<(u32, u32)>,
    /// What was wrong.
    pub(super) notes: Vec<Note>,
    /// The logical lines.
    pub(super) lines: Vec<Line>,
    /// Insides of strings and comments: the parser says of them only where they are.
    pub(super) idle: Vec<(usize, usize)>,
    /// What was taken out by [`Prepared::condense`]: where it was in the text without it, and how long all up to there was.
    cuts: Vec<(u32, u32)>,
}

impl Prepared {
    /// Whether the text is right as far as can be told before it is parsed.
    pub(super) fn is_clean(&self) -> bool {
        self.inserts.is_empty() && self.notes.is_empty()
    }

    /// Takes out the insides of strings and comments, and puts `pass` in the place of these (sorted) ranges. Only for texts
    /// into which nothing was put before.
    pub(super) fn condense(&mut self, bodies: &[(usize, usize)]) {
        let text = std::mem::take(&mut self.text);
        let mut short = String::with_capacity(text.len());
        let mut idle = self.idle.iter().copied().peekable();
        let mut bodies = bodies.iter().copied().peekable();
        let mut from = 0;
        loop {
            let body = bodies.peek().copied();
            let (start, end, instead) = match idle.peek().copied() {
                Some((start, end)) if body.is_none_or(|(body, _)| start < body) => {
                    idle.next();
                    (start, end, "")
                }
                _ => match bodies.next() {
                    Some((start, end)) => (start, end, "pass"),
                    None => break,
                },
            };
            if start < from {
                continue;
            }
            short.push_str(&text[from..start]);
            short.push_str(instead);
            self.cuts.push((short.len() as u32, (end - short.len()) as u32));
            from = end;
        }
        short.push_str(&text[from..]);
        self.text = short;
    }

    /// What maps offsets of the prepared text to the original.
    pub(super) fn mapper(&self) -> Mapper<'_> {
        Mapper { inserts: &self.inserts, starts: self.starts(), cuts: &self.cuts }
    }

    fn starts(&self) -> Vec<(u32, u32)> {
        let mut inserted = 0;
        self.inserts
            .iter()
            .map(|(at, len)| {
                let start = at + inserted;
                inserted += len;
                (start, inserted)
            })
            .collect()
    }
}

/// Maps offsets of a prepared text to its original.
pub(super) struct Mapper<'a> {
    inserts: &'a [(u32, u32)],
    /// Where each insertion starts in the prepared text, and how much has been inserted when it ends.
    starts: Vec<(u32, u32)>,
    cuts: &'a [(u32, u32)],
}

impl Mapper<'_> {
    /// The offset in the original of something that begins here: behind what was taken out.
    pub(super) fn start(&self, offset: u32) -> u32 {
        match self.cuts {
            [] => self.original(offset),
            cuts => offset + removed(cuts, cuts.partition_point(|(at, _)| *at <= offset)),
        }
    }

    /// The offset in the original of something that ends here.
    pub(super) fn end(&self, offset: u32) -> u32 {
        match self.cuts {
            [] => self.original(offset),
            cuts => offset + removed(cuts, cuts.partition_point(|(at, _)| *at < offset)),
        }
    }

    pub(super) fn original(&self, offset: u32) -> u32 {
        let behind = self.starts.partition_point(|(start, _)| *start < offset);
        let Some(last) = behind.checked_sub(1) else {
            return offset;
        };
        let (start, inserted) = self.starts[last];
        let (at, len) = self.inserts[last];
        if offset < start + len { at } else { offset - inserted }
    }

    /// Where an offset of the original is in the prepared text, before what was put in there.
    pub(super) fn prepared(&self, original: u32) -> u32 {
        self.shifted(original, self.inserts.partition_point(|(at, _)| *at < original))
    }

    /// The same, behind what was put in there.
    pub(super) fn prepared_behind(&self, original: u32) -> u32 {
        self.shifted(original, self.inserts.partition_point(|(at, _)| *at <= original))
    }

    fn shifted(&self, original: u32, inserts: usize) -> u32 {
        let inserted = inserts.checked_sub(1).map_or(0, |last| self.starts[last].1);
        original + inserted
    }
}

/// How much the first so many cuts have taken out.
fn removed(cuts: &[(u32, u32)], count: usize) -> u32 {
    count.checked_sub(1).map_or(0, |last| cuts[last].1)
}

/// Prepares a text; the logical lines that start at the given (sorted) offsets are
/// simplified.
pub(super) fn prepare(text: &str, degraded: &[(usize, Degree)]) -> Prepared {
    let mut prepare = Prepare {
        text,
        src: text.as_bytes(),
        out: text.as_bytes().to_vec(),
        inserts: Vec::new(),
        notes: Vec::new(),
        lines: Vec::new(),
        idle: Vec::new(),
        levels: vec![Level::default()],
        body: None,
        decorators: Vec::new(),
        degraded,
        rescans: 4 * text.len() + 100_000,
        noted_line: None,
        tokens: Vec::new(),
        record: false,
        line_number: (0, 1),
    };
    prepare.file();
    prepare.finish()
}

/// A level of indentation.
#[derive(Default)]
struct Level {
    column: usize,
    /// The keyword that the last line of this level begins with.
    last: Word,
}

/// A header that waits for its body.
struct Body {
    word: Word,
    /// Offset of its first token, and behind its colon.
    start: usize,
    end: usize,
}

struct Prepare<'a> {
    text: &'a str,
    src: &'a [u8],
    out: Vec<u8>,
    inserts: Vec<(u32, String)>,
    notes: Vec<Note>,
    lines: Vec<Line>,
    idle: Vec<(usize, usize)>,
    levels: Vec<Level>,
    body: Option<Body>,
    /// Offsets of the `@`s that wait for a definition.
    decorators: Vec<usize>,
    degraded: &'a [(usize, Degree)],
    /// How many bytes may still be read again to find where an open bracket should have been closed.
    rescans: usize,
    /// The logical line that has been complained about.
    noted_line: Option<usize>,
    /// The tokens of the current line, if they are recorded.
    tokens: Vec<lexer::Token>,
    record: bool,
    /// An offset whose line has been counted, and its number.
    line_number: (usize, usize),
}

impl Prepare<'_> {
    fn file(&mut self) {
        let mut at = if self.text.starts_with('\u{feff}') { 3 } else { 0 };
        while at < self.src.len() {
            at = self.logical_line(at);
        }
        self.end_body(self.src.len());
        self.end_decorators();
        if let Some(nul) = self.src.iter().position(|b| *b == 0) {
            self.out.iter_mut().filter(|b| **b == 0).for_each(|b| *b = b' ');
            let span = Span::new(nul, nul + 1);
            self.notes.push(Note { span, message: "source code cannot contain null bytes".into() });
        }
        // All that stand for bytes begin so.
        if self.src.contains(&0xf4)
            && let Some((at, byte)) = self.text.char_indices().find_map(|(at, c)| Some((at, undecoded_byte(c)?)))
        {
            let message = format!("(unicode error) 'utf-8' codec can't decode byte {byte:#04x}");
            self.notes.push(Note { span: Span::new(at, at + 4), message });
        }
    }

    fn finish(mut self) -> Prepared {
        self.inserts.sort_by_key(|(at, _)| *at);
        let inserts: Vec<(u32, u32)> = self.inserts.iter().map(|(at, text)| (*at, text.len() as u32)).collect();
        let bytes = if self.inserts.is_empty() {
            self.out
        } else {
            let added: u32 = inserts.iter().map(|(_, len)| len).sum();
            let mut bytes = Vec::with_capacity(self.out.len() + added as usize);
            let mut from = 0;
            for (at, text) in &self.inserts {
                bytes.extend_from_slice(&self.out[from..*at as usize]);
                bytes.extend_from_slice(text.as_bytes());
                from = *at as usize;
            }
            bytes.extend_from_slice(&self.out[from..]);
            bytes
        };
        // Only whole tokens are blanked, so this cannot fail.
        let text = String::from_utf8(bytes).unwrap_or_default();
        Prepared { text, inserts, notes: self.notes, lines: self.lines, idle: self.idle, cuts: Vec::new() }
    }

    /// The number of the line of an offset, counted from one.
    fn line_number(&mut self, at: usize) -> usize {
        let (from, number) = match self.line_number {
            (from, number) if from <= at => (from, number),
            _ => (0, 1),
        };
        let number = number + bytes::count_lines(&self.src[from..at]);
        self.line_number = (at, number);
        number
    }

    fn insert(&mut self, at: usize, text: &str) {
        self.inserts.push((at as u32, text.to_string()));
    }

    /// Notes that the parser needs nothing of a range.
    fn idle(&mut self, from: usize, to: usize) {
        if to >= from + FEWEST_IDLE {
            self.idle.push((from, to));
        }
    }

    fn blank(&mut self, from: usize, to: usize) {
        self.out[from..to].fill(b' ');
    }

    /// Notes what is wrong with the current logical line, unless something was already.
    fn complain(&mut self, from: usize, to: usize, message: &str) {
        let line = self.lines.len();
        if self.noted_line != Some(line) {
            self.noted_line = Some(line);
            self.notes.push(Note { span: Span::new(from, to), message: message.to_string() });
        }
    }

    /// Reads one logical line, or a blank one, and returns where the next begins.
    fn logical_line(&mut self, line_start: usize) -> usize {
        let (start, column, mixed) = self.indentation(line_start);
        match self.src.get(start) {
            None => return start,
            Some(b'\n' | b'\r') => return bytes::after_newline(self.src, start),
            Some(b'#') => {
                let end = bytes::line_end(self.src, start);
                self.blank(start, end);
                self.idle(start, end);
                return bytes::after_newline(self.src, end);
            }
            Some(b'\\') if bytes::newline_len(self.src, start + 1) > 0 => {
                let end = bytes::after_newline(self.src, start + 1);
                self.blank(start, end);
                // The line goes on below with this indentation.
                if bytes::is_blank(self.src, end) {
                    return end;
                }
            }
            _ => {}
        }
        let word = Word::at(self.src, start);
        let column = self.indent(line_start, start, column, mixed, word);
        let orphan = !word.may_follow(self.levels.last().map_or(Word::None, |level| level.last));
        if orphan {
            self.complain(start, start + 1, "invalid syntax");
        }
        let degree = if orphan { Some(Degree::Nothing) } else { None };
        let degree = degree.or_else(|| self.degree(start));
        self.record = degree.is_some();
        let line = self.read(start, column, word);
        let next = match degree {
            Some(degree) => self.degrade(&line, degree),
            None => line.next,
        };
        if let Some(level) = self.levels.last_mut() {
            level.last = word;
        }
        self.lines.push(Line { start, end: line.end, column, word, opens: line.opens });
        if line.opens {
            self.body = Some(Body { word, start, end: line.colon });
        }
        next
    }

    fn degree(&self, start: usize) -> Option<Degree> {
        let at = self.degraded.binary_search_by_key(&start, |(line, _)| *line).ok()?;
        Some(self.degraded[at].1)
    }

    /// The offset behind the blanks at `start`, the column there, and whether the grammar would count another column.
    fn indentation(&self, start: usize) -> (usize, usize, bool) {
        let (mut at, mut column, mut theirs) = (start, 0, 0);
        loop {
            match self.src.get(at) {
                Some(b' ') => {
                    column += 1;
                    theirs += 1;
                }
                Some(b'\t') => {
                    column = (column / 8 + 1) * 8;
                    theirs += 8;
                }
                Some(b'\x0c') => {
                    column = 0;
                    theirs = 0;
                }
                _ => return (at, column, column != theirs),
            }
            at += 1;
        }
    }

    /// Goes to the level of a line that starts at `start` in `column`, and returns the column that it then has.
    fn indent(&mut self, line_start: usize, start: usize, column: usize, mixed: bool, word: Word) -> usize {
        let top = |this: &Self| this.levels.last().map_or(0, |level| level.column);
        let mut column = column;
        let mut rewrite = mixed;
        if column > top(self) && self.levels.len() >= MAX_INDENTS {
            self.complain(line_start, start, "too many levels of indentation");
            column = top(self);
            rewrite = true;
        }
        if column > top(self) {
            if self.body.take().is_none() {
                self.end_decorators();
                self.complain(line_start, start, "unexpected indent");
            }
            self.levels.push(Level { column, last: Word::None });
        } else {
            self.end_body(start);
            if column < top(self) {
                while column < top(self) {
                    self.levels.pop();
                    self.end_decorators();
                }
                if column > top(self) {
                    let message = "unindent does not match any outer indentation level";
                    self.complain(line_start, start, message);
                    self.levels.push(Level { column, last: Word::None });
                }
            }
        }
        if rewrite {
            self.rewrite_indentation(line_start, start, column);
        }
        match word {
            Word::At => self.decorators.push(start),
            Word::Def | Word::Class => self.decorators.clear(),
            _ => self.end_decorators(),
        }
        column
    }

    /// Writes `column` columns into the blanks before a line: a form feed counts nothing, a tab eight.
    fn rewrite_indentation(&mut self, line_start: usize, start: usize, column: usize) {
        let needed = column / 8 + column % 8;
        let Some(padding) = (start - line_start).checked_sub(needed) else {
            return;
        };
        let (feeds, rest) = self.out[line_start..start].split_at_mut(padding);
        feeds.fill(b'\x0c');
        let (tabs, spaces) = rest.split_at_mut(column / 8);
        tabs.fill(b'\t');
        spaces.fill(b' ');
    }

    /// Gives a header that waits for its body one, since a line at `start` does not belong to it.
    fn end_body(&mut self, start: usize) {
        let Some(body) = self.body.take() else { return };
        if body.word != Word::Match {
            self.insert(body.end, " pass");
        }
        if let Some(what) = body.word.block_name() {
            let line = self.line_number(body.start);
            let message = format!("expected an indented block after {what} on line {line}");
            let span = Span::new(start, start);
            self.notes.push(Note { span, message });
        }
    }

    /// Makes expressions of decorators that no definition follows.
    fn end_decorators(&mut self) {
        for at in std::mem::take(&mut self.decorators) {
            self.out[at] = b'~';
            let span = Span::new(at, at + 1);
            self.notes.push(Note { span, message: "invalid syntax".into() });
        }
    }
}
