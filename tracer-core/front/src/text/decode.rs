//! Bytes of files as text, as Python decodes its sources: UTF-8, unless the first lines declare another encoding.

/// A byte that is no part of text in the file's encoding stands in the text as the character of this number above it; the parser tells of it.
const UNDECODED: u32 = 0x10_ff00;

/// What the bytes of a file are as text, and the offset of the first one that is no part of it.
pub fn decode(bytes: Vec<u8>) -> (String, Option<usize>) {
    if bytes.is_ascii() {
        return (String::from_utf8(bytes).unwrap_or_default(), None);
    }
    match declared(&bytes) {
        Encoding::Utf8 => match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => (marked(error.as_bytes()), Some(error.utf8_error().valid_up_to())),
        },
        Encoding::Latin1 => (bytes.iter().copied().map(char::from).collect(), None),
        Encoding::Ascii => {
            let text = bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { undecoded(*byte) });
            (text.collect(), bytes.iter().position(|byte| !byte.is_ascii()))
        }
        Encoding::Other => (String::from_utf8_lossy(&bytes).into_owned(), None),
    }
}

/// The byte that a character of a decoded text stands for, if it is one that could not be decoded.
pub fn undecoded_byte(character: char) -> Option<u8> {
    u8::try_from(u32::from(character).checked_sub(UNDECODED)?).ok().filter(|byte| !byte.is_ascii())
}

fn undecoded(byte: u8) -> char {
    char::from_u32(UNDECODED + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn marked(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|byte| undecoded(*byte)));
    }
    text
}

#[derive(Copy, Clone, Debug, PartialEq)]
enum Encoding {
    Utf8,
    Latin1,
    Ascii,
    /// One whose letters beyond ASCII are not known here.
    Other,
}

/// The encoding that one of the first two lines declares, as PEP 263 has it.
fn declared(bytes: &[u8]) -> Encoding {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Encoding::Utf8;
    }
    for line in bytes.split(|byte| *byte == b'\n').take(2) {
        let line = line.trim_ascii();
        let [b'#', comment @ ..] = line else {
            match line {
                // The second line counts below a comment or nothing.
                [] => continue,
                _ => return Encoding::Utf8,
            }
        };
        if let Some(name) = name_in(comment) {
            return named(&name);
        }
    }
    Encoding::Utf8
}

/// The name behind the first `coding:` or `coding=` of a comment that has one there.
fn name_in(comment: &[u8]) -> Option<String> {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    comment.windows(7).enumerate().filter(|(_, word)| *word == b"coding:" || *word == b"coding=").find_map(|(at, _)| {
        let name: Vec<u8> = comment[at + 7..].trim_ascii_start().iter().take_while(is_part).copied().collect();
        String::from_utf8(name).ok().filter(|name| !name.is_empty())
    })
}

fn named(name: &str) -> Encoding {
    match name.to_ascii_lowercase().replace('_', "-").as_str() {
        "utf-8" | "utf8" | "u8" | "utf" | "utf-8-sig" | "cp65001" => Encoding::Utf8,
        "latin-1" | "latin1" | "latin" | "l1" | "iso-8859-1" | "iso8859-1" | "8859" | "iso-ir-100" | "cp819"
        | "ibm819" => Encoding::Latin1,
        "ascii" | "us-ascii" | "646" => Encoding::Ascii,
        _ => Encoding::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> (String, Option<usize>) {
        decode(bytes.to_vec())
    }

    #[test]
    fn utf8_unless_another_one_is_declared() {
        assert_eq!(decoded("a = 'ü'".as_bytes()), ("a = 'ü'".into(), None));
        assert_eq!(decoded(b"# -*- coding: latin-1 -*-\n'\xfc\xdf'"), ("# -*- coding: latin-1 -*-\n'üß'".into(), None));
        assert_eq!(
            decoded(b"#!/bin/python\n# vim: fileencoding=ISO_8859-1\n\xfc").0,
            "#!/bin/python\n# vim: fileencoding=ISO_8859-1\nü"
        );
        // What is no comment ends the search, and so does the second line.
        for text in [&b"x\n# coding: latin-1\n\xfc"[..], b"\n\n# coding: latin-1\n\xfc", b"'# coding: latin-1'\n\xfc"] {
            assert!(decoded(text).1.is_some(), "{text:?}");
        }
        assert_eq!(declared(b"\xef\xbb\xbf# coding: latin-1"), Encoding::Utf8);
        assert_eq!(decoded(b"# coding: koi8-r\n\xc1").1, None);
    }

    #[test]
    fn bytes_that_are_no_text_are_marked() {
        let (text, first) = decoded(b"a = '\xfc' # \xc3\xbc \xe2\x82");
        assert_eq!(first, Some(5));
        let bytes: Vec<u8> = text.chars().filter_map(undecoded_byte).collect();
        assert_eq!(bytes, [0xfc, 0xe2, 0x82]);
        assert!(text.contains('ü'));
        assert_eq!(decoded("# coding: ascii\nü".as_bytes()).1, Some(16));
        assert_eq!("ü€\u{fffd}\u{10ff7f}".chars().find_map(undecoded_byte), None);
    }
}
