//! Outcomes that are kept: given out while everything is as it was, and not a moment longer.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use crate::support::{Project, Ran};

const PROGRAM: &str = "\
import jax
import jax.numpy as jnp
from parts import width

@jax.jit
def f(x):
    print(x)
    return x @ jnp.ones((width, 2))

f(jnp.ones((4, 3)))
";

/// A project with a cache beside it.
struct Keeping {
    project: Project,
    cache: PathBuf,
}

impl Keeping {
    fn new(name: &str, files: &[(&str, &str)]) -> Keeping {
        let project = Project::new(name, files);
        let cache = project.folder.with_extension("cache");
        let _ = std::fs::remove_dir_all(&cache);
        Keeping { project, cache }
    }
    fn run(&self, arguments: &[&str]) -> Ran {
        self.project.run_keeping(self.cache.to_str().expect("a path that is text"), arguments)
    }
    /// What is kept, oldest first.
    fn kept(&self) -> Vec<(SystemTime, PathBuf)> {
        let builds = std::fs::read_dir(self.cache.join("runs")).into_iter().flatten().flatten();
        let files = builds.flat_map(|build| std::fs::read_dir(build.path()).into_iter().flatten().flatten());
        let mut all: Vec<_> =
            files.map(|f| (f.metadata().and_then(|m| m.modified()).expect("a time"), f.path())).collect();
        all.sort();
        all
    }
    /// Whether a command gave out what is kept; and what it printed, which a run that keeps nothing has to print as well.
    fn is_hit(&self, arguments: &[&str]) -> (bool, String) {
        let before = self.kept();
        let ran = self.run(arguments);
        let alone = self.run(&[arguments, &["--no-cache"]].concat());
        assert_eq!((ran.code, &ran.out, &ran.err), (alone.code, &alone.out, &alone.err), "{arguments:?}");
        (!before.is_empty() && self.kept() == before, ran.out)
    }
}

/// Commands that keep what they find.
const COMMANDS: [&[&str]; 4] = [
    &["check", "p.py"],
    &["check", "p.py", "--color", "always"],
    &["check", "p.py", "--format", "sarif"],
    &["values", "p.py", "--format", "json"],
];

#[test]
fn what_did_not_change_is_not_run_again() {
    let keeping = Keeping::new("kept", &[("p.py", PROGRAM), ("parts.py", "width = 3\n")]);
    assert!(!keeping.is_hit(COMMANDS[0]).0);
    for command in &COMMANDS[..3] {
        assert!(keeping.is_hit(command).0, "{command:?}");
    }
    assert!(!keeping.is_hit(COMMANDS[3]).0, "another command keeps something else");
    assert!(keeping.is_hit(COMMANDS[3]).0);
    // A file that is written anew with the same text is the same.
    keeping.project.write("parts.py", "width = 3\n");
    assert!(keeping.is_hit(COMMANDS[0]).0);
}

#[test]
fn what_did_change_is_run_again() {
    let keeping = Keeping::new("kept-changes", &[("p.py", PROGRAM), ("parts.py", "width = 3\n")]);
    let again = |what: &str| {
        for command in COMMANDS.iter().step_by(3) {
            assert!(!keeping.is_hit(command).0, "{what}: {command:?}");
            assert!(keeping.is_hit(command).0, "{what}: {command:?}");
        }
        keeping.is_hit(COMMANDS[0]).1
    };
    assert!(!again("the first time").contains("TypeError"));
    keeping.project.write("parts.py", "width = 5\n");
    assert!(again("an import has changed").contains("TypeError"));
    // As long as before, and as old.
    let path = keeping.project.folder.join("parts.py");
    let modified = path.metadata().and_then(|meta| meta.modified()).expect("a time");
    keeping.project.write("parts.py", "width = 3\n");
    let file = std::fs::File::options().write(true).open(&path).expect("the file");
    file.set_modified(modified).expect("the time is set");
    assert!(!again("an import of the same age has changed").contains("TypeError"));
    std::fs::remove_file(&path).expect("the file is removed");
    again("an import is gone");
    keeping.project.write("parts/__init__.py", "from .sizes import width\n");
    again("a package is there, and what it imports is not");
    keeping.project.write("parts/sizes.py", "width = 7\n");
    assert!(again("it is there").contains("TypeError"));
    keeping.project.write("p.py", &PROGRAM.replace("print(x)", "pass"));
    assert!(!again("the program has changed").contains("python-side-effect"));
}

#[test]
fn an_old_file_is_told_by_its_time() {
    let keeping = Keeping::new("kept-old", &[("p.py", PROGRAM), ("parts.py", "width = 3\n")]);
    let age = |name: &str, hours: u64| {
        let file = std::fs::File::options().write(true).open(keeping.project.folder.join(name)).expect("the file");
        file.set_modified(SystemTime::now() - Duration::from_secs(hours * 3600)).expect("the time is set");
    };
    age("p.py", 5);
    age("parts.py", 5);
    assert!(!keeping.is_hit(COMMANDS[0]).0);
    assert!(keeping.is_hit(COMMANDS[0]).0);
    keeping.project.write("parts.py", "width = 5\n");
    age("parts.py", 4);
    assert!(keeping.is_hit(COMMANDS[0]).1.contains("TypeError"));
}

#[test]
fn settings_hold_for_what_is_kept() {
    let keeping = Keeping::new("kept-settings", &[("p.py", PROGRAM), ("parts.py", "width = 3\n")]);
    assert!(keeping.is_hit(COMMANDS[0]).1.contains("python-side-effect"));
    keeping.project.write("pyproject.toml", "[tool.jitlens.rules]\npython-side-effect = 'off'\n");
    assert!(!keeping.is_hit(COMMANDS[0]).1.contains("python-side-effect"));
    assert!(keeping.is_hit(&["check", "p.py", "--select", "python-side-effect"]).1.contains("python-side-effect"));
    keeping.project.write("pyproject.toml", "[tool.jitlens]\nsource-roots = ['other']\n");
    assert!(!keeping.is_hit(COMMANDS[0]).0, "modules may be somewhere else");
}

#[test]
fn what_is_broken_is_made_anew() {
    let keeping = Keeping::new("kept-broken", &[("p.py", PROGRAM), ("parts.py", "width = 3\n")]);
    let (_, whole) = keeping.is_hit(COMMANDS[0]);
    let (_, entry) = keeping.kept().swap_remove(0);
    let bytes = std::fs::read(&entry).expect("what is kept");
    for at in [0, 15, 16, bytes.len() / 2, bytes.len() - 1] {
        let mut broken = bytes.clone();
        broken[at] ^= 0x40;
        for broken in [&broken[..], &bytes[..at]] {
            std::fs::write(&entry, broken).expect("it can be written");
            assert_eq!(keeping.is_hit(COMMANDS[0]), (false, whole.clone()), "{at}");
        }
    }
    assert!(keeping.is_hit(COMMANDS[0]).0);
}

#[test]
fn a_folder_that_cannot_be_there() {
    let keeping = Keeping::new("kept-nowhere", &[("p.py", PROGRAM), ("parts.py", "width = 3\n")]);
    std::fs::write(&keeping.cache, "a file").expect("it can be written");
    let (hit, text) = keeping.is_hit(COMMANDS[0]);
    assert!(!hit && text.contains("python-side-effect"));
    std::fs::remove_file(&keeping.cache).expect("it can be removed");
}

#[test]
fn nothing_is_kept_where_nobody_wants_it() {
    let keeping = Keeping::new("kept-not", &[("p.py", PROGRAM), ("parts.py", "width = 3\n")]);
    keeping.run(&["check", "p.py", "--no-cache"]);
    keeping.run(&["values", "p.py", "--no-cache"]);
    assert!(!keeping.cache.exists());
    keeping.run(COMMANDS[0]);
    keeping.run(COMMANDS[3]);
    assert_eq!(keeping.kept().len(), 2);
    let cleaned = keeping.run(&["clean"]);
    assert!(cleaned.err.contains("2 outcomes of runs removed"), "{cleaned:?}");
    assert!(keeping.kept().is_empty());
    assert!(keeping.run(&["clean"]).err.contains("nothing is kept"));
}
