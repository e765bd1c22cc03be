//! What is compiled in a loop or at each call is compiled once: `g = jax.jit(f)` and `jax.jit(f)(x)` in front of the loop, a nested
//! function that captures nothing in front of the function around.

use super::{Found, definitions};
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{call_at, within};
use crate::module::{CodeKind, Expr, Part, Place, Stmt, StmtId, Symbol, Target};
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    assigned(found).or_else(|| called(found)).or_else(|| nested(found))
}

/// `jax.jit(f)(x)` in a loop.
fn called(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    let jit = call_at(module, found.span()).filter(|call| call.name == "jit")?;
    let is_callee = module.exprs.iter().any(|expr| matches!(expr, Expr::Call(callee, _) if *callee == jit.id));
    let (own_loop, loop_span) = innermost_loop(found, found.span())?;
    let mut bound: Vec<Symbol> = Vec::new();
    bind(found, own_loop, StmtId(u32::MAX), &mut bound);
    let own: Vec<Symbol> = module
        .codes
        .iter()
        .filter(|code| code.kind == CodeKind::Lambda && within(code.span, found.span()))
        .flat_map(|code| code.params.names.iter().map(|param| param.name))
        .collect();
    let reads = module.exprs.iter().zip(&module.expr_spans).any(|(expr, span)| match expr {
        Expr::Name(place, name) => {
            let is_own = own.contains(name) && matches!(place, Place::Local(_) | Place::Cell(_));
            within(*span, found.span()) && bound.contains(name) && !is_own
        }
        _ => false,
    });
    let name = ["compiled", "compiled_once"].into_iter().find(|name| !found.has_name(name))?;
    if !is_callee || reads {
        return None;
    }
    let (start, indent) = found.line(loop_span)?;
    let made = format!("{indent}{name} = {}\n", found.text_at(found.span()));
    if made.trim_end().contains('\n') {
        return None;
    }
    Some(Fix {
        title: "compile it once, before the loop".into(),
        edits: vec![found.edit(Span { start, end: start }, made), found.edit(found.span(), name.into())],
    })
}

/// A compiled function in a function, that captures nothing of it.
fn nested(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    let (def, span) = module.stmts.iter().zip(&module.stmt_spans).find_map(|(stmt, span)| match stmt {
        Stmt::FunctionDef(def) => {
            let is_it = def.decorators.iter().any(|decorator| module.span(*decorator) == found.span());
            is_it.then_some((def, *span))
        }
        _ => None,
    })?;
    let code = module.code(def.code);
    let outer = module
        .codes
        .iter()
        .skip(1)
        .filter(|own| own.kind == CodeKind::Function && !std::ptr::eq(*own, code) && within(code.span, own.span));
    let outer = outer.min_by_key(|own| own.span.end - own.span.start)?;
    let (outer_def, outer_span) = definitions::of_function(found, outer)?;
    let is_alone = code.frees.is_empty()
        && def.defaults.positional.is_empty()
        && def.defaults.keyword_only.iter().all(Option::is_none)
        && matches!(outer_def.place, Place::Global(_))
        && !module.globals.contains(&def.name)
        && module.codes[1..].iter().filter(|own| own.name == def.name).count() == 1;
    let first = def.decorators.first().map_or(span.start, |decorator| module.span(*decorator).start - 1);
    let (start, indent) = found.line(Span { start: first, end: span.end })?;
    let end = found.next_line(span)?;
    let text = found.text_at(Span { start, end });
    if !is_alone || text.contains("\"\"\"") || text.contains("'''") {
        return None;
    }
    let moved: Vec<&str> = text.lines().map(|line| line.strip_prefix(indent).unwrap_or(line.trim_start())).collect();
    let before = outer_def.decorators.first().map_or(outer_span.start, |decorator| module.span(*decorator).start - 1);
    let (at, outer_indent) = found.line(Span { start: before, end: outer_span.end })?;
    if !outer_indent.is_empty() {
        return None;
    }
    Some(Fix {
        title: format!("define `{}` once, before `{}`", def.name, outer.name),
        edits: vec![
            found.edit(Span { start: at, end: at }, format!("{}\n\n", moved.join("\n"))),
            found.edit(Span { start, end }, String::new()),
        ],
    })
}

fn assigned(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    let (statement, span) = found.statement(found.span())?;
    let Stmt::Assign(targets, value) = module.stmt(statement) else { return None };
    let [Target::Name(..)] = &targets[..] else { return None };
    if module.span(*value) != found.span() {
        return None;
    }
    let (own_loop, loop_span) = module.stmts.iter().zip(&module.stmt_spans).find(|(stmt, _)| match stmt {
        Stmt::For { body, .. } | Stmt::While { body, .. } => body.contains(&statement),
        _ => false,
    })?;
    let mut bound: Vec<Symbol> = Vec::new();
    bind(found, own_loop, statement, &mut bound);
    let reads = module
        .exprs
        .iter()
        .zip(&module.expr_spans)
        .any(|(expr, own)| matches!(expr, Expr::Name(_, name) if bound.contains(name)) && within(*own, span));
    if reads {
        return None;
    }
    let (line, _) = found.line(span)?;
    let end = found.next_line(span)?;
    let (start, indent) = found.line(*loop_span)?;
    let moved = format!("{indent}{}\n", found.text_at(span));
    Some(Fix {
        title: "compile it once, before the loop".into(),
        edits: vec![
            found.edit(Span { start, end: start }, moved),
            found.edit(Span { start: line, end }, String::new()),
        ],
    })
}

/// The innermost loop around a range, where no function and no comprehension stands between.
pub(super) fn innermost_loop<'a>(found: &Found<'a>, span: Span) -> Option<(&'a Stmt, Span)> {
    let module = found.module;
    let loops = module.stmts.iter().zip(&module.stmt_spans);
    let loops = loops.filter(|(stmt, own)| {
        matches!(stmt, Stmt::For { .. } | Stmt::While { .. }) && within(span, **own) && span != **own
    });
    let (own_loop, loop_span) = loops.min_by_key(|(_, own)| own.end - own.start)?;
    let is_between = module
        .codes
        .iter()
        .skip(1)
        .any(|code| within(span, code.span) && within(code.span, *loop_span) && code.span != *loop_span);
    (!is_between).then_some((own_loop, *loop_span))
}

/// The names that a statement and those in it bind, but for one statement.
pub(super) fn bind(found: &Found<'_>, stmt: &Stmt, but: StmtId, bound: &mut Vec<Symbol>) {
    let mut inner = Vec::new();
    stmt.parts(&mut |part| match part {
        Part::Target(target) => names(target, bound),
        Part::Stmt(id) if id != but => inner.push(id),
        _ => {}
    });
    if let Stmt::FunctionDef(def) = stmt {
        bound.push(def.name);
    }
    for id in inner {
        bind(found, found.module.stmt(id), but, bound);
    }
}

fn names(target: &Target, bound: &mut Vec<Symbol>) {
    match target {
        Target::Name(_, name, _) => bound.push(*name),
        Target::Tuple(items, _) => items.iter().for_each(|item| names(item, bound)),
        Target::Starred(item, _) => names(item, bound),
        _ => {}
    }
}
