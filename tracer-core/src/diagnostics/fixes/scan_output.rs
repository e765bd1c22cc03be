//! What the body of a scan appends to a list is returned by it: `hist.append(c); return c, None` as `return c, c`.

use super::{Found, definitions, rounds};
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{call, calls, within};
use crate::module::{Body, Const, Expr, ExprId, Stmt, Target};
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    let (statement, span) = found.statement(found.span())?;
    let Stmt::Expr(value) = module.stmt(statement) else { return None };
    let append = call(module, *value).filter(|call| call.name == "append" && call.args.len() == 1)?;
    let Expr::Name(_, list) = module.expr(append.receiver?) else { return None };
    let kept = append.argument(0)?;
    let code = definitions::around(found, span)?;
    let Body::Block(body) = &code.body else { return None };
    let (last, before) = body.split_last()?;
    // Nothing that it is made of is bound again before the end.
    (before.last() == Some(&statement)).then_some(())?;
    let Stmt::Return(Some(result)) = module.stmt(*last) else { return None };
    let Expr::Tuple(parts) = module.expr(*result) else { return None };
    let [_, output] = parts[..] else { return None };
    matches!(module.expr(output), Expr::Constant(Const::None)).then_some(())?;
    // The one scan with this body, and the name of what it puts out, which nobody reads.
    let mut uses = calls(module)
        .filter(|call| call.name == "scan" && is_name(found, call.argument_or(0, "f"), code.name.as_str()));
    let (scan, other) = (uses.next()?, uses.next());
    if other.is_some() || rounds::reads(found, code.name).count() != 1 {
        return None;
    }
    let outputs = module.stmts.iter().find_map(|stmt| match stmt {
        Stmt::Assign(targets, value) if *value == scan.id => match &targets[..] {
            [Target::Tuple(items, _)] => match &items[..] {
                [_, Target::Name(_, name, span)] => Some((*name, *span)),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    })?;
    if rounds::reads(found, outputs.0)
        .any(|read| within(read, definitions::around(found, scan.span).map_or(read, |code| code.span)))
    {
        return None;
    }
    // The list is empty before, and only stacked afterwards.
    let (made, made_span) = module.stmts.iter().zip(&module.stmt_spans).find(|(stmt, _)| match stmt {
        Stmt::Assign(targets, value) => {
            matches!(&targets[..], [Target::Name(_, name, _)] if name == list)
                && matches!(module.expr(*value), Expr::List(items) if items.is_empty())
        }
        _ => false,
    })?;
    let Stmt::Assign(..) = made else { return None };
    let same = |a: Span, b: Span| match (definitions::around(found, a), definitions::around(found, b)) {
        (Some(a), Some(b)) => std::ptr::eq(a, b),
        (None, None) => true,
        _ => false,
    };
    if !same(*made_span, scan.span) {
        return None;
    }
    let stacks: Vec<_> = calls(module)
        .filter(|call| matches!(call.name, "stack" | "array" | "asarray") && call.args.len() == 1)
        .filter(|call| {
            is_name(found, call.argument(0), list.as_str())
                && call.span.start > scan.span.end
                && same(call.span, scan.span)
        })
        .collect();
    if stacks.is_empty() || rounds::reads(found, *list).count() != stacks.len() + 1 {
        return None;
    }
    let mut edits = vec![
        found.edit(Span { start: found.line(*made_span)?.0, end: found.next_line(*made_span)? }, String::new()),
        found.edit(Span { start: found.line(span)?.0, end: found.next_line(span)? }, String::new()),
        found.edit(module.span(output), found.text(kept).to_owned()),
        found.edit(outputs.1, list.to_string()),
    ];
    edits.extend(stacks.iter().map(|call| found.edit(call.span, list.to_string())));
    Some(Fix { title: "let the scan put it out".into(), edits })
}

fn is_name(found: &Found<'_>, id: Option<ExprId>, name: &str) -> bool {
    id.is_some_and(|id| matches!(found.module.expr(id), Expr::Name(_, own) if own.as_str() == name))
}
