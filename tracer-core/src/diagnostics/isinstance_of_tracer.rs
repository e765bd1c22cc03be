//! `isinstance-of-tracer`: a Python number is a traced array inside of a traced function, and no `float` or `int`.

use super::reading::{call, calls, fact, is_module, traced, within};
use super::{Diagnostic, Range, Severity};
use crate::analysis::{Analysis, FileFacts, Shown};
use crate::module::{CodeKind, CompareOp, Expr, ExprId, Module, Pattern, Stmt};
use crate::text::Span;

/// The rule.
pub fn check(analysis: &Analysis) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (file, facts) in analysis.files.iter().enumerate() {
        let module = &*facts.module;
        for (span, value, classes) in asks(module) {
            let asked: Vec<Asked> = classes.iter().flat_map(|classes| asked(module, *classes)).collect();
            if asked.iter().any(|class| matches!(class, Asked::Traced | Asked::Unknown)) {
                continue;
            }
            let Some(fact) = fact(facts, module.span(value)) else { continue };
            // What Python's numbers become has a weak type.
            let number = fact.seen.iter().find_map(|seen| match seen {
                Shown::Array { aval, tracer: true } if aval.weak && aval.shape.is_empty() => {
                    Some(if aval.dtype.is_integer() { "int" } else { "float" })
                }
                _ => None,
            });
            let class = match number {
                Some(name) if asked.contains(&Asked::Number(name)) => name,
                _ if asked.contains(&Asked::NumPy) && is_called_with_numpy(facts, value) => "np.ndarray",
                _ => continue,
            };
            found.push(Diagnostic {
                at: Range { file, span },
                rule: "isinstance-of-tracer",
                severity: Severity::Warning,
                message: format!(
                    "the `{class}` that the function was called with is a traced array here: this is false"
                ),
                help: Some(
                    "ask for the dtype (`jnp.issubdtype(x.dtype, jnp.floating)`), or make the argument static".into(),
                ),
                related: Vec::new(),
                fixes: Vec::new(),
            });
        }
    }
    found
}

/// Where a program asks for the class of a value (`isinstance(x, int)`, `type(x) is int`): the value and the classes.
fn asks(module: &Module) -> Vec<(Span, ExprId, Vec<ExprId>)> {
    let called = calls(module)
        .filter(|call| call.name == "isinstance" && call.receiver.is_none())
        .filter_map(|call| Some((call.span, call.argument(0)?, vec![call.argument(1)?])));
    let compared = module.exprs.iter().zip(&module.expr_spans).filter_map(|(expr, span)| {
        let Expr::Compare(first, rest) = expr else { return None };
        let [(CompareOp::Is | CompareOp::Eq | CompareOp::In, classes)] = rest[..] else { return None };
        let of = call(module, *first).filter(|of| of.name == "type" && of.receiver.is_none() && of.args.len() == 1)?;
        Some((*span, of.argument(0)?, vec![classes]))
    });
    let matched = module.stmts.iter().flat_map(|stmt| {
        let Stmt::Match(value, cases) = stmt else { return Vec::new() };
        let mut classes = Vec::new();
        cases.iter().for_each(|case| outermost(&case.pattern, &mut classes));
        classes.into_iter().map(|class| (module.span(class), *value, vec![class])).collect()
    });
    called.chain(compared).chain(matched).chain(dispatched(module)).collect()
}

/// Calls of functions of `functools.singledispatch`, which ask for the class of their first argument: the functions that are
/// registered for classes are not called for what is traced.
fn dispatched(module: &Module) -> Vec<(Span, ExprId, Vec<ExprId>)> {
    let defs = || {
        module.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::FunctionDef(def) => Some(def),
            _ => None,
        })
    };
    let last_name = |expr: ExprId| match module.expr(expr) {
        Expr::Name(_, name) | Expr::Attribute(_, name) => name.as_str(),
        _ => "",
    };
    let mut found = Vec::new();
    for def in defs() {
        let Some(of_method) = def.decorators.iter().find_map(|decorator| match last_name(*decorator) {
            "singledispatch" => Some(false),
            "singledispatchmethod" => Some(true),
            _ => None,
        }) else {
            continue;
        };
        let name = def.name.as_str();
        let is_register = |expr: ExprId| match module.expr(expr) {
            Expr::Attribute(of, register) => register.as_str() == "register" && last_name(*of) == name,
            _ => false,
        };
        let mut classes: Vec<ExprId> = Vec::new();
        for other in defs() {
            if other.decorators.iter().any(|decorator| is_register(*decorator)) {
                let first = module.code(other.code).params.names.get(usize::from(of_method));
                classes.extend(first.and_then(|first| first.annotation));
            }
        }
        classes.extend(calls(module).filter_map(|call| match module.expr(call.id) {
            Expr::Call(function, _) if is_register(*function) => call.argument(0),
            _ => None,
        }));
        let of_it = calls(module).filter(|call| call.name == name && call.receiver.is_some() == of_method);
        found.extend(of_it.filter_map(|call| Some((call.span, call.argument(0)?, classes.clone()))));
    }
    found
}

/// The classes that a pattern asks of the whole value: those of `float() | int()`, not of what is in them.
fn outermost(pattern: &Pattern, classes: &mut Vec<ExprId>) {
    match pattern {
        Pattern::Class { class, .. } => classes.push(*class),
        Pattern::Or(items) => items.iter().for_each(|item| outermost(item, classes)),
        Pattern::As(inner, _) => outermost(inner, classes),
        _ => {}
    }
}

/// A class that is asked for.
#[derive(PartialEq)]
enum Asked {
    /// A class of Python's numbers.
    Number(&'static str),
    /// `np.ndarray`
    NumPy,
    /// One that traced arrays are of, too.
    Traced,
    /// Any other.
    Unknown,
    /// A builtin class that is no number.
    Other,
}

fn asked(module: &Module, classes: ExprId) -> Vec<Asked> {
    let one = |id: &ExprId| match module.expr(*id) {
        Expr::Name(_, name) => match name.as_str() {
            "int" => Asked::Number("int"),
            "float" => Asked::Number("float"),
            "bool" | "complex" | "str" | "list" | "tuple" | "dict" | "set" => Asked::Other,
            _ => Asked::Unknown,
        },
        Expr::Attribute(of, name) => match (module.expr(*of), name.as_str()) {
            (Expr::Name(_, of), "ndarray") if is_module(module, of.as_str(), "numpy") => Asked::NumPy,
            (_, "Array" | "ndarray" | "Tracer") => Asked::Traced,
            _ => Asked::Unknown,
        },
        _ => Asked::Unknown,
    };
    match module.expr(classes) {
        Expr::Tuple(items) => items.iter().map(one).collect(),
        _ => vec![one(&classes)],
    }
}

/// Whether a value is a traced parameter, and its function is called with an array of NumPy for it.
fn is_called_with_numpy(facts: &FileFacts, value: ExprId) -> bool {
    let module = &*facts.module;
    let Expr::Name(_, name) = module.expr(value) else { return false };
    let span = module.span(value);
    let around = module.codes.iter().filter(|code| code.kind == CodeKind::Function && within(span, code.span));
    let Some(code) = around.min_by_key(|code| code.span.end - code.span.start) else { return false };
    let Some(place) = code.params.names.iter().position(|param| param.name == *name) else { return false };
    traced(facts, value).is_some()
        && calls(module).filter(|call| call.name == code.name.as_str()).any(|call| {
            let given = call.argument_or(place, name.as_str()).and_then(|given| fact(facts, module.span(given)));
            given.is_some_and(|fact| {
                fact.seen.iter().any(|seen| matches!(seen, Shown::Other(text) if text.starts_with("np:")))
            })
        })
}
