//! `print(…)` and `jax.debug.print(f"…")` as `jax.debug.print("… {}", x)`.

use super::Found;
use super::formats::{self, Given, How, Piece};
use super::printed::{self, Printing};
use crate::diagnostics::Fix;
use crate::diagnostics::origins;
use crate::diagnostics::reading::{Call, call, calls, within};
use crate::interp::{Effect, Event};
use crate::module::{Arg, BinaryOp, Const, Expr, ExprId, FStringPart, MODULE_CODE, Place};
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let is_error = found.problem.is_some();
    let around = calls(found.module).filter(|call| call.name == "print" && within(found.span(), call.span));
    let call = around.min_by_key(|call| call.span.end - call.span.start)?;
    let is_debug = call.receiver.is_some_and(|receiver| found.text(receiver) == "jax.debug");
    let is_own = match found.diagnostic.rule {
        "python-side-effect" => call.span == found.span() && call.receiver.is_none(),
        "formatted-tracer" => is_debug || is_builtin(found, &call),
        // What raises is in a text: the first argument of either.
        _ => is_error && (is_debug || is_builtin(found, &call)) && is_formatted(found, &call),
    };
    // A comment in the midst of the arguments would be lost.
    let is_commented = found.text_at(call.span).lines().skip(1).any(|line| line.contains('#'));
    if !is_own || !found.has_jax() || is_commented {
        return None;
    }
    let printed = Printed::of(found, &call)?;
    let title = match is_debug {
        true => "give the values to `jax.debug.print`",
        false => "print with `jax.debug.print`",
    };
    found.replace(title.into(), call.span, printed.text())
}

/// Whether a call is one of a builtin.
fn is_builtin(found: &Found<'_>, call: &Call<'_>) -> bool {
    let Expr::Call(callee, _) = found.module.expr(call.id) else { return false };
    let Expr::Name(Place::Global(_), name) = found.module.expr(*callee) else { return false };
    let mut bound = false;
    origins::bindings(found.module, found.module.code(MODULE_CODE), *name, &mut |_, _| bound = true);
    !bound
}

/// Whether a text that is made in an argument of the call is what raises.
fn is_formatted(found: &Found<'_>, call: &Call<'_>) -> bool {
    let module = found.module;
    let in_call = |span: Span| within(span, call.span) && span != call.span;
    let all = module.exprs.iter().zip(&module.expr_spans).filter(|(_, span)| in_call(**span));
    all.filter(|(_, span)| within(found.span(), **span)).any(|(expr, _)| match expr {
        Expr::FString(_) => true,
        Expr::Binary(BinaryOp::Mod, format, _) => matches!(module.expr(*format), Expr::Constant(Const::Str(_))),
        Expr::Call(callee, _) => matches!(module.expr(*callee), Expr::Attribute(of, name)
            if name.as_str() == "format" && matches!(module.expr(*of), Expr::Constant(Const::Str(_)))),
        _ => false,
    })
}

/// A format with the values for its braces.
struct Printed<'f, 'a> {
    found: &'f Found<'a>,
    printing: Printing,
    format: String,
    values: Vec<String>,
    /// What else the call is given.
    named: String,
}

impl<'f, 'a> Printed<'f, 'a> {
    fn of(found: &'f Found<'a>, call: &Call<'_>) -> Option<Printed<'f, 'a>> {
        let is_debug = call.receiver.is_some();
        let ran = is_debug && found.problem.is_none()
            || found.events.iter().any(|event| match event {
                Event::SideEffect { site, effect } => {
                    let is_print = match effect {
                        Effect::ForAll(effect) => **effect == Effect::Print,
                        effect => *effect == Effect::Print,
                    };
                    is_print && site.file == found.facts.id && site.span == call.span
                }
                _ => false,
            });
        let printing = Printing { call: call.span, ran };
        let mut printed = Printed { found, printing, format: String::new(), values: Vec::new(), named: String::new() };
        let (mut sep, mut end) = (" ".to_owned(), String::new());
        for arg in call.args {
            let Arg::Keyword(name, value) = arg else { continue };
            let given = found.module.expr(*value);
            match (name.as_str(), given) {
                ("ordered", _) if is_debug => printed.named.push_str(&format!(", ordered={}", found.text(*value))),
                _ if is_debug => return None,
                ("sep" | "end", Expr::Constant(Const::None)) => {}
                ("sep", Expr::Constant(Const::Str(text))) => sep = text.to_string(),
                // A line ends where it ends.
                ("end", Expr::Constant(Const::Str(text))) => end = text.strip_suffix('\n')?.to_owned(),
                ("flush", Expr::Constant(_)) => {}
                ("file", _) if found.text(*value) == "sys.stdout" => {}
                _ => return None,
            }
        }
        for (i, arg) in call.args.iter().filter(|arg| !matches!(arg, Arg::Keyword(..))).enumerate() {
            let Arg::Positional(value) = arg else { return None };
            // `jax.debug.print` takes its own values by place and by name.
            if is_debug && i > 0 {
                return None;
            }
            if i > 0 {
                printed.add_text(&sep)?;
            }
            printed.add(*value, Some(i))?;
        }
        printed.add_text(&end)?;
        (!is_debug || !printed.values.is_empty()).then_some(printed)
    }

    /// A part of the text: the argument at a place, or something in one.
    fn add(&mut self, value: ExprId, at: Option<usize>) -> Option<()> {
        let module = self.found.module;
        match module.expr(value) {
            Expr::Constant(Const::Str(text)) => self.add_text(text),
            Expr::FString(parts) => parts.iter().try_for_each(|part| match part {
                FStringPart::Text(text) => self.add_text(text),
                FStringPart::Value { value, conversion, spec } => {
                    let spec = self.spec(spec)?;
                    let how = How { conversion: *conversion, spec, whole: false };
                    self.add_value(*value, None, &how)
                }
            }),
            Expr::Starred(_) => None,
            Expr::Constant(_) => self.add_text(self.found.text(value)),
            Expr::Call(callee, args) => match module.expr(*callee) {
                Expr::Attribute(object, name) if name.as_str() == "format" => match module.expr(*object) {
                    Expr::Constant(Const::Str(text)) => {
                        self.add_pieces(formats::of_braces(text)?, Given::of(args)?, false)
                    }
                    _ => None,
                },
                Expr::Name(_, name) if matches!(name.as_str(), "str" | "repr") => {
                    let call = call(module, value).filter(|call| is_builtin(self.found, call))?;
                    match args[..] {
                        [Arg::Positional(shown)] => {
                            let conversion = (call.name == "repr").then_some('r');
                            self.add_value(shown, None, &How { conversion, ..How::default() })
                        }
                        _ => None,
                    }
                }
                _ => self.add_value(value, at, &How::default()),
            },
            Expr::Binary(BinaryOp::Add, a, b) if is_text(self.found, *a) || is_text(self.found, *b) => {
                self.add(*a, None)?;
                self.add(*b, None)
            }
            Expr::Binary(BinaryOp::Mod, format, operand) => match module.expr(*format) {
                Expr::Constant(Const::Str(text)) => {
                    let values = match module.expr(*operand) {
                        Expr::Tuple(items) => items.to_vec(),
                        _ => vec![*operand],
                    };
                    self.add_pieces(formats::of_percent(text)?, Given::by_place(values), true)
                }
                _ => self.add_value(value, at, &How::default()),
            },
            _ => self.add_value(value, at, &How::default()),
        }
    }

    /// What stands behind the colon of a part, as text.
    fn spec(&self, parts: &[FStringPart]) -> Option<String> {
        let mut text = String::new();
        for part in parts {
            match part {
                FStringPart::Text(piece) => text.push_str(piece),
                FStringPart::Value { value, conversion: None, spec } if spec.is_empty() => {
                    match self.found.module.expr(*value) {
                        Expr::Constant(Const::Str(piece)) => text.push_str(piece),
                        Expr::Constant(Const::Int(_)) => text.push_str(self.found.text(*value)),
                        _ => return None,
                    }
                }
                FStringPart::Value { .. } => return None,
            }
        }
        (!text.contains(['{', '}', '"', '\\', '\n'])).then_some(text)
    }

    fn add_value(&mut self, value: ExprId, at: Option<usize>, how: &How) -> Option<()> {
        if how.conversion.is_none() && how.spec.is_empty() {
            match self.found.module.expr(value) {
                Expr::Constant(Const::Str(text)) => return self.add_text(text),
                Expr::Constant(Const::Int(_)) if !how.whole => return self.add_text(self.found.text(value)),
                _ => {}
            }
        }
        let (text, braces) = printed::argument(self.found, self.printing, at, value, how)?;
        // Where only its text holds a traced value, that was made already.
        let is_made = self.found.diagnostic.rule == "formatted-tracer" && at.is_some() && text.starts_with("str(");
        if is_made {
            return None;
        }
        self.format.push_str(&braces);
        self.values.push(text);
        Some(())
    }

    /// What a format says, with its values.
    fn add_pieces(&mut self, pieces: Vec<Piece>, mut given: Given, percent: bool) -> Option<()> {
        for piece in pieces {
            match piece {
                Piece::Text(text) => self.add_text(&text)?,
                Piece::Value(which, how) => {
                    let value = given.take(&which)?;
                    if matches!(self.found.module.expr(value), Expr::Starred(_)) {
                        return None;
                    }
                    self.add_value(value, None, &how)?;
                }
            }
        }
        // A call that is not asked for, or twice, would be made more or less often.
        let is_right = given.is_plain() || !percent && given.is_all_used();
        is_right.then_some(())
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
        text.push_str(&self.named);
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
