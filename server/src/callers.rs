//! Which files of a project call into one of them, as far as their imports tell.
//!
//! A file of models is seldom a program: what its functions are given stands in the script that trains them, or in a notebook. Such files are found by
//! what all files of the project import, read without running anything: those that import the file, those that import these,
//! and so on. Names are matched by their ends (`models.mlp` is `src/app/models/mlp.py`), so that a file may be taken for a caller that
//! is none; a run of it shows that.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tracer_core::analysis::{Disk, Vfs, imports, is_test, starts_itself};
use tracer_core::lower::lower_outline;
use tracer_core::notebook::is_notebook;

use crate::commands::program;

/// Files of a project that are looked into.
const MOST_FILES: usize = 5000;
/// Files and folders of a project that are walked through.
const MOST_ENTRIES: usize = 100_000;
/// Imports that lead from a caller to the file.
const MOST_STEPS: usize = 6;

/// What the files of a project import.
#[derive(Debug, Default)]
pub struct Index {
    folder: PathBuf,
    /// So deep it is looked into: nothing says how far a project reaches that has no sign of its top, but for the packages that a file is in.
    depth: Option<usize>,
    files: HashMap<PathBuf, Known>,
    /// The files that import something by the last part of its name.
    by_name: HashMap<String, Vec<PathBuf>>,
}

/// What a look at the files came to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Refreshed {
    /// It was stopped.
    Stopped,
    /// All is as it was.
    Same,
    /// Files were changed, made or taken away.
    Changed,
}

/// What is known of a file.
#[derive(Debug)]
struct Known {
    stamp: Option<(u64, SystemTime)>,
    /// Its dotted name from the top of the project.
    name: Vec<String>,
    /// What it may import: modules, and what might be modules in them.
    imports: Vec<Vec<String>>,
    /// How good a program it is, where that was asked: the lower the better.
    rank: Option<Rank>,
}

/// How good a program is for telling what a file is used for: the least is the best.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// It does something when it is run.
    Program,
    /// A notebook.
    Notebook,
    /// A file of tests, which are called.
    Tests,
    /// It defines functions, which may be compiled ones.
    Module,
}

impl Index {
    /// The index of the project that a file is in.
    pub fn of_project(file: &Path) -> Index {
        if let Some(folder) = program::project_root(file) {
            return Index { folder, ..Index::default() };
        }
        let is_package = |folder: &&Path| folder.join("__init__.py").is_file();
        let packages = file.ancestors().skip(1).take_while(is_package).take(MOST_STEPS).count();
        let folder = file.ancestors().nth(1 + packages).map(Path::to_owned).unwrap_or_default();
        Index { folder, depth: Some(1 + packages), ..Index::default() }
    }
    /// The top of the project.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
    /// Looks at the files that were changed, made or taken away since the last time; `stop` is asked before each.
    pub fn refresh(&mut self, stop: impl Fn() -> bool) -> Refreshed {
        let mut walk = program::walk(&self.folder);
        walk.max_depth(self.depth);
        let is_program = |path: &Path| path.extension().is_some_and(|e| e == "py" || e == "ipynb");
        let entries = walk.build().take(MOST_ENTRIES).flatten();
        let files = entries.map(ignore::DirEntry::into_path).filter(|path| is_program(path)).take(MOST_FILES);
        let mut before = std::mem::take(&mut self.files);
        let mut changed = false;
        for path in files {
            if stop() {
                self.files.extend(before);
                return Refreshed::Stopped;
            }
            let stamp = stamp(&path);
            let known = match before.remove(&path) {
                Some(known) if stamp.is_some() && known.stamp == stamp => Some(known),
                _ => {
                    changed = true;
                    Known::read(&self.folder, &path, stamp)
                }
            };
            self.files.extend(known.map(|known| (path, known)));
        }
        if !changed && before.is_empty() {
            return Refreshed::Same;
        }
        self.by_name.clear();
        for (path, known) in &self.files {
            let names: HashSet<&String> = known.imports.iter().filter_map(|import| import.last()).collect();
            for name in names {
                self.by_name.entry(name.clone()).or_default().push(path.clone());
            }
        }
        Refreshed::Changed
    }
    /// Files that a run of which may reach a file, the most promising first: programs before others, near ones before far ones.
    pub fn callers(&mut self, file: &Path) -> Vec<PathBuf> {
        let Some(name) = dotted(&self.folder, file) else { return Vec::new() };
        let mut seen: HashSet<PathBuf> = HashSet::from([file.to_owned()]);
        let mut waiting = VecDeque::from([(file.to_owned(), name, 0)]);
        let mut found: Vec<(PathBuf, usize)> = Vec::new();
        while let Some((of, name, steps)) = waiting.pop_front() {
            if steps == MOST_STEPS {
                continue;
            }
            for path in name.last().and_then(|last| self.by_name.get(last)).into_iter().flatten() {
                let Some(known) = self.files.get(path) else { continue };
                if !seen.contains(path) && known.imports(path, &of, &name) {
                    seen.insert(path.clone());
                    found.push((path.clone(), steps));
                    waiting.push_back((path.clone(), known.name.clone(), steps + 1));
                }
            }
        }
        let mut ranked: Vec<(Rank, usize, usize, PathBuf)> = Vec::new();
        for (path, steps) in found {
            let Some(known) = self.files.get_mut(&path) else { continue };
            let mut rank = *known.rank.get_or_insert_with(|| rank(&path));
            // The tests of the file itself are sure to reach it.
            if rank == Rank::Tests && tests(&path) == tests(file) {
                rank = Rank::Program;
            }
            let apart = path.components().count().abs_diff(file.components().count());
            ranked.push((rank, steps, apart, path));
        }
        ranked.sort();
        ranked.into_iter().map(|(.., path)| path).collect()
    }
}

impl Known {
    fn read(folder: &Path, path: &Path, stamp: Option<(u64, SystemTime)>) -> Option<Known> {
        let name = dotted(folder, path)?;
        // What cannot be read, or is no notebook of Python, imports nothing.
        let text = Disk.read(path).unwrap_or_default();
        let package = if is_init(path) { &name[..] } else { &name[..name.len() - 1] };
        let imports = imports(&text, &package.join("."));
        let parts = |import: String| import.split('.').map(str::to_owned).collect();
        Some(Known { stamp, name, imports: imports.into_iter().map(parts).collect(), rank: None })
    }
    /// Whether one of its imports may be of a file of this dotted name.
    fn imports(&self, path: &Path, file: &Path, name: &[String]) -> bool {
        // A module at the top, or beside the file that imports it, may go by its name alone.
        let home = if is_init(file) { file.parent() } else { Some(file) }.and_then(Path::parent);
        let by_one = name.len() == 1 || name.len() == 2 && name[0] == "src" || home == path.parent();
        self.imports.iter().any(|import| name.ends_with(import) && (import.len() > 1 || by_one))
    }
}

fn is_init(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "__init__.py")
}

/// The dotted name of a file from the top of the project; that of a package is its folder's.
fn dotted(folder: &Path, file: &Path) -> Option<Vec<String>> {
    let relative = file.strip_prefix(folder).ok()?;
    let relative = if is_init(file) { relative.parent()?.to_owned() } else { relative.with_extension("") };
    let name: Vec<String> = relative.iter().map(|part| Some(part.to_str()?.to_owned())).collect::<Option<_>>()?;
    (!name.is_empty()).then_some(name)
}

fn stamp(path: &Path) -> Option<(u64, SystemTime)> {
    let meta = path.metadata().ok()?;
    Some((meta.len(), meta.modified().ok()?))
}

/// What a file of tests is about, by its name; of another file the name itself.
fn tests(path: &Path) -> Option<&str> {
    let stem = path.file_stem()?.to_str()?;
    let of = if is_test(path) { stem.strip_prefix("test_").or_else(|| stem.strip_suffix("_test"))? } else { stem };
    Some(of.trim_matches('_'))
}

fn rank(path: &Path) -> Rank {
    if is_notebook(path) {
        return Rank::Notebook;
    }
    if is_test(path) {
        return Rank::Tests;
    }
    match Disk.read(path).is_some_and(|text| starts_itself(&lower_outline(&text))) {
        true => Rank::Program,
        false => Rank::Module,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A project in a folder of its own, which is removed with it.
    struct Project(PathBuf);

    impl Project {
        fn new(name: &str, files: &[(&str, &str)]) -> Project {
            let folder = std::env::temp_dir().join(format!("jitlens-callers-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            for (path, text) in files.iter().chain(&[("README.md", "")]) {
                let path = folder.join(path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Project(folder)
        }
        fn callers(&self, file: &str) -> Vec<String> {
            let file = self.0.join(file);
            let mut index = Index::of_project(&file);
            assert_eq!(index.refresh(|| false), Refreshed::Changed);
            assert_eq!(index.refresh(|| false), Refreshed::Same);
            let shown = |path: PathBuf| path.strip_prefix(&self.0).unwrap().to_string_lossy().replace('\\', "/");
            index.callers(&file).into_iter().map(shown).collect()
        }
    }

    impl Drop for Project {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn programs_are_found_through_packages_and_come_first() {
        let project = Project::new(
            "packages",
            &[
                ("src/app/__init__.py", ""),
                ("src/app/models/__init__.py", "from .mlp import MLP\n"),
                ("src/app/models/mlp.py", "def f(x):\n    return x\n"),
                ("src/app/steps.py", "from app.models import MLP\n"),
                ("src/app/other.py", "import os\n"),
                ("train.py", "from app.steps import step\nif __name__ == '__main__':\n    step()\n"),
                ("plot.py", "from matplotlib import mlp\nprint(mlp)\n"),
            ],
        );
        assert_eq!(project.callers("src/app/models/mlp.py")[0], "train.py");
        let mut all = project.callers("src/app/models/mlp.py");
        all.sort();
        assert_eq!(all, ["src/app/models/__init__.py", "src/app/steps.py", "train.py"]);
    }

    #[test]
    fn modules_beside_a_script_go_by_their_names_alone() {
        let project = Project::new(
            "beside",
            &[
                ("a/layers.py", ""),
                ("a/run.py", "import layers\nlayers.f()\n"),
                ("b/run.py", "import layers\nlayers.f()\n"),
                ("b/layers.py", ""),
            ],
        );
        assert_eq!(project.callers("a/layers.py"), ["a/run.py"]);
        assert_eq!(project.callers("b/layers.py"), ["b/run.py"]);
    }

    #[test]
    fn tests_of_the_file_itself_come_before_far_programs() {
        let project = Project::new(
            "tests",
            &[
                ("lib/__init__.py", "from lib._norm import f\n"),
                ("lib/_norm.py", "def f(x):\n    return x\n"),
                ("tests/test_norm.py", "from lib._norm import f\n"),
                ("tests/test_all.py", "from lib._norm import f\n"),
                ("examples/run.py", "import lib\nlib.f(1)\n"),
            ],
        );
        let wanted = ["tests/test_norm.py", "examples/run.py", "tests/test_all.py", "lib/__init__.py"];
        assert_eq!(project.callers("lib/_norm.py"), wanted);
    }

    #[test]
    fn scripts_beside_a_package_are_found_without_a_sign_of_the_top() {
        let project = Project::new(
            "unmarked",
            &[
                ("lib/__init__.py", "from .layers import MLP\n"),
                ("lib/layers.py", "def f(x):\n    return x\n"),
                ("train.py", "from lib import MLP\nprint(MLP)\n"),
            ],
        );
        fs::remove_file(project.0.join("README.md")).unwrap();
        assert_eq!(project.callers("lib/layers.py")[0], "train.py");
    }

    #[test]
    fn what_nobody_imports_has_no_callers() {
        let project = Project::new("alone", &[("a.py", "import b\n"), ("b.py", "")]);
        assert!(project.callers("a.py").is_empty());
        assert_eq!(project.callers("b.py"), ["a.py"]);
    }
}
