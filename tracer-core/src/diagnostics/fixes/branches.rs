//! `if` on a traced condition as `jax.lax.cond`, where both sides assign to the same names, or return, with the same types.

use super::rounds::{self, Step};
use super::types::{self, Types};
use super::{Found, condition, followed};
use crate::array::{Aval, DType};
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{call, within};
use crate::module::{Body, Code, Expr, ExprId, Stmt, StmtId, Symbol};
use crate::text::Span;

/// The names of the functions that are written.
const NAMES: [&str; 2] = ["if_true", "if_false"];

/// The fix where a side calls functions of the program's, which a choice per element would call both.
pub(super) fn called(found: &Found<'_>) -> Option<Fix> {
    let (_, span) = choice(found)?;
    let own = |id: ExprId| {
        let of = call(found.module, id).filter(|call| call.receiver.is_none())?;
        crate::diagnostics::reading::function(found.module, of.name)
    };
    let mut all = (0..found.module.exprs.len()).map(|at| ExprId(at as u32));
    all.any(|id| within(found.module.span(id), span) && own(id).is_some()).then(|| fix(found))?
}

/// The fix.
pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let (id, span) = choice(found)?;
    let Stmt::If { test, .. } = found.module.stmt(id) else { return None };
    if !found.has_jax() || found.facts.text.contains("enable_x64") || NAMES.iter().any(|name| found.has_name(name)) {
        return None;
    }
    let asked = condition::asked(found, found.jnp()?, *test)?;
    let (_, indent) = found.line(span)?;
    let code = rounds::scope(found, span)?;
    let side = Side { found, code, indent: indent.to_owned() };
    let mut types = side.before(span);
    let written = side.choice(id, &mut types, Some(asked))?;
    found.replace("choose with `jax.lax.cond`".into(), written.span, written.text)
}

/// The `if` whose condition is asked at the diagnostic's range.
fn choice(found: &Found<'_>) -> Option<(StmtId, Span)> {
    let module = found.module;
    let at = module
        .stmts
        .iter()
        .position(|stmt| matches!(stmt, Stmt::If { test, .. } if within(found.span(), module.span(*test))))?;
    Some((StmtId(at as u32), module.stmt_spans[at]))
}

/// What an `if` becomes.
struct Written {
    /// What it replaces: with what stands behind it, where that is its other side.
    span: Span,
    text: String,
    /// The types of what it returns, if it does.
    returns: Option<Vec<Aval>>,
}

/// Where an `if` stands.
struct Side<'f, 'a> {
    found: &'f Found<'a>,
    code: &'a Code,
    indent: String,
}

impl Side<'_, '_> {
    /// The types of names in front of a statement.
    fn before(&self, span: Span) -> Types {
        let (mut types, module) = (Types::default(), self.found.module);
        let head = match module.stmts.iter().zip(&module.stmt_spans).find(|(_, own)| **own == span) {
            Some((Stmt::If { test, .. }, _)) => *test,
            _ => return types,
        };
        for name in self.code.locals.iter().chain(&self.code.cells).chain(self.code.frees.iter().map(|(name, _)| name))
        {
            if let Some(aval) = rounds::at_start(self.found, self.code, *name, head, span) {
                types.set(*name, aval);
            }
        }
        types
    }

    fn deeper(&self) -> Self {
        Side { indent: format!("{}    ", self.indent), ..*self }
    }

    /// An `if` as a call of `cond`; what it binds is of the types that it is given then.
    fn choice(&self, id: StmtId, types: &mut Types, asked: Option<String>) -> Option<Written> {
        let (found, module) = (self.found, self.found.module);
        let Stmt::If { test, body, orelse } = module.stmt(id) else { return None };
        let mut span = module.stmt_spans[id.index()];
        let pred = types::of(found, types, *test).or_else(|| rounds::the_only(found, module.span(*test)));
        let pred = pred.filter(|aval| aval.shape.is_empty())?;
        let mut test = match asked {
            Some(text) => text,
            None => condition::text(found, found.jnp()?, *test)?,
        };
        if pred.dtype != DType::Bool {
            test = format!("({test}) != 0");
        }
        let (returns, other) = match (body.last().map(|id| module.stmt(*id)), &orelse[..]) {
            (Some(Stmt::Return(Some(_))), []) => {
                let rest = following(self.code, id)?;
                span.end = module.stmt_spans[rest.last()?.index()].end;
                (true, rest)
            }
            (Some(Stmt::Return(Some(_))), _) => (true, &orelse[..]),
            _ => (false, &orelse[..]),
        };
        if returns {
            let (yes, a) = self.deeper().returning(body, types)?;
            let (no, b) = self.deeper().returning(other, types)?;
            let all = same(&a, &b)?;
            let text = match (&yes, &no) {
                (Sides::Value(a), Sides::Value(b)) => {
                    format!("return jax.lax.cond({test}, lambda: {a}, lambda: {b})")
                }
                _ => self.functions(&[], "return ", &test, &yes.lines(&self.indent), &no.lines(&self.indent)),
            };
            return Some(Written { span, text, returns: Some(all) });
        }
        self.assigned(span, (body, other), types, &test)
    }

    /// An `if` whose sides assign to names.
    fn assigned(&self, span: Span, sides: (&[StmtId], &[StmtId]), types: &mut Types, test: &str) -> Option<Written> {
        let (mut yes_types, mut no_types) = (types.clone(), types.clone());
        let mut bound = Vec::new();
        let yes = self.deeper().lines(sides.0, &mut yes_types, &mut bound)?;
        let no = self.deeper().lines(sides.1, &mut no_types, &mut bound)?;
        // What nobody reads behind it is a side's own.
        let outer = |name: &Symbol| {
            rounds::reads(self.found, *name).any(|read| within(read, self.code.span) && !within(read, span))
        };
        let given: Vec<&str> =
            bound.iter().filter(|name| types.get(**name).is_some()).map(|name| name.as_str()).collect();
        let results: Vec<Symbol> = bound.iter().copied().filter(outer).collect();
        let avals = |types: &Types| results.iter().map(|name| types.get(*name).cloned()).collect::<Option<Vec<Aval>>>();
        let all = same(&avals(&yes_types)?, &avals(&no_types)?)?;
        for (name, aval) in results.iter().zip(all) {
            types.set(*name, aval);
        }
        let names: Vec<&str> = results.iter().map(|name| name.as_str()).collect();
        let names = (!names.is_empty()).then(|| names.join(", "))?;
        let last = format!("{}    return {names}\n", self.indent);
        let text =
            self.functions(&given, &format!("{names} = "), test, &format!("{yes}{last}"), &format!("{no}{last}"));
        Some(Written { span, text, returns: None })
    }

    /// The functions of both sides, and the call.
    fn functions(&self, given: &[&str], before: &str, test: &str, yes: &str, no: &str) -> String {
        let ([a, b], indent) = (NAMES, &self.indent);
        let params = given.join(", ");
        let args: String = given.iter().map(|name| format!(", {name}")).collect();
        format!(
            "def {a}({params}):\n{yes}{indent}def {b}({params}):\n{no}{indent}{before}jax.lax.cond({test}, {a}, {b}{args})"
        )
    }

    /// A side that returns, and the types of what it does.
    fn returning(&self, block: &[StmtId], types: &Types) -> Option<(Sides, Vec<Aval>)> {
        let (found, module, mut types) = (self.found, self.found.module, types.clone());
        let (last, before) = block.split_last()?;
        let mut bound = Vec::new();
        match module.stmt(*last) {
            Stmt::Return(Some(value)) => {
                let mut lines = self.lines(before, &mut types, &mut bound)?;
                // A function that assigns to a name of the one around it does not see the other's value.
                if bound.iter().any(|name| self.found_before(block, *name)) {
                    return None;
                }
                if !followed::only_computes(found, module.span(*value), followed::DEEPEST) {
                    return None;
                }
                let values = match module.expr(*value) {
                    Expr::Tuple(items) => items.to_vec(),
                    _ => vec![*value],
                };
                let avals =
                    values.iter().map(|value| types::of(found, &types, *value)).collect::<Option<Vec<Aval>>>()?;
                let text = found.text(*value);
                if before.is_empty() {
                    let text = match module.expr(*value) {
                        Expr::Tuple(_) if !text.starts_with('(') => format!("({text})"),
                        _ => text.to_owned(),
                    };
                    return Some((Sides::Value(text), avals));
                }
                lines.push_str(&format!("{}return {text}\n", self.indent));
                Some((Sides::Lines(lines), avals))
            }
            Stmt::If { .. } => {
                let mut lines = self.lines(before, &mut types, &mut bound)?;
                if bound.iter().any(|name| self.found_before(block, *name)) {
                    return None;
                }
                let written = self.choice(*last, &mut types, None)?;
                let avals = written.returns?;
                lines.push_str(&format!("{}{}\n", self.indent, written.text));
                match written.text.strip_prefix("return ").filter(|text| before.is_empty() && !text.contains('\n')) {
                    Some(value) => Some((Sides::Value(value.to_owned()), avals)),
                    None => Some((Sides::Lines(lines), avals)),
                }
            }
            _ => None,
        }
    }

    /// Whether a side reads a name before it assigns to it.
    fn found_before(&self, block: &[StmtId], name: Symbol) -> bool {
        let spans = block.iter().map(|id| self.found.module.stmt_spans[id.index()]);
        let whole = spans.clone().reduce(|a, b| Span { start: a.start, end: b.end });
        let first = block.iter().find_map(|id| Step::of(self.found, *id).filter(|step| step.names.contains(&name)));
        let (Some(whole), Some(first)) = (whole, first) else { return true };
        first.op.is_some()
            || rounds::reads(self.found, name).any(|read| within(read, whole) && read.start < first.span.end)
    }

    /// The lines of a side that assigns, and the names that it binds.
    fn lines(&self, block: &[StmtId], types: &mut Types, bound: &mut Vec<Symbol>) -> Option<String> {
        let mut lines = String::new();
        let mut simple = block.iter().map(|id| Step::of(self.found, *id));
        if simple.all(|step| step.is_some()) && !block.is_empty() {
            for step in block.iter().filter_map(|id| Step::of(self.found, *id)) {
                if !followed::only_computes(self.found, step.span, followed::DEEPEST) {
                    return None;
                }
                step.run(self.found, types)?;
            }
            block.iter().for_each(|id| self.names(*id, bound));
            return Some(self.found.lines(block, &self.indent));
        }
        for id in block {
            let text = match self.found.module.stmt(*id) {
                Stmt::Pass => continue,
                Stmt::If { .. } => {
                    let written = self.choice(*id, types, None)?;
                    if written.returns.is_some() {
                        return None;
                    }
                    written.text
                }
                _ => {
                    let step = Step::of(self.found, *id)?;
                    if !followed::only_computes(self.found, step.span, followed::DEEPEST) {
                        return None;
                    }
                    step.run(self.found, types)?;
                    self.found.text_at(step.span).to_owned()
                }
            };
            self.names(*id, bound);
            lines.push_str(&format!("{}{text}\n", self.indent));
        }
        Some(lines)
    }

    fn names(&self, id: StmtId, bound: &mut Vec<Symbol>) {
        match self.found.module.stmt(id) {
            Stmt::If { body, orelse, .. } => body.iter().chain(orelse).for_each(|id| self.names(*id, bound)),
            _ => {
                for name in Step::of(self.found, id).into_iter().flat_map(|step| step.names) {
                    if !bound.contains(&name) {
                        bound.push(name);
                    }
                }
            }
        }
    }
}

/// What a side that returns is written as.
enum Sides {
    Value(String),
    Lines(String),
}

impl Sides {
    fn lines(&self, indent: &str) -> String {
        match self {
            Sides::Value(text) => format!("{indent}    return {text}\n"),
            Sides::Lines(lines) => lines.clone(),
        }
    }
}

/// The types of both sides, where they are the same but for being weak.
fn same(a: &[Aval], b: &[Aval]) -> Option<Vec<Aval>> {
    let pair = |(a, b): (&Aval, &Aval)| {
        (a.dtype == b.dtype && a.shape == b.shape).then(|| Aval { weak: a.weak && b.weak, ..a.clone() })
    };
    (a.len() == b.len() && !a.is_empty()).then(|| a.iter().zip(b).map(pair).collect::<Option<Vec<Aval>>>())?
}

/// The statements behind another in a function's own block.
fn following(code: &Code, id: StmtId) -> Option<&[StmtId]> {
    let Body::Block(body) = &code.body else { return None };
    let at = body.iter().position(|own| *own == id)?;
    body.get(at + 1..).filter(|rest| !rest.is_empty())
}
