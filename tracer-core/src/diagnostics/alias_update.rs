//! `alias-update`: `y += 1` behind `y = x` makes an array of its own, and `x` stays as it is.
//!
//! Code may mean just that (`residual = x; x += f(x)`). Where the second name is never read, it cannot: its new value would be for
//! nothing.

use super::argument_mutation::{MOST_CALLERS, read_afterwards};
use super::reading::{fact, within};
use super::{Diagnostic, Range, Related, Severity};
use crate::analysis::{Analysis, FileFacts, Shown};
use crate::module::{CodeKind, Expr, ExprId, Module, Part, Stmt, StmtId, Symbol, Target};
use crate::text::Span;

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        for block in blocks(&facts.module) {
            for (i, id) in block.iter().enumerate() {
                let Some((alias, name, value)) = alias(&facts.module, *id) else { continue };
                let Some(update) = block[i + 1..].iter().find_map(|id| update(&facts.module, *id, alias)) else {
                    continue;
                };
                if !is_array(facts, value)
                    || reads(&facts.module, alias).next().is_some()
                    || !reads(&facts.module, name).any(|read| read.start > update.end)
                    || changes(&facts.module, &block[i + 1..], name, update)
                {
                    continue;
                }
                found.push(Diagnostic {
                    at: Range { file, span: update },
                    rule: "alias-update",
                    severity: Severity::Warning,
                    message: format!(
                        "this makes a new array of `{alias}`, and `{name}` stays as it is: arrays do not change"
                    ),
                    help: Some(format!("give the new value to the name that is read: `{name} = {name} …`")),
                    related: vec![Related {
                        at: Range { file, span: facts.module.span(value) },
                        message: format!("`{alias}` is another name of `{name}` here"),
                    }],
                    fixes: Vec::new(),
                });
            }
        }
    }
    for (file, facts) in analysis.files.iter().enumerate() {
        found.extend(given(facts, file));
    }
    found
}

/// A function that updates an array that it was given, and gives nothing back of it: who called it does not see that.
fn given(facts: &FileFacts, file: usize) -> Vec<Diagnostic> {
    let module = &*facts.module;
    let mut found = Vec::new();
    for (i, stmt) in module.stmts.iter().enumerate() {
        let Stmt::AugAssign { target: Target::Name(_, name, _), .. } = stmt else { continue };
        let Some(update) = update(module, StmtId(i as u32), *name) else { continue };
        let around = module.codes.iter().filter(|code| code.kind == CodeKind::Function && within(update, code.span));
        let Some(code) = around.min_by_key(|code| code.span.end - code.span.start) else { continue };
        let Some(place) = code.params.names.iter().position(|param| param.name == *name) else { continue };
        let was_array = fact(facts, code.params.names[place].span).is_some_and(|fact| {
            !fact.seen.is_empty() && fact.seen.iter().all(|seen| matches!(seen, Shown::Array { .. }))
        });
        let used = reads(module, *name).any(|read| within(read, code.span) && !within(read, update));
        if !was_array || used {
            continue;
        }
        let Some(read) = read_afterwards(module, code.name, *name, place, MOST_CALLERS) else { continue };
        found.push(Diagnostic {
            at: Range { file, span: update },
            rule: "alias-update",
            severity: Severity::Warning,
            message: format!(
                "this makes a new array of `{name}`, and what `{}` was called with stays as it is: arrays do not change",
                code.name
            ),
            help: Some("return the new array, and bind it where the function is called".into()),
            related: vec![Related { at: Range { file, span: read }, message: "this is as it was before the call".into() }],
            fixes: Vec::new(),
        });
    }
    found
}

/// All lists of statements that follow each other.
fn blocks(module: &Module) -> Vec<Vec<StmtId>> {
    let bodies = module.codes.iter().filter_map(|code| match &code.body {
        crate::module::Body::Block(body) => Some(body.clone()),
        _ => None,
    });
    let inner = module.stmts.iter().map(|stmt| {
        let mut all = Vec::new();
        stmt.parts(&mut |part| {
            if let Part::Stmt(id) = part {
                all.push(id);
            }
        });
        all
    });
    bodies.chain(inner).filter(|block| block.len() > 1).collect()
}

/// `y = x`: both names, and the second as an expression.
fn alias(module: &Module, id: StmtId) -> Option<(Symbol, Symbol, ExprId)> {
    let Stmt::Assign(targets, value) = module.stmt(id) else { return None };
    let [Target::Name(_, alias, _)] = &targets[..] else { return None };
    let Expr::Name(_, name) = module.expr(*value) else { return None };
    (alias != name).then_some((*alias, *name, *value))
}

/// The range of `y += …`.
fn update(module: &Module, id: StmtId, alias: Symbol) -> Option<Span> {
    let Stmt::AugAssign { target: Target::Name(_, name, span), value, .. } = module.stmt(id) else { return None };
    (*name == alias).then(|| Span { start: span.start, end: module.span(*value).end })
}

/// Whether the other name gets a value before the update.
fn changes(module: &Module, block: &[StmtId], name: Symbol, update: Span) -> bool {
    block.iter().map(|id| module.stmt(*id)).any(|stmt| match stmt {
        Stmt::Assign(targets, _) => targets
            .iter()
            .any(|target| matches!(target, Target::Name(_, own, span) if *own == name && span.start < update.start)),
        Stmt::AugAssign { target: Target::Name(_, own, span), .. } => *own == name && span.start < update.start,
        _ => false,
    })
}

fn is_array(facts: &FileFacts, value: ExprId) -> bool {
    let fact = fact(facts, facts.module.span(value));
    fact.is_some_and(|fact| !fact.seen.is_empty() && fact.seen.iter().all(|seen| matches!(seen, Shown::Array { .. })))
}

/// Where a name is read in a file.
fn reads(module: &Module, name: Symbol) -> impl Iterator<Item = Span> {
    let names = module.exprs.iter().zip(&module.expr_spans);
    names.filter(move |(expr, _)| matches!(expr, Expr::Name(_, own) if *own == name)).map(|(_, span)| *span)
}
