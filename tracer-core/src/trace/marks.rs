//! Marks of equations: which expression of the user's wrote one and, where somebody wants to know, through which calls.

use crate::module::ExprId;
use crate::python::FileId;

/// Widths of the three numbers in a mark: from the lowest bits on the expression, the file, and the calls.
const EXPR: u32 = 24;
const FILE: u32 = 16;

/// The mark of equations that an expression of a user's file writes; 0, as where there is none, for numbers that no program has.
pub fn of_source(file: FileId, expr: ExprId) -> u64 {
    let (file, expr) = (u64::from(file.0) + 1, u64::from(expr.0));
    if file >> FILE != 0 || expr >> EXPR != 0 { 0 } else { file << EXPR | expr }
}

/// The file and expression of a mark.
pub fn source(mark: u64) -> Option<(FileId, ExprId)> {
    let file = (mark >> EXPR & ((1 << FILE) - 1)).checked_sub(1)?;
    Some((FileId(file as u32), ExprId((mark & ((1 << EXPR) - 1)) as u32)))
}

/// A mark with the number of the calls that led to it, unless it has one. What replays an equation hands its mark on.
pub fn with_calls(mark: u64, number: impl FnOnce() -> usize) -> u64 {
    if mark == 0 || calls(mark).is_some() {
        return mark;
    }
    let number = number() as u64 + 1;
    if number >> (64 - EXPR - FILE) != 0 { mark } else { number << (EXPR + FILE) | mark }
}

/// The number of the calls that led to a mark.
pub fn calls(mark: u64) -> Option<usize> {
    usize::try_from((mark >> (EXPR + FILE)).checked_sub(1)?).ok()
}

/// A mark as it is without the calls.
pub fn without_calls(mark: u64) -> u64 {
    mark & ((1 << (EXPR + FILE)) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_keeps_its_three_numbers() {
        let mark = of_source(FileId(7), ExprId(123_456));
        assert_eq!((source(mark), calls(mark)), (Some((FileId(7), ExprId(123_456))), None));
        let called = with_calls(mark, || 42);
        assert_eq!((source(called), calls(called)), (source(mark), Some(42)));
        assert_eq!((with_calls(called, || 43), without_calls(called)), (called, mark));
        assert_eq!((with_calls(0, || 1), source(0), calls(0)), (0, None, None));
        assert_eq!(of_source(FileId(1 << 16), ExprId(0)) | of_source(FileId(0), ExprId(1 << 24)), 0);
        assert_eq!(with_calls(mark, || 1 << 24), mark);
    }
}
