//! Lines that are too long, broken as formatters break them.

/// So many columns a line has.
const WIDTH: usize = 88;

/// A line at an indentation, broken where it is too long.
pub(super) fn broken(indent: usize, line: &str, out: &mut Vec<String>) {
    fit(indent, line, "", out);
}

fn fit(indent: usize, line: &str, end: &str, out: &mut Vec<String>) {
    let pad = " ".repeat(indent);
    if indent + line.chars().count() + end.len() <= WIDTH || line.starts_with('#') {
        out.push(format!("{pad}{line}{end}"));
        return;
    }
    if let Some(result) = line.strip_prefix("return ") {
        let parts = split(result);
        if parts.len() > 1 {
            out.push(format!("{pad}return ("));
            for part in parts {
                fit(indent + 4, part, ",", out);
            }
            out.push(format!("{pad})"));
            return;
        }
    }
    let Some((open, close)) = bracket(indent, line) else {
        out.push(format!("{pad}{line}{end}"));
        return;
    };
    let (head, inner, tail) = (&line[..=open], &line[open + 1..close], &line[close..]);
    let parts = split(inner);
    if inner.is_empty() || parts.is_empty() {
        out.push(format!("{pad}{line}{end}"));
        return;
    }
    out.push(format!("{pad}{head}"));
    // A tuple of one keeps its comma, a single line of arguments has none.
    let together = inner.trim_end_matches(',');
    let is_call = head.ends_with('(') && head.len() > 1 && !head.ends_with(" (") && !head.ends_with("((");
    if is_call && indent + 4 + together.chars().count() <= WIDTH {
        out.push(format!("{pad}    {together}"));
    } else if let [part] = &parts[..]
        && (head.ends_with('(') && (is_call || !inner.ends_with(',')) || is_subscript(head))
    {
        // Parentheses around one expression are no tuple.
        fit(indent + 4, part, "", out);
    } else {
        for part in parts {
            fit(indent + 4, part, ",", out);
        }
    }
    fit(indent, tail, end, out);
}

/// Whether the bracket at the end of this subscripts what is before it.
fn is_subscript(head: &str) -> bool {
    let before = head.strip_suffix('[');
    before.is_some_and(|before| before.ends_with(|c: char| c.is_alphanumeric() || "_])}".contains(c)))
}

/// The bracket at the outermost level that is broken: the first one behind which the line does not fit up to where the next one opens.
fn bracket(indent: usize, line: &str) -> Option<(usize, usize)> {
    let mut stack = Vec::new();
    let mut found: Vec<(usize, usize)> = Vec::new();
    scan(line, |at, c| match c {
        '(' | '[' | '{' => stack.push(at),
        ')' | ']' | '}' => {
            if let Some(open) = stack.pop()
                && stack.is_empty()
                && at > open + 1
                && !(c == ']' && line[..open].ends_with(|c: char| c.is_alphanumeric() || "_])".contains(c)))
            {
                found.push((open, at));
            }
        }
        _ => {}
    });
    let fits = |end: usize| indent + line[..end].chars().count() <= WIDTH;
    let first = found.windows(2).find(|pair| !fits(pair[1].0 + 1)).map(|pair| pair[0]);
    first.or(found.last().copied())
}

/// The parts between commas.
fn split(inner: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0usize, 0, Vec::new());
    // Commas between the parameters of a function without a name.
    let mut lambdas = 0usize;
    scan(inner, |at, c| match c {
        '(' | '[' | '{' => depth += 1,
        ')' | ']' | '}' => depth = depth.saturating_sub(1),
        'l' if depth == 0 && is_lambda(inner, at) => lambdas += 1,
        ':' if depth == 0 => lambdas = lambdas.saturating_sub(1),
        ',' if depth == 0 && lambdas == 0 => {
            parts.push(inner[from..at].trim());
            from = at + 1;
        }
        _ => {}
    });
    let last = inner[from..].trim();
    if !last.is_empty() {
        parts.push(last);
    }
    parts
}

/// Whether a function without a name begins here.
fn is_lambda(text: &str, at: usize) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let rest = text[at..].strip_prefix("lambda");
    rest.is_some_and(|rest| !rest.starts_with(word)) && !text[..at].ends_with(word)
}

/// Calls back for each character outside of strings.
fn scan(text: &str, mut see: impl FnMut(usize, char)) {
    let (mut quote, mut escaped) = (None, false);
    for (at, c) in text.char_indices() {
        match quote {
            Some(q) => {
                if c == q && !escaped {
                    quote = None;
                }
                escaped = c == '\\' && !escaped;
            }
            None if c == '"' || c == '\'' => quote = Some(c),
            None => see(at, c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::broken;

    #[test]
    fn long_calls_are_broken_at_their_last_bracket() {
        let mut out = Vec::new();
        let long = "a".repeat(50);
        broken(0, &format!("x = jnp.add({long}, {long})"), &mut out);
        assert_eq!(out, ["x = jnp.add(".to_owned(), format!("    {long},"), format!("    {long},"), ")".to_owned()]);
    }

    #[test]
    fn arguments_that_fit_stay_together() {
        let mut out = Vec::new();
        let long = "a".repeat(39);
        broken(0, &format!("x = jnp.add({long}, {long})"), &mut out);
        assert_eq!(out, ["x = jnp.add(".to_owned(), format!("    {long}, {long}"), ")".to_owned()]);
    }

    #[test]
    fn the_bracket_that_is_too_long_is_broken() {
        let mut out = Vec::new();
        let long = "a".repeat(60);
        broken(0, &format!("jax.jit(jax.vmap({long}), static_argnums={long})(x)"), &mut out);
        let expected = ["jax.jit(", &format!("    jax.vmap({long}),"), &format!("    static_argnums={long},"), ")(x)"];
        assert_eq!(out, expected);
    }

    #[test]
    fn commas_between_parameters_divide_nothing() {
        assert_eq!(super::split("lambda p, g: p, x, lambda: 1"), ["lambda p, g: p", "x", "lambda: 1"]);
    }

    #[test]
    fn parentheses_around_one_expression_are_no_tuple() {
        let mut out = Vec::new();
        broken(0, &format!("x = y / ({} + 1)", "b".repeat(90)), &mut out);
        assert_eq!(out, ["x = y / (".to_owned(), format!("    {} + 1", "b".repeat(90)), ")".to_owned()]);
    }

    #[test]
    fn brackets_in_strings_are_text() {
        let mut out = Vec::new();
        broken(0, &format!("raise ValueError(\"({}\")", "b".repeat(90)), &mut out);
        assert_eq!(out.len(), 3);
    }
}
