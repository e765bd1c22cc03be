//! Small text files that a program reads where they lie in its workspace: settings, tables of names.

use std::io::Read;
use std::rc::Rc;

use crate::interp::Interp;
use crate::python::halt::{Halt, Step};
use crate::python::{Args, Value};

/// Of longer files the contents are not known: what a program makes of a text goes through it letter by letter.
const MOST_BYTES: u64 = 32 << 10;

/// Why nothing is known of a file's contents.
const CONTENTS: &str = "the contents of a file";

/// What a small text file of the workspace holds, by a path as `open` takes it; lines end as Python reads them.
///
/// # Errors
/// Unknown where the path is not, where there is no such file or more than one, where it is long or no UTF-8, and once the program
/// has written files.
pub fn text(it: &Rc<Interp>, path: &Value) -> Step<String> {
    let unknown = || Halt::unknown(CONTENTS);
    let path = match path {
        Value::Instance(_) => it.call_method(path, "__fspath__", [])?,
        path => path.clone(),
    };
    let name = path.as_str().filter(|_| !it.wrote_files.get()).ok_or_else(unknown)?;
    let file = it.loader.data(name).ok_or_else(unknown)?;
    let mut text = String::new();
    file.take(MOST_BYTES + 1).read_to_string(&mut text).map_err(|_| unknown())?;
    match text.len() as u64 <= MOST_BYTES && !text.contains('\0') {
        true => Ok(text.replace("\r\n", "\n").replace('\r', "\n")),
        false => Err(unknown()),
    }
}

/// `open(path, mode, …)` of a text to read; unknown for anything else.
///
/// # Errors
/// As [`text`].
pub fn open(it: &Rc<Interp>, args: &Args) -> Step<Value> {
    let by_name = |wanted: &str| args.keyword.iter().find(|(name, _)| name.as_str() == wanted).map(|(_, value)| value);
    let is_one_of = |value: Option<&Value>, known: &[&str]| {
        value.is_none_or(|value| value.is_none() || value.as_str().is_some_and(|text| known.contains(&text)))
    };
    let reads_text = is_one_of(args.positional.get(1).or_else(|| by_name("mode")), &["r", "rt", "tr"])
        && is_one_of(args.positional.get(3).or_else(|| by_name("encoding")), &["utf-8", "utf8", "UTF-8"])
        && args.positional.len() <= 4
        && args.keyword.iter().all(|(name, _)| matches!(name.as_str(), "file" | "mode" | "encoding"));
    let Some(path) = args.positional.first().or_else(|| by_name("file")).filter(|_| reads_text) else {
        return Err(Halt::unknown(CONTENTS));
    };
    let text = text(it, path)?;
    let module = it.import("io".into())?;
    let class = it.getattr(&module, "TextIOWrapper".into())?;
    it.call_with(&class, [Value::str(&text), path.clone()])
}
