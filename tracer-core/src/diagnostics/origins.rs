//! The operands of an expression that failed, and where they were made.

use super::{Range, Related};
use crate::analysis::{Analysis, FileFacts, Shown};
use crate::module::{
    Arg, Code, CodeKind, Expr, ExprId, MODULE_CODE, Module, Part, Place, Stmt, StmtId, Symbol, Target,
};
use crate::text::Span;

/// At most so many operands are shown.
const MOST: usize = 4;

/// What the array operands of the expression at this place were, and where those that are names were bound. `noted` is what
/// the run noted of them when the expression failed.
pub fn of(analysis: &Analysis, at: Range, noted: Vec<Related>) -> Vec<Related> {
    let facts = &analysis.files[at.file];
    let module = &*facts.module;
    let here = |span| Range { file: at.file, span };
    let (mut operands, mut origins) = (noted, Vec::new());
    for operand in operands_of(module, at.span) {
        let span = module.span(operand);
        let noted = operands.iter().find(|o| o.at == here(span)).map(|o| o.message.clone());
        let Some(text) = noted.or_else(|| the_only(seen(facts, span))) else { continue };
        if span != at.span && operands.len() < MOST && !operands.iter().any(|o| o.at == here(span)) {
            operands.push(Related { at: here(span), message: text.clone() });
        }
        if let Expr::Name(_, name) = module.expr(operand)
            && let Some((span, message)) = origin(facts, *name, at.span, &text)
            && !origins.iter().any(|o: &Related| o.at.span == span)
        {
            origins.push(Related { at: here(span), message });
        }
    }
    operands.extend(origins);
    operands
}

/// The types that the expression or parameter of this range had.
fn seen(facts: &FileFacts, span: Span) -> Vec<String> {
    let first = facts.exprs.partition_point(|e| (e.span.start, e.span.end) < (span.start, span.end));
    let here = facts.exprs[first..].iter().take_while(|e| e.span == span).flat_map(|e| &e.seen);
    let texts = here.map(|shown| match shown {
        Shown::Array { aval, .. } => aval.to_string(),
        other => other.row(),
    });
    texts.collect()
}

/// The one type among these, if all are the same and known.
fn the_only(mut texts: Vec<String>) -> Option<String> {
    texts.dedup();
    (texts.len() == 1).then(|| texts.swap_remove(0)).filter(|text| text != "?")
}

/// The parts of the expression or simple statement of this range that hold what it computes with.
fn operands_of(module: &Module, span: Span) -> Vec<ExprId> {
    let mut found = Vec::new();
    for (i, _) in module.expr_spans.iter().enumerate().filter(|(_, s)| **s == span) {
        let id = ExprId(i as u32);
        match module.expr(id) {
            Expr::Name(..) => found.push(id),
            Expr::Call(function, args) => {
                if let Expr::Attribute(receiver, _) = module.expr(*function) {
                    found.push(*receiver);
                }
                for arg in args {
                    let (Arg::Positional(value) | Arg::Star(value) | Arg::Keyword(_, value) | Arg::DoubleStar(value)) =
                        arg;
                    // The items of a list, as of `jnp.concatenate([a, b])`, are operands too.
                    match module.expr(*value) {
                        Expr::List(items) | Expr::Tuple(items) => found.extend(items.iter().copied()),
                        _ => found.push(*value),
                    }
                }
            }
            expr => expr.parts(&mut |part| {
                if let Part::Expr(part) = part {
                    found.push(part);
                }
            }),
        }
    }
    if found.is_empty() {
        for (i, _) in module.stmt_spans.iter().enumerate().filter(|(_, s)| **s == span) {
            if let Stmt::AugAssign { .. } | Stmt::Expr(_) | Stmt::Return(_) | Stmt::Assert(..) = &module.stmts[i] {
                module.stmts[i].parts(&mut |part| {
                    if let Part::Expr(part) = part {
                        found.push(part);
                    }
                });
            }
        }
    }
    found
}

/// Where a name that is read at `reader` was bound to such a value.
fn origin(facts: &FileFacts, name: Symbol, reader: Span, text: &str) -> Option<(Span, String)> {
    let module = &*facts.module;
    let scope = scope_of(module, name, reader)?;
    if std::ptr::eq(scope, module.code(MODULE_CODE))
        && let Some(found) = bound_by_function(facts, name, text)
    {
        return Some(found);
    }
    match latest(module, scope, name, reader) {
        Some((_, Some(value))) => {
            let span = module.span(value);
            let same = seen(facts, span).iter().any(|t| t == text);
            same.then(|| (span, format!("`{name}` is made here: {text}")))
        }
        Some((span, None)) => Some((span, format!("`{name}` is bound here: {text}"))),
        None => {
            let param = scope.params.names.iter().find(|p| p.name == name)?;
            let same = seen(facts, param.span).iter().any(|t| t == text);
            same.then(|| (param.span, format!("`{name}` is an argument of `{}`: {text}", scope.name)))
        }
    }
}

/// Where a name that is read at `reader` was last bound in the text before it, and the expression that it was bound to alone.
pub(super) fn bound(module: &Module, name: Symbol, reader: Span) -> Option<(Span, Option<ExprId>)> {
    latest(module, scope_of(module, name, reader)?, name, reader)
}

/// The expression that a name is bound to, where it is bound once in its scope, and before it is read at `reader`.
pub(super) fn bound_once(module: &Module, name: Symbol, reader: Span) -> Option<ExprId> {
    let mut found = Vec::new();
    bindings(module, scope_of(module, name, reader)?, name, &mut |span, value| found.push((span, value)));
    match found[..] {
        [(span, value)] if span.start < reader.start => value,
        _ => None,
    }
}

fn latest(module: &Module, scope: &Code, name: Symbol, reader: Span) -> Option<(Span, Option<ExprId>)> {
    let mut latest = None;
    bindings(module, scope, name, &mut |span, value| {
        if span.start < reader.start && latest.is_none_or(|(before, _): (Span, _)| before.start < span.start) {
            latest = Some((span, value));
        }
    });
    latest
}

/// The assignment in a function that gave a global such a value: how values leave a trace.
fn bound_by_function(facts: &FileFacts, name: Symbol, text: &str) -> Option<(Span, String)> {
    let module = &*facts.module;
    let mut found = None;
    for (stmt, span) in module.stmts.iter().zip(&module.stmt_spans) {
        let target = |target: &Target| matches!(target, Target::Name(Place::Global(_), own, _) if *own == name);
        let value = match stmt {
            Stmt::Assign(targets, value) if targets.iter().any(target) => *value,
            Stmt::AugAssign { target: own, value, .. } if target(own) => *value,
            _ => continue,
        };
        let inside = module.codes.iter().skip(1).filter(|c| c.kind == CodeKind::Function);
        let mut inside = inside.filter(|c| c.span.start <= span.start && span.end <= c.span.end);
        let Some(function) = inside.next_back() else { continue };
        let whole = if matches!(stmt, Stmt::AugAssign { .. }) { *span } else { module.span(value) };
        let same = whole == *span || seen(facts, whole).iter().any(|t| t == text);
        if same {
            found = Some((whole, format!("`{name}` leaves `{}` here: {text}", function.name)));
        }
    }
    found
}

/// The scope that a name read at `reader` is bound in.
pub(super) fn scope_of(module: &Module, name: Symbol, reader: Span) -> Option<&Code> {
    let holds = |code: &&Code| code.span.start <= reader.start && reader.end <= code.span.end;
    let mut inside: Vec<&Code> = module.codes.iter().skip(1).filter(holds).collect();
    inside.sort_by_key(|code| code.span.end - code.span.start);
    let own = inside.into_iter().find(|code| code.locals.contains(&name) || code.cells.contains(&name));
    own.or_else(|| module.globals.contains(&name).then(|| module.code(MODULE_CODE)))
}

/// The places in a scope where a name is bound: the range of the name, and the value where it is bound to one alone.
pub(super) fn bindings(module: &Module, scope: &Code, name: Symbol, found: &mut dyn FnMut(Span, Option<ExprId>)) {
    let mut waiting: Vec<StmtId> = Vec::new();
    scope.parts(&mut |part| {
        if let Part::Stmt(id) = part {
            waiting.push(id);
        }
    });
    while let Some(id) = waiting.pop() {
        let value = match module.stmt(id) {
            Stmt::Assign(_, value) => Some(*value),
            Stmt::AnnAssign { value, .. } => *value,
            _ => None,
        };
        module.stmt(id).parts(&mut |part| match part {
            Part::Stmt(inner) => waiting.push(inner),
            Part::Target(target) => targets(target, name, value, found),
            _ => {}
        });
    }
}

fn targets(target: &Target, name: Symbol, value: Option<ExprId>, found: &mut dyn FnMut(Span, Option<ExprId>)) {
    match target {
        Target::Name(_, own, span) if *own == name => found(*span, value),
        Target::Tuple(items, _) => items.iter().for_each(|item| targets(item, name, None, found)),
        Target::Starred(item, _) => targets(item, name, None, found),
        _ => {}
    }
}
