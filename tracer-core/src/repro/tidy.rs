//! Text of the program's own, laid out as formatters do it: indentation, empty lines, spaces, and lines that are too long.

use super::layout::broken;
use super::spaces::spaced;
use crate::text::Span;

/// A line of a text, and the place that it comes from.
pub type Placed = (String, Option<Span>);

/// A statement, or the head of a block.
struct Statement {
    /// How deep it stands.
    level: usize,
    lines: Vec<Placed>,
    /// Empty lines that are in front of it.
    blank: usize,
    begins: Begins,
}

#[derive(Copy, Clone, PartialEq)]
enum Begins {
    Decorator,
    Definition,
    Import,
    Other,
}

/// The lines as formatters leave them.
pub fn tidied(lines: &[Placed]) -> Vec<Placed> {
    let mut out: Vec<Placed> = Vec::new();
    let mut definitions: Vec<usize> = Vec::new();
    let mut before: Option<Statement> = None;
    for statement in statements(lines) {
        let level = statement.level;
        let open = definitions.len();
        definitions.retain(|definition| *definition < level);
        let ended = definitions.len() < open;
        let is_definition = matches!(statement.begins, Begins::Decorator | Begins::Definition);
        let apart = if level == 0 { 2 } else { 1 };
        let blank = match &before {
            None => 0,
            Some(before) if before.begins == Begins::Decorator || before.level < level => 0,
            Some(_) if is_definition || ended => apart,
            Some(before) if before.begins == Begins::Import && statement.begins != Begins::Import => {
                statement.blank.clamp(1, apart)
            }
            Some(_) => statement.blank.min(apart),
        };
        out.extend((0..blank).map(|_| (String::new(), None)));
        out.extend(statement.lines.iter().cloned());
        if statement.begins == Begins::Definition {
            definitions.push(level);
        }
        before = Some(statement);
    }
    out
}

fn statements(lines: &[Placed]) -> Vec<Statement> {
    let mut found = Vec::new();
    let mut indents: Vec<usize> = vec![0];
    let (mut at, mut blank) = (0, 0);
    while at < lines.len() {
        if lines[at].0.trim().is_empty() {
            (at, blank) = (at + 1, blank + 1);
            continue;
        }
        let mut state = State::default();
        let from = at;
        while at < lines.len() {
            state.see(&lines[at].0);
            at += 1;
            if state.is_done() {
                break;
            }
        }
        let group = &lines[from..at];
        let indent = group[0].0.len() - group[0].0.trim_start().len();
        while indents.last().is_some_and(|last| *last > indent) {
            indents.pop();
        }
        if indents.last().is_some_and(|last| *last < indent) {
            indents.push(indent);
        }
        let level = indents.len() - 1;
        let first = group[0].0.trim_start();
        let begins = match first.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default() {
            "" if first.starts_with('@') => Begins::Decorator,
            "def" | "class" | "async" => Begins::Definition,
            "import" | "from" => Begins::Import,
            _ => Begins::Other,
        };
        let lines = laid_out(group, &state, (indent, level)).unwrap_or_else(|| moved(group, &state, (indent, level)));
        found.push(Statement { level, lines, blank, begins });
        blank = 0;
    }
    found
}

/// What the lines of a statement are, as far as they were read.
#[derive(Default)]
struct State {
    depth: usize,
    /// Quotes that are open.
    within: Option<&'static str>,
    continues: bool,
    /// Whether there are texts of several lines, comments or continued lines in it.
    is_special: bool,
}

impl State {
    fn see(&mut self, line: &str) {
        let mut at = 0;
        self.continues = false;
        while let Some(c) = line[at..].chars().next() {
            let rest = &line[at..];
            if let Some(quotes) = self.within {
                at += match c {
                    '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                    _ if rest.starts_with(quotes) => {
                        self.within = None;
                        quotes.len()
                    }
                    _ => c.len_utf8(),
                };
                continue;
            }
            let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quotes| rest.starts_with(*quotes));
            match c {
                _ if quotes.is_some() => self.within = quotes,
                '#' => {
                    self.is_special = true;
                    break;
                }
                '(' | '[' | '{' => self.depth += 1,
                ')' | ']' | '}' => self.depth = self.depth.saturating_sub(1),
                '\\' => (self.continues, self.is_special) = (true, true),
                _ => {}
            }
            at += quotes.map_or(c.len_utf8(), str::len);
        }
        match self.within {
            Some(quotes) if quotes.len() == 3 => self.is_special = true,
            _ => self.within = None,
        }
    }

    fn is_done(&self) -> bool {
        self.depth == 0 && self.within.is_none() && !self.continues
    }
}

/// A statement with its spaces, its lines broken where they are too long; `None` where it has to stay as it is.
fn laid_out(group: &[Placed], state: &State, (_, level): (usize, usize)) -> Option<Vec<Placed>> {
    let texts: Vec<&str> = group.iter().map(|(text, _)| text.trim()).collect();
    let whole = texts.join(" ");
    let mut is_kept = state.is_special
        || texts.len() > 1 && (whole.contains(", )") || whole.contains(", ]") || whole.contains(", }"));
    is_kept |= whole.starts_with("import ") || whole.starts_with("from ");
    if is_kept {
        return None;
    }
    let first = group.iter().find_map(|(_, span)| *span);
    let last = group.iter().rev().find_map(|(_, span)| *span);
    let span = first.zip(last).map(|(first, last)| Span { start: first.start, end: last.end });
    let mut out = Vec::new();
    for (deeper, line) in spaced(&whole)? {
        broken(4 * (level + deeper), &line, &mut out);
    }
    Some(out.into_iter().map(|line| (line, span)).collect())
}

/// A statement as it is, at another indentation: text inside of quotes stays where it is.
fn moved(group: &[Placed], state: &State, (indent, level): (usize, usize)) -> Vec<Placed> {
    let is_text = state.is_special && group.iter().any(|(line, _)| line.contains("\"\"\"") || line.contains("'''"));
    let place = |(at, (line, span)): (usize, &Placed)| {
        let own = line.len() - line.trim_start().len();
        if is_text && at > 0 || line.trim().is_empty() {
            return (line.clone(), *span);
        }
        let pad = (4 * level + own).saturating_sub(indent);
        (format!("{}{}", " ".repeat(pad), line.trim()), *span)
    };
    group.iter().enumerate().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::tidied;

    fn text(lines: &str) -> String {
        let lines: Vec<_> = lines.lines().map(|line| (line.to_owned(), None)).collect();
        tidied(&lines).into_iter().map(|(line, _)| line + "\n").collect()
    }

    #[test]
    fn definitions_stand_apart() {
        let before =
            "import jax\n@jax.jit\nclass A:\n  x = 1\n  def f(self): return self.x\n\n\n\n  y = 2\nA()\n\n\n\nB = 1\n";
        let after = "import jax\n\n\n@jax.jit\nclass A:\n    x = 1\n\n    def f(self):\n        return self.x\n\n    y = 2\n\n\nA()\n\n\nB = 1\n";
        assert_eq!(text(before), after);
    }

    #[test]
    fn statements_over_several_lines_are_laid_out_anew() {
        let before = "x = f(a,\n      b)\ny = g(\n    a,\n    b,\n)\n";
        assert_eq!(text(before), "x = f(a, b)\ny = g(\n    a,\n    b,\n)\n");
        let comment = "x = f(  # one\n  a)\n";
        assert_eq!(text(comment), comment);
        let said = "def f():\n  \"\"\"One\n  two\"\"\"\n  return 1\n";
        assert_eq!(text(said), "def f():\n    \"\"\"One\n  two\"\"\"\n    return 1\n");
    }
}
