//! `python-side-effect`: Python effects of traced code happen while tracing only.

use super::{Diagnostic, Fix, Range, Severity};
use crate::analysis::{Analysis, FileFacts};
use crate::interp::{Effect, Event};
use crate::module::{Arg, Const, Expr, ExprId};
use crate::text::Span;

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    analysis.events.iter().filter_map(|event| diagnostic(analysis, event)).collect()
}

fn diagnostic(analysis: &Analysis, event: &Event) -> Option<Diagnostic> {
    let Event::SideEffect { site, effect } = event else { return None };
    let at = Range { file: analysis.file_index(site.file)?, span: site.span };
    let (message, help, fixes) = match effect {
        Effect::Print => (
            "`print` runs once per trace, not at every call".to_owned(),
            "print values with `jax.debug.print(\"{}\", x)`, which runs with the compiled function",
            debug_print(&analysis.files[at.file], at).into_iter().collect(),
        ),
        Effect::Write(what) => (
            format!("{what} is changed once per trace, not at every call"),
            "return the new value from the traced function instead",
            Vec::new(),
        ),
    };
    Some(Diagnostic {
        at,
        rule: "python-side-effect",
        severity: Severity::Warning,
        message,
        help: Some(help.into()),
        related: Vec::new(),
        fixes,
    })
}

/// `print("text", x)` as `jax.debug.print("text {}", x)`, where the file imports `jax` by that name.
fn debug_print(facts: &FileFacts, at: Range) -> Option<Fix> {
    let module = &facts.module;
    let call = module.expr_spans.iter().position(|s| *s == at.span)?;
    let Expr::Call(function, args) = module.expr(ExprId(call as u32)) else { return None };
    if !matches!(module.expr(*function), Expr::Name(_, name) if name.as_str() == "print")
        || !module.globals.iter().any(|g| g.as_str() == "jax")
    {
        return None;
    }
    let mut format = Vec::new();
    let mut values = Vec::new();
    for arg in args {
        let Arg::Positional(value) = arg else { return None };
        match module.expr(*value) {
            Expr::Constant(Const::Str(text)) if !text.contains(['{', '}', '"', '\\', '\n']) => {
                format.push(text.clone())
            }
            Expr::Constant(_) | Expr::FString(_) | Expr::Starred(_) => return None,
            _ => {
                format.push("{}".into());
                let span = module.span(*value);
                values.push(facts.text.get(span.start as usize..span.end as usize)?);
            }
        }
    }
    let mut text = format!("jax.debug.print(\"{}\"", format.join(" "));
    for value in values {
        text.push_str(", ");
        text.push_str(value);
    }
    text.push(')');
    let whole = Range { file: at.file, span: Span { start: at.span.start, end: at.span.end } };
    Some(Fix { title: "print with `jax.debug.print`".into(), edits: vec![(whole, text)] })
}
