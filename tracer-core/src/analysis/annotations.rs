//! Annotations of jaxtyping: what they say of a function's arguments and of its results.

use rustc_hash::FxHashMap;

use super::signature::{Given, Signature};
use super::sizes::{is_name, size_in};
use crate::array::{Aval, DType, Dim};
use crate::module::{Code, Const, Expr, ExprId, Module};

/// `Float[Array, "8 n"]`
struct Annotation<'m> {
    /// `Float`
    kind: &'m str,
    /// The sizes as they are written; `None` where any size is meant.
    axes: Vec<Option<&'m str>>,
}

/// The types that the annotations of a definition say of its parameters.
pub fn of_parameters(module: &Module, code: &Code) -> Signature {
    let typed = |name: &str, annotation: Option<ExprId>| {
        let annotation = Annotation::read(module, annotation?)?;
        let dtype = annotation.dtype()?;
        let size = |(i, axis): (usize, &Option<&str>)| match axis {
            Some(text) => size_in(text, &|symbol| Some(Dim::symbol(symbol))),
            None => Some(Dim::symbol(&format!("_{name}{i}"))),
        };
        let shape = annotation.axes.iter().enumerate().map(size).collect::<Option<_>>()?;
        Some(Given::Array(Aval { dtype, shape, weak: false }))
    };
    let names = code.params.names.iter();
    names.filter_map(|p| Some((p.name.to_string(), typed(p.name.as_str(), p.annotation)?))).collect()
}

/// What the names of sizes in annotations stand for; `None` where they stand for several.
#[derive(Debug, Default)]
pub struct Sizes(FxHashMap<String, Option<Dim>>);

impl Sizes {
    /// Takes the names in an annotation for the sizes of an array, or for sizes that are not known; false where the array is certainly
    /// another one.
    pub fn bind(&mut self, module: &Module, annotation: ExprId, seen: Option<&Aval>) -> bool {
        let Some(annotation) = Annotation::read(module, annotation) else { return true };
        let fits = seen.is_none_or(|seen| annotation.axes.len() == seen.rank());
        for (i, axis) in annotation.axes.iter().enumerate() {
            let Some(name) = axis.filter(|axis| is_name(axis)) else { continue };
            let size = seen.filter(|_| fits).map(|seen| seen.shape[i]);
            let known = self.0.entry(name.to_owned()).or_insert(size);
            if *known != size {
                *known = None;
            }
        }
        fits && seen.is_none_or(|seen| annotation.contradicts(seen, self).is_none())
    }
}

/// Why an array is certainly no array as an annotation says it.
pub fn contradiction(module: &Module, annotation: ExprId, seen: &Aval, sizes: &Sizes) -> Option<String> {
    Annotation::read(module, annotation)?.contradicts(seen, sizes)
}

impl<'m> Annotation<'m> {
    fn read(module: &'m Module, annotation: ExprId) -> Option<Annotation<'m>> {
        let Expr::Subscript(kind, index) = module.expr(annotation) else { return None };
        let kind = match module.expr(*kind) {
            Expr::Name(_, name) | Expr::Attribute(_, name) => name.as_str(),
            _ => return None,
        };
        let Expr::Tuple(items) = module.expr(*index) else { return None };
        let [_, shape] = items.as_ref() else { return None };
        let Expr::Constant(Const::Str(shape)) = module.expr(*shape) else { return None };
        let axis = |text: &'m str| match text {
            _ if text.starts_with(['#', '*', '?', '{']) || text == "..." => None,
            _ if text.starts_with('_') => Some(None),
            // `rows=4`
            _ => Some(Some(text.split_once('=').map_or(text, |(_, size)| size))),
        };
        let axes = shape.split_whitespace().map(axis).collect::<Option<_>>()?;
        Some(Annotation { kind, axes })
    }

    /// The type of an argument.
    fn dtype(&self) -> Option<DType> {
        Some(match self.kind {
            "Float" | "Float32" => DType::F32,
            "Float16" => DType::F16,
            "BFloat16" => DType::BF16,
            "Float64" => DType::F64,
            "Int" | "Int32" => DType::I32,
            "Int8" => DType::I8,
            "Int16" => DType::I16,
            "UInt" | "UInt32" => DType::U32,
            "UInt8" => DType::U8,
            "Bool" => DType::Bool,
            "Complex" | "Complex64" => DType::C64,
            _ => return None,
        })
    }

    fn contradicts(&self, seen: &Aval, sizes: &Sizes) -> Option<String> {
        let wanted = self.dtype()?;
        let kinds = [DType::is_float, DType::is_integer, DType::is_complex, |dtype: DType| dtype == DType::Bool];
        if kinds.iter().any(|is| is(wanted) && !is(seen.dtype)) {
            return Some(format!("no array of {}", seen.dtype.short()));
        }
        if self.axes.len() != seen.rank() {
            return Some(format!("{} axes and not {}", self.axes.len(), seen.rank()));
        }
        let of_name = |name: &str| *sizes.0.get(name)?;
        self.axes.iter().zip(&seen.shape).enumerate().find_map(|(i, (axis, size))| {
            let said = size_in((*axis)?, &of_name)?;
            let differs = said.equal(*size) == Some(false) && !said.is_general() && !size.is_general();
            differs.then(|| format!("axis {i} has {said} elements and not {size}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(text: &str) -> String {
        let module = crate::lower::lower_text(text);
        let all = of_parameters(&module, &module.codes[1]);
        let shown = all.iter().map(|(name, given)| match given {
            Given::Array(aval) => format!("{name}: {aval:?}"),
            other => format!("{name} = {other:?}"),
        });
        shown.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn annotations_of_jaxtyping_say_types() {
        let text = "def f(x: Float[Array, \"b 3\"], m: Bool[Array, \"\"], n: int, y: Float[Array, \"*b 3\"]): pass\n";
        assert_eq!(parameters(text), "x: f32[b,3], m: bool[]");
        let text =
            "def f(x: Float[Array, \"t*h n-1\"], y: Int[Array, \"rows=4 _ _\"], z: Float[Array, \"#b {n}\"]): pass\n";
        assert_eq!(parameters(text), "x: f32[h*t,n - 1], y: i32[4,_y1,_y2]");
    }

    #[test]
    fn only_what_is_certain_is_a_contradiction() {
        let why = |annotation: &str, seen: &[Dim]| {
            let module = crate::lower::lower_text(&format!("def f(x: Float[Array, \"{annotation}\"]): pass\n"));
            let annotation = module.codes[1].params.names[0].annotation.unwrap();
            let sizes = Sizes(
                [("n", Some(Dim::symbol("n"))), ("m", None)].map(|(k, v)| (k.to_owned(), v)).into_iter().collect(),
            );
            contradiction(&module, annotation, &Aval { dtype: DType::F32, shape: seen.into(), weak: false }, &sizes)
        };
        let (n, k) = (Dim::symbol("n"), Dim::symbol("k"));
        assert_eq!(why("n 64", &[n, Dim::from(128_usize)]).as_deref(), Some("axis 1 has 64 elements and not 128"));
        assert_eq!(why("n", &[n + 1]).as_deref(), Some("axis 0 has n elements and not n + 1"));
        assert_eq!(why("n", &[n, n]).as_deref(), Some("1 axes and not 2"));
        for (annotation, seen) in
            [("n", k), ("m", n), ("new", n), ("4", n), ("... 4", n), ("#n", k), ("_", n), ("n", n)]
        {
            assert_eq!(why(annotation, &[seen]), None, "{annotation}");
        }
    }
}
