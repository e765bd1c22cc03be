//! Names of the standard library: what a module or class has that our model of it does not have is unknown, and no mistake.
//!
//! The table is printed by `tests/prelude/standard_names.py`.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

static NAMES: &str = include_str!("names.txt");

/// Whether a module, or a class by its module and name (`pathlib.Path`), has a name.
pub fn has(owner: &str, name: &str) -> bool {
    static BY_OWNER: LazyLock<FxHashMap<&str, &str>> =
        LazyLock::new(|| NAMES.lines().filter_map(|line| line.split_once(": ")).collect());
    BY_OWNER.get(owner).is_some_and(|names| names.split(' ').any(|known| known == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_have_their_names() {
        assert!(has("pathlib.Path", "drive") && has("builtins.bytes", "swapcase") && !has("pathlib.Path", "wheel"));
        assert!(has("os.path", "normcase") && has("builtins", "help") && has("abc", "ABC"));
        assert!(!has("os.path", "no_such_name") && !has("os", "") && !has("no_such_module", "x"));
    }
}
