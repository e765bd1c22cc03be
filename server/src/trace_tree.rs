//! What a function's traces consist of, as a tree: the user's functions that it calls, what those call, their lines, and what is compiled
//! inside, in the order in which they added equations. `jitlens trace --tree`, and the editors' *Trace* view.

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
    /// A call of a function that has added equations.
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
        let is_it = |frame: &Frame| frame.function == Some((trace.file, trace.name_span));
        Row {
            kind: Kind::Trace,
            label: graphs::signature(trace),
            detail: counted(&trace.graph),
            place: Some(place(analysis, at, named)),
            rows: calls(analysis, &of_function(analysis, &trace.graph, is_it), 0, named),
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

/// A function that ran when an equation was written: where its name is, what it is called, and the call in it that runs.
#[derive(Clone, PartialEq)]
struct Frame {
    function: Option<(usize, Span)>,
    name: String,
    call: (usize, Span),
}

/// An equation below the calls that are shown around it: the first frame is the one that the tree is of.
type Placed<'a> = (Vec<Frame>, &'a EquationFact);

/// The functions that ran when an equation was written, outermost first. Without calls it is the one around its place.
fn frames(analysis: &Analysis, equation: &EquationFact) -> Vec<Frame> {
    let around = |at: (usize, Span), name: Option<&str>| {
        let code = graphs::within(analysis, at).filter(|code| name.is_none_or(|name| code.name.as_str() == name));
        let name = code.map_or(name.unwrap_or("elsewhere").to_owned(), |code| code.qualname.to_string());
        Frame { function: code.map(|code| (at.0, code.name_span)), name, call: at }
    };
    match (&equation.calls, equation.source) {
        (Some(calls), _) => calls.iter().map(|call| around((call.file, call.span), Some(&call.name))).collect(),
        (None, Some(at)) => vec![around(at, None)],
        (None, None) => Vec::new(),
    }
}

/// Whether the functions of `frames` begin with those of `outer`, each called where that says. The last of them may run another call.
fn is_below(frames: &[Frame], outer: &[Frame]) -> bool {
    let last = outer.len().saturating_sub(1);
    let pairs = || frames.iter().zip(outer);
    frames.len() >= outer.len()
        && pairs().all(|(a, b)| a.function == b.function)
        && pairs().take(last).all(|(a, b)| a.call == b.call)
}

/// The equations of a function's graph, below its own frame.
fn of_function<'a>(analysis: &Analysis, graph: &'a GraphFact, is_it: impl Fn(&Frame) -> bool) -> Vec<Placed<'a>> {
    let below = |equation: &'a EquationFact| {
        let mut frames = frames(analysis, equation);
        let at = frames.iter().position(&is_it).unwrap_or(0);
        (frames.split_off(at.min(frames.len())), equation)
    };
    graph.equations.iter().map(below).collect()
}

/// The equations of a graph inside of an equation, below the function that wrote that one; of one that was traced for another call
/// before, below the function that is compiled.
fn of_inner<'a>(analysis: &Analysis, outer: &EquationFact, graph: &'a GraphFact) -> Vec<Placed<'a>> {
    let around = frames(analysis, outer);
    let all: Vec<Vec<Frame>> = graph.equations.iter().map(|equation| frames(analysis, equation)).collect();
    let shared = all.iter().skip(1).fold(all.first().map_or(0, Vec::len), |most, frames| {
        frames.iter().zip(&all[0]).take(most).take_while(|(a, b)| a.function == b.function).count()
    });
    let own = match all.iter().all(|frames| is_below(frames, &around)) {
        true => around.len(),
        false => {
            let name = name_of(outer).unwrap_or_default();
            let is_it = |frame: &Frame| frame.name.rsplit('.').next() == Some(name);
            all.first().and_then(|frames| frames[..shared].iter().position(is_it)).unwrap_or(shared)
        }
    };
    let below = |(mut frames, equation): (Vec<Frame>, &'a EquationFact)| {
        let at = own.saturating_sub(1).min(frames.len());
        (frames.split_off(at), equation)
    };
    all.into_iter().zip(&graph.equations).map(below).collect()
}

/// The name of what an equation compiles.
fn name_of(equation: &EquationFact) -> Option<&str> {
    equation.params.iter().find(|(name, _)| name == "name").map(|(_, text)| text.as_str())
}

/// The rows below a function: the calls in it, each with what came of it for as long as nothing else comes between, and lines.
fn calls(analysis: &Analysis, run: &[Placed], depth: usize, named: graphs::Named<'_>) -> Vec<Row> {
    let callee = |(frames, _): &Placed| {
        let called = frames.get(depth + 1)?;
        Some((called.function, called.name.clone(), frames[depth].call))
    };
    let mut all = Vec::new();
    for run in run.chunk_by(|a, b| callee(a) == callee(b)) {
        let Some((_, name, call)) = callee(&run[0]) else {
            all.extend(lines(analysis, run, named));
            continue;
        };
        let (_, range) = graphs::place(analysis, call.0, call.1, named);
        all.push(Row {
            kind: Kind::Function,
            label: name,
            detail: format!("{}, called in line {}", equations(run.iter().map(|(_, one)| count(one)).sum()), range[0]),
            place: Some(place(analysis, call, named)),
            rows: calls(analysis, run, depth + 1, named),
        });
    }
    all
}

/// The lines of a function in turn.
fn lines(analysis: &Analysis, run: &[Placed], named: graphs::Named<'_>) -> Vec<Row> {
    let line = |equation: &EquationFact| {
        let (file, span) = equation.source?;
        Some((file, LineIndex::new(&analysis.files[file].text).utf8(span.start).line))
    };
    let numbered: Vec<_> = run.iter().map(|(_, equation)| (line(equation), *equation)).collect();
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
    let name = name_of(equation);
    let row = |graph: &GraphFact| {
        let mut rows = calls(analysis, &of_inner(analysis, equation, graph), 0, named);
        // What is compiled is named already.
        if let ([only], Some(name)) = (rows.as_mut_slice(), name)
            && only.kind == Kind::Function
            && only.label.rsplit('.').next() == Some(name)
        {
            rows = std::mem::take(&mut only.rows);
        }
        Row {
            kind: Kind::Inner,
            label: format!("{}{}", equation.primitive, name.map(|name| format!(" {name}")).unwrap_or_default()),
            detail: counted(graph),
            place: equation.source.map(|at| place(analysis, at, named)),
            rows,
        }
    };
    equation.graphs.iter().map(row).collect()
}

fn place(analysis: &Analysis, (file, span): (usize, Span), named: graphs::Named<'_>) -> Value {
    let (file, range) = graphs::place(analysis, file, span, named);
    serde_json::json!({"file": file, "range": range})
}

fn counted(graph: &GraphFact) -> String {
    let outputs = graph.outputs.iter().map(|atom| atom.aval.to_string()).collect::<Vec<_>>().join(", ");
    let count = graph.equations.iter().map(count).sum();
    format!("{}, gives {}", equations(count), if outputs.is_empty() { "nothing" } else { &outputs })
}

/// An equation with those inside of it, as lenses count them.
fn count(equation: &EquationFact) -> usize {
    1 + equation.graphs.iter().flat_map(|graph| &graph.equations).map(count).sum::<usize>()
}

fn equations(count: usize) -> String {
    format!("{count} equation{}", if count == 1 { "" } else { "s" })
}
