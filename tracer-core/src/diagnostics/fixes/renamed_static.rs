//! A misspelt name in `static_argnames` as the parameter that is nearest to it.

use super::{Found, definitions};
use crate::diagnostics::Fix;
use crate::diagnostics::reading::within;
use crate::module::{Const, Expr, Stmt};
use crate::python::Subject;
use crate::text::Span;

/// So many letters may be wrong.
const MOST_WRONG: usize = 2;

pub(super) fn fix(found: &Found<'_>) -> Option<Fix> {
    let Subject::NoParameters(names) = found.problem?.subject.as_ref()? else { return None };
    let [name] = names[..] else { return None };
    let name = name.as_str();
    let module = found.module;
    let def = module.stmts.iter().find_map(|stmt| match stmt {
        Stmt::FunctionDef(def) => {
            def.decorators.iter().any(|decorator| within(found.span(), module.span(*decorator))).then_some(def)
        }
        _ => None,
    })?;
    let code = module.code(def.code);
    definitions::of_function(found, code)?;
    let mut near = code.params.names.iter().map(|param| param.name.as_str());
    let mut near = near.by_ref().filter(|own| distance(own, name) <= MOST_WRONG);
    let (right, other) = (near.next()?, near.next());
    let mut written = module.exprs.iter().zip(&module.expr_spans).filter(|(expr, span)| {
        matches!(expr, Expr::Constant(Const::Str(text)) if text == name)
            && def.decorators.iter().any(|decorator| within(**span, module.span(*decorator)))
    });
    let (_, at) = written.next()?;
    if other.is_some() || written.next().is_some() || name.contains('\'') {
        return None;
    }
    let inner = found.text_at(*at).find(name)? as u32 + at.start;
    let at = Span { start: inner, end: inner + name.len() as u32 };
    found.replace(format!("name the parameter `{right}`"), at, right.to_owned())
}

/// How many letters are to be changed, added and left out.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let next = (before + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
            before = std::mem::replace(&mut row[j + 1], next);
        }
    }
    row[b.len()]
}
