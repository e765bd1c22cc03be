//! What the bytes at an offset are.

/// The offset behind the line break at `at`.
pub(super) fn after_newline(src: &[u8], at: usize) -> usize {
    at + newline_len(src, at)
}

/// The length of the line break at `at`, if there is one.
pub(in crate::syntax) fn newline_len(src: &[u8], at: usize) -> usize {
    match (src.get(at), src.get(at + 1)) {
        (Some(b'\r'), Some(b'\n')) => 2,
        (Some(b'\n' | b'\r'), _) => 1,
        _ => 0,
    }
}

/// The offset of the line break that ends the line of `at`, or of the end of the text.
pub(in crate::syntax) fn line_end(src: &[u8], at: usize) -> usize {
    src[at..].iter().position(|b| matches!(b, b'\n' | b'\r')).map_or(src.len(), |len| at + len)
}

/// How many line breaks there are.
pub(super) fn count_lines(src: &[u8]) -> usize {
    (0..src.len()).filter(|i| src[*i] == b'\n' || (src[*i] == b'\r' && src.get(i + 1) != Some(&b'\n'))).count()
}

/// Whether the line that begins at `at` holds nothing but blanks and a comment.
pub(super) fn is_blank(src: &[u8], at: usize) -> bool {
    let first = src[at..].iter().find(|b| !matches!(b, b' ' | b'\t' | b'\x0c'));
    matches!(first, None | Some(b'\n' | b'\r' | b'#'))
}

/// The offset behind the identifier at `at`.
pub(in crate::syntax) fn name_end(src: &[u8], at: usize) -> usize {
    at + src[at..].iter().take_while(|b| is_name_byte(**b)).count()
}

pub(in crate::syntax) fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

pub(in crate::syntax) fn number_end(src: &[u8], start: usize) -> usize {
    let run =
        |at: usize, valid: fn(u8) -> bool| at + src.get(at..).unwrap_or(&[]).iter().take_while(|b| valid(**b)).count();
    let digit = |b: u8| b.is_ascii_digit() || b == b'_';
    if src[start] == b'0' && matches!(src.get(start + 1), Some(b'x' | b'X' | b'o' | b'O' | b'b' | b'B')) {
        return run(start + 2, |b| b.is_ascii_hexdigit() || b == b'_');
    }
    let mut at = run(start, digit);
    if src.get(at) == Some(&b'.') {
        at = run(at + 1, digit);
    }
    if matches!(src.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(src.get(at + 1), Some(b'+' | b'-')));
        if src.get(at + 1 + sign).is_some_and(u8::is_ascii_digit) {
            at = run(at + 1 + sign, digit);
        }
    }
    at + usize::from(matches!(src.get(at), Some(b'j' | b'J')))
}

pub(in crate::syntax) fn is_prefix(text: &[u8]) -> bool {
    let lower = |b: &u8| b | 0x20;
    match text {
        [one] => matches!(lower(one), b'r' | b'b' | b'f' | b'u' | b't'),
        [one, two] => matches!((lower(one), lower(two)), (b'r', b'b' | b'f' | b't') | (b'b' | b'f' | b't', b'r')),
        _ => false,
    }
}

/// Whether the line whose first token is at `at` can only be a statement of its own.
pub(super) fn is_statement(src: &[u8], at: usize) -> bool {
    let end = name_end(src, at);
    let behind = src[end..].iter().find(|b| !matches!(b, b' ' | b'\t'));
    match &src[at..end] {
        b"def" | b"class" | b"return" | b"import" | b"while" | b"with" | b"try" | b"raise" | b"assert" | b"del"
        | b"pass" | b"break" | b"continue" | b"global" | b"nonlocal" | b"except" | b"finally" | b"elif" => true,
        b"else" => behind == Some(&b':'),
        b"from" => {
            let line = &src[end..line_end(src, end)];
            line.windows(8).any(|window| window == b" import ")
        }
        _ => false,
    }
}
