//! Modules of libraries that are there before the next text comes.
//!
//! A program begins with imports, and what the large libraries among them take is the same each time. Where the next text begins with the
//! same ones, nothing of the user's runs before them: what they have come to is imported while the user reads or thinks. What only
//! functions import, or attributes of modules find, is left to the run.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::loader::ProjectLoader;
use super::role::Role;
use super::run::Entry;
use crate::interp::Interp;
use crate::module::{Body, Const, Expr, MODULE_CODE, Module, Stmt, Symbol};
use crate::python::Value;
use crate::trace::Config;

/// Modules of libraries that a run has imported.
#[derive(Clone, Debug, Default)]
pub(super) struct Libraries {
    /// The imports that the script begins with.
    head: String,
    /// What they name.
    named: FxHashSet<Symbol>,
    /// The modules, in the order in which the run came to them.
    modules: Vec<Symbol>,
}

impl Libraries {
    /// Those of a run; none where something of the user's may have changed what they do.
    pub fn of(it: &Interp, loader: &ProjectLoader, entry: &Entry, role: &Role) -> Libraries {
        if !matches!(role, Role::Script) || *it.engine.config() != Config::default() {
            return Libraries::default();
        }
        let files = loader.files();
        let Some(script) = files.iter().find(|file| file.path == entry.script) else { return Libraries::default() };
        let is_own = |module: Symbol| loader.is_own(module.split('.').next().unwrap_or_default());
        let Some((head, named)) = head(&script.module, &script.text, is_own) else { return Libraries::default() };
        Libraries { head: head.to_owned(), named, modules: loader.libraries() }
    }

    pub fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    pub fn modules(&self) -> impl Iterator<Item = Symbol> {
        self.modules.iter().copied()
    }

    /// Whether a text begins with the same imports.
    pub fn begin(&self, text: &str) -> bool {
        text.strip_prefix(&*self.head).is_some_and(|rest| rest.is_empty() || rest.starts_with(['\n', '\r']))
    }

    /// Imports what names of the imports, and of what they import, wait for: whether that noted nothing.
    pub fn import(&self, it: &Rc<Interp>) -> bool {
        let mut waited = self.named.clone();
        let mut seen: FxHashSet<Symbol> = FxHashSet::default();
        for name in &self.modules {
            note_waited(it, &mut seen, &mut waited);
            if waited.contains(name) && it.import(*name).is_err() {
                return false;
            }
        }
        it.events.noted() == 0 && it.reported.borrow().is_empty()
    }
}

/// Adds the modules that names of modules wait for, with the packages around them.
fn note_waited(it: &Interp, seen: &mut FxHashSet<Symbol>, waited: &mut FxHashSet<Symbol>) {
    for (name, module) in it.modules.borrow().iter() {
        let Value::Module(module) = module else { continue };
        if !seen.insert(*name) {
            continue;
        }
        for wanted in module.waiting.borrow().values() {
            with_packages(wanted.from, waited);
            if let Some(member) = wanted.member {
                waited.insert(Symbol::from(&*format!("{}.{member}", wanted.from)));
            }
        }
    }
}

fn with_packages(module: Symbol, into: &mut FxHashSet<Symbol>) {
    let mut name = module;
    while into.insert(name)
        && let Some((package, _)) = name.as_str().rsplit_once('.')
    {
        name = Symbol::from(package);
    }
}

/// The imports of others' modules that a text begins with, and what they name.
fn head<'t>(module: &Module, text: &'t str, is_own: impl Fn(Symbol) -> bool) -> Option<(&'t str, FxHashSet<Symbol>)> {
    let Body::Block(statements) = &module.code(MODULE_CODE).body else { return None };
    let (mut named, mut end) = (FxHashSet::default(), 0);
    for id in statements {
        let mut found: Vec<Symbol> = Vec::new();
        match module.stmt(*id) {
            Stmt::Import(names) => found.extend(names.iter().map(|alias| alias.name)),
            Stmt::ImportFrom { module, level: 0, names } => {
                found.push(*module);
                found.extend(names.iter().map(|alias| Symbol::from(&*format!("{module}.{}", alias.name))));
            }
            Stmt::Expr(value) if matches!(module.expr(*value), Expr::Constant(Const::Str(_))) => {}
            _ => break,
        }
        if found.iter().any(|name| is_own(*name)) {
            break;
        }
        found.into_iter().for_each(|name| with_packages(name, &mut named));
        end = module.stmt_spans.get(id.index())?.end as usize;
    }
    Some((text.get(..end).filter(|head| !head.is_empty())?, named))
}
