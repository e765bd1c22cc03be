//! Reads one logical line: its tokens, its brackets, and what is missing between them.

use super::bytes::{
    after_newline, is_blank, is_name_byte, is_prefix, is_statement, line_end, name_end, newline_len, number_end,
};
use super::{Prepare, Word};

/// What a token asks of the one behind it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// The beginning of the line or of a statement.
    Start,
    /// A value, or the end of one.
    Operand,
    /// A string.
    Text,
    /// An operator or keyword that a value has to follow.
    Open,
    /// A dot that a name has to follow.
    Dot,
    Comma,
    Colon,
    /// An opening bracket.
    Bracket,
    /// A star that unpacks or separates.
    Star,
    /// A keyword that a value may follow.
    Optional,
    /// `lambda`, whose parameters may follow.
    Lambda,
    /// Something that is no Python.
    Junk,
}

/// A token, for the simplification of lines that stay unreadable.
#[derive(Copy, Clone, Debug)]
pub(super) struct Token {
    pub(super) start: usize,
    pub(super) end: usize,
    /// How many brackets are open around it.
    pub(super) depth: usize,
    pub(super) class: Class,
}

/// What was read.
pub(super) struct Read {
    pub(super) start: usize,
    /// Behind the last token.
    pub(super) end: usize,
    /// Where the next line begins.
    pub(super) next: usize,
    /// Whether the last token is the colon that opens a block, and the offset behind it.
    pub(super) opens: bool,
    pub(super) colon: usize,
    pub(super) word: Word,
}

/// A bracket that is open, or the line itself.
struct Frame {
    open: u8,
    at: usize,
    /// Whether it is a subscript.
    subscript: bool,
    /// `lambda`s that wait for their colon.
    lambdas: u32,
    /// `if`s that wait for their `else`.
    ifs: u32,
    /// Whether there has been a `for`, and whether it waits for its `in`.
    has_for: bool,
    wants_in: bool,
    /// Whether it holds type parameters, and whether the default of one is being read: the grammar knows none, and nobody asks for it.
    of_types: bool,
    in_default: bool,
}

impl Frame {
    fn new(open: u8, at: usize, subscript: bool) -> Frame {
        Frame {
            open,
            at,
            subscript,
            lambdas: 0,
            ifs: 0,
            has_for: false,
            wants_in: false,
            of_types: false,
            in_default: false,
        }
    }
}

/// The state of reading one logical line.
struct Reader {
    word: Word,
    start: usize,
    frames: Vec<Frame>,
    prev: Class,
    /// Behind the last token.
    prev_end: usize,
    /// Whether the header's colon has been seen, and the offset behind it.
    header_colon: bool,
    colon: usize,
    /// Whether `import` has been seen.
    has_import: bool,
    /// Whether a bracket has been opened.
    has_bracket: bool,
}

/// Where reading a logical line ended.
enum Outcome {
    Line(Read),
    /// It has to end where this physical line begins.
    Retry(usize),
}

impl Prepare<'_> {
    /// Reads the logical line that starts at `start`, in `column`.
    pub(super) fn read(&mut self, start: usize, column: usize, word: Word) -> Read {
        let inserts = self.inserts.len();
        let notes = self.notes.len();
        let mut forced_end = None;
        loop {
            match self.try_read(start, column, word, forced_end) {
                Outcome::Line(read) => return read,
                Outcome::Retry(end) => {
                    self.inserts.truncate(inserts);
                    self.notes.truncate(notes);
                    self.noted_line = None;
                    forced_end = Some(end);
                }
            }
        }
    }

    fn try_read(&mut self, start: usize, column: usize, word: Word, forced_end: Option<usize>) -> Outcome {
        self.tokens.clear();
        let mut reader = Reader {
            word,
            start,
            frames: vec![Frame::new(0, start, false)],
            prev: Class::Start,
            prev_end: start,
            header_colon: false,
            colon: start,
            has_import: false,
            has_bracket: false,
        };
        // Lines inside brackets at which the line could be ended if a bracket turns out to be never closed.
        let mut first_end = None;
        let mut at = start;
        let src = self.src;
        loop {
            let Some(byte) = src.get(at).copied() else {
                return match self.trouble(&reader, first_end, src.len(), at, forced_end) {
                    Some(retry) => retry,
                    None => Outcome::Line(self.end_line(reader, at, at)),
                };
            };
            match byte {
                b' ' | b'\t' | b'\x0c' | 0 => at += 1,
                b'\n' | b'\r' => {
                    let next = after_newline(src, at);
                    if reader.frames.len() == 1 || forced_end.is_some_and(|end| next >= end) {
                        return Outcome::Line(self.end_line(reader, at, next));
                    }
                    self.blank(at, next);
                    at = next;
                    if is_blank(src, at) || forced_end.is_some() {
                        continue;
                    }
                    let (first, next_column, _) = self.indentation(at);
                    let closes = matches!(src[first], b')' | b']' | b'}');
                    if first_end.is_none() && next_column <= column && !closes {
                        first_end = Some(at);
                    }
                    let must_end = is_statement(src, first) || (self.rescans == 0 && first_end.is_some());
                    if must_end && let Some(retry) = self.trouble(&reader, first_end, at, at, forced_end) {
                        return retry;
                    }
                }
                b'#' => {
                    let end = line_end(src, at);
                    self.blank(at, end);
                    self.idle(at, end);
                    at = end;
                }
                b'\\' => {
                    let len = newline_len(src, at + 1);
                    if len == 0 && at + 1 < src.len() {
                        self.complain(at, at + 1, "unexpected character after line continuation character");
                    }
                    self.blank(at, at + 1 + len);
                    at += 1 + len;
                }
                _ => at = self.token(&mut reader, at),
            }
        }
    }

    /// Called at `at`, where the line cannot go on although brackets are open: where it should have ended instead.
    fn trouble(
        &mut self,
        reader: &Reader,
        first_end: Option<usize>,
        last_end: usize,
        at: usize,
        forced_end: Option<usize>,
    ) -> Option<Outcome> {
        if reader.frames.len() == 1 || forced_end.is_some() {
            return None;
        }
        self.rescans = self.rescans.saturating_sub(at - reader.start);
        // Everything blanked so far is read again.
        self.out[reader.start..at].copy_from_slice(&self.src[reader.start..at]);
        Some(Outcome::Retry(first_end.unwrap_or(last_end)))
    }

    fn token(&mut self, reader: &mut Reader, at: usize) -> usize {
        let src = self.src;
        let byte = src[at];
        let (class, end) = match byte {
            b'"' | b'\'' => (Class::Text, self.string(at, at)),
            b'0'..=b'9' => (Class::Operand, number_end(src, at)),
            b'.' if src.get(at + 1).is_some_and(u8::is_ascii_digit) && reader.prev != Class::Operand => {
                (Class::Operand, number_end(src, at))
            }
            b'_' | b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => {
                let end = name_end(src, at);
                if end - at <= 2 && matches!(src.get(end), Some(b'"' | b'\'')) && is_prefix(&src[at..end]) {
                    (Class::Text, self.string(at, end))
                } else {
                    (self.name(reader, at, end), end)
                }
            }
            b'(' | b'[' | b'{' => {
                let soft_keyword =
                    matches!(reader.word, Word::Match | Word::Case) && reader.prev_end == name_end(src, reader.start);
                let after_operand = matches!(reader.prev, Class::Operand | Class::Text) && !soft_keyword;
                if byte == b'{' {
                    self.forgotten_comma(reader, Class::Operand, at, at + 1);
                }
                reader.has_bracket = true;
                self.push_token(reader, at, at + 1, Class::Bracket);
                let around = reader.frames.last().is_some_and(|frame| frame.in_default);
                if around {
                    self.blank(at, at + 1);
                }
                let of_types = byte == b'[' && reader.frames.len() == 1 && self.is_behind_defined(reader, at);
                let frame = Frame::new(byte, at, byte == b'[' && after_operand);
                reader.frames.push(Frame { of_types, in_default: around, ..frame });
                reader.prev = Class::Bracket;
                reader.prev_end = at + 1;
                return at + 1;
            }
            b')' | b']' | b'}' => return self.close(reader, at),
            b',' => {
                self.end_operand(reader);
                if matches!(reader.prev, Class::Bracket | Class::Comma | Class::Start) {
                    self.missing(reader, "_");
                }
                if let Some(frame) = reader.frames.last_mut() {
                    frame.ifs = 0;
                    frame.in_default &= !frame.of_types;
                }
                (Class::Comma, at + 1)
            }
            b';' if reader.frames.len() == 1 => {
                self.end_statement(reader);
                (Class::Start, at + 1)
            }
            b':' if src.get(at + 1) != Some(&b'=') => (self.colon(reader, at), at + 1),
            _ => self.operator(reader, at),
        };
        self.forgotten_comma(reader, class, at, end);
        self.push_token(reader, at, end, class);
        if let Some(frame) = reader.frames.last_mut() {
            frame.in_default |= frame.of_types && &src[at..end] == b"=";
            if frame.in_default {
                self.blank(at, end);
            }
        }
        reader.prev = class;
        reader.prev_end = end;
        end
    }

    /// Whether a bracket stands right behind the name that a definition gives: `def name[`, `class name[`, `type name[`.
    fn is_behind_defined(&self, reader: &Reader, at: usize) -> bool {
        let mut words = self.src[reader.start..at].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let keyword = match words.next() {
            Some(b"async") => words.next(),
            first => first,
        };
        let defines = matches!(keyword, Some(b"def" | b"class" | b"type"));
        defines
            && words.next().is_some_and(|name| name.iter().all(|byte| is_name_byte(*byte)))
            && words.next().is_none()
    }

    fn push_token(&mut self, reader: &Reader, start: usize, end: usize, class: Class) {
        if self.record {
            self.tokens.push(Token { start, end, depth: reader.frames.len() - 1, class });
        }
    }

    /// Two values in a row between brackets: a comma was forgotten.
    fn forgotten_comma(&mut self, reader: &mut Reader, class: Class, start: usize, end: usize) {
        let follows = match class {
            Class::Operand | Class::Lambda => matches!(reader.prev, Class::Operand | Class::Text),
            Class::Text => reader.prev == Class::Operand,
            _ => false,
        };
        if follows && reader.frames.len() > 1 {
            self.complain(start, end, "invalid syntax. Perhaps you forgot a comma?");
            self.insert(reader.prev_end, ",");
        }
    }

    fn name(&mut self, reader: &mut Reader, start: usize, end: usize) -> Class {
        let at_start = reader.prev == Class::Start;
        let outermost = reader.frames.len() == 1;
        let Some(frame) = reader.frames.last_mut() else {
            return Class::Operand;
        };
        match &self.src[start..end] {
            b"if" => {
                if !at_start && !frame.has_for {
                    frame.ifs += 1;
                }
                Class::Open
            }
            b"else" => {
                frame.ifs = frame.ifs.saturating_sub(1);
                if at_start { Class::Optional } else { Class::Open }
            }
            b"for" => {
                // What stands before it in a comprehension is over.
                if !at_start {
                    self.end_operand(reader);
                }
                if let Some(frame) = reader.frames.last_mut() {
                    frame.has_for = true;
                    frame.wants_in = true;
                }
                Class::Open
            }
            b"in" => {
                frame.wants_in = false;
                Class::Open
            }
            b"lambda" => {
                frame.lambdas += 1;
                Class::Lambda
            }
            b"import" => {
                reader.has_import |= outermost;
                Class::Open
            }
            // As names, they confuse the grammar; the lowering reads names in the original text.
            b"print" if at_start && self.next_is(end, |b| b == b'>') => {
                self.out[start..end].copy_from_slice(b"prinT");
                Class::Operand
            }
            b"type" if at_start && !self.next_is(end, is_name_byte) => {
                self.out[start..end].copy_from_slice(b"typE");
                Class::Operand
            }
            b"and" | b"or" | b"not" | b"is" | b"elif" | b"while" | b"from" | b"as" | b"del" | b"assert" | b"with"
            | b"await" | b"global" | b"nonlocal" | b"def" | b"class" => Class::Open,
            b"return" | b"yield" | b"raise" | b"except" | b"try" | b"finally" | b"async" => Class::Optional,
            _ => Class::Operand,
        }
    }

    /// Whether the first byte behind the blanks at `at` is such.
    fn next_is(&self, at: usize, is: fn(u8) -> bool) -> bool {
        let rest = self.src[at..].iter();
        rest.copied().find(|b| !matches!(b, b' ' | b'\t')).is_some_and(is)
    }

    fn operator(&mut self, reader: &mut Reader, at: usize) -> (Class, usize) {
        let rest = &self.src[at..];
        let second = rest.get(1).copied().unwrap_or(0);
        let third = rest.get(2).copied().unwrap_or(0);
        let len = match (rest[0], second, third) {
            (b'.', b'.', b'.') => return (Class::Operand, at + 3),
            (b'*', b'*', b'=') | (b'/', b'/', b'=') | (b'<', b'<', b'=') | (b'>', b'>', b'=') => 3,
            (b'*', b'*', _) | (b'/', b'/', _) | (b'<', b'<' | b'=' | b'>', _) | (b'>', b'>' | b'=', _) => 2,
            (b'-', b'>', _) => 2,
            (b'+' | b'-' | b'*' | b'/' | b'%' | b'@' | b'&' | b'|' | b'^' | b'=' | b'!' | b':', b'=', _) => 2,
            _ => 1,
        };
        let end = at + len;
        let prefix = !matches!(reader.prev, Class::Operand | Class::Text);
        let class = match &rest[..len] {
            b"." => Class::Dot,
            b"*" | b"**" if prefix => {
                // The grammar knows few starred subscripts; the lowering finds the star in the original text.
                if len == 1 && reader.frames.last().is_some_and(|frame| frame.subscript) {
                    self.out[at] = b'+';
                    Class::Open
                } else {
                    Class::Star
                }
            }
            b"/" if prefix => Class::Star,
            b"$" | b"?" | b"!" | b"`" => Class::Junk,
            [b';' | 0..=0x1f | 0x7f] => Class::Junk,
            _ => Class::Open,
        };
        (class, end)
    }

    fn colon(&mut self, reader: &mut Reader, at: usize) -> Class {
        let outermost = reader.frames.len() == 1;
        let Some(frame) = reader.frames.last_mut() else {
            return Class::Colon;
        };
        if frame.lambdas > 0 {
            frame.lambdas -= 1;
            return Class::Open;
        }
        let open = frame.open;
        if !outermost {
            if open == b'[' {
                if matches!(reader.prev, Class::Open | Class::Dot) {
                    self.end_operand(reader);
                }
                return Class::Colon;
            }
            self.end_operand(reader);
            return Class::Open;
        }
        if reader.word.is_header() && !reader.header_colon {
            self.complete_header(reader);
            reader.header_colon = true;
            reader.colon = at + 1;
            // A statement may follow on the same line.
            return Class::Start;
        }
        self.end_operand(reader);
        reader.colon = at + 1;
        Class::Colon
    }

    fn close(&mut self, reader: &mut Reader, at: usize) -> usize {
        let byte = self.src[at];
        let matches = |frame: &Frame| closer(frame.open) == byte as char;
        if !reader.frames.iter().any(matches) {
            let message = match reader.frames.last() {
                Some(frame) if frame.open != 0 => {
                    let (close, open) = (byte as char, frame.open as char);
                    format!("closing parenthesis '{close}' does not match opening parenthesis '{open}'")
                }
                _ => format!("unmatched '{}'", byte as char),
            };
            self.complain(at, at + 1, &message);
            self.blank(at, at + 1);
            return at + 1;
        }
        while let Some(frame) = reader.frames.last() {
            let found = matches(frame);
            let open = frame.open;
            if found {
                self.end_operand(reader);
                if reader.frames.last().is_some_and(|frame| frame.in_default && !frame.of_types) {
                    self.blank(at, at + 1);
                }
                reader.frames.pop();
                break;
            }
            let (close, open_char) = (byte as char, open as char);
            let message = format!("closing parenthesis '{close}' does not match opening parenthesis '{open_char}'");
            self.complain(at, at + 1, &message);
            self.close_last(reader);
        }
        self.push_token(reader, at, at + 1, Class::Operand);
        reader.prev = Class::Operand;
        reader.prev_end = at + 1;
        at + 1
    }

    /// Closes a bracket that is never closed.
    fn close_last(&mut self, reader: &mut Reader) {
        self.end_operand(reader);
        if let Some(frame) = reader.frames.pop() {
            let message = format!("'{}' was never closed", frame.open as char);
            self.complain(frame.at, frame.at + 1, &message);
            self.insert(reader.prev_end, &closer(frame.open).to_string());
            reader.prev = Class::Operand;
        }
    }

    /// Puts something in behind the last token.
    fn missing(&mut self, reader: &mut Reader, text: &str) {
        self.complain(reader.prev_end, reader.prev_end, "invalid syntax");
        self.insert(reader.prev_end, text);
        reader.prev = Class::Operand;
    }

    /// Completes the expression that ends here.
    fn end_operand(&mut self, reader: &mut Reader) {
        match reader.prev {
            Class::Open => self.missing(reader, " _"),
            Class::Dot if reader.word != Word::From => self.missing(reader, "_"),
            _ => {}
        }
        let Some(frame) = reader.frames.last_mut() else {
            return;
        };
        let lambdas = std::mem::take(&mut frame.lambdas);
        // Parameters may follow a comma.
        if lambdas > 0 {
            if self.at_comma(reader) {
                if let Some(frame) = reader.frames.last_mut() {
                    frame.lambdas = lambdas;
                }
            } else {
                self.missing(reader, ": _");
            }
        }
        let Some(frame) = reader.frames.last_mut() else {
            return;
        };
        let ifs = std::mem::take(&mut frame.ifs);
        let wants_in = frame.wants_in;
        if ifs > 0 && reader.word != Word::Case {
            self.missing(reader, " else _");
        }
        if wants_in && !self.at_comma(reader) {
            if let Some(frame) = reader.frames.last_mut() {
                frame.wants_in = false;
            }
            self.missing(reader, " in _");
        }
    }

    /// Whether the next token is a comma.
    fn at_comma(&self, reader: &Reader) -> bool {
        let rest = &self.out[reader.prev_end..];
        rest.iter().find(|b| !matches!(b, b' ' | b'\t' | b'\n' | b'\r')) == Some(&b',')
    }

    /// Completes what stands before a header's colon.
    fn complete_header(&mut self, reader: &mut Reader) {
        self.end_operand(reader);
        if reader.word == Word::Def && !reader.has_bracket {
            self.missing(reader, "()");
        }
    }

    /// Completes the statement that ends here.
    fn end_statement(&mut self, reader: &mut Reader) {
        self.end_operand(reader);
        if reader.word == Word::From && !reader.has_import {
            self.missing(reader, " import _");
        }
        if reader.prev == Class::Colon && !matches!(reader.word, Word::Match | Word::Case) {
            self.missing(reader, " _");
        }
    }

    /// Ends the logical line at `end`.
    fn end_line(&mut self, mut reader: Reader, _end: usize, next: usize) -> Read {
        while reader.frames.len() > 1 {
            self.close_last(&mut reader);
        }
        if reader.word.is_header() && !reader.header_colon {
            self.complete_header(&mut reader);
            self.complain(reader.prev_end, reader.prev_end, "expected ':'");
            self.insert(reader.prev_end, ":");
            reader.header_colon = true;
            reader.colon = reader.prev_end;
            reader.prev = Class::Start;
        } else {
            self.end_statement(&mut reader);
        }
        let soft = matches!(reader.word, Word::Match | Word::Case) && reader.prev == Class::Colon;
        let opens = reader.colon == reader.prev_end && (reader.header_colon || soft);
        Read { start: reader.start, end: reader.prev_end, next, opens, colon: reader.colon, word: reader.word }
    }
}

fn closer(open: u8) -> char {
    match open {
        b'(' => ')',
        b'[' => ']',
        b'{' => '}',
        _ => '\0',
    }
}
