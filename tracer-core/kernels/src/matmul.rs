//! Matrix products: the `gemm` crate for floating and complex numbers, a blocked loop for integers.

use std::sync::OnceLock;

use num_complex::Complex;

use crate::work::{self, Stop};

/// A matrix inside a slice: element `(i, j)` is at `i * row + j * column`.
#[derive(Copy, Clone, Debug)]
pub struct Matrix<'a, T> {
    /// The elements, from `(0, 0)` on.
    pub data: &'a [T],
    /// Distance of two rows.
    pub row: usize,
    /// Distance of two columns.
    pub column: usize,
}

impl<'a, T: Copy> Matrix<'a, T> {
    /// The part from this element on.
    fn from(self, row: usize, column: usize) -> Matrix<'a, T> {
        let at = row * self.row + column * self.column;
        Matrix { data: self.data.get(at..).unwrap_or_default(), ..self }
    }
    fn covers(&self, rows: usize, columns: usize) -> bool {
        rows == 0 || columns == 0 || (rows - 1) * self.row + (columns - 1) * self.column < self.data.len()
    }
}

/// Products of fewer numbers are not cut into tiles.
const MANY: usize = 1 << 22;

/// A tile is no more work than this: whoever stops a large product does not wait for longer.
const TILE: usize = 1 << 29;

/// In how many parts a product is computed. Every tile copies its part of both matrices: what takes some tens of microseconds is
/// halved, and no more.
fn parts(Sizes { m, k, n }: Sizes) -> usize {
    match m.saturating_mul(n).saturating_mul(k) {
        0..MANY => 1,
        work if work < MANY << 3 => 2,
        _ => 4,
    }
}

/// Rows that are computed together. It depends on the sizes alone.
fn row_tiles(sizes: Sizes) -> usize {
    match parts(sizes) {
        1 => sizes.m,
        count => sizes.m.div_ceil(count).next_multiple_of(32).clamp(32, 512),
    }
}

/// Fewer columns are not cut.
const COLUMNS: usize = 64;

/// Rows and columns of the tiles that a product is computed in, as [`row_tiles`]. `gemm` packs the left matrix fastest: where there is a
/// choice, the columns are cut, which does not pack the right one twice.
fn tiles(sizes: Sizes) -> (usize, usize) {
    let Sizes { m, k, n } = sizes;
    let count = parts(sizes);
    if count == 1 {
        return (m, n);
    }
    let (rows, columns) = match n.div_ceil(count) {
        columns @ COLUMNS.. => (m, columns.next_multiple_of(16)),
        _ => (row_tiles(sizes), n),
    };
    let most = |other: usize| (TILE / other.saturating_mul(k).max(1)) & !63;
    let columns = columns.min(most(rows.min(512)).max(COLUMNS));
    (rows.min(most(columns).max(32)), columns)
}

/// Where the results of tiles go.
struct Place<T>(*mut T);

// The reason for `unsafe`: tiles of a product lie beside each other in rows that they share, which no slices can say. Each is written by
// one thread, and none of their elements is in two of them.
#[allow(unsafe_code)]
unsafe impl<T: Send> Sync for Place<T> {}

/// Products of so few numbers are not worth the preparations of the large ones.
const FEW: usize = 64;

/// Sizes of a product: `m×k` times `k×n`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Sizes {
    pub m: usize,
    pub k: usize,
    pub n: usize,
}

/// A type that matrices can be multiplied of.
pub trait Multiply: Copy + Default + Send + Sync + 'static {
    /// 0
    const ZERO: Self;
    /// `sum + a * b`
    fn accumulate(sum: Self, a: Self, b: Self) -> Self;
    /// Writes `lhs · rhs` to the `m×n` matrix `out`, whose rows are `row` apart.
    ///
    /// # Panics
    /// When a slice is too short for its sizes.
    fn matmul(sizes: Sizes, lhs: Matrix<'_, Self>, rhs: Matrix<'_, Self>, out: &mut [Self], row: usize) {
        Self::product(sizes, lhs, rhs, out, row, false);
    }
    /// [`Multiply::matmul`], or the sum of the product and what stands in `out`.
    ///
    /// # Panics
    /// As [`Multiply::matmul`].
    fn product(sizes: Sizes, lhs: Matrix<'_, Self>, rhs: Matrix<'_, Self>, out: &mut [Self], row: usize, add: bool);
}

/// Lets the `gemm` crate look at the machine, which it does before its first product: it reads two hundred small files.
pub fn look_at_machine() {
    const SIZE: usize = 16;
    let ones = [1.0f32; SIZE * SIZE];
    let matrix = Matrix { data: &ones[..], row: SIZE, column: 1 };
    f32::matmul(Sizes { m: SIZE, k: SIZE, n: SIZE }, matrix, matrix, &mut [0.0; SIZE * SIZE], SIZE);
}

/// Whether the `gemm` crate finds files that say what the machine is: where it finds none it would start `lscpu`, and nothing here
/// starts a process.
fn describes_itself() -> bool {
    static DESCRIBED: OnceLock<bool> = OnceLock::new();
    *DESCRIBED.get_or_init(|| !cfg!(target_os = "linux") || std::fs::read_dir("/sys/devices/system/cpu").is_ok())
}

fn check<T: Copy>(sizes: Sizes, lhs: &Matrix<'_, T>, rhs: &Matrix<'_, T>, out: &[T], row: usize) {
    assert!(lhs.covers(sizes.m, sizes.k) && rhs.covers(sizes.k, sizes.n) && row >= sizes.n);
    assert!(Matrix { data: out, row, column: 1 }.covers(sizes.m, sizes.n));
}

fn clear<T: Copy>(sizes: Sizes, out: &mut [T], row: usize, zero: T) {
    for i in 0..sizes.m {
        out[i * row..i * row + sizes.n].fill(zero);
    }
}

fn by_element<T: Multiply>(sizes: Sizes, lhs: Matrix<'_, T>, rhs: Matrix<'_, T>, out: &mut [T], row: usize, add: bool) {
    for i in 0..sizes.m {
        for j in 0..sizes.n {
            let pair = |l: usize| (lhs.data[i * lhs.row + l * lhs.column], rhs.data[l * rhs.row + j * rhs.column]);
            let start = if add { out[i * row + j] } else { T::ZERO };
            out[i * row + j] = (0..sizes.k).map(pair).fold(start, |sum, (a, b)| T::accumulate(sum, a, b));
        }
    }
}

macro_rules! by_gemm {
    ($($ty:ty, $zero:expr, $one:expr;)*) => {$(
        impl Multiply for $ty {
            const ZERO: Self = $zero;
            fn accumulate(sum: Self, a: Self, b: Self) -> Self {
                sum + a * b
            }
            fn product(
                sizes: Sizes, lhs: Matrix<'_, Self>, rhs: Matrix<'_, Self>, out: &mut [Self], row: usize, add: bool,
            ) {
                check(sizes, &lhs, &rhs, out, row);
                let Sizes { m, k, n } = sizes;
                if m == 0 || n == 0 {
                    return;
                }
                if k == 0 {
                    if add {
                        return;
                    }
                    return clear(sizes, out, row, Self::ZERO);
                }
                if m.saturating_mul(n).saturating_mul(k) <= FEW || !describes_itself() {
                    return by_element(sizes, lhs, rhs, out, row, add);
                }
                let (rows, columns) = tiles(sizes);
                let across = n.div_ceil(columns);
                let count = m.div_ceil(rows) * across;
                let (stop, place) = (Stop::here(), Place(out.as_mut_ptr()));
                let place = &place;
                work::share(0..count, count, |_, tile| {
                    let (top, left) = (tile / across * rows, tile % across * columns);
                    let (m, n) = (rows.min(m - top), columns.min(n - left));
                    let (lhs, rhs) = (lhs.from(top, 0), rhs.from(0, left));
                    assert!(lhs.covers(m, k) && rhs.covers(k, n));
                    if stop.asked() {
                        return;
                    }
                    // The reason for `unsafe`: the crate that is level with OpenBLAS takes pointers. All three matrices lie inside of
                    // their slices: this has just been made sure of for the operands' tiles, and `check` has for `out`, of which the
                    // tile is a part that nobody else writes.
                    #[allow(unsafe_code)]
                    unsafe {
                        gemm::gemm(
                            m, n, k,
                            place.0.add(top * row + left), 1, row as isize, add,
                            lhs.data.as_ptr(), lhs.column as isize, lhs.row as isize,
                            rhs.data.as_ptr(), rhs.column as isize, rhs.row as isize,
                            if add { $one } else { Self::ZERO }, $one, false, false, false, gemm::Parallelism::None,
                        );
                    }
                });
            }
        }
    )*};
}

by_gemm! {
    f32, 0.0, 1.0;
    f64, 0.0, 1.0;
    Complex<f32>, Complex::new(0.0, 0.0), Complex::new(1.0, 0.0);
    Complex<f64>, Complex::new(0.0, 0.0), Complex::new(1.0, 0.0);
}

macro_rules! by_loops {
    ($($ty:ty)*) => {$(
        impl Multiply for $ty {
            const ZERO: Self = 0;
            fn accumulate(sum: Self, a: Self, b: Self) -> Self {
                sum.wrapping_add(a.wrapping_mul(b))
            }
            fn product(
                sizes: Sizes, lhs: Matrix<'_, Self>, rhs: Matrix<'_, Self>, out: &mut [Self], row: usize, add: bool,
            ) {
                loops(sizes, lhs, rhs, out, row, add);
            }
        }
    )*};
}

by_loops! { i8 i16 i32 i64 u8 u16 u32 u64 }

impl Multiply for bool {
    const ZERO: Self = false;
    fn accumulate(sum: Self, a: Self, b: Self) -> Self {
        sum | (a & b)
    }
    fn product(sizes: Sizes, lhs: Matrix<'_, Self>, rhs: Matrix<'_, Self>, out: &mut [Self], row: usize, add: bool) {
        loops(sizes, lhs, rhs, out, row, add);
    }
}

/// Rows of `out` as sums of rows of `rhs`, a panel of it at a time; the inner loop runs over contiguous memory and
/// vectorizes.
fn loops<T: Multiply>(sizes: Sizes, lhs: Matrix<'_, T>, rhs: Matrix<'_, T>, out: &mut [T], row: usize, add: bool) {
    check(sizes, &lhs, &rhs, out, row);
    if !add {
        clear(sizes, out, row, T::ZERO);
    }
    let Sizes { m, k, n } = sizes;
    if m == 0 || n == 0 || k == 0 {
        return;
    }
    let rows = row_tiles(sizes);
    work::parts(&mut out[..(m - 1) * row + n], rows.saturating_mul(row), |i, out| {
        panels(Sizes { m: rows.min(m - i * rows), k, n }, lhs.from(i * rows, 0), rhs, out, row);
    });
}

/// [`loops`] on a thread, for sizes that are not 0 and sums that start from what stands there.
fn panels<T: Multiply>(sizes: Sizes, lhs: Matrix<'_, T>, rhs: Matrix<'_, T>, out: &mut [T], row: usize) {
    const DEPTH: usize = 64;
    let Sizes { m, k, n } = sizes;
    let stop = Stop::here();
    let mut panel = vec![T::ZERO; DEPTH.min(k) * n];
    let arch = pulp::Arch::new();
    for start in (0..k).step_by(DEPTH) {
        if stop.asked() {
            return;
        }
        let depth = DEPTH.min(k - start);
        for p in 0..depth {
            let from = (start + p) * rhs.row;
            for (j, x) in panel[p * n..(p + 1) * n].iter_mut().enumerate() {
                *x = rhs.data[from + j * rhs.column];
            }
        }
        arch.dispatch(|| {
            for i in 0..m {
                let sums = &mut out[i * row..i * row + n];
                for p in 0..depth {
                    let a = lhs.data[i * lhs.row + (start + p) * lhs.column];
                    for (sum, &b) in sums.iter_mut().zip(&panel[p * n..(p + 1) * n]) {
                        *sum = T::accumulate(*sum, a, b);
                    }
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_and_sums() {
        let sizes = Sizes { m: 2, k: 3, n: 2 };
        let (a, b) = ([1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]);
        let mut out = [0; 4];
        let rhs = Matrix { data: &b[..], row: 2, column: 1 };
        i32::matmul(sizes, Matrix { data: &a, row: 3, column: 1 }, rhs, &mut out, 2);
        assert_eq!(out, [58, 64, 139, 154]);
        i32::matmul(sizes, Matrix { data: &a, row: 1, column: 2 }, rhs, &mut out, 2);
        assert_eq!(out, [89, 98, 116, 128]);
        let (a, b) = (a.map(f64::from), b.map(f64::from));
        let mut out = [0.0; 4];
        let (lhs, rhs) = (Matrix { data: &a[..], row: 3, column: 1 }, Matrix { data: &b[..], row: 2, column: 1 });
        f64::matmul(sizes, lhs, rhs, &mut out, 2);
        assert_eq!(out, [58.0, 64.0, 139.0, 154.0]);
        f64::product(sizes, lhs, rhs, &mut out, 2, true);
        assert_eq!(out, [116.0, 128.0, 278.0, 308.0]);
        f64::product(Sizes { k: 0, ..sizes }, lhs, rhs, &mut out, 2, true);
        assert_eq!(out, [116.0, 128.0, 278.0, 308.0]);
        f64::matmul(Sizes { k: 0, ..sizes }, lhs, rhs, &mut out, 2);
        assert_eq!(out, [0.0; 4]);
    }

    #[test]
    fn tiles_cover_the_product() {
        let sizes = Sizes { m: 301, k: 130, n: 257 };
        let (rows, columns) = tiles(sizes);
        assert!(rows == sizes.m && columns < sizes.n);
        let value = |i: usize, j: usize| ((i * 7 + j * 13) % 11) as f64 - 5.0;
        let a: Vec<f64> = (0..301 * 130).map(|at| value(at / 130, at % 130)).collect();
        let b: Vec<f64> = (0..130 * 257).map(|at| value(at % 257, at / 257)).collect();
        let (lhs, rhs) = (Matrix { data: &a[..], row: 130, column: 1 }, Matrix { data: &b[..], row: 257, column: 1 });
        let mut out = vec![0.0; 301 * 257];
        f64::matmul(sizes, lhs, rhs, &mut out, 257);
        let (a, b): (Vec<i64>, Vec<i64>) =
            (a.iter().map(|x| *x as i64).collect(), b.iter().map(|x| *x as i64).collect());
        let (lhs, rhs) = (Matrix { data: &a[..], row: 130, column: 1 }, Matrix { data: &b[..], row: 257, column: 1 });
        let mut integers = vec![0; 301 * 257];
        i64::matmul(sizes, lhs, rhs, &mut integers, 257);
        let expected = |i: usize, j: usize| (0..130).map(|l| a[i * 130 + l] * b[l * 257 + j]).sum::<i64>();
        assert!((0..301 * 257).all(|at| integers[at] == expected(at / 257, at % 257)));
        assert!(out.iter().zip(&integers).all(|(x, y)| *x == *y as f64));
    }

    #[test]
    fn no_tile_is_much_work() {
        for (m, k, n) in
            [(4096, 4096, 4096), (60_000, 3_000, 8), (8, 3_000, 60_000), (300, 1 << 20, 300), (700, 900, 20)]
        {
            let (rows, columns) = tiles(Sizes { m, k, n });
            assert!(
                rows <= m.max(32) && rows * columns * k <= TILE || (rows, columns) == (32, COLUMNS),
                "{rows} {columns}"
            );
            assert!(rows < m || columns < n);
        }
    }

    #[test]
    fn tiles_of_rows_cover_the_product() {
        let sizes = Sizes { m: 1_000, k: 300, n: 20 };
        assert!(tiles(sizes).0 < sizes.m);
        let (a, b) = (vec![1.0f32; 1_000 * 300], vec![2.0f32; 300 * 20]);
        // A matrix in a wider one: what lies beside it stays.
        let mut out = vec![7.0; 1_000 * 32];
        let (lhs, rhs) = (Matrix { data: &a[..], row: 300, column: 1 }, Matrix { data: &b[..], row: 20, column: 1 });
        f32::matmul(sizes, lhs, rhs, &mut out, 32);
        assert!(out.iter().enumerate().all(|(at, x)| *x == if at % 32 < 20 { 600.0 } else { 7.0 }));
    }

    #[test]
    fn few_numbers_give_what_many_give() {
        let entry = |i: usize, j: usize| (i * 5 + j * 3) as f64 - 7.5;
        let small: Vec<f64> = (0..9).map(|at| entry(at / 3, at % 3)).collect();
        // The same in a corner of a product that is not done element by element.
        let large: Vec<f64> =
            (0..64).map(|at| if at / 8 < 3 && at % 8 < 3 { entry(at / 8, at % 8) } else { 0.0 }).collect();
        let (mut few, mut many) = ([0.0; 9], [0.0; 64]);
        let (a, b) = (Matrix { data: &small[..], row: 3, column: 1 }, Matrix { data: &large[..], row: 8, column: 1 });
        f64::matmul(Sizes { m: 3, k: 3, n: 3 }, a, a, &mut few, 3);
        f64::matmul(Sizes { m: 8, k: 8, n: 8 }, b, b, &mut many, 8);
        assert!((0..9).all(|at| few[at] == many[at / 3 * 8 + at % 3]) && few != [0.0; 9]);
    }
}
