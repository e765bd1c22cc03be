//! Runs the programs of this folder: each is a list of `assert` statements that hold under CPython, and that have to hold,
//! known to hold, under the interpreter. `python3 tests/python/NAME.py` runs the same file under CPython.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tracer_core::analysis::{Disk, Entry, Limits, Vfs, analyze};
use tracer_core::interp::{Event, Translate};

fn failures(path: &Path, translate: Translate) -> Vec<String> {
    let limits = Limits { translate, ..Limits::default() };
    let entry = Entry { script: path.to_owned(), roots: Vec::new(), environment: Vec::new(), fallback: Vec::new() };
    let analysis = analyze(|| Rc::new(Disk) as Rc<dyn Vfs>, entry, limits, Arc::new(AtomicBool::new(false)));
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let line = |file: usize, at: u32| {
        let text = &analysis.files[file].text;
        1 + text[..(at as usize).min(text.len())].matches('\n').count()
    };
    let mut failures = Vec::new();
    for problem in &analysis.problems {
        let places: Vec<String> =
            problem.frames.iter().map(|(file, span, _)| line(*file, span.start).to_string()).collect();
        failures.push(format!("{name}:{}: {}: {}", places.join("<"), problem.class, problem.message));
    }
    for event in &analysis.events {
        if let Event::UnknownAssert { site, why } = event {
            failures.push(format!("{name}:{}: the assert is not known to hold: {why}", line(0, site.span.start)));
        }
    }
    if let Some(stopped) = analysis.stopped {
        failures.push(format!("{name}: stopped: {stopped:?}"));
    }
    failures
}

#[test]
fn asserts_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("python");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the folder is there").map(|e| e.expect("an entry").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "py"));
    paths.sort();
    assert!(!paths.is_empty());
    // Walked, translated when it runs often, and translated before it runs: three times the same.
    for translate in [Translate::NEVER, Translate::default(), Translate::AT_ONCE] {
        let all: Vec<String> = paths.iter().flat_map(|p| failures(p, translate)).collect();
        assert!(all.is_empty(), "{translate:?}\n{}", all.join("\n"));
    }
}
