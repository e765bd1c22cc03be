//! Ranges as they are stored: eight bytes each, which are read faster than numbers of varying length.

use std::fmt;

use serde::de::{Deserializer, Error, Visitor};
use serde::ser::Serializer;

use crate::text::Span;

pub(super) fn serialize<S: Serializer>(spans: &[Span], serializer: S) -> Result<S::Ok, S::Error> {
    let bytes: Vec<u8> = spans.iter().flat_map(|span| [span.start, span.end]).flat_map(u32::to_le_bytes).collect();
    serializer.serialize_bytes(&bytes)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Span>, D::Error> {
    struct Bytes;
    impl Visitor<'_> for Bytes {
        type Value = Vec<Span>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("eight bytes for each range")
        }
        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<Span>, E> {
            let number = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            Ok(bytes.chunks_exact(8).map(|span| Span { start: number(span), end: number(&span[4..]) }).collect())
        }
    }
    deserializer.deserialize_bytes(Bytes)
}
