//! What a run starts from: an interpreter with frameworks, and a loader.
//!
//! Runs of an open document follow each other, and each imports the same modules of ours. Between two runs, while the user
//! reads or thinks, the next one is begun: those modules are there when the next text comes. Nothing of the user's has a
//! part in it, so what the next run says is what a run from nothing would say.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::loader::{ProjectLoader, Vfs};
use super::role::Role;
use super::run::Entry;
use super::worker::STACK;
use crate::frameworks;
use crate::frameworks::jax::recipes::Lasting;
use crate::interp::Interp;
use crate::module::Symbol;

/// An interpreter that has run nothing of the user's.
pub struct Ready {
    /// The interpreter.
    pub it: Rc<Interp>,
    /// Its loader.
    pub loader: Rc<ProjectLoader>,
    folders: Folders,
    /// Modules of ours that have been imported.
    imported: Vec<Symbol>,
    /// The fuel that importing them took.
    spent: u64,
}

/// Where modules are looked for.
#[derive(Clone, Debug, PartialEq)]
struct Folders {
    roots: Vec<PathBuf>,
    environment: Vec<PathBuf>,
    fallback: Vec<PathBuf>,
}

impl Folders {
    fn of(entry: &Entry, role: &Role) -> Folders {
        let mut roots = vec![role.root(&entry.script)];
        roots.extend(entry.roots.iter().cloned());
        Folders { roots, environment: entry.environment.clone(), fallback: role.fallback(entry) }
    }
}

impl Ready {
    /// One in which no module has been imported.
    pub fn new(vfs: Rc<dyn Vfs>, entry: &Entry, role: &Role) -> Ready {
        let folders = Folders::of(entry, role);
        let Folders { roots, environment, fallback } = folders.clone();
        let loader = Rc::new(ProjectLoader::new(vfs, roots, environment, fallback));
        let it = Interp::new(Box::new(loader.clone()), Arc::new(AtomicBool::new(false)));
        let marker = 0u8;
        it.stack_limit.set((std::ptr::from_ref(&marker) as usize).saturating_sub(STACK - (1 << 20)));
        loader.attach(&it);
        frameworks::install(&it);
        Ready { it, loader, folders, imported: Vec::new(), spent: 0 }
    }

    /// One in which these modules of ours have been imported; `None` where that would run anything that is not ours.
    pub fn with_modules(
        vfs: Rc<dyn Vfs>,
        entry: &Entry,
        role: &Role,
        modules: Vec<Symbol>,
        lasting: Lasting,
    ) -> Option<Ready> {
        let mut ready = Ready::new(vfs, entry, role);
        lasting.hand_to(&ready.it);
        let before = ready.it.fuel.get();
        if ready.loader.shadows_any(&modules) || modules.iter().any(|module| ready.it.import(*module).is_err()) {
            return None;
        }
        ready.spent = before - ready.it.fuel.get();
        ready.imported = modules;
        ready.loader.files().is_empty().then_some(ready)
    }

    /// Takes on a run: whether it can, with this view of the files.
    pub fn take_on(&self, vfs: &Rc<dyn Vfs>, entry: &Entry, role: &Role) -> bool {
        if self.folders != Folders::of(entry, role) {
            return false;
        }
        self.loader.look_at(vfs.clone());
        !self.loader.shadows_any(&self.imported)
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
        let modules = || vec![Symbol::from("math"), Symbol::from("jax")];
        let nothing: Rc<dyn Vfs> = Rc::new(Files(&[]));
        let ready =
            Ready::with_modules(nothing.clone(), &entry(), &Role::Script, modules(), Lasting::default()).unwrap();
        assert!(modules().iter().all(|name| ready.it.modules.borrow().contains_key(name)) && ready.spent > 0);
        assert!(ready.take_on(&nothing, &entry(), &Role::Script));
        let shadowing: Rc<dyn Vfs> = Rc::new(Files(&["/p/math.py"]));
        let module = Role::Imported { root: "/".into(), name: "p.main".into(), beside: true };
        assert!(!ready.take_on(&nothing, &entry(), &module));
        assert!(!ready.take_on(&shadowing, &entry(), &Role::Script));
        assert!(!ready.take_on(&nothing, &Entry { script: "/q/main.py".into(), ..entry() }, &Role::Script));
        assert!(Ready::with_modules(shadowing, &entry(), &Role::Script, modules(), Lasting::default()).is_none());
    }
}
