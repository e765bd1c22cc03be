//! The literate suite: every section of `tests/suite/**/*.md`, and of the pages of the rules in `docs/rules`, is a program with
//! expectations in its comments.
//!
//! `cargo nextest run -p jitlens-tests promotion` runs the sections whose name contains a word, `UPDATE_EXPECT=1` rewrites
//! whole-output blocks and hovers, `SUITE_CUTS=7` cuts every program at every 7th byte instead of at a few places. The
//! format is described in `tests/suite/README.md`.

mod expect;
mod laws;
mod page;
mod run;
mod update;

use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut trials = Vec::new();
    for root in [tests.join("suite"), tests.join("../docs")] {
        let mut pages = Vec::new();
        collect(if root.ends_with("docs") { root.join("rules") } else { root.clone() }.as_path(), &mut pages);
        pages.sort();
        assert!(!pages.is_empty(), "no pages in {}", root.display());
        if root.ends_with("docs") {
            let pages = pages.clone();
            trials.push(Trial::test("rules: each page has its rule and its row", move || failed(rules(&pages))));
        }
        for path in pages {
            let name = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            trials.extend(self::trials(&path, name.trim_end_matches(".md")));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// What is missing of the rules' pages: a program in which the rule finds something, a row in the index.
fn rules(pages: &[PathBuf]) -> Vec<String> {
    let read = |path: &Path| std::fs::read_to_string(path).expect("a page is UTF-8");
    let index =
        pages.first().and_then(|page| page.parent()).map(|folder| read(&folder.join("README.md"))).unwrap_or_default();
    let mut missing = Vec::new();
    for page in pages {
        let name = page.file_stem().unwrap_or_default().to_string_lossy();
        if !read(page).contains(&format!("diag[{name}]")) {
            missing.push(format!("{name} finds nothing on its page"));
        }
        if !index.contains(&format!("| [{name}]({name}.md) |")) {
            missing.push(format!("{name} has no row in the index"));
        }
    }
    missing
}

fn collect(folder: &Path, pages: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the suite's folder can be read");
    for path in entries.map(|e| e.expect("an entry").path()) {
        if path.is_dir() {
            collect(&path, pages);
        } else if path.extension().is_some_and(|e| e == "md") && !path.ends_with("README.md") {
            pages.push(path);
        }
    }
}

/// One test per program for its expectations and one for the laws; one per page where expectations are rewritten.
fn trials(path: &Path, name: &str) -> Vec<Trial> {
    let text = std::fs::read_to_string(path).expect("a page is UTF-8").replace("\r\n", "\n");
    if std::env::var_os("UPDATE_EXPECT").is_some_and(|v| v == "1") {
        let path = path.to_owned();
        let rewrite = move || {
            let new = update::updated(&text);
            if new != text { std::fs::write(&path, new).map_err(Failed::from) } else { Ok(()) }
        };
        return vec![Trial::test(format!("{name}: update"), rewrite)];
    }
    let snippets = page::snippets(&text);
    assert!(!snippets.is_empty(), "{name} has no program");
    let mut trials = Vec::new();
    let mut before: Option<String> = None;
    for snippet in snippets {
        let title = format!("{name}: {}", snippet.title);
        let old = before.replace(snippet.files[page::MAIN].clone());
        let own = snippet.clone();
        let page = format!("{name}.md");
        trials.push(Trial::test(title.clone(), move || failed(expect::check(&page, &own))));
        trials.push(Trial::test(format!("{title} (laws)"), move || failed(laws::check(&snippet, old.as_deref()))));
    }
    trials
}

fn failed(faults: Vec<String>) -> Result<(), Failed> {
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}
