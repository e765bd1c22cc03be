//! Settings: from `[tool.jitlens]` of the nearest `pyproject.toml`, over which the client's stand.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

/// What can be set. Every setting has a default.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Whether shapes are shown behind names.
    pub inlay_hints: bool,
    /// The folder of the Python environment whose libraries are read.
    pub environment: Option<PathBuf>,
    /// Folders of the project's modules, beside the file's own.
    pub source_roots: Vec<PathBuf>,
}

/// What one source of settings says; what it does not name is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layer {
    inlay_hints: Option<bool>,
    environment: Option<PathBuf>,
    source_roots: Option<Vec<PathBuf>>,
}

impl Layer {
    /// What a client says, in camel case. What it misspells is ignored.
    pub fn from_json(value: &serde_json::Value) -> Layer {
        fn given<T: DeserializeOwned>(value: &serde_json::Value, key: &str) -> Option<T> {
            serde_json::from_value(value.get(key)?.clone()).ok()
        }
        Layer {
            inlay_hints: given(value, "inlayHints"),
            environment: given(value, "environment"),
            source_roots: given(value, "sourceRoots"),
        }
    }

    /// What `[tool.jitlens]` of a `pyproject.toml` says, in kebab case; paths count from its folder.
    fn from_pyproject(text: &str, folder: &Path) -> Layer {
        let table = text.parse::<toml::Table>().unwrap_or_default();
        let Some(own) = table.get("tool").and_then(|tool| tool.get("jitlens")) else { return Layer::default() };
        let path = |value: &toml::Value| value.as_str().map(|text| folder.join(text));
        let paths = |value: &toml::Value| value.as_array().map(|all| all.iter().filter_map(path).collect());
        Layer {
            inlay_hints: own.get("inlay-hints").and_then(toml::Value::as_bool),
            environment: own.get("environment").and_then(path),
            source_roots: own.get("source-roots").and_then(paths),
        }
    }

    /// Both, `over` first.
    pub fn under(self, over: &Layer) -> Layer {
        Layer {
            inlay_hints: over.inlay_hints.or(self.inlay_hints),
            environment: over.environment.clone().or(self.environment),
            source_roots: over.source_roots.clone().or(self.source_roots),
        }
    }

    /// The settings of a file: these over those of the nearest `pyproject.toml`, whose folder and its `src` are source
    /// roots also.
    pub fn of_file(&self, file: &Path) -> Settings {
        let mut layer = Layer::default();
        let mut roots = Vec::new();
        for folder in file.ancestors().skip(1) {
            let Ok(text) = std::fs::read_to_string(folder.join("pyproject.toml")) else { continue };
            layer = Layer::from_pyproject(&text, folder);
            roots = vec![folder.to_owned(), folder.join("src")];
            break;
        }
        let all = layer.under(self);
        let mut source_roots = all.source_roots.unwrap_or_default();
        source_roots.extend(roots);
        Settings { inlay_hints: all.inlay_hints.unwrap_or(true), environment: all.environment, source_roots }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_stands_over_the_project() {
        let text = "[tool.jitlens]\ninlay-hints = false\nenvironment = 'env'\nsource-roots = ['lib', 'more']\n";
        let project = Layer::from_pyproject(text, Path::new("/p"));
        let client = Layer::from_json(&serde_json::json!({"inlayHints": true, "environment": null, "sourceRoots": 3}));
        let both = project.under(&client);
        assert_eq!(both.inlay_hints, Some(true));
        assert_eq!(both.environment, Some("/p/env".into()));
        assert_eq!(both.source_roots, Some(vec!["/p/lib".into(), "/p/more".into()]));
    }

    #[test]
    fn what_is_no_table_says_nothing() {
        assert_eq!(Layer::from_pyproject("tool = 3", Path::new("/")), Layer::default());
        assert_eq!(Layer::from_pyproject("[[", Path::new("/")), Layer::default());
        assert_eq!(Layer::from_json(&serde_json::json!(["inlayHints"])), Layer::default());
    }
}
