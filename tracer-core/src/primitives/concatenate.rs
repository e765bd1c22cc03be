//! Arrays joined and cut: `concatenate`, `split`, `stack`, `unstack`.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::rules::{self, shifted, sizes, text};
use super::{Avals, Axes, Dims, Operand, Param, Params, Primitive, Tangents, build};
use crate::array::tensor::{Data, Element, Sizes};
use crate::array::{Aval, Dim, Shape, Tensor, shape_tuple};
use crate::python::{Halt, Step};
use crate::trace::{Engine, Val, Vals};

/// Arrays joined along an axis.
#[derive(Clone, Debug)]
pub struct Concatenate {
    /// The axis.
    pub axis: usize,
}

impl Concatenate {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        // An axis out of range is an error of the shapes.
        let axis = usize::try_from(params.int("dimension")?).unwrap_or(usize::MAX);
        Ok(Rc::new(Concatenate { axis }))
    }
}

fn shapes(inputs: &[&Aval]) -> String {
    inputs.iter().map(|a| a.shape_tuple()).collect::<Vec<_>>().join(", ")
}

/// Appends blocks of rows from each part in turn.
fn interleave<T: Element>(parts: &[(&Tensor, usize)], outer: usize) -> Option<Data> {
    let total: usize = parts.iter().map(|(_, block)| block * outer).sum();
    let views: Option<Vec<(&[T], usize)>> = parts.iter().map(|(t, block)| Some((t.view::<T>()?, *block))).collect();
    let views = views?;
    let mut all = Vec::with_capacity(total);
    for row in 0..outer {
        for (values, block) in &views {
            all.extend_from_slice(&values[row * block..(row + 1) * block]);
        }
    }
    Some(T::wrap(all))
}

/// Tensors of one type joined along an axis.
pub fn join(parts: &[Tensor], axis: usize) -> Step<Tensor> {
    let dtype = parts[0].dtype;
    let parts: Vec<Tensor> = parts.iter().map(Tensor::physical).collect();
    let mut shape: Sizes = parts[0].shape.clone();
    shape[axis] = parts.iter().map(|t| t.shape[axis]).sum();
    let outer = shape[..axis].iter().product();
    let blocks: Vec<(&Tensor, usize)> = parts.iter().map(|t| (t, t.shape[axis..].iter().product())).collect();
    fn run<T: Element>(_: &[T], blocks: &[(&Tensor, usize)], outer: usize) -> Option<Data> {
        interleave::<T>(blocks, outer)
    }
    let data = crate::for_buffer!(&parts[0].data, v => run(v, &blocks, outer), none => Some(Data::None));
    let data = data.ok_or_else(|| Halt::unknown("parts of different types"))?;
    Ok(Tensor::with_data(dtype, shape, data).logical(dtype))
}

impl Primitive for Concatenate {
    fn name(&self) -> &'static str {
        "concatenate"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("dimension", text(self.axis.to_string()))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let fail = |message: String| Err(Halt::type_error(message));
        let Some(first) = inputs.first() else {
            return fail("concatenate expects at least one operand, got 0.".into());
        };
        let (rank, axis) = (first.rank(), self.axis);
        if inputs.iter().any(|a| a.rank() != rank) {
            return fail(format!(
                "Cannot concatenate arrays with different numbers of dimensions: got {}.",
                shapes(inputs)
            ));
        }
        if axis >= rank {
            let axis = axis as i64;
            return fail(format!(
                "concatenate dimension out of bounds: dimension {axis} for shapes {}.",
                shapes(inputs)
            ));
        }
        for other in &inputs[1..] {
            for i in (0..rank).filter(|&i| i != axis) {
                if !first.shape[i].same(other.shape[i])? {
                    return fail(format!(
                        "Cannot concatenate arrays with shapes that differ in dimensions other than the one being \
                         concatenated: concatenating along dimension {axis} for shapes {}.",
                        shapes(inputs)
                    ));
                }
            }
        }
        rules::check_same_dtypes("concatenate", inputs)?;
        let mut shape = first.shape.clone();
        shape[axis] = inputs.iter().map(|a| a.shape[axis]).sum();
        Ok(smallvec![Aval { dtype: first.dtype, shape, weak: inputs.iter().all(|a| a.weak) }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        Ok(smallvec![join(inputs, self.axis)?])
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, x, t)
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let Some(Some(ct)) = ct.first() else { return Ok(inputs.iter().map(|_| None).collect()) };
        let sizes: Shape = inputs.iter().map(|x| x.aval().shape[self.axis]).collect();
        let parts = build::split(cx, ct, &sizes, self.axis)?;
        Ok(parts.into_iter().zip(inputs).map(|(part, x)| x.is_linear().then_some(part)).collect())
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let size = rules::batch_size(inputs, dims)?;
        let parts = inputs.iter().zip(dims).map(|(x, &d)| match d {
            Some(dim) => rules::move_to_front(cx, x, dim),
            None => build::broadcast(cx, x, &[size]),
        });
        let parts = parts.collect::<Step<Vec<_>>>()?;
        Ok(rules::batched(build::concatenate(cx, &parts, self.axis.wrapping_add(1))?, 0))
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}

/// An array cut along an axis.
#[derive(Clone, Debug)]
pub struct Split {
    /// The sizes of the parts.
    pub sizes: Shape,
    /// The axis.
    pub axis: usize,
}

impl Split {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        let items = params.tuple("sizes")?;
        if items.iter().any(|v| v.as_int().is_some_and(|n| n < 0)) {
            let items: Vec<_> = items.iter().map(|v| v.as_int().unwrap_or(0).to_string()).collect();
            return Err(Halt::value_error(format!(
                "Sizes passed to split must be nonnegative, got [{}]",
                items.join(", ")
            )));
        }
        Ok(Rc::new(Split { sizes: params.shape("sizes")?, axis: params.index("axis")? }))
    }
}

impl Primitive for Split {
    fn name(&self) -> &'static str {
        "split"
    }
    fn multiple_results(&self) -> bool {
        true
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("axis", text(self.axis.to_string())), ("sizes", text(shape_tuple(&self.sizes)))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let x = inputs[0];
        let Some(&whole) = x.shape.get(self.axis) else {
            return Err(Halt::raise("IndexError", "tuple index out of range"));
        };
        let sum: Dim = self.sizes.iter().copied().sum();
        // Where that hangs on what symbols stand for, the program is taken at its word.
        if sum.equal(whole) == Some(false) {
            let shape: Vec<_> = x.shape.iter().map(Dim::to_string).collect();
            return Err(Halt::value_error(format!(
                "Sum of sizes {sum} must be equal to dimension {} of the operand shape [{}]",
                self.axis,
                shape.join(", ")
            )));
        }
        let part = |&size: &Dim| {
            let mut part = x.clone();
            part.shape[self.axis] = size;
            part
        };
        Ok(self.sizes.iter().map(part).collect())
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let x = &inputs[0];
        let mut starts: Axes = x.shape.iter().map(|_| 0).collect();
        let steps: Axes = x.shape.iter().map(|_| 1).collect();
        let mut window = x.shape.clone();
        let mut parts = SmallVec::new();
        for size in sizes(&self.sizes)? {
            window[self.axis] = size;
            parts.push(x.window(&starts, &window, &steps));
            starts[self.axis] += size;
        }
        Ok(parts)
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, x, t)
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let Operand::Linear(aval) = &inputs[0] else { return Ok(smallvec![None]) };
        let parts = self.abstract_eval(&[aval])?;
        let parts =
            ct.iter().zip(&parts).map(|(ct, aval)| build::instantiate(cx, ct, aval)).collect::<Step<Vec<_>>>()?;
        Ok(smallvec![Some(build::concatenate(cx, &parts, self.axis)?)])
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let dim = rules::only_dim(dims)?;
        let parts = build::split(cx, &inputs[0], &self.sizes, shifted(self.axis, dim))?;
        let dims = parts.iter().map(|_| Some(dim)).collect();
        Ok((parts, dims))
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}

/// Arrays of one shape joined along a new axis.
#[derive(Clone, Debug)]
pub struct Stack {
    /// The new axis.
    pub axis: usize,
}

impl Stack {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(Stack { axis: params.index("axis")? }))
    }
}

impl Primitive for Stack {
    fn name(&self) -> &'static str {
        "stack"
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("axis", text(self.axis.to_string()))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let fail = |message: String| Err(Halt::value_error(message));
        let Some(first) = inputs.first() else { return fail("stack expects at least one operand, got 0.".into()) };
        if inputs.iter().any(|a| a.rank() != first.rank()) {
            return fail(format!("Cannot stack arrays with different numbers of dimensions: got {}.", shapes(inputs)));
        }
        for other in &inputs[1..] {
            if !rules::same_shape(&first.shape, &other.shape)? {
                return fail(format!("All input arrays must have the same shape. Got {}.", shapes(inputs)));
            }
        }
        rules::check_same_dtypes("stack", inputs)?;
        let mut shape = first.shape.clone();
        shape.insert(self.axis.min(shape.len()), Dim::from(inputs.len()));
        Ok(smallvec![Aval { dtype: first.dtype, shape, weak: inputs.iter().all(|a| a.weak) }])
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let mut shape = inputs[0].shape.clone();
        shape.insert(self.axis.min(shape.len()), 1);
        let parts: Vec<Tensor> = inputs.iter().map(|t| t.reshaped(shape.clone())).collect();
        Ok(smallvec![join(&parts, self.axis.min(shape.len() - 1))?])
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, x, t)
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let Some(Some(ct)) = ct.first() else { return Ok(inputs.iter().map(|_| None).collect()) };
        let parts = cx.bind(Rc::new(Unstack { axis: self.axis }), &[ct.clone()])?;
        Ok(parts.into_iter().zip(inputs).map(|(part, x)| x.is_linear().then_some(part)).collect())
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        if let Some(dim) = dims[0].filter(|_| dims.iter().all(|d| *d == dims[0])) {
            let (axis, out) = if self.axis <= dim { (self.axis, dim + 1) } else { (self.axis + 1, dim) };
            return Ok(rules::batched(cx.bind1(Stack { axis }, inputs)?, out));
        }
        let size = rules::batch_size(inputs, dims)?;
        let parts = inputs.iter().zip(dims).map(|(x, &d)| match d {
            Some(dim) => rules::move_to_front(cx, x, dim),
            None => build::broadcast(cx, x, &[size]),
        });
        let parts = parts.collect::<Step<Vec<_>>>()?;
        Ok(rules::batched(cx.bind1(Stack { axis: self.axis + 1 }, &parts)?, 0))
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}

/// The parts of an array along an axis, without the axis.
#[derive(Clone, Debug)]
pub struct Unstack {
    /// The axis that goes away.
    pub axis: usize,
}

impl Unstack {
    /// From keyword parameters.
    pub fn make(params: &Params) -> Step<Rc<dyn Primitive>> {
        Ok(Rc::new(Unstack { axis: params.index("axis")? }))
    }
}

impl Primitive for Unstack {
    fn name(&self) -> &'static str {
        "unstack"
    }
    fn multiple_results(&self) -> bool {
        true
    }
    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("axis", text(self.axis.to_string()))]
    }
    fn abstract_eval(&self, inputs: &[&Aval]) -> Step<Avals> {
        let x = inputs[0];
        if x.rank() == 0 {
            return Err(Halt::value_error("Cannot unstack a scalar."));
        }
        let mut part = x.clone();
        let count = if self.axis < x.rank() { part.shape.remove(self.axis).get()? } else { 0 };
        Ok((0..count).map(|_| part.clone()).collect())
    }
    fn eval(&self, inputs: &[Tensor]) -> Step<SmallVec<[Tensor; 1]>> {
        let x = &inputs[0];
        let mut starts: Axes = x.shape.iter().map(|_| 0).collect();
        let steps: Axes = x.shape.iter().map(|_| 1).collect();
        let (mut window, mut shape) = (x.shape.clone(), x.shape.clone());
        window[self.axis] = 1;
        shape.remove(self.axis);
        let part = |i: usize| {
            starts[self.axis] = i;
            x.window(&starts, &window, &steps).reshaped(shape.clone())
        };
        Ok((0..x.shape[self.axis]).map(part).collect())
    }
    fn jvp(&self, cx: &Engine, x: &[Val], t: &[Option<Val>]) -> Step<(Vals, Tangents)> {
        rules::linear_jvp(cx, self, x, t)
    }
    fn transpose(&self, cx: &Engine, ct: &[Option<Val>], inputs: &[Operand]) -> Step<Tangents> {
        let Operand::Linear(aval) = &inputs[0] else { return Ok(smallvec![None]) };
        let parts = self.abstract_eval(&[aval])?;
        let parts =
            ct.iter().zip(&parts).map(|(ct, aval)| build::instantiate(cx, ct, aval)).collect::<Step<Vec<_>>>()?;
        Ok(smallvec![Some(cx.bind1(Stack { axis: self.axis }, &parts)?)])
    }
    fn batch(&self, cx: &Engine, inputs: &[Val], dims: &[Option<usize>]) -> Step<(Vals, Dims)> {
        let dim = rules::only_dim(dims)?;
        let (axis, out) = if self.axis < dim { (self.axis, dim - 1) } else { (self.axis + 1, dim) };
        let parts = cx.bind(Rc::new(Unstack { axis }), inputs)?;
        let dims = parts.iter().map(|_| Some(out)).collect();
        Ok((parts, dims))
    }
    fn cost(&self, _inputs: &[&Aval], _outputs: &[Aval]) -> u64 {
        0
    }
}
