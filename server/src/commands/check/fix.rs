//! `--fix` and `--diff`: what diagnostics say to change, in the files that were named.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use similar::TextDiff;
use tracer_core::diagnostics::Fix;
use tracer_core::lower::lower_text;
use tracer_core::notebook::is_notebook;

use super::notebook;
use crate::commands::places::{self, Places};
use crate::commands::report::Report;
use crate::commands::{output, program};
use crate::fixes;

/// A file is run at most so often: what a fix leaves may have another.
const MOST_ROUNDS: usize = 10;

/// Files with their texts before and after all fixes.
#[derive(Default)]
pub struct Mended {
    /// By path.
    texts: BTreeMap<PathBuf, Texts>,
    /// How many fixes were made.
    count: usize,
    /// What was said of fixes that cannot be made.
    refused: HashSet<String>,
}

struct Texts {
    before: Arc<str>,
    after: Arc<str>,
}

/// Makes fixes in memory until there are no more.
pub fn mend(runs: &mut program::Runs, files: &[PathBuf]) -> Mended {
    let own: HashSet<PathBuf> = files.iter().filter_map(|file| file.canonicalize().ok()).collect();
    let mut mended = Mended::default();
    for file in files {
        let mut rounds = 0;
        // What is wrong with the file itself is said when it is checked.
        while let Ok(report) = Report::of(runs, file) {
            if rounds == MOST_ROUNDS || !mended.round(&report, &own) {
                break;
            }
            rounds += 1;
            runs.texts = mended.texts.iter().map(|(path, texts)| (path.clone(), texts.after.clone())).collect();
        }
        if rounds == MOST_ROUNDS {
            output::complain(&format!("{}: after {MOST_ROUNDS} rounds of fixes there are still more", file.display()));
        }
    }
    runs.texts.clear();
    mended
}

impl Mended {
    /// Makes the fixes of a run that can be made at once. False if there are none.
    fn round(&mut self, report: &Report, own: &HashSet<PathBuf>) -> bool {
        let is_own = |fix: &&Fix| fix.edits.iter().all(|(at, _)| own.contains(&report.files[at.file].path));
        // Where there are several ways to mend one thing, the first is the best.
        let wanted: Vec<&Fix> = report.diagnostics.iter().filter_map(|d| d.fixes.first()).filter(is_own).collect();
        let mut made = fixes::together(wanted);
        if changed(report, &made).is_none() {
            // One of them spoils the text: each is tried with those before it.
            let mut good: Vec<&Fix> = Vec::new();
            for fix in made {
                good.push(fix);
                if changed(report, &good).is_none() {
                    good.pop();
                    self.refuse(report, fix);
                }
            }
            made = good;
        }
        let Some(changed) = changed(report, &made).filter(|changed| !changed.is_empty()) else { return false };
        for (file, text) in changed {
            let source = &report.files[file];
            let texts = Texts { before: source.text.clone(), after: source.text.clone() };
            self.texts.entry(source.path.clone()).or_insert(texts).after = text.into();
        }
        self.count += made.len();
        true
    }
    fn refuse(&mut self, report: &Report, fix: &Fix) {
        let Some((at, _)) = fix.edits.first() else { return };
        let source = &report.files[at.file];
        let places = Places::new(&source.path, &source.text);
        let [line, column, ..] = places.range(at.span);
        let file = places::named(places.file(), places.cell(at.span.start));
        let message = format!(
            "{file}:{line}:{column}: a fix is left out, since Python could not parse what it leaves: {}",
            fix.title
        );
        if self.refused.insert(message.clone()) {
            output::complain(&message);
        }
    }
    /// Prints what would be changed.
    pub fn print(&self) {
        let page = |name: &str, before: &str, after: &str| {
            let diff = TextDiff::from_lines(before, after);
            output::page(&diff.unified_diff().context_radius(3).header(name, name).to_string());
        };
        for (path, texts) in &self.texts {
            let name = program::shown(path);
            if !is_notebook(path) {
                page(&name, &texts.before, &texts.after);
                continue;
            }
            for (cell, before, after) in notebook::differing(&texts.before, &texts.after) {
                page(&places::named(&name, Some(cell)), before, after);
            }
        }
    }
    /// Writes the files. False if one could not be written.
    pub fn write(&self) -> bool {
        let mut written = 0;
        for (path, texts) in &self.texts {
            match replace(path, texts) {
                Ok(()) => written += 1,
                Err(error) => output::complain(&format!("{}: is left as it was: {error}", program::shown(path))),
            }
        }
        if written == self.texts.len() && written > 0 {
            let (fixes, files) = (self.count, written);
            let plural = |n: usize| if n == 1 { "" } else { "s" };
            output::complain(&format!(
                "{fixes} fix{} in {files} file{}",
                if fixes == 1 { "" } else { "es" },
                plural(files)
            ));
        }
        written == self.texts.len()
    }
}

/// The texts that some fixes leave, by file of the run; `None` where Python could not parse one that it could before.
fn changed(report: &Report, made: &[&Fix]) -> Option<Vec<(usize, String)>> {
    let mut files: BTreeMap<usize, Vec<_>> = BTreeMap::new();
    for (at, text) in made.iter().flat_map(|fix| &fix.edits) {
        files.entry(at.file).or_default().push((at.span, text.as_str()));
    }
    let leave = files.into_iter().map(|(file, edits)| {
        let source = &report.files[file];
        let text = fixes::edited(&source.text, edits);
        (lower_text(&text).notes.len() <= lower_text(&source.text).notes.len()).then_some((file, text))
    });
    leave.collect()
}

/// Writes a text beside the file and puts it in the file's place: whoever reads it meets one or the other, whole.
fn replace(path: &Path, texts: &Texts) -> std::io::Result<()> {
    let failed = |why: &str| Err(std::io::Error::other(why));
    let meta = path.metadata()?;
    if meta.permissions().readonly() {
        return failed("it is read-only");
    }
    let now = std::fs::read(path)?;
    let after = if is_notebook(path) {
        let file = String::from_utf8(now).map_err(std::io::Error::other)?;
        notebook::changed(&file, &texts.before, &texts.after).map_err(std::io::Error::other)?
    } else if now == texts.before.as_bytes() {
        texts.after.to_string()
    } else {
        return failed("it has changed meanwhile");
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.jitlens-{}", std::process::id()));
    let put = || {
        let mut file = std::fs::File::create_new(&beside)?;
        file.write_all(after.as_bytes())?;
        file.set_permissions(meta.permissions())?;
        file.sync_all()?;
        std::fs::rename(&beside, path)
    };
    let done = put();
    if done.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    done
}

#[cfg(test)]
mod tests {
    use tracer_core::diagnostics::{Diagnostic, Range, Severity};
    use tracer_core::text::Span;

    use super::*;
    use crate::commands::report::Source;

    fn diagnostic(start: u32, end: u32, text: &str) -> Diagnostic {
        let at = Range { file: 0, span: Span { start, end } };
        let fix = Fix { title: format!("put {text}"), edits: vec![(at, text.to_owned())] };
        let message = String::new();
        let severity = Severity::Warning;
        Diagnostic { at, rule: "exception", severity, message, help: None, related: Vec::new(), fixes: vec![fix] }
    }

    #[test]
    fn what_python_could_not_parse_is_left_out() {
        let (path, text) = (PathBuf::from("/p.py"), "a = b\nc = d\n");
        let all = [diagnostic(0, 1, "x"), diagnostic(4, 5, "(("), diagnostic(10, 11, "y")];
        let report = |found: &[Diagnostic]| Report {
            files: vec![Source { path: path.clone(), text: text.into() }],
            diagnostics: found.to_vec(),
        };
        let own = HashSet::from([path.clone()]);
        let mut mended = Mended::default();
        assert!(mended.round(&report(&all), &own));
        assert_eq!(&*mended.texts[&path].after, "x = b\nc = y\n");
        assert_eq!((mended.count, mended.refused.len()), (2, 1));
        assert!(!Mended::default().round(&report(&all[1..2]), &own));
        assert!(!Mended::default().round(&report(&all), &HashSet::new()), "a file that was not named");
    }
}
