//! How a file is run: as a script, or as the module of a package that it is.
//!
//! A file in a folder with `__init__.py` is a module of the package that this folder is. What it says relative to the package,
//! and what others in the package import of it, holds only for the module: as a script it would fail at its first relative
//! import, and its neighbours would hide modules of the same names (`logging.py`). So it is imported under its full name
//! with the folder around the topmost package as a root, unless it says that it is a script
//! (`if __name__ == "__main__":`); one that says so and imports from the package is run as `python -m` runs it.
//!
//! A folder without `__init__.py` is a package too if the file says so: by an import relative to it, or by its name as a
//! folder of the project, or by an import of a module that bears the file's own name, where a folder further out is a package,
//! or by an import relative to a package whose name is a library's (`math`). So is one with a file in it that would hide a module of
//! Python from the scripts in it (`nn/typing.py`): none of them would come behind `import jax`.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use super::loader::Vfs;
use super::run::Entry;
use crate::frameworks;
use crate::module::{Body, CompareOp, Const, Expr, MODULE_CODE, Module, Stmt, Symbol};
use crate::notebook;

/// So many files of a folder are asked how they import.
const MOST_NEIGHBOURS: usize = 40;

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
        if notebook::is_notebook(&entry.script) {
            return Role::Script;
        }
        let Some(text) = vfs.read(&entry.script) else { return Role::Script };
        let module = vfs.lowered(&entry.script, &text, true);
        let hides_python = hides_python(vfs, entry, &module);
        let mut said = named_folders(vfs, entry, &module, hides_python)
            .unwrap_or(usize::from(hides_python))
            .max(levels(&module))
            .max(folders_beside_itself(vfs, entry, &module));
        let (root, name) = loop {
            let Some((root, name)) = full_name(vfs, &entry.script, said) else { return Role::Script };
            let package = name.as_str().split('.').next().unwrap_or_default();
            // Its name is that of a library, and it says that it is in a package: that one lies further out.
            if levels(&module) == 0 || !frameworks::has_prelude(package) || !is_inside(entry, &root) {
                break (root, name);
            }
            let folders = name.as_str().split('.').count() - usize::from(!is_init(&entry.script));
            said = folders + 1;
        };
        let package = name.as_str().split('.').next().unwrap_or_default();
        // A library's own file, or one of what is modelled: it would be read instead of the model.
        if entry.environment.contains(&root) || frameworks::has_prelude(package) {
            return Role::Script;
        }
        match (is_guarded(&module), imports_package(&module, package)) {
            (true, false) if !hides_python => Role::Script,
            (true, _) => Role::Main { root, name },
            (false, imports) => {
                let beside = !imports && !is_used_as_package(vfs, &entry.script, &root, package);
                Role::Imported { root, name, beside }
            }
        }
    }

    /// The first of the folders where the user's modules are.
    pub fn root(&self, script: &Path) -> PathBuf {
        match self {
            Role::Script => script.parent().map(PathBuf::from).unwrap_or_default(),
            Role::Main { root, .. } | Role::Imported { root, .. } => root.clone(),
        }
    }

    /// The folders of the project where modules are looked for last: those inside of the package are none, for a module of it,
    /// and packages between the file and the top of the project are none at all: what is in them bears names of libraries.
    pub fn fallback(&self, vfs: &dyn Vfs, entry: &Entry) -> Vec<PathBuf> {
        let package = match self {
            Role::Script | Role::Imported { beside: true, .. } => None,
            Role::Main { root, name } | Role::Imported { root, name, .. } => {
                name.as_str().split('.').next().map(|package| root.join(package))
            }
        };
        let outside = |folder: &&PathBuf| package.as_ref().is_none_or(|package| !folder.starts_with(package));
        let above: Vec<&Path> = entry.script.ancestors().skip(2).collect();
        let top = entry.fallback.iter().rfind(|folder| above.contains(&folder.as_path()));
        let between = |folder: &PathBuf| {
            above.contains(&folder.as_path()) && Some(folder) != top && vfs.read(&folder.join("__init__.py")).is_some()
        };
        entry.fallback.iter().filter(outside).filter(|folder| !between(folder)).cloned().collect()
    }
}

/// Whether a file stands for its folder.
fn is_init(script: &Path) -> bool {
    script.file_stem().is_some_and(|stem| stem == "__init__")
}

/// Whether a folder around the file is one of the project and not its top.
fn is_inside(entry: &Entry, folder: &Path) -> bool {
    let is_of_project = |folder: &Path| entry.fallback.iter().any(|f| f == folder);
    is_of_project(folder) && folder.parent().is_some_and(is_of_project)
}

/// How many folders around a file its imports relative to them need.
fn levels(module: &Module) -> usize {
    let levels = module.stmts.iter().map(|stmt| match stmt {
        Stmt::ImportFrom { level, .. } | Stmt::ImportStar { level, .. } => *level as usize,
        _ => 0,
    });
    levels.max().unwrap_or(0)
}

/// Modules of Python that JAX imports, and that a file of the same name hides where it lies beside a script.
const NEEDED: &str = "
    array ast base64 bisect calendar cmd collections contextlib contextvars copy copyreg csv ctypes dataclasses datetime decimal difflib dis
    email enum functools glob gzip hashlib heapq hmac html http importlib inspect ipaddress json keyword linecache locale logging math
    mimetypes numbers opcode operator pathlib pickle pkgutil platform pprint queue random re reprlib secrets select selectors shutil signal
    socket ssl string struct subprocess tempfile textwrap threading token tokenize traceback types typing urllib uuid warnings weakref zipfile zlib";

/// Whether a file lies beside one that hides a module of Python from scripts there (`nn/typing.py`): so it is no script, and no module that
/// is found by its name alone, unless it imports its neighbours so.
fn hides_python(vfs: &dyn Vfs, entry: &Entry, module: &Module) -> bool {
    let Some(folder) = entry.script.parent().filter(|folder| is_inside(entry, folder)) else { return false };
    let Some(names) = vfs.names(folder) else { return false };
    let own = entry.script.file_stem();
    let beside = names.iter().filter_map(|name| name.to_str()?.strip_suffix(".py"));
    let modules: FxHashSet<&str> = beside.filter(|name| own.is_none_or(|own| own != *name)).collect();
    let needed: FxHashSet<&str> = NEEDED.split_whitespace().filter(|name| modules.contains(name)).collect();
    !needed.is_empty() && !modules.iter().any(|name| !needed.contains(name) && imports_from(module, name))
}

/// How many folders around a file are packages because it imports from the outermost of them by its name; none where it says
/// that it is a script, and may be one, for then it may be run from anywhere.
fn named_folders(vfs: &dyn Vfs, entry: &Entry, module: &Module, hides_python: bool) -> Option<usize> {
    if is_guarded(module) && !hides_python {
        return None;
    }
    let folders = entry.script.ancestors().skip(1).take_while(|folder| entry.fallback.iter().any(|f| f == folder));
    // The last of them is the top of the project, which is no package.
    let within: Vec<&str> = folders.filter_map(|folder| folder.file_name()?.to_str()).collect();
    let within = &within[..within.len().saturating_sub(1)];
    // What lies beside the file is nearer than a folder around it of the same name.
    let beside = entry.script.parent()?;
    let is_beside =
        |name: &str| vfs.is_dir(&beside.join(name)) || vfs.read(&beside.join(format!("{name}.py"))).is_some();
    within.iter().rposition(|name| imports_from(module, name) && !is_beside(name)).map(|at| at + 1)
}

/// How many folders around a file are packages because it imports a module of its own name: as a script it would import itself
/// (`logging.py` that imports `logging`), so it is a module of the next package around it. None where there is no package.
fn folders_beside_itself(vfs: &dyn Vfs, entry: &Entry, module: &Module) -> usize {
    let stem = entry.script.file_stem().and_then(|stem| stem.to_str());
    if is_guarded(module) || !stem.is_some_and(|stem| imports_from(module, stem)) {
        return 0;
    }
    let folders = entry.script.ancestors().skip(1).take_while(|folder| entry.fallback.iter().any(|f| f == folder));
    folders.into_iter().position(|folder| vfs.read(&folder.join("__init__.py")).is_some()).map_or(0, |at| at + 1)
}

/// The folder around the topmost package that a file is in, and its full name; `None` where it is in no package. At least so
/// many folders around it are said to be packages.
fn full_name(vfs: &dyn Vfs, script: &Path, said: usize) -> Option<(PathBuf, Symbol)> {
    let mut names = Vec::new();
    let stem = script.file_stem()?.to_str()?;
    if stem != "__init__" {
        names.push(stem);
    }
    let mut folder = script.parent()?;
    let mut count = 0;
    let named = |name: &&str| {
        name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_ascii_digit())
    };
    while count < said || vfs.read(&folder.join("__init__.py")).is_some() {
        let name = folder.file_name()?.to_str()?;
        // A folder that no import can name (`jax-models`) is the top of a project, whatever is in it.
        if count >= said && !named(&name) {
            break;
        }
        names.push(name);
        folder = folder.parent()?;
        count += 1;
    }
    let in_package = names.len() > usize::from(stem != "__init__");
    if !in_package || !names.iter().all(named) {
        return None;
    }
    names.reverse();
    Some((folder.to_owned(), Symbol::from(names.join(".").as_str())))
}

/// Whether files around one import from the package that they are in: then none of them finds its neighbours by their names alone.
fn is_used_as_package(vfs: &dyn Vfs, script: &Path, root: &Path, package: &str) -> bool {
    let imports = |path: &Path| {
        vfs.read(path).is_some_and(|text| {
            text.lines().any(|line| {
                let line = line.trim_start();
                let Some(rest) = line.strip_prefix("from ").or_else(|| line.strip_prefix("import ")) else {
                    return false;
                };
                let rest = rest.trim_start();
                rest.starts_with('.') || rest.strip_prefix(package).is_some_and(|rest| rest.starts_with(['.', ' ']))
            })
        })
    };
    let Some(folder) = script.parent() else { return false };
    let mut around = folder.ancestors().take_while(|folder| *folder != root);
    if around.any(|folder| imports(&folder.join("__init__.py"))) {
        return true;
    }
    let beside = vfs.names(folder).unwrap_or_default();
    let mut modules: Vec<PathBuf> = beside.iter().map(|name| folder.join(name)).collect();
    modules.retain(|path| path.extension().is_some_and(|ending| ending == "py") && path != script);
    modules.sort();
    modules.iter().take(MOST_NEIGHBOURS).any(|path| imports(path))
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

/// Whether a text does something when it is run, beside defining things: it asks whether it is the program, or calls, loops or
/// asserts at its top.
pub fn starts_itself(module: &Module) -> bool {
    let Body::Block(top) = &module.code(MODULE_CODE).body else { return false };
    let does = |stmt: &Stmt| match stmt {
        Stmt::Expr(expr) => matches!(module.expr(*expr), Expr::Call(..)),
        Stmt::For { .. } | Stmt::While { .. } | Stmt::With { .. } | Stmt::Assert(..) => true,
        _ => false,
    };
    is_guarded(module) || top.iter().any(|stmt| does(module.stmt(*stmt)))
}

/// Whether a text imports from the package that it is in, relative to it or by its name.
fn imports_package(module: &Module, package: &str) -> bool {
    levels(module) > 0 || imports_from(module, package)
}

/// Whether a text imports from a package by its name.
fn imports_from(module: &Module, package: &str) -> bool {
    let is_own = |name: Symbol| name.as_str().split('.').next() == Some(package);
    module.stmts.iter().any(|stmt| match stmt {
        Stmt::ImportFrom { level, module, .. } | Stmt::ImportStar { level, module } => *level == 0 && is_own(*module),
        Stmt::Import(names) => names.iter().any(|alias| is_own(alias.name)),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Arc;

    use super::super::loader::Names;
    use super::*;

    struct Files(HashMap<&'static str, &'static str>);

    impl Vfs for Files {
        fn read(&self, path: &Path) -> Option<Arc<str>> {
            self.0.get(path.to_str()?).map(|text| Arc::from(*text))
        }
        fn is_dir(&self, _: &Path) -> bool {
            false
        }
        fn names(&self, folder: &Path) -> Option<Names> {
            let inside = self.0.keys().filter_map(|path| Path::new(path).strip_prefix(folder).ok());
            Some(inside.filter_map(|path| Some(path.iter().next()?.to_owned())).collect())
        }
    }

    const GUARD: &str = "if __name__ == '__main__':\n    main()\n";

    fn role(files: &[(&'static str, &'static str)], script: &str, environment: &[&str]) -> Role {
        let folders = Path::new(script).ancestors().skip(1).filter(|folder| folder.starts_with("/p"));
        let entry = Entry {
            script: script.into(),
            roots: vec![],
            environment: environment.iter().map(PathBuf::from).collect(),
            fallback: folders.map(PathBuf::from).collect(),
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
        let files =
            Files(HashMap::from([("/p/a/__init__.py", ""), ("/p/a/b/__init__.py", ""), ("/p/__init__.py", "")]));
        assert_eq!(module(false).fallback(&files, &entry), [PathBuf::from("/p"), PathBuf::from("/p/src")]);
        assert_eq!(module(true).fallback(&files, &entry), ["/p/a/b", "/p", "/p/src"].map(PathBuf::from));
        assert_eq!(Role::Script.fallback(&Files(HashMap::new()), &entry), entry.fallback);
    }

    #[test]
    fn files_beside_one_that_hides_a_module_of_python_are_no_scripts() {
        let beside =
            |text, path| role(&[(path, text), ("/p/n/typing.py", "Size = int\n"), ("/p/n/f.py", "")], path, &[]);
        let main = Role::Main { root: "/p".into(), name: "n.c".into() };
        assert_eq!(beside(GUARD, "/p/n/c.py"), main);
        assert_eq!(beside("x = 1\n", "/p/n/c.py"), imported("/p", "n.c"));
        assert_eq!(beside("import f\n", "/p/n/c.py"), Role::Script, "it finds a neighbour as a script does");
        assert_eq!(role(&[("/p/c.py", GUARD), ("/p/typing.py", "")], "/p/c.py", &[]), Role::Script, "at the top");
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
        let deep = [("/p/a/__init__.py", ""), ("/p/a/n/math/__init__.py", "from .f import g\n")];
        let of_package = Role::Imported { root: "/p".into(), name: "a.n.math".into(), beside: false };
        assert_eq!(role(&deep, "/p/a/n/math/__init__.py", &[]), of_package);
        assert_eq!(role(&[("/p/math/__init__.py", "from .f import g\n")], "/p/math/__init__.py", &[]), Role::Script);
        let below = [("/p/a-b/__init__.py", ""), ("/p/a-b/n/c.py", "from .d import f\n")];
        let module = Role::Imported { root: "/p/a-b".into(), name: "n.c".into(), beside: false };
        assert_eq!(role(&below, "/p/a-b/n/c.py", &[]), module);
    }

    #[test]
    fn neighbours_are_not_found_by_their_names_where_others_import_from_the_package() {
        let within = |init| [("/p/a/__init__.py", init), ("/p/a/b/__init__.py", ""), ("/p/a/b/c.py", "import d\n")];
        let named = |beside| Role::Imported { root: "/p".into(), name: "a.b.c".into(), beside };
        for init in ["from .b import c\n", "from a.b import c\n", "import a.b.c\n"] {
            assert_eq!(role(&within(init), "/p/a/b/c.py", &[]), named(false), "{init}");
        }
        for init in ["", "import ab\n", "from abc import d\n"] {
            assert_eq!(role(&within(init), "/p/a/b/c.py", &[]), named(true), "{init}");
        }
    }

    #[test]
    fn a_file_that_imports_its_own_name_is_a_module_of_the_package_around() {
        let files = [("/p/a/__init__.py", ""), ("/p/a/b/logging.py", "import logging\n")];
        let beside = Role::Imported { root: "/p".into(), name: "a.b.logging".into(), beside: true };
        assert_eq!(role(&files, "/p/a/b/logging.py", &[]), beside);
        assert_eq!(role(&files[1..], "/p/a/b/logging.py", &[]), Role::Script);
        let other = [("/p/a/__init__.py", ""), ("/p/a/b/run.py", "import logging\n")];
        assert_eq!(role(&other, "/p/a/b/run.py", &[]), Role::Script);
    }

    #[test]
    fn folders_are_packages_if_a_file_says_so() {
        let named = |name: &str| Role::Imported { root: "/p".into(), name: name.into(), beside: false };
        assert_eq!(role(&[("/p/a/b/c.py", "from . import d\n")], "/p/a/b/c.py", &[]), {
            Role::Imported { root: "/p/a".into(), name: "b.c".into(), beside: false }
        });
        assert_eq!(role(&[("/p/a/b/c.py", "from ..e import d\n")], "/p/a/b/c.py", &[]), named("a.b.c"));
        assert_eq!(role(&[("/p/a/b/c.py", "from a.e import d\n")], "/p/a/b/c.py", &[]), named("a.b.c"));
        assert_eq!(role(&[("/p/a/b/c.py", "from ..e import *\n")], "/p/a/b/c.py", &[]), named("a.b.c"));
        assert_eq!(role(&[("/p/a/b/c.py", "from a.e import *\n")], "/p/a/b/c.py", &[]), named("a.b.c"));
        assert_eq!(role(&[("/p/a/b/c.py", "import e\n")], "/p/a/b/c.py", &[]), Role::Script);
        assert_eq!(role(&[("/p/a/c.py", "import p\n")], "/p/a/c.py", &[]), Role::Script, "the top is no package");
        let script = "from a import e\nif __name__ == '__main__':\n    e.main()\n";
        assert_eq!(role(&[("/p/a/c.py", script)], "/p/a/c.py", &[]), Role::Script);
        let main = "from . import e\nif __name__ == '__main__':\n    e.main()\n";
        assert_eq!(
            role(&[("/p/a/c.py", main)], "/p/a/c.py", &[]),
            Role::Main { root: "/p".into(), name: "a.c".into() }
        );
    }
}
