//! `jax.jit(self.method)(x)` in a method as a compiled method that `__init__` makes once, where attributes stay as they are.

use super::{Found, definitions};
use crate::diagnostics::Fix;
use crate::diagnostics::reading::{call_at, within};
use crate::module::{Body, CodeKind, Expr, Stmt};
use crate::text::Span;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let module = found.module;
    let jit = call_at(module, found.span()).filter(|call| call.name == "jit" && call.args.len() == 1)?;
    let Expr::Attribute(object, name) = module.expr(jit.argument(0)?) else { return None };
    let method = definitions::around(found, found.span())?;
    let itself = method.params.names.first()?.name;
    let is_itself = matches!(module.expr(*object), Expr::Name(_, own) if *own == itself);
    // The class around, which has both, and sets attributes in `__init__` alone.
    let classes = module.codes.iter().filter(|code| code.kind == CodeKind::Class && within(method.span, code.span));
    let class = classes.min_by_key(|code| code.span.end - code.span.start)?;
    let (def, _) = definitions::of_class(found, class.name.as_str())?;
    let own = |wanted: &str| {
        let mut all = module.codes.iter().filter(|code| {
            code.kind == CodeKind::Function && code.name.as_str() == wanted && within(code.span, class.span)
        });
        all.next().filter(|_| all.next().is_none())
    };
    let (init, _) = (own("__init__")?, own(name.as_str())?);
    let kept = format!("_{}", name.as_str().trim_start_matches('_'));
    let is_taken = kept == name.as_str() || found.has_name(&kept) || found.facts.text.contains(&format!(".{kept}"));
    // Dataclasses and modules of libraries decide what attributes there are.
    let is_plain = def.decorators.is_empty() && def.args.is_empty();
    if !is_itself || !is_plain || is_taken || definitions::sets_attributes(found) {
        return None;
    }
    let Body::Block(body) = &init.body else { return None };
    let last = body.last().filter(|id| !matches!(module.stmt(**id), Stmt::Return(_)))?;
    let last = module.stmt_spans[last.index()];
    let receiver = init.params.names.first()?.name;
    let function = found.text_at(Span { start: found.span().start, end: module.span(jit.argument(0)?).start });
    let made = format!("{receiver}.{kept} = {function}{receiver}.{name})");
    let (at, made) = match found.line(module.stmt_spans[body.first()?.index()]) {
        Some((_, indent)) => {
            let at = found.next_line(last)?;
            let is_whole = found.text_at(Span { start: last.end, end: at }).ends_with('\n');
            (at, format!("{}{indent}{made}\n", if is_whole { "" } else { "\n" }))
        }
        // `def __init__(self): self.w = 2.0`
        None => (last.end, format!("; {made}")),
    };
    Some(Fix {
        title: "compile it once, in `__init__`".into(),
        edits: vec![
            found.edit(Span { start: at, end: at }, made),
            found.edit(found.span(), format!("{itself}.{kept}")),
        ],
    })
}
