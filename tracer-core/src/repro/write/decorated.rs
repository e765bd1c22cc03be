//! Functions that stand in a program only to be transformed at once: they are decorated, as a person would write it.

use super::Line;
use super::rebind::{renamed_line, words};

/// What a name has behind it that stands for what a function of the name was made into.
const MADE: &str = "_value";

/// Writes `def f(…)` and `f_value = jax.custom_jvp(f)` as one decorated function, where nothing else knows `f`.
pub fn decorated(mut lines: Vec<Line>) -> Vec<Line> {
    let mut at = 0;
    while at < lines.len() {
        if let Some((of, decorator, name)) = decoration(&lines, at) {
            let site = lines.remove(at).site;
            let indent = lines[of].indent;
            lines.insert(of, Line::new(indent, decorator, site));
            let made = format!("{name}{MADE}");
            for line in &mut lines {
                line.text = renamed_line(&line.text, |word| (word == made).then_some(name.as_str()));
            }
        }
        at += 1;
    }
    lines
}

/// The line of the definition that another line transforms, its decorator, and its name.
fn decoration(lines: &[Line], at: usize) -> Option<(usize, String, String)> {
    let Line { indent, text, .. } = &lines[at];
    let (made, value) = text.split_once(" = ")?;
    let name = made.strip_suffix(MADE)?;
    let callee = value.strip_suffix(&format!("({name})"))?;
    if name.is_empty() || !callee.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.') {
        return None;
    }
    let head = format!("def {name}(");
    let within = lines[..at].iter().rposition(|line| line.indent < *indent).map_or(0, |outer| outer + 1);
    let of = (within..at).rev().find(|of| lines[*of].indent == *indent && lines[*of].text.starts_with(&head))?;
    let is_decorated = of > 0 && lines[of - 1].text.starts_with('@');
    let mut uses = 0;
    let mut makes = 0;
    for line in lines {
        words(&line.text, |word, _| uses += usize::from(word == name));
        makes += usize::from(line.text.split_once(" = ").is_some_and(|(target, _)| target == made));
    }
    (uses == 2 && makes == 1 && !is_decorated).then(|| (of, format!("@{callee}"), name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> String {
        let lines = text.lines().map(|line| Line::new(line.len() - line.trim_start().len(), line.trim_start(), None));
        decorated(lines.collect()).iter().map(|l| format!("{}{}\n", " ".repeat(l.indent), l.text)).collect()
    }

    #[test]
    fn what_is_transformed_at_once_is_decorated() {
        let text =
            "def g():\n    def f(x):\n        return x\n    y = 1\n    f_value = jax.remat(f)\n    return f_value(y)\n";
        let found = "def g():\n    @jax.remat\n    def f(x):\n        return x\n    y = 1\n    return f(y)\n";
        assert_eq!(written(text), found);
    }

    #[test]
    fn what_is_used_otherwise_keeps_its_names() {
        for text in [
            "def f(x):\n    return x\nf_value = jax.jit(f)\nprint(f_value(f(1)))\n",
            "def f(x):\n    return x\nf_value = jax.jit(f, inline=True)\nprint(f_value(1))\n",
            "def f(x):\n    return x\nf_value = jax.jit(f)\ndef g(f):\n    return f_value(f)\n",
            "if c:\n    def f(x):\n        return x\nf_value = jax.jit(f)\nprint(f_value(1))\n",
        ] {
            assert_eq!(written(text), text);
        }
    }
}
