//! Which modules a program's imports name, as far as nothing runs before them that changes more than itself.

use std::rc::Rc;
use std::sync::Arc;

use memchr::memmem;
use rustc_hash::FxHashSet;

use super::with_packages;
use crate::analysis::loader::{Located, ProjectLoader, imports};
use crate::analysis::role::Role;
use crate::analysis::run::Entry;
use crate::diagnostics::reading::statements;
use crate::module::{Body, Const, Expr, MODULE_CODE, Module, Part, Stmt, Symbol, Target};

/// What a text of the user's has in it that may change what libraries do while they are imported.
const LOUD: &[&str] = &[
    " setattr(",
    "__dict__",
    "addsitedir",
    "config.jax",
    "config.update",
    "enable_x64",
    "environ",
    "exec(",
    "importlib",
    "jax.config",
    "putenv",
    "register_backend",
    "reload",
    "set_platform",
    "sys.modules",
    "sys.path",
];

/// The modules that an entry's imports name, with those of the user's modules that they lead to: all of them where none of these texts
/// changes more than itself, or else those that the script begins with.
pub(super) fn named(loader: &Rc<ProjectLoader>, entry: &Entry, role: &Role) -> FxHashSet<Symbol> {
    let package = match role {
        Role::Script => None,
        Role::Main { name, .. } | Role::Imported { name, .. } => {
            name.as_str().rsplit_once('.').map(|(package, _)| package)
        }
    };
    let mut named = Named { loader, modules: FxHashSet::default() };
    let Some((text, module)) = loader.text(&entry.script) else { return named.modules };
    if package.is_some_and(|package| !named.follow([package.into()])) {
        return FxHashSet::default();
    }
    let package = package.unwrap_or_default();
    if is_tame(&text, &module) {
        let mut all = named.clone();
        if all.follow(imports(&text, package)) {
            return all.modules;
        }
    }
    for imported in first_imports(&text, &module, package) {
        let mut more = named.clone();
        if !more.follow(imported) {
            break;
        }
        named = more;
    }
    named.modules
}

#[derive(Clone)]
struct Named<'l> {
    loader: &'l Rc<ProjectLoader>,
    modules: FxHashSet<Symbol>,
}

impl Named<'_> {
    /// Adds what may be modules, and what they import that are the user's: whether these change nothing but themselves.
    fn follow(&mut self, names: impl IntoIterator<Item = String>) -> bool {
        names.into_iter().all(|name| {
            let mut around = FxHashSet::default();
            with_packages(Symbol::from(&*name), &mut around);
            around.into_iter().all(|module| !self.modules.insert(module) || self.follow_own(module))
        })
    }

    fn follow_own(&mut self, name: Symbol) -> bool {
        if !self.loader.is_own(name.split('.').next().unwrap_or_default()) {
            return true;
        }
        let Some(Located::File { path, text, is_package, user: true }) = self.loader.locate(&name) else { return true };
        let module = self.loader.lowered(&path, &text);
        let package = if is_package { &*name } else { name.rsplit_once('.').map_or("", |(package, _)| package) };
        is_tame(&text, &module) && self.follow(imports(&text, package))
    }
}

/// Whether running a module changes nothing but itself, as far as libraries would notice.
fn is_tame(text: &str, module: &Module) -> bool {
    let binds_others = |id| {
        let mut found = false;
        module.stmt(id).parts(&mut |part| found |= matches!(part, Part::Target(target) if has_attribute(target)));
        found
    };
    !LOUD.iter().any(|word| memmem::find(text.as_bytes(), word.as_bytes()).is_some())
        && !statements(module, module.code(MODULE_CODE)).into_iter().any(binds_others)
}

fn has_attribute(target: &Target) -> bool {
    match target {
        Target::Attribute(..) => true,
        Target::Tuple(inner, _) => inner.iter().any(has_attribute),
        Target::Starred(inner, _) => has_attribute(inner),
        Target::Name(..) | Target::Subscript(..) | Target::Error(_) => false,
    }
}

/// What each of the imports names that a script begins with.
fn first_imports(text: &Arc<str>, module: &Module, package: &str) -> Vec<Vec<String>> {
    let Body::Block(statements) = &module.code(MODULE_CODE).body else { return Vec::new() };
    let mut found = Vec::new();
    for id in statements {
        match module.stmt(*id) {
            Stmt::Import(_) | Stmt::ImportFrom { .. } => {
                let span = module.stmt_spans.get(id.index());
                let line = span.and_then(|span| text.get(span.start as usize..span.end as usize));
                found.push(imports(line.unwrap_or_default(), package));
            }
            Stmt::Expr(value) if matches!(module.expr(*value), Expr::Constant(Const::Str(_))) => {}
            _ => break,
        }
    }
    found
}
