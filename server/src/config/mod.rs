//! Settings: from `[tool.jitlens]` of the nearest `pyproject.toml`, over which the client's or the command line's stand.

mod projects;
mod rules;

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::de::DeserializeOwned;
use tracer_core::repro::{Data, Level};

use crate::commands::program;
use crate::commands::repro::{DataOption, LevelOption, LogOption, UnverifiedOption};
pub use projects::Projects;
pub use rules::Rules;

/// What can be set. Every setting has a default.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Whether shapes are shown behind names.
    pub inlay_hints: bool,
    /// The folder of the Python environment whose libraries are read.
    pub environment: Option<PathBuf>,
    /// Folders of the project's modules, beside the file's own.
    pub source_roots: Vec<PathBuf>,
    /// Whether other files of the project that call into an open one are run.
    pub callers: bool,
    /// The folder that editors write reproducers to.
    pub reproducers: Option<PathBuf>,
    /// Arrays of so many elements are written out in reproducers.
    pub literals: Option<usize>,
    /// What stands for larger ones there.
    pub data: Option<Data>,
    /// Whether a reproducer is written when a program that ends in an error is saved.
    pub reproduce_errors: bool,
    /// What stands for the calls of the program in reproducers.
    pub level: Level,
    /// What of a recorded run is told.
    pub log_calls: LogOption,
    /// What becomes of reproducers that do something else than the program.
    pub unverified: UnverifiedOption,
    /// Which rules are told.
    pub rules: Rules,
    /// What is wrong with the settings as they stand somewhere.
    pub warnings: Vec<String>,
}

/// What one source of settings says; what it does not name is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layer {
    inlay_hints: Option<bool>,
    environment: Option<PathBuf>,
    source_roots: Option<Vec<PathBuf>>,
    callers: Option<bool>,
    reproducers: Option<PathBuf>,
    literals: Option<usize>,
    data: Option<Data>,
    reproduce_errors: Option<bool>,
    level: Option<Level>,
    log_calls: Option<LogOption>,
    unverified: Option<UnverifiedOption>,
    rules: Rules,
    warnings: Vec<String>,
}

/// The settings' names in TOML.
const NAMES: [&str; 13] = [
    "inlay-hints",
    "environment",
    "source-roots",
    "callers",
    "reproducers",
    "literals",
    "data",
    "reproduce-errors",
    "level",
    "log-calls",
    "unverified",
    "rules",
    "per-file-ignores",
];

/// What stands for arrays that are too large to be written out, by its name.
fn data(name: &str) -> Option<Data> {
    DataOption::from_str(name, false).ok().map(Data::from)
}

/// What stands for the calls of a program, by its name.
fn level(name: &str) -> Option<Level> {
    LevelOption::from_str(name, false).ok().map(Level::from)
}

/// What becomes of reproducers that do something else than the program, by its name.
fn unverified(name: &str) -> Option<UnverifiedOption> {
    UnverifiedOption::from_str(name, false).ok()
}

/// What of a recorded run is told, by its name.
fn log_calls(name: &str) -> Option<LogOption> {
    LogOption::from_str(name, false).ok()
}

impl Layer {
    /// What the command line says.
    pub fn of_rules(rules: Rules) -> Layer {
        Layer { rules, ..Layer::default() }
    }

    /// What a client says, in camel case. What is of another type is ignored.
    pub fn from_json(value: &serde_json::Value) -> Layer {
        fn given<T: DeserializeOwned>(value: &serde_json::Value, key: &str) -> Option<T> {
            serde_json::from_value(value.get(key)?.clone()).ok()
        }
        let mut layer = Layer {
            inlay_hints: given(value, "inlayHints"),
            environment: given(value, "environment"),
            source_roots: given(value, "sourceRoots"),
            callers: given(value, "callers"),
            reproducers: given(value, "reproducers"),
            literals: given(value, "literals"),
            data: given::<String>(value, "data").and_then(|name| data(&name)),
            reproduce_errors: given(value, "reproduceErrors"),
            level: given::<String>(value, "level").and_then(|name| level(&name)),
            log_calls: given::<String>(value, "logCalls").and_then(|name| log_calls(&name)),
            unverified: given::<String>(value, "unverified").and_then(|name| unverified(&name)),
            ..Layer::default()
        };
        for (rule, level) in value.get("rules").and_then(|rules| rules.as_object()).into_iter().flatten() {
            layer.rules.set(rule, level.as_str(), &mut layer.warnings);
        }
        layer.warnings.iter_mut().for_each(|warning| *warning = format!("the setting `rules`: {warning}"));
        let mut warnings = Vec::new();
        for (pattern, rules) in value.get("perFileIgnores").and_then(|rows| rows.as_object()).into_iter().flatten() {
            if !rules.as_array().is_some_and(|all| all.iter().all(serde_json::Value::is_string)) {
                warnings.push(format!("the rules of the files `{pattern}` are a list of names"));
            }
            let rules = rules.as_array().into_iter().flatten().filter_map(serde_json::Value::as_str);
            layer.rules.set_for_files(None, pattern, rules, &mut warnings);
        }
        layer.warnings.extend(warnings.into_iter().map(|warning| format!("the setting `perFileIgnores`: {warning}")));
        layer
    }

    /// What `[tool.jitlens]` of a `pyproject.toml` says, in kebab case; paths count from its folder.
    fn from_pyproject(text: &str, folder: &Path) -> Layer {
        let mut layer = Layer::default();
        let file = program::shown(&folder.join("pyproject.toml"));
        let table = match text.parse::<toml::Table>() {
            Ok(table) => table,
            Err(error) => {
                let start = error.span().map_or(0, |span| span.start.min(text.len()));
                let line = text.as_bytes()[..start].iter().filter(|byte| **byte == b'\n').count() + 1;
                layer.warnings.push(format!("{file}:{line}: no TOML, so that no setting is read: {}", error.message()));
                return layer;
            }
        };
        let Some(own) = table.get("tool").and_then(|tool| tool.get("jitlens")) else { return layer };
        let path = |value: &toml::Value| value.as_str().map(|text| folder.join(text));
        let paths = |value: &toml::Value| value.as_array().map(|all| all.iter().filter_map(path).collect());
        let rows = |key: &str| own.get(key).and_then(toml::Value::as_table).into_iter().flatten();
        layer.inlay_hints = own.get("inlay-hints").and_then(toml::Value::as_bool);
        layer.environment = own.get("environment").and_then(path);
        layer.source_roots = own.get("source-roots").and_then(paths);
        layer.callers = own.get("callers").and_then(toml::Value::as_bool);
        layer.reproducers = own.get("reproducers").and_then(path);
        layer.literals = own.get("literals").and_then(toml::Value::as_integer).and_then(|n| n.try_into().ok());
        layer.reproduce_errors = own.get("reproduce-errors").and_then(toml::Value::as_bool);
        let mut warnings = Vec::new();
        if let Some(value) = own.get("data") {
            layer.data = value.as_str().and_then(data);
            if layer.data.is_none() {
                warnings.push("the setting `data` is `ones`, `random` or `exact`".to_owned());
            }
        }
        if let Some(value) = own.get("unverified") {
            layer.unverified = value.as_str().and_then(unverified);
            if layer.unverified.is_none() {
                warnings.push("the setting `unverified` is `tell`, `ignore` or `refuse`".to_owned());
            }
        }
        if let Some(value) = own.get("level") {
            layer.level = value.as_str().and_then(level);
            if layer.level.is_none() {
                warnings.push("the setting `level` is `api` or `primitive`".to_owned());
            }
        }
        if let Some(value) = own.get("log-calls") {
            layer.log_calls = value.as_str().and_then(log_calls);
            if layer.log_calls.is_none() {
                warnings.push("the setting `log-calls` is `none`, `calls` or `all`".to_owned());
            }
        }
        for name in own.as_table().into_iter().flatten().map(|(name, _)| name) {
            if !NAMES.contains(&name.as_str()) {
                warnings.push(format!("there is no setting `{name}`; there are {}", NAMES.join(", ")));
            }
        }
        for name in ["rules", "per-file-ignores"] {
            if own.get(name).is_some_and(|value| !value.is_table()) {
                warnings.push(format!("the setting `{name}` is a table"));
            }
        }
        for (rule, level) in rows("rules") {
            layer.rules.set(rule, level.as_str(), &mut warnings);
        }
        for (pattern, rules) in rows("per-file-ignores") {
            if !rules.as_array().is_some_and(|all| all.iter().all(toml::Value::is_str)) {
                warnings.push(format!("the rules of the files `{pattern}` are a list of names"));
            }
            let rules = rules.as_array().into_iter().flatten().filter_map(toml::Value::as_str);
            layer.rules.set_for_files(Some(folder), pattern, rules, &mut warnings);
        }
        layer.warnings.extend(warnings.into_iter().map(|warning| format!("{file}: {warning}")));
        layer
    }

    /// Both, `over` first.
    pub fn under(self, over: &Layer) -> Layer {
        Layer {
            inlay_hints: over.inlay_hints.or(self.inlay_hints),
            environment: over.environment.clone().or(self.environment),
            source_roots: over.source_roots.clone().or(self.source_roots),
            callers: over.callers.or(self.callers),
            reproducers: over.reproducers.clone().or(self.reproducers),
            literals: over.literals.or(self.literals),
            data: over.data.or(self.data),
            reproduce_errors: over.reproduce_errors.or(self.reproduce_errors),
            level: over.level.or(self.level),
            log_calls: over.log_calls.or(self.log_calls),
            unverified: over.unverified.or(self.unverified),
            rules: self.rules.under(&over.rules),
            warnings: [self.warnings, over.warnings.clone()].concat(),
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
        Settings {
            inlay_hints: all.inlay_hints.unwrap_or(true),
            environment: all.environment,
            source_roots,
            callers: all.callers.unwrap_or(true),
            reproducers: all.reproducers,
            literals: all.literals,
            data: all.data,
            reproduce_errors: all.reproduce_errors.unwrap_or(false),
            level: all.level.unwrap_or_default(),
            log_calls: all.log_calls.unwrap_or_default(),
            unverified: all.unverified.unwrap_or_default(),
            rules: all.rules,
            warnings: all.warnings,
        }
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
        assert_eq!(Layer::from_pyproject("[tool]\njitlens = 3", Path::new("/")), Layer::default());
        assert_eq!(Layer::from_json(&serde_json::json!(["inlayHints"])), Layer::default());
    }

    #[test]
    fn what_is_wrong_is_said() {
        let warnings = |text| Layer::from_pyproject(text, Path::new("/p")).warnings;
        let broken = warnings("[tool.jitlens]\nx = [[\n");
        assert!(
            matches!(&broken[..], [one] if one.starts_with("/p/pyproject.toml:") && one.contains("no TOML")),
            "{broken:?}"
        );
        let misspelt = warnings("[tool.jitlens]\nrule = 1\nrules = { retrce = 'off', retrace = 'off' }\n");
        assert_eq!(
            misspelt[0],
            "/p/pyproject.toml: there is no setting `rule`; there are ".to_owned() + &NAMES.join(", ")
        );
        assert_eq!(misspelt[1], "/p/pyproject.toml: there is no rule `retrce`; did you mean `retrace`?");
        let untyped = warnings("[tool.jitlens]\nrules = ['retrace']\nper-file-ignores = { a = 'retrace', b = [1] }\n");
        assert_eq!(untyped.len(), 3, "{untyped:?}");
        assert_eq!(untyped[0], "/p/pyproject.toml: the setting `rules` is a table");
        let client = Layer::from_json(&serde_json::json!({"rules": {"retrce": "off"}, "trace": 1}));
        assert_eq!(client.warnings, ["the setting `rules`: there is no rule `retrce`; did you mean `retrace`?"]);
    }
}
