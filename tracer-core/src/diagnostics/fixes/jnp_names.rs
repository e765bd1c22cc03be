//! What `jax.numpy` has by the names of NumPy, and what of NumPy's arguments it takes: read from the tables and the functions of the prelude.

use std::sync::Arc;

use crate::diagnostics::reading::within;
use crate::frameworks::prelude;
use crate::module::{Arg, Const, Expr, ExprId, Module, Stmt, Target};

/// Parameters of functions whose results have sizes that follow from numbers, or that change what they are given.
const NOT_TRACED: [&str; 3] = ["size", "inplace", "length"];

/// Whether `jax.numpy`, or a module in it (`linalg`, `fft`), has a function of this name that takes such arguments.
pub(super) fn has(inner: &str, name: &str, args: &[Arg]) -> bool {
    if name.starts_with('_') || args.iter().any(|arg| matches!(arg, Arg::DoubleStar(_))) {
        return false;
    }
    match inner {
        "" => has_own(name, args),
        "linalg" => module("linalg").is_some_and(|own| by_file(&own, "linalg.", name, args)),
        "fft" => module("fft").is_some_and(|own| takes(&own, name, args) == Some(true)),
        _ => false,
    }
}

fn has_own(name: &str, args: &[Arg]) -> bool {
    if module("_names").is_some_and(|own| by_file(&own, "", name, args) || is_type(&own, name, args)) {
        return true;
    }
    // Elementwise functions are rows of a table.
    let is_row =
        |own: &Module| ["TABLE", "SAME", "RENAMED"].iter().any(|table| keys(own, table).any(|key| key == name));
    are_few(args) && module("_ufuncs").is_some_and(|own| is_row(&own))
}

fn module(name: &str) -> Option<Arc<Module>> {
    Some(prelude(&format!("jax.numpy.{name}"))?.module)
}

/// A function that stands in the file which a table names.
fn by_file(own: &Module, package: &str, name: &str, args: &[Arg]) -> bool {
    let home =
        items(own, "_FILES").find(|(_, names)| text(own, *names).any(|text| text.split(' ').any(|own| own == name)));
    let Some((file, _)) = home else { return false };
    let Some(file) = text(own, file).next() else { return false };
    module(&format!("{package}{file}")).is_some_and(|file| takes(&file, name, args).unwrap_or_else(|| are_few(args)))
}

/// A type of 32 bits or less, of one number.
fn is_type(own: &Module, name: &str, args: &[Arg]) -> bool {
    let all = assigned(own, "_SCALAR_TYPES").into_iter().flat_map(|value| text(own, value));
    let is_it = all.into_iter().any(|text| text.split(' ').any(|own| own == name));
    is_it && !name.contains("64") && !name.contains("128") && matches!(args, [Arg::Positional(_)])
}

fn are_few(args: &[Arg]) -> bool {
    args.len() <= 2 && args.iter().all(|arg| matches!(arg, Arg::Positional(_)))
}

/// Whether a function of a file takes such arguments; none where the file has no function of this name.
fn takes(file: &Module, name: &str, args: &[Arg]) -> Option<bool> {
    let def = file.stmts.iter().find_map(|stmt| match stmt {
        Stmt::FunctionDef(def) if def.name.as_str() == name => Some(def),
        _ => None,
    })?;
    let params = &file.code(def.code).params;
    let has = |name: &str| params.names.iter().any(|param| param.name.as_str() == name);
    let by_place = args.iter().filter(|arg| !matches!(arg, Arg::Keyword(..))).count();
    let fits = by_place <= params.positional as usize || params.var_positional.is_some();
    let is_named = args.iter().all(|arg| match arg {
        Arg::Keyword(own, _) => own.as_str() != "out" && has(own.as_str()),
        _ => true,
    });
    // `where` of three arguments chooses.
    let is_traced = !NOT_TRACED.iter().any(|own| has(own)) || name == "where" && by_place == 3;
    Some(fits && is_named && is_traced)
}

/// The value that a file binds a name to.
fn assigned(file: &Module, name: &str) -> Option<ExprId> {
    file.stmts.iter().find_map(|stmt| match stmt {
        Stmt::Assign(targets, value) => match &targets[..] {
            [Target::Name(_, own, _)] if own.as_str() == name => Some(*value),
            _ => None,
        },
        _ => None,
    })
}

/// The items of a dictionary that a file binds a name to.
fn items<'m>(file: &'m Module, name: &str) -> impl Iterator<Item = (ExprId, ExprId)> + 'm {
    let items = match assigned(file, name).map(|value| file.expr(value)) {
        Some(Expr::Dict(items)) => &items[..],
        _ => &[],
    };
    items.iter().filter_map(|(key, value)| Some(((*key)?, *value)))
}

fn keys<'m>(file: &'m Module, name: &str) -> impl Iterator<Item = &'m str> {
    items(file, name).filter_map(|(key, _)| text(file, key).next())
}

/// The texts in an expression.
fn text(file: &Module, id: ExprId) -> impl Iterator<Item = &str> {
    let around = file.span(id);
    file.exprs.iter().zip(&file.expr_spans).filter(move |(_, span)| within(**span, around)).filter_map(|(expr, _)| {
        match expr {
            Expr::Constant(Const::Str(text)) => Some(&**text),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_it(call: &str) -> bool {
        let text: Arc<str> = Arc::from(format!("{call}\n"));
        let module = crate::lower::lower_text(&text);
        let Some(Expr::Call(callee, args)) = module.exprs.iter().find(|expr| matches!(expr, Expr::Call(..))) else {
            return false;
        };
        let span = module.span(*callee);
        let name = &text[span.start as usize..span.end as usize];
        let (inner, name) = name.rsplit_once('.').unwrap_or(("", name));
        has(inner, name, args)
    }

    #[test]
    fn names_of_numpy() {
        for call in [
            "exp(x)",
            "mean(x, axis=0)",
            "linalg.norm(x, axis=-1)",
            "fft.rfft(x)",
            "where(a, b, c)",
            "float32(x)",
            "maximum(a, b)",
        ] {
            assert!(has_it(call), "{call}");
        }
        for call in [
            "save(f, x)",
            "mean(x, out=y)",
            "where(x)",
            "nonzero(x)",
            "linalg.unknown(x)",
            "random.rand(3)",
            "exp(x, where=y)",
            "float64(x)",
            "fill_diagonal(x, 1)",
            "copyto(x, y)",
        ] {
            assert!(!has_it(call), "{call}");
        }
    }
}
