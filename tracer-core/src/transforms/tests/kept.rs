//! What long computations came to, in one run and in the next.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::transforms::scan::Scan;

/// The last carry of a loop that adds what a table sums up to, from `first`; its operations that were done, and what was left of `fuel`.
fn sum_up(cx: &Engine, step: f32, first: f32, fuel: u64) -> (String, u64, u64) {
    cx.fuel.set(fuel);
    let done = Arc::new(AtomicU64::new(0));
    *cx.done.borrow_mut() = Some(done.clone());
    let table = build::full(cx, DType::F32, &[Dim::from(1000usize)], f64::from(step)).unwrap();
    let body = |args: &[Val]| Ok(vec![build::add(cx, &args[0], &sum(cx, &table)?)?]);
    let jaxpr = trace_to_jaxpr(cx, &body, &[f32(&[])], DebugInfo::default()).unwrap();
    assert_eq!(jaxpr.consts.len(), 1);
    let scan = Scan { jaxpr, length: Dim::from(100usize), reverse: false, num_consts: 0, num_carry: 1, unroll: 1 };
    let carry = cx.constant(Tensor::scalar(first));
    let result = cx.bind(Rc::new(scan), &[carry]).and_then(|results| cx.force(&results[0]));
    let told = result.map_or_else(|halt| format!("{halt:?}"), |tensor| format!("{:?}", tensor.view::<f32>().unwrap()));
    (told, done.load(Ordering::Relaxed), cx.fuel.get())
}

/// An engine that begins with what another one has kept.
fn after(cx: &Engine) -> Engine {
    let next = Engine::default();
    cx.computed.borrow().next_run();
    next.computed.replace(cx.computed.borrow().clone());
    next
}

#[test]
fn the_same_computation_is_done_once() {
    let first = Engine::default();
    let (told, done, left) = sum_up(&first, 1.0, 2.0, 1 << 30);
    assert_eq!(told, "[100002.0]");
    assert!(done > 100_000, "{done}");
    // A run pays for it once, whoever has done it.
    assert_eq!(sum_up(&first, 1.0, 2.0, 1 << 30), (told.clone(), 0, 1 << 30));
    let next = after(&first);
    assert_eq!(sum_up(&next, 1.0, 2.0, 1 << 30), (told.clone(), 0, left));
    assert_eq!(sum_up(&next, 1.0, 2.0, 1 << 30), (told, 0, 1 << 30));
    // Constants of graphs and inputs are part of it.
    for (step, from, told) in [(2.0, 2.0, "[200002.0]"), (1.0, 3.0, "[100003.0]")] {
        let found = sum_up(&after(&first), step, from, 1 << 30);
        assert_eq!((&*found.0, found.1), (told, done));
    }
}

#[test]
fn what_came_to_no_end_is_tried_again_where_more_is_left() {
    let first = Engine::default();
    let (told, done, left) = sum_up(&first, 1.0, 2.0, 101_000);
    assert!(told.contains("too large") && done > 0, "{told}");
    assert_eq!(sum_up(&after(&first), 1.0, 2.0, 101_000), (told, 0, left));
    assert_eq!(sum_up(&after(&first), 1.0, 2.0, 1 << 30).0, "[100002.0]");
}

#[test]
fn what_no_run_asks_for_is_let_go_of() {
    let first = Engine::default();
    let (_, done, _) = sum_up(&first, 1.0, 2.0, 1 << 30);
    let mut last = after(&first);
    for _ in 0..10 {
        last = after(&last);
    }
    assert_eq!(sum_up(&last, 1.0, 2.0, 1 << 30).1, done);
}
