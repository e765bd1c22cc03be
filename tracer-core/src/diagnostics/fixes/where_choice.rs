//! A choice of Python's on a traced value as one per element: `jnp.where`, `jnp.logical_and`, `jnp.maximum`, `jnp.isin`.

use super::{Found, condition};
use crate::diagnostics::reading::{call, within};
use crate::diagnostics::{Fix, nan_gradient};
use crate::interp::Event;
use crate::module::{BinaryOp, CompareOp, Const, Expr, ExprId, Module, Stmt, StmtId, Target, UnaryOp};
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let jnp = found.jnp()?;
    if let Some((span, text)) = choice(found, jnp) {
        return found.replace(format!("choose with `{jnp}.where`"), span, text);
    }
    let id = found.expr()?;
    if let Some(asking) = asking(found, id) {
        // What is asked in turn has to be chosen by as a whole.
        let whole = asking?;
        let Expr::IfExp { test, body, orelse } = found.module.expr(whole) else { return None };
        let text = one_of(found, jnp, &condition::text(found, jnp, *test)?, *body, *orelse)?;
        return found.replace(format!("choose with `{jnp}.where`"), found.module.span(whole), text);
    }
    let (title, text) = expression(found, jnp, id)?;
    found.replace(title, found.span(), text)
}

/// What asks for the truth of the condition that an expression stands in, if it stands in one: a choice, or a statement (`None`).
fn asking(found: &Found<'_>, id: ExprId) -> Option<Option<ExprId>> {
    let module = found.module;
    let stands = |test: ExprId| within(module.span(id), module.span(test));
    let choice = module.exprs.iter().position(|expr| matches!(expr, Expr::IfExp { test, .. } if stands(*test)));
    let by_statement = || {
        module.stmts.iter().any(|stmt| match stmt {
            Stmt::If { test, .. } | Stmt::While { test, .. } | Stmt::Assert(test, _) => stands(*test),
            _ => false,
        })
    };
    match choice {
        Some(at) => Some(Some(ExprId(at as u32))),
        None => by_statement().then_some(None),
    }
}

fn expression(found: &Found<'_>, jnp: &str, id: ExprId) -> Option<(String, String)> {
    let text = |id: ExprId| found.text(id);
    let joined = |name: &str, parts: &[ExprId]| {
        let mut parts = parts.iter().map(|part| text(*part).to_owned());
        let first = parts.next()?;
        let all = parts.fold(first, |all, part| format!("{jnp}.{name}({all}, {part})"));
        Some((format!("combine with `{jnp}.{name}`"), all))
    };
    match found.module.expr(id) {
        Expr::And(parts) => joined("logical_and", parts),
        Expr::Or(parts) => joined("logical_or", parts),
        Expr::Unary(UnaryOp::Not, value) => {
            Some((format!("negate with `{jnp}.logical_not`"), format!("{jnp}.logical_not({})", text(*value))))
        }
        Expr::IfExp { test, body, orelse } => {
            let chosen = one_of(found, jnp, &condition::text(found, jnp, *test)?, *body, *orelse)?;
            Some((format!("choose with `{jnp}.where`"), chosen))
        }
        Expr::Compare(first, rest) => match &rest[..] {
            [(CompareOp::In, items)] if matches!(found.module.expr(*items), Expr::List(_) | Expr::Tuple(_)) => Some((
                format!("ask with `{jnp}.isin`"),
                format!("{jnp}.isin({}, {jnp}.array({}))", text(*first), text(*items)),
            )),
            [(a, middle), (b, last)] => {
                let (a, b) = (condition::sign(*a)?, condition::sign(*b)?);
                let (first, middle, last) = (text(*first), text(*middle), text(*last));
                Some(("compare in two steps".into(), format!("(({first} {a} {middle}) & ({middle} {b} {last}))")))
            }
            _ => None,
        },
        Expr::Call(..) => {
            let call = call(found.module, id).filter(|call| call.receiver.is_none() && call.args.len() == 2)?;
            let name = match call.name {
                "max" => "maximum",
                "min" => "minimum",
                _ => return None,
            };
            let (a, b) = (call.argument(0)?, call.argument(1)?);
            Some((format!("compare with `{jnp}.{name}`"), format!("{jnp}.{name}({}, {})", text(a), text(b))))
        }
        _ => None,
    }
}

/// `jnp.where(test, a, b)`, where both sides may be computed, and their derivatives.
pub(super) fn one_of(found: &Found<'_>, jnp: &str, test: &str, a: ExprId, b: ExprId) -> Option<String> {
    let [a, b] = [side(found, a)?, side(found, b)?];
    Some(format!("{jnp}.where({test}, {a}, {b})"))
}

/// The text of a side of a choice.
fn side<'a>(found: &Found<'a>, id: ExprId) -> Option<&'a str> {
    let derived = || found.events.iter().any(|event| matches!(event, Event::Differentiated { .. }));
    (is_number(found.module, id) && !(nan_gradient::may_be_undefined(found.module, id) && derived()))
        .then(|| found.text(id))
}

/// Whether an expression may be an array or a number: no container, text or `None`.
fn is_number(module: &Module, id: ExprId) -> bool {
    match module.expr(id) {
        Expr::Constant(value) => matches!(value, Const::Int(_) | Const::Float(_) | Const::Bool(_)),
        Expr::Tuple(_) | Expr::List(_) | Expr::Dict(_) | Expr::Set(_) | Expr::FString(_) | Expr::Lambda(..) => false,
        _ => true,
    }
}

/// An `if` statement whose two sides give one value: its range and what stands there instead.
fn choice(found: &Found<'_>, jnp: &str) -> Option<(Span, String)> {
    chosen(found, |test| condition::asked(found, jnp, test), jnp)
}

/// The same for a condition in other words.
pub(super) fn chosen(
    found: &Found<'_>,
    asked: impl FnOnce(ExprId) -> Option<String>,
    jnp: &str,
) -> Option<(Span, String)> {
    let module = found.module;
    let at = module
        .stmts
        .iter()
        .position(|stmt| matches!(stmt, Stmt::If { test, .. } if within(found.span(), module.span(*test))))?;
    let Stmt::If { test, body, orelse } = &module.stmts[at] else { return None };
    let span = module.stmt_spans[at];
    let test = asked(*test)?;
    let [body] = body[..] else { return None };
    let number = |id: ExprId| side(found, id);
    let chosen = |name: &str, a: &str, b: &str| format!("{name} = {jnp}.where({test}, {a}, {b})");
    match (module.stmt(body), &orelse[..]) {
        (Stmt::Assign(targets, a), []) => {
            let name = name_of(targets)?;
            Some((span, chosen(name, number(*a)?, name)))
        }
        (Stmt::AugAssign { target: Target::Name(_, name, _), op, value }, []) => {
            let op = match op {
                BinaryOp::Add => "+",
                BinaryOp::Sub => "-",
                BinaryOp::Mul => "*",
                BinaryOp::Div => "/",
                _ => return None,
            };
            let name = name.as_str();
            Some((span, chosen(name, &format!("{name} {op} ({})", number(*value)?), name)))
        }
        (Stmt::Assign(targets, a), [other]) => {
            let Stmt::Assign(others, b) = module.stmt(*other) else { return None };
            let name = name_of(targets).filter(|name| name_of(others) == Some(name))?;
            Some((span, chosen(name, number(*a)?, number(*b)?)))
        }
        (Stmt::Return(Some(a)), rest) => {
            let last = match rest {
                [] => following(module, StmtId(at as u32))?,
                [other] => *other,
                _ => return None,
            };
            let Stmt::Return(Some(b)) = module.stmt(last) else { return None };
            let whole = Span { start: span.start, end: span.end.max(module.stmt_spans[last.0 as usize].end) };
            Some((whole, format!("return {jnp}.where({test}, {}, {})", number(*a)?, number(*b)?)))
        }
        _ => None,
    }
}

fn name_of(targets: &[Target]) -> Option<&str> {
    match targets {
        [Target::Name(_, name, _)] => Some(name.as_str()),
        _ => None,
    }
}

/// The statement behind another in the same function body.
fn following(module: &Module, id: StmtId) -> Option<StmtId> {
    module.codes.iter().find_map(|code| match &code.body {
        crate::module::Body::Block(body) => {
            let at = body.iter().position(|own| *own == id)?;
            body.get(at + 1).copied()
        }
        _ => None,
    })
}
