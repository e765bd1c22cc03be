//! Where strings end.

use super::Prepare;
use super::bytes::line_end;

impl Prepare<'_> {
    /// The offset behind the string whose prefix starts at `start` and whose quotes start at `quote`. One that does
    /// not end is ended with its line.
    pub(super) fn string(&mut self, start: usize, quote: usize) -> usize {
        let src = self.src;
        let mark = src[quote];
        let triple = src.get(quote + 1) == Some(&mark) && src.get(quote + 2) == Some(&mark);
        let body = quote + if triple { 3 } else { 1 };
        let format = src[start..quote].iter().any(|b| matches!(b | 0x20, b'f' | b't'));
        if let Some(end) = string_end(src, body, mark, triple) {
            if !format {
                self.idle(body, end - if triple { 3 } else { 1 });
                return end;
            }
            // Before Python 3.12 the first such quote ends an f-string; since, one inside braces does not.
            let end = if braces_match(&src[body..end]) {
                end
            } else if let Some(end) = format_end(src, body, mark, triple) {
                end
            } else {
                self.complain(start, end, "f-string: expecting '}'");
                let quotes = if triple { 3 } else { 1 };
                self.close_braces(body, end - quotes);
                end
            };
            self.hide_alignments(body, end);
            return end;
        }
        let end = line_end(src, body);
        let what = if triple { "triple-quoted string literal" } else { "string literal" };
        let last = if triple { src.len() } else { end };
        let line = self.line_number(last);
        self.complain(start, quote + 1, &format!("unterminated {what} (detected at line {line})"));
        // A backslash would escape the quote that is put in.
        let slashes = src[body..end].iter().rev().take_while(|b| **b == b'\\').count();
        if slashes % 2 == 1 {
            self.blank(end - 1, end);
        }
        if format {
            self.close_braces(body, end);
        }
        let mark = (mark as char).to_string();
        self.insert(end, &if triple { mark.repeat(3) } else { mark });
        end
    }

    /// `{x:=10}` is aligned by `=`; the grammar would take it for a walrus. The lowering reads the original.
    fn hide_alignments(&mut self, from: usize, to: usize) {
        let text = &self.src[from..to];
        if !text.windows(2).any(|pair| pair == b":=") {
            return;
        }
        // The brackets that are open: a walrus needs some besides the braces.
        let mut open: Vec<u8> = Vec::new();
        let mut hidden = Vec::new();
        let mut at = 0;
        while at < text.len() {
            match text[at] {
                b'{' if open.is_empty() && text.get(at + 1) == Some(&b'{') => at += 1,
                b'{' => open.push(b'{'),
                b'(' | b'[' if !open.is_empty() => open.push(b'('),
                b')' | b']' | b'}' => {
                    open.pop();
                }
                b':' if open == [b'{'] && text.get(at + 1) == Some(&b'=') => hidden.push(at + 1),
                _ => {}
            }
            at += 1;
        }
        for at in hidden {
            self.out[from + at] = b'_';
        }
    }

    /// Closes the braces of an f-string that are open at `to`.
    fn close_braces(&mut self, from: usize, to: usize) {
        let text = &self.src[from..to];
        let open = unclosed_braces(text);
        if open.is_empty() {
            return;
        }
        let last = text.iter().rev().find(|b| !matches!(b, b' ' | b'\t'));
        let lacks_operand = last.is_some_and(|b| b"{.,+-*/%@&|^~<>=([".contains(b));
        let operand = if lacks_operand { "_" } else { "" };
        self.insert(to, &format!("{operand}{}", "}".repeat(open.len())));
    }
}

/// The offset behind the string whose prefix starts at `start` and whose quotes start at `quote`, and whether it is a format
/// string; `None` where it does not end, or a brace in it.
pub(in crate::syntax) fn whole_string(src: &[u8], start: usize, quote: usize) -> Option<(usize, bool)> {
    let mark = src[quote];
    let triple = src.get(quote + 1) == Some(&mark) && src.get(quote + 2) == Some(&mark);
    let body = quote + if triple { 3 } else { 1 };
    let format = src[start..quote].iter().any(|b| matches!(b | 0x20, b'f' | b't'));
    let end = string_end(src, body, mark, triple)?;
    match format && !braces_match(&src[body..end]) {
        true => Some((format_end(src, body, mark, triple)?, true)),
        false => Some((end, format)),
    }
}

/// The offset behind the quotes that end a string whose text begins at `at`.
fn string_end(src: &[u8], mut at: usize, mark: u8, triple: bool) -> Option<usize> {
    loop {
        let byte = *src.get(at)?;
        match byte {
            b'\\' => at += if src.get(at + 1) == Some(&b'\r') && src.get(at + 2) == Some(&b'\n') { 3 } else { 2 },
            b'\n' | b'\r' if !triple => return None,
            _ if byte == mark => {
                if !triple {
                    return Some(at + 1);
                }
                if src.get(at + 1) == Some(&mark) && src.get(at + 2) == Some(&mark) {
                    return Some(at + 3);
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
}

/// Offsets of braces that are opened and not closed.
fn unclosed_braces(text: &[u8]) -> Vec<usize> {
    let mut open = Vec::new();
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'{' if open.is_empty() && text.get(at + 1) == Some(&b'{') => at += 1,
            b'}' if open.is_empty() && text.get(at + 1) == Some(&b'}') => at += 1,
            b'{' => open.push(at),
            b'}' => {
                open.pop();
            }
            _ => {}
        }
        at += 1;
    }
    open
}

fn braces_match(text: &[u8]) -> bool {
    unclosed_braces(text).is_empty()
}

/// The end of an f-string in whose braces there are strings with the same quotes.
fn format_end(src: &[u8], mut at: usize, mark: u8, triple: bool) -> Option<usize> {
    // Each open f-string: its mark, whether it is triple, and how many braces are open in it.
    let mut open = vec![(mark, triple, 0usize)];
    while let Some((mark, triple, braces)) = open.last_mut() {
        let byte = *src.get(at)?;
        let is_triple = |mark: u8| src.get(at + 1) == Some(&mark) && src.get(at + 2) == Some(&mark);
        match byte {
            b'\n' | b'\r' if !*triple => return None,
            b'\\' if *braces == 0 => at += 2,
            b'{' if *braces == 0 && src.get(at + 1) == Some(&b'{') => at += 2,
            b'{' => {
                *braces += 1;
                at += 1;
            }
            b'}' => {
                *braces = braces.saturating_sub(1);
                at += 1;
            }
            _ if *braces == 0 && byte == *mark && (!*triple || is_triple(*mark)) => {
                at += if *triple { 3 } else { 1 };
                open.pop();
            }
            b'"' | b'\'' if *braces > 0 => {
                let inner = is_triple(byte);
                let body = at + if inner { 3 } else { 1 };
                let prefix = src[..at].iter().rev().take_while(|b| b.is_ascii_alphabetic()).take(3);
                let format = prefix.clone().any(|b| matches!(b | 0x20, b'f' | b't'));
                if format {
                    if open.len() > 100 {
                        return None;
                    }
                    open.push((byte, inner, 0));
                    at = body;
                } else {
                    at = string_end(src, body, byte, inner)?;
                }
            }
            _ => at += 1,
        }
    }
    Some(at)
}
