//! The preludes, embedded in the binary (in debug builds they are read from the source tree, so that an edit needs no
//! build).

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "src/frameworks"]
#[include = "*/prelude/*.py"]
struct Files;

/// A module of a prelude.
pub struct Prelude {
    /// Its text.
    pub text: String,
    /// Whether it is a package.
    pub is_package: bool,
}

/// Frameworks with a prelude.
const FRAMEWORKS: &[&str] = &["jax", "numpy", "python", "libraries"];

/// The prelude module of this dotted name.
pub fn prelude(name: &str) -> Option<Prelude> {
    let path = name.replace('.', "/");
    for framework in FRAMEWORKS {
        for (suffix, is_package) in [(".py", false), ("/__init__.py", true)] {
            if let Some(file) = Files::get(&format!("{framework}/prelude/{path}{suffix}")) {
                return Some(Prelude { text: String::from_utf8_lossy(&file.data).into_owned(), is_package });
            }
        }
    }
    None
}
