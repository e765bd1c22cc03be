//! `python-side-effect`, `tracer-kept`, `host-clock`, `host-random`, `host-environment`, `iterator-in-trace`: what traced code does
//! beside computing happens while tracing only.

use super::reading::call_at;
use super::{Diagnostic, Range, Severity};
use crate::analysis::Analysis;
use crate::interp::{Effect, Event, How};

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for diagnostic in analysis.events.iter().filter_map(|event| diagnostic(analysis, event)) {
        // What a line does under several transformations is said once.
        if !found.iter().any(|other| other.at == diagnostic.at && other.rule == diagnostic.rule) {
            found.push(diagnostic);
        }
    }
    found
}

fn diagnostic(analysis: &Analysis, event: &Event) -> Option<Diagnostic> {
    let Event::SideEffect { site, effect } = event else { return None };
    let at = Range { file: analysis.file_index(site.file)?, span: site.span };
    let (rule, message, help) = said(effect)?;
    // What a library moves on is its own.
    let happens = if let Effect::ForAll(effect) = effect { effect } else { effect };
    if *happens == Effect::Iterator
        && call_at(&analysis.files[at.file].module, at.span).is_none_or(|call| call.name != "next")
    {
        return None;
    }
    Some(Diagnostic {
        at,
        rule,
        severity: Severity::Warning,
        message,
        help: Some(help.into()),
        related: Vec::new(),
        fixes: Vec::new(),
    })
}

/// What `formatted-tracer` says, and what to do.
pub const FORMATTED: (&str, &str) = (
    "the text of a traced value names its type, not its numbers, which there are none of yet",
    "give the value to `jax.debug.print(\"{x}\", x=x)` instead of its text",
);

/// The rule, what it says, and what to do.
fn said(effect: &Effect) -> Option<(&'static str, String, &'static str)> {
    if let Effect::ForAll(effect) = effect {
        return said_of_all(effect);
    }
    const ONCE: &str = "once per trace, not at every call";
    Some(match effect {
        // Told by a rule of its own.
        Effect::Argument | Effect::ForAll(_) => return None,
        Effect::Print => (
            "python-side-effect",
            format!("`print` runs {ONCE}"),
            "print values with `jax.debug.print(\"{}\", x)`, which runs with the compiled function",
        ),
        Effect::Log => (
            "python-side-effect",
            format!("this is logged {ONCE}"),
            "log outside of the traced function, or from `jax.debug.callback`",
        ),
        Effect::File => (
            "python-side-effect",
            format!("the file is opened {ONCE}"),
            "read and write files outside of the traced function",
        ),
        Effect::Saved => (
            "python-side-effect",
            format!("the file is written {ONCE}"),
            "return what is to be saved, and save it outside of the traced function, or from `jax.experimental.io_callback`",
        ),
        Effect::Output => (
            "python-side-effect",
            format!("this is written out {ONCE}"),
            "print values with `jax.debug.print(\"{}\", x)`, which runs with the compiled function",
        ),
        Effect::Network => (
            "python-side-effect",
            format!("the network is asked {ONCE}"),
            "ask before, and pass what was answered as an argument",
        ),
        Effect::Process => (
            "python-side-effect",
            format!("another program is started {ONCE}"),
            "start it outside of the traced function, or from `jax.experimental.io_callback`",
        ),
        Effect::Write(what, How::Batched) => (
            "python-side-effect",
            format!("{what} is changed once for all elements of the mapped axis"),
            "return the new value from the mapped function instead",
        ),
        Effect::Write(what, _) => (
            "python-side-effect",
            format!("{what} is changed {ONCE}"),
            "return the new value from the traced function instead",
        ),
        Effect::Kept(what) => (
            "tracer-kept",
            format!(
                "{what} keeps a traced value after the trace that it belongs to: using it raises `UnexpectedTracerError`"
            ),
            "return the value from the traced function instead (`has_aux=True` under `grad`)",
        ),
        Effect::Formatted => ("formatted-tracer", FORMATTED.0.to_owned(), FORMATTED.1),
        Effect::Clock => (
            "host-clock",
            "the clock is read while tracing: the compiled function keeps that time".to_owned(),
            "take the time outside of the traced function, and call `block_until_ready()` on its result before the second reading",
        ),
        Effect::Random => (
            "host-random",
            "this random number is drawn while tracing: the compiled function gives the same one at every call"
                .to_owned(),
            "draw it with `jax.random` from a key that is an argument",
        ),
        Effect::Environment => (
            "host-environment",
            "the environment is read while tracing: the compiled function keeps what it said then".to_owned(),
            "read it outside of the traced function, and pass the value as a static argument",
        ),
        Effect::Iterator => (
            "iterator-in-trace",
            format!("the iterator moves on {ONCE}: the compiled function keeps the same item"),
            "take the item outside of the traced function, and pass it as an argument; scan over what a loop goes through",
        ),
    })
}

/// As [`said`], of what happens under an eager `vmap`.
fn said_of_all(effect: &Effect) -> Option<(&'static str, String, &'static str)> {
    const ALL: &str = "once for all elements of the mapped axis";
    let (rule, _, help) = said(effect)?;
    let message = match effect {
        Effect::Print => format!("`print` runs {ALL}"),
        Effect::Log => format!("this is logged {ALL}"),
        Effect::Saved => format!("the file is written {ALL}"),
        Effect::Output => format!("this is written out {ALL}"),
        Effect::Random => format!("this random number is drawn {ALL}"),
        Effect::Iterator => format!("the iterator moves on {ALL}"),
        _ => return None,
    };
    Some((rule, message, help))
}
