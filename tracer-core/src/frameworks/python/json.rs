//! Texts of JSON.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use super::Members;
use crate::python::halt::Halt;
use crate::python::{Dict, Key, Value};

/// The names of this family.
pub(super) fn members(members: &mut Members) {
    // json(text): what a text of JSON says, in a tuple; `None` where it is not in order, or holds what only Python's own reader takes (NaN, lone
    // surrogates, integers beyond 64 bits).
    members.function("json", |it, args| {
        let [text] = args.exactly("json")?;
        let text = text.as_str().ok_or_else(|| Halt::unknown("an unknown text"))?;
        it.spend_text(text.len())?;
        if has_long_integer(text) {
            return Ok(Value::None);
        }
        match serde_json::from_str::<Document>(text) {
            Ok(Document(value)) => Ok(Value::tuple(vec![value])),
            Err(_) => Ok(Value::None),
        }
    });
}

/// So many digits fit into 64 bits, whatever they are.
const SURE_DIGITS: usize = 18;

/// Whether there is an integer that may not fit into 64 bits, or what looks like one.
fn has_long_integer(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && bytes[at].is_ascii_digit() {
            at += 1;
        }
        let is_part = start > 0 && bytes[start - 1] == b'.' || matches!(bytes.get(at), Some(b'.' | b'e' | b'E'));
        if at - start > SURE_DIGITS && !is_part {
            return true;
        }
    }
    false
}

/// What a text says.
struct Document(Value);

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Document, D::Error> {
        source.deserialize_any(Reader).map(Document)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value")
    }
    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::None)
    }
    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        i64::try_from(value).map(Value::Int).map_err(E::custom)
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::str(text))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut found = Vec::new();
        while let Some(Document(item)) = items.next_element()? {
            found.push(item);
        }
        Ok(Value::list(found))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let dict = Dict::new(Default::default());
        while let Some((name, Document(value))) = items.next_entry::<String, Document>()? {
            dict.write().insert(Key::str(&name), value);
        }
        Ok(Value::Dict(dict))
    }
}

#[cfg(test)]
mod tests {
    use super::has_long_integer;

    #[test]
    fn long_integers_are_told_from_floats() {
        assert!(has_long_integer("[1, 12345678901234567890]"));
        assert!(!has_long_integer(
            "[1234567890123456, 0.12345678901234567890123, 1234567890123456789012.5, 12345678901234567890e3]"
        ));
    }
}
