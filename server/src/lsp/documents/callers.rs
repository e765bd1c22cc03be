//! Analyses of files that are not open, and call into those that are.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tower_lsp::ls_types::Uri;
use tracer_core::analysis::{ExprFact, Shown};

use super::{Documents, Finished};

/// Callers by path.
#[derive(Default)]
pub(super) struct Callers(BTreeMap<PathBuf, Caller>);

struct Caller {
    finished: Arc<Finished>,
    /// The documents that it was run for.
    of: HashSet<Uri>,
}

impl Callers {
    /// The analyses.
    pub(super) fn finished(&self) -> impl Iterator<Item = &Arc<Finished>> {
        self.0.values().map(|caller| &caller.finished)
    }
    /// A file was opened: it is analyzed for its own sake.
    pub(super) fn opened(&mut self, path: &Path) {
        self.0.remove(path);
    }
    /// A document was closed.
    pub(super) fn closed(&mut self, uri: &Uri) {
        self.0.retain(|_, caller| {
            caller.of.remove(uri);
            !caller.of.is_empty()
        });
    }
}

impl Documents {
    /// The analysis of a caller, where everything that it read is still as it was.
    pub fn caller(&self, path: &Path) -> Option<Arc<Finished>> {
        let finished = &self.callers.0.get(path)?.finished;
        let read = |document: &&super::Document| finished.file(&document.path).is_some();
        let fresh = self.open.values().filter(read).all(|document| document.needs <= finished.revision);
        fresh.then(|| finished.clone())
    }
    /// Files the analysis of a caller of a document.
    pub fn add_caller(&mut self, uri: &Uri, path: &Path, finished: &Arc<Finished>) {
        if self.open.contains_key(uri) && self.at_path(path).is_none() {
            let new = Caller { finished: finished.clone(), of: HashSet::new() };
            let caller = self.callers.0.entry(path.to_owned()).or_insert(new);
            caller.finished = finished.clone();
            caller.of.insert(uri.clone());
        }
    }
    /// Lets go of the callers of a document but for these.
    pub fn keep_callers(&mut self, uri: &Uri, paths: &[PathBuf]) {
        for (path, caller) in &mut self.callers.0 {
            if !paths.contains(path) {
                caller.of.remove(uri);
            }
        }
        self.callers.0.retain(|_, caller| !caller.of.is_empty());
    }
}

impl Finished {
    /// Whether it knows something of a file that another analysis does not.
    pub fn adds_to(&self, other: Option<&Finished>, path: &Path) -> bool {
        fn of<'f>(finished: &'f Finished, path: &Path) -> Option<&'f [ExprFact]> {
            Some(&finished.analysis.files[finished.file(path)?].exprs[..])
        }
        let before = other.and_then(|other| of(other, path)).unwrap_or_default();
        of(self, path).unwrap_or_default().iter().any(|expr| {
            let at = before.partition_point(|e| (e.span.start, e.span.end) < (expr.span.start, expr.span.end));
            let seen = before.get(at).filter(|e| e.span == expr.span).map(|e| &e.seen[..]).unwrap_or_default();
            expr.seen.iter().any(|shown| !matches!(shown, Shown::Unknown(_)) && !seen.contains(shown))
        })
    }
}
