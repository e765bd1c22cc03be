//! How a file is run: as a script, or as the module of a package that it is.
//!
//! A file in a folder with `__init__.py` is a module of the package that this folder is. What it says relative to the package,
//! and what others in the package import of it, holds only for the module: as a script it would fail at its first relative
//! import, and its neighbours would hide modules of the same names (`logging.py`). So it is imported under its full name
//! with the folder around the topmost package as a root, unless it says that it is a script
//! (`if __name__ == "__main__":`); one that says so and imports from the package is run as `python -m` runs it.

use std::path::{Path, PathBuf};

use super::loader::Vfs;
use super::run::Entry;
use crate::frameworks;
use crate::module::{CompareOp, Const, Expr, Module, Stmt, Symbol};

/// How the file of an entry is run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// `python file.py`
    Script,
    /// `python -m package.file`, from the folder around the package.
    Main {
        /// The folder around the topmost package.
        root: PathBuf,
        /// The full name.
        name: Symbol,
    },
    /// `import package.file`, with that folder among those where modules are.
    Imported {
        /// The folder around the topmost package.
        root: PathBuf,
        /// The full name.
        name: Symbol,
        /// Whether it may import its neighbours by their names alone: it imports nothing by the name of the package.
        beside: bool,
    },
}

impl Role {
    /// Of an entry's file.
    pub fn of(vfs: &dyn Vfs, entry: &Entry) -> Role {
        let Some((root, name)) = full_name(vfs, &entry.script) else { return Role::Script };
        let package = name.as_str().split('.').next().unwrap_or_default();
        // A library's own file, or one of what is modelled: it would be read instead of the model.
        if entry.environment.contains(&root) || frameworks::has_prelude(package) {
            return Role::Script;
        }
        let Some(text) = vfs.read(&entry.script) else { return Role::Script };
        let module = vfs.lowered(&entry.script, &text, true);
        match (is_guarded(&module), imports_package(&module, package)) {
            (true, false) => Role::Script,
            (true, true) => Role::Main { root, name },
            (false, imports) => Role::Imported { root, name, beside: !imports },
        }
    }

    /// The first of the folders where the user's modules are.
    pub fn root(&self, script: &Path) -> PathBuf {
        match self {
            Role::Script => script.parent().map(PathBuf::from).unwrap_or_default(),
            Role::Main { root, .. } | Role::Imported { root, .. } => root.clone(),
        }
    }

    /// The folders of the project where modules are looked for last: those inside of the package are none, for a module of it.
    pub fn fallback(&self, entry: &Entry) -> Vec<PathBuf> {
        let package = match self {
            Role::Script | Role::Imported { beside: true, .. } => None,
            Role::Main { root, name } | Role::Imported { root, name, .. } => {
                name.as_str().split('.').next().map(|package| root.join(package))
            }
        };
        let outside = |folder: &&PathBuf| package.as_ref().is_none_or(|package| !folder.starts_with(package));
        entry.fallback.iter().filter(outside).cloned().collect()
    }
}

/// The folder around the topmost package that a file is in, and its full name; `None` where it is in no package.
fn full_name(vfs: &dyn Vfs, script: &Path) -> Option<(PathBuf, Symbol)> {
    let mut names = Vec::new();
    let stem = script.file_stem()?.to_str()?;
    if stem != "__init__" {
        names.push(stem);
    }
    let mut folder = script.parent()?;
    while vfs.read(&folder.join("__init__.py")).is_some() {
        names.push(folder.file_name()?.to_str()?);
        folder = folder.parent()?;
    }
    let in_package = names.len() > usize::from(stem != "__init__");
    let named = |name: &&str| {
        name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_ascii_digit())
    };
    if !in_package || !names.iter().all(named) {
        return None;
    }
    names.reverse();
    Some((folder.to_owned(), Symbol::from(names.join(".").as_str())))
}

/// Whether a text asks if it is the program.
fn is_guarded(module: &Module) -> bool {
    let is_name = |id| matches!(module.expr(id), Expr::Name(_, name) if name.as_str() == "__name__");
    let is_main = |id| matches!(module.expr(id), Expr::Constant(Const::Str(text)) if &**text == "__main__");
    module.stmts.iter().any(|stmt| {
        let Stmt::If { test, .. } = stmt else { return false };
        match module.expr(*test) {
            Expr::Compare(left, rest) => matches!(
                &rest[..],
                [(CompareOp::Eq, right)] if is_name(*left) && is_main(*right) || is_main(*left) && is_name(*right)
            ),
            _ => false,
        }
    })
}

/// Whether a text imports from the package that it is in, relative to it or by its name.
fn imports_package(module: &Module, package: &str) -> bool {
    let is_own = |name: Symbol| name.as_str().split('.').next() == Some(package);
    module.stmts.iter().any(|stmt| match stmt {
        Stmt::ImportFrom { level, module, .. } => *level > 0 || is_own(*module),
        Stmt::Import(names) => names.iter().any(|alias| is_own(alias.name)),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Arc;

    use super::*;

    struct Files(HashMap<&'static str, &'static str>);

    impl Vfs for Files {
        fn read(&self, path: &Path) -> Option<Arc<str>> {
            self.0.get(path.to_str()?).map(|text| Arc::from(*text))
        }
        fn is_dir(&self, _: &Path) -> bool {
            false
        }
    }

    const GUARD: &str = "if __name__ == '__main__':\n    main()\n";

    fn role(files: &[(&'static str, &'static str)], script: &str, environment: &[&str]) -> Role {
        let entry = Entry {
            script: script.into(),
            roots: vec![],
            environment: environment.iter().map(PathBuf::from).collect(),
            fallback: vec![],
        };
        Role::of(&Files(files.iter().copied().collect()), &entry)
    }

    fn imported(root: &str, name: &str) -> Role {
        Role::Imported { root: root.into(), name: name.into(), beside: true }
    }

    #[test]
    fn modules_of_a_package_do_not_find_their_neighbours_as_modules_of_their_own() {
        let entry = Entry {
            script: "/p/a/b/c.py".into(),
            roots: vec![],
            environment: vec![],
            fallback: vec!["/p/a/b".into(), "/p/a".into(), "/p".into(), "/p/src".into()],
        };
        let module = |beside| Role::Imported { root: "/p".into(), name: "a.b.c".into(), beside };
        assert_eq!(module(false).fallback(&entry), [PathBuf::from("/p"), PathBuf::from("/p/src")]);
        assert_eq!(module(true).fallback(&entry), entry.fallback);
        assert_eq!(Role::Script.fallback(&entry), entry.fallback);
    }

    #[test]
    fn files_of_packages_are_modules_unless_they_are_scripts() {
        let package = [("/p/a/__init__.py", ""), ("/p/a/b/__init__.py", ""), ("/p/a/b/c.py", "x = 1\n")];
        assert_eq!(role(&package, "/p/a/b/c.py", &[]), imported("/p", "a.b.c"));
        assert_eq!(role(&package, "/p/a/b/__init__.py", &[]), imported("/p", "a.b"));
        assert_eq!(role(&package, "/p/a/b/c.py", &["/p"]), Role::Script, "a library's own file");
        assert_eq!(role(&[("/p/c.py", "x = 1\n")], "/p/c.py", &[]), Role::Script);
        assert_eq!(role(&[("/p/a/__init__.py", ""), ("/p/a/c.py", GUARD)], "/p/a/c.py", &[]), Role::Script);
        let relative = "from . import d\nif '__main__' == __name__:\n    d.main()\n";
        let main = Role::Main { root: "/p".into(), name: "a.c".into() };
        assert_eq!(role(&[("/p/a/__init__.py", ""), ("/p/a/c.py", relative)], "/p/a/c.py", &[]), main.clone());
        let absolute = "import a.d\nif '__main__' == __name__:\n    a.d.main()\n";
        assert_eq!(role(&[("/p/a/__init__.py", ""), ("/p/a/c.py", absolute)], "/p/a/c.py", &[]), main);
        assert_eq!(role(&[("/p/a-b/__init__.py", ""), ("/p/a-b/c.py", "")], "/p/a-b/c.py", &[]), Role::Script);
        assert_eq!(role(&[("/p/jax/__init__.py", ""), ("/p/jax/c.py", "")], "/p/jax/c.py", &[]), Role::Script);
    }
}
