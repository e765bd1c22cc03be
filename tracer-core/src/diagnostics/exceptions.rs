//! Exceptions that the framework would raise.

use super::{Diagnostic, Range, Related, Severity, causes, kinds, origins, reading};
use crate::analysis::{Analysis, Problem};
use crate::module::{ExprId, Module, Stmt};
use crate::python::Subject;
use crate::text::Span;

/// One diagnostic per exception that would have ended the program, and a hint where the place to mend is another one.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for problem in &analysis.problems {
        let Some(mut error) = diagnostic(analysis, problem) else { continue };
        let causes = [causes::of(analysis, problem, &error), causes::made(analysis, problem, &error)];
        for cause in causes.into_iter().flatten() {
            error.related.retain(|related| related.at != cause.at);
            error.related.insert(0, Related { at: cause.at, message: cause.message.clone() });
            if !found.iter().any(|other| other.at == cause.at) {
                found.push(cause);
            }
        }
        found.push(error);
    }
    found
}

/// The exception that a diagnostic tells of.
pub(super) fn problem<'a>(analysis: &'a Analysis, diagnostic: &Diagnostic) -> Option<&'a Problem> {
    analysis.problems.iter().find(|problem| {
        let is_here = |&(file, span, _): &(usize, Span, String)| {
            file == diagnostic.at.file && culprit(&analysis.files[file].module, span) == diagnostic.at.span
        };
        problem.frames.first().is_some_and(is_here) && message(problem) == diagnostic.message
    })
}

/// The class and the whole message.
fn message(problem: &Problem) -> String {
    match problem.message.is_empty() {
        true => problem.class.clone(),
        false => format!("{}: {}", problem.class, problem.message),
    }
}

/// The part of a statement with a body that failed: its condition, what it loops over, its context, its name.
fn culprit(module: &Module, span: Span) -> Span {
    if module.expr_spans.contains(&span) {
        return span;
    }
    let Some(at) = module.stmt_spans.iter().position(|s| *s == span) else { return span };
    match &module.stmts[at] {
        Stmt::If { test, .. } | Stmt::While { test, .. } | Stmt::Assert(test, _) => module.span(*test),
        Stmt::For { iter, .. } => module.span(*iter),
        Stmt::Match(subject, _) => module.span(*subject),
        Stmt::With { items, .. } if items.len() == 1 => module.span(items[0].context),
        Stmt::FunctionDef(def) => module.code(def.code).name_span,
        Stmt::ClassDef(def) => module.code(def.code).name_span,
        _ => span,
    }
}

/// The kind of an exception of this place.
fn kind(analysis: &Analysis, at: Range, problem: &Problem) -> Option<&'static kinds::Kind> {
    let facts = &analysis.files[at.file];
    let called = || {
        let call = reading::call_at(&facts.module, at.span).filter(|call| call.receiver.is_some())?;
        kinds::of_call(call.name, &problem.class, &problem.message)
    };
    // NumPy asks a traced value for its items, and says that it has some.
    let written = || {
        let is_write = problem.message == "setting an array element with a sequence.";
        let traced = |expr: &ExprId| reading::traced(facts, *expr).is_some();
        let values = facts.module.stmts.iter().zip(&facts.module.stmt_spans).filter_map(|(stmt, span)| match stmt {
            Stmt::Assign(_, value) | Stmt::AugAssign { value, .. } if reading::within(at.span, *span) => Some(*value),
            _ => None,
        });
        let is_traced = is_write && values.into_iter().any(|value| traced(&value));
        is_traced.then(|| kinds::of("TracerArrayConversionError", "")).flatten()
    };
    written().or_else(|| kinds::of(&problem.class, &problem.message)).or_else(called)
}

/// At most so many calls are told of how the program came to the place.
const MOST_CALLS: usize = 3;

fn diagnostic(analysis: &Analysis, problem: &Problem) -> Option<Diagnostic> {
    let &(file, span, _) = problem.frames.first()?;
    let at = Range { file, span: culprit(&analysis.files[file].module, span) };
    // The program's own words are no kind of ours.
    let kind = if problem.by_program { None } else { kind(analysis, at, problem) };
    let related = |file: usize, span, message| Related { at: Range { file, span }, message };
    let operands: Vec<Related> =
        problem.related.iter().map(|(f, span, text)| related(*f, *span, text.clone())).collect();
    let calls = problem.frames.windows(2).take(MOST_CALLS).map(|pair| {
        let (callee, (file, span, _)) = (&pair[0].2, &pair[1]);
        related(*file, *span, format!("`{callee}` is called here"))
    });
    let mut related = origins::of(analysis, at, operands);
    related.extend(calls);
    if let Some(Subject::Deleted(calls)) = &problem.subject
        && let Some(call) = calls.last()
        && let Some(file) = analysis.file_index(call.file)
    {
        related.push(Related { at: Range { file, span: call.span }, message: "its buffer is given away here".into() });
    }
    let mut seen = Vec::new();
    related.retain(|r| {
        r.at != at && !seen.contains(&r.at) && {
            seen.push(r.at);
            true
        }
    });
    Some(Diagnostic {
        at,
        rule: kind.map_or("exception", |k| k.rule),
        severity: Severity::Error,
        message: message(problem),
        help: problem.help.clone().or_else(|| kind.map(|k| k.help.to_owned())),
        related,
        fixes: Vec::new(),
    })
}
