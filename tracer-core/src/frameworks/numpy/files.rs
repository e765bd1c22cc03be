//! Files of arrays and tables of numbers that a program reads, where they lie in its workspace.

use std::fs::File;
use std::io::{BufReader, Read};

use crate::array::npy::{self, Stored};
use crate::array::{Aval, Tensor};
use crate::frameworks::jax::core::Members;
use crate::frameworks::numpy::array::NdArray;
use crate::interp::Interp;
use crate::python::Value;
use crate::python::halt::{Halt, Step};
use crate::repro::Datum;
use crate::trace::Array;

/// So many numbers of a file are read; of larger arrays the types alone are known.
const MOST_NUMBERS: usize = 1 << 20;

/// Larger tables are not read.
const MOST_TEXT: u64 = 16 << 20;

/// Why nothing is known of a file's contents.
const CONTENTS: &str = "the contents of a file";

/// The names of this family.
pub fn members(members: &mut Members) {
    // `read_arrays(path)`: the array of a `.npy` file, or a list of names and arrays of an archive.
    members.function("read_arrays", |it, args| {
        let [path] = args.exactly("read_arrays")?;
        if let Some(data) = reproduced(it, &path) {
            return Ok(data);
        }
        let (name, file) = open(it, &path)?;
        if name.ends_with(".npz") {
            let all = npy::read_archive(BufReader::new(file), MOST_NUMBERS).map_err(|_| Halt::unknown(CONTENTS))?;
            let pair = |(name, stored): (String, std::io::Result<Stored>)| {
                let array = stored.map_or_else(|why| Value::unknown(format!("{CONTENTS}: {why}")), array);
                Value::tuple([Value::str(name), array])
            };
            return Ok(Value::list(all.into_iter().map(pair).collect()));
        }
        let stored = npy::read(BufReader::new(file), MOST_NUMBERS);
        stored.map(array).map_err(|why| Halt::unknown(format!("{CONTENTS}: {why}")))
    });
    // `read_table(path, delimiter, comments, first, last, columns, missing)`: the numbers of the lines of a text from `first` on, without
    // the `last` ones, as rows; `columns` is a list of places or `None`. With `missing`, what is no number is one that is none.
    members.function("read_table", |it, args| {
        let [path, delimiter, comments, first, last, columns, missing] = args.exactly("read_table")?;
        let (_, file) = open(it, &path)?;
        let mut text = String::new();
        let read = file.take(MOST_TEXT + 1).read_to_string(&mut text);
        if !read.is_ok_and(|bytes| bytes as u64 <= MOST_TEXT) {
            return Err(Halt::unknown(CONTENTS));
        }
        let count = |value: &Value| value.as_int().and_then(|n| usize::try_from(n).ok());
        let columns = match &columns {
            Value::None => None,
            columns => {
                let items = it.to_vec(columns)?.iter().map(count).collect::<Option<Vec<usize>>>();
                Some(items.ok_or_else(|| Halt::unknown("columns of a table"))?)
            }
        };
        let (first, last) = (count(&first).unwrap_or(0), count(&last).unwrap_or(0));
        let layout = Layout {
            delimiter: delimiter.as_str(),
            comments: comments.as_str().filter(|mark| !mark.is_empty()),
            columns: columns.as_deref(),
            missing: matches!(missing, Value::Bool(true)),
        };
        let table =
            table(&text, first, last, &layout).ok_or_else(|| Halt::unknown("a table that is not of numbers alone"))?;
        Ok(NdArray::value(Array::known(table, false)))
    });
}

/// The names and arrays that a reproducer reads which is verified: its archive is not written yet.
fn reproduced(it: &Interp, path: &Value) -> Option<Value> {
    let data = it.repro.data.borrow();
    if data.is_empty() || !path.as_str()?.ends_with(".npz") {
        return None;
    }
    let array = |tensor: &Tensor| NdArray::value(Array::known(tensor.clone(), false));
    let pair = |datum: &Datum| Value::tuple([Value::str(&datum.name), array(&datum.tensor)]);
    Some(Value::list(data.iter().map(pair).collect()))
}

/// A file of the workspace with its name.
fn open(it: &Interp, path: &Value) -> Step<(String, File)> {
    let Some(name) = path.as_str().filter(|_| !it.wrote_files.get()) else { return Err(Halt::unknown(CONTENTS)) };
    let file = it.loader.data(name).ok_or_else(|| Halt::unknown(CONTENTS))?;
    Ok((name.to_owned(), file))
}

fn array(stored: Stored) -> Value {
    if stored.swapped {
        return Value::unknown(format!("{CONTENTS}: the bytes of its elements are in the other order"));
    }
    NdArray::value(match stored.tensor {
        Some(tensor) => Array::known(tensor, false),
        None => Array::opaque(Aval { weak: false, ..stored.aval }, "a file of many numbers"),
    })
}

/// How the lines of a table are read.
struct Layout<'a> {
    delimiter: Option<&'a str>,
    comments: Option<&'a str>,
    columns: Option<&'a [usize]>,
    missing: bool,
}

/// The numbers of a table: rows of equal lengths.
fn table(text: &str, first: usize, last: usize, layout: &Layout) -> Option<Tensor> {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for line in text.lines().skip(first) {
        let line = layout.comments.map_or(line, |mark| line.split(mark).next().unwrap_or_default());
        if line.trim().is_empty() {
            continue;
        }
        let fields: Vec<&str> = match layout.delimiter {
            Some(delimiter) if !delimiter.is_empty() => line.split(delimiter).collect(),
            _ => line.split_whitespace().collect(),
        };
        let number = |field: &&str| {
            let number = field.trim().parse::<f64>().ok();
            if layout.missing { Some(number.unwrap_or(f64::NAN)) } else { number }
        };
        let row = match layout.columns {
            Some(columns) => columns.iter().map(|at| fields.get(*at).and_then(number)).collect::<Option<Vec<f64>>>()?,
            None => fields.iter().map(number).collect::<Option<Vec<f64>>>()?,
        };
        if rows.first().is_some_and(|first| first.len() != row.len()) {
            return None;
        }
        rows.push(row);
    }
    rows.truncate(rows.len().saturating_sub(last));
    let width = rows.first()?.len();
    Some(Tensor::new(&[rows.len(), width][..], rows.concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMAS: Layout = Layout { delimiter: Some(","), comments: Some("#"), columns: None, missing: false };

    #[test]
    fn tables_are_rows_of_numbers() {
        let text = "a,b\n1,2 # said\n\n3, 4.5\n";
        let all = table(text, 1, 0, &COMMAS).unwrap();
        assert_eq!((&all.shape[..], all.view::<f64>().unwrap()), (&[2, 2][..], &[1.0, 2.0, 3.0, 4.5][..]));
        assert!(table(text, 0, 0, &COMMAS).is_none() && table("1,2\n3\n", 0, 0, &COMMAS).is_none());
        let second = table(text, 1, 1, &Layout { columns: Some(&[1]), ..COMMAS }).unwrap();
        assert_eq!((&second.shape[..], second.view::<f64>().unwrap()), (&[1, 1][..], &[2.0][..]));
        let holes = table("1,,x\n", 0, 0, &Layout { missing: true, ..COMMAS }).unwrap();
        assert!(holes.view::<f64>().unwrap()[1..].iter().all(|x| x.is_nan()));
    }
}
