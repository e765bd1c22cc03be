//! Texts as bytes and back: UTF-8, ASCII and Latin-1. Other encodings are not known.

use crate::python::halt::{Halt, Step};

/// An encoding.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Codec {
    Utf8,
    Ascii,
    Latin1,
}

impl Codec {
    fn named(name: &str) -> Step<Codec> {
        match name.to_ascii_lowercase().replace(['_', ' '], "-").as_str() {
            "utf-8" | "utf8" | "u8" | "cp65001" => Ok(Codec::Utf8),
            "ascii" | "us-ascii" | "646" => Ok(Codec::Ascii),
            "latin-1" | "latin1" | "iso-8859-1" | "iso8859-1" | "l1" => Ok(Codec::Latin1),
            name if is_unmodelled(name) => Err(Halt::unknown("an encoding")),
            _ => Err(Halt::raise("LookupError", format!("unknown encoding: {name}"))),
        }
    }
    fn name(self) -> &'static str {
        match self {
            Codec::Utf8 => "utf-8",
            Codec::Ascii => "ascii",
            Codec::Latin1 => "latin-1",
        }
    }
    /// The first number of a character that it can't write; 0 where it writes all.
    fn limit(self) -> u32 {
        match self {
            Codec::Utf8 => 0,
            Codec::Ascii => 128,
            Codec::Latin1 => 256,
        }
    }
}

/// Whether Python has such an encoding, perhaps.
fn is_unmodelled(name: &str) -> bool {
    const FAMILIES: [&str; 16] = [
        "utf", "cp", "iso", "big5", "euc", "gb", "hz", "johab", "koi8", "mac", "ptcp", "shift", "windows", "idna",
        "raw", "unicode",
    ];
    FAMILIES.iter().any(|family| name.starts_with(family))
        || ["punycode", "palmos", "tis-620", "rot13", "hex", "base64"].contains(&name)
}

/// `text.encode(encoding, errors)`
///
/// # Errors
/// `UnicodeEncodeError` for a character that the encoding lacks, `LookupError` for an encoding that is none; unknown for one that
/// is not modelled.
pub(super) fn encode(text: &str, encoding: &str, errors: &str) -> Step<Vec<u8>> {
    let codec = Codec::named(encoding)?;
    let limit = codec.limit();
    if limit == 0 || text.is_ascii() {
        return Ok(text.as_bytes().to_vec());
    }
    let mut bytes = Vec::with_capacity(text.len());
    for (at, c) in text.chars().enumerate() {
        let number = c as u32;
        match u8::try_from(number) {
            Ok(byte) if number < limit => bytes.push(byte),
            _ => match errors {
                "strict" => return Err(no_such_character(codec, text, at)),
                "ignore" => {}
                "replace" => bytes.push(b'?'),
                "xmlcharrefreplace" => bytes.extend(format!("&#{number};").bytes()),
                "backslashreplace" => bytes.extend(escaped(c).bytes()),
                _ => return Err(Halt::unknown("a way to write what an encoding lacks")),
            },
        }
    }
    Ok(bytes)
}

fn escaped(c: char) -> String {
    match c as u32 {
        n @ 0..=0xff => format!("\\x{n:02x}"),
        n @ 0x100..=0xffff => format!("\\u{n:04x}"),
        n => format!("\\U{n:08x}"),
    }
}

fn no_such_character(codec: Codec, text: &str, at: usize) -> Halt {
    let (name, limit) = (codec.name(), codec.limit());
    let odd: Vec<char> = text.chars().skip(at).take_while(|c| *c as u32 >= limit).collect();
    let what = match odd[..] {
        [one] => format!("character '{}' in position {at}", escaped(one)),
        _ => format!("characters in position {at}-{}", at + odd.len().saturating_sub(1)),
    };
    Halt::raise("UnicodeEncodeError", format!("'{name}' codec can't encode {what}: ordinal not in range({limit})"))
}

/// `bytes.decode(encoding, errors)`
///
/// # Errors
/// `UnicodeDecodeError` for bytes that mean nothing in the encoding, `LookupError` for an encoding that is none; unknown for one that
/// is not modelled.
pub(crate) fn decode(bytes: &[u8], encoding: &str, errors: &str) -> Step<String> {
    let codec = Codec::named(encoding)?;
    if codec == Codec::Latin1 {
        return Ok(bytes.iter().map(|byte| char::from(*byte)).collect());
    }
    let mut text = String::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let (good, odd) = match codec {
            Codec::Ascii => {
                let good = rest.iter().take_while(|byte| byte.is_ascii()).count();
                (good, usize::from(good < rest.len()))
            }
            _ => match std::str::from_utf8(rest) {
                Ok(_) => (rest.len(), 0),
                Err(error) => (error.valid_up_to(), error.error_len().unwrap_or(rest.len() - error.valid_up_to())),
            },
        };
        text.push_str(&String::from_utf8_lossy(&rest[..good]));
        let wrong = &rest[good..good + odd];
        if !wrong.is_empty() {
            match errors {
                "strict" => return Err(no_such_byte(codec, bytes, at + good, odd)),
                "ignore" => {}
                "replace" => text.push('\u{fffd}'),
                "backslashreplace" => text.extend(wrong.iter().map(|byte| format!("\\x{byte:02x}"))),
                _ => return Err(Halt::unknown("a way to read what an encoding lacks")),
            }
        }
        at += good + odd;
    }
    Ok(text)
}

fn no_such_byte(codec: Codec, bytes: &[u8], at: usize, count: usize) -> Halt {
    let name = codec.name();
    let ends = at + count == bytes.len();
    let reason = match (codec, bytes[at]) {
        (Codec::Ascii, _) => "ordinal not in range(128)",
        (_, 0xc2..=0xf4) if ends && std::str::from_utf8(&bytes[at..]).is_err_and(|e| e.error_len().is_none()) => {
            "unexpected end of data"
        }
        (_, 0xc2..=0xf4) => "invalid continuation byte",
        _ => "invalid start byte",
    };
    let what = match count {
        1 => format!("byte {:#04x} in position {at}", bytes[at]),
        _ => format!("bytes in position {at}-{}", at + count - 1),
    };
    Halt::raise("UnicodeDecodeError", format!("'{name}' codec can't decode {what}: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn what_an_encoding_lacks_is_left_out_or_replaced() {
        assert_eq!(encode("aé€", "latin-1", "ignore").ok().as_deref(), Some(&b"a\xe9"[..]));
        assert_eq!(encode("aé€", "ascii", "backslashreplace").ok().as_deref(), Some(&b"a\\xe9\\u20ac"[..]));
        assert_eq!(decode(b"ab\xff", "utf-8", "replace").ok().as_deref(), Some("ab\u{fffd}"));
        assert_eq!(decode(b"a\xe2\x82", "utf-8", "ignore").ok().as_deref(), Some("a"));
        assert_eq!(decode(b"a\xff", "ascii", "backslashreplace").ok().as_deref(), Some("a\\xff"));
    }

    #[test]
    fn bytes_that_mean_nothing_raise() {
        assert!(decode(b"\xff", "utf-8", "strict").is_err());
        assert!(encode("é", "ascii", "strict").is_err());
        assert!(encode("e", "no-such", "strict").is_err());
    }
}
