//! Why there is nothing to reproduce.

use std::path::Path;

use tracer_core::analysis::{Analysis, Shown};
use tracer_core::interp::{is_meant, missing_module};
use tracer_core::lower::lower_text;
use tracer_core::module::{self, Module, Stmt};
use tracer_core::notebook;
use tracer_core::repro::Target;
use tracer_core::text::LineIndex;

/// What hinders a reproducer of a target of a file, whose text this is.
pub fn why(file: &Path, text: Option<&str>, target: &Target) -> String {
    // What a cell of a notebook is depends on its magics.
    let module = text.filter(|text| !notebook::is_program(text)).map(lower_text);
    if let Some((text, module)) = text.zip(module.as_ref())
        && let Some(fault) = fault(text, module)
    {
        return format!("{}:{fault}", file.display());
    }
    let file = file.display();
    if let (Target::Function(name), Some((text, module))) = (target, text.zip(module.as_ref()))
        && let Some(other) = otherwise(text, module, name)
    {
        return format!("{file}: {other}");
    }
    match target {
        Target::Function(name) if module.as_ref().is_some_and(|module| !has(module, name)) => {
            format!("{file}: there is no function `{name}` in it")
        }
        Target::Function(name) => format!("{file}: nothing calls `{name}`"),
        Target::Error => format!("{file}: no error to reproduce; name a function or a line: FILE::FUNCTION, FILE:LINE"),
        Target::Place(_) => format!("{file}: nothing of JAX happens there"),
    }
}

/// The first module that the program's own text has something of and that is neither modelled nor found, as it is said of values.
pub fn missing(analysis: &Analysis) -> Option<String> {
    let mut reasons =
        analysis.files.iter().flat_map(|file| &file.exprs).flat_map(|fact| &fact.seen).filter_map(Shown::why);
    reasons.find(|why| missing_module(why).is_some()).map(str::to_owned)
}

/// The first fault that Python finds in a text, with its place.
fn fault(text: &str, module: &Module) -> Option<String> {
    let note = module.notes.first()?;
    let at = LineIndex::new(text).utf8(note.span.start);
    Some(format!("{}:{}: SyntaxError: {}", at.line + 1, at.column + 1, note.message))
}

/// What a name stands for that is no function which anything calls: a generator, or what a line makes.
fn otherwise(text: &str, module: &Module, name: &str) -> Option<String> {
    if let Some(code) = module.codes.iter().find(|code| is_meant(&code.qualname, name)) {
        return code.is_generator.then(|| format!("`{name}` is a generator; name the function that takes its items"));
    }
    let (_, span) = module.stmts.iter().zip(&module.stmt_spans).find(|(statement, _)| match statement {
        Stmt::Assign(targets, _) => targets.iter().any(|target| is_named(target, name)),
        Stmt::AnnAssign { target, value: Some(_), .. } => is_named(target, name),
        _ => false,
    })?;
    let line = LineIndex::new(text).utf8(span.start).line + 1;
    Some(format!("`{name}` is a name that line {line} gives, and no function of its own"))
}

fn is_named(target: &module::Target, name: &str) -> bool {
    matches!(target, module::Target::Name(_, own, _) if own.as_str() == name)
}

/// Whether a file has a function of this name.
fn has(module: &Module, name: &str) -> bool {
    module.codes.iter().any(|code| is_meant(&code.qualname, name))
}
