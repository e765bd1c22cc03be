//! What somebody unknown may do with what it is given: fill containers that are empty, and call functions. A function of a
//! package that is not there may change all that can be changed, unless the package is known to read what it is given.

use std::rc::Rc;

use super::Interp;
use super::builtins::forget_items;
use super::effects::writes::container;
use super::import::missing_module;
use super::skipped::{Changes, changes_of};
use crate::module::{Body, Expr, ExprId, Module, Part, Place};
use crate::python::{Args, Class, Function, Value, Why};

/// Functions that functions capture are looked at so deep.
const DEPTH: usize = 2;

/// Packages whose functions leave what they are given as it is: they draw, log, load and store, build commands and
/// configurations, or compute as JAX does, on arrays that do not change.
const READERS: &str = "
    IPython PIL absl aim altair attrs beartype blackjax bokeh brax cartopy cattrs chex click clu coax colorama comet_ml corner
    cv2 datasets deepdish diffrax distrax dm_pix e3nn_jax einops equinox evosax evox fire fedjax flax ffmpeg gin graphviz grain gym gymnasium gymnax
    h5py haiku huggingface_hub hydra imageio ipywidgets jax_md jaxlie jaxopt jaxtyping jmp jraph kfac_jax keras keras_core lineax loguru
    matplotlib matplotlib_inline mctx mediapy ml_collections ml_dtypes mlflow mlxtend moviepy mplcyberpunk mujoco
    neptune netket netCDF4 networkx neural_tangents numpyro objax omegaconf optax optimistix orbax oryx ott pandas penzai plotly
    polars prettytable psutil pyarrow pydantic pygame pyvista quax rich rlax sacred safetensors scienceplots scipy seaborn
    simple_parsing skimage sklearn soundfile statsmodels sympy tabulate tensorboard tensorboardX tensorflow tensorflow_datasets
    tensorflow_probability tensorstore termcolor timm tinygp tokenizers torch torchvision tqdm trajax transformers treescope trimesh
    typer tyro umap wandb xarray yaml";

impl Interp {
    /// A function is called with arguments whose number is not known: forgets what it may have changed.
    #[cold]
    pub(super) fn lose_call(&self, callee: &Value, args: &Args) {
        hand(callee, DEPTH);
        self.hand_over(args, None);
    }

    /// Forgets what may have changed once an unknown callee has had these arguments; `why` says why it is unknown.
    pub(super) fn hand_over(&self, args: &Args, why: Option<&Why>) {
        let package = why.and_then(missing_module).map(|name| name.split('.').next().unwrap_or(name));
        let writes = package.is_some_and(|package| !READERS.split_whitespace().any(|reader| reader == package));
        for value in args.positional.iter().chain(args.keyword.iter().map(|(_, value)| value)) {
            hand(value, DEPTH);
            if writes && let Some(why) = why {
                forget_all(value, why, DEPTH);
            }
        }
    }
}

/// Lets go of all that a value holds and that can be changed.
fn forget_all(value: &Value, why: &Why, depth: usize) {
    if depth == 0 {
        return;
    }
    match value {
        Value::List(list) => {
            list.read().iter().for_each(|item| forget_all(item, why, depth - 1));
            list.forget(why.clone());
        }
        Value::Dict(dict) => {
            dict.read().values().for_each(|item| forget_all(item, why, depth - 1));
            dict.forget(why.clone());
        }
        Value::Set(set) => set.forget(why.clone()),
        Value::Tuple(items) => items.iter().for_each(|item| forget_all(item, why, depth - 1)),
        Value::Object(object) => object.forget_numbers(why),
        Value::Instance(instance) => {
            if let Some(payload) = instance.payload() {
                forget_all(payload, why, depth);
            }
            if is_the_programs(&instance.class()) {
                let names: Vec<_> = instance.attrs().keys().copied().collect();
                for name in names {
                    if let Some(held) = instance.get(name) {
                        forget_all(&held, why, depth - 1);
                    }
                    instance.set(name, Value::unknown(why.0.clone()));
                }
            }
        }
        Value::Method(method) => forget_all(&method.receiver, why, depth),
        _ => {}
    }
}

/// Whether a class is the program's own, and its instances can be changed.
fn is_the_programs(class: &Class) -> bool {
    let is_own = |value: &Value| matches!(value, Value::Function(function) if function.module.unit.user);
    !class.frozen.get() && class.metaclass.is_none() && class.attrs.read().values().any(is_own)
}

fn hand(value: &Value, depth: usize) {
    match value {
        Value::Function(function) => hand_function(function, None, depth),
        // It may be called, too.
        Value::Instance(instance) => {
            if let Some(Value::Function(call)) = instance.class().lookup_defined(sym!("__call__")) {
                hand_function(&call, Some(value), depth);
            }
        }
        Value::Method(method) => {
            if let Value::Function(function) = &method.function {
                hand_function(function, Some(&method.receiver), depth);
            }
        }
        // One that has something in it is mostly read.
        Value::List(list) if list.read().is_empty() => forget(value),
        Value::Dict(dict) if dict.read().is_empty() => forget(value),
        Value::Set(set) if set.read().is_empty() => forget(value),
        _ => {}
    }
}

/// It may be called: what it binds and changes outside of itself is not known any more.
fn hand_function(function: &Rc<Function>, receiver: Option<&Value>, depth: usize) {
    if !function.unit.user || depth == 0 {
        return;
    }
    let (unit, code) = function.body();
    let module: &Module = &unit.module;
    let code = module.code(code);
    let mut changes = Changes::default();
    match &code.body {
        Body::Block(body) => body.iter().for_each(|stmt| changes_of(module, Part::Stmt(*stmt), &mut changes)),
        Body::Expr(value) => changes_of(module, Part::Expr(*value), &mut changes),
        _ => {}
    }
    let captured = |place: Place| match place {
        Place::Cell(index) => function.captured.get((index as usize).checked_sub(code.cells.len())?),
        _ => None,
    };
    let why = || Value::unknown(format!("`{}` may have been called by what is not known", code.name));
    for (place, name) in &changes.names {
        match place {
            Place::Global(_) => function.module.set(*name, why()),
            place => {
                if let Some(cell) = captured(*place) {
                    *cell.write() = why();
                }
            }
        }
    }
    let named = |id: ExprId| match module.expr(id) {
        Expr::Name(Place::Global(_), name) => function.module.get(*name),
        Expr::Name(Place::Local(0), _) => receiver.cloned(),
        Expr::Name(place, _) => captured(*place).map(|cell| cell.read().clone()),
        _ => None,
    };
    for container in &changes.containers {
        let found = match module.expr(*container) {
            Expr::Attribute(object, name) => match named(*object) {
                Some(Value::Instance(instance)) => instance.get(*name),
                _ => None,
            },
            _ => named(*container),
        };
        found.iter().for_each(forget);
    }
    for (object, name) in &changes.attributes {
        if let Some(Value::Instance(instance)) = named(*object) {
            instance.set(*name, why());
        }
    }
    for cell in &function.captured {
        let value = cell.read().clone();
        hand(&value, depth - 1);
    }
}

fn forget(value: &Value) {
    forget_items(&container(value), &Why("it was given to what is not known".into()), true);
}
