//! Arrays that are made on the way, as `.npy` files with an index.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use regex::Regex;
use serde_json::{Value, json};
use tracer_core::analysis::{Intermediate, Tap};
use tracer_core::array::{DType, npy};

use crate::commands::places::{self, Places};

/// So many files are written at most.
const MOST_FILES: usize = 100_000;

/// The name of the index.
const INDEX: &str = "index.json";

/// What is written, and what was.
pub struct Dump(Arc<Inner>);

struct Inner {
    folder: PathBuf,
    only: Vec<Only>,
    written: Mutex<Written>,
}

#[derive(Default)]
struct Written {
    rows: Vec<Value>,
    /// Arrays that would have been written, too.
    left_out: usize,
    failed: Option<String>,
}

/// A regular expression and where it is looked for.
struct Only {
    what: Option<&'static str>,
    pattern: Regex,
}

/// What an array may be chosen by.
const WHATS: [&str; 4] = ["variable", "primitive", "dtype", "shape"];

impl Only {
    fn parse(text: &str) -> Result<Only, String> {
        let named = WHATS.iter().find_map(|what| Some((*what, text.strip_prefix(what)?.strip_prefix(':')?)));
        let (what, pattern) = named.map_or((None, text), |(what, pattern)| (Some(what), pattern));
        let pattern = Regex::new(pattern).map_err(|e| format!("--only: {e}"))?;
        Ok(Only { what, pattern })
    }
    fn holds(&self, array: &Intermediate, shape: &str) -> bool {
        let parts = [
            array.variable.unwrap_or_default(),
            array.primitive.unwrap_or_default(),
            array.tensor.dtype.short(),
            shape,
        ];
        let looked_at = |what: &str| self.what.is_none_or(|only| only == what);
        WHATS.iter().zip(parts).any(|(what, part)| looked_at(what) && self.pattern.is_match(part))
    }
}

impl Dump {
    /// Into a folder, which is made, or emptied of what its index says that was written there before; `only` are the regular
    /// expressions that all have to be found.
    ///
    /// # Errors
    /// Where the folder cannot be made or emptied, or an expression is none.
    pub fn new(folder: &Path, only: &[String]) -> Result<Dump, String> {
        let only = only.iter().map(|text| Only::parse(text)).collect::<Result<_, _>>()?;
        std::fs::create_dir_all(folder)
            .and_then(|()| remove_written(folder))
            .map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(Dump(Arc::new(Inner { folder: folder.to_owned(), only, written: Mutex::default() })))
    }

    /// What is to be told of arrays.
    pub fn tap(&self) -> Tap {
        let inner = self.0.clone();
        Tap(Arc::new(move |array| inner.take(array)))
    }

    /// Writes the index, and says what was written.
    ///
    /// # Errors
    /// Where a file could not be written.
    pub fn finish(self) -> Result<String, String> {
        let Written { rows, left_out, failed } = std::mem::take(&mut *self.0.lock());
        if let Some(failed) = failed {
            return Err(failed);
        }
        let count = rows.len();
        let index = json!({"version": 1, "arrays": rows, "left_out": left_out});
        let path = self.0.folder.join(INDEX);
        let write = || -> std::io::Result<()> {
            let mut file = BufWriter::new(File::create(&path)?);
            serde_json::to_writer_pretty(&mut file, &index)?;
            file.flush()
        };
        write().map_err(|e| format!("{}: {e}", path.display()))?;
        let more = if left_out > 0 { format!(", {left_out} more left out") } else { String::new() };
        Ok(format!("{}: {count} arrays{more}", self.0.folder.display()))
    }
}

impl Inner {
    fn lock(&self) -> std::sync::MutexGuard<'_, Written> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
    fn take(&self, array: &Intermediate) {
        if array.tensor.dtype == DType::Float0 {
            return;
        }
        let shape: Vec<String> = array.tensor.shape.iter().map(ToString::to_string).collect();
        if !self.only.iter().all(|only| only.holds(array, &shape.join(","))) {
            return;
        }
        let mut written = self.lock();
        if written.failed.is_some() {
            return;
        }
        if written.rows.len() >= MOST_FILES {
            written.left_out += 1;
            return;
        }
        let number = written.rows.len() + 1;
        let words = [array.variable.unwrap_or_default(), array.primitive.unwrap_or("result")];
        let words: Vec<String> = words.iter().filter(|word| !word.is_empty()).map(|word| plain(word)).collect();
        let name = format!("{number:05}_{}.npy", words.join("_"));
        let path = self.folder.join(&name);
        let made = File::create(&path).and_then(|file| {
            let mut file = BufWriter::new(file);
            npy::write(array.tensor, &mut file)?;
            file.flush()
        });
        match made {
            Ok(()) => written.rows.push(row(&name, array)),
            Err(error) => written.failed = Some(format!("{}: {error}", path.display())),
        }
    }
}

/// Removes what an index lists, and it. What has no name of ours stays.
fn remove_written(folder: &Path) -> std::io::Result<()> {
    let path = folder.join(INDEX);
    let Ok(text) = std::fs::read_to_string(&path) else { return Ok(()) };
    let index: Value = serde_json::from_str(&text).unwrap_or_default();
    let Some(rows) = index["arrays"].as_array() else { return Ok(()) };
    let is_ours = |name: &&str| {
        let (number, rest) = name.split_once('_').unwrap_or_default();
        let is_number = number.len() >= 5 && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number && rest.strip_suffix(".npy").is_some_and(|words| plain(words) == words)
    };
    for name in rows.iter().filter_map(|row| row["file"].as_str()).filter(is_ours) {
        match std::fs::remove_file(folder.join(name)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    std::fs::remove_file(&path)
}

fn row(name: &str, array: &Intermediate) -> Value {
    let at = array.at.as_ref().map(|(path, text, span)| {
        let places = Places::new(path, text);
        json!({"file": places::named(places.file(), places.cell(span.start)), "range": places.range(*span)})
    });
    json!({"file": name, "function": array.function, "variable": array.variable, "primitive": array.primitive,
           "result": array.result, "dtype": array.tensor.dtype.short(), "shape": array.tensor.shape.to_vec(),
           "at": at, "rounds": array.rounds})
}

/// A name as a part of a file's name.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || c == '_' || c == '-' { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use tracer_core::array::Tensor;

    use super::*;

    #[test]
    fn arrays_are_chosen_by_what_is_asked_for() {
        let tensor = Tensor::new(&[8, 4][..], vec![0.5f32; 32]);
        let array = Intermediate {
            function: "f",
            variable: Some("hidden"),
            primitive: Some("dot_general"),
            result: 0,
            at: None,
            rounds: &[],
            tensor: &tensor,
        };
        let holds = |text: &str| Only::parse(text).unwrap().holds(&array, "8,4");
        assert!(holds("hid") && holds("^dot") && holds("f32") && holds("^8,") && holds("variable:hidden"));
        assert!(!holds("variable:dot") && !holds("shape:f32") && !holds("dtype:f16") && !holds("exp"));
        assert!(Only::parse("(").is_err());
    }
}
