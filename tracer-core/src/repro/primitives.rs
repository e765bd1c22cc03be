//! Primitives as calls of `jax.lax`: the table of those that have a public function of their own.

use std::any::Any;

use crate::array::{Aval, DType, Dim};
use crate::primitives::{Param, Primitive};
use crate::trace::{Atom, ClosedJaxpr, Effects};
use crate::transforms::jit::Jit;

/// Elementwise primitives whose function has another name.
const RENAMED: [(&str, &str); 5] =
    [("and", "bitwise_and"), ("or", "bitwise_or"), ("xor", "bitwise_xor"), ("not", "bitwise_not"), ("add_any", "add")];

/// Elementwise primitives whose function takes arrays and nothing else.
const ELEMENTWISE: &str = " abs acos acosh add asin asinh atan atan2 atanh bessel_i0e bessel_i1e cbrt ceil clz complex cos cosh digamma \
    div eq erf erf_inv erfc exp exp2 expm1 floor ge gt igamma igammac imag is_finite le lgamma log log1p logistic lt max min mul ne neg \
    nextafter polygamma population_count pow real rem rsqrt shift_left shift_right_arithmetic shift_right_logical sign sin sinh sqrt \
    square sub tan tanh zeta ";

/// Whether a primitive takes Python's numbers in the stead of arrays.
pub fn is_elementwise(primitive: &dyn Primitive) -> bool {
    let name = primitive.name();
    ELEMENTWISE.contains(&format!(" {name} ")) || RENAMED.iter().any(|(of, _)| *of == name)
}

/// The graph and the name of a call of a function that is compiled.
pub fn compiled(primitive: &dyn Primitive) -> Option<(&ClosedJaxpr, &str)> {
    let jit = (primitive as &dyn Any).downcast_ref::<Jit>()?;
    Some((&jit.jaxpr, &jit.name))
}

/// Whether a primitive with results of these types can be written.
pub fn is_expressible(primitive: &dyn Primitive, inputs: usize, outputs: &[Aval]) -> bool {
    match compiled(primitive) {
        Some((graph, _)) => is_plain(graph),
        None => call(primitive, &vec!["x".to_owned(); inputs], outputs).is_some(),
    }
}

/// Whether all of a graph can be written.
fn is_plain(graph: &ClosedJaxpr) -> bool {
    let jaxpr = &graph.jaxpr;
    let is_known = |atom: &Atom| matches!(atom, Atom::Var(_)) || matches!(atom, Atom::Literal(v) if !v.is_tracer());
    jaxpr.effects == Effects::NONE
        && graph.consts.iter().all(|value| !value.is_tracer())
        && jaxpr.outvars.iter().all(is_known)
        && jaxpr.eqns.iter().all(|eqn| {
            let outputs: Vec<Aval> = eqn.outputs.iter().map(|var| jaxpr.vars[var.0 as usize].clone()).collect();
            eqn.inputs.iter().all(is_known) && is_expressible(&*eqn.primitive, eqn.inputs.len(), &outputs)
        })
}

/// The parameters of a primitive, as they print.
struct Shown(Vec<(&'static str, String)>);

impl Shown {
    fn of(primitive: &dyn Primitive) -> Shown {
        let texts = primitive.params().into_iter().filter_map(|(name, param)| match param {
            Param::Text(text) => Some((name, text)),
            Param::Graph(_) | Param::Graphs(_) => None,
        });
        Shown(texts.collect())
    }
    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(of, _)| *of == name).map(|(_, text)| text.as_str())
    }
    /// A parameter; nothing where it is not there, or `None`.
    fn given(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|text| *text != "None")
    }
    /// `, name=text` for each of these that is there and not what it is without.
    fn keywords(&self, names: &[(&str, &str)]) -> String {
        let given = names.iter().filter_map(|(name, default)| {
            let text = self.given(name).filter(|text| text != default)?;
            Some(format!(", {name}={}", spelt(name, text)))
        });
        given.collect()
    }
}

/// A parameter as a program writes it.
fn spelt(name: &str, text: &str) -> String {
    match name {
        _ if name.ends_with("dtype") || name == "preferred_element_type" => dtype(text),
        "fill_value" if text.parse::<f64>().is_ok_and(|number| !number.is_finite()) => format!("float(\"{text}\")"),
        "precision" => text.replace("Precision.", "lax.Precision."),
        "mode" | "dimension_numbers" if !text.starts_with('(') => format!("lax.{text}"),
        _ => text.to_owned(),
    }
}

fn dtype(name: &str) -> String {
    match name {
        "bool" => "jnp.bool_".into(),
        name => format!("jnp.{name}"),
    }
}

/// The shape of a result.
fn shape(aval: &Aval) -> Option<String> {
    let sizes: Option<Vec<String>> = aval.shape.iter().map(|dim: &Dim| dim.get().ok().map(|n| n.to_string())).collect();
    Some(tuple(&sizes?))
}

/// Python's tuple of these.
pub fn tuple(items: &[String]) -> String {
    match items {
        [one] => format!("({one},)"),
        many => format!("({})", many.join(", ")),
    }
}

/// The call of the function of `jax.lax` that binds a primitive, on these arguments; nothing where there is none.
pub fn call(primitive: &dyn Primitive, args: &[String], outputs: &[Aval]) -> Option<String> {
    let name = primitive.name();
    let shown = Shown::of(primitive);
    let all = args.join(", ");
    let first = args.first().map_or("", String::as_str);
    let one = |names: &[&str]| -> Option<String> {
        let texts: Option<Vec<String>> = names.iter().map(|of| Some(spelt(of, shown.get(of)?))).collect();
        Some(format!("lax.{name}({all}, {})", texts?.join(", ")))
    };
    if shown.given("sharding").is_some() || shown.given("out_sharding").is_some() || shown.given("accuracy").is_some() {
        return None;
    }
    Some(match name {
        _ if is_elementwise(primitive) => {
            let name = RENAMED.iter().find(|(of, _)| *of == name).map_or(name, |(_, to)| to);
            format!("lax.{name}({all})")
        }
        "conj" => format!("lax.conj({all})"),
        "clamp" | "select_n" => format!("lax.{name}({all})"),
        "convert_element_type" => {
            // A weak type is nothing that a program can ask for.
            if outputs.first()?.weak || outputs.first()?.dtype.is_key() {
                return None;
            }
            one(&["new_dtype"])?
        }
        "bitcast_convert_type" => one(&["new_dtype"])?,
        "reduce_precision" => one(&["exponent_bits", "mantissa_bits"])?,
        "integer_pow" => one(&["y"])?,
        "round" => format!("lax.round({all}, lax.RoundingMethod({}))", shown.get("rounding_method")?),
        "broadcast_in_dim" => {
            let axes = shown.get("broadcast_dimensions").unwrap_or("()");
            format!("lax.broadcast_in_dim({first}, {}, {axes})", shape(outputs.first()?).filter(|_| args.len() == 1)?)
        }
        "reshape" => {
            let order = shown.given("dimensions").map_or(String::new(), |order| format!(", {order}"));
            format!("lax.reshape({first}, {}{order})", shape(outputs.first()?).filter(|_| args.len() == 1)?)
        }
        "squeeze" | "rev" => one(&["dimensions"])?,
        "transpose" => one(&["permutation"])?,
        "reduce_sum" | "reduce_prod" | "reduce_max" | "reduce_min" | "reduce_and" | "reduce_or" | "reduce_xor" => {
            one(&["axes"])?
        }
        "argmax" | "argmin" => {
            let axis = shown.get("axes")?.trim_matches(['(', ')', ',']);
            format!("lax.{name}({all}, {axis}, {})", dtype(shown.get("index_dtype")?))
        }
        "cumsum" | "cumprod" | "cummax" | "cummin" | "cumlogsumexp" => {
            format!("lax.{name}({all}, {}{})", shown.get("axis")?, shown.keywords(&[("reverse", "False")]))
        }
        "dot_general" => {
            let more = shown.keywords(&[("precision", "None"), ("preferred_element_type", "None")]);
            format!("lax.dot_general({all}, {}{more})", shown.get("dimension_numbers")?)
        }
        "concatenate" => format!("lax.concatenate([{all}], {})", shown.get("dimension")?),
        "pad" => one(&["padding_config"])?,
        "slice" => {
            let strides = shown.given("strides").map_or(String::new(), |strides| format!(", {strides}"));
            format!("lax.slice({all}, {}, {}{strides})", shown.get("start_indices")?, shown.get("limit_indices")?)
        }
        "dynamic_slice" => format!("lax.dynamic_slice({first}, {}, {})", tuple(&args[1..]), shown.get("slice_sizes")?),
        "dynamic_update_slice" => {
            format!("lax.dynamic_update_slice({first}, {}, {})", args.get(1)?, tuple(args.get(2..)?))
        }
        "split" => one(&["sizes", "axis"])?,
        "iota" => {
            let (aval, axis) = (outputs.first()?, shown.get("dimension")?);
            format!("lax.broadcasted_iota({}, {}, {axis})", dtype(aval.dtype.name()), shape(aval)?)
        }
        "sort" => {
            let more = shown.keywords(&[("is_stable", "True"), ("num_keys", "1")]);
            format!("lax.sort({}, dimension={}{more})", tuple(args), shown.get("dimension")?)
        }
        "top_k" => format!("lax.top_k({all}, {}, axis={})", shown.get("k")?, shown.get("axis")?),
        "gather" => {
            let names =
                [("slice_sizes", ""), ("indices_are_sorted", "False"), ("unique_indices", "False"), ("mode", "")];
            let fill = shown.keywords(&[("fill_value", "None")]);
            let dims = spelt("dimension_numbers", shown.get("dimension_numbers")?);
            format!("lax.gather({all}, {dims}{}{fill})", shown.keywords(&names))
        }
        "scatter" | "scatter-add" | "scatter-sub" | "scatter-mul" | "scatter-min" | "scatter-max" => {
            let names = [("indices_are_sorted", "False"), ("unique_indices", "False"), ("mode", "")];
            let dims = spelt("dimension_numbers", shown.get("dimension_numbers")?);
            format!("lax.{}({all}, {dims}{})", name.replace('-', "_"), shown.keywords(&names))
        }
        "conv_general_dilated" => {
            let names = [
                ("lhs_dilation", ""),
                ("rhs_dilation", ""),
                ("dimension_numbers", ""),
                ("feature_group_count", "1"),
                ("batch_group_count", "1"),
                ("precision", "None"),
                ("preferred_element_type", "None"),
            ];
            let (strides, padding) = (shown.get("window_strides")?, shown.get("padding")?);
            format!("lax.{name}({all}, {strides}, {padding}{})", shown.keywords(&names))
        }
        _ => return None,
    })
}

/// Whether a number of Python's does in the stead of a scalar of this type, beside the other operands.
pub fn is_of_python<'a>(aval: &Aval, mut others: impl Iterator<Item = &'a Aval>) -> bool {
    let is_plain = aval.shape.is_empty() && matches!(aval.dtype, DType::F32 | DType::I32 | DType::F64 | DType::I64);
    is_plain && (aval.weak || others.any(|other| !other.weak && other.dtype == aval.dtype && !other.shape.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitives::{ParamValue, from_params};

    fn written(name: &str, params: &[(&str, ParamValue)], args: &[&str], outputs: &[Aval]) -> Option<String> {
        let params = params.iter().map(|(name, value)| ((*name).into(), value.clone()));
        let primitive = from_params(name, params.collect::<Vec<_>>()).expect("a primitive");
        let args: Vec<String> = args.iter().map(ToString::to_string).collect();
        call(&*primitive, &args, outputs)
    }

    #[test]
    fn primitives_are_functions_of_lax() {
        let f32 = Aval::new(DType::F32, [3, 4]);
        assert_eq!(written("and", &[], &["a", "b"], &[]).as_deref(), Some("lax.bitwise_and(a, b)"));
        let axes = ParamValue::from(vec![ParamValue::Int(0)]);
        let out = std::slice::from_ref(&f32);
        assert_eq!(written("squeeze", &[("dimensions", axes)], &["x"], out).as_deref(), Some("lax.squeeze(x, (0,))"));
        assert_eq!(written("random_unwrap", &[], &["key"], out), None);
    }
}
