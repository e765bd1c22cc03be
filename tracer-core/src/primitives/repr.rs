//! How Python prints parameters: tuples, lists, flags and enum members.

use std::fmt::Display;

use super::ParamValue;
pub use super::rules::tuple_text as tuple;
use crate::trace::float;

/// `[1, 2]`
pub fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    format!("[{}]", items.join(", "))
}

/// `((0, 0), (1, 1))`
pub fn pairs(items: &[(i64, i64)]) -> String {
    tuple(items.iter().map(|pair| tuple([pair.0, pair.1])))
}

/// `True`, `False`
pub fn flag(flag: bool) -> &'static str {
    if flag { "True" } else { "False" }
}

/// `None`, or the value as it prints.
pub fn option<T: Display>(value: Option<T>) -> String {
    value.map_or_else(|| "None".to_owned(), |value| value.to_string())
}

/// A plain parameter value.
pub fn value(value: &ParamValue) -> String {
    match value {
        ParamValue::None => "None".to_owned(),
        ParamValue::Bool(on) => flag(*on).to_owned(),
        ParamValue::Int(n) => n.to_string(),
        ParamValue::Dim(dim) => dim.to_string(),
        ParamValue::Float(x) => float(*x),
        ParamValue::Str(text) => text.to_string(),
        ParamValue::DType(dtype) => dtype.name().to_owned(),
        ParamValue::Tuple(items) => tuple(items.iter().map(self::value)),
        ParamValue::Opaque(_) => "<object>".to_owned(),
    }
}

/// A value in which names stand in quotes, as in a tuple of Python's.
pub fn quoted(value: &ParamValue) -> String {
    match value {
        ParamValue::Str(name) => format!("'{name}'"),
        ParamValue::Tuple(items) => tuple(items.iter().map(quoted)),
        other => self::value(other),
    }
}
