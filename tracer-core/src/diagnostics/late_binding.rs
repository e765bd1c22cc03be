//! `late-binding`: functions that are made in a loop look its variable up when they are traced, and find its last value.

use super::reading::{call, traced, within};
use super::{Diagnostic, Range, Related, Severity};
use crate::analysis::{Analysis, FileFacts};
use crate::interp::Event;
use crate::module::{Arg, Body, Code, CodeKind, Collect, Expr, ExprId, Module, Stmt, Symbol, Target};
use crate::text::Span;

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        let module = &*facts.module;
        for (around, variables) in loops(module) {
            let inside = module.codes.iter().filter(|code| {
                matches!(code.kind, CodeKind::Function | CodeKind::Lambda)
                    && within(code.span, around)
                    && code.span != around
            });
            for code in inside {
                let Some((read, name, bound)) = captured(module, code, &variables) else { continue };
                if found.iter().any(|other| other.at == Range { file, span: read })
                    || !is_traced_later(analysis, facts, code, around)
                {
                    continue;
                }
                found.push(Diagnostic {
                    at: Range { file, span: read },
                    rule: "late-binding",
                    severity: Severity::Warning,
                    message: format!(
                        "`{name}` is looked up when the function is traced, which is after the loop: all functions that it made find \
                         the last value"
                    ),
                    help: Some(format!("bind it when the function is made: `lambda x, {name}={name}: …`, or a function that returns one")),
                    related: vec![Related { at: Range { file, span: bound }, message: "this is the loop's variable".into() }],
                    fixes: Vec::new(),
                });
            }
        }
    }
    found
}

/// The loops of a file, and the variables that they bind: statements, and lists and dicts that are made at once.
fn loops(module: &Module) -> Vec<(Span, Vec<(Symbol, Span)>)> {
    let statements = module.stmts.iter().zip(&module.stmt_spans).filter_map(|(stmt, span)| match stmt {
        Stmt::For { target, .. } => Some((*span, names(target))),
        _ => None,
    });
    let comprehensions = module.codes.iter().filter_map(|code| match (&code.body, code.kind) {
        (Body::Comprehension(comprehension), CodeKind::Comprehension) => {
            Some((code.span, comprehension.clauses.iter().flat_map(|clause| names(&clause.target)).collect()))
        }
        _ => None,
    });
    statements.chain(comprehensions).collect()
}

fn names(target: &Target) -> Vec<(Symbol, Span)> {
    match target {
        Target::Name(_, name, span) => vec![(*name, *span)],
        Target::Tuple(items, _) => items.iter().flat_map(names).collect(),
        Target::Starred(item, _) => names(item),
        _ => Vec::new(),
    }
}

/// Where a function reads a variable of the loop that is not its own.
fn captured(module: &Module, code: &Code, variables: &[(Symbol, Span)]) -> Option<(Span, Symbol, Span)> {
    module.exprs.iter().zip(&module.expr_spans).find_map(|(expr, span)| {
        let Expr::Name(_, name) = expr else { return None };
        let (_, bound) = variables.iter().find(|(own, _)| own == name)?;
        // Defaults stand in the text of a function, and are not its own; and a parameter hides the variable.
        let is_inside = within(*span, body(module, code)?) && !is_bound_within(module, code, *span, *name);
        is_inside.then_some((*span, *name, *bound))
    })
}

/// What a function runs.
fn body(module: &Module, code: &Code) -> Option<Span> {
    match &code.body {
        Body::Expr(value) => Some(module.span(*value)),
        Body::Block(body) => {
            let span = |at: usize| body.get(at).map(|id| module.stmt_spans[id.0 as usize]);
            Some(Span { start: span(0)?.start, end: span(body.len() - 1)?.end })
        }
        _ => None,
    }
}

/// Whether a function between the loop and the place binds a name itself.
fn is_bound_within(module: &Module, code: &Code, place: Span, name: Symbol) -> bool {
    let own = module.codes.iter().filter(|inner| within(inner.span, code.span) && within(place, inner.span));
    own.into_iter().any(|inner| inner.locals.contains(&name) || inner.cells.contains(&name))
}

/// Whether a function is traced, and not before the loop that makes it is over.
fn is_traced_later(analysis: &Analysis, facts: &FileFacts, code: &Code, around: Span) -> bool {
    let module = &*facts.module;
    let calls: Vec<Span> = analysis
        .events
        .iter()
        .filter_map(|event| match event {
            Event::CacheMiss { site, defined, .. } | Event::Traced { site, defined, .. }
                if defined.file == facts.id && defined.span == code.name_span =>
            {
                Some(if site.file == facts.id { site.span } else { Span { start: u32::MAX, end: u32::MAX } })
            }
            _ => None,
        })
        .collect();
    if !calls.is_empty() {
        return calls.iter().all(|call| !within(*call, around)) && !is_called_within(module, around);
    }
    // Functions that a comprehension collects are called when it is over, and what branches and loops trace is no call.
    let is_collected = module.codes.iter().filter(|own| own.span == around).any(|own| match &own.body {
        Body::Comprehension(comprehension) => match comprehension.collect {
            Collect::List(element) | Collect::Set(element) | Collect::Dict(_, element) => holds(module, element, code),
            Collect::Generator(_) => false,
        },
        _ => false,
    });
    let span = code.span;
    let inside = (0..module.exprs.len()).map(|i| ExprId(i as u32)).filter(|id| within(module.span(*id), span));
    is_collected && !is_called_within(module, around) && inside.into_iter().any(|id| traced(facts, id).is_some())
}

/// Transformations whose result is a function that is called later.
const MAKERS: [&str; 16] = [
    "jit",
    "vmap",
    "pmap",
    "grad",
    "value_and_grad",
    "jacfwd",
    "jacrev",
    "jacobian",
    "hessian",
    "checkpoint",
    "remat",
    "partial",
    "Partial",
    "filter_jit",
    "filter_grad",
    "filter_vmap",
];

/// Whether an element that is collected is a function, or has one in it, or is what a transformation makes of one.
fn holds(module: &Module, element: ExprId, code: &Code) -> bool {
    match module.expr(element) {
        Expr::Lambda(own, _) => module.code(*own).span == code.span,
        Expr::Tuple(items) | Expr::List(items) => items.iter().any(|item| holds(module, *item, code)),
        Expr::Dict(items) => items.iter().any(|(_, item)| holds(module, *item, code)),
        Expr::Call(..) => call(module, element).filter(|call| MAKERS.contains(&call.name)).is_some_and(|call| {
            call.args.iter().any(|arg| match arg {
                Arg::Positional(value) | Arg::Keyword(_, value) => holds(module, *value, code),
                _ => false,
            })
        }),
        _ => false,
    }
}

/// Whether a function calls what it makes in the same round: then the variable is what it was.
fn is_called_within(module: &Module, around: Span) -> bool {
    module.exprs.iter().zip(&module.expr_spans).any(|(expr, span)| {
        let Expr::Call(callee, _) = expr else { return false };
        within(*span, around) && matches!(module.expr(*callee), Expr::Lambda(..))
    })
}
