//! Which rules are told, and how loudly.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use tracer_core::diagnostics::Severity;

use crate::rules;

/// How loudly a rule is told.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Level {
    Off,
    At(Severity),
}

/// Rules that are not told in some files.
#[derive(Clone, Debug)]
struct FileIgnore {
    /// The folder from which the pattern counts; none: any folder around the file.
    folder: Option<PathBuf>,
    glob: GlobMatcher,
    rules: Vec<&'static str>,
}

impl PartialEq for FileIgnore {
    fn eq(&self, other: &FileIgnore) -> bool {
        (&self.folder, self.glob.glob(), &self.rules) == (&other.folder, other.glob.glob(), &other.rules)
    }
}

impl FileIgnore {
    /// Whether a file is meant: by its path from the folder, by its name alone, or by a folder around it.
    fn is_for(&self, file: &Path) -> bool {
        let inside = match &self.folder {
            Some(folder) => match file.strip_prefix(folder) {
                Ok(inside) => vec![inside],
                Err(_) => return false,
            },
            None => file.ancestors().skip(1).filter_map(|folder| file.strip_prefix(folder).ok()).collect(),
        };
        let named = file.file_name().is_some_and(|name| self.glob.is_match(name));
        named || inside.iter().any(|inside| inside.ancestors().any(|path| self.glob.is_match(path)))
    }
}

/// Which rules are told, and how loudly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    levels: BTreeMap<&'static str, Level>,
    per_file: Vec<FileIgnore>,
    selected: Vec<&'static str>,
    ignored: Vec<&'static str>,
}

impl Rules {
    /// What the command line says.
    pub fn chosen(selected: &[&'static str], ignored: &[&'static str]) -> Rules {
        Rules { selected: selected.to_owned(), ignored: ignored.to_owned(), ..Rules::default() }
    }
    /// A row of the setting `rules`. What is wrong with it is added to the warnings.
    pub fn set(&mut self, rule: &str, level: Option<&str>, warnings: &mut Vec<String>) {
        let Some(known) = known(rule, warnings) else { return };
        let level = match level {
            Some("off") => Level::Off,
            Some("hint") => Level::At(Severity::Hint),
            Some("information") => Level::At(Severity::Information),
            Some("warning") => Level::At(Severity::Warning),
            Some("error") => Level::At(Severity::Error),
            _ => {
                warnings.push(format!("the level of `{rule}` is one of off, hint, information, warning and error"));
                return;
            }
        };
        self.levels.insert(known, level);
    }
    /// A row of the setting `per-file-ignores`, whose patterns count from a folder, or from any where there is none.
    pub fn set_for_files<'a>(
        &mut self,
        folder: Option<&Path>,
        pattern: &str,
        rules: impl Iterator<Item = &'a str>,
        warnings: &mut Vec<String>,
    ) {
        match GlobBuilder::new(pattern.trim_end_matches('/')).literal_separator(true).build() {
            Ok(glob) => {
                let rules = rules.filter_map(|rule| known(rule, warnings)).collect();
                self.per_file.push(FileIgnore {
                    folder: folder.map(Path::to_owned),
                    glob: glob.compile_matcher(),
                    rules,
                });
            }
            Err(error) => warnings.push(error.to_string()),
        }
    }
    /// Both, `over` first.
    pub fn under(mut self, over: &Rules) -> Rules {
        self.levels.extend(&over.levels);
        self.per_file.extend(over.per_file.iter().cloned());
        self.selected.extend(&over.selected);
        self.ignored.extend(&over.ignored);
        self
    }
    /// How bad something is that a rule finds in a file, if it is to be told.
    pub fn judge(&self, rule: &str, severity: Severity, file: &Path) -> Option<Severity> {
        let is_selected = self.selected.contains(&rule);
        let is_ignored = self.ignored.contains(&rule)
            || (!self.selected.is_empty() && !is_selected)
            || self.per_file.iter().any(|ignore| ignore.rules.contains(&rule) && ignore.is_for(file));
        if is_ignored {
            return None;
        }
        match self.levels.get(rule) {
            // Who asks for a rule by name wants to see it.
            Some(Level::Off) if is_selected => Some(severity),
            Some(Level::Off) => None,
            Some(Level::At(severity)) => Some(*severity),
            None => Some(severity),
        }
    }
}

fn known(rule: &str, warnings: &mut Vec<String>) -> Option<&'static str> {
    let known = rules::get(rule).map(|rule| rule.name);
    if known.is_none() {
        warnings.push(rules::unknown(rule));
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(rules: &Rules, rule: &str, file: &str) -> Option<Severity> {
        rules.judge(rule, Severity::Warning, Path::new(file))
    }

    #[test]
    fn levels_and_choices() {
        let (mut project, mut warnings) = (Rules::default(), Vec::new());
        project.set("key-reuse", Some("off"), &mut warnings);
        project.set("retrace", Some("error"), &mut warnings);
        assert_eq!(told(&project, "key-reuse", "/p/a.py"), None);
        assert_eq!(told(&project, "retrace", "/p/a.py"), Some(Severity::Error));
        assert_eq!(told(&project, "fixed-key", "/p/a.py"), Some(Severity::Warning));
        assert_eq!(warnings, Vec::<String>::new());
        let chosen = project.clone().under(&Rules::chosen(&["key-reuse", "retrace"], &["retrace"]));
        assert_eq!(told(&chosen, "key-reuse", "/p/a.py"), Some(Severity::Warning));
        assert_eq!(told(&chosen, "retrace", "/p/a.py"), None);
        assert_eq!(told(&chosen, "fixed-key", "/p/a.py"), None);
    }

    #[test]
    fn patterns_name_files_and_folders() {
        let is_for = |pattern: &str, file: &str| {
            let mut rules = Rules::default();
            rules.set_for_files(Some(Path::new("/p")), pattern, ["key-reuse"].into_iter(), &mut Vec::new());
            told(&rules, "key-reuse", file).is_none()
        };
        assert!(is_for("tests/*.py", "/p/tests/a.py") && !is_for("tests/*.py", "/p/tests/b/a.py"));
        assert!(
            is_for("tests", "/p/tests/b/a.py")
                && is_for("tests/", "/p/tests/a.py")
                && is_for("**/b", "/p/tests/b/a.py")
        );
        assert!(is_for("test_*.py", "/p/deep/test_a.py") && !is_for("test_*.py", "/q/deep/test_a.py"));
        let mut rules = Rules::default();
        rules.set_for_files(None, "tests/*.py", ["key-reuse"].into_iter(), &mut Vec::new());
        assert_eq!(told(&rules, "key-reuse", "/p/deep/tests/a.py"), None);
        assert_eq!(told(&rules, "key-reuse", "/p/tests/deep/a.py"), Some(Severity::Warning));
        assert!(is_for("{a,b}.py", "/p/x/b.py") && !is_for("tests", "/p/src/tests.py"));
    }

    #[test]
    fn what_is_misspelt_is_said_and_left_out() {
        let (mut rules, mut warnings) = (Rules::default(), Vec::new());
        rules.set("key-resue", Some("off"), &mut warnings);
        rules.set("key-reuse", Some("loud"), &mut warnings);
        rules.set_for_files(Some(Path::new("/p")), "a[", ["key-reuse"].into_iter(), &mut warnings);
        rules.set_for_files(Some(Path::new("/p")), "a", ["retracing", "retrace"].into_iter(), &mut warnings);
        assert_eq!(warnings.len(), 4, "{warnings:?}");
        assert_eq!(warnings[0], "there is no rule `key-resue`; did you mean `key-reuse`?");
        assert_eq!(told(&rules, "retrace", "/p/a"), None);
        assert_eq!(told(&rules, "key-reuse", "/p/a"), Some(Severity::Warning));
    }
}
