//! What NumPy's functions give, by type: the rows that `record.py` recorded, run under the interpreter.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tracer_core::analysis::{Disk, Entry, Limits, Vfs, analyze};
use tracer_core::interp::Event;

/// Rows that are known to be wrong or unknown: each has to stay so until it is mended.
const KNOWN: &str = include_str!("known.txt");

const DTYPES: &[&str] = &[
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
];

/// The rows as a program: a function each, so that a failure of one leaves the others.
fn program(rows: &[(String, String)]) -> String {
    let mut text = String::from("import numpy as np\n\n\n");
    for dtype in DTYPES {
        text.push_str(&format!("{dtype}_ = np.array([[1, 0, 1], [1, 1, 0]]).astype('{dtype}')\n"));
    }
    text.push_str(
        "\n\ndef describe(call):\n    try:\n        value = call()\n    except Exception as error:\n        return 'raises ' + \
         type(error).__name__\n    if isinstance(value, np.ndarray):\n        return f'array {value.dtype} {value.shape}'\n    \
         if isinstance(value, np.generic):\n        return f'scalar {value.dtype} ()'\n    return f'python \
         {type(value).__name__}'\n\n\n",
    );
    for (expression, expected) in rows {
        text.push_str(&format!("assert describe(lambda: {expression}) == \"{expected}\"\n"));
    }
    text
}

#[test]
fn types_are_numpys() {
    let rows: Vec<(String, String)> = serde_json::from_str(include_str!("types.json")).expect("the record is JSON");
    let text = program(&rows);
    let first = 1 + text[..text.find("assert").expect("rows")].matches('\n').count();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("numpy_types.py");
    std::fs::write(&path, &text).expect("the program is written");
    let entry = Entry { script: path, roots: Vec::new(), environment: Vec::new(), fallback: Vec::new() };
    let analysis = analyze(|| Rc::new(Disk) as Rc<dyn Vfs>, entry, Limits::default(), Arc::new(AtomicBool::new(false)));
    let line = |at: u32| 1 + text[..(at as usize).min(text.len())].matches('\n').count();
    let mut failing: Vec<(usize, String)> = Vec::new();
    for problem in &analysis.problems {
        let at = problem.frames.last().map_or(0, |(_, span, _)| line(span.start));
        failing.push((at, format!("{}: {}", problem.class, problem.message)));
    }
    for event in &analysis.events {
        if let Event::UnknownAssert { site, why } = event {
            failing.push((line(site.span.start), format!("unknown: {why}")));
        }
    }
    assert!(analysis.stopped.is_none(), "{:?}", analysis.stopped);
    let known: Vec<&str> = KNOWN.lines().filter(|l| !l.is_empty()).collect();
    let mut wrong = Vec::new();
    for (at, why) in &failing {
        match at.checked_sub(first).and_then(|i| rows.get(i)) {
            Some((expression, _)) if known.contains(&expression.as_str()) => {}
            Some((expression, expected)) => wrong.push(format!("{expression}  # {expected} | {why}")),
            None => wrong.push(format!("line {at}: {why}")),
        }
    }
    let fine: Vec<&&str> = known
        .iter()
        .filter(|k| {
            let at = rows.iter().position(|(e, _)| e == *k).map(|i| i + first);
            !failing.iter().any(|(line, _)| Some(*line) == at)
        })
        .collect();
    assert!(wrong.is_empty(), "{}\n{} of {} rows differ", wrong.join("\n"), wrong.len(), rows.len());
    assert!(fine.is_empty(), "these hold now, take them out of known.txt: {fine:?}");
}
