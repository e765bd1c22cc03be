//! Movement of elements: broadcasting, permuting and slicing are one strided copy.

use smallvec::SmallVec;

use super::tensor::{Data, Element, Sizes, Tensor};
use crate::python::{Halt, Step};

/// Steps between neighbours along each axis, in elements.
pub type Strides = SmallVec<[isize; 4]>;

/// The strides of a row-major array.
pub fn row_major(shape: &[usize]) -> Strides {
    let mut strides = Strides::from_elem(1, shape.len());
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis] as isize;
    }
    strides
}

/// Positions of an array's elements under other strides, in row-major order of `shape`.
pub struct Positions<'a> {
    shape: &'a [usize],
    strides: &'a [isize],
    index: Sizes,
    at: isize,
    left: usize,
}

/// Walks over `shape` and gives the position of each element under `strides` from `offset`.
pub fn positions<'a>(shape: &'a [usize], strides: &'a [isize], offset: isize) -> Positions<'a> {
    Positions { shape, strides, index: shape.iter().map(|_| 0).collect(), at: offset, left: shape.iter().product() }
}

impl Iterator for Positions<'_> {
    type Item = usize;
    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let here = self.at;
        for axis in (0..self.shape.len()).rev() {
            self.index[axis] += 1;
            self.at += self.strides[axis];
            if self.index[axis] < self.shape[axis] {
                break;
            }
            self.at -= self.strides[axis] * self.shape[axis] as isize;
            self.index[axis] = 0;
        }
        Some(here as usize)
    }
}

impl Data {
    /// The elements at strided positions, row-major.
    pub fn restride(&self, shape: &[usize], strides: &[isize], offset: isize) -> Data {
        fn wrap<T: Element>(from: &[T], shape: &[usize], strides: &[isize], offset: isize) -> Data {
            T::wrap(jitlens_kernels::copy::strided(from, shape, strides, offset))
        }
        crate::for_buffer!(self, v => wrap(v, shape, strides, offset), none => Data::None)
    }
}

impl Tensor {
    /// A view by strides, copied: element `i` of the result is at `offset + sum(i * strides)`.
    pub fn restride(&self, shape: &[usize], strides: &[isize], offset: isize) -> Tensor {
        if let crate::array::DType::Key(key) = self.dtype {
            let words = key.words();
            let shape: Sizes = shape.iter().copied().chain([words]).collect();
            let strides: Strides = strides.iter().map(|s| s * words as isize).chain([1]).collect();
            let physical = self.physical().restride(&shape, &strides, offset * words as isize);
            return physical.logical(self.dtype);
        }
        let data = self.data.restride(shape, strides, offset);
        Tensor { dtype: self.dtype, shape: Sizes::from_slice(shape), data }
    }

    /// Input axis `i` becomes output axis `axes[i]`; axes of size 1 and new axes are repeated.
    pub fn broadcast_in_dim(&self, shape: &[usize], axes: &[usize]) -> Tensor {
        if self.shape[..] == *shape && axes.iter().copied().eq(0..shape.len()) {
            return self.clone();
        }
        let own = row_major(&self.shape);
        let mut strides = Strides::from_elem(0, shape.len());
        for (i, &axis) in axes.iter().enumerate() {
            if self.shape[i] != 1 || shape[axis] == 1 {
                strides[axis] = own[i];
            }
        }
        self.restride(shape, &strides, 0)
    }

    /// As NumPy broadcasts: trailing axes are matched.
    pub fn broadcast_to(&self, shape: &[usize]) -> Tensor {
        let skip = shape.len().saturating_sub(self.shape.len());
        let axes: Sizes = (skip..shape.len()).collect();
        self.broadcast_in_dim(shape, &axes)
    }

    /// Output axis `i` is input axis `permutation[i]`.
    pub fn permute(&self, permutation: &[usize]) -> Tensor {
        if permutation.iter().copied().eq(0..self.shape.len()) {
            return self.clone();
        }
        let own = row_major(&self.shape);
        let shape: Sizes = permutation.iter().map(|&axis| self.shape[axis]).collect();
        let strides: Strides = permutation.iter().map(|&axis| own[axis]).collect();
        self.restride(&shape, &strides, 0)
    }

    /// Every `steps[i]`-th element from `starts[i]`, `sizes[i]` of them.
    pub fn window(&self, starts: &[usize], sizes: &[usize], steps: &[usize]) -> Tensor {
        let own = row_major(&self.shape);
        let empty = sizes.contains(&0);
        let offset = if empty { 0 } else { starts.iter().zip(&own).map(|(&s, &o)| s as isize * o).sum() };
        let strides: Strides = own.iter().zip(steps).map(|(&o, &s)| o * s as isize).collect();
        self.restride(sizes, &strides, offset)
    }

    /// Words of an element.
    fn words(&self) -> usize {
        if let crate::array::DType::Key(key) = self.dtype { key.words() } else { 1 }
    }

    /// The slice at this place of the first axis.
    ///
    /// # Panics
    /// When there is no such axis or place.
    pub fn row(&self, at: usize) -> Tensor {
        fn cut<T: Element>(all: &[T], at: usize, length: usize) -> Data {
            let mut out = jitlens_kernels::pool::empty(length);
            out.extend_from_slice(&all[at * length..(at + 1) * length]);
            T::wrap(out)
        }
        let shape = Sizes::from_slice(&self.shape[1..]);
        let length = shape.iter().product::<usize>() * self.words();
        let data = crate::for_buffer!(&self.data, v => cut(v, at, length), none => Data::None);
        Tensor { dtype: self.dtype, shape, data }
    }

    /// Overwrites the slice at this place of the first axis.
    ///
    /// # Errors
    /// Unknown where the slice is of another type or size.
    pub fn put_row(&mut self, at: usize, row: &Tensor) -> Step<()> {
        fn put<T: Element>(into: &mut Data, at: usize, from: &[T]) -> Option<()> {
            T::edit(into)?.get_mut(at * from.len()..(at + 1) * from.len())?.copy_from_slice(from);
            Some(())
        }
        let done = self.dtype == row.dtype
            && self.shape[1..] == row.shape[..]
            && crate::for_buffer!(&row.data, v => put(&mut self.data, at, v), none => Some(())).is_some();
        if done { Ok(()) } else { Err(Halt::unknown("a slice that does not fit its array")) }
    }

    /// Overwrites slices from this place of the first axis on.
    ///
    /// # Errors
    /// Unknown where they are of another type or size.
    pub fn put_rows(&mut self, at: usize, rows: &Tensor) -> Step<()> {
        fn put<T: Element>(into: &mut Data, start: usize, from: &[T]) -> Option<()> {
            T::edit(into)?.get_mut(start..start + from.len())?.copy_from_slice(from);
            Some(())
        }
        let start = at * self.shape[1..].iter().product::<usize>() * self.words();
        let done = self.dtype == rows.dtype
            && self.shape[1..] == rows.shape[1..]
            && crate::for_buffer!(&rows.data, v => put(&mut self.data, start, v), none => Some(())).is_some();
        if done { Ok(()) } else { Err(Halt::unknown("slices that do not fit their array")) }
    }

    /// Writes `update` over a window of this array.
    pub fn write_window(self, update: &Tensor, starts: &[usize], steps: &[usize]) -> Tensor {
        fn write<T: Element>(
            into: Data,
            from: &[T],
            shape: &[usize],
            strides: &[isize],
            offset: isize,
        ) -> Option<Data> {
            let mut values = T::take(into)?;
            jitlens_kernels::copy::write(&mut values, from, shape, strides, offset);
            Some(T::wrap(values))
        }
        let words = self.words();
        let own = row_major(&self.shape);
        let offset: isize = starts.iter().zip(&own).map(|(&s, &o)| s as isize * o).sum();
        let mut strides: Strides = own.iter().zip(steps).map(|(&o, &s)| o * s as isize).collect();
        let mut sizes = update.shape.clone();
        if words > 1 {
            strides.iter_mut().for_each(|s| *s *= words as isize);
            strides.push(1);
            sizes.push(words);
        }
        let (dtype, shape, kept) = (self.dtype, self.shape, self.data);
        let offset = offset * words as isize;
        let data =
            crate::for_buffer!(&update.data, v => write(kept, v, &sizes, &strides, offset), none => Some(Data::None));
        Tensor { dtype, shape, data: data.unwrap_or(Data::None) }
    }
}

/// The shape that NumPy broadcasts these shapes to; none if they do not fit.
pub fn broadcast_shapes<'a>(shapes: impl IntoIterator<Item = &'a [usize]>) -> Option<Sizes> {
    let mut result: Sizes = Sizes::new();
    for shape in shapes {
        while result.len() < shape.len() {
            result.insert(0, 1);
        }
        let skip = result.len() - shape.len();
        for (axis, &size) in shape.iter().enumerate() {
            match (result[skip + axis], size) {
                (a, b) if a == b => {}
                (1, b) => result[skip + axis] = b,
                (_, 1) => {}
                _ => return None,
            }
        }
    }
    Some(result)
}
