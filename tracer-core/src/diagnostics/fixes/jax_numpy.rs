//! `np.sin(x)` and `math.sin(x)` as `jnp.sin(x)`.

use super::{Found, condition, definitions, jnp_names, numpy_calls, where_choice};
use crate::diagnostics::reading::{self, calls, is_module, within};
use crate::diagnostics::{Fix, Range};
use crate::module::{Expr, ExprId, Stmt, Symbol, Target, UnaryOp};
use crate::text::Span;

/// Functions of `math`, and what `jax.numpy` calls them.
const MATH: [(&str, &str); 28] = [
    ("acos", "arccos"),
    ("asin", "arcsin"),
    ("atan", "arctan"),
    ("atan2", "arctan2"),
    ("ceil", "ceil"),
    ("cos", "cos"),
    ("cosh", "cosh"),
    ("degrees", "degrees"),
    ("exp", "exp"),
    ("expm1", "expm1"),
    ("fabs", "abs"),
    ("floor", "floor"),
    ("fmod", "fmod"),
    ("hypot", "hypot"),
    ("isfinite", "isfinite"),
    ("isinf", "isinf"),
    ("isnan", "isnan"),
    ("log", "log"),
    ("log10", "log10"),
    ("log1p", "log1p"),
    ("log2", "log2"),
    ("pow", "power"),
    ("radians", "radians"),
    ("sin", "sin"),
    ("sqrt", "sqrt"),
    ("tan", "tan"),
    ("tanh", "tanh"),
    ("trunc", "trunc"),
];

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let jnp = found.jnp()?;
    let call = calls(found.module)
        .filter(|call| within(found.span(), call.span))
        .min_by_key(|call| call.span.end - call.span.start)?;
    let receiver = call.receiver?;
    if asked(found, call.span).is_none()
        && let Some(edits) = numpy_calls::edits(found, jnp, &call)
    {
        let inner = numpy_calls::inner(found, &call)?;
        let dot = if inner.is_empty() { "" } else { "." };
        return Some(Fix { title: format!("use `{jnp}{dot}{inner}.{}`", call.name), edits });
    }
    let name = match found.text(receiver) {
        of if is_module(found.module, of, "numpy") => jnp_names::has("", call.name, call.args)
            .then_some(call.name)
            .filter(|_| asked(found, call.span).is_some())?,
        // `math.log` takes a base as well.
        of if is_module(found.module, of, "math") && (call.args.len() == 1 || call.name != "log") => {
            MATH.iter().find(|(name, _)| *name == call.name)?.1
        }
        _ => return None,
    };
    let start = found.module.span(receiver).start;
    let end = start + found.facts.text.get(start as usize..)?.find('(')? as u32;
    let arguments = found.text_at(Span { start: end, end: call.span.end });
    // Those of `math` give Python's integers, which index.
    let is_of_math = is_module(found.module, found.text(receiver), "math");
    let is_whole = is_of_math && WHOLE.contains(&name);
    let new = format!("{jnp}.{name}{arguments}{}", if is_whole { ".astype(int)" } else { "" });
    let title = format!("use `{jnp}.{name}`");
    if let Some(asked) = asked(found, call.span) {
        return chosen(found, jnp, asked, call.span, &new, title);
    }
    // A whole number that another call is given may have to be one of Python's: a size.
    let is_given = |id: ExprId| found.module.span(id) == call.span;
    if is_whole
        && calls(found.module).any(|other| (0..other.args.len()).any(|at| other.argument(at).is_some_and(is_given)))
    {
        return None;
    }
    let mut edits = vec![found.edit(call.span, new)];
    edits.extend(others(found, jnp, call.span));
    Some(Fix { title, edits })
}

/// The other functions of `math` in the statement that are given a name which the failing one is given too: they would fail next.
fn others(found: &Found<'_>, jnp: &str, failing: Span) -> Vec<(Range, String)> {
    let module = found.module;
    let Some((_, statement)) = found.statement(failing) else { return Vec::new() };
    let names = |place: Span| {
        let inside = module.exprs.iter().zip(&module.expr_spans).filter(move |(_, span)| within(**span, place));
        inside.filter_map(|(expr, _)| match expr {
            Expr::Name(_, name) if !is_module(module, name.as_str(), "math") => Some(*name),
            _ => None,
        })
    };
    let given: Vec<Symbol> = names(failing).collect();
    let all = calls(module).filter(|call| within(call.span, statement));
    // Those in one another are written by the outer one, as they are.
    let apart = all.filter(|call| !within(call.span, failing) && !within(failing, call.span));
    let math = apart.filter_map(|call| {
        let receiver = call.receiver.filter(|receiver| is_module(module, found.text(*receiver), "math"))?;
        let (_, name) = MATH.iter().find(|(name, _)| *name == call.name && *name != "log")?;
        let is_plain = asked(found, call.span).is_none();
        let function =
            Span { start: module.span(receiver).start, end: module.span(receiver).end + 1 + call.name.len() as u32 };
        let mut edits = vec![found.edit(function, format!("{jnp}.{name}"))];
        if WHOLE.contains(name) {
            edits.push(found.edit(Span { start: call.span.end, end: call.span.end }, ".astype(int)".into()));
        }
        (is_plain && names(call.span).any(|name| given.contains(&name))).then_some(edits)
    });
    math.flatten().collect()
}

/// The functions of `math` that give integers.
const WHOLE: [&str; 3] = ["ceil", "floor", "trunc"];

/// What asks the value of a call for its truth or takes it for a number: directly, or by the name that it is bound to.
fn asked(found: &Found<'_>, call: Span) -> Option<Asked> {
    let module = found.module;
    let bound = module.stmts.iter().find_map(|stmt| match stmt {
        Stmt::Assign(targets, value) if within(call, module.span(*value)) => match &targets[..] {
            [Target::Name(_, name, _)] => Some(*name),
            _ => None,
        },
        _ => None,
    });
    let code = definitions::around(found, call).map(|code| code.span);
    // In what is asked stands the call itself, or its name further down in the same function.
    let stands =
        |place: ExprId| {
            let place = module.span(place);
            within(call, place)
                || bound.is_some_and(|name| {
                    place.start > call.end
                        && code.is_none_or(|code| within(place, code))
                        && module.exprs.iter().zip(&module.expr_spans).any(|(expr, span)| {
                            within(*span, place) && matches!(expr, Expr::Name(_, own) if *own == name)
                        })
                })
        };
    let by_statement = module.stmts.iter().find_map(|stmt| match stmt {
        Stmt::If { test, .. } if stands(*test) => Some(Asked::By(*test)),
        Stmt::While { test, .. } | Stmt::Assert(test, _) if stands(*test) => Some(Asked::Otherwise),
        _ => None,
    });
    let by_part = || {
        module.exprs.iter().enumerate().find_map(|(at, expr)| match expr {
            Expr::IfExp { test, body, orelse } if stands(*test) => {
                Some(Asked::Between(ExprId(at as u32), [*test, *body, *orelse]))
            }
            Expr::And(parts) | Expr::Or(parts) if parts.iter().any(|part| stands(*part)) => Some(Asked::Otherwise),
            Expr::Unary(UnaryOp::Not, value) if stands(*value) => Some(Asked::Otherwise),
            Expr::Call(..) => reading::call(module, ExprId(at as u32))
                .filter(|call| call.receiver.is_none() && matches!(call.name, "range" | "int" | "float" | "bool"))
                .filter(|call| (0..call.args.len()).any(|at| call.argument(at).is_some_and(&stands)))
                .map(|_| Asked::Otherwise),
            _ => None,
        })
    };
    by_statement.or_else(by_part)
}

/// What asks a value.
enum Asked {
    /// An `if` statement, by its condition.
    By(ExprId),
    /// `a if test else b`: the whole, and its parts.
    Between(ExprId, [ExprId; 3]),
    /// Anything else.
    Otherwise,
}

/// The choice that asks for the call, as one per element.
fn chosen(found: &Found<'_>, jnp: &str, by: Asked, call: Span, new: &str, title: String) -> Option<Fix> {
    let reworded = |test: ExprId| {
        within(call, found.module.span(test)).then_some(())?;
        let (old, text) = (found.text_at(call), condition::text(found, jnp, test)?);
        (text.matches(old).count() == 1).then(|| text.replacen(old, new, 1))
    };
    let title = format!("{title}, and choose with `{jnp}.where`");
    match by {
        Asked::By(test) => {
            let asking = found.module.span(test);
            let (span, text) =
                where_choice::chosen(found, |own| (found.module.span(own) == asking).then(|| reworded(own))?, jnp)?;
            found.replace(title, span, text)
        }
        Asked::Between(whole, [test, body, orelse]) => {
            let text = where_choice::one_of(found, jnp, &reworded(test)?, body, orelse)?;
            found.replace(title, found.module.span(whole), text)
        }
        Asked::Otherwise => None,
    }
}
