//! Files that a program reads where they lie in its workspace: texts, tables, settings, bytes.

use std::io::Read;
use std::rc::Rc;

use super::Members;
use crate::interp::Interp;
use crate::interp::builtins::codecs;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Guess, Value};

/// Of longer files the contents are not known.
const MOST_BYTES: u64 = 4 << 20;

/// Why nothing is known of a file's contents.
const CONTENTS: &str = "the contents of a file";

/// The names of this family.
pub(super) fn members(members: &mut Members) {
    // read_text(path, encoding): what a text file of the workspace holds.
    members.function("read_text", |it, args| {
        let [path, encoding] = args.exactly("read_text")?;
        text(it, &path, &encoding, true).map(|text| Value::str(&text))
    });
    // read_bytes(path): what a file of the workspace holds.
    members.function("read_bytes", |it, args| {
        let [path] = args.exactly("read_bytes")?;
        Ok(Value::Bytes(bytes(it, &path)?.into()))
    });
    // resolved_path(path): the path without links and dots in it, where it is absolute and something is there.
    members.function("resolved_path", |it, args| {
        let [path] = args.exactly("resolved_path")?;
        let found = path.as_str().and_then(|path| it.loader.resolved(path));
        Ok(found.map_or_else(|| Value::unknown_of(Guess::Str, "a place in the file system"), Value::str))
    });
    // note_written(path): the program may have made or changed a file; `None` is any.
    members.function("note_written", |it, args| {
        let [path] = args.exactly("note_written")?;
        it.written.note(path.as_str());
        Ok(Value::None)
    });
    // text_lines(text, all): its lines with their ends; with `all`, "\r" and "\r\n" end one as well.
    members.function("text_lines", |it, args| {
        let [text, all] = args.exactly("text_lines")?;
        let Some(text) = text.as_str() else { return Err(Halt::unknown(CONTENTS)) };
        it.spend_text(text.len())?;
        let lines = lines(text, matches!(all, Value::Bool(true)));
        it.spend_many(lines.len())?;
        Ok(Value::list(lines.into_iter().map(Value::str).collect()))
    });
}

/// The lines of a text with their ends.
fn lines(text: &str, all: bool) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = if all { rest.find(['\n', '\r']) } else { rest.find('\n') };
        let end = end.map_or(rest.len(), |at| if rest[at..].starts_with("\r\n") { at + 2 } else { at + 1 });
        let (line, behind) = rest.split_at(end);
        found.push(line);
        rest = behind;
    }
    found
}

/// What a file of the workspace holds, by a path as `open` takes it.
///
/// # Errors
/// Unknown where the path is not, where there is no such file or more than one, where it is long, and where the program may have written it.
fn bytes(it: &Rc<Interp>, path: &Value) -> Step<Vec<u8>> {
    let path = match path {
        Value::Instance(_) => it.call_method(path, "__fspath__", [])?,
        path => path.clone(),
    };
    let name = path.as_str().ok_or_else(|| Halt::unknown(CONTENTS))?;
    if it.written.may_hold(name) {
        return Err(Halt::unknown("a file that the program may have written"));
    }
    let file = it.loader.data(name).ok_or_else(|| Halt::unknown(CONTENTS))?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|_| Halt::unknown(CONTENTS))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Halt::unknown(format!("the contents of a file of more than {} MB", MOST_BYTES >> 20)));
    }
    it.spend_text(bytes.len())?;
    Ok(bytes)
}

/// The text of a file; with `translate`, lines end as Python reads them by default. An encoding that is `None` is UTF-8.
///
/// # Errors
/// As [`bytes`], and unknown where it is no text in its encoding.
fn text(it: &Rc<Interp>, path: &Value, encoding: &Value, translate: bool) -> Step<String> {
    let encoding = match encoding {
        Value::None | Value::Unbound => "utf-8",
        encoding => encoding.as_str().ok_or_else(|| Halt::unknown(CONTENTS))?,
    };
    let mut bytes = bytes(it, path)?;
    let is_signed = encoding.eq_ignore_ascii_case("utf-8-sig");
    if is_signed && bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    let encoding = if is_signed { "utf-8" } else { encoding };
    let text = codecs::decode(&bytes, encoding, "strict").map_err(|_| Halt::unknown("a file that is no text"))?;
    // Which ends of lines a text has is seldom of interest, but `newline=""` asks for them.
    Ok(if translate && text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text })
}

/// `open(path, mode, …)` of a file to read; unknown for anything else.
///
/// # Errors
/// As `text`.
pub fn open(it: &Rc<Interp>, args: &Args) -> Step<Value> {
    const NAMES: [&str; 6] = ["file", "mode", "buffering", "encoding", "errors", "newline"];
    let argument = |name: &str| {
        let at = NAMES.iter().position(|known| *known == name)?;
        let by_name = || args.keyword.iter().find(|(key, _)| key.as_str() == name).map(|(_, value)| value);
        args.positional.get(at).or_else(by_name)
    };
    let mode = argument("mode").map_or(Some("r"), Value::as_str);
    let path = argument("file").cloned().unwrap_or(Value::Unbound);
    match mode {
        Some(mode) if !mode.contains(['w', 'a', 'x', '+']) => {}
        // What is written may be a file that is read later.
        _ => {
            let path = match &path {
                Value::Instance(_) => it.call_method(&path, "__fspath__", [])?,
                path => path.clone(),
            };
            it.written.note(path.as_str());
            return Err(Halt::unknown(CONTENTS));
        }
    }
    let is_one_of = |name: &str, known: &[&str]| {
        let value = argument(name);
        value.is_none_or(|value| value.is_none() || value.as_str().is_some_and(|text| known.contains(&text)))
    };
    let is_simple = args.positional.len() <= NAMES.len()
        && args.keyword.iter().all(|(name, _)| NAMES.contains(&name.as_str()))
        && argument("buffering").is_none_or(|size| size.as_int().is_some())
        && is_one_of("errors", &["strict"])
        && is_one_of("newline", &[""]);
    if !is_simple || path.is_unbound() {
        return Err(Halt::unknown(CONTENTS));
    }
    let module = it.import("io".into())?;
    match mode.unwrap_or_default() {
        "r" | "rt" | "tr" => {
            let translate = argument("newline").is_none_or(Value::is_none);
            let text = text(it, &path, argument("encoding").unwrap_or(&Value::None), translate)?;
            let class = it.getattr(&module, "TextIOWrapper".into())?;
            it.call_with(&class, [Value::str(&text), path, Value::Bool(!translate)])
        }
        "rb" | "br" => {
            let bytes = bytes(it, &path)?;
            let class = it.getattr(&module, "BufferedReader".into())?;
            it.call_with(&class, [Value::Bytes(bytes.into()), path])
        }
        _ => Err(Halt::unknown(CONTENTS)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_ends() {
        assert_eq!(lines("a\n\nb\r\nc", false), ["a\n", "\n", "b\r\n", "c"]);
        assert_eq!(lines("a\rb\r\n\nc\n", true), ["a\r", "b\r\n", "\n", "c\n"]);
        assert!(lines("", true).is_empty());
    }
}
