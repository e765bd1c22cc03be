//! `nan-gradient`: `jnp.where(x > 0, jnp.sqrt(x), 0)` gives the right value where `x` is not positive, and a gradient of NaN.
//!
//! The derivative of the branch that is not taken is multiplied by zero, and zero times infinity is no number.

use super::origins::bound;
use super::reading::{call, function, returned, within};
use super::{Diagnostic, Range, Severity};
use crate::analysis::{Analysis, FileFacts};
use crate::interp::Event;
use crate::module::{Arg, BinaryOp, Const, Expr, ExprId, Module, Symbol, UnaryOp};
use crate::text::Span;

/// Functions whose derivative is infinite, or not defined, at the edge of where they are.
const UNSAFE: [&str; 13] = [
    "log",
    "log2",
    "log10",
    "sqrt",
    "rsqrt",
    "reciprocal",
    "arcsin",
    "arccos",
    "arctanh",
    "arccosh",
    "power",
    "log1p",
    "norm",
];
/// Those of them whose derivative is a number on both sides of zero, and infinite there alone.
const INFINITE_AT_ZERO: [&str; 4] = ["log", "log2", "log10", "reciprocal"];
/// A condition on a number further from zero than this does not ask for zero.
const NEAR_ZERO: f64 = 0.01;
/// So many names are followed to where they are bound, and functions into their bodies.
const MOST_FOLLOWED: u32 = 3;

/// Whether the derivative of something may be infinite, or not defined, where its value is not used.
pub(super) fn may_be_undefined(module: &Module, of: ExprId) -> bool {
    let around = module.span(of);
    module.exprs.iter().zip(&module.expr_spans).enumerate().any(|(at, (expr, span))| {
        within(*span, around)
            && match expr {
                Expr::Binary(BinaryOp::Div | BinaryOp::Mod | BinaryOp::FloorDiv, _, b)
                | Expr::Binary(BinaryOp::Pow, _, b) => {
                    !matches!(module.expr(*b), Expr::Constant(Const::Int(1..) | Const::Float(_)))
                        || matches!(expr, Expr::Binary(BinaryOp::Pow, ..))
                            && matches!(module.expr(*b), Expr::Constant(Const::Float(_)))
                }
                Expr::Call(..) => call(module, ExprId(at as u32)).is_some_and(|call| UNSAFE.contains(&call.name)),
                _ => false,
            }
    })
}

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        let module = &*facts.module;
        let differentiated = differentiated(analysis, facts);
        for (i, span) in module.expr_spans.iter().enumerate() {
            if !differentiated.iter().any(|choice| within(*choice, *span)) {
                continue;
            }
            let Some(Part { name, what, at_zero }) = unsafe_choice(facts, ExprId(i as u32)) else { continue };
            found.push(Diagnostic {
                at: Range { file, span: *span },
                rule: "nan-gradient",
                severity: Severity::Warning,
                message: format!(
                    "the gradient is NaN where {what} of `{name}` is {}: both branches are differentiated, and zero times \
                     infinity is NaN",
                    if at_zero { "infinite" } else { "not defined" },
                ),
                help: Some(format!(
                    "make `{name}` safe before: `safe = jnp.where(condition, {name}, 1.0)`, and use `safe` in the branch"
                )),
                related: Vec::new(),
                fixes: Vec::new(),
            });
        }
    }
    found
}

/// The choices in a file that a cotangent went through.
fn differentiated(analysis: &Analysis, facts: &FileFacts) -> Vec<Span> {
    let span_here = |event: &Event| match event {
        Event::DifferentiatedChoice { site } if site.file == facts.id => Some(site.span),
        _ => None,
    };
    analysis.events.iter().filter_map(span_here).collect()
}

/// The name that a choice has to make safe in its branches.
pub(super) fn guarded_name(facts: &FileFacts, choice: ExprId) -> Option<String> {
    unsafe_choice(facts, choice).map(|part| part.name)
}

/// Of `where(condition, a, b)`, what the condition looks at that a branch does something unsafe with.
fn unsafe_choice(facts: &FileFacts, id: ExprId) -> Option<Part> {
    let module = &*facts.module;
    let choice = call(module, id).filter(|call| matches!(call.name, "where" | "select"))?;
    let [Arg::Positional(condition), Arg::Positional(a), Arg::Positional(b)] = choice.args[..] else { return None };
    let guard = Guard { facts, names: guarded(module, condition, choice.span), condition: module.span(condition) };
    [a, b].into_iter().find_map(|branch| unsafe_part(&guard, branch, MOST_FOLLOWED))
}

/// Something unsafe in a branch.
struct Part {
    /// What the condition looks at.
    name: String,
    /// What is taken of it.
    what: String,
    /// Whether only zero is unsafe.
    at_zero: bool,
}

impl Part {
    fn new(name: String, what: impl Into<String>, at_zero: bool) -> Part {
        Part { name, what: what.into(), at_zero }
    }
}

/// What a condition looks at.
struct Guard<'a> {
    facts: &'a FileFacts,
    names: Vec<Symbol>,
    condition: Span,
}

/// The names that a condition reads, also by way of a name of its own: `mask = x > 0`.
fn guarded(module: &Module, condition: ExprId, choice: Span) -> Vec<Symbol> {
    let mut all = names(module, module.span(condition));
    for name in all.clone() {
        let Some((at, Some(value))) = bound(module, name, choice) else { continue };
        // A mask that is drawn depends on a rate, and says nothing about it.
        if !matches!(module.expr(value), Expr::Compare(..)) {
            continue;
        }
        // What was bound again since then is not what was looked at.
        all.extend(names(module, module.span(value)).into_iter().filter(|inner| {
            let places = [at, choice].map(|reader| bound(module, *inner, reader).map(|(place, _)| place));
            places[0] == places[1]
        }));
    }
    all
}

/// Variables that are read in a range.
fn names(module: &Module, span: Span) -> Vec<Symbol> {
    let inside = module.exprs.iter().zip(&module.expr_spans).filter(|(_, own)| within(**own, span));
    inside.filter_map(|(expr, _)| if let Expr::Name(_, name) = expr { Some(*name) } else { None }).collect()
}

/// An operation in a branch that is not defined everywhere, on what the condition looks at.
fn unsafe_part(guard: &Guard<'_>, branch: ExprId, depth: u32) -> Option<Part> {
    let module = &*guard.facts.module;
    let span = module.span(branch);
    let inside = (0..module.exprs.len()).map(|i| ExprId(i as u32)).filter(|id| within(module.span(*id), span));
    inside.into_iter().find_map(|id| match module.expr(id) {
        Expr::Call(..) => {
            let call = call(module, id)?;
            if UNSAFE.contains(&call.name) {
                let of = call.argument(0)?;
                let operand = looked_at(guard, of)?;
                let at_zero = INFINITE_AT_ZERO.contains(&call.name);
                return (!at_zero || asks_zero(guard, of))
                    .then(|| Part::new(operand, format!("`{}`", call.name), at_zero));
            }
            if depth == 0 || call.receiver.is_some() {
                return None;
            }
            // A function of the program's, on a parameter that is given what the condition looks at.
            let code = function(module, call.name)?;
            let value = returned(module, code)?;
            let given = code.params.names.iter().enumerate().filter(|(place, param)| {
                let argument = call.argument_or(*place, param.name.as_str());
                argument.is_some_and(|argument| looked_at(guard, argument).is_some())
            });
            let names: Vec<Symbol> = given.map(|(_, param)| param.name).collect();
            let inner = Guard { facts: guard.facts, names, condition: guard.condition };
            let part = unsafe_part(&inner, value, depth - 1)?;
            let name = (0..call.args.len()).find_map(|at| looked_at(guard, call.argument(at)?))?;
            Some(Part { name, ..part })
        }
        Expr::Binary(BinaryOp::Div, _, right) if asks_zero(guard, *right) => {
            Some(Part::new(looked_at(guard, *right)?, "division by the value", true))
        }
        Expr::Binary(BinaryOp::Pow, base, exponent) if has_steep_end(module, *exponent) => {
            Some(Part::new(looked_at(guard, *base)?, "the power", false))
        }
        // `y = jnp.sqrt(x)` before.
        Expr::Name(_, name) if depth > 0 && !guard.names.contains(name) => {
            let value = bound(module, *name, module.span(id))?.1?;
            unsafe_part(guard, value, depth - 1)
        }
        // `n = jnp.sqrt(jnp.sum(x ** 2))` before, which is zero where what it is made of is.
        Expr::Name(_, name) if depth > 0 => root_of_zero(guard, bound(module, *name, module.span(id))?.1?),
        _ => None,
    })
}

/// Whether a condition may be there to leave out where an operand is zero: it names no numbers, or one near that.
fn asks_zero(guard: &Guard<'_>, operand: ExprId) -> bool {
    let module = &*guard.facts.module;
    let Some(zero) = zero_of(module, operand) else { return true };
    let inside = module.exprs.iter().zip(&module.expr_spans).filter(|(_, span)| within(**span, guard.condition));
    let numbers: Vec<f64> = inside.filter_map(|(expr, _)| number(expr)).collect();
    numbers.is_empty() || numbers.iter().any(|number| (number.abs() - zero.abs()).abs() < NEAR_ZERO)
}

/// The value of a variable for which an operand is zero, where that is easily told: `x`, `-x`, `x - 1`, `1 - x`.
fn zero_of(module: &Module, operand: ExprId) -> Option<f64> {
    match module.expr(operand) {
        Expr::Name(..) => Some(0.0),
        Expr::Unary(UnaryOp::Neg, value) => zero_of(module, *value),
        Expr::Binary(BinaryOp::Sub, a, b) => match (module.expr(*a), module.expr(*b)) {
            (Expr::Name(..), other) | (other, Expr::Name(..)) => number(other),
            _ => None,
        },
        _ => None,
    }
}

/// The value of a constant.
fn number(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Constant(Const::Int(value)) => Some(*value as f64),
        Expr::Constant(Const::Float(value)) => Some(*value),
        _ => None,
    }
}

/// A square root or a norm of what may be zero, in front of a condition that leaves out zero.
fn root_of_zero(guard: &Guard<'_>, value: ExprId) -> Option<Part> {
    let module = &*guard.facts.module;
    let root = call(module, value).filter(|call| matches!(call.name, "sqrt" | "norm"))?;
    let operand = root.argument(0)?;
    let made_of = match module.expr(operand) {
        Expr::Name(_, name) => bound(module, *name, root.span).and_then(|(_, value)| value).unwrap_or(operand),
        _ => operand,
    };
    let may_be_zero = root.name == "norm"
        || match module.expr(made_of) {
            Expr::Call(..) => {
                call(module, made_of).is_some_and(|call| matches!(call.name, "sum" | "dot" | "vdot" | "square"))
            }
            Expr::Binary(op, ..) => matches!(op, BinaryOp::Pow | BinaryOp::MatMul),
            _ => false,
        };
    let inside = module.exprs.iter().zip(&module.expr_spans).filter(|(_, span)| within(**span, guard.condition));
    let asks_zero = inside.into_iter().any(|(expr, _)| {
        matches!(expr, Expr::Constant(Const::Int(0))) || matches!(expr, Expr::Constant(Const::Float(x)) if *x == 0.0)
    });
    let span = module.span(operand);
    let text = guard.facts.text.get(span.start as usize..span.end as usize)?.to_owned();
    (may_be_zero && asks_zero).then(|| Part::new(text, format!("`{}`", root.name), false))
}

/// Whether a power with this exponent has no derivative at zero, or no value.
fn has_steep_end(module: &Module, exponent: ExprId) -> bool {
    match module.expr(exponent) {
        Expr::Constant(Const::Float(value)) => *value < 1.0,
        Expr::Unary(UnaryOp::Neg, value) => {
            matches!(module.expr(*value), Expr::Constant(Const::Int(_) | Const::Float(_)))
        }
        Expr::Binary(BinaryOp::Div, a, b) => {
            number(module.expr(*a)).zip(number(module.expr(*b))).is_some_and(|(a, b)| a / b < 1.0)
        }
        _ => false,
    }
}

/// The text of an operand that is what the condition looks at: a variable, what is computed of it without making it safe, or an
/// expression that stands in the condition itself.
fn looked_at(guard: &Guard<'_>, operand: ExprId) -> Option<String> {
    let module = &*guard.facts.module;
    let text = |span: Span| guard.facts.text.get(span.start as usize..span.end as usize).unwrap_or_default();
    match module.expr(operand) {
        Expr::Name(_, name) => guard.names.contains(name).then(|| name.to_string()),
        Expr::Unary(UnaryOp::Neg, value) => looked_at(guard, *value),
        Expr::Binary(BinaryOp::Sub | BinaryOp::Mul, a, b) => looked_at(guard, *a).or_else(|| looked_at(guard, *b)),
        Expr::Binary(BinaryOp::Pow, base, _) => looked_at(guard, *base),
        Expr::Call(..) | Expr::Subscript(..) | Expr::Attribute(..) => {
            let own = text(module.span(operand));
            (own.len() > 2 && text(guard.condition).contains(own)).then(|| own.to_owned())
        }
        _ => None,
    }
}
