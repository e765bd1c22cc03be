//! What is compiled in a loop or at each call is compiled once: `g = jax.jit(f)` and `jax.jit(f)(x)` in front of the loop, a nested
//! function that captures nothing in front of the function around.

use super::free::{self, Changed};
use super::{Found, definitions};
use crate::diagnostics::reading::{call_at, within};
use crate::diagnostics::{Fix, origins};
use crate::module::{CodeKind, Expr, Part, Place, Stmt, StmtId, Symbol, Target};
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    assigned(found).or_else(|| called(found)).or_else(|| nested(found)).or_else(|| defined(found))
}

/// `jax.jit(f)(x)` in a loop.
fn called(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    let jit = call_at(module, found.span()).filter(|call| call.name == "jit")?;
    let is_callee = module.exprs.iter().any(|expr| matches!(expr, Expr::Call(callee, _) if *callee == jit.id));
    innermost_loop(found, found.span())?;
    let moved = moved(found, found.span(), &[])?;
    let name = ["compiled", "compiled_once"].into_iter().find(|name| !found.has_name(name))?;
    if !is_callee {
        return None;
    }
    let made = format!("{}{name} = {}\n", moved.indent, found.text_at(found.span()));
    if made.trim_end().contains('\n') {
        return None;
    }
    let mut edits = moved.edits(found, &made)?;
    edits.push(found.edit(found.span(), name.into()));
    Some(Fix { title: TITLE.into(), edits })
}

const TITLE: &str = "compile it once, before the loop";

/// What is moved in front of a loop.
struct Moved<'a> {
    /// Where the loop's line begins.
    start: u32,
    indent: &'a str,
    /// The statements of the loop that it needs, in their order.
    needed: Vec<StmtId>,
}

impl Moved<'_> {
    /// The statements that are needed, then this text, in front of the loop.
    fn edits(&self, found: &Found<'_>, text: &str) -> Option<Vec<(crate::diagnostics::Range, String)>> {
        let (mut before, mut edits) = (String::new(), Vec::new());
        for id in &self.needed {
            let (span, lines) = lines(found, *id, self.indent)?;
            before.push_str(&lines);
            edits.push(found.edit(span, String::new()));
        }
        before.push_str(text);
        edits.push(found.edit(Span { start: self.start, end: self.start }, before));
        Some(edits)
    }
}

/// The whole lines of a statement, with its decorators, and their text at an indent.
fn lines(found: &Found<'_>, id: StmtId, indent: &str) -> Option<(Span, String)> {
    let span = found.module.stmt_spans[id.index()];
    let first = match found.module.stmt(id) {
        Stmt::FunctionDef(def) => {
            def.decorators.first().map_or(span.start, |decorator| found.module.span(*decorator).start - 1)
        }
        _ => span.start,
    };
    let (start, own) = found.line(Span { start: first, end: span.end })?;
    let end = found.next_line(span)?;
    let text = found.text_at(Span { start, end });
    if text.contains("\"\"\"") || text.contains("'''") {
        return None;
    }
    let moved = text.lines().map(|line| match line.strip_prefix(own) {
        Some(rest) => format!("{indent}{rest}\n"),
        None => format!("{}\n", line.trim_start()),
    });
    Some((Span { start, end }, moved.collect()))
}

/// Where what stands in a range can be made in front of the loops around it: the outermost one in which it is the same in all rounds.
fn moved<'a>(found: &Found<'a>, span: Span, but: &[StmtId]) -> Option<Moved<'a>> {
    let module = found.module;
    let scope = module.codes.iter().skip(1).filter(|code| within(span, code.span) && code.span != span);
    let scope = scope.filter(|code| !but.iter().any(|id| within(code.span, module.stmt_spans[id.index()])));
    let scope = scope.min_by_key(|code| code.span.end - code.span.start);
    let mut loops: Vec<(&Stmt, Span)> = module
        .stmts
        .iter()
        .zip(&module.stmt_spans)
        .filter(|(stmt, own)| {
            matches!(stmt, Stmt::For { .. } | Stmt::While { .. })
                && within(span, **own)
                && scope.is_none_or(|code| within(**own, code.span))
        })
        .map(|(stmt, own)| (stmt, *own))
        .collect();
    loops.sort_by_key(|(_, own)| own.end - own.start);
    let mut best = None;
    for (stmt, own) in loops {
        let mut needed = Vec::new();
        let Some(()) = needs(found, (stmt, own), span, but, &mut needed) else { break };
        let Some((start, indent)) = found.line(own) else { break };
        needed.sort_by_key(|id: &StmtId| module.stmt_spans[id.index()].start);
        best = Some(Moved { start, indent, needed });
    }
    best
}

/// So many functions of a loop are moved with what needs them.
const MOST_NEEDED: usize = 4;

/// The functions of a loop that a range in it reads, all the same in each round; none where it reads something else of the loop.
fn needs(found: &Found<'_>, around: (&Stmt, Span), span: Span, but: &[StmtId], needed: &mut Vec<StmtId>) -> Option<()> {
    let module = found.module;
    let spared = |needed: &[StmtId]| but.iter().chain(needed).copied().collect::<Vec<StmtId>>();
    let changed = Changed::by(found, around.0, around.1, &spared(needed));
    for name in free::reads(found, span).into_iter().filter(|name| changed.bound.contains(name)) {
        let mut defs = module.stmts.iter().zip(&module.stmt_spans).enumerate().filter(|(_, (stmt, own))| {
            within(**own, around.1) && matches!(stmt, Stmt::FunctionDef(def) if def.name == name)
        });
        let (at, (_, own)) = defs.next().filter(|_| defs.next().is_none())?;
        let id = StmtId(at as u32);
        let is_once = changed.bound.iter().filter(|bound| **bound == name).count() == 1;
        if !is_once || needed.len() == MOST_NEEDED || own.start > span.start {
            return None;
        }
        if !needed.contains(&id) {
            needed.push(id);
            needs(found, around, *own, but, needed)?;
        }
    }
    let changed = Changed::by(found, around.0, around.1, &spared(needed));
    (!changed.touches(found, span)).then_some(())
}

/// Whether a name is bound by one statement alone in its scope.
fn is_bound_once(found: &Found<'_>, name: Symbol, at: Span) -> bool {
    let Some(scope) = origins::scope_of(found.module, name, at) else { return false };
    let mut many = 0;
    origins::bindings(found.module, scope, name, &mut |_, _| many += 1);
    many <= 1
}

/// A compiled function that is defined in a loop.
fn defined(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    let (at, def) = module.stmts.iter().enumerate().find_map(|(at, stmt)| match stmt {
        Stmt::FunctionDef(def) => {
            let is_it = def.decorators.iter().any(|decorator| module.span(*decorator) == found.span());
            is_it.then_some((at, def))
        }
        _ => None,
    })?;
    let id = StmtId(at as u32);
    if !is_bound_once(found, def.name, module.stmt_spans[at]) {
        return None;
    }
    let (span, _) = lines(found, id, "")?;
    let moved = moved(found, span, &[id])?;
    let (span, text) = lines(found, id, moved.indent)?;
    let mut edits = moved.edits(found, &text)?;
    edits.push(found.edit(span, String::new()));
    Some(Fix { title: format!("define `{}` once, before the loop", def.name), edits })
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
        && module.codes.iter().skip(1).filter(|own| own.name == def.name).count() == 1;
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
    let [Target::Name(_, name, _)] = &targets[..] else { return None };
    if module.span(*value) != found.span() || !is_bound_once(found, *name, span) {
        return None;
    }
    let moved = moved(found, span, &[statement])?;
    let line = Span { start: found.line(span)?.0, end: found.next_line(span)? };
    let mut edits = moved.edits(found, &format!("{}{}\n", moved.indent, found.text_at(span)))?;
    edits.push(found.edit(line, String::new()));
    Some(Fix { title: TITLE.into(), edits })
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
