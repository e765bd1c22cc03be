//! Convolutions with any strides, dilations, padding and groups, as products with windows copied side by side.

use crate::matmul::{Matrix, Multiply, Sizes};
use crate::pool;
use crate::work::{self, LARGE, PART};

/// A convolution of `[batch, space…, channels]` with `[window…, channels of a group, features]`.
#[derive(Clone, Debug)]
pub struct Convolution {
    /// Images.
    pub batch: usize,
    /// Channels of an image.
    pub channels: usize,
    /// Channels of the result.
    pub features: usize,
    /// Groups of channels, each with its own features.
    pub feature_groups: usize,
    /// Groups of images, each with its own features.
    pub batch_groups: usize,
    /// The axes of space.
    pub axes: Vec<Axis>,
}

/// One axis of space.
#[derive(Copy, Clone, Debug)]
pub struct Axis {
    /// Elements of the image.
    pub size: usize,
    /// Elements of the window.
    pub window: usize,
    /// Elements of the result.
    pub out: usize,
    /// Elements that the window moves on by.
    pub stride: usize,
    /// Zeros in front of the image (negative: elements left out).
    pub low: i64,
    /// Distance of the image's elements after dilation.
    pub image_dilation: usize,
    /// Distance of the window's elements after dilation.
    pub window_dilation: usize,
}

impl Axis {
    /// The element of the image that meets element `tap` of the window at position `out`, if it is not padding.
    pub fn element(&self, out: usize, tap: usize) -> Option<usize> {
        let at = (out * self.stride + tap * self.window_dilation) as i64 - self.low;
        let at = usize::try_from(at).ok()?;
        let element = at / self.image_dilation;
        (at % self.image_dilation == 0 && element < self.size).then_some(element)
    }
}

/// Elements of a block of windows copied side by side.
const BLOCK: usize = 1 << 17;

impl Convolution {
    fn images(&self) -> usize {
        self.batch / self.batch_groups
    }
    fn positions(&self) -> usize {
        self.axes.iter().map(|axis| axis.out).product()
    }
    fn taps(&self) -> usize {
        self.axes.iter().map(|axis| axis.window).product()
    }

    /// The result, `[batch / batch groups, space…, features]`.
    ///
    /// # Panics
    /// When a slice is too short for its sizes.
    pub fn run<T: Multiply>(&self, image: &[T], window: &[T]) -> Vec<T> {
        let rows = self.images() * self.positions();
        let mut out = vec![T::ZERO; rows * self.features];
        if out.is_empty() || self.channels == 0 || self.taps() == 0 {
            return out;
        }
        let groups = self.feature_groups.max(self.batch_groups);
        let (channels, features) = (self.channels / self.feature_groups, self.features / groups);
        if self.feature_groups > 1 && channels == 1 {
            self.by_channel(image, window, features, &mut out);
            return out;
        }
        let depth = self.taps() * channels;
        let block = (BLOCK / depth).clamp(1, rows);
        let table = Table::new(&self.axes);
        let space = self.axes.iter().map(|axis| axis.size).product::<usize>();
        let few = rows.saturating_mul(depth).saturating_mul(features * groups) < LARGE;
        work::parts(&mut out, if few { usize::MAX } else { block * self.features }, |part, out| {
            let mut patches = pool::filled::<T>(block * depth);
            let (first, rows) = (part * block, out.len() / self.features);
            for (start, group) in
                (0..rows).step_by(block).flat_map(|start| (0..groups).map(move |group| (start, group)))
            {
                let (first_image, first_channel) =
                    if self.batch_groups > 1 { (group * self.images(), 0) } else { (0, group * channels) };
                let count = block.min(rows - start);
                for (row, patch) in (first + start..first + start + count).zip(patches.chunks_exact_mut(depth)) {
                    let from = (first_image + row / self.positions()) * space * self.channels + first_channel;
                    table.copy(row % self.positions(), &image[from..], self.channels, channels, patch);
                }
                let sizes = Sizes { m: count, k: depth, n: features };
                let lhs = Matrix { data: &patches, row: depth, column: 1 };
                let rhs = Matrix { data: &window[group * features..], row: self.features, column: 1 };
                let at = start * self.features + group * features;
                T::matmul(sizes, lhs, rhs, &mut out[at..], self.features);
            }
            pool::give(patches);
        });
        out
    }

    /// One channel in each group: every channel by itself, `each` features from it.
    fn by_channel<T: Multiply>(&self, image: &[T], window: &[T], each: usize, out: &mut [T]) {
        let table = Table::new(&self.axes);
        let space = self.axes.iter().map(|axis| axis.size).product::<usize>();
        let rows = (PART / (self.features * self.taps())).max(1);
        work::parts(out, rows * self.features, |part, out| {
            pulp::Arch::new().dispatch(|| {
                for (row, sums) in out.chunks_exact_mut(self.features).enumerate() {
                    let row = part * rows + row;
                    let from = row / self.positions() * space * self.channels;
                    table.visit(self.axes.len(), row % self.positions(), |tap, element| {
                        let pixel = &image[from + element * self.channels..][..self.channels];
                        let factors = &window[tap * self.features..][..self.features];
                        if each == 1 {
                            for ((sum, &x), &w) in sums.iter_mut().zip(pixel).zip(factors) {
                                *sum = T::accumulate(*sum, x, w);
                            }
                        } else {
                            for (i, (sum, &w)) in sums.iter_mut().zip(factors).enumerate() {
                                *sum = T::accumulate(*sum, pixel[i / each], w);
                            }
                        }
                    });
                }
            })
        });
    }
}

/// For every axis, which element of the image meets which tap of the window.
struct Table<'a> {
    axes: &'a [Axis],
    /// By axis, position and tap: the element, in units of the last axis; `usize::MAX` for padding.
    elements: Vec<Vec<usize>>,
}

impl<'a> Table<'a> {
    fn new(axes: &'a [Axis]) -> Table<'a> {
        let mut stride = 1;
        let mut elements: Vec<Vec<usize>> = axes
            .iter()
            .rev()
            .map(|axis| {
                let step = stride;
                stride *= axis.size;
                let at = |i: usize| axis.element(i / axis.window.max(1), i % axis.window.max(1));
                (0..axis.out * axis.window).map(|i| at(i).map_or(usize::MAX, |element| element * step)).collect()
            })
            .collect();
        elements.reverse();
        Table { axes, elements }
    }

    /// The taps of the window at a position that are not on padding, with the element of the image that each meets; over
    /// the leading `count` axes.
    fn visit(&self, count: usize, position: usize, mut each: impl FnMut(usize, usize)) {
        fn walk(
            (axes, elements): (&[Axis], &[Vec<usize>]),
            rest: usize,
            tap: usize,
            element: usize,
            each: &mut impl FnMut(usize, usize),
        ) {
            let Some((this, more)) = axes.split_first() else { return each(tap, element) };
            let inner: usize = more.iter().map(|axis| axis.out).product();
            let taps = &elements[0][rest / inner * this.window..][..this.window];
            for (i, &offset) in taps.iter().enumerate() {
                if offset != usize::MAX {
                    walk((more, &elements[1..]), rest % inner, tap * this.window + i, element + offset, each);
                }
            }
        }
        walk((&self.axes[..count], &self.elements), position, 0, 0, &mut each);
    }

    /// Copies the window at a position, channels innermost.
    fn copy<T: Multiply>(&self, position: usize, image: &[T], pixel: usize, channels: usize, patch: &mut [T]) {
        patch.fill(T::ZERO);
        let Some((last, outer)) = self.axes.split_last() else {
            patch.copy_from_slice(&image[..channels]);
            return;
        };
        if channels != pixel || last.window_dilation != 1 || last.image_dilation != 1 {
            self.visit(self.axes.len(), position, |tap, element| {
                let from = &image[element * pixel..][..channels];
                patch[tap * channels..][..channels].copy_from_slice(from);
            });
            return;
        }
        // Neighbours along the last axis are neighbours in memory: one copy for each row of the window.
        let taps = &self.elements[outer.len()][position % last.out * last.window..][..last.window];
        let inside = |&&element: &&usize| element != usize::MAX;
        let Some(first) = taps.iter().position(|element| inside(&element)) else { return };
        let count = taps.iter().filter(inside).count();
        self.visit(outer.len(), position / last.out, |tap, element| {
            let from = &image[(element + taps[first]) * channels..][..count * channels];
            patch[(tap * last.window + first) * channels..][..count * channels].copy_from_slice(from);
        });
    }
}
