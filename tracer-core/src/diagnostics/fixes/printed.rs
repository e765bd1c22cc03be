//! What stands for a value among the arguments of `jax.debug.print`, which makes arrays of the numbers that it is given: what is no
//! array is given as the text that it has while tracing.

use super::Found;
use super::formats::How;
use crate::analysis::Shown;
use crate::array::Aval;
use crate::diagnostics::reading::{call, fact, function, within};
use crate::diagnostics::{origins, reading};
use crate::interp::Event;
use crate::module::{BinaryOp, Code, Const, Expr, ExprId, MODULE_CODE, Place, Stmt, Symbol, Target};
use crate::text::Span;

/// What a value is.
enum Kind {
    /// A traced array of these types.
    Traced(Vec<Aval>),
    /// A container of traced arrays.
    Holding,
    /// Known while tracing; an integer, as far as the text says so.
    Plain { whole: bool },
}

/// What of a call of `print` has run.
#[derive(Copy, Clone)]
pub(super) struct Printing {
    /// The call.
    pub(super) call: Span,
    /// Whether it has run to its end.
    pub(super) ran: bool,
}

/// The argument that stands for a value, and the braces that format it; none where they would not print what Python prints.
pub(super) fn argument(
    found: &Found<'_>,
    printing: Printing,
    at: Option<usize>,
    value: ExprId,
    how: &How,
) -> Option<(String, String)> {
    let text = found.text(value);
    if text.contains('\n') {
        return None;
    }
    match kind(found, printing, at, value)? {
        Kind::Traced(avals) => {
            // NumPy has no formats for arrays with axes.
            let is_scalar = |aval: &Aval| aval.shape.is_empty();
            let is_fit = how.spec.is_empty() || how.conversion.is_some() || avals.iter().all(is_scalar);
            let is_whole = avals.iter().all(|aval| aval.dtype.is_integer());
            let wants = how.spec.chars().next_back();
            let is_of_type = how.conversion.is_some()
                || match wants {
                    Some('b' | 'c' | 'd' | 'o' | 'x' | 'X') => is_whole,
                    Some('s') => false,
                    _ => true,
                };
            (is_fit && is_of_type && (is_whole || !how.whole)).then(|| (text.to_owned(), how.braces()))
        }
        Kind::Holding => (how.spec.is_empty() || how.conversion.is_some()).then(|| (text.to_owned(), how.braces())),
        Kind::Plain { whole } => {
            let text = if how.whole && !whole { format!("int({text})") } else { text.to_owned() };
            let text = match how.conversion {
                Some('r') => format!("repr({text})"),
                Some('a') => format!("ascii({text})"),
                Some(_) => format!("str({text})"),
                None if how.spec.is_empty() => format!("str({text})"),
                None => text,
            };
            let is_made = how.spec.is_empty();
            Some((if is_made { text } else { format!("format({text}, \"{}\")", how.spec) }, "{}".into()))
        }
    }
}

fn kind(found: &Found<'_>, printing: Printing, at: Option<usize>, value: ExprId) -> Option<Kind> {
    let span = found.module.span(value);
    if let Some(seen) = fact(found.facts, span) {
        return of_seen(&seen.seen);
    }
    let mut holding = found.events.iter().filter_map(|event| match event {
        Event::TextOfTraced { site, argument, is_object } => {
            let is_it = match argument {
                Some(argument) => Some(*argument) == at && site.span == printing.call,
                None => site.span == span,
            };
            (is_it && site.file == found.facts.id).then_some(*is_object)
        }
        _ => None,
    });
    if let Some(is_object) = holding.next() {
        return (!is_object && holding.all(|is_object| !is_object)).then_some(Kind::Holding);
    }
    if is_plain(found, value, 4) {
        return Some(Kind::Plain { whole: is_whole(found, value) });
    }
    // What the run has looked at, and found nothing traced in.
    let part = is_part(found, value);
    // A text is made from left to right: what stands before something that was evaluated is done.
    let is_done = || {
        let behind = |own: &Span| span.end <= own.start && within(*own, printing.call);
        part && found.facts.exprs.iter().any(|own| behind(&own.span))
    };
    if printing.ran && (at.is_some() || part) || is_done() {
        return Some(Kind::Plain { whole: false });
    }
    (!printing.ran).then(|| bound(found, value))?
}

fn of_seen(seen: &[Shown]) -> Option<Kind> {
    let mut avals = Vec::new();
    let mut is_plain = true;
    for seen in seen {
        match seen {
            Shown::Array { aval, tracer } => {
                avals.push(aval.clone());
                is_plain &= !tracer;
            }
            Shown::Other(_) => {}
            Shown::Unknown(_) => return None,
        }
    }
    match (avals.is_empty() || is_plain, avals.len() == seen.len()) {
        (true, _) => Some(Kind::Plain { whole: false }),
        (false, true) => Some(Kind::Traced(avals)),
        _ => None,
    }
}

/// Whether an expression is a part of an f-string.
fn is_part(found: &Found<'_>, value: ExprId) -> bool {
    found.module.exprs.iter().any(|expr| match expr {
        Expr::FString(parts) => parts
            .iter()
            .any(|part| matches!(part, crate::module::FStringPart::Value { value: own, .. } if *own == value)),
        _ => false,
    })
}

/// What a name was bound to, where the run did not come to the expression that reads it.
fn bound(found: &Found<'_>, value: ExprId) -> Option<Kind> {
    let Expr::Name(_, name) = found.module.expr(value) else { return None };
    let span = found.module.span(value);
    let of = |span: Span| of_seen(&fact(found.facts, span)?.seen);
    match origins::bound(found.module, *name, span) {
        Some((_, Some(made))) => of(found.module.span(made)),
        Some((_, None)) => None,
        None => of(param(found, *name, span)?),
    }
    .filter(|kind| matches!(kind, Kind::Traced(_)))
}

fn param(found: &Found<'_>, name: Symbol, reader: Span) -> Option<Span> {
    let scope = origins::scope_of(found.module, name, reader)?;
    scope.params.names.iter().find(|param| param.name == name).map(|param| param.span)
}

/// Whether the text says that a value is known while tracing.
fn is_plain(found: &Found<'_>, value: ExprId, depth: usize) -> bool {
    let module = found.module;
    let Some(depth) = depth.checked_sub(1) else { return false };
    let plain = |id: ExprId| is_plain(found, id, depth);
    if reading::traced(found.facts, value).is_some() {
        return false;
    }
    match module.expr(value) {
        Expr::Constant(_) => true,
        Expr::Attribute(_, name) => matches!(name.as_str(), "shape" | "ndim" | "size" | "dtype" | "__name__"),
        Expr::Subscript(of, at) => plain(*of) && plain(*at),
        Expr::Unary(_, of) => plain(*of),
        Expr::Binary(_, a, b) => plain(*a) && plain(*b),
        Expr::Call(..) => call(module, value)
            .is_some_and(|call| call.receiver.is_none() && matches!(call.name, "len" | "type" | "id")),
        Expr::Name(place, name) => {
            let span = module.span(value);
            if matches!(place, Place::Global(_)) && function(module, name.as_str()).is_some() {
                return true;
            }
            match origins::bound(module, *name, span) {
                Some((_, Some(made))) => plain(made),
                Some((binding, None)) => is_counted(found, *name, binding),
                None => is_static(found, *name, span),
            }
        }
        _ => false,
    }
}

/// Whether the text says that a value that is known while tracing is an integer.
fn is_whole(found: &Found<'_>, value: ExprId) -> bool {
    let module = found.module;
    match module.expr(value) {
        Expr::Constant(value) => matches!(value, Const::Int(_)),
        Expr::Attribute(_, name) => matches!(name.as_str(), "ndim" | "size"),
        Expr::Subscript(of, _) => matches!(module.expr(*of), Expr::Attribute(_, name) if name.as_str() == "shape"),
        Expr::Call(..) => call(module, value).is_some_and(|call| call.receiver.is_none() && call.name == "len"),
        Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => is_whole(found, *a) && is_whole(found, *b),
        Expr::Name(_, name) => match origins::bound(module, *name, module.span(value)) {
            Some((binding, None)) => is_counted(found, *name, binding),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a loop binds a name to the numbers of a range, or of an enumeration.
fn is_counted(found: &Found<'_>, name: Symbol, binding: Span) -> bool {
    let module = found.module;
    module.stmts.iter().any(|stmt| {
        let Stmt::For { target, iter, .. } = stmt else { return false };
        let Some(over) = call(module, *iter).filter(|call| call.receiver.is_none()) else { return false };
        let is_it = |target: &Target| matches!(target, Target::Name(_, own, span) if *own == name && *span == binding);
        match (over.name, target) {
            ("range", target) => is_it(target),
            ("enumerate", Target::Tuple(items, _)) => items.first().is_some_and(is_it),
            _ => false,
        }
    })
}

/// Whether a name is a static argument of the function around its reader.
fn is_static(found: &Found<'_>, name: Symbol, reader: Span) -> bool {
    let module = found.module;
    let Some(code) = origins::scope_of(module, name, reader) else { return false };
    if std::ptr::eq::<Code>(code, module.code(MODULE_CODE)) {
        return false;
    }
    module.stmts.iter().any(|stmt| match stmt {
        Stmt::FunctionDef(def) if std::ptr::eq(module.code(def.code), code) => def.decorators.iter().any(|decorator| {
            let text = found.text(*decorator);
            let quoted = |mark: char| text.contains(&format!("{mark}{name}{mark}"));
            text.contains("static_argnames") && (quoted('"') || quoted('\''))
        }),
        _ => false,
    }) && within(reader, code.span)
}
