//! Names as a person would give them: a result that is only handed on needs none, and a value that takes the place of
//! another one takes its name.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Line;

/// Tidies the names of a body whose parameters have the names `params`. `made_up` are those that the program does not have.
pub fn tidied(mut lines: Vec<Line>, params: &[String], made_up: &BTreeSet<String>) -> Vec<Line> {
    hand_on(&mut lines, made_up);
    rebind(&mut lines, params);
    lines
}

/// `a, b = f(x)` and `return a, b` are one statement, where the program has no names for them.
fn hand_on(lines: &mut Vec<Line>, made_up: &BTreeSet<String>) {
    let [.., made, last] = &lines[..] else { return };
    let Some(result) = last.text.strip_prefix("return ") else { return };
    let Some((targets, value)) = assigned(&made.text) else { return };
    let is_made_up = targets.iter().all(|target| made_up.contains(*target));
    if made.indent == last.indent
        && is_made_up
        && result == made.text[..made.text.len() - value.len() - " = ".len()].trim()
    {
        let text = format!("return {value}");
        let kept = Line { text, ..made.clone() };
        lines.truncate(lines.len() - 2);
        lines.push(kept);
    }
}

/// Gives `x_1` the name `x` where nothing reads the value that has it any longer.
fn rebind(lines: &mut [Line], params: &[String]) {
    // What functions inside read may be read whenever they are called, and what stands under a condition may not be made.
    let mut pinned: FxHashSet<String> = FxHashSet::default();
    for line in lines.iter() {
        if line.indent > 0 || !is_plain(&line.text) {
            words(&line.text, |word, _| {
                pinned.insert(word.to_owned());
            });
        }
    }
    let bare = |param: &String| param.trim_start_matches('*').split('=').next().unwrap_or_default().to_owned();
    let mut bound: FxHashSet<String> = params.iter().map(bare).collect();
    let mut made: FxHashMap<String, usize> = FxHashMap::default();
    for line in lines.iter().filter(|line| line.indent == 0) {
        for target in assigned(&line.text).map(|(targets, _)| targets).unwrap_or_default() {
            *made.entry(target.to_owned()).or_default() += 1;
        }
    }
    // Where each name stands last.
    let mut last: FxHashMap<String, usize> = FxHashMap::default();
    for (at, line) in lines.iter().enumerate() {
        words(&line.text, |word, _| {
            last.insert(word.to_owned(), at);
        });
    }
    for at in 0..lines.len() {
        if lines[at].indent > 0 {
            continue;
        }
        let Some((targets, _)) = assigned(&lines[at].text) else { continue };
        let targets: Vec<String> = targets.into_iter().map(str::to_owned).collect();
        for target in &targets {
            let Some((base, number)) = numbered(target) else { continue };
            if made.get(target) != Some(&1) || pinned.contains(target) {
                continue;
            }
            let earlier = std::iter::once(base.to_owned()).chain((1..number).map(|i| format!("{base}_{i}")));
            let is_free = |name: &String| {
                bound.contains(name)
                    && !pinned.contains(name)
                    && last.get(name).is_none_or(|last| *last <= at)
                    && assigned(&lines[at].text).is_some_and(|(targets, _)| !targets.contains(&name.as_str()))
            };
            if let Some(free) = earlier.take(MOST_TRIED).find(is_free) {
                let until = last.remove(target).unwrap_or(at);
                for line in &mut lines[at..=until] {
                    line.text = renamed(&line.text, target, &free);
                }
                last.insert(free, until);
            }
        }
        for target in assigned(&lines[at].text).map(|(targets, _)| targets).unwrap_or_default() {
            bound.insert(target.to_owned());
        }
    }
}

/// So many names of one kind are tried.
const MOST_TRIED: usize = 8;

/// `x` and 1 of `x_1`.
fn numbered(name: &str) -> Option<(&str, usize)> {
    let (base, number) = name.rsplit_once('_')?;
    match !base.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) {
        true => Some((base, number.parse().ok()?)),
        false => None,
    }
}

/// Whether a line is a statement that is done when the next one begins, and holds no function of its own.
fn is_plain(text: &str) -> bool {
    let mut plain = !text.contains('\n') && !text.ends_with(':') && !text.starts_with('@');
    words(text, |word, _| plain &= !matches!(word, "lambda" | "for" | "del" | "nonlocal" | "global" | "import"));
    plain
}

/// The targets of an assignment and its value; `None` for another statement.
fn assigned(text: &str) -> Option<(Vec<&str>, &str)> {
    let (targets, value) = text.split_once(" = ")?;
    let targets: Vec<&str> = targets.trim_matches(|c| c == '(' || c == ')').split(',').map(str::trim).collect();
    let targets: Vec<&str> = targets.into_iter().filter(|target| !target.is_empty()).collect();
    let is_name = |name: &&str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (!targets.is_empty() && targets.iter().all(is_name)).then_some((targets, value))
}

fn renamed(text: &str, from: &str, to: &str) -> String {
    let mut places = Vec::new();
    words(text, |word, at| {
        if word == from {
            places.push(at);
        }
    });
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for at in places {
        out.push_str(&text[done..at]);
        out.push_str(to);
        done = at + from.len();
    }
    out.push_str(&text[done..]);
    out
}

/// Calls back for each name in a line, with its place: not for texts, attributes, and names of arguments.
fn words(text: &str, mut found: impl FnMut(&str, usize)) {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0usize);
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
                at += 1;
            }
            b'#' => return,
            b'(' | b'[' | b'{' => {
                depth += 1;
                at += 1;
            }
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            c if c.is_ascii_alphanumeric() || c == b'_' || !c.is_ascii() => {
                let start = at;
                while at < bytes.len()
                    && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_' || !bytes[at].is_ascii())
                {
                    at += 1;
                }
                let is_attribute = start > 0 && bytes[start - 1] == b'.';
                let is_argument = depth > 0 && bytes.get(at) == Some(&b'=') && bytes.get(at + 1) != Some(&b'=');
                if !c.is_ascii_digit() && !is_attribute && !is_argument {
                    found(&text[start..at], start);
                }
            }
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tidy(text: &str, params: &[&str], made_up: &[&str]) -> String {
        let lines = text.lines().map(|line| Line::new(line.len() - line.trim_start().len(), line.trim_start(), None));
        let params: Vec<String> = params.iter().map(|param| (*param).to_owned()).collect();
        let made_up = made_up.iter().map(|name| (*name).to_owned()).collect();
        let lines = tidied(lines.collect(), &params, &made_up);
        lines.iter().map(|line| format!("{}{}\n", " ".repeat(line.indent), line.text)).collect()
    }

    #[test]
    fn what_takes_the_place_of_another_value_takes_its_name() {
        let text = "x_1 = x * 2\nx_2 = f(x_1, x=x_1.x)\nreturn x_2 + 1\n";
        assert_eq!(tidy(text, &["x"], &[]), "x = x * 2\nx = f(x, x=x.x)\nreturn x + 1\n");
    }

    #[test]
    fn what_is_read_later_keeps_its_name() {
        let text = "x_1 = x * 2\nreturn x_1 + x\n";
        assert_eq!(tidy(text, &["x"], &[]), text);
        let text = "h = f(x)\nx_1, h_1 = g(x, h)\nreturn x_1, h_1, h\n";
        assert_eq!(tidy(text, &["x=2"], &[]), "h = f(x)\nx, h_1 = g(x, h)\nreturn x, h_1, h\n");
    }

    #[test]
    fn numbers_that_are_free_are_given_again() {
        let text = "x_1 = f(x)\nx_2 = g(x_1)\nx_3 = h(x_2)\nreturn x_3 + x\n";
        assert_eq!(tidy(text, &["x"], &[]), "x_1 = f(x)\nx_1 = g(x_1)\nx_1 = h(x_1)\nreturn x_1 + x\n");
    }

    #[test]
    fn what_functions_inside_read_keeps_its_name() {
        let text = "def body(c):\n    return c + x\nx_1 = x * 2\nreturn scan(body, x_1)\n";
        assert_eq!(tidy(text, &["x"], &[]), text);
        let text = "f = lambda y: y + x\nx_1 = x * 2\nreturn f(x_1)\n";
        assert_eq!(tidy(text, &["x"], &[]), text);
        let text = "x_1 = x * 2\nwith c:\n    y = x_1\nreturn y\n";
        assert_eq!(tidy(text, &["x"], &[]), text);
    }

    #[test]
    fn names_of_nothing_and_of_texts_stay() {
        let text = "x_1 = f(\"x\", y)\nreturn x_1\n";
        assert_eq!(tidy(text, &["y"], &[]), text);
        assert_eq!(tidy("x_1 = f(\"x_1\", x)\nreturn x_1\n", &["x"], &[]), "x = f(\"x_1\", x)\nreturn x\n");
    }

    #[test]
    fn what_is_only_handed_on_has_no_name() {
        let text = "scan, scan_1 = f(x)\nreturn scan, scan_1\n";
        assert_eq!(tidy(text, &["x"], &["scan", "scan_1"]), "return f(x)\n");
        assert_eq!(tidy(text, &["x"], &["scan"]), text);
        let text = "a, b = f(x)\nreturn b, a\n";
        assert_eq!(tidy(text, &["x"], &["a", "b"]), text);
        let text = "(one,) = f(x)\nreturn (one,)\n";
        assert_eq!(tidy(text, &["x"], &["one"]), "return f(x)\n");
    }
}
