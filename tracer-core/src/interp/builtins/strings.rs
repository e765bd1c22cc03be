//! Methods of `str` and `bytes`.

use std::rc::Rc;

use super::texts::{all, is_space};
use super::{codecs, constructors, define_static};
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Class, Dict, Guess, Key, NativeFn, Value};

type Body = fn(&Rc<Interp>, &str, Args) -> Step<Value>;

/// Adds the methods.
pub fn install(it: &Rc<Interp>) {
    let class = &it.types.str_;
    for (name, guess, body) in METHODS {
        method(class, name, *guess, *body);
    }
    define_static(class, "maketrans", maketrans);
    bytes(it);
}

fn method(class: &Rc<Class>, name: &'static str, guess: Guess, body: Body) {
    let method = NativeFn::method(name, move |it, mut args| {
        if args.positional.is_empty() {
            return Err(Halt::type_error(format!("unbound method str.{name}() needs an argument")));
        }
        let receiver = args.positional.remove(0);
        let unknown = args.positional.iter().find_map(|a| match a {
            Value::Unknown(unknown) => Some(unknown.why.0.clone()),
            _ => None,
        });
        if let (Some(why), false) = (unknown, name.starts_with("format")) {
            return Ok(Value::unknown_of(guess, why));
        }
        match &receiver {
            Value::Unknown(unknown) => Ok(Value::unknown_of(guess, unknown.why.0.clone())),
            other => match other.as_str() {
                Some(text) => match it.spend_text(text.len()).and_then(|()| body(it, text, args)) {
                    Err(Halt::Unknown(why)) => Ok(Value::unknown_of(guess, why.0)),
                    result => result,
                },
                None => Err(Halt::type_error(format!(
                    "descriptor '{name}' for 'str' objects doesn't apply to a '{}' object",
                    it.type_name(other)
                ))),
            },
        }
    });
    class.attrs.write().insert(Symbol::from(name), method);
}

fn none(args: Args, name: &str) -> Step<()> {
    if !args.keyword.is_empty() {
        return Err(Halt::type_error(format!("str.{name}() takes no keyword arguments")));
    }
    match args.positional.len() {
        0 => Ok(()),
        n => Err(Halt::type_error(format!("str.{name}() takes no arguments ({n} given)"))),
    }
}

fn need_str<'a>(it: &Rc<Interp>, value: &'a Value, message: impl Fn(&str) -> String) -> Step<&'a str> {
    value.as_str().ok_or_else(|| Halt::type_error(message(&it.type_name(value))))
}

fn must_be_str<'a>(it: &Rc<Interp>, value: &'a Value) -> Step<&'a str> {
    need_str(it, value, |name| format!("must be str, not {name}"))
}

fn given(value: &Value) -> Option<&Value> {
    (!value.is_unbound() && !value.is_none()).then_some(value)
}

fn texts<T: Into<Value>>(items: impl IntoIterator<Item = T>) -> Value {
    Value::list(items.into_iter().map(Into::into).collect())
}

fn cased(text: &str, right: impl Fn(char) -> bool, wrong: impl Fn(char) -> bool) -> Value {
    Value::Bool(text.chars().any(right) && !text.chars().any(wrong))
}

/// The longest text that `translate` makes.
const MOST_TRANSLATED: usize = 1 << 27;

const METHODS: &[(&str, Guess, Body)] = &[
    ("upper", Guess::Str, |_, s, a| none(a, "upper").map(|()| Value::from(s.to_uppercase()))),
    ("lower", Guess::Str, |_, s, a| none(a, "lower").map(|()| Value::from(s.to_lowercase()))),
    ("casefold", Guess::Str, |_, s, a| none(a, "casefold").map(|()| Value::from(s.to_lowercase().replace('ß', "ss")))),
    ("capitalize", Guess::Str, |_, s, a| {
        none(a, "capitalize")?;
        let mut chars = s.chars();
        Ok(Value::from(
            chars
                .next()
                .map_or(String::new(), |c| c.to_uppercase().collect::<String>() + &chars.as_str().to_lowercase()),
        ))
    }),
    ("title", Guess::Str, |_, s, a| none(a, "title").map(|()| Value::from(title(s)))),
    ("swapcase", Guess::Str, |_, s, a| {
        none(a, "swapcase")?;
        let swap = |c: char| if c.is_uppercase() { c.to_lowercase().to_string() } else { c.to_uppercase().to_string() };
        Ok(Value::from(s.chars().map(swap).collect::<String>()))
    }),
    ("isalpha", Guess::Bool, |_, s, _| Ok(all(s, char::is_alphabetic))),
    ("isdigit", Guess::Bool, |_, s, _| {
        Ok(all(s, |c| c.is_ascii_digit() || (!c.is_ascii() && c.is_numeric() && !c.is_alphabetic())))
    }),
    ("isdecimal", Guess::Bool, |_, s, _| Ok(all(s, |c| c.is_ascii_digit()))),
    ("isnumeric", Guess::Bool, |_, s, _| Ok(all(s, char::is_numeric))),
    ("isalnum", Guess::Bool, |_, s, _| Ok(all(s, char::is_alphanumeric))),
    ("isspace", Guess::Bool, |_, s, _| Ok(all(s, is_space))),
    ("isascii", Guess::Bool, |_, s, _| Ok(Value::Bool(s.is_ascii()))),
    ("isupper", Guess::Bool, |_, s, _| Ok(cased(s, char::is_uppercase, char::is_lowercase))),
    ("islower", Guess::Bool, |_, s, _| Ok(cased(s, char::is_lowercase, char::is_uppercase))),
    ("istitle", Guess::Bool, |_, s, _| {
        Ok(Value::Bool(s.chars().any(|c| c.is_uppercase() || c.is_lowercase()) && title(s) == s))
    }),
    ("isprintable", Guess::Bool, |_, s, _| {
        Ok(Value::Bool(!s.chars().any(|c| c.is_control() || (c != ' ' && is_space(c)))))
    }),
    ("isidentifier", Guess::Bool, |_, s, _| {
        let mut chars = s.chars();
        let start = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
        Ok(Value::Bool(start && chars.all(|c| c.is_alphanumeric() || c == '_')))
    }),
    ("strip", Guess::Str, |it, s, a| strip(it, s, a, "strip", true, true)),
    ("lstrip", Guess::Str, |it, s, a| strip(it, s, a, "lstrip", true, false)),
    ("rstrip", Guess::Str, |it, s, a| strip(it, s, a, "rstrip", false, true)),
    ("split", Guess::Any, |it, s, a| split(it, s, a, "split")),
    ("rsplit", Guess::Any, |it, s, a| split(it, s, a, "rsplit")),
    ("splitlines", Guess::Any, |it, s, a| {
        let [keep] = a.bind("splitlines", ["keepends"], 0)?;
        let keep = given(&keep).map_or(Ok(false), |k| it.truth(k))?;
        let mut lines = Vec::new();
        let mut rest = s;
        while !rest.is_empty() {
            let end = rest
                .find(['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}']);
            let Some(end) = end else {
                lines.push(Value::str(rest));
                break;
            };
            let width =
                if rest[end..].starts_with("\r\n") { 2 } else { rest[end..].chars().next().map_or(1, char::len_utf8) };
            lines.push(Value::str(&rest[..if keep { end + width } else { end }]));
            rest = &rest[end + width..];
        }
        Ok(Value::list(lines))
    }),
    ("join", Guess::Str, |it, s, a| {
        let [items] = a.exactly("str.join")?;
        let items = it.to_vec(&items).map_err(|halt| match halt {
            Halt::Raise(e) if e.is_native("TypeError") && !matches!(items, Value::Instance(_) | Value::Iter(_)) => {
                Halt::type_error("can only join an iterable")
            }
            other => other,
        })?;
        let mut parts = Vec::with_capacity(items.len());
        let mut unknown = false;
        for (i, item) in items.iter().enumerate() {
            match item.as_str() {
                Some(text) => parts.push(text),
                None if item.is_unknown() => unknown = true,
                None => {
                    return Err(Halt::type_error(format!(
                        "sequence item {i}: expected str instance, {} found",
                        it.type_name(item)
                    )));
                }
            }
        }
        if unknown {
            return Ok(Value::unknown_of(crate::python::Guess::Str, "the text of an unknown value"));
        }
        it.spend_text(parts.iter().map(|p| p.len() + s.len()).sum::<usize>())?;
        Ok(Value::from(parts.join(s)))
    }),
    ("replace", Guess::Str, |it, s, a| {
        let [old, new, count] = a.bind("replace", ["old", "new", "count"], 2)?;
        let message = |at: u32| move |name: &str| format!("replace() argument {at} must be str, not {name}");
        let (old, new) = (need_str(it, &old, message(1))?, need_str(it, &new, message(2))?);
        let count = given(&count).map_or(Ok(-1), |c| it.index(c))?;
        let most = usize::try_from(count).unwrap_or(usize::MAX);
        let found = if old.is_empty() { s.chars().count() + 1 } else { s.matches(old).count() };
        it.spend_text(s.len() + found.min(most).saturating_mul(new.len()))?;
        Ok(Value::from(match usize::try_from(count) {
            Ok(count) => s.replacen(old, new, count),
            Err(_) => s.replace(old, new),
        }))
    }),
    ("find", Guess::Int, |it, s, a| find(it, s, a, "find", false)),
    ("rfind", Guess::Int, |it, s, a| find(it, s, a, "rfind", true)),
    ("index", Guess::Int, |it, s, a| found(find(it, s, a, "index", false)?)),
    ("rindex", Guess::Int, |it, s, a| found(find(it, s, a, "rindex", true)?)),
    ("count", Guess::Int, |it, s, a| {
        let [what, start, end] = a.bind("count", ["sub", "start", "end"], 1)?;
        let what = must_be_str(it, &what)?;
        let Some((part, _)) = window(it, s, &start, &end)? else { return Ok(Value::Int(0)) };
        Ok(Value::size(if what.is_empty() { part.chars().count() + 1 } else { part.matches(what).count() }))
    }),
    ("startswith", Guess::Bool, |it, s, a| affix(it, s, a, "startswith", |part, what| part.starts_with(what))),
    ("endswith", Guess::Bool, |it, s, a| affix(it, s, a, "endswith", |part, what| part.ends_with(what))),
    ("removeprefix", Guess::Str, |it, s, a| {
        let [what] = a.exactly("str.removeprefix")?;
        let what = need_str(it, &what, |n| format!("removeprefix() argument must be str, not {n}"))?;
        Ok(Value::str(s.strip_prefix(what).unwrap_or(s)))
    }),
    ("removesuffix", Guess::Str, |it, s, a| {
        let [what] = a.exactly("str.removesuffix")?;
        let what = need_str(it, &what, |n| format!("removesuffix() argument must be str, not {n}"))?;
        Ok(Value::str(s.strip_suffix(what).unwrap_or(s)))
    }),
    ("partition", Guess::Any, |it, s, a| {
        let [what] = a.exactly("str.partition")?;
        let what = separator(it, &what)?;
        let parts = s.split_once(what).map(|(x, y)| [x, what, y]).unwrap_or([s, "", ""]);
        Ok(Value::tuple(parts.map(Value::str)))
    }),
    ("rpartition", Guess::Any, |it, s, a| {
        let [what] = a.exactly("str.rpartition")?;
        let what = separator(it, &what)?;
        let parts = s.rsplit_once(what).map(|(x, y)| [x, what, y]).unwrap_or(["", "", s]);
        Ok(Value::tuple(parts.map(Value::str)))
    }),
    ("ljust", Guess::Str, |it, s, a| justify(it, s, a, "ljust", |fill| (0, fill))),
    ("rjust", Guess::Str, |it, s, a| justify(it, s, a, "rjust", |fill| (fill, 0))),
    ("center", Guess::Str, |it, s, a| {
        let odd_width = a.positional.first().and_then(Value::as_int).is_some_and(|w| w & 1 == 1);
        if odd_width {
            justify(it, s, a, "center", |fill| (fill / 2 + (fill & 1), fill / 2))
        } else {
            justify(it, s, a, "center", |fill| (fill / 2, fill - fill / 2))
        }
    }),
    ("zfill", Guess::Str, |it, s, a| {
        let [width] = a.exactly("str.zfill")?;
        let width = wide(it, &width)?;
        let fill = "0".repeat(width.saturating_sub(s.chars().count()));
        let (sign, rest) = s.split_at(usize::from(s.starts_with(['+', '-'])));
        Ok(Value::from(format!("{sign}{fill}{rest}")))
    }),
    ("expandtabs", Guess::Str, |it, s, a| {
        let [size] = a.bind("expandtabs", ["tabsize"], 0)?;
        let size = given(&size).map_or(Ok(8), |s| it.index(s))?.clamp(0, 1000) as usize;
        let (mut out, mut column) = (String::new(), 0);
        for c in s.chars() {
            match c {
                '\t' => {
                    let fill = if size == 0 { 0 } else { size - column % size };
                    out.push_str(&" ".repeat(fill));
                    column += fill;
                }
                '\n' | '\r' => {
                    out.push(c);
                    column = 0;
                }
                c => {
                    out.push(c);
                    column += 1;
                }
            }
        }
        Ok(Value::from(out))
    }),
    ("translate", Guess::Str, |it, s, a| {
        let [table] = a.exactly("str.translate")?;
        let mut out = String::new();
        for c in s.chars() {
            it.spend()?;
            let found = it.while_catching(|| it.getitem(&table, &Value::Int(c as i64)));
            match found {
                Ok(Value::None) => {}
                Ok(Value::Int(code)) => out.extend(u32::try_from(code).ok().and_then(char::from_u32)),
                Ok(other) => {
                    let piece = other.as_str().unwrap_or_default();
                    it.spend_text(piece.len())?;
                    if out.len() + piece.len() > MOST_TRANSLATED {
                        return Err(Halt::unknown("text past the budget"));
                    }
                    out.push_str(piece);
                }
                Err(Halt::Raise(e)) if it.is_exception(&e, "LookupError") => out.push(c),
                Err(halt) => return Err(halt),
            }
        }
        Ok(Value::from(out))
    }),
    ("encode", Guess::Any, |it, s, a| {
        let [encoding, errors] = a.bind("encode", ["encoding", "errors"], 0)?;
        let _ = it;
        let text_of = |value: &Value, default: &'static str| {
            given(value).and_then(Value::as_str).map_or_else(|| default.to_owned(), str::to_owned)
        };
        let bytes = codecs::encode(s, &text_of(&encoding, "utf-8"), &text_of(&errors, "strict"))?;
        Ok(Value::Bytes(bytes.into()))
    }),
    ("format", Guess::Str, |it, s, a| super::str_format::str_format(it, s, &a, None)),
    ("format_map", Guess::Str, |it, s, a| {
        let [mapping] = a.exactly("str.format_map")?;
        super::str_format::str_format(it, s, &Args::none(), Some(&mapping))
    }),
    ("__format__", Guess::Str, |it, s, a| {
        let [spec] = a.exactly("__format__")?;
        match spec.as_str() {
            Some("") => Ok(Value::str(s)),
            spec => super::format_spec(it, &Value::str(s), spec.unwrap_or_default()),
        }
    }),
    ("__hash__", Guess::Int, |_, s, _| Ok(Value::Int(Key::str(s).hash as i64 >> 3))),
];

fn title(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in text.chars() {
        if inside {
            out.extend(c.to_lowercase())
        } else {
            out.extend(c.to_uppercase())
        }
        inside = c.is_alphabetic();
    }
    out
}

fn strip(it: &Rc<Interp>, text: &str, args: Args, name: &str, left: bool, right: bool) -> Step<Value> {
    let [chars] = args.bind(name, ["chars"], 0)?;
    let chosen = match given(&chars) {
        Some(chars) => Some(need_str(it, chars, |_| format!("{name} arg must be None or str"))?),
        None => None,
    };
    let out = |c: char| chosen.map_or_else(|| is_space(c), |chosen| chosen.contains(c));
    let mut text = text;
    if left {
        text = text.trim_start_matches(out);
    }
    if right {
        text = text.trim_end_matches(out);
    }
    Ok(Value::str(text))
}

fn separator<'a>(it: &Rc<Interp>, value: &'a Value) -> Step<&'a str> {
    match must_be_str(it, value)? {
        "" => Err(Halt::value_error("empty separator")),
        text => Ok(text),
    }
}

fn split(it: &Rc<Interp>, text: &str, args: Args, name: &str) -> Step<Value> {
    let [sep, most] = args.bind(name, ["sep", "maxsplit"], 0)?;
    let most = given(&most).map_or(Ok(-1), |m| it.index(m))?;
    let most = usize::try_from(most).unwrap_or(usize::MAX - 1);
    let from_right = name == "rsplit";
    let Some(sep) = given(&sep) else {
        let mut parts = Vec::new();
        let mut rest = text;
        if from_right {
            rest = rest.trim_end_matches(is_space);
            while !rest.is_empty() && parts.len() < most {
                match rest.char_indices().rev().find(|(_, c)| is_space(*c)) {
                    Some((i, c)) => {
                        parts.push(&rest[i + c.len_utf8()..]);
                        rest = rest[..i].trim_end_matches(is_space);
                    }
                    None => break,
                }
            }
            if !rest.is_empty() {
                parts.push(rest);
            }
            parts.reverse();
        } else {
            rest = rest.trim_start_matches(is_space);
            while !rest.is_empty() && parts.len() < most {
                match rest.find(is_space) {
                    Some(i) => {
                        parts.push(&rest[..i]);
                        rest = rest[i..].trim_start_matches(is_space);
                    }
                    None => break,
                }
            }
            if !rest.is_empty() {
                parts.push(rest);
            }
        }
        return Ok(texts(parts));
    };
    let sep = separator(it, sep)?;
    // A single letter is looked for faster than a text is.
    let letter = sep.chars().next().filter(|letter| letter.len_utf8() == sep.len());
    if from_right {
        let mut parts: Vec<&str> = match letter {
            Some(letter) => text.rsplitn(most.saturating_add(1), letter).collect(),
            None => text.rsplitn(most.saturating_add(1), sep).collect(),
        };
        parts.reverse();
        return Ok(texts(parts));
    }
    match letter {
        Some(letter) => Ok(texts(text.splitn(most.saturating_add(1), letter))),
        None => Ok(texts(text.splitn(most.saturating_add(1), sep))),
    }
}

/// The part of a text between two character positions, with the first one; `None` where they cross.
fn window<'a>(it: &Rc<Interp>, text: &'a str, start: &Value, end: &Value) -> Step<Option<(&'a str, usize)>> {
    if given(start).is_none() && given(end).is_none() {
        return Ok(Some((text, 0)));
    }
    let len = text.chars().count() as i64;
    let clamp = |value: &Value, default: i64| -> Step<i64> {
        match given(value) {
            None => Ok(default),
            Some(value) => {
                let n = it.index(value)?;
                Ok(if n < 0 { (n + len).max(0) } else { n })
            }
        }
    };
    let (start, end) = (clamp(start, 0)?, clamp(end, len)?.min(len));
    if start > end {
        return Ok(None);
    }
    let byte = |n: i64| text.char_indices().nth(n as usize).map_or(text.len(), |(i, _)| i);
    Ok(Some((&text[byte(start)..byte(end)], start as usize)))
}

fn find(it: &Rc<Interp>, text: &str, args: Args, name: &str, last: bool) -> Step<Value> {
    let [what, start, end] = args.bind(name, ["sub", "start", "end"], 1)?;
    let what = must_be_str(it, &what)?;
    let Some((part, offset)) = window(it, text, &start, &end)? else { return Ok(Value::Int(-1)) };
    let at = if last { part.rfind(what) } else { part.find(what) };
    Ok(Value::Int(at.map_or(-1, |at| (offset + part[..at].chars().count()) as i64)))
}

fn found(position: Value) -> Step<Value> {
    match position {
        Value::Int(-1) => Err(Halt::value_error("substring not found")),
        position => Ok(position),
    }
}

fn affix(it: &Rc<Interp>, text: &str, args: Args, name: &str, test: fn(&str, &str) -> bool) -> Step<Value> {
    let [what, start, end] = args.bind(name, ["prefix", "start", "end"], 1)?;
    let Some((part, _)) = window(it, text, &start, &end)? else { return Ok(Value::Bool(false)) };
    match &what {
        Value::Tuple(options) => {
            for option in options.iter() {
                let option = need_str(it, option, |n| format!("tuple for {name} must only contain str, not {n}"))?;
                if test(part, option) {
                    return Ok(Value::Bool(true));
                }
            }
            Ok(Value::Bool(false))
        }
        what => {
            let what = need_str(it, what, |n| format!("{name} first arg must be str or a tuple of str, not {n}"))?;
            Ok(Value::Bool(test(part, what)))
        }
    }
}

fn wide(it: &Rc<Interp>, width: &Value) -> Step<usize> {
    let width = it.index(width)?.max(0) as usize;
    if width > 1 << 20 {
        return Err(Halt::unknown("text past the budget"));
    }
    Ok(width)
}

fn justify(it: &Rc<Interp>, text: &str, args: Args, name: &str, sides: fn(usize) -> (usize, usize)) -> Step<Value> {
    let [width, fill] = args.bind(name, ["width", "fillchar"], 1)?;
    let width = wide(it, &width)?;
    let fill = match given(&fill) {
        None => " ",
        Some(fill) => need_str(it, fill, |n| format!("The fill character must be a unicode character, not {n}"))?,
    };
    if fill.chars().count() != 1 {
        return Err(Halt::type_error("The fill character must be exactly one character long"));
    }
    let (left, right) = sides(width.saturating_sub(text.chars().count()));
    Ok(Value::from(format!("{}{text}{}", fill.repeat(left), fill.repeat(right))))
}

fn maketrans(it: &Rc<Interp>, args: Args) -> Step<Value> {
    let [from, to, gone] = args.bind("maketrans", ["x", "y", "z"], 1)?;
    let table = Dict::new(Default::default());
    if to.is_unbound() {
        for (key, value) in it.mapping_items(&from)?.unwrap_or_default() {
            let key = key.as_str().and_then(|k| k.chars().next()).map_or(key.clone(), |c| Value::Int(c as i64));
            let key = it.key(&key)?;
            table.write().insert(key, value);
        }
        return Ok(Value::Dict(table));
    }
    let (from, to) = (must_be_str(it, &from)?, must_be_str(it, &to)?);
    if from.chars().count() != to.chars().count() {
        return Err(Halt::value_error("the first two maketrans arguments must have equal length"));
    }
    for (a, b) in from.chars().zip(to.chars()) {
        let key = it.key(&Value::Int(a as i64))?;
        table.write().insert(key, Value::Int(b as i64));
    }
    for c in given(&gone).and_then(Value::as_str).unwrap_or_default().chars() {
        let key = it.key(&Value::Int(c as i64))?;
        table.write().insert(key, Value::None);
    }
    Ok(Value::Dict(table))
}

fn bytes(it: &Rc<Interp>) {
    let class = &it.types.bytes;
    super::define_method(class, "decode", |_, args| {
        let [value, encoding, errors] = args.bind("decode", ["self", "encoding", "errors"], 1)?;
        let Value::Bytes(bytes) = value.base() else { return Err(Halt::type_error("bytes are needed")) };
        let encoding = given(&encoding).and_then(Value::as_str).unwrap_or("utf-8");
        let errors = given(&errors).and_then(Value::as_str).unwrap_or("strict");
        match codecs::decode(bytes, encoding, errors) {
            Err(Halt::Unknown(why)) => Ok(Value::unknown_of(Guess::Str, why.0)),
            text => text.map(Value::from),
        }
    });
    super::define_method(class, "hex", |_, args| {
        let Some(Value::Bytes(bytes)) = args.positional.first().map(Value::base) else {
            return Err(Halt::unknown("bytes"));
        };
        Ok(Value::from(bytes.iter().map(|b| format!("{b:02x}")).collect::<String>()))
    });
    class.attrs.write().insert(
        sym!("fromhex"),
        constructors::class_method(it, |_, args| {
            let text: String =
                args.positional.last().and_then(Value::as_str).unwrap_or_default().split_whitespace().collect();
            let byte = |i: usize| text.get(i..i + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
            let bytes: Option<Vec<u8>> = (0..text.len()).step_by(2).map(byte).collect();
            match bytes {
                Some(bytes) => Ok(Value::Bytes(bytes.into())),
                None => Err(Halt::value_error("non-hexadecimal number found in fromhex() arg at position 0")),
            }
        }),
    );
    // Methods that bytes share with text, on ASCII.
    const SHARED: &[&str] = &[
        "upper",
        "lower",
        "strip",
        "lstrip",
        "rstrip",
        "split",
        "rsplit",
        "join",
        "replace",
        "find",
        "rfind",
        "index",
        "count",
        "startswith",
        "endswith",
        "isalpha",
        "isdigit",
        "isspace",
        "zfill",
        "ljust",
        "rjust",
        "center",
        "title",
        "partition",
    ];
    for name in SHARED {
        let text_method = it.types.str_.lookup(Symbol::from(name)).expect("text has these methods");
        let method = NativeFn::method(name, move |it, mut args| {
            let into = |value: &Value| as_text(value);
            for value in args.positional.iter_mut() {
                *value = match &*value {
                    Value::List(items) => Value::list(items.read().iter().map(into).collect()),
                    other => into(other),
                };
            }
            Ok(as_bytes(&it.call(&text_method, args)?))
        });
        class.attrs.write().insert(Symbol::from(name), method);
    }
}

/// Bytes as text of the same numbers, to be worked on as text.
fn as_text(value: &Value) -> Value {
    match value.base() {
        Value::Bytes(bytes) => Value::from(bytes.iter().map(|b| *b as char).collect::<String>()),
        other => other.clone(),
    }
}

fn as_bytes(value: &Value) -> Value {
    match value {
        Value::Str(text) => Value::Bytes(text.chars().map(|c| c as u32 as u8).collect()),
        Value::List(items) => Value::list(items.read().iter().map(as_bytes).collect()),
        Value::Tuple(items) => Value::tuple(items.iter().map(as_bytes)),
        other => other.clone(),
    }
}
