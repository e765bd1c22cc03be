//! `@jax.jit` as `@jax.jit(static_argnames=("n",))`, for an argument that has to be a Python value; the same of `jax.jit(f)`.

use super::Found;
use super::compiled::{self, Compiled};
use crate::diagnostics::reading::{Call, arrays, call, calls, function, traced, within};
use crate::diagnostics::{Fix, origins};
use crate::module::{Arg, BinaryOp, Code, CodeKind, Const, Expr, ExprId, Symbol};
use crate::python::LeafKind;
use crate::text::Span;

/// So many calls lead from the compiled function to the place.
const DEEPEST: usize = 4;
/// So many parameters are made static at once.
const MOST: usize = 3;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let (code, arguments) = match found.diagnostic.rule {
        "not-an-array" => named(found).map(|(code, argument)| (code, vec![argument]))?,
        _ => among_operands(found)?,
    };
    all(found, code, &arguments)
}

/// The same, where a list or a tuple is repeated as often as an argument says.
pub(super) fn of_repeated(found: &Found<'_>) -> Option<Fix> {
    let Expr::Binary(BinaryOp::Mul, a, b) = found.module.expr(found.expr()?) else { return None };
    let is_list = |id: ExprId| matches!(found.module.expr(id), Expr::List(_) | Expr::Tuple(_));
    (is_list(*a) || is_list(*b)).then(|| fix(found))?
}

/// The same, where a function of a library asks what it is given.
pub(super) fn of_library(found: &Found<'_>) -> Option<Fix> {
    let asked = calls(found.module).find(|call| call.span == found.span())?;
    let is_own = function(found.module, asked.name).is_some();
    (asked.receiver.is_some() && !is_own).then(|| fix(found))?
}

/// What compiles a function is told that a parameter is static.
pub(super) fn make(found: &Found<'_>, code: &Code, argument: &str) -> Option<Fix> {
    all(found, code, &[argument.to_owned()])
}

fn all(found: &Found<'_>, code: &Code, arguments: &[String]) -> Option<Fix> {
    let joined = |mark: char, between: &str| {
        arguments.iter().map(|own| format!("{mark}{own}{mark}")).collect::<Vec<String>>().join(between)
    };
    let title = format!("make {} static", joined('`', " and "));
    let comma = if arguments.len() == 1 { "," } else { "" };
    let names = format!("static_argnames=({}{comma})", joined('"', ", "));
    match compiled::of(found, code)? {
        Compiled::Bare(decorator) => {
            let text = format!("{}({names})", found.text(decorator));
            found.replace(title, found.module.span(decorator), text)
        }
        Compiled::Call(id) => {
            let jit = call(found.module, id)?;
            if found.text(id).contains("static_arg") {
                let [argument] = arguments else { return None };
                return also(found, code, argument, &jit);
            }
            let end = found.module.span(id).end - 1;
            let given = found.text_at(Span { start: jit.span.start, end });
            let before = given.trim_end();
            let separator = if before.ends_with(',') {
                " "
            } else if before.ends_with('(') {
                ""
            } else {
                ", "
            };
            let at = jit.span.start + before.len() as u32;
            found.replace(title, Span { start: at, end: at }, format!("{separator}{names}"))
        }
    }
}

/// One more beside those that are static already, which are written out: `static_argnums=(0,)` as `static_argnums=(0, 2)`.
fn also(found: &Found<'_>, code: &Code, argument: &str, jit: &Call<'_>) -> Option<Fix> {
    let mut given = jit.args.iter().filter_map(|arg| match arg {
        Arg::Keyword(name, value) if name.as_str().starts_with("static_arg") => Some((name.as_str(), *value)),
        _ => None,
    });
    let (name, value) = given.next().filter(|_| given.next().is_none())?;
    let place = code.params.names.iter().position(|param| param.name.as_str() == argument)?;
    let by_place = place < code.params.positional as usize;
    let own = match name {
        "static_argnames" => format!("\"{argument}\""),
        "static_argnums" if by_place => place.to_string(),
        _ => return None,
    };
    let (span, text) = (found.module.span(value), found.text(value));
    let plain = |id: &ExprId| match found.module.expr(*id) {
        Expr::Constant(Const::Int(number)) => name == "static_argnums" && number.to_string() != own,
        Expr::Constant(Const::Str(_)) => {
            name == "static_argnames" && found.text(*id).trim_matches(['"', '\'']) != argument
        }
        _ => false,
    };
    let text = match found.module.expr(value) {
        Expr::Tuple(items) | Expr::List(items) if items.iter().all(plain) => {
            let close = if text.starts_with('[') { "]" } else { ")" };
            let inner = text.get(1..text.len() - 1)?.trim_end().trim_end_matches(',');
            let open = text.get(..1).filter(|open| matches!(*open, "(" | "["))?;
            let comma = if inner.is_empty() && open == "(" { "," } else { "" };
            let inner = if inner.is_empty() { String::new() } else { format!("{inner}, ") };
            format!("{open}{inner}{own}{comma}{close}")
        }
        Expr::Constant(_) if plain(&value) => format!("({text}, {own})"),
        _ => return None,
    };
    found.replace(format!("make `{argument}` static"), span, text)
}

/// The parameter that was given what is no array as a whole and can be hashed, and its function.
fn named<'a>(found: &Found<'a>) -> Option<(&'a Code, String)> {
    let leaf = found.argument().filter(|leaf| leaf.whole && leaf.kind != LeafKind::Other)?;
    let name = leaf.function.rsplit('.').next()?;
    let code = function(found.module, name).or_else(|| lambda(found, name))?;
    let is_named = code.params.names.iter().any(|param| param.name.as_str() == leaf.parameter);
    is_named.then(|| (code, leaf.parameter.to_string()))
}

/// The one lambda of the file, where one is meant.
fn lambda<'a>(found: &Found<'a>, name: &str) -> Option<&'a Code> {
    let mut all = found.module.codes.iter().filter(|code| code.kind == CodeKind::Lambda && name == "<lambda>");
    all.next().filter(|_| all.next().is_none())
}

/// The parameters among the operands that are traced integers and were Python numbers at the call, of the function that is
/// compiled: the one around, or one that hands a single one on.
fn among_operands<'a>(found: &Found<'a>) -> Option<(&'a Code, Vec<String>)> {
    let mut names: Vec<(Symbol, &Code)> = Vec::new();
    for (id, name) in integers(found, found.span()) {
        let code = origins::scope_of(found.module, name, found.module.span(id))?;
        if parameter(code, name).is_some() && !names.iter().any(|(own, _)| *own == name) {
            names.push((name, code));
        }
    }
    let &(_, mut code) = names.first().filter(|_| names.len() <= MOST)?;
    if names.iter().any(|(_, own)| !std::ptr::eq(*own, code)) {
        return None;
    }
    let mut names: Vec<Symbol> = names.into_iter().map(|(name, _)| name).collect();
    for _ in 0..DEEPEST {
        if let Some(compiled) = compiled::of(found, code) {
            let is_right = names.iter().all(|name| is_given_numbers(found, code, compiled, *name));
            return is_right.then(|| (code, names.iter().map(Symbol::to_string).collect()));
        }
        let [name] = names[..] else { return None };
        let (own, around) = handed_on(found, code, name)?;
        (names, code) = (vec![own], around);
    }
    None
}

/// The names in a range that stand for traced integers which were numbers of Python's.
fn integers<'f>(found: &'f Found<'_>, span: Span) -> impl Iterator<Item = (ExprId, Symbol)> + 'f {
    found.module.exprs.iter().enumerate().filter_map(move |(at, expr)| {
        let id = ExprId(at as u32);
        let Expr::Name(_, name) = expr else { return None };
        let is_it = within(found.module.span(id), span)
            && traced(found.facts, id)?
                .iter()
                .all(|aval| aval.weak && aval.shape.is_empty() && aval.dtype.is_integer());
        is_it.then_some((id, *name))
    })
}

fn parameter(code: &Code, name: Symbol) -> Option<usize> {
    code.params.names.iter().position(|param| param.name == name)
}

/// The parameter that is handed on as this one, where the function was called on the way to what failed.
fn handed_on<'a>(found: &Found<'a>, code: &Code, name: Symbol) -> Option<(Symbol, &'a Code)> {
    let module = found.module;
    let frames = &found.problem?.frames;
    let at = frames.iter().position(|(file, span, _)| *file == found.diagnostic.at.file && within(*span, code.span))?;
    let (_, span, _) = frames.get(at + 1).filter(|(file, ..)| *file == found.diagnostic.at.file)?;
    let mut inside = calls(module).filter(|call| within(call.span, *span) && call.name == code.name.as_str());
    let call = inside.next().filter(|_| inside.next().is_none())?;
    let place = parameter(code, name)?.checked_sub(usize::from(call.receiver.is_some()))?;
    let given = call.argument_or(place, name.as_str())?;
    let Expr::Name(_, own) = module.expr(given) else { return None };
    let (_, own) = integers(found, module.span(given)).find(|(_, integer)| integer == own)?;
    let around = origins::scope_of(module, own, module.span(given))?;
    parameter(around, own)?;
    Some((own, around))
}

/// Whether the compiled function is called with numbers of Python's, as far as the text tells.
fn is_given_numbers(found: &Found<'_>, code: &Code, compiled: Compiled, argument: Symbol) -> bool {
    let module = found.module;
    let Some(place) = parameter(code, argument) else { return false };
    let name = compiled::name(found, code, compiled);
    let is_method = code.params.names.first().is_some_and(|first| first.name.as_str() == "self");
    let given = |args: &[Arg]| {
        let by_name = args.iter().find_map(|arg| match arg {
            Arg::Keyword(name, value) if *name == argument => Some(*value),
            _ => None,
        });
        by_name.or_else(|| match args.get(place.checked_sub(usize::from(is_method))?)? {
            Arg::Positional(value) => Some(*value),
            _ => None,
        })
    };
    module.exprs.iter().all(|expr| {
        let Expr::Call(callee, args) = expr else { return true };
        let is_it = match module.expr(*callee) {
            Expr::Name(_, own) | Expr::Attribute(_, own) => Some(*own) == name,
            Expr::Call(..) => matches!(compiled, Compiled::Call(id) if id == *callee),
            _ => false,
        };
        !is_it || given(args).is_none_or(|value| arrays(found.facts, value).is_none())
    })
}
