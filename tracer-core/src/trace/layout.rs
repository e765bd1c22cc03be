//! The mesh that the type of an array names: two arrays of equal shapes are of different types for the keys of traces where
//! they lie over different meshes, or are cut along different explicit axes.

use std::any::Any;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Atom, Jaxpr, Var};
use crate::array::Aval;
use crate::primitives::elementwise::Elementwise;
use crate::primitives::{
    BroadcastInDim, Clamp, ConvertElementType, DotGeneral, Identity, IntegerPow, Primitive, Reduce, ReduceSum, SelectN,
    Transpose,
};

/// What an array's type says of meshes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Nothing: the array lies on one device.
    #[default]
    Plain,
    /// It lies over this mesh.
    Over(Rc<str>, Cut),
    /// That is not known.
    Unknown,
}

/// The explicit axes of the mesh along which the axes of an array are cut, none at the end; empty where it is not cut. Axes that
/// are left to the compiler are not part of the type.
pub type Cut = SmallVec<[Option<Rc<str>>; 2]>;

/// So deep are graphs in graphs looked through.
const MOST_NESTED: usize = 32;

impl Layout {
    /// Over a mesh, cut along these axes of it.
    pub fn over(mesh: Rc<str>, mut cut: Cut) -> Layout {
        while cut.last().is_some_and(Option::is_none) {
            cut.pop();
        }
        Layout::Over(mesh, cut)
    }
    /// Whether it is certain that no mesh is named.
    pub fn is_plain(&self) -> bool {
        *self == Layout::Plain
    }
    /// Of an element of the leading axis, as a loop over it sees it.
    #[must_use]
    pub fn of_row(&self, axis: usize) -> Layout {
        match self {
            Layout::Over(mesh, cut) => {
                let kept = cut.iter().enumerate().filter(|(i, _)| *i != axis).map(|(_, name)| name.clone());
                Layout::over(mesh.clone(), kept.collect())
            }
            other => other.clone(),
        }
    }
    /// What follows the type of an array that lies so in messages: ` over Mesh('x': 8, axis_types=(Auto,))`.
    pub fn text(&self) -> String {
        match self {
            Layout::Plain => String::new(),
            Layout::Unknown => " over a mesh that is not known".into(),
            Layout::Over(mesh, cut) if cut.is_empty() => format!(" over {mesh}"),
            Layout::Over(mesh, cut) => {
                let names: Vec<&str> = cut.iter().map(|name| name.as_deref().unwrap_or("None")).collect();
                format!(" cut along ({}) of {mesh}", names.join(", "))
            }
        }
    }
}

/// What is known of the types of results: those of the inputs, and the mesh that the program has set.
pub fn of_results(
    primitive: &dyn Primitive,
    inputs: &[(Layout, &Aval)],
    outputs: &[&Aval],
    context: Option<&Rc<str>>,
) -> Vec<Layout> {
    nested(primitive, inputs, outputs, context, 0)
}

fn nested(
    primitive: &dyn Primitive,
    inputs: &[(Layout, &Aval)],
    outputs: &[&Aval],
    context: Option<&Rc<str>>,
    depth: usize,
) -> Vec<Layout> {
    let all = |layout: Layout| vec![layout; outputs.len()];
    if let Some(identity) = (primitive as &dyn Any).downcast_ref::<Identity>()
        && let Some(layout) = identity.layout()
    {
        return all(layout.clone());
    }
    if matches!(primitive.name(), "jit" | "closed_call" | "remat2" | "custom_jvp_call" | "custom_vjp_call")
        && let [graph] = &primitive.graphs()[..]
        && graph.invars.len() == inputs.len()
    {
        if depth == MOST_NESTED {
            return all(Layout::Unknown);
        }
        let given: Vec<Layout> = inputs.iter().map(|(layout, _)| layout.clone()).collect();
        return of_graph(graph, &given, context, depth + 1);
    }
    let mut meshes = inputs.iter().filter_map(|(layout, _)| match layout {
        Layout::Over(mesh, _) => Some(mesh),
        _ => None,
    });
    let Some(mesh) = meshes.next().or(context).cloned() else {
        // Where an array is put is not part of the equation.
        let unknown = inputs.iter().any(|(layout, _)| *layout == Layout::Unknown) || primitive.name() == "device_put";
        return all(if unknown { Layout::Unknown } else { Layout::Plain });
    };
    if meshes.any(|other| *other != mesh) || inputs.iter().any(|(layout, _)| *layout == Layout::Unknown) {
        return all(Layout::Unknown);
    }
    if inputs.iter().all(|(layout, _)| !matches!(layout, Layout::Over(_, cut) if !cut.is_empty())) {
        return all(Layout::Over(mesh, Cut::new()));
    }
    match cut(primitive, inputs, outputs) {
        Some(cut) => all(Layout::over(mesh, cut)),
        None => all(Layout::Unknown),
    }
}

fn cut_of(layout: &Layout, axis: usize) -> Option<&Rc<str>> {
    match layout {
        Layout::Over(_, cut) => cut.get(axis)?.as_ref(),
        _ => None,
    }
}

/// How a result is cut where inputs are; `None` where there is no rule.
fn cut(primitive: &dyn Primitive, inputs: &[(Layout, &Aval)], outputs: &[&Aval]) -> Option<Cut> {
    let [output] = outputs else { return None };
    let any = primitive as &dyn Any;
    let at = |input: usize, axis: usize| cut_of(&inputs[input].0, axis).cloned();
    if let Some(transpose) = any.downcast_ref::<Transpose>() {
        return Some(transpose.permutation.iter().map(|axis| at(0, *axis)).collect());
    }
    if let Some(broadcast) = any.downcast_ref::<BroadcastInDim>() {
        let from = |axis| broadcast.axes.iter().position(|to| *to == axis).and_then(|i| at(0, i));
        return Some((0..output.rank()).map(from).collect());
    }
    let reduced = any.downcast_ref::<ReduceSum>().map(|r| &r.axes);
    if let Some(axes) = reduced.or_else(|| any.downcast_ref::<Reduce>().map(|r| &r.axes)) {
        return Some((0..inputs[0].1.rank()).filter(|i| !axes.contains(i)).map(|i| at(0, i)).collect());
    }
    if let Some(dot) = any.downcast_ref::<DotGeneral>() {
        let of = |axes: &[i64]| axes.iter().map(|axis| *axis as usize).collect::<Vec<_>>();
        let (lhs_batch, rhs_batch) = (of(&dot.dims.lhs_batch), of(&dot.dims.rhs_batch));
        let (lhs_gone, rhs_gone) = (of(&dot.dims.lhs_contract), of(&dot.dims.rhs_contract));
        let free = |input: usize, batch: &[usize], gone: &[usize]| -> Vec<Option<Rc<str>>> {
            let rank = inputs[input].1.rank();
            (0..rank).filter(|i| !batch.contains(i) && !gone.contains(i)).map(|i| at(input, i)).collect()
        };
        let batch = lhs_batch.iter().zip(&rhs_batch).map(|(l, r)| at(0, *l).or_else(|| at(1, *r)));
        let found: Cut = batch.chain(free(0, &lhs_batch, &lhs_gone)).chain(free(1, &rhs_batch, &rhs_gone)).collect();
        let twice = found.iter().enumerate().any(|(i, name)| name.is_some() && found[..i].contains(name));
        return (!twice).then_some(found);
    }
    let elementwise = any.is::<Elementwise>()
        || any.is::<ConvertElementType>()
        || any.is::<IntegerPow>()
        || any.is::<SelectN>()
        || any.is::<Clamp>()
        || any.is::<Identity>();
    if !elementwise || inputs.iter().any(|(_, aval)| aval.rank() != 0 && aval.rank() != output.rank()) {
        return None;
    }
    Some((0..output.rank()).map(|axis| (0..inputs.len()).find_map(|input| at(input, axis))).collect())
}

/// The types of the results of a graph.
pub fn of_graph(graph: &Jaxpr, inputs: &[Layout], context: Option<&Rc<str>>, depth: usize) -> Vec<Layout> {
    let mut known: FxHashMap<Var, Layout> = FxHashMap::default();
    known.extend(graph.invars.iter().copied().zip(inputs.iter().cloned()));
    let of = |known: &FxHashMap<Var, Layout>, atom: &Atom| match atom {
        Atom::Var(var) => known.get(var).cloned().unwrap_or_default(),
        Atom::Literal(_) => Layout::Plain,
    };
    for eqn in &graph.eqns {
        let given: SmallVec<[(Layout, &Aval); 3]> =
            eqn.inputs.iter().map(|atom| (of(&known, atom), graph.atom_aval(atom))).collect();
        if context.is_none() && given.iter().all(|(layout, _)| layout.is_plain()) && eqn.primitive.graphs().is_empty() {
            let identity = (&*eqn.primitive as &dyn Any).downcast_ref::<Identity>();
            if identity.is_none_or(|identity| identity.layout().is_none()) && eqn.primitive.name() != "device_put" {
                continue;
            }
        }
        let avals: SmallVec<[&Aval; 1]> = eqn.outputs.iter().map(|var| graph.aval(*var)).collect();
        let found = nested(&*eqn.primitive, &given, &avals, context, depth);
        known.extend(eqn.outputs.iter().copied().zip(found));
    }
    graph.outvars.iter().map(|atom| of(&known, atom)).collect()
}

/// Whether an input of a graph is used by something in it.
pub fn is_used(graph: &Jaxpr, input: usize) -> bool {
    let Some(var) = graph.invars.get(input) else { return true };
    let is = |atom: &Atom| atom.var() == Some(*var);
    graph.outvars.iter().any(is) || graph.eqns.iter().any(|eqn| eqn.inputs.iter().any(is))
}
