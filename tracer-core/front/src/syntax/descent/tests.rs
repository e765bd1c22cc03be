//! What is read by descent means what the generated parser makes of the same text.

use std::path::{Path, PathBuf};

use super::super::SyntaxTree;
use super::super::prepare::prepare;
use crate::lower::lower;

/// A text read by descent and by the generated parser; `None` where the first does not read it, or the second finds an error:
/// it knows less of what is new.
fn both(text: &str) -> Option<(SyntaxTree, SyntaxTree)> {
    let mut prepared = prepare(text, &[]);
    if !prepared.is_clean() {
        return None;
    }
    let descended = SyntaxTree::descend(text, &prepared.lines, &[], 0)?;
    prepared.condense(&[]);
    Some((descended, SyntaxTree::parse_condensed(&prepared, 0)?))
}

/// Where the lowered forms of both differ first.
fn difference(text: &str, (descended, generated): &(SyntaxTree, SyntaxTree)) -> Option<String> {
    let (ours, theirs) = (lower(descended, text), lower(generated, text));
    let (ours, theirs) = (format!("{ours:#?}"), format!("{theirs:#?}"));
    let at = ours.lines().zip(theirs.lines()).position(|(a, b)| a != b).or((ours.len() != theirs.len()).then_some(0))?;
    let around = |text: &str| text.lines().skip(at.saturating_sub(12)).take(24).collect::<Vec<_>>().join("\n");
    Some(format!("{}\n---- generated:\n{}", around(&ours), around(&theirs)))
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => files(&path, found),
            false if path.extension().is_some_and(|e| e == "py") => found.push(path),
            false => {}
        }
    }
}

/// All Python here, or below the folder that `JITLENS_TEXTS` names.
#[test]
fn texts_mean_the_same_to_both_parsers() {
    let root = match std::env::var_os("JITLENS_TEXTS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."),
    };
    let mut found = Vec::new();
    for folder in ["tests/projects", "tests/suite", "tests/bench", "tracer-core", "."] {
        if folder != "." || std::env::var_os("JITLENS_TEXTS").is_some() {
            files(&root.join(folder), &mut found);
        }
    }
    let (mut read, mut wrong) = (0, Vec::new());
    for path in &found {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let Some(trees) = both(&text) else { continue };
        read += 1;
        if let Some(difference) = difference(&text, &trees) {
            wrong.push(format!("{}:\n{difference}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{} of {read}:\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n\n"));
    assert!(read * 10 >= found.len() * 9, "only {read} of {} are read by descent", found.len());
}
