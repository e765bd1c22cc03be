//! All rules: their names, severities and pages, for the command line and editors.
//!
//! A rule is a page of `docs/rules`, which the build script lists. Kinds of exceptions that have none are rows of `tracer-core`'s
//! table of kinds.

mod errors;

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::LazyLock;

use tracer_core::diagnostics::{KINDS, Severity};

/// The pages of `docs/rules` with their names, sorted.
const PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// A rule.
#[derive(Debug)]
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// How bad what it finds is, where nobody says otherwise.
    pub severity: Severity,
    /// What it finds, in a sentence.
    pub summary: String,
    /// Its page: Markdown.
    pub page: Cow<'static, str>,
    /// Whether the page is one of `docs/rules`.
    has_file: bool,
}

impl Rule {
    /// Where its page is on the web.
    pub fn href(&self) -> String {
        let docs = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs");
        match self.has_file {
            true => format!("{docs}/rules/{}.md", self.name),
            false => format!("{docs}/errors.md#{}", self.name),
        }
    }
}

/// All rules by name.
pub static ALL: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let mut all: Vec<Rule> = PAGES.iter().map(|(name, page)| of_page(name, page)).collect();
    let exceptions =
        KINDS.iter().map(|kind| kind.rule).chain([errors::EXCEPTION.0, errors::SIGNATURE.0, errors::SYNTAX.0]);
    for name in exceptions {
        if all.iter().all(|rule| rule.name != name) {
            all.push(of_exceptions(name));
        }
    }
    all.sort_by_key(|rule| rule.name);
    all
});

/// Rules that find code which never runs.
const UNNECESSARY: [&str; 1] = ["unreachable-handler"];

/// Whether what a rule finds is code that never runs.
pub fn is_unnecessary(name: &str) -> bool {
    UNNECESSARY.contains(&name)
}

/// The rule of a name.
pub fn get(name: &str) -> Option<&'static Rule> {
    ALL.binary_search_by(|rule| rule.name.cmp(name)).ok().map(|at| &ALL[at])
}

/// What is said of a name that no rule has.
pub fn unknown(name: &str) -> String {
    let near = ALL.iter().map(|rule| (strsim::damerau_levenshtein(rule.name, name), rule.name)).min();
    match near {
        Some((distance, near)) if distance <= 2.max(name.len() / 3) => {
            format!("there is no rule `{name}`; did you mean `{near}`?")
        }
        _ => format!("there is no rule `{name}`; `jitlens rule` lists them"),
    }
}

fn of_page(name: &'static str, page: &'static str) -> Rule {
    // `# name`, an empty line, and a paragraph that begins with the severity.
    let paragraph: Vec<&str> = page.lines().skip(2).take_while(|line| !line.trim().is_empty()).collect();
    let paragraph = paragraph.join(" ");
    let (word, summary) = paragraph.split_once(". ").unwrap_or(("Warning", paragraph.as_str()));
    let severities = [Severity::Error, Severity::Information, Severity::Hint];
    let severity = severities.into_iter().find(|s| s.name().eq_ignore_ascii_case(word)).unwrap_or(Severity::Warning);
    Rule { name, severity, summary: summary.to_owned(), page: Cow::Borrowed(page), has_file: true }
}

fn of_exceptions(name: &'static str) -> Rule {
    let own = [errors::EXCEPTION, errors::SIGNATURE, errors::SYNTAX].into_iter().find(|(own, _)| *own == name);
    let summary = own.map_or_else(|| errors::summary(name), |(_, summary)| summary);
    let severity = if name == errors::SIGNATURE.0 { Severity::Warning } else { Severity::Error };
    let word = if severity == Severity::Error { "Error" } else { "Warning" };
    let mut page = format!("# {name}\n\n{word}. {summary}\n");
    for (i, kind) in KINDS.iter().filter(|kind| kind.rule == name).enumerate() {
        let class = if kind.class.is_empty() { "An exception" } else { &format!("`{}`", kind.class) };
        let part = if kind.part.is_empty() { "" } else { &format!(" with “{}”", kind.part) };
        let _ = writeln!(page, "{}* {class}{part}: {}.", if i == 0 { "\n" } else { "" }, kind.help);
    }
    Rule { name, severity, summary: summary.to_owned(), page: Cow::Owned(page), has_file: false }
}

/// The table of `docs/rules/README.md`: a row for each rule that has a page.
#[cfg(test)]
fn table() -> String {
    let row = |rule: &Rule| {
        let (name, severity, summary) = (rule.name, rule.severity.name(), &rule.summary);
        format!("| [{name}]({name}.md) | {severity} | {summary} |\n")
    };
    ALL.iter().filter(|rule| rule.has_file).map(row).collect()
}

/// `docs/errors.md`: the pages of all rules that have no file.
#[cfg(test)]
fn errors_page() -> String {
    let mut all = String::from(
        "# Errors\n\nThe rules of exceptions that have no page in [rules](rules/README.md). `jitlens rule NAME` prints one of \
         them. The\ntables are `tracer-core/src/diagnostics/kinds.rs` and `server/src/rules/errors.rs`; \
         `UPDATE_EXPECT=1 cargo test -p jitlens` writes\nthis page.\n",
    );
    for rule in ALL.iter().filter(|rule| !rule.has_file) {
        let _ = write!(all, "\n#{}", rule.page);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_say_what_they_are() {
        for rule in ALL.iter() {
            assert!(rule.page.starts_with(&format!("# {}\n\n", rule.name)), "{}", rule.name);
            assert!(rule.summary.ends_with('.') && rule.summary.len() < 200, "{}: {}", rule.name, rule.summary);
            let word = rule.page.lines().nth(2).and_then(|line| line.split_once(". ")).map(|(word, _)| word);
            assert!(
                word.is_some_and(|word| word.eq_ignore_ascii_case(rule.severity.name())),
                "{}: {word:?}",
                rule.name
            );
        }
        assert!(UNNECESSARY.iter().all(|name| get(name).is_some()));
        assert_eq!(get("retrace").map(|rule| rule.severity), Some(Severity::Information));
        assert_eq!(get("shape-mismatch").map(|rule| rule.severity), Some(Severity::Error));
    }

    #[test]
    fn each_kind_of_exception_is_summed_up() {
        for kind in KINDS.iter().filter(|kind| get(kind.rule).is_some_and(|rule| !rule.has_file)) {
            assert_ne!(errors::summary(kind.rule), errors::summary("no rule"), "{} has no row in errors.rs", kind.rule);
        }
    }

    #[test]
    fn the_page_of_errors_is_as_it_would_be_written() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/errors.md");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(path, errors_page()).expect("docs/errors.md is written");
        }
        let there = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
        assert!(there == errors_page(), "docs/errors.md is old: UPDATE_EXPECT=1 writes it");
    }

    #[test]
    fn the_table_of_rules_is_as_it_would_be_written() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/rules/README.md");
        let there = std::fs::read_to_string(path).expect("docs/rules/README.md").replace("\r\n", "\n");
        let start = there.find("\n| [").expect("a table") + 1;
        let end = start + there[start..].find("\n\n").expect("an end") + 1;
        let wanted = format!("{}{}{}", &there[..start], table(), &there[end..]);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(path, &wanted).expect("docs/rules/README.md is written");
        } else {
            assert!(there == wanted, "the table of docs/rules/README.md is old: UPDATE_EXPECT=1 writes it");
        }
    }

    #[test]
    fn a_misspelt_name_has_a_nearest_one() {
        assert_eq!(unknown("key-resue"), "there is no rule `key-resue`; did you mean `key-reuse`?");
        assert_eq!(unknown("zzzzzzzz"), "there is no rule `zzzzzzzz`; `jitlens rule` lists them");
    }
}
