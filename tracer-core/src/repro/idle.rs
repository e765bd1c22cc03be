//! Statements that nothing needs: a program that keeps whatever has succeeded need not show what comes to nothing.

use rustc_hash::FxHashSet;

use super::write::{Line, words};

/// What does something besides giving a value.
const ACTS: [&str; 9] =
    ["callback", "print", "breakpoint", "check", "ref", "swap", "addupdate", "update", "pallas_call"];

/// The lines without assignments of names that nothing reads, and without functions that nothing calls.
pub fn without_idle(lines: Vec<Line>) -> Vec<Line> {
    let mut functions: FxHashSet<String> = FxHashSet::default();
    for line in &lines {
        if let Some((name, _)) = line.text.strip_prefix("def ").and_then(|rest| rest.split_once('(')) {
            functions.insert(name.to_owned());
        }
    }
    body(&lines, &functions)
}

/// A body, from its end: what is read behind a line, or inside of a block, is kept.
fn body(lines: &[Line], functions: &FxHashSet<String>) -> Vec<Line> {
    let Some(indent) = lines.first().map(|line| line.indent) else { return Vec::new() };
    // Lines of this body, each with the block below it.
    let mut heads: Vec<(&Line, &[Line])> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let inside = lines[at + 1..].iter().take_while(|line| line.indent > indent).count();
        heads.push((&lines[at], &lines[at + 1..at + 1 + inside]));
        at += 1 + inside;
    }
    // What stands in blocks may be read whenever a function is called.
    let (mut live, mut always): (FxHashSet<String>, FxHashSet<String>) = Default::default();
    for line in heads.iter().flat_map(|(_, block)| *block) {
        words(&line.text, |word, _| _ = always.insert(word.to_owned()));
    }
    let mut kept: Vec<Vec<Line>> = Vec::new();
    for (head, block) in heads.into_iter().rev() {
        let is_read = |name: &str| live.contains(name) || always.contains(name);
        if let Some((name, _)) = head.text.strip_prefix("def ").and_then(|rest| rest.split_once('('))
            && !is_read(name)
            && !kept.is_empty()
        {
            continue;
        }
        if let (Some((targets, value)), true) = (targets_of(&head.text), block.is_empty()) {
            if !targets.iter().any(|target| is_read(target)) && is_quiet(value, functions) {
                continue;
            }
            targets.iter().for_each(|target| _ = live.remove(*target));
            words(value, |word, _| _ = live.insert(word.to_owned()));
        } else {
            words(&head.text, |word, _| _ = live.insert(word.to_owned()));
        }
        let mut all = vec![head.clone()];
        match head.text.starts_with("def ") {
            true => all.extend(body(block, functions)),
            // What stands under conditions and in contexts may be read behind them.
            false => all.extend(block.iter().cloned()),
        }
        kept.push(all);
    }
    kept.into_iter().rev().flatten().collect()
}

/// The names that a line gives a value, and the value.
fn targets_of(text: &str) -> Option<(Vec<&str>, &str)> {
    let (targets, value) = text.split_once(" = ")?;
    let names = targets.split([',', '(', ')']).map(str::trim).filter(|name| !name.is_empty());
    let names: Vec<&str> = names.collect();
    let is_name = |name: &&str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (!names.is_empty() && names.iter().all(is_name)).then_some((names, value))
}

/// Whether an expression does nothing but give a value, as far as its text tells: it names no function of the program.
fn is_quiet(value: &str, functions: &FxHashSet<String>) -> bool {
    let mut quiet = true;
    words(value, |word, _| quiet &= word != "lambda" && !functions.contains(word));
    quiet
        && !value
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|word| ACTS.iter().any(|act| word.contains(act)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tidy(text: &str) -> String {
        let lines = text.lines().map(|line| Line::new(line.len() - line.trim_start().len(), line.trim_start(), None));
        without_idle(lines.collect()).iter().map(|line| format!("{}{}\n", " ".repeat(line.indent), line.text)).collect()
    }

    #[test]
    fn what_nothing_reads_goes_with_what_only_it_has_read() {
        let text =
            "def f(x):\n    a = g1(x)\n    b = a + 1\n    x = x * 2\n    a, _ = h(x)\n    a = x\n    return a\nf(1)\n";
        assert_eq!(tidy(text), "def f(x):\n    x = x * 2\n    a = x\n    return a\nf(1)\n");
        let text = "def g(x):\n    return x\ndef f(x):\n    return x\nf(1)\n";
        assert_eq!(tidy(text), "def f(x):\n    return x\nf(1)\n");
    }

    #[test]
    fn what_functions_inside_read_and_what_acts_stays() {
        let text = "def f(x):\n    a = x + 1\n    def g(y):\n        return y + a\n    a = 2\n    return g(x)\nf(1)\n";
        assert_eq!(tidy(text), text);
        let text = "def f(x):\n    return x\na = f(1)\nb = jax.debug.callback(p, 1)\nx.ref = 1\nf(2)\n";
        assert_eq!(tidy(text), text);
    }
}
