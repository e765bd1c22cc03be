//! Outcomes of runs that are kept on disk: where all that a run asked the disk for is as it was, the file is not run again.
//!
//! What a run finds out depends on the program of jitlens, on its settings, and on the answers that it got from the disk: texts of
//! files, files and folders that are not there. An outcome is kept beside these answers, and given out while they are the same.

mod asked;

use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use etcetera::BaseStrategy;
use serde::Serialize;
use serde::de::DeserializeOwned;
use siphasher::sip128::{Hasher128, SipHasher13};

pub use asked::{Asked, Asking};

/// The folder of the cache, by the environment; empty: none.
const FOLDER: &str = "JITLENS_CACHE_DIR";
/// Outcomes of other builds go when nobody has used them for so long.
const LEFT: Duration = Duration::from_secs(14 * 24 * 3600);
/// A longer file is no outcome of ours.
const MOST_BYTES: u64 = 256 << 20;
/// Of a file that is kept: a sum of all behind it.
const SUM: usize = 16;

/// What is kept of runs.
#[derive(Default)]
pub struct Kept {
    /// Where outcomes of this build are; none is kept without it.
    folder: Option<PathBuf>,
}

/// What an outcome is found by.
pub struct Key(u128);

/// What is written to a file.
#[derive(serde::Serialize, serde::Deserialize)]
struct Entry<T> {
    asked: Asked,
    outcome: T,
}

impl Key {
    /// A number for everything but the disk that an outcome depends on.
    pub fn of(parts: &impl Hash) -> Key {
        Key(digest(|hasher| parts.hash(hasher)))
    }
}

fn digest(write: impl FnOnce(&mut SipHasher13)) -> u128 {
    let mut hasher = SipHasher13::new();
    write(&mut hasher);
    hasher.finish128().as_u128()
}

/// The folder for caches of jitlens: the environment's, or the system's.
fn root() -> Option<PathBuf> {
    match std::env::var_os(FOLDER) {
        Some(folder) if folder.is_empty() => None,
        Some(folder) => Some(PathBuf::from(folder)),
        // A development build reads its preludes from the source tree, which is no part of the key.
        None if cfg!(debug_assertions) => None,
        None => Some(etcetera::choose_base_strategy().ok()?.cache_dir().join("jitlens")),
    }
}

/// A number for the program that runs.
fn build() -> Option<u128> {
    let program = std::env::current_exe().ok()?;
    let meta = program.metadata().ok()?;
    let modified = meta.modified().ok()?;
    Some(digest(|hasher| (env!("CARGO_PKG_VERSION"), meta.len(), modified, program).hash(hasher)))
}

impl Kept {
    /// What the disk holds for this build.
    pub fn open() -> Kept {
        let folder = root().zip(build()).map(|(root, build)| root.join("runs").join(format!("{build:032x}")));
        Kept { folder }
    }
    /// Whether anything is kept.
    pub fn is_on(&self) -> bool {
        self.folder.is_some()
    }
    fn file(&self, key: &Key) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{:032x}", key.0)))
    }
    /// An outcome that still holds.
    pub fn get<T: DeserializeOwned>(&self, key: &Key) -> Option<T> {
        let file = self.file(key)?;
        if file.metadata().ok()?.len() > MOST_BYTES {
            return None;
        }
        let bytes = std::fs::read(file).ok()?;
        let (sum, rest) = bytes.split_first_chunk::<SUM>()?;
        if digest(|hasher| hasher.write(rest)) != u128::from_le_bytes(*sum) {
            return None;
        }
        let entry: Entry<T> = postcard::from_bytes(rest).ok()?;
        entry.asked.holds().then_some(entry.outcome)
    }
    /// Keeps an outcome. What cannot be written is not kept.
    pub fn put<T: Serialize>(&self, key: &Key, asked: Asked, outcome: &T) {
        let Some(file) = self.file(key) else { return };
        let entry = Entry { asked, outcome };
        let Ok(mut bytes) = postcard::to_extend(&entry, vec![0; SUM]) else { return };
        let sum = digest(|hasher| hasher.write(&bytes[SUM..]));
        bytes[..SUM].copy_from_slice(&sum.to_le_bytes());
        let _ = self.write(&file, &bytes);
    }
    /// Whoever reads the file meets the old one or the new one, whole.
    fn write(&self, file: &Path, bytes: &[u8]) -> std::io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        if !folder.is_dir() {
            std::fs::create_dir_all(folder)?;
            self.tidy();
        }
        let beside = file.with_extension(format!("{}-new", std::process::id()));
        let written = std::fs::write(&beside, bytes).and_then(|()| std::fs::rename(&beside, file));
        if written.is_err() {
            let _ = std::fs::remove_file(&beside);
        }
        written
    }
    /// Takes out what other builds left, and says to programs that back up what this folder is.
    fn tidy(&self) {
        let Some(all) = self.folder.as_deref().and_then(Path::parent) else { return };
        let tag =
            "Signature: 8a477f597d28d172789f06886806bc55\n# Outcomes of jitlens; they can be removed at any time.\n";
        let _ = std::fs::write(all.join("CACHEDIR.TAG"), tag);
        let old = |at: SystemTime| at.elapsed().is_ok_and(|age| age > LEFT);
        for other in std::fs::read_dir(all).into_iter().flatten().flatten() {
            let is_old = other.metadata().and_then(|meta| meta.modified()).is_ok_and(old);
            if is_old && Some(other.path()) != self.folder {
                let _ = std::fs::remove_dir_all(other.path());
            }
        }
    }
}

/// Removes all that is kept, of all builds: how many outcomes there were, and where.
///
/// # Errors
/// If something cannot be removed.
pub fn clean() -> std::io::Result<Option<(usize, PathBuf)>> {
    let Some(all) = root().map(|root| root.join("runs")).filter(|all| all.is_dir()) else { return Ok(None) };
    let builds = std::fs::read_dir(&all)?.flatten().filter_map(|build| std::fs::read_dir(build.path()).ok());
    let count = builds.map(Iterator::count).sum();
    std::fs::remove_dir_all(&all)?;
    Ok(Some((count, all)))
}
