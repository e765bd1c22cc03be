//! Texts of settings: TOML, and the events of YAML's.

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

use super::Members;
use crate::python::halt::Halt;
use crate::python::{Dict, Guess, Key, Value};

/// The names of this family.
pub(super) fn members(members: &mut Members) {
    // toml(text): what a text of TOML says; `None` where it is not in order.
    members.function("toml", |it, args| {
        let [text] = args.exactly("toml")?;
        let text = text.as_str().ok_or_else(|| Halt::unknown("an unknown text"))?;
        it.spend_text(text.len())?;
        match toml::from_str::<toml::Table>(text) {
            Ok(table) => Ok(in_table(table)),
            Err(_) => Ok(Value::None),
        }
    });
    // yaml_events(text): what a text of YAML consists of, in order: ("document",), ("alias", anchor), ("scalar", anchor, tag,
    // text, is_plain), ("sequence", anchor, tag), ("mapping", anchor, tag), ("end",). Anchors are numbers, from 1.
    members.function("yaml_events", |it, args| {
        let [text] = args.exactly("yaml_events")?;
        let text = text.as_str().ok_or_else(|| Halt::unknown("an unknown text"))?;
        it.spend_text(text.len())?;
        let mut found = Vec::new();
        for event in Parser::new_from_str(text) {
            let (event, _) = event.map_err(|_| Halt::unknown("a text that is no YAML"))?;
            found.extend(of_yaml(event));
        }
        it.spend_many(found.len())?;
        Ok(Value::list(found))
    });
}

fn of_yaml(event: Event<'_>) -> Option<Value> {
    let number = |anchor: usize| Value::Int(anchor as i64);
    let name = |tag: Option<&Tag>| match tag {
        Some(tag) => Value::str(format!("{}{}", tag.handle, tag.suffix)),
        None => Value::None,
    };
    let parts = match event {
        Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => return None,
        Event::DocumentStart(_) => vec![Value::str("document")],
        Event::Alias(anchor) => vec![Value::str("alias"), number(anchor)],
        Event::Scalar(text, style, anchor, tag) => vec![
            Value::str("scalar"),
            number(anchor),
            name(tag.as_deref()),
            Value::str(&text),
            Value::Bool(style == ScalarStyle::Plain),
        ],
        Event::SequenceStart(anchor, tag) => vec![Value::str("sequence"), number(anchor), name(tag.as_deref())],
        Event::MappingStart(anchor, tag) => vec![Value::str("mapping"), number(anchor), name(tag.as_deref())],
        Event::SequenceEnd | Event::MappingEnd => vec![Value::str("end")],
    };
    Some(Value::tuple(parts))
}

fn in_table(table: toml::Table) -> Value {
    let dict = Dict::new(Default::default());
    for (name, value) in table {
        dict.write().insert(Key::str(&name), of_toml(value));
    }
    Value::Dict(dict)
}

fn of_toml(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::str(&text),
        toml::Value::Integer(number) => Value::Int(number),
        toml::Value::Float(number) => Value::Float(number),
        toml::Value::Boolean(flag) => Value::Bool(flag),
        toml::Value::Datetime(_) => Value::unknown_of(Guess::Any, "a time in a file"),
        toml::Value::Array(items) => Value::list(items.into_iter().map(of_toml).collect()),
        toml::Value::Table(table) => in_table(table),
    }
}
