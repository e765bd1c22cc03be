//! Settings: from the client, and from `[tool.jitlens]` of the nearest `pyproject.toml`.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// What can be set. Every setting has a default.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Settings {
    /// Whether shapes are shown behind names.
    pub inlay_hints: bool,
    /// The folder of the Python environment whose libraries are read.
    pub environment: Option<PathBuf>,
    /// Folders of the project's modules, beside the file's own.
    pub source_roots: Vec<PathBuf>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { inlay_hints: true, environment: None, source_roots: Vec::new() }
    }
}

impl Settings {
    /// Takes over what a JSON object sets; what it does not name stays, what it misspells is ignored.
    pub fn merge_json(&mut self, value: &serde_json::Value) {
        let Some(object) = value.as_object() else { return };
        let mut all = serde_json::Map::new();
        for (key, value) in object {
            if !value.is_null() {
                all.insert(key.clone(), value.clone());
            }
        }
        let given = |key: &str| all.get(key).cloned();
        if let Some(Ok(flag)) = given("inlayHints").map(serde_json::from_value) {
            self.inlay_hints = flag;
        }
        if let Some(Ok(folder)) = given("environment").map(serde_json::from_value) {
            self.environment = Some(folder);
        }
        if let Some(Ok(roots)) = given("sourceRoots").map(serde_json::from_value) {
            self.source_roots = roots;
        }
    }

    /// The folders of the project's modules for a file: those set, and those of `[tool.jitlens]`.
    pub fn roots(&self, file: &Path) -> Vec<PathBuf> {
        let mut roots = self.source_roots.clone();
        for folder in file.ancestors().skip(1) {
            let Ok(text) = std::fs::read_to_string(folder.join("pyproject.toml")) else { continue };
            let Ok(table) = text.parse::<toml::Table>() else { break };
            let own = table.get("tool").and_then(|t| t.get("jitlens")).and_then(|j| j.get("source-roots"));
            let named = own.and_then(toml::Value::as_array).into_iter().flatten().filter_map(toml::Value::as_str);
            roots.extend(named.map(|n| folder.join(n)));
            roots.push(folder.to_owned());
            roots.push(folder.join("src"));
            break;
        }
        roots
    }
}
