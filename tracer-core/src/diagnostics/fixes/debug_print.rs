//! `print(…)` and `jax.debug.print(f"…")` as `jax.debug.print("… {}", x)`.

use super::Found;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{Call, calls, fact, within};
use crate::module::{Arg, Const, Expr, ExprId, FStringPart};

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let call = calls(found.module).find(|call| {
        let own = found.diagnostic.rule == "python-side-effect" && call.span == found.span();
        call.name == "print"
            && call.receiver.is_none() == own
            && (own || is_debug(found, call))
            && within(found.span(), call.span)
    })?;
    if !found.has_jax() {
        return None;
    }
    let printed = Printed::of(found, &call)?;
    let name = if call.receiver.is_some() { "jax.debug.print" } else { "print" };
    found.replace(
        if name == "print" {
            "print with `jax.debug.print`".into()
        } else {
            "give the values to `jax.debug.print`".into()
        },
        call.span,
        printed.text(),
    )
}

fn is_debug(found: &Found<'_>, call: &Call<'_>) -> bool {
    call.receiver.is_some_and(|receiver| found.text(receiver) == "jax.debug")
}

/// A value as an argument of `jax.debug.print`, which makes arrays of the numbers in a tuple: what is no array is a text.
fn argument(found: &Found<'_>, value: ExprId) -> String {
    let text = found.text(value);
    match fact(found.facts, found.module.span(value)) {
        Some(_) => text.to_owned(),
        None => format!("str({text})"),
    }
}

/// A format with the values for its braces.
#[derive(Default)]
struct Printed {
    format: String,
    values: Vec<String>,
}

impl Printed {
    fn of(found: &Found<'_>, call: &Call<'_>) -> Option<Printed> {
        let mut printed = Printed::default();
        for (i, arg) in call.args.iter().enumerate() {
            let Arg::Positional(value) = arg else { return None };
            // `jax.debug.print` takes its own values by place and by name.
            if call.receiver.is_some() && i > 0 {
                return None;
            }
            if i > 0 {
                printed.format.push(' ');
            }
            printed.add(found, *value)?;
        }
        (call.receiver.is_none() || !printed.values.is_empty()).then_some(printed)
    }

    fn add(&mut self, found: &Found<'_>, value: ExprId) -> Option<()> {
        match found.module.expr(value) {
            Expr::Constant(Const::Str(text)) => self.add_text(text),
            Expr::FString(parts) => parts.iter().try_for_each(|part| match part {
                FStringPart::Text(text) => self.add_text(text),
                FStringPart::Value { conversion: Some(_), .. } => None,
                FStringPart::Value { value, spec, .. } => {
                    self.format.push('{');
                    match &spec[..] {
                        [] => {}
                        [FStringPart::Text(spec)] if !spec.contains(['{', '}', '"', '\\']) => {
                            self.format.push(':');
                            self.format.push_str(spec);
                        }
                        _ => return None,
                    }
                    self.format.push('}');
                    let plain = spec.is_empty();
                    self.values.push(if plain { argument(found, *value) } else { found.text(*value).to_owned() });
                    Some(())
                }
            }),
            Expr::Starred(_) => None,
            Expr::Constant(_) => self.add_text(found.text(value)),
            _ => {
                self.format.push_str("{}");
                self.values.push(argument(found, value));
                Some(())
            }
        }
    }

    fn add_text(&mut self, text: &str) -> Option<()> {
        for c in text.chars() {
            match c {
                '{' => self.format.push_str("{{"),
                '}' => self.format.push_str("}}"),
                '"' => self.format.push_str("\\\""),
                '\\' => self.format.push_str("\\\\"),
                '\n' => self.format.push_str("\\n"),
                '\t' => self.format.push_str("\\t"),
                c if c.is_control() => return None,
                c => self.format.push(c),
            }
        }
        Some(())
    }

    fn text(&self) -> String {
        let mut text = format!("jax.debug.print(\"{}\"", self.format);
        for value in &self.values {
            text.push_str(", ");
            text.push_str(value);
        }
        text.push(')');
        text
    }
}
