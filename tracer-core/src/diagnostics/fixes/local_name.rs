//! An attribute that a frozen module may not set as a name of the method, where nothing else reads it.

use super::{Found, definitions};
use crate::diagnostics::Fix;
use crate::diagnostics::reading::within;
use crate::module::{Expr, Stmt, Target};

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    if found.problem?.class != "flax.errors.SetAttributeFrozenModuleError" {
        return None;
    }
    let method = definitions::around(found, found.span())?;
    let itself = method.params.names.first()?.name;
    let mut sets = module.stmts.iter().zip(&module.stmt_spans).filter_map(|(stmt, span)| match stmt {
        Stmt::Assign(targets, _) if within(found.span(), *span) => match &targets[..] {
            [Target::Attribute(object, name, span)] => Some((*object, *name, *span)),
            _ => None,
        },
        _ => None,
    });
    let (object, name, span) = sets.next()?;
    let is_itself = matches!(module.expr(object), Expr::Name(_, own) if *own == itself);
    // Read in the same method alone, behind: otherwise somebody wants what the object keeps.
    let mut reads = Vec::new();
    for (expr, own) in module.exprs.iter().zip(&module.expr_spans) {
        if let Expr::Attribute(object, attribute) = expr
            && *attribute == name
        {
            let is_own = matches!(module.expr(*object), Expr::Name(_, own) if *own == itself);
            (is_own && within(*own, method.span) && own.start > span.end).then_some(())?;
            reads.push(*own);
        }
    }
    if !is_itself || found.has_name(name.as_str()) {
        return None;
    }
    let edits = std::iter::once(span).chain(reads).map(|span| found.edit(span, name.to_string())).collect();
    Some(Fix { title: format!("keep `{name}` in the method"), edits })
}
