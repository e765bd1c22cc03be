//! `x = jnp.append(x, v)` in a loop as a list that is joined once, behind the loop.

use super::hoisted::innermost_loop;
use super::rounds::reads;
use super::{Found, definitions};
use crate::analysis::Shown;
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{call_at, fact, within};
use crate::module::{Expr, Stmt, Symbol, Target};
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    let join = call_at(module, found.span()).filter(|call| matches!(call.name, "append" | "concatenate"))?;
    let jnp = found.jnp().filter(|jnp| join.receiver.is_some_and(|receiver| found.text(receiver) == *jnp))?;
    let (id, statement) = found.statement(found.span())?;
    let Stmt::Assign(targets, _) = module.stmt(id) else { return None };
    let [Target::Name(_, name, _)] = &targets[..] else { return None };
    let item = match (join.name, join.args.len()) {
        ("append", 2) => {
            let (array, item) = (join.argument(0)?, join.argument(1)?);
            is_name(found, array, *name).then_some(())?;
            // `append` makes vectors of both.
            let flat = |aval: &crate::array::Aval| aval.shape.len() == 1;
            let shown = &fact(found.facts, module.span(array))?.seen;
            let vectors = shown.iter().all(|seen| matches!(seen, Shown::Array { aval, tracer: false } if flat(aval)));
            (vectors && !shown.is_empty()).then(|| format!("{jnp}.ravel({})", found.text(item)))?
        }
        ("concatenate", 1) => {
            let (Expr::Tuple(parts) | Expr::List(parts)) = module.expr(join.argument(0)?) else { return None };
            let [array, item] = parts[..] else { return None };
            is_name(found, array, *name).then(|| found.text(item).to_owned())?
        }
        _ => return None,
    };
    let (own_loop, loop_span) = innermost_loop(found, statement)?;
    let (Stmt::For { body, orelse, .. } | Stmt::While { body, orelse, .. }) = own_loop else { return None };
    // Nothing in the loop asks for the array, and nothing leaves the function from there.
    let own = definitions::around(found, loop_span).map(|code| code.span);
    let is_asked = reads(found, *name).filter(|span| within(*span, loop_span)).count() != 1;
    let leaves = module.stmts.iter().zip(&module.stmt_spans).any(|(stmt, span)| {
        within(*span, loop_span) && matches!(stmt, Stmt::Return(_)) && own.is_none_or(|own| within(*span, own))
    });
    let is_bound_again = module.stmts.iter().zip(&module.stmt_spans).any(|(stmt, span)| match stmt {
        Stmt::Assign(targets, _) => {
            within(*span, loop_span)
                && *span != statement
                && targets.iter().any(|target| matches!(target, Target::Name(_, other, _) if other == name))
        }
        Stmt::AugAssign { target, .. } => {
            within(*span, loop_span) && matches!(target, Target::Name(_, other, _) if other == name)
        }
        _ => false,
    });
    let parts = format!("{name}_parts");
    if is_asked || leaves || is_bound_again || !orelse.is_empty() || !body.contains(&id) || found.has_name(&parts) {
        return None;
    }
    let (start, indent) = found.line(loop_span)?;
    let end = found.next_line(Span { start: statement.start, end: loop_span.end })?;
    let line_break = if found.text_at(Span { start: loop_span.end, end }).ends_with('\n') { "" } else { "\n" };
    Some(Fix {
        title: format!("keep the parts in a list, and join `{name}` once"),
        edits: vec![
            found.edit(Span { start, end: start }, format!("{indent}{parts} = []\n")),
            found.edit(statement, format!("{parts}.append({item})")),
            found.edit(
                Span { start: end, end },
                format!("{line_break}{indent}{name} = {jnp}.concatenate([{name}, *{parts}])\n"),
            ),
        ],
    })
}

fn is_name(found: &Found<'_>, expr: crate::module::ExprId, name: Symbol) -> bool {
    matches!(found.module.expr(expr), Expr::Name(_, own) if *own == name)
}
