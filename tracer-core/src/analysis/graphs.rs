//! Graphs as plain data.

use std::sync::Arc;

use crate::array::Aval;
use crate::interp::Calls;
use crate::module::{Module, Symbol};
use crate::python::{FileId, Site};
use crate::text::Span;
use crate::trace::print::{VarNames, literal, with_names};
use crate::trace::{Atom, Jaxpr, marks};

/// A function of the user that was traced.
#[derive(Clone, Debug)]
pub struct TraceFact {
    /// Its `__qualname__`.
    pub function: String,
    /// The file: an index into [`Analysis::files`](super::Analysis::files).
    pub file: usize,
    /// Its name in its `def` line.
    pub name_span: Span,
    /// The call that traced it.
    pub called: Option<(usize, Span)>,
    /// Names of the inputs, leaf by leaf: `x['a']`. Empty where they are not known.
    pub arguments: Vec<String>,
    /// The graph as `jax.make_jaxpr` prints it.
    pub text: String,
    /// The graph.
    pub graph: GraphFact,
}

/// A graph.
#[derive(Clone, Debug)]
pub struct GraphFact {
    /// Variables for captured constants.
    pub constants: Vec<AtomFact>,
    /// Variables for the inputs.
    pub inputs: Vec<AtomFact>,
    /// The results.
    pub outputs: Vec<AtomFact>,
    /// The equations, in order.
    pub equations: Vec<EquationFact>,
}

/// A variable or a literal.
#[derive(Clone, Debug)]
pub struct AtomFact {
    /// The name in the printed graph, or the literal.
    pub name: String,
    /// What it is.
    pub aval: Aval,
}

/// One equation.
#[derive(Clone, Debug)]
pub struct EquationFact {
    /// What is applied.
    pub primitive: String,
    /// How, graphs excluded.
    pub params: Vec<(String, String)>,
    /// To what.
    pub inputs: Vec<AtomFact>,
    /// What it binds.
    pub outputs: Vec<AtomFact>,
    /// The user's expression that wrote it.
    pub source: Option<(usize, Span)>,
    /// The user's functions that ran when it was written, the outermost first, where that was asked for.
    pub calls: Option<Arc<[FrameFact]>>,
    /// Graphs inside.
    pub graphs: Vec<GraphFact>,
}

/// A function that runs.
#[derive(Clone, Debug)]
pub struct FrameFact {
    /// Its name.
    pub name: String,
    /// The file: an index into [`Analysis::files`](super::Analysis::files).
    pub file: usize,
    /// The call in it that runs; of the innermost one any place in it.
    pub span: Span,
}

/// What finds the files of marks and places.
pub struct Files<'a> {
    /// The index of a user's file.
    pub index: &'a dyn Fn(FileId) -> Option<usize>,
    /// Its lowered text.
    pub module: &'a dyn Fn(usize) -> Arc<Module>,
    /// The calls behind the numbers in marks.
    pub calls: Vec<Arc<[FrameFact]>>,
}

impl Files<'_> {
    /// The calls of a run, as plain data.
    pub fn calls(index: &dyn Fn(FileId) -> Option<usize>, calls: &Calls) -> Vec<Arc<[FrameFact]>> {
        let fact = |(site, name): &(Site, Symbol)| {
            Some(FrameFact { name: name.to_string(), file: index(site.file)?, span: site.span })
        };
        calls.iter().map(|stack| stack.iter().filter_map(fact).collect()).collect()
    }
}

/// A note of the run as plain data; `None` for what is not in the user's files.
pub fn trace_fact(note: &crate::interp::GraphNote, files: &Files) -> Option<TraceFact> {
    let place = |site: &Site| Some(((files.index)(site.file)?, site.span));
    let (file, name_span) = place(&note.defined)?;
    let jaxpr = &note.graph.jaxpr;
    let (text, names) = with_names(jaxpr);
    Some(TraceFact {
        function: note.function.to_string(),
        file,
        name_span,
        called: note.called.as_ref().and_then(place),
        arguments: jaxpr.debug.arguments.iter().map(|n| n.to_string()).collect(),
        text,
        graph: graph_fact(jaxpr, &names, files),
    })
}

fn graph_fact(jaxpr: &Jaxpr, names: &VarNames, files: &Files) -> GraphFact {
    let var = |var| AtomFact { name: names.name(jaxpr, var).to_owned(), aval: jaxpr.aval(var).clone() };
    let atom = |atom: &Atom| match atom {
        Atom::Var(v) => var(*v),
        Atom::Literal(value) => {
            let text = literal(value);
            let name = text.rsplit_once(':').map_or(text.clone(), |(number, _)| number.to_owned());
            AtomFact { name, aval: value.aval.clone() }
        }
    };
    let equations = jaxpr.eqns.iter().map(|eqn| EquationFact {
        primitive: eqn.primitive.name().to_string(),
        params: eqn
            .primitive
            .params()
            .into_iter()
            .filter_map(|(name, param)| match param {
                crate::primitives::Param::Text(text) => Some((name.to_owned(), text.to_string())),
                _ => None,
            })
            .collect(),
        inputs: eqn.inputs.iter().map(atom).collect(),
        outputs: eqn.outputs.iter().map(|v| var(*v)).collect(),
        calls: marks::calls(eqn.source).and_then(|number| files.calls.get(number).cloned()),
        source: marks::source(eqn.source).and_then(|(file, expr)| {
            let file = (files.index)(file)?;
            let span = *(files.module)(file).expr_spans.get(expr.index())?;
            Some((file, span))
        }),
        graphs: eqn.primitive.graphs().iter().map(|inner| graph_fact(inner, names, files)).collect(),
    });
    GraphFact {
        constants: jaxpr.constvars.iter().map(|v| var(*v)).collect(),
        inputs: jaxpr.invars.iter().map(|v| var(*v)).collect(),
        outputs: jaxpr.outvars.iter().map(atom).collect(),
        equations: equations.collect(),
    }
}
