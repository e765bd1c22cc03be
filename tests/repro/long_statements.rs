//! Lines of statements that go over several lines lead to what stands on them, and to no more.

use tracer_core::repro::{Request, Target};

use crate::helpers::{here, verified_for};

const PROGRAM: &str = r#"
import jax
import jax.numpy as jnp

@jax.jit
def loss(params, hidden):
    total = jnp.where(
        jnp.any(jnp.isnan(hidden)),
        jnp.inf * jnp.max(params["bias"]),
        jnp.minimum(jnp.sum(hidden), 4.0) * params["scale"],
    )
    return {
        "total": total,
        "joined": jnp.concatenate(
            [
                jnp.sin(hidden * 2.0),
                jnp.cos(hidden * 3.0) * params["scale"],
                jnp.sin(hidden * 2.0),
                hidden,
            ],
            axis=0,
        ),
        "rows": [
            jnp.logaddexp(hidden, 1.0) * params["scale"],
            jnp.logaddexp(hidden, 2.0) + params["bias"],
        ],
    }

loss({"bias": jnp.zeros(4), "scale": 2.0}, jnp.ones((5, 4)))
"#;

/// Lines of the reproducer, each with the lines of the program that it leads to.
fn tied() -> Vec<(String, String)> {
    let request = Request { target: Target::Function("loss".into()), ..Request::default() };
    let found = verified_for(&here("long.py"), PROGRAM, &request).expect("a reproducer");
    assert_eq!(found.unlike, None, "{}", found.made.text);
    let lines: Vec<&str> = found.made.text.lines().collect();
    let of = |span: tracer_core::text::Span| PROGRAM[span.start as usize..span.end as usize].to_owned();
    found.made.ties.iter().map(|tie| (lines[tie.line].trim().to_owned(), of(tie.span))).collect()
}

#[test]
fn arguments_items_and_operands_lead_to_their_own_lines() {
    let tied = tied();
    for (line, place) in [
        ("jnp.any(jnp.isnan(hidden)),", "jnp.any(jnp.isnan(hidden))"),
        ("float(\"inf\") * jnp.max(params[\"bias\"]),", "jnp.inf * jnp.max(params[\"bias\"])"),
        ("jnp.cos(hidden * 3.0) * params[\"scale\"],", "jnp.cos(hidden * 3.0) * params[\"scale\"]"),
        ("hidden,", "hidden"),
        ("jnp.logaddexp(hidden, 2.0) + params[\"bias\"],", "jnp.logaddexp(hidden, 2.0) + params[\"bias\"]"),
    ] {
        let found: Vec<_> = tied.iter().filter(|(text, _)| text == line).collect();
        assert!(!found.is_empty() && found.iter().all(|(_, of)| of == place), "{line}: {tied:#?}");
    }
}

#[test]
fn heads_lead_to_where_they_begin_and_ends_to_where_they_end() {
    let tied = tied();
    for (line, of) in &tied {
        match &**line {
            "total = jnp.where(" => assert_eq!(of, "jnp.where("),
            "return {" => assert_eq!(of, "return {"),
            ")" | "}" | "]" | ")," | "]," => assert!(!of.contains('\n'), "{line}: {of}"),
            _ => {}
        }
    }
    assert!(tied.iter().any(|(line, _)| line == "total = jnp.where("), "{tied:#?}");
}

#[test]
fn equal_texts_lead_to_their_own_lines() {
    let tied = tied();
    let of: Vec<_> = tied.iter().filter(|(line, _)| line == "jnp.sin(hidden * 2.0),").collect();
    assert_eq!(of.len(), 2, "{tied:#?}");
    let request = Request { target: Target::Function("loss".into()), ..Request::default() };
    let made = verified_for(&here("long.py"), PROGRAM, &request).expect("a reproducer").made;
    let lines: Vec<&str> = made.text.lines().collect();
    let at =
        made.ties.iter().filter(|tie| lines[tie.line].trim() == "jnp.sin(hidden * 2.0),").map(|tie| tie.span.start);
    let at: Vec<u32> = at.collect();
    assert!(at[0] < at[1], "{at:?}");
}
