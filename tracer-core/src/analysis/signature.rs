//! What is said of the arguments of a function that nothing calls: in a comment, or by annotations.
//!
//! ```python
//! # jitlens: x: f32[8,128], mode: "fast"
//! @jax.jit
//! def f(x, mode, y: Float[Array, "8 n"]): ...
//! ```
//!
//! A type makes an array, everything else has to be a Python literal; tuples, lists and dicts with texts as keys hold both
//! (`{"w": f32[8,2], "b": (f32[2], 3)}`). Names in front may be left out in the order of the
//! parameters. Sizes may be symbols, and sums, products and quotients of them (`3*k`).

use super::sizes::{is_name, size};
use crate::array::{Aval, DType, KeyImpl};
use crate::module::{Code, Const};
use crate::text::Span;

/// What an argument is.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// An array of this type.
    Array(Aval),
    /// A Python literal.
    Literal(Const),
    /// A tuple.
    Tuple(Vec<Given>),
    /// A list.
    List(Vec<Given>),
    /// A dict.
    Dict(Vec<(String, Given)>),
}

/// Arguments by the names of their parameters.
pub type Signature = Vec<(String, Given)>;

/// The signature in the comments above a definition (and above its decorators) or behind its first line.
pub fn commented(text: &str, code: &Code) -> Option<Signature> {
    Some(parse(comment(text, code)?, code))
}

/// The text of that comment.
fn comment<'t>(text: &'t str, code: &Code) -> Option<&'t str> {
    let start = code.span.start as usize;
    let line_start = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
    let own = text[start..].lines().next().unwrap_or_default();
    let above = text[..line_start].lines().rev().take_while(|line| {
        let line = line.trim_start();
        line.starts_with('#') || line.starts_with('@')
    });
    let mut specs = std::iter::once(own).chain(above).filter_map(|line| Some(line.split_once("# jitlens:")?.1));
    specs.find(|spec| !spec.trim_start().starts_with("ignore")).map(without_remark)
}

/// The text until a further `#` outside of quotes.
fn without_remark(spec: &str) -> &str {
    let mut quote = None;
    for (at, c) in spec.char_indices() {
        match (quote, c) {
            (Some(q), _) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '#') => return &spec[..at],
            _ => {}
        }
    }
    spec
}

/// The signature in the text of a comment; what cannot be read is left out.
pub fn parse(spec: &str, code: &Code) -> Signature {
    read(spec, code).into_iter().filter_map(|(_, said)| said.ok()).collect()
}

/// What cannot be read of the comment of a definition: where, and why.
pub fn unread(text: &str, code: &Code) -> Vec<(Span, String)> {
    let Some(spec) = comment(text, code) else { return Vec::new() };
    let at = |part: &str| {
        let start = (part.as_ptr() as usize - text.as_ptr() as usize) as u32;
        Span { start, end: start + part.len() as u32 }
    };
    let wrong = read(spec, code).into_iter().filter_map(|(part, said)| Some((at(part.trim()), said.err()?)));
    wrong.collect()
}

/// The parts of a comment: what each says of a parameter, or why it says nothing.
fn read<'t>(spec: &'t str, code: &Code) -> Vec<(&'t str, Result<(String, Given), String>)> {
    let one = |(at, part): (usize, &'t str)| {
        let named = part.split_once(':').filter(|(name, _)| is_name(name.trim()));
        let (name, value) = match named {
            Some((name, value)) => (name.trim(), value.trim()),
            None => match code.params.names.get(at) {
                Some(param) => (param.name.as_str(), part.trim()),
                None => return (part, Err(format!("`{}` has no parameter for `{}`", code.name, part.trim()))),
            },
        };
        if !code.params.names.iter().any(|param| param.name.as_str() == name) {
            return (part, Err(format!("`{}` has no parameter `{name}`", code.name)));
        }
        let value = value.strip_prefix("static ").unwrap_or(value);
        let said = given(value, 0).map(|given| (name.to_owned(), given));
        (part, said.ok_or_else(|| format!("`{value}` is neither a type like `f32[n,2*k]` nor a Python literal")))
    };
    parts(spec).into_iter().enumerate().map(one).collect()
}

/// Containers in containers, at most.
const DEEPEST: usize = 32;

/// What a text says that a value is.
fn given(text: &str, depth: usize) -> Option<Given> {
    let text = text.trim();
    if let Some(given) = aval(text).map(Given::Array).or_else(|| literal(text).map(Given::Literal)) {
        return Some(given);
    }
    let inside = |open: char, close: char| text.strip_prefix(open)?.strip_suffix(close).filter(|_| depth < DEEPEST);
    let all = |inner: &str| parts(inner).into_iter().map(|part| given(part, depth + 1)).collect::<Option<Vec<Given>>>();
    if let Some(inner) = inside('(', ')') {
        let items = all(inner)?;
        // Parentheses alone make no tuple.
        let single = items.len() == 1 && !inner.trim_end().ends_with(',');
        return if single { items.into_iter().next() } else { Some(Given::Tuple(items)) };
    }
    if let Some(inner) = inside('[', ']') {
        return all(inner).map(Given::List);
    }
    let pair = |part: &str| {
        let end = part.trim_start().get(1..)?.find(part.trim_start().chars().next()?)? + 2;
        let (key, value) = part.trim_start().split_at_checked(end)?;
        let Some(Const::Str(key)) = literal(key) else { return None };
        Some((key, given(value.trim_start().strip_prefix(':')?, depth + 1)?))
    };
    parts(inside('{', '}')?).into_iter().map(pair).collect::<Option<_>>().map(Given::Dict)
}

/// Splits at commas outside of brackets and quotes.
fn parts(spec: &str) -> Vec<&str> {
    let (mut depth, mut quote, mut from) = (0, None, 0);
    let mut found = Vec::new();
    for (at, c) in spec.char_indices() {
        match (quote, c) {
            (Some(q), _) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '(' | '{') => depth += 1,
            (None, ']' | ')' | '}') => depth -= 1,
            (None, ',') if depth == 0 => {
                found.push(&spec[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(&spec[from..]);
    found.retain(|part| !part.trim().is_empty());
    found
}

/// `f32[8,n]`, `f32~[]`, `key<fry>[]`
fn aval(text: &str) -> Option<Aval> {
    let (dtype, shape) = text.strip_suffix(']')?.split_once('[')?;
    let (dtype, weak) = dtype.strip_suffix('~').map_or((dtype, false), |dtype| (dtype, true));
    let keys = [KeyImpl::Threefry, KeyImpl::Rbg, KeyImpl::UnsafeRbg].map(DType::Key);
    let dtype = *DType::NUMERIC.iter().chain(&keys).find(|d| d.short() == dtype || d.name() == dtype)?;
    let shape = parts(shape).into_iter().map(size).collect::<Option<_>>()?;
    Some(Aval { dtype, shape, weak })
}

fn literal(text: &str) -> Option<Const> {
    let quoted = |q: char| text.strip_prefix(q).and_then(|t| t.strip_suffix(q)).filter(|t| !t.contains([q, '\\']));
    if let Some(inner) = quoted('"').or_else(|| quoted('\'')) {
        return Some(Const::Str(inner.to_owned()));
    }
    match text {
        "None" => Some(Const::None),
        "True" => Some(Const::Bool(true)),
        "False" => Some(Const::Bool(false)),
        _ => match text.parse::<i64>() {
            Ok(number) => Some(Const::Int(number)),
            Err(_) => text.parse::<f64>().ok().map(Const::Float),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature(text: &str) -> String {
        let module = crate::lower::lower_text(text);
        let code = &module.codes[1];
        let all = commented(text, code).unwrap_or_default();
        let shown = all.iter().map(|(name, given)| match given {
            Given::Array(aval) => format!("{name}: {aval:?}"),
            Given::Literal(value) => format!("{name} = {value:?}"),
            other => format!("{name} = {other:?}"),
        });
        shown.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn comments_say_types_and_literals() {
        assert_eq!(signature("# jitlens: x: f32[8,n], k: 3\n@jit\ndef f(x, k): pass\n"), "x: f32[8,n], k = Int(3)");
        assert_eq!(signature("def f(x, s):  # jitlens: f32~[], 'a,b'\n    pass\n"), "x: f32[]~, s = Str(\"a,b\")");
        assert_eq!(signature("# jitlens: key: key<fry>[], x: nothing[3]\ndef f(key, x): pass\n"), "key: key<fry>[]");
        assert_eq!(signature("# jitlens: x: f32[8]\n\ndef f(x): pass\n"), "");
        assert_eq!(
            signature("# jitlens: x: f32[b, 3*k], n: f32[min(b, 2)]\ndef f(x, n): pass\n"),
            "x: f32[b,3*k], n: f32[min(b, 2)]"
        );
    }

    #[test]
    fn what_cannot_be_read_is_told_where_it_stands() {
        let unread = |text: &str| {
            let module = crate::lower::lower_text(text);
            let all = unread(text, &module.codes[1]).into_iter();
            all.map(|(at, why)| format!("{}: {why}", &text[at.start as usize..at.end as usize])).collect::<Vec<_>>()
        };
        let no_type = "is neither a type like `f32[n,2*k]` nor a Python literal";
        assert_eq!(
            unread("# jitlens: x: f32[3], n: f32[n**2]\ndef f(x, n): pass\n"),
            [format!("n: f32[n**2]: `f32[n**2]` {no_type}")]
        );
        assert_eq!(unread("# jitlens: q: f32[3]\ndef f(x): pass\n"), ["q: f32[3]: `f` has no parameter `q`"]);
        assert_eq!(unread("def f(x): pass  # jitlens: 1, 2\n"), ["2: `f` has no parameter for `2`"]);
        assert!(unread("def f(x): pass  # jitlens: ignore[axis]\n").is_empty());
        assert!(unread("def f(x): pass  # jitlens: x: '#'  # a remark\n").is_empty());
    }

    #[test]
    fn containers_hold_types_and_literals() {
        let of = |text: &str| given(text, 0);
        let array = |text: &str| Given::Array(aval(text).unwrap());
        let two = Given::Literal(Const::Int(2));
        assert_eq!(of("(f32[3], 2)"), Some(Given::Tuple(vec![array("f32[3]"), two.clone()])));
        assert_eq!(of("(2)"), Some(two.clone()));
        assert_eq!(of("(2,)"), Some(Given::Tuple(vec![two.clone()])));
        assert_eq!(of("[]"), Some(Given::List(Vec::new())));
        let dict = vec![("a, b".to_owned(), Given::List(vec![array("i32[2,n]")])), ("c".to_owned(), two)];
        assert_eq!(of("{\"a, b\": [int32[2,n]], 'c': 2}"), Some(Given::Dict(dict)));
        assert_eq!(of("{a: 2}").or(of("(f32[3], x)")).or(of(&"(".repeat(100_000))), None);
        let nested = format!("{}{}", "[".repeat(100), "]".repeat(100));
        assert_eq!(of(&nested), None);
    }
}
