//! The preludes, embedded in the binary (in debug builds they are read from the source tree, so that an edit needs no
//! build).
//!
//! Optimized builds embed them lowered as well (`build.rs`). What was lowered or decoded once is kept for later runs of
//! the process.

use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;
use serde::de::DeserializeOwned;

use crate::module::{LaterBody, Module, Names};

/// A module by its dotted name: whether it is a package, and where its lowered form begins and ends in [`LOWERED`].
type Row = (&'static str, bool, usize, usize);

/// The preludes, sorted by name. Empty in debug builds.
static TABLE: &[Row] = include!(concat!(env!("OUT_DIR"), "/preludes.rs"));
static LOWERED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/preludes.bin"));
/// The names in them.
static NAMES: LazyLock<&'static Names> = LazyLock::new(|| {
    let text = include_str!(concat!(env!("OUT_DIR"), "/preludes.names"));
    Names::embedded(text, include_bytes!(concat!(env!("OUT_DIR"), "/preludes.index")))
});

/// A module of a prelude.
#[derive(Clone)]
pub struct Prelude {
    /// Its lowered text.
    pub module: Arc<Module>,
    /// Whether it is a package.
    pub is_package: bool,
}

/// Libraries whose preludes have but the names that are used most.
pub const SKETCHED: &[&str] = &[
    "absl",
    "beartype",
    "hydra",
    "ml_collections",
    "omegaconf",
    "pydantic",
    "pytest",
    "sklearn",
    "tqdm",
    "tree",
    "typeguard",
    "tyro",
];

/// Modules of libraries that are run, and the prelude modules whose functions stand for those of the same name in them.
const MODELS: &[(&str, &str)] = &[
    ("chex._src.asserts", "_models.chex_asserts"),
    ("flax.linen.summary", "_models.flax_tables"),
    ("jaxtyping._decorator", "_models.jaxtyping_decorator"),
];

/// The prelude module with functions that stand for some of a library's module.
pub fn models_of(name: &str) -> Option<&'static str> {
    MODELS.iter().find(|(module, _)| *module == name).map(|(_, models)| *models)
}

/// Frameworks with a prelude.
const FRAMEWORKS: &[&str] = &["jax", "numpy", "python", "libraries"];

/// The prelude module of this dotted name.
pub fn prelude(name: &str) -> Option<Prelude> {
    match TABLE {
        [] => from_source(name),
        _ => {
            type Slot = Arc<OnceLock<Option<Prelude>>>;
            static KEPT: LazyLock<Mutex<FxHashMap<String, Slot>>> = LazyLock::new(Mutex::default);
            let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
            let slot = kept.entry(name.to_owned()).or_default().clone();
            drop(kept);
            // The embedded text does not change. Who comes second waits for the first.
            slot.get_or_init(|| embedded(name)).clone()
        }
    }
}

/// From the source tree; lowered again where its text is another than it was.
fn from_source(name: &str) -> Option<Prelude> {
    static KEPT: LazyLock<Mutex<FxHashMap<String, (Arc<str>, Prelude)>>> = LazyLock::new(Mutex::default);
    let (path, is_package) = find(name)?;
    let text = source(&path)?;
    if let Some((kept, prelude)) = KEPT.lock().unwrap_or_else(PoisonError::into_inner).get(name)
        && *kept == text
    {
        return Some(prelude.clone());
    }
    let prelude = Prelude { module: Arc::new(crate::lower::lower_outline(&text)), is_package };
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), (text, prelude.clone()));
    Some(prelude)
}

fn embedded(name: &str) -> Option<Prelude> {
    let (_, is_package, start, end) = row(name)?;
    let mut module: Module = read(&LOWERED[*start..*end])?;
    module.stored_in(LOWERED, later, read);
    Some(Prelude { module: Arc::new(module), is_package: *is_package })
}

/// Reads what `build.rs` has written.
fn read<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    NAMES.while_reading(|| postcard::from_bytes(bytes)).ok()
}

/// A body that comes later.
fn later(bytes: &[u8]) -> Option<LaterBody> {
    let mut body: LaterBody = read(bytes)?;
    Arc::get_mut(&mut body.module)?.stored_in(LOWERED, later, read);
    Some(body)
}

/// Makes the names of the preludes known, which is the cheaper the fewer symbols there are.
pub fn know_names() {
    if !TABLE.is_empty() {
        LazyLock::force(&NAMES);
    }
}

/// Whether there is a prelude module of this dotted name.
pub fn has_prelude(name: &str) -> bool {
    match TABLE {
        [] => find(name).is_some(),
        _ => row(name).is_some(),
    }
}

/// The path of a module below `frameworks/` in the source tree, and whether it is a package.
fn find(name: &str) -> Option<(String, bool)> {
    let mut path = String::with_capacity(name.len() + 32);
    for framework in FRAMEWORKS {
        path.clear();
        path.push_str(framework);
        path.push_str("/prelude/");
        path.extend(name.chars().map(|c| if c == '.' { '/' } else { c }));
        let stem = path.len();
        for (ending, is_package) in [(".py", false), ("/__init__.py", true)] {
            path.truncate(stem);
            path.push_str(ending);
            if source(&path).is_some() {
                return Some((path, is_package));
            }
        }
    }
    None
}

/// The text of a prelude in the source tree, for debug builds.
fn source(path: &str) -> Option<Arc<str>> {
    std::fs::read_to_string(format!("{}/src/frameworks/{path}", env!("CARGO_MANIFEST_DIR"))).ok().map(Arc::from)
}

fn row(name: &str) -> Option<&'static Row> {
    TABLE.binary_search_by_key(&name, |row| row.0).ok().map(|at| &TABLE[at])
}
