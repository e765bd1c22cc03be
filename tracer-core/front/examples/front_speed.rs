//! Prints how fast files (or the Python files below folders) are parsed and lowered.

use std::path::Path;
use std::time::{Duration, Instant};

use jitlens_front::lower::lower;
use jitlens_front::syntax::SyntaxTree;

fn main() {
    let mut texts = Vec::new();
    for path in std::env::args().skip(1) {
        collect(Path::new(&path), &mut texts);
    }
    let bytes: usize = texts.iter().map(String::len).sum();
    let (mut parsing, mut lowering) = (Duration::MAX, Duration::MAX);
    for _ in 0..3 {
        let start = Instant::now();
        let trees: Vec<SyntaxTree> = texts.iter().map(|text| SyntaxTree::parse(text)).collect();
        parsing = parsing.min(start.elapsed());
        let start = Instant::now();
        let exprs: usize = texts.iter().zip(&trees).map(|(text, tree)| lower(tree, text).exprs.len()).sum();
        lowering = lowering.min(start.elapsed());
        std::hint::black_box(exprs);
    }
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    println!("{} files, {:.1} MB", texts.len(), bytes as f64 / 1e6);
    println!("parse {:.1} MB/s", rate(parsing));
    println!("lower {:.1} MB/s", rate(lowering));
    println!("both  {:.1} MB/s", rate(parsing + lowering));
}

fn collect(path: &Path, texts: &mut Vec<String>) {
    if let Ok(entries) = std::fs::read_dir(path) {
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            collect(&path, texts);
        }
    } else if path.extension().is_some_and(|extension| extension == "py") {
        texts.extend(std::fs::read_to_string(path));
    }
}
