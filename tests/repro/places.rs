//! Reproducers of what stands at a place.

use tracer_core::repro::{Data, Outcome, Place, Request, Target, Verified};
use tracer_core::text::Span;

use crate::helpers::{here, verified_for};

#[test]
fn errors_behind_the_first_one_are_reproduced_at_their_place() {
    let text = "\
import jax
import jax.numpy as jnp

jnp.ones(2) @ jnp.ones(3)

@jax.jit
def later(x):
    return jnp.sin(x) + jnp.ones(7)

later(jnp.ones(5))
";
    let at = text.find("jnp.sin(x) +").expect("the place") as u32;
    let place = Place { path: None, span: Span { start: at, end: at + 5 } };
    let request = Request { target: Target::Place(place), ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None);
    assert!(
        matches!(&found.made.outcome, Outcome::Error(_, message) if message.contains("(5,)")),
        "{:?}",
        found.made.outcome
    );
    assert!(!found.made.text.contains('@'), "{}", found.made.text);
}

#[test]
fn a_line_of_the_top_level_is_reproduced_with_its_numbers() {
    let text = "\
import jax
import jax.numpy as jnp

def norm(x):
    return jnp.sqrt((x * x).sum())

w = jnp.arange(200.0)
unused = jnp.cos(w)
a = norm(jax.vmap(lambda r: r + 1.0)(w))
";
    let at = text.find("a = norm").expect("the place") as u32;
    let place = Place { path: None, span: Span { start: at, end: at + 5 } };
    let request = Request { target: Target::Place(place), data: Data::Exact, ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None);
    assert_eq!(found.made.outcome, Outcome::Values(vec!["f32[]".into()]));
    // What a function of the program leads to is given as numbers.
    assert!(found.made.text.ends_with("jnp.sqrt(jnp.array(2686700.0))\n"), "{}", found.made.text);
}

#[test]
fn a_part_of_the_top_level_gives_all_names_that_are_given_in_it() {
    let text = "\
import jax
import jax.numpy as jnp

def f(x):
    return jnp.sin(x).sum(), jnp.cos(x)

x = jnp.arange(4.0)
a, b = f(x)
c, d = jax.jit(f)(x)
value, grads = jax.value_and_grad(lambda w: (w ** 2).sum())(x)
both = jax.jit(f)(x)
m, (n, o) = jax.jit(lambda x: (x, (x + 1, x * 2)))(x)
for k in range(3):
    p, q = x + k, jnp.ones(k)
print(a, b, c, d)
";
    let given = |from: &str, to: &str| {
        let start = text.find(from).expect("the place") as u32;
        let end = text[start as usize..].find(to).expect("its end") as u32 + start;
        let place = Place { path: None, span: Span { start, end } };
        let request = Request { target: Target::Place(place), data: Data::Exact, ..Request::default() };
        let found = verified_for(&here("parts.py"), text, &request).expect("a reproducer");
        assert_eq!(found.unlike, None, "{from}");
        match found.made.outcome {
            Outcome::Values(types) => types.join(" "),
            other => panic!("{from}: {other:?}"),
        }
    };
    assert_eq!(given("a, b =", "\n"), "f32[] f32[4]");
    assert_eq!(given("c, d =", "\n"), "f32[] f32[4]");
    assert_eq!(given("value, grads", "\n"), "f32[] f32[4]");
    assert_eq!(given("both", "\n"), "f32[] f32[4]");
    assert_eq!(given("m, (n, o)", "\n"), "f32[4] f32[4] f32[4]");
    assert_eq!(given("c, d =", "both"), "f32[] f32[4] f32[] f32[4]");
    // Of rounds the first one.
    assert_eq!(given("p, q", "\n"), "f32[4] f32[0]");
}

const STEP: &str = "\
import jax
import jax.numpy as jnp

def layer(w, x):
    return jnp.tanh(x @ w)

@jax.jit
def step(w, x):
    h = layer(w, x)
    scale = jnp.exp(h.mean())
    def body(carry, row):
        total = carry + row * 2.0
        return total, jnp.sin(total)
    last, rows = jax.lax.scan(body, h[0], h)
    return rows.sum() * scale

step(jnp.ones((4, 8)), jnp.ones((3, 4)))
";

fn of_part(part: &str) -> Verified {
    part_of(STEP, part)
}

fn part_of(text: &str, part: &str) -> Verified {
    let at = text.find(part).expect("the place") as u32;
    let place = Place { path: None, span: Span { start: at, end: at + part.len() as u32 } };
    let request = Request { target: Target::Place(place), ..Request::default() };
    let found = verified_for(&here("large.py"), text, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    found
}

#[test]
fn a_part_of_a_function_gives_what_it_computes() {
    let scale = of_part("scale = jnp.exp(h.mean())").made;
    assert_eq!(scale.outcome, Outcome::Values(vec!["f32[]".into()]));
    assert!(scale.text.contains("jnp.exp(") && !scale.text.contains("scan"), "{}", scale.text);
    let part = of_part("h.mean()").made;
    assert!(part.text.contains("return h.mean()") && !part.text.contains("exp"), "{}", part.text);
    // Several lines give what each of them computes that no other of them takes.
    let both = of_part("h = layer(w, x)\n    scale = jnp.exp(h.mean())").made;
    assert_eq!(both.outcome, Outcome::Values(vec!["f32[]".into()]));
    let loop_and_result = of_part("last, rows = jax.lax.scan(body, h[0], h)").made;
    assert_eq!(loop_and_result.outcome, Outcome::Values(vec!["f32[8]".into(), "f32[3,8]".into()]));
}

#[test]
fn a_part_of_an_inner_function_is_its_own() {
    let made = of_part("total = carry + row * 2.0").made;
    assert_eq!(made.outcome, Outcome::Values(vec!["f32[8]".into()]));
    assert!(made.text.contains("def body(carry, row):") && !made.text.contains("sin"), "{}", made.text);
}

#[test]
fn the_head_of_a_function_means_the_whole_of_it() {
    let made = of_part("def step(w, x):").made;
    assert!(made.text.contains("scan") && made.text.contains("exp"), "{}", made.text);
    // Its result is tied to the statement that gives it.
    let at = made.text.lines().position(|line| line.starts_with("    return rows")).expect("the result");
    let tie = made.ties.iter().find(|tie| tie.line == at).expect("a tie");
    assert_eq!(&STEP[tie.span.start as usize..tie.span.end as usize], "return rows.sum() * scale");
}

#[test]
fn a_line_gives_what_it_gives_names() {
    let text = "\
import jax
import jax.numpy as jnp

def positive(theta):
    return jax.tree.map(jax.nn.softplus, theta)

@jax.jit
def f(theta, x):
    p = positive(theta)
    s, c = jnp.sin(x), jnp.cos(x)
    d = {\"a\": x * 2, \"b\": x + 1}
    r = jnp.zeros_like(x).at[0].add(1.0)
    return s @ c + p[\"a\"] + d[\"a\"].sum() + r.sum()

f({\"a\": 1.0, \"b\": 2.0}, jnp.ones(3))
";
    for (line, given) in [
        ("p = positive(theta)", "p = jax.tree.map(jax.nn.softplus, theta)"),
        ("s, c = jnp.sin(x), jnp.cos(x)", "return s, c"),
        ("d = {\"a\": x * 2, \"b\": x + 1}", "return {\"a\": x * 2, \"b\": x + 1}"),
        ("r = jnp.zeros_like(x).at[0].add(1.0)", "return r"),
    ] {
        let made = part_of(text, line).made;
        assert!(made.text.contains(given), "{}", made.text);
    }
}

#[test]
fn what_is_computed_before_an_error_is_given() {
    let text = "\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    y = jnp.sin(x)
    z = y @ jnp.ones(7)
    return z

f(jnp.ones(5))
";
    let made = part_of(text, "y = jnp.sin(x)").made;
    assert_eq!(made.outcome, Outcome::Values(vec!["f32[5]".into()]));
    assert!(made.text.contains("return y"), "{}", made.text);
    let failing = part_of(text, "z = y @ jnp.ones(7)").made;
    assert!(matches!(failing.outcome, Outcome::Error(..)), "{:?}", failing.outcome);
    // Nothing behind it is computed.
    let behind = part_of(text, "return z").made;
    assert!(matches!(behind.outcome, Outcome::Error(..)), "{:?}", behind.outcome);
}

#[test]
fn the_first_line_of_a_statement_means_the_whole_of_it() {
    let text = "\
import jax
import jax.numpy as jnp

print(
    jax.jit(jnp.sin)(
        jnp.ones(5),
    ),
)
";
    let made = part_of(text, "print(\n").made;
    assert_eq!(made.outcome, Outcome::Values(vec!["f32[5]".into()]));
    assert!(made.text.contains("jnp.sin"), "{}", made.text);
}

#[test]
fn a_line_of_a_function_whose_axes_are_named_around_it_gives_the_call_around() {
    let text = "\
import jax
import jax.numpy as jnp

def normed(x):
    all_of = jax.lax.all_gather(x * 2.0, \"b\")
    return x / all_of.sum()

jax.vmap(normed, axis_name=\"b\")(jnp.arange(6.0).reshape(3, 2))
";
    let made = part_of(text, "all_of = jax.lax.all_gather(x * 2.0, \"b\")").made;
    assert!(made.is_around && made.text.contains("axis_name=\"b\""), "{}", made.text);
    assert_eq!(made.outcome, Outcome::Values(vec!["f32[3,2]".into()]));
}

#[test]
fn instances_that_are_named_are_taken_apart_by_the_program() {
    let text = "\
import jax
import jax.numpy as jnp

@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b
    def tree_flatten(self):
        parts = (self.a, self.b)
        return parts, None
    @classmethod
    def tree_unflatten(cls, _, parts):
        return cls(*parts)

@jax.jit
def f(x):
    pair = Pair(x, x * 2.0)
    total = pair.a + pair.b
    return total

f(jnp.ones(5))
";
    let made = part_of(text, "pair = Pair(x, x * 2.0)").made;
    assert!(matches!(&made.outcome, Outcome::Values(types) if !types.is_empty()), "{}", made.text);
    assert!(part_of(text, "total = pair.a + pair.b").made.text.contains("return total"));
    assert!(part_of(text, "return total").made.text.contains("return total"));
}

#[test]
fn lines_that_compute_nothing_give_nothing() {
    let text = "\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    name = \"x\" * 3
    return x * len(name)

f(jnp.ones(5))
";
    let part = "name = \"x\" * 3";
    let at = text.find(part).expect("the place") as u32;
    let place = Place { path: None, span: Span { start: at, end: at + part.len() as u32 } };
    let request = Request { target: Target::Place(place), ..Request::default() };
    assert!(verified_for(&here("large.py"), text, &request).is_none());
}
