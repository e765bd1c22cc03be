//! Files that the program may have made or changed itself: what lies there now is not what it reads.

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashSet;

/// The files that a program writes in a run, by the last part of their paths: where it will be started is not known.
#[derive(Default)]
pub struct Written {
    any: Cell<bool>,
    names: RefCell<FxHashSet<String>>,
}

/// The last part of a path, as file systems compare it that do not tell small letters from large ones.
fn last(path: &str) -> String {
    path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(path).to_lowercase()
}

impl Written {
    /// A file is written; one whose path is not known may be any.
    pub fn note(&self, path: Option<&str>) {
        match path.map(last) {
            Some(name) if !name.is_empty() => drop(self.names.borrow_mut().insert(name)),
            _ => self.any.set(true),
        }
    }
    /// Whether a file may have been written.
    pub fn may_hold(&self, path: &str) -> bool {
        self.any.get() || self.names.borrow().contains(&last(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_its_name() {
        let written = Written::default();
        assert!(!written.may_hold("a/x.txt"));
        written.note(Some("/tmp/x.txt"));
        assert!(written.may_hold("a/x.txt") && !written.may_hold("a/y.txt"));
        written.note(None);
        assert!(written.may_hold("a/y.txt"));
    }
}
