//! Names of the standard library: what a module or class has that our model of it does not have is unknown, and no mistake.
//!
//! The table is printed by `tests/tables/standard_names.py`.

use std::collections::HashMap;
use std::sync::LazyLock;

use memchr::memchr;
use rustc_hash::{FxBuildHasher, FxHashMap};

static NAMES: &str = include_str!("names.txt");
/// What later Pythons than the one that the table above is of have (3.12 to 3.14, by their notes on what is new), and Python on other
/// systems than Linux.
static NEWER: &str = include_str!("newer.txt");
/// What modules of JAX have beside their documented names: what they import, names that are going to be removed.
static JAX: &str = include_str!("../jax/names.txt");

/// What objects and modules of JAX and NumPy have; printed by `tests/tables/framework_names.py`.
static FRAMEWORKS: &str = include_str!("../names.txt");

static BY_OWNER: LazyLock<FxHashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut all: FxHashMap<&str, Vec<&str>> = HashMap::with_capacity_and_hasher(1 << 10, FxBuildHasher);
    for (owner, names) in rows(NAMES).chain(rows(NEWER)).chain(rows(JAX)).chain(rows(FRAMEWORKS)) {
        all.entry(owner).or_default().push(names);
    }
    all
});

/// The rows of a table: an owner and its names.
fn rows(mut table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    std::iter::from_fn(move || {
        // Lines are long: the search of the standard library takes a million instructions.
        let (line, rest) = table.split_at_checked(memchr(b'\n', table.as_bytes())? + 1)?;
        table = rest;
        let (owner, names) = line.split_at_checked(memchr(b':', line.as_bytes())?)?;
        Some((owner, names.strip_prefix(": ")?.trim_end()))
    })
}

/// Whether a module, or a class by its module and name (`pathlib.Path`), has a name.
/// What JAX and the standard library's modules keep for themselves (`jax._src`) is in no table: they may have it.
pub fn has(owner: &str, name: &str) -> bool {
    let is_private = name.starts_with('_') && !name.starts_with("__");
    is_private && (owner == "jax" || owner.starts_with("jax.") || is_of_standard_module(owner))
        || of(owner).is_some_and(|mut names| names.any(|known| known == name))
}

/// Whether it is a module of the standard library, other than that of the builtins.
fn is_of_standard_module(owner: &str) -> bool {
    static MODULES: LazyLock<rustc_hash::FxHashSet<&str>> =
        LazyLock::new(|| rows(NAMES).map(|(owner, _)| owner).collect());
    let last = owner.rsplit('.').next().unwrap_or(owner);
    owner != "builtins" && last.starts_with(|c: char| c.is_ascii_lowercase()) && MODULES.contains(owner)
}

/// Whether all public names of a module of a framework are in the table, and this is none of them. Newer Pythons have more names in
/// the standard library.
pub fn lacks(owner: &str, name: &str) -> bool {
    static WHOLE: LazyLock<rustc_hash::FxHashSet<&str>> =
        LazyLock::new(|| rows(FRAMEWORKS).map(|(owner, _)| owner).collect());
    !name.starts_with('_') && WHOLE.contains(owner) && !has(owner, name)
}

/// The names of a module or class; `None` if it is not in the table.
pub fn of(owner: &str) -> Option<impl Iterator<Item = &'static str>> {
    BY_OWNER.get(owner).map(|names| names.iter().flat_map(|names| names.split(' ')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_have_their_names() {
        assert!(has("pathlib.Path", "drive") && has("builtins.bytes", "swapcase") && !has("pathlib.Path", "wheel"));
        assert!(has("os.path", "normcase") && has("builtins", "help") && has("abc", "ABC"));
        assert!(
            has("jax", "_src")
                && has("jax.numpy", "_private")
                && !has("jax", "__no_such__")
                && !has("builtins", "_nothing")
        );
        assert!(has("jax.scipy.special", "lpmn") && !has("jax.scipy.special", "no_such_name"));
        assert!(
            lacks("jax.nn", "Dense") && !lacks("jax.nn", "relu") && !lacks("typing", "Newer") && !lacks("jax.nn", "_x")
        );
        assert!(!has("os.path", "no_such_name") && !has("os", "") && !has("no_such_module", "x"));
    }
}
