//! Sets as programs write them: of plain values, and of the errors that `checkify` looks for.

use super::Writer;
use super::expression::{Ex, binary};
use crate::frameworks::is_framework;
use crate::module::BinaryOp;
use crate::python::Value;

/// Errors of `checkify`, and the names of the sets that have one of them.
const CHECKS: [(&str, &str); 4] = [
    ("FailedCheckError", "user_checks"),
    ("NaNError", "nan_checks"),
    ("DivisionByZeroError", "div_checks"),
    ("OOBError", "index_checks"),
];

impl Writer<'_> {
    /// A set whose items are known and can be written.
    pub fn set(&mut self, value: &Value) -> Option<Ex> {
        let (Value::Set(set) | Value::FrozenSet(set)) = value else { return None };
        if set.why_vague().is_some() {
            return None;
        }
        let items: Vec<Value> = set.read().iter().map(|key| key.value.clone()).collect();
        if let Some(checks) = self.checks(&items) {
            return Some(checks);
        }
        if !items.iter().all(|item| item.is_plain() || matches!(item, Value::Str(_))) {
            return None;
        }
        let texts: Vec<String> = items.iter().map(|item| self.plain(item).text).collect();
        Some(Ex::atom(match (value, texts.is_empty()) {
            (Value::FrozenSet(_), true) => "frozenset()".to_owned(),
            (Value::FrozenSet(_), false) => format!("frozenset({{{}}})", texts.join(", ")),
            (_, true) => "set()".to_owned(),
            (_, false) => format!("{{{}}}", texts.join(", ")),
        }))
    }

    /// The union of sets of `checkify` that has these items alone.
    fn checks(&mut self, items: &[Value]) -> Option<Ex> {
        let is_there = |error: &str| {
            items.iter().any(|item| matches!(item, Value::Class(class) if class.name.as_str() == error && is_framework(&class.module)))
        };
        let found: Vec<&str> = CHECKS.iter().filter(|(error, _)| is_there(error)).map(|(_, name)| *name).collect();
        if found.is_empty() || found.len() != items.len() {
            return None;
        }
        let names = found.iter().map(|name| self.imports.spell(&format!("jax.experimental.checkify.{name}")));
        let names: Vec<String> = names.collect();
        let (sign, strength) = binary(BinaryOp::BitOr);
        Some(match &names[..] {
            [one] => Ex::atom(one.clone()),
            more => Ex { text: more.join(&format!(" {sign} ")), strength },
        })
    }
}
