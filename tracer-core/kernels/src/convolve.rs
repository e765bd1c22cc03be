//! Convolutions with any strides, dilations, padding and groups, as products with windows copied side by side.

use crate::matmul::{Matrix, Multiply, Sizes};
use crate::pool;
use crate::work::{self, LARGE, PART, Stop};

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

/// Windows of more taps have no list of what they meet.
const MOST_INSIDE: usize = 1 << 10;

/// So many windows at least are multiplied at a time, where there are as many.
const ROWS: usize = 64;

/// Windows of so few elements are not copied.
const FEW: usize = 32;

/// The sums of a position over what its window meets.
struct Features<'a, T> {
    taps: &'a [(usize, usize)],
    channels: usize,
    image: &'a [T],
    window: &'a [T],
    sums: &'a mut [T],
}

impl<T: Multiply> pulp::WithSimd for Features<'_, T> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _: S) {
        let features = self.sums.len();
        let mut from = 0;
        while from + 16 <= features {
            self.block::<16>(from);
            from += 16;
        }
        while from + 4 <= features {
            self.block::<4>(from);
            from += 4;
        }
        (from..features).for_each(|from| self.block::<1>(from));
    }
}

impl<T: Multiply> Features<'_, T> {
    /// The sums of some neighbouring features, which stay in registers.
    #[inline(always)]
    fn block<const N: usize>(&mut self, from: usize) {
        let features = self.sums.len();
        let mut sums = [T::ZERO; N];
        for &(tap, element) in self.taps {
            for (channel, &x) in self.image[element * self.channels..][..self.channels].iter().enumerate() {
                let factors = &self.window[(tap * self.channels + channel) * features + from..];
                let Some(factors) = factors.first_chunk::<N>() else { return };
                for (sum, &w) in sums.iter_mut().zip(factors) {
                    *sum = T::accumulate(*sum, x, w);
                }
            }
        }
        self.sums[from..from + N].copy_from_slice(&sums);
    }
}

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
        if rows * self.features == 0 || self.channels == 0 || self.taps() == 0 {
            return vec![T::ZERO; rows * self.features];
        }
        let mut out = pool::filled(rows * self.features);
        let groups = self.feature_groups.max(self.batch_groups);
        let (channels, features) = (self.channels / self.feature_groups, self.features / groups);
        if self.feature_groups > 1 && channels == 1 {
            self.by_channel(image, window, features, &mut out);
        } else if groups == 1 && self.taps() * channels <= FEW {
            self.by_feature(&Table::new(&self.axes), image, window, &mut out);
        } else {
            self.by_patches(image, window, &mut out, false);
        }
        out
    }

    /// Adds the result to what stands there.
    ///
    /// # Panics
    /// When a slice is too short for its sizes.
    pub fn add<T: Multiply>(&self, image: &[T], window: &[T], out: &mut [T]) {
        if self.images() * self.positions() * self.features * self.channels * self.taps() > 0 {
            self.by_patches(image, window, out, true);
        }
    }

    /// Products of the features' numbers with what windows meet, copied side by side.
    fn by_patches<T: Multiply>(&self, image: &[T], window: &[T], out: &mut [T], add: bool) {
        let rows = self.images() * self.positions();
        let groups = self.feature_groups.max(self.batch_groups);
        let (channels, features) = (self.channels / self.feature_groups, self.features / groups);
        let table = Table::new(&self.axes);
        let space = self.axes.iter().map(|axis| axis.size).product::<usize>();
        // Deep windows are copied in panels of some of their taps: so many rows fit beside each other that the product of a
        // panel reads the features' numbers seldom enough.
        let line = self.axes.last().map_or(1, |axis| axis.window);
        let lines = self.taps() / line;
        let panel = (BLOCK / ROWS / (line * channels)).clamp(1, lines) * line;
        let width = panel * channels;
        let block = (BLOCK / width).min(rows.div_ceil(4).next_multiple_of(8)).clamp(1, rows);
        let few = rows.saturating_mul(self.taps() * channels).saturating_mul(features * groups) < LARGE;
        let stop = Stop::here();
        work::parts(out, if few { usize::MAX } else { block * self.features }, |part, out| {
            let mut patches = pool::filled::<T>(block * width);
            let (first, rows) = (part * block, out.len() / self.features);
            for (start, group) in
                (0..rows).step_by(block).flat_map(|start| (0..groups).map(move |group| (start, group)))
            {
                let (first_image, first_channel) =
                    if self.batch_groups > 1 { (group * self.images(), 0) } else { (0, group * channels) };
                let count = block.min(rows - start);
                for tap in (0..self.taps()).step_by(panel) {
                    if stop.asked() {
                        return;
                    }
                    let taps = tap..self.taps().min(tap + panel);
                    let depth = taps.len() * channels;
                    for (row, patch) in (first + start..first + start + count).zip(patches.chunks_exact_mut(depth)) {
                        let from = (first_image + row / self.positions()) * space * self.channels + first_channel;
                        table.copy(row % self.positions(), &image[from..], self.channels, channels, &taps, patch);
                    }
                    let sizes = Sizes { m: count, k: depth, n: features };
                    let lhs = Matrix { data: &patches, row: depth, column: 1 };
                    let factors = &window[tap * channels * self.features + group * features..];
                    let rhs = Matrix { data: factors, row: self.features, column: 1 };
                    let at = start * self.features + group * features;
                    T::product(sizes, lhs, rhs, &mut out[at..], self.features, add || tap > 0);
                }
            }
            pool::give(patches);
        });
    }

    /// How many of so many rows are a part of the work: all, where they are little work together.
    fn rows_of_part(&self, rows: usize) -> usize {
        let row = self.features * self.taps();
        if rows.saturating_mul(row) < LARGE { rows.max(1) } else { (PART / row).max(1) }
    }

    /// Small windows of few channels: for each position the sum over what the window meets, all features side by side.
    fn by_feature<T: Multiply>(&self, table: &Table<'_>, image: &[T], window: &[T], out: &mut [T]) {
        let space = self.axes.iter().map(|axis| axis.size).product::<usize>();
        let rows = self.rows_of_part(out.len() / self.features);
        let run = |part: usize, out: &mut [T]| {
            let mut taps = Vec::new();
            for (row, sums) in out.chunks_exact_mut(self.features).enumerate() {
                let row = part * rows + row;
                let image = &image[row / self.positions() * space * self.channels..];
                table.meet(row % self.positions(), &mut taps);
                pulp::Arch::new().dispatch(Features { taps: &taps, channels: self.channels, image, window, sums });
            }
        };
        work::parts(out, rows * self.features, run);
    }

    /// One channel in each group: every channel by itself, `each` features from it.
    fn by_channel<T: Multiply>(&self, image: &[T], window: &[T], each: usize, out: &mut [T]) {
        let table = Table::new(&self.axes);
        let space = self.axes.iter().map(|axis| axis.size).product::<usize>();
        let rows = self.rows_of_part(out.len() / self.features);
        work::parts(out, rows * self.features, |part, out| {
            out.fill(T::ZERO);
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
pub(crate) struct Table<'a> {
    axes: &'a [Axis],
    /// By axis, position and tap: the element, in units of the last axis; `usize::MAX` for padding.
    elements: Vec<Vec<usize>>,
    /// Distance of an axis' elements, in units of the last axis.
    steps: Vec<usize>,
    /// What the taps meet from the window's first element on, where none is on padding and the image is not dilated.
    inside: Option<Vec<usize>>,
}

impl<'a> Table<'a> {
    pub(crate) fn new(axes: &'a [Axis]) -> Table<'a> {
        let mut stride = 1;
        let mut steps = Vec::new();
        let mut elements: Vec<Vec<usize>> = axes
            .iter()
            .rev()
            .map(|axis| {
                let step = stride;
                steps.push(step);
                stride *= axis.size;
                let at = |i: usize| axis.element(i / axis.window.max(1), i % axis.window.max(1));
                (0..axis.out * axis.window).map(|i| at(i).map_or(usize::MAX, |element| element * step)).collect()
            })
            .collect();
        elements.reverse();
        steps.reverse();
        let taps: usize = axes.iter().map(|axis| axis.window).product();
        let inside = axes.iter().all(|axis| axis.image_dilation == 1).then(|| {
            let element = |mut tap: usize| {
                let mut at = 0;
                for (axis, step) in axes.iter().zip(&steps).rev() {
                    at += tap % axis.window * axis.window_dilation * step;
                    tap /= axis.window;
                }
                at
            };
            (0..taps.min(MOST_INSIDE)).map(element).collect()
        });
        Table { axes, elements, steps, inside: inside.filter(|_| taps <= MOST_INSIDE) }
    }

    /// What the taps at a position meet that are not on padding.
    pub(crate) fn meet(&self, position: usize, taps: &mut Vec<(usize, usize)>) {
        taps.clear();
        if let Some(inside) = &self.inside
            && let Some(first) = self.first(position)
        {
            taps.extend(inside.iter().enumerate().map(|(tap, at)| (tap, first + at)));
            return;
        }
        self.visit(self.axes.len(), position, |tap, element| taps.push((tap, element)));
    }

    /// The element that the first tap meets, where no tap is on padding.
    fn first(&self, mut position: usize) -> Option<usize> {
        let mut at = 0;
        for (axis, step) in self.axes.iter().zip(&self.steps).rev() {
            let from = usize::try_from((position % axis.out * axis.stride) as i64 - axis.low).ok()?;
            if from + (axis.window.checked_sub(1)?) * axis.window_dilation >= axis.size {
                return None;
            }
            at += from * step;
            position /= axis.out;
        }
        Some(at)
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

    /// Copies some taps of the window at a position, whole rows along the last axis, channels innermost.
    fn copy<T: Multiply>(
        &self,
        position: usize,
        image: &[T],
        pixel: usize,
        channels: usize,
        taps: &std::ops::Range<usize>,
        patch: &mut [T],
    ) {
        patch.fill(T::ZERO);
        let Some((last, outer)) = self.axes.split_last() else {
            patch.copy_from_slice(&image[..channels]);
            return;
        };
        if channels != pixel || last.window_dilation != 1 || last.image_dilation != 1 {
            self.visit(self.axes.len(), position, |tap, element| {
                if taps.contains(&tap) {
                    let from = &image[element * pixel..][..channels];
                    patch[(tap - taps.start) * channels..][..channels].copy_from_slice(from);
                }
            });
            return;
        }
        // Neighbours along the last axis are neighbours in memory: one copy for each row of the window.
        let along = &self.elements[outer.len()][position % last.out * last.window..][..last.window];
        let inside = |&&element: &&usize| element != usize::MAX;
        let Some(first) = along.iter().position(|element| inside(&element)) else { return };
        let count = along.iter().filter(inside).count();
        self.visit(outer.len(), position / last.out, |line, element| {
            let tap = line * last.window;
            if taps.contains(&tap) {
                let from = &image[(element + along[first]) * channels..][..count * channels];
                patch[(tap - taps.start + first) * channels..][..count * channels].copy_from_slice(from);
            }
        });
    }
}
