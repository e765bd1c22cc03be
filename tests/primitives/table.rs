//! The table of primitives and element types in `docs/primitives.md`, printed from the recorded cases and from what is evaluated.
//! `UPDATE_EXPECT=1` writes it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::rc::Rc;

use serde_json::Value;
use tracer_core::array::{Aval, DType, Tensor};
use tracer_core::primitives::{ALL, find, from_params};

mod support;
use support::{aval, list, param, tensor, text};

/// Primitives that are modelled with the transformations, not by parameters alone.
const WITH_TRANSFORMATIONS: &[&str] = &[
    "custom_jvp_call",
    "custom_vjp_call",
    "custom_vmap_call",
    "pure_callback",
    "io_callback",
    "shard_map",
    "device_put",
    "closed_call",
];

/// Primitives of JAX that are other things here, and how their numbers come about.
const OTHERWISE: &[(&str, &[&str])] = &[
    ("as a primitive that is written in Python", &["linear_call"]),
    (
        "by the functions that they call, which stand in graphs in their place",
        &["custom_partitioning", "remat_opt", "run_state"],
    ),
    ("as what `vjp` and `linearize` keep of a function with rules of its own", &["custom_lin"]),
];

/// What is known of a primitive with an element type.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Cell {
    /// JAX refuses it, or has no code for it on CPU.
    Refused,
    /// Evaluated.
    Evaluates,
    /// JAX runs it, and here it is unknown.
    Unknown,
}

/// The type that a case is about: that of its data, not of indices or choices.
fn about(case: &Value) -> String {
    let inputs = list(&case["in"]);
    let which = if text(&case["p"]) == "select_n" { inputs.get(1) } else { inputs.first() };
    let of = which.or_else(|| list(&case["out"]).first());
    of.map_or_else(String::new, |array| text(&array["t"]).to_owned())
}

fn cell(case: &Value) -> Option<Cell> {
    if case.get("error").is_some() || case.get("unsupported").is_some() {
        return Some(Cell::Refused);
    }
    let avals: Vec<Aval> = list(&case["in"]).iter().map(aval).collect();
    let known: Option<Vec<Tensor>> = list(&case["in"]).iter().zip(&avals).map(|(a, aval)| tensor(a, aval)).collect();
    let known = known.filter(|_| list(&case["out"]).iter().all(|out| out.get("v").is_some()))?;
    let params = case["params"].as_object().unwrap().iter();
    let made = from_params(text(&case["p"]), params.map(|(name, value)| (Rc::from(name.as_str()), param(value))));
    // Parameters that the record writes in another form say nothing.
    let runs = made.ok()?.eval(&known).is_ok();
    Some(if runs { Cell::Evaluates } else { Cell::Unknown })
}

fn rows() -> BTreeMap<String, BTreeMap<String, Cell>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("primitives/cases");
    let mut rows: BTreeMap<String, BTreeMap<String, Cell>> = BTreeMap::new();
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        for case in &cases {
            if let Some(cell) = cell(case) {
                let row = rows.entry(text(&case["p"]).to_owned()).or_default();
                let known = row.entry(about(case)).or_insert(cell);
                *known = (*known).max(cell);
            }
        }
    }
    rows
}

fn page() -> String {
    let rows = rows();
    let dtypes: Vec<&str> = DType::NUMERIC.iter().map(|dtype| dtype.short()).chain(["key<fry>"]).collect();
    let mut page = String::from(
        "# Primitives on numbers\n\n\
         Which primitives of JAX 0.10.2 are evaluated, by the type of their data: `x` where recorded applications are, with JAX's numbers \
         (`tests/primitives`), `no` where JAX runs one that is not, which is then unknown and says so, `-` where JAX refuses the type or has no \
         code for it on CPU, nothing where none is recorded. Printed by `UPDATE_EXPECT=1 cargo nextest run -p jitlens-tests --test \
         primitive_table`, and kept by the same test.\n\n",
    );
    // Angle brackets would begin a tag.
    let heads: Vec<String> = dtypes.iter().map(|dtype| dtype.replace("key<fry>", "`key<fry>`")).collect();
    let _ = writeln!(page, "| primitive | {} |", heads.join(" | "));
    let _ = writeln!(page, "|---|{}", "---|".repeat(dtypes.len()));
    for (name, row) in &rows {
        let cells = dtypes.iter().map(|dtype| match row.get(*dtype) {
            Some(Cell::Refused) => "-",
            Some(Cell::Evaluates) => "x",
            Some(Cell::Unknown) => "no",
            None => "",
        });
        let _ = writeln!(page, "| `{name}` | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    let quoted = |names: Vec<&str>| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let others: Vec<&str> = ALL.iter().map(|(name, _)| *name).filter(|name| !rows.contains_key(*name)).collect();
    let others: BTreeSet<&str> = others.into_iter().chain(WITH_TRANSFORMATIONS.iter().copied()).collect();
    let _ = writeln!(
        page,
        "\nModelled, and not in the table, since they hold graphs, need named axes, draw, or are recorded elsewhere: {}.\n",
        quoted(others.iter().copied().collect())
    );
    let _ = writeln!(
        page,
        "Of these have types and no numbers, and say so: {}; so do the bits of `RNG_THREE_FRY`.\n",
        quoted(WITHOUT_NUMBERS.iter().copied().filter(|name| others.contains(name)).collect())
    );
    let names = include_str!("names.txt").lines();
    let otherwise = |name: &str| OTHERWISE.iter().any(|(_, all)| all.contains(&name));
    let missing = names.filter(|name| find(name).is_none() && !WITH_TRANSFORMATIONS.contains(name) && !otherwise(name));
    let ways: Vec<String> = OTHERWISE.iter().map(|(way, names)| format!("{} {way}", quoted(names.to_vec()))).collect();
    let _ = writeln!(page, "Modelled in other ways: {}.\n", ways.join("; "));
    let _ = writeln!(
        page,
        "Not modelled, though JAX has code for them on CPU; what a program makes with them is unknown: {}.",
        quoted(missing.collect())
    );
    page
}

/// Primitives that are not evaluated on any type: numbers of the platform's, and a form that is not unique.
const WITHOUT_NUMBERS: [&str; 2] = ["rng_uniform", "schur"];

#[test]
fn the_page_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/primitives.md");
    let page = page();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(kept == page, "docs/primitives.md is out of date: run with UPDATE_EXPECT=1");
}
