//! Holds a program's expectations against jitlens. Every expectation has to be met, and every diagnostic to be expected.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use tracer_core::analysis::{Analysis, FileFacts, Shown};
use tracer_core::diagnostics::{Diagnostic, Severity, diagnose};
use tracer_core::interp::{Event, is_meant};
use tracer_core::text::{LineIndex, Span};

use super::page::{Expectation, Snippet, expectations};
use super::run::{facts, run_snippet, subject};

/// What does not hold, one line each.
pub fn check(page: &str, snippet: &Snippet) -> Vec<String> {
    let analysis = run_snippet(snippet);
    let diagnostics = diagnose(&analysis);
    let mut faults = Vec::new();
    let mut announced = vec![BTreeSet::new(); analysis.files.len()];
    for (name, source) in snippet.files.iter().filter(|(name, _)| name.ends_with(".py")) {
        let Some((file, facts)) = facts(&analysis, name) else {
            faults.push(format!("{page}: `{name}` was never imported"));
            continue;
        };
        for expectation in expectations(source) {
            let case = Case { analysis: &analysis, diagnostics: &diagnostics, file, facts, source };
            if let Err(real) = case.held(&expectation, &mut announced[file]) {
                let at = snippet.page_line(name, expectation.written);
                let bug = if expectation.bug { " (known to be wrong)" } else { "" };
                faults.push(format!(
                    "{page}:{at}: {}{bug}\n  expected {}\n  is       {real}",
                    expectation.kind, expectation.text
                ));
            }
        }
    }
    for (i, diagnostic) in diagnostics.iter().enumerate() {
        let file = diagnostic.at.file;
        // A call that is traced again is expected by `key: miss`; where nobody asks for it, it is no fault.
        if announced[file].contains(&i) || diagnostic.severity <= Severity::Information {
            continue;
        }
        let facts = &analysis.files[file];
        let line = line_of(facts, diagnostic.at.span) as usize;
        let name = facts.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let at = snippet.page_line(&name, line);
        faults.push(format!("{page}:{at}: not expected\n  {}: {}", diagnostic.rule, diagnostic.message));
    }
    for block in &snippet.blocks {
        let real = whole_output(snippet, &analysis, &diagnostics, &block.kind);
        if real != block.text {
            faults.push(format!("{page}:{}: {}\n--- expected\n{}--- is\n{real}", block.line, block.kind, block.text));
        }
    }
    faults
}

struct Case<'a> {
    analysis: &'a Analysis,
    diagnostics: &'a [Diagnostic],
    file: usize,
    facts: &'a FileFacts,
    source: &'a str,
}

impl Case<'_> {
    /// Whether an expectation holds; what there is instead if not.
    fn held(&self, e: &Expectation, announced: &mut BTreeSet<usize>) -> Result<(), String> {
        match e.kind.as_str() {
            "hover" => {
                let wanted: BTreeSet<String> = e.text.split('|').map(|t| t.trim().to_owned()).collect();
                let span = self.subject(e)?;
                same(&wanted, &hover(self.facts, span))
            }
            "eval" => {
                let wanted: Vec<String> = e.text.split(" | ").map(str::to_owned).collect();
                let mut real: Vec<String> = Vec::new();
                for seen in self.watched(e)? {
                    let text = seen.text.clone().unwrap_or_else(|| "not known".into());
                    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                    if !real.contains(&text) {
                        real.push(text);
                    }
                }
                let alike = real.len() == wanted.len() && real.iter().zip(&wanted).all(|(a, b)| alike(a, b));
                if alike { Ok(()) } else { Err(real.join(" | ")) }
            }
            "key" => self.key(e),
            "raises" => self.raises(e, announced),
            "diag" => self.diag(e, announced),
            other => Err(format!("there are no expectations of kind `{other}`")),
        }
    }

    fn subject(&self, e: &Expectation) -> Result<Span, String> {
        subject(&self.facts.module, self.source, e).ok_or_else(|| "no expression on that line".into())
    }

    fn watched(&self, e: &Expectation) -> Result<&[tracer_core::interp::Watched], String> {
        let span = self.subject(e)?;
        let found = self.analysis.watched.iter().find(|(file, at, _)| (*file, *at) == (self.file, span));
        found.map(|(_, _, seen)| seen.as_slice()).ok_or_else(|| "not run".into())
    }

    /// `hit`, `miss`, or `miss x: f32[2] -> f32[3]`, which also says what differs.
    fn key(&self, e: &Expectation) -> Result<(), String> {
        let span = self.subject(e)?;
        let mut real: Vec<String> = Vec::new();
        let misses: Vec<String> = self
            .analysis
            .events
            .iter()
            .filter_map(|event| match event {
                Event::CacheMiss { site, differences, .. }
                    if self.analysis.file_index(site.file) == Some(self.file) && site.span == span =>
                {
                    Some(differences.iter().map(|d| difference(&d.text)).collect::<Vec<_>>().join("; "))
                }
                _ => None,
            })
            .collect();
        let mut misses = misses.iter();
        for seen in self.watched(e)? {
            let text = match seen.traced {
                false => "hit".to_owned(),
                true => format!("miss {}", misses.next().map_or("", String::as_str)).trim_end().to_owned(),
            };
            if !real.contains(&text) {
                real.push(text);
            }
        }
        let wanted: Vec<&str> = e.text.split(" | ").map(str::trim).collect();
        let alike = |real: &String, wanted: &&str| real == wanted || *wanted == "miss" && real.starts_with("miss");
        let held = real.len() == wanted.len() && real.iter().zip(&wanted).all(|(r, w)| alike(r, w));
        if held { Ok(()) } else { Err(real.join(" | ")) }
    }

    fn here(&self, e: &Expectation) -> impl Iterator<Item = (usize, &Diagnostic)> {
        let line = e.line as u32;
        let on_line = move |d: &Diagnostic| d.at.file == self.file && line_of(self.facts, d.at.span) == line;
        self.diagnostics.iter().enumerate().filter(move |(_, d)| on_line(d))
    }

    /// `TypeError "part"`. With a `bug`, it is what jitlens does not say yet.
    fn raises(&self, e: &Expectation, announced: &mut BTreeSet<usize>) -> Result<(), String> {
        static FORM: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"^([\w.]+)\s*(?:"(.*)")?"#).expect("a pattern"));
        let form = FORM.captures(&e.text).ok_or("an exception class is missing")?;
        let class = form[1].rsplit('.').next().unwrap_or_default().to_owned();
        let part = form.get(2).map_or("", |p| p.as_str());
        let mut found = Vec::new();
        let mut held = false;
        for (i, diagnostic) in self.here(e).filter(|(_, d)| d.severity == Severity::Error) {
            let (full, message) = diagnostic.message.split_once(": ").unwrap_or((&diagnostic.message, ""));
            let right = full.rsplit('.').next() == Some(&class) && message.contains(part);
            held |= right;
            if right || e.bug {
                announced.insert(i);
            }
            found.push(diagnostic.message.lines().next().unwrap_or_default().to_owned());
        }
        match (held, e.bug) {
            (true, false) | (false, true) => Ok(()),
            (true, true) => Err("it is raised now: the `bug` is mended".into()),
            (false, false) if found.is_empty() => Err("no exception".into()),
            (false, false) => Err(found.join("; ")),
        }
    }

    fn diag(&self, e: &Expectation, announced: &mut BTreeSet<usize>) -> Result<(), String> {
        let part = e.text.trim_matches('"');
        let mut found = Vec::new();
        let mut held = false;
        for (i, diagnostic) in self.here(e) {
            let column = LineIndex::new(&self.facts.text).utf8(diagnostic.at.span.start).column;
            let right = diagnostic.rule == e.rule
                && e.column.is_none_or(|wanted| wanted == column)
                && diagnostic.message.contains(part);
            if right {
                held = true;
                announced.insert(i);
            }
            found.push(format!("[{}] {column}: {}", diagnostic.rule, diagnostic.message));
        }
        if held { Ok(()) } else { Err(if found.is_empty() { "nothing".into() } else { found.join("; ") }) }
    }
}

/// `x: f32[2] -> f32[3]` for what an event says as `x: now f32[3], before f32[2]`.
fn difference(said: &str) -> String {
    static FORM: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^(.*): now (.*), before (.*)$").expect("a pattern"));
    match FORM.captures(said) {
        Some(parts) => format!("{}: {} -> {}", &parts[1], &parts[3], &parts[2]),
        None => said.to_owned(),
    }
}

fn line_of(facts: &FileFacts, span: Span) -> u32 {
    LineIndex::new(&facts.text).utf8(span.start).line + 1
}

fn same(wanted: &BTreeSet<String>, real: &BTreeSet<String>) -> Result<(), String> {
    let shown = real.iter().cloned().collect::<Vec<_>>().join(" | ");
    if wanted == real { Ok(()) } else { Err(shown) }
}

/// What an expression was, as a `hover` comment writes it.
pub fn hover(facts: &FileFacts, span: Span) -> BTreeSet<String> {
    let here = facts.exprs.iter().filter(|e| e.span == span).flat_map(|e| &e.seen);
    let mut found: BTreeSet<String> = here.map(|shown: &Shown| shown.row().trim_end_matches('!').to_owned()).collect();
    if found.is_empty() {
        found.insert("nothing".into());
    }
    found
}

/// The same text up to blank space, and the same numbers up to rounding.
pub fn alike(real: &str, wanted: &str) -> bool {
    static NUMBER: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?i)[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|\.\d+|inf|nan)").expect("a pattern"));
    let frame = |text: &str| NUMBER.replace_all(text, "#").split_whitespace().collect::<String>();
    let numbers =
        |text: &str| NUMBER.find_iter(text).filter_map(|m| m.as_str().parse::<f64>().ok()).collect::<Vec<_>>();
    let (a, b) = (numbers(real), numbers(wanted));
    let close = |x: f64, y: f64| x == y || x.is_nan() && y.is_nan() || (x - y).abs() <= 1e-5 * x.abs().max(y.abs());
    frame(real) == frame(wanted) && a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| close(*x, *y))
}

/// What a whole-output block of this kind holds.
pub fn whole_output(snippet: &Snippet, analysis: &Analysis, diagnostics: &[Diagnostic], kind: &str) -> String {
    let (kind, argument) = kind.split_once(' ').unwrap_or((kind, ""));
    if kind == "jaxpr" {
        let texts = analysis.traces.iter().filter(|t| is_meant(&t.function, argument)).map(|t| format!("{}\n", t.text));
        return texts.collect::<Vec<_>>().join("\n");
    }
    let Some((file, facts)) = facts(analysis, super::page::MAIN) else { return String::new() };
    if kind == "hover" {
        let index = LineIndex::new(&facts.text);
        let mut lines = Vec::new();
        for fact in facts.exprs.iter().filter(|f| f.is_row) {
            let seen = hover(facts, fact.span);
            let text = facts.text.get(fact.span.start as usize..fact.span.end as usize).unwrap_or_default();
            let at = index.utf8(fact.span.start);
            let line =
                format!("{}:{} {text}: {}\n", at.line + 1, at.column, seen.into_iter().collect::<Vec<_>>().join(" | "));
            if !text.contains('\n') && !lines.contains(&line) {
                lines.push(line);
            }
        }
        return lines.concat();
    }
    let rule = kind.trim_start_matches("fix[").trim_end_matches(']');
    let fix = diagnostics.iter().filter(|d| d.rule == rule && d.at.file == file).find_map(|d| d.fixes.first());
    let mut text = snippet.files[super::page::MAIN].clone();
    for (at, new) in fix.into_iter().flat_map(|f| f.edits.iter().rev()) {
        text.replace_range(at.span.start as usize..at.span.end as usize, new);
    }
    text
}
