//! Why there is nothing to reproduce.

use std::path::Path;

use tracer_core::interp::is_meant;
use tracer_core::lower::lower_text;
use tracer_core::module::Module;
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
    match target {
        Target::Function(name) if module.as_ref().is_some_and(|module| !has(module, name)) => {
            format!("{file}: there is no function `{name}` in it")
        }
        Target::Function(name) => format!("{file}: nothing calls `{name}`"),
        Target::Error => format!("{file}: no error to reproduce; name a function or a line: FILE::FUNCTION, FILE:LINE"),
        Target::Place(_) => format!("{file}: nothing of JAX happens there"),
    }
}

/// The first fault that Python finds in a text, with its place.
fn fault(text: &str, module: &Module) -> Option<String> {
    let note = module.notes.first()?;
    let at = LineIndex::new(text).utf8(note.span.start);
    Some(format!("{}:{}: SyntaxError: {}", at.line + 1, at.column + 1, note.message))
}

/// Whether a file has a function of this name.
fn has(module: &Module, name: &str) -> bool {
    module.codes.iter().any(|code| is_meant(&code.qualname, name))
}
