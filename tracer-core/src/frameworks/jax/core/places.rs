//! Where eager arrays lie.

use super::{Members, services::array_of};
use crate::python::Value;
use crate::python::halt::Halt;
use crate::trace::{Config, Layout};

/// The services.
pub fn members(members: &mut Members) {
    // Notes where an eager array lies: a sharding, or None where that is not known.
    members.function("note_sharding", |it, args| {
        let [x, sharding] = args.exactly("note_sharding")?;
        let array = array_of(it, &x)?;
        it.engine.places.note(&array, (!sharding.is_none()).then_some(sharding));
        Ok(x)
    });
    // The sharding noted, None for one that is not known, False where nothing was noted.
    members.function("noted_sharding", |it, args| {
        let [x] = args.exactly("noted_sharding")?;
        let Value::Array(array) = &x else { return Ok(Value::Bool(false)) };
        Ok(it.engine.places.get(array).map_or(Value::Bool(false), |noted| noted.unwrap_or(Value::None)))
    });
    // `anything_placed()`: Whether anything was noted, or may be of what compiled functions give.
    members.function("anything_placed", |it, _| Ok(Value::Bool(it.engine.places.any())));
    // `placed_within_graphs()`: Notes that something within a graph was told where to lie: where what compiled functions
    // give lies is not known from now on.
    members.function("placed_within_graphs", |it, _| {
        it.engine.places.within_graphs();
        it.engine.commits.within_graphs();
        Ok(Value::None)
    });
    // The mesh that the program has set belongs to the keys of traces.
    members.function("set_context_mesh", |it, args| {
        let [text, mesh] = args.exactly("set_context_mesh")?;
        it.engine.places.set_context(mesh.as_str().map(Into::into));
        let mut config = (*it.engine.config()).clone();
        config.mesh = text.as_str().map(Into::into);
        it.engine.set_config(config);
        Ok(Value::None)
    });
    // `within_mesh(text, f, *args, **kwargs)`: `f(*args, **kwargs)` inside of a map over a mesh's devices: what is traced there is another trace.
    members.function("within_mesh", |it, mut args| {
        if args.positional.len() < 2 {
            return Err(Halt::type_error("within_mesh() missing required arguments"));
        }
        let text = args.positional.remove(0);
        let f = args.positional.remove(0);
        let mesh = it.engine.config().mesh.clone();
        let set = |mesh| it.engine.set_config(Config { mesh, ..(*it.engine.config()).clone() });
        set(text.as_str().map(Into::into));
        let found = it.call(&f, args);
        set(mesh);
        found
    });
    // Notes what the type of an array says of meshes: the mesh ("" for none) and the axes of it that cut the array; None where it is not known.
    members.function("lay", |it, args| {
        let [x, over] = args.exactly("lay")?;
        let array = array_of(it, &x)?;
        let layout = match &over {
            Value::None => Layout::Unknown,
            over => match &it.to_vec(over)?[..] {
                [mesh, cut] => {
                    let names = it.to_vec(cut)?;
                    let name = |name: &Value| name.as_str().filter(|name| !name.is_empty()).map(Into::into);
                    match mesh.as_str() {
                        Some("") => Layout::Plain,
                        Some(mesh) => Layout::over(mesh.into(), names.iter().map(name).collect()),
                        None => Layout::Unknown,
                    }
                }
                _ => Layout::Unknown,
            },
        };
        it.engine.places.lay(&array, layout);
        Ok(x)
    });
    // `cut_along(x)`: That again: the mesh, "" for none, and the names that cut each axis; None where it is not known.
    members.function("cut_along", |it, args| {
        let [x] = args.exactly("cut_along")?;
        let layout = match &x {
            Value::Array(array) if it.engine.places.maps_over_devices(array) => Layout::Unknown,
            Value::Array(array) => it.engine.places.layout(array),
            Value::Unknown(_) => Layout::Unknown,
            _ => Layout::Plain,
        };
        Ok(match layout {
            Layout::Unknown => Value::None,
            Layout::Plain => Value::tuple([Value::str(""), Value::tuple([])]),
            Layout::Over(mesh, cut) => {
                let names = cut.iter().map(|name| Value::str(name.as_deref().unwrap_or_default()));
                Value::tuple([Value::str(&mesh), Value::tuple(names)])
            }
        })
    });
    // The same as that of another array.
    members.function("lay_like", |it, args| {
        let [x, other] = args.exactly("lay_like")?;
        it.engine.places.lay(&array_of(it, &x)?, it.engine.places.layout(&array_of(it, &other)?));
        Ok(x)
    });
    // An array that is made under the mesh that the program has set.
    members.function("lay_new", |it, args| {
        let [x, made_of] = args.exactly("lay_new")?;
        if let Value::Array(array) = &x
            && !x.is(&made_of)
            && it.engine.places.any_laid()
            && !array.is_tracer()
            && it.engine.places.layout(array).is_plain()
        {
            let layout = it.engine.places.of_new();
            if !layout.is_plain() {
                let new = array.another();
                it.engine.places.lay(&new, layout);
                return Ok(Value::Array(new));
            }
        }
        Ok(x)
    });
    // Notes that the program has put an array somewhere: the sharding as it prints itself, or None where that is not known.
    members.function("commit", |it, args| {
        let [x, sharding] = args.exactly("commit")?;
        it.engine.commits.note(&array_of(it, &x)?, sharding.as_str().map(Into::into));
        Ok(x)
    });
    // Another array with the same numbers.
    members.function("another", |it, args| {
        let [x] = args.exactly("another")?;
        Ok(Value::Array(array_of(it, &x)?.another()))
    });
}
