//! What an expression of the text as it is now was seen to be.
//!
//! The text may have changed since its analysis. An answer is given only where an expression of the current text is one of
//! the analyzed text that no edit has touched, so that it is never about another expression.

use std::path::PathBuf;
use std::sync::Arc;

use tower_lsp::ls_types::Uri;
use tracer_core::analysis::Shown;
use tracer_core::module::{CodeKind, Expr, ExprId, Module, Stmt, Target};
use tracer_core::notebook;
use tracer_core::text::Span;

use super::State;
use super::documents::{Documents, View};

/// Texts longer than this are looked into only as they were analyzed.
const MOST_BYTES: usize = 1 << 20;

/// The current text of a document, lowered, unless it is too long for that.
pub fn module(state: &State, uri: &Uri) -> Option<Arc<Module>> {
    let (path, text, is_cell) = {
        let documents = state.documents();
        let document = documents.get(uri)?;
        for view in documents.views(uri) {
            if view.is_exact() {
                return Some(view.facts.module.clone());
            }
        }
        match document.notebook {
            // A cell is looked into alone, whatever others of its notebook are.
            Some(_) => (PathBuf::from(document.uri.as_str()), document.text.clone(), true),
            None => (document.path.clone(), document.text.clone(), false),
        }
    };
    let text = (text.len_bytes() <= MOST_BYTES).then(|| text.to_string())?;
    let text = if is_cell { notebook::mask(&text) } else { text };
    Some(state.lowered.get(&path, &text, true))
}

/// Everything that was seen at a range of the current text, and known things before the unknown.
pub fn seen(documents: &Documents, uri: &Uri, span: Span) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    for view in documents.views(uri) {
        for shown in seen_in(&view, span).unwrap_or_default() {
            if !all.contains(shown) {
                all.push(shown.clone());
            }
        }
    }
    all.sort_by_key(|shown| matches!(shown, Shown::Unknown(_)));
    all
}

/// The file whose run alone tells what is at a range, where that file is not open.
pub fn told_by(documents: &Documents, uri: &Uri, span: Span) -> Option<String> {
    let is_known = |shown: &Shown| !matches!(shown, Shown::Unknown(_));
    let views = documents.views(uri);
    let first = views.iter().find(|view| seen_in(view, span).unwrap_or_default().iter().any(is_known))?;
    let script = &first.finished.script;
    let path = script.to_file_path().filter(|_| documents.get(script).is_none())?;
    Some(path.file_name()?.to_string_lossy().into_owned())
}

fn seen_in<'a>(view: &View<'a>, span: Span) -> Option<&'a [Shown]> {
    let then = view.then(span)?;
    let exprs = &view.facts.exprs;
    let at = exprs.partition_point(|e| (e.span.start, e.span.end) < (then.start, then.end));
    exprs.get(at).filter(|e| e.span == then).map(|e| &e.seen[..])
}

/// A name that is bound, and the range of what its value was seen at.
pub struct Binding {
    /// The name.
    pub name: Span,
    /// The expression assigned, or the parameter itself.
    pub source: Span,
    /// Whether it is a parameter with an annotation.
    pub annotated: bool,
}

/// Names bound by assignments of one name, and parameters.
pub fn bindings(module: &Module) -> Vec<Binding> {
    let mut all = Vec::new();
    for statement in &module.stmts {
        if let Stmt::Assign(targets, value) = statement
            && let [Target::Name(_, _, name)] = &targets[..]
        {
            all.push(Binding { name: *name, source: module.span(*value), annotated: false });
        }
    }
    let functions = module.codes.iter().filter(|code| matches!(code.kind, CodeKind::Function | CodeKind::Lambda));
    for code in functions {
        for param in &code.params.names {
            all.push(Binding { name: param.span, source: param.span, annotated: param.annotation.is_some() });
        }
    }
    all.sort_by_key(|b| (b.name.start, b.name.end));
    all
}

/// What the cursor is on: the range to show, and the range whose value it has.
pub fn under_cursor(module: &Module, offset: u32) -> Option<(Span, Span)> {
    if let Some(binding) = bindings(module).iter().find(|b| b.name.touches(offset)) {
        return Some((binding.name, binding.source));
    }
    let spans = module.expr_spans.iter().enumerate();
    let around = spans.filter(|(_, s)| s.touches(offset) && s.start < s.end);
    // Ends count, so two may meet at the cursor: then the one that begins there.
    let (at, span) = around.min_by_key(|(_, s)| (s.end - s.start, s.end == offset))?;
    // The name of what is called stands for the call.
    let id = ExprId(at as u32);
    let call = module.exprs.iter().position(|e| matches!(e, Expr::Call(callee, _) if *callee == id));
    let source = call.map_or(*span, |call| module.expr_spans[call]);
    Some((source, source))
}
