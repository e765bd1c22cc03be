//! Names as a person would give them: a result that is only handed on needs none, and a value that takes the place of
//! another one takes its name.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Line;

/// What is known of the names of a body.
pub struct Names<'a> {
    /// Those that the program does not have.
    pub made_up: &'a BTreeSet<String>,
    /// Those that have a number since another value had the name.
    pub numbered: &'a BTreeSet<String>,
    /// Whether a variable may have a name that nothing in the body has.
    pub may: &'a dyn Fn(&str) -> bool,
}

/// Tidies the names of a body whose parameters have the names `params`.
pub fn tidied(mut lines: Vec<Line>, params: &[String], names: &Names) -> Vec<Line> {
    hand_on(&mut lines, names.made_up);
    as_wholes(&mut lines, names.made_up);
    rebind(&mut lines, params, names);
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

/// `a, b = f(x)` and `g((a, b))` are `a = f(x)` and `g(a)`, where the program has no names for the items and nothing asks for one of them.
fn as_wholes(lines: &mut [Line], made_up: &BTreeSet<String>) {
    for at in 0..lines.len() {
        let Some((targets, value)) = assigned(&lines[at].text) else { continue };
        let head = &lines[at].text[..lines[at].text.len() - value.len() - " = ".len()];
        let is_made_up = targets.len() > 1 && targets.iter().all(|target| made_up.contains(*target));
        if !is_made_up || head != targets.join(", ") {
            continue;
        }
        let (first, head, value) = (targets[0].to_owned(), head.to_owned(), value.to_owned());
        let targets: Vec<String> = targets.into_iter().map(str::to_owned).collect();
        let bare = format!("return {head}");
        let whole = format!("({head})");
        let is_call = |text: &str, at: usize| text[..at].ends_with(|c: char| c.is_alphanumeric() || "_)]".contains(c));
        let (mut wholes, mut uses) = (0, 0);
        for line in lines.iter() {
            words(&line.text, |word, _| uses += usize::from(targets.iter().any(|target| target == word)));
            wholes += usize::from(line.text == bare);
            wholes += line.text.match_indices(&whole).filter(|(at, _)| !is_call(&line.text, *at)).count();
        }
        if wholes == 0 || uses != targets.len() * (1 + wholes) {
            continue;
        }
        for line in lines.iter_mut() {
            if line.text == bare {
                line.text = format!("return {first}");
                continue;
            }
            while let Some((from, _)) = line.text.match_indices(&whole).find(|(at, _)| !is_call(&line.text, *at)) {
                line.text.replace_range(from..from + whole.len(), &first);
            }
        }
        lines[at].text = format!("{first} = {value}");
    }
}

/// Gives `x_1` the name `x` where nothing reads the value that has it any longer.
fn rebind(lines: &mut [Line], params: &[String], names: &Names) {
    let straight = straight(lines);
    let mut pinned = pinned(lines, &straight);
    let inner = Inner::of(lines, &straight);
    let bare = |param: &String| param.trim_start_matches('*').split('=').next().unwrap_or_default().to_owned();
    let params: FxHashSet<String> = params.iter().map(bare).collect();
    let mut made: FxHashMap<String, usize> = FxHashMap::default();
    for (line, _) in lines.iter().zip(&*straight).filter(|(_, straight)| **straight) {
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
    // Names that nothing reads behind a line, and those that are free there: numbers by what they number.
    let mut ends: Vec<Vec<String>> = vec![Vec::new(); lines.len()];
    for (name, at) in &last {
        ends[*at].push(name.clone());
    }
    let mut free: FxHashMap<String, BTreeSet<usize>> = FxHashMap::default();
    let mut bound: FxHashSet<String> = FxHashSet::default();
    let give_back = |name: &str, free: &mut FxHashMap<String, BTreeSet<usize>>| {
        let (base, number) = numbered(name).unwrap_or((name, 0));
        free.entry(base.to_owned()).or_default().insert(number);
    };
    for param in &params {
        match pinned.contains(param) {
            true => {}
            false if last.contains_key(param) => _ = bound.insert(param.clone()),
            false => give_back(param, &mut free),
        }
    }
    for at in 0..lines.len() {
        for name in std::mem::take(&mut ends[at]) {
            if last.get(&name) == Some(&at) && bound.contains(&name) {
                give_back(&name, &mut free);
            }
        }
        if !straight[at] {
            continue;
        }
        let Some((targets, _)) = assigned(&lines[at].text) else { continue };
        let targets: Vec<String> = targets.into_iter().map(str::to_owned).collect();
        let mut unread = Vec::new();
        for target in &targets {
            let mut name = target.clone();
            if let Some((base, number)) = numbered(target).filter(|_| names.numbered.contains(target))
                && made.get(target) == Some(&1)
                && (!pinned.contains(target) || inner.reads(target, at))
                && let Some(numbers) = free.get_mut(base)
                && let Some(first) = numbers.range(..number).copied().find(|n| !targets.contains(&spelled(base, *n)))
            {
                numbers.remove(&first);
                name = spelled(base, first);
                let until = last.remove(target).unwrap_or(at);
                for line in &mut lines[at..=until] {
                    line.text = renamed_line(&line.text, |word| (word == target).then_some(name.as_str()));
                }
                last.insert(name.clone(), until);
                ends[until].push(name.clone());
                // What a function inside reads from now on keeps its name to itself.
                if pinned.remove(target) {
                    pinned.insert(name.clone());
                    bound.remove(&name);
                }
            }
            if pinned.contains(&name) {
                continue;
            }
            if last.get(&name) == Some(&at) {
                unread.push(name.clone());
            }
            bound.insert(name);
        }
        unread.iter().for_each(|name| give_back(name, &mut free));
    }
    let inner = Inner::of(lines, &straight);
    pinned.retain(|name| !inner.reads(name, 0));
    renumber(lines, &straight, (&params, &pinned), names);
}

/// Gives parameters the names back that the program has for them, where nothing in the body has those: what had them stands in a body
/// around it, out of which it was lifted. `renamed` are the names of the program and those that they were given.
pub fn restore(
    lines: &mut [Line],
    params: &mut [String],
    renamed: &mut Vec<(String, String)>,
    may: &dyn Fn(&str) -> bool,
) {
    let mut seen: FxHashSet<String> = FxHashSet::default();
    for text in lines.iter().map(|line| &line.text).chain(params.iter()) {
        words(text, |word, _| _ = seen.insert(word.to_owned()));
    }
    let pinned = pinned(lines, &straight(lines));
    renamed.retain(|(name, given)| {
        if seen.contains(name) || pinned.contains(given) || !may(name) {
            return true;
        }
        let name_of = |word: &str| (word == given).then_some(name.as_str());
        for line in lines.iter_mut() {
            line.text = renamed_line(&line.text, name_of);
        }
        for param in params.iter_mut() {
            *param = renamed_line(param, name_of);
        }
        seen.insert(name.clone());
        false
    });
}

/// Leaves no number out: `x_4` beside `x_1` is `x_2`.
fn renumber(
    lines: &mut [Line],
    straight: &[bool],
    (params, pinned): (&FxHashSet<String>, &FxHashSet<String>),
    known: &Names,
) {
    let mut made: Vec<String> = Vec::new();
    for (line, _) in lines.iter().zip(straight).filter(|(_, straight)| **straight) {
        for target in assigned(&line.text).map(|(targets, _)| targets).unwrap_or_default() {
            if known.numbered.contains(target) && !pinned.contains(target) && !params.contains(target) {
                made.push(target.to_owned());
            }
        }
    }
    let mut left: FxHashSet<String> = made.iter().cloned().collect();
    let mut others: FxHashSet<String> = params.clone();
    for line in lines.iter() {
        words(&line.text, |word, _| {
            if !left.contains(word) {
                others.insert(word.to_owned());
            }
        });
    }
    let mut names: FxHashMap<String, String> = FxHashMap::default();
    let mut next: FxHashMap<String, usize> = FxHashMap::default();
    for name in made {
        let Some((base, _)) = numbered(&name) else { continue };
        if !left.remove(&name) {
            continue;
        }
        let next = next.entry(base.to_owned()).or_insert_with(|| usize::from(!(known.may)(base)));
        while others.contains(&spelled(base, *next)) {
            *next += 1;
        }
        names.insert(name.clone(), spelled(base, *next));
        *next += 1;
    }
    if names.iter().all(|(from, to)| from == to) {
        return;
    }
    for line in lines.iter_mut() {
        line.text = renamed_line(&line.text, |word| names.get(word).map(String::as_str));
    }
}

/// Which lines are done once, in their order: those of the body itself, and of contexts.
fn straight(lines: &[Line]) -> Vec<bool> {
    let mut around: Vec<(usize, bool)> = Vec::new();
    let mut straight = Vec::with_capacity(lines.len());
    for line in lines {
        around.retain(|(indent, _)| *indent < line.indent);
        straight.push(around.iter().all(|(_, is_context)| *is_context));
        if line.text.ends_with(':') {
            around.push((line.indent, line.text.starts_with("with ")));
        }
    }
    straight
}

/// What functions inside read may be read whenever they are called, and what stands under a condition may not be made: names of both
/// stay.
fn pinned(lines: &[Line], straight: &[bool]) -> FxHashSet<String> {
    let mut pinned: FxHashSet<String> = FxHashSet::default();
    for (line, straight) in lines.iter().zip(straight) {
        if *straight && let Some(params) = params_of_map(&line.text) {
            pinned.extend(params);
        } else if *straight && let Some(names) = names_of_lambdas(&line.text) {
            pinned.extend(names);
        } else if !straight || !is_plain(&line.text) {
            words(&line.text, |word, _| {
                pinned.insert(word.to_owned());
            });
        }
    }
    pinned
}

/// What functions inside of a body, and what stands under conditions, do with names.
#[derive(Default)]
struct Inner {
    /// The first line that has a name there.
    first: FxHashMap<String, usize>,
    /// Names that are given a value there.
    bound: FxHashSet<String>,
}

impl Inner {
    fn of(lines: &[Line], straight: &[bool]) -> Inner {
        let mut inner = Inner::default();
        for (at, (line, straight)) in lines.iter().zip(straight).enumerate() {
            let text = line.text.as_str();
            if *straight && is_plain(text) {
                continue;
            }
            let mut lambdas = Vec::new();
            let mut is_other = text.contains('\n') || text.contains(":=") || text.starts_with('@');
            is_other |= text.ends_with(':') && !text.starts_with("if ");
            words(text, |word, from| {
                inner.first.entry(word.to_owned()).or_insert(at);
                match word {
                    "lambda" => lambdas.push(from),
                    "for" | "del" | "nonlocal" | "global" | "import" | "as" => is_other = true,
                    _ => {}
                }
            });
            let mut bind = |text: &str| words(text, |word, _| _ = inner.bound.insert(word.to_owned()));
            if is_other {
                bind(text);
                continue;
            }
            for from in lambdas {
                bind(text[from..].split_once(':').map_or(&text[from..], |(head, _)| head));
            }
            if let (false, Some((targets, _))) = (straight, assigned(text)) {
                targets.into_iter().for_each(bind);
            }
        }
        inner
    }

    /// Whether a name of the body is only read there, and not above a line.
    fn reads(&self, name: &str, at: usize) -> bool {
        self.first.get(name).is_some_and(|first| *first >= at) && !self.bound.contains(name)
    }
}

/// `x_1` of `x` and 1.
fn spelled(base: &str, number: usize) -> String {
    match number {
        0 => base.to_owned(),
        _ => format!("{base}_{number}"),
    }
}

/// `x` and 1 of `x_1`.
fn numbered(name: &str) -> Option<(&str, usize)> {
    let (base, number) = name.rsplit_once('_')?;
    match !base.is_empty() && !number.starts_with('0') && number.bytes().all(|b| b.is_ascii_digit()) {
        true => Some((base, number.parse().ok()?)),
        false => None,
    }
}

/// Whether a line is a statement that is done when the next one begins, and holds no function of its own.
fn is_plain(text: &str) -> bool {
    let is_header = text.ends_with(':') && !text.starts_with("with ");
    let mut plain = !text.contains('\n') && !is_header && !text.starts_with('@');
    words(text, |word, _| plain &= !matches!(word, "lambda" | "for" | "del" | "nonlocal" | "global" | "import"));
    plain
}

/// The names in the `lambda`s of a statement that is plain but for them; `None` for other statements.
fn names_of_lambdas(text: &str) -> Option<Vec<String>> {
    // Where a `lambda` begins, and how deep that is in brackets.
    let mut extents: Vec<(usize, usize)> = Vec::new();
    let mut is_plain = !text.contains('\n') && !text.ends_with(':') && !text.starts_with('@');
    words(text, |word, at| match word {
        "lambda" => extents.push((at, end_of_lambda(text, at))),
        "for" | "del" | "nonlocal" | "global" | "import" => is_plain = false,
        _ => {}
    });
    let mut names = Vec::new();
    words(text, |word, at| {
        if extents.iter().any(|(from, to)| (*from..*to).contains(&at)) {
            names.push(word.to_owned());
        }
    });
    (is_plain && !extents.is_empty()).then_some(names)
}

/// Where a `lambda` ends: at a comma behind its colon, or at the bracket that it stands in.
fn end_of_lambda(text: &str, from: usize) -> usize {
    let (mut depth, mut is_body, mut quote) = (0usize, false, None);
    let mut chars = text[from..].char_indices();
    while let Some((at, c)) = chars.next() {
        match (quote, c) {
            (Some(_), '\\') => _ = chars.next(),
            (Some(open), _) => quote = quote.filter(|_| c != open),
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') if depth == 0 => return from + at,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 && is_body => return from + at,
            (None, ':') if depth == 0 => is_body = true,
            _ => {}
        }
    }
    text.len()
}

/// The parameters of the functions in a map over trees, which calls them at once: other names in it may be taken anew behind it. `None` for
/// other statements.
fn params_of_map(text: &str) -> Option<Vec<String>> {
    let value = assigned(text).map(|(_, value)| value).or_else(|| text.strip_prefix("return "))?;
    let (callee, _) = value.split_once('(')?;
    let mut params = Vec::new();
    let mut is_map = (callee.ends_with("tree.map") || callee.ends_with("tree_map")) && !text.contains('\n');
    words(text, |word, at| match word {
        "lambda" => match text[at..].split_once(':') {
            Some((head, _)) if !head.contains(['=', '(', '*']) => {
                params.extend(head["lambda".len()..].split(',').map(|name| name.trim().to_owned()));
            }
            _ => is_map = false,
        },
        "for" => is_map = false,
        _ => {}
    });
    is_map.then_some(params)
}

/// The targets of an assignment and its value; `None` for another statement.
fn assigned(text: &str) -> Option<(Vec<&str>, &str)> {
    let (targets, value) = text.split_once(" = ")?;
    let targets: Vec<&str> = targets.split([',', '(', ')']).map(str::trim).collect();
    let targets: Vec<&str> = targets.into_iter().filter(|target| !target.is_empty()).collect();
    let is_name = |name: &&str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (!targets.is_empty() && targets.iter().all(is_name)).then_some((targets, value))
}

/// A line with other names.
pub fn renamed_line<'a>(text: &str, name: impl Fn(&str) -> Option<&'a str>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    words(text, |word, at| {
        if let Some(name) = name(word) {
            out.push_str(&text[done..at]);
            out.push_str(name);
            done = at + word.len();
        }
    });
    out.push_str(&text[done..]);
    out
}

/// Calls back for each name in a line, with its place: not for texts, attributes, and names of arguments.
pub fn words(text: &str, mut found: impl FnMut(&str, usize)) {
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
        let lines: Vec<Line> = lines.collect();
        let mut ours = BTreeSet::new();
        for line in &lines {
            words(&line.text, |word, _| _ = numbered(word).is_some().then(|| ours.insert(word.to_owned())));
        }
        let lines =
            tidied(lines, &params, &Names { made_up: &made_up, numbered: &ours, may: &|name| name != "lambda" });
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
    fn no_number_is_left_out() {
        let text = "v_3 = f(x)\nv_7 = g(x)\nv_9 = h(v_3)\nreturn v_9 + v_7\n";
        assert_eq!(tidy(text, &["x"], &[]), "v = f(x)\nv_1 = g(x)\nv = h(v)\nreturn v + v_1\n");
        let text = "v_3 = f(x)\nv_1 = g(v_3)\nreturn v_1, v_3\n";
        assert_eq!(tidy(text, &["x"], &[]), "v = f(x)\nv_1 = g(v)\nreturn v_1, v\n");
        // `v_1` is another one's.
        let text = "v_3 = f(v, v_1)\nreturn v_3 + v_1 + v\n";
        assert_eq!(tidy(text, &["x"], &[]), "v_2 = f(v, v_1)\nreturn v_2 + v_1 + v\n");
        let text = "v_2 = f(x)\nreturn v_2, v_1, v\n";
        assert_eq!(tidy(text, &["x", "v_1", "v"], &[]), text);
        assert_eq!(tidy("lambda_3 = f(x)\nreturn lambda_3\n", &["x"], &[]), "lambda_1 = f(x)\nreturn lambda_1\n");
    }

    #[test]
    fn parameters_have_their_names_where_nothing_else_has() {
        let mut lines = vec![Line::new(0, "return x_1 + f(x_1, x=y_1)", None)];
        let mut params = vec!["x_1".to_owned(), "*y_1".to_owned(), "z_1=2".to_owned()];
        let renamed = [("x", "x_1"), ("y", "y_1"), ("z", "z_1")];
        let mut renamed: Vec<_> = renamed.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        restore(&mut lines, &mut params, &mut renamed, &|name| name != "z");
        assert_eq!(lines[0].text, "return x + f(x, x=y)");
        assert_eq!(params, ["x", "*y", "z_1=2"]);
        assert_eq!(renamed, [("z".to_owned(), "z_1".to_owned())]);
    }

    #[test]
    fn numbers_of_the_program_stay() {
        let line = |text: &str| Line::new(0, text, None);
        let lines = vec![line("x_2 = f(x)"), line("x_4 = g(x_2)"), line("return x_4")];
        let ours = BTreeSet::from(["x_4".to_owned()]);
        let names = Names { made_up: &BTreeSet::new(), numbered: &ours, may: &|_| true };
        let tidy = tidied(lines, &["x".to_owned()], &names);
        let texts: Vec<&str> = tidy.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["x_2 = f(x)", "x = g(x_2)", "return x"]);
    }

    #[test]
    fn targets_inside_of_targets_have_names() {
        let text = "(x_1, h_2), g = f(x)\nh_3 = k(h_2)\nreturn x_1, h_3, g\n";
        assert_eq!(tidy(text, &["x"], &[]), "(x, h), g = f(x)\nh = k(h)\nreturn x, h, g\n");
    }

    #[test]
    fn what_functions_inside_read_keeps_its_name() {
        let text = "def body(c):\n    return c + x\nx_1 = x * 2\nreturn scan(body, x_1)\n";
        assert_eq!(tidy(text, &["x"], &[]), text);
        let text = "f = lambda y: y + x\nx_1 = x * 2\nreturn f(x_1)\n";
        assert_eq!(tidy(text, &["x"], &[]), text);
        let text = "x_1 = cond(p, lambda y: (y, \":\"), lambda: g(x, p), x)\nreturn f(x_1)\n";
        assert_eq!(tidy(text, &["x"], &[]), text);
        let text = "x_1 = x * 2\ndef body(c):\n    return c + x_1 + x\nreturn scan(body, x_1)\n";
        assert_eq!(tidy(text, &["x"], &[]), text);
    }

    #[test]
    fn what_functions_inside_read_may_have_the_name_of_what_is_gone() {
        let text = "x_1 = x * 2\ndef body(c):\n    return c + x_1\nx_2 = f(body, x_1)\nreturn x_2\n";
        let tidied = "x = x * 2\ndef body(c):\n    return c + x\nx_1 = f(body, x)\nreturn x_1\n";
        assert_eq!(tidy(text, &["x"], &[]), tidied);
        let text = "x_1 = x * 2\nif c:\n    y = lambda c: (c, x_1)\nreturn y\n";
        assert_eq!(tidy(text, &["x"], &[]), text.replace("x_1", "x"));
        // Another value has the name there.
        for text in [
            "x_1 = x * 2\ndef body(x):\n    return x + x_1\nreturn scan(body, x_1)\n",
            "def body(c):\n    return c + x_1\nx_1 = x * 2\nreturn scan(body, x_1)\n",
            "x_1 = x * 2\ndef body(x_1):\n    return x_1\nreturn scan(body, x_1)\n",
            "x_1 = x * 2\ndef body(c):\n    return [x_1 for x_1 in c]\nreturn scan(body, x_1)\n",
        ] {
            assert_eq!(tidy(text, &["x"], &[]), text);
        }
        let text = "v_3 = f(x)\ndef body(c):\n    return c + v_3\nv_7 = g(body)\nreturn v_7\n";
        assert_eq!(tidy(text, &["x"], &[]), "v = f(x)\ndef body(c):\n    return c + v\nv_1 = g(body)\nreturn v_1\n");
    }

    #[test]
    fn what_stands_beside_functions_may_be_taken_anew() {
        let text = "c_1 = cond(x.sum() > 0, act, lambda y: (y, 1), c)\nreturn c_1, c_1.sum()\n";
        let tidied = "c = cond(x.sum() > 0, act, lambda y: (y, 1), c)\nreturn c, c.sum()\n";
        assert_eq!(tidy(text, &["c", "x"], &[]), tidied);
        let text = "c_1 = f(lambda c: c + x, c)\nreturn c_1\n";
        assert_eq!(tidy(text, &["c", "x"], &[]), text);
    }

    #[test]
    fn contexts_are_part_of_the_body() {
        let text = "with a(x):\n    with b:\n        x_1 = x * 2\n    x_2 = f(x_1)\nx_3 = g(x_2)\nreturn x_3\n";
        let tidied = "with a(x):\n    with b:\n        x = x * 2\n    x = f(x)\nx = g(x)\nreturn x\n";
        assert_eq!(tidy(text, &["x"], &[]), tidied);
        let text = "with a:\n    def f(y):\n        return y + x\n    x_1 = g(f, x)\nreturn x_1\n";
        assert_eq!(tidy(text, &["x"], &[]), text);
    }

    #[test]
    fn names_of_nothing_and_of_texts_stay() {
        let text = "x_1 = f(\"x_1\", y.x, x=y)\nreturn x_1\n";
        assert_eq!(tidy(text, &["y"], &[]), "x = f(\"x_1\", y.x, x=y)\nreturn x\n");
        assert_eq!(tidy("x_1 = f(\"x_1\", x)\nreturn x_1\n", &["x"], &[]), "x = f(\"x_1\", x)\nreturn x\n");
    }

    #[test]
    fn what_is_only_handed_on_has_no_name() {
        let text = "scan, scan_1 = f(x)\nreturn scan, scan_1\n";
        assert_eq!(tidy(text, &["x"], &["scan", "scan_1"]), "return f(x)\n");
        assert_eq!(tidy(text, &["x"], &["scan"]), text);
        let text = "a, b = f(x)\nreturn b, a\n";
        assert_eq!(tidy(text, &["x"], &["a", "b"]), text);
        let text = "v, v_1 = f(x)\ny = g((v, v_1), 2)\nreturn y, (v, v_1)\n";
        assert_eq!(tidy(text, &["x"], &["v", "v_1"]), "v = f(x)\ny = g(v, 2)\nreturn y, v\n");
        let text = "v, v_1 = f(x)\ny = g(v, v_1)\nreturn y\n";
        assert_eq!(tidy(text, &["x"], &["v", "v_1"]), text);
        let text = "v, v_1 = f(x)\ny = 1\nreturn (v, v_1), v\n";
        assert_eq!(tidy(text, &["x"], &["v", "v_1"]), text);
        let text = "(one,) = f(x)\nreturn (one,)\n";
        assert_eq!(tidy(text, &["x"], &["one"]), "return f(x)\n");
    }
}
