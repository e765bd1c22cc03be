//! Values of the framework that are made once more of what they hold: meshes, partition specs and shardings that no call of the program
//! has given, or only one that comes later.

use super::Writer;
use super::expression::Ex;
use crate::frameworks::is_framework;
use crate::module::Symbol;
use crate::python::{Instance, Value};
use crate::repro::normalize;

/// How the instances of a class are made.
type Recipe = fn(&mut Writer<'_>, &Instance) -> Option<Ex>;

/// The classes, by their names.
const RECIPES: [(&str, Recipe); 4] =
    [("P", partition_spec), ("_Unconstrained", unconstrained), ("NamedSharding", named_sharding), ("Mesh", mesh)];

/// How the instances of a value's class are made, where they can be.
fn recipe(value: &Value) -> Option<Recipe> {
    let Value::Instance(instance) = value else { return None };
    let class = instance.class();
    RECIPES
        .iter()
        .find(|(name, _)| class.name.as_str() == *name && is_framework(&class.module))
        .map(|(_, recipe)| *recipe)
}

/// Enumerations of `jax.lax`.
const ENUMERATIONS: [&str; 7] = [
    "Precision",
    "GatherScatterMode",
    "RoundingMethod",
    "FftType",
    "RandomAlgorithm",
    "AccuracyMode",
    "DotAlgorithmPreset",
];

impl Writer<'_> {
    /// A member of an enumeration that the program came by in another way than by its name.
    pub fn enumerated(&mut self, value: &Value) -> Option<Ex> {
        member(value).map(|path| Ex::atom(self.imports.spell(&path)))
    }

    /// A value that can be made once more: as a body has it, or by a call of its class.
    pub fn constructed(&mut self, value: &Value) -> Option<Ex> {
        let (recipe, Value::Instance(instance)) = (recipe(value)?, value) else { return None };
        self.bound(value).or_else(|| recipe(self, instance))
    }

    fn items(&mut self, items: &[Value]) -> Vec<String> {
        items.iter().map(|item| self.arg(&normalize::arg(self.it, item)).text).collect()
    }
}

/// A member of an enumeration of `jax.lax`.
fn member(value: &Value) -> Option<String> {
    let Value::Instance(instance) = value else { return None };
    let class = instance.class();
    let Some(Value::Str(name)) = instance.get(sym!("name")) else { return None };
    let is_ours = ENUMERATIONS.contains(&class.name.as_str()) && is_framework(&class.module);
    is_ours.then(|| format!("jax.lax.{}.{name}", class.name))
}

fn unconstrained(writer: &mut Writer<'_>, _: &Instance) -> Option<Ex> {
    Some(Ex::atom(format!("{}.UNCONSTRAINED", writer.imports.spell("jax.sharding.PartitionSpec"))))
}

fn partition_spec(writer: &mut Writer<'_>, spec: &Instance) -> Option<Ex> {
    let Value::Tuple(partitions) = spec.get(sym!("partitions"))? else { return None };
    let mut texts = writer.items(&partitions);
    for name in [sym!("unreduced"), sym!("reduced")] {
        if let Some(Value::FrozenSet(axes)) = spec.get(name) {
            let axes: Vec<Value> = axes.read().iter().map(|key| key.value.clone()).collect();
            let axes = writer.items(&axes);
            if !axes.is_empty() {
                texts.push(format!("{name}={{{}}}", axes.join(", ")));
            }
        }
    }
    let name = writer.imports.spell("jax.sharding.PartitionSpec");
    Some(Ex::atom(format!("{name}({})", texts.join(", "))))
}

fn named_sharding(writer: &mut Writer<'_>, sharding: &Instance) -> Option<Ex> {
    let (mesh, spec) = (sharding.get(sym!("mesh"))?, sharding.get(sym!("spec"))?);
    let mesh = writer.constructed(&mesh).or_else(|| writer.origin(&mesh)).or_else(|| writer.bound(&mesh))?;
    let mut texts = vec![mesh.text, writer.constructed(&spec)?.text];
    if let Some(Value::Str(kind)) = sharding.get(sym!("memory_kind")).filter(|kind| !is_text(kind, "device")) {
        texts.push(format!("memory_kind={}", crate::repro::literal::text(&kind)));
    }
    let name = writer.imports.spell("jax.sharding.NamedSharding");
    Some(Ex::atom(format!("{name}({})", texts.join(", "))))
}

/// A mesh of the first devices, in their order.
fn mesh(writer: &mut Writer<'_>, mesh: &Instance) -> Option<Ex> {
    let Value::Tuple(devices) = mesh.get(sym!("_flat"))? else { return None };
    for (i, device) in devices.iter().enumerate() {
        let Value::Instance(device) = device else { return None };
        if !matches!(device.get(sym!("id")), Some(Value::Int(id)) if usize::try_from(id) == Ok(i)) {
            return None;
        }
    }
    let (Value::Tuple(names), Value::Tuple(types)) = (mesh.get(sym!("axis_names"))?, mesh.get(sym!("axis_types"))?)
    else {
        return None;
    };
    let shape = writer.it.hooks.borrow().as_ref().and_then(|hooks| hooks.held(&mesh.get(sym!("devices"))?))?;
    let sizes: Vec<String> = crate::repro::literal::known_sizes(&shape.aval).iter().map(usize::to_string).collect();
    let kinds: Vec<Symbol> = types
        .iter()
        .filter_map(|kind| match kind {
            Value::Instance(kind) => match kind.get(sym!("name"))? {
                Value::Str(name) => Some(Symbol::from(&*name)),
                _ => None,
            },
            _ => None,
        })
        .collect();
    (kinds.len() == types.len()).then_some(())?;
    let tuple = |items: Vec<String>| match &items[..] {
        [one] => format!("({one},)"),
        many => format!("({})", many.join(", ")),
    };
    let mut texts = vec![tuple(sizes), tuple(writer.items(&names))];
    if kinds.iter().any(|kind| kind.as_str() != "Explicit") {
        let class = writer.imports.spell("jax.sharding.AxisType");
        texts.push(format!("axis_types={}", tuple(kinds.iter().map(|kind| format!("{class}.{kind}")).collect())));
    }
    let name = writer.imports.spell("jax.make_mesh");
    Some(Ex::atom(format!("{name}({})", texts.join(", "))))
}

fn is_text(value: &Value, text: &str) -> bool {
    matches!(value, Value::Str(found) if &**found == text)
}
