//! Programs as they are reproduced in these tests.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tracer_core::analysis::{Analysis, Disk, Entry, Limits, Vfs, Wanted, analyze_for};
use tracer_core::repro::{Data, Reproducer, Request, Target, Verified};

/// Files of the disk, but for one.
struct Over(PathBuf, Arc<str>);

impl Vfs for Over {
    fn read(&self, path: &Path) -> Option<Arc<str>> {
        if path == self.0 { Some(self.1.clone()) } else { Disk.read(path) }
    }
    fn is_dir(&self, path: &Path) -> bool {
        Disk.is_dir(path)
    }
}

pub fn analyze(path: &Path, text: &str, wanted: Wanted) -> Analysis {
    let entry = Entry { script: path.to_owned(), roots: vec![], environment: vec![], fallback: vec![] };
    let (path, text) = (path.to_owned(), Arc::from(text));
    let vfs = move || Rc::new(Over(path, text)) as Rc<dyn Vfs>;
    analyze_for(vfs, entry, Limits::default(), wanted, Arc::new(AtomicBool::new(false)))
}

pub fn reproduce(path: &Path, text: &str, function: Option<&str>) -> Option<Reproducer> {
    let request = Request { target: Target::of_function(function), ..Request::default() };
    let wanted = Wanted { unreached: false, reproducer: Some(request), ..Wanted::default() };
    analyze(path, text, wanted).reproducer
}

/// The reproducer that is handed over.
pub fn verified(path: &Path, text: &str) -> Option<Verified> {
    verified_for(path, text, &Request::default())
}

pub fn verified_for(path: &Path, text: &str, request: &Request) -> Option<Verified> {
    let mut run = |other: Option<&str>, wanted| Ok(analyze(path, other.unwrap_or(text), wanted));
    tracer_core::repro::reproduce(request, path, &mut run).expect("a run")
}

/// The reproducer of a function of a program with exact data, which does what the program does.
pub fn exact(name: &str, program: &str, function: &str) -> Verified {
    let request = Request { target: Target::Function(function.into()), data: Data::Exact, ..Request::default() };
    let found = verified_for(&here(name), program, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    found
}

pub fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("errors").join(name)
}
