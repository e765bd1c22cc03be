//! Print options, and texts of arrays by them.

use std::cell::RefCell;
use std::rc::Rc;

use super::array::numbers_of;
use crate::array::print::{self, Digits, Options};
use crate::frameworks::jax::core::Members;
use crate::interp::Interp;
use crate::python::{Dict, Guess, Value};

/// The program's print options: a dict of the prelude's, once something was set.
#[derive(Default)]
struct Kept(RefCell<Option<Value>>);

/// More digits are not printed.
const MOST_DIGITS: i64 = 400;

/// The program's print options; `None` where they are not known, or say what is not printed here.
pub fn options(it: &Interp) -> Option<Options> {
    let kept = it.extension::<Kept>();
    let kept = kept.0.borrow();
    match kept.as_ref() {
        None => Some(Options::default()),
        Some(Value::Dict(dict)) => read(dict),
        Some(_) => None,
    }
}

/// The options that a dict has; `None` as for [`options`].
fn read(dict: &Dict) -> Option<Options> {
    if dict.why_vague().is_some() {
        return None;
    }
    let mut options = Options::default();
    let count = |value: &Value| value.as_int().and_then(|n| usize::try_from(n).ok());
    for (key, value) in dict.read().iter() {
        match key.value.as_str()? {
            "precision" => options.precision = count(value).filter(|_| value.as_int() <= Some(MOST_DIGITS))?,
            "threshold" => {
                options.threshold = match value {
                    Value::Float(x) if *x >= 0.0 => *x as usize,
                    value => count(value)?,
                }
            }
            "edgeitems" => options.edge = count(value)?,
            "linewidth" => options.width = count(value)?,
            "suppress" => {
                options.suppress = match value {
                    Value::Bool(yes) => *yes,
                    value => value.as_int()? != 0,
                }
            }
            "nanstr" => options.nan = value.as_str()?.to_owned(),
            "infstr" => options.infinity = value.as_str()?.to_owned(),
            "floatmode" => {
                options.digits = match value.as_str()? {
                    "maxprec" => Digits::MostPrecise,
                    "maxprec_equal" => Digits::MostPreciseEqual,
                    "fixed" => Digits::Fixed,
                    "unique" => Digits::Unique,
                    _ => return None,
                }
            }
            "sign" if value.as_str() == Some("-") => {}
            "legacy" if matches!(value, Value::Bool(false)) => {}
            "formatter" | "override_repr" if value.is_none() => {}
            _ => return None,
        }
    }
    Some(options)
}

/// The functions of `_jitlens.core` for this.
pub fn members(members: &mut Members) {
    // `keep_print_options(options)`: the dict that arrays are printed by from now on.
    members.function("keep_print_options", |it, args| {
        let [options] = args.exactly("keep_print_options")?;
        it.extension::<Kept>().0.replace(Some(options));
        Ok(Value::None)
    });
    // `array_lists(array, options, separator, prefix, suffix)`: the elements of a NumPy array as nested lists, as they stand
    // between two texts.
    members.function("array_lists", |it: &Rc<Interp>, args| {
        let [array, options, separator, prefix, suffix] = args.exactly("array_lists")?;
        let unknown = || Ok(Value::unknown_of(Guess::Str, "the text of an array"));
        let (Some(array), Value::Dict(options)) = (numbers_of(&array), &options) else { return unknown() };
        let (Some(separator), Some(prefix), Some(suffix)) = (separator.as_str(), prefix.as_str(), suffix.as_str())
        else {
            return unknown();
        };
        let (before, after) = (prefix.chars().count(), suffix.chars().count());
        let text = read(options).and_then(|options| {
            let tensor = crate::frameworks::jax::core::concretize::cheap(it, &array)?;
            print::lists(&tensor, separator, before, after, &options)
        });
        text.map_or_else(unknown, |text| Ok(Value::from(text)))
    });
}
