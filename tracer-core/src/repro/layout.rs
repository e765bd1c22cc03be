//! Lines that are too long, broken as formatters break them.

/// So many columns a line has.
pub(super) const WIDTH: usize = 88;

/// A line at an indentation, broken where it is too long.
pub(super) fn broken(indent: usize, line: &str, out: &mut Vec<String>) {
    let from = out.len();
    fit(indent, line, "", Around::Statement, out);
    if !line.ends_with(':') {
        fill(from, out);
    }
}

/// So many numbers, each on a line of its own, are written beside each other.
const MANY: usize = 8;

/// What keeps formatters from writing them below each other again.
const SKIP: &str = "  # fmt: skip";

/// Writes numbers beside each other that stand one to a line, in the lines from one on, which are a statement.
fn fill(from: usize, out: &mut Vec<String>) {
    let lines = out.split_off(from);
    let mut rest = &lines[..];
    let mut is_filled = false;
    while let Some(first) = rest.first() {
        let run = rest.iter().take_while(|line| indent_of(line) == indent_of(first) && is_number(line)).count();
        let (numbers, behind) = rest.split_at(run.max(1));
        rest = behind;
        if run < MANY {
            out.extend(numbers.iter().cloned());
            continue;
        }
        is_filled = true;
        let pad = " ".repeat(indent_of(first));
        let mut filled = String::new();
        for number in numbers.iter().map(|line| line.trim_start()) {
            if !filled.is_empty() && pad.len() + filled.len() + 1 + number.len() > WIDTH {
                out.push(format!("{pad}{}", std::mem::take(&mut filled)));
            }
            if !filled.is_empty() {
                filled.push(' ');
            }
            filled.push_str(number);
        }
        out.push(format!("{pad}{filled}"));
    }
    if let (true, Some(last)) = (is_filled, out.last_mut()) {
        last.push_str(SKIP);
    }
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Whether there is nothing on a line but a number and a comma.
fn is_number(line: &str) -> bool {
    let Some(number) = line.trim_start().strip_suffix(',') else { return false };
    let is_digit = |c: char| c.is_ascii_digit() || ".+-ej".contains(c);
    let is_literal = number.starts_with(|c: char| c.is_ascii_digit() || c == '-') && number.chars().all(is_digit);
    is_literal || matches!(number, "True" | "False")
}

/// Where an expression stands: what is inside of brackets needs no parentheses of its own to go over several lines.
#[derive(Copy, Clone, PartialEq)]
enum Around {
    Statement,
    Brackets,
    /// A part of a chain of calls: it is not one itself.
    Link,
}

fn fit(indent: usize, line: &str, end: &str, around: Around, out: &mut Vec<String>) {
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
                fit(indent + 4, part, ",", Around::Brackets, out);
            }
            out.push(format!("{pad})"));
            return;
        }
    }
    if let Some(condition) = line.strip_prefix("if ").and_then(|rest| rest.strip_suffix(':')) {
        let parts = operands(condition);
        if parts.len() > 1 {
            out.push(format!("{pad}if ("));
            match indent + 4 + condition.chars().count() <= WIDTH {
                true => out.push(format!("{pad}    {condition}")),
                false => chain(indent + 4, "", &parts, "", out),
            }
            out.push(format!("{pad}):"));
            return;
        }
    }
    let (head, expression) = head_of(line);
    let targets = head.strip_suffix(" = ").map(split).unwrap_or_default();
    if targets.len() > 1 && indent + head.chars().count() + 1 > WIDTH {
        out.push(format!("{pad}("));
        out.extend(targets.into_iter().map(|target| format!("{pad}    {target},")));
        fit(indent, &format!(") = {expression}"), end, around, out);
        return;
    }
    let operands = operands(expression);
    let breaks = around != Around::Statement || operands.len() > 2 || !ends_in_call(indent, line, expression);
    let is_rest = line.starts_with([')', ']', '}']);
    let breaks = operands.len() > 1 && breaks && !is_rest;
    let before = match breaks && around == Around::Statement && operands.len() == 2 {
        true => early(indent, line),
        false => None,
    };
    if breaks && before.is_none() {
        match around {
            Around::Statement => {
                out.push(format!("{pad}{head}("));
                match indent + 4 + expression.chars().count() <= WIDTH {
                    true => out.push(format!("{pad}    {expression}")),
                    false => chain(indent + 4, "", &operands, "", out),
                }
                out.push(format!("{pad}){end}"));
            }
            Around::Brackets | Around::Link => chain(indent, head, &operands, end, out),
        }
        return;
    }
    let links = links(expression);
    let may_link = around == Around::Brackets || around == Around::Statement && !head.is_empty() && !is_rest;
    if links.len() > MOST_LINKS && may_link {
        match around {
            Around::Statement => {
                out.push(format!("{pad}{head}("));
                match indent + 4 + expression.chars().count() <= WIDTH {
                    true => out.push(format!("{pad}    {expression}")),
                    false => links.iter().for_each(|link| fit(indent + 4, link, "", Around::Link, out)),
                }
                out.push(format!("{pad}){end}"));
            }
            _ => {
                for (i, link) in links.iter().enumerate() {
                    let link = if i == 0 { format!("{head}{link}") } else { (*link).to_owned() };
                    fit(indent, &link, if i + 1 == links.len() { end } else { "" }, Around::Link, out);
                }
            }
        }
        return;
    }
    let Some((mut open, mut close)) = before.or_else(|| bracket(indent, line)) else {
        out.push(format!("{pad}{line}{end}"));
        return;
    };
    let is_late = indent + line[..=open].chars().count() > WIDTH;
    // What stands before a value is broken in its stead only where the value cannot stand on a line of its own.
    let is_target = open < head.len() && indent + head.chars().count() < WIDTH;
    if around == Around::Statement && is_target && indent + 4 + expression.chars().count() <= WIDTH {
        out.push(format!("{pad}{head}("));
        out.push(format!("{pad}    {expression}"));
        out.push(format!("{pad}){end}"));
        return;
    }
    if around == Around::Statement && is_late {
        // Subscripts before it are broken in its stead, or else the whole value stands on a line of its own.
        if let Some(before) = early(indent, line) {
            (open, close) = before;
        } else if !head.is_empty() && !is_rest && indent + 4 + expression.chars().count() <= WIDTH {
            out.push(format!("{pad}{head}("));
            out.push(format!("{pad}    {expression}"));
            out.push(format!("{pad}){end}"));
            return;
        }
    }
    let (head, inner, tail) = (&line[..=open], &line[open + 1..close], &line[close..]);
    let parts = split(inner);
    if inner.is_empty() || parts.is_empty() {
        out.push(format!("{pad}{line}{end}"));
        return;
    }
    out.push(format!("{pad}{head}"));
    // A tuple of one keeps its comma, a single line of arguments has none.
    let together = inner.trim_end_matches(',');
    let is_call = is_called(head);
    if is_call && indent + 4 + together.chars().count() <= WIDTH {
        out.push(format!("{pad}    {together}"));
    } else if let [part] = &parts[..]
        && (head.ends_with('(') && (is_call || !inner.ends_with(',')) || is_subscript(head))
    {
        // Parentheses around one expression are no tuple.
        fit(indent + 4, part, "", Around::Brackets, out);
    } else {
        for part in parts {
            fit(indent + 4, part, ",", Around::Brackets, out);
        }
    }
    fit(indent, tail, end, Around::Brackets, out);
}

/// A chain of more calls and subscripts stands below each other.
const MOST_LINKS: usize = 2;

/// The parts of a chain of calls and subscripts, each but the first with the member that it begins with (`x[0]`, `.at[i]`, `.set(y)`); nothing of
/// other expressions.
fn links(expression: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts, mut is_chain) = (0usize, 0, Vec::new(), true);
    scan(expression, |at, c| match c {
        '(' | '[' | '{' => depth += 1,
        ')' | ']' | '}' => depth = depth.saturating_sub(1),
        '.' if depth == 0 && expression[..at].ends_with([')', ']']) => {
            parts.push(&expression[from..at]);
            from = at;
        }
        ' ' | ',' | ':' | '=' | '-' if depth == 0 => is_chain = false,
        _ => {}
    });
    parts.push(&expression[from..]);
    if is_chain { parts } else { Vec::new() }
}

/// What stands before the expression of a statement or an argument (`x = `, `return `, `axis=`), and the expression.
fn head_of(line: &str) -> (&str, &str) {
    let mut depth = 0usize;
    let mut at = None;
    scan(line, |i, c| match c {
        '(' | '[' | '{' => depth += 1,
        ')' | ']' | '}' => depth = depth.saturating_sub(1),
        '=' if depth == 0 && at.is_none() => {
            let (before, after) = (&line[..i], &line[i + 1..]);
            let is_comparison = after.starts_with('=') || before.ends_with(['=', '!', '<', '>']);
            if !is_comparison {
                at = Some(i + 1 + usize::from(after.starts_with(' ')));
            }
        }
        _ => {}
    });
    match line.strip_prefix("return ") {
        Some(rest) => ("return ", rest),
        None => line.split_at(at.unwrap_or(0)),
    }
}

/// Operators, those that hold together least first.
const OPERATORS: [&[&str]; 9] = [
    &["or"],
    &["and"],
    &["==", "!=", "<", "<=", ">", ">="],
    &["|"],
    &["^"],
    &["&"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "//", "%", "@"],
];

/// The parts of an expression between the operators that hold it together least, each but the first with its operator; the whole
/// expression where there are none.
fn operands(expression: &str) -> Vec<&str> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let (mut depth, mut before) = (0usize, None);
    scan(expression, |at, c| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            // Operators of two operands stand between spaces.
            ' ' if depth == 0 => {
                if let Some(from) = before.replace(at + 1) {
                    let word = &expression[from..at];
                    if let Some(level) = OPERATORS.iter().position(|level| level.contains(&word)) {
                        found.push((level, from));
                    }
                }
            }
            _ => {}
        }
    });
    let least = found.iter().map(|(level, _)| *level).min();
    let is_function = expression.starts_with("lambda");
    let (mut parts, mut from) = (Vec::new(), 0);
    for (level, at) in found {
        if Some(level) == least && !is_function {
            parts.push(expression[from..at].trim_end());
            from = at;
        }
    }
    parts.push(&expression[from..]);
    parts
}

/// Whether the last thing in an expression is a call, and brackets can be broken in the stead of its operators.
fn ends_in_call(indent: usize, line: &str, expression: &str) -> bool {
    let mut stack = Vec::new();
    let mut last = None;
    scan(expression, |at, c| match c {
        '(' | '[' | '{' => stack.push(at),
        ')' | ']' | '}' => last = stack.pop().filter(|_| stack.is_empty()).map(|open| (open, at)).or(last),
        _ => {}
    });
    let Some((open, close)) = last else { return false };
    let fits = |open: usize| indent + line[..=open].chars().count() <= WIDTH;
    close + 1 == expression.len()
        && close > open + 1
        && !is_subscript(&expression[..=open])
        && bracket(indent, line).is_some_and(|(open, _)| fits(open))
}

/// Operands below each other, each with the operator before it.
fn chain(indent: usize, head: &str, operands: &[&str], end: &str, out: &mut Vec<String>) {
    for (i, operand) in operands.iter().enumerate() {
        let end = if i + 1 == operands.len() { end } else { "" };
        let operand = if i == 0 { format!("{head}{operand}") } else { (*operand).to_owned() };
        match indent + operand.chars().count() + end.len() <= WIDTH {
            true => out.push(format!("{}{operand}{end}", " ".repeat(indent))),
            false => {
                let (sign, rest) =
                    if i == 0 { ("", &*operand) } else { operand.split_once(' ').unwrap_or(("", &operand)) };
                let from = out.len();
                fit(indent, rest, end, Around::Brackets, out);
                if let (false, Some(first)) = (sign.is_empty(), out.get_mut(from)) {
                    first.insert_str(indent, &format!("{sign} "));
                }
            }
        }
    }
}

/// Whether the parenthesis at the end of this calls what is before it.
fn is_called(head: &str) -> bool {
    let before = head.strip_suffix('(');
    before.is_some_and(|before| before.ends_with(|c: char| c.is_alphanumeric() || "_])}".contains(c)))
}

/// Whether the bracket at the end of this subscripts what is before it.
fn is_subscript(head: &str) -> bool {
    let before = head.strip_suffix('[');
    before.is_some_and(|before| before.ends_with(|c: char| c.is_alphanumeric() || "_])}".contains(c)))
}

/// The bracket at the outermost level that is broken: the first one behind which the line does not fit up to where the next one opens; where all
/// are subscripts, the last of them that opens in time.
fn bracket(indent: usize, line: &str) -> Option<(usize, usize)> {
    let mut stack = Vec::new();
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut subscripts: Vec<(usize, usize)> = Vec::new();
    scan(line, |at, c| match c {
        '(' | '[' | '{' => stack.push(at),
        ')' | ']' | '}' => {
            if let Some(open) = stack.pop()
                && stack.is_empty()
                && at > open + 1
            {
                let is_item = c == ']' && line[..open].ends_with(|c: char| c.is_alphanumeric() || "_])".contains(c));
                if is_item { &mut subscripts } else { &mut found }.push((open, at));
            }
        }
        _ => {}
    });
    let fits = |end: usize| indent + line[..end].chars().count() <= WIDTH;
    let first = found.windows(2).find(|pair| !fits(pair[1].0 + 1)).map(|pair| pair[0]);
    first.or(found.last().copied()).or_else(|| subscripts.into_iter().rev().find(|(open, _)| fits(open + 1)))
}

/// Of a line that ends in a bracket which opens too late, the bracket before it, a subscript too, if what is behind it fits then.
fn early(indent: usize, line: &str) -> Option<(usize, usize)> {
    let mut stack = Vec::new();
    let mut found: Vec<(usize, usize)> = Vec::new();
    scan(line, |at, c| match c {
        '(' | '[' | '{' => stack.push(at),
        ')' | ']' | '}' => {
            found.extend(stack.pop().filter(|open| stack.is_empty() && at > open + 1).map(|open| (open, at)))
        }
        _ => {}
    });
    let (last, _) = found.last().filter(|(open, close)| close + 1 == line.len() && !is_subscript(&line[..=*open]))?;
    let fits = |end: usize| indent + line[..end].chars().count() <= WIDTH;
    if fits(last + 1) {
        return None;
    }
    let (open, close) = found.windows(2).find(|pair| !fits(pair[1].0 + 1)).map(|pair| pair[0])?;
    let rest = indent + line[close..].chars().count();
    (fits(open + 1) && rest <= WIDTH).then_some((open, close))
}

/// The parts between commas.
pub(super) fn split(inner: &str) -> Vec<&str> {
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
    fn what_is_assigned_stands_in_parentheses_where_its_bracket_opens_too_late() {
        let mut out = Vec::new();
        let long = "a".repeat(40);
        broken(0, &format!("{long}, {long} = jnp.split(y, 6)"), &mut out);
        assert_eq!(out, [format!("{long}, {long} = ("), "    jnp.split(y, 6)".to_owned(), ")".to_owned()]);
        out.clear();
        broken(0, &format!("{long}, {long}a, (b, c) = jnp.split(y, 6)"), &mut out);
        let targets = [format!("    {long},"), format!("    {long}a,"), "    (b, c),".to_owned()];
        let expected = [&["(".to_owned()], &targets[..], &[") = jnp.split(y, 6)".to_owned()]].concat();
        assert_eq!(out, expected);
    }

    #[test]
    fn subscripts_are_broken_where_the_call_behind_them_opens_too_late() {
        let mut out = Vec::new();
        let long = "a".repeat(40);
        broken(
            0,
            &format!("scale = params[\"{long}\"][\"encoder_0\"][\"scale\"][\"value\"].reshape([1, 32])"),
            &mut out,
        );
        let first = format!("scale = params[\"{long}\"][\"encoder_0\"][\"scale\"][");
        assert_eq!(out, [first, "    \"value\"".to_owned(), "].reshape([1, 32])".to_owned()]);
    }

    #[test]
    fn chains_of_calls_stand_below_each_other() {
        let mut out = Vec::new();
        let long = "a".repeat(40);
        broken(0, &format!("x = state[\"x\"].at[{long}].set({long})"), &mut out);
        let all = [
            "x = (".to_owned(),
            "    state[\"x\"]".to_owned(),
            format!("    .at[{long}]"),
            format!("    .set({long})"),
            ")".to_owned(),
        ];
        assert_eq!(out, all);
        out.clear();
        broken(0, &format!("{long}_ = state[\"x\"].at[i].set(f({long}))"), &mut out);
        let whole = format!("    state[\"x\"].at[i].set(f({long}))");
        assert_eq!(out, [format!("{long}_ = ("), whole, ")".to_owned()]);
        out.clear();
        broken(0, &format!("x = state.at[{long}].set({long})"), &mut out);
        assert_eq!(out, [format!("x = state.at[{long}].set("), format!("    {long}"), ")".to_owned()]);
    }

    #[test]
    fn a_value_stands_on_a_line_of_its_own_before_its_target_is_broken() {
        let mut out = Vec::new();
        let long = "a".repeat(50);
        broken(0, &format!("rules[{long}] = {long}"), &mut out);
        assert_eq!(out, [format!("rules[{long}] = ("), format!("    {long}"), ")".to_owned()]);
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
        assert_eq!(out, ["x = y / (", &format!("    {}", "b".repeat(90)), "    + 1", ")"]);
    }

    #[test]
    fn tuples_of_one_keep_their_comma() {
        for head in ["*", "axis=", "-"] {
            let mut out = Vec::new();
            broken(0, &format!("f({}, {head}([{}],))", "a".repeat(60), "b".repeat(90)), &mut out);
            let text = out.join("\n");
            assert!(text.contains(&format!("    {head}(\n")) && text.contains("],\n    )"), "{text}");
        }
    }

    #[test]
    fn operands_stand_below_each_other() {
        let (mut out, long) = (Vec::new(), "a".repeat(40));
        broken(0, &format!("x = {long}[0] * y + {long} * f(z) + b"), &mut out);
        let expected = ["x = (", &format!("    {long}[0] * y"), &format!("    + {long} * f(z)"), "    + b", ")"];
        assert_eq!(out, expected);
        out.clear();
        broken(0, &format!("x = {long}[0] + {long}[1]"), &mut out);
        assert_eq!(out, ["x = (", &format!("    {long}[0]"), &format!("    + {long}[1]"), ")"]);
        out.clear();
        broken(0, &format!("x = {long} + f({long}, {long})"), &mut out);
        assert_eq!(out, [format!("x = {long} + f("), format!("    {long}, {long}"), ")".to_owned()]);
        out.clear();
        broken(0, &format!("f({long}[0] * y + {long}[2], {long}, {long})"), &mut out);
        assert_eq!(out[1..3], [format!("    {long}[0] * y"), format!("    + {long}[2],")]);
    }

    #[test]
    fn subscripts_are_broken_before_a_bracket_that_opens_too_late() {
        let (mut out, long) = (Vec::new(), "a".repeat(60));
        broken(4, &format!("v = state[\"{long}\"][\"kernel\"] + -0.01 * (b + c)"), &mut out);
        let expected =
            [format!("    v = state[\"{long}\"]["), "        \"kernel\"".into(), "    ] + -0.01 * (b + c)".into()];
        assert_eq!(out, expected);
    }

    #[test]
    fn of_subscripts_alone_the_last_one_is_broken_that_opens_in_time() {
        let (mut out, long) = (Vec::new(), "a".repeat(60));
        broken(4, &format!("return state[\"{long}\"][\"kernel\"][\"scale\"]"), &mut out);
        let expected =
            [format!("    return state[\"{long}\"]["), "        \"kernel\"".into(), "    ][\"scale\"]".into()];
        assert_eq!(out, expected);
    }

    #[test]
    fn brackets_in_strings_are_text() {
        let mut out = Vec::new();
        broken(0, &format!("raise ValueError(\"({}\")", "b".repeat(90)), &mut out);
        assert_eq!(out.len(), 3);
    }
}
