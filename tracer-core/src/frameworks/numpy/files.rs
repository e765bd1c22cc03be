//! Files of arrays and tables of numbers that a program reads, where they lie in its workspace.

use std::io::{self, BufReader, Cursor, Read, Seek};
use std::rc::Rc;

use crate::array::npy::{self, Stored};
use crate::array::{Aval, Tensor};
use crate::frameworks::jax::core::Members;
use crate::frameworks::numpy::array::NdArray;
use crate::interp::{Contents, Interp};
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
    // `read_arrays(source)`: the array of a `.npy` file, a list of names and arrays of an archive, or the pickled bytes of an array of
    // objects; of the file at a path, or of its bytes.
    members.function("read_arrays", |it, args| {
        let [source] = args.exactly("read_arrays")?;
        if let Some(data) = reproduced(it, &source) {
            return Ok(data);
        }
        let file: Box<dyn Contents> = match &source {
            Value::Bytes(bytes) => Box::new(Cursor::new(bytes.clone())),
            path => open(it, path)?,
        };
        arrays(BufReader::new(file)).map_err(|why| Halt::unknown(format!("{CONTENTS}: {why}")))
    });
    // `read_table_text(path)`: the text of a file that holds a table.
    members.function("read_table_text", |it, args| {
        let [path] = args.exactly("read_table_text")?;
        let mut text = String::new();
        let read = open(it, &path)?.take(MOST_TEXT + 1).read_to_string(&mut text);
        match read {
            Ok(bytes) if bytes as u64 <= MOST_TEXT => Ok(Value::str(text)),
            _ => Err(Halt::unknown(CONTENTS)),
        }
    });
    // `read_table(text, delimiter, comments, first, last, most, columns, missing, whole)`: the numbers of the lines of a text from `first`
    // on, without the `last` ones, as at most so many rows; `columns` is a list of places or `None`. With `missing`, what is no number
    // is one that is none; with `whole`, all have to be integers.
    members.function("read_table", |it, args| {
        let [text, delimiter, comments, first, last, most, columns, missing, whole] = args.exactly("read_table")?;
        let layout = Layout::of(it, [&delimiter, &comments, &first, &last, &most, &columns])?;
        let (missing, whole) = (matches!(missing, Value::Bool(true)), matches!(whole, Value::Bool(true)));
        let Some(text) = text.as_str() else { return Err(Halt::unknown(CONTENTS)) };
        it.spend_text(text.len())?;
        let table = table(text, &Layout { missing, whole, ..layout })
            .ok_or_else(|| Halt::unknown("a table that is not of numbers alone"))?;
        Ok(NdArray::value(Array::known(table, false)))
    });
    // `has_whole_numbers(text, delimiter, comments, first, last, most, columns)`: whether all numbers of a table are integers; `None` if
    // some columns have such and others have not, or there is something else.
    members.function("has_whole_numbers", |it, args| {
        let [text, delimiter, comments, first, last, most, columns] = args.exactly("has_whole_numbers")?;
        let layout = Layout::of(it, [&delimiter, &comments, &first, &last, &most, &columns])?;
        let Some(text) = text.as_str() else { return Err(Halt::unknown(CONTENTS)) };
        it.spend_text(text.len())?;
        let rows = fields(text, &layout);
        let is_whole = |field: &&str| field.trim().parse::<i64>().is_ok();
        let width = rows.first().map_or(0, Vec::len);
        if !rows.iter().all(|row| row.len() == width && row.iter().all(|field| field.trim().parse::<f64>().is_ok())) {
            return Ok(Value::None);
        }
        let of_columns: Vec<bool> =
            (0..width).map(|column| rows.iter().filter_map(|row| row.get(column)).all(is_whole)).collect();
        Ok(match &of_columns[..] {
            [first, others @ ..] if others.iter().all(|other| other == first) => Value::Bool(*first),
            _ => Value::None,
        })
    });
}

/// What a file of arrays holds.
fn arrays(mut file: BufReader<Box<dyn Contents>>) -> io::Result<Value> {
    let mut mark = [0; 2];
    file.read_exact(&mut mark)?;
    file.rewind()?;
    if mark == *b"PK" {
        let all = npy::read_archive(file, MOST_NUMBERS)?;
        let pair = |(name, stored): (String, io::Result<Stored>)| {
            let array = stored.map_or_else(|why| Value::unknown(format!("{CONTENTS}: {why}")), array);
            Value::tuple([Value::str(name), array])
        };
        return Ok(Value::list(all.into_iter().map(pair).collect()));
    }
    if let Some(pickled) = npy::pickled(&mut file, MOST_TEXT)? {
        return Ok(Value::Bytes(pickled.into()));
    }
    file.rewind()?;
    npy::read(file, MOST_NUMBERS).map(array)
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

/// A file of the workspace.
fn open(it: &Interp, path: &Value) -> Step<Box<dyn Contents>> {
    let name = path.as_str().filter(|name| !it.written.may_hold(name)).ok_or_else(|| Halt::unknown(CONTENTS))?;
    it.loader.data(name).ok_or_else(|| Halt::unknown(CONTENTS))
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
#[derive(Clone, Default)]
struct Layout<'a> {
    delimiter: Option<&'a str>,
    comments: Option<&'a str>,
    first: usize,
    last: usize,
    most: Option<usize>,
    columns: Option<Vec<usize>>,
    missing: bool,
    whole: bool,
}

impl<'a> Layout<'a> {
    /// As a program says it: delimiter, comments, lines that are left out first and last, rows, columns.
    fn of(it: &Rc<Interp>, [delimiter, comments, first, last, most, columns]: [&'a Value; 6]) -> Step<Layout<'a>> {
        let count = |value: &Value| value.as_int().and_then(|n| usize::try_from(n).ok());
        let known =
            |value: &Value| count(value).ok_or_else(|| Halt::unknown("a table that is read in a way of its own"));
        let columns = match columns {
            Value::None => None,
            columns => Some(it.to_vec(columns)?.iter().map(known).collect::<Step<Vec<usize>>>()?),
        };
        Ok(Layout {
            delimiter: delimiter.as_str().filter(|mark| !mark.is_empty()),
            comments: comments.as_str().filter(|mark| !mark.is_empty()),
            first: known(first)?,
            last: known(last)?,
            most: if most.is_none() { None } else { Some(known(most)?) },
            columns,
            ..Layout::default()
        })
    }
}

/// The texts of a table's rows.
fn fields<'a>(text: &'a str, layout: &Layout) -> Vec<Vec<&'a str>> {
    let mut rows = Vec::new();
    for line in text.lines().skip(layout.first) {
        let line = layout.comments.map_or(line, |mark| line.split(mark).next().unwrap_or_default());
        if line.trim().is_empty() {
            continue;
        }
        let all: Vec<&str> = match layout.delimiter {
            Some(delimiter) => line.split(delimiter).collect(),
            None => line.split_whitespace().collect(),
        };
        rows.push(match &layout.columns {
            // A column that a row has not is one that is no number.
            Some(columns) => columns.iter().map(|at| all.get(*at).copied().unwrap_or("")).collect(),
            None => all,
        });
    }
    rows.truncate(rows.len().saturating_sub(layout.last));
    rows.truncate(layout.most.unwrap_or(usize::MAX));
    rows
}

/// The numbers of a table: rows of equal lengths.
fn table(text: &str, layout: &Layout) -> Option<Tensor> {
    let number = |field: &&str| match field.trim() {
        field if layout.whole => field.parse::<i64>().ok().map(|number| number as f64),
        field if layout.missing => Some(field.parse().unwrap_or(f64::NAN)),
        field => field.parse().ok(),
    };
    let rows: Vec<Vec<f64>> =
        fields(text, layout).iter().map(|row| row.iter().map(number).collect()).collect::<Option<_>>()?;
    let width = rows.first()?.len();
    let is_even = rows.iter().all(|row| row.len() == width);
    is_even.then(|| Tensor::new(&[rows.len(), width][..], rows.concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commas() -> Layout<'static> {
        Layout { delimiter: Some(","), comments: Some("#"), ..Layout::default() }
    }

    #[test]
    fn tables_are_rows_of_numbers() {
        let text = "a,b\n1,2 # said\n\n3, 4.5\n";
        let all = table(text, &Layout { first: 1, ..commas() }).unwrap();
        assert_eq!((&all.shape[..], all.view::<f64>().unwrap()), (&[2, 2][..], &[1.0, 2.0, 3.0, 4.5][..]));
        assert!(table(text, &commas()).is_none() && table("1,2\n3\n", &commas()).is_none());
        let second = table(text, &Layout { first: 1, last: 1, columns: Some(vec![1]), ..commas() }).unwrap();
        assert_eq!((&second.shape[..], second.view::<f64>().unwrap()), (&[1, 1][..], &[2.0][..]));
        let holes = table("1,,x\n", &Layout { missing: true, ..commas() }).unwrap();
        assert!(holes.view::<f64>().unwrap()[1..].iter().all(|x| x.is_nan()));
        let first = table("1,2\n3,4\n", &Layout { most: Some(1), whole: true, ..commas() }).unwrap();
        assert_eq!(first.view::<f64>().unwrap(), &[1.0, 2.0][..]);
        assert!(table("1.0\n", &Layout { whole: true, ..commas() }).is_none());
    }
}
