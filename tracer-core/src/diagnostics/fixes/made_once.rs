//! An object that is made anew for a static argument at each round, of the same class and numbers: made once, before the loop.

use super::hoisted::{bind, innermost_loop};
use super::{Found, definitions};
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{call, call_at, within};
use crate::interp::{Event, KeyPart};
use crate::module::{Arg, Expr, ExprId, Place, StmtId, Symbol};
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    let traced = call_at(module, found.span())?;
    let only_static = found.events.iter().all(|event| match event {
        Event::CacheMiss { site, seen_before: 1.., differences, .. } if site.span == found.span() => {
            differences.iter().all(|difference| matches!(difference.part, KeyPart::Static | KeyPart::Identity))
        }
        _ => true,
    });
    let mut objects = traced.args.iter().filter_map(|arg| match arg {
        Arg::Positional(value) | Arg::Keyword(_, value) => made(found, *value).map(|class| (*value, class)),
        _ => None,
    });
    let (object, class) = objects.next().filter(|_| only_static && objects.next().is_none())?;
    let span = module.span(object);
    let (own_loop, loop_span) = innermost_loop(found, span)?;
    let mut bound: Vec<Symbol> = Vec::new();
    bind(found, own_loop, StmtId(u32::MAX), &mut bound);
    let changes = module.exprs.iter().zip(&module.expr_spans).any(|(expr, own)| {
        within(*own, span)
            && match expr {
                Expr::Name(_, name) => bound.contains(name),
                Expr::Call(..) => *own != span,
                Expr::Attribute(..) | Expr::Subscript(..) | Expr::Await(_) | Expr::Walrus(..) => true,
                _ => false,
            }
    });
    let name = class.to_lowercase();
    let name = [name.clone(), format!("the_{name}")].into_iter().find(|name| !found.has_name(name))?;
    let (start, indent) = found.line(loop_span)?;
    let text = found.text(object);
    if changes || text.contains('\n') {
        return None;
    }
    Some(Fix {
        title: format!("make `{name}` once, before the loop"),
        edits: vec![
            found.edit(Span { start, end: start }, format!("{indent}{name} = {text}\n")),
            found.edit(span, name),
        ],
    })
}

/// The name of the program's class that an expression makes an object of, where no object's attributes are set later.
fn made<'a>(found: &Found<'a>, value: ExprId) -> Option<&'a str> {
    let call = call(found.module, value).filter(|call| call.receiver.is_none())?;
    let Expr::Call(callee, _) = found.module.expr(value) else { return None };
    let Expr::Name(Place::Global(_), _) = found.module.expr(*callee) else { return None };
    let (_, code) = definitions::of_class(found, call.name)?;
    (!definitions::sets_attributes(found)).then_some(code.name.as_str())
}
