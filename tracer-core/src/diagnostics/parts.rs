//! The part of a value at a path, where it is written out: through names, and through what functions of the program return.

use super::origins;
use super::reading::{Call, call, function, returned};
use crate::analysis::Analysis;
use crate::module::{Const, Expr, ExprId, Module, Stmt};
use crate::python::CarryKey;

/// So many names and calls are followed.
const DEEPEST: usize = 8;

/// What a call of a loop starts its carry with, and the path of a part within that: the index goes round with what `fori_loop`
/// carries, and the end as well where it is traced.
pub(super) fn first_carry<'p>(call: &Call<'_>, path: &'p [CarryKey]) -> Option<(ExprId, &'p [CarryKey])> {
    let first = match call.name {
        "scan" => call.argument_or(1, "init")?,
        "fori_loop" => call.argument_or(3, "init_val")?,
        "while_loop" => call.argument_or(2, "init_val")?,
        _ => return None,
    };
    match (call.name, path) {
        ("fori_loop", [CarryKey::Index(1 | 2), path @ ..]) => Some((first, path)),
        ("fori_loop", _) => None,
        (_, path) => Some((first, path)),
    }
}

/// The expression of the part at a path such as `1`, `'w'` of an expression of a file, and its file.
pub(super) fn part(analysis: &Analysis, file: usize, from: ExprId, path: &[CarryKey]) -> Option<(usize, ExprId)> {
    follow(analysis, file, from, path, DEEPEST)
}

fn follow(analysis: &Analysis, file: usize, from: ExprId, path: &[CarryKey], depth: usize) -> Option<(usize, ExprId)> {
    let module = &*analysis.files[file].module;
    let depth = depth.checked_sub(1)?;
    if let Some((key, rest)) = path.split_first() {
        let inner = match module.expr(from) {
            Expr::Tuple(items) | Expr::List(items) => match key {
                CarryKey::Index(at) => items.get(*at).copied(),
                _ => None,
            },
            Expr::Dict(items) => items.iter().find_map(|(own, value)| match module.expr((*own)?) {
                Expr::Constant(Const::Str(name)) if matches!(key, CarryKey::Name(own) if own == name) => Some(*value),
                _ => None,
            }),
            _ => None,
        };
        if let Some(inner) = inner {
            return follow(analysis, file, inner, rest, depth);
        }
    }
    match module.expr(from) {
        Expr::Name(_, name) => {
            let (_, value) = origins::bound(module, *name, module.span(from))?;
            follow(analysis, file, value?, path, depth)
        }
        Expr::Call(..) => {
            let call = call(module, from)?;
            let called = match call.receiver {
                None => returning(analysis, file, module, call.name),
                Some(_) => None,
            };
            match called {
                Some((file, value)) => follow(analysis, file, value, path, depth),
                None => path.is_empty().then_some((file, from)),
            }
        }
        _ => path.is_empty().then_some((file, from)),
    }
}

/// What a function of the program returns, by the name that a file has for it.
pub(super) fn returning(analysis: &Analysis, file: usize, module: &Module, name: &str) -> Option<(usize, ExprId)> {
    if let Some(code) = function(module, name) {
        return Some((file, returned(module, code)?));
    }
    let imported = module.stmts.iter().find_map(|stmt| match stmt {
        Stmt::ImportFrom { names, .. } => {
            names.iter().find(|alias| alias.asname.unwrap_or(alias.name).as_str() == name).map(|alias| alias.name)
        }
        _ => None,
    })?;
    let mut all = analysis.files.iter().enumerate().filter_map(|(other, facts)| {
        let code = function(&facts.module, imported.as_str())?;
        Some((other, returned(&facts.module, code)?))
    });
    all.next().filter(|_| all.next().is_none())
}
