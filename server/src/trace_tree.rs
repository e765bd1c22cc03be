//! What a function's traces consist of, as a tree: the user's functions in the order in which they added equations, their lines,
//! and what is compiled inside. `jitlens trace --tree`, and the editors' *Trace* view.

use serde::Serialize;
use serde_json::Value;
use tracer_core::analysis::{Analysis, EquationFact, GraphFact, TraceFact};
use tracer_core::text::{LineIndex, Span};

use crate::commands::program;
use crate::graphs;

/// One row, and what is under it.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What it is about.
    pub kind: Kind,
    /// What it says.
    pub label: String,
    /// What it says in a lower voice.
    pub detail: String,
    /// Where it leads: the file as it is named, and the range.
    pub place: Option<Value>,
    /// The rows under it.
    pub rows: Vec<Row>,
}

/// What a row is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A function that was traced, with the types of its arguments.
    Trace,
    /// A function whose lines have added equations.
    Function,
    /// A line.
    Line,
    /// A graph inside of an equation: what a `jit`, loop or branch compiles.
    Inner,
}

/// A row for each trace.
pub fn rows(analysis: &Analysis, traces: &[&TraceFact], named: graphs::Named<'_>) -> Vec<Row> {
    let row = |trace: &&TraceFact| {
        let at = trace.called.unwrap_or((trace.file, trace.name_span));
        Row {
            kind: Kind::Trace,
            label: graphs::signature(trace),
            detail: counted(&trace.graph),
            place: Some(place(analysis, at, named)),
            rows: functions(analysis, &trace.graph, named),
        }
    };
    traces.iter().map(row).collect()
}

/// The tree as text.
pub fn text(rows: &[Row]) -> String {
    let mut text = String::new();
    write(rows, 0, &mut text);
    text
}

fn write(rows: &[Row], depth: usize, text: &mut String) {
    for row in rows {
        *text += &format!("{}{}  ({})\n", "  ".repeat(depth), row.label, row.detail);
        write(&row.rows, depth + 1, text);
    }
}

/// The functions in turn: a row lasts as long as the equations are of one function.
fn functions(analysis: &Analysis, graph: &GraphFact, named: graphs::Named<'_>) -> Vec<Row> {
    let within = |equation: &EquationFact| {
        let code = graphs::within(analysis, equation.source?)?;
        Some((equation.source?.0, code.name_span, code.qualname))
    };
    let runs = graph.equations.chunk_by(|a, b| within(a) == within(b));
    let row = |run: &[EquationFact]| {
        let function = within(&run[0]);
        Row {
            kind: Kind::Function,
            label: function.map_or("elsewhere".into(), |(_, _, name)| name.to_string()),
            detail: equations(run.len()),
            place: function.map(|(file, span, _)| place(analysis, (file, span), named)),
            rows: lines(analysis, run, named),
        }
    };
    runs.map(row).collect()
}

/// The lines of a function in turn.
fn lines(analysis: &Analysis, run: &[EquationFact], named: graphs::Named<'_>) -> Vec<Row> {
    let line = |equation: &EquationFact| {
        let (file, span) = equation.source?;
        Some((file, LineIndex::new(&analysis.files[file].text).utf8(span.start).line))
    };
    let numbered: Vec<_> = run.iter().map(|equation| (line(equation), equation)).collect();
    let mut all = Vec::new();
    for of_line in numbered.chunk_by(|a, b| a.0 == b.0) {
        let inner = of_line.iter().flat_map(|(_, equation)| inner(analysis, equation, named)).collect();
        let Some((file, number)) = of_line[0].0 else {
            all.extend::<Vec<Row>>(inner);
            continue;
        };
        let text = &analysis.files[file].text;
        let names: Vec<&str> = of_line.iter().map(|(_, equation)| equation.primitive.as_str()).collect();
        all.push(Row {
            kind: Kind::Line,
            label: format!("{}: {}", number + 1, program::line(text, &LineIndex::new(text), number + 1).trim()),
            detail: names.join(", "),
            place: of_line[0].1.source.map(|at| place(analysis, at, named)),
            rows: inner,
        });
    }
    all
}

fn inner(analysis: &Analysis, equation: &EquationFact, named: graphs::Named<'_>) -> Vec<Row> {
    let name = equation.params.iter().find(|(name, _)| name == "name").map(|(_, text)| format!(" {text}"));
    let row = |graph: &GraphFact| Row {
        kind: Kind::Inner,
        label: format!("{}{}", equation.primitive, name.as_deref().unwrap_or_default()),
        detail: counted(graph),
        place: equation.source.map(|at| place(analysis, at, named)),
        rows: functions(analysis, graph, named),
    };
    equation.graphs.iter().map(row).collect()
}

fn place(analysis: &Analysis, (file, span): (usize, Span), named: graphs::Named<'_>) -> Value {
    let (file, range) = graphs::place(analysis, file, span, named);
    serde_json::json!({"file": file, "range": range})
}

fn counted(graph: &GraphFact) -> String {
    let outputs = graph.outputs.iter().map(|atom| atom.aval.to_string()).collect::<Vec<_>>().join(", ");
    format!("{}, gives {}", equations(graph.equations.len()), if outputs.is_empty() { "nothing" } else { &outputs })
}

fn equations(count: usize) -> String {
    format!("{count} equation{}", if count == 1 { "" } else { "s" })
}
