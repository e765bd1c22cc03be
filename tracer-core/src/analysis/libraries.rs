//! Modules of libraries that are there before the next text comes.
//!
//! What the large libraries of a program take is the same each time. Where the next text imports the same ones, itself or through modules
//! of the user's, and nothing of the user's changes more than itself meanwhile, what they have come to is imported while the user reads or
//! thinks. What attributes of modules find is left to the run.

mod named;

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::loader::ProjectLoader;
use super::role::Role;
use super::run::Entry;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::Value;
use crate::trace::Config;

/// Modules of libraries that a run has imported.
#[derive(Clone, Debug, Default)]
pub(super) struct Libraries {
    /// What the program's imports name.
    named: FxHashSet<Symbol>,
    /// The modules, in the order in which the run came to them.
    modules: Vec<Symbol>,
}

impl Libraries {
    /// Those of a run; none where something of the user's may have changed what they do.
    pub fn of(it: &Interp, loader: &Rc<ProjectLoader>, entry: &Entry, role: &Role) -> Libraries {
        if *it.engine.config() != Config::default() {
            return Libraries::default();
        }
        Libraries { named: named::named(loader, entry, role), modules: loader.libraries() }
    }

    pub fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    pub fn modules(&self) -> impl Iterator<Item = Symbol> {
        self.modules.iter().copied()
    }

    /// Whether the program imports the same as before.
    pub fn are_named(&self, loader: &Rc<ProjectLoader>, entry: &Entry, role: &Role) -> bool {
        named::named(loader, entry, role) == self.named
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
