//! Tables of the preludes that say which file of a package holds which name (`core.by_word`), read from the lowered text.

use rustc_hash::FxHashMap;

use crate::module::{Arg, Const, Expr, ExprId, Module, Stmt, Symbol, Target};

/// The file, without its package, of each name in the tables of a module.
pub(super) fn homes(module: &Module) -> FxHashMap<Symbol, Symbol> {
    let mut homes = FxHashMap::default();
    for stmt in &module.stmts {
        if let Stmt::Assign(_, value) = stmt
            && let Expr::Call(callee, args) = module.expr(*value)
            && let Expr::Attribute(_, function) = module.expr(*callee)
            && function.as_str() == "by_word"
            && let [Arg::Positional(table)] = &args[..]
        {
            for (file, names) in rows(module, *table) {
                let file = Symbol::from(file);
                homes.extend(names.split_whitespace().map(|name| (Symbol::from(name), file)));
            }
        }
    }
    homes
}

/// The rows of a table that is displayed, or that a name is given to first.
fn rows(module: &Module, table: ExprId) -> Vec<(&str, &str)> {
    let display = match module.expr(table) {
        Expr::Name(_, name) => module.stmts.iter().find_map(|stmt| match stmt {
            Stmt::Assign(targets, value) => match &targets[..] {
                [Target::Name(_, target, _)] if target == name => Some(*value),
                _ => None,
            },
            _ => None,
        }),
        _ => Some(table),
    };
    let Some(Expr::Dict(items)) = display.map(|display| module.expr(display)) else { return Vec::new() };
    let text = |expr: ExprId| match module.expr(expr) {
        Expr::Constant(Const::Str(text)) => Some(text.as_str()),
        _ => None,
    };
    items.iter().filter_map(|(key, value)| Some((text((*key)?)?, text(*value)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_says_which_file_holds_a_name() {
        let text = "HOMES = {\"_sums\": \"sum mean\", \"_shapes\": \"reshape\"}\nHOME_OF = core.by_word(HOMES)\n";
        let homes = homes(&crate::lower::lower_outline(&text.into()));
        assert_eq!(homes.get(&Symbol::from("mean")).map(|file| file.as_str()), Some("_sums"));
        assert_eq!(homes.get(&Symbol::from("reshape")).map(|file| file.as_str()), Some("_shapes"));
        assert_eq!(homes.len(), 3);
    }
}
