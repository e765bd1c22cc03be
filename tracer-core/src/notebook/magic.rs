//! What IPython takes in a cell beside Python: magics, commands of the shell, questions. All of it is masked by Python of the same length
//! in bytes that does as much as is known of it.

use std::borrow::Cow;

use crate::text::Span;

/// Magics that run the Python behind them.
const RUNNING: &[&str] = &["time", "timeit", "prun", "memit", "mprun", "lprun", "snakeviz"];
/// Magics that bind names which nobody knows.
const BINDING: &[&str] = &["run", "load", "pylab", "store", "rerun", "recall"];
/// Cells under these magics are of other languages, or are only written down.
const OTHER: &[&str] = &[
    "!",
    "HTML",
    "R",
    "SVG",
    "bash",
    "cmd",
    "cpp",
    "cu",
    "cuda",
    "cython",
    "file",
    "html",
    "javascript",
    "js",
    "julia",
    "latex",
    "markdown",
    "perl",
    "pypy",
    "python2",
    "ruby",
    "script",
    "sh",
    "shell",
    "sql",
    "svg",
    "system",
    "sx",
    "writefile",
    "bigquery",
    "writetemplate",
];

/// Magics that are found without their sign, where a cell is nothing but a line that begins with them.
const UNSIGNED: &[&str] = &[
    "alias",
    "autoreload",
    "cat",
    "cd",
    "conda",
    "config",
    "cp",
    "env",
    "history",
    "less",
    "ll",
    "load_ext",
    "ls",
    "man",
    "mamba",
    "matplotlib",
    "micromamba",
    "mkdir",
    "more",
    "mv",
    "pip",
    "precision",
    "prun",
    "pwd",
    "pylab",
    "reload_ext",
    "reset",
    "rm",
    "rmdir",
    "run",
    "tensorboard",
    "time",
    "timeit",
    "uv",
    "who",
    "whos",
];

/// The text of a cell as Python, of the same length in bytes.
pub fn mask(cell: &str) -> String {
    masked(&outdented(cell))
}

/// A cell without the blanks that its first line begins with, as IPython reads it: form feeds stand for them, which indent nothing.
fn outdented(cell: &str) -> Cow<'_, str> {
    let first = cell.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let blanks = &first[..first.len() - first.trim_start_matches([' ', '\t']).len()];
    if blanks.is_empty() {
        return Cow::Borrowed(cell);
    }
    let lines = cell.split_inclusive('\n').map(|line| match line.strip_prefix(blanks) {
        Some(rest) => "\u{c}".repeat(blanks.len()) + rest,
        None => line.to_owned(),
    });
    Cow::Owned(lines.collect())
}

fn masked(cell: &str) -> String {
    let mut masked = Masked { bytes: cell.as_bytes().to_vec() };
    let mut from = 0;
    if let Some(start) = first_word(cell).filter(|start| cell[*start..].starts_with("%%")) {
        let end = line_end(cell, start);
        let name = word(&cell[start + 2..end]);
        if OTHER.contains(&name) || name.is_empty() {
            cell.split_inclusive('\n').fold(0, |at, line| {
                masked.comment(at, at + line.trim_end_matches(['\r', '\n']).len());
                at + line.len()
            });
            return masked.text();
        }
        masked.comment(start, end);
        from = end;
    }
    if is_unsigned(cell.trim()) {
        let (start, line) = (cell.len() - cell.trim_start().len(), cell.trim());
        Statements { text: cell.as_bytes(), at: start }.magic(&mut masked, start, start + line.len(), line);
        return masked.text();
    }
    let mut statements = Statements { text: cell.as_bytes(), at: from };
    while let Some(statement) = statements.next(&mut masked, cell) {
        statements.at = statement;
    }
    masked.text()
}

/// Makes comments of the lines of a cell; what it would bind is not known.
pub(super) fn leave_out(program: &mut [u8], cell: Span) {
    const BINDS: &[u8] = b"exec(_)";
    let mut is_first = true;
    for line in program[cell.start as usize..cell.end as usize].split_inclusive_mut(|byte| *byte == b'\n') {
        let end = line.iter().rposition(|byte| !matches!(byte, b'\r' | b'\n')).map_or(0, |last| last + 1);
        let binds = is_first && end > BINDS.len();
        is_first &= !binds;
        for (i, byte) in line[..end].iter_mut().enumerate() {
            *byte = match (i, binds) {
                (0, false) => b'#',
                (i, true) if i < BINDS.len() => BINDS[i],
                _ => b' ',
            };
        }
    }
}

/// Where the first thing stands that is no blank.
fn first_word(text: &str) -> Option<usize> {
    text.find(|c: char| !c.is_whitespace())
}

/// Where the line of an offset ends.
fn line_end(text: &str, at: usize) -> usize {
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    if text[at..end].ends_with('\r') { end - 1 } else { end }
}

/// The name that a text begins with.
fn word(text: &str) -> &str {
    if text.starts_with('!') {
        return "!";
    }
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default()
}

struct Masked {
    bytes: Vec<u8>,
}

impl Masked {
    /// Makes a comment of a part of a line.
    fn comment(&mut self, start: usize, end: usize) {
        for (i, byte) in self.bytes[start..end].iter_mut().enumerate() {
            *byte = if i == 0 { b'#' } else { b' ' };
        }
    }
    /// Makes a part of a line what a text says, and a comment of the rest.
    fn put(&mut self, start: usize, end: usize, text: &str) {
        let text = if text.len() <= end - start { text } else { "0" };
        let behind = (start + text.len()).min(end);
        self.bytes[start..behind].copy_from_slice(&text.as_bytes()[..behind - start]);
        self.comment(behind, end);
    }
    /// Makes a part of a line blank behind what a text says.
    fn blank(&mut self, start: usize, end: usize, text: &str) {
        self.bytes[start..end].fill(b' ');
        self.bytes[start..start + text.len()].copy_from_slice(text.as_bytes());
    }
    fn text(self) -> String {
        // Whole characters were overwritten, by characters of one byte.
        String::from_utf8(self.bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }
}

/// The statements of a cell, as far as a line tells where one begins.
struct Statements<'a> {
    text: &'a [u8],
    at: usize,
}

impl Statements<'_> {
    /// Masks what begins here, if it is no Python; where the next statement begins.
    fn next(&self, masked: &mut Masked, cell: &str) -> Option<usize> {
        let at = self.at;
        let blank = self.text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let start = at + blank;
        if start >= self.text.len() {
            return None;
        }
        if !self.is_line_start(start) {
            return Some(self.end_of_statement(start).0);
        }
        let end = line_end(cell, start);
        let line = cell[start..end].trim_end();
        match line.as_bytes()[0] {
            b'%' => {
                self.magic(masked, start, start + line.len(), line);
                Some(self.end_of_command(cell, masked, start))
            }
            b'!' => {
                masked.put(start, start + line.len(), "0");
                Some(self.end_of_command(cell, masked, start))
            }
            b'?' => {
                masked.put(start, start + line.len(), "0");
                Some(end)
            }
            _ if is_question(line) => {
                masked.put(start, start + line.len(), "0");
                Some(end)
            }
            _ => {
                let (next, assigned) = self.end_of_statement(start);
                match assigned {
                    Some(value) => {
                        masked.put(value, line_end(cell, value), "_");
                        Some(self.end_of_command(cell, masked, value))
                    }
                    None => Some(next),
                }
            }
        }
    }

    /// Whether nothing but blanks stands in front of an offset in its line.
    fn is_line_start(&self, at: usize) -> bool {
        let before = self.text[..at].iter().rev().take_while(|byte| **byte != b'\n');
        before.into_iter().all(|byte| byte.is_ascii_whitespace())
    }

    fn magic(&self, masked: &mut Masked, start: usize, end: usize, line: &str) {
        let sign = line.len() - line.trim_start_matches('%').len();
        let name = word(&line[sign..]);
        if BINDING.contains(&name) {
            return masked.put(start, end, "exec(_)");
        }
        let behind = start + sign + name.len();
        let code = RUNNING.contains(&name).then(|| self.code(behind, end)).flatten();
        let Some(code) = code else { return masked.put(start, end, "0") };
        masked.blank(start, code, "if 1:");
        // What is timed may be a command or a magic of its own.
        match self.text[code] {
            b'!' => masked.put(code, end, "0"),
            b'%' => self.magic(masked, code, end, &line[code - start..]),
            _ => {}
        }
    }

    /// Where the Python behind a magic and its options begins.
    fn code(&self, mut at: usize, end: usize) -> Option<usize> {
        let blank = |at: usize| at + self.text[at..end].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        at = blank(at);
        while self.text[at..end].starts_with(b"-") {
            let option = self.text[at..end].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
            // `-n 10` and `-n10`: only an option of one letter has its number behind it.
            let takes = option == 2 && b"nrtfps".contains(&self.text[at + 1]);
            at = blank(at + option);
            let number = self.text[at..end].iter().take_while(|byte| byte.is_ascii_digit()).count();
            if takes && number > 0 {
                at = blank(at + number);
            }
        }
        (at < end).then_some(at)
    }

    /// Where the line ends of a command that goes on behind backslashes: what it goes on with is masked.
    fn end_of_command(&self, cell: &str, masked: &mut Masked, start: usize) -> usize {
        let mut end = line_end(cell, start);
        while cell[..end].ends_with('\\') && end < cell.len() {
            let next = cell[end..].find('\n').map_or(cell.len(), |at| end + at + 1);
            end = line_end(cell, next);
            masked.comment(next, end);
        }
        end
    }

    /// Where the statement that begins here ends, and where a magic or a command stands in it whose result is assigned.
    fn end_of_statement(&self, start: usize) -> (usize, Option<usize>) {
        let (mut at, mut depth) = (start, 0usize);
        while let Some(byte) = self.text.get(at) {
            match byte {
                b'#' => {
                    at += self.text[at..].iter().take_while(|byte| **byte != b'\n').count();
                    continue;
                }
                b'\'' | b'"' => {
                    at = self.end_of_string(at);
                    continue;
                }
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b'\\' => at += 1 + usize::from(self.text[at + 1..].starts_with(b"\r\n")),
                b'\n' if depth == 0 => return (at + 1, None),
                b'=' if depth == 0 => {
                    let blank = self.text[at + 1..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                    let value = at + 1 + blank;
                    match self.text.get(value) {
                        Some(b'%') => return (at, Some(value)),
                        Some(b'!') if self.text.get(value + 1) != Some(&b'=') => return (at, Some(value)),
                        _ => {}
                    }
                }
                _ => {}
            }
            at += 1;
        }
        (self.text.len(), None)
    }

    /// Where a string ends that begins here; one of a line ends with the line.
    fn end_of_string(&self, start: usize) -> usize {
        let quote = self.text[start];
        let long = self.text[start..].starts_with(&[quote; 3]);
        let mut at = start + if long { 3 } else { 1 };
        while let Some(byte) = self.text.get(at) {
            match *byte {
                b'\\' => at += 1,
                b'\n' if !long => return at,
                byte if byte == quote && !long => return at + 1,
                byte if byte == quote && self.text[at..].starts_with(&[quote; 3]) => return at + 3,
                _ => {}
            }
            at += 1;
        }
        self.text.len()
    }
}

/// `pip install x`: a cell of one line that begins with a magic, and with nothing that makes an expression or an assignment of it.
fn is_unsigned(line: &str) -> bool {
    let Some(rest) = UNSIGNED.iter().find_map(|name| line.strip_prefix(name)) else { return false };
    let is_word = rest.is_empty() || rest.starts_with([' ', '\t']);
    let rest = rest.trim_start();
    let is_python = rest.starts_with(['=', '(', '<', '>', ',', '+', '*', '%', '^', '&', '|', ':', '['])
        || rest.starts_with("in ")
        || rest.starts_with("is ");
    is_word && !is_python && !line.contains('\n')
}

/// `name.attribute?` and `name??`
fn is_question(line: &str) -> bool {
    let Some(asked) = line.strip_suffix('?') else { return false };
    let asked = asked.strip_suffix('?').unwrap_or(asked);
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '*' | '%');
    !asked.is_empty() && asked.chars().all(is_name)
}
