//! `argument-mutation`: a compiled function changes a dict or list that it was called with, and the caller reads its own
//! afterwards: that one is as it was.

use super::reading::{Call, calls, within};
use super::{Diagnostic, Range, Related, Severity};
use crate::analysis::Analysis;
use crate::interp::{Effect, Event};
use crate::module::{CodeKind, Expr, ExprId, Module, Part, Place, Stmt, Symbol, Target};
use crate::text::Span;

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for event in &analysis.events {
        let Event::SideEffect { site, effect: Effect::Argument } = event else { continue };
        let Some(file) = analysis.file_index(site.file) else { continue };
        let at = Range { file, span: site.span };
        let module = &analysis.files[file].module;
        let Some((function, argument, place)) = parameter(module, site.span) else { continue };
        let Some(read) = read_afterwards(module, function, argument, place, MOST_CALLERS) else { continue };
        if found.iter().any(|other| other.at == at) {
            continue;
        }
        found.push(Diagnostic {
            at,
            rule: "argument-mutation",
            severity: Severity::Warning,
            message: format!(
                "the compiled function changes a copy of `{argument}`: who called it does not see the change"
            ),
            help: Some("return the changed container, or make a new one: `{**d, \"key\": value}`".into()),
            related: vec![Related {
                at: Range { file, span: read },
                message: "this is as it was before the call".into(),
            }],
            fixes: Vec::new(),
        });
    }
    found
}

/// The parameter that is changed at a range: its function, its name and its place.
fn parameter(module: &Module, at: Span) -> Option<(Symbol, Symbol, usize)> {
    let around = module.codes.iter().filter(|code| code.kind == CodeKind::Function && within(at, code.span));
    let code = around.min_by_key(|code| code.span.end - code.span.start)?;
    // What is changed stands first: `d["key"]`, `xs.append`.
    let root = module.exprs.iter().zip(&module.expr_spans).find_map(|(expr, span)| match expr {
        Expr::Name(_, name) if span.start == at.start => Some(*name),
        _ => None,
    })?;
    let place = code.params.names.iter().position(|param| param.name == root)?;
    Some((code.name, root, place))
}

/// So many functions that hand a container on are followed to who calls them.
pub(super) const MOST_CALLERS: u32 = 3;

/// Where a caller reads a value again that it has called the function with; a caller that was given it itself may hand it on.
pub(super) fn read_afterwards(
    module: &Module,
    function: Symbol,
    argument: Symbol,
    place: usize,
    depth: u32,
) -> Option<Span> {
    let names: Vec<Symbol> = aliases(module, function);
    calls(module).filter(|call| names.iter().any(|name| name.as_str() == call.name)).find_map(|call| {
        // A method is called without what it is a method of.
        let place = match call.receiver {
            Some(_) if is_method(module, function) => place.checked_sub(1)?,
            _ => place,
        };
        let given = call.argument_or(place, argument.as_str())?;
        let Expr::Name(variable, name) = module.expr(given) else { return None };
        if let Some(read) = read_behind(module, &call, *variable, *name) {
            return Some(read);
        }
        let around = module.codes.iter().filter(|code| code.kind == CodeKind::Function && within(call.span, code.span));
        let caller = around.min_by_key(|code| code.span.end - code.span.start)?;
        let place = caller.params.names.iter().position(|param| param.name == *name)?;
        read_afterwards(module, caller.name, *name, place, depth.checked_sub(1)?)
    })
}

fn is_method(module: &Module, function: Symbol) -> bool {
    module.codes.iter().any(|code| {
        code.name == function && code.params.names.first().is_some_and(|param| param.name.as_str() == "self")
    })
}

/// What a function is called by: its own name, and those that what was made of it is bound to.
fn aliases(module: &Module, function: Symbol) -> Vec<Symbol> {
    let mut names = vec![function];
    for stmt in &module.stmts {
        if let Stmt::Assign(targets, value) = stmt
            && let [Target::Name(_, name, _)] = &targets[..]
            && let Expr::Call(_, args) = module.expr(*value)
            && let Some(crate::module::Arg::Positional(first)) = args.first()
            && matches!(module.expr(*first), Expr::Name(_, own) if *own == function)
        {
            names.push(*name);
        }
    }
    names
}

/// Where a variable is read behind a call in the same scope, before it is bound again.
fn read_behind(module: &Module, call: &Call<'_>, variable: Place, name: Symbol) -> Option<Span> {
    let scope = |span: Span| {
        let around = module.codes.iter().skip(1).filter(|code| within(span, code.span));
        around.map(|code| code.span).min_by_key(|span| span.end - span.start)
    };
    let own = scope(call.span);
    let is_variable = |place: &Place, other: Symbol| *place == variable && other == name;
    let bound = module.stmts.iter().zip(&module.stmt_spans).filter_map(|(stmt, span)| {
        let mut binds = false;
        stmt.parts(&mut |part| {
            if let Part::Target(target) = part {
                binds |= is_target(target, &is_variable);
            }
        });
        binds.then_some(*span)
    });
    let until = bound.filter(|span| span.end >= call.span.end && scope(*span) == own).map(|span| span.start).min();
    let reads = (0..module.exprs.len())
        .map(|i| ExprId(i as u32))
        .filter(|id| matches!(module.expr(*id), Expr::Name(place, other) if is_variable(place, *other)));
    let mut reads = reads.map(|id| module.span(id)).filter(|span| {
        span.start >= call.span.end && until.is_none_or(|until| span.start < until) && scope(*span) == own
    });
    reads.next()
}

fn is_target(target: &Target, is_variable: &dyn Fn(&Place, Symbol) -> bool) -> bool {
    match target {
        Target::Name(place, name, _) => is_variable(place, *name),
        Target::Tuple(items, _) => items.iter().any(|item| is_target(item, is_variable)),
        Target::Starred(item, _) => is_target(item, is_variable),
        _ => false,
    }
}
