//! What a run starts from: an interpreter with frameworks, and a loader.
//!
//! Runs of an open document follow each other, and each imports the same modules of ours. Between two runs, while the user
//! reads or thinks, the next one is begun: those modules are there when the next text comes. Nothing of the user's has a
//! part in it, so what the next run says is what a run from nothing would say.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::STACK;
use super::libraries::Libraries;
use super::loader::{LoadedFile, ProjectLoader, Vfs};
use super::role::Role;
use super::run::Entry;
use crate::frameworks;
use crate::frameworks::jax::recipes::Lasting;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::Value;

/// An interpreter that has run nothing of the user's.
pub struct Ready {
    /// The interpreter.
    pub it: Rc<Interp>,
    /// Its loader.
    pub loader: Rc<ProjectLoader>,
    folders: Folders,
    /// Modules that have been imported.
    imported: Imported,
    /// The fuel that importing them took.
    spent: u64,
}

/// Modules that a run has imported, in order; those of ours each with the names that it had found in them by its end: those that
/// wait until somebody reads them, or are looked for where they are (`jax.numpy.__getattr__`).
#[derive(Clone, Debug, Default)]
pub struct Imported {
    ours: Vec<(Symbol, Vec<Symbol>)>,
    libraries: Libraries,
}

impl Imported {
    /// What a run has imported.
    pub fn of(it: &Interp, loader: &Rc<ProjectLoader>, entry: &Entry, role: &Role) -> Imported {
        let modules = it.modules.borrow();
        let found = |name: &Symbol| match modules.get(name) {
            Some(Value::Module(module)) if module.unit.ours => module.bound_names(),
            _ => Vec::new(),
        };
        let ours = loader.ours().into_iter().map(|name| (name, found(&name))).collect();
        Imported { ours, libraries: Libraries::of(it, loader, entry, role) }
    }

    fn modules(&self) -> impl Iterator<Item = Symbol> {
        self.ours.iter().map(|(name, _)| *name)
    }

    fn without_names(&self) -> Imported {
        let ours = self.modules().map(|module| (module, Vec::new())).collect();
        Imported { ours, libraries: self.libraries.clone() }
    }

    fn without_libraries(&self) -> Imported {
        Imported { ours: self.ours.clone(), ..Imported::default() }
    }

    /// Reads the names, so that they are there: whether that noted nothing, as it will where a program reads them.
    fn read_names(&self, it: &Rc<Interp>) -> bool {
        for (module, names) in &self.ours {
            let Some(module) = it.modules.borrow().get(module).cloned() else { continue };
            let Value::Module(object) = &module else { continue };
            for name in names {
                if object.get(*name).is_none() {
                    // What the program itself had put there is not found.
                    let _ = it.getattr(&module, *name);
                }
            }
        }
        it.events.noted() == 0 && it.reported.borrow().is_empty()
    }
}

/// Where modules are looked for.
#[derive(Clone, Debug, PartialEq)]
struct Folders {
    roots: Vec<PathBuf>,
    environment: Vec<PathBuf>,
    fallback: Vec<PathBuf>,
}

impl Folders {
    fn of(vfs: &dyn Vfs, entry: &Entry, role: &Role) -> Folders {
        let mut roots = vec![role.root(&entry.script)];
        roots.extend(entry.roots.iter().cloned());
        Folders { roots, environment: entry.environment.clone(), fallback: role.fallback(vfs, entry) }
    }
}

impl Ready {
    /// One in which no module has been imported.
    pub fn new(vfs: Rc<dyn Vfs>, entry: &Entry, role: &Role) -> Ready {
        let folders = Folders::of(&*vfs, entry, role);
        let Folders { roots, environment, fallback } = folders.clone();
        let loader = Rc::new(ProjectLoader::new(vfs, roots, environment, fallback));
        let it = Interp::new(Box::new(loader.clone()), Arc::new(AtomicBool::new(false)));
        let marker = 0u8;
        let top = std::ptr::from_ref(&marker) as usize;
        it.stack_top.set(top);
        it.stack_limit.set(top.saturating_sub(STACK - (1 << 20)));
        loader.attach(&it);
        frameworks::install(&it);
        Ready { it, loader, folders, imported: Imported::default(), spent: 0 }
    }

    /// One in which these modules have been imported, and their names found where nobody sees that; `None` where it
    /// would run anything of the user's.
    pub fn with_modules(
        vfs: Rc<dyn Vfs>,
        entry: &Entry,
        role: &Role,
        imported: Imported,
        lasting: Lasting,
    ) -> Option<Ready> {
        let mut ready = Ready::new(vfs.clone(), entry, role);
        lasting.clone().hand_to(&ready.it);
        let before = ready.it.fuel.get();
        if ready.loader.shadows_any(imported.modules()) || imported.modules().any(|m| ready.it.import(m).is_err()) {
            return None;
        }
        if !imported.read_names(&ready.it) {
            return Ready::with_modules(vfs, entry, role, imported.without_names(), lasting);
        }
        if imported.libraries.is_empty() {
            // Some of ours import a library.
            if !ready.loader.files().is_empty() {
                return None;
            }
        } else {
            let quiet = imported.libraries.import(&ready.it);
            if !quiet
                || ready.loader.shadows_any(imported.libraries.modules())
                || ready.loader.files().iter().any(|file| file.user)
            {
                return Ready::with_modules(vfs, entry, role, imported.without_libraries(), lasting);
            }
        }
        imported.modules().chain(imported.libraries.modules()).for_each(|module| ready.it.unname(module));
        ready.spent = before - ready.it.fuel.get();
        ready.imported = imported;
        Some(ready)
    }

    /// Takes on a run: whether it can, with this view of the files.
    pub fn take_on(&self, vfs: &Rc<dyn Vfs>, entry: &Entry, role: &Role) -> bool {
        if self.folders != Folders::of(&**vfs, entry, role) {
            return false;
        }
        self.loader.look_at(vfs.clone());
        !self.loader.shadows_any(self.imported.modules()) && self.has_libraries_for(&**vfs, entry, role)
    }

    /// Whether the modules of libraries in it are those that the program's imports give it.
    fn has_libraries_for(&self, vfs: &dyn Vfs, entry: &Entry, role: &Role) -> bool {
        let libraries = &self.imported.libraries;
        let is_as_before = |file: &LoadedFile| vfs.read_library(&file.path).is_some_and(|text| text == file.text);
        self.loader.files().is_empty()
            || !self.loader.shadows_any(libraries.modules())
                && self.loader.files().iter().all(is_as_before)
                && libraries.are_named(&self.loader, entry, role)
    }

    /// Whether modules of libraries have been imported.
    pub fn has_libraries(&self) -> bool {
        !self.loader.files().is_empty()
    }

    /// Gives the run its bounds.
    pub fn start(&self, fuel: u64, cancel: Arc<AtomicBool>) {
        self.it.set_cancel(cancel);
        self.it.set_fuel(fuel.saturating_sub(self.spent));
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    struct Files(&'static [&'static str]);

    impl Vfs for Files {
        fn read(&self, path: &Path) -> Option<Arc<str>> {
            self.0.iter().any(|file| Path::new(file) == path).then(|| "".into())
        }
        fn is_dir(&self, _: &Path) -> bool {
            false
        }
    }

    #[test]
    fn modules_of_ours_are_there_unless_the_user_has_them() {
        let entry = || Entry { script: "/p/main.py".into(), roots: vec![], environment: vec![], fallback: vec![] };
        let ours = || ["math", "jax"].map(|name| (Symbol::from(name), vec![Symbol::from("nn")])).into();
        let modules = || Imported { ours: ours(), ..Imported::default() };
        let nothing: Rc<dyn Vfs> = Rc::new(Files(&[]));
        let ready =
            Ready::with_modules(nothing.clone(), &entry(), &Role::Script, modules(), Lasting::default()).unwrap();
        assert!(modules().modules().all(|name| ready.it.modules.borrow().contains_key(&name)) && ready.spent > 0);
        let found = |module: &str| match ready.it.modules.borrow().get(&Symbol::from(module)) {
            Some(Value::Module(module)) => module.get(Symbol::from("nn")).is_some(),
            _ => false,
        };
        assert!(found("jax") && !found("math"));
        assert!(ready.take_on(&nothing, &entry(), &Role::Script));
        let shadowing: Rc<dyn Vfs> = Rc::new(Files(&["/p/math.py"]));
        let module = Role::Imported { root: "/".into(), name: "p.main".into(), beside: true };
        assert!(!ready.take_on(&nothing, &entry(), &module));
        assert!(!ready.take_on(&shadowing, &entry(), &Role::Script));
        assert!(!ready.take_on(&nothing, &Entry { script: "/q/main.py".into(), ..entry() }, &Role::Script));
        assert!(Ready::with_modules(shadowing, &entry(), &Role::Script, modules(), Lasting::default()).is_none());
    }
}
