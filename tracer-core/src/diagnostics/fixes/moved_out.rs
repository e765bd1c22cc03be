//! What a traced function changes outside is changed where it is called: `history.append(y)` behind `y = f(x)`, and
//! `z, y = f(x)` where it did not return what it kept.

use super::{Found, given_out, rounds};
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{call, calls, within};
use crate::interp::{self, How};
use crate::module::{Arg, Body, Code, Const, Expr, ExprId, Place, Stmt, StmtId, Symbol, Target};
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    // What happens once for all elements of a mapped axis happens once outside.
    if found.effects().any(|effect| matches!(effect, interp::Effect::Write(_, How::Batched))) {
        return None;
    }
    let (statement, span) = found.statement(found.span())?;
    let code = rounds::scope(found, span)?;
    let Body::Block(block) = &code.body else { return None };
    let is_text = |id: &StmtId| {
        matches!(module.stmt(*id), Stmt::Expr(value)
        if matches!(module.expr(*value), Expr::Constant(Const::Str(_))))
    };
    if !block.contains(&statement) || block.iter().filter(|id| !is_text(id)).count() < 2 {
        return None;
    }
    let effect = Effect::of(found, code, statement, span)?;
    let sites = sites(found, code)?;
    let mut edits = vec![found.edit(Span { start: found.line(span)?.0, end: found.next_line(span)? }, String::new())];
    let added = effect.added();
    if !added.is_empty() {
        edits.push(given_out::returned(found, code, &added)?);
    }
    for site in sites {
        if !added.is_empty() {
            edits.push(given_out::taken(found, code, &site, &added)?);
        }
        let text = effect.at(found, code, &site)?;
        let (start, indent) = found.line(site.span)?;
        let at = if effect.behind { found.next_line(site.span)? } else { start };
        edits.push(found.edit(Span { start: at, end: at }, format!("{indent}{text}\n")));
    }
    Some(Fix { title: "do it where the function is called".into(), edits })
}

/// What the statement does, and what it reads of its function.
struct Effect {
    span: Span,
    /// Names of the function that stand in it.
    reads: Vec<(Span, Read)>,
    /// Whether it is done behind the call.
    behind: bool,
    /// A name that it binds.
    binds: bool,
}

#[derive(Copy, Clone)]
enum Read {
    /// A parameter, by its place.
    Param(usize),
    /// What the function returns, or this part of it.
    Result(Option<usize>),
    /// A value of the function's that it returns as well from now on.
    Added(Symbol),
}

impl Effect {
    fn of(found: &Found<'_>, code: &Code, id: StmtId, span: Span) -> Option<Effect> {
        let module = found.module;
        let binds = match module.stmt(id) {
            Stmt::Expr(value) => {
                let call = call(module, *value).filter(|call| call.receiver.is_some())?;
                if !["append", "add", "appendleft", "update", "extend"].contains(&call.name) {
                    return None;
                }
                false
            }
            Stmt::Assign(targets, _) => match &targets[..] {
                [Target::Attribute(..) | Target::Subscript(..)] => false,
                [Target::Name(Place::Global(_), ..)] => true,
                _ => return None,
            },
            Stmt::AugAssign { target, .. } => match target {
                Target::Attribute(..) | Target::Subscript(..) => false,
                Target::Name(Place::Global(_), ..) => true,
                _ => return None,
            },
            _ => return None,
        };
        let returned = returned(found, code)?;
        let mut reads = Vec::new();
        for (expr, own) in module.exprs.iter().zip(&module.expr_spans).filter(|(_, own)| within(**own, span)) {
            match expr {
                Expr::Name(Place::Global(_), _) => {}
                Expr::Name(_, name) => reads.push((*own, read(code, *name, found, &returned)?)),
                Expr::Lambda(..) | Expr::Comprehension(..) | Expr::Yield(_) | Expr::Await(_) | Expr::Walrus(..) => {
                    return None;
                }
                _ => {}
            }
        }
        let results = reads.iter().filter(|(_, read)| !matches!(read, Read::Param(_))).count();
        // What is given and what comes back are not at hand in one place.
        if results != 0 && results != reads.len() {
            return None;
        }
        Some(Effect { span, reads, behind: results != 0, binds })
    }

    /// What the function has to return as well.
    fn added(&self) -> Vec<Symbol> {
        let mut names = Vec::new();
        for (_, read) in &self.reads {
            if let Read::Added(name) = read
                && !names.contains(name)
            {
                names.push(*name);
            }
        }
        names
    }

    /// The statement at a place where the function is called.
    fn at(&self, found: &Found<'_>, code: &Code, site: &Site<'_>) -> Option<String> {
        if self.binds && rounds::scope(found, site.span).is_some() {
            return None;
        }
        let mut text = found.text_at(self.span).to_owned();
        let mut reads = self.reads.clone();
        reads.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        for (span, read) in reads {
            let new = match read {
                Read::Param(at) => site.argument(found, code, at)?.to_owned(),
                Read::Result(part) => site.result(part)?.to_owned(),
                Read::Added(name) => given_out::name_at(found, site, name)?,
            };
            let (start, end) = ((span.start - self.span.start) as usize, (span.end - self.span.start) as usize);
            text.replace_range(start..end, &new);
        }
        Some(text)
    }
}

/// What the function returns in its last statement, and nowhere else: one name, or several.
enum Returned {
    One(Symbol),
    Parts(Vec<Option<Symbol>>),
    Other,
}

fn returned(found: &Found<'_>, code: &Code) -> Option<Returned> {
    let module = found.module;
    let name = |id: ExprId| match module.expr(id) {
        Expr::Name(_, name) => Some(*name),
        _ => None,
    };
    let all = crate::diagnostics::reading::statements(module, code);
    let mut values = all.iter().filter_map(|id| match module.stmt(*id) {
        Stmt::Return(value) => Some(*value),
        _ => None,
    });
    let (first, more) = (values.next(), values.next());
    // A function that may return before does not always come to the statement.
    if more.is_some() || first.is_some() && !matches!(all.last().map(|id| module.stmt(*id)), Some(Stmt::Return(_))) {
        return None;
    }
    Some(match first.flatten() {
        Some(value) => match module.expr(value) {
            Expr::Tuple(items) => Returned::Parts(items.iter().map(|item| name(*item)).collect()),
            _ => name(value).map_or(Returned::Other, Returned::One),
        },
        None => Returned::Other,
    })
}

/// What a name of the function is outside.
fn read(code: &Code, name: Symbol, found: &Found<'_>, returned: &Returned) -> Option<Read> {
    let mut bound = 0;
    crate::diagnostics::origins::bindings(found.module, code, name, &mut |_, _| bound += 1);
    let param = code.params.names.iter().position(|param| param.name == name);
    if let Some(at) = param.filter(|_| bound == 0) {
        return (at < code.params.positional as usize).then_some(Read::Param(at));
    }
    if param.is_some() || bound != 1 {
        return None;
    }
    let part = |parts: &[Option<Symbol>]| parts.iter().position(|part| *part == Some(name));
    Some(match returned {
        Returned::One(own) if *own == name => Read::Result(None),
        Returned::Parts(parts) if part(parts).is_some() => Read::Result(part(parts)),
        _ => Read::Added(name),
    })
}

/// A statement that calls the function.
pub(super) struct Site<'a> {
    pub(super) span: Span,
    pub(super) targets: &'a [Target],
    args: &'a [Arg],
    /// The call.
    pub(super) call: ExprId,
}

impl<'a> Site<'a> {
    fn argument(&self, found: &Found<'a>, code: &Code, at: usize) -> Option<&'a str> {
        let given = self.args.iter().enumerate().find_map(|(i, arg)| match arg {
            Arg::Positional(value) if i == at => Some(*value),
            Arg::Keyword(name, value) if *name == code.params.names[at].name => Some(*value),
            _ => None,
        })?;
        matches!(found.module.expr(given), Expr::Name(..) | Expr::Constant(_)).then(|| found.text(given))
    }

    fn result(&self, part: Option<usize>) -> Option<&'static str> {
        let target = match (self.targets, part) {
            ([target], None) => target,
            ([Target::Tuple(items, _)], Some(at)) => items.get(at)?,
            _ => return None,
        };
        match target {
            Target::Name(_, name, _) => Some(name.as_str()),
            _ => None,
        }
    }
}

/// All places where the function is called, if it is used in no other way.
fn sites<'a>(found: &Found<'a>, code: &Code) -> Option<Vec<Site<'a>>> {
    let module = found.module;
    if rounds::scope(found, code.name_span).is_some_and(|outer| !std::ptr::eq(outer, code)) {
        return None;
    }
    let mut names = vec![code.name];
    let decorators = module.stmts.iter().find_map(|stmt| match stmt {
        Stmt::FunctionDef(def) if std::ptr::eq(module.code(def.code), code) => Some(&*def.decorators),
        _ => None,
    })?;
    if !decorators.iter().all(|decorator| found.text(*decorator).contains("jit")) {
        return None;
    }
    if decorators.is_empty() {
        names = vec![compiled(found, code.name)?];
    }
    let mut sites = Vec::new();
    for call in
        calls(module).filter(|call| call.receiver.is_none() && names.iter().any(|name| name.as_str() == call.name))
    {
        sites.push(site(found, call.id, call.args)?);
    }
    let reads = rounds::reads(found, names[0]).count();
    (reads == sites.len() && !sites.is_empty()).then_some(sites)
}

/// The name of what a function is compiled as: `g` of `g = jax.jit(f)`, where that is all that is done with it.
fn compiled(found: &Found<'_>, name: Symbol) -> Option<Symbol> {
    let module = found.module;
    let mut all = module.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Assign(targets, value) => {
            let call = call(module, *value).filter(|call| call.name == "jit")?;
            let is_own = matches!(module.expr(call.argument(0)?), Expr::Name(_, own) if *own == name);
            match &targets[..] {
                [Target::Name(_, target, _)] if is_own => Some(*target),
                _ => None,
            }
        }
        _ => None,
    });
    let target = all.next()?;
    (rounds::reads(found, name).count() == 1).then_some(target)
}

/// The statement that a call is, or whose value it is, in code that is not traced.
fn site<'a>(found: &Found<'a>, id: ExprId, args: &'a [Arg]) -> Option<Site<'a>> {
    let module = found.module;
    let (at, targets): (usize, &[Target]) = module.stmts.iter().enumerate().find_map(|(at, stmt)| match stmt {
        Stmt::Expr(value) if *value == id => Some((at, &[][..])),
        Stmt::Assign(targets, value) if *value == id => Some((at, &targets[..])),
        _ => None,
    })?;
    let span = module.stmt_spans[at];
    if let Some(code) = rounds::scope(found, span) {
        let mut functions = found.facts.functions.iter();
        functions.find(|fact| fact.name_span == code.name_span && fact.traced == Some(0))?;
    }
    Some(Site { span, targets, args, call: id })
}
