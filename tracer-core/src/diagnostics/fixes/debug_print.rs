//! `print(…)` and `jax.debug.print(f"…")` as `jax.debug.print("… {}", x)`.

use super::Found;
use super::formats::{self, Piece};
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{Call, calls, fact, traced, within};
use crate::module::{Arg, BinaryOp, Const, Expr, ExprId, FStringPart};

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
            Expr::Call(callee, args) => match found.module.expr(*callee) {
                Expr::Attribute(object, name) if name.as_str() == "format" => match found.module.expr(*object) {
                    Expr::Constant(Const::Str(text)) => {
                        self.add_pieces(found, formats::of_braces(text)?, &formats::plain(args)?)
                    }
                    _ => None,
                },
                Expr::Name(_, name) if name.as_str() == "str" && !found.has_name("str") => {
                    match &formats::plain(args)?[..] {
                        [shown] => self.add_value(found, *shown),
                        _ => None,
                    }
                }
                _ => self.add_value(found, value),
            },
            Expr::Binary(BinaryOp::Add, a, b) if is_text(found, *a) || is_text(found, *b) => {
                self.add(found, *a)?;
                self.add(found, *b)
            }
            Expr::Binary(BinaryOp::Mod, format, operand) => match found.module.expr(*format) {
                Expr::Constant(Const::Str(text)) => {
                    let values = match found.module.expr(*operand) {
                        Expr::Tuple(items) => items.to_vec(),
                        _ => vec![*operand],
                    };
                    self.add_pieces(found, formats::of_percent(text)?, &values)
                }
                _ => self.add_value(found, value),
            },
            _ => self.add_value(found, value),
        }
    }

    /// A value that is formatted as it is. Where only its text holds a traced value, that was made already.
    fn add_value(&mut self, found: &Found<'_>, value: ExprId) -> Option<()> {
        let made = found.diagnostic.rule == "formatted-tracer" && fact(found.facts, found.module.span(value)).is_none();
        if made {
            return None;
        }
        self.format.push_str("{}");
        self.values.push(argument(found, value));
        Some(())
    }

    /// What a format says, with its values in their order.
    fn add_pieces(&mut self, found: &Found<'_>, pieces: Vec<Piece>, values: &[ExprId]) -> Option<()> {
        let mut values = values.iter();
        for piece in pieces {
            match piece {
                Piece::Text(text) => self.add_text(&text)?,
                Piece::Value { spec, whole } => {
                    let value = *values.next()?;
                    let is_starred = matches!(found.module.expr(value), Expr::Starred(_));
                    // `%d` of another number cuts it.
                    let is_whole = traced(found.facts, value)
                        .is_some_and(|avals| avals.iter().all(|aval| aval.dtype.is_integer()));
                    if is_starred || whole && !is_whole {
                        return None;
                    }
                    if spec.is_empty() {
                        self.format.push_str("{}");
                        self.values.push(argument(found, value));
                    } else {
                        self.format.push_str(&format!("{{:{spec}}}"));
                        self.values.push(found.text(value).to_owned());
                    }
                }
            }
        }
        values.next().is_none().then_some(())
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

/// Whether an expression is a text, by how it is written.
fn is_text(found: &Found<'_>, id: ExprId) -> bool {
    match found.module.expr(id) {
        Expr::Constant(Const::Str(_)) | Expr::FString(_) => true,
        Expr::Binary(BinaryOp::Add, a, b) => is_text(found, *a) || is_text(found, *b),
        _ => false,
    }
}
