//! What a run asks of the disk, and whether it would be answered the same again.

use std::collections::HashMap;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use tracer_core::analysis::{Contents, Disk, Names, Vfs};

/// A file that was changed so short a time before it was read may be changed again without a trace in its times.
const SETTLED: Duration = Duration::from_secs(2);

/// A file's length, and when it was changed, in nanoseconds.
type Stamp = (u64, u128);

/// The text of a file.
#[derive(Serialize, Deserialize)]
struct Text {
    /// What tells this state of the file, where that is enough.
    stamp: Option<Stamp>,
    digest: u128,
}

/// Questions with their answers.
#[derive(Default, Serialize, Deserialize)]
pub struct Asked {
    texts: HashMap<PathBuf, Option<Text>>,
    folders: HashMap<PathBuf, bool>,
    compiled: HashMap<(PathBuf, String), bool>,
    /// Files of data, which are told by their stamps alone.
    data: HashMap<PathBuf, Option<Stamp>>,
}

impl Asked {
    /// Whether the disk would answer the same now.
    pub fn holds(&self) -> bool {
        self.texts.iter().all(|(path, text)| holds(path, text.as_ref()))
            && self.folders.iter().all(|(path, there)| Disk.is_dir(path) == *there)
            && self.data.iter().all(|(path, at)| stamp(path) == *at)
            && self.compiled.iter().all(|((folder, name), there)| Disk.has_compiled(folder, name) == *there)
    }
}

fn holds(path: &Path, text: Option<&Text>) -> bool {
    let now = stamp(path);
    match text {
        None => now.is_none() || Disk.read(path).is_none(),
        Some(text) => {
            now.is_some() && (text.stamp == now || Disk.read(path).is_some_and(|now| digest(&now) == text.digest))
        }
    }
}

fn digest(text: &str) -> u128 {
    super::digest(|hasher| hasher.write(text.as_bytes()))
}

/// The stamp of a file that is there.
fn stamp(path: &Path) -> Option<Stamp> {
    let meta = std::fs::metadata(path).ok()?;
    let at = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    meta.is_file().then_some((meta.len(), at.as_nanos()))
}

/// Whether a file was last changed well before now.
fn is_settled((_, at): &Stamp) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_nanos().saturating_sub(*at) > SETTLED.as_nanos()
}

/// The disk, with notes of what was asked.
#[derive(Clone, Default)]
pub struct Asking(Arc<Mutex<Asked>>);

impl Asking {
    /// What was asked so far; nothing is noted any more.
    pub fn take(&self) -> Asked {
        std::mem::take(&mut self.lock())
    }
    fn lock(&self) -> std::sync::MutexGuard<'_, Asked> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Reads a file that was not read yet in this run.
    fn noted(&self, path: &Path, read: impl FnOnce() -> Option<Arc<str>>) -> Option<Arc<str>> {
        let before = stamp(path);
        let text = read();
        let mut asked = self.lock();
        // The answer that was given first stands: if the file changes within the run, what is kept does not hold.
        asked.texts.entry(path.to_owned()).or_insert_with(|| {
            text.as_deref().map(|text| Text { stamp: before.filter(is_settled), digest: digest(text) })
        });
        text
    }
}

impl Vfs for Asking {
    fn read(&self, path: &Path) -> Option<Arc<str>> {
        self.noted(path, || Disk.read(path))
    }
    fn read_library(&self, path: &Path) -> Option<Arc<str>> {
        self.noted(path, || Disk.read_library(path))
    }
    fn data(&self, path: &Path) -> Option<Box<dyn Contents>> {
        // One that was only just changed may be changed again without a trace: it is asked for anew.
        let at = stamp(path).map(|at| if is_settled(&at) { at } else { (u64::MAX, u128::MAX) });
        self.lock().data.entry(path.to_owned()).or_insert(at);
        Disk.data(path)
    }
    fn resolved(&self, path: &Path) -> Option<PathBuf> {
        let found = Disk.resolved(path);
        if found.is_none() {
            self.lock().data.entry(path.to_owned()).or_insert(None);
        }
        found
    }
    fn is_dir(&self, path: &Path) -> bool {
        let there = Disk.is_dir(path);
        self.lock().folders.insert(path.to_owned(), there);
        there
    }
    fn names(&self, folder: &Path) -> Option<Names> {
        Disk.names(folder)
    }
    fn lacks(&self, folder: &Path, module: &str) {
        let mut asked = self.lock();
        asked.folders.insert(folder.join(module), false);
        asked.texts.insert(folder.join(format!("{module}.py")), None);
    }
    fn has_compiled(&self, folder: &Path, name: &str) -> bool {
        let there = Disk.has_compiled(folder, name);
        self.lock().compiled.insert((folder.to_owned(), name.to_owned()), there);
        there
    }
}
